#!/usr/bin/env python3
"""Siconos' solvers and ours on the same FCLIB problems, in one run, on one thread, from zero impulses.

Needs Siconos, h5py and SciPy in the Python that runs it (Debian: python3-siconos python3-h5py python3-scipy, run by
Debian's own python3). None of them is a dependency of Drystone.

    python3 compare_siconos.py FOLDER --drystone target/release/drystone

Prints a table in Markdown for each tolerance: processor seconds in the solver alone, so that what else the machine does
counts for neither, and x where the error that Siconos reports, recomputed here, is not within the tolerance. Of ours it
is the smaller of the wall clock in the solver and the processor time of the whole command, both of them upper bounds.
Global problems are condensed first, for both.
"""

import argparse
import json
import math
import multiprocessing
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

# before NumPy and Siconos load: one thread for both
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import h5py
import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

# a solve shorter than this is repeated, and the fastest counts
SHORT, REPEATS = 0.02, 3

# on a busy machine the clock on the wall goes faster than the processor's: so much is waited for
PATIENCE = 8.0


def read_matrix(group):
    """A sparse matrix of an FCLIB file, in any of its layouts."""
    shape = (int(group["m"][0]), int(group["n"][0]))
    layout, p, i, x = int(group["nz"][0]), group["p"][:], group["i"][:], group["x"][:]
    if layout == -1:
        return sparse.csc_matrix((x, i, p), shape=shape)
    if layout == -2:
        return sparse.csr_matrix((x, i, p), shape=shape)
    return sparse.coo_matrix((x[:layout], (i[:layout], p[:layout])), shape=shape).tocsc()


def read_problem(path):
    """W, q and the friction of a file; None for what is compared nowhere (the plane, rolling)."""
    with h5py.File(path, "r") as file:
        if "fclib_local" in file and int(file["fclib_local/spacedim"][0]) == 3:
            group = file["fclib_local"]
            return read_matrix(group["W"]).tocsc(), group["vectors/q"][:], group["vectors/mu"][:]
        if "fclib_global" in file and int(file["fclib_global/spacedim"][0]) == 3:
            group = file["fclib_global"]
            h, lu = read_matrix(group["H"]).tocsc(), splu(read_matrix(group["M"]).tocsc())
            w = h.T @ lu.solve(h.toarray())
            q = h.T @ lu.solve(group["vectors/f"][:]) + group["vectors/w"][:]
            return sparse.csc_matrix(w), q, group["vectors/mu"][:]
    return None


def error(w, q, mu, r):
    """The error that Siconos reports for a local problem."""
    u = w @ r + q
    u3, r3 = u.reshape(-1, 3), r.reshape(-1, 3)
    x = r3 - u3
    x[:, 0] -= mu * np.hypot(u3[:, 1], u3[:, 2])
    tangential = np.hypot(x[:, 1], x[:, 2])
    normal = (x[:, 0] + mu * tangential) / (1 + mu * mu)
    projected = np.where(normal > 0, mu * normal / np.where(tangential > 0, tangential, 1), 0)[:, None] * x
    projected[:, 0] = np.maximum(normal, 0)
    inside = (tangential <= mu * x[:, 0])[:, None]
    e = r3 - np.where(inside, x, projected)
    size = max(np.linalg.norm(q), np.linalg.norm(r), np.linalg.norm(u))
    return np.linalg.norm(e) / size if size > 0 else 0.0


def siconos_options(name, tolerance):
    """Options of one of Siconos' solvers; its defaults but for the tolerance, ρ of ADMM and patience."""
    import siconos.numerics as sn

    base = {"ADMM balanced": "ADMM", "proximal": "PROX", "extragradient": "EG"}.get(name, name)
    options = sn.SolverOptions(getattr(sn, f"SICONOS_FRICTION_3D_{base}"))
    options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 10_000_000 if base != "NSN_AC" else 10_000
    if base == "ADMM":
        balanced = name != "ADMM"
        strategy = "RESIDUAL_BALANCING" if balanced else "CONSTANT"
        options.iparam[sn.SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] = getattr(
            sn, f"SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_{strategy}"
        )
        options.iparam[sn.SICONOS_FRICTION_3D_ADMM_IPARAM_INITIAL_RHO] = sn.SICONOS_FRICTION_3D_ADMM_INITIAL_RHO_GIVEN
        options.dparam[sn.SICONOS_FRICTION_3D_ADMM_RHO] = 1.0
    return options


def siconos_worker(pipe, problem, name, tolerance, limit):
    """One solver of Siconos in a process of its own; sends the seconds and the impulses of each attempt."""
    import siconos.numerics as sn

    used = math.ceil(time.process_time() + limit) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used, used))

    # it prints at will
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    w, q, mu = problem
    wide = sparse.csc_matrix(w)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    attempts = 0
    while attempts < REPEATS:
        # blocks and compressed columns: which is faster depends on solver and problem
        for blocks in (True, False):
            matrix = sn.SBM_from_csparse(3, wide)[1] if blocks else wide
            made = sn.FrictionContactProblem(3, len(mu), matrix, q, mu)
            options = siconos_options(name, tolerance)
            r, u = np.zeros(len(q)), np.zeros(len(q))
            # with a limit on the process set, its own clock only ticks; that of the one thread runs on
            start = time.thread_time()
            sn.fc3d_driver(made, r, u, options)
            seconds = time.thread_time() - start
            pipe.send((seconds, r))
            if seconds > 0.1 * limit:
                pipe.send(None)
                return
            attempts = REPEATS if seconds > SHORT else attempts
        attempts += 1
    pipe.send(None)


