"""A web address."""

import re
from urllib.parse import urlsplit

from hilo.recognisers.found import Found, Value
from hilo.slots.slot_type import Example, SlotRules, SlotType, said_alike, spanish
from hilo.slots.text import MAX_TEXT
from hilo.slots.utterance import Utterance


def _accept(value: Value, _slot: SlotRules, _country: str) -> Value | None:
    text = _with_scheme(str(value).strip().rstrip(".,;"))
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
    except ValueError:
        return None
    known = parts.scheme.lower() in {"http", "https"} and "." in host.strip(".")
    return text if known and text.isprintable() and not re.search(r"\s", text) and len(text) <= MAX_TEXT else None


def _with_scheme(text: str) -> str:
    """An address that people write without its scheme, as a browser would take it: "www.acme.com", "acme.com/ana"."""
    from hilo.recognisers.people.contact import is_host

    host = re.split(r"[/?#]", text, maxsplit=1)[0]
    bare = "@" not in host and (is_host(host) or host.lower().startswith("www."))
    return f"https://{text}" if bare else text


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    return said.once(f"url:{asked}", lambda: _urls(said, asked=asked))


def _urls(said: Utterance, *, asked: bool) -> tuple[Found, ...]:
    from hilo.recognisers.people.contact import find_urls

    return find_urls(said.text, asked=asked)


TYPE = SlotType(
    name="url",
    summary="a web address, stored with its scheme: `www.acme.com` → `https://www.acme.com`",
    aliases=("web", "website", "link", "enlace", "pagina", "sitio", "uri"),
    called=("pagina", "pagina web", "sitio", "web", "website", "link", "enlace"),
    phrases={
        "invalid.url": {
            **spanish("Esa dirección web no parece válida. Tiene que ser como www.ejemplo.com."),
            "en": ("That web address doesn't look right. It should be like www.example.com.",),
            "pt-BR": ("Esse endereço da web não parece válido. Ele deve ser como www.exemplo.com.",),
        }
    },
    examples=said_alike(
        Example(said="es www.acme.com/ana", stored="https://www.acme.com/ana", shown="https://www.acme.com/ana"),
        english=Example(said="see https://acme.com/ana", stored="https://acme.com/ana", shown="https://acme.com/ana"),
        portuguese=Example(said="é https://acme.com/ana", stored="https://acme.com/ana", shown="https://acme.com/ana"),
    ),
    find=_find,
    accept=_accept,
    volunteered="always",
)
