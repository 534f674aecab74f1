"""Values that come before their flow go to it, and a reply that leaves nothing open leads on."""

from datetime import timedelta
from pathlib import Path

import pytest

from hilo.app import LoadedAgent, load_agent
from hilo.testing import Conversation

AGENTS = Path(__file__).parents[2] / "agents"

VET = """\
agent: veterinaria
language: es-AR
country: AR
timezone: America/Argentina/Buenos_Aires
slots:
  dueno: {type: person_name, label: nombre, ask: "¿A nombre de quién?"}
  dia: {type: date, label: día, ask: "¿Qué día?"}
  hora: {type: time, ask: "¿A qué hora?"}
  correo: {type: email, ask: "¿Tu correo?"}
flows:
  bano:
    description: pedir un baño
    starts: [quiero bañar a mi perro, necesito un baño para el perro, turno de baño]
    steps:
      - collect: [dueno, dia, hora, correo]
      - confirm: "Baño el {dia} a las {hora} para {dueno}. ¿Lo anoto?"
      - say: "Anotado el baño."
  deshacer:
    like: cancel_appointment
    description: cancelar un baño
    starts: [quiero cancelar el baño, anular el baño]
    steps:
      - collect: dueno
      - say: "Cancelé el baño de {dueno}."
intents:
  horario: {label: el horario, examples: [a qué hora abren, qué horario tienen], answer: "De 9 a 18."}
escalation:
  - keyword: [humano, encargada]
  - llm_intent: wants_human
  - sentiment: {below: -0.6}
"""


@pytest.fixture(scope="module")
def vet(tmp_path_factory: pytest.TempPathFactory) -> LoadedAgent:
    folder = tmp_path_factory.mktemp("vet")
    (folder / "agent.yaml").write_text(VET, encoding="utf-8")
    return load_agent(folder)


async def heard(talk: Conversation, *messages: str) -> str:
    for message in messages:
        await talk.say(message)
    return talk.replies[-1].text


async def test_values_and_words_that_speak_for_a_flow_begin_it(vet: LoadedAgent) -> None:
    talk = Conversation(vet)
    assert await heard(talk, "turno para el perro el sábado a las 11, soy Carla Vega") == "¡Hola! ¿Cómo va? ¿Tu correo?"


async def test_a_value_without_a_wish_is_kept_for_the_flow_that_is_offered(vet: LoadedAgent) -> None:
    talk = Conversation(vet)
    assert "¿Te ayudo con esto: pedir un baño?" in await heard(talk, "mi correo es carla@vega.com")
    assert await heard(talk, "sí") == "¿A nombre de quién?"
    assert talk.session.slots == {"correo": "carla@vega.com"}


async def test_who_gives_more_when_a_flow_is_offered_has_said_yes(vet: LoadedAgent) -> None:
    talk = Conversation(vet)
    assert await heard(talk, "mi correo es carla@vega.com", "soy Carla Vega") == (
        "Bien, anoté tu nombre: Carla Vega. ¿Qué día?"
    )


async def test_what_was_given_before_its_flow_is_not_asked_for_and_asked_anew_the_next_time(vet: LoadedAgent) -> None:
    talk = Conversation(vet)
    assert "¿Qué día?" in await heard(talk, "soy Carla Vega", "quiero bañar a mi perro")
    await heard(talk, "mañana", "a las 10", "carla@vega.com", "dale")
    assert await heard(talk, "quiero bañar a mi perro") == "¿A nombre de quién?"


async def test_small_talk_and_what_is_not_ours_end_with_a_way_on(vet: LoadedAgent) -> None:
    assert "pedir un baño, cancelar un baño, el horario" in await heard(Conversation(vet), "¿quién ganó el mundial?")


async def test_to_cancel_where_nothing_is_under_way_begins_the_flow_that_undoes(vet: LoadedAgent) -> None:
    assert "¿A nombre de quién?" in await heard(Conversation(vet), "hola", "cancelá")


async def test_what_was_noted_is_told_when_it_is_asked_back(vet: LoadedAgent) -> None:
    talk = Conversation(vet)
    told = await heard(talk, "quiero bañar a mi perro", "Carla Vega", "¿qué nombre te di?")
    assert told == "Anoté tu nombre: Carla Vega. ¿Qué día?"
    everything = await heard(talk, "mañana", "¿qué datos míos tenés anotados?")
    assert "• nombre: Carla Vega" in everything
    assert everything.endswith("¿A qué hora?")


