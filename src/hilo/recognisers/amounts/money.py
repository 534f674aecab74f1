"""Find amounts of money: $1.500, 50 lucas, dos palos verdes, 20 dólares con cincuenta."""

from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from hilo.recognisers.amounts.lexicon import one_of
from hilo.recognisers.amounts.numbers import Number, numbers_of, percent_after, plain
from hilo.recognisers.amounts.tokens import Tokens, at, tokens, touches, word
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text

PESOS = {"AR": "ARS", "MX": "MXN", "CO": "COP", "CL": "CLP", "UY": "UYU", "DO": "DOP", "CU": "CUP", "PH": "PHP"}
_DOLLARS = dict.fromkeys(("US", "EC", "SV", "PA", "PR"), "USD") | {"CA": "CAD"}  # what the sign means there
_DEMONYMS = {
    "argentinos": "ARS",
    "mexicanos": "MXN",
    "colombianos": "COP",
    "chilenos": "CLP",
    "uruguayos": "UYU",
    "dominicanos": "DOP",
    "cubanos": "CUP",
    "americanos": "USD",
    "canadienses": "CAD",
    "estadounidenses": "USD",
    "australianos": "AUD",
}
_PESO_WORDS = one_of("peso pesos pesitos pesito mangos mango mn baros varos varo baro guita")
_CURRENCIES = {
    "USD": "dolar dolares dolarcitos dls dlls dlrs usd us dollar dollars bucks buck verdes dolarucos dolars dol usdt",
    "EUR": "euro euros eur eurillos pavos leuros €",
    "ARS": "ars",
    "MXN": "mxn mxp",
    "COP": "cop",
    "CLP": "clp",
    "UYU": "uyu",
    "PEN": "sol soles pen solcitos luquitas",
    "GTQ": "quetzal quetzales gtq",
    "HNL": "lempira lempiras hnl lps",
    "CRC": "colon colones crc ₡",
    "NIO": "cordoba cordobas nio",
    "PAB": "balboa balboas",
    "BOB": "boliviano bolivianos bob bs",
    "VES": "bolivar bolivares ves",
    "PYG": "guarani guaranies pyg gs ₲",
    "DOP": "dop",
    "BRL": "reais brl",
    "GBP": "gbp pounds quid £",
}
_WORDS = {name: code for code, names in _CURRENCIES.items() for name in names.split()}
_MANGOS = frozenset(("mango", "mangos", "pavos", "us"))  # also fruit and birds
_HUNDREDS = {"gamba": 100, "gambas": 100, "quina": 500, "quinas": 500}
_BARRAS = frozenset(("barra", "barras"))
_SLANG = one_of("luca lucas luka lukas luquita luquitas lks palo palos palito palitos grand")
_SIGNS = {"$": "", "€": "EUR", "£": "GBP", "₡": "CRC", "₲": "PYG", "₱": ""}
_LETTERS_BEFORE = {code.lower(): code for code in _CURRENCIES} | {"us": "USD", "bs": "BOB", "gs": "PYG"}
_SIGN_LETTERS = {"u": "USD", "r": "BRL", "mx": "MXN", "ar": "ARS", "rd": "DOP", "col": "COP", "s": "PEN"}
_TOUCHING_LETTERS = {"q": "GTQ", "s": "PEN"}
_BILLS = {int(digit) * 10**zeros for digit in "125" for zeros in range(6)}  # what may be printed on one
_BILL_WORDS = one_of("billete billetes billetitos bill bills")
_MOST_BILLS = 30
_CENTS = one_of("centavo centavos centimo centimos ctvs cents cent ctv cts")
_CUES = one_of(
    "cuesta cuestan vale valen sale salen pago pague pagaria pagar pagas precio presupuesto total costo "
    "costaba cobran cobra cobraron debo gastar ofrezco oferto deposite transferi transferir abono abone seña "
    "monto saldo costs price budget pay"
)
_OFFERS = one_of("doy daria dejas dejamelo ofresco ofrecen ofrecieron piden pedian")  # also of things
_CUE_FILLERS = one_of("de a es son en por unos unas como : hasta max maximo aprox of is un total seria serian era")
_COUNTED = one_of("dias dia horas hs personas semanas meses cuotas veces kilos kg litros unidades cajas anos")
_NOT_COUNTED = one_of(
    "y o por para a con en no el la cada nomas nada solo solamente aprox pero si que porque ya es te me lo se nos al "
    "hoy manana ahora maximo minimo total justos justo redondos efectivo cash mas masomenos ahorita puedo "
    "mensuales mensual semanales anuales diarios verde verdes pe po pues wey guey tengo"
)
_RANGE = frozenset(("o", "u", "a", "y", "-", "/", "hasta", "or", "to", "and"))


