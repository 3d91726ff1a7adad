"""Documents: files of a known type that people hand over and skills make.

The type of a file is told by what it holds; a name that says something else is refused. The bytes of a document are
kept apart from its value, under their digest, as those of a picture are.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import PurePath
from typing import Annotated, ClassVar, Literal

from pydantic import Field, JsonValue

from catalog.values.base import Kind, Shown, listed
from catalog.values.media import FileKind

TypeName = Literal["csv", "xlsx", "docx", "md", "html", "json", "txt", "pdf", "png", "jpg", "webp"]
"""The types of documents, as catalogs name them."""
UNKNOWN = "application/octet-stream"
"""The media type of what is of no type that is known here."""


@dataclass(frozen=True, slots=True)
class FileType:
    """A type of files: its media type, the endings that names of such files have, and what one is called."""

    media_type: str
    endings: tuple[str, ...]
    noun: str
    is_text: bool = False


TYPES: dict[TypeName, FileType] = {
    "csv": FileType("text/csv", (".csv", ".tsv"), "CSV file", is_text=True),
    "xlsx": FileType(
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", (".xlsx", ".xlsm"), "Excel workbook"
    ),
    "docx": FileType(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document", (".docx", ".docm"), "Word document"
    ),
    "md": FileType("text/markdown", (".md", ".markdown"), "Markdown file", is_text=True),
    "html": FileType("text/html", (".html", ".htm"), "HTML page", is_text=True),
    "json": FileType("application/json", (".json",), "JSON file", is_text=True),
    "txt": FileType("text/plain", (".txt", ".log", ".text"), "text file", is_text=True),
    "pdf": FileType("application/pdf", (".pdf",), "PDF"),
    "png": FileType("image/png", (".png",), "PNG picture"),
    "jpg": FileType("image/jpeg", (".jpg", ".jpeg"), "JPEG picture"),
    "webp": FileType("image/webp", (".webp",), "WebP picture"),
}
"""Every type of documents by its name."""
_BY_MEDIA_TYPE = {one.media_type: name for name, one in TYPES.items()}
_OTHER_NOUNS = {
    "application/zip": "ZIP archive",
    "application/x-ole-storage": "file of an old or locked Office program",
    UNKNOWN: "file of a type that I do not know",
}
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"%PDF-", "application/pdf"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
)
_PARTS: tuple[tuple[str, TypeName], ...] = (("xl/workbook.xml", "xlsx"), ("word/document.xml", "docx"))
_CONTROLS = re.compile("[\\x00-\\x08\\x0b\\x0e-\\x1a\\x1c-\\x1f\\x7f]")


class Document(FileKind):
    """A file of one of some types: a table, a text, a page, a picture; its bytes are in the store."""

    kind: Literal["document"] = "document"
    types: tuple[TypeName, ...] = Field(
        default=tuple(TYPES), min_length=1, description="The types of files that it may be."
    )
    max_bytes: Annotated[int, Field(ge=1, le=100_000_000, description="Size of the file.")] = 20_000_000
    shown_as: ClassVar[Shown] = "document"
    noun: ClassVar[str] = "document"

    @property
    def media_types(self) -> tuple[str, ...]:
        return tuple(TYPES[name].media_type for name in self.types)

    def sample(self, today: date) -> JsonValue:
        one = TYPES[self.types[0]]
        digest = sha256(b"").hexdigest()  # of no document at all: what stands for one is never opened
        return {"attachment": digest, "name": f"example{one.endings[0]}", "media_type": one.media_type, "size": 1}

    def check_type(self, name: str, media_type: str) -> None:
        """Refuse a file whose name says another type than it holds, and one of a type that is not taken."""
        said, found = type_of_name(name), a_file(media_type)
        if said is not None and TYPES[said].media_type != media_type:
            raise self.unreadable("other_content", name=name, said=a_file(TYPES[said].media_type), found=found)
        if media_type not in self.media_types:
            raise self.unreadable("other_file_type", found=found, types=self.nouns)

    @property
    def nouns(self) -> str:
        """Say of which types it may be: "a CSV file or an Excel workbook"."""
        return listed((a_file(one) for one in self.media_types), "or", limit=len(TYPES))

    @property
    def described(self) -> str:
        """Describe the types, where it may not be any."""
        return "document" if len(self.types) == len(TYPES) else f"document ({', '.join(self.types)})"

    def may_be_taken_for(self, above: Kind) -> bool:
        return isinstance(above, Document) and set(self.types) <= set(above.types)


def a_file(media_type: str) -> str:
    name = _BY_MEDIA_TYPE.get(media_type)
    noun = TYPES[name].noun if name else _OTHER_NOUNS.get(media_type, media_type)
    return f"{'an' if noun.startswith(('E', 'H')) else 'a'} {noun}"


def type_of_name(name: str) -> TypeName | None:
    ending = PurePath(name).suffix.casefold()
    return next((one for one, known in TYPES.items() if ending in known.endings), None)


def type_of(media_type: str) -> TypeName | None:
    return _BY_MEDIA_TYPE.get(media_type)


def media_type_of(name: str, data: bytes) -> str:
    """Tell the media type of a file by what it holds; only which kind of text a text is, is told by its name."""
    for magic, media_type in _MAGIC:
        if data.startswith(magic):
            return media_type
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _type_of_archive(data)
    text = text_of(data)
    if text is None:
        return UNKNOWN
    said = type_of_name(name)
    if said is None or not TYPES[said].is_text or (said == "json" and not _is_json(text)):
        said = "txt"
    return TYPES[said].media_type


def text_of(data: bytes) -> str | None:
    """Read bytes as text: UTF-8, UTF-16 with its mark, or the Western Windows encoding; None where it is no text."""
    encodings = ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            return None if _CONTROLS.search(text) else text
    return None


def file_value(name: str, data: bytes) -> dict[str, JsonValue]:
    """Return the value that stands for a file: its digest, its name, its type by what it holds, and its size."""
    return {
        "attachment": sha256(data).hexdigest(),
        "name": name,
        "media_type": media_type_of(name, data),
        "size": len(data),
    }


def _type_of_archive(data: bytes) -> str:
    """Tell a workbook and a Word document from other archives. Nothing is unpacked."""
    names: Iterable[str] = ()
    with suppress(zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    return next((TYPES[one].media_type for part, one in _PARTS if part in names), "application/zip")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
