"""What a contact wants to be told, and when, in their own words."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from asistente_asking import TELLS, WAKES, about, asks, trimmed
from asistente_moments import each_hour, find_alternatives, find_moments, hours_of
from asistente_notes import MAX_CHARACTERS
from asistente_words import WEEKDAYS

from hilo import AskContact, ToolFailed, language

MOST_HOURS = 4  # what a larger number counts, after which something shall be told, are minutes
MORNING, EVENING, DAWN = "08:00", "20:00", "06:00"  # near which an hour is meant that may be early or late
DAY, WEEK = timedelta(days=1), timedelta(weeks=1)
WHEN = "¿Cuándo te aviso? Dime el día y la hora, por ejemplo «mañana a las 9»."
ONCE = "Puedo avisarte una vez, todos los días o un día de cada semana. Dime cuál de las tres y a qué hora."
WAKING = "hora de despertar"

_AGAIN = re.compile(r"\b(?:de nuevo|otra vez|nuevamente|de vuelta|(?:pospon|posterg)\w*)\b", re.IGNORECASE)
# what was noted before: "anota comprar pan y recuérdamelo mañana"
_POINTS_BACK = re.compile(
    r"\b(?:recu[eé]rd[ae]|record[aá]|av[ií]s[ae]|avis[aá]|acu[eé]rd[ae]|acord[aá])"
    r"(?:mel[oa]s?|me\s+(?:de\s+)?(?:eso|esto))\b",
    re.IGNORECASE,
)
# how long until then, where no other moment is said: "recordatorio 20 minutos pollo"
_DELAY = re.compile(
    r"\b(?<!en )(?<!cada )(\d{1,3}|media|una) (minutos?|min|horas?)\b(?! (?:antes|despu))", re.IGNORECASE
)
_THE_SAME = re.compile(r"\b(?:igual(?:ito)?|lo mismo|(?:de|con|para) lo mismo|tambi[eé]n|tb|tmb)\b", re.IGNORECASE)
_ANOTHER = re.compile(
    r"^(?:(?:y|tambi[eé]n|tb|tmb|tbn|adem[aá]s|p[oó]n(?:me|eme)?|el|la)\s+)*(?:otr[oa]|un[oa](?:\s+m[aá]s)?)\b"
    r"|^(?:y\s+)?(?:tambi[eé]n|tb|tmb|tbn|adem[aá]s)\b(?:\s+(?:para|pa))?|\btambi[eé]n\W*$",
    re.IGNORECASE,
)
_WEEKDAY = r"(?:lun(?:es)?|mar(?:tes)?|mi[eé](?:rcoles)?|jue(?:ves)?|vie(?:rnes)?|s[aá]b(?:ado)?s?|dom(?:ingo)?s?)"
# how often it can not be told
_OFTEN = re.compile(
    rf"\b{_WEEKDAY} a {_WEEKDAY}\b|\b(?:entre semana|d[ií]as (?:h[aá]biles|laborables|laborales|de semana))\b"
    r"|\bfines de semana\b|\btodos los d[ií]as,? (?:menos|excepto|salvo)\b"
    r"|\b(?:cada|todos los|todas las) (?:\d+ |dos |tres |ocho )?(?:horas?|minutos?|mes(?:es)?|quincenas?|años?)\b"
    r"|\bde cada mes\b|\bcada (?:\d+|dos|tres) (?:d[ií]as|semanas)\b",
    re.IGNORECASE,
)
_WAKE = re.compile(rf"\b(?:{WAKES})\b", re.IGNORECASE)
_ALARM = re.compile(r"\b(?:alarma|despertador)\b", re.IGNORECASE)
_LEADS = re.compile(
    r"(?:(?:^|\s+)(?:para|el|la|las|los|a|al|del|d[ií]a|este|esta))+\s*$", re.IGNORECASE
)  # a las 9, para el lunes
_DAILY = re.compile(
    r"\b(?:todos los d[ií]as|cada d[ií]a|a diario|diariamente|every day"
    r"|(?:todas las|cada|(?:por|en) las) (?P<part>mañana|tarde|noche)s?)\b",
    re.IGNORECASE,
)
# a part of the day that only goes with the hour: "todas las noches a las 9"
_WITH_THE_HOUR = re.compile(r"\b(?:a|por|en) la (?:mañana|tarde|noche|madrugada)\b", re.IGNORECASE)
_WEEKLY = re.compile(
    r"\b(?:todos los|todas las|cada|los|every)\s+"
    r"(?=(?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bados?|domingos?)\b)",
    re.IGNORECASE,
)
# … avísame una hora antes, with what leads to it
_AHEAD = re.compile(
    rf"[\s,.;]*(?:\b(?:y|pero|mejor|que|tambi[eé]n|adem[aá]s)\s+)*(?:me\s+)?(?:\b(?:{TELLS})\s+)?(?:con\s+)?"
    r"\b(?P<count>una?|media|dos|tres|\d{1,3}|el)\s+(?P<unit>horas?|hs?|min(?:uto)?s?|d[ií]as?|semanas?|rat(?:o|ito))"
    r"(?P<half>\s+y\s+media)?\s+(?P<way>antes|anterior|despu[eé]s|m[aá]s tarde|m[aá]s temprano)\b"
    r"(?:\s+(?:tambi[eé]n|adem[aá]s))?",
    re.IGNORECASE,
)
_UNITS = {"h": timedelta(hours=1), "m": timedelta(minutes=1), "d": DAY, "s": WEEK, "r": timedelta(minutes=30)}
_COUNTS = {"un": 1.0, "una": 1.0, "el": 1.0, "media": 0.5, "dos": 2.0, "tres": 3.0}
# how much later or sooner, where the verb tells which: "posponelo 10 minutos", "dame media hora más"
_SHIFT = re.compile(
    r"(?P<verb>\b(?:pospon|posterg|atras|demor|retras|aplaz|corr|adelant|dame|ponle|pon[eé]le|agreg)\w*)?"
    r"\D{0,30}?"
    r"(?P<size>\b(?:\d{1,3}|una?|media|dos|tres) (?:horas?|min(?:uto)?s?|d[ií]as?|semanas?|ratito?)"
    r"(?: y media)?)(?! (?:antes|despu|m[aá]s (?:tarde|temprano)))(?P<more> m[aá]s\b)?",
    re.IGNORECASE,
)
_NEXT_DAY = re.compile(r"\b(?:al|el|para el|del) (?:otro d[ií]a|d[ií]a siguiente|siguiente d[ií]a)\b", re.IGNORECASE)
_MOVES = re.compile(
    r"(?:[^\W\d_]+[\s,]+){0,2}?(?:pas[aá]|muev[ae]|mov[eé]|cambi[aá]|corr[eé]"
    r"|pospon|posterg|atras|adelant)\w*\b",
    re.IGNORECASE,
)
_ALSO = re.compile(r"\b(?:tambi[eé]n|tb|tmb|tbn|adem[aá]s)\b", re.IGNORECASE)
_SOONER = re.compile(r"\b(?:m[aá]s temprano|antes|adelant\w+)\b", re.IGNORECASE)
_LATER = re.compile(r"\b(?:m[aá]s tarde|despu[eé]s|atras\w+)\b", re.IGNORECASE)
_PART_OF_DAY = re.compile(r"\b(?:de|a|por|en) la (?:mañana|tarde|noche|madrugada)\b|\b[ap]\.? ?m\b", re.IGNORECASE)
_INSTEAD_OF = re.compile(
    r"[,\s]*\b(?:en vez|en lugar) del?(?:\s+(?:a|la|las|el|los|del?|que|sea|para))*\s+", re.IGNORECASE
)
# "no a las 5, a las 4", "era a las 4 y no a las 5"; "no, a las 4" denies nothing of the kind
_NOT = re.compile(
    r"[,\s]*(?:\by\s+)?\bno\s+(?:(?:era|es|sea|son|que sea)\s+)?(?:(?:a|para|de|el|la|las|los|al)\s+)*$", re.IGNORECASE
)
_BUT = re.compile(r"^\s*,?\s*(?:sino|pero)\b", re.IGNORECASE)
_REASON = re.compile(
    r"[,;]?\s*\b(?:por ?que|porq|pq|xq|ya que|dado que|es que)\s"
    r"|[,;]\s*(?:pues|q(?:ue)?(?! (?:sea|me|lo|la|mejor)\b))\s",
    re.IGNORECASE,
)
# "me olvidé que mañana entro antes, pásamelo al viernes"
_REASON_FIRST = re.compile(
    r"^.*\b(?:por ?que|es que|olvid\w+|resulta|tengo|trabajo|viajo|voy|estoy|entro|salgo|llego|viene|no puedo)\b"
    r"[^,.;]*[,.;]\s*(?=(?:as[ií] que |mejor |y )?(?:me l[oa] |lo |la )?"
    r"(?:mejor|p[aá]s[aáe]|camb[ií]|m[uo][eé]?v|p[oó]n|que sea))",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"[¿?]|^\W*(?:y )?(?:que (?:dia|hora|fecha|hay|es|tengo|feriado)|cual|cuando|cuanto|como|donde|quien|hay|sera)\b"
)
_CHANGES = re.compile(
    r"\b(?:mejor|pas(?:a|e|o)|pasar|camb|muev|mov|corr[ei]|adelant|atras|pospon|posterg|que sea|pon|dej|pued|podr|podes"
    r"|podemos|avis|record|recuerd|acuerd|acord|despert|despiert|antes|y si)"
)
_TAKES_AWAY = re.compile(
    r"\W*(?:(?:y|no|ok|ay|ah|bueno|porfa|por favor|entonces)\W+)*(?:borr|elimin|quit|sac|cancel|suprim)"
    r"(?!ar\b|ir\b)\w*\s+(?:el|la|los|las|lo|es[eoa]s?|tod[oa]s?|mis?)\b(?!.*\by (?:pon|haz|hac|dej|arm|cre))"
)
_ASKED_NO_CHANGE = re.compile(
    r"\bno (?:(?:te|he|les?|lo|la|nunca) )*(?:ped|dij|dich|quer|quier)\w* (?:que )?(?:\w+ ){0,2}?"
    r"(?:cambi|mov|muev|toc(?:a|ar|ara|aras|ases)\b|modific)\w*"
)
_AT_ANOTHER = re.compile(
    r"\b(?:es[ae]|la|lo)\b(?: \w+){0,2}? (?:tom|hag|hac|pon|voy|va|toca|pas|qued|com)\w*\b.*?\b(?P<when>a las? \S.*)$",
    re.IGNORECASE,
)
# "a las 9 y media, borra ese de las 8"
_AND_GONE = re.compile(
    r"[\s,.;]+(?:y )?(?:b[oó]rr|elim[ií]n|qu[ií]t|s[aá]c|cancel)\w*\s+(?:el|la|lo|es[ae])\s+(?=del? )(?P<gone>\S.*)$",
    re.IGNORECASE,
)
_NUMBER_GIVEN_UP = re.compile(r"\b(en (?:vez|lugar) de)l (?=\d)", re.IGNORECASE)
_RATHER_SO = re.compile(
    r"\bmejor,?\s+(?:q|que|a|al|el|para|pa|me|av[ií]s\w*|pasado|ma[nñ]ana|hoy|los|las|\d)\b", re.IGNORECASE
)
_SAME_HOUR = re.compile(
    r"\b(?:a |en )?(?:la misma|esa misma|esa) hora\b|\b(?:al|el|en el) mismo horario\b", re.IGNORECASE
)
_SAME_DAY = re.compile(
    r"\b(?:el|ese|este) mismo (d[ií]a|lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo)\b", re.IGNORECASE
)
# "borra el del banco y pon uno el viernes": what goes, and what comes in its place
_INSTEAD = re.compile(
    r"(?P<gone>.*?\b(?:qu[ií]t|s[aá]c|b[oó]rr|canc[eé]l|elim[ií]n|an[uú]l)[^\W\d_]*\b.*?)[\s,.;]*\b(?:y|e)\s+(?:me\s+)?"
    r"(?:p[oó]n|pon[eé]|haz|hac[eé]|dej[aá]|arm[aá]|cre[aá]|program|agend|avisa|recu[eé]rda|record[aá])[^\W\d_]*\b"
    r"(?:\s+(?:de nuevo|otra vez|nuevamente|de vuelta|bien|mejor|un[oa]|otr[oa]|nuev[oa]|en su lugar"
    r"|recordatorio|aviso|alarma))*[\s:,]*(?P<wish>\S.*)$",
    re.IGNORECASE,
)
# what a reminder shall be called from now on
_OTHER_WORDS = re.compile(
    r"\b(?:(?<!\botr[oa] )(?<!\bun[oa] )q(?:ue)? (?:\w+ ){0,3}?diga|cambi\w+ (?:el |lo )?(?:texto|nombre|t[ií]tulo)"
    r"(?: (?:de|del?) (?:el |la |ese |esa )?(?:recordatorio|aviso|alarma|[uú]ltimo))?[,:]?(?: (?:por|a|es|que diga))?"
    r"|(?:qued|est|sali|escrib|puso|pus)\w* mal(?: escrito| puesto)?[,.;:!]*"
    r"|p[oó]nl[eo] (?:de nombre|de t[ií]tulo)|en realidad (?:es|era)(?! a\b| el \w+ a\b)"
    r"|no,? (?:es|era)(?= (?:con |a |de |por )?(?:el|la|los|las|un|una|mi|al|del) [^\W\d])"
    r"|no es (?:con |para |a )?(?:\w+ ){1,3}?(?:sino|es))"
    r"[\s,:]+(?:(?:es|que es|era|que diga|ten[ií]a que decir|debe decir|deb[ií]a decir|solo|s[oó]lo|solamente"
    r"|[uú]nicamente|nom[aá]s|nada m[aá]s|pon(?:le|er)?|as[ií]:?)\s+)*(?P<body>\S.*)$",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"«“']\s*([^\"«»“”]+?)\s*[\"»”']")
_LAUGHS = re.compile(r"[\s,]+(?:ja(?:ja)+|porfa|por favor|gracias|please|nom[aá]s|y ya|y listo)[.!]*$", re.IGNORECASE)
# "sácale el solo", "quítale la palabra mañana"
_WITHOUT = re.compile(
    r"\b(?:s[aá]c|qu[ií]t|b[oó]rr)[aá]r?(?:le|selo)\s+"
    r"(?:(?:lo|eso|la parte|la palabra|las palabras) (?:de(?:l| la)? |que dice )?"
    r"|el |la |los |las )?(?P<words>\S.*)$",
    re.IGNORECASE,
)
_NOTES = re.compile(r"(?:y\s+)?(?:an[oó]t[aá]|ap[uú]nt[aá])(?:me|lo)?\b", re.IGNORECASE)
_JOINT = re.compile(r"\s*[,;]\s*(?:y\s+)?|\s+y\s+(?!(?:media|cuarto|\d{1,2})\b)", re.IGNORECASE)
_IN_MINUTES = re.compile(r"\ben (\d{1,3})(?=[\s.!]*$)", re.IGNORECASE)  # mejor en 20


@dataclass(frozen=True, slots=True)
class Wish:
    """What to tell, and when; without a moment where none was said."""

    body: str
    due: datetime | None
    every: timedelta = timedelta(0)  # from one time to the next, where it is told again and again
    ahead: timedelta = timedelta(0)  # how long before the moment that was said


def read_wishes(text: str, when: str, now: datetime) -> list[Wish]:
    """All that a text asks to be told: "a las 20 llamar a Juan y mañana a las 9 ir al banco" are two.

    There are several where each part between an "y" or a comma has words and a moment of its own; and where several
    moments are listed: "tomar la pastilla a las 8 y a las 21".
    """
    parts = [part for part in _JOINT.split(_AHEAD.sub("", text)) if part.strip()]
    text = _IN_MINUTES.sub(_with_unit, text)
    if len(parts) < 2 or when.strip() or _AHEAD.search(text):  # noqa: PLR2004
        return _wishes(text, when, now)
    wishes: list[Wish] = []
    day = ""
    for part in parts:
        dates = language.find_dates(language.normalise(part), now=now)
        day = "" if dates else day
        wishes.append(_goes_on(wishes[-1], part, day, now) if wishes else _read(part, "", now))
        due = wishes[-1].due
        day = f"el {due.day}/{due.month}/{due.year}" if dates and due else day
    if not all(wish.body and wish.due for wish in wishes):
        return _wishes(text, when, now)
    listed = _wishes(text, when, now) if len({wish.body for wish in wishes}) == 1 else []
    return listed if len(listed) == len(wishes) else wishes


def one_of_two(text: str, when: str, now: datetime) -> str:
    """A wish with the moment that was chosen in place of two; asks which one of "a las 5 o a las 6" is meant."""
    two = find_alternatives(text, now)
    if two is None:
        return text
    if not when.strip():
        raise AskContact("when", question=f"¿Cuándo te aviso: {' o '.join(two.named)}?")
    return f"{text[: two.start]} {two.chosen(when, now)} {text[two.end :]}"


def _goes_on(before: Wish, part: str, day: str, now: datetime) -> Wish:
    """A wish that follows another, on the day that was said and as often; "otra a las 5" is the same."""
    if again := read_another(part, before, now):
        return again
    wish = _read(f"{day} {part}" if day and not read_every(part)[0] else part, "", now)
    says_day = day or language.find_dates(language.normalise(part), now=now)
    return wish if wish.every or says_day or not wish.due else replace(wish, every=before.every)


def _wishes(text: str, when: str, now: datetime) -> list[Wish]:
    """One wish in the contact's words, at each of the moments that it lists; asks for what it is about."""
    if too_often(f"{when} {text}" if when else text):
        if not when.strip() or too_often(when):
            raise AskContact("when", question=ONCE)
        text = _OFTEN.sub(" ", text)
    wishes = _read_all(text, when, now)
    body = wishes[0].body
    if not body:
        raise AskContact("text", question="¿Qué quieres que te recuerde?")
    if len(body) > MAX_CHARACTERS:
        raise ToolFailed("a long reminder", tell=f"Es demasiado largo: caben {MAX_CHARACTERS} caracteres.")
    return wishes


