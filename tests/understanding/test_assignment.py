"""Which slot gets which value of a message, by which rule: messages in many voices, and what must not be taken."""

import time
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise

import pytest

from hilo.agent.parse import parse
from hilo.app.loading import new_session
from hilo.dialogue.session import AskedSlot, AskedYes
from hilo.understanding.assignment import ValueCase
from hilo.understanding.doubts import DOUBTS
from hilo.understanding.extraction import ALL_REASONS, weigh
from hilo.understanding.reading import Understander, read, understander

NOW = datetime(2026, 3, 10, 15, tzinfo=UTC)
AGENCY = """
agent: agencia
language: es-AR
country: AR
timezone: America/Argentina/Buenos_Aires
slots:
  nombre: {type: person_name, ask: "¿Nombre?"}
  correo: {type: email, also: [mail], ask: "¿Correo?"}
  telefono: {type: phone, label: teléfono, also: [cel], ask: "¿Teléfono?"}
  presupuesto: {type: money, required: false, ask: "¿Presupuesto?"}
flows:
  datos: {starts: always, steps: [{collect: [nombre, correo, telefono, presupuesto]}, {say: Listo.}]}
"""
SHOP = """
agent: tienda
language: es-AR
country: AR
timezone: America/Argentina/Buenos_Aires
slots:
  direccion: {type: address, label: dirección, ask: "¿Dirección?"}
  dia: {type: date, label: día, required: false, ask: "¿Qué día?"}
  hora: {type: time, ask: "¿Hora?"}
  pago: {type: money, also: [pago con], ask: "¿Con cuánto paga?"}
  pack:
    type: choice
    choices: {chico: [uno, el de uno, el de 1], medio: [dos, el de dos, el de 2], grande: [tres, el de tres, el de 3]}
    ask: "¿Cuál?"
flows:
  datos: {starts: always, steps: [{collect: [direccion, hora, pago, pack]}, {say: Listo.}]}
"""
TRAVEL = """
agent: viajes
language: es
country: AR
timezone: America/Argentina/Buenos_Aires
slots:
  origen: {type: city, before: [de, desde], ask: "¿De dónde?"}
  destino: {type: city, before: [a, hasta], ask: "¿A dónde?"}
  ida: {type: date, ask: "¿Qué día?"}
  vuelta: {type: date, also: [regreso], required: false, ask: "¿Y la vuelta?"}
  maletas: {type: number, also: [valijas, equipaje], min: 0, max: 20, ask: "¿Cuántas maletas?"}
  asientos: {type: number, before: [somos, para], min: 1, max: 30, ask: "¿Cuántos asientos?"}
flows:
  viaje: {starts: always, steps: [{collect: [origen, destino, ida, asientos, maletas]}, {say: Listo.}]}
"""


@cache
def _prepared(agent: str) -> Understander:
    return understander(parse(agent))


def weighed(agent: str, message: str, *, asked: str = "", confirming: bool = False, **filled: str) -> ValueCase:
    """What a message comes to where a slot was asked for, or a summary was shown."""
    prepared = _prepared(agent)
    session = replace(new_session(prepared.agent, session_id="s", at=NOW), slots=filled)
    if asked:
        session = replace(session, pending=AskedSlot(asked))
    if confirming:
        session = replace(session, pending=AskedYes("shown", tuple(filled)))
    return weigh(prepared.agent, session, read(prepared, message, at=NOW), asked)


def taken(agent: str, message: str, *, asked: str = "", confirming: bool = False, **filled: str) -> dict[str, str]:
    case = weighed(agent, message, asked=asked, confirming=confirming, **filled)
    return {name: str(value) for name, value in case.values.items()}


