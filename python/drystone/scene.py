"""Scenes: what there is and what happens, the tables of a scene file as an object."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from drystone._drystone import NativeScene, SceneError
from drystone.simulation import Simulation

if TYPE_CHECKING:
    from drystone.spec import SceneSpec


class Scene:
    """A scene that was read and checked. It never changes; :meth:`replace` makes another one.

    A scene is made of the tables of a scene file, as a dict. Numbers may be those of numpy, lists may be
    arrays, entries that are ``None`` count as not given. SI units; y up in 2D, z up in 3D.

    >>> import drystone
    >>> scene = drystone.Scene({
    ...     "dimension": 2,
    ...     "time": {"step": 1e-3, "duration": 0.5},
    ...     "body": [
    ...         {"name": "floor", "shape": {"line": {}}, "fixed": True},
    ...         {"name": "ball", "shape": {"disk": {"radius": 0.1}}, "density": 1000, "position": [0, 0.2]},
    ...     ],
    ...     "law": [{"between": ["*", "*"], "inelastic": {"friction": 0.5}}],
    ... })
    >>> scene.body_names
    ['floor', 'ball']
    >>> scene.replace({"time.duration": 2.0}).duration
    2.0

    What is wrong with a scene is told with its place, what is allowed, and what was perhaps meant:

    >>> scene.replace({"body.1.densty": 3.0})
    Traceback (most recent call last):
    ...
    drystone.SceneError: <dict>:...
    """

    __slots__ = ("_native",)
    _native: NativeScene

    def __init__(self, spec: SceneSpec | Mapping[str, Any], *, base: str | os.PathLike[str] = "") -> None:
        """From the tables of a scene. Files that it names are sought in the folder ``base``."""
        if not isinstance(spec, Mapping):
            kind = type(spec).__name__
            raise TypeError(
                f"a scene cannot be made of a {kind}; allowed are the tables of a scene file, a dict"
            )
        file = os.path.join(os.fspath(base), "<dict>")
        self._native = NativeScene.from_dict(dict(cast("Mapping[str, Any]", spec)), file)

    @classmethod
    def _of(cls, native: NativeScene) -> Scene:
        scene = cls.__new__(cls)
        scene._native = native
        return scene

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, allow_outside: bool = False) -> Scene:
        """Reads a scene file. Files that it names are sought beside it; with ``allow_outside`` they may lie
        anywhere, which is for scenes you trust."""
        return cls._of(NativeScene.load(path, allow_outside))

    @classmethod
    def from_toml(cls, text: str, *, base: str | os.PathLike[str] = "") -> Scene:
        """From the text of a scene file. Files that it names are sought in the folder ``base``."""
        return cls._of(NativeScene.parse(text, os.path.join(os.fspath(base), "<text>")))

    def to_toml(self) -> str:
        """The scene as a file, every default written out, samples as bodies: it builds the same bits."""
        return self._native.to_toml()

    def to_dict(self) -> SceneSpec:
        """The same as a dict."""
        return cast("SceneSpec", self._native.to_dict())

    def as_written(self) -> dict[str, Any]:
        """The scene as it was written: no defaults, samples as samples. A copy, to be changed freely."""
        return self._native.written_dict()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes :meth:`to_toml` into a file."""
        Path(path).write_text(self.to_toml(), encoding="utf-8")

    def replace(self, changes: Mapping[str, Any]) -> Scene:
        """The scene with other entries, named by their way through the tables as they were written.

        Keys are parted by dots; a number counts the entries of a list from 0. ``None`` takes an entry away.
        A function of the dict, under any name that ends with ``()``, is called with it.

        >>> import drystone
        >>> ball = {"name": "ball", "shape": {"sphere": {"radius": 0.1}}, "density": 1000}
        >>> scene = drystone.Scene({"dimension": 3, "time": {"step": 1e-3, "duration": 1.0}, "body": [ball]})
        >>> scene.replace({"time.duration": 2.0, "body.0.density": 500, "title": "light"}).title
        'light'
        """
        spec = self.as_written()
        for path, value in changes.items():
            if path.endswith("()"):
                cast("Callable[[dict[str, Any]], object]", value)(spec)
            else:
                _put(spec, path, value)
        return Scene(spec, base=os.path.dirname(self._native.file))

    def build(self) -> Simulation:
        """Builds the simulation."""
        return Simulation(self)

    @property
    def title(self) -> str:
        """What the scene shows, in one line."""
        return self._native.title

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._native.dimension

    @property
    def step(self) -> float:
        """Time step [s]."""
        return self._native.step

    @property
    def duration(self) -> float:
        """Length of the run [s]."""
        return self._native.duration

    @property
    def interval(self) -> float:
        """Time between two frames of a run folder [s]."""
        return self._native.interval

    @property
    def body_names(self) -> list[str]:
        """Names of the bodies, those of samples included."""
        return self._native.body_names

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scene) and self._native.equals(other._native)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        title = f" {self.title!r}" if self.title else ""
        return (
            f"<drystone.Scene{title}: {len(self.body_names)} bodies in {self.dimension}D, {self.duration} s>"
        )

    def __reduce__(self) -> tuple[Callable[..., Scene], tuple[str, str, str]]:
        return _revive, (self._native.to_toml(), self._native.written, self._native.file)


def _revive(complete: str, written: str, file: str) -> Scene:
    return Scene._of(NativeScene.revive(complete, written, file))


def _put(spec: dict[str, Any], path: str, value: Any) -> None:
    keys = path.split(".")
    table: Any = spec
    for depth, key in enumerate(keys):
        last = depth == len(keys) - 1
        if isinstance(table, list):
            if not key.isdigit() or int(key) >= len(table):
                way = ".".join(keys[:depth])
                raise SceneError(
                    f"{path}: {way} is a list of {len(table)}, and {key} is none of 0 to {len(table) - 1}"
                )
            if last:
                table[int(key)] = copy.deepcopy(value)
            else:
                table = table[int(key)]
        elif isinstance(table, dict):
            if last and value is None:
                table.pop(key, None)
            elif last:
                table[key] = copy.deepcopy(value)
            else:
                table = table.setdefault(key, {})
        else:
            raise SceneError(f"{path}: {'.'.join(keys[:depth])} is a {type(table).__name__}, no table")
