"""Names of persons: what stands after "me llamo" or "soy", and the bare answer to "¿cómo te llamas?"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile

from hilo.recognisers.address_words import AREAS, COUNTRYSIDE, STREETS, UNITS
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text
from hilo.recognisers.people.name_tokens import MOST_WORDS, WORD, NameWord, as_found, clauses_of, words_from
from hilo.recognisers.people.name_words import (
    ADDRESSED,
    AFTER_ARTICLE,
    AFTER_DE,
    AFTER_DEL,
    FUNCTION_WORDS,
    GIVEN_NAMES,
    KIN,
    NOT_FIRST,
    NOTING,
    PARTICLES,
    PROFESSIONS,
    TITLES,
)
from hilo.recognisers.people.recipients import receivers
from hilo.recognisers.phrases import word_set

PERHAPS = 50  # how sure a name is that must be asked about
MOST_BARE_WORDS = 6
LONGEST_WORD = 20
_FIRST_CLAUSES = 3
_WHOSE = frozenset(("de", "del", "con", "a", "por", "y", "san", "santa", "no"))  # la esposa de Juan Paz
PLACE_WORDS = STREETS | AREAS | COUNTRYSIDE | UNITS
ENGLISH = frozenset({"i'm", "i am", "im", "this is"})

_TRIGGER = re.compile(
    r"\b(?:(?P<sure>me (?:ll|y)am(?:o|an)|mi nombre (?:completo )?(?:y apellido )?(?:es|seria)|mi nombre[:,]|"
    r"nombre(?: completo| y apellido)? ?:|(?:el|cambi\w* (?:el|mi)|corregi\w* (?:el|mi)) nombre (?:es|seria|por|a)|"
    r"me dicen|(?:the|change my) name (?:is|to)|my name is|my name s|my name's|my names|a nombre de|de parte de|"
    r"(?:me )?pueden? (?:decirme|llamarme)|llamame|decime|dime|call me|name ?:|me puedes (?:decir|llamar))|"
    r"(?P<likely>soy|(?:le|les|te) (?:habla|escribe|saluda)|habla|i'm|i am|im|this is|aqui|aca|mi nombre|"
    r"att\.?|atte\.?|atentamente)|"
    rf"(?P<noted>{NOTING}(?: ahi)? (?:a|como))|"
    r"(?P<meant>nombres?(?: completos?)?|first name|(?:send|ship)(?: it)? to|"
    r"(?:es|sea|seria|reserva|reservacion|mesa|turno|cita|pedido) para))(?=[\s:,?])[\s:,?]+"
)
_FAMILY = re.compile(
    r"(?<!nombre y )(?<!nombres y )(?<!name and )\b(?:apellidos?|last ?names?|surnames?|family names?)\b"
    r"(?: (?:es|son|seria|is|are)\b)?[\s:,=-]*"
)
_OPENING = word_set("de del la las los da dos di van von der san santa mac mc")
_SAID_OF_A_NAME = word_set("lleva llevan escribe mal no esta quedo va tiene falta falto correcto incorrecto wrong and")
_CALLED = word_set("que se llama llamada llamado ella")
_ADJECTIVE = re.compile(
    r"(?!(?:rom|guerr|mont|quint|ot|bot|cord|riv|mad|luc|caball|carn)ero$).*(?:ero|ista|dor|dora|oso|osa|ense|ble|ando|endo|iendo|ado|ada|ido|ida|mente|cion)$"
)
_COURTESY = word_set("""
    hola holis holaa alo q k buenas buenos buen dia dias tarde tardes noche noches si claro ok dale bueno gracias muchas
    mucho gusto un placer encantado encantada por favor porfa saludos hello hi hey thanks please nice to meet you
    ah eh mmm senor senora es que tal como estas va con igualmente listo sip obvio te digo ahi perdon disculpa
    it's its perfecto yo nomas
