"""An agent that is served while its author edits it: every edit that runs is served at once, with the talks under way.

Files are looked at by their times, twice a second: that works on every disk and in every container, and an agent's
folder is small.
"""

import asyncio
import contextlib
import importlib
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

from hilo.agent.declaration import Agent
from hilo.app.installation import WORKSPACE, Installation
from hilo.app.loading import LoadedAgent, agent_file, load_agent
from hilo.app.running import web_chat
from hilo.channels.webchat import WebChat
from hilo.errors import FileProblems, HiloError, Problem
from hilo.messages import Address
from hilo.tools.database import EPOCH
from hilo.understanding.reading import read

EVERY = 0.5  # seconds between two looks
KINDS = {".yaml", ".yml", ".py", ".csv", ".tsv", ".txt", ".sql", ".md", ".json", ".toml"}
OTHERS = {"__pycache__", "node_modules", "conversations"}  # folders that no agent is made of
ENVIRONMENT = "pyvenv.cfg"
MOST_FILES = 5_000  # where more lie below a folder, it is not an agent's own

Stamps = Mapping[Path, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Edit:
    """What came of a change: another version, or why the one before it is still served."""

    files: tuple[str, ...]
    before: Agent | None = None
    after: Agent | None = None
    problems: tuple[Problem, ...] = ()


Tell = Callable[[Edit], None]


# --- looking ------------------------------------------------------------------------------------------


def stamps(folder: Path) -> Stamps:
    """The files that may belong to an agent, with what tells that one was written again."""
    found: dict[Path, tuple[int, int]] = {}
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if _may_belong(Path(place, name))]
        for name in files:
            path = Path(place, name)
            if path.suffix in KINDS and len(found) < MOST_FILES:
                with contextlib.suppress(OSError):  # gone meanwhile
                    status = path.stat()
                    found[path] = (status.st_mtime_ns, status.st_size)
    return found


def _may_belong(folder: Path) -> bool:
    return not (folder.name.startswith(".") or folder.name in OTHERS or (folder / ENVIRONMENT).exists())


def changed(before: Stamps, now: Stamps, folder: Path) -> tuple[str, ...]:
    """The names of the files that were written, made or deleted."""
    return tuple(sorted(str(path.relative_to(folder)) for path in {*before, *now} if before.get(path) != now.get(path)))


async def _edits(folder: Path, seen: Stamps) -> AsyncIterator[tuple[str, ...]]:
    """Names of files that have changed, when nobody has written for a moment: an editor saves in several steps."""
    while True:
        await asyncio.sleep(EVERY)
        now = await asyncio.to_thread(stamps, folder)
        if now == seen:
            continue
        while now != (later := await _a_moment_later(folder)):
            now = later
        if names := changed(seen, now, folder):
            yield names
        seen = now


async def _a_moment_later(folder: Path) -> Stamps:
    await asyncio.sleep(EVERY / 2)
    return await asyncio.to_thread(stamps, folder)


# --- loading ------------------------------------------------------------------------------------------


def wait_until_it_runs(path: Path, tell: Tell) -> Path:
    """The agent's file, as soon as what is there can be served; its mistakes are told until then."""
    file = agent_file(path)
    told: tuple[Problem, ...] = ()
    while True:
        seen = stamps(file.parent)
        try:
            _load_anew(file)
        except HiloError as error:
            problems = _problems(file, error)
            if problems != told:
                tell(Edit((file.name,), problems=problems))
            told = problems
        else:
            return file
        while stamps(file.parent) == seen:
            time.sleep(EVERY)


def _load_anew(file: Path) -> LoadedAgent:
    """The agent as its files are now, those that its tools import too."""
    with _modules_read_again(file.parent.resolve()):
        loaded = load_agent(file)
        read(loaded.turn.understander, "hola", at=EPOCH)  # what is loaded with the first message is loaded now
        return loaded


@contextmanager
def _modules_read_again(folder: Path) -> Iterator[None]:
    """Forget the Python files of a folder; if something does not run, those that are in use stay known."""
    sys.dont_write_bytecode = True  # it tells two edits within a second apart by their lengths alone
    kept = _modules_of(folder)
    _forget(kept)
    importlib.invalidate_caches()
    try:
        yield
    except BaseException:
        _forget(_modules_of(folder))
        sys.modules.update(kept)
        raise


def _modules_of(folder: Path) -> dict[str, ModuleType]:
    found = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__dict__", {}).get("__file__")
        if isinstance(file, str) and Path(file).resolve().is_relative_to(folder):
            found[name] = module
    return found


def _forget(modules: Mapping[str, ModuleType]) -> None:
    for name in modules:
        sys.modules.pop(name, None)


def _problems(file: Path, error: Exception) -> tuple[Problem, ...]:
    if isinstance(error, FileProblems):
        return error.problems
    what = str(error) if isinstance(error, HiloError) else f"{type(error).__name__}: {error}"
    return (Problem(str(file), 1, 1, what),)


# --- serving ------------------------------------------------------------------------------------------


def following(file: Path, tell: Tell) -> Callable[[Installation, str], AbstractAsyncContextManager[Sequence[str]]]:
    """What `serve_until_stopped` runs beside the gateway: it looks for edits, and serves those that run."""

    @asynccontextmanager
    async def beside(hilo: Installation, _url: str) -> AsyncIterator[Sequence[str]]:
        seen = await asyncio.to_thread(stamps, file.parent)
        [name] = hilo.agents.loaded
        task = asyncio.create_task(_follow(hilo, file, seen, tell))
        try:
            yield (f"Edit {file.parent}: what runs is served at once, and chats with {name} go on with it.",)
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    return beside


async def _follow(hilo: Installation, file: Path, seen: Stamps, tell: Tell) -> None:
    [name] = hilo.agents.loaded
    async for files in _edits(file.parent, seen):
        before = hilo.agents.loaded[name].agent
        try:
            edit = Edit(files, before, await _serve(hilo, file, name))
        except Exception as error:  # noqa: BLE001 -- whatever it is, the last version goes on and the next edit is looked at
            edit = Edit(files, before, problems=_problems(file, error))
        _show_on_page(hilo, name, edit)
        tell(edit)


async def _serve(hilo: Installation, file: Path, name: str) -> Agent:
    """The edited agent, served from now on; raises HiloError when it may not run."""
    edited = await asyncio.to_thread(_load_anew, file)
    if edited.agent.agent != name:
        raise HiloError(f"the agent is called {edited.agent.agent} now: start `hilo dev` again")
    await hilo.agents.replace(edited, WORKSPACE, hilo.clock)
    return edited.agent


def _show_on_page(hilo: Installation, name: str, edit: Edit) -> None:
    """The page of the agent as it is now; mistakes stand below the talk, where an answer is shown as it is written."""
    row, page = hilo.channels.given[f"web-{name}"]
    if not isinstance(page, WebChat):
        return
    if edit.after:
        page = replace(web_chat(edit.after), listeners=page.listeners)
        hilo.channels.add(row, page)
    for visitor in tuple(page.listeners):
        page.show_draft(Address(row.id, visitor), "\n".join(f"⚠ {each}" for each in edit.problems))
