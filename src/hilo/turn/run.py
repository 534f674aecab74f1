"""One turn of one agent: event in, new session, replies and trace out. No database, no sending."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal
from zoneinfo import ZoneInfo

from hilo.agent.declaration import Agent
from hilo.agent.whereabouts import zone_told
from hilo.agent.zones import zone_of_number
from hilo.dialogue.commands import Affirm, AskInfo, CallTool, Command, Deny, Digress, StartFlow
from hilo.dialogue.draft import Decision, are_all, but
from hilo.dialogue.escalation import band_of
from hilo.dialogue.events import CampaignReached, Event, MessageReceived, TimerFired
from hilo.dialogue.message import with_question_unseen
from hilo.dialogue.session import Session
from hilo.dialogue.timers import rule
from hilo.messages import Outbound
from hilo.recognisers.normalise import fold
from hilo.tools.call import Journal
from hilo.tools.given import Contact, Given
from hilo.tools.tool import Tool
from hilo.turn import message_nodes, model_nodes, nodes, rest_node, value_nodes
from hilo.turn.graph import END, MAX_VISITS, Graph, Route, Way, first_of, langgraph_is_installed, to_langgraph, walk
from hilo.turn.own_nodes import stops_with, with_own_nodes
from hilo.turn.state import Asking, CustomFunction, Record, TurnContext, TurnState, message_in
from hilo.turn.trace import HeardMessage, Trace, heard_message, trace_of
from hilo.understanding.knowledge.index import KnowledgeIndex
from hilo.understanding.parts import is_unfinished
from hilo.understanding.reading import IntentRanker, Understander, understander

Engine = Literal["walk", "langgraph"]

# What LangGraph must hand back at the end.
KEPT = ("reading", "correction", "routed", "model", "decision", "replies", "unheard")

# The nodes after those that only read.
NOT_UNDERSTANDING = frozenset({"validate", "ask_model", "decide", "escalate", END})

TURN = Graph(
    entry="check_escalation",
    nodes={
        "check_escalation": nodes.check_escalation,
        "understand": message_nodes.understand,
        "check_correction": message_nodes.check_correction,
        "check_off_topic": message_nodes.check_off_topic,
        "extract_field": value_nodes.extract_field,
        "hear_rest": rest_node.hear_rest,
        "ask_model": model_nodes.ask_model,
        "validate": value_nodes.validate,
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
        "check_escalation": first_of(
            Way("escalate", "a person is needed", "escalation"),
            Way("understand", "a message to answer", "reading"),
            Way("decide", "anything else"),
        ),
        "understand": first_of(
            Way("validate", "a pressed button", message_nodes.is_all_understood),
            Way("check_correction", "free text"),
        ),
        "check_correction": first_of(
            Way("extract_field", "a correction", "correction"),
            Way("check_off_topic", "no correction"),
        ),
        "check_off_topic": first_of(
            Way("extract_field", "on the subject", message_nodes.may_give_values),
            Way("ask_model", "off the subject, and a model is there", "needs_model"),
            Way("hear_rest", "off the subject"),
        ),
        "extract_field": first_of(
            Way("ask_model", "not sure, and a model is there", "needs_model"),
            Way("hear_rest", "sure"),
        ),
        "hear_rest": first_of(
            Way("decide", "nothing but a word", rest_node.is_met_with_a_word),
            Way("validate", "something to do"),
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
OFF_TOPIC = Digress("off_topic")


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
    """The turn graph prepared for one agent: its words, its own nodes, its intents, its pages."""

    agent: Agent
    custom: Mapping[str, CustomFunction] = field(default_factory=dict)
    intents: IntentRanker | None = None
    tools: Mapping[str, Tool] = field(default_factory=dict)
    knowledge: KnowledgeIndex | None = None

    @cached_property
    def graph(self) -> Graph:
        """The one graph, with the agent's own nodes in their places."""
        return with_own_nodes(TURN, self.agent.nodes)

    @cached_property
    def _stops(self) -> frozenset[str]:
        return stops_with(NOT_UNDERSTANDING, self.agent.nodes)

    @cached_property
    def understander(self) -> Understander:
        """What reads this agent's messages."""
        return understander(self.agent, intents=self.intents, knowledge=self.knowledge)

    @cached_property
    def _compiled(self) -> Any:
        # No checkpoints inside: a turn is in force as a whole or not at all, also within somebody's graph.
        return to_langgraph(self.graph).compile(name=f"turn of {self.agent.agent}", checkpointer=False)

    async def understand(
        self,
        session: Session,
        event: MessageReceived,
    ) -> tuple[TurnState, Record]:
        """What a message proposes where a session stands; no model is asked, no tool is called, nothing is decided."""
        record = Record()
        context = TurnContext(self.agent, self.understander, record, self.custom)
        state = await walk(self.graph, {"session": session, "event": event}, context, until=self._stops)
        return state, record

    async def run(  # noqa: PLR0913 -- all that surrounds a turn
        self,
        session: Session,
        event: Event,
        *,
        then: Sequence[MessageReceived] = (),
        engine: Engine | None = None,
        tools: Mapping[str, Tool] | None = None,
        journal: Journal | None = None,
        given: Given | None = None,
        asking: Asking | None = None,
    ) -> TurnResult:
        """Run one turn; `tools` stand in for the agent's own, and a journal remembers what they did.

        `then` are messages that followed the first one at once: they belong to its turn.
        """
        agent, record = self.agent, Record()
        if engine is None:
            # Where a model or an author's node may take its time, LangGraph's tracing is worth it; walking is faster.
            waits = bool(self.custom) or (asking is not None and agent.asks_by != "off")
            engine = "langgraph" if waits and langgraph_is_installed() else "walk"
        given = replace(given or Given(), facts=agent.facts, opening=agent.open)
        contact = given.contact
        zone = contact_zone(agent, session, contact, (event, *then))
        if contact and zone:
            given = replace(given, contact=replace(contact, zone=zone))
        context = TurnContext(
            agent,
            replace(self.understander, zone=ZoneInfo(zone)) if zone else self.understander,
            record,
            custom=self.custom,
            tools=self.tools if tools is None else tools,
            journal=journal,
            given=given,
            asking=asking,
            zone=zone,
        )
        if then and isinstance(event, MessageReceived):
            state, heard = await self._run_burst(session, (event, *then), context, engine)
        else:
            state, heard = await self._run_event({"session": session, "event": event}, context, engine), ()
        state["session"] = session
        if asking:
            # A node may have quoted the same failure in a note of its own.
            record.models = asking.budget.uses
            noted = "\n".join(record.notes)
            record.notes += [note for note in asking.budget.notes if note not in noted]
        quiet = ""
        if isinstance(event, TimerFired | CampaignReached):
            quiet = rule(agent.quiet_hours, agent.timezone)
        return TurnResult(
            session=state["decision"].session,
            replies=state.get("replies", ()),
            decision=state["decision"],
            trace=trace_of(state, record, engine=engine, heard=heard),
            told=tuple(record.told),
            quiet=quiet,
        )

    async def _run_event(self, start: TurnState, context: TurnContext, engine: Engine) -> TurnState:
        if engine == "walk":
            state = await walk(self.graph, start, context)
        else:
            bounds = {"recursion_limit": MAX_VISITS}
            state = await self._compiled.ainvoke(start, bounds, context=context, output_keys=KEPT)
        # The trace tells what began the turn, not what the tools returned.
        return {**start, **state, "event": start["event"]}

    async def _run_burst(
        self, session: Session, messages: Sequence[MessageReceived], context: TurnContext, engine: Engine
    ) -> tuple[TurnState, tuple[HeardMessage, ...]]:
        """One message after the other; a model is asked about the last one only, and what was not clear before it."""
        start: TurnState = {"session": session, "event": messages[0]}
        state: TurnState = {}
        heard: list[HeardMessage] = []
        carried: MessageReceived | None = None
        for part, message in enumerate(messages):
            start = {**start, "event": together(carried, message)}
            if state:
                now, event = state["decision"].session, together(carried, message)
                start = {**met_by_next(self.agent, session, now, event, part=part), "decision": state["decision"]}
            read = await walk(self.graph, start, replace(context, record=Record()), until=self._stops)
            if state and carried is None and only_repeats(heard[-1].text, read):
                heard.append(HeardMessage(message.text))
                continue
            if message is not messages[-1] and not stands_alone(self.agent, read):
                carried = together(carried, message)
                continue
            state, carried = await self._run_event(start, context, engine), None
            heard.append(heard_message(state, context.record))
        return state, tuple(heard)


