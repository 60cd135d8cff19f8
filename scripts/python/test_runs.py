#!/usr/bin/env python3
"""Runs scenes with the command and reads every file it writes with tools that know nothing of Drystone.

Usage: test_runs.py PATH-TO-DRYSTONE

Each function named test_* gets the path of the command and an empty folder. Prints a line for each and ends with
'N passed, N failed'; exits with 1 if one failed. Needs h5py, numpy, vtk and pyvista.
"""

import csv
import json
import math
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

import h5py
import numpy as np

HERE = Path(__file__).resolve().parent
SCENES = HERE.parent.parent / "scenes"

GRAVITY = 9.81

DISK = """
dimension = 2
time = { step = 1e-3, duration = 1.0 }
output.interval = 0.1
[[body]]
name = "ground"
shape.line = {}
fixed = true
[[body]]
name = "disk"
shape.disk.radius = 0.25
density = 1000
position = [0.5, 0.5]
[[law]]
between = ["*", "*"]
inelastic.friction = 0.5
[[probe]]
name = "disk"
body = "disk"
quantities = ["position", "velocity", "angle", "spin", "force", "energy"]
"""

SPHERE_AND_BOX = """
dimension = 3
time = { step = 1e-3, duration = 0.5 }
output.interval = 0.05
[[body]]
name = "ground"
shape.plane = {}
fixed = true
[[body]]
name = "box"
shape.box.size = [0.4, 0.3, 0.2]
density = 2000
position = [0.0, 0.0, 0.1]
[[body]]
name = "sphere"
shape.sphere.radius = 0.1
density = 1000
position = [0.0, 0.0, 0.3]
[[law]]
between = ["*", "*"]
inelastic.friction = 0.5
[[probe]]
name = "box"
body = "box"
quantities = ["position", "orientation", "spin", "force"]
"""


def run(drystone, scene, folder, *more):
    """Runs a scene, by its path or its text, and gives its summary."""
    if not isinstance(scene, Path):
        path = folder.parent / f"{folder.name}.toml"
        path.write_text(scene)
        scene = path
    done = subprocess.run(
        [drystone, "run", scene, "-o", folder, "--json", *more], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr}"
    said = json.loads(done.stdout.splitlines()[-1])
    assert said == json.loads((folder / "summary.json").read_text())
    return said


