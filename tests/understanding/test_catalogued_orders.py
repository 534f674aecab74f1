"""Orders around a catalogue: what is sold is found first, then how many of it, and what happens to it."""

import time
from decimal import Decimal
from functools import cache

import pytest

from hilo.agent.goods import read_goods
from hilo.errors import FileProblems
from hilo.recognisers.normalise import normalise
from hilo.understanding.orders.catalogue import build_catalogue
from hilo.understanding.orders.lines import find_order_lines
from hilo.understanding.orders.spots import Shelf, build_shelf

PIZZERIA = """
product,category,flavour,size,synonyms
Pizza,Pizzas,muzzarella,grande,muza
Pizza,Pizzas,muzzarella,chica,muza
Pizza,Pizzas,napolitana,grande,napo
Pizza,Pizzas,napolitana,chica,napo
Pizza,Pizzas,fugazzeta,grande,
Pizza,Pizzas,jamón y morrones,grande,
Empanada,Empanadas,de carne,,
Empanada,Empanadas,de pollo,,
Empanada,Empanadas,de jamón y queso,,jyq
Empanada,Empanadas,de verdura,,
Fainá,Minutas,,porción,
Papas con cheddar,Minutas,,,papas cheddar
Lomito completo,Sándwiches,,,lomo
Flan casero,Postres,,,flancito
Sidra Real,Bebidas,,710 ml,
Cerveza Imperial,Bebidas,,lata 473 ml,
Cerveza Imperial,Bebidas,,1 l,
Soda,Bebidas,,1 l,
"""
PARTS = """
product;brand;category;size;synonyms
Filtro de aceite;Mann;Filtros;;
Filtro de aire;Mann;Filtros;;
Pastillas de freno;Bosch;Frenos;delanteras;
Pastillas de freno;Bosch;Frenos;traseras;
Disco de freno;Fremax;Frenos;;
Bujía;NGK;Encendido;;
Correa de distribución;Gates;Motor;;
Aceite 10W40;Elaion;Lubricantes;4 l;
Aceite 10W40;Elaion;Lubricantes;1 l;
Batería;Moura;Electricidad;12x65;
Lámpara H7;Osram;Electricidad;;foco h7
Escobillas;Trico;Accesorios;;limpiaparabrisas
Refrigerante;Valvoline;Lubricantes;5 l;anticongelante
"""

Line = tuple[str, int | Decimal | None, str]


@cache
def shelf(trade: str) -> Shelf:
    return build_shelf(build_catalogue(read_goods(trade.strip(), file="goods.csv")))


def lines(trade: str, message: str) -> list[Line]:
    found = find_order_lines(normalise(message), country="AR", shelf=shelf(trade))
    return [(line.action, line.quantity, line.product) for line in found]


def add(quantity: int, product: str) -> Line:
    return "add", quantity, product


def put(quantity: int, product: str) -> Line:
    return "set", quantity, product


def out(product: str, quantity: int | None = None) -> Line:
    return "remove", quantity, product


