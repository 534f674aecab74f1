"""National identity and tax numbers, normalised without dots and dashes, check digits verified."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text
from hilo.recognisers.people.transcript import with_spoken

SURE, LIKELY, POSSIBLE, DOUBTFUL = 95, 80, 65, 50
FEWEST_DIGITS, MOST_DIGITS = 6, 13  # of a document anywhere


@dataclass(frozen=True, slots=True)
class Shape:
    """How one country's number looks; `checker` names the stdnum module that knows its check digit, if it has one."""

    country: str
    pattern: str
    names: str
    checker: str = ""
    distinctive: bool = False


SHAPES = (
    Shape("MX", r"[a-z]{4}\d{6}[hmx][a-z]{5}[a-z0-9]\d", "curp", "mx.curp", distinctive=True),
    Shape("MX", r"[a-z&]{3,4}\d{6}[a-z0-9]{2}[0-9a]", "rfc", "mx.rfc", distinctive=True),
    Shape("ES", r"\d{8}[a-z]", "dni|nif|documento", "es.dni", distinctive=True),
    Shape("ES", r"[xyz]\d{7}[a-z]", "nie|documento|dni", "es.nie", distinctive=True),
    Shape("ES", r"[a-hjnp-suvw]\d{7}[a-j0-9]", "cif|nif", "es.cif", distinctive=True),
    Shape("AR", r"(?:20|23|24|25|26|27|30|33|34)\d{9}", "cuit|cuil", "ar.cuit"),
    Shape("PE", r"(?:10|15|16|17|20)\d{9}", "ruc", "pe.ruc"),
    Shape("BR", r"\d{11}", "cpf", "br.cpf"),
    Shape("BR", r"\d{14}", "cnpj", "br.cnpj"),
    Shape("CL", r"\d{7,8}[\dk]", "rut|run", "cl.rut"),
    Shape("CO", r"\d{9,10}", "nit", "co.nit"),
    Shape("AR", r"\d{7,8}", "dni|documento|d\\.n\\.i|doc"),
    Shape("PE", r"\d{8}", "dni|documento|doc"),
    Shape("CO", r"\d{6,8}|\d{10}", "cedula|cc|c\\.c|ciudadania|documento|identidad|ti"),
)

_CANDIDATE = re.compile(
    r"(?<![\w@.+$#/-])(?:\d{1,3}(?: \d{3}){2,3}(?: ?-? ?[\dk])?|"
    r"[a-z&]{0,4}-?\d[a-z0-9]*(?:[.\-/][a-z0-9]+)*)(?![\w@%/])"
)
_BARE = re.compile(r"(?<![\w@.+$#/-])\d+(?:[ .-]\d+)*(?![\w@%/])")
_FORMATTED = re.compile(
    r"\d{1,3}(?:\.\d{3}){2,3}(?:-[\dk])?|\d{7,8}-[\dk]|\d{2}-\d{7,8}-\d|\d{3}\.\d{3}\.\d{3}-\d\d|"
    r"\d{2}\.\d{3}\.\d{3}/\d{4}-\d\d|\d{9}-\d|\d{8}-[a-z]"
)
_NOT_AN_ID = re.compile(
    r"(?:tel|telefono|cel|celu|celular|whatsapp|wsp|movil|fono|llamame|pedido|orden|factura|\$|precio|presupuesto|codigo|"
    r"cuenta|cbu|tarjeta)"
    r"\b[^\d]{0,15}$"
)
_DATE = re.compile(r"\d{1,2}([./-])\d{1,2}\1(?:19|20)?\d\d|(?:19|20)\d\d-\d{1,2}-\d{1,2}")
_AMOUNT = re.compile(r"\s?(?:pesos|usd|dolares|soles|euros|mil|millones|unidades|kg|lucas|cop|ars|clp|mxn)\b")


def find_national_ids(text: Text, *, country: str = "") -> tuple[Found, ...]:
    """Ids of all countries; `country` (AR, CL, …) makes its own more likely and allows bare ones."""
    return with_spoken(text, lambda typed: tuple(_found(typed.folded, country.upper())))


def find_bare_numbers(text: Text) -> tuple[Found, ...]:
    """Numbers as long as a document's, in groups or not: what else would answer the question for one."""
    found = [(match, re.sub(r"\D", "", match.group())) for match in _BARE.finditer(text.folded)]
    return tuple(
        Found("national_id", digits, *match.span(), DOUBTFUL)
        for match, digits in found
        if FEWEST_DIGITS <= len(digits) <= MOST_DIGITS and not _DATE.fullmatch(match.group())
    )


def _found(folded: str, country: str) -> Iterator[Found]:
    for match in _CANDIDATE.finditer(folded):
        value = re.sub(r"[^a-z0-9&]", "", match.group())
        before = folded[max(0, match.start() - 40) : match.start()]
        if _DATE.fullmatch(match.group()) or _NOT_AN_ID.search(before) or _AMOUNT.match(folded, match.end()):
            continue
        confidence = max((_confidence(shape, match.group(), before, country) for shape in SHAPES), default=0)
        if confidence:
            yield Found("national_id", value.upper(), match.start(), match.end(), confidence)


def _confidence(shape: Shape, written: str, before: str, country: str) -> int:
    """Zero when the number is not of this shape or its check digit is wrong."""
    value = re.sub(r"[^a-z0-9&]", "", written)
    if not re.fullmatch(shape.pattern, value) or (shape.checker and not _valid(shape.checker, value)):
        return 0
    named = bool(re.search(rf"\b(?:{shape.names})\b[^\d]{{0,25}}$", before))
    at_home = shape.country == country
    formatted = bool(_FORMATTED.fullmatch(written))
    if named or (shape.checker and (shape.distinctive or formatted)):
        return SURE
    if shape.checker:
        return LIKELY if at_home else DOUBTFUL
    return _bare_confidence(at_home=at_home, foreign=bool(country) and not at_home, formatted=formatted)


def _bare_confidence(*, at_home: bool, foreign: bool, formatted: bool) -> int:
    """For numbers without a check digit and without their name beside them."""
    if foreign:
        return 0
    if at_home:
        return LIKELY if formatted else POSSIBLE
    return POSSIBLE if formatted else DOUBTFUL


def _valid(checker: str, value: str) -> bool:
    return _is_valid(checker)(value)


@cache
def _is_valid(checker: str) -> Callable[[str], bool]:
    """Loaded on first use: each stdnum module is small, all of them together are not."""
    is_valid: Callable[[str], bool] = import_module(f"stdnum.{checker}").is_valid
    return is_valid
