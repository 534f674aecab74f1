"""`say`: say a template, or a text."""

from dataclasses import dataclass

from hilo.agent.instructions import SayTemplate
from hilo.agent.steps.step import Plan, Step


@dataclass(frozen=True, kw_only=True)
class SayStep(Step):
    """Say a template, or a text."""

    kind = "say"

    say: str

    def plan(self) -> Plan:
        return Plan(SayTemplate(self.say))
