"""Bank accounts as people write them, and what only looks like one."""

from datetime import UTC, datetime

import pytest

from hilo.agent.declaration import Slot
from hilo.agent.parse import parse
from hilo.agent.values import Accepted, Invalid, accept
from hilo.recognisers.normalise import normalise
from hilo.testing import Conversation
from hilo.turn.run import Turn
from hilo.understanding.slot_values import Values

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
SLOT = Slot(type="iban")
SPAIN, GERMANY, BRITAIN = "ES9121000418450200051332", "DE89370400440532013000", "GB82WEST12345698765432"
FRANCE, COSTA_RICA, BRAZIL = "FR1420041010050500013M02606", "CR05015202001026284066", "BR1800360305000010009795493C1"


def found(text: str) -> list[object]:
    return [each.value for each in Values(normalise(text), (), NOW, "ES").of(SLOT)]


@pytest.mark.parametrize(
    ("text", "iban"),
    [
        ("ES9121000418450200051332", SPAIN),
        ("es9121000418450200051332", SPAIN),
        ("ES91 2100 0418 4502 0005 1332", SPAIN),
        ("es91 2100 0418 4502 0005 1332", SPAIN),
        ("ES91-2100-0418-4502-0005-1332", SPAIN),
        ("ES91.2100.0418.4502.0005.1332", SPAIN),
        ("ES91  2100  0418  4502  0005  1332", SPAIN),
        ("ES 91 2100 0418 4502 0005 1332", SPAIN),
        ("ES 9121000418450200051332", SPAIN),
        ("ES91 2100 0418 45 0200051332", SPAIN),
        ("IBAN: ES91 2100 0418 4502 0005 1332", SPAIN),
        ("IBAN ES9121000418450200051332.", SPAIN),
        ("iban:es9121000418450200051332", SPAIN),
        ("mi cuenta es la ES9121000418450200051332, gracias", SPAIN),
        ("ES91 2100 0418 4502 0005 1332 gracias", SPAIN),
        ("ES91 2100 0418 4502 0005 1332 y mi nombre es Ana", SPAIN),
        ("pásalo a ES91 2100 0418 4502 0005 1332 por favor", SPAIN),
        ("el número de cuenta es ES9121000418450200051332 (Caixa)", SPAIN),
        ("(ES9121000418450200051332)", SPAIN),
        ("te paso el iban:\nES91 2100 0418 4502 0005 1332", SPAIN),
        ("ES91 2100 0418\n4502 0005 1332", SPAIN),
        ("cobrar en ES91 2100 0418 4502 0005 1332, tel 600 123 456", SPAIN),
        ("tel 600 123 456 cuenta ES91 2100 0418 4502 0005 1332", SPAIN),
        ("de es a es91 2100 0418 4502 0005 1332", SPAIN),
        ("no es DE89370400440532013000 sino ES9121000418450200051332", SPAIN),
        ("DE89 3704 0044 0532 0130 00", GERMANY),
        ("de89370400440532013000", GERMANY),
        ("my IBAN is DE89 3704 0044 0532 0130 00", GERMANY),
        ("GB82 WEST 1234 5698 7654 32", BRITAIN),
        ("gb82 west 1234 5698 7654 32 thanks", BRITAIN),
        ("please use GB82WEST12345698765432 from now on", BRITAIN),
        ("FR14 2004 1010 0505 0001 3M02 606", FRANCE),
        ("la francesa, fr1420041010050500013m02606", FRANCE),
        ("CR05 0152 0200 1026 2840 66", COSTA_RICA),
        ("mi cuenta de Costa Rica es CR05015202001026284066", COSTA_RICA),
        ("BR18 0036 0305 0000 1000 9795 493C 1", BRAZIL),
        ("BE68 5390 0754 7034", "BE68539007547034"),
        ("IT60 X054 2811 1010 0000 0123 456", "IT60X0542811101000000123456"),
        ("NO93 8601 1117 947", "NO9386011117947"),
        ("PT50 0002 0123 1234 5678 9015 4", "PT50000201231234567890154"),
        ("NL91ABNA0417164300 is the account", "NL91ABNA0417164300"),
        ("DO28 BAGR 0000 0001 2124 5361 1324", "DO28BAGR00000001212453611324"),
    ],
)
def test_an_account_is_found_however_it_is_written(text: str, iban: str) -> None:
    assert found(text) == [iban]


