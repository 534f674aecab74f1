"""An amount of money, without its currency."""

import re
from dataclasses import replace
from decimal import Decimal

from hilo.recognisers.found import Found, Value
from hilo.recognisers.pairs import ranges, settled
from hilo.slots.number import accept_number, number_text, outside_dates
from hilo.slots.slot_type import Example, SlotRules, SlotType, WordOf, said_alike, spanish
from hilo.slots.utterance import SURE, Utterance

_RANGE = re.compile(r"(?P<least>\d{1,12}(?:\.\d{1,2})?)-(?P<most>\d{1,12}(?:\.\d{1,2})?)(?P<currency> [A-Z]{3})?")
_FOREIGN = re.compile(r"(?P<amount>\d+(?:\.\d+)?) (?P<currency>[A-Z]{3})")


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:
    found = said.once("money", lambda: settled(said.text, outside_dates(said, _amounts(said))))
    if slot.ranges:
        found = ranges(said.text, found)
    if slot.any_currency:
        found = tuple(_with_currency(each, said.country) for each in found)
    return said.unless_asking(found, asked=asked)


def _with_currency(found: Found, country: str) -> Found:
    """1500 USD, where that is not the money of the country."""
    from hilo.recognisers.amounts.money import currency_of

    is_foreign = found.unit and found.unit != currency_of(country)
    return replace(found, value=f"{found.value} {found.unit}") if is_foreign else found


def _accept(value: Value, slot: SlotRules, country: str) -> Value | None:
    between = _RANGE.fullmatch(value) if isinstance(value, str) and slot.ranges else None
    if between and (slot.any_currency or not between["currency"]):
        return value if between["currency"] or _lies_within(between, slot) else None
    said = _FOREIGN.fullmatch(value) if isinstance(value, str) and slot.any_currency else None
    if said is None:
        return accept_number(value, slot, country)
    amount = accept_number(said["amount"], slot, country)
    return None if amount is None else f"{amount} {said['currency']}"


def _lies_within(between: re.Match[str], slot: SlotRules) -> bool:
    """Whether both ends keep to the bounds, which are in the money of the country."""
    return not (
        (slot.min is not None and Decimal(between["least"]) < slot.min)
        or (slot.max is not None and Decimal(between["most"]) > slot.max)
    )


def _amounts(said: Utterance) -> tuple[Found, ...]:
    """Money where it is said to be money, otherwise plain numbers, less surely."""
    from hilo.recognisers.amounts.money import find_money
    from hilo.recognisers.amounts.numbers import find_numbers

    money = find_money(said.text, country=said.country)
    plain = find_numbers(said.text, country=said.country)
    return money or tuple(replace(each, confidence=min(each.confidence, SURE - 1)) for each in plain)


def _show(value: Value, word: WordOf) -> str:
    """With two decimals, or none where it is whole."""
    if between := _RANGE.fullmatch(value) if isinstance(value, str) else None:
        before, _, joint = word("money_between").partition("/")
        least, most = (_show(Decimal(between[end]), word) for end in ("least", "most"))
        return f"{before} {least} {joint} {most}{between['currency'] or ''}"
    said = _FOREIGN.fullmatch(value) if isinstance(value, str) else None
    amount = Decimal(said["amount"] if said else value)
    whole = amount == amount.to_integral_value()
    shown = number_text(int(amount) if whole else amount.quantize(Decimal("0.01")), word)
    return f"{shown} {said['currency']}" if said else shown


TYPE = SlotType(
    name="money",
    summary="an amount of money from `min` to `max`, without its currency: “5 lucas” → `5000`",
    aliases=("amount", "price", "precio", "monto", "importe", "dinero", "plata", "currency", "budget", "presupuesto"),
    phrases={
        "word.money_between": {**spanish("entre/y"), "en": ("between/and",), "pt-BR": ("entre/e",)},
        "invalid.money": {
            **spanish("Necesito un monto, por ejemplo 1500 o «mil quinientos»."),
            "es-ES": ("Necesito un importe, por ejemplo 1500 o «mil quinientos».",),
            "en": ("I need an amount, such as 1500.",),
            "pt-BR": ("Preciso de um valor, por exemplo 1500 ou “mil e quinhentos”.",),
        },
    },
    led_by=re.compile(
        r"\b(?:presu\w*|plata|guita|lana|dinero|invertir|gastar|pago con|pagar con)\b[^.;!?\d]*$"
        r"|(?<!\bno )(?<!\bno le )(?<!\bno me )\b(?:puedo|podria|podemos|podriamos|alcanzo a|dispuest[oa]s? a|llego a)"
        r" (?:(?:meter|poner|invertir|echar|gastar|destinar|pagar|dar|llegar)(?:l[ea]|me|nos)? )?"
        r"(?:a |hasta |unos |unas |como |los |las |maximo )*$"
    ),
    examples={
        **said_alike(
            Example(said="1500 pesos", stored=1500, shown="1.500"),
            english=Example(said="about $1500", stored=1500, shown="1,500"),
            portuguese=Example(said="uns R$ 1.500,00", stored=1500, shown="1.500"),
        ),
        "es-MX": Example(said="1500 pesos", stored=1500, shown="1,500"),
    },
    keys=frozenset({"min", "max", "any_currency", "ranges"}),
    find=_find,
    accept=_accept,
    show=_show,
    sort="number",
    volunteered="as_a_wish",
)
