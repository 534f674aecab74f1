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

MAX_LENGTH = 500  # Python's parser would take memory for as much as it is given
_NOT_OURS = "which conditions do not have; see `hilo schema`"
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
    # only with empty, true and false, of which there is one each
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


@lru_cache(maxsize=1024)  # guards are asked in every turn
def parse_guard(guard: str) -> ast.expr:
    """The condition as a tree; raises GuardError with what is wrong."""
    if len(guard) > MAX_LENGTH:
        raise GuardError(f"is longer than {MAX_LENGTH} characters")
    try:
        tree = ast.parse(guard.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        example = "total > 100 and city == 'Lima'"
        raise GuardError(f"is not a condition; write for example `{example}`") from None
    for node in ast.walk(tree):
        _refuse_operator(node)
        if not isinstance(node, _NODES):
            raise GuardError(f"uses {type(node).__name__}, {_NOT_OURS}")
    return tree


def _refuse_operator(node: ast.AST) -> None:
    """What Python would take, and an author hardly means: identity of values, parts of a text, `+` and `~`."""
    match node:
        case ast.UnaryOp(op=ast.UAdd() | ast.Invert()):
            raise GuardError(f"uses UnaryOp, {_NOT_OURS}")
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


# --- what a node of the tree comes to -------------------------------------------------------------------


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    return _VALUES[type(node)](node, values)


def _and_or(node: Any, values: Mapping[str, Any]) -> bool:
    parts = (_value(part, values) for part in node.values)
    return all(parts) if isinstance(node.op, ast.And) else any(parts)


def _not_or_minus(node: Any, values: Mapping[str, Any]) -> Any:
    operand = _value(node.operand, values)
    if isinstance(node.op, ast.Not):
        return not operand
    return -operand if isinstance(operand, int | Decimal) else None


def _comparison(node: Any, values: Mapping[str, Any]) -> bool:
    parts = [_value(part, values) for part in (node.left, *node.comparators)]
    return all(map(_holds_between, parts, node.ops, parts[1:]))


def _name(node: Any, values: Mapping[str, Any]) -> Any:
    return CONSTANTS.get(node.id, values.get(node.id))


def _list(node: Any, values: Mapping[str, Any]) -> list[Any]:
    return [_value(part, values) for part in node.elts]


def _constant(node: Any, _values: Mapping[str, Any]) -> Any:
    # slots keep exact amounts: 0.1 must be what the author wrote
    return Decimal(str(node.value)) if isinstance(node.value, float) else node.value


# all expressions that _NODES allows
_VALUES: Mapping[type[ast.expr], Callable[[Any, Mapping[str, Any]], Any]] = {
    ast.BoolOp: _and_or,
    ast.UnaryOp: _not_or_minus,
    ast.Compare: _comparison,
    ast.Name: _name,
    ast.List: _list,
    ast.Tuple: _list,
    ast.Constant: _constant,
}


def _holds_between(left: Any, op: ast.cmpop, right: Any) -> bool:
    if type(op) in _ORDER and (left is None or right is None):
        return False
    try:
        return bool(_COMPARE[type(op)](left, right))
    except TypeError:  # a text and a number have no order
        return False