def check(folder, *more):
    """Reads every file of a folder with h5py, VTK and PyVista."""
    done = subprocess.run(
        [sys.executable, HERE / "check_run.py", folder, *more], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def table(path):
    """The columns of a CSV file by their titles."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return {title: np.array([float(row[title]) for row in rows]) for title in rows[0]}


def last_frame(path, name):
    """The rows of an array that belong to the last frame."""
    with h5py.File(path, "r") as file:
        root = file["VTKHDF"]
        rows = root["Points"] if name == "Points" else root["PointData"][name]
        count = int(root["NumberOfPoints"][-1])
        return rows[len(rows) - count :]


def close(a, b, tolerance):
    assert np.all(np.abs(np.asarray(a) - np.asarray(b)) <= tolerance), f"{a} is not {b} within {tolerance}"


def test_disk_comes_to_rest_on_the_ground(drystone, home):
    """In the plane: falls freely, rests at y = radius, and the ground carries its weight."""
    folder = home / "disk"
    said = run(drystone, DISK, folder)
    report = check(folder)
    for name in ("bodies.vtkhdf", "contacts.vtkhdf", "surfaces.vtkhdf", "probes/steps.csv", "probes/disk.csv"):
        assert name in report, f"{name} was not checked:\n{report}"
    assert said["outcome"] == "completed" and said["steps"] == 1000 and said["steps_not_converged"] == 0
    weight = 1000 * math.pi * 0.25**2 * GRAVITY
    probe = table(folder / "probes/disk.csv")
    assert len(probe["step"]) == 1001
    # free fall until it touches, at sqrt(2 * 0.25 m / g) = 0.226 s
    early = probe["time [s]"] < 0.22
    close(probe["position y [m]"][early], 0.5 - GRAVITY * probe["time [s]"][early] ** 2 / 2, 1e-12)
    close(probe["force y [N]"][early], 0.0, 0.0)
    # rest after it: not into the ground, and not above it by more than the last step of its fall
    close(probe["velocity y [m/s]"][-1], 0.0, 1e-9)
    close(probe["position y [m]"][-1], 0.25, 1e-6)
    close(probe["force y [N]"][-1], weight, 1e-6 * weight)
    close(probe["force x [N]"][-1], 0.0, 1e-6 * weight)
    # the same numbers in the histories
    close(last_frame(folder / "bodies.vtkhdf", "Points")[1], [0.5, probe["position y [m]"][-1], 0.0], 1e-15)
    close(last_frame(folder / "contacts.vtkhdf", "force"), [[0.0, weight, 0.0]], 1e-6 * weight)
    close(last_frame(folder / "contacts.vtkhdf", "normal"), [[0.0, 1.0, 0.0]], 1e-15)
    # what the shock took is what the fall gave, and the table of all steps agrees with the summary
    steps = table(folder / "probes/steps.csv")
    close(steps["shocks [J]"][-1], weight * 0.25, 1e-2 * weight)
    close(steps["shocks [J]"][-1], said["energy"]["dissipated_shocks"], 1e-9)
    assert int(steps["iterations"].sum()) == said["iterations_total"]
    assert abs(said["energy"]["balance_error"]) < 1e-9


def test_sphere_on_a_box_in_space(drystone, home):
    """In space: the sphere rests on the box, the box on the ground, and every contact carries what is above it."""
    folder = home / "pile"
    said = run(drystone, SPHERE_AND_BOX, folder)
    check(folder)
    assert said["dimension"] == 3 and said["bodies"] == 3
    sphere = 1000 * 4 / 3 * math.pi * 0.1**3 * GRAVITY
    box = 2000 * 0.4 * 0.3 * 0.2 * GRAVITY
    close(last_frame(folder / "bodies.vtkhdf", "Points")[1:, 2], [0.1, 0.3], 1e-6)
    forces = last_frame(folder / "contacts.vtkhdf", "force")
    pairs = last_frame(folder / "contacts.vtkhdf", "bodies")
    on_ground = np.any(pairs == 0, axis=1)
    assert on_ground.sum() == 4 and len(pairs) == 5, pairs
    # forces act on the candidate: upwards on the upper body, or downwards on the lower one
    carried = np.abs(forces[on_ground].sum(axis=0))
    close(carried, [0.0, 0.0, sphere + box], 1e-6 * (sphere + box))
    close(np.abs(forces[~on_ground].sum(axis=0)), [0.0, 0.0, sphere], 1e-6 * (sphere + box))
    probe = table(folder / "probes/box.csv")
    close(probe["force z [N]"][-1], box, 1e-6 * (sphere + box))
    close(probe["orientation w [-]"][-1], 1.0, 1e-9)


def test_every_kind_of_scene_is_read_by_others(drystone, home):
    """Scenes of the project with every shape and law, shortened."""
    names = ("falling-disks", "arch", "stack", "validation/bounce", "validation/incline", "validation/roll-sphere")
    for name in names:
        folder = home / Path(name).name
        run(drystone, SCENES / f"{name}.toml", folder, "--steps", "60")
        check(folder)


def test_a_resumed_run_has_the_same_files(drystone, home):
    """Stopped half way and resumed: every data set of every file has the same bits."""
    for name in ("falling-disks", "stack"):
        whole, pieces = home / f"{name}-whole", home / f"{name}-pieces"
        run(drystone, SCENES / f"{name}.toml", whole, "--steps", "90")
        run(drystone, SCENES / f"{name}.toml", pieces, "--steps", "37")
        check(pieces)
        subprocess.run([drystone, "resume", pieces, "--steps", "90", "--quiet"], check=True)
        check(pieces, "--same-as", whole)


def many_disks(output):
    """Disks in a lattice on the ground, more than a run writes the surfaces of unasked."""
    disks = "".join(
        f"{{ name = 'disk {k}', shape.disk.radius = 0.1, density = 1000, position = [{0.3 * (k % 30)}, {0.1 + 0.3 * (k // 30)}] }},\n"
        for k in range(660)
    )
    return (
        "dimension = 2\ntime = { step = 2e-3, duration = 0.01 }\n"
        f"output = {{ interval = 4e-3{output} }}\n"
        "law = [{ between = ['*', '*'], inelastic.friction = 0.5 }]\n"
        f"body = [{{ name = 'ground', shape.line = {{}}, fixed = true }},\n{disks}]\n"
    )


def test_surfaces_made_later_are_those_written_at_once(drystone, home):
    """export --vtk and --surfaces of a run that left them out, beside one that was asked for them."""
    import pyvista

    later, at_once = home / "later", home / "at-once"
    run(drystone, many_disks(""), later)
    run(drystone, many_disks(", surfaces = true"), at_once)
    assert not (later / "surfaces.vtkhdf").exists() and (at_once / "surfaces.vtkhdf").exists()
    seen = {}
    for folder in (later, at_once):
        files = home / f"{folder.name}-vtk"
        subprocess.run([drystone, "export", folder, "--vtk", files], check=True, capture_output=True)
        reader = pyvista.get_reader(files / "surfaces.pvd")
        close(reader.time_values, [0.0, 0.004, 0.008, 0.01], 1e-12)
        meshes = []
        for time in reader.time_values:
            reader.set_active_time_value(time)
            meshes.append(reader.read()[0])
        seen[folder] = meshes
    assert not (later / "surfaces.vtkhdf").exists(), "an export writes nothing into the folder of the run"
    for one, other in zip(seen[later], seen[at_once]):
        assert one.n_points == other.n_points > 20_000 and one.n_cells == other.n_cells
        close(one.points, other.points, 1e-6)
        assert np.array_equal(one.cell_data["body"], other.cell_data["body"])
    subprocess.run([drystone, "export", later, "--surfaces"], check=True, capture_output=True)
    check(later)
    with h5py.File(later / "surfaces.vtkhdf") as one, h5py.File(at_once / "surfaces.vtkhdf") as other:
        assert np.array_equal(one["VTKHDF/Points"], other["VTKHDF/Points"])


def test_contacts_are_whole_in_a_frame_without_any(drystone, home):
    """pyvista.read gives the first frame, before the first contact: no point, but every array as wide as ever."""
    import pyvista

    folder = home / "disk"
    run(drystone, DISK, folder)
    # whoever reads it is told nothing that sounds like a broken file
    program = f"import pyvista; print(pyvista.read({str(folder / 'contacts.vtkhdf')!r}).n_arrays)"
    told = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert told.returncode == 0 and not told.stderr and int(told.stdout) >= 11, told
    first = pyvista.read(folder / "contacts.vtkhdf")
    reader = pyvista.get_reader(folder / "contacts.vtkhdf")
    reader.reader.SetStep(reader.reader.GetNumberOfSteps() - 1)
    last = reader.read()
    assert first.n_points == 0 and last.n_points == 1
    assert set(first.point_data.keys()) == set(last.point_data.keys()) >= {"force", "gap", "status"}
    for name in last.point_data:
        assert first.point_data[name].shape[1:] == last.point_data[name].shape[1:], name


def test_the_page_on_reading_results_is_so(drystone, home):
    """Every block of Python of the page runs as it is printed."""
    subprocess.run([drystone, "new", "arch"], cwd=home, check=True, capture_output=True)
    subprocess.run([drystone, "run", "arch.toml", "--steps", "400", "--quiet"], cwd=home, check=True)
    page = (HERE.parent.parent / "docs/src/tutorial/reading-results.md").read_text(encoding="utf-8")
    blocks = [part.split("```")[0] for part in page.split("```python\n")[1:]]
    assert len(blocks) >= 5
    # imports of a block serve those after it
    program = "import matplotlib\nmatplotlib.use('Agg')\n" + "\n".join(blocks)
    done = subprocess.run([sys.executable, "-c", program], cwd=home, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "contacts slide" in done.stdout


def test_output_without_contacts_and_surfaces(drystone, home):
    """A scene may ask for the bodies alone."""
    folder = home / "bare"
    run(drystone, DISK.replace("output.interval = 0.1", "output = { interval = 0.1, contacts = false, surfaces = false }"), folder)
    check(folder)
    assert not (folder / "contacts.vtkhdf").exists() and not (folder / "surfaces.vtkhdf").exists()


def test_the_check_can_fail(drystone, home):
    """A damaged file is noticed, or the checks above prove nothing."""
    folder = home / "damaged"
    run(drystone, DISK, folder, "--steps", "200")
    with h5py.File(folder / "bodies.vtkhdf", "r+") as file:
        file["VTKHDF/PointData/velocity"][1, 0] = math.nan
    try:
        check(folder)
    except AssertionError:
        return
    raise AssertionError("a velocity that is not a number went through")


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    drystone = Path(sys.argv[1]).resolve()
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    failed = 0
    for name, test in tests:
        with tempfile.TemporaryDirectory() as home:
            try:
                test(drystone, Path(home))
                print(f"test {name} ... ok", flush=True)
            except Exception:  # whatever goes wrong is a failure of this test alone
                failed += 1
                print(f"test {name} ... FAILED\n{traceback.format_exc()}", flush=True)
    print(f"python test result: {'ok' if not failed else 'FAILED'}. {len(tests) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
