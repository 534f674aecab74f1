"""The router, through the real SDK: what becomes of its answer, whatever it is, and when it is asked at all."""

import json
import math
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from model_talks import CLOCK, DOWN, How, Ledger, ModelTalk, clock, clock_tools, made, reasons, talking

from hilo.agent.declaration import Bands
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    CancelFlow,
    Command,
    CorrectSlot,
    Deny,
    Reply,
    RequestHuman,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from hilo.dialogue.events import Told
from hilo.dialogue.session import AskedMeaning, AskedSlot, AskedYes, Frame, Session
from hilo.dialogue.stored import encode
from hilo.llm.model import ModelError
from hilo.testing.models.answers import Raw, Says
from hilo.testing.models.anthropic import LARGE, SMALL
from hilo.turn.model_requests.router import MOST_LISTED, Routed, read_answer, schema
from hilo.understanding.intents.model import train
from hilo.understanding.reading import Reading, intent_examples, read, understander

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
AGENT = clock().agent
UNDERSTANDER = understander(AGENT)
VAGUE = "mmm necesito algo de ustedes vecino"
NOTHING = {"alternatives": [], "topic": "other", "acts": [], "slots": [], "calls": [], "answer": ""}


def session(**changes: Any) -> Session:
    return replace(Session("s", AGENT.agent, AGENT.version, NOW, NOW), **changes)


def reading(text: str) -> Reading:
    return read(UNDERSTANDER, text, at=NOW)


def routed(of: Session | None = None, text: str = VAGUE, **answer: Any) -> Routed:
    return read_answer(AGENT, of or session(), reading(text), {"intent": "other", "confidence": 90, **answer})


def routes(intent: str = "other", confidence: Any = 95, **more: Any) -> Says:
    return Says(json.dumps({**NOTHING, "intent": intent, "confidence": confidence, **more}))


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"tool": tool, "arguments": json.dumps(arguments)}


# --- from answer to commands ------------------------------------------------------------------------------


PROPOSED: list[tuple[dict[str, Any], tuple[Command, ...]]] = [
    ({"intent": "hours"}, (AskInfo("hours"),)),
    ({"intent": "visit"}, (StartFlow("visit"),)),
    ({"intent": "other"}, ()),
    ({"acts": ["yes"]}, (Affirm(),)),
    ({"acts": ["no", "no"]}, (Deny(),)),
    ({"acts": ["cancel", "human"]}, (CancelFlow(), RequestHuman())),
    ({"answer": " Todo bien. "}, (Reply("Todo bien."),)),
    ({"slots": [{"slot": "name", "value": "Ana Pérez"}]}, (SetSlot("name", "Ana Pérez"),)),
    ({"slots": [{"slot": "day", "value": "mañana"}]}, (SetSlot("day", "2026-03-03"),)),
    ({"calls": [call("clock", city="Tokio")]}, (CallTool("clock", {"city": "Tokio"}, "call_1"),)),
    (
        {"calls": [call("clock", city="Tokio"), call("clock", city="Lima")], "intent": "time", "answer": "ya"},
        (CallTool("clock", {"city": "Tokio"}, "call_1"), CallTool("clock", {"city": "Lima"}, "call_2")),
    ),
    ({"calls": [{"tool": "clock", "arguments": {"city": "Tokio"}}]}, (CallTool("clock", {"city": "Tokio"}, "call_1"),)),
    ({"calls": [call("clock")]}, (CallTool("clock", {}),)),  # the contact can say what is missing
]


@pytest.mark.parametrize(("answer", "commands"), PROPOSED, ids=lambda each: str(each)[:60])
def test_every_field_becomes_commands(answer: dict[str, Any], commands: tuple[Command, ...]) -> None:
    assert routed(**answer).commands == commands


def test_an_intent_that_runs_a_tool_takes_what_the_message_gives() -> None:
    assert routed(text="la hora de Madrid", intent="time").commands == (
        CallTool("clock", {"city": "la hora de Madrid"}),
    )


