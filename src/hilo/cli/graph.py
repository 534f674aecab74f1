"""`hilo graph`: an agent's turn graph, its modes and flows, and the dialogue's states as Mermaid, SVG or PNG."""

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from hilo.agent.drawing import draw_flow, draw_modes
from hilo.app import LoadedAgent, load_agent
from hilo.dialogue.states import draw_states
from hilo.errors import HiloError, install
from hilo.turn.graph import draw_turn

KINDS = (".svg", ".png", ".mmd")
SCALE = 2  # pixels of a PNG per unit of the drawing: sharp on today's screens

_LOOKS = {  # labels are measured in DejaVu Sans, which mermaidx brings along; Verdana is as wide
    "fontFamily": "DejaVu Sans, Verdana, sans-serif",
    "handDrawnSeed": 1,  # the same text gives the same picture, byte for byte
    "flowchart": {"useMaxWidth": False, "wrappingWidth": 320},
}


@click.command("graph")
@click.argument("agent", type=click.Path(path_type=Path))
@click.option(
    "--what",
    type=click.Choice(["turn", "modes", "flows", "states"]),
    help="Only this; else the turn, the modes and the flows.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="FILE.svg, FILE.png or FILE.mmd.")
def command(agent: Path, what: str | None, output: Path | None) -> None:
    """Draw an agent's turn graph, modes and flows as Mermaid; with -o as a file, one for each picture."""
    if output and output.suffix.lower() not in KINDS:
        raise HiloError(f"cannot draw to {output}: the file must end in {', '.join(KINDS)}")
    pictures = dict(_pictures(load_agent(agent), what))
    if not pictures:
        raise HiloError(f"the agent has no {what}")
    if not output:
        click.echo("\n".join(pictures.values()), nl=False)
        return
    for file, text in zip(_files(output, list(pictures)), pictures.values(), strict=True):
        _write(file, _rendered(text, file.suffix.lower()))
        click.echo(file)


def _pictures(loaded: LoadedAgent, what: str | None) -> Iterator[tuple[str, str]]:
    """The pictures by name."""
    agent = loaded.agent
    if what in {None, "turn"}:
        own = [node.name for node in agent.nodes]
        yield "turn", draw_turn(loaded.turn.graph, title=f"{agent.agent}: one turn", own=own)
    if what in {None, "modes"} and agent.modes:
        yield "modes", draw_modes(agent, title=f"{agent.agent}: its modes")
    if what in {None, "flows"}:
        for name in agent.flows:
            yield f"flow-{name}", draw_flow(agent, name, title=f"{agent.agent}: the flow {name}")
    if what == "states":
        yield "states", draw_states()


def _files(output: Path, names: list[str]) -> list[Path]:
    """The file that was asked for is the first picture; the others stand beside it under their names."""
    return [output, *(output.with_name(f"{output.stem}-{name}{output.suffix}") for name in names[1:])]


def _rendered(text: str, kind: str) -> bytes:
    if kind == ".mmd":
        return text.encode()
    diagram = _renderer().render(text, config=_LOOKS)
    if kind == ".svg":
        return str(diagram.svg()).encode()
    return bytes(diagram.png(scale=SCALE, background="white"))


def _renderer() -> Any:
    try:
        return importlib.import_module("mermaidx")  # optional, and half a second
    except ModuleNotFoundError:
        hint = f"install it with `{install('graph')}`, or write Mermaid to a .mmd file"
        raise HiloError(f"drawing SVG or PNG needs the package mermaidx: {hint}") from None


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise HiloError(f"cannot write {file}: {error.strerror}") from None
