"""Is a yes plain enough to act on? "Sí, resérvalo" is, "sí, pero más barato" is not."""

import re
from collections.abc import Sequence
from itertools import pairwise

from hilo.agent.declaration import Agent
from hilo.dialogue.session import AskedYes, Session
from hilo.dialogue.wording import flow_label
from hilo.packs.pack import word_set_of
from hilo.recognisers.normalise import fold, words
from hilo.recognisers.phrases import tokens_of, word_set
from hilo.understanding.acts.consent import BESIDE as COURTEOUS
from hilo.understanding.acts.consent import is_firm_yes, is_plain
from hilo.understanding.acts.tabled import find_acts
from hilo.understanding.asking_again import without_leads
from hilo.understanding.parts import joints
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.reading import Reading

BESIDE = word_set_of("beside a yes") | COURTEOUS
_BESIDE_A_NO = word_set_of("beside a no")
LETS_GO = word_set_of("lets go")
_BESIDE_LETTING_GO = LETS_GO | _BESIDE_A_NO | {"ahi", "aqui", "aca", "nomas", "it"}
NODS = word_set_of("nods")
BESIDE_A_QUESTION = frozenset({"affirm", "question", "greet", "thanks", "bye"})
_WORD = re.compile(r"\w+")
_BUT = re.compile(r"\W*(?:pero|solo|aunque|primero|antes|but)\b")  # the yes hangs on the answer
_IF = re.compile(r"\bsi\b")
# "si confirmo ahora, ¿cuándo llega?" supposes, unless the accent was written or the yes is set apart
_SUPPOSED = re.compile(r"\bsi (?:(?:lo|la|los|las|te|le|me) )?\w+(?<![aei]l)o\b(?!\s*[,.;!\n])")
# "confirmá", "no gracias, confirmame eso": an order to do what was shown, after a no to anything more at most
_CONFIRM = re.compile(
    r"\W*(?:(?:(?:no|nada mas|no nada mas|si|dale|ok|bueno|listo|gracias|muchas gracias|eso es todo|es todo|con eso"
    r"|asi esta bien|esta bien|asi nomas)\b[\s,.;!]*)*)"
    r"confirm(?:a|e|ar|en|ame|eme|alo|ala|elo|ela|amelo|amela|emelo|emela|emos)\b(?: (?:nomas|eso|todo|asi|ya)\b)*"
)
_CHANGES = re.compile(r"\d|\?|\bmejor (?!no\b)\w")  # "dejá, mejor el lunes" leaves one day for another
_ARTICLES = word_set("el la los las mi mis tu su este esta ese esa")
LONG_WORD = 4  # letters: shorter ones are no things
_AFTER_YES = re.compile(rf"(?:\s+(?:{'|'.join(COURTEOUS)})\b)*\s*(?:[,.;!¿\n]|(?:y|pero|but|and)\b)")


def is_plain_yes(reading: Reading) -> bool:
    """Whether a message is a yes and nothing else."""
    beside = reading.is_only("affirm") or all(word.text in BESIDE for word in words(reading.text))
    doubts = "?" in reading.text.raw or _leaves_doubt(reading)
    return reading.has("affirm") and beside and not doubts


def _leaves_doubt(reading: Reading) -> bool:
    return pattern_of("yes: doubts").search(reading.text.folded) is not None


def is_yes_beside_a_question(reading: Reading) -> bool:
    """Whether a firm yes and a question stand side by side, and nothing else: "sí, mandalo, ¿cuánto tarda?"."""
    if says_yes_and_then_asks(reading):
        return True
    text = reading.text.folded
    spans = [(act.start, act.end) for act in reading.acts if act.kind in BESIDE_A_QUESTION]
    yes = [text[act.start : act.end] for act in reading.acts if act.kind == "affirm"]
    questions = [act for act in reading.acts if act.kind == "question"]
    if not yes or not questions or len(spans) < len(reading.acts):
        return False
    if any(_hangs(text[act.start : act.end]) for act in questions) or set(_WORD.findall(" ".join(yes))) <= NODS:
        return False
    if _supposes(reading):
        return False
    return all(word.text in BESIDE or _within(word.start, spans) for word in words(reading.text))


def _hangs(asked: str) -> bool:
    """Whether a yes hangs on what is asked beside it: "pero ¿llega hoy?", "reservalo si llega hoy"."""
    return _BUT.match(asked) is not None or _IF.search(without_leads(asked)[0]) is not None


