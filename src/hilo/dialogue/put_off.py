"""Questions about an order that the contact passed over: kept, and asked again before it is too late.

A tool that writes asks which of several is meant ("2 gatorade", "¿cuál?"), and the next message is
about something else ("y una pizza"). What was asked for is not lost by that: the question comes
again at the end of the next replies, and at the latest before a summary is shown. What is left
without an answer even then is told.
"""

from dataclasses import replace

from hilo.agent.instructions import AskConfirmation
from hilo.dialogue.calls import refusal
from hilo.dialogue.commands import CancelFlow, GiveArgument, LeaveOut
from hilo.dialogue.draft import Draft, has
from hilo.dialogue.open_orders import is_same, open_questions, queue
from hilo.dialogue.session import AskedArgument
from hilo.dialogue.tool_proposals import ask_argument
from hilo.dialogue.wording import remark

MOST_KEPT = 8
MOST_REPEATED = 2  # replies in a row that end with the same question; then it comes before a summary
LAST_TIME = MOST_REPEATED + 1


def keep_passed_over(draft: Draft) -> None:
    """Keep the question that was open when the event came, unless it was answered or given up."""
    asked, pending = draft.asked, draft.session.pending
    if not isinstance(asked, AskedArgument) or has(draft.log.accepted, GiveArgument | LeaveOut | CancelFlow):
        return
    if looks_up(draft, asked):
        return  # who asks something else has left a question that was only to be looked up
    done = [*draft.settled, *draft.session.put_off, *(queue(pending) if isinstance(pending, AskedArgument) else ())]
    new = [_as_kept(each) for each in queue(asked) if not any(is_same(each, other) for other in done)]
    draft.session.put_off = (*draft.session.put_off, *new)[:MOST_KEPT]


def _as_kept(question: AskedArgument) -> AskedArgument:
    """A guess is not asked again: before the summary it is told that what was said is not ordered."""
    return replace(question, times=LAST_TIME) if question.guess else question


def is_given_up(draft: Draft, asked: AskedArgument) -> bool:
    """Whether a question that was not answered is left: a guess at once.

    That of a lookup beside a flow at once too, else after a second time.
    """
    return asked.guess or (looks_up(draft, asked) and bool(draft.session.stack or asked.times))


def asked_once_more(draft: Draft, asked: AskedArgument) -> AskedArgument:
    """A question that comes again; that of a lookup is counted, so that it does not come for ever."""
    return replace(asked, times=asked.times + 1) if looks_up(draft, asked) else asked


def looks_up(draft: Draft, asked: AskedArgument) -> bool:
    """Whether the question is of a tool that only looks something up."""
    tool = draft.agent.toolbox.get(asked.tool)
    return tool is None or not tool.writes


def ask_put_off(draft: Draft, *, last_chance: bool = False) -> bool:
    """Ask the first of the questions that were passed over; whether there was one to ask."""
    for question in draft.session.put_off:
        if question.times >= MOST_REPEATED and not last_chance:
            continue
        rest = [each for each in draft.session.put_off if each is not question]
        draft.session.put_off = tuple(rest)
        if not _may_run(draft, question.tool):
            continue  # the order is over: what was asked about it is, too
        if question.times >= LAST_TIME:
            _tell_left_out(draft, question)
            continue
        times = LAST_TIME if last_chance else question.times + 1
        if last_chance:
            remark(draft, "before_closing")
        ask_argument(draft, replace(question, times=times, turn=draft.turn))
        return True
    return False


def ask_before_summary(draft: Draft) -> bool:
    """Ask what is open of an order as soon as the flow begins that shows its summary: the one that modes lead on to."""
    session = draft.session
    frame = session.stack[-1] if session.stack else None
    if frame is None or all(frame.flow != mode.next.yes for mode in draft.agent.modes.values()):
        return False
    flow = draft.agent.compiled[frame.flow]
    first = not frame.step or flow.places[frame.step] == 0
    if not first or not any(isinstance(step.does, AskConfirmation) for step in flow.steps):
        return False
    keep_passed_over(draft)
    return ask_put_off(draft, last_chance=True)


def leave_out(draft: Draft, command: LeaveOut) -> None:
    """Order without what was asked about; say so, because nothing that was wanted goes without a word."""
    session, pending = draft.session, draft.session.pending
    asked = queue(pending) if isinstance(pending, AskedArgument) else ()
    left = open_questions(session)
    if not command.everything:
        named = [each for each in left if each.about == command.about]
        left = tuple(named) if command.about else asked[:1]
    if not left:
        draft.log.refuse(command, "no tool waits for this")
        return
    draft.log.accepted.append(command)
    for question in left:
        _tell_left_out(draft, question)
    session.put_off = tuple(each for each in session.put_off if each not in left)
    waiting = [each for each in asked if each not in left]
    if asked:
        session.pending = replace(waiting[0], more=tuple(waiting[1:]), turn=draft.turn) if waiting else None


def _tell_left_out(draft: Draft, question: AskedArgument) -> None:
    if question.about:
        remark(draft, "left_out", {"value": question.about})


def comes_again(draft: Draft) -> bool:
    """Whether a question that was passed over ends this reply, if nothing else is asked."""
    return any(each.times < MOST_REPEATED and _may_run(draft, each.tool) for each in draft.session.put_off)


def _may_run(draft: Draft, tool: str) -> bool:
    """Whether the tool may run here, or in the mode that a call of it leads to first."""
    return not refusal(draft, tool) or bool(draft.agent.mode_for(draft.session.mode, tool))
