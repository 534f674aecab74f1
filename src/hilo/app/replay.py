"""Running recorded sessions again: exactly as they were, or with an edited agent to see what would change.

What the dialogue was told is told again: recorded understanding, recorded results of tools. Nothing is called.
"""

import difflib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import Affirm, Deny
from hilo.dialogue.decide import decide
from hilo.dialogue.draft import Decision, continued
from hilo.dialogue.effects import (
    Ask,
    AskSure,
    AskSwitch,
    AskWhich,
    AskYes,
    CancelTimer,
    Complete,
    Effect,
    HandOff,
    NextMessage,
    RunTool,
    Say,
    SetTimer,
)
from hilo.dialogue.events import (
    Event,
    MessageUnderstood,
    ModelAnswered,
    Reworded,
    ToolResult,
    ToolsReturned,
    began,
)
from hilo.dialogue.session import AskedYes, Session, from_json, to_json
from hilo.dialogue.stored import Arguments, decode, encode
from hilo.dialogue.synthesis import opened
from hilo.messages import Outbound, Replies
from hilo.store.views import Recorded, TurnView
from hilo.tools.database import storable
from hilo.turn.nodes import compose, open_calls
from hilo.turn.trace import describe

Kind = Literal["same", "wording", "path", "tool", "money"]
KINDS: tuple[Kind, ...] = ("same", "wording", "path", "tool", "money")  # the graver, the later

MAX_CALLS = 50  # in one turn of an edited agent: more is a circle
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")


# --- exactly as it was --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReplayedTurn:
    """A turn that was run again."""

    number: int
    before: Session
    decision: Decision
    replies: tuple[Outbound, ...]

    @property
    def session(self) -> Session:
        """Where it left the session."""
        return self.decision.session


def fold(agent: Agent, session: Session, told: Sequence[Event]) -> Decision:
    """Decide again on what the dialogue was told in one turn."""
    decision = Decision(session)
    for event in told:
        decision = _told(agent, decision, event)
    return decision


def _told(agent: Agent, before: Decision, event: Event) -> Decision:
    return continued(before, decide(agent, before.session, event, before.progress))


def play_again(agent: Agent, record: Recorded) -> tuple[ReplayedTurn, ...]:
    """All turns of a session, with the agent that they were made with."""
    session, played = from_json(record.opening), []
    for turn in record.turns:
        decision = fold(agent, session, turn.told)
        played.append(ReplayedTurn(turn.number, session, decision, compose(agent, decision)))
        session = decision.session
    return tuple(played)


def unfaithful(record: Recorded, played: Sequence[ReplayedTurn]) -> tuple[str, ...]:
    """Where the replay is not what was recorded: replies, versions, and the session to the last byte.

    A session that an older version wrote is compared in the form in which this one writes it.
    """
    found = []
    for turn, again in zip(record.turns, played, strict=True):
        if again.session.version != turn.number:
            found.append(f"turn {turn.number} leads to version {again.session.version}")
        if _as_stored(again.replies) != _as_stored(decode(Replies, json.dumps(turn.said))):
            found.append(f"turn {turn.number} has other replies")
    last = played[-1].session if played else from_json(record.opening)
    if last.version != record.version:
        found.append(f"the session has version {record.version}, the replay ends with {last.version}")
    if other := _other_fields(last, record.state):
        found.append(f"the session is another in: {', '.join(other)}")
    return tuple(found)


def _as_stored(replies: Sequence[Outbound]) -> str:
    return storable(encode(Replies, tuple(replies)))


def _other_fields(session: Session, stored: str) -> list[str]:
    mine, theirs = (json.loads(to_json(each)) for each in (session, from_json(stored)))
    written = json.loads(stored)
    return [name for name in written if name in mine and not _is_same(mine[name], theirs[name], written[name])]


def _is_same(mine: Any, theirs: Any, written: Any) -> bool:
    """Whether two values are the same, but for fields that the version which wrote one did not know."""
    if not (isinstance(mine, dict) and isinstance(theirs, dict) and isinstance(written, dict)):
        return bool(mine == theirs)
    names = mine.keys() | theirs.keys()
    known = [name for name in names if name in written or not (name in mine and name in theirs)]
    return all(name in mine and name in theirs and _is_same(mine[name], theirs[name], written[name]) for name in known)


# --- with an edited agent -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TurnDifference:
    """One difference: what was there, and what would be there instead; either may be nothing."""

    kind: Kind
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ComparedTurn:
    """What an edit would change in a turn."""

    number: int
    event: str
    heard: str
    changes: tuple[TurnDifference, ...]

    @property
    def kind(self) -> Kind:
        """The gravest of its changes."""
        return max((each.kind for each in self.changes), key=KINDS.index, default="same")


@dataclass(frozen=True, slots=True)
class Compared:
    """What an edit would change in a session; `stopped` says why turns after the last one are not known."""

    session: str
    turns: tuple[ComparedTurn, ...]
    left: int = 0
    stopped: str = ""

    @property
    def kinds(self) -> Counter[Kind]:
        """How many turns of each kind."""
        return Counter(turn.kind for turn in self.turns)