def contact_zone(agent: Agent, session: Session, contact: Contact | None, events: Iterable[Event]) -> str:
    """The time zone that the contact lives by: as they say now or have said, or by the country of their number."""
    if agent.timezone_of != "contact":
        return ""
    told = [zone for each in events if isinstance(each, MessageReceived) and (zone := zone_told(each.text))]
    return next(iter(told[::-1]), "") or session.zone or (zone_of_number(contact.phone) if contact else "")


# --- a burst: messages written in quick succession have one turn, and one reply to them all
#
# Each is understood and decided on after the one before it, so that "no, mejor 5" changes what "quiero 2" ordered.
# People also spread one thought over several messages: what says nothing by itself is read together with the next.


def together(carried: MessageReceived | None, message: MessageReceived) -> MessageReceived:
    """A message behind those that said nothing by themselves."""
    if carried is None:
        return message
    text = "\n".join(filter(None, (carried.text, message.text)))
    return replace(
        message,
        text=text,
        written=carried.written,
        attachments=(*carried.attachments, *message.attachments),
        order=(*carried.order, *message.order),
        referral=carried.referral or message.referral,
    )


def met_by_next(
    agent: Agent,
    first: Session,
    now: Session,
    message: MessageReceived,
    *,
    part: int,
) -> TurnState:
    """Where the next message of a burst finds the session, and whether it knows the question that is open."""
    if now.pending != first.pending:
        met = with_question_unseen(agent, now)
        return {"session": met, "event": replace(message, part=part, early=True)}
    return {"session": now, "event": replace(message, part=part)}


def stands_alone(agent: Agent, read: TurnState) -> bool:
    """Whether a message that others follow is clear by itself, without a model."""
    commands = read.get("commands", ())
    if "reading" not in read or read.get("escalation"):
        return True  # a person has the word
    if read.get("needs_model") or is_unfinished(message_in(read).text):
        return False
    if all(each == Digress("off_topic") for each in commands) or any(
        _lacks_something(agent, each) for each in commands
    ):
        return False
    by_intent = are_all(commands, StartFlow | AskInfo | CallTool)
    return not by_intent or band_of(agent, read["reading"].confidence) in ("proceed", "reanalyse")


def _lacks_something(agent: Agent, command: Command) -> bool:
    """Whether a call misses what it cannot do without: "quiero 2" does not say what."""
    if not isinstance(command, CallTool) or command.tool not in agent.toolbox:
        return False
    needed = set(agent.toolbox[command.tool].needed)
    if agent.orders and command.tool == agent.orders.add:
        needed.add("product")
    return not needed <= command.arguments.keys()


def only_repeats(before: str, read: TurnState) -> bool:
    """Whether a message says once more what was answered already: "sí", "sí"."""
    same = fold(message_in(read).described) == fold(before)
    return same and not but(read.get("commands", ()), Affirm | Deny | Digress)
