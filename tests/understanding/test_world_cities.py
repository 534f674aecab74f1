"""Cities of the world, in short and by nickname, for slots; and what only sounds like one."""

from datetime import UTC, datetime

import pytest

from hilo.agent.declaration import Slot
from hilo.recognisers.normalise import normalise
from hilo.slots.utterance import SURE
from hilo.understanding.slot_values import Values

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
SLOT = Slot(type="city")


def _city(message: str, country: str, *, asked: bool) -> object:
    found = Values(normalise(message), (), NOW, country).of(SLOT, asked=asked)
    return next((each.value for each in found if asked or each.confidence >= SURE), "")


@pytest.mark.parametrize(
    ("country", "message", "city"),
    [
        ("AR", "bsas", "Buenos Aires"),
        ("AR", "bs as", "Buenos Aires"),
        ("AR", "cap fed", "Buenos Aires"),
        ("MX", "cdmx", "Ciudad de México"),
        ("MX", "el df", "Ciudad de México"),
        ("CL", "scl", "Santiago"),
        ("CL", "stgo", "Santiago"),
        ("CO", "mde", "Medellín"),
        ("CO", "medallo", "Medellín"),
        ("CO", "bogota", "Bogotá"),
        ("CO", "bog", "Bogotá"),
        ("CO", "bta", "Bogotá"),
        ("CO", "quilla", "Barranquilla"),
        ("CO", "b/quilla", "Barranquilla"),
        ("MX", "gdl", "Guadalajara"),
        ("MX", "mty", "Monterrey"),
        ("MX", "qro", "Querétaro"),
        ("MX", "tj", "Tijuana"),
        ("AR", "mardel", "Mar del Plata"),
        ("AR", "mdp", "Mar del Plata"),
        ("AR", "mdq", "Mar del Plata"),
        ("AR", "cba", "Córdoba"),
        ("AR", "cba capital", "Córdoba"),
        ("AR", "tucu", "San Miguel de Tucumán"),
        ("AR", "rosario", "Rosario"),
        ("AR", "moron", "Morón"),
        ("ES", "bcn", "Barcelona"),
        ("ES", "mad", "Madrid"),
        ("ES", "vlc", "Valencia"),
        ("PE", "lima", "Lima"),
        ("PE", "aqp", "Arequipa"),
        ("EC", "gye", "Guayaquil"),
        ("EC", "uio", "Quito"),
        ("VE", "ccs", "Caracas"),
        ("UY", "mvd", "Montevideo"),
        ("BO", "scz", "Santa Cruz de la Sierra"),
        ("AR", "roma", "Roma"),
        ("AR", "paris", "París"),
        ("AR", "londres", "Londres"),
        ("AR", "nueva york", "Nueva York"),
        ("AR", "ny", "Nueva York"),
        ("AR", "tokio", "Tokio"),
        ("CO", "miami", "Miami"),
        ("AR", "berlin", "Berlín"),
        ("AR", "amsterdam", "Ámsterdam"),
        ("AR", "lisboa", "Lisboa"),
        ("AR", "florianopolis", "Florianópolis"),
        ("AR", "sao paulo", "São Paulo"),
        ("CO", "vivo en bello, antioquia", "Bello"),
        ("CO", "el barrio kennedy en bogotá", "Bogotá"),
        ("ES", "donosti", "San Sebastián"),
        ("ES", "vitoria", "Vitoria-Gasteiz"),
        ("ES", "a coruña", "A Coruña"),
        ("MX", "sn luis potosi", "San Luis Potosí"),
        ("MX", "pto vallarta", "Puerto Vallarta"),
        ("MX", "cd juarez", "Ciudad Juárez"),
    ],
)
def test_a_city_that_was_asked_for(country: str, message: str, city: str) -> None:
    assert _city(message, country, asked=True) == city


@pytest.mark.parametrize(
    ("country", "message", "city"),
    [
        ("AR", "vivo en villa carlos paz", "Villa Carlos Paz"),
        ("CO", "vivo en bogotta", "Bogotá"),
        ("AR", "quiero ir a barcelona en julio", "Barcelona"),
        ("MX", "soy de puebla", "Puebla"),
        ("MX", "mandan a tijuana?", "Tijuana"),
        ("AR", "hace frio en ushuaia?", "Ushuaia"),
        ("AR", "hay vuelos a madrid", "Madrid"),
        ("AR", "y en tokio que hora es", "Tokio"),
        ("AR", "que hora es en sidney", "Sídney"),
        ("AR", "pronostico para bariloche", "San Carlos de Bariloche"),
        ("AR", "cambio el destino, a lisboa", "Lisboa"),
        ("AR", "clima en new york", "New York"),
        ("PE", "estoy en truxillo", "Trujillo"),
        ("ES", "barco a Tánger", "Tánger"),
        ("MX", "mi hijo vive en Chicago", "Chicago"),
    ],
)
def test_a_city_that_nobody_asked_for(country: str, message: str, city: str) -> None:
    assert _city(message, country, asked=False) == city


@pytest.mark.parametrize(
    ("country", "message"),
    [
        ("CO", "soy La Paz Gómez"),
        ("AR", "estoy en el paro"),
        ("AR", "sos un moron"),
        ("AR", "que la paz sea contigo"),
        ("AR", "me llamo Santiago"),
        ("AR", "calle Mendoza 123"),
        ("AR", "quiero una milanesa"),
        ("AR", "dame una napolitana"),
        ("AR", "el vino es de mendoza"),
        ("ES", "el enlace va en la bio"),
        ("CO", "lo mandan por dac o por mrw"),
        ("AR", "no le voy a dar mi numero"),
        ("AR", "a ver si llega"),
        ("AR", "y quitale el ketchup"),
        ("MX", "la factura con el cif de la empresa"),
    ],
)
def test_what_is_no_city(country: str, message: str) -> None:
    assert _city(message, country, asked=False) == ""
