"""`hilo chat`: talk to an agent in the terminal, and look behind each of its turns."""

import asyncio
import copy
import sys
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.text import Text

from hilo.agent.shorthand import read_duration
from hilo.app import load_agent
from hilo.cli.asking import Terminal, Voice, plain
from hilo.cli.explain import explain, show_session
from hilo.clock import SystemClock
from hilo.errors import HiloError
from hilo.llm.turn_budget import ConfiguredModel
from hilo.messages import Button
from hilo.settings import Settings, read_settings
from hilo.testing.clock import FakeClock
from hilo.testing.conversation import Conversation
from hilo.testing.script import Recording
from hilo.turn.run import TurnResult

HELP = """\
  /why            how the last turn came about
  /state          where the session stands
  /undo           take the last message back
  /after 31m      let time pass, and see what timers do
  /operator       take the session over as an operator; /release gives it back
  /save [FILE]    keep this talk as a conversation test
  /quit           leave (so do Ctrl-D and Ctrl-C)"""


@click.command("chat")
@click.argument("path", metavar="AGENT", type=click.Path(path_type=Path))
@click.option("--engine", type=click.Choice(["walk", "langgraph"]), help="how turns run (default: what fits the agent)")
def command(path: Path, engine: Any) -> None:
    """Talk to the agent in a folder or a YAML file."""
    loaded = load_agent(path)
    talk = Conversation(loaded, clock=FakeClock(SystemClock().now()), engine=engine)
    model = _model(read_settings()) if talk.agent.asks_by != "off" else None
    asyncio.run(_chat(TerminalChat(talk, loaded.file), model))


def _model(settings: Settings) -> ConfiguredModel | None:
    """Who asks no model does not wait for what models need."""
    if not (settings.model_key or settings.anthropic_key or settings.model_url or settings.models_file):
        return None
    from hilo.app.models import open_model  # noqa: PLC0415

    return open_model(settings)


async def _chat(chat: "TerminalChat", model: ConfiguredModel | None) -> None:
    """With a model, where there is one."""
    if model is None:
        await chat.run()
        return
    chat.voice = Voice(model, chat.conversation, Terminal(chat.console))
    chat.conversation.asking = chat.voice.asking
    try:
        await chat.run()
    finally:
        await chat.voice.aclose()


