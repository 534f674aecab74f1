"""How well and how fast products are found: `python bench/understanding_catalogue.py [PRODUCTS] [SEED]`."""

# ruff: noqa: PLR2004  the numbers below are shares of a made-up catalogue

import gc
import random
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence

from hilo.agent.goods import Product
from hilo.understanding.orders.catalogue import Catalogue, build_catalogue


def words(block: str) -> list[str]:
    """The words of a block of text."""
    return block.split()


KINDS = words("""
    Gaseosa Agua Jugo Cerveza Vino Leche Yogur Queso Manteca Crema Pan Galletitas Alfajor Chocolate Caramelos Chicles
    Papas Maní Fideos Arroz Azúcar Sal Yerba Café Té Mermelada Aceite Vinagre Mayonesa Kétchup Mostaza Salsa Atún
    Sardinas Huevos Jamón Salame Salchichas Hamburguesas Milanesas Harina Polenta Sopa Caldo Detergente Lavandina Jabón
    Shampoo Acondicionador Desodorante Servilletas Esponja Pilas Encendedor Helado Budín Turrón Granola Avena Cereal
    Gelatina Flan Ravioles Ñoquis Levadura Canela Orégano Pimienta Arvejas Lentejas Garbanzos Porotos Insecticida Velas
    Pañales Toallitas Algodón Alcohol Champagne Sidra Fernet Whisky Vodka Ron Gin Licor Energizante Isotónica Soda
""")
TRAITS = words("""
    Clásico Light Zero Original Extra Suave Intenso Frutilla Vainilla Limón Naranja Manzana Pomelo Durazno Menta Coco
    Chocolate Blanco Negro Integral Descremado Entero Picante Ahumado Salado Dulce Familiar Premium Orgánico Casero
    Tradicional Especial Fresco Rallado Molido Instantáneo Líquido Sólido Doble Triple Mini Maxi Silvestre Tropical
    Cítrico Lavanda Floral Marino Bebé Kids Sport Relleno Bañado Crocante Tostado Almendras Avellanas Caramelo Miel
""")
SIZES = (
    (250, "ml"), (330, "ml"), (354, "ml"), (500, "ml"), (600, "ml"), (750, "ml"), (1000, "ml"), (1500, "ml"),
    (2000, "ml"), (2250, "ml"), (3000, "ml"), (50, "g"), (90, "g"), (100, "g"), (120, "g"), (170, "g"), (200, "g"),
    (250, "g"), (340, "g"), (400, "g"), (500, "g"), (750, "g"), (900, "g"), (1000, "g"), (2000, "g"), (5000, "g"),
)  # fmt: skip
SYLLABLES = words("""
    ba be bi bo bu ca ce ci co cu da de di do du fa fe fi fo ga go gu ja je ji jo la le li lo lu lla lle llo ma me mi
    mo mu na ne ni no nu pa pe pi po pu que qui ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo za zo zu cha
    che cho bra bre bro cra cre cla gra gre pla pra tra tre tri flo fra
""")
ENDINGS = ("", "", "n", "r", "l", "s", "x", "no", "na", "ría", "llo")
KEYBOARD = {
    "a": "sq",
    "e": "wr",
    "i": "uo",
    "o": "ip",
    "s": "ad",
    "r": "et",
    "n": "bm",
    "l": "kñ",
    "t": "ry",
    "c": "xv",
}
SOUNDS = (
    ("v", "b"),
    ("b", "v"),
    ("z", "s"),
    ("ce", "se"),
    ("ci", "si"),
    ("ll", "y"),
    ("qu", "k"),
    ("h", ""),
    ("s", "z"),
)
WRITTEN = {500: "medio litro", 1000: "litro", 1500: "litro y medio", 2000: "dos litros", 250: "cuarto litro"}
QUERIES = 2000


def brand_names(draw: random.Random, count: int) -> list[str]:
    """Made-up brands that sound Spanish."""
    names: set[str] = set()
    while len(names) < count:
        word = "".join(draw.choices(SYLLABLES, k=draw.choice((2, 2, 3, 3)))) + draw.choice(ENDINGS)
        names.add(word.capitalize() if draw.random() < 0.85 else f"La {word.capitalize()}")
    return sorted(names)


