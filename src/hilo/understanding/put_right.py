"""A value that puts right what was given: "mejor a las 11", "no, es Eva", "que sean dos", "al revés".

The value tells which slot is meant, where nothing else stands in the message but words that mend (`mends` in the
packs) or ask ("¿puede ser a las 9?"). Of several slots that fit, the one that takes most of the words is meant; then
the one that was given last, then the only one. Where two are left, the contact is asked which.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from hilo.agent.declaration import Agent, Slot
from hilo.dialogue.session import AskedSlot, AskedSure, AskedWhich, AskedYes, Session
from hilo.packs.pack import fold
from hilo.recognisers.found import Found, Value
from hilo.recognisers.normalise import hidden
from hilo.recognisers.people.fuller_names import fuller_name
from hilo.recognisers.people.name_words import GIVEN_NAMES
from hilo.recognisers.people.others import is_another, is_related
from hilo.recognisers.people.spelling import respelt
from hilo.slots.utterance import SURE
from hilo.understanding.arguments import takes_any
from hilo.understanding.days_in_context import day_in_context
from hilo.understanding.plain_phrases import any_of, pattern_of, phrases_of
from hilo.understanding.reading import Reading
from hilo.understanding.slot_values import FILLERS, Values

MENDS, EXCUSES, BESIDE, ASKS, TOLD = "mends", "excuses", "beside a value", "asks whether", "told already"
LONGEST = 120  # characters of a message that is nothing but a correction
_BOUND = re.compile(r" (?:\w+ )?(?:antes|despues|mas tarde|mas temprano) de")  # what a no before it turns
_WORD = re.compile(r"\w+")
_EXCLAIMS = re.compile(r"\b(?:que|muy|re|tan|demasiado|bastante) $")
_ARTICLES = frozenset(("el", "la", "las", "los", "al"))
# words before a value of a type that tell it from others: "a las 11" counts nobody
_LEADS = {
    "time": frozenset(("las", "la", "tipo", "at")),
    "date": frozenset(("el", "on")),
    "number": frozenset(("sean", "somos", "son", "vamos", "seamos", "seremos")),
}


@dataclass(frozen=True, slots=True)
class PutRight:
    """What a message makes otherwise: the values of slots, and whether it says so or may only mean it.

    With `which` the contact has to say for which of the slots it is.
    """

    values: tuple[tuple[str, Value], ...]
    sure: bool = True
    span: tuple[int, int] = (0, 0)
    which: bool = False

    @property
    def slots(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.values)


def put_right(agent: Agent, session: Session, reading: Reading) -> PutRight | None:
    """What a message puts right by a value alone."""
    if len(reading.text.folded) > LONGEST or not session.slots:
        return None
    if _asks_which(session) and not mends(reading):
        return None  # it names the slot
    if reading.is_only("affirm", "deny", "skip", "cancel", "thanks", "greet"):
        return None
    if swapped := _swapped(agent, session, reading):
        return swapped
    if told := _respelt(agent, session, reading) or _fuller(agent, session, reading):
        return told
    fitting = list(_fitting(agent, session, reading))
    asked = session.pending.slot if isinstance(session.pending, AskedSlot) else ""
    # what was given is put right before what is still to come
    fitting = [each for each in fitting if each.slot in session.slots or each.slot == asked] or fitting
    most = max((each.weight for each in fitting), default=None)
    best = [each for each in fitting if each.weight == most]
    if not best or any(each.slot == asked for each in (best if mends(reading) else fitting)):
        return None  # nothing is put right, or the question is answered
    best = _likeliest(session, best)
    if not any(each.slot in session.slots for each in best):
        best = best[:1]  # what is asked for first: the day of setting out comes before that of coming back
    if any(session.slots.get(each.slot) == each.found.value for each in best):
        return None
    found = best[0].found
    values = tuple((each.slot, each.found.value) for each in best)
    return PutRight(values, all(each.sure for each in best), (found.start, found.end), which=len(values) > 1)


def _asks_which(session: Session) -> bool:
    """Whether we wait to hear which slot is meant, and have no value for it."""
    return isinstance(session.pending, AskedWhich) and session.pending.value is None


def mends(reading: Reading) -> bool:
    """Whether a message has words that put something right."""
    return _mending().search(reading.text.folded) is not None


# --- one for the other --------------------------------------------------------------------------------------


def _swapped(agent: Agent, session: Session, reading: Reading) -> PutRight | None:
    """Two values in each other's place, where just two of one type were given."""
    text = reading.text.folded
    said = pattern_of("swaps").search(text)
    if said is None or _kinds(text[: said.start()]) is None or _kinds(text[said.end() :]) is None:
        return None
    by_type: dict[str, list[str]] = {}
    for name in _filled(agent, session):
        by_type.setdefault(agent.slots[name].type, []).append(name)
    pairs = [names for names in by_type.values() if len(names) == 2]  # noqa: PLR2004 -- one and the other
    if len(pairs) != 1:
        return None
    one, other = pairs[0]
    values = ((one, session.slots[other]), (other, session.slots[one]))
    return PutRight(values, span=said.span())


