"""`hilo check`: all problems of agent files at once."""

import sys
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from hilo.agent.declaration import Agent
from hilo.agent.parse import suggestions_of, warnings_of
from hilo.app import agent_file, load_agent
from hilo.errors import FileProblems, Problem


@click.command("check")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(paths: tuple[Path, ...]) -> None:
    """Check agent files; exit code 1 when one of them may not run. Warnings are about what should be meant."""
    console = Console(highlight=False, soft_wrap=True)
    found = [problem for path in paths for problem in _check(path, console)]
    if found:
        console.print(f"{len(found)} {'problem' if len(found) == 1 else 'problems'}", style="bold red")
        sys.exit(1)


def _check(path: Path, console: Console) -> tuple[Problem, ...]:
    try:
        loaded = load_agent(path)
    except FileProblems as problems:
        for problem in problems.problems:
            console.print(_coloured(problem))
        return problems.problems
    agent = loaded.agent
    for warning in warnings_of(loaded.source, file=str(loaded.file), toolbox=agent.toolbox):
        console.print(_coloured(warning, "yellow", "warning: "))
    for suggestion in suggestions_of(loaded.source, file=str(loaded.file), like=_suggested(agent)):
        console.print(_coloured(suggestion, "cyan", "suggestion: "))
    console.print(
        Text.assemble(
            ("✓ ", "bold green"),
            f"{agent_file(path)}: {agent.agent}, {len(agent.slots)} slots, {len(agent.flows)} flows, ",
            (f"version {agent.version}", "dim"),
        )
    )
    return ()


def _suggested(agent: Agent) -> dict[str, str]:
    """The standard intents that an author's own intents sound like, where they do not say so yet."""
    if not agent.language.startswith("es"):
        return {}  # the corpus is Spanish
    from hilo.understanding.intents.standard import suggested_for  # noqa: PLC0415 -- numpy, only for agents with intents

    taken = {intent.like for intent in agent.intents.values()}
    found = suggested_for({name: intent.examples for name, intent in agent.intents.items() if not intent.like})
    return {name: standard for name, standard in found.items() if standard not in taken}


def _coloured(problem: Problem, style: str = "red", kind: str = "") -> Text:
    hint = f"\n    {problem.hint}" if problem.hint else ""
    where = f"{problem.file}:{problem.line}:{problem.column}: "
    return Text.assemble((where, "bold"), (kind + problem.message, style), (hint, "green"))
