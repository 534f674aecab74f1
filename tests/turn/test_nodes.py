"""Each node on its own: state in, changes out."""

from dataclasses import replace
from datetime import timedelta

import pytest
from turn_states import CONTEXT, NOW, decided, session, state

from hilo.dialogue.commands import (
    Affirm,
    CancelFlow,
    Command,
    CorrectSlot,
    Deny,
    Digress,
    RequestHuman,
    SetSlot,
    SkipSlot,
)
from hilo.dialogue.effects import Ask, AskYes, Line, Say
from hilo.dialogue.escalation import Escalation
from hilo.dialogue.events import MessageReceived, MessageUnderstood, TimerFired
from hilo.dialogue.session import AskedSlot, AskedWhich, AskedYes, Counters, Session
from hilo.dialogue.timers import TIMEOUT_TIMER
from hilo.messages import Button
from hilo.turn import message_nodes, nodes, value_nodes
from hilo.turn.state import Record, TurnState
from hilo.understanding.corrections import Correction

ASKED_NAME = replace(session(), pending=AskedSlot("name"))
ASKED_EMAIL = replace(session(), pending=AskedSlot("email"), slots={"name": "Juan"}, last_slot="name")
ASKED_PHONE = replace(
    session(), pending=AskedSlot("phone"), slots={"name": "Juan", "email": "juan@x.com"}, last_slot="email"
)
ASKED_COMPANY = replace(ASKED_PHONE, pending=AskedSlot("company"))
ASKED_BUDGET = replace(ASKED_PHONE, pending=AskedSlot("budget"))


# --- check_escalation -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        ("Necesito hablar con un humano", "keyword"),
        ("quiero un ASESOR", "keyword"),
        ("esto es una porquería, son unos inútiles", "sentiment"),
        ("¿me pasas con alguien de verdad?", "llm_intent"),
        ("Hola, soy Juan", None),
        ("no quiero un asesor", None),
        ("la humanidad", None),
    ],
)
async def test_check_escalation_asks_the_policies(text: str, policy: str | None) -> None:
    changes = await nodes.check_escalation(state(text), CONTEXT)
    escalation = changes["escalation"]
    assert (escalation.policy if escalation else None) == policy


async def test_check_escalation_gives_the_reason() -> None:
    escalation = (await nodes.check_escalation(state("quiero un humano"), CONTEXT))["escalation"]
    assert escalation == Escalation("keyword", "the contact wrote humano")


async def test_check_escalation_keyword_comes_before_sentiment() -> None:
    changes = await nodes.check_escalation(state("son unos inútiles, quiero un humano"), CONTEXT)
    assert changes["escalation"] is not None
    assert changes["escalation"].policy == "keyword"


async def test_check_escalation_looks_at_the_deadline() -> None:
    late = replace(session(), timers={TIMEOUT_TIMER: NOW - timedelta(seconds=1)})
    assert (await nodes.check_escalation(state("Juan", of=late), CONTEXT))["escalation"] is not None
    soon = replace(session(), timers={TIMEOUT_TIMER: NOW + timedelta(seconds=1)})
    assert (await nodes.check_escalation(state("Juan", of=soon), CONTEXT))["escalation"] is None


async def test_check_escalation_looks_at_failed_attempts() -> None:
    stuck = replace(session(), counters=Counters(invalid={"email": 3}))
    escalation = (await nodes.check_escalation(state("Juan", of=stuck), CONTEXT))["escalation"]
    assert escalation is not None
    assert escalation.policy == "completion"


async def test_check_escalation_does_not_read_what_is_no_message() -> None:
    assert await nodes.check_escalation({"session": session(), "event": TimerFired(NOW, "x")}, CONTEXT) == {}


# --- understand -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "pending", "expected"),
    [
        ("sí", AskedYes("d"), (Affirm(),)),
        ("no", AskedYes("d"), (Deny(),)),
        ("dale", AskedWhich(("email",)), (Affirm(),)),
        ("sí", AskedSlot("name"), ()),
        ("olvidalo", AskedSlot("name"), (CancelFlow(),)),
        ("quiero hablar con alguien real", None, (RequestHuman(),)),
        ("Juan", AskedSlot("name"), ()),
    ],
)
async def test_understand_reads_acts(
    text: str, pending: AskedSlot | AskedYes | AskedWhich | None, expected: tuple[Command, ...]
) -> None:
    asked = replace(session(), pending=pending)
    assert (await message_nodes.understand(state(text, of=asked), CONTEXT))["commands"] == expected


