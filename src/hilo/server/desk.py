"""What people look at: the inbox, a session whole, and why a turn came out as it did."""

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any

from fastapi import Depends, Path, Query

from hilo.server import panel_shapes as shapes
from hilo.server.access import Edge, Reading
from hilo.server.api_router import api_router
from hilo.server.bodies_of import call_body, contact_body, session_body
from hilo.server.edge import HttpEdge
from hilo.server.pages import Cursor, Limit, piece, place_of
from hilo.server.parameters import Id, Word, or_404
from hilo.server.shapes import HandoffDetails
from hilo.store import desk as stored
from hilo.store.api import NEWEST, OLDEST
from hilo.store.desk import DeskRow, DeskSession, DeskTurn, Sought, View
from hilo.store.desk_words import AgentWords, SessionWords
from hilo.store.handoffs import TRIGGERS, plain_handoff
from hilo.store.keys import Key
from hilo.store.numbers import counted
from hilo.tools.database import moment

Words = Annotated[
    str,
    Query(
        max_length=200,
        description="In names, numbers, notes, what is known and what both sides wrote, whatever the accents.",
    ),
]
EVER = datetime(2000, 1, 1, tzinfo=UTC)
MOST_MADE = 10
Number = Annotated[int, Path(ge=0, le=(1 << 31) - 1)]


def _filtered(agent: Word = "", channel: Word = "", team: Word = "", mode: Word = "", session: Word = "") -> Sought:
    return Sought(agent=agent, channel=channel, team=team, mode=mode, session=session)


def _sought(
    filtered: Annotated[Sought, Depends(_filtered)], view: View = "all", q: Words = "", flow: Word = "", step: Word = ""
) -> Sought:
    """With `agent` and `flow`, those at a step of it."""
    return replace(filtered, view=view, words=q.strip(), flow=flow, step=step)


router = api_router("", "panel")


@router.get("/inbox")
async def inbox(
    edge: Edge, key: Reading, sought: Annotated[Sought, Depends(_sought)], cursor: Cursor = "", limit: Limit = 50
) -> shapes.InboxPage:
    """Sessions as people look after them: who waits longest first, in the other views the newest first."""
    sought = replace(sought, operator=key.name, teams=key.teams)
    place = place_of(cursor, OLDEST if sought.view == "waiting" else NEWEST)
    rows = await edge.store.run(stored.list_desk, key.workspace, sought, place=place, at_most=limit + 1)
    counts = await edge.store.run(stored.desk_counts, key.workspace, key.name, key.teams)
    found, following = piece(rows, limit, lambda row: (row.place, row.session))
    agents = await agents_words(edge, key, {row.agent for row in found})
    items = [_row(row, agents.get(row.agent, AgentWords())) for row in found]
    return shapes.InboxPage(items=items, next=following, counts=shapes.InboxCounts(**counts))


@router.get("/sessions/{session}/whole")
async def whole(edge: Edge, session: Id, key: Reading) -> shapes.WholeSession:
    """A session with all that a person wants to see beside it, in its agent's words."""
    found = or_404(await edge.store.run(stored.whole_session, key.workspace, session))
    words = await edge.sight.words(key.workspace, found.state) if edge.sight else SessionWords()
    agent = found.desk.agent
    known = (await agents_words(edge, key, {agent})).get(agent, AgentWords())
    whole = _whole(replace(found, desk=named(found.desk, known)), words, key)
    if whole.handoff and (flow := whole.handoff.context.get("flow")):
        whole.handoff.context["flow"] = known.names.get(flow, flow)
    return whole.model_copy(update={"made": await _made(edge, key, found.desk, known)})


@router.get("/sessions/{session}/turns/{number}")
async def turn(edge: Edge, session: Id, number: Number, key: Reading) -> shapes.TurnWhy:
    """Why a turn came out as it did."""
    found = or_404(await edge.store.run(stored.one_turn, key.workspace, session, number))
    words = (await agents_words(edge, key, {found.row["agent"]})).get(found.row["agent"], AgentWords())
    return _why(found, words)


async def agents_words(edge: HttpEdge, key: Key, names: Collection[str]) -> Mapping[str, AgentWords]:
    """What these agents call things."""
    return await edge.sight.agents_of(key.workspace, names) if edge.sight else {}


def named(row: DeskRow, words: AgentWords) -> DeskRow:
    """With the agent's word for its mode, and a name that the contact gave where the channel knows none."""
    label = words.modes.get(row.mode, row.mode_label)
    name = row.contact["name"] or row.texts.get(words.person, "")
    return replace(row, mode_label=label, contact={**row.contact, "name": name})