def _read(text: str, when: str, now: datetime) -> Wish:
    return _read_all(text, when, now)[0]


def _read_all(text: str, when: str, now: datetime) -> list[Wish]:
    every, text = read_every(each_hour(" ".join(text.split())))
    often, when = read_every(each_hour(when))
    ahead = read_ahead(text)
    said = language.normalise(_AHEAD.sub("", text))
    wakes = _WAKE.search(text) is not None
    nears = (MORNING,) if every or often else (MORNING, EVENING)
    found = find_moments(said, now, (DAWN,) if wakes else nears)
    if not found.due and not when:
        said = language.normalise(_DELAY.sub(r"en \1 \2", said.raw, count=1))
        found = find_moments(said, now, nears)
    body = said.raw
    for start, end in reversed(found.spans):
        body = f"{_LEADS.sub(' ', body[:start])} {body[end:]}"
    if found.due:
        body = _WITH_THE_HOUR.sub(" ", body)
    body = about(" ".join(_SAME_HOUR.sub(" ", body).split()))
    if not body and (wakes or _ALARM.search(text)):
        body = WAKING if wakes else "alarma"
    due = found.due or (find_moments(language.normalise(when), now, nears).due if when.strip() else ())
    return [Wish(body, each - ahead, every or often, ahead) for each in due] or [
        Wish(body, None, every or often, ahead)
    ]


