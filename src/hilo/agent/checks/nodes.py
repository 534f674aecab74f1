"""Checks of an author's own nodes: each names a function and one place that exists, and none waits for itself."""

import re
from collections.abc import Iterator
from itertools import pairwise

from hilo.agent.checks.place import Place
from hilo.agent.declaration import CustomNode

# Of the turn graph's own nodes, those beside which an author's may stand: they lead from a message to its commands.
BESIDE = ("understand", "check_correction", "check_off_topic", "extract_field", "ask_model", "validate")
# `understand` reads buttons and `validate` keeps values in their form: an agent without them would not work.
REPLACEABLE = ("check_correction", "check_off_topic", "extract_field", "ask_model")
# The graph's other nodes, whose names an author's may not have either.
TAKEN = (
    *BESIDE, "check_escalation", "hear_rest", "decide", "execute_tools", "hear_model", "prompt_next", "confirm_action",
    "complete", "generate", "escalate", "START", "END",
)  # fmt: skip

_KEYS = ("before", "after", "replace")


def check_nodes(file: Place) -> None:
    """All nodes of a file."""
    names: set[str] = set()
    for number, node in enumerate(file.agent.nodes):
        here = file / "nodes" / number
        (here / "node").require(
            re.fullmatch(r"[\w/]+\.py:[a-z_][a-z0-9_]*", node.node),
            f"`{node.node}` does not name a function",
            "write `nodes.py:function`",
        )
        hint = "give the function another name: it is the node's name in the graph"
        (here / "node").require(node.name not in TAKEN, f"`{node.name}` is a node of every turn", hint)
        (here / "node").require(node.name not in names, f"there are two nodes `{node.name}`", hint)
        names.add(node.name)
        _check_place(here, node)
    _check_replaced(file)
    for circle in _circles(file.agent.nodes):
        numbers = {node.name: number for number, node in enumerate(file.agent.nodes)}
        told = ", ".join(f"`{one}` stands beside `{other}`" for one, other in pairwise(circle))
        hint = f"put one of them beside a node of the turn: {', '.join(BESIDE)}"
        (file / "nodes" / numbers[circle[0]]).problem(f"these nodes run in a circle: {told}", hint)


def _check_place(here: Place, node: CustomNode) -> None:
    said = [key for key in _KEYS if getattr(node, key)]
    if len(said) != 1:
        told = " and ".join(f"`{key}`" for key in said) or "no place"
        here.problem(f"the node `{node.name}` has {told}", "write one of `before`, `after` and `replace`")
        return
    own = {each.name for each in here.agent.nodes}
    known = REPLACEABLE if node.replace else {*BESIDE, *own}
    if node.beside not in known:
        there = ", ".join(REPLACEABLE if node.replace else (*BESIDE, *sorted(own - {node.name})))
        what = "cannot be replaced" if node.replace in TAKEN and node.replace else "has no node of yours beside it"
        hint = f"{said[0]}: {there}"
        (here / said[0]).problem(f"`{node.beside}` {what}", hint)


def _check_replaced(file: Place) -> None:
    replaced: dict[str, str] = {}
    for number, node in enumerate(file.agent.nodes):
        first = replaced.setdefault(node.replace, node.name)
        if node.replace and first != node.name:
            here = file / "nodes" / number / "replace"
            here.problem(f"`{node.replace}` is replaced by `{first}` already", f"write `after: {first}`")


def _circles(nodes: tuple[CustomNode, ...]) -> Iterator[tuple[str, ...]]:
    """The ways that lead back to where they began, each told once, from its first node in the file."""
    beside = {node.name: node.beside for node in nodes}
    told: set[str] = set()
    for name in beside:
        way = [name]
        while way[-1] in beside and beside[way[-1]] not in way:
            way.append(beside[way[-1]])
        if beside.get(way[-1]) == name and not told & set(way):
            told |= set(way)
            yield (*way, name)
