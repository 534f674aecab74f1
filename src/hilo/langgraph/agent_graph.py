"""An agent as a LangGraph graph: a message in, the turn, its replies out; a person or the contact by interrupt."""

import json
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from hilo.agent.declaration import Agent
from hilo.app.loading import LoadedAgent, load_agent
from hilo.clock import Clock, SystemClock
from hilo.dialogue.events import Event, MessageReceived, OperatorTookOver, TimerFired
from hilo.errors import HiloError
from hilo.ids import new_id
from hilo.langgraph.acts import event_of, words_of
from hilo.langgraph.loop import wait_for
from hilo.langgraph.models import ModelOf
from hilo.langgraph.tables import AgentTables
from hilo.langgraph.thread import AgentState, Thread, plain_slots, restored, saved, unheard
from hilo.messages import Attachment, FileKind, Outbound
from hilo.tools.given import Contact, Given
from hilo.turn.foreign_graphs import text_of
from hilo.turn.run import Turn, TurnResult
from hilo.turn.trace import trace_to_json
from hilo.understanding.reading import read

Waits = Literal["person", "contact"]

WORKSPACE, CHANNEL = "main", "langgraph"
_KINDS: Mapping[str, FileKind] = {
    "image": "image", "image_url": "image", "audio": "audio", "input_audio": "audio", "video": "video",
    "file": "document", "document": "document",
}  # fmt: skip


def agent_graph(  # noqa: PLR0913 -- all that may be chosen
    agent: LoadedAgent | Path | str,
    *,
    checkpointer: Any = None,
    waits_for: Collection[Waits] = (),
    model: Any = None,
    database: str = "",
    store: Any = None,
    clock: Clock | None = None,
) -> Any:
    """A compiled graph over `messages` that talks as the agent does: AgentState says what it keeps.

    With `waits_for` it interrupts: for a `person` when the agent hands off, for the `contact` when it asks something,
    until the agent has nothing more to ask. `model` is a chat model of LangChain (or two: small and large), `"off"`, or
    what the environment says. `database` is where an agent's own tables are kept, as in HILO_DATABASE_URL; without it
    they are in memory.
    """
    if strange := set(waits_for) - {"person", "contact"}:
        raise HiloError(f"a graph cannot wait for {', '.join(sorted(strange))}: it waits for `person` and `contact`")
    loaded = agent if isinstance(agent, LoadedAgent) else load_agent(agent)
    clock = clock or SystemClock()
    tables = AgentTables(loaded.own, database, clock)
    talker = AgentNode(loaded, ModelOf.chosen(model, loaded.agent), tables, clock, frozenset(waits_for))
    talker.warm_up()
    built = StateGraph(AgentState)
    ways: dict[Hashable, str] = {"person": "person", "contact": "contact", END: END}
    built.add_node("agent", RunnableLambda(talker.answer_now, afunc=talker.answer, name="agent"))
    built.add_node("person", talker.wait_for_person)
    built.add_node("contact", talker.wait_for_contact)
    built.add_edge(START, "agent")
    built.add_conditional_edges("agent", talker.route, ways)
    built.add_edge("person", "agent")
    built.add_edge("contact", "agent")
    return built.compile(checkpointer=checkpointer, store=store, name=loaded.agent.agent)


@dataclass(frozen=True)
class AgentNode:
    """The nodes of the graph, for one agent."""

    loaded: LoadedAgent
    model: ModelOf
    tables: AgentTables
    clock: Clock
    waits_for: frozenset[str] = field(default_factory=frozenset)

    @property
    def turn(self) -> Turn:
        """What runs its turns."""
        return self.loaded.turn

    @property
    def agent(self) -> Agent:
        """Who answers."""
        return self.loaded.agent

    def warm_up(self) -> None:
        """What is loaded with the first message is loaded now: a server's loop must not wait for files."""
        read(self.turn.understander, "hola", at=self.clock.now())

    # --- the nodes ------------------------------------------------------------------------------------------

    def answer_now(self, state: AgentState, config: RunnableConfig) -> dict[str, Any]:
        """The same for `invoke` and `stream`."""
        done: dict[str, Any] = wait_for(self.answer, state, config)
        return done

    async def answer(self, state: AgentState, config: RunnableConfig) -> dict[str, Any]:
        """Timers that are due, what a person did, and what the contact wrote: each has its turn, in this order."""
        now, messages = self.clock.now(), state.get("messages", [])
        chosen = config.get("configurable", {})
        thread = restored(self.agent, state.get("hilo"), session_id=_session_id(chosen), now=now)
        talk = _Talk(self, thread, messages, chosen)
        if thread.note:
            talk.write({"note": thread.note})
        for name in thread.due(now):
            await talk.run(TimerFired(now, name, thread.timers[name]), timer=name)
        if act := state.get("act"):
            await talk.act(act, now)
        if new := unheard(messages, thread.heard):
            first, *then = [_received(message, now) for message in new]
            await talk.run(first, then)
            talk.thread = replace(talk.thread, heard=str(new[-1].id or ""))
        known = {"hilo": saved(talk.thread), "slots": plain_slots(talk.thread.session)}
        return {"messages": talk.said, "act": None, **known}

    def route(self, state: AgentState) -> str:
        """Where the turn has left it: with a person, with a question, or done for now."""
        kept = state.get("hilo") or {}
        if kept.get("holder") == "operator":
            return "person" if "person" in self.waits_for else END
        return "contact" if "contact" in self.waits_for and not kept.get("done") else END

    def wait_for_person(self, state: AgentState) -> dict[str, Any]:
        """Interrupt until a person does something: take(), say() or release()."""
        session = (state.get("hilo") or {})["session"]
        why = session.get("handoff") or {}
        told = {"waits_for": "person", "policy": why.get("policy", ""), "reason": why.get("reason", "")}
        act = interrupt({**told, "slots": state.get("slots", {})})
        words_of(act)
        return {"act": act}

    def wait_for_contact(self, state: AgentState) -> dict[str, Any]:
        """Interrupt until the contact writes: a text, or `{"text": …, "payload": …}` for a button."""
        last = state["messages"][-1]
        asked, buttons = text_of(last), last.additional_kwargs.get("buttons", [])
        answer = interrupt({"waits_for": "contact", "question": asked, "buttons": buttons})
        if isinstance(answer, str):
            answer = {"text": answer}
        if not isinstance(answer, Mapping) or not isinstance(answer.get("text"), str):
            raise HiloError(f'the contact\'s answer is a text, or {{"text": …, "payload": …}}, and not {answer!r:.100}')
        more = {"payload": str(answer["payload"])} if answer.get("payload") else {}
        return {"messages": [HumanMessage(answer["text"], additional_kwargs=more)]}


