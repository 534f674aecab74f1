"""Stored sessions in the words of their agents, and what an agent would say: looked at, never changed."""

import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from hilo.agent.declaration import Agent
from hilo.agent.drawing import mode_ways
from hilo.agent.flow import CompiledStep
from hilo.agent.instructions import AskSlots, LeaveToPerson, PushFlow, UseTool
from hilo.agent.templates import Template
from hilo.agent.texts import PLACEHOLDER
from hilo.clock import Clock
from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import Released, ToolResult
from hilo.dialogue.session import AskedSwitch, AskedYes, Session, Waiting, from_json
from hilo.dialogue.wording import intent_label, spoken
from hilo.drawing import first_words
from hilo.errors import HiloError
from hilo.store.desk import contact_of
from hilo.store.desk_words import (
    ActionWords,
    AgentMap,
    AgentWords,
    CountWords,
    FlowPicture,
    FlowWords,
    Preview,
    QuestionWords,
    SessionWords,
    SlotWords,
    StepWords,
    TemplateWords,
    TurnPicture,
    WayWords,
)
from hilo.store.own_sql import OwnSql
from hilo.store.own_tables import OwnDatabase
from hilo.store.store import Store
from hilo.tools.given import Contact, Given
from hilo.turn.run import Turn
from hilo.workers.outcomes import MAX_SLOTS, flow_words, open_question, slot_label
from hilo.workers.turns import Agents

MAX_SHOWN = 500  # characters of a value


class WouldWrite(Exception):  # noqa: N818 -- it names what happened
    """A preview has come to a tool that would change something."""


@dataclass(frozen=True, slots=True)
class StoredSight:
    """Reads sessions with the agents of this installation."""

    store: Store
    agents: Agents
    clock: Clock
    own: Mapping[str, OwnSql] = field(default_factory=dict)

    async def words(self, workspace: str, state: str) -> SessionWords:
        """What a session holds; names instead of labels where its agent is not here."""
        turn, session = await self._read(workspace, state)
        agent = turn.agent if turn else Agent(agent=session.agent)
        return SessionWords(
            slots=tuple(_slot(agent, name, session) for name in _shown(agent, session)),
            flow=_flow(agent, session),
            question=_question(agent, session),
            actions=tuple(_actions(turn)) if turn else (),
            modes={name: agent.called(name) for name in agent.modes if name != agent.operator_mode},
            timers={f"timer.{name}": agent.called(name) for name in agent.all_timers},
        )

    async def agents_of(self, workspace: str, names: Collection[str]) -> dict[str, AgentWords]:
        """What these agents call their modes; those that are not here are left out."""
        found = {}
        for name in names:
            agent = await self._current(workspace, name)
            if agent is None:
                continue
            found[name] = _agent_words(agent)
        return found

    async def preview(self, workspace: str, session: str, state: str, event: Released) -> Preview:
        """What the agent would say if it got the session back now. Tools that only read are asked, no model is."""
        turn, stored = await self._read(workspace, state)
        if turn is None:
            raise HiloError(f"the agent {stored.agent} is not served here")
        contact = await self.store.run(contact_of, workspace, session)
        given = Given(contact, self._database(stored, contact)) if contact else Given()
        journal = ReadingJournal(turn)
        try:
            result = await turn.run(stored, event, journal=journal, given=given)
        except Exception:
            if journal.stopped_at:
                return Preview(runs=(journal.stopped_at,))
            raise
        return Preview(tuple(each.text for each in result.replies), result.session.mode)

    async def templates(self, workspace: str, state: str) -> tuple[TemplateWords, ...]:
        """What may be said to the contact when the window is closed; nothing where the agent is not here."""
        turn, session = await self._read(workspace, state)
        if turn is None:
            return ()
        found = {each.wa_template: each for each in turn.agent.templates.values() if each.wa_template}
        return tuple(_template(turn.agent, session, each) for each in found.values())

    async def agent_map(self, workspace: str, agent: str) -> AgentMap | None:
        """The modes and flows of an agent in the version that is in force; none where the agent is not here."""
        found = await self._current(workspace, agent)
        if found is None:
            return None
        first = [found.first_mode] if found.modes else []
        modes = {name: found.called(name) for name in dict.fromkeys([*first, *found.modes])}
        flows = [_picture(found, name) for name in found.flows]
        return AgentMap(modes, tuple(WayWords(*way) for way in mode_ways(found)), tuple(flows))

    async def turn_picture(self, workspace: str, agent: str) -> TurnPicture | None:
        """The graph of an agent's turns, with the nodes that it brings."""
        try:
            graph = (await self.agents.current(workspace, agent)).graph
        except HiloError:
            return None
        ways = [WayWords(name, target) for name in graph.nodes for target in graph.targets(name)]
        return TurnPicture(tuple(graph.nodes), tuple(ways))

    async def _current(self, workspace: str, agent: str) -> Agent | None:
        try:
            return (await self.agents.current(workspace, agent)).agent
        except HiloError:
            return None

    def _database(self, session: Session, contact: Contact) -> OwnDatabase | None:
        own = self.own.get(session.agent)
        return OwnDatabase(self.store, own, contact) if own else None

    async def _read(self, workspace: str, state: str) -> tuple[Turn | None, Session]:
        """A session as its agent goes on with it; without one where the agent is not here."""
        session = from_json(state)
        try:
            return await self.agents.of(workspace, session)
        except HiloError:
            return None, session


