"""The models of an installation: one adapter for all turns, and a purse for each."""

import asyncio
from datetime import UTC
from functools import partial

import structlog

from hilo.clock import Clock
from hilo.ids import new_id
from hilo.llm.anthropic import AnthropicModel, AnthropicSettings
from hilo.llm.breaker import BreakingModel
from hilo.llm.configuration import Configuration, read_configuration
from hilo.llm.model import Model
from hilo.llm.openai import OpenAIModel, OpenAISettings
from hilo.llm.purse import Bank, Purse
from hilo.llm.till import Account, Till
from hilo.settings import Settings
from hilo.store.spending import Attempt, book, spent_so_far
from hilo.store.store import Store
from hilo.workers.insist import insist

log = structlog.get_logger()

OPENAI_URL = "https://api.openai.com/v1"


class Models:
    """Hands out a purse to each turn, and books what it spent; without a model there are no purses."""

    def __init__(self, bank: Bank | None, store: Store, clock: Clock) -> None:
        self._bank = bank
        self._store = store
        self._clock = clock

    def purse(self, workspace: str, agent: str, session: str) -> Purse | None:
        """For one attempt at a turn, which must be settled when it ends, however it does."""
        if self._bank is None:
            return None
        account = Account(workspace, agent, session, self._clock.now().astimezone(UTC).date())
        return Purse(self._bank, account, partial(self._store.run, spent_so_far, account))

    async def settle(self, purse: Purse, *, turn: int) -> None:
        """Book what the attempt spent; what cannot be booked stays in the way of others, and is told."""
        booked = False
        try:
            await self._book(purse, turn)
            booked = True
        except Exception:  # the contact shall have the answer that was paid for
            log.error("spending not booked", account=purse.account, bills=purse.spent, exc_info=True)  # noqa: G201
        finally:
            purse.close(booked=booked)

    async def _book(self, purse: Purse, turn: int) -> None:
        if not purse.spent:
            return
        attempt, now = Attempt(new_id("attempt"), purse.account, turn), self._clock.now()

        async def write() -> None:
            await self._store.run(book, attempt, purse.spent, now=now)

        task = asyncio.current_task()
        stopping = task is not None and task.cancelling()
        await (write() if stopping else insist(write))  # a process that stops does not wait for the database

    async def close(self) -> None:
        """Give connections back."""
        if self._bank is not None:
            await self._bank.model.aclose()


def open_bank(settings: Settings) -> Bank | None:
    """As the environment and the configuration say; raises FileProblems. No SDK is loaded before a turn asks."""
    configuration = read_configuration(settings.models_file)
    model = adapter(settings, configuration)
    return Bank(BreakingModel(model), configuration, Till()) if model else None


def adapter(settings: Settings, configuration: Configuration) -> Model | None:
    """The provider's adapter; none without a key, but for a server of one's own, which may not want any."""
    names, url = (configuration.small, configuration.large), settings.model_url or configuration.base_url
    match configuration.provider:
        case "anthropic":
            key = settings.model_key or settings.anthropic_key
            own = {"base_url": url} if url else {}
            return AnthropicModel(AnthropicSettings(key, *names, **own)) if key else None
        case "openai":
            own_server = OpenAISettings(
                url or OPENAI_URL, *names, api_key=settings.model_key, limit_field=configuration.limit_field
            )
            return OpenAIModel(own_server) if url or settings.model_key else None
