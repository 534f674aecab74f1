"""A conversation in memory: a session, a clock that obeys, the timers it waits for and what was said."""

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from hilo.agent.declaration import Agent
from hilo.agent.shorthand import Declared, show_duration
from hilo.agent.values import Value
from hilo.app import LoadedAgent, load_agent, new_session
from hilo.clock import SystemClock
from hilo.dialogue.campaigns import why_busy
from hilo.dialogue.effects import CancelTimer, SetTimer
from hilo.dialogue.events import (
    CampaignReached,
    Closed,
    Event,
    MessageReceived,
    OperatorCalled,
    OperatorTookOver,
    Paused,
    Released,
    Resumed,
    TimerFired,
)
from hilo.dialogue.session import WINDOW, Session, quiet_since
from hilo.dialogue.synthesis import opened, synthesise
from hilo.errors import HiloError
from hilo.messages import Button
from hilo.recognisers.normalise import fold
from hilo.store.own_sql import OwnSql
from hilo.store.own_tables import OwnDatabase, memory_store
from hilo.store.sqlite import MemoryStore
from hilo.testing.clock import FakeClock
from hilo.tools.given import Contact, Given
from hilo.tools.tool import Tool, ToolFailed
from hilo.turn.model_requests.talk import Exchange
from hilo.turn.run import Engine, Turn, TurnResult
from hilo.turn.state import Asking
from hilo.turn.trace import Trace

CONTACT = Contact("main", "contact", "test", "contact", "conversation")

