"""The nodes that ask a model: what the embedded understander is not sure of, and what to say of results."""

import re
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace

from hilo.dialogue.commands import Affirm, CallTool, Command, OfferValues, RejectSlot, Reply
from hilo.dialogue.draft import Decision, but, of_kind
from hilo.dialogue.effects import RunTool
from hilo.dialogue.escalation import band_of
from hilo.dialogue.events import ModelAnswered
from hilo.dialogue.session import AskedYes, Summary
from hilo.dialogue.tool_proposals import writing_id
from hilo.llm.model import Message, ModelError, ModelReply, Part, Request, StreamRestart, ToolUse, ToolUseResult
from hilo.turn.founded import sources_of, tells_of_a_deed, tried_in_vain, with_sources
from hilo.turn.model_requests.offers import command_of, told_result
from hilo.turn.model_requests.prompts import bounded, quoted
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
from hilo.turn.quoting import without_doubtful, words_from_pages
from hilo.turn.sources import Sources
from hilo.turn.state import Asking, TurnContext, TurnState, message_in
from hilo.turn.value_nodes import is_good, validated
from hilo.understanding.beside_values import VALUE, Commands
from hilo.understanding.confirmations import is_plain_yes, opens_with_yes

MAX_ROUNDS = 6
LONGEST_SUMMARY = 1500  # characters
LONGEST_REASON = 500
NOT_HIS_YES = "the contact has not written a yes"
DONE = "Done. The program says or asks what belongs to it."
_LAST_FIGURE = re.compile(r"[^\s]*[\d@#:/.$][^\s]*$")
SLOTTED = VALUE | RejectSlot | OfferValues


@dataclass(frozen=True, slots=True)
class Round:
    """A round of the tool loop: the conversation with its last reply, and what that proposed."""

    number: int
    messages: tuple[Message, ...]
    before: Decision  # what had been decided when it was asked
    proposed: tuple[tuple[ToolUse, Command], ...] = ()


async def ask_model(state: TurnState, context: TurnContext) -> TurnState:
    """Ask what is not sure; when the model cannot answer, the turn goes on with what the embedded one found."""
    message, way, notes = message_in(state), context.agent.asks_by, context.record.notes
    # A model may say the same in other words: what an earlier attempt has written is gone on with, not asked.
    if written := _written_before(state, context):
        notes.append("an earlier attempt has written; the turn goes on from there without a model")
        return {"model": "", "commands": written}
    if (answered := await words_from_pages(state, context)) is not None:
        return {"model": "", "commands": answered}
    state = {**state, "commands": without_doubtful(state["commands"])}
    talk, summary = await _talk(state, context)
    asked = Asked(context.agent, state["session"], talk, message.text, message.at, message.early)
    try:
        found = await (_first_round if way == "loop" else _route)(state, context, asked)
    except ModelError as error:
        notes.append(f"the model did not answer ({error}); the embedded understander goes on")
        return {"model": "", "summary": summary, "commands": state["commands"]}
    return {"model": way, "asked": asked, "summary": summary, "embedded": state["commands"], **found}


def _written_before(state: TurnState, context: TurnContext) -> tuple[Command, ...]:
    """The proposed calls that an earlier attempt at this turn has begun and that must not be made anew."""
    session, message = state["session"], message_in(state)
    turn: int | str = session.version + 1
    if message.part:  # an earlier message has begun the turn
        turn = f"{session.version}.{message.part}"
    return tuple(
        CallTool(call.tool, call.arguments)
        for call in context.earlier_calls()
        # Calls of flows have ids of another kind, and come again by themselves.
        if call.call_id == writing_id(session.id, turn, call.tool, call.arguments)
    )


async def hear_model(state: TurnState, context: TurnContext) -> TurnState:
    """The model goes on: with its next round, or with words for the results; without them templates tell these."""
    at = state["event"].at
    calls = of_kind(state["decision"].effects, RunTool)
    try:
        if state["model"] == "loop":
            return await _next_round(state, context)
        given = {call.call_id: dict(call.arguments) for call in calls}
        results = [(given[each.call_id], each) for each in state.get("results", ())]
        request = generator_request(state["asked"], results)
        in_vain = tried_in_vain(state, context)
        reply = await _said(context, request, sources_of(state, context, state["asked"]), in_vain=in_vain)
        words = (Reply(reply.text[:LONGEST_WORDS]),)
        kept, refused = with_sources(state, context, state["asked"], words, in_vain=in_vain)
        return {"event": ModelAnswered(at, kept, refused=refused)}
    except ModelError as error:
        note = f"the model did not go on ({error}); templates tell the results"
        context.record.notes.append(note)
        return {"event": ModelAnswered(at, await _instead(state, context))}


