"""Details of two people in one message, whole orders told in one breath, and names that may be towns."""

import pytest
from details import STATES, taken

ROSA = {"nombre": "Rosa", "apellido": "Díaz"}
ANA = {"nombre": "Ana", "apellido": "Ruiz"}


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            "yo soy Ana pero el pedido es para mi mamá Rosa Díaz, el celular de ella es 3115556677",
            {**ROSA, "telefono": "3115556677"},
        ),
        ("yo soy Ana pero es para mi mamá Rosa Díaz", ROSA),
        ("no es para mi, es para mi mamá Rosa Díaz", ROSA),
        ("soy Ana Ruiz, va a nombre de Rosa Díaz", ROSA),
        ("me llamo Ana Ruiz y va a nombre de Rosa Díaz", ROSA),
        ("soy Ana Ruiz, que lo reciba Rosa Díaz", ROSA),
        ("me llamo Ana Ruiz y entregar a Rosa Díaz", ROSA),
        ("Ana Ruiz, pero recibe mi mamá Rosa Díaz", ROSA),
        ("hola soy ana el pedido es para mi hermana que se llama Rosa Díaz", ROSA),
        (
            "mi celular es 3001112233 y el de mi mamá es 3115556677, el pedido es para mi mamá Rosa Díaz",
            {**ROSA, "telefono": "3115556677"},
        ),
        (
            "es para mi mama Rosa Díaz 3115556677 mi celular es 3001112233",
            {**ROSA, "telefono": "3115556677"},
        ),
        (
            "yo vivo en Cali pero el pedido es para mi mamá Rosa Díaz en Pereira, carrera 7 # 8-9",
            {**ROSA, "departamento": "Risaralda", "ciudad": "Pereira", "direccion": "carrera 7 # 8-9"},
        ),
    ],
)
def test_who_receives_the_order_goes_before_who_writes(message: str, expected: dict[str, str]) -> None:
    assert taken(message) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("soy Ana Ruiz y mi esposo es Luis Mora", ANA),
        ("soy Ana y mi esposo se llama Luis Mora", {"nombre": "Ana"}),
        ("soy Ana Ruiz, el curso es para mi hijo Juan", ANA),
        ("soy Ana Ruiz, el pedido es para mi mamá", ANA),
        ("el pedido es para el viernes, soy Ana Ruiz", ANA),
        ("soy Ana Ruiz, entregar a las 5", ANA),
        ("soy Ana Ruiz, ¿puede ir a nombre de mi esposo?", ANA),
        ("mi celular es 3001112233 y el de mi mamá es 3115556677", {"telefono": "3001112233"}),
        ("el celular de mi mama es 3115556677 y el mio es 3001112233", {"telefono": "3001112233"}),
        ("el celular de Rosa es 3115556677 y el de la empresa 3001112233", {"telefono": "3115556677"}),
        ("soy Ana Ruiz, ¿recibe luz el barrio?", ANA),
        ("soy Ana Ruiz, lo recibe mi abuela, Dejalo en la puerta", ANA),
    ],
)
def test_another_person_who_is_only_spoken_of_changes_nothing(message: str, expected: dict[str, str]) -> None:
    assert taken(message) == expected


def test_nobody_gets_the_family_name_of_another() -> None:
    assert taken("soy Ana, me atendió Luis Mora, mi nombre es Ana").get("apellido", "") == ""


def test_two_numbers_before_a_receiver_are_not_told_apart() -> None:
    assert taken("3001112233 y 3115556677, el pedido es para mi mamá Rosa Díaz") == ROSA


def test_english_says_it_too() -> None:
    told = taken("I'm Emma Miller but it's for my mom Rose Miller, 12 Oak Rd, Boston", agent=STATES)
    assert (told["first_name"], told["last_name"]) == ("Rose", "Miller")
    assert taken("ship it to John Smith, 12 Oak Rd, Boston", agent=STATES)["first_name"] == "John"


@pytest.mark.parametrize(
    "message",
    [
        "it's for my mom, 9 Elm St, Reading PA 19601",
        "it's for my mom Rosa, 9 Elm St, Reading PA 19601",
        "ship it to my brother Tom at 9 Elm St, Reading, PA 19601",
    ],
)
def test_the_street_is_surer_than_what_follows_it(message: str) -> None:
    told = taken(message, agent=STATES)
    assert (told["address"], told["city"], told["state"]) == ("9 Elm St", "Reading", "Pennsylvania")
    assert told.get("first_name") != "Elm"


