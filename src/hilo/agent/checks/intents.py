"""What is wrong with intents, and with how sure one must be of them."""

from collections.abc import Iterator

from hilo.agent.checks.finding import Finding
from hilo.agent.checks.references import check_text, undeclared, unknown
from hilo.agent.declaration import Agent, Intent
from hilo.agent.policies import IntentPolicy
from hilo.agent.source import Path

MAX_LABEL = 20  # characters of a WhatsApp button


def check_intents(agent: Agent) -> Iterator[Finding]:
    """Answers and tools that are not there, calls that could never be made, bands in the wrong order."""
    yield from _bands(agent)
    for name, intent in agent.intents.items():
        path: Path = ("intents", name)
        if name in agent.flows:
            yield Finding(path, f"a flow is called `{name}`, too", "choose another name", at_key=True)
        if intent.answer:
            yield from check_text(agent, intent.answer, (*path, "answer"))
        if intent.do:
            yield from _call(agent, intent, path)
        elif intent.arguments:
            yield Finding((*path, "arguments"), "`arguments` are for the tool of `do`", at_key=True)
        if agent.confidence:
            yield from _offered(agent, name, path)


def _bands(agent: Agent) -> Iterator[Finding]:
    bands = agent.confidence
    if bands and not 0 <= bands.clarify <= bands.reanalyse <= bands.proceed <= 100:  # noqa: PLR2004 -- per cent
        message = "the bands are not in order"
        yield Finding(("confidence",), message, "0 ≤ clarify ≤ reanalyse ≤ proceed ≤ 100")


def _call(agent: Agent, intent: Intent, path: Path) -> Iterator[Finding]:
    if intent.answer:
        yield Finding((*path, "answer"), "an intent answers or does", "tell the result with `tools: {says: …}`")
    spec = agent.toolbox.get(intent.do)
    if spec is None:
        yield unknown("tool", intent.do, agent.toolbox, (*path, "do"))
        return
    if spec.needs_yes:
        hint = "put it into a flow, after a `confirm`"
        yield Finding((*path, "do"), f"{intent.do} needs a yes, so an intent cannot run it", hint)
    if agent.modes and not any(intent.do in agent.tools_in(mode) for mode in agent.modes):
        yield Finding((*path, "do"), f"no mode allows {intent.do}", "name it in the `tools` of a mode")
    yield from _arguments(agent, intent, path)


def _arguments(agent: Agent, intent: Intent, path: Path) -> Iterator[Finding]:
    parameters = agent.toolbox[intent.do].parameters  # none are known of some tools before they are connected
    for name in intent.arguments if parameters else ():
        yield from undeclared(f"parameter of {intent.do}", [name], parameters, (*path, "arguments", name))
    for name, required in parameters.items():
        given = name in intent.arguments or name in agent.slots or f"ask.{name}" in agent.templates
        if required and not given:
            hint = f"a slot of that name, or `arguments: {{{name}: message}}`"
            yield Finding((*path, "do"), f"{intent.do} needs `{name}`", hint)


def _offered(agent: Agent, name: str, path: Path) -> Iterator[Finding]:
    """An intent is offered on a button where it is not sure; a longer name of a flow makes it a list."""
    intent = agent.intents[name]
    if len(intent.label) > MAX_LABEL:
        yield Finding((*path, "label"), f"a button has {MAX_LABEL} characters, this has {len(intent.label)}")
    policies = {policy.llm_intent for policy in agent.escalation if isinstance(policy, IntentPolicy)}
    if not intent.answer and not intent.do and name not in policies:
        hint = "give it an `answer` or a tool to `do`"
        yield Finding(path, f"`{name}` may be offered, and leads to nothing", hint, at_key=True)
