from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from conftest import ball

import drystone


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    spec = ball(output={"interval": 0.1}, probe=[{"body": "ball", "quantities": ["position", "force"]}])
    spec["body"][1]["group"] = "balls"
    spec["title"] = "a ball"
    with drystone.Scene(spec).build().record(tmp_path / "run") as sim:
        sim.run()
    return tmp_path / "run"


def test_histories_contacts_and_tables(folder: Path) -> None:
    run = drystone.open(folder)
    assert run.times == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])
    body = run["ball"]
    assert body.position.shape == body.velocity.shape == body.contact_force.shape == (5, 2)
    assert body.position[0] == pytest.approx([0, 0.2]) and body.position[-1] == pytest.approx(
        [0, 0.1], abs=1e-6
    )
    assert (
        body.spin.shape == (5, 1)
        and body.orientation_wxyz.shape == (5, 4)
        and body.kinetic_energy.shape == (5,)
    )
    assert (run.group("balls").position[:, 0] == body.position).all()
    weight = 9.81 * 1000 * np.pi * 0.01
    assert run.forces_between("ball", "floor")[-1] == pytest.approx([0, weight])
    assert run.forces_between("default", "balls")[-1] == pytest.approx([0, -weight])
    assert len(run.contacts(0.4)) == 1 and run.contacts(0.4).normal_force == pytest.approx([weight])
    assert run.tables == ["ball", "steps"]
    assert run.table("ball")["force y"][-1] == pytest.approx(weight)
    assert len(run.steps["residual"]) == 200 and "kinetic" in run.energy._short
    assert run.scene.title == "a ball" and run.summary is not None and run.summary["outcome"] == "completed"
    assert not run.is_running


def test_other_packages_get_what_they_want(folder: Path) -> None:
    run = drystone.open(folder)
    pandas = pytest.importorskip("pandas")
    assert isinstance(run.to_pandas(), pandas.DataFrame)
    assert list(run["ball"].to_pandas().columns[:2]) == ["position x [m]", "position y [m]"]
    pytest.importorskip("xarray")
    data = run.to_xarray()
    assert float(data.position.sel(body="ball", axis="y").isel(time=-1)) == pytest.approx(0.1, abs=1e-6)
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = run.plot("time", "kinetic")
    assert axes.get_xlabel() == "time [s]" and axes.get_ylabel() == "kinetic [J]"


def test_pictures_and_meshes(folder: Path) -> None:
    run = drystone.open(folder)
    assert run.picture().startswith(b"\x89PNG") and run._repr_png_() is not None
    assert run.picture(0.0, show="all", kind="svg").startswith(b"<svg")
    with pytest.raises(ValueError, match="cannot be shown"):
        run.picture(show="nothing")  # type: ignore[arg-type]
    if (folder / "surfaces.vtkhdf").exists():
        pytest.importorskip("pyvista")
        mesh = run.mesh(0.4)
        assert mesh.n_points > 0


def test_what_is_not_there_is_told(folder: Path, tmp_path: Path) -> None:
    run = drystone.open(folder)
    with pytest.raises(KeyError, match="no body"):
        run["nobody"]
    with pytest.raises(KeyError, match="balls, default"):
        run.group("nobody")
    with pytest.raises(KeyError, match="ball, steps"):
        run.table("nothing")
    with pytest.raises(KeyError, match="no column"):
        run.steps["nothing"]
    with run:
        pass
    with pytest.raises(drystone.RunError, match="closed"):
        run.times
    with pytest.raises(drystone.RunError):
        drystone.open(tmp_path)
    with pytest.raises(drystone.RunError):
        drystone.open(tmp_path / "nothing")


def test_a_run_that_goes_on_is_read(tmp_path: Path) -> None:
    sim = drystone.Scene(ball(output={"interval": 0.1})).build().record(tmp_path / "run", changing=True)
    sim.run(until=0.2)
    run = drystone.open(tmp_path / "run")
    assert run.is_running and run.summary is None and len(run.times) == 3
    sim.add({"name": "late", "shape": {"disk": {"radius": 0.1}}, "density": 1, "position": [1, 0.1]})
    sim["ball"].remove()
    sim.run()
    sim.close()
    assert len(run.times) == 3 and len(run.refresh().times) == 5
    assert np.isfinite(run["ball"].position[:3]).all()
    assert not run.is_running


def position(sim: drystone.Simulation) -> dict[str, float]:
    return {"height": float(sim["ball"].position[1])}


@pytest.mark.parametrize("kind", [None, ThreadPoolExecutor, ProcessPoolExecutor])
def test_a_sweep_gives_a_row_for_each_run(scene: drystone.Scene, kind: type | None) -> None:
    parameters: dict[str, list[object]] = {
        "body.1.position": [[0.0, 0.2], [0.0, 3.0]],
        "law.0.inelastic.friction": [0.1, -0.1],
    }
    if kind is None:
        rows = drystone.sweep(scene, parameters, measure=position)
    else:
        with kind(2) as executor:
            rows = drystone.sweep(scene, parameters, measure=position, executor=executor)
    assert len(rows) == 4
    assert [("error" in row) for row in rows] == [False, True, False, True]
    assert rows[0]["height"] == pytest.approx(0.1, abs=1e-6) and rows[2]["height"] > 2.0
    assert "SceneError" in rows[1]["error"]
    with pytest.raises(TypeError, match="allowed are lists"):
        drystone.sweep(scene, {"time.step": 1e-3})  # type: ignore[dict-item]