Who = Literal["contact", "agent", "operator", "timer", "time", "campaign"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the transcript. The trace stands at what began the turn, not at the replies to it."""

    who: Who
    text: str
    at: datetime
    buttons: tuple[Button, ...] = ()
    trace: Trace | None = None


class NoSuchButton(HiloError):  # noqa: N818 -- it names what happened
    """A button was pressed that was never offered."""


@dataclass(frozen=True, kw_only=True)
class Stub(Declared):
    """What a tool does instead of its work: gives these outputs, or fails after so many calls that do not.

    With `breaks` it breaks off, perhaps with its work done.
    """

    error: str = ""
    after: int = 0
    breaks: bool = False
    gives: Mapping[str, Any] | None = None


@dataclass
class Conversation:
    """One contact with one agent, without a database or a channel. A turn is in force as soon as it has run.

    A turn by itself will do for an agent, where that has no tables of its own.
    """

    of: InitVar[LoadedAgent | Turn]
    clock: FakeClock = field(default_factory=FakeClock)
    engine: Engine | None = None
    stubs: Mapping[str, Stub] = field(default_factory=dict)
    asking: Callable[[], Asking] | None = None  # what a turn may ask a model with
    phone: str = ""  # that the contact writes from, as on WhatsApp
    turn: Turn = field(init=False)
    own: OwnSql | None = field(default=None, init=False)
    session: Session = field(init=False)
    timers: dict[str, datetime] = field(default_factory=dict, init=False)
    transcript: list[Entry] = field(default_factory=list, init=False)
    exchanges: list[Exchange] = field(default_factory=list, init=False)
    tables: MemoryStore | None = field(default=None, init=False)

    def __post_init__(self, of: LoadedAgent | Turn) -> None:
        if isinstance(of, LoadedAgent):
            self.turn, self.own = of.turn, of.own
        else:
            self.turn = of
        self.session = new_session(self.agent, session_id="conversation", at=self.clock.now())
        self.tables = memory_store(self.own) if self.own else None

    @property
    def agent(self) -> Agent:
        """Who answers."""
        return self.turn.agent

    @property
    def replies(self) -> tuple[Entry, ...]:
        """What the agent has said so far."""
        return tuple(entry for entry in self.transcript if entry.who == "agent")

    async def say(self, text: str, *more: str, early: bool = False) -> TurnResult:
        """The contact writes, perhaps several messages in a burst; `early` when our last question has not arrived."""
        await self._begin_anew_if_over()
        first, *then = [MessageReceived(self.clock.now(), each, early=early) for each in (text, *more)]
        return await self._run("contact", "\n".join((text, *more)), first, then)

    async def press(self, button: str) -> TurnResult:
        """The contact presses a button, named by its payload or title; an older message's button may be pressed too."""
        pressed = self._button(button)
        await self._begin_anew_if_over()
        return await self._run(
            "contact", pressed.title, MessageReceived(self.clock.now(), pressed.title, payload=pressed.payload)
        )

    async def wait(self, duration: timedelta) -> tuple[TurnResult, ...]:
        """Time passes; timers that fall due meanwhile fire in order, each at its own time."""
        now = self.clock.now()
        return await self.wait_until((now.astimezone(UTC) + duration).astimezone(now.tzinfo))

    async def wait_until(self, moment: datetime) -> tuple[TurnResult, ...]:
        """The same, up to a moment."""
        waited = _instant(moment) - _instant(self.clock.now())
        self.transcript.append(Entry("time", show_duration(waited), moment))
        results = []
        while name := self._due(moment):
            due = self.timers.pop(name)
            self.clock.time = max(due.astimezone(moment.tzinfo), self.clock.time, key=_instant)
            results.append(await self._run("timer", name, TimerFired(self.clock.now(), name, due)))
        self.clock.time = max(moment, self.clock.time, key=_instant)
        return tuple(results)

    async def campaign(self, name: str, values: Mapping[str, Any] | None = None) -> TurnResult:
        """The business writes first, with what its list gives for slots."""
        if self.session.version and not why_busy(self.session, now=self.clock.now()):
            await self._begin_anew()
        return await self._run("campaign", name, CampaignReached(self.clock.now(), name, values or {}))

    async def operator_takes_over(self) -> TurnResult:
        """An operator answers from now on."""
        return await self._run("operator", "takes over", OperatorTookOver(self.clock.now()))

    async def operator_calls(
        self, tool: str, arguments: Mapping[str, Any] | None = None, *, tell: bool = True
    ) -> TurnResult:
        """An operator has a tool run, and its result told to the contact."""
        event = OperatorCalled(self.clock.now(), tool, arguments or {}, tell=tell)
        return await self._run("operator", f"calls {tool}", event)

    async def release(self, *, mode: str = "", calls: tuple[str, ...] = (), text: str = "") -> TurnResult:
        """The operator gives the session back: in a mode, after these tools, with these words."""
        return await self._run("operator", "releases", Released(self.clock.now(), mode, calls, text))

    async def pause(self) -> TurnResult:
        """The agent must be quiet."""
        return await self._run("operator", "pauses", Paused(self.clock.now()))

    async def resume(self) -> TurnResult:
        """The pause is over."""
        return await self._run("operator", "resumes", Resumed(self.clock.now()))

    async def come_back(self, duration: timedelta) -> tuple[TurnResult, ...]:
        """After this long, even if the window has not closed, the contact's next message opens a new session."""
        results = await self.wait(duration)
        await self._begin_anew()
        return results

    async def _begin_anew_if_over(self) -> None:
        """As in the store: a day after the contact last wrote, or after a person last did something, another begins."""
        session = self.session
        since = quiet_since(session, session.heard_at or session.last_at)
        heard = session.heard_at or session.called_at or session.status == "handed_off"
        if heard and session.status != "paused" and self.clock.now() - since >= WINDOW:
            await self._begin_anew()

    async def _begin_anew(self) -> None:
        await self._run("time", "the session closes", Closed(self.clock.now()))
        before = synthesise(self.agent, self.session)
        self.session = opened(self.agent, session_id="conversation", at=self.clock.now(), before=before)

    async def _run(self, who: Who, text: str, event: Event, then: Sequence[MessageReceived] = ()) -> TurnResult:
        tools = self.turn.tools
        stubs = {name: stubbed(tools[name], stub) for name, stub in self.stubs.items()}
        own = OwnDatabase(self.tables, self.own, CONTACT) if self.tables and self.own else None
        result = await self.turn.run(
            self.session,
            event,
            then=then,
            engine=self.engine,
            tools={**tools, **stubs},
            given=Given(replace(CONTACT, phone=self.phone), own),
            asking=self.asking() if self.asking else None,
        )
        self.session = result.session
        self.transcript.append(Entry(who, text, event.at, trace=result.trace))
        self.transcript += [Entry("agent", each.text, event.at, each.buttons) for each in result.replies]
        said = "\n".join(reply.text for reply in result.replies)
        self.exchanges.append(Exchange(self.session.version, result.trace.text, said))
        for effect in result.decision.effects:
            if isinstance(effect, SetTimer):
                self.timers[effect.name] = effect.at
            elif isinstance(effect, CancelTimer):
                self.timers.pop(effect.name, None)
        return result

    async def since(self, turn: int, *, most: int) -> tuple[Exchange, ...]:
        """What was said after a turn, for a model to read."""
        return tuple(each for each in self.exchanges if each.turn > turn)[-most:]

    def _due(self, moment: datetime) -> str:
        """The next timer to fire up to a moment; of several at the same time the first by name."""
        due = ((at, name) for name, at in self.timers.items() if at <= moment)
        return min(due, default=(moment, ""))[1]

    def _button(self, wanted: str) -> Button:
        """Of all buttons offered, those of the last message first."""
        offered = [button for entry in reversed(self.transcript) for button in entry.buttons]
        for button in offered:
            if wanted in (button.payload, button.payload.partition(":")[0]) or fold(wanted) == fold(button.title):
                return button
        titles = ", ".join(dict.fromkeys(f"{each.title} ({each.payload})" for each in offered))
        raise NoSuchButton(f"there is no button `{wanted}`; offered were: {titles or 'none'}")


class Chat:
    """One contact who talks to an agent, without `await`: for scripts and the Python prompt.

    Time passes only with `wait`, and nothing is stored.
    """

    def __init__(self, agent: LoadedAgent | Path | str, *, starts: datetime | None = None) -> None:
        loaded = agent if isinstance(agent, LoadedAgent) else load_agent(agent)
        self.conversation = Conversation(loaded, FakeClock(starts or SystemClock().now()))

    def say(self, text: str) -> str:
        """What the agent answers; empty while it is silent."""
        return self._heard(self.conversation.say(text))

    def press(self, button: str) -> str:
        """The same for a button, by its title."""
        return self._heard(self.conversation.press(button))

    def wait(self, duration: timedelta) -> str:
        """What the agent says by itself meanwhile."""
        return self._heard(self.conversation.wait(duration))

    @property
    def slots(self) -> Mapping[str, Value]:
        """What the agent knows by now."""
        return self.conversation.session.slots

    @property
    def buttons(self) -> tuple[str, ...]:
        """The titles of the buttons below its last message."""
        replies = self.conversation.replies
        return tuple(button.title for button in replies[-1].buttons) if replies else ()

    def _heard(self, happening: Coroutine[Any, Any, Any]) -> str:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            pass
        else:
            happening.close()
            raise HiloError("Chat does not work where an event loop runs: use Conversation, with await")
        before = len(self.conversation.replies)
        asyncio.run(happening)
        return "\n".join(reply.text for reply in self.conversation.replies[before:])


def stubbed(tool: Tool, stub: Stub) -> Tool:
    """The same tool on a bad day, or with a given result."""
    left = iter(range(stub.after))

    async def stub_call(**arguments: object) -> object:
        if next(left, None) is not None:
            result = tool.function(**arguments)
            return await result if inspect.isawaitable(result) else result
        if stub.gives is not None:
            return stub.gives
        raise (RuntimeError if stub.breaks else ToolFailed)(stub.error)

    return replace(tool, function=stub_call)


def _instant(moment: datetime) -> datetime:
    """Moments of one zone compare by what its clock shows, which it may show twice."""
    return moment.astimezone(UTC)