def compare(record: Recorded, played: Sequence[ReplayedTurn], *, before: Agent, after: Agent) -> Compared:
    """Run a session with an edited agent, beside the replay with the agent that it was made with."""
    session, known = _opening(after, record), _known_results(record, played)
    turns: list[ComparedTurn] = []
    for turn, old in zip(record.turns, played, strict=True):
        decision, unknown = _decide_again(after, session, _as_meant(turn, old.before, session), known)
        new = ReplayedTurn(turn.number, session, decision, compose(after, decision))
        found = tuple(_changes(_Pair(before, after, old, new)))
        if unknown:
            turns.append(_broken_off(turn, found, unknown))
            return Compared(record.id, tuple(turns), len(record.turns) - len(turns), unknown)
        turns.append(ComparedTurn(turn.number, turn.event, turn.heard, found))
        session = decision.session
    return Compared(record.id, tuple(turns))


def _broken_off(turn: TurnView, found: Sequence[TurnDifference], unknown: str) -> ComparedTurn:
    """What can be said of a turn whose end is not known: its calls."""
    calls = tuple(each for each in found if each.kind in {"tool", "money"}) or (TurnDifference("tool", "", unknown),)
    return ComparedTurn(turn.number, turn.event, turn.heard, calls)


def _opening(agent: Agent, record: Recorded) -> Session:
    first = from_json(record.opening)
    return opened(agent, session_id=first.id, at=first.started_at, before=first.before)


def _as_meant(turn: TurnView, before: Session, now: Session) -> TurnView:
    """A yes or a no by button was for the question that was open: it is for the one that is open now."""
    understood = began(turn.told)
    if not isinstance(understood, MessageUnderstood):
        return turn
    if not isinstance(before.pending, AskedYes) or not isinstance(now.pending, AskedYes):
        return turn
    there, here = before.pending.digest, now.pending.digest
    commands = tuple(
        replace(each, to=here) if isinstance(each, Affirm | Deny) and each.to == there else each
        for each in understood.commands
    )
    meant = replace(understood, commands=commands)
    return replace(turn, told=tuple(meant if each is understood else each for each in turn.told))


@dataclass(frozen=True, slots=True)
class _Known:
    """A result that was recorded, and what the call was."""

    turn: int
    call: str
    result: ToolResult


def _known_results(record: Recorded, played: Sequence[ReplayedTurn]) -> list[_Known]:
    known = []
    for turn, again in zip(record.turns, played, strict=True):
        calls = {each.call_id: each for each in again.decision.effects if isinstance(each, RunTool)}
        results = [result for event in turn.told if isinstance(event, ToolsReturned) for result in event.results]
        known += [_Known(turn.number, _call(calls[each.call_id]), each) for each in results if each.call_id in calls]
    return known


def _call(run: RunTool) -> str:
    return f"{run.tool} {encode(Arguments, dict(sorted(run.arguments.items())))}"


def _decide_again(agent: Agent, session: Session, turn: TurnView, known: list[_Known]) -> tuple[Decision, str]:
    """One turn, with recorded results for whatever it calls; and which result nobody knows, if there is one.

    While the model's turn is open, it goes on with what the model said then: nobody asks it again.
    """
    decision, used = _begun_again(agent, session, turn), Counter[str]()
    answers = iter([each for each in turn.told if isinstance(each, ModelAnswered)])
    more = iter([each for each in turn.told if getattr(each, "part", 0)])  # messages of the same burst
    for _ in range(MAX_CALLS):
        calls = open_calls(decision)
        if not calls:
            answer = next(answers, None) if decision.progress.model_turn_open else None
            goes_on = answer or next(more, None)
            if goes_on is None:
                return decision, ""
            decision = _told(agent, decision, goes_on)
            continue
        results = [_recorded_result(known, run, turn.number, used) for run in calls]
        if None in results:
            missing = calls[results.index(None)]
            return decision, f"the record has no result for {_call_text(missing)}"
        event = ToolsReturned(turn.told[0].at, tuple(each for each in results if each))
        decision = _told(agent, decision, event)
    return decision, f"it would make more than {MAX_CALLS} calls in one turn"


def _begun_again(agent: Agent, session: Session, turn: TurnView) -> Decision:
    """What the turn began with, after all the words that a model gave in it, for where others are exhausted."""
    decision = Decision(session)
    for each in turn.told:
        if isinstance(each, Reworded):
            decision = _told(agent, decision, each)
    return _told(agent, decision, began(turn.told) or turn.told[0])


def _recorded_result(known: list[_Known], run: RunTool, turn: int, used: Counter[str]) -> ToolResult | None:
    """The result of the same call in the same turn, attempt by attempt; else the nearest before it, else after it."""
    call = _call(run)
    same = [each for each in known if each.call == call]
    here = [each for each in same if each.turn == turn]
    nearest = [each for each in same if each.turn < turn][-1:] or same[:1]
    found = (here[used[call] :] or here[-1:] or nearest)[:1]
    used[call] += 1
    return replace(found[0].result, call_id=run.call_id) if found else None


