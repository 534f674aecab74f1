"""What in a message may call for a person, seen from where the conversation stands.

A bad word is no reason by itself: it may be the name of a town, be about somebody else, or stand in a question that
the agent answers. Nor is "una persona" a wish, where people are counted.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from hilo.agent.declaration import Agent
from hilo.dialogue.escalation import Signals
from hilo.dialogue.session import AskedSlot, Session
from hilo.recognisers.normalise import Span, fold, normalise
from hilo.recognisers.phrases import word_set
from hilo.slots.utterance import SURE
from hilo.understanding.about_us import asked_about_us, machines
from hilo.understanding.acts.recognise import Act
from hilo.understanding.acts.tabled import find_acts, read_sentiment
from hilo.understanding.coming_back import leaves_for_now
from hilo.understanding.extraction import gives_a_value
from hilo.understanding.notes import SURE_BESIDE_ELSE, chance_of_note
from hilo.understanding.openings import STEM, dictated
from hilo.understanding.opt_out import wants_out
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.put_right import is_written_as_name
from hilo.understanding.reading import Reading

# What happened somewhere else is told to us, and is not about us: "el otro día me estafaron en otra página".
_ELSEWHERE = re.compile(
    r"\b(?:el otro dia|otr[oa]s? (?:tienda|pagina|empresa|agencia|negocio|proveedor|vendedor|persona|sitio|lado|lugar|"
    r"parte|marca)(?:e?s)?)\b"
)
_HERE = re.compile(r"\b(?:ustedes|uds|vos|vosotros|aca|aqui|con esto|su tienda|su empresa)\b")
# "y si no me funciona": nothing has happened yet
_SUPPOSES = re.compile(r"(?:^|\b(?:y|pero|pasa|caso) )(?:que pasa )?si \w")
_WORD = re.compile(r"\w+")
_WISHED_ANYWHERE = word_set(
    "quiero quisiera necesito hablar persona alguien atenderme atienda atiendan consulta llamar"
)
REACHED = ("phone", "email")
_BARE = re.compile(r"(?:una|1) (?:sola )?persona")
SHORT_WISH = 3  # words; a person may be all that they want
LIKELY_ANSWER = 40  # what a question may mean and has an answer, is asked and not complained about


def signals_of(agent: Agent, session: Session, reading: Reading, *, at: datetime) -> Signals:
    """What escalation policies look at, seen from the question that is open."""
    signals = reading.signals(at)
    is_left_alone = session.left == "opted_out" and not reading.has("human")
    if is_left_alone or wants_out(agent, session, reading):
        return Signals(at)  # nobody who wants to be left alone is sent a person, however angry
    if leaves_for_now(agent, session, reading):
        return Signals(at)  # "dame un minuto, entro a una llamada" calls nobody
    if asked_about_us(agent, reading) and "insult" not in reading.sentiment.causes:
        # It is answered, and no wish for a person, unless the author says that such a question is one.
        machine = tuple(word for word in signals.keywords if machines().search(fold(word)))
        return replace(signals, intents=(), sentiment=0.0, keywords=machine)
    if dictated(agent, reading.text.folded):
        signals = replace(signals, intents=reading.meant, keywords=(), sentiment=0.0)  # "sacar la basura" is no anger
    elif reading.has("human") and calls_nobody(agent, session, reading):
        signals = replace(signals, intents=reading.meant)
    if _asks_for_a_call(agent, reading):
        signals = replace(signals, keywords=())  # "que me llame un asesor"
    if signals.sentiment < 0 and not _is_about_us(agent, session, reading):
        signals = replace(signals, sentiment=0.0)
    return signals


def calls_nobody(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether what sounds like a wish for a person is none: people are counted, or it is how a flow of ours begins."""
    if _counts_people(agent, session, reading) or _begins_a_flow(agent, reading):
        return True
    if not reading.has("human"):
        return False
    is_served = _tells_how_to_be_reached(reading) or _asks_for_a_call(agent, reading)
    return is_served or _is_surely_else(agent, session, reading)


