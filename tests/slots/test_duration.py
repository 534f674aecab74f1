"""How long something takes, in the words of contacts, and what only sounds like it."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from hilo.agent.declaration import Agent, Slot
from hilo.agent.parse import parse
from hilo.agent.texts import complete
from hilo.agent.values import Accepted, Invalid, accept
from hilo.dialogue.wording import spoken
from hilo.recognisers.normalise import normalise
from hilo.slots.slot_type import Language
from hilo.testing import Conversation
from hilo.turn.run import Turn
from hilo.understanding.slot_values import Values

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
SLOT = Slot(type="duration")
HOUR, DAY, WEEK = 60, 1440, 10080


def found(text: str, *, asked: bool = True, least: int = 0) -> list[object]:
    values = Values(normalise(text), (), NOW, "AR").of(SLOT, asked=asked)
    return [each.value for each in values if each.confidence >= least]


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("2 horas", 120), ("dos horas", 120), ("2hs", 120), ("2 hs", 120), ("2h", 120), ("1h", 60), ("2 hrs", 120),
        ("una hora", 60), ("1 hora", 60), ("una horita", 60), ("hora y media", 90), ("una hora y media", 90),
        ("dos horas y media", 150), ("2 horas y 1/2", 150), ("hora y cuarto", 75), ("dos horas y cuarto", 135),
        ("una hora y tres cuartos", 105), ("hora y tres cuartos", 105), ("dos horas menos cuarto", 105),
        ("media hora", 30), ("media horita", 30), ("1/2 hora", 30), ("½ hora", 30), ("un cuarto de hora", 15),
        ("cuarto de hora", 15), ("tres cuartos de hora", 45), ("3/4 de hora", 45), ("45 min", 45), ("45min", 45),
        ("45 mins.", 45), ("45 minutos", 45), ("cuarenta y cinco minutos", 45), ("treintaicinco minutos", 35),
        ("90'", 90), ("90 minutos", 90), ("30m", 30), ("1h30", 90), ("1h 30", 90), ("1h30m", 90), ("1 h 30 min", 90),
        ("1 hora 30 minutos", 90), ("1 hora y 30 minutos", 90), ("una hora treinta", 90), ("1 hora con 15 minutos", 75),
        ("1,5 horas", 90), ("1.5 h", 90), ("2½ horas", 150), ("2 1/2 horas", 150), ("1:30", 90), ("1:30 hs", 90),
        ("un par de horas", 120), ("un par de días", 2 * DAY), ("par de semanas", 2 * WEEK), ("un día", DAY),
        ("2 días", 2 * DAY), ("3d", 3 * DAY), ("día y medio", 36 * HOUR), ("2 días y 3 horas", 2 * DAY + 180),
        ("2 días, 3 horas y 10 minutos", 2 * DAY + 190), ("dos semanas", 2 * WEEK), ("1 semana", WEEK),
        ("semana y media", 15120), ("quince días", 15 * DAY), ("una quincena", 15 * DAY), ("120 segundos", 2),
        ("unas 2 horas más o menos", 120), ("calculo que 40 minutos", 40), ("dura 50 minutos, creo", 50),
        ("1.500 minutos", 1500), ("kinse minutos", 15), ("DOS HORAS!!", 120),
        ("2 hours", 120), ("an hour", 60), ("an hour and a half", 90), ("one and a half hours", 90),
        ("two and a half hours", 150), ("half an hour", 30), ("a half hour", 30), ("a quarter of an hour", 15),
        ("three quarters of an hour", 45), ("an hour and a quarter", 75), ("forty-five minutes", 45),
        ("forty five minutes", 45), ("2 hrs 15 mins", 135), ("1 hour and 20 minutes", 80),
        ("a couple of days", 2 * DAY),
        ("a couple hours", 120), ("a fortnight", 14 * DAY), ("3 weeks", 3 * WEEK), ("a day and a half", 36 * HOUR),
    ],
)  # fmt: skip
def test_a_duration_is_found_however_it_is_said(text: str, minutes: int) -> None:
    assert found(text) == [minutes]


@pytest.mark.parametrize(
    "text",
    [
        "", "45", "dos", "mucho", "un rato", "no sé", "lo normal", "horas", "unas horas", "buenos días", "buen día",
        "hoy", "todo el día", "un mes", "2 meses", "un año", "6 years", "30 segundos", "0 minutos", "-2 horas",
        "2 o 3 horas", "entre 1 y 2 horas", "de 2 a 3 días", "2-3 horas", "two or three hours", "una o dos semanas",
        "a las 3 horas", "a las 17:30", "a las 17:30 hs", "son las 2 hs", "un fin de semana", "al medio día",
        "5 metros", "5 m", "2 personas", "media docena", "un par de zapatos", "1/0 hora", "99999999 semanas",
        "el horario", "minutas", "cuarto de kilo", "half a dozen",
    ],
)  # fmt: skip
def test_what_is_no_exact_duration_is_not_found(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "hace dos horas que espero", "llego en media hora", "dentro de 2 días", "cada 8 horas", "2 días después",
        "3 weeks ago", "in two hours", "un día de estos", "una hora", "2 years and 3 days old",
    ],
)  # fmt: skip
def test_a_moment_is_no_duration_that_nobody_asked_for(text: str) -> None:
    assert found(text, asked=False, least=70) == []


@pytest.mark.parametrize(
    "text", ["quiero un masaje de 90 minutos", "necesito la sala por 2 horas", "I need it for 3 days"]
)
def test_a_duration_is_told_by_its_shape(text: str) -> None:
    assert len(found(text, asked=False, least=70)) == 1


@pytest.mark.parametrize(
    "text",
    ["hora y " * 400, "1h" * 1000, "½" * 2000, "9" * 1990 + " horas", "un par de " * 200, "2 y " * 500, "²h ٣ horas"],
)
def test_hostile_texts_are_read_without_harm(text: str) -> None:
    assert all(isinstance(each, int) and each > 0 for each in found(text))


# --- stored and shown -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "stored"), [(90, 90), (Decimal(90), 90), (Decimal("1.0"), 1)])
def test_minutes_are_stored_as_a_whole_number(value: int | Decimal, stored: int) -> None:
    assert accept(SLOT, value) == Accepted(stored)


@pytest.mark.parametrize(
    "value", [0, -5, True, "90", "hora y media", "", Decimal("1.5"), Decimal("NaN"), Decimal("Infinity"), 10**9]
)
def test_nothing_else_is_stored(value: int | Decimal | str) -> None:
    assert accept(SLOT, value) == Invalid("invalid.duration")


@pytest.mark.parametrize(
    ("minutes", "language", "shown"),
    [
        (1, "es", "1 minuto"), (45, "es", "45 minutos"), (60, "es-AR", "1 hora"), (90, "es-CO", "1 hora y 30 minutos"),
        (DAY, "es", "1 día"), (DAY + 61, "es", "1 día, 1 hora y 1 minuto"), (2 * WEEK, "es", "2 semanas"),
        (WEEK, "en", "1 week"), (150, "en", "2 hours and 30 minutes"), (3 * DAY, "en", "3 days"),
    ],
)  # fmt: skip
def test_a_duration_is_shown_in_the_language_of_the_agent(minutes: int, language: Language, shown: str) -> None:
    agent = complete(Agent(agent="a", language=language, slots={"x": SLOT}))
    assert spoken(agent, "x", minutes) == shown


# --- in conversation --------------------------------------------------------------------------------------

AGENT = """
agent: sala
language: es
slots:
  nombre: {type: person_name, ask: "¿Tu nombre?"}
  cuanto: {type: duration, label: reserva, min: 30, max: 240, ask: "¿Por cuánto tiempo?"}
