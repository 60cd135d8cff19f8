"""Writes python/drystone/spec.py, the types of scene files for Python, from their JSON schema.

    target/debug/drystone schema | python3 scripts/python/make_spec.py > python/drystone/spec.py
"""

import json
import keyword
import sys
import textwrap
from typing import Any

HEAD = '''"""The tables of a scene file as types, for editors and type checkers.

Made from the schema of the scene file by scripts/python/make_spec.py; not to be changed by hand.
Every one is a plain dict when the program runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict, Union

'''


def camel(text: str) -> str:
    return "".join(part.capitalize() for part in text.split("_"))


class Writer:
    def __init__(self, schema: dict[str, Any]) -> None:
        self.defs: dict[str, Any] = schema["$defs"]
        self.classes: list[str] = []
        self.names: list[str] = []
        for name, entry in self.defs.items():
            self.define(name, entry)
        self.table("SceneSpec", schema)

    def define(self, name: str, entry: dict[str, Any]) -> None:
        if "properties" in entry or entry.get("type") == "object":
            self.table(name, entry)
        else:
            described = entry.get("description", "")
            kind = self.kind(entry, name)
            self.alias(name, kind, described)

    def alias(self, name: str, kind: str, described: str) -> None:
        self.names.append(name)
        lines = textwrap.wrap(described.replace("\n", " "), 108)
        comment = "".join(f"#: {line}\n" for line in lines)
        line = f"{name} = {kind}"
        if len(line) > 110:
            start = line.index("[") + 1
            inner = textwrap.fill(line[start:-1], 104, initial_indent="    ", subsequent_indent="    ")
            line = f"{line[:start]}\n{inner}\n]"
        self.classes.append(f"{comment}{line}\n")

    def kind(self, entry: dict[str, Any], owner: str) -> str:
        if "$ref" in entry:
            return entry["$ref"].rsplit("/", 1)[1]
        if "const" in entry:
            return f"Literal[{entry['const']!r}]".replace("'", '"')
        if "enum" in entry:
            return "Literal[" + ", ".join(json.dumps(value) for value in entry["enum"] if value is not None) + "]"
        choices = entry.get("oneOf") or entry.get("anyOf")
        if choices:
            kinds = []
            for choice in choices:
                if choice.get("type") == "null":
                    continue
                kinds.append(self.kind(choice, owner))
            if all(kind.startswith("Literal[") for kind in kinds):
                return "Literal[" + ", ".join(kind[len("Literal["):-1] for kind in kinds) + "]"
            return kinds[0] if len(kinds) == 1 else "Union[" + ", ".join(quoted(kind) for kind in kinds) + "]"
        sort = entry.get("type")
        if isinstance(sort, list):
            sort = next(one for one in sort if one != "null")
        if sort == "number":
            return "float"
        if sort == "integer":
            return "int"
        if sort == "string":
            return "str"
        if sort == "boolean":
            return "bool"
        if sort == "array":
            return f"Sequence[{quoted(self.kind(entry.get('items', {}), owner))}]"
        if sort == "object":
            properties = entry.get("properties", {})
            if not properties and isinstance(entry.get("additionalProperties"), dict):
                return f"Mapping[str, {quoted(self.kind(entry['additionalProperties'], owner))}]"
            name = owner + "".join(camel(key) for key in list(properties)[:1]) if len(properties) == 1 else owner + "Table"
            while name in self.names or name in self.defs:
                name += "Table"
            self.table(name, entry)
            return name
        raise SystemExit(f"{owner}: the schema has something new: {entry}")

    def table(self, name: str, entry: dict[str, Any]) -> None:
        self.names.append(name)
        required = set(entry.get("required", []))
        fields = {key: self.kind(value, name) for key, value in entry.get("properties", {}).items()}
        lines = []
        for key, value in entry.get("properties", {}).items():
            text = value.get("description", "").replace("\n", " ")
            if not text and "$ref" in value:
                text = self.defs[self.kind(value, name)].get("description", "").replace("\n", " ")
            lines += textwrap.wrap(f"``{key}``: {text}", 104, initial_indent="    ", subsequent_indent="        ")
        head = textwrap.wrap(entry.get("description", "A table.").replace("\n", " "), 100)
        doc = "\n    ".join(head) + ("\n\n" + "\n".join(lines) if lines else "")
        doc = doc.replace("\\", "\\\\")
        quote = f'    """{doc}\n    """\n' if lines else f'    """{doc}"""\n'
        bases = []
        for must in (True, False):
            # a key that is a word of Python cannot be written in a class
            words = [key for key in fields if (key in required) == must and keyword.iskeyword(key)]
            if words:
                entries = ", ".join(f'"{key}": {quoted(fields.pop(key))}' for key in words)
                base = f"_{name}{'Required' if must else ''}Words"
                total = "" if must else ", total=False"
                self.classes.append(f'{base} = TypedDict("{base}", {{{entries}}}{total})\n')
                bases.append(base)
        must = "".join(f"    {key}: {fields[key]}\n" for key in fields if key in required)
        may = "".join(f"    {key}: {fields[key]}\n" for key in fields if key not in required)
        if must and may:
            self.classes.append(f"class _{name}Required(TypedDict):\n{must}")
            bases.append(f"_{name}Required")
        base = ", ".join(bases) or "TypedDict"
        total = ", total=False" if may or not must else ""
        body = f"\n{may or must}" if may or must else ""
        self.classes.append(f"class {name}({base}{total}):\n{quote}{body}")

    def text(self) -> str:
        # a union is made when the module is read: behind the classes it names
        classes = [text for text in self.classes if "TypedDict" in text or text.startswith("class")]
        aliases = [text for text in self.classes if text not in classes]
        return HEAD + "\n" + "\n\n".join(classes) + "\n\n" + "\n".join(aliases)


def quoted(kind: str) -> str:
    """The name of a table, which may come later, in quotes."""
    return f'"{kind}"' if kind.isidentifier() and kind[0].isupper() else kind


if __name__ == "__main__":
    print(Writer(json.load(sys.stdin)).text(), end="")
