"""`handoff`: hand the session to an operator."""

from dataclasses import dataclass

from hilo.agent.instructions import LeaveToPerson
from hilo.agent.steps.step import HANDOFF, Exit, Plan, Step
from hilo.drawing import first_words


@dataclass(frozen=True, kw_only=True)
class HandOffStep(Step):
    """Hand the session to an operator, who reads the text as the reason and the policy as its kind."""

    kind = "handoff"

    handoff: str
    policy: str = "flow"
    to: str = ""  # the team that it waits for; without one, for anybody

    def plan(self) -> Plan:
        return Plan(LeaveToPerson(self.handoff, self.policy, self.to), (Exit(HANDOFF),))

    @property
    def picture(self) -> str:
        return f"handoff: {first_words(self.handoff)}" if self.handoff else "handoff"
