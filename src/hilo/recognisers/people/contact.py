"""E-mail addresses and web addresses, also the spoken and the clumsy ones."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text
from hilo.recognisers.people.name_words import ADDRESSED, FUNCTION_WORDS, NOTING
from hilo.recognisers.people.transcript import with_spoken
from hilo.recognisers.phrases import word_set

LONGEST_LOCAL = 64
MOST_JOINED = 3  # words of a spoken name: "juan pablo ruiz arroba"
BARE, LONG_NAME = 70, 4
COMPLETED = 65  # how sure an address is whose ending was not said: "juan arroba gmail"

_AT = re.compile(r"\s*@\s*")
_LOCAL = re.compile(r"(?:[a-z_-]{2,} (?=\d+$))?[a-z0-9_%+-]+(?:(?:\.| \. )[a-z0-9_%+-]+)*\.?$")
_LABEL = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_TIGHT = re.compile(r"\.(?=[a-z0-9])")
_LOOSE = re.compile(r" ?[.,] ?| +")
_WORD_BEFORE = re.compile(r"([a-z0-9]+) $")
_NOTING = re.compile(NOTING)
_MAIL_WORD = re.compile(r"\b(?:correo|e-?mail|mail|gmail)(?: (?:es|seria|electronico))*[ :]+$")
_TLDS = word_set("""
    com net org io co app dev info biz shop store online site tech ai me ly ar cl mx pe es uy br ec ve bo py us tv
    cat eu ee gt cr pa do sv hn ni cu uk ca fr de it pt edu gob gov mil club agency digital cloud blog live link page
    tienda
