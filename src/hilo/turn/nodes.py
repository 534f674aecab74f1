"""The nodes that any event may pass: from the policies to the reply.

What only a message passes is in `message_nodes`, `value_nodes` and `rest_node`, what asks a model in
`model_nodes`. The names are those of the seeds.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from hilo.agent.declaration import Agent
from hilo.agent.texts import word
from hilo.dialogue.commands import AskInfo, CancelFlow, Quote
from hilo.dialogue.decide import decide as decide_next
from hilo.dialogue.draft import Decision, but, continued, has, of_kind
from hilo.dialogue.effects import (
    Ask,
    AskArgument,
    AskMeaning,
    AskSure,
    AskSwitch,
    AskWhich,
    AskYes,
    Complete,
    Effect,
    HandOff,
    NextMessage,
    Question,
    RunTool,
    Say,
)
from hilo.dialogue.escalation import check_policies
from hilo.dialogue.events import (
    EscalationTriggered,
    MessageReceived,
    MessageUnderstood,
    ModelAnswered,
    Summarised,
    ToolsReturned,
)
from hilo.dialogue.operators import GOES_ON, may_go_on
from hilo.dialogue.session import AskedSlot
from hilo.dialogue.wording import PERSON, intent_label, label
from hilo.messages import ApprovedTemplate, Attachment, Button, Outbound
from hilo.tools.call import call_all
from hilo.turn.graph import END
from hilo.turn.message_nodes import given_values, read_message
from hilo.turn.model_requests.router import Routed
from hilo.turn.rewording import other_words
from hilo.turn.state import TurnContext, TurnState, message_in
from hilo.understanding.leaving import gives_up_waiting, goes_on_meanwhile, heard_while_waiting
from hilo.understanding.only_values import gives_only_values
from hilo.understanding.opt_out import wants_out
from hilo.understanding.signals import signals_of

ASKED = AskInfo | Quote  # what the agent can answer by itself while a person is awaited
UNREAD = Routed("", 0)
# A model that acts through tools names no intent, and our own doubts are not about what it proposes.
LOOPED = Routed("", 100)

REPLIES: dict[type, str] = {
    HandOff: "escalate",
    Ask: "prompt_next",
    AskWhich: "prompt_next",
    AskSure: "prompt_next",
    AskSwitch: "prompt_next",
    AskArgument: "prompt_next",
    AskMeaning: "prompt_next",
    AskYes: "confirm_action",
    Complete: "complete",
}


async def check_escalation(state: TurnState, context: TurnContext) -> TurnState:
    """Read a message that the agent may answer, and ask its policies whether a person must take over."""
    event, session = state["event"], state["session"]
    if not isinstance(event, MessageReceived) or event.late:
        return {}  # there is nothing to read; old news is not read, so that nothing can come of it
    if session.handoff:
        return await _heard_while_waiting(state, context, event)
    if not session.agent_holds:
        return {}
    reading = read_message(context, session, event)
    signals = signals_of(context.agent, session, reading, at=event.at)
    return {"reading": reading, "escalation": check_policies(context.agent, session, signals)}


async def _heard_while_waiting(state: TurnState, context: TurnContext, event: MessageReceived) -> TurnState:
    """What a contact gives, asks or takes back while a person is awaited; also the answer to what was asked before.

    What the agent can do by itself is read as if nobody were awaited.
    """
    session, asked = state["session"], state["session"].handoff
    slot = asked.slot if asked and asked.slot in context.agent.slots else ""
    if slot and slot not in session.slots:
        session = replace(session, pending=AskedSlot(slot))
    reading = read_message(context, session, event)
    if out := wants_out(context.agent, session, reading):
        return {"commands": out}
    if gives_up_waiting(reading):
        return {"commands": (CancelFlow(),)}
    given = await given_values({**state, "session": session, "reading": reading}, context, ASKED | GOES_ON)
    if may_go_on(session) and goes_on_meanwhile(context.agent, reading, given):
        return {"reading": reading}
    return {"commands": (*but(given, GOES_ON), *heard_while_waiting(reading))}


# --- the dialogue -----------------------------------------------------------------------------------------


async def decide(state: TurnState, context: TurnContext) -> TurnState:
    """Ask the dialogue what happens next; the results of tools continue what it decided before them."""
    event = state["event"]
    # What was decided before in this turn, also for earlier messages of a burst.
    before = state.get("decision") or Decision(state["session"])
    if isinstance(event, ModelAnswered):
        event = replace(event, spoken=has(by_message(before.effects)[-1], Say | Question))
    elif isinstance(event, MessageReceived):
        event = _understood(state, context, event)
    # All that the dialogue is told is written down: it is enough to decide again.
    context.record.told.append(event)
    decision = decide_next(context.agent, before.session, event, before.progress)
    if decision.exhausted:
        decision = await _with_other_words(context, before, decision)
    decision = continued(before, decision)
    if kept := state.get("summary"):
        summarised = Summarised(event.at, *kept)
        context.record.told.append(summarised)
        after = decide_next(context.agent, decision.session, summarised, decision.progress)
        decision = continued(decision, after)
    return {"decision": decision, "summary": None}  # the session keeps it now


def _understood(
    state: TurnState,
    context: TurnContext,
    message: MessageReceived,
) -> MessageUnderstood:
    """What the dialogue is told of a message: the model's word on its intent where it was asked, else our own."""
    reading = state.get("reading")
    meant = LOOPED if state.get("round") else state.get("routed") or reading or UNREAD
    return MessageUnderstood(
        at=message.at,
        commands=state.get("commands", ()),
        intent=meant.intent,
        confidence=meant.confidence,
        alternatives=meant.alternatives,
        sentiment=reading.sentiment.score if reading else 0.0,
        early=message.early,
        floor=state.get("model_turn_open", False),
        only_values=reading is not None and gives_only_values(context.agent, reading, state.get("commands", ())),
        remembers=True,
        refused=state.get("refused", ()),
        part=message.part,
        late=message.late,
        unheard=state.get("unheard", ()),
        zone=context.zone,
    )


