"""When a person must take over: the agent's policies, by priority, and confidence bands."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

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
        if reason := REASONS[type(policy)](policy, session, signals):
            return Escalation(policy_kind(policy), reason)
    return None


def _keyword(policy: KeywordPolicy, _session: Session, signals: Signals) -> str:
    found = ", ".join(word for word in policy.keyword if word in signals.keywords)
    return f"the contact wrote {found}" if found else ""


def _timeout(policy: TimeoutPolicy, session: Session, signals: Signals) -> str:
    due = session.timers.get(TIMEOUT_TIMER)
    return f"not done after {policy.timeout}" if due is not None and signals.at >= due else ""


def _sentiment(policy: SentimentPolicy, session: Session, signals: Signals) -> str:
    score = signals.sentiment
    is_said = signals.sentiment_causes != TONE_ALONE
    if score < 0 and is_said and session.counters.without_progress >= STUCK_MESSAGES:
        # Who says that they are unhappy and gets nowhere is unhappier.
        score = max(-1.0, score - STUCK_WEIGHT)
    if score > policy.sentiment.below:
        return ""
    causes = ", ".join(signals.sentiment_causes)
    return f"sentiment {score:.2f} {causes}" if causes else "very unhappy"


def _intent(policy: IntentPolicy, _session: Session, signals: Signals) -> str:
    return f"the contact means {policy.llm_intent}" if policy.llm_intent in signals.intents else ""


def _completion(policy: CompletionPolicy, session: Session, _signals: Signals) -> str:
    most = policy.completion.invalid_attempts
    stuck = ", ".join(slot for slot, times in session.counters.invalid.items() if times >= most)
    return f"{most} answers could not be used for {stuck}" if stuck else ""


def _stuck(policy: StuckPolicy, session: Session, _signals: Signals) -> str:
    unclear = session.counters.unclear
    return f"{unclear} messages in a row came to nothing" if unclear > policy.stuck else ""


def _failures(policy: FailuresPolicy, session: Session, _signals: Signals) -> str:
    failures = session.counters.failures
    return f"{failures} calls in a row came to nothing" if failures >= policy.failures else ""


# Why each kind of policy asks for a person, if it does.
REASONS: Mapping[type[Policy], Callable[[Any, Session, Signals], str]] = {
    KeywordPolicy: _keyword,
    TimeoutPolicy: _timeout,
    SentimentPolicy: _sentiment,
    IntentPolicy: _intent,
    CompletionPolicy: _completion,
    StuckPolicy: _stuck,
    FailuresPolicy: _failures,
}


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
