"""A message is a sequence of things: where one may end and the next begin, and what each of them means.

All who part a message do it at its joints. A firm one (a mark, "¿", "y después", "y cuánto") always parts. A loose one,
a comma or an "y" alone, mostly joins what is one thing ("una coca y un alfajor"), so that no pattern can tell: it parts
where each side surely means something else, or where one does and the other only gives values ("cerralo, Mitre 1450").
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal, Protocol

from hilo.agent.declaration import MESSAGE, Agent
from hilo.recognisers.normalise import Span, fold
from hilo.understanding.intents.gist import is_courtesy
from hilo.understanding.openings import begins_anew, dictated

Topic = Literal["order", "info", "mixed", ""]

EDGES = " ,¿¡"
SHORTEST = 3  # letters; less than that is no part of its own
MOST_CLAUSES, LONGEST_RANKED = 4, 300  # more is a speech: its beginning is ranked as one
MOST_JOINTS = 3  # at which both sides are ranked
SURE_INTENT, LIKELY_INTENT = 60, 45  # below them an intent is not proposed: while an answer is waited for, and else
SURE_OF_A_SIDE, LIKELY_SIDE = 85, 70
UNSURE = 60  # what is meant less surely as a whole may be surer without the values beside it
UNFINISHED = (",", ":", "…", "...", " y", " o", " e", " de", " con", " para", " and")  # what no message ends with
ANYTHING = "algo"  # what a placeholder is for the intent model

_ASKS = r"qu[eé]|q|si|cu[aá]l|cu[aá]nt[oa]s?|cu[aá]ndo|c[oó]mo|d[oó]nde|a qu[eé]|what|how|when|where"
_FIRM = (
    r"(?:[?!;\n]|\.(?!\d))+|,\s+(?=¿|(?:y|e|pero|adem[aá]s|tambi[eé]n|and|but)\b)|(?<=\w)\s+¿"
    rf"|\s+(?:y|and)\s+(?=(?:{_ASKS})\b)|\s+(?:y|e|pero|and|but)\s+(?=¿)"
    r"|,?\s+(?:y|and)\s+(?:despu[eé]s|luego|adem[aá]s|tambi[eé]n|then|also)\s+(?!a las? \d)"
    r"|,?\s+(?:y|pero|and|but)\s+(?:tengo |te hago |le hago |i have )?(?:una|otra|a) "
    r"(?:duda|pregunta|preguntita|consulta|question)\b[\s,:]*"
)
# "litro y medio", "las 8 y cuarto" and "treinta y dos" are one number
_TENS = r"(?<!treinta)(?<!renta)(?<!cuenta)(?<!senta)(?<!tenta)(?<!venta)(?<!veinte)"
_LOOSE = rf",\s+(?:(?:y|e|and)\s+)?|{_TENS}\s+(?:y|e|pero|and|but)\s+(?!(?:medi[oa]|cuarto|pico|half)\b)"
_JOINT = re.compile(rf"(?P<firm>{_FIRM})|(?:{_LOOSE})", re.IGNORECASE)
_DENIES = re.compile(r"\W*(?:no|ni|sin|not|don'?t)\b", re.IGNORECASE)
_COUNTS = re.compile(r"(?:un[oa]?|dos|tres|cuatro|cinco|\d+)\b", re.IGNORECASE)
_YES = re.compile(r"\W*s[ií]+p?", re.IGNORECASE)
# what only leads to the wish: "si acá son las 3, ¿qué hora es en Madrid?"
_SUPPOSES = re.compile(r"\W*(?:cuando|si (?:ac[aá]|aqu[ií]|all[aáií]|en|son|fuera|hoy|ma[nñ]ana))\b", re.IGNORECASE)
_LEAD = re.compile(r"^[ ,¿¡]*(?:(?:y|e|and)\s+)?", re.IGNORECASE)  # what leads from one part to the next
_LETTERS = re.compile(r"[^\W\d_]+")


class Ranked(Protocol):
    """What an intent model says of a text."""

    @property
    def intent(self) -> str | None: ...
    @property
    def confidence(self) -> int: ...
    @property
    def alternatives(self) -> tuple[tuple[str, int], ...]: ...


@dataclass(frozen=True, slots=True)
class OpenedLike:
    """What a part means by the word that it opens with."""

    intent: str
    confidence: int = SURE_INTENT
    alternatives: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a message, in the contact's words, where it stands, and what it means."""

    text: str
    ranked: Ranked
    start: int = 0

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def meets(self, start: int, end: int) -> bool:
        """Whether some of these words are its own."""
        return start < self.end and self.start < end


