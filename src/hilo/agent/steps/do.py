"""`do`: run a tool."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hilo.agent.instructions import UseTool
from hilo.agent.steps.step import Exit, Plan, Step


@dataclass(frozen=True, kw_only=True)
class DoStep(Step):
    """Run a tool; `into` puts its outputs into slots, `fails` names where an error leads.

    `told` names where an outcome leads that the tool has told the contact itself; without it, as
    `fails` says.
    """

    kind = "do"

    do: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    into: Mapping[str, str] = field(default_factory=dict)
    fails: str = ""
    told: str = ""
    attempts: int = 1

    def plan(self) -> Plan:
        exits = [Exit()]
        if self.fails:
            exits.append(Exit(self.fails, on="fails"))
        if self.told:
            exits.append(Exit(self.told, on="told"))
        return Plan(UseTool(self.do, self.arguments, self.into, self.attempts), tuple(exits))

    @property
    def title(self) -> str:
        return self.do
