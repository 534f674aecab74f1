"""What a message gives a tool: a value for each parameter that a slot is named for, one call for each of several."""

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from hilo.agent.declaration import LOOKED_UP, MESSAGE, Agent, Intent, Slot
from hilo.dialogue.commands import CallTool, GiveArgument
from hilo.dialogue.session import AskedArgument
from hilo.dialogue.tool_questions import stems
from hilo.recognisers.choices import BESIDE_A_CHOICE
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text, fold, normalise, words
from hilo.slots.utterance import SURE
from hilo.understanding.orders.words import ADJECTIVES
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.reading import Reading
from hilo.understanding.slot_values import FILLERS, Values

MOST_CALLS = 8
LONGEST_PHRASE = 80  # characters of a free text after its cue
MOST_BESIDE = 3  # words beside "cualquiera"
SHORT = 2  # letters of a unit; what is longer is a name's

_JOINT = re.compile(r"\s*(?:,\s*(?:y|e|o|and|or)\s+|,|\s(?:y|e|o|and|or)\s)\s*")
_MEMBER = re.compile(r"\s*,\s+(?:(?:y|e|and)\s+)?|\s+(?:y|e|and)\s+", re.IGNORECASE)
_DANGLING = re.compile(r"\s+(?:y|e|o|and|or)$")
_MINUS = re.compile(r"(?:(?:^|[\s(])[-−]|(?<!o )(?<!al )\bmenos\s+)$")
_OF = frozenset(("de", "d", "of"))  # they stand inside names too
_STOP = re.compile(r"[?!;:\n]|\.(?!\d)")

_MORE = frozenset(("mas", "more"))
SIZES = ADJECTIVES | frozenset(["litro", "litros", "medio", "media", "kilo", "kilos", "cuarto", "y", "gramos"])


def calls_of(agent: Agent, intent: Intent, clause: str, *, now: datetime) -> tuple[CallTool, ...]:
    """The calls that a part of a message asks for: one for each member of a list, or for each value it names."""
    members = [_rows(agent, intent, each, now) for each in _MEMBER.split(clause, MOST_CALLS)]
    whole = all(_is_whole(agent, intent, row) for rows in members for row in rows)
    rows = [row for each in members for row in each] if whole else _rows(agent, intent, clause, now)
    return tuple(CallTool(intent.do, row) for place, row in enumerate(rows) if row not in rows[:place])[:MOST_CALLS]


def _is_whole(agent: Agent, intent: Intent, row: Mapping[str, Any]) -> bool:
    """Whether a member says all that the tool needs by itself; what needs nothing is never parted."""
    parameters = agent.toolbox[intent.do].parameters if intent.do in agent.toolbox else {}
    needed = [name for name, is_needed in parameters.items() if is_needed]
    return bool(needed) and all(name in row and name not in intent.arguments for name in needed)


def _rows(agent: Agent, intent: Intent, clause: str, now: datetime) -> list[dict[str, Any]]:
    given = {name: values for name, values in _given(agent, intent, clause, now).items() if values}
    count = max((len(each) for name, each in given.items() if _is_listed(agent, name, each)), default=1)
    return [{name: _value_in(each, row, count) for name, each in given.items()} for row in range(count)]


def _is_listed(agent: Agent, name: str, values: tuple[Any, ...]) -> bool:
    """Whether several values are several wishes; a second number is one only after a word of its slot's own."""
    return isinstance(values[0], str) or (name in agent.slots and bool(agent.slots[name].before))


def _value_in(values: tuple[Any, ...], row: int, count: int) -> Any:
    """Values that are as many as the calls go one to each: "10 km y 5 millas a metros"."""
    return values[row] if len(values) == count else values[0]


def _given(agent: Agent, intent: Intent, clause: str, now: datetime) -> dict[str, tuple[Any, ...]]:
    parameters = agent.toolbox[intent.do].parameters if intent.do in agent.toolbox else {}
    # nobody tells what a search came to: "¿cuánto es el total de los 3?"
    searched = {name for flow in agent.flows.values() for name in flow.finds} & agent.found_only()
    sources = {name: slot for name in parameters if (slot := intent.slot_of(name, agent.slots))}
    said = {
        name: (clause if value == MESSAGE else value,)
        for name, value in intent.arguments.items()
        if name not in sources and value != LOOKED_UP
    }
    slots = {name: agent.slots[slot] for name, slot in sources.items() if slot not in searched}
    return {**said, **_by_slot(slots, Values(agent.fold(clause), (), now, agent.country))}


