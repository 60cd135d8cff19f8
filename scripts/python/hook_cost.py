"""Prints what a hook costs: steps of two bodies that touch nothing, with and without hooks that do nothing.

    python3 scripts/python/hook_cost.py [STEPS]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import drystone

SPEC = {
    "dimension": 2,
    "time": {"step": 1e-3, "duration": 1e9},
    "gravity": [0, 0],
    "body": [
        {"name": "floor", "shape": {"line": {}}, "fixed": True},
        {"name": "ball", "shape": {"disk": {"radius": 0.1}}, "density": 1000, "position": [0, 9]},
    ],
    "law": [{"between": ["*", "*"], "inelastic": {"friction": 0.5}}],
}


#: Short runs that the steps are split into.
PARTS = 200


def nothing(_: drystone.Simulation) -> None:
    pass


def read(sim: drystone.Simulation) -> None:
    sim.time


def seconds(steps: int, hook: Callable[[drystone.Simulation], object] | None, view: bool = False) -> float:
    """Time of this process for a step, the best of many short runs: others may be busy."""
    sim = drystone.Scene(SPEC).build()
    kept = sim.view("positions") if view else None
    if hook is not None:
        sim.on_step(hook)
    best = float("inf")
    for _ in range(PARTS):
        start = time.process_time()
        sim.run(until=sim.time + steps // PARTS * 1e-3)
        best = min(best, (time.process_time() - start) / (steps // PARTS))
    del kept
    return best


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    start = time.process_time()
    for _ in range(steps):
        pass
    print(f"an empty loop of Python      {(time.process_time() - start) / steps * 1e9:6.0f} ns a turn")
    bare = seconds(steps, None)
    print(f"a step without hooks         {bare * 1e9:6.0f} ns")
    for name, hook, view in [
        ("a hook that does nothing", nothing, False),
        ("one that reads the time", read, False),
        ("one that does nothing, a view", nothing, True),
    ]:
        print(f"{name:29}{(seconds(steps, hook, view) - bare) * 1e9:6.0f} ns a call")


if __name__ == "__main__":
    main()
