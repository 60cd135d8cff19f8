from __future__ import annotations

import gc
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT, ball

import drystone

SLOW = bool(os.environ.get("DRYSTONE_SLOW"))


@pytest.mark.parametrize("name,steps", [("arch", 15), ("prisms", 5)])
def test_the_bits_are_those_of_the_command(command: str, tmp_path: Path, name: str, steps: int) -> None:
    path = ROOT / f"scenes/{name}.toml"
    told = subprocess.run(
        [command, "run", str(path), "-o", str(tmp_path / "run"), "--steps", str(steps), "--json"],
        capture_output=True,
        text=True,
    )
    scene = drystone.Scene.load(path)
    sim = scene.build()
    sim.run(until=steps * scene.step)
    assert json.loads(told.stdout)["state_hash"] == sim.state_hash, told.stderr


def test_a_ball_comes_to_rest_on_the_floor(scene: drystone.Scene) -> None:
    sim = scene.build()
    report = sim.run(progress=True)
    assert (report.outcome, report.steps, report.not_converged) == ("completed", 200, 0)
    body = sim["ball"]
    assert body.position == pytest.approx([0.0, 0.1], abs=1e-6)
    assert body.contact_force == pytest.approx([0.0, body.mass * 9.81], rel=1e-6)
    assert sim.contact_forces[body.index] == pytest.approx(body.contact_force)
    assert sim.positions.shape == (2, 2) and sim.velocities.shape == (2, 2)
    assert sim.orientations_wxyz.shape == (2, 4) and sim.spins.shape == (2, 1)
    assert sim.masses[1] == pytest.approx(1000 * np.pi * 0.01)
    contacts = sim.contacts
    assert len(contacts) == 1 and sorted(contacts.bodies[0]) == [0, 1]
    assert contacts.normal_force == pytest.approx([body.mass * 9.81])
    assert sim.energy["balance_error"] < 1e-9
    assert [one.name for one in sim] == sim.names == ["floor", "ball"]


def test_an_end_by_the_rule_of_the_scene() -> None:
    sim = drystone.Scene(ball(equilibrium={"speed": 1e-6, "steps": 5})).build()
    report = sim.run()
    assert report.outcome == "equilibrium" and report.steps < 200
    assert sim.run(until=sim.time + 0.02).outcome == "completed"


def test_arrays_outlive_their_simulation_and_do_not_move(scene: drystone.Scene) -> None:
    sim = scene.build()
    positions, kept = sim.positions, sim.positions.copy()
    sim.run(until=0.1)
    assert (positions == kept).all() and (sim.positions != kept).any()
    contacts = sim.contacts
    del sim
    gc.collect()
    assert (positions == kept).all() and len(contacts) == len(contacts.force)
    positions[:] = 3.0


def test_bodies_come_and_go(scene: drystone.Scene) -> None:
    sim = scene.build()
    sim.run(until=0.3)
    stone = sim.add(
        {"name": "stone", "shape": {"box": {"size": [0.1, 0.1]}}, "density": 2000, "position": [1, 0.05]}
    )
    assert len(sim) == 3 and stone.index == 2 and sim.groups == ["default"] * 3
    sim.run(until=0.4)
    assert stone.contact_force[1] == pytest.approx(stone.mass * 9.81, rel=1e-5)
    ball = sim["ball"]
    ball.remove()
    assert not ball.is_there and stone.index == 1 and "removed" in repr(ball)
    with pytest.raises(drystone.ChangeError, match="no body"):
        ball.position
    with pytest.raises(drystone.SceneError, match="shap"):
        sim.add({"name": "wrong", "shap": 1})
    with pytest.raises(drystone.ChangeError, match="already"):
        sim.add({"name": "stone", "shape": {"disk": {"radius": 1}}, "density": 1})
    sim.remove([stone])
    assert sim.names == ["floor"]
    sim.step()


