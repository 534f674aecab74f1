"""An agent and its installation for other programs, over MCP: talk to it, and see to its handoffs."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from hilo.app.handoff_acts import GivingBack, HandoffActs
from hilo.app.installation import WORKSPACE, Installation, Options, installation
from hilo.app.running import open_web_chats
from hilo.errors import HiloError, install
from hilo.ids import new_id
from hilo.messages import Address, Button, Inbound, Outbound
from hilo.settings import read_settings
from hilo.store.api import NotSpoken, Words
from hilo.store.chat import ChatLine, ChatVisit, chat_page, message_key
from hilo.store.handoffs import StoredHandoff, list_handoffs, plain_handoff
from hilo.store.work import is_idle

try:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ModuleNotFoundError as error:
    raise HiloError(f"`hilo mcp` needs an extra: {install('mcp')} ({error})") from None

T = TypeVar("T")

PATIENCE = 90.0  # seconds for an answer
LOOK = 0.05
MAX_TEXT = 4000  # characters of one message
MOST = 50

INSTRUCTIONS = (
    "Hilo runs agents that talk with the contacts of a business. `talk` writes to an agent as a contact: use one name "
    "of `contact` for one conversation. When an agent hands off, it is silent until somebody releases the handoff: "
    "`handoffs` lists who waits, `take` makes you the one who answers, `say` writes to the contact, and `release` "
    "gives the conversation back to the agent."
)


@asynccontextmanager
async def opened(agents: Sequence[Path]) -> AsyncIterator["Offered"]:
    """The installation with its workers, for as long as a program is connected."""
    options = Options(burst=timedelta())  # a program writes whole messages
    async with installation(read_settings(), agents, options=options) as hilo:
        await open_web_chats(hilo)
        await hilo.runtime.start()
        try:
            yield Offered(hilo)
        finally:
            await hilo.runtime.stop()


async def serve_mcp(agents: Sequence[Path]) -> None:
    """Over stdin and stdout, until they are closed."""
    async with opened(agents) as offered:
        await server_of(offered).run_stdio_async()


@dataclass
class Offered:
    """What other programs may do."""

    hilo: Installation

    @property
    def names(self) -> list[str]:
        """The agents that are here."""
        return list(self.hilo.agents.loaded)

    @property
    def acts(self) -> HandoffActs:
        """What may be done to handoffs."""
        return HandoffActs(self.hilo.intake, WORKSPACE)

    async def talk(self, message: str, contact: str, agent: str, button: str) -> dict[str, Any]:
        """What the agent answers to a contact."""
        if not (message.strip() or button) or len(message) > MAX_TEXT:
            raise HiloError(f"a message has 1 to {MAX_TEXT} characters")
        visit = ChatVisit(self._channel(agent), _visitor(contact))
        before = await self._lines(visit)
        pressed = _pressed(before, button) if button else Button("", message)
        last = max((line.number for line in before if line.by != "contact"), default=0)
        await self._write(visit, pressed)
        lines = [line for line in await self._lines(visit) if line.by != "contact" and line.number > last]
        replies = [_plain(line) for line in lines]
        said = {"replies": replies, "contact": contact}
        return said if replies else {**said, "note": "no reply: a person has the conversation, or the agent is paused"}

    async def _write(self, visit: ChatVisit, pressed: Button) -> None:
        once = message_key(visit.visitor, new_id("m").rpartition("_")[2])
        sender = Address(visit.channel, visit.visitor)
        inbound = Inbound(once, sender, pressed.title, self._now(), payload=pressed.payload)
        [queued] = await self.hilo.intake.messages(visit.channel, [inbound])
        await self._settled(queued.address)

    async def handoffs(self, *, everything: bool) -> list[dict[str, Any]]:
        """Who waits, or waited."""
        status: Any = "" if everything else "open"
        found = await self.hilo.store.run(list_handoffs, WORKSPACE, status, at_most=MOST)
        return [_handoff(each) for each in found]

    async def handoff(self, which: str) -> dict[str, Any]:
        """One with all that a person has to know."""
        found = await self.acts.find(which)
        return {**_handoff(found), "context": dict(found.context)}

    async def say(self, which: str, text: str, operator: str) -> dict[str, Any]:
        """An operator's words."""
        found = await self.acts.find(which)
        words = Words(WORKSPACE, found.session, new_id("said"), Outbound(text), operator)
        spoken = await self.hilo.intake.words(words)
        if isinstance(spoken, NotSpoken):
            raise HiloError(f"nothing was said: {spoken.why}; take the handoff first")
        await self._settled(spoken.address)
        return {"said": text}

    async def take(self, which: str, operator: str) -> dict[str, Any]:
        """The handoff, taken."""
        found = await self.acts.find(which)
        await self.acts.take(found, operator=operator)
        return await self._after(found)

    async def release(self, which: str, back: GivingBack, operator: str) -> dict[str, Any]:
        """The handoff, which is over."""
        found = await self.acts.find(which)
        await self.acts.release(found, back, operator=operator)
        return await self._after(found)

    async def _after(self, found: StoredHandoff) -> dict[str, Any]:
        """The handoff when the session has had its turn."""
        for _ in range(int(PATIENCE / LOOK)):
            now = await self.acts.find(found.id)
            if now.status != found.status or not found.session:
                return _handoff(now)
            await asyncio.sleep(LOOK)
        raise HiloError(f"the session of {found.id} has not had its turn in {PATIENCE:g} s: do workers run?")

    async def _settled(self, address: str) -> None:
        for _ in range(int(PATIENCE / LOOK)):
            if await self.hilo.store.run(is_idle, address):
                return
            await asyncio.sleep(LOOK)
        raise HiloError(f"no answer in {PATIENCE:g} s; it may still come: ask again with `talk` later")

    async def _lines(self, visit: ChatVisit) -> Sequence[ChatLine]:
        page = await self.hilo.store.run(chat_page, visit, now=self._now())
        return page.lines

    def _channel(self, agent: str) -> str:
        if agent and agent not in self.names:
            raise HiloError(f"there is no agent {agent}; there are: {', '.join(self.names)}")
        return f"web-{agent or self.names[0]}"

    def _now(self) -> datetime:
        return self.hilo.clock.now()


