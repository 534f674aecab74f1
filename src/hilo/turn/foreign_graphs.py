"""Somebody's LangGraph graph: what it takes and gives, asked as a node of a turn or as a tool."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_type_hints

from hilo.dialogue.commands import Reply
from hilo.dialogue.draft import without
from hilo.dialogue.session import to_json
from hilo.turn.state import TurnState, message_in

# What a graph that is a node may have in its state, besides keys of its own.
GIVEN = ("messages", "text", "slots", "mode", "session")
HINT = "a node needs `messages` or `text` in the graph's input, and `commands` or `messages` in its output"


def is_graph(thing: Any) -> bool:
    """Whether this is a compiled graph, by what is done with one."""
    return all(callable(getattr(thing, name, None)) for name in ("ainvoke", "get_input_jsonschema"))


def inputs_of(graph: Any) -> frozenset[str]:
    """The keys that a graph takes."""
    return _keys(graph, "input")


def outputs_of(graph: Any) -> frozenset[str]:
    """The keys that a graph gives."""
    return _keys(graph, "output")


def _keys(graph: Any, side: str) -> frozenset[str]:
    # Not by LangGraph's JSON Schema: it fails for a plain TypedDict on older Pythons, and for types without one.
    builder = getattr(graph, "builder", None)
    if builder is not None:
        return frozenset(get_type_hints(getattr(builder, f"{side}_schema")))
    return frozenset(getattr(graph, f"get_{side}_jsonschema")().get("properties", {}))


def human(text: str) -> Any:
    """A message of the contact."""
    from langchain_core.messages import HumanMessage  # noqa: PLC0415 -- slow, and only where there is a graph

    return HumanMessage(text)


def last_words(messages: Any) -> str:
    """The text of the last message, if a model or a node wrote it."""
    last = messages[-1] if isinstance(messages, Sequence) and messages else None
    return text_of(last) if getattr(last, "type", "") == "ai" else ""


def text_of(message: Any) -> str:
    """The words of a message whose content is a text, or blocks of which some are texts."""
    content = message.content
    if isinstance(content, str):
        return content
    blocks = [{"type": "text", "text": each} if isinstance(each, str) else each for each in content]
    return "\n".join(str(each.get("text", "")) for each in blocks if each.get("type") == "text")


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A graph in the place of an author's function: it is trusted like a model, and its proposals are checked so."""

    graph: Any

    def problem(self) -> str:
        """What keeps the graph from being a node, if anything does."""
        if not inputs_of(self.graph) & {"messages", "text"}:
            return f"the graph takes {_listed(inputs_of(self.graph))}"
        if not outputs_of(self.graph) & {"commands", "messages"}:
            return f"the graph gives {_listed(outputs_of(self.graph))}"
        return ""

    async def __call__(self, state: TurnState) -> Sequence[Any]:
        """The commands that the graph gives; of one that gives messages alone, its last words."""
        text, session = message_in(state).text, state["session"]
        there = {
            "messages": [human(text)],
            "text": text,
            "slots": dict(session.slots),
            "mode": session.mode,
            "session": json.loads(to_json(session)),
        }
        taken = inputs_of(self.graph)
        done = await self.graph.ainvoke(without(there, *(there.keys() - taken)))
        if not isinstance(done, Mapping):
            raise TypeError(f"the graph gave {done!r:.100} instead of its state")
        if "commands" in outputs_of(self.graph):
            return done.get("commands") or ()
        words = last_words(done.get("messages"))
        return (Reply(words),) if words else ()


def _listed(names: frozenset[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names)) or "nothing"