""")
_NOTING = re.compile(NOTING)
_ASIDE = re.compile(rf"{NOTING}|a?(?:j[aeiou]){{2,}}j?|(?:ha){{2,}}|xd")
# "mándeme", "envíelo": what a message asks for is nobody
_ASKING = re.compile(
    r"(?:mand|envi|regal|separ|apart|guard|vend|pong|anot|agreg|despach|traig|confirm|reserv|d)[ae]n?"
    r"(?:(?:me|nos|se)(?:l[oa]s?)?|l[oa]s?)"
)
_NAMED_LATER = re.compile(
    r"(?:mi|su|una?) \w+,? (?:(?:la senora|el senor|dona|don) "
    r"|(?:(?:que )?(?:vive|esta) en [^\d,.;?!]{2,30}?,? )?(?:(?:y|que|ella|el) ){0,2}se llama )"
)
_STREETS = word_set("av avda cra kra cll dg diag transv tv mz apto")
_STREET_NAMES = word_set("calle carrera avenida diagonal transversal manzana")  # families too, with a capital
_SHOPS = ("teria", "deria", "ceria", "neria", "breria", "uidora", "tienda", "ciones")
_ENUMERATED = re.compile(r"\n[ .#]*$|(?:^|\n)[ ]*\d{1,2}[.)-][ ]*$")
_CLAUSE_END = re.compile(r"[.,;:!?¿\n]")
_SHORTEST_PHONE = re.compile(r"[ :.,+-]*\d(?:[ .-]?\d){6}")


def find_person_names(text: Text, *, asked: bool = False) -> tuple[Found, ...]:
    """Names as a person would write them; a bare message is a name only when the name was asked for."""
    found = tuple(_received(text)) or tuple(_introduced(text))
    if found or not asked:
        return found
    return tuple(_bare(text))


def find_family_names(text: Text, *, asked: bool = False) -> tuple[Found, ...]:
    """What is said to be a family name: "apellido Pérez", "my last name is Smith"; asked for it, also "de la Torre"."""
    starts = [trigger.end() for trigger in _FAMILY.finditer(text.folded)]
    names = [_family_name(words_from(text, start, most=MOST_WORDS)) for start in starts]
    if asked and not any(names):
        words = words_from(text, 0)
        names = [_family_name(words)] if words and words[0].folded in PARTICLES else []
    return tuple(as_found(name, 95, opens=False) for name in names if name)


def _family_name(words: Sequence[NameWord]) -> list[NameWord]:
    """The family's name that begins here, with the particles that open it."""
    opening = list(takewhile(lambda word: word.near and word.folded in _OPENING, words))
    name = _leading_name(words[len(opening) :], careful=not opening, introduced=True)
    return [*opening, *name] if name and name[0].folded not in _SAID_OF_A_NAME else []


def _received(text: Text) -> Iterator[Found]:
    """Who is said to receive the order goes before who writes."""
    for received in receivers(text.folded):
        later = _NAMED_LATER.match(text.folded, received)
        start = later.end() if later else received
        words, _ = _without_title(words_from(text, start, most=MOST_WORDS + 6), "", meant=True)
        name = _leading_name(words, careful=True, introduced=True)
        end = _CLAUSE_END.search(text.folded, start)
        if not name or _digit_beside(text, name) or (end and end.group() == "?"):
            continue
        capital = name[0].written[:1].isupper() and not text.raw.isupper()
        if (capital or name[0].folded in GIVEN_NAMES) and (len(name) > 1 or name[0].folded not in NOT_FIRST):
            yield as_found(name, 95)


def _introduced(text: Text) -> Iterator[Found]:
    for trigger in _TRIGGER.finditer(text.folded):
        likely, meant = trigger.group("likely"), bool(trigger.group("meant"))
        noted = bool(trigger.group("noted"))
        if likely in {"aqui", "aca", "habla", "this is"} and not _opens(text.folded, trigger.start()):
            continue
        if _is_denied(text.folded, trigger):
            continue
        words, only_known = _without_title(
            words_from(text, trigger.end(), most=MOST_WORDS + 4), likely or "", meant=meant
        )
        name = _leading_name(words, careful=bool(likely) or meant or noted, introduced=True)
        if (
            not name
            or ((only_known or noted) and _is_common(name, meant=meant))
            or (likely in ENGLISH and _looks_common(name[0]))
        ):
            continue
        # soy hipertensa: a small word that nobody knows for a name may as well say what somebody is
        trait = likely == "soy" and len(name) == 1 and _looks_common(name[0])
        yield as_found(name, PERHAPS if trait else 85 if likely or meant or noted else 95)


def _is_denied(folded: str, trigger: re.Match[str]) -> bool:
    """No me llamo Pedro; "no mi nombre es Pedro" only lacks its comma."""
    before = folded[: trigger.start()].split()[-1:]
    return trigger.group().startswith(("me ", "soy")) and before in (["no"], ["not"])


def _without_title(words: list[NameWord], likely: str, *, meant: bool) -> tuple[list[NameWord], bool]:
    """What follows a title or a relative, and whether only a known or capitalised name may begin there."""
    start, only_known = 0, meant
    folded = [word.folded for word in words]
    if folded[:1] and folded[0] in ("el", "la", "yo", "mi", "su", "my"):
        start, only_known = 1 + (folded[0] == "yo" and folded[1:2] in (["el"], ["la"])), True
    if start and folded[start : start + 1] and folded[start] in KIN and folded[0] in ("mi", "su", "my"):
        named = list(dropwhile(lambda word: word.folded in _CALLED, words[start + 1 :]))
        apart = bool(named) and not named[0].near and named[0].folded not in GIVEN_NAMES
        return ([] if apart else named), False  # "para mi mamá, San Martín 1234" names a street
    if folded[start : start + 1] and folded[start] in TITLES:
        only_known = meant or folded[start] in PROFESSIONS
        start += 1
    elif start and folded[0] not in ("el", "la") and likely != "soy":
        start = 0
    elif start and likely and _is_byname(words[start:]):
        start += 1
    return words[start:], only_known