def _respelt(agent: Agent, session: Session, reading: Reading) -> PutRight | None:
    """A known name or address that is spelt otherwise, or just so: "es Meza con z", "el mail va con b larga"."""
    if "?" in reading.text.raw:
        return None
    named = {each.slot for each in reading.mentions}
    for name in session.slots:
        slot, known = agent.slots[name], str(session.slots[name])
        is_spelt = slot.kind.names_person or slot.type in ("email", "organisation")
        if not is_spelt or name in agent.found_only() or name in session.written:
            continue
        is_last = not named and name == session.last_slot
        is_meant = is_last or name in named
        if slot.kind.names_person and "apellido" in reading.text.folded:
            is_meant = slot.part == "family" or (not slot.part and " " in known)
        told = respelt(known, reading.text, is_meant=is_meant)
        if told and (not is_last or says_nothing_else(reading.text.folded[: told[0]])):
            return PutRight(((name, told[2]),), span=told[:2])
    return None


def _fuller(agent: Agent, session: Session, reading: Reading) -> PutRight | None:
    """A known name with more of it: "el apellido es Gil", "Ana María"."""
    named = [name for name, slot in agent.slots.items() if slot.kind.names_person]  # one may be for the family name
    known = session.slots.get(named[0]) if len(named) == 1 else None
    told = fuller_name(str(known), reading.text) if known else None
    return PutRight(((named[0], told[2]),), span=told[:2]) if told else None


# --- values -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Fitting:
    slot: str
    found: Found
    sure: bool
    led: bool  # whether the word before it is one that leads such a value
    is_hour: bool

    @property
    def weight(self) -> tuple[bool, int, bool, bool]:
        """What leads it, how much it explains; a bare number is a count rather than an hour."""
        return self.led, self.found.end - self.found.start, not self.is_hour, self.found.confidence >= SURE


def _fitting(agent: Agent, session: Session, reading: Reading) -> Iterator[_Fitting]:
    """The slots that take a value which is all of the message but for words that mend or ask."""
    named = [mention for mention in reading.mentions if mention.slot in session.slots]
    spans = [(mention.start, mention.end) for mention in named]
    text = hidden(reading.text, spans).folded
    values = _after_opening(reading).without(spans)
    asked = [session.pending.slot] if isinstance(session.pending, AskedSlot) else []
    to_come = _to_come(agent, session)
    among = [mention.slot for mention in named] or [*_filled(agent, session), *asked, *to_come]
    for name in dict.fromkeys(among):
        slot = agent.slots[name]
        if slot.kind.sort == "boolean" or (slot.kind.is_free and not slot.pattern):
            continue
        if slot.kind.sort == "choice" and asked and takes_any(reading):
            continue  # "cualquiera" is said of what was asked
        cues = {fold(word) for word in slot.before}
        for each in values.of(slot, asked=name not in to_come):  # "somos 2" is no hour
            found = day_in_context(agent, session, reading, (name, each), {})
            before, after = _kinds(text[: found.start], cues), _kinds(text[found.end :])
            word = _word_before(text, found.start)
            if before is None or after is None or (word in _ARTICLES and slot.kind.sort == "number"):
                continue
            if slot.kind.names_person and (not is_written_as_name(reading, found) or names_another(reading, found)):
                continue
            kinds = before | after
            # "perdón, 5" puts a number right; "perdón, Luis" may be said to Luis.
            says_so = MENDS in kinds or (EXCUSES in kinds and slot.type != "person_name")
            asks = ASKS in kinds or reading.asks
            if slot.kind.names_person and name in session.slots and reading.asks and not (says_so or named):
                continue  # "¿y Tomás?" asks about somebody else
            if says_so or asks or named or _may_be_beside(agent, session, slot, each, values):
                led = word in cues or word in _LEADS.get(slot.type, ())
                is_new = name not in session.slots  # nothing is overwritten by "¿puede ser el 11?"
                says = says_so or (bool(named) and slot.kind.sort == "number")  # "2 adultos" asks nothing
                yield _Fitting(name, found, is_new or (says and not asks), led, slot.type == "time")


