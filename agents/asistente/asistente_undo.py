"""What was deleted or changed last is put back as it was: "no, esa no", "déjalo como estaba"."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from asistente_words import joined

from hilo import language, tables

WANTED_BACK = timedelta(hours=1)  # how long a text that was deleted or changed is kept

_TAKES_BACK = re.compile(
    r"\b(?:es[eoa]|la|el|las|los) (?:\w+ )?no\b(?=\W+(?:la|el|era|sino|borr|quit|sac|es)|\W*$)"
    r"|\bno (?:era |quer[ií]a borrar )?(?:es[eoa]|la|el)\b(?: \w+)?\W+(?:sino |era )?(?:la|el|los|las) otr[oa]s?\b"
    r"|\b(?:desha[zc]|deshacer|recuper|restaur|como estaba|como antes|me equivoque de)",
)
_OTHER = re.compile(r"\b(?:la|el) otr[oa]\b")


@dataclass(frozen=True, slots=True)
class Undone:
    """What was put back: texts of notes or of reminders, deleted or changed."""

    what: str  # note or reminder
    bodies: tuple[str, ...]
    was_deleted: bool
    calls: tuple[str, ...] = ()  # of the reminders

    @property
    def text(self) -> str:
        """What the contact is told of it."""
        named = joined([f"«{each}»" for each in self.bodies])
        if self.what == "note":
            return f"{'Recuperé la nota' if self.was_deleted else 'La nota vuelve a decir'} {named}."
        return f"{'Vuelvo a avisarte de' if self.was_deleted else 'Lo dejé como estaba:'} {named}."


def takes_back(text: str) -> bool:
    """Whether a contact did not mean what was done last: "la segunda no, la otra"."""
    return _TAKES_BACK.search(language.fold(text)) is not None


def means_the_other(text: str) -> bool:
    """Whether the other one is meant instead."""
    return _OTHER.search(language.fold(text)) is not None


def next_stamp(now: datetime) -> tables.Script[int]:
    """A stamp later than that of any change before, however quickly one follows the other."""
    notes = yield from tables.one("last_note_stamp")
    reminders = yield from tables.one("last_reminder_stamp")
    last = max(row["stamp"] for row in (notes, reminders) if row)
    return max(int(last) + 1, tables.micros(now))


def forget_texts(now: datetime) -> tables.Script[None]:
    """The texts that nobody has wanted back in time."""
    before = tables.micros(now - WANTED_BACK)
    for query in ("forget_texts", "forget_texts_before", "forget_dropped_texts", "forget_reminder_texts_before"):
        yield from tables.execute(query, before=before)


def undo(*, now: datetime) -> tables.Script[Undone | None]:
    """Put back what was changed last, if that was not long ago."""
    yield from forget_texts(now)
    since = tables.micros(now - WANTED_BACK)
    notes: list[tables.Row] = yield from tables.execute("last_note_changes", since=since)
    reminders: list[tables.Row] = yield from tables.execute("last_reminder_changes", since=since)
    if notes and (not reminders or notes[0]["stamp"] > reminders[0]["stamp"]):
        return (yield from _undo_notes(notes))
    return (yield from _undo_reminders(reminders)) if reminders else None


def _undo_notes(rows: list[tables.Row]) -> tables.Script[Undone]:
    last = rows[0]
    if last["deleted_at"] is None:
        yield from tables.execute("change_note_back", call=last["call_id"])
        return Undone("note", (str(last["body_before"]),), was_deleted=False)
    # all that one message deleted
    together = [
        row for row in rows if (row["deleted_at"], row["deleted_with"]) == (last["deleted_at"], last["deleted_with"])
    ]
    for row in together:
        yield from tables.execute("restore_note", call=row["call_id"])
    return Undone("note", tuple(str(row["body"]) for row in together), was_deleted=True)


def _undo_reminders(rows: list[tables.Row]) -> tables.Script[Undone]:
    last = rows[0]
    if last["done_at"] is None:
        yield from tables.execute("move_reminder_back", call=last["call_id"])
        return Undone("reminder", (str(last["body_before"]),), was_deleted=False)
    together = [row for row in rows if row["stamp"] == last["stamp"]]
    for row in together:
        yield from tables.execute("restore_reminder", call=row["call_id"])
    bodies, calls = (tuple(str(row[name]) for row in together) for name in ("body", "call_id"))
    return Undone("reminder", bodies, was_deleted=True, calls=calls)
