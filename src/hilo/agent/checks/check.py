"""What shapes cannot say: names that must exist, paths that make sense, patterns that compile."""

import re
from collections.abc import Iterator
from zoneinfo import ZoneInfo

import re2

from hilo.agent.checks.finding import Finding
from hilo.agent.checks.flows import MAX_FLOW_STEPS, check_flows
from hilo.agent.checks.intents import check_intents
from hilo.agent.checks.modes import check_modes
from hilo.agent.checks.paths import path_findings
from hilo.agent.checks.references import check_placeholders, undeclared, undeclared_if_any
from hilo.agent.checks.remote import check_remote
from hilo.agent.checks.timers import check_timers
from hilo.agent.checks.tools import check_tools, mixed_up
from hilo.agent.checks.wordings import check_wordings, consents, running_out
from hilo.agent.declaration import CONSENT, Agent, Slot, Template
from hilo.agent.flow import PLACES
from hilo.agent.policies import (
    CompletionPolicy,
    FailuresPolicy,
    IntentPolicy,
    KeywordPolicy,
    SentimentPolicy,
    TimeoutPolicy,
)
from hilo.agent.source import Path
from hilo.agent.texts import BUILT_IN, RECALLED
from hilo.slots import TYPES

__all__ = ["Finding", "check", "warnings"]

NAME = re.compile(r"[a-z][a-z0-9_]*")
# names that guards, texts and `go` would take for something else
_WORDS = {
    "slots": BUILT_IN | RECALLED | {CONSENT, "empty", "true", "false", "and", "or", "not", "in", "is"},
    "flows": {"ask", "invalid", "word", "timer", "mode", "tool", "intent", *PLACES},
}
_TYPED_KEYS = frozenset().union(*(each.keys for each in TYPES.values()))


def check(agent: Agent, *, whole: bool = True) -> Iterator[Finding]:
    """Everything that is wrong with an agent whose shape is right; paths are looked at when the file is `whole`."""
    for part in (_names, _settings, _slots, _templates, _escalation, check_flows, check_timers, _nodes):
        yield from part(agent)
    for part in (check_wordings, check_tools, check_remote, check_intents, check_modes):
        yield from part(agent)
    # the search for paths grows fast with the steps, and a flow that is too long is reported already
    if whole and all(len(flow.steps) <= MAX_FLOW_STEPS for flow in agent.flows.values()):
        yield from path_findings(agent)


def warnings(agent: Agent) -> Iterator[Finding]:
    """What is allowed, and should be meant: silence as consent, questions that change a summary, exhausted wordings."""
    yield from consents(agent)
    yield from mixed_up(agent)
    yield from running_out(agent)


def _names(agent: Agent) -> Iterator[Finding]:
    if not NAME.fullmatch(agent.agent):
        yield Finding(("agent",), f"`{agent.agent}` is not a name", "use a–z, 0–9 and _")
    for kind in ("slots", "flows", "templates", "intents", "timers"):
        for name in getattr(agent, kind):
            plain = name.replace(".", "_") if kind == "templates" else name
            if not NAME.fullmatch(plain):
                yield Finding((kind, name), f"`{name}` is not a name", "use a–z, 0–9 and _", at_key=True)
    for kind, words in _WORDS.items():
        for name in getattr(agent, kind):
            if name in words:
                problem = f"`{name}` is a word of the language"
                yield Finding((kind, name), problem, "choose another name", at_key=True)


def _settings(agent: Agent) -> Iterator[Finding]:
    yield from _country(agent.country, ("country",))
    try:
        ZoneInfo(agent.timezone)
    except (ValueError, OSError, KeyError):
        hint = "an IANA name such as America/Bogota"
        yield Finding(("timezone",), f"`{agent.timezone}` is not a time zone", hint)


def _country(country: str, path: Path) -> Iterator[Finding]:
    if country and not re.fullmatch("[A-Z]{2}", country):
        yield Finding(path, f"`{country}` is not a country", "two capital letters, such as AR, CO or MX")


# --- slots --------------------------------------------------------------------------------------------


def _slots(agent: Agent) -> Iterator[Finding]:
    for name, slot in agent.slots.items():
        yield from _slot(agent, slot, ("slots", name))


