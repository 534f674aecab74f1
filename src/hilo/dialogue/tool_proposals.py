"""Calls that a message or a model proposes: the gate, and what follows from their results."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from hilo.agent.declaration import CONSENT, LOOKED_UP, Intent
from hilo.agent.values import Accepted, accept_found
from hilo.dialogue.calls import digest, refusal
from hilo.dialogue.commands import CallTool, GiveArgument, Reply
from hilo.dialogue.draft import Draft, known, less, without
from hilo.dialogue.effects import RunTool
from hilo.dialogue.escalation import Escalation, hand_off
from hilo.dialogue.events import Asks, ToolResult, ToolsReturned
from hilo.dialogue.memory import forget_call, is_fresh, last_listed, remember_result
from hilo.dialogue.modes import after_tool, before_tool
from hilo.dialogue.session import AskedArgument, Running, Unsaid
from hilo.dialogue.stack import rewind
from hilo.dialogue.states import DialogueState
from hilo.dialogue.tool_questions import is_same, queue, settle, wait_for_first
from hilo.dialogue.wording import next_line, say, say_results, say_words

MAX_ERRORS = 2  # errors in a row that call a person
MAX_TOGETHER = 8  # calls that run at once
MAX_CALLS = 24  # proposed calls of one turn
MAX_ARGUMENTS = 8000  # characters, as JSON
MAX_REPLY = 3000  # characters of a model's words
LONGEST_SAID = 60  # characters of what is said back to the contact
MOST_LOOKED_UP = 4  # lines of what was looked up before
MAX_OFFERED = 10  # as many rows as a WhatsApp list has

PRODUCT = "product"  # the parameter of what is ordered
LOST = "it gave no result"


def propose_call(draft: Draft, command: CallTool, *, completes: bool = False) -> None:
    """Order the call if the gate lets it pass; where the contact can say what it lacks, ask.

    One that only `completes` the call that a tool asked about answers no other question.
    """
    before_tool(draft, command.tool)
    if reason := refusal(draft, command.tool) or _unfit(draft, command):
        draft.log.refuse(command, reason)
        return
    command = _with_what_is_known(draft, command)
    lacking = less(draft.agent.toolbox[command.tool].needed, *known(command.arguments))
    if lacking and (answer := _answer_without(draft, command)):
        draft.log.accepted.append(command)
        say(draft, answer)
        return
    if lacking:
        lacks = lacking[0]
        # A call with an id is a model's: it hears what is missing, and can ask in its own words.
        has_words = f"ask.{lacks}" in draft.agent.templates
        if command.id or not has_words or not _is_plain(command.arguments):
            draft.log.refuse(command, f"{command.tool} needs {lacks}")
            return
        draft.log.accepted.append(command)
        _wait_for(draft, command.tool, command.arguments, Asks(lacks))
        return
    if command.alike and PRODUCT in command.arguments:
        draft.log.accepted.append(command)
        _ask_what_is_meant(draft, command)
        return
    call_id = _call_id(draft, command)
    if call_id in draft.progress.made:
        draft.log.refuse(command, f"{command.tool} was called with these arguments already")
        return
    draft.log.accepted.append(command)
    if not completes:
        settle(draft, command)
    _order(draft, command, call_id)


def _with_what_is_known(draft: Draft, command: CallTool) -> CallTool:
    """A lookup that lacks what a slot of that name has is about that: "¿hay que ir en ayunas?" of what is booked.

    In the midst of a flow that is true of what it could do without, too: "¿cuánto sale?" is not asked of everything.
    What only tools find nobody could tell, so that it is true of that at any time: "¿quedó reservado?".
    """
    spec, slots = draft.agent.toolbox[command.tool], draft.session.slots
    if command.id or spec.writes:
        return command  # a model says itself what it asks for, and what writes needs the contact's word
    under_way, found = bool(draft.session.stack), draft.agent.found_only()
    asked = [name for name in spec.parameters if under_way or name in spec.needed or name in found]
    lacking = less(tuple(asked), *known(command.arguments))
    intent = _intent_of(draft, command)
    sources = {name: intent.slot_of(name, slots) if intent else name for name in lacking}
    filled = {name: slots[slot] for name, slot in sources.items() if slot in slots}
    filled = filled or _as_last_time(draft, command)
    filled |= _looked_up(draft, intent)
    return replace(command, arguments={**command.arguments, **filled}) if filled else command


def _as_last_time(draft: Draft, command: CallTool) -> dict[str, Any]:
    """What the same lookup was about just before, where it needs one thing and is told nothing: "¿y cuánto falta?"."""
    last, needed = draft.session.last_call, draft.agent.toolbox[command.tool].needed
    is_same = last is not None and last.tool == command.tool and is_fresh(draft.session, last.turn)
    if not last or not is_same or last.came_to_nothing or len(needed) != 1 or command.arguments:
        return {}
    return {needed[0]: last.arguments[needed[0]]} if needed[0] in last.arguments else {}


def _looked_up(draft: Draft, intent: Intent | None) -> dict[str, Any]:
    """What was looked up just before, in words, for a tool that goes on with it: "¿y si son las 9?"."""
    last = draft.session.last_call
    names = [name for name, value in (intent.arguments if intent else {}).items() if value == LOOKED_UP]
    if last is None or not names or not is_fresh(draft.session, last.turn):
        return {}
    earlier = str(last.arguments.get(names[0], "")) if intent and last.tool == intent.do else ""
    lines = [*earlier.splitlines(), *(str(value) for name, value in last.arguments.items() if name != names[0])]
    return {names[0]: "\n".join(lines[-MOST_LOOKED_UP:])}


def _intent_of(draft: Draft, command: CallTool) -> Intent | None:
    """The intent that runs a tool, where there is one."""
    return next((each for each in draft.agent.intents.values() if each.do == command.tool), None)


def _answer_without(draft: Draft, command: CallTool) -> str:
    """The template that answers a question in general, where what its tool needs was never told."""
    intent = _intent_of(draft, command)
    return intent.answer if intent and not command.id else ""


def _ask_what_is_meant(draft: Draft, command: CallTool) -> None:
    """What only resembles a product is not ordered before the contact has said so."""
    line = next_line(draft, "ask_alike", {"value": command.alike[0]})
    asks = Asks(PRODUCT, command.alike, line.text)
    _wait_for(draft, command.tool, command.arguments, asks, guess=True)


def _unfit(draft: Draft, command: CallTool) -> str:
    if command.tool not in draft.agent.proposable(draft.session.mode):
        return f"{command.tool} is for the flows of the agent"
    spec = draft.agent.toolbox[command.tool]
    if spec.needs_yes:
        return f"{command.tool} needs a yes, which only a flow asks for"
    if CONSENT in command.arguments and CONSENT in spec.parameters:
        return "only a flow says whose yes there is"
    unknown = command.arguments.keys() - spec.parameters.keys()
    if spec.parameters and unknown:
        return f"{command.tool} has no parameter {', '.join(sorted(map(str, unknown)))}"
    if len(draft.progress.running) >= MAX_TOGETHER or len(draft.progress.made) >= MAX_CALLS:
        return f"too many calls: {MAX_TOGETHER} at once, {MAX_CALLS} in one turn"
    if any(map(_is_no_figure, command.arguments.values())):
        return "an argument is no number"
    return "" if len(_written(command.arguments)) <= MAX_ARGUMENTS else "the arguments are too long"


def _is_no_figure(value: Any) -> bool:
    """Whether it is NaN or endless: NaN equals nothing, so a session that keeps it would not equal itself."""
    return isinstance(value, Decimal) and not value.is_finite()


def _written(arguments: Mapping[str, Any]) -> str:
    return json.dumps(arguments, ensure_ascii=False, sort_keys=True, default=str)


def _is_plain(arguments: Mapping[str, Any]) -> bool:
    return all(isinstance(value, str | int | Decimal | bool) for value in arguments.values())


def _call_id(draft: Draft, command: CallTool) -> str:
    """A call that writes is made once in a turn, one that reads whenever it is proposed."""
    if draft.agent.toolbox[command.tool].writes:
        return writing_id(draft.session.id, draft.ordered_in, command.tool, command.arguments)
    place = f"proposed {len(draft.progress.made)}"
    said = _written(command.arguments)
    return digest(draft.session.id, draft.ordered_in, place, command.tool, said)


def writing_id(session: str, turn: int | str, tool: str, arguments: Mapping[str, Any]) -> str:
    """By what a proposed call that writes is known, in every attempt at its turn."""
    return digest(session, turn, "proposed", tool, _written(known(arguments)))


def _order(draft: Draft, command: CallTool, call_id: str) -> None:
    session, progress, pending = draft.session, draft.progress, draft.session.pending
    if isinstance(pending, AskedArgument) and pending.turn != draft.turn:
        # The contact has left what a tool asked for; looking something up does not leave an order.
        # Nor does what only says more of it ("pago con débito"), which orders nothing.
        ordering, writes = draft.agent.ordering.values(), draft.agent.writes
        says_more = pending.tool in ordering and command.tool not in ordering
        if not writes(pending.tool) or (writes(command.tool) and not says_more):
            session.pending = None
    arguments = known(command.arguments)
    draft.effects.append(RunTool(call_id, command.tool, arguments, command.id))
    running = Running(call_id, command.tool, proposed=True, arguments=arguments)
    progress.running = (*progress.running, running)
    progress.made = (*progress.made, call_id)


# --- results -------------------------------------------------------------------------------------


def on_proposed_results(draft: Draft, event: ToolsReturned) -> None:
    """Take every result for itself: one that failed does not lose the others."""
    returned = {each.call_id: each for each in event.results}
    running = draft.progress.running
    draft.progress.running = ()
    draft.log.states.append(DialogueState.UNDERSTANDING)
    results: list[ToolResult] = []
    escalation: Escalation | None = None
    for call in running:
        lost = ToolResult(call.call_id, call.tool, ok=False, error=LOST)
        results.append(returned.get(call.call_id, lost))
        wanted = _take(draft, call, results[-1])
        escalation = escalation or wanted
    count_failures(draft, results)
    if escalation:
        say_results(draft)
        draft.log.states.append(DialogueState.ERROR)
        hand_off(draft, escalation)


def _take(draft: Draft, call: Running, result: ToolResult) -> Escalation | None:
    """Note what a call came to; why a person is needed, if one is."""
    if result.unknown:
        draft.log.errors.append(f"{call.tool}: outcome unknown: {result.error}")
        reason = f"nobody knows whether {call.tool} was done: {result.error}"
        return Escalation("unknown_outcome", reason)
    if result.person:
        _leave_unsaid(draft, Unsaid(call.tool, tell=result.tell))
        return Escalation(result.person, result.error)
    if result.asks:
        _wait_for(draft, call.tool, call.arguments, result.asks)
    elif result.ok or result.tell:
        draft.count(errors=0)
        _leave_unsaid(draft, Unsaid(call.tool, {**call.arguments, **result.outputs}, result.tell))
        if result.ok:
            draft.count(without_progress=0)
            before = draft.session.slots
            keep_found(draft, result)
            remember_result(draft, result)
            # A flow under way stands again where it hangs on what is different now.
            for name in result.outputs.keys() & draft.agent.slots.keys():
                if before.get(name) != draft.session.slots.get(name):
                    rewind(draft, name)
            after_tool(draft, call.tool)
        else:
            forget_call(draft, call.tool)
    else:
        _leave_unsaid(draft, Unsaid(call.tool, failed=True))
        return count_error(draft, f"{call.tool}: {result.error}")
    return None


def _leave_unsaid(draft: Draft, unsaid: Unsaid) -> None:
    draft.progress.unsaid = (*draft.progress.unsaid, unsaid)


def keep_found(draft: Draft, result: ToolResult) -> None:
    """Outputs go into the slots of their name that are there to be found."""
    agent, session = draft.agent, draft.session
    for name, value in result.outputs.items():
        slot = agent.slots.get(name)
        if slot is None or not slot.found:
            continue
        taken = accept_found(slot, value, country=agent.country)
        if value == "":
            session.slots = without(session.slots, name)
        elif isinstance(taken, Accepted):
            session.slots = {**session.slots, name: taken.value}
        else:
            given = f"{result.tool} gave {name} = {value!s:.100}"
            draft.log.errors.append(f"{given}, which {name} does not take")


def count_failures(draft: Draft, results: Iterable[ToolResult]) -> None:
    """Calls in a row that came to nothing; those of one message count once.

    What a tool tells the contact ("no tengo medialunas") is an answer, and no failure.
    """
    ended = [each for each in results if not each.asks and not each.tell]
    if any(each.ok for each in ended):
        draft.count(failures=0)
    elif ended:
        draft.count(failures=draft.session.counters.failures + 1)


def count_error(draft: Draft, error: str) -> Escalation | None:
    """One more error in a row; why a person is needed, if it is one too many."""
    errors = draft.session.counters.errors + 1
    draft.count(errors=errors)
    draft.log.errors.append(error)
    if errors < MAX_ERRORS:
        return None
    return Escalation("errors", f"{errors} errors in a row, the last: {error}")


# --- what a tool asks ----------------------------------------------------------------------------


def _wait_for(draft: Draft, tool: str, arguments: Mapping[str, Any], asks: Asks, *, guess: bool = False) -> None:
    """Remember the question: it is put when all else was said, after those of other calls."""
    plain = without(arguments, asks.parameter)
    if asks.parameter == PRODUCT and not asks.options:
        asks = replace(asks, options=last_listed(draft.session))  # "dame 2", of what was shown
    if not _is_plain(plain):
        _leave_unsaid(draft, Unsaid(tool, tell=asks.question, failed=not asks.question))
        return
    asked = AskedArgument(
        tool,
        asks.parameter,
        plain,
        slot=asks.parameter if asks.parameter in draft.agent.slots else "",
        offered=asks.options[:MAX_OFFERED],
        question=asks.question,
        turn=draft.turn,
        about=str(arguments.get(asks.parameter, ""))[:LONGEST_SAID],
        guess=guess,
    )
    waiting = draft.session.pending
    if isinstance(waiting, AskedArgument) and waiting.turn == draft.turn:
        if waiting is draft.asked:
            # What was waiting when the results came stands behind their questions.
            behind = [each for each in queue(waiting) if not is_same(each, asked)]
            asked = replace(asked, more=tuple(behind)[:MAX_TOGETHER])
        else:
            asked = replace(waiting, more=(*waiting.more, asked)[:MAX_TOGETHER])
    draft.session.pending = asked


def give_argument(draft: Draft, command: GiveArgument) -> None:
    """The call that was asked for is made with what it lacked."""
    pending = draft.session.pending
    parameters: tuple[str, ...] = ()
    if isinstance(pending, AskedArgument) and pending.tool in draft.agent.toolbox:
        parameters = ("", *draft.agent.toolbox[pending.tool].parameters)
    if not isinstance(pending, AskedArgument) or command.parameter not in parameters:
        draft.log.refuse(command, "no tool waits for this")
        return
    if _is_no_figure(command.value):
        draft.log.refuse(command, "the value is no number")
        return
    draft.log.accepted.append(command)
    if command.parameter not in ("", pending.parameter):
        changed = {**pending.arguments, command.parameter: command.value}
        draft.session.pending = replace(pending, arguments=changed, turn=draft.turn)
        return
    wait_for_first(draft, pending.more, turn=draft.turn)
    arguments = {**pending.arguments, pending.parameter: command.value}
    propose_call(draft, CallTool(pending.tool, arguments), completes=True)


# --- saying it -----------------------------------------------------------------------------------


def reply(draft: Draft, command: Reply) -> None:
    """A model's words go out, unless the agent says only what is written or found."""
    if draft.agent.grounded == "strict":
        reason = "grounded: strict, so only templates and what tools found may be said"
        draft.log.refuse(command, reason)
    elif draft.progress.running:
        draft.log.refuse(command, "calls are under way: the reply comes after their results")
    elif not command.text.strip():
        draft.log.refuse(command, "it says nothing")
    else:
        draft.log.accepted.append(command)
        draft.progress.unsaid = ()
        say_words(draft, command.text.strip()[:MAX_REPLY], by="model")
