"""Phone numbers as they are written and as they are dictated; exact or none."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from hilo.recognisers.amounts.lexicon import number_words
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text, with_line_ends
from hilo.recognisers.people.contact import find_emails, find_urls
from hilo.recognisers.people.dictation import Dictated, dictated
from hilo.recognisers.phrases import word_set

FEWEST_DIGITS, MOST_DIGITS = 7, 15
REACH = 40  # characters before a number that may say what it is
LONGEST_COUNT = 2  # digits of a number of things
FEWEST_DIFFERENT = 4  # digits of a number that is not only counted aloud
ONLY_ASKED = 55  # how sure: too little for a number that nobody asked for

_SPANISH = ("AR", "CL", "CO", "EC", "ES", "MX", "PE", "UY")

_NUMBERED_THINGS = (
    r"dni|d\.n\.i\.?|rut|cuit|cuil|cedula|c\.c\.|cc|nit|ruc|nie|cpf|documento|pasaporte|identidad|legajo|cbu|cvu|clabe|alias|"
    r"pedido|orden|order|factura|ticket|guia|reclamo|tramite|seguimiento|tracking|codigo|cod|ref|referencia|serie|imei|sku|"
    r"cuenta|tarjeta|cliente|comprobante|operacion|poliza|contrato|expediente|reserva"
)
_LINKS = r"(?:\s(?:es|de|mi|el|la|numero|nro|num|no|n|id|pedido|identidad|compra))*\s?[.:#°º]*\s?"
_OF_A_THING = re.compile(rf"\b(?:{_NUMBERED_THINGS}){_LINKS}$")
_CLAUSE = re.compile(r"[.,;:!?]")
_LEAD = word_set("""
    hola buenas buenos dias tardes noches si claro ok listo dale bueno pues mi es el al seria este anota anote mas plus
    hi hello yes sure my it's it is the