def test_a_value_that_is_known_is_corrected() -> None:
    known = session(slots={"name": "Juan"})
    assert routed(known, slots=[{"slot": "name", "value": "Ana"}]).commands == (CorrectSlot("name", "Ana"),)


def test_only_the_slot_that_was_asked_can_be_skipped() -> None:
    assert routed(acts=["skip"]).commands == ()
    assert routed(session(pending=AskedSlot("email")), acts=["skip"]).commands == (SkipSlot("email"),)


def test_a_flow_that_is_under_way_is_not_started_again() -> None:
    assert routed(session(stack=(Frame("visit", "collect"),)), intent="visit").commands == ()


def test_the_shape_of_the_answer_has_only_what_may_be_proposed() -> None:
    shape = schema(AGENT, "")["properties"]
    assert shape["intent"]["enum"] == ["time", "hours", "visit", "other"]
    assert shape["slots"]["items"]["properties"]["slot"]["enum"] == ["name", "email", "day"]
    assert shape["calls"]["items"]["properties"]["tool"]["enum"] == ["clock"]  # what books needs a yes


# --- garbage ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [None, [], "intent", 5, True, [{"intent": "hours"}]])
def test_an_answer_that_is_no_object_is_a_broken_reply(answer: Any) -> None:
    with pytest.raises(ModelError, match="no object"):
        read_answer(AGENT, session(), reading(VAGUE), answer)


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        (50, 50),
        (59.9, 59),
        (-5, 0),
        (10**400, 100),
        (math.inf, 100),
        (-math.inf, 0),
        (math.nan, 0),
        ("90", 0),
        (None, 0),
    ],
)
def test_sureness_is_a_number_from_0_to_100(said: Any, taken: int) -> None:
    assert routed(confidence=said).confidence == taken


GARBAGE: list[dict[str, Any]] = [
    {},
    {
        "intent": 5,
        "confidence": "x",
        "alternatives": 3,
        "topic": [],
        "acts": "yes",
        "slots": {},
        "calls": None,
        "answer": 1,
    },
    {"intent": "delete everything", "topic": "x" * 1_000_000},
    {"acts": [None, 1, [], {}, "dance", "x" * 1_000_000]},
    {"slots": [None, "name", {"slot": "name"}, {"slot": "price", "value": "1"}, {"slot": ["name"], "value": "x"}]},
    {"slots": [{"slot": "name", "value": ""}, {"value": "x"}, {"slot": "name", "value": 5}]},
    {"alternatives": [{"intent": "nope", "confidence": 3}, {"confidence": 3}, 7, {"intent": None}]},
]


@pytest.mark.parametrize("answer", GARBAGE, ids=lambda each: str(each)[:60])
def test_garbage_proposes_nothing(answer: dict[str, Any]) -> None:
    read = read_answer(AGENT, session(), reading(VAGUE), answer)
    assert read == Routed("", read.confidence)


@pytest.mark.parametrize(
    "written", ["no JSON", "[]", "5", "null", "[" * 100_000, '{"city": NaN}', '{"city": "x"', None, 5, ["city"]]
)
def test_arguments_that_are_no_object_are_left_to_the_gate(written: Any) -> None:
    (proposed,) = routed(calls=[{"tool": "clock", "arguments": written}]).commands
    assert isinstance(proposed, CallTool)
    assert proposed.arguments.keys() == {"not an object"}
    assert len(str(proposed.arguments)) < 200


def test_what_is_very_long_is_cut_before_it_is_kept() -> None:
    long = "x" * 1_000_000
    calls = [{"tool": long, "arguments": "{}"}, call("clock", city=long), {"tool": "clock", "arguments": [long]}]
    read = routed(answer=long, calls=calls, slots=[{"slot": "name", "value": long}], intent=long)
    assert len(repr(read)) < 20_000
    assert len(repr(routed(answer=long))) < 20_000


