"""Names of persons: what stands after "me llamo" or "soy", and the bare answer to "¿cómo te llamas?"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from hilo.understanding.acts.phrases import word_set
from hilo.understanding.found import Found
from hilo.understanding.normalise import Text
from hilo.understanding.people.name_words import FUNCTION_WORDS, GIVEN_NAMES, NOT_FIRST, PARTICLES

MOST_WORDS = 7
MOST_BARE_WORDS = 6
LONGEST_WORD = 20
ENGLISH = frozenset({"i'm", "i am", "im", "this is"})

_TRIGGER = re.compile(
    r"\b(?:(?P<sure>me llamo|me yamo|mi nombre (?:completo )?(?:y apellido )?(?:es|seria)|mi nombre[:,]|"
    r"nombre(?: completo| y apellido)? ?:|me dicen|my name is|my name s|my name's|my names|a nombre de|de parte de|"
    r"(?:me )?pueden? (?:decirme|llamarme)|llamame|decime|dime|call me|name ?:|me puedes (?:decir|llamar))|"
    r"(?P<likely>soy|(?:le|les|te) (?:habla|escribe|saluda)|habla|i'm|i am|im|this is|aqui|aca))(?=[\s:,])[\s:,]+"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’´`-][^\W\d_]+)*")
_ADJECTIVE = re.compile(r".*(?:ista|dor|dora|oso|osa|ense|ble|ando|endo|iendo|ado|ada|ido|ida|mente|cion)$")
_GAP_INSIDE = re.compile(r"\s+|\.\s*")
_COURTESY = word_set("""
    hola holis holaa buenas buenos buen dia dias tarde tardes noche noches si claro ok dale bueno gracias muchas
    mucho gusto un placer encantado encantada por favor porfa saludos hello hi hey thanks please nice to meet you
    ah eh mmm senor senora es que tal como estas va con igualmente listo sip obvio te digo ahi perdon disculpa
    perfecto
