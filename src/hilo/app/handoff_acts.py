"""What a person does to a handoff from outside of the panel: found by the beginning of its id, taken, given back."""

from collections.abc import Sequence
from dataclasses import dataclass

from hilo.dialogue.events import OperatorTookOver, Released
from hilo.errors import HiloError
from hilo.ids import new_id
from hilo.store.handoffs import (
    ID_PREFIX,
    HandoffEnding,
    StoredHandoff,
    find_handoff,
    offers,
    one_handoff,
    resolve_alone,
    unknown_choice,
)
from hilo.workers.intake import Intake

SHORT = 8
MAX_MESSAGE, MAX_RESOLUTION, MAX_NAME = 3000, 1000, 100


@dataclass(frozen=True, slots=True)
class GivingBack:
    """How a session goes back to its agent."""

    mode: str = ""
    calls: Sequence[str] = ()
    message: str = ""  # what the contact is told
    resolution: str = ""  # what became of it, for your own records


@dataclass(frozen=True, slots=True)
class HandoffActs:
    """Acts on the handoffs of one workspace. They happen in the session's next turn."""

    intake: Intake
    workspace: str

    async def find(self, beginning: str) -> StoredHandoff:
        """The one whose id begins like this; raises HiloError where there is none, or several."""
        names = await self.intake.store.run(find_handoff, self.workspace, beginning) if beginning else ()
        if len(names) > 1:
            raise HiloError(f"{beginning} may be several handoffs: {', '.join(names)}")
        found = await self.intake.store.run(one_handoff, self.workspace, names[0]) if names else None
        if found is None:
            raise HiloError(f"there is no handoff {beginning or 'without an id'}")
        return found

    async def take(self, found: StoredHandoff, *, operator: str) -> None:
        """An operator answers from now on."""
        if found.status != "pending":
            raise HiloError(f"the handoff {_short(found)} is {found.status} already")
        if not found.session:
            raise HiloError(f"{_short(found)} has no session: call the contact, then release it")
        event = OperatorTookOver(self.intake.clock.now(), operator[:MAX_NAME])
        await self.intake.event(self.workspace, found.session, event, external_id=new_id("act"))

    async def release(self, found: StoredHandoff, back: GivingBack, *, operator: str) -> None:
        """The handoff ends, and the agent answers again."""
        if found.status == "resolved":
            raise HiloError(f"the handoff {_short(found)} is over already")
        message, resolution = back.message.strip(), back.resolution.strip()
        if len(message) > MAX_MESSAGE or len(resolution) > MAX_RESOLUTION:
            raise HiloError(f"a message has at most {MAX_MESSAGE} characters, a resolution {MAX_RESOLUTION}")
        ending = HandoffEnding(found.id, found.session, operator[:MAX_NAME], resolution)
        if not found.session:
            await self._end_alone(ending, back)
            return
        known = await self.intake.store.run(offers, self.workspace, found.session)
        if wrong := unknown_choice(known, mode=back.mode, tools=back.calls):
            raise HiloError(wrong)
        event = Released(self.intake.clock.now(), back.mode, tuple(back.calls), message)
        await self.intake.ending(self.workspace, ending, event, external_id=new_id("act"))

    async def _end_alone(self, ending: HandoffEnding, back: GivingBack) -> None:
        if back.mode or back.calls or back.message:
            raise HiloError("this handoff has no session: no mode, call or message can be chosen")
        await self.intake.store.run(resolve_alone, self.workspace, ending, now=self.intake.clock.now())


def _short(handoff: StoredHandoff) -> str:
    """As lists show its id; so much of it is enough to find it."""
    return handoff.id.removeprefix(ID_PREFIX)[:SHORT]
