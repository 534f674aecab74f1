"""Finding what is sold, as contacts and models name it; asking which one is meant, and saying what is nearest."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from kiosco_words import joined, plain, quoted

from hilo import AskContact, ToolFailed, language

MOST_OPTIONS = 10  # as many rows as a WhatsApp list has
NEAREST, ALIKE = 3, 35  # how many products like what was written are named, and the points they must have
MOST_FOUND = 60
SURE = 65  # points below which a product is only something like what was written
APART = 10  # points by which the best must lead to be meant alone
LEAST_WEIGHT = 50  # grams or millilitres; so many packages are rarely meant
CALL = 3  # letters of a word that calls somebody: eu, ey
SHOPS = 16  # indexes kept in memory
MOST_LACKING = 2  # words of something that is asked for beside goods, and not sold
_MARKS = re.compile(r"[,;:.¿?¡!()](?!\d)")
_JOINED = re.compile(r" (?:y|o|ni) ")

# Words that are about a product and name none: with them, nothing would be found.
_SMALL = frozenset(["chica", "chico", "chicas", "chicos", "chiquita", "chiquito", "personal", "individual"])
_LARGE = frozenset(["grande", "grandes", "familiar", "familiares"])
_SIZES = _SMALL | _LARGE | {"mediana", "mediano"}
_AMOUNT = re.compile(r"(\d+(?:,\d+)?) ?(ml|l|g|kg)?\b")
_BY_PRICE = re.compile(r"\b(?:(?:la|el|lo|las|los) )?mas (barat|economic|car)[oa]s?(?: de tod[oa]s)?\b")
_PACKED = re.compile(r"^(?:bolsa|bolsita|paquete|paquetito|caja|cajita|sobre|botella|atado|tarro)s? de ")
_MEASURES = frozenset(["medio", "media", "litro", "litros", "kilo", "kilos", "cuarto", "gramos", "y", "de", "l", "ml"])
_PACK = re.compile(r"\bx(\d+)$")
_TALK = """
    algo alguna alguno algun tenes tienen tiene tienes hay venden vendes tendrian tendras que q quiero queria busco
    necesito mostrame mostra dame decime para cosas cosa productos producto opciones cual cuales son es todo todos todas
    lo de del con y o el la los las un una unos unas me por favor porfa hola che tipo si te se mas ahi ahora hoy buenas
    buen buenos dia dias tarde noche vecina vecino mijo mija amigo jefe don dona maestro pregunto consulto consulta
    tambien aca casualidad ustedes vos
"""
_ASKS = "tenes tienen tiene tienes hay venden vendes tendran tendras tendrias tendrian busco buscaba"
_PRICES = """
    cuanto cuantos sale salen cuesta cuestan vale valen precio precios esta estan a como pasame saber queria cobran
    cobras cobra sera seria eso
"""
TAGS: Mapping[str, tuple[str, ...]] = {  # as the file writes them, and as people do
    "sin azúcar": ("sin azucar", "sin azucares", "diabetico", "diabeticos", "diabetica", "sugar free"),
    "light": ("light", "lait", "bajas calorias", "bajo en calorias", "diet", "dieteticas", "dietetico"),
    "sin TACC": (
        "sin tacc",
        "sin gluten",
        "celiaco",
        "celiacos",
        "celiaca",
        "celiacas",
        "gluten free",
        "libre de gluten",
    ),
    "sin lactosa": ("sin lactosa", "deslactosado", "deslactosada", "intolerante a la lactosa"),
    "sin alcohol": ("sin alcohol",),
    "vegano": ("vegano", "vegana", "veganos", "veganas", "vegetariano", "vegetariana"),
}
# what people ask for by what it is for
_SWEET, _SALTY = ("Alfajores", "Golosinas", "Galletitas"), ("Snacks",)
_DRINKS = ("Bebidas gaseosas", "Bebidas: aguas y jugos", "Bebidas con alcohol")
KINDS: Mapping[str, tuple[str, ...]] = (
    dict.fromkeys(("dulce", "dulces", "rico", "golosina", "golosinas", "postre"), _SWEET)
    | dict.fromkeys(("salado", "salados", "picar", "picada", "snack", "snacks", "botana", "botanas"), _SALTY)
    | dict.fromkeys(("tomar", "beber", "bebida", "bebidas", "fresco", "fresco tomar", "fresco para tomar"), _DRINKS)
)


@dataclass(frozen=True, slots=True)
class Variant:
    """One thing that is sold: a product in a flavour and a size."""

    sku: str
    product: str
    brand: str
    category: str
    flavour: str
    size: str
    tags: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Alfajor Jorgito chocolate, Coca-Cola 500 ml."""
        return " ".join(filter(None, (self.product, self.flavour, self.size)))


