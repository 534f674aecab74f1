"""The words of ordering, from the packs, and the small words of grammar between them."""

from collections.abc import Iterable
from decimal import Decimal

from hilo.packs.pack import shared_meanings, shared_words
from hilo.recognisers.phrases import word_set
from hilo.understanding.orders.conjugation import PRONOUNS, infinitives, presents, preterites, requests, subjunctives

__all__ = ["PRONOUNS"]


def _words(section: str) -> frozenset[str]:
    return frozenset(shared_words(section))


def _classes() -> dict[str, list[str]]:
    add, remove = shared_words("verbs: add"), shared_words("verbs: remove")
    change, no_verbs = shared_words("verbs: change"), _words("no verbs")
    leave = shared_words("verbs: leave")
    buy = infinitives((*add, *shared_words("verbs: buy")))
    asked = (presents(add) | _words("asked")) - {"alcanza", "sirve"}
    classes: dict[str, Iterable[str]] = {
        "add_verb": (requests(add) | _words("forms: add")) - no_verbs,
        "adding": infinitives(add),
        "remove_verb": (requests(remove) | infinitives(remove)) - no_verbs,
        "remove_infinitive": infinitives(remove),
        "add_infinitive": shared_words("infinitives"),
        "buy": buy,
        "buy_or_want": buy | {"querer", "necesitar", "ocupar", "tomar"},
        "wish": shared_words("wish"),
        "could": shared_words("could"),
        "asked": asked,
        "taken_out": presents(remove),
        "subjunctive": subjunctives(add) | {"des", "den"},
        "change": requests(change) | infinitives(change) | presents(change),
        "keep": requests(shared_words("verbs: keep")) | _words("keeping"),
        "leave": requests(leave) | infinitives(leave) | subjunctives(leave),
        "leave_it": {form for form in requests(leave) if form.endswith(PRONOUNS)},
        "turn": {form for form in requests(shared_words("verbs: turn")) if form.endswith(PRONOUNS)},
        "other": {*shared_words("looks"), *shared_words("talk"), *shared_words("no goods"), *shared_words("courtesy")},
    }
    return {name: sorted(members) for name, members in classes.items()}


CLASSES = _classes()
KINDS = ("add", "remove", "set", "change", "keep", "none", "word")
TABLE = {kind: shared_words(f"order: {kind}") for kind in KINDS}

ARTICLES = word_set("el la los las lo the esas esos estas estos todo toda todos todas")
ONE = word_set("un una uno otro otra another unos unas some algun alguna algunos algunas")
LINKS_OF_NAMES = word_set("de d del con sin al a la el los las lo of with")
LINKS = LINKS_OF_NAMES | word_set("en y e - ' para pa")
JOINERS = word_set("y e and")
VARIES = word_set("de d con sin al")
SKIPPED = ARTICLES | word_set("x de d del mas unidades u of por more solo")  # between a number and what it counts
PAIRS = word_set("par parcito couple pair")
GLUE = frozenset("-/'’.&")
BULLETS = frozenset("-*•·–—")
BREAKS = word_set("no perdon ah uy , : ( ) - – — • * · + y e pero and")
AND = word_set("y e i and & + , / - ademas tambien mas plus con ( ) : • *")
EVERY = word_set("todas todos ambas ambos")
ONLY = word_set("mejor nomas sola solos solas")
ORDINAL_ENDINGS = word_set("ro do er to vo mo no ra da ta ero th st nd rd")
NOT_NUMBERS = word_set("zero cero")  # they name a variety
_QUARTERS = ("cuarto", "cuartos", "cuartito", "cuartitos", "cuartico", "cuarticos", "cuartillo")
SHARES = {"medio": Decimal("0.5"), "media": Decimal("0.5"), **dict.fromkeys(_QUARTERS, Decimal("0.25"))}
HALF = "mitad"
PIECES = {said: int(number) for said, (number, *_) in shared_meanings("pieces").items()}  # maple, six pack
MEASURES = word_set("l ml kg g")
UNITS = frozenset((*MEASURES, *shared_meanings("units"), *shared_meanings("units alone")))
DIMINUTIVES = ("esito", "esita", "sito", "sita", "ito", "ita", "iko", "ika", "iyo", "iya", "it")
SIZES = {said: meant[0] for said, meant in shared_meanings("sizes").items()}
PACKAGES = _words("packages")
WHOLE = word_set("todo todos todas toda pedido carrito orden lista demas resto")  # the whole order, or the rest of it

INTERROGATIVES = _words("questions")
NOT_COUNTED = _words("not counted")
MONEY = _words("money")
ADJECTIVES = _words("looks")
PLAIN = _words("plain")
MORE_OF_IT = _words("how much of it")
ABOUT = _words("about")
TALK = _words("talk")
NOT_PRODUCTS = _words("no goods")
FILLERS = _words("courtesy")
TELLING = _words("telling") | preterites((*shared_words("verbs: add"), *shared_words("verbs: remove")))
INSTEAD = ("en vez de", "en vez del", "en lugar de", "en lugar del", "envez de", "instead of")
IF_NONE = ("si no hay", "si no tenes", "si no tienen", "si no tiene", "si no tienes", "si no queda", "si no quedan")
AGAIN = ("o sea", "osea", "es decir", "en resumen", "en total", "total que", "i mean", "that is")  # said once more
WITHOUT = shared_meanings("without")
BARE_UNITS = {said: unit for said, (unit, *_) in shared_meanings("units alone").items()}
NEVER = (
    ARTICLES
    | LINKS
    | ONE
    | word_set(
        "ahi aca alla aqui "
        "me te se nos le les no ni si ya x por que q cada mas more menos and & varios varias otros otras general"
    )
)
COMMON = TALK | FILLERS | TELLING | INTERROGATIVES | NOT_PRODUCTS | ADJECTIVES | NEVER | NOT_COUNTED
