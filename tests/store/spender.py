"""A process that asks a model in many turns at once: `python spender.py URL TURNS TOKENS quick|stuck`.

The model is in memory and costs all that it may. `quick` prints how many turns were answered; `stuck` prints "asking"
when its first request is under way, which then never ends.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator
from datetime import date
from decimal import Decimal

from hilo.app.models import Models
from hilo.clock import SystemClock
from hilo.dialogue.session import Session
from hilo.llm.configuration import Configuration
from hilo.llm.model import Message, ModelReply, Piece, Request, Spent, TextPart
from hilo.llm.prices import Limit, Price, Prices, SpendingLimits, estimated_input
from hilo.llm.turn_budget import ConfiguredModel, OutOfBudget, TurnBudget
from hilo.store.opening import open_store

REQUEST = Request((Message("user", (TextPart("hola"),)),), max_tokens=100)
WORST = Spent(estimated_input(REQUEST), 100)
PRICE = Price(Decimal(1), Decimal(5), Decimal("0.1"), Decimal(1))


def configured(model: "GreedyModel", workspace_tokens: int) -> ConfiguredModel:
    limits = SpendingLimits(workspace_day=Limit(workspace_tokens))
    prices = Prices({"small": PRICE, "large": PRICE}, "USD", date(2026, 3, 2))
    return ConfiguredModel(model, Configuration("anthropic", "small", "large", prices, limits))


class GreedyModel:
    """Uses all tokens that it may; `stuck` never answers."""

    def __init__(self, *, stuck: bool = False) -> None:
        self._stuck = stuck

    async def complete(self, request: Request) -> ModelReply:
        if self._stuck:
            sys.stdout.write("asking\n")
            sys.stdout.flush()
            await asyncio.sleep(3600)
        await asyncio.sleep(0.05)
        return ModelReply((TextPart("hola"),), "end", Spent(estimated_input(request), request.max_tokens))

    async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        yield await self.complete(request)

    async def count(self, request: Request) -> int:
        return estimated_input(request)

    async def aclose(self) -> None:
        """There is nothing to give back."""


async def answered(budget: TurnBudget) -> bool:
    try:
        await budget.ask(REQUEST)
    except OutOfBudget:
        return False
    return True


async def spend(url: str, turns: int, tokens: int, *, stuck: bool) -> int:
    store, clock = await open_store(url), SystemClock()
    models = Models(configured(GreedyModel(stuck=stuck), tokens), store, clock)
    sessions = [Session(f"s{number}", f"a{number % 2}", "1", clock.now(), clock.now()) for number in range(turns)]
    budgets = [models.budget_for("w", each) for each in sessions]
    found = await asyncio.gather(*(answered(each) for each in budgets if each))
    await store.close()
    return sum(found)


if __name__ == "__main__":
    where, turns, tokens, how = sys.argv[1:]
    answered_turns = asyncio.run(spend(where, int(turns), int(tokens), stuck=how == "stuck"))
    sys.stdout.write(f"{answered_turns}\n")
