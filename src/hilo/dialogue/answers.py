"""Words that answer the contact and change nothing: information, quotes, what was noted, a word back."""

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import AskInfo, Digress, LeaveUnanswered, OfferSections, Quote, Recall
from hilo.dialogue.draft import Draft
from hilo.dialogue.effects import AskMeaning
from hilo.dialogue.modes import current_mode
from hilo.dialogue.opening import hours_of
from hilo.dialogue.session import AskedMeaning, AskedYes
from hilo.dialogue.tool_questions import comes_again
from hilo.dialogue.wording import (
    PERSON,
    SECTION,
    WORDLESS,
    intent_label,
    is_authors,
    label,
    next_line,
    remark,
    say,
    spoken,
)

_REMARKS = {
    "greeting": "greeting",
    "thanks": "thanks_back",
    "aside": "understood",
    "chitchat": "understood",
    "beside": "heard_beside",
    "nearly": "nearly_there",
    "told": "told_not_noted",
    "off_topic": "off_topic",
    "not_served": "not_served",
    "repeat": "explain",
    "no_text": "no_text",
    "too_long": "too_long",
    "bot": "bot",
    "later": "not_yet",
    "opens": "go_ahead",
    "urgent": "urgent",
    "unnoted": "not_noted",
    "bye": "goodbye",
    "displeased": "displeased",
}
_AT_REST = {"off_topic": "cannot_help", "chitchat": "small_talk", "later": "small_talk"}
MOST_LISTED = 6  # things that can be done, in a menu


def inform(draft: Draft, command: AskInfo) -> None:
    intent = draft.agent.intents.get(command.intent)
    if intent is None or not intent.answer:
        draft.log.refuse(command, f"no template answers {command.intent}")
        remark(draft, "off_topic")
        return
    draft.log.accepted.append(command)
    _gets_on(draft)
    if not command.sure:
        remark(draft, "perhaps")
    say(draft, intent.answer, {"open.day": hours_of(draft, command.day)} if draft.agent.open else {})


def quote(draft: Draft, command: Quote) -> None:
    """Say what stands in the agent's pages, and where."""
    draft.log.accepted.append(command)
    _gets_on(draft)
    if not command.sure:
        remark(draft, "perhaps")
    say(draft, "quoted", {"value": command.text, "label": command.source})


def _gets_on(draft: Draft) -> None:
    """An answer is progress, but for whoever is unhappy and is told what everybody is."""
    if draft.session.mood >= 0:
        draft.count(without_progress=0)


def offer_sections(draft: Draft, command: OfferSections) -> None:
    """Ask which section is meant; beside a question that is open they are only named, for that one comes again."""
    draft.log.accepted.append(command)
    names = tuple(f"{SECTION}{source}" for source in command.sources)
    if not draft.session.is_idle:
        remark(draft, "pages_maybe", {"choices": ", ".join(intent_label(draft.agent, name) for name in names)})
    else:
        ask_meaning(draft, names, "ask_likely" if len(names) == 1 else "ask_pages")


def leave_unanswered(draft: Draft, command: LeaveUnanswered) -> None:
    draft.log.accepted.append(command)
    remark(draft, "part_unknown", {"value": command.question})


def answer_question(draft: Draft, command: AskInfo | Quote) -> None:
    """Answer what the agent knows by itself while a person is awaited; where it has no words left, that one will."""
    if isinstance(command, AskInfo):
        inform(draft, command)
    else:
        quote(draft, command)
    draft.log.exhausted.clear()


def recall(draft: Draft, command: Recall) -> None:
    """Say what was noted, one line each where it is more than one thing."""
    draft.log.accepted.append(command)
    agent, slots = draft.agent, draft.session.slots
    noted = [(label(agent, name), spoken(agent, name, slots[name])) for name in command.slots if name in slots]
    if not noted:
        remark(draft, "nothing_noted")
    elif len(noted) == 1:
        remark(draft, "recalled", {"label": noted[0][0], "value": noted[0][1]})
    else:
        lines = "\n".join(f"• {name}: {value}" for name, value in noted)
        say(draft, "recalled_all", {"summary": lines})


