"""`end`: end the flow here."""

from dataclasses import dataclass

from hilo.agent.instructions import TakeEdge
from hilo.agent.steps.step import END, Exit, Plan, Step
from hilo.drawing import first_words


@dataclass(frozen=True, kw_only=True)
class EndStep(Step):
    """End the flow here; the text says with which outcome."""

    kind = "end"

    end: str

    def plan(self) -> Plan:
        return Plan(TakeEdge(), (Exit(END),))

    @property
    def picture(self) -> str:
        return f"end: {first_words(self.end)}" if self.end else "end"
