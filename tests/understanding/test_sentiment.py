import pytest
from heard import felt
from hypothesis import given
from hypothesis import strategies as st
from nasty import NASTY

from hilo.recognisers.normalise import normalise
from hilo.understanding.acts.sentiment import read_sentiment


def _score(message: str) -> float:
    return felt(message).score


@pytest.mark.parametrize(
    "message",
    [
        "esto es una porquería",
        "es una porqueria",
        "ya te lo dije tres veces",
        "no entendés",
        "no me entendés",
        "no entendes nada",
        "esto no sirve",
        "este bot no sirve para nada",
        "los voy a denunciar",
        "voy a reclamar",
        "voy a ir a defensa del consumidor",
        "pésimo servicio",
        "pesima atención",
        "son unos ladrones",
        "hijos de puta",
        "la concha de tu madre",
        "andate a la mierda",
        "pelotudo",
        "sos un inútil",
        "chinga tu madre",
        "pinche bot pendejo",
        "malparidos",
        "gonorrea",
        "conchetumare",
        "qliao",
        "gilipollas",
        "es una estafa",
        "me estafaron",
        "ESTO ES UNA MIERDA!!!",
        "estoy harto",
        "me tienen harta",
        "fuck you",
        "this is bullshit",
        "you are useless",
        "I want my money back",
        "worst service ever",
        "es el colmo",
        "nadie me contesta",
        "una vergüenza",
        "estoy muy enojado",
    ],
)
def test_clear_anger_is_at_most_minus_six_tenths(message: str) -> None:
    assert _score(message) <= -0.6


@pytest.mark.parametrize(
    "message",
    [
        "no me llegó el pedido",
        "llegó frío",
        "está muy caro",
        "no me gustó",
        "tarda mucho",
        "llegó tarde",
        "me cobraron de más",
        "no funciona la página",
        "tengo un problema",
        "no estoy conforme",
        "la comida estaba fria",
        "tengo una queja",
    ],
)
def test_a_mild_complaint_is_about_minus_three_tenths(message: str) -> None:
    assert -0.5 <= _score(message) <= -0.2


@pytest.mark.parametrize(
    "message",
    [
        "quiero 2 cocas",
        "hola",
        "mi nombre es Juan",
        "cuánto sale el envío?",
        "no",
        "quiero una pizza grande",
        "juan@x.com",
        "no estoy enojado",
        "no quiero",
        "dale",
        "está bien",
        "que tengas buen dia",
        "bien frías por favor",
        "cancelá el pedido",
        "QUIERO UNA PIZZA",
        "no, gracias",
        "quiero hablar con una persona",
        "no sé",
        "la pizza de la casa",
        "sin cebolla por favor",
        "quiero hacer un pedido",
        "quiero ir a la sucursal",
        "quiero hacer una consulta",
        "necesito un abogado",
        "voy a ir al local",
        "tengo dos animales",
    ],
)
def test_an_ordinary_message_is_neutral(message: str) -> None:
    assert abs(_score(message)) <= 0.1


@pytest.mark.parametrize(
    "message",
    [
        "gracias",
        "muchas gracias",
        "excelente servicio",
        "son unos genios",
        "me encantó",
        "no está mal",
        "no es malo",
        "muy amable",
    ],
)
def test_thanks_and_praise_are_positive(message: str) -> None:
    assert _score(message) >= 0.15


def test_capitals_and_exclamation_marks_sharpen_anger() -> None:
    calm, loud = (
        read_sentiment(normalise("no me llegó el pedido")),
        read_sentiment(normalise("NO ME LLEGÓ EL PEDIDO!!!")),
    )
    assert loud.score < calm.score
    assert set(loud.causes) == {"complaint", "capitals", "exclamation"}


def test_the_causes_name_what_was_heard() -> None:
    assert read_sentiment(normalise("son unos ladrones, los voy a denunciar")).causes == ("insult", "threat")


@given(st.text(max_size=300))
def test_the_score_stays_in_its_range(raw: str) -> None:
    assert -1 <= read_sentiment(normalise(raw)).score <= 1


@pytest.mark.parametrize("raw", NASTY)
def test_nasty_texts_are_harmless(raw: str) -> None:
    read_sentiment(normalise(raw))


@pytest.mark.parametrize("message", ["ya te dije", "ya se los di", "ya te lo pasé"])
def test_said_once_more_is_frustration_and_no_rage(message: str) -> None:
    assert -0.5 <= _score(message) <= -0.4


@pytest.mark.parametrize("message", ["quiero hacer un reclamo", "quiero quejarme", "necesito poner una queja"])
def test_a_formal_complaint_is_no_rage(message: str) -> None:
    assert -0.5 <= _score(message) <= -0.35


@pytest.mark.parametrize(
    "message",
    ["😡", "ok 🙄", "🤬🤬", "qué mamera", "la wea mala", "me re enojé", "nunca más compro", "por culpa de ustedes"],
)
def test_signs_and_regional_words_of_anger_are_felt(message: str) -> None:
    assert _score(message) < -0.3


@pytest.mark.parametrize(
    "message", ["😍😍", "👏", "❤️", "están chéveres", "mola mucho", "10 puntos", "una joya de producto"]
)
def test_signs_and_regional_words_of_praise_are_felt(message: str) -> None:
    assert _score(message) > 0.3


def test_a_thumb_is_hardly_a_feeling() -> None:
    assert 0 < _score("👍") <= 0.25


@pytest.mark.parametrize(
    "message",
    [
        "soy maria",
        "un cajón de cerveza",
        "una bolsa de carbón",
        "podrías agregarme una tarta?",
        "qué marca es",
        "de qué manera",
    ],
)
def test_no_word_is_taken_for_the_insult_it_resembles(message: str) -> None:
    assert _score(message) == 0


@pytest.mark.parametrize("message", ["flojísimo el soporte", "me llegó roto", "vinieron vencidos", "cada día peor"])
def test_single_words_tell_a_complaint(message: str) -> None:
    assert _score(message) < -0.2
