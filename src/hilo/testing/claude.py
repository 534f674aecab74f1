"""Claude by the script of a conversation: a real SDK asks our fake server, which answers what the steps say."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator

from hilo.agent.shorthand import Declared
from hilo.llm.breaker import BreakingModel
from hilo.llm.configuration import read_configuration
from hilo.llm.reservations import MemoryReservations, ModelAccount
from hilo.llm.turn_budget import ConfiguredModel, TurnBudget
from hilo.testing.models.answers import Answer, Calls, Fails, Says
from hilo.testing.models.table import Case, always

if TYPE_CHECKING:
    from hilo.testing.models.anthropic import FakeAnthropic

NOTHING_MEANT = {"alternatives": [], "topic": "other", "acts": [], "slots": [], "calls": [], "answer": ""}
ACCOUNT = ModelAccount("main", "test", "test", date(2026, 3, 2))
UNAVAILABLE = Fails(400, "invalid_request_error", "the script lets it fail")


@dataclass(frozen=True, kw_only=True)
class ScriptedCall(Declared):
    """A tool that the model wants, with its arguments."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ScriptedAnswer(Declared):
    """What the model answers when it is asked next: a classification, calls, words, or nothing at all."""

    routes: dict[str, Any] | None = None
    calls: tuple[ScriptedCall, ...] = ()
    says: str = ""
    fails: bool = False

    @property
    def answer(self) -> Answer:
        """As the server gives it."""
        if self.fails:
            return UNAVAILABLE
        if self.routes is not None:
            return Says(json.dumps({**NOTHING_MEANT, **_written(self.routes)}, ensure_ascii=False))
        return Says(self.says, tuple(Calls(each.tool, each.arguments) for each in self.calls))


AnyScriptedAnswer = Annotated[
    ScriptedAnswer, BeforeValidator(lambda value: {"says": value} if isinstance(value, str) else value)
]


def _written(routes: dict[str, Any]) -> dict[str, Any]:
    """A router's arguments are JSON as text."""
    calls = [{**each, "arguments": json.dumps(each.get("arguments", {}))} for each in routes.get("calls", [])]
    return {**routes, "calls": calls}


class ScriptedClaude:
    """Hands out a budget for each turn, and knows what it was asked."""

    def __init__(self, fake: "FakeAnthropic", model: ConfiguredModel, *, answers: int) -> None:
        self.fake = fake
        self._model = model
        self._reservations = MemoryReservations()
        self._answers = answers

    def budget(self) -> TurnBudget:
        """Of the next turn."""
        return TurnBudget(self._model, self._reservations, ACCOUNT)

    @property
    def left(self) -> int:
        """How many answers of the script nobody asked for."""
        return self._answers - len(self.fake.asked)


@asynccontextmanager
async def scripted_claude(answers: Sequence[ScriptedAnswer]) -> AsyncIterator[ScriptedClaude]:
    """A server with these answers, in this order, and a model that asks it."""
    from hilo.llm.anthropic import AnthropicModel, AnthropicSettings  # noqa: PLC0415 -- only plays with a model pay
    from hilo.testing.models.anthropic import FakeAnthropic  # noqa: PLC0415
    from hilo.testing.models.server import KEY  # noqa: PLC0415

    configuration = read_configuration(None)
    cases = [Case(always, each.answer, times=1) for each in answers]
    async with FakeAnthropic(cases) as fake:
        names = (configuration.small, configuration.large)
        model = AnthropicModel(AnthropicSettings(KEY, *names, base_url=fake.url))
        try:
            yield ScriptedClaude(fake, ConfiguredModel(BreakingModel(model), configuration), answers=len(answers))
        finally:
            await model.aclose()