def _by_slot(slots: Mapping[str, Slot], values: Values) -> dict[str, tuple[Any, ...]]:
    return {name: tuple(each.value for each in found) for name, found in found_by_slot(slots, values).items()}


def found_by_slot(slots: Mapping[str, Slot], values: Values) -> Mapping[str, tuple[Found, ...]]:
    """Values after a slot's own words first; what they leave goes to the slots that have none, and then to the rest."""
    taken: dict[str, tuple[Found, ...]] = {}
    dates = tuple(each for slot in slots.values() if slot.type == "date" for each in values.of(slot))
    for name in sorted(slots, key=lambda name: not slots[name].before):
        free = [each for each in _candidates(slots[name], values) if _is_free(each, taken)]
        if slots[name].kind.is_free:
            free = [each for each in free if _is_free(each, {"": dates})]  # "el 25 de diciembre" is no place
        if slots[name].before and not slots[name].kind.is_free:
            free = _cued(values.text, free, slots[name].before)
        taken[name] = tuple(sorted(free, key=lambda each: each.start))
    return _shared(slots, taken, values.text)


def _shared(
    slots: Mapping[str, Slot], taken: dict[str, tuple[Found, ...]], text: Text
) -> Mapping[str, tuple[Found, ...]]:
    """Of two values the second goes to an empty slot of the same choices, unless they are a list: "10 km millas"."""
    for name, found in taken.items():
        alike = [other for other in slots if not taken[other] and slots[other].choices == slots[name].choices]
        if alike and slots[name].choices and len(found) == 2 and not _JOINT.search(text.folded, *_between(found)):  # noqa: PLR2004
            return {**taken, name: found[:1], alike[0]: found[1:]}
    return taken


def _between(found: tuple[Found, ...]) -> tuple[int, int]:
    return found[0].end, found[1].start


def _candidates(slot: Slot, values: Values) -> tuple[Found, ...]:
    if slot.kind.is_free and not slot.pattern:
        return tuple(_phrases(slot, values.text))
    found = values.of(slot)
    if slot.kind.is_signed:
        found = tuple(each for each in found if each.confidence >= SURE) or found  # the "un" of "un dado de 20" is none
    if slot.kind.is_signed and (slot.min is None or slot.min < 0):
        return tuple(_signed(values.text, each) for each in found)
    return found


def _signed(text: Text, found: Found) -> Found:
    """A slot that may be below zero takes the sign too: "-40 celsius", "menos cinco grados"."""
    match found.value:
        case int() | Decimal() as amount if amount > 0 and _MINUS.search(text.folded[: found.start]):
            return replace(found, value=-amount)
        case _:
            return found


def _is_free(found: Found, taken: Mapping[str, tuple[Found, ...]]) -> bool:
    return all(found.end <= other.start or found.start >= other.end for each in taken.values() for other in each)


def _cued(text: Text, found: list[Found], cues: tuple[str, ...]) -> list[Found]:
    """Those that follow one of the words, and the rest of a list that begins so: "a libras, onzas y gramos"."""
    kept: list[Found] = []
    for each in sorted(found, key=lambda each: each.start):
        goes_on = bool(kept) and _JOINT.fullmatch(text.folded, kept[-1].end, each.start) is not None
        if goes_on or _follows(text, each, cues):
            kept.append(each)
    return kept


def _follows(text: Text, found: Found, cues: tuple[str, ...]) -> bool:
    before = text.folded[: found.start].split()
    return bool(before) and before[-1].strip("¿¡(") in {fold(cue) for cue in cues}


def _phrases(slot: Slot, text: Text) -> Iterator[Found]:
    """Free texts that follow one of the slot's words: "en Tokio y en Nueva York"; Santiago de Chile is one of them."""
    cues = [fold(cue) for cue in slot.before]
    if not cues or len(text.raw) != len(text.folded):
        return
    lead, again = _any_of(cues), _any_of([cue for cue in cues if cue not in _OF])
    at = 0
    while cue := lead.search(text.folded, at):
        stop = _STOP.search(text.folded, cue.end())
        end = min(stop.start() if stop else len(text.folded), cue.end() + LONGEST_PHRASE)
        new = again.search(text.folded, cue.end(), end)
        at = new.start() if new else end
        yield from _listed(text, cue.end(), at, lead)


def _any_of(cues: list[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, cues)) or '(?!)'})\s+")