@dataclass
class ReadingJournal:
    """Lets tools run that only read; the first that would write ends the preview."""

    turn: Turn
    stopped_at: str = ""

    async def once(self, run: RunTool, make: Callable[[], Awaitable[ToolResult]]) -> ToolResult:
        """What a tool that reads says."""
        if self.turn.agent.toolbox[run.tool].writes:
            self.stopped_at = run.tool
            raise WouldWrite(run.tool)
        return await make()

    def earlier(self) -> tuple[RunTool, ...]:
        """There was no attempt before."""
        return ()


def _agent_words(agent: Agent) -> AgentWords:
    modes = {mode: agent.called(mode) for mode in agent.modes}
    meant = [*agent.intents, *agent.flows]
    meanings = {name: agent.labels.get(name) or intent_label(agent, name) for name in meant}
    slots = {slot: slot_label(agent, slot) for slot in agent.slots}
    tools = {tool: agent.called(tool) for tool in agent.toolbox}
    return AgentWords(
        modes=modes,
        meanings=meanings,
        names={**agent.labels, **meanings, **slots, **modes, **tools},
        person=next((slot for slot, each in agent.slots.items() if each.kind.names_person), ""),
        counts={name: CountWords(each.tools, each.sum, each.name) for name, each in agent.counts.items()},
        patience=agent.answer_within.total_seconds(),
        signs=agent.sign_answers,
    )


def _shown(agent: Agent, session: Session) -> list[str]:
    """What a contact gave, and what tools found under a label; what has none is the agent's own business."""
    internal = {name for name in agent.found_only() if name in agent.slots and not agent.slots[name].label}
    return [name for name in session.slots if name not in internal][:MAX_SLOTS]


def _slot(agent: Agent, name: str, session: Session) -> SlotWords:
    value = session.slots[name]
    try:
        shown = spoken(agent, name, value)
    except (KeyError, ValueError, TypeError):  # a tool found it, or the agent is another one by now
        shown = str(value)
    found = name not in agent.slots or name in agent.found_only()
    return SlotWords(name, slot_label(agent, name), str(value)[:MAX_SHOWN], shown[:MAX_SHOWN], found)


