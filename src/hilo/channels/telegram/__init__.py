"""Telegram by its Bot API."""

from hilo.channels.telegram.connection import Telegram
from hilo.channels.telegram.settings import TelegramSettings

__all__ = ["Telegram", "TelegramSettings"]
