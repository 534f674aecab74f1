"""A flow as an author writes it, and as everything else reads it: compiled to steps with edges."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeVar

from hilo.agent.instructions import (
    AskConfirmation,
    AskSlots,
    CountRound,
    Instruction,
    PushFlow,
    SayTemplate,
    SetValues,
    UseTool,
)
from hilo.agent.shorthand import Declared, Names, is_name
from hilo.agent.source import Path
from hilo.agent.steps import AnyStep, Exit, Outcome, Step
from hilo.agent.steps.step import END, FIRST, HANDOFF

Fact = tuple[str, bool]  # a guard, and whether it holds
Leads = Literal["step", "end", "handoff", "change", "mode", "flow", "nowhere"]

# where every flow can lead
PLACES: Mapping[str, Leads] = {"end": "end", "handoff": "handoff", "change": "change"}
_WENT_WELL = frozenset({"done", "yes"})  # only then are slots filled
_SLOT = re.compile(r"\{(\w+)\}")

Does = TypeVar("Does", bound=Instruction)


# --- as it is written -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Flow(Declared):
    """A procedure that starts by itself (`always`), by a contact's words (examples), or by a call.

    One that is `like` a standard intent starts by that, too.
    `resumes` names the flow that takes it up when the session ended in it and the contact comes
    back with a greeting.
    """

    steps: tuple[AnyStep, ...]
    starts: Names = ()
    like: str = ""
    description: str = ""
    interrupts: Literal["push", "ask"] = "push"
    resumes: str = ""

    @cached_property
    def starts_by_itself(self) -> bool:
        """Whether a new session opens with this flow."""
        return self.starts == ("always",)

    @property
    def undoes(self) -> bool:
        """Whether it takes back what was done, as standard intents of that name do."""
        return self.like.startswith("cancel_")

    @property
    def is_about_what_was_done(self) -> bool:
        """Whether it takes back or changes what was done."""
        return self.undoes or self.like.startswith(("change_", "reschedule_"))

    @cached_property
    def starts_by_words(self) -> bool:
        """Whether a contact starts it with what they write."""
        if self.starts_by_itself:
            return False
        return bool(self.starts or self.like)

    @cached_property
    def examples(self) -> tuple[str, ...]:
        """What a contact may say to start it, in words."""
        if self.starts_by_itself:
            return ()
        return tuple(text for text in self.starts if not _is_but_slots(text))

    @cached_property
    def starts_by_values(self) -> tuple[frozenset[str], ...]:
        """The slots of each example of slots alone: a message that gives all of them starts the flow."""
        return tuple(frozenset(_SLOT.findall(text)) for text in self.starts if _is_but_slots(text))

    @cached_property
    def collects(self) -> tuple[str, ...]:
        """The slots it asks for, in order."""
        asked: list[str] = []
        for does in self._instructions:
            if isinstance(does, AskSlots):
                asked += does.slots
        return tuple(asked)

    @cached_property
    def finds(self) -> tuple[str, ...]:
        """The slots that its tools fill."""
        found: list[str] = []
        for does in self._instructions:
            if isinstance(does, UseTool):
                found += does.into.values()
        return tuple(found)

    @cached_property
    def _instructions(self) -> tuple[Instruction, ...]:
        return tuple(each.written.plan().does for each in _laid_out(self.steps, ()))


def _is_but_slots(example: str) -> bool:
    return bool(_SLOT.search(example)) and not any(map(str.isalnum, _SLOT.sub("", example)))


# --- as it is read --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Edge:
    """A way out of a step, or out of the flow. An empty name is the end behind the last step."""

    to: str
    leads: Leads
    on: Outcome
    guard: str = ""  # asked when it is to be taken
    facts: tuple[Fact, ...] = ()  # all that is known of guards where it is taken
    fills: frozenset[str] = frozenset()
    empties: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Guard:
    """A guard that a step asks: where it stands in the file, and what is known of others by then."""

    text: str
    path: Path
    known: tuple[Fact, ...] = ()
    at_key: bool = False


@dataclass(frozen=True, slots=True)
class CompiledStep:
    """A step: where it stands, what it does, where that leads; by the first edge if it goes well."""

    flow: str
    name: str
    written: Step
    path: Path
    does: Instruction
    edges: tuple[Edge, ...]
    asked: tuple[Guard, ...]  # in order
    said: str = ""  # what it says as it is written: a template's name, or a text
    # Words of its own, which become a template that is named after the step.
    texts: tuple[str, ...] = ()
    kind: str = ""
    when: str = ""
    mode: str = ""

    @property
    def full_name(self) -> str:
        """Its name among the steps of all flows, and that of the template which its own words become."""
        return f"{self.flow}.{self.name}"

    @property
    def guards(self) -> tuple[str, ...]:
        """The guards that are asked at it, in order."""
        return tuple(guard.text for guard in self.asked)

    @property
    def inner_edges(self) -> tuple[Edge, ...]:
        """The edges that stay in the flow."""
        return tuple(edge for edge in self.edges if edge.leads == "step")

    @property
    def leads(self) -> frozenset[Leads]:
        """Where its edges lead."""
        return frozenset(edge.leads for edge in self.edges)

    @property
    def is_guarded(self) -> bool:
        """Whether guards decide where it leads."""
        return any(edge.guard for edge in self.edges)

    def edge(self, on: Outcome) -> Edge | None:
        """The way that an outcome leads, where no guard decides."""
        return next((edge for edge in self.edges if edge.on == on), None)


@dataclass(frozen=True)
class CompiledFlow:
    """The steps of a flow in the order in which they are taken, also those inside of others."""

    name: str
    steps: tuple[CompiledStep, ...]

    def __getitem__(self, step: str) -> CompiledStep:
        return self.steps[self.places[step]]

    @property
    def opens_by_asking(self) -> bool:
        """Whether the first thing that a flow does is to ask; what it empties before that is no deed."""
        deeds = (step.does for step in self.steps if not isinstance(step.does, SetValues))
        return isinstance(next(deeds, None), AskSlots)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where each step stands."""
        return {step.name: place for place, step in enumerate(self.steps)}

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """All ways out of all its steps."""
        edges: list[Edge] = []
        for step in self.steps:
            edges += step.edges
        return tuple(edges)

    def doing(self, kind: type[Does]) -> Iterator[tuple[CompiledStep, Does]]:
        """Its steps with an instruction of a kind, each with that."""
        for step in self.steps:
            if isinstance(step.does, kind):
                yield step, step.does

    @cached_property
    def has_modes(self) -> bool:
        """Whether a step of it stands in a mode."""
        return any(step.mode for step in self.steps)

    @cached_property
    def leads_to_modes(self) -> tuple[str, ...]:
        """The modes that it leads to whatever is known."""
        return tuple(edge.to for edge in self.edges if edge.leads == "mode" and not edge.guard)

    @property
    def leaves_to(self) -> frozenset[str]:
        """The other flows and the modes that it leads to by itself."""
        return frozenset(edge.to for edge in self.edges if edge.leads in {"flow", "mode"})

    @property
    def leads_nowhere(self) -> bool:
        """Whether some step names a place that there is not."""
        return any("nowhere" in step.leads for step in self.steps)

    @property
    def calls(self) -> frozenset[str]:
        """The flows that it runs and comes back from."""
        return frozenset(push.flow for _, push in self.doing(PushFlow))


