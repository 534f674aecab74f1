"""Addresses as the customers of many countries give them: whole, and nothing else of the message."""

from datetime import UTC, datetime

import pytest

from hilo.agent.declaration import Slot
from hilo.agent.parse import parse
from hilo.recognisers.normalise import normalise
from hilo.testing import Conversation
from hilo.turn.run import Turn
from hilo.understanding.slot_values import Values

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
SLOT = Slot(type="address")


def _address(message: str, country: str, *, has_towns: bool = True) -> object:
    values = Values(normalise(message), (), NOW, country, has_towns=has_towns)
    return next((each.value for each in values.of(SLOT, asked=True)), "")


@pytest.mark.parametrize(
    ("country", "message", "address"),
    [
        ("AR", "San Juan y Boedo", "esquina San Juan y Boedo"),
        ("AR", "esquina de Corrientes y Callao", "esquina Corrientes y Callao"),
        ("AR", "estoy en la esquina de belgrano y sarmiento", "esquina belgrano y sarmiento"),
        ("AR", "en mitre y 25 de mayo", "mitre y 25 de mayo"),
        ("AR", "hotel Bristol, habitación 512", "hotel Bristol, habitación 512"),
        ("ES", "me alojo en el hostal Los Pinos, hab. 3", "hostal Los Pinos, hab. 3"),
        ("MX", "estamos hospedados en el Hotel Camino Real cuarto 1203", "Hotel Camino Real cuarto 1203"),
        ("CO", "calle once número veintitrés guion cuarenta y cinco", "calle 11 número 23-45"),
        ("CO", "cra 7 con calle 45 esquina", "cra 7 con calle 45 esquina"),
        ("CO", "Cll 45 # 23-10 torre 3 apto 502 barrio Cabecera", "Cll 45 # 23-10 torre 3 apto 502 barrio Cabecera"),
        ("CO", "diagonal 30 transversal 15-20 bloque 4 apto 301", "diagonal 30 transversal 15-20 bloque 4 apto 301"),
        ("CO", "Transversal 44 No 21B-30 interior 5", "Transversal 44 No 21B-30 interior 5"),
        ("CO", "km 5 vía Chía - Cajicá, casa 12", "km 5 vía Chía - Cajicá, casa 12"),
        ("CO", "Kilometro 8 via al Llano", "Kilometro 8 via al Llano"),
        ("PE", "mz 3 lote 8", "mz 3 lote 8"),
        ("PE", "Mz. B Lt. 14 Urb. Los Jardines", "Mz. B Lt. 14 Urb. Los Jardines"),
        ("PE", "A.H. Villa María mz F lote 3", "Villa María mz F lote 3"),
        ("PE", "Jr. Huallaga 450 dpto 302, Cercado", "Jr. Huallaga 450 dpto 302"),
        ("EC", "Av. Amazonas N34-120 y Atahualpa", "Av. Amazonas N34-120 y Atahualpa"),
        ("EC", "ciudadela Kennedy mz 12 villa 5", "ciudadela Kennedy mz 12 villa 5"),
        ("EC", "Cdla. La Garzota mz 45 solar 3", "Cdla. La Garzota mz 45 solar 3"),
        ("MX", "calle Juárez 45, colonia Centro, CP 06000", "calle Juárez 45, colonia Centro, CP 06000"),
        (
            "MX",
            "Av Insurgentes Sur 1234 int 5 col del Valle cp 03100",
            "Av Insurgentes Sur 1234 int 5 col del Valle cp 03100",
        ),
        (
            "MX",
            "Privada Los Cedros #12, Fracc. Las Quintas, C.P. 80060",
            "Privada Los Cedros #12, Fracc. Las Quintas, C.P. 80060",
        ),
        ("ES", "calle Mayor nº 4, 2º dcha", "calle Mayor nº 4, 2º dcha"),
        ("ES", "C/ Alcalá 123, 3º B, 28009 Madrid", "C/ Alcalá 123, 3º B, 28009"),
        (
            "ES",
            "avenida de la Constitución 15, portal 2, 4º izquierda",
            "avenida de la Constitución 15, portal 2, 4º izquierda",
        ),
        ("ES", "plaza España 7 bajo", "plaza España 7 bajo"),
        ("ES", "paseo de Gracia 88 entresuelo 1ª", "paseo de Gracia 88 entresuelo 1ª"),
        ("CL", "Av. Providencia 1234, depto 56, Providencia", "Av. Providencia 1234, depto 56"),
        ("CL", "pasaje Los Aromos 345 casa B", "pasaje Los Aromos 345 casa B"),
        ("AR", "Rivadavia mil doscientos treinta piso cuatro", "Rivadavia 1230 piso 4"),
        (
            "AR",
            "av san martin 450 piso 2 depto b, entre mitre y belgrano",
            "av san martin 450 piso 2 depto b, entre mitre y belgrano",
        ),
        ("AR", "Belgrano 345, al lado de la farmacia", "Belgrano 345, al lado de la farmacia"),
        ("AR", "calle 7 entre 45 y 46 nro 890", "calle 7 entre 45 y 46 nro 890"),
        ("AR", "mi direccion es Lavalle 2020 5to A", "Lavalle 2020 5to A"),
        ("AR", "ruta 9 km 5", "ruta 9 km 5"),
        ("CO", "al lado de la farmacia San Jorge", "al lado de la farmacia San Jorge"),
        ("MX", "enfrente del parque hidalgo", "enfrente del parque hidalgo"),
        ("CO", "vereda El Salado finca La Esperanza", "vereda El Salado finca La Esperanza"),
        ("AR", "mandalo a French 1850 3 C", "French 1850 3 C"),
        ("AR", "Barrio Los Álamos manzana 4 casa 12", "Barrio Los Álamos manzana 4 casa 12"),
        (
            "AR",
            "monoblock 5 piso 3 depto 12 barrio ejército de los andes",
            "monoblock 5 piso 3 depto 12 barrio ejército de los andes",
        ),
        ("CO", "conjunto Altos del Bosque, torre 2, apto 804, Cali", "conjunto Altos del Bosque, torre 2, apto 804"),
        ("AR", "Av. Libertador 4500 piso 12 dto C, CABA", "Av. Libertador 4500 piso 12 dto C"),
        ("AR", "calle falsa 123", "calle falsa 123"),
        ("AR", "en lo de mi vieja, alem 320", "alem 320"),
        ("AR", "Balcarce 50 timbre 3", "Balcarce 50 timbre 3"),
        ("AR", "diag 74 nro 1500 e/ 10 y 11", "diag 74 nro 1500 e/ 10 y 11"),
        ("AR", "12 de octubre 890", "12 de octubre 890"),
        ("AR", "San Lorenzo esquina Dorrego", "San Lorenzo esquina Dorrego"),
        ("AR", "es en tucumán y maipú", "esquina tucumán y maipú"),
        ("AR", "Gral Paz 1200 (portón negro)", "Gral Paz 1200"),
        ("MX", "Calle 60 #489 x 57 y 59, Centro", "Calle 60 #489 x 57 y 59"),
        ("MX", "Andador 5 mz 12 lt 3, Infonavit", "Andador 5 mz 12 lt 3"),
        ("MX", "blvd adolfo lopez mateos 2350 local 14", "blvd adolfo lopez mateos 2350 local 14"),
        ("MX", "Cerrada de Pino 8 edif B depto 201 Col Roma", "Cerrada de Pino 8 edif B depto 201 Col Roma"),
        ("MX", "eje central 455 int 3", "eje central 455 int 3"),
        ("CO", "cra 15 # 93a-62 apto 401 torre norte", "cra 15 # 93a-62 apto 401 torre norte"),
        ("CO", "Calle 127D # 19-50 Apto. 602", "Calle 127D # 19-50 Apto. 602"),
        ("CO", "avenida boyaca numero ochenta y tres veinte", "avenida boyaca numero 83 20"),
        ("CO", "carrera séptima con ciento veintisiete", "carrera 7 con 127"),
        ("CO", "manzana c casa 14 barrio villa del prado", "manzana c casa 14 barrio villa del prado"),
        ("CO", "calle sesenta y ocho a número cuarenta y cinco guion doce", "calle 68 a número 45-12"),
        ("PE", "av. javier prado este 2465 int. 302 san borja", "av. javier prado este 2465 int. 302"),
        ("PE", "psje los pinos 156 urb. santa rosa", "psje los pinos 156 urb. santa rosa"),
        ("EC", "Calle Sucre 4-56 y Benigno Malo", "Calle Sucre 4-56 y Benigno Malo"),
        ("CL", "Los Leones 220 of. 801", "Los Leones 220 of. 801"),
        ("CL", "camino a melipilla km 5 parcela 12", "camino a melipilla km 5 parcela 12"),
        ("CL", "pje 3 casa 1452 villa los heroes", "pje 3 casa 1452 villa los heroes"),
        ("ES", "Gran Vía 28, 6ª planta", "Gran Vía 28, 6ª planta"),
        ("ES", "c/ Serrano nº 45, esc. B, 3º izda", "c/ Serrano nº 45, esc. B, 3º izda"),
        ("ES", "Urb. Los Olivos, chalet 14", "Urb. Los Olivos, chalet 14"),
        ("ES", "avda. Andalucía 12 1ºA", "avda. Andalucía 12 1ºA"),
        ("ES", "polígono industrial El Pino, nave 7", "polígono industrial El Pino, nave 7"),
        ("AR", "hotel Sheraton, 1104", "hotel Sheraton, 1104"),
        ("MX", "hospedada en el hotel Emporio habitación 710", "hotel Emporio habitación 710"),
        ("AR", "alberdi y 20 de junio, la esquina", "alberdi y 20 de junio"),
        ("CO", "carrera sexta numero doce treinta", "carrera 6 numero 12 30"),
        ("AR", "estoy en el hostal La Ribera hab 12", "hostal La Ribera hab 12"),
    ],
)
def test_an_address_is_taken_whole(country: str, message: str, address: str) -> None:
    assert _address(message, country) == address