def read_one(text: str, now: datetime) -> Wish:
    """The one wish of a text, which may have no words or no moment."""
    return _read(text, "", now)


def too_often(text: str) -> bool:
    """Whether something is wanted as often as we cannot tell it: "de lunes a viernes"."""
    return _OFTEN.search(text) is not None


def read_every(text: str) -> tuple[timedelta, str]:
    """How often a text says, and the text with the first day of it instead: "todos los lunes" is Monday, each week."""
    if _DAILY.search(text):
        return DAY, " ".join(_DAILY.sub(lambda said: f"a la {said['part']}" if said["part"] else " ", text).split())
    if _WEEKLY.search(text):
        return WEEK, re.sub(r"(?i)\b(s[aá]bado|domingo)s\b", r"\1", _WEEKLY.sub("el ", text))
    return timedelta(0), text


def read_ahead(text: str) -> timedelta:
    """How long before something it is to be told, or after it where less than nothing: "una hora antes"."""
    found = _AHEAD.search(text)
    if found is None:
        return timedelta(0)
    count = _COUNTS.get(found["count"].lower()) or float(found["count"])
    size = _UNITS[found["unit"][0].lower()] * (count + (0.5 if found["half"] else 0))
    return -size if _LATER.search(found["way"]) else size


def is_ahead(text: str, now: datetime) -> bool:
    """Whether a text says how long before, and not at what hour: "avísame una hora antes del partido"."""
    hours = hours_of(language.normalise(_AHEAD.sub("", text)), now, MORNING)
    return read_ahead(text) != timedelta(0) and not hours


