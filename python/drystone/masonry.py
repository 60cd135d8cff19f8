"""The bridge to COMPAS: blocks in, contact forces and displacements back as its data types.

Takes meshes of `compas`, assemblies of `compas_assembly` and block models of `compas_dem`: anything that
gives blocks with a mesh. Only :func:`forces`, :func:`joints` and :func:`moved` need `compas` to be there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from drystone._optional import package
from drystone.meshes import body_from_mesh
from drystone.scene import Scene
from drystone.simulation import Contacts, Simulation
from drystone.statics import Stability


def scene_from_blocks(
    blocks: Any,
    *,
    supports: Iterable[int | str] | None = None,
    density: float = 2000.0,
    friction: float = 0.7,
    step: float = 1e-3,
    duration: float = 1.0,
    treat: str = "convex",
) -> Scene:
    """A scene of blocks, lengths in metres, called "block 0", "block 1" and so on in their order.

    ``blocks`` is a list of meshes, an assembly with ``blocks()``, ``parts()`` or ``elements()``, or one with
    a mesh for each node of its graph. ``supports`` are the numbers or names of the blocks that are held; by
    default those that say so themselves (``is_support``). ``density`` [kg/m³], ``friction`` [-], ``step`` and
    ``duration`` [s].
    """
    found = list(_blocks(blocks))
    held = None if supports is None else {one if isinstance(one, str) else f"block {one}" for one in supports}
    unknown = (held or set()) - {f"block {k}" for k in range(len(found))}
    if unknown:
        raise ValueError(
            f"there is no {', '.join(sorted(unknown))}; blocks are block 0 to block {len(found) - 1}"
        )
    bodies = []
    for number, (mesh, is_support) in enumerate(found):
        name = f"block {number}"
        fixed = is_support if held is None else name in held
        bodies.append(body_from_mesh(mesh, name, treat=cast(Any, treat), density=density, fixed=fixed))
    return Scene(
        {
            "title": "blocks",
            "dimension": 3,
            "time": {"step": step, "duration": duration},
            "body": bodies,
            "law": [{"between": ["*", "*"], "inelastic": {"friction": friction}}],
        }
    )


def _blocks(blocks: Any) -> Iterable[tuple[Any, bool]]:
    # a model of compas_dem counts its supports among the elements only
    for name in ("elements", "parts", "blocks"):
        if callable(getattr(blocks, name, None)):
            blocks = getattr(blocks, name)()
            break
    if isinstance(blocks, dict):
        blocks = blocks.values()
    for block in blocks:
        is_support = getattr(block, "is_support", None)
        if is_support is None and hasattr(block, "attributes"):
            is_support = block.attributes.get("is_support")
        yield _mesh(block), bool(is_support)


def _mesh(block: Any) -> Any:
    """The mesh of a block, where it stands in the model."""
    for name in ("modelgeometry", "geometry"):
        mesh = getattr(block, name, None)
        if mesh is not None and hasattr(mesh, "to_vertices_and_faces"):
            return mesh
    return block


@dataclass(frozen=True)
class Force:
    """The force between two blocks at a point."""

    #: Names of the two blocks.
    blocks: tuple[str, str]
    #: Where it acts, a compas.geometry.Point [m].
    point: Any
    #: On the first block, a compas.geometry.Vector [N].
    force: Any


def forces(of: Simulation | Stability, names: Sequence[str] | None = None) -> list[Force]:
    """The contact forces of a simulation in its last step, or those that limit analysis found.

    For limit analysis ``names`` are the names of the bodies of its scene.
    """
    geometry = package("compas.geometry", "forces")

    found, known = _found(of, names)
    loaded = np.abs(found.force).sum(axis=1) > 0
    return [
        Force((known[first], known[second]), geometry.Point(*point), geometry.Vector(*force))
        for (first, second), point, force in zip(
            found.bodies[loaded], found.point[loaded], found.force[loaded]
        )
    ]


def _found(of: Simulation | Stability, names: Sequence[str] | None) -> tuple[Contacts | Stability, list[str]]:
    """Contacts and the names of the bodies."""
    if isinstance(of, Simulation):
        return of.contacts, of.names
    if names is None:
        raise ValueError("give the names of the bodies: scene.body_names")
    return of, list(names)


@dataclass(frozen=True)
class Joint:
    """Where two blocks touch."""

    #: Names of the two blocks.
    blocks: tuple[str, str]
    #: The corners of the contact in order, a compas.geometry.Polygon [m]; ``None`` below three corners.
    polygon: Any
    #: Where the resultant acts, a compas.geometry.Point [m]: the points weighted by their normal forces.
    point: Any
    #: Resultant on the first block, a compas.geometry.Vector [N].
    force: Any


def joints(of: Simulation | Stability, names: Sequence[str] | None = None) -> list[Joint]:
    """The contacts between each two blocks together: their polygon and the resultant of their forces.

    For limit analysis ``names`` are the names of the bodies of its scene.
    """
    geometry = package("compas.geometry", "joints")

    found, known = _found(of, names)
    pairs: dict[tuple[int, int], list[int]] = {}
    for row, (first, second) in enumerate(found.bodies):
        pairs.setdefault((int(first), int(second)), []).append(row)
    made = []
    for (first, second), rows in pairs.items():
        points, force = found.point[rows], found.force[rows]
        total = force.sum(axis=0)
        axis = total / (np.linalg.norm(total) or 1.0)
        weights = np.abs(force @ axis)
        weights = weights / weights.sum() if weights.sum() > 0 else np.full(len(rows), 1.0 / len(rows))
        corners = _around(points)
        polygon = geometry.Polygon(corners.tolist()) if len(corners) > 2 else None
        centre = geometry.Point(*(weights @ points))
        made.append(Joint((known[first], known[second]), polygon, centre, geometry.Vector(*total)))
    return made


def _around(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points of a plane in their order around its middle, each once."""
    size = float(np.ptp(points, axis=0).max()) or 1.0
    _, first = np.unique(np.round(points / (1e-6 * size)), axis=0, return_index=True)
    points = points[np.sort(first)]
    middle = points - points.mean(axis=0)
    axes = np.linalg.svd(middle)[2]
    return points[np.argsort(np.arctan2(middle @ axes[1], middle @ axes[0]))]


def moved(simulation: Simulation, blocks: Sequence[Any]) -> list[Any]:
    """Copies of the meshes that a scene was made from, where their blocks are now."""
    geometry = package("compas.geometry", "moved")

    start = simulation.scene.build()
    meshes = []
    for number, block in enumerate(blocks):
        body, before = simulation[f"block {number}"], start[f"block {number}"]
        frames = []
        for one in (before, body):
            axes = geometry.Quaternion(*one.orientation_wxyz)
            frame = geometry.Frame.from_quaternion(axes, point=one.position)
            frames.append(frame)
        meshes.append(_mesh(block).transformed(geometry.Transformation.from_frame_to_frame(*frames)))
    return meshes
