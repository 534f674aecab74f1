"""A few words that go on with what was looked up last: "¿y en Lima?", "¿y 50?", "¿y acá?", "al revés"."""

import re
from collections.abc import Sequence
from itertools import combinations

from hilo.agent.declaration import MESSAGE, Agent
from hilo.dialogue.commands import CallTool, Command, SetSlot, StartFlow
from hilo.dialogue.draft import of_kind
from hilo.dialogue.memory import is_fresh
from hilo.dialogue.session import LastCall, Session
from hilo.recognisers.normalise import fold
from hilo.recognisers.phrases import word_set
from hilo.understanding.arguments import MOST_CALLS, found_by_slot
from hilo.understanding.not_ours import kind_of
from hilo.understanding.orders.words import CLASSES
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.reading import Reading
from hilo.understanding.slot_values import FILLERS

LONGEST = 80  # characters of such a message
MOST_OTHERS = 2  # words beside the value, where nothing else is meant: "¿y para mi cumple, el 3 de agosto?"
_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"[.!?;]+\s+")
_OPENS = word_set("y e and ahora pero entonces tambien tb tmb tbn o")
_TALK = {"greet", "bye", "affirm", "deny", "cancel", "human"}  # no wish of its own
_ROUND = re.compile(r"\W*(?:(?:y|no|pero|ahora|digo)\W+)*(?:al reves|a la inversa|viceversa)\W*")
_SUPPOSES = re.compile(r"\W*(?:y|pero) si\b")
_SMALL = FILLERS | _OPENS | word_set("que si ahi con para son es fuera fueran serian fueron")


def follow_up(agent: Agent, session: Session, reading: Reading) -> tuple[CallTool, ...]:
    """The last call with what the message gives in place of its own arguments; one for each of several values."""
    last = session.last_call
    if last is None or session.pending is not None or not is_fresh(session, last.turn):
        return ()
    if reading.refers_to and reading.has("question"):
        return _about_it(agent, last, reading)
    if agent.toolbox[last.tool].writes:
        return _one_more(agent, last, reading)
    if _ROUND.fullmatch(reading.text.folded):
        told_before = agent.is_told_before(last.tool)
        return _turned_round(agent, last) or (_in_own_words(agent, last, reading) if told_before else ())
    start = _start(reading)
    if start < 0:
        return ()
    return (
        _elsewhere(agent, last, reading.text.folded[start:])
        or _with_values(agent, last, reading, start)
        or _what_if(agent, last, reading)
    )


def _start(reading: Reading) -> int:
    """Where the last sentence of a message begins, if that is short and goes on; -1 if it does not."""
    text = reading.text.folded
    ends = [sign.end() for sign in _SENTENCE.finditer(text)]
    start = ends[-1] if ends else 0
    words = _WORD.findall(text[start:])
    return start if len(text) - start <= LONGEST and words and words[0] in _OPENS else -1


def _one_more(agent: Agent, last: LastCall, reading: Reading) -> tuple[CallTool, ...]:
    """One more of what was kept or changed in the contact's own words: "y huevos", "pan también", "súmale queso"."""
    start = max((act.end for act in reading.acts if act.kind == "thanks"), default=0)
    words = _WORD.findall(reading.text.folded[start:])
    adds = bool(words) and words[0] in CLASSES["add_verb"]
    goes_on = bool(words) and (adds or words[0] in _OPENS or words[-1] == "tambien")
    acts = {act.kind for act in reading.acts if act.start >= start}
    is_thanks = start > 0 and not adds and not any(word.isdecimal() for word in words)
    is_talk = is_thanks or bool(acts & _TALK)
    is_long = len(reading.text.folded) > LONGEST
    if not goes_on or is_talk or is_long or reading.asks or _means_ours(agent, reading):
        return ()
    return _in_own_words(agent, last, reading, start)


def _turned_round(agent: Agent, last: LastCall) -> tuple[CallTool, ...]:
    """The same from the other side: of two values of the same choices each takes the other's place."""
    for one, other in combinations(last.arguments, 2):
        choices = [agent.slots[name].choices for name in (one, other) if name in agent.slots]
        if len(choices) == 2 and choices[0] and choices[0] == choices[1]:  # noqa: PLR2004
            turned = {one: last.arguments[other], other: last.arguments[one]}
            return (CallTool(last.tool, {**last.arguments, **turned}),)
    return ()


