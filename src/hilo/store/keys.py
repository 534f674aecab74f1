"""Keys of the API: kept as hashes, with what each may do, each in one workspace."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from hilo.ids import new_id
from hilo.store.audit import AuditEntry, add_audit
from hilo.tools.database import Row, Script, execute, maybe_moment, micros, moment, one

Scope = Literal["read", "write", "operate", "campaign", "author", "administer", "metrics"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
PREFIX = "hilo_"  # so that a key that was pasted somewhere can be recognised


@dataclass(frozen=True, slots=True)
class Key:
    """Who asks: a key without its secret, or a person who is logged in and whose name nobody else may use."""

    id: str
    workspace: str
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    revoked_at: datetime | None = None
    person: bool = False
    teams: tuple[str, ...] = ()  # whose waiting contacts they look after; none: everybody's

    def acting(self, said: str | None) -> str:
        """In whose name something is done: a program says for whom it acts, a person is who they are."""
        return self.name if self.person else said or self.name


def new_secret() -> str:
    """A key that nobody can guess: 256 random bits."""
    return PREFIX + secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """A plain, fast hash is right here: a random key of 256 bits cannot be guessed from it, unlike a password."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def add_key(  # noqa: PLR0913 -- what a key is, and who makes it when
    workspace: str, name: str, *, secret: str, scopes: Sequence[Scope], now: datetime, by: str = ""
) -> Script[str]:
    """Let a secret open the API of a workspace; the key's id."""
    number = new_id("key")
    values = {"hash": hashed(secret), "scopes": " ".join(dict.fromkeys(scopes)), "at": micros(now)}
    yield from execute("add_key", id=number, workspace=workspace, name=name, **values)
    if by:
        entry = AuditEntry(by, "key added", number, {"name": name, "scopes": list(scopes)})
        yield from add_audit(workspace, (entry,), at=now)
    return number


def find_key(secret: str) -> Script[Key | None]:
    """The key that a secret is of, unless it was revoked."""
    row = yield from one("find_key", hash=hashed(secret))
    return _key(row) if row else None


def keys(workspace: str) -> Script[tuple[Key, ...]]:
    """The keys of a workspace, revoked ones too."""
    rows = yield from execute("keys", workspace=workspace)
    return tuple(map(_key, rows))


def revoke_key(workspace: str, key: str, *, now: datetime, by: str = "") -> Script[bool]:
    """End a key; false when there is none that still works."""
    row = yield from one("revoke_key", workspace=workspace, key=key, at=micros(now))
    if row is None:
        return False
    if by:
        yield from add_audit(workspace, (AuditEntry(by, "key revoked", key, {"name": row["name"]}),), at=now)
    return True


def _key(row: Row) -> Key:
    scopes = tuple(row["scopes"].split())
    created = moment(row["created_at"])
    return Key(row["id"], row["workspace_id"], row["name"], scopes, created, maybe_moment(row["revoked_at"]))
