"""`hilo workspace`, `hilo channel`, `hilo key` and `hilo serve`, as a person uses them."""

import base64
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from gateways import rows

from hilo.cli import hilo
from hilo.errors import HiloError
from patience import PATIENCE
from servers import free_port

KEY = base64.b64encode(b"k" * 32).decode()
TOKEN = "123456:un-token-muy-secreto"  # noqa: S105 -- invented
BOT = ("channel", "add", "telegram", "--agent", "eco")
SECONDS = PATIENCE


@pytest.fixture(autouse=True)
def environment(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HILO_DATABASE_URL", sqlite_url)
    monkeypatch.setenv("HILO_SECRET_KEY", KEY)


def run(*words: str) -> str:
    """What is printed; an error of ours is raised."""
    result = CliRunner().invoke(hilo, words)
    if result.exception is not None:
        raise result.exception
    return result.output


def test_workspaces_are_added_and_listed() -> None:
    run("workspace", "add", "otra", "--name", "La otra")
    run("workspace", "add", "otra")
    assert "otra  La otra" in run("workspace", "list")
    with pytest.raises(HiloError, match="small letters"):
        run("workspace", "add", "La Otra")


def test_a_channel_is_added_listed_tried_and_removed() -> None:
    said = run(*BOT, "--set", f"bot_token={TOKEN}")
    assert "/webhooks/telegram/telegram-eco" in said
    assert "secret_token = " in said
    assert TOKEN not in said
    assert "/webhooks/telegram/telegram-eco" in run("channel", "list")
    assert "can be opened" in run("channel", "test", "telegram-eco")
    assert "removed" in run("channel", "remove", "telegram-eco")
    assert "telegram-eco" not in run("channel", "list")
    with pytest.raises(HiloError, match="no channel telegram-eco"):
        run("channel", "remove", "telegram-eco")


def test_a_setting_may_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN + "\n")
    run(*BOT, "--set", f"bot_token=@{tmp_path}/token", "--set", "secret_token=abc")
    with pytest.raises(HiloError, match="bot_token cannot be read"):
        run(*BOT, "--set", f"bot_token=@{tmp_path}/nothing")


def test_what_is_missing_is_named() -> None:
    with pytest.raises(HiloError, match="bot_token is missing"):
        run(*BOT)
    with pytest.raises(HiloError, match="has no colour"):
        run(*BOT, "--set", "colour=red")
    with pytest.raises(HiloError, match="no workspace nowhere"):
        run(*BOT, "--workspace", "nowhere", "--set", f"bot_token={TOKEN}")


def test_without_a_key_credentials_are_not_kept(monkeypatch: pytest.MonkeyPatch, sqlite_url: str) -> None:
    monkeypatch.delenv("HILO_SECRET_KEY")
    with pytest.raises(HiloError, match="openssl rand"):
        run(*BOT, "--set", f"bot_token={TOKEN}")
    assert rows(sqlite_url, "SELECT * FROM channels") == []


def test_credentials_are_sealed_again_with_a_new_key(monkeypatch: pytest.MonkeyPatch) -> None:
    run(*BOT, "--set", f"bot_token={TOKEN}")
    new = base64.b64encode(b"n" * 32).decode()
    monkeypatch.setenv("HILO_SECRET_KEY", f"{new},{KEY}")
    assert "1 channels" in run("channel", "reseal")
    monkeypatch.setenv("HILO_SECRET_KEY", new)
    assert "can be opened" in run("channel", "test", "telegram-eco")


def test_nobody_is_written_to_outside_the_window() -> None:
    given = ("phone_number_id=1", "access_token=t", "app_secret=s", "base_url=http://127.0.0.1:9")
    run("channel", "add", "whatsapp", "--agent", "eco", *(word for each in given for word in ("--set", each)))
    with pytest.raises(HiloError, match="write to it first"):
        run("channel", "test", "whatsapp-eco", "--to", "5491155550001")


def test_a_key_is_printed_once_and_can_be_revoked(sqlite_url: str) -> None:
    printed = run("key", "add", "crm", "--scope", "read", "--scope", "operate")
    secret = printed.splitlines()[-1]
    assert secret.startswith("hilo_")
    assert secret not in str(rows(sqlite_url, "SELECT * FROM api_keys"))
    listed = run("key", "list")
    assert "read, operate" in listed
    assert secret not in listed
    [key] = rows(sqlite_url, "SELECT id FROM api_keys")
    assert "opens nothing" in run("key", "revoke", key["id"])
    with pytest.raises(HiloError, match="no key"):
        run("key", "revoke", key["id"])


# --- serving ------------------------------------------------------------------------------------------


@contextmanager
def serving(agent: Path, port: int, *options: str) -> Iterator[subprocess.Popen[str]]:
    """`hilo serve` in a process of its own, ended by its id."""
    command = [sys.executable, "-c", "from hilo.cli import main; main()", "serve", str(agent), "--port", str(port)]
    process = subprocess.Popen(  # noqa: S603 -- our own words
        [*command, "--burst", "0s", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def answered(url: str, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            assert httpx.get(f"{url}/healthz", timeout=1, trust_env=False).text == "ok"
        except httpx.HTTPError:
            time.sleep(0.02)
        else:
            return
    pytest.fail("hilo serve did not start")


def test_serve_with_a_fake_provider_answers_and_stops_gracefully(agent: Path) -> None:
    port = free_port()
    url, phone = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{port + 1}"
    with (
        serving(agent, port, "--fake-provider", "infobip") as process,
        httpx.Client(trust_env=False, timeout=PATIENCE) as client,
    ):
        answered(url, process)
        client.post(f"{phone}/chats/5491155550001", json={"text": "una cosa"})
        deadline = time.monotonic() + SECONDS
        while not (said := _said(client, phone)) and time.monotonic() < deadline:
            time.sleep(0.05)
        with serving(agent, port) as second:
            _, complaint = second.communicate(timeout=SECONDS)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=SECONDS)
    assert said
    assert (second.returncode, f"port {port}" in complaint, "Traceback" in complaint) == (1, True, False)
    assert process.returncode == 0
    for place in (f"{url}/chat/web-eco", f"{url}/api/v1", f"{phone}/"):
        assert place in out


def _said(client: httpx.Client, phone: str) -> list[str]:
    bubbles = json.loads(client.get(f"{phone}/chats/5491155550001").text)["bubbles"]
    return [each["text"] for each in bubbles if each["side"] == "business"]
