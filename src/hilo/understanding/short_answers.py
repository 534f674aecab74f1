"""What a yes or a no does where the conversation stands: to a summary, to a question for a value, to nothing at all."""

import re
from collections.abc import Iterator

from hilo.agent.declaration import Agent
from hilo.agent.modes import Next
from hilo.dialogue.commands import Affirm, CancelFlow, Command, Deny, Digress, StartFlow
from hilo.dialogue.session import AskedArgument, AskedSlot, AskedWhich, AskedYes, Session
from hilo.dialogue.synthesis import resumed
from hilo.recognisers.phrases import word_set
from hilo.understanding.acts.tabled import find_acts
from hilo.understanding.confirmations import (
    declines,
    is_word_of_a_yes,
    is_yes_beside_a_question,
    opens_by_confirming,
    opens_with_yes,
    tells_to_confirm,
)
from hilo.understanding.meant_commands import flows_surely_meant, no_leads_to
from hilo.understanding.reading import Reading

_WORD = re.compile(r"[^\W\d_]+")
_NODS = word_set("ah ok okay okey oki bueno vale ya entiendo entendido perfecto bien alright cool got it")


def yes_or_no(agent: Agent, session: Session, reading: Reading) -> list[Command]:
    """A firm yes beside a question is one; what else stands beside a yes, extract_field looks at."""
    confirms = isinstance(session.pending, AskedYes) and opens_by_confirming(reading) and not reading.asks
    if confirms or tells_to_confirm(agent, session, reading):
        return [Affirm()]
    if reading.has("deny") or no_leads_to(agent, session) in reading.meant:
        return [Deny()]
    is_open = reading.asks and not reading.meant
    takes = (reading.has("affirm") and not is_open) or is_yes_beside_a_question(reading)
    means_else = reading.is_only("cancel") or _names_another_choice(agent, session, reading)
    return [Affirm()] if takes and not means_else else []


