"""What was said before: the last messages as they were, older ones in a few words."""

from dataclasses import dataclass
from typing import Protocol

from hilo.llm.model import Message, TextPart
from hilo.turn.model_requests.prompts import quoted

MOST_MESSAGES = 50
A_FEW = 6  # messages that are enough to classify one
KEPT_AFTER_SUMMARY = 13  # turns that stay as they were when older ones are summarised
MOST_TURNS = 60  # that are read at once
LONGEST = 2000  # characters of one message that a model reads


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn as it was said: by the contact and to the contact."""

    turn: int
    heard: str = ""
    said: str = ""


class History(Protocol):
    """Where earlier turns of the session come from."""

    async def since(self, turn: int, *, most: int) -> tuple[Exchange, ...]:
        """The newest exchanges after that turn, at most so many, the oldest of them first."""
        ...


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation as a model is told it."""

    summary: str = ""
    exchanges: tuple[Exchange, ...] = ()

    def messages(self, *, most: int = MOST_MESSAGES) -> tuple[Message, ...]:
        """The last ones, beginning with a contact's, the summary in front of them."""
        said = [message for each in self.exchanges for message in _of(each)][-most:]
        while said and said[0].role == "assistant":
            said = said[1:]
        if self.summary and most >= MOST_MESSAGES:
            before = Message("user", (TextPart(f"<earlier>\n{quoted(self.summary)}\n</earlier>"),))
            return (before, Message("assistant", (TextPart("…"),)), *said)
        return tuple(said)

    @property
    def is_long(self) -> bool:
        """Whether the older part should be put in a few words."""
        return sum(len(_of(each)) for each in self.exchanges) > MOST_MESSAGES

    @property
    def older(self) -> tuple[Exchange, ...]:
        """What would be summarised."""
        return self.exchanges[:-KEPT_AFTER_SUMMARY]

    def summarised(self, text: str) -> "Talk":
        """The same talk with its older part in a few words."""
        return Talk(text, self.exchanges[-KEPT_AFTER_SUMMARY:])


def _of(exchange: Exchange) -> tuple[Message, ...]:
    heard = Message("user", (TextPart(f"<message>{quoted(exchange.heard[:LONGEST])}</message>"),))
    said = Message("assistant", (TextPart(exchange.said[:LONGEST]),))
    both = ((exchange.heard, heard), (exchange.said, said))
    return tuple(message for text, message in both if text.strip())
