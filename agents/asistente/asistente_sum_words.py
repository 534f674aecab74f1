"""From what people write to the items of a sum: numbers, signs, parentheses."""

from fractions import Fraction

from hilo import ToolFailed, language

Item = Fraction | str

MAX_CHARACTERS = 300
MAX_DIGITS = 24  # of one number

_ONES = frozenset(("un", "una", "uno", "um", "uma", "one"))
_NOISE, _STOP, _COMMA = "", ".", ","  # words that mean nothing here; marks that end a sentence
_ADD, _TAKE, _TIMES, _SHARE = "sum", "take", "times", "share"  # verbs: they say what joins the numbers after them
_LESS, _MORE = "less", "more"  # of a per cent: a rebate, a surcharge
_UNREAD = "#"  # digits that are no number: 1.2.3
_OF = "of"  # the "de" of a share: la mitad de
_PHRASES = {
    "+": "mas|plus|sumado a|sumados a|sumada a|sumandole",
    "-": "menos|minus|restandole",
    "*": "por|x|veces|multiplicado por|multiplicada por|multiplicados por|multiplicado|times|multiplied by",
    "/": "entre|dividido|dividida|dividido por|dividida por|dividido entre|dividida entre|dividido en|dividido para"
    "|partido|partido por|partido entre|sobre|divided by|over",
    "^": "elevado|elevado a|elevado a la|elevado al|elevado a la potencia|elevado a la potencia de|a la potencia de"
    "|a la potencia|a la|to the power of",
    "^2": "al cuadrado|elevado al cuadrado|elevada al cuadrado|a la segunda|elevado a la segunda|squared",
    "^3": "al cubo|elevado al cubo|elevada al cubo|a la tercera|elevado a la tercera|cubed",
    "^4": "a la cuarta|elevado a la cuarta",
    "^5": "a la quinta|elevado a la quinta",
    "√": "raiz|raiz de|raiz cuadrada|raiz cuadrada de|la raiz cuadrada de|square root of",
    "∛": "raiz cubica|raiz cubica de|cube root of",
    "%": "por ciento|porciento|por cien|percent|per cent",
    "de": "de|del|of|de los|de las",
    "y": "y|e|and",
    "a": "a|al|con|en|para|with|to",
    "+%": "mas que|mas de|mas sobre|mas a",
    "-%": "menos que|menos de|menos sobre|menos a",
    _LESS: "descuento|de descuento|rebaja|de rebaja|off|dto|de dto",
    _MORE: "recargo|de recargo|aumento|de aumento|incremento|de incremento|interes|de interes|propina|de propina|iva"
    "|de iva|impuesto|impuestos|de impuesto|de impuestos",
    _ADD: "suma|sumar|sumame|sumale|sume|sumas|suma de|agrega|agregale|anade|anadele|aumenta|aumentale"
    "|le sumo|le agrego|le aumento|add|sum of",
    _TAKE: "resta|restar|restame|restale|reste|restas|resta de|quita|quitale|descuenta|descuentale|diferencia|subtract"
    "|le saco|le quito|le resto|sacale|diferencia entre|diferencia de",
    _TIMES: "multiplica|multiplicar|multiplicame|multiplique|multiplicas|producto de|producto|multiply",
    _SHARE: "divide|dividir|divideme|divida|divides|reparte|repartir|repartime|cociente de|cociente entre|cociente",
    _NOISE: "mas o menos|por favor|por que|nada mas|por lo menos|al menos|es decir|a ver|de nuevo|otra vez|en total"
    "|a cuanto|en cuanto|por las dudas|por cierto|por fa|x favor|x fa|una cuenta|un calculo|una operacion|uno de"
    "|una pregunta|una duda|a cada uno|a cada una|cada uno|cada una",
}
_SHARES = {
    "mitad": Fraction(1, 2),
    "medio": Fraction(1, 2),
    "tercio": Fraction(1, 3),
    "tercios": Fraction(1, 3),
    "cuarto": Fraction(1, 4),
    "cuartos": Fraction(1, 4),
    "quinto": Fraction(1, 5),
    "quintos": Fraction(1, 5),
    "decimo": Fraction(1, 10),
    "decimos": Fraction(1, 10),
    "doble": Fraction(2),
    "triple": Fraction(3),
    "cuadruple": Fraction(4),
}
_PARTS = {"tercera": Fraction(1, 3), "cuarta": Fraction(1, 4), "quinta": Fraction(1, 5), "decima": Fraction(1, 10)}
_BY_WORDS = {tuple(phrase.split()): sign for sign, phrases in _PHRASES.items() for phrase in phrases.split("|")}
_LONGEST = max(map(len, _BY_WORDS))
_MARKS = {"+": "+", "-": "-", "*": "*", "/": "/", "^": "^", "(": "(", ")": ")", "[": "(", "]": ")", "%": "%"}
_MONEY = frozenset("$€£")
_WRITTEN = str.maketrans(
    {
        "²": "^2",
        "³": "^3",
        "½": " 1/2",
        "¼": " 1/4",
        "¾": " 3/4",
        "√": " raiz de ",
        "∛": " raiz cubica de ",
        "×": "*",
        "·": "*",
        "✕": "*",
        "÷": "/",
        "−": "-",
        "–": "-",
        "—": "-",
    }
)
_SIGNS = frozenset("+-*/^%√∛")
_VERBS = {_ADD: "+", _TAKE: "-", _TIMES: "*", _SHARE: "/"}
_JOINERS = frozenset(("y", "a", "de"))


