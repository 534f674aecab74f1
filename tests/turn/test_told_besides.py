"""What tells of a wish or a business and no slot takes is a note; a grumble, a question or a criterion is none."""

import pytest

from hilo.agent.parse import parse
from hilo.testing import Conversation
from hilo.turn.run import Turn

AGENT = parse("""\
agent: estudio
language: es-AR
country: AR
slots:
  nombre: {type: person_name, ask: "¿Cómo te llamás?"}
  correo: {type: email, label: correo, ask: "¿A qué correo te escribimos?"}
  empresa: {type: organisation, required: false, ask: "¿De qué empresa nos escribís?"}
  notas: {type: note}
flows:
  datos:
    starts: always
    steps:
      - collect: [nombre, correo, empresa, notas]
      - say: "Gracias."
""")


async def told(*said: str) -> Conversation:
    talk = Conversation(Turn(AGENT))
    for line in ("hola", *said):
        await talk.say(line)
    return talk


@pytest.mark.parametrize(
    "wish",
    [
        "necesito también unas etiquetas",
        "es para un trabajo de la facultad",
        "lo necesito para marzo",
        "abrimos el local en tres semanas",
        "vengo recomendada por mi prima",
        "ya tuvimos problemas con otra imprenta",
    ],
)
@pytest.mark.parametrize("before", [("Nora Paz",), ("Nora Paz", "nora@paz.com.ar")])
async def test_what_tells_something_is_kept_and_is_no_bad_answer(before: tuple[str, ...], wish: str) -> None:
    talk = await told(*before, wish)
    assert talk.session.slots["notas"] == wish
    assert "empresa" not in talk.session.slots
    assert talk.replies[-1].text.startswith(("Lo anoto", "También lo anoto"))


async def test_what_stands_beside_an_answer_is_kept() -> None:
    talk = await told("Nora Paz y busco hacer una pasantía")
    assert talk.session.slots == {"nombre": "Nora Paz", "notas": "busco hacer una pasantía"}


@pytest.mark.parametrize(
    "said",
    [
        "uy qué pesados con los datos",
        "cuántas vueltas para un correo",
        "qué paciencia hay que tener con esto",
        "el que tengan más barato",
        "el q tenga antes",
        "pregunto si trabajan los sábados",
        "quiero saber cuánto cuesta",
        "necesito hablar con alguien",
        "tengo que preguntarle a mi hermana",
        "es la primera vez que escribo",
        "¿es para una pasantía?",
        "no me acuerdo del correo",
    ],
)
async def test_a_grumble_a_question_or_a_criterion_is_no_note(said: str) -> None:
    assert "notas" not in (await told("Nora Paz", said)).session.slots


@pytest.mark.parametrize(
    ("said", "empresa"), [("Somos La Espiga", "La Espiga"), ("tengo un puesto de flores", "puesto de flores")]
)
async def test_the_answer_to_a_question_for_words_stays_one(said: str, empresa: str) -> None:
    assert (await told("Nora Paz", "nora@paz.com.ar", said)).session.slots["empresa"] == empresa
