"""`hilo schema`: the JSON Schema of agent files, for editors."""

import json

import click

from hilo.agent.parse import json_schema


@click.command("schema")
def command() -> None:
    """Print the JSON Schema of agent files."""
    click.echo(json.dumps(json_schema(), indent=2, ensure_ascii=False))
