"""How much a question is like a phrase by its words: rare ones in common, other words for the same, and what is done.

Sentences that mean opposite things (“install it”, “uninstall it”) are near each other for an encoder, so that what is
to be done is compared by itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dialogue.agents.terminal.calls import is_function_word

_STEM = re.compile(r"(?:ies|es|s|ing|ed|ly)$")
_SAME: Mapping[str, str] = {
    word: first
    for first, *others in map(
        str.split,
        (
            "folder directory dir directories, machine computer system laptop pc box server host, processor cpu, "
            "memory ram, picture image photo, biggest largest big large huge most, archive tarball, "
            "reached reachable up alive, website site webpage web, program command executable binary, "
            "branch branches, duplicate duplicates same identical, column field, see show display print view, "
            "live follow grows growing"
        ).split(","),
    )
    for word in others
}
_DONE: Mapping[str, str] = {
    word: kind
    for kind, *words in map(
        str.split,
        (
            "delete remove erase delete rid, uninstall uninstall, install install, copy copy upload, "
            "not not without older never, single duplicates duplicate repeated twice, move move put, rename rename, "
            "count count, pack compress pack zip gzip archive, unpack extract unpack untar unzip decompress, "
            "end kill stop end terminate quit exit, start restart launch, "
            "compare compare differ differences difference, join merge combine concatenate join, "
            "replace replace substitute swap, sort sort order, make make create new, fetch download, "
            "convert convert turn, undo undo revert discard throw, schedule schedule cron, change change set edit, "
            "repeat repeat, run run, clone clone, encrypt encrypt, split split cut"
        ).split(","),
    )
    for word in words
}
_ENDINGS: Mapping[str, str] = {
    "unzip": "zip", "tar": "tar gz tgz xz bz2", "gunzip": "gz", "convert": "png jpg jpeg gif webp bmp svg tiff",
    "ffmpeg": "mp3 wav ogg flac mp4 mkv avi mov webm m4a", "pandoc": "md html docx odt tex rst pdf epub", "jq": "json",
}  # fmt: skip
"""What files end in that some programs are for."""
_FIT = 0.06
_OTHER, _SILENT = 0.12, 0.06
_USUAL = 0.6


def stems(text: str) -> list[str]:
    """Return the words of a text that say something, one for all that mean the same, without endings."""
    found = [word for word in re.findall(r"[a-z0-9]+", text.lower()) if not is_function_word(word) or len(word) > 5]
    return [_SAME.get(word) or _SAME.get(word.removesuffix("s")) or _cut(word) for word in found]


def overlap(asked: set[str], phrase: set[str], rarity: Mapping[str, float]) -> float:
    """Return the share of what was asked and of the phrase that they have in common, by how rare the words are."""
    usual = max(rarity.values(), default=1.0) * _USUAL

    def weigh(words: set[str]) -> float:
        return sum(rarity.get(stem, usual) for stem in words)

    both = weigh(asked & phrase)
    return 2 * both / (weigh(asked) + weigh(phrase)) if both else 0.0


def done_in(text: str) -> frozenset[str]:
    """Return the kinds of what is to be done, by the verbs of a text; what only shows something is of none."""
    return frozenset(_DONE[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _DONE)


def unlike(asked: frozenset[str], phrase: frozenset[str]) -> float:
    """Return what it costs that a phrase does something else than what is asked for."""
    if asked and phrase and not asked & phrase:
        return _OTHER
    return _SILENT if asked ^ phrase else 0.0


def fits(program: str, files: Sequence[str]) -> float:
    """Return what it is worth that a program is for files like those that were named; less than nothing: it is not."""
    if program not in _ENDINGS or not files:
        return 0.0
    return _FIT if files[0].rpartition(".")[2].lower() in _ENDINGS[program].split() else -_OTHER


def _cut(word: str) -> str:
    return _STEM.sub("", word) if len(word) > 4 else word.removesuffix("s")
