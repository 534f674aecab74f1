"""The nodes that ask a model: what the embedded understander is not sure of, and what to say of results."""

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TypeVar

from hilo.agent.declaration import Bands
from hilo.agent.values import Accepted, accept
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    Command,
    CorrectSlot,
    Digress,
    OfferValues,
    RejectSlot,
    Reply,
    SetSlot,
    StartFlow,
)
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import RunTool
from hilo.dialogue.escalation import band_of
from hilo.dialogue.events import MessageReceived, ModelAnswered, ToolResult
from hilo.dialogue.session import AskedYes
from hilo.dialogue.tool_proposals import writing_id
from hilo.llm.model import Message, ModelError, ModelReply, Part, Piece, Request, StreamRestart, ToolUse
from hilo.llm.model import ToolUseResult as ToldResult
from hilo.turn.model_requests.offers import command_of, told_result
from hilo.turn.model_requests.requests import (
    Asked,
    generator_request,
    loop_messages,
    loop_request,
    router_request,
    summary_request,
)
from hilo.turn.model_requests.router import LONGEST_WORDS, Routed, as_value, read_answer
from hilo.turn.model_requests.talk import MOST_TURNS, Talk
from hilo.turn.model_requests.untrusted_text import bounded, quoted
from hilo.turn.state import Asking, TurnContext, TurnState
from hilo.turn.validating import validated
from hilo.understanding.confirmations import is_plain_yes, opens_with_yes
from hilo.understanding.reading import Reading

MAX_ROUNDS = 6
LONGEST_SUMMARY = 1500  # characters
LONGEST_REASON = 500
NOT_HIS_YES = "the contact has not written a yes"
SLOTTED = SetSlot | CorrectSlot | RejectSlot | OfferValues

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Round:
    """A round of the tool loop: the conversation with its last reply, and what that proposed."""

    number: int
    messages: tuple[Message, ...]
    proposed: tuple[tuple[ToolUse, Command], ...] = ()
    before: Decision | None = None  # what had been decided when it was asked


async def ask_model(state: TurnState, context: TurnContext) -> TurnState:
    """Ask what is not sure; when the model cannot answer, the turn goes on with what the embedded one found.

    A model may say the same in other words: what an earlier attempt has written is gone on with, not asked.
    """
    if written := _written_before(state, context):
        context.record.notes.append("an earlier attempt has written; the turn goes on from there without a model")
        return {"model": "", "commands": written}
    talk, summary = await _talk(state, context)
    asked = _asked(state, context, talk)
    try:
        found = await (_first_round if state["model"] == "loop" else _route)(state, context, asked)
    except ModelError as error:
        context.record.notes.append(f"the model did not answer ({error}); the embedded understander goes on")
        return {"model": "", "summary": summary}
    return {"asked": asked, "summary": summary, **found}


def _written_before(state: TurnState, context: TurnContext) -> tuple[Command, ...]:
    """The proposed calls that an earlier attempt at this turn has begun and that must not be made anew."""
    session, journal = state["session"], context.journal
    calls = journal.earlier() if journal else ()
    turn = session.version + 1
    return tuple(
        CallTool(call.tool, call.arguments)
        for call in calls
        if call.call_id == writing_id(session.id, turn, call.tool, call.arguments)
    )


async def hear_model(state: TurnState, context: TurnContext) -> TurnState:
    """The model goes on: with its next round, or with words for the results; without them templates tell these."""
    at = state["event"].at
    try:
        if state["model"] == "loop":
            return await _next_round(state, context)
        reply = await _said(context, generator_request(state["asked"], _results(state)))
        return {"event": ModelAnswered(at, (_words(reply),))}
    except ModelError as error:
        context.record.notes.append(f"the model did not go on ({error}); templates tell the results")
        return {"event": ModelAnswered(at)}


def is_sure(context: TurnContext, reading: Reading, commands: Sequence[Command]) -> bool:
    """Whether the embedded understander has read a message well enough to do without a model."""
    if context.asking and context.asking.always:
        return False
    values = [each for each in commands if isinstance(each, SetSlot | CorrectSlot)]
    if not commands or Digress("off_topic") in commands or not all(_is_good(context, each) for each in values):
        return False
    if any(isinstance(each, StartFlow | AskInfo | CallTool) for each in commands):
        return reading.confidence >= (context.agent.confidence or Bands()).proceed
    return not values or not (reading.has("question") or "?" in reading.text.raw)


# --- what was said before -----------------------------------------------------------------------------------


async def _talk(state: TurnState, context: TurnContext) -> tuple[Talk, tuple[str, int] | None]:
    """The conversation so far; when it has become long, its older part in a few words, which the session keeps."""
    before = state["session"].summary
    told = before.text if before else ""
    history = asking(context).history
    if history is None:
        return Talk(told), None
    exchanges = await history.since(before.upto if before else 0, most=MOST_TURNS)
    talk = Talk(told, exchanges)
    if not talk.is_long:
        return talk, None
    try:
        reply = await asking(context).budget.ask(summary_request(context.agent, talk, talk.older))
    except ModelError as error:
        context.record.notes.append(f"the conversation was not summarised ({error}); its last messages must do")
        return talk, None
    text = "" if reply.stop == "refusal" else reply.text.strip()[:LONGEST_SUMMARY]
    return (talk.summarised(text), (text, talk.older[-1].turn)) if text else (talk, None)


