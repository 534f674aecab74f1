"""The goods that a message orders, told from the names, streets and numbers of who orders them."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from hilo.agent.declaration import Agent, Slot
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Span, Text, Word, hidden
from hilo.slots.places import streets
from hilo.slots.utterance import SURE
from hilo.understanding.acts.hearing import Hearing
from hilo.understanding.acts.trained import waiting_for
from hilo.understanding.orders.lines import OrderLine, find_order_lines
from hilo.understanding.orders.operations import ADD
from hilo.understanding.orders.ordinary import is_ordinary
from hilo.understanding.orders.page import read_page
from hilo.understanding.orders.spots import Shelf, find_spots
from hilo.understanding.orders.words import ADJECTIVES, COMMON, ONLY
from hilo.understanding.slot_values import Values

# what is waited for that is never goods
NO_GOODS = frozenset(
    map(waiting_for, ("address", "city", "date", "email", "national_id", "person_name", "phone", "time"))
)
_MOST_COUNTED = 7  # digits
SURELY_TOLD = 0.9  # so sure must it be of a value, where words may ask
COURTESY = frozenset({"greet", "thanks", "chitchat"})  # acts of the classifier that want nothing
_COUNTED_WORD = re.compile(r" [^\W\d_]")
_LETTERS = re.compile(r"[^\W\d_]+")
# a name or a street, and orders nothing
_INTRODUCES = re.compile(r"(?:\b(?:soy|me llamo|mi nombre(?: es)?|a nombre de|(?:para|a|en)(?: la calle)?)\W*)?$")


def ordered_goods(agent: Agent, shelf: Shelf | None, values: Values) -> tuple[OrderLine, ...]:
    """The lines of an order; what surely is a detail of who orders is no goods, nor is a street that none stand in."""
    held = _details(agent, values)
    lines = _lines_beside(agent, shelf, values.text, held)
    if called := [each for each in streets(values.said) if any(_is_called_by(each, line) for line in lines)]:
        held = (*held, *(_span(values.text, each) for each in called))
        lines = _lines_beside(agent, shelf, values.text, held)
    names = tuple(line.named for line in lines if line.known and line.product)
    # a number behind a name may be its size ("fanta de 500 a Mitre 450") or that of a house ("fanta Mitre 450")
    for goods in (known_goods(lines), names):
        rest = values.with_goods((*held, *goods))
        found = [_span(values.text, each) for each in streets(rest.said) if _is_behind(values.text, each, goods)]
        if found:
            return _lines_beside(agent, shelf, values.text, (*held, *found))
    return lines


def _is_called_by(street: Found, line: OrderLine) -> bool:
    """Whether what only resembles goods stands within the name of a street: San Martín 1234 is no deodorant."""
    first, last = line.named
    return bool(line.resembles) and street.start < first and last < street.end


def _is_behind(text: Text, street: Found, goods: Sequence[Span]) -> bool:
    """Whether a street stands behind goods, and is called by a word that is none of ordering: no "agregá 199"."""
    named = set(_LETTERS.findall(text.folded[street.start : street.end]))
    is_apart = all(end <= street.start or start >= street.end for start, end in goods)
    return is_apart and any(end <= street.start for _, end in goods) and not named <= COMMON


def _details(agent: Agent, values: Values) -> tuple[Span, ...]:
    """Where the name, the address, the numbers of who orders surely stand: "soy Lucía Fernández", "a Mitre 450"."""
    slots = [slot for slot in agent.slots.values() if waiting_for(slot.type) in NO_GOODS]
    found = {slot.type: values.of(slot, asked=slot.type == "national_id") for slot in slots}
    numbers = found.get("national_id", ())
    if numbers and not _counts_goods(values.text, numbers[0]):
        # who tells their number tells their name beside it: "Marta Díaz 20111333"
        named = [each for slot in slots if slot.kind.names_person for each in values.of(slot, asked=True)]
        first = numbers[0].start
        beside = [each for each in named if not values.text.folded[each.end : first].strip(" ,.") and each.end <= first]
        surely = (replace(each, confidence=SURE) for each in beside)
        found["person_name"] = (*found.get("person_name", ()), *named, *surely)
        found["national_id"] = tuple(replace(each, confidence=SURE) for each in numbers)
    sure = [each for each in (*streets(values.said), *chain(*found.values())) if each.confidence >= SURE]
    return tuple({_span(values.text, each) for each in sure})


def _counts_goods(text: Text, number: Found) -> bool:
    """Whether a word follows a number: "1000000 cocas" is too many of something, and nobody's; nobody counts on."""
    if len(re.sub(r"\D", "", text.folded[number.start : number.end])) > _MOST_COUNTED:
        return False
    return _COUNTED_WORD.match(text.folded, number.end) is not None


def chosen_words(open_slots: Sequence[Slot], values: Values) -> list[Span]:
    """Where one of the choices stands that examples have a place for: "2 cocas en efectivo a Mitre 320"."""
    slots = [slot for slot in open_slots if slot.kind.sort == "choice"]
    return [(each.start, each.end) for slot in slots for each in values.of(slot) if each.confidence >= SURE]


def _lines_beside(agent: Agent, shelf: Shelf | None, text: Text, held: Sequence[Span]) -> tuple[OrderLine, ...]:
    return find_order_lines(hidden(text, held), country=agent.country, shelf=shelf)


def known_goods(lines: Sequence[OrderLine]) -> tuple[Span, ...]:
    """Where goods are named that are sold."""
    return tuple((line.start, line.end) for line in lines if line.known and line.product)


def names_goods(shelf: Shelf, text: Text) -> bool:
    """Whether something that is sold is named, whatever is said of it."""
    page = read_page(text, "", shelf)
    return any(not is_ordinary(page, shelf, spot) for spot in find_spots(page, shelf))


def _span(text: Text, found: Found) -> Span:
    """Where a detail stands, with the words that lead to it."""
    return len(_INTRODUCES.sub("", text.folded[: found.start])), found.end


def without_mere_answers(hearing: Hearing | None, waiting: str, lines: tuple[OrderLine, ...]) -> tuple[OrderLine, ...]:
    """The lines of a message that is not surely mere courtesy, or the answer to a question that no goods answer.

    "Bueno, hasta luego" orders no Kinder Bueno, and "en la finca de los Pérez, ruta 2" two of nothing; but "Mitre 340,
    y la fanta sacala" is an answer that changes the order, and "sacá todo menos las cervezas" no courtesy.
    """
    if not lines or hearing is None or len(hearing.parts) > 1 or not hearing.is_sure(hearing.whole, SURELY_TOLD):
        return lines
    answers = hearing.whole.act == "provide" and waiting in NO_GOODS
    if not answers and hearing.whole.act not in COURTESY:
        return lines
    return tuple(line for line in lines if line.action != ADD and line.known and line.product)


def tells_a_look(said: Sequence[Word]) -> bool:
    """Whether nothing but the size or the look of goods is named: "mejor el chico" calls nobody."""
    named = {word.text for word in said}
    return not named.isdisjoint(ADJECTIVES) and named <= COMMON | ONLY
