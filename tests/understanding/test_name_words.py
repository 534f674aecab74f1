"""Names behind other words, and words that are also days, towns, trades or money."""

import pytest

from hilo.recognisers.normalise import normalise
from hilo.understanding.person_names import names_in


def _name(message: str, *, asked: bool) -> object:
    found = names_in(normalise(message), asked=asked)
    return max(found, key=lambda each: each.confidence).value if found else ""


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("ponelo a nombre de Ramiro Ledesma", "Ramiro Ledesma"),
        ("poné Gladys Quiroga", "Gladys Quiroga"),
        ("registrame como Teo Marconi", "Teo Marconi"),
        ("apúntame como Lucía Vidal", "Lucía Vidal"),
        ("agendame como la Negra Ramos", "Negra Ramos"),
        ("soy el flaco Gutiérrez", "Gutiérrez"),
        ("Bond, James Bond", "James Bond"),
        ("Tomás... Tomás Aguirre", "Tomás Aguirre"),
        ("habla Domingo Faustino Roldán", "Domingo Faustino Roldán"),
        ("te escribe Mercedes Paz", "Mercedes Paz"),
        ("le habla Santiago Córdoba", "Santiago Córdoba"),
        ("Juan Herrero", "Juan Herrero"),
        ("josé luis zapatero", "José Luis Zapatero"),
        ("soy Rosario Dolores Ibáñez", "Rosario Dolores Ibáñez"),
        ("Paz Herrera", "Paz Herrera"),
        ("Julio Agosto Pérez", "Julio Agosto Pérez"),
        ("Julio", "Julio"),
        ("me llamo Abril", "Abril"),
        ("Domingo", "Domingo"),
        ("Santiago Rosario", "Santiago Rosario"),
        ("María de la Cruz Soto", "María de la Cruz Soto"),
        ("juan carlos del río", "Juan Carlos del Río"),
        ("Otto von Kessel", "Otto von Kessel"),
        ("ana maría de los ángeles torres vda de luna", "Ana María de los Ángeles Torres Vda de Luna"),
        ("a nombre de mi señora, Elvira Sosa", "Elvira Sosa"),
        ("va a nombre de Paula", "Paula"),
        ("pon Ricardo", "Ricardo"),
        ("ponga ahí Wilson Cárdenas", "Wilson Cárdenas"),
        ("de parte de Ezequiel", "Ezequiel"),
        ("sí, Noelia Prieto", "Noelia Prieto"),
        ("hola soy nati", "Nati"),
        ("Xóchitl Nezahual", "Xóchitl Nezahual"),
        ("mi nombre completo es luis fernando mora quispe", "Luis Fernando Mora Quispe"),
        ("kevin", "Kevin"),
        ("el nombre es Brayan Stiven Rojas", "Brayan Stiven Rojas"),
        ("Guadalupe Victoria Reyes", "Guadalupe Victoria Reyes"),
        ("Leo", "Leo"),
        ("Jorge Luis, mucho gusto", "Jorge Luis"),
        ("que sea a nombre de Inés Carrizo por favor", "Inés Carrizo"),
        ("Consuelo Paz de la Torre", "Consuelo Paz de la Torre"),
        ("pongan Ferretería no, mejor mi nombre: Hugo Salas", "Hugo Salas"),
        ("Sra. Mirta Legrand", "Mirta Legrand"),
        ("mercedes", "Mercedes"),
        ("llámame Maxi", "Maxi"),
        ("Ale Funes, todo junto no jaja", "Ale Funes"),
        ("soy marce, la de siempre", "Marce"),
        ("ah perdón, Ulises Bazán", "Ulises Bazán"),
        ("ponele Néstor nomás", "Néstor"),
        ("ponle Itzel Xool", "Itzel Xool"),
        ("yo me llamo Segundo Quispe Mamani", "Segundo Quispe Mamani"),
        ("DIEGO ARMANDO", "Diego Armando"),
        ("soy Ana. Mi mail es ana@x.com", "Ana"),
        ("pedro pascal 👋", "Pedro Pascal"),
        ("Camilo Torres Restrepo cc 79123456", "Camilo Torres Restrepo"),
        ("Yuli Marcela, vivo en Soacha", "Yuli Marcela"),
        ("me llamo lucas", "Lucas"),
        ("Lucas", "Lucas"),
        ("Angeles", "Angeles"),
        ("soy la Sole", "Sole"),
        ("soy el Chino", "Chino"),
        ("es Pilar con p de papa", "Pilar"),
        ("jajaja Roberto", "Roberto"),
        ("mi nombre? Ernesto Valverde", "Ernesto Valverde"),
        ("cómo? Ernesto", "Ernesto"),
        ("Victoria Luna Soledad Rey", "Victoria Luna Soledad Rey"),
        ("Juan Cruz", "Juan Cruz"),
        ("agregalo a Sebastián Otálora", "Sebastián Otálora"),
        ("regístrelo a nombre de Óscar Iván Zuluaga", "Óscar Iván Zuluaga"),
        ("póngale Óscar", "Óscar"),
        ("Modesto Prudencio", "Modesto Prudencio"),
        ("Ángel de la Guarda Soto", "Ángel de la Guarda Soto"),
        ("anotá a Delfina Iraola", "Delfina Iraola"),
        ("anota a delfina iraola", "Delfina Iraola"),
        ("Paloma. Paloma Ortega", "Paloma Ortega"),
        ("soy yo, el colo Ferreyra", "Ferreyra"),
    ],
)
def test_a_name_that_was_asked_for(message: str, name: str) -> None:
    assert _name(message, asked=True) == name


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("poneme a Carlos como contacto", "Carlos"),
        ("hola, te escribe Mercedes Paz por el aviso", "Mercedes Paz"),
        ("soy Paz", "Paz"),
        ("les escribe Joaquín Ferrer de Muebles Ferrer", "Joaquín Ferrer"),
        ("acá Toto, cómo va", "Toto"),
        ("Att. Lic. Renata Ochoa", "Renata Ochoa"),
        ("mi nombre es Dolores y me duelen los dientes", "Dolores"),
        ("me llamo Rosario pero vivo en Rosario", "Rosario"),
        ("soy Bruno, el de la moto", "Bruno"),
        ("la reserva es a nombre de Íñigo", "Íñigo"),
        ("anotá a Delfina Iraola para el turno", "Delfina Iraola"),
        ("soy el colo Ferreyra y quiero dos", "Ferreyra"),
    ],
)
def test_a_name_that_nobody_asked_for(message: str, name: str) -> None:
    assert _name(message, asked=False) == name


