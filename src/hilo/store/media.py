"""Files that contacts sent and that we send: what is known of them. Their bytes lie in `files`."""

import json
import secrets
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from hilo.errors import HiloError
from hilo.ids import new_id
from hilo.messages import Attachment
from hilo.store.file_types import FILE_TYPES, MAX_SENT, MEGABYTE, file_name, file_type_of
from hilo.store.live import LiveEvent, tell_live
from hilo.store.store import reading
from hilo.store.work import LEASE, Claim, NotNow, claim, is_held, release
from hilo.tools.database import Row, Script, execute, micros, moment, one

MediaStatus = Literal["waiting", "kept", "refused", "lost"]

FIRST_PAUSE = timedelta(seconds=2)
LONGEST_PAUSE = timedelta(minutes=15)
GIVES_UP = timedelta(days=3)  # providers keep a file for a week or longer
LINKS = "/media/"  # where providers and web chats find what we send
AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Media:
    """A file as the API tells of it; `link` opens one that we send, without a key."""

    id: str
    kind: str
    type: str
    size: int
    name: str
    status: MediaStatus
    reason: str
    link: str

    def attachment(self) -> Attachment:
        """The file as a message of ours carries it."""
        kind: Literal["image", "audio", "video", "document", "sticker"] = self.kind  # type: ignore[assignment]
        return Attachment(kind, f"{LINKS}{self.link}", name=self.name, media=self.id)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that an operator or a tool has given us to send."""

    id: str
    workspace: str
    kind: str
    type: str
    size: int
    name: str
    link: str


@dataclass(frozen=True, slots=True)
class Fetching:
    """A file that is being fetched."""

    claim: Claim
    id: str
    workspace: str
    channel: str
    kind: str
    source: str
    name: str
    attempts: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class FetchResult:
    """What came of fetching; `later` is tried again until nobody has the file any more."""

    status: Literal["kept", "refused", "later"]
    reason: str = ""
    type: str = ""
    size: int = 0


def add_received(
    workspace: str, channel: str, address: str, attachments: Iterable[Attachment], *, now: datetime
) -> Script[bool]:
    """Write down which files a message has, to be fetched; whether there are any."""
    found = False
    for each in attachments:
        if not each.media:
            continue
        found = True
        places = {"workspace": workspace, "channel": channel, "address": address}
        about = {"kind": each.kind, "source": each.url, "name": each.name, "type": "", "size": 0}
        yield from execute("add_media", id=each.media, **places, **about, status="waiting", link="", at=micros(now))
    if found:
        yield from execute("call_for_media", address=address, next_at=micros(now))
    return found


class FileNotTaken(HiloError):  # noqa: N818 -- it names what happened
    """A file that nobody may send: too large, or of a type that is not taken."""

    def __init__(self, reason: str, *, too_large: bool = False) -> None:
        super().__init__(reason)
        self.too_large = too_large


def new_upload(workspace: str, content: bytes, declared: str, name: str = "") -> Upload:
    """A file to be sent; raises FileNotTaken."""
    known = file_type_of(content, declared, name=name)
    if known is None:
        raise FileNotTaken("the file is empty, of a type that is not taken, or not what it is said to be")
    kind = FILE_TYPES[known].kind
    if len(content) > MAX_SENT[kind]:
        raise FileNotTaken(f"a file of this kind may have {MAX_SENT[kind] // MEGABYTE} MB", too_large=True)
    return Upload(
        id=new_id("media"),
        workspace=workspace,
        kind=kind,
        type=known,
        size=len(content),
        name=file_name(name),
        link=secrets.token_urlsafe(24),
    )


def add_upload(upload: Upload, *, now: datetime) -> Script[None]:
    """A file that is there already."""
    about = {"kind": upload.kind, "source": "", "name": upload.name, "type": upload.type, "size": upload.size}
    places = {"workspace": upload.workspace, "channel": "", "address": ""}
    yield from execute("add_media", id=upload.id, **places, **about, status="kept", link=upload.link, at=micros(now))


# --- fetching -----------------------------------------------------------------------------------------


def begin_fetch(address: str, *, owner: str, now: datetime, lease: timedelta = LEASE) -> Script[Fetching | NotNow]:
    """Claim an address and take the next of its files that is to be fetched now."""
    held = yield from claim("media", address, owner=owner, now=now, lease=lease)
    if isinstance(held, NotNow):
        return held
    row = yield from one("next_media", address=address)
    if row is None or moment(row["next_at"]) > now:
        due = moment(row["next_at"]) if row else None
        yield from release(held, next_at=due)
        return NotNow(due)
    return Fetching(
        claim=held,
        id=row["id"],
        workspace=row["workspace_id"],
        channel=row["channel_id"],
        kind=row["kind"],
        source=row["source"],
        name=row["name"],
        attempts=row["attempts"],
        created_at=moment(row["created_at"]),
    )


def end_fetch(fetching: Fetching, result: FetchResult, *, now: datetime) -> Script[NotNow]:
    """Record what came of it, and when the address has its next file to fetch."""
    if not (yield from is_held(fetching.claim)):
        return NotNow(None)
    status: MediaStatus = "waiting" if result.status == "later" else result.status
    if status == "waiting" and now - fetching.created_at >= GIVES_UP:
        status = "lost"
    again = now + _pause(fetching)
    about = {"reason": result.reason, "type": result.type, "size": result.size}
    yield from execute("end_media", id=fetching.id, status=status, **about, next_at=micros(again))
    if status != "waiting":
        session = yield from one("media_session", address=fetching.claim.address)
        told = LiveEvent("media", session["id"] if session else "", {"id": fetching.id, "status": status})
        yield from tell_live(fetching.workspace, (told,), now=now)
    row = yield from one("next_media", address=fetching.claim.address)
    due = moment(row["next_at"]) if row else None
    yield from release(fetching.claim, next_at=due)
    return NotNow(due)


def _pause(fetching: Fetching) -> timedelta:
    """Longer with each attempt, and not quite the same for files that failed together."""
    pause = min(FIRST_PAUSE * 2 ** min(fetching.attempts, 10), LONGEST_PAUSE)
    spread: float = zlib.crc32(f"{fetching.id}:{fetching.attempts}".encode()) % 1000 / 4000
    return timedelta(seconds=pause.total_seconds() * (1 + spread))


# --- looking ------------------------------------------------------------------------------------------


@reading
def find_media(workspace: str, ids: Iterable[str]) -> Script[dict[str, Media]]:
    """What is known of these files, as far as they are this workspace's."""
    wanted = sorted(set(ids))
    if not wanted:
        return {}
    rows = yield from execute("some_media", workspace=workspace, ids=json.dumps(wanted))
    return {row["id"]: _media(row) for row in rows}


@reading
def linked_media(link: str) -> Script[Media | None]:
    """A file that we send, by its link."""
    row = yield from one("linked_media", link=link)
    return _media(row) if row else None


def _media(row: Row) -> Media:
    return Media(*(row[name] for name in Media.__dataclass_fields__))


# --- keeping it small ---------------------------------------------------------------------------------


def old_media(*, before: datetime) -> Script[tuple[str, ...]]:
    """Files that are older."""
    rows = yield from execute("old_media", before=micros(before), at_most=AT_ONCE)
    return tuple(row["id"] for row in rows)


def forget_media(media: str) -> Script[None]:
    """Its bytes are gone."""
    yield from execute("forget_media", id=media)
