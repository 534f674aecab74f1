"""Messages as the page gets them."""

from dataclasses import asdict
from typing import Any

from hilo.server.webchat.visits import write_cursor
from hilo.store.chat import ChatLine, ChatPage, ChatUpdates


def plain_page(page: ChatPage) -> dict[str, Any]:
    """A piece of history."""
    return {
        "messages": [plain_line(line) for line in page.lines],
        "earlier": write_cursor(page.earlier) if page.earlier else None,
        "after": write_cursor(page.last),
    }


def plain_news(news: ChatUpdates) -> dict[str, Any]:
    """What is new."""
    return {
        "messages": [plain_line(line) for line in news.lines],
        "after": write_cursor(news.last),
        "more": news.more,
    }


def plain_line(line: ChatLine) -> dict[str, Any]:
    """One message; `at` in milliseconds, as browsers count, and `number` for those that came together."""
    at = int(line.at.timestamp() * 1000)
    plain: dict[str, Any] = {"id": line.id, "by": line.by, "at": at, "number": line.number, "text": line.text}
    if line.payload:
        plain["payload"] = line.payload
    if line.buttons:
        plain["buttons"] = [asdict(button) for button in line.buttons]
    if line.attachment:
        plain["attachment"] = asdict(line.attachment)
    return plain
