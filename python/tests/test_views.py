"""Arrays that follow a simulation: what they show, what ends them, and that nothing dangles."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from typing import Any

import numpy as np
import pytest
from conftest import ball

import drystone
from drystone.simulation import Quantity


def test_views_follow_the_simulation_without_copies(scene: drystone.Scene) -> None:
    sim = scene.build()
    quantities: list[Quantity] = ["positions", "velocities", "contact_forces"]
    views = {name: sim.view(name) for name in quantities}
    for name, view in views.items():
        assert view is sim.view(name) and sim.is_live(view) and sim.is_live(view[1])
        assert view.shape == (2, 2) and view.dtype == np.float64 and not view.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            view[0, 0] = 1.0
    seen = []

    @sim.on_step
    def watch(s: drystone.Simulation) -> None:
        seen.append(all((view == getattr(s, name)).all() for name, view in views.items()))

    sim.run(until=0.06)
    assert len(seen) == 30 and all(seen)
    sim.clear_hooks()
    before = views["positions"].copy()
    sim.run(until=0.1)
    assert (views["positions"] == sim.positions).all() and (before != views["positions"]).any()
    sim.run(until=0.3)
    assert views["contact_forces"][1] == pytest.approx(sim["ball"].contact_force)
    sim.step()
    assert (views["velocities"] == sim.velocities).all()
    assert not sim.is_live(sim.positions)
    with pytest.raises(ValueError, match='no view of "spins"; allowed: positions'):
        sim.view("spins")  # type: ignore[arg-type]


def test_views_show_what_was_set(scene: drystone.Scene) -> None:
    sim = scene.build()
    velocities, positions = sim.view("velocities"), sim.view("positions")
    sim["ball"].velocity = [3.0, 4.0]
    assert velocities.tolist() == [[0.0, 0.0], [3.0, 4.0]]
    sim["ball"].drive("x", 5.0)
    assert velocities[1].tolist() == sim["ball"].velocity.tolist()
    sim["ball"].fix()
    assert not velocities.any()
    start = positions.copy()
    snapshot = sim.snapshot()
    sim["ball"].release("x")
    sim["ball"].drive("y", 1.0)
    sim.run(until=0.1)
    assert (positions != start).any()
    sim.restore(snapshot)
    assert (positions == start).all() and sim.is_live(positions)


def test_views_end_where_the_number_of_bodies_changes(scene: drystone.Scene) -> None:
    sim = scene.build()
    old = sim.view("positions")
    kept = old.copy()
    stone = {"name": "stone", "shape": {"disk": {"radius": 0.1}}, "density": 1000, "position": [1, 0.5]}
    body = sim.add(stone)
    assert not sim.is_live(old)
    new = sim.view("positions")
    assert new is not old and new.shape == (3, 2) and new[2].tolist() == [1.0, 0.5]
    sim.run(until=0.1)
    assert (old == kept).all() and (new == sim.positions).all()
    body.remove()
    assert not sim.is_live(new) and new.shape == (3, 2) and sim.view("positions").shape == (2, 2)

    # the same from a hook, and back by a snapshot
    snapshot, two = sim.snapshot(), sim.view("positions")
    sizes = []

    @sim.on_step
    def add(s: drystone.Simulation) -> None:
        if s.steps_done == 60:
            s.add(stone)
        sizes.append(len(s.view("positions")))

    sim.run(until=0.13)
    assert sizes == [2] * 9 + [3] * 6 and not sim.is_live(two)
    three = sim.view("positions")
    sim.restore(snapshot)
    assert not sim.is_live(three) and len(sim.view("positions")) == 2


def test_views_outlive_their_simulation(scene: drystone.Scene) -> None:
    sim = scene.build()
    view = sim.view("positions")
    sim.run(until=0.1)
    kept, gone = view.copy(), weakref.ref(sim)
    del sim
    gc.collect()
    assert gone() is None
    # others take the memory that is free by now
    others = [scene.build().view("positions") for _ in range(50)]
    assert (view == kept).all() and len(others) == 50

    # a view that a hook holds, which leads back to the simulation
    other = scene.build()
    held = other.view("positions")
    other.on_step(lambda s: held.sum())
    other.step()
    gone = weakref.ref(other)
    del other
    gc.collect()
    assert gone() is None and held.shape == (2, 2)


def test_a_view_may_be_read_while_another_thread_runs() -> None:
    sim = drystone.Scene(ball(time={"step": 1e-4, "duration": 1e6}, gravity=[0, 0])).build()
    sim["ball"].velocity = [1.0, 0.0]
    view = sim.view("positions")
    thread = threading.Thread(target=sim.run)
    thread.start()
    seen: list[Any] = []
    end = time.monotonic() + 20.0
    while len(set(seen)) < 4 and time.monotonic() < end:
        seen.append(float(view[1, 0]))
        time.sleep(0.02)
    with pytest.raises(drystone.DrystoneError, match="another thread"):
        sim.view("velocities")
    sim.stop()
    thread.join()
    # it is seen to move, and only forwards
    assert len(set(seen)) >= 4 and seen == sorted(seen)
    assert (view == sim.positions).all()


def test_many_threads_with_views_of_their_own(scene: drystone.Scene) -> None:
    found = []

    def run() -> None:
        sim = scene.build()
        view = sim.view("positions")
        sim.on_step(lambda s: view.sum())
        sim.run()
        found.append(view)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()
    assert len(found) == 4 and all((one == found[0]).all() for one in found)
