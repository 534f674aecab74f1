"""`hilo handoffs`: looking at them, taking them and giving sessions back, on a database in which people have talked."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from hilo.app.installation import WORKSPACE, Options, installation
from hilo.settings import Settings
from hilo.store.views import sessions
from patience import PATIENCE

Run = Callable[..., Result]
ROOT = Path(__file__).parents[2]


def rows(database: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(database)) as file:
        return file.execute(sql).fetchall()


@pytest.fixture
def waiting(database: Path) -> str:
    """The one that nobody has taken."""
    [(found,)] = rows(database, "SELECT id FROM handoffs WHERE status = 'pending'")
    return str(found)


def put(database: Path) -> list[dict[str, Any]]:
    """What waits in the inbox for a session that a person is wanted in; another waits because of a failed message."""
    waiting = rows(database, "SELECT event FROM inbox WHERE status = 'pending' AND kind <> 'SendFailed'")
    return [json.loads(event) for (event,) in waiting]


def test_who_waits_is_listed_without_a_word(run: Run, waiting: str) -> None:
    for words in (("handoffs",), ("handoffs", "list")):
        head, line = run(*words).output.splitlines()
        assert head.split() == ["handoff", "session", "trigger", "status", "since", "reason"]
        assert line.split()[:4] == [waiting[8:16], "00000010", "customer_request", "pending"]


def test_options_of_the_list_need_no_word_either(run: Run) -> None:
    for options in (("--json",), ("--all", "--json"), ("--workspace", "main", "--json")):
        assert json.loads(run("handoffs", *options).output) == json.loads(run("handoffs", "list", *options).output)
    assert "without a word" in " ".join(run("handoffs", "-h").output.split())


def test_those_that_are_over_come_on_request(run: Run) -> None:
    lines = run("handoffs", "list", "--all").output.splitlines()[1:]
    assert [line.split()[3] for line in lines] == ["resolved", "pending"]
    assert "(Olga)" in lines[0]
    found = json.loads(run("handoffs", "list", "--all", "--json").output)
    assert [(each["policy"], each["trigger"], each["operator"]) for each in found] == [
        ("keyword", "customer_request", "Olga"),
        ("llm_intent", "customer_request", ""),
    ]


@pytest.mark.parametrize("columns", [80, 120])
def test_the_page_fits_the_terminal(run: Run, waiting: str, columns: int) -> None:
    for words in (("list", "--all"), ("show", waiting)):
        assert max(map(len, run("handoffs", *words, columns=columns).output.splitlines())) <= columns


def test_one_is_shown_with_what_a_person_has_to_know(run: Run, waiting: str) -> None:
    page = run("handoffs", "show", waiting[8:13]).output
    assert "customer_request: Wants something that a person sees to" in page
    assert "the contact means wants_human" in page
    assert "…4555 · leads" in page
    assert "quiero hablar con una persona" in page
    context = json.loads(run("handoffs", "show", waiting, "--json").output)["context"]
    assert context["contact"]["address"] == "…4555"
    assert [each["who"] for each in context["messages"]] == ["contact", "agent", "contact", "agent"]


def test_taking_one_goes_through_the_inbox(run: Run, waiting: str, database: Path) -> None:
    result = run("handoffs", "take", waiting, "--operator", "Luis")
    assert (result.exit_code, result.output.startswith(f"Luis takes {waiting[8:16]}.")) == (0, True)
    [event] = put(database)
    assert (event["is"], event["operator"]) == ("OperatorTookOver", "Luis")
    assert rows(database, "SELECT status FROM handoffs ORDER BY created_at") == [("resolved",), ("pending",)]


def test_a_release_says_all_that_was_chosen(run: Run, waiting: str, database: Path) -> None:
    words = ("--message", "Ya está", "--resolution", "phoned", "--operator", "Luis")
    assert run("handoffs", "release", waiting, *words).exit_code == 0
    [event] = put(database)
    assert (event["is"], event["text"]) == ("Released", "Ya está")
    noted = rows(database, f"SELECT resolution, resolved_by FROM handoffs WHERE id = '{waiting}'")  # noqa: S608
    assert noted == [("phoned", "Luis")]


def test_a_server_that_runs_does_what_was_released(
    run: Run, waiting: str, database: Path, recorded_sessions: Path
) -> None:
    assert run("handoffs", "release", waiting, "--message", "Ya está").exit_code == 0
    assert asyncio.run(_after_a_while(database, recorded_sessions.parent / "cache")) == "active"
    [(status, said)] = rows(
        database,
        f"SELECT h.status, o.message FROM handoffs h JOIN outbox o ON o.session_id = h.session_id "  # noqa: S608
        f"WHERE h.id = '{waiting}' ORDER BY o.id DESC LIMIT 1",
    )
    assert (status, json.loads(said)["text"].startswith("Ya está")) == ("resolved", True)
    result = run("handoffs", "release", waiting)
    assert (result.exit_code, str(result.exception)) == (1, f"the handoff {waiting[8:16]} is over already")


async def _after_a_while(database: Path, cache: Path) -> str:
    settings, options = Settings(cache, f"sqlite:///{database}"), Options(burst=timedelta())
    async with installation(settings, [ROOT / "agents/leads"], options=options) as here:
        await here.runtime.start()
        async with asyncio.timeout(PATIENCE):
            while True:
                found = await here.store.run(sessions, WORKSPACE, "all", at_most=100)
                mine = next(each for each in found if each.address.endswith("4555"))
                if mine.status == "active":
                    await here.runtime.stop()
                    return mine.status
                await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("show", "nobody"), "there is no handoff nobody: `hilo handoffs list --all` lists them"),
        (("release", "ID", "--mode", "NOWHERE"), "there is no mode NOWHERE: this agent has no modes"),
        (("release", "ID", "--call", "fly"), "there is no tool fly: this agent has no tools"),
        (("release", "ID", "--message", "a" * 3001), "a message has at most 3000 characters, a resolution 1000"),
    ],
)
def test_what_does_not_exist_is_said(run: Run, waiting: str, database: Path, words: tuple[str, ...], why: str) -> None:
    result = run("handoffs", *(waiting if word == "ID" else word for word in words))
    assert (result.exit_code, str(result.exception)) == (1, why)
    assert put(database) == []


def test_another_workspace_sees_none(run: Run, waiting: str) -> None:
    assert run("handoffs", "list", "--workspace", "other").output == "Nobody waits for a person.\n"
    assert "there is no handoff" in str(run("handoffs", "take", waiting, "--workspace", "other").exception)


def test_a_call_of_an_operator_is_in_the_transcript(run: Run, database: Path) -> None:
    told = '[{"is":"OperatorCalled","at":{"time":"2026-01-01T00:00:00+00:00"},"tool":"wipe","operator":"Olga"}]'
    with closing(sqlite3.connect(database)) as file:
        file.execute(
            "UPDATE turns SET event = 'OperatorCalled', told = ?, heard = '' WHERE session_id LIKE 'session_00000010%' "
            "AND number = 1",
            (told,),
        )
        file.commit()
    assert "Olga called wipe" in run("show", "00000010").output
