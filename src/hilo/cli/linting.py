"""What `hilo understand --lint` says: what an agent should be taught, by its examples and by what contacts wrote."""

import re
from collections.abc import Iterator

from rich.markup import escape

from hilo.agent.declaration import Slot
from hilo.app import LoadedAgent
from hilo.cli.database import ask, visible
from hilo.clock import SystemClock
from hilo.store.views import heard_by
from hilo.understanding.reading import intent_examples, read, standard_likes

MAX_SHOWN = 4  # examples of a collision
MOST_READ = 2000  # messages of the past
PERSONAL = tuple(Slot(type=name) for name in ("person_name", "email", "phone", "national_id", "address"))
_PRIVATE = re.compile(r"\S+@\S+|\+?\d[\d .()-]{4,}\d")  # mail, and numbers long enough to be somebody's


def lint(loaded: LoadedAgent, workspace: str | None) -> Iterator[str]:
    """What should be mended, line by line; with a workspace also what its contacts wrote."""
    from hilo.understanding.intents.checks import collisions, could_use_more, proposed, too_few  # noqa: PLC0415 -- needs numpy
    from hilo.understanding.intents.model import IntentModel  # noqa: PLC0415

    examples = intent_examples(loaded.agent)
    few, like = too_few(examples), standard_likes(loaded.agent) or {}
    for name, count in could_use_more(examples).items():
        if name not in like:
            least = "; three are the least" if name in few else ""
            yield f"[yellow]{name}[/] has {count} examples{least}; with 12 to 15, in as many ways, it is surer"
    model = loaded.turn.intents
    if not isinstance(model, IntentModel):
        return
    for clash in collisions(model):
        yield f"[yellow]{clash.first}[/] and [yellow]{clash.second}[/] collide; these would be taken for the other:"
        yield from (f"    {escape(text)}" for text in clash.examples[:MAX_SHOWN])
        yield "  Say in each what only it means, add examples that part them, or make them one."
    for name, messages in proposed(
        model, (_without_people(loaded, text) for text in _heard(loaded, workspace))
    ).items():
        yield f"[yellow]{name}[/]: contacts have written this, and it was not sure of it; if it fits, add it:"
        yield from (f"    {escape(text)}" for text in messages)


def _heard(loaded: LoadedAgent, workspace: str | None) -> tuple[str, ...]:
    """What contacts wrote to the agent, in a workspace that was named."""
    return ask(heard_by, workspace, loaded.agent.agent, at_most=MOST_READ) if workspace else ()


def _without_people(loaded: LoadedAgent, text: str) -> str:
    """A message without names, addresses and numbers, whoever they are: it is to be shown, and kept in a file."""
    reading = read(loaded.turn.understander, text, at=SystemClock().now())
    spans = {reading.text.span(each.start, each.end) for slot in PERSONAL for each in reading.values.of(slot)}
    last = len(text)
    for start, end in sorted(spans, key=lambda span: -span[1]):
        if end <= last:  # the same words may be a name and an address
            text, last = f"{text[:start]}…{text[end:]}", start
    return visible(_PRIVATE.sub("…", text)).strip()
