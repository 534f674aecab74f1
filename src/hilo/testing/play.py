"""Playing scripts: each step by step up to its first difference, all those of an agent together."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import assert_never
from zoneinfo import ZoneInfo

from hilo.agent.checks.check import Finding
from hilo.agent.instructions import LeaveToPerson
from hilo.agent.policies import POLICIES
from hilo.agent.shape_errors import did_you_mean
from hilo.agent.source import Path as SourcePath
from hilo.agent.values import Invalid, accept
from hilo.app import LoadedAgent
from hilo.errors import FileProblems, HiloError
from hilo.testing.claude import ScriptedClaude, scripted_claude
from hilo.testing.clock import FakeClock
from hilo.testing.conversation import Conversation, Entry, NoSuchButton
from hilo.testing.expectations import Heard, differences
from hilo.testing.script import Expect, Expected, Operated, ScriptFile, ScriptStep
from hilo.turn.run import Turn, TurnResult
from hilo.turn.state import Asking
from hilo.turn.trace import Trace

QUESTIONS = ("none", "yes", "which", "switch", "argument", "meaning", "timer")  # what `asked` may name besides a slot
# what `handed_off` may name
CAUSES = (
    *(*POLICIES, "request", "operator", "flow", "error", "errors", "gate", "mode", "timer", "confidence"),
    *("unknown_outcome", "repeats"),
)


@dataclass(frozen=True, slots=True)
class Played:
    """A conversation as it went. `differences` are those of its last step, which stands at `place`."""

    title: str
    place: str
    transcript: tuple[Entry, ...]
    differences: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether it went as written."""
        return not self.differences

    @property
    def traces(self) -> tuple[Trace, ...]:
        """One per turn."""
        return tuple(entry.trace for entry in self.transcript if entry.trace)


@dataclass(frozen=True, slots=True)
class Broken:
    """A conversation that could not be played, and why."""

    file: Path
    problem: str
    passed: bool = False


async def play(script: ScriptFile, loaded: LoadedAgent) -> Played | Broken:
    """Play a script with its agent, on the embedded understander."""
    try:
        _check_names(script, loaded.turn)
        conversation = begin(script, loaded)
    except HiloError as error:
        return Broken(script.file, str(error))
    place, found = await _play_steps(conversation, script.script.steps)
    return Played(script.title, script.place(place), tuple(conversation.transcript), found)


async def play_with_model(script: ScriptFile, loaded: LoadedAgent) -> Played:
    """Play it again with the model that it scripts, which is asked about every message that has an answer for it."""
    steps = script.script.steps
    async with scripted_claude([answer for step in steps for answer in step.model]) as claude:
        conversation = begin(script, loaded)
        place, found = await _play_steps(conversation, steps, claude)
        if not found and claude.left:
            found = (f"expected the model to be asked {claude.left} more times",)
    return Played(f"{script.title} (with a model)", script.place(place), tuple(conversation.transcript), found)


async def _play_steps(
    conversation: Conversation, steps: tuple[ScriptStep, ...], claude: ScriptedClaude | None = None
) -> tuple[int, tuple[str, ...]]:
    """The step at which the conversation came to its end, and what was not as expected there."""
    for place, step in enumerate(steps):
        conversation.asking = partial(_asking, conversation, claude) if claude and step.model else None
        if found := await _differences(conversation, step, with_model=claude is not None):
            return place, found
    return len(steps) - 1, ()


def _asking(conversation: Conversation, claude: ScriptedClaude) -> Asking:
    return Asking(claude.budget(), conversation, always=True)


def begin(script: ScriptFile, loaded: LoadedAgent) -> Conversation:
    """The conversation before its first step; a start without a zone is in the agent's."""
    start = script.script.starts
    zone = start.tzinfo or ZoneInfo(loaded.agent.timezone)
    return Conversation(loaded, FakeClock(start.replace(tzinfo=zone)))


async def _differences(conversation: Conversation, step: ScriptStep, *, with_model: bool) -> tuple[str, ...]:
    try:
        results = await _happen(conversation, step)
    except NoSuchButton as error:
        return (f"expected the button `{step.press}`, but {error}",)
    except Exception as error:  # noqa: BLE001 -- whatever a turn raises: the other conversations go on
        return (f"expected a turn, but it broke with {type(error).__name__}: {error}",)
    return differences(step.expected(with_model=with_model), Heard(conversation.agent, conversation.session, results))


