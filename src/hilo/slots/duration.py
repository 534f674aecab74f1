"""How long something takes.

Stored as a whole number of minutes: exact, and guards, `min` and `max` can compare it. Weeks, days and hours have
a fixed number of minutes; months and years have none and are not taken, nor are seconds that make no whole minute.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from hilo.recognisers.found import Found, Value
from hilo.slots.number import accept_number
from hilo.slots.slot_type import Example, SlotRules, SlotType, WordOf, said_alike, spanish
from hilo.slots.utterance import Utterance

HOUR = 60
DAY = 24 * HOUR
WEEK = 7 * DAY
MAX_MINUTES = 10 * 366 * DAY
SURE, LIKELY, DOUBTFUL = 90, 65, 50  # a doubtful one is taken only where it was asked for

_MINUTES_OF = {
    "semana semanas semanita semanitas week weeks wk wks": Fraction(WEEK),
    "quincena quincenas": Fraction(15 * DAY),
    "fortnight fortnights": Fraction(14 * DAY),
    "dia dias day days d": Fraction(DAY),
    "hora horas horita horitas h hs hr hrs hour hours": Fraction(HOUR),
    "minuto minutos minutito minutitos min mins m minute minutes ' ′ ’": Fraction(1),
    "segundo segundos seg segs second seconds sec secs": Fraction(1, 60),
}
_UNITS = {word: minutes for words, minutes in _MINUTES_OF.items() for word in words.split()}
_GLUED = frozenset(("d", "m", "'", "′", "’"))  # units only right after their number: "5 m" are metres
_HALF, _QUARTER = Fraction(1, 2), Fraction(1, 4)
_WRITTEN_SHARES = {"1/2": _HALF, "1/4": _QUARTER, "3/4": 3 * _QUARTER}
_WRITTEN_SHARES |= {text.replace("/", "⁄"): share for text, share in _WRITTEN_SHARES.items()}  # ½ is folded to 1⁄2
_SHARES = {"media": _HALF, "medio": _HALF, "half": _HALF, "cuarto": _QUARTER, "quarter": _QUARTER} | _WRITTEN_SHARES
_SMALL = frozenset(("un", "una", "a", "an"))
_PAIRS = frozenset(("par", "parcito", "couple"))
_OF = frozenset(("de", "of", "a", "an"))
_AND = frozenset(("y", "and", "con", ",", "+"))
_BETWEEN = frozenset(("o", "u", "or", "a", "to", "y", "and", "-"))  # "2 o 3 horas" is not one duration

_TOKEN = re.compile(r"\d⁄\d|\d+(?=\d⁄\d)|\d+/\d+|\d{1,3}(?:\.\d{3})+(?!\d)|\d+(?:[.,]\d+)?|[^\W\d_]+|[^\w\s]")
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):([0-5]\d)(?![\d:])(?: ?(?:h|hs|hrs?|horas?|hours?)\b)?")
_AT = re.compile(r"\b(?:las|a la|at|since|until)[ ]$")
_MOMENT_BEFORE = re.compile(
    r"\b(?:hace|hacia|haces|cada|en|dentro de|despues de|antes de|every|in|within|for the last|ultim[ao]s)[ ]$"
)
_MOMENT_AFTER = re.compile(
    r"[ ](?:antes|despues|atras|mas tarde|ago|later|before|old|de (?:anticipacion|edad|retraso|estos))\b"
)


class _Chunk(NamedTuple):
    text: str
    start: int
    end: int


class _Part(NamedTuple):
    """An amount of one unit, where its tokens end, and whether it could be something else."""

    minutes: Fraction
    unit: Fraction
    end: int
    is_doubtful: bool = False


Tokens = Sequence[_Chunk]


def _text(toks: Tokens, place: int) -> str:
    return toks[place].text if 0 <= place < len(toks) else ""


def _touches(toks: Tokens, place: int) -> bool:
    return 0 < place < len(toks) and toks[place - 1].end == toks[place].start


# --- amounts and units ------------------------------------------------------------------------------------


def _amount(toks: Tokens, place: int) -> tuple[Fraction, int] | None:
    """A number in digits or words, and where it ends: 1,5 · 3/4 · 2½ · cuarenta y cinco · two and a half."""
    number = _digits(toks, place) if _text(toks, place)[:1].isdecimal() else _word(toks, place)
    if number is None:
        return None
    value, end = number
    share, after = _share(toks, end)
    return (value + share, after) if share and value.denominator == 1 else number


def _digits(toks: Tokens, place: int) -> tuple[Fraction, int] | None:
    text = _text(toks, place).replace("⁄", "/")
    number, _, parts = text.partition("/")
    if parts:
        return (Fraction(int(number), int(parts)), place + 1) if int(parts) else None
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+", text):
        text = text.replace(".", "")
    return Fraction(text.replace(",", ".")), place + 1


def _word(toks: Tokens, place: int) -> tuple[Fraction, int] | None:
    from hilo.recognisers.amounts.lexicon import TENS, UNITS, numeral

    counts = numeral(_text(toks, place))
    if counts is None:
        return None
    after = place + 2 if _text(toks, place + 1) in {"y", "-"} else place + 1
    ones = numeral(_text(toks, after)) if counts.rank == TENS else None
    if ones and ones.rank == UNITS and ones.value:
        return Fraction(counts.value + ones.value), after + 1
    return Fraction(counts.value), place + 1


def _share(toks: Tokens, place: int) -> tuple[Fraction, int]:
    """The part after a whole number: 2½, 2 1/2, two and a half."""
    written = _WRITTEN_SHARES.get(_text(toks, place))
    if written:
        return written, place + 1
    if [_text(toks, place + each) for each in range(3)] == ["and", "a", "half"]:
        return Fraction(1, 2), place + 3
    return Fraction(0), place


def _unit(toks: Tokens, place: int) -> Fraction | None:
    text = _text(toks, place)
    if text in _GLUED and not _touches(toks, place):
        return None
    return _UNITS.get(text)


# --- one part: "2 horas", "media hora", "hora y media" ----------------------------------------------------


def _part(toks: Tokens, place: int) -> _Part | None:
    for read in (_share_of_hour, _pair, _counted, _bare):
        part = read(toks, place)
        if part:
            return part
    return None


def _share_of_hour(toks: Tokens, place: int) -> _Part | None:
    """Media hora, tres cuartos de hora, half an hour, a quarter of an hour."""
    start = place + 1 if _text(toks, place) in _SMALL else place
    share, end = _SHARES.get(_text(toks, start)), start + 1
    if (_text(toks, place), _text(toks, place + 1)) in {("tres", "cuartos"), ("three", "quarters")}:
        share, end = Fraction(3, 4), place + 2
    while share and _text(toks, end) in _OF:
        end += 1
    unit = _unit(toks, end) if share else None
    if not share or unit != HOUR or _text(toks, end) in {"h", "hs"}:
        return None
    return _Part(share * unit, unit, end + 1)


def _pair(toks: Tokens, place: int) -> _Part | None:
    """Un par de días, a couple of hours."""
    start = place + 1 if _text(toks, place) in _SMALL else place
    if _text(toks, start) not in _PAIRS:
        return None
    end = start + 2 if _text(toks, start + 1) in _OF else start + 1
    unit = _unit(toks, end)
    return _Part(2 * unit, unit, end + 1) if unit else None


def _counted(toks: Tokens, place: int) -> _Part | None:
    """2 horas, cuarenta y cinco minutos, an hour; each with what is added: "y media", "y cuarto"."""
    amount = (Fraction(1), place + 1) if _text(toks, place) in _SMALL else _amount(toks, place)
    unit = _unit(toks, amount[1]) if amount else None
    if amount is None or unit is None:
        return None
    extra, end = _addition(toks, amount[1] + 1)
    is_doubtful = not extra and (_text(toks, place) in _SMALL or _text(toks, amount[1]) in _GLUED)
    return _Part((amount[0] + extra) * unit, unit, end, is_doubtful)


def _bare(toks: Tokens, place: int) -> _Part | None:
    """A unit alone is one of it where something is added: "hora y media"."""
    unit = _unit(toks, place) if len(_text(toks, place)) > 1 else None
    extra, end = _addition(toks, place + 1) if unit else (Fraction(0), place)
    return _Part((1 + extra) * unit, unit, end) if unit and extra else None


def _addition(toks: Tokens, place: int) -> tuple[Fraction, int]:
    """The part of the same unit that follows it: y media, y tres cuartos, and a half, menos cuarto."""
    sign = {"y": 1, "and": 1, "menos": -1}.get(_text(toks, place), 0)
    start = place + 2 if _text(toks, place + 1) in _SMALL else place + 1
    if not sign:
        return Fraction(0), place
    if (_text(toks, place + 1), _text(toks, place + 2)) == ("tres", "cuartos"):
        return Fraction(3, 4), place + 3
    share = _SHARES.get(_text(toks, start))
    if not share or _unit(toks, start + 1) or _text(toks, start + 1) in {"de", "of"}:
        return Fraction(0), place  # "una hora y media hora" adds a part of its own
    return sign * share, start + 1


# --- a whole duration -------------------------------------------------------------------------------------


def _durations(folded: str, *, asked: bool) -> Iterator[Found]:
    toks = [_Chunk(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(folded)]
    place = 0
    while place < len(toks):
        part = _part(toks, place)
        if part is None:
            place += 1
            continue
        total, end, is_doubtful = _with_rest(toks, part)
        is_exact = total.denominator == 1 and total > 0
        if is_exact and not _is_other(toks, place) and not _is_negative(folded, toks[place]):
            found = Found("duration", int(total), toks[place].start, toks[end - 1].end)
            yield from _judged(folded, found, is_doubtful=is_doubtful)
        place = end
    if asked:
        yield from _clocks(folded)


def _with_rest(toks: Tokens, part: _Part) -> tuple[Fraction, int, bool]:
    """The parts of smaller units that follow: 1h30 · 1 hora y 30 minutos · 2 días, 3 horas."""
    total, unit, end, is_doubtful = part
    while True:
        start = end + 1 if _text(toks, end) in _AND else end
        following = _part(toks, start)
        if following and following.unit < unit:
            total, unit, end, is_doubtful = total + following.minutes, following.unit, following.end, False
            continue
        minutes = _bare_minutes(toks, start, unit)
        if minutes:
            return total + minutes[0], minutes[1], False
        return total, end, is_doubtful


def _bare_minutes(toks: Tokens, place: int, unit: Fraction) -> tuple[Fraction, int] | None:
    """The 30 of "1h30" and "una hora treinta": minutes where nothing else is counted."""
    amount = _amount(toks, place) if unit == HOUR else None
    if amount is None or amount[0].denominator != 1 or not 0 < amount[0] < HOUR:
        return None
    following = _text(toks, amount[1])
    return amount if not following[:1].isalnum() and following not in {":", "/", "%", "$"} else None


def _is_other(toks: Tokens, place: int) -> bool:
    """Whether another number before it makes it a range or a clock: "2 o 3 horas", "de 1 a 2 días", "17:30 hs"."""
    if place < 2 or _amount(toks, place - 2) is None:  # noqa: PLR2004
        return False
    return _text(toks, place - 1) in _BETWEEN or (_text(toks, place - 1) == ":" and _touches(toks, place))


def _is_negative(folded: str, token: _Chunk) -> bool:
    return re.search(r"(?:^|\s)[-−]$|\bmenos $", folded[: token.start]) is not None


def _judged(folded: str, found: Found, *, is_doubtful: bool) -> Iterator[Found]:
    """How sure it is; the hour of a clock is none, and a moment ("hace dos horas") is one only as an answer."""
    before = folded[max(0, found.start - 24) : found.start]
    if _AT.search(before):
        return
    is_moment = _MOMENT_BEFORE.search(before) or _MOMENT_AFTER.match(folded, found.end)
    confidence = DOUBTFUL if is_moment else LIKELY if is_doubtful else SURE
    yield Found(found.kind, found.value, found.start, found.end, confidence)


def _clocks(folded: str) -> Iterator[Found]:
    """1:30 in answer to how long it takes."""
    for match in _CLOCK.finditer(folded):
        minutes = int(match.group(1)) * HOUR + int(match.group(2))
        if minutes and not _AT.search(folded[: match.start()]):
            yield Found("duration", minutes, match.start(), match.end(), DOUBTFUL)


# --- the type ---------------------------------------------------------------------------------------------


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    return said.once(f"duration:{asked}", lambda: tuple(_durations(said.text.folded, asked=asked)))


def _accept(value: Value, slot: SlotRules, country: str) -> Value | None:
    """Minutes; words are for `find`, because a bare "2" may be hours."""
    minutes = None if isinstance(value, str) else accept_number(value, slot, country)
    return minutes if isinstance(minutes, int) and 0 < minutes <= MAX_MINUTES else None


def _show(value: Value, word: WordOf) -> str:
    """1 hora y 30 minutos; whole weeks as weeks."""
    week, *smaller = [each.split("/") for each in word("duration_units").split()]
    rest = int(value)
    if rest and rest % WEEK == 0:
        return _count(rest // WEEK, week)
    shown = []
    for size, names in zip((DAY, HOUR, 1), smaller, strict=True):
        count, rest = divmod(rest, size)
        if count:
            shown.append(_count(count, names))
    *first, last = shown or [_count(0, smaller[-1])]
    return f"{', '.join(first)} {word('duration_and')} {last}" if first else last


def _count(count: int, names: list[str]) -> str:
    one, many = names
    return f"{count} {one if count == 1 else many}"


TYPE = SlotType(
    name="duration",
    summary="how long something takes, from `min` to `max`, stored in minutes: “hora y media”, “1h30”, “dos semanas”; "
    "months and years have no exact length and are not taken",
    aliases=("duracion", "timedelta", "minutes", "minutos", "hours", "horas", "length", "interval", "tiempo", "period"),
    called=("duracion", "cuanto dura", "duration", "how long"),
    phrases={
        "invalid.duration": {
            **spanish("Necesito saber cuánto dura, por ejemplo «45 minutos», «hora y media» o «2 días»."),
            "en": ("I need to know how long, such as “45 minutes”, “an hour and a half” or “2 days”.",),
            "pt-BR": ("Preciso saber quanto tempo dura, por exemplo “45 minutos”, “uma hora e meia” ou “2 dias”.",),
        },
        "invalid.duration_range": {
            **spanish("Tiene que durar {range}."),
            "en": ("It has to last {range}.",),
            "pt-BR": ("Precisa durar {range}.",),
        },
        "word.duration_units": {
            **spanish("semana/semanas día/días hora/horas minuto/minutos"),
            "en": ("week/weeks day/days hour/hours minute/minutes",),
            "pt-BR": ("semana/semanas dia/dias hora/horas minuto/minutos",),
        },
        "word.duration_and": {**spanish("y"), "en": ("and",), "pt-BR": ("e",)},
    },
    examples=said_alike(
        Example(said="hora y media", stored=90, shown="1 hora y 30 minutos"),
        english=Example(said="an hour and a half", stored=90, shown="1 hour and 30 minutes"),
        portuguese=Example(said="uma hora e meia", stored=90, shown="1 hora e 30 minutos"),
    ),
    keys=frozenset({"min", "max"}),
    out_of_range="invalid.duration_range",
    find=_find,
    accept=_accept,
    show=_show,
    sort="number",
    volunteered="always",
)
