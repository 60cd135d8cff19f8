from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from conftest import ball

import drystone


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    spec = ball(
        output={"interval": 0.1},
        probe=[{"name": "ball", "body": "ball", "quantities": ["position", "force"]}],
    )
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
    assert run.plot("position y", "force y").get_ylabel() == "force y [N]"
    with pytest.raises(KeyError, match="no table.*has both"):
        run.plot("position y", "kinetic")


def test_pictures_and_meshes(folder: Path) -> None:
    run = drystone.open(folder)
    assert run.picture().startswith(b"\x89PNG") and run._repr_png_() is not None
    assert run.picture(0.0, show="all", kind="svg").startswith(b"<svg")
    with pytest.raises(ValueError, match="cannot be shown"):
        run.picture(show="nothing")  # type: ignore[arg-type]
    view = run.show(height=300)
    assert view._repr_html_().startswith("<iframe srcdoc=") and view._repr_png_().startswith(b"\x89PNG")
    view.save(folder / "page.html")
    assert "<canvas" in (folder / "page.html").read_text(encoding="utf-8")
    pytest.importorskip("pyvista")
    low, high = (run.mesh(time).points[:, 1].max() for time in (0.4, 0.0))
    assert low == pytest.approx(0.2, abs=1e-3) and high == pytest.approx(0.3, abs=1e-3)
    contacts = run.contact_mesh()
    assert contacts.n_points == 1 and contacts["force"][0, 1] > 300.0
    assert run.contact_mesh(0.0).n_points == 0


def test_surfaces_that_were_not_written_are_made(tmp_path: Path) -> None:
    """A run with many corners leaves them out where the scene does not ask for them."""
    pytest.importorskip("pyvista")
    disks = [
        {
            "name": f"disk {k}",
            "shape": {"disk": {"radius": 0.1}},
            "density": 1000,
            "position": [0.3 * (k % 30), 0.1 + 0.3 * (k // 30)],
        }
        for k in range(660)
    ]
    floor = {"name": "floor", "shape": {"line": {}}, "fixed": True}
    text = ball(time={"step": 2e-3, "duration": 0.01}, output={"interval": 4e-3}, body=[floor, *disks])
    with drystone.Scene(text).build().record(tmp_path / "many") as sim:
        sim.run()
    run = drystone.open(tmp_path / "many")
    assert not (run.path / "surfaces.vtkhdf").exists()
    for time in (0.0, 0.01):
        mesh = run.mesh(time)
        places = run.group("default").position[run.frame_at(time)]
        for body in (1, 7, 660):
            corners = mesh.extract_cells(mesh.cell_data["body"] == body).points
            assert corners.mean(axis=0)[:2] == pytest.approx(places[body], abs=1e-4)
            assert abs(corners[:, 0] - places[body][0]).max() == pytest.approx(0.1, abs=1e-3)
    assert (run.path / "surfaces.vtkhdf").is_file()


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
    with pytest.raises(ValueError, match="not a number"):
        run.contacts(float("nan"))
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


def in_processes() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(2, mp_context=get_context("spawn"))


def in_threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(2)


@pytest.mark.parametrize("pool", [None, in_threads, in_processes])
def test_a_sweep_gives_a_row_for_each_run(scene: drystone.Scene, pool: Callable[[], Executor] | None) -> None:
    parameters: dict[str, list[object]] = {
        "body.1.position": [[0.0, 0.2], [0.0, 3.0]],
        "law.0.inelastic.friction": [0.1, -0.1],
    }
    if pool is None:
        rows = drystone.sweep(scene, parameters, measure=position)
    else:
        with pool() as executor:
            rows = drystone.sweep(scene, parameters, measure=position, executor=executor)
    assert len(rows) == 4
    assert [("error" in row) for row in rows] == [False, True, False, True]
    assert rows[0]["height"] == pytest.approx(0.1, abs=1e-6) and rows[2]["height"] > 2.0
    assert "SceneError" in rows[1]["error"]
    pytest.importorskip("pandas")
    assert rows.to_pandas()["height"].notna().sum() == 2
    with pytest.raises(TypeError, match="must have submit"):
        drystone.sweep(scene, {"time.step": [1e-3]}, executor=3)
    with pytest.raises(TypeError, match="allowed are lists"):
        drystone.sweep(scene, {"time.step": 1e-3})  # type: ignore[dict-item]


FORKED = """
import os, signal, sys, threading, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
import drystone
from conftest import ROOT, ball
scene = drystone.Scene.load(ROOT / "scenes/arch.toml").replace({"time.duration": 0.02})
alone = scene.build()
alone.run()  # threads are started here; a fork does not take them along
with ProcessPoolExecutor(2, mp_context=get_context("fork")) as executor:
    rows = drystone.sweep(scene, {"title": ["one", "two", "three"]}, executor=executor)
assert [row.get("state_hash", row) for row in rows] == [alone.state_hash] * 3, rows

def child(answer):
    # the child of a child, and Ctrl-C in it
    scene.build().run()
    long = drystone.Scene(ball(time={"step": 1e-3, "duration": 1e6})).build()
    threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
    try:
        long.run()
    except KeyboardInterrupt:
        answer.put("interrupted")
    again = get_context("fork").Process(target=grandchild, args=(answer,))
    again.start()
    again.join(20)

def grandchild(answer):
    try:
        scene.build().run()
        answer.put("ran")
    except drystone.DrystoneError as error:
        answer.put(str(error))

context = get_context("fork")
answer = context.Queue()
process = context.Process(target=child, args=(answer,))
process.start()
print(answer.get(timeout=20))
print(answer.get(timeout=20))
process.join(20)
"""


def test_processes_that_were_forked_run_or_say_why_not() -> None:
    told = subprocess.run(
        [sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=120, cwd=Path(__file__).parent
    )
    assert told.returncode == 0, told.stdout + told.stderr
    first, second = told.stdout.splitlines()
    assert first == "interrupted"
    assert second == "ran" or "spawn" in second