def read_another(text: str, before: Wish, now: datetime) -> Wish | None:
    """One more of what was promised last, as often, where nothing else is said: "y otra a las 5:30"."""
    rest = _ANOTHER.sub(" ", text.strip())
    if rest == text.strip() or before.due is None or _read(_THE_SAME.sub(" ", rest), "", now).body:
        return None
    moment = moved(text, before.due, timedelta(0), now)
    if moment is None:
        return None
    is_daily = before.every == DAY and not language.find_dates(language.normalise(text), now=now)
    due = moment[0] + DAY if is_daily and moment[0] <= now else moment[0]
    return Wish(before.body, due, read_every(text)[0] or (DAY if is_daily else timedelta(0)))


def with_moment(text: str, due: datetime) -> str:
    """A text with the hour and the day of a reminder where it points at them: "el viernes a la misma hora"."""
    hour, day = f"a las {due.hour}:{due.minute:02d}", f"el {due.day}/{due.month}/{due.year}"
    is_another = (said := _SAME_DAY.search(text)) and said[1].lower() not in ("día", "dia", WEEKDAYS[due.weekday()])
    return _SAME_DAY.sub(r"el \1" if is_another else day, _SAME_HOUR.sub(hour, text))


def in_place(text: str) -> tuple[str, str]:
    """What goes and what comes in its place: "quita ese y pon uno el viernes"; nothing where a text says no such."""
    found = _INSTEAD.fullmatch(" ".join(text.split()))
    return (found["gone"], found["wish"]) if found else ("", "")


