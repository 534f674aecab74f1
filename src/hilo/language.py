"""Public: reading what people write, for tools that are given a contact's own words."""

from collections.abc import Mapping

from hilo.agent.goods import Product
from hilo.packs.pack import Pack, meanings_of
from hilo.recognisers.amounts.numbers import find_numbers
from hilo.recognisers.amounts.numerals import read_number
from hilo.recognisers.amounts.tokens import Token, Tokens, tokens, touches, word
from hilo.recognisers.calendar.dates import find_dates
from hilo.recognisers.calendar.times import find_times
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text, fold, normalise
from hilo.understanding.goods import goods_in
from hilo.understanding.orders.catalogue import Candidate, Catalogue, Matches, build_catalogue
from hilo.understanding.orders.catalogue_terms import terms_of

__all__ = [
    "Candidate",
    "Catalogue",
    "Found",
    "Matches",
    "Product",
    "Text",
    "Token",
    "Tokens",
    "build_catalogue",
    "find_dates",
    "find_numbers",
    "find_times",
    "fold",
    "goods_in",
    "names_of_goods",
    "normalise",
    "read_number",
    "terms_of",
    "tokens",
    "touches",
    "word",
]


def names_of_goods(language: str, country: str = "") -> Mapping[str, tuple[str, ...]]:
    """What goods are called in a language and a country, for `build_catalogue`: chela, cerveza."""
    return meanings_of("goods", language=language, country=country, own=Pack())
