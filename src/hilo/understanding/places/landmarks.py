"""Addresses told by a landmark: "al frente del parque principal", "por la tienda de don Pepe, casa verde"."""

import re
from collections.abc import Iterator

from hilo.understanding.acts.phrases import word_set
from hilo.understanding.found import Found
from hilo.understanding.normalise import Text
from hilo.understanding.people.name_words import FUNCTION_WORDS
from hilo.understanding.places.address_pieces import LONGEST_NUMBER, SMALL, Pieces, piece_at, pieces_of
from hilo.understanding.places.address_words import AREAS, BESIDE, COUNTRYSIDE, GRID, LEADS, STOPS, UNITS
from hilo.understanding.places.cities import find_cities

MOST_PIECES = 30
TOLD, ASKED = 75, 60  # how sure a landmark is after "mi dirección es", and only where the address was asked for
TO_CITY = 75
FEWEST_TELLING = 2  # words besides "al frente de la"

_SIDES = BESIDE | word_set(
    "enfrente contiguo contigua arriba abajo subiendo bajando entrando llegando esquina cuadra cuadras lados"
)
_LINKS = word_set("a al de del por con antes")
_ARTICLES = word_set("el la los las al del")
_TOWARDS = word_set("por en donde entre")
_PLACES = word_set("""
    parque plaza plazoleta iglesia parroquia capilla catedral templo cementerio escuela colegio liceo jardin universidad
    hospital clinica puesto centro estadio cancha polideportivo coliseo piscina gimnasio club puente terminal estacion
    paradero parada semaforo rotonda glorieta bomba gasolinera peaje tienda panaderia farmacia drogueria supermercado
    mercado galeria almacen minimercado carniceria fruteria ferreteria papeleria peluqueria barberia restaurante hotel
    bar taller lavadero parqueadero bodega fabrica alcaldia policia cai comisaria banco correo biblioteca museo
    monumento virgen cruz tanque antena rio quebrada canal entrada porteria portal esquina salon caseta kiosco
    verduleria libreria heladeria municipalidad comuna cuartel bomberos sede
""")
_ONE_IN_TOWN = word_set("alcaldia municipalidad cementerio hospital terminal estadio coliseo catedral aeropuerto")
_COLOURS = word_set("""
    blanca blanco verde azul roja rojo amarilla amarillo negra negro gris cafe rosada rosado naranja morada beige crema
    blancas verdes azules rojas amarillas negras con
    esquinera grande pequena dos tres cuatro un una pisos plantas rejas reja porton puerta fachada ladrillo segundo
    primer tercer piso
""")
_DESCRIBING = _COLOURS | UNITS | AREAS | _PLACES | SMALL | COUNTRYSIDE
_LEADING = (
    LEADS
    | _ARTICLES
    | word_set("""
    si pues bueno hola buenas es esta queda en mi a por yo aqui aca ahi seria ok listo dale mira mire vea digo claro y
    me lo le se puede pueden dejar dejarlo dejan entregan justo ubicada como cerquita barrio dias tardes noches muchas
    gracias todo
""")
)
_ASKING = word_set(
    "cuanto cuanta cuantos cuantas cuando cual cuales quien ustedes uds quedan tienen venden hacen cobran"
)
_NEGATIONS = word_set("no ni nunca sin tampoco")
_NO_PLACES = word_set("""
    fecha tarde manana noche hora horas momento promo promocion precio pedido producto envio pago cosa cosas vez semana
    quincena mes navidad entrega compra pagina tema oferta esposo esposa gente otro otra mismo misma medio dia whatsapp
    chat celular telefono ahora favor eso esto ese esa
""")
_GOING_ON = word_set("a al con de del en por que un una unos unas es esta hay se hasta hacia desde queda donde")
_ENDS = STOPS - _GOING_ON - {"y"}
# what another piece of information begins with
_NEXT = word_set("""
    mi mis soy cel celular celu tel telefono telf movil whatsapp wsp correo email nombre numero contacto gracias por
    porfa favor y en para quiero cc cedula ciudad ref referencia
""")
_CUE = re.compile(
    rf"\b(?:{'|'.join(sorted(_SIDES))}) (?:{'|'.join(sorted(_LINKS))}) |\b(?:{'|'.join(sorted(COUNTRYSIDE))}) "
    rf"|\b(?:{'|'.join(sorted(_TOWARDS))}) (?:{'|'.join(sorted(_ARTICLES))}) "
)
_CLAUSE = frozenset(".;!?¿¡\n")