def _slot(agent: Agent, slot: Slot, path: Path) -> Iterator[Finding]:
    yield from _country(slot.country, (*path, "country"))
    yield from _pattern(slot.pattern, (*path, "pattern"))
    yield from _asked_tool(agent, slot.valid_if, (*path, "valid_if"))
    yield from _region(agent, slot, path)
    yield from undeclared_if_any("slot", slot.like, agent.slots, (*path, "like"))
    if any(not word.strip() for choice, also in slot.choices.items() for word in (choice, *also)):
        yield Finding((*path, "choices"), "a choice needs a word")
    yield from _keys_of_its_type(slot, path)
    if slot.min is not None and slot.max is not None and slot.min > slot.max:
        yield Finding((*path, "min"), f"min {slot.min} is greater than max {slot.max}")


def _keys_of_its_type(slot: Slot, path: Path) -> Iterator[Finding]:
    """Keys that a type needs, and those that it does not understand though others do."""
    given = {key for key in _TYPED_KEYS if getattr(slot, key) not in (None, "", {})}
    for key, hint in slot.kind.needs.items():
        if key not in given:
            yield Finding(path, f"a {slot.type} needs `{key}`", hint)
    for key in sorted(given - slot.kind.keys):
        *first, last = [name for name, each in TYPES.items() if key in each.keys]
        types = f"{', '.join(first)} or {last}" if first else last
        problem = f"`{key}` is for slots of type {types}, this one is {slot.type}"
        yield Finding((*path, key), problem, at_key=True)


def _region(agent: Agent, slot: Slot, path: Path) -> Iterator[Finding]:
    yield from undeclared_if_any("slot", slot.region_of, agent.slots, (*path, "region_of"))
    city = agent.slots.get(slot.region_of)
    if city and city.kind.place != "town":
        yield Finding((*path, "region_of"), f"`{slot.region_of}` is no city, its type is {city.type}", "type: city")


def _asked_tool(agent: Agent, tool: str, path: Path) -> Iterator[Finding]:
    """A tool that validates takes the value and nothing else, and only reads."""
    yield from undeclared_if_any("tool", tool, agent.toolbox, path)
    spec = agent.toolbox.get(tool)
    if spec and (len(spec.parameters) != 1 or spec.writes):
        yield Finding(path, f"{tool} cannot validate", "it must take one parameter and not write")


def _pattern(pattern: str, path: Path) -> Iterator[Finding]:
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else str(error.args[0])
        yield Finding(path, f"bad pattern: {reason}", "patterns are RE2: no look-around, no back-references")


# --- texts --------------------------------------------------------------------------------------------


def _templates(agent: Agent) -> Iterator[Finding]:
    telling = set(agent.tools.says.values())  # what these may speak of depends on their tools
    for name, template in agent.templates.items():
        if name not in telling:
            yield from check_placeholders(agent, template, ("templates", name))
        if template.wa_template and not NAME.fullmatch(template.wa_template):
            path = ("templates", name, "wa_template")
            yield Finding(path, f"`{template.wa_template}` is no name of WhatsApp's", "use a–z, 0–9 and _")
    for name, slot in agent.slots.items():
        for key in ("ask", "invalid"):
            for text in getattr(slot, key):
                if not text.strip():
                    yield Finding(("slots", name, key), "an empty text says nothing")
                yield from check_placeholders(agent, Template(text=text), ("slots", name, key))


# --- escalation and nodes -----------------------------------------------------------------------------


def _escalation(agent: Agent) -> Iterator[Finding]:
    for place, policy in enumerate(agent.escalation):
        path: Path = ("escalation", place)
        match policy:
            case KeywordPolicy(keyword=words) if not words or not all(word.strip() for word in words):
                yield Finding((*path, "keyword"), "a keyword policy needs words")
            case SentimentPolicy(sentiment=limit) if not -1 <= limit.below < 0:
                yield Finding((*path, "sentiment"), "`below` is from -1 to less than 0")
            case TimeoutPolicy(timeout=limit) if not limit:
                yield Finding((*path, "timeout"), "a timeout must be longer than nothing")
            case CompletionPolicy(completion=limit) if limit.invalid_attempts < 1:
                yield Finding((*path, "completion"), "`invalid_attempts` is at least 1")
            case FailuresPolicy(failures=most) if most < 1:
                yield Finding((*path, "failures"), "`failures` is at least 1")
            case IntentPolicy(llm_intent=intent) if intent != "wants_human":
                yield from undeclared("intent", [intent], agent.intents, (*path, "llm_intent"))


def _nodes(agent: Agent) -> Iterator[Finding]:
    for place, custom in enumerate(agent.nodes):
        if not re.fullmatch(r"[\w/]+\.py:[a-z_][a-z0-9_]*", custom.node):
            path = ("nodes", place, "node")
            yield Finding(path, f"`{custom.node}` does not name a function", "write `nodes.py:function`")
