"""Run folders read: histories of bodies, contacts, energies, tables, pictures. Read from the disk when asked
for.
"""

from __future__ import annotations

import html
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from drystone._drystone import NativeRun, RunError
from drystone._optional import package
from drystone.scene import Scene
from drystone.parts import Contacts

Floats = NDArray[np.float64]


class Table(Mapping[str, Floats]):
    """Columns of numbers by name; a name may be given without its unit."""

    def __init__(self, columns: Mapping[str, Floats], name: str) -> None:
        self._columns = dict(columns)
        self._short = {title.split(" [")[0]: title for title in self._columns}
        #: Which table it is.
        self.name = name

    def title(self, name: str) -> str:
        """Name and unit of a column."""
        title = name if name in self._columns else self._short.get(name)
        if title is None:
            raise KeyError(
                f"the table {self.name} has no column {name!r}; it has: {', '.join(self._columns)}"
            )
        return title

    def has(self, name: str) -> bool:
        """Whether there is a column of this name, with its unit or without."""
        return name in self._columns or name in self._short

    def __getitem__(self, name: str) -> Floats:
        return self._columns[self.title(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<drystone.Table {self.name}: {', '.join(self._columns)}>"

    def to_pandas(self) -> Any:
        """The same as a pandas.DataFrame."""
        pandas = package("pandas", "to_pandas")

        return pandas.DataFrame(self._columns)


class BodyHistory:
    """One body over the frames of a run: a row for each frame. Not a number where it is not there."""

    def __init__(self, run: Run, index: int, name: str) -> None:
        self._run = run
        #: Its number in the scene.
        self.index = index
        #: Its name.
        self.name = name

    def _of(self, quantity: str) -> Floats:
        return self._run._handle.history(quantity, self.index)

    @property
    def time(self) -> Floats:
        """Times of the frames [s]."""
        return self._run.times

    @property
    def position(self) -> Floats:
        """Centre of mass [m], frames × D."""
        return self._of("position")[:, : self._run.dimension]

    @property
    def velocity(self) -> Floats:
        """Velocity of the centre of mass [m/s], frames × D."""
        return self._of("velocity")[:, : self._run.dimension]

    @property
    def spin(self) -> Floats:
        """Spin in the axes of the shape [rad/s], frames × 3; in the plane frames × 1."""
        spin = self._of("spin")
        return spin[:, 2:] if self._run.dimension == 2 else spin

    @property
    def orientation_wxyz(self) -> Floats:
        """Orientation as a unit quaternion, scalar part first, frames × 4."""
        return self._of("orientation_wxyz")

    @property
    def kinetic_energy(self) -> Floats:
        """Kinetic energy [J]."""
        return self._of("kinetic_energy")[:, 0]

    @property
    def contact_force(self) -> Floats:
        """Resultant of the contact forces on it [N], frames × D."""
        return self._of("contact_force")[:, : self._run.dimension]

    def to_pandas(self) -> Any:
        """Position, velocity and contact force as a pandas.DataFrame over the time [s]."""
        pandas = package("pandas", "to_pandas")

        axes = "xyz"[: self._run.dimension]
        columns: dict[str, Floats] = {}
        for name, unit, values in [
            ("position", "m", self.position),
            ("velocity", "m/s", self.velocity),
            ("force", "N", self.contact_force),
        ]:
            columns |= {f"{name} {axis} [{unit}]": values[:, k] for k, axis in enumerate(axes)}
        return pandas.DataFrame(columns, index=pandas.Index(self.time, name="time [s]"))

    def __repr__(self) -> str:
        return f"<drystone.BodyHistory {self.name!r}: {len(self.time)} frames>"


class GroupHistory:
    """The bodies of a group over the frames of a run."""

    def __init__(self, run: Run, name: str, indices: NDArray[np.int64]) -> None:
        self._run = run
        #: Name of the group.
        self.name = name
        #: Numbers of its bodies in the scene.
        self.indices = indices

    def _of(self, quantity: str) -> Floats:
        frames = range(len(self._run.times))
        rows = [self._run._handle.bodies(quantity, frame)[self.indices] for frame in frames]
        return np.array(rows).reshape(len(frames), len(self.indices), -1)

    @property
    def position(self) -> Floats:
        """Centres of mass [m], frames × bodies × D."""
        return self._of("position")[:, :, : self._run.dimension]

    @property
    def velocity(self) -> Floats:
        """Velocities of the centres of mass [m/s], frames × bodies × D."""
        return self._of("velocity")[:, :, : self._run.dimension]

    @property
    def contact_force(self) -> Floats:
        """Resultants of the contact forces [N], frames × bodies × D."""
        return self._of("contact_force")[:, :, : self._run.dimension]

    def __len__(self) -> int:
        return len(self.indices)


class Run:
    """A run folder, finished or still being written; :meth:`refresh` sees what was written since.

    >>> import tempfile, drystone
    >>> scene = drystone.Scene({
    ...     "dimension": 2, "time": {"step": 2e-3, "duration": 0.4}, "output": {"interval": 0.1},
    ...     "body": [
    ...         {"name": "floor", "shape": {"line": {}}, "fixed": True},
    ...         {"name": "ball", "shape": {"disk": {"radius": 0.1}}, "density": 1000, "position": [0, 0.2]},
    ...     ],
    ...     "law": [{"between": ["*", "*"], "inelastic": {"friction": 0.5}}],
    ... })
    >>> folder = tempfile.mkdtemp()
    >>> with scene.build().record(folder + "/ball") as sim:
    ...     report = sim.run()
    >>> run = drystone.open(folder + "/ball")
    >>> run.times.tolist()
    [0.0, 0.1, 0.2, 0.3, 0.4]
    >>> run["ball"].position.shape
    (5, 2)
    >>> bool(run.forces_between("ball", "floor")[-1, 1] > 300.0), len(run.contacts(0.4))
    (True, 1)
    >>> run.energy["kinetic"].shape
    (200,)
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        #: The folder.
        self.path = Path(path)
        self._native: NativeRun | None = NativeRun.open(path)
        self._scene: Scene | None = None

    @property
    def _handle(self) -> NativeRun:
        if self._native is None:
            raise RunError(f"the run {self.path} is closed; open it again")
        return self._native

    def refresh(self) -> Run:
        """Sees what was written since it was opened."""
        self._native = NativeRun.open(self.path)
        return self

    def close(self) -> None:
        """Lets go of it."""
        self._native = None

    @property
    def scene(self) -> Scene:
        """The scene, every default written out."""
        if self._scene is None:
            self._scene = Scene._of(self._handle.scene())
        return self._scene

    @property
    def summary(self) -> dict[str, Any] | None:
        """What the run came to, once it has ended."""
        return self._handle.summary()

    @property
    def is_running(self) -> bool:
        """Whether a process writes it now."""
        return self._handle.is_running

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self.scene.dimension

    @property
    def times(self) -> Floats:
        """Times of the frames [s]."""
        return self._handle.times()

    @property
    def names(self) -> list[str]:
        """Names of the bodies of the scene."""
        return self.scene.body_names

    def frame_at(self, time: float) -> int:
        """Number of the frame nearest to a time [s]."""
        times = self.times
        if not len(times):
            raise RunError(f"the run {self.path} has no frame yet")
        if np.isnan(time):
            raise ValueError("the time is not a number; frames are sought by their time [s]")
        return int(np.abs(times - time).argmin())

    def __getitem__(self, name: str) -> BodyHistory:
        """The body of a name."""
        try:
            return BodyHistory(self, self.names.index(name), name)
        except ValueError:
            raise KeyError(f"no body of {self.path} is called {name!r}") from None

    def group(self, name: str) -> GroupHistory:
        """The bodies of a group."""
        return GroupHistory(self, name, self._members(name))

    def _members(self, name: str) -> NDArray[np.int64]:
        bodies = self.scene.to_dict().get("body", [])
        found = [k for k, body in enumerate(bodies) if body.get("group", "default") == name]
        if not found:
            groups = sorted({body.get("group", "default") for body in bodies})
            raise KeyError(f"no group of {self.path} is called {name!r}; it has: {', '.join(groups)}")
        return np.array(found, dtype=np.int64)

    def contacts(self, time: float) -> Contacts:
        """The contacts of the frame nearest to a time [s]."""
        return self._contacts(self.frame_at(time))

    def _contacts(self, frame: int) -> Contacts:
        arrays = self._handle.contacts(frame)
        for name in ("point", "normal", "force"):
            arrays[name] = arrays[name][:, : self.dimension]
        return Contacts(**arrays)

    def forces_between(self, a: str, b: str) -> Floats:
        """Resultant of the forces of ``b`` on ``a`` in each frame [N], frames × D; each a body or a group."""
        sides = [self._who(name) for name in (a, b)]
        total = np.zeros((len(self.times), self.dimension))
        for frame in range(len(total)):
            contacts = self._contacts(frame)
            first, second = contacts.bodies[:, 0], contacts.bodies[:, 1]
            there = np.isin(first, sides[0]) & np.isin(second, sides[1])
            back = np.isin(second, sides[0]) & np.isin(first, sides[1])
            total[frame] = contacts.force[there].sum(axis=0) - contacts.force[back & ~there].sum(axis=0)
        return total

    def _who(self, name: str) -> NDArray[np.int64]:
        if name in self.names:
            return np.array([self.names.index(name)], dtype=np.int64)
        return self._members(name)

    @property
    def tables(self) -> list[str]:
        """Names of the tables: "steps", and those of the probes."""
        return sorted(path.stem for path in (self.path / "probes").glob("*.csv"))

    def table(self, name: str) -> Table:
        """A table by its name."""
        path = self.path / "probes" / f"{name}.csv"
        if not path.is_file():
            raise KeyError(f"the run {self.path} has no table {name!r}; it has: {', '.join(self.tables)}")
        with path.open(encoding="utf-8") as file:
            titles = file.readline().rstrip("\n").split(",")
            # the last line may be one that is being written
            lines = [line for line in file if line.endswith("\n")]
        values = np.loadtxt(lines, delimiter=",", ndmin=2) if lines else np.empty((0, len(titles)))
        return Table({title: values[:, k] for k, title in enumerate(titles)}, name)

    @property
    def steps(self) -> Table:
        """The table of all steps: contacts, iterations, residual, energies."""
        return self.table("steps")

    @property
    def energy(self) -> Table:
        """Time [s] and the energies [J] of all steps."""
        steps = self.steps
        return Table(
            {title: steps[title] for title in steps if title == "time [s]" or title.endswith("[J]")}, "energy"
        )

    def to_xarray(self) -> Any:
        """Positions, velocities and contact forces of all bodies as an xarray.Dataset over time and name."""
        xarray = package("xarray", "to_xarray")

        axes = list("xyz"[: self.dimension])
        whole = GroupHistory(self, "*", np.arange(len(self.names), dtype=np.int64))
        over = ("time", "body", "axis")
        return xarray.Dataset(
            {
                "position": (over, whole.position, {"units": "m"}),
                "velocity": (over, whole.velocity, {"units": "m/s"}),
                "contact_force": (over, whole.contact_force, {"units": "N"}),
            },
            coords={"time": self.times, "body": self.names, "axis": axes},
        )

    def to_pandas(self) -> Any:
        """The table of all steps as a pandas.DataFrame."""
        return self.steps.to_pandas()

    def plot(self, x: str, y: str, *, table: str | None = None, ax: Any = None) -> Any:
        """Plots a column over another with matplotlib, and gives the axes.

        Of the table that is named, or else of the first that has both, the table of all steps before the
        others.
        """
        names = [table] if table is not None else sorted(self.tables, key=lambda name: name != "steps")
        known = [self.table(name) for name in names]
        columns = next((one for one in known if one.has(x) and one.has(y)), None)
        if columns is None:
            told = "; ".join(f"{one.name} has {', '.join(one)}" for one in known)
            raise KeyError(f"no table of {self.path} has both {x!r} and {y!r}: {told}")
        if ax is None:
            pyplot = package("matplotlib.pyplot", "plot")

            ax = pyplot.figure().add_subplot()
        ax.plot(columns[x], columns[y])
        ax.set_xlabel(columns.title(x))
        ax.set_ylabel(columns.title(y))
        return ax

    def picture(
        self,
        time: float | None = None,
        *,
        width: int = 960,
        show: Literal["bodies", "velocities", "forces", "all"] = "bodies",
        kind: Literal["png", "svg"] = "png",
    ) -> bytes:
        """A picture of the frame nearest to a time [s], by default of the last, as the bytes of a file."""
        frame = len(self.times) - 1 if time is None else self.frame_at(time)
        return self._handle.picture(max(frame, 0), width, show, kind)

    def show(self, *, height: int = 600, most: int = 16 << 20) -> View:
        """The run in a notebook: the page of ``drystone view`` in a frame ``height`` pixels high, to be
        turned and played; a picture where there is no browser. At most about ``most`` bytes of frames go
        into it.
        """
        return View(self, height, most)

    def _repr_png_(self) -> bytes | None:
        return self.picture() if len(self.times) else None

    def mesh(self, time: float | None = None) -> Any:
        """The surfaces of the bodies in the frame nearest to a time [s], by default in the last, as a
        pyvista.PolyData.
        """
        pyvista = package("pyvista", "mesh")

        path = self.path / "surfaces.vtkhdf"
        if not path.is_file():
            # large runs leave them out: they are made from the poses of the bodies
            self._handle.surfaces()
        return self._read(pyvista, path, time)

    def contact_mesh(self, time: float | None = None) -> Any:
        """The contacts of the frame nearest to a time [s], by default of the last, as a pyvista.PolyData: a
        point for each of them with its force, normal, gap and status.

        ``pyvista.read`` gives the first frame of a file instead: a run begins before its first contact.
        """
        pyvista = package("pyvista", "contact_mesh")

        path = self.path / "contacts.vtkhdf"
        if not path.is_file():
            raise RunError(f"the run {self.path} has no contacts.vtkhdf: output.contacts asks for it")
        return self._read(pyvista, path, time)

    def _read(self, pyvista: Any, path: Path, time: float | None) -> Any:
        reader = pyvista.get_reader(str(path))
        frame = len(self.times) - 1 if time is None else self.frame_at(time)
        # PyVista has no word for the time steps of this format yet
        reader.reader.SetStep(max(frame, 0))
        return reader.read()

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<drystone.Run {str(self.path)!r}>"


class View:
    """A run as a notebook shows it: the page of the viewer, or a picture."""

    def __init__(self, run: Run, height: int, most: int) -> None:
        self._run = run
        self._height = height
        self._most = most

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page into a file that a browser opens."""
        self._run._handle.page(path, self._most)

    def _repr_html_(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run.html"
            self.save(path)
            text = html.escape(path.read_text(encoding="utf-8"), quote=True)
        style = f"width: 100%; height: {self._height}px; border: 0"
        return f'<iframe srcdoc="{text}" style="{style}"></iframe>'

    def _repr_png_(self) -> bytes:
        return self._run.picture(show="all")


def open(path: str | os.PathLike[str]) -> Run:
    """Opens a run folder for reading, finished or not."""
    return Run(path)