class MoneyAmount(NamedTuple):
    """A number of money with its tokens; unit None when only the currency of a neighbour tells."""

    value: Decimal
    first: int
    last: int
    unit: str
    confidence: int


def find_money(text: Text, *, country: str = "") -> tuple[Found, ...]:
    """Amounts with the currency when it was said; the country turns pesos into its own."""
    toks = tokens(text.folded)
    numbers = numbers_of(toks, country=country)
    if bills := _bills(toks, numbers):
        return tuple(_found(toks, amount) for amount in bills)
    amounts = [_amount(toks, number, country) for number in numbers]
    for position in range(len(numbers) - 2, -1, -1):
        amounts[position] = amounts[position] or _lent(toks, numbers[position], amounts[position + 1])
    return tuple(_found(toks, amount) for amount in _with_cents([amount for amount in amounts if amount], toks))


def _bills(toks: Tokens, numbers: tuple[Number, ...]) -> list[MoneyAmount]:
    """Con dos de mil, tres billetes de 500, uno de mil y dos de a 500: so many times what is printed on them."""
    found: list[MoneyAmount] = []
    for many, face in pairwise(numbers):
        between = [token.text for token in toks[many.last + 1 : face.first]]
        printed = [text for text in between if text not in ("de", "a") and text not in _BILL_WORDS]
        goes_on = bool(found) and many.first == found[-1].last + 2 and word(toks, many.first - 1) in ("y", ",", "mas")
        paid = goes_on or word(toks, many.first - 1) == "con" or many.first == 0 or len(between) > 1
        if printed or "de" not in between or not paid:
            continue
        if many.value not in range(1, _MOST_BILLS) or face.value not in _BILLS or many.scale > 1:
            continue
        amount = MoneyAmount(many.value * face.value, many.first, face.last, "", 65)
        if goes_on:
            amount = amount._replace(value=found[-1].value + amount.value, first=found[-1].first)
            found.pop()
        found.append(amount)
    return found


def _found(toks: Tokens, amount: MoneyAmount) -> Found:
    span = toks[amount.first].start, toks[amount.last].end
    return Found("money", plain(amount.value), *span, amount.confidence, amount.unit)


def _amount(toks: Tokens, number: Number, country: str) -> MoneyAmount | None:
    if percent_after(toks, number.last + 1) > number.last + 1 or word(toks, number.first - 1) == "ni":
        return None  # ni un peso más
    before, after = _sign_before(toks, number.first, country), _after(toks, number, country)
    if before:
        return _signed(toks, number, before, after)
    return after or _slang(toks, number) or _cued(toks, number)


def _signed(toks: Tokens, number: Number, before: tuple[str, int], after: MoneyAmount | None) -> MoneyAmount:
    """A sign before; letters after it may name the currency: $1,500.00 MXN."""
    unit, first = before
    value = number.value
    if at(toks, number.last + 1).text in ("m", "mm") and number.scale == 1:
        return MoneyAmount(value * 10**6, first, number.last + 1, unit, 80)
    if after:
        return after._replace(first=first, unit=after.unit or unit, confidence=100)
    return MoneyAmount(value, first, number.last, unit, 100)


