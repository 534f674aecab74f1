"""`call`: run another flow and come back."""

from dataclasses import dataclass

from hilo.agent.instructions import PushFlow
from hilo.agent.steps.step import Plan, Step


@dataclass(frozen=True, kw_only=True)
class CallStep(Step):
    """Run another flow and come back."""

    kind = "call"

    call: str

    def plan(self) -> Plan:
        return Plan(PushFlow(self.call))

    @property
    def title(self) -> str:
        return self.call
