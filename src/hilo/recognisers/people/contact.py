"""E-mail addresses and web addresses, also the spoken and the clumsy ones."""

import re
import unicodedata
from collections.abc import Iterator

from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text
from hilo.recognisers.phrases import word_set

LONGEST_LOCAL = 64

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