class _Talk:
    """One run of the agent's node: what it reads, what it says, and where it writes what happens."""

    def __init__(self, node: AgentNode, thread: Thread, messages: Sequence[Any], chosen: Mapping[str, Any]) -> None:
        self._node, self.thread, self._messages = node, thread, messages
        self.write = get_stream_writer()
        self.said: list[Any] = []
        who = str(chosen.get("contact") or chosen.get("thread_id") or thread.session.id)
        phone = str(chosen.get("phone") or "")
        self._contact = Contact(WORKSPACE, who, CHANNEL, who, thread.session.id, phone)

    async def act(self, act: Any, now: datetime) -> None:
        """What a person did."""
        if words := words_of(act):
            handoff = self.thread.session.handoff
            if handoff is None or not handoff.told:  # who speaks has taken it
                await self.run(OperatorTookOver(now, str(act.get("operator", ""))))
            name = str(act.get("operator") or "operator")
            self.said.append(AIMessage(words, name=name, id=new_id("said"), additional_kwargs={"by": "operator"}))
        elif event := event_of(act, now):
            await self.run(event)

    async def run(self, event: Event, then: Sequence[MessageReceived] = (), *, timer: str = "") -> None:
        """One turn."""
        node = self._node
        database = await node.tables.of(self._contact)
        show = None if node.agent.grounded == "strict" else self._show
        asking = node.model.asking(self.thread.session, [*self._messages, *self.said], show)
        result = await node.turn.run(
            self.thread.session,
            event,
            then=then,
            engine="langgraph",
            given=Given(self._contact, database),
            asking=asking,
        )
        if timer:
            self.thread = self.thread.without_timer(timer)
        self.thread = self.thread.after(result.decision)
        self.said += [_message(node.agent, result, reply) for reply in result.replies]
        self.write({"trace": json.loads(trace_to_json(result.trace))})

    def _show(self, text: str) -> None:
        """The words of a model while they are written; they may still be taken back."""
        self.write({"draft": text})


def _session_id(chosen: Mapping[str, Any]) -> str:
    return str(chosen.get("thread_id") or new_id("session"))


def _received(message: Any, now: datetime) -> MessageReceived:
    """A message of the contact; what is no text in it is an attachment."""
    payload = str(message.additional_kwargs.get("payload", ""))
    blocks = [] if isinstance(message.content, str) else [each for each in message.content if isinstance(each, Mapping)]
    sent = tuple(_attachment(each) for each in blocks if each.get("type") != "text")
    return MessageReceived(now, text_of(message), payload=payload, id=str(message.id or ""), attachments=sent)


def _attachment(block: Mapping[str, Any]) -> Attachment:
    inner = block.get("image_url")
    url = inner.get("url", "") if isinstance(inner, Mapping) else inner or block.get("url", "")
    kept = str(url) if not str(url).startswith("data:") else ""  # a picture within the message is no address
    return Attachment(_KINDS.get(str(block.get("type")), "unknown"), url=kept)


def _message(agent: Agent, result: TurnResult, reply: Outbound) -> AIMessage:
    """A reply; its buttons are in `additional_kwargs`, the tokens that it cost in `usage_metadata`."""
    more: dict[str, Any] = {"turn": result.session.version}
    if reply.buttons:
        more["buttons"] = [asdict(button) for button in reply.buttons]
    if reply.attachment:
        more["attachment"] = asdict(reply.attachment)
    read_in = sum(use.input + use.cache_read + use.cache_written for use in result.trace.models)
    out = sum(use.output for use in result.trace.models)
    usage: Any = {"input_tokens": read_in, "output_tokens": out, "total_tokens": read_in + out}
    used = usage if result.trace.models else None
    return AIMessage(reply.text, name=agent.agent, id=new_id("said"), additional_kwargs=more, usage_metadata=used)