FOOD: list[tuple[str, list[Line]]] = [
    ("buenas, kiero 2 muzza grandes y una napo", [add(2, "muzza grandes"), add(1, "napo")]),
    ("dame una grande de napolitana", [add(1, "grande de napolitana")]),
    ("media docena de empanadas de carne", [add(6, "empanadas de carne")]),
    ("6 de carne y 6 de jamon y queso", [add(6, "carne"), add(6, "jamon y queso")]),
    ("3 empanadas de pollo y 2 de verdura", [add(3, "empanadas de pollo"), add(2, "empanadas de verdura")]),
    ("empanadas de carne x 12", [add(12, "empanadas de carne")]),
    ("pizza muzzarella, empanadas de pollo", [add(1, "pizza muzzarella"), add(1, "empanadas de pollo")]),
    ("dos de cada: fainá y flan", [add(2, "faina"), add(2, "flan")]),
    ("faina y flan, dos de cada uno", [add(2, "faina"), add(2, "flan")]),
    ("mandame una sidra y de postre dos flancitos", [add(1, "sidra"), add(2, "flancitos")]),
    ("3 fugazetas", [add(3, "fugazetas")]),
    ("un lomitto completo", [add(1, "lomitto completo")]),
    ("- lomito 2\n- papas con cheddar 1\n- soda 3", [add(2, "lomito"), add(1, "papas con cheddar"), add(3, "soda")]),
    ("Pedido:\nlomito: 2\nsoda: 1", [add(2, "lomito"), add(1, "soda")]),
    ("hola como va te pido una muzzarella chica y dos sodas gracias", [add(1, "muzzarella chica"), add(2, "sodas")]),
    ("3 latas de imperial", [add(3, "imperial lata")]),
    ("una imperial de litro", [add(1, "imperial 1 l")]),
    ("sumá otro lomito", [add(1, "lomito")]),
    ("2 lomitos, no, mejor 3", [add(3, "lomitos")]),
    ("una napolitana, no, mejor una fugazzeta", [add(1, "fugazzeta")]),
    ("¿tenés fainá? mandame 4", [add(4, "faina")]),
    ("si hay fugazzeta dame 2", [add(2, "fugazzeta")]),
    ("me podrías mandar 2 sodas y una sidra?", [add(2, "sodas"), add(1, "sidra")]),
    ("las empanadas de pollo no van", [out("empanadas de pollo")]),
    ("el flan no", [out("flan")]),
    ("el lomito sacalo", [out("lomito")]),
    ("sacá una soda", [out("soda", 1)]),
    ("al final no quiero la sidra", [out("sidra")]),
    ("sin la faina", [out("faina")]),
    ("sacá todo menos las empanadas", [out("todo menos empanadas")]),
    ("en vez de la napolitana poneme fugazzeta", [out("napolitana"), add(1, "fugazzeta")]),
    ("cambiame la sidra por dos sodas", [out("sidra"), add(2, "sodas")]),
    ("las empanadas de carne que sean 8", [put(8, "empanadas de carne")]),
    ("mejor 4 lomitos", [put(4, "lomitos")]),
    ("al final 3 flanes", [put(3, "flanes")]),
    ("que sean 5", [put(5, "")]),
    ("agregale 2 sodas y quitá el flan", [add(2, "sodas"), out("flan")]),
    ("sacá la sidra y poné una imperial de litro", [out("sidra"), add(1, "imperial 1 l")]),
    (
        "hola si buenas mira te queria pedir una grande de muzarela y seis empanadas de carne y una soda y nada mas",
        [add(1, "grande de muzzarella"), add(6, "empanadas de carne"), add(1, "soda")],
    ),
    ("quiero 2 milanesas", [add(2, "milanesas")]),
    ("soy Ana, 2 sodas porfa", [add(2, "sodas")]),
    ("2 sodas y eso es todo", [add(2, "sodas")]),
    ("quiero hacer un pedido: 2 lomitos y un flan", [add(2, "lomitos"), add(1, "flan")]),
    ("quitá 3 de las 5 empanadas", [out("empanadas", 3)]),
    ("en realidad son 4 lomitos", [put(4, "lomitos")]),
    ("un balde de papas con cheddar", [add(1, "papas con cheddar")]),
    ("cancelá la soda", [out("soda")]),
    ("8 empanadas, 5 de carne y 3 de verdura", [add(5, "empanadas de carne"), add(3, "empanadas de verdura")]),
    ("en lugar de 2 sodas que sea sidra", [out("sodas", 2), add(2, "sidra")]),
    ("la soda cambiala por una sidra", [out("soda"), add(1, "sidra")]),
    ("quiero faina y flan, una de cada", [add(1, "faina"), add(1, "flan")]),
    ("todo menos el flan", [out("todo menos flan")]),
    ("en vez de 2 flanes que sean 3", [put(3, "flanes")]),
]
CARS: list[tuple[str, list[Line]]] = [
    ("necesito un filtro de aceite y uno de aire", [add(1, "filtro de aceite"), add(1, "filtro de aire")]),
    ("4 bujias ngk", [add(4, "bujias ngk")]),
    ("mandame un juego de pastillas de freno delanteras", [add(1, "pastillas de freno delanteras")]),
    ("2 discos de freno y las pastillas", [add(2, "discos de freno"), add(1, "pastillas")]),
    ("una bateria moura", [add(1, "bateria moura")]),
    ("aceite 10w40 de 4 litros, 2", [add(2, "aceite 10 w 40 4 l")]),
    ("2 focos h7", [add(2, "focos h 7")]),
    ("correa distribucion x1, refrijerante x2", [add(1, "correa distribucion"), add(2, "refrijerante")]),
    ("pasame 2 escobiyas", [add(2, "escobiyas")]),
    ("sacá el filtro de aire", [out("filtro de aire")]),
    ("las bujías que sean 6", [put(6, "bujias")]),
    ("cambiá la batería por el refrigerante", [out("bateria"), add(1, "refrigerante")]),
]
TALK = [
    (PIZZERIA, "¿tenés fugazzeta?"),
    (PIZZERIA, "cuánto sale la grande de muzzarella"),
    (PIZZERIA, "la pizza llegó fría"),
    (PIZZERIA, "me trajeron 2 empanadas de menos"),
    (PIZZERIA, "ayer pedí 3 lomitos y vinieron 2"),
    (PIZZERIA, "qué empanadas tienen"),
    (PIZZERIA, "pasame la carta de pizzas"),
    (PIZZERIA, "me encanta la napolitana"),
    (PIZZERIA, "dame un minuto"),
    (PIZZERIA, "2 lomitos cuánto salen?"),
    (PIZZERIA, "qué trae el lomito completo"),
    (PIZZERIA, "mandame una foto de la pizza"),
    (PIZZERIA, "quiero hablar con una persona"),
    (PIZZERIA, "estamos en la casa de mi tía"),
    (PARTS, "¿hacen cambio de aceite?"),
    (PARTS, "mi auto pierde aceite"),
    (PARTS, "el filtro que me mandaron no entra"),
    (PARTS, "tengo un gol 2010, ¿hay correa?"),
    (PARTS, "¿qué batería lleva un corsa?"),
    (PARTS, "vivo en Frenos 123"),
]


@pytest.mark.parametrize(("message", "expected"), FOOD)
def test_what_a_pizzeria_is_asked_for(message: str, expected: list[Line]) -> None:
    assert lines(PIZZERIA, message) == expected


@pytest.mark.parametrize(("message", "expected"), CARS)
def test_what_a_shop_for_car_parts_is_asked_for(message: str, expected: list[Line]) -> None:
    assert lines(PARTS, message) == expected


@pytest.mark.parametrize(("trade", "message"), TALK)
def test_talk_about_goods_is_no_order(trade: str, message: str) -> None:
    assert lines(trade, message) == []


def test_a_catalogue_without_names_is_refused() -> None:
    with pytest.raises(FileProblems, match="product"):
        read_goods("sku,price\n1,2\n", file="goods.csv")


def test_a_long_message_is_read_in_time() -> None:
    text = normalise("quiero 2 muzza y una soda de litro, " * 2800)
    start = time.process_time()
    find_order_lines(text, country="AR", shelf=shelf(PIZZERIA))
    assert time.process_time() - start < 1