def other_words(text: str) -> str:
    """What a reminder shall be called instead: "cambia el nombre, es con el oculista"."""
    found = _OTHER_WORDS.search(" ".join(text.split()))
    if found is None:
        return ""
    quoted = _QUOTED.search(found["body"])
    return quoted[1] if quoted else trimmed(_LAUGHS.sub("", found["body"]))


def without_words(text: str, body: str) -> str:
    """What is left of a reminder without words that are not wanted, "sácale el solo"; "" where it has none."""
    found = _WITHOUT.search(" ".join(text.split()))
    words = _LAUGHS.sub("", found["words"]).strip(" \"'«».,!") if found else ""
    left = re.sub(rf"(?i)\b{re.escape(words)}\b", " ", body) if words else body
    return trimmed(" ".join(left.split())).strip("\"'«»“” ") if left != body else ""


def moves(text: str) -> bool:
    """Whether something is to be put at another moment: "pasa el gimnasio para las 7"."""
    return _MOVES.match(text.strip()) is not None


def is_one_more(text: str, now: datetime) -> bool:
    """Whether a text promises something else besides: "uno más para el sábado ir a la feria"."""
    return _ANOTHER.match(text.strip()) is not None and bool(_read(_ANOTHER.sub(" ", text.strip()), "", now).body)


