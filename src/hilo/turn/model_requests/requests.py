"""The requests to a model, each exactly as it is sent. `hilo prompt` prints them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from hilo.agent.declaration import Agent
from hilo.agent.documents import Section
from hilo.agent.templates import Template
from hilo.dialogue.events import ToolResult
from hilo.dialogue.session import Session
from hilo.llm.model import Message, Request, TextPart, Tier
from hilo.tools.tool import Tool
from hilo.turn.model_requests.offers import offers, told_result
from hilo.turn.model_requests.prompts import bounded, heard, quoted, situation, system
from hilo.turn.model_requests.router import closed, schema
from hilo.turn.model_requests.talk import A_FEW, MOST_MESSAGES, Exchange, Talk

LONGEST_RESULTS, LONGEST_ARGUMENTS = 24_000, 1000  # characters
# The longest answers that make sense.
ROUTER_TOKENS, LOOP_TOKENS, GENERATOR_TOKENS = 700, 1024, 600
SUMMARY_TOKENS, REWORD_TOKENS, QUOTE_TOKENS = 400, 700, 400


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request is made from: the agent, where the session stands, what was said before and now."""

    agent: Agent
    session: Session
    talk: Talk
    text: str
    at: datetime
    early: bool = False  # written before our last question had been sent

    @property
    def last(self) -> str:
        """The situation and the message, which change from turn to turn."""
        now = f"{self.at.astimezone(ZoneInfo(self.agent.timezone)):%A %Y-%m-%d %H:%M %Z}"
        return f"{situation(self.agent, self.session, now=now)}\n{heard(self.text)}"


def router_request(asked: Asked, *, tier: Tier = "small") -> Request:
    """To classify; the larger model gets the whole conversation."""
    most = A_FEW if tier == "small" else MOST_MESSAGES
    return Request(
        messages=(*asked.talk.messages(most=most), _user(asked.last)),
        system=system(asked.agent, "router", mode=asked.session.mode),
        output=schema(asked.agent, asked.session.mode),
        tier=tier,
        max_tokens=ROUTER_TOKENS,
    )


def loop_messages(asked: Asked) -> tuple[Message, ...]:
    """What the first round of a tool loop begins with."""
    return (*asked.talk.messages(), _user(asked.last))


def loop_request(
    agent: Agent,
    session: Session,
    messages: Sequence[Message],
    *,
    tools: Mapping[str, Tool],
) -> Request:
    """A round of the tool loop, with the tools of the mode that the session is in now."""
    return Request(
        messages=tuple(messages),
        system=system(agent, "loop", mode=session.mode),
        tools=offers(agent, session, tools),
        tier="large",
        max_tokens=LOOP_TOKENS,
    )


def generator_request(
    asked: Asked,
    results: Sequence[tuple[Mapping[str, object], ToolResult]],
) -> Request:
    """To put results in words, each with what its tool was given."""
    told: list[str] = []
    for given, result in results:
        written = json.dumps(dict(given), ensure_ascii=False, default=str)
        arguments = bounded(written, LONGEST_ARGUMENTS)
        each = {"tool": result.tool, "arguments": arguments, "result": told_result(result)}
        told.append(quoted(json.dumps(each, ensure_ascii=False)))
    content = asked.last
    if told:
        content += f"\n<results>{bounded(', '.join(told), LONGEST_RESULTS)}</results>"
    return Request(
        messages=(*asked.talk.messages(), _user(content)),
        system=system(asked.agent, "generator"),
        tier="large",
        max_tokens=GENERATOR_TOKENS,
    )


def summary_request(agent: Agent, talk: Talk, older: Sequence[Exchange]) -> Request:
    """To put the older part of a conversation in a few words."""
    earlier = [f"Before: {talk.summary}"] if talk.summary else []
    lines = [f"Contact: {each.heard}\nAssistant: {each.said}" for each in older]
    return Request(
        messages=(_user(heard("\n".join([*earlier, *lines]), most=20_000)),),
        system=system(agent, "summary"),
        tier="small",
        max_tokens=SUMMARY_TOKENS,
    )


def reword_request(agent: Agent, template: Template, said: Sequence[str]) -> Request:
    """To say a template in other words, its places left as they are."""
    others = "\n".join((*template.texts[1:], *said))
    return Request(
        messages=(_user(f"<text>{quoted(template.text)}</text>\n<said>{quoted(others)}</said>"),),
        system=system(agent, "reword"),
        output=closed({"wordings": {"type": "array", "items": {"type": "string"}}}),
        tier="small",
        max_tokens=REWORD_TOKENS,
    )


def quote_request(agent: Agent, question: str, sections: Sequence[Section]) -> Request:
    """To answer from sections of the agent's pages, and from nothing else."""
    pages = [quoted(json.dumps({"section": each.source, "text": each.text}, ensure_ascii=False)) for each in sections]
    content = "\n".join(pages)
    return Request(
        messages=(_user(f"<sections>{content}</sections>\n{heard(question)}"),),
        system=system(agent, "quote"),
        output=closed({"answer": {"type": "string"}}),
        tier="large",
        max_tokens=QUOTE_TOKENS,
    )


def _user(text: str) -> Message:
    return Message("user", (TextPart(text),))
