"""The flight desk where its locators, its seats and its tools' errors matter; the rest is in its conversations."""

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from hilo.app import LoadedAgent, load_agent
from hilo.dialogue.events import MessageReceived
from hilo.dialogue.states import DialogueState
from hilo.testing import Conversation, Covered, FakeClock, coverage, find_suites, run_suite
from hilo.turn.run import Turn

AGENT = Path(__file__).parents[2] / "agents" / "vuelos"
START = datetime(2026, 3, 2, 10, 0, tzinfo=ZoneInfo("Europe/Madrid"))

ONE_WAY = "quiero un vuelo solo ida de Madrid a Barcelona el 20 de marzo para 2 personas a nombre de Ana Gómez"
ROUND_TRIP = (
    "quiero un vuelo de ida y vuelta de Madrid a Barcelona el 20 de mayo con vuelta el 25 de mayo"
    " para 2 personas a nombre de Ana Gómez"
)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "vuelos.sqlite"


@pytest.fixture
def vuelos(database: Path, monkeypatch: pytest.MonkeyPatch) -> LoadedAgent:
    monkeypatch.setenv("VUELOS_DB", str(database))
    return load_agent(AGENT)


@pytest.fixture
def turn(vuelos: LoadedAgent) -> Turn:
    return vuelos.turn


def contact(turn: Turn, who: str = "ana") -> Conversation:
    """A talk with a session of its own; calls of tools are told apart by it."""
    conversation = Conversation(turn, FakeClock(START))
    conversation.session = replace(conversation.session, id=who)
    return conversation


async def say(conversation: Conversation, *messages: str) -> str:
    """Write messages one after the other; the reply to the last."""
    replies: tuple[str, ...] = ()
    for message in messages:
        result = await conversation.say(message)
        replies = tuple(reply.text for reply in result.replies)
    return "\n".join(replies)


def said(conversation: Conversation) -> str:
    return "\n".join(entry.text for entry in conversation.replies)


def slot(conversation: Conversation, name: str) -> str:
    return str(conversation.session.slots.get(name, ""))


def with_tool(turn: Turn, name: str, function: Callable[..., object]) -> Turn:
    """The same turn with another function behind one of its tools."""
    return replace(turn, tools={**turn.tools, name: replace(turn.tools[name], function=function)})


def bookings(database: Path) -> list[tuple[str, str, int, int]]:
    """What is booked: flight, day, passengers, whether it was cancelled."""
    with sqlite3.connect(database) as connection:
        rows = connection.execute(
            "SELECT flight, day, passengers, cancelled FROM bookings WHERE locator NOT LIKE 'DEMO%' ORDER BY rowid"
        ).fetchall()
    connection.close()
    return rows


def fill_flight(turn: Turn, flight: str, day: str, *, seats: int) -> None:
    """Somebody else books seats."""
    call_id = f"others-{flight}-{day}"
    turn.tools["book_flight"].function(flight=flight, date=day, passengers=seats, name="Otros", call_id=call_id)


# --- talks, each of which a test looks at and the coverage counts ---------------------------------------


async def booked(turn: Turn, who: str = "ana") -> Conversation:
    conversation = contact(turn, who)
    await say(conversation, ONE_WAY, "sí", "sí")
    return conversation


async def changed(turn: Turn) -> Conversation:
    conversation = await booked(turn)
    await say(conversation, "quiero cambiar mi vuelo", "el 21 de marzo", "sí")
    return conversation


async def change_declined(turn: Turn) -> Conversation:
    conversation = await booked(turn)
    await say(conversation, "quiero cambiar mi vuelo", "el 21 de marzo", "no")
    return conversation


async def changed_to_a_full_day(turn: Turn) -> Conversation:
    conversation = await booked(turn)
    fill_flight(turn, "HI105", "2026-03-22", seats=2)
    await say(conversation, "quiero cambiar mi vuelo", "el 22 de marzo", "déjalo")
    return conversation


async def cancelled(turn: Turn) -> Conversation:
    conversation = await booked(turn)
    await say(conversation, "quiero cancelar mi vuelo", "sí")
    return conversation


async def kept(turn: Turn) -> Conversation:
    conversation = await booked(turn)
    await say(conversation, "quiero cancelar mi vuelo", "no")
    return conversation


async def regretted_too_late(turn: Turn) -> Conversation:
    """Somebody else takes the seats of a booking that was cancelled."""
    conversation = await cancelled(turn)
    fill_flight(turn, "HI105", "2026-03-20", seats=2)
    await say(conversation, "no canceles, me arrepentí")
    return conversation


