"""Somebody's LangGraph graph as a tool of an agent."""

import inspect
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_type_hints

from hilo.errors import HiloError
from hilo.tools.tool import Tool, ToolFailed, tool
from hilo.turn.foreign_graphs import human, inputs_of, is_graph, last_words, outputs_of

SECONDS = 60.0
QUESTION = "question"


def graph_tool(  # noqa: PLR0913 -- all that is known of a tool
    graph: Any,
    *,
    name: str = "",
    description: str = "",
    takes: Mapping[str, type] | None = None,
    writes: bool = False,
    needs_yes: bool | None = None,
    idempotent: bool = True,
    timeout: float = SECONDS,
) -> Tool:
    """A compiled graph as a tool, in the `tools.py` of an agent.

    One over `messages` takes a `question` and gives the last words as `result`; another one takes the keys of its input
    (or those that `takes` names, with their types) and gives those of its output.
    """
    if not is_graph(graph):
        raise HiloError(f"{graph!r:.100} is no compiled graph: call .compile() first")
    called = name or str(getattr(graph, "name", "") or "")
    if not called.isidentifier():
        raise HiloError(f"the graph's name {called!r} is no name of a tool: write graph_tool(graph, name=…)")
    talks = "messages" in inputs_of(graph) and takes is None
    types = dict(takes) if takes else {QUESTION: str} if talks else _types(graph)
    if strange := set(types) - inputs_of(graph) - ({QUESTION} if talks else set()):
        raise HiloError(f"the graph {called} takes no {', '.join(sorted(strange))}; it takes: {_told(graph)}")

    async def run(**arguments: Any) -> dict[str, Any]:
        state = {"messages": [human(arguments[QUESTION])]} if talks else arguments
        return _outputs(called, await graph.ainvoke(state), graph)

    parameters = [
        inspect.Parameter(each, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=kind)
        for each, kind in types.items()
    ]
    run.__name__ = called
    run.__doc__ = description or getattr(graph, "description", "") or f"Ask the graph {called}."
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    declare = tool(writes=writes, needs_yes=needs_yes, idempotent=idempotent, timeout=timeout)
    made = declare(run)
    outputs = ("result",) if talks else tuple(sorted(outputs_of(graph) - {"messages"}))
    return replace(made, spec=replace(made.spec, outputs=outputs))


def _types(graph: Any) -> dict[str, type]:
    builder = getattr(graph, "builder", None)
    if builder is None:
        raise HiloError("this graph does not say what it takes: write graph_tool(graph, takes={…})")
    return get_type_hints(builder.input_schema)


def _outputs(name: str, done: Any, graph: Any) -> dict[str, Any]:
    """What the graph gave; one that stopped at an interrupt has not come to its end."""
    if not isinstance(done, Mapping):
        raise ToolFailed(f"the graph {name} gave {done!r:.100} instead of its state")
    if done.get("__interrupt__"):
        raise ToolFailed(f"the graph {name} waits for somebody (an interrupt), and a tool cannot wait")
    given = {each: value for each, value in done.items() if each in outputs_of(graph) and each != "messages"}
    words = last_words(done.get("messages"))
    return {**given, "result": words} if words else given


def _told(graph: Any) -> str:
    return ", ".join(sorted(inputs_of(graph))) or "nothing"
