"""Packs: the words of a language, of a country or of an agent, in text files that anybody can edit.

A pack has sections of three kinds; what stands behind a # is a remark:

    [goods]                     what people say = what it means
    chela, chelita = cerveza

    [courtesy]                  words
    hola buenas gracias

    [order: add]                phrases, as `hilo.recognisers.phrases` reads them
    me gustaria|encantaria @buy?

Words that phrases call @want stand below a heading of the same family: [act: @want].
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache

from hilo.errors import FileProblems, Problem

MEANINGS = frozenset({
    "abbreviations", "countries", "goods", "measures", "pieces", "reads as", "sizes", "towns: short", "units",
    "units alone", "without",
})  # fmt: skip
PHRASES = frozenset({
    "all details", "another one", "answers later", "any one", "asks whether", "beside a value", "cheapest", "dearest",
    "declines", "enough", "erase", "erased", "excuses", "gives up", "here", "is at", "is back", "is elsewhere",
    "is from", "known already", "leave alone", "mends",
    "more of it", "on terms", "refuses goods", "said again", "same again", "swaps", "that number", "that one",
    "things that sound bad", "told already", "urgent",
    "order: add",
    "order: change", "order: keep", "order: none", "order: remove", "order: set", "order: word",
    "act: affirm", "act: affirm alone", "act: bye", "act: cancel", "act: correct", "act: correct after no",
    "act: courtesy", "act: deny", "act: deny alone", "act: deny and correct", "act: greet", "act: greet again",
    "act: human", "act: human by name", "act: nobody", "act: plain phrase", "act: question ahead", "act: repeat",
    "act: repeat if asked", "act: skip", "act: thanks", "act: topic change", "question: inside", "question: none",
    "question: opens", "mood: anger", "mood: anger strong", "mood: complaint", "mood: complaint formal",
    "mood: complaint words", "mood: frustration", "mood: frustration mild", "mood: frustration once", "mood: insult",
    "mood: insult friendly", "mood: insult strong", "mood: neutral", "mood: praise", "mood: praise strong",
    "mood: thanks", "mood: threat", "asks for a call", "blames", "calls nobody", "closing", "does not know", "ends",
    "ends nothing", "later", "opening", "opening with a pause", "shrugs", "withholds", "yes: against", "yes: agrees",
    "yes: doubts",
    "yes: hangs", "yes: harmless", "yes: joke", "yes: mostly against", "about us: after", "about us: before",
    "about us: bot", "about us: help", "about us: opens", "about us: why", "changes nothing", "drops notes",
    "drops that", "grumbles", "hesitates", "no note", "only asks", "left for later", "question: leads",
    "question: passed over", "question: waits", "shows again", "tells nothing", "tells something",
})  # fmt: skip
WORDS = frozenset({
    "act: after an answer", "act: light", "act: paying", "act: plain yes", "act: polite", "beside a deed",
    "beside a no", "beside a yes", "beside values", "condition", "lets go", "no deed", "nods", "opens an act",
    "waits", "yes verbs",
    "about", "asked", "beside a choice", "could", "courtesy", "forms: add", "how much of it", "infinitives", "keeping",
    "looks",
    "money", "no goods", "no typo", "no verbs", "not counted", "packages", "plain", "questions", "talk", "telling",
    "verbs: add", "verbs: buy", "verbs: change", "verbs: keep", "verbs: leave", "verbs: remove", "verbs: turn", "wish",
    "landmarks", "landmarks: described", "notes", "past verbs", "past verbs: none", "past verbs: or present",
    "streets: areas", "streets: beside", "streets: between", "streets: colours", "streets: countryside",
    "streets: doubtful", "streets: english", "streets: english roads", "streets: grid", "streets: grid only",
    "streets: leads", "streets: lodgings", "streets: measures", "streets: more", "streets: no numbers",
    "streets: plain", "streets: quadrants", "streets: stops", "streets: units", "streets: units alone",
    "towns: after", "towns: before", "towns: before much", "towns: before names", "towns: before none",
    "towns: before regions", "towns: codes", "towns: everyday", "towns: no codes", "towns: no typo", "towns: none",
    "towns: ordinary", "towns: small talk", "towns: travel",
})  # fmt: skip
BY_THEMSELVES = frozenset({"measures", "units alone"})  # where a word may be said to mean itself
OWN = frozenset({"goods", "reads as"})  # what an agent's own pack may hold; the others are grammar
SECTIONS = MEANINGS | PHRASES | WORDS
FOLDERS = ("words", "acts", "places")  # of Hilo's own packs: what things are called, what messages do, where things are

LARGEST = 200_000  # characters of a file
LONGEST = 60  # characters of a word or a meaning
MOST_WORDS = 4  # of something that is said in several

_MARKS = re.compile("[\u0300-\u036f]")
_CLASS = re.compile(r"(?:about us|act|ends|later|mood|question|yes): @[a-z]\w*")
_HEADING = re.compile(r"\[([^\]]*)\]\s*$")
_SAYABLE = re.compile(r"[^\W_]+(?:[ .'’-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Pack:
    """What a file says: the words and the phrases of each section, and what words mean."""

    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    meanings: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)


def read_pack(text: str, *, file: str, sections: frozenset[str] = SECTIONS) -> Pack:
    """The pack that a text is; raises FileProblems with everything that is wrong in it, each with its line."""
    if len(text) > LARGEST:
        raise FileProblems((Problem(file, 1, 1, f"a pack has at most {LARGEST} characters, this has {len(text)}"),))
    reader = _PackReader(file, sections)
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        reader.read(number, line.partition("#")[0].strip())
    if reader.problems:
        raise FileProblems(tuple(reader.problems))
    return Pack({name: tuple(each) for name, each in reader.words.items()}, reader.meanings)


@dataclass(slots=True)
class _PackReader:
    file: str
    sections: frozenset[str]
    section: str | None = None  # none before the first heading, "" below one that nobody knows
    words: dict[str, dict[str, int]] = field(default_factory=dict)  # with their lines
    meanings: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    lines: dict[tuple[str, str], int] = field(default_factory=dict)  # where each word was given a meaning
    unfinished: str = ""  # a phrase that goes on in the next line
    problems: list[Problem] = field(default_factory=list)

    def read(self, number: int, line: str) -> None:
        heading = _HEADING.match(line)
        if heading:
            self._open(number, " ".join(heading[1].split()))
        elif not line or self.section == "":
            return
        elif self.section is None:
            self._wrong(number, "this line stands below no heading", f"write one above it: [{min(self.sections)}]")
        elif self.section in MEANINGS:
            self._read_meaning(number, line)
        elif self.section in PHRASES:
            whole = f"{self.unfinished}{line}"
            self.unfinished = whole if whole.endswith("|") else ""
            if not self.unfinished:
                self._add(number, fold(whole))
        else:
            for word in fold(line).split():
                self._add(number, word)

    def _open(self, number: int, name: str) -> None:
        is_class = self.sections is SECTIONS and _CLASS.fullmatch(name)
        self.section = name if is_class or name in self.sections else ""
        if name in self.words or name in self.meanings:
            self._wrong(number, f"the heading [{name}] stands here again", "put what belongs together below one")
        elif not self.section:
            self._wrong(number, f"[{name}] is no heading of this file", _suggestion(name, self.sections))
        elif name in MEANINGS:
            self.meanings[name] = {}
        else:
            self.words[name] = {}

    def _add(self, number: int, word: str) -> None:
        before = self.words[self.section or ""].setdefault(word, number)
        if before != number:
            self._wrong(number, f"`{word}` stands in line {before} already")

    def _read_meaning(self, number: int, line: str) -> None:
        said, equals, meant = line.partition("=")
        if not equals or "=" in meant:
            self._wrong(number, "this line does not say what something means", "write `chela, chelita = cerveza`")
            return
        meanings = tuple(self._listed(number, meant))
        for word in self._listed(number, said):
            place = (self.section or "", word)
            if place in self.lines:
                self._wrong(number, f"`{word}` has a meaning in line {self.lines[place]} already")
            elif meanings == (word,) and self.section not in BY_THEMSELVES:
                self._wrong(number, f"`{word}` is said to mean itself")
            self.lines.setdefault(place, number)
            self.meanings[self.section or ""].setdefault(word, meanings)

    def _listed(self, number: int, side: str) -> Iterator[str]:
        """What stands on one side of the =, folded."""
        for part in side.split(","):
            word = fold(" ".join(part.split()))
            if not word:
                self._wrong(number, "there is nothing between two signs", "write `chela, chelita = cerveza`")
            elif not _SAYABLE.fullmatch(word) or len(word) > LONGEST:
                self._wrong(number, f"`{part.strip()[:LONGEST]}` is no word", "letters and digits, with spaces")
            elif word.count(" ") >= MOST_WORDS:
                self._wrong(number, f"`{word}` has more than {MOST_WORDS} words")
            else:
                yield word

    def _wrong(self, line: int, message: str, hint: str = "") -> None:
        self.problems.append(Problem(self.file, line, 1, message, hint))


def _suggestion(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(fold(name), sorted(known), n=1)
    return f"did you mean [{near[0]}]?" if near else f"one of: {', '.join(f'[{each}]' for each in sorted(known))}"


def fold(text: str) -> str:
    """Lower case without accents."""
    return text.lower() if text.isascii() else _MARKS.sub("", unicodedata.normalize("NFKD", text).casefold())


# --- the packs that come with Hilo ----------------------------------------------------------------------


@cache
def pack_names() -> frozenset[str]:
    """The languages and countries that have a pack: es, es-AR, en, pt and others."""
    from importlib.resources import files  # noqa: PLC0415 -- a slow import

    return frozenset(file.name.removesuffix(".txt") for file in files("hilo.packs").joinpath("words").iterdir())


@cache
def load_pack(name: str) -> Pack:
    """A pack of Hilo's own, read once."""
    from importlib.resources import files  # noqa: PLC0415 -- a slow import

    places = [files("hilo.packs").joinpath(folder, f"{name}.txt") for folder in FOLDERS]
    packs = [read_pack(file.read_text(encoding="utf-8"), file=str(file)) for file in places if file.is_file()]
    words = {section: said for pack in packs for section, said in pack.words.items()}
    meanings = {section: meant for pack in packs for section, meant in pack.meanings.items()}
    return Pack(words, meanings)


