"""Goods that are said again, told from goods that come on top of those ordered before.

"Son dos bolsas en total, no 5" orders no more of them; "otra bolsa" does. Most messages tell neither: they order. Only
an answer to which of a thing is meant, where no number was ever told, names what may be there already.
"""

import re

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import GiveArgument
from hilo.dialogue.session import AskedArgument
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.reading import Reading

QUANTITY = "quantity"  # the parameter of a tool that orders: how many
MORE = "more"  # … and whether goods come on top, false where they are said again
_NO_NUMBER = re.compile(r"\b(?:no|ni) \d")


def says_more(reading: Reading) -> bool | None:
    """Whether goods come on top of what was ordered, or are said again; none where nothing tells."""
    text = reading.text.folded
    again = pattern_of("said again")
    if pattern_of("more of it").search(again.sub(" ", text)):
        return True
    return False if again.search(text) or _NO_NUMBER.search(text) else None


def asked_of_no_more(agent: Agent, question: AskedArgument, reading: Reading) -> bool:
    """Whether the answer to a question which goods are meant may name some that are ordered already."""
    takes = agent.toolbox[question.tool].parameters
    if MORE not in takes or question.arguments.get(MORE) is not None:
        return False
    more = says_more(reading)
    # a number that was told is wanted: three in the cart and "una sprite" must not become one
    return more is False or (more is None and QUANTITY not in question.arguments)


def as_answer(agent: Agent, question: AskedArgument, reading: Reading) -> tuple[GiveArgument, ...]:
    """What goes before such an answer, so that what the order has already is not added again."""
    return (GiveArgument(value=False, parameter=MORE),) if asked_of_no_more(agent, question, reading) else ()