def is_wish(text: str, now: datetime) -> bool:
    """Whether a text asks to be told something, and says what and when."""
    wish = _read(text, "", now)
    return asks(text) and bool(wish.body) and wish.due is not None


def is_note(text: str, now: datetime) -> bool:
    """Whether something is to be noted, and nobody says when to tell it: "anótame llamar a la madrina"."""
    return _NOTES.match(text.strip()) is not None and _read(text, "", now).due is None


def points_back(text: str, before: str) -> str:
    """A text that asks to be told what was noted `before`, with that in its words; else the text as it is."""
    said = _POINTS_BACK.search(text)
    return f"recuérdame {text[: said.start()]}{text[said.end() :]} {before}" if said and before else text


def says_only_sooner_or_later(text: str) -> bool:
    """Whether something is to be told at another hour, and nobody says which: "ponelo más temprano"."""
    return bool(_SOONER.search(text) or _LATER.search(text))


def says_also(text: str) -> bool:
    """Whether something is to be told besides, not instead."""
    return _ALSO.search(text) is not None


def moved(when: str, before: datetime, ahead: timedelta, now: datetime) -> tuple[datetime, timedelta] | None:
    """The moment that a text puts in another's place, and how long before it; what it does not say stays.

    An hour that may be early or late stays in its half of the day, unless "más tarde" tells otherwise.
    """
    if other := read_ahead(_with_way(when)):
        event = before + ahead
        return event - other, max(timedelta(0), other)
    said = language.normalise(_IN_MINUTES.sub(_with_unit, when))
    dates = [date.fromisoformat(str(each.value)) for each in language.find_dates(said, now=now)]
    elsewhere = [each for each in dates if each != before.date()] or dates  # "el del lunes pásalo al martes"
    hour = _hour_instead(said, before, now)
    follows = _NEXT_DAY.search(when)
    if hour is None and not dates and not follows:
        return None
    day = elsewhere[-1] if dates else before.date() + (DAY if follows else timedelta(0))
    due = datetime.combine(day, hour or before.time(), tzinfo=now.tzinfo)
    if due <= now and not dates and _PART_OF_DAY.search(when):
        due += DAY  # "no, de la mañana": that of today has passed
    return due, timedelta(0)