def _template(agent: Agent, session: Session, declared: Template) -> TemplateWords:
    """The values stand in the order of the first wording, as in what the agent says by itself."""
    fields = tuple(PLACEHOLDER.findall(declared.text))
    values = tuple(_slot(agent, name, session).shown if name in session.slots else "" for name in fields)
    return TemplateWords(
        declared.wa_template, agent.language.replace("-", "_"), declared.text, fields=fields, values=values
    )


def _flow(agent: Agent, session: Session) -> FlowWords | None:
    if not session.stack:
        return None
    *below, top = session.stack
    return FlowWords(
        top.flow, _flow_label(agent, top.flow), top.step, tuple(_flow_label(agent, each.flow) for each in below)
    )


def _question(agent: Agent, session: Session) -> QuestionWords | None:
    """What is open, by its kind: the page has words for what the engine asks by itself."""
    pending = session.pending
    if pending is None or isinstance(pending, Waiting):
        return None
    if isinstance(pending, AskedYes):
        return QuestionWords("yes")
    if isinstance(pending, AskedSwitch):
        return QuestionWords("switch", flow_words(agent, pending.flow))
    words = open_question(agent, pending, session)
    return QuestionWords(pending.kind, words) if words else None


def _actions(turn: Turn) -> list[ActionWords]:
    """Those that only operators may run come first: they were made for this page."""
    agent, found = turn.agent, []
    for name, spec in agent.toolbox.items():
        described = "" if name in agent.labels else spec.description  # it is written for models
        parameters = _labelled(agent, turn.tools[name].schema()) if name in turn.tools else {}
        found.append(ActionWords(name, agent.called(name), described, spec.writes, spec.operator, parameters))
    return sorted(found, key=lambda each: (not each.own, each.title))


def _labelled(agent: Agent, schema: Any) -> Any:
    """The schema of a tool's arguments with the labels that the agent has for them and for their choices."""
    if isinstance(schema, list):
        return [_labelled(agent, each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    made = {key: _labelled(agent, value) for key, value in schema.items()}
    if isinstance(made.get("properties"), dict):
        for name, each in made["properties"].items():
            if name in agent.labels:
                each.update(title=agent.called(name), description="")
    title = str(made.get("title", "")).lower().replace(" ", "_")  # of a part of a list, which has no name
    if title in agent.labels:
        made["title"] = agent.called(title)
    if isinstance(made.get("enum"), list):
        made["labels"] = {each: agent.called(each) for each in made["enum"] if each in agent.labels}
    return made


# --- pictures -----------------------------------------------------------------------------------------


def _picture(agent: Agent, flow: str) -> FlowPicture:
    steps = []
    for step in agent.compiled[flow].steps:
        following = tuple(dict.fromkeys(edge.to for edge in step.inner_edges))
        steps.append(StepWords(step.name, step.kind, _step_words(agent, step), following))
    label = _flow_label(agent, flow)
    return FlowPicture(flow, label[:1].upper() + label[1:], tuple(steps))


def _flow_label(agent: Agent, flow: str) -> str:
    """What people call a flow: its label, else what contacts are told that it does."""
    return agent.labels.get(flow) or flow_words(agent, flow)


def _step_words(agent: Agent, step: CompiledStep) -> str:
    """What a step is about, in the agent's own words."""
    match step.does:
        case AskSlots(slots=slots):
            return ", ".join(slot_label(agent, slot) for slot in slots)
        case UseTool(tool=tool):
            return agent.called(tool)
        case PushFlow(flow=flow):
            return _flow_label(agent, flow)
        case LeaveToPerson(reason=reason):
            return reason
    template = agent.templates.get(step.said)
    text = template.text if template else step.said
    return first_words(PLACEHOLDER.sub(partial(_named_value, agent), text), width=70)


def _named_value(agent: Agent, place: re.Match[str]) -> str:
    """A value's place in a text, by the word that people know it by."""
    slot = agent.slots.get(place[1])
    return f"«{slot.label}»" if slot and slot.label else "«…»"
