"""Public: servers that speak a provider's protocol on loopback, for tests and for trials without an account."""

from hilo.testing.providers.infobip import FakeInfobip
from hilo.testing.providers.provider import Bubble, Chats, Choice, Faults, SharedFile
from hilo.testing.providers.telegram import FakeTelegram
from hilo.testing.providers.whatsapp_cloud import FakeWhatsAppCloud

__all__ = ["Bubble", "Chats", "Choice", "FakeInfobip", "FakeTelegram", "FakeWhatsAppCloud", "Faults", "SharedFile"]