def _is_byname(words: Sequence[NameWord]) -> bool:
    """Whether what somebody is or is called stands before the name: el tano Bianchi, la clienta Marta."""
    if len(words) < 2 or words[0].folded in FUNCTION_WORDS | GIVEN_NAMES:  # noqa: PLR2004
        return False
    return words[0].written.islower() and words[1].near and words[1].written.istitle()


def _is_common(name: Sequence[NameWord], *, meant: bool) -> bool:
    """Nothing shows that this is a name; what is for somebody may as well be for a town or a feast."""
    first = name[0]
    if meant:
        return first.folded not in GIVEN_NAMES or (len(name) == 1 and first.folded in NOT_FIRST)
    return first.folded not in GIVEN_NAMES and (first.written.islower() or first.folded in NOT_FIRST)


def _looks_common(word: NameWord) -> bool:
    """In English nearly any small word may follow "I'm"."""
    return word.written.islower() and word.folded not in GIVEN_NAMES


def _opens(folded: str, start: int) -> bool:
    """Whether only courtesy stands before: "hola, habla Ana"."""
    return all(word in _COURTESY for word in WORD.findall(folded, max(0, start - 60), start))


def _bare(text: Text) -> Iterator[Found]:
    """The first clause that holds nothing but a name; the other clauses may hold anything."""
    asks = "?" in text.folded
    end = min(_mail_start(text.folded), _question_start(text.folded))
    words = _without_courtesy(words_from(text, 0))
    if asks and end == 0:  # ¿cómo? Ernesto
        words, end = _without_courtesy(words_from(text, text.folded.rfind("?") + 1)), len(text.folded)
    clauses = [_untitled(clause) for clause in clauses_of([word for word in words if word.end <= end])]
    clauses = [clause for clause in clauses if len(clause) > 1 or clause[0].folded not in TITLES]
    for clause in clauses:
        if _is_written_in_full(clause) and not text.raw.isupper() and not _digit_beside(text, clause):
            known = clause[0].folded in GIVEN_NAMES
            yield as_found(clause, (90 if known else 80) - (0 if len(clauses) == 1 else 10))
            return
    for position, clause in enumerate(clauses[:_FIRST_CLAUSES]):
        name = _leading_name(clause, careful=True)
        if not 0 < len(name) <= MOST_BARE_WORDS or not _is_all(name, clause) or _digit_beside(text, name):
            continue
        known = name[0].folded in GIVEN_NAMES
        if not known and any(each[0].folded in GIVEN_NAMES and len(each) > 1 for each in clauses[position + 1 :]):
            continue  # uy qué formal, Romina Stella
        if not known and (asks or (position and len(name) == 1)):
            return
        alone = len(clauses) == 1
        yield as_found(name, (90 if known else 75 if len(name) > 1 else 65) - (0 if alone else 10))
        return


def _is_written_in_full(clause: Sequence[NameWord]) -> bool:
    """Whether a clause is a name as on a form, a capital for each word: "Segundo Timaná"."""
    first = clause[0].folded
    if not 1 < len(clause) <= MOST_BARE_WORDS or first in PARTICLES | PROFESSIONS | PLACE_WORDS:
        return False
    if any(word.folded.endswith(_SHOPS) for word in clause) or clause[1].folded in PARTICLES:
        return False  # "Panadería Luna", "Parque de los Novios"
    return all(word.written[:1].isupper() or word.folded in PARTICLES for word in clause)


def _without_courtesy(words: Sequence[NameWord]) -> list[NameWord]:
    """The other words; what follows a courtesy after a comma follows the comma: "está mal, es Anna"."""
    kept: list[NameWord] = []
    near = True
    for word in words:
        near = near and word.near
        spoken_to = _ASIDE.fullmatch(word.folded) or word.folded in ADDRESSED
        aside = spoken_to and (not kept or word.written.islower())
        if not aside and (word.folded not in _COURTESY or word.folded in PARTICLES):
            kept.append(replace(word, near=near))
            near = True
    return kept


def _is_all(name: Sequence[NameWord], clause: Sequence[NameWord]) -> bool:
    """Whether nothing else stands in the clause than a second person; "juan con j" may spell itself."""
    rest = clause[len(name) :]
    if not rest or (_are_two_capitals(name) and rest[0].written.islower()):
        return True  # Ana Pérez quiero dos, Elvia Rojas y mi número es
    if name[0].folded not in GIVEN_NAMES:
        return False
    if rest[0].folded in {"vda", "viuda"}:
        return True
    second = len(rest) > 1 and rest[0].folded in ("y", "e") and rest[1].folded in GIVEN_NAMES
    return second or len(rest[0].folded) == 1