@pytest.mark.parametrize(
    ("message", "budget"),
    [
        ("hola! dispongo de 900 usd para la web", "900"),
        ("arrancaría con 250 dólares mensuales", "250"),
        ("cuento con unos 1.200 euros, espero opciones", "1200"),
        ("necesito un logo y tengo 60 lucas", "60000"),
        ("andamos con 80 mil pesos nomas", "80000"),
        ("Marce de Palermo, plata hay poca, calculale 90 mil al mes", "90000"),
        ("quiero invertir hasta 3 millones", "3000000"),
        ("mi tope son 700 dolares", "700"),
        ("we have 2000 dollars", "2000"),
        ("el presu anda por los 150 mil", "150000"),
        ("vale tengo 300 euros", "300"),
        ("perdon son 600 dolares", "600"),
        ("tengo ganas de gastar 200 dolares", "200"),
        ("le puedo meter unas 800 lucas", "800000"),
        ("alcanzo a meterle 450 mil", "450000"),
        ("estoy dispuesto a pagar 90 mil", "90000"),
        ("no le puedo meter 600 mil", ""),
        # not what they have to spend
        ("la otra agencia me cobra 300 dólares", ""),
        ("huy, 900 mil pesos es demasiado", ""),
        ("350 mil me parece muy caro", ""),
        ("el mes pasado gasté 5000 dólares en pauta", ""),
        ("me estafaron con 800 usd", ""),
        ("vi que salía 90 usd", ""),
        ("el plan de 20 usd qué trae?", ""),
        ("hacen algo por 100 dolares?", ""),
        ("debo 400 usd", ""),
        ("perdí 300 euros con otros", ""),
        ("facturamos 9000 dólares por mes", ""),
        ("a lo mejor consigo 500 dólares", ""),
        ("todavía no sé, serían 500 dólares", ""),
        ("tengo 4 sucursales y 20 empleados", ""),
        ("somos 8 y llevamos 15 años en esto", ""),
    ],
)
def test_an_amount_with_its_currency_is_for_the_only_slot_of_money(message: str, budget: str) -> None:
    assert taken(AGENCY, message).get("presupuesto", "") == budget


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("1144445555 y tengo 700 usd", {"telefono": "1144445555", "presupuesto": "700"}),
        ("anota 1144445555, mail lu@x.com", {"telefono": "1144445555", "correo": "lu@x.com"}),
        (
            "lu@x.com 11 4444-5555 soy Lucía Bravo",
            {"correo": "lu@x.com", "telefono": "1144445555", "nombre": "Lucía Bravo"},
        ),
        (
            "Iker Sanz 655443322 iker@sanz.es",
            {"nombre": "Iker Sanz", "telefono": "655443322", "correo": "iker@sanz.es"},
        ),
    ],
)
def test_several_values_come_in_one_message(message: str, expected: dict[str, str]) -> None:
    assert taken(AGENCY, message, asked="telefono") == expected


@pytest.mark.parametrize(
    ("message", "asked", "expected"),
    [
        ("tenía el 1144445555 pero lo perdí", "telefono", ""),
        ("el 1144445555 está dado de baja", "telefono", ""),
        ("antes era el 1144445555, ahora es el 1166667777", "telefono", "1166667777"),
        ("usaba el 1144445555 pero me lo robaron, ahora tengo el 1166667777", "telefono", "1166667777"),
        ("tengo el 1144445555 desde antes de mudarme", "telefono", "1144445555"),
        ("usaba lu@x.com pero ya no lo uso", "correo", ""),
        ("tenía lu@x.com pero me lo hackearon, ahora es lu2@x.com", "correo", "lu2@x.com"),
    ],
)
def test_what_was_theirs_is_no_more(message: str, asked: str, expected: str) -> None:
    assert taken(AGENCY, message, asked=asked).get(asked, "") == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("vivía en Rivadavia 3000 pero me mudé", ""),
        ("vivía en Rivadavia 3000 y me mudé a Corrientes 1500", "Corrientes 1500"),
        ("antes estaba en Mitre 450, ahora en Belgrano 980", "Belgrano 980"),
        ("ya no vivo en Salta 333", ""),
        ("vivo en Moreno 890 desde antes de la pandemia", "Moreno 890"),
    ],
)
def test_where_they_lived_is_no_address(message: str, expected: str) -> None:
    assert taken(SHOP, message, asked="direccion").get("direccion", "") == expected


@pytest.mark.parametrize(
    ("message", "asked", "expected"),
    [
        ("Iker Sanz iker@sanz.es 655443322", "", "655443322"),  # a mobile of Spain, for an agent of Argentina
        ("655 44 33 22", "telefono", "655443322"),
        ("el pedido 655443322 no llegó", "", ""),
        ("11444455", "telefono", "11444455"),
        ("114444555", "telefono", ""),  # a digit is missing, and no country has such numbers
    ],
)
def test_a_mobile_of_another_country_is_a_phone(message: str, asked: str, expected: str) -> None:
    assert taken(AGENCY, message, asked=asked).get("telefono", "") == expected


