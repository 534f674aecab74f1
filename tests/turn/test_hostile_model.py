"""A model that wants everything: whatever it answers, no call runs that mode, holder, yes or budget do not allow."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from model_talks import PLENTY, Ledger, budget, kiosk, talking, wants

from depth import depth
from hilo.agent.declaration import Agent
from hilo.agent.parse import parse
from hilo.dialogue.decide import decide
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import Event, MessageReceived, OperatorTookOver, Released, Told
from hilo.dialogue.session import AskedYes, Session
from hilo.dialogue.session import from_json as session_from_json
from hilo.dialogue.session import to_json as session_to_json
from hilo.dialogue.stored import decode, encode
from hilo.dialogue.synthesis import opened
from hilo.dialogue.tool_proposals import MAX_CALLS, MAX_TOGETHER
from hilo.errors import FileProblems
from hilo.llm.model import ErrorKind, ModelError, ModelReply, Opaque, Piece, Request, Spent, TextPart, ToolUse
from hilo.llm.prices import Limit, SpendingLimits, estimated_input
from hilo.testing.models.answers import Says
from hilo.tools.tool import AskContact, Tool, ToolFailed, tool
from hilo.turn.run import Engine, Turn, TurnResult
from hilo.turn.state import Asking

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
MODES = ("IDLE", "ORDER", "PAYING")

# --- agents -----------------------------------------------------------------------------------------------------


@dataclass
class Run:
    """A function that was really run."""

    tool: str
    call_id: str
    arguments: dict[str, Any]


def shop_tools(runs: list[Run]) -> dict[str, Tool]:
    @tool
    async def search(text: str, call_id: str) -> dict[str, Any]:
        """Find."""
        runs.append(Run("search", call_id, {"text": text}))
        return {"found": text, "list": [text, {"a": 1}]}

    @tool
    async def stock(call_id: str, product: str = "", count: float = 1) -> str:
        """Count."""
        runs.append(Run("stock", call_id, {"product": product, "count": count}))
        if product == "which":
            raise AskContact("product", ["coca", "agua"])
        if product == "broken":
            raise ToolFailed("no answer")
        return "7"

    @tool(writes=True, needs_yes=False)
    async def add(product: str, call_id: str, count: int = 1) -> dict[str, str]:
        """Add."""
        runs.append(Run("add", call_id, {"product": product, "count": count}))
        if product == "odd":
            raise ToolFailed("odd", tell="De eso no hay.")
        return {"cart": f"{count} {product}"}

    @tool(writes=True)
    async def pay(name: str, call_id: str) -> dict[str, str]:
        """Pay."""
        runs.append(Run("pay", call_id, {"name": name}))
        return {}

    return {each.spec.name: each for each in (search, stock, add, pay)}


SPECS = {name: each.spec for name, each in shop_tools([]).items()}


def written(modes: Sequence[tuple[str, ...]], after: str, how: str, grounded: str, bands: str) -> str:
    """An agent's text; the mode for paying always has what its flow needs."""
    tools = [[*each, *(("pay",) if name == "PAYING" else ())] for name, each in zip(MODES, modes, strict=True)]
    return f"""\
agent: shop
slots:
  name: {{type: person_name, ask: "¿Nombre?"}}
  size: {{type: choice, choices: [chica, grande], ask: "¿Tamaño?"}}
  cart: {{type: text, found: true}}
modes:
  IDLE: {{tools: {json.dumps(tools[0])}, to: [ORDER, PAYING]{after}}}
  ORDER: {{tools: {json.dumps(tools[1])}, to: [PAYING, IDLE]}}
  PAYING: {{tools: {json.dumps(tools[2])}, to: [ORDER, IDLE]}}
  PERSON: {{operator: true, tools: [search]}}
flows:
  checkout:
    starts: [quiero pagar]
    steps:
      - collect: [name, size]
      - {{confirm: "{{name}} paga {{size}} {{cart}}", mode: PAYING, no: ORDER}}
      - {{do: pay, mode: PAYING}}
      - {{say: "Listo.", mode: IDLE}}
  survey: {{starts: [quiero opinar], steps: [{{collect: size}}, {{say: "Gracias."}}]}}
intents:
  hours: {{examples: [a qué hora abren], answer: "A las 9."}}
  find: {{examples: [tienen leche], do: search, arguments: {{text: message}}}}
tools:
  groups: {{browse: [search, stock]}}
  says: {{search: "Hay {{found}} {{list}}.", add: "{{product}} {{count}}"}}
model: {how}
grounded: {grounded}
{bands}
"""


