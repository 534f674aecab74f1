"""What a message proposes where the conversation stands: a yes to the open question, a flow, a person."""

from dataclasses import replace
from datetime import datetime

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CancelFlow,
    Command,
    Deny,
    Digress,
    RequestHuman,
    StartFlow,
)
from hilo.dialogue.escalation import Signals
from hilo.dialogue.session import AskedSlot, AskedSwitch, AskedWhich, AskedYes, Session
from hilo.understanding.reading import Reading

SURE_BESIDE_A_QUESTION = 85


def signals_of(agent: Agent, session: Session, reading: Reading, *, at: datetime) -> Signals:
    """What escalation policies look at, seen from the question that is open."""
    signals = reading.signals(at)
    if _counts_people(session, reading):
        signals = replace(signals, intents=reading.meant)
    if _is_just_a_name(agent, session, reading):
        signals = replace(signals, sentiment=0.0)  # Gil and Bravo are surnames
    return signals


def _counts_people(session: Session, reading: Reading) -> bool:
    """Whether "una persona" answers how many there are, and asks for nobody."""
    asked = session.pending.slot if isinstance(session.pending, AskedSlot) else ""
    human = [act for act in reading.acts if act.kind == "human"]
    return any(
        mention.slot == asked and act.start <= mention.start < act.end for mention in reading.mentions for act in human
    )


def _is_just_a_name(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether the message is nothing but the name that was asked for."""
    slot = agent.slots[session.pending.slot] if isinstance(session.pending, AskedSlot) else None
    if slot is None or slot.type != "person_name" or not reading.sentiment.score:
        return False
    whole = len(reading.text.folded.strip(" .!"))
    return any(found.end - found.start == whole for found in reading.values.of(slot, asked=True))


def proposals(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """What a message does, as commands; values come later."""
    commands: list[Command] = []
    if reading.cut:
        commands.append(Digress("too_long"))
    if reading.has("human") and not _counts_people(session, reading):
        commands.append(RequestHuman())
    if reading.is_only("cancel"):
        commands.append(CancelFlow())
    if isinstance(session.pending, AskedYes | AskedWhich | AskedSwitch):
        commands += _answer(reading)
    if CancelFlow() in commands and session.stack:
        return tuple(commands)  # what is under way is meant, not a flow that cancels something
    return (*commands, *_meant(agent, session, reading))


def _answer(reading: Reading) -> list[Command]:
    """A yes with a question that we cannot answer is none; what else stands beside it, extract_field looks at."""
    asks = (reading.has("question") or "?" in reading.text.raw) and not reading.meant
    if reading.has("deny"):
        return [Deny()]
    return [Affirm()] if reading.has("affirm") and not asks else []


def _meant(agent: Agent, session: Session, reading: Reading) -> list[Command]:
    """Flows to start and questions to answer; the reply to a text question is an answer unless it is quite sure."""
    asked = session.pending.slot if isinstance(session.pending, AskedSlot) else ""
    if asked and agent.slots[asked].type == "text" and reading.confidence < SURE_BESIDE_A_QUESTION:
        return []
    under_way = {frame.flow for frame in session.stack}
    names = [name for name in reading.meant if name not in under_way]
    return [StartFlow(name) if name in agent.flows else AskInfo(name) for name in names]
