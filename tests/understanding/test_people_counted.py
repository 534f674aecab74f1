"""How many people a message speaks of, for slots that count them."""

import pytest

from hilo.agent.declaration import Slot
from hilo.recognisers.normalise import normalise
from hilo.recognisers.people.parties import counts_people, find_people

PARTIES = [
    ("un adulto y un menor de edad", 2),
    ("mi hija de 3 y 2 amigas", 3),
    ("somos tres y mi hermano que llega después", 4),
    ("nosotros dos y mi suegra", 3),
    ("viajo con mi hermana", 2),
    ("solo ida, una persona, Carlos Pena", 1),
    ("2 adultos, Ana y Luis Gil", 2),
    ("voy sola", 1),
    ("somos cuatro", 4),
    ("no viajo sola, viajo con mi hermano", 2),
    ("mi marido, los dos chicos y yo", 4),
    ("2 adultos 1 niño", 3),
    ("dos adultos, tres niños y un bebé", 6),
    ("mi señora y yo nomas", 2),
    ("yo y mi vieja", 2),
    ("vamos con mi novia y mis suegros", 4),
    ("somos mi esposa y yo", 2),
    ("somos mi mujer y los 2 nenes", 4),
    ("para mi y 2 amigos", 3),
    ("viajo con 2 amigos", 3),
    ("yo y dos mas", 3),
    ("yo + 2 amigas", 3),
    ("una familia de 4", 4),
    ("un matrimonio con dos hijos", 4),
    ("somos dos parejas", 4),
    ("los 3", 3),
    ("las dos", 2),
    ("solo yo", 1),
    ("yo nomas", 1),
    ("para mi solo", 1),
    ("solamente yo", 1),
    ("sola", 1),
    ("mis hijos de 8 y 10 y yo", 3),
    ("mi esposo, mi hijo de 5 años y yo", 3),
    ("papá, mamá y yo", 3),
    ("Juan y yo", 2),
    ("con Ana y Luis", 3),
    ("mi mamá, mi tía y mi abuela", 3),
    ("ella y yo", 2),
    ("un pasaje para mi mama y otro para mi", 2),
    ("uno para mi y otro para mi hermano", 2),
    ("mi marido no va, voy con mi hija", 2),
    ("somos 4 con mi hermana", 4),
    ("me and my wife", 2),
    ("fuimos 3 pasajeros, 7 son los años de la nena", 3),
    ("my parents and I", 3),
    ("just me", 1),
    ("the two of us", 2),
    ("mi pareja y yo", 2),
    ("una pareja y un bebe", 3),
    ("seriamos 5 en total", 5),
    ("mi hermana mi cuñado y yo", 3),
    ("con mi novia", 2),
    ("viajo acompañada de mi marido", 2),
    ("2 mayores y 1 menor de 12 años", 3),
    ("mis dos hijos y yo", 3),
    ("viajan mi mama y mi papa", 2),
    ("vamos a ser mi esposo, mi hija de 3, mi hijo de 7 y yo", 4),
    ("yo solito", 1),
    ("nosotros tres", 3),
    ("somos mi jefe y yo", 2),
    ("dos grandes y un chiquito", 3),
    ("mi viejo, mi vieja, mi hermano y yo", 4),
    ("yo con mis 2 hijas", 3),
    ("soy yo y mi gordo", 2),
    ("va mi mama conmigo", 2),
    ("mi esposa y yo mas un bebe de brazos", 3),
    ("voy yo con mis dos nenas", 3),
    ("somos 2 adultos y 1 menor", 3),
    ("mi ermana y yo", 2),
    ("mi espoza, mi suegra y yo", 3),
    ("dos personas", 2),
    ("para mi y para mi novio", 2),
    ("mi amiga Sofi y yo", 2),
    ("nosotras dos", 2),
    ("4 pax", 4),
    ("mis suegros, mi marido y yo", 4),
    ("3 adultos mas un infante", 4),
    ("yo, mi señora y los mellizos", 4),
    ("mi pareja, el bebe y yo", 3),
    ("somos 2 mas un bebe", 3),
    ("somos dos y un bebe", 3),
    ("dos adultos y dos niños de 4 y 7", 4),
    ("dos adultos con 2 chicos", 4),
    ("un adulto y tres menores", 4),
    ("seremos unas 10 personas", 10),
    ("vamos a ser 6", 6),
    ("vamos a ser como 8 personas", 8),
    ("iríamos mi esposo y yo", 2),
    ("vamos yo y mi primo", 2),
    ("yo y 3 amigos mas", 4),
    ("3 amigos y yo", 4),
    ("mi hermana, su marido y yo", 3),
    ("mi hermana y sus dos hijos", 3),
    ("con mi mujer y mi hija", 3),
    ("mi hija y yo, ella tiene 8", 2),
    ("pues nosotros 4", 4),
    ("nosotros somos 5", 5),
    ("somos cinco en total contando al bebé", 5),
    ("2 personas", 2),
    ("dos pax", 2),
    ("2 y un niño", 3),
    ("es para mi hijo", 1),
    ("para mi mamá y mi papá", 2),
    ("solita yo", 1),
    ("yo sola", 1),
    ("viajo solo", 1),
    ("voy yo nada más", 1),
    ("nada más yo", 1),
    ("solo voy yo", 1),
    ("mi jefe y tres colegas", 4),
    ("mi abuela de 80 años y yo", 2),
    ("mi abuela (80) y yo", 2),
    ("3 adultos (uno es jubilado)", 3),
    ("un matrimonio", 2),
    ("con mi pareja", 2),
    ("una parejita con un nene", 3),
    ("yo mi mujer y mis 3 hijos", 5),
    ("mis 2 hijos mi esposa y yo", 4),
    ("los cuatro", 4),
    ("2 (mi esposa y yo)", 2),
    ("mi esposa y yo, osea 2", 2),
    ("1 adulto", 1),
    ("mi marido y yo y la nena de 3 añitos", 3),
    ("el nene mi marido y yo", 3),
    ("2 adultos, 1 jubilado y 1 menor", 4),
    ("papa mama y 2 hijos", 4),
    ("mi cuate y yo", 2),
    ("mi pana y yo", 2),
    ("mi parcero y yo", 2),
    ("mi polola y yo", 2),
    ("mi chica y yo", 2),
    ("mi jermu y yo", 2),
    ("mi enamorada y yo", 2),
    ("mi gordo y yo", 2),
    ("mi ex y yo", 2),
    ("mis dos hermanas y mi mama", 3),
    ("a mi esposa y a mi", 2),
    ("mi amiga lu y yo", 2),
    ("conmigo seríamos 3", 3),
    ("éramos 4 pero ahora somos 3", 3),
    ("me acompaña mi hermano", 2),
    ("viajo junto a mi madre", 2),
    ("va mi mamá conmigo", 2),
    ("mi esposa viaja conmigo", 2),
    ("con dos amigos", 3),
    ("con otra persona", 2),
    ("con una amiga", 2),
    ("yo y otra persona", 2),
    ("yo más uno", 2),
    ("6 grandes y 3 chicos", 9),
    ("seis mayores, dos menores", 8),
    ("4 adultos sin niños", 4),
    ("2 adultos, ningún niño", 2),
]


