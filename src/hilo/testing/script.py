"""Conversations as data: what stands in a `conversations/*.yaml` file, read with every key checked, or recorded."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BeforeValidator, TypeAdapter, ValidationError

from hilo.agent.shape_errors import FileShape, one_of, shape_problem
from hilo.agent.shorthand import Declared, Duration
from hilo.agent.source import Source, read_source
from hilo.app import read_text
from hilo.dialogue.effects import Ask, Complete
from hilo.dialogue.states import DialogueState
from hilo.errors import FileProblems, Problem
from hilo.testing.claude import AnyScriptedAnswer
from hilo.testing.conversation import Stub
from hilo.turn.run import TurnResult

EVENTS = ("contact", "press", "after", "comes_back", "operator", "campaign")
DEFAULT_START = datetime(2026, 3, 2, 10, 0)  # noqa: DTZ001 -- it gets the agent's time zone


def _written(value: Any) -> Any:
    """Numbers are what a contact writes too: `contact: 5`."""
    return str(value) if isinstance(value, int | Decimal) and not isinstance(value, bool) else value


def _several(value: Any) -> Any:
    return tuple(map(_written, value)) if isinstance(value, list | tuple) else (_written(value),)


def _moment(value: Any) -> Any:
    try:
        return datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise ValueError("must be a moment such as 2026-03-02T10:00") from None


Written = Annotated[str, BeforeValidator(_written)]
Several = Annotated[tuple[str, ...], BeforeValidator(_several)]
Moment = Annotated[datetime, BeforeValidator(_moment)]
Expected = bool | int | Decimal | str | None


@dataclass(frozen=True, kw_only=True)
class Expect(Declared):
    """What must be true after a step; what is not written is not looked at."""

    mentions: Several | None = None  # the reply has these words; case and accents do not matter
    omits: Several | None = None  # the reply does not have them
    asked: str | None = None  # a slot, `yes` (to a summary), `which` (slot to change) or `none`
    slots: Mapping[str, Expected] | None = None  # written in any form that the slot takes; null is empty
    state: DialogueState | None = None
    mode: str | None = None
    handed_off: bool | str | None = None  # whether an operator holds the session, or by which policy
    nodes: Several | None = None  # visited in this order, others may stand between them
    silent: bool | None = None  # there is no reply at all
    completed: str | None = None  # the flow that was completed in this step
    buttons: Several | None = None  # the titles of all buttons, in order
    refused: bool | int | None = None  # whether commands were refused, or how many


@dataclass(frozen=True, kw_only=True)
class Releasing(Declared):
    """How an operator gives the session back: in which mode, after which tools, with which words."""

    mode: str = ""
    calls: Several = ()
    message: str = ""


@dataclass(frozen=True, kw_only=True)
class Operated(Declared):
    """What an operator does; who has a tool run names it, who gives back may say how."""

    does: Literal["takes over", "releases", "pauses", "resumes", "calls"]
    calls: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    tell: bool = True  # the contact the result
    releases: Releasing = field(default_factory=Releasing)


def _operated(value: Any) -> Any:
    """One word, `{calls: tool}` or `{releases: {…}}`."""
    if not isinstance(value, Mapping):
        return {"does": value}
    acts = [act for act in ("calls", "releases") if act in value]
    if len(acts) != 1:
        raise ValueError("must be takes over, releases, pauses, resumes, {calls: …} or {releases: {…}}")
    return {"does": acts[0], **value}


AnyOperated = Annotated[Operated, BeforeValidator(_operated)]
AnyStub = Annotated[Stub, BeforeValidator(lambda value: {"error": value} if isinstance(value, str) else value)]


@dataclass(frozen=True, kw_only=True)
class ScriptStep(Declared):
    """One thing that happens (exactly one of EVENTS), and what is expected then."""

    contact: Written | None = None
    press: Written | None = None
    early: bool = False  # the contact wrote before our last question arrived
    after: Duration | None = None
    comes_back: Duration | None = None  # after so long the contact finds a new session
    operator: AnyOperated | None = None
    campaign: str | None = None  # the business writes first
    values: Mapping[str, Written] = field(default_factory=dict)  # what the campaign's list gives for slots
    tools: Mapping[str, AnyStub] = field(default_factory=dict)  # what tools do in this step instead of their work
    model: tuple[AnyScriptedAnswer, ...] = ()  # what a model answers in this step, when it is played with one
    expect: Expect = field(default_factory=Expect)
    with_model: Expect = field(default_factory=Expect)  # what else must be true then

    def expected(self, *, with_model: bool) -> Expect:
        """What must be true after the step; what is said of the play with a model goes over the rest."""
        own = {name: value for name, value in vars(self.with_model).items() if value is not None}
        return replace(self.expect, **own) if with_model else self.expect


@dataclass(frozen=True, kw_only=True)
class Script(Declared):
    """A conversation that must go as written."""

    steps: tuple[ScriptStep, ...]
    conversation: str = ""
    agent: str = ""
    starts: Moment = DEFAULT_START

    @property
    def has_model(self) -> bool:
        """Whether it is played with a model too."""
        return any(step.model for step in self.steps)


@dataclass(frozen=True, slots=True)
class ScriptFile:
    """A script with where each of its parts stands."""

    file: Path
    script: Script
    source: Source

    @property
    def title(self) -> str:
        """What the conversation is about."""
        return self.script.conversation or self.file.stem.replace("_", " ")

    def place(self, step: int) -> str:
        """Where a step stands, as file:line:column."""
        problem = self.source.problem(("steps", step), "")
        return f"{problem.file}:{problem.line}:{problem.column}"


_SHAPE = FileShape(Script, hidden=frozenset({"does"}))


@cache
def _adapter() -> TypeAdapter[Script]:
    return TypeAdapter(Script)


_BETWEEN = re.compile(r"^---[ \t\r]*(?:#.*)?$", re.MULTILINE)


def documents(text: str) -> list[str]:
    """The conversations of a file, separated by `---`. Blank lines stand for what is above: places stay the file's."""
    found, lines = [], 0
    for part in _BETWEEN.split(text):
        if any(line and not line.startswith("#") for line in map(str.strip, part.splitlines())):
            found.append("\n" * lines + part)
        lines += part.count("\n")
    return found or [text]


