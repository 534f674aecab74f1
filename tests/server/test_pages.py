"""The commands and requests that docs/channels.md and docs/api.md show are carried out."""

import base64
import json
import re
import shlex
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from click.testing import CliRunner
from gateways import SECRET, Gateway, gateway, infobip_body, until

from hilo.app.installation import WORKSPACE
from hilo.cli import hilo
from hilo.dialogue.events import OperatorTookOver
from patience import PATIENCE

DOCS = Path(__file__).parents[2] / "docs"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SECRETS = {
    "infobip.key": "una-clave", "meta.token": "un-token", "meta.secret": "un-secreto", "bot.token": "123:abc"
}  # fmt: skip


def shown(page: str, kind: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return [line for found, block in FENCE.findall(text) if found == kind for line in block.splitlines()]


@pytest.mark.parametrize("page", ["channels.md", "api.md"])
def test_every_command_shown_works(page: str, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HILO_DATABASE_URL", sqlite_url)
    monkeypatch.setenv("HILO_SECRET_KEY", base64.b64encode(b"k" * 32).decode())
    monkeypatch.chdir(tmp_path)
    for name, secret in SECRETS.items():
        (tmp_path / name).write_text(secret)
    commands = [shlex.split(line.removeprefix("$ hilo ")) for line in shown(page, "console") if "hilo " in line]
    for words in commands:
        if words[0] != "serve":
            result = CliRunner().invoke(hilo, words)
            assert (result.exit_code, words) == (0, words), result.output


MODES = """
modes:
  IDLE: {tools: [clear_list]}
  PERSON: {operator: true}
"""
TOOLS = '''
from hilo.tools.tool import tool


@tool(writes=True, needs_yes=False)
async def clear_list() -> str:
    """Forget the list."""
    return "Borrada."


@tool(operator=True)
async def send_list(page: int) -> str:
    """Show the list."""
    return f"Página {page}."
'''


@pytest.fixture
def with_tools(agent: Path) -> Path:
    """The agent that the page speaks of."""
    with (agent / "agent.yaml").open("a", encoding="utf-8") as file:
        file.write(MODES)
    (agent / "tools.py").write_text(TOOLS, encoding="utf-8")
    return agent


async def test_every_request_shown_works(sqlite_url: str, with_tools: Path) -> None:
    async with gateway(sqlite_url, with_tools, workers=True) as worked, httpx.AsyncClient(timeout=PATIENCE) as client:
        await worked.connect_infobip()
        await client.post(f"{worked.url}/webhooks/infobip/wa", content=infobip_body(), headers=SECRET)
        await until(lambda: _is(worked, "active"))
        [session] = worked.rows("SELECT id FROM sessions")
        key = await worked.key("read", "write", "operate")
        named = {"$HILO": worked.url, "$SESSION": session["id"], "$KEY": key}
        for line in shown("api.md", "sh"):
            if "$MEDIA" in line:  # the page has given the session back, and speaks of one that an operator holds
                named["$HANDOFF"] = await _hand_off(worked, session["id"])
            answer = await client.send(_request(client, line, named), stream=True)
            if answer.status_code == 201:
                named["$MEDIA"] = json.loads(await answer.aread())["id"]
            await answer.aclose()
            assert answer.status_code in {200, 201, 202}, (line, answer.status_code)
            if "take-over" in line:
                await until(lambda: _is(worked, "handed_off"))
        await until(lambda: _done(worked, "called"))
        said = [row["message"] for row in worked.rows("SELECT message FROM outbox WHERE author = 'operator'")]
        assert len([message for message in said if named["$MEDIA"] in message]) == 1
        assert [row["tool"] for row in worked.rows("SELECT tool FROM tool_calls ORDER BY turn")] == TOOLS_SHOWN


TOOLS_SHOWN = ["clear_list", "send_list"]


async def _hand_off(worked: Gateway, session: str) -> str:
    """Once more, for the page has given it back."""
    await until(lambda: _is(worked, "active"))
    event = OperatorTookOver(worked.hilo.clock.now(), "Luis")
    await worked.hilo.intake.event(WORKSPACE, session, event, external_id="again")
    await until(lambda: _is(worked, "handed_off"))
    [found] = worked.rows("SELECT id FROM handoffs WHERE status <> 'resolved'")
    return str(found["id"])


async def _done(worked: Gateway, action: str) -> bool:
    return len(worked.rows(f"SELECT number FROM audit WHERE action = '{action}'")) == len(TOOLS_SHOWN)  # noqa: S608


async def _is(worked: Gateway, status: str) -> bool:
    return [row["status"] for row in worked.rows("SELECT status FROM sessions")] == [status]


def _request(client: httpx.AsyncClient, line: str, named: dict[str, str]) -> httpx.Request:
    for name, value in named.items():
        line = line.replace(name, value)
    words = shlex.split(line)
    [url] = [word for word in words if urlsplit(word).scheme == "http"]
    headers = dict(words[place + 1].split(": ", 1) for place, word in enumerate(words) if word == "-H")
    body = next((words[place + 1] for place, word in enumerate(words) if word == "-d"), None)
    if "--data-binary" in words:
        body = "%PDF-1.4\n%%EOF\n"  # the file that the page speaks of
    method = "POST" if "-X" in words else "GET"
    return client.build_request(method, url, headers=headers, content=body)
