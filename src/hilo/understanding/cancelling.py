"""What "cancelalo" takes back: what is under way, something that was done, goods that we asked about, or nothing."""

import re
from collections.abc import Sequence

from hilo.agent.declaration import Agent
from hilo.agent.flow import Flow
from hilo.agent.instructions import UseTool
from hilo.dialogue.commands import CallTool, Command, LeaveOut, StartFlow
from hilo.dialogue.session import AskedArgument, AskedSlot, AskedYes, Session
from hilo.packs.pack import word_set_of
from hilo.recognisers.normalise import fold
from hilo.understanding.acts.tabled import find_acts
from hilo.understanding.meant_commands import flows_surely_meant, meant
from hilo.understanding.order_answers import asks_which_goods, left_out
from hilo.understanding.orders.lines import ALL
from hilo.understanding.put_right import put_right
from hilo.understanding.reading import Reading

_WORD = re.compile(r"[^\W\d_]+")
STEM = 5  # letters of a word that its forms share: cancelar, cancélelo
NOT = frozenset({"no", "not", "don", "dont", "nunca", "never"})
# "quiero cancelar la reserva" is no wish to reserve
BESIDE_THE_VERB = word_set_of("act: @want", "act: @order")
_WHAT_IF = re.compile(r"\W*(?:(?:y|pero|and|but) )?(?:que pasa )?(?:si|what if|if) ")


def cancels(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether all is cancelled; where nothing was asked, "anulame la coca" only takes goods out."""
    if not reading.is_only("cancel") or _supposes(reading) or _is_one_of_the_choices(agent, session, reading):
        return False
    if put_right(agent, session, reading):
        return False
    if reading.leaves_goods and not isinstance(session.pending, AskedArgument):
        return False
    names_goods = any(line.product for line in reading.lines)
    return session.pending is not None or not names_goods or _is_bare_cancel(reading)


def _is_one_of_the_choices(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether to cancel is what was asked about: "¿lo cambiamos o lo cancelamos?"."""
    slot = agent.slots[session.pending.slot] if isinstance(session.pending, AskedSlot) else None
    return slot is not None and slot.kind.sort == "choice" and bool(reading.values.of(slot, asked=True))


def _is_bare_cancel(reading: Reading) -> bool:
    """Whether nothing but a word of the tables for it is said."""
    return any(act.kind == "cancel" and act.whole for act in find_acts(reading.text))


def _supposes(reading: Reading) -> bool:
    """Whether "si cancelo…" only asks what would be; a "sí" without its accent does not."""
    return _WHAT_IF.match(reading.text.folded) is not None and not reading.has("affirm")


def cancelled_instead(agent: Agent, session: Session, reading: Reading) -> Sequence[Command]:
    """What a cancel takes back that is not the flow under way: something done, or goods that were asked about."""
    undoing = _undoes_what_was_done(agent, session, reading) or _cancels_more(agent, session, reading)
    if undoing or not asks_which_goods(agent, session):
        return undoing
    return left_out(session, reading)


def _undoes_what_was_done(agent: Agent, session: Session, reading: Reading) -> list[StartFlow]:
    """To cancel while what was done is being changed means that, and not only its change."""
    changes = session.stack and session.stack[-1].flow == agent.amends
    return [each for each in meant(agent, session, reading) if isinstance(each, StartFlow)] if changes else []


def _cancels_more(agent: Agent, session: Session, reading: Reading) -> list[StartFlow]:
    """The flow that is surely meant where more is said than to cancel: "yo no pedí nada, cancélelo"."""
    if not _no_takes_back(agent, session):
        named = [StartFlow(name) for name, flow in agent.flows.items() if has_example(flow, reading)]
        if named:
            return named[:1]
    return [] if _is_bare_cancel(reading) else flows_surely_meant(agent, session, reading)


def _no_takes_back(agent: Agent, session: Session) -> bool:
    """Whether a no to the summary that waits has a tool take back what was done: to cancel is that no."""
    if not isinstance(session.pending, AskedYes) or not session.stack or not session.stack[-1].step:
        return False
    frame = session.stack[-1]
    flow = agent.compiled[frame.flow]
    edge = flow[frame.step].edge("no")
    does = flow[edge.to].does if edge and edge.leads == "step" else None
    return isinstance(does, UseTool) and agent.toolbox[does.tool].writes


def has_example(flow: Flow, reading: Reading) -> bool:
    """Whether a message has the very words by which a flow is begun that undoes something: "dejá, cancelá todo"."""
    if not flow.undoes:
        return False
    said = [word[:STEM] for word in _WORD.findall(reading.text.folded)]
    for example in flow.examples:
        wanted = [word[:STEM] for word in _WORD.findall(fold(example))]
        places = range(len(said) - len(wanted) + 1)
        if len(wanted) > 1 and any(said[place : place + len(wanted)] == wanted for place in places):
            return True
    return False


def empties(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """What empties the order that we are asking about: then nothing of it is asked any more."""
    if not asks_which_goods(agent, session) or not reading.surely_means:
        return ()
    is_all = any(line.action == "remove" and line.product == ALL for line in reading.lines)
    calls = [each for each in meant(agent, session, reading) if isinstance(each, CallTool)]
    empties = is_all or reading.is_only("cancel") or reading.is_heard({"cancel"})
    return (LeaveOut(everything=True), *calls) if calls and empties else ()


def repeats_the_wish(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether "sí, cancélelo" answers a flow that cancels something and has asked: it is no wish to leave that flow."""
    if not isinstance(session.pending, AskedYes) or not session.stack or not reading.is_only("cancel"):
        return False
    said = set(re.findall(r"\w+", reading.text.folded))
    wishes = re.findall(r"\w{5,}", fold(" ".join(agent.flows[session.stack[-1].flow].starts)))
    stems = {word[:STEM] for word in wishes}
    acts = [reading.text.folded[act.start : act.end] for act in find_acts(reading.text) if act.kind == "cancel"]
    verbs = {word for act in acts for word in re.findall(r"\w{5,}", act)} - BESIDE_THE_VERB
    return not said & NOT and any(word[:STEM] in stems for word in verbs)
