"""Bodies from meshes of other packages: trimesh, PyVista, COMPAS, meshio (which reads those of gmsh), or
plain vertices and faces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

if TYPE_CHECKING:
    from drystone.spec import BodySpec


def vertices_and_faces(mesh: Any) -> tuple[list[list[float]], list[list[int]]]:
    """Vertices and faces of a mesh: of trimesh, PyVista, COMPAS, meshio, or a pair of them."""
    if hasattr(mesh, "to_vertices_and_faces"):
        vertices, faces = mesh.to_vertices_and_faces()
    elif hasattr(mesh, "vertices") and hasattr(mesh, "faces") and not callable(mesh.vertices):
        vertices, faces = mesh.vertices, mesh.faces
    elif hasattr(mesh, "points") and hasattr(mesh, "cells_dict"):
        vertices, faces = mesh.points, _of_cells(mesh.cells_dict)
    elif hasattr(mesh, "points") and hasattr(mesh, "faces"):
        vertices, faces = mesh.points, _of_vtk(mesh.faces)
    elif isinstance(mesh, (tuple, list)) and len(mesh) == 2:
        vertices, faces = mesh
    else:
        kind = type(mesh).__name__
        raise TypeError(
            f"{kind} is no mesh; allowed are those of trimesh, PyVista, meshio and COMPAS, and pairs "
            "(vertices, faces)"
        )
    points = np.asarray(vertices, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 3:
        raise ValueError(f"vertices have the shape {points.shape}; allowed is n × 3")
    return cast("list[list[float]]", points.tolist()), [[int(corner) for corner in face] for face in faces]


#: Faces of the elements of a volume, corners as gmsh counts them.
_FACES = {
    "tetra": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
    "hexahedron": [
        [0, 3, 2, 1],
        [4, 5, 6, 7],
        [0, 1, 5, 4],
        [1, 2, 6, 5],
        [2, 3, 7, 6],
        [3, 0, 4, 7],
    ],
}


def _of_cells(cells: Mapping[str, Any]) -> list[list[int]]:
    """The outer faces of elements: those of volumes that belong to one element alone, or else surfaces."""
    seen: dict[tuple[int, ...], list[list[int]]] = {}
    for kind, faces in _FACES.items():
        for element in cells.get(kind, []):
            for face in faces:
                corners = [int(element[corner]) for corner in face]
                seen.setdefault(tuple(sorted(corners)), []).append(corners)
    outer = [found[0] for found in seen.values() if len(found) == 1]
    flat = [[int(corner) for corner in face] for kind in ("triangle", "quad") for face in cells.get(kind, [])]
    if not outer and not flat:
        raise ValueError(
            f"the mesh has cells {', '.join(cells)}; allowed are triangle, quad, {', '.join(_FACES)}"
        )
    return outer or flat


def _of_vtk(flat: Any) -> list[list[int]]:
    faces, place = [], 0
    values = [int(value) for value in np.asarray(flat).ravel()]
    while place < len(values):
        count = values[place]
        faces.append(values[place + 1 : place + 1 + count])
        place += 1 + count
    return faces


def body_from_mesh(
    mesh: Any,
    name: str,
    *,
    treat: Literal["convex", "decompose", "surface"] = "convex",
    density: float | None = None,
    fixed: bool = False,
    group: str | None = None,
    position: Sequence[float] | None = None,
) -> BodySpec:
    """A body of a scene from a mesh, where it is. Lengths [m], density [kg/m³].

    ``treat`` says what is made of it: it must be convex, is cut into convex pieces, or is touched along its
    surface.

    >>> import drystone
    >>> from drystone.meshes import body_from_mesh
    >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    >>> faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    >>> cube = body_from_mesh((corners, faces), "cube", density=1000)
    >>> sim = drystone.Scene({"dimension": 3, "time": {"step": 1e-3, "duration": 1}, "body": [cube]}).build()
    >>> round(sim["cube"].mass), sim["cube"].position.round(9).tolist()
    (1000, [0.5, 0.5, 0.5])
    """
    vertices, faces = vertices_and_faces(mesh)
    body: dict[str, Any] = {
        "name": name,
        "shape": {"mesh": {"treat": treat, "vertices": vertices, "faces": faces}},
        "density": density,
        "fixed": fixed,
        "group": group,
        "position": position,
    }
    return cast("BodySpec", {key: value for key, value in body.items() if value is not None})
