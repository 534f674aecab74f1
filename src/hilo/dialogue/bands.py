"""Confidence bands: how sure a meaning must be before it is acted on, asked about, or left to a person."""

from typing import Literal

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import AskInfo, CallTool, Command, Digress, StartFlow

Band = Literal["proceed", "reanalyse", "clarify", "handoff"]
MOST_OFFERED = 2
_MEANT = StartFlow | AskInfo | CallTool


def band_of(agent: Agent, confidence: float) -> Band:
    """Half-open, from the agent file; an agent that declares none is content with whatever was found."""
    bands = agent.confidence
    if bands is None or confidence >= bands.proceed:
        return "proceed"
    if confidence >= bands.reanalyse:
        return "reanalyse"
    return "clarify" if confidence >= bands.clarify else "handoff"


def hangs_on_intent(commands: tuple[Command, ...], *, asked: bool) -> bool:
    """Whether a message is worth no more than its intent: it gives no value, answers nothing, asks for nobody.

    Where a question is open, a message in which nothing was found is a bad answer to it, not a doubtful intent.
    """
    meant = [each for each in commands if isinstance(each, _MEANT)]
    rest = [each for each in commands if not isinstance(each, _MEANT) and each != Digress("off_topic")]
    return not rest and (bool(meant) or not asked)


def candidates(
    agent: Agent, intent: str, confidence: int, alternatives: tuple[tuple[str, int], ...]
) -> tuple[str, ...]:
    """The likeliest meanings that the agent has, the best first."""
    ranked = [(intent, confidence), *alternatives]
    known = [
        name for name, _ in sorted(ranked, key=lambda pair: -pair[1]) if name in agent.intents or name in agent.flows
    ]
    return tuple(dict.fromkeys(known))[:MOST_OFFERED]
