"""What stands beside an answer is heard as an answer to what the flow asks for next.

"33567001. San Lorenzo 640", asked for a document, answers the question for the address as well, though nothing but the
place of the words tells that it does. What is left of a message is heard with the next slots of the flow in question,
one after the other; so is what stands beside an order, "2 cocas, Mitre 450, Ana Pérez 30123456". It holds for what
tells itself where it is asked for (a document, a street, a name that is known); a number, a day or a
choice may be about anything.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from hilo.agent.declaration import Agent, Slot
from hilo.dialogue.commands import CorrectSlot
from hilo.dialogue.session import AskedArgument, AskedSlot, Session
from hilo.recognisers.address_words import UNITS
from hilo.recognisers.found import Found, Value
from hilo.recognisers.normalise import Span, fold, hidden
from hilo.recognisers.people.name_words import FUNCTION_WORDS, GIVEN_NAMES, PARTICLES
from hilo.recognisers.phrases import word_set
from hilo.slots.utterance import SURE
from hilo.understanding.assignment import Reason, SlotCandidate
from hilo.understanding.extraction import weigh
from hilo.understanding.parts import joints
from hilo.understanding.reading import Reading

MOST_AHEAD = 4  # questions that a message answers besides; more is a form
AHEAD = Reason("it answers what comes next", 60, lambda _: ())
_NAMED_HOUSE = re.compile(
    r"[\s,.;]*(?:(?:es|para|en|a|al|por|la|mi|direccion|domicilio|vivo|mandalo|mandamelo|envialo|entrega)\W+)*"
    r"(?P<street>(?P<named>[^\W\d_]{3,}\.?(?: [^\W\d_]+\.?){0,3}) \d{1,5}\b[^,.;]*)"
)
# what a number behind it counts or numbers that is no house
_NO_STREET = (
    FUNCTION_WORDS | UNITS | word_set("dni doc documento cuit tel telefono cel celular edad numero nro fila mesa")
)
_PATRONYMIC = re.compile(r"\w{3,}ez")
_FAMILY = re.compile(
    r"(?:(?:y |es |seria |el |mi |de )*apellido (?:es |seria )?(?P<first>[^\W\d_]{3,}(?: [^\W\d_]+){0,2})"
    r"|(?:es |soy )?(?P<last>[^\W\d_]{3,}(?: [^\W\d_]+){0,2}?)(?:,? (?:(?:es|seria|de|el|mi) )*apellido)?)"
)


def answers_ahead(
    agent: Agent, session: Session, reading: Reading, taken: Sequence[SlotCandidate]
) -> tuple[SlotCandidate, ...]:
    """What of a message answers the questions that come next, beside the values that were taken."""
    given: dict[str, Value] = {each.slot: each.found.value for each in taken}
    flow = _flow_to_come(agent, session, reading)
    if flow not in agent.flows or not _answers(agent, session, reading, given) or "?" in reading.text.raw:
        return ()
    spans = [*(each.span for each in taken), *((line.start, line.end) for line in reading.lines)]
    found: list[SlotCandidate] = []
    for name in list(_to_come(agent, session, flow, given))[:MOST_AHEAD]:
        rest = _left(reading, spans)
        if not any(letter.isalnum() for letter in rest.text.folded):
            break
        ahead = replace(session, slots={**session.slots, **given}, pending=AskedSlot(name))
        slot = agent.slots[name]
        each = weigh(agent, ahead, rest, name).taken.get(name) or _street(slot, name, rest)
        if each and _tells_itself(slot, rest, each):
            found.append(each)
            spans.append(each.span)
            given[name] = each.found.value
    return tuple(found)


def _flow_to_come(agent: Agent, session: Session, reading: Reading) -> str:
    """The flow under way, or the one that the mode leads to: what is ordered now may change the mode."""
    mode = agent.modes.get(session.mode)
    if mode and agent.orders and reading.lines:
        mode = agent.modes.get(mode.after.get(agent.orders.add, ""), mode)
    return session.flow or (mode.next.yes if mode else "")


def _answers(agent: Agent, session: Session, reading: Reading, given: Mapping[str, Value]) -> bool:
    """Whether what was asked is given; where nothing of the flow to come was, whether somebody tells who they are."""
    if session.stack:
        return isinstance(session.pending, AskedSlot) and session.pending.slot in given
    tells_who = any(agent.slots[name].type == "national_id" for name in given)
    return len(given) > 1 or tells_who or bool(reading.lines)


def _to_come(agent: Agent, session: Session, flow: str, given: Mapping[str, Value]) -> Iterator[str]:
    """The slots that the flow has still to ask for, of a kind that tells itself."""
    for name in agent.flows[flow].collects:
        slot = agent.slots[name]
        is_detail = slot.kind.sort == "text" and not (slot.kind.is_free or slot.kind.is_note or slot.kind.is_when)
        if is_detail and slot.required and not slot.region_of and name not in {*session.slots, *given}:
            yield name


def _left(reading: Reading, spans: Sequence[Span]) -> Reading:
    return replace(reading, text=hidden(reading.text, spans), values=reading.values.without(spans), lines=())


def _tells_itself(slot: Slot, rest: Reading, each: SlotCandidate) -> bool:
    """Whether a value is of its kind without doubt; nearly any words may be a name or a town."""
    if each.doubts:
        return False
    if slot.kind.names_person:
        return fold(str(each.found.value)).split()[0] in GIVEN_NAMES
    if slot.kind.place == "street":
        written = rest.text.folded[slice(*each.span)]
        return any(letter.isdigit() for letter in written) and any(letter.isalpha() for letter in written)
    return each.found.confidence >= SURE or not slot.kind.place


def _street(slot: Slot, name: str, rest: Reading) -> SlotCandidate | None:
    """A part that is nothing but a name and a number, where a street comes next: "Saavedra 77"."""
    if slot.kind.place != "street" or rest.lines:
        return None
    text = rest.text.folded
    for joint, following in pairwise([0, *(each.end for each in joints(text)), len(text)]):
        said = _NAMED_HOUSE.match(text, joint, following)
        if said and _NO_STREET.isdisjoint(said["named"].split()):
            value = rest.text.original(*said.span("street")).strip(" ,.;")
            return SlotCandidate(name, Found("address", value, *said.span("street"), SURE), AHEAD)
    return None


def completed_name(
    agent: Agent, session: Session, reading: Reading, taken: Sequence[SlotCandidate]
) -> CorrectSlot | None:
    """The name that was given last with the family name that follows it: "Lucas", and then "Benítez"."""
    is_called = "apellido" in reading.text.folded
    if isinstance(session.pending, AskedArgument):
        return None
    people = [name for name in session.slots if agent.slots[name].kind.names_person and not agent.slots[name].part]
    name = people[-1] if people and (is_called or people[-1] == session.last_slot) else ""
    stored = str(session.slots.get(name, ""))
    if len(stored.split()) != 1:
        return None
    rest = _left(reading, [each.span for each in taken])
    whole = rest.text.folded.strip(" ,.;!")
    opening = whole.partition(",")[0]
    family = _family_in(whole, stored) or ("" if is_called else _family_in(opening, stored))
    if not family:
        return None
    start = rest.text.folded.index(family)
    written = rest.text.original(start, start + len(family))
    says_else = family != opening or any(act.start < start + len(family) for act in reading.acts)
    if not is_called and (says_else or not _is_written_as_family(agent, session, reading, written)):
        return None
    return CorrectSlot(name, f"{stored} {written.title() if written.islower() else written}")


def _family_in(words: str, stored: str) -> str:
    """The family name that words are, with what may be said of it."""
    said = _FAMILY.fullmatch(words)
    named = (said["first"] or said["last"]) if said else ""
    is_ordinary = not FUNCTION_WORDS.isdisjoint(set(named.split()) - PARTICLES)
    return "" if is_ordinary or fold(stored) in named.split() else named


def _is_written_as_family(agent: Agent, session: Session, reading: Reading, written: str) -> bool:
    """Whether a word is written as a name; in small letters only what ends like one, where no word is the answer."""
    if written[:1].isupper():
        return not reading.meant
    asked = agent.slots.get(session.slot_in_question)
    takes_no_word = asked is not None and asked.type in ("national_id", "phone", "email")
    return takes_no_word and _PATRONYMIC.fullmatch(fold(written)) is not None
