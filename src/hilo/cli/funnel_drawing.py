"""A funnel as SVG: bars around one axis, as wide as their numbers, on a sheet of its own that any page may carry."""

import html
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

WIDTH, MARGIN = 760, 28
AXIS, WIDEST = 394, 300  # where the middle of the bars is, and how wide the widest of them is
NUMBERS = 568  # where the numbers begin
TOP, BAR, GAP, BESIDE = (
    92,
    44,
    30,
    12,
)  # the first bar; its height; the step between two; between those beside the order
LONGEST = 22  # characters of a name that have room

FONT = "DejaVu Sans, Verdana, sans-serif"  # as in the pictures of `hilo graph`
PAPER, EDGE, INK, PALE_INK = "#ffffff", "#cbd5e1", "#0f172a", "#475569"
FULL, STEP, OTHER = "#0369a1", "#e0f2fe", "#b45309"


@dataclass(frozen=True, slots=True)
class Stage:
    """A bar; `went_on` is empty where no mode is later, `beside` means outside of the order."""

    name: str
    count: int
    of_all: str
    went_on: str
    median: str
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn, from top to bottom."""

    title: str
    note: str
    stages: tuple[Stage, ...]


def draw_funnel(picture: Picture) -> str:
    """The picture as SVG that needs nothing else: no font, no script, no style sheet."""
    places = tuple(_places(picture.stages))
    height = places[-1] + BAR + MARGIN
    size, sides = f"{WIDTH} {height}", f'width="{WIDTH}" height="{height}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" {sides} role="img" font-family="{FONT}">',
            f"<title>{_escaped(picture.title)}</title>",
            f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="10" fill="{PAPER}" stroke="{EDGE}"/>',
            _text(picture.title, MARGIN, 40, size=19, bold=True),
            _text(picture.note, MARGIN, 62, size=13, ink=PALE_INK),
            *_steps(picture.stages, places),
            *_bars(picture.stages, places),
            "</svg>\n",
        ]
    )


def _places(stages: tuple[Stage, ...]) -> Iterator[int]:
    """The upper edge of each bar."""
    place = TOP
    for stage, following in pairwise((*stages, None)):
        yield place
        both_beside = stage is not None and stage.beside and following is not None and following.beside
        place += BAR + (BESIDE if both_beside else GAP)


def _wide(stage: Stage, most: int) -> float:
    return round(max(2.0, WIDEST * stage.count / most), 1) if stage.count else 0.0


# --- shapes -------------------------------------------------------------------------------------------


def _steps(stages: tuple[Stage, ...], places: tuple[int, ...]) -> Iterator[str]:
    """What leads from one bar to the next, with the share that went on; a line above what is beside the order."""
    most = max(stage.count for stage in stages)
    for (upper, lower), place in zip(pairwise(stages), places, strict=False):
        top, bottom = place + BAR, place + BAR + GAP
        if not lower.beside:
            yield _slope(_wide(upper, most), _wide(lower, most), top)
            went_on = f"▼ {upper.went_on} went on" if upper.count else "▼"
            yield _text(went_on, AXIS, top + 20, size=12, anchor="middle")
        elif not upper.beside:
            middle = (top + bottom) / 2
            yield f'<path d="M{MARGIN} {middle}H{WIDTH - MARGIN}" stroke="{EDGE}" stroke-dasharray="4 4"/>'


def _slope(upper: float, lower: float, top: int) -> str:
    corners = ((-upper, 0), (upper, 0), (lower, GAP), (-lower, GAP))
    points = " ".join(f"{AXIS + across / 2:g},{top + down}" for across, down in corners)
    return f'<polygon points="{points}" fill="{STEP}"/>'


def _bars(stages: tuple[Stage, ...], places: tuple[int, ...]) -> Iterator[str]:
    most = max(stage.count for stage in stages)
    for stage, place in zip(stages, places, strict=True):
        wide, colour = _wide(stage, most), OTHER if stage.beside else FULL
        yield f"<g><title>{_escaped(_told(stage))}</title>"
        yield f'<rect x="{AXIS - wide / 2:g}" y="{place}" width="{wide:g}" height="{BAR}" rx="3" fill="{colour}"/>'
        yield _text(_short(stage.name), MARGIN, place + 19, size=14, bold=True)
        yield _text(f"median {stage.median}", MARGIN, place + 36, size=12, ink=PALE_INK)
        yield _text(f"{stage.count:,}", NUMBERS, place + 19, size=16, bold=True)
        yield _text(f"{stage.of_all} of all", NUMBERS, place + 36, size=12, ink=PALE_INK)
        yield "</g>"


# --- texts --------------------------------------------------------------------------------------------


def _text(text: str, x: int, y: int, *, size: int, bold: bool = False, ink: str = INK, anchor: str = "start") -> str:
    looks = f'font-size="{size}" fill="{ink}"' + (' font-weight="bold"' if bold else "")
    looks += f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{x}" y="{y}" {looks}>{_escaped(text)}</text>'


def _told(stage: Stage) -> str:
    """What a browser shows to who points at a bar, the whole name with it."""
    went_on = f"; {stage.went_on} of these came into a later mode" if stage.went_on else ""
    return f"{stage.name}: {stage.count:,}, {stage.of_all} of all{went_on}"


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _escaped(text: str) -> str:
    """What XML takes: no markup, and none of the characters that it forbids."""
    return html.escape("".join(each for each in text if each.isprintable()), quote=True)