@pytest.mark.parametrize(
    ("message", "count"),
    [
        ("somos 7 pero mi suegra a último momento no viene", 6),
        ("somos 7 pero mi suegra al final no viene", 6),
        ("vamos 4, mi tío se bajó", 3),
        ("somos 5, mis dos primas ya no van", 3),
    ],
)
def test_who_stays_at_home_is_not_counted(message: str, count: int) -> None:
    assert [each.value for each in find_people(normalise(message))] == [count]


@pytest.mark.parametrize(("message", "count"), PARTIES)
def test_a_party_is_counted(message: str, count: int) -> None:
    found = find_people(normalise(message))
    assert max(found, key=lambda each: each.confidence).value == count


NOBODY = [
    "a las 8 hay que estar llegando",
    "no es a las 5, a las 5 cierran",
    "entre las 9 y las 11",
    "mis hijos y yo",
    "la familia completa",
    "solo quiero saber el precio",
    "los 2 kilos",
    "amiga cuanto sale",
    "hola amigo, quiero viajar el 5",
    "mi mail es x",
    "viajo con mi perro",
    "el martes y el jueves",
    "quiero ir con valija",
    "me gusta",
    "la chica que me atendio ayer",
    "todos",
    "mi hermana vive en lima",
    "somos un monton",
    "vamos el 5 de mayo",
    "a mi me da igual",
    "somos de rosario",
    "viajo con mi equipaje y 2 bolsos",
    "mi perro y yo",
    "mi familia y yo",
    "yo quiero ir el 5",
    "mi hermana tiene 30 años",
    "la señora me dijo que 3",
    "con mi tarjeta",
    "2 maletas y un bolso",
    "mi esposa llega el 5 y yo el 6",
    "Juan Pérez",
    "la niña de 8 paga?",
    "nosotros",
]


@pytest.mark.parametrize("message", NOBODY)
def test_nobody_is_counted_where_none_or_an_unknown_number_is_told(message: str) -> None:
    assert find_people(normalise(message)) == ()


@pytest.mark.parametrize("message", ["solo ida, viajo sola", "yo solo", "esta vez voy solo"])
def test_who_goes_alone_counts_unasked(message: str) -> None:
    assert [each.value for each in find_people(normalise(message), asked=False)] == [1]


@pytest.mark.parametrize("message", ["yo", "para mí", "vivo solo", "mi hermana"])
def test_one_alone_counts_only_where_it_was_asked(message: str) -> None:
    assert [each.value for each in find_people(normalise(message))] == [1]
    assert find_people(normalise(message), asked=False) == ()


@pytest.mark.parametrize(
    "slot",
    [
        Slot(type="number", label="pasajeros"),
        Slot(type="number", label="número de comensales"),
        Slot(type="number", also=("personas",), ask=("¿Cuántos?",)),
        Slot(type="number", ask=("¿Cuántas personas vienen?",)),
        Slot(type="number", ask=("¿Cuántos son?",)),
        Slot(type="number", ask=("How many guests?",)),
    ],
)
def test_a_slot_says_in_its_words_that_it_counts_people(slot: Slot) -> None:
    assert counts_people((slot.label, *slot.also), slot.ask)


@pytest.mark.parametrize(
    "slot",
    [
        Slot(type="number", label="edad del pasajero", ask=("¿Qué edad tiene el pasajero?",)),
        Slot(type="number", label="cuotas", ask=("¿En cuántas cuotas?",)),
        Slot(type="number", label="menores", ask=("¿Cuántos menores viajan?",)),
        Slot(type="number", label="adultos"),
        Slot(type="number", ask=("¿Cuántas cajas?",)),
    ],
)
def test_other_slots_count_no_party(slot: Slot) -> None:
    assert not counts_people((slot.label, *slot.also), slot.ask)
