"""The pages of the chat: the first one, a chat, and the one for a chat that is not there."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from fastapi.responses import Response

from hilo.channels.webchat import WebChat
from hilo.server import statics

LANGUAGES = ("es", "en", "pt")
MOST_STARTERS = 3
OTHER = {"es": "Español", "en": "English"}  # languages that the first page offers

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' https:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors "
)


@dataclass(frozen=True, slots=True)
class PageWords:
    """What the pages say themselves."""

    heading: str
    about: str
    unlisted: str
    unlisted_about: str
    attempt: str
    panel: str
    panel_about: str
    lost: str
    lost_about: str
    all_chats: str
    speaks: Mapping[str, str]  # of an agent that speaks another language than the page


WORDS = {
    "es": PageWords(
        "¿Con quién quieres hablar?",
        "Hilo es un motor de conversaciones de código abierto: agentes que venden y atienden por chat, siguen los "
        "pasos de tu negocio y llaman a una persona cuando hace falta. Prueba los de esta instalación.",
        "Aquí se conversa",
        "Cada chat tiene su propia dirección: pídesela a la empresa que te atiende.",
        "Prueba con",
        "Abrir el panel",
        "Conversaciones, traspasos y números, para quien atiende.",
        "Este chat no existe",
        "Puede que la dirección esté mal escrita o que el agente ya no se ofrezca aquí.",
        "Ver todos los chats",
        {"es": "habla español", "en": "habla inglés", "pt": "habla portugués"},
    ),
    "en": PageWords(
        "Who would you like to talk to?",
        "Hilo is an open-source conversation engine: agents that sell and serve by chat, follow the steps of your "
        "business and call a person when one is needed. Try the ones that run here.",
        "Conversations happen here",
        "Every chat has an address of its own: ask the business that serves you for it.",
        "Try",
        "Open the panel",
        "Conversations, handoffs and numbers, for those who answer.",
        "There is no such chat",
        "The address may be misspelt, or the agent is not offered here any more.",
        "Show all chats",
        {"es": "speaks Spanish", "en": "speaks English", "pt": "speaks Portuguese"},
    ),
    "pt": PageWords(
        "Com quem você quer falar?",
        "Hilo é um motor de conversas de código aberto: agentes que vendem e atendem por chat, seguem os passos do seu "
        "negócio e chamam uma pessoa quando é preciso. Experimente os desta instalação.",
        "Aqui se conversa",
        "Cada chat tem seu próprio endereço: peça à empresa que atende você.",
        "Experimente",
        "Abrir o painel",
        "Conversas, transferências e números, para quem atende.",
        "Este chat não existe",
        "O endereço pode estar errado, ou o agente não é mais oferecido aqui.",
        "Ver todos os chats",
        {"es": "fala espanhol", "en": "fala inglês", "pt": "fala português"},
    ),
}


def language(*wishes: str) -> str:
    """The first wish that can be granted; a wish may be a whole Accept-Language."""
    for code in re.findall(r"(?:^|[,\s])([a-z]{2})\b", ",".join(wishes).lower()):
        if code in LANGUAGES:
            return str(code)
    return LANGUAGES[0]


def title_of(channel: str, chat: WebChat) -> str:
    """What a visitor reads on top."""
    return chat.title or channel.removeprefix("web-").replace("-", " ").replace("_", " ").capitalize()


def chat_page_html(channel: str, chat: WebChat, *, language: str, listed: bool) -> Response:
    """The page of one chat; any site may frame it, for that is what the widget does."""
    title = title_of(channel, chat)
    values = {
        "channel": channel,
        "title": title,
        "initial": title[:1].upper(),
        "language": chat.language if chat.language.startswith(language) else language,  # with its form of address
        "greeting": chat.greeting,
        "home": "../" if listed else "",
    }
    starters = [f'<button type="button">{html.escape(each)}</button>' for each in chat.starters[:MOST_STARTERS]]
    return statics.page("chat.html", values, policy=_POLICY + "*", items="".join(starters))


def first_page_html(chats: Sequence[tuple[str, WebChat]], *, language: str) -> Response:
    """What Hilo is, all chats of this installation, and the way to the panel."""
    words, other = WORDS[language], "en" if language == "es" else "es"
    values = {
        "language": language,
        "heading": words.heading,
        "about": words.about,
        "panel": words.panel,
        "panel_about": words.panel_about,
        "other": other,
        "other_name": OTHER[other],
    }
    items = "\n".join(_item(channel, chat, language) for channel, chat in chats)
    return statics.page("list.html", values, policy=_POLICY + "'none'", items=items)


def unlisted_page_html(*, language: str) -> Response:
    """The first page where chats are not listed: nobody learns here which there are."""
    words = WORDS[language]
    values = {"language": language, "title": words.unlisted, "about": words.unlisted_about, "root": ""}
    link = f'<a class="button" href="panel">{html.escape(words.panel)}</a>'
    return statics.page("lost.html", values, policy=_POLICY + "'none'", items=link)


def lost_page_html(*, language: str, listed: bool) -> Response:
    """For a chat that is not there."""
    words = WORDS[language]
    values = {"language": language, "title": words.lost, "about": words.lost_about, "root": "../"}
    link = f'<a class="button" href="../">{html.escape(words.all_chats)}</a>' if listed else ""
    return statics.page("lost.html", values, policy=_POLICY + "'none'", items=link, status=404)


def _item(channel: str, chat: WebChat, here: str) -> str:
    title, words = title_of(channel, chat), WORDS[here]
    tongue = language(chat.language)
    speaks = f' <span class="tongue" lang="{here}">{words.speaks[tongue]}</span>' if tongue != here else ""
    lines = [
        f'<span class="avatar" aria-hidden="true">{html.escape(title[:1].upper())}</span>',
        f'<span class="name">{html.escape(title)}{speaks}</span>',
    ]
    if chat.description:
        lines.append(f'<span class="about">{html.escape(chat.description)}</span>')
    if chat.starters:
        quoted = html.escape(" · ".join(f"«{each}»" for each in chat.starters[:MOST_STARTERS]))
        attempt = f'<span lang="{here}">{words.attempt}</span>'
        lines.append(f'<span class="try">{attempt} {quoted}</span>')
    spoken = html.escape(chat.language or language())
    return f'<li><a href="{html.escape(f"chat/{quote(channel)}")}" lang="{spoken}">{"".join(lines)}</a></li>'
