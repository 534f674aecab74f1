"""The words of ordering, from the packs, and the small words of grammar between them."""

from collections.abc import Iterable, Iterator
from decimal import Decimal

from hilo.packs.pack import shared_meanings, shared_words
from hilo.recognisers.phrases import word_set

_A_ENDINGS = ("me", "a", "ame", "ale", "anos", "alle", "amelo", "enme")
_E_ENDINGS = ("e", "eme", "ele", "en", "enme", "eles", "es", "enos")
_INFINITIVES = ("ar", "arme", "arle", "arnos", "arles")
_PRONOUNS = ("alo", "ala", "alos", "alas", "amelo", "amela", "amelos", "amelas")


def _words(section: str) -> frozenset[str]:
    return frozenset(shared_words(section))


def _imperatives(stems: Iterable[str]) -> Iterator[str]:
    """Agregame, agregá; agregue, agréguele: by the stem before -a and the one before -e."""
    for pair in stems:
        plain, _, changed = pair.partition(":")
        yield from (plain + ending for ending in _A_ENDINGS)
        yield from (changed + ending for ending in _E_ENDINGS)


def _formed(stems: Iterable[str], endings: Iterable[str]) -> set[str]:
    return {stem.partition(":")[0] + ending for stem in stems for ending in endings}


def _classes() -> dict[str, str]:
    add, remove = shared_words("stems: add"), shared_words("stems: remove")
    buy = _formed(add, _INFINITIVES) | _words("buy")
    removing = {*_imperatives(remove), *_formed(remove, _INFINITIVES + _PRONOUNS)}
    classes: dict[str, Iterable[str]] = {
        "add_verb": {*_imperatives(add), *shared_words("verbs: add")} - _words("no verbs"),
        "remove_verb": removing - _words("no verbs"),
        "remove_infinitive": _formed(remove, _INFINITIVES),
        "add_infinitive": shared_words("infinitives"),
        "buy": buy,
        "buy_or_want": buy | {"querer", "necesitar", "ocupar", "tomar"},
        "wish": shared_words("wish"),
        "could": shared_words("could"),
        "asked": shared_words("asked"),
        "subjunctive": shared_words("subjunctives"),
        "change": shared_words("changing"),
        "keep": shared_words("keeping"),
    }
    return {name: " ".join(sorted(members)) for name, members in classes.items()}


CLASSES = _classes()
TABLE = {kind: "\n".join(shared_words(f"order: {kind}")) for kind in ("add", "remove", "set", "change", "none", "word")}

ARTICLES = word_set("el la los las lo the esas esos estas estos todo toda todos todas")
ONE = word_set("un una uno otro otra another unos unas some algun alguna algunos algunas")
LINKS_OF_NAMES = word_set("de d del con sin al a la el los las lo of with")
LINKS = LINKS_OF_NAMES | word_set("en y e - ' para")
JOINERS = word_set("y e and")
VARIES = word_set("de d con sin al")
SKIPPED = ARTICLES | word_set("x de d del mas unidades u of por more solo")  # between a number and what it counts
PAIRS = word_set("par parcito couple pair")
GLUE = frozenset("-/'’.&")
BULLETS = frozenset("-*•·–—")
BREAKS = word_set("no perdon ah uy , : ( ) - – — • * · + y e pero and")
AND = word_set("y e i and & + , / - ademas tambien mas plus con ( ) : • *")
PRONOUNS = ("lo", "la", "los", "las", "melo", "mela", "melos", "melas")
ORDINAL_ENDINGS = word_set("ro do er to vo mo no ra da ta ero th st nd rd")
NOT_NUMBERS = word_set("zero cero")  # they name a variety
SHARES = {"medio": Decimal("0.5"), "media": Decimal("0.5"), "cuarto": Decimal("0.25")}
TIMES = {"doble": 2, "triple": 3}
IN_A_PACK = {"maple": 30}  # packages that are a number of pieces
MEASURES = word_set("l ml kg g")
DIMINUTIVES = ("sito", "sita", "ito", "ita", "iyo", "iya", "it")

INTERROGATIVES = _words("questions")
NOT_COUNTED = _words("not counted")
MONEY = _words("money")
ADJECTIVES = _words("looks")
PLAIN = _words("plain")
ABOUT = _words("about")
TALK = _words("talk")
NOT_PRODUCTS = _words("no goods")
FILLERS = _words("courtesy")
TELLING = _words("telling")
WITHOUT = shared_meanings("without")
BARE_UNITS = {said: unit for said, (unit, *_) in shared_meanings("units alone").items()}
NEVER = (
    ARTICLES
    | LINKS
    | ONE
    | word_set(
        "me te se nos le les no ni si ya x por que q cada mas more menos and & varios varias otros otras general"
    )
)
COMMON = TALK | FILLERS | TELLING | INTERROGATIVES | NOT_PRODUCTS | ADJECTIVES | NEVER | NOT_COUNTED
