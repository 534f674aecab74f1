"""`hilo prompt`: exactly what a model would be sent, and how long it is."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text as Line

from hilo.app import LoadedAgent, load_agent, new_session
from hilo.app.models import adapter
from hilo.clock import SystemClock
from hilo.dialogue.session import Session
from hilo.errors import HiloError
from hilo.llm.anthropic import written
from hilo.llm.configuration import read_configuration
from hilo.llm.model import ModelError, Request, TextPart
from hilo.llm.prices import estimated_input
from hilo.settings import read_settings
from hilo.turn.model_requests.prompts import Part, prompt
from hilo.turn.model_requests.requests import Asked, generator_request, loop_messages, loop_request, router_request
from hilo.turn.model_requests.talk import Talk

PARTS = ("router", "loop", "generator")


@click.command("prompt")
@click.argument("path", metavar="AGENT", type=click.Path(path_type=Path))
@click.option("--mode", default="", metavar="MODE", help="The mode that the session is in; default: the first.")
@click.option("--part", type=click.Choice(PARTS), help="Which request; default: what the agent uses.")
@click.option("--message", default="hola", show_default=True, metavar="TEXT", help="What the contact has written.")
@click.option("--json", "as_json", is_flag=True, help="The body of the request, as Anthropic's API takes it.")
def command(path: Path, mode: str, part: Part | None, message: str, as_json: bool) -> None:
    """Print what a model would be asked about a message, with its number of tokens."""
    loaded = load_agent(path)
    if mode and mode not in loaded.agent.modes:
        raise HiloError(f"there is no mode {mode}; there are: {', '.join(loaded.agent.modes) or 'none'}")
    if loaded.agent.asks_by == "off" and part is None:
        raise HiloError(f"{loaded.agent.agent} asks no model (`model: off`); name a --part to see it all the same")
    chosen: Part = part or ("loop" if loaded.agent.asks_by == "loop" else "router")
    request = _request(loaded, _session(loaded, mode), chosen, message)
    console = Console(highlight=False, soft_wrap=True)
    if as_json:
        console.print(json.dumps(written(request), ensure_ascii=False, indent=2), markup=False)
        return
    for line in _lines(request, chosen):
        console.print(line)
    console.print(Line(_size(request), "bold"))


def _session(loaded: LoadedAgent, mode: str) -> Session:
    session = new_session(loaded.agent, session_id="prompt", at=SystemClock().now())
    return replace(session, mode=mode) if mode else session


def _request(loaded: LoadedAgent, session: Session, part: Part, message: str) -> Request:
    asked = Asked(loaded.agent, session, Talk(), message, SystemClock().now())
    if part == "loop":
        return loop_request(loaded.agent, session, loop_messages(asked), tools=loaded.turn.tools)
    return generator_request(asked, ()) if part == "generator" else router_request(asked)


def _lines(request: Request, part: Part) -> Iterator[Line]:
    yield Line(f"system — {part}, version {prompt(part).version}, to the {request.tier} model", "bold cyan")
    yield Line(request.system)
    for offer in request.tools:
        yield Line(f"\ntool — {offer.name}", "bold cyan")
        yield Line(offer.description)
        yield Line(json.dumps(offer.schema, ensure_ascii=False), "dim")
    if request.output is not None:
        yield Line("\nshape of the answer", "bold cyan")
        yield Line(json.dumps(request.output, ensure_ascii=False), "dim")
    for message in request.messages:
        yield Line(f"\n{message.role}", "bold cyan")
        yield from (Line(each.text) for each in message.parts if isinstance(each, TextPart))
    yield Line("")


def _size(request: Request) -> str:
    """As the provider counts where there is one to ask, otherwise estimated."""
    settings = read_settings()
    model = adapter(settings, read_configuration(settings.models_file))
    guess = f"about {estimated_input(request):,} tokens at most (estimated"
    if model is None:
        return f"{guess}; with a key the provider counts them)"

    async def count() -> int:
        try:
            return await model.count(request)
        finally:
            await model.aclose()

    try:
        return f"{asyncio.run(count()):,} tokens, as the provider counts them"
    except ModelError as error:
        return f"{guess}; the provider did not count them: {error})"
