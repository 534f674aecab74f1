"""What a message says to the questions that are open about an order, part by part.

"La de litro y medio, y agregá unas papas" answers the question and orders something else. Each part of a message goes
to the question whose options hold all its words; what is left is read as if nothing had been asked.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import CallTool, Command, GiveArgument, LeaveOut
from hilo.dialogue.session import AskedArgument, Session
from hilo.dialogue.tool_questions import open_questions, stems
from hilo.recognisers.amounts.lexicon import ONES, numeral
from hilo.recognisers.choices import BESIDE_A_CHOICE
from hilo.recognisers.normalise import fold, normalise
from hilo.understanding.arguments import SIZES, is_small
from hilo.understanding.confirmations import declines
from hilo.understanding.ordering import PRODUCT, recount
from hilo.understanding.orders.described import described, labels_below
from hilo.understanding.orders.words import ADJECTIVES, COMMON, JOINERS
from hilo.understanding.orders.words import FILLERS as COURTESY
from hilo.understanding.parts import joints
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.reading import Reading
from hilo.understanding.said_again import MORE, QUANTITY, as_answer, asked_of_no_more, says_more
from hilo.understanding.slot_values import FILLERS, Values

MOST_PARTS = 12
MOST_OF_EACH = 6  # goods of which some of each may be wanted
_JOINED = re.compile(r"(?:y|e|pero|and|but)\s+")
_LEAD = re.compile(
    r"(?:(?:y|e|ah|bueno|dale|quiero|dame|dejame|mandame|traeme|pasame|poneme|ponme|deme|agregame|que sean"
    r"|seran?|son|van|serian?|l[ao]s)\s+)+"
)
_COUNT = re.compile(r"(\w+)\s+(?:de\s+(?=\S))?")
_COUNT_BEHIND = re.compile(r"\s+(?:l[ao]s|son|x)\s?(\w+)\W*$")  # de chocolate los 2
_ONLY_COUNT = re.compile(r"(?:(?:que sean|son|seran|serian|van|quiero|dame)\s+)?(?:x\s?)?(\w+)")
_TOLD_AGAIN = re.compile(r"(?:que sean|son|eran|seran|serian|quiero|te pedi|pedi) (\w+) (?:de )?([^\W\d_]{3,})")
_EACH = re.compile(
    r"(?:(?:y|e|dale|bueno|si|quiero|dame|mandame|poneme|ponme|traeme|deme|que sean|van)\W+)*"
    r"(?:(\w+) (?:de|x|por) (?:cada|todas|todos)(?: (?:un[oa]|sabor|gusto|tipo|clase|marca|color|tamano))?"
    r"|mitad y mitad|mita y mita|la mitad de cada(?: un[oa])?|(?:de )?(?:todas|todos) por igual|surtid[oa]s?)"
    r"(?: porfa\w*)?"
)
_ONE_AND_ONE = re.compile(
    r"(?:dale|dame|bueno|que sean)?\W*(?:un[oa]|1) y (?:un[oa]|1|otr[oa])(?: de cada(?: un[oa])?)?"
)
_LOOKS_FOR_ANY = re.compile(r"\b(?:ten|tien|hay|vend|qued)\w* ningun")  # no tenés ninguna fría
_MEASURED = re.compile(r"\w+ (?:kilo|litro|gramo|kg|lt)s?\b")
_HALF = re.compile(r"(?:(?:el|la|los|las|de|en) )*medi[oa]s?(?: (?:digo|por favor|porfa\w*))?\W*")
_WORD = re.compile(r"\d+(?:[.,]\d+)?|\w+")
_SHORT = 2  # letters of a unit
_SMALL = COMMON | COURTESY | FILLERS | BESIDE_A_CHOICE


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A part of a message: where it stands, and how many of something it begins with."""

    start: int
    end: int
    count: int | None = None


@dataclass(slots=True)
class OrderAnswer:
    """What is said to one question; the value may fit several options still: the tool asks anew."""

    question: AskedArgument
    value: str
    count: int | None


@dataclass(frozen=True, slots=True)
class Answers:
    """The commands of the answers, and the message without them."""

    commands: tuple[Command, ...]
    rest: Reading