@pytest.mark.parametrize(
    ("message", "hour"),
    [
        ("traelo mañana a las 9 porfa", "09:00"),
        ("mándenlo para las 8 de la noche", "20:00"),
        ("tipo 20hs estoy en casa", "20:00"),
        ("el sábado al mediodía", "12:00"),
        ("a las seis y media de la tarde me queda bien", "18:30"),
        # not theirs
        ("abren a las 9?", ""),
        ("hasta qué hora atienden? hasta las 9?", ""),
        ("ayer lo trajeron a las 5", ""),
        ("la otra vez vino a las 11", ""),
        ("capaz a las 7", ""),
        ("quiero dos cosas", ""),
    ],
)
def test_an_hour_is_for_the_only_slot_of_hours(message: str, hour: str) -> None:
    assert taken(SHOP, message).get("hora", "") == hour


@pytest.mark.parametrize(
    ("message", "pack"),
    [
        ("quiero el de dos", "medio"),
        ("me quedo con el de tres", "grande"),
        ("necesito el de dos lo antes posible", "medio"),
        ("soy Sharon, mandame el de tres", "grande"),
        ("creo que ya entendí, quiero el de uno", "chico"),
        ("existe stock? dame el de dos", "medio"),
        ("la vez pasada llevé el de tres, ahora quiero el de uno", "chico"),
        # told, asked or thought about, not wished for
        ("ayer miré el de tres en instagram", ""),
        ("el martes pasado pedí el de dos", ""),
        ("me recomendaron el de dos", ""),
        ("cuánto sale el de tres?", ""),
        ("el de dos rinde más?", ""),
        ("tal vez el de tres", ""),
        ("el de uno o el de dos", ""),
    ],
)
def test_a_choice_must_be_wished_for_now(message: str, pack: str) -> None:
    assert taken(SHOP, message).get("pack", "") == pack


@pytest.mark.parametrize(
    ("message", "asked", "expected"),
    [
        ("del 3 al 10 de mayo", "ida", {"ida": "2026-05-03", "vuelta": "2026-05-10"}),
        ("desde el 14 hasta el 21", "ida", {"ida": "2026-03-14", "vuelta": "2026-03-21"}),
        ("voy el 4 de abril y vuelvo el 9 de abril", "ida", {"ida": "2026-04-04", "vuelta": "2026-04-09"}),
        ("salgo el 12 y regreso el 19", "", {"ida": "2026-03-12", "vuelta": "2026-03-19"}),
        (
            "de Salta a Lima del 5 al 8 de junio",
            "",
            {"origen": "Salta", "destino": "Lima", "ida": "2026-06-05", "vuelta": "2026-06-08"},
        ),
        ("Lima, del 1 al 8 de agosto", "destino", {"destino": "Lima", "ida": "2026-08-01", "vuelta": "2026-08-08"}),
        ("el 3 de mayo", "ida", {"ida": "2026-05-03"}),
        ("me voy el 29 y me devuelvo el 3 de abril", "ida", {"ida": "2026-03-29", "vuelta": "2026-04-03"}),
        ("me voy el sábado y regreso el jueves", "ida", {"ida": "2026-03-14", "vuelta": "2026-03-19"}),
        ("viajo el jueves y el miércoles me regreso", "ida", {"ida": "2026-03-12", "vuelta": "2026-03-18"}),
        ("el sábado me voy, el 28 es el regreso", "ida", {"ida": "2026-03-14", "vuelta": "2026-03-28"}),
        ("el 28 de mayo es la vuelta, salgo el 20 de mayo", "ida", {"ida": "2026-05-20", "vuelta": "2026-05-28"}),
        (
            "ida y vuelta, salimos el 20 de mayo con regreso el 25 de mayo",
            "",
            {"ida": "2026-05-20", "vuelta": "2026-05-25"},
        ),
        ("ida y vuelta el 6 de mayo", "", {"ida": "2026-05-06"}),
        ("volvemos el domingo", "ida", {"vuelta": "2026-03-15"}),
        ("salimos el viernes 20 y volvemos el domingo siguiente", "ida", {"ida": "2026-03-20", "vuelta": "2026-03-22"}),
        ("en una semana, o sea el martes 17", "ida", {"ida": "2026-03-17"}),
        ("el viernes santo, que es el 3 de abril", "ida", {"ida": "2026-04-03"}),
        ("el viernes santo no puedo", "ida", {}),
        ("el lunes no me queda bien", "ida", {}),
        ("el día del padre imposible", "ida", {}),
        ("no el 5 de mayo, el 6 de mayo", "ida", {"ida": "2026-05-06"}),
    ],
)
def test_two_days_are_for_two_slots(message: str, asked: str, expected: dict[str, str]) -> None:
    assert taken(TRAVEL, message, asked=asked) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("quiero ir a Lima", "Lima"),
        ("ya no voy a Lima, voy a Bogotá", "Bogotá"),
        ("a Cusco no, a Arequipa", "Arequipa"),
        ("no es a Lima, es a Bogotá", "Bogotá"),
        ("el verano pasado fui a Lima, ahora quiero ir a Bogotá", "Bogotá"),
        ("mejor el destino Lima", "Lima"),
        ("estuvimos en enero y fuimos a Lima", ""),
    ],
)
def test_what_is_denied_or_past_is_not_where_they_go(message: str, expected: str) -> None:
    assert taken(TRAVEL, message).get("destino", "") == expected


