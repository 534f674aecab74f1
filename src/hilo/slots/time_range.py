"""A part of the day that hours are to lie in: "después de las 6", "entre 3 y 5", "a la mañana"."""

import re
from collections.abc import Iterator

from hilo.recognisers.found import Found, Value
from hilo.slots.slot_type import Example, SlotRules, SlotType, WordOf, said_alike, spanish
from hilo.slots.time import TYPE as TIME
from hilo.slots.utterance import Utterance

FIRST, LAST = "00:00", "23:59"
SAID, NAMED = 90, 80

_RANGE = re.compile(r"([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d", re.ASCII)
_AT = r"(?: de)?(?: las?| l[ao]s)? ?"
_NOT = re.compile(r"\b(?:no (?:\w+ ){0,2}|nunca |nada |not )$")
_NOT_BEHIND = re.compile(r" ?(?:hs |horas )?no(?: (?:puedo|podemos|llego|quiero|me \w+))?(?=\s*(?:[,.;!]|$))")
_AFTER = re.compile(
    rf"\b(?:(?:despues|dsps?|desp|a partir|mas alla){_AT}|(?:desde|pasadas) (?:de )?(?:las? )?"
    r"|mas tarde (?:que|de) (?:las? )?|after |from )$"
)
_BEFORE = re.compile(rf"\b(?:antes{_AT}|(?:hasta|maximo|a mas tardar)(?: a)? (?:las? )?|before |until |by )$")
_ONWARDS = re.compile(r" ?(?:hs |horas )?(?:en adelante|para adelante|para arriba|o mas tarde|or later|onwards)\b")
_BETWEEN = re.compile(r"\b(?:entre|de|desde|between|from)(?: las?)? $")
_JOIN = re.compile(r" ?(?:y|a|hasta|-|and|to)(?: las?)? ")
_IN_THE = r"(?:por|a|en|de|x) la"
_PARTS = {
    "00:00-12:00": (
        rf"(?:{_IN_THE}|de) manan(?:a|ita)|bien temprano|tempran(?:o|ito)|a primera hora|in the morning|de manha"
    ),
    "13:00-20:00": rf"{_IN_THE} tarde(?:cita)?|de tarde|a tarde|in the afternoon|despues del? (?:mediodia|almuerzo)",
    "19:00-23:59": (rf"{_IN_THE} noche|de noche|a ultima hora|lo mas tarde|bien tarde|in the evening|at night|a noite"),
}


def _accept(value: Value, _slot: SlotRules, _country: str) -> Value | None:
    text = str(value).strip()
    return text if _RANGE.fullmatch(text) and text[:5] < text[6:] else None


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    """A range is wished for by asking, too: "¿hay algo después de las 5?"."""
    return said.once("time_range", lambda: tuple(_ranges(said)))


def _ranges(said: Utterance) -> Iterator[Found]:
    from hilo.recognisers.calendar.times import find_times

    text = said.text.folded
    hours = find_times(said.text, now=said.now)
    for place, hour in enumerate(hours):
        following = hours[place + 1] if place + 1 < len(hours) else None
        if found := _between(text, hour, following) or _bound(text, hour):
            yield found
    for value, words in _PARTS.items():
        for part in re.finditer(rf"\b(?:{words})\b", text):
            if not any(hour.start - 2 <= part.start() and part.start() <= hour.end + 1 for hour in hours):
                yield Found("time_range", value, part.start(), part.end(), NAMED)


def _between(text: str, first: Found, last: Found | None) -> Found | None:
    """From one hour to another: "entre las 3 y las 5"."""
    lead = _BETWEEN.search(text, 0, first.start)
    if last is None or lead is None or not _JOIN.fullmatch(text, first.end, last.start):
        return None
    early, late = str(first.value), str(last.value)
    return Found("time_range", f"{early}-{late}", lead.start(), last.end, SAID) if early < late else None


def _bound(text: str, hour: Found) -> Found | None:
    """What an hour is the beginning or the end of; "no antes de las 10" begins there."""
    after, before = (pattern.search(text, 0, hour.start) for pattern in (_AFTER, _BEFORE))
    lead = after or before
    onwards = _ONWARDS.match(text, hour.end)
    if lead is None and onwards is None:
        return None
    start = lead.start() if lead else hour.start
    is_turned = bool(_NOT.search(text, 0, start) or _NOT_BEHIND.match(text, hour.end))
    begins = onwards is not None or ((after is not None) != is_turned)
    value = f"{hour.value}-{LAST}" if begins else f"{FIRST}-{hour.value}"
    return Found("time_range", value, start, onwards.end() if onwards else hour.end, SAID)


def _show(value: Value, word: WordOf) -> str:
    first, _, last = str(value).partition("-")
    early, late = (TIME.show(each, word) if TIME.show else each for each in (first, last))
    if first == FIRST:
        return f"{word('range_before')} {late}"
    if last == LAST:
        return f"{word('range_after')} {early}"
    between, _, and_ = word("range_between").partition("/")
    return f"{between} {early} {and_} {late}"


_SPANISH = Example(said="después de las 6 de la tarde", stored="18:00-23:59", shown="después de las 18:00")
_TWELVE_HOURS = Example(said="después de las 6 de la tarde", stored="18:00-23:59", shown="después de las 6:00 p. m.")

TYPE = SlotType(
    name="time_range",
    summary="hours to lie in, stored as `18:00-23:59`: “después de las 6 de la tarde”, “entre 3 y 5”, “a la mañana”",
    aliases=("franja", "range_of_hours", "rango", "period_of_day"),
    phrases={
        "invalid.time_range": {
            **spanish("Necesito una franja, por ejemplo «después de las 17» o «a la mañana»."),
            "en": ("I need a part of the day, such as “after 5 pm” or “in the morning”.",),
            "pt-BR": ("Preciso de uma faixa de horário, por exemplo “depois das 17h” ou “de manhã”.",),
        },
        "word.range_after": {**spanish("después de las"), "en": ("after",), "pt-BR": ("depois das",)},
        "word.range_before": {**spanish("antes de las"), "en": ("before",), "pt-BR": ("antes das",)},
        "word.range_between": {**spanish("entre las/y las"), "en": ("between/and",), "pt-BR": ("entre as/e as",)},
    },
    examples={
        **said_alike(
            _SPANISH,
            english=Example(said="after 6 pm", stored="18:00-23:59", shown="after 18:00"),
            portuguese=Example(said="à noite", stored="19:00-23:59", shown="depois das 19:00"),
        ),
        "es-CO": _TWELVE_HOURS,
        "es-MX": _TWELVE_HOURS,
    },
    is_when=True,
    find=_find,
    accept=_accept,
    show=_show,
    volunteered="as_a_wish",
)
