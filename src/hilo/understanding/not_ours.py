"""What is surely wanted and not done here: an intent that the author declares so, or what other businesses do.

`answer: not_served` on an intent says that people ask for it and that nobody here does it. Besides, the standard
intents know what many trades do: where one of them is surely meant, and nothing of the agent is like it, it is not
done here. Nothing that is served may be refused. So that holds only where no intent of the agent is likely, and not for
an agent with a flow that begins by itself, which may be about anything, unless its author has words for `not_served`.
"""

from collections.abc import Sequence

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import Digress, DigressionKind
from hilo.dialogue.session import AskedSlot, Session
from hilo.dialogue.wording import is_authors
from hilo.slots.utterance import SURE
from hilo.understanding.extraction import gives_a_value
from hilo.understanding.intents.model import IntentModel
from hilo.understanding.intents.standard import chances_of, surely_done_elsewhere
from hilo.understanding.once import once_per_agent
from hilo.understanding.parts import Ranked
from hilo.understanding.reading import IntentRanker, Reading

KINDS: tuple[DigressionKind, ...] = ("off_topic", "not_served")
OFF_TOPIC, NOT_SERVED = KINDS
TELLING = ("question", "chitchat")  # acts of a message that may want something
PERHAPS_OURS = 20  # percent: so likely an intent of the agent must not be


def kind_of(agent: Agent, name: str) -> DigressionKind | None:
    """How an intent is met that the author knows not to be the agent's."""
    answer = agent.intents[name].answer if name in agent.intents else ""
    return next((kind for kind in KINDS if kind == answer), None)


def ours_among(agent: Agent, reading: Reading, names: Sequence[str]) -> tuple[list[str], bool]:
    """The intents of a message less those that are not ours, unless there is no other.

    Besides, whether one of them is to be declined beside others: "un vuelo a Cusco y un hotel".
    """
    kinds = {name: kind_of(agent, name) for name in names}
    if NOT_SERVED in kinds.values() and _names_a_choice(agent, reading):
        kinds = {name: kind for name, kind in kinds.items() if kind != NOT_SERVED}
    ours = [name for name, kind in kinds.items() if kind is None]
    return ours or list(kinds)[:1], bool(ours) and NOT_SERVED in kinds.values()


def _names_a_choice(agent: Agent, reading: Reading) -> bool:
    """Whether a message surely names a member of one of the agent's lists: nothing that is on offer is refused."""
    lists = [slot for slot in agent.slots.values() if slot.kind.sort == "choice"]
    return any(found.confidence >= SURE for slot in lists for found in reading.values.of(slot))


def not_served(agent: Agent, session: Session, reading: Reading, intents: IntentRanker | None) -> tuple[Digress, ...]:
    """Whether a message of which nothing is meant wants what only other businesses do."""
    if not isinstance(intents, IntentModel) or not _says_what_it_serves(agent) or reading.lines:
        return ()
    if any(act.whole and act.kind not in TELLING for act in reading.acts) or not reading.parts:
        return ()
    if any(_may_be_ours(agent, part.ranked) for part in reading.parts) or _answers(agent, session, reading):
        return ()
    if _names_a_choice(agent, reading):
        return ()
    wanted = [_is_done_elsewhere(intents, part.text) for part in reading.parts]
    return (Digress(NOT_SERVED),) if all(wanted) else ()


def _may_be_ours(agent: Agent, ranked: Ranked) -> bool:
    likely = [(ranked.intent or "", ranked.confidence), *ranked.alternatives]
    return any(sure >= PERHAPS_OURS and name and not kind_of(agent, name) for name, sure in likely)


@once_per_agent
def _says_what_it_serves(agent: Agent) -> bool:
    """Whether what is served can be told from the intents: a flow that begins by itself may be for anything."""
    opens = any(flow.starts_by_itself for flow in agent.flows.values())
    return not opens or is_authors(agent, NOT_SERVED)


def _answers(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether the message may be the value that was asked for: "reparación de celulares" may be a company."""
    if not isinstance(session.pending, AskedSlot):
        return False
    slot = session.pending.slot
    return agent.slots[slot].kind.is_free or gives_a_value(agent, session, reading, slot)


def _is_done_elsewhere(model: IntentModel, text: str) -> bool:
    if model.encoder is None or not len(model.abouts):
        return False
    chances = chances_of(text, model.encoder.encode([text])[0])
    return surely_done_elsewhere(chances, model.abouts.max(axis=0))
