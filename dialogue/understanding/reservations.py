"""Reservations: reasons not to take a value that was said, though its form and its place would do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from catalog.values import Mention
from dialogue.understanding.others import is_of_another
from dialogue.understanding.reading import Utterance
from dialogue.understanding.requests.wording import is_owned
from dialogue.understanding.words import Clause

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
