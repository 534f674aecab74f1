"""Free text, a code with a `pattern`, or the region of a city."""

import re

from hilo.recognisers.found import Found, Value
from hilo.recognisers.normalise import Text
from hilo.slots.places import unless_of_two_people
from hilo.slots.slot_type import Example, SlotRules, SlotType, said_alike, spanish
from hilo.slots.utterance import Utterance

MAX_TEXT = 1000

_TOKEN = re.compile(r"[\w-]+")
_OF_ANOTHER = re.compile(r"[$€£#] ?$|\b(?:order|number|pedido|orden|numero|nro|want|need|quiero|necesito)[ :#]*$")


def clean(text: str) -> str:
    """Without control and invisible characters, one space between words."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _accept(value: Value, _slot: SlotRules, _country: str) -> Value | None:
    text = clean(str(value))
    return text[:MAX_TEXT].rstrip() if any(letter.isalnum() for letter in text) else None


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    """Nothing but codes and regions can be told from other words."""
    if slot.pattern:
        return _codes(said.text)
    return said.once("region", lambda: unless_of_two_people(said, _regions(said))) if slot.region_of else ()


def _regions(said: Utterance) -> tuple[Found, ...]:
    from hilo.recognisers.places.regions import find_regions

    return find_regions(said.text, country=said.country)


def _codes(text: Text) -> tuple[Found, ...]:
    """Words that may be codes, for the pattern to judge: those with a digit are surer."""
    if len(text.raw) != len(text.folded):
        return ()
    return tuple(
        Found("text", each.group(), each.start(), each.end(), 90 if _is_code(text, each) else 60)
        for each in _TOKEN.finditer(text.raw)
    )


def _is_code(text: Text, token: re.Match[str]) -> bool:
    """Whether there is a digit, and no sign or word before that makes it the number of something else."""
    before = text.folded[max(0, token.start() - 12) : token.start()]
    return any(map(str.isdigit, token.group())) and not (token.group().isdigit() and _OF_ANOTHER.search(before))


TYPE = SlotType(
    name="text",
    summary="any words, up to 1000 characters; with a `pattern` a code, with `region_of` a region",
    aliases=("string", "str", "texto", "free_text", "freetext", "words", "code", "codigo"),
    phrases={
        "invalid.text": {
            **spanish("No alcancé a leer ese dato."),
            "es-ES": ("No he podido leer ese dato.",),
            "en": ("I couldn't read that.",),
            "pt-BR": ("Não consegui ler essa informação.",),
        }
    },
    examples=said_alike(
        Example(said="con mucha salsa", stored="con mucha salsa", shown="con mucha salsa"),
        english=Example(said="extra sauce, please", stored="extra sauce, please", shown="extra sauce, please"),
        portuguese=Example(said="com bastante molho", stored="com bastante molho", shown="com bastante molho"),
    ),
    keys=frozenset({"region_of", "wish"}),
    find=_find,
    accept=_accept,
    is_free=True,
)
