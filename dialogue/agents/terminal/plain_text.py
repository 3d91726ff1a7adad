"""Text of programs and agents as data: without escape sequences, on lines that fit, and without credentials."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable

from catalog.values.base import HIDDEN as MASK

MOST_LINES = 24
_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x9b[0-?]*[ -/]*[@-~]"  # control sequences
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\a\x1b\x9c]*(?:\a|\x1b\\|\x9c)?"  # strings: titles, clipboards …
    r"|\x1b[ -/]*[0-~]|\x1b"
)
_OVERTYPED = re.compile(r"[^\n]\x08")
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """Return text as it would be read: no escape sequences, no control characters but line ends."""
    text = _ESCAPES.sub("", text).replace("\r\n", "\n")
    while _OVERTYPED.search(text):
        text = _OVERTYPED.sub("", text)
    lines = [line.rsplit("\r", 1)[-1] for line in text.replace("\t", "    ").split("\n")]
    return "\n".join(
        _BIDI.sub("", "".join(c for c in line if unicodedata.category(c) not in {"Cc", "Cs"})) for line in lines
    )


def wrap(lines: Iterable[str], columns: int) -> list[str]:
    """Break lines so that each fits; of more than fit on a screen, the last one says so."""
    width = max(8, columns - 1)
    found: list[str] = []
    for line in lines:
        for part in plain(line).split("\n"):
            indent = " " * min(len(part) - len(part.lstrip()), width // 2)
            found += textwrap.wrap(part, width, subsequent_indent=indent, drop_whitespace=True) or [""]
    return found if len(found) <= MOST_LINES else [*found[: MOST_LINES - 1], "…"]


_CREDENTIALS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"""\b\w*(?:password|passwd|passphrase|secret|token|api_?key|access_?key|credential)\w*\s*[=:]\s*(?P<it>"[^"\n]*"|'[^'\n]*'|[^\s&|;]+)""",
        r"""--?\w*-?(?:password|passwd|passphrase|secret|token|api-?key)(?:=|\s+)(?P<it>"[^"\n]*"|'[^'\n]*'|[^\s-][^\s&|;]*)""",
        r"\b(?:mysql|mysqldump|mariadb|sshpass)\b[^\n|;&]*?\s-p\s?(?P<it>[^\s-]\S*)",
        r"\b(?:curl|wget|http)\b[^\n|;&]*?\s(?:-u|--user)[\s=]+(?P<it>\S+)",
        r"\bbearer\s+(?P<it>[\w.~+/=-]{6,})",
        r"\bauthorization:\s*(?:\w+\s+)?(?P<it>[^\s\"']+)",
        r"://[^\s/:@]*:(?P<it>[^\s/@]+)@",
        r"\b(?P<it>gh[pousr]_\w{20,}|sk-[\w-]{20,}|AKIA[0-9A-Z]{16}|xox[abp]-[\w-]{10,})",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?P<it>[\s\S]*?)(?:-----END|$)",
    )
)
"""Where credentials stand in commands and outputs; the group `it` is masked."""


def without_credentials(text: str) -> str:
    """Return text with credentials masked: these reach no agent, and are not kept."""
    for pattern in _CREDENTIALS:
        text = pattern.sub(_masked, text)
    return text


def _masked(found: re.Match[str]) -> str:
    start, end = (place - found.start() for place in found.span("it"))
    whole = found.group()
    return f"{whole[:start]}{MASK}{whole[end:]}"
