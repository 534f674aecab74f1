"""Who wants out is let go: nobody writes to them again, what was noted is emptied, a goodbye ends the talk."""

from datetime import timedelta

import pytest

from hilo.agent.parse import parse
from hilo.dialogue.commands import EraseData, OptOut
from hilo.dialogue.effects import HandOff
from hilo.testing import Conversation
from hilo.turn.run import Turn, TurnResult
from hilo.understanding.intents.encoder import load_encoder
from hilo.understanding.intents.model import train
from hilo.understanding.reading import intent_examples

TEXT = """\
agent: gimnasio
language: es-AR
country: AR
slots:
  nombre: {type: person_name, ask: ["¿Cómo te llamás?", "¿Tu nombre?"]}
  telefono: {type: phone, label: teléfono, ask: ["¿A qué número te llamamos?", "¿Cuál es tu teléfono?"]}
  comentario: {type: text, required: false, ask: "¿Querés agregar algo?"}
flows:
  alta:
    description: anotarte
    starts: [quiero anotarme, quiero inscribirme, me quiero inscribir]
    steps:
      - collect: [nombre, telefono, comentario]
      - say: "Te llamamos al {telefono}."
intents:
  horario: {label: el horario, examples: [a qué hora abren, qué horario tienen], answer: "Abrimos de 7 a 22."}
timers:
  sigue: {after: 10m of silence, say: "¿Seguís ahí?"}
escalation:
  - timeout: 30m
  - llm_intent: wants_human
  - sentiment: {below: -0.6}
"""
AGENT = parse(TEXT, toolbox={})
TURN = Turn(AGENT, intents=train(intent_examples(AGENT), encoder=load_encoder()))


async def talk(*lines: str) -> tuple[Conversation, TurnResult]:
    """The talk after these messages, and what the last one led to."""
    conversation = Conversation(TURN)
    results = [await conversation.say(line) for line in lines]
    return conversation, results[-1]


@pytest.mark.parametrize(
    "wish",
    [
        "no quiero que nadie me llame",
        "no me escriban más por favor",
        "sáquenme de esa lista",
        "dejen de mandarme cosas, no me molesten más",
        "che, que no me contacten",
        "no quiero recibir publicidad, denme de baja",
    ],
)
async def test_who_wants_no_messages_gets_none_and_no_person(wish: str) -> None:
    conversation, result = await talk("quiero anotarme", wish)
    assert result.decision.accepted == (OptOut(),)
    assert conversation.replies[-1].text.startswith("Listo, lo dejamos acá y no te escribimos más.")
    assert (conversation.session.stack, conversation.session.pending) == ((), None)
    heard = len(conversation.replies)
    await conversation.wait(timedelta(hours=2))
    assert len(conversation.replies) == heard
    assert conversation.session.handoff is None


@pytest.mark.parametrize("again", ["¡que no!", "no.", "son insoportables, los odio", "blablabla"])
async def test_whoever_wanted_to_be_left_alone_and_insists_is_asked_nothing_and_sent_nobody(again: str) -> None:
    conversation, _ = await talk("quiero anotarme", "no me escriban más", again)
    assert "?" not in conversation.replies[-1].text
    assert conversation.session.agent_holds
    await conversation.say("quiero anotarme")
    assert conversation.replies[-1].text.endswith("?")  # who comes back is served


@pytest.mark.parametrize(
    "other",
    [
        "no me llamen antes de las 10",
        "no me llamen, prefiero un mail",
        "no me escriban de noche",
        "si no me llaman hoy, ¿qué hago?",
        "no quiero que me llamen, mejor mensaje",
    ],
)
async def test_a_wish_on_terms_is_none_to_be_left_alone(other: str) -> None:
    _, result = await talk("quiero anotarme", other)
    assert OptOut() not in result.decision.accepted


@pytest.mark.parametrize(
    "wish", ["borren mis datos", "¡que me borren!", "¿pueden eliminar todos mis datos?", "quiero que me borren de ahí"]
)
async def test_what_was_noted_is_emptied_and_the_operators_are_told(wish: str) -> None:
    conversation, result = await talk("quiero anotarme", "Lucía Ferro", wish)
    decision = result.decision
    assert decision.accepted == (EraseData(),)
    assert conversation.session.slots == {}
    assert [effect.policy for effect in decision.effects if isinstance(effect, HandOff)] == ["erase"]
    assert conversation.session.agent_holds  # nobody writes to them about it
    assert "borré todo lo que había anotado de vos" in conversation.replies[-1].text


