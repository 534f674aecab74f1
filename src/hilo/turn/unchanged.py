"""What an answer to a summary says without changing it, so that the rest of the message can be heard.

Who is asked "¿Lo reservo?" seldom says a bare yes: "no quiero cambiar nada, reservalo", "con el dr. Paz, sí", "no,
pregunto si hay que ir en ayunas". A wish to change nothing, a value that is shown already and a no to nothing but a
misunderstanding are no answer. What is left is read as if nothing else had been written; a yes must still be in it.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

from hilo.agent.declaration import Agent
from hilo.agent.texts import PLACEHOLDER
from hilo.dialogue.commands import Command, Deny, Digress, StartFlow
from hilo.dialogue.session import AskedWhich, AskedYes, Session
from hilo.packs.pack import word_set_of
from hilo.recognisers.found import Value
from hilo.recognisers.normalise import Span, fold, hidden, normalise
from hilo.recognisers.phrases import tokens_of, word_set
from hilo.understanding.acts.consent import is_firm_yes, is_taken_back
from hilo.understanding.acts.deeds import deed_of, tells_to_do
from hilo.understanding.confirmations import (
    BESIDE,
    LETS_GO,
    is_yes_beside_a_question,
    opens_with_yes,
    says_plainly_yes,
)
from hilo.understanding.open_question import asked_in
from hilo.understanding.parts import joints
from hilo.understanding.plain_phrases import pattern_of, told_before
from hilo.understanding.reading import Reading
from hilo.understanding.slot_values import FILLERS
from hilo.understanding.told_again import told_again

Read = Callable[[str], Reading]

PLAIN = word_set_of("act: plain yes")
_WORD = re.compile(r"\w+")
# a summary of a change, which to change nothing denies
_CHANGES = re.compile(r"\b(?:cambi|modific|correg|corrij|mover|muev)")
_NO = re.compile(
    r"\W*(?:(?:m+h*|eh+|ah+|uy|ay)\b\W*)?(?:no+|nop|nono|naa?h?)\b"
    r"(?: (?:(?:te|le|les|lo|la) )*est(?:oy|aba) \w+ndo(?:lo|la|los|las|te|le)?\b)?[\s,.;:!]*"
)
_TAG = re.compile(r",? +¿?(?:no|verdad|cierto|o no) *\?+\s*$", re.IGNORECASE)  # "es el viernes, ¿no?" denies nothing
_AS_IT_IS = LETS_GO | {
    *("asi", "como", "tal", "cual", "esta", "estan", "estaba", "quede", "queda", "quedo", "que", "nomas"),
    *("no", "nada", "gracias", "ya"),
}
_ALL_IS_WELL = {"bien", "todo", "ok"}  # which is a yes where one is waited for
_ASKS_BACK = word_set("o no a y pero verdad cierto entonces seria quedo queda fecha hora dr dra")
_SAYS_AGAIN = (
    BESIDE | FILLERS | word_set("igual mismo misma sea con para si nombre soy somos llamo solo sola solamente nomas")
)


def without_what_stays(agent: Agent, session: Session, reading: Reading, read: Read) -> Reading:
    """An answer to a summary without what changes nothing; the message as it is where nothing of the kind is said."""
    if not reading.text.folded.strip() or not _is_shown(agent, session):
        return reading
    if isinstance(session.pending, AskedYes) and _TAG.search(reading.text.raw):
        reading = read(_TAG.sub("?", reading.text.raw))
    is_asked = isinstance(session.pending, AskedWhich)
    if answer := _yes_beside_what_is_left(agent, session, reading, read):
        return answer
    rest = _without_a_misunderstanding(_without_no_change(reading.text.raw), is_asked=is_asked)
    if rest != reading.text.raw or is_asked:
        if _leaves_all(agent, session, rest):
            return replace(reading.about_nothing(), left="as it is")
        reading = read(rest) if rest != reading.text.raw else reading
    if is_asked and _is_yes_to_what_is_shown(agent, session, reading):
        return replace(reading.about_nothing(), left="as it is")
    if not isinstance(session.pending, AskedYes):
        return reading
    asks_what_is_shown = _asks_what_is_shown(agent, session, reading)
    if asks_what_is_shown and is_yes_beside_a_question(reading):
        yes = next(act for act in reading.acts if act.kind == "affirm")
        return read(reading.text.original(yes.start, yes.end))
    if asks_what_is_shown or _asks_to_see(reading):
        return replace(reading.about_nothing(), left="to see")
    if says_plainly_yes(agent, session, reading):
        return reading
    if reading.asks or is_taken_back(reading.text):
        return reading
    return _beside_what_is_shown(agent, session, reading, read)


def _yes_beside_what_is_left(agent: Agent, session: Session, reading: Reading, read: Read) -> Reading | None:
    """A plain yes before what its giver sees to later: "resérvalo, luego veo lo de las maletas"."""
    left = pattern_of("left for later").search(reading.text.folded)
    if left is None or joints(reading.text.folded[left.end() :].strip(" .!")):
        return None  # "…, después veo el correo y te confirmo" puts all off
    before = reading.text.original(0, left.start()).strip(" ,.;!")
    deed, parts = deed_of(asked_in(agent, session)), [normalise(before[slice(*span)]) for span in _parts(before)]
    if not any(is_firm_yes(each, 0, len(each.raw)) or tells_to_do(list(tokens_of(each)), each, deed) for each in parts):
        return None
    answer = read(before)
    return answer if says_plainly_yes(agent, session, answer) else None


def _leaves_all(agent: Agent, session: Session, rest: str) -> bool:
    """Whether words want all as it is; asked what to change, also those that want it done."""
    text = normalise(rest)
    said = set(_WORD.findall(text.folded))
    if not isinstance(session.pending, AskedWhich):
        return said <= _AS_IT_IS
    if said <= _AS_IT_IS | _ALL_IS_WELL and not said.isdisjoint(("asi", "nada")):
        return True
    confirms = {word for word in said if word.startswith("confirm")}
    if confirms and said - confirms <= BESIDE:
        return True
    return bool(said) and tells_to_do(list(tokens_of(text)), text, deed_of(asked_in(agent, session)))


def _is_yes_to_what_is_shown(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether who was asked what to change says a value that is shown, and yes: "que sea el 15 igual, dale"."""
    rest = _without_values_shown(agent, session, reading)
    said = set(_WORD.findall(fold(rest)))
    return rest != reading.text.raw and bool(said & PLAIN) and said <= PLAIN | BESIDE


