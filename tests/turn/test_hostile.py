"""What authors, tools and buttons may do wrong without losing a message."""

import time
from dataclasses import replace
from decimal import Decimal
from typing import Any, get_args

import pytest
from turn_states import LEADS, NOW, session

from hilo.agent.declaration import CustomNode
from hilo.dialogue.commands import Affirm, CallTool, Command, CorrectSlot, Deny, Digress, OfferValues, SetSlot
from hilo.dialogue.events import MessageReceived
from hilo.dialogue.stored import validated
from hilo.turn.run import Turn
from hilo.turn.state import TurnState

CUSTOM = replace(LEADS, nodes=(CustomNode(node="nodes.py:odd", after="understand"),))


RUBBISH: tuple[Any, ...] = (
    *(5, "abc", (None,), (object(),), {"a": 1}, SetSlot("name", "Ana")),
    *((SetSlot("name", None),), (SetSlot([], 1),)),  # type: ignore[arg-type]
    *((Digress("weird"),), (OfferValues("name", None),), (OfferValues("name", (1, 2)),)),  # type: ignore[arg-type]
)


@pytest.mark.parametrize("proposed", RUBBISH)
async def test_a_node_that_returns_rubbish_is_recorded_and_passed_over(proposed: Any) -> None:
    async def odd(_state: TurnState) -> Any:
        return proposed

    result = await Turn(CUSTOM, custom={"odd": odd}).run(session(), MessageReceived(NOW, "soy Juan"), engine="walk")
    assert result.session.slots == {"name": "Juan"}
    assert result.trace.errors


async def test_a_node_cannot_write_into_the_session() -> None:
    async def odd(state: TurnState) -> tuple[()]:
        state["session"].slots["email"] = "HACK"  # type: ignore[index]
        return ()

    result = await Turn(CUSTOM, custom={"odd": odd}).run(session(), MessageReceived(NOW, "soy Juan"), engine="walk")
    assert "email" not in result.session.slots


KINDS = get_args(Digress.__dataclass_fields__["kind"].type)
COMMANDS = (SetSlot("a", 1), SetSlot("a", Decimal("1.10")), CorrectSlot(), CorrectSlot("a", "b"), Affirm(), Deny("x"))
CALL = CallTool("t", {"tags": ["a", {"b": 1.5}], "pair": ("x", None)}, "1")


@pytest.mark.parametrize("command", [*COMMANDS, CALL, *map(Digress, KINDS)], ids=repr)
def test_every_command_is_valid(command: Command) -> None:
    assert repr(validated(Command, command)) == repr(command)


@pytest.mark.parametrize(
    "proposal",
    [
        *(None, "SetSlot", {"is": "Affirm"}, MessageReceived(NOW, "hola"), SetSlot),
        *(SetSlot("a", None), SetSlot(1, "a"), SetSlot("a", 1.5), Digress("weird")),  # type: ignore[arg-type]
        *(CallTool("t", ["a"]), CallTool("t", {1: "a"}), CallTool("t", {"a": {1, 2}})),  # type: ignore[arg-type, dict-item]
    ],
    ids=repr,
)
def test_what_is_no_command_is_refused(proposal: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        validated(Command, proposal)


@pytest.mark.parametrize(
    "payload", ["yes", "no", "yes:forged", "correct:nope", "set:nope:x", "set:", "set:email:x", ":::", "yes:" * 50]
)
async def test_a_forged_button_changes_nothing(payload: str) -> None:
    result = await Turn(LEADS).run(session(), MessageReceived(NOW, "x", payload=payload))
    assert result.session.slots == {}
    assert result.replies


LONG = (
    *("a", "1", "1 ", "de ", "si ", "2 cocas y una fanta, ", "@", "a@a."),
    *("el lunes 5 de mayo a las 5 ", "calle 10 #43-12 ", "😀"),
)


@pytest.mark.parametrize("piece", LONG)
async def test_a_hundred_kilobytes_of_anything_are_read_quickly(piece: str) -> None:
    turn, message, times = Turn(LEADS), MessageReceived(NOW, piece * (100_000 // len(piece))), []
    for _ in range(3):  # the first one makes tables, and any may meet the garbage collector
        started = time.process_time()
        result = await turn.run(session(), message, engine="walk")
        times.append(time.process_time() - started)
        assert result.replies
    assert min(times) < 0.1
