"""What connects one WhatsApp number of Meta's Cloud API."""

import re
from dataclasses import dataclass, field

from hilo.errors import HiloError

_SECRET = re.compile(r"[!-~]+")
_ID = re.compile(r"[0-9]+")
_VERSION = re.compile(r"v[0-9]+\.[0-9]+")
_PLACE = re.compile(r"https?://[!-~]+")


@dataclass(frozen=True, slots=True)
class WhatsAppCloudSettings:
    """Names and secrets of one number; `timeout` is how long to wait for an answer, in seconds."""

    phone_number_id: str
    access_token: str = field(repr=False)
    app_secret: str = field(repr=False)
    verify_token: str = field(repr=False)
    api_version: str = "v24.0"
    base_url: str = "https://graph.facebook.com"
    list_button: str = "Ver opciones"
    timeout: float = 20

    def __post_init__(self) -> None:
        secrets = ("access_token", "app_secret", "verify_token")
        wrong = [name for name in secrets if not _SECRET.fullmatch(getattr(self, name))]
        forms = (("phone_number_id", _ID), ("api_version", _VERSION), ("base_url", _PLACE))
        wrong += [name for name, form in forms if not form.fullmatch(getattr(self, name))]
        if wrong:
            raise HiloError(f"WhatsApp Cloud API: {', '.join(wrong)} missing or malformed (copy it from Meta's pages)")

    @property
    def url(self) -> str:
        """Where its API begins."""
        return f"{self.base_url.rstrip('/')}/{self.api_version}"
