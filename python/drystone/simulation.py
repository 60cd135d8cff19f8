"""A simulation: steps, bodies, contacts, hooks, run folders."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from drystone import _drystone
from drystone._drystone import NativeHandle, NativeSimulation, NativeSlot, NativeSnapshot

if TYPE_CHECKING:
    from drystone.scene import Scene
    from drystone.spec import BodySpec

#: Along an axis of the world, or about one.
Axis = Literal["x", "y", "z", "about x", "about y", "about z"]

#: A number that may change in time: a number, rows of time [s] and value, a function of the time [s], a
#: :class:`Slot`, or a dict with the keys ``mean``, ``amplitude``, ``frequency`` [Hz] and ``phase`` [rad].
Signal = Union[
    float,
    Sequence[Sequence[float]],
    NDArray[np.float64],
    Callable[[float], float],
    "Slot",
    Mapping[str, float],
]

Floats = NDArray[np.float64]
Hook = Callable[["Simulation"], object]
_Hook = TypeVar("_Hook", bound=Hook)


@dataclass(frozen=True)
class StepReport:
    """What a step did."""

    #: Number of the step, from 1.
    step: int
    #: Time at its end [s].
    time: float
    #: Contacts in the problem.
    contacts: int
    #: Of them with an impulse.
    active: int
    #: Sweeps of the solver.
    iterations: int
    #: Residual reached [-].
    residual: float
    #: Whether it is within the tolerance.
    converged: bool
    #: Deepest overlap [m].
    penetration: float
    #: Fastest point of any body that is not driven [m/s].
    speed: float
    #: Why it did not converge, where it did not: "slow", "ill-conditioned", "inconsistent" or "bad input".
    verdict: str | None


@dataclass(frozen=True)
class RunReport:
    """What a run over many steps came to."""

    #: "completed", "equilibrium" where the rule of rest of the scene ended it, or "stopped".
    outcome: Literal["completed", "equilibrium", "stopped"]
    #: Steps done.
    steps: int
    #: Of these, how many did not converge.
    not_converged: int
    #: Largest residual of a step [-].
    residual: float


@dataclass(frozen=True)
class Contacts:
    """Contacts, an array for each quantity, a row for each contact."""

    #: Numbers of the two bodies, n × 2.
    bodies: NDArray[np.int64]
    #: Contact point [m], n × D.
    point: Floats
    #: Unit normal from the second body to the first, n × D.
    normal: Floats
    #: Mean force over the step on the first body, in world axes [N], n × D.
    force: Floats
    #: Gap [m], negative where the bodies overlap.
    gap: Floats
    #: 0 open, 1 stick, 2 slip.
    status: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.gap)

    @property
    def normal_force(self) -> Floats:
        """Normal component of the force [N], positive in compression."""
        return cast(Floats, np.einsum("ij,ij->i", self.force, self.normal))


@dataclass(frozen=True)
class Approach:
    """What two bodies bring with them to a contact at the beginning of a step, for a law in Python."""

    #: Gap at the middle of the step, where contacts are sought [m]; negative where the bodies overlap.
    gap: float
    #: Relative velocity at the beginning of the step, normal first, positive where they part [m/s].
    velocity: tuple[float, ...]
    #: Time step [s].
    step: float
    #: Weight θ of the end of the step in the scheme [-].
    theta: float
    #: Time at the beginning of the step [s].
    time: float


@dataclass(frozen=True)
class Change:
    """What a law in Python answers: with the relative velocity ``u`` at the end of the step and the impulse
    ``r``, ``u + compliance · r + shift`` and ``r + impulse`` obey Signorini's condition and Coulomb's law.
    Rows of numbers begin with the normal; what is left out is 0.
    """

    #: Coefficient of friction [-].
    friction: float = 0.0
    #: Added to the relative velocity [m/s].
    shift: Sequence[float] = ()
    #: Velocity for an impulse [1/kg], not negative: 1 / (h² k) makes a spring of stiffness k.
    compliance: Sequence[float] = ()
    #: Added to the impulse [N s]: the time step times a force that holds the bodies together.
    impulse: Sequence[float] = ()


class Snapshot:
    """A simulation at one moment, to go back to."""

    __slots__ = ("_native",)

    def __init__(self, native: NativeSnapshot) -> None:
        self._native = native


class Slot:
    """A number that is set from outside and may stand for a signal. Snapshots and checkpoints keep its
    value.
    """

    __slots__ = ("_native", "_simulation")

    def __init__(self, simulation: Simulation, native: NativeSlot) -> None:
        self._simulation = simulation
        self._native = native

    @property
    def value(self) -> float:
        """What it holds."""
        return self._simulation._native.slot_value(self._native)

    @value.setter
    def value(self, value: float) -> None:
        self._simulation._native.set_slot(self._native, value)


class Body:
    """One body of a simulation, whatever its number is by then. Arrays are copies.

    >>> import drystone
    >>> scene = drystone.Scene({
    ...     "dimension": 2, "gravity": [0, 0], "time": {"step": 0.01, "duration": 1.0},
    ...     "body": [{"name": "ball", "shape": {"disk": {"radius": 0.1}}, "density": 1000}],
    ... })
    >>> ball = scene.build()["ball"]
    >>> ball.velocity = [1.0, 0.0]
    >>> report = ball.simulation.run(until=0.5)
    >>> ball.position.round(12).tolist()
    [0.5, 0.0]
    """

    __slots__ = ("_handle", "simulation")

    def __init__(self, simulation: Simulation, handle: NativeHandle) -> None:
        #: The simulation it belongs to.
        self.simulation = simulation
        self._handle = handle

    @property
    def name(self) -> str:
        """Its name."""
        return self.simulation._native.name_of(self._handle)

    @property
    def group(self) -> str:
        """Its group, for laws."""
        return self.simulation._native.group_of(self._handle)

    @property
    def index(self) -> int:
        """Its number at this moment: its row in the arrays of the simulation."""
        return self.simulation._native.index_of(self._handle)

    @property
    def is_there(self) -> bool:
        """Whether it was not removed."""
        return self.simulation._native.contains(self._handle)

    @property
    def position(self) -> Floats:
        """Centre of mass [m]."""
        return self.simulation._native.position(self._handle)

    @property
    def orientation_wxyz(self) -> Floats:
        """Orientation of its shape as a unit quaternion, scalar part first."""
        return self.simulation._native.orientation(self._handle)

    @property
    def angle(self) -> float:
        """Angle about z [rad]: the whole orientation in the plane."""
        return self.simulation._native.angle(self._handle)

    @property
    def velocity(self) -> Floats:
        """Velocity of the centre of mass [m/s]. Can be set where the body is free to move."""
        return self.simulation._native.velocity(self._handle)

    @velocity.setter
    def velocity(self, value: ArrayLike) -> None:
        self.simulation._native.set_velocity(self._handle, _numbers(value, "a velocity"))

    @property
    def spin(self) -> Floats:
        """Spin [rad/s]: one number in the plane, three in space, in world axes. Can be set."""
        return self.simulation._native.spin(self._handle)

    @spin.setter
    def spin(self, value: ArrayLike) -> None:
        self.simulation._native.set_spin(self._handle, _numbers(value, "a spin"))

    @property
    def mass(self) -> float:
        """Mass [kg], in the plane [kg/m]."""
        return self.simulation._native.mass(self._handle)

    @property
    def contact_force(self) -> Floats:
        """Mean force of all contacts on it over the last step [N]."""
        return self.simulation._native.contact_force(self._handle)

    @property
    def contact_moment(self) -> Floats:
        """Mean moment of these forces about its centre of mass [N m], in world axes; in the plane the
        last.
        """
        return self.simulation._native.contact_moment(self._handle)

    def set_force(self, force: ArrayLike) -> None:
        """Sets the force on it [N], gravity and contacts apart, from now on."""
        self.simulation._native.set_force(self._handle, _numbers(force, "a force"))

    def load(self, axis: Axis, signal: Signal) -> None:
        """Lets the force along an axis [N], or the moment about it [N m], follow a signal."""
        self.simulation._native.load(self._handle, axis, _signal(signal))

    def drive(self, axis: Axis, signal: Signal) -> None:
        """Lets the velocity along an axis [m/s], or the spin about it [rad/s], follow a signal."""
        self.simulation._native.drive(self._handle, axis, _signal(signal))

    def release(self, axis: Axis) -> None:
        """Lets it move freely along or about an axis from now on."""
        self.simulation._native.release(self._handle, axis)

    def fix(self) -> None:
        """Stops it and holds it where it is."""
        self.simulation._native.fix(self._handle)

    def remove(self) -> None:
        """Removes it, with its contacts, ties and signals."""
        self.simulation._native.remove([self._handle])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Body) and (self.simulation, self._handle) == (
            other.simulation,
            other._handle,
        )

    def __hash__(self) -> int:
        return hash(self._handle)

    def __repr__(self) -> str:
        return f"<drystone.Body {self.name!r}>" if self.is_there else "<drystone.Body, removed>"


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

    Arrays are copies: a step does not change them. While a run goes on the interpreter is free for other
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
        self._native.drive_gravity(axis, _signal(signal))

    def drive_friction(self, a: str, b: str, signal: Signal) -> None:
        """Lets the coefficient of friction between two groups follow a signal [-]."""
        self._native.drive_friction(a, b, _signal(signal))

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
                gap: float, velocity: list[float], step: float, theta: float, time: float, _area: float
            ) -> object:
                change = function(Approach(gap, tuple(velocity), step, theta, time))
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


def _numbers(value: ArrayLike, what: str) -> list[float]:
    if np.iscomplexobj(value):
        raise TypeError(f"{what} is complex; allowed are real numbers")
    array = np.atleast_1d(np.asarray(value, dtype=np.float64))
    if array.ndim != 1:
        raise ValueError(f"{what} must be a row of numbers, not an array of shape {array.shape}")
    return cast("list[float]", array.tolist())


def _callable(function: object, what: str) -> None:
    if not callable(function):
        raise TypeError(f"{what} is a {type(function).__name__}; allowed are functions")


def _signal(signal: Signal) -> object:
    if isinstance(signal, Slot):
        return signal._native
    if isinstance(signal, np.ndarray):
        return signal.tolist()
    return signal
