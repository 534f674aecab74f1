"""WhatsApp by Meta's own Cloud API."""

from hilo.channels.whatsapp_cloud.connection import WhatsAppCloud
from hilo.channels.whatsapp_cloud.settings import WhatsAppCloudSettings

__all__ = ["WhatsAppCloud", "WhatsAppCloudSettings"]