def _row(row: DeskRow, words: AgentWords) -> shapes.InboxRow:
    own = {"patience": words.patience, "wanted_label": words.names.get(row.wanted) or row.wanted_label}
    return shapes.InboxRow.model_validate({**asdict(named(row, words)), **own})


async def _made(edge: HttpEdge, key: Key, desk: DeskRow, words: AgentWords) -> list[shapes.MadeBody]:
    """What was made for this contact that the business counts: orders, bookings."""
    found: list[shapes.MadeBody] = []
    for label, what in words.counts.items():
        contact = desk.contact["id"]
        made = await edge.store.run(counted, key.workspace, desk.agent, what, since=EVER, contact=contact)
        found += [shapes.MadeBody(label=label, **asdict(each)) for each in made[:MOST_MADE]]
    return found


def _whole(found: DeskSession, words: SessionWords, key: Key) -> shapes.WholeSession:
    desk, slots = found.desk, []
    for each in words.slots:
        given = found.given.get(each.name)
        by, at = (given.by, given.at) if given else ("agent", None)
        slots.append((each, {**asdict(each), "set_by": by, "set_at": at}))
    contact = contact_body(*found.contact) if found.contact else None
    if contact and not contact.name:
        contact = contact.model_copy(update={"name": desk.contact["name"]})
    return shapes.WholeSession.model_validate(
        {
            "session": session_body(found.row),
            "contact": contact,
            "mode": {"name": desk.mode, "label": desk.mode_label},
            "slots": [plain for each, plain in slots if not each.found],
            "found": [plain for each, plain in slots if each.found],
            "flow": asdict(words.flow) if words.flow else None,
            "question": asdict(words.question) if words.question else None,
            "timers": [_timer(name, due, words.timers) for name, due in found.timers],
            "window_until": desk.window_until,
            "handoff": HandoffDetails.model_validate(plain_handoff(found.handoff)) if found.handoff else None,
            "holder": desk.holder,
            "operator": desk.operator,
            "team": desk.team,
            "mood": desk.mood,
            "unread": desk.unread,
            "earlier": found.earlier,
            "actions": [asdict(each) for each in words.actions],
            "modes": [{"name": name, "label": label} for name, label in words.modes.items()],
            "may": _may(desk, key),
        }
    )


def _timer(name: str, due: Any, words: Mapping[str, str]) -> dict[str, Any]:
    return {"id": name, "name": name, "due_at": due, "does": words.get(name, name.replace("_", " "))}


def _may(desk: DeskRow, key: Key) -> list[str]:
    """What who asks may do with it now; whoever acts is checked again."""
    if "operate" not in key.scopes or desk.status == "closed":
        return []
    mine, others = desk.operator == key.name, desk.operator not in ("", key.name)
    may = {
        "take": not mine,
        "say": mine and "write" in key.scopes,
        "release": desk.holder == "operator" and not others,
        "transfer": desk.holder == "operator" and not others,
        "correct": mine,
        "call": not others,
        "pause": desk.status == "active",
        "resume": desk.status == "paused",
        "close": not others,
    }
    return [name for name, allows in may.items() if allows]


# --- why ----------------------------------------------------------------------------------------------


def _why(turn: DeskTurn, words: AgentWords) -> shapes.TurnWhy:
    row, trace = turn.row, json.loads(turn.row["trace"])
    known = trace.get("understanding", {})
    return shapes.TurnWhy.model_validate(
        {
            **{name: row[name] for name in ("number", "event", "heard", "stage")},
            "at": moment(row["at"]),
            "nodes": [_node(each) for each in trace.get("nodes", ())],
            "found": _all_found(trace, row["heard"]),
            "acts": [_act(each) for _, each_known in _messages(trace) for each in each_known.get("acts", ())],
            "meanings": _meanings(known, words),
            "accepted": [_command(each, words) for each in trace.get("accepted", ())],
            "refused": [_refused(each, words) for each in trace.get("refused", ())],
            "handoff": _wanted(trace, words),
            "calls": [call_body(each) for each in turn.calls],
            "said": [_line(each) for each in trace.get("effects", ()) if _has_line(each)],
            "exhausted": trace.get("exhausted", []),
            "states": trace.get("states", []),
            "steps": trace.get("steps", []),
            "modes": trace.get("modes", []),
            "errors": trace.get("errors", []),
            "notes": trace.get("notes", []),
            "tokens": _tokens(turn),
        }
    )