def read_sum(text: str) -> list[Item]:
    """The items of the one sum in a text; none when there is none or several."""
    if len(text) > MAX_CHARACTERS:
        raise ToolFailed("a long text", tell="Esa cuenta es demasiado larga para mí. Prueba por partes.")
    written = text.translate(_WRITTEN).replace("**", "^")
    sums = [
        part
        for part in map(_arranged, _sentences(_items(language.tokens(language.normalise(written).folded))))
        if _reckons(part)
    ]
    return sums[0] if len(sums) == 1 else []


def _reckons(items: list[Item]) -> bool:
    return any(isinstance(item, Fraction) for item in items) and any(item in _SIGNS or item == "de" for item in items)


def _items(toks: language.Tokens) -> list[Item]:
    found: list[Item] = []
    index = 0
    while index < len(toks):
        index = _read(toks, index, found)
    return found


def _read(toks: language.Tokens, index: int, found: list[Item]) -> int:
    """Read what stands at a token, add its items, and give the index after it."""
    phrase, size = _phrase(toks, index)
    if size:
        found.extend(_signs(phrase, found))
        return index + size
    text = language.word(toks, index)
    if text in _ONES and _is_article(toks, index):
        return index + 1
    if (number := language.read_number(toks, index)) and (text != "ten" or found):
        found.append(Fraction(number.value))
        return number.end
    match toks[index].kind:
        case "digits" if len(text) > MAX_DIGITS:
            raise ToolFailed("a long number", tell="Ese número es demasiado largo para mí.")
        case "digits":
            found.append(_UNREAD)
        case "mark":
            found.extend(_mark(toks, index))
        case _:
            found.extend(_share(toks, index, found))
    return index + 1


def _phrase(toks: language.Tokens, index: int) -> tuple[str, int]:
    for size in range(_LONGEST, 0, -1):
        words = tuple(language.word(toks, index + offset) for offset in range(size))
        if words in _BY_WORDS:
            return _BY_WORDS[words], size
    return "", 0


def _signs(sign: str, found: list[Item]) -> list[Item]:
    """The items of a phrase; what some mean depends on the per cent before them."""
    after_percent = found[-1:] in (["%"], [_LESS], [_MORE])
    if sign in ("+%", "-%"):
        return [sign] if after_percent else [sign[0]]
    if sign == "/" and after_percent:
        return ["de"]
    if sign == "de" and (share := _ratio(found)):
        found[-3:] = [share]
        return [_OF]
    if sign.startswith("^") and len(sign) > 1:
        return ["^", Fraction(sign[1:])]
    return [sign] if sign else []


def _ratio(found: list[Item]) -> Fraction | None:
    """The share that "3/4 de" speaks of."""
    match found[-3:]:
        case [Fraction() as top, "/", Fraction() as bottom] if 0 < top < bottom and found[-4:-3] != ["/"]:
            return top / bottom
        case _:
            return None


def _is_article(toks: language.Tokens, index: int) -> bool:
    """The one of "un 15%" and "una cuenta" counts nothing; that of "uno más uno" and "un millón" does."""
    following = language.word(toks, index + 1)
    reading = language.read_number(toks, index)
    if reading and reading.end > index + 1:
        return False
    sign, _ = _phrase(toks, index + 1)
    return language.word(toks, index) != "uno" and bool(following) and sign not in _SIGNS and following not in _MARKS


def _mark(toks: language.Tokens, index: int) -> list[Item]:
    mark = language.word(toks, index)
    if mark == ":" and language.touches(toks, index) and language.touches(toks, index + 1):
        return ["/"]
    if mark == "-" and toks[index + 1 : index + 2] and _is_talk(toks, index + 1):
        return []
    if mark in _MONEY:
        return []
    return [_COMMA] if mark == "," else [_MARKS.get(mark, _STOP)]


def _is_talk(toks: language.Tokens, index: int) -> bool:
    return toks[index].kind == "word" and not language.read_number(toks, index) and not _phrase(toks, index)[1]


