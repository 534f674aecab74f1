"""All texts of an agent as named templates: its own, those inside steps and slots, the phrases of its language."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import cast

from hilo.agent.declaration import Agent, Entrance, Intent, Mode, Slot, Template
from hilo.agent.phrases import en, es, es_ar, es_co
from hilo.agent.policies import POLICIES, policy_kind
from hilo.agent.steps import KINDS, Again, AnyStep, Collect, Confirm, Flow, Repeat, Say, Step
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


def is_name(text: str) -> bool:
    """Whether a `say:` or `confirm:` names a template, rather than being the text itself."""
    return re.fullmatch(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*", text) is not None


def placeholders(template: Template) -> set[str]:
    """The names in braces of all wordings."""
    return {name for text in template.texts for name in PLACEHOLDER.findall(text)}


def complete(agent: Agent) -> Agent:
    """The agent with every step named, every text a template, and its policies by priority."""
    flows = {name: _named_steps(flow) for name, flow in agent.flows.items()}
    inline = {key: text for name, flow in flows.items() for key, text in _inline_texts(name, flow)}
    templates = {**phrases(agent.language), **dict(_slot_texts(agent.slots)), **agent.templates, **inline}
    templates |= {key: Template(text=text) for key, text in _other_texts(agent) if text and not is_name(text)}
    order = list(POLICIES)
    policies = sorted(agent.escalation, key=lambda policy: order.index(policy_kind(policy)))
    return replace(
        agent,
        flows={name: _without_texts(name, flow) for name, flow in flows.items()},
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


def _named_steps(flow: Flow) -> Flow:
    steps = tuple(_flat(flow.steps))
    taken = {step.name for step in steps}
    named = (replace(step, name=step.name or _free_name(step, place, taken)) for place, step in enumerate(steps, 1))
    return replace(flow, steps=cast("tuple[Step, ...]", tuple(_with_firsts(list(named)))))


def _free_name(step: AnyStep, place: int, taken: set[str]) -> str:
    name = f"{kind_of(step)}_{place}"
    while name in taken:
        name += "_"
    return name


def _flat(steps: tuple[Step, ...]) -> Iterator[AnyStep]:
    """The steps of a repeated block stand in front of the step that decides about another round."""
    for step in steps:
        if isinstance(step, Repeat):
            inner = tuple(_flat(step.repeat))
            yield from inner
            collected = [name for each in inner if isinstance(each, Collect) for name in each.collect]
            yield Again(
                name=step.name,
                when=step.when,
                first=str(len(inner)),
                collected=tuple(collected),
                until=step.until,
                at_most=step.at_most,
            )
        else:
            yield step


def _with_firsts(steps: list[AnyStep]) -> Iterator[AnyStep]:
    """The name of a block's first step, which is known when all steps are named."""
    for place, step in enumerate(steps):
        yield replace(step, first=steps[place - int(step.first)].name) if isinstance(step, Again) else step


def kind_of(step: AnyStep) -> str:
    """The word that an author writes for this kind of step."""
    return next((kind for kind, shape in KINDS.items() if isinstance(step, shape)), "repeat")


def _inline_texts(flow_name: str, flow: Flow) -> Iterator[tuple[str, Template]]:
    for step in flow.steps:
        text = step.say if isinstance(step, Say) else step.confirm if isinstance(step, Confirm) else ""
        if text and not is_name(text):
            yield f"{flow_name}.{step.name}", Template(text=text)


def _without_texts(name: str, flow: Flow) -> Flow:
    steps = tuple(_by_name(name, step) for step in flow.all_steps)
    return replace(flow, steps=cast("tuple[Step, ...]", steps))


def _by_name(flow_name: str, step: AnyStep) -> AnyStep:
    if isinstance(step, Say) and not is_name(step.say):
        return replace(step, say=f"{flow_name}.{step.name}")
    if isinstance(step, Confirm) and not is_name(step.confirm):
        return replace(step, confirm=f"{flow_name}.{step.name}")
    return step


def _other_texts(agent: Agent) -> Iterator[tuple[str, str]]:
    """What timers, modes, intents and tools say, with the name that it has where it is a text."""
    yield from ((f"timer.{name}", timer.say) for name, timer in agent.timers.items())
    yield from ((f"intent.{name}", intent.answer) for name, intent in agent.intents.items())
    yield from ((f"tool.{name}", text) for name, text in agent.tools.says.items())
    yield from ((f"recap.{name}", text) for name, text in agent.tools.recap.items())
    for name, mode in agent.modes.items():
        yield f"mode.{name}.bridge", mode.bridge
        yield f"mode.{name}.enter", mode.enter.say if mode.enter else ""
        yield from ((f"timer.{name}.{each}", timer.say) for each, timer in mode.timers.items())


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