def _is_surely_else(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a message surely says something else: "en ejecutiva" of a flight, "paso a buscarlo yo" of an order."""
    human = [act for act in find_acts(reading.text) if act.kind == "human"]
    if not human:  # heard by the classifier alone
        likeliest = [name for name, _ in reading.alternatives[:1] if name in agent.flows]
        is_else = bool(reading.meant) or bool(likeliest)  # "turno con nutrición, me llamo Ana Gil"
        return is_else and gives_a_value(agent, session, reading, session.slot_in_question)
    is_one_word = all(len(_WORD.findall(reading.text.folded, act.start, act.end)) == 1 for act in human)
    return is_one_word and reading.surely_means and len(reading.text.folded.split()) > SHORT_WISH


def _tells_how_to_be_reached(reading: Reading) -> bool:
    """Whether what sounds like a wish for a person is how, or when, somebody wants to be written to."""
    return chance_of_note(reading.text.raw) >= SURE_BESIDE_ELSE


def _asks_for_a_call(agent: Agent, reading: Reading) -> bool:
    """Whether nothing but a call or a message is wished for, where sessions open by asking where to reach somebody."""
    opening = (name for flow in agent.flows.values() if flow.starts_by_itself for name in flow.collects)
    if not any(agent.slots[name].type in REACHED for name in opening):
        return False
    spans = [each.span() for each in pattern_of("asks for a call").finditer(reading.text.folded)]
    human = [act for act in find_acts(reading.text) if act.kind == "human"]
    return bool(spans) and all(any(_meet(act, span) for span in spans) for act in human)


def _meet(act: Act, span: Span) -> bool:
    return act.start < span[1] and span[0] < act.end


def _begins_a_flow(agent: Agent, reading: Reading) -> bool:
    """Whether who is wished for is whom a flow that is meant is about: "con la doctora", for an appointment."""
    human = [act for act in reading.acts if act.kind == "human"]
    said = {word for act in human for word in _WORD.findall(reading.text.folded[act.start : act.end])}
    flows = [agent.flows[name] for name in reading.meant if name in agent.flows]
    named = {word for flow in flows for example in flow.examples for word in _WORD.findall(fold(example))}
    return any(len(word) > STEM for word in said & named - _WISHED_ANYWHERE)


def _counts_people(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether "una persona" tells how many there are, and asks for nobody.

    It does where that was asked, and where only the classifier hears a wish in words that name a number of ours.
    """
    asked = session.pending.slot if isinstance(session.pending, AskedSlot) else ""
    human = [act for act in reading.acts if act.kind == "human"]
    named = {each.slot for each in reading.mentions for act in human if act.start <= each.start < act.end}
    if asked in named or _is_only_a_count(agent, session, reading) or _begins_with_a_count(agent, reading):
        return True
    numbers = [agent.slots[name] for name in named if agent.slots[name].kind.sort == "number"]
    is_told = any(reading.values.of(slot) for slot in numbers)
    return is_told and all(act.kind != "human" for act in find_acts(reading.text))


def _begins_with_a_count(agent: Agent, reading: Reading) -> bool:
    """Whether the flow that is surely meant asks how many, and is told: "un vuelo a Lima, una persona, Ana Gil"."""
    slots = [agent.slots[name] for name in agent.collected_by(reading.intent)] if reading.surely_means else []
    counts = [each for slot in slots if slot.kind.sort == "number" for each in reading.values.of(slot, asked=True)]
    before = {each.start: reading.text.folded[: each.start].split()[-1:] for each in counts}
    human = [act for act in find_acts(reading.text) if act.kind == "human"]
    return bool(human) and all(before.get(act.start, ["a"]) not in (["con"], ["a"]) for act in human)


def _is_only_a_count(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether the whole message counts people, and what is under way still has to ask how many, or knows just that.

    So does "¿una persona? Somos 3", of a number that is wrong.
    """
    if isinstance(session.pending, AskedSlot) and session.pending.ways_out:
        return False  # a person was offered
    length = len(reading.text.folded.strip(" .!"))
    named = [(act.start, act.end) for act in find_acts(reading.text) if act.kind == "human"]
    for name in {name for frame in session.stack for name in agent.flows[frame.flow].collects}:
        slot = agent.slots[name]
        found = reading.values.of(slot, asked=True) if slot.kind.sort == "number" else ()
        if any(each.end - each.start == length and session.slots.get(name, each.value) == each.value for each in found):
            return True
        others = [each for each in found if (each.start, each.end) not in named and each.confidence >= SURE]
        if others and named and all(_BARE.fullmatch(reading.text.folded, *span) for span in named):
            return True
    return False


def _is_about_us(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether what sounds bad is a complaint: "mi jefe es un idiota" is not, nor is "¿es una estafa?"."""
    if reading.is_only("chitchat"):
        return False
    is_insult = "insult" in reading.sentiment.causes
    if not is_insult and _ELSEWHERE.search(reading.text.folded) and not _HERE.search(reading.text.folded):
        return False
    if _is_answered(agent, reading) and not is_insult:
        return False
    if _is_just_a_name(agent, session, reading) or _is_in_a_name(agent, reading):
        return False
    return not _is_a_thing(reading)


def _is_answered(agent: Agent, reading: Reading) -> bool:
    """Whether the message asks, or supposes, something for which the agent is likely to have an answer or a flow."""
    if not reading.has("question") and not (reading.surely_means and _SUPPOSES.search(reading.text.folded)):
        return False
    answers = {name for name, intent in agent.intents.items() if intent.answer or intent.do} | agent.flows.keys()
    likely = {name for name, sure in reading.alternatives if sure >= LIKELY_ANSWER}
    return not answers.isdisjoint({*reading.meant, *likely})


def _is_just_a_name(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether the message is nothing but the name that was asked for: Gil and Bravo are surnames."""
    slot = agent.slots[session.pending.slot] if isinstance(session.pending, AskedSlot) else None
    if slot is None or not slot.kind.names_person:
        return False
    whole = len(reading.text.folded.strip(" .!"))
    return any(found.end - found.start == whole for found in reading.values.of(slot, asked=True))


def _is_in_a_name(agent: Agent, reading: Reading) -> bool:
    """Whether nothing sounds bad but the name of a town, a street or a person: Morón, Ana Gil."""
    places = [slot for slot in agent.slots.values() if slot.kind.place]
    people = [slot for slot in agent.slots.values() if slot.kind.names_person]
    found = [each for slot in places for each in reading.values.of(slot) if each.confidence >= SURE]
    found += [each for slot in people for each in reading.values.of(slot) if is_written_as_name(reading, each)]
    return _is_all_that_sounds_bad(reading, [(each.start, each.end) for each in found])


def _is_a_thing(reading: Reading) -> bool:
    """Whether nothing sounds bad but a thing that is called so: "la basura, los martes"."""
    spans = [each.span() for each in pattern_of("things that sound bad").finditer(reading.text.folded)]
    return _is_all_that_sounds_bad(reading, spans)


def _is_all_that_sounds_bad(reading: Reading, spans: Iterable[Span]) -> bool:
    text, spans = reading.text.folded, tuple(spans)
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return bool(spans) and read_sentiment(normalise(text)).score >= 0
