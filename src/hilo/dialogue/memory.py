"""What was named last, by either side, so that a few words may refer to it for some turns.

The slots that a message gave, what was looked up, and the things and numbers that tools told of (`remembers` of an
agent's tools). It is bounded: the last list, what was named after it, and nothing that is older than a few turns.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from hilo.dialogue.commands import CallTool
from hilo.dialogue.draft import Draft
from hilo.dialogue.events import ToolResult
from hilo.dialogue.session import LastCall, Remembered, Session

TURNS = 4  # messages of a contact for which something is remembered
MOST_LISTED = 20
MOST_SINGLE = 3
LONGEST = 120  # characters of a name


def remember_message(draft: Draft) -> None:
    """Keep which slots a message gave a value, if it gave any, and what it had looked up."""
    if draft.changed:
        draft.session.last_given = tuple(sorted(draft.changed))
    toolbox = draft.agent.toolbox
    for command in draft.log.accepted:
        if isinstance(command, CallTool) and command.tool in toolbox and _may_go_on(draft, command.tool):
            plain = {name: value for name, value in command.arguments.items() if _is_plain(value)}
            draft.session.last_call = LastCall(command.tool, plain, draft.session.counters.turns)


def forget_call(draft: Draft, tool: str) -> None:
    """What a lookup came to nothing with is no subject: nobody orders what was not to be had."""
    last = draft.session.last_call
    if last and last.tool == tool:
        draft.session.last_call = replace(last, came_to_nothing=True)


def _may_go_on(draft: Draft, tool: str) -> bool:
    """Whether a few words may go on with a call: a lookup, or what takes such words itself."""
    return not draft.agent.toolbox[tool].writes or draft.agent.takes_words(tool)


def remember_result(draft: Draft, result: ToolResult) -> None:
    """Keep what a tool has named: a list in place of the one before, single things after it."""
    named = draft.agent.tools.remembers.get(result.tool, ())
    turn = draft.session.counters.turns
    for output in named:
        value = result.outputs.get(output)
        if isinstance(value, str) and value.startswith("["):
            listed = tuple(_listed(_rows(value), turn))
            if listed:
                draft.session.remembered = listed
        elif _is_plain(value) and value != "":
            _remember_one(draft.session, Remembered(_short(value), turn))


def _remember_one(session: Session, thing: Remembered) -> None:
    listed = [each for each in session.remembered if each.place]
    single = [each for each in session.remembered if not each.place and each.value != thing.value]
    session.remembered = (*listed, *single[1 - MOST_SINGLE :], thing)


def _rows(written: str) -> list[Any]:
    """A list among the outputs of a tool, which is kept as JSON; one that was cut is none."""
    try:
        rows = json.loads(written)
    except ValueError:
        return []
    return rows[:MOST_LISTED] if isinstance(rows, list) else []


def _listed(rows: list[Any], turn: int) -> Iterator[Remembered]:
    """The rows of a list: names, or tables with a `name` and perhaps a `price`."""
    for place, row in enumerate(rows, start=1):
        name = row.get("name") if isinstance(row, Mapping) else row
        price = row.get("price") if isinstance(row, Mapping) else None
        if isinstance(name, str) and name:
            yield Remembered(_short(name), turn, place, price if _is_plain(price) else None)


def _short(value: Any) -> Any:
    return value[:LONGEST] if isinstance(value, str) else value


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | Decimal)


# --- looking it up -------------------------------------------------------------------------------


def is_fresh(session: Session, turn: int) -> bool:
    """Whether what was named in a turn may still be referred to."""
    return session.counters.turns - turn < TURNS


def things(session: Session) -> tuple[Remembered, ...]:
    """What may be referred to, the last one last."""
    return tuple(each for each in session.remembered if is_fresh(session, each.turn))


def last_listed(session: Session) -> tuple[str, ...]:
    """The names of the list that was told last, if nothing was named after it."""
    named = things(session)
    return tuple(str(each.value) for each in named) if named and all(each.place for each in named) else ()


def was_looked_up(session: Session) -> bool:
    """Whether what was named last was only looked up, and not ordered."""
    named = things(session)
    return bool(named) and session.last_call is not None and session.last_call.turn == named[-1].turn