def products(draw: random.Random, count: int) -> list[Product]:
    """Products that differ in what people say of them: kind, brand, traits or size."""
    brands = brand_names(draw, max(20, count // 25))
    seen: set[frozenset[str]] = set()
    made: list[Product] = []
    while len(made) < count:
        kind, brand = draw.choice(KINDS), draw.choice(brands)
        traits = [trait for trait in draw.sample(TRAITS, draw.choice((0, 1, 1, 2))) if trait != kind]
        amount, unit = draw.choice(SIZES)
        said = frozenset((kind, brand, *traits, f"{amount}{unit}"))
        if said not in seen:
            seen.add(said)
            name = " ".join((kind, *traits, brand))
            made.append(Product(str(len(made)), name, brand, size_label(draw, amount, unit), kind))
    return made


def size_label(draw: random.Random, amount: int, unit: str) -> str:
    """A size as labels and people write it."""
    big = {"ml": "l", "g": "kg"}[unit]
    if amount < 1000 or draw.random() < 0.2:
        return draw.choice((f"{amount}{unit}", f"{amount} {unit}", f"{amount} {'cc' if unit == 'ml' else 'gr'}"))
    value = f"{amount / 1000:g}"
    return draw.choice((f"{value}{big}", f"{value.replace('.', ',')} {big}", f"{value} {'lt' if big == 'l' else 'kg'}"))


def clean(draw: random.Random, product: Product) -> str:
    """The whole name with its size, the words in another order half of the time."""
    words = product.name.split()
    if draw.random() < 0.5:
        draw.shuffle(words)
    return f"{' '.join(words)} {product.size}"


def noisy(draw: random.Random, product: Product) -> str:
    """A name without accents, mistyped in one or two words, the size written otherwise, some words glued or plural."""
    words = [plain(word) for word in product.name.split()]
    for index in draw.sample(range(len(words)), min(len(words), draw.choice((1, 1, 2)))):
        words[index] = mistyped(draw, words[index])
    if draw.random() < 0.15 and len(words) > 1:
        words[0:2] = ["".join(words[0:2])]
    if draw.random() < 0.3:
        words[0] += "s"
    return f"{' '.join(words)} {rewritten(draw, product.size)}"


def plain(word: str) -> str:
    """Lower case without accents."""
    return word.lower().translate(str.maketrans("áéíóúñ", "aeioun"))


def mistyped(draw: random.Random, word: str) -> str:
    """One slip: a letter lost, doubled, swapped or of the next key, or written as it sounds."""
    if len(word) < 4:
        return word
    place = draw.randrange(1, len(word) - 1)
    slips: list[Callable[[], str]] = [
        lambda: word[:place] + word[place + 1 :],
        lambda: word[:place] + word[place] + word[place:],
        lambda: word[:place] + word[place + 1] + word[place] + word[place + 2 :],
        lambda: word[:place] + draw.choice(KEYBOARD.get(word[place], "e")) + word[place + 1 :],
        lambda: as_heard(draw, word),
    ]
    return draw.choice(slips)()


def as_heard(draw: random.Random, word: str) -> str:
    """The same sound in another spelling."""
    fits = [(spelling, other) for spelling, other in SOUNDS if spelling in word]
    spelling, other = draw.choice(fits) if fits else ("", "")
    return word.replace(spelling, other, 1) if spelling else word


def rewritten(draw: random.Random, size: str) -> str:
    """A size in another writing: 1.5 l, 1500 ml, litro y medio."""
    digits = "".join(letter for letter in size if letter.isdigit() or letter in ".,").replace(",", ".")
    unit = size.lower().lstrip("0123456789., ")
    amount = float(digits) * (1000 if unit in ("l", "lt", "kg") else 1)
    liquid = unit in ("l", "lt", "ml", "cc")
    forms = [f"{amount:g}{'ml' if liquid else 'g'}", f"{amount / 1000:g} {'lts' if liquid else 'kilos'}"]
    if liquid and amount in WRITTEN:
        forms.append(f"de {WRITTEN[int(amount)]}")
    return draw.choice(forms)


def measure(catalogue: Catalogue, asked: Sequence[tuple[str, str]]) -> tuple[float, list[float], list[tuple[str, str]]]:
    """Hit@1, the milliseconds of each look-up, and what was missed."""
    times: list[float] = []
    missed: list[tuple[str, str]] = []
    for wanted, text in asked:
        start = time.perf_counter()
        found = catalogue.find(text)
        times.append((time.perf_counter() - start) * 1000)
        if not found.candidates or found.candidates[0].id != wanted:
            missed.append((wanted, text))
    return 1 - len(missed) / len(asked), sorted(times), missed


def rows(catalogue: Catalogue, made: Sequence[Product], draw: random.Random) -> Iterator[str]:
    """The table: one row for clean and one for noisy queries."""
    for name, write in (("clean", clean), ("noisy", noisy)):
        asked = [(product.id, write(draw, product)) for product in draw.choices(made, k=QUERIES)]
        hits, times, missed = measure(catalogue, asked)
        middle, slow = times[len(times) // 2], times[int(len(times) * 0.95)]
        yield f"{name:6}  hit@1 {hits:.4f}  p50 {middle:.2f} ms  p95 {slow:.2f} ms"
        for wanted, text in missed[:4]:
            product = made[int(wanted)]
            yield f"        missed {text!r}: {product.name} {product.size}"


def main(count: int = 100_000, seed: int = 7) -> None:
    """Build, measure, print."""
    draw = random.Random(seed)  # noqa: S311
    made = products(draw, count)
    start = time.perf_counter()
    catalogue = build_catalogue(made)
    seconds = time.perf_counter() - start
    print(f"{count} products, {len(catalogue.vocabulary.keys)} terms, built in {seconds:.2f} s")
    for row in rows(catalogue, made, draw):
        print(row)
    del catalogue
    gc.collect()
    tracemalloc.start()
    catalogue = build_catalogue(made)
    kept, peak = tracemalloc.get_traced_memory()
    print(
        f"memory {kept / 1e6:.0f} MB kept, {peak / 1e6:.0f} MB while building, for {len(catalogue.products)} products"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
