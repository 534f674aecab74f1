"""What all kinds of steps share: what an author may write, and what it is compiled into."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Union

from pydantic import Discriminator, GetCoreSchemaHandler, Tag
from pydantic_core import CoreSchema

from hilo.agent.instructions import Instruction
from hilo.agent.shorthand import Declared

Outcome = Literal["done", "skipped", "yes", "no", "fails", "told", "again"]
# Targets that no name can hide: steps may be called `end` and `handoff`.
# no author can write these targets; the first is that of the steps inside of this one
FIRST, END, HANDOFF = "\0first", "\0end", "\0handoff"


@dataclass(frozen=True, slots=True)
class Exit:
    """A way out of a step: to a step, flow, mode or place by its name, or to the next step."""

    to: str = ""
    on: Outcome = "done"
    guard: str = ""  # exits of one outcome are tried in order
    unless: str = ""  # a guard that the instruction itself looks at


@dataclass(frozen=True, slots=True)
class Plan:
    """What a step does when its turn comes, and where that may lead."""

    does: Instruction
    exits: tuple[Exit, ...] = (Exit(),)


@dataclass(frozen=True, kw_only=True)
class Step(Declared):
    """A step as an author writes it. Each kind is a subclass in its own module, named by its key."""

    kind: ClassVar[str]

    name: str = ""
    when: str = ""
    mode: str = ""

    def plan(self) -> Plan:
        """What this step is compiled into."""
        raise NotImplementedError

    @property
    def inner(self) -> "tuple[Step, ...]":
        """Steps inside of this one; they are taken before it."""
        return ()

    @property
    def title(self) -> str:
        """What follows the kind in a path: what it is about, or the name that the author gave it."""
        return self.name

    @property
    def picture(self) -> str:
        """The words for its box in a picture."""
        return f"{self.kind} {self.title}"


def kinds() -> dict[str, type[Step]]:
    """Every kind of step by its key."""
    return {shape.kind: shape for shape in sorted(Step.__subclasses__(), key=lambda shape: shape.kind)}


def _tag(value: Any) -> str | None:
    """The one key of a step that is a kind of step. The colon keeps tags apart from keys in error paths."""
    if isinstance(value, Step):
        return f"step:{value.kind}"
    keys = value if isinstance(value, dict) else ()
    return next((f"step:{kind}" for kind in kinds() if kind in keys), None)


class _ByKind:
    """Looks the kinds up when a shape is built, so that none of them is named here."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        tagged = [Annotated[shape, Tag(f"step:{kind}")] for kind, shape in kinds().items()]
        return handler.generate_schema(Annotated[Union[tuple(tagged)], Discriminator(_tag)])  # noqa: UP007 -- dynamic


AnyStep = Annotated[Step, _ByKind()]
