"""Small agents and conversations written to a folder, as an author would."""

from pathlib import Path
from textwrap import dedent

from hilo.app import LoadedAgent, load_agent
from hilo.testing import Played, parse_script, play

# Asks, branches, confirms and says; its one optional slot comes last.
TICKETS = """
agent: tickets
language: es
country: CO
timezone: America/Bogota
slots:
  name: {type: person_name, label: nombre, ask: "¿Cómo te llamas?"}
  seats: {type: number, label: asientos, ask: "¿Cuántos asientos?", min: 1}
  note: {type: text, label: nota, ask: "¿Alguna nota?", required: false}
flows:
  book:
    starts: always
    steps:
      - collect: [name, seats]
      - branch: {seats > 8: group}
      - collect: note
        when: seats > 1
      - confirm: "{name}, {seats} asientos. ¿Es correcto?"
      - go: done
      - name: group
        handoff: a group
      - name: done
        say: "¡Listo, {name}!"
escalation:
  - keyword: [humano]
  - timeout: 30m
  - completion: {invalid_attempts: 2}
"""

# The smallest one.
HELLO = """
agent: hello
slots:
  name: {type: person_name, ask: "¿Cómo te llamas?"}
flows:
  greet:
    starts: always
    steps: [{collect: name}, {say: "Hola, {name}."}]
"""

GREETED = """
steps:
  - contact: Soy Juan Pérez
    expect: {completed: greet}
"""


def write_agent(folder: Path, text: str = HELLO, **conversations: str) -> Path:
    """An agent's folder with its conversations."""
    (folder / "conversations").mkdir(parents=True)
    (folder / "agent.yaml").write_text(text, encoding="utf-8")
    for name, conversation in conversations.items():
        (folder / "conversations" / f"{name}.yaml").write_text(conversation, encoding="utf-8")
    return folder


def load(folder: Path, text: str = TICKETS) -> LoadedAgent:
    return load_agent(write_agent(folder / "agent", text))


async def played(loaded: LoadedAgent, steps: str) -> Played:
    """Play steps that are expected to be playable."""
    outcome = await play(parse_script("steps:\n" + dedent(steps)), loaded)
    assert isinstance(outcome, Played), outcome.problem
    return outcome
