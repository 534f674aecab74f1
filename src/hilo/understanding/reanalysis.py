"""A second look at a doubtful intent, with what the conversation says about it."""

from hilo.agent.declaration import Agent
from hilo.dialogue.escalation import band_of
from hilo.dialogue.session import Session
from hilo.understanding.reading import Reading

NEAR = 15  # points between the two likeliest; less is a tie
EXPECTED = 10  # what speaks for an intent that goes on with what was talked about


def looked_at_again(agent: Agent, session: Session, reading: Reading) -> int:
    """The confidence after a second look: in the band of doubt a tie weighs against it, the context for it."""
    if band_of(agent, reading.confidence) != "reanalyse" or agent.confidence is None:
        return reading.confidence
    if _goes_on(agent, session, reading.intent):
        return min(100, reading.confidence + EXPECTED)
    second = max((sure for _, sure in reading.alternatives), default=0)
    tie = reading.confidence - second < NEAR
    return int(agent.confidence.reanalyse) - 1 if tie else reading.confidence


def _goes_on(agent: Agent, session: Session, intent: str) -> bool:
    """Whether the intent is what was last talked about, or what is under way."""
    last = session.intents_seen[-1].intent if session.intents_seen else ""
    under_way = bool(session.stack) and intent in agent.intents and agent.intents[intent].topic == "order"
    return bool(intent) and (intent == last or under_way)
