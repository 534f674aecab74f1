"""What shapes cannot say: names that must exist, paths that make sense, patterns that compile."""

import re
from collections.abc import Iterator
from zoneinfo import ZoneInfo

import re2

from hilo.agent.checks.flows import MAX_FLOW_STEPS, check_flows
from hilo.agent.checks.intents import check_intents
from hilo.agent.checks.languages import check_language, unspoken
from hilo.agent.checks.modes import check_modes
from hilo.agent.checks.paths import path_findings
from hilo.agent.checks.place import Finding, Place
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
    StuckPolicy,
    TimeoutPolicy,
)
from hilo.agent.texts import BUILT_IN, RECALLED
from hilo.slots import TYPES

__all__ = ["Finding", "check", "warnings"]

NAME = re.compile(r"[a-z][a-z0-9_]*")
TEMPLATE_NAME = re.compile(r"[a-z][a-z0-9_.]*")
# names that guards, texts and `go` would take for something else
_WORDS = {
    "slots": BUILT_IN | RECALLED | {CONSENT, "empty", "true", "false", "and", "or", "not", "in", "is"},
    "flows": {"ask", "invalid", "word", "timer", "mode", "tool", "intent", *PLACES},
}
_NAMED = {"slots": NAME, "flows": NAME, "templates": TEMPLATE_NAME, "intents": NAME, "timers": NAME}
_TYPED_KEYS = frozenset().union(*(each.keys for each in TYPES.values()))


def check(agent: Agent, *, whole: bool = True) -> list[Finding]:
    """Everything that is wrong with an agent whose shape is right; paths are looked at when the file is `whole`."""
    file = Place(agent)
    for part in (_names, _settings, _slots, _templates, _escalation, check_flows, check_timers, _nodes):
        part(file)
    for part in (check_language, check_wordings, check_tools, check_remote, check_intents, check_modes):
        part(file)
    # the search for paths grows fast with the steps, and a flow that is too long is reported already
    if whole and all(len(flow.steps) <= MAX_FLOW_STEPS for flow in agent.flows.values()):
        file.found.extend(path_findings(agent))
    return file.found


def warnings(agent: Agent) -> Iterator[Finding]:
    """What is allowed, and should be meant: silence as consent, a summary that changes, wordings that run out."""
    yield from unspoken(agent)
    yield from consents(agent)
    yield from mixed_up(agent)
    yield from running_out(agent)


def _names(file: Place) -> None:
    (file / "agent").require(
        NAME.fullmatch(file.agent.agent), f"`{file.agent.agent}` is not a name", "use a–z, 0–9 and _"
    )
    for kind, pattern in _NAMED.items():
        words = _WORDS.get(kind, frozenset())
        for name in getattr(file.agent, kind):
            here = file / kind / name
            right = pattern.fullmatch(name)
            here.require(right, f"`{name}` is not a name", "use a–z, 0–9 and _", at_key=True)
            free = name not in words
            here.require(free, f"`{name}` is a word of the language", "choose another name", at_key=True)


def _settings(file: Place) -> None:
    zone = file.agent.timezone
    _country(file.agent.country, file / "country")
    try:
        ZoneInfo(zone)
    except (ValueError, OSError, KeyError):
        hint = "an IANA name such as America/Bogota"
        (file / "timezone").problem(f"`{zone}` is not a time zone", hint)


def _country(country: str, here: Place) -> None:
    hint = "two capital letters, such as AR, CO or MX"
    here.require(re.fullmatch("([A-Z]{2})?", country), f"`{country}` is not a country", hint)


# --- slots --------------------------------------------------------------------------------------------


def _slots(file: Place) -> None:
    for name, slot in file.agent.slots.items():
        here = file / "slots" / name
        _country(slot.country, here / "country")
        _pattern(slot.pattern, here / "pattern")
        _validator(slot.valid_if, here / "valid_if")
        _region(slot.region_of, here / "region_of")
        (here / "like").may_name("slot", slot.like)
        words = [word for choice, also in slot.choices.items() for word in (choice, *also)]
        (here / "choices").require(all(map(str.strip, words)), "a choice needs a word")
        _keys_of_its_type(slot, here)
        if slot.min is not None and slot.max is not None:
            ordered = slot.min <= slot.max
            (here / "min").require(ordered, f"min {slot.min} is greater than max {slot.max}")


