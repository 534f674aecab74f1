"""Finding an agent on disk and making everything that runs it."""

import contextlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from traceback import TracebackException
from types import ModuleType

from hilo.agent.answerable import answerable
from hilo.agent.declaration import Agent
from hilo.agent.documents import MOST_SECTIONS
from hilo.agent.folder_texts import FolderTexts, from_json, version_with, with_folder_texts
from hilo.agent.parse import parse
from hilo.agent.source import read_source
from hilo.app.folder_texts import read_folder_texts, read_text
from hilo.dialogue.session import Session
from hilo.dialogue.synthesis import opened
from hilo.errors import FileProblems, HiloError, Problem
from hilo.settings import read_secret, read_settings
from hilo.store.files import keep_file
from hilo.store.own_sql import OwnSql
from hilo.store.own_tables import read_own_sql
from hilo.store.registry import Version
from hilo.tools.addresses import Network
from hilo.tools.tool import Tool
from hilo.turn.foreign_graphs import HINT, GraphNode, is_graph
from hilo.turn.run import Turn
from hilo.turn.state import CustomFunction
from hilo.understanding.knowledge.index import KnowledgeIndex
from hilo.understanding.reading import IntentRanker, intent_examples, standard_likes

AGENT_FILE = "agent.yaml"
TOOLS_FILE = "tools.py"
_NAMED = re.compile(r"^agent:[ ]*([a-z0-9_]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LoadedAgent:
    """An agent, where it was found, its text, its turn, what it has of its own in the database, what lay beside it."""

    agent: Agent
    file: Path
    source: str
    turn: Turn
    own: OwnSql | None = None
    folder_texts: FolderTexts = field(default_factory=FolderTexts)


def agent_file(path: Path) -> Path:
    """The agent file that a path names: itself, or `agent.yaml` in a folder."""
    file = path / AGENT_FILE if path.is_dir() else path
    if not file.is_file():
        raise HiloError(f"there is no agent at {path}: {_hint(path)}")
    return file


def _hint(path: Path) -> str:
    """What may have been meant by a path at which there is no agent."""
    if path.is_dir():
        below = sorted(file.parent.name for file in path.glob(f"*/{AGENT_FILE}"))
        if below:
            return f"its folders have some; give one of them, such as {path / below[0]}"
        if files := sorted(path.glob("*.yaml")):
            return f"an agent's folder has an {AGENT_FILE}; is it {files[0]}?"
    return f"give a folder with an {AGENT_FILE}, or a YAML file; `hilo new NAME` makes one to begin with"


def load_agent(path: Path | str) -> LoadedAgent:
    """Read, check and prepare an agent; raises FileProblems when it may not run."""
    file = agent_file(Path(path))
    return prepare(read_text(file), file)


def prepare(source: str, file: Path) -> LoadedAgent:
    """An agent from its text and what lies beside its file."""
    python = load_tools(file.parent / TOOLS_FILE)
    agent, folder_texts = read_declared(source, file, python)
    return _made(agent, file, source, python, folder_texts)


def prepare_kept(kept: Version, file: Path) -> LoadedAgent:
    """A version as it was published, with the tools that are beside the file now.

    A version from before they were kept is answered from those of now.
    """
    python = load_tools(file.parent / TOOLS_FILE)
    agent = parse(kept.source, file=str(file), toolbox={name: each.spec for name, each in python.items()})
    folder_texts = from_json(kept.folder_texts) or read_folder_texts(agent, file, kept.source)
    agent = replace(with_folder_texts(agent, folder_texts, folder=str(file.parent)), version=kept.version)
    return _made(agent, file, kept.source, python, folder_texts)


def read_declared(source: str, file: Path, tools: Mapping[str, Tool]) -> tuple[Agent, FolderTexts]:
    """The agent that a file and what lies beside it declare, with nothing yet that runs it."""
    agent = parse(source, file=str(file), toolbox={name: each.spec for name, each in tools.items()})
    folder_texts = read_folder_texts(agent, file, source)
    agent = with_folder_texts(agent, folder_texts, folder=str(file.parent))
    _check_sections(agent, file, source)
    return replace(agent, version=version_with(agent.version, folder_texts)), folder_texts


def _made(agent: Agent, file: Path, source: str, python: Mapping[str, Tool], folder_texts: FolderTexts) -> LoadedAgent:
    tools, knowledge = {**_http(agent), **python}, _knowledge(agent)
    custom = _custom_nodes(agent, file, source)
    turn = Turn(agent, custom=custom, intents=_intents(agent), tools=tools, knowledge=knowledge)
    own = read_own_sql(_owner(agent, file), file.parent, kept=read_settings().cache / "sql")
    return LoadedAgent(agent, file, source, turn, own, folder_texts)


def _check_sections(agent: Agent, file: Path, source: str) -> None:
    if len(agent.documents) > MOST_SECTIONS:
        hint = f"name fewer pages, or shorten them: at most {MOST_SECTIONS}"
        place = read_source(source, file=str(file))
        raise FileProblems((place.problem(("knowledge",), f"the pages have {len(agent.documents)} sections", hint),))


def _owner(agent: Agent, file: Path) -> str:
    """Under which name the tables beside a file are kept: files that share a folder share its agent's."""
    main = file.parent / AGENT_FILE
    named = _NAMED.search(read_text(main)) if main.is_file() and main != file else None
    return named[1] if named else agent.agent


def _http(agent: Agent) -> dict[str, Tool]:
    """The requests that an agent declares as tools."""
    if not agent.tools.http:
        return {}
    from hilo.tools.http import http_tools  # noqa: PLC0415 -- only agents that make requests pay for it

    return http_tools(agent.tools.http, network=Network(read_settings().private_hosts), secret=read_secret)


async def connected(loaded: LoadedAgent, stack: AsyncExitStack) -> LoadedAgent:
    """The agent with the tools of its MCP servers, which live as long as the stack."""
    if not loaded.agent.tools.mcp:
        return loaded
    from hilo.tools.mcp import Surroundings, mcp_tools  # noqa: PLC0415 -- an extra

    surroundings = Surroundings(loaded.file.parent, Network(read_settings().private_hosts), read_secret)
    found = await stack.enter_async_context(mcp_tools(loaded.agent.tools.mcp, surroundings))
    toolbox = {**loaded.agent.toolbox, **{name: tool.spec for name, tool in found.items()}}
    agent = replace(loaded.agent, toolbox=toolbox)
    turn = replace(loaded.turn, agent=agent, tools={**loaded.turn.tools, **found})
    return replace(loaded, agent=agent, turn=turn)


def load_tools(file: Path) -> dict[str, Tool]:
    """The tools of the Python file beside an agent, if there is one."""
    module = vars(_module(file)) if file.is_file() else {}
    return {each.spec.name: each for each in module.values() if isinstance(each, Tool)}


def new_session(agent: Agent, *, session_id: str, at: datetime) -> Session:
    """A session of a contact who was never here before."""
    return opened(agent, session_id=session_id, at=at)


def _intents(agent: Agent) -> IntentRanker | None:
    """The intent model of an agent that has examples or standard intents; others do without."""
    examples, like = intent_examples(agent), standard_likes(agent)
    if not examples:
        return None
    from hilo.understanding.intents.encoder import load_encoder, map_weights_from  # noqa: PLC0415 -- only agents with examples pay for it
    from hilo.understanding.intents.model import examples_digest, from_bytes, to_bytes, train  # noqa: PLC0415

    cache = read_settings().cache
    map_weights_from(cache / "encoder")
    encoder = load_encoder()
    digest = examples_digest(examples, encoder.name if encoder else "", like)
    kept = cache / "intents" / f"{digest}.npz"
    with contextlib.suppress(OSError, ValueError, KeyError):  # not there, or not readable: it is made again
        return from_bytes(kept.read_bytes(), encoder=encoder)
    model = train(examples, encoder=encoder, like=like)
    keep_file(kept, to_bytes(model))
    return model


def _knowledge(agent: Agent) -> KnowledgeIndex | None:
    """The index of an agent's pages, if it has any; what takes time to make is kept."""
    sections = answerable(agent)
    if not sections:
        return None
    from hilo.understanding.intents.encoder import load_encoder, map_weights_from  # noqa: PLC0415 -- as for intents
    from hilo.understanding.knowledge import index  # noqa: PLC0415

    cache = read_settings().cache
    map_weights_from(cache / "encoder")
    encoder, language = load_encoder(), agent.language
    digest = index.index_digest(sections, encoder.name if encoder else "", language)
    kept = cache / "knowledge" / f"{digest}.npz"
    with contextlib.suppress(OSError, ValueError, KeyError):  # not there, or not readable: it is made again
        return index.from_bytes(kept.read_bytes(), sections, encoder=encoder, language=language)
    made = index.make_index(sections, encoder=encoder, language=language)
    keep_file(kept, index.to_bytes(made))
    return made


def _custom_nodes(agent: Agent, file: Path, source: str) -> dict[str, CustomFunction]:
    """The author's functions and graphs; raises FileProblems that say which entry of the file needs what."""
    found: dict[str, CustomFunction] = {}
    problems: list[Problem] = []
    for number, declared in enumerate(agent.nodes):
        try:
            found[declared.name] = _function(declared.node, file)
        except HiloError as error:
            what, _, hint = str(error).partition(": write ")
            place = read_source(source, file=str(file))
            told = place.problem(("nodes", number, "node"), what, f"write {hint}" if hint else "")
            problems.append(told)
    if problems:
        raise FileProblems(tuple(problems))
    return found


def _function(reference: str, file: Path) -> CustomFunction:
    """The function or the graph that `nodes.py:score` names, from the agent's own folder."""
    where, _, name = reference.partition(":")
    source = file.parent / where
    if not source.is_file():
        raise HiloError(f"the node `{reference}` needs the file {source}, which is not there")
    function = getattr(_module(source), name, None)
    if is_graph(function):
        node = GraphNode(function)
        if problem := node.problem():
            raise HiloError(f"{source}: `{name}`: {problem}; {HINT}")
        return node
    if not callable(function):
        raise HiloError(f"there is no function `{name}` in {source}")
    _check_node(function, name, source)
    return function  # type: ignore[no-any-return]


def _check_node(function: Callable[..., object], name: str, source: Path) -> None:
    """A node that takes something else than a turn has would fail in every turn."""
    where = f"{source}:{function.__code__.co_firstlineno}" if inspect.isfunction(function) else str(source)
    hint = f"write `async def {name}(state)` or `async def {name}(state, tools)`, which returns a tuple of commands"
    taken = inspect.signature(function).parameters.values()
    plain = [each for each in taken if each.kind is each.POSITIONAL_OR_KEYWORD]
    if len(plain) != len(taken) or len(plain) not in {1, 2}:
        raise HiloError(f"{where}: the node `{name}` takes the turn's state and perhaps its tools: {hint}")
    if len(plain) > 1 and not inspect.iscoroutinefunction(function):
        raise HiloError(f"{where}: the node `{name}` takes tools, which are awaited, and is not async: {hint}")


def _mistake(source: Path, error: BaseException) -> Problem:
    """Where a Python file of an agent does not run: its own line, not that of a library that it called."""
    folder, found = source.parent.resolve(), (source, 1, 1)
    for frame in TracebackException.from_exception(error).stack:
        file = Path(frame.filename)
        if file.is_relative_to(folder):
            found = (source.parent / file.relative_to(folder), frame.lineno or 1, (frame.colno or 0) + 1)
    what = f"{type(error).__name__}: {error}"
    if isinstance(error, SyntaxError) and error.filename:
        found = (source.parent / Path(error.filename).name, error.lineno or 1, error.offset or 1)
        what = f"{type(error).__name__}: {error.msg}"
    file, line, column = found
    return Problem(str(file), line, column, f"does not run: {what}")


def _module(source: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"hilo_agent_{source.parent.name}_{source.stem}", source)
    if spec is None or spec.loader is None:
        raise HiloError(f"{source} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and annotations look themselves up there
    sys.path.insert(0, str(source.parent))  # what stands beside it can be imported
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # a script's `sys.exit()` must not end who loads it
        raise FileProblems((_mistake(source, error),)) from error
    finally:
        sys.path.remove(str(source.parent))
    return module