async def _with_other_words(context: TurnContext, before: Decision, decision: Decision) -> Decision:
    """The decision made anew with other words for what it had said before, if there are any."""
    told = context.record.told
    found = await other_words(context, before, told[-1], decision)
    if not found:
        return decision
    told[-1:] = [*found, told[-1]]
    for event in told[-len(found) - 1 :]:
        before = decide_next(context.agent, before.session, event, before.progress)
    return before


def open_calls(decision: Decision) -> tuple[RunTool, ...]:
    """The calls that the dialogue waits for."""
    calls = of_kind(decision.effects, RunTool)
    # The effects of a turn pile up: the calls made earlier in it stand first.
    return calls[len(calls) - len(decision.progress.running) :]


def route_after_decide(state: TurnState) -> str:
    """Tools first; then the node that composes the reply, by what the dialogue ordered last."""
    decision = state["decision"]
    if decision.progress.running:
        return "execute_tools"
    if decision.progress.model_turn_open:
        return "hear_model"
    kinds = [type(effect) for effect in decision.effects]
    # What was ordered last is what the contact is left with.
    for kind in reversed(kinds):
        if kind in REPLIES:
            return REPLIES[kind]
    if Say not in kinds:
        return END
    return "complete" if decision.session.finished else "generate"


async def execute_tools(state: TurnState, context: TurnContext) -> TurnState:
    """Run the calls that the dialogue has ordered, in parallel."""
    at, calls = state["event"].at, open_calls(state["decision"])
    now = at.astimezone(context.understander.zone)  # what "today" is to a tool
    given, journal = context.given, context.journal
    results = await call_all(context.tools, calls, now=now, journal=journal, given=given)
    return {"event": ToolsReturned(at, results), "results": (*state.get("results", ()), *results)}


# --- the reply --------------------------------------------------------------------------------------------


async def escalate(state: TurnState, context: TurnContext) -> TurnState:
    """Hand off, and tell the contact."""
    escalation = state.get("escalation")
    if escalation is None:  # no policy asked for a person: the dialogue itself has handed off
        return {"replies": compose(context.agent, state["decision"])}
    before, message = state.get("decision") or Decision(state["session"]), message_in(state)
    event = EscalationTriggered(
        at=message.at,
        policy=escalation.policy,
        reason=escalation.reason,
        sentiment=state["reading"].sentiment.score,
        commands=await given_values(state, context),
        part=message.part,
    )
    context.record.told.append(event)
    decision = continued(before, decide_next(context.agent, before.session, event))
    return {"decision": decision, "replies": compose(context.agent, decision)}


