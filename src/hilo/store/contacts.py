"""What contacts change about themselves: the number they are reached at, and whether they want marketing."""

from datetime import datetime

from hilo.messages import ContactChange, MarketingChoice, NumberChanged
from hilo.store.audit import AuditEntry, add_audit
from hilo.tools.database import Script, execute, micros, one

ACTOR = "contact"


def change_contact(channel: str, change: ContactChange, *, now: datetime) -> Script[bool]:
    """Write down a change; false when there is no such contact, or nothing is left to change."""
    if isinstance(change, NumberChanged):
        return (yield from _move(channel, change, now=now))
    return (yield from _choose(channel, change, now=now))


def _move(channel: str, change: NumberChanged, *, now: datetime) -> Script[bool]:
    """The address moves with its sessions and promises. If the new number has written already, it is the same person.

    A webhook that comes again finds nobody at the old number, and changes nothing.
    """
    old = yield from one("address_of", channel=channel, value=change.contact.value)
    if old is None or change.new == change.contact.value:
        return False
    new = yield from one("address_of", channel=channel, value=change.new)
    if new is None:
        yield from execute("move_address", id=old["id"], value=change.new)
    elif new["contact_id"] == old["contact_id"]:
        return False
    else:
        yield from execute("give_address", id=new["id"], contact=old["contact_id"])
        yield from execute("give_sessions", address=new["id"], contact=old["contact_id"])
        yield from execute("share_choice", source=old["id"], target=new["id"])
        yield from execute("share_choice", source=new["id"], target=old["id"])
    there = (new or old)["id"]
    yield from execute("leave_number", channel=channel, value=change.contact.value, address=there, at=micros(change.at))
    if change.new.isdigit():
        yield from execute("set_phone", id=old["contact_id"], phone=change.new)
    detail = {"from": change.contact.value, "to": change.new}
    yield from add_audit(old["workspace_id"], (AuditEntry(ACTOR, "moved", old["contact_id"], detail),), at=now)
    return True


def _choose(channel: str, change: MarketingChoice, *, now: datetime) -> Script[bool]:
    """Who wants no marketing is left alone by timers until they want it again. An older choice changes nothing."""
    quiet = None if change.wanted else micros(change.at)
    row = None
    for value in (yield from _numbers_of(channel, change)):
        values = {"channel": channel, "value": value, "quiet_since": quiet, "at": micros(change.at)}
        row = (yield from one("set_quiet", **values)) or row
    if row is None:
        return False
    did = "wants marketing again" if change.wanted else "stopped marketing"
    yield from add_audit(row["workspace_id"], (AuditEntry(ACTOR, did, row["contact_id"]),), at=now)
    return True


def _numbers_of(channel: str, change: MarketingChoice) -> Script[list[str]]:
    """Where the person is reached who chose: also where they moved to, but not where somebody else is by now."""
    value, followed = change.contact.value, set[str]()
    here = yield from one("address_of", channel=channel, value=value)
    at, left = value, None
    while at not in followed and (moved := (yield from one("moved_from", channel=channel, value=at))):
        followed.add(at)
        at, left = moved["value"], left or moved
    if left is None:
        return [value]
    if here is None or here["contact_id"] == left["contact_id"]:
        return list(dict.fromkeys((value, at)))
    return [at] if micros(change.at) <= left["left_at"] else [value]