@cache
def parsed(text: str) -> Agent | None:
    try:
        return parse(text, toolbox=SPECS)
    except FileProblems:
        return None


ALLOWED = st.lists(st.sampled_from(["browse", "search", "add"]), unique=True, max_size=3).map(tuple)
AGENTS = st.builds(
    written,
    st.tuples(ALLOWED, ALLOWED, ALLOWED),
    st.sampled_from(["", ", after: {add: ORDER}"]),
    st.sampled_from(["loop", "loop", "router"]),
    st.sampled_from(["loose", "strict"]),
    st.sampled_from(["", "", "confidence: {proceed: 85, reanalyse: 60, clarify: 40}"]),
).map(parsed)

# --- models -----------------------------------------------------------------------------------------------------

DIALOGUE = ("start_flow", "set_slot", "answer", "affirm", "deny", "cancel", "ask_human", "nope")
NAMES = st.sampled_from([*SPECS, *SPECS, *(f"dialogue_{each}" for each in DIALOGUE), "", "PAY", "browse", "rm -rf"])
VALUES = st.sampled_from(
    ["coca", "which", "broken", "odd", "Ana Pérez", "grande", "</message>", "\\ud800", "", 1, -1.5, True, None, 10**30]
) | st.recursive(st.none() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=2), max_leaves=4)
KEYS = ("text", "product", "count", "name", "flow", "slot", "value", "intent", "call_id", "contact", "database", "now")
SENSIBLE: list[tuple[str, dict[str, Any]]] = [
    ("search", {"text": "coca"}),
    ("stock", {}),
    ("stock", {"product": "which"}),
    ("stock", {"product": "broken"}),
    ("add", {"product": "coca"}),
    ("add", {"product": "odd", "count": 2}),
    ("pay", {"name": "Ana"}),
    ("dialogue_set_slot", {"slot": "name", "value": "Ana Pérez"}),
    ("dialogue_set_slot", {"slot": "size", "value": "chica"}),
    ("dialogue_start_flow", {"flow": "checkout"}),
    ("dialogue_start_flow", {"flow": "survey"}),
    ("dialogue_answer", {"intent": "hours"}),
    ("dialogue_affirm", {}),
    ("dialogue_affirm", {}),
    ("dialogue_deny", {}),
    ("dialogue_cancel", {}),
]
WILD = st.tuples(NAMES, st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=3))
CALLS = st.sampled_from(SENSIBLE) | st.sampled_from(SENSIBLE) | WILD
USES = st.builds(lambda call: ToolUse("a", *call), CALLS)
WORDS = st.sampled_from(["Hola.", "", "Pagado.", "<system>"]).map(TextPart)
THOUGHT = st.just(Opaque("x", {"type": "thinking"}))
PARTS = st.lists(USES | USES | WORDS | THOUGHT, max_size=6) | st.lists(USES, min_size=12, max_size=12)
ROUTES = st.fixed_dictionaries(
    {
        "intent": st.sampled_from(["checkout", "survey", "hours", "find", "other", "x", 5]),
        "confidence": st.sampled_from([100, 100, 90, 60, 59, 40, 39, 0, -1, 1e300, float("inf"), "9", None]),
    },
    optional={
        "alternatives": st.lists(st.builds(lambda name: {"intent": name, "confidence": 9}, NAMES), max_size=2),
        "acts": st.lists(st.sampled_from(["yes", "yes", "no", "cancel", "skip", "human", 3]), max_size=3),
        "slots": st.lists(
            st.sampled_from([{"slot": "name", "value": "Ana Pérez"}, {"slot": "size", "value": "chica"}])
            | st.dictionaries(st.sampled_from(["slot", "value"]), VALUES),
            max_size=2,
        ),
        "calls": st.lists(
            CALLS.map(lambda call: {"tool": call[0], "arguments": json.dumps(call[1])}) | VALUES, max_size=12
        ),
        "answer": st.sampled_from(["", "Está pagado.", 7]),
    },
)
KINDS: list[ErrorKind | None] = [*(None for _ in range(7)), "bad_request", "broken_reply", "circuit_open"]
ANSWERS = st.lists(st.tuples(PARTS, ROUTES | ROUTES | VALUES, st.sampled_from(KINDS)), min_size=2, max_size=6)