def _asked(state: TurnState, context: TurnContext, talk: Talk) -> Asked:
    event = state["event"]
    text, early = (event.text, event.early) if isinstance(event, MessageReceived) else ("", False)
    return Asked(context.agent, state["session"], talk, text, event.at, early)


# --- router ---------------------------------------------------------------------------------------------------


async def _route(state: TurnState, context: TurnContext, asked: Asked) -> TurnState:
    """Classify; in the band of doubt once more. What stays doubtful is asked about, without words of a model."""
    routed = await _classified(state, context, router_request(asked))
    if band_of(context.agent, routed.confidence) == "reanalyse":
        routed = await _analysed_again(state, context, asked, routed)
    commands = _vouched(context, state, _merged(context, state, routed.commands))
    clear = band_of(context.agent, routed.confidence) in ("proceed", "reanalyse")
    return {"routed": routed, "commands": commands, "floor": clear and _may_speak(context) and routed.needs_words}


async def _analysed_again(state: TurnState, context: TurnContext, asked: Asked, first: Routed) -> Routed:
    """By the larger model with the whole conversation; if that one cannot answer, the first analysis stands."""
    try:
        again = await _classified(state, context, router_request(asked, tier="large"))
    except ModelError as error:
        context.record.notes.append(f"the larger model did not answer ({error}); the first analysis stands")
        return first
    context.record.notes.append(f"confidence {first.confidence}: analysed again by the larger model")
    return again


def _may_speak(context: TurnContext) -> bool:
    """Whether a model's own words may reach the contact."""
    return context.agent.grounded != "strict"


async def _classified(state: TurnState, context: TurnContext, request: Request) -> Routed:
    reply = await _reply(context, request)
    return read_answer(context.agent, state["session"], state["reading"], reply.value)


def _merged(context: TurnContext, state: TurnState, proposed: Sequence[Command]) -> tuple[Command, ...]:
    """What the model proposes, and the values that the embedded understander read and the model did not see."""
    seen = {each.slot for each in proposed if isinstance(each, SetSlot | CorrectSlot)}
    read = [each for each in state.get("commands", ()) if isinstance(each, SetSlot | CorrectSlot) and each.slot]
    kept = [each for each in read if each.slot not in seen and each.value is not None and _is_good(context, each)]
    return (*proposed, *kept)


def _is_good(context: TurnContext, command: SetSlot | CorrectSlot) -> bool:
    if command.value is None:
        return isinstance(command, CorrectSlot)  # the value comes next
    taken = accept(context.agent.slots[command.slot], command.value, country=context.agent.country)
    return isinstance(taken, Accepted)


def _vouched(context: TurnContext, state: TurnState, commands: Sequence[Command]) -> tuple[Command, ...]:
    """A yes to a summary is the contact's own or none: a model cannot give it."""
    if _may_affirm(state):
        return tuple(commands)
    kept = tuple(each for each in commands if not isinstance(each, Affirm))
    if len(kept) < len(commands):
        context.record.errors.append(f"Affirm: {NOT_HIS_YES}")
    return kept


def _may_affirm(state: TurnState) -> bool:
    """What was written before the summary was sent is no yes to it; the dialogue sees that in the first round."""
    reading, asked = state["reading"], state.get("asked")
    if not isinstance(state["session"].pending, AskedYes):
        return True
    wrote_it = (is_plain_yes(reading) or opens_with_yes(reading)) and not reading.has("deny")
    return wrote_it and not (asked and asked.early)


def _results(state: TurnState) -> list[tuple[dict[str, object], ToolResult]]:
    calls = {each.call_id: each for each in state["decision"].effects if isinstance(each, RunTool)}
    return [(dict(calls[each.call_id].arguments), each) for each in state.get("results", ()) if each.call_id in calls]


# --- loop -----------------------------------------------------------------------------------------------------


async def _first_round(state: TurnState, context: TurnContext, asked: Asked) -> TurnState:
    messages = loop_messages(asked)
    reply = await _said(context, loop_request(context.agent, state["session"], messages, tools=context.tools))
    first, commands = _heard(asked, state["reading"], Round(1, messages), reply)
    merged = _vouched(context, state, _merged(context, state, commands))
    return {"round": first, "commands": merged, "floor": bool(first.proposed)}


