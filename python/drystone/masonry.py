"""The bridge to COMPAS: blocks in, contact forces and displacements back as its data types.

Takes meshes of `compas`, assemblies of `compas_assembly` and block models of `compas_dem`: anything that
gives blocks with a mesh. Only what gives data types of COMPAS back needs `compas` to be there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from drystone._optional import package
from drystone.meshes import body_from_mesh
from drystone.parts import Contacts
from drystone.scene import Scene
from drystone.simulation import Simulation
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

    ``blocks`` is a list of meshes, an assembly of `compas_assembly`, or one with ``blocks()``, ``parts()``
    or ``elements()``. ``supports`` are the numbers or names of the blocks that are held; by
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
    """Each block of what was given, and whether it is a support."""
    graph = getattr(blocks, "graph", None)
    if graph is not None and hasattr(blocks, "node_block"):
        # an assembly of compas_assembly: its graph knows the supports
        for node in graph.nodes():
            yield _mesh(blocks.node_block(node)), bool(graph.node_attribute(node, "is_support"))
        return
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

    return [
        Force(pair.blocks, geometry.Point(*point), geometry.Vector(*force))
        for pair in _pairs(of, names)
        for point, force in zip(pair.points, pair.forces)
        if np.abs(force).sum() > 0
    ]


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

    made = []
    for pair in _pairs(of, names):
        total = pair.forces.sum(axis=0)
        axis = total / (np.linalg.norm(total) or 1.0)
        weights = np.abs(pair.forces @ axis)
        count = len(weights)
        weights = weights / weights.sum() if weights.sum() > 0 else np.full(count, 1.0 / count)
        corners, _ = pair.corners()
        polygon = geometry.Polygon(corners.tolist()) if len(corners) > 2 else None
        centre = geometry.Point(*(weights @ pair.points))
        made.append(Joint(pair.blocks, polygon, centre, geometry.Vector(*total)))
    return made


def add_interfaces(
    assembly: Any, of: Simulation | Stability, names: Sequence[str] | None = None
) -> list[tuple[Any, Any]]:
    """Puts the contacts on the edges of the assembly of `compas_assembly` that a scene was made from.

    Each is one of its ``Interface``, with the corners, a frame and at each corner the forces ``c_np`` in
    compression, ``c_u`` and ``c_v`` along the axes of the frame [N], so that its viewers show them. Gives
    the edges. Contacts of fewer than three corners have no polygon and are left out.

    For limit analysis ``names`` are the names of the bodies of its scene.
    """
    geometry = package("compas.geometry", "add_interfaces")
    interface = package("compas_assembly.datastructures", "add_interfaces").Interface

    nodes = {f"block {number}": node for number, node in enumerate(assembly.graph.nodes())}
    edges = []
    for pair in _pairs(of, names):
        corners, at_corners = pair.corners()
        if len(corners) < 3:
            continue
        first, second = (assembly.node_block(nodes[name]) for name in pair.blocks)
        # the normal points to the first block, so that compression is positive
        frame = geometry.Frame.from_points(*corners[:3].tolist())
        if np.dot(frame.zaxis, pair.forces.sum(axis=0)) < 0:
            frame = geometry.Frame(frame.point, frame.yaxis, frame.xaxis)
        frame.point = geometry.Point(*corners.mean(axis=0))
        axes = np.array([frame.xaxis, frame.yaxis, frame.zaxis])
        found = [
            {"c_np": max(normal, 0.0), "c_nn": max(-normal, 0.0), "c_u": u, "c_v": v}
            for u, v, normal in (at_corners @ axes.T).tolist()
        ]
        points = [geometry.Point(*corner) for corner in corners]
        size = geometry.Polygon(points).area
        made = interface(size=size, points=points, frame=frame, forces=found)
        edges.append(assembly.add_block_block_interfaces(first, second, [made]))
    return edges


@dataclass(frozen=True)
class _Pair:
    """The contact points of two blocks: their names, the points and the forces on the first."""

    blocks: tuple[str, str]
    points: NDArray[np.float64]
    forces: NDArray[np.float64]

    def corners(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Points of a plane in their order around its middle, each once, and the sum of the forces there."""
        size = float(np.ptp(self.points, axis=0).max()) or 1.0
        cells = np.round(self.points / (1e-6 * size))
        _, first, which = np.unique(cells, axis=0, return_index=True, return_inverse=True)
        points, forces = self.points[first], np.zeros((len(first), 3))
        np.add.at(forces, which.reshape(-1), self.forces)
        middle = points - points.mean(axis=0)
        axes = np.linalg.svd(middle)[2]
        order = np.argsort(np.arctan2(middle @ axes[1], middle @ axes[0]))
        return points[order], forces[order]


def _pairs(of: Simulation | Stability, names: Sequence[str] | None) -> list[_Pair]:
    """The contacts of each two blocks, in the order of their first ones."""
    if isinstance(of, Simulation):
        found, names = cast("Contacts | Stability", of.contacts), of.names
    else:
        found = of
    if names is None:
        raise ValueError("give the names of the bodies: scene.body_names")
    rows: dict[tuple[int, int], list[int]] = {}
    for row, (first, second) in enumerate(found.bodies):
        rows.setdefault((int(first), int(second)), []).append(row)
    return [
        _Pair((names[a], names[b]), found.point[own], found.force[own]) for (a, b), own in rows.items()
    ]


def moved(simulation: Simulation, blocks: Any) -> list[Any]:
    """Copies of the meshes that a scene was made from, where their blocks are now.

    ``blocks`` is what :func:`scene_from_blocks` was given.
    """
    geometry = package("compas.geometry", "moved")

    start = simulation.scene.build()
    meshes = []
    for number, (mesh, _) in enumerate(_blocks(blocks)):
        body, before = simulation[f"block {number}"], start[f"block {number}"]
        frames = []
        for one in (before, body):
            axes = geometry.Quaternion(*one.orientation_wxyz)
            frame = geometry.Frame.from_quaternion(axes, point=one.position)
            frames.append(frame)
        meshes.append(mesh.transformed(geometry.Transformation.from_frame_to_frame(*frames)))
    return meshes
