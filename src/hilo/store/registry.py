"""The versions of agents: every text that was ever published, and which of them is in force.

A text is kept for the sessions that began with it. A publication puts one in force, for the sessions that begin
from then on; going back to an older version is a publication too, so that what was in force when is never lost.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from hilo.store.audit import AuditEntry, add_audit
from hilo.store.store import stepwise
from hilo.tools.database import Row, Script, execute, micros, moment, one

ENGINE = "engine"  # who puts a new file in force when a process starts with it

Deed = Literal["published", "rolled back"]
_LANGUAGE = re.compile(r"""(?m)^language:[ \t]*["']?([A-Za-z-]{2,8})""")


@dataclass(frozen=True, slots=True)
class Version:
    """A version of an agent: its text, what it offers to the people who look after its sessions, what lay beside it."""

    name: str
    version: str
    source: str
    offers: Mapping[str, Any] = field(default_factory=dict)
    folder_texts: str = ""  # as `agent.folder_texts` writes them; nothing of a version from before they were kept


@dataclass(frozen=True, slots=True)
class VersionChoice:
    """The version that somebody wants in force."""

    name: str
    version: str
    actor: str = ENGINE
    deed: Deed = "published"


@dataclass(frozen=True, slots=True)
class Publication:
    """A version came into force."""

    number: int
    version: str
    at: datetime
    actor: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A version that is kept, and how many sessions are open on it."""

    version: str
    published_at: datetime
    open_sessions: int


@dataclass(frozen=True, slots=True)
class Registered:
    """An agent with its versions in the order of their publication, and with all that was put in force."""

    name: str
    versions: tuple[Kept, ...]
    publications: tuple[Publication, ...]

    @property
    def in_force(self) -> Publication:
        """What new sessions begin on."""
        return self.publications[-1]

    @property
    def before(self) -> str:
        """The version that was in force before this one; nothing where there was none."""
        others = (each.version for each in reversed(self.publications) if each.version != self.in_force.version)
        return next(others, "")

    def last(self, version: str) -> Publication | None:
        """When a version came into force the last time."""
        return next((each for each in reversed(self.publications) if each.version == version), None)


# --- publishing ---------------------------------------------------------------------------------------


def publish(workspace: str, agent: Version, *, now: datetime) -> Script[str]:
    """What a process does with its files when it starts; the version that is in force then.

    A text that is new here comes into force. One that was here before does not: a restart must not undo a rollback.
    """
    yield from execute("lock_audit", workspace=workspace)  # of two that start at once, one is the first
    if (yield from _keep(workspace, agent, now=now)):
        yield from _put_in_force(workspace, VersionChoice(agent.name, agent.version), now=now)
        return agent.version
    yield from execute("renew_offers", workspace=workspace, **_identity(agent), offers=json.dumps(agent.offers))
    return (yield from in_force(workspace, agent.name)) or agent.version


def publish_by(workspace: str, agent: Version, *, actor: str, now: datetime) -> Script[str]:
    """Keep a text and put it in force, new or not; the version that was in force before."""
    yield from execute("lock_audit", workspace=workspace)
    yield from _keep(workspace, agent, now=now)
    return (yield from put_in_force(workspace, VersionChoice(agent.name, agent.version, actor), now=now))


def put_in_force(workspace: str, choice: VersionChoice, *, now: datetime) -> Script[str]:
    """Let new sessions begin on a version that is kept; the one before. If it is the same, nothing was changed."""
    before = yield from _put_in_force(workspace, choice, now=now)
    if before != choice.version:
        detail = {"version": choice.version, **({"before": before} if before else {})}
        yield from add_audit(workspace, (AuditEntry(choice.actor, choice.deed, choice.name, detail),), at=now)
    return before


def _put_in_force(workspace: str, choice: VersionChoice, *, now: datetime) -> Script[str]:
    """Without the audit, which is about what people do, whatever they call themselves."""
    yield from execute("lock_audit", workspace=workspace)
    last = yield from one("in_force", workspace=workspace, name=choice.name)
    number, before = (last["number"], str(last["version"])) if last else (0, "")
    if before != choice.version:
        row = {"name": choice.name, "number": number + 1, "version": choice.version, "actor": choice.actor}
        yield from execute("add_publication", workspace=workspace, **row, at=micros(now))
    return before


def _keep(workspace: str, agent: Version, *, now: datetime) -> Script[bool]:
    values = {**_identity(agent), "source": agent.source, "offers": json.dumps(agent.offers)}
    values["folder_texts"] = agent.folder_texts
    return (yield from one("keep_version", workspace=workspace, **values, at=micros(now))) is not None


def _identity(agent: Version) -> dict[str, str]:
    return {"name": agent.name, "version": agent.version}


# --- looking ------------------------------------------------------------------------------------------


def published(workspace: str, name: str, version: str) -> Script[Version | None]:
    """A version as it was kept."""
    row = yield from one("published", workspace=workspace, name=name, version=version)
    if row is None:
        return None
    return Version(row["name"], row["version"], row["source"], json.loads(row["offers"]), row["folder_texts"])


@stepwise
def in_force(workspace: str, name: str) -> Script[str]:
    """The version that new sessions begin on; nothing where the agent was never published."""
    row = yield from one("in_force", workspace=workspace, name=name)
    return str(row["version"]) if row else ""


def language_on(workspace: str, channel: str) -> Script[str]:
    """The language of the agent on a channel, from the text of its file: it is asked where the agent cannot be made."""
    row = yield from one("source_on", workspace=workspace, channel=channel)
    written = _LANGUAGE.search(row["source"]) if row else None
    return written[1] if written else "es"


def registered(workspace: str, name: str = "") -> Script[tuple[Registered, ...]]:
    """The agents of a workspace, or the one of that name."""
    versions = yield from execute("kept_versions", workspace=workspace, name=name)
    history = yield from execute("publications", workspace=workspace, name=name)
    names = dict.fromkeys(row["name"] for row in history)
    return tuple(_registered(each, versions, history) for each in names)


def _registered(name: str, versions: list[Row], history: list[Row]) -> Registered:
    kept = (row for row in versions if row["name"] == name)
    done = (row for row in history if row["name"] == name)
    return Registered(
        name,
        tuple(Kept(row["version"], moment(row["published_at"]), row["open_sessions"]) for row in kept),
        tuple(Publication(row["number"], row["version"], moment(row["at"]), row["actor"]) for row in done),
    )
