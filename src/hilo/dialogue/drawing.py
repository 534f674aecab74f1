"""The table of dialogue states as a picture."""

from collections.abc import Iterator

from hilo.dialogue.states import RESTING, TRANSITIONS, DialogueState
from hilo.drawing import Arrow, Box, mermaid


def draw_states(*, title: str = "states of the dialogue (green: a turn may end here)") -> str:
    """All states and allowed changes as Mermaid text; that a state may stay as it is goes without an arrow."""
    return mermaid(title, map(_box, TRANSITIONS), _arrows())


def _arrows() -> Iterator[Arrow]:
    """One for each change, but only one for a change and its way back."""
    changes = [(before, after) for before, row in TRANSITIONS.items() for after in DialogueState if after in row]
    for place, (before, after) in enumerate(changes):
        if before is not after and (after, before) not in changes[:place]:
            yield Arrow(before, after, both_ways=(after, before) in changes)


def _box(state: DialogueState) -> Box:
    text = state.replace("_", " ")
    return Box(state, text, "place", "resting") if state in RESTING else Box(state, text)
