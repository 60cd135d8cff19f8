"""The examples run, and every example of a docstring gives what it says; types are checked where mypy is
there.
"""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import drystone

EXAMPLES = sorted((ROOT / "python/examples").glob("*.py"))
MODULES = [
    "drystone",
    *(f"drystone.{one.name}" for one in pkgutil.iter_modules(drystone.__path__) if one.name[0] != "_"),
]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(path: Path, tmp_path: Path) -> None:
    told = subprocess.run([sys.executable, str(path)], cwd=tmp_path, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    assert told.stdout.strip()


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_tell_what_is_so(name: str) -> None:
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    assert failed == 0


def test_pages_of_the_book_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pages = sorted((ROOT / "docs/src/python").glob("*.md"))
    assert pages
    for page in pages:
        parts = page.read_text(encoding="utf-8").split("```python\n")[1:]
        code = "\n".join(part.split("```")[0] for part in parts)
        if "import compas" in code:
            pytest.importorskip("compas")
        exec(compile(code, str(page), "exec"), {"__name__": page.stem})


def test_every_public_name_is_explained() -> None:
    for name in drystone.__all__:
        one = getattr(drystone, name)
        assert name in ("Axis", "Signal", "__version__") or one.__doc__, name
        if isinstance(one, type):
            for member, value in vars(one).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert value.__doc__, f"{name}.{member}"


def test_types_hold() -> None:
    pytest.importorskip("mypy")
    package = Path(drystone.__file__).parent
    told = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--config-file",
            str(ROOT / "python/pyproject.toml"),
            *map(str, EXAMPLES),
        ],
        cwd=ROOT / "python/examples",
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stdout + str(package)


def test_the_types_of_scenes_are_those_of_the_schema() -> None:
    import json

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