def test_loads_drives_and_gravity_follow_signals() -> None:
    sim = drystone.Scene(ball(gravity=[0, 0])).build()
    body = sim["ball"]
    mass = body.mass
    body.load("x", lambda t: 2.0 * t * mass)
    sim.run(until=0.3)
    assert body.velocity[0] == pytest.approx(0.09, rel=1e-9)
    body.load("x", 0.0)
    body.drive("y", [[0.0, 1.0], [10.0, 1.0]])
    sim.run(until=0.4)
    assert body.velocity[1] == pytest.approx(1.0)
    body.release("y")
    sim.drive_gravity("y", {"mean": -1.0})
    sim.run(until=0.6)
    assert body.velocity[1] == pytest.approx(0.8)
    slot = sim.slot(0.5)
    body.drive("about z", slot)
    slot.value = 2.0
    sim.step()
    assert body.spin == pytest.approx([2.0]) and slot.value == 2.0
    sim.drive_friction("default", "default", np.array([[0.0, 0.1], [1.0, 0.2]]))
    body.fix()
    sim.step()
    assert not body.velocity.any()


def test_wrong_numbers_are_refused_with_a_sentence(scene: drystone.Scene) -> None:
    sim = scene.build()
    body = sim["ball"]
    with pytest.raises(drystone.ChangeError, match="3 components"):
        body.velocity = [1, 2, 3]
    with pytest.raises(drystone.ChangeError, match="finite"):
        body.velocity = [1, float("nan")]
    with pytest.raises(ValueError, match="row of numbers"):
        body.velocity = np.zeros((2, 2))
    with pytest.raises(ValueError, match="could not convert"):
        body.velocity = "fast"
    with pytest.raises(ValueError, match="no axis"):
        body.drive("up", 1.0)  # type: ignore[arg-type]
    with pytest.raises(drystone.ChangeError, match="does not exist in 2"):
        body.drive("z", 1.0)
    with pytest.raises(TypeError, match="a signal cannot be"):
        body.load("x", object())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="increasing"):
        body.load("x", [[1.0, 0.0], [0.0, 1.0]])
    with pytest.raises(drystone.ChangeError, match="no body is called"):
        sim["nobody"]
    with pytest.raises(drystone.ChangeError, match="no group"):
        sim.group("nobody")
    with pytest.raises(drystone.ChangeError):
        sim.run(until=float("nan"))
    with pytest.raises(drystone.ChangeError):
        sim.run(until=-1.0)
    with pytest.raises(TypeError, match="complex"):
        body.velocity = np.array([1j, 0.0])
    for hook in (sim.on_step, sim.before_step, sim.law("*", "*")):
        with pytest.raises(TypeError, match="allowed are functions"):
            hook(3)  # type: ignore[type-var, arg-type]
    with pytest.raises(drystone.ChangeError, match="another simulation"):
        scene.build().remove([body])
    with pytest.raises(TypeError, match="is no snapshot"):
        sim.restore(3)  # type: ignore[arg-type]
    for every in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="every is"):
            sim.record("/no/such/folder", every=every)
    with pytest.raises(drystone.ChangeError, match="slot"):
        body.load("x", scene.build().slot(1.0))
    assert sim.steps_done == 0


def test_hooks_steer_stop_and_fail(scene: drystone.Scene) -> None:
    sim = scene.build()
    seen: list[float] = []

    @sim.before_step
    def push(s: drystone.Simulation) -> None:
        s["ball"].set_force([10.0, 0.0])

    @sim.on_step
    def watch(s: drystone.Simulation) -> None:
        assert s is sim
        seen.append(float(s["ball"].position[0]))
        if s.time > 0.1:
            s.stop()

    report = sim.run()
    assert report.outcome == "stopped" and report.steps == len(seen) == 51
    assert seen[-1] > 1e-3
    sim.clear_hooks()

    @sim.on_step
    def fail(s: drystone.Simulation) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        sim.run()
    assert sim.steps_done == 52
    sim.clear_hooks()
    sim.on_step(lambda s: s.step())
    with pytest.raises(drystone.DrystoneError, match="a hook cannot step"):
        sim.run()