async def amended_to_a_full_day(turn: Turn) -> Conversation:
    conversation = await booked(turn)
    fill_flight(turn, "HI105", "2026-03-22", seats=2)
    await say(conversation, "perdón, era para el 22 de marzo")
    return conversation


async def too_late(turn: Turn) -> Conversation:
    """The seats are taken between the search and the yes."""
    conversation = contact(turn)
    await say(conversation, ONE_WAY, "sí")
    fill_flight(turn, "HI105", "2026-03-20", seats=2)
    await say(conversation, "sí")
    return conversation


async def half_booked(turn: Turn) -> Conversation:
    """The same, for the way back only."""
    conversation = contact(turn)
    await say(conversation, ROUND_TRIP, "sí")
    fill_flight(turn, "HI104", "2026-05-25", seats=6)
    await say(conversation, "sí")
    return conversation


def down(**_: object) -> object:
    raise ConnectionError("the flight database is down")


async def search_is_down(turn: Turn) -> Conversation:
    conversation = contact(with_tool(turn, "search_flights", down))
    await say(conversation, ONE_WAY, "sí")
    return conversation


ALONE = (
    changed,
    change_declined,
    changed_to_a_full_day,
    cancelled,
    kept,
    regretted_too_late,
    amended_to_a_full_day,
    too_late,
    half_booked,
    search_is_down,
)


# --- changing and cancelling ----------------------------------------------------------------------------


async def test_book_change_cancel_and_ask_again_in_one_talk(turn: Turn, database: Path) -> None:
    conversation = await booked(turn)
    locator = slot(conversation, "booked")
    assert locator in said(conversation)
    assert bookings(database) == [("HI105", "2026-03-20", 2, 0)]

    found = await say(conversation, "quiero cambiar mi vuelo")
    assert "Tienes el HI105 de Madrid a Barcelona el 20 de marzo de 2026." in found
    assert "para el 21 de marzo de 2026, en vez del 20 de marzo" in await say(conversation, "el 21 de marzo")
    assert "Hecho" in await say(conversation, "sí")
    assert bookings(database) == [("HI105", "2026-03-21", 2, 0)]

    assert "Cancelo el HI105 de Madrid a Barcelona del 21 de marzo" in await say(
        conversation, "quiero cancelar mi vuelo"
    )
    assert "Cancelé el HI105" in await say(conversation, "sí")
    assert bookings(database) == [("HI105", "2026-03-21", 2, 1)]

    assert f"No encuentro ninguna reserva con el localizador {locator}" in await say(
        conversation, "quiero cambiar mi vuelo", locator
    )
    await say(conversation, "déjalo")
    assert conversation.session.state is DialogueState.IDLE


async def test_a_cancellation_is_taken_back_while_its_seats_are_free(turn: Turn, database: Path) -> None:
    conversation = await cancelled(turn)
    assert "Recupero el HI105" in await say(conversation, "no canceles, me arrepentí")
    assert "sigue en pie" in await say(conversation, "sí")
    assert bookings(database) == [("HI105", "2026-03-20", 2, 0)]


async def test_seats_that_somebody_else_has_taken_are_not_taken_back(turn: Turn, database: Path) -> None:
    conversation = await regretted_too_late(turn)
    assert "Esas plazas ya se ocuparon" in said(conversation)
    assert bookings(database)[0] == ("HI105", "2026-03-20", 2, 1)


async def test_the_way_back_is_changed_and_the_way_out_left_alone(turn: Turn, database: Path) -> None:
    conversation = contact(turn)
    await say(conversation, ROUND_TRIP, "sí", "sí")
    before = bookings(database)
    shown = await say(conversation, "quiero cambiar la vuelta para el 27 de mayo")
    assert "vuelta el 27 de mayo" in shown
    await say(conversation, "sí")
    assert bookings(database) == [before[0], (before[1][0], "2026-05-27", *before[1][2:])]


async def test_what_was_not_changed_is_remembered_as_it_was(turn: Turn, database: Path) -> None:
    conversation = await amended_to_a_full_day(turn)
    assert "no hay sitio" in said(conversation)
    assert slot(conversation, "date") == "2026-03-20"
    assert bookings(database)[0] == ("HI105", "2026-03-20", 2, 0)


async def test_a_no_changes_nothing(turn: Turn, database: Path) -> None:
    conversation = await change_declined(turn)
    assert bookings(database) == [("HI105", "2026-03-20", 2, 0)]
    assert "Hecho" not in said(conversation)
    assert conversation.session.stack == ()


