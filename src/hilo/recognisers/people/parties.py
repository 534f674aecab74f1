"""Count the people that a message speaks of: mis viejos y yo, 3 adultos y una beba, viajo con mi hermana.

A party is a list of persons: pronouns, kin, counted people and given names, each perhaps with an age, which counts
nobody. Whoever says "viajo con", "vamos con" or "somos" belongs to it too. A list with a person whose number is not
known ("mis hijos y yo") counts nothing, so that it is asked for.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from hilo.recognisers.amounts.lexicon import ONES, one_of, sound
from hilo.recognisers.amounts.numerals import read_number
from hilo.recognisers.amounts.tokens import Tokens, at, follows, tokens, word
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text, fold
from hilo.recognisers.people.name_words import GIVEN_NAMES


def _heard(names: str) -> frozenset[str]:
    """The words of a line as they sound, for they are written in many ways."""
    return frozenset(map(sound, names.split()))


# --- words ----------------------------------------------------------------------------------------------

_KIN = _heard(
    "esposa esposo marido mujer senora senor novio novia pareja prometido prometida companero companera conyuge "
    "hijo hija hijito hijita hijastro hijastra nene nena nino nina bebe beba bebito bebita chico chica guagua peque "
    "pequeno pequena chiquito chiquita crio cria papa mama padre madre papi mami vieja viejo jefa jefe "
    "hermano hermana hermanito hermanita abuelo abuela abuelito abuelita nona nono tio tia primo prima sobrino sobrina "
    "nieto nieta suegro suegra cunado cunada yerno nuera padrino madrina ahijado ahijada compadre comadre amigo amiga "
    "amiguito amiguita socio socia vecino vecina colega gordo gorda familiar "
    "pibe piba gurise gurisa chaval chavala "
    "cuate carnal pana parce parcero parcera pololo polola nano nana chavo chava chamaco chamaca morro morra wawa "
    " enamorado enamorada ex "
    "wife husband partner girlfriend boyfriend son daughter kid child baby mother father mom mum dad brother sister "
    "grandmother grandfather grandma grandpa uncle aunt cousin nephew niece friend"
)
_PEOPLE = _heard(
    "persona adulto adulta mayor menor infante pasajero pasajera comensal invitado invitada huesped jubilado jubilada "
    "estudiante viajero viajera acompanante integrante pax dama caballero criatura grande hombre "
    "muchacho muchacha senores adolescente "
    "person people adult child children infant passenger guest senior teenager men women man woman"
)
_TWO = one_of(
    "mellizos mellizas gemelos gemelas papas padres viejos suegros abuelos papis jefes nonos parents grandparents"
)  # of whom there are two
_COUPLES = one_of("pareja parejas parejita matrimonio matrimonios couple couples")
_GROUPS = one_of(
    "familia familias grupo grupos mesa gente equipo family group party"
)  # as many as is said: una familia de cuatro
# how one speaks to a stranger, too: only persons where something determines them
_VOCATIVES = one_of(
    "amigo amiga hermano hermana senor senora senorita mami papi nena nene chico chica chicos chicas jefe jefa viejo "
    "vieja gordo gorda vecino vecina primo prima mejor muchacho muchacha friend man"
)
_MY = one_of("mi mis tu tus su sus nuestro nuestra nuestros nuestras my our")
_THE = one_of("el la los las the otro otra otros otras este esta")
_SELF = one_of("yo io me i myself conmigo servidor servidora")
_OTHERS = one_of("ella usted him her")
_WITH = one_of("con junto acompanado acompanada acompana acompanan with cn")
_PETS = one_of("perro perra perrito perrita gato gata gatito gatita mascota valija equipaje auto coche moto dog cat")
_AND = one_of("y e mas con and plus , + & tambien ademas")
_FOR = one_of("para otro otra uno una por tambien a for also")
_WE = one_of(
    "somos eramos seremos seriamos vamos viajamos iremos iriamos viajaremos viajariamos quedamos "
    "estamos venimos asistimos "
    "we're"
)
_ALONE = one_of("solo sola solito solita alone")
_ONLY = one_of("solo sola solito solita solamente unicamente nomas no nada mas only just .")
_I_GO = one_of("voy viajo ire viajare vengo iria viajaria estoy yo asisto vivo viajando")
_BEFORE_HOURS = one_of("a de para tipo sobre desde hasta entre antes despues son")
_GOES = one_of("voy viajo ire viajare yo viajando")
_ALONG = one_of("para pa for va viaja viajan van")
_STAYS = one_of("va viaja viene vienen van viajan puede pueden ira iran cuenta")
_SOON = 12  # tokens after a number in which somebody may drop out
_IN_THE_END = one_of("a al final ultimo ultima momento hora ya tampoco")
_DROPS_OUT = one_of("bajo bajaron baja bajan queda quedan quedo quedaron arrepintio arrepintieron")
_YEARS = one_of("ano anos anio anios anitos meses mes year years months month old")
# what a slot that counts a whole party is called; one of "adultos" counts only some
_PARTY = (
    r"(?:personas?|pasajer[oa]s?|comensal(?:es)?|viajer[oa]s?|huesped(?:es)?|invitad[oa]s?|asistentes?|integrantes?|pax|cubiertos"
    r"|people|passengers?|guests?|travell?ers?|diners?)\b"
)
_NAMES_PEOPLE = re.compile(r"(?:(?:numero|cantidad|cuant[oa]s|number|total|nro|cant)\b\W*(?:de |of )?)?" + _PARTY)
_ASKS_HOW_MANY = re.compile(r"\b(?:cuant[oa]s|how many) (?:son\b|seran\b|vienen\b|viajan\b|" + _PARTY + ")")
_NAMES_SEATS = re.compile(r"(?:asientos?|butacas?|plazas?|boletos?|billetes?|pasajes?|tickets?|seats?)\b")
_BABY = re.compile(r"(?:beb[eai]t?[aeo]?s?|infantes?|guaguas?|wawas?|baby|babies|infants?)")
_ALL_OF_THEM = re.compile(r"(?:personas?|pasajer[oa]s?|viajer[oa]s?|pax|comensal(?:es)?|passengers?|people)")
_ONE_ALONE = re.compile(r"(?:para )?un[oa]? (?:sol[oa]|solit[oa]|nomas|no mas|nada mas)(?: (?:persona|pasajer[oa]))?")
_ENDS = frozenset({",", ".", ";", "(", "nomas", "nada", "solo", "solamente", "total"})  # behind a number of them all
_SURE, _LIKELY = 90, 60
_OLDEST = 110
_MOST = 500  # people of one party; more is another number


class _Person(NamedTuple):
    """Somebody, or several; `many` 0 where nobody knows how many."""

    many: int
    end: int
    is_self: bool = False
    is_ours: bool = False  # determined by the speaker: mi, nuestros


class Party(NamedTuple):
    """People counted together, with the tokens they span."""

    many: int
    first: int
    end: int
    confidence: int = _SURE


def find_people(text: Text, *, asked: bool = True, babies: bool = True) -> tuple[Found, ...]:
    """How many people a message speaks of; one alone counts only where the question was how many.

    Where seats are counted, babies have none.
    """
    toks = tokens(text.folded)
    told = list(_totals(toks)) or list(_named_totals(toks)) or list(_parties(toks))
    if not babies:
        told = [_seated(toks, party) for party in told]
    if not asked:
        told = [party for party in told if _is_told(toks, party)]
    return tuple(
        Found("number", party.many, toks[party.first].start, toks[party.end - 1].end, party.confidence)
        for party in told
    )


@lru_cache(maxsize=256)
def counts_people(names: tuple[str, ...], questions: tuple[str, ...]) -> bool:
    """Whether a slot counts a whole party, by what it is called ("número de pasajeros") and asked ("¿cuántos son?")."""
    return any(map(_NAMES_PEOPLE.match, map(fold, names))) or any(map(_ASKS_HOW_MANY.search, map(fold, questions)))


@lru_cache(maxsize=256)
def counts_seats(names: tuple[str, ...]) -> bool:
    """Whether a slot counts what a baby in arms has none of: "boletos", "asientos"."""
    return any(map(_NAMES_SEATS.match, map(fold, names)))


# --- parties --------------------------------------------------------------------------------------------


def _totals(toks: Tokens) -> Iterator[Party]:
    """Somos cuatro, seríamos 5 en total, una familia de cuatro: a number that stands for the whole party."""
    for index in range(len(toks)):
        start = index + 1 + (word(toks, index + 1) in ("como", "los", "las", "unos", "unas", "nosotros"))
        if word(toks, index) in _GROUPS and word(toks, index + 1) == "de":
            start = index + 2
        elif word(toks, index) not in _WE or (word(toks, index) == "eramos" and _is_counted_anew(toks, start)):
            continue
        if follows(toks, start, ("a", "ser")):
            start += 2 + (word(toks, start + 2) in ("como", "unos", "unas"))
        number = _number(toks, start) if word(toks, start) not in ("un", "una") else None
        if follows(toks, start, ("un", "par")):
            number = 2, start + 2
        if number and not _person(toks, start) and word(toks, number[1]) not in ("de", *_YEARS):
            yield _without_absent(toks, _with_more(toks, Party(number[0], start, number[1])))


def _named_totals(toks: Tokens) -> Iterator[Party]:
    """1 pasajero, mi hermana me lleva: who is named behind what counts them all was counted, or does not come."""
    if not any(_ALL_OF_THEM.fullmatch(token.text) for token in toks):
        return
    for index in range(len(toks)):
        number = _number(toks, index) if not _number(toks, index - 1) else None
        if not number or not _ALL_OF_THEM.fullmatch(word(toks, number[1])):
            continue
        end = number[1] + 1
        if end == len(toks) or word(toks, end) in _ENDS:
            following = _next(toks, end)
            if not (following and _number(toks, end + 1)):  # "2 personas, 1 niño" goes on counting
                yield _without_absent(toks, Party(number[0], index, end))


def _seated(toks: Tokens, party: Party) -> Party:
    """Who of a party has a seat: not the baby."""
    babies = 0
    for index in range(party.first, party.end):
        if _BABY.fullmatch(word(toks, index)) and not _is_older(toks, index):
            number = _number(toks, index - 1)
            babies += number[0] if number else 1
    return party._replace(many=party.many - babies) if babies < party.many else party


def _is_older(toks: Tokens, index: int) -> bool:
    """Whether what is called a baby has turned two: "el bebé de 3 años"."""
    age = _number(toks, index + 2) if word(toks, index + 1) == "de" else None
    return age is not None and age[0] > 1 and word(toks, age[1]).startswith("an")


def _is_counted_anew(toks: Tokens, start: int) -> bool:
    """Éramos 4 pero ahora somos 3."""
    return any(word(toks, index) in _WE for index in range(start, len(toks)))


def _with_more(toks: Tokens, party: Party) -> Party:
    """Somos dos y un bebé; who comes after "con" or a comma was counted already."""
    while word(toks, party.end) in ("y", "e", "mas", "+", "and") and (following := _next(toks, party.end)):
        if following.is_self or not following.many:
            break
        party = party._replace(many=party.many + following.many, end=following.end)
    return party


def _without_absent(toks: Tokens, party: Party) -> Party:
    """Éramos 6 pero mi cuñado al final no viaja."""
    index, last = party.end, min(len(toks), party.end + _SOON)
    while index < last:
        counted = _number(toks, index)
        person = _person(toks, index) or (_Person(*counted) if counted else None)  # "una se bajó"
        if person and not person.is_self and 0 < person.many < party.many and _is_absent(toks, index, person.end):
            party = party._replace(many=party.many - person.many, end=person.end)
        index = person.end if person else index + 1
    return party


def _is_told(toks: Tokens, party: Party) -> bool:
    """Whether people count themselves though nobody asked: several, or who goes alone."""
    goes_alone = word(toks, party.first) in _ALONE and word(toks, party.first - 1) in _GOES
    goes_alone = goes_alone or _is_one_alone(toks)
    return party.confidence > _LIKELY and (party.many > 1 or goes_alone)


def _parties(toks: Tokens) -> Iterator[Party]:
    index = 0
    while index < len(toks):
        party = _alone(toks, index) or _party(toks, index)
        if party and party.many:
            yield party
        index = party.end if party else index + 1


def _alone(toks: Tokens, index: int) -> Party | None:
    """Voy sola, solo yo, yo nomás, uno solo; "no voy solo" and "solo quiero saber" are nobody alone."""
    text, before = word(toks, index), word(toks, index - 1)
    if _is_one_alone(toks):
        return Party(1, 0, len(toks))
    if text in _ALONE and (before in _I_GO or len(toks) == 1) and word(toks, index - 2) != "no":
        go_on = word(toks, index + 1) in _WITH
        return None if go_on else Party(1, index, index + 1)
    is_only = before in _ONLY or (before in _I_GO and word(toks, index - 2) in _ONLY - {"no"})
    if text in _SELF and is_only and word(toks, index + 1) not in _AND:
        return Party(1, index, index + 1)
    return None


def _is_one_alone(toks: Tokens) -> bool:
    """Whether all that is said is "uno solo", "una nomás", "para una sola persona"."""
    return _ONE_ALONE.fullmatch(" ".join(token.text for token in toks)) is not None


def _party(toks: Tokens, index: int) -> Party | None:
    """The persons of a list that starts here, and the one who speaks where the words before say so."""
    person = _person(toks, index) or _bare_number(toks, index)
    if not person or _is_absent(toks, index, person.end):
        return None
    persons, end = [person], person.end
    counted = _number(toks, index) is not None
    while following := _next(toks, end):
        closed = counted or (persons[-1].is_self and len(persons) > 1)
        if closed and word(toks, end) == "," and word(toks, end + 1) in GIVEN_NAMES:
            break  # una persona, Carlos Pena; mi esposa y yo, Luis: who they are, not more of them
        end = following.end
        persons.append(following)
    if len(persons) == 1 and not _is_counted(toks, index, person):
        return Party(0, index, end)
    is_self, is_ours = any(one.is_self for one in persons), any(one.is_ours for one in persons)
    many = sum(one.many for one in persons) if all(one.many for one in persons) else 0
    if many and not is_self and _includes_the_speaker(toks, index, is_ours=is_ours):
        many, is_self = many + 1, True
    sure = is_self or not is_ours  # in a list of their own people the speaker may have been left out
    return Party(many if many <= _MOST else 0, index, end, _SURE if sure else _LIKELY)


def _bare_number(toks: Tokens, index: int) -> _Person | None:
    """The 2 of an answer like "2 y un niño"."""
    number = _number(toks, index) if index == 0 else None
    goes_on = number and word(toks, number[1]) in ("y", "mas", "+") and _next(toks, number[1])
    return _Person(*number) if number and goes_on else None


def _is_counted(toks: Tokens, index: int, person: _Person) -> bool:
    """Whether one person alone tells a number: "2 adultos" does, "la chica que me atendió" and "ella" do not."""
    is_accompanied = _includes_the_speaker(toks, index, is_ours=False)
    if person.many > 1 or _number(toks, index) or is_accompanied or word(toks, index - 1) in _ALONG:
        return True
    is_whole = index <= 1 and all(token.text in _ONLY for token in toks[person.end :])
    return is_whole and (person.is_self or person.is_ours) and word(toks, index) != "me"


def _includes_the_speaker(toks: Tokens, index: int, *, is_ours: bool) -> bool:
    """Viajo con mi hermana, vamos con mis papás, somos mi mujer y los dos chicos."""
    back = index - 1
    back -= word(toks, back) in ("de", "a") and word(toks, back - 1) in _WITH
    if word(toks, back) in _WITH:
        return True
    return is_ours and word(toks, back) in _WE


def _next(toks: Tokens, index: int) -> _Person | None:
    """The next person of a list: y mi suegra, más un bebé, y otro para mi hermano; 2 adultos 1 niño."""
    start = index
    while word(toks, start) in _AND and start < index + 3:
        start += 1
    joined = start > index
    start += not joined and word(toks, start) in _STAYS and word(toks, start + 1) == "conmigo"
    more = _number(toks, start) if joined else None
    if more and (
        word(toks, more[1]) in ("mas", "more") or (word(toks, start - 1) in ("mas", "+") and more[1] == len(toks))
    ):
        return _Person(*more)
    while joined and word(toks, start) in _FOR and start < index + 5 and not _person(toks, start):
        start += 1
    person = _person(toks, start, listed=joined)
    comments = word(toks, start) in _OTHERS and word(toks, start - 1) == ","  # mi hija y yo, ella tiene 8
    if person and not comments and (joined or _needs_no_joiner(toks, start, person)):
        return None if _is_absent(toks, start, person.end) else person
    return None


def _needs_no_joiner(toks: Tokens, start: int, person: _Person) -> bool:
    """2 adultos 1 niño; mi hermana mi cuñado y yo; mi mamá conmigo; papá mamá y yo."""
    counted = _number(toks, start) is not None and word(toks, start) not in ONES
    return counted or person.is_ours or word(toks, start) in ("conmigo", "papa", "mama", "el", "la", "los", "las")


def _is_absent(toks: Tokens, start: int, end: int) -> bool:
    """Sin mi marido, mi marido no va, mi marido al final se bajó."""
    if word(toks, start - 1) in ("sin", "without"):
        return True
    while word(toks, end) in _IN_THE_END:
        end += 1
    drops_out = word(toks, end) == "se" and word(toks, end + 1) in _DROPS_OUT
    return drops_out or (word(toks, end) == "no" and word(toks, end + 1) in _STAYS)


# --- persons --------------------------------------------------------------------------------------------


def _person(toks: Tokens, index: int, *, listed: bool = False) -> _Person | None:
    """One person or several of a kind, with their ages."""
    text = word(toks, index)
    if pronoun := _pronoun(toks, index):
        return pronoun
    if text in GIVEN_NAMES and (listed or word(toks, index - 1) in _WITH or word(toks, index + 1) in ("y", "e")):
        return _Person(1, index + 1)
    start = index
    start += word(toks, start) in _THE
    is_ours = word(toks, start) in _MY
    start += is_ours
    number = (1, start) if word(toks, start - 1) in ("otro", "otra") and start > index else _number(toks, start)
    noun = number[1] if number else start
    noun += number is not None and word(toks, noun) in ("otro", "otra", "otros", "otras", "mas")
    noun += word(toks, noun) in ("mejor", "best") and _is_one(word(toks, noun + 1), _KIN)
    bare = start == index and not number
    if bare and (not listed or word(toks, noun) in _VOCATIVES) and not _opens_a_list(toks, noun):
        return None
    count = _how_many(toks, noun, number[0] if number else 0, is_the=start > index)
    if count is None:
        return _Person(1, noun + 1, is_ours=True) if is_ours and not number and _is_beside_me(toks, start) else None
    named = at(toks, noun + 1).kind == "word" and word(toks, noun + 2) in ("y", "e") and count == 1 and is_ours
    named = named and word(toks, noun + 1) not in _AND | _STAYS | {"de", "no", "que"}  # mi amiga Lu y yo
    ages, end = _ages(toks, noun + 1 + named)
    return _Person(count or (ages if ages > 1 else 0), end, is_ours=is_ours)


def _is_beside_me(toks: Tokens, noun: int) -> bool:
    """Mi jermu y yo, yo y mi cuñis: whoever it is, it is one."""
    if at(toks, noun).kind != "word" or word(toks, noun) in _PETS | _GROUPS or word(toks, noun).endswith("s"):
        return False
    after = word(toks, noun + 1) in ("y", "e", "and") and word(toks, noun + 2) in ("yo", "i")
    return after or (word(toks, noun - 2) in ("y", "e") and word(toks, noun - 3) == "yo")


def _opens_a_list(toks: Tokens, noun: int) -> bool:
    """Papá, mamá y yo; papá mamá y 2 hijos: kin without an article, where a list goes on."""
    joined = word(toks, noun + 1) in ("y", "e", ",")
    following = noun + 1 + joined
    goes_on = _pronoun(toks, following) or _is_one(word(toks, following), _KIN) or (joined and _number(toks, following))
    return bool(goes_on) and word(toks, noun) not in _VOCATIVES


def _how_many(toks: Tokens, noun: int, number: int, *, is_the: bool) -> int | None:
    """How many a noun stands for: 0 for a plural that nobody counted, None where it is no person."""
    text = word(toks, noun)
    if text == "son" and number > 1:
        return None  # "4 son los años": English sons would be "4 sons"
    if text in _COUPLES and not (is_the and text == "pareja"):
        return 2 * number if number else None
    if text in _TWO and is_the:
        return number or 2
    if not (_is_one(text, _KIN) or (_is_one(text, _PEOPLE) and number)):
        return None
    return number or (0 if text.endswith("s") and sound(text) not in _KIN | _PEOPLE else 1)


def _is_one(text: str, nouns: frozenset[str]) -> bool:
    """Whether a word is one of the nouns or sounds like it, in the singular or the plural."""
    heard = sound(text)
    return heard in nouns or (heard.endswith("s") and (heard[:-1] in nouns or heard[:-2] in nouns))


def _pronoun(toks: Tokens, index: int) -> _Person | None:
    """Yo, (para) mí, él y yo, nosotros dos, los tres, the two of us."""
    text, following = word(toks, index), word(toks, index + 1)
    if text in _SELF:
        return _Person(1, index + 1, is_self=True)
    if text == "mi" and word(toks, index - 1) in ("para", "pa", "a", "por") and not _person_after_my(toks, index + 1):
        return _Person(1, index + 1, is_self=True)
    if text in _OTHERS or (text == "el" and (following in ("y", "e") or word(toks, index - 1) == "y")):
        is_person = text != "el" or word(toks, index + 2) == "yo" or at(toks, index + 1).kind != "word"
        return _Person(1, index + 1) if is_person else None
    if text in ("nosotros", "nosotras", "los", "las", "the") and (number := _number(toks, index + 1)):
        if text == "las" and _leads_to_an_hour(toks, index - 1):
            return None
        bare = number[0] > 1 and not _is_noun(toks, number[1])
        end = number[1] + 2 if follows(toks, number[1], ("of", "us")) else number[1]
        return _Person(number[0], end, is_self=True) if bare else None
    return None


def _leads_to_an_hour(toks: Tokens, index: int) -> bool:
    """A las 9, antes de las 9, entre las 9 y las 11; "y las 2" is two of them after somebody else."""
    hour = _number(toks, index + 2)
    if hour and word(toks, hour[1]) in ("y", "menos") and not _is_person_word(toks, hour[1] + 2):
        minutes = _number(toks, hour[1] + 1)  # "las 9 y 15"
        if minutes or word(toks, hour[1] + 1) in ("cuarto", "media", "pico"):
            return True
    joins_hours = word(toks, index) in ("y", "e", "o") and _number(toks, index - 1) and word(toks, index - 2) == "las"
    return word(toks, index) in _BEFORE_HOURS or bool(joins_hours)


def _person_after_my(toks: Tokens, index: int) -> bool:
    number = _number(toks, index)
    noun = number[1] if number else index
    text = word(toks, noun)
    return _is_one(text, _KIN) or text in _TWO or text in ("mejor", "familia", "gente", "grupo")


def _is_noun(toks: Tokens, index: int) -> bool:
    """Whether something that a number could count follows it: "los 2 kilos" are no people."""
    return at(toks, index).kind == "word" and word(toks, index) not in _AND | one_of(
        "nomas no solos juntos solamente por para si en de que viajamos vamos somos of nada igual"
    )


def _number(toks: Tokens, index: int) -> tuple[int, int] | None:
    """A whole number and the token after it."""
    if word(toks, index) in ("un", "a") and word(toks, index + 1) in ("par", "couple"):
        return 2, index + 2 + (word(toks, index + 2) in ("de", "of"))
    reading = read_number(toks, index)
    if not reading or reading.value != int(reading.value) or not 0 < reading.value <= _MOST:
        return None
    return int(reading.value), reading.end


def _ages(toks: Tokens, index: int) -> tuple[int, int]:
    """How many ages follow, and where they end: de 10, de 8 y 10 años, (3 años), menor de edad."""
    if follows(toks, index, ("de", "edad")):
        return 0, index + 2
    start = index + (word(toks, index) in ("de", "(", "age", "aged"))
    ages, end = 0, index
    while start > index and (age := _number(toks, start)) and age[0] <= _OLDEST:
        is_another = ages and word(toks, start - 1) != "de" and (_is_person_word(toks, age[1]))
        if is_another:
            break
        ages, end = ages + 1, age[1] + (word(toks, age[1]) in _YEARS)
        end += word(toks, end) == ")"
        if word(toks, end) not in ("y", ",", "e", "and"):
            break
        start = end + 1 + (word(toks, end + 1) == "de")
    return ages, end


def _is_person_word(toks: Tokens, index: int) -> bool:
    text = word(toks, index)
    return _is_one(text, _KIN) or _is_one(text, _PEOPLE) or text in ("mas", "more")