@pytest.mark.parametrize(
    "message",
    [
        "prefiero anónimo",
        "no te lo doy",
        "no quiero decirlo",
        "para qué lo necesitas?",
        "anotá 3 pizzas",
        "anotá a las 5",
        "tres gambas",
        "gambas de dolares",
        "hola buenas tardes",
        "el martes",
        "en abril",
        "pasame el precio",
        "soy de Córdoba",
        "soy zapatero",
        "soy el dueño",
        "soy la mamá de Tomi",
        "ya te lo dije",
        "luego te digo",
        "soy yo",
        "soy yo de nuevo",
        "una luca",
        "dos palos verdes",
        "cien mangos",
        "no sé",
        "fulano de tal",
        "quién eres tú",
        "me da cosa decirlo",
        "después",
        "mi nombre no importa",
        "eso es privado",
        "decime el precio primero",
        "y vos cómo te llamás?",
        "quiero hablar con una persona",
        "buen día",
        "anotá dos kilos de pan",
        "2 docenas de empanadas",
        "el domingo",
        "viernes santo",
        "ninguno",
        "paso",
        "pásame con ventas",
        "estoy en el paro",
        "cuatro gambas en euros",
    ],
)
def test_no_name_though_one_was_asked_for(message: str) -> None:
    assert _name(message, asked=True) == ""


@pytest.mark.parametrize(
    "message",
    [
        "anotame a las 5",
        "anotá a mi hija en el curso",
        "soy el que llamó ayer",
        "soy la del pedido",
        "quiero tres gambas al ajillo",
        "poné música",
        "agendame el jueves",
        "ponelo a nombre de la empresa",
        "a nombre de la empresa Molinos del Plata",
        "a nombre de Panadería La Espiga",
        "apuntá el número",
        "te paso a Juan, que es mi socio",
        "gracias Juan",
        "vivo en Mercedes",
        "nos vemos el domingo",
        "soy vegetariana",
        "soy mayorista de Rosario",
        "saludos, Gerardo",
        "quiero agendar para mi hijo Benicio",
        "reserva a nombre de familia Echeverri",
    ],
)
def test_words_that_name_nobody(message: str) -> None:
    assert _name(message, asked=False) == ""
