"""A time of day."""

import re

from hilo.recognisers.found import Found, Value
from hilo.recognisers.pairs import settled
from hilo.slots.slot_type import Example, SlotRules, SlotType, WordOf, said_alike, spanish
from hilo.slots.utterance import Utterance

NOON = 12


def _accept(value: Value, _slot: SlotRules, _country: str) -> Value | None:
    text = str(value).strip()
    return text if re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", text, re.ASCII) else None


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    found = said.once(f"time:{asked}", lambda: _times(said, asked=asked))
    return said.unless_asking(found, asked=asked)


def _times(said: Utterance, *, asked: bool) -> tuple[Found, ...]:
    from hilo.recognisers.calendar.times import find_times

    return settled(said.text, find_times(said.text, now=said.now, asked=asked))


def clock_text(hour: int, minute: int, word: WordOf) -> str:
    """A time of day as it is said of opening hours: 9, 9:30; where people count the hours twice, 9:00 a. m."""
    if "/" in word("clock"):
        return _show(f"{hour % 24:02}:{minute:02}", word)
    text = word("hour" if not minute else "hour_minute")
    return text.replace("{hour}", str(hour)).replace("{minute}", f"{minute:02}")


def _show(value: Value, word: WordOf) -> str:
    """17:30, or 5:30 p. m. where people count the hours twice."""
    before, _, after = word("clock").partition("/")
    if not after:
        return str(value)
    hour, _, minute = str(value).partition(":")
    return f"{int(hour) % NOON or NOON}:{minute} {before if int(hour) < NOON else after}"


_TWELVE_HOURS = Example(said="a las cinco y media de la tarde", stored="17:30", shown="5:30 p. m.")

TYPE = SlotType(
    name="time",
    summary="a time of day, stored as `17:30`: “a las cinco y media de la tarde”, “en una hora”",
    aliases=("hora", "hour", "clock", "time_of_day", "horario"),
    phrases={
        "invalid.time": {
            **spanish("Necesito una hora, por ejemplo 17:30 o «a las cinco de la tarde»."),
            "es-CO": ("Necesito una hora, por ejemplo 5:30 p. m. o «a las cinco de la tarde».",),
            "es-MX": ("Necesito una hora, por ejemplo 5:30 p. m. o «a las cinco y media de la tarde».",),
            "en": ("I need a time, such as 17:30 or “five in the afternoon”.",),
            "pt-BR": ("Preciso de um horário, por exemplo 17:30 ou “às cinco da tarde”.",),
        },
        # the hours after midday: counted on, or named as those before it are
        "word.clock": {
            **spanish("24"),
            "es-CO": ("a. m./p. m.",),
            "es-MX": ("a. m./p. m.",),
            "en": ("24",),
            "pt-BR": ("24",),
        },
    },
    examples={
        **said_alike(
            Example(said="a las cinco y media de la tarde", stored="17:30", shown="17:30"),
            english=Example(said="at 5:30 pm", stored="17:30", shown="17:30"),
            portuguese=Example(said="às cinco e meia da tarde", stored="17:30", shown="17:30"),
        ),
        "es-CO": _TWELVE_HOURS,
        "es-MX": _TWELVE_HOURS,
    },
    is_when=True,
    led_by=re.compile(r"(?<!hasta )\b(?:a|para|tipo|sobre) las? $"),
    find=_find,
    accept=_accept,
    show=_show,
    volunteered="as_a_wish",
)
