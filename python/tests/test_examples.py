"""The examples run, and every example of a docstring gives what it says; types are checked where mypy is
there.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import json
import os
import pkgutil
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from conftest import ROOT

import drystone

# the servo has a test of its own
EXAMPLES = [path for path in sorted((ROOT / "python/examples").glob("*.py")) if path.stem != "servo"]
NOTEBOOKS = sorted((ROOT / "python/examples").glob("*.ipynb"))
PAGES = [page for page in sorted((ROOT / "docs/src/python").glob("*.md")) if page.stem != "api"]
MODULES = [
    "drystone",
    *(f"drystone.{one.name}" for one in pkgutil.iter_modules(drystone.__path__) if one.name[0] != "_"),
]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(path: Path, tmp_path: Path) -> None:
    if "from compas_dem" in path.read_text(encoding="utf-8"):
        pytest.importorskip("compas_dem")
    told = subprocess.run([sys.executable, str(path)], cwd=tmp_path, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    assert told.stdout.strip()


def test_a_new_user_needs_twenty_lines(tmp_path: Path) -> None:
    """Grains in a box, a servo wall as a hook, a stress-strain plot; the book shows the very lines."""
    text = (ROOT / "python/examples/servo.py").read_text(encoding="utf-8")
    title, code = text.split('"""\n', 1)
    assert title.startswith('"""Grains in a box') and "@sim.on_step" in code
    assert len([line for line in code.splitlines() if line.strip()]) <= 20
    assert code.strip() in (ROOT / "docs/src/python/hooks.md").read_text(encoding="utf-8")
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    path = str(ROOT / "python/examples/servo.py")
    subprocess.run([sys.executable, path], cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert (tmp_path / "stress-strain.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cell, and what its last line would show."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    names: dict[str, object] = {"__name__": path.stem}
    shown = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            tree = ast.parse("".join(cell["source"]))
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, str(path), "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), str(path), "eval"), names)
                html = getattr(value, "_repr_html_", lambda value=value: repr(value))
                shown.append(html())
    assert len(shown) > 3 and all(shown)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_tell_what_is_so(name: str) -> None:
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_of_the_book_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    parts = page.read_text(encoding="utf-8").split("```python\n")[1:]
    assert parts
    # a block in a list stands further in
    code = "\n".join(textwrap.dedent(part.split("```")[0].rstrip(" ")) for part in parts)
    for needed in ("compas", "compas_assembly"):
        if f"import {needed}" in code or f"from {needed}." in code:
            pytest.importorskip(needed)
    exec(compile(code, str(page), "exec"), {"__name__": page.stem})


def test_every_public_name_is_explained() -> None:
    for name in drystone.__all__:
        one = getattr(drystone, name)
        assert name in ("Axis", "Signal", "__version__") or one.__doc__, name
        if isinstance(one, type):
            for member, value in vars(one).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert value.__doc__, f"{name}.{member}"


def run(module: str, *arguments: str, folder: Path = ROOT / "python") -> None:
    """A tool of the types; what it finds is told."""
    pytest.importorskip("mypy")
    told = subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=folder, capture_output=True, text=True
    )
    assert told.returncode == 0, told.stdout + told.stderr


def test_types_hold(tmp_path: Path) -> None:
    run("mypy", "--strict", "--cache-dir", str(tmp_path), "drystone", "examples", "tests")


def test_types_hold_for_pyright() -> None:
    pytest.importorskip("pyright")
    python = [sys.executable, "-m", "pyright"]
    # the package of Python fetches the program itself by npm when it is first asked; without npm it would fetch that first
    if shutil.which("npm") is None:
        pytest.skip("pyright fetches itself by npm, which is not there")
    try:
        can_start = subprocess.run([*python, "--version"], capture_output=True, timeout=180).returncode == 0
    except subprocess.TimeoutExpired:
        can_start = False
    if not can_start:
        pytest.skip("pyright cannot start")
    told = subprocess.run(
        [*python, "--pythonpath", sys.executable, "--project", str(ROOT / "python/pyproject.toml")],
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stdout


def test_the_stubs_are_what_is_there(tmp_path: Path) -> None:
    # away from the source: of the package as it is installed
    settings = ["--ignore-missing-stub", "--mypy-config-file", str(ROOT / "python/pyproject.toml")]
    run("mypy.stubtest", "drystone._drystone", *settings, folder=tmp_path)


def test_the_types_of_scenes_are_those_of_the_schema() -> None:
    from drystone import _drystone

    text = subprocess.run(
        [sys.executable, str(ROOT / "scripts/python/make_spec.py")],
        input=json.dumps(_drystone.schema()),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert text == (ROOT / "python/drystone/spec.py").read_text(encoding="utf-8"), (
        "write it anew: target/debug/drystone schema | python3 scripts/python/make_spec.py"
        " > python/drystone/spec.py"
    )


def test_the_page_of_all_names_is_that_of_the_docstrings() -> None:
    text = subprocess.run(
        [sys.executable, str(ROOT / "scripts/python/make_api.py")], capture_output=True, text=True, check=True
    ).stdout
    assert text == (ROOT / "docs/src/python/api.md").read_text(encoding="utf-8"), (
        "write it anew: python3 scripts/python/make_api.py > docs/src/python/api.md"
    )