async def test_understand_takes_a_button_at_its_word() -> None:
    pressed: TurnState = {**state("Correo"), "event": MessageReceived(NOW, "Correo", payload="correct:email")}
    assert (await message_nodes.understand(pressed, CONTEXT))["commands"] == (CorrectSlot("email"),)


async def test_understand_says_when_a_message_was_too_long() -> None:
    assert (await message_nodes.understand(state("hola " * 2000), CONTEXT))["commands"] == (Digress("too_long"),)


# --- check_correction -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "of", "slot"),
    [
        ("No, mi email es juan.nuevo@ejemplo.com", ASKED_PHONE, "email"),
        ("En realidad, debería ser otro@x.com", ASKED_PHONE, "email"),
        ("Déjame corregir mi nombre", ASKED_PHONE, "name"),
        ("Eso está mal", ASKED_PHONE, ""),
        ("me equivoqué de correo", ASKED_PHONE, "email"),
        ("mi nombre es Pedro", ASKED_PHONE, "name"),
        ("perdón, soy Juan Pablo", ASKED_EMAIL, "name"),
        ("el correo", replace(ASKED_PHONE, pending=AskedWhich(("email", "name"))), "email"),
        ("actually my email is new@x.com", ASKED_PHONE, "email"),
        ("no, mi email es juan@x.com", ASKED_EMAIL, None),
        ("3001234567", ASKED_PHONE, None),
        ("perdón, 3001234567", ASKED_PHONE, None),
        ("Juan", ASKED_NAME, None),
        ("eso está mal", ASKED_NAME, None),
        ("¿Cómo está el clima?", ASKED_PHONE, None),
    ],
)
async def test_check_correction_finds_what_is_corrected(text: str, of: Session, slot: str | None) -> None:
    correction = (await message_nodes.check_correction(state(text, of=of), CONTEXT))["correction"]
    assert correction == (None if slot is None else Correction(slot))


# --- check_off_topic ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "of", "kind"),
    [
        ("Hola", ASKED_NAME, "greeting"),
        ("hey, buenos días", ASKED_NAME, "greeting"),
        ("¿Cuál es el clima?", ASKED_EMAIL, "off_topic"),
        ("Tengo otra pregunta", ASKED_EMAIL, "off_topic"),
        ("¿para qué lo quieren?", ASKED_COMPANY, "off_topic"),
        ("muchas gracias", ASKED_EMAIL, "thanks"),
        ("¿cómo?", ASKED_EMAIL, "repeat"),
        ("", ASKED_EMAIL, "no_text"),
        ("🤷🤷", ASKED_EMAIL, "repeat"),
        ("...", ASKED_EMAIL, "repeat"),
        ("❤️", ASKED_EMAIL, "aside"),
        ("Hola, soy Juan", ASKED_NAME, None),
        ("buenas, juan@x.com", ASKED_EMAIL, None),
        ("juan@x.com ¿está bien?", ASKED_EMAIL, None),
        ("Acme", ASKED_COMPANY, None),
    ],
)
async def test_check_off_topic_tells_what_is_off_the_subject(text: str, of: Session, kind: str | None) -> None:
    commands = (await message_nodes.check_off_topic(state(text, of=of), CONTEXT)).get("commands", ())
    assert [each.kind for each in commands if isinstance(each, Digress)] == ([kind] if kind else [])


# --- extract_field --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "of", "expected"),
    [
        ("Mi nombre es Juan", ASKED_NAME, (SetSlot("name", "Juan"),)),
        ("Juan Pérez", ASKED_NAME, (SetSlot("name", "Juan Pérez"),)),
        ("juan@ejemplo.com", ASKED_EMAIL, (SetSlot("email", "juan@ejemplo.com"),)),
        ("juan arroba ejemplo punto com", ASKED_EMAIL, (SetSlot("email", "juan@ejemplo.com"),)),
        ("no tengo", ASKED_BUDGET, (SkipSlot("budget"),)),
        ("asdf", ASKED_EMAIL, (SetSlot("email", "asdf"),)),
        ("quiero comprar algo", ASKED_NAME, (Digress("beside"),)),  # a sentence, and no try at a name
        ("trabajo en Panadería La Espiga", ASKED_COMPANY, (SetSlot("company", "Panadería La Espiga"),)),
        ("mi empresa se llama Tres Ríos", ASKED_COMPANY, (SetSlot("company", "Tres Ríos"),)),
        ("unos 5 mil", ASKED_BUDGET, (SetSlot("budget", 5000),)),
        ("tengo un presupuesto de 2 millones", ASKED_PHONE, (SetSlot("budget", 2_000_000),)),
        ("sí", ASKED_EMAIL, ()),
    ],
)
async def test_extract_field_finds_the_value(text: str, of: Session, expected: tuple[Command, ...]) -> None:
    assert (await value_nodes.extract_field(state(text, of=of), CONTEXT))["commands"] == expected


