"""Many runs of one scene: a table of what came out, over any executor."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from drystone._optional import package
from drystone.scene import Scene
from drystone.simulation import Simulation

Row = dict[str, Any]


class Rows(list[Row]):
    """The rows of a sweep, one for each run."""

    def to_pandas(self) -> Any:
        """The same as a pandas.DataFrame."""
        return package("pandas", "to_pandas").DataFrame(list(self))


def outcome(simulation: Simulation) -> Row:
    """What every run tells of itself: time, kinetic energy and the hash of the state."""
    return {
        "time": simulation.time,
        "kinetic": simulation.energy["kinetic"],
        "state_hash": simulation.state_hash,
    }


def sweep(
    scene: Scene,
    parameters: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]],
    *,
    measure: Callable[[Simulation], Mapping[str, Any]] = outcome,
    prepare: Callable[[Simulation], object] | None = None,
    until: float | None = None,
    executor: Executor | Any | None = None,
) -> Rows:
    """Runs a scene with other entries, and gives a row for each run, in their order.

    ``parameters`` are entries as in :meth:`Scene.replace` with the values they take, all of them combined,
    or a list of combinations. ``measure`` gives the entries of a row; ``prepare`` is called before each run,
    to add hooks. A run that fails fills the entry ``error`` of its row and keeps no other from running.

    ``executor`` is anything with ``submit`` as those of :mod:`concurrent.futures`, of Dask and of MPI pools;
    without one runs follow each other. What goes to other processes must be functions of a module.
    ``rows.to_pandas()`` makes a table of them. Processes are best started afresh, with the context "spawn" of
    :mod:`multiprocessing`: those that are forked get threads of their own, or a :class:`DrystoneError`.

    >>> import drystone
    >>> scene = drystone.Scene({
    ...     "dimension": 2, "time": {"step": 2e-3, "duration": 0.1},
    ...     "body": [
    ...         {"name": "slope", "shape": {"line": {}}, "fixed": True, "angle_degrees": 20},
    ...         {"name": "block", "shape": {"box": {"size": [0.2, 0.1]}}, "density": 1000,
    ...          "position": [-0.0171, 0.04698], "angle_degrees": 20},
    ...     ],
    ...     "law": [{"between": ["*", "*"], "inelastic": {"friction": 0.5}}],
    ... })
    >>> rows = drystone.sweep(scene, {"law.0.inelastic.friction": [0.2, 0.5]})
    >>> [row["law.0.inelastic.friction"] for row in rows], [row["kinetic"] > 1e-6 for row in rows]
    ([0.2, 0.5], [True, False])
    """
    if isinstance(parameters, Mapping):
        for key, values in parameters.items():
            if (
                isinstance(values, (str, bytes))
                or not isinstance(values, Sequence)
                and not hasattr(values, "__len__")
            ):
                raise TypeError(f"the values of {key} are of type {type(values).__name__}; allowed are lists")
        names = list(parameters)
        combinations = [dict(zip(names, values)) for values in itertools.product(*parameters.values())]
    else:
        combinations = [dict(one) for one in parameters]
    tasks = [(scene, one, measure, prepare, until) for one in combinations]
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"an executor must have submit; {type(executor).__name__} has none")
    if executor is None:
        return Rows(_one(task) for task in tasks)
    futures = [executor.submit(_one, task) for task in tasks]
    return Rows(future.result() for future in futures)


_Task = tuple[
    Scene,
    dict[str, Any],
    Callable[[Simulation], Mapping[str, Any]],
    "Callable[[Simulation], object] | None",
    "float | None",
]


def _one(task: _Task) -> Row:
    scene, changes, measure, prepare, until = task
    row: Row = dict(changes)
    try:
        simulation = scene.replace(changes).build()
        if prepare is not None:
            prepare(simulation)
        report = simulation.run(until)
        row |= {"outcome": report.outcome, "steps": report.steps, "not_converged": report.not_converged}
        row |= measure(simulation)
    except Exception as error:  # a sweep outlives any of its runs
        row["error"] = f"{type(error).__name__}: {error}"
    return row
