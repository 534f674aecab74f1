"""Prompts: Markdown templates of the package, filled with what the agent file says. What changes comes in messages."""

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from hilo.agent.declaration import Agent
from hilo.agent.flow import Flow
from hilo.dialogue.session import (
    AskedArgument,
    AskedMeaning,
    AskedSlot,
    AskedSure,
    AskedSwitch,
    AskedWhich,
    AskedYes,
    Session,
)
from hilo.dialogue.wording import intent_label, label, spoken

Part = Literal["router", "loop", "generator", "summary", "reword", "quote"]

_VERSION = re.compile(r"\A<!-- version: (\w+) -->\n")
_TAG = re.compile(
    r"<(?=\s*/?\s*(?:message|earlier|situation|results?|system|instructions?|text|said|sections?)\b)", re.IGNORECASE
)
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
_PLACE = re.compile(r"\{\{(\w+)\}\}")
LANGUAGES = {
    "es": "Spanish, informal (tú)",
    "es-AR": "Argentine Spanish, with voseo",
    "es-CO": "Colombian Spanish, with usted",
    "es-ES": "Spanish of Spain, informal (tú)",
    "es-MX": "Mexican Spanish, informal (tú)",
    "en": "English",
    "pt-BR": "Brazilian Portuguese (você)",
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
    file = files("hilo.turn.model_requests").joinpath("prompts", f"{name}.md")
    text = file.read_text(encoding="utf-8")
    version = _VERSION.match(text)
    if version is None:
        raise ValueError(f"the prompt {name} does not say its version")
    return Prompt(name, version[1], text[version.end() :])


def system(agent: Agent, name: Part, *, mode: str = "") -> str:
    """What a model is told before the conversation: the same for all sessions in a mode, so that it can be cached."""
    values = {
        "name": agent.agent,
        "description": agent.description or "No description.",
        "language": LANGUAGES.get(agent.language, f"the language of the tag {agent.language}"),
    }
    for place, lines in _lists(agent, mode).items():
        values[place] = "\n".join(f"- {line}" for line in lines) or "Nothing."
    return _PLACE.sub(lambda found: values[found[1]], prompt(name).text).strip()


def _lists(agent: Agent, mode: str) -> dict[str, list[str]]:
    """What the agent can do and ask for, a line for each thing, by the place in a prompt."""
    lists: dict[str, list[str]] = {"intents": [], "answers": [], "flows": [], "slots": [], "tools": []}
    for name, intent in agent.intents.items():
        examples = "; ".join(intent.examples[:MOST_EXAMPLES])
        lists["intents"].append(f"`{name}` ({intent.topic}): {examples}")
        if intent.answer:
            lists["answers"].append(f"`{name}`: {examples}")
    for name, flow in wanted_flows(agent).items():
        lists["intents"].append(f"`{name}` (order): {'; '.join(flow.starts[:MOST_EXAMPLES])}")
        asks = f"; it asks for {', '.join(flow.collects)}" if flow.collects else ""
        lists["flows"].append(f"`{name}`: {flow.description or name}{asks}")
    for name in open_slots(agent):
        slot = agent.slots[name]
        kind = f"one of {', '.join(slot.choices)}" if slot.choices else slot.type.replace("_", " ")
        lists["slots"].append(f"`{name}` ({kind}): {label(agent, name)}")
    for name in offered_tools(agent, mode):
        spec = agent.toolbox[name]
        given = [each if needed else f"{each}?" for each, needed in spec.parameters.items()]
        lists["tools"].append(f"`{name}({', '.join(given)})`: {' '.join(spec.description.split())}")
    return lists


def wanted_flows(agent: Agent) -> dict[str, Flow]:
    """The flows that a contact may ask for; others begin by themselves or are called."""
    flows = agent.flows.items()
    return {name: flow for name, flow in flows if flow.starts and not flow.starts_by_itself}


def open_slots(agent: Agent) -> tuple[str, ...]:
    """The slots that flows ask contacts for, or that are kept; others only tell a tool's arguments apart."""
    kept = {name for name, slot in agent.slots.items() if slot.keep} - agent.found_only()
    wanted = kept.union(*map(agent.collected_by, agent.flows))
    return tuple(name for name in agent.slots if name in wanted)


def offered_tools(agent: Agent, mode: str) -> list[str]:
    """The tools that a model may propose in a mode, in a fixed order, so that the request is cached."""
    return sorted(agent.proposable(mode) & agent.toolbox.keys())


# --- what changes from turn to turn ----------------------------------------------------------------------


def situation(agent: Agent, session: Session, *, now: str) -> str:
    """Where the conversation stands, for the last message of a request."""
    known = [(name, value) for name, value in session.slots.items() if name in agent.slots]
    facts: dict[str, Any] = {
        "now": now,
        "mode": session.mode,
        "procedure under way": session.flow,
        "open question": open_question(agent, session),
        "known": {name: spoken(agent, name, value) for name, value in known},
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
        case AskedSure(slot=slot, value=value):
            return f"is {value} meant for {slot}?"
        case AskedSwitch(flow=flow):
            return f"leave this for {flow}?"
        case AskedArgument(tool=tool, parameter=parameter, offered=offered):
            among = f", one of: {', '.join(offered)}" if offered else ""
            return f"the {parameter} for {tool}{among}"
        case AskedMeaning(intents=intents):
            return f"which is meant: {', '.join(intent_label(agent, each) for each in intents)}?"
    return ""


def heard(text: str, *, most: int = 4000) -> str:
    """A contact's message inside its brackets."""
    return f"<message>{quoted(bounded(text, most))}</message>"


# --- texts of others inside a prompt: they cannot close the brackets that we put around them ---


def quoted(text: str) -> str:
    """The text without invisible characters, and with our own tags made harmless."""
    return _TAG.sub("‹", _INVISIBLE.sub("", text))


def bounded(text: str, most: int) -> str:
    """At most so many characters, and it shows where something was left out."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most} characters left out)"