async def _next_round(state: TurnState, context: TurnContext) -> TurnState:
    before, session, at = state["round"], state["decision"].session, state["event"].at
    if before.number >= MAX_ROUNDS:
        context.record.notes.append(f"the model was stopped after {MAX_ROUNDS} rounds")
        return {"event": ModelAnswered(at)}
    messages = (*before.messages, Message("user", tuple(_told(state, before))))
    reply = await _said(context, loop_request(context.agent, session, messages, tools=context.tools))
    asked = replace(state["asked"], session=session)
    next_ = Round(before.number + 1, messages, before=state["decision"])
    now, commands = _heard(asked, state["reading"], next_, reply)
    kept = await validated(context, _vouched(context, state, commands), at=at)
    return {"round": now, "event": ModelAnswered(at, kept, floor=bool(now.proposed))}


def _heard(asked: Asked, reading: Reading, now: Round, reply: ModelReply) -> tuple[Round, tuple[Command, ...]]:
    """What a reply proposes: calls, or else its words."""
    proposed = tuple((use, _command(asked, reading, use)) for use in reply.tool_uses)
    heard = replace(now, messages=(*now.messages, reply.message), proposed=proposed)
    if proposed:
        return heard, tuple(command for _, command in proposed)
    return heard, (_words(reply),) if reply.text.strip() else ()


def _words(reply: ModelReply) -> Reply:
    return Reply(reply.text[:LONGEST_WORDS])


def _command(asked: Asked, reading: Reading, use: ToolUse) -> Command:
    command = command_of(use, asked.session)
    if isinstance(command, SetSlot | CorrectSlot) and command.slot in asked.agent.slots:
        return type(command)(command.slot, as_value(asked.agent, command.slot, str(command.value), reading))
    return command


def _told(state: TurnState, now: Round) -> Iterator[Part]:
    """What came of each proposal of a round: the result of its call, that it was accepted, or why it was refused."""
    news = _since(now.before, state["decision"])
    calls = {each.proposal: each.call_id for each in news.effects if isinstance(each, RunTool)}
    results = {each.call_id: each for each in state.get("results", ())}
    accepted, refused = list(news.accepted), list(news.refused)
    for use, command in now.proposed:
        result = results.get(calls.get(use.id, "")) if isinstance(command, CallTool) else None
        if result:
            yield ToldResult(use.id, told_result(result), failed=not result.ok)
        elif _taken(accepted, command, lambda each: each):
            yield ToldResult(use.id, "Done. The program says or asks what belongs to it.")
        else:
            refusal = _taken(refused, command, lambda each: each.command)
            yield ToldResult(use.id, _refused(refusal.reason if refusal else NOT_HIS_YES), failed=True)


def _refused(reason: str) -> str:
    return quoted(bounded(f"Refused: {reason}", LONGEST_REASON))


def _since(before: Decision | None, now: Decision) -> Decision:
    """What a round added to the turn's decision: a model may use an id, or propose the same, in every round."""
    if before is None:
        return now
    return replace(
        now,
        effects=now.effects[len(before.effects) :],
        accepted=now.accepted[len(before.accepted) :],
        refused=now.refused[len(before.refused) :],
    )


def _taken(decided: list[T], proposed: Command, command_of: Callable[[T], Command]) -> T | None:
    """Take the first that stands for a proposal, so that the same one proposed twice has two outcomes."""
    place = next((place for place, each in enumerate(decided) if _stands_for(command_of(each), proposed)), None)
    return None if place is None else decided.pop(place)


def _stands_for(decided: Command, proposed: Command) -> bool:
    """A value may have been put in its form, rejected or asked about on the way."""
    if isinstance(proposed, SetSlot | CorrectSlot) and isinstance(decided, SLOTTED):
        return decided.slot == proposed.slot
    return decided == proposed


# --- one request ------------------------------------------------------------------------------------------------


def asking(context: TurnContext) -> Asking:
    """What to ask with; the routes lead here only where there is a model."""
    if context.asking is None:
        raise ModelError("unreachable", "there is no model")
    return context.asking


async def _reply(context: TurnContext, request: Request) -> ModelReply:
    """A whole reply."""
    return _usable(await asking(context).budget.ask(request))


async def _said(context: TurnContext, request: Request) -> ModelReply:
    """A reply whose words may be shown while they are written; of one that fails nothing stays."""
    show = asking(context).show if _may_speak(context) else None
    if show is None:
        return await _reply(context, request)
    try:
        return _usable(await _shown(asking(context).budget.stream(request), show))
    except ModelError:
        show("")
        raise


async def _shown(stream: AsyncGenerator[Piece, None], show: Callable[[str], None]) -> ModelReply:
    text = ""
    async with aclosing(stream) as pieces:
        async for piece in pieces:
            if isinstance(piece, ModelReply):
                return piece
            text = "" if isinstance(piece, StreamRestart) else text + piece
            show(text)
    raise ModelError("broken_reply", "the stream ended without a reply")


def _usable(reply: ModelReply) -> ModelReply:
    """One that was broken off or declined is none."""
    if reply.stop in ("refusal", "max_tokens"):
        raise ModelError("broken_reply", f"it stopped: {reply.stop}")
    return reply
