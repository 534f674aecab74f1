"""`branch`: go one of several ways."""

from collections.abc import Mapping
from dataclasses import dataclass

from hilo.agent.instructions import TakeEdge
from hilo.agent.steps.step import Exit, Plan, Step

ELSE = "else"


@dataclass(frozen=True, kw_only=True)
class BranchStep(Step):
    """Go to the first target whose guard holds, or that of `else`; without it to the next step."""

    kind = "branch"

    branch: Mapping[str, str]

    def plan(self) -> Plan:
        exits: list[Exit] = []
        for guard, target in self.branch.items():
            exits.append(Exit(target) if guard == ELSE else Exit(target, guard=guard))
        if ELSE not in self.branch:
            exits.append(Exit())
        return Plan(TakeEdge(), tuple(exits))

    @property
    def picture(self) -> str:
        return "which way?"
