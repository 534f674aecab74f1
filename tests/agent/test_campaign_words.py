"""Campaigns in agent files: what is wrong with one is said where it stands."""

import pytest

from hilo.agent.parse import parse
from hilo.errors import FileProblems

AGENT = """
agent: clinica
slots:
  nombre: {{type: person_name, ask: "¿Cómo te llamas?"}}
  dia: {{type: date, ask: "¿Qué día?"}}
templates:
  control: {{text: "Hola {{nombre}}, ¿qué día?", wa_template: control}}
  libre: "Hola"
campaigns:
  control: {{{keys}}}
flows:
  turno:
    steps:
      - collect: dia
      - say: "Listo."
"""


def problems(keys: str) -> str:
    with pytest.raises(FileProblems) as found:
        parse(AGENT.format(keys=keys))
    return str(found.value)


def test_a_campaign_starts_its_flow() -> None:
    agent = parse(AGENT.format(keys="template: control, flow: turno, asks: dia, into: {Paciente: nombre}"))
    campaign = agent.campaigns["control"]
    assert (campaign.to, campaign.per_hour, campaign.needs_opt_in, campaign.hours) == ("phone", 100, True, "open")


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ("template: control, flow: nada", "flow `nada` is not declared"),
        ("template: libre, flow: turno", "WhatsApp has not approved `libre`"),
        ("template: controll, flow: turno", "template `controll` is not declared"),
        ("template: control, flow: turno, asks: nombre", "slot of the flow turno `nombre` is not declared"),
        ("template: control, flow: turno, into: {a: apodo}", "slot `apodo` is not declared"),
        ("template: control, flow: turno, into: {a: dia}", "speaks of `nombre`, which no column gives"),
        ("template: control, flow: turno, asks: dia, into: {a: dia, b: nombre}", "`dia` comes from the list already"),
        ("template: control, flow: turno, per_hour: 0", "`per_hour` is from 1"),
        ("template: control, flow: turno, into: {phone: nombre}", "`phone` is the column with the number"),
        ("template: control, flow: turno, to: ''", "a list needs a column with the number"),
        ("flow: turno", "template"),
    ],
)
def test_a_mistake_is_said_where_it_stands(keys: str, problem: str) -> None:
    assert problem in problems(keys)
