"""Lists that take shapes of several kinds, each known by a key of its own: steps and policies."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Annotated, Any

from pydantic import Discriminator, GetCoreSchemaHandler, Tag
from pydantic_core import CoreSchema


@dataclass(frozen=True, slots=True)
class Tagged:
    """What a list may hold. Written into an annotation, it makes Pydantic choose the shape by its key."""

    thing: str  # what one of them is called in problems
    under: str  # the key of the list
    # Asked for late: some shapes hold such a list themselves.
    shapes: Callable[[], Mapping[str, type]]
    placeholder: Mapping[str, Any]  # what takes the place of one that cannot be read

    def tag(self, kind: str) -> str:
        """The name of a kind in the paths of errors; the colon keeps it apart from keys."""
        return f"{self.thing}:{kind}"

    def shape_of(self, tag: str | int) -> type | None:
        """The shape that a part of a path names, if it is a tag of these."""
        thing, _, kind = str(tag).partition(":")
        return self.shapes().get(kind) if thing == self.thing else None

    def tag_of(self, value: Any) -> str | None:
        """The tag of the first kind whose key is written; what is a shape already has that kind."""
        for kind, shape in self.shapes().items():
            if isinstance(value, shape) or (isinstance(value, dict) and kind in value):
                return self.tag(kind)
        return None

    def __get_pydantic_core_schema__(
        self,
        source: Any,
        handler: GetCoreSchemaHandler,
    ) -> CoreSchema:
        tagged = [Annotated[shape, Tag(self.tag(kind))] for kind, shape in self.shapes().items()]
        union = reduce(or_, tagged)
        return handler.generate_schema(Annotated[union, Discriminator(self.tag_of)])