flows:
  reserva:
    starts: always
    steps:
      - collect: [nombre, cuanto]
      - {say: "Larga: {cuanto}.", when: cuanto > 120}
      - {say: "Corta: {cuanto}.", when: cuanto <= 120}
"""


async def last_reply(*messages: str, agent: str = AGENT) -> str:
    conversation = Conversation(Turn(parse(agent)))
    for message in messages:
        await conversation.say(message)
    return conversation.replies[-1].text


async def test_a_bare_number_is_asked_again() -> None:
    told = await last_reply("soy Ana Pérez", "45")
    assert told.startswith("Necesito saber cuánto dura, por ejemplo «45 minutos»")


async def test_a_duration_out_of_bounds_is_explained_with_durations() -> None:
    told = await last_reply("soy Ana Pérez", "10 minutos")
    assert told == "Tiene que durar desde 30 minutos hasta 4 horas. ¿Por cuánto tiempo?"


async def test_a_duration_is_taken_unasked_and_compared_by_guards() -> None:
    told = await last_reply("hola, quiero la sala por hora y media", "Ana Pérez")
    assert "Corta: 1 hora y 30 minutos." in told
    assert "Larga: 3 horas." in await last_reply("soy Ana Pérez", "3 horas")


async def test_a_number_beside_a_duration_is_still_the_only_number() -> None:
    with_people = AGENT.replace("  cuanto:", '  personas: {type: number, ask: "¿Cuántos?"}\n  cuanto:')
    with_people = with_people.replace("[nombre, cuanto]", "[nombre, personas, cuanto]")
    with_people = with_people.replace("      - {say", "      - confirm: ¿Va?\n      - {say", 1)
    told = ("soy Ana Pérez", "somos 4", "dos horas")
    assert (await last_reply(*told, "en realidad somos 5", agent=with_people)).startswith(
        "Listo, corregí tu personas: 5."
    )
    changed = await last_reply(*told, "en realidad 3 horas", agent=with_people)
    assert changed.startswith("Listo, corregí tu reserva: 3 horas.")
