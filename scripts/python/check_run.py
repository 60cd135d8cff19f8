#!/usr/bin/env python3
"""Opens every file of a Drystone run folder as its users would: with h5py, with VTK's reader and with PyVista.

Usage: check_run.py FOLDER [--same-as OTHER] [--no-vtk]

Checks that every frame is there in each of them, with the right number of points, the right time, all arrays, and
finite numbers only; with --same-as also that another folder holds the same content to the last bit. Prints what is
wrong and exits with 1, or prints a line for each file and exits with 0. Needs h5py and numpy; vtk and pyvista unless
--no-vtk is given.
"""

import argparse
import csv
import json
import math
import sys
import zlib
from pathlib import Path

import h5py
import numpy as np

POINT_ARRAYS = {
    "bodies": {
        "id": 1,
        "group": 1,
        "radius": 1,
        "velocity": 3,
        "spin": 3,
        "orientation_wxyz": 4,
        "kinetic_energy": 1,
        "contact_force": 3,
    },
    "contacts": {
        "gap": 1,
        "status": 1,
        "impulse": 3,
        "force": 3,
        "normal": 3,
        "tangent": 3,
        "relative_velocity": 3,
        "bodies": 2,
        "contactors": 2,
        "feature": 1,
    },
    "surfaces": {"velocity": 3},
    "ties": {"force": 3, "tension": 1, "broken": 1, "tie": 1},
    "elements": {
        "displacement": 3,
        "velocity": 3,
        "stress": 6,
        "strain": 6,
        "von_mises_stress": 1,
        "principal_stresses": 3,
        "plastic_strain": 6,
        "accumulated_plastic_strain": 1,
    },
}
CELL_ARRAYS = {
    "bodies": {},
    "contacts": {},
    "surfaces": {"body": 1, "group": 1, "mass": 1},
    "ties": {},
    "elements": {"body": 1, "group": 1},
}
# where bodies come and go
OPEN_CELL_ARRAYS = {**CELL_ARRAYS, "surfaces": {"id": 1, "generation": 1, "group": 1, "mass": 1}}
KINDS = ("Vertices", "Lines", "Polygons")


class Wrong(Exception):
    """Something in the folder is not as it should be."""


def expect(condition, message):
    if not condition:
        raise Wrong(message)


def components(dataset):
    return 1 if dataset.ndim == 1 else dataset.shape[1]


class History:
    """One history file, read with h5py alone: what VTK must show is derived from it."""

    def __init__(self, path, kind):
        self.path, self.kind = path, kind
        with h5py.File(path, "r") as file:
            root = file["VTKHDF"]
            kind_of_data = root.attrs["Type"]
            kind_of_data = kind_of_data.decode() if isinstance(kind_of_data, bytes) else kind_of_data
            expect(kind_of_data == ("UnstructuredGrid" if kind == "elements" else "PolyData"), f"Type is {kind_of_data!r}")
            expect(list(root.attrs["Version"]) == [2, 0], f"Version is {root.attrs['Version']}")
            steps = root["Steps"]
            self.times = steps["Values"][()]
            self.frames = int(steps.attrs["NSteps"])
            expect(self.frames == len(self.times), f"NSteps {self.frames}, but {len(self.times)} times")
            self.steps = root["FieldData/step"][()]
            named = kind == "bodies" and "names" in file["drystone"]
            self.names = [name.decode() for name in file["drystone/names"][()]] if named else []
            self.point_offsets = steps["PointOffsets"][()]
            self.parts = steps["PartOffsets"][()]
            self.counts = root["NumberOfPoints"][()][self.parts]
            groups = [""] if kind == "elements" else [f"{cell}/" for cell in KINDS]
            self.cells = sum(root[f"{group}NumberOfCells"][()][self.parts] for group in groups)
            beginnings = steps["ConnectivityIdOffsets"][()].reshape(self.frames, -1)
            self.corners = []
            for column, group in enumerate(groups):
                counts = root[f"{group}NumberOfConnectivityIds"][()][self.parts]
                self.corners.append((root[f"{group}Connectivity"][()], beginnings[:, column], counts))
            self.types = root["Types"][()] if kind == "elements" else None
            self.points = root["Points"][()]
            self.point_data = {name: root["PointData"][name][()] for name in root["PointData"]}
            self.cell_data = {name: root["CellData"][name][()] for name in root["CellData"]}
            self.data_offsets = {name: steps["PointDataOffsets"][name][()] for name in root["PointData"]}
            self.cell_offsets = {name: steps["CellDataOffsets"][name][()] for name in root["CellData"]}
            self.cell_arrays = (OPEN_CELL_ARRAYS if "generation" in root["CellData"] else CELL_ARRAYS)[kind]
            # hard links are visited once, under their first name
            self.every = {}
            file.visititems(lambda name, item: self.keep(name, item))

    def keep(self, name, item):
        if isinstance(item, h5py.Dataset):
            self.every[name] = item[()]

    def check(self):
        expect(self.frames > 0, "no frames")
        expect(np.all(np.diff(self.times) > 0), "times do not increase")
        expect(np.all(np.diff(self.steps) > 0), "steps do not increase")
        expect(len(self.steps) == self.frames, "steps and times differ in number")
        for wanted, held in ((POINT_ARRAYS[self.kind], self.point_data), (self.cell_arrays, self.cell_data)):
            for name, width in wanted.items():
                expect(name in held, f"array {name} is missing")
                found = 1 if held[name].ndim == 1 else held[name].shape[1]
                expect(found == width, f"array {name} has {found} components, not {width}")
        for name, values in [("Points", self.points), *self.point_data.items(), *self.cell_data.items()]:
            expect(np.all(np.isfinite(values.astype(float))), f"array {name} is not finite")
        end = int(self.point_offsets[-1] + self.counts[-1])
        expect(len(self.points) == end, f"{len(self.points)} points, the last frame ends at {end}")
        for name in POINT_ARRAYS[self.kind]:
            end = int(self.data_offsets[name][-1] + self.counts[-1])
            expect(len(self.point_data[name]) == end, f"array {name} has {len(self.point_data[name])} rows, not {end}")
        if self.kind == "bodies":
            expect(not self.names or len(self.names) == self.counts[0], "names and bodies differ in number")
            norms = np.linalg.norm(self.point_data["orientation_wxyz"], axis=1)
            expect(np.allclose(norms, 1.0, atol=1e-9), "orientations are not unit quaternions")
        if self.kind == "contacts":
            expect(set(np.unique(self.point_data["status"])) <= {0, 1, 2}, "unknown status")
            norms = np.linalg.norm(self.point_data["normal"], axis=1)
            expect(np.allclose(norms, 1.0, atol=1e-9), "normals are not unit vectors")

    def frame(self, index):
        """Points and arrays of a frame, as the format defines them."""
        count = int(self.counts[index])
        start = int(self.point_offsets[index])
        arrays = {}
        for name, values in self.point_data.items():
            first = int(self.data_offsets[name][index])
            arrays[name] = values[first : first + count]
        return self.points[start : start + count], arrays