def _with_way(text: str) -> str:
    """A text that says how much later or sooner something is to be told, with the word for it: "10 minutos después"."""
    found = _SHIFT.search(text)
    if found is None or not (found["verb"] or found["more"]):
        return text
    way = "antes" if (found["verb"] or "").lower().startswith("adelant") else "después"
    return f"{text[: found.start()]}{found['size']} {way}{text[found.end() :]}"


def told_again(text: str, body: str, now: datetime) -> Wish | None:
    """What was just told, once more where nothing else is said: "de nuevo en 10 minutos", "posponelo media hora"."""
    shift = read_ahead(_with_way(text))
    if shift < timedelta(0):
        return Wish(body, now - shift)
    rest = _AGAIN.sub(" ", _POINTS_BACK.sub(" ", _IN_MINUTES.sub(_with_unit, text)))
    wish = _read(rest, "", now)
    return Wish(body, wish.due) if wish.due and not wish.body and len(rest) != len(text) else None


def _hour_instead(said: language.Text, before: datetime, now: datetime) -> time | None:
    times = language.find_times(said, now=now, asked=True, near=before.strftime("%H:%M"))
    if not times or "/" in str(times[-1].value):
        part = _PART_OF_DAY.search(said.raw)
        told = language.normalise(f"a las {before.hour % 12 or 12}:{before.minute:02d} {part[0]}") if part else None
        times = language.find_times(told, now=now) if told else ()
    if not times:
        return None
    hour = time.fromisoformat(str(times[-1].value))  # "el de las 8 a las 9"
    for way, near, is_right in ((_SOONER, MORNING, hour < before.time()), (_LATER, EVENING, hour > before.time())):
        if way.search(said.raw) and not is_right:
            hour = next(iter(hours_of(said, now, near)), hour)
    return hour


