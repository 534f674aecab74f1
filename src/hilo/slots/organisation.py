"""The name of a business: "ferretería El Tornillo", "Acme SAS", "soy Ana Gil, de Velas del Sur"."""

import re
from collections.abc import Iterator

from hilo.recognisers.found import Found, Value
from hilo.recognisers.normalise import fold
from hilo.recognisers.phrases import word_set
from hilo.slots.slot_type import Example, SlotRules, SlotType, said_alike, spanish
from hilo.slots.text import clean
from hilo.slots.utterance import Utterance

MOST_LETTERS, MOST_WORDS = 120, 9
SAID = 90

# what businesses are; a name stands after it
TRADES = word_set(
    "panaderia pasteleria reposteria ferreteria restaurante cafeteria cafe bar pizzeria heladeria carniceria fruteria "
    "verduleria pescaderia tienda boutique almacen supermercado minimercado papeleria libreria jugueteria floristeria "
    "peluqueria barberia spa gimnasio estetica clinica consultorio laboratorio farmacia drogueria optica veterinaria "
    "hotel hostal posada inmobiliaria constructora consultora agencia estudio taller lavanderia imprenta academia "
    "colegio jardin escuela instituto fundacion asociacion cooperativa distribuidora comercializadora transportes "
    "industrias inversiones grupo muebles joyeria zapateria marqueteria viajes turismo confecciones calzado finca "
    "empresa compania negocio emprendimiento marca firma bakery restaurant shop store company padaria loja"
)
_TELLING = word_set("no que quiero quisiera necesito tengo hago soy ponga estoy want need")  # words of a sentence
# what stands behind a name: "Titan Gym, en Envigado", "Pastelería Encarni. De …"
_BEHIND = re.compile(r"(?:, (?:en|aqu[ií]|ac[aá]|de) .*|(?<=[^\W\d_]{4})\. \w.*)$")
_CAPITAL = r"[A-ZÁÉÍÓÚÑ][\w&'’.-]*"
_JOIN = r"(?:de|del|la|las|los|el|y|&|e|do|da|and|the|of)"
_NAME = rf"{_CAPITAL}(?: (?:{_JOIN} )*{_CAPITAL}){{0,5}}"
_WORD = re.compile(r"[^\W\d_]+")
_OURS = re.compile(r"\b(?:una?|mi|la|el|nuestr[oa]|my|our|a) $")
_CALLED = re.compile(rf"(?: |, ?|: ?| se llama | que se llama | llamad[oa] | called )(?P<name>{_NAME})")
# in small letters a name must begin as one: "panadería la espiga"
_SMALL = re.compile(
    r" (?P<name>(?:el|la|los|las|san|santa|don|do[nñ]a|mr|super) [^\W\d_]+(?: [^\W\d_]+)?)"
    r"(?=[,.;]|\s+\d|\s*$)"
)
_LEGAL = re.compile(
    rf"\b(?P<name>{_NAME},? (?:S\.? ?A\.?(?: ?S\.?)?|SAS|Ltda\.?|S\.? ?R\.? ?L\.?|S\.? ?L\.?|Inc\.?|LLC|GmbH))"
    r"(?=[\s,.;]|$)"
)
_OF_PERSON = re.compile(
    rf"\b(?:[Ss]oy|[Hh]abla|[Ss]aluda|[Ll]es? escribe|[Mm]e llamo|[Mm]i nombre es|I am|I'm)"
    rf" {_CAPITAL}(?: {_CAPITAL}){{0,3}},? (?:de|del|desde|en|from|at) (?:la |el )?(?P<name>{_NAME})"
)
_WORKS = re.compile(rf"\b(?:trabajo (?:en|para|con)|somos|represento a|work (?:at|for)) (?:la |el )?(?P<name>{_NAME})")


def _accept(value: Value, _slot: SlotRules, _country: str) -> Value | None:
    text = _BEHIND.sub("", clean(str(value)))
    said = fold(text).split()
    is_name = len(said) <= MOST_WORDS and _TELLING.isdisjoint(said) and any(letter.isalnum() for letter in text)
    return text if is_name and len(text) <= MOST_LETTERS else None


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    return said.once("organisation", lambda: tuple(_names(said)))


def _names(said: Utterance) -> Iterator[Found]:
    """Names by the words beside them; a town is none."""
    raw = said.text.raw
    if len(raw) != len(said.text.folded):
        return
    spans = list(_after_trades(said))
    spans += [match.span("name") for pattern in (_LEGAL, _OF_PERSON, _WORKS) for match in pattern.finditer(raw)]
    for start, end in spans:
        if not _is_a_town(said, start, end):
            yield Found("organisation", raw[start:end].strip(" ,."), start, end, SAID)


def _after_trades(said: Utterance) -> Iterator[tuple[int, int]]:
    """The name after what a business is: with it in "Ferretería El Tornillo", without in "mi panadería, Sol"."""
    raw, folded = said.text.raw, said.text.folded
    for trade in _WORD.finditer(folded):
        called = trade[0] in TRADES and (_CALLED.match(raw, trade.end()) or _SMALL.match(raw, trade.end()))
        if called:
            is_part = raw[trade.end() : called.start("name")] == " " and not _OURS.search(folded[: trade.start()])
            yield trade.start() if is_part else called.start("name"), called.end("name")


def _is_a_town(said: Utterance, start: int, end: int) -> bool:
    from hilo.recognisers.places.cities import find_cities

    towns = said.once("towns of a text", lambda: find_cities(said.text, country=said.country))
    return any(town.start <= start and end <= town.end for town in towns)


TYPE = SlotType(
    name="organisation",
    summary="the name of a business, up to 120 characters; unasked by what stands beside it: “Ferretería El Tornillo”",
    aliases=("company", "business", "empresa", "organization", "negocio"),
    called=("empresa", "compañía", "negocio", "company", "business"),
    phrases={
        "invalid.organisation": {
            **spanish("Eso no me parece el nombre de una empresa."),
            "en": ("That does not look like the name of a business.",),
            "pt-BR": ("Isso não parece o nome de uma empresa.",),
        }
    },
    examples=said_alike(
        Example(said="La Espiga", stored="La Espiga", shown="La Espiga"),
        english=Example(said="Blue Door", stored="Blue Door", shown="Blue Door"),
        portuguese=Example(said="Doces da Ana", stored="Doces da Ana", shown="Doces da Ana"),
    ),
    is_free=True,
    find=_find,
    accept=_accept,
    volunteered="as_a_wish",
)
