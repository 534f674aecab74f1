"""What a message means as commands: flows to start, questions to answer, tools to call with what it names."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from hilo.agent.declaration import MESSAGE, Agent, Intent
from hilo.dialogue.commands import AskInfo, CallTool, Command, Digress, StartFlow, Tell
from hilo.dialogue.session import AskedSlot, AskedYes, Session
from hilo.recognisers.normalise import fold
from hilo.slots.date import day_named
from hilo.understanding.arguments import calls_of
from hilo.understanding.not_ours import NOT_SERVED, kind_of, ours_among
from hilo.understanding.openings import dictated
from hilo.understanding.ordering import order_starts, ordered_intents
from hilo.understanding.parts import Part, is_sure_or_alone, joints
from hilo.understanding.reading import Reading

SMALL = 3  # letters of "y" and signs, before a question
_RATHER = re.compile(r"\W*(?:no )?(?:mejor|mas bien|que sea|rather)\b")
_NOT_TO_UNDO = re.compile(r"\bno (?:(?:me|te|se|nos|l[aeo]s?) )*(?:cancel|anul|elimin|borr)(?:es?|en|emos)\b")
_TELLS_WHICH = re.compile(
    r"\W*(?:con|para|al?|de|del|el|la|en|por|era|es|fue|desde|ten(?:go|ia)|soy|me llamo|vuelo|viajo)\b(?!.*\botr[oa]\b)"
)
_AND = re.compile(r"\b(?:y|e|and)[\s,¿]*$", re.IGNORECASE)
_ENDS_IN_AND = re.compile(r"[\s,;]+(?:y|e|and)(?: que)?(?: me)?$", re.IGNORECASE)


def meant(agent: Agent, session: Session, reading: Reading) -> list[Command]:
    """Flows to start and questions to answer; the reply to a text question is an answer unless it is quite sure."""
    asked = session.pending.slot if isinstance(session.pending, AskedSlot) else ""
    if asked and agent.slots[asked].kind.is_free and not goes_beyond(agent, reading):
        return []
    under_way = {frame.flow for frame in session.stack}
    told = ordered_intents(agent, session, reading) | {no_leads_to(agent, session)}
    names = [name for name in reading.meant if name not in under_way | told]
    names, declines = ours_among(agent, reading, _without_asides(agent, session, reading, names))
    if rather := _said_rather(agent, reading):
        names = [name for name in names if name not in rather[0]]
    names = [name for name in names if name not in _only_going_on(agent, reading)]
    if all(name in agent.intents and agent.intents[name].do for name in names):
        names.sort(key=lambda name: _place(reading, name))  # results are told as they were asked for
    asked_here = {slot for flow in under_way for slot in agent.flows[flow].collects}
    proposed = [command for name in names for command in _proposed(agent, name, reading)]
    if declines:
        proposed.insert(0, Tell(NOT_SERVED))
    shared = _shared_by_calls(proposed)
    proposed = [_with_shared(agent, each, shared) for each in proposed]
    if reading.asks and reading.surely_means:
        return proposed  # "¿y cuánto sale nutrición?" asks of another than the one that is being booked
    return [each for each in proposed if not _is_told_by_slots(each, asked_here)]


def _without_asides(agent: Agent, session: Session, reading: Reading, names: list[str]) -> list[str]:
    """What is meant, without what only tells which booking is meant: "cambiar mi turno, con la doctora a las 10".

    Nor is anything undone by who says not to: "no me canceles el vuelo".
    """
    if _NOT_TO_UNDO.search(reading.text.folded):
        names = [name for name in names if name not in agent.undoing]
    spoken_of = [agent.flows[name] for name in (session.flow, *names[:1]) if name in agent.flows]
    if not any(flow.is_about_what_was_done for flow in spoken_of):
        return names
    asides = {part.ranked.intent for part in reading.parts if _TELLS_WHICH.match(fold(part.text))}
    return [*names[:1], *(name for name in names[1:] if name not in asides or name not in agent.flows)]


def no_leads_to(agent: Agent, session: Session) -> str:
    """The flow that a no to the open summary goes on with, if it does: to mean that is to say no."""
    if not isinstance(session.pending, AskedYes) or not session.stack:
        return ""
    frame = session.stack[-1]
    edge = agent.compiled[frame.flow][frame.step].edge("no") if frame.step else None
    return edge.to if edge is not None and edge.leads == "flow" else ""


def flows_surely_meant(agent: Agent, session: Session, reading: Reading) -> list[StartFlow]:
    sure = reading.surely_means
    return [each for each in meant(agent, session, reading) if isinstance(each, StartFlow)] if sure else []


def goes_beyond(agent: Agent, reading: Reading) -> bool:
    """Whether a message is surely no answer in free words; what takes any words for itself must ask or be told anew."""
    intent = agent.intents.get(reading.intent)
    takes_all = intent is not None and MESSAGE in intent.arguments.values()
    is_anew = any(dictated(agent, fold(part.text)) for part in reading.parts)
    return reading.surely_means and (reading.asks or not takes_all or is_anew)


def _shared_by_calls(proposed: Sequence[Command]) -> dict[str, Any]:
    """What the calls of a message are given, of which each is given one thing alone."""
    shared: dict[str, list[Any]] = {}
    for each in proposed:
        for name, value in each.arguments.items() if isinstance(each, CallTool) else ():
            shared.setdefault(name, []).append(value)
    return {name: values[0] for name, values in shared.items() if all(value == values[0] for value in values)}


def _with_shared(agent: Agent, command: Command, shared: Mapping[str, Any]) -> Command:
    """A call with what another question of the message names: "¿cuánto sale el análisis? ¿hay que ir en ayunas?"."""
    if not isinstance(command, CallTool) or command.arguments or command.tool not in agent.toolbox:
        return command
    takes = agent.toolbox[command.tool].parameters
    return replace(command, arguments={name: value for name, value in shared.items() if name in takes})


def _is_told_by_slots(command: Command, asked: set[str]) -> bool:
    """Whether a call would only repeat what the flow under way takes from the message by itself."""
    return isinstance(command, CallTool) and bool(command.arguments) and command.arguments.keys() <= asked


def _proposed(agent: Agent, name: str, reading: Reading) -> tuple[Command, ...]:
    """What an intent or a flow's name proposes, with what the message gives the tool."""
    if name in agent.flows:
        return (StartFlow(name),)
    intent = agent.intents.get(name)
    if kind := kind_of(agent, name):
        return (Digress(kind),)  # known not to be ours: a model may still have an answer
    if intent is None or not intent.do:
        return (AskInfo(name, day_named(reading.values.said)),)
    parts = [part.text for part in reading.parts if part.ranked.intent == name]
    if MESSAGE in intent.arguments.values():
        parts = _with_rest(agent, reading, name)
    calls: list[CallTool] = []
    for part in parts:
        # "¿hay nutricionista? ¿qué días atiende?" asks one thing twice
        calls += [call for call in calls_of(agent, intent, part, now=reading.values.now) if call not in calls]
    if len(reading.meant) == 1 and not any(call.arguments for call in calls):
        # what it is about may stand before the question: "y con la nutricionista, ¿cuánto sale?"
        calls = list(calls_of(agent, intent, reading.text.raw, now=reading.values.now)) or calls
    return tuple(_with_more(agent, intent, reading, calls))


