"""Whether a structure can stand, by limit analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from drystone import _drystone

if TYPE_CHECKING:
    from drystone.scene import Scene

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Stability:
    """What limit analysis finds of a scene as it stands at its start, at rest."""

    #: Whether admissible forces balance the weights and given loads.
    stands: bool
    #: The largest share of its capacity that every joint can spare at once, from 0 to 1, where it stands.
    reserve: float | None
    #: Where a push was asked for: the largest acceleration, as a share of gravity; infinite without bound.
    multiplier: float | None
    #: Numbers of the two bodies of each contact, n × 2.
    bodies: NDArray[np.int64]
    #: Contact points [m], n × D.
    point: Floats
    #: Forces on the first bodies that spare the joints most, in world axes [N], n × D; zero where it falls.
    force: Floats
    #: The mechanism by which it falls, or would at the largest push: velocities of the bodies, of any size.
    mechanism: Floats | None
    #: Masses of the bodies [kg], in the plane [kg/m].
    masses: Floats


def stability(scene: Scene, *, push: ArrayLike | None = None, touching: float = 1e-6) -> Stability:
    """Tells whether a scene can stand as it is, and how much of a push it bears.

    ``push`` is the direction of a horizontal acceleration (a pseudo-static earthquake); ``touching`` the gap
    at which bodies still touch, relative to the radius of the smaller [-].

    A block twice as high as wide begins to rock at half of gravity:

    >>> import drystone
    >>> scene = drystone.Scene({
    ...     "dimension": 2, "time": {"step": 1e-3, "duration": 1.0},
    ...     "body": [
    ...         {"name": "floor", "shape": {"line": {}}, "fixed": True},
    ...         {"name": "block", "density": 2000, "position": [0, 0.5],
    ...          "shape": {"box": {"size": [0.5, 1.0]}}},
    ...     ],
    ...     "law": [{"between": ["*", "*"], "inelastic": {"friction": 0.8}}],
    ... })
    >>> found = drystone.stability(scene, push=[1, 0])
    >>> found.stands, round(found.multiplier, 6)
    (True, 0.5)
    """
    direction = None
    if push is not None:
        direction = [float(x) for x in np.asarray(push, dtype=np.float64).ravel()]
        if not np.isfinite(direction).all():
            raise ValueError(f"push is {direction}; allowed are finite numbers")
    return Stability(**_drystone.stability(scene._native, float(touching), direction))
