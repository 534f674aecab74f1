"""Cities of messages."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nasty import seconds

from hilo.recognisers.normalise import Text, fold, normalise
from hilo.recognisers.places.cities import as_city, find_cities, region_of
from hilo.recognisers.places.gazetteer_names import airport_names, city_names

SURE = 70


def _sure(message: str, country: str = "") -> list[str]:
    found = find_cities(normalise(message), country=country)
    return [f"{each.places[0].name}/{each.places[0].country}" for each in found if each.confidence >= SURE]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("vivo en Medellín", ["Medellín/CO"]),
        ("vivo en medellin", ["Medellín/CO"]),
        ("soy de cordoba capital", ["Córdoba/AR"]),
        ("bogota", ["Bogotá/CO"]),
        ("BOGOTÁ D.C.", ["Bogotá/CO"]),
        ("cdmx", ["Ciudad de México/MX"]),
        ("en el df", ["Ciudad de México/MX"]),
        ("san jose", ["San José/CR"]),
        ("Santiago del Estero", ["Santiago del Estero/AR"]),
        ("soy Ana Pérez, vivo en Medellín, calle 10 #43-12, 3001234567", ["Medellín/CO"]),
        ("soy juan de rosario", ["Rosario/AR"]),
        ("vivo en la paz", ["La Paz/BO"]),
        ("soy de la plata", ["La Plata/AR"]),
        ("hacen envíos a Mendoza?", ["Mendoza/AR"]),
        ("hacen envios a san miguel de tucuman", ["San Miguel de Tucumán/AR"]),
        ("tucuman", ["San Miguel de Tucumán/AR"]),
        ("vivo en caba", ["Buenos Aires/AR"]),
        ("Capital Federal", ["Buenos Aires/AR"]),
        ("baires", ["Buenos Aires/AR"]),
        ("Bs. As.", ["Buenos Aires/AR"]),
        ("Quilla", ["Barranquilla/CO"]),
        ("cali", ["Cali/CO"]),
        ("sta marta", ["Santa Marta/CO"]),
        ("en gdl", ["Guadalajara/MX"]),
        ("soy de mty", ["Monterrey/MX"]),
        ("Viña del Mar", ["Viña del Mar/CL"]),
        ("vivo en viña", ["Viña del Mar/CL"]),
        ("de valpo", ["Valparaíso/CL"]),
        ("estoy en stgo", ["Santiago/CL"]),
        ("de Madrid a Bogotá", ["Madrid/ES", "Bogotá/CO"]),
        ("envían a Cúcuta o a Ocaña?", ["Cúcuta/CO", "Ocaña/CO"]),
        ("Ciudad: Pereira", ["Pereira/CO"]),
        ("mi ciudad es arequipa", ["Arequipa/PE"]),
        ("soy de trujillo peru", ["Trujillo/PE"]),
        ("Cuzco", ["Cusco/PE"]),
        ("vivo en Vitoria", ["Vitoria-Gasteiz/ES"]),
        ("desde La Coruña", ["A Coruña/ES"]),
        ("soy de jerez", ["Jerez de la Frontera/ES"]),
        ("vivo en alcala de henares", ["Alcalá de Henares/ES"]),
        ("villa carlos paz", ["Villa Carlos Paz/AR"]),
        ("somos de quilmes", ["Quilmes/AR"]),
        ("estoy en Zipaquirá", ["Zipaquirá/CO"]),
        ("es para chía cundinamarca", ["Chía/CO"]),
        ("san cristobal de las casas, chiapas", ["San Cristóbal de las Casas/MX"]),
        ("playa del carmen", ["Playa del Carmen/MX"]),
        ("bariloche", ["San Carlos de Bariloche/AR"]),
    ],
)
def test_a_city_is_recognised(message: str, expected: list[str]) -> None:
    assert _sure(message) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("medelin", "Medellín"),
        ("vivo en barranqilla", "Barranquilla"),
        ("bucarmanga", "Bucaramanga"),
        ("soy de guadalajra", "Guadalajara"),
        ("Monterey", "Monterrey"),
        ("beunos aires", "Buenos Aires"),
        ("buenos aries", "Buenos Aires"),
        ("santigo del estero", "Santiago del Estero"),
        ("estoy en antofgasta", "Antofagasta"),
        ("vivo en mar del plta", "Mar del Plata"),
        ("zaragosa", "Zaragoza"),
        ("vivo en cartajena", "Cartagena"),
    ],
)
def test_one_wrong_letter_does_not_hide_a_large_city(message: str, expected: str) -> None:
    assert [name.partition("/")[0] for name in _sure(message)] == [expected]


@pytest.mark.parametrize(
    "message",
    [
        "gracias",
        "hola buenas tardes",
        "la verdad es que no",
        "en mi casa",
        "mañana a las 5",
        "quiero 2 cocas y una fanta",
        "una mesa para dos",
        "te paso la plata mañana",
        "quiero vivir en paz",
        "me llamo Rosario",
        "soy Mercedes",
        "mi nombre es Santiago Toledo",
        "me llamo Victoria Córdoba",
        "Av. Córdoba 1234",
        "mendoza 1250",
        "calle Medellín 20",
        "vivo en rivadavia 1234",
        "cerveza quilmes",
        "queria una lima y un limon",
        "el 25 de mayo",
        "provincia de buenos aires",
        "estoy en el centro",
        "envían a todo el país",
        "la salud es primero",
        "no tengo cuenta",
        "es una prueba",
        "por la tarde",
        "quiero flores para mi mamá",
        "la segunda opción",
        "me gusta el azul",
        "es para un regalo",
        "cuanto sale el envio",
        "con florencia hablé ayer",
        "llamame al 3001234567",
        "la verdad apenas lo vi",
        "está todo bien",
        "necesito una manta",
        "san valentin",
        "que dios te bendiga",
        "tres empanadas de carne",
        "la consulta es por el precio",
        "dale, perfecto",
    ],
)
def test_ordinary_words_persons_and_streets_are_no_cities(message: str) -> None:
    assert _sure(message) == []


@pytest.mark.parametrize(
    ("message", "country", "first", "others"),
    [
        ("san josé", "", "CR", {"CR", "UY", "AR"}),
        ("san josé", "UY", "UY", {"UY", "CR"}),
        ("soy de córdoba", "ES", "ES", {"ES", "AR"}),
        ("soy de córdoba", "AR", "AR", {"AR"}),
        ("vivo en mérida", "MX", "MX", {"MX"}),
        ("cartagena", "ES", "ES", {"ES", "CO"}),
        ("santiago", "CL", "CL", {"CL"}),
        ("guadalajara", "", "MX", {"MX", "ES"}),
    ],
)
def test_an_ambiguous_name_comes_with_candidates(message: str, country: str, first: str, others: set[str]) -> None:
    (found,) = find_cities(normalise(message), country=country)
    assert found.places[0].country == first
    assert others <= {place.country for place in found.places}


@pytest.mark.parametrize(
    ("message", "region", "country"),
    [
        ("Córdoba, Argentina", "Córdoba", "AR"),
        ("cordoba españa", "Córdoba", "ES"),
        ("Mérida Yucatán", "Yucatán", "MX"),
        ("merida venezuela", "Mérida", "VE"),
        ("La Plata, Buenos Aires", "Buenos Aires", "AR"),
        ("Rosario, Santa Fe", "Santa Fe", "AR"),
        ("guadalupe nuevo leon", "Nuevo León", "MX"),
        ("Armenia (Quindío)", "Quindío", "CO"),
        ("san josé de costa rica", "San José", "CR"),
        ("soledad, atlántico", "Atlántico", "CO"),
        ("cuenca ecuador", "Azuay", "EC"),
        ("bello antioquia", "Antioquia", "CO"),
        ("corrientes, argentina", "Corrientes", "AR"),
        ("Getafe, Madrid", "Madrid", "ES"),
    ],
)
def test_a_region_or_country_after_the_name_tells_which(message: str, region: str, country: str) -> None:
    (found,) = find_cities(normalise(message))
    assert {(place.region, place.country) for place in found.places} == {(region, country)}


@pytest.mark.parametrize(
    ("city", "country", "region"),
    [
        ("Medellín", "CO", "Antioquia"),
        ("medellin", "CO", "Antioquia"),
        ("Armenia", "CO", "Quindío"),
        ("cali", "CO", "Valle del Cauca"),
        ("Bogotá", "CO", "Bogotá D.C."),
        ("Rosario", "AR", "Santa Fe"),
        ("Córdoba", "AR", "Córdoba"),
        ("Mérida", "MX", "Yucatán"),
        ("Getafe", "ES", "Madrid"),
        ("Tunja", "CO", "Boyacá"),
        ("Santiago", "CL", "Región Metropolitana"),
        ("Pasto", "CO", "Nariño"),
        ("Soacha", "CO", "Cundinamarca"),
        ("San José", "CO", ""),
        ("Guadalupe", "MX", ""),
        ("Córdoba", "", ""),
        ("Nowhere", "CO", ""),
        ("", "CO", ""),
    ],
)
def test_the_region_is_told_where_only_one_is_possible(city: str, country: str, region: str) -> None:
    assert region_of(city, country) == region


def test_the_span_covers_what_was_written() -> None:
    text = normalise("hola! vivo en Bogotá, gracias")
    (found,) = find_cities(text)
    assert text.original(found.start, found.end) == "Bogotá"
    assert as_city(found).value == "Bogotá"


@pytest.mark.parametrize("names", [city_names(), airport_names()])
def test_the_index_folds_names_as_messages_are_folded(names: object) -> None:
    rows = getattr(names, "rows", ())
    assert len(rows) > 5000
    for row in rows[::37]:
        name = row.split("\t")[0]
        folded = " ".join("".join(each if each.isalnum() else " " for each in fold(name)).split())
        assert folded in getattr(names, "by_name", {}) or not name.isascii()


NASTY = [
    "",
    " ",
    "1e400",
    "NaN",
    "\ud800",
    "\u200b\u202e",
    "a" * 100_000,
    "san " * 25_000,
    "\x00\x01",
    "san\njosé",
    "ñ" * 5000,
]


@pytest.mark.parametrize("message", NASTY)
def test_nasty_messages_are_read_in_time(message: str) -> None:
    assert seconds(lambda: find_cities(normalise(message), country="CO")) < 0.5
    assert seconds(lambda: region_of(message, "CO")) < 0.5


@given(st.text())
def test_no_message_raises(message: str) -> None:
    text = normalise(message)
    for found in find_cities(text, country="AR"):
        assert 0 <= found.start < found.end <= len(text.folded)
        assert found.places
    region_of(message, "AR")


@given(
    st.lists(
        st.sampled_from(
            [
                "en",
                "de",
                "a",
                "la",
                "san",
                "santiago",
                "josé",
                "córdoba",
                "MAD",
                "buenos",
                "aires",
                "123",
                ",",
                ".",
                "soy",
                "calle",
            ]
        ),
        max_size=12,
    )
)
def test_no_mixture_of_place_words_raises(words: list[str]) -> None:
    text = normalise(" ".join(words))
    find_cities(text)


def test_a_message_takes_less_than_a_millisecond() -> None:
    texts = [normalise("hola, soy Ana y vivo en Medellín, quiero saber si hacen envíos a Bogotá")] * 50
    find_cities(texts[0])
    best = min(_seconds(texts) for _ in range(5))
    assert best / len(texts) < 0.001  # 0.3 ms on a quiet machine, three times that on a busy one


def _seconds(texts: list[Text]) -> float:
    started = process_time()
    for text in texts:
        find_cities(text, country="CO")
    return process_time() - started
