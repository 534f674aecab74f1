"""Agent file text → Agent, or all of its problems at once."""

import copy
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from hilo.agent.checks.check import Finding, check, warnings
from hilo.agent.declaration import Agent, Slot
from hilo.agent.policies import TAGGED_POLICIES
from hilo.agent.remote import remote_specs
from hilo.agent.shape_errors import FileShape, plain_path, shape_problem
from hilo.agent.source import Path, Source, read_source
from hilo.agent.steps import STEPS
from hilo.agent.texts import complete
from hilo.agent.toolbox import Toolbox
from hilo.errors import FileProblems, Problem
from hilo.slots import ALIASES

# What is not written but found.
HIDDEN = frozenset({"version", "toolbox", "goods", "documents", "pack"})
# which values a slot takes, not how it is asked for
_LIKE = ("type", "pattern", "choices", "min", "max", "country")

_SHAPE = FileShape(
    root=Agent,
    lists=(STEPS, TAGGED_POLICIES),
    hidden=HIDDEN,
    synonyms=ALIASES,
)


def parse(text: str, *, file: str = "agent.yaml", toolbox: Toolbox | None = None) -> Agent:
    """The agent that a file declares; raises FileProblems with everything that is wrong in it."""
    source = read_source(text, file=file)
    # an author wants all mistakes at once: each stage goes on with what the one before could read
    problems = list(source.problems)
    agent = _validate(source, problems)
    if agent is not None:
        found = {**remote_specs(agent.tools), **(toolbox or {})}
        agent = replace(agent, toolbox=found, slots=_alike(agent.slots))
        # paths through flows make sense only in a file without holes
        problems += [_located(source, finding) for finding in check(agent, whole=not problems)]
    if problems or agent is None:
        raise FileProblems(tuple(dict.fromkeys(problems)))  # some are found by two checks
    return complete(replace(agent, version=hashlib.sha256(text.encode()).hexdigest()[:12]))


def warnings_of(text: str, *, file: str, toolbox: Toolbox) -> tuple[Problem, ...]:
    """What an author should know of a file that may run."""
    source = read_source(text, file=file)
    agent = replace(_adapter().validate_python(source.value), toolbox=toolbox)
    return tuple(_located(source, finding) for finding in warnings(agent))


def suggestions_of(text: str, *, file: str, like: Mapping[str, str]) -> tuple[Problem, ...]:
    """Where an author's own intents could be `like` standard ones."""
    source = read_source(text, file=file)
    found: list[Problem] = []
    for name, standard in like.items():
        message = f"`{name}` sounds like the standard intent `{standard}`"
        hint = f"add `like: {standard}`"
        found.append(source.problem(("intents", name), message, hint, at_key=True))
    return tuple(found)


def _alike(slots: Mapping[str, Slot]) -> dict[str, Slot]:
    """The slots, each that is `like` another with what that one takes."""
    alike = dict(slots)
    for name, slot in slots.items():
        if slot.like in slots:
            taken = {key: getattr(slots[slot.like], key) for key in _LIKE}
            alike[name] = replace(slot, **taken)
    return alike


def json_schema() -> dict[str, Any]:
    """The JSON Schema of agent files, for editors."""
    schema = _adapter().json_schema()
    for name in HIDDEN:
        schema["properties"].pop(name)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Hilo agent", **schema}


@cache  # building it takes longer than most files
def _adapter() -> TypeAdapter[Agent]:
    return TypeAdapter(Agent)


def _validate(source: Source, problems: list[Problem]) -> Agent | None:
    if not isinstance(source.value, dict):
        problems.append(source.problem((), "an agent file is a mapping", "start with `agent: NAME`"))
        return None
    for name in HIDDEN & source.value.keys():
        hint = "it is found, not written"
        problems.append(source.problem((name,), f"unknown key `{name}`", hint, at_key=True))
    try:
        return _adapter().validate_python(source.value)
    except ValidationError as error:
        details = [dict(detail) for detail in error.errors(include_url=False)]
        problems += [shape_problem(_SHAPE, source, detail) for detail in details]
        return _validate_rest(source.value, details)


def _validate_rest(value: Any, details: list[dict[str, Any]]) -> Agent | None:
    """What is left without the parts of a wrong shape, so that its own problems are reported, too."""
    rest = copy.deepcopy(value)
    for detail in details:
        path = plain_path(_SHAPE, detail["loc"])
        if path[:1] == ("open",):
            rest["open"] = "mon-sun 0-24"  # guards and texts may speak of hours that were meant
        else:
            _cut(rest, _whole_timer(path))
    try:
        return _adapter().validate_python(rest)
    except ValidationError:
        return None


def _whole_timer(path: Path) -> Path:
    """The path of a timer for anything in it: half of one would have problems of its own."""
    if path[:1] == ("modes",) and path[2:3] == ("timers",):
        return path[:4]
    if path[:1] == ("timers",):
        return path[:2]
    return path


def _cut(value: Any, path: Path) -> None:
    """Remove what stands at a path, or the nearest thing above it that is there."""
    for place, part in enumerate(path):
        last = place + 1 == len(path)
        inner = _inside(value, part)
        if isinstance(inner, dict | list) and not last:
            value = inner
            continue
        if isinstance(value, dict):
            value.pop(part, None)
        elif isinstance(part, int):
            # not removed: what stands behind it must keep its place
            value[part] = dict(_placeholder(path))
        return


def _placeholder(path: Path) -> Mapping[str, Any]:
    tagged = TAGGED_POLICIES if path[0] == TAGGED_POLICIES.under else STEPS
    return tagged.placeholder


def _inside(value: Any, part: str | int) -> Any:
    """What stands under a key of a mapping, or at a place of a list."""
    if isinstance(value, dict):
        return value.get(part)
    return value[part] if isinstance(part, int) else None


def _located(source: Source, finding: Finding) -> Problem:
    return source.problem(finding.path, finding.message, finding.hint, at_key=finding.at_key)