async def reply(state: TurnState, context: TurnContext) -> TurnState:
    """Put what the dialogue ordered into messages."""
    return {"replies": compose(context.agent, state["decision"])}


prompt_next = confirm_action = complete = generate = reply


def compose(agent: Agent, decision: Decision) -> tuple[Outbound, ...]:
    """One message: remarks run on, paragraphs stand apart, the question comes last with its buttons."""
    text, buttons, approved, attached = "", list[Button](), None, list[Attachment]()
    # what several messages of a burst are answered alike is said once
    said = {(type(each), each.line.text): each for each in what_is_said(decision)}.values()
    for effect in sorted(said, key=lambda each: not isinstance(each, Say)):
        line = effect.line
        text += line.text
        text += " " if isinstance(effect, Say) and effect.remark else "\n\n"
        if line.attached:
            attached.append(line.attached)
        if not isinstance(effect, Say):
            buttons += _buttons(agent, effect)
        template = agent.templates.get(line.template)
        # When the window is closed, WhatsApp sends one approved template in place of the whole message.
        if approved is None and template and template.wa_template:
            language = agent.language.replace("-", "_")
            approved = ApprovedTemplate(template.wa_template, language, line.values)
    if not text.strip():
        return ()
    # A message carries one thing; what else there is goes out before it.
    before = tuple(Outbound(attachment=each) for each in attached[:-1])
    last = attached[-1] if attached else None
    return (*before, Outbound(text.strip(), tuple(buttons), last, approved))


def _buttons(agent: Agent, question: Question) -> Iterator[Button]:
    match question:
        case AskYes(digest=about) | AskSwitch(flow=about) | AskSure(about=about):
            yield from _yes_or_no(agent, f"yes:{about}", f"no:{about}")
        case AskWhich(slots=slots):
            for slot in slots:
                yield Button(f"correct:{slot}", _title(label(agent, slot)))
        case AskArgument(parameter=parameter, offered=offered):
            for value in offered:
                yield Button(f"arg:{parameter}:{value}", value)
        case AskMeaning(intents=intents):
            for intent in intents:
                yield Button(f"mean:{intent}", _title(intent_label(agent, intent)))
            yield Button("mean:", word(agent, "something_else").capitalize())
        case Ask(slot=slot, person=True, leave=leave):
            yield from _buttons(agent, replace(question, person=False, leave=False))
            yield Button(f"mean:{PERSON}", _title(word(agent, "person")))
            if leave:
                yield Button("leave:", _title(word(agent, "leave")))
        case Ask(slot=slot) if agent.slots[slot].kind.sort == "boolean":
            yield from _yes_or_no(agent, f"set:{slot}:true", f"set:{slot}:false")
        case Ask(slot=slot, offered=offered):
            for value in offered or agent.slots[slot].choices:
                yield Button(f"set:{slot}:{value}", value)


def _yes_or_no(agent: Agent, yes: str, no: str) -> Iterator[Button]:
    yield Button(yes, word(agent, "yes").capitalize())
    yield Button(no, word(agent, "no").capitalize())


def _title(text: str) -> str:
    """A label at the beginning of a button; names in it keep their capitals."""
    return text[:1].upper() + text[1:]


def by_message(effects: Iterable[Effect]) -> list[list[Effect]]:
    """What each message of a turn came to; most turns have one."""
    parts: list[list[Effect]] = [[]]
    for effect in effects:
        if isinstance(effect, NextMessage):
            parts.append([])
        else:
            parts[-1].append(effect)
    return parts


def what_is_said(decision: Decision) -> list[Say | Question]:
    """All that a turn says. A question that a later message of the burst has overtaken was never asked."""
    *earlier, last = by_message(decision.effects)
    said: list[Say | Question] = []
    for part in (*earlier, last):
        if said and (has(part, RunTool | HandOff | Complete) or any(map(_asks, part))):
            said = [each for each in said if not _asks(each)]
        if part is last and decision.session.pending is None:
            said = list(but(said, Question))
        said += of_kind(part, Say | Question)
    return said


def _asks(effect: Effect) -> bool:
    """Whether it wants an answer: a question, or words that end in one ("¿algo más?")."""
    return isinstance(effect, Question) or (isinstance(effect, Say) and effect.line.text.rstrip().endswith("?"))
