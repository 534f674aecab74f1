"""What a model proposes is kept only where it comes from somewhere; the rest is refused, and the reason says what."""

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from hilo.dialogue.commands import CallTool, Command, CorrectSlot, Refusal, Reply, SetSlot
from hilo.dialogue.wording import spoken
from hilo.turn.model_requests.requests import Asked
from hilo.turn.sources import Sources, allowed_values, declared_texts, told
from hilo.turn.state import TurnContext, TurnState
from hilo.turn.validation import Commands

LONGEST_PIECE = 80  # characters of what is refused that the reason repeats


def with_sources(
    state: TurnState, context: TurnContext, asked: Asked, commands: Commands
) -> tuple[Commands, tuple[Refusal, ...]]:
    """The commands of a model that may be kept, and those that say something which stands nowhere."""
    if context.agent.grounded == "loose":
        return commands, ()
    sources = sources_of(state, context, asked)
    kept: list[Command] = []
    refused: list[Refusal] = []
    for command in commands:
        if piece := _invented(context, sources, command):
            refused.append(Refusal(command, _reason(piece)))
        else:
            kept.append(command)
    return tuple(kept), tuple(refused)


def sources_of(state: TurnState, context: TurnContext, asked: Asked) -> Sources:
    """What was heard and said, what tools found in this turn, what the session knows and the agent file says."""
    agent, exchanges = context.agent, asked.talk.exchanges
    heard = (asked.text, *(each.heard for each in reversed(exchanges)))
    now = asked.at.astimezone(ZoneInfo(agent.timezone))
    return Sources(agent, now, heard, tuple(_known(state, context, asked)))


def _known(state: TurnState, context: TurnContext, asked: Asked) -> Iterator[str]:
    agent, session = asked.agent, state["session"]
    now = asked.at.astimezone(ZoneInfo(agent.timezone))
    yield f"{now:%Y-%m-%d %H:%M}"
    for each in asked.talk.exchanges:
        yield each.said
    # What this turn has filled by now counts too.
    for name, value in {**session.slots, **asked.session.slots}.items():
        yield str(value)
        if name in agent.slots:
            yield spoken(agent, name, value)
    yield from getattr(session.pending, "offered", ())
    for result in state.get("results", ()):
        yield from (result.tell, result.error)
        yield from result.asks.options if result.asks else ()
        yield from told(result.outputs)
    if context.contact:
        yield context.contact.phone
    yield from declared_texts(agent)


def _invented(context: TurnContext, sources: Sources, command: Command) -> str:
    match command:
        case SetSlot(slot=name, value=value) | CorrectSlot(slot=name, value=value) if name in context.agent.slots:
            slot = context.agent.slots[name]
            # To choose among what the file names is to understand, not to invent.
            return "" if slot.kind.sort in ("choice", "boolean") else sources.invented(value, slot)
        case CallTool():
            return _invented_argument(context, sources, command)
        case Reply(text=text):
            return sources.claimed(text)
    return ""


def _invented_argument(context: TurnContext, sources: Sources, call: CallTool) -> str:
    """Any value of a call that writes; in one that only looks something up, whose record it is."""
    agent, tool = context.agent, context.tools.get(call.tool)
    spec = agent.toolbox.get(call.tool)
    if spec is None or (spec.parameters and not call.arguments.keys() <= spec.parameters.keys()):
        return ""  # the gate refuses it
    allowed = allowed_values(tool.schema()) if tool else set()
    for name, value in call.arguments.items():
        if str(value) in allowed:
            continue
        piece = sources.invented(value, agent.slots.get(name)) if spec.writes else sources.invented_id(value)
        if piece:
            return piece
    return ""


def _reason(piece: str) -> str:
    shown = piece[:LONGEST_PIECE]
    return f'"{shown}" stands neither in what the contact wrote, nor in a result, nor in the agent file'