def _sign_before(toks: Tokens, first: int, country: str) -> tuple[str, int] | None:
    """The currency of a sign or letters before a number, and where they start."""
    text, start = word(toks, first - 1), first - 1
    if text in ("s", "d") and word(toks, first - 2) == "$" and touches(toks, first - 1):
        return "USD", first - 2 - (word(toks, first - 3) == "u")
    if text == "." and word(toks, first - 2) == "/":
        text, start = "/", first - 2
    if text == "/" and word(toks, start - 1) == "s":
        return "PEN", start - 1
    if text in _SIGNS:
        return _lettered_sign(toks, start, _SIGNS[text] or currency_of(country))
    if text in _TOUCHING_LETTERS and touches(toks, first):
        return _TOUCHING_LETTERS[text], start
    return (_LETTERS_BEFORE[text], start) if text in _LETTERS_BEFORE else None


def currency_of(country: str) -> str:
    """What $ means in a country; nothing where that is unknown."""
    return PESOS.get(country) or _DOLLARS.get(country, "")


def _lettered_sign(toks: Tokens, index: int, unit: str) -> tuple[str, int]:
    """US$, R$, MX$ say more than $."""
    letters = _LETTERS_BEFORE | _SIGN_LETTERS
    name = word(toks, index - 1)
    if word(toks, index) == "$" and name in letters and (touches(toks, index) or len(name) == 3):  # noqa: PLR2004
        return letters[name], index - 1
    return unit, index


def _after(toks: Tokens, number: Number, country: str) -> MoneyAmount | None:
    """A currency named after the number: 20 pesos argentinos, 2 millones de dólares, 20€."""
    index = number.last + 1
    index += word(toks, index) == "de" and number.scale > 1
    text = word(toks, index)
    if text == "$":
        return _dollar_after(toks, number, index, country)
    if text in ("u", "us") and word(toks, index + 1) == "$":
        return MoneyAmount(number.value, number.first, index + 1 + (word(toks, index + 2) in ("s", "d")), "USD", 95)
    if text in _CENTS:
        return MoneyAmount(number.value / 100, number.first, index, "", 90)
    if text in _HUNDREDS or text in _BARRAS:
        return _coins(toks, number, index, country)
    if text in _PESO_WORDS:
        unit, last = _demonym(
            toks, index, "MXN" if text in ("varos", "baros", "varo", "mn") else PESOS.get(country, "")
        )
        return _named(toks, number, last, unit)
    if text not in _WORDS or (text == "us" and not touches(toks, index)):
        return None
    unit, last = _demonym(toks, index, _WORDS[text])
    return _named(toks, number, last, unit)


def _dollar_after(toks: Tokens, number: Number, index: int, country: str) -> MoneyAmount | None:
    """500$; in "2 $500" the sign belongs to the next number."""
    if at(toks, index + 1).kind == "digits" and not touches(toks, index):
        return None
    return MoneyAmount(number.value, number.first, index, currency_of(country), 95)


def _named(toks: Tokens, number: Number, last: int, unit: str) -> MoneyAmount | None:
    text = word(toks, number.last + 1)
    doubtful, following = text in _MANGOS and number.scale == 1, at(toks, last + 1)
    ripe = following.kind == "word" and following.text not in _NOT_COUNTED
    if text == "verdes" and number.scale == 1 and number.value < 10:  # noqa: PLR2004 -- tres verdes y una roja
        return None
    if doubtful and (ripe or number.confidence < 50):  # noqa: PLR2004
        return None
    half = word(toks, last + 1) == "y" and word(toks, last + 2) in ("medio", "media")
    value = number.value + (Decimal("0.5") * number.scale if half else 0)
    return MoneyAmount(value, number.first, last + 2 * half, unit, 70 if doubtful else 95)


