"""One Telegram bot as a channel."""

import re
from collections.abc import Mapping
from urllib.parse import quote

from hilo.channels.bodies import number_at, read_object, same_secret, text_at
from hilo.channels.channel import NotGenuine, Outcome, Received, Rejected, Webhook
from hilo.channels.fetching import Fetched, NotFetched, ask, download, too_large
from hilo.channels.posting import Answer, Progress, new_client, post, without_secret
from hilo.channels.telegram.reading import FILE, read_update
from hilo.channels.telegram.settings import TelegramSettings
from hilo.channels.telegram.writing import BotCall, calls, outcome_of
from hilo.clock import Clock
from hilo.messages import Address, Outbound

_PATH = re.compile(r"[A-Za-z0-9_./-]{1,200}")
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

    async def fetch(self, source: str, *, at_most: int) -> Fetched | NotFetched:
        """A file is known by its id; Telegram says where it lies for the next hour, up to 20 MB."""
        name = source.removeprefix(FILE)
        if name == source:
            return Rejected("it is no file of Telegram")
        told = await ask(self._client, f"{self._settings.url}/getFile?file_id={quote(name)}", {})
        if not isinstance(told, Mapping):
            return told
        path = text_at(told, "result", "file_path")
        if not _PATH.fullmatch(path) or ".." in path:
            return Rejected("Telegram named no place for the file")
        if (number_at(told, "result", "file_size") or 0) > at_most:
            return too_large(at_most)
        return await download(self._client, f"{self._settings.files_url}/{path}", {}, at_most=at_most)

    async def aclose(self) -> None:
        """Let go of the connections."""
        await self._client.aclose()

    async def _call(self, call: BotCall, _: str = "") -> Outcome:
        """Telegram takes no id of ours."""
        answer = await post(self._client, f"{self._settings.url}/{call.method}", call.body, {})
        outcome = outcome_of(answer) if isinstance(answer, Answer) else answer
        return without_secret(outcome, self._settings.bot_token)
