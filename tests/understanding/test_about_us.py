"""Questions about the assistant itself, in many voices, and what only looks like one."""

import time

import pytest

from hilo.recognisers.normalise import fold
from hilo.understanding.about_us import known_by_words

HELP = """ayuda|Ayuda!!|menú|que podes hacer?|¿Qué puedes hacer?|hola, en que me podes ayudar?|necesito ayuda
me podés ayudar?|como funciona esto|opciones|q sabes hacer|qué opciones hay|para que servis|no se que hacer
que puedo pedirte|quiero ver el menu|ver opciones|help|en qué me puede ayudar usted|que haces|como me pueden ayudar
dame una ayuda porfa|mostrame el menú|con que me ayudas|what can you do?|que más podés hacer"""
BOT = """sos un bot?|eres un robot o una persona|estoy hablando con una persona?|esto es un bot|sos humano?
hablo con un humano o con una maquina?|sos una persona real?|con quien hablo|quien me atiende|eres una ia?
es un contestador automatico?|sos de verdad?|hay alguien ahi?|are you a bot?|quién sos|acaso eres un robot
es usted una persona o una máquina?|sos vos un bot o que"""
NEITHER = """quiero hablar con una persona|menú del día para dos|necesito ayuda con mi pedido ORD-12|una persona
es una vergüenza|me podés ayudar con un vuelo a lima?|pasame con un humano|tienen menu vegano?|2 cocas
ayuda de verdad, esto no anda|quien me garantiza|un robot aspiradora|somos una persona|hola|es una persona"""


def texts(block: str) -> list[str]:
    return [text for line in block.splitlines() for text in line.split("|")]


@pytest.mark.parametrize("text", texts(HELP))
def test_a_wish_for_help_is_heard(text: str) -> None:
    assert known_by_words(fold(text)) == "help"


@pytest.mark.parametrize("text", texts(BOT))
def test_who_wants_to_know_whether_it_is_a_machine_is_heard(text: str) -> None:
    assert known_by_words(fold(text)) == "bot"


@pytest.mark.parametrize("text", texts(NEITHER))
def test_what_is_about_something_else_is_left_alone(text: str) -> None:
    assert known_by_words(fold(text)) is None


def test_a_long_message_costs_nothing() -> None:
    began = time.perf_counter()
    known_by_words(fold("hola " * 20_000))
    known_by_words(fold("y " * 39))
    assert time.perf_counter() - began < 0.1
