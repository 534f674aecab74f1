"""The only tool of the leads desk: it keeps what a person wants, in their own words, for whoever calls them."""

import re

from hilo import tool

LONGEST = 140  # characters

_LEAD_IN = re.compile(
    r"^.*?\b(?:quiero|quisiera|queremos|necesito|necesitamos|busco|buscamos|me interesa[n]?|me gustaría)\b\s*"
    r"(?:(?:que\s+)?(?:me|nos)\s+(?:hagan|hacer|ayuden con)\s+)?",
    re.IGNORECASE | re.DOTALL,
)


@tool
def note_need(text: str) -> dict[str, object]:
    """Keep what the contact wants. text: their words, as "quiero publicidad en redes"."""
    words = " ".join(_LEAD_IN.sub("", text, count=1).split()).strip(" .,!¡¿?")
    return {"need": words[:LONGEST] or text[:LONGEST]}
