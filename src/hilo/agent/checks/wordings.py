"""What is wrong with what an agent file says about its words: tones, facts, and what is said when wordings run out."""

import math
from collections.abc import Iterator

from hilo.agent.checks.place import ANOTHER, Finding, Place
from hilo.agent.checks.timers import timer_path
from hilo.agent.declaration import Agent, Tone
from hilo.agent.policies import CompletionPolicy
from hilo.agent.shorthand import is_name
from hilo.agent.source import Path
from hilo.agent.templates import Template
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
        _fact(name, file / "facts" / name)


def _fact(name: str, here: Place) -> None:
    known = BUILT_IN | RECALLED
    here.require_in_turn(
        (name not in here.agent.slots, f"`{name}` is a slot already", ANOTHER),
        (name not in known, f"`{name}` is a word of the language already", ANOTHER),
        (name.isidentifier(), f"`{name}` is not a name", ANOTHER),
        at_key=True,
    )


def _tone(tone: Tone, here: Place) -> None:
    limits = [limit for limit in (tone.below, tone.above) if limit is not None]
    if not limits:
        here.problem("a tone needs a limit", "below: -0.2, or above: 0.4")
        return
    # one that has 0 would be the tone of a contact who shows no mood at all
    apart = all(-1 <= limit <= 1 for limit in limits) and not tone.has(0)
    bounds = "a tone is `below` some number from -1 to less than 0, or `above` one from 0 to 1"
    here.require(apart, bounds)


def _fallback(name: str, template: Template, here: Place) -> None:
    agent = here.agent
    known = {*agent.templates, *phrases(agent.language)}
    if template.fallback not in known:
        here.unknown("template", template.fallback, {*agent.templates, PERSON})
    # wordings run out only where none is said twice
    falls = agent.repeats == "never"
    hint = "write `repeats: never` for the agent, or leave it out"
    here.require(falls, "wordings are used again, so nothing falls back", hint, at_key=True)
    hint = "end with a template that has no fallback, or `handoff`"
    here.require(not _falls_on_itself(agent, name), f"`{name}` falls back on itself", hint)


def _falls_on_itself(agent: Agent, name: str) -> bool:
    at = agent.templates[name].fallback
    # a circle that does not lead back here is a problem of the templates in it
    for _ in agent.templates:
        if at == name:
            return True
        if at == PERSON or at not in agent.templates:
            return False
        at = agent.templates[at].fallback
    return False


# --- where wordings run out -------------------------------------------------------------------------------

# what the engine itself says more than once in an ordinary session
_OFTEN = frozenset(
    {
        *("handoff", "handoff_closed", "ask_offered", "ask_argument", "ask_switch", "failed"),
        *("left", "cancelled", "done_already", "released"),
    }
)
# They can be left out: something else is said or done.
_MAY_FAIL = frozenset({"greeting", "welcome_back", PERSON})


def running_out(agent: Agent) -> Iterator[Finding]:
    """Where an agent that repeats nothing can run out of words, which then calls a person that nobody asked for."""
    if agent.repeats != "never":
        return
    engine = phrases(agent.language)
    named = set(engine.keys() - _MAY_FAIL)
    texts: list[Path] = []
    for said, path in _spoken(agent):
        if is_name(said):
            named.add(said)
        elif said:
            texts.append(path)
    for name, template in agent.templates.items():
        if name in named and not template.fallback:
            yield _can_run_out(("templates", name), f"`{name}`", len(template.texts))
    for path in texts:
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
    for name, text in agent.tools.says.items():
        yield text, ("tools", "says", name)
    for name, text in agent.tools.recap.items():
        yield text, ("tools", "recap", name)
    for name, mode in agent.modes.items():
        yield mode.bridge, ("modes", name, "bridge")
        yield mode.entrance.say, ("modes", name, "enter", "say")
        for each, timer in mode.timers.items():
            yield timer.say, ("modes", name, "timers", each, "say")
    for step in agent.all_steps:
        yield step.said, (*step.path, step.kind)


def _questions(agent: Agent) -> Iterator[Finding]:
    """A slot's question may be asked as often as the policy on useless answers lets it."""
    policies = [each for each in agent.escalation if isinstance(each, CompletionPolicy)]
    fewest = min((each.completion.invalid_attempts for each in policies), default=math.inf)
    for name, slot in agent.slots.items():
        if not slot.ask or f"ask.{name}" in agent.templates:
            continue  # a template has been looked at among the others
        if len(slot.ask) < fewest:
            yield _can_run_out(("slots", name, "ask"), "this question", len(slot.ask))


def consents(agent: Agent) -> Iterator[Finding]:
    """Timers that take silence for a yes: allowed, and never unnoticed."""
    for name, timer in agent.all_timers.items():
        if timer.consent == "silence":
            what = f"silence is taken for a yes to `{timer.start}`"
            hint = "its tools are told so (`consent`): mark what they make as unconfirmed"
            yield Finding((*timer_path(name), "consent"), what, hint)