async def _instead(state: TurnState, context: TurnContext) -> Commands:
    """What the embedded understander found, where nothing came of a model's turn: the contact asked for something."""
    commands = state.get("embedded", ())
    if not commands or state["decision"].accepted:
        return ()
    context.record.notes.append("nothing came of what the model proposed; the embedded understander goes on")
    return await validated(context, commands, at=state["event"].at)


async def _talk(state: TurnState, context: TurnContext) -> tuple[Talk, tuple[str, int] | None]:
    """The conversation so far; when it has become long, its older part in a few words, which the session keeps."""
    before, asking = state["session"].summary or Summary("", 0), _asking(context)
    exchanges = await asking.history.since(before.upto, most=MOST_TURNS) if asking.history else ()
    talk = Talk(before.text, exchanges)
    if not talk.is_long:
        return talk, None
    try:
        reply = await asking.budget.ask(summary_request(context.agent, talk, talk.older))
    except ModelError as error:
        note = f"the conversation was not summarised ({error}); its last messages must do"
        context.record.notes.append(note)
        return talk, None
    text = reply.text.strip()[:LONGEST_SUMMARY]
    if reply.stop == "refusal" or not text:
        return talk, None
    return talk.summarised(text), (text, talk.older[-1].turn)


# --- router ---------------------------------------------------------------------------------------------------


async def _route(state: TurnState, context: TurnContext, asked: Asked) -> TurnState:
    """Classify; in the band of doubt once more. What stays doubtful is asked about, without words of a model."""
    agent, notes = context.agent, context.record.notes
    routed = await _classified(state, context, router_request(asked))
    if band_of(agent, routed.confidence) == "reanalyse":
        first = routed.confidence
        try:
            # The larger model gets the whole conversation.
            routed = await _classified(state, context, router_request(asked, tier="large"))
            notes.append(f"confidence {first}: analysed again by the larger model")
        except ModelError as error:
            notes.append(f"the larger model did not answer ({error}); the first analysis stands")
    kept, refused = with_sources(state, context, asked, routed.commands)
    commands = _vouched(context, state, _merged(context, state, kept))
    clear = band_of(agent, routed.confidence) in ("proceed", "reanalyse")
    goes_on = clear and agent.grounded != "strict" and routed.needs_words
    return {"routed": routed, "commands": commands, "refused": refused, "model_turn_open": goes_on}


async def _classified(state: TurnState, context: TurnContext, request: Request) -> Routed:
    reply = _usable(await _asking(context).budget.ask(request))
    return read_answer(context.agent, state["session"], state["reading"], reply.value)


def _merged(context: TurnContext, state: TurnState, proposed: Commands) -> Commands:
    """What the model proposes, and the values that the embedded understander read and the model did not see."""
    seen = {"", *(each.slot for each in of_kind(proposed, VALUE))}
    unseen = [each for each in of_kind(state["commands"], VALUE) if each.slot not in seen]
    return (*proposed, *(each for each in unseen if each.value is not None and is_good(context, each)))


def _vouched(context: TurnContext, state: TurnState, commands: Commands) -> Commands:
    """A yes to a summary is the contact's own or none: a model cannot give it."""
    if not isinstance(state["session"].pending, AskedYes):
        return commands
    reading, asked = state["reading"], state.get("asked")
    # What was written before the summary was sent is no yes to it; in the first round the dialogue sees that.
    early = asked is not None and asked.early
    wrote_it = (is_plain_yes(reading) or opens_with_yes(reading)) and not reading.has("deny")
    if wrote_it and not early:
        return commands
    kept = but(commands, Affirm)
    if len(kept) < len(commands):
        context.record.errors.append(f"Affirm: {NOT_HIS_YES}")
    return kept


# --- loop -----------------------------------------------------------------------------------------------------


async def _first_round(state: TurnState, context: TurnContext, asked: Asked) -> TurnState:
    first = Round(1, loop_messages(asked), state.get("decision") or Decision(state["session"]))
    now, commands = await _heard(state, context, asked, first)
    kept, refused = with_sources(state, context, asked, commands)
    merged = _vouched(context, state, _merged(context, state, kept))
    goes_on = bool(now.proposed)
    return {"round": now, "commands": merged, "refused": refused, "model_turn_open": goes_on}


async def _next_round(state: TurnState, context: TurnContext) -> TurnState:
    last, decision, at = state["round"], state["decision"], state["event"].at
    if last.number >= MAX_ROUNDS:
        context.record.notes.append(f"the model was stopped after {MAX_ROUNDS} rounds")
        return {"event": ModelAnswered(at, await _instead(state, context))}
    messages = (*last.messages, Message("user", tuple(_told(state, last))))
    asked = replace(state["asked"], session=decision.session)
    in_vain = tried_in_vain(state, context)
    now, commands = await _heard(state, context, asked, Round(last.number + 1, messages, decision), in_vain=in_vain)
    kept, refused = with_sources(state, context, asked, commands, in_vain=in_vain)
    kept = await validated(context, _vouched(context, state, kept), at=at)
    if not kept and not now.proposed:
        kept = await _instead(state, context)
    return {"round": now, "event": ModelAnswered(at, kept, floor=bool(now.proposed), refused=refused)}