@dataclass
class HostileModel:
    """Answers whatever was drawn, round and round, and looks whether it should have been asked at all."""

    answers: list[tuple[list[Any], Any, ErrorKind | None]]
    limit: int
    asked: int = 0
    spent: int = 0  # in this turn
    overspent: list[str] = field(default_factory=list)

    async def complete(self, request: Request) -> ModelReply:
        parts, value, error = self.answers[self.asked % len(self.answers)]
        self.asked += 1
        worst = estimated_input(request) + request.max_tokens
        if self.spent + worst > self.limit:
            self.overspent.append(f"{self.spent} + {worst} of {self.limit}")
        if error:
            raise ModelError(error, "as it was drawn")
        self.spent += 700
        cost = Spent(500, 200)
        if request.output is not None:
            return ModelReply((), "end", cost, value)
        said = [each for each in parts if request.tools or not isinstance(each, ToolUse)]
        numbered = enumerate(said)
        uses = tuple(replace(each, id=f"use_{at}") if isinstance(each, ToolUse) else each for at, each in numbered)
        return ModelReply(uses, "tool_use" if any(isinstance(each, ToolUse) for each in uses) else "end", cost)

    async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        yield await self.complete(request)

    async def count(self, request: Request) -> int:
        return estimated_input(request)

    async def aclose(self) -> None:
        """Nothing to close."""


# --- talks ------------------------------------------------------------------------------------------------------

YES = ("sí", "dale", "sí, y otra cosa vecino ¿puede ser?")
VAGUE = "mmm necesito algo vecino"
TEXTS = st.sampled_from(
    [VAGUE, VAGUE, VAGUE, *YES, YES[-1], "quiero pagar", "Juan Pérez", "grande", "¿sí?", "no", "cancelar", "2 cocas"]
) | st.text('xyz <>/{}"\u200b😀0', min_size=1, max_size=20)
MESSAGES = st.builds(
    lambda text, early: MessageReceived(NOW, text, early=early), TEXTS, st.sampled_from([False] * 5 + [True])
)
STEPS = st.lists(
    MESSAGES | MESSAGES | MESSAGES | MESSAGES | MESSAGES | st.sampled_from([Released(NOW), OperatorTookOver(NOW)]),
    min_size=2,
    max_size=6,
)


async def talk(agent: Agent, answers: Any, steps: Sequence[Event], *, limit: int, engine: Engine) -> Iterator[Any]:
    """Every turn: the session before it, what happened, what it came to, and what really ran."""
    model, runs = HostileModel(answers, limit), list[Run]()
    turn = Turn(agent, tools=shop_tools(runs))
    configuration = replace(PLENTY, limits=SpendingLimits(turn=Limit(tokens=limit)))
    session, seen = opened(agent, session_id="s", at=NOW), []
    for number, step in enumerate(steps):
        event = replace(step, at=NOW + timedelta(minutes=number))
        model.spent, before = 0, len(runs)
        result = await turn.run(session, event, engine=engine, asking=Asking(budget(model, configuration)))
        seen.append((session, event, result, runs[before:]))
        session = session_from_json(session_to_json(result.session))
        assert session == result.session
        assert model.overspent == []
    return iter(seen)


def decided(agent: Agent, session: Session, told: Sequence[Event]) -> Iterator[tuple[Session, Decision]]:
    """What the dialogue decides when it is told the same again."""
    decision = Decision(session)
    for event in told:
        before, decision = decision, decide(agent, decision.session, event, decision.progress)
        yield before.session, decision


def check(agent: Agent, session: Session, event: Event, result: TurnResult, runs: list[Run]) -> None:
    told = decode(Told, encode(Told, result.told))
    steps = list(decided(agent, session, told))
    assert steps[-1][1].session == result.session
    ordered = [effect for _, decision in steps for effect in decision.effects if isinstance(effect, RunTool)]
    assert {run.call_id for run in runs} <= {order.call_id for order in ordered}
    assert len(ordered) <= MAX_CALLS + 1  # a flow's own call besides
    for before, decision in steps:
        orders = [effect for effect in decision.effects if isinstance(effect, RunTool)]
        modes = {before.mode, *(mode for _, mode in decision.modes)}
        assert all(any(order.tool in agent.tools_in(mode) for mode in modes) for order in orders)
        assert len(orders) <= MAX_TOGETHER
    writes = [run.call_id for run in runs if agent.toolbox[run.tool].writes]
    assert len(writes) == len(set(writes))
    if session.holder == "operator":
        assert runs == []
    if isinstance(event, MessageReceived) and session.holder == "agent" and session.status == "active":
        assert result.replies
    for run in (each for each in runs if each.tool == "pay"):
        assert isinstance(event, MessageReceived)
        assert event.text in YES
        assert not event.early
        assert isinstance(session.pending, AskedYes)
        assert run.arguments == {"name": session.slots["name"]}
        assert result.session.slots.get("size") == session.slots.get("size")


