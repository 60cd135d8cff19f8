"""DATBOX folders of LMGC90 as scenes: rigid bodies, contactors, laws of the common names, driven motion.

Written from the layout of the files alone. What cannot be taken over is told, never passed over.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from drystone import _contactors, _datbox
from drystone._contactors import Contactor
from drystone._drystone import SceneError
from drystone.parts import Axis
from drystone.scene import Scene
from drystone.simulation import Simulation

#: Degrees of freedom by their numbers in the files.
_AXES: dict[int, list[Axis]] = {
    2: ["x", "y", "about z"],
    3: ["x", "y", "z", "about x", "about y", "about z"],
}


@dataclass(frozen=True)
class Motion:
    """A velocity or a force on one degree of freedom: ``(ct + amp cos(omega t + phi)) · (rampi + ramp t)``,
    the second factor from -1 to 1; or rows of time [s] and value, straight lines between them.
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
    table: tuple[tuple[float, float], ...] = ()

    @property
    def is_constant(self) -> bool:
        """Whether it is the same at all times."""
        return not self.table and (self.amp == 0 or self.omega == 0) and self.ramp == 0

    def __call__(self, time: float) -> float:
        if self.table:
            times, values = zip(*self.table)
            return float(np.interp(time, times, values))
        wave = self.ct + self.amp * math.cos(self.omega * time + self.phi)
        return wave * max(-1.0, min(1.0, self.rampi + self.ramp * time))


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
    several on one body; materials RIGID; gravity; the laws IQS_CLB, IQS_CLB_g0, IQS_DS_CLB, IQS_STICK,
    GAP_SGR_CLB, RST_CLB, ELASTIC_REPELL_CLB, IQS_MOHR_DS_CLB (as strengths of contact points) and their kin;
    driven velocities and forces, also from files; positions, rotations and velocities of DOF.INI. A group is
    made for each contactor and colour, as "DISKx BLUEx"; what see no law pass through each other.
    """
    reader = _Reader(Path(folder), step, duration)
    try:
        return reader.read()
    except (IndexError, KeyError, ValueError) as error:
        where = f"{reader.place}: " if reader.place else ""
        raise SceneError(f"{folder} is not laid out as a DATBOX: {where}{error}") from error


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
        #: What is being read, for messages.
        self.place = ""

    def leave_out(self, text: str) -> None:
        if text not in self.left_out:
            self.left_out.append(text)

    def blocks(self, name: str, *, must: bool = False) -> list[tuple[str, list[str]]]:
        """The blocks of a file."""
        path = self.folder / name
        self.place = name
        if not path.is_file():
            if must:
                raise SceneError(
                    f"{self.folder} has no {name}; it needs BODIES.DAT, BULK_BEHAV.DAT and TACT_BEHAV.DAT"
                )
            return []
        return list(_datbox.blocks(_datbox.read_lines(path)))

    def read(self) -> Taken:
        materials, gravity = self.read_materials()
        laws, pairs = self.read_laws()
        self.read_bodies(materials, {group for pair in pairs for group in pair})
        if not self.bodies:
            raise SceneError(f"{self.folder / 'BODIES.DAT'} has no rigid body (RBDY2 or RBDY3)")
        self.read_state()
        self.read_motions()
        if any(name == "icdan" for name, _ in self.blocks("Vloc_Rloc.INI")):
            self.leave_out("Vloc_Rloc.INI: impulses of the last step; the first step begins without them")
        self.place = ""
        spec = {
            "title": f"from {self.folder.name}",
            "dimension": self.dimension,
            "time": self.time,
            "gravity": gravity[: self.dimension],
            "body": list(self.bodies.values()),
            "law": self.laws_between(laws, pairs),
        }
        return Taken(Scene(spec), self.motions, self.left_out)

    def read_materials(self) -> tuple[dict[str, float], list[float]]:
        materials: dict[str, float] = {}
        gravity: list[float] | None = None
        for name, held in self.blocks("BULK_BEHAV.DAT", must=True):
            if name == "gravy":
                found = _datbox.entries(held)
                gravity = [found.get(f"grv{k}", 0.0) for k in (1, 2, 3)]
            elif name == "behav":
                for record in _datbox.records(held):
                    words = record[0].split()
                    kind = words[1] if len(words) > 1 else "?"
                    if kind != "RIGID":
                        self.leave_out(f"material {words[0]} of kind {kind}: only RIGID ones are taken")
                    materials[words[0]] = _datbox.entries(record).get("Umas", 0.0)
        if gravity is None:
            self.leave_out("BULK_BEHAV.DAT: it has no $gravy; the scene is without gravity")
        return materials, gravity or [0.0, 0.0, 0.0]

    def read_bodies(self, materials: dict[str, float], seen: set[str]) -> None:
        key: tuple[str, int] | None = None
        bulk: dict[str, Any] = {}
        contactors: list[Contactor] = []
        count = 0

        def finish() -> None:
            if key is not None:
                self.place = f"{key[0]} {key[1]}"
                self.bodies[key] = self.body(self.place, bulk, contactors, materials, seen)

        for name, held in self.blocks("BODIES.DAT", must=True):
            if name == "bdyty":
                finish()
                kind, _ = _datbox.tag(held[0] if held else "?")
                key, bulk, contactors = None, {}, []
                if kind not in ("RBDY2", "RBDY3"):
                    self.leave_out(f"bodies of kind {kind}: only RBDY2 and RBDY3 are taken")
                    continue
                if self.dimension not in (0, int(kind[-1])):
                    raise SceneError(
                        f"{self.folder} has bodies of the plane and of space; a scene has either"
                    )
                self.dimension = int(kind[-1])
                # bodies count in their order: the numbers of files that are written by hand may repeat
                count += 1
                key = (kind, count)
                self.place = f"{kind} {count}"
            elif name == "blmty" and held and key:
                words = held[0].split()
                bulk["material"] = words[words.index("behav") + 1] if "behav" in words else ""
                bulk.update(_datbox.entries(held))
            elif name == "nodty" and held and key:
                bulk.update(_datbox.entries(held))
            elif name == "tacty" and key:
                contactors += self.contactors(held)
        finish()

    @staticmethod
    def contactors(held: list[str]) -> list[Contactor]:
        """A line with the word ``color`` begins one."""
        found: list[Contactor] = []
        for line in held:
            words = line.split()
            if "color" in words:
                found.append(Contactor(_datbox.tag(line)[0], words[words.index("color") + 1], [line]))
            elif found:
                found[-1].lines.append(line)
        return found

    def body(
        self,
        name: str,
        bulk: dict[str, Any],
        contactors: list[Contactor],
        materials: dict[str, float],
        seen: set[str],
    ) -> dict[str, Any]:
        material = bulk.get("material", "")
        if material not in materials:
            raise SceneError(f"{name}: its material {material!r} is not in BULK_BEHAV.DAT")
        mass = self.mass(bulk, materials[material])
        parts: list[tuple[str, dict[str, Any]]] = []
        for contactor in contactors:
            part = contactor.part(self.dimension)
            if part is None:
                self.leave_out(f"contactor {contactor.kind}: not known")
            else:
                parts.append((contactor.group, part))
            if contactor.kind == "CYLND":
                self.leave_out("CYLND: its round ends are taken as flat ones")
        # what no pair sees touches nothing, and with a mass of its own it is not needed for that either
        touching = [part for part in parts if part[0] in seen]
        if touching and "mass" in mass:
            parts = touching
        groups = list(dict.fromkeys(group for group, _ in touching or parts))
        if len(groups) > 1:
            self.leave_out(f"{name}: contactors of several kinds or colours; the laws of the first one act")
        if not parts:
            self.leave_out(f"{name}: it has no contactor that is known, and touches nothing")
        shapes = [part for _, part in parts] or [{"shape": {"point": {}}}]
        is_alone = len(shapes) == 1 and len(shapes[0]) == 1
        body: dict[str, Any] = {
            "name": name,
            "group": groups[0] if groups else "none",
            "position": [bulk.get(f"coo{k}", 0.0) for k in range(1, self.dimension + 1)],
            "shape": shapes[0]["shape"] if is_alone else {"cluster": {"shapes": shapes}},
            **mass,
        }
        if self.dimension == 2 and bulk.get("coo3"):
            body["angle"] = bulk["coo3"]
        return body

    def mass(self, bulk: dict[str, Any], density: float) -> dict[str, Any]:
        """Mass and inertia of a body by its mean radius, or the density where it has none."""
        radius = bulk.get("avrd", 0.0)
        if density <= 0:
            return {}
        if radius <= 0:
            return {"density": density}
        if self.dimension == 2:
            mass = density * math.pi * radius**2
            inertia: Any = mass * bulk.get("gyrd", 0.0) ** 2
        else:
            mass = density * 4.0 / 3.0 * math.pi * radius**3
            inertia = [density * bulk.get(f"I{k}", 0.0) for k in (1, 2, 3)]
        is_given = bool(np.all(np.asarray(inertia) > 0))
        return {"mass": mass} | ({"inertia": inertia} if is_given else {})

    def known(self, held: list[str], file: str) -> tuple[str, int] | None:
        """The body that a block is about."""
        key = _datbox.tag(held[0] if held else "?")
        self.place = f"{file}, {key[0]} {key[1]}"
        if key in self.bodies:
            return key
        if key[0] in ("RBDY2", "RBDY3"):
            self.leave_out(f"{file}: {key[0]} {key[1]} is not in BODIES.DAT")
        return None

    def read_state(self) -> None:
        body: dict[str, Any] | None = None
        for name, held in self.blocks("DOF.INI"):
            if name == "bdyty":
                key = self.known(held, "DOF.INI")
                body = None if key is None else self.bodies[key]
            elif name == "nodty" and body is not None:
                self.set_state(body, _datbox.entries(held))

    def set_state(self, body: dict[str, Any], found: dict[str, float]) -> None:
        moved = [found.get(f"X({k})", 0.0) for k in range(1, 7)]
        speed = [found.get(f"V({k})", 0.0) for k in range(1, 7)]
        body["position"] = [x + d for x, d in zip(body["position"], moved)]
        if any(speed[: self.dimension]):
            body["velocity"] = speed[: self.dimension]
        if self.dimension == 2:
            body["angle"] = body.get("angle", 0.0) + moved[2]
            if speed[2]:
                body["spin"] = speed[2]
            return
        if any(speed[3:]):
            body["spin"] = speed[3:]
        axes = _datbox.frame(found)
        if axes is not None:
            body["orientation_wxyz"] = _datbox.quaternion(axes)
        elif any(moved[3:]):
            self.leave_out(f"{body['name']}: a rotation without the axes a, b, g of its frame")

    def read_motions(self) -> None:
        name: str | None = None
        given: dict[str, list[Motion]] = {}
        for block, held in self.blocks("DRV_DOF.DAT"):
            if block == "bdyty":
                key = self.known(held, "DRV_DOF.DAT")
                name = None if key is None else f"{key[0]} {key[1]}"
            elif block == "dofty" and name is not None:
                motions = [self.motion(name, line) for line in held]
                given.setdefault(name, []).extend(motion for motion in motions if motion is not None)
        for body in self.bodies.values():
            self.drive(body, given.get(body["name"], []))

    def motion(self, body: str, line: str) -> Motion | None:
        kind, number = _datbox.tag(line)
        if kind not in ("vlocy", "force"):
            self.leave_out(f"{body}: {kind} is neither vlocy nor force")
            return None
        if not 1 <= number <= len(_AXES[self.dimension]):
            self.leave_out(f"{body}: the line {line.strip()!r} has no degree of freedom")
            return None
        which: Literal["vlocy", "force"] = "vlocy" if kind == "vlocy" else "force"
        axis, words = _AXES[self.dimension][number - 1], line.split()
        if "evolution" in words:
            table = _datbox.read_table(self.folder / words[-1])
            rows = tuple((time, value) for time, value in table)
            return Motion(body, axis, which, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, rows)
        values = _datbox.numbers(" ".join(words[2:]))
        if len(values) != 6:
            self.leave_out(f"{body}: the line {line.strip()!r} has not six numbers")
            return None
        ct, amp, omega, phi, rampi, ramp = values
        return Motion(body, axis, which, ct, amp, omega, phi, rampi, ramp)

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

    def read_laws(self) -> tuple[dict[str, dict[str, Any] | None], dict[tuple[str, str], str]]:
        """The laws by their names, and the name of the law of each pair of groups that see each other."""
        known: dict[str, dict[str, Any] | None] = {}
        pairs: dict[tuple[str, str], str] = {}
        for name, held in self.blocks("TACT_BEHAV.DAT", must=True):
            if name == "behav":
                for record in _datbox.records(held):
                    words = record[0].split()
                    kind = words[1] if len(words) > 1 else "?"
                    known[words[0]] = self.law(words[0], kind, _datbox.entries(record))
            elif name == "seety":
                for line in held:
                    words = line.split()
                    if len(words) >= 7 and words[0] != "cdbdy":
                        first, second = sorted((f"{words[1]} {words[2]}", f"{words[5]} {words[6]}"))
                        pairs[first, second] = words[3]
        return known, pairs

    def law(self, name: str, kind: str, found: dict[str, float]) -> dict[str, Any] | None:
        law = _contactors.law(kind, found)
        if law is None:
            instead = _contactors.INSTEAD.get(kind, "give them a law")
            self.leave_out(f"law {name} of kind {kind}: pairs with it pass through each other; {instead}")
        elif kind in _contactors.SIMPLER:
            self.leave_out(f"law {name} of kind {kind}: {_contactors.SIMPLER[kind]}")
        return law

    def laws_between(
        self, known: dict[str, dict[str, Any] | None], pairs: dict[tuple[str, str], str]
    ) -> list[dict[str, Any]]:
        groups = {body["group"] for body in self.bodies.values()}
        laws: list[dict[str, Any]] = [{"between": ["*", "*"], "none": {}}]
        for (first, second), name in pairs.items():
            law = known.get(name)
            if name not in known:
                self.leave_out(f"law {name}: it is not in TACT_BEHAV.DAT")
            elif law is not None and first in groups and second in groups:
                laws.append({"between": [first, second], **law})
        return laws
