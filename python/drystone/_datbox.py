"""The text of DATBOX files: blocks that begin with ``$``, records, entries ``key= value`` as Fortran writes
them. What they mean is read elsewhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from drystone._drystone import SceneError

# a large exponent takes the place of its letter: 0.1234567-100
_VALUE = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[DdEe][-+]?\d+|[-+]\d{3})?"
_ENTRY = re.compile(rf"([A-Za-z]\w*(?:\(\d+\))?)\s*=\s*({_VALUE})")
# what Fortran writes where a number does not fit, and what is none
_NO_NUMBER = re.compile(r"([A-Za-z]\w*(?:\(\d+\))?)\s*=\s*(\*+|[-+]?(?:NaN|Inf(?:inity)?)\b)", re.IGNORECASE)
_NUMBER = re.compile(_VALUE)
_TAG = re.compile(r"\s*([A-Za-z]\w{4})\s*(\d+)?")


def number(text: str) -> float:
    """A number as Fortran writes it."""
    text = re.sub(r"[Dd]", "E", text)
    return float(re.sub(r"(?<=[\d.])([-+]\d{3})$", r"E\1", text))


def numbers(text: str) -> list[float]:
    """All numbers of a text."""
    return [number(one) for one in _NUMBER.findall(text)]


def entries(lines: list[str]) -> dict[str, float]:
    """The entries ``key= value`` of some lines."""
    found: dict[str, float] = {}
    for line in lines:
        wrong = _NO_NUMBER.search(line)
        if wrong:
            raise ValueError(f"{wrong[1]}= {wrong[2]} is no number")
        for key, value in _ENTRY.findall(line):
            found[key] = number(value)
    return found


def tag(line: str) -> tuple[str, int]:
    """What a line is about, of five letters, and its number: ``RBDY2      1``; they may touch."""
    found = _TAG.match(line)
    if found is None:
        return line.split()[0] if line.split() else "?", 0
    return found[1], int(found[2] or 0)


def read_lines(path: Path) -> list[str]:
    """The lines of a file without comments and blank ones."""
    text = path.read_text(encoding="latin-1")
    whole = (line.split("!")[0].rstrip() for line in text.splitlines())
    return [line for line in whole if line.strip() and not line.lstrip().startswith("#")]


def blocks(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Name of each block and its lines."""
    name, held = "", cast("list[str]", [])
    for line in lines:
        if line.lstrip().startswith("$"):
            if name:
                yield name, held
            words = line.lstrip()[1:].split()
            name, held = words[0] if words else "$", []
        else:
            held.append(line)
    if name:
        yield name, held


def records(held: list[str]) -> Iterator[list[str]]:
    """The lines of each record of a block: one begins with two words, ``iqsc0  IQS_CLB``, and goes on with
    lines of entries.
    """
    record: list[str] = []
    for line in held:
        words = line.split("=")[0].split()
        if len(words) > 1 or ("=" not in line and words):
            if record:
                yield record
            record = [line]
        elif record:
            record.append(line)
    if record:
        yield record


def rows(lines: list[str], names: list[str]) -> list[list[float]]:
    """The numbers of each line that has entries of all these names."""
    found = [entries([line]) for line in lines]
    return [[row[name] for name in names] for row in found if all(name in row for name in names)]


def frame(found: dict[str, float]) -> NDArray[np.float64] | None:
    """A frame whose axes are columns: ``a(1)`` to ``g(3)``, or ``alp1`` to ``gam3``."""
    for names in (["a({})", "b({})", "g({})"], ["alp{}", "bet{}", "gam{}"]):
        keys = [[name.format(k) for name in names] for k in (1, 2, 3)]
        if all(key in found for row in keys for key in row):
            axes = np.array([[found[key] for key in row] for row in keys])
            if not np.allclose(axes.T @ axes, np.eye(3), atol=1e-4) or np.linalg.det(axes) < 0:
                raise ValueError(f"{keys[0][0]} to {keys[2][2]} are no three axes at right angles")
            return axes
    return None


def quaternion(rotation: NDArray[np.float64]) -> list[float]:
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
    return cast("list[float]", (found * math.copysign(1.0, found[0])).tolist())


def read_table(path: Path) -> list[list[float]]:
    """Rows of time and value of a file of an evolution."""
    if not path.is_file():
        raise SceneError(f"{path} is not there; DRV_DOF.DAT names it")
    found = [numbers(line) for line in read_lines(path)]
    if len(found) < 2 or any(len(row) != 2 for row in found):
        raise SceneError(f"{path} must have two or more lines of a time [s] and a value")
    return found
