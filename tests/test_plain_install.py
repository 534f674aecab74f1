"""An installation without extras serves an agent: what only extras bring is not imported."""

import subprocess
import sys
from pathlib import Path

from patience import PATIENCE

AGENTS = Path(__file__).parents[1] / "agents"
EXTRAS = (
    "anthropic", "asyncpg", "bullmq", "greenlet", "langchain_core", "langgraph", "mcp", "mermaidx", "openai",
    "opentelemetry.sdk", "psycopg", "redis",
)  # fmt: skip
TALK = f"""
import asyncio, sys
from pathlib import Path

for name in {EXTRAS!r}:
    sys.modules[name] = None  # importing it fails as if it were not there

from hilo.testing.world import open_world


async def talk(folder):
    async with open_world(f"sqlite:///{{folder}}/hilo.db", Path(sys.argv[2])) as world:
        await world.say("ana", "hola")
        print(*await world.say("ana", "soy Ana Ruiz"))


asyncio.run(talk(sys.argv[1]))
"""


def test_an_agent_answers_without_any_extra(tmp_path: Path) -> None:
    command = [sys.executable, "-c", TALK, str(tmp_path), str(AGENTS / "leads" / "agent.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)  # noqa: S603 -- our own
    assert done.returncode == 0, done.stderr
    assert "correo" in done.stdout


def test_turns_run_before_anything_of_the_web_is_imported() -> None:
    asked = "import sys, hilo.cli.worker, hilo.cli.serve; print(*{'fastapi', 'uvicorn', 'sqlglot'} & {*sys.modules})"
    done = subprocess.run(  # noqa: S603 -- our own
        [sys.executable, "-c", asked], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert not done.stdout.strip()