def siconos_seconds(problem, name, tolerance, limit):
    """Seconds of the fastest attempt that reached the tolerance, or None."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=siconos_worker, args=(theirs, problem, name, tolerance, limit))
    process.start()
    theirs.close()
    best, deadline = None, time.monotonic() + PATIENCE * limit + 1.0
    try:
        while ours.poll(max(0.0, deadline - time.monotonic())):
            told = ours.recv()
            if told is None:
                break
            seconds, r = told
            if seconds <= limit and np.all(np.isfinite(r)) and error(*problem, r) <= tolerance * (1 + 1e-6):
                best = seconds if best is None else min(best, seconds)
    except EOFError:
        pass
    process.kill()
    process.join()
    return best


def drystone_seconds(command, path, tolerance, limit, solver):
    """The same of our command; the answer is read back and judged here."""
    best = None
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as folder:
            call = [command, "solve", path, "--solver", solver, "--tol", str(tolerance)]
            call += ["--max-seconds", str(PATIENCE * limit)]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run([*call, "--threads", "1", "--json", "-o", folder], capture_output=True, text=True)
            if done.returncode not in (0, 3):
                sys.exit(f"{path}: {done.stderr}")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            told = json.loads(done.stdout)
            with h5py.File(pathlib.Path(folder) / pathlib.Path(path).name) as file:
                r = file["solution/r"][:]
        problem = read_problem(path)
        seconds = min(told["seconds"], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        reached = told["converged"] and error(*problem, r) <= tolerance * (1 + 1e-6)
        if not reached or seconds > limit:
            return best
        best = seconds if best is None else min(best, seconds)
        if seconds > SHORT:
            break
    return best


def cell(seconds):
    """Seconds with the digits that count."""
    if seconds is None:
        return "x"
    return f"{seconds:.1e}" if seconds < 1e-3 else f"{seconds:.3g}"


SICONOS = ["NSGS", "ADMM", "ADMM balanced", "NSN_AC", "proximal", "extragradient"]


def table(rows, tolerance, limit):
    """The rows as Markdown, with what they come to."""
    columns = " | ".join(SICONOS)
    lines = [
        f"Seconds to {tolerance:g}, x: not reached in {limit:g} s. Ratio: best of Siconos over Drystone.",
        "",
        f"| problem | contacts | {columns} | Drystone | ratio |",
        "|---|---:|" + "---:|" * (len(SICONOS) + 2),
    ]
    ratios = []
    for name, contacts, siconos, ours in rows:
        best = min((seconds for seconds in siconos.values() if seconds is not None), default=None)
        if ours is None:
            ratio, word = 0.0, "–" if best is None else "0"
        else:
            ratio = math.inf if best is None else best / ours
            word = "only Drystone" if best is None else f"{ratio:.2g}"
        if ours is not None or best is not None:
            ratios.append(ratio)
        cells = " | ".join(cell(siconos[solver]) for solver in SICONOS)
        lines.append(f"| {name} | {contacts} | {cells} | {cell(ours)} | {word} |")
    solved = " | ".join(str(sum(row[2][solver] is not None for row in rows)) for solver in SICONOS)
    lines.append(f"| **solved, of {len(rows)}** | | {solved} | {sum(row[3] is not None for row in rows)} | |")
    faster = sum(ratio >= 1 for ratio in ratios)
    finite = [ratio for ratio in ratios if 0 < ratio < math.inf]
    mean = math.exp(sum(math.log(ratio) for ratio in finite) / len(finite)) if finite else math.nan
    lines += [
        "",
        f"At least as fast as the best of Siconos on {faster} of {len(ratios)} problems; geometric mean of the ratio "
        f"{mean:.2g} where both solve, smallest {min(ratios, default=math.nan):.2g}.",
    ]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, nargs="+", help="folders and files")
    parser.add_argument("--drystone", default="drystone", help="our command")
    parser.add_argument("--solver", default="auto", help="our solver")
    parser.add_argument("--tol", type=float, nargs="+", default=[1e-4, 1e-8])
    parser.add_argument("--max-seconds", type=float, default=10.0)
    parser.add_argument("--min-contacts", type=int, default=11)
    parser.add_argument("--json", type=pathlib.Path, help="write all figures into this file")
    arguments = parser.parse_args()
    rows = {tolerance: [] for tolerance in arguments.tol}
    paths = []
    for given in arguments.folder:
        paths += [given] if given.is_file() else sorted(given.rglob("*.hdf5"))
    for path in paths:
        problem = read_problem(path)
        if problem is None or len(problem[2]) < arguments.min_contacts:
            continue
        for tolerance in arguments.tol:
            limit = arguments.max_seconds
            ours = drystone_seconds(arguments.drystone, str(path), tolerance, limit, arguments.solver)
            siconos = {name: siconos_seconds(problem, name, tolerance, limit) for name in SICONOS}
            rows[tolerance].append((path.stem, len(problem[2]), siconos, ours))
            print(path.stem, tolerance, cell(ours), {name: cell(s) for name, s in siconos.items()}, file=sys.stderr)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows))
    for tolerance in arguments.tol:
        print(table(rows[tolerance], tolerance, arguments.max_seconds), end="\n\n")


if __name__ == "__main__":
    main()
