"""A model in the terminal: a budget for each turn, and its words while they are written."""

from datetime import UTC

from rich.console import Console
from rich.live import Live
from rich.padding import Padding
from rich.text import Text

from hilo.clock import SystemClock
from hilo.llm.reservations import MemoryReservations, ModelAccount
from hilo.llm.turn_budget import ConfiguredModel, TurnBudget
from hilo.testing.conversation import Conversation
from hilo.turn.state import Asking

UNSAFE = {number: None for number in (*range(32), *range(127, 160)) if chr(number) != "\n"}  # they command terminals


def plain(text: str) -> str:
    """A text that only says something."""
    return text.translate(UNSAFE)


class Terminal:
    """Where a talk's words appear; what a model is writing is taken away before anything else is shown."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live: Live | None = None

    def show(self, text: str) -> None:
        """The end of what was written so far: as much as fits. A file or a pipe gets only what is said in the end."""
        if not self._console.is_terminal:
            return
        if self._live is None:
            self._live = Live(console=self._console, transient=True, auto_refresh=False)
            self._live.start()
        width, height = self._console.size
        lines = Text(plain(text), style="dim cyan").wrap(self._console, max(width - 4, 1))
        self._live.update(Padding(Text("\n").join(lines[-max(height - 4, 1) :]), (0, 0, 0, 2)), refresh=True)

    def clear(self) -> None:
        """What was being written is not there any more."""
        if self._live is not None:
            self._live.stop()
            self._live = None


class Voice:
    """The model of a talk. What it spends is counted against the limits for as long as the talk lasts."""

    def __init__(self, model: ConfiguredModel, talk: Conversation, terminal: Terminal) -> None:
        self._model = model
        self._reservations = MemoryReservations()
        self._talk = talk
        self._terminal = terminal

    @property
    def name(self) -> str:
        """The models that may be asked."""
        names = self._model.configuration.small, self._model.configuration.large
        return " and ".join(dict.fromkeys(names))

    def asking(self) -> Asking:
        """For the next turn."""
        self.clear()
        today = SystemClock().now().astimezone(UTC).date()
        account = ModelAccount("main", self._talk.agent.agent, "chat", today)
        budget = TurnBudget(self._model, self._reservations, account)
        strict = self._talk.agent.grounded == "strict"  # no word of a model is meant to be seen
        return Asking(budget, self._talk, None if strict else self._terminal.show)

    def clear(self) -> None:
        """What was being written is not there any more."""
        self._terminal.clear()

    async def aclose(self) -> None:
        """Give connections back."""
        await self._model.model.aclose()
