"""Which conversations a path means, and with which agent they are played."""

from pathlib import Path

import pytest
from tiny_agents import GREETED, HELLO, write_agent

from hilo.testing import default_path, find_suites, read_scripts, selected


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    folder = tmp_path / "agents"
    write_agent(folder / "one", HELLO, a=GREETED, b=GREETED)
    write_agent(folder / "two", HELLO, c=GREETED)
    (folder / "notes").mkdir()
    (folder / "README.md").write_text("not an agent", encoding="utf-8")
    return folder


def found(*paths: Path) -> dict[str, list[str]]:
    suites = find_suites(paths)
    return {suite.agent_file.parent.name: [script.file.stem for script in suite.scripts] for suite in suites}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (".", {"one": ["a", "b"], "two": ["c"]}),
        ("one", {"one": ["a", "b"]}),
        ("one/agent.yaml", {"one": ["a", "b"]}),
        ("one/conversations", {"one": ["a", "b"]}),
        ("one/conversations/b.yaml", {"one": ["b"]}),
        ("notes", {}),
    ],
)
def test_a_path_names_agents_or_conversations(agents: Path, path: str, expected: dict[str, list[str]]) -> None:
    assert found(agents / path) == expected


def test_a_conversation_that_is_named_twice_is_played_once(agents: Path) -> None:
    assert found(agents / "one", agents / "one/conversations/a.yaml", agents) == {"one": ["a", "b"], "two": ["c"]}


def test_an_agent_without_conversations_is_a_suite_of_none(agents: Path) -> None:
    (agents / "two/conversations/c.yaml").unlink()
    assert found(agents / "two") == {"two": []}


def test_the_other_ending_of_yaml_files_counts_too(agents: Path) -> None:
    (agents / "two/conversations/c.yaml").rename(agents / "two/conversations/d.yml")
    assert found(agents / "two") == {"two": ["d"]}


@pytest.mark.parametrize("agent", ["../../two", "../../two/agent.yaml"])
def test_a_conversation_may_name_another_agent(agents: Path, agent: str) -> None:
    (agents / "one/conversations/b.yaml").write_text(f"agent: {agent}{GREETED}", encoding="utf-8")
    assert found(agents) == {"one": ["a"], "two": ["b", "c"]}


def test_an_agent_that_is_not_there_is_a_problem_of_the_conversation(agents: Path) -> None:
    file = agents / "one/conversations/b.yaml"
    file.write_text(f"agent: ../../three{GREETED}", encoding="utf-8")
    (suite,) = find_suites((agents / "one",))
    (broken,) = suite.broken
    assert broken.problem.startswith(f"{file}:1:8: there is no agent at ")


def test_a_conversation_that_cannot_be_read_does_not_hide_the_others(agents: Path) -> None:
    (agents / "one/conversations/b.yaml").write_text("steps: [", encoding="utf-8")
    (suite,) = find_suites((agents / "one",))
    assert [script.file.stem for script in suite.scripts] == ["a"]
    assert [each.file.stem for each in suite.broken] == ["b"]


SEVERAL = """# what they have in common
---
conversation: Ana greets
steps:
  - contact: hola
--- # the next
conversation: Beto greets
steps: [{contact: hola}]
---
steps:
  - contact: hola
---
conversation: broken
steps:
  - contact: hola
    expct: {}
"""


def test_several_conversations_may_stand_in_one_file(agents: Path) -> None:
    file = agents / "one/conversations/b.yaml"
    file.write_text(SEVERAL, encoding="utf-8")
    (suite,) = find_suites((file,))
    assert [(script.title, script.place(0)) for script in suite.scripts] == [
        ("Ana greets", f"{file}:5:5"),
        ("Beto greets", f"{file}:8:9"),
    ]
    assert [each.problem for each in suite.broken] == [
        f"{file}:10:1: one of several conversations in a file needs a name (conversation: …)",
        f"{file}:16:5: unknown key `expct` (did you mean `expect`?)",
    ]


def test_dashes_within_a_conversation_separate_nothing(agents: Path) -> None:
    file = agents / "one/conversations/b.yaml"
    file.write_text(
        "conversation: dashes\nsteps:\n  - contact: |\n      hola\n      ---\n      chau\n", encoding="utf-8"
    )
    (script,) = read_scripts(file)
    assert script.script.steps[0].contact == "hola\n---\nchau\n"


def test_conversations_are_selected_by_words_of_their_title(agents: Path) -> None:
    (agents / "one/conversations/b.yaml").write_text(SEVERAL, encoding="utf-8")
    chosen = selected(find_suites((agents,)), "ána")
    assert [[script.title for script in suite.scripts] for suite in chosen] == [["Ana greets"]]
    assert selected(find_suites((agents,)), "nobody") == []


def test_without_a_path_it_is_the_agents_folder_or_here(agents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(agents.parent)
    assert default_path() == Path("agents")
    monkeypatch.chdir(agents / "one")
    assert default_path() == Path()
    assert found(default_path()) == {"": ["a", "b"]}