def _visitor(contact: str) -> str:
    """An address that no browser can have: theirs are hashes of secrets of their own."""
    return hashlib.sha256(f"mcp:{contact}".encode()).hexdigest()[:32]


def _pressed(lines: Sequence[ChatLine], wanted: str) -> Button:
    offered = [button for line in reversed(lines) for button in line.buttons]
    for button in offered:
        if wanted in (button.title, button.payload):
            return button
    titles = ", ".join(dict.fromkeys(button.title for button in offered))
    raise HiloError(f"there is no button {wanted}; offered were: {titles or 'none'}")


def _plain(line: ChatLine) -> dict[str, Any]:
    plain: dict[str, Any] = {"by": line.by, "text": line.text}
    if line.buttons:
        plain["buttons"] = [button.title for button in line.buttons]
    if line.attachment:
        plain["attachment"] = asdict(line.attachment)
    return plain


def _handoff(found: StoredHandoff) -> dict[str, Any]:
    plain = {name: value for name, value in plain_handoff(found).items() if name != "context"}
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in plain.items()}


# --- as tools ---------------------------------------------------------------------------------------------


def server_of(offered: Offered) -> MCPServer[Any]:
    """The server: a tool for each thing that may be done. What goes wrong is said in a sentence."""
    server: MCPServer[Any] = MCPServer("hilo", instructions=INSTRUCTIONS, log_level="WARNING")

    @server.tool()
    async def agents() -> dict[str, Any]:
        """The agents that can be talked to, and what each is for."""
        loaded = offered.hilo.agents.loaded
        return {"agents": [{"name": name, "about": each.agent.description} for name, each in loaded.items()]}

    @server.tool()
    async def talk(message: str = "", contact: str = "mcp", agent: str = "", button: str = "") -> dict[str, Any]:
        """Write to an agent as a contact, or press a button of its last messages by its title; returns its replies."""
        return await _said(offered.talk(message, contact, agent, button))

    @server.tool()
    async def handoffs(everything: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002 -- an argument of a tool
        """List who waits for a person, the longest first; with `everything` also those that are over."""
        return {"handoffs": await _said(offered.handoffs(everything=everything))}

    @server.tool()
    async def handoff(handoff: str) -> dict[str, Any]:
        """Show one handoff with its reason, what is known of the contact and the last messages."""
        return await _said(offered.handoff(handoff))

    @server.tool()
    async def take(handoff: str, operator: str = "mcp") -> dict[str, Any]:
        """Take a handoff, and its session: the agent is silent until it is released."""
        return await _said(offered.take(handoff, operator))

    @server.tool()
    async def say(handoff: str, text: str, operator: str = "mcp") -> dict[str, Any]:
        """Write to the contact of a handoff that was taken."""
        return await _said(offered.say(handoff, text, operator))

    @server.tool()
    async def release(
        handoff: str, message: str = "", mode: str = "", resolution: str = "", operator: str = "mcp"
    ) -> dict[str, Any]:
        """End a handoff: the agent answers again, perhaps with a message to the contact and in another mode."""
        back = GivingBack(mode=mode, message=message, resolution=resolution)
        return await _said(offered.release(handoff, back, operator))

    return server


async def _said(doing: Awaitable[T]) -> T:
    """An error of ours is a sentence for whoever asked, and none of the server's."""
    try:
        return await doing
    except HiloError as error:
        raise ToolError(str(error)) from None
