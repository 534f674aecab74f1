"""`repeat`: run steps again until a guard holds."""

from collections.abc import Iterator
from dataclasses import dataclass

from hilo.agent.instructions import AskSlots, CountRound
from hilo.agent.steps.step import FIRST, AnyStep, Exit, Plan, Step


@dataclass(frozen=True, kw_only=True)
class RepeatStep(Step):
    """Run steps again until a guard holds, a bounded number of times; each round asks anew."""

    kind = "repeat"

    repeat: tuple[AnyStep, ...]
    until: str = ""
    at_most: int = 5

    def plan(self) -> Plan:
        does = CountRound(self.until, self.at_most, tuple(_asked_in(self.repeat)))
        # the block stands in front of this step, so another round leads back to its first step
        return Plan(does, (Exit(), Exit(FIRST, on="again", unless=self.until)))

    @property
    def inner(self) -> tuple[Step, ...]:
        return self.repeat

    @property
    def picture(self) -> str:
        until = f"\nuntil {self.until}" if self.until else ""
        return f"once more?\nat most {self.at_most} rounds{until}"


def _asked_in(steps: tuple[Step, ...]) -> Iterator[str]:
    for step in steps:
        yield from _asked_in(step.inner)
        does = step.plan().does
        if isinstance(does, AskSlots):
            yield from does.slots
