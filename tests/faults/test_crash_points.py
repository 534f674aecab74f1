"""The process dies at every place where it can matter, another takes over, and nobody outside can tell."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from crashes import Crash, Crashes, Place, Zygote, all_places, zygote
from scenario import Job
from seen import Seen

from depth import DEEP, depth

Tell = Callable[[str], None]

MANY = 30  # places: with HILO_DEEP_TESTS=1 all of them, otherwise each kind of place and every eighth
EVERY = 8
TURN_AND_SEND = (
    *("accept_one", "take", "begin_call", "end_call", "commit", "commit_at_once", "begin", "end", "send", "tool"),
)


@pytest.fixture(scope="module")
def processes() -> Iterator[Zygote]:
    with zygote() as made:
        yield made


def sqlite_jobs(folder: Path, scenario: str) -> Callable[[str], Job]:
    """A file for each crash."""

    def prepare(name: str) -> Job:
        file = folder / f"{name}.db"
        shutil.copy(folder / "hilo.db", file)
        return Job(f"sqlite:///{file}", str(folder / name), scenario)

    return prepare


def postgres_jobs(folder: Path, url: str, scenario: str) -> Callable[[str], Job]:
    """One database, and a channel in it for each crash."""
    return lambda name: Job(url, str(folder / name), scenario, channel=name)


def places(points: list[str], *scripts: str) -> list[Place]:
    """The places to die at: of these scripts, or all. Of many, each kind of place and some of the rest."""
    numbered = enumerate(all_places(points), 1)
    wanted = [(number, place) for number, place in numbered if not scripts or place.name.split()[1] in scripts]
    if DEEP or len(wanted) < MANY:
        return [place for _, place in wanted]
    return [place for number, place in wanted if not number % EVERY or place.nth == 1]


def check(seen: Seen, whole: Seen, *, copies: int) -> Iterator[str]:
    yield from seen.wrong()
    yield from seen.differs(whole)
    if seen.doubled > copies:
        yield f"{seen.doubled} messages went out twice"


def sweep(crashes: Crashes, *scripts: str) -> Crashes:
    """Die once at each place; where the channel tells what it took, nothing may go out twice."""
    points, whole = crashes.whole()
    assert not list(whole.wrong())
    for place in places(points, *scripts):
        crash = crashes.at(place)
        if crash is not None:
            crashes.tally.add(crash, check(crash.seen, whole, copies=0))
    return crashes


def line(name: str, crashes: Crashes) -> str:
    tally = crashes.tally
    lines = (
        f"crash points: {tally.crashes} on {name}",
        f"{tally.answers} answers, each sent once" if not tally.doubled else f"{tally.doubled} sent twice",
        f"{len(tally.wrong)} faults",
    )
    return "; ".join(lines)


@pytest.mark.usefixtures("sqlite_url")
def test_nobody_can_tell_that_a_process_died_on_sqlite(processes: Zygote, folder: Path, tell: Tell) -> None:
    crashes = sweep(Crashes(processes, sqlite_jobs(folder, "sale")))
    tell(line("SQLite", crashes))
    assert not crashes.tally.wrong
    assert crashes.tally.crashes >= depth(75, 250)


def test_nobody_can_tell_that_a_process_died_on_postgres(
    processes: Zygote, folder: Path, postgres_url: str, tell: Tell
) -> None:
    crashes = sweep(Crashes(processes, postgres_jobs(folder, postgres_url, "brief sale")), *TURN_AND_SEND)
    tell(line("PostgreSQL (the turn and the send)", crashes))
    assert not crashes.tally.wrong
    assert crashes.tally.crashes >= depth(25, 90)


@pytest.mark.usefixtures("sqlite_url")
def test_a_channel_without_receipts_doubles_a_message_only_when_we_die_before_noting_it(
    processes: Zygote, folder: Path, tell: Tell
) -> None:
    crashes = Crashes(processes, sqlite_jobs(folder, "brief sale"))
    points, whole = crashes.whole()
    for place in places(points, "begin", "send", "end"):
        crash = crashes.at(place, echoes=False)
        if crash is not None:
            crashes.tally.add(crash, check(crash.seen, whole, copies=crash.in_window))
    tally = crashes.tally
    tell(f"without receipts: {tally.crashes} crash points of the send, {tally.doubled} doubled, all in the window")
    assert not tally.wrong
    assert tally.doubled > 0  # this is what receipts are for


@pytest.mark.usefixtures("sqlite_url")
def test_a_charge_is_never_repeated_and_goes_to_a_person_when_nobody_knows(
    processes: Zygote, folder: Path, tell: Tell
) -> None:
    crashes = Crashes(processes, sqlite_jobs(folder, "charge"))
    points, whole = crashes.whole()
    begun = points.index("after begin_call")
    for place in all_places(points)[begun - 2 : -1]:
        crash = crashes.at(place)
        if crash is not None:
            crashes.tally.add(crash, check_charge(crash, whole))
    tell(f"charges: {crashes.tally.crashes} crash points, {crashes.tally.parked} left to a person, none charged twice")
    assert not crashes.tally.wrong
    assert crashes.tally.parked == sum(crashes.tally.where[place] for place in UNKNOWN)


@pytest.mark.usefixtures("sqlite_url")
def test_nobody_is_written_to_twice_by_a_campaign_wherever_a_process_dies_on_sqlite(
    processes: Zygote, folder: Path, tell: Tell
) -> None:
    crashes = sweep(Crashes(processes, sqlite_jobs(folder, "first contact")))
    tell(line("SQLite (a campaign)", crashes))
    assert not crashes.tally.wrong
    assert {"at enlist", "at begin_contacts", "after begin_contacts", "at commit"} <= crashes.tally.where.keys()


def test_nobody_is_written_to_twice_by_a_campaign_wherever_a_process_dies_on_postgres(
    processes: Zygote, folder: Path, postgres_url: str, tell: Tell
) -> None:
    crashes = Crashes(processes, postgres_jobs(folder, postgres_url, "first contact"))
    sweep(crashes, "enlist", "begin_contacts")
    tell(line("PostgreSQL (a campaign)", crashes))
    assert not crashes.tally.wrong
    assert {"at enlist", "at begin_contacts", "after begin_contacts"} <= crashes.tally.where.keys()


UNKNOWN = ("after begin_call", "before tool", "after tool", "before end_call", "at end_call")


def check_charge(crash: Crash, whole: Seen) -> Iterator[str]:
    seen = crash.seen
    yield from seen.wrong()
    if len(seen.orders) > 1:
        yield "charged twice"
    if seen.doubled:
        yield "answered twice"
    if crash.place not in UNKNOWN:
        yield from seen.differs(whole)
    elif len(seen.told["ana"]) != len(whole.told["ana"]) or not seen.handoffs:
        yield f"not left to a person: {seen.told} {seen.handoffs}"
