"""A burst: messages that a contact wrote in quick succession. They have one turn, and one reply to them all.

Each is understood and decided on after the one before it, so that "no, mejor 5" changes what "quiero 2" ordered.
People also spread one thought over several messages: what says nothing by itself is read together with the next.
"""

from collections.abc import Iterable
from dataclasses import replace

from hilo.agent.declaration import Agent
from hilo.dialogue.burst import with_question_unseen
from hilo.dialogue.commands import Affirm, AskInfo, CallTool, Command, Deny, Digress, StartFlow
from hilo.dialogue.draft import Decision, are_all, but, of_kind
from hilo.dialogue.effects import Complete, Effect, HandOff, NextMessage, Question, RunTool, Say
from hilo.dialogue.escalation import band_of
from hilo.dialogue.events import MessageReceived
from hilo.dialogue.session import Session
from hilo.recognisers.normalise import fold
from hilo.turn.state import TurnState, message_in

OFF_TOPIC = Digress("off_topic")
_UNFINISHED = (",", ":", "…", "...", " y", " o", " e", " de", " con", " para", " and")


def is_unfinished(text: str) -> bool:
    """Whether a text ends in the middle of a sentence."""
    return text.strip().lower().endswith(_UNFINISHED)


# --- which messages are read by themselves ----------------------------------------------------------------


def together(carried: MessageReceived | None, message: MessageReceived) -> MessageReceived:
    """A message behind those that said nothing by themselves."""
    if carried is None:
        return message
    text = "\n".join(filter(None, (carried.text, message.text)))
    return replace(
        message,
        text=text,
        written=carried.written,
        attachments=(*carried.attachments, *message.attachments),
        order=(*carried.order, *message.order),
        referral=carried.referral or message.referral,
    )


def met_by_next(
    agent: Agent,
    first: Session,
    now: Session,
    message: MessageReceived,
    *,
    part: int,
) -> TurnState:
    """Where the next message of a burst finds the session, and whether it knows the question that is open."""
    if now.pending != first.pending:
        met = with_question_unseen(agent, now)
        return {"session": met, "event": replace(message, part=part, early=True)}
    return {"session": now, "event": replace(message, part=part)}


def stands_alone(agent: Agent, read: TurnState) -> bool:
    """Whether a message that others follow is clear by itself, without a model."""
    commands = read.get("commands", ())
    if "reading" not in read or read.get("escalation"):
        return True  # a person has the word
    if read.get("needs_model") or is_unfinished(message_in(read).text):
        return False
    if all(each == Digress("off_topic") for each in commands) or any(
        _lacks_something(agent, each) for each in commands
    ):
        return False
    by_intent = are_all(commands, StartFlow | AskInfo | CallTool)
    return not by_intent or band_of(agent, read["reading"].confidence) in ("proceed", "reanalyse")


def _lacks_something(agent: Agent, command: Command) -> bool:
    """Whether a call misses what it cannot do without: "quiero 2" does not say what."""
    if not isinstance(command, CallTool) or command.tool not in agent.toolbox:
        return False
    needed = set(agent.toolbox[command.tool].needed)
    if agent.orders and command.tool == agent.orders.add:
        needed.add("product")
    return not needed <= command.arguments.keys()


def only_repeats(before: str, read: TurnState) -> bool:
    """Whether a message says once more what was answered already: "sí", "sí"."""
    same = fold(message_in(read).described) == fold(before)
    return same and not but(read.get("commands", ()), Affirm | Deny | Digress)


# --- one reply --------------------------------------------------------------------------------------------


def of_last_message(effects: Iterable[Effect]) -> list[Effect]:
    """What the message came to that is being answered."""
    kept: list[Effect] = []
    for effect in effects:
        kept = [] if isinstance(effect, NextMessage) else [*kept, effect]
    return kept


def what_is_said(decision: Decision) -> list[Say | Question]:
    """All that a turn says. A question that a later message of the burst has overtaken was never asked."""
    said: list[Say | Question] = []
    part: list[Effect] = []
    for effect in decision.effects:
        if isinstance(effect, NextMessage):
            said = [*_still_asked(said, part), *_spoken(part)]
            part = []
        else:
            part.append(effect)
    earlier = _still_asked(said, part)
    if decision.session.pending is None:
        earlier = list(but(earlier, Question))
    return [*earlier, *_spoken(part)]


def _spoken(effects: list[Effect]) -> list[Say | Question]:
    return list(of_kind(effects, Say | Question))


def _still_asked(said: list[Say | Question], then: list[Effect]) -> list[Say | Question]:
    """What stays of what was said before, after what the next message came to."""
    if any(_moves_on(each) for each in then):
        return [each for each in said if not _asks(each)]
    return said


def _moves_on(effect: Effect) -> bool:
    return isinstance(effect, RunTool | HandOff | Complete) or _asks(effect)


def _asks(effect: Effect) -> bool:
    """Whether it wants an answer: a question, or words that end in one ("¿algo más?")."""
    return isinstance(effect, Question) or (isinstance(effect, Say) and effect.line.text.rstrip().endswith("?"))
