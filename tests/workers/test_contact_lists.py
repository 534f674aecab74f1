"""Lists of contacts: whatever a spreadsheet saves is read, and what is wrong is said with its row."""

import csv
import io
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilo.agent.parse import parse
from hilo.channels.numbers import whatsapp_number
from hilo.errors import HiloError
from hilo.store.campaign_reports import RowProblem
from hilo.store.campaigns import Recipient
from hilo.workers.contact_lists import ListReader, csv_rows

AGENT = parse("""
agent: clinica
language: es-AR
country: AR
slots:
  nombre: {type: person_name, ask: "¿Cómo te llamás?"}
  estudio: {type: choice, choices: {Control: [chequeo], Odontología: [dentista]}, ask: "¿Cuál?"}
  ultimo: {type: date, ask: "¿Cuándo?"}
templates:
  control: {text: "Hola {nombre}", wa_template: control}
campaigns:
  control: {template: control, flow: turno, to: telefono, into: {Nombre: nombre, Estudio: estudio, Último: ultimo}}
  corta: {template: control, flow: turno}
flows:
  turno: {steps: [{collect: [nombre, estudio, ultimo]}, {say: "Listo."}]}
""")
NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
HEAD = "telefono,nombre,estudio,ultimo,opt_in\n"


def read(text: str, campaign: str = "control") -> list[Recipient | RowProblem]:
    reader = ListReader(AGENT, AGENT.campaigns[campaign], NOW)
    rows = csv_rows(io.StringIO(text, newline=""))
    _, head = next(rows)
    reader.check_columns(head)
    return [reader.read(number, cells) for number, cells in rows]


@pytest.mark.parametrize(
    "text",
    [
        "telefono,nombre,estudio,ultimo\n11 5555 1234,Ana Ruiz,dentista,20/3/2025\n",
        "\ufeffTeléfono;NOMBRE;Estudio;Último\r\n+54 9 11 5555-1234;Ana Ruiz;Odontología;2025-03-20\r\n",
        'sobra\ttelefono\tnombre\tultimo\testudio\nx\t5491155551234\t"Ana Ruiz"\t20/03/2025\tDENTISTA',
    ],
)
def test_the_same_list_however_it_was_saved(text: str) -> None:
    [found] = read(text)
    assert isinstance(found, Recipient)
    assert (found.value, found.other, found.row) == ("5491155551234", "541155551234", 2)
    assert found.slots == {"nombre": "Ana Ruiz", "estudio": "Odontología", "ultimo": "2025-03-20"}


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("no tiene,Ana Ruiz,,,", "row 2: telefono: `no tiene` is no phone number"),
        (",Ana Ruiz,,,", "row 2: telefono: is empty"),
        ("11 5555 1234,,,,", "row 2: nombre: is empty, and the template speaks of it"),
        ("11 5555 1234,Ana Ruiz,peluquería,,", "row 2: estudio: `peluquería` is no choice that `estudio` takes"),
        ("11 5555 1234,Ana Ruiz,,ayer no,", "row 2: ultimo: `ayer no` is no date that `ultimo` takes"),
        ("11 5555 1234,Ana Ruiz,,,quizás", "row 2: opt_in: is yes, no or the day of it"),
        (f"11 5555 1234,{'a' * 1001},,,", "row 2: nombre: is longer than 1000 characters"),
        ("=HYPERLINK(1),Ana Ruiz,,,", "row 2: telefono: `=HYPERLINK(1)` is no phone number"),
    ],
)
def test_what_is_wrong_with_a_row_is_said(row: str, problem: str) -> None:
    [found] = read(HEAD + row)
    assert str(found) == problem


def test_a_number_counts_once_however_it_is_written() -> None:
    found = read(HEAD + "11 5555 1234,Ana Ruiz,,,\n\n+5491155551234,Otra Vez,,,\n")
    assert isinstance(found[0], Recipient)
    assert str(found[1]) == "row 4: telefono: the same number as in row 2"  # an empty row counts as one


@pytest.mark.parametrize(
    ("cell", "agreed"), [("sí", True), ("X", True), ("2026-01-31", True), ("no", False), ("", False)]
)
def test_who_has_agreed_is_read(cell: str, *, agreed: bool) -> None:
    [found] = read(f"{HEAD}11 5555 1234,Ana Ruiz,,,{cell}")
    assert isinstance(found, Recipient)
    assert found.opted_in is agreed


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the list is empty"),
        ("nombre,estudio,ultimo\n", "no column telefono; it has estudio, nombre, ultimo"),
        ("telefono,nombre,nombre\n", "two columns are called nombre"),
        (",".join(f"c{each}" for each in range(300)), "300 columns"),
        (HEAD + '11,"Ana\n' + "x" * 200_000, "row 2: field larger than field limit"),
    ],
)
def test_what_is_no_list_is_refused(text: str, problem: str) -> None:
    with pytest.raises(HiloError, match=problem):
        read(text)


def test_without_into_the_columns_have_the_names_of_the_slots() -> None:
    [found] = read("phone,nombre\n1155551234,Ana Ruiz\n", "corta")
    assert isinstance(found, Recipient)
    assert found.slots == {"nombre": "Ana Ruiz"}


def test_a_list_that_is_too_long_is_read_up_to_its_limit_and_not_kept_in_memory() -> None:
    endless = (f"11 5555 {number % 10_000:04},Ana Ruiz,,,\n" for number in range(10**9))
    rows = csv_rows(line for part in ([HEAD], endless) for line in part)
    with pytest.raises(HiloError, match="more than 100,000 rows"):
        for _ in rows:
            pass


@given(st.lists(st.lists(st.text(max_size=30), max_size=7), max_size=10), st.sampled_from(",;\t"))
def test_whatever_stands_in_a_list_is_a_contact_or_a_problem_with_its_row(rows: list[list[str]], mark: str) -> None:
    text = io.StringIO()
    csv.writer(text, delimiter=mark).writerows([["telefono", "nombre", "estudio", "ultimo", "opt_in"], *rows])
    try:
        found = read(text.getvalue())
    except HiloError:
        return
    assert len(found) <= len(rows)
    assert all(each.row >= 2 for each in found)


@pytest.mark.parametrize(
    ("written", "country", "known"),
    [
        ("011 15 5555 1234", "AR", "5491155551234"),
        ("300 123 4567", "CO", "573001234567"),
        ("55 1234 5678", "MX", "5215512345678"),
        ("5215512345678", "MX", "5215512345678"),
        ("0034 612 34 56 78", "AR", "34612345678"),
        ("123", "AR", None),
        ("+999 12 345 678", "", None),
        ("11 5555 1234", "", None),
    ],
)
def test_a_number_is_written_as_whatsapp_knows_it(written: str, country: str, known: str | None) -> None:
    found = whatsapp_number(written, country)
    assert (found[0] if found else None) == known
