"""What Pydantic says about a file of ours, in our words: where it stands, what is wrong, what was probably meant."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from types import MappingProxyType
from typing import Any

from hilo.agent.source import Path, Source
from hilo.errors import Problem
from hilo.recognisers.normalise import fold


@dataclass(frozen=True, slots=True)
class Union:
    """Shapes of which a list takes any, told apart by a tag such as `step:say`; `under` is the key of the list."""

    thing: str
    under: str
    shapes: Mapping[str, type]


@dataclass(frozen=True, slots=True)
class FileShape:
    """The dataclass of a whole file, the unions in it, and the fields that authors do not write."""

    root: type
    unions: tuple[Union, ...] = ()
    hidden: frozenset[str] = field(default_factory=frozenset)
    synonyms: Mapping[str, str] = field(default_factory=dict)  # words that authors try for one of ours


def shape_problem(shape: FileShape, source: Source, detail: Mapping[str, Any]) -> Problem:
    """One error of a ValidationError as a problem of the file."""
    path = plain_path(shape, detail["loc"])
    key = str(path[-1]) if path else "file"
    match detail["type"]:
        case "unexpected_keyword_argument":
            known = _keys_at(shape, detail["loc"][:-1])
            hint = did_you_mean(key, known) or one_of(known)
            return source.problem(path, f"unknown key `{key}`", hint, at_key=True)
        case "missing":
            # what is missing stands nowhere, so the problem is with what should have it
            return source.problem(path[:-1], f"`{key}` is missing")
        case "union_tag_not_found" | "union_tag_invalid":
            return _kind_problem(shape, source, path, detail["input"])
        case "literal_error" | "enum":
            # Pydantic gives the options only in words: "'es', 'es-AR' or 'en'"
            listed = detail["ctx"]["expected"].replace(" or ", ",")
            allowed = [option.strip(" '") for option in listed.split(",")]
            synonyms = {word: meant for word, meant in shape.synonyms.items() if meant in allowed}
            hint = did_you_mean(str(detail["input"]), allowed, synonyms) or one_of(allowed)
            return source.problem(path, f"`{detail['input']}` is not known here", hint)
        case "dataclass_type":
            return source.problem(path, f"`{key}` must have keys of its own", "write `key: value`")
        case "value_error":
            return source.problem(path, f"`{key}` {detail['ctx']['error']}")
    words = detail["msg"]
    return source.problem(path, f"`{key}`: {words[:1].lower()}{words[1:]}")


def plain_path(shape: FileShape, loc: Iterable[str | int]) -> Path:
    """Where an error stands in the file: its location without the tags of unions."""
    return tuple(part for part in loc if _tagged(shape, part) is None)


def _tagged(shape: FileShape, part: str | int) -> type | None:
    """The shape that a tag names; None where the part is a key or a place."""
    thing, _, kind = str(part).partition(":")
    return next((union.shapes.get(kind) for union in shape.unions if union.thing == thing), None)


def _kind_problem(shape: FileShape, source: Source, path: Path, value: Any) -> Problem:
    # a list inside a list, such as the steps of a `repeat`, takes what the outer one takes
    unions = {union.under: union for union in shape.unions}
    union = next(unions[part] for part in reversed(path) if part in unions)
    keys = list(value) if isinstance(value, dict) else [str(value)]
    near = filter(None, (did_you_mean(key, union.shapes) for key in keys))
    hint = next(near, one_of(union.shapes))
    return source.problem(path, f"no known kind of {union.thing}", hint)


def _keys_at(shape: FileShape, loc: Iterable[str | int]) -> list[str]:
    """The keys that are known where an unknown one was found: `slots → name` leads to those of Slot."""
    here: Any = shape.root
    for part in loc:
        inner = next((each.type for each in fields(here) if each.name == part), None)
        here = _tagged(shape, part) or _dataclass_in(inner) or here
    return [each.name for each in fields(here) if each.name not in shape.hidden]


def _dataclass_in(annotation: Any) -> Any:
    if is_dataclass(annotation):
        return annotation
    arguments: Iterable[Any] = getattr(annotation, "__args__", ())
    return next((found for argument in arguments if (found := _dataclass_in(argument))), None)


def did_you_mean(word: str, known: Iterable[str], synonyms: Mapping[str, str] = MappingProxyType({})) -> str:
    """A hint with the nearest known word, or nothing; a synonym stands for the word that it means."""
    same = synonyms.get(fold(word))
    near = [same] if same else difflib.get_close_matches(word, [*known, *synonyms], n=1, cutoff=0.6)
    return f"did you mean `{synonyms.get(near[0], near[0])}`?" if near else ""


def one_of(known: Iterable[str]) -> str:
    """A hint with all known words."""
    return f"one of: {', '.join(known)}"