@pytest.mark.parametrize(
    "text",
    [
        "ES9121000418450200051333",  # a digit is wrong
        "ES19 2100 0418 4502 0005 1332",  # two are swapped
        "ES91 2100 0418 4502 0005 133",  # one is missing
        "ES91 2100 0418 4502 0005 13322",  # one too many
        "91 2100 0418 4502 0005 1332",
        "2100 0418 45 0200051332",
        "XX91 2100 0418 4502 0005 1332",  # no country
        "GB82 EAST 1234 5698 7654 32",
        "DE89 3704 0044 0532 0130",
        "aES9121000418450200051332",
        "ES",
        "mi cuenta",
        "no tengo iban",
        "la de siempre",
        "el 600 123 456",
        "es 12 de mayo de 2027 a las 17:30",
        "de 10 a 12 horas",
        "calle 10 # 43-12 apto 302",
        "0140590940100418135201",  # a CBU of Argentina
        "4111 1111 1111 1111",  # a card
    ],
)
def test_what_is_no_account_is_not_found(text: str) -> None:
    assert found(text) == []


def test_two_accounts_are_two() -> None:
    assert found(f"{SPAIN} y {GERMANY}") == [SPAIN, GERMANY]


@pytest.mark.parametrize("written", [SPAIN, SPAIN.lower(), "ES91 2100 0418 4502 0005 1332", f"IBAN {SPAIN}"])
def test_an_account_is_stored_in_one_form(written: str) -> None:
    assert accept(SLOT, written) == Accepted(SPAIN)


@pytest.mark.parametrize(
    "written", ["ES9121000418450200051333", "", "ES", 91, True, "É" * 24, "9" * 40, "ES91" + "²" * 20]
)
def test_no_other_value_is_an_account(written: str | int) -> None:
    assert accept(SLOT, written) == Invalid("invalid.iban")


AGENT = """
agent: cobros
language: es
country: ES
slots:
  nombre: {type: person_name, ask: "¿Tu nombre?"}
  telefono: {type: phone, ask: "¿Tu teléfono?"}
  cuenta: {type: iban, ask: "¿Tu IBAN?"}
flows:
  alta:
    starts: always
    steps:
      - collect: [nombre, telefono, cuenta]
      - confirm: "{nombre}, {telefono}, {cuenta}: ¿de acuerdo?"
"""


async def last_reply(*messages: str) -> str:
    conversation = Conversation(Turn(parse(AGENT)))
    for message in messages:
        await conversation.say(message)
    return conversation.replies[-1].text


async def test_an_account_is_taken_before_it_is_asked_for_and_shown_in_groups() -> None:
    told = await last_reply("soy Ana Pérez", f"600123456, y cobro en {SPAIN.lower()}")
    assert told == "Ana Pérez, +34600123456, ES91 2100 0418 4502 0005 1332: ¿de acuerdo?"


async def test_a_mistyped_account_is_explained() -> None:
    told = await last_reply("soy Ana Pérez", "600123456", "ES91 2100 0418 4502 0005 1333")
    assert told.startswith("Ese IBAN no parece válido.")


async def test_an_account_is_corrected_by_what_it_is_called() -> None:
    told = await last_reply("soy Ana Pérez", f"600123456 {SPAIN}", f"no, la cuenta es {GERMANY}")
    assert told.startswith("Listo, corregí tu cuenta: DE89 3704 0044 0532 0130 00.")
