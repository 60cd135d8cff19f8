"""A simulation: steps, changes, hooks, run folders. What it is made of is in :mod:`drystone.parts`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from drystone import _drystone
from drystone._drystone import NativeSimulation
from drystone.parts import (
    Approach,
    Body,
    Change,
    Contacts,
    Floats,
    RunReport,
    Signal,
    Slot,
    Snapshot,
    StepReport,
    signal_value,
)

if TYPE_CHECKING:
    from drystone.scene import Scene
    from drystone.spec import BodySpec

#: What :meth:`Simulation.view` can show.
Quantity = Literal["positions", "velocities", "contact_forces"]

Hook = Callable[["Simulation"], object]
_Hook = TypeVar("_Hook", bound=Hook)


class Simulation:
    """A simulation of a scene.

    >>> import drystone
    >>> scene = drystone.Scene({
    ...     "dimension": 2, "time": {"step": 2e-3, "duration": 0.6},
    ...     "body": [
    ...         {"name": "floor", "shape": {"line": {}}, "fixed": True},
    ...         {"name": "ball", "shape": {"disk": {"radius": 0.1}}, "density": 1000, "position": [0, 0.2]},
    ...     ],
    ...     "law": [{"between": ["*", "*"], "inelastic": {"friction": 0.5}}],
    ... })
    >>> sim = scene.build()
    >>> sim.run().outcome
    'completed'
    >>> ball = sim["ball"]
    >>> round(float(ball.contact_force[1] / (ball.mass * 9.81)), 6)
    1.0

    Arrays are copies: a step does not change them, other than a :meth:`view`. While a run goes on the interpreter is free for other
    threads; a simulation that runs in one of them can be looked at in its hooks only.
    """

    __slots__ = ("__weakref__", "_native", "scene")

    def __init__(self, scene: Scene) -> None:
        native, later = scene._native.build()
        self._native: NativeSimulation = native
        #: The scene it was built from.
        self.scene: Scene = scene if later is None else type(scene)._of(later)

    @classmethod
    def _of(cls, native: NativeSimulation, scene: Scene) -> Simulation:
        simulation = cls.__new__(cls)
        simulation._native = native
        simulation.scene = scene
        return simulation

    # what it is

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._native.dimension

    @property
    def time(self) -> float:
        """Time since the start [s]."""
        return self._native.time

    @property
    def steps_done(self) -> int:
        """Steps done since the start."""
        return self._native.steps_done

    @property
    def step_size(self) -> float:
        """Time step [s]."""
        return self._native.step_size

    @property
    def gravity(self) -> Floats:
        """Gravity in the last step [m/s²]."""
        return self._native.gravity

    @property
    def energy(self) -> dict[str, float]:
        """Energies since the start [J] by name, and ``balance_error`` [-]: what does not add up."""
        return self._native.energy()

    @property
    def state_hash(self) -> str:
        """A number that changes with any bit of the poses and velocities; the command writes it, too."""
        return self._native.state_hash()

    # bodies

    @property
    def names(self) -> list[str]:
        """Names of the bodies, in their order."""
        return self._native.names()

    @property
    def groups(self) -> list[str]:
        """Groups of the bodies, in their order."""
        return self._native.groups()

    def __len__(self) -> int:
        return len(self._native.handles())

    def __iter__(self) -> Iterator[Body]:
        return iter([Body(self, handle) for handle in self._native.handles()])

    def __getitem__(self, name: str) -> Body:
        """The body of a name."""
        return Body(self, self._native.handle(name))

    def group(self, name: str) -> NDArray[np.int64]:
        """Numbers of the bodies of a group: their rows in the arrays."""
        found = np.array([index for index, group in enumerate(self.groups) if group == name], dtype=np.int64)
        if not len(found):
            allowed = ", ".join(sorted(set(self.groups)))
            raise _drystone.ChangeError(f'there is no group "{name}"; groups are: {allowed}')
        return found

    @property
    def positions(self) -> Floats:
        """Centres of mass [m], n × D."""
        return self._native.positions()

    @property
    def orientations_wxyz(self) -> Floats:
        """Orientations of the shapes as unit quaternions, scalar part first, n × 4."""
        return self._native.orientations()

    @property
    def velocities(self) -> Floats:
        """Velocities of the centres of mass [m/s], n × D."""
        return self._native.velocities()

    @property
    def spins(self) -> Floats:
        """Spins [rad/s], n × 1 in the plane, n × 3 in space, in world axes."""
        return self._native.spins()

    @property
    def masses(self) -> Floats:
        """Masses [kg], in the plane [kg/m]."""
        return self._native.masses()

    @property
    def contact_forces(self) -> Floats:
        """Mean force of all contacts on each body over the last step [N], n × D."""
        return self._native.contact_forces()

    def view(self, quantity: Quantity) -> Floats:
        """A read-only array of "positions" [m], "velocities" [m/s] or "contact_forces" [N], n × D, that
        follows the simulation: the same array at every call, read without a copy.

        It is written anew before hooks are called, where :meth:`step` and :meth:`run` return, in a run
        without hooks some twenty times a second, and by whatever changes the state. Row k is the body of
        number k. When the number of bodies changes, the array stays as it was last, and this method gives
        another one; :meth:`is_live` tells. Its memory is its own: it outlives the simulation, and then no
        longer changes. Another thread that computes with it while a run goes on may see rows of two
        moments: let it take :attr:`positions` in a hook, which is a copy.

        >>> import drystone
        >>> sim = drystone.Scene({
        ...     "dimension": 2, "gravity": [0, 0], "time": {"step": 0.01, "duration": 1.0},
        ...     "body": [{"name": "ball", "shape": {"disk": {"radius": 0.1}}, "density": 1000,
        ...               "velocity": [1, 0]}],
        ... }).build()
        >>> x = sim.view("positions")
        >>> report = sim.run(until=0.5)
        >>> x.round(12).tolist()
        [[0.5, 0.0]]
        """
        return self._native.view(quantity)

    def is_live(self, view: NDArray[Any]) -> bool:
        """Whether an array, or the one it is a part of, is a view that still follows the simulation."""
        return self._native.is_live(view)

    @property
    def contacts(self) -> Contacts:
        """The contacts of the last step."""
        return Contacts(**self._native.contacts())

    # changes

    def add(self, body: BodySpec | Mapping[str, Any]) -> Body:
        """Adds a body as it is at this moment: a table ``body`` of a scene file. Laws are those of its
        group.
        """
        return Body(self, self._native.add(dict(cast("Mapping[str, Any]", body))))

    def remove(self, bodies: Sequence[Body]) -> None:
        """Removes bodies, with their contacts, ties and signals. Where one is not there, none is removed."""
        strange = [body.name for body in bodies if body.simulation is not self]
        if strange:
            raise _drystone.ChangeError(f'body "{strange[0]}" belongs to another simulation')
        self._native.remove([body._handle for body in bodies])

    def drive_gravity(self, axis: Literal["x", "y", "z"], signal: Signal) -> None:
        """Lets gravity along an axis follow a signal [m/s²]."""
        self._native.drive_gravity(axis, signal_value(signal))

    def drive_friction(self, a: str, b: str, signal: Signal) -> None:
        """Lets the coefficient of friction between two groups follow a signal [-]."""
        self._native.drive_friction(a, b, signal_value(signal))

    def law(
        self, a: str, b: str, *, reach: float = 0.0
    ) -> Callable[[Callable[[Approach], Change | None]], Callable[[Approach], Change | None]]:
        """Lets a function be the law between two groups, "*" for all; a decorator. For prototypes.

        It is called for every contact in every step, from several threads, and must depend on what it is
        given alone; ``None`` lets the bodies pass. Contacts are sought up to the gap ``reach`` [m] beyond
        the usual. It is slow, some microseconds a contact; run folders do not keep it, and the ledger of
        energies takes its work for that of a rigid contact.

        A glue that bears 50 N at each contact, on top of dry friction:

        >>> import drystone
        >>> ball = {"name": "ball", "shape": {"disk": {"radius": 0.1}}, "mass": 4.0, "position": [0, -0.1]}
        >>> roof = {"name": "roof", "shape": {"line": {}}, "fixed": True, "angle_degrees": 180}
        >>> scene = drystone.Scene({
        ...     "dimension": 2, "time": {"step": 1e-3, "duration": 0.1}, "body": [roof, ball],
        ...     "law": [{"between": ["*", "*"], "none": {}}],
        ... })
        >>> sim = scene.build()
        >>> @sim.law("*", "*")
        ... def glue(contact):
        ...     shift = max(contact.gap, 0.0) / contact.step
        ...     hold = 50.0 * contact.step if contact.gap < 1e-6 else 0.0
        ...     return drystone.Change(friction=0.3, shift=[shift], impulse=[hold])
        >>> report = sim.run()
        >>> float(sim["ball"].position[1].round(6)), float(sim["ball"].contact_force[1].round(3))
        (-0.1, 39.24)
        """

        def take(function: Callable[[Approach], Change | None]) -> Callable[[Approach], Change | None]:
            def call(
                gap: float, velocity: list[float], step: float, theta: float, time: float, area: float
            ) -> object:
                change = function(Approach(gap, tuple(velocity), step, theta, time, area))
                if change is None:
                    return None
                if not isinstance(change, Change):
                    kind = type(change).__name__
                    raise TypeError(f"a law gave a {kind}; allowed are drystone.Change and None")
                rows = [[float(x) for x in row] for row in (change.shift, change.compliance, change.impulse)]
                return (float(change.friction), *rows)

            _callable(function, "a law")
            self._native.set_law(a, b, call, float(reach))
            return function

        return take

    def bond(self, a: str, b: str) -> None:
        """Bonds the contacts between two bodies in the next step, where their law has bonds."""
        self._native.bond(a, b)

    def slot(self, value: float = 0.0) -> Slot:
        """A new place for a number that is set from outside."""
        return Slot(self, self._native.slot(value))

    # hooks

    def on_step(self, hook: _Hook) -> _Hook:
        """Calls a function with the simulation after each step; a decorator.

        What it raises ends the run, with a checkpoint where one is written, and comes out of :meth:`run`.
        What it remembers itself is in no snapshot; a :class:`Slot` is.
        """
        _callable(hook, "a hook")
        self._native.add_hook(hook, True)
        return hook

    def before_step(self, hook: _Hook) -> _Hook:
        """Calls a function with the simulation before each step; what it sets acts in the step. A
        decorator.
        """
        _callable(hook, "a hook")
        self._native.add_hook(hook, False)
        return hook

    def clear_hooks(self) -> None:
        """Takes all hooks off."""
        self._native.clear_hooks()

    def stop(self) -> None:
        """Ends the run after this step; for hooks, and for other threads."""
        self._native.stop()

    # time

    def step(self) -> StepReport:
        """Goes on by one time step, with the hooks before and after it."""
        return StepReport(**self._native.step(self))

    def run(
        self,
        until: float | None = None,
        *,
        progress: bool | Callable[[int, float], object] = False,
    ) -> RunReport:
        """Goes on until a time [s], to the step that ends nearest to it; by default to the end of the scene.

        Without ``until`` the end of the last stage, or a rule ``equilibrium`` of the scene, may come earlier,
        as in the command.
        ``progress`` shows a line on the standard error stream, or calls a function with the steps done and
        the time [s].
        """
        end = self.scene.duration if until is None else float(until)
        rules = self.scene._native if until is None else None
        show = _Line(end) if progress is True else progress or None
        try:
            return RunReport(**self._native.run(self, end, show, rules))
        finally:
            if isinstance(show, _Line):
                show.finish()

    # files

    def record(
        self,
        folder: str | os.PathLike[str],
        *,
        every: float | None = None,
        force: bool = False,
        changing: bool = False,
    ) -> Simulation:
        """Writes a run folder from now on: frames, tables and checkpoints, as the command does.

        A frame whenever ``every`` seconds have passed, by default as the scene says; ``force`` overwrites a
        run that is there; ``changing`` is for runs in which bodies come and go. :meth:`close`, or the end of
        a ``with``, ends the folder.
        """
        interval = self.scene.interval if every is None else float(every)
        if not 0.0 < interval < float("inf"):
            raise ValueError(f"every is {interval} s; allowed are numbers above 0")
        self._native.record(self.scene._native, folder, interval, force, changing)
        return self

    def close(self) -> None:
        """Ends the run folder, if there is one, with its last frame and its summary."""
        done = self.time >= self.scene.duration - 0.5 * self.step_size if self._native.folder else True
        self._native.close("completed" if done else "stopped")

    @property
    def folder(self) -> Path | None:
        """The run folder that is being written."""
        folder = self._native.folder
        return None if folder is None else Path(folder)

    def snapshot(self) -> Snapshot:
        """What the simulation is at this moment."""
        return Snapshot(self._native.snapshot())

    def restore(self, snapshot: Snapshot) -> None:
        """Goes back, or forth, to a snapshot of the same simulation. Hooks stay as they are."""
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"a {type(snapshot).__name__} is no snapshot; take one with sim.snapshot()")
        self._native.restore(snapshot._native)

    def __enter__(self) -> Simulation:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<drystone.Simulation: {len(self)} bodies in {self.dimension}D at {self.time:.6g} s>"


def resume(folder: str | os.PathLike[str]) -> Simulation:
    """Goes on with a run folder from its last checkpoint, to the same bits as if it had never stopped.

    Hooks, loads and drives that a program had set are to be set again.
    """
    from drystone.scene import Scene

    native, scene = _drystone.resume(folder)
    return Simulation._of(native, Scene._of(scene))


class _Line:
    """A line of progress."""

    def __init__(self, end: float) -> None:
        self.end = end

    def __call__(self, step: int, time: float) -> None:
        share = 100.0 * time / self.end if self.end > 0 else 100.0
        print(
            f"\r{share:5.1f} %  step {step}, {time:.4g} s of {self.end:.4g} s",
            end="",
            file=sys.stderr,
            flush=True,
        )

    def finish(self) -> None:
        print(file=sys.stderr)


def _callable(function: object, what: str) -> None:
    if not callable(function):
        raise TypeError(f"{what} is a {type(function).__name__}; allowed are functions")