@pytest.mark.parametrize(
    ("message", "passengers"),
    [
        ("queremos viajar a Lima los 4", "4"),
        ("quiero ir a Lima con mi polola", "2"),
        ("viajamos a Lima mi esposa y yo", "2"),
        ("iríamos a Lima yo y mis dos chavos", "3"),
        ("los 2 vuelos a Lima están caros", ""),
        ("mi guagua de 1 año cuenta como pasajero?", ""),
        ("mi hermana me recomendó ir a Lima", ""),
        ("quiero ir a Lima con ustedes", ""),
    ],
)
def test_who_comes_along_is_counted_unasked(message: str, passengers: str) -> None:
    flights = TRAVEL.replace("asientos", "pasajeros")
    assert taken(flights, message).get("pasajeros", "") == passengers


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("3 asientos", {"asientos": "3"}),
        ("somos 3 y llevamos 2 valijas", {"asientos": "3", "maletas": "2"}),
        ("4, los chicos tienen 5 y 7 años", {"asientos": "4"}),
        ("la última vez fuimos 5, ahora 3", {"asientos": "3"}),
        ("no somos 5, somos 6", {"asientos": "6"}),
        ("voy con mi sobrina de 12", {}),
        ("2 valijas", {"maletas": "2"}),
    ],
)
def test_a_number_counts_what_is_asked_or_named(message: str, expected: dict[str, str]) -> None:
    assert taken(TRAVEL, message, asked="asientos") == expected


def test_a_weekday_of_the_way_back_comes_after_the_day_of_setting_out() -> None:
    told = taken(TRAVEL, "regresamos el miércoles siguiente", asked="asientos", ida="2026-03-20")
    assert told == {"vuelta": "2026-03-25"}


def test_the_rule_for_a_value_and_those_against_it_are_named() -> None:
    told = {each.slot: each for each in weighed(SHOP, "ayer miré el de tres, mandalo mañana a las 9").weighed()}
    assert (told["hora"].rule, told["hora"].taken) == ("the only slot of its type", True)
    assert (told["dia"].rule, told["dia"].against) == ("its shape", ())
    assert (told["pack"].taken, told["pack"].against) == (False, ("in the past",))
    assert str(told["pack"]) == "pack ≠ grande: its shape, but in the past"


def test_a_value_that_another_slot_has_taken_is_told() -> None:
    told = {each.slot: each for each in weighed(TRAVEL, "la ida es el 3 de mayo").weighed()}
    assert told["ida"].rule == "the day of setting out or of coming back"
    assert told["vuelta"].against == ("another slot's",)


def test_a_question_changes_nothing_in_front_of_a_summary() -> None:
    filled = {"dia": "2026-03-12", "hora": "09:00", "pack": "medio"}
    assert taken(SHOP, "y el de tres cuánto sale?", confirming=True, **filled) == {}
    assert taken(SHOP, "llega el viernes?", confirming=True, **filled) == {}


def test_rules_have_names_of_their_own_and_say_what_they_do() -> None:
    names = [*(reason.name for reason in ALL_REASONS), *(doubt.name for doubt in DOUBTS)]
    assert len(set(names)) == len(names)
    assert all(reason.find.__doc__ for reason in ALL_REASONS)
    assert all(doubt.holds.__doc__ for doubt in DOUBTS)


@pytest.mark.parametrize(
    "piece", ["5 ", "el de dos ", "a las 9, ", "no el 5 ", "500 usd? ", "hija de 3, 4 y ", "ayer vi ", "500 usd\n"]
)
def test_no_word_is_taken_twice_and_rubbish_is_weighed_fast(piece: str) -> None:
    message = piece * (100_000 // len(piece))
    for agent in (AGENCY, SHOP, TRAVEL):
        weighed(agent, message[:100])  # loads what is loaded once
        started = time.process_time()
        case = weighed(agent, message)
        assert time.process_time() - started < 1
        spans = sorted(each.span for each in case.taken.values())
        assert all(one[1] <= other[0] for one, other in pairwise(spans))
