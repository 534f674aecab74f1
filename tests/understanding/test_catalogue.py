"""Products found as people name them, in a small kiosk and in a made-up large shop."""

import time
from itertools import product as combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilo.agent.goods import Product
from hilo.understanding.orders.catalogue import Catalogue, build_catalogue
from hilo.understanding.orders.catalogue_terms import sound_key, terms_of
from hilo.understanding.orders.catalogue_words import distance

KIOSK = [
    Product("coca500", "Coca-Cola 500 ml", "Coca-Cola", "500 ml", "Gaseosas"),
    Product("coca15", "Coca-Cola 1,5 l", "Coca-Cola", "1,5 l", "Gaseosas"),
    Product("coca225", "Coca-Cola 2,25 l", "Coca-Cola", "2,25 l", "Gaseosas"),
    Product("zero15", "Coca-Cola Zero 1,5 l", "Coca-Cola", "1,5 l", "Gaseosas"),
    Product("fanta500", "Fanta naranja 500 ml", "Fanta", "500 ml", "Gaseosas"),
    Product("fanta15", "Fanta naranja 1,5 l", "Fanta", "1,5 l", "Gaseosas"),
    Product("sprite15", "Sprite 1,5 l", "Sprite", "1,5 l", "Gaseosas"),
    Product("seven15", "7up 1,5 l", "7up", "1,5 l", "Gaseosas"),
    Product("still", "Agua mineral sin gas 500 ml", "Villavicencio", "500 ml", "Aguas"),
    Product("sparkling", "Agua mineral con gas 500 ml", "Villavicencio", "500 ml", "Aguas"),
    Product("milk", "Leche entera 1 l", "La Serenísima", "1 l", "Lácteos"),
    Product("skimmed", "Leche descremada 1 l", "La Serenísima", "1 l", "Lácteos"),
    Product("dulce", "Dulce de leche 400 g", "La Serenísima", "400 g", "Lácteos"),
    Product("playa1", "Yerba mate Playadito 1 kg", "Playadito", "1 kg", "Almacén"),
    Product("playa05", "Yerba mate Playadito 500 g", "Playadito", "500 g", "Almacén"),
    Product("taragui", "Yerba mate Taragüi 1 kg", "Taragüi", "1 kg", "Almacén"),
    Product("sugar", "Azúcar Ledesma 1 kg", "Ledesma", "1 kg", "Almacén"),
    Product("jorgito", "Alfajor Jorgito chocolate", "Jorgito", "", "Golosinas"),
    Product("guay", "Alfajor Guaymallén dulce de leche", "Guaymallén", "", "Golosinas"),
    Product("oreo", "Galletitas Oreo 118 g", "Oreo", "118 g", "Galletitas"),
    Product("milka", "Chocolate Milka leche 100 g", "Milka", "100 g", "Golosinas"),
    Product("quilmes", "Cerveza Quilmes 1 l", "Quilmes", "1 l", "Bebidas"),
    Product("heineken", "Cerveza Heineken lata 473 ml", "Heineken", "473 ml", "Bebidas"),
    Product("marlboro", "Cigarrillos Marlboro box 20", "Marlboro", "", "Cigarrillos"),
    Product("lays", "Papas fritas Lays clásicas 85 g", "Lays", "85 g", "Snacks"),
    Product("magistral", "Detergente Magistral limón 500 ml", "Magistral", "500 ml", "Limpieza"),
    Product("ayudin", "Lavandina Ayudín 1 l", "Ayudín", "1 l", "Limpieza", ("cloro",)),
    Product("bread", "Pan lactal Bimbo 450 g", "Bimbo", "450 g", "Panadería"),
    Product("eggs", "Huevos docena", category="Almacén"),
    Product("fernet", "Fernet Branca 750 ml", "Branca", "750 ml", "Bebidas"),
    Product("paper", "Papel higiénico Elite x4", "Elite", "x4", "Limpieza"),
]
NAMES = {
    "coca cola": ("coquita",),
    "cerveza": ("birra", "chela"),
    "cigarrillos": ("puchos",),
    "heineken": ("verde",),
}


@pytest.fixture(scope="module")
def kiosk() -> Catalogue:
    return build_catalogue(KIOSK, names=NAMES)


