"""What a model proposes is kept only where it comes from somewhere; the rest is refused, and the reason says what."""

import re
from collections.abc import Iterator
from zoneinfo import ZoneInfo

from hilo.dialogue.commands import CallTool, Command, CorrectSlot, Refusal, Reply, SetSlot
from hilo.dialogue.wording import spoken
from hilo.recognisers.normalise import fold
from hilo.turn.model_requests.requests import Asked
from hilo.turn.sources import Sources, allowed_values, declared_texts, told
from hilo.turn.state import TurnContext, TurnState
from hilo.understanding.beside_values import Commands
from hilo.understanding.mentions import NEGATIONS

LONGEST_PIECE = 80  # characters of what is refused that the reason repeats
# What tells of something done: a finished deed ("anoté", "se canceló"), what it has come to ("queda anotado"), and
# the bare words for it. A need, a condition or how things stand ("tu carrito está vacío") is none.
_DEED = re.compile(
    r"""
    \b(?!aquí|allí|café|bebé|puré|porqué)[^\W\d_]{3,}[éíó]\b
    | \b(?:listo|hecho|done|feito)\b
    | \bqued(?:a|an|ó|aron)\b
    | \b(?:he|has|ha|hemos|han|está|están|ya|fue|fueron|foi|foram|was|were|been|have|has|i|we|'ve)\s+
      (?:(?:just|now|already|ya|te|lo|la|los|las|se|le)\s+)?[^\W\d_]+(?:[ai]d[oa]s?|[^aeiou]ed)\b
    | (?:^|[.,;:!¡\n])\s*[^\W\d_]{3,}(?:[ai]d[oa]s?|ed)\s*(?=[.,;:!\n]|$)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CLAUSE = re.compile(r"[^.,;:!?¿¡\n]+\??")
_DENIAL = re.compile(rf"\b(?:{'|'.join(NEGATIONS)}|nao|cannot|unable)\b|n['’]t\b")
_QUESTION = re.compile(r"¿[^¿?]*\?")


def with_sources(
    state: TurnState, context: TurnContext, asked: Asked, commands: Commands, *, in_vain: frozenset[str] = frozenset()
) -> tuple[Commands, tuple[Refusal, ...]]:
    """The commands of a model that may be kept, and those that say something which stands nowhere.

    Where all that it tried in this turn was `in_vain`, its words may tell of nothing done.
    """
    if context.agent.grounded == "loose":
        return commands, ()
    sources = sources_of(state, context, asked)
    kept: list[Command] = []
    refused: list[Refusal] = []
    for command in commands:
        if in_vain and isinstance(command, Reply) and tells_of_a_deed(command.text):
            tried = ", ".join(sorted(in_vain))
            refused.append(Refusal(command, f"{tried} was not done: a model may tell of nothing done now"))
        elif piece := _invented(context, sources, command):
            refused.append(Refusal(command, _reason(piece)))
        else:
            kept.append(command)
    return tuple(kept), tuple(refused)


def tried_in_vain(state: TurnState, context: TurnContext) -> frozenset[str]:
    """The tools that write and the slots that a model tried in this turn in vain; none where a call found something."""
    decision, toolbox = state["decision"], context.agent.toolbox
    found = set[str]()
    for each in decision.refused:
        match each.command:
            case CallTool(tool=tool) if tool in toolbox and toolbox[tool].writes:
                found.add(tool)
            case SetSlot(slot=slot) | CorrectSlot(slot=slot) if slot in context.agent.slots:
                found.add(slot)
    for result in state.get("results", ()):
        if result.ok:
            return frozenset()  # there is something to tell
        if not result.asks and toolbox[result.tool].writes:
            found.add(result.tool)
    return frozenset(found)


def tells_of_a_deed(text: str) -> bool:
    """Whether a clause tells of something done: "Listo, ya lo anoté"; what is asked or denied tells of nothing."""
    clauses = [each.strip() for each in _CLAUSE.findall(_QUESTION.sub(".", text))]
    told = [each for each in clauses if not each.endswith("?") and not _DENIAL.search(fold(each))]
    return any(_DEED.search(each) for each in told)


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
