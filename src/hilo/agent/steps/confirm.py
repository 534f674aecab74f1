"""`confirm`: show a summary and go on only with a yes."""

from dataclasses import dataclass

from hilo.agent.instructions import AskConfirmation
from hilo.agent.steps.step import Exit, Plan, Step


@dataclass(frozen=True, kw_only=True)
class ConfirmStep(Step):
    """Show a summary and go on only with a yes; a no leads to `no`, or to what is to be changed."""

    kind = "confirm"

    confirm: str
    no: str = ""

    def plan(self) -> Plan:
        exits = (Exit(on="yes"), Exit(self.no or "change", on="no"))
        return Plan(AskConfirmation(self.confirm), exits)
