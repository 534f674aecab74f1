"""`set`: give slots a value."""

from collections.abc import Mapping
from dataclasses import dataclass

from hilo.agent.instructions import SetValues
from hilo.agent.shorthand import PlainValue
from hilo.agent.steps.step import Plan, Step


@dataclass(frozen=True, kw_only=True)
class SetStep(Step):
    """Give slots a value."""

    kind = "set"

    set: Mapping[str, PlainValue]

    def plan(self) -> Plan:
        return Plan(SetValues(self.set))

    @property
    def title(self) -> str:
        return ", ".join(self.set)

    @property
    def picture(self) -> str:
        return "\n".join(f"set {name} = {_written(value)}" for name, value in self.set.items())


def _written(value: PlainValue) -> str:
    """A value as an author writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
