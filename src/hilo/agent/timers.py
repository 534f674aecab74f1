"""What an author may say about time: timers, what they do, and the hours in which they do nothing."""

from dataclasses import dataclass
from datetime import time, timedelta
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from hilo.agent.moments import AnyDue, Moment
from hilo.agent.shorthand import Declared, read_clock, read_duration

ACTIONS = ("say", "start", "handoff", "mode")  # of which a timer does one
SILENCE = "of silence"


@dataclass(frozen=True, slots=True)
class After:
    """How long a timer runs: from the beginning of what it stands in, or from the contact's last message."""

    duration: timedelta
    silence: bool = False


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From this time of day up to that one, which may be on the next day, no timer falls due."""

    begin: time
    end: time

    def has(self, clock: time) -> bool:
        """Whether a time of day is one of them; their end is not."""
        if self.begin <= self.end:
            return self.begin <= clock < self.end
        # over midnight
        return clock >= self.begin or clock < self.end


def _after(value: Any) -> Any:
    if not isinstance(value, str):
        return value if isinstance(value, After) else read_duration(value)
    silence = value.strip().endswith(SILENCE)
    return After(read_duration(value.strip().removesuffix(SILENCE)), silence)


def _quiet_hours(value: Any) -> Any:
    if isinstance(value, QuietHours):
        return value
    begin, _, end = value.partition(" to ") if isinstance(value, str) else ("", "", "")
    try:
        return QuietHours(read_clock(begin), read_clock(end))
    except ValueError:
        raise ValueError("must be hours such as 21:00 to 08:00") from None


AnyAfter = Annotated[After, BeforeValidator(_after, json_schema_input_type=str)]
AnyQuietHours = Annotated[QuietHours, BeforeValidator(_quiet_hours, json_schema_input_type=str)]


@dataclass(frozen=True, kw_only=True)
class Timer(Declared):
    """A durable promise: after this long (`6m of silence`), or at this time, do that.

    `at` is a time of day, a moment that hangs on slots (`24h before {dia} {hora}`), or `open`: the next time that the
    business opens.

    With `consent: silence` the flow that it starts may call a tool that needs a yes: no answer is taken for one.
    """

    after: AnyAfter | None = None
    at: AnyDue | None = None
    when: str = ""
    say: str = ""
    start: str = ""
    handoff: str = ""
    mode: str = ""
    at_most: int = 1
    consent: Literal["ask", "silence"] = "ask"

    @property
    def of_silence(self) -> bool:
        """Whether it counts from the contact's last message."""
        return self.after is not None and self.after.silence

    @property
    def moment(self) -> Moment | None:
        """The moment of the contact's own data that it hangs on, if it does."""
        return self.at if isinstance(self.at, Moment) else None