def _question_start(folded: str) -> int:
    """Where the clause begins that asks back, as in "jorge luis, y el tuyo?"."""
    mark = folded.find("?")
    return len(folded) if mark < 0 else max(folded.rfind(sign, 0, mark) for sign in ",.;!¿") + 1


def _mail_start(folded: str) -> int:
    """Where the address of mail begins that stands after the name."""
    sign = folded.find("@")
    return len(folded) if sign < 0 else folded.rfind(" ", 0, len(folded[:sign].rstrip())) + 1


def _untitled(clause: list[NameWord]) -> list[NameWord]:
    """A clause without its title, or without the "para" before a name."""
    if len(clause) > 1 and (
        clause[0].folded in TITLES or (clause[0].folded == "para" and clause[1].folded in GIVEN_NAMES)
    ):
        return clause[1:]
    return clause


def _leading_name(words: Sequence[NameWord], *, careful: bool, introduced: bool = False) -> list[NameWord]:
    """The words of the name that begins here, without particles at its end; `careful` refuses adjectives."""
    if not words or not (_may_begin(words[0], careful=careful) or (not careful and _are_two_capitals(words))):
        return []
    name = [words[0]]
    for position, word in enumerate(words[1:MOST_WORDS], 1):
        if not word.near or not _may_follow(word) or (introduced and _runs_on(words, position)):
            break
        if (
            word.folded in ("y", "e")
            and words[position + 1 : position + 2]
            and words[position + 1].folded in GIVEN_NAMES
        ):
            break
        name.append(word)
    while name and name[-1].folded in PARTICLES:
        name.pop()
    return name


def _may_begin(word: NameWord, *, careful: bool) -> bool:
    if word.folded in GIVEN_NAMES:
        return True
    if word.folded in FUNCTION_WORDS or word.folded in PARTICLES - {"san", "santa", "santo"}:
        return False
    if _ASKING.fullmatch(word.folded):
        return False
    if word.folded in NOT_FIRST or word.folded.endswith(_SHOPS) or not 1 < len(word.folded) <= LONGEST_WORD:
        return False
    return not (careful and word.written.islower() and _ADJECTIVE.match(word.folded))


def _are_two_capitals(words: Sequence[NameWord]) -> bool:
    """Me llamo Segundo Quispe: a name, whatever else the word means."""
    if len(words) < 2 or words[0].folded.endswith(_SHOPS) or words[1].folded in PARTICLES:  # noqa: PLR2004
        return False
    return words[0].written.istitle() and words[1].near and words[1].written.istitle()


def _may_follow(word: NameWord) -> bool:
    if word.folded in PARTICLES or word.folded in GIVEN_NAMES:
        return True
    if word.written.islower() and (len(word.folded) == 1 or word.folded in ADDRESSED):
        return False
    if word.folded in _STREETS or (word.folded in _STREET_NAMES and word.written.islower()):
        return False
    asks = word.folded in FUNCTION_WORDS or _ASKING.fullmatch(word.folded)
    return not asks and len(word.folded) <= LONGEST_WORD


def _runs_on(words: Sequence[NameWord], position: int) -> bool:
    """Whether "de" tells a place or a company, and "y" goes on with the sentence: soy Juan de Rosario y quiero."""
    following = words[position + 1] if position + 1 < len(words) else None
    match words[position].folded:
        case "y" | "e":
            return True
        case "de" if following and following.folded in ("la", "las", "los"):
            return position + 2 >= len(words) or words[position + 2].folded not in AFTER_ARTICLE
        case "de":
            return not following or not (following.folded in AFTER_DE or following.folded.endswith("ez"))
        case "del":
            return not following or following.folded not in AFTER_DEL
        case "el" | "la" | "los" | "las":
            return words[position - 1].folded != "de"
    return False


def _digit_beside(text: Text, clause: Sequence[NameWord]) -> bool:
    """A number before or after makes it an address or an order, not a name, unless it is a phone or on another line."""
    folded = text.folded
    after = folded[clause[-1].end : clause[-1].end + 4].lstrip(" .#")[:1]
    before = folded[max(0, clause[0].start - 4) : clause[0].start].rstrip(" #")[-1:]
    start = text.origins[clause[0].start]
    if before.isdigit() and not _ENUMERATED.search(text.raw[max(0, start - 8) : start]):
        return True
    if not after.isdigit() or _SHORTEST_PHONE.match(folded, clause[-1].end):
        return False
    last = text.origins[clause[-1].end - 1]
    return "\n" not in text.raw[last : last + 4]
