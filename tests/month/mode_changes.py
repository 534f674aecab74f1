"""The modes of a session: every change is declared, and what the mode requires was there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hilo.agent.declaration import Agent
from hilo.agent.guards import holds
from hilo.agent.instructions import SetValues, UseTool
from month.case import Case
from month.records import Sitting, Turn

_FILLED = re.compile(r"^(?:SetSlot|CorrectSlot)\(([^,)]+), (.*)\)$", re.DOTALL)


@dataclass
class ModeChanges:
    """Goes through a session's turns with what is known and what was said."""

    case: Case
    sitting: Sitting
    slots: dict[str, Any] = field(default_factory=dict)
    said: set[str] = field(default_factory=set)

    def judge(self) -> None:
        mode, counts = self.case.agent.first_mode, self.case.verdict.counts
        self.slots = dict(self.sitting.opening.get("slots", {}))
        reached = {mode}
        for turn in self.sitting.turns:
            self._learn(turn)
            if turn.trace.get("mode", "") != mode:
                self._blame("mode changed between turns", turn.number, mode, turn.trace.get("mode"))
            for before, after in turn.trace.get("modes", ()):
                self._change(turn, mode, before, after)
                mode = after
                reached.add(mode)
        counts.update(f"reached {each}" for each in reached)
        if mode != self.sitting.mode:
            self._blame("mode changed after the last turn", mode, self.sitting.mode)

    def _change(self, turn: Turn, mode: str, before: str, after: str) -> None:
        self.case.verdict.counts["mode changes"] += 1
        if before != mode or not self._leads(before, after):
            self._blame("mode skipped", turn.number, before, after)
        elif after != self.case.agent.operator_mode:
            for need in self.case.agent.modes[after].requires:
                if not self._is_met(need):
                    self._blame("mode entered without what it requires", turn.number, after, need)

    def _leads(self, before: str, after: str) -> bool:
        agent = self.case.agent
        if agent.operator_mode in {before, after}:
            return True  # a person may take over anywhere, and give back anywhere
        declared = agent.modes[before]
        return after in {*declared.to, *declared.after.values(), *declared.before.values()}

    def _is_met(self, need: str) -> bool:
        """A slot that is filled, a template that was said in this session, or a guard over both."""
        if need in self.case.agent.slots:
            return need in self.slots
        told = {name: self._was_said(name) for name in self.case.agent.templates if name not in self.slots}
        return told[need] if need in told else holds(need, {**told, **self.slots})

    def _was_said(self, template: str) -> bool:
        """Itself, or what is said in its place when its wordings have run out."""
        templates = self.case.agent.templates
        while template in templates and template not in self.said:
            template = templates[template].fallback
        return template in templates

    def _learn(self, turn: Turn) -> None:
        """What is known, and what was said, up to the end of this turn."""
        for each in turn.trace.get("accepted", ()):
            if found := _FILLED.match(each):
                self.slots[found[1]] = found[2]
        for step in turn.trace.get("steps", ()):
            self.slots |= _set_by(self.case.agent, step)
        for tool, outputs in results(turn.told):
            self.slots |= _found_by(self.case.agent, tool, outputs)
        self.slots = {name: value for name, value in self.slots.items() if value != ""}
        self.said.update(self.case.wordings.templates(turn))

    def _blame(self, what: str, *where: object) -> None:
        self.case.verdict.blame(what, self.sitting.contact, self.sitting.id, *where)


def results(told: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The tools that succeeded in a turn, with what they gave."""
    for event in told:
        for result in event.get("results", ()):
            if result.get("ok"):
                yield result["tool"], result.get("outputs", {}).get("map", {})


def _found_by(agent: Agent, tool: str, outputs: Mapping[str, Any]) -> dict[str, Any]:
    """The slots that the outputs of a tool fill: by their own name, or as a step says."""
    done = [step.does for flow in agent.compiled.values() for step in flow.steps]
    names = {name: name for name in outputs if name in agent.slots and agent.slots[name].found}
    for does in done:
        if isinstance(does, UseTool) and does.tool == tool:
            names |= {output: slot for output, slot in does.into.items() if output in outputs}
    return {slot: outputs[name] for name, slot in names.items()}


def _set_by(agent: Agent, step: str) -> dict[str, Any]:
    flow, _, name = step.partition(".")
    if flow not in agent.flows or name not in agent.compiled[flow].places:
        return {}
    does = agent.compiled[flow][name].does
    return dict(does.values) if isinstance(does, SetValues) else {}
