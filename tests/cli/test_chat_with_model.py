"""`hilo chat` with a model: a fake server that speaks Anthropic's protocol answers."""

import asyncio
import io
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from hilo.cli import hilo
from hilo.cli.asking import Terminal
from hilo.llm.configuration import read_configuration
from hilo.llm.model import Spent
from hilo.testing.models.answers import Fails, Says, about
from hilo.testing.models.anthropic import FakeAnthropic
from hilo.testing.models.server import KEY
from hilo.testing.models.table import Case

ROOT = Path(__file__).parents[2]
LEADS = str(ROOT / "agents" / "leads")
AGENT = """
agent: charla
language: es
model: loop
intents: {hours: {examples: [a qué hora abren, cuál es el horario], answer: hours}}
templates: {hours: "De 9 a 18."}
"""
NO_MODEL = {"HILO_MODEL_URL": "", "HILO_MODEL_KEY": "", "ANTHROPIC_API_KEY": "", "HILO_MODELS": ""}
LONG = "El faro de la isla se ve desde el puerto."
GONE = "\x1b[1A\x1b[2K"  # one line up, and the line is erased


@pytest.fixture
def agent(tmp_path: Path) -> str:
    file = tmp_path / "charla.yaml"
    file.write_text(AGENT, encoding="utf-8")
    return str(file)


def chat(path: str, typed: str, **environment: str) -> Result:
    env = {"COLUMNS": "200", **NO_MODEL, **environment}
    return CliRunner(env=env).invoke(hilo, ["chat", path], input=typed)


async def with_claude(path: str, typed: str, answer: Says | Fails, **environment: str) -> tuple[str, FakeAnthropic]:
    async with FakeAnthropic([Case(about("faro"), answer)]) as claude:
        own = {"HILO_MODEL_URL": claude.url, "HILO_MODEL_KEY": KEY, **environment}
        result = await asyncio.to_thread(chat, path, typed, **own)
        assert result.exit_code == 0, result.output
        return result.output, claude


async def test_a_model_answers_what_the_agent_cannot(agent: str) -> None:
    output, claude = await with_claude(agent, "háblame del faro\n", Says(LONG))
    head = output.splitlines()[0]
    assert head.startswith(f"charla (with {read_configuration(None).small} and ")
    assert output.count(LONG) == 1
    assert [asked.streamed for asked in claude.asked] == [True]


async def test_a_terminal_shows_the_words_while_they_are_written(agent: str) -> None:
    output, _ = await with_claude(agent, "háblame del faro\n", Says(LONG, between=0.01), FORCE_COLOR="1", LINES="30")
    begun, _, rest = output.partition("El faro")
    assert LONG not in begun
    assert rest.count("El faro") > 1
    assert LONG in rest[rest.rindex("El faro") :]


async def test_a_model_that_fails_leaves_the_answer_to_the_agent(agent: str) -> None:
    output, claude = await with_claude(agent, "háblame del faro\n", Fails(400, "invalid_request_error"))
    assert claude.asked
    assert "Traceback" not in output
    assert "(no reply)" not in output


async def test_what_is_taken_back_can_be_asked_again(agent: str) -> None:
    output, claude = await with_claude(agent, "háblame del faro\n/undo\nháblame del faro\n/state\n", Says(LONG))
    assert len(claude.asked) == 2
    assert LONG not in str(claude.asked[1].body)
    assert "version 1" in output


async def test_an_agent_that_wants_no_model_asks_none(tmp_path: Path) -> None:
    file = tmp_path / "sola.yaml"
    file.write_text(AGENT.replace("model: loop", "model: 'off'"), encoding="utf-8")
    output, claude = await with_claude(str(file), "háblame del faro\n", Says(LONG))
    assert "(embedded understander)" in output.splitlines()[0]
    assert claude.asked == []


def test_without_a_key_the_embedded_understander_answers_and_no_sdk_is_loaded() -> None:
    code = (
        f"import sys; sys.argv = ['hilo', 'chat', {LEADS!r}]\nfrom hilo.cli import main\n"
        "try: main()\nfinally: print({'anthropic', 'openai', 'httpx', 'httpx2', 'hilo.app.models'} & set(sys.modules))"
    )
    done = subprocess.run(  # noqa: S603 -- our own command
        [sys.executable, "-c", code], input="hola\n", capture_output=True, text=True, check=True, env={**NO_MODEL}
    )
    assert "(embedded understander)" in done.stdout.splitlines()[0]
    assert done.stdout.rstrip().endswith("set()")


def test_a_broken_list_of_models_is_named(agent: str, tmp_path: Path) -> None:
    result = chat(agent, "hola\n", HILO_MODELS=str(tmp_path / "none.toml"))
    assert result.exit_code == 1
    assert "none.toml" in str(result.exception)


# --- what is being written ----------------------------------------------------------------------------------


def terminal(height: int = 10) -> tuple[Terminal, io.StringIO]:
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=40, height=height, highlight=False, legacy_windows=False)
    return Terminal(console), file


def test_what_is_written_is_taken_away_before_anything_else_is_shown() -> None:
    shown, file = terminal()
    shown.show("Hola")
    shown.show("Hola,\nAna")
    shown.clear()
    before = file.getvalue()
    assert before[before.rindex("Ana") :].count(GONE) == 2
    shown.clear()
    assert file.getvalue() == before


def test_a_long_answer_shows_its_end() -> None:
    shown, file = terminal()
    shown.show("\n".join(f"línea {number}" for number in range(100)))
    shown.clear()
    assert "línea 99" in file.getvalue()
    assert "línea 90" not in file.getvalue()


def test_words_cannot_command_the_terminal() -> None:
    shown, file = terminal()
    shown.show("\x1b]0;pwned\x07 \x9b2J hola")
    shown.clear()
    assert "\x1b]0;" not in file.getvalue()
    assert "\x9b" not in file.getvalue()
    assert "hola" in file.getvalue()


async def test_why_tells_the_tokens_that_a_turn_cost_and_that_another_cost_none(agent: str) -> None:
    says = Says(LONG, spent=Spent(1000, 40, cache_read=2000, cache_written=100))
    output, claude = await with_claude(agent, "háblame del faro\n/why\na qué hora abren\n/why\n", says)
    asked, free = (line.split(maxsplit=1)[1].strip() for line in output.splitlines() if line.startswith("tokens"))
    assert asked.startswith(f"{claude.asked[0].body['model']}: 3,100 in (2,000 cached), 40 out, USD 0.00")
    assert free == "0: no model was asked"