NAMED = [
    ("coca de litro y medio", "coca15"),
    ("coca 1.5", "coca15"),
    ("coca 1,5L", "coca15"),
    ("coca 1500ml", "coca15"),
    ("coca 1500 cc", "coca15"),
    ("Coca Cola de 1 litro y medio", "coca15"),
    ("coca cola 2.25", "coca225"),
    ("cocas 500", "coca500"),
    ("coca de medio litro", "coca500"),
    ("cocacola 500cc", "coca500"),
    ("koka kola 1/2 litro", "coca500"),
    ("coca 0,5 l", "coca500"),
    ("coca zero", "zero15"),
    ("coca sero", "zero15"),
    ("fanta de litro y medio", "fanta15"),
    ("fantas 500", "fanta500"),
    ("sprite", "sprite15"),
    ("esprite", "sprite15"),
    ("sprit", "sprite15"),
    ("7up", "seven15"),
    ("7 up", "seven15"),
    ("agua sin gas", "still"),
    ("agua con gas", "sparkling"),
    ("leche entera", "milk"),
    ("leche descremada", "skimmed"),
    ("leche desckremada", "skimmed"),
    ("dulce de leche", "dulce"),
    ("playadito medio kilo", "playa05"),
    ("yerba playadito kilo", "playa1"),
    ("llerva taragui", "taragui"),
    ("azucar", "sugar"),
    ("asucar ledezma", "sugar"),
    ("jorjito", "jorgito"),
    ("alfajores guaymayen", "guay"),
    ("galletitas oreo", "oreo"),
    ("oreos", "oreo"),
    ("chocolate milka", "milka"),
    ("choco", "milka"),
    ("serbeza kilmes", "quilmes"),
    ("quilme", "quilmes"),
    ("cerveza en lata", "heineken"),
    ("una verde", "heineken"),
    ("puchos", "marlboro"),
    ("malboro", "marlboro"),
    ("papas", "lays"),
    ("papaz fritaz", "lays"),
    ("detergente", "magistral"),
    ("detrgente majistral", "magistral"),
    ("labandina", "ayudin"),
    ("cloro", "ayudin"),
    ("panes lactales", "bread"),
    ("uevos", "eggs"),
    ("ferne", "fernet"),
    ("fernetbranca", "fernet"),
    ("papel igienico", "paper"),
    ("PAPEL HIGIÉNICO X4", "paper"),
]


@pytest.mark.parametrize(("text", "wanted"), NAMED)
def test_a_named_product_comes_first_and_alone(kiosk: Catalogue, text: str, wanted: str) -> None:
    found = kiosk.find(text)
    assert found.candidates[0].id == wanted
    assert not found.ambiguous


AMBIGUOUS = [
    ("coca", "size", {"coca500", "coca15", "coca225"}),
    ("coca cola", "size", {"coca500", "coca15", "coca225"}),
    ("cocacola", "size", {"coca500", "coca15", "coca225"}),
    ("coquita", "size", {"coca500", "coca15", "coca225"}),
    ("fanta", "size", {"fanta500", "fanta15"}),
    ("yerba playadito", "size", {"playa1", "playa05"}),
    ("yerba de kilo", "brand", {"playa1", "taragui"}),
    ("cerveza", "brand", {"quilmes", "heineken"}),
    ("birras", "brand", {"quilmes", "heineken"}),
    ("leche", "name", {"milk", "skimmed"}),
    ("agua", "name", {"still", "sparkling"}),
]


@pytest.mark.parametrize(("text", "differs_by", "wanted"), AMBIGUOUS)
def test_equally_good_products_are_told_by_what_they_differ(
    kiosk: Catalogue, text: str, differs_by: str, wanted: set[str]
) -> None:
    found = kiosk.find(text)
    assert found.ambiguous
    assert found.differs_by == differs_by
    assert {candidate.id for candidate in found.candidates[: len(wanted)]} == wanted


@pytest.mark.parametrize(
    "text", ["bicicleta", "tomate", "zapallo", "coca light", "helado", "sprite zero", "coca 3 litros"]
)
def test_what_the_shop_has_not_is_only_suggested(kiosk: Catalogue, text: str) -> None:
    found = kiosk.find(text)
    assert found.candidates == ()
    assert found.suggestions
    assert not found.ambiguous


def test_the_nearest_product_is_the_first_suggestion(kiosk: Catalogue) -> None:
    assert kiosk.find("sprite zero").suggestions[0].id == "sprite15"


@pytest.mark.parametrize(
    "text", ["", "   ", "???", "de la", "x" * 5000, "\ud800", "\u200b", "1e400", "NaN", "9" * 400, "፩"]
)
def test_nothing_is_found_in_nothing(kiosk: Catalogue, text: str) -> None:
    assert kiosk.find(text).candidates == ()


def test_a_category_lists_its_products(kiosk: Catalogue) -> None:
    assert {candidate.id for candidate in kiosk.find("limpieza").candidates} == {"magistral", "ayudin", "paper"}


def test_the_limit_holds(kiosk: Catalogue) -> None:
    assert len(kiosk.find("coca", limit=2).candidates) == 2
    assert kiosk.find("coca", limit=0).candidates == ()


def test_words_that_were_found_are_told(kiosk: Catalogue) -> None:
    assert kiosk.find("coca de litro y medio bien rica").candidates == ()
    assert kiosk.find("yerba playadito kilo").candidates[0].words == ("yerba", "playadito", "kilo")


