"""`@tool`: a typed Python function becomes something an agent may call."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal, Protocol, get_args, get_origin, is_typeddict, overload

from pydantic import TypeAdapter, ValidationError, create_model

from hilo.agent.toolbox import ToolSpec

DEFAULT_TIMEOUT = 10.0

# Parameters that the engine fills: the call's stable id, the event's time, the contact, the agent's tables, facts and
# opening hours, and where files to send are kept.
GIVEN = frozenset({"call_id", "now", "contact", "database", "facts", "files", "opening"})


class ToolFailed(Exception):  # noqa: N818 -- it names what happened
    """What a tool raises when it cannot do what it was asked.

    The reason is for the operator. What it has to `tell` is for the contact, and makes it an outcome and no error.
    """

    def __init__(self, reason: str = "", *, tell: str = "") -> None:
        super().__init__(reason)
        self.tell = tell


class NeedsPerson(ToolFailed):
    """What a tool raises when a person must see to it: the policy names the cause, as the operators' list shows it."""

    def __init__(self, policy: str, reason: str, *, tell: str = "") -> None:
        super().__init__(reason, tell=tell)
        self.policy = policy


class AskContact(ToolFailed):
    """What a tool raises when an argument is missing or may mean several things: it has done nothing yet."""

    def __init__(self, parameter: str, options: Iterable[str] = (), question: str = "") -> None:
        super().__init__(f"asks for {parameter}")
        self.parameter = parameter
        self.options = tuple(map(str, options))
        self.question = question


class Arguments(Protocol):
    """What checks a tool's arguments, and tells their JSON Schema."""

    def validate_python(self, arguments: dict[str, Any], /) -> Any: ...
    def json_schema(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Tool:
    """A function with what is known of it. Outputs are a mapping, or one value under the name `result`."""

    spec: ToolSpec
    function: Callable[..., Any]
    arguments: Arguments
    timeout: float = DEFAULT_TIMEOUT
    given: frozenset[str] = frozenset()

    def checked(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments in their types; raises ToolFailed with what is wrong."""
        try:
            return dict(self.arguments.validate_python(arguments))
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
            raise ToolFailed(f"wrong arguments: {wrong}") from None

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments."""
        return self.arguments.json_schema()


@overload
def tool(function: Callable[..., Any], /) -> Tool: ...
@overload
def tool(
    *,
    writes: bool = ...,
    needs_yes: bool | None = ...,
    idempotent: bool = ...,
    operator: bool = ...,
    timeout: float = ...,
) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(  # noqa: PLR0913 -- all that is known of a tool
    function: Callable[..., Any] | None = None,
    /,
    *,
    writes: bool = False,
    needs_yes: bool | None = None,
    idempotent: bool = True,
    operator: bool = False,
    timeout: float = DEFAULT_TIMEOUT,
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Declare a tool: whether it writes, needs an explicit yes (writing ones do), may be repeated, its time limit.

    One for the `operator` is for nobody else.
    """

    def declare(decorated: Callable[..., Any]) -> Tool:
        facts = {"writes": writes, "needs_yes": writes if needs_yes is None else needs_yes, "operator": operator}
        return _declared(decorated, timeout=timeout, idempotent=idempotent, **facts)

    return declare(function) if function is not None else declare


def _declared(function: Callable[..., Any], *, timeout: float, **facts: bool) -> Tool:
    signature = inspect.signature(function, eval_str=True)
    declared = signature.parameters
    parameters = {name: parameter for name, parameter in declared.items() if name not in GIVEN}
    fields: Any = {
        name: (parameter.annotation, ... if parameter.default is parameter.empty else parameter.default)
        for name, parameter in parameters.items()
    }
    for name, parameter in parameters.items():
        if parameter.annotation is parameter.empty or parameter.kind is not parameter.POSITIONAL_OR_KEYWORD:
            raise TypeError(f"the tool {function.__name__} needs a plain parameter with a type instead of {name}")
    if "database" in declared and not inspect.iscoroutinefunction(function):
        raise TypeError(f"the tool {function.__name__} takes `database`: make it `async def`, to await what it runs")
    model = create_model(function.__name__, __config__={"extra": "forbid"}, **fields)
    spec = ToolSpec(
        name=function.__name__,
        parameters={name: parameter.default is parameter.empty for name, parameter in parameters.items()},
        description=inspect.getdoc(function) or "",
        outputs=_outputs(signature.return_annotation),
        choices=tuple(each for parameter in parameters.values() for each in _choices(parameter.annotation)),
        **facts,
    )
    return Tool(spec, function, TypeAdapter(model), timeout, GIVEN & declared.keys())


def _choices(annotation: Any) -> tuple[str, ...]:
    """The words that a parameter takes, if it takes no other ones."""
    if get_origin(annotation) is not Literal:
        return ()
    return tuple(each for each in get_args(annotation) if isinstance(each, str))


def _outputs(returns: Any) -> tuple[str, ...]:
    """The names that a TypedDict or a dataclass gives; a plain mapping says nothing of its names."""
    if is_typeddict(returns):
        return tuple(returns.__annotations__)
    return tuple(each.name for each in fields(returns)) if is_dataclass(returns) else ()
