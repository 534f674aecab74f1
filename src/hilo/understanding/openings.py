"""The words by which contacts dictate something that is kept as they say it: "anota…", "recuérdame…", "borra…".

They are those that open several examples of an intent whose tool is given the message. A message that opens so is
meant for that tool, and where such a word stands again behind a comma or an "y", another wish begins.
"""

import re
from collections import Counter
from collections.abc import Iterator

from hilo.agent.declaration import MESSAGE, Agent
from hilo.recognisers.normalise import fold
from hilo.recognisers.phrases import word_set
from hilo.understanding.once import once_per_agent

STEM, SHORTEST, SEVERAL = 5, 4, 2  # letters that the forms of a verb share, or all; examples that begin alike
_COURTEOUS = word_set(
    "por favor porfa hola che bueno dale ok y buenas oye oiga mira disculpa ademas tambien wey pana parce bro"
)
_WISHES = word_set("quier quisi neces puede podes podri me")  # they may go on with anything
# what opens examples and is no deed: "el viernes a las 18…", "mañana llamar al plomero"
_NO_DEEDS = word_set("el la los las lo un una en de del al a hoy mañana manana todos todas cada no ya mi mis tengo hay")
# what is asked of us in the midst of talk: "hola, mirá, quería pedirte si me podés avisar a las 8"
_ASKED = re.compile(
    r"\b(?:(?:me|no me) (?:l[oa] )?(?:pod|pued)\w+(?: usted)?|(?:necesit|quier|quisier|pid|ped)\w+ que me) (\w+)"
)
_WORD = re.compile(r"\w+")
_JOINT = re.compile(
    r"(?:,\s*|[,;]?\s+(?:y|e|and)\s+)(?:(?:despu[eé]s|luego|adem[aá]s|tambi[eé]n|then|also)\s+)?"
    r"(?:que\s+)?(?:me\s+)?(\w+)",
    re.IGNORECASE,
)


def dictated(agent: Agent, text: str) -> str:
    """The intent whose examples open like a folded text, where it is kept in the contact's own words."""
    opening = next((word for word in _WORD.findall(text) if word not in _COURTEOUS), "")
    asked = (found[1] for found in _ASKED.finditer(text))
    deeds = [word[:STEM] for word in (opening, *asked) if len(word) >= SHORTEST and word[:STEM] not in _WISHES]
    return next((name for deed in deeds for name, stems in _openings(agent).items() if deed in stems), "")


def begins_anew(agent: Agent, text: str) -> Iterator[tuple[int, int]]:
    """Where a wish ends and another begins: "avisame a las 8 sacar la basura y anota comprar pan".

    Behind a comma it does so only after a first one: "tengo dentista el lunes, avisame antes" is one.
    """
    stems = {stem for opening in _openings(agent).values() for stem in opening}
    is_first = bool(stems) and not dictated(agent, fold(text))
    for joint in _JOINT.finditer(text) if stems else ():
        word = fold(joint[1])
        # "comprar pan y avisar a Luis" is one thing to do, "gano 900 y guardo la mitad" one sum
        if word.endswith("r") or (word.endswith("o") and not word.endswith("lo")) or word[:STEM] not in stems:
            continue
        if not is_first or not joint[0].startswith(","):
            yield joint.start(), joint.start(1)
        is_first = False


@once_per_agent
def _openings(agent: Agent) -> dict[str, frozenset[str]]:
    """By intent, the words that open several of its examples: one may begin anyhow."""
    found: dict[str, frozenset[str]] = {}
    for name, intent in agent.intents.items():
        if MESSAGE not in intent.arguments.values() or intent.topic != "order":
            continue
        firsts = [next(iter(_WORD.findall(fold(text))), "") for text in intent.examples]
        counted = Counter(word[:STEM] for word in firsts if word not in _NO_DEEDS)
        found[name] = frozenset(stem for stem, times in counted.items() if times >= SEVERAL)
    return found