""")
_NUMBERED_LINE = re.compile(r"^[ ]*(\d{1,2}[.)-])[ ]", re.MULTILINE)
_RUN = re.compile(r"(?<![\w$#])[+(]{0,2}\d[\d().\- ]*\d(?!\w)")
_SPELT = re.compile(r"(?<![\w,.])\d(?: \d)+(?:,? \d)*(?!\w)")  # digit by digit: "3 0 1, 8 8 5, 4 0 1 7"
_MOBILE_HERE = re.compile(r"15\d{8}")  # a mobile as one calls it from the same town, which no plan knows
_GROUP = re.compile(r"\S+")
_COUNTED = re.compile(r"\s*[^\W\d_]{3,}")
_PHONE_WORDS = re.compile(
    r"(?:tel|telefono|telf|tlf|fono|cel|celu|celular|movil|whatsapp|whats|wsp|wpp|wasap|wa|guasap|numero|nro|num|llam[ae]\w*|"
    r"contact\w*|phone|call|mobile|cell|escrib\w+|marc[aq]\w*|linea|fijo)\b[^\d]{0,20}$"
)


_HUNDREDS = re.compile(r"cientos|quinient")


def find_phones(text: Text, *, country: str = "") -> tuple[Found, ...]:
    """Numbers of 7 to 15 digits that look like a phone, or are dictated; the value is the digits, with "+" if told."""
    spoken = tuple(_spoken(text, country))
    if sum(letter.isdigit() for letter in text.folded) < FEWEST_DIGITS:
        return spoken
    written = [each for each in _written(text, country) if all(_are_apart(each, other) for other in spoken)]
    return tuple(sorted((*written, *spoken), key=lambda found: found.start))


def _are_apart(one: Found, other: Found) -> bool:
    return one.end <= other.start or one.start >= other.end


def _spoken(text: Text, country: str) -> Iterator[Found]:
    """Where a country tells how long its numbers are, only a valid one that cannot be heard as another."""
    for run in dictated(text.folded):
        if not country and any(map(str.isdecimal, text.folded[run.start : run.end])):
            continue  # nothing tells a number from what is counted beside it
        fitting = [each for each in run.readings if _fits(each, country)]
        if not fitting and country and run.readings == (run.plainest,) and _is_led(text.folded, run.start):
            yield from _of_a_neighbour(text, run, country)
        if fitting == [run.plainest] and _is_led(text.folded, run.start):
            yield Found(
                "phone", fitting[0], run.start, run.end, _confidence(text.folded, run.start, fitting[0], country)
            )


def _of_a_neighbour(text: Text, run: Dictated, country: str) -> Iterator[Found]:
    """A number that can be heard in one way only may be of another country, where it lacks no digit of one here."""
    whole = is_possible(run.plainest, country) and len(set(run.plainest)) >= FEWEST_DIFFERENT
    if _HUNDREDS.search(text.folded, run.start, run.end):
        return  # "quinientos veintiuno" may be 500 and 21
    if whole and any(is_valid(run.plainest, other) for other in _SPANISH):
        yield Found("phone", run.plainest, run.start, run.end, ONLY_ASKED)


def _is_led(folded: str, start: int) -> bool:
    """Whether what stands before dictated digits says that they are a phone, or nothing else and does not deny it."""
    before = folded[max(0, start - REACH) : start]
    said = _CLAUSE.split(before)[-1].split()
    if "no" in said or "not" in said or said[-2:] == ["a", "las"] or _OF_A_THING.search(before):
        return False
    return bool(_PHONE_WORDS.search(before)) or _LEAD.issuperset(said)


def _fits(number: str, country: str) -> bool:
    if country == "AR" and _MOBILE_HERE.fullmatch(number):
        return True
    return is_valid(number, country) if country else FEWEST_DIGITS <= len(number.lstrip("+")) <= MOST_DIGITS


@lru_cache(maxsize=256)
def is_valid(number: str, country: str) -> bool:
    """Whether the numbering plan of the country, or of the one that "+" tells, has such a number."""
    import phonenumbers  # noqa: PLC0415 -- 15 ms

    try:
        return bool(phonenumbers.is_valid_number(phonenumbers.parse(number, country)))
    except phonenumbers.NumberParseException:
        return False


def is_possible(number: str, country: str) -> bool:
    """Whether a number has as many digits as those of the country, with their area."""
    import phonenumbers  # noqa: PLC0415 -- 15 ms

    try:
        reason = phonenumbers.is_possible_number_with_reason(phonenumbers.parse(number, country))
    except phonenumbers.NumberParseException:
        return False
    return bool(reason == phonenumbers.ValidationResult.IS_POSSIBLE)


def _written(text: Text, country: str) -> Iterator[Found]:
    masked = _masked(text)
    for run in _runs(masked):
        start, end = _without_counts(masked, run, country) if country else run
        value = _digits(masked[start:end])
        if FEWEST_DIGITS <= len(value.lstrip("+")) <= MOST_DIGITS and not _ends_a_dictation(
            masked, start, value, country
        ):
            yield Found("phone", value, start, end, _confidence(masked, start, value, country))


def _ends_a_dictation(masked: str, start: int, value: str, country: str) -> bool:
    """Whether digits that are no phone go on with words: "tres cientos uno 555 6677"."""
    before = masked[max(0, start - REACH) : start].split()[-1:]
    return bool(country and before) and before[0] in number_words() and not is_valid(value, country)


def _without_counts(masked: str, run: tuple[int, int], country: str) -> tuple[int, int]:
    """The phone of a run without what counts something beside it: "2 3001234567"; nothing where that is a guess."""
    start, end = run
    groups = [(start + each.start(), start + each.end()) for each in _GROUP.finditer(masked[start:end])]
    rest, head = (groups[-1], groups[0]) if len(groups) == 1 else ((groups[1][0], end), (start, groups[-2][1]))
    if len(groups) == 1 or _is_phone(masked, run, country):
        return run
    whole = [group for group in groups if _is_phone(masked, group, country)]
    if len(whole) == 1:
        return whole[0]
    if groups[0][1] - start == 1 and _is_phone(masked, rest, country):
        return rest
    if end - groups[-1][0] <= LONGEST_COUNT and _is_phone(masked, head, country):
        return head if _COUNTED.match(masked, end) else (start, start)
    return run


def _is_phone(masked: str, span: tuple[int, int], country: str) -> bool:
    digits = _digits(masked[slice(*span)])
    return len(digits) >= FEWEST_DIGITS and is_valid(digits, country)


@cache
def _not_phones() -> tuple[re.Pattern[str], ...]:
    """What has digits like a phone and is none: dates, times, money, formatted ids, numbered things."""
    return tuple(
        re.compile(pattern)
        for pattern in (
            r"(?<![\d./-])(?:0?[1-9]|[12]\d|3[01])([/.-])(?:0?[1-9]|1[0-2])\1(?:19|20)?\d\d(?![\d/-])",
            r"(?<![\d-])(?:19|20)\d\d-(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12]\d|3[01])(?![\d-])",
            r"\d{1,2}:\d\d",
            r"(?:\$|€|usd|ars|cop|clp|mxn|s/\.?|u\$s|us\$)\s?\d[\d.,]*",
            r"(?<!\d)\d[\d.,]{0,18}\s?(?:pesos|dolares|usd|ars|cop|clp|mxn|soles|euros|lucas|mil|millones|palos|k|kg|g|gr|ml|€|\$)\b",
            r"(?<![\d.])\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?(?![\d-])(?!\.\d)",
            r"(?<![\d.])\d{1,2}\.?\d{3}\.?\d{3}-[\dk](?!\w)",
            r"(?<![\d.])\d{3}\.\d{3}\.\d{3}-\d\d(?!\d)",
            r"(?<![\d-])(?:20|23|24|27|30|33|34)-\d{8}-\d(?!\d)",
            rf"(?:{_NUMBERED_THINGS}){_LINKS}[a-z]{{0,4}}[#-]?\d[\d.-]*",
            r"#\s?\d+",
            r"(?<!\d)\d{1,9}[.,]\d{1,9}\s?%",
        )
    )


def _masked(text: Text) -> str:
    """The folded text with everything that is no phone blotted out, spans unchanged."""
    masked = _SPELT.sub(lambda said: said.group().replace(",", " "), _without_numbering(text))
    for found in (*find_emails(text), *find_urls(text)):
        masked = masked[: found.start] + "x" * (found.end - found.start) + masked[found.end :]
    for pattern in _not_phones():
        masked = pattern.sub(lambda match: "x" * len(match.group()), masked)
    return masked


def _without_numbering(text: Text) -> str:
    """The folded text without the numbers that count its lines: "2. 3001234567"; a line's end ends a number too."""
    folded = with_line_ends(text)
    if "\n" not in text.raw or len(text.raw) != len(text.folded):
        return folded
    for line in _NUMBERED_LINE.finditer(text.raw):
        folded = folded[: line.start(1)] + "x" * len(line.group(1)) + folded[line.end(1) :]
    return folded


def _runs(masked: str) -> Iterator[tuple[int, int]]:
    """Runs of digits and separators; a run too long for one phone falls apart at its spaces."""
    for run in _RUN.finditer(masked):
        if len(_digits(run.group()).lstrip("+")) <= MOST_DIGITS:
            yield run.start(), run.end()
            continue
        for piece in re.finditer(r"\S+", run.group()):
            yield run.start() + piece.start(), run.start() + piece.end()


def _digits(written: str) -> str:
    plus = "+" if written.lstrip("( ").startswith("+") else ""
    return plus + "".join(letter for letter in written if letter.isdecimal() and letter.isascii())


def _confidence(masked: str, start: int, value: str, country: str) -> int:
    if value.startswith("+") or _PHONE_WORDS.search(masked, max(0, start - REACH), start):
        return 95
    digits = len(value)
    if digits >= 10:  # noqa: PLR2004
        return 85
    if digits >= 9 and country and is_valid(value, country):  # noqa: PLR2004 -- where no document has so many
        return 75
    return 65 if digits >= 8 else 50  # noqa: PLR2004