async def test_extract_field_finds_all_values_of_a_message() -> None:
    text = "soy Ana Gómez, mi correo es ana@x.com y mi celular 300 123 4567"
    commands = (await value_nodes.extract_field(state(text, of=ASKED_NAME), CONTEXT))["commands"]
    assert set(commands) == {
        SetSlot("name", "Ana Gómez"),
        SetSlot("email", "ana@x.com"),
        SetSlot("phone", "3001234567"),
    }


async def test_extract_field_of_a_correction_changes_the_slot() -> None:
    correcting: TurnState = {**state("No, mi email es n@x.com", of=ASKED_PHONE), "correction": Correction("email")}
    assert (await value_nodes.extract_field(correcting, CONTEXT))["commands"] == (CorrectSlot("email", "n@x.com"),)


async def test_extract_field_of_a_correction_without_a_value_asks_for_it() -> None:
    correcting: TurnState = {**state("el correo está mal", of=ASKED_PHONE), "correction": Correction("email")}
    assert (await value_nodes.extract_field(correcting, CONTEXT))["commands"] == (CorrectSlot("email"),)


# --- validate, decide and the replies -------------------------------------------------------------------


async def test_validate_brings_values_to_the_form_that_is_kept() -> None:
    commands = (SetSlot("email", "Juan@X.COM"), CorrectSlot("phone", "300 123 4567"), Affirm())
    changes = await value_nodes.validate(state("", *commands), CONTEXT)
    assert changes["commands"] == (SetSlot("email", "juan@x.com"), CorrectSlot("phone", "+573001234567"), Affirm())


async def test_validate_leaves_what_is_invalid_to_be_refused() -> None:
    changes = await value_nodes.validate(state("", SetSlot("email", "asdf")), CONTEXT)
    assert changes["commands"] == (SetSlot("email", "asdf"),)


async def test_decide_takes_what_was_understood() -> None:
    changes = await nodes.decide(state("", SetSlot("name", "Ana"), of=ASKED_NAME), CONTEXT)
    assert changes["decision"].session.slots == {"name": "Ana"}


async def test_decide_hands_on_that_a_message_came_early() -> None:
    context = replace(CONTEXT, record=Record())
    early: TurnState = {**state("sí", Affirm()), "event": MessageReceived(NOW, "sí", early=True)}
    await nodes.decide(early, context)
    (told,) = context.record.told
    assert isinstance(told, MessageUnderstood)
    assert told.early


async def test_escalate_hands_over_and_tells_the_contact() -> None:
    changes = await nodes.escalate({**state("humano"), "escalation": Escalation("keyword", "humano")}, CONTEXT)
    assert changes["decision"].session.holder == "operator"
    assert "persona del equipo" in changes["replies"][0].text


async def test_prompt_next_puts_remarks_before_the_question() -> None:
    remark, question = Line("off_topic", 0, "De eso no sé."), Line("ask.name", 0, "¿Cómo te llamas?")
    changes = await nodes.prompt_next(decided(Say(remark, remark=True), Ask("name", question)), CONTEXT)
    assert changes["replies"][0].text == "De eso no sé. ¿Cómo te llamas?"


async def test_confirm_action_offers_yes_and_no() -> None:
    changes = await nodes.confirm_action(decided(AskYes(Line("c", 0, "¿Va?"), "d")), CONTEXT)
    assert changes["replies"][0].buttons == (Button("yes:d", "Sí"), Button("no:d", "No"))


async def test_complete_says_paragraphs_of_their_own() -> None:
    changes = await nodes.complete(decided(Say(Line("a", 0, "Uno.")), Say(Line("b", 0, "Dos."))), CONTEXT)
    assert changes["replies"][0].text == "Uno.\n\nDos."


@pytest.mark.parametrize("name", ["Pedro Gil", "Laura Gil Torres"])
async def test_check_escalation_takes_no_offence_at_a_surname(name: str) -> None:
    assert (await nodes.check_escalation(state(name, of=ASKED_NAME), CONTEXT))["escalation"] is None
    assert (await nodes.check_escalation(state("sos un gil", of=ASKED_NAME), CONTEXT))["escalation"] is not None
