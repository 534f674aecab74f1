"""Questions about the assistant itself, which every agent answers: what it can do, what it is, why it asks.

The plainest are known by their words, the others by what the corpus has taught of the standard intents.
"""

import re
from functools import lru_cache
from typing import Literal

from hilo.agent.declaration import Agent
from hilo.understanding.intents.encoder import Encoder, load_encoder
from hilo.understanding.intents.standard import STANDARD_INTENTS, probabilities_of
from hilo.understanding.reading import Reading, speaks_spanish
from hilo.understanding.trained.classifier import load_classifier

AboutUs = Literal["help", "bot", "why", "opens"]

SURE_ENOUGH = 0.5  # of a standard intent

_BEFORE = (
    r"(?:(?:hola|buenas|che|oye|oiga|disculpa|disculpe|perdon|una pregunta|hi|hello|hey|y|pero|por favor)[\s,.:!¿¡]+)*"
)
_AFTER = r"(?:[\s,]+(?:por favor|porfa|porfis|aca|aqui|por aca|por aqui|please|gracias|entonces|vos|tu|usted|che))*"
_CAN = r"(?:podes|puedes|puede|pueden|podrias|podria|sabes|sabe|saben)"
_YOU = r"(?:(?:vos|tu|usted|este|esto|ustedes)\s+)?"
_SHOW = r"(?:ver|dame|deme|pasame|mandame|mostrame|muestrame|muestreme|quiero|quiero ver)"
_HELP = (
    r"(?:necesito |quiero |dame |me das |pido )?(?:una )?(?:ayuda|ayudita|help)(?: me)?",
    r"(?:me |nos )?(?:ayudas|ayuda|ayudan|ayudarias|ayudaria)(?: (?:con algo|porfa|un poco))?",
    r"(?:" + _SHOW + r" )?(?:el )?menu(?: (?:principal|de opciones))?",
    r"(?:ver |mostrame |muestrame |cuales son )?(?:las |mis )?opciones(?: (?:hay|tengo|tienes|tenes|tienen))?",
    r"(?:que|q) (?:opciones|cosas|otras cosas) (?:hay|tengo|tienes|tenes|tienen|ofreces|ofrecen|" + _CAN + r" hacer)",
    _YOU
    + r"(?:que|q|k|en que|en q|con que|como) (?:cosas |mas )?(?:me |nos )?"
    + _CAN
    + r" (?:hacer|ayudar|ayudarme|ofrecer)"
    r"(?: (?:por mi|conmigo|vos|tu|usted))?",
    r"(?:que|q|k) (?:haces|hace|hacen|ofreces|sabes hacer)(?: vos| tu)?",
    r"(?:en que|con que) (?:me )?(?:ayudas|ayuda|ayudan)",
    r"(?:me )?(?:puedes|podes|puede|pueden|podrias|podria) (?:ayudar|ayudarme|ayudarnos)",
    r"(?:para que|pa que|como) (?:sirves|servis|sirve|funcionas|funciona|se usa)(?: (?:esto|este chat|este bot))?",
    r"(?:no se|no tengo idea) (?:que|como|por donde) (?:hacer|pedir|empezar|escribir|preguntar|seguir)",
    r"(?:que|what) (?:se puede hacer|can you do|do you do|puedo (?:pedir|preguntar|preguntarte|hacer|pedirte))",
    r"(?:i need |can you )?help(?: me)?",
)
_MACHINE = (
    r"(?:bot|robot|maquina|contestador(?: automatico)?|contestadora|ia|inteligencia artificial|programa|chatbot"
    r"|automatico|automatica)"
)
_SOMEBODY = r"(?:persona(?: real| de verdad)?|humano|humana|alguien(?: real)?|gente|de verdad|real)"
_ARE = r"(?:sos|eres|es|son|seras|sera|esto es|este es|acaso eres)"
_TALKING = (
    r"(?:estoy hablando|hablo|me estoy comunicando|chateo|me atiende|me esta respondiendo|me contesta|me responde)"
)
_BOT = (
    r"(?:bot|robot|chatbot|un bot|un robot)",
    _YOU
    + _ARE
    + r" (?:vos |tu |usted )?(?:un |una )?"
    + _MACHINE
    + r"(?: o (?:no|que|(?:un |una )?"
    + _SOMEBODY
    + r"))?",
    _YOU + _ARE + r" (?:vos |tu |usted )?(?:un |una )?" + _SOMEBODY + r" o (?:(?:un |una )?" + _MACHINE + r"|no|que)",
    r"(?:sos|eres|son|es usted|seras|acaso eres) (?:un |una )?" + _SOMEBODY,
    _ARE + r" (?:un |una )?(?:persona|alguien|humano) (?:real|de verdad)",
    r"(?:con quien|quien) " + _TALKING + r"(?: (?:yo|ahora))?",
    r"(?:con quien) (?:tengo el gusto)",
    _TALKING
    + r" (?:con )?(?:un |una )?(?:"
    + _MACHINE
    + r"|"
    + _SOMEBODY
    + r")(?: o (?:con )?(?:un |una )?(?:"
    + _MACHINE
    + r"|"
    + _SOMEBODY
    + r"|no|que))?",
    r"(?:hay|es) (?:alguien|una persona|un humano) (?:ahi|del otro lado|atras|detras)(?: o (?:es )?(?:un |una )?"
    + _MACHINE
    + r")?",
    r"(?:quien|que) (?:sos|eres|es usted)",
    r"are you (?:a |an )?(?:bot|robot|machine|human|person|real|real person|ai)(?: or .{1,20})?",
    r"(?:who am i|am i) (?:talking|speaking) (?:to|with)(?: (?:a |an )?(?:bot|robot|machine|human|person))?",
)


