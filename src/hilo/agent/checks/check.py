"""What shapes cannot say: names that must exist, paths that make sense, patterns that compile."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import re2

from hilo.agent.checks.campaigns import check_campaigns
from hilo.agent.checks.confirmations import unshown
from hilo.agent.checks.flows import MAX_FLOW_STEPS, check_flows
from hilo.agent.checks.intents import check_intents
from hilo.agent.checks.languages import check_language, unspoken
from hilo.agent.checks.last_words import told_circles, without_last_word
from hilo.agent.checks.modes import check_modes
from hilo.agent.checks.nodes import check_nodes
from hilo.agent.checks.paths import path_findings
from hilo.agent.checks.place import NAME, Finding, Place
from hilo.agent.checks.remote import check_remote
from hilo.agent.checks.timers import check_timers
from hilo.agent.checks.tools import check_tools, mixed_up
from hilo.agent.checks.wordings import check_wordings, consents, running_out
from hilo.agent.declaration import CONSENT, Agent, Slot
from hilo.agent.flow import PLACES
from hilo.agent.guards import CONSTANTS
from hilo.agent.instructions import LeaveToPerson
from hilo.agent.opening_hours import OPEN
from hilo.agent.policies import policy_kind
from hilo.agent.templates import Enclosure, Template
from hilo.agent.texts import BUILT_IN, RECALLED
from hilo.messages import place_of
from hilo.slots import TYPES

__all__ = ["Finding", "check", "warnings"]

TEMPLATE_NAME = re.compile(r"[a-z][a-z0-9_.]*")
# names that guards, texts and `go` would take for something else
_WORDS = {
    "slots": BUILT_IN | RECALLED | CONSTANTS.keys() | {CONSENT, "and", "or", "not", "in", "is"},
    "flows": {"ask", "invalid", "word", "timer", "mode", "tool", "intent", *PLACES},
}
_NAMED = {"slots": NAME, "flows": NAME, "templates": TEMPLATE_NAME, "intents": NAME, "timers": NAME, "campaigns": NAME}
_TYPED_KEYS = frozenset().union(*(each.keys for each in TYPES.values()))


def check(agent: Agent, *, whole: bool = True) -> list[Finding]:
    """Everything that is wrong with an agent whose shape is right; only of a `whole` file the paths, too."""
    file = Place(agent)
    for part in _PARTS:
        part(file)
    # the search for paths grows fast with the steps, and a flow that is too long is reported already
    if whole and all(len(flow.steps) <= MAX_FLOW_STEPS for flow in agent.flows.values()):
        file.found.extend(path_findings(_with_open(agent)))
    return file.found


def warnings(agent: Agent) -> Iterator[Finding]:
    """What is allowed, and should be meant: silence as consent, a summary that hides, an end without a word."""
    for part in _WARNINGS:
        yield from part(agent)


def _with_open(agent: Agent) -> Agent:
    """The agent as guards see it: whether the business is open is one more thing that is so or not."""
    if agent.open is None:
        return agent
    return replace(agent, slots={OPEN: Slot(type="boolean", required=False), **agent.slots})


def _names(file: Place) -> None:
    (file / "agent").proper(file.agent.agent, at_key=False)
    for kind, pattern in _NAMED.items():
        words = _WORDS.get(kind, frozenset())
        for name in getattr(file.agent, kind):
            here = file / kind / name
            here.proper(name, pattern)
            here.free(name not in words, f"`{name}` is a word of the language")


def _settings(file: Place) -> None:
    zone = file.agent.timezone
    _country(file.agent.country, file / "country")
    try:
        ZoneInfo(zone)
    except (ValueError, OSError, KeyError):
        hint = "an IANA name such as America/Bogota"
        (file / "timezone").problem(f"`{zone}` is not a time zone", hint)
    if file.agent.timezone_of == "contact" and file.agent.open:
        hint = "leave out `timezone_of`, or `open`"
        (file / "timezone_of").problem("the business opens by its own clock, not by the contact's", hint)


def _country(country: str, here: Place) -> None:
    hint = "two capital letters, such as AR, CO or MX"
    here.require(re.fullmatch("([A-Z]{2})?", country), f"`{country}` is not a country", hint)


def _attachments(file: Place) -> None:
    for kind, rule in file.agent.attachments.items():
        here = file / "attachments" / kind
        (here / "into").named("slot", *rule.into.values())
        (here / "say").may_say(rule.say)
        says_what = rule.into or rule.say or rule.handoff
        here.require(says_what, f"nothing is done with `{kind}`", "write `into`, `say` or `handoff`")


def _for_people(file: Place) -> None:
    """What only the panel shows is for what there is: a label with a slip in its name would never be seen."""
    agent = file.agent
    parameters = {name for spec in agent.toolbox.values() for name in spec.parameters}
    timers = {name.rpartition(".")[2] for name in agent.all_timers}
    choices = {name for spec in agent.toolbox.values() for name in spec.choices}
    policies = {handoff.policy for _, handoff in agent.doing(LeaveToPerson)}
    known = {*agent.modes, *agent.flows, *agent.toolbox, *parameters, *choices, *agent.all_timers, *timers, *policies}
    for name, words in agent.labels.items():
        here = file / "labels" / name
        here.named("mode, flow, tool, parameter, timer or policy", name, among=known)
        here.require(words.strip(), "a label needs a word")
    for name, count in agent.counts.items():
        (file / "counts" / name / "tools").named("tool", *count.tools)
    some = agent.answer_within > timedelta()
    (file / "answer_within").require(some, "nobody answers within no time", "such as 5m")


# --- slots --------------------------------------------------------------------------------------------


def _slots(file: Place) -> None:
    for name, slot in file.agent.slots.items():
        here = file / "slots" / name
        _country(slot.country, here / "country")
        _pattern(slot.pattern, here / "pattern")
        _validator(slot.valid_if, here / "valid_if")
        _chooser(slot.choices_from, here / "choices_from")
        _region(slot.region_of, here / "region_of")
        (here / "like").may_name("slot", slot.like)
        (here / "instead").may_name("slot", slot.instead)
        (here / "instead").require(slot.instead != name, "a slot cannot stand in for itself", "name another slot")
        for choice, also in slot.choices.items():
            worded = all(map(str.strip, (choice, *also)))
            (here / "choices").require(worded, "a choice needs a word")
        _keys_of_its_type(slot, here)
        if slot.min is not None and slot.max is not None:
            ordered = slot.min <= slot.max
            (here / "min").require(ordered, f"min {slot.min} is greater than max {slot.max}")


def _keys_of_its_type(slot: Slot, here: Place) -> None:
    """Keys that a type needs, and those that it does not understand though others do."""
    # keys that every slot has, such as `ask`, are those of no type
    values = {key: getattr(slot, key) for key in _TYPED_KEYS}
    given = {key for key, value in values.items() if value is not False and value not in (None, "", {})}
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
    """A tool that validates takes the value, what other slots have where it may, and only reads."""
    here.may_name("tool", tool)
    spec = here.agent.toolbox.get(tool)
    if spec:
        beside = list(spec.parameters)[1:]
        known = all(name in here.agent.slots and not spec.parameters[name] for name in beside)
        fit = bool(spec.parameters) and known and not spec.writes
        hint = "it must take one parameter, others only with a default and named like slots, and not write"
        here.require(fit, f"{tool} cannot validate", hint)


def _chooser(tool: str, here: Place) -> None:
    """A tool that knows the choices only reads, and its parameters are slots."""
    here.may_name("tool", tool)
    spec = here.agent.toolbox.get(tool)
    if spec is None:
        return
    here.require(not spec.writes and not spec.operator, f"{tool} cannot tell choices", "it must not write")
    for name, required in spec.parameters.items():
        known = name in here.agent.slots or not required
        here.require(known, f"{tool} needs `{name}`", "a slot of that name")


def _pattern(pattern: str, here: Place) -> None:
    # RE2, because a contact's message must not be able to make a match take for ever
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
        if template.attach:
            _enclosure(here / "attach", template.attach)
    for name, slot in file.agent.slots.items():
        _questions(slot.ask, file / "slots" / name / "ask")
        _questions(slot.invalid, file / "slots" / name / "invalid")


def _questions(texts: Iterable[str], here: Place) -> None:
    for text in texts:
        here.require(text.strip(), "an empty text says nothing")
        here.fills(Template(text=text))


def _enclosure(here: Place, attach: Enclosure) -> None:
    given = [name for name in ("image", "document", "place") if getattr(attach, name)]
    here.require(len(given) == 1, "one thing goes out with a text", "name one of image, document and place")
    for name in ("image", "document"):
        url = getattr(attach, name)
        fitting = not url or url.startswith(("https://", "{"))
        (here / name).require(fitting, "a provider fetches it from there", "begin with https://, or name a {slot}")
    degrees = attach.place if "{" not in attach.place else ""
    fitting = not degrees or place_of(degrees) is not None
    (here / "place").require(fitting, "a place is its degrees", 'write "-34.6037, -58.3816"')


# --- escalation ---------------------------------------------------------------------------------------


def _escalation(file: Place) -> None:
    for place, policy in enumerate(file.agent.escalation):
        here = file / "escalation" / place / policy_kind(policy)
        here.require(policy.is_valid, policy.rule)
        here.may_name("intent", policy.named_intent)


# problems are sorted by line afterwards, so the order of the parts does not matter
_PARTS: tuple[Callable[[Place], None], ...] = (
    _names,
    _settings,
    _slots,
    _templates,
    _escalation,
    check_flows,
    check_timers,
    check_nodes,
    _attachments,
    check_campaigns,
    _for_people,
    check_language,
    check_wordings,
    check_tools,
    check_remote,
    check_intents,
    check_modes,
)
# warnings are shown in this order
_WARNINGS: tuple[Callable[[Agent], Iterator[Finding]], ...] = (
    unspoken,
    consents,
    mixed_up,
    running_out,
    without_last_word,
    told_circles,
    unshown,
)
