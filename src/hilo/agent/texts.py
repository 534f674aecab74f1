"""All texts of an agent as named templates: its own, those inside steps and slots, the phrases of its language."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

from hilo.agent.declaration import Agent, Entrance, Intent, Mode, Slot, Template
from hilo.agent.phrases import en, es, es_ar, es_co
from hilo.agent.policies import POLICIES, policy_kind
from hilo.agent.shorthand import is_name
from hilo.agent.timers import Timer
from hilo.slots import TYPES
from hilo.slots.slot_type import Language

PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*(?:\.[\w ]+)?)\}")  # `{city}`, or of a table of facts `{packs.2x}`
BUILT_IN = frozenset({"summary", "missing", "label", "value", "choices", "min", "max", "range"})
WELCOME_BACK = "welcome_back"
RECALLED = frozenset({"open_flow", "open_slot", "last_flow", "last_day"})  # of the session before, in welcome_back

_PHRASES: dict[Language, tuple[Mapping[str, tuple[str, ...]], ...]] = {
    "es": (es.PHRASES,),
    "es-AR": (es.PHRASES, es_ar.PHRASES),
    "es-CO": (es.PHRASES, es_co.PHRASES),
    "en": (en.PHRASES,),
}


@cache
def phrases(language: Language) -> Mapping[str, Template]:
    """What the engine itself says in a language; an agent may declare a template of the same name instead."""
    merged = {name: variants for book in _PHRASES[language] for name, variants in book.items()}
    for slot_type in TYPES.values():
        merged |= {name: wordings[language] for name, wordings in slot_type.phrases.items()}
    return {name: Template(text=variants[0], again=variants[1:]) for name, variants in merged.items()}


def placeholders(template: Template) -> set[str]:
    """The names in braces of all wordings."""
    return {name for text in template.texts for name in PLACEHOLDER.findall(text)}


def complete(agent: Agent) -> Agent:
    """The agent with every text a template, and its policies by priority."""
    templates = {**phrases(agent.language), **dict(_slot_texts(agent.slots)), **agent.templates, **_step_texts(agent)}
    templates |= {key: Template(text=text) for key, text in _other_texts(agent) if text and not is_name(text)}
    order = list(POLICIES)
    policies = sorted(agent.escalation, key=lambda policy: order.index(policy_kind(policy)))
    return replace(
        agent,
        templates=templates,
        timers={name: _timer_by_name(name, timer) for name, timer in agent.timers.items()},
        modes={name: _mode_by_name(name, mode) for name, mode in agent.modes.items()},
        intents={name: _intent_by_name(name, intent) for name, intent in agent.intents.items()},
        tools=replace(
            agent.tools,
            says={tool: _named(text, f"tool.{tool}") for tool, text in agent.tools.says.items()},
            recap={name: _named(text, f"recap.{name}") for name, text in agent.tools.recap.items()},
        ),
        escalation=tuple(policies),
    )


def _step_texts(agent: Agent) -> dict[str, Template]:
    found: dict[str, Template] = {}
    for name, flow in agent.compiled.items():
        for step in flow.steps:
            if step.text:
                found[f"{name}.{step.name}"] = Template(text=step.text)
    return found


def _other_texts(agent: Agent) -> Iterator[tuple[str, str]]:
    """What timers, modes, intents and tools say, with the name that it has where it is a text."""
    yield from ((f"timer.{name}", timer.say) for name, timer in agent.all_timers.items())
    yield from ((f"intent.{name}", intent.answer) for name, intent in agent.intents.items())
    yield from ((f"tool.{name}", text) for name, text in agent.tools.says.items())
    yield from ((f"recap.{name}", text) for name, text in agent.tools.recap.items())
    for name, mode in agent.modes.items():
        yield f"mode.{name}.bridge", mode.bridge
        yield f"mode.{name}.enter", mode.enter.say if mode.enter else ""


def _named(text: str, name: str) -> str:
    """The name of what is said: its own, or that of the template which a text has become."""
    return name if text and not is_name(text) else text


def _timer_by_name(name: str, timer: Timer) -> Timer:
    return replace(timer, say=_named(timer.say, f"timer.{name}"))


def _intent_by_name(name: str, intent: Intent) -> Intent:
    return replace(intent, answer=_named(intent.answer, f"intent.{name}"))


def _mode_by_name(name: str, mode: Mode) -> Mode:
    return replace(
        mode,
        bridge=_named(mode.bridge, f"mode.{name}.bridge"),
        enter=_entrance_by_name(name, mode.enter) if mode.enter else None,
        timers={each: _timer_by_name(f"{name}.{each}", timer) for each, timer in mode.timers.items()},
    )


def _entrance_by_name(name: str, enter: Entrance) -> Entrance:
    return replace(enter, say=_named(enter.say, f"mode.{name}.enter"))


def _slot_texts(slots: Mapping[str, Slot]) -> Iterator[tuple[str, Template]]:
    for name, slot in slots.items():
        if slot.ask:
            yield f"ask.{name}", Template(text=slot.ask[0], again=slot.ask[1:])
        if slot.invalid:
            yield f"invalid.{name}", Template(text=slot.invalid[0], again=slot.invalid[1:])
