"""What the agent says: templates and values as words, each wording noted as said."""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

from hilo.agent.declaration import Agent, Slot
from hilo.agent.opening_hours import OPEN_WORDS
from hilo.agent.templates import Enclosure, Template
from hilo.agent.texts import PLACEHOLDER, phrases, word
from hilo.agent.values import Value
from hilo.dialogue.draft import Draft, less, of_kind
from hilo.dialogue.effects import Effect, Line, Question, Say
from hilo.dialogue.opening import opening_text
from hilo.dialogue.session import MAX_SAID, AskedArgument
from hilo.messages import Attachment, place_of
from hilo.slots.date import day_text
from hilo.slots.number import number_text

HANDOFF = "handoff"  # the template that tells of a person; as a fallback, the person
PERSON = "wants_human"  # as a meaning that is offered: to talk to a person
FETCHABLE = ("https://", "/media/")  # how the address of a file begins: elsewhere, or kept by us
WORDLESS = -1  # instead of a wording's number

_GAP = "\0"  # where a value is not known
_SPACED_GAP = re.compile("( ?)\0(?: ?\0)*( ?)")

Values = Mapping[str, Any]


# --- saying something ----------------------------------------------------------------------------


def say(draft: Draft, template: str, values: Values | None = None) -> None:
    """Say a paragraph of its own; where it has no new words left, a person must."""
    line = next_line(draft, template, values)
    if line.variant != WORDLESS:
        draft.effects.append(Say(line))


def remark(draft: Draft, template: str, values: Values | None = None) -> bool:
    """Say something in front of what comes next; whether there was something new to say."""
    line = next_line(draft, template, values, needed=False)
    if line.variant == WORDLESS:
        return False
    draft.effects.append(Say(line, remark=True))
    return True


def say_words(draft: Draft, text: str, *, by: str) -> None:
    """Say words that are no template's: a tool's or a model's."""
    draft.effects.append(Say(Line(by, 0, text)))


def say_results(draft: Draft) -> None:
    """What the calls came to, in the words of the tools' templates, if no model has worded it."""
    agent, unsaid = draft.agent, draft.progress.unsaid
    draft.progress.unsaid = ()
    done = []
    for each in unsaid:
        if each.failed:
            remark(draft, "failed")
            continue
        if each.tell:
            say_words(draft, each.tell, by=each.tool)
            continue
        done.append(each.tool)
        if template := agent.tools.says.get(each.tool):
            say(draft, template, {name: said(agent, value) for name, value in each.values.items()})
        elif result := each.values.get("result"):
            say_words(draft, said(agent, result), by=each.tool)
    if draft.session.stack:
        return  # a flow under way has its own question, and shows what it shows
    for group, recap in agent.tools.recap.items():
        is_of_it = not set(done).isdisjoint(agent.tools.groups.get(group, (group,)))
        # one that speaks of nothing only asks, and a tool has its own question
        only_asks = not PLACEHOLDER.search(agent.templates[recap].text) and _waits_for_a_tool(draft)
        if is_of_it and knows_all(draft, recap) and not only_asks:
            say(draft, recap)
            return  # the first that fits: two would end the reply with two questions


def _waits_for_a_tool(draft: Draft) -> bool:
    return bool(draft.session.put_off) or isinstance(draft.session.pending or draft.asked, AskedArgument)


def knows_all(draft: Draft, template: str) -> bool:
    """Whether all is known that a template speaks of: an empty cart is not shown."""
    text = draft.agent.templates[template].text
    known = values_of(draft, text)
    return all(known.get(name) for name in PLACEHOLDER.findall(text))


def take_back(draft: Draft, kept: list[Effect]) -> None:
    """Only these effects are left; lines that the contact will not read may still be said later."""
    dropped = less(draft.effects, *kept)
    draft.effects = kept
    if draft.agent.repeats != "never":
        return  # the wordings take turns, and it does no harm that one loses its turn
    lines = [each.line for each in of_kind(dropped, Say | Question)]
    unread = Counter(line.template for line in lines if line.variant != WORDLESS)
    marks = {mark(line.text) for line in lines}
    # A counter's difference keeps only what is left of it.
    draft.session.templates_sent = dict(Counter(draft.session.templates_sent) - unread)
    draft.session.said = less(draft.session.said, *marks)


# --- which wording comes next --------------------------------------------------------------------


