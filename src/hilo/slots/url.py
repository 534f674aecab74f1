"""A web address."""

import re
from urllib.parse import urlsplit

from hilo.recognisers.found import Found, Value
from hilo.slots.slot_type import Example, SlotRules, SlotType, said_alike, spanish
from hilo.slots.text import MAX_TEXT
from hilo.slots.utterance import Utterance


def _accept(value: Value, _slot: SlotRules, _country: str) -> Value | None:
    text = str(value).strip().rstrip(".,;")
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
    except ValueError:
        return None
    known = parts.scheme.lower() in {"http", "https"} and "." in host.strip(".")
    return text if known and text.isprintable() and not re.search(r"\s", text) and len(text) <= MAX_TEXT else None


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    return said.once("url", lambda: _urls(said))


def _urls(said: Utterance) -> tuple[Found, ...]:
    from hilo.recognisers.people.contact import find_urls

    return find_urls(said.text)


TYPE = SlotType(
    name="url",
    summary="a web address that begins with http:// or https://",
    aliases=("web", "website", "link", "enlace", "pagina", "sitio", "uri"),
    called=("pagina", "pagina web", "sitio", "web", "website", "link", "enlace"),
    phrases={
        "invalid.url": {
            **spanish("Esa dirección web no parece válida. Tiene que empezar por http:// o https://."),
            "en": ("That web address doesn't look right. It should start with http:// or https://.",),
        }
    },
    examples=said_alike(
        Example(said="es https://acme.com/ana", stored="https://acme.com/ana", shown="https://acme.com/ana"),
        Example(said="see https://acme.com/ana", stored="https://acme.com/ana", shown="https://acme.com/ana"),
    ),
    find=_find,
    accept=_accept,
    volunteered="always",
)
