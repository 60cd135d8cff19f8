"""Contactors of LMGC90 as shapes, and its laws as those of a scene. Where they stand in files is read
elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from drystone import _datbox


@dataclass(frozen=True)
class Contactor:
    """A contactor of a body: its kind, its colour and its lines in the file."""

    kind: str
    colour: str
    lines: list[str]

    @property
    def group(self) -> str:
        """The group of its body, for laws."""
        return f"{self.kind} {self.colour}"

    def part(self, dimension: int) -> dict[str, Any] | None:
        """Its shape, where it stands in the body; ``None`` where it is not known."""
        found = Entries(self.kind, _datbox.entries(self.lines))
        makers: dict[str, Callable[[], dict[str, Any]]] = {
            "DISKx": lambda: {"disk": {"radius": found["byrd"]}},
            "DISKb": lambda: {"disk": {"radius": found["byrd"]}},
            "xKSID": lambda: {"hollow_disk": {"radius": found["byrd"]}},
            "JONCx": lambda: {"box": {"size": [2 * found[f"axe{k}", f"ax{k}"] for k in (1, 2)]}},
            "POLYG": lambda: polygon(_datbox.rows(self.lines, ["coo1", "coo2"])),
            "PT2Dx": lambda: {"point": {}},
            "SPHER": lambda: {"sphere": {"radius": found["byrd"]}},
            "SPHEb": lambda: {"sphere": {"radius": found["byrd"]}},
            "PLANx": lambda: {"box": {"size": [2 * found[f"axe{k}", f"ax{k}"] for k in (1, 2, 3)]}},
            "CYLND": lambda: {"cylinder": {"height": 2 * found["High", "high"], "radius": found["byrd"]}},
            "DNLYC": lambda: {
                "hollow_cylinder": {"height": 2 * found["High", "high"], "radius": found["byrd"]}
            },
            "POLYR": lambda: polyhedron(
                _datbox.rows(self.lines, ["coo1", "coo2", "coo3"]),
                _datbox.rows(self.lines, ["ver1", "ver2", "ver3"]),
            ),
            "PT3Dx": lambda: {"point": {}},
        }
        if self.kind not in makers:
            return None
        part: dict[str, Any] = {"shape": makers[self.kind]()}
        if self.kind in ("POLYG", "POLYR"):
            return part
        place = [found.found.get(f"coo{k}", 0.0) for k in range(1, dimension + 1)]
        if any(place):
            part["position"] = place
        axes = _datbox.frame(found.found)
        if axes is not None and not np.allclose(axes, np.eye(3), atol=1e-12):
            part["orientation_wxyz"] = _datbox.quaternion(axes)
        return part


@dataclass(frozen=True)
class Entries:
    """Entries of a contactor; one that is missing is told with its name."""

    kind: str
    found: dict[str, float]

    def __getitem__(self, key: str | tuple[str, ...]) -> float:
        keys = (key,) if isinstance(key, str) else key
        for one in keys:
            if one in self.found:
                return self.found[one]
        raise ValueError(f"{self.kind} has no {keys[0]}")


def polygon(vertices: list[list[float]]) -> dict[str, Any]:
    """A polygon, cut into convex pieces where it is not convex."""
    if len(vertices) < 3:
        raise ValueError(f"POLYG has {len(vertices)} vertices; three or more are needed")
    sides = np.roll(vertices, -1, axis=0) - np.array(vertices)
    turns = [a[0] * b[1] - a[1] * b[0] for a, b in zip(sides, np.roll(sides, -1, axis=0))]
    is_convex = min(turns) >= -1e-9 * max(map(abs, turns)) or max(turns) <= 1e-9 * max(map(abs, turns))
    return {"polygon": {"vertices": vertices} | ({} if is_convex else {"treat": "decompose"})}


def polyhedron(vertices: list[list[float]], triangles: list[list[float]]) -> dict[str, Any]:
    """A polyhedron, cut into convex pieces where its faces say that it is not convex."""
    if len(vertices) < 4:
        raise ValueError(f"POLYR has {len(vertices)} vertices; four or more are needed")
    faces = [[int(vertex) - 1 for vertex in face] for face in triangles]
    if any(not 0 <= vertex < len(vertices) for face in faces for vertex in face):
        raise ValueError(f"POLYR has a face with vertices that are not 1 to {len(vertices)}")
    if is_convex(np.array(vertices), faces):
        return {"polyhedron": {"vertices": vertices}}
    return {"mesh": {"vertices": vertices, "faces": faces, "treat": "decompose"}}


def is_convex(vertices: Any, faces: list[list[int]]) -> bool:
    """Whether all vertices lie on one side of each face, but for a millionth of the size."""
    size = float(np.ptp(vertices, axis=0).max())
    for a, b, c in faces:
        normal = np.cross(vertices[b] - vertices[a], vertices[c] - vertices[a])
        area = float(np.linalg.norm(normal))
        if area > 1e-12 * size**2:
            heights = (vertices - vertices[a]) @ (normal / area)
            if heights.max() > 1e-6 * size and heights.min() < -1e-6 * size:
                return False
    return True


def law(kind: str, found: dict[str, float]) -> dict[str, Any] | None:
    """A law of a scene; ``None`` where the name is not known."""
    friction = found.get("fric", found.get("dyfr", found.get("stfr", 0.0)))
    static, dynamic = found.get("stfr", friction), found.get("dyfr", friction)
    both = {"friction_static": static, "friction_dynamic": dynamic}
    rebound = {"normal": found.get("rstn", 0.0), "tangential": found.get("rstt", 0.0), "friction": dynamic}
    cohesion, position = found.get("cohn", 0.0), {"level": "position"}
    known: dict[str, dict[str, Any]] = {
        "IQS_CLB": {"inelastic": {"friction": friction}},
        "VEL_SGR_CLB": {"inelastic": {"friction": friction}},
        "IQS_CLB_g0": {"unilateral": {"friction": friction, "from_start": True}},
        "IQS_DS_CLB": {"unilateral": both},
        "IQS_STICK": {"unilateral": {"stick": True}},
        "GAP_SGR_CLB": {"unilateral": {"friction": friction, **position}},
        "GAP_SGR_CLB_g0": {"unilateral": {"friction": friction, "from_start": True, **position}},
        "GAP_SGR_DS_CLB": {"unilateral": {**both, **position}},
        "RST_CLB": {"restitution": rebound},
        "RST_DS_CLB": {"restitution": rebound},
        "ELASTIC_REPELL_CLB": {"viscoelastic": {"stiffness": found.get("stfn", 0.0), "friction": friction}},
        "IQS_MOHR_DS_CLB": {
            "mohr_coulomb": {
                "friction": dynamic,
                "normal_force": cohesion,
                "tangential_force": max(found.get("coht", 0.0), dynamic * cohesion),
            }
        },
    }
    return known.get(kind)


#: Laws that are taken over with something left out, and what.
SIMPLER = {
    "RST_DS_CLB": "friction at rest is that of motion",
    "IQS_MOHR_DS_CLB": "friction at rest is that of motion",
}

#: Laws without a counterpart, and what takes their place.
INSTEAD = {
    "COUPLED_DOF": "give the bodies a tie",
    "NORMAL_COUPLED_DOF": "give the bodies a tie",
    "TANGENTIAL_COUPLED_DOF": "give the bodies a tie",
    "PERIO_DOF": "give the scene a periodic cell",
}
