"""A yes or a no."""

from hilo.recognisers.found import Found, Value
from hilo.slots.slot_type import Example, SlotRules, SlotType, said_alike, spanish
from hilo.slots.utterance import Utterance


def _accept(value: Value, _slot: SlotRules, _country: str) -> Value | None:
    return value if isinstance(value, bool) else None


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    return said.yes_or_no


TYPE = SlotType(
    name="boolean",
    summary="yes or no, stored as `true` or `false`; shown as two buttons",
    aliases=("bool", "yes_no", "yesno", "si_no", "sino", "flag", "booleano"),
    phrases={
        "invalid.boolean": {
            **spanish(
                "Respóndeme «sí» o «no», por favor.",
                vos=("Respondeme «sí» o «no», por favor.",),
                usted=("Respóndame «sí» o «no», por favor.",),
            ),
            "en": ("Please answer “yes” or “no”.",),
            "pt-BR": ("Responda “sim” ou “não”, por favor.",),
        },
        "word.yes": {**spanish("sí"), "en": ("yes",), "pt-BR": ("sim",)},
        "word.no": {**spanish("no"), "en": ("no",), "pt-BR": ("não",)},
    },
    examples=said_alike(
        Example(said="sí, dale", stored=True, shown="sí"),
        english=Example(said="yes please", stored=True, shown="yes"),
        portuguese=Example(said="sim, claro", stored=True, shown="sim"),
    ),
    find=_find,
    accept=_accept,
    sort="boolean",
)
