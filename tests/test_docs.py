"""Every example in the README and the docs is executed."""

import asyncio
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from hilo.agent.parse import parse
from hilo.agent.policies import POLICIES
from hilo.agent.source import read_source
from hilo.agent.steps import KINDS
from hilo.app import LoadedAgent, load_agent
from hilo.app.loading import load_tools
from hilo.cli import COMMANDS, hilo
from hilo.clock import SystemClock
from hilo.llm.configuration import read_configuration
from hilo.testing import Conversation
from hilo.testing.play import Played, play, play_with_model
from hilo.testing.script import documents, parse_script
from hilo.turn.run import Turn
from hilo.understanding.reading import read

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("agents/*/README.md")])
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)")
FILE = re.compile(
    r"\A(?:#|--|<!--) ([\w./-]+\.(?:py|sql|txt|csv|md))(?: -->)?\n"
)  # the first line of an example that stands beside an agent
LEFT_OUT = "…"  # what a page does not show of an output


@dataclass(frozen=True)
class Example:
    page: str
    kind: str
    text: str
    before: str  # the example above it
    folder: Mapping[str, str]  # the agent file above it, and the files that are shown for it, by name


def examples() -> Iterator[Example]:
    for page in PAGES:
        folder: dict[str, str] = {}
        before = ""
        for kind, text in FENCE.findall(page.read_text(encoding="utf-8")):
            if kind == "yaml" and text.startswith("agent:"):
                folder = {"agent.yaml": text}
            elif file := FILE.match(text):
                folder[file[1]] = text
            yield Example(str(page.relative_to(ROOT)), kind, text, before, folder)
            before = text


EXAMPLES = list(examples())  # all of them first: what stands beside an agent is shown below it


def of_kind(kind: str, start: str = "") -> list[Example]:
    return [example for example in EXAMPLES if example.kind == kind and example.text.startswith(start)]


def spoken_of(page: str) -> Path:
    """The agent that a page without one of its own is about: that of its folder or name, otherwise `leads`."""
    path = ROOT / page
    named = ROOT / "agents" / (path.parent.name if path.name == "README.md" else path.stem)
    return named if named.is_dir() else ROOT / "agents/leads"


def load(example: Example, folder: Path) -> LoadedAgent:
    """The agent above an example, with its files; on a page that shows none, the one that is spoken of."""
    if not example.folder:
        return load_agent(spoken_of(example.page))
    for name, text in example.folder.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return load_agent(folder)


@pytest.mark.parametrize("example", of_kind("yaml", "agent:"), ids=lambda example: example.page)
def test_every_agent_shown_is_valid(example: Example, tmp_path: Path) -> None:
    load(example, tmp_path)


@pytest.mark.parametrize("example", of_kind("yaml", "conversation:"), ids=lambda example: example.page)
async def test_every_conversation_shown_goes_as_written(example: Example, tmp_path: Path) -> None:
    loaded, played = load(example, tmp_path), []
    for script in map(parse_script, documents(example.text)):
        played.append(await play(script, loaded))
        if script.script.has_model:
            played.append(await play_with_model(script, loaded))
    assert [each.differences if isinstance(each, Played) else each.problem for each in played] == [()] * len(played)


FRAGMENTS = [each for each in of_kind("yaml") if not each.text.startswith(("agent:", "conversation:"))]


