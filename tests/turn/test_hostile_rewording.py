"""A model's wordings, tried by who means harm: other facts, odd characters, words in mid-turn, turns run again."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from model_talks import Ledger, ModelTalk, made, talking

from hilo.agent.templates import Template
from hilo.app.replay import compare, fold, play_again, unfaithful
from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import MessageReceived, MessageUnderstood, Reworded, Told, ToolResult, ToolsReturned
from hilo.dialogue.session import Session, to_json
from hilo.dialogue.stored import decode, encode
from hilo.store.views import Recorded, TurnView
from hilo.testing.models.answers import Says
from hilo.tools.given import Facts
from hilo.tools.tool import tool
from hilo.turn.rewording import faithful
from hilo.turn.run import Turn, TurnResult
from hilo.turn.state import Asking


def gives(*wordings: Any) -> Says:
    return Says(json.dumps({"wordings": list(wordings)}))


# --- other facts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wording"),
    [
        ("Pague en pagos.com.", "Pague en estafas.com."),
        ("Pague en https://pagos.com/a.", "Pague en https://pagos.com/b."),
        ("Pague en https://pagos.com/a.", "Pague en https://pagos.com.estafas.xyz/a."),
        ("Pague en pagos.com.", "Pague en pagos.com o en malo.xyz."),
        ("Pague en pagos.com.", "Pague en pagos.com, bit.ly/abc."),
        ("Escriba a ventas@tienda.com", "Escriba a ventas@otra.com"),
        ("Llame al 310 555 22.", "Llame al 555 310 22."),
        ("Llame al +57 310.", "Llame al 57 310."),
        ("Son 1.500 o 2.700.", "Son 1.700 o 2.500."),
        (
            "La chica vale {precios.chica} y la grande {precios.grande}.",
            "Chica: {precios.grande}. Grande: {precios.chica}.",
        ),
        ("1 por {precios.uno} y 2 por {precios.dos}.", "2 por {precios.uno} y 1 por {precios.dos}."),
        ("Va el 50% hoy y 100 mañana.", "Va 50 hoy y el 100% mañana."),
        ("Cuesta {precio}.", "Cuesta {precio} y ½."),
        ("Cuesta {precio}.", "Cuesta {precio}²."),
        ("Cuesta {precio}.", "Cuesta {precio} €."),
        ("Hola.\nPase.", "Hola.\x00\nPase."),
        ("Hola.\nPase.", "Hola.\n\x1b[31mPase."),
        ("Hola.\nPase.", "Hola.\n\ud800Pase."),
        ("Hola, pase.", "Hola.\nPase."),
    ],
)
def test_a_wording_with_another_fact_or_an_odd_character_is_not_taken(text: str, wording: str) -> None:
    assert list(faithful(Template(text=text), {"wordings": [wording]})) == []


@pytest.mark.parametrize(
    ("text", "wording"),
    [
        ("Son {precio} pesos, con IVA del 19%.", "El precio es {precio} pesos e incluye IVA del 19%"),
        ("Pague en pagos.com, por favor.", "Puede pagar por aquí: pagos.com"),
        ("¿Le sirve (de 8 a 12)?", "¡Puede ser de 8 a 12!"),
        ("Hola.\nPase.", "Buenas.\nSiga, por favor."),
        ("Hola, {nombre} 😊", "Buenas, {nombre}"),
    ],
)
def test_a_wording_that_keeps_the_facts_is_taken(text: str, wording: str) -> None:
    assert list(faithful(Template(text=text), {"wordings": [wording]})) == [wording]


# --- in mid-turn, and run again -----------------------------------------------------------------------------

STOCK = """\
agent: stock
repeats: never
model: router
slots:
  left: {type: text, found: true}
flows:
  look:
    starts: [quiero saber cuántas quedan]
    steps: [{do: stock, into: {left: left}}, {say: "Quedan {left}."}]