def test_of_many_things_the_first_few_are_looked_at() -> None:
    assert len(routed(calls=[call("clock", city=f"{number}") for number in range(500)]).commands) == MOST_LISTED


def test_half_characters_in_arguments_are_mended() -> None:
    (proposed,) = routed(calls=[{"tool": "clock", "arguments": '{"city": "\\ud800"}'}]).commands
    assert isinstance(proposed, CallTool)
    assert proposed.arguments == {"city": "?"}


# --- through the turn -----------------------------------------------------------------------------------------


async def test_calls_run_together_and_the_generator_puts_them_in_words() -> None:
    calls = [call("clock", city="Tokio"), call("clock", city="Londres")]
    async with talking(clock(ledger := Ledger()), routes("time", calls=calls), Says("Las 21:07 en ambas.")) as talk:
        result = await talk.say("¿qué hora es en Tokio y en Londres?")
        assert [arguments["city"] for _, arguments in ledger.calls] == ["Tokio", "Londres"]
        assert talk.said == "Las 21:07 en ambas."
        assert talk.models == [SMALL, LARGE]
        assert result.trace.understanding.stage == "router"
        assert (result.trace.understanding.intent, result.trace.understanding.confidence) == ("time", 95)


async def test_fifty_calls_are_refused_with_a_reason_but_for_the_first() -> None:
    calls = [call("clock", city=f"ciudad {number}") for number in range(50)]
    async with talking(clock(ledger := Ledger()), routes("time", calls=calls), Says("Ya.")) as talk:
        result = await talk.say(VAGUE)
        assert len(ledger.calls) == 8
        assert set(reasons(result.trace.refused)) == {"too many calls: 8 at once, 24 in one turn"}
        assert encode(Told, result.told)


async def test_a_call_that_lacks_something_asks_the_contact() -> None:
    async with talking(clock(ledger := Ledger()), routes("time", calls=[call("clock")])) as talk:
        await talk.say(VAGUE)
        assert talk.said.endswith("¿De qué ciudad?")
        await talk.say("Tokio")
        assert ledger.calls == [("clock", {"city": "Tokio"})]


async def test_a_tool_that_needs_a_yes_cannot_be_called_by_its_name() -> None:
    async with talking(clock(ledger := Ledger()), routes(calls=[call("book", name="x", day="y")]), Says("No.")) as talk:
        result = await talk.say(VAGUE)
        assert "yes" in reasons(result.trace.refused)[0]
        assert ledger.calls == []


async def test_what_the_embedded_understander_read_is_not_lost() -> None:
    async with talking(clock(), routes("visit")) as talk:
        result = await talk.say("quisiera que vengan a verme, mi correo es ana@x.com, ¿sí?")
        assert result.session.slots == {"email": "ana@x.com"}
        assert talk.said.endswith("¿Nombre?")


async def test_what_the_model_read_goes_over_it() -> None:
    slots = [{"slot": "email", "value": "bea@x.com"}]
    async with talking(clock(grounded="loose"), routes("visit", slots=slots)) as talk:
        result = await talk.say("quisiera que vengan a verme, mi correo es ana@x.com, ¿sí?")
        assert result.session.slots == {"email": "bea@x.com"}


async def test_a_direct_answer_is_said() -> None:
    async with talking(clock(), routes(answer="Todo bien por aquí.")) as talk:
        await talk.say(VAGUE)
        assert (talk.said, len(talk.asked)) == ("Todo bien por aquí.", 1)


async def up_to_the_summary(talk: ModelTalk) -> None:
    for text in ("Ana Pérez", "ana@x.com", "2026-03-20"):
        await talk.say(text)
    assert isinstance(talk.session.pending, AskedYes)
    talk.asked.clear()