@pytest.mark.parametrize("example", [each for each in FRAGMENTS if not each.folder], ids=lambda example: example.page)
def test_every_fragment_stands_in_the_agent_that_is_spoken_of(example: Example) -> None:
    assert example.text in (spoken_of(example.page) / "agent.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("example", [each for each in FRAGMENTS if each.folder], ids=lambda example: example.page)
def test_every_fragment_fits_the_agent_above_it(example: Example, tmp_path: Path) -> None:
    load(example, tmp_path)
    agent, more = (read_source(text, file=example.page).value for text in (example.folder["agent.yaml"], example.text))
    tools = load_tools(tmp_path / "tools.py")
    merged = json.dumps({**agent, **more}, default=float)  # JSON is YAML
    parse(merged, file=example.page, toolbox={name: tool.spec for name, tool in tools.items()})


@pytest.mark.parametrize("example", of_kind("chat"), ids=lambda example: example.page)
async def test_every_talk_shown_happens_like_that(example: Example, tmp_path: Path) -> None:
    loaded = load(example, tmp_path)
    talk, shown = Conversation(loaded), example.text.splitlines()
    happened = []
    for line in shown:
        if line.startswith("> "):
            result = await talk.say(line.removeprefix("> "))
            happened += [line, *(f"< {reply.text}" for reply in result.replies)]
    assert "\n".join(happened) == "\n".join(shown)


@pytest.mark.parametrize("example", of_kind("console"), ids=lambda example: example.page)
def test_every_command_shown_exists(example: Example) -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for line in example.text.splitlines():
        words = line.removeprefix("$ ").split()
        if words[0] == "make":
            assert words[1] in targets
        elif words[0].endswith("hilo"):
            assert words[1] in COMMANDS


@pytest.mark.parametrize(
    "example", [each for each in of_kind("text") if each.before.startswith("$ hilo prompt ")],
    ids=lambda example: example.page,
)  # fmt: skip
def test_every_prompt_shown_is_what_would_be_sent(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _program, command, agent, *options = shlex.split(example.before.removeprefix("$ "))
    (tmp_path / agent).mkdir()
    load(example, tmp_path / agent)
    monkeypatch.chdir(tmp_path)
    for name in ("HILO_MODEL_KEY", "HILO_MODEL_URL", "HILO_MODELS", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    printed = CliRunner().invoke(hilo, [command, agent, *options], catch_exceptions=False).output
    shown = ".*".join(re.escape(part) for part in example.text.strip().split(LEFT_OUT))
    assert re.fullmatch(shown, printed.strip(), re.DOTALL), printed


@pytest.mark.parametrize("example", of_kind("toml"), ids=lambda example: example.page)
def test_every_configuration_shown_can_be_read(example: Example, tmp_path: Path) -> None:
    (tmp_path / "models.toml").write_text(example.text, encoding="utf-8")
    read_configuration(tmp_path / "models.toml")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not _is_kept(page.parent / link)] == []


def _is_kept(target: Path) -> bool:
    """Whether a file is there, or a folder that has one: a folder may be left behind with nothing but a cache in it."""
    if not target.is_dir():
        return target.exists()
    return any(each.is_file() and "__pycache__" not in each.parts for each in target.rglob("*"))


LANGUAGE_PAGE = (ROOT / "docs" / "agent-language.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_step_is_explained(kind: str) -> None:
    assert f"`{kind}" in LANGUAGE_PAGE


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_is_shown(policy: str) -> None:
    assert f"- {policy}: " in LANGUAGE_PAGE


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_hilo_is_in_the_readme(command: str) -> None:
    assert re.search(rf"`(?:hilo )?{command}[` ]", (ROOT / "README.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "example", [each for each in of_kind("python") if not FILE.match(each.text)], ids=lambda example: example.page
)
def test_every_python_example_runs(example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("HILO_DATABASE_URL", f"sqlite:///{tmp_path}/hilo.db")
    names: dict[str, object] = {}
    exec(compile(example.text, example.page, "exec"), names)  # noqa: S102 -- our own documentation
    if callable(main := names.get("main")):
        asyncio.run(main())
    if callable(a_day := names.get("a_day")):
        asyncio.run(a_day(tmp_path))
    if callable(broken := names.get("broken")):
        broken(tmp_path)
    if callable(score := names.get("score")):
        assert asyncio.run(score({"reading": urgent_reading()}))


def urgent_reading() -> object:
    turn = Turn(parse((ROOT / "agents/leads/agent.yaml").read_text(encoding="utf-8")))
    return read(turn.understander, "es urgente", at=SystemClock().now())