@pytest.mark.parametrize(
    "message",
    [
        "her address is 9 Elm St, Boston, MA 02118; mine is 12 Main St, Dallas TX 75201",
        "I live at 12 Main St and my mom lives at 9 Elm St, Reading PA 19601, send it to her",
    ],
)
def test_addresses_of_two_people_are_not_mixed(message: str) -> None:
    assert taken(message, agent=STATES) == {}
    assert taken(message, agent=STATES, asked="address", must_answer=True) == {"address": ""}


# --- in one breath, as a voice note is written down ----------------------------------------------------------


# message | given | family | phone | city | address | quarter
BREATHLESS = """
hola si mira es que yo quiero pedir el de dos me llamo carlos andres vivo en cali en la carrera 5 numero 10 20 barrio granada y mi numero es 3105556677 | Carlos Andres || 3105556677 | Cali | carrera 5 numero 10 20 | granada
bueno me llamo ana maria lopez vivo en la ciudad de pereira en el barrio cuba manzana 5 casa 12 y mi celular es el 310 555 66 77 | Ana Maria | Lopez | 3105556677 | Pereira | manzana 5 casa 12 | cuba
me llamo jose y vivo en barranquilla calle 45 con carrera 30 mi telefono es tres diez cinco cinco cinco sesenta y seis setenta y siete | Jose || 3105556677 | Barranquilla | calle 45 con carrera 30 |
si senor mi nombre es jhon jairo castaño ospina cedula 1088234567 celular 3127778899 direccion calle 14 numero 23 45 apartamento 201 edificio el prado pereira risaralda | Jhon Jairo | Castaño Ospina | 3127778899 | Pereira | calle 14 numero 23 45 apartamento 201 edificio el prado |
mi nombre es sandra milena torres el numero mio es 3157778899 soy de neiva huila y vivo en la carrera 5 numero 21 30 sur barrio las granjas | Sandra Milena | Torres | 3157778899 | Neiva | carrera 5 numero 21 30 sur | las granjas
vivo en soacha en la carrera 7 numero 12 45 interior 3 apartamento 402 y me llamo karen johana mi telefono es 3224445566 | Karen Johana || 3224445566 | Soacha | carrera 7 numero 12 45 interior 3 apartamento 402 |
buenas le habla don jorge ivan quintero de manizales mi numero es el 3136667788 y la direccion calle 65 numero 23 b 14 | Jorge Ivan | Quintero | 3136667788 | Manizales | calle 65 numero 23 b 14 |
el nombre es maria jose gutierrez y el telefono es 3009998877 y la ciudad es tunja y la direccion es avenida norte numero 45 30 | Maria Jose | Gutierrez | 3009998877 | Tunja | avenida norte numero 45 30 |
mi direccion es carrera 15 numero 20 30 al lado de la panaderia el trigal y mi nombre es oscar | Oscar |||| carrera 15 numero 20 30 al lado de la panaderia el trigal |
yo me llamo rosa elena y necesito que me lo manden a la calle 8 numero 12 40 en palmira valle mi celular 3186667788 | Rosa Elena || 3186667788 | Palmira | calle 8 numero 12 40 |
soy andres felipe y mi hermano tambien quiere uno | Andres Felipe |||||
"""  # noqa: E501


@pytest.mark.parametrize("line", BREATHLESS.strip().splitlines())
def test_every_detail_of_a_run_on_message_is_taken_and_no_more(line: str) -> None:
    message, *expected = [part.strip() for part in line.split("|")]
    told = taken(message)
    names = ("nombre", "apellido", "telefono", "ciudad", "direccion", "barrio")
    assert [told.get(name, "") for name in names] == expected


def test_a_name_after_bueno_is_not_denied() -> None:
    assert taken("bueno me llamo Pedro") == {"nombre": "Pedro"}
    assert taken("no me llamo Pedro") == {}


@pytest.mark.parametrize(
    ("message", "city"),
    [
        ("Luis Vargas 3105556677 Pereira cra 8 # 20-10", "Pereira"),
        ("Luis Vargas 3105556677, cra 8 # 20-10 Pereira", "Pereira"),
        ("Luis Vargas, cra 8 # 20-10 Armenia, 3105556677", "Armenia"),
        ("Luis Vargas Pereira 3105556677 cra 8 # 20-10", ""),  # a second family name
        ("3105556677 Florencia cra 8 # 20-10", ""),  # or a woman
        ("3105556677 Florencia Gómez cra 8 # 20-10", ""),
    ],
)
def test_a_name_that_a_phone_or_an_address_touches_is_a_town(message: str, city: str) -> None:
    assert taken(message).get("ciudad", "") == city
