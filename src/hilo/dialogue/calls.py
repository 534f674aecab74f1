"""Ordering a tool: what it is called with, and the gate that decides whether it may run at all."""

import hashlib
import json
from typing import Literal

from hilo.agent.declaration import CONSENT, Agent
from hilo.agent.instructions import UseTool
from hilo.agent.texts import placeholders
from hilo.agent.values import Value
from hilo.dialogue.draft import Draft, known, less
from hilo.dialogue.effects import RunTool
from hilo.dialogue.session import Running, Session, Yes

NO_YES = "the contact has not said yes to what is in force now"


def digest(*parts: object) -> str:
    """A short fingerprint of plain values."""
    plain = json.dumps(parts, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(plain.encode(errors="surrogatepass")).hexdigest()[:16]


def bound_slots(agent: Agent, session: Session, template: str = "") -> tuple[str, ...]:
    """What a yes is given for: filled slots that contacts are asked for or the summary shows."""
    bound = placeholders(agent.templates[template]) if template else set()
    for flow in agent.flows.values():
        bound |= set(flow.collects)
    return tuple(sorted(bound & session.slots.keys()))


def shown_digest(session: Session, template: str, bound: tuple[str, ...]) -> str:
    """Binds a yes to values: other values, another digest. Slots that were empty do not count."""
    return digest(template, [(name, session.slots.get(name)) for name in bound])


def refusal(draft: Draft, tool: str) -> str:
    """Why a tool may not run now; nothing when it may."""
    spec = draft.agent.toolbox.get(tool)
    if spec is None:
        return f"there is no tool {tool}"
    if spec.operator:
        return f"{tool} is for operators"
    if tool not in draft.agent.tools_in(draft.session.mode):
        return f"{tool} is not allowed in the mode {draft.session.mode}"
    if draft.session.holder != "agent" and spec.writes:
        return "an operator holds the session, and this tool writes"
    if spec.needs_yes and not consent(draft):
        return NO_YES
    return ""


def consent(draft: Draft) -> Literal["contact", "silence", ""]:
    """Whose yes is in force: of the flow that runs, or of one that called it."""
    for frame in reversed(draft.session.stack):
        yes = frame.yes
        if yes and shown_digest(draft.session, yes.template, yes.bound) == yes.digest:
            return yes.by
        if not frame.called:
            return ""
    return ""


def taken_for_granted(draft: Draft) -> Yes:
    """The yes that a timer gives for a silent contact, to what they were asked for, as it is."""
    bound = bound_slots(draft.agent, draft.session)
    return Yes("", shown_digest(draft.session, "", bound), bound, by="silence")


def order(draft: Draft, call: UseTool, *, attempt: int = 1) -> None:
    """Order the call of the step under way, through the gate; a repeated call keeps its id."""
    ordered = step_call(draft, call)
    draft.effects.append(ordered)
    draft.progress.running = (Running(ordered.call_id, call.tool, attempt),)


def step_call(draft: Draft, call: UseTool) -> RunTool:
    """The call that the step under way would make now.

    It is given what the file says, slot names taken for their values; other parameters take the
    slot of their name, and the parameter `consent` is told whose yes is in force.
    """
    slots, parameters = draft.session.slots, draft.agent.toolbox[call.tool].parameters
    given: dict[str, Value | None] = {}
    for name in less(parameters, *call.arguments):
        given[name] = slots.get(name)
    for name, value in call.arguments.items():
        given[name] = slots.get(value) if value in draft.agent.slots else value
    if CONSENT in parameters:
        given[CONSENT] = consent(draft)
    arguments = known(given)
    frame = draft.session.stack[-1]
    said = {name: str(value) for name, value in arguments.items()}
    call_id = digest(draft.session.id, draft.ordered_in, f"{frame.flow}.{frame.step}", call.tool, said)
    return RunTool(call_id, call.tool, arguments)