""")
# these end a sentence and begin the next one when the space was forgotten: "listo.es para hoy"
_WORDLIKE_TLDS = word_set("es me de do it pa us be cat")
_AFTER_COM = word_set("ar mx co pe uy br ec ve bo py gt sv hn ni")
_PROVIDERS = word_set("gmail hotmail outlook yahoo icloud")
_COM_MISTYPED = word_set("con cm comm cmo vom coom om")
_ENDINGS = _TLDS | _COM_MISTYPED


def find_emails(text: Text, *, asked: bool = False) -> tuple[Found, ...]:
    """Addresses as clean lower-case values: "juan arroba gmail punto com" is juan@gmail.com.

    Where one was asked for, "gmail" is enough, and the words before "arroba" are one: "juan pérez arroba gmail".
    """
    if "@" not in text.folded and "arroba" not in text.folded and "at" not in text.folded:
        return ()
    return with_spoken(text, lambda typed: tuple(_emails(typed, asked=asked, spoken=typed is not text)))


def find_urls(text: Text, *, asked: bool = False) -> tuple[Found, ...]:
    """Web addresses as they were written; surer with a scheme than with www, least sure bare."""
    if "." not in text.folded and "punto" not in text.folded and "dot" not in text.folded:
        return ()
    return with_spoken(text, lambda typed: tuple(_urls_beside_emails(typed, asked=asked)))


def _urls_beside_emails(text: Text, *, asked: bool) -> Iterator[Found]:
    taken = [(found.start, found.end) for found in _emails(text, asked=False, spoken=False)]
    for found in _urls(text, asked=asked):
        if all(found.end <= start or found.start >= end for start, end in taken):
            yield found


def _emails(text: Text, *, asked: bool, spoken: bool) -> Iterator[Found]:
    folded, free = text.folded, 0
    for at in _AT.finditer(folded):
        local = _LOCAL.search(folded, max(free, at.start() - LONGEST_LOCAL), at.start())
        domain, end = _domain(text, at.end(), asked=asked)
        if not local or not domain or _is_handle(at, domain):
            continue
        start = _first_word(folded, local.start(), free, asked=asked) if spoken else local.start()
        value = f"{_clean(_written(text, start, at.start()))}@{domain}"
        if re.fullmatch(r"[a-z0-9_%+.-]+@[a-z0-9.-]+\.[a-z]{2,24}", value):
            exact = " " not in folded[start:end] and value.endswith(folded[at.end() : end])
            completed = folded[at.end() : end] in _PROVIDERS
            yield Found("email", value, start, end, 100 if exact else COMPLETED if completed else 85)
            free = end


def _is_handle(at: re.Match[str], domain: str) -> bool:
    """Whether it is what somebody is called on a network: "mi insta es @tortas.ana" is no address "es@tortas.ana"."""
    apart = at[0].startswith(" ") and at[0].endswith("@")
    return apart and domain.rpartition(".")[2] not in _TLDS


def _first_word(folded: str, last: int, free: int, *, asked: bool) -> int:
    """Where the words begin that were spoken as one: "mi correo es juan pérez arroba gmail"."""
    start = last
    for _ in range(MOST_JOINED - 1):
        word = _WORD_BEFORE.search(folded, max(free, start - LONGEST_LOCAL), start)
        if not word or _is_aside(word.group(1)) or folded.startswith(word.group(1), start):
            break
        start = word.start()
    return start if asked or _MAIL_WORD.search(folded[:start]) else last


def _is_aside(word: str) -> bool:
    """Whether a word before an address is none of it: "anote, señorita, …"."""
    return word in FUNCTION_WORDS or word in ADDRESSED or bool(_NOTING.fullmatch(word))


def _domain(text: Text, start: int, *, asked: bool) -> tuple[str, int]:
    """The domain that stands here and where it ends: before a full stop, with a space or a comma for a dot."""
    labels = _labels(text.folded, start)
    names = [label.group() for label in labels]
    if not labels:
        return "", start
    end = labels[-1].end()
    if names[0] in _PROVIDERS and (names[-1] in _COM_MISTYPED or (asked and len(names) == 1)):
        return f"{names[0]}.com", end
    return ".".join(_clean(_written(text, *label.span())) for label in labels) if len(labels) > 1 else "", end


def _labels(folded: str, start: int) -> list[re.Match[str]]:
    """The parts of a domain; what follows a full stop is none of them."""
    first = _LABEL.match(folded, start)
    labels = [first] if first else []
    while labels and (dot := _TIGHT.match(folded, labels[-1].end())) and (label := _LABEL.match(folded, dot.end())):
        labels.append(label)
    closed = max((place for place, each in enumerate(labels) if place and each.group() in _ENDINGS), default=-1)
    labels = labels[: closed + 1] if closed > 0 else labels
    while labels and (gap := _LOOSE.match(folded, labels[-1].end())) and (label := _LABEL.match(folded, gap.end())):
        if not _goes_on(labels, gap.group(), label.group()):
            break
        labels.append(label)
    return labels


def _goes_on(labels: Sequence[re.Match[str]], gap: str, label: str) -> bool:
    """Whether a part after a gap still belongs to a domain: "gmail . com", "gmail,com", "hotmail com ar"."""
    if len(labels) > 1:
        return labels[-1].group() == "com" and label in _AFTER_COM
    return label in {"com", "net", "org"} or (label in _TLDS and gap.strip() == "." and label not in _WORDLIKE_TLDS)


def _written(text: Text, start: int, end: int) -> str:
    """The raw text up to the next folded letter, so that letters thrice in a row at the end are kept."""
    last = text.origins[end] if end < len(text.origins) else len(text.raw)
    return text.raw[text.origins[start] : last].strip()


def _clean(written: str) -> str:
    """Without accents, case and spaces."""
    written = unicodedata.normalize("NFKD", written).casefold()
    kept = (letter for letter in written if unicodedata.category(letter) not in {"Mn", "Cf", "Cc"})
    return "".join("".join(kept).split()).strip(".")


_SCHEME = re.compile(r"https?://[^\s<>\"]+")
_WWW = re.compile(r"(?<![\w@.-])w(?:ww?)?\.[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/?#][^\s<>\"]*)?")
_BARE = re.compile(r"(?<![\w@./-])[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+(?:[/?#][^\s<>\"]*)?")


def _urls(text: Text, *, asked: bool) -> Iterator[Found]:
    free = 0
    for pattern, confidence in ((_SCHEME, 100), (_WWW, 90), (_BARE, BARE)):
        taken_until = free
        for match in pattern.finditer(text.folded):
            end = match.start() + len(match.group().rstrip(".,;:!?)]}'»*_"))
            sure = _bare_confidence(text.folded, match.start(), end, asked=asked) if confidence == BARE else confidence
            if sure and match.start() >= taken_until:
                yield Found("url", _written(text, match.start(), end), match.start(), end, sure)
                free = max(free, end)


def _bare_confidence(folded: str, start: int, end: int, *, asked: bool) -> int:
    """How sure a bare name with dots is a web address and not two sentences without a space."""
    host = re.split(r"[/?#]", folded[start:end], maxsplit=1)[0]
    if not is_host(host):
        return 0
    name, _, ending = host.rpartition(".")
    if ending in _WORDLIKE_TLDS and "." not in name and start + len(host) == end:
        alone = asked or not folded[end:].strip(" .!")
        return 60 if alone and len(name) >= LONG_NAME else 0
    return BARE


def is_host(name: str) -> bool:
    """Whether a name with dots ends as web addresses do."""
    labels = name.lower().split(".")
    return len(labels) > 1 and labels[-1] in _TLDS and any(map(str.isalpha, labels[0]))
