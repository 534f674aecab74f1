"""What the agent says: the next wording of a template, noted as said; or only new ones."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from hilo.agent.declaration import Template
from hilo.agent.texts import PLACEHOLDER
from hilo.dialogue import wording
from hilo.dialogue.draft import Draft
from hilo.dialogue.effects import Effect, Line, Question, Say
from hilo.dialogue.session import MAX_SAID

HANDOFF = "handoff"  # the template that tells of a person; as a fallback, the person
WORDLESS = -1  # instead of a wording's number

Values = Mapping[str, Any]


def say(draft: Draft, template: str, values: Values | None = None) -> None:
    """Say a paragraph of its own; where it has no new words left, a person must."""
    line = next_line(draft, template, values)
    if line.variant != WORDLESS:
        draft.effects.append(Say(line))


def remark(draft: Draft, template: str, values: Values | None = None) -> bool:
    """Say something in front of what comes next; whether there was something new to say."""
    line = _next_line(draft, template, values or {})
    if line:
        draft.effects.append(Say(line, remark=True))
    return line is not None


def say_words(draft: Draft, text: str, *, by: str) -> None:
    """Say words that are no template's: a tool's or a model's."""
    draft.effects.append(Say(Line(by, 0, text)))


def next_line(draft: Draft, template: str, values: Values | None = None) -> Line:
    """The next wording of a template, noted as sent; without any left, a question calls a person."""
    line = _next_line(draft, template, values or {})
    if line is None:
        draft.log.exhausted.append(template)
        return Line(template, WORDLESS, "")
    return line


def _next_line(draft: Draft, template: str, values: Values) -> Line | None:
    tone = draft.agent.tone_of(draft.session.mood)
    if draft.agent.repeats == "never":
        line = _fresh_line(draft, template, values, tone)
        if line:
            return _sent(draft, line, template)
        if not draft.force_repeat:
            return None
    times = draft.session.templates_sent.get(template, 0)
    place, text = wording.next_wording(draft.agent.templates[template], tone, times)
    return _sent(draft, _filled(draft, template, (place, text), values), template)


def _fresh_line(draft: Draft, template: str, values: Values, tone: str) -> Line | None:
    """The first wording that was not said: the agent's, a model's, or one of the fallback's."""
    declared = draft.agent.templates[template]
    own = wording.wordings(declared, tone)
    made_by_model = enumerate(draft.session.reworded.get(template, ()), len(declared.texts))
    for wanted in (*own, *made_by_model):
        line = _filled(draft, template, wanted, values)
        if _is_new(draft, line.text):
            return line
    fallback = declared.fallback
    if fallback not in draft.agent.templates or fallback == HANDOFF:
        return None
    draft.log.replaced.append(template)  # a model may still give it words, which then come first
    return _fresh_line(draft, fallback, values, tone)


def _is_new(draft: Draft, text: str) -> bool:
    # with a full memory nobody can tell whether a line is new
    return len(draft.session.said) < MAX_SAID and wording.mark(text) not in draft.session.said


def _filled(draft: Draft, template: str, wanted: tuple[int, str], values: Values) -> Line:
    place, text = wanted
    declared = draft.agent.templates[template]
    approved = _approved(draft, declared, values) if declared.wa_template else ()
    return Line(template, place, wording.fill(text, {**values_of(draft, text), **values}), approved)


def _approved(draft: Draft, declared: Template, values: Values) -> tuple[str, ...]:
    """What fills the places of the approved template: the values of the first wording, in order."""
    known = {**values_of(draft, declared.text), **values}
    return tuple(str(known.get(name, "")) for name in PLACEHOLDER.findall(declared.text))


def fitting_line(draft: Draft, template: str, values: Mapping[str, str]) -> Line | None:
    """The first wording of a template that speaks only of what is known, if there is one."""
    for place, text in enumerate(draft.agent.templates[template].variants):
        known = {**values_of(draft, text), **values}
        if not all(known.get(name) for name in PLACEHOLDER.findall(text)):
            continue
        line = Line(template, place, wording.fill(text, known))
        if draft.agent.repeats != "never" or _is_new(draft, line.text):
            return _sent(draft, line, template)
    return None


def values_of(draft: Draft, text: str) -> dict[str, str]:
    """What fills the places of a text."""
    known = wording.line_values(draft.agent, draft.session.slots, text)
    if "{missing}" in text:
        known["missing"] = _missing(draft)
    return known


def _missing(draft: Draft) -> str:
    """What the flow under way still needs, as contacts call it."""
    if not draft.session.stack:
        return ""
    agent, filled = draft.agent, draft.session.slots
    asked = dict.fromkeys(agent.flows[draft.session.stack[-1].flow].collects)
    missing = [name for name in asked if agent.slots[name].required and name not in filled]
    return ", ".join(wording.label(agent, name) for name in missing)


def _sent(draft: Draft, line: Line, meant: str) -> Line:
    """Note a line as said, also for the template that it stands in for."""
    sent = dict(draft.session.templates_sent)
    for name in dict.fromkeys((line.template, meant)):
        sent[name] = sent.get(name, 0) + 1
    draft.session.templates_sent = sent
    if draft.agent.repeats == "never":
        draft.session.said = (*draft.session.said, wording.mark(line.text))
    return line


def take_back(draft: Draft, kept: list[Effect]) -> None:
    """Only these effects are left; lines that the contact will not read may still be said later."""
    if draft.agent.repeats == "never":
        dropped = [each for each in draft.effects if each not in kept]
        _forget_lines(draft, [each.line for each in dropped if isinstance(each, Say | Question)])
    draft.effects = kept


def _forget_lines(draft: Draft, lines: list[Line]) -> None:
    unread = Counter(line.template for line in lines if line.variant != WORDLESS)
    marks = {wording.mark(line.text) for line in lines}
    sent = {name: times - unread[name] for name, times in draft.session.templates_sent.items()}
    draft.session.templates_sent = {name: times for name, times in sent.items() if times > 0}
    draft.session.said = tuple(mark for mark in draft.session.said if mark not in marks)
