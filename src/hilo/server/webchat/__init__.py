"""The web chat: a page for each channel of the kind `web`, a widget for other sites, and what both talk to."""

from hilo.server.webchat.routes import chat_routes

__all__ = ["chat_routes"]
