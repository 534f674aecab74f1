"""What an author may say about messages that the business begins."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from hilo.agent.shorthand import Declared


@dataclass(frozen=True, kw_only=True)
class Campaign(Declared):
    """An approved template that is sent to a list of contacts, and the flow that goes on when one of them answers.

    `into` says which columns of the list go into which slots; without it, the slots that the template speaks of come
    from columns of their names. `asks` names the slot that the template asks for: the answer fills it.
    """

    template: str
    flow: str
    asks: str = ""
    to: str = "phone"  # the column with the number
    into: Mapping[str, str] = field(default_factory=dict)
    per_hour: int = 100
    needs_opt_in: bool = True
    # `open`: only while the business is, where the file says when.
    hours: Literal["open", "any"] = "open"
