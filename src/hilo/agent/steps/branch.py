"""`branch`: go one of several ways."""

from collections.abc import Mapping
from dataclasses import dataclass

from hilo.agent.instructions import TakeEdge
from hilo.agent.steps.step import Exit, Plan, Step

ELSE = "else"


@dataclass(frozen=True, kw_only=True)
class BranchStep(Step):
    """Go to the first target whose guard holds; `else` is the last resort, without it the next step."""

    kind = "branch"

    branch: Mapping[str, str]

    def plan(self) -> Plan:
        exits = [Exit(target, guard="" if guard == ELSE else guard) for guard, target in self.branch.items()]
        if ELSE not in self.branch:
            exits.append(Exit())
        return Plan(TakeEdge(), tuple(exits))

    @property
    def picture(self) -> str:
        return "which way?"
