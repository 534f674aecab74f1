"""Rows of the store as bodies of the REST API."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from hilo.dialogue.events import OperatorCalled, Told
from hilo.dialogue.stored import Arguments, decode
from hilo.messages import FILE_KINDS
from hilo.server import shapes
from hilo.store.api import Shown
from hilo.store.handoffs import read_offers
from hilo.store.media import LINKS, Media
from hilo.tools.database import Row, moment


def timed(row: Row, *names: str) -> dict[str, Any]:
    """A row with its times as times."""
    plain = dict(row)
    return plain | {name: None if plain[name] is None else moment(plain[name]) for name in names}


def agent_body(row: Row) -> shapes.AgentBody:
    """An agent with what it offers."""
    found = read_offers(row["offers"])
    chosen = {"modes": found.modes, "tools": found.tools} if found else {"modes": (), "tools": {}}
    return shapes.AgentBody.model_validate({**timed(row, "published_at"), **chosen})


def turn_body(row: Row) -> shapes.TurnBody:
    """What happened in a turn."""
    trace = json.loads(row["trace"])
    refused = [_refusal(each) for each in trace.get("refused", ())]
    plain = {**timed(row, "at"), "said": json.loads(row["said"]), "refused": refused}
    return shapes.TurnBody.model_validate({**plain, "errors": trace.get("errors", [])})


def _refusal(stored: Any) -> str:
    """A command and why it was refused; older versions stored both as texts."""
    if isinstance(stored, list):
        return ": ".join(stored)
    command = dict(stored["command"])
    return f"{command.pop('is')}({', '.join(map(str, command.values()))}): {stored['reason']}"


def call_body(row: Row) -> shapes.CallBody:
    """A call of a tool."""
    event = next(iter(decode(Told, row["told"])), None) if row["told"] else None
    values = {name: _recorded(row[name]) for name in ("arguments", "outputs")}
    operator = event.operator if isinstance(event, OperatorCalled) else ""
    return shapes.CallBody.model_validate({**timed(row, "started_at", "ended_at"), **values, "operator": operator})


def _recorded(stored: str | None) -> Any:
    """As JSON has it: exact numbers are texts."""
    return json.loads(json.dumps(decode(Arguments, stored), default=str)) if stored else {}


def session_body(row: Row) -> shapes.SessionBody:
    """One session."""
    plain = timed(row, "started_at", "heard_at", "last_at")
    return shapes.SessionBody.model_validate({**plain, "channel": plain["channel_id"], "contact": plain["contact_id"]})


def contact_body(row: Row, addresses: Sequence[Row]) -> shapes.ContactDetails:
    """A contact with where to reach them."""
    where = [{**timed(each, "heard_at"), "channel": each["channel_id"]} for each in addresses]
    return shapes.ContactDetails.model_validate({**timed(row, "created_at"), "addresses": where})


def message_body(shown: Shown, media: Mapping[str, Media]) -> shapes.MessageBody:
    """Something that was said, with its files as far as they are here."""
    attachments = [_attachment(each, media, by_contact=shown.author == "contact") for each in shown.attachments]
    return shapes.MessageBody.model_validate({**asdict(shown), "attachments": attachments})


def _attachment(sent: Mapping[str, Any], media: Mapping[str, Media], *, by_contact: bool) -> dict[str, Any]:
    """Where a provider keeps a contact's file is nobody's business: it is looked at with us, or not at all."""
    url = sent.get("url", "")
    if (by_contact and sent["kind"] in FILE_KINDS) or url.startswith(LINKS):
        url = ""
    known = media.get(sent.get("media", ""))
    if known is None:
        return {**sent, "url": url}
    if known.status == "kept":
        url = f"/api/v1/media/{known.id}"
    about = {"status": known.status, "type": known.type, "size": known.size, "reason": known.reason}
    return {**sent, **about, "url": url}