""")
_AFTER_DE = word_set("dios jesus leon la las los lourdes fatima guadalupe luna castro")


@dataclass(frozen=True, slots=True)
class NameWord:
    """A word of the folded text and what was written; `near` when only a space or a dot stands before it."""

    folded: str
    written: str
    start: int
    end: int
    near: bool


def find_person_names(text: Text, *, asked: bool = False) -> tuple[Found, ...]:
    """Names as a person would write them; a bare message is a name only when the name was asked for."""
    found = tuple(_introduced(text))
    if found or not asked:
        return found
    return tuple(_bare(text))


def _introduced(text: Text) -> Iterator[Found]:
    for trigger in _TRIGGER.finditer(text.folded):
        likely = bool(trigger.group("likely"))
        if trigger.group("likely") in {"aqui", "aca", "habla", "this is"} and not _opens(text.folded, trigger.start()):
            continue
        name = _leading_name(_words(text, trigger.end(), most=MOST_WORDS + 2), careful=likely, of_a_place=likely)
        if name and not (trigger.group("likely") in ENGLISH and _looks_common(name[0])):
            yield _as_found(name, 85 if likely else 95)


def _looks_common(word: NameWord) -> bool:
    """In English nearly any small word may follow "I'm"."""
    return word.written.islower() and word.folded not in GIVEN_NAMES


def _opens(folded: str, start: int) -> bool:
    """Whether only courtesy stands before: "hola, habla Ana"."""
    return all(word in _COURTESY for word in _WORD.findall(folded, max(0, start - 60), start))


def _bare(text: Text) -> Iterator[Found]:
    """The first clause that holds nothing but a name; the other clauses may hold anything."""
    if "?" in text.folded or "@" in text.folded:
        return
    words = [word for word in _words(text, 0) if word.folded not in _COURTESY or word.folded in PARTICLES]
    clauses = _clauses(words)
    for clause in clauses[:3]:
        name = _leading_name(clause, careful=True)
        if len(name) == len(clause) and 0 < len(name) <= MOST_BARE_WORDS and not _digit_beside(text.folded, clause):
            known = name[0].folded in GIVEN_NAMES
            alone = len(clauses) == 1
            yield _as_found(name, (90 if known else 75 if len(name) > 1 else 65) - (0 if alone else 10))
            return


def _words(text: Text, start: int, *, most: int = MOST_WORDS * 4) -> list[NameWord]:
    words: list[NameWord] = []
    end = start
    for match in islice(_WORD.finditer(text.folded, start), most):
        gap = text.folded[end : match.start()]
        near = not words or bool(_GAP_INSIDE.fullmatch(gap) and ("." not in gap or len(words[-1].folded) <= 2))  # noqa: PLR2004
        written = text.original(match.start(), match.end())
        words.append(
            NameWord(
                match.group(),
                written,
                match.start(),
                match.end(),
                near and "\n" not in _between(text, words, match.start()),
            )
        )
        end = match.end()
    return words


def _between(text: Text, words: Sequence[NameWord], start: int) -> str:
    return text.raw[text.origins[words[-1].end - 1] : text.origins[start]] if words and "\n" in text.raw else ""


def _clauses(words: Sequence[NameWord]) -> list[list[NameWord]]:
    clauses: list[list[NameWord]] = []
    for word in words:
        if word.near and clauses:
            clauses[-1].append(word)
        else:
            clauses.append([word])
    return clauses


def _leading_name(words: Sequence[NameWord], *, careful: bool, of_a_place: bool = False) -> list[NameWord]:
    """The words of the name that begins here, without particles at its end; `careful` refuses adjectives."""
    if not words or not _may_begin(words[0], careful=careful):
        return []
    name = [words[0]]
    for position, word in enumerate(words[1:MOST_WORDS], 1):
        if not word.near or not _may_follow(word) or (of_a_place and _comes_from(words, position)):
            break
        name.append(word)
    while name and name[-1].folded in PARTICLES:
        name.pop()
    return name


def _may_begin(word: NameWord, *, careful: bool) -> bool:
    if word.folded in GIVEN_NAMES:
        return True
    if word.folded in FUNCTION_WORDS or word.folded in PARTICLES - {"san", "santa", "santo"}:
        return False
    if word.folded in NOT_FIRST or len(word.folded) < 2 or len(word.folded) > LONGEST_WORD:  # noqa: PLR2004
        return False
    return not (careful and word.written.islower() and _ADJECTIVE.match(word.folded))


def _may_follow(word: NameWord) -> bool:
    if word.folded in PARTICLES or word.folded in GIVEN_NAMES:
        return True
    return word.folded not in FUNCTION_WORDS and len(word.folded) <= LONGEST_WORD


def _comes_from(words: Sequence[NameWord], position: int) -> bool:
    """Whether "de" tells a place or a company after a single name, as in "soy Juan de Rosario"."""
    if words[position].folded not in {"de", "del"} or position != 1:
        return False
    following = words[position + 1].folded if position + 1 < len(words) else ""
    return following not in _AFTER_DE or (following in {"la", "las", "los"} and _names_a_thing(words, position + 2))


def _names_a_thing(words: Sequence[NameWord], position: int) -> bool:
    return position >= len(words) or words[position].folded in NOT_FIRST | FUNCTION_WORDS


def _digit_beside(folded: str, clause: Sequence[NameWord]) -> bool:
    """A number before or after makes it an address or an order, not a name."""
    after = folded[clause[-1].end : clause[-1].end + 4].lstrip(" .#")[:1]
    before = folded[max(0, clause[0].start - 4) : clause[0].start].rstrip(" .#")[-1:]
    return after.isdigit() or before.isdigit()


def _as_found(name: Sequence[NameWord], confidence: int) -> Found:
    parts = [_capitalised(word, first=index == 0) for index, word in enumerate(name)]
    return Found("person_name", " ".join(parts), name[0].start, name[-1].end, confidence)


def _capitalised(word: NameWord, *, first: bool) -> str:
    """Capitals of its own are kept (McKay), particles stay small, hyphens and apostrophes begin anew."""
    written = "".join(letter for letter in word.written if letter.isalpha() or letter in "'’´`-")
    if word.folded in PARTICLES - {"san", "santa", "santo", "mac", "mc", "st"} and not first:
        return written.lower()
    if not written.isupper() and not written.islower() and not written.istitle():
        return written[:1].upper() + written[1:]
    return re.sub(r"[^\W\d_]+", lambda part: part.group().capitalize(), written)
