"""Which questions about an order are open, and which of them a call answers.

A message may order several things of which more than one needs a question. They wait in a queue: the one that is
asked, those behind it, and those that were passed over.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from hilo.dialogue.commands import CallTool
from hilo.dialogue.draft import Draft
from hilo.dialogue.session import AskedArgument, Session

STEM = 4  # letters of a word that its forms share: cocas, Coca-Cola
_WORD = re.compile(r"\w{3,}")
_SMALL = frozenset(("con", "sin", "los", "las", "del", "una", "por", "the"))  # they name nothing


def open_questions(session: Session) -> tuple[AskedArgument, ...]:
    """Every question of a tool that is still open, the one that was asked last first."""
    pending = session.pending
    asked = queue(pending) if isinstance(pending, AskedArgument) else ()
    return (*asked, *session.put_off)


def queue(asked: AskedArgument) -> tuple[AskedArgument, ...]:
    """A question and those that wait behind it, each for itself."""
    return tuple(replace(each, more=()) for each in (asked, *asked.more))


def is_same(one: AskedArgument, other: AskedArgument) -> bool:
    """Whether two questions are one; "una yerba y unas galletitas" are two, though as many are wanted of each."""
    return (one.tool, one.parameter, one.offered, one.about) == (
        other.tool,
        other.parameter,
        other.offered,
        other.about,
    )


def answered_by(questions: Iterable[AskedArgument], command: CallTool) -> AskedArgument | None:
    """The question that a call is about: one of what was offered, or the same thing in other words.

    "La coca de litro" and "sacá la coca", asked which coca. What something is comes first in its name: "dulce de
    leche" is no milk.
    """
    best, shared = None, 0
    for question in questions:
        said = str(command.arguments.get(question.parameter, ""))
        if said in question.offered:
            return question
        words = stems(said)
        known = {*stems(question.about), *stems(" ".join(question.offered))}
        if not words or words[0] not in known:
            continue
        count = len(known.intersection(words))
        if count > shared:
            best, shared = question, count
    return best


def stems(text: str) -> list[str]:
    """What the longer words of a text begin with."""
    return [word[:STEM] for word in _WORD.findall(text.casefold()) if word not in _SMALL]


def settle(draft: Draft, command: CallTool) -> None:
    """Ask no more what a call of the contact's own has answered."""
    session = draft.session
    question = answered_by(open_questions(session), command)
    if question is None:
        return
    draft.settled.append(question)
    session.put_off = tuple(each for each in session.put_off if not is_same(each, question))
    if isinstance(session.pending, AskedArgument):
        left = [each for each in queue(session.pending) if not is_same(each, question)]
        turn = session.pending.turn
        session.pending = replace(left[0], more=tuple(left[1:]), turn=turn) if left else None