def unknown(sku: str, label: str) -> Variant:
    """One that is no longer sold."""
    return Variant(sku, label, "", "", "", "")


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # thousands of names are no use in a log
class Shelves:
    """All that a shop sells, with an index to find it by."""

    variants: Mapping[str, Variant]
    named: Mapping[str, Variant]  # by sku and by label
    index: language.Catalogue


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for: the words that name a product, and the tags it must have."""

    words: str
    tags: tuple[str, ...]


# --- the index ----------------------------------------------------------------------------------------

_known: dict[str, Shelves] = {}


def known_shelves(digest: str) -> Shelves | None:
    """The index of a catalogue, if it was made before; what the digest says decides, not whose it is."""
    return _known.get(digest)


def shelves_of(variants: Iterable[Variant]) -> Shelves:
    """The index of these, made once."""
    sold = sorted(variants, key=lambda each: each.sku)
    digest = digest_of(sold)
    if digest not in _known:
        while len(_known) >= SHOPS:
            del _known[next(iter(_known))]
        _known[digest] = index_of(sold)
    return _known[digest]


def digest_of(variants: Sequence[Variant]) -> str:
    """What two catalogues share that find the same."""
    rows = [(v.sku, v.product, v.brand, v.category, v.flavour, v.size, v.tags, v.synonyms) for v in variants]
    return hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()


def index_of(variants: Iterable[Variant]) -> Shelves:
    """The same for once: a cart, an order."""
    sold = sorted(variants, key=lambda each: each.sku)
    products = [language.Product(v.sku, v.label, v.brand, v.size, v.category, v.synonyms) for v in sold]
    named = {plain(name): v for v in sold for name in (v.label, v.sku)}
    called = language.names_of_goods("es-AR", "AR")
    return Shelves({v.sku: v for v in sold}, named, language.build_catalogue(products, names=called))


# --- one product --------------------------------------------------------------------------------------


def find_one(
    shelves: Shelves,
    written: str,
    *,
    there: Iterable[str] | None = None,
    like: Variant | None = None,
    prices: Mapping[str, int] | None = None,
) -> Variant:
    """The product that is meant; asks which one when it may be several, and tells the nearest when it is none.

    `there` are the skus that can be had: others are offered only when none of these is meant. `like` is what it takes
    the place of: of several, the one of the same product or size. `prices` tell which is the cheapest, where that is
    wanted.
    """
    written, by_price = _without_price(written)
    if not plain(written):
        raise AskContact("product", question="¿Cuál querés?")
    meant = all_meant(shelves, written) or _unknown(shelves, written)
    at_hand = set(shelves.variants if there is None else there)
    meant = [each for each in meant if each.sku in at_hand] or meant
    if like:
        meant = [each for each in meant if each.product == like.product] or meant
        meant = [each for each in meant if each.size == like.size] or meant
    if by_price and prices:
        return (min if by_price == "barat" else max)(meant, key=lambda each: prices.get(each.sku, 0))
    if len(meant) > 1:
        raise AskContact("product", options(meant), which(meant, written))
    return meant[0]


def _without_price(written: str) -> tuple[str, str]:
    """The words without "la más barata", and which way that goes."""
    found = _BY_PRICE.search(plain(written))
    if found is None:
        return written, ""
    way = "barat" if found[1] in {"barat", "economic"} else "car"
    return _BY_PRICE.sub(" ", plain(written)).strip(), way


def by_pack(shelves: Shelves, written: str, quantity: int) -> Variant | None:
    """The pack of just so many, where a product comes in packs only: a dozen eggs is not twelve boxes of a dozen."""
    meant = all_meant(shelves, written)
    packs = {each.sku: found[1] for each in meant if (found := _PACK.search(each.size))}
    fitting = [each for each in meant if packs.get(each.sku) == str(quantity)]
    same = len({each.product for each in meant}) == 1 and len(packs) == len(meant) > 1
    return fitting[0] if same and len(fitting) == 1 else None


def by_weight(shelves: Shelves, written: str, quantity: int) -> str:
    """What "200 de jamón" asks for: not so many packages, but one that holds so much; "" where none does."""
    holds = [each for each in all_meant(shelves, written) if _amount(each) == quantity]
    return f"{written} {holds[0].size}" if quantity >= LEAST_WEIGHT and holds else ""


def all_meant(shelves: Shelves, written: str) -> list[Variant]:
    """Every product that a text may mean, the likeliest first; none where only something like it is sold."""
    if exact := shelves.named.get(plain(written)):
        return [exact]
    said = plain(written).split()
    words = " ".join(word for word in said if word not in _SIZES) or plain(written)
    found = [each for each in shelves.index.find(words, limit=MOST_FOUND).candidates if each.score >= SURE]
    if not found and (unpacked := _PACKED.sub("", words)) != words:
        return all_meant(shelves, unpacked)  # una bolsa de papas
    return _of_size(said, _closest(shelves, words, found))


def _of_size(said: Sequence[str], meant: list[Variant]) -> list[Variant]:
    """The smaller half of the sizes of a product for "chica", the larger one for "grande"."""
    small, large = (not words.isdisjoint(said) for words in (_SMALL, _LARGE))
    if small == large:
        return meant
    kept: list[Variant] = []
    for product in dict.fromkeys(each.product for each in meant):
        of_it = [each for each in meant if each.product == product]
        sizes = sorted({_amount(each) for each in of_it})
        half = sizes[: max(len(sizes) // 2, 1)] if small else sizes[-max(len(sizes) // 2, 1) :]
        kept += [each for each in of_it if _amount(each) in half]
    return kept


def _amount(variant: Variant) -> float:
    """How much a size holds, in ml or g; 0 where that cannot be told."""
    found = _AMOUNT.search(variant.size)
    return float(found[1].replace(",", ".")) * (1000 if found[2] in {"l", "kg"} else 1) if found else 0


def _closest(shelves: Shelves, words: str, found: Sequence[language.Candidate]) -> list[Variant]:
    """Those that are about as likely as the best; a name that was said whole is meant, and so is a kind of thing."""
    held = max((len(each.words) for each in found), default=0)
    close = [
        shelves.variants[each.id] for each in found if len(each.words) == held and each.score >= found[0].score - APART
    ]
    asked = {key for _, keys in language.terms_of(words) for key in keys}
    whole = [each for each in close if _keys(each.product) <= asked]
    if len(close) == 1 and not whole:
        close = _of_the_kind(shelves, words, close)
    first = set(language.terms_of(words)[0][1]) if close else set()
    kind = [each for each in close if first & set(language.terms_of(each.product)[0][1])]
    nicknamed = [each for each in close if any(_keys(name) == _keys(words) for name in each.synonyms)]
    return whole or kind or nicknamed or close


def _of_the_kind(shelves: Shelves, words: str, close: list[Variant]) -> list[Variant]:
    """All of a kind where only a size tells one apart: "medio kilo de pan" is not breadcrumbs."""
    named = [keys[0] for _, keys in language.terms_of(words) if keys[0].isalpha()]
    only = close[0]
    told = set(named) - _keys(only.brand) - _keys(only.flavour)
    if len(named) != 1 or any(_keys(name) == set(named) for name in only.synonyms) or len(told) != 1:
        return close
    kind = [each for each in shelves.variants.values() if language.terms_of(each.product)[0][1][0] == named[0]]
    return kind if len({each.product for each in kind}) > 1 else close


def _keys(text: str) -> set[str]:
    return {keys[0] for _, keys in language.terms_of(text)}


def options(meant: Sequence[Variant]) -> list[str]:
    """What to choose from: the things themselves, or their products when there are too many."""
    labels = [each.label for each in meant]
    if len(labels) > MOST_OPTIONS:
        labels = list(dict.fromkeys(each.product for each in meant))
    return labels[:MOST_OPTIONS]


def which(meant: Sequence[Variant], written: str) -> str:
    """The question that tells them apart."""
    products, flavours = {each.product for each in meant}, {each.flavour for each in meant}
    if len(products) > 1:
        return f"De {quoted(written)} tengo varios. ¿Cuál querés?"
    name = meant[0].product
    return f"¿De qué tamaño querés {name}?" if len(flavours) == 1 else f"¿Cuál querés de {name}?"


def _unknown(shelves: Shelves, written: str) -> list[Variant]:
    raise ToolFailed("product_not_found", tell=f"No tengo {quoted(written)}.{nearest(shelves, written)}")


def nearest(shelves: Shelves, written: str) -> str:
    """The sentence with what is sold and most like it, or with another way to find something."""
    found = shelves.index.find(plain(written), limit=MOST_FOUND)
    kind = {key for _, keys in language.terms_of(plain(written))[:1] for key in keys}  # "jorgito verde" is some jorgito
    alike = [each for each in found.candidates if kind & _keys(shelves.variants[each.id].label)]
    like = [each.id for each in (*alike, *found.suggestions) if each.score >= ALIKE]
    like = like or [each.id for each in found.candidates if each.score >= SURE]
    names = list(dict.fromkeys(shelves.variants[sku].product for sku in like))[:NEAREST]
    return f" Lo más parecido: {joined(names)}." if names else " Si querés, te paso el catálogo."


# --- several ------------------------------------------------------------------------------------------


def read_wish(query: str) -> Wanted:
    """The words and the tags of a search: algo sin azúcar, gaseosa light."""
    text, tags = _untagged(query)
    return Wanted(_without_talk(text), tags)


def _untagged(query: str) -> tuple[str, tuple[str, ...]]:
    """A question without the words for tags, and the tags."""
    text, tags = f" {' '.join(_MARKS.sub(' ', plain(query)).split())} ", []
    for tag, spellings in TAGS.items():
        said = [each for each in spellings if f" {each} " in text]
        tags += [tag] if said else []
        for each in said:
            text = text.replace(f" {each} ", " ")
    return text, tuple(tags)


def _without_talk(text: str) -> str:
    """What is left between the words that are about a product and name none."""
    talk = {*_TALK.split(), *_PRICES.split()}
    said = re.findall(r"[^\s¿?¡!]+", text)
    asked = max((place + 1 for place, word in enumerate(said[:-1]) if word in _ASKS.split()), default=0)
    said = said[asked:]
    while said and (said[0] in talk or (said[0].isdigit() and len(said) > 1)):
        said = said[1:]
    while said and said[-1] in talk:
        said = said[:-1]
    return " ".join(said)


def wishes_in(shelves: Shelves, query: str) -> list[Wanted]:
    """What a question is about: the goods that it names, one by one, and what else it lists; where none, its words."""
    text, tags = _untagged(query)
    named = language.goods_in(shelves.index, text, country="AR")
    if not named:
        return [read_wish(query)]
    wishes = [Wanted(name, tags) for name in named]
    parts = _JOINED.split(text)
    for part in parts if len(parts) > 1 else ():
        rest = _without_talk(part)
        is_size = _MEASURES.issuperset(rest.split())  # coca de litro y medio
        lacks = rest and not is_size and not language.goods_in(shelves.index, part, country="AR")
        if lacks and len(rest.split()) <= MOST_LACKING:
            wishes.append(Wanted(rest, ()))
    named_ones = [wish for wish in wishes if not _only_describes(shelves, wish.words)]
    return named_ones or wishes


def _only_describes(shelves: Shelves, words: str) -> bool:
    """Whether words only say what goods are like: the "natural" of "jugo natural", which is no tuna."""
    keys = _keys(words)
    found = [shelves.variants[each.id] for each in shelves.index.find(words, limit=MOST_FOUND).candidates]
    described = [each for each in found if keys <= _keys(f"{each.flavour} {each.size}")]
    named = [
        each for each in found if keys & _keys(f"{each.product} {each.brand} {each.category} {' '.join(each.synonyms)}")
    ]
    return bool(described) and not named


def find_all(shelves: Shelves, wish: Wanted) -> list[Variant]:
    """Everything that fits a search, the likeliest first, then its category; of tags alone, a bit of everything."""
    if kinds := KINDS.get(wish.words):
        some = [each for each in shelves.variants.values() if each.category in kinds and _has(each, wish.tags)]
        return _mixed(some)
    if not wish.words:
        return _mixed([each for each in shelves.variants.values() if _has(each, wish.tags)]) if wish.tags else []
    for words in _ways_to_say(wish.words):
        found = shelves.index.find(words, limit=MOST_FOUND).candidates
        named = _fitting(words, [shelves.variants[each.id] for each in found if each.score >= SURE])
        kinds = [each for each in shelves.variants.values() if _keys(words) <= _keys(each.category)]
        fitting = [each for each in dict.fromkeys((*named, *kinds)) if _has(each, wish.tags)]
        if fitting:
            return fitting
    return []


def _fitting(words: str, found: Sequence[Variant]) -> list[Variant]:
    """What is called so, before what only has it in its name; of a size that was said, that one alone."""
    first = set(language.terms_of(words)[0][1]) if language.terms_of(words) else set()
    kind = [each for each in found if first & set(language.terms_of(each.product)[0][1])]
    kept = kind or list(found)
    said = _AMOUNT.search(words.replace(".", ","))
    sized = [each for each in kept if said and said[2] and said[0].replace(" ", "") in each.size.replace(" ", "")]
    return sized or kept


def _ways_to_say(words: str) -> Iterator[str]:
    """The words of a search as they stand, without talk among them, and without a word of greeting: "eu fernet"."""
    yield words
    yield _PACKED.sub("", words)
    said = [word for word in words.split() if word not in _TALK.split()]
    yield " ".join(said)
    if len(said) > 1 and len(said[0]) <= CALL:
        yield " ".join(said[1:])


def _has(variant: Variant, tags: Iterable[str]) -> bool:
    return set(tags) <= set(variant.tags)


def _mixed(variants: Iterable[Variant]) -> list[Variant]:
    """One product of each category, then the next ones."""
    turns: dict[str, dict[str, list[Variant]]] = {}
    for each in variants:
        turns.setdefault(each.category, {}).setdefault(each.product, []).append(each)
    rounds = zip_longest(*(products.values() for products in turns.values()), fillvalue=[])
    return [each for products in rounds for product in products for each in product]


def categories(shelves: Shelves) -> dict[str, list[Variant]]:
    """What is sold by category, in the order of the catalogue."""
    found: dict[str, list[Variant]] = {}
    for each in shelves.variants.values():
        found.setdefault(each.category, []).append(each)
    return found


def find_category(shelves: Shelves, written: str) -> str:
    """The category of a name; asks which when it is none."""
    names = list(categories(shelves))
    asked = _keys(plain(written))
    whole = [name for name in names if _keys(name) <= asked]
    fitting = whole[-1:] or [name for name in names if asked & _keys(name)]
    if len(fitting) != 1:
        raise AskContact("category", (fitting or names)[:MOST_OPTIONS], "¿De qué rubro?")
    return fitting[0]
