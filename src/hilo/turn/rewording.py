"""Other words for what was said in all its wordings: a model proposes them, and only what changes no fact is taken."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from hilo.agent.declaration import Template
from hilo.agent.texts import PLACEHOLDER
from hilo.dialogue.draft import Decision
from hilo.dialogue.events import Event, Reworded
from hilo.dialogue.session import Session
from hilo.llm.model import ModelError
from hilo.turn.asking.requests import reword_request
from hilo.turn.asking.untrusted_text import quoted
from hilo.turn.state import TurnContext

MOST_AT_ONCE = 2  # templates that one turn asks a model about
MOST_WORDINGS = 3
ROOM = 80  # characters that a wording may be longer than twice the text
_FIGURE = re.compile(r"\d+")
_REFERENCE = re.compile(r"https?:|www\.|\w\.(?:com|co|net|org|io|me)\b|[@#$€£%]", re.IGNORECASE)


async def reworded(context: TurnContext, session: Session, event: Event, decision: Decision) -> tuple[Reworded, ...]:
    """Other words for the templates that had nothing new to say in a decision, where a model may speak at all."""
    agent = context.agent
    if context.asking is None or agent.asks_by == "off" or agent.grounded == "strict":
        return ()
    found: list[Reworded] = []
    for template in decision.worn[:MOST_AT_ONCE]:
        said = session.reworded.get(template, ())
        try:
            reply = await context.asking.purse.ask(reword_request(agent, agent.templates[template], said))
        except ModelError as error:
            context.record.notes.append(f"no other words for {template}: the model did not answer ({error})")
            return tuple(found)
        texts = tuple(faithful(agent.templates[template], reply.value))
        context.record.notes.append(f"a model gave {len(texts)} other wordings of {template}")
        found += [Reworded(event.at, template, texts)] if texts else []
    return tuple(found)


def faithful(template: Template, answer: Any) -> Iterator[str]:
    """The proposed wordings that have the same places, figures and references as the text, and are not too long."""
    proposed = answer.get("wordings") if isinstance(answer, dict) else None
    wanted = _facts_in(template.text)
    for each in proposed[:MOST_WORDINGS] if isinstance(proposed, list) else ():
        text = quoted(each).strip() if isinstance(each, str) else ""
        if text and text not in template.texts and _fits(text, template.text) and _facts_in(text) == wanted:
            yield text


def _fits(text: str, original: str) -> bool:
    return len(text) <= 2 * len(original) + ROOM and (text.isprintable() or "\n" in original)


def _facts_in(text: str) -> tuple[Counter[str], Counter[str], Counter[str]]:
    plain = PLACEHOLDER.sub(" ", text)
    braces = Counter(PLACEHOLDER.findall(text))
    braces["{"] = plain.count("{") + plain.count("}")
    return braces, Counter(_FIGURE.findall(plain)), Counter(map(str.lower, _REFERENCE.findall(plain)))