class TerminalChat:
    """One talk in one terminal."""

    def __init__(self, conversation: Conversation, agent_file: Path) -> None:
        self.conversation = conversation
        self.agent_file = agent_file
        self.console = Console(highlight=False)
        self.voice: Voice | None = None
        self.recording = Recording()
        self.buttons: tuple[Button, ...] = ()
        self.last: TurnResult | None = None
        self.shift = timedelta()
        self.before: list[dict[str, Any]] = []
        self.commands: dict[str, Callable[[str], Awaitable[None]]] = {
            "/why": self.why,
            "/state": self.state,
            "/undo": self.undo,
            "/after": self.after,
            "/operator": self.operator,
            "/release": self.release,
            "/save": self.save,
            "/help": self.help,
        }

    async def run(self) -> None:
        """Read and answer until the person leaves."""
        agent = self.conversation.agent
        who = f"with {self.voice.name}" if self.voice else "embedded understander"
        self.console.print(f"[bold]{escape(agent.agent)}[/] ({escape(who)}) [dim]{escape(agent.description)}[/]")
        self.console.print("[dim]Write as a contact would. /help shows what else you can do.[/]")
        while (line := await asyncio.to_thread(self._read)) is not None:
            if line in {"/quit", "/exit"}:
                break
            try:
                await self._take(line)
            except HiloError as error:
                self._clear()
                self.console.print(f"[red]{escape(str(error))}[/]")

    def _read(self) -> str | None:
        prompt = "\n\x01\033[1;32m\x02› \x01\033[0m\x02" if sys.stdin.isatty() else ""
        try:
            return input(prompt)
        except (EOFError, KeyboardInterrupt):
            return None
        except UnicodeDecodeError:
            return "\ufffd"

    async def _take(self, line: str) -> None:
        name, _, rest = line.strip().partition(" ")
        if name in self.commands:
            await self.commands[name](rest.strip())
        elif name.startswith("/"):
            self.console.print(f"[red]There is no command {escape(name)}; /help lists them.[/]")
        else:
            await self._say(line)

    async def _say(self, line: str) -> None:
        self._remember()
        await self._let_time_pass()
        number = line.strip()
        if number.isascii() and number.isdigit() and 1 <= int(number) <= len(self.buttons):
            button = self.buttons[int(number) - 1]
            self._show(await self.conversation.press(button.payload), press=button.payload)
        else:
            self._show(await self.conversation.say(line), contact=line)

    def _remember(self) -> None:
        kept = {key: copy.copy(value) for key, value in vars(self.conversation).items() if key != "clock"}
        own = {"buttons": self.buttons, "last": self.last, "steps": len(self.recording.steps), "shift": self.shift}
        self.before.append({"conversation": kept, **own})

    async def _let_time_pass(self) -> None:
        """Timers that fell due while the person was thinking, or in the time that /after skipped."""
        now = SystemClock().now() + self.shift
        if any(at <= now for at in self.conversation.timers.values()):
            for result in await self.conversation.wait_until(now):
                self._show(result)
        self.conversation.clock.time = now

    def _clear(self) -> None:
        if self.voice:
            self.voice.clear()

    def _show(self, result: TurnResult, **action: str) -> None:
        self._clear()
        self.last = result
        self.recording.add(result, **action)
        self.buttons = tuple(button for reply in result.replies for button in reply.buttons)
        for reply in result.replies:
            self.console.print(Padding(Text(plain(reply.text), style="cyan"), (0, 0, 0, 2)))
        for number, button in enumerate(self.buttons, 1):
            self.console.print(f"  [bold]{number}[/] {escape(button.title)}")
        if not result.replies:
            self.console.print("  [dim](no reply)[/]")
        if result.session.holder == "operator":
            why = f" ({result.trace.policy}: {result.trace.reason})" if result.trace.policy else ""
            self.console.print(f"  [yellow]A person has the session now{escape(why)}. /release gives it back.[/]")

    # --- what one can do besides writing ----------------------------------------------------------------

    async def help(self, _rest: str) -> None:
        """List the commands."""
        self.console.print(HELP, markup=False)

    async def why(self, _rest: str) -> None:
        """Show the trace of the last turn."""
        self.console.print(explain(self.last.trace) if self.last else "[dim]Nothing has happened yet.[/]")

    async def state(self, _rest: str) -> None:
        """Show the session."""
        self.console.print(show_session(self.conversation.agent, self.conversation.session))

    async def undo(self, _rest: str) -> None:
        """Go back to before the last message."""
        if not self.before:
            self.console.print("[dim]There is nothing to take back.[/]")
            return
        before = self.before.pop()
        vars(self.conversation).update(before["conversation"])
        self.buttons, self.last, self.shift = before["buttons"], before["last"], before["shift"]
        del self.recording.steps[before["steps"] :]
        self.console.print("[dim]Taken back.[/]")

    async def after(self, rest: str) -> None:
        """Let time pass."""
        try:
            duration: timedelta = read_duration(rest)
        except ValueError as error:
            raise HiloError(f"the time {error}") from None
        self._remember()
        self.shift += duration
        self.recording.wait(rest)
        await self._let_time_pass()
        self.console.print(f"[dim]It is {self.conversation.clock.now():%H:%M} UTC now.[/]")

    async def operator(self, _rest: str) -> None:
        """Take the session over."""
        self._remember()
        self._show(await self.conversation.operator_takes_over(), operator="takes over")

    async def release(self, _rest: str) -> None:
        """Give the session back to the agent."""
        self._remember()
        self._show(await self.conversation.release(), operator="releases")

    async def save(self, rest: str) -> None:
        """Write the talk as a conversation test."""
        beside = self.agent_file.parent / "conversations"
        file = Path(rest) if rest else beside / f"saved_{len(self.recording.steps)}_steps.yaml"
        if file.exists():
            raise HiloError(f"{file} is already there; give another name: /save FILE")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            agent = "" if file.parent == beside else str(self.agent_file.resolve())
            file.write_text(self.recording.as_yaml(file.stem.replace("_", " "), agent=agent), encoding="utf-8")
        except OSError as error:
            raise HiloError(f"{file} cannot be written: {error.strerror}") from None
        self.console.print(f"[green]Saved.[/] Run it with: hilo test {escape(str(file))}")
        if self.voice:
            self.console.print("[dim]Tests ask no model: add what it shall answer, or take its steps out.[/]")
