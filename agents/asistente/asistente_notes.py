"""The notes of a contact, as transactions over the agent's own table."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from asistente_slips import words_put_right
from asistente_undo import forget_texts, next_stamp
from asistente_words import quoted

from hilo import AskContact, ToolFailed, language, tables

MAX_NOTES = 100
MAX_CHARACTERS = 500
KEPT = timedelta(days=30)  # how long a deleted note is known, soon without its text
MAX_LISTED = 1700  # characters of all notes together: a chat message, and less than an output may have
SHORT = 80  # characters of a note when all of them are too long


_LEAD_IN = re.compile(
    r"^(?:(?:por favor|porfa|ok|okey|bueno|dale|listo|ah|hola|oye|che|wey|pana|parce|bro|y|tambi[eé]n|adem[aá]s"
    r"|buen(?:os)? d[ií]as?|buenas(?: tardes| noches)?)[\s,.!]+)*"
    r"(?:(?:an[oó]t[aeá]r?(?:me|lo)?|ap[uú]nt[aeá]r?(?:me|lo)?|gu[aá]rd[aeá]r?(?:me|lo)?"
    r"|agr[eé]g(?:a|ue)r?(?:me|lo)?|recu[eé]rd[ae](?:me)?|recordar(?:me)?|toma(?:r)? nota|take a note|note"
    r"|(?:quiero|puedes|podr[ií]as) (?:guardar|anotar|apuntar|hacer)(?:me)?)\b)"
    r"(?:[\s,]+(?:por favor|porfa|tambi[eé]n|adem[aá]s|ah[ií]|ac[aá]|aqu[ií]|en la(?= lista\b)|en|una|esta|esto"
    r"|en mis|a mis|en las|a las|mis|tus|nota|notas|de que|(?:que |q )?tengo que"
    r"|que|q|that)\b)*\s*:?\s*",
    re.IGNORECASE,
)
_END = re.compile(r"(?:[\s,]+(?:por favor|porfa|gracias))+[.!]*$|(?<=\w\w)\.$", re.IGNORECASE)  # but "a las 5 p.m."
NONE = "No tienes notas guardadas."
_ALL = re.compile(r"\btod[oa]s?\b")
_BOTH = re.compile(r"\b(?:l[oa]s dos|amb[oa]s)\b")
PAIR = 2
_FIRST = re.compile(r"\bprimer[oa]?\b")
_LAST = re.compile(r"\bultim[oa]\b|\b(?:esa|ese|eso|esta|la nota)\b")
_PLACE = re.compile(r"\b(?:primera|ultima)\b")
# what is to go: "quita el carbón", "ya compré el pan"
_OBJECT = re.compile(
    r"\b(?:borr|quit|sac|tach|elimin|compr|hice|tengo|consegu)\w*"
    r"(?: ya)? (?:(?:el|la|los|las|lo) )(?:de(?:l| la| los)? )?"
    r"(?!(?:nota|lista|ultim|primer|segund|tercer|anterior|otr|dos\b|de\b|del\b|que\b))([^\W\d_]{3,})"
)
# words that tell what something is about
_TELLING = re.compile(
    r"\b(?!(?:que|cual|cuando|cuanto|cuanta|donde|como|era|eran|fue|hay|tengo|tenia|habia|anot\w+|nota|notas|los|las|del|una|uno"
    r"|con|por|para|mis|este|esta|ese|esa|eso|dije|dijiste|acord\w+|acuerd\w+|recuerd\w+|guard\w+|llam\w+|decia|sobre)\b)\w{3,}"
)
_LONG = re.compile(r"\w{4,}")
_CHANGE = re.compile(
    r"(?:nota(?:\s+(?:n[uú]mero\s+)?(?P<number>\d+))?|\b(?:la|esa|[uú]ltima)(?:\s+(?P<other>\d+))?)\b.*?"
    r"(?:\bpor\b|\b(?:para )?que diga\b|,?\s*(?:es|era|son)\b|\by\s+(?:pon|pon[eé]|anota|anot[aá])\b|:)"
    r"[\s:]*(?P<body>\S.*)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Written:
    """A note's number among the contact's own, and how many there are."""

    number: int
    count: int


def note_text(text: str) -> str:
    """What is to be noted, on one line; asks when there is nothing, tells when it is too much."""
    body = words_put_right(_END.sub("", _LEAD_IN.sub("", " ".join(text.split())))).removeprefix("y ")
    if not body:
        raise AskContact("text", question="¿Qué quieres que anote?")
    if len(body) > MAX_CHARACTERS:
        said = f"Esa nota es demasiado larga: caben {MAX_CHARACTERS} caracteres."
        raise ToolFailed(f"a note of {len(body)} characters", tell=said)
    return body


def says_all(which: str, notes: list[str]) -> bool:
    """Whether every note is meant."""
    said = language.fold(which)
    return _ALL.search(said) is not None or (len(notes) == PAIR and _BOTH.search(said) is not None)


def says_which(which: str) -> bool:
    """Whether a note is meant by its place: the first, the last."""
    return _PLACE.search(language.fold(which)) is not None


def is_named(which: str, notes: list[str]) -> bool:
    """Whether a word of what was said stands in one of the notes."""
    said = set(_LONG.findall(language.fold(which)))
    return any(said & set(_LONG.findall(language.fold(body))) for body in notes)


def about(words: str, notes: list[str]) -> list[str]:
    """The notes that a question is about: those with most of its words."""
    said = set(_TELLING.findall(language.fold(words)))
    shared = [len(said & set(_TELLING.findall(language.fold(body)))) for body in notes]
    most = max(shared, default=0)
    return [body for body, count in zip(notes, shared, strict=True) if count == most] if most else []


def number_meant(which: str, notes: list[str]) -> int:
    """The number of the note that is meant without saying it: the last, the only one, or one by its words."""
    if not notes:
        raise ToolFailed("no notes", tell=NONE)
    said = language.fold(which)
    thing = _OBJECT.search(said)
    if thing and not any(_stem(thing[1]) in language.fold(body) for body in notes):
        raise ToolFailed("no such note", tell=f"No tengo nada anotado de «{thing[1]}».\n{listed(notes)}")
    words = set(_LONG.findall(said))
    shared = [len(words & set(_LONG.findall(language.fold(body)))) for body in notes]
    if max(shared) and shared.count(max(shared)) == 1:
        return shared.index(max(shared)) + 1
    if _FIRST.search(said):
        return 1
    if len(notes) == 1 or _LAST.search(said):
        return len(notes)
    raise AskContact("number", question=f"¿Qué número tiene la nota?\n{listed(notes)}")


def _stem(word: str) -> str:
    """A word without what makes it plural."""
    return word[:-2] if word.endswith("es") else word.rstrip("s")


def read_change(text: str, notes: list[str]) -> tuple[int, str]:
    """Which note a wish is about, and what it shall say: "cambia la nota 1 por comprar queso"."""
    said = " ".join(text.split())
    found = _CHANGE.search(said)
    if not found:
        raise ToolFailed("no new text", tell="Dime qué nota y qué debe decir: «cambia la nota 1 por comprar queso».")
    said_number = found["number"] or found["other"]
    number = int(said_number) if said_number else number_meant(text[: found.start("body")], notes)
    return numbered(number, notes), note_text(found["body"])


def reads_change(text: str) -> bool:
    """Whether a text says what a note shall say instead, or which."""
    return _CHANGE.search(text) is not None


def numbered(number: int, notes: list[str]) -> int:
    """A number that a note has."""
    if not 1 <= number <= len(notes):
        raise ToolFailed(f"no note {number}", tell=_no_such(number, len(notes)))
    return number


def change(number: int, body: str, *, now: datetime) -> tables.Script[None]:
    """Write another text in place of a note; the same call again changes nothing more."""
    notes = yield from _alive(now)
    if 1 <= number <= len(notes) and notes[number - 1]["body"] != body:
        stamp = yield from next_stamp(now)
        yield from tables.execute("change_note", call=notes[number - 1]["call_id"], body=body, stamp=stamp)


def write(body: str, call: str, *, now: datetime) -> tables.Script[Written]:
    """Write a note, once per call."""
    yield from tables.execute("forget_deleted", before=tables.micros(now - KEPT))
    yield from forget_texts(now)
    written = yield from tables.one("written_by", call=call)
    notes = yield from _alive(now)
    if written is None and len(notes) >= MAX_NOTES:
        raise ToolFailed("too many notes", tell=f"Ya tienes {MAX_NOTES} notas. Borra alguna y vuelve a intentarlo.")
    if written is None:
        last = yield from tables.one("last_position")
        yield from tables.execute("add_note", call=call, position=(last["position"] if last else 0) + 1, body=body)
        notes = yield from _alive(now)
    places = [index for index, row in enumerate(notes, 1) if row["call_id"] == call]
    return Written(places[0] if places else len(notes), len(notes))


def read(now: datetime) -> tables.Script[list[str]]:
    """The texts of the notes, the oldest first."""
    notes = yield from _alive(now)
    return [row["body"] for row in notes]


def delete(number: int, call: str, said: str, *, now: datetime) -> tables.Script[str]:
    """Delete a note by its number and give its text; "" when this call has done it before.

    Calls of one message, which have its words, count the notes as they were before it: "borra la 1 y la 2".
    """
    if (yield from tables.one("deleted_by", call=call)):
        return ""
    at, stamp = tables.micros(now), (yield from next_stamp(now))
    notes: list[tables.Row] = yield from tables.execute("notes", at=at, said=said)
    if not 1 <= number <= len(notes):
        raise ToolFailed(f"no note {number}", tell=_no_such(number, len(notes)))
    note = notes[number - 1]
    yield from tables.execute("delete_note", call=note["call_id"], by=call, at=at, said=said, stamp=stamp)
    return str(note["body"])


def clear(call: str, said: str, *, now: datetime) -> tables.Script[list[str]]:
    """Delete every note; their texts, the oldest first."""
    notes = yield from _alive(now)
    at, stamp = tables.micros(now), (yield from next_stamp(now))
    for row in notes:
        by = f"{call}.{row['call_id']}"
        yield from tables.execute("delete_note", call=row["call_id"], by=by, at=at, said=said, stamp=stamp)
    return [str(row["body"]) for row in notes]


def listed(notes: list[str]) -> str:
    """The notes with their numbers, one a line; shortened, and the oldest left out, where they are too long."""
    lines = [f"{number}. {body}" for number, body in enumerate(notes, 1)]
    if sum(map(len, lines)) > MAX_LISTED:
        lines = [line if len(line) <= SHORT else f"{line[: SHORT - 1].rstrip()}…" for line in lines]
    kept = lines[-MAX_LISTED // SHORT :] if sum(map(len, lines)) + len(lines) > MAX_LISTED else lines
    left_out = len(lines) - len(kept)
    return "\n".join(([f"(Las últimas {len(kept)} de {len(lines)})"] if left_out else []) + kept)


def counted(count: int) -> str:
    """How many notes, in words that fit: una nota, 3 notas."""
    return {0: "ninguna nota", 1: "una nota"}.get(count, f"{count} notas")


def deleted_text(number: int, body: str) -> str:
    """What is said of a deleted note."""
    return f"Borré la nota {number}: {quoted(body)}." if body else f"Borré la nota {number}."


def _alive(now: datetime) -> tables.Script[list[tables.Row]]:
    rows = yield from tables.execute("notes", at=tables.micros(now), said="")
    return [row for row in rows if row["deleted_at"] is None]


def _no_such(number: int, count: int) -> str:
    if not count:
        return NONE
    return f"No tienes una nota {number}: tienes {counted(count)}."