def _with_more(agent: Agent, intent: Intent, reading: Reading, calls: list[CallTool]) -> list[CallTool]:
    """One lookup with what stands elsewhere in the message: "¿y si pido dos? ¿cuánto pagaría con envío a Cali?"."""
    whole = calls_of(agent, intent, reading.text.raw, now=reading.values.now)
    if len(calls) != 1 or len(whole) != 1 or MESSAGE in intent.arguments.values() or intent.topic == "order":
        return calls
    return [replace(calls[0], arguments={**whole[0].arguments, **calls[0].arguments})]


def _place(reading: Reading, name: str) -> int:
    return min(part.start for part in reading.parts if part.ranked.intent == name)


def _said_rather(agent: Agent, reading: Reading) -> tuple[list[str], str] | None:
    """What a part puts otherwise that stands right before it: "cancela lo de las 7, mejor a las 8" cancels nothing."""
    for before, part in pairwise(sorted(reading.parts, key=lambda part: part.start)):
        name, other = part.ranked.intent or "", before.ranked.intent or ""
        writes = all(each in agent.intents and agent.intents[each].topic == "order" for each in (name, other))
        if writes and name != other and _RATHER.match(fold(part.text)):
            return [other], name
    return None


def _with_rest(agent: Agent, reading: Reading, name: str) -> list[str]:
    """The parts that mean this, each with what follows it and means nothing else: "anota: pan; leche; huevos"."""
    text = reading.text.raw
    if (rather := _said_rather(agent, reading)) and rather[1] == name:
        return [text]
    sure = [part for part in reading.parts if _is_sure(part)]
    parts = [part for part in sure if _asks(reading, part) or not kind_of(agent, part.ranked.intent or "")]
    parts = [part for part in parts if not _goes_on(agent, reading, part, parts)]
    starts = sorted({(part.start, part.ranked.intent or "") for part in parts})
    limits = sorted({*(start for start, _ in starts), *order_starts(agent, reading), len(text)})
    ends = [next(limit for limit in limits if limit > start or limit == len(text)) for start, _ in starts]
    spans = zip(starts, ends, strict=True)
    return [_ENDS_IN_AND.sub("", text[start:end].strip(" ,¿¡")) for (start, intent), end in spans if intent == name]


