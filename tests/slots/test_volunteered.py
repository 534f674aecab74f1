"""What money and times are worth where nobody asked for them."""

from datetime import UTC, datetime

import pytest

from hilo.agent.declaration import Slot
from hilo.recognisers.normalise import normalise
from hilo.slots.utterance import SURE, Utterance

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)


def surest(kind: str, message: str, *, asks: bool, asked: bool) -> int:
    slot = Slot(type=kind)
    said = Utterance(normalise(message), NOW, "AR", asks=asks)
    return max(each.confidence for each in slot.kind.find(said, slot, asked=asked))


CASES = [("money", "el de 700 dólares"), ("money", "con 20 lucas"), ("time", "a las 9"), ("time", "a las 17:30")]


@pytest.mark.parametrize(("kind", "message"), CASES)
def test_a_value_in_a_question_of_the_contact_is_not_sure(kind: str, message: str) -> None:
    assert surest(kind, message, asks=False, asked=False) >= SURE
    assert surest(kind, message, asks=True, asked=False) < SURE
    assert surest(kind, message, asks=True, asked=True) >= SURE


@pytest.mark.parametrize(
    ("kind", "message", "value"),
    [
        ("number", "somos 3, bah 4", 4),
        ("number", "quince, perdón, dieciséis", 16),
        ("money", "100 lucas, digo 150 lucas", 150000),
        ("time", "a las 5, mejor a las 6", "18:00"),
        ("date", "el jueves, no, el viernes", "2026-11-20"),
        ("date", "el 3 de mayo, digo el 4 de mayo", "2027-05-04"),
    ],
)
def test_what_is_taken_back_is_no_candidate(kind: str, message: str, value: object) -> None:
    slot = Slot(type=kind)
    said = Utterance(normalise(message), NOW, "AR")
    assert [each.value for each in slot.kind.find(said, slot, asked=True) if each.confidence > 30] == [value]


@pytest.mark.parametrize(("language", "day"), [("en", "2027-05-06"), ("es-AR", "2027-06-05"), ("", "2027-06-05")])
def test_the_month_comes_first_in_english(language: str, day: str) -> None:
    slot = Slot(type="date")
    said = Utterance(normalise("5/6"), NOW, "", language=language)
    assert [each.value for each in slot.kind.find(said, slot, asked=True)] == [day]


@pytest.mark.parametrize(
    ("kind", "message", "first"),
    [
        ("date", "del 5 al 12 de marzo", "2027-03-05"),
        ("date", "salgo el 5 y vuelvo el 12 de marzo", "2027-03-05"),
        ("date", "ida el 5 de marzo, vuelta el 12", "2027-03-05"),
        ("time", "entre las 5 y 6 de la tarde", "17:00"),
        ("time", "de 9 a 11", "09:00"),
        ("money", "entre 100 y 150 lucas", 100000),
        ("money", "de 500 a 800 dólares", 500),
    ],
)
def test_the_first_end_of_a_range_leads(kind: str, message: str, first: object) -> None:
    slot = Slot(type=kind)
    found = slot.kind.find(Utterance(normalise(message), NOW, "AR"), slot, asked=True)
    assert max(found, key=lambda each: each.confidence).value == first


@pytest.mark.parametrize(
    ("kind", "message", "many"),
    [("number", "3 o 4", 2), ("date", "el jueves o el viernes", 2), ("money", "entre 100 y 150 lucas", 2)],
)
def test_two_that_stand_side_by_side_stay_two(kind: str, message: str, many: int) -> None:
    slot = Slot(type=kind)
    assert len(slot.kind.find(Utterance(normalise(message), NOW, "AR"), slot, asked=True)) == many
