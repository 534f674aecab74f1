"""When a business is open: what an author may write, holidays, nights, and when it opens next."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from hilo.agent.difference import difference
from hilo.agent.opening_hours import OpeningHours, Span
from hilo.agent.parse import json_schema, parse
from hilo.errors import FileProblems

ZONE = ZoneInfo("America/Argentina/Buenos_Aires")
AGENT = """\
agent: shop
country: AR
timezone: America/Argentina/Buenos_Aires
open: {open}
slots:
  name: {{type: person_name, ask: "¿Nombre?"}}
flows:
  order:
    starts: always
    steps:
      - {{say: "Estamos hasta las seis.", when: open}}
      - {{collect: name, when: not open}}
      - say: "Abrimos {{open.next}}."
"""


def hours(text: str, **more: str) -> OpeningHours:
    rest = "".join(f", {key}: {value}" for key, value in more.items())
    found = parse(AGENT.format(open=f'{{hours: "{text}"{rest}}}')).open
    assert found
    return found


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE).astimezone(UTC)


def problems(opening: str) -> list[str]:
    with pytest.raises(FileProblems) as caught:
        parse(AGENT.format(open=opening), file="a.yaml")
    return [str(problem) for problem in caught.value.problems]


def test_hours_are_those_of_each_day() -> None:
    opening = hours("mon-fri 9-13 15:30-19, sat 9-13")
    assert opening.on(date(2026, 11, 17)) == (Span(540, 780), Span(930, 1140))
    assert opening.on(date(2026, 11, 21)) == (Span(540, 780),)
    assert opening.on(date(2026, 11, 22)) == ()


def test_a_text_alone_is_the_hours() -> None:
    opening = parse(AGENT.format(open="mon-fri 9-18")).open
    assert opening
    assert opening.is_open(at("2026-11-17T09:00"), ZONE)
    assert not opening.is_open(at("2026-11-17T18:00"), ZONE)


def test_days_may_go_round_the_end_of_the_week() -> None:
    opening = hours("fri-mon 20-2")
    assert opening.is_open(at("2026-11-22T23:00"), ZONE)
    assert opening.is_open(at("2026-11-24T01:59"), ZONE)  # of Monday's night
    assert not opening.is_open(at("2026-11-24T23:00"), ZONE)


def test_on_public_holidays_of_the_country_it_is_closed() -> None:
    opening = hours("mon-sun 9-18", holidays="AR")
    assert opening.on(date(2026, 12, 25)) == ()
    assert opening.on(date(2026, 7, 9)) == ()
    assert opening.on(date(2026, 12, 24)) != ()


def test_a_part_of_a_country_has_holidays_of_its_own() -> None:
    second_of_may = date(2025, 5, 2)
    assert hours("mon-sun 9-18", holidays="ES-MD").on(second_of_may) == ()
    assert hours("mon-sun 9-18", holidays="ES-CT").on(second_of_may) != ()


def test_days_that_are_otherwise_go_over_the_week_and_holidays() -> None:
    days = "{2026-12-24: 9-12, 2026-12-25: 10-11, 2027-01-04 to 2027-01-15: closed}"
    opening = hours("mon-fri 9-18", holidays="AR", days=days)
    assert opening.on(date(2026, 12, 24)) == (Span(540, 720),)
    assert opening.on(date(2026, 12, 25)) == (Span(600, 660),)
    assert opening.on(date(2027, 1, 15)) == ()
    assert opening.on(date(2027, 1, 18)) != ()


@pytest.mark.parametrize(
    ("now", "opens"),
    [
        ("2026-11-17T08:00", "2026-11-17T09:00"),
        ("2026-11-17T09:00", "2026-11-17T15:00"),  # it has opened: when it does the next time
        ("2026-11-17T20:00", "2026-11-18T09:00"),
        ("2026-11-20T20:00", "2026-11-24T09:00"),  # the Monday between is a holiday
    ],
)
def test_it_opens_next(now: str, opens: str) -> None:
    assert hours("mon-fri 9-13 15-19", holidays="AR").opens(at(now), ZONE) == at(opens)


def test_a_business_that_does_not_open_within_a_year_never_does() -> None:
    opening = hours("mon-sun 9-18", days="{2026-11-17 to 2029-01-01: closed}")
    assert opening.opens(at("2026-11-17T08:00"), ZONE) is None


@pytest.mark.parametrize(
    ("opening", "problem"),
    [
        (
            "lun-vie 9-18",
            "a.yaml:4:7: `hours` has a day `lun-vie`; days are mon, tue, wed, thu, fri, sat, sun, or mon-fri",
        ),
        ("mon-fri", "must be hours such as mon-fri 9-18, sat 9:30-13"),
        ("mon-fri 9-25", "has an hour that no day has; days have 24"),
        ("mon-fri 9-13 12-18", "has hours that overlap"),
        ("mon-fri 9-18, wed 9-12", "says twice when it is open on wed"),
        ("{hours: mon-fri 9-18, holidays: XX}", "a.yaml:4:39: the holidays of `XX` are not known"),
        ("{hours: mon-fri 9-18, holidays: AR-QQ}", "the holidays of `AR-QQ` are not known"),
        ("{hours: mon-fri 9-18, days: {tomorrow: closed}}", "has `tomorrow`; write 2026-12-24"),
        ("{hours: mon-fri 9-18, days: {2026-12-24 to 2026-12-01: closed}}", "which ends before it begins"),
    ],
)
def test_mistakes_are_told(opening: str, problem: str) -> None:
    [found] = problems(opening)
    assert problem in found


def test_a_slot_called_open_is_refused_where_the_business_has_hours() -> None:
    text = AGENT.format(open="mon-fri 9-18").replace("  name:", "  open: {type: boolean}\n  name:")
    with pytest.raises(FileProblems) as caught:
        parse(text)
    assert "`open` says whether the business is open" in str(caught.value)


def test_without_hours_guards_and_texts_cannot_speak_of_them() -> None:
    with pytest.raises(FileProblems) as caught:
        parse(AGENT.format(open="mon-fri 9-18").replace("open: mon-fri 9-18\n", ""))
    told = str(caught.value)
    assert "slot `open` is not declared" in told
    assert "slot `open.next` is not declared" in told


def test_two_guards_in_a_row_may_find_it_open_and_then_closed() -> None:
    text = AGENT.format(open="mon-fri 9-18").replace("when: not open}", "when: open}")
    assert parse(text).open


def test_a_guard_that_can_never_hold_is_found_beside_open_too() -> None:
    text = AGENT.format(open="mon-fri 9-18").replace("when: not open}", "when: open and not open}")
    with pytest.raises(FileProblems, match="can never hold"):
        parse(text)


def test_another_version_tells_its_hours_as_they_are_written() -> None:
    before = parse(AGENT.format(open="mon-fri 9-18"))
    after = parse(AGENT.format(open="{hours: 'mon-fri 9-13 15:30-19, sat 9-13', holidays: AR}"))
    told = {change.what: (change.before, change.after) for change in difference(before, after) if "open" in change.part}
    assert ("mon-fri 9-18", "mon-fri 9-13 15:30-19, sat 9-13") in told.values()


def test_editors_know_the_key() -> None:
    assert "open" in json_schema()["properties"]
