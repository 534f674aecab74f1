"""What Pydantic says about a file of ours, in our words: where, what is wrong, what was probably meant."""

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from types import MappingProxyType
from typing import Any

from hilo.agent.source import Path, Source
from hilo.agent.tagged import Tagged
from hilo.errors import Problem
from hilo.recognisers.normalise import fold


@dataclass(frozen=True, slots=True)
class FileShape:
    """The dataclass of a whole file, the tagged lists in it, and the fields that authors do not write."""

    root: type
    lists: tuple[Tagged, ...] = ()
    hidden: frozenset[str] = field(default_factory=frozenset)
    # Words that authors try for one of ours.
    synonyms: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _ShapeError:
    """One error of a ValidationError, and where it stands in the file."""

    shape: FileShape
    detail: Mapping[str, Any]
    path: Path

    @property
    def key(self) -> str:
        return str(self.path[-1]) if self.path else "file"

    @property
    def given(self) -> Any:
        return self.detail["input"]


@dataclass(frozen=True, slots=True)
class _Told:
    """An error in our words."""

    message: str
    hint: str = ""
    at_key: bool = False
    levels_up: int = 0  # how far above its place the problem is


def shape_problem(shape: FileShape, source: Source, detail: Mapping[str, Any]) -> Problem:
    """One error of a ValidationError as a problem of the file."""
    path = plain_path(shape, detail["loc"])
    tell = _WORDS.get(detail["type"], _as_pydantic_says)
    told = tell(_ShapeError(shape, detail, path))
    place = path[: len(path) - told.levels_up]
    return source.problem(place, told.message, told.hint, at_key=told.at_key)


def plain_path(shape: FileShape, loc: Iterable[str | int]) -> Path:
    """Where an error stands in the file: its location without the tags of lists."""
    return tuple(part for part in loc if _tagged(shape, part) is None)


def _tagged(shape: FileShape, part: str | int) -> type | None:
    """The shape that a tag names; None where the part is a key or a place."""
    for tagged in shape.lists:
        if found := tagged.shape_of(part):
            return found
    return None


# --- the errors of Pydantic that authors meet, each in our words -------------------------------------


def _unknown_key(error: _ShapeError) -> _Told:
    known = _keys_at(error.shape, error.detail["loc"][:-1])
    hint = did_you_mean(error.key, known) or one_of(known)
    return _Told(f"unknown key `{error.key}`", hint, at_key=True)


def _missing(error: _ShapeError) -> _Told:
    # what is missing stands nowhere, so the problem is with what should have it
    return _Told(f"`{error.key}` is missing", levels_up=1)


def _no_kind(error: _ShapeError) -> _Told:
    # a list inside a list, such as the steps of a `repeat`, takes what the outer one takes
    lists = {tagged.under: tagged for tagged in error.shape.lists}
    tagged = next(lists[part] for part in reversed(error.path) if part in lists)
    kinds = tagged.shapes()
    hints = [did_you_mean(str(key), kinds) for key in _keys(error.given)]
    return _Told(f"no known kind of {tagged.thing}", next(filter(None, hints), one_of(kinds)))


def _keys(value: Any) -> list[Any]:
    return list(value) if isinstance(value, dict) else [value]


def _not_an_option(error: _ShapeError) -> _Told:
    # Pydantic gives the options only in words: "'es', 'es-AR' or 'en'"
    listed = error.detail["ctx"]["expected"].replace(" or ", ",")
    allowed = [option.strip(" '") for option in listed.split(",")]
    synonyms = {word: meant for word, meant in error.shape.synonyms.items() if meant in allowed}
    hint = did_you_mean(str(error.given), allowed, synonyms) or one_of(allowed)
    return _Told(f"`{error.given}` is not known here", hint)


def _no_keys(error: _ShapeError) -> _Told:
    return _Told(f"`{error.key}` must have keys of its own", "write `key: value`")


# What stands for a type of Python in a file, and how an author writes it.
_EXPECTED = {
    "tuple_type": ("a list", "write `[first, second]`, or a line with `- ` for each"),
    "list_type": ("a list", "write `[first, second]`, or a line with `- ` for each"),
    "string_type": ("a text", "put it between quotes"),
    "bool_type": ("`true` or `false`", ""),
    "bool_parsing": ("`true` or `false`", ""),
    "int_type": ("a whole number", ""),
    "int_parsing": ("a whole number", ""),
    "int_from_float": ("a whole number", ""),
    "float_type": ("a number", ""),
    "float_parsing": ("a number", ""),
}


def _another_kind(error: _ShapeError) -> _Told:
    expected, hint = _EXPECTED[error.detail["type"]]
    given = f"`{error.given}`"
    if isinstance(error.given, dict | list):
        given = "keys" if isinstance(error.given, dict) else "a list"
    return _Told(f"`{error.key}` must be {expected}, not {given}", hint)


def _refused_value(error: _ShapeError) -> _Told:
    return _Told(f"`{error.key}` {error.detail['ctx']['error']}")


def _as_pydantic_says(error: _ShapeError) -> _Told:
    words = error.detail["msg"]
    return _Told(f"`{error.key}`: {words[:1].lower()}{words[1:]}")


_WORDS: Mapping[str, Callable[[_ShapeError], _Told]] = {
    "unexpected_keyword_argument": _unknown_key,
    "missing": _missing,
    "union_tag_not_found": _no_kind,
    "union_tag_invalid": _no_kind,
    "literal_error": _not_an_option,
    "enum": _not_an_option,
    "dataclass_type": _no_keys,
    "dict_type": _no_keys,
    "mapping_type": _no_keys,
    "value_error": _refused_value,
    **dict.fromkeys(_EXPECTED, _another_kind),
}


def _keys_at(shape: FileShape, loc: Iterable[str | int]) -> list[str]:
    """The keys that are known where an unknown one was found: `slots → name` leads to those of Slot."""
    here: Any = shape.root
    for part in loc:
        types = {each.name: each.type for each in fields(here)}
        here = _tagged(shape, part) or _dataclass_in(types.get(str(part))) or here
    return [each.name for each in fields(here) if each.name not in shape.hidden]


def _dataclass_in(annotation: Any) -> Any:
    """The first dataclass in an annotation such as `Mapping[str, Slot]`."""
    if is_dataclass(annotation):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        if found := _dataclass_in(argument):
            return found
    return None


def did_you_mean(
    word: str,
    known: Iterable[str],
    synonyms: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """A hint with the nearest known word, or nothing; a synonym stands for the word that it means."""
    near = difflib.get_close_matches(word, [*known, *synonyms], n=1, cutoff=0.6)
    if fold(word) in synonyms:
        near = [fold(word)]
    if not near:
        return ""
    return f"did you mean `{synonyms.get(near[0], near[0])}`?"


def one_of(known: Iterable[str]) -> str:
    """A hint with all known words."""
    return f"one of: {', '.join(known)}"
