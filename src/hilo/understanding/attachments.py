"""What a contact sends besides text: what the agent file says of its kind, as commands."""

from collections.abc import Iterator

from hilo.agent.declaration import Agent, AttachmentRule
from hilo.dialogue.commands import CallTool, Command, CorrectSlot, RequestHuman, SetSlot, Tell
from hilo.dialogue.session import Session
from hilo.messages import Attachment, OrderedItem

KEPT = "attachment_kept"
POLICY = "media"
_FILLS_BY_NAME = AttachmentRule()


def read_attachments(agent: Agent, session: Session, attachments: tuple[Attachment, ...]) -> tuple[Command, ...]:
    """What is to be done with each; what no rule takes is kept for the operators, and the contact is told once."""
    commands: list[Command] = []
    for each in attachments:
        done = list(_commands(agent, session, each))
        commands += [command for command in done or [Tell(KEPT)] if command not in commands]
    return tuple(commands)


def read_cart(agent: Agent, items: tuple[OrderedItem, ...]) -> tuple[Command, ...]:
    """A cart of the channel's own catalogue is ordered line by line, if the agent takes orders."""
    if not items:
        return ()
    add = agent.ordering.get("add")
    if not add:
        return (Tell(KEPT),)
    names = {product.id: product.name for product in agent.goods}
    lines = [(names.get(each.product, each.product), each.quantity) for each in items]
    return tuple(CallTool(add, {"product": product, "quantity": quantity}) for product, quantity in lines)


def _commands(agent: Agent, session: Session, sent: Attachment) -> Iterator[Command]:
    rule = agent.attachments.get(sent.kind, _FILLS_BY_NAME)
    found = fields_of(sent)
    into = rule.into
    if sent.kind == "form" and not into:
        into = {name: name for name in found}  # its author has named the fields like the slots
    for name, slot in into.items():
        value = found.get(name, "")
        if value and slot in agent.slots:
            yield CorrectSlot(slot, value) if slot in session.slots else SetSlot(slot, value)
    if rule.say:
        yield Tell(rule.say)
    if rule.handoff:
        yield RequestHuman(rule.handoff, POLICY)


def fields_of(sent: Attachment) -> dict[str, str]:
    """By the names that rules call them by; a place without an address is told by its name, or by its degrees."""
    degrees = "" if sent.latitude is None else f"{sent.latitude:g}, {sent.longitude:g}"
    found = {"name": sent.name, "phone": sent.phone, "caption": sent.caption, "coordinates": degrees}
    if sent.kind == "location":
        found["address"] = sent.caption or sent.name or degrees
    return {**found, **dict(sent.values)}
