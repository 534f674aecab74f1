"""`hilo show`: a session as it was: who said what and when, the status of our messages, and why."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

import click
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from hilo.cli.database import (
    ask,
    counted,
    json_option,
    local,
    masked,
    named_session,
    print_json,
    visible,
    workspace_option,
)
from hilo.cli.explain import explain
from hilo.cli.sessions import STYLES, troubles
from hilo.dialogue.events import (
    EscalationTriggered,
    OperatorCalled,
    OperatorCorrected,
    OperatorTookOver,
    TimerFired,
    Told,
    began,
)
from hilo.dialogue.stored import encode
from hilo.errors import HiloError
from hilo.store.views import (
    LAST_TURNS,
    CallView,
    HandoffView,
    MessageView,
    SessionView,
    Transcript,
    TurnView,
    transcript,
)
from hilo.turn.trace import Trace, trace_from_json

WHO = {"contact": "bold green", "agent": "cyan", "operator": "yellow", "timer": "magenta", "engine": "red"}
MARKS = {
    "pending": ("… waiting", "yellow"),
    "sending": ("… sending", "yellow"),
    "sent": ("✓", "dim"),
    "delivered": ("✓✓", "dim"),
    "read": ("✓✓ read", "blue"),
    "held": ("held", "yellow"),
    "failed": ("✗ failed", "bold red"),
}
HELD_FOR: dict[str, str] = {"window_closed": "the window is closed", "operator": "an operator holds the session"}
ACTS = {"Released": "gave the session back", "Paused": "paused", "Resumed": "resumed", "Closed": "closed"}


@click.command("show")
@click.argument("session")
@workspace_option
@click.option("--traces", is_flag=True, help="With each turn's trace and tool calls.")
@click.option("--all", "everything", is_flag=True, help=f"All turns, not only the last {LAST_TURNS}.")
@json_option
def command(session: str, workspace: str, traces: bool, everything: bool, as_json: bool) -> None:
    """Show SESSION: an id of `hilo sessions`, or as much of it as is unique."""
    found = ask(transcript, workspace, named_session(workspace, session), last=None if everything else LAST_TURNS)
    if found is None:
        raise HiloError(f"the session {session} is not there any more")
    if as_json:
        print_json(_plain(found))
    else:
        _print(Console(highlight=False), visible(found), traces=traces)


def _plain(found: Transcript) -> dict[str, Any]:
    plain = asdict(found)
    plain["session"]["address"] = masked(found.session.address)
    for turn, view in zip(plain["turns"], found.turns, strict=True):
        turn["told"] = json.loads(encode(Told, view.told))  # as they are stored, each with its name
    return plain


# --- the page -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _TranscriptLine:
    """Something that happened."""

    at: datetime
    who: str
    text: RenderableType


def _print(console: Console, found: Transcript, *, traces: bool) -> None:
    console.print(_head(found.session))
    if found.left_out:
        console.print(f"[dim]{found.left_out} earlier turns; --all shows them.[/]")
    day = ""
    for line in _lines(found, traces=traces):
        if isinstance(line, Padding):
            console.print(line)
            continue
        if (today := local(line.at, "%A, %d %B %Y")) != day:
            console.print(Rule(today, style="dim"))
            day = today
        console.print(_row(line))
    if found.handoffs:
        console.print(Rule("handoffs", style="dim"))
        for each in found.handoffs:
            console.print(_row(_TranscriptLine(each.created_at, "engine", _handoff(each))))


def _head(session: SessionView) -> Group:
    status = Text(session.status.replace("_", " "), style=STYLES.get(session.status, ""))
    facts = [
        Text.assemble(session.agent, (f" {session.agent_version}", "dim")),
        Text(f"{masked(session.address)} on {session.channel}"),
        status,
        *([Text(session.mode)] if session.mode else []),
        Text(counted(session.turns, "turn")),
        *([wrong] if (wrong := troubles(session)) else []),
    ]
    return Group(Text(session.id, style="bold"), Text(" · ").join(facts))


def _row(line: _TranscriptLine) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, width=8, style="dim")
    table.add_column(no_wrap=True, width=8)
    table.add_column(overflow="fold")
    table.add_row(local(line.at, "%H:%M:%S"), Text(line.who, style=WHO[line.who]), line.text)
    return table


def _lines(found: Transcript, *, traces: bool) -> Iterator[_TranscriptLine | Padding]:
    """In order; what an operator wrote stands where it was written."""
    messages: dict[int | None, list[MessageView]] = {turn.number: [] for turn in found.turns}
    loose: list[MessageView] = []
    for each in found.messages:
        messages.get(each.turn, loose).append(each)
    for turn in found.turns:
        while loose and loose[0].at < turn.at:
            yield _said(loose.pop(0))
        yield _happened(turn)
        if traces:
            calls = [_call_line(call) for call in found.calls if call.turn == turn.number]
            yield Padding(explain(_stored_trace(turn), calls), (0, 0, 1, 4))
        yield from _replies(turn, messages[turn.number])
    yield from map(_said, loose)


def _replies(turn: TurnView, messages: list[MessageView]) -> Iterator[_TranscriptLine]:
    """What the outbox has of a turn, or else what the turn itself remembers."""
    if messages:
        yield from map(_said, messages)
    else:
        yield from (_TranscriptLine(turn.at, "agent", _message(said)) for said in turn.said)


def _happened(turn: TurnView) -> _TranscriptLine:
    first = began(turn.told)
    match first:
        case TimerFired(name=name):
            return _TranscriptLine(turn.at, "timer", Text(name))
        case OperatorTookOver(operator=operator):
            return _TranscriptLine(turn.at, "operator", Text(f"{operator} took over".strip()))
        case OperatorCorrected(operator=operator, slot=slot):
            return _TranscriptLine(turn.at, "operator", Text(f"{operator} corrected {slot}".strip()))
        case OperatorCalled(operator=operator, tool=tool):
            return _TranscriptLine(turn.at, "operator", Text(f"{operator} called {tool}".strip()))
        case EscalationTriggered(policy="error", reason=reason) if turn.event == "EscalationTriggered":
            failed = Text(f"the turn failed: {reason}", style="red")
            heard = [Text(turn.heard)] if turn.heard else []
            return _TranscriptLine(turn.at, "contact" if turn.heard else "engine", Group(*heard, failed))
    if turn.event in ACTS:
        return _TranscriptLine(turn.at, "operator", Text(ACTS[turn.event]))
    return _TranscriptLine(turn.at, "contact", Text(turn.heard) if turn.heard else Text("(no text)", style="dim"))


def _said(message: MessageView) -> _TranscriptLine:
    who = "operator" if message.author == "operator" else "agent"
    return _TranscriptLine(message.sent_at or message.at, who, _message(message.message, _mark(message)))


def _message(message: Any, mark: Text | None = None) -> Text:
    """Words, then buttons, then its status."""
    text = Text(message.get("text", ""))
    for button in message.get("buttons", ()):
        text.append("\n" if button is message["buttons"][0] else " ").append(f"[{button['title']}]", style="bold")
    return text.append(" ").append_text(mark) if mark else text


def _mark(message: MessageView) -> Text:
    word, style = MARKS.get(message.status, (message.status, ""))
    why = HELD_FOR.get(message.reason, message.reason) if message.status == "held" else message.reason
    reason = f": {why}" if why and message.status in {"failed", "held", "pending"} else ""
    return Text(f"{word}{reason}", style=style)


def _handoff(handoff: HandoffView) -> Text:
    by = f" by {handoff.operator}" if handoff.operator else ""
    since = {
        "pending": "waits for a person",
        "assigned": f"taken{by} at {local(handoff.assigned_at, '%H:%M:%S')}" if handoff.assigned_at else "taken",
        "resolved": f"over at {local(handoff.resolved_at, '%H:%M:%S')}" if handoff.resolved_at else "over",
    }[handoff.status]
    waits = "yellow" if handoff.status == "pending" else "dim"
    return Text.assemble(f"{handoff.policy}: {handoff.reason} — ", (since, waits))


# --- traces -------------------------------------------------------------------------------------------


def _stored_trace(turn: TurnView) -> Trace:
    """The trace that was stored with a turn; one of an older version lacks what stands in the row."""
    trace = trace_from_json(json.dumps(turn.trace))
    understanding = replace(trace.understanding, stage=turn.stage)
    trace = replace(trace, turn=turn.number, at=turn.at, event=turn.event, text=turn.heard)
    return replace(trace, understanding=understanding)


def _call_line(call: CallView) -> str:
    """A call as one would write it, its result, and how long that took."""
    given = ", ".join(f"{name}={value}" for name, value in call.arguments.items())
    came = ", ".join(f"{name}={value}" for name, value in call.outputs.items())
    took = f" ({(call.ended_at - call.started_at).total_seconds() * 1000:.0f} ms)" if call.ended_at else ""
    again = f", attempt {call.attempt}" if call.attempt > 1 else ""
    return f"{call.tool}({given}){again} → {call.status}{': ' if came or call.error else ''}{call.error or came}{took}"
