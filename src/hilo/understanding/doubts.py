"""What speaks against a value for a slot. A weight of 45 outweighs a mere shape, 65 also the question, 100 all."""

import re

from hilo.dialogue.session import AskedYes
from hilo.recognisers.address_words import COLOURS
from hilo.recognisers.choices import is_all, is_wished
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import fold, with_line_ends
from hilo.recognisers.people.ages import is_age, measures_years
from hilo.recognisers.people.name_words import GIVEN_NAMES, LIKE_CITIES
from hilo.recognisers.people.names import PERHAPS
from hilo.recognisers.people.recipients import is_received
from hilo.recognisers.phrases import word_set
from hilo.recognisers.places.cities import is_well_known
from hilo.slots.utterance import SURE
from hilo.understanding.assignment import Doubt, SlotCandidate, ValueCase, doubt
from hilo.understanding.confirmations import is_word_of_a_yes
from hilo.understanding.orders.ordinary import ordinary_words
from hilo.understanding.put_right import is_exclaimed, is_written_as_name, names_another, says_nothing_else
from hilo.understanding.unasked_reasons import GIVING, KNOWN_NAME

ASKED, LABELLED = 60, 75  # weights of reasons
FORMER = "no longer"
KNOWN = "known already"
FAR = 150  # characters on either side of a value that may tell what its sentence does
A_NUMBER, SHORT = 50, 3  # how sure a number must be in a message of more words
# what a part of a message does that gives no value, and what a whole one does that answers no question for one
IN_PASSING = frozenset({"chitchat", "negative", "unclear", "cancel"})
SURELY_IN_PASSING = 0.7  # where nobody has asked, the classifier is less sure of values
NO_ANSWER = IN_PASSING | {"info_question"}
SURE_BESIDE_A_NAME = 85  # how sure an intent must be to beat words that nobody knows for a name

_ORDINARY = word_set("un uno una dos tres cuatro cinco primero primera a one two three four five first")

