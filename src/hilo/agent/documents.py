"""The pages that an agent answers questions from: Markdown, read as sections of plain text.

A section is what stands under a heading, as it is written and without its markup. HTML is taken out: what is quoted is
text on every channel. One that is too long for a chat becomes several, cut between paragraphs or else sentences. Lines
that begin with "? " are questions that it answers, as people ask them.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from hilo.errors import FileProblems, Problem

MOST_PAGES = 200
LONGEST_PAGE = 200_000  # characters
MOST_SECTIONS = 1_000  # of all pages together
# Characters: a reply with a question and its buttons still fits into one message.
LONGEST_SECTION = 700
LONGEST_HEADING = 120
ELLIPSIS = "…"

_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n(?:---|\.\.\.)\n", re.DOTALL)
_TITLE = re.compile(r"""^title:\s*["']?(.*?)["']?\s*$""", re.MULTILINE)
_UNSEEN = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style|template)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_LINK_IN_ANGLES = re.compile(r"<((?:https?://|mailto:)[^<>\s]+|[^<>\s@]+@[^<>\s]+)>")
_BREAK = re.compile(r"<(?:br|/p|/div|/li|/h[1-6])\b[^<>]*>", re.IGNORECASE)
_NEXT_CELL = re.compile(r"</t[dh]\s*>\s*(?=<t[dh]\b)", re.IGNORECASE)
_ROW_BEGINS = re.compile(r"<tr\b[^<>]*>\s*", re.IGNORECASE)
_ROW_ENDS = re.compile(r"\s*</tr\s*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")

_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_UNDERLINE = re.compile(r"\s{0,3}(=+|-{2,})\s*$")
_RULE = re.compile(r"\s{0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$")
_QUOTE = re.compile(r"^\s{0,3}>\s?")
_BULLET = re.compile(r"\s*[-*+]\s+")
_ASKED = re.compile(r"\s{0,3}\?\s+(\S.*?)\s*$")
_NUMBERED = re.compile(r"\s*\d{1,3}[.)]\s+")
_ROW = re.compile(r"\s*\|(.*)\|\s*$")
_ROW_LINE = re.compile(r"[\s|:-]+$")

_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]+)\]\(\s*([^)\s]*)[^)]*\)")
_CODE = re.compile(r"`+([^`]+)`+")
_BOLD = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_ITALIC = re.compile(r"(?<![\w*])([*_])(?=[^\s*_])([^*_\n]+?)(?<=\S)\1(?![\w*])")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_WEB = ("http://", "https://", "mailto:", "tel:")
_SENTENCE_END = re.compile(r"""(?<=[.!?…])["'»”’)\]]*\s+""")


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under a heading of a page."""

    page: str
    heading: str  # those above it come first: Envíos › Al interior
    text: str
    asked: tuple[str, ...] = ()  # what people ask that it answers, in their words; it is never quoted
    meaning: str = ""  # the intent or flow whose answer and examples these are, and no page

    @property
    def source(self) -> str:
        """How it is cited."""
        return f"{self.page} › {self.heading}" if self.heading else self.page


def read_page(text: str, *, file: str, name: str) -> tuple[Section, ...]:
    """The sections of a page; its title is its first heading, or else its `name`."""
    if len(text) > LONGEST_PAGE:
        hint = f"split it: a page has at most {LONGEST_PAGE:,} characters"
        raise FileProblems((Problem(file, 1, 1, f"the page has {len(text):,} characters", hint),))
    title, lines = _plain_lines(text)
    sections = list(_sections(lines, title, name))
    if not sections:
        hint = "write something under a heading, or take the file out of `knowledge`"
        raise FileProblems((Problem(file, 1, 1, "the page has no text to quote", hint),))
    return tuple(sections)


def _plain_lines(text: str) -> tuple[str, list[str]]:
    """The title that stands before a page, if one does, and its lines without HTML."""
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    title = ""
    if front := _FRONT_MATTER.match(text):
        named = _TITLE.search(front[1])
        title, text = named[1] if named else "", text[front.end() :]
    text = _UNSEEN.sub(" ", text)
    text = _LINK_IN_ANGLES.sub(r"\1", text)
    text = _ROW_ENDS.sub(" |\n", _ROW_BEGINS.sub("\n| ", _NEXT_CELL.sub(" | ", text)))  # as Markdown has rows
    text = _TAG.sub("", _BREAK.sub("\n", text))
    text = _CONTROL.sub("", html.unescape(text))
    return _CONTROL.sub("", title), text.split("\n")


def _sections(lines: list[str], title: str, name: str) -> Iterator[Section]:
    """What stands under each heading, in pieces that fit into a chat."""
    page, path, body = title, list[tuple[int, str]](), list[str]()
    for level, line in _with_levels(lines):
        if not level:
            body.append(line)
            continue
        yield from _pieces(page or name, path, body)
        body = []
        heading = _inline(line)[:LONGEST_HEADING].strip()
        if level == 1 and not page:
            page = heading
        else:
            path = [*(each for each in path if each[0] < level), (level, heading)]
    yield from _pieces(page or name, path, body)


def _with_levels(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The lines, each with its level if it is a heading and 0 if not."""
    is_code, at = False, 0
    while at < len(lines):
        line, below = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
        at += 1
        if _FENCE.match(line):
            is_code = not is_code
            continue
        heading, underline = _HEADING.match(line), _UNDERLINE.match(below)
        if heading and not is_code:
            yield len(heading[1]), heading[2]
        elif underline and line.strip() and not is_code and not _starts_line(line):
            yield 1 if underline[1][0] == "=" else 2, line
            at += 1
        else:
            yield 0, line


