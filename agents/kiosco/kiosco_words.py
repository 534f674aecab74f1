"""How the kiosk writes money, lists, days and order numbers, and how it reads quantities."""

import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import WithJsonSchema

from hilo import AskContact, ToolFailed, language

MAX_QUANTITY = 200  # units of one product in a cart
MAX_SHOWN = 40  # characters of what the contact wrote, when it is said back
HOME = ZoneInfo("America/Argentina/Buenos_Aires")

# Models are told to give a whole number; what contacts and models give all the same is answered, not refused as a type.
_WHOLE = WithJsonSchema({"type": "integer", "minimum": 1, "maximum": MAX_QUANTITY})
Quantity = Annotated[int | Decimal | float | str, _WHOLE]
QuantityIfSaid = Annotated[int | Decimal | float | str | None, _WHOLE]

_EDGES = " .,;:¿?¡!\"'«»()"
_GROUPS = re.compile(r"(?<=\d)(?=(?:\d{3})+$)")
_ASKING = re.compile(r"\b(pedi\w*|orden|compr\w+|sali\w*|lleg\w+|va|viene|anda|esta)\b")
_ORDER_IN_TALK = re.compile(
    r"\b(?:ord(?:en)?|pedido|nro|numero)(?: (?:nro|numero))?[\s#.:°-]*0*([0-9]{1,9})\b|#\s?0*([0-9]{1,9})\b"
)
_NOTE = re.compile(
    r"(?:(?:por favor|porfa|che|y|ah|una cosa)[\s,]+)*"
    r"(?:(?:anot[aá](?:me|le)?|aclar[aá](?:les?|me)?|pon[eé](?:le)?|agreg[aá](?:le)?|dec[ií](?:les?)?)\b[\s,]*)?"
    r"(?:(?:(?:en|como)\s+)?(?:una\s+|la\s+|las\s+)?(?:notas?|aclaraci[oó]n(?:es)?|observaci[oó]n(?:es)?)\b[\s,:]*)?"
    r"(?:que\b)?[\s,:]*",
    re.IGNORECASE,
)
MOST_OF_A_NUMBER = 3  # words
_ORDER = re.compile(r"(?:ord(?:en)?|pedido|nro|numero|n)?[\s#.:°-]*0*([0-9]{1,9})")


def plain(text: str) -> str:
    """Lower case, no accents, single spaces, no marks around: what two spellings of one name share."""
    return " ".join(language.fold(text.strip()[:200]).split()).strip(_EDGES)


def quoted(text: str) -> str:
    """What the contact wrote, short enough to be said back."""
    shown = " ".join(text.split())
    return f"«{shown[:MAX_SHOWN]}…»" if len(shown) > MAX_SHOWN else f"«{shown}»"


def joined(names: Sequence[str], last: str = "y") -> str:
    """Coca, Fanta y Sprite."""
    return f" {last} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def pesos(cents: int) -> str:
    """$2.500, or $2.500,50."""
    whole, rest = divmod(abs(cents), 100)
    sign = "-" if cents < 0 else ""
    return f"{sign}${_GROUPS.sub('.', str(whole))}" + (f",{rest:02d}" if rest else "")


def amount(cents: int) -> Decimal:
    """Cents as an exact number of pesos."""
    return Decimal(cents) / 100


def day(moment: datetime) -> str:
    """The day in the shop's own time: 12/11/2026."""
    return moment.astimezone(HOME).strftime("%d/%m/%Y")


# --- orders -------------------------------------------------------------------------------------------


def order_code(number: int) -> str:
    """ORD-00042."""
    return f"ORD-{number:05d}"


def order_number(written: str) -> int:
    """The number in ORD-00042, #42, 42 or a question with one; 0 where it has none; tells when it is no number."""
    name = plain(written)
    if not name:
        return 0
    found = _ORDER.fullmatch(name) or _ORDER_IN_TALK.search(name)
    has_digits = any(letter.isdigit() for letter in name)
    is_talk = len(name.split()) > (MOST_OF_A_NUMBER if has_digits else 1)  # "hice un pedido hace 2 horas" names none
    if not found and (is_talk or (_ASKING.search(name) and not has_digits)):
        return 0
    if not found:
        raise ToolFailed("order_not_found", tell=f"No conozco el pedido {quoted(written)}. Son como ORD-00042.")
    return int(next(filter(None, found.groups())))


# --- quantities ---------------------------------------------------------------------------------------


def units(said: Quantity, *, least: int = 1) -> int:
    """A whole number of units that may be ordered; tells what is wrong with any other."""
    number = _number(said)
    if number is None:
        raise ToolFailed("bad_quantity", tell=f"No entendí la cantidad {quoted(str(said))}. Decime un número, como 2.")
    if number != number.to_integral_value():
        raise ToolFailed("bad_quantity", tell="Vendemos por unidad: decime una cantidad entera, como 1 o 2.")
    if number < least:
        raise ToolFailed("bad_quantity", tell="La cantidad tiene que ser 1 o más.")
    if number > MAX_QUANTITY:
        raise ToolFailed("bad_quantity", tell=f"Por acá puedo anotar hasta {MAX_QUANTITY} unidades de cada producto.")
    return int(number)


def _number(said: Quantity) -> Decimal | None:
    """A number from a number or from its digits or words."""
    if not isinstance(said, str):
        number = Decimal(str(said))
        return number if number.is_finite() else None
    try:
        number = Decimal(said.strip())
    except InvalidOperation:
        found = language.find_numbers(language.normalise(said[:MAX_SHOWN]), country="AR")
        return Decimal(str(found[0].value)) if len(found) == 1 else None
    return number if number.is_finite() else None


def note_in(text: str) -> str:
    """The wish itself: "anotá que bien frías" asks for "bien frías"."""
    return _NOTE.sub("", text.strip(), count=1).strip(" .,:")


def wording(text: str, *, most: int, parameter: str, question: str) -> str:
    """A contact's words on one line; asks when there are none, tells when they are too many."""
    words = " ".join(text.split())
    if not words:
        raise AskContact(parameter, question=question)
    if len(words) > most:
        raise ToolFailed(f"too_long: {parameter}", tell=f"Es demasiado largo: caben {most} caracteres.")
    return words
