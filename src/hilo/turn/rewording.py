"""Other words for what was said in all its wordings: a model proposes them, and only what changes no fact is taken."""

import re
from collections.abc import Iterator
from typing import Any

from hilo.agent.declaration import Agent
from hilo.agent.instructions import AskConfirmation
from hilo.agent.templates import Template
from hilo.agent.texts import PLACEHOLDER
from hilo.dialogue.draft import Decision, less, of_kind
from hilo.dialogue.events import Event, Reworded, ToolsReturned
from hilo.llm.model import ModelError
from hilo.llm.untrusted import a_list, a_text, value_in
from hilo.turn.model_requests.prompts import quoted
from hilo.turn.model_requests.requests import reword_request
from hilo.turn.sources import FIGURE, REFERENCE
from hilo.turn.state import TurnContext

MOST_AT_ONCE = 2  # templates that one turn asks a model about
MOST_WORDINGS = 3
ROOM = 80  # characters that a wording may be longer than twice the text
_FACT = re.compile(rf"{PLACEHOLDER.pattern}|{REFERENCE}|{FIGURE}|[$€£¥₿%‰]|[{{}}]")


async def other_words(
    context: TurnContext,
    before: Decision,
    event: Event,
    decision: Decision,
) -> tuple[Reworded, ...]:
    """Words for the templates that had nothing new to say in a decision: a model's, or at worst the same again."""
    found = await _asked_for(context, before, event, decision)
    if found or not _wrote_earlier(context):
        return found
    # An earlier attempt had other words and went on to write: rather the same words than to write twice.
    again: list[Reworded] = []
    for name in dict.fromkeys(decision.exhausted):
        # Spaces at the end make them another text.
        spaces = " " * (1 + len(before.session.reworded.get(name, ())))
        again.append(Reworded(event.at, name, (context.agent.templates[name].text + spaces,)))
    return tuple(again)


async def _asked_for(
    context: TurnContext,
    before: Decision,
    event: Event,
    decision: Decision,
) -> tuple[Reworded, ...]:
    """A model's words, where one may speak at all."""
    agent, asking, notes = context.agent, context.asking, context.record.notes
    if asking is None or agent.asks_by == "off" or agent.grounded == "strict":
        return ()
    shown = _said_yes_to(agent)
    found: list[Reworded] = []
    for name in less(decision.exhausted, *shown)[:MOST_AT_ONCE]:
        template, said = agent.templates[name], before.session.reworded.get(name, ())
        try:
            reply = await asking.budget.ask(reword_request(agent, template, said))
        except ModelError as error:
            notes.append(f"no other words for {name}: the model did not answer ({error})")
            break
        texts = tuple(faithful(template, reply.value))
        notes.append(f"a model gave {len(texts)} other wordings of {name}")
        if texts:
            found.append(Reworded(event.at, name, texts))
    return tuple(found)


def _said_yes_to(agent: Agent) -> set[str]:
    """What stands above a yes is the author's to word: a model could ask for another one."""
    left = [does.template for _, does in agent.doing(AskConfirmation)]
    found: set[str] = set()
    while left:
        name = left.pop()
        if name in agent.templates and name not in found:
            found.add(name)
            left.append(agent.templates[name].fallback)
    return found


def _wrote_earlier(context: TurnContext) -> bool:
    """Whether an earlier attempt at this turn made a call that writes, which this one has not come to."""
    made: set[str] = set()
    for returned in of_kind(context.record.told, ToolsReturned):
        made.update(result.call_id for result in returned.results)
    earlier = [call.tool for call in context.earlier_calls() if call.call_id not in made]
    return any(context.agent.toolbox[tool].writes for tool in earlier)


def faithful(template: Template, answer: Any) -> Iterator[str]:
    """The proposed wordings with the places, figures and references of the text in their order, and not too long."""
    proposed = a_list(value_in(answer, "wordings"))
    wanted, longest = _facts_in(template.text), 2 * len(template.text) + ROOM
    for each in proposed[:MOST_WORDINGS]:
        text = quoted(a_text(each)).strip()
        # A text of one line stays on one: the end of a line is not printable.
        plain = text.replace("\n", "") if "\n" in template.text else text
        fits = 0 < len(text) <= longest and plain.isprintable()
        if fits and text not in template.texts and _facts_in(text) == wanted:
            yield text


def _facts_in(text: str) -> tuple[list[str], list[str]]:
    """Places, figures and references in their order: two prices that change places are two wrong prices."""
    facts = [found.group().strip("¿¡(.,;:!?)") for found in _FACT.finditer(text)]
    return facts, [each for each in text if each.isnumeric() and not each.isdecimal()]  # such as ½
