"""Reservations: reasons not to take a value that was said, though its form and its place would do."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from catalog.values import Mention
from language.text.request_frames import is_owned
from language.text.words import FUNCTION_WORDS, Clause, stem
from language.utterance import Utterance

_THEIRS = re.compile(
    r"\b(?:his|her|their|your|its|whose"
    r"|(?!(?:it|that|what|there|here|let|who|how|where|he|she|name|mail|address|number)'s\b)\w+'s)\b"
)
"""Before a value: words that say it is another person's."""
_NOT_NOW = re.compile(
    r"\b(?:old|previous|former|used to|for example|e\.g\.|such as|unless"
    r"|(?<!know )(?<!see )(?<!ask )(?<!wonder )(?<!wondering )if)\b"
)
"""Before a value: words that say it is of the past, or only supposed."""

_ABOUT = re.compile(r"\b(?P<subject>[^\W\d_]+) (?:was|were|is|has|had)(?: \w+)?(?: (?:on|in|the|at|about|only))* *\Z")
_SELF = FUNCTION_WORDS - frozenset("he she they his him her their you yours".split())


def is_about_another(folded: str, first: int, last: int, own: Collection[str]) -> bool:
    """Tell whether what is said right before a value is said of somebody else: "my wife was born on …".

    `own` are stems of words that lead to the value, of which it may be said as well: "the house was …".
    """
    match = _ABOUT.search(folded, max(0, first), last)
    return match is not None and match["subject"] not in _SELF and stem(match["subject"]) not in own


def is_of_another(folded: str, first: int, last: int, *, whose: bool = True) -> bool:
    """Tell whether words between two places say that what follows is somebody else's, of the past, or supposed.

    `whose` tells whether it matters whose it is.
    """
    start = max(0, first)
    return (whose and _THEIRS.search(folded, start, last) is not None) or _NOT_NOW.search(
        folded, start, last
    ) is not None


_SENT_TO = re.compile(
    r"\b(?:write|(?<!my )(?<!our )mail(?!\s*(?:is\b|address\b|:))|send|sent|forward|transfer|paid|pay)\b"
)
"""Before a value that nobody asked for: it is where something went."""
_IF = r"\bif (?:i|we)(?! (?:had|was|were|would|could|did|didn't|don't|earned|made|got|only|ever|\w+ed)\b)\s"
_GIVEN = re.compile(rf".*\b(?:how much|what)\b.*{_IF}")
_GIVEN_FIRST = re.compile(rf"\W*(?:and\s+|so\s+)?{_IF}")
_COSTS = re.compile(r"[^.!;\n]*\b(?:how much|what)\b")
"""Before a value: what something costs is asked for, and this is what it is to be reckoned with."""
_ITS = re.compile(r"\bits\s+(?:about |around |roughly )?\Z")
"""Right before a value: a slip for "it's"."""
_SOMEBODY = re.compile(
    r"\b(?:my|our) (?!(?:\w+ )?(?:e-?mail|mail|address|inbox|account|contact|login|id|user)\b)[a-z]+(?: [a-z]+)?\W*\Z"
)
"""Right before an e-mail address: the person whose it is."""
_EITHER = re.compile(r"[\s,]*(?:or|to|and|-|/|or maybe|or perhaps|or about)\s*")
_WONDERING = re.compile(r"\W*(?:is|are|was|were|do|does|did|has|have|what|what's|who|why|when|where|how|which)\b")
_DENIED_BEFORE = re.compile(r"(?:\b(?:not|never|no longer|neither|nor)|n't)\s+(?:\w+\s+)?\Z")
_DENIED_AFTER = re.compile(r"[\s\")]*(?:(?:is|was|are)(?:n't|\s+not|\s+no\s+longer|\s+wrong)|used to be)\b")


def is_denied(said: Utterance, clause: Clause, mention: Mention, name_at: int | None, *, whose: bool = True) -> bool:
    """Tell whether the words beside a value say that it is not the speaker's, or not so.

    What something is for may be somebody else's, "her tuition": `whose` tells whether that matters.
    """
    first = max(clause.start, mention.start - 200)
    last = mention.start if name_at is None else name_at
    if slip := _ITS.search(said.folded, first, last):
        last = slip.start()
    given = _GIVEN.match(said.folded, first, mention.start)
    if given is None and _COSTS.match(said.folded, mention.end):
        given = _GIVEN_FIRST.match(said.folded, first, mention.start)
    return (
        is_of_another(said.folded, given.end() if given else first, last, whose=whose)
        or _DENIED_BEFORE.search(said.folded, first, mention.start) is not None
        or _DENIED_AFTER.match(said.folded, mention.end) is not None
    )


def has_alternative(said: Utterance, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Tell whether a value is one of two between which nobody chose: "12,000 or 15,000"."""
    gaps = (
        (min(mention.end, other.end), max(mention.start, other.start))
        for other in mentions
        if other.start != mention.start
    )
    return any(start < end and _EITHER.fullmatch(said.folded, start, end) for start, end in gaps)


def is_in_passing(said: Utterance, clause: Clause, *, asks: bool = False) -> bool:
    """Tell whether a clause only mentions its values: it asks about them, or tells of what somebody already has.

    `asks` tells that the clause is what asks for a goal: then it does not ask about the values that it holds.
    """
    wonders = said.text[clause.end : clause.end + 1] == "?" and _WONDERING.match(said.folded, clause.start) is not None
    return (wonders and not asks) or is_owned(clause.of(said.folded))


def is_elsewhere(said: Utterance, clause: Clause, mention: Mention) -> bool:
    """Tell whether a value is where something goes, or whom it is of: "my accountant (ann@example.org)".

    "Write to ann@example.org" does not say whose address it is.
    """
    somebody = "@" in mention.text and _SOMEBODY.search(said.folded, clause.start, mention.start) is not None
    return somebody or _SENT_TO.search(said.folded, clause.start, mention.start) is not None
