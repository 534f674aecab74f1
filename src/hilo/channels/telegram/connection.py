"""One Telegram bot as a channel."""

import re

from hilo.channels.bodies import read_object, same_secret
from hilo.channels.channel import NotGenuine, Outcome, Received, Rejected, Webhook
from hilo.channels.posting import Answer, Progress, new_client, post, without_secret
from hilo.channels.telegram.reading import read_update
from hilo.channels.telegram.settings import TelegramSettings
from hilo.channels.telegram.writing import BotCall, calls, outcome_of
from hilo.clock import Clock
from hilo.messages import Address, Outbound

_CHAT = re.compile(r"-?[0-9]{1,18}")


class Telegram:
    """Reads a bot's updates and calls its methods."""

    def __init__(self, settings: TelegramSettings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._client = new_client(settings.timeout)
        self._progress = Progress(named_by=-1)  # the buttons are under the last part

    def read(self, webhook: Webhook) -> Received:
        """Telegram proves itself with the secret that we gave it."""
        given = webhook.headers.get("x-telegram-bot-api-secret-token", "")
        if not same_secret(given, self._settings.secret_token):
            raise NotGenuine("the secret token is not ours")
        return read_update(read_object(webhook.body), now=self._clock.now())

    async def send(self, to: Address, message: Outbound, *, message_id: str) -> Outcome:
        """Part by part; Telegram sends no receipts, so what it took is all that will ever be known."""
        if not _CHAT.fullmatch(to.value):
            return Rejected("the address is not a chat of Telegram")
        return await self._progress.send(message_id, calls(int(to.value), message), self._call)

    async def typing(self, to: Address, *, answering: str) -> None:
        """For five seconds or until the reply; whether Telegram took it is no matter."""
        del answering
        if _CHAT.fullmatch(to.value):
            await self._call(BotCall("sendChatAction", {"chat_id": int(to.value), "action": "typing"}))

    async def aclose(self) -> None:
        """Let go of the connections."""
        await self._client.aclose()

    async def _call(self, call: BotCall, _: str = "") -> Outcome:
        """Telegram takes no id of ours."""
        answer = await post(self._client, f"{self._settings.url}/{call.method}", call.body, {})
        outcome = outcome_of(answer) if isinstance(answer, Answer) else answer
        return without_secret(outcome, self._settings.bot_token)
