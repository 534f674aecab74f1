"""One turn of one agent: event in, new session, replies and trace out. No database, no sending."""

import copy
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import Command
from hilo.dialogue.draft import Decision
from hilo.dialogue.events import Event, MessageReceived, TimerFired
from hilo.dialogue.session import Session
from hilo.dialogue.stored import validated
from hilo.dialogue.timers import rule
from hilo.messages import Outbound
from hilo.tools.call import Journal
from hilo.tools.given import Given
from hilo.tools.tool import Tool
from hilo.turn import message_nodes, model_nodes, nodes
from hilo.turn.graph import END, Graph, Route, to_langgraph, walk
from hilo.turn.state import Asking, CustomFunction, Node, Record, TurnContext, TurnState
from hilo.turn.trace import Trace, trace_of
from hilo.understanding.reading import IntentRanker, Understander, understander

Engine = Literal["walk", "langgraph"]

# What LangGraph must hand back at the end.
KEPT = ("reading", "correction", "routed", "model", "decision", "replies")

# The nodes after those that only read.
NOT_UNDERSTANDING = frozenset({"validate", "ask_model", "decide", "escalate", END})

TURN = Graph(
    entry="check_escalation",
    nodes={
        "check_escalation": nodes.check_escalation,
        "understand": message_nodes.understand,
        "check_correction": message_nodes.check_correction,
        "check_off_topic": message_nodes.check_off_topic,
        "extract_field": message_nodes.extract_field,
        "ask_model": model_nodes.ask_model,
        "validate": message_nodes.validate,
        "decide": nodes.decide,
        "execute_tools": nodes.execute_tools,
        "hear_model": model_nodes.hear_model,
        "prompt_next": nodes.prompt_next,
        "confirm_action": nodes.confirm_action,
        "complete": nodes.complete,
        "generate": nodes.generate,
        "escalate": nodes.escalate,
    },
    edges={
        "check_escalation": Route(
            nodes.route_after_escalation_check,
            {
                "escalate": "a person is needed",
                "understand": "a message to answer",
                "decide": "anything else",
            },
        ),
        "understand": Route(
            message_nodes.route_after_understand,
            {"check_correction": "free text", "validate": "a pressed button"},
        ),
        "check_correction": Route(
            message_nodes.route_after_correction_check,
            {"extract_field": "a correction", "check_off_topic": "no correction"},
        ),
        "check_off_topic": Route(
            message_nodes.route_after_off_topic_check,
            {
                "extract_field": "on the subject",
                "ask_model": "off the subject, and a model is there",
                "decide": "off the subject",
            },
        ),
        "extract_field": Route(
            message_nodes.route_after_extraction,
            {"ask_model": "not sure, and a model is there", "validate": "sure"},
        ),
        "ask_model": "validate",
        "validate": "decide",
        "decide": Route(
            nodes.route_after_decide,
            {
                "execute_tools": "tools to run",
                "hear_model": "a model goes on",
                "prompt_next": "a question",
                "confirm_action": "a yes is needed",
                "complete": "a flow is done",
                "generate": "something to say",
                "escalate": "hand off",
                END: "nothing to say",
            },
        ),
        "execute_tools": "decide",
        "hear_model": "decide",
        **dict.fromkeys(("prompt_next", "confirm_action", "complete", "generate", "escalate"), END),
    },
)


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What a turn came to. Nothing of it is in force before it is committed."""

    session: Session
    replies: tuple[Outbound, ...]
    decision: Decision
    trace: Trace
    told: tuple[Event, ...] = ()
    quiet: str = ""  # the hours in which what was said must not go out: nobody has asked for it


@dataclass(frozen=True)
class Turn:
    """The turn graph prepared for one agent: its words, its own nodes, its intents."""

    agent: Agent
    custom: Mapping[str, CustomFunction] = field(default_factory=dict)
    intents: IntentRanker | None = None
    tools: Mapping[str, Tool] = field(default_factory=dict)

    @cached_property
    def graph(self) -> Graph:
        """The one graph, with the agent's own nodes in their places."""
        graph = TURN
        for declared in reversed(self.agent.nodes):
            graph = graph.insert(declared.name, _custom_node(declared.name), after=declared.after)
        return graph

    @cached_property
    def understander(self) -> Understander:
        """What reads this agent's messages."""
        return understander(self.agent, intents=self.intents)

    @cached_property
    def _compiled(self) -> Any:
        return to_langgraph(self.graph).compile()

    async def understand(self, session: Session, event: MessageReceived) -> tuple[TurnState, Record]:
        """What a message proposes where a session stands; no model is asked, no tool is called, nothing is decided."""
        record = Record()
        context = TurnContext(self.agent, self.understander, record, self.custom)
        state = await walk(self.graph, {"session": session, "event": event}, context, until=NOT_UNDERSTANDING)
        return state, record

    async def run(  # noqa: PLR0913 -- all that surrounds a turn
        self,
        session: Session,
        event: Event,
        *,
        engine: Engine | None = None,
        tools: Mapping[str, Tool] | None = None,
        journal: Journal | None = None,
        given: Given | None = None,
        asking: Asking | None = None,
    ) -> TurnResult:
        """Run one turn; `tools` stand in for the agent's own, and a journal remembers what they did."""
        # Authors with nodes of their own have use for LangGraph's streaming and tracing; walking is faster.
        engine = engine or ("langgraph" if self.custom else "walk")
        record, own = Record(), self.tools if tools is None else tools
        given = replace(given or Given(), facts=self.agent.facts)
        reads, custom = self.understander, self.custom
        context = TurnContext(self.agent, reads, record, custom, own, journal, given, asking)
        start: TurnState = {"session": session, "event": event}
        if engine == "walk":
            state = await walk(self.graph, start, context)
        else:
            state = await self._compiled.ainvoke(start, context=context, output_keys=KEPT)
        # The trace tells what began the turn, not what the tools returned.
        state = {**start, **state, "event": event}
        if asking:
            # A node may have quoted the same failure in a note of its own.
            noted = "\n".join(record.notes)
            record.notes += [note for note in asking.budget.notes if note not in noted]
        agent, quiet = self.agent, ""
        if isinstance(event, TimerFired):
            quiet = rule(agent.quiet_hours, agent.timezone)
        return TurnResult(
            session=state["decision"].session,
            replies=state.get("replies", ()),
            decision=state["decision"],
            trace=trace_of(state, record, engine=engine),
            told=tuple(record.told),
            quiet=quiet,
        )


def _custom_node(name: str) -> Node:
    """An author's node may only propose commands; when it breaks, the turn goes on without it."""

    async def run(state: TurnState, context: TurnContext) -> TurnState:
        seen: TurnState = {**state, "session": copy.deepcopy(state["session"])}
        try:
            proposed = tuple(await context.custom[name](seen) or ())
        except Exception as error:  # noqa: BLE001 -- whatever an author's function raises
            context.record.errors.append(f"{name}: {type(error).__name__}: {error}")
            return {}
        sound: list[Command] = []
        for each in proposed:
            # What is no command, or has fields of other types, is left out.
            with suppress(ValueError, RecursionError):
                sound.append(validated(Command, each))
        if len(sound) < len(proposed):
            context.record.errors.append(f"{name}: proposed what is no command: {proposed!r:.200}")
        return {"commands": (*state.get("commands", ()), *sound)}

    return run
