import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]
Edit = Callable[..., Path]
AGENTS = Path(__file__).parents[2] / "agents"
SEARCH = "      - name: search\n        do: search_flights\n"
FOUND = '      - say: "Esto es lo que encontré'
BOOKING = "      - name: book_one\n        do: book_flight\n"
CANCELLING = "      - do: cancel_booking\n"
CANCELLED = f"{CANCELLING}        into: {{dropped: dropped, dropped_also: dropped_also}}\n        told: which\n"
CONTACTS = ("…1222", "…3444", "…5666", "…4555", "…7888", "…9000", "…3123")


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(AGENTS.parent)


@pytest.fixture
def edit(tmp_path: Path) -> Edit:
    """A copy of an agent in which texts are replaced by others."""

    def edited(name: str, changes: dict[str, str]) -> Path:
        folder = tmp_path / "edited" / name
        shutil.copytree(AGENTS / name, folder)
        text = (folder / "agent.yaml").read_text(encoding="utf-8")
        for old, new in changes.items():
            assert old in text
            text = text.replace(old, new)
        (folder / "agent.yaml").write_text(text, encoding="utf-8")
        return folder

    return edited


def session_of(run: Run, contact: str) -> str:
    found = json.loads(run("sessions", "--all", "--json").output)
    return next(str(each["id"]) for each in found if each["address"] == contact)


def changes(run: Run, contact: str, agent: Path) -> tuple[Result, dict[int, str]]:
    """The page of a replay with an edited agent, and the kind of each of its turns."""
    session = session_of(run, contact)
    [plain] = json.loads(run("replay", session, "--agent", agent, "--json").output)
    return run("replay", session, "--agent", agent), {each["number"]: each["kind"] for each in plain["changes"]}