def check_frame_of(polydata, history, index, reader):
    """Compares what a VTK reader gives for a frame with the file."""
    from vtkmodules.util.numpy_support import vtk_to_numpy

    where = f"{reader}, frame {index}"
    points, arrays = history.frame(index)
    found = polydata.GetNumberOfPoints()
    expect(found == len(points), f"{where}: {found} points, not {len(points)}")
    cells = polydata.GetNumberOfCells()
    expect(cells == history.cells[index], f"{where}: {cells} cells, not {history.cells[index]}")
    if len(points):
        shown = vtk_to_numpy(polydata.GetPoints().GetData())
        expect(np.array_equal(shown, points), f"{where}: points differ")
    for name in POINT_ARRAYS[history.kind]:
        array = polydata.GetPointData().GetArray(name)
        expect(array is not None, f"{where}: array {name} is missing")
        expect(np.array_equal(vtk_to_numpy(array), arrays[name]), f"{where}: array {name} differs")
    if history.kind == "elements":
        types = [polydata.GetCellType(cell) for cell in range(cells)]
        expect(np.array_equal(types, history.types), f"{where}: types of cells differ")
        joined = [polydata.GetCells()]
    else:
        joined = [polydata.GetVerts(), polydata.GetLines(), polydata.GetPolys()]
    for kind, (found, corners) in enumerate(zip(joined, history.corners)):
        connectivity, beginnings, counts = corners
        first = int(beginnings[index])
        wanted = connectivity[first : first + int(counts[index])]
        expect(np.array_equal(vtk_to_numpy(found.GetConnectivityArray()), wanted), f"{where}: cells of kind {kind} differ")
    for name in history.cell_arrays:
        array = polydata.GetCellData().GetArray(name)
        expect(array is not None, f"{where}: cell array {name} is missing")
        first = int(history.cell_offsets[name][index])
        wanted = history.cell_data[name][first : first + cells]
        expect(np.array_equal(vtk_to_numpy(array), wanted), f"{where}: cell array {name} differs")
    step = polydata.GetFieldData().GetArray("step")
    expect(step is not None, f"{where}: field array step is missing")
    expect(step.GetNumberOfTuples() == 1 and step.GetValue(0) == history.steps[index], f"{where}: wrong step")