def _listed(text: Text, start: int, end: int, lead: re.Pattern[str]) -> Iterator[Found]:
    """The members of a list, without the slot's word before each: "Tokio, Londres y en París"."""
    while start < end:
        joint = _JOINT.search(text.folded, start, end)
        stop = joint.start() if joint else end
        cue = lead.match(text.folded, start, stop)
        first = cue.end() if cue else start
        member = _DANGLING.sub("", text.raw[first:stop].strip(" ,"))
        if words(normalise(member)):
            yield Found("text", member, first, stop)
        start = joint.end() if joint else end


def answer_of(agent: Agent, asked: AskedArgument, reading: Reading) -> GiveArgument | None:
    """What a message gives a tool that has asked: one of what was offered, a value of the slot, or the words."""
    found = _found(agent, asked, reading)
    if not found and len(asked.offered) == 1 and reading.is_only("affirm"):
        return GiveArgument(asked.offered[0], asked.parameter)
    if not found and asked.offered and takes_any(reading):
        return GiveArgument(asked.offered[0], asked.parameter)
    if asked.offered and (by_price := _by_price(asked, reading)):
        return GiveArgument(by_price, asked.parameter)
    if found or asked.offered:
        value = found[0].value if found else _narrowed(asked, reading)
        return GiveArgument(value, asked.parameter) if value else None
    slot = agent.slots.get(asked.slot)
    return _words(reading, asked.parameter, slot) if slot is None or slot.kind.is_free else None


def _by_price(asked: AskedArgument, reading: Reading) -> str:
    """The words of who wants the cheapest or the dearest, with what it is: the tool knows the prices."""
    text = reading.text.folded
    said = pattern_of("cheapest").search(text) or pattern_of("dearest").search(text)
    if said is None or reading.has("question", "deny"):
        return ""
    before = " ".join(re.findall(r"[\w.,]+", text[: said.start()])).strip(",. ")
    names_it = set(stems(before)) & set(stems(asked.about))
    return " ".join(filter(None, ("" if names_it else asked.about, before, said[0])))


def takes_any(reading: Reading) -> bool:
    """Whether the contact leaves it to us: "cualquiera está bien"."""
    said = pattern_of("any one").search(reading.text.folded)
    beside = len(reading.text.folded.split()) - len(said[0].split()) if said else 0
    return said is not None and beside <= MOST_BESIDE and not reading.has("question", "deny")


def is_bare_answer(agent: Agent, asked: AskedArgument, reading: Reading) -> bool:
    """Whether a message is nothing but what was asked for, with the small words before it: "a libras"."""
    slot = agent.slots.get(asked.slot)
    small = FILLERS | BESIDE_A_CHOICE | {fold(cue) for cue in (slot.before if slot else ())}
    if asked.offered and (takes_any(reading) or _by_price(asked, reading)):
        return True
    return bool(_narrowed(asked, reading)) or any(
        is_small(reading.text, each, small) for each in _found(agent, asked, reading)
    )


def is_small(text: Text, found: Found, small: AbstractSet[str]) -> bool:
    """Whether nothing but small words stands beside a value."""
    rest = f"{text.folded[: found.start]} {text.folded[found.end :]}"
    return all(word in small for word in re.findall(r"\w+", rest))


def _found(agent: Agent, asked: AskedArgument, reading: Reading) -> tuple[Found, ...]:
    """What was offered and is named now, or values of the slot."""
    if asked.offered:
        return reading.values.among(asked.offered)
    slot = agent.slots.get(asked.slot)
    return reading.values.of(slot, asked=True) if slot else ()


def _narrowed(asked: AskedArgument, reading: Reading) -> str:
    """The words of an answer that fits several of what was offered, with what these share: the tool asks anew."""
    said = [word.text for word in words(reading.text) if word.text not in FILLERS | _MORE]
    named, sized = [word for word in said if word not in SIZES], [word for word in said if word in SIZES]
    offered = [fold(each).replace("'", "").split() for each in asked.offered]
    fitting = [each for each in offered if all(word in each for word in named)]
    if not said or not fitting or reading.acts:
        return ""
    common = {word for word in fitting[0] if len(word) > SHORT and all(word in each for each in fitting)}
    return " ".join(dict.fromkeys((*(word for word in fitting[0] if word in common or word in named), *sized)))


def _words(reading: Reading, parameter: str, slot: Slot | None) -> GiveArgument | None:
    cued = list(_phrases(slot, reading.text)) if slot else []
    text = str(cued[0].value) if cued else reading.text.raw.strip()
    plain = any(letter.isalnum() for letter in text) and not any(act.whole for act in reading.acts)
    return GiveArgument(text[:LONGEST_PHRASE], parameter) if plain else None