def packs_of(language: str, country: str = "") -> tuple[str, ...]:
    """The names of the packs for a language as it is spoken in a country, from the general to the particular."""
    base = language.partition("-")[0]
    wanted = dict.fromkeys((base, language, f"{base}-{country}"))
    return tuple(name for name in wanted if name in pack_names())


def meanings_of(section: str, *, language: str, country: str, own: Pack) -> dict[str, tuple[str, ...]]:
    """What words mean to an agent: by the packs of its language, of its country, and above all by its own."""
    found: dict[str, tuple[str, ...]] = {}
    for pack in (*map(load_pack, packs_of(language, country)), own):
        found |= pack.meanings.get(section, {})
    return found


@cache
def shared_words(section: str) -> tuple[str, ...]:
    """The words of a section in the packs of all languages: contacts mix them."""
    return tuple(dict.fromkeys(word for pack in _languages() for word in pack.words.get(section, ())))


@cache
def word_set_of(*sections: str) -> frozenset[str]:
    """The words of some sections together."""
    return frozenset(word for section in sections for word in shared_words(section))


@cache
def shared_classes(family: str) -> Mapping[str, tuple[str, ...]]:
    """The words that the phrases of a family call @want and the like."""
    heading = f"{family}: @"
    sections = {section for pack in _languages() for section in pack.words if section.startswith(heading)}
    return {section.removeprefix(heading): shared_words(section) for section in sorted(sections)}


@cache
def shared_meanings(section: str) -> Mapping[str, tuple[str, ...]]:
    """What words mean in the packs of all languages."""
    return {said: meant for pack in _languages() for said, meant in pack.meanings.get(section, {}).items()}


def _languages() -> list[Pack]:
    return [load_pack(name) for name in sorted(pack_names()) if "-" not in name]
