"""What is wrong with groups of tools, and with the templates that tell results."""

import re
from collections.abc import Iterator, Mapping

from hilo.agent.checks.finding import Finding
from hilo.agent.checks.references import check_placeholders, check_text, undeclared, unknown
from hilo.agent.declaration import Agent, Template
from hilo.agent.instructions import AskConfirmation, UseTool
from hilo.agent.shorthand import is_name
from hilo.agent.source import Path
from hilo.agent.texts import phrases, placeholders

NAME = re.compile(r"[a-z][a-z0-9_]*")


def check_tools(agent: Agent) -> Iterator[Finding]:
    """Tools that are not declared, texts that no tool fills, results that could not be told."""
    for group, tools in agent.tools.groups.items():
        yield from _group(agent, tools, ("tools", "groups", group))
    for tool, text in agent.tools.says.items():
        path = ("tools", "says", tool)
        if tool not in agent.toolbox:
            yield unknown("tool", tool, agent.toolbox, path)
        else:
            yield from _telling(agent, tool, text, path=path)
    for name, text in agent.tools.recap.items():
        path = ("tools", "recap", name)
        yield from undeclared("tool or group", [name], {*agent.toolbox, *agent.tools.groups}, path)
        yield from check_text(agent, text, path)
    for action, tool in vars(agent.orders).items() if agent.orders else ():
        if tool:
            yield from _ordering(agent, tool, ("orders", action))
    if agent.grounded == "strict":
        yield from _untold(agent)


def mixed_up(agent: Agent) -> Iterator[Finding]:
    """Questions that change a summary: what their tool gives has the name of what another tool found for it."""
    for flow in agent.compiled.values():
        found: dict[str, str] = {}
        for step in flow.steps:
            if isinstance(step.does, UseTool):
                found |= dict.fromkeys(step.does.into.values(), step.does.tool)
        for step in flow.steps:
            if isinstance(step.does, AskConfirmation) and step.said in agent.templates:
                shown = placeholders(agent.templates[step.said])
                yield from _mixed_up(agent, {slot: found[slot] for slot in sorted(shown & found.keys())}, step.said)


def _mixed_up(agent: Agent, found: Mapping[str, str], template: str) -> Iterator[Finding]:
    for name, intent in agent.intents.items():
        gives = agent.toolbox[intent.do].outputs if intent.do in agent.toolbox else ()
        for slot in (slot for slot in gives if slot in found and agent.slots[slot].found):
            if found[slot] != intent.do:
                said = f"`{intent.do}` gives a `{slot}`, and `{found[slot]}` finds the `{slot}` that `{template}` shows"
                hint = "the question would change the summary: give what the tool gives another name"
                yield Finding(("intents", name, "do"), said, hint)


def _group(agent: Agent, tools: tuple[str, ...], path: Path) -> Iterator[Finding]:
    name = str(path[-1])
    if not NAME.fullmatch(name):
        yield Finding(path, f"`{name}` is not a name", "use a–z, 0–9 and _", at_key=True)
    if name in agent.toolbox:
        yield Finding(path, f"a tool is called `{name}`, too", "choose another name", at_key=True)
    if not tools:
        yield Finding(path, "a group needs tools")
    yield from undeclared("tool", tools, agent.toolbox, path)


def _ordering(agent: Agent, tool: str, path: Path) -> Iterator[Finding]:
    """A tool for order lines takes a product."""
    yield from undeclared("tool", [tool], agent.toolbox, path)
    if tool in agent.toolbox and "product" not in agent.toolbox[tool].parameters:
        yield Finding(path, f"{tool} takes no `product`", "order lines give a product and a quantity")


def _telling(agent: Agent, tool: str, text: str, *, path: Path) -> Iterator[Finding]:
    """A text, or a template, that speaks of slots and of what its tool is told and gives."""
    known = {**phrases(agent.language), **agent.templates}
    if not text:
        yield Finding(path, "an empty text says nothing")
    elif is_name(text) and text not in known:
        yield unknown("template", text, agent.templates, path)
    elif spec_outputs := agent.toolbox[tool].outputs:  # what is not known may be anything
        also = frozenset({*spec_outputs, *agent.toolbox[tool].parameters})
        yield from check_placeholders(agent, known[text] if is_name(text) else Template(text=text), path, also=also)


def _untold(agent: Agent) -> Iterator[Finding]:
    """Tools whose results nobody may word, for a model must not."""
    for tool in sorted(_proposable(agent) & agent.toolbox.keys() - agent.tools.says.keys()):
        if not agent.toolbox[tool].needs_yes and "result" not in agent.toolbox[tool].outputs:
            message = f"nothing tells what {tool} found, and `grounded: strict` lets no model say it"
            yield Finding(("grounded",), message, f"tools: {{says: {{{tool}: TEMPLATE}}}}")


def _proposable(agent: Agent) -> set[str]:
    meant = {intent.do for intent in agent.intents.values() if intent.do}
    if agent.asks_by != "loop":
        return meant
    return meant.union(*(agent.tools_in(mode) for mode in agent.modes or ("",)))
