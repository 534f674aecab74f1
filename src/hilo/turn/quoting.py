"""What the agent's pages say, in a model's words: taken only if nothing in them stands elsewhere than in the sections.

A section that surely answers is quoted as it is written where the model has nothing better. One that may answer is
said only in words of a model that found the answer in it.
"""

from collections.abc import Sequence
from itertools import chain
from zoneinfo import ZoneInfo

from hilo.agent.documents import Section
from hilo.dialogue.commands import Digress, OfferSections, Quote
from hilo.dialogue.draft import but, of_kind
from hilo.dialogue.events import MessageReceived
from hilo.llm.model import ModelError
from hilo.llm.untrusted import a_text, value_in
from hilo.turn.model_requests.prompts import quoted
from hilo.turn.model_requests.requests import quote_request
from hilo.turn.sources import Sources
from hilo.turn.state import TurnContext, TurnState, message_in
from hilo.understanding.beside_values import Commands
from hilo.understanding.knowledge.words import stems_of

MAY_ANSWER = 30  # from here on it is worth asking a model whether a section answers
MOST_SECTIONS = 3
ROOM = 200  # characters that an answer may be longer than its sections
SHORT = 3  # letters of a word that says nothing by itself
# Of the words of an answer that stand nowhere in its sections: the rest is how one answers.
MOST_STRAY = 0.4


async def words_from_pages(state: TurnState, context: TurnContext) -> Commands | None:
    """What the message proposes with the answer in a model's words; None where the pages have none for it."""
    message, commands = message_in(state), state["commands"]
    quotes = [each for each in of_kind(commands, Quote) if each.sure]
    as_written = commands if quotes else None
    sections = _sections(context, quotes)
    if not sections or context.agent.grounded == "strict" or context.asking is None:
        return as_written
    try:
        reply = await context.asking.budget.ask(quote_request(context.agent, message.text, sections))
    except ModelError as error:
        context.record.notes.append(f"the model did not answer ({error}); the pages are quoted as they are written")
        return as_written
    words = quoted(a_text(value_in(reply.value, "answer"))).strip()
    if problem := _problem(context, message, sections, words):
        context.record.notes.append(f"a model's words for the pages were not taken: {problem}")
        return as_written
    sources = " / ".join(dict.fromkeys(each.source for each in sections))
    context.record.notes.append(f"a model worded {sources}")
    rest = [each for each in but(commands, Quote | OfferSections) if each != Digress("off_topic")]
    return (*rest, Quote(sources, words))


def without_doubtful(commands: Commands) -> Commands:
    """What a model found no answer in is not said with a doubt, but offered as before, if nothing else is answered."""
    doubtful = tuple(each.source for each in of_kind(commands, Quote) if not each.sure)
    rest = tuple(each for each in commands if not (isinstance(each, Quote) and not each.sure))
    return rest if rest or not doubtful else (OfferSections(doubtful),)


def _sections(context: TurnContext, quotes: Sequence[Quote]) -> list[Section]:
    """What is quoted, or else what may answer."""
    documents = context.agent.documents
    if quotes:
        return [each for each in documents if Quote(each.source, each.text) in quotes]
    likely = {each.source for each in context.record.lookups if each.confidence >= MAY_ANSWER and each.unsure}
    return [each for each in documents if each.source in likely][:MOST_SECTIONS]


def _problem(
    context: TurnContext,
    message: MessageReceived,
    sections: Sequence[Section],
    words: str,
) -> str:
    """What speaks against a model's words."""
    if not words:
        return "it found no answer in them"
    known = tuple(f"{each.source}\n{each.text}" for each in sections)
    if len(words) > sum(map(len, known)) + ROOM:
        return "they are longer than the sections"
    if context.agent.grounded == "loose":
        return ""
    now = message.at.astimezone(ZoneInfo(context.agent.timezone))
    if piece := Sources(context.agent, now, (message.text,), known).claimed(words):
        return f'"{piece}" does not stand in the sections'
    said = [stem for stem in stems_of(words) if len(stem) > SHORT]
    lines = "\n".join((message.text, *known)).split("\n")
    heard = set(chain.from_iterable(map(stems_of, lines)))
    stray = [stem for stem in said if stem not in heard]
    if len(stray) > MOST_STRAY * len(said):
        return f"{len(stray)} of their {len(said)} words do not stand in the sections"
    return ""
