"""Every recogniser over labelled messages: how many are read exactly, per kind, with the failing ones named."""

from collections.abc import Callable, Iterable
from datetime import datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml
from heard import felt, heard

from hilo.recognisers.amounts.money import find_money
from hilo.recognisers.amounts.numbers import find_numbers
from hilo.recognisers.calendar.dates import find_dates
from hilo.recognisers.calendar.times import find_times
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text, normalise
from hilo.recognisers.people.contact import find_emails
from hilo.recognisers.people.names import find_person_names
from hilo.recognisers.people.phones import find_phones
from hilo.recognisers.places.addresses import find_addresses
from hilo.recognisers.places.cities import find_cities
from hilo.understanding.acts.trained import CONFIRMATION, NOTHING, waiting_for

NOW = datetime(2026, 3, 2, 10, 0, tzinfo=ZoneInfo("America/Bogota"))
SURE = 50  # what a dialogue would take without asking
FELT = 0.15  # weaker feelings are none
FEWEST_MESSAGES = 650

# the share read exactly that must not be lost
FLOORS = {
    "numbers": 0.98,
    "money": 0.98,
    "dates": 0.98,
    "emails": 0.97,
    "phones": 0.97,
    "names": 0.97,
    "acts": 0.95,
    "sentiment": 0.96,
    "cities": 0.95,
    "addresses": 0.94,
}

Message = dict[str, Any]


@cache
def _messages() -> list[Message]:
    loaded: list[Message] = yaml.safe_load((Path(__file__).parent / "messages.yaml").read_text("utf-8"))
    return loaded


def _values(found: Iterable[Found]) -> list[str]:
    return [str(each.value) for each in found if each.confidence >= SURE]


def _numbers(text: Text, message: Message) -> list[Decimal]:
    """Numbers that are no part of a date, an hour, a phone, an address or a price in a currency."""
    others = [*find_dates(text, now=NOW), *find_times(text), *find_phones(text), *find_emails(text)]
    others += find_addresses(text)
    others += [found for found in find_money(text, country=_country(message)) if found.unit]
    free = [
        found
        for found in find_numbers(text, country=_country(message))
        if all(found.end <= other.start or found.start >= other.end for other in others if other.confidence >= SURE)
    ]
    return [Decimal(str(found.value)) for found in free if found.confidence >= SURE]


def _money(text: Text, message: Message) -> list[tuple[Decimal, str]]:
    """Amounts with their currency, which is left out where the label does."""
    told = [str(label).partition(" ")[2] for label in message["money"]]
    found = [each for each in find_money(text, country=_country(message)) if each.confidence >= SURE]
    currencies = [each.unit for each in found]
    shown = [currency if index >= len(told) or told[index] else "" for index, currency in enumerate(currencies)]
    return [(Decimal(str(each.value)), currency) for each, currency in zip(found, shown, strict=True)]


def _feeling(text: Text, _: Message) -> str:
    score = felt(text.raw).score
    return "positive" if score > FELT else "negative" if score < -FELT else "neutral"


def _acts(text: Text, message: Message) -> set[str]:
    """The acts, heard at a summary or a question where a message of such acts may be said, or else at nothing."""
    told = _corrected(message["acts"])
    waiting = (
        CONFIRMATION if told & {"affirm", "deny", "cancel"} else waiting_for("text") if "skip" in told else NOTHING
    )
    found = [
        _corrected(act.kind for act in heard(text.raw, each) if act.confidence >= SURE) for each in (waiting, NOTHING)
    ]
    return found[0] if found[0] == told else found[1]


def _corrected(kinds: Iterable[str]) -> set[str]:
    """The acts; a change beside a correction is the same one, heard by the classifier too."""
    found = set(kinds)
    return found - {"change"} if "correct" in found else found


def _country(message: Message) -> str:
    return str(message.get("country", ""))


READERS: dict[str, Callable[[Text, Message], object]] = {
    "numbers": _numbers,
    "money": _money,
    "dates": lambda text, _: _values(find_dates(text, now=NOW)),
    "emails": lambda text, _: _values(find_emails(text)),
    "phones": lambda text, _: _values(find_phones(text)),
    "names": lambda text, message: _values(find_person_names(text, asked=message.get("asked") == "name")),
    "acts": _acts,
    "sentiment": _feeling,
    "cities": lambda text, message: [
        found.places[0].name for found in find_cities(text, country=_country(message)) if found.confidence >= SURE
    ],
    "addresses": lambda text, message: _values(find_addresses(text, country=_country(message))),
}


def _expected(kind: str, label: Any) -> object:
    if kind == "numbers":
        return [Decimal(str(number)) for number in label]
    if kind == "money":
        parts = [str(each).partition(" ") for each in label]
        return [(Decimal(amount), currency) for amount, _, currency in parts]
    return _corrected(label) if kind == "acts" else label


def _misread(kind: str) -> tuple[int, list[str]]:
    """How many messages are labelled with a kind, and a line for each that is read otherwise."""
    labelled = [message for message in _messages() if kind in message]
    lines = []
    for message in labelled:
        read, expected = READERS[kind](normalise(message["text"]), message), _expected(kind, message[kind])
        if read != expected:
            lines.append(f"{message['text']!r}: {read} instead of {expected}")
    return len(labelled), lines


def test_there_are_enough_messages_and_none_is_there_twice() -> None:
    texts = [(message["text"], *message) for message in _messages()]
    assert len({text for text, *_ in texts}) >= FEWEST_MESSAGES
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("message", _messages(), ids=lambda message: str(message["text"])[:40])
def test_a_label_has_a_known_kind(message: Message) -> None:
    assert set(message) <= {"text", "country", "asked", *READERS}


@pytest.mark.parametrize("kind", READERS)
def test_messages_are_read_as_a_person_reads_them(kind: str) -> None:
    labelled, misread = _misread(kind)
    rate = 1 - len(misread) / labelled
    report = "\n".join([f"{kind}: {rate:.1%} of {labelled} messages exact", *misread])
    assert rate >= FLOORS[kind], report
