"""E-mail addresses, phone numbers and web addresses, also the spoken and the clumsy ones."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from hilo.understanding.acts.phrases import word_set
from hilo.understanding.found import Found
from hilo.understanding.normalise import Text

LONGEST_LOCAL = 64
FEWEST_DIGITS, MOST_DIGITS = 7, 15

_AT = re.compile(r"\s*[(\[{<]\s*(?:at|arroba|@)\s*[)\]}>]\s*|\s*@\s*|\s*arroba\s*|\s+at\s+")
_LOCAL = re.compile(r"[a-z0-9_%+-]+(?:(?:\.| punto | dot | guion bajo | underscore | guion )[a-z0-9_%+-]+)*\.?$")
_DOT = (
    r"(?:\s?\.\s?(?=[a-z])|\s*[(\[]\s*(?:punto|dot)\s*[)\]]\s*|\s+(?:punto|dot)\s+"
    r"|,\s?(?=com\b|net\b|org\b|es\b|ar\b|mx\b)|\s+(?=com\b))"
)
_DOMAIN = re.compile(rf"[a-z0-9][a-z0-9-]{{0,62}}(?:{_DOT}[a-z0-9][a-z0-9-]{{0,62}}){{1,4}}")
_SPOKEN = (
    (re.compile(r"\s*[(\[]\s*(?:punto|dot)\s*[)\]]\s*|\s+(?:punto|dot)\s+"), "."),
    (re.compile(r"\s+(?:guion bajo|underscore)\s+"), "_"),
    (re.compile(r"\s+guion\s+"), "-"),
    (re.compile(r"\s*[.,]\s*|\s+"), "."),
)
_TLDS = word_set("""
    com net org io co app dev info biz shop store online site tech ai me ly ar cl mx pe es uy br ec ve bo py us tv
    cat eu gt cr pa do sv hn ni cu uk ca fr de it pt edu gob gov mil club agency digital cloud blog live link page
    tienda
