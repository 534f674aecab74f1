"""Questions about an order that the contact passed over: kept, and asked again before it is too late.

A tool that writes asks which of several is meant ("2 gatorade", "¿cuál?"), and the next message is
about something else ("y una pizza"). What was asked for is not lost by that: the question comes
again at the end of the next replies, and at the latest before a summary is shown.
"""

import re
from dataclasses import replace

from hilo.dialogue.calls import refusal
from hilo.dialogue.commands import CallTool, CancelFlow, Command, GiveArgument
from hilo.dialogue.draft import Draft, has
from hilo.dialogue.session import AskedArgument
from hilo.dialogue.tool_proposals import ask_argument

MOST_KEPT = 8
STEM = 4  # letters of a word that its forms share
MOST_REPEATED = 2  # replies in a row that end with the same question; then it comes before a summary


def keep_passed_over(draft: Draft) -> None:
    """Keep the question that was open when the event came, unless it was answered or given up."""
    asked, pending = draft.asked, draft.session.pending
    if not isinstance(asked, AskedArgument) or has(draft.log.accepted, GiveArgument | CancelFlow):
        return
    if looks_up(draft, asked):
        return  # who asks something else has left a question that was only to be looked up
    if any(_is_about(asked, each) for each in draft.log.accepted):
        return
    still_asked = (pending, *pending.more) if isinstance(pending, AskedArgument) else ()
    if any(_is_same(asked, each) for each in still_asked):
        return
    chain = [replace(each, more=()) for each in (asked, *asked.more)]
    kept = [each for each in draft.session.put_off if not any(_is_same(each, new) for new in chain)]
    draft.session.put_off = (*kept, *chain)[:MOST_KEPT]


def is_given_up(draft: Draft, asked: AskedArgument) -> bool:
    """Whether a lookup's question that was not answered is left: beside a flow at once, else after a second time."""
    return looks_up(draft, asked) and bool(draft.session.stack or asked.times)


def asked_once_more(draft: Draft, asked: AskedArgument) -> AskedArgument:
    """A question that comes again; that of a lookup is counted, so that it does not come for ever."""
    return replace(asked, times=asked.times + 1) if looks_up(draft, asked) else asked


def looks_up(draft: Draft, asked: AskedArgument) -> bool:
    """Whether the question is of a tool that only looks something up."""
    tool = draft.agent.toolbox.get(asked.tool)
    return tool is None or not tool.writes


def _is_about(asked: AskedArgument, command: Command) -> bool:
    """Whether a call is about the same thing: "la coca de litro", "sacá la coca", asked which coca."""
    if not isinstance(command, CallTool):
        return False
    said = _beginnings(str(command.arguments.get(asked.parameter, "")))
    return not said.isdisjoint(_beginnings(" ".join((asked.question, *asked.offered))))


def _beginnings(text: str) -> set[str]:
    """What the longer words of a text begin with: cocas, Coca-Cola."""
    return {word[:STEM] for word in re.findall(r"\w{4,}", text.casefold())}


def _is_same(one: AskedArgument, other: AskedArgument) -> bool:
    return (one.tool, one.parameter, one.arguments) == (other.tool, other.parameter, other.arguments)


def ask_put_off(draft: Draft, *, last_chance: bool = False) -> bool:
    """Ask the first of the questions that were passed over; whether there was one to ask."""
    for question in draft.session.put_off:
        if question.times >= MOST_REPEATED and not last_chance:
            continue
        rest = [each for each in draft.session.put_off if each is not question]
        draft.session.put_off = tuple(rest)
        if not _may_run(draft, question.tool):
            continue  # the order is over: what was asked about it is, too
        ask_argument(draft, replace(question, times=question.times + 1, turn=draft.turn))
        return True
    return False


def comes_again(draft: Draft) -> bool:
    """Whether a question that was passed over ends this reply, if nothing else is asked."""
    return any(each.times < MOST_REPEATED and _may_run(draft, each.tool) for each in draft.session.put_off)


def _may_run(draft: Draft, tool: str) -> bool:
    """Whether the tool may run here, or in the mode that a call of it leads to first."""
    return not refusal(draft, tool) or bool(draft.agent.mode_for(draft.session.mode, tool))
