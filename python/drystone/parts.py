"""What a simulation is made of and what it answers with: bodies, slots, snapshots, contacts, reports. The
simulation itself is in :mod:`drystone.simulation`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Union, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from drystone._drystone import NativeHandle, NativeSlot, NativeSnapshot

if TYPE_CHECKING:
    from drystone.simulation import Simulation

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
    #: Share of this contact point in the patch where the bodies touch [m²], in the plane the share of a
    #: length for a depth of 1 m; 0 where they touch at a single point.
    area: float


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
        self.simulation._native.load(self._handle, axis, signal_value(signal))

    def drive(self, axis: Axis, signal: Signal) -> None:
        """Lets the velocity along an axis [m/s], or the spin about it [rad/s], follow a signal."""
        self.simulation._native.drive(self._handle, axis, signal_value(signal))

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


def _numbers(value: ArrayLike, what: str) -> list[float]:
    if np.iscomplexobj(value):
        raise TypeError(f"{what} is complex; allowed are real numbers")
    array = np.atleast_1d(np.asarray(value, dtype=np.float64))
    if array.ndim != 1:
        raise ValueError(f"{what} must be a row of numbers, not an array of shape {array.shape}")
    return cast("list[float]", array.tolist())


def signal_value(signal: Signal) -> object:
    """A signal as the library takes it."""
    if isinstance(signal, Slot):
        return signal._native
    if isinstance(signal, np.ndarray):
        return signal.tolist()
    return signal
