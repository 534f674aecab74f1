"""`hilo understand --lint`: what an agent should be taught, by its own examples and by what contacts wrote."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from hilo.store.views import existing_store, heard_by

Run = Callable[..., Result]

SHOP = """
agent: leads
language: es-AR
flows: {start: {starts: always, steps: [{say: hola a todos}]}}
intents:
  horario: {examples: [a qué hora abren, hasta qué hora están, qué días abren], answer: de 9 a 18}
  persona: {examples: [me atiende una persona, necesito a alguien de verdad, un humano por favor], answer: ya va}
"""


def test_contacts_messages_are_proposed_without_their_names_and_numbers(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agent.yaml").write_text(SHOP, encoding="utf-8")
    plain = run("understand", tmp_path, "--lint").output
    assert "horario has 3 examples; with 12 to 15" in plain
    assert "contacts have written" not in plain
    found = run("understand", tmp_path, "--lint", "--workspace", "main").output
    assert "persona: contacts have written this" in found
    assert "quiero hablar con un asesor" in found
    assert "Acme" not in found  # an answer of one word is no example
    for private in ("ana@x.com", "3001234567", "Pérez"):
        assert private not in found


def test_only_the_agents_own_messages_are_read(database: Path) -> None:
    async def heard(workspace: str, agent: str) -> tuple[str, ...]:
        async with existing_store(f"sqlite:///{database}") as store:
            return await store.run(heard_by, workspace, agent, at_most=100)

    assert "quiero cancelar mi vuelo" in asyncio.run(heard("main", "vuelos"))
    assert "quiero cancelar mi vuelo" not in asyncio.run(heard("main", "leads"))
    assert asyncio.run(heard("other", "leads")) == ()


def test_intents_that_collide_are_shown_with_the_sentences_between_them(run: Run, tmp_path: Path) -> None:
    text = SHOP.replace("persona:", "abierto:").replace(
        "[me atiende una persona, necesito a alguien de verdad, un humano por favor]",
        "[a qué hora abren hoy, hasta qué hora están hoy, qué días están]",
    )
    (tmp_path / "agent.yaml").write_text(text, encoding="utf-8")
    output = run("understand", tmp_path, "--lint").output
    assert "abierto and horario collide" in output
    assert "add examples that part them" in output
