"""What an operator does to a session: takes it, has a tool run, gives it back."""

from hilo.dialogue.calls import digest
from hilo.dialogue.commands import CallTool
from hilo.dialogue.draft import Draft
from hilo.dialogue.effects import RunTool
from hilo.dialogue.escalation import Escalation, hand_off
from hilo.dialogue.events import OperatorCalled, OperatorTookOver, Released, ToolsReturned
from hilo.dialogue.flow import run
from hilo.dialogue.message import open_flow
from hilo.dialogue.modes import enter_mode, give_back
from hilo.dialogue.promises import start_timeout
from hilo.dialogue.session import Running, Unsaid
from hilo.dialogue.stack import drop_bound_to_modes
from hilo.dialogue.timers import start_timers
from hilo.dialogue.tool_proposals import keep_found, say_results
from hilo.dialogue.voice import remark, say_words

MAX_WORDS = 3000  # characters of what an operator has said on giving back


def on_operator(draft: Draft, event: OperatorTookOver | OperatorCalled | Released) -> None:
    """What an operator has done."""
    match event:
        case OperatorTookOver(operator=operator):
            if draft.session.holder == "agent" and draft.session.status in ("active", "paused"):
                hand_off(draft, Escalation("operator", f"{operator or 'an operator'} took over"), quietly=True)
        case OperatorCalled():
            _call(draft, event)
        case Released():
            _release(draft, event)


def _call(draft: Draft, event: OperatorCalled) -> None:
    """Run the tool: an operator may do so whoever holds the session and whatever its mode."""
    command = CallTool(event.tool, event.arguments)
    if draft.session.status == "closed":
        draft.log.refuse(command, "the session is closed")
    elif event.tool not in draft.agent.toolbox:
        draft.log.refuse(command, f"there is no tool {event.tool}")
    else:
        draft.log.accept(command)
        said = {name: str(value) for name, value in event.arguments.items()}
        call_id = digest(draft.session.id, draft.turn, "operator", event.tool, said)
        draft.effects.append(RunTool(call_id, event.tool, event.arguments))
        draft.progress.running = (Running(call_id, event.tool, operator=True, tell=event.tell),)


def on_operator_result(draft: Draft, running: Running, event: ToolsReturned) -> None:
    """Keep what it found, and tell the contact if that was wanted; the conversation stays where it stands."""
    draft.progress.running = ()
    result = next((each for each in event.results if each.call_id == running.call_id), None)
    if result is None or not result.ok:
        draft.log.errors.append(f"{running.tool}: {result.error if result else 'it gave no result'}")
        return
    keep_found(draft, result)
    if running.tell:
        draft.progress.unsaid = (Unsaid(running.tool, dict(result.outputs)),)
        say_results(draft)


def _release(draft: Draft, event: Released) -> None:
    """The agent goes on, in the mode that was chosen, after the tools that were named."""
    if draft.session.status != "handed_off":
        return
    draft.session.status = "active"
    draft.session.holder = "agent"
    draft.session.handoff = None
    draft.count(invalid={}, without_progress=0, errors=0, failures=0)
    if event.text.strip():
        say_words(draft, event.text.strip()[:MAX_WORDS], by="operator")
    else:
        remark(draft, "released")
    _choose_mode(draft, event.mode)
    open_flow(draft)
    start_clocks(draft)
    for tool in event.calls:
        _call_on_release(draft, CallTool(tool))
    if not draft.progress.running:
        run(draft)


def _call_on_release(draft: Draft, command: CallTool) -> None:
    """An operator's call, whose result is the agent's to tell."""
    if command.tool not in draft.agent.toolbox:
        draft.log.refuse(command, f"there is no tool {command.tool}")
        return
    draft.log.accept(command)
    call_id = digest(draft.session.id, draft.turn, "release", command.tool, {})
    draft.effects.append(RunTool(call_id, command.tool, {}))
    draft.progress.running = (*draft.progress.running, Running(call_id, command.tool, proposed=True))


def _choose_mode(draft: Draft, mode: str) -> None:
    """The mode that was chosen, if what it needs is there: nobody skips it. Otherwise the first one."""
    agent = draft.agent
    if not agent.modes or not (mode or draft.session.mode == agent.operator_mode):
        return
    chosen = mode if mode in agent.modes.keys() - {agent.operator_mode} else ""
    reason = give_back(draft, chosen) if chosen else ""
    if reason or not chosen:
        draft.log.errors += [f"release: {reason}"] if reason else []
        enter_mode(draft, agent.first_mode)
        drop_bound_to_modes(draft)


def start_clocks(draft: Draft) -> None:
    """Start the timers again."""
    start_timers(draft)
    if draft.session.stack:
        start_timeout(draft)
