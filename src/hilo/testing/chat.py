"""A conversation without `await`: for scripts and the Python prompt."""

import asyncio
from collections.abc import Coroutine, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from hilo.agent.values import Value
from hilo.app import LoadedAgent, load_agent
from hilo.clock import SystemClock
from hilo.errors import HiloError
from hilo.testing.clock import FakeClock
from hilo.testing.conversation import Conversation


class Chat:
    """One contact who talks to an agent. Time passes only with `wait`, and nothing is stored."""

    def __init__(self, agent: LoadedAgent | Path | str, *, starts: datetime | None = None) -> None:
        loaded = agent if isinstance(agent, LoadedAgent) else load_agent(agent)
        self.conversation = Conversation(loaded, FakeClock(starts or SystemClock().now()))

    def say(self, text: str) -> str:
        """What the agent answers; empty while it is silent."""
        return self._heard(self.conversation.say(text))

    def press(self, button: str) -> str:
        """The same for a button, by its title."""
        return self._heard(self.conversation.press(button))

    def wait(self, duration: timedelta) -> str:
        """What the agent says by itself meanwhile."""
        return self._heard(self.conversation.wait(duration))

    @property
    def slots(self) -> Mapping[str, Value]:
        """What the agent knows by now."""
        return self.conversation.session.slots

    @property
    def buttons(self) -> tuple[str, ...]:
        """The titles of the buttons below its last message."""
        replies = self.conversation.replies
        return tuple(button.title for button in replies[-1].buttons) if replies else ()

    def _heard(self, happening: Coroutine[Any, Any, Any]) -> str:
        if _is_in_event_loop():
            happening.close()
            raise HiloError("Chat does not work where an event loop runs: use Conversation, with await")
        before = len(self.conversation.replies)
        asyncio.run(happening)
        return "\n".join(reply.text for reply in self.conversation.replies[before:])


def _is_in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
