"""What is wrong with what an agent file says about its words: tones, facts, and what is said when wordings run out."""

from collections.abc import Iterator

from hilo.agent.checks.finding import Finding
from hilo.agent.checks.references import undeclared, unknown
from hilo.agent.checks.timers import timer_path
from hilo.agent.declaration import Agent, Template, Tone
from hilo.agent.policies import CompletionPolicy
from hilo.agent.shorthand import is_name
from hilo.agent.source import Path
from hilo.agent.texts import BUILT_IN, RECALLED, phrases

PERSON = "handoff"  # as a fallback: no other words, but a person


def check_wordings(agent: Agent) -> Iterator[Finding]:
    """Names of tones, facts and templates that are not there or mean nothing."""
    for name, tone in agent.tones.items():
        yield from _tone(tone, ("tones", name))
    for name, template in agent.templates.items():
        yield from _of_template(agent, template, ("templates", name))
    yield from _circles(agent)
    for name in agent.facts:
        if problem := _taken(agent, name):
            yield Finding(("facts", name), f"`{name}` {problem}", "choose another name", at_key=True)


def _taken(agent: Agent, fact: str) -> str:
    if fact in agent.slots:
        return "is a slot already"
    if fact in BUILT_IN | RECALLED:
        return "is a word of the language already"
    return "" if fact.isidentifier() else "is not a name"


def _tone(tone: Tone, path: Path) -> Iterator[Finding]:
    limits = [limit for limit in (tone.below, tone.above) if limit is not None]
    if not limits:
        yield Finding(path, "a tone needs a limit", "below: -0.2, or above: 0.4")
    elif not all(-1 <= limit <= 1 for limit in limits) or tone.has(0):
        yield Finding(path, "a tone is `below` some number from -1 to less than 0, or `above` one from 0 to 1")


def _of_template(agent: Agent, template: Template, path: Path) -> Iterator[Finding]:
    for tone, texts in template.tones.items():
        yield from undeclared("tone", [tone], agent.tones, (*path, "tones"))
        if not texts or not all(text.strip() for text in texts):
            yield Finding((*path, "tones", tone), "an empty text says nothing")
    known = {*agent.templates, *phrases(agent.language)}
    if template.fallback and template.fallback not in known:
        yield unknown("template", template.fallback, {*agent.templates, PERSON}, (*path, "fallback"))
    if template.fallback and agent.repeats != "never":
        hint = "write `repeats: never` for the agent, or leave it out"
        yield Finding((*path, "fallback"), "wordings are used again, so nothing falls back", hint, at_key=True)


def _circles(agent: Agent) -> Iterator[Finding]:
    """Templates that would stand in for themselves."""
    for name in agent.templates:
        seen, at = {name}, agent.templates[name].fallback
        while at in agent.templates and at != PERSON and at not in seen:
            seen.add(at)
            at = agent.templates[at].fallback
        if at == name:
            path = ("templates", name, "fallback")
            yield Finding(
                path, f"`{name}` falls back on itself", "end with a template that has no fallback, or `handoff`"
            )


# --- where wordings run out -------------------------------------------------------------------------------


def running_out(agent: Agent) -> Iterator[Finding]:
    """Where an agent that repeats nothing can run out of words, which then calls a person that nobody asked for."""
    if agent.repeats != "never":
        return
    spoken = {name for name, _ in _spoken(agent) if is_name(name)}
    for name, template in agent.templates.items():
        if not template.fallback and (name in spoken or (name in phrases(agent.language) and name not in _MAY_FAIL)):
            yield _can_run_out(("templates", name), f"`{name}`", len(template.texts))
    for text, path in _spoken(agent):
        if text and not is_name(text):
            yield _can_run_out(path, "this text", 1)
    yield from _questions(agent)
    yield from _phrases(agent)


def _can_run_out(path: Path, what: str, wordings: int) -> Finding:
    times = "once" if wordings == 1 else f"{wordings} times"
    hint = "more wordings with `again:`, another template with `fallback:`, or `fallback: handoff` if that is meant"
    return Finding(path, f"{what} can be said {times} to a contact, then a person takes over", hint)


def _spoken(agent: Agent) -> Iterator[tuple[str, Path]]:
    """What the file says, by name or by text, more than once if need be."""
    yield from ((each.answer, ("intents", name, "answer")) for name, each in agent.intents.items())
    yield from ((text, ("tools", "says", name)) for name, text in agent.tools.says.items())
    yield from ((text, ("tools", "recap", name)) for name, text in agent.tools.recap.items())
    for name, mode in agent.modes.items():
        yield mode.bridge, ("modes", name, "bridge")
        yield mode.enter.say if mode.enter else "", ("modes", name, "enter", "say")
        yield from ((each.say, ("modes", name, "timers", key, "say")) for key, each in mode.timers.items())
    for flow in agent.compiled.values():
        yield from ((step.said, (*step.path, step.kind)) for step in flow.steps)


def _questions(agent: Agent) -> Iterator[Finding]:
    """A slot's question may be asked as often as the policy on useless answers lets it."""
    limits = [each.completion.invalid_attempts for each in agent.escalation if isinstance(each, CompletionPolicy)]
    for name, slot in agent.slots.items():
        own = f"ask.{name}" in agent.templates
        if slot.ask and not own and not any(limit <= len(slot.ask) for limit in limits):
            yield _can_run_out(("slots", name, "ask"), "this question", len(slot.ask))


def _phrases(agent: Agent) -> Iterator[Finding]:
    """The engine's own words that there is only one wording of, in one finding."""
    engine = phrases(agent.language)
    left = _OFTEN & engine.keys() - agent.templates.keys()
    single = [name for name in left if len(engine[name].texts) == 1]
    if single:
        hint = "declare them under `templates:` with `again:`"
        yield Finding(("repeats",), f"the engine has one wording of {', '.join(sorted(single))}", hint)


_OFTEN = frozenset(
    {"handoff", "ask_offered", "ask_argument", "ask_switch", "failed", "left", "cancelled", "done_already", "released"}
)
_MAY_FAIL = frozenset({"greeting", "welcome_back", PERSON})  # they can be left out: something else is said or done


def consents(agent: Agent) -> Iterator[Finding]:
    """Timers that take silence for a yes: allowed, and never unnoticed."""
    for name, timer in agent.all_timers.items():
        if timer.consent == "silence":
            what = f"silence is taken for a yes to `{timer.start}`"
            hint = "its tools are told so (`consent`): mark what they make as unconfirmed"
            yield Finding((*timer_path(name), "consent"), what, hint)