def digress(draft: Draft, command: Digress) -> None:
    draft.log.accepted.append(command)
    session, is_idle = draft.session, draft.session.is_idle
    # where nothing was asked, there is nothing to ask in other words
    if command.kind == "help" or (command.kind == "repeat" and is_idle and not session.put_off):
        show_menu(draft)
    elif command.kind == "why":
        _explain_why(draft, command.slot or draft.session.slot_in_question)
    elif command.kind == "greeting" and session.counters.turns == 1:  # which is answered already
        if is_idle and not is_authors(draft.agent, "greeting"):  # an author's own says what comes next
            show_menu(draft)
    else:
        template = _word_back(draft, command)
        if template == "not_served" and is_idle:
            _offer_person_instead(draft)
            return
        if template == "displeased" and is_idle:
            offer_person_beside(draft, template)
            return
        remark(draft, template)
        if template == "cannot_help":
            show_menu(draft)


def _offer_person_instead(draft: Draft) -> None:
    """Say that what is wanted is not done here, and what is; whoever came for it may still ask somebody."""
    if is_authors(draft.agent, "not_served"):  # which says what is done
        offer_person_beside(draft, "not_served")
    else:
        remark(draft, "not_served")
        show_menu(draft, person=True)


def _word_back(draft: Draft, command: Digress) -> str:
    """The template that a digression is met with; where nothing is open, there is nothing to go back to."""
    template = _REMARKS[command.kind]
    if command.kind == "repeat" and isinstance(draft.asked, AskedYes):
        return "shown_again"
    if command.kind == "bye" and is_authors(draft.agent, "thanks_back") and not is_authors(draft.agent, template):
        return "thanks_back"  # an author's own words for thanks are a farewell, too
    if not draft.session.is_idle:
        return template
    if command.kind == "later" and current_mode(draft).next.yes:
        return template
    if command.kind == "off_topic" and is_authors(draft.agent, template):
        return template
    return _AT_REST.get(command.kind, template)


def _explain_why(draft: Draft, slot: str) -> None:
    """Say what the value that was asked for is needed for, in the author's words if there are any."""
    flow = draft.agent.flows.get(draft.session.flow)
    own = f"why.{slot}"
    if is_authors(draft.agent, own):
        remark(draft, own)
    elif flow and flow.description:
        remark(draft, "why_for", {"label": flow.description})
    else:
        remark(draft, "why")


# --- what is meant, and what can be done here -----------------------------------------------------


def is_ours(agent: Agent, name: str) -> bool:
    """Whether an intent is one that is answered; nobody is asked whether they mean what is not ours."""
    return name in agent.intents and agent.intents[name].answer not in ("off_topic", "not_served")


def ask_meaning(draft: Draft, intents: tuple[str, ...], template: str = "ask_meaning") -> None:
    """Ask which of these is meant; the answer may be a button, its words, or something else."""
    labels = [intent_label(draft.agent, name) for name in intents]
    values = {"label": labels[0], "choices": ", ".join(labels)}
    draft.ask(AskMeaning(intents, next_line(draft, template, values)), AskedMeaning(intents))


def offer_person_beside(draft: Draft, template: str) -> None:
    """Say something with a button for a person, which is no question: a yes or a no means what it means here."""
    line = next_line(draft, template, needed=False)
    if line.variant != WORDLESS:
        draft.effects.append(AskMeaning((PERSON,), line))


def menu(draft: Draft) -> tuple[str, ...]:
    """What a contact can begin or ask here: flows first, then what is answered or looked up."""
    agent, session = draft.agent, draft.session
    under_way = {frame.flow for frame in session.stack}
    flows = [name for name, flow in agent.flows.items() if flow.examples and name not in under_way]
    tools = agent.proposable(session.mode)
    intents = []
    for name, intent in agent.intents.items():
        is_here = is_ours(agent, name) and (not intent.do or intent.do in tools)
        if is_here and (intent.label or intent.examples):
            intents.append(name)
    # Half of each where both are many: who writes "menú" wants to see what there is to ask, too.
    room = max(MOST_LISTED // 2, MOST_LISTED - len(intents))
    return (*flows[:room], *intents)[:MOST_LISTED]


def show_menu(draft: Draft, *, person: bool = False) -> None:
    """What can be done here, with buttons, one for a person if wanted; before a question that is open, as a remark.

    It is no question that a yes or a no answers: those still mean what they mean here.
    """
    listed = menu(draft)
    values = {"choices": ", ".join(intent_label(draft.agent, name) for name in listed)}
    if not listed:
        remark(draft, "about_questions")
        return
    if not draft.session.is_idle or comes_again(draft):
        remark(draft, "about", values)
        return
    line = next_line(draft, "menu", values, needed=False)
    if line.variant != WORDLESS:
        draft.effects.append(AskMeaning((*listed, PERSON) if person else listed, line))
