"""What is found in a message once, and what is looked for again when goods are found in it."""

from datetime import UTC, datetime

from hilo.recognisers.normalise import normalise
from hilo.slots.places import streets, towns
from hilo.slots.utterance import Utterance

NOW = datetime(2026, 3, 10, 15, tzinfo=UTC)


def test_what_depends_on_goods_is_looked_for_again_and_nothing_else() -> None:
    message = "vivo en Mitre 450, Rosario"
    said = Utterance(normalise(message), NOW, "AR")
    named = message.index("Mitre")
    assert [each.start for each in streets(said)] == [named]
    found = towns(said)
    told = said.with_goods(((named, named + len("Mitre 450")),))
    assert streets(told) == ()
    assert towns(told) is found


def test_what_was_found_by_way_of_streets_is_looked_for_again() -> None:
    said = Utterance(normalise("Mitre 450"), NOW, "AR")
    asked: list[str] = []

    def many(given: Utterance) -> int:
        asked.append("again")
        return len(streets(given))

    assert said.once("many", lambda: many(said)) == said.once("many", lambda: many(said)) == 1
    told = said.with_goods(((0, 9),))
    assert told.once("many", lambda: many(told)) == 0
    assert asked == ["again", "again"]
