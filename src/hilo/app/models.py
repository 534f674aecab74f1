"""The models of an installation: one adapter for all turns, and a budget for each."""

from datetime import UTC

from hilo.clock import Clock
from hilo.dialogue.session import Session
from hilo.llm.anthropic import AnthropicModel, AnthropicSettings
from hilo.llm.breaker import BreakingModel
from hilo.llm.configuration import Configuration, read_configuration
from hilo.llm.langchain import LangChainModel, chat_model
from hilo.llm.model import ModelAdapter
from hilo.llm.openai import OpenAIModel, OpenAISettings
from hilo.llm.reservations import ModelAccount
from hilo.llm.turn_budget import ConfiguredModel, TurnBudget
from hilo.settings import Settings
from hilo.store.store import Store
from hilo.workers.reservations import StoredReservations

OPENAI_URL = "https://api.openai.com/v1"


class Models:
    """A budget for each turn."""

    def __init__(self, configured: ConfiguredModel, store: Store, clock: Clock) -> None:
        self._configured = configured
        self._reservations = StoredReservations(store, clock)
        self._clock = clock

    def budget_for(self, workspace: str, session: Session) -> TurnBudget:
        """For one attempt at the next turn of a session."""
        today = self._clock.now().astimezone(UTC).date()
        turn = session.version + 1
        account = ModelAccount(workspace, session.agent, session.id, today, turn)
        return TurnBudget(self._configured, self._reservations, account)

    async def close(self) -> None:
        """Give connections back."""
        await self._configured.model.aclose()


def open_model(settings: Settings) -> ConfiguredModel | None:
    """As the environment and the configuration say; raises FileProblems. No SDK is loaded before a turn asks."""
    configuration = read_configuration(settings.models_file)
    model = adapter(settings, configuration)
    return ConfiguredModel(BreakingModel(model), configuration) if model else None


def adapter(settings: Settings, configuration: Configuration) -> ModelAdapter | None:
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
        case "langchain":
            # Its packages take their keys from variables of their own.
            return LangChainModel(*(chat_model(configuration.chat_model, name) for name in names))
