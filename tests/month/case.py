"""What a judge is given: the records, what reached people, what they did, and a page for what is wrong."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hilo.agent.declaration import Agent
from month.drive import Story
from month.ledger import Copy
from month.people import LOCAL
from month.records import Records, Sitting, Turn
from month.wordings import Wordings


@dataclass
class Verdict:
    """What was counted, and what was wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def blame(self, what: str, *where: object) -> None:
        self.counts[f"wrong: {what}"] += 1
        self.wrong.append(f"{what}: {' '.join(map(str, where))}")


@dataclass(frozen=True, slots=True)
class Case:
    """One shard's month."""

    agent: Agent
    story: Story
    copies: Sequence[Copy]
    records: Records
    sittings: Sequence[Sitting]
    wordings: Wordings
    verdict: Verdict = field(default_factory=Verdict)

    def turns(self) -> dict[str, Turn]:
        """All turns, by the beginning of the ids of their messages."""
        return {f"{each.id}.{turn.number}": turn for each in self.sittings for turn in each.turns}

    def is_quiet(self, at: datetime) -> bool:
        quiet = self.agent.quiet_hours
        return quiet is not None and quiet.has((at + LOCAL).time())

    def awake(self, at: datetime) -> datetime:
        """The end of the quiet hours, for a moment in them."""
        quiet = self.agent.quiet_hours
        if quiet is None or not self.is_quiet(at):
            return at
        local = at + LOCAL
        end = local.replace(hour=quiet.end.hour, minute=quiet.end.minute, second=0, microsecond=0)
        return (end if end > local else end + timedelta(days=1)) - LOCAL


def open_case(agent: Agent, story: Story, copies: Sequence[Copy]) -> Case:
    records = Records(story.place.folder / "hilo.db")
    return Case(agent, story, copies, records, records.sittings(), Wordings(agent))
