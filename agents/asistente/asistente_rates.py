"""Currencies by any of their names, and example rates between them."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import lru_cache

from asistente_words import opened, plain, quoted, rounded, rows, spanish

from hilo import AskContact, ToolFailed

HOME = "pesos colombianos"  # of the country that the agent is for
MONEY_OF = {
    "Argentina": "pesos argentinos",
    "Bolivia": "bolivianos",
    "Brasil": "reales",
    "Chile": "pesos chilenos",
    "Colombia": HOME,
    "Costa Rica": "colones",
    "Ecuador": "dólares",
    "El Salvador": "dólares",
    "España": "euros",
    "Guatemala": "quetzales",
    "Honduras": "lempiras",
    "México": "pesos mexicanos",
    "Nicaragua": "córdobas",
    "Panamá": "dólares",
    "Paraguay": "guaraníes",
    "Perú": "soles",
    "República Dominicana": "pesos dominicanos",
    "Uruguay": "pesos uruguayos",
}
AS_OF = date(2025, 6, 30)  # the day of the rates in rates.csv
TINY = Fraction(1, 100)

_COUNTRIES = {
    "mexico": "mexicanos",
    "argentina": "argentinos",
    "colombia": "colombianos",
    "chile": "chilenos",
    "uruguay": "uruguayos",
    "republica dominicana": "dominicanos",
    "peru": "peruanos",
    "brasil": "brasilenos",
    "costa rica": "costarricenses",
    "canada": "canadienses",
    "estados unidos": "estadounidenses",
    "eeuu": "estadounidenses",
    "australia": "australianos",
    "suiza": "suizos",
}
_PESOS = ("peso", "pesos")
_SIGN = "$"


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency with its names in Spanish, and how many of it a dollar bought on the day of the table."""

    code: str
    singular: str
    plural: str
    per_dollar: Fraction

    def worded(self, amount: Fraction) -> str:
        """An amount as people write it: 1.190 pesos argentinos, 0,85 euros."""
        shown = money(amount)
        return f"{shown} {self.singular if shown in ('1', '-1') else self.plural}"


def find_currency(name: str, parameter: str, home: str = "") -> Currency:
    """The currency of a name, code or sign; asks which where several share it, tells where none has it.

    Pesos are those of the country that the contact is in, if that is known and has some.
    """
    key = plain(name).removeprefix("en ").removeprefix("a ")
    if key in _PESOS and home.startswith("pesos "):
        key = plain(home)
    wanted = _names().get(key) or _names().get(_of_country(key))
    if wanted:
        return wanted
    if key in (*_PESOS, _SIGN):
        question = "¿Pesos de qué país?" if key in _PESOS else "¿De qué moneda hablas?"
        raise AskContact(parameter, _pesos(with_dollars=key == _SIGN), question)
    raise ToolFailed(
        f"unknown currency {name[:80]}",
        tell=f"No conozco la moneda {quoted(name)}. Prueba con dólares, euros o pesos mexicanos, por ejemplo.",
    )


def other_than(currency: Currency, home: str) -> str:
    """The money of the contact's country, or dollars where that is what is asked about."""
    is_home = _names().get(plain(home)) == currency
    return "dólares" if is_home else home


def money(amount: Fraction) -> str:
    """An amount of money: two decimals, four where it is less than one, and two that count where it is tiny."""
    if 0 < abs(amount) < TINY:
        return spanish(amount, places=2)
    shown = rounded(amount, 2 if abs(amount) >= 1 else 4)
    return spanish(shown, least=0 if shown.denominator == 1 else 2)


def rate(currency: Currency, to: Currency) -> Fraction:
    """How many of the other currency one buys."""
    return to.per_dollar / currency.per_dollar


def _pesos(*, with_dollars: bool) -> list[str]:
    pesos = [opened(currency.plural) for currency in _currencies() if currency.singular.startswith("peso ")]
    return ["Dólares estadounidenses", *pesos] if with_dollars else pesos


def _of_country(key: str) -> str:
    """Pesos de México, pesos en Chile: the name with the people of the country."""
    for joiner in (" de ", " en ", " "):
        kind, _, country = key.partition(joiner)
        if country in _COUNTRIES:
            return f"{kind} {_COUNTRIES[country]}"
    return key


@lru_cache(maxsize=1)
def _currencies() -> tuple[Currency, ...]:
    return tuple(
        Currency(row["code"], row["singular"], row["plural"], Fraction(row["per_dollar"])) for row in rows("rates.csv")
    )


@lru_cache(maxsize=1)
def _names() -> dict[str, Currency]:
    pairs = zip(_currencies(), rows("rates.csv"), strict=True)
    return {
        plain(name): currency
        for currency, row in pairs
        for name in (currency.code, currency.singular, currency.plural, *row["also"].split("|"))
        if name
    }