_LONG_NUMBER = re.compile(r"(?<!\d)\d{1,4}(?:[ -]?\d{3,4}){2,}(?!\d)")  # of a phone or a document, in groups
_SENTENCE = re.compile(r"[.!?;]+(?=\s|$)|\n")
_PART = re.compile(r"[.!?;]+(?=\s|$)|[,\n]|\b(?:pero|asi que|but|so)\b")
_CLAUSE = re.compile(rf"{_PART.pattern}|\b(?:y|ahora|hoy|entonces|and|now)\b")
_ASKS = re.compile(r"[¿?]|\b(?:cuant[oa]s?|cual(?:es)?|donde|como|cuando|quien|how|what|which|when|where)\b")
_WHICH = re.compile(
    r"\W*(?:(?:y|o|pero|and) )?(?:(?:a|de|en|con|para) )?"
    r"(?:que (?!tal\b|te parece\b)|cual(?:es)?\b|cuant[oa]s?\b|cuando\b"
    r"|donde\b|como (?!seria\b)|which\b|when\b|what\b|how\b)"
)
_PAST = re.compile(
    r"\b(?:ayer|anoche|anteayer|antier|la (?:otra|ultima|primera) vez|vez pasada|(?:semana|quincena) pasada"
    r"|(?:mes|ano|finde|verano|invierno|lunes|martes|miercoles|jueves|viernes|sabado|domingo) pasado"
    r"|hace (?:poco|mucho|rato|(?:\w+ ){1,2}(?:dias?|semanas?|mes|meses|anos?|horas?|tiempo))"
    r"|vi|vimos|fui|fuimos|estuve|estuvimos|tuve|hice|pedi|recibi|costaba|valia|habia|hubo|ya (?:compre|pague)"
    r"|\w{3,}aron|\w+[ij]eron|fueron|(?!(?:ex|tr|ch|ins|cons|res|as)iste)\w{2,}[ai]ste"
    r"|yesterday|last (?:week|month|year|time)|ago|saw|bought|paid)\b"
)
_SINCE = re.compile(r"\bdesde (?:ayer|anoche|anteayer|antier|hace)\b")  # what has lasted is not over
_FORMER_BEFORE = re.compile(
    r"\b(?:antes(?! (?:de|quiero|necesito|quisiera)\b)|ya no|(?:ten|viv)ia(?:mos)?|usaba(?:mos)?|used to|no longer)\b"
    r"(?:(?!\b(?:ahora|aora|hoy|mude|mudamos|cambie|now)\b)[^,;.])*$"
)
_FORMER_AFTER = re.compile(
    r"[^,;.]{0,20}?,? (?:(?:pero|y) )?(?:(?:ya )?(?:me|nos) mud(?:e|amos)\b"
    r"|ya no(?: (?:existe|va|anda|l[oa]|vivo|vivimos|uso|es|tira|funciona|sirve)\b|[ ]?[,.;]|$)"
    r"|(?:esta )?dad[oa] de baja|l[oa] (?:di de baja|perdi|cambie|cerre|deje)\b"
    r"|me l[oa] (?:robaron|hackearon|quitaron|cortaron|cerraron)\b)"
)
_TAKEN_UP = re.compile(r"(?: a esa hora)? (?:trabajo|laburo|curso|viajo|tengo (?:clases?|parcial|turno|reunion))\b")
_IN_CASE = re.compile(r"\b(?:por si|en caso de|(?:y|pero) si me)\b[^,.;!?]*$")
_SUPPOSES = re.compile(
    r"(?:^\W*|\b(?:y|pero|que pasa|que tal|cuanto \w+|como \w+|(?:sale|seria|cuesta|queda)) )si\b(?! ?[,.])"
)
_PERHAPS = re.compile(r"\b(?:a lo mejor|capaz|quizas?|tal ?vez|de pronto|creo que|no se si|depende|maybe|perhaps)\b")
_OPEN = re.compile(r"\b(?:(?:todavia|aun) no (?:se|sabemos|decid\w+)|no (?:estoy|estamos) segur\w+|not sure)\b")
_OR = re.compile(r",? (?:o|u|or) (?:sino )?(?:(?:a|al|de|del|desde|el|la|para|para el|en)\b ?)*")
_OF_IT = re.compile(r"(?<!partir )(?<!despues )(?<!antes )(?<!\bal )(?<!por el )(?<!para el )\bdel?(?: dia| las?)* $")
_AND = re.compile(r" (?:y|and) (?:el |the )?")
_BETWEEN = re.compile(r"\b(?:entre|between)(?: el| the)?(?: dia)? $")
_PRICE = re.compile(
    r"\b(?:cuestan?|valen?|salen?|cobra[nrs]?|precio|tarifa|descuento|promo\w*|oferta|envio|cuotas?|deb[oe]n?|deuda|multa"
    r"|perdi|perdimos|gano|ganamos|factur\w+|(?:esta|estaba|estan|tienen|consigo|dejan|venden) a|costs?|price)"
    r"(?: (?:unos|unas|como|casi|mas|solo|los|las|el|la|un|una|de|en|por|al|me|te|nos|les))* $"
)
_TOO_DEAR = re.compile(
    r" ?(?:pesos|dolares|euros|soles|lucas|usd)?,?(?: me)? (?:es|son|esta|parecen?|sale) "
    r"(?:muy |re |bastante |un poco |mas )?"
    r"(?:much[oa]s?|muchisim[oa]s?|demasiad[oa]s?|caros?|cara|carisim[oa]|un monton)\b"
)
_DENIED_AFTER = re.compile(
    r",? ni (?:loc[oa]|muert[oa]|ahi|a palos|de chiste|en broma|regalad[oa]|sonando|en suenos)\b|"
    r",? no ?(?:[,.;]|$|(?:sino|mejor|perdon|digo|mentira|que|porque|pq|xq|puedo|podemos|llego|llegamos|alcanzo|va"
    r"|me)\b)"
    r"|[ ,.]+(?:perdon|digo|mentira|mejor dicho|quise decir)\b"
    r"| (?:es|queda|me queda|seria) (?:muy |re |demasiado |medio )?(?:temprano|pronto|tarde|lejos|justo)\b"
)
_EXCEPT = re.compile(r"\b(?:cualquier\w*|todos?|el que sea)\b[^,.;]*\b(?:menos|salvo|excepto)(?: (?:el|los|la|las))? $")
_DENIED = re.compile(
    r"\b(?:no|not)(?: (?:es|son|somos|era|eran|sea|quiero|salgo|salimos|voy|vamos|viajo|viajamos|vivo|de|a"
    r"|al|en|el|la|los|las|para|is|at|on|the))* $"
)

