"""`hilo handoffs`: who waits for a person; taking a session over, and giving it back to the agent."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hilo.agent.phrases.handoffs import title
from hilo.cli.database import (
    Lists,
    ago,
    ask,
    json_option,
    local,
    masked,
    only,
    operator_option,
    print_json,
    short,
    visible,
    workspace_option,
)
from hilo.clock import SystemClock
from hilo.errors import HiloError
from hilo.settings import read_settings
from hilo.store.handoffs import (
    StoredHandoff,
    find_handoff,
    list_handoffs,
    one_handoff,
    plain_handoff,
)
from hilo.store.views import existing_store
from hilo.workers.intake import Intake

T = TypeVar("T")

STYLES = {"pending": "yellow", "assigned": "cyan", "resolved": "dim"}
SOON = "It happens in the session's next turn: at once where a queue wakes the workers, else within 15 seconds."


@click.group("handoffs", cls=Lists)
def command() -> None:
    """Look at handoffs, take them, and give sessions back; without a word, list those that are not over."""


# --- looking ------------------------------------------------------------------------------------------


@command.command("list")
@workspace_option
@click.option("--all", "everything", is_flag=True, help="Those that are over too.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, metavar="N")
@json_option
def list_all(workspace: str, everything: bool, limit: int, as_json: bool) -> None:
    """List handoffs, who has waited longest first."""
    found = ask(list_handoffs, workspace, "" if everything else "open", at_most=limit)
    if as_json:
        print_json(
            [{name: value for name, value in plain_handoff(each).items() if name != "context"} for each in found]
        )
        return
    console = Console(highlight=False)
    if not found:
        console.print("[dim]There are no handoffs here.[/]" if everything else "[dim]Nobody waits for a person.[/]")
        return
    console.print(_table(visible(found), SystemClock().now()))
    if len(found) == limit:
        console.print(f"[dim]The first {limit}; --limit shows more.[/]")


def _table(found: tuple[StoredHandoff, ...], now: datetime) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold cyan")
    for name in ("handoff", "session", "trigger", "status"):
        table.add_column(name, no_wrap=True)
    table.add_column("since", justify="right", no_wrap=True)
    table.add_column("reason")
    for each in found:
        status = Text(each.status, style=STYLES[each.status])
        ids = (short(each.id), short(each.session) or "none", each.trigger)
        table.add_row(*ids, status, ago(each.created_at, now), _reason(each))
    return table


def _reason(handoff: StoredHandoff) -> Text:
    by = Text(f" ({handoff.operator})", style="dim") if handoff.operator else Text()
    return Text(_why(handoff)).append_text(by)


def _why(handoff: StoredHandoff) -> str:
    """In the language of the terminal; an agent's own policy has only its reason."""
    language = os.environ.get("LANG", "en").partition(".")[0].replace("_", "-")
    return title(handoff.policy, language) or handoff.reason


@command.command("show")
@click.argument("handoff")
@workspace_option
@json_option
def show(handoff: str, workspace: str, as_json: bool) -> None:
    """Show HANDOFF with what a person has to know: an id of the list, or as much of it as is unique."""
    found = _found(workspace, handoff)
    if as_json:
        print_json({**plain_handoff(found), "context": _discreet(found.context)})
        return
    console, table = Console(highlight=False), Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="dim")
    table.add_column(overflow="fold")
    for name, value in _facts(visible(found)):
        table.add_row(name, value)
    console.print(Text(found.id, style="bold"), table, sep="\n")


def _facts(handoff: StoredHandoff) -> Iterator[tuple[str, str]]:
    """What is known, the most needed first; what is empty is left out."""
    context = _discreet(handoff.context)
    contact = context.get("contact", {})
    facts = {
        "why": f"{handoff.trigger}: {_why(handoff)}",
        "details": handoff.reason,
        "status": _status(handoff),
        "session": short(handoff.session),
        "where": " · ".join(filter(None, (contact.get("name"), contact.get("address"), contact.get("channel")))),
        **{name: context.get(name, "") for name in ("mode", "flow", "question")},
        **{f"• {name}": value for name, value in context.get("known", {}).items()},
    }
    yield from ((name, value) for name, value in facts.items() if value)
    for said in context.get("messages", ()):
        yield said["who"], said["text"]


def _status(handoff: StoredHandoff) -> str:
    taken = f"taken by {handoff.operator} at {local(handoff.assigned_at)}" if handoff.assigned_at else ""
    by = f" by {handoff.resolved_by}" if handoff.resolved_by else ""
    over = f"over at {local(handoff.resolved_at)}{by}" if handoff.resolved_at else ""
    waits = "" if taken or over else f"waits since {local(handoff.created_at)}"
    return "; ".join(filter(None, (waits, taken, over, handoff.resolution)))


def _discreet(context: Any) -> dict[str, Any]:
    """Of where a contact is reachable only the end is shown."""
    contact = dict(context.get("contact", {}))
    contact |= {name: masked(contact[name]) for name in ("address", "phone") if contact.get(name)}
    return {**context, "contact": contact} if contact else dict(context)


# --- acting -------------------------------------------------------------------------------------------


@command.command("take")
@click.argument("handoff")
@operator_option
@workspace_option
def take(handoff: str, operator: str, workspace: str) -> None:
    """Take HANDOFF, and its session: the agent is quiet until it is given back."""
    from hilo.app.handoff_acts import HandoffActs  # noqa: PLC0415 -- as below

    found = _found(workspace, handoff)
    _tell(lambda intake: HandoffActs(intake, workspace).take(found, operator=operator))
    click.echo(f"{operator} takes {short(found.id)}. {SOON}")


@command.command("release")
@click.argument("handoff")
@click.option("--mode", default="", metavar="M", help="The mode in which the agent goes on.")
@click.option("--call", "calls", multiple=True, metavar="TOOL", help="A tool that runs first; may be repeated.")
@click.option("--message", default="", metavar="TEXT", help="What the contact is told.")
@click.option("--resolution", default="", metavar="TEXT", help="What became of it, for your own records.")
@operator_option
@workspace_option
def release(handoff: str, operator: str, workspace: str, **chosen: Any) -> None:
    """End HANDOFF: the agent answers in its session again."""
    from hilo.app.handoff_acts import GivingBack, HandoffActs  # noqa: PLC0415 -- as below

    found = _found(workspace, handoff)
    back = GivingBack(**chosen)
    _tell(lambda intake: HandoffActs(intake, workspace).release(found, back, operator=operator))
    if found.session:
        click.echo(f"{operator} gives {short(found.session)} back to its agent. {SOON}")
    else:
        click.echo(f"The handoff {short(found.id)} is over.")


def _found(workspace: str, beginning: str) -> StoredHandoff:
    named = only(ask(find_handoff, workspace, beginning), beginning, kind="handoff")
    found = ask(one_handoff, workspace, named)
    if found is None:
        raise HiloError(f"the handoff {beginning} is not there any more")
    return found


def _tell(act: Callable[[Intake], Awaitable[T]]) -> T:
    """Put something into the inbox of the database that HILO_DATABASE_URL names, and wake its workers."""
    from hilo.app.installation import open_queue  # noqa: PLC0415 -- lists do without it, and start in half the time

    async def run() -> T:
        settings, clock = read_settings(), SystemClock()
        async with existing_store(settings.database_url) as store:
            queue = await open_queue(settings, clock)
            try:
                return await act(Intake(store, queue, clock))
            finally:
                await queue.close()

    return asyncio.run(run())
