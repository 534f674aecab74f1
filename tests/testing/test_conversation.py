"""The runner in memory: what is said, virtual time, timers, operators."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tiny_agents import TICKETS, load, played, write_agent

from hilo.agent.parse import parse
from hilo.app import load_agent
from hilo.testing import Conversation, FakeClock, NoSuchButton, parse_script
from hilo.testing.play import Broken, begin, play
from hilo.turn.run import Turn

MINUTE = timedelta(minutes=1)


@pytest.fixture
def conversation(tmp_path: Path) -> Conversation:
    return Conversation(load(tmp_path))


async def test_the_transcript_has_who_said_what_and_how_it_came_about(conversation: Conversation) -> None:
    result = await conversation.say("Soy Juan Pérez")
    contact, agent = conversation.transcript
    assert (contact.who, contact.text, contact.trace) == ("contact", "Soy Juan Pérez", result.trace)
    assert (agent.who, agent.text) == ("agent", result.replies[0].text)
    assert conversation.replies == (agent,)
    assert conversation.session is result.session


@pytest.mark.parametrize("button", ["yes", "Sí", "si"])
async def test_a_button_is_pressed_by_payload_or_title(conversation: Conversation, button: str) -> None:
    await conversation.say("Soy Juan Pérez")
    await conversation.say("1")
    result = await conversation.press(button)
    assert result.trace.understanding.stage == "exact"
    assert conversation.session.finished == ("book",)


async def test_a_button_of_an_older_message_may_be_pressed(conversation: Conversation) -> None:
    await conversation.say("Soy Juan Pérez")
    await conversation.say("1")
    await conversation.press("yes")
    result = await conversation.press("yes")
    assert [each.reason for each in result.trace.refused] == ["no question is open that takes a yes or a no"]


async def test_a_button_that_was_never_offered_cannot_be_pressed(conversation: Conversation) -> None:
    with pytest.raises(NoSuchButton, match="there is no button `yes`; offered were: none"):
        await conversation.press("yes")


async def test_a_step_with_such_a_button_fails(tmp_path: Path) -> None:
    result = await played(load(tmp_path), "- contact: Soy Ana Ruiz\n- contact: 1\n- press: quizás\n")
    (difference,) = result.differences
    assert difference.startswith(
        "expected the button `quizás`, but there is no button `quizás`; offered were: Sí (yes:"
    )


ROUNDS = """
agent: rounds
slots:
  guest: {type: person_name, ask: "¿Quién viene?"}
  seats: {type: number, ask: "¿Cuántos asientos?"}
  more: {type: boolean, ask: "¿Alguien más?"}
flows:
  guests:
    starts: always
    steps:
      - repeat: [{collect: [guest, seats]}, {do: note}, {collect: more}]
        until: not more
      - say: "Anotados."
"""

NOTING = """
from hilo.tools.tool import tool


@tool(writes=False)
async def note(guest: str, seats: int) -> dict[str, str]:
    return {"noted": f"{guest} {seats}"}
