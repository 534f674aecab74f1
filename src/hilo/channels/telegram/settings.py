"""What connects one Telegram bot."""

import re
from dataclasses import dataclass, field

from hilo.errors import HiloError

_TOKEN = re.compile(r"[0-9]+:[A-Za-z0-9_-]+")
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
_PLACE = re.compile(r"https?://[!-~]+")


@dataclass(frozen=True, slots=True)
class TelegramSettings:
    """The bot's token, and the secret that we gave to setWebhook; `timeout` is how many seconds we wait."""

    bot_token: str = field(repr=False)
    secret_token: str = field(repr=False)
    base_url: str = "https://api.telegram.org"
    timeout: float = 20

    def __post_init__(self) -> None:
        forms = (("bot_token", _TOKEN), ("secret_token", _SECRET), ("base_url", _PLACE))
        wrong = [name for name, form in forms if not form.fullmatch(getattr(self, name))]
        if wrong:
            raise HiloError(f"Telegram: {', '.join(wrong)} missing or malformed; BotFather gives the token")

    @property
    def url(self) -> str:
        """Where the bot's methods are; it holds the token, so it is never shown."""
        return f"{self.base_url.rstrip('/')}/bot{self.bot_token}"

    @property
    def files_url(self) -> str:
        """Where the files are that contacts sent; it holds the token too."""
        return f"{self.base_url.rstrip('/')}/file/bot{self.bot_token}"