async def test_a_day_without_seats_leaves_the_booking_as_it_was(turn: Turn, database: Path) -> None:
    conversation = await changed_to_a_full_day(turn)
    assert "tu reserva sigue como estaba" in said(conversation)
    assert bookings(database)[0] == ("HI105", "2026-03-20", 2, 0)


async def test_a_no_keeps_the_booking(turn: Turn, database: Path) -> None:
    conversation = await kept(turn)
    assert "tu reserva sigue en pie" in said(conversation)
    assert bookings(database) == [("HI105", "2026-03-20", 2, 0)]


async def test_a_cancelled_booking_frees_its_seats(turn: Turn) -> None:
    await cancelled(turn)
    other = contact(turn, "luis")
    assert "HI105" in await say(other, ONE_WAY, "sí")


async def test_a_change_in_the_middle_of_another_booking_does_not_touch_it(turn: Turn, database: Path) -> None:
    conversation = await booked(turn)
    locator = slot(conversation, "booked")
    shown = await say(conversation, "busca otro vuelo", "Lima", "Cusco", "el 3 de abril", "sí", "solo ida", "1")
    assert "El HI401 de Lima a Cusco" in shown
    resumed = await say(conversation, "quiero cambiar mi vuelo", "el 23 de marzo", "sí")
    assert f"Hecho: tu reserva {locator} queda con el HI105, el 23 de marzo" in resumed
    assert "El HI401 de Lima a Cusco, solo ida, el 3 de abril" in resumed
    await say(conversation, "sí")
    assert bookings(database) == [("HI105", "2026-03-23", 2, 0), ("HI401", "2026-04-03", 1, 0)]


# --- seats ----------------------------------------------------------------------------------------------


async def test_a_route_without_flights_books_nothing(turn: Turn, database: Path) -> None:
    conversation = contact(turn)
    reply = await say(conversation, ONE_WAY.replace("Madrid", "Lima"))
    assert "De Lima no volamos a Barcelona" in reply
    assert bookings(database) == []


async def test_of_two_contacts_who_want_the_last_seats_one_gets_them(turn: Turn, database: Path) -> None:
    ana, luis = contact(turn, "ana"), contact(turn, "luis")
    for each in (ana, luis):
        assert "El HI105" in await say(each, ONE_WAY, "sí")
    replies = await asyncio.gather(say(ana, "sí"), say(luis, "sí"))
    assert bookings(database) == [("HI105", "2026-03-20", 2, 0)]
    lucky, unlucky = sorted(replies, key=lambda reply: "¡Listo" not in reply)
    assert "Tu localizador es" in lucky
    assert "se acaba de llenar" in unlucky
    assert "No se te cobró nada" in unlucky
    assert "ocalizador" not in unlucky


async def test_who_comes_after_the_last_seats_is_offered_another_flight(turn: Turn) -> None:
    await booked(turn)
    reply = await say(contact(turn, "luis"), ONE_WAY, "sí")
    assert "El HI101" in reply
    assert "HI105" not in reply


async def test_seats_that_are_gone_at_the_yes_are_not_said_to_be_booked(turn: Turn, database: Path) -> None:
    conversation = await too_late(turn)
    assert "se acaba de llenar" in said(conversation)
    assert slot(conversation, "booked") == ""
    assert bookings(database) == [("HI105", "2026-03-20", 2, 0)]  # those of the others


async def test_the_same_call_books_once(turn: Turn, database: Path) -> None:
    book = turn.tools["book_flight"].function
    wanted = {"flight": "HI105", "date": "2026-03-20", "passengers": 2, "name": "Ana Gómez", "call_id": "once"}
    assert book(**wanted) == book(**wanted)
    assert bookings(database) == [("HI105", "2026-03-20", 2, 0)]


async def test_a_version_that_names_no_flight_moves_a_booking_within_its_own(turn: Turn, database: Path) -> None:
    wanted = {"flight": "HI105", "date": "2026-03-20", "passengers": 2, "name": "Ana Gómez", "call_id": "once"}
    locator = turn.tools["book_flight"].function(**wanted)["locator"]
    turn.tools["change_booking"].function(locator=locator, new_date="2026-03-21")
    assert bookings(database) == [("HI105", "2026-03-21", 2, 0)]


async def test_a_turn_that_is_run_again_books_once_under_the_same_locator(turn: Turn, database: Path) -> None:
    conversation = contact(turn)
    await say(conversation, ONE_WAY, "sí")
    yes = MessageReceived(START, "sí")
    first, again = [await turn.run(conversation.session, yes) for _ in range(2)]
    assert first.session.slots["booked"] == again.session.slots["booked"]
    assert bookings(database) == [("HI105", "2026-03-20", 2, 0)]


