"""What a program proposes itself where it refuses a command: read from its output by a handful of forms.

References to a manual, to more output, and to options that switch a protection off are no proposals; nor is text with
signs that a shell acts on, such as a placeholder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple


class ProposalForm(Enum):
    """How a proposal is to be used."""

    SAID = auto()
    """A word, or a command, in the place of a wrong one ("did you mean")."""
    LISTED = auto()
    """All that can stand in a place: only what is nearly the same as what stands there counts."""
    RUN = auto()
    """A command to be run."""
    ADD = auto()
    """An option to be added."""


class ProgramProposal(NamedTuple):
    """What a program proposes, and where in its output that begins."""

    form: ProposalForm
    texts: tuple[str, ...]
    at: int


_QUOTED = r"(?:\"[^\"\n]{1,120}\"|'[^'\n]{1,120}'|`[^`'\n]{1,120}[`']|[‘“][^’”\n]{1,120}[’”])"
_VERB = r"(?<!forget to )\b(?:use|using|try|run|running|type|execute|need to|requires?|do|with|call)(?: this)?"
_BELOW = r"[^\n.;(]{0,40}:?[ \t]*\n\s*\n?[ \t]+(?P<below>[^\n]{2,160})"
_FORMS = (
    (
        ProposalForm.SAID,
        r"(?:did you (?:perhaps |maybe |possibly )?mean|(?:maybe|perhaps|possibly),? you (?:meant|mean|wanted?)"
        r"|you (?:may|might) have meant|you probably (?:meant|mean|want)|some candidates are"
        r"|(?:similar|closest|nearest) (?:[a-z]+ )?(?:exists?|to [^\n:]{1,40} (?:is|are)|is|are|matches|names?))"
        r"(?: (?:this|exists?|(?:one|any) of (?:these|the following)|the (?:sub)?(?:command|option|task)s?))*\b[?:]*"
        r"(?P<items>)",
    ),
    (
        ProposalForm.LISTED,
        r"(?:\(choose from|(?:available|possible|valid|known|allowed|supported)(?: [\w-]+){0,3}?(?: are)?:"
        r"|must be one of:?)(?P<items>)|[\[({]\s*(?P<among>[a-z][\w-]*(?:\s*[|,]\s*[a-z][\w-]*)+)\s*[\])}]",
    ),
    (
        ProposalForm.RUN,
        rf"{_VERB}:?\s+(?P<quoted>{_QUOTED}(?:\s*(?:,|or|and/or)\s*{_QUOTED})*)|{_VERB}{_BELOW}"
        r"|\b(?:try|run|installed with|use):[ \t\n]+(?P<behind>[^\n]{2,160})",
    ),
    (
        ProposalForm.ADD,
        r"\b(?:(?P<not>without)|use|using|try|add|adding|pass|specify|including|run \S+ with|enabled with)\s+"
        r"(?:the\s+|an?\s+)?[\"'`‘“]?(?P<option>-{1,2}[A-Za-z][\w+=-]*)(?P<rest>[^.\n]*)"
        r"|(?<![\w-])(?P<lacking>-{1,2}[A-Za-z][\w-]*) not specified",
    ),
)
_PATTERNS = tuple((form, re.compile(pattern, re.IGNORECASE)) for form, pattern in _FORMS)
_NO_PROPOSAL = re.compile(
    r"\b(?:debug|logs?|stack\w*|trace|verbose|more|details?|help|usage|lists?|warnings?|version|insecure\w*|verif\w*|risk"
    r"|certificat\w*|suppress|ignore|disable|turn off|deprecated|quiet|show|see|view|display|abort)\b",
    re.IGNORECASE,
)
"""Words of a sentence that tells of more output or of less protection, and mends nothing."""
_OVERRIDES = re.compile(
    r"\b(?:continue|anyway|overrid\w+|bypass|skip|(?:to|and) (?:specify|set|choose|select|give|name))\b", re.IGNORECASE
)
"""The same where an option is proposed."""
_DENIED = re.compile(
    r"\b(?:cannot|can't|can not|don't|do not|must not|should not|only|conflict\w*|incompatible)\b[^.\n]*$", re.I
)
_UNSAFE = re.compile(r"--(?:insecure|no-|allow-unauth|break-|skip-|trusted-host|force-yes|unsafe)")
_HELP = re.compile(
    r"(?:^(?:man|info|apropos)\s|\s(?:--?(?:help|usage)\b|-h$|-\?$|help\b)|^--?(?:help|usage|version)\b|^-[h?Vv]$)"
)
_PLAIN = re.compile(r"[\w./:@+=~^,-]+(?: [\w./:@+=~^,-]+)*")
_CAPITALS = re.compile(r"(?:^|[ =/])[A-Z]{2,}(?:$|[ /])")
_LINE_START = re.compile(r"^(?:npm (?:ERR!|error)|hint:|error:|\[ERROR\]|[▸*•>-])[ \t]*")
_MOST, _NEAR_BY = 40, 300
"""Names that a list may have, and characters around a proposal that are looked at, however long an output is."""


def proposals_in(output: str, *, helps: bool = False) -> Iterator[ProgramProposal]:
    """Yield what a program proposes. With `helps` its help is what the user looks for, and counts, too."""
    for form, pattern in _PATTERNS:
        for found in pattern.finditer(output):
            named = found.groupdict()
            if form in {ProposalForm.RUN, ProposalForm.ADD}:
                before = re.split(r"[.\n]", output[max(0, found.start() - _NEAR_BY) : found.start()])[-1]
                behind = named.get("rest") or re.split(r"[.\n]", output[found.end() : found.end() + _NEAR_BY])[0]
                denied = not named.get("not") and _DENIED.search(before)
                if denied or (not helps and _NO_PROPOSAL.search(f"{before} {behind}")):
                    continue
                if form is ProposalForm.ADD and _OVERRIDES.search(behind):
                    continue
            if named.get("items") is not None:
                items = _items(output[found.end() : found.end() + 5 * _NEAR_BY])
            elif named.get("among") or named.get("quoted"):
                items = re.split(r"\s*[|,]\s*", named.get("among") or "") if named.get("among") else _quoted(found[0])
            else:
                items = [_item(named.get("below") or named.get("behind") or named.get("option") or named["lacking"])]
            texts = [text for text in items if _PLAIN.fullmatch(text) and not _UNSAFE.search(text)]
            texts = [text for text in texts if not _CAPITALS.search(text) and (helps or not _HELP.search(text))]
            if texts:
                yield ProgramProposal(form, tuple(dict.fromkeys(texts))[:_MOST], found.start())


def _items(text: str) -> list[str]:
    """Return what is named on the rest of a line, or else on the lines below, until one that is not indented."""
    first, _, below = text.partition("\n")
    if first := first.strip(" \t:?"):
        return _quoted(first) or [
            part.strip(" .?!)") for part in re.split(r",|\bor\b|\band\b", re.sub(r"\(.*|\?.*", "", first))
        ]
    found: list[str] = []
    for line in below.split("\n")[:_MOST]:
        bare = _LINE_START.sub("", line.strip())
        if (found and not line.strip()) or (found and line[:1].isalpha() and not line.startswith("npm ")):
            break
        found += [_item(line)] if bare else []
    return found


def _quoted(text: str) -> list[str]:
    return [_item(part) for part in re.findall(_QUOTED, text)]


def _item(line: str) -> str:
    """Return what a line of a list names, without marks before it and what is told of it."""
    bare = _LINE_START.sub("", line.strip()) if not line.startswith("-") else line
    bare = re.sub(rf"^command ({_QUOTED}) from .*", r"\1", bare)
    return re.split(r"\s+#\s|\s{2,}|\t", bare)[0].strip("\"'`‘’“” .,:")
