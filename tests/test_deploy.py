"""The files of `deploy`: every command in them is one that Hilo takes, and every variable one that it reads."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from depth import DEEP
from hilo.cli import hilo

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
# What systemd.exec and systemd.service call them; a word that systemd does not know it passes over with a warning.
UNIT_KEYS = {
    "Unit": {"Description", "After", "Wants"},
    "Service": {
        *("User", "WorkingDirectory", "StateDirectory", "Environment", "EnvironmentFile", "ExecStart"),
        *("Restart", "RestartSec", "TimeoutStopSec", "LimitNOFILE"),
        *("NoNewPrivileges", "ProtectSystem", "ProtectHome", "PrivateTmp"),
    },
    "Install": {"WantedBy"},
}


def _parsed(words: list[str]) -> dict[str, Any]:
    """What a command of `hilo` would be given; raises click's own error for what it does not take."""
    context = click.Context(hilo)
    name, command, rest = hilo.resolve_command(context, list(words))
    assert command is not None
    return command.make_context(name, rest, parent=context).params


def _settings() -> set[str]:
    source = (ROOT / "src/hilo/settings.py").read_text(encoding="utf-8")
    return set(re.findall(r'"(HILO_\w+)"', source))


def _compose() -> Any:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def test_the_services_of_the_compose_file_are_commands_of_hilo() -> None:
    services = _compose()["services"]
    assert _parsed(services["gateway"]["command"])["gateway_only"]
    assert _parsed(services["worker"]["command"])["concurrency"] == 100
    for name in ("gateway", "worker"):
        assert set(services[name]["environment"]) <= _settings()
        assert services[name]["depends_on"].keys() <= services.keys()


def test_all_processes_of_a_fleet_have_the_same_settings() -> None:
    services = _compose()["services"]
    assert services["gateway"]["environment"] == services["worker"]["environment"]
    written = (DEPLOY / "hilo.env").read_text(encoding="utf-8").splitlines()
    names = {line.partition("=")[0] for line in written if line and not line.startswith("#")}
    assert names == set(services["worker"]["environment"])


def test_what_the_compose_file_builds_and_mounts_is_there() -> None:
    gateway = _compose()["services"]["gateway"]
    assert (DEPLOY / gateway["build"]["context"] / gateway["build"]["dockerfile"]).is_file()
    assert (DEPLOY / gateway["volumes"][0].partition(":")[0]).is_dir()
    assert (ROOT / gateway["command"][1].removeprefix("/")).is_dir()
    for copied in re.findall(r"-r /src/(\S+)", (DEPLOY / "Containerfile").read_text(encoding="utf-8")):
        assert (ROOT / copied).is_file()


def _run_steps() -> list[str]:
    """What the image runs, without what only an image has: users of its own, and folders at the root."""
    written = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    steps = [line.removeprefix("RUN ") for line in written.splitlines() if line.startswith("RUN ")]
    return [step for line in steps for step in line.split("&&") if step.split()[0] not in {"useradd", "install"}]


def test_the_image_is_made_of_what_can_be_run_without_one() -> None:
    steps = [shlex.split(step) for step in _run_steps()]
    assert [step[:4] for step in steps] == [["python", "-m", "pip", "install"]] * 2
    assert "--require-hashes" in steps[0]


@pytest.mark.skipif(not DEEP, reason="it installs everything that Hilo needs, from an index")
def test_the_steps_of_the_image_make_a_hilo_that_runs_in_a_clean_environment(tmp_path: Path) -> None:
    shutil.copytree(ROOT, tmp_path / "src", ignore=shutil.ignore_patterns(".git", ".venv", "*_cache", "__pycache__"))
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "made")], check=True)  # noqa: S603 -- our own words
    programs = tmp_path / "made" / "bin"
    for step in _run_steps():
        words = shlex.split(step.replace("/src", str(tmp_path / "src")))
        subprocess.run([str(programs / words[0]), *words[1:]], check=True)  # noqa: S603 -- of our own file
    for words in (["--help"], ["check", str(ROOT / "agents" / "kiosco")], ["worker", "--help"]):
        subprocess.run([str(programs / "hilo"), *words], check=True, cwd=tmp_path, stdout=subprocess.DEVNULL)  # noqa: S603
    needed = "import asyncpg, bullmq, hilo.app.gateway, hilo.store.bucket"
    subprocess.run([str(programs / "python"), "-c", needed], check=True, cwd=tmp_path)  # noqa: S603


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: str(unit.name))
def test_a_unit_starts_a_command_of_hilo(unit: Path) -> None:
    section, started = "", []
    for line in unit.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            section = line.strip("[]")
            continue
        key, _, value = line.partition("=")
        assert key in UNIT_KEYS[section], line
        if key == "ExecStart":
            started.append(_parsed(shlex.split(value)[1:]))
        if key == "Environment":
            assert value.partition("=")[0] in _settings()
    assert len(started) == 1


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_has_nothing_to_say_about_the_units_but_that_hilo_is_not_installed(tmp_path: Path) -> None:
    named = {unit.name: unit.name.replace("@.", "@1.") for unit in UNITS}
    for unit in UNITS:
        shutil.copy(unit, tmp_path / unit.name)
    (tmp_path / "hilo-worker@1.service").symlink_to(tmp_path / "hilo-worker@.service")
    paths = [str(tmp_path / name) for name in named.values()]
    verified = subprocess.run(["systemd-analyze", "verify", *paths], capture_output=True, text=True, check=False)  # noqa: S603, S607
    said = [line for line in verified.stderr.splitlines() if any(name in line for name in named.values())]
    assert all("/opt/hilo/bin/hilo is not executable" in line for line in said), said


def test_there_is_a_unit_for_each_kind_of_process() -> None:
    assert [unit.name for unit in UNITS] == ["hilo-gateway.service", "hilo-worker@.service", "hilo.service"]
