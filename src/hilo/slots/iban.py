"""The number of a bank account in the international form, with its check digits."""

import re
from collections.abc import Iterator
from functools import lru_cache

from hilo.recognisers.found import Found, Value
from hilo.recognisers.normalise import Text
from hilo.slots.slot_type import Example, SlotRules, SlotType, said_alike, spanish
from hilo.slots.utterance import Utterance

MIN_LENGTH, MAX_LENGTH = 15, 34
_START = re.compile(r"(?<![a-z0-9])[a-z]{2}[ .-]?\d[ .-]?\d(?=[ .-]{0,2}[a-z0-9])")
_GROUP = re.compile(r"[ .-]{0,2}[a-z0-9]+")
_BETWEEN = re.compile(r"[\s.\-]")
_LABEL = re.compile(r"^IBAN:?")


def _accept(value: Value, _slot: SlotRules, _country: str) -> Value | None:
    compact = _LABEL.sub("", _BETWEEN.sub("", str(value)).upper())
    return compact if _is_valid(compact) else None


@lru_cache(maxsize=256)  # one turn asks several times about the same value
def _is_valid(compact: str) -> bool:
    """Whether check digits, length and form are right; lists of banks grow old, so no bank is looked up."""
    from stdnum import iban

    fits = MIN_LENGTH <= len(compact) <= MAX_LENGTH and compact.isascii()
    return fits and bool(iban.is_valid(compact, check_country=False))


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    return said.once("iban", lambda: _find_ibans(said.text))


def _find_ibans(text: Text) -> tuple[Found, ...]:
    from hilo.recognisers.people.transcript import with_spoken

    return with_spoken(text, lambda typed: tuple(_ibans(typed.folded)))


def _ibans(folded: str) -> Iterator[Found]:
    end = 0
    for start in _START.finditer(folded):
        if start.start() >= end and (found := _from(folded, start.start())):
            end = found.end
            yield found


def _from(folded: str, start: int) -> Found | None:
    """The number that begins here; words may follow its groups, so the check digits tell where it ends."""
    end, compact = start, ""
    while len(compact) <= MAX_LENGTH and (group := _GROUP.match(folded, end)):
        end = group.end()
        compact += _BETWEEN.sub("", group.group()).upper()
        if _is_valid(compact):
            return Found("iban", compact, start, end, 95)
    return None


def _show(value: Value, _word: object) -> str:
    """In groups of four, as banks print it."""
    digits = str(value)
    return " ".join(digits[place : place + 4] for place in range(0, len(digits), 4))


_SHOWN = "ES91 2100 0418 4502 0005 1332"
_STORED = "ES9121000418450200051332"

TYPE = SlotType(
    name="iban",
    summary="a bank account (IBAN) with valid check digits, stored without spaces and shown in groups of four",
    aliases=("account", "bank_account", "account_number", "cuenta", "cuenta_bancaria", "numero_de_cuenta"),
    called=(
        *("iban", "cuenta", "cuenta bancaria", "numero de cuenta", "cuenta corriente"),
        *("account", "bank account", "account number"),
    ),
    phrases={
        "invalid.iban": {
            **spanish(
                "Ese IBAN no parece válido. Escríbelo completo, por ejemplo ES91 2100 0418 4502 0005 1332.",
                "Sigo sin poder leer el IBAN. Revisa que no falte ni sobre ninguna cifra.",
                vos=(
                    "Ese IBAN no parece válido. Escribilo completo, por ejemplo ES91 2100 0418 4502 0005 1332.",
                    "Sigo sin poder leer el IBAN. Revisá que no falte ni sobre ninguna cifra.",
                ),
                usted=(
                    "Ese IBAN no parece válido. Escríbalo completo, por ejemplo ES91 2100 0418 4502 0005 1332.",
                    "Sigo sin poder leer el IBAN. Revise que no falte ni sobre ninguna cifra.",
                ),
            ),
            "pt-BR": (
                "Esse IBAN não parece válido. Escreva completo, por exemplo ES91 2100 0418 4502 0005 1332.",
                "Ainda não consegui ler o IBAN. Confira se não falta nem sobra nenhum dígito.",
            ),
            "en": (
                "That IBAN doesn't look right. Write it in full, such as GB82 WEST 1234 5698 7654 32.",
                "I still can't read the IBAN. Please check that no digit is missing or one too many.",
            ),
        }
    },
    examples=said_alike(
        Example(said="mi cuenta es es91 2100 0418 4502 0005 1332", stored=_STORED, shown=_SHOWN),
        english=Example(said="my IBAN is ES9121000418450200051332", stored=_STORED, shown=_SHOWN),
        portuguese=Example(said="minha conta é ES91 2100 0418 4502 0005 1332", stored=_STORED, shown=_SHOWN),
    ),
    find=_find,
    accept=_accept,
    show=_show,
    volunteered="always",
    is_listed=True,
)