@pytest.mark.parametrize(
    ("country", "message"),
    [
        ("AR", "te paso a buscar el 9 de julio"),
        ("AR", "el 25 de mayo y el 9 de julio no trabajamos"),
        ("AR", "somos Juan y Pedro"),
        ("AR", "quiero 2 cocas y 3 fantas"),
        ("AR", "pan y queso"),
        ("AR", "martes y jueves"),
        ("CO", "paso por el hotel mañana"),
        ("CO", "trabajo en un hotel"),
        ("AR", "el lote 8 llegó mal"),
        ("AR", "lo quiero negro y azul"),
        ("AR", "2 cajas de 12"),
        ("AR", "paso yo"),
        ("AR", "lo retiro"),
        ("AR", "mañana a la tarde"),
        ("CO", "no tengo dirección"),
        ("CO", "pan y leche"),
        ("AR", "mi vieja y mi viejo"),
        ("AR", "hotel?"),
        ("AR", "a las 8 y 30"),
        ("AR", "Ana y Luis"),
    ],
)
def test_what_is_no_address(country: str, message: str) -> None:
    assert _address(message, country) == ""


@pytest.mark.parametrize(
    ("country", "message", "address"),
    [
        ("AR", "Alsina 1234, piso 3, Quilmes", "Alsina 1234, piso 3, Quilmes"),
        ("AR", "Alsina 450 casi esquina Lavalle", "Alsina 450 casi esquina Lavalle"),
        ("CO", "manzana 8 casa 2 conjunto El Portal", "manzana 8 casa 2 conjunto El Portal"),
        ("ES", "C/ Alcalá 123, 3º B, 28009 Madrid", "C/ Alcalá 123, 3º B, 28009 Madrid"),
        ("CO", "cra 7 # 45-12 apto 301, Bogotá", "cra 7 # 45-12 apto 301, Bogotá"),
        ("MX", "Juárez 45 col. Centro, Puebla", "Juárez 45 col. Centro, Puebla"),
        ("AR", "Alsina 1234 y soy de Quilmes", "Alsina 1234"),
    ],
)
def test_the_town_belongs_to_the_address_where_it_has_no_slot(country: str, message: str, address: str) -> None:
    assert _address(message, country, has_towns=False) == address


SHOP = """
agent: tienda
language: es-AR
country: AR
timezone: America/Argentina/Buenos_Aires
slots:
  direccion: {type: address, label: dirección, ask: "¿A qué dirección?"}
  dia: {type: date, label: día, ask: "¿Qué día?"}
flows:
  envio:
    starts: always
    steps:
      - collect: [direccion, dia]
      - say: "Listo"
"""


async def test_a_corner_named_after_a_feast_is_no_date() -> None:
    talk = Conversation(Turn(parse(SHOP)))
    await talk.say("hola")
    await talk.say("Alberdi y 20 de junio, la esquina")
    assert talk.session.slots.keys() == {"direccion"}
