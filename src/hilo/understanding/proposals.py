"""What a message proposes where the conversation stands: a yes to the open question, a flow, a person."""

import re
from dataclasses import replace
from typing import Literal

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    CancelFlow,
    Choose,
    Command,
    Digress,
    GiveArgument,
    LeaveOut,
    Recall,
    RequestHuman,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from hilo.dialogue.memory import things
from hilo.dialogue.session import (
    AskedArgument,
    AskedMeaning,
    AskedSlot,
    AskedSure,
    AskedSwitch,
    AskedWhich,
    AskedYes,
    Session,
)
from hilo.dialogue.tool_questions import stems
from hilo.dialogue.wording import intent_label
from hilo.understanding.about_us import asked_about_us
from hilo.understanding.arguments import answer_of, calls_of, is_bare_answer, takes_any
from hilo.understanding.cancelling import cancelled_instead, cancels, empties, repeats_the_wish
from hilo.understanding.coming_back import leaves_for_now
from hilo.understanding.extraction import gives_a_value, tells_what_we_know
from hilo.understanding.follow_ups import follow_up
from hilo.understanding.leaving import takes_leave, takes_way_out
from hilo.understanding.likely_flows import values_of_likely_flow
from hilo.understanding.meant_commands import flows_surely_meant, goes_beyond, meant
from hilo.understanding.only_values import is_but_values
from hilo.understanding.openings import dictated
from hilo.understanding.order_answers import asks_which_goods, left_out, order_answers, says_enough, wants_halves
from hilo.understanding.ordering import (
    change_of_placed,
    named_product,
    number_put_right,
    order_calls,
    recount,
    unknown_goods,
)
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.reading import Reading
from hilo.understanding.recall import asked_back
from hilo.understanding.said_again import as_answer, says_more
from hilo.understanding.short_answers import (
    confirms_what_comes_next,
    declined,
    declined_kindly,
    only_answers,
    went_on,
    yes_or_no,
)
from hilo.understanding.signals import calls_nobody
from hilo.understanding.told_again import told_again

VIEW_CART = "view_cart"  # the intent that shows what is ordered
_WHY = re.compile(r"^\W*(?:y )?(?:para|pa|por|x) ?(?:que|q|k)\b|\b(?:para|pa) ?(?:que|q|k)(?:\?|\W*$)")