def test_functions_of_time_that_fail_are_told(scene: drystone.Scene) -> None:
    sim = scene.build()
    body = sim["ball"]
    with pytest.raises(ZeroDivisionError):
        body.load("x", lambda t: 1 / 0)
    with pytest.raises(drystone.DrystoneError, match="a function of time cannot look"):
        body.load("x", lambda t: body.mass)
    with pytest.raises(TypeError, match="must be real number"):
        body.drive("x", lambda t: "fast")  # type: ignore[arg-type, return-value]
    with pytest.raises(drystone.ChangeError, match="finite"):
        body.load("x", lambda t: float("nan"))
    sim.step()
    body.load("x", lambda t: 1 / int(t < 0.1))
    with pytest.raises(ZeroDivisionError):
        sim.run()
    assert 40 < sim.steps_done < 60
    body.load("x", 0.0)
    assert sim.run().outcome == "completed"


def test_a_function_of_time_goes_with_its_signal(scene: drystone.Scene) -> None:
    class Push:
        def __call__(self, time: float) -> float:
            return 1.0

    sim = scene.build()
    gone = []
    for _ in range(5):
        push = Push()
        gone.append(weakref.ref(push))
        sim["ball"].load("x", push)
        del push
        sim.step()
    gc.collect()
    assert [one() is None for one in gone] == [True] * 4 + [False]


def test_a_hook_that_fails_leaves_a_run_to_go_on_with(scene: drystone.Scene, tmp_path: Path) -> None:
    whole = scene.build()
    whole.run()
    sim = scene.build().record(tmp_path / "run")

    @sim.on_step
    def fail(s: drystone.Simulation) -> None:
        if s.steps_done == 77:
            raise LookupError

    with pytest.raises(LookupError):
        sim.run()
    del sim
    gc.collect()
    again = drystone.resume(tmp_path / "run")
    assert again.steps_done == 77
    with again:
        again.run()
    assert again.state_hash == whole.state_hash
    run = drystone.open(tmp_path / "run")
    assert run.summary is not None and run.summary["state_hash"] == whole.state_hash
    assert len(run.steps["step"]) == 200 and run.times[-1] == pytest.approx(0.4)


def test_a_folder_is_that_of_the_command(command: str, scene: drystone.Scene, tmp_path: Path) -> None:
    scene.save(tmp_path / "scene.toml")
    subprocess.run(
        [command, "run", str(tmp_path / "scene.toml"), "-o", str(tmp_path / "a"), "-q"], check=True
    )
    with scene.build().record(tmp_path / "b") as sim:
        sim.run()
    assert sim.folder is None
    for name in ["bodies.vtkhdf", "contacts.vtkhdf", "probes/steps.csv", "scene.toml"]:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name
    with pytest.raises(drystone.RunError):
        scene.build().record(tmp_path / "b")


def test_control_c_ends_a_run() -> None:
    sim = drystone.Scene(ball(time={"step": 1e-3, "duration": 1e6})).build()
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sim.run()
    assert 0 < sim.steps_done
    sim.step()


def test_many_simulations_run_in_threads(scene: drystone.Scene) -> None:
    alone = scene.build()
    alone.run()
    sims = [scene.build() for _ in range(4)]
    threads = [threading.Thread(target=sim.run) for sim in sims]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {sim.state_hash for sim in sims} == {alone.state_hash}


def test_a_simulation_that_runs_elsewhere_says_so() -> None:
    sim = drystone.Scene(ball(time={"step": 1e-3, "duration": 1e6})).build()
    thread = threading.Thread(target=sim.run)
    thread.start()
    time.sleep(0.1)
    with pytest.raises(drystone.DrystoneError, match="another thread"):
        sim.positions
    with pytest.raises(drystone.DrystoneError, match="another thread"):
        sim.step()
    sim.stop()
    thread.join()
    assert sim.steps_done > 0


