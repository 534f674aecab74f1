"""Why a person is wanted, for operators: each code in their language. What is not here is an agent's own policy."""

from collections.abc import Mapping

from hilo.slots.slot_type import spoken_language

TITLES: Mapping[str, Mapping[str, str]] = {
    "request": {
        "es": "Pide hablar con una persona",
        "en": "Asks for a person",
        "pt": "Pede para falar com uma pessoa",
    },
    "keyword": {
        "es": "Escribió una palabra clave",
        "en": "Wrote a keyword",
        "pt": "Escreveu uma palavra-chave",
    },
    "llm_intent": {
        "es": "Quiere algo que atiende una persona",
        "en": "Wants something that a person sees to",
        "pt": "Quer algo que uma pessoa atende",
    },
    "sentiment": {"es": "Está molesto", "en": "Is very unhappy", "pt": "Está muito insatisfeito"},
    "stuck": {
        "es": "Varios mensajes seguidos sin entenderlo",
        "en": "Several messages in a row were not understood",
        "pt": "Várias mensagens seguidas sem entender",
    },
    "completion": {
        "es": "Un dato no se pudo tomar varias veces",
        "en": "A value could not be taken several times",
        "pt": "Um dado não pôde ser aceito várias vezes",
    },
    "timeout": {"es": "Tardó demasiado", "en": "It took too long", "pt": "Demorou demais"},
    "timer": {"es": "Venció un plazo", "en": "A time limit passed", "pt": "Venceu um prazo"},
    "errors": {"es": "Errores seguidos", "en": "Errors in a row", "pt": "Erros seguidos"},
    "failures": {
        "es": "Varias operaciones seguidas sin resultado",
        "en": "Several calls in a row came to nothing",
        "pt": "Várias operações seguidas sem resultado",
    },
    "mode": {
        "es": "El agente no podía seguir en ese estado",
        "en": "The agent could not go on in that mode",
        "pt": "O agente não podia continuar nesse estado",
    },
    "gate": {
        "es": "El agente no podía hacer lo que seguía",
        "en": "The agent was not allowed to do the next step",
        "pt": "O agente não podia fazer o próximo passo",
    },
    "unknown_outcome": {
        "es": "No se sabe si una operación se hizo",
        "en": "Nobody knows whether something was done",
        "pt": "Não se sabe se uma operação foi feita",
    },
    "repeats": {
        "es": "El agente ya dijo todo lo que tenía para decir",
        "en": "The agent has said all that it can say",
        "pt": "O agente já disse tudo o que podia dizer",
    },
    "send_failed": {
        "es": "Un mensaje no se pudo enviar",
        "en": "A message could not be sent",
        "pt": "Uma mensagem não pôde ser enviada",
    },
    "operator": {
        "es": "Una persona tomó la conversación",
        "en": "An operator took over",
        "pt": "Uma pessoa assumiu a conversa",
    },
    "error": {"es": "El agente falló", "en": "The agent failed", "pt": "O agente falhou"},
    "flow": {
        "es": "El agente pasó la conversación",
        "en": "The agent passed the conversation on",
        "pt": "O agente passou a conversa",
    },
    "erase": {
        "es": "Pide que se borren sus datos",
        "en": "Wants their data deleted",
        "pt": "Pede que seus dados sejam apagados",
    },
    "media": {
        "es": "Mandó algo que el agente no puede abrir",
        "en": "Sent something that the agent cannot open",
        "pt": "Enviou algo que o agente não pode abrir",
    },
}


def title(policy: str, language: str) -> str:
    """Why a person is wanted, in a language; nothing for a policy that an agent or a tool has named itself."""
    tongue = spoken_language(language).partition("-")[0]
    words = TITLES.get(policy, {})
    return words.get(tongue) or words.get("en", "")  # a language may be new
