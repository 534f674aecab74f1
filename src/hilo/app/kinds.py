"""The kinds of channels: what each must be told, and how it is made from that."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hilo.channels.channel import Channel
from hilo.clock import Clock
from hilo.errors import HiloError


@dataclass(frozen=True, slots=True)
class Field:
    """Something to enter: a `secret` is never shown; what is `ours` is made up here and entered at the provider."""

    name: str
    help: str
    secret: bool = False
    ours: bool = False
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """A provider: what connects it, how fast it may be sent to, and how long its receipts and its window last."""

    fields: tuple[Field, ...]
    make: Callable[[Mapping[str, Any], Clock], Channel]
    where: str  # to enter the address of the webhook
    per_second: float = 0.0
    echo_seconds: float = 0.0
    window_hours: int = 0
    host: str = ""  # the provider's own, and what ends with it: elsewhere no page may send credentials


def filled(kind: str, given: Mapping[str, str]) -> tuple[dict[str, str], list[Field]]:
    """What was given, completed with defaults and new secrets; and the fields that are still missing."""
    unknown = sorted(given.keys() - {each.name for each in KINDS[kind].fields})
    if unknown:
        names = ", ".join(each.name for each in KINDS[kind].fields)
        raise HiloError(f"{kind} has no {unknown[0]}; it has {names}")
    values = {each.name: each.default for each in KINDS[kind].fields if each.default is not None}
    values |= {each.name: secrets.token_urlsafe(24) for each in KINDS[kind].fields if each.ours}
    values |= given
    return values, [each for each in KINDS[kind].fields if not values.get(each.name)]


def _infobip(values: Mapping[str, Any], _clock: Clock) -> Channel:
    from hilo.channels.infobip import Infobip, InfobipSettings  # noqa: PLC0415 -- only who has one pays for it

    try:
        settings = InfobipSettings(values["base_url"], values["api_key"], values["sender"], auth=_infobip_auth(values))
    except ValueError as error:
        raise HiloError(str(error)) from None
    return Infobip(settings)


def _infobip_auth(values: Mapping[str, Any]) -> Any:
    from hilo.channels.infobip import BasicAuth, SecretHeader, SignedBody  # noqa: PLC0415

    ways = {"basic": BasicAuth, "header": SecretHeader, "hmac": SignedBody}
    if values["webhook_auth"] not in ways:
        raise HiloError(f"webhook_auth must be one of {', '.join(ways)}")
    return ways[values["webhook_auth"]](values["webhook_name"], values["webhook_secret"])


def _whatsapp(values: Mapping[str, Any], _clock: Clock) -> Channel:
    from hilo.channels.whatsapp_cloud import WhatsAppCloud, WhatsAppCloudSettings  # noqa: PLC0415

    return WhatsAppCloud(WhatsAppCloudSettings(**values))


def _telegram(values: Mapping[str, Any], clock: Clock) -> Channel:
    from hilo.channels.telegram import Telegram, TelegramSettings  # noqa: PLC0415

    return Telegram(TelegramSettings(**values), clock)


def _web(_values: Mapping[str, Any], _clock: Clock) -> Channel:
    from hilo.channels.webchat import WebChat  # noqa: PLC0415

    return WebChat()


KINDS: dict[str, Kind] = {
    "infobip": Kind(
        (
            Field("base_url", "your account's base URL, such as https://abc123.api.infobip.com"),
            Field("api_key", "an API key with the scopes for sending WhatsApp messages", secret=True),
            Field("sender", "the WhatsApp number that is registered at Infobip, digits only"),
            Field("webhook_auth", "how Infobip proves itself: basic, header or hmac", default="basic"),
            Field("webhook_name", "the user's name (basic) or the header's (header, hmac)", default="hilo"),
            Field("webhook_secret", "the password, the header's value or the HMAC's secret", secret=True, ours=True),
        ),
        _infobip,
        where="the inbound configuration of the sender, and a delivery and a seen report subscription",
        per_second=40,
        echo_seconds=60,
        window_hours=24,
        host="infobip.com",
    ),
    "whatsapp": Kind(
        (
            Field("phone_number_id", "the id of the phone number, not the number itself"),
            Field("access_token", "a permanent token of a system user", secret=True),
            Field("app_secret", "the secret of the app, which signs the webhooks", secret=True),
            Field("verify_token", "what Meta shows when it checks the webhook", secret=True, ours=True),
            Field("base_url", "where the API is", default="https://graph.facebook.com"),
        ),
        _whatsapp,
        where="the app's page, WhatsApp, Configuration; subscribe to the field `messages`",
        per_second=80,
        echo_seconds=60,
        window_hours=24,
        host="graph.facebook.com",
    ),
    "telegram": Kind(
        (
            Field("bot_token", "the token that BotFather gave you", secret=True),
            Field("secret_token", "what Telegram sends with every update", secret=True, ours=True),
            Field("base_url", "where the Bot API is", default="https://api.telegram.org"),
        ),
        _telegram,
        where="the Bot API's method setWebhook, with the secret_token",
        per_second=25,
        host="api.telegram.org",
    ),
    "web": Kind((), _web, where=""),
}
