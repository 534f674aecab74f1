"""What speaks against a value for a slot. A weight of 45 outweighs a mere shape, 65 also the question, 100 all."""

from collections.abc import Mapping
from dataclasses import replace

from hilo.dialogue.session import AskedYes
from hilo.recognisers.choices import is_all, is_wished
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import fold
from hilo.recognisers.people.name_words import GIVEN_NAMES, LIKE_CITIES
from hilo.recognisers.people.names import find_receivers
from hilo.recognisers.people.recipients import is_received
from hilo.recognisers.phrases import word_set
from hilo.recognisers.places.cities import is_well_known
from hilo.slots.person_name import find_names
from hilo.slots.utterance import SURE
from hilo.understanding.acts.trained import waiting_for
from hilo.understanding.assignment import Doubt, Holds, SlotCandidate, Span, ValueCase, doubt
from hilo.understanding.confirmations import is_word_of_a_yes
from hilo.understanding.put_right import is_written_as_name, says_nothing_else
from hilo.understanding.reading import speaks_spanish, waiting_in
from hilo.understanding.unasked_reasons import PARTY
from hilo.understanding.value_roles import ASK, GIVE, MAYBE, NONE, NOT, OLD, OTHER, chances_of

ASKED = 60  # weight of a reason
FORMER = "no longer"
BAR, BAR_TOLD = 0.35, 0.1  # how probable it must be that a value is given; where the message says whose it is
GIVING = frozenset({"provide", "order", "correct"})  # acts that have their values with them
SURELY_GIVES = 0.7  # how sure the classifier of acts must be of a part that gives a value
A_NUMBER, SHORT = 50, 3  # how sure a number must be in a message of more words
# what a whole message does that answers no question for a value
NO_ANSWER = frozenset({"chitchat", "negative", "unclear", "cancel", "info_question"})

_ORDINARY = word_set("un uno una dos tres cuatro cinco primero primera a one two three four five first")

DOUBTS: list[Doubt] = []


@doubt(DOUBTS, "an article", 65)
def _article(case: ValueCase, candidate: SlotCandidate) -> bool:
    """The "un" of "un vuelo más barato" counts nothing."""
    found = candidate.found
    return found.kind == "number" and found.confidence < A_NUMBER and len(case.reading.text.raw.split()) > SHORT


@doubt(DOUBTS, "no name", 65)
def _no_name(case: ValueCase, candidate: SlotCandidate) -> bool:
    """What could be a name is all of a yes or a no, or the large city still to be told."""
    found, reading = candidate.found, case.reading
    if found.kind != "person_name":
        return False
    if reading.is_only("deny") or _is_an_answer(case, candidate):
        return True
    if candidate.is_unasked or fold(str(found.value)).split()[0] in GIVEN_NAMES | LIKE_CITIES:
        return False
    cities = [name for name, slot in case.agent.slots.items() if slot.kind.place == "town"]
    if len(cities) != 1 or cities[0] in case.session.slots:
        return False
    towns = [town for town in reading.values.places if (town.start, town.end) == candidate.span]
    return any(is_well_known(town.places[0]) for town in towns if town.confidence >= SURE)


