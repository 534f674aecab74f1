"""Whether conditions can hold at all, told by trying the values that make a difference."""

import ast
import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from hilo.agent.declaration import Agent, Slot
from hilo.agent.flow import Fact
from hilo.agent.guards import CONSTANTS, holds, names_in, parse_guard
from hilo.agent.values import Accepted, Value, accept

MAX_COMBINATIONS = 3000  # more are not tried: what cannot be told is possible

_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_OTHERS = ("\0one", "\0another")  # texts that no guard speaks of
_STEP = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class _Pool:
    """The values that conditions speak of, and those around them."""

    numbers: tuple[Decimal, ...]
    texts: tuple[str, ...]


def possible(agent: Agent, facts: Iterable[Fact]) -> bool:
    """Whether the slots can have values with which all of this is so; what cannot be told is possible."""
    facts = tuple(facts)
    nodes = [node for guard, _ in facts for node in ast.walk(parse_guard(guard))]
    if any(isinstance(node, ast.Compare) and _is_open(agent, node) for node in nodes):
        return True
    names = sorted(frozenset().union(*(names_in(guard) for guard, _ in facts)))
    pool = _pool([agent.slots[name] for name in names], nodes)
    candidates = [(None, *_candidates(agent, agent.slots[name], pool)) for name in names]
    if math.prod(map(len, candidates)) > MAX_COMBINATIONS:
        return True
    tried = (dict(zip(names, values, strict=True)) for values in itertools.product(*candidates))
    return any(all(holds(guard, values) == truth for guard, truth in facts) for values in tried)


def tests_emptiness(guard: str, slot: str) -> bool:
    """Whether a condition asks if the slot is filled."""
    for node in ast.walk(parse_guard(guard)):
        match node:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot(), *_]) if name == slot:
                return True
    return False


# --- what cannot be told --------------------------------------------------------------------------------


def _is_open(agent: Agent, node: ast.Compare) -> bool:
    operands = [node.left, *node.comparators]
    pairs = zip(operands, node.ops, operands[1:], strict=False)
    return any(_is_open_between(agent, *pair) for pair in pairs)


def _is_open_between(agent: Agent, left: ast.expr, op: ast.cmpop, right: ast.expr) -> bool:
    """Identity of values, parts of texts, and the order of texts."""
    if isinstance(op, ast.Is | ast.IsNot):
        return not (isinstance(right, ast.Name) and right.id in CONSTANTS)
    if isinstance(op, ast.In | ast.NotIn):
        return not isinstance(right, ast.List | ast.Tuple)
    sides = (left, right)
    textual = any(_kind(agent, side) == "text" for side in sides)
    return isinstance(op, _ORDER) and textual and not any(_kind(agent, side) == "number" for side in sides)


def _kind(agent: Agent, node: ast.expr) -> str:
    match node:
        case ast.Constant(value=int() | float()):
            return "number"
        case ast.Name(id=name) if name in agent.slots:
            return agent.slots[name].kind.sort
    return ""


# --- the values that make a difference ------------------------------------------------------------------


def _pool(slots: list[Slot], nodes: list[ast.AST]) -> _Pool:
    constants = [node.value for node in nodes if isinstance(node, ast.Constant)]
    texts: dict[str, None] = {}  # as a set that keeps its order
    numbers = {Decimal(0)}
    for value in constants:
        if isinstance(value, str):
            texts[value] = None
        elif isinstance(value, int | float) and not isinstance(value, bool):
            numbers.add(Decimal(str(value)))
    for slot in slots:
        texts.update(dict.fromkeys(slot.choices))
        numbers.update(bound for bound in (slot.min, slot.max) if bound is not None)
    finite = {number for number in numbers if number.is_finite()}
    numeric = sum(slot.kind.sort == "number" for slot in slots)
    return _Pool(tuple(_around(finite | {-number for number in finite}, numeric)), tuple(texts))


def _around(numbers: set[Decimal], count: int) -> Iterator[Decimal]:
    """The numbers, and between, below and above them as many others as slots may differ in."""
    ordered = sorted(numbers)
    yield from ordered
    for low, high in itertools.pairwise(ordered):
        yield from (low + ((high - low) * part / (count + 1)).quantize(_STEP) for part in range(1, count + 1))
    for part in range(1, count + 1):
        yield from (ordered[0] - part, ordered[-1] + part)


def _candidates(agent: Agent, slot: Slot, pool: _Pool) -> tuple[Any, ...]:
    match slot.kind.sort:
        case "choice":
            return tuple(slot.choices)
        case "boolean":
            return (True, False)
        case "number":
            return tuple(dict.fromkeys(number for number in pool.numbers if _takes(agent, slot, number)))
        case "text":
            return (*(text for text in pool.texts if _takes(agent, slot, text)), *_OTHERS)


def _takes(agent: Agent, slot: Slot, value: Value) -> bool:
    """Whether the slot can have exactly this value."""
    return bool(slot.pattern) or accept(slot, value, country=agent.country) == Accepted(value)
