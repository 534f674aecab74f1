"""What is spoken or spelt is read as what is typed: mail and web addresses, documents, accounts, phones."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nasty import NASTY, seconds

from hilo.agent.declaration import Slot
from hilo.recognisers.normalise import normalise
from hilo.recognisers.people.contact import find_emails, find_urls
from hilo.recognisers.people.ids import find_national_ids
from hilo.recognisers.people.phones import find_phones
from hilo.recognisers.people.transcript import transcribed
from hilo.recognisers.places.addresses import find_addresses
from hilo.understanding.slot_values import Values

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("message", "email"),
    [
        ("te lo deletreo: l u c h o 7 7 arroba outlook punto com", "lucho77@outlook.com"),
        ("anota: peque 1998, los numeros en numero, arroba hotmail com", "peque1998@hotmail.com"),
        ("mi correo es Ana.Ruiz@Gmail.com. Quiero saber el precio", "ana.ruiz@gmail.com"),
        ("ana@gmail.com.gracias", "ana@gmail.com"),
        ("ana @ gmail . com", "ana@gmail.com"),
        ("ANA_99@HOTMAIL.COM", "ana_99@hotmail.com"),
        ("anita@gmail", "anita@gmail.com"),
        ("anita@gmail,com", "anita@gmail.com"),
        ("es juan perez arroba gmail punto com", "juanperez@gmail.com"),
        ("juan.lopez@hotmail.com.ar, o si no al 1155551234", "juan.lopez@hotmail.com.ar"),
        ("mi mail es pepe arroba empresa punto com punto mx punto gracias", "pepe@empresa.com.mx"),
        ("eme jota 23 arroba gmail punto com", "mj23@gmail.com"),
        (
            "a ver, lu guion bajo gomez guion medio dos mil uno arroba yahoo punto com punto ar",
            "lu_gomez-2001@yahoo.com.ar",
        ),
        ("ana@gmail.con", "ana@gmail.com"),
        ("carlosv@hotmail com", "carlosv@hotmail.com"),
        ("carlos@hotmail es mi mail", "carlos@hotmail.com"),
        ("ventas@mi.tienda.com", "ventas@mi.tienda.com"),
        ("mandalo a caro.diaz@uba.ar.", "caro.diaz@uba.ar"),
        ("me@me.com", "me@me.com"),
        ("el mail: lucho88@live.com.ar (el personal)", "lucho88@live.com.ar"),
        ("diego ruiz todo junto arroba gmail punto com", "diegoruiz@gmail.com"),
        ("no tengo mail", ""),
        ("@pepito", ""),
        ("pepito en instagram", ""),
        ("yo tengo 2 arrobas de papa", ""),
        ("maria punto jose arroba gmail", "maria.jose@gmail.com"),
        ("escribime a sofi@ gmail.com porfa", "sofi@gmail.com"),
        ("marta r arroba hotmail punto com todo en minuscula", "martar@hotmail.com"),
        ("correo soporte@acme.io!", "soporte@acme.io"),
        ("xime.r@icloud.com 😊", "xime.r@icloud.com"),
        ("jose luis 85 arroba gmail punto com", "joseluis85@gmail.com"),
    ],
)
def test_a_mail_address_that_was_asked_for(message: str, email: str) -> None:
    found = find_emails(normalise(message), asked=True)
    assert next((each.value for each in found), "") == email


def test_half_a_mail_address_is_none_where_nobody_asked() -> None:
    assert find_emails(normalise("anita@gmail")) == ()
    assert [each.value for each in find_emails(normalise("soy juan perez arroba gmail punto com"))] == [
        "perez@gmail.com"
    ]
    (found,) = find_emails(normalise("mi correo es juan perez arroba gmail punto com"))
    assert found.value == "juanperez@gmail.com"


@pytest.mark.parametrize(
    ("message", "url"),
    [
        ("triple w punto tienda punto com punto ar", "www.tienda.com.ar"),
        ("no tengo pagina", ""),
        ("@usuario", ""),
        ("mi ig es @pepe.ar", ""),
        ("instagram.com/pepe_ok", "instagram.com/pepe_ok"),
        ("si, es https://acme.com/ana?x=1, fijate", "https://acme.com/ana?x=1"),
        ("uve doble uve doble uve doble punto acme punto es", "www.acme.es"),
        ("w w w punto acme punto net", "www.acme.net"),
        ("mi pagina es floreriasol punto com", "floreriasol.com"),
        ("acme punto com barra catalogo", "acme.com/catalogo"),
        ("facebook.com/ferreteria.lopez", "facebook.com/ferreteria.lopez"),
        ("Entrá a mitienda.com.", "mitienda.com"),
        ("nos vemos en punto a las 5", ""),
        ("a punto de comprar", ""),
        ("es ropitabebe.es y vendemos por ahi", "ropitabebe.es"),
        ("el archivo es lista.pdf", ""),
        ("http://localhost", ""),
        ("mi web: EstudioPaz.COM", "EstudioPaz.COM"),
        ("la web es peluqueria-ana punto es", "peluqueria-ana.es"),
        ("todavia no tengo web, solo instagram", ""),
        ("tres w punto acme punto cl", "www.acme.cl"),
        ("linktr.ee/pepe", "linktr.ee/pepe"),
        ("bit.ly/3xyz", "bit.ly/3xyz"),
        ("tienda.acme.com.pe/ofertas#hoy gracias", "tienda.acme.com.pe/ofertas#hoy"),
        ("ana@acme.com", ""),
        ("www.panaderialuz.com.ar", "www.panaderialuz.com.ar"),
        ("la tienda es ropitas.mitiendanube.com", "ropitas.mitiendanube.com"),
        ("taller-gil.es/trabajos", "taller-gil.es/trabajos"),
        ("la de mi local, donjulio.com.mx", "donjulio.com.mx"),
        ("ana@floresana.es www.floresana.es", "www.floresana.es"),
        ("tengo una tienda (www.modasol.cl) chica", "www.modasol.cl"),
    ],
)
def test_a_web_address_that_was_asked_for(message: str, url: str) -> None:
    assert next((each.value for each in find_urls(normalise(message), asked=True)), "") == url


@pytest.mark.parametrize(
    ("country", "message", "document"),
    [
        ("AR", "28 millones 405 012", "28405012"),
        ("AR", "treinta millones ciento veintitres mil cuatrocientos cincuenta y seis", "30123456"),
        ("AR", "mi dni es treinta, ciento veintitrés, cuatrocientos cincuenta y seis", "30123456"),
        ("AR", "treinta ciento veintitres cuatrocientos cincuenta y seis", "30123456"),
        ("AR", "tres cero uno dos tres cuatro cinco seis", "30123456"),
        ("AR", "veintiocho millones cuatrocientos cinco mil doce", "28405012"),
        ("AR", "28 millones", "28000000"),
        ("ES", "doce treinta y cuatro cincuenta y seis setenta y ocho zeta", "12345678Z"),
        ("ES", "12345678 z", "12345678Z"),
        ("ES", "1 2 3 4 5 6 7 8 z", "12345678Z"),
        ("ES", "equis 1234567 ele", "X1234567L"),
        ("CL", "doce millones trescientos cuarenta y cinco mil seiscientos setenta y ocho guion cinco", "123456785"),
        ("CL", "12 345 678 guion 5", "123456785"),
        ("CO", "uno cero dos cero tres cero cuatro cero cinco cero", "1020304050"),
        ("CO", "mil veinte trescientos cuatro cero cincuenta", "1020304050"),
        ("CO", "mil veinte millones trescientos cuatro mil cincuenta", "1020304050"),
        ("CO", "mi cedula es diez veinte treinta cuarenta cincuenta", "1020304050"),
        ("PE", "cuarenta y cinco sesenta y siete ochenta y nueve doce", "45678912"),
        ("AR", "quiero dos cocas y tres fantas", ""),
        ("AR", "quinientos mil pesos", ""),
        ("AR", "mi presupuesto es de un millon doscientos mil pesos", ""),
        ("AR", "el pedido tres cero uno dos tres cuatro cinco seis", ""),
        ("AR", "mi dni 30 123 456 y el cel 11 5555 1234", "30123456"),
        ("AR", "dni treinta y dos millones quinientos mil", "32500000"),
        ("AR", "somos dos adultos", ""),
        ("AR", "el telefono es once cincuenta y cinco sesenta y seis setenta y siete ochenta y ocho", ""),
        ("MX", "ge o de e 56 12 31 ge erre 8", "GODE561231GR8"),
    ],
)
def test_the_number_of_a_document(country: str, message: str, document: str) -> None:
    found = find_national_ids(normalise(message), country=country)
    assert next((each.value for each in found), "") == document


@pytest.mark.parametrize(
    ("country", "message", "phone"),
    [
        ("CO", "tres uno cinco dos dos cuatro siete ocho cero uno", "3152247801"),
        ("CO", "mi celu es el tres doce, cuatrocientos, doble cero, veintidós", "3124000022"),
        ("CO", "tres once doble cero doble dos tres cuatro cinco seis", ""),
        ("CO", "trescientos quince, ocho cuatro cuatro, veintidos once", "3158442211"),
        ("CO", "anote: tres dieciséis siete siete siete cero cero once", "3167770011"),
        ("CO", "3 1 2 cuatro cinco seis 78 90", "3124567890"),
        ("CO", "tres uno dos - cuatro cinco seis - siete ocho nueve cero", "3124567890"),
        ("CO", "llámeme al tres veintiuno quinientos cincuenta y cinco doce doce", "3215551212"),
        ("AR", "el quince cuarenta y cuatro cincuenta y cinco sesenta y seis setenta y siete", "1544556677"),
        ("AR", "once, cuarenta y cuatro, treinta y tres, veintidos, once", "1144332211"),
        ("AR", "once cuatro cuatro tres tres dos dos uno uno", "1144332211"),
        ("AR", "es once cuarenta y cinco sesenta y siete ochenta y nueve cero uno", "1145678901"),
        ("AR", "cero once quince cuarenta y cinco sesenta y siete ochenta y nueve cero uno", "0111545678901"),
        ("AR", "tres cinco uno, cuatro cinco seis, siete ocho nueve cero", "3514567890"),
        ("AR", "0351 15 456 7890", "0351154567890"),
        ("MX", "cincuenta y cinco, cuarenta y tres, veintiuno, cero nueve, ochenta y siete", "5543210987"),
        ("MX", "ocho uno doble ocho siete seis cinco cuatro tres dos", "8188765432"),
        ("MX", "treinta y tres doce treinta y cuatro cincuenta y seis setenta y ocho", "3312345678"),
        ("CL", "nueve, ochenta y siete, sesenta y cinco, cuarenta y tres, veintiuno", "987654321"),
        ("CL", "nueve ocho siete seis cinco cuatro tres dos uno", "987654321"),
        ("PE", "nueve ocho siete, seis cinco cuatro, tres dos uno", "987654321"),
        ("PE", "novecientos ochenta y siete, seiscientos cincuenta y cuatro, trescientos veintiuno", "987654321"),
        ("ES", "seis doce, treinta y cuatro, cincuenta y seis, setenta y ocho", "612345678"),
        ("ES", "seiscientos doce tres cuatro cinco seis siete ocho", "612345678"),
        ("ES", "mas treinta y cuatro, seis cero cero, once, veintidos, treinta y tres", "+34600112233"),
        ("ES", "seis cero cero uno uno dos dos tres tres", "600112233"),
        ("CO", "son tres mil doscientos pesos", ""),
        ("CO", "dos cocas, tres fantas y cuatro aguas", ""),
        ("CO", "a las tres y cuarenta y cinco", ""),
        ("CO", "calle diez número cuarenta y tres doce", ""),
    ],
)
def test_a_phone(country: str, message: str, phone: str) -> None:
    assert next((each.value for each in find_phones(normalise(message), country=country)), "") == phone


@pytest.mark.parametrize(
    "message",
    [
        "ES noventa y uno, veintiuno cero cero, cero cuatro 18, cuarenta y cinco cero dos, cero cero 0 5, trece 32",
        "e ese 91 2100 0418 4502 0005 1332",
        "es 91 veintiuno cero cero, cero cuatro dieciocho, cuarenta y cinco cero dos, cero cero cero cinco, 1332",
        "mi cuenta es E S 9 1 2 1 0 0 0 4 1 8 4 5 0 2 0 0 0 5 1 3 3 2 gracias",
    ],
)
def test_an_account(message: str) -> None:
    found = Values(normalise(message), (), NOW, "ES").of(Slot(type="iban"))
    assert [each.value for each in found] == ["ES9121000418450200051332"]


def test_the_span_is_one_of_the_message() -> None:
    text = normalise("Mi CORREO es be larga e te o arroba gmail punto com, gracias")
    (found,) = find_emails(text)
    assert text.original(found.start, found.end) == "be larga e te o arroba gmail punto com"
    text = normalise("vivo en la carrera septima numero doce treinta barrio Centro")
    (found,) = find_addresses(text)
    assert text.original(found.start, found.end) == "carrera septima numero doce treinta barrio Centro"


def test_most_messages_have_no_transcript() -> None:
    assert transcribed(normalise("hola, quiero saber el precio del envío")) is None


SPOKEN = (
    "arroba punto guion bajo be larga doble ve triple w mil millones 22 tres cero y de a b c todo junto com @ . , gmail"
)


@given(st.lists(st.sampled_from(SPOKEN.split()), max_size=20))
def test_no_mixture_of_spoken_words_raises(words: list[str]) -> None:
    text = normalise(" ".join(words))
    for found in (*find_emails(text, asked=True), *find_urls(text, asked=True), *find_national_ids(text, country="AR")):
        assert 0 <= found.start < found.end <= len(text.folded)


@pytest.mark.parametrize(
    "raw", [*NASTY, "b e " * 25_000, "arroba punto " * 9000, "mil " * 25_000, "doble ve " * 9000, "a@b . " * 9000]
)
def test_nasty_texts_are_read_in_time(raw: str) -> None:
    text = normalise(raw)
    assert seconds(lambda: find_emails(text, asked=True)) < 0.5
    assert seconds(lambda: find_urls(text, asked=True)) < 0.5
    assert seconds(lambda: find_national_ids(text, country="CO")) < 0.5
    assert seconds(lambda: find_addresses(text)) < 0.5
