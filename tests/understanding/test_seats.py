"""Who has a seat, how many were named as all of them, and which hours and days a no leaves."""

from datetime import UTC, datetime

import pytest

from hilo.agent.declaration import Slot
from hilo.agent.parse import parse
from hilo.recognisers.normalise import normalise
from hilo.testing import Conversation
from hilo.turn.run import Turn
from hilo.understanding.slot_values import Values

NOW = datetime(2026, 3, 2, tzinfo=UTC)
SEATS = Slot(type="number", label="número de pasajeros", also=("boletos",), ask=("¿Cuántos pasajeros son?",))
GUESTS = Slot(type="number", label="comensales", ask=("¿Cuántos comensales son?",))
HOURS = Slot(type="time_range", label="horario")
DAY = Slot(type="date", label="día")


def value_of(slot: Slot, said: str) -> object:
    found = Values(normalise(said), (), NOW, "AR", "es-AR").of(slot, asked=True)
    return found[0].value if found else None


@pytest.mark.parametrize(
    ("said", "seats", "guests"),
    [
        ("2 adultos y un bebé", 2, 3),
        ("mi marido, yo y la beba", 2, 3),
        ("somos 3 y una bebita", 3, 4),
        ("yo y mi bebé de 3 años", 2, 2),
        ("2 adultos, 2 niños y 1 bebe", 4, 5),
        ("voy con mi bebé", 1, 2),
    ],
)
def test_a_baby_has_no_seat_and_is_a_guest(said: str, seats: int, guests: int) -> None:
    assert (value_of(SEATS, said), value_of(GUESTS, said)) == (seats, guests)


@pytest.mark.parametrize(
    ("said", "many"),
    [
        ("1 pasajero, mi hermana y yo compramos aparte", 1),
        ("un pasajero. con mi mamá y mi tía no hay lugar", 1),
        ("2 personas, mi esposa y yo", 2),
        ("3 pasajeros: mi mamá, mi papá y yo", 3),
        ("2 personas y mi suegra", 3),
        ("2 adultos, 3 niños", 5),
    ],
)
def test_who_is_named_behind_all_of_them_is_counted_already(said: str, many: int) -> None:
    assert value_of(GUESTS, said) == many


@pytest.mark.parametrize("said", ["las 9 y 15", "las 9 y cuarto", "las 9 menos 5"])
def test_an_hour_counts_nobody(said: str) -> None:
    assert value_of(GUESTS, said) is None


@pytest.mark.parametrize(
    ("said", "hours"),
    [
        ("no antes de las 9", "09:00-23:59"),
        ("después de las 10 no puedo", "00:00-10:00"),
        ("antes de las 10 no, gracias", "10:00-23:59"),
        ("después de las 10 no hay problema", "10:00-23:59"),
    ],
)
def test_a_no_turns_the_hours_around(said: str, hours: str) -> None:
    assert value_of(HOURS, said) == hours


def test_a_usual_day_is_the_next_one() -> None:
    assert value_of(DAY, "los jueves") == "2026-03-05"
    assert value_of(DAY, "los sábados") == "2026-03-07"


WHEN = Turn(
    parse("""\
agent: peluqueria
language: es-AR
country: AR
slots:
  dia: {type: date, label: día, ask: "¿Qué día?"}
  hora: {type: time, label: hora, ask: "¿A qué hora?"}
  rango: {type: time_range, label: horario, required: false, ask: "¿Entre qué horas?"}
flows:
  turno:
    starts: always
    steps:
      - collect: dia
      - collect: rango
        when: rango is not empty
      - collect: hora
      - say: Listo.
""")
)


async def slots_after(*said: str) -> dict[str, object]:
    talk = Conversation(WHEN)
    for line in ("hola", *said):
        await talk.say(line)
    return dict(talk.session.slots)


@pytest.mark.parametrize("said", ["no antes de las 9", "no puedo antes de las 9"])
async def test_hours_that_are_refused_are_no_correction(said: str) -> None:
    assert (await slots_after("el jueves", said))["rango"] == "09:00-23:59"


async def test_the_day_that_is_excepted_is_not_taken() -> None:
    assert "dia" not in await slots_after("cualquier día menos el lunes")


async def test_one_of_two_days_is_offered() -> None:
    talk = Conversation(WHEN)
    await talk.say("hola")
    await talk.say("lunes o miércoles")
    assert "9 de marzo" in talk.replies[-1].text