"""


async def test_each_round_of_a_block_asks_for_all_of_its_slots(tmp_path: Path) -> None:
    folder = write_agent(tmp_path / "rounds", ROUNDS)
    (folder / "tools.py").write_text(NOTING, encoding="utf-8")
    conversation = Conversation(load_agent(folder).turn)
    for text in ("Soy Ana Ruiz", "2", "sí", "Juan Pérez", "3", "no"):
        await conversation.say(text)
    said = [each.text.rpartition("! ")[2] for each in conversation.replies]
    assert said == [*["¿Cuántos asientos?", "¿Alguien más?", "¿Quién viene?"], *said[:2], "Anotados."]


# --- time -----------------------------------------------------------------------------------------------


async def test_a_timer_fires_at_its_own_time(conversation: Conversation) -> None:
    start = conversation.clock.now()
    await conversation.say("hola")
    (fired,) = await conversation.wait(31 * MINUTE)
    assert fired.trace.at == start + 30 * MINUTE
    assert fired.trace.policy == "timeout"
    assert conversation.clock.now() == start + 31 * MINUTE
    assert [entry.who for entry in conversation.transcript[2:]] == ["time", "timer", "agent"]
    assert conversation.timers.keys() == {"escalation.unanswered"}  # the promise of a person, kept or taken back


async def test_a_timer_does_not_fire_before_it_is_due(conversation: Conversation) -> None:
    await conversation.say("hola")
    assert await conversation.wait(29 * MINUTE) == ()
    assert len(await conversation.wait(MINUTE)) == 1


async def test_a_timer_that_was_cancelled_does_not_fire(conversation: Conversation) -> None:
    await conversation.say("Soy Juan Pérez")
    await conversation.say("1")
    await conversation.press("yes")
    assert conversation.timers == {}
    assert await conversation.wait(timedelta(days=1)) == ()


async def test_timers_fire_in_the_order_of_their_times(conversation: Conversation) -> None:
    now = conversation.clock.now()
    conversation.timers = {"late": now + 3 * MINUTE, "early": now + MINUTE, "never": now + 9 * MINUTE}
    await conversation.wait(5 * MINUTE)
    fired = [(entry.text, entry.at - now) for entry in conversation.transcript if entry.who == "timer"]
    assert fired == [("early", MINUTE), ("late", 3 * MINUTE)]
    assert list(conversation.timers) == ["never"]


async def test_a_timer_that_is_overdue_fires_now(conversation: Conversation) -> None:
    now = conversation.clock.now()
    conversation.timers = {"overdue": now - MINUTE}
    (fired,) = await conversation.wait(timedelta())
    assert fired.trace.at == now


@pytest.mark.parametrize(
    ("duration", "text"),
    [(timedelta(minutes=31), "31m"), (timedelta(hours=25, seconds=5), "1d 1h 5s"), (timedelta(), "0s")],
)
async def test_the_transcript_says_how_much_time_passed(
    conversation: Conversation, duration: timedelta, text: str
) -> None:
    await conversation.wait(duration)
    assert conversation.transcript[0].text == text


@pytest.mark.parametrize(
    ("starts", "moment"),
    [
        ("2026-03-02T10:00", datetime(2026, 3, 2, 15, 0, tzinfo=UTC)),
        ("2026-03-02T10:00+00:00", datetime(2026, 3, 2, 10, 0, tzinfo=UTC)),
    ],
)
def test_a_conversation_starts_in_the_time_zone_of_its_agent(tmp_path: Path, starts: str, moment: datetime) -> None:
    script = parse_script(f"starts: {starts}\nsteps: []")
    assert begin(script, load(tmp_path)).clock.now() == moment


def test_a_fake_clock_moves_only_when_told() -> None:
    clock = FakeClock()
    before = clock.now()
    clock.advance(MINUTE)
    assert clock.now() - before == MINUTE


async def test_an_alarm_says_which_promise_it_is_for(tmp_path: Path) -> None:
    silence = TICKETS + 'timers: {reminder: {after: 5m of silence, say: "¿Sigues ahí?"}}\n'
    conversation = Conversation(load(tmp_path / "timed", silence))
    await conversation.say("hola")
    await conversation.wait(3 * MINUTE)
    await conversation.say("Soy Ana Ruiz")
    assert await conversation.wait(4 * MINUTE) == ()
    (fired,) = await conversation.wait(MINUTE)
    assert fired.replies[0].text == "¿Sigues ahí?\n\n¿Cuántos asientos?"


async def test_time_that_passes_is_real_time_when_the_clock_is_changed(tmp_path: Path) -> None:
    silence = TICKETS.replace("America/Bogota", "Europe/Madrid")
    silence += 'timers: {reminder: {after: 90m of silence, say: "¿Sigues ahí?"}}\n'
    script = parse_script("starts: 2026-10-25T02:15\nsteps: []")  # at three it is two again
    conversation = begin(script, load(tmp_path / "timed", silence.replace("timeout: 30m", "timeout: 90h")))
    await conversation.say("hola")
    assert await conversation.wait(89 * MINUTE) == ()
    assert len(await conversation.wait(MINUTE)) == 1
    assert conversation.clock.now().strftime("%H:%M") == "02:45"


# --- sessions that end and begin ------------------------------------------------------------------------


async def test_who_comes_back_finds_a_new_session_with_what_was_worth_keeping(tmp_path: Path) -> None:
    kept = TICKETS.replace("type: person_name,", "type: person_name, keep: true,")
    kept += 'templates: {welcome_back: "Hola de nuevo, {name}."}\n'
    result = await played(
        load(tmp_path / "kept", kept.replace("timeout: 30m", "timeout: 90h")),
        """
        - contact: Soy Ana Ruiz
          expect: {asked: seats}
        - comes_back: 25h
          expect: {slots: {name: Ana Ruiz, seats: null}, silent: true}
        - contact: hola
          expect: {asked: seats, mentions: "Hola de nuevo, Ana Ruiz"}
        """,
    )
    assert result.differences == ()


async def test_a_paused_agent_is_quiet_and_a_message_may_come_early(tmp_path: Path) -> None:
    result = await played(
        load(tmp_path / "paused"),
        """
        - contact: Soy Ana Ruiz
        - operator: pauses
        - contact: "1"
          expect: {silent: true, refused: false}
        - operator: resumes
          expect: {silent: true, asked: seats}
        - contact: "1"
          expect: {asked: "yes"}
        - contact: sí
          early: true
          expect: {asked: "yes", refused: 1}
        - contact: sí
          expect: {completed: book}
        """,
    )
    assert result.differences == ()


BOOKING = """
from hilo.tools.tool import tool

