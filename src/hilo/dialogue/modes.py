"""Modes: the business states of a session, changed only as declared, their needs met."""

from hilo.agent.guards import holds, names_in
from hilo.agent.mode_ways import ways
from hilo.agent.modes import Mode
from hilo.dialogue.draft import Draft, without
from hilo.dialogue.opening import known_to_guards
from hilo.dialogue.session import sent_before
from hilo.dialogue.stack import drop_bound_to_modes, push
from hilo.dialogue.timers import cancel_timers
from hilo.dialogue.tool_questions import forget_questions
from hilo.dialogue.wording import knows_all, remark, say

NO_MODE = Mode()  # what an agent without modes is in


def current_mode(draft: Draft) -> Mode:
    """What the author says of the mode that the session is in."""
    return draft.agent.modes.get(draft.session.mode, NO_MODE)


def _is_met(draft: Draft, need: str) -> bool:
    if need in draft.agent.slots:
        return need in draft.session.slots
    if need in draft.agent.templates:
        return _was_said(draft, need)
    said = {name: _was_said(draft, name) for name in names_in(need) & draft.agent.templates.keys()}
    held = holds(need, {**said, **known_to_guards(draft)})
    draft.log.guards.append((f"mode {draft.session.mode}", need, held))
    return held


def _was_said(draft: Draft, template: str) -> bool:
    """Whether a template was said in this session."""
    before = sent_before(draft.session).get(template, 0)
    return draft.session.templates_sent.get(template, 0) > before


def enter_mode(draft: Draft, mode: str) -> None:
    """Be in a mode; the promises of the one that is left are off."""
    before = draft.session.mode
    cancel_timers(draft, f"timer.{before}.")
    draft.log.modes.append((before, mode))
    # The chances of its own timers are counted afresh.
    own = [name for name in draft.session.fired if name.startswith(f"{mode}.")]
    draft.session.fired = without(draft.session.fired, *own)
    draft.session.mode = mode
    if mode == draft.agent.first_mode:
        forget_questions(draft)  # what was ordered is done or given up


def change_mode(draft: Draft, mode: str) -> str:
    """Enter a mode, and do what it says for that; the reason where it may not be entered."""
    before = draft.session.mode
    if mode == before:
        return ""
    if mode == draft.agent.operator_mode:
        return f"only a handoff leads to {mode}"
    if mode not in ways(draft.agent, before):
        return f"{before} does not lead to {mode}"
    if reason := _lack(draft, mode):
        return reason
    enter_mode(draft, mode)
    if not draft.session.stack:
        # Outside of flows another mode is another matter: what is known may change again.
        slots = draft.agent.slots
        still = [name for name in draft.session.written if name in slots and not slots[name].keep]
        draft.session.written = tuple(still)
    _greet(draft, mode)
    return ""


def give_back(draft: Draft, mode: str) -> str:
    """Enter a mode from a person's hands: any that lacks nothing; the reason where it does."""
    reason = _lack(draft, mode)
    if not reason:
        enter_mode(draft, mode)
        drop_bound_to_modes(draft)
        _greet(draft, mode)
    return reason


def _lack(draft: Draft, mode: str) -> str:
    """What a mode requires and lacks: slots, templates to be said, guards to hold."""
    missing = [need for need in draft.agent.modes[mode].requires if not _is_met(draft, need)]
    draft.log.unmet += [(mode, need) for need in missing]
    return f"{mode} needs {', '.join(missing)}" if missing else ""


def _greet(draft: Draft, mode: str) -> None:
    """Say what a mode says, and begin the flow that it begins with, over again if it is under way.

    What was given for the flow ahead of its first time counts.
    """
    entrance = draft.agent.modes[mode].entrance
    if entrance.say:
        say(draft, entrance.say)
    if not entrance.start:
        return
    stack, flow = draft.session.stack, entrance.start
    flows = draft.session.flows
    place = flows.index(flow) if flow in flows else len(flows)
    for above in flows[place:]:
        cancel_timers(draft, f"wait.{above}.")
    draft.session.stack = stack[:place]
    push(draft, flow, anew=flow in flows or flow in draft.session.finished)


def before_tool(draft: Draft, tool: str) -> None:
    """Some tools belong to another mode, which asking for them leads to."""
    agent, mode = draft.agent, draft.session.mode
    if tool in agent.tools_in(mode):
        return
    target = agent.mode_for(mode, tool)
    if target and tool in agent.tools_in(target) and (reason := change_mode(draft, target)):
        draft.log.errors.append(f"before {tool}: {reason}")


def after_tool(draft: Draft, tool: str) -> None:
    """Some tools lead to another mode by having been done."""
    target = current_mode(draft).after.get(tool)
    if target and (reason := change_mode(draft, target)):
        draft.log.errors.append(f"after {tool}: {reason}")


def bridge(draft: Draft, *, as_remark: bool = False) -> bool:
    """Lead back to what is open after a digression; as a remark before the open question. Whether there is a way."""
    words = current_mode(draft).bridge
    if not words or not knows_all(draft, words):
        return False
    if as_remark:
        return remark(draft, words)
    say(draft, words)
    return True
