"""Every example in the README and the docs is executed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from hilo.agent.parse import parse
from hilo.cli import COMMANDS
from hilo.clock import SystemClock
from hilo.testing import Conversation
from hilo.testing.script import parse_script
from hilo.turn.run import Turn
from hilo.understanding.reading import read

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("agents/*/README.md")])
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)")


@dataclass(frozen=True)
class Example:
    page: str
    kind: str
    text: str
    agent: str  # the last agent file shown above it


def examples() -> Iterator[Example]:
    for page in PAGES:
        agent = ""
        for kind, text in FENCE.findall(page.read_text(encoding="utf-8")):
            agent = text if kind == "yaml" and text.startswith("agent:") else agent
            yield Example(str(page.relative_to(ROOT)), kind, text, agent)


def of_kind(kind: str, start: str = "") -> list[Example]:
    return [example for example in examples() if example.kind == kind and example.text.startswith(start)]


@pytest.mark.parametrize("example", of_kind("yaml", "agent:"), ids=lambda example: example.page)
def test_every_agent_shown_is_valid(example: Example) -> None:
    parse(example.text, file=example.page)


@pytest.mark.parametrize("example", of_kind("yaml", "conversation:"), ids=lambda example: example.page)
def test_every_conversation_file_shown_is_valid(example: Example) -> None:
    parse_script(example.text)


@pytest.mark.parametrize(
    "example", [each for each in of_kind("yaml") if not each.text.startswith(("agent:", "conversation:"))],
    ids=lambda example: example.page,
)  # fmt: skip
def test_every_fragment_fits_the_agent_above_it(example: Example) -> None:
    parse(yaml.safe_dump({**yaml.safe_load(example.agent), **yaml.safe_load(example.text)}, allow_unicode=True))


@pytest.mark.parametrize("example", of_kind("chat"), ids=lambda example: example.page)
async def test_every_talk_shown_happens_like_that(example: Example) -> None:
    talk, shown = Conversation(Turn(parse(example.agent))), example.text.splitlines()
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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("example", of_kind("python"), ids=lambda example: example.page)
async def test_every_python_example_runs(example: Example, tmp_path: Path) -> None:
    names: dict[str, object] = {}
    exec(compile(example.text, example.page, "exec"), names)  # noqa: S102 -- our own documentation
    turn = Turn(parse((ROOT / "agents/leads/agent.yaml").read_text(encoding="utf-8")))
    if callable(talk := names.get("talk")):
        await talk(turn)
    if callable(a_day := names.get("a_day")):
        await a_day(tmp_path)
    if callable(score := names.get("score")):
        result = await Conversation(turn).say("es urgente")
        assert await score({"reading": turn_reading(turn), "session": result.session})


def turn_reading(turn: Turn) -> object:
    return read(turn.understander, "es urgente", at=SystemClock().now())
