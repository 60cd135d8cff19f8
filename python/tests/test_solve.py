from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import drystone


def problem(contacts: int, dimension: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(7)
    size = contacts * dimension
    H = random.normal(size=(size, 2 * size))
    q = random.normal(size=(contacts, dimension))
    q[:, 0] -= 1.0
    return H @ H.T / size, q, np.full(contacts, 0.4)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("method", ["auto", "nlgs"])
def test_the_answer_meets_coulomb(dimension: int, method: str) -> None:
    W, q, mu = problem(5, dimension)
    answer = drystone.solve(W, q, mu, tolerance=1e-10, method=method)  # type: ignore[arg-type]
    assert answer.converged and answer.residual <= 1e-10
    assert answer.u.ravel() == pytest.approx(W @ answer.r.ravel() + q.ravel())
    for r, u, m in zip(answer.r, answer.u, mu):
        assert r[0] >= -1e-9 and u[0] >= -1e-8 and abs(r[0] * u[0]) < 1e-8
        slip, thrust = np.linalg.norm(u[1:]), np.linalg.norm(r[1:])
        assert thrust <= m * r[0] + 1e-8
        if slip > 1e-6:
            assert r[1:] == pytest.approx(-m * r[0] * u[1:] / slip, abs=1e-7)


def test_sparse_matrices_and_guesses() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    W, q, mu = problem(4, 3)
    answer = drystone.solve(W, q, mu, tolerance=1e-9)
    for kind in (sparse.csr_matrix, sparse.coo_array, sparse.csc_array):
        again = drystone.solve(kind(W), q.ravel(), mu, tolerance=1e-9, guess=answer.r)
        assert again.r == pytest.approx(answer.r, abs=1e-7)
        assert again.iterations <= answer.iterations


def test_a_wedge_without_a_solution_is_told() -> None:
    # two contacts on one mass squeeze it with more friction than it can bear
    answer = drystone.solve(
        np.array([[1.0, 0, -1, 0], [0, 1, 0, -1], [-1, 0, 1, 0], [0, -1, 0, 1.0]]),
        [[-1.0, 0.0], [-1.0, 0.0]],
        [0.5, 0.5],
        max_iterations=200,
        diagnose=True,
    )
    assert not answer.converged and answer.diagnosis is not None
    assert answer.diagnosis.verdict == "inconsistent" and answer.diagnosis.advice


def test_wrong_shapes_types_and_numbers() -> None:
    W, q, mu = problem(3, 2)
    with pytest.raises(ValueError, match="W has the shape"):
        drystone.solve(W[:4], q, mu)
    with pytest.raises(ValueError, match="2 or 3 for each"):
        drystone.solve(W, q[:, :1], mu)
    with pytest.raises(ValueError, match="not finite"):
        drystone.solve(W * np.nan, q, mu)
    with pytest.raises(ValueError, match="not finite"):
        drystone.solve(W, q * np.inf, mu)
    with pytest.raises(ValueError, match="at least 0"):
        drystone.solve(W, q, -mu)
    with pytest.raises(ValueError, match="no method"):
        drystone.solve(W, q, mu, method="magic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="tolerance"):
        drystone.solve(W, q, mu, tolerance=0.0)
    with pytest.raises(TypeError, match="must be numbers"):
        drystone.solve(W, [["a", "b"]] * 3, mu)
    with pytest.raises(TypeError, match="W is complex"):
        drystone.solve(W * 1j, q, mu)
    for count in (-1, 2**40):
        with pytest.raises(ValueError, match="max_iterations"):
            drystone.solve(W, q, mu, max_iterations=count)
    with pytest.raises(ValueError, match="guess has"):
        drystone.solve(W, q, mu, guess=[1.0])
    with pytest.raises(drystone.RunError, match="no such file"):
        drystone.solve_file("/no/such/file.hdf5")


def test_a_structure_that_falls_is_told() -> None:
    def scene(x: float) -> drystone.Scene:
        return drystone.Scene(
            {
                "dimension": 2,
                "time": {"step": 1e-3, "duration": 1.0},
                "body": [
                    {
                        "name": "table",
                        "shape": {"box": {"size": [1, 1]}},
                        "fixed": True,
                        "position": [0, -0.5],
                    },
                    {
                        "name": "block",
                        "shape": {"box": {"size": [1, 1]}},
                        "density": 1000,
                        "position": [x, 0.5],
                    },
                ],
                "law": [{"between": ["*", "*"], "inelastic": {"friction": 0.5}}],
            }
        )

    standing = drystone.stability(scene(0.4))
    assert standing.stands and standing.mechanism is None
    assert standing.force[:, 1].sum() == pytest.approx(standing.masses[1] * 9.81 * _sign(standing), rel=1e-6)
    falling = drystone.stability(scene(0.6))
    assert not falling.stands and falling.mechanism is not None and falling.mechanism.shape == (2, 3)
    pushed = drystone.stability(scene(0.0), push=[1, 0])
    assert pushed.multiplier == pytest.approx(0.5, rel=1e-5)
    with pytest.raises(ValueError, match="push must be 2"):
        drystone.stability(scene(0.0), push=[0, 0, 1])
    with pytest.raises(ValueError, match="push is .*nan"):
        drystone.stability(scene(0.0), push=[float("nan"), 0.0])
    with pytest.raises(ValueError, match="touching"):
        drystone.stability(scene(0.0), touching=-1.0)


def _sign(found: drystone.Stability) -> float:
    return 1.0 if found.bodies[0, 0] == 1 else -1.0


def test_problems_of_files(tmp_path: Path, command: str) -> None:
    import subprocess

    from conftest import ROOT

    folder = tmp_path / "run"
    subprocess.run(
        [
            command,
            "run",
            str(ROOT / "scenes/arch.toml"),
            "-o",
            str(folder),
            "--steps",
            "2",
            "--dump-problems",
            "1",
            "-q",
        ],
        check=False,
    )
    files = sorted((folder / "problems").glob("*"))
    assert files
    answer = drystone.solve_file(files[-1])
    assert answer.converged and answer.r.shape[1] in (2, 3)
