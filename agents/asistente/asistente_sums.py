"""A calculator that reads sums as people write them: symbols, words and per cents, reckoned in exact fractions."""

from dataclasses import dataclass
from decimal import Context, Decimal, DecimalException, Overflow
from fractions import Fraction
from math import isqrt

from asistente_sum_words import Item, read_sum
from asistente_words import is_shown_whole, spanish

from hilo import ToolFailed

MAX_ITEMS = 100
MAX_DEPTH = 25
MAX_BITS = 700  # of the numbers on the way to the result
MAX_RESULT = 10**30
MAX_EXPONENT = 1000

_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "de": 3, "^": 4}
_ABOVE_ALL = 4
_ROOTS = {"√": 2, "∛": 3}
_SHOWN = {"+": " + ", "-": " - ", "*": " × ", "/": " ÷ ", "de": " de "}
_REAL = Context(prec=40, Emax=400, Emin=-400, traps=[Overflow])

NOT_READ = "No entendí la cuenta. Prueba con algo como «15% de 80» o «120 entre 7»."
TOO_LONG = "Esa cuenta es demasiado larga para mí. Prueba por partes."
TOO_LARGE = "El resultado es demasiado grande para mí."
BY_ZERO = "No se puede dividir entre cero."
NO_ROOT = "Esa cuenta no tiene un resultado real: no hay raíz de un número negativo."


@dataclass(frozen=True, slots=True)
class Answer:
    """A sum as it was read, its result in Spanish digits, and whether that is the very number."""

    expression: str
    result: str
    exact: bool


@dataclass(frozen=True, slots=True)
class _Value:
    number: Fraction
    percent: bool = False


def solve(text: str) -> Answer:
    """The sum inside a text; raises ToolFailed with what to tell."""
    items = read_sum(text)
    if len(items) > MAX_ITEMS:
        raise _told("a long sum", TOO_LONG)
    if len(items) < 2:  # noqa: PLR2004
        raise _told("no sum", NOT_READ)
    reader = _Reader(items)
    result = reader.expression(depth=0).number
    if reader.item is not None:
        raise _told(f"unread from item {reader.index}", NOT_READ)
    if abs(result) >= MAX_RESULT:
        raise _told("a large result", TOO_LARGE)
    return Answer(_shown(items), spanish(result), is_shown_whole(result))


def _told(reason: str, tell: str) -> ToolFailed:
    return ToolFailed(reason, tell=tell)


class _Reader:
    """Precedence climbing over the items of a sum."""

    def __init__(self, items: list[Item]) -> None:
        self.items = items
        self.index = 0

    @property
    def item(self) -> Item | None:
        return self.items[self.index] if self.index < len(self.items) else None

    def expression(self, least: int = 1, *, depth: int) -> _Value:
        left = self.operand(depth + 1)
        while isinstance(self.item, str) and _BINDING.get(self.item, 0) >= least:
            sign = self.item
            self.index += 1
            right = self.expression(_BINDING[sign] + (sign != "^"), depth=depth + 1)
            left = _Value(_bounded(_reckoned(left, sign, right)))
        return left

    def operand(self, depth: int) -> _Value:
        if depth > MAX_DEPTH:
            raise _told("a deep sum", TOO_LONG)
        item = self.item
        self.index += 1
        match item:
            case Fraction():
                return self.percent(item)
            case "-":
                return _Value(-self.expression(_ABOVE_ALL, depth=depth + 1).number)
            case "√" | "∛":
                return _Value(_root(self.operand(depth + 1).number, _ROOTS[item]))
            case "(":
                return self.inside(depth)
            case _:
                raise _told(f"no operand at item {self.index}", NOT_READ)

    def inside(self, depth: int) -> _Value:
        inner = self.expression(depth=depth + 1)
        if self.item != ")":
            raise _told("an open parenthesis", NOT_READ)
        self.index += 1
        return self.percent(inner.number)

    def percent(self, number: Fraction) -> _Value:
        if self.item != "%":
            return _Value(number)
        self.index += 1
        return _Value(number / 100, percent=True)


def _reckoned(left: _Value, sign: str, right: _Value) -> Fraction:
    """80 + 15% adds fifteen per cent of eighty, as calculators do."""
    share = left.number if right.percent and not left.percent else Fraction(1)
    match sign:
        case "+":
            return left.number + right.number * share
        case "-":
            return left.number - right.number * share
        case "/" if not right.number:
            raise _told("division by zero", BY_ZERO)
        case "/":
            return left.number / right.number
        case "^":
            return _power(left.number, right.number)
        case _:
            return left.number * right.number


def _bounded(number: Fraction) -> Fraction:
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_BITS:
        raise _told("large numbers on the way", TOO_LARGE)
    return number


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if not base and exponent < 0:
        raise _told("division by zero", BY_ZERO)
    if exponent.denominator != 1:
        return _real_power(base, exponent)
    bits = max(abs(base.numerator), base.denominator).bit_length()
    if abs(exponent) > MAX_EXPONENT or (bits > 1 and bits * abs(exponent) > MAX_BITS * 2):
        raise _told("a large power", TOO_LARGE)
    return base ** int(exponent)


def _real_power(base: Fraction, exponent: Fraction) -> Fraction:
    if base < 0:
        raise _told("a power that is not real", NO_ROOT)
    if exponent in (Fraction(1, 2), Fraction(1, 3)):
        return _root(base, exponent.denominator)
    try:
        return Fraction(_REAL.power(_decimal(base), _decimal(exponent)))
    except DecimalException:
        raise _told("a large power", TOO_LARGE) from None


def _root(number: Fraction, degree: int) -> Fraction:
    """The exact root where there is one, else to forty digits."""
    if number < 0:
        if degree % 2 == 0:
            raise _told("a root that is not real", NO_ROOT)
        return -_root(-number, degree)
    top, bottom = _whole_root(number.numerator, degree), _whole_root(number.denominator, degree)
    if top**degree == number.numerator and bottom**degree == number.denominator:
        return Fraction(top, bottom)
    return Fraction(_REAL.power(_decimal(number), _REAL.divide(Decimal(1), Decimal(degree))))


def _whole_root(number: int, degree: int) -> int:
    """The whole number whose power is nearest from below."""
    if degree == 2:  # noqa: PLR2004
        return isqrt(number)
    root = 1 << -(-number.bit_length() // degree)
    while root**degree > number:
        root = ((degree - 1) * root + number // root ** (degree - 1)) // degree
    return root


def _decimal(number: Fraction) -> Decimal:
    return _REAL.divide(Decimal(number.numerator), Decimal(number.denominator))


def _shown(items: list[Item]) -> str:
    """The sum as it was read, for the contact to see."""
    text = ""
    for index, item in enumerate(items):
        opens = index == 0 or items[index - 1] in ("(", "√", "∛", *_BINDING)
        if isinstance(item, Fraction):
            text += _number(item, of=items[index + 1 : index + 2] == ["de"])
        elif item == "-" and opens:
            text += "-"
        else:
            text += _SHOWN.get(item, item)
    return text


def _number(number: Fraction, *, of: bool) -> str:
    """A share is written as one: 1/3 de 90."""
    share = of or not is_shown_whole(number, places=12)
    return f"{number.numerator}/{number.denominator}" if share else spanish(number, places=12)