async def _happen(conversation: Conversation, step: ScriptStep) -> tuple[TurnResult, ...]:
    conversation.stubs = step.tools
    if step.contact is not None:
        return (await conversation.say(step.contact, early=step.early),)
    if step.press is not None:
        return (await conversation.press(step.press),)
    if step.after is not None:
        return await conversation.wait(step.after)
    if step.comes_back is not None:
        return await conversation.come_back(step.comes_back)
    if step.campaign is not None:
        return (await conversation.campaign(step.campaign, step.values),)
    assert step.operator is not None  # noqa: S101 -- a step is one event
    return (await _operate(conversation, step.operator),)


async def _operate(conversation: Conversation, operated: Operated) -> TurnResult:
    match operated.does:
        case "takes over":
            return await conversation.operator_takes_over()
        case "calls":
            return await conversation.operator_calls(operated.calls, operated.arguments, tell=operated.tell)
        case "releases":
            how = operated.releases
            return await conversation.release(mode=how.mode, calls=how.calls, text=how.message)
        case "pauses":
            return await conversation.pause()
        case "resumes":
            return await conversation.resume()
    assert_never(operated.does)


# --- the names in a conversation that its agent must know: slots, flows, nodes, modes, policies -----------


def _check_names(script: ScriptFile, turn: Turn) -> None:
    """Raise FileProblems when a script speaks of what its agent does not have."""
    findings: list[Finding] = []
    for place, step in enumerate(script.script.steps):
        path: SourcePath = ("steps", place)
        findings += _expect(step.expect, turn, (*path, "expect"))
        findings += _expect(step.with_model, turn, (*path, "with_model"))
        if step.operator:
            findings += _operator(step.operator, turn, (*path, "operator"))
        if step.campaign:
            findings += _known("campaign", step.campaign, turn.agent.campaigns, (*path, "campaign"))
        for name in step.tools:
            findings += _known("tool", name, turn.tools, (*path, "tools", name))
    if findings:
        problem = script.source.problem
        raise FileProblems(tuple(problem(each.path, each.message, each.hint) for each in findings))


def _expect(expect: Expect, turn: Turn, path: SourcePath) -> Iterator[Finding]:
    agent = turn.agent
    for name, value in (expect.slots or {}).items():
        yield from _slot(name, value, turn, (*path, "slots", name))
    policies = [handoff.policy for _, handoff in agent.doing(LeaveToPerson)]
    named: dict[str, tuple[str, Iterable[str]]] = {
        "nodes": ("node", turn.graph.nodes),
        "asked": ("slot", (*agent.slots, *QUESTIONS)),
        "completed": ("flow", agent.flows),
        "mode": ("mode", agent.modes),
        "handed_off": ("policy", (*CAUSES, *policies)),
    }
    for key, (kind, known) in named.items():
        value = getattr(expect, key)
        for name in value if isinstance(value, tuple) else (value,):
            if isinstance(name, str):  # whether there is a handoff at all names nothing
                yield from _known(kind, name, known, (*path, key))


def _operator(operated: Operated, turn: Turn, path: SourcePath) -> Iterator[Finding]:
    if operated.does == "calls":
        yield from _known("tool", operated.calls, turn.tools, (*path, "calls"))
    for name in operated.releases.calls:
        yield from _known("tool", name, turn.tools, (*path, "releases", "calls"))
    if operated.releases.mode:
        yield from _known("mode", operated.releases.mode, turn.agent.modes, (*path, "releases", "mode"))


def _known(kind: str, name: str, known: Iterable[str], path: SourcePath) -> Iterator[Finding]:
    known = list(known)
    if name not in known:
        hint = did_you_mean(name, known) or f"known are: {', '.join(known) or 'none'}"
        yield Finding(path, f"there is no {kind} `{name}`", hint)


def _slot(name: str, value: Expected, turn: Turn, path: SourcePath) -> Iterator[Finding]:
    if name not in turn.agent.slots:
        yield from _known("slot", name, turn.agent.slots, path)
    elif value is not None:
        slot = turn.agent.slots[name]
        if isinstance(accept(slot, value, country=turn.agent.country), Invalid):
            yield Finding(path, f"`{value}` is no value for a slot of type {slot.type}")
