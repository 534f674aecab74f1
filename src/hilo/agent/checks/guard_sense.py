"""Whether conditions can hold at all, told by trying the values that make a difference."""

import ast
import itertools
import math
from collections.abc import Collection, Iterable, Iterator
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
_STEP = Decimal("0.000001")  # finer than any amount that an author compares


@dataclass(frozen=True, slots=True)
class _Pool:
    """The values that conditions speak of, and those around them."""

    numbers: tuple[Decimal, ...]
    texts: tuple[str, ...]


def possible(agent: Agent, facts: Iterable[Fact]) -> bool:
    """Whether the slots can have values with which all of this is so; what cannot be told is possible."""
    facts = tuple(facts)
    nodes: list[ast.AST] = []
    named: set[str] = set()
    for guard, _ in facts:
        nodes += ast.walk(parse_guard(guard))
        named |= names_in(guard)
    if any(_orders_texts(agent, node) for node in nodes):
        return True
    slots = {name: agent.slots[name] for name in sorted(named)}
    pool = _pool(slots.values(), nodes)
    # a slot may always be empty
    candidates = [(None, *_candidates(agent, slot, pool)) for slot in slots.values()]
    if math.prod(map(len, candidates)) > MAX_COMBINATIONS:
        return True
    for values in itertools.product(*candidates):
        tried = dict(zip(slots, values, strict=True))
        if all(holds(guard, tried) == truth for guard, truth in facts):
            return True
    return False


def tests_emptiness(guard: str, slot: str) -> bool:
    """Whether a condition asks if the slot is filled."""
    for node in ast.walk(parse_guard(guard)):
        match node:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot(), *_]) if name == slot:
                return True
    return False


# --- what cannot be told --------------------------------------------------------------------------------


def _orders_texts(agent: Agent, node: ast.AST) -> bool:
    """Whether texts are put in an order: the values to try would have to be told apart by letters."""
    if not isinstance(node, ast.Compare):
        return False
    kinds = [_kind(agent, operand) for operand in (node.left, *node.comparators)]
    for op, both in zip(node.ops, itertools.pairwise(kinds), strict=True):
        # between a text and a number there is no order, which is tried like anything else
        if isinstance(op, _ORDER) and "text" in both and "number" not in both:
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


def _pool(slots: Collection[Slot], nodes: list[ast.AST]) -> _Pool:
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
    finite = set(filter(Decimal.is_finite, numbers))
    # A guard has no negative constants, only a minus before one.
    finite |= {-number for number in finite}
    numeric = sum(slot.kind.sort == "number" for slot in slots)
    return _Pool(tuple(_around(finite, numeric)), tuple(texts))


def _around(numbers: set[Decimal], count: int) -> Iterator[Decimal]:
    """The numbers, and between, below and above them as many others as slots may differ in."""
    ordered = sorted(numbers)
    yield from ordered
    for part in range(1, count + 1):
        yield ordered[0] - part
        yield ordered[-1] + part
        for low, high in itertools.pairwise(ordered):
            yield low + ((high - low) * part / (count + 1)).quantize(_STEP)


def _candidates(agent: Agent, slot: Slot, pool: _Pool) -> tuple[Any, ...]:
    match slot.kind.sort:
        case "choice":
            return tuple(slot.choices)
        case "boolean":
            return (True, False)
        case "number":
            return _taken(agent, slot, pool.numbers)
        case "text":
            return (*_taken(agent, slot, pool.texts), *_OTHERS)


def _taken(agent: Agent, slot: Slot, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """The values that a slot can have exactly so, each once."""
    once = tuple(dict.fromkeys(values))
    if slot.pattern:
        return once  # what fits a pattern is not worth finding out
    return tuple(value for value in once if accept(slot, value, country=agent.country) == Accepted(value))
