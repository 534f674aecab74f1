"""What is wrong with groups of tools, and with the templates that tell results."""

from collections.abc import Iterator, Mapping

from hilo.agent.checks.place import Finding, Place
from hilo.agent.declaration import Agent
from hilo.agent.instructions import AskConfirmation, UseTool
from hilo.agent.texts import placeholders, words_for


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
    for tool, outputs in agent.tools.remembers.items():
        _remembered(tool, outputs, file / "tools" / "remembers" / tool)
    for action, tool in agent.ordering.items():
        here = file / "orders" / action
        here.named("tool", tool)
        spec = agent.toolbox.get(tool)
        takes = spec is None or "product" in spec.parameters
        here.require(takes, f"{tool} takes no `product`", "order lines give a product and a quantity")
    if agent.grounded == "strict":
        _told(file / "grounded")


def _remembered(tool: str, outputs: tuple[str, ...], here: Place) -> None:
    here.named("tool", tool)
    spec = here.agent.toolbox.get(tool)
    if spec is None or not spec.outputs:
        return  # what a tool gives is not always known
    hint = f"one of: {', '.join(spec.outputs)}"
    for name in outputs:
        here.require(name in spec.outputs, f"{tool} gives no `{name}`", hint)


def _group(name: str, tools: tuple[str, ...], here: Place) -> None:
    here.proper(name)
    here.free(name not in here.agent.toolbox, f"a tool is called `{name}`, too")
    here.require(tools, "a group needs tools")
    here.named("tool", *tools)


def _telling(tool: str, text: str, here: Place) -> None:
    """A text, or a template, that speaks of slots and of what its tool is told and gives."""
    agent = here.agent
    spec = agent.toolbox[tool]
    template = words_for(agent, text)
    if not text or template is None:
        here.says(text)  # which tells what is wrong with it
    elif spec.outputs:  # what is not known may be anything
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
    """Questions that change a summary: what their tool gives is named like what another tool found for it."""
    for flow in agent.compiled.values():
        finders: dict[str, str] = {}
        for _, call in flow.doing(UseTool):
            finders |= dict.fromkeys(call.into.values(), call.tool)
        for step, _ in flow.doing(AskConfirmation):
            if step.said in agent.templates:
                yield from _mixed_up(agent, finders, step.said)


def _mixed_up(agent: Agent, finders: Mapping[str, str], template: str) -> Iterator[Finding]:
    hint = "the question would change the summary: give what the tool gives another name"
    found = {name for name, slot in agent.slots.items() if slot.found}
    shown = placeholders(agent.templates[template]) & finders.keys() & found
    meant = {name: intent for name, intent in agent.intents.items() if intent.do in agent.toolbox}
    for name, intent in meant.items():
        for slot in agent.toolbox[intent.do].outputs:
            if slot in shown and finders[slot] != intent.do:
                other = f"`{finders[slot]}` finds the `{slot}` that `{template}` shows"
                said = f"`{intent.do}` gives a `{slot}`, and {other}"
                yield Finding(("intents", name, "do"), said, hint)
