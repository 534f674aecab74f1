"""Portuguese, which is read word by word as Spanish: what is understood, and above all what is no yes."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hilo.agent.declaration import Agent, Slot
from hilo.agent.goods import read_goods
from hilo.app import load_agent
from hilo.testing import Conversation
from hilo.understanding.acts.recognise import find_acts
from hilo.understanding.orders.catalogue import build_catalogue
from hilo.understanding.orders.lines import find_order_lines
from hilo.understanding.orders.spots import build_shelf
from hilo.understanding.slot_values import Values

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
AGENT = Agent(agent="a", language="pt-BR", country="BR")
ASKING = """
agent: a
language: pt-BR
country: BR
slots: {dia: {type: date, ask: "Para que dia?"}}
flows:
  consulta:
    starts: always
    steps: [{collect: dia}, {confirm: "Dia {dia}. Confirma?"}, {say: "Feito."}]
"""

VALUES = [
    ("date", "31 de março de 2027", "2027-03-31"), ("date", "amanhã", "2027-03-02"),
    ("date", "depois de amanhã", "2027-03-03"), ("date", "hoje", "2027-03-01"),
    ("date", "na próxima sexta-feira", "2027-03-05"), ("date", "sexta que vem", "2027-03-05"),
    ("date", "terça-feira", "2027-03-02"), ("date", "no domingo", "2027-03-07"),
    ("date", "daqui a três dias", "2027-03-04"), ("date", "em duas semanas", "2027-03-15"),
    ("date", "primeiro de maio", "2027-05-01"), ("date", "dia 15", "2027-03-15"),
    ("time", "às cinco e meia da tarde", "17:30"), ("time", "às 17h30", "17:30"), ("time", "meio-dia", "12:00"),
    ("time", "às 9 da manhã", "09:00"), ("time", "às 8 da noite", "20:00"),
    ("duration", "uma hora e meia", 90), ("duration", "meia hora", 30), ("duration", "duas semanas", 20160),
    ("number", "vinte e três", 23), ("number", "trezentos e cinquenta", 350), ("money", "R$ 1.500,00", 1500),
    ("money", "mil e quinhentos reais", 1500), ("city", "sou do Rio de Janeiro", "Rio de Janeiro"),
    ("person_name", "sou a Ana Souza", "Ana Souza"), ("person_name", "meu nome é João da Silva", "João da Silva"),
    ("person_name", "me chamo Maria Oliveira", "Maria Oliveira"),
    ("address", "moro na Rua Augusta 1234", "Rua Augusta 1234"),
    ("email", "meu e-mail é Ana@Acme.com.br", "ana@acme.com.br"),
    ("national_id", "meu CPF é 529.982.247-25", "52998224725"),
]  # fmt: skip
ACTS = [
    ("oi", "greet"), ("bom dia", "greet"), ("obrigada", "thanks"), ("valeu", "thanks"), ("tchau", "bye"),
    ("quero falar com uma pessoa", "human"), ("me passa um atendente", "human"), ("quero cancelar o pedido", "cancel"),
    ("deixa pra lá", "cancel"), ("pular", "skip"), ("prefiro não dizer", "skip"), ("não entendi", "repeat"),
    ("corrige meu telefone", "correct"), ("não, obrigado", "deny"), ("de jeito nenhum", "deny"), ("agora não", "deny"),
    ("não está certo", "deny"), ("quanto custa?", "question"),
]  # fmt: skip
YES = [
    "sim",
    "sim, por favor",
    "claro",
    "isso",
    "isso mesmo",
    "com certeza",
    "tá bom",
    "beleza",
    "isso, pode confirmar",
]
NO_YES = [
    "não", "não pode", "não pode ser", "pode ser que sim, não sei", "não sei", "talvez", "deixa eu ver",
    "preciso pensar", "ainda não", "não confirmo", "não pode confirmar", "pode confirmar?", "pode ser na sexta?",
    "não, tá errado", "está errado", "isso não", "isso não está certo", "nada disso", "acho que não",
    "sim, mas muda o dia", "quem sabe", "espera", "agora não", "de jeito nenhum", "quero mudar o dia", "quanto custa?",
    "não quero", "tá bom, mas antes quanto custa?", "melhor não", "nem pensar", "confirmar depois",
]  # fmt: skip


GOODS = """
product,category,size
Cerveja Brahma,Cervejas,lata
Guaraná Antarctica,Refrigerantes,2 l
Guaraná Antarctica,Refrigerantes,lata
Água mineral,Águas,500 ml
Coxinha,Salgados,
Leite,Laticínios,1 l
"""
ORDERS: list[tuple[str, list[tuple[str, int | None, str]]]] = [
    ("quero 2 cervejas e uma água", [("add", 2, "cervejas"), ("add", 1, "agua")]),
    ("me vê três coxinhas", [("add", 3, "coxinhas")]),
    ("manda dois guaranás de 2 litros", [("add", 2, "guaranas 2 l")]),
    ("4 brejas e um refri", [("add", 4, "cerveja"), ("add", 1, "refrigerantes")]),
    ("tira a cerveja", [("remove", None, "cerveja")]),
    ("não quero a água", [("remove", None, "agua")]),
    ("troca a cerveja por guaraná", [("remove", None, "cerveja"), ("add", 1, "guarana")]),
    ("na verdade são 4 coxinhas", [("set", 4, "coxinhas")]),
    ("meia dúzia de coxinhas", [("add", 6, "coxinhas")]),
    ("quanto custa a coxinha?", []),
    ("tem leite?", []),
    ("o leite veio azedo", []),
]


@pytest.mark.parametrize(("message", "expected"), ORDERS)
def test_the_commonest_orders_are_heard(message: str, expected: list[tuple[str, int | None, str]]) -> None:
    catalogue = build_catalogue(read_goods(GOODS.strip(), file="goods.csv"), names=AGENT.meanings("goods"))
    found = find_order_lines(AGENT.fold(message), country="BR", shelf=build_shelf(catalogue))
    assert [(line.action, line.quantity, line.product) for line in found] == expected


@pytest.mark.parametrize(("kind", "message", "expected"), VALUES)
def test_a_value_is_found(kind: str, message: str, expected: object) -> None:
    text = AGENT.fold(message)
    found = Values(text, find_acts(text), NOW, "BR", "pt-BR").of(Slot(type=kind), asked=True)
    assert found[0].value == expected


@pytest.mark.parametrize(("message", "expected"), ACTS)
def test_an_act_is_heard(message: str, expected: str) -> None:
    assert expected in {act.kind for act in find_acts(AGENT.fold(message))}


async def answered(folder: Path, message: str) -> list[str]:
    """What is said after a message that answers a summary."""
    (folder / "agent.yaml").write_text(ASKING)
    talk = Conversation(load_agent(folder))
    await talk.say("5 de maio de 2030")
    return [reply.text for reply in (await talk.say(message)).replies]


@pytest.mark.parametrize("message", YES)
async def test_a_yes_is_one(tmp_path: Path, message: str) -> None:
    assert await answered(tmp_path, message) == ["Feito."]


@pytest.mark.parametrize("message", NO_YES)
async def test_what_is_no_yes_does_nothing(tmp_path: Path, message: str) -> None:
    assert "Feito." not in " ".join(await answered(tmp_path, message))
