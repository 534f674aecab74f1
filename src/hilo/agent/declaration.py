"""What an author may write in an agent file, as frozen dataclasses.

Pydantic checks the shapes and publishes them as JSON Schema; `check` finds what shapes cannot say.
"""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from hilo.agent.campaigns import Campaign
from hilo.agent.documents import Section
from hilo.agent.flow import CompiledFlow, CompiledStep, Does, Flow, compile_flow
from hilo.agent.goods import Product
from hilo.agent.instructions import AskSlots, Instruction, UseTool
from hilo.agent.modes import Mode
from hilo.agent.opening_hours import AnyOpen
from hilo.agent.policies import Policy
from hilo.agent.remote import HttpTool, McpServer
from hilo.agent.shorthand import Choices, Declared, Duration, Fact, Names, PlainValue
from hilo.agent.templates import AnyTemplate
from hilo.agent.timers import AnyQuietHours, Timer
from hilo.agent.toolbox import Toolbox
from hilo.messages import AttachmentKind
from hilo.packs.pack import Pack, meanings_of
from hilo.recognisers.normalise import Text, normalise
from hilo.recognisers.rewording import Book, book_of, reworded
from hilo.slots import TYPES
from hilo.slots.slot_type import LANGUAGES, SlotType

CONSENT = "consent"  # a parameter of a tool: who said yes, the `contact` or only their `silence`
MESSAGE = "message"  # an argument of an intent's tool: the part of the message that means it
LOOKED_UP = "looked up"  # another: in words what was looked up before, with which the message may go on

if TYPE_CHECKING:
    SlotTypeName = str
else:
    # So that files and their JSON Schema know the types that there are.
    SlotTypeName = Literal[tuple(TYPES)]


@dataclass(frozen=True, kw_only=True)
class Slot(Declared):
    """A typed fact that is collected; one that is `found` is filled by every tool that gives an output of its name."""

    type: SlotTypeName = "text"
    like: str = ""
    ask: Names = ()
    label: str = ""
    also: Names = ()
    before: Names = ()
    required: bool = True
    keep: bool = False
    found: bool = False
    invalid: Names = ()
    pattern: str = ""
    choices: Choices = field(default_factory=dict)
    choices_from: str = ""  # the tool that knows them
    min: Decimal | None = None
    max: Decimal | None = None
    country: str = ""
    valid_if: str = ""
    part: Literal["", "given", "family"] = ""
    region_of: str = ""
    wish: bool = False  # a question that nothing answers is its value
    any_currency: bool = False  # an amount in a currency of another country keeps it
    ranges: bool = False  # two amounts may be its ends
    none: Names = ()  # the words by which contacts say that they have none
    instead: str = ""  # the slot that will do in its place: one of the two is enough

    @property
    def always_given(self) -> bool:
        """Whether a flow that has asked for it has a value."""
        return self.required and not self.instead

    @cached_property
    def kind(self) -> SlotType:
        """All that is known of its type."""
        return TYPES[self.type]


# --- intents, tools, nodes ----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Intent(Declared):
    """What a contact may mean, by examples or because it is `like` a standard intent.

    `answer` names the template that replies, `do` the tool that is run; beside it, `answer` is said where nobody has
    told what the tool needs. `begins` names the flow that is likely wanted by who tells two or more of its values while
    asking.

    The tool takes what the message gives for slots named like its parameters, or as `arguments` says: the name of a
    slot, a value, or `message` for the part of the message that means this.
    """

    examples: Names = ()
    like: str = ""
    label: str = ""
    topic: Literal["order", "info"] = "info"
    answer: str = ""
    do: str = ""
    begins: str = ""
    arguments: Mapping[str, PlainValue] = field(default_factory=dict)

    def slot_of(self, parameter: str, slots: Container[str]) -> str:
        """The slot that a parameter takes its value from: the one that `arguments` names, or the one of its name."""
        named = self.arguments.get(parameter, parameter)
        return named if isinstance(named, str) and named in slots else ""


def _intent(value: Any) -> Any:
    return {"examples": value} if isinstance(value, str | list) else value


AnyIntent = Annotated[Intent, BeforeValidator(_intent, json_schema_input_type=str | list[str] | Intent)]


