"""Conversations of every shipped agent can be run again from what the dialogue was told: to the byte."""

import asyncio
import json
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from depth import depth
from hilo.agent.parse import parse
from hilo.app import LoadedAgent, load_agent
from hilo.app.replay import ComparedTurn, Kind, TurnDifference, compare, fold, play_again, unfaithful
from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import EscalationTriggered, Event, Told
from hilo.dialogue.session import Session, to_json
from hilo.dialogue.stored import decode, encode
from hilo.store.views import Recorded, TurnView
from hilo.testing import Conversation, Suite, find_suites, play
from hilo.tools.tool import ToolFailed, tool
from hilo.turn.nodes import compose
from hilo.turn.run import Turn, TurnResult

AGENTS = Path(__file__).parents[1] / "agents"
SUITES = find_suites((AGENTS,))


@dataclass(frozen=True)
class WatchedTurn(Turn):
    """A turn that remembers what it started from and what it came to."""

    seen: list[tuple[Session, TurnResult]] = field(default_factory=list)

    async def run(self, session: Session, event: Event, **surroundings: Any) -> TurnResult:
        result = await super().run(session, event, **surroundings)
        self.seen.append((session, result))
        return result


Talk = list[tuple[Session, TurnResult]]


@pytest.fixture(scope="module", params=SUITES, ids=lambda suite: suite.agent_file.parent.name)
def talks(request: pytest.FixtureRequest) -> tuple[LoadedAgent, list[Talk]]:
    """An agent, and the turns of each of its conversations."""
    loaded = load_agent(request.param.agent_file)
    return loaded, asyncio.run(watch(loaded, request.param))


