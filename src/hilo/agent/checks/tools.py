"""What is wrong with groups of tools, and with the templates that tell results."""

import re
from collections.abc import Iterator, Mapping

from hilo.agent.checks.place import Finding, Place
from hilo.agent.declaration import Agent, Template
from hilo.agent.instructions import AskConfirmation, UseTool
from hilo.agent.shorthand import is_name
from hilo.agent.texts import phrases, placeholders

NAME = re.compile(r"[a-z][a-z0-9_]*")


def check_tools(file: Place) -> None:
    """Tools that are not declared, texts that no tool fills, results that could not be told."""
    agent = file.agent
    for name, tools in agent.tools.groups.items():
        _group(name, tools, file / "tools" / "groups" / name)
    for tool, text in agent.tools.says.items():
        here = file / "tools" / "says" / tool
        here.named("tool", tool)
        if tool in agent.toolbox:
            _telling(tool, text, here)
    for name, text in agent.tools.recap.items():
        here = file / "tools" / "recap" / name
        here.named("tool or group", name)
        here.says(text)
    for action, tool in agent.ordering.items():
        here = file / "orders" / action
        here.named("tool", tool)
        spec = agent.toolbox.get(tool)
        takes = spec is None or "product" in spec.parameters
        here.require(takes, f"{tool} takes no `product`", "order lines give a product and a quantity")
    if agent.grounded == "strict":
        _told(file / "grounded")


def _group(name: str, tools: tuple[str, ...], here: Place) -> None:
    right = NAME.fullmatch(name)
    here.require(right, f"`{name}` is not a name", "use a–z, 0–9 and _", at_key=True)
    free = name not in here.agent.toolbox
    here.require(free, f"a tool is called `{name}`, too", "choose another name", at_key=True)
    here.require(tools, "a group needs tools")
    here.named("tool", *tools)


def _telling(tool: str, text: str, here: Place) -> None:
    """A text, or a template, that speaks of slots and of what its tool is told and gives."""
    agent = here.agent
    spec = agent.toolbox[tool]
    known = {**phrases(agent.language), **agent.templates}
    if not text or (is_name(text) and text not in known):
        here.says(text)
    elif spec.outputs:  # what is not known may be anything
        template = known[text] if is_name(text) else Template(text=text)
        here.fills(template, also=(*spec.outputs, *spec.parameters))


def _told(here: Place) -> None:
    """The results of tools must have words of the file, for a model must not find any."""
    agent = here.agent
    run = set(agent.meant_tools)
    if agent.asks_by == "loop":
        run = run.union(*map(agent.tools_in, agent.modes or ("",)))
    for tool in sorted(run & agent.toolbox.keys() - agent.tools.says.keys()):
        spec = agent.toolbox[tool]
        problem = f"nothing tells what {tool} found, and `grounded: strict` lets no model say it"
        told = spec.needs_yes or "result" in spec.outputs
        here.require(told, problem, f"tools: {{says: {{{tool}: TEMPLATE}}}}")


# --- questions that change a summary --------------------------------------------------------------------


def mixed_up(agent: Agent) -> Iterator[Finding]:
    """Questions that change a summary: what their tool gives has the name of what another tool found for it."""
    for flow in agent.compiled.values():
        finders: dict[str, str] = {}
        for step in flow.steps:
            if isinstance(step.does, UseTool):
                finders |= dict.fromkeys(step.does.into.values(), step.does.tool)
        for step in flow.steps:
            if isinstance(step.does, AskConfirmation) and step.said in agent.templates:
                yield from _mixed_up(agent, finders, step.said)


def _mixed_up(agent: Agent, finders: Mapping[str, str], template: str) -> Iterator[Finding]:
    hint = "the question would change the summary: give what the tool gives another name"
    found = {name for name, slot in agent.slots.items() if slot.found}
    shown = placeholders(agent.templates[template]) & finders.keys() & found
    for name, intent in agent.intents.items():
        spec = agent.toolbox.get(intent.do)
        for slot in spec.outputs if spec else ():
            if slot in shown and finders[slot] != intent.do:
                other = f"`{finders[slot]}` finds the `{slot}` that `{template}` shows"
                said = f"`{intent.do}` gives a `{slot}`, and {other}"
                yield Finding(("intents", name, "do"), said, hint)