# --- compiling ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Laid:
    """A step in its place; `first` is the place of the first step inside of it."""

    written: Step
    path: Path
    first: int


def _laid_out(steps: tuple[Step, ...], path: Path) -> list[_Laid]:
    """Steps inside of others stand in front of them: those decide about another round."""
    # recursion, because a block may hold blocks, into one list, because sessions stand at one place
    found: list[_Laid] = []

    def lay(steps: tuple[Step, ...], path: Path) -> None:
        for index, step in enumerate(steps):
            first = len(found)
            lay(step.inner, (*path, index, step.kind))
            found.append(_Laid(step, (*path, index), first))

    lay(steps, path)
    return found


def compile_flow(
    name: str,
    flow: Flow,
    *,
    flows: Collection[str],
    modes: Collection[str],
) -> CompiledFlow:
    """Name all steps, and tell where each leads. Unknown names lead nowhere: the checks tell."""
    laid = _laid_out(flow.steps, ("flows", name, "steps"))
    places: dict[str, Leads] = {}  # later ones hide earlier ones
    places.update((each, "flow") for each in flows)
    places.update((each, "mode") for each in modes)
    places.update(PLACES)
    places.update((each.written.name, "step") for each in laid if each.written.name)
    names = _names(laid)
    steps: list[CompiledStep] = []
    for place, each in enumerate(laid):
        following = names[place + 1] if place + 1 < len(names) else ""
        joints = _Joints(places, following, names[each.first])
        steps.append(_compiled(name, names[place], each, joints))
    return CompiledFlow(name, tuple(steps))