def _whole(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\W*{_BEFORE}(?:{'|'.join(patterns)}){_AFTER}\W*")


_WANT = r"(?:quer|quier|necesit|pid|ocup|precis)\w+"
_QUESTION = r"(?:pregunta|preguntita|consulta|consultita|duda)(?: rapida| mas)?"
_ASKS_TO_ASK = (  # what comes before a question, and is none
    r"(?:(?:tengo|otra|te hago|le hago|les hago|quiero|queria|quisiera|quiero hacer(?:te|le)?|queria hacer(?:te|le)?"
    r"|quisiera hacer(?:te|le)?|me surge|me queda|(?:te |le )?puedo hacer(?:te|le)?|es) )?(?:una|otra) " + _QUESTION,
    r"(?:(?:te |le )?(?:puedo|podria)|quiero|queria|quisiera) (?:preguntar|consultar)(?:te|le|les)?(?: algo)?",
    r"(?:disculp[ae]|oiga|oye)",
    r"(?:i have |can i ask |just )?(?:a|one|another) (?:quick )?question",
)
_WHY = (
    r"(?:y |pero )?(?:para que|pa que|por que|porque|pq|xq)(?: (?:eso|ese dato|tanto))?",
    r"(?:y )?(?:para que|pa que|por que|porque|pq|xq) (?:me |lo |la |los |las )?"
    + _WANT
    + r"(?: (?:mi|el|la|mis|los|las|ese|eso|tantos|tanto|un|una)\b.{0,30})?",
)
_ASKED: dict[AboutUs, re.Pattern[str]] = {
    "help": _whole(_HELP),
    "bot": _whole(_BOT),
    "why": _whole(_WHY),
    "opens": _whole(_ASKS_TO_ASK),
}
_STANDARD: dict[str, AboutUs] = {
    "ask_help": "help",
    "general_info": "help",
    "ask_if_bot": "bot",
    "ask_why_data": "why",
}
MACHINE = re.compile(_MACHINE)
LONGEST = 80  # characters: what is longer is about something else, too


def asked_about_us(agent: Agent, reading: Reading) -> AboutUs | None:
    """What a message asks about the assistant, if it is nothing but that."""
    if len(reading.text.folded) > LONGEST:
        return None
    known = known_by_words(reading.text.folded)
    if known or not speaks_spanish(agent) or not reading.text.raw.strip():
        return known
    # An agent without intents does not load the encoder for this alone.
    encoder = load_encoder() if agent.intents else None
    learnt = reading.values.said.once("about us", lambda: _learnt(reading.text.raw, encoder))
    if learnt == "general_info" and reading.meant:
        return None  # the agent has something to tell
    return _STANDARD.get(learnt)


@lru_cache(maxsize=64)
def known_by_words(folded: str) -> AboutUs | None:
    """The same by the words of the message alone."""
    text = " ".join(folded.split())
    if len(text) > LONGEST:
        return None
    return next((kind for kind, pattern in _ASKED.items() if pattern.fullmatch(text)), None)


def _learnt(text: str, encoder: Encoder | None) -> str:
    """The standard intent that the corpus takes a message for."""
    chances = probabilities_of(text, encoder.encode([text])[0] if encoder else None)
    best = int(chances.argmax())
    return load_classifier(STANDARD_INTENTS).labels[best] if float(chances[best]) >= SURE_ENOUGH else ""
