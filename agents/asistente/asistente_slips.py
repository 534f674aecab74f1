"""What a contact puts right within one message: "a las 5, no, mejor a las 6", "comprar leche, digo yerba"."""

import re
from datetime import datetime

from hilo import language

_LEADS = r"(?:(?:a|para|de|el|la|las|los|al|tipo)\s+)*"
_BEFORE = re.compile(rf"[\s,]*\b{_LEADS}$", re.IGNORECASE)
# what stands between a moment and the one in its place
_RATHER = re.compile(
    r"(?:\b(?:digo|perd[oó]n|mejor(?: dicho)?|en realidad|me equivoqu[eé]|quise decir)\b|,\s*(?:uy |ay )?no\b)"
    rf"(?:[\s,.;]+(?:no|perd[oó]n|mejor|digo|bueno|que sea|es|era))*[\s,.;]+{_LEADS}$",
    re.IGNORECASE,
)
_OPENS = re.compile(r"[\s,.;]*\b(?:no|ay|uy|bueno|o)?[\s,.;]*$", re.IGNORECASE)
_WORDS = re.compile(
    r"(?P<before>\S.*?)[\s,.;]*"
    r"(?:[,.;]\s*(?:uy |ay )?(?:no[\s,]+)?(?:perd[oó]n|digo|me equivoqu[eé])"
    r"|(?<!que )\bno[\s,]+(?:perd[oó]n|digo|mejor)"
    r"|(?<!que )(?<!le )(?<!les )(?<!te )\bdigo|\bmejor dicho|\bquise decir)\b"
    r"[\s,.:;]*(?:(?:que|es|era)\s+)*(?P<after>\S.*)",
    re.IGNORECASE,
)


def moments_put_right(text: str, now: datetime) -> str:
    """A text without the moments that others take the place of: "a las 5 no mejor a las 6" is "a las 6"."""
    said = language.normalise(text)
    times = [(*said.span(each.start, each.end), "time") for each in language.find_times(said, now=now)]
    dates = [(*said.span(each.start, each.end), "date") for each in language.find_dates(said, now=now)]
    found = sorted(times + dates)
    for place, (start, _, _) in enumerate(found[1:], 1):
        end_before = found[place - 1][1]
        rather = _RATHER.search(said.raw[end_before:start])
        if rather is None:
            continue
        kinds = {kind for _, _, kind in found[place:]}
        kept = said.raw[: end_before + rather.start()]
        for given_up in reversed([each for each in found[:place] if each[2] in kinds]):
            kept = f"{_BEFORE.sub('', kept[: given_up[0]])}{kept[given_up[1] :]}"
        led = re.search(rf"{_LEADS}$", said.raw[:start], re.IGNORECASE)
        return f"{_OPENS.sub('', kept)} {led[0] if led else ''}{said.raw[start:]}".strip()
    return text


def words_put_right(text: str) -> str:
    """A text with the last of two wordings: what is said anew takes the place of as many words before it."""
    found = _WORDS.fullmatch(text)
    if found is None:
        return text
    before, after = found["before"].split(), found["after"].split()
    alike = [place for place, word in enumerate(before) if language.fold(word) == language.fold(after[0])]
    kept = before[: alike[-1]] if alike else before[: max(0, len(before) - len(after))]
    return " ".join([*kept, *after])
