"""How Infobip is reached, and how its webhooks prove that they come from it."""

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass, field
from typing import Literal, assert_never

import httpx

from hilo.channels.bodies import same_secret
from hilo.channels.channel import NotGenuine, Webhook


@dataclass(frozen=True, slots=True)
class BasicAuth:
    """Infobip sends a user and a password."""

    user: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SecretHeader:
    """Infobip sends a header whose value only we and it know."""

    name: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SignedBody:
    """Infobip sends an HMAC of the body, in hexadecimal or Base64, after an optional `sha256=`."""

    header: str
    secret: str = field(repr=False)
    algorithm: Literal["sha1", "sha256", "sha512"] = "sha256"


_KEY = re.compile(r"[!-~]+")

WebhookAuth = BasicAuth | SecretHeader | SignedBody


@dataclass(frozen=True, slots=True)
class InfobipSettings:
    """One sender of one Infobip account. Without `auth` no webhook is believed, unless `open_webhook` (trials only).

    `notify_url` is needed only where no subscription sends the reports; `list_button` opens a list of choices.
    """

    base_url: str
    api_key: str = field(repr=False)
    sender: str
    auth: WebhookAuth | None = None
    open_webhook: bool = False
    notify_url: str = ""
    list_button: str = "Ver opciones"
    timeout: float = 20

    def __post_init__(self) -> None:
        if not _is_http(self.base_url):
            raise ValueError("Infobip's base URL begins with https://, as its console shows it")
        if not _KEY.fullmatch(self.api_key):
            raise ValueError("an Infobip API key is one word of ASCII characters")


def check_genuine(webhook: Webhook, settings: InfobipSettings) -> None:
    """Raises NotGenuine unless the webhook carries what was agreed on."""
    match settings.auth:
        case None:
            genuine = settings.open_webhook
        case BasicAuth(user=user, password=password):
            token = base64.b64encode(f"{user}:{password}".encode()).decode()
            genuine = bool(password) and same_secret(_token(webhook.headers.get("authorization", "")), token)
        case SecretHeader(name=name, value=value):
            genuine = same_secret(webhook.headers.get(name.lower(), ""), value)
        case SignedBody() as signed:
            genuine = _is_signed(webhook, signed)
        case never:
            assert_never(never)
    if not genuine:
        raise NotGenuine("the webhook does not carry what was agreed on with Infobip")


def _is_http(url: str) -> bool:
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL:
        return False
    return parsed.scheme in {"https", "http"} and bool(parsed.host)


def _token(header: str) -> str:
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "basic" else ""


def _is_signed(webhook: Webhook, signed: SignedBody) -> bool:
    given = webhook.headers.get(signed.header.lower(), "").removeprefix(f"{signed.algorithm}=")
    digest = hmac.new(signed.secret.encode(), webhook.body, getattr(hashlib, signed.algorithm)).digest()
    in_hex = same_secret(given.lower(), digest.hex())
    in_base64 = same_secret(given, base64.b64encode(digest).decode())
    return bool(signed.secret) and (in_hex or in_base64)
