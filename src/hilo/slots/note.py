"""What contacts wish besides, and no other slot takes: it is kept in their words, and never asked for."""

from hilo.recognisers.found import Found, Value
from hilo.slots.slot_type import Example, SlotRules, SlotType, said_alike, spanish
from hilo.slots.text import clean
from hilo.slots.utterance import Utterance

MAX_NOTE = 300
JOINED = "; "


def _accept(value: Value, _slot: SlotRules, _country: str) -> Value | None:
    text = clean(str(value))
    return text if len(text) <= MAX_NOTE and any(letter.isalnum() for letter in text) else None


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    """Nothing: `understanding.notes` tells what is a note and what is said for another slot."""
    return ()


TYPE = SlotType(
    name="note",
    summary="what is wished besides (“sin bolsa”), in the contact's words, up to 300 characters; never asked for",
    aliases=("notes", "nota", "notas", "observaciones", "remarks", "comment", "comments", "instructions"),
    phrases={
        "invalid.note": {
            **spanish("Eso es muy largo para anotarlo."),
            "en": ("That is too long to note down.",),
            "pt-BR": ("Isso é longo demais para anotar.",),
        }
    },
    examples=said_alike(
        Example(said="sin bolsa, por favor", stored="sin bolsa, por favor", shown="sin bolsa, por favor"),
        english=Example(said="please ring twice", stored="please ring twice", shown="please ring twice"),
        portuguese=Example(said="sem sacola, por favor", stored="sem sacola, por favor", shown="sem sacola, por favor"),
    ),
    find=_find,
    accept=_accept,
    is_note=True,
)
