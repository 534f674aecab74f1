"""`hilo understand`: what is understood of a text, by which stage, how surely; and what may confuse an agent."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hilo.app import LoadedAgent, load_agent, new_session
from hilo.clock import SystemClock
from hilo.dialogue.session import AskedSlot
from hilo.errors import HiloError
from hilo.turn.trace import describe
from hilo.understanding.corrections import find_correction
from hilo.understanding.extraction import extract, extract_free
from hilo.understanding.reading import Reading, intent_examples, read


@click.command("understand")
@click.argument("path", metavar="AGENT", type=click.Path(path_type=Path))
@click.argument("text", required=False)
@click.option("--asked", default="", metavar="SLOT", help="the slot that was just asked for")
@click.option("--lint", is_flag=True, help="list intents that collide or have too few examples")
def command(path: Path, text: str | None, asked: str, lint: bool) -> None:
    """Show what AGENT understands of TEXT, before anything is decided."""
    loaded, console = load_agent(path), Console(highlight=False)
    if asked and asked not in loaded.agent.slots:
        raise HiloError(f"there is no slot {asked}; there are: {', '.join(loaded.agent.slots)}")
    if lint:
        console.print("\n".join(_lint(loaded)) or "[green]No intents collide, and all have examples enough.[/]")
    elif text is None:
        raise click.UsageError("give a text, or --lint")
    else:
        console.print(_table(loaded, text, asked))


def _table(loaded: LoadedAgent, text: str, asked: str) -> Table:
    table = Table("what", "value", "where", "confidence", box=None, padding=(0, 3, 0, 0), header_style="bold cyan")
    reading = read(loaded.turn.understander, text, at=SystemClock().now())
    for row in (
        *_acts(reading),
        *_values(loaded, reading, asked),
        *_whole(reading),
        *_commands(loaded, reading, asked),
    ):
        table.add_row(*map(escape, row))
    return table


Row = tuple[str, str, str, str]
MAX_SHOWN = 4  # examples of a collision


def _acts(reading: Reading) -> Iterator[Row]:
    for act in reading.acts:
        whole = "the whole message" if act.whole else ""
        yield f"act {act.kind}", whole, _where(reading, act.start, act.end), str(act.confidence)
    for mention in reading.mentions:
        yield "speaks of", f"slot {mention.slot}", _where(reading, mention.start, mention.end), ""


def _values(loaded: LoadedAgent, reading: Reading, asked: str) -> Iterator[Row]:
    for name, slot in loaded.agent.slots.items():
        for found in reading.values.of(slot, asked=name == asked):
            where = _where(reading, found.start, found.end)
            yield f"{slot.type} for {name}", str(found.value), where, str(found.confidence)


def _where(reading: Reading, start: int, end: int) -> str:
    first, last = reading.text.span(start, end)
    return f"{first}–{last} “{reading.text.original(start, end)}”"


def _whole(reading: Reading) -> Iterator[Row]:
    if reading.alternatives or reading.intent:
        others = ", ".join(f"{name} {confidence}" for name, confidence in reading.alternatives)
        yield "intent", reading.intent or "none is sure", others, str(reading.confidence)
    if reading.sentiment.score:
        yield "sentiment", f"{reading.sentiment.score:+.2f}", ", ".join(reading.sentiment.causes), ""
    if reading.keywords:
        yield "keywords", ", ".join(reading.keywords), "", ""


def _commands(loaded: LoadedAgent, reading: Reading, asked: str) -> Iterator[Row]:
    """What would be proposed to the dialogue in a new session."""
    session = new_session(loaded.agent, session_id="understand", at=SystemClock().now())
    session = replace(session, pending=AskedSlot(asked) if asked else None)
    correction = find_correction(loaded.agent, session, reading)
    found = extract(loaded.agent, session, reading, correction.slot if correction else asked)
    for each in found or extract_free(loaded.agent, session, reading, asked):
        yield "proposes", describe(each), "", ""
    yield "by stage", "embedded", "", ""


def _lint(loaded: LoadedAgent) -> Iterator[str]:
    from hilo.understanding.intents.checks import collisions, too_few  # noqa: PLC0415 -- needs numpy
    from hilo.understanding.intents.model import IntentModel  # noqa: PLC0415

    examples = intent_examples(loaded.agent)
    for name in too_few(examples):
        yield f"[yellow]{name}[/] has {len(examples[name])} examples; three are the least, six make it sure"
    model = loaded.turn.intents
    for clash in collisions(model) if isinstance(model, IntentModel) else ():
        shown = "; ".join(clash.examples[:MAX_SHOWN])
        yield f"[yellow]{clash.first}[/] and [yellow]{clash.second}[/] collide: {escape(shown)}"
