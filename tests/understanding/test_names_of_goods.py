"""Goods by the names of other countries, in one word or several, and the details that are none of them."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hilo import load_agent
from hilo.agent.goods import Product
from hilo.recognisers.normalise import hidden, normalise
from hilo.understanding.ordering import _measured
from hilo.understanding.orders.catalogue import build_catalogue
from hilo.understanding.orders.lines import find_order_lines
from hilo.understanding.orders.spots import Shelf, build_shelf
from hilo.understanding.reading import Reading, read

NAMES = {"electrobomba": ("bomba de agua",), "cerilla": ("fosforo",), "agua quieta": ("agua sin gas",)}


def shelf(*products: str) -> Shelf:
    goods = [Product(str(place), name, "", "", "Varios") for place, name in enumerate(products)]
    return build_shelf(build_catalogue(goods, names=NAMES))


def ordered(message: str, sold: Shelf) -> list[tuple[str, object, str]]:
    lines = find_order_lines(normalise(message), shelf=sold)
    return [(line.action, line.quantity, line.product) for line in lines if line.known]


def test_a_thing_of_several_words_is_sold_where_one_product_has_them_all() -> None:
    sold = shelf("Bomba de agua", "Bomba de bicicleta")
    assert ordered("quiero 2 electrobombas", sold) == [("add", 2, "bomba agua")]
    assert ordered("quiero 2 electrobombas", shelf("Bomba de bicicleta", "Agua")) == []
    assert sold.catalogue.find("electrobomba").candidates[0].id == "0"


def test_a_name_of_several_words_means_what_the_shop_calls_otherwise() -> None:
    sold = shelf("Agua sin gas", "Agua con gas")
    assert ordered("dame 3 aguas sin gas", sold) == [("add", 3, "aguas sin gas")]
    assert [line[2] for line in ordered("dame 3 agua quieta", sold)] == ["agua sin gas"]


def test_a_short_name_is_not_heard_in_a_word_that_only_sounds_like_it() -> None:
    sold = shelf("Fósforos Tres Patitos", "Velas")
    assert ordered("listo, eso sería todo", sold) == []
    assert ordered("dame una caja de cerillas", sold)[0][2].startswith("fosforos")


def test_what_has_no_sizes_is_counted_by_the_kilo() -> None:
    [line] = find_order_lines(normalise("dame 4 kilos de molida"), shelf=shelf("Carne molida", "Pechuga"))
    assert _measured(line) == ("", 4)


def test_hiding_nothing_leaves_a_text_as_long_as_it_was() -> None:
    text = normalise("dame cuatro")
    assert hidden(text, [(0, 0), (5, 11)]).folded == "dame ,     "


def heard(message: str) -> Reading:
    kiosco = load_agent(Path(__file__).parents[2] / "agents" / "kiosco")
    return read(kiosco.turn.understander, message, at=datetime(2026, 11, 17, tzinfo=UTC))


@pytest.mark.parametrize("message", ["qué calor horrible hace hoy, no se aguanta", "mi jefe me tiene harto che"])
def test_words_of_anger_in_small_talk_are_a_grumble(message: str) -> None:
    assert heard(message).sentiment.score >= -0.3


@pytest.mark.parametrize("message", ["son unos ladrones", "anulá todo, manga de inútiles"])
def test_anger_is_anger(message: str) -> None:
    assert heard(message).sentiment.score < -0.6


def test_who_looks_for_work_wants_no_person_to_take_over() -> None:
    assert not heard("hola, están tomando gente? tengo experiencia de cajera").has("human")