@dataclass(frozen=True, kw_only=True)
class Tools(Declared):
    """Named groups of tools, the templates that tell their results, and tools that are not Python functions.

    `recap` names a template for a tool or a group: it is said once after all results of a message. `remembers` names
    the outputs that name things to the contact, who may then write "dos de ésas" or "la más barata".
    """

    groups: Mapping[str, Names] = field(default_factory=dict)
    says: Mapping[str, str] = field(default_factory=dict)
    recap: Mapping[str, str] = field(default_factory=dict)
    remembers: Mapping[str, Names] = field(default_factory=dict)
    http: Mapping[str, HttpTool] = field(default_factory=dict)
    mcp: Mapping[str, McpServer] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class AttachmentRule(Declared):
    """What to do with a kind of thing that contacts send besides text: fill slots, say something, call a person.

    `into` says which of its fields go into which slots: `address`, `name` and `coordinates` of a place, `name` and
    `phone` of a card, `caption` and `name` of a file, the fields of a form or a payment.
    """

    into: Mapping[str, str] = field(default_factory=dict)
    say: str = ""
    handoff: str = ""


@dataclass(frozen=True, kw_only=True)
class Orders(Declared):
    """The tools for what a message orders ("2 cocas, y sacá la fanta"): each takes `product` and `quantity`.

    `catalogue` names a table of what is sold, a file beside the agent's: what it names is what can be ordered.
    """

    add: str = ""
    remove: str = ""
    set: str = ""
    catalogue: str = ""

    @property
    def tools(self) -> dict[str, str]:
        """The tool of each action that has one."""
        tools = {"add": self.add, "remove": self.remove, "set": self.set}
        return {action: tool for action, tool in tools.items() if tool}


@dataclass(frozen=True, kw_only=True)
class CountedCalls(Declared):
    """Something that the business counts: calls of these tools that went well.

    `sum` names the output that is their money, `name` the one that says which it was: an order's number.
    """

    tools: Names
    sum: str = ""
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class Bands(Declared):
    """Half-open bands of confidence: [proceed, 100], [reanalyse, proceed), [clarify, reanalyse), [0, clarify)."""

    proceed: float = 85
    reanalyse: float = 60
    clarify: float = 40


@dataclass(frozen=True, kw_only=True)
class Tone(Declared):
    """A mood that texts may answer to: how the contact sounds, from −1 (very unhappy) to 1."""

    below: float | None = None
    above: float | None = None

    def has(self, mood: float) -> bool:
        """Whether a mood is of this kind; the limits are."""
        if self.below is not None and mood > self.below:
            return False
        return self.above is None or mood >= self.above


@dataclass(frozen=True, kw_only=True)
class CustomNode(Declared):
    """An author's own node of the turn graph: a Python function or a LangGraph graph, and its one place.

    It stands before or after a node, also another one of the author's, or takes the place of one.
    """

    node: str
    before: str = ""
    after: str = ""
    replace: str = ""

    @property
    def name(self) -> str:
        """Its name in the graph: that of the function."""
        return self.node.rpartition(":")[2]

    @property
    def beside(self) -> str:
        """The node that its place is told by."""
        return self.before or self.after or self.replace


