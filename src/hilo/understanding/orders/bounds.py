"""Where the name of a product ends in a message, and which words are a wish about it."""

from hilo.recognisers.amounts.tokens import at, touches, word
from hilo.understanding.orders.page import Page
from hilo.understanding.orders.words import (
    AND,
    ARTICLES,
    CARTS,
    COURTESY,
    CUTS,
    FOR_WHOM,
    NO_PARTS,
    NOTE_CON,
    NOTE_WORDS,
    OF,
    PAY_OR_PLACE,
    TALK,
    TEAS,
    TIMES,
    TOWARDS,
    WITHOUT_PARTS,
)

_MOST_NOTES = 6
_ADDRESS_FROM, _ADDRESS_REACH = 100, 6  # a number like a house's, so many words after "a"
_LINKS = frozenset(("-", "/", "'", "’", ".", "%", "°", "´", "`"))
_WISHES = frozenset(("sea", "sean", "este", "esten", "venga", "vengan"))


def ends_name(page: Page, index: int) -> bool:
    """Whether a token ends the name of a product."""
    text, token = word(page.toks, index), page.toks[index]
    if token.kind == "mark":
        return not (text in _LINKS and touches(page.toks, index) and touches(page.toks, index + 1))
    following = word(page.toks, index + 1)
    if text == "te" and (following in TEAS or at(page.toks, index + 1).kind != "word"):
        return False
    if text in TALK or (text in AND and text != "con") or index in page.asked:
        return True
    match text:
        case "por":
            return True
        case "para":
            return following in FOR_WHOM or page.starts_item(index + 1) or _names_time(page, index + 1)
        case "del" | "de":
            return bool({following, word(page.toks, index + 2)} & CARTS) and following not in ("la", "mi")
        case "a" | "al":
            return _leads_away(page, index, following)
        case "en":
            return following in PAY_OR_PLACE
        case "con":
            return following in PAY_OR_PLACE
    verb = page.verb(index, opens=False)
    return (text in COURTESY and text != "x") or (verb is not None and _is_real_verb(page, index, verb))


def _names_time(page: Page, index: int) -> bool:
    """Para el lunes, para la noche, para las 8."""
    following = word(page.toks, index + 1)
    return word(page.toks, index) in ARTICLES and (following in TIMES or page.starts_item(index + 1))


def _leads_away(page: Page, index: int, following: str) -> bool:
    """Where the goods go: al carrito, a domicilio, a San Martín 123."""
    toks = page.toks
    if following in CARTS or word(toks, index + 2) in CARTS:
        return True
    if any(number.value >= _ADDRESS_FROM for i, number in page.numbers.items() if index < i < index + _ADDRESS_REACH):
        return True
    if following in ("la", "el", "las", "los"):
        return word(toks, index + 2) in TOWARDS or page.starts_item(index + 2) or word(toks, index) == "al"
    return following in TOWARDS or page.starts_item(index + 1) or at(toks, index + 1).kind == "end"


def _is_real_verb(page: Page, index: int, verb: tuple[str, int]) -> bool:
    """A verb inside a list starts another line; after "de" it is part of a name."""
    return word(page.toks, index - 1) not in OF and verb[0] != "none"


def starts_note(page: Page, index: int) -> bool:
    toks, text = page.toks, word(page.toks, index)
    following = word(toks, index + 1)
    if text in ("sin", "without", "no"):
        if text == "no":
            return following in NO_PARTS
        return following not in WITHOUT_PARTS and at(toks, index + 1).kind == "word"
    if text in ("con", "with"):
        return following in NOTE_CON
    if text in ("que", "q"):
        return following in _WISHES and not page.starts_item(index + 2)
    if text in ("en", "al"):
        return following in CUTS or (text == "al" and following == "tiempo")
    return text in NOTE_WORDS


def read_notes(page: Page, index: int) -> tuple[str, int]:
    """The words of a wish and the token after them; none where it speaks of something else."""
    last = index
    while last < len(page.toks) and last - index < _MOST_NOTES and not _ends_note(page, last, index):
        last += 1
    return " ".join(word(page.toks, each) for each in range(index, last)), last


def _ends_note(page: Page, index: int, first: int) -> bool:
    text, token = word(page.toks, index), page.toks[index]
    if index > first and index in page.openings:
        return True
    if text in AND and text not in ("con", "mas"):
        return not (text in ("y", "e") and word(page.toks, index + 1) == "sin")
    if token.kind == "mark" or text in TALK or text in COURTESY or text in ("para", "por", "en"):
        return True
    return bool(page.starts_item(index) or (index > first and page.verb(index, opens=False)))


def wish_at(page: Page, index: int) -> tuple[str, int]:
    """The wish that starts at a token, as it is noted, and the token after it."""
    text = word(page.toks, index)
    start = index + 2 if text in ("que", "q") else index
    lead = text in ("en", "al", "con", "sin", "no")
    notes, last = read_notes(page, start + lead)
    return f"{text} {notes}".strip() if lead else notes, max(last, index)


def loose_wish(page: Page, index: int) -> tuple[str, int]:
    """A wish that stands apart from its item: sin tomate, con mucho hielo, (3 dulces y 3 saladas)."""
    text = word(page.toks, index)
    if text == "(":
        closing = next((i for i in range(index, min(index + 20, len(page.toks))) if word(page.toks, i) == ")"), index)
        return " ".join(word(page.toks, i) for i in range(index + 1, closing)), closing + 1
    if text in ("que", "q", "al") or not starts_note(page, index) or page.verb(index, opens=True):
        return "", index
    return wish_at(page, index)


def ends_well(page: Page, last: int) -> bool:
    """Whether a separator, courtesy or the end follows: "una amiga me dijo" is no order."""
    token, text = at(page.toks, last), word(page.toks, last)
    if token.kind in ("end", "mark", "digits") or last in page.openings or last in page.asked:
        return True
    if text in ("para", "a", "en") or text in AND or text in COURTESY or page.starts_item(last):
        return True
    return text in (
        "pero",
        "gracias",
        "ok",
        "no",
        "listo",
        "porque",
        "ya",
        "nada",
        "dale",
        "que",
        "si",
        "mejor",
    ) or bool(page.verb(last, opens=True))
