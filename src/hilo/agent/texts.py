"""All texts of an agent as named templates: its own, those inside steps and slots, the phrases of its language."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from hilo.agent.declaration import Agent, Intent, Slot
from hilo.agent.modes import Mode
from hilo.agent.phrases import en, es, es_ar, es_co, es_es, es_mx, pt_br
from hilo.agent.policies import POLICIES, policy_kind
from hilo.agent.shorthand import is_name
from hilo.agent.templates import Template
from hilo.agent.timers import Timer
from hilo.slots import TYPES
from hilo.slots.slot_type import Language, spoken_language

# `{city}`, or of a table of facts `{packs.2x}`.
PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*(?:\.[\w ]+)?)\}")
BUILT_IN = frozenset({"summary", "missing", "label", "value", "choices", "min", "max", "range"})
WELCOME_BACK = "welcome_back"
# Of the session before, in welcome_back.
RECALLED = frozenset({"open_flow", "open_slot", "last_flow", "last_day"})

_PHRASES: dict[Language, tuple[Mapping[str, tuple[str, ...]], ...]] = {
    "es": (es.PHRASES,),
    "es-AR": (es.PHRASES, es_ar.PHRASES),
    "es-CO": (es.PHRASES, es_co.PHRASES),
    "es-ES": (es.PHRASES, es_es.PHRASES),
    "es-MX": (es.PHRASES, es_mx.PHRASES),
    "en": (en.PHRASES,),
    "pt-BR": (pt_br.PHRASES,),
}


def phrases(language: str) -> Mapping[str, Template]:
    """What the engine itself says in a language; an agent may declare a template of the same name instead."""
    return _phrases(spoken_language(language))


@cache
def _phrases(language: Language) -> Mapping[str, Template]:
    merged: dict[str, tuple[str, ...]] = {}
    for book in _PHRASES[language]:  # a country's words replace those of its language
        merged.update(book)
    for slot_type in TYPES.values():
        for name, wordings in slot_type.phrases.items():
            merged[name] = wordings[language]
    return {name: _template(variants) for name, variants in merged.items()}


def _template(wordings: tuple[str, ...]) -> Template:
    return Template(text=wordings[0], again=wordings[1:])


def words_for(agent: Agent, said: str) -> Template | None:
    """What a `say` stands for: the template of that name, or the text itself; None if no template has the name."""
    if not is_name(said):
        return Template(text=said)
    return agent.templates.get(said) or phrases(agent.language).get(said)


def word(agent: Agent, name: str) -> str:
    """A small word of the agent's language."""
    return agent.templates[f"word.{name}"].text


def placeholders(template: Template) -> set[str]:
    """The names in braces of all wordings, and of what goes out with them."""
    texts = (*template.texts, *(template.attach.texts if template.attach else ()))
    return set(PLACEHOLDER.findall("\n".join(texts)))


def complete(agent: Agent) -> Agent:
    """The agent with every text a template, and its policies by priority."""
    own: dict[str, Template] = {}

    def named(text: str, name: str) -> str:
        """The name of what is said: its own, or that of the template which a text becomes."""
        if not text or is_name(text):
            return text
        own[name] = Template(text=text)
        return name

    def spoken(timers: Mapping[str, Timer], prefix: str) -> dict[str, Timer]:
        return {name: replace(each, say=named(each.say, prefix + name)) for name, each in timers.items()}

    # `hilo diff` tells texts in the order in which they are named here
    timers = spoken(agent.timers, "timer.")
    of_modes = {name: spoken(mode.timers, f"timer.{name}.") for name, mode in agent.modes.items()}
    intents: dict[str, Intent] = {}
    for name, intent in agent.intents.items():
        intents[name] = replace(intent, answer=named(intent.answer, f"intent.{name}"))
    attachments = {
        kind: replace(each, say=named(each.say, f"attachment.{kind}")) for kind, each in agent.attachments.items()
    }
    says = {tool: named(text, f"tool.{tool}") for tool, text in agent.tools.says.items()}
    recap = {name: named(text, f"recap.{name}") for name, text in agent.tools.recap.items()}
    modes: dict[str, Mode] = {}
    for name, mode in agent.modes.items():
        bridge = named(mode.bridge, f"mode.{name}.bridge")
        say = named(mode.entrance.say, f"mode.{name}.enter")
        enter = replace(mode.enter, say=say) if mode.enter else None
        modes[name] = replace(mode, bridge=bridge, enter=enter, timers=of_modes[name])
    # the first policy that asks for a person names the handoff, whatever the order in the file
    order = list(POLICIES)
    policies = sorted(agent.escalation, key=lambda policy: order.index(policy_kind(policy)))
    return replace(
        agent,
        templates={
            # later ones replace earlier ones: the author's words those of the engine
            **phrases(agent.language),
            **_slot_texts(agent.slots),
            **agent.templates,
            **_step_texts(agent),
            **own,
        },
        timers=timers,
        modes=modes,
        intents=intents,
        attachments=attachments,
        tools=replace(agent.tools, says=says, recap=recap),
        escalation=tuple(policies),
    )


def _step_texts(agent: Agent) -> dict[str, Template]:
    found: dict[str, Template] = {}
    for step in agent.all_steps:
        if step.texts:
            found[step.full_name] = _template(step.texts)
    return found


def _slot_texts(slots: Mapping[str, Slot]) -> dict[str, Template]:
    found: dict[str, Template] = {}
    for name, slot in slots.items():
        for key, wordings in (("ask", slot.ask), ("invalid", slot.invalid)):
            if wordings:
                found[f"{key}.{name}"] = _template(wordings)
    return found