@dataclass(frozen=True, slots=True)
class Joint:
    """Where one thing may end and the next begin."""

    start: int
    end: int
    firm: bool


def joints(text: str, agent: Agent | None = None) -> list[Joint]:
    """All joints of a text; with an agent, also where a wish begins that is kept in the contact's words."""
    anew = [Joint(*span, firm=True) for span in begins_anew(agent, text)] if agent else []
    taken = [(each.start, each.end) for each in anew]
    apart = [
        each for each in _written_joints(text) if all(each.end <= start or end <= each.start for start, end in taken)
    ]
    return sorted((*anew, *apart), key=lambda each: each.start)


@lru_cache(maxsize=64)  # all who part a message ask for the same
def _written_joints(text: str) -> tuple[Joint, ...]:
    return tuple(Joint(*each.span(), firm=_is_firm(text, each)) for each in _JOINT.finditer(text))


def _is_firm(text: str, joint: re.Match[str]) -> bool:
    """Whether a joint always parts: by its marks and words, or since nothing but a yes stands before it."""
    leads = joint[0].startswith(",") and _SUPPOSES.match(text, 0, joint.start())
    return not leads and (joint["firm"] is not None or _YES.fullmatch(text, 0, joint.start()) is not None)


def clauses(text: str, agent: Agent | None = None, *, loose: bool = False) -> tuple[Span, ...]:
    """Where the parts of a message stand that may be about different things: "agregá una sprite, ¿y hasta cuándo?"."""
    cut = [each for each in joints(text, agent) if each.firm or loose]
    breaks = [(0, 0), *((each.start, each.end) for each in cut), (len(text), len(text))]
    spans = [(before[1], after[0]) for before, after in pairwise(breaks)]
    return tuple((start, end) for start, end in spans if len(text[start:end].strip(EDGES)) >= SHORTEST)


def ranked_parts(
    agent: Agent, text: str, rank: Callable[[Span], Ranked], gives_values: Callable[[Span], bool]
) -> tuple[Part, ...]:
    """What the parts of a message mean, the surest first; a message of one part is ranked once."""
    spans = clauses(text[:LONGEST_RANKED], agent)
    # "…, gracias" is no second wish, and would be the surest of them
    spans = tuple(span for span in spans if not is_courtesy(text[slice(*span)])) or spans
    whole = spans if len(spans) == 1 and _YES.match(text, 0, spans[0][0]) else ((0, len(text[:LONGEST_RANKED])),)
    found: list[Part] = []
    for span in spans if 1 < len(spans) <= MOST_CLAUSES else whole:
        found += (_part(text, *each) for each in wishes(text, span, rank, gives_values))
    found = [_as_dictated(agent, part) for part in found]
    return tuple(sorted(found, key=lambda each: -each.ranked.confidence))


def _part(text: str, span: Span, ranked: Ranked) -> Part:
    start, end = span
    said = _LEAD.sub("", text[start:end])
    return Part(said.strip(EDGES), ranked, end - len(said.lstrip(EDGES)))


