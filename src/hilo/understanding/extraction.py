"""The values of a message as commands, by the table of reasons and doubts; and the rest of an answer in free words."""

import re
from collections.abc import Iterator
from dataclasses import replace

from hilo.agent.declaration import Agent, Slot
from hilo.agent.flow import Flow
from hilo.agent.values import Accepted, accept
from hilo.dialogue.commands import CorrectSlot, SetSlot, SkipSlot, SuggestSlot
from hilo.dialogue.session import AskedYes, Session
from hilo.recognisers.found import Found, Value
from hilo.recognisers.normalise import fold
from hilo.recognisers.people.spelling import only_spells
from hilo.recognisers.places.cities import only_region
from hilo.understanding.assignment import SlotCandidate, ValueCase, assign
from hilo.understanding.days_in_context import day_in_context
from hilo.understanding.doubts import DOUBTS, FORMER, NO_ANSWER
from hilo.understanding.labelled_values import labelled_values
from hilo.understanding.once import once_per_agent
from hilo.understanding.plain_phrases import any_of, pattern_of, told_before
from hilo.understanding.put_right import says_nothing_else
from hilo.understanding.reading import SURELY_HEARD, Reading
from hilo.understanding.reasons import REASONS, REST, TEXT_BY_NAME
from hilo.understanding.regions import with_regions
from hilo.understanding.told_again import only_complains, tells_anew
from hilo.understanding.unasked_reasons import UNASKED_REASONS, whole
from hilo.understanding.uncertain import is_uncertain

SlotCommand = SetSlot | CorrectSlot | SkipSlot | SuggestSlot
LIKELIEST = 0.4  # how probable it must be that a message answers nothing, where a slot would take any words
A_WISH = 3  # words of a question that is one: "¿cómo así?" is none
SURELY_NOTHING = 0.9  # one word that nobody knows, "Toby", is rather a name than nothing
ALL_REASONS = (*REASONS, *UNASKED_REASONS)

_LEAD_IN = re.compile(
    r"^[\s,.:;!¡¿-]*(?:(?:pues|bueno|mira|ah|eh|este|ok|si|no|claro|hola|perdon|well|yes)\b[\s,.:;!-]*)*"
    r"(?:(?:en realidad|quise decir|deberia ser|actually|i meant)[\s,:]*)?"
    r"(?:(?:(?:mi|la|el|su|my|the)\s+[\w ]{2,25}?\s+(?:es|se llama|seria|era|is)"
    r"|trabajo (?:en|para|con)|soy de|somos(?: de)?|es de|ten(?:go|emos) (?:una?|mi)|(?:es|somos) una?"
    r"|se llama|seria|es|it is|it's|i work (?:at|for))\b[\s,:]*)?"
)
# "es una panadería, se llama…"
_CALLED = re.compile(r"(?:es|tengo|tenemos|mi|la|el|una?)\b.{3,60}?\b(?:que )?se llama\s+(?=\w)")
_WORD = re.compile(r"\W*\w*[aeiou]\w*\W*")  # one that can be spoken, and no "mmm"
_APART = re.compile(r"[,.;:\n]+(?=\s|$)|\b(?:y|e|con|and)\b")  # what parts a text from what is said of a value
_FILLERS = re.compile(r"(?:[ ,]+(?:no ?m[aá]s|pues|p[oe]|che|porf[ai]s?|(?:ja){2,}))+[ .!]*$")  # said after a text
_NONE = re.compile(r"\W*(?:de |en |a |por ahora )?(?:ningun|ninguno|ninguna|none|nenhuma?)\b")


def extract(agent: Agent, session: Session, reading: Reading, target: str) -> tuple[SlotCommand, ...]:
    """Commands for the values that recognisers find; `target` is the slot that was asked for or is being corrected."""
    return commands_of(weigh(agent, session, reading, target), reading)


def extract_free(agent: Agent, session: Session, reading: Reading, target: str) -> tuple[SlotCommand, ...]:
    """The same for a message that must be the answer: a text slot takes what is left, the unreadable is refused."""
    if target and _says_there_is_none(agent.slots[target], reading):
        return (SkipSlot(target),)
    if target and _denies_having(agent, session, reading, target):
        return (SkipSlot(target),)
    case = weigh_free(agent, session, reading, target)
    return commands_of(case, reading) or tuple(_without_value(case, reading, target))


def _denies_having(agent: Agent, session: Session, reading: Reading, target: str) -> bool:
    """Whether a text that is not needed is said not to be: "no es empresa, es que hago arepas"."""
    slot = agent.slots[target]
    is_named = any(mention.slot == target for mention in reading.mentions)
    if slot.required or not slot.kind.is_free or not is_named or not reading.has("deny"):
        return False
    return target not in weigh(agent, session, reading, target).taken


