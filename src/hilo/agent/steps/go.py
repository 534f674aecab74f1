"""`go`: go on elsewhere."""

from dataclasses import dataclass

from hilo.agent.instructions import TakeEdge
from hilo.agent.steps.step import Exit, Plan, Step


@dataclass(frozen=True, kw_only=True)
class GoStep(Step):
    """Go on at a named step of this flow."""

    kind = "go"

    go: str

    def plan(self) -> Plan:
        return Plan(TakeEdge(), (Exit(self.go),))

    @property
    def title(self) -> str:
        return self.go
