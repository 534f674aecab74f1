"""Messages that the business begins: a campaign's template, and the flow that takes the answer.

The flow is put on the stack at once and does nothing before the contact answers: until then no time counts, and nobody
is called because of them.
"""

from datetime import datetime

from hilo.agent.values import Accepted, Value, accept
from hilo.dialogue.apply_commands import apply_commands
from hilo.dialogue.commands import Affirm, CancelFlow, Deny, Digress, StartFlow
from hilo.dialogue.draft import Draft, are_all, but
from hilo.dialogue.events import CampaignReached, MessageUnderstood
from hilo.dialogue.flow import ask_slot
from hilo.dialogue.session import WINDOW, Session
from hilo.dialogue.stack import push
from hilo.dialogue.timers import TIMEOUT_TIMER, cancel_timer, running_timers, start_timeout, start_timer
from hilo.dialogue.wording import say


def why_busy(session: Session, *, now: datetime) -> str:
    """Why nobody may break into a session with something new; nothing where somebody may."""
    if session.agent_holds and session.called_at and was_never_heard(session):
        return "a campaign wrote to them less than a day ago" if now - session.called_at < WINDOW else ""
    if session.holder == "operator":
        return "an operator has the conversation"
    if session.status != "active":
        return f"the conversation is {session.status}"
    if not session.is_idle:
        return "the contact is in the middle of something"
    return ""


def was_never_heard(session: Session) -> bool:
    """Whether only a campaign has written in a session: nobody waits for an answer there."""
    return session.heard_at is None and session.called_at is not None


def on_campaign(draft: Draft, event: CampaignReached) -> None:
    """Say the template and wait for the answer; nothing where the contact is busy, or a value does not fit."""
    campaign = draft.agent.campaigns.get(event.campaign)
    if campaign is None:
        draft.log.refuse(StartFlow(event.campaign), f"the agent has no campaign {event.campaign}")
        return
    command = StartFlow(campaign.flow)
    if reason := why_busy(draft.session, now=draft.now):
        draft.log.refuse(command, reason)
        return
    slots: dict[str, Value] = {}
    for name, value in event.values.items():
        slot = draft.agent.slots.get(name)
        taken = accept(slot, value, country=draft.agent.country) if slot else None
        if not isinstance(taken, Accepted):
            draft.log.refuse(command, f"{name} does not take what the list gives")
            return
        slots[name] = taken.value
    draft.log.accepted.append(command)
    draft.changed |= slots.keys()  # a flow that begins forgets what is older
    push(draft, campaign.flow)
    cancel_timer(draft, TIMEOUT_TIMER)
    draft.session.slots = {**draft.session.slots, **slots}
    draft.session.called_at = draft.now
    draft.force_repeat = True  # somebody of the business wants it said
    if campaign.asks:
        ask_slot(draft, campaign.asks, template=campaign.template)
    else:
        say(draft, campaign.template)
    _keep_promises(draft)


def _keep_promises(draft: Draft) -> None:
    """What was promised about a booking in the session before is promised in this one."""
    for name, timer in running_timers(draft).items():
        if timer.moment:
            start_timer(draft, name, timer)


def take_up_answer(draft: Draft, event: MessageUnderstood) -> bool:
    """The first answer to a campaign: from now on time counts. Whether it says no more than yes or no to it.

    A bare no is one to all that we began; a bare yes lets the flow ask what it has to ask.
    """
    if draft.session.called_at is None or not draft.session.stack:
        return False
    start_timeout(draft)
    plain = but(event.commands, Digress)
    if are_all(plain, Deny):
        apply_commands(draft, (CancelFlow(),))
        return True
    if are_all(plain, Affirm):
        draft.log.accepted += event.commands
        return True
    return False
