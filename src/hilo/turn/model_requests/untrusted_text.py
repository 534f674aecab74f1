"""Texts of others inside a prompt: they cannot close the brackets that we put around them."""

import re

_TAG = re.compile(
    r"<(?=\s*/?\s*(?:message|earlier|situation|results?|system|instructions?|text|said)\b)", re.IGNORECASE
)
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")


def quoted(text: str) -> str:
    """The text without invisible characters, and with our own tags made harmless."""
    return _TAG.sub("‹", _INVISIBLE.sub("", text))


def bounded(text: str, most: int) -> str:
    """At most so many characters, and it shows where something was left out."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most} characters left out)"
