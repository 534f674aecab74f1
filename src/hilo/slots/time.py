"""A time of day."""

import re

from hilo.recognisers.found import Found, Value
from hilo.slots.slot_type import Example, SlotRules, SlotType, said_alike, spanish
from hilo.slots.utterance import Utterance


def _accept(value: Value, _slot: SlotRules, _country: str) -> Value | None:
    text = str(value).strip()
    return text if re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", text, re.ASCII) else None


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    return said.once("time", lambda: _times(said))


def _times(said: Utterance) -> tuple[Found, ...]:
    from hilo.recognisers.calendar.times import find_times

    return find_times(said.text)


TYPE = SlotType(
    name="time",
    summary="a time of day, stored as `17:30`: “a las cinco y media de la tarde”",
    aliases=("hora", "hour", "clock", "time_of_day", "horario"),
    phrases={
        "invalid.time": {
            **spanish("Necesito una hora, por ejemplo 17:30 o «a las cinco de la tarde»."),
            "en": ("I need a time, such as 17:30 or “five in the afternoon”.",),
        }
    },
    examples=said_alike(
        Example(said="a las cinco y media de la tarde", stored="17:30", shown="17:30"),
        Example(said="at 5:30 pm", stored="17:30", shown="17:30"),
    ),
    find=_find,
    accept=_accept,
)