@tool(writes=True, idempotent=False)
def book(name: str) -> str:
    return name
"""


async def test_a_tool_may_break_off_with_its_work_perhaps_done(tmp_path: Path) -> None:
    folder = write_agent(
        tmp_path / "booking", TICKETS.replace("      - go: done", "      - do: book\n      - go: done")
    )
    (folder / "tools.py").write_text(BOOKING, encoding="utf-8")
    result = await played(
        load_agent(folder),
        """
        - contact: Soy Ana Ruiz
        - contact: "1"
        - press: "yes"
          tools: {book: {error: gone, breaks: true}}
          expect: {handed_off: unknown_outcome}
        """,
    )
    assert result.differences == ()


# --- operators and broken turns -------------------------------------------------------------------------


async def test_an_operator_takes_over_and_releases(conversation: Conversation) -> None:
    await conversation.say("hola")
    taken = await conversation.operator_takes_over()
    assert taken.session.holder == "operator"
    released = await conversation.release()
    assert released.session.holder == "agent"


SHOP = """
agent: shop
modes:
  IDLE: {tools: [clear], to: [BUSY]}
  BUSY: {tools: [clear]}
  PERSON: {tools: [], operator: true}
intents:
  empty: {do: clear, examples: [vaciar, borrar todo]}
tools: {says: {mark: "Marcado: {what}.", clear: "Vacío."}}
"""
SHOP_TOOLS = """
from hilo.tools.tool import tool

@tool(writes=True, operator=True)
async def mark(what: str) -> dict[str, str]:
    '''Mark it.'''
    return {"what": what}

@tool(writes=True, needs_yes=False)
async def clear() -> dict[str, str]:
    '''Empty it.'''
    return {}
"""


async def test_an_operator_has_tools_run_and_gives_back_in_a_mode_with_words(tmp_path: Path) -> None:
    folder = write_agent(tmp_path / "shop", SHOP)
    (folder / "tools.py").write_text(SHOP_TOOLS, encoding="utf-8")
    result = await played(
        load_agent(folder),
        """
        - operator: {calls: mark, arguments: {what: "7"}}
          expect: {mentions: "Marcado: 7"}
        - operator: {calls: mark, arguments: {what: "8"}, tell: false}
          expect: {silent: true}
        - operator: takes over
          expect: {mode: PERSON}
        - operator: {releases: {mode: BUSY, calls: clear, message: Listo.}}
          expect: {mode: BUSY, mentions: [Listo, Vacío], handed_off: false}
        """,
    )
    assert result.differences == ()


@pytest.mark.parametrize(
    ("operator", "problem"),
    [
        ("{calls: nap}", "there is no tool `nap`"),
        ("{releases: {mode: NAP}}", "there is no mode `NAP`"),
        ("{releases: {calls: [nap]}}", "there is no tool `nap`"),
    ],
)
async def test_what_an_operator_does_must_be_known(tmp_path: Path, operator: str, problem: str) -> None:
    script = parse_script(f"steps:\n  - operator: {operator}\n")
    result = await play(script, load(tmp_path))
    assert isinstance(result, Broken)
    assert problem in result.problem


async def test_a_turn_that_breaks_is_a_difference(tmp_path: Path) -> None:
    loaded = load(tmp_path)
    agent = replace(parse(TICKETS), templates={})  # nothing can be said
    result = await played(replace(loaded, turn=Turn(agent)), "- contact: hola\n")
    assert result.differences[0].startswith("expected a turn, but it broke with KeyError: ")