def proposals(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """What a message does, as commands; values come later."""
    commands: list[Command] = []
    if reading.cut:
        commands.append(Digress("too_long"))
    if _puts_off(agent, session, reading):
        # not yet: what was told stays as it is
        flows = flows_surely_meant(agent, session, reading)
        return (*commands, *flows) if flows else (*commands, Digress("later"))
    if met := (
        (not flows_surely_meant(agent, session, reading) and leaves_for_now(agent, session, reading))
        or takes_way_out(session, reading)
        or empties(agent, session, reading)
        or takes_leave(agent, session, reading)
        or _asked_of_us(agent, session, reading)
        or _wants_it_closed(agent, session, reading)
        or _tells_it_over(agent, session, reading)
    ):
        return (*commands, *met)
    note = dictated(agent, reading.text.folded) if session.pending is None else ""
    if note and not reading.meant:
        return (*commands, *calls_of(agent, agent.intents[note], reading.text.raw, now=reading.values.now))
    if reading.has("human") and not note and not calls_nobody(agent, session, reading):
        commands.append(RequestHuman())
    if repeats_the_wish(agent, session, reading):
        return (*commands, Affirm())
    if cancels(agent, session, reading):
        if more := cancelled_instead(agent, session, reading):
            return (*commands, *more)
        commands.append(CancelFlow())
    if isinstance(session.pending, AskedYes | AskedWhich | AskedSure | AskedSwitch):
        commands += declined_kindly(agent, session, reading) or yes_or_no(agent, session, reading)
    if told := _told_of_orders(agent, session, reading) or _told(agent, session, reading):
        return (*commands, *told)
    if more := _goes_on_with(agent, session, reading):
        return (*commands, *more)
    commands += _ordered(agent, session, reading)
    if refused := declined(agent, session, reading):
        return (*commands, *refused)
    if only_answers(agent, session, reading):
        return (*commands, *went_on(agent, session, reading))
    if CancelFlow() in commands and (session.stack or isinstance(session.pending, AskedArgument)):
        # what is under way is meant, not a flow that cancels something
        return (*commands, *(each for each in meant(agent, session, reading) if isinstance(each, CallTool)))
    return (*commands, *_otherwise(agent, session, reading))


def _ordered(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """What is ordered; two details of who orders are no goods."""
    given = [each for each in values_of_likely_flow(agent, session, reading) if isinstance(each, SetSlot)]
    if len(given) > 1 and is_but_values(agent, reading, {each.slot: each.value for each in given}):
        return ()
    calls = order_calls(agent, session, reading)
    return change_of_placed(agent, session, calls) or calls


def _otherwise(agent: Agent, session: Session, reading: Reading) -> list[Command]:
    """What a message means that answers nothing."""
    if ahead := confirms_what_comes_next(agent, session, reading):
        return [ahead]
    if _asks_no_value(session) and tells_what_we_know(agent, session, reading):
        return [Digress("aside")]
    found = meant(agent, session, reading)
    thing = unknown_goods(agent, session, reading) if not (found and reading.surely_means) else None
    return [thing] if thing else found


def _asked_of_us(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """What every agent answers; what the agent itself surely knows to answer goes first."""
    about_us = _about_us(agent, session, reading)
    if about_us is None:
        return ()
    own = tuple(each for each in meant(agent, session, reading) if isinstance(each, AskInfo | CallTool))
    return own if own and reading.surely_means else (about_us,)


def _wants_it_closed(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """Whether the order is to be closed while a detail is asked for that it needs: "dale, confirmo", "eso nomás"."""
    if agent.orders is None or not isinstance(session.pending, AskedSlot) or not session.stack:
        return ()
    if reading.asks or reading.lines:
        return ()
    closing = {mode.next.yes for mode in agent.modes.values()} & {session.stack[-1].flow}
    is_sure = reading.surely_means or reading.is_only("affirm")
    is_meant = is_sure and closing == set(reading.meant)
    gives = is_meant and gives_a_value(agent, session, reading, session.pending.slot)
    return (Digress("nearly"),) if is_meant and not gives else ()


def _tells_it_over(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """The order shown to who tells it over and asks: "entonces serían 2 cocas y el pan, ¿no?"."""
    shown = next((intent.do for intent in agent.intents.values() if intent.like == VIEW_CART), "")
    if not shown or not reading.asks or reading.lines or says_more(reading) is not False:
        return ()
    said = set(stems(reading.text.folded))
    named = [stems(str(each.value))[:1] for each in things(session) if not each.place]
    return (CallTool(shown, {}),) if any(said.issuperset(each) for each in named) else ()


def _about_us(agent: Agent, session: Session, reading: Reading) -> Digress | Recall | SkipSlot | None:
    """What it can do, whether it is a machine, why it asks, what it has noted."""
    kind = asked_about_us(agent, reading) or _why_this(session, reading)
    if other := _why_another(session, reading):
        return Digress("why", other)
    if kind == "why" and not isinstance(session.pending, AskedSlot):
        kind = None  # nothing was asked for
    if kind == "why" and reading.has("skip", "deny"):
        return SkipSlot(session.slot_in_question)  # "¿para qué? no lo doy" refuses, and hears the reason
    again = told_again(agent, session, reading)
    if again and again.is_all and not kind:
        return Recall(again.known)
    return Digress(kind) if kind else asked_back(agent, session, reading)


def _why_this(session: Session, reading: Reading) -> Literal["why"] | None:
    """Whether a message begins by asking why we want what was asked for: "¿pa q querés el DNI? no te lo doy"."""
    is_named = any(each.slot == session.slot_in_question for each in reading.mentions)
    return "why" if is_named and _WHY.match(reading.text.folded) else None


def _why_another(session: Session, reading: Reading) -> str:
    """The slot that is asked about by its name, and is not the one that was asked for: "¿y el DNI para qué?"."""
    others = [each.slot for each in reading.mentions if each.slot != session.slot_in_question]
    return others[0] if len(others) == 1 and _WHY.search(reading.text.folded) else ""


def _puts_off(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether what waits for a yes is to wait on, be it a summary, what the mode leads to ("¿confirmamos?") or all."""
    if isinstance(session.pending, AskedYes | AskedSure | AskedSwitch):
        return reading.has("later")
    opens = not session.finished and any(flow.starts_by_itself for flow in agent.flows.values())
    return not (opens or session.pending or session.stack) and reading.is_only("later", "skip")


def _goes_on_with(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """More of what was looked up last, or another number for what is being asked about."""
    count = recount(agent, session, reading) or number_put_right(agent, session, reading)
    return (count,) if count else follow_up(agent, session, reading)


def _asks_no_value(session: Session) -> bool:
    return isinstance(session.pending, AskedYes) or not (session.pending or session.stack)


def _told_of_orders(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """What is said to questions about the order, and what the message orders and means besides."""
    answers = order_answers(agent, session, reading)
    if answers is None:
        return ()
    answered = replace(session, pending=None)
    return (
        *answers.commands,
        *order_calls(agent, session, answers.rest),
        *meant(agent, answered, answers.rest),
    )


def _told(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """What was asked for a tool, or which of two meanings; something else that is quite sure goes first."""
    answer = _answer_told(agent, session, reading)
    if isinstance(answer, LeaveOut) and not answer.everything:
        return (answer, *flows_surely_meant(agent, session, reading))  # "ya están los alfajores, confirmemos"
    if isinstance(answer, StartFlow) and (orders := order_calls(agent, session, reading)):
        return orders  # "sí, ese. y una coca": what is open is asked about before anything is closed
    if isinstance(answer, GiveArgument) and isinstance(session.pending, AskedArgument):
        goods = asks_which_goods(agent, session)
        return (*(as_answer(agent, session.pending, reading) if goods else ()), answer)
    return (answer,) if answer else ()


def _answer_told(agent: Agent, session: Session, reading: Reading) -> Command | None:
    sure = reading.surely_means
    match session.pending:
        case AskedArgument() as asked if asks_which_goods(agent, session) and says_enough(reading):
            return left_out(session, reading)[0]
        case AskedArgument() as asked if _goes_on_without(agent, session, asked, reading):
            return LeaveOut(everything=True)
        case AskedArgument() as asked if asks_which_goods(agent, session) and _tells_none(asked, reading):
            return Digress("beside")
        case AskedArgument() as asked if (flow := _closes_the_order(agent, session, reading)) and not session.stack:
            return StartFlow(flow)
        case AskedArgument() as asked if reading.is_only("deny") and not reading.mentions:
            return left_out(session, reading)[0] if asks_which_goods(agent, session) else CancelFlow()
        case AskedArgument() as asked if product := named_product(agent, asked, reading):
            return product
        case AskedArgument() as asked:
            means_else = goes_beyond(agent, reading) and not is_bare_answer(agent, asked, reading)
            return None if means_else else answer_of(agent, asked, reading)
        case AskedMeaning(intents=intents):
            labels = {intent_label(agent, name): name for name in intents}
            chosen = reading.values.among(tuple(labels))
            if chosen:
                return Choose(labels[str(chosen[0].value)])
            if len(intents) == 1 and intents[0] in reading.meant:
                return Choose(intents[0])  # "dale" may be an example of the very thing that was offered
            answer = next(iter(yes_or_no(agent, session, reading)), None)
            # "bueno, lo quiero" chooses none of several, and says something else
            chooses_none = len(intents) > 1 and isinstance(answer, Affirm) and bool(reading.meant)
            # "bueno, una coca" is no yes to what we offered
            orders = bool(order_calls(agent, session, reading))
            return None if sure or chooses_none or orders else answer
    return None


def _tells_none(asked: AskedArgument, reading: Reading) -> bool:
    """Whether somebody answers which of several goods is meant without a word that tells it: "sí, ese", "no sé".

    Half and half of more than two is told nothing by, either.
    """
    if reading.lines or len(asked.offered) < 2 or reading.values.among(asked.offered):  # noqa: PLR2004
        return False
    is_that_one = reading.has("affirm") and pattern_of("that one").search(reading.text.folded) is not None
    return is_that_one or wants_halves(reading) or (reading.has("skip") and not takes_any(reading))


def _closes_the_order(agent: Agent, session: Session, reading: Reading) -> str:
    """The flow that shows what is ordered, where that is surely meant: "nada más" chooses none, and refuses none."""
    if not asks_which_goods(agent, session) or not reading.surely_means:
        return ""
    closing = {mode.next.yes for mode in agent.modes.values()}
    return next((name for name in reading.meant if name in closing), "")


def _goes_on_without(agent: Agent, session: Session, asked: AskedArgument, reading: Reading) -> bool:
    """Whether the flow is meant once more that waits for what is open of the order: "confirmá lo que haya"."""
    orders = asked.tool in agent.ordering.values() and not reading.is_only("affirm")  # "dale" chooses none of several
    return orders and bool(session.stack) and session.stack[-1].flow in reading.meant
