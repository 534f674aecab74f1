"""Boxes and arrows as the text of a Mermaid flowchart: what the drawings of all layers share."""

import html
import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

Shape = Literal["step", "edge", "choice", "place", "flow"]
Style = Literal["", "edge", "choice", "place", "own", "resting"]

_SHAPES: dict[Shape, tuple[str, str]] = {
    "step": ("[", "]"),
    "edge": ("([", "])"),
    "choice": ("{", "}"),
    "place": ("(", ")"),
    "flow": ("[[", "]]"),
}
_STYLES: dict[Style, str] = {
    "": "fill:#eef2f7,stroke:#64748b,color:#0f172a",
    "edge": "fill:#1e293b,stroke:#1e293b,color:#ffffff",
    "choice": "fill:#e0f2fe,stroke:#0369a1,color:#0f172a",
    "place": "fill:#fee2e2,stroke:#b91c1c,color:#0f172a",
    "own": "fill:#fde68a,stroke:#b45309,color:#0f172a",
    "resting": "fill:#dcfce7,stroke:#15803d,color:#0f172a",
}
_RESERVED = frozenset(  # words that Mermaid does not take as the id of a node
    [
        "end",
        "graph",
        "flowchart",
        "subgraph",
        "style",
        "class",
        "click",
        "call",
        "href",
        "default",
        "interpolate",
        "direction",
    ]
)


@dataclass(frozen=True, slots=True)
class Box:
    """A node of a picture; a line break in its text is one in the picture."""

    id: str
    text: str
    shape: Shape = "step"
    style: Style = ""


@dataclass(frozen=True, slots=True)
class Arrow:
    """A way from one box to another, and when it is taken."""

    source: str
    target: str
    label: str = ""
    both_ways: bool = False
    dashed: bool = False


def node_id(name: str, place: int) -> str:
    """An id that Mermaid takes: the name where it can be one, otherwise one made from the place."""
    fits = re.fullmatch(r"[a-z][a-z0-9_]*", name) and name not in _RESERVED
    return name if fits else f"N{place}"


def first_words(text: str, *, width: int = 40) -> str:
    """The beginning of a text, cut between words."""
    short = textwrap.shorten(text, width, placeholder=" …")
    return short if short != "…" else f"{text.strip()[: width - 1]}…"


def mermaid(title: str, boxes: Iterable[Box], arrows: Iterable[Arrow]) -> str:
    """The picture as a Mermaid flowchart, from top to bottom."""
    boxes = tuple(boxes)
    lines = [*map(_box, boxes), *map(_arrow, arrows), *_styles(boxes)]
    return "\n".join(
        [
            "---",
            f"title: {json.dumps(_plain(title), ensure_ascii=False)}",
            "---",
            "flowchart TD",
            *(f"    {line}" for line in lines),
            "",
        ]
    )


def _box(box: Box) -> str:
    opening, closing = _SHAPES[box.shape]
    return f'{box.id}{opening}"{_label(box.text)}"{closing}'


def _arrow(arrow: Arrow) -> str:
    label = f'|"{_label(arrow.label)}"|' if arrow.label else ""
    line = "<-->" if arrow.both_ways else "-.->" if arrow.dashed else "-->"
    return f"{arrow.source} {line}{label} {arrow.target}"


def _styles(boxes: tuple[Box, ...]) -> Iterator[str]:
    for style, colours in _STYLES.items():
        ids = [box.id for box in boxes if box.style == style]
        if ids:
            yield f"classDef {style or 'plain'}_box {colours}"
            yield f"class {','.join(ids)} {style or 'plain'}_box"


def _label(text: str) -> str:
    lines = (html.escape(_plain(line), quote=False) for line in text.splitlines())
    return "<br/>".join(line.replace('"', "#quot;") for line in lines if line)


def _plain(text: str) -> str:
    """Without what Mermaid would read as its own: entities (`#35;`), formulas (`$$`), escapes, control characters."""
    printable = "".join(each for each in " ".join(text.split()) if each.isprintable())
    return re.sub(r"#(?=\w+;)|\$(?=\$)", r"\g<0> ", printable.replace("\\", "/"))