def says_yes_and_then_asks(reading: Reading) -> bool:
    """Whether all parts of a message are a yes of the exact table, and then questions: "confirmo. ¿cuándo llega?"."""
    text, asked, is_firm = reading.text, False, False
    questions = [act for act in reading.acts if act.kind == "question"]
    tokens = tokens_of(text)
    breaks = {0, *(each.end for each in joints(text.folded)), len(text.folded)}
    for start, end in pairwise(sorted(breaks)):
        if pattern_of("question: leads").fullmatch(text.folded[start:end].strip(" ,.;:")):
            continue  # "una duda, …"
        if "?" in text.folded[start:end] or any(act.start < end and start < act.end for act in questions):
            if _hangs(text.folded[start:end]):
                return False
            asked = True
        elif asked or not is_plain([each for each in tokens if start <= each.start < end], text.folded[start:end]):
            return False
        else:
            is_firm = is_firm or is_firm_yes(text, start, end)
    return asked and is_firm and not _supposes(reading)


def opens_with_firm_yes(reading: Reading) -> bool:
    """Whether a firm yes stands first and is set apart, whatever is asked behind it: "sí, y pasame la dirección"."""
    text = reading.text.folded
    yes = [act for act in reading.acts if act.kind == "affirm"]
    if not yes or not opens_with_yes(reading) or set(_WORD.findall(text[yes[0].start : yes[0].end])) <= NODS:
        return False
    return not _hangs(text[yes[0].end :]) and not _supposes(reading)


def says_no_more(reading: Reading) -> bool:
    """Whether a message has no words beyond its acts and what may stand beside a yes."""
    spans = [(act.start, act.end) for act in reading.acts]
    return all(word.text in BESIDE or _within(word.start, spans) for word in words(reading.text))


def _supposes(reading: Reading) -> bool:
    """Whether what looks like a yes may be the condition of the question: nobody has said yes then."""
    found = _SUPPOSED.search(reading.text.folded)
    return found is not None and "í" not in reading.text.original(found.start(), found.start() + 2)


def _within(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def is_word_of_a_yes(reading: Reading, start: int, end: int) -> bool:
    """Whether words only help to say yes: "una" in "hágale de una", but nothing in "me llevo la azul".

    A yes that the classifier hears may span the whole message, so but for "de una" the tables tell which words say it.
    """
    at_once = reading.text.folded[:end].endswith("de una") and end - start == len("una")
    acts = (*find_acts(reading.text), *(reading.acts if at_once else ()))
    return any(act.kind == "affirm" and act.start < start and end <= act.end for act in acts)


def opens_with_yes(reading: Reading) -> bool:
    """Whether a yes stands first and is set apart, so that the rest can be looked at for itself."""
    text = reading.text.folded
    first = [act for act in reading.acts if act.kind == "affirm" and not text[: act.start].strip(" ,.!¡¿")]
    return any(_AFTER_YES.match(text, act.end) is not None for act in first)


def tells_to_confirm(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether what waits is told to be confirmed, and nothing else is said: "no, nada más, confirmá el pedido".

    Only what the flow itself is called may be named: "confirmame la dirección" asks what we have noted.
    """
    if not isinstance(session.pending, AskedYes) or not session.stack:
        return False
    told = _CONFIRM.match(reading.text.folded)
    if told is None or "?" in reading.text.raw or _leaves_doubt(reading):
        return False
    called = fold(flow_label(agent, session.stack[-1].flow))
    named = {word for word in _WORD.findall(called) if len(word) >= LONG_WORD}
    rest = _WORD.findall(reading.text.folded[told.end() :])
    return set(rest) <= BESIDE | _ARTICLES | named


def says_plainly_yes(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a message is a yes and nothing else, or tells that what waits be confirmed."""
    return is_plain_yes(reading) or tells_to_confirm(agent, session, reading)


def opens_by_confirming(reading: Reading) -> bool:
    """Whether it is told to be confirmed first, set apart from the rest: "confirmame nomás, pago en efectivo"."""
    text = reading.text.folded
    told = _CONFIRM.match(text)
    if told is None:
        return False
    return not text[told.end() :].strip() or _AFTER_YES.match(text, told.end()) is not None


def declines(reading: Reading, *, in_so_many_words: bool = False) -> bool:
    """Whether a message is a no that does not want the thing, and courtesies: "al final no, gracias".

    "No quiero darlo" does not want to give a value: it has more words than that.
    """
    if _CONFIRM.match(reading.text.folded):
        return False  # the no is to something more
    text = pattern_of("does not know").sub("", " ".join(re.findall(r"\w+", reading.text.folded)))
    said = pattern_of("declines").search(text)
    if said is None:
        return _lets_go(reading)
    rest = text[: said.start()] + text[said.end() :]
    is_heard = reading.is_only("deny", "skip") and not in_so_many_words
    return is_heard or _BESIDE_A_NO.issuperset(rest.split())


def _lets_go(reading: Reading) -> bool:
    """Whether a clause does nothing but leave it, and the others give a reason: "no, muy caro, dejalo"."""
    text = reading.text.folded
    if reading.lines or reading.has("affirm", "question") or _CHANGES.search(text):
        return False
    clauses = [set(_WORD.findall(clause)) for clause in re.split(r"[,.;!\n]", text)]
    return any(clause & LETS_GO and clause <= _BESIDE_LETTING_GO for clause in clauses)
