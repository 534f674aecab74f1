"""One of the words that the author lists."""

from hilo.recognisers.found import Found, Value
from hilo.slots.slot_type import Example, SlotRules, SlotType, said_alike, spanish
from hilo.slots.utterance import Utterance


def accept_choice(value: Value, slot: SlotRules, _country: str) -> Value | None:
    """The choice of that name, in any case."""
    wanted = str(value).strip().casefold()
    return next((choice for choice in slot.choices if choice.casefold() == wanted), None)


def find_named(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:
    """The choices that are named, or told by their number where they were just shown."""
    return said.once(f"choice:{id(slot)}:{asked}", lambda: _named(said, slot, asked=asked))


def _named(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:
    from hilo.recognisers.choices import find_choices

    return find_choices(said.text, slot.choices, numbered=asked)


TYPE = SlotType(
    name="choice",
    summary="one of the `choices`, by its name, a synonym, its place, size or price; they are shown as buttons",
    aliases=("enum", "option", "opcion", "options", "opciones", "choices", "select", "list", "lista"),
    phrases={
        "invalid.choice": {
            **spanish(
                "Elige una de estas opciones: {choices}.",
                vos=("Elegí una de estas opciones: {choices}.",),
                usted=("Elija una de estas opciones: {choices}.",),
            ),
            "en": ("Please pick one of these: {choices}.",),
            "pt-BR": ("Escolha uma destas opções: {choices}.",),
        }
    },
    examples=said_alike(
        Example(said="la verde, por favor", stored="verde", shown="verde"),
        english=Example(said="verde, please", stored="verde", shown="verde"),
        portuguese=Example(said="a verde, por favor", stored="verde", shown="verde"),
    ),
    keys=frozenset({"choices"}),
    needs={"choices": "choices: [rojo, azul]"},
    find=find_named,
    accept=accept_choice,
    sort="choice",
    volunteered="as_a_wish",
)