# --- what is different --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Pair:
    """A turn as it was and as it would be, with the agents that made it."""

    old_agent: Agent
    new_agent: Agent
    old: ReplayedTurn
    new: ReplayedTurn

    def writes(self, tool: str) -> bool:
        """Whether either agent's tool of that name changes something in the world."""
        boxes = (self.old_agent.toolbox, self.new_agent.toolbox)
        return any(tool in box and box[tool].writes for box in boxes)


def _changes(pair: _Pair) -> Iterator[TurnDifference]:
    """The gravest first."""
    old, new = pair.old.decision.effects, pair.new.decision.effects
    yield from _differences("money", _calls(pair, old, writing=True), _calls(pair, new, writing=True))
    yield from _amounts(old, new)
    yield from _differences("tool", _calls(pair, old, writing=False), _calls(pair, new, writing=False))
    yield from _differences("path", _path(pair.old_agent, pair.old), _path(pair.new_agent, pair.new))
    yield from _differences("wording", _texts(pair.old.replies), _texts(pair.new.replies))


def _differences(kind: Kind, old: list[str], new: list[str]) -> Iterator[TurnDifference]:
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag == "equal":
            continue
        gone, come = old[first:last], new[start:end]
        for place in range(max(len(gone), len(come))):
            yield TurnDifference(kind, "".join(gone[place : place + 1]), "".join(come[place : place + 1]))


def _calls(pair: _Pair, effects: Sequence[Effect], *, writing: bool) -> list[str]:
    runs = [each for each in effects if isinstance(each, RunTool)]
    return [_call_text(each) for each in runs if pair.writes(each.tool) is writing]


def _call_text(run: RunTool) -> str:
    return f"{run.tool}({', '.join(f'{name}={value}' for name, value in sorted(run.arguments.items()))})"


def _amounts(old: Sequence[Effect], new: Sequence[Effect]) -> Iterator[TurnDifference]:
    """The numbers that a contact is asked to say yes to, in whatever order the summary has them."""
    before, after = ([each.line.text for each in effects if isinstance(each, AskYes)] for effects in (old, new))
    if not before or not after:
        return  # another question: that is another path
    numbers = [Counter(_NUMBER.findall(" ".join(texts))) for texts in (before, after)]
    if numbers[0] != numbers[1]:
        yield TurnDifference("money", _listed(numbers[0] - numbers[1]), _listed(numbers[1] - numbers[0]))


def _listed(numbers: Counter[str]) -> str:
    return f"asks a yes to {', '.join(numbers.elements())}" if numbers else ""


def _path(agent: Agent, played: ReplayedTurn) -> list[str]:
    """The way that a turn took: steps, what was not heard, slots, questions, timers."""
    decision = played.decision
    steps = [f"step {_stable_name(agent, step)}" for step in decision.steps]
    refused = [f"does not hear {describe(each.command)}: {each.reason}" for each in decision.refused]
    return [*steps, *refused, *_slots(played.before.slots, decision.session.slots), *_ordered(agent, decision.effects)]


def _stable_name(agent: Agent, place: str) -> str:
    """A step of a flow by its author's name or its kind: the number that it has otherwise may move."""
    flow, _, name = place.partition(".")
    compiled = agent.compiled.get(flow)
    if compiled is None or name not in compiled.places:
        return place  # a timer, or a template with a name of its own
    step = compiled[name]
    return f"{flow}.{step.written.name or step.kind}"


def _slots(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    names = sorted({**before, **after})
    return [f"slot {name} = {after.get(name, '(empty)')}" for name in names if before.get(name) != after.get(name)]


def _ordered(agent: Agent, effects: Sequence[Effect]) -> Iterator[str]:
    for effect in effects:
        match effect:
            case Ask(slot=slot, offered=offered):
                yield f"asks {slot}" + (f": {', '.join(offered)}?" if offered else "")
            case AskWhich(slots=slots):
                yield f"asks which of {', '.join(slots)}"
            case AskYes(line=line):
                yield f"asks for a yes ({_stable_name(agent, line.template)})"
            case AskSure(slot=slot):
                yield f"asks whether {slot} is meant"
            case AskSwitch(flow=flow):
                yield f"asks whether to switch to {flow}"
            case HandOff(policy=policy):
                yield f"hands off ({policy})"
            case Complete(flow=flow):
                yield f"completes {flow}"
            case SetTimer(name=name, at=at):
                yield f"sets the timer {name} for {at:%Y-%m-%d %H:%M:%S}"
            case CancelTimer(name=name):
                yield f"cancels the timer {name}"
            case Say() | RunTool() | NextMessage():
                continue


def _texts(replies: Sequence[Outbound]) -> list[str]:
    """What the contact reads, line by line."""
    lines = [line for reply in replies for line in reply.text.splitlines()]
    return lines + [f"[{button.title}]" for reply in replies for button in reply.buttons]