def wishes(
    text: str, span: Span, rank: Callable[[Span], Ranked], gives_values: Callable[[Span], bool]
) -> list[tuple[Span, Ranked]]:
    """A part of a message as it is, or the two wishes that a loose joint joins, each with its meaning."""
    start, end = span
    whole = rank(span)
    for joint in _tried(text, span):
        sides = ((start, joint.start), (joint.end, end))
        # The second side costs as much as a whole message: it is ranked only where the two may still be parted.
        before = rank(sides[0])
        may_give_values = whole.confidence < UNSURE and any(map(gives_values, sides))
        if not may_give_values and (not before.intent or before.confidence < LIKELY_SIDE):
            continue
        after = rank(sides[1])
        told = [one for one, other in ((before, sides[1]), (after, sides[0])) if _is_sure(one) and gives_values(other)]
        likely = min(before.confidence, after.confidence) >= LIKELY_SIDE and bool(before.intent and after.intent)
        are_two = likely and (_is_sure(before) or _is_sure(after)) and before.intent != after.intent
        if are_two or (told and whole.confidence < UNSURE):
            return [(sides[0], before), (sides[1], after)]
    return [(span, whole)]


def _tried(text: str, span: Span) -> Iterator[Joint]:
    """The joints inside a part that may join two wishes: what is counted behind an "y" is no other one."""
    start, end = span
    inside = [each for each in joints(text) if start < each.start and each.end < end and not each.firm]
    inside = [] if _SUPPOSES.match(text, start, end) else inside
    spoken = [each for each in inside if "," in text[each.start : each.end] or not _COUNTS.match(text, each.end)]
    for joint in spoken[:MOST_JOINTS]:
        sides = ((start, joint.start), (joint.end, end))
        letters = [len("".join(_LETTERS.findall(text, *side))) for side in sides]
        if min(letters) >= SHORTEST and not any(denies(text[slice(*side)]) for side in sides):
            yield joint


def denies(text: str) -> bool:
    """Whether a part opens with a no: "no quiero reservar"."""
    return _DENIES.match(text) is not None


def _is_sure(ranked: Ranked) -> bool:
    return bool(ranked.intent) and ranked.confidence >= SURE_OF_A_SIDE


def is_sure_or_alone(ranked: Ranked) -> bool:
    """Whether an intent is proposed where nothing is asked: not to answer is no better than to be wrong at times."""
    return ranked.confidence >= LIKELY_INTENT


def _as_dictated(agent: Agent, part: Part) -> Part:
    """A part that opens like examples of an intent means that, if it means nothing else surely: "borra el del traje".

    What is to be noted may ask something: "anota preguntarle a Luis a qué hora viene".
    """
    is_asked = part.ranked.intent in agent.intents and not _is_order(agent, part.ranked.intent or "")
    bar = SURE_OF_A_SIDE if is_asked else LIKELY_INTENT
    if part.ranked.confidence >= bar:
        return part
    opened = dictated(agent, fold(part.text)) or _likely_deed(agent, part.ranked)
    return replace(part, ranked=OpenedLike(opened)) if opened else part


def _likely_deed(agent: Agent, ranked: Ranked) -> str:
    """The likeliest intent, where it is kept in the contact's words and likely enough together with others that are."""
    if not ranked.intent or not _is_deed(agent, ranked.intent):
        return ""
    together = ranked.confidence + sum(likely for name, likely in ranked.alternatives if _is_deed(agent, name))
    return ranked.intent if together >= LIKELY_INTENT else ""


def _is_deed(agent: Agent, name: str) -> bool:
    """Whether an intent is done with the contact's own words, and orders no goods."""
    intent = agent.intents[name] if _is_order(agent, name) else None
    return intent is not None and MESSAGE in intent.arguments.values() and intent.do not in agent.ordering.values()


def topic_of(agent: Agent, meant: tuple[str, ...]) -> Topic:
    """The thread of what was meant: flows and intents declared `order` on one side, the other intents on the other."""
    order = any(name in agent.flows or _is_order(agent, name) for name in meant)
    info = any(name in agent.intents and not _is_order(agent, name) for name in meant)
    return "mixed" if order and info else "order" if order else "info" if info else ""


def _is_order(agent: Agent, name: str) -> bool:
    return name in agent.intents and agent.intents[name].topic == "order"


def is_unfinished(text: str) -> bool:
    """Whether a text ends in the middle of a sentence: the next message goes on with it."""
    return text.strip().lower().endswith(UNFINISHED)