@doubt(DOUBTS, "nobody's name", 45)
def _nobody(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Not that of a receiver who would get the family name of the contact: "it's for my mom Rosa"."""
    slots, filled = case.agent.slots, case.session.slots
    if slots[candidate.slot].part != "given" or not candidate.is_unasked or candidate.slot not in filled:
        return False
    families = [name for name, slot in slots.items() if slot.part == "family" and name in filled]
    told = any(case.reading.values.of(slots[name]) for name in families)
    return bool(families) and not told and is_received(case.reading.text.folded)


def _is_an_answer(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Nobody is called as a yes or a no is said: the "nel" of "nel, siempre no"."""
    answers = [(act.start, act.end) for act in case.reading.acts if act.kind in ("deny", "affirm")]
    return candidate.span in answers


@doubt(DOUBTS, "renames nobody", 100)
def _renames_nobody(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Who "es independiente" keeps the name that is known: another one must be written as a name."""
    names_person = case.agent.slots[candidate.slot].kind.names_person
    is_known = candidate.slot in case.session.slots and candidate.is_unasked
    return names_person and is_known and not is_written_as_name(case.reading, candidate.found)


@doubt(DOUBTS, "known already", 45)
def _known(case: ValueCase, candidate: SlotCandidate) -> bool:
    """The slot has this value, or the message says so first."""
    stored = case.session.slots.get(candidate.slot)
    if stored is None or not candidate.is_unasked:
        return False
    surest = case.reading.values.of(case.agent.slots[candidate.slot])[:1]
    return candidate.found.value == stored or any(each.value == stored for each in surest)


@doubt(DOUBTS, "said for another", 45)
def _said_for_another(case: ValueCase, candidate: SlotCandidate) -> bool:
    """24/12, así llego para nochebuena: one day, said twice, is not also the day of the way back."""
    slots = case.agent.slots
    if not candidate.is_unasked or not slots[candidate.slot].kind.is_when:
        return False
    if case.target in ("", candidate.slot) or slots[case.target].type != slots[candidate.slot].type:
        return False
    answer = case.taken.get(case.target)
    values = [answer.found] if answer else case.reading.values.of(slots[case.target], asked=True)
    return any(each.value == candidate.found.value for each in values)


# --- what the message does with it --------------------------------------------------------------------------


def _is_role(role: str) -> Holds:
    def holds(case: ValueCase, candidate: SlotCandidate) -> bool:
        return role_of(case, candidate) == role

    holds.__doc__ = f"The message does not give it: `{role}` in the corpus."
    return holds


for _role, _name, _weight in (
    (NOT, "denied", 100),
    (OLD, FORMER, 100),
    (ASK, "asked about", 45),
    (MAYBE, "not decided", 45),
    (OTHER, "somebody else's", 65),
    (NONE, "no value", 65),
):
    DOUBTS.append(Doubt(_name, _weight, _is_role(_role)))


def role_of(case: ValueCase, candidate: SlotCandidate) -> str:
    """What the message does with a value, the likeliest of all roles; to be given it need not be that."""
    if _is_all_there_is(case, candidate):
        return GIVE
    chances = chances_for(case, candidate)
    if chances.get(GIVE, 1.0) >= (BAR_TOLD if candidate.reason.weight > ASKED else BAR):
        return GIVE
    return max((chance, role) for role, chance in chances.items() if role != GIVE)[1]


def _is_all_there_is(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Whether a message is nothing but a value, put right or asked whether it will do: "en Cali", "¿a las 9?"."""
    text, (start, end) = case.reading.text.folded, candidate.span
    return says_nothing_else(text[:start]) and says_nothing_else(text[end:])


def chance_of_given(case: ValueCase, candidate: SlotCandidate) -> float:
    """How probable it is that a message gives a value."""
    return chances_for(case, candidate).get(GIVE, 1.0)


def chances_for(case: ValueCase, candidate: SlotCandidate) -> Mapping[str, float]:
    """How probable each role of a value is; nothing was learnt of other languages than Spanish."""
    agent, text = case.agent, case.reading.text
    if not speaks_spanish(agent) or not text.folded:
        return {}
    if candidate.reason.name == PARTY:
        return {}  # "mi esposa y yo" is counted, not named: the corpus has no such values
    slot, span = agent.slots[candidate.slot], candidate.span
    if slot.kind.names_person:
        if find_receivers(text):
            return {}  # who receives an order is told by rules of their own
        span = _whole_name(case, span)
    waiting = waiting_for(agent.slots[case.target].type) if case.target else waiting_in(agent, case.session)
    others = [(each.start, each.end) for each in _others(case, candidate)]
    within = _part_that_gives(case, span)
    key = f"role:{slot.type}:{span}:{waiting}:{others}"
    return case.reading.values.said.once(key, lambda: chances_of(text, span, slot.type, waiting, others, within=within))


def _part_that_gives(case: ValueCase, span: Span) -> Span | None:
    """The part of a message that surely gives something: "el 20. ¿Tienen estacionamiento?" asks about no day."""
    hearing, part = case.reading.hearing, case.reading.heard_at(span)
    if hearing is None or part is None or len(hearing.parts) == 1:
        return None
    gives = part.act in GIVING and hearing.is_sure(part, SURELY_GIVES)
    holds = part.start <= span[0] and span[1] <= part.end
    return (part.start, part.end) if gives and holds else None


def _whole_name(case: ValueCase, span: Span) -> Span:
    """Where the whole name stands that a part of one is of."""
    for each in find_names(case.reading.values.said):
        if each.start <= span[0] and span[1] <= each.end:
            return each.start, each.end
    return span


def _others(case: ValueCase, candidate: SlotCandidate) -> list[Found]:
    """What else the slot may take, elsewhere in the message."""
    found = case.reading.values.of(case.agent.slots[candidate.slot], asked=candidate.slot == case.target)
    return [each for each in found if each.start >= candidate.span[1] or each.end <= candidate.span[0]]


@doubt(DOUBTS, "in the past", 45)
def _past(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Nobody wishes for a day that is gone: "ayer se los mandé"."""
    is_day = case.agent.slots[candidate.slot].type == "date" and candidate.is_unasked
    return is_day and str(candidate.found.value) < case.reading.values.now.date().isoformat()


@doubt(DOUBTS, "in a question that we answer", 65)
def _answered(case: ValueCase, candidate: SlotCandidate) -> bool:
    """¿El bebé de ocho meses también paga? gives no number, whatever was asked."""
    answered = bool(case.reading.meant) and not any(name in case.agent.flows for name in case.reading.meant)
    return answered and role_of(case, candidate) == ASK


@doubt(DOUBTS, "in an order", 45)
def _ordered(case: ValueCase, candidate: SlotCandidate) -> bool:
    """The number of what is ordered is for the order."""
    start, end = candidate.span
    inside = any(line.start < end and start < line.end for line in case.reading.lines)
    kind = case.agent.slots[candidate.slot].kind
    is_detail = kind.sort == "text" and not kind.is_when
    return inside and candidate.is_unasked and not is_detail


# --- choices ------------------------------------------------------------------------------------------------


@doubt(DOUBTS, "one of several", 100)
def _one_of_several(case: ValueCase, candidate: SlotCandidate) -> bool:
    """La 1 y la 2."""
    slot = case.agent.slots[candidate.slot]
    if slot.kind.sort != "choice" or candidate.reason.weight > ASKED:
        return False
    asked = not candidate.is_unasked
    found = [each for each in case.reading.values.of(slot, asked=asked) if case.is_free(each)]
    given = [each for each in found if role_of(case, replace(candidate, found=each)) != OLD]
    return sum(asked or each.confidence >= SURE for each in given) > 1


@doubt(DOUBTS, "not wished for", 45)
def _unwished(case: ValueCase, candidate: SlotCandidate) -> bool:
    """A choice must be what the message is about; to change one, or in a word like "una", it must be all of it."""
    if case.agent.slots[candidate.slot].kind.sort != "choice" or not candidate.is_unasked:
        return False
    found, reading = candidate.found, case.reading
    if isinstance(case.session.pending, AskedYes) and _is_in_a_yes(case, candidate):
        return True
    ordinary = reading.text.folded[found.start : found.end] in _ORDINARY
    if candidate.slot not in case.session.slots and (not ordinary or is_wished(reading.text, found)):
        return False
    places = case.spans(lambda slot: bool(slot.kind.place))
    return reading.has("question") or not is_all(reading.text.folded, found, places)


def _is_in_a_yes(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Whether a choice is but a word of a yes: "de una" means at once."""
    start, end = candidate.span
    return is_word_of_a_yes(case.reading, start, end)
