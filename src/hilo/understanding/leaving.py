"""Taking leave: a goodbye, thanks all the same, "dejalo": who goes is not asked anything more."""

import re
from collections.abc import Sequence

from hilo.agent.declaration import Agent
from hilo.agent.instructions import AskConfirmation, AskSlots
from hilo.dialogue.apply_commands import SURE_OF_A_FLOW
from hilo.dialogue.commands import CallTool, CancelFlow, Command, Digress, RequestHuman, StartFlow
from hilo.dialogue.session import AskedArgument, AskedSlot, AskedYes, Session
from hilo.packs.pack import word_set_of
from hilo.recognisers.normalise import words
from hilo.understanding.acts.tabled import find_acts
from hilo.understanding.confirmations import LETS_GO, NODS, declines, is_plain_yes
from hilo.understanding.order_answers import asks_which_goods, left_out
from hilo.understanding.ordering import SURE_LINE
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.put_right import put_right
from hilo.understanding.reading import Reading

WAITS = word_set_of("waits")  # "quedo atenta", "acá espero"
MOST_WORDS = 8  # of a message that only takes leave: what is longer says something
_BESIDE_A_GOODBYE = {"bye", "thanks", "affirm", "deny", "skip", "chitchat", "greet", "cancel", "later", "negative"}
# A word of the tables for leaving a thing, rather than for taking back what was done.
_UNDOES = re.compile(r"\b(?:cancel|cansel|anul|elimin|borr)\w*")


def takes_leave(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """What a goodbye does: what is open is not asked again, and who goes with a no leaves it."""
    if reading.asks or reading.has("human") or put_right(agent, session, reading):
        return ()  # "dejalo el 14" leaves nothing
    is_open = session.pending is not None or bool(session.stack)
    mode = agent.modes.get(session.mode)
    if not is_open and _wants_nothing(reading) and not (mode and mode.next.no):
        return (Digress("bye"),)
    if not _is_leave(agent, reading):
        return ()
    leads_on = mode is not None and bool(mode.next.yes or mode.next.no)
    says_bye = any(act.kind == "bye" for act in find_acts(reading.text))
    if not is_open:
        # "Nada más" may be the answer that a mode waits for; a goodbye is none.
        if leads_on and not says_bye:
            return ()
        return (Digress("thanks" if reading.has("thanks") and not says_bye else "bye"),)
    says_yes = isinstance(session.pending, AskedYes) and is_plain_yes(reading)
    if says_yes or _gives_value(agent, session, reading):
        return ()  # "confirmo, gracias, saludos"
    refuses = reading.has("deny", "skip", "cancel", "negative") and not reading.has("affirm")
    if refuses and not says_bye and asks_which_goods(agent, session):
        return left_out(session, reading)  # of an order only what was asked about is left
    if refuses and (says_bye or isinstance(session.pending, AskedSlot | AskedArgument)):
        return (CancelFlow(),)
    return (Digress("bye"),) if says_bye else ()


def takes_way_out(session: Session, reading: Reading) -> tuple[Command, ...]:
    """What a yes or a no means where we offered a person, or to leave it, in place of a value that was refused."""
    if not isinstance(session.pending, AskedSlot) or not session.pending.ways_out:
        return ()
    if reading.is_only("deny", "skip", "cancel"):
        return (CancelFlow(),)
    return (RequestHuman(),) if is_plain_yes(reading) else ()


def gives_up_waiting(reading: Reading) -> bool:
    """Whether somebody who waits for a person does not want one any more: "dejalo, gracias", "ya no hace falta"."""
    if reading.asks or _UNDOES.search(reading.text.folded):
        return False  # "cancelá el pedido" is for the person who comes
    return reading.is_only("cancel") or declines(reading)


def goes_on_meanwhile(agent: Agent, reading: Reading, proposed: Sequence[Command]) -> bool:
    """Whether somebody who waits for a person surely wants what needs none: to order, or a flow that asks something."""
    for each in proposed:
        if isinstance(each, CallTool) and each.tool in agent.ordering.values():
            return True
        if isinstance(each, StartFlow) and reading.confidence >= SURE_OF_A_FLOW:
            steps = agent.compiled[each.flow].steps
            return any(isinstance(step.does, AskSlots | AskConfirmation) for step in steps)
    return False


def heard_while_waiting(reading: Reading) -> tuple[Digress, ...]:
    """What of somebody who waits for a person gets a word: an emergency, a question, a call, or a courtesy."""
    if pattern_of("urgent").search(reading.text.folded):
        return (Digress("urgent"),)
    if reading.asks or reading.has("human", "greet"):
        return (Digress("off_topic"),)
    nods = is_plain_yes(reading) or all(word.text in NODS | WAITS for word in words(reading.text))
    return (Digress("thanks"),) if nods or reading.has("thanks") else ()


def _is_leave(agent: Agent, reading: Reading) -> bool:
    """Whether a message says goodbye, gives up, or leaves it with nothing more than courtesies."""
    said = words(reading.text)
    says_bye = any(act.kind == "bye" for act in find_acts(reading.text))
    # "no quiero dar mis datos, chau" is about data, and goes all the same; so does "bueno nada, chau"
    goes = says_bye and (reading.has("deny", "skip", "cancel") or not _means_a_question(agent, reading))
    if len(said) > MOST_WORDS or (reading.meant and not goes):
        return False
    if any(line.product and line.confidence >= SURE_LINE for line in reading.lines):
        return False  # "dejá, mejor una sprite" leaves one thing for another
    if says_bye:
        return {act.kind for act in reading.acts} <= _BESIDE_A_GOODBYE
    text = " ".join(word.text for word in said)
    if pattern_of("gives up").search(text):
        return True
    lets_go = any(word.text in LETS_GO for word in said) and not _UNDOES.search(text)
    return lets_go and (reading.is_only("cancel") or reading.has("cancel"))


def _means_a_question(agent: Agent, reading: Reading) -> bool:
    """Whether something is meant that is answered, beside a goodbye."""
    return any(name in agent.intents for name in reading.meant)


def _wants_nothing(reading: Reading) -> bool:
    """Whether a message only does not want what was told of: "uy no, mejor no"."""
    return declines(reading, in_so_many_words=True) and not (reading.meant or reading.lines or reading.has("thanks"))


def _gives_value(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a message gives what was asked for: "chau, te paso el mail: ana@x.com"."""
    if not isinstance(session.pending, AskedSlot):
        return False
    slot = agent.slots[session.pending.slot]
    if slot.kind.is_free or slot.kind.names_person:
        return False  # any words could be one
    return bool(reading.values.of(slot))