def read_scripts(file: Path) -> tuple[ScriptFile, ...]:
    """The conversations of a file; raises FileProblems at the first that is wrong in its shape."""
    return tuple(parse_script(text, file=file) for text in documents(read_text(file)))


def parse_script(text: str, *, file: Path = Path("conversation.yaml")) -> ScriptFile:
    """The one conversation that a text declares; raises FileProblems with everything that is wrong in its shape."""
    source = read_source(text, file=str(file))
    problems = [*source.problems, *_events(source)]
    if not isinstance(source.value, dict):
        problems.append(source.problem((), "a conversation file is a mapping", "start with `steps:`"))
        raise FileProblems(tuple(dict.fromkeys(problems)))
    try:
        script = _adapter().validate_python(source.value)
    except ValidationError as error:
        problems += [shape_problem(_SHAPE, source, dict(each)) for each in error.errors(include_url=False)]
    if problems:
        raise FileProblems(tuple(dict.fromkeys(problems)))
    return ScriptFile(file, script, source)


def _events(source: Source) -> list[Problem]:
    """Steps in which nothing happens, or several things at once."""
    steps = source.value.get("steps") if isinstance(source.value, dict) else None
    if not isinstance(steps, list):
        return []  # its shape is reported elsewhere
    problems = []
    for place, step in enumerate(steps):
        if not isinstance(step, dict):
            continue
        events = [event for event in EVENTS if step.get(event) is not None]
        if len(events) == 1:
            continue
        message = "nothing happens in this step"
        if events:
            message = f"a step is one event, not {' and '.join(events)}"
        problems.append(source.problem(("steps", place), message, one_of(EVENTS)))
    return problems


# --- written ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Recording:
    """A talk kept as a conversation test: what happened so far, and what was true after it."""

    steps: list[dict[str, Any]] = field(default_factory=list)
    starts: str = ""

    def add(self, result: TurnResult, **action: str) -> None:
        """A turn, with what began it; a timer's turn belongs to the time that passed."""
        self.starts = self.starts or result.trace.at.isoformat(timespec="minutes")
        if action:
            self.steps.append({**action, "expect": expectations(result)})
        elif self.steps:
            self.steps[-1]["expect"] = expectations(result)

    def wait(self, duration: str) -> None:
        """Time passes."""
        self.steps.append({"after": duration})

    def as_yaml(self, title: str, *, agent: str = "") -> str:
        """The conversation file; it names its agent where it does not stand beside it."""
        head = {"conversation": title, "agent": agent, "starts": self.starts}
        content = {**{key: value for key, value in head.items() if value}, "steps": self.steps}
        return yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=110)


def expectations(result: TurnResult) -> dict[str, Any]:
    """What is worth asserting about a turn; texts are left out, because authors polish them."""
    asked = next((effect.slot for effect in result.decision.effects if isinstance(effect, Ask)), None)
    completed = next((effect.flow for effect in result.decision.effects if isinstance(effect, Complete)), None)
    slots = {name: str(value) if isinstance(value, Decimal) else value for name, value in result.session.slots.items()}
    facts = {
        "asked": asked,
        "completed": completed,
        "slots": slots,
        "handed_off": result.trace.policy,
        "silent": not result.replies,
    }
    return {name: fact for name, fact in facts.items() if fact}