@pytest.mark.parametrize("other", ["no borren mis datos", "si borran mis datos me enojo", "¿cuándo borran mis datos?"])
async def test_what_is_not_wanted_or_only_asked_about_deletes_nothing(other: str) -> None:
    conversation, result = await talk("quiero anotarme", "Lucía Ferro", other)
    assert EraseData() not in result.decision.accepted
    assert conversation.session.slots["nombre"] == "Lucía Ferro"


@pytest.mark.parametrize("bye", ["chau", "bueno, hasta luego", "ok chau", "jaja genial, nos vemos"])
async def test_a_goodbye_is_not_met_with_the_open_question_nor_with_reminders(bye: str) -> None:
    conversation, _ = await talk("quiero anotarme", bye)
    assert "?" not in conversation.replies[-1].text
    heard = len(conversation.replies)
    await conversation.wait(timedelta(hours=2))
    assert len(conversation.replies) == heard
    await conversation.say("Lucía Ferro")
    assert conversation.session.slots["nombre"] == "Lucía Ferro"  # what was asked is still open
    await conversation.wait(timedelta(minutes=11))
    assert conversation.replies[-1].text.startswith("¿Seguís ahí?")  # whoever came back may be reminded


@pytest.mark.parametrize("bye", ["chau, no me sirve", "dejalo, gracias", "no gracias, adiós"])
async def test_a_goodbye_with_a_no_leaves_what_is_under_way(bye: str) -> None:
    conversation, _ = await talk("quiero anotarme", bye)
    assert conversation.session.stack == ()
    assert "?" not in conversation.replies[-1].text


@pytest.mark.parametrize("end", ["no, nada más", "eso es todo", "gracias igual", "dejalo, muy amable", "chau chau"])
async def test_an_end_where_nothing_is_open_is_a_polite_one(end: str) -> None:
    conversation, _ = await talk("¿a qué hora abren?", end)
    text = conversation.replies[-1].text
    assert "no te entendí" not in text
    assert "?" not in text


async def test_thanks_do_not_bring_the_same_question_again_and_again() -> None:
    conversation, _ = await talk("quiero anotarme", "gracias", "muchas gracias")
    assert "?" in conversation.replies[-2].text
    assert "?" not in conversation.replies[-1].text


# --- waiting for a person ------------------------------------------------------------------------------------


async def test_who_waits_is_answered_each_time_but_for_a_second_nod() -> None:
    conversation, added = await talk("quiero hablar con una persona", "es por mi hija", "tiene 12 años")
    assert added.replies
    assert (await conversation.say("ok, espero")).replies
    assert not (await conversation.say("acá espero")).replies
    await conversation.say("¿hay alguien?")
    assert "equipo" in conversation.replies[-1].text
    await conversation.wait(timedelta(minutes=4))
    heard = len(conversation.replies)
    await conversation.say("sigo acá")
    assert len(conversation.replies) == heard + 1


async def test_what_the_agent_knows_is_answered_while_a_person_is_awaited() -> None:
    conversation, _ = await talk("quiero hablar con una persona", "¿qué horario tienen?")
    assert conversation.replies[-1].text == "Abrimos de 7 a 22."
    assert conversation.session.handoff is not None


async def test_an_emergency_is_not_left_waiting() -> None:
    conversation, _ = await talk("quiero hablar con una persona", "es una urgencia, está sangrando")
    assert "emergencias" in conversation.replies[-1].text


@pytest.mark.parametrize("end", ["dejalo, gracias", "ya no hace falta", "no me llamen"])
async def test_who_does_not_want_the_person_any_more_is_let_go(end: str) -> None:
    conversation, _ = await talk("quiero hablar con una persona", end)
    assert conversation.session.agent_holds
    heard = len(conversation.replies)
    await conversation.wait(timedelta(hours=1))
    assert len(conversation.replies) == heard
