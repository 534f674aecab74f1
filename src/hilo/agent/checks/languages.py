"""Whether a language tag is valid, and what an agent in that language can and cannot do."""

import re
from collections.abc import Iterator

from hilo.agent.checks.place import Finding, Place
from hilo.agent.declaration import Agent
from hilo.agent.shape_errors import did_you_mean
from hilo.packs.pack import pack_names
from hilo.slots.slot_type import LANGUAGES, spoken_language

_TAG = re.compile("[a-z]{2}(-[A-Z]{2})?")
_WITHOUT_A_PACK = (
    "understood are digits, e-mail addresses, phone numbers, links, buttons, your choices and keywords, and intents by "
    "their examples; not yes and no in words, days and hours in words, names, corrections and orders. The engine "
    "speaks English: declare its texts under `templates`"
)


def check_language(file: Place) -> None:
    """The language must be a tag; whether we have words for it is another matter."""
    tag = file.agent.language
    # es-ar means es-AR, though other tags look as near
    same = next((each for each in LANGUAGES if each.casefold() == tag.casefold()), tag)
    hint = did_you_mean(same, LANGUAGES) or f"a tag such as {', '.join(LANGUAGES)}"
    (file / "language").require(_TAG.fullmatch(tag), f"`{tag}` is not a language", hint)


def unspoken(agent: Agent) -> Iterator[Finding]:
    """What an author should know of a language that the engine does not speak, or not as the country does."""
    tag = agent.language
    if tag in LANGUAGES:
        return
    base, spoken = tag.partition("-")[0], spoken_language(tag)
    if base in pack_names():
        message = f"the engine has no texts of its own for `{tag}`: it speaks as in `{spoken}`"
        others = ", ".join(each for each in LANGUAGES if each.startswith(f"{base}-"))
        choice = f"; it has texts of its own for {others}" if others else ""
        yield Finding(("language",), message, f"what contacts write is understood as with `{spoken}`{choice}")
    else:
        yield Finding(("language",), f"there is no pack of words for `{tag}`", _WITHOUT_A_PACK)
