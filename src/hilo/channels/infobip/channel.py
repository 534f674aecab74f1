"""WhatsApp through Infobip's HTTP API."""

from typing import Any
from urllib.parse import urlsplit

from hilo.channels.bodies import read_object
from hilo.channels.channel import NotReadable, Outcome, Received, Rejected, TryLater, Unknown, Webhook
from hilo.channels.fetching import Fetched, NotFetched, download
from hilo.channels.infobip.answers import outcome_of
from hilo.channels.infobip.reading import read_body
from hilo.channels.infobip.settings import InfobipSettings, check_genuine
from hilo.channels.infobip.writing import (
    CannotSend,
    InfobipRequest,
    body_of,
    requests_of,
    template_request,
    typing_body,
)
from hilo.channels.posting import Answer, Progress, new_client, post
from hilo.messages import Address, Outbound


class Infobip:
    """One WhatsApp sender at Infobip."""

    def __init__(self, settings: InfobipSettings) -> None:
        self._settings = settings
        self._client = new_client(settings.timeout)
        self._progress = Progress()

    def read(self, webhook: Webhook) -> Received:
        """Messages, delivery reports and seen reports come to the same URL, many at once."""
        check_genuine(webhook, self._settings)
        if webhook.method != "POST":
            raise NotReadable("Infobip posts its webhooks")
        return read_body(read_object(webhook.body))

    async def send(self, to: Address, message: Outbound, *, message_id: str) -> Outcome:
        """Send a message, in parts under id, id-2, id-3 … where it is long; a closed window takes the template instead.

        Another attempt goes on after the parts that were taken. After a restart it begins with the first again, and
        Infobip may then show a part twice.
        """
        try:
            requests = requests_of(message, self._settings)
        except CannotSend as problem:
            return Rejected(str(problem))

        async def send(request: InfobipRequest, part_id: str) -> Outcome:
            return await self._send_one(to, request, part_id, message_id)

        outcome = await self._progress.send(message_id, requests, send)
        if isinstance(outcome, Rejected) and outcome.window_closed and message.approved:
            free_id = f"{message_id}-{len(requests) + 1}"  # Infobip refuses an id that it has seen
            return await self._send_one(to, template_request(message.approved), free_id, message_id)
        return outcome

    async def typing(self, to: Address, *, answering: str) -> None:  # noqa: ARG002 -- Infobip asks for the contact only
        """The dots that tell that we are writing; whether they show matters to nobody."""
        await self._post("/whatsapp/1/events", typing_body(to, self._settings))

    async def fetch(self, source: str, *, at_most: int) -> Fetched | NotFetched:
        """Media lie at our own base URL, and the key opens them; it is shown to nobody else."""
        if urlsplit(source)[:2] != urlsplit(self._settings.base_url)[:2]:
            return Rejected("the file is not at this account's base URL")
        return await download(self._client, source, self._key, at_most=at_most)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _send_one(self, to: Address, request: InfobipRequest, part_id: str, message_id: str) -> Outcome:
        body = body_of(request, to, self._settings, part_id=part_id, whole_id=message_id)
        answer = await self._post(request.path, body)
        return outcome_of(answer, part_id) if isinstance(answer, Answer) else answer

    async def _post(self, path: str, body: dict[str, Any]) -> Answer | TryLater | Unknown:
        headers = {**self._key, "accept": "application/json"}
        return await post(self._client, self._settings.base_url.rstrip("/") + path, body, headers)

    @property
    def _key(self) -> dict[str, str]:
        return {"authorization": f"App {self._settings.api_key}"}
