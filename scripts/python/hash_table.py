"""The states that the golden scenes end in, on this processor and on emulated ones: one hash each, or it says so.

    python3 scripts/python/hash_table.py COMMAND [AARCH64_COMMAND] > docs/src/hash-table.md

COMMAND is `drystone` built for x86-64, AARCH64_COMMAND the same built for aarch64. Needs `qemu-user` of Debian, and for
aarch64 the libraries of `libc6-dev-arm64-cross`.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "crates/drystone-cli/tests/all/golden.rs"


def state_hash(command: list[str], scene: str, steps: str, threads: int, environment: dict[str, str]) -> str:
    """The hash of the state after so many steps of a scene."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["run", str(ROOT / "scenes" / scene), "-o", f"{folder}/run", "--json"]
        arguments += ["--steps", steps, "--threads", str(threads)]
        run = subprocess.run(
            command + arguments, capture_output=True, text=True, env={**os.environ, **environment}
        )
    if run.returncode not in (0, 3):
        sys.exit(f"{' '.join(command)} on {scene}: {run.stderr.strip()}")
    return str(json.loads(run.stdout)["state_hash"])


def main() -> None:
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    native = [sys.argv[1]]
    machines = {
        "this machine": (native, 1, {}),
        "plain, 8 threads": (native, 8, {"DRYSTONE_INSTRUCTIONS": "plain"}),
        "Haswell": (["qemu-x86_64", "-cpu", "Haswell", *native], 1, {}),
        "Westmere": (["qemu-x86_64", "-cpu", "Westmere", *native], 1, {}),
    }
    if len(sys.argv) == 3:
        machines["aarch64"] = (["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", sys.argv[2]], 1, {})
    scenes = re.findall(r'\("([\w/.-]+\.toml)", (\d+), "[0-9a-f]{16}"\)', GOLDEN.read_text())
    print("| scene | steps | " + " | ".join(machines) + " |")
    print("|---|---:|" + "---|" * len(machines))
    wrong = 0
    for scene, steps in scenes:
        found = [state_hash(command, scene, steps, threads, more) for command, threads, more in machines.values()]
        wrong += len(set(found)) > 1
        same = [found[0]] + ["same" if other == found[0] else f"**{other}**" for other in found[1:]]
        print(f"| {scene} | {steps} | " + " | ".join(f"`{x}`" if x != "same" else x for x in same) + " |", flush=True)
    if wrong:
        sys.exit(f"{wrong} scenes differ")


if __name__ == "__main__":
    main()
