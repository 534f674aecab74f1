"""People of one workspace: who may log in, what each may do, their teams, and who is there."""

import secrets
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal, get_args

from hilo.errors import HiloError
from hilo.ids import new_id
from hilo.store.audit import AuditEntry, add_audit
from hilo.store.keys import SCOPES, Scope, hashed
from hilo.store.live import LiveEvent, tell_live
from hilo.store.store import reading
from hilo.tools.database import Row, Script, execute, maybe_moment, micros, moment, one

Role = Literal["operator", "author", "owner"]
ROLES: tuple[Role, ...] = get_args(Role)
ROLE_SCOPES: Mapping[Role, tuple[Scope, ...]] = {
    "operator": ("read", "write", "operate"),
    "author": ("read", "author", "campaign"),
    "owner": SCOPES,
}

LONGEST = timedelta(days=30)  # of a login
IDLE = timedelta(days=7)  # after which a cookie that nobody uses opens nothing
TOUCH = timedelta(seconds=30)  # how exactly we know when somebody was last there
PRESENT = timedelta(seconds=90)

ATTEMPTS = 10  # to log in under one name, within the window
ATTEMPTS_FROM = 60  # from one address
WINDOW = timedelta(minutes=5)


class PersonRefused(HiloError):  # noqa: N818 -- it names what happened
    """It cannot be done with this person; the words say why."""


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody with an account; `name` is what the audit and the contact are told, and nobody else's."""

    id: str
    workspace: str
    login: str
    name: str
    role: Role
    away: bool
    seen_at: datetime | None
    created_at: datetime
    password: str = field(default="", repr=False)
    teams: tuple[str, ...] = ()

    def present(self, now: datetime) -> bool:
        """Whether a page of theirs is open."""
        return self.seen_at is not None and now - self.seen_at <= PRESENT

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """What they may do with the API."""
        return ROLE_SCOPES[self.role]


@dataclass(frozen=True, slots=True)
class NewPerson:
    """An account to be made; the password is hashed already."""

    login: str
    name: str
    role: Role
    password: str = field(repr=False)
    teams: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonChange:
    """What is to change; none stays as it is."""

    name: str | None = None
    role: Role | None = None
    away: bool | None = None
    teams: tuple[str, ...] | None = None
    password: str | None = field(default=None, repr=False)
    token: str = field(default="", repr=False)  # of the cookie that it is changed with


def add_person(workspace: str, new: NewPerson, *, by: str, now: datetime) -> Script[str]:
    """Make an account; its id. Raises PersonRefused when the login or the name is somebody else's."""
    yield from execute("lock_people", workspace=workspace)
    yield from _check_free(workspace, login=new.login, name=new.name)
    person = new_id("person")
    values = {"login": new.login, "name": new.name, "role": new.role, "password": new.password, "at": micros(now)}
    yield from execute("add_person", id=person, workspace=workspace, **values)
    yield from _join(workspace, person, new.teams)
    entry = AuditEntry(by, "person added", person, {"login": new.login, "role": new.role, "teams": new.teams})
    yield from add_audit(workspace, (entry,), at=now)
    return person


def add_first_owner(workspace: str, new: NewPerson, *, now: datetime) -> Script[bool]:
    """Make an account if the workspace has none at all; whether it was made."""
    yield from execute("lock_people", workspace=workspace)
    if (yield from people(workspace)):
        return False
    yield from add_person(workspace, new, by="engine", now=now)
    return True


def people(workspace: str) -> Script[tuple[PersonRow, ...]]:
    """Everybody who has an account, by name."""
    rows = yield from execute("people", workspace=workspace, person="", login="", name="")
    return (yield from _with_teams(workspace, rows))


def one_person(workspace: str, *, person: str = "", login: str = "", name: str = "") -> Script[PersonRow | None]:
    """Somebody by id, login or name."""
    if not (person or login or name):
        return None
    rows = yield from execute("people", workspace=workspace, person=person, login=login, name=name)
    found = yield from _with_teams(workspace, rows[:1])
    return found[0] if found else None


def change_person(
    workspace: str, person: str, change: PersonChange, *, by: str, now: datetime
) -> Script[PersonRow | None]:
    """Change an account; nothing when there is none. A new password ends all logins but the one that changes it."""
    yield from execute("lock_people", workspace=workspace)
    before = yield from one_person(workspace, person=person)
    if before is None:
        return None
    if change.name is not None and change.name.lower() != before.name.lower():
        yield from _check_free(workspace, name=change.name)
    if before.role == "owner" and change.role not in (None, "owner"):
        yield from _check_owners(workspace, person)
    away = None if change.away is None else int(change.away)
    values = {"name": change.name, "role": change.role, "away": away, "password": change.password}
    yield from execute("change_person", workspace=workspace, person=person, **values)
    if change.teams is not None:
        yield from execute("leave_teams", workspace=workspace, person=person)
        yield from _join(workspace, person, change.teams)
    if change.password is not None:
        yield from execute("end_person_sessions", person=person, but=hashed(change.token))
    if change.away is not None:
        yield from _tell_presence(replace(before, away=change.away), now=now)
    if told := _told(change):
        entry = AuditEntry(by, "person changed", person, {"login": before.login, **told})
        yield from add_audit(workspace, (entry,), at=now)
    return (yield from one_person(workspace, person=person))