async def _heard(
    state: TurnState,
    context: TurnContext,
    asked: Asked,
    now: Round,
    *,
    in_vain: frozenset[str] = frozenset(),
) -> tuple[Round, Commands]:
    """What the reply to a round proposes: calls, or else its words."""
    agent, session = asked.agent, asked.session
    request = loop_request(agent, session, now.messages, tools=context.tools)
    reply = await _said(context, request, sources_of(state, context, asked), in_vain=in_vain)
    proposed: list[tuple[ToolUse, Command]] = []
    for use in reply.tool_uses:
        command = command_of(use, session)
        if isinstance(command, VALUE) and command.slot in agent.slots:
            value = as_value(agent, command.slot, str(command.value), state["reading"])
            command = type(command)(command.slot, value)
        proposed.append((use, command))
    commands = tuple(command for _, command in proposed)
    if not proposed and reply.text.strip():
        commands = (Reply(reply.text[:LONGEST_WORDS]),)
    return replace(now, messages=(*now.messages, reply.message), proposed=tuple(proposed)), commands


def _told(state: TurnState, now: Round) -> Iterator[Part]:
    """What came of each proposal of a round: the result of its call, that it was accepted, or why it was refused."""
    before, decision = now.before, state["decision"]
    # Only what the round added counts: a model may use an id, or propose the same, in every round.
    effects = decision.effects[len(before.effects) :]
    calls = {each.proposal: each.call_id for each in of_kind(effects, RunTool)}
    results = {each.call_id: each for each in state.get("results", ())}
    outcomes = [(each, "") for each in decision.accepted[len(before.accepted) :]]
    outcomes += [(each.command, each.reason) for each in decision.refused[len(before.refused) :]]
    for use, command in now.proposed:
        result = results.get(calls.get(use.id, "")) if isinstance(command, CallTool) else None
        if result:
            yield ToolUseResult(use.id, told_result(result), failed=not result.ok)
        elif refusal := _refusal(outcomes, command):
            reason = bounded(f"Refused: {refusal}", LONGEST_REASON)
            yield ToolUseResult(use.id, quoted(reason), failed=True)
        else:
            yield ToolUseResult(use.id, DONE)


def _refusal(outcomes: list[tuple[Command, str]], proposed: Command) -> str:
    """Why a proposal was refused, if it was; the same one proposed twice has two outcomes, so each is taken away."""
    slot = proposed.slot if isinstance(proposed, VALUE) else None
    for place, (decided, reason) in enumerate(outcomes):
        # A value may have been put in its form, rejected or asked about on the way.
        same_slot = isinstance(decided, SLOTTED) and decided.slot == slot
        if same_slot or decided == proposed:
            del outcomes[place]
            return reason
    return NOT_HIS_YES


# --- one request ------------------------------------------------------------------------------------------------


def _asking(context: TurnContext) -> Asking:
    """What to ask with; the routes lead here only where there is a model."""
    if context.asking is None:
        raise ModelError("unreachable", "there is no model")
    return context.asking


async def _said(context: TurnContext, request: Request, sources: Sources, *, in_vain: frozenset[str]) -> ModelReply:
    """A reply whose words may be shown while they are written; of one that fails, or invents, nothing stays."""
    budget, show = _asking(context).budget, _asking(context).show
    if show is None or context.agent.grounded == "strict":
        return _usable(await budget.ask(request))
    text = ""
    try:
        async with aclosing(budget.stream(request)) as pieces:
            async for piece in pieces:
                if isinstance(piece, ModelReply):
                    reply = _usable(piece)
                    if not in_vain or not tells_of_a_deed(text):
                        show(_showable(context, f"{text} ", sources).removesuffix(" "))
                    return reply
                text = "" if isinstance(piece, StreamRestart) else text + piece
                if not in_vain:
                    show(_showable(context, text, sources))
    except ModelError:
        show("")
        raise
    show("")
    raise ModelError("broken_reply", "the stream ended without a reply")


def _showable(context: TurnContext, text: str, sources: Sources) -> str:
    """The words so far, as far as they may be said; the last one waits until it is whole, if it may be a figure."""
    if context.agent.grounded == "loose":
        return text
    last = _LAST_FIGURE.search(text)
    whole = text[: last.start()] if last else text
    return "" if sources.claimed(whole) else whole


def _usable(reply: ModelReply) -> ModelReply:
    """One that was broken off or declined is none."""
    if reply.stop in ("refusal", "max_tokens"):
        raise ModelError("broken_reply", f"it stopped: {reply.stop}")
    return reply