def find_landmarks(text: Text, *, country: str = "") -> tuple[Found, ...]:
    """At most one address that only a landmark tells; never out of a question, a refusal or a story."""
    pieces = pieces_of(text) if speaks_of_landmarks(text) else []
    anchors = [place for place in range(len(pieces)) if _is_anchor(text, pieces, place)]
    for anchor in anchors:
        first = _beginning(pieces, anchor)
        if first >= 0:
            last = _end(pieces, anchor + 1)
            return tuple(_found(text, pieces, (first, last), country))
    return ()


def speaks_of_landmarks(text: Text) -> bool:
    """Whether there are words that lead to one, be it an address or not."""
    return _CUE.search(text.folded) is not None


def _found(text: Text, pieces: Pieces, span: tuple[int, int], country: str) -> Iterator[Found]:
    first, last = span
    start, end = pieces[first].start, _before_city(text, pieces, span, country)
    value = text.original(start, end).strip(" ,.;:-")
    if not _is_vague(pieces, first, last) and not _goes_on_otherwise(pieces, last):
        yield Found("address", value, start, end, TOLD if _is_told(pieces, first) else ASKED)


def _is_vague(pieces: Pieces, first: int, last: int) -> bool:
    """Whether no courier would find it: "al frente del colegio", with no name and nothing else beside it."""
    words = [piece.text for piece in pieces[first:last] if piece.is_word]
    telling = [word for word in words if word not in _SIDES | _LINKS | _ARTICLES | SMALL | _TOWARDS]
    counted = any(piece.is_number for piece in pieces[first:last])
    return not counted and len(telling) < FEWEST_TELLING and _ONE_IN_TOWN.isdisjoint(telling)


def _is_told(pieces: Pieces, first: int) -> bool:
    """Whether "mi dirección es" or the like stands right before."""
    place = first - 1
    while piece_at(pieces, place).text in {"es", "seria", "queda", "en", ":"}:
        place -= 1
    return piece_at(pieces, place).text in {"direccion", "domicilio", "dir"}


def _goes_on_otherwise(pieces: Pieces, last: int) -> bool:
    """Whether the sentence tells a story of the place: "en la tienda de Ana me dijeron otra cosa"."""
    word = piece_at(pieces, last)
    named = piece_at(pieces, last + 1).text in {"llamo", "dicen"}
    return word.is_word and not word.breaks and word.text not in _NEXT and not named


def _is_anchor(text: Text, pieces: Pieces, place: int) -> bool:
    """Whether what stands here leads to a landmark: "frente al", "a dos cuadras de la", "por la tienda", "finca"."""
    word, following = pieces[place].text, piece_at(pieces, place + 1)
    if word in COUNTRYSIDE:
        return following.is_word and not following.breaks and following.text not in FUNCTION_WORDS - SMALL
    if word in _SIDES and following.text in _LINKS:
        return _is_landmark(text, pieces, place + 1)
    if word not in _TOWARDS or following.text not in _ARTICLES or piece_at(pieces, place + 2).text not in _PLACES:
        return False
    further = piece_at(pieces, place + 3)  # "por la tienda" may be any
    return further.is_word and not further.breaks and further.text not in _ENDS - {"y"}


def _is_landmark(text: Text, pieces: Pieces, place: int) -> bool:
    """Whether a thing with an article, or with a capital, follows: not "cerca de llegar", "cerca de las 5"."""
    articles = 0
    while piece_at(pieces, place).text in _LINKS | _ARTICLES and articles < 3:  # noqa: PLR2004
        articles += 1
        place += 1
    piece = piece_at(pieces, place)
    if not piece.is_word or piece.breaks or piece.text in _NO_PLACES or piece.text in FUNCTION_WORDS - {"centro"}:
        return False
    definite = piece_at(pieces, place - 1).text in _ARTICLES
    return definite or piece.text in _PLACES or text.original(piece.start, piece.end)[:1].isupper()


