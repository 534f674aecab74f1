"""What a turn tells the person who is to take a session over."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from hilo.agent.declaration import Agent
from hilo.agent.parse import parse
from hilo.agent.texts import phrases
from hilo.dialogue.events import OperatorTookOver
from hilo.dialogue.session import (
    AskedArgument,
    AskedMeaning,
    AskedSlot,
    AskedSwitch,
    AskedWhich,
    AskedYes,
    Pending,
    Waiting,
)
from hilo.dialogue.synthesis import opened
from hilo.store.handoffs import MAX_WORDS
from hilo.turn.run import Turn
from hilo.workers.outcomes import MAX_SLOTS, briefing

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
AGENT = parse("""
agent: mesa
slots:
  name: {type: person_name, ask: "¿Nombre?", label: nombre}
  topic: {type: text, ask: "¿Asunto?", label: asunto}
  due: {type: date, found: true, label: vence}
  total: {type: money, found: true, label: total}
modes:
  IDLE: {to: [OPEN]}
  OPEN: {to: [IDLE]}
  PERSON: {operator: true}
flows:
  start: {description: abrir un caso, starts: always, steps: [{collect: [name, topic]}, {say: "Listo."}]}
""")


async def brief(pending: Pending | None = None, *, agent: Agent = AGENT, **changes: object) -> dict[str, object]:
    """What is told of a session like this when an operator takes it."""
    before = replace(opened(AGENT, session_id="s", at=NOW), pending=pending, **changes)  # type: ignore[arg-type]
    return briefing(agent, before, await Turn(agent).run(before, OperatorTookOver(NOW, "Olga")))


async def test_what_is_known_is_told_in_the_order_and_the_words_of_the_agent() -> None:
    told = await brief(slots={"total": Decimal("1500.5"), "due": "2026-03-04", "name": "Ana"}, mode="OPEN")
    assert told["known"] == {"nombre": "Ana", "vence": "4 de marzo de 2026", "total": "1.500,50"}
    assert (told["name"], told["mode"]) == ("Ana", "OPEN")


async def test_a_value_that_is_not_of_its_slots_type_is_told_as_it_is() -> None:
    assert (await brief(slots={"due": "pronto", "gone": 7}))["known"] == {"vence": "pronto", "gone": "7"}


async def test_an_agent_that_knows_nothing_tells_what_the_session_has() -> None:
    stranger = Agent(agent="mesa", templates=phrases("es"))
    told = await brief(AskedSlot("topic"), agent=stranger, slots={"name": "Ana"}, mode="OPEN")
    assert (told["known"], told["question"], told["mode"], told["name"]) == ({"name": "Ana"}, "topic", "OPEN", "")


async def test_there_is_a_limit_to_what_is_told() -> None:
    known = (await brief(slots={f"s{number}": "a" * 5000 for number in range(90)}))["known"]
    assert isinstance(known, dict)
    assert (len(known), {len(each) for each in known.values()}) == (MAX_SLOTS, {MAX_WORDS})


@pytest.mark.parametrize(
    ("pending", "words"),
    [
        (AskedSlot("topic"), "asunto"),
        (AskedSlot("name"), ""),
        (AskedYes("d"), "a yes to the summary"),
        (AskedWhich(("name", "topic")), "nombre / asunto"),
        (AskedSwitch("start"), "whether to go on to: abrir un caso"),
        (AskedArgument("find", "size", question="¿Cuál?"), "¿Cuál?"),
        (AskedArgument("find", "size"), "size"),
        (AskedMeaning(("one", "two")), "which is meant: one, two"),
        (Waiting("x"), ""),
        (None, ""),
    ],
)
async def test_the_question_that_nobody_answered_is_told(pending: Pending | None, words: str) -> None:
    assert (await brief(pending, slots={"name": "Ana"}))["question"] == words
