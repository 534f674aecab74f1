"""Writes docs/reference.md, every key of an agent file, from the JSON Schema that `hilo schema` prints.

python tools/reference.py
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hilo.cli.schema import described_schema

PAGE = Path(__file__).parents[1] / "docs" / "reference.md"
HEAD = """\
# Reference of agent files

<!-- made by tools/reference.py: edit src/hilo/cli/schema_words.txt instead -->

Every key that an agent file may have, with what it takes. The same text is in the JSON Schema, which your editor
shows while you type: `hilo schema > agent.schema.json`, and `# yaml-language-server: $schema=agent.schema.json` as
the first line of the file.
[agent-language.md](agent-language.md) explains with examples how the keys work together.

*Name: something* is a mapping whose names you choose. A key without a default in the table must be there.
"""
PLAIN = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "null": ""}
DURATION = re.compile(r"PT(\d+)([SMH])")
Shape = dict[str, Any]


def page() -> str:
    """The whole page."""
    schema = described_schema()
    shapes = {"Agent": schema, **{name: schema["$defs"][name] for name in _in_order(schema)}}
    return "\n".join([HEAD, *(_section(name, shape) for name, shape in shapes.items() if _has_keys(shape))])


def _has_keys(shape: Shape) -> bool:
    return bool(shape.get("properties"))


def _in_order(schema: Shape) -> Iterator[str]:
    """The shapes as one comes to them when reading from the top: those of a key right after it."""
    seen: set[str] = set()
    ahead = _references(schema)
    while ahead:
        name = ahead.pop(0)
        if name not in seen:
            seen.add(name)
            yield name
            ahead = _references(schema["$defs"][name]) + ahead


def _references(shape: Shape) -> list[str]:
    written = json.dumps({key: value for key, value in shape.items() if key != "$defs"})
    return re.findall(r'"\$ref": "#/\$defs/(\w+)"', written)


def _section(name: str, shape: Shape) -> str:
    lines = [f"## {_title(name)}", ""]
    if name != "Agent" and shape.get("description"):
        lines += [" ".join(shape["description"].split()), ""]
    lines += ["| key | takes | default | means |", "|---|---|---|---|"]
    required = set(shape.get("required", ()))
    for key, value in shape["properties"].items():
        default = "" if key in required else _default(value)
        lines.append(f"| `{key}` | {_takes(value)} | {default} | {_cell(value['description'])} |")
    return "\n".join(lines) + "\n"


def _title(name: str) -> str:
    """What a shape is called: `SayStep` is the step `say`, `OpeningHours` are opening hours."""
    if name == "Agent":
        return "The agent file"
    if name.endswith("Step"):
        return f"Step {name.removesuffix('Step').lower()}"
    words = re.findall(r"[A-Z][a-z]+", name)
    return " ".join(words).capitalize()


def _anchor(name: str) -> str:
    return _title(name).lower().replace(" ", "-")


def _takes(value: Shape) -> str:
    if "$ref" in value:
        name = value["$ref"].rpartition("/")[2]
        return f"[{_title(name).lower()}](#{_anchor(name)})"
    if "enum" in value:
        return ", ".join(f"`{each}`" for each in value["enum"] if each != "")
    if "const" in value:
        return f"`{json.dumps(value['const'], ensure_ascii=False)}`"
    if options := value.get("anyOf") or value.get("oneOf"):
        return " or ".join(dict.fromkeys(filter(None, map(_takes, options))))
    return _takes_plain(value)


def _takes_plain(value: Shape) -> str:
    kind = value.get("type", "")
    if kind == "array":
        return f"list of {_takes(value.get('items', {})) or 'anything'}"
    if kind == "object":
        inside = value.get("additionalProperties")
        return f"name: {_takes(inside) or 'anything'}" if isinstance(inside, dict) else "name: anything"
    return PLAIN.get(kind, str(kind)) or ""


def _default(value: Shape) -> str:
    default = value.get("default")
    if default in (None, "", [], {}):
        return "none"
    if isinstance(default, str) and (duration := DURATION.fullmatch(default)):
        return f"`{duration[1]}{duration[2].lower()}`"  # as an author writes it
    return f"`{_cell(json.dumps(default, ensure_ascii=False))}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
