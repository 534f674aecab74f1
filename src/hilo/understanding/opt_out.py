"""A contact who wants no messages that the business begins, or wants them again: said with nothing else."""

import re

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import OptOut
from hilo.dialogue.session import Session
from hilo.understanding.reading import Reading

_BESIDE = re.compile(r"\b(?:por favor|porfa|gracias|please|thanks|thank you|obrigad[oa])\b|[^\w\s]")
_OUT = frozenset({
    *("baja", "stop", "dar de baja", "darme de baja", "quiero darme de baja", "denme de baja", "dame de baja"),
    *("no me escriban", "no me escriban mas", "no me escribas mas", "no escriban mas", "dejen de escribirme"),
    *("no quiero mas mensajes", "no quiero recibir mas mensajes", "no quiero recibir mensajes", "no mas mensajes"),
    *("unsubscribe", "opt out", "remove me", "stop writing to me", "no more messages", "stop messaging me"),
    *("sair", "descadastrar", "nao me escrevam mais", "nao quero mais mensagens"),
})  # fmt: skip
_BACK = frozenset({"alta", "start", "subscribe", "opt in", "quiero volver a recibir mensajes", "voltar"})


def opt_out(agent: Agent, session: Session, reading: Reading) -> tuple[OptOut, ...]:
    """What a message chooses, where the business has written by itself, or may have before and nothing else is open.

    Elsewhere "baja" may be anything.
    """
    is_open = session.pending is not None or bool(session.stack)
    if session.called_at is None and (is_open or not agent.campaigns):
        return ()
    said = " ".join(_BESIDE.sub(" ", reading.text.folded).split())
    if said in _OUT:
        return (OptOut(),)
    return (OptOut(back=True),) if said in _BACK else ()
