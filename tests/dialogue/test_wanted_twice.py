"""What is wanted once more, after what is under way."""

from datetime import UTC, datetime

from hilo.agent.parse import parse
from hilo.dialogue.commands import Affirm, CancelFlow, Command, SetSlot, StartFlow, WantAlso
from hilo.dialogue.decide import decide
from hilo.dialogue.draft import Decision
from hilo.dialogue.events import MessageUnderstood
from hilo.dialogue.session import AskedSlot, AskedYes, Session
from hilo.dialogue.stack import MOST_WISHES
from hilo.dialogue.synthesis import opened

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
AGENT = parse(
    """\
agent: desk
slots:
  service: {type: choice, choices: [hair, nails], ask: "What for?"}
  name: {type: person_name, keep: true, ask: "Who?"}
flows:
  book:
    starts: [I want a booking]
    steps: [{collect: [service, name]}, {confirm: "{service} for {name}?"}, {say: "Booked: {service}."}, {call: other}]
  other:
    steps: [{say: "Bye."}]
""",
)
NAILS = WantAlso("book", {"service": "nails", "name": None})


def hear(session: Session, *commands: Command) -> Decision:
    return decide(AGENT, session, MessageUnderstood(NOW, commands, confidence=90))


def booking(*more: Command) -> Session:
    start = opened(AGENT, session_id="s", at=NOW)
    return hear(start, StartFlow("book"), SetSlot("service", "hair"), SetSlot("name", "Ana Gil"), *more).session


def test_what_is_wanted_also_begins_when_the_first_is_done_with_its_own_values() -> None:
    first = booking(NAILS)
    assert isinstance(first.pending, AskedYes)
    assert first.slots["service"] == "hair"
    second = hear(first, Affirm()).session
    assert second.finished[-1] == "book"
    assert second.flow == "book"
    assert second.slots == {"service": "nails"}  # None: who it is for is asked, though a name was kept
    assert second.pending == AskedSlot("name")
    assert not second.wishes


def test_a_yes_is_to_the_first_alone() -> None:
    second = hear(hear(booking(NAILS), Affirm()).session, Affirm())
    assert second.session.flow == "book"
    assert [each.reason for each in second.refused] == ["no question is open that takes a yes or a no"]


def test_who_leaves_the_first_is_not_asked_for_the_second() -> None:
    left = hear(booking(NAILS), CancelFlow()).session
    assert not left.stack
    assert not left.wishes
    assert left.pending is None


def test_with_nothing_under_way_it_begins_at_once() -> None:
    begun = hear(opened(AGENT, session_id="s", at=NOW), NAILS).session
    assert begun.flow == "book"
    assert begun.slots == {"service": "nails"}


def test_what_contacts_cannot_begin_or_is_too_much_is_refused() -> None:
    start = booking(*[NAILS] * (MOST_WISHES + 1), WantAlso("other"))
    assert len(start.wishes) == MOST_WISHES
    assert not any(each.flow == "other" for each in start.wishes)