def next_line(
    draft: Draft,
    template: str,
    values: Values | None = None,
    *,
    needed: bool = True,
) -> Line:
    """The next wording of a template, noted as sent; without one left, a wordless line.

    Where what has no words left is `needed`, a person must go on.
    """
    agent, session = draft.agent, draft.session
    values = values or {}
    tone = agent.tone_of(session.mood)
    line = _fresh_line(draft, template, values, tone) if agent.repeats == "never" else None
    if line is None and (agent.repeats != "never" or draft.force_repeat):
        declared = agent.templates[template]
        found = wordings(declared, tone)
        times = session.templates_sent.get(template, 0)
        toned, others = len(found) - len(declared.variants), len(declared.again)
        place = 0  # the first one comes once, then the others take turns; those for a tone all do
        if toned:
            place = times % toned
        elif times and others:
            place = (times - 1) % others + 1
        line = _filled(draft, template, found[place], values)
    if line:
        return _sent(draft, line, template)
    if needed:
        draft.log.exhausted.append(template)
    return Line(template, WORDLESS, "")


def _fresh_line(draft: Draft, template: str, values: Values, tone: str) -> Line | None:
    """The first wording that was not said: the agent's, a model's, or one of the fallback's."""
    declared = draft.agent.templates[template]
    made_by_model = enumerate(draft.session.reworded.get(template, ()), len(declared.texts))
    for wanted in (*wordings(declared, tone), *made_by_model):
        line = _filled(draft, template, wanted, values)
        if _is_new(draft, line.text):
            return line
    fallback = declared.fallback
    if fallback not in draft.agent.templates or fallback == HANDOFF:
        return None
    draft.log.replaced.append(template)  # a model may still give it words, which then come first
    return _fresh_line(draft, fallback, values, tone)


def fitting_line(draft: Draft, template: str, values: Mapping[str, str]) -> Line | None:
    """The first wording of a template that speaks only of what is known, if there is one."""
    for place, text in enumerate(draft.agent.templates[template].variants):
        known = {**values_of(draft, text), **values}
        if not all(known.get(name) for name in PLACEHOLDER.findall(text)):
            continue
        line = _filled(draft, template, (place, text), values)
        if draft.agent.repeats != "never" or _is_new(draft, line.text):
            return _sent(draft, line, template)
    return None


def wordings(template: Template, tone: str) -> tuple[tuple[int, str], ...]:
    """The texts of a template with their numbers, those for the tone first, none of others."""
    plain = tuple(enumerate(template.variants))
    first = len(plain)
    for name, texts in template.tones.items():
        if name == tone:
            return (*enumerate(texts, first), *plain)
        first += len(texts)
    return plain


def _is_new(draft: Draft, text: str) -> bool:
    # with a full memory nobody can tell whether a line is new
    return len(draft.session.said) < MAX_SAID and mark(text) not in draft.session.said


def _sent(draft: Draft, line: Line, meant: str) -> Line:
    """Note a line as said, also for the template that it stands in for."""
    sent = dict(draft.session.templates_sent)
    for name in dict.fromkeys((line.template, meant)):
        sent[name] = sent.get(name, 0) + 1
    draft.session.templates_sent = sent
    if draft.agent.repeats == "never":
        draft.session.said = (*draft.session.said, mark(line.text))
    return line


def mark(text: str) -> str:
    """By what a text is known to have been said."""
    return hashlib.blake2s(text.encode(errors="surrogatepass"), digest_size=4).hexdigest()


# --- wordings with their values ------------------------------------------------------------------


def _filled(draft: Draft, template: str, wording: tuple[int, str], values: Values) -> Line:
    place, text = wording
    declared = draft.agent.templates[template]
    approved: tuple[str, ...] = ()
    if declared.wa_template:
        # The places of the approved template take the values of the first wording, in order.
        known = {**values_of(draft, declared.text), **values}
        approved = tuple(str(known.get(name, "")) for name in PLACEHOLDER.findall(declared.text))
    filled = fill(text, {**values_of(draft, text), **values})
    attached = _attached(draft, declared.attach, values) if declared.attach else None
    return Line(template, place, filled, approved, attached)


def _attached(draft: Draft, attach: Enclosure, values: Values) -> Attachment | None:
    """What goes out with a template; nothing where what it speaks of is not there, for the words stand alone too."""
    known = {**values_of(draft, "\n".join(attach.texts)), **values}
    image, document, place, name, address = (fill(each, known).strip() for each in attach.texts)
    degrees = place_of(place)
    if degrees:
        return Attachment("location", name=name, caption=address, latitude=degrees[0], longitude=degrees[1])
    if image.startswith(FETCHABLE):
        return Attachment("image", image)
    return Attachment("document", document, name=name) if document.startswith(FETCHABLE) else None