def told_instead(text: str, now: datetime) -> tuple[str, str]:
    """What a text wants without the moment that it gives up and the reason for it, and that moment in its words.

    "a las 9 en vez de a las 8, que a las 8 está cenando" wants "a las 9" and gives up "8".
    """
    text = _NUMBER_GIVEN_UP.sub(r"\1 el ", _after_the_reason(text, now))
    if gone := _AND_GONE.search(text):
        return text[: gone.start()], gone["gone"]
    said = language.normalise(text)
    found = (*language.find_times(said, now=now, asked=True), *language.find_dates(said, now=now))
    spans = sorted(said.span(each.start, each.end) for each in found)
    denied = [span for span in spans if _NOT.search(said.raw[: span[0]])]
    if denied and len(spans) > len(denied):
        start, end = denied[0]
        before = _NOT.sub("", said.raw[:start])
        return f"{before} {_BUT.sub('', said.raw[end:])}".strip(), said.raw[start:end]
    led = _INSTEAD_OF.search(said.raw)
    given_up = next((span for span in spans if led and span[0] == led.end()), None)
    reason = next((each for each in _REASON.finditer(said.raw) if spans and spans[0][1] <= each.start()), None)
    end = reason.start() if reason else len(said.raw)
    if not led or not given_up or given_up[1] > end:
        return said.raw[:end], ""
    return f"{said.raw[: led.start()]} {said.raw[given_up[1] : end]}".strip(), said.raw[slice(*given_up)]


def _after_the_reason(text: str, now: datetime) -> str:
    """A text without the reason that stands before what is wanted, where that says when."""
    rest = _REASON_FIRST.sub("", text, count=1)
    said = language.normalise(rest)
    says_when = language.find_times(said, now=now, asked=True) or language.find_dates(said, now=now)
    return rest if says_when else text


def only_asks(text: str) -> bool:
    """Whether something is asked that changes nothing: "¿y el domingo es fiesta?"; "¿me lo pasas a las 9?" does."""
    said = language.fold(text)
    return _QUESTION.search(said) is not None and not _CHANGES.search(said)


def takes_away(text: str) -> bool:
    """Whether a reminder is not wanted any more, and nothing in its place: "quita el del domingo"."""
    return _TAKES_AWAY.match(language.fold(text)) is not None


def denies_change(text: str) -> bool:
    """Whether a contact says that no change was asked for."""
    return _ASKED_NO_CHANGE.search(language.fold(text)) is not None


def hour_besides(text: str, before: datetime, now: datetime) -> time | None:
    """The other hour that is told of what is to be taken back: "borra la de las 9, esa la tomo a las 2"."""
    found = _AT_ANOTHER.search(text)
    hours = hours_of(language.normalise(found["when"]), now, f"{before:%H:%M}") if found else []
    return hours[0] if hours and hours[0] != before.time() else None


def is_rather(text: str) -> bool:
    """Whether another moment is wanted than the one that was said: "la luz mejor avísame el 14"."""
    return _RATHER_SO.search(text) is not None


def _with_unit(said: re.Match[str]) -> str:
    """En 20 are minutes, en 3 hours."""
    return f"{said[0]} {'horas' if int(said[1]) <= MOST_HOURS else 'minutos'}"
