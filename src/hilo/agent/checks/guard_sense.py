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
from hilo.agent.guards import holds, names_in, parse_guard
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
    """Whether texts are put in an order, for which the values to try would have to be told apart by letters."""
    operands = [node.left, *node.comparators]
    for left, op, right in zip(operands, node.ops, operands[1:], strict=False):
        kinds = {_kind(agent, left), _kind(agent, right)}
        # between a text and a number there is no order, which is tried like anything else
        if isinstance(op, _ORDER) and "text" in kinds and "number" not in kinds:
            return True
    return False


def _kind(agent: Agent, node: ast.expr) -> str:
    match node:
        case ast.Constant(value=int() | float()):
            return "number"
        case ast.Name(id=name) if name in agent.slots:
            return agent.slots[name].kind.sort
    return ""


# --- the values that make a difference ------------------------------------------------------------------


def _pool(slots: list[Slot], nodes: list[ast.AST]) -> _Pool:
    texts: dict[str, None] = {}  # as a set that keeps its order
    numbers = {Decimal(0)}
    for node in nodes:
        match node:
            case ast.Constant(value=str(text)):
                texts[text] = None
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                numbers.add(Decimal(str(number)))
    for slot in slots:
        texts.update(dict.fromkeys(slot.choices))
        numbers.update(bound for bound in (slot.min, slot.max) if bound is not None)
    # a guard has no negative constants, only a minus before one
    finite = {each for number in numbers if number.is_finite() for each in (number, -number)}
    numeric = sum(slot.kind.sort == "number" for slot in slots)
    return _Pool(tuple(_around(finite, numeric)), tuple(texts))


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
