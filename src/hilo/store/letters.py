"""Letters as people search for them: without accents and capitals, the same in both databases."""

_ROWS = {
    "a": "áàâäãåÁÀÂÄÃÅ",
    "e": "éèêëÉÈÊË",
    "i": "íìîïÍÌÎÏ",
    "o": "óòôöõÓÒÔÖÕ",
    "u": "úùûüÚÙÛÜ",
    "n": "ñÑ",
    "c": "çÇ",
}
ACCENTED = "".join(_ROWS.values())
PLAIN = "".join(plain * len(accented) for plain, accented in _ROWS.items())

_TABLE = str.maketrans(ACCENTED, PLAIN)


def plain_letters(text: str | None) -> str:
    """Small letters without accents."""
    return (text or "").translate(_TABLE).lower()


def plain_letters_in_postgres(expression: str) -> str:
    """The same of an expression, in PostgreSQL's words."""
    return f"lower(translate({expression}, '{ACCENTED}', '{PLAIN}'))"
