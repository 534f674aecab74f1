"""What tells of a wish or of a business and was heard as nothing is kept as a note, where a flow keeps notes.

"Es para una pasantía", asked for a mail address, is no bad address, and nobody answers it: but whoever calls back wants
to know. Grumbles, questions and what is said of the talk itself are none (`no note`, `tells nothing` in the packs).
"""

import re
from collections.abc import Sequence

from hilo.agent.declaration import Agent
from hilo.agent.values import Accepted, accept
from hilo.dialogue.commands import Command, Digress, SetSlot, TakeNote
from hilo.dialogue.draft import but, less, of_kind
from hilo.dialogue.session import AskedSlot, AskedYes, Session
from hilo.recognisers.normalise import fold
from hilo.understanding.beside_values import Commands
from hilo.understanding.notes import is_no_note, note_slot
from hilo.understanding.parts import clauses
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.reading import Reading, speaks_spanish

FEWEST_WORDS, MOST_LETTERS = 3, 200
EDGES = " ,.;!"
HEARD_AS_NOTHING = (Digress("beside"), Digress("off_topic"))
_HAS = re.compile(r"\W*(?:tengo|tenemos|soy)\b")
CROSS = -0.3  # what is said in anger is no wish


def told_besides(
    agent: Agent, session: Session, reading: Reading, commands: Sequence[Command], unheard: Sequence[str]
) -> tuple[TakeNote, ...]:
    """The notes of a message whose parts were not heard, or which was met with a word as a whole."""
    slot = note_slot(agent, session, commands)
    if not slot or not isinstance(session.pending, AskedSlot | None) or not speaks_spanish(agent):
        return ()
    if reading.sentiment.score <= CROSS:
        return ()
    raw = reading.text.raw
    if not is_no_answer(agent, session, reading, commands):
        texts = list(unheard)
    elif tells_something(raw.strip(EDGES)):
        texts = [raw]
    else:
        texts = [raw[start:end] for start, end in clauses(raw, agent, loose=True)]
    return tuple(TakeNote(slot, text.strip(EDGES)) for text in texts if tells_something(text.strip(EDGES)))


def with_what_is_told(
    agent: Agent, session: Session, reading: Reading, commands: Commands, unheard: list[str]
) -> tuple[Commands, list[str]]:
    """The commands with such notes, and what is still unheard; what tells something is no bad answer."""
    notes = told_besides(agent, session, reading, commands, unheard)
    if not notes:
        is_grumble = pattern_of("grumbles").search(reading.text.folded) is not None and "?" not in reading.text.raw
        is_all = tuple(commands) in ((), (Digress("off_topic"),))
        if is_grumble and is_all and isinstance(session.pending, AskedSlot | AskedYes):
            return (Digress("beside"),), unheard
        return commands, unheard
    kept = () if is_no_answer(agent, session, reading, commands) else commands
    kept = less(kept, SetSlot(session.slot_in_question, ""))
    noted = {each.text for each in notes}
    return (*kept, *notes), [text for text in unheard if text.strip(EDGES) not in noted]


def is_no_answer(agent: Agent, session: Session, reading: Reading, commands: Sequence[Command]) -> bool:
    """Whether nothing came of a message but a word back, a value that is none, or a text that names nothing."""
    if session.pending is None:
        return commands in ((), *((each,) for each in HEARD_AS_NOTHING))
    if not isinstance(session.pending, AskedSlot):
        return False
    slot = agent.slots[session.pending.slot]
    values = of_kind(commands, SetSlot)
    rest = but(less(tuple(commands), *HEARD_AS_NOTHING), SetSlot)
    if rest or len(values) > 1 or any(each.slot != session.pending.slot for each in values):
        return False
    # any words would do for a free text; one that begins like a sentence and names nothing is none, but a stall is one
    is_named = any(word[:1].isupper() for word in reading.text.raw.split()[1:]) or _HAS.match(reading.text.folded)
    refused = [each for each in values if not isinstance(accept(slot, each.value, country=agent.country), Accepted)]
    return all(each in refused or (slot.kind.is_free and not is_named) for each in values)


def tells_something(text: str) -> bool:
    """Whether words tell of a wish, a deadline or a business, and ask nothing."""
    said = fold(text)
    if "?" in text or "¿" in text or len(said.split()) < FEWEST_WORDS or len(said) > MOST_LETTERS:
        return False
    if is_no_note(said) or pattern_of("tells nothing").search(said):
        return False
    return pattern_of("tells something").match(said) is not None
