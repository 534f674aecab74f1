"""Whether a step came out as expected; each difference is a sentence."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import chain
from typing import Any

from hilo.agent.declaration import Agent
from hilo.agent.values import Accepted, Value, accept
from hilo.dialogue.effects import Complete
from hilo.dialogue.session import AskedSlot, Session
from hilo.messages import Outbound
from hilo.recognisers.normalise import fold
from hilo.testing.script import Expect, Expected
from hilo.turn.run import TurnResult
from hilo.turn.trace import describe


@dataclass(frozen=True, slots=True)
class Heard:
    """What a step came to: the session after it, and its turns (none when nothing fell due)."""

    agent: Agent
    session: Session
    results: tuple[TurnResult, ...]

    @property
    def replies(self) -> tuple[Outbound, ...]:
        """All messages of the agent."""
        return tuple(chain.from_iterable(result.replies for result in self.results))

    @property
    def reply(self) -> str:
        """All that the agent said."""
        return "\n".join(reply.text for reply in self.replies)

    @property
    def buttons(self) -> tuple[str, ...]:
        """The titles that were offered."""
        buttons = chain.from_iterable(reply.buttons for reply in self.replies)
        return tuple(button.title for button in buttons)


def differences(expect: Expect, heard: Heard) -> tuple[str, ...]:
    """What is not as expected, one sentence each."""
    found: list[str] = []
    for each in fields(expect):
        value = getattr(expect, each.name)
        if value is not None:
            found += [f"expected {what}" for what in _CHECKS[each.name](value, heard)]
    return tuple(found)


# --- what was said --------------------------------------------------------------------------------------


def _mentions(words: tuple[str, ...], heard: Heard) -> Iterator[str]:
    for word in words:
        if not says(heard.reply, word):
            yield f"the reply to mention “{word}”, but {_quoted(heard.reply)}"


def _omits(words: tuple[str, ...], heard: Heard) -> Iterator[str]:
    for word in words:
        if says(heard.reply, word):
            yield f"the reply not to mention “{word}”, but {_quoted(heard.reply)}"


def says(text: str, phrase: str) -> bool:
    """Whether a text has a phrase as whole words; case, accents and line breaks do not matter."""
    wanted = " ".join(fold(phrase).split())
    before, after = (r"\b" if wanted[place : place + 1].isalnum() else "" for place in (0, len(wanted) - 1))
    found = " ".join(" ".join(map(fold, text.splitlines())).split())
    return re.search(before + re.escape(wanted) + after, found) is not None


def _quoted(reply: str) -> str:
    return f"it says “{' / '.join(reply.splitlines())}”" if reply else "nothing was said"


def _silent(silent: bool, heard: Heard) -> Iterator[str]:  # noqa: FBT001 -- the value of `silent:`
    if silent == bool(heard.reply):
        yield f"{'no' if silent else 'a'} reply, but {_quoted(heard.reply)}"


def _buttons(titles: tuple[str, ...], heard: Heard) -> Iterator[str]:
    if [*map(fold, titles)] != [*map(fold, heard.buttons)]:
        yield f"the buttons {_listed(titles)}, but there are {_listed(heard.buttons)}"


# --- where the session stands ---------------------------------------------------------------------------


def _asked(wanted: str, heard: Heard) -> Iterator[str]:
    found = asked(heard.session)
    if found != wanted:
        yield f"{_question(wanted)}, but there is {_question(found)}"


def asked(session: Session) -> str:
    """The question that is open: a slot, `yes` (to a summary), `which` (slot to change) or `none`."""
    pending = session.pending
    if pending is None:
        return "none"
    return pending.slot if isinstance(pending, AskedSlot) else pending.kind


def _question(name: str) -> str:
    return "no open question" if name == "none" else f"a question for `{name}`"


def _slots(values: dict[str, Expected], heard: Heard) -> Iterator[str]:
    for name, value in values.items():
        wanted, found = _kept(value, name, heard.agent), heard.session.slots.get(name)
        if wanted != found or isinstance(wanted, bool) != isinstance(found, bool):
            yield f"`{name}` to be {_value(wanted)}, but it is {_value(found)}"


def _kept(value: Expected, name: str, agent: Agent) -> Value | None:
    """The form in which the slot keeps a value, so that authors write it as they like."""
    result = accept(agent.slots[name], value, country=agent.country) if value is not None else None
    return result.value if isinstance(result, Accepted) else value


def _value(value: Value | None) -> str:
    return "empty" if value is None else f"“{value}”"


def _state(state: str, heard: Heard) -> Iterator[str]:
    if heard.session.state != state:
        yield f"the state {state}, but it is {heard.session.state}"


def _mode(mode: str, heard: Heard) -> Iterator[str]:
    if heard.session.mode != mode:
        yield f"the mode {mode}, but it is {heard.session.mode or 'none'}"


def _handed_off(wanted: bool | str, heard: Heard) -> Iterator[str]:  # noqa: FBT001 -- the value of `handed_off:`
    handoff = heard.session.handoff
    if handoff is None:
        by = f" by `{wanted}`" if isinstance(wanted, str) else ""
        if wanted is not False:
            yield f"a handoff{by}, but the agent holds the session"
    elif wanted is False:
        yield f"no handoff, but there was one by `{handoff.policy}`: {handoff.reason}"
    elif wanted not in {True, handoff.policy}:
        yield f"a handoff by `{wanted}`, but it was by `{handoff.policy}`"


# --- how it came about ----------------------------------------------------------------------------------


def _nodes(names: tuple[str, ...], heard: Heard) -> Iterator[str]:
    visited = list(chain.from_iterable(result.trace.path for result in heard.results))
    rest = iter(visited)
    missing = next((name for name in names if name not in rest), None)  # `in` uses the iterator up: order matters
    if missing is not None:
        yield f"the nodes {_listed(names, ' → ')}, but `{missing}` is missing in {_listed(visited, ' → ')}"


def _completed(flow: str, heard: Heard) -> Iterator[str]:
    effects = chain.from_iterable(result.decision.effects for result in heard.results)
    done = [effect.flow for effect in effects if isinstance(effect, Complete)]
    if flow not in done:
        yield f"the flow `{flow}` to be completed, but completed is {_listed(done)}"


def _refused(wanted: bool | int, heard: Heard) -> Iterator[str]:  # noqa: FBT001 -- the value of `refused:`
    refused = chain.from_iterable(result.trace.refused for result in heard.results)
    refusals = [f"{describe(each.command)}: {each.reason}" for each in refused]
    found, number = len(refusals), f"{wanted} times a"
    if isinstance(wanted, bool):  # whether there are any, however many
        found, number = bool(refusals), "a" if wanted else "no"
    if found != wanted:
        yield f"{number} refused command, but refused is {_listed(refusals)}"


def _listed(names: Iterable[str], between: str = ", ") -> str:
    return between.join(names) or "none"


_CHECKS: dict[str, Callable[[Any, Heard], Iterator[str]]] = {
    "mentions": _mentions,
    "omits": _omits,
    "asked": _asked,
    "slots": _slots,
    "state": _state,
    "mode": _mode,
    "handed_off": _handed_off,
    "nodes": _nodes,
    "silent": _silent,
    "completed": _completed,
    "buttons": _buttons,
    "refused": _refused,
}