def order_answers(agent: Agent, session: Session, reading: Reading) -> Answers | None:
    """The answers to what was asked about the order, where the message gives one to the question that was put."""
    pending = session.pending
    if not isinstance(pending, AskedArgument) or reading.is_only("deny", "cancel") or declines(reading):
        return None
    questions = [each for each in open_questions(session) if _chooses_goods(agent, each)]
    if not questions or questions[0].offered != pending.offered:
        return None
    if each := list(_some_of_each(questions[0], reading)):
        return Answers(tuple(_commands(agent, reading, questions[0], each)), reading.about_nothing())
    if recount(agent, session, reading):
        return None
    parts = list(_parts(reading))
    answers: list[OrderAnswer] = []
    refused: list[AskedArgument] = []
    taken: list[AnswerPart] = []
    place = 0
    while place < len(parts):
        if question := _refused(questions, reading, parts[place]):
            refused += [] if question in refused else [question]
            taken.append(parts[place])
            place += 1
            continue
        upto, answer = _answered(agent, questions, reading, parts, place)
        if answer:
            _add(answers, answer)
        elif answers and (
            count := _only_count(reading, parts[place]) or _told_again(answers[-1], reading, parts[place])
        ):
            answers[-1].count = count  # "la de 500, que sean 3"
        else:
            place += 1
            continue
        taken += parts[place:upto]
        place = upto
    if not answers and not refused:
        return None
    left = tuple(LeaveOut(about=each.about) for each in refused)
    return Answers((*left, *_commands(agent, reading, questions[0], answers)), _without(reading, taken))


def _some_of_each(question: AskedArgument, reading: Reading) -> Iterator[OrderAnswer]:
    """So many of everything that was offered: "2 de cada", "uno y uno" of two, "mitad y mitad" of what was wanted."""
    text = reading.text.folded.strip(" .!")
    offered, wanted = question.offered, question.arguments.get(QUANTITY, 1)
    if not 1 < len(offered) <= MOST_OF_EACH:
        return
    count, said = 0, _EACH.fullmatch(text)
    if said and said[1]:
        count = _number(said[1]) or 0
    elif said and isinstance(wanted, int) and wanted % len(offered) == 0:
        count = wanted // len(offered)
    elif _ONE_AND_ONE.fullmatch(text) and len(offered) == 2:  # noqa: PLR2004 -- one of the one, one of the other
        count = 1
    if count:
        yield from (OrderAnswer(question, each, count) for each in offered)


def wants_halves(reading: Reading) -> bool:
    """Whether goods are to be as many of each, without a number: "mitad y mitad"."""
    said = _EACH.fullmatch(reading.text.folded.strip(" .!"))
    return said is not None and not said[1]


def asks_which_goods(agent: Agent, session: Session) -> bool:
    """Whether the question that is open is about goods to be ordered."""
    return isinstance(session.pending, AskedArgument) and _chooses_goods(agent, session.pending)


def says_enough(reading: Reading) -> bool:
    """Whether what is being asked about is there already, or not wanted: "ya están", "ninguna más", "no quiero eso".

    Who orders something else in the same message says more: "ninguna leche, dame 2 panes".
    """
    if "?" in reading.text.raw.rstrip("?! ."):
        return False
    parts = [part for part in _told_parts(reading) if _is_enough(reading, part)]
    ordered = (line for line in reading.lines if line.action == "add" and line.counted)
    orders_more = any(all(not part.start <= line.start < part.end for part in parts) for line in ordered)
    return declines(reading) or (bool(parts) and not orders_more)


def _told_parts(reading: Reading) -> list[AnswerPart]:
    """The parts of a message that ask nothing; a message that only asks is one: "¿ya las pusiste?"."""
    return list(_parts(reading)) or [AnswerPart(0, len(reading.text.folded))]


def _is_enough(reading: Reading, part: AnswerPart) -> bool:
    text = reading.text.folded[part.start : part.end]
    return pattern_of("enough").search(text) is not None and _LOOKS_FOR_ANY.search(text) is None


def left_out(session: Session, reading: Reading) -> tuple[LeaveOut, ...]:
    """What is not wanted any more of what is being asked about: what is named of it, else what was asked last."""
    said = set(stems(reading.text.folded))
    named = [each.about for each in open_questions(session) if said.intersection(stems(each.about))]
    return tuple(LeaveOut(about=about) for about in dict.fromkeys(named)) or (LeaveOut(),)


def _chooses_goods(agent: Agent, question: AskedArgument) -> bool:
    return agent.orders is not None and question.tool == agent.orders.add and question.parameter == PRODUCT


def _parts(reading: Reading) -> Iterator[AnswerPart]:
    """What stands between the marks and joiners of a message; what asks is no answer."""
    text, start = reading.text.folded, 0
    ends = [(joint.start, joint.end) for joint in joints(text)][:MOST_PARTS]
    asked = [(act.start, act.end) for act in reading.acts if act.kind == "question"]
    for end, after in (*ends, (len(text), len(text))):
        is_asked = any(start < last and first < end for first, last in asked) or text[end : end + 1] == "?"
        joined = _JOINED.match(text, start, end)
        start = joined.end() if joined else start
        if start < end and not is_asked and not text[start:end].endswith("?"):
            yield AnswerPart(start, end)
        start = after


