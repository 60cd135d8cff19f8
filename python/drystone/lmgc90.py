"""DATBOX folders of LMGC90 as scenes: rigid bodies, contactors, laws of the common names, driven motion.

Written from the layout of the files alone: blocks that begin with ``$``, entries ``key= value``. What cannot
be taken over is told, never passed over.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from drystone._drystone import SceneError
from drystone.scene import Scene
from drystone.simulation import Axis, Simulation

_ENTRY = re.compile(r"([A-Za-z][\w]*(?:\(\d+\))?)\s*=\s*([-+]?[\d.]+(?:[DdEe][-+]?\d+)?)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[DdEe][-+]?\d+)?")

#: Degrees of freedom by their numbers in the files.
_AXES: dict[int, list[Axis]] = {
    2: ["x", "y", "about z"],
    3: ["x", "y", "z", "about x", "about y", "about z"],
}


@dataclass(frozen=True)
class Motion:
    """A velocity or a force on one degree of freedom: ``(ct + amp cos(omega t + phi)) · min(1, rampi + ramp
    t)``.
    """

    body: str
    axis: Axis
    kind: Literal["vlocy", "force"]
    ct: float
    amp: float
    omega: float
    phi: float
    rampi: float
    ramp: float

    @property
    def is_constant(self) -> bool:
        """Whether it is the same at all times."""
        return (self.amp == 0 or (self.omega == 0 and self.phi == 0)) and self.ramp == 0

    def __call__(self, time: float) -> float:
        wave = self.ct + self.amp * math.cos(self.omega * time + self.phi)
        return wave * min(1.0, self.rampi + self.ramp * time)


@dataclass
class Taken:
    """What was made of a DATBOX folder."""

    #: The scene: bodies, laws, constant drives and loads, initial velocities.
    scene: Scene
    #: Drives and loads that change in time, which a scene cannot hold.
    motions: list[Motion] = field(default_factory=list)
    #: What could not be taken over, a sentence each.
    left_out: list[str] = field(default_factory=list)

    def build(self) -> Simulation:
        """The simulation, with what changes in time set as well."""
        simulation = self.scene.build()
        for motion in self.motions:
            body = simulation[motion.body]
            (body.drive if motion.kind == "vlocy" else body.load)(motion.axis, motion)
        return simulation


def from_datbox(folder: str | os.PathLike[str], *, step: float, duration: float) -> Taken:
    """Reads a DATBOX folder of LMGC90: rigid bodies of the plane (RBDY2) or of space (RBDY3).

    Time step and duration [s] are in no file of a DATBOX: give those of the command script. Taken over are
    the contactors DISKx, xKSID, JONCx, POLYG and PT2Dx, SPHER, PLANx, CYLND, DNLYC, POLYR and PT3Dx, also
    several on one body; materials RIGID; gravity; the laws IQS_CLB, IQS_CLB_g0, IQS_DS_CLB, RST_CLB and
    IQS_MOHR_DS_CLB (as strengths of contact points); driven velocities and forces; positions, rotations and
    velocities of DOF.INI. A group is made for each contactor and colour, as "DISKx BLUEx"; what see no law
    pass through each other.
    """
    reader = _Reader(Path(folder), step, duration)
    try:
        return reader.read()
    except (IndexError, KeyError, ValueError) as error:
        raise SceneError(f"{folder} is not laid out as a DATBOX: {type(error).__name__} {error}") from error


def _entries(lines: list[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for line in lines:
        for key, value in _ENTRY.findall(line):
            found[key] = _number(value)
    return found


def _number(text: str) -> float:
    return float(text.replace("D", "E").replace("d", "e"))


class _Reader:
    def __init__(self, folder: Path, step: float, duration: float) -> None:
        if not folder.is_dir():
            raise SceneError(f"{folder} is no folder; give the DATBOX folder of LMGC90")
        self.folder = folder
        self.time = {"step": step, "duration": duration}
        self.left_out: list[str] = []
        self.dimension = 0
        self.bodies: dict[tuple[str, int], dict[str, Any]] = {}
        self.motions: list[Motion] = []

    def leave_out(self, text: str) -> None:
        if text not in self.left_out:
            self.left_out.append(text)

    def lines(self, name: str, *, must: bool) -> list[str]:
        path = self.folder / name
        if not path.is_file():
            if must:
                raise SceneError(
                    f"{self.folder} has no {name}; it needs BODIES.DAT, BULK_BEHAV.DAT and TACT_BEHAV.DAT"
                )
            return []
        text = path.read_text(encoding="latin-1")
        return [
            line.rstrip()
            for line in text.splitlines()
            if line.strip() and not line.lstrip().startswith(("!", "#"))
        ]

    def blocks(self, lines: list[str]) -> Iterator[tuple[str, list[str]]]:
        """Name of each block and its lines."""
        name, held = "", cast("list[str]", [])
        for line in lines:
            if line.startswith("$"):
                if name:
                    yield name, held
                name, held = line[1:].split()[0] if line[1:].split() else "$", []
            else:
                held.append(line)
        if name:
            yield name, held

    def read(self) -> Taken:
        materials, gravity = self.read_materials()
        self.read_bodies(materials)
        if not self.bodies:
            raise SceneError(f"{self.folder / 'BODIES.DAT'} has no rigid body (RBDY2 or RBDY3)")
        self.read_state()
        self.read_motions()
        laws = self.read_laws()
        if (self.folder / "Vloc_Rloc.INI").is_file():
            rows = [
                name for name, _ in self.blocks(self.lines("Vloc_Rloc.INI", must=False)) if name == "icdan"
            ]
            if rows:
                self.leave_out("Vloc_Rloc.INI: impulses of the last step; the first step begins without them")
        spec = {
            "title": f"from {self.folder.name}",
            "dimension": self.dimension,
            "time": self.time,
            "gravity": gravity[: self.dimension],
            "body": list(self.bodies.values()),
            "law": laws,
        }
        return Taken(Scene(spec), self.motions, self.left_out)

    def read_materials(self) -> tuple[dict[str, float], list[float]]:
        materials: dict[str, float] = {}
        gravity = [0.0, 0.0, 0.0]
        for name, held in self.blocks(self.lines("BULK_BEHAV.DAT", must=True)):
            if name == "gravy":
                found = _entries(held)
                gravity = [found.get(f"grv{k}", 0.0) for k in (1, 2, 3)]
            elif name == "behav" and held:
                words = held[0].split()
                found = _entries(held)
                if len(words) < 2 or words[1] != "RIGID":
                    kind = words[1] if len(words) > 1 else "?"
                    self.leave_out(f"material {words[0]} of kind {kind}: only RIGID ones are taken")
                materials[words[0]] = found.get("Umas", 0.0)
        return materials, gravity

    def read_bodies(self, materials: dict[str, float]) -> None:
        key: tuple[str, int] | None = None
        bulk: dict[str, Any] = {}
        place = [0.0, 0.0, 0.0]
        contactors: list[tuple[str, str, list[str]]] = []
        count = 0

        def finish() -> None:
            if key is not None:
                self.bodies[key] = self.body(key, bulk, place, contactors, materials)

        for name, held in self.blocks(self.lines("BODIES.DAT", must=True)):
            if name == "bdyty":
                finish()
                words = held[0].split() if held else ["?", "0"]
                key, bulk, place, contactors = None, {}, [0.0, 0.0, 0.0], []
                if words[0] in ("RBDY2", "RBDY3"):
                    dimension = int(words[0][-1])
                    if self.dimension not in (0, dimension):
                        raise SceneError(
                            f"{self.folder} has bodies of the plane and of space; a scene has either"
                        )
                    self.dimension = dimension
                    # bodies count in their order: the numbers of files that are written by hand may repeat
                    count += 1
                    key = (words[0], count)
                else:
                    self.leave_out(f"bodies of kind {words[0]}: only RBDY2 and RBDY3 are taken")
            elif name == "blmty" and held and key:
                words = held[0].split()
                bulk = {
                    "material": words[words.index("behav") + 1] if "behav" in words else "",
                    **_entries(held),
                }
            elif name == "nodty" and held and key:
                found = _entries(held)
                place = [found.get(f"coo{k}", 0.0) for k in (1, 2, 3)]
                bulk["turn"] = found.get("coo3", 0.0) if self.dimension == 2 else 0.0
            elif name == "tacty" and key:
                contactors += self.contactors(held)
        finish()

    @staticmethod
    def contactors(held: list[str]) -> list[tuple[str, str, list[str]]]:
        """Kind, colour and lines of each contactor: a line with the word ``color`` begins one."""
        found: list[tuple[str, str, list[str]]] = []
        for line in held:
            words = line.split()
            if "color" in words:
                found.append((words[0], words[words.index("color") + 1], [line]))
            elif found:
                found[-1][2].append(line)
        return found

    def body(
        self,
        key: tuple[str, int],
        bulk: dict[str, Any],
        place: list[float],
        contactors: list[tuple[str, str, list[str]]],
        materials: dict[str, float],
    ) -> dict[str, Any]:
        name = f"{key[0]} {key[1]}"
        parts = [part for part in (self.shape(name, *contactor) for contactor in contactors) if part]
        if not parts:
            self.leave_out(f"{name}: it has no contactor that is known, and touches nothing")
            parts = [{"shape": {"point": {}}}]
        groups = {f"{kind} {colour}" for kind, colour, _ in contactors}
        if len(groups) > 1:
            self.leave_out(f"{name}: contactors of several kinds or colours; the laws of the first one act")
        body: dict[str, Any] = {
            "name": name,
            "group": f"{contactors[0][0]} {contactors[0][1]}" if contactors else "none",
            "position": place[: self.dimension],
            "shape": {"cluster": {"shapes": parts}},
        }
        if len(parts) == 1 and "position" not in parts[0]:
            body["shape"] = parts[0]["shape"]
        if self.dimension == 2 and bulk.get("turn"):
            body["angle"] = bulk["turn"]
        material = bulk.get("material", "")
        if material not in materials:
            raise SceneError(f"{name}: its material {material!r} is not in BULK_BEHAV.DAT")
        density = materials[material]
        radius = bulk.get("avrd", 0.0)
        if radius > 0 and density > 0:
            if self.dimension == 2:
                body["mass"] = density * math.pi * radius**2
                body["inertia"] = body["mass"] * bulk.get("gyrd", 0.0) ** 2
            else:
                body["mass"] = density * 4.0 / 3.0 * math.pi * radius**3
                moments = [bulk.get(f"I{k}", 0.0) for k in (1, 2, 3)]
                body["inertia"] = [density * moment for moment in moments]
            if not np.all(np.asarray(body["inertia"]) > 0):
                del body["inertia"]
        elif density > 0:
            body["density"] = density
        return body

    def shape(self, body: str, kind: str, colour: str, lines: list[str]) -> dict[str, Any] | None:
        found = _entries(lines)
        shape: dict[str, Any]
        if kind in ("DISKx", "DISKb"):
            shape = {"disk": {"radius": found["byrd"]}}
        elif kind == "xKSID":
            shape = {"hollow_disk": {"radius": found["byrd"]}}
        elif kind == "JONCx":
            half = [found.get("axe1", found.get("ax1", 0.0)), found.get("axe2", found.get("ax2", 0.0))]
            shape = {"box": {"size": [2 * x for x in half]}}
        elif kind == "POLYG":
            shape = {"polygon": {"vertices": self.vertices(lines, 2)}}
        elif kind in ("SPHER", "SPHEb"):
            shape = {"sphere": {"radius": found["byrd"]}}
        elif kind == "PLANx":
            shape = {"box": {"size": [2 * found["axe1"], 2 * found["axe2"], 2 * found["axe3"]]}}
        elif kind == "CYLND":
            shape = {"cylinder": {"height": 2 * found["High"], "radius": found["byrd"]}}
            self.leave_out("CYLND: its round ends are taken as flat ones")
        elif kind == "DNLYC":
            shape = {"hollow_cylinder": {"height": 2 * found["High"], "radius": found["byrd"]}}
        elif kind == "POLYR":
            shape = {"polyhedron": {"vertices": self.vertices(lines, 3)}}
        elif kind in ("PT2Dx", "PT3Dx"):
            shape = {"point": {}}
        else:
            self.leave_out(f"contactor {kind}: not known")
            return None
        part: dict[str, Any] = {"shape": shape}
        if kind in ("DISKb", "SPHEb"):
            part["position"] = [found.get(f"coo{k}", 0.0) for k in range(1, self.dimension + 1)]
        return part

    @staticmethod
    def vertices(lines: list[str], dimension: int) -> list[list[float]]:
        rows = [dict((key, _number(value)) for key, value in _ENTRY.findall(line)) for line in lines]
        return [[row[f"coo{k}"] for k in range(1, dimension + 1)] for row in rows if "coo1" in row]

    def read_state(self) -> None:
        body: dict[str, Any] | None = None
        for name, held in self.blocks(self.lines("DOF.INI", must=False)):
            if name == "bdyty":
                words = held[0].split() if held else ["?", "0"]
                body = self.bodies.get((words[0], int(words[1])))
            elif name == "nodty" and body is not None:
                found = _entries(held)
                moved = [found.get(f"X({k})", 0.0) for k in range(1, 7)]
                speed = [found.get(f"V({k})", 0.0) for k in range(1, 7)]
                body["position"] = [x + d for x, d in zip(body["position"], moved)]
                if any(speed[: self.dimension]):
                    body["velocity"] = speed[: self.dimension]
                if self.dimension == 2:
                    body["angle"] = body.get("angle", 0.0) + moved[2]
                    if speed[2]:
                        body["spin"] = speed[2]
                else:
                    if any(speed[3:]):
                        body["spin"] = speed[3:]
                    axes = [[found.get(f"{axis}({k})") for axis in "abg"] for k in (1, 2, 3)]
                    if all(x is not None for row in axes for x in row):
                        body["orientation_wxyz"] = _quaternion(np.array(axes, dtype=np.float64))

    def read_motions(self) -> None:
        name: str | None = None
        given: dict[str, list[Motion]] = {}
        for block, held in self.blocks(self.lines("DRV_DOF.DAT", must=False)):
            if block == "bdyty":
                words = held[0].split() if held else ["?", "0"]
                name = f"{words[0]} {words[1]}" if (words[0], int(words[1])) in self.bodies else None
            elif block == "dofty" and name is not None:
                for line in held:
                    motion = self.motion(name, line)
                    if motion is not None:
                        given.setdefault(name, []).append(motion)
        for body in self.bodies.values():
            self.drive(body, given.get(body["name"], []))

    def motion(self, body: str, line: str) -> Motion | None:
        words = line.split()
        if words[0] not in ("vlocy", "force"):
            self.leave_out(f"{body}: {words[0]} is neither vlocy nor force")
            return None
        if "evolution" in words:
            self.leave_out(f"{body}: a motion from a file ({words[-1]})")
            return None
        number = int(words[1])
        values = [_number(text) for text in _NUMBER.findall(" ".join(words[2:]))]
        if not 1 <= number <= len(_AXES[self.dimension]) or len(values) != 6:
            self.leave_out(f"{body}: the line {line.strip()!r} has no degree of freedom and six numbers")
            return None
        kind: Literal["vlocy", "force"] = "vlocy" if words[0] == "vlocy" else "force"
        return Motion(body, _AXES[self.dimension][number - 1], kind, *values)

    def drive(self, body: dict[str, Any], motions: list[Motion]) -> None:
        driven = {motion.axis: motion for motion in motions if motion.kind == "vlocy"}
        still = [motion for motion in driven.values() if motion.is_constant and motion(0.0) == 0.0]
        if len(still) == len(_AXES[self.dimension]):
            body["fixed"] = True
        names = (
            {"about z": "spin"}
            if self.dimension == 2
            else {f"about {axis}": f"spin_{axis}" for axis in "xyz"}
        )
        loads = {axis: name.replace("spin", "moment") for axis, name in names.items()}
        for motion in motions:
            if not motion.is_constant:
                self.motions.append(motion)
            # what changes in time is driven from the start, so that a body without mass can be built
            value = motion(0.0)
            if motion.kind == "vlocy" and not body.get("fixed"):
                body.setdefault("drive", {})[names.get(motion.axis, motion.axis)] = value
            elif motion.kind == "force" and motion.is_constant:
                body.setdefault("load", {})[loads.get(motion.axis, motion.axis)] = value

    def read_laws(self) -> list[dict[str, Any]]:
        known: dict[str, dict[str, Any] | None] = {}
        pairs: dict[tuple[str, str], str] = {}
        for name, held in self.blocks(self.lines("TACT_BEHAV.DAT", must=True)):
            if name == "behav" and held:
                words = held[0].split()
                known[words[0]] = self.law(words[0], words[1] if len(words) > 1 else "?", _entries(held))
            elif name == "seety":
                for line in held:
                    words = line.split()
                    if len(words) >= 7 and words[0] != "cdbdy":
                        candidate, antagonist = f"{words[1]} {words[2]}", f"{words[5]} {words[6]}"
                        first, second = sorted((candidate, antagonist))
                        pairs[first, second] = words[3]
        groups = {body["group"] for body in self.bodies.values()}
        laws: list[dict[str, Any]] = [{"between": ["*", "*"], "none": {}}]
        for (first, second), name in pairs.items():
            law = known.get(name)
            if name not in known:
                self.leave_out(f"law {name}: it is not in TACT_BEHAV.DAT")
            elif law is not None and first in groups and second in groups:
                laws.append({"between": [first, second], **law})
        return laws

    def law(self, name: str, kind: str, found: dict[str, float]) -> dict[str, Any] | None:
        friction = found.get("fric", found.get("dyfr", found.get("stfr", 0.0)))
        static, dynamic = found.get("stfr", friction), found.get("dyfr", friction)
        makers: dict[str, Callable[[], dict[str, Any]]] = {
            "IQS_CLB": lambda: {"inelastic": {"friction": friction}},
            "IQS_CLB_g0": lambda: {"unilateral": {"friction": friction, "from_start": True}},
            "IQS_DS_CLB": lambda: {"unilateral": {"friction_static": static, "friction_dynamic": dynamic}},
            "RST_CLB": lambda: {
                "restitution": {
                    "normal": found.get("rstn", 0.0),
                    "tangential": found.get("rstt", 0.0),
                    "friction": friction,
                }
            },
            "IQS_MOHR_DS_CLB": lambda: {
                "mohr_coulomb": {
                    "friction": dynamic,
                    "normal_force": found.get("cohn", 0.0),
                    "tangential_force": max(found.get("coht", 0.0), dynamic * found.get("cohn", 0.0)),
                }
            },
        }
        if kind in makers:
            return makers[kind]()
        self.leave_out(f"law {name} of kind {kind}: pairs with it pass through each other; give them a law")
        return None


def _quaternion(rotation: NDArray[np.float64]) -> list[float]:
    """Unit quaternion, scalar part first, of a rotation matrix."""
    symmetric = np.array(
        [
            [rotation.trace(), 0, 0, 0],
            [rotation[2, 1] - rotation[1, 2], 2 * rotation[0, 0] - rotation.trace(), 0, 0],
            [
                rotation[0, 2] - rotation[2, 0],
                rotation[1, 0] + rotation[0, 1],
                2 * rotation[1, 1] - rotation.trace(),
                0,
            ],
            [
                rotation[1, 0] - rotation[0, 1],
                rotation[2, 0] + rotation[0, 2],
                rotation[2, 1] + rotation[1, 2],
                2 * rotation[2, 2] - rotation.trace(),
            ],
        ]
    )
    # eigenvector of the largest eigenvalue (Bar-Itzhack 2000); eigh reads the lower half
    found = np.linalg.eigh(symmetric)[1][:, -1]
    return cast("list[float]", (found * np.sign(found[0] or 1.0)).tolist())
