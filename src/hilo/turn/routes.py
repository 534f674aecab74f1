"""Where a turn goes next: plain functions of the state, each tested on its own."""

from hilo.dialogue.commands import CorrectSlot, Digress, SetSlot
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import (
    Ask,
    AskArgument,
    AskMeaning,
    AskSwitch,
    AskWhich,
    AskYes,
    Complete,
    HandOff,
    RunTool,
)
from hilo.dialogue.effects import Say as SayEffect
from hilo.dialogue.events import MessageReceived
from hilo.turn.graph import END
from hilo.turn.state import TurnState


def is_answerable(state: TurnState) -> bool:
    """Whether this is a message that the agent may answer; everything else goes straight to the dialogue."""
    session = state["session"]
    return isinstance(state["event"], MessageReceived) and session.status == "active" and session.holder == "agent"


def route_after_escalation_check(state: TurnState) -> str:
    """A policy that asks for a person ends the matter."""
    if state.get("escalation"):
        return "escalate"
    return "understand" if is_answerable(state) else "decide"


def route_after_understand(state: TurnState) -> str:
    """An exact signal, such as a pressed button, needs no further reading."""
    return "validate" if state.get("commands") and _is_exact(state) else "check_correction"


def _is_exact(state: TurnState) -> bool:
    """A pressed button, or an answer that fits its pattern: nothing else has given a value by now."""
    event = state["event"]
    pressed = isinstance(event, MessageReceived) and bool(event.payload)
    return pressed or any(isinstance(each, SetSlot | CorrectSlot) for each in state["commands"])


def route_after_correction_check(state: TurnState) -> str:
    """A correction is extracted like an answer, whatever was asked."""
    return "extract_field" if state.get("correction") else "check_off_topic"


def route_after_off_topic_check(state: TurnState) -> str:
    """What is off the subject has no value to extract; the beginning of a long message may have one."""
    digressions = {each.kind for each in state.get("commands", ()) if isinstance(each, Digress)}
    if not digressions - {"too_long"}:
        return "extract_field"
    return "ask_model" if wants_model(state) else "decide"


def route_after_extraction(state: TurnState) -> str:
    """What was read for sure needs no model."""
    return "ask_model" if wants_model(state) else "validate"


def wants_model(state: TurnState) -> bool:
    """Whether there is a model to ask, and reason to."""
    return state.get("model", "off") in ("router", "loop") and not state["sure"]


def open_calls(decision: Decision) -> tuple[RunTool, ...]:
    """The calls that the dialogue waits for."""
    wanted = [each.call_id for each in decision.progress.running]
    calls = [each for each in decision.effects if isinstance(each, RunTool)]
    # the effects of a turn pile up, and the calls made earlier in it stand first
    return tuple(calls[-len(wanted) :]) if wanted else ()


def route_after_decide(state: TurnState) -> str:
    """Tools first; then the node that composes the reply, by what the dialogue ordered last."""
    if open_calls(state["decision"]):
        return "execute_tools"
    if state["decision"].progress.model_turn_open:
        return "hear_model"
    effects = state["decision"].effects
    # what was ordered last is what the contact is left with
    for effect in reversed(effects):
        match effect:
            case HandOff():
                return "escalate"
            case Ask() | AskWhich() | AskSwitch() | AskArgument() | AskMeaning():
                return "prompt_next"
            case AskYes():
                return "confirm_action"
            case Complete():
                return "complete"
            case _:
                continue
    if not any(isinstance(effect, SayEffect) for effect in effects):
        return END
    return "complete" if state["decision"].session.finished else "generate"