""")
# these end a sentence and begin the next one when the space was forgotten: "listo.es para hoy"
_WORDLIKE_TLDS = word_set("es me de do it pa us be")


def find_emails(text: Text) -> tuple[Found, ...]:
    """Addresses as clean lower-case values: "juan arroba gmail punto com" is juan@gmail.com."""
    if "@" not in text.folded and "arroba" not in text.folded and "at" not in text.folded:
        return ()
    return tuple(_emails(text))


def find_urls(text: Text) -> tuple[Found, ...]:
    """Web addresses as they were written; surer with a scheme than with www, least sure bare."""
    if "." not in text.folded:
        return ()
    taken = [(found.start, found.end) for found in find_emails(text)]
    return tuple(
        found for found in _urls(text) if not any(start < found.end and found.start < end for start, end in taken)
    )


def find_phones(text: Text) -> tuple[Found, ...]:
    """Numbers of 7 to 15 digits in the shape of a phone; the value is the digits, with "+" if it was written."""
    if sum(letter.isdigit() for letter in text.folded) < FEWEST_DIGITS:
        return ()
    masked = _masked(text)
    return tuple(
        Found("phone", value, start, end, confidence)
        for start, end in _runs(masked)
        for value in [_digits(masked[start:end])]
        for confidence in [_phone_confidence(masked, start, value)]
        if FEWEST_DIGITS <= len(value.lstrip("+")) <= MOST_DIGITS and confidence
    )


def _emails(text: Text) -> Iterator[Found]:
    folded, free = text.folded, 0
    for at in _AT.finditer(folded):
        local = _LOCAL.search(folded, max(free, at.start() - LONGEST_LOCAL), at.start())
        domain = _DOMAIN.match(folded, at.end())
        if not local or not domain or not _plausible(at.group(), domain.group()):
            continue
        end = domain.end()
        value = f"{_clean(_written(text, local.start(), at.start()))}@{_clean(text.original(at.end(), end))}"
        if re.fullmatch(r"[a-z0-9_%+.-]+@[a-z0-9.-]+\.[a-z]{2,24}", value):
            exact = folded[local.start() : end].count(" ") == 0 and "@" in at.group()
            yield Found("email", value, local.start(), end, 100 if exact else 85)
            free = end


def _plausible(at: str, domain: str) -> bool:
    """The bare English "at" marks an address only with a spoken dot after it."""
    return at.strip() != "at" or " dot " in domain


def _written(text: Text, start: int, end: int) -> str:
    """The raw text up to the next folded letter, so that letters thrice in a row at the end are kept."""
    last = text.origins[end] if end < len(text.origins) else len(text.raw)
    return text.raw[text.origins[start] : last].strip()


def _clean(written: str) -> str:
    """Without accents and case, spoken marks as signs."""
    written = unicodedata.normalize("NFKD", written).casefold()
    written = "".join(letter for letter in written if unicodedata.category(letter) not in {"Mn", "Cf", "Cc"}).strip()
    for pattern, sign in _SPOKEN:
        written = pattern.sub(sign, written)
    return written.strip(".")


_SCHEME = re.compile(r"https?://[^\s<>\"]+")
_WWW = re.compile(r"(?<![\w@.-])w(?:ww?)?\.[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/?#][^\s<>\"]*)?")
_BARE = re.compile(r"(?<![\w@./-])[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+(?:[/?#][^\s<>\"]*)?")


def _urls(text: Text) -> Iterator[Found]:
    free = 0
    for pattern, confidence in ((_SCHEME, 100), (_WWW, 90), (_BARE, 70)):
        taken_until = free
        for match in pattern.finditer(text.folded):
            end = match.start() + len(match.group().rstrip(".,;:!?)]}'»*_"))
            sure = confidence if confidence > 70 else _bare_confidence(text.folded, match.start(), end)  # noqa: PLR2004
            if sure and match.start() >= taken_until:
                yield Found("url", _written(text, match.start(), end), match.start(), end, sure)
                free = max(free, end)


def _bare_confidence(folded: str, start: int, end: int) -> int:
    """How sure a bare name with dots is a web address and not two sentences without a space."""
    host = re.split(r"[/?#]", folded[start:end], maxsplit=1)[0]
    labels = host.split(".")
    if labels[-1] not in _TLDS or not any(letter.isalpha() for letter in labels[0]):
        return 0
    if labels[-1] in _WORDLIKE_TLDS and len(labels) == 2 and start + len(host) == end:  # noqa: PLR2004
        alone = not folded[end:].strip(" .!")
        return 60 if alone and len(labels[0]) > 3 else 0  # noqa: PLR2004
    return 70


@cache
def _not_phones() -> tuple[re.Pattern[str], ...]:
    """What has digits like a phone and is none: dates, times, money, formatted ids, numbered things."""
    return tuple(
        re.compile(pattern)
        for pattern in (
            r"(?<![\d./-])(?:0?[1-9]|[12]\d|3[01])([/.-])(?:0?[1-9]|1[0-2])\1(?:19|20)?\d\d(?![\d/-])",
            r"(?<![\d-])(?:19|20)\d\d-(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12]\d|3[01])(?![\d-])",
            r"\d{1,2}:\d\d",
            r"(?:\$|€|usd|ars|cop|clp|mxn|s/\.?|u\$s|us\$)\s?\d[\d.,]*",
            r"(?<!\d)\d[\d.,]{0,18}\s?(?:pesos|dolares|usd|ars|cop|clp|mxn|soles|euros|lucas|mil|millones|palos|k|kg|g|gr|ml|€|\$)\b",
            r"(?<![\d.])\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?(?![\d-])(?!\.\d)",
            r"(?<![\d.])\d{1,2}\.?\d{3}\.?\d{3}-[\dk](?!\w)",
            r"(?<![\d.])\d{3}\.\d{3}\.\d{3}-\d\d(?!\d)",
            r"(?<![\d-])(?:20|23|24|27|30|33|34)-\d{8}-\d(?!\d)",
            (
                r"(?:dni|d\.n\.i\.?|rut|cuit|cuil|cedula|c\.c\.|cc|nit|ruc|nie|cpf|documento|pasaporte|identidad|legajo|cbu|cvu|clabe|alias|"
                r"pedido|orden|order|factura|ticket|guia|reclamo|tramite|seguimiento|tracking|codigo|cod|ref|referencia|serie|imei|sku|"
                r"cuenta|tarjeta|cliente|comprobante|operacion|poliza|contrato|expediente|reserva)"
                r"(?:\s(?:es|de|mi|el|la|numero|nro|num|no|n|id|pedido|identidad|compra))*\s?[.:#°º]*\s?[a-z]{0,4}[#-]?\d[\d.-]*"
            ),
            r"#\s?\d+",
            r"(?<!\d)\d{1,9}[.,]\d{1,9}\s?%",
        )
    )


_NUMBERED_LINE = re.compile(r"^[ ]*(\d{1,2}[.)-])[ ]", re.MULTILINE)
_RUN = re.compile(r"(?<![\w$#])[+(]{0,2}\d[\d().\- ]*\d(?!\w)")
_PHONE_WORDS = re.compile(
    r"(?:tel|telefono|telf|tlf|fono|cel|celu|celular|movil|whatsapp|whats|wsp|wpp|wasap|wa|guasap|numero|nro|num|llamame|llamen|llamar|"
    r"contacto|phone|call|mobile|cell|escribime|escribeme|linea|fijo)\b[^\d]{0,20}$"
)


def _masked(text: Text) -> str:
    """The folded text with everything that is no phone blotted out, spans unchanged."""
    masked = _without_numbering(text)
    for found in (*find_emails(text), *find_urls(text)):
        masked = masked[: found.start] + "x" * (found.end - found.start) + masked[found.end :]
    for pattern in _not_phones():
        masked = pattern.sub(lambda match: "x" * len(match.group()), masked)
    return masked


def _without_numbering(text: Text) -> str:
    """The folded text without the numbers that count its lines: "2. 3001234567"."""
    if "\n" not in text.raw or len(text.raw) != len(text.folded):
        return text.folded
    folded = text.folded
    for line in _NUMBERED_LINE.finditer(text.raw):
        folded = folded[: line.start(1)] + "x" * len(line.group(1)) + folded[line.end(1) :]
    return folded


def _runs(masked: str) -> Iterator[tuple[int, int]]:
    """Runs of digits and separators; a run too long for one phone falls apart at its spaces."""
    for run in _RUN.finditer(masked):
        if len(_digits(run.group()).lstrip("+")) <= MOST_DIGITS:
            yield run.start(), run.end()
            continue
        for piece in re.finditer(r"\S+", run.group()):
            yield run.start() + piece.start(), run.start() + piece.end()


def _digits(written: str) -> str:
    plus = "+" if written.lstrip("( ").startswith("+") else ""
    return plus + "".join(letter for letter in written if letter.isdecimal() and letter.isascii())


def _phone_confidence(masked: str, start: int, value: str) -> int:
    if value.startswith("+") or _PHONE_WORDS.search(masked, max(0, start - 40), start):
        return 95
    digits = len(value)
    if digits >= 10:  # noqa: PLR2004
        return 85
    return 65 if digits >= 8 else 50  # noqa: PLR2004
