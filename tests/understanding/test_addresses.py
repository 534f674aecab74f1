"""Street addresses of messages."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nasty import seconds

from hilo.recognisers.normalise import Text, normalise
from hilo.recognisers.places.addresses import find_addresses


def _values(message: str) -> list[object]:
    return [found.value for found in find_addresses(normalise(message))]


@pytest.mark.parametrize(
    "message",
    [
        "calle 10 #43-12",
        "mz 5 cs 20",
        "vereda la playa km 3 via al mar, finca villa rosa",
        "vereda la playa, km 3 via al mar, finca villa rosa",
        "autopista sur 67-12 bodega 4",
        "calle 9 # 8-7 segundo piso",
        "45 County Road 12",
        "Cra 7 # 45-12 apto 301",
        "cra 7a # 45-12 sur",
        "kr 15 no 93-60 of 301",
        "calle 10 43 12",
        "cl 80 sur # 45a - 12 torre 2 apto 504",
        "carrera 50 # 12 sur 45",
        "Diagonal 75 B # 6-11",
        "calle 45 sur 23 10",
        "transversal 5a n 20-10 barrio Laureles",
        "Tv. 93 #51-98 Int 12",
        "calle 13 con carrera 7",
        "Av 68 # 22-15",
        "Calle 100 # 19-61, edificio Centro Empresarial, oficina 502",
        "cll 5ta # 38-25",
        "av calle 26 # 68c-61",
        "Av. Rivadavia 1234 piso 3",
        "Av. Santa Fe 3250 7mo B",
        "rivadavia 1234",
        "Belgrano 1520 4B",
        "Rivadavia al 5000",
        "av corrientes y callao",
        "calle 50 n 1234 e/ 10 y 11",
        "9 de julio 1200",
        "Av. 9 de Julio 1200 5to piso",
        "Calle San Martín 450, entre Belgrano y Moreno",
        "mitre 850 timbre 3",
        "Hipólito Yrigoyen 2450 depto 4",
        "Av Insurgentes Sur 1602, Col. Crédito Constructor",
        "calle 5 de mayo 23 int 4",
        "Calle Reforma #45",
        "Calz. de Tlalpan 1200, Col. Portales, CP 03300",
        "Priv. Los Pinos 12, Fracc. Las Palmas",
        "Calle Juárez s/n",
        "Jr. de la Unión 300",
        "psje. san carlos 123 urb. santa rosa",
        "mz C lote 4",
        "urb. los olivos mz d lt 8",
        "mza 12 lte 3 aahh villa el salvador",
        "Av. Javier Prado Este 4200",
        "jiron huallaga 250",
        "Pasaje Los Aromos 1234, block 5 depto 302",
        "av providencia 1234 of 501",
        "Calle Los Copihues 55 casa 3",
        "Calle Mayor 5, 2ºB",
        "C/ Gran Vía 12, 3º izq",
        "c/mayor 5",
        "Paseo de la Castellana 100",
        "plaza españa s/n",
        "Avda. de la Constitución, 24, 1º A",
        "Ronda de Toledo 14",
        "Camino de los Naranjos 8",
        "ruta 8 km 50",
        "km 12 via las palmas",
        "autopista norte km 7",
        "carretera a Chapala km 12.5",
        "conjunto los pinos torre 3 apto 502",
        "123 Main St",
        "123 Elm Street apt 4",
        "4500 N Lamar Blvd",
        "avenida siempreviva nro 742",
        "bv oroño 950 piso 10 dpto c",
        "diagonal 74 nro 1550",
    ],
)
def test_an_address_alone_is_kept_whole(message: str) -> None:
    assert _values(message) == [message]


@pytest.mark.parametrize(
    ("message", "address"),
    [
        ("soy Ana Pérez, vivo en Medellín, calle 10 #43-12, 3001234567", "calle 10 #43-12"),
        ("calle 10 #43-12, Medellín, 3001234567", "calle 10 #43-12"),
        ("cra 45 # 20-15, mi correo es a@b.com", "cra 45 # 20-15"),
        ("cra 45 # 20-15 mi correo es a@b.com", "cra 45 # 20-15"),
        ("calle 30 # 20-11 barrio Laureles Medellín", "calle 30 # 20-11 barrio Laureles"),
        ("vivo en san martin 450 piso 2 depto b", "san martin 450 piso 2 depto b"),
        ("mi direccion es calle falsa 123, gracias", "calle falsa 123"),
        ("la entrega es en mitre 850 timbre 3 por favor", "mitre 850 timbre 3"),
        ("direccion: las heras 2450 6to A, Mendoza", "las heras 2450 6to A"),
        ("mandamelo a las heras 2450", "las heras 2450"),
        ("jr huallaga 250 - lima", "jr huallaga 250"),
        ("hola, envíenlo a la Av. Brasil 1450 dpto 302, Jesús María, Lima", "Av. Brasil 1450 dpto 302"),
        ("Juan Gómez\nCra 15 # 88-21 apto 402\nBogotá\n3102223344", "Cra 15 # 88-21 apto 402"),
        ("nombre: Luis\ndirección: Calle 8 # 12-30\nciudad: Cali", "Calle 8 # 12-30"),
        ("av siempre viva 742, springfield", "av siempre viva 742"),
        ("quiero 2 pizzas para Belgrano 1520, pago en efectivo", ""),
        ("I live at 123 Main St, my phone is 5551234567", "123 Main St"),
        ("es en calle colón 850 esquina mitre, a nombre de Pedro", "calle colón 850 esquina mitre"),
        ("vivo en calle sarmiento 1450 y necesito factura", "calle sarmiento 1450"),
        ("calle Atocha 27, 3º dcha, 28012 Madrid", "calle Atocha 27, 3º dcha, 28012"),
        ("av. arequipa 2450 of 1203 lince, mi ruc es 20123456789", "av. arequipa 2450 of 1203"),
        ("cra 80 # 34-12 frente al parque, celular 3015556677", "cra 80 # 34-12 frente al parque"),
        ("por favor a cerrito 640 5° A", "cerrito 640 5° A"),
    ],
)
def test_an_address_ends_before_the_next_piece_of_information(message: str, address: str) -> None:
    assert _values(message) == ([address] if address else [])


@pytest.mark.parametrize(
    "message",
    [
        "quiero 2 cocas",
        "pedido 1234",
        "son 1500 pesos",
        "marzo 2026",
        "iphone 1200",
        "quiero un pasaje a Madrid 2 adultos",
        "talle 42",
        "coca 500 ml",
        "3001234567",
        "estudio la carrera de derecho",
        "te espero en la calle",
        "hola buenas tardes",
        "un pasaje para 3 personas",
        "el total es 3500",
        "el 5 de mayo",
        "mañana a las 10",
        "barrio Laureles",
        "vuelo 1234",
        "necesito 200 unidades",
        "mi casa queda en la esquina",
        "el 9 de julio de 2026",
        "son las 10:30",
        "factura 4555",
        "mi dni es 30123456",
        "quiero 3 docenas de empanadas",
        "me costó 1200",
        "vivo en Medellín",
        "llego en 15 minutos",
        "somos 4 adultos y 2 niños",
        "gaste 5000",
        "samsung a54",
        "mesa 12",
        "opción 3",
        "dame 500 gramos",
        "a las 1530 hs",
        "cocacola 500cc",
        "c",
        "av",
        "calle",
        "mz",
        "10 #",
        "#",
        "el 1/2/2026",
        "1.500 pesos",
        "en la carrera quedé 3",
        "la plaza está linda",
    ],
)
def test_other_numbers_and_streets_in_talk_are_no_addresses(message: str) -> None:
    assert _values(message) == []


def test_a_street_with_its_word_is_surer_than_a_bare_one() -> None:
    (told,) = find_addresses(normalise("av rivadavia 1234"))
    (bare,) = find_addresses(normalise("rivadavia 1234"))
    assert told.confidence > bare.confidence


def test_the_span_is_one_of_the_folded_text() -> None:
    text = normalise("mandálo a la Calle Mayor 5, 2ºB, porfa")
    (found,) = find_addresses(text)
    assert text.original(found.start, found.end) == "Calle Mayor 5, 2ºB" == found.value


NASTY = [
    "",
    "1e400",
    "NaN",
    "\ud800",
    "\u200b\u202e",
    "1" * 100_000,
    "calle " * 20_000,
    "barrio x " * 10_000,
    "a 1 " * 25_000,
    "calle 10 # " * 9000,
    "mz c lote 4 " * 8000,
    "\x00",
    "entre y entre y " * 5000,
    "calle\n10\n#\n43",
    ", , ,",
    "s/n s/n",
]


@pytest.mark.parametrize("message", NASTY)
def test_nasty_messages_are_read_in_time(message: str) -> None:
    assert seconds(lambda: find_addresses(normalise(message), country="CO")) < 0.5


@given(st.text())
def test_no_message_raises(message: str) -> None:
    text = normalise(message)
    for found in find_addresses(text):
        assert 0 <= found.start < found.end <= len(text.folded)


PARTS = [
    *"calle cra av # no 10 43 - 12 , . piso 3 apto b mz c lote km".split(),  # noqa: SIM905
    *"via s / n entre y esq barrio laureles 9 de julio 1200 º c/".split(),  # noqa: SIM905
]


@given(st.lists(st.sampled_from(PARTS), max_size=14))
def test_no_mixture_of_address_words_raises(words: list[str]) -> None:
    find_addresses(normalise(" ".join(words)))
    find_addresses(normalise("".join(words)))


def test_a_message_takes_less_than_a_millisecond() -> None:
    texts = [normalise("soy Ana, vivo en Medellín, calle 10 #43-12 apto 301, 3001234567")] * 50
    find_addresses(texts[0])
    assert min(_seconds(texts) for _ in range(5)) / len(texts) < 0.001


def _seconds(texts: list[Text]) -> float:
    started = process_time()
    for text in texts:
        find_addresses(text, country="CO")
    return process_time() - started
