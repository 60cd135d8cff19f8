#!/usr/bin/env python3
"""FCLIB files between h5py and Drystone.

    check_problem.py make FOLDER    write small problems, each with impulses and the velocities that belong to them
    check_problem.py check FILE...  check files of ours: types, layout, and that the solution is one of the problem
"""

import pathlib
import sys

import h5py
import numpy as np


def scalar(group, name, value, kind=np.int32):
    group.create_dataset(name, data=np.array([value], dtype=kind))


def put_matrix(group, name, dense, layout, kind=np.int32):
    """A dense matrix in one of the three layouts; triplets come twice, half each, with room to spare."""
    part = group.create_group(name)
    rows, columns = np.nonzero(dense)
    if layout == "triplets":
        i, p = np.tile(rows, 2)[::-1], np.tile(columns, 2)[::-1]
        x, nz = dense[i, p] / 2, 2 * len(rows)
    elif layout == "columns":
        order = np.lexsort((rows, columns))
        i, x, nz = rows[order], dense[rows[order], columns[order]], -1
        p = np.searchsorted(columns[order], np.arange(dense.shape[1] + 1))
    else:
        i, x, nz = columns, dense[rows, columns], -2
        p = np.searchsorted(rows, np.arange(dense.shape[0] + 1))
    for key, value in (("nzmax", len(x) + 5), ("m", dense.shape[0]), ("n", dense.shape[1]), ("nz", nz)):
        scalar(part, key, value, kind)
    part.create_dataset("p", data=p.astype(kind))
    part.create_dataset("i", data=i.astype(kind))
    part.create_dataset("x", data=x)


def make(folder):
    random = np.random.default_rng(1)
    for dimension in (2, 3):
        for layout, kind in (("triplets", np.int32), ("columns", np.int64), ("rows", ">i4")):
            contacts, bodies = 4, 10
            size = dimension * contacts
            r = random.normal(size=size)
            with h5py.File(folder / f"local-{dimension}-{layout}.hdf5", "w") as file:
                w, q = random.normal(size=(size, size)), random.normal(size=size)
                group = file.create_group("fclib_local")
                scalar(group, "spacedim", dimension, kind)
                put_matrix(group, "W", w, layout, kind)
                group["vectors/q"], group["vectors/mu"] = q, np.full(contacts, 0.3)
                group["info/title"] = np.bytes_(b"not UTF-8: \xe9\x00")
                file["expected/r"], file["expected/u"] = r, w @ r + q
            with h5py.File(folder / f"global-{dimension}-{layout}.hdf5", "w") as file:
                m = np.diag(random.uniform(1, 2, bodies))
                m[0, 1:3] = 0.2
                h, f = random.normal(size=(bodies, size)), random.normal(size=bodies)
                group = file.create_group("fclib_global")
                scalar(group, "spacedim", dimension, kind)
                put_matrix(group, "M", m, layout, kind)
                put_matrix(group, "H", h, layout, kind)
                group["vectors/f"], group["vectors/w"] = f, np.ones(size)
                group["vectors/mu"] = np.full(contacts, 0.3)
                v = np.linalg.solve(m, h @ r + f)
                file["expected/r"], file["expected/u"], file["expected/v"] = r, h.T @ v + 1, v


def dense_of(group):
    shape = (int(group["m"][0]), int(group["n"][0]))
    layout, p, i, x = int(group["nz"][0]), group["p"][:], group["i"][:], group["x"][:]
    found = np.zeros(shape)
    if layout >= 0:
        np.add.at(found, (i, p), x)
    else:
        lines = np.repeat(np.arange(len(p) - 1), np.diff(p))
        np.add.at(found, (lines, i) if layout == -2 else (i, lines), x)
    return found


def check(path):
    with h5py.File(path) as file:
        kind = "fclib_local" if "fclib_local" in file else "fclib_global"
        group = file[kind]
        integers = [group["spacedim"]] + [group[name][key] for name in ("W", "M", "H") if name in group
                                          for key in ("m", "n", "nz", "nzmax", "p", "i")]
        assert all(dataset.dtype == np.dtype("<i4") and dataset.ndim == 1 for dataset in integers)
        assert group["spacedim"].shape == (1,)
        assert all(group["vectors"][name].dtype == np.dtype("<f8") for name in group["vectors"])
        title = group["info/title"]
        assert title.shape == () and title.dtype.kind == "S", title
        u, r = file["solution/u"][:], file["solution/r"][:]
        if kind == "fclib_local":
            expected = dense_of(group["W"]) @ r + group["vectors/q"][:]
        else:
            assert int(group["M/nz"][0]) >= 0 and int(group["H/nz"][0]) >= 0, "triplets"
            v, h = file["solution/v"][:], dense_of(group["H"])
            balance = dense_of(group["M"]) @ v - h @ r - group["vectors/f"][:]
            assert np.linalg.norm(balance) < 1e-12 * max(1, np.linalg.norm(v))
            expected = h.T @ v + group["vectors/w"][:]
        assert np.linalg.norm(u - expected) < 1e-12 * max(1, np.linalg.norm(u)), path


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("make", "check"):
        sys.exit(__doc__)
    for path in map(pathlib.Path, sys.argv[2:]):
        make(path) if sys.argv[1] == "make" else check(path)


if __name__ == "__main__":
    main()
