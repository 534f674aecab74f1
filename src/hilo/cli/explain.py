"""A turn's trace and a session's state as tables for the terminal."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from hilo.agent.declaration import Agent
from hilo.dialogue.session import AskedSlot, AskedWhich, AskedYes, Pending, Session
from hilo.dialogue.wording import spoken
from hilo.turn.trace import Trace, describe, describe_act


def explain(trace: Trace, calls: Sequence[str] = ()) -> Table:
    """Why a turn went as it went, with the calls that were written down in it."""
    table = _table()
    heard, did = trace.understanding, ", ".join(map(describe_act, trace.understanding.acts))
    table.add_row("event", f"{trace.event} {trace.text!r}" if trace.text else trace.event)
    table.add_row("nodes", Text(" → ").join(_visited(trace)))
    table.add_row("understood", f"by stage {heard.stage}" + (f": {did}" if did else ""))
    if heard.intent or heard.alternatives:
        others = ", ".join(f"{name} {confidence}" for name, confidence in heard.alternatives)
        table.add_row("intent", f"{heard.intent or '–'} ({heard.confidence} of 100; {others})")
    if heard.sentiment:
        table.add_row("sentiment", f"{heard.sentiment:+.2f} {', '.join(heard.sentiment_causes)}")
    _rows(table, "refers to", [f"“{words}” = {taken}" for words, taken in heard.references])
    _rows(table, "pages", list(map(str, heard.lookups)))
    _rows(table, "values", list(map(str, heard.values)))
    if trace.correction is not None:
        table.add_row("correction", trace.correction or "of a slot that was not said")
    _rows(table, "accepted", list(map(describe, trace.accepted)), style="green")
    _rows(table, "refused", [f"{describe(each.command)}: {each.reason}" for each in trace.refused], style="red")
    table.add_row("states", " → ".join(trace.states))
    _rows(table, "modes", [f"{before or '–'} → {after}" for before, after in trace.modes])
    _rows(table, "steps", trace.steps)
    _rows(table, "guards", [f"{guard}: {'holds' if held else 'does not hold'}" for _, guard, held in trace.guards])
    _rows(table, "effects", list(map(describe, trace.effects)))
    _rows(table, "calls", list(calls))
    if trace.policy:
        table.add_row("handoff", f"{trace.policy}: {trace.reason}")
    _rows(table, "errors", trace.errors, style="bold red")
    _rows(table, "notes", trace.notes)
    _rows(table, "tokens", _tokens(trace))
    table.add_row("took", f"{trace.milliseconds:.2f} ms, run by {trace.engine}")
    return table


def _tokens(trace: Trace) -> list[str]:
    """What each request to a model came to; that none was made is worth telling of a message."""
    if not trace.models:
        return ["0: no model was asked"] if trace.event == "MessageReceived" else []
    lines = []
    for use in trace.models:
        asked = use.input + use.cache_read + use.cache_written
        cached = f" ({use.cache_read:,} cached)" if use.cache_read else ""
        most = "at most " if use.estimated else ""
        lines.append(f"{use.model}: {most}{asked:,} in{cached}, {use.output:,} out, {use.cost}")
    return lines


def _visited(trace: Trace) -> list[Text]:
    return [Text.assemble(visit.node, (f" {visit.milliseconds:.2f}", "dim")) for visit in trace.nodes]


def _rows(table: Table, name: str, values: list[str] | tuple[str, ...], *, style: str = "") -> None:
    if values:
        table.add_row(name, Text("\n".join(values), style=style))


def show_session(agent: Agent, session: Session) -> Table:
    """Where the session stands."""
    table = _table()
    table.add_row("session", f"{session.id}, version {session.version}, agent {session.agent} {session.agent_version}")
    table.add_row("status", f"{session.status}, held by the {session.holder}")
    table.add_row("state", str(session.state))
    table.add_row("flows", " › ".join(f"{frame.flow} at {frame.step or 'its end'}" for frame in session.stack) or "–")
    table.add_row("waits for", _waits_for(session.pending))
    for name in agent.slots:
        value = session.slots.get(name)
        empty = "skipped" if name in session.skipped else "–"
        table.add_row(
            f"slot {name}", Text(spoken(agent, name, value)) if value is not None else Text(empty, style="dim")
        )
    if session.timers:
        table.add_row("timers", ", ".join(f"{name} at {at:%H:%M:%S}" for name, at in session.timers.items()))
    if session.handoff:
        table.add_row("handoff", f"{session.handoff.policy}: {session.handoff.reason}")
    return table


def _waits_for(pending: Pending | None) -> str:
    match pending:
        case AskedSlot(slot=slot, correcting=correcting):
            return f"the slot {slot}" + (", to correct it" if correcting else "")
        case AskedYes(digest=digest):
            return f"a yes to what was shown (digest {digest})"
        case AskedWhich(slots=slots):
            return f"which to change: {', '.join(slots)}"
    return "–"


def _table() -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold cyan", no_wrap=True)
    table.add_column(overflow="fold")
    return table
