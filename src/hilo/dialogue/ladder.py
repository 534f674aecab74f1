"""What a message that came to nothing is met with, rung by rung: a likely meaning, what can be done here, a person.

The bands of confidence and the ladder are one mechanism. What is sure enough is done; what is likely
is asked about; what is neither climbs a rung with every message in a row, and the policy `stuck`
says how many rungs there are before a person goes on. Whatever is understood begins anew.
"""

from hilo.agent.declaration import Agent, Bands
from hilo.dialogue.draft import Draft
from hilo.dialogue.effects import AskMeaning
from hilo.dialogue.events import MessageUnderstood
from hilo.dialogue.modes import current_mode
from hilo.dialogue.put_off import comes_again
from hilo.dialogue.session import AskedMeaning
from hilo.dialogue.wording import PERSON, WORDLESS, intent_label, next_line, remark

MOST_LIKELY = 2  # meanings of a message that is not clear
RIVALS = 0.15  # of the best one's confidence: a meaning below it is no choice to be offered
MOST_LISTED = 6  # things that can be done, in a menu
OFFERS_PERSON = 3  # the rung on which a person is offered


def candidates(agent: Agent, event: MessageUnderstood) -> tuple[str, ...]:
    """The likeliest meanings that the agent has, the best first."""
    found = [(event.intent, event.confidence), *event.alternatives]
    ranked = sorted(found, key=lambda pair: -pair[1])
    least = RIVALS * ranked[0][1]
    known = [name for name, sure in ranked if sure >= least and (_is_ours(agent, name) or name in agent.flows)]
    return tuple(dict.fromkeys(known))[:MOST_LIKELY]


def _is_ours(agent: Agent, name: str) -> bool:
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


def climb(draft: Draft, event: MessageUnderstood) -> None:
    """Meet a message that came to nothing, where no question is open."""
    rung = draft.session.counters.unclear
    offered = draft.asked.intents if isinstance(draft.asked, AskedMeaning) else ()
    likely = likely_meanings(draft.agent, event)
    if offered:
        draft.session.pending = None
    if rung >= OFFERS_PERSON:
        ask_meaning(draft, (PERSON,), "offer_person")
    elif rung == 1 and likely and likely != offered:
        ask_meaning(draft, likely, "ask_likely" if len(likely) == 1 else "ask_meaning")
    else:
        remark(draft, "not_understood")
        if rung > 1 or not current_mode(draft).bridge:  # which leads back to what is open here
            show_menu(draft)


def climb_beside_question(draft: Draft) -> None:
    """The same while an answer is waited for, which is asked for again; a person is offered beside it."""
    if draft.session.counters.unclear >= OFFERS_PERSON:
        remark(draft, "person_if_wanted")
    else:
        remark(draft, "not_understood")


def likely_meanings(agent: Agent, event: MessageUnderstood) -> tuple[str, ...]:
    """What the message may mean, if that is likely enough to be asked about."""
    chances = [event.confidence, *(sure for _, sure in event.alternatives)]
    return candidates(agent, event) if max(chances) >= (agent.confidence or Bands()).clarify else ()


def menu(draft: Draft) -> tuple[str, ...]:
    """What a contact can begin or ask here: flows first, then what is answered or looked up."""
    agent, session = draft.agent, draft.session
    under_way = {frame.flow for frame in session.stack}
    flows = [name for name, flow in agent.flows.items() if flow.examples and name not in under_way]
    tools = agent.proposable(session.mode)
    intents = []
    for name, intent in agent.intents.items():
        is_here = _is_ours(agent, name) and (not intent.do or intent.do in tools)
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
    if draft.session.stack or draft.session.pending or comes_again(draft):
        remark(draft, "about", values)
        return
    line = next_line(draft, "menu", values, needed=False)
    if line.variant != WORDLESS:
        draft.effects.append(AskMeaning((*listed, PERSON) if person else listed, line))
