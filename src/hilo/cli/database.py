"""What the commands that look into the database share: asking it, naming a session, and words for times."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, ParamSpec, TypeVar

import click

from hilo.errors import HiloError
from hilo.settings import read_settings
from hilo.store.handoffs import ID_PREFIX as HANDOFF_PREFIX
from hilo.store.views import ID_PREFIX, MAX_NAMED, existing_store, find_session
from hilo.tools.database import Script

T = TypeVar("T")
P = ParamSpec("P")

LISTS = {"session": "sessions", "handoff": "handoffs list"}
VISIBLE = 4  # characters of an address that tell contacts apart and do not say who they are
# Characters that steer terminals, or turn lines around.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_SPANS = ((60, 1, "s"), (3600, 60, "min"), (48 * 3600, 3600, "h"))

workspace_option = click.option(
    "--workspace", default="main", show_default=True, metavar="W", help="Whose sessions: the business's id."
)
operator_option = click.option(
    "--operator", default="operator", show_default=True, metavar="NAME", help="Who does it; it stands in the audit."
)
json_option = click.option("--json", "as_json", is_flag=True, help="For programs: JSON instead of a page.")


class Lists(click.Group):
    """A group that lists without a word: `hilo handoffs --json` is `hilo handoffs list --json`."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Put the word in front of options that are not the group's own."""
        lists = not args or (args[0].startswith("-") and args[0] not in context.help_option_names)
        return super().parse_args(context, ["list", *args] if lists else args)


def ask(question: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
    """Put a question to the database that HILO_DATABASE_URL names."""

    async def answer() -> T:
        async with existing_store(read_settings().database_url) as store:
            return await store.run(question, *values, **named)

    return asyncio.run(answer())


def only(found: tuple[str, ...], beginning: str, *, kind: str = "session") -> str:
    """The one session or handoff that was meant; raises with how to find it."""
    if not found:
        raise HiloError(f"there is no {kind} {beginning}: `hilo {LISTS[kind]} --all` lists them")
    if len(found) > 1:
        named = ", ".join(map(short, found[: MAX_NAMED - 1])) + (", …" if len(found) >= MAX_NAMED else "")
        raise HiloError(f"{beginning} may be several {kind}s: {named}; write more of the id")
    return found[0]


def named_session(workspace: str, beginning: str) -> str:
    """The id that begins like this."""
    return only(ask(find_session, workspace, beginning), beginning)


def short(thing: str) -> str:
    """As much of an id as one has to type: the first half of a session's is a number of its own."""
    return thing.removeprefix(ID_PREFIX).removeprefix(HANDOFF_PREFIX)[:8]


def masked(address: str) -> str:
    """The end of an address, and never most of it."""
    return "…" + address[-min(VISIBLE, max(1, len(address) // 2)) :]


def visible(thing: T) -> T:
    """The same with every control character made harmless: what contacts write must not steer a terminal."""
    return _visible(thing)  # type: ignore[no-any-return]


def _visible(thing: Any) -> Any:
    if isinstance(thing, str):
        return _UNSEEN.sub("\ufffd", thing)
    if isinstance(thing, tuple | list):
        return type(thing)(map(_visible, thing))
    if isinstance(thing, Mapping):
        return {name: _visible(value) for name, value in thing.items()}
    if is_dataclass(thing) and not isinstance(thing, type):
        return replace(thing, **{each.name: _visible(getattr(thing, each.name)) for each in fields(thing)})
    return thing


def counted(number: int, what: str) -> str:
    """1 turn, 2 turns."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def ago(then: datetime, now: datetime) -> str:
    """How long something is past, in one unit."""
    seconds = max(0, int((now - then).total_seconds()))
    for limit, unit, name in _SPANS:
        if seconds < limit:
            return f"{seconds // unit} {name} ago"
    return f"{seconds // 86400} d ago"


def local(then: datetime, form: str = "%Y-%m-%d %H:%M:%S") -> str:
    """A time as the clock on this wall shows it."""
    return then.astimezone().strftime(form)


def print_json(thing: Any) -> None:
    """Plain JSON, times with their zone."""
    click.echo(json.dumps(thing, ensure_ascii=False, indent=2, default=_plain))


def _plain(thing: Any) -> Any:
    if isinstance(thing, datetime):
        return thing.isoformat()
    if isinstance(thing, Decimal):
        return str(thing)
    raise TypeError(f"{type(thing).__name__} has no JSON form")
