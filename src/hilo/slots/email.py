"""An e-mail address."""

import re
from functools import lru_cache

from hilo.recognisers.found import Found, Value
from hilo.recognisers.normalise import Text
from hilo.slots.slot_type import Example, SlotRules, SlotType, said_alike, spanish
from hilo.slots.utterance import SURE, Utterance

_ENDING = re.compile(r"(?:^|\s)((?:\.[a-z]{2,6}){1,2})(?=\W*$|\s)")


_TRIES = re.compile(r"@|\w\.\w|\b(?:arroba|punto|at|dot|gmail|hotmail|outlook|yahoo|icloud)\b|^\W*\S+\W*$")


def _accept(value: Value, _slot: SlotRules, _country: str) -> Value | None:
    return _mailbox(str(value).strip())


@lru_cache(maxsize=256)  # one turn asks several times about the same value
def _mailbox(text: str) -> str | None:
    from email_validator import EmailNotValidError, validate_email

    try:
        return validate_email(text, check_deliverability=False).normalized.lower()
    except EmailNotValidError:
        return None


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    return said.once(f"email:{asked}", lambda: _emails(said, asked=asked))


def _emails(said: Utterance, *, asked: bool) -> tuple[Found, ...]:
    from hilo.recognisers.people.contact import find_emails

    return find_emails(said.text, asked=asked)


def _may_be(said: Utterance) -> bool:
    """Whether a message without an address tries to be one: "ana@correo", "ana.gmail.com"."""
    return _TRIES.search(said.text.folded) is not None


def _amend(stored: str, text: Text) -> Found | None:
    """Another ending of the same address: "es .com.mx", "termina en .ar"."""
    ending = _ENDING.search(text.folded)
    name, at, domain = stored.partition("@")
    if ending is None or not at or "@" in text.folded:
        return None
    host = domain.partition(".")[0]
    return Found("email", f"{name}@{host}{ending[1]}", ending.start(1), ending.end(1), SURE)


TYPE = SlotType(
    name="email",
    summary="an e-mail address, stored in lower case",
    aliases=("mail", "e_mail", "e-mail", "correo", "correo_electronico"),
    called=("correo", "correo electronico", "email", "e mail", "mail", "gmail"),
    phrases={
        "invalid.email": {
            **spanish(
                "Ese correo no parece válido. Tiene que ser como nombre@dominio.com.",
                "Sigo sin poder leer el correo. Escríbelo completo, con la arroba: nombre@dominio.com.",
                vos=(
                    "Ese mail no parece válido. Tiene que ser como nombre@dominio.com.",
                    "Sigo sin poder leer el mail. Escribilo completo, con la arroba: nombre@dominio.com.",
                ),
                usted=(
                    "Ese correo no parece válido. Tiene que ser como nombre@dominio.com.",
                    "Sigo sin poder leer el correo. Escríbalo completo, con la arroba: nombre@dominio.com.",
                ),
            ),
            "pt-BR": (
                "Esse e-mail não parece válido. Ele deve ser como nome@dominio.com.",
                "Ainda não consegui ler o e-mail. Escreva completo, com @: nome@dominio.com.",
            ),
            "en": (
                "That e-mail address doesn't look right. It should be like name@domain.com.",
                "I still can't read the address. Write it in full, with the @: name@domain.com.",
            ),
        }
    },
    examples=said_alike(
        Example(said="mi correo es Ana@Acme.com", stored="ana@acme.com", shown="ana@acme.com"),
        english=Example(said="it's Ana@Acme.com", stored="ana@acme.com", shown="ana@acme.com"),
        portuguese=Example(said="meu e-mail é Ana@Acme.com", stored="ana@acme.com", shown="ana@acme.com"),
    ),
    find=_find,
    accept=_accept,
    may_be=_may_be,
    volunteered="always",
    amend=_amend,
)
