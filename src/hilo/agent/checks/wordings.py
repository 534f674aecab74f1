"""What is wrong with what an agent file says about its words: tones, facts, and what is said when wordings run out."""

from collections.abc import Iterator

from hilo.agent.checks.place import Finding, Place
from hilo.agent.checks.timers import timer_path
from hilo.agent.declaration import Agent, Template, Tone
from hilo.agent.policies import CompletionPolicy
from hilo.agent.shorthand import is_name
from hilo.agent.source import Path
from hilo.agent.texts import BUILT_IN, RECALLED, phrases

PERSON = "handoff"  # as a fallback: no other words, but a person


def check_wordings(file: Place) -> None:
    """Names of tones, facts and templates that are not there or mean nothing."""
    for name, tone in file.agent.tones.items():
        _tone(tone, file / "tones" / name)
    for name, template in file.agent.templates.items():
        here = file / "templates" / name
        for mood, texts in template.tones.items():
            (here / "tones").named("tone", mood)
            worded = texts and all(map(str.strip, texts))
            (here / "tones" / mood).require(worded, "an empty text says nothing")
        if template.fallback:
            _fallback(name, template, here / "fallback")
    for name in file.agent.facts:
        problem = _taken(file.agent, name)
        free = not problem
        (file / "facts" / name).require(free, f"`{name}` {problem}", "choose another name", at_key=True)


def _taken(agent: Agent, fact: str) -> str:
    if fact in agent.slots:
        return "is a slot already"
    if fact in BUILT_IN | RECALLED:
        return "is a word of the language already"
    return "" if fact.isidentifier() else "is not a name"


def _tone(tone: Tone, here: Place) -> None:
    limits = [limit for limit in (tone.below, tone.above) if limit is not None]
    here.require(limits, "a tone needs a limit", "below: -0.2, or above: 0.4")
    if limits:
        # one that has 0 would be the tone of a contact who shows no mood at all
        apart = all(-1 <= limit <= 1 for limit in limits) and not tone.has(0)
        bounds = "a tone is `below` some number from -1 to less than 0, or `above` one from 0 to 1"
        here.require(apart, bounds)


def _fallback(name: str, template: Template, here: Place) -> None:
    agent = here.agent
    if template.fallback not in {*agent.templates, *phrases(agent.language)}:
        here.unknown("template", template.fallback, {*agent.templates, PERSON})
    falls = agent.repeats == "never"
    hint = "write `repeats: never` for the agent, or leave it out"
    here.require(falls, "wordings are used again, so nothing falls back", hint, at_key=True)
    passed, at = {name}, template.fallback
    while at in agent.templates and at != PERSON and at not in passed:
        passed.add(at)
        at = agent.templates[at].fallback
    hint = "end with a template that has no fallback, or `handoff`"
    here.require(at != name, f"`{name}` falls back on itself", hint)


# --- where wordings run out -------------------------------------------------------------------------------

_OFTEN = frozenset(
    {"handoff", "ask_offered", "ask_argument", "ask_switch", "failed", "left", "cancelled", "done_already", "released"}
)
_MAY_FAIL = frozenset({"greeting", "welcome_back", PERSON})  # they can be left out: something else is said or done


def running_out(agent: Agent) -> Iterator[Finding]:
    """Where an agent that repeats nothing can run out of words, which then calls a person that nobody asked for."""
    if agent.repeats != "never":
        return
    engine = phrases(agent.language)
    spoken = list(_spoken(agent))
    often = {text for text, _ in spoken if is_name(text)} | (engine.keys() - _MAY_FAIL)
    for name, template in agent.templates.items():
        if name in often and not template.fallback:
            yield _can_run_out(("templates", name), f"`{name}`", len(template.texts))
    for text, path in spoken:
        if text and not is_name(text):
            yield _can_run_out(path, "this text", 1)
    yield from _questions(agent)
    left = _OFTEN & engine.keys() - agent.templates.keys()
    single = sorted(name for name in left if len(engine[name].texts) == 1)
    if single:
        hint = "declare them under `templates:` with `again:`"
        yield Finding(("repeats",), f"the engine has one wording of {', '.join(single)}", hint)


def _can_run_out(path: Path, what: str, wordings: int) -> Finding:
    times = "once" if wordings == 1 else f"{wordings} times"
    more = "more wordings with `again:`, another template with `fallback:`"
    hint = f"{more}, or `fallback: handoff` if that is meant"
    return Finding(path, f"{what} can be said {times} to a contact, then a person takes over", hint)


def _spoken(agent: Agent) -> Iterator[tuple[str, Path]]:
    """What the file says, by name or by text, more than once if need be; a timer of its own counts its words."""
    for name, intent in agent.intents.items():
        yield intent.answer, ("intents", name, "answer")
    for key, said in (("says", agent.tools.says), ("recap", agent.tools.recap)):
        for name, text in said.items():
            yield text, ("tools", key, name)
    for name, mode in agent.modes.items():
        yield mode.bridge, ("modes", name, "bridge")
        yield mode.entrance.say, ("modes", name, "enter", "say")
        for each, timer in mode.timers.items():
            yield timer.say, ("modes", name, "timers", each, "say")
    for flow in agent.compiled.values():
        for step in flow.steps:
            yield step.said, (*step.path, step.kind)


def _questions(agent: Agent) -> Iterator[Finding]:
    """A slot's question may be asked as often as the policy on useless answers lets it."""
    policies = [each for each in agent.escalation if isinstance(each, CompletionPolicy)]
    fewest = min((each.completion.invalid_attempts for each in policies), default=None)
    for name, slot in agent.slots.items():
        wordings = len(slot.ask)
        enough = fewest is not None and fewest <= wordings
        if wordings and not enough and f"ask.{name}" not in agent.templates:
            yield _can_run_out(("slots", name, "ask"), "this question", wordings)


def consents(agent: Agent) -> Iterator[Finding]:
    """Timers that take silence for a yes: allowed, and never unnoticed."""
    for name, timer in agent.all_timers.items():
        if timer.consent == "silence":
            what = f"silence is taken for a yes to `{timer.start}`"
            hint = "its tools are told so (`consent`): mark what they make as unconfirmed"
            yield Finding((*timer_path(name), "consent"), what, hint)
