"""From what a contact was sent back to the wordings of the templates that it was made of."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hilo.agent.declaration import Agent
from hilo.agent.texts import PLACEHOLDER
from month.records import Turn

_SAID = re.compile(r"^(Say|Ask|AskYes|AskWhich|AskSwitch|AskArgument|AskMeaning|AskSure)\((.*)\)$", re.DOTALL)


@dataclass
class Wordings:
    """Reads messages of an agent; `unread` are those that no wording of its templates explains."""

    agent: Agent
    unread: list[str] = field(default_factory=list)
    _patterns: dict[tuple[tuple[str, ...], int], re.Pattern[str] | None] = field(default_factory=dict)

    def read(self, turn: Turn, text: str) -> Iterator[tuple[str, str]]:
        """The template and the words of each part of a message; parts that are nobody's template are left out."""
        names, overtaken = tuple(self.templates(turn)), self._overtaken(turn)
        if (names, overtaken) not in self._patterns:
            self._patterns[names, overtaken] = self._pattern(names, overtaken)
        pattern = self._patterns[names, overtaken]
        found = pattern.fullmatch(text) if pattern else None
        if found is None:
            self.unread.append(f"{names}: {text}")
            return
        for place, name in enumerate(names):
            if name in self.agent.templates and found[f"t{place}"] is not None:
                yield name, found[f"t{place}"]

    def templates(self, turn: Turn) -> Iterator[str]:
        """The names of what was said, in order."""
        for effect in turn.effects:
            found = _SAID.match(effect)
            if found and found[1] == "AskMeaning":
                yield found[1]  # in the engine's words; an intent and the template of its answer may have one name
            elif found:
                yield self._named(found[2].split(", "))

    def _overtaken(self, turn: Turn) -> int:
        """How many were decided on before the last message of a burst, which may have overtaken them."""
        marks = [place for place, effect in enumerate(turn.effects) if effect.startswith("NextMessage")]
        return sum(1 for effect in turn.effects[: marks[-1]] if _SAID.match(effect)) if marks else 0

    def _named(self, parts: Sequence[str]) -> str:
        """Which of the parts is the template; words of tools and models have none."""
        return next((each for each in parts if each in self.agent.templates), parts[0])

    def _pattern(self, names: Sequence[str], overtaken: int) -> re.Pattern[str] | None:
        parts = []
        for place, name in enumerate(names):
            part = f"(?P<t{place}>{self._texts(name)})"
            parts.append(f"{part}?" if place < overtaken else part)
        return re.compile(r"\s*".join(parts), re.DOTALL) if names else None

    def _texts(self, name: str) -> str:
        known = self.agent.templates.get(name)
        return "|".join(sorted(map(_loosely, known.texts), key=len, reverse=True)) if known else ".*?"


def _loosely(text: str) -> str:
    """A wording with anything in its places; around one that is empty the spaces may be gone."""
    pieces = list(_pieces(text.strip()))
    if len(pieces) == 1:
        return re.escape(pieces[0])
    return r"\s*.*?\s*".join(re.escape(each.strip(" ")) for each in pieces)


def _pieces(text: str) -> Iterator[str]:
    end = 0
    for found in PLACEHOLDER.finditer(text):
        yield text[end : found.start()]
        end = found.end()
    yield text[end:]
