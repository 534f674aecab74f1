"""Lists among the notes: "lista del súper: leche, pan". A list is a note that begins so; its things are told apart."""

import re
from dataclasses import dataclass

from asistente_words import joined

from hilo import language

PAIR = 2
MOST_WORDS = 15  # of things that are only named: "leche, pan y huevos"

_COURTESY = r"^(?:(?:y|ah|che|oye|ok|bueno|dale|tambi[eé]n|adem[aá]s|por favor|porfa)[\s,]+)*"
_PUTS = (
    r"(?:agr[eé]g[aáu]|s[uú]m[aá]|a[ñn][aá]d[aei]|p[oó]n[eé]?|an[oó]t[aáe]|ap[uú]nt[aáe]|m[eé]t[eéa]|inclu[iíy]\w?"
    r"|h[aá]z|hac[eé]|cre[aáe]|arm[aáe]|empez[aá]|abr[eií]|gu[aá]rd[aáe]|quiero|necesito|hag[aá]mos|armemos)"
    r"(?:r)?(?:me|le|te|lo)?(?: (?:hacer|armar|crear))?"
)
_WISH = re.compile(
    rf"{_COURTESY}(?:{_PUTS}\b[\s,:]*(?:tambi[eé]n\s+)?)(?P<things>\S.*?\s+)??"
    r"(?P<lead>(?:(?:a|en|de)\s+)?(?:la|mi|esa|un[oa]?|otra|el)?\s*(?:nueva\s+)?)"
    r"\blista(?P<name>(?:\s+(?:del?|para)(?:\s+(?:el|la|los|las|mi|hacer))?\s+[^\W\d_]+)?)\b"
    r"(?:\s*:|\s+con\b|\s+que (?:diga|tenga)\b|\s*,)?\s*(?P<more>.*)$",
    re.IGNORECASE,
)
_TITLE = re.compile(r"^lista(?P<name>[^:,]*):(?P<things>.*)$", re.IGNORECASE | re.DOTALL)
_THINGS_ONLY = re.compile(
    rf"{_COURTESY}(?:{_PUTS}\b\s*(?:tambi[eé]n\s+)?)?(?P<things>\S.*?)(?:[\s,]+tambi[eé]n)?\s*[.!]*$", re.IGNORECASE
)
_GOES_ON = re.compile(
    rf"^\W*(?:y|tambi[eé]n|adem[aá]s)\b|^{_PUTS}\s+tambi[eé]n\b|^\w+le\s|\btambi[eé]n\W*$", re.IGNORECASE
)
_TO_BUY = re.compile(
    r"^(?:tengo que|hay que|me falta|nos falta|falta|tenemos que) comprar\s+(?P<things>\S.*)$", re.IGNORECASE
)
SHOPPING = "de compras"
_ITEM = re.compile(r"\s*[,;\n]\s*(?:y\s+)?|\s+y\s+", re.IGNORECASE)
_NO_THING = re.compile(r"(?:en|a|para|que|si|el|la|mañana|hoy|c[oó]mo|cu[aá]\w+|qu[eé])\b", re.IGNORECASE)
_WORD = re.compile(r"\b(?!(?:los|las|del|una?|nota|lista|saca|borra|quita|tacha|elimina)\b)\w{3,}")
_NAME = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class ListWish:
    """What a contact wants on a list: how they call it, and the things."""

    name: str
    things: tuple[str, ...]


def read_list_wish(text: str) -> ListWish | None:
    """Which list is meant and what shall be on it: "agrega leche a la lista", "haz una lista del súper: pan, queso"."""
    said = " ".join(text.split())
    if to_buy := _TO_BUY.match(said):
        return ListWish(SHOPPING, _things(to_buy["things"]))
    found = _WISH.match(said)
    if found is None:
        return None
    things, more = (found["things"] or "").strip(" ,:"), found["more"].strip()
    has_joint = re.match(r"(?:a|en|de)\s", found["lead"], re.IGNORECASE) is not None
    if things and (not has_joint or language.fold(things).startswith(("que ", "lo "))):
        return None
    return ListWish(" ".join(found["name"].split()), _things(things or more))


def more_things(text: str) -> tuple[str, ...]:
    """The things that go on with a list: "y huevos", "pan también"; none where something else is said."""
    if not _GOES_ON.search(text):
        return ()
    return only_things(text)


def only_things(text: str) -> tuple[str, ...]:
    """Things that are named and nothing else: "leche, pan y manteca"."""
    found = _THINGS_ONLY.match(" ".join(text.split()))
    things = found["things"] if found else ""
    return () if len(things.split()) > MOST_WORDS or _NO_THING.match(things) else _things(things)


def place_of_list(name: str, notes: list[str]) -> int:
    """The number of the list that is called so, or of the only or the last one where it has no name; 0 is none."""
    lists = [(number, found["name"]) for number, note in enumerate(notes, 1) if (found := _TITLE.match(note))]
    wanted = set(_NAME.findall(language.fold(name))) - {"del", "para", "los", "las"}
    named = [number for number, own in lists if wanted & set(_NAME.findall(language.fold(own)))]
    if wanted:
        return named[-1] if named else 0
    return lists[-1][0] if lists else 0


def title(name: str) -> str:
    """How the note of a list begins."""
    return f"{' '.join(filter(None, ('lista', name)))}:"


def with_things(body: str, things: tuple[str, ...]) -> str:
    """A list with more on it."""
    there = [each for each in _items(body) if each not in things]
    head = body.partition(":")[0]
    return f"{head}: {', '.join((*there, *things))}"


def is_list(body: str) -> bool:
    """Whether a note is a list."""
    return _TITLE.match(body) is not None


def is_empty(body: str) -> bool:
    """Whether a note is a list with nothing on it yet."""
    found = _TITLE.match(body)
    return found is not None and not found["things"].strip()


def listed(body: str) -> str:
    """A list as it is shown, a thing a line."""
    lines = "\n".join(f"- {each}" for each in _items(body))
    return f"{body.partition(':')[0].capitalize()}:\n{lines or '(todavía no tiene nada)'}"


def without_item(which: str, body: str) -> tuple[str, str]:
    """What is left of a list without the things that are named, and these: "saca el pan" of "pan, leche, huevos"."""
    head, colon, rest = body.rpartition(":")
    items = [each for each in _ITEM.split(rest) if each.strip()]
    said = set(_WORD.findall(language.fold(which)))
    named = [each for each in items if said & set(_WORD.findall(language.fold(each)))]
    kept = [each.strip() for each in items if each not in named]
    if not named or not (kept or colon) or (len(items) < PAIR and not colon):
        return "", ""
    return f"{head}{colon} {', '.join(kept)}".strip(), joined([each.strip() for each in named])


def _things(text: str) -> tuple[str, ...]:
    return tuple(each.strip(" .!") for each in _ITEM.split(text) if each.strip(" .!"))


def _items(body: str) -> list[str]:
    return list(_things(body.partition(":")[2]))
