"""When a person must take over, as an author may say it."""

from dataclasses import dataclass, fields
from typing import Annotated, ClassVar, get_args

from hilo.agent.shorthand import Declared, Duration, Names
from hilo.agent.tagged import Tagged

WANTS_HUMAN = "wants_human"  # an intent that is known without examples


@dataclass(frozen=True, kw_only=True)
class BasePolicy(Declared):
    """What is true of a policy unless its kind says otherwise."""

    rule: ClassVar[str] = ""  # what must be so of its value, as authors read it

    @property
    def is_valid(self) -> bool:
        """Whether its value is as the rule says."""
        return True

    @property
    def named_intent(self) -> str:
        """The intent that the file must declare for it, if any."""
        return ""


@dataclass(frozen=True, kw_only=True)
class KeywordPolicy(BasePolicy):
    """Hand off when one of these words or phrases is written."""

    rule = "a keyword policy needs words"

    keyword: Names

    @property
    def is_valid(self) -> bool:
        return bool(self.keyword) and all(map(str.strip, self.keyword))


@dataclass(frozen=True, kw_only=True)
class TimeoutPolicy(BasePolicy):
    """Hand off when what the session is for is not done after this time."""

    rule = "a timeout must be longer than nothing"

    timeout: Duration

    @property
    def is_valid(self) -> bool:
        return bool(self.timeout)


@dataclass(frozen=True, kw_only=True)
class SentimentLimit(Declared):
    """How unhappy is too unhappy, from −1 to 1."""

    below: float = -0.6


@dataclass(frozen=True, kw_only=True)
class SentimentPolicy(BasePolicy):
    """Hand off when the contact is very unhappy."""

    rule = "`below` is from -1 to less than 0"

    sentiment: SentimentLimit

    @property
    def is_valid(self) -> bool:
        return -1 <= self.sentiment.below < 0


@dataclass(frozen=True, kw_only=True)
class IntentPolicy(BasePolicy):
    """Hand off when the contact means this; `wants_human` is known without examples."""

    llm_intent: str

    @property
    def named_intent(self) -> str:
        return "" if self.llm_intent == WANTS_HUMAN else self.llm_intent


@dataclass(frozen=True, kw_only=True)
class Attempts(Declared):
    """How many answers that cannot be used are too many."""

    invalid_attempts: int = 3


@dataclass(frozen=True, kw_only=True)
class CompletionPolicy(BasePolicy):
    """Hand off when a slot cannot be completed."""

    rule = "`invalid_attempts` is at least 1"

    completion: Attempts

    @property
    def is_valid(self) -> bool:
        return self.completion.invalid_attempts >= 1


@dataclass(frozen=True, kw_only=True)
class StuckPolicy(BasePolicy):
    """Hand off when more messages in a row than this came to nothing, whatever the mood."""

    rule = "`stuck` is at least 1"

    stuck: int

    @property
    def is_valid(self) -> bool:
        return self.stuck >= 1


@dataclass(frozen=True, kw_only=True)
class FailuresPolicy(BasePolicy):
    """Hand off when so many calls in a row came to nothing and had nothing to tell."""

    rule = "`failures` is at least 1"

    failures: int

    @property
    def is_valid(self) -> bool:
        return self.failures >= 1


AnyPolicy = (  # in order of priority
    KeywordPolicy | TimeoutPolicy | SentimentPolicy | IntentPolicy | CompletionPolicy | StuckPolicy | FailuresPolicy
)
# each is known by the one key that an author writes for it
POLICIES: dict[str, type] = {fields(shape)[0].name: shape for shape in get_args(AnyPolicy)}
TAGGED_POLICIES = Tagged("policy", "escalation", lambda: POLICIES, placeholder={"keyword": "x"})
Policy = Annotated[AnyPolicy, TAGGED_POLICIES]


def policy_kind(policy: Policy) -> str:
    """The word that an author writes for this kind of policy."""
    return fields(policy)[0].name
