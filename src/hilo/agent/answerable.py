"""What an agent has answers to, all alike: the sections of its pages, and its intents and flows by their examples.

A question may be nearer to an intent than to any section, or the other way round. Only what is read in the same way
can be compared: an intent is a section too. Its heading is its label, its text its answer, and its examples are what
is asked.
"""

from collections.abc import Iterable, Iterator

from hilo.agent.declaration import Agent
from hilo.agent.documents import Section
from hilo.agent.texts import PLACEHOLDER

ANYTHING = "algo"  # stands for a placeholder where a sentence needs a word


def answerable(agent: Agent) -> tuple[Section, ...]:
    """The sections of the pages, and after them the intents and flows; none where there are no pages."""
    if not agent.documents:
        return ()
    return (*agent.documents, *_intents(agent), *_flows(agent))


def _intents(agent: Agent) -> Iterator[Section]:
    for name, intent in agent.intents.items():
        template = agent.templates.get(intent.answer)
        label = intent.label or name.replace("_", " ")
        if template or intent.examples:
            yield Section(label, label, _plain(template.text if template else label), _all(intent.examples), name)


def _flows(agent: Agent) -> Iterator[Section]:
    for name, flow in agent.flows.items():
        label = flow.description or name.replace("_", " ")
        if flow.examples:
            yield Section(label, label, label, _all(flow.examples), name)


def _all(examples: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(_plain, examples))


def _plain(text: str) -> str:
    """A text with a word for anything where a value will stand."""
    return PLACEHOLDER.sub(ANYTHING, text)
