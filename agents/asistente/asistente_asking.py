"""The words by which a contact asks to be told something, and what the wish is about without them."""

import re
from datetime import datetime

from asistente_slips import moments_put_right, words_put_right

WAKES = r"despi[eé]rt[ae]s?(?:me)?|despert[aá](?:r?me)?|levant[aá](?:r?me)?"
TELLS = (
    r"(?:recu|acu)[eé]rd[ae]s?(?:me)?|acord[aá](?:r?me)?|record[aá](?:r?me)?"
    r"|av[ií]s[ae]s?(?:me)?|avis[aá](?:r?me)?|agend[aá](?:me)?"
    r"|(?:hac[eé]|haz|h[aá]z)me acordar|hac[eé]s acordar|remind me"
)
# the same in the midst of a message, where it is told to us: "si me podés avisar", "podrías recordarme"
_TELLS_ME = (
    r"(?:(?:recu|acu)[eé]rd[ae]|(?:ac|rec)ord[aá]r?|av[ií]s[ae]|avis[aá]r?|agend[aá]r?|despi[eé]rt[ae]|despert[aá]r?"
    r"|(?:hac[eé]r?|haz)(?=me (?:acord|record)))me(?:l[oa])?(?: (?:acord|record)ar)?"
    r"|me (?:l[oa] )?(?:(?:recu|acu)[eé]rd[ae]s?|record[aá]s|avis[aáe]s?|despiert[ae]s)"
    r"|me (?:l[oa] )?(?:hac[eé]s?|haga?s?) (?:acord|record)ar"
    r"|me (?:l[oa] )?(?:pod|pued|podr)\w+ (?:usted )?(?:(?:hacer )?(?:acord|record)ar|avisar|despertar)(?:l[oa])?"
    r"|no (?:me )?dejes (?:que (?:me|se me) olvide|olvidar)"
    r"|mand[aáe]\w* un (?:recordatorio|mensaje|mensajito|aviso)"
)
_SETS = (
    r"(?:p[oó]n|pon[eé]|poner|program[aá]|agreg[aá]|agr[eé]ga|cre[aá]|dej[aá]|h[aá]z|hac[eé])(?:me)?"
    r"|quiero|quisiera|necesito"
)
_THING = (
    r"(?:(?:un|una|otro|otra|el|la)\s+)?(?:recordatorio|alarma|aviso|alerta|despertador)"
    r"|un[oa] nuev[oa]|otr[oa](?:\s+m[aá]s)?|uno(?:\s+m[aá]s)?"
)
# what leads to the wish: "necesito que me recuerdes…"
_LEAD_IN = re.compile(
    rf"(?:\b(?:{_TELLS_ME})\b|^(?:[^\W\d_]+[\s,.!]+){{0,5}}?(?:me\s+)?"
    rf"(?:(?:{_SETS})\s+(?:{_THING})(?:\s+nuev[oa])?|(?:un\s+|otr[oa]\s+)?(?:recordatorio|alarma)"
    r"|y?\s*otr[oa](?=\s+para\b|\s*$)|(?:y\s+)?un[oa]\s+m[aá]s)\b"
    rf"|^(?:[^\W\d_]+[\s,.!]+){{0,2}}?(?:{TELLS}|{WAKES})\b)"
    r"(?:\s*(?:de(?! \d)|que|q|diga|lo de|para|pa|to|tambi[eé]n)\b)*[\s,:?]*",
    re.IGNORECASE,
)
_ASKING = re.compile(r"\b(?:necesito|quiero|quisiera|quer[ií]a|te pido|ser[ií]a posible)\b.*$", re.IGNORECASE)
_SPOKEN = (
    (re.compile(r"\b(?:en|dentro de) un rat(?:o|ito)\b|\bal rat(?:o|ito)\b", re.IGNORECASE), "en 30 minutos"),
    (re.compile(r"\bcuando (?:sean|den) (?=las? \d)", re.IGNORECASE), "a "),
    (re.compile(r"\bcon (?:sonido|ruido|volumen(?: alto)?)\b", re.IGNORECASE), ""),
)
_EDGES = re.compile(
    r"^(?:hola|buen d[ií]a|buenos d[ií]as|buenas(?: tardes| noches)?|oye|che)[\s,.!]+"
    r"|^(?:y|que|q|del?(?! \d)|to|a|por favor|porfa|tambi[eé]n|tb|tmb|tbn|adem[aá]s|tengo(?: que| q| un| una)?|hay que"
    r"|as[ií] me acuerdo(?: de)?)\s+"
    r"|^(?:no[\s,.]+)*(?:a ver[\s,.]+)?(?:l[oa]s dos son|son (?:dos|2) (?:avisos|recordatorios|alarmas))\b(?: para)?"
    r"|(?:[\s,.;]*\b(?:y|e|l[ao]s? de|el de))+[\s,.;]*$"
    r"|^[\s,.:;?¿!¡]+|[\s,.:;?!]+$"
    r"|(?:^|[\s,]+)(?:a|el|para|y|tambi[eé]n|at|on|by"
    r"|entonces|igual|nom[aá]s|sin falta|porfa|por favor|gracias|me pod(?:r[ií]as|[eé]s) avisar)$",
    re.IGNORECASE,
)


def plainly(text: str, now: datetime) -> str:
    """A wish as it was put right in the end, and without what the clock needs not: "en un rato" are thirty minutes."""
    for pattern, plain in _SPOKEN:
        text = pattern.sub(plain, text)
    return words_put_right(moments_put_right(text, now))


def asks(text: str) -> bool:
    """Whether a contact asks to be told something, and does not only say when."""
    return _LEAD_IN.search(text) is not None


def about(text: str) -> str:
    """What a wish is about: what follows the words that ask to be told, else what stands before them."""
    lead = _LEAD_IN.search(text)
    if lead is None:
        return trimmed(text)
    return trimmed(text[lead.end() :]) or trimmed(_ASKING.sub("", text[: lead.start()]))


def trimmed(text: str) -> str:
    while (shorter := _EDGES.sub("", text)) != text:
        text = shorter
    return text
