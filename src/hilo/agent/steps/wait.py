"""`wait`: let time pass."""

from dataclasses import dataclass

from hilo.agent.instructions import WaitUntil
from hilo.agent.steps.step import Plan, Step


@dataclass(frozen=True, kw_only=True)
class WaitStep(Step):
    """Wait for a while (`2m`), `until 18:00`, `until open`, or `until 2h before {dia} {hora}`."""

    kind = "wait"

    wait: str

    def plan(self) -> Plan:
        return Plan(WaitUntil(self.wait))

    @property
    def title(self) -> str:
        return self.wait