def values_of(draft: Draft, text: str) -> dict[str, str]:
    """The values that a text speaks of: facts, slots, the summary, what is missing."""
    agent, slots = draft.agent, draft.session.slots
    values: dict[str, str] = {}
    for name in PLACEHOLDER.findall(text):
        if name == "missing":
            values[name] = _missing(draft)
        elif name == "summary":
            values[name] = summary(agent, slots)
        elif name in OPEN_WORDS and agent.open:
            values[name] = opening_text(draft, name)
        elif name in slots and agent.slots[name].kind.is_note:
            values[name] = fill(word(agent, "note"), {"value": str(slots[name])})
        elif name in slots:
            values[name] = spoken(agent, name, slots[name])
        elif name in agent.named_facts:
            values[name] = said(agent, agent.named_facts[name])
    return values


def summary(agent: Agent, slots: Mapping[str, Value]) -> str:
    """What was collected, one line each, in the order of the agent file."""
    shown = {name: spoken(agent, name, slots[name]) for name in agent.slots if name in slots}
    return "\n".join(f"• {label(agent, name)}: {value}" for name, value in shown.items())


def _missing(draft: Draft) -> str:
    """What the flow under way still needs, as contacts call it."""
    agent, filled = draft.agent, draft.session.slots
    asked = dict.fromkeys(agent.collected_by(draft.session.flow))
    return ", ".join(label(agent, name) for name in less(asked, *filled) if _is_needed(agent.slots[name]))


def _is_needed(slot: Slot) -> bool:
    return slot.required and not slot.kind.is_note


def fill(text: str, values: Mapping[str, Any]) -> str:
    """A wording with its values; an unknown one leaves nothing, nor a space too many."""
    filled = PLACEHOLDER.sub(lambda found: str(values.get(found.group(1), _GAP)), text)
    return _SPACED_GAP.sub(_closed, filled) if _GAP in filled else filled


def _closed(gap: re.Match[str]) -> str:
    before, after = gap.groups()
    if before and after:
        return " "
    ends = gap.string[gap.end() : gap.end() + 1] in "\n,.;:!?)"
    return "" if before and ends else before + after


# --- names and values ----------------------------------------------------------------------------


def is_authors(agent: Agent, template: str) -> bool:
    """Whether an agent has words of its own for this, not those of its language."""
    return agent.templates.get(template) != phrases(agent.language).get(template)


def label(agent: Agent, slot: str) -> str:
    """What contacts call a slot."""
    return agent.slots[slot].label or slot.replace("_", " ")


def flow_label(agent: Agent, flow: str) -> str:
    """What contacts call what a flow does."""
    return agent.flows[flow].description or flow.replace("_", " ")


SECTION = "page: "  # before the source of a section that may be meant, beside the names of intents and flows


def section_meant(name: str) -> str:
    """The source of the section that is among meanings under this name; nothing where it names an intent or a flow."""
    return name.removeprefix(SECTION) if name.startswith(SECTION) else ""


def intent_label(agent: Agent, intent: str) -> str:
    """What contacts call an intent, what a flow does, or the last heading of a section."""
    if source := section_meant(intent):
        return source.rpartition(" › ")[2]
    if intent == PERSON and intent not in agent.intents:
        return word(agent, "person")
    if intent in agent.flows:
        flow = agent.flows[intent]
        return flow.description or _example(flow.examples) or intent.replace("_", " ")
    declared = agent.intents[intent]
    return declared.label or _example(declared.examples) or intent.replace("_", " ")


def _example(examples: tuple[str, ...]) -> str:
    """The first thing that a contact may say, in quotes; without a place for a value in it."""
    plain = (text for text in examples if not PLACEHOLDER.search(text))
    return next((f"«{text.strip('¿?')}»" for text in plain), "")


def spoken(agent: Agent, slot: str, value: Value) -> str:
    """A slot's value as one would write it to a contact."""
    show = agent.slots[slot].kind.show
    return show(value, partial(word, agent)) if show else said(agent, value)


def spoken_day(agent: Agent, day: date) -> str:
    """A day that no slot holds."""
    return day_text(day, partial(word, agent))


def said(agent: Agent, value: Any) -> str:
    """A tool's output as one would write it."""
    if isinstance(value, bool):
        return word(agent, "yes" if value else "no")
    if isinstance(value, int | Decimal):
        return number_text(value, partial(word, agent))
    return str(value)
