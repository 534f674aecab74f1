"""The choices that a message names: by a word, a synonym, their number, or how many are wished for."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from hilo.packs.pack import word_set_of
from hilo.recognisers.amounts.lexicon import ONES, numeral
from hilo.recognisers.choice_ranks import is_any_of, priced, ranked, shared
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text, fold, with_line_ends
from hilo.recognisers.phrases import word_set

Choices = Mapping[str, tuple[str, ...]]  # each with what else it is called

MOST_TIMES = 5  # that one name is looked for
REACH = 40  # characters before a choice that may say what is thought of it

# what may stand beside a choice in a message that is about nothing else
BESIDE_A_CHOICE = word_set_of("beside a choice")
UNITS = word_set("unidad unidades und unds uds unid piezas units pieces")

_TITLES = {"dr.": "doctor", "dra.": "doctora", "lic.": "licenciado licenciada", "prof.": "profesor profesora"}
_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"(?<![\w$#.,/:-])\d{1,2}(?![\w%°º/:-]|[.,]\d)")
_GIVE = r"(?:mand|regal|vend|separ|apart|guard|tra|traig|pong|pon)"
_WISH = re.compile(
    r"(?:(?<!\bno )\b(?:quiero|queremos|quisiera|queria|deseo|necesito|voy a|i want|i need|i(?:'d| would) like)"
    r"(?: (?:to )?(?:pedir|comprar|llevar|encargar|ordenar|adquirir|buy|order|get|take|have)(?:me|le|les|los|las)?)?"
    r"|(?<!\bno )(?<!\bsi )\b(?:me (?:llevo|llevaria|da|mandan?|envian?|regala|vende|separa)|llevo|compro|pido"
    rf"|deme|dame|denme|{_GIVE}[ae]n?(?:me|nos)?|(?P<sends>(?:envi|despach)[ae]n?(?:me|nos)?)"
    r"|era|eran|(?:que )?sean|digo|cambi\w+ (?:a|por)|i'll (?:take|get)|(?:give|send|get) me)"
    r"|\b(?:cantidad|cant|quantity|qty))(?:[ ]?:)?(?: (?:solo|solamente|unicamente|just|only))?[ ]+$"
)
_UNCOUNTED = re.compile(
    r"[ ]*(?:$|[\n,;!?)]|\.(?!\d)|(?:por favor|porfa\w*|xfa|please|gracias|thanks|para|pa|for|soy|yo|mire|vea|pero|but"
    r"|nada mas|no mas|solamente|de (?:esos|esas|ellos|ellas|eso|una)|of (?:them|those)|me llamo|a nombre|my|i'm|i am"
    r"|(?:(?:y|and) )?(?:soy|vivo|estoy|me llamo"
    r"|(?:mi|la|el|my) (?:nombre|cel\w*|tel\w*|numero|direccion|name|phone)))\b)"
)
_ANOTHER = re.compile(r"[^,.;\d]{0,40}\b(?:y|o|and|or) ")  # one for me and two for her
_NO_BEFORE = re.compile(
    r"\b(?P<no>no|ni|not)(?P<wish>(?: (?:quiero|queria|era|es|seria|sea|me|te|llevo|digo|pedi|want))*"
    r"(?: (?!olvid)\w+ (?:de|del|por|sobre))?)"  # "no hablo de la…", "no vengo por la…"
    r"(?: (?:el|la|los|las|lo|the|un|una))? ?$"
)
_GENDER = re.compile(r"(?<=\w{3})[ao](?=s?\b)")
_HOURS = re.compile(
    r"(?<=\bde )las (?:\d|un|dos|tres)\w*|(?<=\ba )las (?:\d|un|dos|tres)\w*"
    r"|las? (?:\d|un|dos|tres)\w*(?= ?(?:am|pm|a[.] ?m|p[.] ?m|hs?|horas|de la (?:tarde|noche|manana))\b)"
)  # "después de las 2", "a las tres", "las 2 pm" are hours
_AT_ONCE = re.compile(r"(?<=\bde )una(?: buena)? vez\b")
_NO_AFTER = re.compile(r"[ ,.]*\bno[ ]*(?:$|[\n,.;!]|(?:mejor|sino|prefiero|pero)\b)")
_RATHER = re.compile(r"\b(?:mejor|sino|rather|prefiero)(?: (?:que sean?|con|por|deme|el|la|los|las|the))* ?$")


def spelt_out(choice: str) -> str:
    """A choice, folded, with its titles in full, so that "la doctora" tells Dra. Ruiz from Dr. Paz."""
    folded = fold(choice)
    return " ".join([folded, *(full for short, full in _TITLES.items() if short in folded.split())])


def find_choices(text: Text, choices: Choices, *, numbered: bool = True) -> tuple[Found, ...]:
    """The choices that are named and not denied, by a name, a price or (when they were shown) a number, each once."""
    together = shared(text, choices)
    if together is not None:
        return together
    each = [*_named(text.folded, choices), *_counted(text, choices, asked=numbered), *priced(text, choices)]
    named = _joined(text.folded, _apart(each))
    kept = _undenied(text.folded, _without_asides(with_line_ends(text), named)) if named else []
    found = tuple({each.value: each for each in reversed(kept)}.values())
    if found or not numbered:
        return found
    return _in_the_other_gender(text, choices) or _placed(text, choices) or ranked(text, choices, BESIDE_A_CHOICE)


def _in_the_other_gender(text: Text, choices: Choices) -> tuple[Found, ...]:
    """Es chica, las rojas, where the choices are called "chico" and "rojo": only where nothing else is said."""
    swapped = _GENDER.sub(lambda said: "ao"[said[0] == "a"], text.folded)
    named = [
        each
        for each in _apart([*_named(swapped, choices)])
        if swapped[each.start : each.end] != text.folded[each.start : each.end]
    ]
    kept = _undenied(text.folded, named) if named else []
    return tuple(kept) if len(kept) == 1 and is_all(text.folded, kept[0]) else ()


def is_wished(text: Text, found: Found) -> bool:
    """Whether a number stands for what is wished for: after "quiero" or "cantidad:", with nothing else to count."""
    lined = with_line_ends(text)
    wished = _WISH.search(lined, max(0, found.start - REACH), found.start)
    if wished and wished.group("sends") and lined[found.start : found.end] in ONES:
        return False  # "envíeme uno" says that it shall be sent, not how many
    return bool(wished and _UNCOUNTED.match(lined, found.end)) or _is_line(lined, found)


def _is_line(lined: str, found: Found) -> bool:
    """Whether a value has a line for itself in a list."""
    before, after = lined[: found.start].rstrip(" "), lined[found.end :].lstrip(" ")
    return "\n" in lined and before[-1:] in ("", "\n") and after[:1] in ("", "\n")


def _named(folded: str, choices: Choices) -> Iterator[Found]:
    for spelled, choice in _names(tuple(choices.items())):
        start = find_word(folded, spelled) if spelled in folded else -1
        for _ in range(MOST_TIMES):
            if start < 0:
                break
            only_says = is_any_of(folded, start, start + len(spelled)) or _AT_ONCE.match(folded, start)
            if not (numeral(spelled) and only_says) and not _HOURS.match(folded, start):
                yield Found("choice", choice, start, start + len(spelled), 95)
            start = find_word(folded, spelled, start + len(spelled))


@lru_cache(maxsize=256)
def _names(choices: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[tuple[str, str], ...]:
    """What the choices are called, and which one each name means."""
    called = [(name, choice) for choice, synonyms in choices for name in (choice, *synonyms)]
    return tuple((spelled, choice) for name, choice in called for spelled in _spellings(name) if spelled)


def _spellings(name: str) -> tuple[str, ...]:
    """A name as it is folded; one of several words also with digits for its number: "dos frascos", "2 frascos"."""
    words = fold(name).split(" ")
    digits = " ".join(_number(word) or word for word in words)
    return tuple(dict.fromkeys((" ".join(words), digits))) if len(words) > 1 else (words[0],)


@lru_cache(maxsize=1024)
def _number(word: str) -> str:
    """The digits of a word that counts, else ""."""
    counts = numeral(word)
    return str(counts.value) if counts and counts.confidence == 100 else word if word.isdecimal() else ""  # noqa: PLR2004


def _counted(text: Text, choices: Choices, *, asked: bool) -> Iterator[Found]:
    """Digits for the number that a choice has as its name: "quiero 2" where "dos" is one."""
    if not any(map(str.isdigit, text.folded)):
        return
    numbers = {_number(name): choice for name, choice in _names(tuple(choices.items()))}
    last = 0
    for match in _DIGITS.finditer(text.folded):
        choice = numbers.get(match.group())
        found = Found("choice", choice, match.start(), match.end(), 95) if choice else None
        another = last and _ANOTHER.fullmatch(text.folded, last, match.start())
        if found and (another or is_wished(text, found) or (asked and _is_answer(text, found))):
            yield found
            last = found.end


def _is_answer(text: Text, found: Found) -> bool:
    """Whether a number is what an answer says: "2 porfa", "solo 1 así pruebo"; "2 preguntas" is none."""
    head = _WORD.findall(text.folded[: found.start])
    opens = all(word in BESIDE_A_CHOICE for word in head) and _UNCOUNTED.match(with_line_ends(text), found.end)
    return bool(opens) or is_all(text.folded, found)


def is_all(folded: str, found: Found, taken: Sequence[tuple[int, int]] = ()) -> bool:
    """Whether nothing but courtesies, words of wishing and values that are taken stand beside a choice."""
    for start, end in (*taken, (found.start, found.end)):
        folded = folded[:start] + " " * (end - start) + folded[end:]
    rest = _WORD.findall(folded)
    return all(word in BESIDE_A_CHOICE or word in UNITS for word in rest)


def _placed(text: Text, choices: Choices) -> tuple[Found, ...]:
    """The choice that has this place among those shown."""
    said, shown = text.folded.strip(" .)"), list(choices)
    place = int(said) if said.isascii() and said.isdecimal() and len(said) <= 3 else 0  # noqa: PLR2004
    return (Found("choice", shown[place - 1], 0, len(text.folded), 90),) if 0 < place <= len(shown) else ()


def _apart(found: Sequence[Found]) -> list[Found]:
    """Those that do not overlap, the longest name first; in the order of the text."""
    kept: list[Found] = []
    for each in sorted(found, key=lambda each: each.start - each.end):
        if all(each.end <= other.start or each.start >= other.end for other in kept):
            kept.append(each)
    return sorted(kept, key=lambda each: each.start)


def _joined(folded: str, named: Sequence[Found]) -> list[Found]:
    """Two names of one choice side by side are one: "el doctor Lima" where it is called "el doctor" and "Lima"."""
    joined: list[Found] = []
    for each in named:
        last = joined[-1] if joined else None
        if last and last.value == each.value and not folded[last.end : each.start].strip(" "):
            joined[-1] = replace(last, end=each.end)
        else:
            joined.append(each)
    return joined


def _without_asides(lined: str, named: list[Found]) -> list[Found]:
    """Beside a choice, a number that counts something else is none: "la de dos, una pregunta", "de una, la de dos"."""
    aside = [each for each in named if numeral(lined[each.start : each.end]) and _is_aside(lined, each)]
    return [each for each in named if each not in aside] or named


def _is_aside(lined: str, found: Found) -> bool:
    return lined[: found.start].endswith("de ") or not _UNCOUNTED.match(lined, found.end)


def _undenied(folded: str, named: Sequence[Found]) -> list[Found]:
    """Without those that are denied: "la de dos no, la de tres"; the last one that is said to be better is meant."""
    if _RATHER.search(folded, max(0, named[-1].start - REACH), named[-1].start):
        return [named[-1]]
    ends = {each.end for each in named}
    denied = {each.value for each in named if _is_denied(folded, each)}
    left = [each for each in named if each.value not in denied]
    sure = [each for each in left if not _follows_no(folded, each, ends)]
    return sure or left  # a no before the only one may answer something else: "no la de dos"


def _is_denied(folded: str, found: Found) -> bool:
    before = _NO_BEFORE.search(folded, max(0, found.start - REACH), found.start)
    return bool(_NO_AFTER.match(folded, found.end) or (before and (before.group("wish") or before.group("no") == "ni")))


def _follows_no(folded: str, found: Found, ends: Collection[int]) -> bool:
    """Whether a no stands right before; between two choices it may belong to either."""
    before = _NO_BEFORE.search(folded, max(0, found.start - REACH), found.start)
    return before is not None and len(folded[: before.start()].rstrip(" ")) not in ends


def find_word(text: str, word: str, start: int = 0) -> int:
    """Where a word or phrase stands by itself, else -1."""
    start = text.find(word, start) if word else -1
    while start >= 0:
        end = start + len(word)
        if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
            return start
        start = text.find(word, start + 1)
    return -1
