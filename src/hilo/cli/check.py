"""`hilo check`: all problems of agent files at once."""

import sys
from collections.abc import Iterator, Sized
from dataclasses import asdict, dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from hilo.agent.declaration import Agent
from hilo.agent.parse import suggestions_of, warnings_of
from hilo.app import AGENT_FILE, agent_file, load_agent
from hilo.cli.database import json_option, print_json
from hilo.errors import FileProblems, HiloError, Problem


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in one agent file."""

    file: Path
    agent: Agent | None = None
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    suggestions: tuple[Problem, ...] = ()


@click.command("check")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@json_option
def command(paths: tuple[Path, ...], as_json: bool) -> None:
    """Check agent files; exit code 1 when one of them may not run. Warnings are about what should be meant.

    A PATH is an agent file, an agent's folder, or a folder of agents.
    """
    checked = [_check(file) for path in paths for file in _files(path)]
    if as_json:
        print_json([_plain(each) for each in checked])
    else:
        _show(checked)
    sys.exit(1 if any(each.problems for each in checked) else 0)


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir() or (path / AGENT_FILE).is_file():
        yield agent_file(path)
        return
    found = [child for child in sorted(path.iterdir()) if (child / AGENT_FILE).is_file()]
    if not found:
        raise HiloError(f"there is no agent at {path}, nor in its folders: an agent is a folder with an {AGENT_FILE}")
    for child in found:
        yield agent_file(child)


def _check(file: Path) -> Checked:
    try:
        loaded = load_agent(file)
    except FileProblems as problems:
        return Checked(file, problems=problems.problems)
    except HiloError as error:  # what stands beside the file: tools, tables, products
        return Checked(file, problems=(Problem(str(file), 1, 1, str(error)),))
    agent, source = loaded.agent, loaded.source
    return Checked(
        file,
        agent,
        warnings=tuple(warnings_of(source, file=str(file), toolbox=agent.toolbox)),
        suggestions=tuple(suggestions_of(source, file=str(file), like=_suggested(agent))),
    )


def _suggested(agent: Agent) -> dict[str, str]:
    """The standard intents that an author's own intents sound like, where they do not say so yet."""
    if not agent.language.startswith("es"):
        return {}  # the corpus is Spanish
    # numpy and the encoder, only for agents with intents
    from hilo.understanding.intents.encoder import load_encoder  # noqa: PLC0415
    from hilo.understanding.intents.standard import suggested_for  # noqa: PLC0415

    taken = {intent.like for intent in agent.intents.values()}
    examples = {name: intent.examples for name, intent in agent.intents.items() if not intent.like}
    found = suggested_for(examples, encoder=load_encoder())
    return {name: standard for name, standard in found.items() if standard not in taken}


# --- for people, and for programs -------------------------------------------------------------------------


def _show(checked: list[Checked]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for each in checked:
        for problem in each.problems:
            console.print(coloured(problem, "red"))
        for warning in each.warnings:
            console.print(coloured(warning, "yellow", "warning: "))
        for suggestion in each.suggestions:
            console.print(coloured(suggestion, "cyan", "suggestion: "))
        if each.agent:
            console.print(_passed(each.file, each.agent))
    problems = sum(len(each.problems) for each in checked)
    if problems:
        console.print(f"{problems} {'problem' if problems == 1 else 'problems'}", style="bold red")


def coloured(problem: Problem, style: str, kind: str = "") -> Text:
    """A problem for the terminal, its hint below it."""
    hint = f"\n    {problem.hint}" if problem.hint else ""
    where = f"{problem.file}:{problem.line}:{problem.column}: "
    return Text.assemble((where, "bold"), (kind + problem.message, style), (hint, "green"))


def _passed(file: Path, agent: Agent) -> Text:
    return Text.assemble(
        ("✓ ", "bold green"),
        f"{file}: {agent.agent}, {_count(agent.slots, 'slot')}, {_count(agent.flows, 'flow')}, ",
        (f"version {agent.version}", "dim"),
    )


def _count(things: Sized, name: str) -> str:
    return f"{len(things)} {name if len(things) == 1 else name + 's'}"


def _plain(checked: Checked) -> dict[str, object]:
    agent = checked.agent
    return {
        "file": str(checked.file),
        "agent": agent.agent if agent else None,
        "version": agent.version if agent else None,
        "problems": [asdict(each) for each in checked.problems],
        "warnings": [asdict(each) for each in checked.warnings],
        "suggestions": [asdict(each) for each in checked.suggestions],
    }
