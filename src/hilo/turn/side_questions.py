"""What a part of a message asks beside all else is answered: "sí, y pasame la dirección", "Ana, ¿qué equipaje va?".

A part in which nothing was heard, and which asks something, is read as if it had been written alone and nothing were
open: less will do to answer it than where a value or a yes is waited for. What only leads up to a question ("una
consulta", "decime si") is left out. An answer that is likely and not sure is said with a word of doubt.
"""

from collections.abc import Iterator
from dataclasses import replace

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import AskInfo, CallTool, Command, Digress, LeaveUnanswered, Quote
from hilo.dialogue.draft import has, less, of_kind
from hilo.dialogue.session import AskedYes, Session
from hilo.turn.message_nodes import read_message, understand
from hilo.turn.state import Record, TurnContext, TurnState, message_in
from hilo.understanding.asking_again import without_leads
from hilo.understanding.beside_values import Commands
from hilo.understanding.lookups import PERHAPS, echoes
from hilo.understanding.not_ours import kind_of
from hilo.understanding.parts import EDGES, LONGEST_RANKED, clauses
from hilo.understanding.reading import SURELY_OURS, Reading

NOT_KNOWN = Digress("off_topic")


async def with_answers(state: TurnState, context: TurnContext, *, is_yes: bool) -> Commands:
    """What is proposed, with answers in the place of a word that nobody here knows any, and behind a plain yes."""
    commands = state["commands"]
    for text, word in _asked_in_vain(context.agent, state["reading"], commands, is_yes=is_yes):
        answers = await answered_alone(state, context, text)
        if answers:
            commands = (*less(commands, word, *answers), *answers)
    return commands


def without_needless_doubt(session: Session, commands: Commands) -> Commands:
    """The commands with one doubtful answer at most: none beside a sure one, nor where one can ask what is meant."""
    doubtful = [each for each in of_kind(commands, AskInfo) if not each.sure]
    is_needed = not session.is_idle and not has(
        tuple(each for each in commands if each not in doubtful), AskInfo | Quote
    )
    return tuple(each for each in commands if each not in doubtful[is_needed:])


def _asked_in_vain(
    agent: Agent, reading: Reading, commands: Commands, *, is_yes: bool
) -> Iterator[tuple[str, Command]]:
    """The parts that may ask what is met with no more than a word, each with that word."""
    for each in of_kind(commands, LeaveUnanswered):
        yield each.question, each
    if is_yes or not commands or NOT_KNOWN in commands:
        raw = reading.text.raw[:LONGEST_RANKED]
        for start, end in clauses(raw, agent, loose=True):
            yield f"{raw[start:end].strip(EDGES)}{raw[end : end + 1].strip()}", NOT_KNOWN


async def answered_alone(state: TurnState, context: TurnContext, text: str) -> Commands:
    """What answers a part that asks something."""
    question, is_led = without_leads(text)
    if not question or echoes(context.agent, state["session"], text):
        return ()
    reading, found = await _heard_with_nothing_open(state, context, question)
    is_shown = isinstance(state["session"].pending, AskedYes)
    asks = is_led or "?" in text or reading.has("question") or (is_shown and reading.confidence >= SURELY_OURS)
    return _answers(context.agent, reading, found) if asks else ()


async def _heard_with_nothing_open(state: TurnState, context: TurnContext, text: str) -> tuple[Reading, Commands]:
    session = replace(state["session"], pending=None)
    alone = replace(context, record=Record(), asking=None)
    reading = read_message(alone, session, replace(message_in(state), text=text))
    understood = await understand({**state, "session": session, "reading": reading}, alone)
    return reading, understood["commands"]


def _answers(agent: Agent, reading: Reading, found: Commands) -> Commands:
    """What tells something and changes nothing; an intent that is only likely, where nothing else is."""
    told = tuple(each for each in found if _only_tells(agent, each))
    likely = "" if told else _likely_intent(agent, reading)
    return (AskInfo(likely, sure=False),) if likely else told


def _only_tells(agent: Agent, command: object) -> bool:
    if isinstance(command, CallTool):
        tool = agent.toolbox.get(command.tool)
        return tool is not None and not tool.writes and set(tool.needed) <= command.arguments.keys()
    return isinstance(command, AskInfo | Quote)


def _likely_intent(agent: Agent, reading: Reading) -> str:
    """The intent that a part may mean, if it is answered with words."""
    ranked = reading.parts[0].ranked if len(reading.parts) == 1 else None
    intent = agent.intents.get(ranked.intent or "") if ranked else None
    if ranked is None or intent is None or intent.do or not intent.answer or kind_of(agent, ranked.intent or ""):
        return ""
    return ranked.intent or "" if ranked.confidence >= PERHAPS else ""
