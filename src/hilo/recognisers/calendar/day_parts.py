"""Parts of the day that tell 5 from 17: de la tarde, a. m., esta noche."""

from hilo.recognisers.amounts.tokens import Tokens, touches, word

_NOON = 12
_PARTS = {
    "manana": "am",
    "mannana": "am",
    "madrugada": "dawn",
    "tarde": "pm",
    "tardecita": "pm",
    "noche": "night",
    "mediodia": "noon",
    "dia": "noon",
    "morning": "am",
    "afternoon": "pm",
    "evening": "pm",
    "night": "night",
    "tonight": "night",
    "siesta": "pm",
}


def hinted(hour: int, hint: str) -> int:
    """An hour of twelve in the part of the day that was said: 1 de la noche is 1, 8 de la noche 20."""
    if hint == "pm":
        return hour % _NOON + _NOON
    if hint in ("am0", "dawn"):
        return hour % _NOON
    if hint == "night":
        return hour + _NOON if 6 <= hour < _NOON else hour % _NOON  # noqa: PLR2004
    if hint == "noon":
        return hour + _NOON if hour < 5 else hour  # noqa: PLR2004
    return hour


def meridiem(toks: Tokens, index: int) -> tuple[str, int]:
    """am, p.m., a. m."""
    text = word(toks, index)
    if text in ("am", "pm"):
        return ("am0" if text == "am" else "pm"), index + 1
    if text not in ("a", "p"):
        return "", index
    after = index + 1 + (word(toks, index + 1) == ".")
    if word(toks, after) != "m" or (after == index + 1 and text == "a" and not touches(toks, index)):
        return "", index
    return ("am0" if text == "a" else "pm"), after + 1 + (word(toks, after + 1) == "." and after > index + 1)


def part_of_day(toks: Tokens, index: int) -> tuple[str, int]:
    """De la tarde, a la noche, por la mañana, del mediodía, in the morning."""
    text, following = word(toks, index), word(toks, index + 1)
    if text in ("de", "a", "por", "en", "d", "x", "in", "at") and following in ("la", "el", "the"):
        part = _PARTS.get(word(toks, index + 2), "")
        return (part, index + 3) if part and word(toks, index + 2) != "dia" else ("", index)
    if text in ("del", "de", "al", "at", "d") and following in _PARTS:
        return _PARTS[following], index + 2
    if text == "del" and following == "medio" and word(toks, index + 2) == "dia":
        return "noon", index + 3
    return "", index


def hint_elsewhere(toks: Tokens) -> str:
    """A part of the day said anywhere serves hours without one: "mañana a la tarde tipo 8"; greetings do not."""
    hints = set()
    for index, token in enumerate(toks):
        part = _PARTS.get(token.text)
        if not part or token.text in ("dia", "mediodia") or word(toks, index - 1) in ("buena", "buen", "media"):
            continue
        if token.text != "manana" or word(toks, index - 1) in ("la", "esta"):
            hints.add(part)
    hints.discard("noon")
    return hints.pop() if len(hints) == 1 else ""