def test_an_empty_shop_has_nothing() -> None:
    assert build_catalogue([]).find("coca").candidates == ()


def test_what_goods_are_called_is_asked_only_for_words_that_no_product_has() -> None:
    products = [Product("1", "Cerveza Quilmes"), Product("2", "Velas Ranchera"), Product("3", "Agua Chela")]
    named = {"chela": ("cerveza",)}
    assert build_catalogue(products[:2], names=named).find("chelas").candidates[0].id == "1"
    assert build_catalogue(products, names=named).find("chelas").candidates[0].id == "3"
    assert build_catalogue(products[:2]).find("chelas").candidates[0].id == "2", "without names it is a slip"


def test_names_hold_in_both_directions() -> None:
    shop = build_catalogue([Product("1", "Palta Hass"), Product("2", "Papa blanca")], names={"aguacate": ["palta"]})
    assert shop.find("aguacate").candidates[0].id == "1"


SIZES = [
    ("1.5 l", "#v1500"),
    ("1,5L", "#v1500"),
    ("1500ml", "#v1500"),
    ("1500 cc", "#v1500"),
    ("litro y medio", "#v1500"),
    ("un litro y medio", "#v1500"),
    ("1 litro y medio", "#v1500"),
    ("medio litro", "#v500"),
    ("1/2 litro", "#v500"),
    ("½ litro", "#v500"),
    ("litro", "#v1000"),
    ("dos litros", "#v2000"),
    ("2 litros y medio", "#v2500"),
    ("2 lts", "#v2000"),
    ("medio kilo", "#w500"),
    ("cuarto kilo", "#w250"),
    ("cuarto de kilo", "#w250"),
    ("kilo y medio", "#w1500"),
    ("500gr", "#w500"),
    ("0,5 kg", "#w500"),
    ("6 unidades", "#n6"),
]


@pytest.mark.parametrize(("text", "key"), SIZES)
def test_a_size_has_one_key_however_it_is_written(text: str, key: str) -> None:
    assert [keys[0] for _, keys in terms_of(text)] == [key]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("vaca", "baca"),
        ("zapallo", "sapayo"),
        ("queso", "keso"),
        ("huevo", "uevo"),
        ("panes", "pan"),
        ("leches", "leche"),
        ("cerveza", "serbesa"),
        ("jengibre", "gengibre"),
        ("alfajores", "alfajor"),
        ("galletita", "gayetita"),
    ],
)
def test_words_that_sound_alike_have_one_key(one: str, other: str) -> None:
    assert sound_key(one) == sound_key(other)


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [
        ("coca", "coca", 0),
        ("coca", "cocas", 1),
        ("coca", "caco", 2),
        ("cola", "cloa", 1),
        ("fernet", "ferbt", 2),
        ("a", "abcdef", 3),
        ("", "", 0),
        ("quilmes", "brahma", 3),
    ],
)
def test_slips_are_counted(one: str, other: str, slips: int) -> None:
    assert distance(one, other) == slips


@given(st.text())
def test_any_text_is_survived(text: str) -> None:
    build_catalogue(KIOSK[:3]).find(text)


@given(
    st.lists(st.builds(Product, st.text(), st.text(), st.text(), st.text(), st.text(), st.lists(st.text())), max_size=4)
)
def test_any_product_is_survived(products: list[Product]) -> None:
    shop = build_catalogue(products, names={"a": ["b", ""]})
    for product in products:
        shop.find(product.name)


def large_shop() -> list[Product]:
    kinds = ["Gaseosa", "Leche", "Yerba", "Galletitas", "Alfajor", "Detergente", "Cerveza", "Fideos", "Arroz", "Jabón"]
    brands = [
        first + last
        for first, last in combinations(
            ["Ma", "Pe", "Lo", "Tri", "Qui", "Za", "Bra", "Ñu", "Fe", "Go"], ["lino", "rena", "sol", "vex", "cuto"]
        )
    ]
    traits = ["Clásico", "Light", "Extra", "Limón", "Frutilla", "Integral", "Premium", "Suave"]
    sizes = ["250 ml", "500 ml", "1 l", "1,5 l", "2 l"]
    names = combinations(kinds, traits, brands, sizes)
    return [Product(str(n), f"{k} {t} {b}", b, s, k) for n, (k, t, b, s) in enumerate(names)]


def test_twenty_thousand_products_are_found_quickly() -> None:
    products = large_shop()
    start = time.process_time()
    shop = build_catalogue(products)
    for wanted in products[::400]:
        typed = wanted.name.lower().replace("s", "z", 1).replace("ll", "y")
        assert shop.find(f"{typed} {wanted.size}").candidates[0].id == wanted.id
    assert len(products) == 20_000
    assert time.process_time() - start < 3