def _keys_of_its_type(slot: Slot, here: Place) -> None:
    """Keys that a type needs, and those that it does not understand though others do."""
    given = {key for key in _TYPED_KEYS if getattr(slot, key) not in (None, "", {})}
    for key, hint in slot.kind.needs.items():
        here.require(key in given, f"a {slot.type} needs `{key}`", hint)
    for key in sorted(given - slot.kind.keys):
        *first, last = [name for name, each in TYPES.items() if key in each.keys]
        types = f"{', '.join(first)} or {last}" if first else last
        problem = f"`{key}` is for slots of type {types}, this one is {slot.type}"
        (here / key).problem(problem, at_key=True)


def _region(name: str, here: Place) -> None:
    here.may_name("slot", name)
    city = here.agent.slots.get(name)
    if city:
        is_town = city.kind.place == "town"
        here.require(is_town, f"`{name}` is no city, its type is {city.type}", "type: city")


def _validator(tool: str, here: Place) -> None:
    """A tool that validates takes the value and nothing else, and only reads."""
    here.may_name("tool", tool)
    spec = here.agent.toolbox.get(tool)
    if spec:
        fit = len(spec.parameters) == 1 and not spec.writes
        here.require(fit, f"{tool} cannot validate", "it must take one parameter and not write")


def _pattern(pattern: str, here: Place) -> None:
    options = re2.Options()
    options.log_errors = False  # the author reads the problem, not the log
    try:
        re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0]
        said = reason.decode() if isinstance(reason, bytes) else str(reason)
        here.problem(f"bad pattern: {said}", "patterns are RE2: no look-around, no back-references")


# --- texts --------------------------------------------------------------------------------------------


def _templates(file: Place) -> None:
    telling = set(file.agent.tools.says.values())  # what these may speak of depends on their tools
    for name, template in file.agent.templates.items():
        here, theirs = file / "templates" / name, template.wa_template
        if name not in telling:
            here.fills(template)
        if theirs:
            problem = f"`{theirs}` is no name of WhatsApp's"
            (here / "wa_template").require(NAME.fullmatch(theirs), problem, "use a–z, 0–9 and _")
    for name, slot in file.agent.slots.items():
        for key, texts in (("ask", slot.ask), ("invalid", slot.invalid)):
            for text in texts:
                here = file / "slots" / name / key
                here.require(text.strip(), "an empty text says nothing")
                here.fills(Template(text=text))


# --- escalation and nodes -----------------------------------------------------------------------------


def _escalation(file: Place) -> None:
    for place, policy in enumerate(file.agent.escalation):
        here = file / "escalation" / place
        match policy:
            case KeywordPolicy(keyword=words):
                meant = words and all(map(str.strip, words))
                (here / "keyword").require(meant, "a keyword policy needs words")
            case SentimentPolicy(sentiment=limit):
                (here / "sentiment").require(-1 <= limit.below < 0, "`below` is from -1 to less than 0")
            case TimeoutPolicy(timeout=limit):
                (here / "timeout").require(limit, "a timeout must be longer than nothing")
            case CompletionPolicy(completion=limit):
                enough = limit.invalid_attempts >= 1
                (here / "completion").require(enough, "`invalid_attempts` is at least 1")
            case StuckPolicy(stuck=most):
                (here / "stuck").require(most >= 1, "`stuck` is at least 1")
            case FailuresPolicy(failures=most):
                (here / "failures").require(most >= 1, "`failures` is at least 1")
            case IntentPolicy(llm_intent=intent) if intent != "wants_human":
                (here / "llm_intent").named("intent", intent)


def _nodes(file: Place) -> None:
    for place, custom in enumerate(file.agent.nodes):
        (file / "nodes" / place / "node").require(
            re.fullmatch(r"[\w/]+\.py:[a-z_][a-z0-9_]*", custom.node),
            f"`{custom.node}` does not name a function",
            "write `nodes.py:function`",
        )