def _beside_what_is_shown(agent: Agent, session: Session, reading: Reading, read: Read) -> Reading:
    """What is said besides the values of the summary: a yes, or what follows one."""
    rest = _without_values_shown(agent, session, reading)
    if rest == reading.text.raw:
        return reading
    answer = read(rest) if rest else reading
    is_yes = bool(rest) and says_plainly_yes(agent, session, answer)
    again = told_again(agent, session, reading)
    if not is_yes and again and again.is_all:
        return reading  # who says that it was told hears what was noted
    if not is_yes and set(_WORD.findall(fold(rest))) <= PLAIN | {"y", "pero", "que"}:
        return replace(reading.about_nothing(), left="as it is")
    return answer if is_yes or opens_with_yes(reading) else reading


def unchanged(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """What is done where nothing is to be changed, and nothing else is said: nothing is left, and all is shown."""
    if reading.left == "to see":
        return (Digress("repeat"),)
    if not reading.left or isinstance(session.pending, AskedYes):
        return (Digress("aside"),) if reading.left else ()
    mode = agent.modes.get(session.mode)
    if isinstance(session.pending, AskedWhich):
        return (Deny(),)  # nothing is to be changed: the summary comes again
    return (StartFlow(mode.next.yes),) if mode and mode.next.yes else ()


def _asks_to_see(reading: Reading) -> bool:
    """Whether who is asked for a yes only wants to see once more what to: "a ver, mostrame"."""
    said = " ".join(_WORD.findall(reading.text.folded))
    return not reading.surely_means and pattern_of("shows again").fullmatch(said) is not None


def _asks_what_is_shown(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a question asks for nothing but what the summary says: "¿es a las 10?", "¿con Ruiz o con Paz?"."""
    if not reading.asks or reading.surely_means:
        return False
    shown = {
        name: session.slots[name] for name in PLACEHOLDER.findall(asked_in(agent, session)) if name in session.slots
    }
    found = [(name, each) for name in shown for each in reading.values.of(agent.slots[name])]
    if not any(_is_same(each.value, shown[name]) for name, each in found):
        return False
    rest = hidden(reading.text, [(each.start, each.end) for _, each in found]).folded
    return set(_WORD.findall(rest)) <= _SAYS_AGAIN | PLAIN | _ASKS_BACK


def _is_same(value: Value, shown: Value) -> bool:
    """Whether a value is the one that is shown, or some of its words."""
    return value == shown or set(fold(str(value)).split()) <= set(fold(str(shown)).split())


def _is_shown(agent: Agent, session: Session) -> bool:
    """Whether a summary waits, or what to change of it was asked; that of a change is denied by changing nothing."""
    if isinstance(session.pending, AskedYes):
        return bool(session.stack) and not _CHANGES.search(fold(asked_in(agent, session)))
    mode = agent.modes.get(session.mode)
    is_idle = session.pending is None and not session.stack
    return isinstance(session.pending, AskedWhich) or (is_idle and bool(mode and mode.next.yes))


def _without_no_change(raw: str) -> str:
    """A message without the words that nothing is to be changed."""
    text = normalise(raw)
    found = [text.span(*each.span()) for each in pattern_of("changes nothing").finditer(text.folded)]
    for start, end in reversed(found):
        raw = f"{raw[:start].rstrip(' ,.;')} {raw[end:].lstrip(' ,.;!')}".strip()
    return raw


def _without_a_misunderstanding(raw: str, *, is_asked: bool) -> str:
    """A message without the no of who was only asking: "no, pregunto si hay que ir en ayunas"."""
    text = normalise(raw)
    opening = _NO.match(text.folded)
    start = opening.end() if opening else 0
    only = pattern_of("only asks").match(text.folded, start) if opening or is_asked else None
    if only is None:
        return raw
    left = text.original(only.end(), len(text.folded)).strip(" ,.;!")
    return text.original(start, len(text.folded)) if left else ""


def _without_values_shown(agent: Agent, session: Session, reading: Reading) -> str:
    """A message without its parts that say again what is shown, and nothing else but perhaps the word for yes."""
    text, again = reading.text, list[Span]()
    shown = _values_shown(agent, session)
    told = [each.span() for each in told_before().finditer(text.folded)]
    known = [span for name in agent.slots for span in _said_again(agent, session, reading, name, shown)]
    same = set(_WORD.findall(shown))
    for start, end in _parts(text.folded):
        inside = [span for span in known if start <= span[0] and span[1] <= end]
        beside = list(_WORD.finditer(hidden(text, [*inside, *told]).folded, start, end))
        if inside and {word[0] for word in beside} <= _SAYS_AGAIN | same:
            again += [*inside, *told]
            again += (word.span() for word in beside if word[0] not in PLAIN)
    if not again:
        return text.raw
    rest = hidden(text, again).raw  # a "pero" between the parts stays
    return rest if _WORD.search(rest) else ""


def _values_shown(agent: Agent, session: Session) -> str:
    """The values that stand in the summary which waits, as words."""
    names = PLACEHOLDER.findall(asked_in(agent, session))
    return " ".join(fold(str(session.slots[name])) for name in names if name in session.slots)


def _said_again(agent: Agent, session: Session, reading: Reading, name: str, shown: str) -> Iterator[Span]:
    """Where a value stands that the summary shows, by its own words or as it is understood."""
    slot, value = agent.slots[name], session.slots.get(name)
    if name in agent.found_only():
        return
    if value is not None:
        yield from (each.span() for each in re.finditer(rf"\b{re.escape(fold(str(value)))}\b", reading.text.folded))
    for each in reading.values.of(slot) if value is not None or slot.kind.sort == "choice" else ():
        is_chosen = value is None and re.search(rf"\b{re.escape(fold(str(each.value)))}\b", shown)
        is_shorter = slot.kind.names_person and _is_same(each.value, str(value))
        if each.value == value or is_shorter or is_chosen:
            yield each.start, each.end


def _parts(text: str) -> list[Span]:
    """What stands between the joints of a message, however short."""
    breaks = [(0, 0), *((each.start, each.end) for each in joints(text)), (len(text), len(text))]
    return [(before[1], after[0]) for before, after in pairwise(breaks) if _WORD.search(text, before[1], after[0])]
