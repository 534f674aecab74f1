"""Weeks, months and years with how far off they are: la semana que viene, el mes pasado, next year."""

from hilo.recognisers.amounts.lexicon import one_of
from hilo.recognisers.amounts.tokens import Tokens, word

NEXT = one_of("proximo proxima prox siguiente entrante next")
PAST = one_of("pasado pasada anterior ultimo ultima last")
_PERIODS = {
    "semana": "semana",
    "week": "semana",
    "mes": "mes",
    "month": "mes",
    "ano": "ano",
    "year": "ano",
    "sem": "semana",
}


def period(toks: Tokens, index: int) -> tuple[str, int, int] | None:
    """A week, month or year with how far off it is: la próxima semana, el mes que viene, este año, next week."""
    before = word(toks, index)
    start = index + (before in NEXT or before in PAST or before in ("este", "esta", "this", "otra", "otro"))
    name = _PERIODS.get(word(toks, start))
    if not name:
        return None
    end = start + 1
    if start > index:
        shift = 1 if before in NEXT or before.startswith("otr") else -1 if before in PAST else 0
        return name, shift, end
    return _period_after(toks, name, end)


def _period_after(toks: Tokens, name: str, end: int) -> tuple[str, int, int] | None:
    following = word(toks, end)
    if following in ("que", "q", "k", "ke") and word(toks, end + 1) in ("viene", "biene", "entra", "sigue", "paso"):
        return name, -1 if word(toks, end + 1) == "paso" else 1, end + 2
    if following in NEXT or following in PAST:
        return name, 1 if following in NEXT else -1, end + 1
    return (name, 0, end + 1) if following in ("actual", "corriente") else (name, 0, end) if name == "mes" else None
