import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import Result

from hilo.dialogue.events import EscalationTriggered, Told
from hilo.dialogue.stored import encode

Run = Callable[..., Result]


def session_of(run: Run, contact: str) -> str:
    found = json.loads(run("sessions", "--all", "--json").output)
    return next(str(each["id"]) for each in found if each["address"] == contact)


def execute(database: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(sql, values)
        connection.commit()


def test_the_transcript_says_who_said_what_and_when(run: Run) -> None:
    result = run("show", session_of(run, "…3444"))
    assert result.exit_code == 0
    lines = [re.sub(r"^\d\d:\d\d:\d\d  ", "", line).rstrip() for line in result.output.splitlines()]
    assert lines[0].startswith("session_")
    assert "…3444 on leads · active · 6 turns" in lines[1]
    assert lines[3] == "contact   hola"
    assert lines[4].startswith("agent     ¡Hola!")
    assert "agent     ¿A qué correo te escribimos? ✓" in lines
    assert "operator  Olga took over" in lines
    assert "operator  gave the session back" in lines
    assert lines[-1].startswith("engine    keyword: the contact wrote asesor — over at ")


def test_a_message_shows_how_far_it_came(run: Run, database: Path) -> None:
    session = session_of(run, "…1222")
    for turn, status in enumerate(("delivered", "held", "pending", "sending"), 2):
        sql = "UPDATE outbox SET status = ?, reason = 'why' WHERE session_id = ? AND turn = ?"
        execute(database, sql, status, session, turn)
    output = " ".join(run("show", session).output.split())
    assert "¿Cómo te llamas? ✓✓ read" in output
    assert "¿A qué correo te escribimos? ✓✓ " in output
    assert "¿A qué número te podemos llamar? held: why" in output
    assert "… waiting: why" in output
    assert "… sending" in output


def test_a_failed_message_says_why(run: Run) -> None:
    output = " ".join(run("show", session_of(run, "…5666")).output.split())
    assert "✗ failed: the number is not on WhatsApp" in output


def test_traces_show_how_each_turn_came_about_and_what_was_called(run: Run) -> None:
    output = run("show", session_of(run, "…7888"), "--traces", columns=300).output
    assert output.count("check_escalation") == 11
    assert "SetSlot(destination, Barcelona)" in output
    assert re.search(r"search_flights\(origin=Madrid, .*passengers=2\) → ok: options=\d", output)
    assert re.search(r"book_flight\(flight=.*name=Ana Gómez\) → ok: locator=\w{6} \(\d+ ms\)", output)
    assert "options == 0: does not hold" in output
    assert "[Sí] [No]" in output


def test_without_traces_there_are_none(run: Run) -> None:
    assert "check_escalation" not in run("show", session_of(run, "…7888")).output


def test_the_beginning_of_an_id_is_enough(run: Run) -> None:
    whole = session_of(run, "…7888")
    shown = {run("show", name).output for name in (whole, whole[:18], whole.removeprefix("session_")[:8])}
    assert len(shown) == 1


def test_an_unknown_id_is_an_error_that_says_how_to_find_one(run: Run) -> None:
    result = run("show", "zzz")
    assert result.exit_code == 1
    assert str(result.exception) == "there is no session zzz: `hilo sessions --all` lists them"


def test_an_ambiguous_id_is_an_error_that_names_some(run: Run) -> None:
    result = run("show", "session_")
    assert result.exit_code == 1
    assert "may be several sessions: 00000001, " in str(result.exception)
    assert "…; write more" in str(result.exception)


def test_a_wildcard_is_no_beginning(run: Run) -> None:
    assert "there is no session %" in str(run("show", "%").exception)


def test_a_session_of_another_workspace_is_not_shown(run: Run) -> None:
    session = session_of(run, "…7888")
    assert "there is no session" in str(run("show", session, "--workspace", "other").exception)


def test_json_has_everything_but_the_whole_address(run: Run) -> None:
    found = json.loads(run("show", session_of(run, "…7888"), "--json").output)
    assert found["session"]["address"] == "…7888"
    assert [turn["number"] for turn in found["turns"]] == list(range(1, 12))
    assert found["turns"][1]["told"][0]["is"] == "MessageUnderstood"
    assert found["turns"][1]["told"][0]["commands"] == [{"is": "SetSlot", "slot": "origin", "value": "Madrid"}]
    assert {call["tool"] for call in found["calls"]} == {"search_flights", "book_flight", "find_route", "own_trip"}
    assert found["messages"][0]["status"] == "read"
    assert "34600777888" not in json.dumps(found)


def test_a_long_session_shows_its_last_50_turns(run: Run, database: Path) -> None:
    session = session_of(run, "…1222")
    execute(database, "UPDATE sessions SET version = 60 WHERE id = ?", session)
    for number in range(8, 61):
        execute(
            database,
            "INSERT INTO turns (session_id, number, at, event, heard, said, told, trace)"
            " SELECT session_id, ?, at + ?, event, 'message ' || ?, said, told, trace FROM turns"
            " WHERE session_id = ? AND number = 7",
            *(number, number, number, session),
        )
    output = run("show", session).output
    assert "10 earlier turns; --all shows them." in output
    assert "message 11\n" in output
    assert "message 10\n" not in output
    assert "message 10\n" in run("show", session, "--all").output


def test_what_a_contact_writes_does_not_steer_the_terminal(run: Run, database: Path) -> None:
    session = session_of(run, "…1222")
    execute(
        database, "UPDATE turns SET heard = ? WHERE session_id = ? AND number = 1", "a\x1b[31mb\u202ec[bold]", session
    )
    output = run("show", session).output
    assert "a\ufffd[31mb\ufffdc[bold]" in output
    assert "\x1b" not in output


def test_a_turn_that_failed_shows_what_was_written_and_why(run: Run, database: Path) -> None:
    session = session_of(run, "…1222")
    told = encode(Told, (EscalationTriggered(datetime.now(UTC), "error", "KeyError: x"),))
    sql = "UPDATE turns SET event = 'EscalationTriggered', told = ? WHERE session_id = ? AND number = 2"
    execute(database, sql, told, session)
    output = run("show", session).output
    assert "contact   soy Ana Pérez" in output
    assert "the turn failed: KeyError: x" in output


@pytest.mark.parametrize("columns", [80, 120])
def test_the_page_fits_the_terminal(run: Run, columns: int) -> None:
    page = run("show", session_of(run, "…7888"), "--traces", columns=columns).output
    assert max(map(len, page.splitlines())) <= columns
