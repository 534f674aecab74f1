"""Whether a value that Hilo found is the one that a message is labelled with; on the generous side.

phone        the last seven digits agree: Hilo keeps E.164 and drops trunk prefixes
address and free text   F1 of their words >= 0.8
city         with more words around it too; where a domain has airports, by their names and codes
region       by its first letters
expression   by its value
"""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.spanish.domains import Domain
from bench.spanish.words import fold, tokens

from hilo.recognisers.places.gazetteer_names import airport_names

DIGITS_OF_PHONE = 7
LEAST_F1 = 0.8
LETTERS_OF_REGION = 5
CLOSE = 0.01

OPERATIONS: Mapping[type[ast.AST], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv,
}


@dataclass(frozen=True)
class Airports:
    """The places of train.yaml: codes and names of airports lead to cities."""

    known: Mapping[str, str] = field(default_factory=dict)  # a code to its city, the name of an airport to its code
    with_one: frozenset[str] = frozenset()  # cities that have a single airport

    def is_same(self, want: Any, got: Any) -> bool:
        wanted_city = self.known.get(str(want), str(want))
        city = self.known.get(str(got), self.known.get(fold(got), str(got)))
        city = self.known.get(city, city)
        if str(want) in self.known and wanted_city not in self.with_one:  # one airport of a city that has several
            return fold(want) == fold(got) or self.known.get(fold(got)) == want
        if fold(wanted_city).replace(" ", "") == fold(city).replace(" ", ""):
            return True
        if set(tokens(city)) <= set(tokens(wanted_city)):  # the tool that knows the airports finds it
            return True
        return f" {fold(wanted_city)} " in f" {fold(city)} "


def airports_of(train: Mapping[str, Any]) -> Airports:
    known: dict[str, str] = {}
    with_one = set()
    places = train.get("places") or train.get("cities")
    for place in places if isinstance(places, list) else ():
        city = str(place.get("city") or place.get("name") or "") if isinstance(place, dict) else ""
        codes = place.get("airports") or dict.fromkeys(place.get("codes") or ()) if city else {}
        for code, name in codes.items():
            known[code] = city
            if name:
                known[fold(name)] = code
        if len(codes) == 1:
            with_one.add(city)
    for row in airport_names().rows:  # what an agent's own search for airports would find: "Ezeiza" is EZE
        name, _, _, code, *_ = row.split("\t")
        if code in known and known[code] not in with_one:
            known.setdefault(fold(name), code)
    return Airports(known, frozenset(with_one))


def is_same(name: str, want: Any, got: Any, domain: Domain, airports: Airports) -> bool:
    """Whether a slot's value is the wanted one, by the slot's type."""
    if got is None:
        return False
    if name == "expression":
        return _has_value(want, got)
    if name == "places":
        return _are_same_places(want, got)
    slot = domain.slots.get(name, {})
    if slot.get("region_of"):
        return fold(got).startswith(fold(want)[:LETTERS_OF_REGION])
    match slot.get("type"):
        case "phone":
            return _is_same_phone(want, got)
        case "money":
            return _is_same_amount(want, got)
        case "url":
            return re.sub(r"^(https?://)?(www\.)?", "", str(got).lower()).rstrip("/") == str(want).lower()
        case "address" | "text":
            return _f1(want, got) >= LEAST_F1
        case "city":
            return airports.is_same(want, got) if domain.has_airports else _is_same_place(want, got)
        case "national_id":
            return re.sub(r"\W", "", fold(got)) == re.sub(r"\W", "", fold(want))
        case "number":
            return _is_same_number(want, got)
        case _:
            return fold(got).strip() == fold(want).strip()


def _is_same_phone(want: Any, got: Any) -> bool:
    wanted, digits = re.sub(r"\D", "", str(want)), re.sub(r"\D", "", str(got))
    is_long = min(len(wanted), len(digits)) >= DIGITS_OF_PHONE
    return is_long and wanted[-DIGITS_OF_PHONE:] == digits[-DIGITS_OF_PHONE:]


def _is_same_amount(want: Any, got: Any) -> bool:
    """Numbers, or the two ends of a range."""
    if isinstance(want, dict) and isinstance(got, dict):
        return want.keys() == got.keys() and all(_is_same_number(want[end], got[end]) for end in want)
    return _is_same_number(want, got)


def _is_same_number(want: Any, got: Any) -> bool:
    try:
        return float(want) == float(got)
    except (TypeError, ValueError):
        return False


def _are_same_places(want: Any, got: Any) -> bool:
    if not isinstance(want, list) or not isinstance(got, list) or len(want) != len(got):
        return False
    return all(_is_same_place(*pair) for pair in zip(want, got, strict=True))


def _is_same_place(want: Any, got: Any) -> bool:
    return fold(want) == fold(got) or f"{fold(want)} " in f"{fold(got)} "


def _f1(one: Any, other: Any) -> float:
    words, others = tokens(one), tokens(other)
    if not words or not others:
        return 0.0
    shared = sum(min(words.count(word), others.count(word)) for word in set(words))
    return 2 * shared / (len(words) + len(others))


def _has_value(expression: Any, result: Any) -> bool:
    """Whether a sum comes to a result as the assistant writes it: 1.234,5."""
    try:
        number = float(str(result).replace(".", "").replace(",", "."))
        return abs(number - _reckoned(ast.parse(str(expression), mode="eval").body)) < CLOSE
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError):
        return False


def _reckoned(node: ast.expr) -> float:
    """The value of a labelled sum: numbers, signs and brackets, nothing else."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_reckoned(operand)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in OPERATIONS:
            return OPERATIONS[type(sign)](_reckoned(left), _reckoned(right))
        case _:
            raise ValueError(f"no sum: {ast.unparse(node)}")
