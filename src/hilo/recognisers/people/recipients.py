"""Who receives an order where the message says so, and which of several values are theirs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from hilo.recognisers.found import Found
from hilo.recognisers.people.name_words import GIVEN_NAMES, KIN, TITLES

REACH = 45  # characters before a value that tell whose it is
SURE = 70

_RECEIVES = re.compile(
    r"\b(?:pedido|orden|envio|paquete|domicilio|compra|encargo|regalo|order|package)\b[^.,;:?!\d]{0,20}?\b(?:pa|para|for)\s"
    r"|(?:^|[,.;]\s?|\b(?:pero|y|que|aunque|sino|but|and)\s)(?:es|va|seria|it's|it is)\s(?:pa|para|for)\s"
    r"|(?:^|[,.;]\s?|\b(?:pero|mejor|una?|uno|dos|tres|otr[oa]|comprar|pedir|llevar|encargar|ordenar)\s)pa(?:ra)?\s(?=(?:mi|su)\s)"
    r"|(?:^|[,.;]\s?|\bbuy (?:one|it|two) )for\s(?=my\s)"
    r"|\b(?:mandar|enviar|regalar|comprar|llevar)(?:le|les|sel[oa]s?)"
    r"(?: (?:una?|uno|dos|tres|\d{1,2}|otr[oa]s?|est[aeo]|es[aeo]|el|la)(?: \w+)?)? a (?=(?:mi|su|una?)\s)"
    r"|\ba nombre de\s"
    r"|\bque (?:lo|la|los|las) reciba\s|\b(?:lo|la|los|las|quien|que) recibe\s(?:es\s)?|\brecibe:?\s"
    r"|\bentreg(?:ar|arlo|arla|arselo|arsela|uenlo|uensela|uenselo|uen|uelo|uesela|ueselo|an|ado|ada)\sa\s"
    r"|\bdirigid[oa] a\s|\bdestinatari[oa]s?(?: es|:)?\s"
    r"|\b(?:send|ship|deliver|address)(?:ed)?(?: it)? to\s|\b(?:recipient|receiver)(?: is|:)?\s"
)
_SENT = re.compile(
    r"(?:\b(?:mand|envi|despach|llev|entregu?)[ae]n?(?:me|nos|se|le)?(?:l[oa]s?)?(?: \w+){0,3}?"
    r"|\b(?:me|nos|se|le)(?: l[oa]s?)? (?:mande|envie|despache|lleve|entregue)n?"
    r"|\b(?:envio|pedido|paquete|domicilio|despacho|la entrega|compra|encargo|orden)(?: \w+)? (?:es|va|seria|sea|queda)"
    r"|(?:^|[,.;] ?|\b(?:pero|y|que|mejor|no|si|ok|perdon|ahora) )(?:es|va|seria|sea|it's|it is)"
    r"|\b(?:lo|la|los|las) (?:quiero|quisiera|necesito|recibo|espero)"
    r"|\bmejor|\b(?:send|ship|deliver)(?: it| them)?) (?:a|para|en|hasta|hacia|to|for)(?: la ciudad de)? $"
)
_SENDING = re.compile(
    r"mand|envi|despach|lleve|entreg|domicilio|compra|pedido|paquete|encargo|orden|mejor|quiero|quisiera|necesito|recibo|espero|send|ship|deliver"
    r"|\b(?:es|va|seria|sea|queda|it's|it is) "
)
_SHIPS = re.compile(r"(?:mand|envi|despach|llev|entreg)an?\b(?! es)")  # "envían a Cali" asks more than it tells
_CUES = (
    "para ",
    "pa ",
    "arle",
    "arsel",
    "nombre de",
    "recib",
    "entreg",
    "dirigid",
    "destinat",
    "for ",
    " to ",
    "recipient",
    "receiver",
)
_WORD = re.compile(r"[^\W\d_]+")
_ARTICLES = frozenset(("mi", "su", "la", "el", "my", "our"))
_OF_SOMEBODY = re.compile(
    r"\b(?:(?P<own>mi (?:celu?|celular|telefono|numero|whatsapp|tel|direccion|casa)|(?:el|la) mi[oa]|yo vivo"
    r"|my (?:own |home )?(?:address|place|phone|number|cell|mobile)|mine|i live)"
    r"|su (?:celu?|celular|telefono|numero|whatsapp)|her|his|their|de (?:(?:mi|su|la|el) )?(?P<owner>[a-z]+))\b"
)
_OTHERS = KIN | GIVEN_NAMES | {"ella", "el"}
_PEOPLE = KIN | TITLES | GIVEN_NAMES


def receivers(folded: str) -> Iterator[int]:
    """Where the name of who receives the order begins, with "mi mamá" before it."""
    for said in _RECEIVES.finditer(folded) if any(cue in folded for cue in _CUES) else ():
        words = _WORD.findall(folded, said.end(), said.end() + REACH)[:2]
        known = words[1:] if words and words[0] in _ARTICLES else words
        if known and known[0] in _PEOPLE:
            yield said.end()


def theirs(folded: str, found: Sequence[Found]) -> tuple[Found, ...]:
    """Of several values those of who receives the order; without one, those that are said to be the contact's own.

    None where a receiver is named and nothing tells the values apart: the wrong person is worse than a question.
    """
    if len({each.value for each in found}) < 2:  # noqa: PLR2004
        return tuple(found)
    received = next(receivers(folded), -1)
    owners = {each: _owner(folded, each) for each in found}
    if received < 0:
        own = "own" in owners.values()
        return _as_sure(tuple(each for each in found if not own or owners[each] != "other"), found)
    others = tuple(each for each in found if owners[each] == "other")
    rest = tuple(each for each in found if owners[each] != "own")
    after = tuple(each for each in rest if each.start > received)
    return _as_sure(others or after or (rest if len(rest) == 1 else ()), rest)


def of_two_people(folded: str, found: Sequence[Found]) -> bool:
    """Whether values that are sure belong to different people: nothing tells whose the rest of the message is."""
    sure = [each for each in found if each.confidence >= SURE]
    several = len({each.value for each in sure}) > 1
    return several and len({_owner(folded, each) for each in sure}) > 1


def is_received(folded: str) -> bool:
    """Whether the message names who receives the order."""
    return next(receivers(folded), -1) >= 0


def _as_sure(picked: tuple[Found, ...], found: Sequence[Found]) -> tuple[Found, ...]:
    """What was picked, unless it is doubtful beside a value that is sure."""
    doubtful = bool(picked) and all(each.confidence < SURE for each in picked)
    return tuple(found) if doubtful and any(each.confidence >= SURE for each in found) else picked


def may_be_sent(folded: str) -> bool:
    """Whether a message has a word of sending at all."""
    return _SENDING.search(folded) is not None


def sent_to(folded: str, towns: Sequence[Found]) -> tuple[Found, ...]:
    """The towns that something shall be sent to: "vivo en Bogotá pero mándelo a Tunja"; only a woman may be one too."""
    sent = [each for each in towns if _is_sent_to(folded, each.start)] if towns and may_be_sent(folded) else []
    sure = {each: folded[each.start : each.end] not in GIVEN_NAMES for each in sent}
    return tuple(replace(each, confidence=max(each.confidence, SURE)) if sure[each] else each for each in sent)


def _is_sent_to(folded: str, start: int) -> bool:
    said = _SENT.search(folded, max(0, start - REACH), start)
    return said is not None and not _SHIPS.match(said.group())


def _owner(folded: str, found: Found) -> Literal["own", "other", ""]:
    """Whose a value is, by the last words before it that tell; another value between them takes these for itself."""
    telling = list(_OF_SOMEBODY.finditer(folded, max(0, found.start - REACH), found.start))
    said = telling[-1] if telling else None
    if said is None or any(map(str.isdigit, folded[said.end() : found.start])):
        return ""
    if said.group("own"):
        return "own"
    return "other" if said.group("owner") is None or said.group("owner") in _OTHERS else ""