"""
ASKS = "quiero saber cuántas quedan"
LOOK = Says(
    json.dumps({"intent": "look", "confidence": 99, "alternatives": [], "topic": "order", "acts": [], "answer": ""})
)


def stock(ledger: Ledger) -> Turn:
    @tool
    async def stock() -> dict[str, str]:
        """How much is there."""
        ledger.note("stock")
        return {"left": "7"}

    return made(STOCK, {"stock": stock})


def calls_of(result: TurnResult) -> list[str]:
    return [each.call_id for told in result.told if isinstance(told, ToolsReturned) for each in told.results]


async def asked_often(talk: ModelTalk, *texts: str) -> list[tuple[Session, TurnResult]]:
    seen = []
    for text in texts:
        before = talk.session
        seen.append((before, await talk.say(text)))
    return seen


def as_recorded(turn: Turn, seen: list[tuple[Session, TurnResult]]) -> Recorded:
    session = seen[-1][1].session
    opening, state = (to_json(each) for each in (seen[0][0], session))
    turns = tuple(_turn(number, result) for number, (_, result) in enumerate(seen, 1))
    return Recorded("r", turn.agent.agent, turn.agent.version, session.version, state, opening, turns)


def _turn(number: int, result: TurnResult) -> TurnView:
    trace, told = result.trace, decode(Told, encode(Told, result.told))
    said: tuple[Any, ...] = tuple({"text": each.text} for each in result.replies)
    return TurnView(number, trace.at, trace.event, trace.text, said, "", 0, "", told, {})


async def test_words_that_a_result_needs_come_before_it_and_the_call_is_made_once() -> None:
    ledger = Ledger()
    turn = stock(ledger)
    async with talking(turn, LOOK, LOOK, gives("Hay {left}.")) as talk:
        _, (before, result) = await asked_often(talk, ASKS, ASKS)
        assert talk.said == "Hay 7."
    assert [type(each) for each in result.told] == [MessageUnderstood, Reworded, ToolsReturned]
    assert ledger.names == ["stock", "stock"]
    again = fold(turn.agent, before, decode(Told, encode(Told, result.told)))
    assert to_json(again.session) == to_json(result.session)
    assert again.effects == result.decision.effects


async def test_a_turn_that_was_reworded_after_its_tools_compares_with_itself() -> None:
    turn = stock(Ledger())
    async with talking(turn, LOOK, LOOK, gives("Hay {left}."), LOOK, gives("Tenemos {left}.")) as talk:
        seen = await asked_often(talk, ASKS, ASKS, ASKS)
        assert talk.said == "Tenemos 7."
    record = as_recorded(turn, seen)
    played = play_again(turn.agent, record)
    assert unfaithful(record, played) == ()
    found = compare(record, played, before=turn.agent, after=turn.agent)
    assert [change for each in found.turns for change in each.changes] == []


async def test_an_attempt_whose_model_is_down_has_no_words_but_the_same_call() -> None:
    turn = stock(Ledger())
    async with talking(turn, LOOK, LOOK, gives("Hay {left}.")) as talk:
        _, (before, first) = await asked_often(talk, ASKS, ASKS)
    async with talking(turn, LOOK) as talk:
        talk.session = before
        second = await talk.say(ASKS)
    assert calls_of(first) == calls_of(second) != []
    assert second.session.holder == "operator"
    assert first.session.version == second.session.version


PAID = """\
agent: shop
repeats: never
model: router
slots: {name: {type: text, ask: "¿Nombre?"}}
intents: {when: {examples: [cuándo cobran], answer: charging}}
flows:
  buy:
    starts: always
    steps: [{collect: name}, {confirm: "¿Seguro, {name}?"}, {say: charging}, {do: pay}, {say: "Pagado, {name}."}]
