"""`forget`: empty slots, so that they are asked for anew."""

from dataclasses import dataclass

from hilo.agent.instructions import SetValues
from hilo.agent.shorthand import Names
from hilo.agent.steps.step import Plan, Step


@dataclass(frozen=True, kw_only=True)
class ForgetStep(Step):
    """Empty these slots: a `collect` that follows asks for them anew."""

    kind = "forget"

    forget: Names

    def plan(self) -> Plan:
        return Plan(SetValues(dict.fromkeys(self.forget)))

    @property
    def title(self) -> str:
        return ", ".join(self.forget)
