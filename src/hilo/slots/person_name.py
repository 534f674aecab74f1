"""The name of a person, whole or its given or family `part`."""

import re
from typing import Literal

from hilo.recognisers.found import Found, Value
from hilo.recognisers.normalise import Text, fold
from hilo.slots.slot_type import Example, SlotRules, SlotType, said_alike, spanish
from hilo.slots.text import clean
from hilo.slots.utterance import Utterance

Part = Literal["", "given", "family"]

MIN_LETTERS, MAX_WORDS, MAX_NAME = 2, 7, 80
_IS = re.compile(r"\b(?:es|esta|sale|muy|re) $")
_ODD = frozenset('@/\\<>{}[]=_#$%&*+|~^¿?!¡:;"')

# what contacts call a part, whatever else the agent asks for
CALLED_BY_PART = {
    "given": ("nombre", "nombres", "name", "first name", "me llamo"),
    "family": ("apellido", "apellidos", "last name", "surname", "family name"),
}


def _accept(value: Value, _slot: SlotRules, _country: str) -> Value | None:
    name = clean(value).strip(" .,;") if isinstance(value, str) else ""
    letters = sum(letter.isalpha() for letter in name)
    odd = any(letter.isdigit() or letter in _ODD for letter in name)
    fits = letters >= MIN_LETTERS and len(name) <= MAX_NAME and len(name.split()) <= MAX_WORDS
    return name if fits and not odd else None


def _with_family(stored: str, new: str) -> str:
    """Who is called Lorena Ibáñez and says "soy Lorena" keeps the family name."""
    return stored if fold(stored).split()[:1] == fold(new).split() else new


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:
    if slot.part:
        return find_part(said, slot.part, asked=slot.part if asked else "")
    return _names(said, asked=asked)


def find_part(said: Utterance, part: Part, *, asked: Part) -> tuple[Found, ...]:
    """The given or the family names of the message; what is said to be a family's is no given name.

    `asked` is the part that was asked for, which may be the other one.
    """
    return said.once(f"part:{part}:{asked}", lambda: _parts(said, part, asked=asked))


def _parts(said: Utterance, part: Part, *, asked: Part) -> tuple[Found, ...]:
    from hilo.recognisers.people.name_parts import part_of

    families = _families(said, asked=asked == "family")
    apart = [each for each in _names(said, asked=bool(asked)) if _is_apart(each, families)]
    english = said.language.startswith("en")
    parts = [part_of(each, said.text, part, asked=asked, english=english) for each in _one_person(apart)]
    return (*(families if part == "family" else ()), *(each for each in parts if each))


def _names(said: Utterance, *, asked: bool) -> tuple[Found, ...]:
    return said.once(f"person_name:{asked}", lambda: _whole_names(said, asked=asked))


def _whole_names(said: Utterance, *, asked: bool) -> tuple[Found, ...]:
    from hilo.recognisers.people.names import find_person_names

    found = said.names(said.text, asked) if said.names else find_person_names(said.text, asked=asked)
    named = (each for each in found if not _tells_what_it_is_like(said.text, each))
    return tuple(each for each in named if not _is_of_a_street(said, each))


def _is_of_a_street(said: Utterance, found: Found) -> bool:
    """Whether more of a street stands before and behind a name: San Martín 860 is nobody called Martín."""
    from hilo.slots.places import streets

    return any(each.start < found.start and found.end < each.end for each in streets(said))


def _tells_what_it_is_like(text: Text, found: Found) -> bool:
    """Whether an everyday word only describes something: "sacá el hielo, es caro" calls nobody Caro."""
    from hilo.recognisers.people.name_words import NOT_FIRST

    first, last = text.span(found.start, found.end)
    written = text.raw[first:last]
    return written.islower() and fold(written) in NOT_FIRST and _IS.search(text.folded[: found.start]) is not None


def _families(said: Utterance, *, asked: bool) -> tuple[Found, ...]:
    from hilo.recognisers.people.names import find_family_names

    return said.once(f"family_name:{asked}", lambda: find_family_names(said.text, asked=asked))


def _is_apart(found: Found, others: tuple[Found, ...]) -> bool:
    return all(found.end <= other.start or found.start >= other.end for other in others)


def _one_person(names: list[Found]) -> list[Found]:
    """The surest name, as fully as it is written: nobody gets the family of another."""
    surest = min(names, key=lambda each: (-each.confidence, each.start), default=None)
    first = str(surest.value).split()[0] if surest else ""
    same = [each for each in names if str(each.value).split()[0] == first]
    return [max(same, key=lambda each: len(str(each.value)))] if same else []


TYPE = SlotType(
    name="person_name",
    summary="the name of a person, as it is written; `part` takes the given or the family name of it",
    aliases=("name", "nombre", "person", "persona", "full_name", "fullname", "first_name", "last_name", "apellido"),
    called=("nombre", "name", "me llamo"),
    phrases={
        "invalid.person_name": {
            **spanish(
                "Eso no me parece un nombre. Escríbelo tal como quieres que te llamemos.",
                vos=("Eso no me parece un nombre. Escribilo tal como querés que te llamemos.",),
                usted=("Eso no me parece un nombre. Escríbalo tal como quiere que lo llamemos.",),
            ),
            "pt-BR": ("Isso não me parece um nome. Escreva do jeito que você quer ser chamado.",),
            "en": ("That doesn't look like a name. Write it the way you'd like to be called.",),
        }
    },
    examples=said_alike(
        Example(said="soy Ana Pérez", stored="Ana Pérez", shown="Ana Pérez"),
        english=Example(said="my name is Ana Pérez", stored="Ana Pérez", shown="Ana Pérez"),
        portuguese=Example(said="meu nome é Ana Souza", stored="Ana Souza", shown="Ana Souza"),
    ),
    keys=frozenset({"part"}),
    find=_find,
    accept=_accept,
    volunteered="always",
    names_person=True,
    keep=_with_family,
    may_be=lambda _: False,  # a name is what the recogniser takes for one
)