def _answered(
    agent: Agent, questions: list[AskedArgument], reading: Reading, parts: list[AnswerPart], place: int
) -> tuple[int, OrderAnswer | None]:
    """The longest run of parts from one on that answers a question; the one that was put goes first."""
    said = reading.text.folded[parts[place].start : parts[place].end]
    if _only_count(reading, parts[place]) and (place or " " in said.strip()):
        return place + 1, None  # "que sean 3" is no third option
    counted = (at for at in range(place + 1, len(parts)) if _opens_with_count(reading, parts[at]))
    for upto in range(next(counted, len(parts)), place, -1):
        whole = AnswerPart(parts[place].start, parts[upto - 1].end)
        for question in questions:
            for part in _counted(reading, whole):
                said = reading.text.folded[part.start : part.end]
                value = _half(question, said) or _fitting(question, reading, part, named=question is not questions[0])
                if not value and question is questions[0]:
                    value = _described(agent, question, said)
                if value:
                    return upto, OrderAnswer(question, value, part.count)
    return place + 1, None


def _opens_with_count(reading: Reading, part: AnswerPart) -> bool:
    """Whether a part counts something of its own: "una grande y una chica"."""
    said = _COUNT.match(reading.text.folded, part.start, part.end)
    return said is not None and _number(said[1]) is not None and said.end() < part.end


def _refused(questions: list[AskedArgument], reading: Reading, part: AnswerPart) -> AskedArgument | None:
    """The question about goods of which none are wanted: "yo no pedí papas"; "sin gas" only tells which."""
    text = reading.text.folded[part.start : part.end]
    if _is_enough(reading, part):
        said_of = (each for each in questions if not set(stems(text)).isdisjoint(stems(each.about)))
        return next(said_of, questions[0])
    said = pattern_of("refuses goods").search(text)
    after = _WORD.findall(text[said.end() :]) if said else []
    after = after if said else re.findall(r"(\w+) no\W*$", text)
    named = [word for word in after if not _is_small_talk(word)]
    if not named or not SIZES.isdisjoint(named):
        return None
    for question in questions:
        options = [stems(each) for each in question.offered]
        shared = [stem for stem in options[0] if all(stem in each for each in options)] if options else []
        known = stems(" ".join((question.about, *question.offered)))
        own = [stem for stem in stems(" ".join(named)) if stem in known]
        heads = {*stems(question.about)[:1], *shared[:1]}
        if own and own[0] in heads and set(own) <= {*stems(question.about), *shared}:
            return question
    return None


def _counted(reading: Reading, part: AnswerPart) -> Iterator[AnswerPart]:
    """A part as it is, and without the number before it: "dos de las chicas"."""
    text = reading.text.folded
    lead = _LEAD.match(text, part.start, part.end)
    start = lead.end() if lead else part.start
    if _MEASURED.match(text, start, part.end):
        yield AnswerPart(start, part.end)  # "4 kilos" are one of 4 kg, where there is such
    said = _COUNT.match(text, start, part.end)
    count = _number(said[1]) if said else None
    if said and count:
        yield AnswerPart(said.end(), part.end, count)
    behind = _COUNT_BEHIND.search(text, start, part.end)
    if behind and (count := _number(behind[1])):
        yield AnswerPart(start, behind.start(), count)
    yield AnswerPart(start, part.end)


def _number(word: str) -> int | None:
    if word.isdecimal():
        return int(word) if 0 < int(word) < 100 else None  # noqa: PLR2004 -- what is larger is a size
    counts = numeral(word)
    return int(counts.value) if counts and counts.value >= 1 and counts.value == int(counts.value) else None


def _only_count(reading: Reading, part: AnswerPart) -> int | None:
    said = _ONLY_COUNT.fullmatch(reading.text.folded[part.start : part.end].strip(" .!"))
    return _number(said[1]) if said else None


def _told_again(answer: OrderAnswer, reading: Reading, part: AnswerPart) -> int | None:
    """So many of what was just answered, in words of its name: "la de 2 kilos, son DOS bolsas en total"."""
    text = reading.text.folded[part.start : part.end]
    said = _TOLD_AGAIN.match(text)
    if said is None or says_more(reading) is not False:
        return None
    return _number(said[1]) if _words(said[2])[0] in _words(answer.value) else None