def test_snapshots_bring_back_every_bit(scene: drystone.Scene) -> None:
    sim = scene.build()
    sim.run(until=0.1)
    snapshot = sim.snapshot()
    sim.run(until=0.3)
    end = sim.state_hash
    sim.restore(snapshot)
    assert sim.time == pytest.approx(0.1)
    sim.run(until=0.3)
    assert sim.state_hash == end


def test_simulations_made_and_dropped_leave_nothing(scene: drystone.Scene) -> None:
    def hold(sim: drystone.Simulation) -> None:
        # what a hook and a signal hold leads back to the simulation
        sim.on_step(lambda _: sim.stop())
        sim["ball"].load("x", lambda _: (sim, 0.0)[1])

    def some(count: int) -> None:
        for _ in range(count):
            sim = scene.build()
            hold(sim)
            sim.step()
        gc.collect()

    count = 10_000 if SLOW else 300
    some(count // 3)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    some(count)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    # the smallest simulation takes several kB: one that stays shows
    assert grown < 2e6 + 500 * count, f"{grown / count:.0f} bytes a simulation"


def test_hooks_are_called_and_leave_nothing_behind() -> None:
    """What a call costs is told by scripts/python/hook_cost.py; here calls and what they leave are counted."""
    sim = drystone.Scene(ball(time={"step": 1e-3, "duration": 1e9}, gravity=[0, 0])).build()
    calls, made = [0], [0]
    given: set[int] = set()

    def count(*given_to: object) -> None:
        calls[0] += 1
        made[0] = sys.getallocatedblocks()
        given.update(map(id, given_to))

    for hook in (sim.on_step, sim.before_step):
        hook(count)
    blocks, turns = [], 50_000 if SLOW else 1000
    for until in (turns, 2 * turns, 3 * turns):
        sim.run(until=until * 1e-3)
        blocks.append(made[0])
    assert calls[0] == 6 * turns and given == {id(sim)}
    # what a call makes and leaves would show: 2000 calls and more lie between two of these
    assert abs(blocks[2] - blocks[1]) < 100


def inelastic(contact: drystone.Approach) -> drystone.Change:
    return drystone.Change(friction=0.5, shift=[max(contact.gap, 0.0) / contact.step])


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_law_in_python_has_the_bits_of_the_one_it_copies(dimension: int) -> None:
    floor: dict[str, object] = {"line": {}} if dimension == 2 else {"plane": {}}
    ball = "disk" if dimension == 2 else "sphere"
    heap = [
        {
            "name": f"ball {k}",
            "shape": {ball: {"radius": 0.1}},
            "density": 1000,
            "position": [0.05 * (k % 2), *[0.02 * k] * (dimension - 2), 0.1 + 0.2 * k],
            "velocity": [0.3] + [0.0] * (dimension - 1),
        }
        for k in range(4)
    ]
    spec = {
        "dimension": dimension,
        "time": {"step": 2e-3, "duration": 0.2},
        "body": [{"name": "floor", "shape": floor, "fixed": True}, *heap],
        "law": [{"between": ["*", "*"], "inelastic": {"friction": 0.5}}],
    }
    plain = drystone.Scene(spec).build()
    plain.run()
    sim = drystone.Scene({**spec, "law": [{"between": ["*", "*"], "none": {}}]}).build()
    assert sim.law("*", "*")(inelastic) is inelastic
    sim.run()
    assert len(plain.contacts) > 0 and sim.state_hash == plain.state_hash


def test_a_law_in_python_is_told_what_meets() -> None:
    spec = ball(time={"step": 1e-3, "duration": 0.01})
    spec["body"][1] |= {
        "shape": {"box": {"size": [0.2, 0.1]}},
        "position": [0.0, 0.05],
        "velocity": [0.5, 0.0],
    }
    sim = drystone.Scene(spec).build()
    seen: list[drystone.Approach] = []

    @sim.law("*", "*")
    def smooth(contact: drystone.Approach) -> drystone.Change:
        seen.append(contact)
        return drystone.Change(shift=[max(contact.gap, 0.0) / contact.step])

    sim.step()
    assert len(seen) == 2
    assert all((one.step, one.theta, one.time) == (1e-3, 0.5, 0.0) for one in seen)
    assert all(abs(one.velocity[1]) == pytest.approx(0.5) and abs(one.gap) < 1e-9 for one in seen)
    # two corners share a length of 0.2 m
    assert [one.area for one in seen] == pytest.approx([0.1, 0.1])
    sim.run()
    # a smooth floor takes nothing of the speed
    assert sim["ball"].velocity == pytest.approx([0.5, 0.0], abs=1e-9)


def test_a_law_in_python_may_bear_so_much_for_each_area() -> None:
    """A slab glued below a ceiling hangs as long as the glue bears its weight for each square metre."""
    slab = {"name": "slab", "shape": {"box": {"size": [0.4, 0.5, 0.1]}}, "density": 2000.0}
    roof = {"name": "roof", "shape": {"box": {"size": [1, 1, 0.1]}}, "fixed": True, "position": [0, 0, 0.05]}
    weight = 2000.0 * 0.1 * 9.81  # Pa
    for strength, holds in ((1.01 * weight, True), (0.99 * weight, False)):
        sim = drystone.Scene(
            {
                "dimension": 3,
                "time": {"step": 1e-3, "duration": 0.02},
                "body": [roof, {**slab, "position": [0, 0, -0.05]}],
                "law": [{"between": ["*", "*"], "none": {}}],
            }
        ).build()

        def glue(contact: drystone.Approach, strength: float = strength) -> drystone.Change:
            hold = strength * contact.area * contact.step if contact.gap < 1e-9 else 0.0
            return drystone.Change(0.5, shift=[max(contact.gap, 0.0) / contact.step], impulse=[hold])

        sim.law("*", "*")(glue)
        sim.run()
        assert (abs(sim["slab"].position[2] + 0.05) < 1e-9) == holds


def test_a_law_in_python_that_is_wrong_is_told(scene: drystone.Scene) -> None:
    def law(answer: object) -> drystone.Simulation:
        sim = scene.replace({"body.1.position": [0.0, 0.1]}).build()
        sim.law("default", "default")(lambda contact: answer)  # type: ignore[arg-type, return-value]
        return sim

    wrong: list[tuple[object, type[Exception], str]] = [
        (3.0, TypeError, "allowed are drystone.Change"),
        (drystone.Change(friction=-1.0), ValueError, "friction of a law is -1"),
        (drystone.Change(shift=[float("nan")]), ValueError, "shift of a law"),
        (drystone.Change(compliance=[-1.0]), ValueError, "compliance of a law"),
        (drystone.Change(impulse=[1.0, 2.0, 3.0]), ValueError, "at most 2"),
    ]
    for answer, kind, words in wrong:
        with pytest.raises(kind, match=words):
            law(answer).run()
    fallen = law(None)
    fallen.run()
    assert fallen["ball"].position[1] < -0.5

    sim = scene.build()
    with pytest.raises(ValueError, match="reach"):
        sim.law("*", "*", reach=-1.0)(inelastic)
    with pytest.raises(drystone.ChangeError, match="group"):
        sim.law("nobody", "*")(inelastic)


def test_a_run_folder_is_not_begun_or_ended_in_a_hook(scene: drystone.Scene, tmp_path: Path) -> None:
    sim = scene.build().record(tmp_path / "run")
    sim.on_step(lambda s: s.close())
    with pytest.raises(drystone.DrystoneError, match="between runs"):
        sim.run()
    sim.clear_hooks()
    sim.run()
    sim.close()
    assert drystone.open(tmp_path / "run").summary is not None
