"""Read digits with their separators: 2.350,50, 1'500.000, 2½."""

from decimal import Decimal

_POINT_COUNTRIES = frozenset(("MX", "US", "GB", "GT", "HN", "NI", "SV", "PA", "DO", "PR", "PE", "EN", "CA", "AU"))
_LONGEST = 18  # digits; what is longer is an identifier or a prank, not a number
_THIRDS = 4  # decimals kept of a third


def read_digits(text: str, country: str = "") -> Decimal | None:
    """Digits with their separators; a point before three digits groups thousands except where it marks decimals."""
    text = text.replace("’", "'")
    if len(text) > _LONGEST + 6 or "\u2044" in text:
        return read_vulgar(text) if len(text) <= _LONGEST else None
    digits = _without_apostrophes(text) if "'" in text else text
    marks = [mark for mark in digits if mark in ".,"]
    if not marks:
        return Decimal(digits) if len(digits) <= _LONGEST and digits.isdecimal() else None
    if len(set(marks)) == 1:
        return _one_separator(digits, marks[0], country)
    return _two_separators(digits, marks)


def read_vulgar(text: str) -> Decimal | None:
    """1⁄2 as the folding leaves it, with a whole number before it: 2½."""
    top, _, bottom = text.partition("\u2044")
    if not (top.isdecimal() and bottom.isdecimal()) or int(bottom) == 0:
        return None
    return Decimal(top[:-1] or 0) + ratio_of(top[-1], bottom)


def ratio_of(top: str, bottom: str) -> Decimal:
    """A fraction in decimals."""
    return round(Decimal(top) / Decimal(bottom), _THIRDS).normalize()


def _without_apostrophes(text: str) -> str:
    """1'500.000 (CO) and 1'500,000 (MX): the apostrophe marks the millions."""
    groups = text.replace(",", "'").replace(".", "'").split("'")
    return "".join(groups) if all(len(group) == 3 for group in groups[1:]) else text.replace("'", "")  # noqa: PLR2004


def _one_separator(digits: str, mark: str, country: str) -> Decimal | None:
    groups = digits.split(mark)
    grouped = len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])  # noqa: PLR2004
    if len(groups) > 2:  # noqa: PLR2004
        return Decimal("".join(groups)) if grouped and len(digits) <= _LONGEST + 6 else None
    if grouped and groups[0].strip("0") and not (mark == "." and country in _POINT_COUNTRIES):
        return Decimal("".join(groups))
    return Decimal(".".join(groups)) if len(digits) <= _LONGEST else None


def _two_separators(digits: str, marks: list[str]) -> Decimal | None:
    decimal = marks[-1]
    if marks.count(decimal) > 1 and len(set(marks[1:])) == 1:  # 1'500.000 mixed as 1.500,000,000
        return None
    whole, _, cents = digits.rpartition(decimal)
    other = "." if decimal == "," else ","
    groups = whole.split(other)
    if decimal in whole or any(len(group) != 3 for group in groups[1:]) or len(groups[0]) > 3:  # noqa: PLR2004
        return None
    return Decimal("".join(groups) + "." + cents)