templates: {charging: "Cobramos al final."}
"""
WHEN = Says(
    json.dumps({"intent": "when", "confidence": 99, "alternatives": [], "topic": "info", "acts": [], "answer": ""})
)


class Pages:
    """A journal of one turn in memory."""

    def __init__(self) -> None:
        self.made: dict[str, tuple[RunTool, ToolResult]] = {}

    async def once(self, run: RunTool, make: Callable[[], Awaitable[ToolResult]]) -> ToolResult:
        if run.call_id not in self.made:
            self.made[run.call_id] = (run, await make())
        return self.made[run.call_id][1]

    def earlier(self) -> tuple[RunTool, ...]:
        return tuple(run for run, _ in self.made.values())


def paying(ledger: Ledger) -> Turn:
    @tool(writes=True)
    async def pay(name: str) -> dict[str, str]:
        """Take the money."""
        ledger.note("pay", name=name)
        return {}

    return made(PAID, {"pay": pay})


def asking(talk: ModelTalk) -> Asking:
    assert talk.asking is not None
    return talk.asking()


async def before_the_yes(talk: ModelTalk) -> Session:
    await talk.say("cuándo es que cobran")
    await talk.say("Ana")
    return talk.session


async def test_an_attempt_without_words_does_not_lose_what_an_earlier_one_has_written() -> None:
    ledger, pages = Ledger(), Pages()
    turn = paying(ledger)
    async with talking(turn, WHEN, gives("El cobro va al final.")) as talk:
        before = await before_the_yes(talk)
        yes = MessageReceived(before.last_at, "sí")
        first = await turn.run(before, yes, journal=pages, asking=asking(talk))
        assert [each.text for each in first.replies] == ["El cobro va al final.\n\nPagado, Ana."]
        second = await turn.run(before, yes, journal=pages, asking=asking(talk))
        assert [each.text for each in second.replies] == ["Cobramos al final. \n\nPagado, Ana."]
    assert ledger.names == ["pay"]
    assert second.session.finished == ("buy",)
    assert to_json(fold(turn.agent, before, decode(Told, encode(Told, second.told))).session) == to_json(second.session)


async def test_an_attempt_that_lacks_words_after_what_was_written_calls_a_person() -> None:
    ledger, pages = Ledger(), Pages()
    turn = made(PAID.replace("{say: charging}, {do: pay}", "{do: pay}, {say: charging}"), paying(ledger).tools)
    async with talking(turn, WHEN) as talk:
        before = await before_the_yes(talk)
        for _ in range(2):
            done = await turn.run(before, MessageReceived(before.last_at, "sí"), journal=pages, asking=asking(talk))
            assert done.session.holder == "operator"
            assert "Cobramos" not in done.replies[0].text
    assert ledger.names == ["pay"]


async def test_what_a_contact_says_yes_to_is_not_put_in_a_models_words() -> None:
    ledger = Ledger()
    turn = paying(ledger)
    async with talking(turn, WHEN, WHEN, gives("¿Seguro que no, {name}?")) as talk:
        await before_the_yes(talk)
        done = await talk.say("y cuándo es que cobran")
    assert [each.body["system"] for each in talk.asked if "<said>" in str(each.body)][1:] == []  # of `charging` only
    assert (done.session.holder, done.session.reworded, ledger.names) == ("operator", {}, [])


# --- facts ----------------------------------------------------------------------------------------------------


async def test_a_tool_that_writes_on_its_facts_changes_none_of_the_agents() -> None:
    @tool
    async def spoil(facts: Facts) -> dict[str, str]:
        """Change what the business knows."""
        facts["prices"]["big"] = 0  # type: ignore[index]
        return {"price": "0"}

    text = """\
agent: shop
facts: {prices: {big: 15000}}
slots: {price: {type: text, found: true}}
templates: {told: "Cuesta {prices.big}."}
flows: {look: {starts: always, steps: [{do: spoil}, {say: told}]}}
"""
    turn = made(text, {"spoil": spoil})
    async with talking(turn) as talk:
        await talk.say("hola")
        assert talk.said == "Cuesta 15.000."
    assert turn.agent.facts == {"prices": {"big": 15000}}
