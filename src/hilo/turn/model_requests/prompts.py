"""Prompts: Markdown templates of the package, filled with what the agent file says. What changes comes in messages."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from hilo.agent.declaration import Agent, Slot
from hilo.dialogue.session import AskedArgument, AskedMeaning, AskedSlot, AskedSwitch, AskedWhich, AskedYes, Session
from hilo.dialogue.wording import intent_label, label, spoken
from hilo.turn.model_requests.untrusted_text import bounded, quoted

Part = Literal["router", "loop", "generator", "summary", "reword"]

_VERSION = re.compile(r"\A<!-- version: (\w+) -->\n")
_PLACE = re.compile(r"\{\{(\w+)\}\}")
LANGUAGES = {
    "es": "Spanish, informal (tú)",
    "es-AR": "Argentine Spanish, with voseo",
    "es-CO": "Colombian Spanish, with usted",
    "en": "English",
}
MOST_EXAMPLES = 4
LONGEST_SITUATION = 4000


@dataclass(frozen=True, slots=True)
class Prompt:
    """A template and the version that it says it has."""

    name: Part
    version: str
    text: str


@cache
def prompt(name: Part) -> Prompt:
    """A prompt of the package."""
    text = files("hilo.turn.model_requests").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")
    version = _VERSION.match(text)
    if version is None:
        raise ValueError(f"the prompt {name} does not say its version")
    return Prompt(name, version[1], text[version.end() :])


def system(agent: Agent, name: Part, *, mode: str = "") -> str:
    """What a model is told before the conversation: the same for all sessions in a mode, so that it can be cached."""
    values = {
        "name": agent.agent,
        "description": agent.description or "No description.",
        "language": LANGUAGES[agent.language],
        "intents": _listed(_intents(agent)),
        "answers": _listed(_answers(agent)),
        "flows": _listed(_flows(agent)),
        "slots": _listed(_slots(agent)),
        "tools": _listed(_tools(agent, mode)),
    }
    return _PLACE.sub(lambda found: values[found[1]], prompt(name).text).strip()


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines) or "Nothing."


def _intents(agent: Agent) -> Iterable[str]:
    for name, intent in agent.intents.items():
        yield f"`{name}` ({intent.topic}): {'; '.join(intent.examples[:MOST_EXAMPLES])}"
    for name, flow in agent.flows.items():
        if flow.starts and not flow.starts_by_itself:
            yield f"`{name}` (order): {'; '.join(flow.starts[:MOST_EXAMPLES])}"


def _answers(agent: Agent) -> Iterable[str]:
    for name, intent in agent.intents.items():
        if intent.answer:
            yield f"`{name}`: {'; '.join(intent.examples[:MOST_EXAMPLES])}"


def _flows(agent: Agent) -> Iterable[str]:
    for name, flow in agent.flows.items():
        if flow.starts and not flow.starts_by_itself:
            asks = ", ".join(flow.collects)
            yield f"`{name}`: {flow.description or name}" + (f"; it asks for {asks}" if asks else "")


def _slots(agent: Agent) -> Iterable[str]:
    for name in open_slots(agent):
        yield f"`{name}` ({_kind(agent.slots[name])}): {label(agent, name)}"


def open_slots(agent: Agent) -> tuple[str, ...]:
    """The slots that flows ask contacts for, or that are kept; others only tell a tool's arguments apart."""
    asked = {name for flow in agent.flows.values() for name in flow.collects}
    wanted = [name for name, slot in agent.slots.items() if name in asked or slot.keep]
    return tuple(name for name in wanted if name not in agent.found_only())


def _kind(slot: Slot) -> str:
    return f"one of {', '.join(slot.choices)}" if slot.choices else slot.type.replace("_", " ")


def _tools(agent: Agent, mode: str) -> Iterable[str]:
    for name in sorted(agent.proposable(mode) & agent.toolbox.keys()):
        spec = agent.toolbox[name]
        given = ", ".join(f"{each}{'' if needed else '?'}" for each, needed in spec.parameters.items())
        yield f"`{name}({given})`: {' '.join(spec.description.split())}"


# --- what changes from turn to turn ----------------------------------------------------------------------


def situation(agent: Agent, session: Session, *, now: str) -> str:
    """Where the conversation stands, for the last message of a request."""
    facts: dict[str, Any] = {
        "now": now,
        "mode": session.mode,
        "procedure under way": session.stack[-1].flow if session.stack else "",
        "open question": open_question(agent, session),
        "known": {name: spoken(agent, name, value) for name, value in session.slots.items() if name in agent.slots},
    }
    told = json.dumps({name: value for name, value in facts.items() if value}, ensure_ascii=False)
    return f"<situation>{quoted(bounded(told, LONGEST_SITUATION))}</situation>"


def open_question(agent: Agent, session: Session) -> str:
    """What the contact was asked last."""
    match session.pending:
        case AskedSlot(slot=slot):
            return f"what is the {slot}?"
        case AskedYes():
            return "a yes or a no to the summary that was shown"
        case AskedWhich(slots=slots):
            return f"which of these is to be changed: {', '.join(slots)}?"
        case AskedSwitch(flow=flow):
            return f"leave this for {flow}?"
        case AskedArgument(tool=tool, parameter=parameter, offered=offered):
            return f"the {parameter} for {tool}" + (f", one of: {', '.join(offered)}" if offered else "")
        case AskedMeaning(intents=intents):
            return f"which is meant: {', '.join(intent_label(agent, each) for each in intents)}?"
    return ""


def heard(text: str, *, most: int = 4000) -> str:
    """A contact's message inside its brackets."""
    return f"<message>{quoted(bounded(text, most))}</message>"
