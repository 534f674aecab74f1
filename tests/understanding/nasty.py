"""Texts that no recogniser may stumble over."""

NASTY = (
    *("", " ", "@" * 500, "soy " * 9000, "1" * 100_000, "a@" * 2000, "1.1" * 900, "\u200b\u200f", "\ud800"),
    *("1e400", "NaN", "\x00\n\x00", "w." * 900),
)