@pytest.mark.parametrize("question", ["¿sos humano?", "¿esto lo contesta alguien o es un robot?", "¿vos quién sos?"])
async def test_a_question_about_us_is_answered_though_it_has_a_keyword(vet: LoadedAgent, question: str) -> None:
    talk = Conversation(vet)
    assert "programa" in await heard(talk, "hola", question)
    assert talk.session.handoff is None


async def test_why_something_is_asked_for_is_told(vet: LoadedAgent) -> None:
    told = await heard(Conversation(vet), "quiero bañar a mi perro", "¿para qué querés mi nombre?")
    assert told == "Lo necesito para esto: pedir un baño. ¿A nombre de quién?"


async def test_a_sentence_is_no_bad_name(vet: LoadedAgent) -> None:
    told = await heard(Conversation(vet), "quiero bañar a mi perro", "es un caniche que se ensucia siempre")
    assert told == "Entiendo. ¿A nombre de quién?"


@pytest.mark.parametrize(
    ("said", "day"),
    [("que sea el 22", "2026-05-22"), ("mejor el 3", "2026-05-03"), ("no, el 8 de junio", "2026-06-08")],
)
async def test_a_corrected_day_stays_in_its_month(vet: LoadedAgent, said: str, day: str) -> None:
    talk = Conversation(vet)
    await heard(talk, "quiero bañar a mi perro", "Carla Vega", "el 20 de mayo", "a las 10", "carla@vega.com", said)
    assert str(talk.session.slots["dia"]) == day


@pytest.mark.parametrize("said", ["no gracias", "mejor no", "ya no lo quiero", "no me interesa"])
async def test_a_no_that_does_not_want_the_thing_leaves_it(vet: LoadedAgent, said: str) -> None:
    talk = Conversation(vet)
    await heard(talk, "quiero bañar a mi perro", "Carla Vega", "mañana", "a las 10", "carla@vega.com", said)
    assert not talk.session.stack


@pytest.mark.parametrize("said", ["no, soy jubilada", "no tengo perro, soy jubilada"])
async def test_a_word_that_is_no_name_renames_nobody(vet: LoadedAgent, said: str) -> None:
    talk = Conversation(vet)
    await heard(talk, "quiero bañar a mi perro", "Carla Vega", said)
    assert talk.session.slots["dueno"] == "Carla Vega"


async def test_words_that_only_put_off_break_nothing(vet: LoadedAgent) -> None:
    talk = Conversation(vet)
    full = ("quiero bañar a mi perro", "Carla Vega", "mañana", "a las 10", "carla@vega.com")
    assert "Sin apuro" in await heard(talk, *full, "pará, todavía no, lo hablo con mi hermana")


async def test_who_orders_when_asked_whether_to_cancel_does_not_want_to() -> None:
    talk = Conversation(load_agent(AGENTS / "kiosco"))
    await heard(talk, "una coca de 500", "confirmar", "Ana Ruiz", "30111222", "lo retiro", "sí", "cancelar")
    assert "Agregué 2 Fanta 500 ml" in await heard(talk, "mandame 2 fanta de 500")
    assert "¿Lo cancelo?" not in talk.replies[-1].text


async def test_any_one_of_what_was_offered_is_the_first() -> None:
    talk = Conversation(load_agent(AGENTS / "kiosco"))
    assert "Agregué 2 Gatorade" in await heard(talk, "2 gatorade", "me da igual, cualquiera")


async def test_values_beside_a_question_about_an_order_leave_it_open() -> None:
    talk = Conversation(load_agent(AGENTS / "kiosco"))
    assert "de Gatorade?" in await heard(talk, "2 gatorade", "soy Ana Ruiz, mi dni es 30111222")
    assert talk.session.slots["name"] == "Ana Ruiz"


async def test_what_an_opening_flow_was_given_is_there_in_the_next_session() -> None:
    talk = Conversation(load_agent(AGENTS / "leads"))
    await heard(talk, "soy Ana Ruiz", "ana@ruiz.com")
    await talk.wait(timedelta(days=2))
    assert (await heard(talk, "hola")).endswith("¿Cuál es tu teléfono?")


async def test_a_question_that_has_an_answer_is_no_anger() -> None:
    talk = Conversation(load_agent(AGENTS / "somnio"))
    await heard(talk, "hola", "¿y si no me sirve me devuelven el dinero?")
    assert talk.session.handoff is None


async def test_a_count_of_people_is_no_wish_for_one() -> None:
    talk = Conversation(load_agent(AGENTS / "vuelos"))
    await heard(talk, "quiero un vuelo de Lima a Cusco el 20 de abril", "una persona")
    assert talk.session.handoff is None
