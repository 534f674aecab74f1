"""`hilo schema`: the JSON Schema of agent files, for editors, with a few words about each key."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click

from hilo.agent.parse import json_schema

_REFERENCE = re.compile(r'"\$ref": "#/\$defs/(\w+)"')


@click.command("schema")
def command() -> None:
    """Print the JSON Schema of agent files."""
    click.echo(json.dumps(described_schema(), indent=2, ensure_ascii=False))


def described_schema() -> dict[str, Any]:
    """What may stand in an agent file, and what each key means."""
    schema = json_schema()
    used = set(_used(schema))
    schema["$defs"] = {name: shape for name, shape in schema["$defs"].items() if name in used}
    for name, shape in {"Agent": schema, **schema["$defs"]}.items():
        for key, wanted in shape.get("properties", {}).items():
            described = words().get(f"{name}.{key}") or words().get(f"*.{key}")
            if described:
                wanted["description"] = described
    return schema


def _used(schema: dict[str, Any]) -> Iterator[str]:
    """The shapes that keys of an agent file lead to."""
    seen: set[str] = set()
    ahead = [{key: value for key, value in schema.items() if key != "$defs"}]
    while ahead:
        for name in _REFERENCE.findall(json.dumps(ahead.pop())):
            if name not in seen:
                seen.add(name)
                ahead.append(schema["$defs"][name])
                yield name


@cache
def words() -> dict[str, str]:
    """What each key means, from the text file beside this one."""
    lines = Path(__file__).with_name("schema_words.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.partition(" = ") for line in lines if line and not line.startswith("#")]
    return {key: said for key, _, said in pairs}