def _asks(reading: Reading, part: Part) -> bool:
    """Whether a part opens with a question: "anota pan, ¿y a qué hora amanece?" notes no question."""
    asked = [reading.text.span(act.start, act.end) for act in reading.acts if act.kind == "question"]
    return any(part.start - SMALL <= start <= part.start < end for start, end in asked)


def _goes_on(agent: Agent, reading: Reading, part: Part, parts: Sequence[Part]) -> bool:
    """Whether a part belongs to the one before it: no mark parts two that mean the same, or it asks about that.

    "Gano 9000 y guardo el 15%, ¿cuánto es?" is one sum, "recuérdame la pastilla a las 8 am y a las 8 pm" one wish.
    """
    before = max((each for each in parts if each.start < part.start), key=lambda each: each.start, default=None)
    if before is None:
        return False
    text = reading.text.raw
    is_parted = any(each.firm and before.start < each.start < part.start for each in joints(text, agent))
    if before.ranked.intent != part.ranked.intent:
        return not is_parted and _is_said_in_words(agent, before, part) and not _RATHER.match(fold(part.text))
    if not is_parted:
        return True
    is_other = _AND.search(text[: part.start]) or any(map(str.isdigit, part.text))
    return _asks(reading, part) and not _asks(reading, before) and not is_other


def _is_said_in_words(agent: Agent, *parts: Part) -> bool:
    """Whether all of these are wishes that are kept in the contact's own words."""
    intents = [agent.intents.get(each.ranked.intent or "") for each in parts]
    return all(each and each.topic == "order" and MESSAGE in each.arguments.values() for each in intents)


def _only_going_on(agent: Agent, reading: Reading) -> set[str]:
    """What is meant only by parts that belong to what was said before them."""
    parts = [part for part in reading.parts if _is_sure(part)]
    joined = [part for part in parts if _goes_on(agent, reading, part, parts)]
    others = {part.ranked.intent for part in parts if part not in joined}
    return {part.ranked.intent or "" for part in joined} - others


def _is_sure(part: Part) -> bool:
    return bool(part.ranked.intent) and is_sure_or_alone(part.ranked)