def _beginning(pieces: Pieces, anchor: int) -> int:
    """Where the address begins that has its landmark here; -1 where the sentence is about something else."""
    opening = anchor
    while opening and not _ends_clause(pieces, opening):
        opening -= 1
    closing = next((place for place in range(anchor, len(pieces)) if pieces[place].text in _CLAUSE), len(pieces))
    said = [piece.text for piece in pieces[opening:anchor]]
    comma = max((place for place, word in enumerate(said) if word in {",", ":", "pero"}), default=-1)
    if piece_at(pieces, closing).text == "?" or _ASKING.intersection(piece.text for piece in pieces[opening:closing]):
        return -1
    start = opening + comma + 1
    area = next((place for place in range(start, anchor) if pieces[place].text in AREAS), anchor)  # barrio Granada
    clause = [piece.text for piece in pieces[start:area]]
    if _NEGATIONS.intersection(said[comma + 1 :]) or not all(_may_lead(word) for word in clause):
        return -1
    first = area
    while first > start and _belongs(pieces, first - 1):
        first -= 1
    if comma > 0 and first == start and _is_description(said[:comma]):
        return _start_of_description(pieces, opening)
    return first


def _may_lead(word: str) -> bool:
    return word in _LEADING or word in _DESCRIBING or word.isdigit()


def _ends_clause(pieces: Pieces, place: int) -> bool:
    return pieces[place].breaks or piece_at(pieces, place - 1).text in _CLAUSE


def _belongs(pieces: Pieces, place: int) -> bool:
    """Whether a word before the landmark is part of the address: "al" frente, "casa verde" frente, "a dos cuadras"."""
    word = pieces[place].text
    following = piece_at(pieces, place + 1)
    if word == "por":
        return following.text in _ARTICLES
    if word in {"en", "a"}:
        counted = word == "a" and (following.is_number or following.text in {"media", "una", "dos", "tres", "cuatro"})
        return counted or following.text in _SIDES
    return word in _DESCRIBING - {"y"} | {"al", "media"} or (pieces[place].is_number and len(word) <= LONGEST_NUMBER)


def _is_description(words: list[str]) -> bool:
    content = [word for word in words if word not in _LEADING - {"casa"}]
    return bool(content) and all(word in _DESCRIBING or word.isdigit() for word in content)


def _start_of_description(pieces: Pieces, opening: int) -> int:
    place = opening
    while pieces[place].text in _LEADING - {"casa", "local"}:
        place += 1
    return place


def _end(pieces: Pieces, place: int) -> int:
    """Past the words of the address: up to another piece of information, or a clause that describes no place."""
    limit = min(len(pieces), place + MOST_PIECES)
    while place < limit and not _stops(pieces, place):
        place += 1
    while place and (pieces[place - 1].text in SMALL | _GOING_ON or not pieces[place - 1].text.isalnum()):
        place -= 1
    return place


def _stops(pieces: Pieces, place: int) -> bool:
    piece, following = pieces[place], piece_at(pieces, place + 1)
    if piece.breaks or piece.text in _CLAUSE - {"."}:
        return True
    if piece.text == ".":
        return not following.glued
    if piece.text == ",":
        return not _goes_on(pieces, place + 1)
    if piece.is_number:
        return len(piece.text) > LONGEST_NUMBER
    if piece.text == "y":
        near = {following.text, piece_at(pieces, place + 2).text}
        return not near.isdisjoint(_ENDS)
    return piece.text in _ENDS or (piece.text == "por" and following.text in {"favor", "fa"})


def _goes_on(pieces: Pieces, place: int) -> bool:
    """Whether a clause after a comma describes the place further: "casa verde", "al lado de", "barrio X"."""
    words = [piece_at(pieces, each).text for each in range(place, place + 3)]
    opening = words[1] if words[0] in _ARTICLES | {"en", "a", "por", "con", "es", "una"} else words[0]
    telling = (
        UNITS | AREAS | _SIDES | _PLACES | COUNTRYSIDE | GRID | {"frente", "porton", "segundo", "primer", "tercer"}
    )
    return opening in telling or (words[1] in _ARTICLES and words[2] in telling)


def _before_city(text: Text, pieces: Pieces, span: tuple[int, int], country: str) -> int:
    """Where the address ends: before ", Bosa" or "en Bosa", if that is a town and the last thing said."""
    end = pieces[span[1] - 1].end
    for town in find_cities(text, country=country):
        place = next((each for each in range(*span) if pieces[each].start == town.start), -1)
        led = place > span[0] + 1 and pieces[place - 1].text in {"en", ","}
        if led and town.confidence >= TO_CITY and town.end >= end:
            return pieces[place - 2].end
    return end
