"""When a person must take over: the agent's policies, by priority, and confidence bands."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from hilo.agent.declaration import Agent
from hilo.agent.policies import (
    CompletionPolicy,
    FailuresPolicy,
    IntentPolicy,
    KeywordPolicy,
    Policy,
    SentimentPolicy,
    StuckPolicy,
    TimeoutPolicy,
    policy_kind,
)
from hilo.dialogue.draft import Draft, answering, but
from hilo.dialogue.effects import HandOff, Question, RunTool
from hilo.dialogue.modes import enter_mode
from hilo.dialogue.opening import is_closed
from hilo.dialogue.session import AskedSlot, Handoff, Session
from hilo.dialogue.timers import TIMEOUT_TIMER, UNANSWERED, cancel_timers, set_timer
from hilo.dialogue.wording import say, take_back

MAX_REASON = 400  # characters of a reason that an operator reads
PATIENCE = timedelta(minutes=15)  # with a handoff that nobody takes
ONLY_A_PERSON = frozenset({"unknown_outcome", "error"})  # what the agent cannot go on from
STUCK_MESSAGES = 3
STUCK_WEIGHT = 0.35
TONE_ALONE = ("tone",)  # nothing bad is said: it only sounds so

Band = Literal["proceed", "reanalyse", "clarify", "unclear"]


@dataclass(frozen=True, slots=True)
class Signals:
    """What a policy looks at besides the session. `keywords` are declared ones in the message."""

    at: datetime
    keywords: tuple[str, ...] = ()
    sentiment: float = 0.0
    sentiment_causes: tuple[str, ...] = ()
    intents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Escalation:
    """Which policy asks for a person, and why; perhaps for one of a team."""

    policy: str
    reason: str
    team: str = ""


def check_policies(agent: Agent, session: Session, signals: Signals) -> Escalation | None:
    """The first policy that asks for a person; parse has put them in order of priority."""
    for policy in agent.escalation:
        if reason := _reason(policy, session, signals):
            return Escalation(policy_kind(policy), reason)
    return None


def _reason(policy: Policy, session: Session, signals: Signals) -> str:
    match policy:
        case KeywordPolicy(keyword=words):
            found = ", ".join(word for word in words if word in signals.keywords)
            return f"the contact wrote {found}" if found else ""
        case TimeoutPolicy(timeout=limit):
            due = session.timers.get(TIMEOUT_TIMER)
            return f"not done after {limit}" if due is not None and signals.at >= due else ""
        case SentimentPolicy(sentiment=limit):
            score = signals.sentiment
            is_said = signals.sentiment_causes != TONE_ALONE
            if score < 0 and is_said and session.counters.without_progress >= STUCK_MESSAGES:
                # Who says that they are unhappy and gets nowhere is unhappier.
                score = max(-1.0, score - STUCK_WEIGHT)
            if score > limit.below:
                return ""
            causes = ", ".join(signals.sentiment_causes)
            return f"sentiment {score:.2f} {causes}" if causes else "very unhappy"
        case IntentPolicy(llm_intent=intent):
            return f"the contact means {intent}" if intent in signals.intents else ""
        case CompletionPolicy(completion=limit):
            most = limit.invalid_attempts
            invalid = session.counters.invalid.items()
            stuck = ", ".join(slot for slot, times in invalid if times >= most)
            return f"{most} answers could not be used for {stuck}" if stuck else ""
        case StuckPolicy(stuck=most):
            unclear = session.counters.unclear
            return f"{unclear} messages in a row came to nothing" if unclear > most else ""
        case FailuresPolicy(failures=most):
            failures = session.counters.failures
            return f"{failures} calls in a row came to nothing" if failures >= most else ""


def band_of(agent: Agent, confidence: float) -> Band:
    """How sure a meaning must be to be acted on, looked at again, asked about; below it the ladder is climbed.

    Half-open, from the agent file; an agent that declares none is content with whatever was found.
    """
    bands = agent.confidence
    if bands is None or confidence >= bands.proceed:
        return "proceed"
    if confidence >= bands.reanalyse:
        return "reanalyse"
    return "clarify" if confidence >= bands.clarify else "unclear"


def tell_operators(draft: Draft, escalation: Escalation) -> None:
    """A person has something to see to; the session stays the agent's, and the contact waits for nobody."""
    draft.effects.append(HandOff(escalation.policy, escalation.reason[:MAX_REASON], escalation.team))


def hand_off(draft: Draft, escalation: Escalation, *, quietly: bool = False) -> None:
    """Give the session to an operator, once; the contact is told unless one is already writing.

    What was ordered in the same breath is not called.
    """
    draft.effects = list(but(draft.effects, RunTool))
    cancel_timers(draft)
    if not quietly:
        # A person goes on: what was about to be asked or remarked is not said any more.
        take_back(draft, [each for each in but(draft.effects, Question) if not getattr(each, "remark", False)])
        draft.force_repeat = True
        say(draft, "handoff_closed" if is_closed(draft) else "handoff")
    policy, reason = escalation.policy, escalation.reason[:MAX_REASON]
    draft.effects.append(HandOff(policy, reason, escalation.team))
    session, progress = draft.session, draft.progress
    is_waited_for = not quietly and (answering(draft) or policy == "timeout")
    if is_waited_for and policy not in ONLY_A_PERSON:
        set_timer(draft, UNANSWERED, draft.now + PATIENCE)
    session.status = "handed_off"
    session.holder = "operator"
    session.pending = None
    slot = draft.asked.slot if isinstance(draft.asked, AskedSlot) else ""
    session.handoff = Handoff(policy, reason, draft.now, slot=slot, mode=session.mode)
    progress.running = ()
    progress.later = ()
    progress.unsaid = ()
    progress.model_turn_open = False
    progress.confirmed = None
    if draft.agent.operator_mode:
        enter_mode(draft, draft.agent.operator_mode)