def _what_if(agent: Agent, last: LastCall, reading: Reading) -> tuple[CallTool, ...]:
    """The words themselves, for a tool that is told what they go on with: "¿y si son las 9?"."""
    means_else = _means_ours(agent, reading) and not _SUPPOSES.match(reading.text.folded)
    if reading.surely_means or means_else or not agent.is_told_before(last.tool):
        return ()
    return _in_own_words(agent, last, reading)


def _in_own_words(agent: Agent, last: LastCall, reading: Reading, start: int = 0) -> tuple[CallTool, ...]:
    first, last_letter = reading.text.span(start, len(reading.text.folded))
    said = reading.text.raw[first:last_letter].lstrip(" ,.;!")
    return tuple(CallTool(last.tool, {name: said}) for name in _taken_whole(agent, last.tool))[:1]


def _about_it(agent: Agent, last: LastCall, reading: Reading) -> tuple[CallTool, ...]:
    """A question about one of what was named, that means nothing else: "¿y el más barato cuál es?"."""
    parameters = sorted(_taken_whole(agent, last.tool))
    if _means_ours(agent, reading) or len(parameters) != 1:
        return ()
    return (CallTool(last.tool, {**last.arguments, parameters[0]: reading.refers_to}),)


def _means_ours(agent: Agent, reading: Reading) -> bool:
    """Whether a message means something of the agent's by itself."""
    return any(not kind_of(agent, name) for name in reading.meant)


def _taken_whole(agent: Agent, tool: str) -> set[str]:
    """The parameters that intents give a tool in the contact's own words."""
    names: set[str] = set()
    for intent in agent.intents.values():
        if intent.do == tool:
            names.update(name for name, value in intent.arguments.items() if value == MESSAGE)
    return names


def _with_values(agent: Agent, last: LastCall, reading: Reading, start: int) -> tuple[CallTool, ...]:
    spec = agent.toolbox.get(last.tool)
    taken_whole = _taken_whole(agent, last.tool)
    names = [name for name in (spec.parameters if spec else ()) if name in agent.slots and name not in taken_whole]
    slots = {name: agent.slots[name] for name in names}
    said = reading.values.without([(0, start)]) if start else reading.values
    found = {name: each for name, each in found_by_slot(slots, said).items() if each}
    cues = {fold(word) for slot in slots.values() for word in slot.before}
    rest = list(reading.text.folded)
    for values in found.values():
        for each in values:
            rest[each.start : each.end] = " " * (each.end - each.start)
    others = [word for word in _WORD.findall("".join(rest[start:])) if word not in _SMALL | cues]
    if not found or len(others) > (0 if _means_ours(agent, reading) else MOST_OTHERS):
        return ()
    rows = max(len(values) for values in found.values())
    given = [{name: each[row if len(each) == rows else 0].value for name, each in found.items()} for row in range(rows)]
    return tuple(CallTool(last.tool, {**last.arguments, **each}) for each in given[:MOST_CALLS])


def _elsewhere(agent: Agent, last: LastCall, text: str) -> tuple[CallTool, ...]:
    """The same for where we are: without the place that was named, where the tool needs none."""
    here = pattern_of("here").search(text)
    spec = agent.toolbox.get(last.tool)
    if here is None or spec is None:
        return ()
    if any(word not in _SMALL for word in _WORD.findall(text[: here.start()] + text[here.end() :])):
        return ()
    places = [
        name for name, value in last.arguments.items() if isinstance(value, str) and not spec.parameters.get(name)
    ]
    if not places:
        return ()
    return (CallTool(last.tool, {name: value for name, value in last.arguments.items() if name != places[0]}),)


def taken_along(agent: Agent, session: Session, commands: Sequence[Command]) -> tuple[SetSlot, ...]:
    """For a flow that begins, what was just asked about: "¿cuánto sale una limpieza?", "dale, para el sábado"."""
    last = session.last_call
    if last is None or last.came_to_nothing or not is_fresh(session, last.turn):
        return ()
    given = {each.slot for each in of_kind(commands, SetSlot)} | session.slots.keys()
    lacking = [
        name for each in of_kind(commands, StartFlow) for name in agent.collected_by(each.flow) if name not in given
    ]
    return tuple(SetSlot(name, last.arguments[name]) for name in lacking if last.arguments.get(name))
