"""`hilo dev`: an agent is edited while a chat goes on."""

import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from patience import PATIENCE
from serving_process import ServingProcess, Visitor, serving_process

AGENT = """\
agent: clinica
language: es-AR
country: AR
words: words.txt
slots:
  nombre: {type: person_name, ask: "¿Cómo te llamás?"}
  estudio: {type: choice, ask: "¿Qué estudio necesitás?", choices: [radiografía, análisis]}
  telefono: {type: phone, ask: "¿A qué número te avisamos?"}
  precio: {type: text, found: true}
flows:
  turno:
    starts: always
    steps:
      - collect: [nombre, estudio]
      - do: cost
        arguments: {study: estudio}
      - say: "Cuesta {precio}."
      - collect: telefono
      - say: "¡Listo, {nombre}!"
"""
TOOLS = """\
from hilo import tool

from clinica_prices import PRICE


@tool(writes=False)
def cost(study: str) -> dict[str, str]:
    return {"precio": PRICE}
"""
FILES = {
    "agent.yaml": AGENT, "tools.py": TOOLS, "clinica_prices.py": 'PRICE = "$ 100"\n', "words.txt": "[reads as]\n",
}  # fmt: skip


class Author:
    """Somebody who edits an agent that is served."""

    def __init__(self, folder: Path, dev: ServingProcess) -> None:
        self.folder, self.dev = folder, dev

    def edit(self, name: str, old: str, new: str, *, until: str) -> None:
        file = self.folder / name
        text = file.read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new), until=until)

    def write(self, name: str, text: str, *, until: str) -> None:
        printed = len(self.dev.lines)
        (self.folder / name).write_text(text, encoding="utf-8")
        self.dev.until(until, after=printed)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "clinica"
    made.mkdir()
    for name, text in FILES.items():
        (made / name).write_text(text, encoding="utf-8")
    return made


def dev_of(folder: Path) -> list[str | Path]:
    return [sys.executable, "-m", "hilo", "dev", folder, "--port", "0"]


@pytest.fixture
def author(folder: Path) -> Iterator[Author]:
    with serving_process(dev_of(folder), folder=folder.parent) as dev:
        assert set(dev.chats) == {"clinica"}
        dev.until("Edit .*clinica: what runs is served at once")
        yield Author(folder, dev)


def test_the_talk_goes_on_with_what_was_edited(author: Author) -> None:
    ana = Visitor(author.dev.chats["clinica"])
    assert "¿Qué estudio necesitás?" in ana.say("hola, soy Ana Ruiz")
    # a question, with what was changed in words
    author.edit("agent.yaml", "¿A qué número te avisamos?", "¿Cuál es tu celular?", until="¿Cuál es tu celular?")
    # a module that the tools import, twice within a second and of the same length
    author.edit("clinica_prices.py", "100", "200", until="clinica_prices.py: loaded")
    # words of its own
    author.write("words.txt", "[reads as]\nplaca = radiografía\n", until="words.txt: loaded")
    assert ana.say("una placa") == "Cuesta $ 200.\n\n¿Cuál es tu celular?"
    # a step that was not there when the talk began, and a tool
    author.edit("tools.py", '"precio": PRICE', '"precio": study', until="tools.py: loaded")
    author.edit("agent.yaml", "¡Listo, {nombre}!", "¡Nos vemos, {nombre}!", until="Nos vemos")
    assert ana.say("11 5555 1234") == "¡Nos vemos, Ana Ruiz!"
    assert "Traceback" not in author.dev.printed


