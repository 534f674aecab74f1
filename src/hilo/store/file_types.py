"""Which files are taken, from contacts and from operators: what they must begin with, and which a page may show."""

import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass

from hilo.messages import FileKind

MEGABYTE = 1024 * 1024
# What WhatsApp takes from a business; it takes more in documents, but nobody waits for that on a phone.
MAX_SENT: Mapping[FileKind, int] = {
    "image": 5 * MEGABYTE,
    "audio": 16 * MEGABYTE,
    "video": 16 * MEGABYTE,
    "document": 25 * MEGABYTE,
    "sticker": MEGABYTE // 2,
}
_LOOKED_AT = 4096  # bytes in which a text shows that it is none
_UNSURE = frozenset({"", "application/octet-stream", "binary/octet-stream"})
_NAMED_OTHERWISE = {
    "image/jpg": "image/jpeg",
    "audio/mp3": "audio/mpeg",
    "audio/x-m4a": "audio/mp4",
    "audio/m4a": "audio/mp4",
    "audio/opus": "audio/ogg",
    "application/ogg": "audio/ogg",
    "text/x-vcard": "text/vcard",
}
_OFFICE = "application/vnd.openxmlformats-officedocument"
_DIRT = re.compile(r'[\x00-\x1f\x7f"\\/]+')


@dataclass(frozen=True, slots=True)
class FileType:
    """What a file of this type is. It has one of `begins` at its place, or no NUL where there is nothing to go by.

    What is not `inline` is never shown by a browser, only downloaded.
    """

    kind: FileKind
    begins: tuple[tuple[int, bytes], ...] = ()
    inline: bool = True


_FTYP = ((4, b"ftyp"),)
_ZIP = FileType("document", ((0, b"PK\x03\x04"),), inline=False)
_OLE = FileType("document", ((0, b"\xd0\xcf\x11\xe0"),), inline=False)
_TEXT = FileType("document", inline=False)

# HTML, SVG, archives and programs are not among them: nobody sends those to a shop in good faith.
FILE_TYPES: Mapping[str, FileType] = {
    "image/jpeg": FileType("image", ((0, b"\xff\xd8\xff"),)),
    "image/png": FileType("image", ((0, b"\x89PNG\r\n\x1a\n"),)),
    "image/gif": FileType("image", ((0, b"GIF8"),)),
    "image/webp": FileType("image", ((8, b"WEBP"),)),
    "audio/ogg": FileType("audio", ((0, b"OggS"),)),
    "audio/mpeg": FileType("audio", tuple((0, each) for each in (b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2"))),
    "audio/aac": FileType("audio", ((0, b"\xff\xf1"), (0, b"\xff\xf9"))),
    "audio/amr": FileType("audio", ((0, b"#!AMR"),)),
    "audio/wav": FileType("audio", ((8, b"WAVE"),)),
    "audio/mp4": FileType("audio", _FTYP),
    "video/mp4": FileType("video", _FTYP),
    "video/3gpp": FileType("video", _FTYP),
    "video/quicktime": FileType("video", _FTYP),
    "video/webm": FileType("video", ((0, b"\x1a\x45\xdf\xa3"),)),
    "application/pdf": FileType("document", ((0, b"%PDF-"),)),
    f"{_OFFICE}.wordprocessingml.document": _ZIP,
    f"{_OFFICE}.spreadsheetml.sheet": _ZIP,
    f"{_OFFICE}.presentationml.presentation": _ZIP,
    "application/vnd.oasis.opendocument.text": _ZIP,
    "application/vnd.oasis.opendocument.spreadsheet": _ZIP,
    "application/msword": _OLE,
    "application/vnd.ms-excel": _OLE,
    "application/vnd.ms-powerpoint": _OLE,
    "text/plain": _TEXT,
    "text/csv": _TEXT,
    "text/vcard": _TEXT,
}


def file_type_of(content: bytes, declared: str, *, kind: str = "", name: str = "") -> str | None:
    """The type of a file, if it is taken and its bytes bear it out; where nobody declared one, by bytes or by name."""
    told = declared.partition(";")[0].strip().lower()
    told = _NAMED_OTHERWISE.get(told, told)
    if told in _UNSURE:
        told = _by_bytes(content, kind) or mimetypes.guess_type(name, strict=True)[0] or ""
    known = FILE_TYPES.get(told)
    return told if known and content and _bears_out(content, known) else None


def file_name(name: str) -> str:
    """A name that can stand in a header and on a disk."""
    return _DIRT.sub(" ", name).strip()[-200:]


def _bears_out(content: bytes, known: FileType) -> bool:
    if not known.begins:
        return b"\x00" not in content[:_LOOKED_AT]
    return any(content.startswith(mark, place) for place, mark in known.begins)


def _by_bytes(content: bytes, kind: str) -> str:
    """What begins like it, and rather what is of the kind that was sent: sound and film in one wrapping begin alike."""
    clear = [name for name, each in FILE_TYPES.items() if each.inline and _bears_out(content, each)]
    fitting = [name for name in clear if FILE_TYPES[name].kind == kind]
    return next(iter(fitting or clear), "")