def _demonym(toks: Tokens, index: int, unit: str) -> tuple[str, int]:
    """The country of a currency after its name, and the last token read."""
    stem = word(toks, index + 1)
    code = _DEMONYMS.get(stem) or _DEMONYMS.get(stem + "s")
    if code:
        return code, index + 1
    if word(toks, index) in _PESO_WORDS and _WORDS.get(stem) in PESOS.values():
        return _WORDS[stem], index + 1
    return unit, index


def _coins(toks: Tokens, number: Number, index: int, country: str) -> MoneyAmount | None:
    """Dos gambas (200), una quina (500), 50 barras (mil), tres gambas de soles; "gambas al ajillo" are food."""
    worth = Decimal(_HUNDREDS.get(word(toks, index), 1 if number.scale > 1 else 1000))
    value, last = number.value * worth, index
    if word(toks, last + 1) == "y" and word(toks, last + 2) in ("media", "medio"):
        value, last = value + worth / 2, last + 2
    coin = word(toks, last + 2) if word(toks, last + 1) == "de" else ""
    if coin in _WORDS or coin in _PESO_WORDS:
        return MoneyAmount(value, number.first, last + 2, _WORDS.get(coin, PESOS.get(country, "")), 90)
    if word(toks, last + 1) in ("de", "al", "a", "con") or (number.scale > 1 and worth > 1):
        return None
    return MoneyAmount(value, number.first, last, "", 60)


def _slang(toks: Tokens, number: Number) -> MoneyAmount | None:
    """Lucas and palos are money; k and mil only may be."""
    said = {word(toks, index) for index in range(number.first, number.last + 1)}
    if said & _SLANG:
        green = word(toks, number.last + 1) in ("verdes", "verde")
        return MoneyAmount(number.value, number.first, number.last + green, "USD" if green else "", 90)
    following = at(toks, number.last + 1)
    if said & {"k", "mil", "thousand", "millon", "millones", "million"} and following.text not in _COUNTED:
        counted = following.kind == "word" and following.text not in _NOT_COUNTED
        return None if counted else MoneyAmount(number.value, number.first, number.last, "", 60)
    return None


def _cued(toks: Tokens, number: Number) -> MoneyAmount | None:
    """Cuesta 500, presupuesto de 3000: a bare number where a price is spoken of."""
    index = number.first - 1
    while word(toks, index) in _CUE_FILLERS and number.first - index < 4:  # noqa: PLR2004
        index -= 1
    offered = word(toks, index) in _OFFERS
    if not (offered or word(toks, index) in _CUES) or number.confidence < 80 or number.value <= 0:  # noqa: PLR2004
        return None
    following = at(toks, number.last + 1)
    if following.kind == "word" and (following.text in _COUNTED or (offered and following.text not in _NOT_COUNTED)):
        return None
    return MoneyAmount(number.value, number.first, number.last, "", 60)


def _lent(toks: Tokens, number: Number, following: MoneyAmount | None) -> MoneyAmount | None:
    """Entre 100 y 200 dólares: the first number is money too."""
    least = 60 if number.scale > 1 else 80  # one that borrowed its "mil" needs less
    if not following or word(toks, number.last + 1) not in _RANGE or following.confidence < least:
        return None
    if following.first != number.last + 2 or number.value > following.value or number.confidence < 60:  # noqa: PLR2004
        return None
    if word(toks, number.last + 1) in ("y", "and") and word(toks, number.first - 1) not in ("entre", "between"):
        return None
    return MoneyAmount(number.value, number.first, number.last, following.unit, min(80, following.confidence))


def _with_cents(amounts: list[MoneyAmount], toks: Tokens) -> list[MoneyAmount]:
    """Diez pesos con cincuenta centavos is one amount."""
    joined: list[MoneyAmount] = []
    for amount in amounts:
        cents = word(toks, amount.last) in _CENTS and joined
        if cents and joined[-1].last + 2 == amount.first and word(toks, amount.first - 1) in ("con", "y"):
            joined[-1] = joined[-1]._replace(value=joined[-1].value + amount.value, last=amount.last)
        else:
            joined.append(amount)
    return joined
