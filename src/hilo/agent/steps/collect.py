"""`collect`: ask for what is missing of these slots."""

from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import BeforeValidator

from hilo.agent.instructions import AskSlots
from hilo.agent.shorthand import Declared, Names
from hilo.agent.steps.step import Plan, Step


@dataclass(frozen=True, kw_only=True)
class Collected(Declared):
    """The slots that a step asks for; `ask` is its own question for one of them, instead of the slot's."""

    slot: Names
    ask: Names = ()


def _collected(value: Any) -> Any:
    return {"slot": value} if isinstance(value, str | list | tuple) else value


AnyCollected = Annotated[Collected, BeforeValidator(_collected, json_schema_input_type=str | list[str] | Collected)]


@dataclass(frozen=True, kw_only=True)
class CollectStep(Step):
    """Ask for what is missing of these slots; `{slot: hour, ask: …}` asks in words of its own."""

    kind = "collect"

    collect: AnyCollected

    def plan(self) -> Plan:
        first, *again = self.collect.ask or ("",)
        return Plan(AskSlots(self.collect.slot, first), again=tuple(again))

    def bare(self) -> "CollectStep":
        return replace(self, collect=replace(self.collect, ask=()))

    @property
    def title(self) -> str:
        return ", ".join(self.collect.slot)
