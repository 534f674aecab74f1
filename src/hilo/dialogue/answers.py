"""Words that answer the contact and change nothing: information, quotes, what was noted, a word back."""

from hilo.dialogue.commands import AskInfo, Digress, LeaveUnanswered, OfferSections, Quote, Recall
from hilo.dialogue.draft import Draft
from hilo.dialogue.ladder import ask_meaning, offer_person_beside, show_menu
from hilo.dialogue.modes import current_mode
from hilo.dialogue.wording import SECTION, intent_label, is_authors, label, remark, say, spoken

_REMARKS = {
    "greeting": "greeting",
    "thanks": "thanks_back",
    "aside": "understood",
    "chitchat": "understood",
    "beside": "heard_beside",
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
}
_AT_REST = {"off_topic": "cannot_help", "chitchat": "small_talk", "later": "small_talk"}


def inform(draft: Draft, command: AskInfo) -> None:
    intent = draft.agent.intents.get(command.intent)
    if intent is None or not intent.answer:
        draft.log.refuse(command, f"no template answers {command.intent}")
        remark(draft, "off_topic")
        return
    draft.log.accepted.append(command)
    say(draft, intent.answer)


def quote(draft: Draft, command: Quote) -> None:
    """Say what stands in the agent's pages, and where."""
    draft.log.accepted.append(command)
    say(draft, "quoted", {"value": command.text, "label": command.source})


def offer_sections(draft: Draft, command: OfferSections) -> None:
    """Ask which section is meant; beside a question that is open they are only named, for that one comes again."""
    draft.log.accepted.append(command)
    names = tuple(f"{SECTION}{source}" for source in command.sources)
    if draft.session.stack or draft.session.pending:
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
    session = draft.session
    is_idle = not session.stack and not session.pending
    # where nothing was asked, there is nothing to ask in other words
    if command.kind == "help" or (command.kind == "repeat" and is_idle and not session.put_off):
        show_menu(draft)
    elif command.kind == "why":
        _explain_why(draft)
    elif command.kind != "greeting" or draft.session.counters.turns != 1:  # the first one is answered already
        template = _word_back(draft, command)
        if template == "not_served" and is_idle:
            _offer_person_instead(draft)
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
    if command.kind == "bye" and is_authors(draft.agent, "thanks_back") and not is_authors(draft.agent, template):
        return "thanks_back"  # an author's own words for thanks are a farewell, too
    if draft.session.stack or draft.session.pending:
        return template
    if command.kind == "later" and current_mode(draft).next.yes:
        return template
    if command.kind == "off_topic" and is_authors(draft.agent, template):
        return template
    return _AT_REST.get(command.kind, template)


def _explain_why(draft: Draft) -> None:
    """Say what the value that was asked for is needed for, in the author's words if there are any."""
    flow = draft.agent.flows.get(draft.session.flow)
    own = f"why.{draft.session.slot_in_question}"
    if is_authors(draft.agent, own):
        remark(draft, own)
    elif flow and flow.description:
        remark(draft, "why_for", {"label": flow.description})
    else:
        remark(draft, "why")