def write(database: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(sql, values)
        connection.commit()


# --- the same agent -------------------------------------------------------------------------------------


@pytest.mark.parametrize("contact", CONTACTS)
def test_a_session_replays_to_the_byte(run: Run, contact: str) -> None:
    result = run("replay", session_of(run, contact))
    assert result.exit_code == 0, result.output
    assert "✓ the same to the byte" in result.output


def test_all_sessions_replay_to_the_byte(run: Run) -> None:
    result = run("replay", "--all")
    assert result.exit_code == 0
    assert result.output == "7 sessions, 7 the same; turns: 34 same\n"


def test_sessions_on_postgresql_replay_to_the_byte_and_can_be_looked_at(run: Run, postgres_sessions: str) -> None:
    result = run("replay", "--all", url=postgres_sessions)
    assert result.output == "2 sessions, 2 the same; turns: 18 same\n"
    assert "✓ 1 entry" in run("audit", "verify", url=postgres_sessions).output
    assert run("usage", url=postgres_sessions).output.splitlines()[-2].split()[:3] == ["all", "18", "100%"]
    [newest, _] = json.loads(run("sessions", "--json", url=postgres_sessions).output)
    assert "book_flight(" in run("show", newest["id"], "--traces", url=postgres_sessions).output


def test_another_byte_in_the_session_is_noticed(run: Run, database: Path) -> None:
    session = session_of(run, "…7888")
    write(database, "UPDATE sessions SET state = replace(state, 'Ana', 'Eva') WHERE id = ?", session)
    result = run("replay", session)
    assert result.exit_code == 1
    assert "not what was recorded: the session is another in: slots" in result.output


def test_another_reply_is_noticed(run: Run, database: Path) -> None:
    session = session_of(run, "…1222")
    write(database, "UPDATE turns SET said = '[]' WHERE session_id = ? AND number = 2", session)
    result = run("replay", session)
    assert result.exit_code == 1
    assert "turn 2 has other replies" in result.output


def test_a_missing_turn_is_noticed(run: Run, database: Path) -> None:
    session = session_of(run, "…1222")
    write(database, "DELETE FROM turns WHERE session_id = ? AND number = 7", session)
    result = run("replay", session)
    assert result.exit_code == 1
    assert "the session has version 7, the replay ends with 6" in result.output


def test_an_agent_without_tools_needs_no_file(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("replay", session_of(run, "…1222")).exit_code == 0


def test_an_agent_whose_tools_are_not_there_cannot_be_replayed(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("replay", session_of(run, "…7888"))
    assert result.exit_code == 2
    assert "give its file with --agent FILE" in result.output


# --- an edited agent ------------------------------------------------------------------------------------


def test_an_edit_that_changes_nothing_is_the_same(run: Run, edit: Edit) -> None:
    agent = edit("leads", {"# Collects": "# It collects"})
    result, kinds = changes(run, "…1222", agent)
    assert result.exit_code == 0
    assert set(kinds.values()) == {"same"}
    assert result.output.splitlines()[-1] == "7 turns: 7 same"


def test_other_texts_are_wording(run: Run, edit: Edit) -> None:
    agent = edit("vuelos", {"¿De dónde sales?": "¿Cuál es tu ciudad de salida?"})
    result, kinds = changes(run, "…7888", agent)
    assert result.exit_code == 1
    assert {number for number, kind in kinds.items() if kind == "wording"} == {1}
    assert set(kinds.values()) == {"same", "wording"}
    assert "− ¡Hola! Soy el asistente de vuelos. ¿De dónde sales?" in result.output
    assert "+ ¡Hola! Soy el asistente de vuelos. ¿Cuál es tu ciudad de salida?" in result.output
    assert result.output.splitlines()[-1] == "11 turns: 10 same, 1 wording"


def test_a_step_that_only_moves_others_is_no_change(run: Run, edit: Edit) -> None:
    agent = edit(
        "leads", {"      - say: thanks\n": "      - {say: thanks, when: budget > 99999999}\n      - say: thanks\n"}
    )
    assert set(changes(run, "…1222", agent)[1].values()) == {"same"}


def test_another_order_of_questions_is_a_path(run: Run, edit: Edit) -> None:
    agent = edit("leads", {"[name, email, phone,": "[email, name, phone,"})
    result, kinds = changes(run, "…1222", agent)
    assert [kinds[number] for number in (1, 2, 3)] == ["path", "wording", "same"]
    assert "− asks name" in result.output
    assert "+ asks email" in result.output


def test_a_slot_that_is_gone_is_a_path(run: Run, edit: Edit) -> None:
    company = AGENTS.joinpath("leads/agent.yaml").read_text(encoding="utf-8")
    block = company[company.index("  company:") : company.index("  budget:")]
    agent = edit("leads", {block: "", "phone, company, budget": "phone, budget"})
    result, kinds = changes(run, "…1222", agent)
    assert kinds[6] == "path"
    assert "does not hear SetSlot(company, Acme): there is no slot company" in result.output


def test_another_time_of_a_timer_is_a_path(run: Run, edit: Edit) -> None:
    agent = edit("leads", {"timeout: 30m": "timeout: 20m"})
    result, kinds = changes(run, "…1222", agent)
    assert (kinds[1], kinds[2]) == ("path", "same")
    assert "sets the timer escalation.timeout" in result.output


def test_a_call_with_other_arguments_is_a_tool_and_the_replay_stops_there(run: Run, edit: Edit) -> None:
    agent = edit("vuelos", {SEARCH: f"{SEARCH}        arguments: {{passengers: 9}}\n"})
    result, kinds = changes(run, "…7888", agent)
    assert result.exit_code == 1
    assert kinds[7] == "tool"
    assert 8 not in kinds
    assert "passengers=2)" in result.output
    assert "the record has no result for search_flights(" in result.output
    assert "4 turns after it not known" in result.output


def test_a_call_that_was_made_elsewhere_in_the_session_has_its_result(run: Run, edit: Edit) -> None:
    agent = edit("vuelos", {FOUND: f"      - do: search_flights\n{FOUND}"})
    result, kinds = changes(run, "…7888", agent)
    assert kinds[7] == "tool"
    assert len(kinds) == 11
    assert "stopped" not in result.output


def test_a_call_that_was_made_in_another_turn_has_its_result(run: Run, edit: Edit) -> None:
    again = "      - do: find_booking\n        into: {flight: held_flight}\n        told: which\n"
    agent = edit("vuelos", {CANCELLING: f"{again}{CANCELLING}"})
    result, kinds = changes(run, "…9000", agent)
    assert kinds == {1: "same", 2: "same", 3: "tool", 4: "same"}
    assert "+ find_booking(locator=DEMO22)" in result.output


def test_another_number_in_a_summary_is_money(run: Run, edit: Edit) -> None:
    agent = edit("vuelos", {"En total, {fare_total} dólares.": "En total, {fare_total} dólares y 15 de tasas."})
    result, kinds = changes(run, "…7888", agent)
    assert {number for number, kind in kinds.items() if kind == "money"} == {8, 9}
    assert kinds[10] == "same"
    assert "+ asks a yes to 15" in result.output


def test_another_order_of_numbers_in_a_summary_is_wording(run: Run, edit: Edit) -> None:
    people, total = "Pasajeros: {passengers}.", "En total, {fare_total} dólares."
    agent = edit("vuelos", {f"{people} {total}": f"{total} {people}"})
    kinds = changes(run, "…7888", agent)[1]
    assert (kinds[8], kinds[9]) == ("wording", "wording")


def test_a_writing_call_with_other_arguments_is_money(run: Run, edit: Edit) -> None:
    agent = edit("vuelos", {BOOKING: f"{BOOKING}        arguments: {{passengers: 1}}\n"})
    result, kinds = changes(run, "…7888", agent)
    assert kinds[10] == "money"
    assert "passengers=1)" in result.output
    assert "stopped: the record has no result for book_flight(" in result.output


def test_a_writing_call_that_would_not_be_made_is_money(run: Run, edit: Edit) -> None:
    agent = edit("vuelos", {CANCELLED: "      - set: {dropped: DEMO22}\n"})
    result, kinds = changes(run, "…9000", agent)
    assert kinds[3] == "money"
    assert "− cancel_booking(locator=DEMO22)" in result.output


def test_a_button_answers_the_question_that_is_open_now(run: Run, edit: Edit) -> None:
    agent = edit("vuelos", {"      - name: check_search\n": "      - name: first_check\n"})
    kinds = changes(run, "…7888", agent)[1]
    assert (kinds[4], kinds[5]) == ("path", "path")
    assert kinds[6] == "same"


def test_the_file_on_disk_is_compared_with_when_it_has_changed(
    run: Run, edit: Edit, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = edit("leads", {"¿A qué correo te escribimos?": "¿Tu correo?"}).parent
    monkeypatch.chdir(folder)
    result = run("replay", session_of(run, "…1222"))
    assert result.exit_code == 1
    assert "+ ¿Tu correo?" in result.output


def test_all_sessions_of_the_edited_agent_are_replayed(run: Run, edit: Edit) -> None:
    agent = edit("leads", {"¿A qué correo te escribimos?": "¿Tu correo?"})
    result = run("replay", "--all", "--agent", agent)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[-1] == "4 sessions, 2 the same; turns: 14 same, 2 wording"
    assert len(lines) == 3
    assert run("replay", "--all", "--agent", agent, "--limit", 1).output.startswith("1 session, ")


def test_an_edit_may_drop_a_tool(run: Run, edit: Edit) -> None:
    text = AGENTS.joinpath("vuelos/agent.yaml").read_text(encoding="utf-8")
    cancelling = text[text.index("  cancel_flight:") : text.index("  see_booking:")]
    restoring = text[text.index("  restore_flight:") : text.index("intents:")]
    agent = edit("vuelos", {cancelling: "", restoring: "", ", cancel_booking: Cancelar una reserva": ""})
    tools = (agent / "tools.py").read_text(encoding="utf-8")
    start, end = (
        tools.index("@tool(writes=True)\ndef cancel_booking"),
        tools.index("@tool(timeout=5)\ndef find_cancelled"),
    )
    (agent / "tools.py").write_text(tools[:start] + tools[end:], encoding="utf-8")
    result, kinds = changes(run, "…9000", agent)
    assert result.exit_code == 1
    assert kinds[3] == "money"
    assert "does not hear StartFlow(cancel_flight): there is no flow cancel_flight" in result.output


# --- errors ---------------------------------------------------------------------------------------------


def test_what_cannot_be_replayed_has_the_exit_code_2(run: Run, edit: Edit, tmp_path: Path) -> None:
    session = session_of(run, "…1222")
    assert run("replay").exit_code == 2
    assert run("replay", session, "--all").exit_code == 2
    assert run("replay", "zzz").exit_code == 2
    assert run("replay", session, url=f"sqlite:///{tmp_path / 'none.db'}").exit_code == 2
    wrong = run("replay", session, "--agent", AGENTS / "vuelos")
    assert wrong.exit_code == 2
    assert "the session is with the agent leads" in wrong.output
    broken = edit("leads", {"type: email": "type: emial"})
    assert run("replay", session, "--agent", broken).exit_code == 2


def test_a_version_that_is_not_kept_is_an_error_of_that_session(run: Run, database: Path) -> None:
    write(database, "DELETE FROM agents WHERE name = 'leads'")
    result = run("replay", "--all")
    assert result.exit_code == 2
    assert "is not kept in this database" in result.output
    assert result.output.splitlines()[-1].startswith("7 sessions, 3 the same; turns: 18 same")


@pytest.mark.parametrize("columns", [80, 120])
def test_the_page_fits_the_terminal(run: Run, edit: Edit, columns: int) -> None:
    agent = edit("vuelos", {"En total, {fare_total} dólares.": "En total, {fare_total} dólares y 15 de tasas."})
    page = run("replay", session_of(run, "…7888"), "--agent", agent, columns=columns).output
    assert max(map(len, page.splitlines())) <= columns
