"""WhatsApp by way of Infobip."""

from hilo.channels.infobip.channel import Infobip
from hilo.channels.infobip.settings import BasicAuth, InfobipSettings, SecretHeader, SignedBody

__all__ = ["BasicAuth", "Infobip", "InfobipSettings", "SecretHeader", "SignedBody"]
