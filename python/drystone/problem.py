"""Contact problems as matrices: solved, judged and diagnosed without any body."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from drystone import _drystone

Floats = NDArray[np.float64]

#: Names of the solvers.
Method = Literal[
    "auto",
    "accelerated",
    "anderson",
    "nlgs",
    "interior",
    "proximal",
    "jacobi",
    "cpg",
    "apgd",
    "admm",
    "uzawa",
]


@dataclass(frozen=True)
class Diagnosis:
    """Why a solve did not converge, or what its forces leave open."""

    #: "slow", "ill-conditioned", "inconsistent" or "bad input"; ``None`` where nothing is the matter.
    verdict: str | None
    #: Whether all contacts were looked at and the verdict is certain.
    certain: bool
    #: The contacts with the largest errors, and their share of the largest.
    worst: list[tuple[int, float]]
    #: Impulses that balance each other inside the cones: contact and impulse, strongest first.
    network: list[tuple[int, list[float]]] | None
    #: Work of these impulses on the free velocities: negative where they work against the motion.
    power: float | None
    #: Common factor on all friction from which such networks exist [-].
    networks_from: float | None
    #: Common factor on all friction below which the problem is sure to have a solution [-].
    solvable_below: float | None
    #: What to change, the most promising first.
    advice: list[str]


@dataclass(frozen=True)
class Solution:
    """The answer of a solver."""

    #: Impulses [N s], n × D, normal first.
    r: Floats
    #: Relative velocities ``W r + q`` [m/s], n × D.
    u: Floats
    #: Whether the residual is within the tolerance.
    converged: bool
    #: Sweeps and factorisations.
    iterations: int
    #: Residual of the worst contact [-], without units.
    residual: float
    #: The error that Siconos reports, which depends on units.
    siconos_error: float
    #: The way the solver took.
    route: str
    #: The contact with the largest share of the residual.
    worst: int | None
    #: Where it was asked for.
    diagnosis: Diagnosis | None


def solve(
    W: Any,
    q: ArrayLike,
    mu: ArrayLike,
    *,
    method: Method = "auto",
    tolerance: float = 1e-6,
    max_iterations: int = 50_000,
    guess: ArrayLike | None = None,
    diagnose: bool = False,
) -> Solution:
    """Solves ``u = W r + q`` with unilateral contact and Coulomb friction at every contact.

    ``W`` is the Delassus operator [1/kg], a matrix of numpy or scipy.sparse with D rows for each contact,
    normal first; ``q`` the relative velocities without impulses [m/s], n × D or flat; ``mu`` the
    coefficients of friction [-], one for each contact. With ``diagnose`` the answer says why a solve did not
    converge.

    A block of 2 kg falls with 1 m/s and slides with 3 m/s on a rough floor:

    >>> import numpy as np
    >>> import drystone
    >>> answer = drystone.solve(np.eye(2) / 2.0, [[-1.0, 3.0]], [0.5])
    >>> answer.r.round(9).tolist(), answer.u.round(9).tolist()
    ([[2.0, -1.0]], [[0.0, 2.5]])
    """
    friction = _array(mu, "mu", 1)
    contacts = len(friction)
    if (friction < 0).any():
        raise ValueError(f"mu has the entry {friction.min()}; allowed are numbers of at least 0")
    flat = _array(q, "q", None)
    if contacts == 0 or flat.size % contacts or flat.size // contacts not in (2, 3):
        raise ValueError(
            f"q has {flat.size} numbers for {contacts} contacts; allowed are 2 or 3 for each of them"
        )
    velocities = np.ascontiguousarray(flat.reshape(contacts, -1))
    size = flat.size
    shape = tuple(getattr(W, "shape", None) or np.shape(W))
    if shape != (size, size):
        raise ValueError(
            f"W has the shape {shape}; for {contacts} contacts and this q it must be ({size}, {size})"
        )
    first = None if guess is None else _array(guess, "guess", None)
    if first is not None and first.size != size:
        raise ValueError(f"guess has {first.size} numbers; it must have {size}, as q has")
    start = None if first is None else np.ascontiguousarray(first.reshape(contacts, -1))
    options = (method, float(tolerance), _count(max_iterations), bool(diagnose))
    return _solution(_drystone.solve(_entries(W), velocities, friction, start, options))


def solve_file(
    path: str | os.PathLike[str],
    *,
    method: Method = "auto",
    tolerance: float = 1e-6,
    max_iterations: int = 50_000,
    diagnose: bool = False,
) -> Solution:
    """Solves a contact problem of an FCLIB file (Acary, Brémond, Koziara, Pérignon 2014), local or global."""
    options = (method, float(tolerance), _count(max_iterations), bool(diagnose))
    return _solution(_drystone.solve_file(path, options))


def _solution(answer: dict[str, Any]) -> Solution:
    words = answer.pop("diagnosis")
    return Solution(**answer, diagnosis=None if words is None else Diagnosis(**words))


def _count(iterations: int) -> int:
    if not 0 <= iterations < 2**32:
        raise ValueError(f"max_iterations is {iterations}; allowed are whole numbers from 0 to 2³² - 1")
    return int(iterations)


def _array(value: ArrayLike, name: str, dimensions: int | None) -> Floats:
    if np.iscomplexobj(value):
        raise TypeError(f"{name} is complex; allowed are real numbers")
    try:
        array = np.ascontiguousarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} must be numbers: {error}") from None
    if dimensions is not None and array.ndim != dimensions:
        raise ValueError(f"{name} has {array.ndim} dimensions; it must have {dimensions}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} has entries that are not finite")
    return array


def _entries(W: Any) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    if hasattr(W, "tocoo"):
        coo = W.tocoo()
        row, column, value = coo.row, coo.col, coo.data
    else:
        dense = _array(cast(ArrayLike, W), "W", 2)
        row, column = np.nonzero(dense)
        value = dense[row, column]
    return (
        np.ascontiguousarray(row, dtype=np.int64),
        np.ascontiguousarray(column, dtype=np.int64),
        _array(value, "W", 1),
    )
