"""`hilo replay`: run recorded sessions again, to prove that they were so, or to see what an edit would change."""

import asyncio
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress
from rich.text import Text

from hilo.agent.declaration import Agent
from hilo.agent.toolbox import Toolbox
from hilo.app.folder_texts import read_text
from hilo.app.loading import AGENT_FILE, TOOLS_FILE, agent_file, load_tools, read_declared
from hilo.app.replay import KINDS, Compared, ComparedTurn, Kind, compare, play_again, unfaithful
from hilo.cli.database import counted, json_option, only, print_json, short, visible, workspace_option
from hilo.errors import FileProblems, HiloError
from hilo.settings import read_settings
from hilo.store.registry import Version, published
from hilo.store.store import Store
from hilo.store.views import Recorded, existing_store, find_session, record, sessions
from hilo.testing.suite import default_path
from hilo.workers.kept_agents import kept_agent

STYLES = {"same": "dim", "wording": "cyan", "path": "yellow", "tool": "magenta", "money": "bold red"}
MAX_SHOWN = 8  # changes of one turn


@click.command("replay")
@click.argument("session", required=False)
@click.option("--all", "everything", is_flag=True, help="The newest sessions, and only a line for each that changes.")
@click.option(
    "--agent", "file", type=click.Path(path_type=Path), metavar="FILE", help="An edited agent file or folder."
)
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=100, show_default=True, metavar="N", help="With --all."
)
@workspace_option
@json_option
def command(session: str | None, everything: bool, file: Path | None, limit: int, **given: Any) -> None:
    """Run SESSION again with what was understood and what tools returned then; nothing is called or sent.

    With the version of the agent that it began with, every reply and the session must be the same to the byte. With
    --agent FILE, or when the file in `agents` is another version by now, it lists what would change. Exit code: 0 all
    is the same, 1 something differs, 2 it could not be replayed.
    """
    if everything is (session is not None):
        raise click.UsageError("give a SESSION, or --all")
    wanted = _Wanted(given["workspace"], session, file, limit)
    try:
        replays = asyncio.run(_replay(wanted, quiet=given["as_json"] or not everything))
    except HiloError as error:
        click.secho(f"hilo: {error}", fg="red", err=True)
        sys.exit(2)
    if given["as_json"]:
        print_json([_plain(each) for each in replays])
    elif everything:
        _print_all(Console(highlight=False), visible(replays))
    else:
        _print_one(Console(highlight=False), visible(replays[0]))
    sys.exit(max((each.exit_code for each in replays), default=0))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be replayed: one session, or the newest of a workspace; with that agent if one was given."""

    workspace: str
    session: str | None
    file: Path | None
    limit: int


@dataclass(frozen=True, slots=True)
class Replay:
    """How it went. `problem`: it could not be replayed; `broken`: it is not what was recorded."""

    session: str
    agent: str
    turns: int = 0
    version: str = ""
    edited: str = ""
    broken: tuple[str, ...] = ()
    compared: Compared | None = None
    problem: str = ""

    @property
    def kinds(self) -> Counter[Kind]:
        """How many turns of each kind."""
        return self.compared.kinds if self.compared else Counter({"same": self.turns})

    @property
    def differs(self) -> bool:
        """Whether anything is not as it was."""
        return bool(self.broken or self.problem) or self.kinds["same"] < self.turns

    @property
    def exit_code(self) -> int:
        """0 same, 1 differs, 2 not replayed."""
        return 2 if self.problem else int(self.differs)


async def _replay(wanted: _Wanted, *, quiet: bool) -> list[Replay]:
    async with existing_store(read_settings().database_url) as store:
        agents = _Agents(store, wanted)
        if wanted.session is not None:
            found = await store.run(find_session, wanted.workspace, wanted.session)
            return [await _one(agents, only(found, wanted.session))]
        named = agents.given.agent if agents.given else ""
        listed = await store.run(sessions, wanted.workspace, "all", agent=named, at_most=wanted.limit)
        errors = Console(stderr=True)
        with Progress(console=errors, transient=True, disable=quiet or not errors.is_terminal) as progress:
            return [await _safely(agents, each.id, each.agent) for each in progress.track(listed, description="replay")]


async def _safely(agents: "_Agents", session: str, agent: str) -> Replay:
    """One of many: what is wrong with it does not stop the others."""
    try:
        return await _one(agents, session)
    except HiloError as error:
        return Replay(session, agent, problem=str(error))


async def _one(agents: "_Agents", session: str) -> Replay:
    recorded = await agents.store.run(record, agents.wanted.workspace, session)
    if recorded is None:
        raise HiloError(f"the session {session} is not there any more")
    edited, made_with = agents.edited(recorded.agent), await agents.recorded(recorded)
    changed = edited if edited and edited.version != made_with.version else None
    try:
        played = play_again(made_with, recorded)
        compared = compare(recorded, played, before=made_with, after=changed) if changed else None
    except (ValueError, LookupError, TypeError) as error:
        raise HiloError(f"{short(session)} cannot be played: {type(error).__name__}: {error}") from error
    return Replay(
        session=recorded.id,
        agent=recorded.agent,
        turns=len(recorded.turns),
        version=recorded.agent_version,
        edited=changed.version if changed else "",
        broken=unfaithful(recorded, played),
        compared=compared,
    )


# --- agents -------------------------------------------------------------------------------------------


@dataclass
class _Agents:
    """The agents of a replay: the one that was given or lies in `agents`, and older versions from the store."""

    store: Store
    wanted: _Wanted
    given: Agent | None = field(init=False)
    _files: dict[str, Path | None] = field(default_factory=dict)
    _parsed: dict[tuple[str, str], Agent] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.given = _load(agent_file(self.wanted.file)) if self.wanted.file else None

    def edited(self, name: str) -> Agent | None:
        """The agent to compare with; none when there is no file of it."""
        if self.given and self.given.agent != name:
            raise HiloError(f"the session is with the agent {name}, and {self.wanted.file} is {self.given.agent}")
        file = self._file(name)
        if self.given or file is None:
            return self.given
        if (name, "") not in self._parsed:
            self._parsed[name, ""] = _load(file)
        return self._parsed[name, ""]

    async def recorded(self, session: Recorded) -> Agent:
        """The agent that a session began with, with the tools that are there now."""
        key = (session.agent, session.agent_version)
        if key not in self._parsed:
            kept = await self.store.run(published, self.wanted.workspace, *key)
            if kept is None:
                raise HiloError(f"the version {key[1]} of the agent {key[0]} is not kept in this database")
            self._parsed[key] = self._with_tools(kept)
        return self._parsed[key]

    def _with_tools(self, kept: Version) -> Agent:
        """Those of its own file where there is one, for an edit may have dropped some."""
        file = self._file(kept.name) or (agent_file(self.wanted.file) if self.wanted.file else None)
        try:
            return kept_agent(kept, _tools(file) if file else {})
        except FileProblems as problems:
            where = "with the tools that are there now" if file else "without tools: give its file with --agent FILE"
            what = f"the version {kept.version} of the agent {kept.name} does not run {where}"
            raise HiloError(f"{what} ({problems.problems[0].message})") from problems

    def _file(self, name: str) -> Path | None:
        if name not in self._files:
            self._files[name] = next(_on_disk(name), None)
        return self._files[name]


def _on_disk(name: str) -> Iterator[Path]:
    """The file of an agent in the folder `agents`, or here."""
    folder, declared = default_path(), re.compile(rf"^agent:\s*[\"']?{re.escape(name)}[\"']?\s*(#.*)?$", re.MULTILINE)
    for file in (folder / AGENT_FILE, *sorted(folder.glob(f"*/{AGENT_FILE}"))):
        if file.is_file() and declared.search(read_text(file)):
            yield file


def _load(file: Path) -> Agent:
    """The agent without what reads messages: a replay reads none."""
    return read_declared(read_text(file), file, load_tools(file.parent / TOOLS_FILE))[0]


def _tools(file: Path) -> Toolbox:
    return {name: each.spec for name, each in load_tools(file.parent / TOOLS_FILE).items()}


# --- the page -----------------------------------------------------------------------------------------


def _plain(replay: Replay) -> dict[str, Any]:
    turns = replay.compared.turns if replay.compared else ()
    plain = {name: value for name, value in asdict(replay).items() if name != "compared"}
    return {
        **plain,
        "kinds": {kind: replay.kinds[kind] for kind in KINDS},
        "changes": [{**asdict(turn), "kind": turn.kind} for turn in turns],
        "stopped": replay.compared.stopped if replay.compared else "",
    }


def _print_one(console: Console, replay: Replay) -> None:
    to = f" → {replay.edited}" if replay.edited else ""
    console.print(Text.assemble((replay.session, "bold"), f" · {replay.agent} ", (f"{replay.version}{to}", "dim")))
    for reason in replay.broken:
        console.print(Text(f"✗ not what was recorded: {reason}", style="bold red"))
    if replay.compared is None:
        if not replay.broken:
            console.print(
                f"[green]✓ the same to the byte:[/] {counted(replay.turns, 'turn')}, their replies, and the session"
            )
        return
    for turn in replay.compared.turns:
        _print_turn(console, turn)
    if replay.compared.stopped:
        left = f"; {counted(replay.compared.left, 'turn')} after it not known" if replay.compared.left else ""
        console.print(Text(f"stopped: {replay.compared.stopped}{left}", style="magenta"))
    console.print(Text.assemble((f"{counted(replay.turns, 'turn')}: ", "bold"), _counts(replay.kinds)))


def _print_turn(console: Console, turn: ComparedTurn) -> None:
    heard = turn.heard.replace("\n", " / ") or turn.event
    line = Text.assemble(f"{turn.number:>4}  ", (f"{turn.kind:<7}", STYLES[turn.kind]), "  ", (heard, "dim"))
    line.truncate(console.width, overflow="ellipsis")
    console.print(line)
    for change in turn.changes[:MAX_SHOWN]:
        before, after = _from_the_difference(change.before, change.after, width=console.width - 17)
        for sign, text, style in (("−", before, "red"), ("+", after, "green")):
            if text:
                console.print(_hanging(console, f"{sign} {text}", style))
    if len(turn.changes) > MAX_SHOWN:
        console.print(f"[dim]{'':15}… {len(turn.changes) - MAX_SHOWN} more[/]")


def _from_the_difference(before: str, after: str, *, width: int) -> tuple[str, str]:
    """Both as they are when they fit; else without most of what they begin with alike."""
    pairs = enumerate(zip(before, after, strict=False))
    alike = next((place for place, (old, new) in pairs if old != new), 0)
    if alike < width // 2 or max(len(before), len(after)) <= width:
        return before, after
    start = before.rfind(" ", 0, alike - width // 4) + 1
    return (f"…{before[start:]}", f"…{after[start:]}")


def _hanging(console: Console, text: str, style: str) -> Text:
    """Indented below its turn, and cut where the line ends."""
    line = Text(f"{'':15}{text}", style=style)
    line.truncate(max(console.width, 40), overflow="ellipsis")
    return line


def _counts(kinds: Counter[Kind]) -> Text:
    return Text(", ").join(Text(f"{kinds[kind]} {kind}", style=STYLES[kind]) for kind in KINDS if kinds[kind])


def _print_all(console: Console, replays: list[Replay]) -> None:
    for each in replays:
        if each.problem or each.broken:
            what = Text(each.problem or f"not what was recorded: {each.broken[0]}", style="red")
        elif each.differs:
            what = Text.assemble(f"{counted(each.turns, 'turn')}: ", _counts(each.kinds))
        else:
            continue
        console.print(Text.assemble(f"{short(each.session)}  {each.agent}  ", what))
    total: Counter[Kind] = sum((each.kinds for each in replays if not each.problem), Counter())
    same = sum(not each.differs for each in replays)
    console.print(
        Text.assemble((f"{counted(len(replays), 'session')}, {same} the same; turns: ", "bold"), _counts(total))
    )
