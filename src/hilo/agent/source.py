"""YAML text as plain values, each with the line and column it stands at.

Stricter than YAML: no aliases, no anchors, no tags, no duplicate keys, bounded size and depth; `no`, `on` and `yes` are
plain words, because they are words of our agents.
"""

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, cast

import yaml

from hilo.errors import FileProblems, Problem

# far more than any agent needs: a file may come from somebody we do not know
MAX_BYTES = 1_000_000
MAX_DEPTH = 20

Path = tuple[str | int, ...]
# what stands for something else than a text where it is not quoted
_WORDS = {"true": True, "false": False, "": None, "~": None, "null": None}
_WHOLE = re.compile(r"(?=.{1,18}$)-?(0|[1-9][0-9]*)")  # a longer one is an id, not an amount
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]+")


@dataclass(slots=True)
class Source:
    """A file's values, and where each of them and each key stands."""

    file: str
    value: Any = None
    places: dict[Path, tuple[int, int]] = field(default_factory=dict)
    key_places: dict[Path, tuple[int, int]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def problem(self, path: Path, message: str, hint: str = "", *, at_key: bool = False) -> Problem:
        """A problem at a path; where the path is not in the file, at the nearest place above it."""
        places = self.key_places if at_key and path in self.key_places else self.places
        while path and path not in places:
            path = path[:-1]
        line, column = places.get(path, (1, 1))
        return Problem(self.file, line, column, message, hint)


def read_source(text: str, *, file: str) -> Source:
    """Read YAML text; raises FileProblems when nothing can be read, otherwise problems are in the result."""
    source = Source(file)
    node = _compose(text, source)
    if node is not None:
        source.value = _build(node, (), source)
    return source


def _compose(text: str, source: Source) -> yaml.Node | None:
    if len(text) > MAX_BYTES:
        raise _refused(source.file, f"the file is larger than {MAX_BYTES:,} characters")
    try:
        _refuse_aliases(text, source.file)
        # nodes rather than values: they know where they stand
        return cast("yaml.Node | None", yaml.compose(text, Loader=yaml.CSafeLoader))
    except yaml.MarkedYAMLError as error:
        # these two are behind most files that cannot be read, and YAML's own words do not say so
        hint = "a text with a colon or a brace needs quotes"
        if "\n\t" in text:
            hint = "indent with spaces, not tabs"
        message = f"not valid YAML: {error.problem or error.context}"
        raise _refused(source.file, message, hint, error.problem_mark or error.context_mark) from None
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        raise _refused(source.file, f"not valid YAML: {error}") from None


def _refused(
    file: str,
    message: str,
    hint: str = "",
    mark: yaml.Mark | None = None,
) -> FileProblems:
    line, column = _place(mark) if mark else (1, 1)
    return FileProblems((Problem(file, line, column, message, hint),))


def _place(mark: yaml.Mark) -> tuple[int, int]:
    """Where it stands as editors count: from one."""
    return mark.line + 1, mark.column + 1


def _refuse_aliases(text: str, file: str) -> None:
    """Before anything is built: a few aliases of aliases can stand for more than fits into memory."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        here = event.start_mark
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            message = "aliases and anchors (& and *) are not allowed"
            raise _refused(file, message, "write the value out", here)
        if getattr(event, "tag", None):
            raise _refused(file, f"tags ({event.tag}) are not allowed", "write the value", here)
        if depth > MAX_DEPTH:
            raise _refused(file, f"nested deeper than {MAX_DEPTH} levels", mark=here)


def _build(node: yaml.Node, path: Path, source: Source) -> Any:
    source.places[path] = _place(node.start_mark)
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, path, source)
    if isinstance(node, yaml.SequenceNode):
        return [_build(item, (*path, place), source) for place, item in enumerate(node.value)]
    return _scalar(cast("yaml.ScalarNode", node))


def _mapping(node: yaml.MappingNode, path: Path, source: Source) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else ""
        here = (*path, key)
        place = _place(key_node.start_mark)
        # what cannot be a key is left out, so that the rest of the file is still looked at
        if not key:
            source.problems.append(Problem(source.file, *place, "a key must be a plain word"))
        elif key in result:
            hint = f"first in line {source.key_places[here][0]}"
            source.problems.append(Problem(source.file, *place, f"`{key}` is here twice", hint))
        else:
            source.key_places[here] = place
            result[key] = _build(value_node, here, source)
    return result


def _scalar(node: yaml.ScalarNode) -> Any:
    text = str(node.value)
    if node.style:  # quoted, or a block: a text whatever it looks like
        return text
    if text in _WORDS:
        return _WORDS[text]
    return _number(text)


def _number(text: str) -> Any:
    """Numbers as written; what only looks like one (007, 1_000, 1e5) stays a text."""
    if _WHOLE.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return Decimal(text)
    return text