@settings(
    max_examples=depth(40, 60), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
@given(AGENTS, ANSWERS, STEPS, st.sampled_from([10**9, 10**9, 10**9, 12_000, 5000, 10]))
def test_nothing_runs_that_mode_holder_yes_or_budget_do_not_allow(
    agent: Agent | None, answers: Any, steps: Any, limit: int
) -> None:
    assume(agent is not None)
    assert agent is not None
    for session, event, result, runs in asyncio.run(talk(agent, answers, steps, limit=limit, engine="walk")):
        check(agent, session, event, result, runs)


CHECKOUT = (
    MessageReceived(NOW, "mmm necesito algo vecino"),
    MessageReceived(NOW, "Juan Pérez"),
    MessageReceived(NOW, "grande"),
)
START = ([ToolUse("a", "dialogue_start_flow", {"flow": "checkout"})], {"intent": "checkout", "confidence": 100}, None)


@settings(
    max_examples=depth(30, 50), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
@given(AGENTS, ANSWERS, STEPS)
def test_a_summary_that_waits_for_a_yes_gets_it_from_the_contact_or_not_at_all(
    agent: Agent | None, answers: Any, steps: Any
) -> None:
    """The same, from where the most is to be had."""
    assume(agent is not None)
    assert agent is not None
    session = at_the_summary(agent)
    assume(isinstance(session.pending, AskedYes))
    for before, event, result, runs in asyncio.run(_on(agent, session, answers, steps)):
        check(agent, before, event, result, runs)


_BEGUN: dict[str, Session] = {}  # by the agent's version


def at_the_summary(agent: Agent) -> Session:
    if agent.version not in _BEGUN:
        quiet = ([TextPart("")], {"intent": "other", "confidence": 100}, None)
        begun = asyncio.run(talk(agent, [START, quiet], CHECKOUT, limit=10**9, engine="walk"))
        _BEGUN[agent.version] = list(begun)[-1][2].session
    return _BEGUN[agent.version]


async def _on(agent: Agent, session: Session, answers: Any, steps: Sequence[Event]) -> list[Any]:
    model, runs, seen = HostileModel(answers, 10**9), list[Run](), []
    turn = Turn(agent, tools=shop_tools(runs))
    for step in steps:
        before = len(runs)
        result = await turn.run(session, step, engine="walk", asking=Asking(budget(model)))
        seen.append((session, step, result, runs[before:]))
        session = result.session
    return seen


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(AGENTS, ANSWERS, st.lists(TEXTS, min_size=1, max_size=3))
def test_walked_or_by_langgraph_it_is_the_same_turn(agent: Agent | None, answers: Any, texts: list[str]) -> None:
    assume(agent is not None)
    assert agent is not None
    steps = [MessageReceived(NOW, text) for text in texts]
    engines: tuple[Engine, ...] = ("walk", "langgraph")
    walked, graphed = (asyncio.run(talk(agent, answers, steps, limit=10**9, engine=each)) for each in engines)
    for (_, _, one, ran), (_, _, other, too) in zip(walked, graphed, strict=True):
        assert (one.told, one.replies, one.session, one.decision) == (
            other.told,
            other.replies,
            other.session,
            other.decision,
        )
        assert (one.trace.path, one.trace.notes, ran) == (other.trace.path, other.trace.notes, too)


# --- a few through the real SDK ---------------------------------------------------------------------------------


@pytest.mark.parametrize("tool", ["pay", "clear", "dialogue_affirm", "dialogue_pay", "find_towns"])
async def test_through_the_wire_a_tool_of_another_mode_never_runs(tool: str) -> None:
    ledger, use = Ledger(), (tool, {"name": "Ana", "call_id": "x"})
    async with talking(kiosk(ledger), wants(use, use), wants(use), Says("Hecho.")) as talk:
        await talk.say("qué tal todo por ahí vecino")
        assert ledger.calls == []


async def test_through_the_wire_an_operator_who_holds_the_session_is_not_talked_over() -> None:
    async with talking(kiosk(ledger := Ledger()), wants(("add", {"product": "coca"}))) as talk:
        await talk.operator_takes_over()
        await talk.say("qué tal todo por ahí vecino")
        assert (talk.asked, ledger.calls, talk.replies) == ([], [], ())
