"""A contact who wants out: to be written to no more, or that what we noted of them is deleted. Every agent hears it."""

import re
from functools import lru_cache

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import Command, EraseData, OptOut
from hilo.dialogue.session import Session
from hilo.recognisers.normalise import Text
from hilo.understanding.extraction import in_play
from hilo.understanding.ordering import ordered_lines
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.reading import Reading

_BESIDE = re.compile(r"\b(?:por favor|porfa|gracias|please|thanks|thank you|obrigad[oa])\b|[^\w\s]")
# Words that mean this only where the business has written by itself: "baja" and "alta" may be anything elsewhere.
_OUT = frozenset({
    *("baja", "stop", "dar de baja", "darme de baja", "quiero darme de baja"),
    *("unsubscribe", "opt out", "sair", "descadastrar"),
})  # fmt: skip
_BACK = frozenset({"alta", "start", "subscribe", "opt in", "quiero volver a recibir mensajes", "voltar"})
# What is supposed, doubted or asked about is no wish: "si borran mis datos…", "no borren mis datos", "¿cómo borro…?"
_SUPPOSED = re.compile(r"\b(?:si|cuando|if|when|se|quando)\b[^,.;!]*$")
_NEGATED = re.compile(r"\b(?:no|not|don t|dont|nao|sin)(?:\s+\w+){0,2}\s*$")
_ASKS = re.compile(r"(?:(?:y|pero|and|but) )?(?:como|cuando|donde|por que|cual|quien|how|when|where|why|what|who)\b")
_POLITELY = re.compile(r"\b(?:puede[ns]?|podes|podrian?|podrias|quiero|can you|could you|podem?)\b")
_WORD_OR_MARK = re.compile(r"\w+|[,.;!?]")
SURE_OF_A_FLOW = 85
LONGEST = 160  # characters: what is longer tells a story, in which nobody is asked to do so


def wants_out(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """Whether a contact wants to be left alone, or forgotten; or written to again, where the business had begun."""
    under_way = {frame.flow for frame in session.stack}
    if reading.confidence >= SURE_OF_A_FLOW and reading.intent in agent.flows.keys() - under_way:
        return ()  # the author has something for it: "sacame de la lista de espera"
    if session.left == "opted_out" and not session.slots and pattern_of("erased").search(reading.text.folded):
        return (EraseData(),)  # "¿me borraste o no?": it says that nothing is there any more
    out = _asks_to_be_left(reading.text)
    if OptOut() in out and _wants_something(agent, session, reading):
        return ()  # "no quiero más promociones, la de dos y ya" goes on
    return out or _answers_business(agent, session, reading)


def _wants_something(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a message orders or chooses something beside it: who does that does not want out."""
    left = pattern_of("leave alone").search(reading.text.folded)
    if left is None:
        return False
    choices = [name for name in in_play(agent, session, reading) if agent.slots[name].kind.sort == "choice"]
    found = [each for name in choices for each in reading.values.of(agent.slots[name])]
    wanted = [(each.start, each.end) for each in found]
    wanted += [(each.start, each.end) for each in ordered_lines(agent, session, reading)]
    return any(end <= left.start() or start >= left.end() for start, end in wanted)


@lru_cache(maxsize=64)
def _asks_to_be_left(written: Text) -> tuple[Command, ...]:
    text = " ".join(_WORD_OR_MARK.findall(written.folded))
    if len(text) > LONGEST:
        return ()
    erased = pattern_of("erase").search(text)
    asks = "?" in written.raw or _ASKS.match(text) is not None
    if erased and (not asks or _POLITELY.search(text)):
        before = text[: erased.start()]
        if not _SUPPOSED.search(before) and not _NEGATED.search(before):
            return (EraseData(),)
    left = pattern_of("leave alone").search(text)
    if left is None or asks or _SUPPOSED.search(text[: left.start()]):
        return ()
    rest = f"{text[: left.start()]} {text[left.end() :]}"
    return () if pattern_of("on terms").search(rest) else (OptOut(),)


def _answers_business(agent: Agent, session: Session, reading: Reading) -> tuple[OptOut, ...]:
    """What a message chooses, where the business has written by itself, or may have before and nothing else is open."""
    is_open = session.pending is not None or bool(session.stack)
    if session.called_at is None and (is_open or not agent.campaigns):
        return ()
    said = " ".join(_BESIDE.sub(" ", reading.text.folded).split())
    if said in _OUT:
        return (OptOut(),)
    return (OptOut(back=True),) if said in _BACK else ()
