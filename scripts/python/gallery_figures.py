"""Runs cases of the gallery and writes down what they gave: `scenes/gallery/figures.json`, which `drystone list` shows,
and the tables of the book: `docs/src/gallery-cases.md` from the list of cases, `docs/src/gallery-table.md` from what they gave.

    python3 scripts/python/gallery_figures.py --command target/release/drystone            # quick scenes, all of them
    python3 scripts/python/gallery_figures.py --full --limit 600 janssen hopper            # full ones, these two

    python3 scripts/python/gallery_figures.py --full --keep ../long --limit 3600 sandbox   # an hour of it; again to go on

A run that takes longer than the limit is stopped, and its last figures stay what they were. With `--keep` a full run goes on where it
was stopped, and its time is the sum of its parts.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "scenes/gallery/gallery.json"
FIGURES = ROOT / "scenes/gallery/figures.json"
LIST = ROOT / "docs/src/gallery-cases.md"
TABLE = ROOT / "docs/src/gallery-table.md"


def summary(folder: Path) -> dict:
    """What the run says of itself."""
    return json.loads((folder / "summary.json").read_text())


def to_the_end(words: list[str], limit: float) -> bool:
    """Whether the command ended by itself within the limit; it is asked to stop, and writes what it has, where it did not."""
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        try:
            child.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            child.terminate()
            return False
    return True


def held_to(case: dict, kind: str) -> list[dict]:
    """The figures that a scene is held to: a full one may have figures of its own."""
    return case.get("full_expected", case["expected"]) if kind == "full" else case["expected"]


def run(command: str, case: dict, full: bool, limit: float, home: Path, threads: list[str]) -> dict | None:
    """Runs a case to its end and measures its last frame; nothing where it took too long or was stopped."""
    scene = str(ROOT / case["quick"])
    folder = home / case["name"]
    words = [command, "run", scene, "-o", str(folder), "--quiet", "--force", *threads]
    if full:
        sets = [word for key in case["full"] for word in ("--set", key)]
        words = [command, "sweep", scene, *sets, "-o", str(folder), "--quiet", *threads]
        folder = folder / "run-000"
    spent = home / f"{case['name']}.seconds"
    before = float(spent.read_text()) if full and spent.exists() else 0.0
    begin = time.monotonic()
    ended = to_the_end(words, limit)
    seconds = before + time.monotonic() - begin
    spent.write_text(str(seconds))
    if not ended:
        return None
    if not (folder / "summary.json").exists():
        sys.exit(f"{case['name']}: the run gave no summary")
    told = summary(folder)
    if told["outcome"] == "stopped":
        return None
    figures = {}
    for expected in held_to(case, "full" if full else "quick"):
        name = expected["measure"]
        words = [command, "measure", str(folder), name, "--frame", "-1", "--json"]
        answer = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
        figures[name] = answer["measures"][0]["rows"][0]["values"][0]
    return {
        "bodies": told["bodies"],
        "steps": told["steps"],
        "outcome": told["outcome"],
        "seconds": round(seconds, 1),
        "figures": figures,
    }


def shown(value: float | None) -> str:
    """A figure as the table has it."""
    return "–" if value is None else f"{value:.4g}"


def wanted(expected: dict) -> str:
    """What a figure is held to."""
    return f"{expected['value']:g} ± {expected['tolerance']:g}"


def listed(cases: list[dict]) -> str:
    """The table of the book that says what there is."""
    lines = ["| case | from | figure of the quick scene | what it says |", "|---|---|---|---|"]
    for case in cases:
        head = f"| `{case['name']}` | {case['source']} |"
        for expected in case["expected"]:
            lines.append(f"{head} `{expected['measure']}` = {wanted(expected)} | {expected['why']} |")
            head = "|  |  |"
    return "\n".join(lines) + "\n"


def table(cases: list[dict], figures: dict) -> str:
    """The table of the book that says what they gave."""
    lines = [
        "| case | scene | bodies | steps | outcome | time [s] | figure | expected | found |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for case in cases:
        for kind in ("quick", "full"):
            told = figures.get(case["name"], {}).get(kind)
            if told is None:
                continue
            head = f"| `{case['name']}` | {kind} | {told['bodies']} | {told['steps']} | {told['outcome']} | {told['seconds']} |"
            own = kind == "quick" or "full_expected" in case
            for expected in held_to(case, kind):
                name = expected["measure"]
                held = wanted(expected) if own else ""
                lines.append(f"{head} `{name}` | {held} | {shown(told['figures'].get(name))} |")
                head = "| | | | | | |"
    return "\n".join(lines) + "\n"


def main() -> None:
    """Runs what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("names", nargs="*", help="cases; all of them by default")
    parser.add_argument("--command", default=str(ROOT / "target/release/drystone"), help="the command")
    parser.add_argument("--full", action="store_true", help="the full scenes in the place of the quick ones")
    parser.add_argument("--limit", type=float, default=3600.0, help="seconds that a run may take")
    parser.add_argument("--threads", help="threads of each run; those of the command by default")
    parser.add_argument("--keep", type=Path, help="folder of the runs, kept, and gone on with where they were stopped")
    parser.add_argument("--table-only", action="store_true", help="write the tables from what is known, run nothing")
    given = parser.parse_args()
    cases = json.loads(CASES.read_text())
    figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    named = [case for case in cases if not given.names or case["name"] in given.names]
    threads = ["--threads", given.threads] if given.threads else []
    kind = "full" if given.full else "quick"
    for case in [] if given.table_only else named:
        with tempfile.TemporaryDirectory() as passing:
            home = given.keep or Path(passing)
            home.mkdir(parents=True, exist_ok=True)
            told = run(given.command, case, given.full, given.limit, home, threads)
        print(case["name"], kind, told or "took too long, or was stopped", flush=True)
        if told:
            figures.setdefault(case["name"], {})[kind] = told
            FIGURES.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n")
    LIST.write_text(listed(cases))
    TABLE.write_text(table(cases, figures))


if __name__ == "__main__":
    main()