def _starts_line(line: str) -> bool:
    """Whether a line is one of a list or a table, which nothing underlines."""
    return any(kind.match(line) for kind in (_BULLET, _NUMBERED, _ROW, _QUOTE))


def _pieces(page: str, path: list[tuple[int, str]], body: list[str]) -> Iterator[Section]:
    heading = " › ".join(each for _, each in path if each)
    asked = tuple(found[1] for line in body if (found := _ASKED.match(line)))
    text = "\n".join(_paragraphs([line for line in body if not _ASKED.match(line)])).strip()
    for piece in cut_text(text):
        yield Section(page, heading, piece, asked)


def _paragraphs(body: list[str]) -> Iterator[str]:
    """Lines as a chat shows them: those of a paragraph run on, those of a list stand by themselves."""
    run: list[str] = []
    for written in body:
        line = _QUOTE.sub("", written)
        row = _ROW.match(line)
        if row and _ROW_LINE.match(line):
            continue
        ends = not line.strip() or _RULE.match(line) or row or _BULLET.match(line) or _NUMBERED.match(line)
        if ends and run:
            yield _inline(" ".join(run))
            run = []
        if row:
            yield _inline(" · ".join(cell.strip() for cell in row[1].split("|")))
        elif line.strip() and not _RULE.match(line):
            bullet = _BULLET.match(line)
            run.append(f"• {line[bullet.end() :].strip()}" if bullet else line.strip())
    if run:
        yield _inline(" ".join(run))


def _inline(text: str) -> str:
    """A line without the marks of Markdown; links to the web keep their address."""
    text = _IMAGE.sub(r"\1", text)
    text = _LINK.sub(_linked, text)
    text = _CODE.sub(r"\1", text)
    text = _BOLD.sub(r"\2", text)
    text = _ITALIC.sub(r"\2", text)
    return _ESCAPED.sub(r"\1", text)


def _linked(link: re.Match[str]) -> str:
    words, address = link.groups()
    shown = address.removeprefix("mailto:").removeprefix("tel:")
    if not address.startswith(_WEB) or shown == words:
        return str(words)
    return f"{words} ({shown})"


# --- what is too long -------------------------------------------------------------------------------------


def cut_text(text: str, most: int = LONGEST_SECTION) -> Iterator[str]:
    """Pieces of at most so many characters: cut between paragraphs, else sentences, else words."""
    piece = ""
    for line in text.split("\n"):
        if len(piece) + 1 + len(line) <= most:
            piece = f"{piece}\n{line}" if piece else line
            continue
        if piece:
            yield piece
        *before, piece = _cut_line(line, most)
        yield from before
    if piece.strip():
        yield piece


def _cut_line(line: str, most: int) -> Iterator[str]:
    piece = ""
    for whole in _SENTENCE_END.split(line):
        sentence = whole
        if len(piece) + 1 + len(sentence) <= most:
            piece = f"{piece} {sentence}".strip()
            continue
        if piece:
            yield piece
        while len(sentence) > most:
            cut = sentence.rfind(" ", 0, most - 1)
            cut = cut if cut > 0 else most - 1
            yield f"{sentence[:cut].rstrip()}{ELLIPSIS}"
            sentence = sentence[cut:].lstrip()
        piece = sentence
    yield piece


def sentences(text: str) -> list[str]:
    """The sentences and lines of a section."""
    found = [each.strip(" •") for line in text.split("\n") for each in _SENTENCE_END.split(line)]
    return [each for each in found if each]
