"""`collect`: ask for what is missing of these slots."""

from dataclasses import dataclass

from hilo.agent.instructions import AskSlots
from hilo.agent.shorthand import Names
from hilo.agent.steps.step import Plan, Step


@dataclass(frozen=True, kw_only=True)
class CollectStep(Step):
    """Ask for what is missing of these slots."""

    kind = "collect"

    collect: Names

    def plan(self) -> Plan:
        return Plan(AskSlots(self.collect))

    @property
    def title(self) -> str:
        return ", ".join(self.collect)
