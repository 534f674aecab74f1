"""`hilo user`: the people who work with the panel."""

import re
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hilo.cli.changing import change, check_workspace
from hilo.cli.database import ago, ask, json_option, print_json, workspace_option
from hilo.clock import SystemClock
from hilo.errors import HiloError
from hilo.store.passwords import check_new, hash_password, new_password
from hilo.store.people import (
    ROLES,
    NewPerson,
    PersonChange,
    PersonRow,
    add_person,
    change_person,
    one_person,
    people,
    remove_person,
)

BY = "hilo user"  # who did it, in the audit
LOGIN = re.compile(r"[a-z0-9][a-z0-9._@+-]{0,99}")
MAX_NAME = 100


@click.group("user")
def command() -> None:
    """Add, list and remove the people who work with the panel."""


@command.command("add")
@click.argument("login")
@click.option("--name", default="", help="What colleagues, the audit and contacts read; the login if not given.")
@click.option("--role", type=click.Choice(ROLES), default="operator", show_default=True,
              help="operator answers, author has agents and reports, owner everything.")  # fmt: skip
@click.option("--team", "teams", multiple=True, metavar="T", help="A team of theirs; may be given several times.")
@click.option("--ask-password", is_flag=True, help="Type a password; without it one is made up.")
@workspace_option
def add(login: str, name: str, role: Any, teams: tuple[str, ...], ask_password: bool, workspace: str) -> None:
    """Make an account and print its password, once: only a hash is kept."""
    check_workspace(workspace)
    name = (name or login).strip()
    if not LOGIN.fullmatch(login):
        raise HiloError(
            "a login has small letters, digits and . _ @ + -, at most 100, and begins with one of the first"
        )
    if not 0 < len(name) <= MAX_NAME:
        raise HiloError(f"a name has 1 to {MAX_NAME} characters: it stands for who acts")
    password = _password(ask_password)
    person = NewPerson(login, name, role, hash_password(password), teams)
    change(add_person, workspace, person, by=BY, now=SystemClock().now())
    _tell(f"{login} is {role} in {workspace}.", password, typed=ask_password)


@command.command("list")
@workspace_option
@json_option
def list_all(workspace: str, as_json: bool) -> None:
    """List people, and when each was last there."""
    now, found = SystemClock().now(), ask(people, workspace)
    if as_json:
        told = ("login", "name", "role", "teams", "away", "seen_at", "created_at")
        print_json([{name: getattr(each, name) for name in told} for each in found])
        return
    table = Table("login", "name", "role", "teams", "there", box=None, padding=(0, 2, 0, 0), header_style="bold cyan")
    for each in found:
        seen = "now" if each.present(now) else ago(each.seen_at, now) if each.seen_at else "never"
        there = f"{seen}, away" if each.away else seen
        table.add_row(each.login, escape(each.name), each.role, ", ".join(each.teams), there)
    Console(highlight=False).print(table)


@command.command("remove")
@click.argument("login")
@workspace_option
def remove(login: str, workspace: str) -> None:
    """End an account and all its logins; what they did stays in the audit."""
    person = _find(workspace, login)
    change(remove_person, workspace, person.id, by=BY, now=SystemClock().now())
    click.echo(f"{login} has no account in {workspace} any more.")


@command.command("password")
@click.argument("login")
@click.option("--ask-password", is_flag=True, help="Type a password; without it one is made up.")
@workspace_option
def renew(login: str, ask_password: bool, workspace: str) -> None:
    """Give somebody a new password; all their logins end."""
    person, password = _find(workspace, login), _password(ask_password)
    wanted = PersonChange(password=hash_password(password))
    change(change_person, workspace, person.id, wanted, by=BY, now=SystemClock().now())
    _tell(f"{login} has a new password.", password, typed=ask_password)


def _find(workspace: str, login: str) -> PersonRow:
    found = ask(one_person, workspace, login=login)
    if found is None:
        raise HiloError(f"nobody in {workspace} has the login {login}: `hilo user list` shows who has one")
    return found


def _password(ask_password: bool) -> str:
    if not ask_password:
        return new_password()
    typed: str = click.prompt("password", hide_input=True, confirmation_prompt=True)
    check_new(typed)
    return typed


def _tell(words: str, password: str, *, typed: bool) -> None:
    if typed:
        click.echo(words)
        return
    click.echo(f"{words} Keep the password; it is not shown again:", err=True)
    click.echo(password)
