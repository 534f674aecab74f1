"""When a person must take over, as an author may say it."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Discriminator, Tag

from hilo.agent.shorthand import Declared, Duration, Names


@dataclass(frozen=True, kw_only=True)
class KeywordPolicy(Declared):
    """Hand off when one of these words or phrases is written."""

    keyword: Names


@dataclass(frozen=True, kw_only=True)
class TimeoutPolicy(Declared):
    """Hand off when what the session is for is not done after this time."""

    timeout: Duration


@dataclass(frozen=True, kw_only=True)
class SentimentLimit(Declared):
    """How unhappy is too unhappy, from −1 to 1."""

    below: float = -0.6


@dataclass(frozen=True, kw_only=True)
class SentimentPolicy(Declared):
    """Hand off when the contact is very unhappy."""

    sentiment: SentimentLimit


@dataclass(frozen=True, kw_only=True)
class IntentPolicy(Declared):
    """Hand off when the contact means this; `wants_human` is known without examples."""

    llm_intent: str


@dataclass(frozen=True, kw_only=True)
class Attempts(Declared):
    """How many answers that cannot be used are too many."""

    invalid_attempts: int = 3


@dataclass(frozen=True, kw_only=True)
class CompletionPolicy(Declared):
    """Hand off when a slot cannot be completed."""

    completion: Attempts


@dataclass(frozen=True, kw_only=True)
class StuckPolicy(Declared):
    """Hand off when more messages in a row than this came to nothing, whatever the mood."""

    stuck: int


@dataclass(frozen=True, kw_only=True)
class FailuresPolicy(Declared):
    """Hand off when so many calls in a row came to nothing, whatever they had to tell."""

    failures: int


POLICIES: dict[str, type] = {  # by priority
    "keyword": KeywordPolicy,
    "timeout": TimeoutPolicy,
    "sentiment": SentimentPolicy,
    "llm_intent": IntentPolicy,
    "completion": CompletionPolicy,
    "stuck": StuckPolicy,
    "failures": FailuresPolicy,
}


def policy_kind(policy: Any) -> str:
    """The word that an author writes for this kind of policy."""
    if isinstance(policy, dict):
        return next((kind for kind in POLICIES if kind in policy), "")
    return next((kind for kind, shape in POLICIES.items() if isinstance(policy, shape)), "")


Policy = Annotated[
    Annotated[KeywordPolicy, Tag("policy:keyword")]
    | Annotated[TimeoutPolicy, Tag("policy:timeout")]
    | Annotated[SentimentPolicy, Tag("policy:sentiment")]
    | Annotated[IntentPolicy, Tag("policy:llm_intent")]
    | Annotated[CompletionPolicy, Tag("policy:completion")]
    | Annotated[StuckPolicy, Tag("policy:stuck")]
    | Annotated[FailuresPolicy, Tag("policy:failures")],
    Discriminator(lambda policy: f"policy:{policy_kind(policy)}"),
]
