"""What an agent says: a named reply with its wordings, and what goes out with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Annotated, Any

from pydantic import BeforeValidator

from hilo.agent.shorthand import Declared, Names


def _template(value: Any) -> Any:
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, list | tuple) and value:
        return {"text": value[0], "again": value[1:]}
    return value


@dataclass(frozen=True, kw_only=True)
class Enclosure(Declared):
    """What goes out with a template's words: a picture or a document by its address, or a place by its degrees.

    All of it may speak of slots, facts and what a tool gave: `document: "{invoice}"`.
    """

    image: str = ""
    document: str = ""
    place: str = ""
    name: str = ""
    address: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """All that may speak of something."""
        return (self.image, self.document, self.place, self.name, self.address)


@dataclass(frozen=True, kw_only=True)
class Template(Declared):
    """A named reply; `again` holds the wordings for when it was said before, `tones` those for a mood of the contact.

    `fallback` names the template that is said instead when all wordings were, or `handoff`.
    """

    text: str
    again: Names = ()
    fallback: str = ""
    tones: Mapping[str, Names] = field(default_factory=dict)
    wa_template: str = ""
    attach: Enclosure | None = None

    @cached_property
    def variants(self) -> tuple[str, ...]:
        """The wordings for any mood, the first one first."""
        return (self.text, *self.again)

    @property
    def texts(self) -> tuple[str, ...]:
        """All wordings: those for any mood, then those for one."""
        return (*self.variants, *chain.from_iterable(self.tones.values()))


AnyTemplate = Annotated[Template, BeforeValidator(_template, json_schema_input_type=str | list[str] | Template)]