def check_with_vtk(history):
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
    from vtkmodules.vtkIOHDF import vtkHDFReader

    reader = vtkHDFReader()
    reader.SetFileName(str(history.path))
    reader.UpdateInformation()
    information = reader.GetOutputInformation(0)
    times = information.Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS()) or ()
    expect(np.array_equal(times, history.times), f"VTK: times are {times[:3]} …")
    # once by the time the reader names, once by the time a person types
    for index, time in enumerate(times):
        for asked in {time, float(f"{time:.10g}")}:
            reader.UpdateTimeStep(asked)
            check_frame_of(reader.GetOutputDataObject(0), history, index, "VTK")


def check_with_pyvista(history):
    import pyvista

    check_frame_of(pyvista.read(str(history.path)), history, 0, "PyVista")
    # this reader of PyVista has no times of its own yet, but shows the VTK one inside
    reader = pyvista.get_reader(str(history.path))
    for index in sorted({0, history.frames // 2, history.frames - 1}):
        reader.reader.SetStep(index)
        check_frame_of(reader.read(), history, index, "PyVista")


def check_table(path, steps=None):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    expect(rows, "empty")
    width = len(rows[0])
    expect(all(len(row) == width for row in rows), "rows of different length")
    expect(all(math.isfinite(float(cell)) for row in rows[1:] for cell in row), "a number is not finite")
    numbers = [int(row[0]) for row in rows[1:]]
    first = numbers[0] if numbers else 0
    expect(numbers == list(range(first, first + len(numbers))), "steps are missing or doubled")
    if steps is not None and numbers:
        expect(numbers[-1] >= steps, f"ends at step {numbers[-1]}, the frames at {steps}")
    return len(numbers)


def check_checkpoint(path):
    """The name of the format, the checksum, the rest."""
    content = path.read_bytes()
    head, _, rest = content.partition(b"\0")
    expect(head.startswith(b"drystone checkpoint v"), "not a checkpoint")
    checksum, rest = int.from_bytes(rest[:8], "little"), rest[8:]
    expect(checksum == zlib.crc32(rest) | (len(rest) & 0xFFFFFFFF) << 32, "the checksum does not hold")
    return f"{head.decode().strip()}, {len(rest)} bytes"


def same(a, b):
    """Whether two arrays have the same shape, type and bits."""
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def compare(history, other):
    expect(history.every.keys() == other.every.keys(), "not the same data sets")
    for name, values in history.every.items():
        if values.dtype == object:
            expect(list(values) == list(other.every[name]), f"{name} differs from the other folder")
        else:
            expect(same(values, other.every[name]), f"{name} differs from the other folder")


def check_folder(folder, other, use_vtk):
    """Yields (file, function that checks it and says what it holds)."""

    def check_history(kind):
        history = History(folder / f"{kind}.vtkhdf", kind)
        history.check()
        if use_vtk:
            check_with_vtk(history)
            check_with_pyvista(history)
        if other:
            compare(history, History(other / f"{kind}.vtkhdf", kind))
        most = int(history.counts.max())
        return f"{history.frames} frames to {history.times[-1]:g} s, up to {most} points"

    def check_csv(path):
        rows = check_table(path)
        if other:
            expect(path.read_bytes() == (other / "probes" / path.name).read_bytes(), "differs from the other folder")
        return f"{rows} rows"

    def check_scene():
        text = (folder / "scene.toml").read_text()
        try:
            import tomllib
        except ImportError:
            return "not read: needs Python 3.11"
        return f"{tomllib.loads(text)['dimension']}D"

    yield "scene.toml", check_scene
    yield "bodies.vtkhdf", lambda: check_history("bodies")
    for kind in ("contacts", "surfaces", "ties", "elements"):
        if (folder / f"{kind}.vtkhdf").exists():
            yield f"{kind}.vtkhdf", lambda kind=kind: check_history(kind)
    for path in sorted((folder / "probes").glob("*.csv")):
        yield f"probes/{path.name}", lambda path=path: check_csv(path)
    for path in sorted((folder / "checkpoints").glob("step-*.checkpoint")):
        yield f"checkpoints/{path.name}", lambda path=path: check_checkpoint(path)
    if (folder / "summary.json").exists():
        yield "summary.json", lambda: f"{len(json.loads((folder / 'summary.json').read_text()))} entries"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--same-as", type=Path, metavar="OTHER", help="folder that must hold the same content")
    parser.add_argument("--no-vtk", action="store_true", help="h5py only")
    arguments = parser.parse_args()
    if not arguments.folder.is_dir():
        print(f"{arguments.folder}: no such folder", file=sys.stderr)
        return 1
    failures = 0
    for name, check in check_folder(arguments.folder, arguments.same_as, not arguments.no_vtk):
        try:
            print(f"{name}: {check()}")
        except Exception as error:  # whatever a reader throws is a failure of the file
            failures += 1
            print(f"{name}: WRONG: {type(error).__name__}: {error}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