def remove_person(workspace: str, person: str, *, by: str, now: datetime) -> Script[bool]:
    """End an account and its logins; false when there is none."""
    yield from execute("lock_people", workspace=workspace)
    yield from _check_owners(workspace, person)
    row = yield from one("remove_person", workspace=workspace, person=person, at=micros(now))
    if row is None:
        return False
    yield from execute("end_person_sessions", person=person, but="")
    yield from execute("leave_teams", workspace=workspace, person=person)
    yield from add_audit(workspace, (AuditEntry(by, "person removed", person, {"login": row["login"]}),), at=now)
    return True


def _told(change: PersonChange) -> dict[str, object]:
    """What the audit says of it: never a password, and not who is at lunch."""
    told: dict[str, object] = {name: getattr(change, name) for name in ("name", "role", "teams")}
    told = {name: value for name, value in told.items() if value is not None}
    return told | ({"password": "changed"} if change.password is not None else {})


def _check_free(workspace: str, *, name: str, login: str = "") -> Script[None]:
    if login and (yield from one_person(workspace, login=login)):
        raise PersonRefused(f"there is somebody with the login {login} already")
    if (yield from one_person(workspace, name=name)):
        raise PersonRefused(
            f"there is somebody called {name} already: contacts and colleagues could not tell them apart"
        )


def _check_owners(workspace: str, leaving: str) -> Script[None]:
    found = yield from people(workspace)
    owners = {each.id for each in found if each.role == "owner"}
    if owners == {leaving}:
        raise PersonRefused("this is the last owner: make another one first")


def _join(workspace: str, person: str, teams: Sequence[str]) -> Script[None]:
    for team in dict.fromkeys(teams):
        yield from execute("join_team", workspace=workspace, team=team, person=person)


def _with_teams(workspace: str, rows: Sequence[Row]) -> Script[tuple[PersonRow, ...]]:
    teams = defaultdict(list)
    for row in (yield from execute("teams", workspace=workspace)):
        teams[row["person_id"]].append(row["team"])
    return tuple(replace(_person(row), teams=tuple(teams[row["id"]])) for row in rows)


def _person(row: Row) -> PersonRow:
    texts = (row["id"], row["workspace_id"], row["login"], row["name"], row["role"], bool(row["away"]))
    return PersonRow(*texts, maybe_moment(row["seen_at"]), moment(row["created_at"]), row["password"])


# --- logging in ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Login:
    """Somebody who is logged in; `csrf` must come with every request that changes something."""

    person: PersonRow
    workspace_name: str
    csrf: str
    seen_at: datetime


def new_token() -> str:
    """What a cookie holds: 256 random bits, of which only the hash is kept."""
    return secrets.token_urlsafe(32)


def try_login(workspace: str, login: str, address: str, *, now: datetime) -> Script[PersonRow | datetime | None]:
    """Count an attempt before anybody looks at its password, so that many at once are counted too.

    Who is meant, if there is somebody; or, after too many attempts, when the next one is looked at.
    """
    limits = {f"login {workspace} {login}": ATTEMPTS, _place(address): ATTEMPTS_FROM}
    for key, most in limits.items():
        row = yield from one("count_attempt", key=key, at=micros(now), since=micros(now - WINDOW))
        if row and row["failures"] > most:
            return moment(row["at"]) + WINDOW
    return (yield from one_person(workspace, login=login))


def _place(address: str) -> str:
    return f"from {address}"


def log_in(person: PersonRow, address: str, *, token: str, csrf: str, now: datetime) -> Script[None]:
    """The password was right: a cookie works from now on."""
    yield from execute("clear_attempts", key=f"login {person.workspace} {person.login}")
    # A whole shop may log in from one address; only this attempt is taken back, not those that guess beside it.
    yield from execute("take_back_attempt", key=_place(address))
    values = {"at": micros(now), "expires_at": micros(now + LONGEST)}
    yield from execute("add_person_session", hash=hashed(token), person=person.id, csrf=csrf, **values)
    yield from execute("touch_person", person=person.id, at=micros(now))
    yield from _tell_presence(person, now=now)


def _tell_presence(person: PersonRow, *, now: datetime) -> Script[None]:
    """Colleagues see who has come, and who is away."""
    told = {"person": person.id, "name": person.name, "away": person.away}
    yield from tell_live(person.workspace, (LiveEvent("presence", "", told),), now=now)


@reading
def find_login(token: str, *, now: datetime) -> Script[Login | None]:
    """Who a cookie is of, while it works."""
    idle = micros(now - IDLE)
    row = yield from one("find_person_session", hash=hashed(token), now=micros(now), idle_since=idle)
    if row is None:
        return None
    [person] = yield from _with_teams(row["workspace_id"], [row])
    return Login(person, row["workspace_name"], row["csrf"], moment(row["session_seen_at"]))


def touch(token: str, person: str, *, now: datetime) -> Script[None]:
    """Somebody is there."""
    yield from execute("touch_person_session", hash=hashed(token), at=micros(now))
    yield from execute("touch_person", person=person, at=micros(now))


def log_out(token: str) -> Script[None]:
    """A cookie opens nothing any more."""
    yield from execute("end_person_session", hash=hashed(token))