def test_mistakes_are_told_and_the_last_version_that_runs_goes_on(author: Author) -> None:
    ana = Visitor(author.dev.chats["clinica"])
    assert "¿Qué estudio necesitás?" in ana.say("hola, soy Ana Ruiz")
    page = listening(ana)

    author.edit("agent.yaml", "collect: telefono", "collect: telefon", until=r"agent.yaml:18:18: .*telefon")
    assert "goes on" in author.dev.printed
    assert "Cuesta $ 100" in ana.say("un análisis")
    author.edit("agent.yaml", "collect: telefon\n", "collect: telefono\n", until="agent.yaml: loaded")

    author.edit("tools.py", "def cost(study", "def cost(study:", until=r"tools.py:7:\d+: does not run: SyntaxError")
    author.edit("tools.py", "study:: str", "study: str", until="tools.py: loaded")
    author.edit("clinica_prices.py", '"$ 100"', "1 / 0", until=r"clinica_prices.py:1:9: does not run: ZeroDivision")
    (author.folder / "tools.py").unlink()
    author.dev.until("tools.py: does not run")
    assert ana.say("11 5555 1234") == "¡Listo, Ana Ruiz!"

    author.write("clinica_prices.py", FILES["clinica_prices.py"], until="clinica_prices.py: does not run")
    author.write("tools.py", TOOLS, until="tools.py: loaded")
    printed = len(author.dev.lines)
    (author.folder / "agent.yaml").unlink()
    author.dev.until("there is no agent at", after=printed)
    author.write("agent.yaml", AGENT.replace("agent: clinica", "agent: otra"), until="called otra now: start")
    author.write("agent.yaml", AGENT, until="agent.yaml: loaded")
    assert Visitor(author.dev.chats["clinica"]).say("hola")

    assert any("⚠" in line and "telefon" in line for line in page)  # on the chat page, too
    assert author.dev.stop() == 0


def listening(visitor: Visitor) -> list[str]:
    """What an open chat page is told from now on."""
    heard: list[str] = []
    opened = threading.Event()

    def listen() -> None:
        headers = {"X-Visitor": visitor.token}
        try:
            with httpx.stream("GET", f"{visitor.url}/events", headers=headers, timeout=PATIENCE) as events:
                for line in events.iter_lines():
                    heard.append(line.encode().decode("unicode_escape"))
                    opened.set()
        except httpx.HTTPError:
            return  # the server has gone

    threading.Thread(target=listen, daemon=True).start()
    assert opened.wait(PATIENCE)
    return heard


def test_a_talk_goes_on_after_a_kill_and_an_edit(folder: Path) -> None:
    with serving_process(dev_of(folder), folder=folder.parent) as dev:
        ana = Visitor(dev.chats["clinica"])
        assert "¿Qué estudio necesitás?" in ana.say("hola, soy Ana Ruiz")
        dev.stop(signal.SIGKILL)
    edited = AGENT.replace("¡Listo, {nombre}!", "Gracias, {nombre}.").replace("Cuesta", "Sale")
    (folder / "agent.yaml").write_text(edited, encoding="utf-8")
    with serving_process(dev_of(folder), folder=folder.parent) as dev:
        ana = Visitor(dev.chats["clinica"], ana.token)
        assert "Sale $ 100" in ana.say("un análisis")
        assert ana.say("11 5555 1234") == "Gracias, Ana Ruiz."
    assert (folder.parent / "hilo-dev.db").is_file()
    assert not (folder.parent / "hilo.db").exists()


def test_what_is_broken_at_the_start_is_waited_for(folder: Path) -> None:
    (folder / "agent.yaml").write_text(AGENT.replace("type: phone", "type: fone"), encoding="utf-8")
    with serving_process(dev_of(folder), folder=folder.parent) as dev:
        dev.until(r"agent.yaml:8:\d+: ")
        assert "waiting for it to be fixed" in dev.printed
        (folder / "agent.yaml").write_text(AGENT, encoding="utf-8")
        assert "Ruiz" not in Visitor(dev.chats["clinica"]).say("hola")


def test_there_must_be_an_agent(tmp_path: Path) -> None:
    with serving_process(dev_of(tmp_path), folder=tmp_path) as dev:
        dev.until("there is no agent at")
        assert dev.process.wait(PATIENCE) == 1