def _fitting(question: AskedArgument, reading: Reading, part: AnswerPart, *, named: bool) -> str:
    """The option that a part names, or the words that are left to tell several apart; "" where it fits none.

    A question that was not put last is answered only by a word that is no size: "grande" is said to the last one.
    """
    text = reading.text.folded
    options = [_words(each) for each in question.offered]
    known = {word for option in options for word in option}
    said = [word for word in _words(text[part.start : part.end]) if word in known or not _is_small_talk(word)]
    if named and not any(word in known and word.isalpha() and word not in SIZES for word in said):
        return ""
    values = Values(normalise(text[part.start : part.end]), (), reading.values.now, reading.values.country)
    found = [each for each in values.among(question.offered) if is_small(values.text, each, _SMALL)]
    if len({each.value for each in found}) == 1:
        return str(found[0].value)
    names = [word for word in said if word not in SIZES]
    sizes = [word for word in said if word in SIZES]
    sizes = [] if JOINERS.issuperset(sizes) else sizes
    fitting = [place for place, option in enumerate(options) if all(word in option for word in names)]
    amounts = {tuple(word for word in option if word[0].isdecimal()) for option in options}
    if not said or not fitting or (len(fitting) == len(options) and (not sizes or len(amounts) == 1)):
        return ""  # what is said of all options tells none apart: "no te olvides las galletitas"
    if len(fitting) == 1 and not sizes:
        return question.offered[fitting[0]]
    shared = [word for word in options[fitting[0]] if all(word in options[place] for place in fitting)]
    shared = [word for word in shared if len(word) > _SHORT]
    return " ".join(dict.fromkeys((*shared, *names, *sizes)))


def _half(question: AskedArgument, said: str) -> str:
    """The only option of half a litre or half a kilo, where nothing else is said: "la media", "de medio"."""
    if not _HALF.fullmatch(said):
        return ""
    fitting = [each for unit in ("litro", "kilo") for each in described(f"medio {unit}", question.offered)]
    return fitting[0] if len(fitting) == 1 else ""


def _described(agent: Agent, question: AskedArgument, said: str) -> str:
    """What a part says of the sizes and kinds below what was offered: one of them, or words for fewer than all."""
    if ADJECTIVES.issuperset(said.split()) and said:
        return f"{question.about} {said}"  # "negro", of alfajores that are called chocolate
    below = labels_below(agent.goods, question.offered)
    fitting = described(said, below)
    if len(fitting) == 1:
        return fitting[0]
    return f"{question.about} {said}".strip() if 0 < len(fitting) < len(below) else ""


def _words(text: str) -> list[str]:
    """Words without the mark of their plural: latas, lata."""
    found = _WORD.findall(fold(text).replace("'", "").replace(",", "."))
    return [word if len(word) <= _SHORT + 1 or numeral(word) else word.removesuffix("s") for word in found]


def _is_small_talk(word: str) -> bool:
    if numeral(word) and word not in ONES:
        return False
    return (word in _SMALL or f"{word}s" in _SMALL) and word not in SIZES


def _add(answers: list[OrderAnswer], new: OrderAnswer) -> None:
    """Another answer; who names the same again has said it once."""
    for each in answers:
        if each.question is new.question and each.value == new.value:
            each.count = new.count or each.count
            return
    answers.append(new)


def _commands(agent: Agent, reading: Reading, put: AskedArgument, answers: list[OrderAnswer]) -> Iterator[Command]:
    """The question that was put is answered as such; what else is ordered has what its question knew."""
    first = next((each for each in answers if each.question is put), None)
    counts = QUANTITY in agent.toolbox[put.tool].parameters
    for each in answers:
        count = each.count if counts else None
        if each is first:
            if count:
                yield GiveArgument(count, QUANTITY)
            yield from as_answer(agent, put, reading)
            yield GiveArgument(each.value, PRODUCT)
            continue
        arguments = {**each.question.arguments, PRODUCT: each.value}
        if count:
            arguments[QUANTITY] = count
        if asked_of_no_more(agent, each.question, reading):
            arguments[MORE] = False
        yield CallTool(put.tool, arguments)


def _without(reading: Reading, taken: list[AnswerPart]) -> Reading:
    """The message without what answers: its other order lines, and what else it means."""

    def is_left(start: int, end: int) -> bool:
        return all(end <= part.start or start >= part.end for part in taken)

    lines = tuple(line for line in reading.lines if is_left(line.start, line.end))
    parts = tuple(part for part in reading.parts if is_left(part.start, part.end))
    intents = {part.ranked.intent for part in parts}
    meant = tuple(name for name in reading.meant if name in intents)
    sure = max((part.ranked.confidence for part in parts), default=reading.confidence)
    return replace(reading, lines=lines, parts=parts, meant=meant, confidence=sure)