def _names(laid: list[_Laid]) -> list[str]:
    """The author's names, others made of kind and place: sessions remember by them where they stand."""
    taken = {each.written.name for each in laid}
    names: list[str] = []
    for place, each in enumerate(laid, 1):
        name = each.written.name or f"{each.written.kind}_{place}"
        while not each.written.name and name in taken:
            name += "_"
        names.append(name)
    return names


@dataclass(frozen=True, slots=True)
class _Joints:
    """What the names in a step stand for where it is."""

    places: Mapping[str, Leads]
    following: str
    first: str

    def resolve(self, target: str) -> tuple[str, Leads]:
        """As an author means it: a step of the flow, a place of every flow, a mode, another flow."""
        fixed: dict[str, tuple[str, Leads]] = {
            "": (self.following, "step" if self.following else "end"),
            FIRST: (self.first, "step"),
            END: ("end", "end"),
            HANDOFF: ("handoff", "handoff"),
        }
        return fixed.get(target) or (target, self.places.get(target, "nowhere"))


def _compiled(flow: str, name: str, laid: _Laid, joints: _Joints) -> CompiledStep:
    written = laid.written
    plan = written.plan()
    does, said = plan.does, ""
    texts: tuple[str, ...] = ()
    if isinstance(does, SayTemplate | AskConfirmation | AskSlots):
        said = does.template
        asks_as_the_slot = isinstance(does, AskSlots) and not said
        # a text becomes a template, so that what runs knows only names
        if not is_name(said) and not asks_as_the_slot:
            texts = (said, *plan.again)
            does = replace(does, template=f"{flow}.{name}")
    edges = tuple(_edges(written.when, does, plan.exits, joints))
    return CompiledStep(
        flow=flow,
        name=name,
        written=written,
        path=laid.path,
        does=does,
        edges=edges,
        asked=tuple(_guards(laid, does, edges)),
        said=said,
        texts=texts,
        kind=written.kind,
        when=written.when,
        mode=written.mode,
    )


def _guards(laid: _Laid, does: Instruction, edges: tuple[Edge, ...]) -> Iterator[Guard]:
    when, path = laid.written.when, laid.path
    if when:
        yield Guard(when, (*path, "when"))
    if isinstance(does, CountRound) and does.until:
        yield Guard(does.until, (*path, "until"), _held(when))
    for edge in edges:
        if edge.guard:  # the guard itself is the last that is known where it holds
            place = (*path, laid.written.kind, edge.guard)
            yield Guard(edge.guard, place, edge.facts[:-1], at_key=True)


def _held(when: str) -> tuple[Fact, ...]:
    return ((when, True),) if when else ()


def _edges(
    when: str,
    does: Instruction,
    exits: tuple[Exit, ...],
    joints: _Joints,
) -> Iterator[Edge]:
    held = _held(when)
    # a block empties what it asks for when it goes round once more, not when it is over
    emptying: Outcome = "again" if isinstance(does, CountRound) else "done"
    passed: dict[Outcome, tuple[Fact, ...]] = {}  # the guards of earlier exits, which did not hold
    certain: set[Outcome] = set()  # what stands behind an exit without a guard is never taken
    for each in exits:
        if each.on in certain:
            continue
        facts = passed.get(each.on, held)
        if each.guard:
            passed[each.on] = (*facts, (each.guard, False))
            facts = (*facts, (each.guard, True))
        else:
            certain.add(each.on)
        if each.unless:
            facts = (*facts, (each.unless, False))
        to, leads = joints.resolve(each.to)
        fills = does.fills if each.on in _WENT_WELL else frozenset()
        empties = does.empties if each.on == emptying else frozenset()
        yield Edge(to, leads, each.on, each.guard, facts, fills, empties)
    # a step that is skipped leads to the next one, whatever its own exits say
    if when:
        to, leads = joints.resolve("")
        yield Edge(to, leads, "skipped", facts=((when, False),))
