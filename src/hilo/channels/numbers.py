"""Phone numbers as WhatsApp writes them, which is how those who answer are known."""

import re

# Between the country's code and the number, WhatsApp writes a digit for mobiles that people leave out: +54 9 11…
_MARKS = {54: "9", 52: "1"}
_NATIONAL = 10  # digits of such a number without it
_WRITTEN = re.compile(r"\+?[\d\s().\-/]{7,30}")


def whatsapp_number(written: str, country: str = "") -> tuple[str, str] | None:
    """The digits that WhatsApp knows a number by, and another way in which it may be written; None where it is none.

    A number without its country's code is one of `country`. What begins with 00 is read as +.
    """
    import phonenumbers  # noqa: PLC0415 -- only who reads lists of numbers pays for it

    text = written.strip()
    if not _WRITTEN.fullmatch(text):
        return None
    if text.startswith("00"):
        text = f"+{text[2:]}"
    for candidate in (text, f"+{text.lstrip('+')}", _unmarked(text)):  # a list may have the code without its sign
        try:
            found = phonenumbers.parse(candidate, country or None)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(found):
            break
    else:
        return None
    code, national = found.country_code or 0, str(found.national_number)
    mark = _MARKS.get(code, "")
    plain = national[1:] if mark and len(national) > _NATIONAL and national.startswith(mark) else national
    if not mark or len(plain) != _NATIONAL:
        return f"{code}{national}", ""
    return f"{code}{mark}{plain}", f"{code}{plain}"


def _unmarked(text: str) -> str:
    """A number that WhatsApp's digit stands in, without it: some plans do not have it any more."""
    digits = re.sub(r"\D", "", text)
    for code, mark in _MARKS.items():
        beginning = f"{code}{mark}"
        if digits.startswith(beginning) and len(digits) == len(beginning) + _NATIONAL:
            return f"+{code}{digits[len(beginning) :]}"
    return text