async def test_a_yes_of_the_model_to_a_summary_is_none_unless_the_contact_wrote_one() -> None:
    async with talking(clock(ledger := Ledger()), routes("visit"), routes(acts=["yes"]), routes(acts=["yes"])) as talk:
        await talk.say(VAGUE)
        await up_to_the_summary(talk)
        result = await talk.say("¿y eso cuánto tarda más o menos?")
        assert result.trace.errors == ("Affirm: the contact has not written a yes",)
        assert ledger.calls == []
        assert isinstance(result.session.pending, AskedYes)
        await talk.say("sí, ¿y eso cuánto tarda más o menos?")
        assert ledger.names == ["book"]


@pytest.mark.parametrize("text", ["¿sí o no? no sé, ¿qué dices?", "¿sí?", "que sí, que no, ¿quién sabe?"])
async def test_a_yes_that_is_asked_or_doubted_is_none(text: str) -> None:
    async with talking(clock(ledger := Ledger()), routes("visit"), routes(acts=["yes"])) as talk:
        await talk.say(VAGUE)
        await up_to_the_summary(talk)
        await talk.say(text)
        assert ledger.calls == []


# --- bands ----------------------------------------------------------------------------------------------------


BOTH = {"alternatives": [{"intent": "visit", "confidence": 35}, {"intent": "time", "confidence": 10}]}


@pytest.mark.parametrize(("confidence", "times"), [(100, 1), (85, 1), (84, 2), (60, 2)])
async def test_in_the_middle_band_the_larger_model_analyses_again(confidence: int, times: int) -> None:
    async with talking(clock(), routes("visit", confidence), routes("hours", 90)) as talk:
        result = await talk.say(VAGUE)
        assert talk.models == [SMALL, LARGE][:times]
        assert talk.said == ("¿Nombre?", "Abrimos a las 9.")[times - 1]
        assert len(result.trace.notes) == times - 1


async def test_the_larger_model_gets_the_whole_conversation() -> None:
    smalltalk = [routes(answer=f"Respuesta {number}.") for number in range(10)]
    async with talking(clock(), *smalltalk, routes("hours", 70), routes("hours", 90)) as talk:
        for _ in range(11):
            await talk.say(VAGUE)
        assert [len(each.body["messages"]) for each in talk.asked[-2:]] == [7, 21]


async def test_if_the_larger_model_is_down_the_first_analysis_stands() -> None:
    async with talking(clock(), routes("hours", 70), DOWN) as talk:
        result = await talk.say(VAGUE)
        assert talk.said == "Abrimos a las 9."
        assert result.trace.notes[0].startswith("the larger model did not answer (")


@pytest.mark.parametrize("confidence", [59, 40])
@pytest.mark.parametrize("calls", [[], [call("clock", city="Tokio")]])
async def test_in_doubt_the_two_best_are_offered_as_buttons(confidence: int, calls: list[Any]) -> None:
    answer = routes("hours", confidence, calls=calls, **BOTH)
    async with talking(clock(ledger := Ledger()), answer) as talk:
        result = await talk.say(VAGUE)
        assert result.session.pending == AskedMeaning(("hours", "visit"))
        titles = [button.title for button in result.replies[-1].buttons]
        assert titles[:2] == ["El horario", "Agendar una visita"]
        assert (len(talk.asked), ledger.calls) == (1, [])
        await talk.press("El horario")
        assert (talk.said, len(talk.asked)) == ("Abrimos a las 9.", 1)


@pytest.mark.parametrize("confidence", [39, 0])
@pytest.mark.parametrize("calls", [[], [call("clock", city="Tokio")]])
async def test_below_all_bands_nothing_is_done_and_what_can_be_done_is_shown(confidence: int, calls: list[Any]) -> None:
    async with talking(clock(ledger := Ledger()), routes("hours", confidence, calls=calls, **BOTH)) as talk:
        result = await talk.say(VAGUE)
        assert (result.trace.policy, ledger.calls, len(talk.asked)) == ("", [], 1)
        assert result.replies[0].buttons


async def test_the_second_analysis_may_be_in_doubt_too() -> None:
    async with talking(clock(), routes("hours", 70), routes("hours", 50, **BOTH)) as talk:
        assert isinstance((await talk.say(VAGUE)).session.pending, AskedMeaning)