async def test_a_way_back_that_fails_calls_a_person_and_is_not_said_to_be_booked(turn: Turn, database: Path) -> None:
    conversation = await half_booked(turn)
    handoff = conversation.session.handoff
    assert handoff is not None
    assert (handoff.policy, handoff.reason) == ("flow", "la ida quedó reservada y la vuelta no")
    assert "Listo" not in said(conversation)
    assert [each[0] for each in bookings(database)] == ["HI104", "HI105"]


# --- errors of tools ------------------------------------------------------------------------------------


async def test_an_error_of_the_search_is_tried_again(turn: Turn) -> None:
    search, calls = turn.tools["search_flights"].function, []

    def broken_once(**arguments: object) -> object:
        calls.append(arguments)
        if len(calls) == 1:
            raise ConnectionError("the flight database is down")
        return search(**arguments)

    conversation = contact(with_tool(turn, "search_flights", broken_once))
    assert "El HI105" in await say(conversation, ONE_WAY, "sí")
    assert len(calls) == 2
    assert calls[0] == calls[1]


async def test_a_search_that_stays_down_is_said_to_be_so(turn: Turn, database: Path) -> None:
    conversation = await search_is_down(turn)
    assert "no puedo consultar los vuelos" in conversation.replies[-1].text
    assert conversation.session.state is DialogueState.IDLE
    assert conversation.session.stack == ()
    assert (conversation.session.status, bookings(database)) == ("active", [])


async def test_two_errors_in_a_row_call_a_person(turn: Turn, database: Path) -> None:
    conversation = await search_is_down(turn)
    conversation.turn = with_tool(turn, "find_route", down)
    await say(conversation, "busca otro vuelo", "Lima", "Cusco")
    assert conversation.session.handoff is not None
    assert conversation.session.handoff.policy == "errors"
    assert "Listo" not in said(conversation)
    assert bookings(database) == []


async def test_a_search_that_works_again_forgets_the_error(turn: Turn) -> None:
    conversation = await search_is_down(turn)
    conversation.turn = turn
    reply = await say(conversation, "busca otro vuelo", "Lima", "Cusco", "el 3 de abril", "sí", "solo ida", "1")
    assert "El HI401" in reply
    assert conversation.session.counters.errors == 0


async def test_nothing_is_said_to_be_booked_after_an_error_of_the_booking(turn: Turn, database: Path) -> None:
    def broken(**_: object) -> object:
        raise ConnectionError("the flight database is down")

    conversation = contact(with_tool(turn, "book_flight", broken))
    reply = await say(conversation, ONE_WAY, "sí", "sí")
    assert "no pude reservarlo" in reply
    assert "ocalizador" not in said(conversation)
    assert slot(conversation, "booked") == ""
    assert bookings(database) == []


# --- which day is which ---------------------------------------------------------------------------------


async def test_a_day_belongs_to_the_word_right_before_it(turn: Turn) -> None:
    conversation = contact(turn)
    await say(conversation, "un vuelo de Madrid a Barcelona el 20 de junio", "ida y vuelta, volvemos el 24 de junio")
    assert (slot(conversation, "date"), slot(conversation, "return_date")) == ("2026-06-20", "2026-06-24")


async def test_a_day_belongs_to_the_word_behind_it(turn: Turn) -> None:
    conversation = contact(turn)
    await say(conversation, "de Madrid a Barcelona, el 20 de junio es la ida y el 24 de junio es la vuelta")
    assert (slot(conversation, "date"), slot(conversation, "return_date")) == ("2026-06-20", "2026-06-24")


# --- coverage -------------------------------------------------------------------------------------------


async def test_the_conversations_and_these_talks_go_through_all_of_the_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VUELOS_DB", str(tmp_path / "conversations.sqlite"))
    (suite,) = find_suites((AGENT,))
    report = await run_suite(suite)
    assert [each.title for each in report.played if not each.passed] == []
    for number, talk in enumerate(ALONE):
        monkeypatch.setenv("VUELOS_DB", str(tmp_path / f"{number}.sqlite"))
        loaded = load_agent(AGENT)
        conversation = await talk(loaded.turn)
        traces = [entry.trace for entry in conversation.transcript if entry.trace]
        report = replace(report, covered=_together(report.covered, coverage(loaded.agent, traces)))
    assert {each.kind: each.missing for each in report.covered} == {each.kind: () for each in report.covered}


def _together(some: tuple[Covered, ...], others: tuple[Covered, ...]) -> tuple[Covered, ...]:
    pairs = zip(some, others, strict=True)
    return tuple(replace(one, reached=one.reached | other.reached) for one, other in pairs)
