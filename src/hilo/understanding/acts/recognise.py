"""What a message does besides its values: says yes or no, corrects, cancels, greets, asks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from hilo.packs.pack import word_set_of
from hilo.recognisers.normalise import Text
from hilo.recognisers.phrases import (
    Ending,
    Phrases,
    PhraseToken,
    endings_at,
    label,
    phrases_of_packs,
    tokens_of,
    word_set,
)
from hilo.understanding.acts.conditionals import is_conditional

# the sections of the packs, and what their phrases are: a kind, how sure it is, and `$` where they must close a clause
ACTS = {
    "affirm": "affirm",
    "plain yes": "affirm:90$",
    "plain phrase": "affirm:90$",
    "affirm alone": "affirm:90$",
    "deny": "deny",
    "deny alone": "deny:90$",
    "cancel": "cancel",
    "skip": "skip",
    "correct": "correct:90",
    "correct after no": "correct_after:90",
    "deny and correct": "deny_correct:90",
    "human": "human",
    "human by name": "human:60",
    "nobody": "none",
    "repeat": "repeat:90",
    "repeat if asked": "repeat_asked",
    "greet": "greet",
    "greet again": "greet_after",
    "thanks": "thanks",
    "bye": "bye",
    "topic change": "topic_change:90",
    "question ahead": "topic_change:60",
    "courtesy": "courtesy",
}
QUESTIONS = {"opens": "question:85", "inside": "question_inside:85", "none": "none"}
COURTEOUS = frozenset({"greet", "thanks", "bye", "courtesy"})
POLAR = frozenset({"affirm", "deny"})
AFTER = word_set_of("act: after an answer")
AFTER_NO = AFTER | word_set("no that thats it its my i this esa ese eso perdon")
LIGHT = word_set_of("act: light")
POLITE = word_set_of("act: polite")


@dataclass(frozen=True, slots=True)
class Act:
    """Something the message does; `whole` when nothing but courtesy stands around it."""

    kind: str
    start: int
    end: int
    whole: bool
    confidence: int


@dataclass(frozen=True, slots=True)
class ActSpan:
    """Words first to last (exclusive) taken by one kind of act."""

    kind: str
    first: int
    last: int
    confidence: int


def find_acts(text: Text) -> tuple[Act, ...]:
    """The acts of a message, in order; several of one kind only for questions."""
    tokens = tokens_of(text)
    if not tokens:
        return _bare_marks(text)
    claims = _settle(list(_claims(tokens, text)), tokens)
    claims += _questions(tokens, text, claims)
    claims += _starred(text)
    merged = _merged(sorted(claims, key=lambda claim: claim.first))
    acts = [_act(claim, merged, tokens) for claim in merged if claim.kind != "courtesy"]
    return tuple(sorted(acts, key=lambda act: (act.start, act.end)))


@cache
def _phrases() -> Phrases:
    return phrases_of_packs("act", ACTS)


@cache
def _question_phrases() -> Phrases:
    return phrases_of_packs("question", QUESTIONS)


def _bare_marks(text: Text) -> tuple[Act, ...]:
    """A message of nothing but question marks asks to repeat."""
    marks = text.folded.strip()
    if marks and not marks.strip("?¿!¡ "):
        start = text.folded.index(marks)
        return (Act("repeat", start, start + len(marks), whole=True, confidence=80),) if "?" in marks else ()
    return ()


def _starred(text: Text) -> list[ActSpan]:
    """A star at one end of a message corrects the one before; stars at both ends are bold type."""
    message = text.folded.strip()
    one_star = message.startswith("*") != message.endswith("*") and message.count("*") == 1
    return [ActSpan("correct", 0, 1, 70)] if one_star else []


def _claims(tokens: Sequence[PhraseToken], text: Text) -> Iterator[ActSpan]:
    """From left to right, the longest phrase at each word."""
    labels = label(_phrases(), tokens)
    index, before, opening = 0, "", True
    while index < len(tokens):
        fits = [
            (last, ending)
            for ending, last in endings_at(_phrases(), labels, index)
            if _fits(ending, index, tokens, before)
            and (
                not ending.closes
                or _closed(ending.kind, last, tokens)
                or _courtesy_at(ending.kind, labels, last, tokens)
            )
            and (opening or ending.kind not in POLAR)
            and _reads_so(ending, index, last, tokens, text)
        ]
        if not fits:
            index, before, opening = index + 1, "", False
            continue
        last, ending = max(fits, key=lambda fit: (fit[0], fit[1].kind != "courtesy", fit[1].confidence))
        if ending.kind != "none":
            yield from _claimed(ending, index, last)
        index, before = last, ending.kind
        opening = opening and ending.kind in COURTEOUS | POLAR


def _reads_so(ending: Ending, first: int, last: int, tokens: Sequence[PhraseToken], text: Text) -> bool:
    """What only the text around can tell: a question mark after it, an accent, a condition."""
    if ending.kind == "repeat_asked":
        end = tokens[last].start if last < len(tokens) else len(text.folded)
        return "?" in text.folded[tokens[last - 1].end : end]
    if ending.kind != "affirm":
        return True
    proposed = tokens[first].text in {"puede", "podria"} and last < len(tokens)
    if proposed and "?" in text.folded[tokens[last].start :]:
        return False
    return not is_conditional(tokens, first, last, text)


def _fits(ending: Ending, first: int, tokens: Sequence[PhraseToken], before: str) -> bool:
    if ending.opens and first and before not in _LEADING and not tokens[first].breaks:
        return False
    if ending.kind == "greet_after":
        return before == "greet"
    if ending.kind == "correct_after":
        return before == "deny" or (before == "courtesy" and tokens[first - 1].text in _SORRY)
    if ending.kind == "greet" and first:
        return bool(before or tokens[first].breaks) and tokens[first].text != "saludos"
    return True


def _courtesy_at(kind: str, labels: Sequence[tuple[str, ...]], index: int, tokens: Sequence[PhraseToken]) -> bool:
    """Whether only courtesy or another short answer stands from this word to the end of its clause."""
    return any(
        ending.kind in COURTEOUS or ({kind, ending.kind} <= POLAR and _closed("", last, tokens))
        for ending, last in endings_at(_phrases(), labels, index)
    )


_REAL_YES = word_set("si sii sip simon perfecto claro exacto correcto yes genial")  # after these "déjalo" keeps
_SOFT_YES = word_set("bueno ya ok okey oka dale listo va vale perfecto bien pues entonces")
_LEADING = COURTEOUS | POLAR | {"topic_change", "correct"}


def _closed(kind: str, last: int, tokens: Sequence[PhraseToken]) -> bool:
    if last == len(tokens) or tokens[last].breaks or tokens[last].emoji or tokens[last].text in POLITE:
        return True
    if tokens[last].text == "por":
        return last + 1 < len(tokens) and tokens[last + 1].text.startswith("fa")
    return tokens[last].text in (AFTER_NO if kind == "deny" else AFTER if kind == "affirm" else ())


_SORRY = word_set("perdon perdona disculpa disculpe disculpame sorry ups uy oops perdone")


def _claimed(ending: Ending, first: int, last: int) -> Iterator[ActSpan]:
    if ending.kind == "deny_correct":
        yield ActSpan("deny", first, last, ending.confidence)
        yield ActSpan("correct", first, last, ending.confidence)
    else:
        yield ActSpan(ending.kind.partition("_a")[0], first, last, ending.confidence)


def _settle(claims: list[ActSpan], tokens: Sequence[PhraseToken]) -> list[ActSpan]:
    """One answer out of a yes and a no that stand side by side; emoji beside words are courtesy."""
    claims = [_emoji_as_courtesy(claim, tokens) for claim in claims]
    polar = [claim for claim in claims if claim.kind in POLAR]
    if len({claim.kind for claim in polar}) > 1:
        kept = _last_word(polar, tokens)
        claims = [replace(c, kind="courtesy") if c.kind in POLAR and c.kind != kept else c for c in claims]
    claims = [claim for claim in claims if not _overruled(claim, tokens)]
    if any(claim.kind == "deny" for claim in claims):
        claims = [claim for claim in claims if claim.kind != "skip" or tokens[claim.first].text != "paso"]
    if any(claim.kind == "affirm" and tokens[claim.first].text in _REAL_YES for claim in claims):
        claims = [claim for claim in claims if claim.kind != "cancel" or not tokens[claim.first].text.startswith("dej")]
    if any(claim.kind == "cancel" for claim in claims):
        claims = [_resigned(claim, tokens) for claim in claims]
    return claims


def _resigned(claim: ActSpan, tokens: Sequence[PhraseToken]) -> ActSpan:
    """Bueno ya, ok: before a cancellation only a "sí" still answers."""
    soft = claim.kind == "affirm" and tokens[claim.first].text in _SOFT_YES
    return replace(claim, kind="courtesy") if soft else claim


def _emoji_as_courtesy(claim: ActSpan, tokens: Sequence[PhraseToken]) -> ActSpan:
    if claim.first and tokens[claim.first].emoji and not all(token.emoji for token in tokens):
        return replace(claim, kind="courtesy")
    return claim


def _last_word(polar: Sequence[ActSpan], tokens: Sequence[PhraseToken]) -> str:
    """After a no only a real yes turns it: "no, está bien" stays a no."""
    last = polar[-1]
    if last.kind == "deny" or tokens[last.first].text in {"si", "sii", "yes", "claro", "dale"}:
        return last.kind
    return "deny"


def _overruled(claim: ActSpan, tokens: Sequence[PhraseToken]) -> bool:
    """Negated ("no canceles"), or cancelling in the sense of paying ("cancelar con tarjeta")."""
    before = _clause_before(tokens, claim.first)
    own = tokens[claim.first].text
    if claim.kind == "correct":
        return own in {"puede", "podria", "pueden"} and before[-1:] == ["se"]
    if claim.kind == "human":
        return "no" in before[-2:] and own not in {"no", "hay"}
    if claim.kind != "cancel" or not own.startswith(("cancel", "cansel", "anul", "quier", "pued", "podr")):
        return False
    if before[-2:] == ["por", "favor"]:
        before = before[:-2]
    if before[-1:] == ["si"] and own.endswith(("a", "e", "alo", "lelo")):
        before = before[:-1]  # "sí, cancelalo" without its accent and comma
    after = [token.text for token in tokens[claim.last : claim.last + 3]]
    negated = "no" in before[-2:] or before[-1:] == ["ya"]
    asks = bool({"se", "como", "cuando", "si", "cobran", "por"} & set(before)) or own in {"puedo", "podria"}
    return negated or asks or bool(_PAYING & set(after))


def _clause_before(tokens: Sequence[PhraseToken], first: int) -> list[str]:
    """Up to three words before, of the same clause."""
    start = first
    while start > max(0, first - 3) and not tokens[start].breaks:
        start -= 1
    return [token.text for token in tokens[start:first]]


_PAYING = word_set_of("act: paying")


def _questions(tokens: Sequence[PhraseToken], text: Text, claims: Sequence[ActSpan]) -> list[ActSpan]:
    """Sentences that end in a question mark and clauses that start like a question, unless another act covers them."""
    taken = {index for claim in claims for index in range(claim.first, claim.last)}
    acted = {index for claim in claims if claim.kind not in COURTEOUS for index in range(claim.first, claim.last)}
    starts, inside = (found - acted for found in _question_starts(tokens, taken))
    return [
        ActSpan("question", first, last, 95 if marked else 85)
        for sentence, last, marked in _sentences(tokens, text)
        for first in [_asking_from((sentence, last), starts if marked else starts | inside, taken, marked=marked)]
        if first is not None and not _covered(first, last, tokens, taken)
    ]


def _question_starts(tokens: Sequence[PhraseToken], taken: set[int]) -> tuple[set[int], set[int]]:
    """Where questions start, and where one starts inside a sentence that needs no mark: y eso cuánto sale."""
    labels = label(_question_phrases(), tokens)
    starts: set[int] = set()
    inside: set[int] = set()
    for index, token in enumerate(tokens):
        opens = index == 0 or token.breaks or index - 1 in taken
        ends = [
            (last, ending.kind)
            for ending, last in endings_at(_question_phrases(), labels, index)
            if opens or not ending.opens
        ]
        longest = max((last, kind == "none") for last, kind in ends) if ends else (0, True)
        if longest[1]:
            continue
        if any(kind == "question" for _, kind in ends):
            starts.add(index)
        elif opens or tokens[index - 1].text not in _TELLING:
            inside.add(index)
    return starts, inside


_TELLING = word_set("decime dime digame digo avisame aviso se saber sepas veo vemos")


def _covered(first: int, last: int, tokens: Sequence[PhraseToken], taken: set[int]) -> bool:
    """Whether other acts already say what these words do, but for light words."""
    rest = [index for index in range(first, last) if index not in taken]
    return len(rest) < last - first and all(tokens[index].text in LIGHT for index in rest)


def _asking_from(sentence: tuple[int, int], starts: set[int], taken: set[int], *, marked: bool) -> int | None:
    first, last = sentence
    inside = [index for index in range(first, last) if index in starts]
    if inside:
        return inside[0]
    if not marked:
        return None
    return next((index for index in range(first, last) if index not in taken), None)


def _sentences(tokens: Sequence[PhraseToken], text: Text) -> Iterator[tuple[int, int, bool]]:
    """Word ranges between sentence marks, and whether a question mark ends or opens them."""
    first = 0
    for index in range(1, len(tokens) + 1):
        end = tokens[index].start if index < len(tokens) else len(text.folded)
        gap = text.folded[tokens[index - 1].end : end]
        stops = (
            any(mark in gap for mark in "?!¿;")
            or ". " in gap
            or "\n" in text.raw[slice(*text.span(tokens[index - 1].end, end))]
        )
        if index == len(tokens) or stops:
            opened = "¿" in text.folded[tokens[first - 1].end if first else 0 : tokens[first].start]
            yield first, index, "?" in gap or opened
            first = index


def _merged(claims: Sequence[ActSpan]) -> list[ActSpan]:
    """Claims of one kind become one when only claimed words stand between; a second one further on is dropped."""
    merged: dict[str, ActSpan] = {}
    questions: list[ActSpan] = []
    courtesy: list[ActSpan] = []
    for claim in claims:
        if claim.kind == "question":
            questions.append(claim)
        elif claim.kind == "courtesy":
            courtesy.append(claim)
        elif claim.kind not in merged:
            merged[claim.kind] = claim
        else:
            merged[claim.kind] = replace(merged[claim.kind], last=claim.last)
    return [*merged.values(), *questions, *courtesy]


def _act(claim: ActSpan, claims: Sequence[ActSpan], tokens: Sequence[PhraseToken]) -> Act:
    ignorable = COURTEOUS if claim.kind in COURTEOUS | POLAR else COURTEOUS | POLAR
    own = {
        index
        for other in claims
        if other.kind == claim.kind or other.kind in ignorable
        for index in range(other.first, other.last)
    }
    taken = {index for other in claims for index in range(other.first, other.last)} - own
    whole = all(i in own or (i not in taken and token.text in LIGHT) for i, token in enumerate(tokens))
    return Act(claim.kind, tokens[claim.first].start, tokens[claim.last - 1].end, whole, claim.confidence)