def told_instead(reading: Reading) -> str | None:
    """What follows where an answer begins by saying that there is none: "no tengo empresa, vendo en la feria"."""
    skipped = [act.end for act in reading.acts if act.kind == "skip" and act.start == 0]
    rest = reading.text.original(skipped[0], len(reading.text.folded)).lstrip() if skipped else ""
    return rest.strip(" ,.;:") if rest.startswith((",", ":", ";", ".")) else None


def gives_a_value(agent: Agent, session: Session, reading: Reading, target: str) -> bool:
    """Whether a message has a value that a recogniser can tell."""
    return bool(weigh(agent, session, reading, target).taken)


def weigh(agent: Agent, session: Session, reading: Reading, target: str) -> ValueCase:
    """What each slot takes of a message, why, and what was not taken; several nodes of a turn ask for the same."""
    key = f"weighed:{id(session)}:{target}"
    # The session is kept with what was weighed, so that no other one gets its id.
    return reading.values.said.once(key, lambda: (session, _weighed(agent, session, reading, target)))[1]


def weigh_for(agent: Agent, session: Session, reading: Reading) -> ValueCase:
    """What the slots of the flows that a reading means would take, where nothing is under way."""
    return _weighed(agent, session, reading, "")


def weigh_free(agent: Agent, session: Session, reading: Reading, target: str) -> ValueCase:
    """The same, and a free text takes what is left."""
    case = weigh(agent, session, reading, target)
    rest = _rest(case, reading) if target and target not in case.taken and agent.slots[target].kind.is_free else None
    return replace(case, taken={**case.taken, target: SlotCandidate(target, rest, REST)}) if rest else case


def _weighed(agent: Agent, session: Session, reading: Reading, target: str) -> ValueCase:
    session = _as_it_starts(agent, session, reading)
    known = in_play(agent, session, reading)
    for flow in _flows_of_values(agent, session, reading):
        case = _taken(ValueCase(agent, session, reading, target, tuple(dict.fromkeys((*known, *flow.collects)))))
        if any(slots <= case.taken.keys() for slots in flow.starts_by_values):
            return case
    return _taken(ValueCase(agent, session, reading, target, known))


def _taken(case: ValueCase) -> ValueCase:
    _take_named_texts(case)
    assign(case, ALL_REASONS, DOUBTS)
    for name, each in list(case.taken.items()):
        beside = {other: value for other, value in case.values.items() if other != name}
        found = day_in_context(case.agent, case.session, case.reading, (name, each.found), beside)
        case.taken[name] = replace(each, found=found)
    return case


def _flows_of_values(agent: Agent, session: Session, reading: Reading) -> list[Flow]:
    """The flows that values alone may start, where nothing is under way or meant: "de Santiago a Lima"."""
    if session.stack or session.pending or reading.meant:
        return []
    return [flow for flow in agent.flows.values() if flow.starts_by_values]