DOUBTS: list[Doubt] = []
_NAMES = GIVEN_NAMES | LIKE_CITIES


@doubt(DOUBTS, "an article", 65)
def _article(case: ValueCase, candidate: SlotCandidate) -> bool:
    """The "un" of "un vuelo más barato" counts nothing."""
    found = candidate.found
    return found.kind == "number" and found.confidence < A_NUMBER and len(case.reading.text.raw.split()) > SHORT


@doubt(DOUBTS, "a piece of a longer number", 100)
def _is_piece_of_a_number(case: ValueCase, candidate: SlotCandidate) -> bool:
    """The "11" of the phone "11 5566 7788" is neither eleven o'clock nor eleven of anything."""
    found = candidate.found
    if found.kind not in ("time", "number", "choice"):
        return False
    runs = _LONG_NUMBER.finditer(with_line_ends(case.reading.text))
    return any(run.start() <= found.start and found.end <= run.end() and run.span() != candidate.span for run in runs)


@doubt(DOUBTS, "tells what is to be changed", 100)
def _tells_which(case: ValueCase, candidate: SlotCandidate) -> bool:
    """The Thursday of "cambiar mi turno del jueves" is that of the appointment as it stands."""
    flow = case.agent.flows.get(case.reading.intent or case.session.flow)
    if flow is None or flow.undoes or not flow.is_about_what_was_done:
        return False
    is_when = case.agent.slots[candidate.slot].kind.is_when
    return is_when and _OF_IT.search(case.reading.text.folded[: candidate.span[0]]) is not None


@doubt(DOUBTS, "where hours begin or end", 100)
def _bounds_hours(case: ValueCase, candidate: SlotCandidate) -> bool:
    """The hour of "después de las 6", where a slot takes the hours that something is to lie in."""
    ranges = [slot for name in case.known if (slot := case.agent.slots[name]).type == "time_range"]
    found = candidate.found
    return found.kind == "time" and any(
        each.start < found.end and found.start < each.end for slot in ranges for each in case.reading.values.of(slot)
    )


@doubt(DOUBTS, "how a house looks", 100)
def _looks_so(case: ValueCase, candidate: SlotCandidate) -> bool:
    """The "casa blanca" of an address is where somebody lives, and no town."""
    said = case.reading.text.folded[slice(*candidate.span)].split()
    is_town = case.agent.slots[candidate.slot].kind.place == "town"
    return is_town and said[:1] == ["casa"] and not COLOURS.isdisjoint(said)


@doubt(DOUBTS, "no name", 65)
def _no_name(case: ValueCase, candidate: SlotCandidate) -> bool:
    """What could be a name says something else ("un momentico"), or is the large city still to be told."""
    found, reading = candidate.found, case.reading
    if found.kind != "person_name":
        return False
    if reading.is_only("deny") or _is_an_answer(case, candidate) or is_exclaimed(reading, found):
        return True
    if candidate.is_unasked:
        return False
    if reading.surely_means and reading.text.folded[found.start : found.end] in ordinary_words():
        return True  # "es caro" is no Caro
    if fold(str(found.value)).split()[0] in _NAMES:
        return False
    if found.confidence <= PERHAPS and reading.meant:
        return True  # "soy hipertensa" is what somebody tells to ask whether they may use it
    if not _is_heard_as_data(case, candidate):
        return True
    cities = [name for name, slot in case.agent.slots.items() if slot.kind.place == "town"]
    if len(cities) != 1 or cities[0] in case.session.slots:
        return False
    towns = [town for town in reading.values.places if (town.start, town.end) == candidate.span]
    return any(is_well_known(town.places[0]) for town in towns if town.confidence >= SURE)


