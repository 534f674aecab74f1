"""The model of an agent within a graph: LangChain's, or the one of the environment; and the talk that it reads."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from decimal import Decimal
from typing import Any

from hilo.agent.declaration import Agent
from hilo.app.models import open_model
from hilo.clock import SystemClock
from hilo.dialogue.session import Session
from hilo.errors import HiloError
from hilo.llm.breaker import BreakingModel
from hilo.llm.configuration import Configuration
from hilo.llm.langchain import LangChainModel
from hilo.llm.prices import Price, Prices, SpendingLimits
from hilo.llm.reservations import MemoryReservations, ModelAccount
from hilo.llm.turn_budget import ConfiguredModel, TurnBudget
from hilo.settings import read_settings
from hilo.turn.foreign_graphs import text_of
from hilo.turn.model_requests.talk import Exchange
from hilo.turn.state import Asking

FREE = Price(Decimal(0), Decimal(0), Decimal(0), Decimal(0))


@dataclass(frozen=True)
class ModelOf:
    """Whom an agent's turns may ask, if anybody."""

    agent: Agent
    configured: ConfiguredModel | None = None
    reservations: MemoryReservations = field(default_factory=MemoryReservations)

    @classmethod
    def chosen(cls, model: Any, agent: Agent) -> "ModelOf":
        """As `agent_graph` was told."""
        if agent.asks_by == "off" or model == "off":
            return cls(agent)
        if model is None:
            return cls(agent, open_model(read_settings()))
        pair = tuple(model) if isinstance(model, tuple | list) else (model, model)
        if len(pair) != 2 or not all(hasattr(each, "ainvoke") for each in pair):  # noqa: PLR2004 -- small and large
            raise HiloError('`model` is a chat model of LangChain, two of them (small and large), or "off"')
        return cls(agent, _langchain(*pair))

    def asking(self, session: Session, messages: Sequence[Any], show: Callable[[str], None] | None) -> Asking | None:
        """What one turn may ask with."""
        if self.configured is None:
            return None
        today = SystemClock().now().astimezone(UTC).date()
        account = ModelAccount("main", self.agent.agent, session.id, today, session.version + 1)
        return Asking(TurnBudget(self.configured, self.reservations, account), MessageHistory(messages), show)


def _langchain(small: Any, large: Any) -> ConfiguredModel:
    """What a model costs is not known here: LangChain's users count tokens where they trace."""
    cheap, dear = _name(small), _name(large)
    prices = Prices({cheap: FREE, dear: FREE}, "USD", SystemClock().now().date(), example=True)
    configuration = Configuration("langchain", cheap, dear, prices, SpendingLimits())
    return ConfiguredModel(BreakingModel(LangChainModel(small, large)), configuration)


def _name(model: Any) -> str:
    return str(getattr(model, "model_name", "") or getattr(model, "model", "") or "langchain")


@dataclass(frozen=True)
class MessageHistory:
    """What was said before, read from the thread's messages: our replies know their turn."""

    messages: Sequence[Any]

    async def since(self, turn: int, *, most: int) -> tuple[Exchange, ...]:
        """The newest exchanges after a turn."""
        found: list[Exchange] = []
        heard: list[str] = []
        for message in self.messages:
            if message.type == "human":
                heard.append(text_of(message))
            elif message.type == "ai" and "turn" in message.additional_kwargs:
                found.append(Exchange(int(message.additional_kwargs["turn"]), "\n".join(heard), text_of(message)))
                heard = []
        return tuple(each for each in found if each.turn > turn)[-most:]