def _may_be_beside(agent: Agent, session: Session, slot: Slot, found: Found, values: Values) -> bool:
    """Whether a bare value may be for another slot than what we wait for; any words could be a name.

    What holds an answer is one: "el 6 en la tarde" is the day. A bad one is: "12" passengers are no hour.
    """
    if isinstance(session.pending, AskedSlot):
        asked = agent.slots[session.pending.slot]
        is_answered = asked.kind.is_free or values.of(asked, asked=True)
        has_its_form = any(each.value == found.value for each in values.of(slot))
        return has_its_form and not is_answered and not slot.kind.names_person
    return isinstance(session.pending, AskedYes | AskedSure | AskedWhich)


def _to_come(agent: Agent, session: Session) -> list[str]:
    """The days and hours that the flow under way has still to ask for: they are told by their form."""
    collects = agent.flows[session.flow].collects if session.flow in agent.flows else ()
    return [name for name in collects if name not in session.slots and agent.slots[name].kind.is_when]


def is_written_as_name(reading: Reading, found: Found) -> bool:
    """Whether what would rename somebody is a known name or has a capital: "mejor no viajo" is nobody's."""
    written = reading.text.original(found.start, found.end)
    if is_exclaimed(reading, found):
        return False
    known = not GIVEN_NAMES.isdisjoint(_WORD.findall(reading.text.folded[found.start : found.end]))
    return known or (written[:1].isupper() and found.start > 0)


def is_exclaimed(reading: Reading, found: Found) -> bool:
    """Whether what could be a name is how something is: nobody is called as in "uy, qué caro"."""
    return _EXCLAIMS.search(reading.text.folded, 0, found.start) is not None


def names_another(reading: Reading, found: Found) -> bool:
    """Whether a name is that of one more person, so that it renames nobody: "el otro es Tomás", "mi hijo Bruno"."""
    text, start = reading.text.folded, found.start
    return is_another(text, start) or (is_related(text, start) and not reading.has("correct", "deny"))


def _word_before(text: str, start: int) -> str:
    return next(iter(text[:start].split()[-1:]), "").strip(",.;:¿¡")


def _filled(agent: Agent, session: Session) -> list[str]:
    """What contacts gave and may give anew: in the flow under way, else anywhere."""
    theirs = agent.found_only()
    # A city of a known region is told with its region, which is read elsewhere.
    regional = {slot.region_of for slot in agent.slots.values()} | {
        name for name, slot in agent.slots.items() if slot.region_of
    }
    given = [name for name in session.slots if name not in theirs | regional]
    flows = session.flows or session.finished[-1:]  # what was done last is spoken of, where nothing is under way
    under_way = {name for flow in flows for name in agent.flows[flow].collects}
    under_way.update(() if session.flows else session.written)
    return [name for name in given if name in under_way] or given


def _likeliest(session: Session, fitting: list[_Fitting]) -> list[_Fitting]:
    """The one that we have just asked about, or that was given last, by itself; else all of them."""
    if isinstance(session.pending, AskedSure):
        fitting = [each for each in fitting if each.slot == session.pending.slot] or fitting
    last = [each for each in fitting if each.slot == session.last_slot]
    given = set(session.last_given) & {each.slot for each in fitting}
    return last if last and len(given) <= 1 else fitting


def _after_opening(reading: Reading) -> Values:
    """The values of a message without the words that mend at its beginning: no name is Debería Ser Pedro."""
    text, end = reading.text.folded, 0
    while True:
        word = _WORD.search(text, end)
        opening = _phrases().match(text, word.start()) if word else None
        if opening is None or _BOUND.match(text, opening.end()):
            break
        end = opening.end()
    return reading.values.without([(0, end)]) if end else reading.values


def says_nothing_else(text: str) -> bool:
    """Whether words beside a value only mend it, or ask whether it will do."""
    return _kinds(text) is not None


def _kinds(text: str, cues: set[str] | None = None) -> set[str] | None:
    """The kinds of phrases that words beside a value are made of; None where they say something else."""
    kinds: set[str] = set()
    at = 0
    while word := _WORD.search(text, at):
        phrase = _phrases().match(text, word.start())
        if phrase:
            at = phrase.end()
            kinds.add(_kind_of()[phrase[0]])
        elif word[0] in FILLERS or word[0] in (cues or ()):
            at = word.end()
        else:
            return None
    return kinds


# --- the words ----------------------------------------------------------------------------------------------


@cache
def _kind_of() -> dict[str, str]:
    return {phrase: kind for kind in (TOLD, BESIDE, ASKS, EXCUSES, MENDS) for phrase in phrases_of(kind)}


@cache
def _phrases() -> re.Pattern[str]:
    return any_of(tuple(_kind_of()))


@cache
def _mending() -> re.Pattern[str]:
    return any_of((*phrases_of(MENDS), *phrases_of(EXCUSES)))