def _is_heard_as_data(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Whether words that nobody knows for a name are taken for a value at all, and do not mean something of ours."""
    reading = case.reading
    if _is_known_name(case, candidate) or is_written_as_name(reading, candidate.found):
        return True
    if reading.intent and reading.confidence >= SURE_BESIDE_A_NAME and len(reading.parts) == 1:
        return False
    heard = reading.heard_at(candidate.span)
    return heard is None or heard.act == "provide"


@doubt(DOUBTS, "nobody's name", 45)
def _nobody(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Not that of a receiver who would get the family name of the contact: "it's for my mom Rosa"."""
    slots, filled = case.agent.slots, case.session.slots
    if slots[candidate.slot].part != "given" or not candidate.is_unasked or candidate.slot not in filled:
        return False
    families = [name for name, slot in slots.items() if slot.part == "family" and name in filled]
    told = any(case.reading.values.of(slots[name]) for name in families)
    return bool(families) and not told and is_received(case.reading.text.folded)


def _is_known_name(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Whether a name is a known one, or written in full as on a form: "Yurleidis Cantillo"."""
    if candidate.found.confidence >= KNOWN_NAME:
        return True
    text = case.reading.text
    # a slot for a part of a name has but one of its words
    return any(" " in written and written.istitle() for written in (text.original(*candidate.span), text.raw.strip()))


def _is_an_answer(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Nobody is called as a yes or a no is said: the "nel" of "nel, siempre no"."""
    answers = [(act.start, act.end) for act in case.reading.acts if act.kind in ("deny", "affirm")]
    return candidate.span in answers


@doubt(DOUBTS, "renames nobody", 100)
def _renames_nobody(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Who "es independiente" keeps the name that is known: another one must be written as a name.

    Asked for any words ("¿de qué empresa?"), whoever writes nothing but a name has answered: "Dulce Nube".
    """
    names_person = case.agent.slots[candidate.slot].kind.names_person
    if not (names_person and candidate.slot in case.session.slots and candidate.is_unasked):
        return False
    asked = case.agent.slots.get(case.asked)
    is_all = len(case.reading.text.folded.strip(" .!")) == candidate.span[1] - candidate.span[0]
    return (asked is not None and asked.kind.is_free and is_all) or not is_written_as_name(
        case.reading, candidate.found
    )


@doubt(DOUBTS, "one more person", 100)
def _one_more(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Who is named beside the one that is known renames nobody: "el tercer pasajero es Samuel"."""
    is_known = candidate.slot in case.session.slots
    return (
        is_known and case.agent.slots[candidate.slot].kind.names_person and names_another(case.reading, candidate.found)
    )


@doubt(DOUBTS, KNOWN, 45)
def _known(case: ValueCase, candidate: SlotCandidate) -> bool:
    """The slot has this value, or the message says so first."""
    stored = case.session.slots.get(candidate.slot)
    if stored is None or not candidate.is_unasked:
        return False
    slot = case.agent.slots[candidate.slot]
    surest = case.reading.values.of(slot)[:1]
    told, known = (set(fold(str(each)).split()) for each in (candidate.found.value, stored))
    # "soy Ana", where Ana Gil is known; but who is another by the given name has the family name that is told
    is_shorter = slot.kind.names_person and told <= known and not (slot.part == "family" and _is_renamed(case))
    return is_shorter or candidate.found.value == stored or any(each.value == stored for each in surest)


def _is_renamed(case: ValueCase) -> bool:
    """Whether a message gives another given name than the one that is known."""
    given = [name for name in case.taken if case.agent.slots[name].part == "given"]
    return any(case.session.slots.get(name) not in (None, case.taken[name].found.value) for name in given)


@doubt(DOUBTS, "asked back", 100)
def _asked_back(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Who wonders at what we have does not say it again: "¿para 9? voy yo solo"."""
    if case.session.slots.get(candidate.slot) != candidate.found.value:
        return False
    return "?" in _around(case, candidate.found, _SENTENCE)[1]


@doubt(DOUBTS, "said for another", 45)
def _said_for_another(case: ValueCase, candidate: SlotCandidate) -> bool:
    """24/12, así llego para nochebuena: one day, said twice, is not also the day of the way back, nor what we know."""
    slots, slot = case.agent.slots, candidate.slot
    if not candidate.is_unasked or not slots[slot].kind.is_when:
        return False
    alike = [name for name, each in slots.items() if name != slot and each.type == slots[slot].type]
    under_way = case.agent.collected_by(case.session.flow)
    known = [case.session.slots[name] for name in alike if name in under_way and name in case.session.slots]
    if candidate.found.value in known and not candidate.reason.weight > ASKED:
        return True
    if case.target not in alike:
        return False
    answer = case.taken.get(case.target)
    values = [answer.found] if answer else case.reading.values.of(slots[case.target], asked=True)
    return any(each.value == candidate.found.value for each in values)


# --- what the sentence around it does -----------------------------------------------------------------------


@doubt(DOUBTS, "said in passing", 65)
def _in_passing(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Who chats, complains, hesitates or cancels tells of days and places, and gives no value: "hoy estoy dormido"."""
    if candidate.reason.weight > ASKED or _has_its_own_form(case, candidate):
        return False
    if not candidate.is_unasked:
        stands_alone = _is_a_clause(case, candidate) or _is_one_of_two(case, candidate)
        return case.reading.is_heard(NO_ANSWER) and not stands_alone
    wishes = any(name in case.agent.flows for name in case.reading.meant)
    return not wishes and case.reading.is_heard(IN_PASSING, candidate.span, bar=SURELY_IN_PASSING)


def _is_a_clause(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Whether a value stands for itself up to the next comma; of names only those that are known: "Soledad, jajaja"."""
    before, after = _around(case, candidate.found, _PART)
    is_known = candidate.found.kind != "person_name" or _is_known_name(case, candidate)
    return is_known and says_nothing_else(before) and says_nothing_else(after)


def _has_its_own_form(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Whether a value is what it is wherever it stands: one that the author has named, a mail address, a phone."""
    kind = case.agent.slots[candidate.slot].kind
    if candidate.found.kind == "choice":
        return True
    is_detail = kind.sort == "text" and not kind.is_when and not kind.names_person and not kind.place
    return is_detail and candidate.found.confidence >= SURE


def _around(case: ValueCase, found: Found, ends: re.Pattern[str]) -> tuple[str, str]:
    """The words before a value and those after it, up to such signs; the sign after it comes along."""
    text = case.reading.values.said.once("lined", lambda: with_line_ends(case.reading.text))
    starts = [sign.end() for sign in ends.finditer(text, max(0, found.start - FAR), found.start)]
    question = text.find("¿", found.end)  # what is asked after a value is not asked about it
    reach = min(found.end + FAR, question if question >= 0 else len(text))
    last = ends.search(text, found.end, reach)
    first = starts[-1] if starts else max(0, found.start - FAR)
    return text[first : found.start], text[found.end : last.start() + 1 if last else reach]


def _is_detail(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Whether a value is of a person, who is the same in questions and in stories."""
    kind = case.agent.slots[candidate.slot].kind
    travels = kind.place == "town" and not candidate.is_unasked
    return kind.sort == "text" and not kind.is_when and not travels and candidate.found.kind != "choice"


def _is_told(candidate: SlotCandidate) -> bool:
    """Whether the message gives a value as an answer, or by the name of its slot."""
    return not candidate.is_unasked and candidate.reason.weight <= LABELLED


@doubt(DOUBTS, "in a question", 85)
def _in_a_question(case: ValueCase, candidate: SlotCandidate) -> bool:
    """A question changes nothing that is known and gives no amount, hour or choice; one that we answer, nothing."""
    answers = case.reading.has("affirm", "deny", "correct") and not _is_between_marks(case, candidate)
    if answers or not case.reading.values.said.asks or not candidate.is_unasked:
        return False
    if (
        "?" not in case.reading.text.raw
        and candidate.found.kind == "choice"
        and is_all(case.reading.text.folded, candidate.found, [])
    ):
        return False  # a choice and nothing else is no question, whatever it sounds like
    is_wish = candidate.found.kind == "time_range" and case.session.stack and not _is_asked_for(case, candidate)
    if _supposes(case) or is_wish:
        return False  # "¿hay algo después de las 5?" wishes it
    if candidate.slot in case.session.slots or isinstance(case.session.pending, AskedYes):
        return True
    answered = bool(case.reading.meant) and not any(name in case.agent.flows for name in case.reading.meant)
    is_place = case.agent.slots[candidate.slot].kind.volunteered == "always" and candidate.found.kind != "choice"
    asked_about = not (is_place or _is_for_what_begins(case, candidate))
    beside_the_point = bool(case.session.stack) and not case.reading.meant  # "¿el jueves hay paro?"
    if _is_detail(case, candidate) or not (answered or asked_about or beside_the_point):
        return False
    return _stands_in_a_question(case, candidate)


def _supposes(case: ValueCase) -> bool:
    """Whether a summary is asked to be otherwise: "¿y si voy sin vuelta?". What it is like then, the next one shows."""
    return isinstance(case.session.pending, AskedYes) and _SUPPOSES.search(case.reading.text.folded) is not None


def _is_between_marks(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Whether a value stands in "¿…?": a yes or a no before that answers something else."""
    before = case.reading.text.original(0, candidate.found.start)
    return before.rfind("¿") > before.rfind("?")


def _is_for_what_begins(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Whether the flow that the message begins, be it by a question, asks for this: "¿tenés turno con el dentista?"."""
    begun = [name for name in case.reading.meant if name in case.agent.flows]
    return not case.session.stack and any(candidate.slot in case.agent.flows[name].collects for name in begun)


def _stands_in_a_question(case: ValueCase, candidate: SlotCandidate) -> bool:
    before, after = _around(case, candidate.found, _PART)
    if "?" in case.reading.text.folded:
        return bool(_ASKS.search(before) or _ASKS.search(after))
    heard = case.reading.heard_at(candidate.span)
    if heard is not None and heard.act in GIVING:
        return False
    start, end = candidate.span[0] - len(before), candidate.span[1] + len(after)
    return any(act.kind == "question" and start <= act.start < end for act in case.reading.acts)


def is_asked_about(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Whether an answer asks more than whether the value will do: "¿el jueves hay paro?"."""
    answers = not candidate.is_unasked and candidate.reason.weight <= ASKED  # "de Lima a Cusco" says whose it is
    if not answers or _is_detail(case, candidate) or case.reading.has("affirm", "deny", "correct"):
        return False
    before, after = _around(case, candidate.found, _PART)
    asks = "?" in after or "¿" in before
    return asks and not (says_nothing_else(before) and says_nothing_else(after))


@doubt(DOUBTS, "asked, not put right", 85)
def _only_asked(case: ValueCase, candidate: SlotCandidate) -> bool:
    """What somebody asks moves nothing that is known: "no es a las 9. ¿qué hay ese día, o el 2?"."""
    told = candidate.slot in case.session.slots and candidate.slot != case.asked
    is_told = told and not candidate.is_unasked and candidate.reason.weight <= LABELLED
    return is_told and not _is_detail(case, candidate) and _is_asked_for(case, candidate)


def _is_asked_for(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Whether a value stands in a question that opens by asking which, when or how many there are."""
    before, after = _around(case, candidate.found, _SENTENCE)
    unmarked = "?" not in case.reading.text.raw and case.reading.values.said.asks  # a part that is heard by itself
    return ("?" in after or unmarked) and _WHICH.match(before[before.rfind("¿") + 1 :]) is not None


@doubt(DOUBTS, "in the past", 85)
def _past(case: ValueCase, candidate: SlotCandidate) -> bool:
    """What was, is no wish: "ayer miré el de tres"; an answer may tell of it beside what it gives."""
    if _is_detail(case, candidate) or not _was(case, candidate.found):
        return False
    return not _is_told(candidate) or any(not _was(case, each) for each in _others(case, candidate))


def _was(case: ValueCase, found: Found) -> bool:
    before, after = _around(case, found, _CLAUSE)
    said = before + case.reading.text.folded[found.start : found.end] + after
    return bool(_PAST.search(said if found.kind == "date" else _SINCE.sub(" ", said)))


@doubt(DOUBTS, FORMER, 100)
def _former(case: ValueCase, candidate: SlotCandidate) -> bool:
    """What a person had or where they lived is theirs no more: "tenía el 4444 pero lo perdí"."""
    if not _is_detail(case, candidate) or case.agent.slots[candidate.slot].kind.names_person:
        return False
    text, (start, end) = case.reading.text.folded, candidate.span
    before = text[max(0, start - FAR) : start]
    return bool(_FORMER_BEFORE.search(before) or _FORMER_AFTER.match(text, end, end + FAR))


@doubt(DOUBTS, "not decided", 45)
def _undecided(case: ValueCase, candidate: SlotCandidate) -> bool:
    """A lo mejor el viernes, todavía no sé."""
    return candidate.is_unasked and is_hedged(case, candidate)


def is_hedged(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Whether the words around a value say that it is not decided; who somebody is, is."""
    if _is_detail(case, candidate):
        return False
    if _is_one_of_two(case, candidate):
        return True
    part, sentence = (" ".join(_around(case, candidate.found, ends)) for ends in (_PART, _SENTENCE))
    return bool(_PERHAPS.search(part) or _OPEN.search(sentence))


def _is_one_of_two(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Sevilla o Málaga; entre el 10 y el 15: towns and days between which somebody has not chosen."""
    kind = case.agent.slots[candidate.slot].kind
    if not (kind.is_when or kind.place == "town"):
        return False
    text = case.reading.text.folded
    for other in _others(case, candidate):
        first, last = sorted((candidate.span, (other.start, other.end)))
        between = _AND.fullmatch(text, first[1], last[0]) and _BETWEEN.search(text, max(0, first[0] - FAR), first[0])
        if between or _OR.fullmatch(text, first[1], last[0]):
            return True
    return False


@doubt(DOUBTS, "money for something else", 45)
def _price(case: ValueCase, candidate: SlotCandidate) -> bool:
    """What something costs, or somebody earns, is not what they have to spend."""
    is_money = candidate.found.kind == "money" and candidate.is_unasked
    return is_money and bool(_PRICE.search(_around(case, candidate.found, _CLAUSE)[0]))


@doubt(DOUBTS, "found too dear", 100)
def _too_dear(case: ValueCase, candidate: SlotCandidate) -> bool:
    """What is called too much is somebody else's price: "400 mil es mucho"."""
    found = candidate.found
    return found.kind == "money" and _TOO_DEAR.match(case.reading.text.folded, found.end) is not None


@doubt(DOUBTS, "in an order", 45)
def _ordered(case: ValueCase, candidate: SlotCandidate) -> bool:
    """The number of what is ordered is for the order."""
    start, end = candidate.span
    inside = any(line.start < end and start < line.end for line in case.reading.lines)
    return inside and candidate.is_unasked and not _is_detail(case, candidate)


@doubt(DOUBTS, "an age", 100)
def _age(case: ValueCase, candidate: SlotCandidate) -> bool:
    """The number of "mi sobrina de 12" counts nobody."""
    slot = case.agent.slots[candidate.slot]
    if candidate.found.kind != "number" or measures_years(*map(fold, (slot.label, *slot.also))):
        return False
    return is_age(case.reading.text.folded, *candidate.span)


@doubt(DOUBTS, "denied", 100)
def _denied(case: ValueCase, candidate: SlotCandidate) -> bool:
    """No es el 5, es el 6; a Cusco no, a Lima; cualquier día menos el lunes."""
    text, (start, end) = case.reading.text.folded, candidate.span
    if _EXCEPT.search(text, max(0, start - FAR), start):
        return True
    said = _DENIED.search(text, max(0, start - FAR), start) or _DENIED_AFTER.match(text, end)
    return bool(said) and bool(_others(case, candidate))


def _others(case: ValueCase, candidate: SlotCandidate) -> list[Found]:
    """What else the slot may take, elsewhere in the message."""
    found = case.reading.values.of(case.agent.slots[candidate.slot], asked=candidate.slot == case.target)
    return [each for each in found if each.start >= candidate.span[1] or each.end <= candidate.span[0]]


# --- choices ------------------------------------------------------------------------------------------------


@doubt(DOUBTS, "one of several", 100)
def _one_of_several(case: ValueCase, candidate: SlotCandidate) -> bool:
    """La 1 y la 2."""
    slot = case.agent.slots[candidate.slot]
    if slot.kind.sort != "choice" or candidate.reason.weight > ASKED:
        return False
    asked = not candidate.is_unasked
    found = [each for each in case.reading.values.of(slot, asked=asked) if case.is_free(each) and not _was(case, each)]
    return sum(asked or each.confidence >= SURE for each in found) > 1


@doubt(DOUBTS, "taken up by something else", 100)
def _taken_up(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Of two days, the one on which somebody works is not meant: "mañana a esa hora trabajo, para el viernes"."""
    slot = case.agent.slots[candidate.slot]
    if candidate.found.kind != "date" or len(case.reading.values.of(slot)) == 1:
        return False
    return _TAKEN_UP.match(case.reading.text.folded, candidate.span[1]) is not None


@doubt(DOUBTS, "in case of it", 100)
def _in_case(case: ValueCase, candidate: SlotCandidate) -> bool:
    """What may happen besides is not chosen: "por si me sacan sangre"."""
    before = case.reading.text.folded[: candidate.span[0]]
    return candidate.found.kind == "choice" and candidate.is_unasked and _IN_CASE.search(before) is not None


@doubt(DOUBTS, "somebody's family name", 100)
def _family_name(case: ValueCase, candidate: SlotCandidate) -> bool:
    """The "Ruiz" of "para mi hijo Tomás Ruiz" is no choice of Dra. Ruiz."""
    if candidate.found.kind != "choice" or not candidate.is_unasked:
        return False
    before = case.reading.text.folded[: candidate.span[0]].split()[-1:]
    written = case.reading.text.original(*candidate.span)
    return bool(before) and before[0] in GIVEN_NAMES and written[:1].isupper()


@doubt(DOUBTS, "not wished for", 45)
def _unwished(case: ValueCase, candidate: SlotCandidate) -> bool:
    """A choice must be what the message is about; to change one, or in a word like "una", it must be all of it."""
    if case.agent.slots[candidate.slot].kind.sort != "choice" or not candidate.is_unasked:
        return False
    found, reading = candidate.found, case.reading
    if isinstance(case.session.pending, AskedYes) and _is_in_a_yes(case, candidate):
        return True
    ordinary = reading.text.folded[found.start : found.end] in _ORDINARY
    if candidate.slot not in case.session.slots and (not ordinary or is_wished(reading.text, found)):
        return False
    places = case.spans(lambda slot: bool(slot.kind.place))
    if _supposes(case):
        return False
    return reading.has("question") or not is_all(reading.text.folded, found, places)


def _is_in_a_yes(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Whether a choice is but a word of a yes: "de una" means at once."""
    start, end = candidate.span
    return is_word_of_a_yes(case.reading, start, end)
