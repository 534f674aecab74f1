"""`hilo understand`: what a turn would take of a text where a session stands; and what may confuse an agent."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hilo.agent.declaration import Agent
from hilo.agent.instructions import AskConfirmation, AskSlots, Instruction
from hilo.agent.values import Accepted, Value, accept
from hilo.app import LoadedAgent, load_agent, new_session
from hilo.cli.database import json_option, print_json
from hilo.cli.linting import lint as lint_lines
from hilo.clock import SystemClock
from hilo.dialogue.events import MessageReceived
from hilo.dialogue.session import AskedSlot, AskedYes, Frame, Session
from hilo.errors import HiloError
from hilo.turn.state import Record, TurnState
from hilo.turn.trace import describe
from hilo.understanding.reading import Reading

Row = tuple[str, str, str, str]
KEYS = ("what", "value", "where", "why")  # of a row, for programs
WORKSPACE = "workspace"  # where the context keeps it


def _keep(context: click.Context, _option: click.Parameter, workspace: str | None) -> None:
    context.meta[WORKSPACE] = workspace


@click.command("understand")
@click.argument("path", metavar="AGENT", type=click.Path(path_type=Path))
@click.argument("text", required=False)
@click.option("--asked", default="", metavar="SLOT", help="the slot that was just asked for")
@click.option("--confirming", is_flag=True, help="a summary was just shown, and waits for a yes")
@click.option("--slot", "filled", multiple=True, metavar="NAME=VALUE", help="a slot that has a value already")
@click.option("--lint", is_flag=True, help="list intents that collide or need examples")
@click.option(
    "--workspace", metavar="W", expose_value=False, callback=_keep, help="with --lint: propose what its contacts wrote"
)
@json_option
def command(
    path: Path, text: str | None, asked: str, confirming: bool, filled: Sequence[str], lint: bool, as_json: bool
) -> None:
    """Show what AGENT understands of TEXT, before anything is decided."""
    loaded, console = load_agent(path), Console(highlight=False)
    if lint:
        found = "\n".join(lint_lines(loaded, click.get_current_context().meta[WORKSPACE]))
        console.print(found or "[green]No intents collide, and all have examples enough.[/]")
    elif text is None:
        raise click.UsageError("give a text, or --lint")
    else:
        rows = _rows(loaded, text, _session(loaded.agent, asked, confirming, filled))
        if as_json:
            print_json([dict(zip(KEYS, row, strict=True)) for row in rows])
        else:
            console.print(_table(rows))


def _session(agent: Agent, asked: str, confirming: bool, filled: Sequence[str]) -> Session:
    """A session that stands where the options say."""
    slots = dict(_value(agent, *each.partition("=")) for each in filled)
    session = replace(new_session(agent, session_id="understand", at=SystemClock().now()), slots=slots)
    if confirming:
        shown = _frame(agent, lambda does: isinstance(does, AskConfirmation))
        return replace(session, pending=AskedYes("understand", tuple(slots)), stack=shown)
    if asked:
        frames = _frame(agent, lambda does: isinstance(does, AskSlots) and _known(agent, asked) in does.slots)
        return replace(session, pending=AskedSlot(asked), stack=frames)
    return session


def _frame(agent: Agent, fits: Callable[[Instruction], bool]) -> tuple[Frame, ...]:
    """The first place of a flow that does such a thing."""
    steps = [(name, step) for name, flow in agent.compiled.items() for step in flow.steps]
    return tuple(Frame(name, step.name) for name, step in steps if fits(step.does))[:1]


def _known(agent: Agent, slot: str) -> str:
    if slot not in agent.slots:
        raise HiloError(f"there is no slot {slot}; there are: {', '.join(agent.slots)}")
    return slot


def _value(agent: Agent, name: str, _sign: str, value: str) -> tuple[str, Value]:
    taken = accept(agent.slots[_known(agent, name)], value, country=agent.country)
    if not isinstance(taken, Accepted):
        raise HiloError(f"the slot {name} does not take {value!r}")
    return name, taken.value


def _rows(loaded: LoadedAgent, text: str, session: Session) -> list[Row]:
    message = MessageReceived(at=SystemClock().now(), text=text)
    state, record = asyncio.run(loaded.turn.understand(session, message))
    reading = state["reading"]
    rows = (*_acts(reading), *_orders(reading), *_values(reading, record), *_whole(reading), *_looked_up(record))
    return [*rows, *_proposed(state)]


def _table(rows: Sequence[Row]) -> Table:
    table = Table(
        "what", "value", "where", "why, or how sure", box=None, padding=(0, 3, 0, 0), header_style="bold cyan"
    )
    for row in rows:
        table.add_row(*map(escape, row))
    return table


def _acts(reading: Reading) -> Iterator[Row]:
    for act in reading.acts:
        whole = "the whole message" if act.whole else ""
        yield f"act {act.kind}", whole, _where(reading, act.start, act.end), str(act.confidence)
    for mention in reading.mentions:
        yield "speaks of", f"slot {mention.slot}", _where(reading, mention.start, mention.end), ""


def _orders(reading: Reading) -> Iterator[Row]:
    for line in reading.lines:
        quantity = "" if line.quantity is None else f"{line.quantity} "
        what = " ".join(f"{quantity}{line.unit} {line.product} {line.notes}".split())
        yield f"order {line.action}", what, _where(reading, line.start, line.end), str(line.confidence)


def _values(reading: Reading, record: Record) -> Iterator[Row]:
    """What slots take, and what none takes, by which rule; not what is for slots that contacts cannot set."""
    for each in record.values:
        where = f"{each.start}–{each.end} “{reading.text.raw[each.start : each.end]}”"
        against = f", but {', '.join(each.against)}" if each.against else ""
        yield f"{'' if each.taken else 'not '}for {each.slot}", each.value, where, f"{each.rule}{against}"


def _where(reading: Reading, start: int, end: int) -> str:
    first, last = reading.text.span(start, end)
    return f"{first}–{last} “{reading.text.original(start, end)}”"


def _whole(reading: Reading) -> Iterator[Row]:
    for part in reading.parts:
        if part.ranked.intent:
            where = part.text if len(reading.parts) > 1 else ""
            sure = "" if part.ranked.intent in reading.meant else ", which is not sure enough"
            yield "means", part.ranked.intent, where, f"{part.ranked.confidence}{sure}"
    if reading.alternatives:
        yield "may mean", ", ".join(f"{name} {confidence}" for name, confidence in reading.alternatives), "", ""
    if reading.sentiment.score:
        yield "sentiment", f"{reading.sentiment.score:+.2f}", ", ".join(reading.sentiment.causes), ""
    if reading.keywords:
        yield "keywords", ", ".join(reading.keywords), "", ""


def _looked_up(record: Record) -> Iterator[Row]:
    """What the agent's pages have of what is asked."""
    for each in record.lookups:
        reason = f", {each.reason}" if each.reason else ""
        yield "quotes" if each.quoted else "may quote", each.source, each.asked, f"{each.confidence}{reason}"


def _proposed(state: TurnState) -> Iterator[Row]:
    """What the dialogue would be told."""
    if escalation := state.get("escalation"):
        yield "asks for a person", escalation.policy, "", escalation.reason
    for each in state.get("commands", ()):
        yield "proposes", describe(each), "", ""
    yield "by stage", "embedded", "", ""
