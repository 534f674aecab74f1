"""The timers of a session: each promise is moved, cancelled or kept, once, and none is missing."""

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from month.case import Case
from month.records import Sitting, Turn

LATE = timedelta(seconds=2)  # a timer that is due while there is a process fires within this

_TIMER = re.compile(r"^(SetTimer|CancelTimer)\(([^,)]+)(?:, ([^)]+))?\)$")


@dataclass
class Promises:
    """Goes through a session's turns with the promises that stand."""

    case: Case
    sitting: Sitting
    standing: dict[str, datetime] = field(default_factory=dict)
    fired: Counter[tuple[str, datetime]] = field(default_factory=Counter)
    acted: Counter[str] = field(default_factory=Counter)  # by timers of the mode since it was entered
    mode: str = ""

    def judge(self) -> None:
        self.mode = self.case.agent.first_mode
        for turn in self.sitting.turns:
            if turn.event == "TimerFired":
                self._keep(turn)
            for effect in turn.effects:
                self._promise(turn, effect)
            self._enter(turn)
            if turn.event == "MessageReceived":
                self._expect(turn)
        for name, due in self.standing.items():
            self._blame("timer lost", name, due)
        for (name, due), times in self.fired.items():
            if times > 1:
                self._blame("timer doubled", name, due, times)

    def _keep(self, turn: Turn) -> None:
        name, due = turn.told[0]["name"], datetime.fromisoformat(turn.told[0]["due"])
        self.fired[name, due] += 1
        counts = self.case.verdict.counts
        if self.standing.get(name) != due:
            counts["timers overtaken by a message"] += 1
            if turn.effects:
                self._blame("a timer that was cancelled acted", name, due)
            return
        del self.standing[name]
        counts["timers fired"] += 1
        counts["timers fired late, after an outage"] += turn.at - due > LATE
        if turn.at < due or turn.at - self._possible(due) > LATE:
            self._blame("timer fired at a wrong time", name, due, turn.at)

    def _possible(self, due: datetime) -> datetime:
        """When a timer could fire first: after the outages that it fell into."""
        for outage in self.case.story.outages:
            if outage.begin <= due <= outage.end:
                due = outage.end
        return due

    def _promise(self, turn: Turn, effect: str) -> None:
        found = _TIMER.match(effect)
        if found is None:
            return
        counts, name = self.case.verdict.counts, found[2]
        if name in self.standing and turn.at - self._possible(self.standing[name]) > LATE:
            self._blame("timer lost", name, self.standing[name])
        if found[1] == "SetTimer":
            counts["timers moved" if name in self.standing else "timers set"] += 1
            self.standing[name] = datetime.fromisoformat(found[3])
        elif self.standing.pop(name, None) is None:
            self._blame("a timer was cancelled that nobody had set", name)
        else:
            counts["timers cancelled"] += 1

    def _enter(self, turn: Turn) -> None:
        for _, mode in turn.trace.get("modes", ()):
            self.mode = mode
            self.acted.clear()
        self.acted.update(turn.trace.get("steps", ()))

    def _expect(self, turn: Turn) -> None:
        """While the agent answers, every message moves the mode's timers of silence, as the agent file says."""
        agent = self.case.agent
        if self.mode == agent.operator_mode or self.mode not in agent.modes:
            return
        for name, timer in agent.modes[self.mode].timers.items():
            key = f"timer.{self.mode}.{name}"
            if timer.after is None or not timer.after.silence or self.acted[key] >= timer.at_most:
                continue
            if self.standing.get(key) != (due := self.case.awake(turn.at + timer.after.duration)):
                self._blame("silence is not counted", key, turn.number, self.standing.get(key), due)

    def _blame(self, what: str, *where: object) -> None:
        self.case.verdict.blame(what, self.sitting.contact, self.sitting.id, *where)
