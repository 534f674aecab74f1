"""The number of a national document, with the check digits of its country."""

import re
from importlib import import_module

from hilo.recognisers.found import Found, Value
from hilo.slots.slot_type import Example, SlotRules, SlotType, said_alike, spanish
from hilo.slots.utterance import Utterance

_IDS = {
    "AR": ("ar.dni", "ar.cuit"),
    "BR": ("br.cpf",),
    "CL": ("cl.rut",),
    "CO": ("co.nit",),
    "ES": ("es.dni", "es.nie", "es.cif"),
    "MX": ("mx.curp", "mx.rfc"),
    "PE": ("pe.cui", "pe.ruc"),
}
_PLAIN_IDS = {"CO": r"\d{5,10}", "PE": r"\d{8}", "AR": r"\d{7,8}"}  # numbers without a check digit


def _accept(value: Value, _slot: SlotRules, country: str) -> Value | None:
    compact = re.sub(r"[\s.\-]", "", str(value)).upper()
    if not re.fullmatch(r"[A-Z0-9]{5,20}", compact) or not re.search(r"\d", compact):
        return None
    if country not in _IDS or re.fullmatch(_PLAIN_IDS.get(country, "-"), compact):
        return compact
    return next((kept for kind in _IDS[country] if (kept := _checked(kind, compact))), None)


def _checked(kind: str, number: str) -> str | None:
    module = import_module(f"stdnum.{kind}")
    return str(module.compact(number)) if module.is_valid(number) else None


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    return said.once(f"national_id:{asked}", lambda: _ids(said, asked=asked))


def _ids(said: Utterance, *, asked: bool) -> tuple[Found, ...]:
    from hilo.recognisers.people.ids import find_bare_numbers, find_national_ids

    return find_national_ids(said.text, country=said.country) or (find_bare_numbers(said.text) if asked else ())


TYPE = SlotType(
    name="national_id",
    summary="the number of a national document of AR, BR, CL, CO, ES, MX or PE with its check digits, "
    "of another country as it is: `12.345.678-5` → `123456785`",
    aliases=("id", "dni", "documento", "document", "cedula", "rut", "curp", "cuit", "cpf", "nit", "passport", "tax_id"),
    called=("documento", "dni", "cedula", "rut", "curp", "cuit", "nit", "identificacion"),
    phrases={
        "invalid.national_id": {
            **spanish(
                "Ese documento no parece válido. Escríbelo completo, sin puntos ni espacios.",
                vos=("Ese documento no parece válido. Escribilo completo, sin puntos ni espacios.",),
                usted=("Ese documento no parece válido. Escríbalo completo, sin puntos ni espacios.",),
            ),
            "es-ES": ("Ese documento no parece válido. Escríbelo completo, con la letra, por ejemplo 12345678Z.",),
            "pt-BR": ("Esse documento não parece válido. Escreva completo, sem pontos nem espaços.",),
            "en": ("That document number doesn't look right. Write it in full, without dots or spaces.",),
        }
    },
    examples=said_alike(
        Example(said="mi documento es 30.123.456", stored="30123456", shown="30123456"),
        english=Example(said="my id is 30.123.456", stored="30123456", shown="30123456"),
        portuguese=Example(said="meu documento é 30.123.456", stored="30123456", shown="30123456"),
    ),
    find=_find,
    accept=_accept,
    may_be=lambda said: said.has_digits,
    volunteered="always",
    is_listed=True,
)
