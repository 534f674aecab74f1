"""One WhatsApp number of Meta's Cloud API as a channel."""

import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import replace

from hilo.channels.bodies import Json, number_at, read_object, same_secret, text_at
from hilo.channels.channel import NotGenuine, Outcome, Received, Rejected, TryLater, Unknown, Webhook
from hilo.channels.fetching import Fetched, NotFetched, ask, download, too_large
from hilo.channels.posting import Answer, Progress, new_client, post, without_secret
from hilo.channels.whatsapp_cloud.reading import read_event
from hilo.channels.whatsapp_cloud.settings import WhatsAppCloudSettings
from hilo.channels.whatsapp_cloud.writing import Body, contents, envelope, outcome_of, template, typing_body
from hilo.messages import Address, Outbound

_CHALLENGE = re.compile(r"[A-Za-z0-9_.-]{1,200}")


class WhatsAppCloud:
    """Reads Meta's webhooks and sends through its API."""

    def __init__(self, settings: WhatsAppCloudSettings) -> None:
        self._settings = settings
        self._client = new_client(settings.timeout)
        self._progress = Progress()

    def read(self, webhook: Webhook) -> Received:
        """A GET asks whether we know the verify token; whatever else comes must be signed with the app's secret."""
        if webhook.method == "GET":
            return self._verify(webhook)
        given = webhook.headers.get("x-hub-signature-256", "")
        digest = hmac.new(self._settings.app_secret.encode(), webhook.body, hashlib.sha256).hexdigest()
        if not same_secret(given, f"sha256={digest}"):
            raise NotGenuine("the signature is not of our app's secret")
        return read_event(read_object(webhook.body), self._settings)

    async def send(self, to: Address, message: Outbound, *, message_id: str) -> Outcome:
        """Part by part; where the window is closed, the approved template goes in place of the words."""
        bodies = contents(message, self._settings.list_button)
        if not bodies and message.approved:
            return await self._send(envelope(to, template(message.approved), message_id))

        async def send(body: Body, part_id: str) -> Outcome:
            return await self._send(envelope(to, body, part_id))

        outcome = await self._progress.send(message_id, bodies, send)
        if isinstance(outcome, Rejected) and outcome.window_closed and message.approved:
            return await self._send(envelope(to, template(message.approved), message_id))
        return outcome

    async def typing(self, to: Address, *, answering: str) -> None:
        """Meta shows it under the message that is answered, which it marks as read; whether it did is no matter."""
        del to
        if answering:
            await self._post(typing_body(answering))

    async def fetch(self, source: str, *, at_most: int) -> Fetched | NotFetched:
        """Meta first says where a file is for the next minutes and how large, then gives it out to our token."""
        if not source.startswith(f"{self._settings.url}/"):
            return Rejected("the file is not at Meta's API")
        told = await ask(self._client, source, self._token)
        if not isinstance(told, Mapping):
            return told
        place = text_at(told, "url")
        if not _is_safe(place, self._settings.base_url):
            return Rejected("Meta named no address for the file")
        if (number_at(told, "file_size") or 0) > at_most:
            return too_large(at_most)
        found = await download(self._client, place, self._token, at_most=at_most)
        return _checked(found, told) if isinstance(found, Fetched) else found

    async def aclose(self) -> None:
        """Let go of the connections."""
        await self._client.aclose()

    def _verify(self, webhook: Webhook) -> Received:
        challenge = webhook.query.get("hub.challenge", "")
        known = same_secret(webhook.query.get("hub.verify_token", ""), self._settings.verify_token)
        if not known or webhook.query.get("hub.mode") != "subscribe" or not _CHALLENGE.fullmatch(challenge):
            raise NotGenuine("the verify token is not ours")
        return Received(answer=challenge)

    async def _send(self, body: Body) -> Outcome:
        answer = await self._post(body)
        outcome = outcome_of(answer) if isinstance(answer, Answer) else answer
        return without_secret(outcome, self._settings.access_token)

    async def _post(self, body: Body) -> Answer | TryLater | Unknown:
        url = f"{self._settings.url}/{self._settings.phone_number_id}/messages"
        return await post(self._client, url, body, self._token)

    @property
    def _token(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self._settings.access_token}"}


def _is_safe(place: str, base_url: str) -> bool:
    """Our token goes over TLS only; a provider for trials has none."""
    return place.startswith("https://") or (base_url.startswith("http://") and place.startswith(f"{base_url}/"))


def _checked(found: Fetched, told: Json) -> Fetched | NotFetched:
    """Meta says the type and the digest of each file."""
    digest = text_at(told, "sha256")
    if digest and hashlib.sha256(found.content).hexdigest() != digest:
        return TryLater("the file came damaged")
    return replace(found, type=text_at(told, "mime_type") or found.type)
