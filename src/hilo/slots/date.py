"""A day."""

import re
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

from hilo.recognisers.found import Found, Value
from hilo.recognisers.normalise import Text, normalise
from hilo.recognisers.pairs import settled
from hilo.slots.slot_type import Example, SlotRules, SlotType, WordOf, said_alike, spanish
from hilo.slots.utterance import SURE, Utterance

_DAY_AND_MONTH = re.compile(r"\d{1,2} ?/ ?\d{1,2}[ .!]*")
_SPEAKS_OF_DAYS = re.compile(
    r"\b(?:dias?|semanas?|mes|meses|fechas?|ano|finde|fin|hoy|manana|pasado|proxim\w+|lunes|martes|miercoles|jueves|viernes"
    r"|sabado|domingo|navidad|pascuas?|puente|feriado|day|week|month|date|today|tomorrow|next|dia|hoje|amanha|semana)\b"
)
_USUAL = re.compile(r"\blos (?P<day>lunes|martes|miercoles|jueves|viernes|sabado|domingo)(?P<many>s?)\b")
_SOON = re.compile(
    r"\b(?:lo (?:antes|mas pronto) (?:posible|que (?:haya|tengas|tenga|tengan|se pueda|puedas|puedan))|cuanto antes"
    r"|(?:el )?primer dia (?:libre|disponible|que (?:haya|tengas|tenga|tengan)))\b"
)
_ENTRE = re.compile(r"\bentre (?:el )?(?:dia )?$")
_AND = re.compile(r" y (?:el )?(?:dia )?")
_LED = "el "
_OFTEN = re.compile(r"\blos (lunes|martes|miercoles|jueves|viernes|sabado|domingo)s?\b")


def _accept(value: Value, _slot: SlotRules, _country: str) -> Value | None:
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError:
        return None


def dates(said: Utterance) -> tuple[Found, ...]:
    """The days that a message speaks of."""
    return said.once("date", lambda: _dates(said))


def day_named(said: Utterance) -> str:
    """The first day that a message names, if it does: "¿abren el 25 de diciembre?"; the next one of "los domingos"."""
    named = next((str(each.value) for each in dates(said) if each.kind == "date" and each.confidence >= SURE), "")
    return named or _next_of(said)


def _next_of(said: Utterance) -> str:
    from hilo.recognisers.calendar.words import weekday_of

    often = _OFTEN.search(said.text.folded)
    weekday = weekday_of(often[1]) if often else None
    if weekday is None:
        return ""
    today = said.now.date()
    return (today + timedelta(days=(weekday - today.weekday()) % 7)).isoformat()


def _dates(said: Utterance) -> tuple[Found, ...]:
    from hilo.recognisers.calendar.dates import IMPOSSIBLE, find_dates

    language = said.language.partition("-")[0] or "es"
    found = find_dates(said.text, now=said.now, language=language, country=said.country)
    days = settled(said.text, tuple(each for each in found if each.confidence > IMPOSSIBLE))
    return _between(said.text, days) if "entre " in said.text.folded else days


def _between(text: Text, days: tuple[Found, ...]) -> tuple[Found, ...]:
    """Entre el 20 y el 25: the days between which somebody has not chosen are a period, as a week is."""
    for first, last in pairwise(days):
        led = _ENTRE.search(text.folded[: first.start]) and _AND.fullmatch(text.folded, first.end, last.start)
        if led and first.kind == last.kind == "date" and str(first.value) < str(last.value):
            period = Found("period", f"{first.value}/{last.value}", first.start, last.end, first.confidence)
            return tuple(period if each is first else each for each in days if each is not last)
    return days


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    return dates(said) or (
        said.once("half_or_date", lambda: _as_a_day(said) or _soonest(said) or _usual(said)) if asked else ()
    )


def _soonest(said: Utterance) -> tuple[Found, ...]:
    """Lo antes posible, asked for a day: today, from which on whoever knows the days looks for one."""
    soon = _SOON.search(said.text.folded)
    return (Found("date", said.now.date().isoformat(), *soon.span(), 80),) if soon else ()


def _usual(said: Utterance) -> tuple[Found, ...]:
    """Los miércoles, asked for a day: the next one."""
    day = _USUAL.search(said.text.folded)
    if day is None:
        return ()
    single = f" el {day['day']}{' ' * len(day['many'])}"  # as long as what was said: the places stay
    text = replace(said.text, folded=_USUAL.sub(single, said.text.folded, count=1))
    return dates(replace(said, text=text, _found={}, _finding=[], _by_goods=set()))


def _as_a_day(said: Utterance) -> tuple[Found, ...]:
    """1/2 is a half; where a day was asked for and nothing else is said, it is one."""
    if not _DAY_AND_MONTH.fullmatch(said.text.folded):
        return ()
    led = replace(said, text=normalise(f"{_LED}{said.text.raw}"), _found={}, _finding=[], _by_goods=set())
    return tuple(replace(each, start=each.start - len(_LED), end=each.end - len(_LED)) for each in dates(led))


def day_text(day: date, word: WordOf) -> str:
    """A day as one writes it in the agent's language."""
    month = word("months").split()[day.month - 1]
    parts = {"{day}": str(day.day), "{month}": month, "{year}": str(day.year)}
    text = word("date")
    for name, part in parts.items():
        text = text.replace(name, part)
    return text


def _may_be(said: Utterance) -> bool:
    """Whether a message without a day speaks of one at all: "para semana santa", but not "me lo compró mi jefe"."""
    return said.has_digits or _SPEAKS_OF_DAYS.search(said.text.folded) is not None


def _show(value: Value, word: WordOf) -> str:
    return day_text(date.fromisoformat(str(value)), word)


TYPE = SlotType(
    name="date",
    summary="a day, stored as `2027-03-31`: “el 31 de marzo”, “mañana”, “el viernes santo”; a whole week is none",
    aliases=("fecha", "day", "dia", "calendar", "birthday"),
    called=("fecha", "dia", "date"),
    phrases={
        "invalid.date": {
            **spanish(
                "No entendí la fecha. Puedes escribirla como 25/12/2027 o «el viernes que viene».",
                vos=("No entendí la fecha. Podés escribirla como 25/12/2027 o «el viernes que viene».",),
                usted=("No entendí la fecha. Puede escribirla como 25/12/2027 o «el viernes que viene».",),
            ),
            "es-ES": ("No he entendido la fecha. Puedes escribirla como 25/12/2027 o «el viernes que viene».",),
            "en": ("I didn't get the date. You can write it like 12/25/2027 or “next Friday”.",),
            "pt-BR": ("Não entendi a data. Você pode escrever assim: 25/12/2027 ou “sexta que vem”.",),
        },
        "word.date": {
            **spanish("{day} de {month} de {year}"),
            "en": ("{month} {day}, {year}",),
            "pt-BR": ("{day} de {month} de {year}",),
        },
        "word.months": {
            **spanish("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
            "en": ("January February March April May June July August September October November December",),
            "pt-BR": ("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",),
        },
    },
    examples=said_alike(
        Example(said="el 31 de marzo de 2027", stored="2027-03-31", shown="31 de marzo de 2027"),
        english=Example(said="March 31, 2027", stored="2027-03-31", shown="March 31, 2027"),
        portuguese=Example(said="31 de março de 2027", stored="2027-03-31", shown="31 de março de 2027"),
    ),
    find=_find,
    accept=_accept,
    show=_show,
    volunteered="always",
    is_when=True,
    may_be=_may_be,
)
