"""An author's own nodes: where they stand in the turn graph, what they are given, and what they may propose."""

import copy
import inspect
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from hilo.agent.declaration import Agent, CustomNode
from hilo.dialogue.commands import Affirm, Command, Refusal
from hilo.dialogue.draft import but, of_kind
from hilo.dialogue.effects import RunTool
from hilo.dialogue.stored import decode, validated
from hilo.errors import HiloError
from hilo.llm.model import Message, ModelError, Request, TextPart, Tier
from hilo.tools.call import call
from hilo.tools.given import Contact
from hilo.tools.limits import in_a_thread, time_limit
from hilo.tools.tool import ToolFailed
from hilo.turn.foreign_graphs import GraphNode
from hilo.turn.founded import with_sources
from hilo.turn.graph import Graph
from hilo.turn.model_nodes import NOT_HIS_YES
from hilo.turn.model_requests.requests import Asked
from hilo.turn.model_requests.talk import Talk
from hilo.turn.state import CustomFunction, Node, TurnContext, TurnState, message_in

SECONDS = 30.0  # that a node may take


def with_own_nodes(graph: Graph, declared: Sequence[CustomNode]) -> Graph:
    """The graph with an author's nodes in their places; those of one place keep the file's order."""
    waiting = list(declared)
    while waiting:
        # A node beside another one of the author's comes after that one, and what is replaced must be found until then.
        placed = [each for each in waiting if each.beside in graph.nodes]
        ready = [each for each in placed if not each.replace] or placed
        if not ready:
            names = ", ".join(each.name for each in waiting)
            raise HiloError(f"these nodes stand beside none of the turn: {names}")
        for each in ready:
            if each.before:
                graph = graph.insert_before(each.name, own_node(each.name), before=each.before)
            elif each.replace:
                graph = graph.replaced(each.replace, each.name, own_node(each.name))
        for each in reversed(ready):
            if each.after:
                graph = graph.insert(each.name, own_node(each.name), after=each.after)
        waiting = [each for each in waiting if each not in ready]
    return graph


def stops_with(stops: Iterable[str], declared: Sequence[CustomNode]) -> frozenset[str]:
    """These nodes, with the author's that stand before them or in their place."""
    found, before = set(stops), set[str]()
    while found != before:
        before = set(found)
        found |= {each.name for each in declared if {each.before, each.replace} & before}
    return frozenset(found)


# --- what a node is given -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NodeTools:
    """What a node with a second parameter is given: the agent, the contact, its tools that only read, and its model."""

    agent: Agent
    now: datetime
    _context: TurnContext

    @property
    def contact(self) -> Contact | None:
        """Who writes, where that is known."""
        return self._context.contact

    async def call(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        """What a tool gives; raises ToolFailed. One that writes is proposed as `CallTool`, which may be refused."""
        tools = self._context.tools
        if tool in tools and tools[tool].spec.writes:
            raise ToolFailed(f"{tool} writes: return CallTool({tool!r}, …), and the dialogue decides whether it runs")
        run = RunTool("", tool, arguments)
        result = await call(tools, run, now=self.now, given=self._context.given)
        if not result.ok:
            raise ToolFailed(result.error)
        return result.outputs

    async def ask(
        self, text: str, *, system: str = "", output: Mapping[str, Any] | None = None, tier: Tier = "small"
    ) -> Any:
        """A model's words or, for a JSON Schema, its value: within the limits of the turn; raises ModelError."""
        asking = self._context.asking
        if asking is None:
            raise ModelError("unreachable", "there is no model")
        message = Message("user", (TextPart(text),))
        reply = await asking.budget.ask(Request((message,), system, output=output, tier=tier))
        return reply.text if output is None else reply.value


# --- one visit ------------------------------------------------------------------------------------------------


def own_node(name: str) -> Node:
    """An author's node may only propose commands; when it breaks, the turn goes on without it."""

    async def run(state: TurnState, context: TurnContext) -> TurnState:
        seen: TurnState = {**state, "session": copy.deepcopy(state["session"])}
        before, errors = state.get("commands", ()), context.record.errors
        try:
            proposed = await _returned(context.custom[name], seen, context)
        except TimeoutError:
            errors.append(f"{name}: no answer in {SECONDS:g} s")
            return {"commands": before}
        except Exception as error:  # noqa: BLE001 -- whatever an author's function raises
            errors.append(f"{name}: {type(error).__name__}: {error}")
            return {"commands": before}
        if proposed is None:
            return {"commands": before}
        if not isinstance(proposed, tuple | list):
            kind = type(proposed).__name__
            errors.append(f"{name}: returned {proposed!r:.100} ({kind}) instead of a tuple of commands")
            return {"commands": before}
        sound, strange = _sorted_out(proposed)
        if strange:
            errors.append(f"{name}: proposed what is no command: {strange!r:.200}")
        if isinstance(context.custom[name], GraphNode):
            return _founded(state, context, tuple(sound))
        return {"commands": (*before, *sound)}

    return run


def _founded(state: TurnState, context: TurnContext, proposed: tuple[Command, ...]) -> TurnState:
    """A graph is trusted like a model: a yes is the contact's own, and what it says must stand somewhere."""
    message = message_in(state)
    asked = Asked(context.agent, state["session"], Talk(), message.text, message.at)
    kept, refused = with_sources(state, context, asked, proposed)
    not_said = [Refusal(each, NOT_HIS_YES) for each in of_kind(kept, Affirm)]
    commands = (*state.get("commands", ()), *but(kept, Affirm))
    return {"commands": commands, "refused": (*state.get("refused", ()), *refused, *not_said)}


async def _returned(function: CustomFunction, seen: TurnState, context: TurnContext) -> Any:
    """What the function returns; one that is not async has a thread, so that it holds up no other turn."""
    if isinstance(function, GraphNode):
        async with time_limit(SECONDS):
            return await function(seen)
    names = list(inspect.signature(function).parameters)
    given: list[Any] = [seen]
    if len(names) > 1:
        message = message_in(seen)
        now = (message.written or message.at).astimezone(context.understander.zone)
        given.append(NodeTools(context.agent, now, context))
    if not inspect.iscoroutinefunction(function):
        return await in_a_thread(function, dict(zip(names, given, strict=True)), seconds=SECONDS)
    async with time_limit(SECONDS):
        return await function(*given)


def _sorted_out(proposed: Sequence[Any]) -> tuple[list[Command], list[Any]]:
    """The commands, and what is none or has fields of other types; a command may also be written as JSON."""
    sound: list[Command] = []
    strange: list[Any] = []
    for each in proposed:
        try:
            sound.append(decode(Command, json.dumps(each)) if isinstance(each, Mapping) else validated(Command, each))
        except (ValueError, TypeError, RecursionError):
            strange.append(each)
    return sound, strange