@dataclass(frozen=True, kw_only=True)
class Agent(Declared):
    """A declared assistant. `version` is made from the file's text: the same text, the same version."""

    agent: str
    description: str = ""
    starters: tuple[str, ...] = ()  # what a visitor may begin with
    # What the people of the business call things.
    labels: Mapping[str, str] = field(default_factory=dict)
    language: Annotated[str, Field(examples=list(LANGUAGES))] = "es"
    country: str = ""
    timezone: str = "UTC"
    # Whose day and hour is meant: the business's, or that of the country which the contact's number is of.
    timezone_of: Literal["business", "contact"] = "business"
    open: AnyOpen | None = None  # when the business is
    slots: Mapping[str, Slot] = field(default_factory=dict)
    flows: Mapping[str, Flow] = field(default_factory=dict)
    templates: Mapping[str, AnyTemplate] = field(default_factory=dict)
    amends: str = ""  # the flow that changes what was done
    repeats: Literal["allowed", "never"] = "allowed"
    tones: Mapping[str, Tone] = field(default_factory=dict)
    facts: Mapping[str, Fact] = field(default_factory=dict)
    escalation: tuple[Policy, ...] = ()
    nodes: tuple[CustomNode, ...] = ()
    intents: Mapping[str, AnyIntent] = field(default_factory=dict)
    modes: Mapping[str, Mode] = field(default_factory=dict)
    tools: Tools = field(default_factory=Tools)
    orders: Orders | None = None
    attachments: Mapping[AttachmentKind, AttachmentRule] = field(default_factory=dict)
    # Messages that the business begins.
    campaigns: Mapping[str, Campaign] = field(default_factory=dict)
    counts: Mapping[str, CountedCalls] = field(default_factory=dict)  # by what people call them
    answer_within: Duration = timedelta(minutes=5)  # how long a contact may wait for a person
    sign_answers: bool = False  # whether contacts read who of the people answers
    confidence: Bands | None = None
    quiet_hours: AnyQuietHours | None = None
    timers: Mapping[str, Timer] = field(default_factory=dict)
    model: Literal["router", "loop", "off"] | None = None
    grounded: Literal["strict", "checked", "loose"] = "checked"
    words: str = ""  # the file with its own pack
    knowledge: Names = ()  # the pages that questions are answered from
    version: str = ""  # this and what follows is not written but found
    toolbox: Toolbox = field(default_factory=dict)
    goods: tuple[Product, ...] = ()
    documents: tuple[Section, ...] = ()
    pack: Pack = field(default_factory=Pack)

    def meanings(self, section: str) -> Mapping[str, tuple[str, ...]]:
        """What the words of a section mean in its language and country, and in its own pack."""
        return meanings_of(section, language=self.language, country=self.country, own=self.pack)

    @cached_property  # made of three packs, and needed for every message
    def _book(self) -> Book:
        return book_of(self.meanings("reads as"))

    def fold(self, text: str) -> Text:
        """A message as recognisers read it: folded, with the words that its packs say how to read."""
        folded = normalise(text)
        return reworded(folded, self._book) if self._book else folded

    @cached_property
    def compiled(self) -> Mapping[str, CompiledFlow]:
        """Its flows as steps with edges: what runs them, checks them, counts, compares and draws them reads these."""
        compiled: dict[str, CompiledFlow] = {}
        for name, flow in self.flows.items():
            compiled[name] = compile_flow(name, flow, flows=self.flows, modes=self.modes)
        return compiled

    @cached_property
    def all_steps(self) -> tuple[CompiledStep, ...]:
        """The steps of all its flows."""
        return tuple(chain.from_iterable(flow.steps for flow in self.compiled.values()))

    def doing(self, kind: type[Does]) -> Iterator[tuple[CompiledStep, Does]]:
        """Its steps with an instruction of a kind, each with that."""
        for flow in self.compiled.values():
            yield from flow.doing(kind)

    def collected_by(self, flow: str) -> tuple[str, ...]:
        """The slots that a flow asks for; none where there is no such flow."""
        return self.flows[flow].collects if flow in self.flows else ()

    def slots_for(self, call: UseTool) -> frozenset[str]:
        """The slots that a call takes: those that its arguments name, and those named like parameters."""
        taken = set(map(str, call.arguments.values()))
        if call.tool in self.toolbox:
            taken |= self.toolbox[call.tool].parameters.keys() - call.arguments.keys()
        return frozenset(taken & self.slots.keys())

    @cached_property
    def opening_slots(self) -> frozenset[str]:
        """The slots that the flows ask for which sessions begin with."""
        opening = [flow.collects for flow in self.flows.values() if flow.starts_by_itself]
        return frozenset(chain.from_iterable(opening))

    @cached_property
    def asks_by(self) -> str:
        """How a model is asked, where there is one: to classify once, or in a loop with tools."""
        return self.model or ("loop" if self.modes else "router")

    @cached_property
    def asks_own_node(self) -> bool:
        """Whether a node of its own takes the model's place: it is asked whether there is a model or not."""
        return any(each.replace == "ask_model" for each in self.nodes)

    @cached_property
    def first_mode(self) -> str:
        """Where sessions begin."""
        return next(iter(self.modes), "")

    @cached_property
    def operator_mode(self) -> str:
        """The mode of sessions that a person holds, if there is one."""
        return next((name for name, mode in self.modes.items() if mode.operator), "")

    @cached_property
    def all_timers(self) -> Mapping[str, Timer]:
        """Its own, and those of its modes under the names that the dialogue gives them: `MODE.timer`."""
        timers = dict(self.timers)
        for name, mode in self.modes.items():
            for each, timer in mode.timers.items():
                timers[f"{name}.{each}"] = timer
        return timers

    def called(self, name: str) -> str:
        """What the people of the business call a mode, a tool, a parameter, a timer or a policy."""
        own = name.rpartition(".")[2]  # a mode's timer is called MODE.timer
        return self.labels.get(name) or self.labels.get(own) or own.replace("_", " ").strip().capitalize()

    def tone_of(self, mood: float) -> str:
        """The first declared tone that a mood is of, if any."""
        return next((name for name, tone in self.tones.items() if tone.has(mood)), "")

    @cached_property
    def named_facts(self) -> Mapping[str, PlainValue]:
        """The facts by the names that texts call them by: `currency`, `packs.2x`."""
        flat: dict[str, PlainValue] = {}
        for name, fact in self.facts.items():
            if not isinstance(fact, Mapping):
                flat[name] = fact
                continue
            for key, each in fact.items():
                flat[f"{name}.{key}"] = each
        return flat

    def tools_in(self, mode: str) -> frozenset[str]:
        """The tools that a mode allows; all of them where there are no modes."""
        # a mode that is not declared allows nothing
        everything = frozenset() if self.modes else frozenset(self.toolbox)
        return self._allowed.get(mode, everything)

    @cached_property
    def _allowed(self) -> dict[str, frozenset[str]]:
        allowed: dict[str, frozenset[str]] = {}
        for name, mode in self.modes.items():
            tools = [self.tools.groups.get(each, (each,)) for each in mode.tools]
            allowed[name] = frozenset().union(*tools)
        return allowed

    @cached_property
    def meant_tools(self) -> frozenset[str]:
        """The tools that intents run."""
        return frozenset(intent.do for intent in self.intents.values() if intent.do)

    @cached_property
    def undoing(self) -> tuple[str, ...]:
        """The flows that take back what was done."""
        return tuple(name for name, flow in self.flows.items() if flow.undoes)

    @cached_property
    def ordering(self) -> Mapping[str, str]:
        """The tools for what a message orders, by what they do with it."""
        return self.orders.tools if self.orders else {}

    def proposable(self, mode: str) -> frozenset[str]:
        """The tools that a message or a model may propose: those of the mode; without modes, those that have words."""
        return self._proposable.get(mode if self.modes else "", frozenset())

    @cached_property
    def _proposable(self) -> Mapping[str, frozenset[str]]:
        of_operators = {name for name, spec in self.toolbox.items() if spec.operator}
        if not self.modes:
            # a result that the file has no words for is for flows only
            worded = {*self.tools.says, *self.meant_tools, *self.ordering.values()}
            return {"": frozenset(worded - of_operators)}
        return {mode: allowed - of_operators for mode, allowed in self._allowed.items()}

    def in_group(self, tool: str, name: str) -> bool:
        """Whether a name is that of the tool, or of a group that has it."""
        return tool in self.tools.groups.get(name, (name,))

    def mode_for(self, mode: str, tool: str) -> str:
        """The mode that a call of a tool leads to before it is made, if any."""
        before = self.modes[mode].before if mode in self.modes else {}
        return next((target for name, target in before.items() if self.in_group(tool, name)), "")

    def step_tool(self, does: Instruction) -> UseTool | None:
        """The call that an instruction makes: its own, or the one for the choices of the slot that it asks for."""
        if isinstance(does, UseTool):
            return does
        slot = self.slots.get(does.slots[0]) if isinstance(does, AskSlots) and does.slots else None
        return UseTool(slot.choices_from, {}, {}) if slot and slot.choices_from else None

    def writes(self, tool: str) -> bool:
        """Whether it is a tool that changes something."""
        return tool in self.toolbox and self.toolbox[tool].writes

    def is_done_once(self, does: Instruction) -> bool:
        """Whether an instruction calls a tool that must not do the same again."""
        return isinstance(does, UseTool) and self.toolbox[does.tool].done_once

    def is_told_before(self, tool: str) -> bool:
        """Whether a tool is told what was looked up before, so that a message may go on with it."""
        return any(LOOKED_UP in each.arguments.values() for each in self.intents.values() if each.do == tool)

    def takes_words(self, tool: str) -> bool:
        """Whether a tool takes what contacts write in their own words."""
        return any(MESSAGE in each.arguments.values() for each in self.intents.values() if each.do == tool)

    def found_only(self) -> frozenset[str]:
        """The slots that only tools fill: not for contacts to say or change."""
        return self._found_only

    @cached_property
    def _found_only(self) -> frozenset[str]:
        found = {name for name, slot in self.slots.items() if slot.found}
        asked: set[str] = set()
        for flow in self.flows.values():
            found.update(flow.finds)
            asked.update(flow.collects)
        return frozenset(found - asked)
