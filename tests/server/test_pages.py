"""The commands and requests that docs/channels.md and docs/api.md show are carried out."""

import base64
import re
import shlex
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from click.testing import CliRunner
from gateways import SECRET, Gateway, infobip_body, until

from hilo.cli import hilo

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


async def test_every_request_shown_works(worked: Gateway) -> None:
    await worked.connect_infobip()
    async with worked.client() as client:
        await client.post("/webhooks/infobip/wa", content=infobip_body(), headers=SECRET)
        await until(lambda: _is(worked, "active"))
        [session] = worked.rows("SELECT id FROM sessions")
        named = {
            "$HILO": "http://hilo",
            "$SESSION": session["id"],
            "$KEY": await worked.key("read", "write", "operate"),
        }
        for line in shown("api.md", "sh"):
            answer = await client.send(_request(client, line, named))
            assert answer.status_code in {200, 202}, (line, answer.text)
            if "take-over" in line:
                await until(lambda: _is(worked, "handed_off"))


async def _is(worked: Gateway, status: str) -> bool:
    return [row["status"] for row in worked.rows("SELECT status FROM sessions")] == [status]


def _request(client: httpx.AsyncClient, line: str, named: dict[str, str]) -> httpx.Request:
    for name, value in named.items():
        line = line.replace(name, value)
    words = shlex.split(line)
    [url] = [word for word in words if urlsplit(word).scheme == "http"]
    headers = dict(words[place + 1].split(": ", 1) for place, word in enumerate(words) if word == "-H")
    body = next((words[place + 1] for place, word in enumerate(words) if word == "-d"), None)
    method = "POST" if "-X" in words else "GET"
    return client.build_request(method, url, headers=headers, content=body)