def _node(node: Any) -> dict[str, Any]:
    """Older versions stored a pair."""
    name, took = (node["node"], node["milliseconds"]) if isinstance(node, dict) else node
    return {"name": name, "ms": took}


def _all_found(trace: Mapping[str, Any], heard: str) -> list[dict[str, Any]]:
    """What was found in every message of a burst, at its place in all of them together."""
    values = [(begins, each) for begins, known in _messages(trace) for each in known.get("values", ())]
    return [_found(each, heard, begins) for begins, each in values if isinstance(each, dict)]


def _messages(trace: Mapping[str, Any]) -> list[tuple[int, Mapping[str, Any]]]:
    """What was understood of every message of a burst, and where it begins in all of them together."""
    burst, places, begins = trace.get("heard", ()), [], 0
    for message in burst or (trace,):
        places.append((begins, message.get("understanding", {})))
        begins += len(message.get("text", "")) + 1  # they are joined with line breaks
    return places


def _found(value: Mapping[str, Any], heard: str, begins: int = 0) -> dict[str, Any]:
    start, end = begins + value.get("start", 0), begins + value.get("end", 0)
    plain = {"text": heard[start:end], "start": start, "end": end, "against": [], "taken": True}
    return {**plain, **{name: value[name] for name in ("slot", "value", "rule", "against", "taken") if name in value}}


def _act(act: Any) -> dict[str, str]:
    kind, words = act if isinstance(act, list) else (str(act), "")
    return {"command": kind, "words": words}


def _meanings(known: Mapping[str, Any], words: AgentWords) -> list[dict[str, Any]]:
    first = [(known["intent"], known.get("confidence", 0))] if known.get("intent") else []
    others = [tuple(each) for each in known.get("alternatives", ()) if each[0] != known.get("intent")]
    both = [(name, words.meanings.get(name, name), round(confidence)) for name, confidence in (*first, *others)]
    return [{"name": name, "label": label, "confidence": confidence} for name, label, confidence in both]


def _wanted(trace: Mapping[str, Any], words: AgentWords) -> dict[str, str] | None:
    """Why a person was called in this turn, if one was."""
    if not any(isinstance(each, dict) and each.get("is") == "HandOff" for each in trace.get("effects", ())):
        return None
    policy = trace.get("policy", "")
    trigger = TRIGGERS.get(policy, policy)
    return {"trigger": trigger, "label": words.names.get(policy, ""), "reason": trace.get("reason", "")}


def _command(command: Any, words: AgentWords) -> dict[str, str]:
    """A command by its name, what it is about and with what; older versions stored words."""
    if not isinstance(command, dict):
        name, _, said = str(command).partition("(")
        return {"command": name, "about": "", "words": said.rstrip(")")}
    given = {name: value for name, value in command.items() if value not in (None, "", [], {}, False)}
    name, about = given.pop("is", ""), ""
    for key in ("slot", "tool", "flow", "intent"):
        if isinstance(given.get(key), str):
            about = given.pop(key)
            break
    said = ", ".join(map(_plain, given.values()))[:1000]
    return {"command": str(name), "about": about, "label": words.names.get(about, ""), "words": said}


def _plain(value: Any) -> str:
    """A value in words; a map is stored under a key of its own."""
    if isinstance(value, dict):
        inside = value["map"] if set(value) == {"map"} else value
        return ", ".join(f"{name}: {_plain(each)}" for name, each in inside.items())
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _refused(refusal: Any, words: AgentWords) -> dict[str, str]:
    if isinstance(refusal, list):
        return {**_command(refusal[0], words), "reason": str(refusal[1])}
    return {**_command(refusal["command"], words), "reason": refusal["reason"]}


def _has_line(effect: Any) -> bool:
    return isinstance(effect, dict) and isinstance(effect.get("line"), dict)


def _line(effect: Mapping[str, Any]) -> dict[str, Any]:
    line = effect["line"]
    return {"text": line.get("text", ""), "template": line.get("template", ""), "variant": line.get("variant", 0)}


def _tokens(turn: DeskTurn) -> dict[str, Any]:
    asked = turn.usage
    # What a provider had in its cache, or put there, was read too: it only costs otherwise.
    names = {
        "input": ("input_tokens", "cached_tokens", "cache_written_tokens"),
        "output": ("output_tokens",),
        "cached": ("cached_tokens",),
    }
    totals = {ours: sum(row[each] for row in asked for each in theirs) for ours, theirs in names.items()}
    cost = sum((Decimal(str(row["cost"])) for row in asked), Decimal())
    return {**totals, "cost": str(cost), "models": sorted({row["model"] for row in asked if row["model"]})}
