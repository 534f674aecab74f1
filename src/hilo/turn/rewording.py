"""Other words for what was said in all its wordings: a model proposes them, and only what changes no fact is taken."""

import re
from collections.abc import Iterator
from typing import Any

from hilo.agent.declaration import Agent, Template
from hilo.agent.instructions import AskConfirmation
from hilo.agent.texts import PLACEHOLDER
from hilo.dialogue.draft import Decision
from hilo.dialogue.events import Event, Reworded, ToolsReturned
from hilo.llm.model import ModelError
from hilo.turn.model_requests.requests import reword_request
from hilo.turn.model_requests.untrusted_text import quoted
from hilo.turn.state import TurnContext

MOST_AT_ONCE = 2  # templates that one turn asks a model about
MOST_WORDINGS = 3
ROOM = 80  # characters that a wording may be longer than twice the text
_REFERENCE = r"\S*[@#]\S*|\S*://\S*|\w[\w-]*(?:\.[\w-]+)*\.[^\W\d_]\S*"  # whole: `pagos.com` is not `mispagos.com`
_FIGURE = r"\+?\d+(?:[ .,:/-]\d+)*|[$€£¥₿%‰]"
_FACT = re.compile(rf"{PLACEHOLDER.pattern}|{_REFERENCE}|{_FIGURE}|[{{}}]")


async def reworded(context: TurnContext, before: Decision, event: Event, decision: Decision) -> tuple[Reworded, ...]:
    """Other words for the templates that had nothing new to say in a decision, where a model may speak at all."""
    agent = context.agent
    if context.asking is None or agent.asks_by == "off" or agent.grounded == "strict":
        return ()
    found: list[Reworded] = []
    shown = _said_yes_to(agent)
    for template in [name for name in decision.exhausted if name not in shown][:MOST_AT_ONCE]:
        said = before.session.reworded.get(template, ())
        try:
            reply = await context.asking.budget.ask(reword_request(agent, agent.templates[template], said))
        except ModelError as error:
            context.record.notes.append(f"no other words for {template}: the model did not answer ({error})")
            return tuple(found)
        texts = tuple(faithful(agent.templates[template], reply.value))
        context.record.notes.append(f"a model gave {len(texts)} other wordings of {template}")
        if texts:
            found.append(Reworded(event.at, template, texts))
    return tuple(found)


def _said_yes_to(agent: Agent) -> set[str]:
    """What stands above a yes is the author's to word: a model could ask for another one."""
    done = [step.does for flow in agent.compiled.values() for step in flow.steps]
    left, found = [does.template for does in done if isinstance(does, AskConfirmation)], set[str]()
    while left:
        name = left.pop()
        if name in agent.templates and name not in found:
            found.add(name)
            left.append(agent.templates[name].fallback)
    return found


def repeated(context: TurnContext, before: Decision, event: Event, decision: Decision) -> tuple[Reworded, ...]:
    """The same words again, where an earlier attempt had others and went on to write: rather that than to write twice.

    A space at the end makes them another text.
    """
    if not _wrote_earlier(context):
        return ()
    found: list[Reworded] = []
    for name in dict.fromkeys(decision.exhausted):
        spaces = " " * (1 + len(before.session.reworded.get(name, ())))
        found.append(Reworded(event.at, name, (context.agent.templates[name].text + spaces,)))
    return tuple(found)


def _wrote_earlier(context: TurnContext) -> bool:
    """Whether an earlier attempt at this turn made a call that writes, which this one has not come to."""
    made: set[str] = set()
    for each in context.record.told:
        if isinstance(each, ToolsReturned):
            made.update(result.call_id for result in each.results)
    earlier = context.journal.earlier() if context.journal else ()
    return any(context.agent.toolbox[each.tool].writes for each in earlier if each.call_id not in made)


def faithful(template: Template, answer: Any) -> Iterator[str]:
    """The proposed wordings with the places, figures and references of the text in their order, and not too long."""
    proposed = answer.get("wordings") if isinstance(answer, dict) else None
    wanted = _facts_in(template.text)
    for each in proposed[:MOST_WORDINGS] if isinstance(proposed, list) else ():
        text = quoted(each).strip() if isinstance(each, str) else ""
        if text and text not in template.texts and _fits(text, template.text) and _facts_in(text) == wanted:
            yield text


def _fits(text: str, original: str) -> bool:
    lines = text.split("\n") if "\n" in original else [text]
    return len(text) <= 2 * len(original) + ROOM and all(line.isprintable() for line in lines)


def _facts_in(text: str) -> tuple[list[str], list[str]]:
    """Places, figures and references in their order: two prices that change places are two wrong prices."""
    facts = [found.group().strip("¿¡(.,;:!?)") for found in _FACT.finditer(text)]
    return facts, [each for each in text if each.isnumeric() and not each.isdecimal()]  # such as ½
