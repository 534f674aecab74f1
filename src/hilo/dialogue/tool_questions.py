"""What tools ask the contact: which questions are open, which of them a call answers, and which come again.

A message may order several things of which more than one needs a question ("2 gatorade", "¿cuál?"). They wait in a
queue: the one that is asked, those behind it, and those that the contact passed over ("y una pizza"). What was asked
for is not lost by that: the question comes again at the end of the next replies, and at the latest before a summary is
shown. What is left without an answer even then is told.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from hilo.agent.instructions import AskConfirmation
from hilo.dialogue.calls import refusal
from hilo.dialogue.commands import CallTool, CancelFlow, GiveArgument, LeaveOut
from hilo.dialogue.draft import Draft, has, less
from hilo.dialogue.effects import AskArgument
from hilo.dialogue.session import AskedArgument, Session
from hilo.dialogue.wording import label, next_line, remark

STEM = 4  # letters of a word that its forms share: cocas, Coca-Cola
_WORD = re.compile(r"\w{3,}")
_SMALL = frozenset(("con", "sin", "los", "las", "del", "una", "por", "the"))  # they name nothing
MOST_KEPT = 8
MOST_REPEATED = 1  # how often a question that nothing answers comes again; then only before a summary
LAST_TIME = MOST_REPEATED + 1


def open_questions(session: Session) -> tuple[AskedArgument, ...]:
    """Every question of a tool that is still open, the one that was asked last first."""
    pending = session.pending
    asked = queue(pending) if isinstance(pending, AskedArgument) else ()
    return (*asked, *session.put_off)


def queue(asked: AskedArgument) -> tuple[AskedArgument, ...]:
    """A question and those that wait behind it, each for itself."""
    return tuple(replace(each, more=()) for each in (asked, *asked.more))


def is_same(one: AskedArgument, other: AskedArgument) -> bool:
    """Whether two questions are one; "una yerba y unas galletitas" are two, though as many are wanted of each.

    The same thing in other words is asked about once: "un agua … 6 botellitas de agua", "aguas sin gas … 3 aguas".
    """
    if (one.tool, one.parameter) != (other.tool, other.parameter):
        return False
    said, others = stems(one.about), stems(other.about)
    is_alike = bool(one.offered) and one.offered == other.offered and said[:1] == others[:1]
    narrows = bool(said and others) and (set(said) <= set(others) or set(others) <= set(said))
    return is_alike or narrows or (one.offered == other.offered and one.about == other.about)


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
    before = queue(draft.asked) if isinstance(draft.asked, AskedArgument) else ()  # another call may have closed them
    question = answered_by(less((*open_questions(session), *before), *draft.settled), command)
    if question is None:
        return
    draft.settled.append(question)
    session.put_off = tuple(each for each in session.put_off if not is_same(each, question))
    if isinstance(session.pending, AskedArgument):
        left = tuple(each for each in queue(session.pending) if not is_same(each, question))
        wait_for_first(draft, left, turn=session.pending.turn)


def wait_for_first(draft: Draft, questions: tuple[AskedArgument, ...], *, turn: int) -> None:
    """The first of these questions is open, as if it had been put in that turn, and the others come after it."""
    draft.session.pending = replace(questions[0], more=questions[1:], turn=turn) if questions else None


def ask_argument(draft: Draft, asked: AskedArgument) -> None:
    """Put the question that a tool has."""
    template = f"ask.{asked.parameter}"
    if asked.offered:
        template = "ask_offered"
    elif template not in draft.agent.templates:
        template = "ask_argument"
    called = label(draft.agent, asked.slot) if asked.slot else asked.parameter.replace("_", " ")
    line = next_line(draft, template, {"label": called})
    if asked.question:
        line = replace(line, text=asked.question)
    draft.ask(AskArgument(asked.tool, asked.parameter, line, asked.offered), asked)


# --- questions that the contact passed over: kept, and asked again before it is too late ----------


def keep_passed_over(draft: Draft, asked: AskedArgument) -> None:
    """Keep the question that was open when the event came, unless it was answered or given up."""
    pending = draft.session.pending
    # who asks something else has left a question that was only to be looked up
    if looks_up(draft, asked) or has(draft.log.accepted, GiveArgument | LeaveOut | CancelFlow):
        return
    done = [*draft.settled, *draft.session.put_off, *(queue(pending) if isinstance(pending, AskedArgument) else ())]
    named = [each for each in queue(asked) if each.about or each.offered]  # who orders by name has told which
    new = [_as_kept(each) for each in named if not any(is_same(each, other) for other in done)]
    draft.session.put_off = (*draft.session.put_off, *new)[:MOST_KEPT]


def _as_kept(question: AskedArgument) -> AskedArgument:
    """A guess is not asked again: before the summary it is told that what was said is not ordered."""
    return replace(question, times=LAST_TIME) if question.guess else question


def is_given_up(draft: Draft, asked: AskedArgument) -> bool:
    """Whether a question that was not answered is left: a guess at once.

    That of a lookup beside a flow at once too, else after a second time. Whoever asks and tells other things is not
    met with one question for ever: what writes waits for the summary then, see `keep_passed_over`.
    """
    if looks_up(draft, asked):
        return asked.guess or bool(draft.session.stack or asked.times)
    most = LAST_TIME + MOST_REPEATED if asked.times >= LAST_TIME else MOST_REPEATED
    return asked.guess or asked.times >= most


def asked_once_more(asked: AskedArgument) -> AskedArgument:
    """A question that comes again, counted so that none comes for ever."""
    return replace(asked, times=asked.times + 1)


def looks_up(draft: Draft, asked: AskedArgument) -> bool:
    """Whether the question is of a tool that only looks something up."""
    return not draft.agent.writes(asked.tool)


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
    if isinstance(draft.asked, AskedArgument):
        keep_passed_over(draft, draft.asked)
    return ask_put_off(draft, last_chance=True)


def forget_questions(draft: Draft) -> None:
    """Nothing is asked any more of an order that was given up: "cancelá todo" takes back what was open of it."""
    session, asked = draft.session, draft.asked
    if isinstance(asked, AskedArgument) and not looks_up(draft, asked):
        draft.settled += queue(asked)
        if session.pending is asked:
            session.pending = None
    session.put_off = tuple(each for each in session.put_off if looks_up(draft, each))


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
    session.put_off = less(session.put_off, *left)
    if asked:
        wait_for_first(draft, less(asked, *left), turn=draft.turn)


def _tell_left_out(draft: Draft, question: AskedArgument) -> None:
    if question.about:
        remark(draft, "left_out", {"value": question.about})


def comes_again(draft: Draft) -> bool:
    """Whether a question that was passed over ends this reply, if nothing else is asked."""
    return any(each.times < MOST_REPEATED and _may_run(draft, each.tool) for each in draft.session.put_off)


def _may_run(draft: Draft, tool: str) -> bool:
    """Whether the tool may run here, or in the mode that a call of it leads to first."""
    return not refusal(draft, tool) or bool(draft.agent.mode_for(draft.session.mode, tool))
