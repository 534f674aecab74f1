"""When a person must take over: the agent's policies, in the order of priority that POLICIES gives."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from hilo.agent.declaration import Agent
from hilo.agent.policies import (
    CompletionPolicy,
    FailuresPolicy,
    IntentPolicy,
    KeywordPolicy,
    Policy,
    SentimentPolicy,
    TimeoutPolicy,
    policy_kind,
)
from hilo.dialogue.draft import Draft
from hilo.dialogue.effects import HandOff, RunTool, Say
from hilo.dialogue.modes import enter_mode
from hilo.dialogue.promises import TIMEOUT_TIMER, cancel_timers
from hilo.dialogue.session import Handoff, Session
from hilo.dialogue.voice import say, take_back

MAX_REASON = 400  # characters of a reason that an operator reads
STUCK_MESSAGES = 3
STUCK_WEIGHT = 0.35


@dataclass(frozen=True, slots=True)
class Signals:
    """What a policy looks at besides the session. `keywords` are the declared ones that the message has."""

    at: datetime
    keywords: tuple[str, ...] = ()
    sentiment: float = 0.0
    sentiment_causes: tuple[str, ...] = ()
    intents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Escalation:
    """Which policy asks for a person, and why."""

    policy: str
    reason: str


def check_policies(agent: Agent, session: Session, signals: Signals) -> Escalation | None:
    """The first policy that asks for a person; parse has put them in order of priority."""
    for policy in agent.escalation:
        if reason := _reason(policy, session, signals):
            return Escalation(policy_kind(policy), reason)
    return None


def _reason(policy: Policy, session: Session, signals: Signals) -> str:
    match policy:
        case KeywordPolicy(keyword=words):
            return _listed("the contact wrote", [word for word in words if word in signals.keywords])
        case TimeoutPolicy(timeout=limit):
            due = session.timers.get(TIMEOUT_TIMER)
            return late(limit) if due is not None and signals.at >= due else ""
        case SentimentPolicy(sentiment=limit):
            score = frustration(session, signals)
            causes = _listed(f"sentiment {score:.2f}", signals.sentiment_causes)
            return causes or "very unhappy" if score <= limit.below else ""
        case IntentPolicy(llm_intent=intent):
            return f"the contact means {intent}" if intent in signals.intents else ""
        case CompletionPolicy(completion=limit):
            stuck = [slot for slot, times in session.counters.invalid.items() if times >= limit.invalid_attempts]
            return _listed(f"{limit.invalid_attempts} answers could not be used for", stuck)
        case FailuresPolicy(failures=most):
            failures = session.counters.failures
            return f"{failures} calls in a row came to nothing" if failures >= most else ""


def frustration(session: Session, signals: Signals) -> float:
    """The sentiment, weighed down when an unhappy contact has got nowhere for some messages."""
    stuck = signals.sentiment < 0 and session.counters.without_progress >= STUCK_MESSAGES
    return max(-1.0, signals.sentiment - STUCK_WEIGHT) if stuck else signals.sentiment


def late(limit: timedelta) -> str:
    """The reason of a timeout."""
    return f"not done after {limit}"


def _listed(what: str, words: Iterable[str]) -> str:
    words = list(words)
    return f"{what} {', '.join(words)}" if words else ""


def hand_off(draft: Draft, escalation: Escalation, *, quietly: bool = False) -> None:
    """Give the session to an operator, once; the contact is told unless an operator is already writing.

    What was ordered in the same breath is not called.
    """
    draft.effects = [effect for effect in draft.effects if not isinstance(effect, RunTool)]
    cancel_timers(draft)
    if not quietly:
        take_back(draft, [effect for effect in draft.effects if not isinstance(effect, Say) or not effect.remark])
        draft.force_repeat = True
        say(draft, "handoff")
    reason = escalation.reason[:MAX_REASON]
    draft.effects.append(HandOff(escalation.policy, reason))
    record = Handoff(escalation.policy, reason, draft.now)
    draft.session.status = "handed_off"
    draft.session.holder = "operator"
    draft.session.pending = None
    draft.session.handoff = record
    draft.progress.running = ()
    draft.progress.unsaid = ()
    draft.progress.model_turn_open = False
    draft.progress.confirmed = None
    if draft.agent.operator_mode:
        enter_mode(draft, draft.agent.operator_mode)