async def watch(loaded: LoadedAgent, suite: Suite) -> list[Talk]:
    known = {each.name: getattr(loaded.turn, each.name) for each in fields(Turn)}
    talks = []
    some = max(3, len(suite.scripts) // 12)  # every day every third, of a large suite a dozen
    for script in suite.scripts[:: depth(some, 1)]:
        turn = WatchedTurn(**known)
        await play(script, replace(loaded, turn=turn))
        talks.append(turn.seen)
    return talks


def test_every_turn_of_every_conversation_folds_to_the_same_bytes(talks: tuple[LoadedAgent, list[Talk]]) -> None:
    loaded, played = talks
    assert len(played) > 8
    for before, result in (turn for talk in played for turn in talk):
        decision = fold(loaded.agent, before, decode(Told, encode(Told, result.told)))
        assert to_json(decision.session) == to_json(result.session)
        assert compose(loaded.agent, decision) == result.replies
        assert (decision.steps, decision.effects) == (result.decision.steps, result.decision.effects)


def test_every_conversation_compared_with_its_own_agent_is_the_same(talks: tuple[LoadedAgent, list[Talk]]) -> None:
    loaded, played = talks
    for record in (as_recorded(loaded, talk) for talk in played):
        again = play_again(loaded.agent, record)
        assert unfaithful(record, again) == ()
        found = compare(record, again, before=loaded.agent, after=loaded.agent)
        assert found.stopped == ""
        assert found.kinds == {"same": len(record.turns)}


def as_recorded(loaded: LoadedAgent, talk: Talk) -> Recorded:
    """A conversation's first session in the form in which the store keeps it."""
    first = [(before, result) for before, result in talk if before.started_at == talk[0][0].started_at]
    session = first[-1][1].session
    turns = tuple(_turn(number, result) for number, (_, result) in enumerate(first, 1))
    opening, state = (to_json(each) for each in (first[0][0], session))
    return Recorded("conversation", loaded.agent.agent, loaded.agent.version, session.version, state, opening, turns)


def _turn(number: int, result: TurnResult) -> TurnView:
    said: tuple[Any, ...] = tuple(_plain(reply) for reply in result.replies)
    trace, told = result.trace, decode(Told, encode(Told, result.told))
    return TurnView(number, trace.at, trace.event, trace.text, said, "", 0, "", told, {})


def _plain(reply: Any) -> dict[str, Any]:
    filled = {name: value for name, value in asdict(reply).items() if value}
    return dict(json.loads(json.dumps(filled)))


def test_a_turn_that_was_given_up_folds_to_the_same_bytes(talks: tuple[LoadedAgent, list[Talk]]) -> None:
    loaded, played = talks
    for _, result in (talk[len(talk) // 2] for talk in played):
        failed = EscalationTriggered(result.session.last_at, "error", "KeyError: x")
        given_up = asyncio.run(loaded.turn.run(result.session, failed))
        assert to_json(fold(loaded.agent, result.session, given_up.told).session) == to_json(given_up.session)


async def test_a_session_that_knows_the_one_before_it_is_the_same_again() -> None:
    loaded = load_agent(AGENTS / "vuelos")
    turn = WatchedTurn(**{each.name: getattr(loaded.turn, each.name) for each in fields(Turn)})
    talk = Conversation(turn)
    await talk.say("soy Ana Gómez y quiero un vuelo de Madrid a Barcelona")
    await talk.come_back(timedelta(days=2))
    turn.seen.clear()
    for text in ("hola", "quiero un vuelo de Madrid a Barcelona el 20 de mayo", "sí", "solo ida", "2"):
        await talk.say(text)
    record = as_recorded(loaded, turn.seen)
    assert '"kept":{"name":"Ana Gómez"}' in record.opening
    again = play_again(loaded.agent, record)
    assert unfaithful(record, again) == ()
    assert compare(record, again, before=loaded.agent, after=loaded.agent).kinds == {"same": 5}


COUNTER = """
agent: counter
language: es
slots:
  name: {type: text, ask: "¿Nombre?"}
  seats: {type: number}
flows:
  main:
    starts: always
    steps:
      - set: {seats: 1}
      - collect: name
      - do: count
        attempts: 3
      - say: "Listo."
"""


def counter(source: str = COUNTER) -> LoadedAgent:
    """An agent whose tool fails once before it works."""
    calls = iter((False, True))

    @tool
    def count(seats: int) -> bool:
        if not next(calls):
            raise ToolFailed(f"not yet {seats}")
        return True

    agent = parse(source, toolbox={"count": count.spec})
    return LoadedAgent(agent, Path("agent.yaml"), source, WatchedTurn(agent, tools={"count": count}))


async def counted() -> tuple[LoadedAgent, Recorded]:
    loaded = counter()
    turn = loaded.turn
    assert isinstance(turn, WatchedTurn)
    talk = Conversation(turn)
    for text in ("hola", "Ana", "gracias"):
        await talk.say(text)
    return loaded, as_recorded(loaded, turn.seen)


async def test_a_call_that_was_repeated_has_its_results_attempt_by_attempt() -> None:
    loaded, record = await counted()
    again = play_again(loaded.agent, record)
    assert len([each for each in again[1].decision.effects if isinstance(each, RunTool)]) == 2
    assert unfaithful(record, again) == ()
    assert compare(record, again, before=loaded.agent, after=loaded.agent).kinds == {"same": 3}


async def test_another_value_of_a_slot_is_a_path_though_the_texts_are_the_same() -> None:
    loaded, record = await counted()
    edited = counter(COUNTER.replace("seats: 1", "seats: 2")).agent
    found = compare(record, play_again(loaded.agent, record), before=loaded.agent, after=edited)
    assert found.turns[0].changes == (TurnDifference("path", "slot seats = 1", "slot seats = 2"),)
    assert found.turns[1].changes == (
        TurnDifference("tool", "count(seats=1)", "count(seats=2)"),
        TurnDifference("tool", "count(seats=1)", ""),
    )
    assert (found.stopped, found.left) == ("the record has no result for count(seats=2)", 1)


async def test_a_turn_with_another_number_is_not_faithful() -> None:
    loaded, record = await counted()
    moved = replace(record, turns=(*record.turns[:2], replace(record.turns[2], number=4)))
    assert unfaithful(moved, play_again(loaded.agent, moved)) == ("turn 4 leads to version 3",)


def test_a_turn_is_as_grave_as_its_gravest_change() -> None:
    kinds: tuple[Kind, ...] = ("wording", "money", "path")
    assert ComparedTurn(1, "", "", tuple(TurnDifference(kind, "a", "b") for kind in kinds)).kind == "money"
    assert ComparedTurn(1, "", "", ()).kind == "same"


def test_a_tampered_record_is_not_faithful(talks: tuple[LoadedAgent, list[Talk]]) -> None:
    loaded, played = talks
    record = as_recorded(loaded, played[0])
    again = play_again(loaded.agent, record)
    assert unfaithful(replace(record, version=99), again)
    tampered = record.state.replace('"agent_version":"', '"agent_version":"x')
    assert unfaithful(replace(record, state=tampered), again) == ("the session is another in: agent_version",)
