"""Which slot gets which value of a message: reasons for each candidate, doubts about it, and the best set wins.

A reason finds values for slots and has a weight; the doubts about a value are taken off it. What is left over nothing
is taken, the weightiest first, each slot once and no word of the message twice. What was taken is a reason for more
(a town beside an address), so that the reasons for what nobody asked are heard again until nothing new is taken.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from hilo.agent.declaration import Agent, Slot
from hilo.dialogue.session import Session
from hilo.recognisers.found import Found, Value
from hilo.understanding.reading import Reading

MOST_ROUNDS = 5
OVERLAPS = "another slot's"  # what is said against a value that a better candidate has taken
UNSURE = "not sure"
UNASKED = 40  # reasons up to this weight have neither a question nor a name to rest on

Span = tuple[int, int]
Offer = tuple[str, Found]  # a slot, and what it may take
Find = Callable[["ValueCase"], Iterable[Offer]]
Holds = Callable[["ValueCase", "SlotCandidate"], bool]


@dataclass(frozen=True, slots=True)
class SlotCandidate:
    """A value for a slot: the reason for it, the doubts about it, and what both are worth together."""

    slot: str
    found: Found
    reason: "Reason"
    doubts: tuple[str, ...] = ()
    score: int = 0

    @property
    def is_unasked(self) -> bool:
        return self.reason.weight <= UNASKED

    @property
    def span(self) -> Span:
        return self.found.start, self.found.end


@dataclass(frozen=True, slots=True)
class Weighed:
    """What became of a candidate, to be told: its place in the message, the rule for it and those against it."""

    slot: str
    value: str
    start: int
    end: int
    rule: str
    against: tuple[str, ...] = ()
    taken: bool = True

    def __str__(self) -> str:
        against = f", but {', '.join(self.against)}" if self.against else ""
        return f"{self.slot} {'=' if self.taken else '≠'} {self.value}: {self.rule}{against}"


@dataclass(slots=True)
class ValueCase:
    """What reasons and doubts look at; `target` is the slot that was asked for or is being corrected."""

    agent: Agent
    session: Session
    reading: Reading
    target: str
    known: tuple[str, ...]  # the slots that an unasked value may be for, the likeliest first
    taken: dict[str, SlotCandidate] = field(default_factory=dict)
    lost: dict[tuple[str, Span], SlotCandidate] = field(default_factory=dict)

    @property
    def asked(self) -> str:
        """The slot that was asked for, or about."""
        return self.session.slot_in_question

    @property
    def values(self) -> dict[str, Value]:
        """What each slot has got so far."""
        return {name: each.found.value for name, each in self.taken.items()}

    def spans(self, fits: Callable[[Slot], bool]) -> list[Span]:
        """Where the values of such slots stand."""
        return [each.span for name, each in self.taken.items() if fits(self.agent.slots[name])]

    def is_free(self, found: Found) -> bool:
        """Whether no value that was taken stands there."""
        places = [each.span for each in self.taken.values() if not each.reason.overlaps]
        return all(found.end <= start or found.start >= end for start, end in places)

    def weighed(self) -> tuple[Weighed, ...]:
        """What was taken, and what was not where its slot is still empty."""
        lost = [each for each in self.lost.values() if each.slot not in self.taken]
        return tuple(self._told(each) for each in (*self.taken.values(), *lost))

    def _told(self, each: SlotCandidate) -> Weighed:
        taken = self.taken.get(each.slot) == each
        against = each.doubts if taken or each.score <= 0 else (OVERLAPS,)
        span = self.reading.text.span(*each.span)
        return Weighed(each.slot, str(each.found.value), *span, each.reason.name, against, taken)

    def take(self, candidate: SlotCandidate) -> None:
        self.taken[candidate.slot] = candidate
        self.lost.pop((candidate.slot, candidate.span), None)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a value may be for a slot."""

    name: str
    weight: int
    find: Find
    least: int = 0  # how sure the recogniser must be
    overlaps: bool = False  # its values may stand inside others


@dataclass(frozen=True, slots=True)
class Doubt:
    """What speaks against a value for a slot."""

    name: str
    weight: int
    holds: Holds


def reason(
    table: list[Reason], name: str, weight: int, *, least: int = 0, overlaps: bool = False
) -> Callable[[Find], Find]:
    """Put what finds values into a table."""

    def listed(find: Find) -> Find:
        table.append(Reason(name, weight, find, least, overlaps))
        return find

    return listed


def doubt(table: list[Doubt], name: str, weight: int) -> Callable[[Holds], Holds]:
    """Put a doubt into a table."""

    def listed(holds: Holds) -> Holds:
        table.append(Doubt(name, weight, holds))
        return holds

    return listed


def assign(case: ValueCase, reasons: Sequence[Reason], doubts: Sequence[Doubt]) -> ValueCase:
    """Take the best values of a message."""
    heard = reasons
    for _ in range(MOST_ROUNDS):
        before = len(case.taken)
        _take_best(case, heard, doubts)
        if len(case.taken) == before:
            break
        heard = [each for each in reasons if each.weight <= UNASKED]
    return case


def _take_best(case: ValueCase, reasons: Sequence[Reason], doubts: Sequence[Doubt]) -> None:
    offers = [(reason, slot, found) for reason in reasons for slot, found in reason.find(case)]
    weighed = [_weighed(case, doubts, SlotCandidate(slot, found, reason)) for reason, slot, found in offers]
    for each in sorted(weighed, key=lambda each: -each.score):  # what was found first goes first among equals
        if each.slot in case.taken:
            continue
        if each.score > 0 and (each.reason.overlaps or case.is_free(each.found)):
            case.take(each)
        else:
            case.lost.setdefault((each.slot, each.span), each)


def _weighed(case: ValueCase, doubts: Sequence[Doubt], candidate: SlotCandidate) -> SlotCandidate:
    if candidate.found.confidence < candidate.reason.least:
        return replace(candidate, doubts=(UNSURE,))
    holding = [doubt for doubt in doubts if doubt.holds(case, candidate)]
    score = candidate.reason.weight - sum(doubt.weight for doubt in holding)
    return replace(candidate, doubts=tuple(doubt.name for doubt in holding), score=score)