async def test_an_agent_without_bands_is_content_with_what_the_model_finds() -> None:
    async with talking(clock(confidence=None), routes("hours", 10)) as talk:
        await talk.say(VAGUE)
        assert (talk.said, talk.models) == ("Abrimos a las 9.", [SMALL])


# --- when it is asked -------------------------------------------------------------------------------------------


def with_intents(**changes: Any) -> Any:
    turn = made(CLOCK, clock_tools(Ledger()), **{"confidence": Bands(proceed=80), **changes})
    return replace(turn, intents=train(intent_examples(turn.agent), encoder=None))


async def test_what_the_embedded_understander_is_sure_of_asks_nobody() -> None:
    async with talking(with_intents()) as talk:
        for text in ("a qué hora abren", "quiero una visita", "Ana Pérez", "ana@x.com", "2026-03-20", "sí"):
            await talk.say(text)
        assert talk.said == "Agendado."
        assert talk.asked == []


@pytest.mark.parametrize("text", [VAGUE, "capaz que mañana, ¿vos qué decís?", "asdf qwer zxcv"])
async def test_what_it_is_not_sure_of_is_asked(text: str) -> None:
    async with talking(with_intents(), routes(answer="¿Cómo?")) as talk:
        await talk.say(text)
        assert len(talk.asked) == 1


async def test_a_question_in_the_middle_of_an_answer_is_asked() -> None:
    async with talking(with_intents(), routes("hours", slots=[{"slot": "name", "value": "Ana Pérez"}])) as talk:
        await talk.say("quiero una visita")
        result = await talk.say("Ana Pérez, ¿y hasta cuándo puedo cancelar?")
        assert len(talk.asked) == 1
        assert result.session.slots["name"] == "Ana Pérez"


async def test_a_pressed_button_asks_nobody() -> None:
    async with talking(with_intents(), routes("hours", 50, **BOTH)) as talk:
        await talk.say(VAGUE)
        await talk.press("Agendar una visita")
        assert len(talk.asked) == 1


async def test_an_agent_that_says_off_asks_nobody() -> None:
    async with talking(with_intents(model="off"), routes("hours")) as talk:
        result = await talk.say(VAGUE)
        assert talk.asked == []
        assert result.trace.understanding.stage == "embedded"


# --- when it does not answer --------------------------------------------------------------------------------------


BROKEN = {
    "no JSON": Says("Claro, con gusto."),
    "no object": Says("[1, 2]"),
    "NaN": Says('{"intent": "hours", "confidence": NaN}'),
    "cut": Says('{"intent": "ho', stop="max_tokens"),
    "declined": Says("{}", stop="refusal"),
    "too deep": Says("[" * 2000 + "]" * 2000),
    "a page": Raw(b"<html>busy</html>", "text/html"),
}


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN.keys())
async def test_a_broken_answer_leaves_the_turn_to_the_embedded_understander(answer: Says | Raw) -> None:
    async with talking(clock(confidence=None), answer) as talk:
        result = await talk.say(VAGUE)
        assert result.trace.notes[0].startswith("the model did not answer (broken_reply")
        assert result.trace.understanding.stage == "embedded"
        assert len(result.replies) == 1


async def test_a_confidence_beyond_all_numbers_breaks_nothing() -> None:
    text = json.dumps({**NOTHING, "intent": "hours", "confidence": 0}).replace('"confidence": 0', '"confidence": 1e999')
    async with talking(clock(), Says(text)) as talk:
        await talk.say(VAGUE)
        assert talk.said == "Abrimos a las 9."


async def test_the_wire_has_the_schema_and_a_cached_system() -> None:
    async with talking(clock(), routes("hours"), how=How(remembers=False)) as talk:
        await talk.say(VAGUE)
        body = talk.asked[0].body
        assert body["output_config"]["format"]["schema"] == schema(AGENT, "")
        assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
        assert "tools" not in body
