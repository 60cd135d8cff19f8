"""Writes docs/src/python/api.md, the reference of the Python package, from its docstrings.

    python3 scripts/python/make_api.py > docs/src/python/api.md
"""

import inspect
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def text_of(one: Any) -> str:
    """A docstring as Markdown: examples as code, roles as code."""
    lines, code, out = (inspect.getdoc(one) or "").splitlines(), False, []
    for line in lines:
        is_code = line.startswith((">>> ", "... ")) or (code and bool(line.strip()))
        if is_code != code:
            out += ["```pycon"] if is_code else ["```"]
            code = is_code
        out.append(line)
    if code:
        out.append("```")
    return "\n".join(line if line.startswith("```") else plain(line) for line in out)


def plain(line: str) -> str:
    """A line of reStructuredText as Markdown."""
    return re.sub(r":\w+:`~?([^`]+)`", r"`\1`", line).replace("``", "`")


def signature(name: str, one: Any) -> str:
    try:
        text = str(inspect.signature(one))
    except (TypeError, ValueError):
        return name
    text = re.sub(r"<function (\w+) at \w+>", r"\1", text)
    text = re.sub(r"'([^']*)'", r"\1", text).replace("self, ", "").replace("(self)", "()")
    return name + text


def comments(one: type) -> dict[str, str]:
    """The comments `#:` before fields."""
    found: dict[str, str] = {}
    held: list[str] = []
    try:
        source = inspect.getsource(one)
    except (OSError, TypeError):
        return found
    for line in source.splitlines():
        line = line.strip()
        if line.startswith("#:"):
            held.append(line[2:].strip())
        else:
            name = re.match(r"(?:self\.)?(\w+)\s*[:=]", line)
            if name and held:
                found[name[1]] = " ".join(held)
            held = []
    return found


def explain(package: Any, name: str) -> list[str]:
    one = getattr(package, name)
    if not isinstance(one, type):
        return [f"## `{signature(name, one)}`", "", text_of(one), ""]
    out = [f"## `{name}`", "", text_of(one), ""]
    entries = [f"- `{field}`: {text}" for field, text in comments(one).items() if not field.startswith("_")]
    for member, value in vars(one).items():
        if member.startswith("_"):
            continue
        if isinstance(value, property):
            entries.append(f"- `{member}`: {first(value)}")
        elif callable(value) or isinstance(value, (classmethod, staticmethod)):
            entries.append(f"- `{signature(member, getattr(one, member))}`: {first(value)}")
    return [*out, *entries, ""]


def first(one: Any) -> str:
    """The words of a docstring before its examples, in one line."""
    text = text_of(one).split("```")[0]
    return " ".join(text.split())


def page(package: Any, modules: dict[str, list[str]]) -> str:
    out = [
        "# All names",
        "",
        "Made from the docstrings by `scripts/python/make_api.py`.",
        "",
    ]
    for name in package.__all__:
        if callable(getattr(package, name)) and name not in ("Axis", "Signal"):
            out += explain(package, name)
    for module, names in modules.items():
        held = __import__(f"drystone.{module}", fromlist=names)
        out += [f"# `drystone.{module}`", "", text_of(held), ""]
        for name in names:
            out += explain(held, name)
    return "\n".join(out).rstrip() + "\n"


if __name__ == "__main__":
    import drystone

    modules = {"meshes": ["body_from_mesh", "vertices_and_faces"], "masonry": ["scene_from_blocks", "forces", "joints", "moved", "Force", "Joint"]}
    sys.stdout.write(page(drystone, modules))
