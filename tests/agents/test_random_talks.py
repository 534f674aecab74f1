"""Random talks with the shipped agents: never an exception, never silence, never a changed past."""

import random
from datetime import timedelta
from pathlib import Path

import pytest

from hilo.app import load_agent
from hilo.dialogue.events import MessageReceived
from hilo.dialogue.session import Session, from_json, to_json
from hilo.dialogue.states import RESTING
from hilo.testing import Conversation
from hilo.turn.run import Turn, TurnResult

AGENTS = Path(__file__).parents[2] / "agents"
MESSAGES = """\
hola|sí|no|cancelar|quiero reservar un vuelo|quiero cambiar mi vuelo|quiero cancelar mi vuelo|de Madrid a Bogotá|Lima|
San José|mañana|el 20 de marzo|solo ida|ida y vuelta|2|9|Ana Ruiz|DEMO22|ABC234|no, mi nombre es Luis|eso está mal|
en realidad somos 3|no sé|gracias|qué equipaje puedo llevar|a@b.co|pizza|me equivoqué en la fecha|x|¿?|||
no, el destino es Lima|sí, pero mañana|3001234567|Acme SAS|5 mil|sos un gil|quiero hablar con una persona|ok pero no\
""".replace("\n", "").split("|")


async def step(talk: Conversation, chance: random.Random) -> TurnResult | None:
    """Something happens; the turn of a message, if it was one."""
    dice = chance.random()
    if dice < 0.78:
        return await talk.say(chance.choice(MESSAGES))
    if dice < 0.9:
        offered = [button.payload for entry in talk.transcript for button in entry.buttons] or ["yes:x"]
        event = MessageReceived(talk.clock.now(), "b", payload=chance.choice(offered))
        return await talk._run("contact", "b", event)  # noqa: SLF001 -- a button of any age
    if dice < 0.95:
        await talk.wait(timedelta(minutes=chance.choice([1, 11, 40])))
    elif dice < 0.97:
        await talk.operator_takes_over()
    else:
        await talk.release()
    return None


def awaits_word(session: Session) -> bool:
    """Whether the contact was not told yet that a person comes: once that may be said."""
    handoff = session.handoff
    return handoff is not None and not handoff.told and handoff.policy != "operator"


@pytest.fixture(scope="module", params=["leads", "vuelos"])
def turn(request: pytest.FixtureRequest) -> Turn:
    return load_agent(AGENTS / request.param).turn


@pytest.mark.parametrize("seed", range(60))
async def test_any_talk_is_answered(turn: Turn, seed: int) -> None:
    talk, chance = Conversation(turn), random.Random(seed)  # noqa: S311 -- for variety, not for secrets
    for _ in range(20):
        before, stored = talk.session, to_json(talk.session)
        result = await step(talk, chance)
        assert to_json(before) == stored
        assert talk.session.state in RESTING
        assert from_json(to_json(talk.session)) == talk.session
        if result is not None and before.agent_holds:
            assert result.replies
        elif result is not None and not awaits_word(before):
            assert not result.replies
        assert result is None or "{" not in "".join(reply.text for reply in result.replies)
