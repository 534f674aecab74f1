"""A talk kept as a conversation test: what happened, and what was true after it."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import yaml

from hilo.dialogue.effects import Ask, Complete
from hilo.turn.run import TurnResult


@dataclass(slots=True)
class Recording:
    """The steps so far, in the form of a conversation file."""

    steps: list[dict[str, Any]] = field(default_factory=list)
    starts: str = ""

    def add(self, result: TurnResult, **action: str) -> None:
        """A turn, with what began it; a timer's turn belongs to the time that passed."""
        self.starts = self.starts or result.trace.at.isoformat(timespec="minutes")
        if action:
            self.steps.append({**action, "expect": expectations(result)})
        elif self.steps:
            self.steps[-1]["expect"] = expectations(result)

    def wait(self, duration: str) -> None:
        """Time passes."""
        self.steps.append({"after": duration})

    def as_yaml(self, title: str, *, agent: str = "") -> str:
        """The conversation file; it names its agent where it does not stand beside it."""
        head = {"conversation": title, "agent": agent, "starts": self.starts}
        content = {**{key: value for key, value in head.items() if value}, "steps": self.steps}
        return yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=110)


def expectations(result: TurnResult) -> dict[str, Any]:
    """What is worth asserting about a turn; texts are left out, because authors polish them."""
    asked = next((effect.slot for effect in result.decision.effects if isinstance(effect, Ask)), None)
    completed = next((effect.flow for effect in result.decision.effects if isinstance(effect, Complete)), None)
    slots = {name: str(value) if isinstance(value, Decimal) else value for name, value in result.session.slots.items()}
    facts = {
        "asked": asked,
        "completed": completed,
        "slots": slots,
        "handed_off": result.trace.policy,
        "silent": not result.replies,
    }
    return {name: fact for name, fact in facts.items() if fact}
