"""`hilo new`: an agent to begin with, whose conversations pass."""

import re
from pathlib import Path

import click

from hilo.errors import HiloError

STARTING_POINTS = {
    "details": "collects a few details and has them confirmed",
    "questions": "answers what customers ask, and takes a message",
    "appointments": "books hours, in a table of its own",
    "shop": "takes orders from a catalogue, with a basket and numbers",
}
FOUND = {
    "agent.yaml": "the agent: what it asks, says and does; `hilo check` says what is wrong with it",
    "tools.py": "its tools: the functions marked @tool",
    "migrations": "its tables, step by step",
    "sql": "its statements, by name",
    "docs": "its pages: questions are answered from them",
    "conversations": "what must go as written; `hilo test` plays it",
}
FOLDER = Path(__file__).parent / "starting_points"
NAME = "negocio"  # what every starting point calls itself, also in its tables
_FIT = re.compile(r"[a-z][a-z0-9_]{0,40}")


@click.command("new")
@click.argument("path", metavar="NAME", type=click.Path(path_type=Path))
@click.option(
    "--from", "kind", type=click.Choice(list(STARTING_POINTS)), default="details", show_default=True,
    help="; ".join(f"{name}: {what}" for name, what in STARTING_POINTS.items()),
)  # fmt: skip
def command(path: Path, kind: str) -> None:
    """Make a folder NAME with an agent in it: a file to edit, tools where it needs some, and conversations."""
    name = path.name
    if not _FIT.fullmatch(name):
        raise HiloError(f"an agent cannot be called {name}: use a–z, 0–9 and _, and begin with a letter")
    if path.exists():
        raise HiloError(f"{path} is there already: choose another name, or remove it")
    for file in sorted((FOLDER / kind).rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            _copy(file, path / file.relative_to(FOLDER / kind), name)
    click.echo(f"{path} is an agent that {STARTING_POINTS[kind]}. Go on with:")
    click.echo(f"  hilo chat {path}     talk to it")
    click.echo(f"  hilo test {path}     play its conversations")
    click.echo(f"  hilo serve {path}    its chat page, and everything else")
    click.echo(f"  hilo dev {path}      edit it while you talk to it")
    click.echo("What lies in the folder is found by its name:")
    for name, what in FOUND.items():
        if (path / name).exists():
            click.echo(f"  {name:<15} {what}")


def _copy(file: Path, to: Path, name: str) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    text = file.read_text(encoding="utf-8")
    to.write_text(re.sub(rf"\b{NAME}(?=\b|_)", name, text), encoding="utf-8")