def _names_another_choice(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a choice is named that is not the one of the summary: no yes to that is meant."""
    chosen = {name: value for name, value in session.slots.items() if agent.slots[name].kind.sort == "choice"}
    return any(
        found.value != value and not is_word_of_a_yes(reading, found.start, found.end)
        for name, value in chosen.items()
        for found in reading.values.of(agent.slots[name])
    )


def declined_kindly(agent: Agent, session: Session, reading: Reading) -> list[Command]:
    """What "no gracias" in front of a summary means: not to want it; a bare "no" asks what to change."""
    if not isinstance(session.pending, AskedYes | AskedWhich) or not session.stack:
        return []
    if declines(reading) and not reading.mentions:  # "no quiero vuelta" declines but the way back
        return [CancelFlow()]
    if isinstance(session.pending, AskedWhich) or not reading.is_only("deny", "skip"):
        return []
    frame = session.stack[-1]
    edge = agent.compiled[frame.flow][frame.step].edge("no") if frame.step else None
    if edge is None or edge.leads != "change" or len(_WORD.findall(reading.text.folded)) == 1:
        return []
    return [*flows_surely_meant(agent, session, reading)]


def declined(agent: Agent, session: Session, reading: Reading) -> list[Command]:
    """A no to a question that takes none: "no gracias" means a flow that says so, "no" to a choice leaves it.

    Who does not want the thing any more ("mejor no") leaves it; a value that is not needed is only left out.
    """
    if not isinstance(session.pending, AskedSlot):
        return []
    if declines(reading, in_so_many_words=True) and agent.slots[session.pending.slot].required:
        return list(flows_surely_meant(agent, session, reading)) or [CancelFlow()]
    if not reading.is_only("deny", "skip"):
        return []
    slot, meant = agent.slots[session.pending.slot], flows_surely_meant(agent, session, reading)
    chooses = slot.kind.sort == "choice" and slot.required and not reading.has("skip")
    return list(meant) or ([CancelFlow()] if chooses else [])


def only_answers(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a message answers us and is no example of something else: "no tenemos web" asks nothing about webs."""
    if isinstance(session.pending, AskedSlot) and reading.is_only("skip", "deny"):
        return not _asks_about_what_is_needed(agent, session.pending.slot, reading)
    if not reading.is_only("affirm", "deny") or _says_why_not(agent, session, reading):
        return False
    # Where nothing is open, it is taken note of: "ok" after something was done is no riddle.
    opens = bool(session.pending) or _goes_on(agent, session) or _answers_campaign(agent, session)
    return opens or bool(session.counters.turns and not reading.meant)


def _says_why_not(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a no comes with a reason that the agent has an answer to: "no, está muy caro"."""
    intent = agent.intents.get(reading.intent)
    is_answered = intent is not None and intent.topic != "order" and not _is_bare(reading)
    return is_answered and isinstance(session.pending, AskedYes) and reading.has("deny")


def _is_bare(reading: Reading) -> bool:
    """Whether nothing is said but a yes or a no that the tables know: it gives no reason, and means nothing else."""
    return any(act.kind in {"affirm", "deny"} and act.whole for act in find_acts(reading.text))


def _asks_about_what_is_needed(agent: Agent, slot: str, reading: Reading) -> bool:
    """Whether the agent has words of its own for who lacks what nothing goes on without: "no tengo el localizador"."""
    knows = reading.intent in agent.intents and bool(agent.intents[reading.intent].answer)
    return knows and agent.slots[slot].required and reading.surely_means


def _answers_campaign(agent: Agent, session: Session) -> bool:
    """Whether a yes or a no is one to what the business has begun with; a slot of yes and no takes it itself."""
    if session.called_at is None or session.counters.turns:
        return False
    asked = agent.slots[session.pending.slot] if isinstance(session.pending, AskedSlot) else None
    return asked is None or asked.kind.sort != "boolean"


def _goes_on(agent: Agent, session: Session) -> bool:
    """Whether a bare yes or no means something where nothing is under way; at least it is no doubtful intent."""
    mode = agent.modes.get(session.mode)
    return not session.stack and (agent.confidence is not None or (mode is not None and mode.next != Next()))


def went_on(agent: Agent, session: Session, reading: Reading) -> Iterator[Command]:
    """The flow that a yes or a no leads to; where it leads nowhere, it is taken note of."""
    if _answers_campaign(agent, session):
        yield from yes_or_no(agent, session, reading)
        return
    asked = session.pending
    # "listo", asked which one, goes on to where that is asked before all is closed
    asked_again = isinstance(asked, AskedArgument) and (asked.times or _asks_which(agent, asked))
    if _nods_at_a_question(agent, session, reading):
        yield Digress("beside")
        return
    if session.pending and not asked_again:
        return  # what was asked again after something else stands beside what the mode asks
    if _comes_back(agent, session):
        yield from _answered_late(agent, session, reading)
        return
    mode = agent.modes.get(session.mode)
    ways = mode.next if mode and not _is_mere_courtesy(session, reading) else Next()
    flow = ways.no if reading.has("deny") else ways.yes
    yield StartFlow(flow) if flow else Digress("aside")


def _asks_which(agent: Agent, asked: AskedArgument) -> bool:
    return agent.orders is not None and asked.tool == agent.orders.add and len(asked.offered) > 1


def _nods_at_a_question(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether "ah ok" only tells that our question was seen, which no yes answers."""
    slot = agent.slots[session.pending.slot] if isinstance(session.pending, AskedSlot) else None
    takes_no_yes = slot is not None and slot.kind.sort in ("text", "number") and not slot.choices
    return takes_no_yes and not reading.has("deny") and set(_WORD.findall(reading.text.folded)) <= _NODS


def _is_mere_courtesy(session: Session, reading: Reading) -> bool:
    """Whether "ok gracias" only ends what was said: it answers a question, if there was one, and is no wish."""
    nods = not session.invites and set(_WORD.findall(reading.text.folded)) <= _NODS
    return not reading.has("deny") and (nods or reading.has("thanks"))


def _comes_back(agent: Agent, session: Session) -> bool:
    """Whether this is the first message after a session that was left in the midst of what can be taken up."""
    return not session.counters.turns and bool(resumed(agent, session))


def _answered_late(agent: Agent, session: Session, reading: Reading) -> Iterator[Command]:
    """A yes or a no to what was asked the last time: a yes takes it up like a greeting, a sure no does not."""
    declined = flows_surely_meant(agent, session, reading) if reading.has("deny") else []
    yield declined[0] if declined else Digress("aside")


def confirms_what_comes_next(agent: Agent, session: Session, reading: Reading) -> StartFlow | None:
    """The flow that a yes leads to here, told with more beside it: "confirmá, a Mitre 450", "sí, y que venga frío"."""
    mode = agent.modes.get(session.mode)
    is_idle = session.pending is None and not session.stack
    if mode is None or not mode.next.yes or not is_idle or "?" in reading.text.raw:
        return None
    orders = any(not line.beside for line in reading.lines)
    is_else = orders or bool(reading.meant) or reading.has("deny", "change", "cancel")
    says_yes = opens_with_yes(reading) and not is_else
    return StartFlow(mode.next.yes) if opens_by_confirming(reading) or says_yes else None