def tells_what_we_know(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a message is nothing but a value that its slot has already."""
    told = {name: value for name, value in session.slots.items() if agent.slots[name].kind.volunteered != "no"}
    return any(each.value == value for name, value in told.items() for each in whole(reading, agent.slots[name]))


def commands_of(case: ValueCase, reading: Reading) -> tuple[SlotCommand, ...]:
    """The commands, with the regions of the cities; "San Carlos, Antioquia" tells which San Carlos it is."""
    agent, session = case.agent, case.session
    in_order = sorted(case.taken.values(), key=lambda each: each.span)
    sure = [each for each in in_order if not is_uncertain(case, each)]
    commands = tuple(_command(session, each.slot, each.found.value) for each in sure)
    unsure = tuple(SuggestSlot((each.slot,), each.found.value) for each in in_order if each not in sure)
    starts = {each.span[0]: each.slot for each in in_order if agent.slots[each.slot].kind.place == "town"}
    towns = [town for town in reading.values.places if town.start in starts] if starts else []
    told = {starts[town.start]: only_region(town.places, agent.country) for town in towns}
    return (*with_regions(agent, session, commands, told=told), *unsure)


def _command(session: Session, slot: str, value: Value) -> SlotCommand:
    return CorrectSlot(slot, value) if slot in session.slots else SetSlot(slot, value)


def _take_named_texts(case: ValueCase) -> None:
    """Take the free texts that are named; what is left of the message is for the rest."""
    agent, reading = case.agent, case.reading
    names = dict.fromkeys((*case.known, *case.session.slots))
    free = {name: agent.slots[name] for name in names if _is_free_text(agent, name)}
    named = labelled_values(free, reading.text, reading.mentions, country=agent.country) if free else []
    for each in named:
        case.take(SlotCandidate(each.slot, each.found, TEXT_BY_NAME))
    if named:
        case.reading = replace(reading, values=reading.values.without([(each.start, each.found.end) for each in named]))


def _is_free_text(agent: Agent, name: str) -> bool:
    slot = agent.slots[name]
    return slot.kind.is_free and not slot.pattern and not slot.region_of and name not in agent.found_only()


def _as_it_starts(agent: Agent, session: Session, reading: Reading) -> Session:
    """The session without what a flow that is about to start will ask anew; what is in use stays."""
    under_way = {frame.flow for frame in session.stack}
    in_use = {name for flow in under_way for name in agent.flows[flow].collects}
    starting = [agent.flows[name] for name in reading.meant if name in agent.flows and name not in under_way]
    anew = {name for flow in starting for name in flow.collects if not agent.slots[name].keep} - in_use
    if anew.isdisjoint(session.slots):
        return session
    return replace(session, slots={name: value for name, value in session.slots.items() if name not in anew})


def in_play(agent: Agent, session: Session, reading: Reading) -> tuple[str, ...]:
    """The slots that an unasked value may be for: those of the flows under way or about to start, the likeliest first.

    While a summary waits for its yes, what it is about is likelier to be changed than something new to be said.
    """
    starting = [name for name in reading.meant if name in agent.flows]
    under_way = [frame.flow for frame in reversed(session.stack)]
    opening = [] if session.finished else [name for name, flow in agent.flows.items() if flow.starts_by_itself]
    slots = dict.fromkeys(name for flow in (*starting, *under_way, *opening) for name in agent.flows[flow].collects)
    kept = [name for name, slot in agent.slots.items() if slot.keep]
    names = list(slots) or [name for name in (*session.slots, *kept) if name not in agent.found_only()]
    names = list(dict.fromkeys((*names, *_chosen_ahead(agent), *_never_asked(agent)))) if names else names
    filled_first = isinstance(session.pending, AskedYes) and not starting
    return tuple(sorted(names, key=lambda name: (name in session.slots) != filled_first))


@once_per_agent
def _chosen_ahead(agent: Agent) -> list[str]:
    """The choices that the flows of modes will ask for: "quiero la promo de dos" says one before it is its turn."""
    begun = {mode.enter.start for mode in agent.modes.values() if mode.enter and mode.enter.start}
    asked = [name for flow in sorted(begun) if flow in agent.flows for name in agent.flows[flow].collects]
    return [name for name in asked if agent.slots[name].kind.sort == "choice"]


@once_per_agent
def _never_asked(agent: Agent) -> list[str]:
    """The slots that no flow asks for and no tool fills or is given: the contact may say them at any time."""
    tools = {intent.do for intent in agent.intents.values()} & agent.toolbox.keys()
    others = {name for tool in tools for name in agent.toolbox[tool].parameters} | agent.found_only()
    others.update(name for flow in agent.flows.values() for name in flow.collects)
    return [name for name in agent.slots if name not in others]


def _rest(case: ValueCase, reading: Reading) -> Found | None:
    """What is left of the message for a text slot, without the words that lead in and those said of it."""
    if reading.is_only("skip", "affirm", "deny", "repeat", "cancel", "human"):
        return None
    start = _text_start(reading)
    if asks_as_a_wish(case.agent, case.target, reading):
        end = len(reading.text.folded)
        return Found("text", reading.text.original(start, end).strip(" ,.;:¿?¡!"), start, end)
    if _gives_nothing(reading, LIKELIEST) or only_complains(reading) or only_spells(reading.text.folded[start:]):
        return None
    if pattern_of("grumbles").search(reading.text.folded):
        return None
    starts = [each.found.start for each in case.taken.values()]
    end = min((first for first in starts if first >= start), default=len(reading.text.folded))
    if start >= end or any(first < start for first in starts):
        return None
    end = _text_end(reading, start, _without_lead(reading, start, end) if end in starts else end)
    text = _FILLERS.sub("", reading.text.original(start, end)).strip(" ,.;:¿¡")
    return Found("text", text, start, end) if any(letter.isalnum() for letter in text) else None


def asks_as_a_wish(agent: Agent, asked: str, reading: Reading) -> bool:
    """Whether a question is what the contact is after, where that is asked for: "¿en qué te ayudamos?"."""
    slot = agent.slots.get(asked)
    return slot is not None and slot.wish and reading.has("question") and len(reading.text.folded.split()) >= A_WISH


def _without_lead(reading: Reading, start: int, value: int) -> int:
    """Where a text ends before the value of another slot and what is said of it: "Acme y tengo un presupuesto de 5"."""
    end = max((sign.start() for sign in _APART.finditer(reading.text.folded, start, value)), default=start)
    lead = reading.text.original(end, value)
    return end if lead == lead.lower() else value


def says_that_none_is_there(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether there is none of what was asked for, in the words that the author has for it: "trabajo por mi cuenta"."""
    asked = session.slot_in_question
    return bool(asked) and says_there_is_none(agent.slots[asked], reading.text.folded)


def _says_there_is_none(slot: Slot, reading: Reading) -> bool:
    """Whether a message names none, or tells it otherwise: "soy independiente"."""
    text = reading.text.folded
    if slot.kind.is_free and (_NONE.match(text) or told_instead(reading) is not None):
        return True
    return says_there_is_none(slot, text)


def says_there_is_none(slot: Slot, text: str) -> bool:
    """Whether words are but those by which, as the author says, contacts tell that they have none."""
    said = any_of(tuple(map(fold, slot.none))).search(text) if slot.none else None
    return said is not None and says_nothing_else(text[: said.start()]) and says_nothing_else(text[said.end() :])


def _gives_nothing(reading: Reading, bar: float) -> bool:
    """Whether the message rather does something else than to answer, and no part of it answers."""
    heard = reading.hearing
    if heard is None or tells_anew(reading):
        return False
    if heard.whole.act == "unclear" and _WORD.fullmatch(reading.text.folded):
        return heard.is_sure(heard.whole, SURELY_NOTHING)
    return reading.is_heard(NO_ANSWER, bar=bar) and all(part.act != "provide" for part in heard.parts)


def _text_start(reading: Reading) -> int:
    start = max((act.end for act in reading.acts if act.kind in {"correct", "greet"} and act.start == 0), default=0)
    told = told_before().match(reading.text.folded, start)
    start = told.end() if told else start
    called = _CALLED.match(reading.text.folded[start:])
    lead = called or _LEAD_IN.match(reading.text.folded[start:])
    return start + (lead.end() if lead else 0)


def _text_end(reading: Reading, start: int, end: int) -> int:
    """Before what is thanked, asked or complained after a text, or says that it was told: "…, ya lo había dicho"."""
    told = told_before().search(reading.text.folded, start, end)
    parts = reading.hearing.parts if reading.hearing else ()
    ends = [told.start()] if told else []
    ends += [part.start for part in parts if part.act in NO_ANSWER]
    ends += [act.start for act in reading.acts if act.kind in {"thanks", "bye", "question"}]
    return min((each for each in ends if each > start), default=end)


def _without_value(case: ValueCase, reading: Reading, target: str) -> Iterator[SlotCommand]:
    """Nothing to keep: the contact will not say it, or what they said is offered to be refused with an explanation."""
    if not target:
        return
    slot = case.agent.slots[target]
    is_other = bool(reading.withheld) and target not in reading.withheld  # "no uso correo", asked for a name
    if would_rather(case.session, slot, reading):
        yield SkipSlot(target)
    elif is_other or only_spells(reading.text.folded[_text_start(reading) :]):
        return
    elif _is_of_another(case, target, reading):
        yield SetSlot(target, "")
    elif reading.has("skip") or reading.is_only("deny"):
        yield SkipSlot(target, everything=_refuses_all(reading))
    elif not reading.acts or not any(act.whole for act in reading.acts):
        was = any(each.slot == target and FORMER in each.doubts for each in case.lost.values())
        yield SetSlot(target, "" if was else _unusable(case.agent, slot, reading))


def would_rather(session: Session, slot: Slot, reading: Reading) -> bool:
    """Whether what does in the slot's place is preferred to it: "mejor escríbeme al correo", asked for a phone."""
    other = slot.instead
    is_named = bool(other) and any(mention.slot == other for mention in reading.mentions)
    return is_named and other not in session.skipped and not reading.asks


def _is_of_another(case: ValueCase, target: str, reading: Reading) -> bool:
    """Whether what is lacking was passed over before: "no uso correo, solo whatsapp", where the phone is asked for."""
    named = {mention.slot for mention in reading.mentions}
    return bool(named) and named - {target} <= set(case.session.skipped) and named != {target}


def _refuses_all(reading: Reading) -> bool:
    """Whether somebody will give no details at all: "prefiero no dar mis datos"."""
    return not reading.mentions and pattern_of("all details").search(reading.text.folded) is not None


def _unusable(agent: Agent, slot: Slot, reading: Reading) -> Value:
    """What is proposed to be refused, so that the explanation fits: a value out of bounds, the words, or nothing."""
    if (refused := reading.values.out_of_range(slot)) is not None:
        return refused
    if not slot.kind.may_be(reading.values.said) or only_complains(reading):
        return ""
    start = _text_start(reading)
    words = reading.text.original(start, _text_end(reading, start, len(reading.text.folded)))[:200].strip(" ,.;")
    # a slot that takes any words does not take a complaint; a town that no list has is short, and hardly heard
    if pattern_of("grumbles").search(reading.text.folded):
        return ""
    takes = isinstance(accept(slot, words, country=agent.country), Accepted)
    bar = LIKELIEST if slot.kind.is_free else SURELY_HEARD
    return "" if takes and _gives_nothing(reading, bar) else words
