"""The table of dialogue states as a picture."""

from hilo.dialogue.states import RESTING, TRANSITIONS, DialogueState
from hilo.drawing import Arrow, Box, mermaid


def draw_states(*, title: str = "states of the dialogue (green: a turn may end here)") -> str:
    """All states and allowed changes as Mermaid text."""
    boxes = map(_box, TRANSITIONS)
    arrows = (Arrow(before, after) for before, row in TRANSITIONS.items() for after in DialogueState if after in row)
    return mermaid(title, boxes, arrows)


def _box(state: DialogueState) -> Box:
    text = state.replace("_", " ")
    return Box(state, text, "place", "resting") if state in RESTING else Box(state, text)
