"""Conditions of the agent language (`when:`, `branch:`, `until:`), parsed to data and never evaluated as code.

    options == 0
    passengers > 4 and (date is empty or not flexible)
    city in ['Lima', 'Cusco']

Python's grammar gives the precedence; everything but names, constants, lists, comparisons and and/or/not is refused.
An order (<, <=, >, >=) with an empty slot, or of things that have none, does not hold.
"""

import ast
import operator
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any

MAX_LENGTH = 500
CONSTANTS = {"true": True, "false": False, "empty": None}

_ORDER: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_OTHER: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda value, among: value in among,
    ast.NotIn: lambda value, among: value not in among,
}
_COMPARE = {**_ORDER, **_OTHER}
_NODES = (
    *(ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.Compare, ast.cmpop),
    *(ast.Name, ast.Load, ast.Constant, ast.List, ast.Tuple),
)


class GuardError(ValueError):
    """A condition that cannot be read."""


@lru_cache(maxsize=1024)
def parse_guard(guard: str) -> ast.expr:
    """The condition as a tree; raises GuardError with what is wrong."""
    if len(guard) > MAX_LENGTH:
        raise GuardError(f"is longer than {MAX_LENGTH} characters")
    try:
        tree = ast.parse(guard.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise GuardError("is not a condition; write for example `total > 100 and city == 'Lima'`") from None
    for node in ast.walk(tree):
        _refuse_operator(node)
        if not isinstance(node, _NODES):
            raise GuardError(f"uses {type(node).__name__}, which conditions do not have; see `hilo schema`")
    return tree


def _refuse_operator(node: ast.AST) -> None:
    """What Python would take, and an author hardly means: identity of values, parts of a text, `+` and `~`."""
    match node:
        case ast.UnaryOp(op=ast.UAdd() | ast.Invert()):
            raise GuardError("uses UnaryOp, which conditions do not have; see `hilo schema`")
        case ast.Compare(ops=ops, comparators=operands):
            for op, right in zip(ops, operands, strict=True):
                constant = isinstance(right, ast.Name) and right.id in CONSTANTS
                if isinstance(op, ast.Is | ast.IsNot) and not constant:
                    raise GuardError("says `is` to something else than empty, true or false; write `==`")
                if isinstance(op, ast.In | ast.NotIn) and not isinstance(right, ast.List | ast.Tuple):
                    hint = "write `city in ['Lima', 'Cusco']`"
                    raise GuardError(f"says `in` to something else than a list; {hint}")


@lru_cache(maxsize=1024)
def names_in(guard: str) -> frozenset[str]:
    """The slots that a condition speaks of."""
    found = {node.id for node in ast.walk(parse_guard(guard)) if isinstance(node, ast.Name)}
    return frozenset(found - CONSTANTS.keys())


def holds(guard: str, values: Mapping[str, Any]) -> bool:
    """Whether a condition holds; an empty one always does."""
    return not guard or bool(_value(parse_guard(guard), values))


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    match node:
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(_value(part, values) for part in parts)
        case ast.BoolOp(values=parts):
            return any(_value(part, values) for part in parts)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _value(operand, values)
        case ast.UnaryOp(operand=operand):
            number = _value(operand, values)
            return -number if isinstance(number, int | Decimal) else None
        case ast.Compare(left=left, ops=ops, comparators=right):
            parts = [_value(part, values) for part in (left, *right)]
            return all(map(_holds_between, parts, ops, parts[1:]))
        case ast.Name(id=name):
            return CONSTANTS[name] if name in CONSTANTS else values.get(name)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [_value(part, values) for part in parts]
        case ast.Constant(value=value):
            # slots keep exact amounts: 0.1 must be what the author wrote
            return Decimal(str(value)) if isinstance(value, float) else value
    raise GuardError(f"uses {type(node).__name__}")


def _holds_between(left: Any, op: ast.cmpop, right: Any) -> bool:
    if type(op) in _ORDER and (left is None or right is None):
        return False
    try:
        return bool(_COMPARE[type(op)](left, right))
    except TypeError:  # a text and a number have no order
        return False
