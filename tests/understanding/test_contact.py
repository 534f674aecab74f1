import pytest
from hypothesis import given
from hypothesis import strategies as st
from nasty import NASTY

from hilo.recognisers.normalise import normalise
from hilo.recognisers.people.contact import find_emails, find_urls
from hilo.recognisers.people.phones import find_phones


@pytest.mark.parametrize(
    ("message", "email"),
    [
        ("mi mail es juan@gmail.com.", "juan@gmail.com"),
        ("juan@ejemplo.com", "juan@ejemplo.com"),
        ("No, mi email es juan.nuevo@ejemplo.com", "juan.nuevo@ejemplo.com"),
        ("juan arroba gmail punto com", "juan@gmail.com"),
        ("juan @ gmail.com", "juan@gmail.com"),
        ("juan@ gmail.com", "juan@gmail.com"),
        ("juan(at)gmail.com", "juan@gmail.com"),
        ("juan [at] gmail [dot] com", "juan@gmail.com"),
        ("juan at gmail dot com", "juan@gmail.com"),
        ("JUAN.Perez@Hotmail.COM.AR", "juan.perez@hotmail.com.ar"),
        ("juan punto perez arroba gmail punto com punto ar", "juan.perez@gmail.com.ar"),
        ("juanarrobagmail.com", "juan@gmail.com"),
        ("escribime a josé_99@yahoo.es gracias", "jose_99@yahoo.es"),
        ("juan@gmail,com", "juan@gmail.com"),
        ("juan@gmail com", "juan@gmail.com"),
        ("(juan+ventas@empresa.com.mx)", "juan+ventas@empresa.com.mx"),
        ("mi correo juan guion bajo perez arroba outlook punto es", "juan_perez@outlook.es"),
        ("aaa.bbb@ccc.com", "aaa.bbb@ccc.com"),
        ("correo:ana-maria@mi-empresa.co", "ana-maria@mi-empresa.co"),
        ("es ana@gmail.com, gracias", "ana@gmail.com"),
        ("<ana@gmail.com>", "ana@gmail.com"),
    ],
)
def test_an_email_is_found_clean_and_in_lower_case(message: str, email: str) -> None:
    assert [found.value for found in find_emails(normalise(message))] == [email]


@pytest.mark.parametrize(
    "message",
    [
        "2 arrobas de papa",
        "nos vemos at home",
        "juan@gmail",
        "@juan",
        "arroba",
        "hola",
        "gmail.com",
        "juan@",
        "me at 5",
        "a @ b",
        "mi insta es @dulces.marta",
    ],
)
def test_what_is_no_email(message: str) -> None:
    assert find_emails(normalise(message)) == ()


def test_two_emails_are_two() -> None:
    assert [found.value for found in find_emails(normalise("a@b.com, c@d.com"))] == ["a@b.com", "c@d.com"]


@pytest.mark.parametrize(
    ("message", "phone"),
    [
        ("+54 9 11 4567-8901", "+5491145678901"),
        ("1145678901", "1145678901"),
        ("(011) 15-4567-8901", "0111545678901"),
        ("mi cel es 351 456 7890", "3514567890"),
        ("300 123 4567", "3001234567"),
        ("55 1234 5678", "5512345678"),
        ("612 34 56 78", "612345678"),
        ("call me at +1 (415) 555-2671", "+14155552671"),
        ("987654321", "987654321"),
        ("tel: 4567890", "4567890"),
        ("mi whatsapp: 11.4567.8901, gracias", "1145678901"),
        ("+56 9 8765 4321", "+56987654321"),
        ("+34-612-345-678", "+34612345678"),
        ("soy ana, 3511234567", "3511234567"),
        ("a las 10:30 al 1145678901", "1145678901"),
        ("15 4567 8901", "1545678901"),
    ],
)
def test_a_phone_is_found_by_its_shape(message: str, phone: str) -> None:
    assert [found.value for found in find_phones(normalise(message))] == [phone]


@pytest.mark.parametrize(
    "message",
    [
        "12/05/2024",
        "el 12-05-2024 a las 10:30",
        "2024-05-12",
        "$1.500.000",
        "1500000 pesos",
        "dni 30123456",
        "30.123.456",
        "12.345.678-9",
        "20-12345678-9",
        "pedido 12345678",
        "orden #ORD-0004212345",
        "mi numero de pedido es 12345678",
        "quiero 2 cocas",
        "123456",
        "4509 1234 5678 9012 3456",
        "juan1145678901@gmail.com",
        "https://x.com/1145678901",
    ],
)
def test_what_is_no_phone(message: str) -> None:
    assert find_phones(normalise(message)) == ()


def test_two_phones_are_two() -> None:
    assert [found.value for found in find_phones(normalise("1145678901 1156789012"))] == ["1145678901", "1156789012"]


def test_a_short_bare_number_is_less_sure_than_one_that_was_announced() -> None:
    (bare,), (announced,) = find_phones(normalise("4567890")), find_phones(normalise("mi tel es 4567890"))
    assert bare.confidence < announced.confidence


@pytest.mark.parametrize(
    ("message", "url"),
    [
        ("https://www.miempresa.com/x?y=1.", "https://www.miempresa.com/x?y=1"),
        ("mirá http://a.b/c", "http://a.b/c"),
        ("HTTPS://X.COM", "HTTPS://X.COM"),
        ("www.miempresa.com", "www.miempresa.com"),
        ("mi web es WWW.MiEmpresa.com.ar!", "WWW.MiEmpresa.com.ar"),
        ("miempresa.com", "miempresa.com"),
        ("es miempresa.com.ar, gracias", "miempresa.com.ar"),
        ("empresa.es", "empresa.es"),
        ("entra a instagram.com/pepe", "instagram.com/pepe"),
        ("(https://x.com/aaa)", "https://x.com/aaa"),
    ],
)
def test_a_web_address_is_found_as_written(message: str, url: str) -> None:
    assert [found.value for found in find_urls(normalise(message))] == [url]


@pytest.mark.parametrize(
    "message",
    [
        "juan@gmail.com",
        "listo.es para hoy",
        "Gracias.me llamo Juan",
        "foto.jpg",
        "1.500",
        "2.5",
        "hola...",
        "sr. juan",
        "ok.dale",
    ],
)
def test_what_is_no_web_address(message: str) -> None:
    assert find_urls(normalise(message)) == ()


def test_the_scheme_makes_a_web_address_surer() -> None:
    found = [find_urls(normalise(message))[0].confidence for message in ("http://x.com", "www.x.com", "x.com")]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == 3


@given(st.text(max_size=300))
def test_no_text_makes_it_raise(raw: str) -> None:
    text = normalise(raw)
    for found in (*find_emails(text), *find_phones(text), *find_urls(text)):
        assert found.start < found.end <= len(text.folded)


@pytest.mark.parametrize("raw", NASTY)
def test_nasty_texts_are_harmless(raw: str) -> None:
    text = normalise(raw)
    for found in (*find_emails(text), *find_phones(text), *find_urls(text)):
        assert found.start < found.end <= len(text.folded)


@pytest.mark.parametrize(
    ("message", "email"),
    [
        ("apunte joven lucho punto vera arroba hotmail punto com", "lucho.vera@hotmail.com"),
        ("anótelo vecina pepito guion bajo 22 arroba outlook punto es", "pepito_22@outlook.es"),
        ("claro que sí señor luis ortega arroba gmail punto com", "luisortega@gmail.com"),
    ],
)
def test_who_is_spoken_to_is_no_part_of_an_address(message: str, email: str) -> None:
    assert [found.value for found in find_emails(normalise(message), asked=True)] == [email]