def _share(toks: language.Tokens, index: int, found: list[Item]) -> list[Item]:
    """A third, the double, the fourth part; after a number it counts them. Other words say nothing."""
    text = language.word(toks, index)
    share = _PARTS.get(text) if language.word(toks, index + 1) in ("parte", "partes") else _SHARES.get(text)
    if share is None:
        return []
    counted = found.pop() if found and isinstance(found[-1], Fraction) else Fraction(1)
    if _phrase(toks, index + 1 + (text in _PARTS))[0] != "de":
        return [share * Fraction(counted)]
    return [share * Fraction(counted), _OF if share < 1 else "*"]


def _sentences(items: list[Item]) -> list[list[Item]]:
    parts: list[list[Item]] = [[]]
    for item in items:
        if item == _COMMA and parts[-1] and parts[-1][0] in _VERBS:
            parts[-1].append("y")
        elif item in (_STOP, _COMMA):
            parts.append([])
        elif parts[-1] or item not in _JOINERS:
            parts[-1].append(item)
    return parts


def _arranged(items: list[Item]) -> list[Item]:
    """The items of one sentence in the order of a sum."""
    verb, rest = _verb(items)
    rest = _without_talk(rest, keep_joiners=bool(verb))
    rest = _with_verb(rest, verb) if verb else rest
    return _multiplied(_per_cents(["de" if item == _OF else item for item in rest if item != "a"]))


def _verb(items: list[Item]) -> tuple[str, list[Item]]:
    """The last verb before the first number; later ones are talk."""
    first = next((index for index, item in enumerate(items) if isinstance(item, Fraction)), len(items))
    verbs = [item for item in items[:first] if isinstance(item, str) and item in _VERBS]
    return verbs[-1] if verbs else "", [item for item in items if item not in _VERBS]


def _without_talk(items: list[Item], *, keep_joiners: bool) -> list[Item]:
    """Joiners go where they join nothing: before the first number, after the last, and where no verb needs them."""
    kept: list[Item] = []
    for item in items:
        joins = kept and (isinstance(kept[-1], Fraction) or kept[-1] in ("%", ")", _LESS, _MORE))
        needed = (
            item not in _JOINERS
            or (joins and (item == "y" or keep_joiners))
            or (joins and item == "de" and kept[-1] in ("%", _LESS, _MORE))
        )
        if needed:
            kept.append(item)
    while kept and kept[-1] in _JOINERS:
        kept.pop()
    while kept and kept[0] in ("+", "*", "/", "^", "%", ")", "y", "a", _LESS, _MORE):
        kept.pop(0)
    return kept


def _with_verb(items: list[Item], verb: str) -> list[Item]:
    """Resta 5 a 20, súmale 15% a 80, divide 10 por 2, suma 3 y 4."""
    sign = _VERBS[verb]
    if verb in (_ADD, _TAKE):
        turned = next((index for index, item in enumerate(items) if item == "a" or _takes_from(items, index)), 0)
        if turned and items[-1] != "%" and not any(item in ("+", "-", "y") for item in items):
            return [*items[turned + 1 :], sign, *items[:turned]]
    joined: list[Item] = [sign if item in ("y", "a") else item for item in items]
    return ["/" if verb == _SHARE and item == "*" else item for item in joined]


def _takes_from(items: list[Item], index: int) -> bool:
    """The "de" of "resta 5 de 20", which is not that of "15% de 80"."""
    return items[index] == "de" and index > 0 and items[index - 1] != "%"


def _per_cents(items: list[Item]) -> list[Item]:
    """Bring per cents behind what they change: 15% más que 80, 80 con 15% de descuento, 80 un 15% más."""
    match items:
        case [Fraction() as share, "%", "+%" | "-%" as sign, *rest]:
            return [*rest, str(sign)[0], share, "%"]
        case [Fraction() as share, "%", "less", *rest] if rest:
            return [*_after_joiner(rest), "-", share, "%"]
        case [Fraction() as share, "%", "more", *rest] if rest:
            return [share, "%", "de", *_after_joiner(rest)]
        case [*whole, Fraction() as share, "%", "+" | "-" | "less" | "more" as sign] if whole:
            return [*_before_joiner(whole), {"less": "-", "more": "+"}.get(str(sign), str(sign)), share, "%"]
        case _:
            return [item for item in items if item not in (_LESS, _MORE)]


def _after_joiner(items: list[Item]) -> list[Item]:
    return items[1:] if items[0] in _JOINERS else items


def _before_joiner(items: list[Item]) -> list[Item]:
    return items[:-1] if items[-1] in ("y", "+", "-") else items


def _multiplied(items: list[Item]) -> list[Item]:
    """2(3 + 4) multiplies."""
    whole: list[Item] = []
    for item in items:
        if item == "(" and whole and (isinstance(whole[-1], Fraction) or whole[-1] == ")"):
            whole.append("*")
        whole.append(item)
    return whole
