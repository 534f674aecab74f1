"""What all kinds of steps share: what an author may write, and what it is compiled into."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

from hilo.agent.instructions import Instruction
from hilo.agent.shorthand import Declared
from hilo.agent.tagged import Tagged

Outcome = Literal["done", "skipped", "yes", "no", "fails", "told", "again"]
# Targets that no author can write, since steps may be called `end` and `handoff`.
FIRST = "\0first"  # of the steps inside of this one
END = "\0end"
HANDOFF = "\0handoff"


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
    again: tuple[str, ...] = ()  # other wordings of a text that it says


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

    def bare(self) -> "Step":
        """The step without the text or the steps that stand under the key of its kind."""
        empty: dict[str, Any] = {self.kind: () if self.inner else ""}
        return replace(self, **empty)

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
    # sorted, so that the JSON Schema does not depend on which module was imported first
    shapes = sorted(Step.__subclasses__(), key=lambda shape: shape.kind)
    return {shape.kind: shape for shape in shapes}


STEPS = Tagged("step", "steps", kinds, placeholder={"say": "greeting"})
AnyStep = Annotated[Step, STEPS]
