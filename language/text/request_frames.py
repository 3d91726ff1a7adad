"""Request frames: how requests are worded, refused, and told apart from statements and from what no catalog serves."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np

from catalog.model import Catalog
from language.text.encoder import Vectors
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import in_full, stem
from language.text.words import FRAME_WORDS, content_words, fold, words_in

_REQUEST = LazyPattern(
    r"\b(?:(?:i|we)(?:'d| would| should| might)? (?:also |really |still |just |now |first |only |then )*"
    r"(?:want|wanna|need|like|love|wish|require|prefer|would like|am looking|am after|was hoping|was wondering"
    r"|am interested|hope|have to|must|intend|plan|am thinking)"
    r"|(?:i'm|we're|i am|we are) (?:\w+ )?"
    r"(?:looking|after|interested|thinking|hoping|wondering|here|trying|moving|going)"
    r"|(?:can|could|may|might|would|will) (?:i|we|you)|(?:is it|would it be) possible"
    r"|how (?:do|can|could|would|may) (?:i|we)|please|pls|give|get me|show|let me|let us|let's|help me|apply|open|start"
    r"|sign me|(?:find|book|bring|fetch|reserve|buy|send) (?:me|us)|order|plot|draw|make|tell me|lend)\b"
)
_REFUSED = LazyPattern(
    r"\b(?:don't|do not|didn't|did not|doesn't|never|no longer|not)\s+(?:\w+\s+){0,1}?"
    r"(?:want|need|like|require|ask|interested|looking|apply)\b|^\W*(?:no|not|without)\s+(?:a|an|the|any|more)\b"
)
_OWNED = LazyPattern(
    r"\b(?:i|we)(?:'ve| have)?\s+(?:already\s+)?(?:have|had|own|owned|got|paid|used|lost)\s+(?!to\b)(?:already\s+)?"
    r"(?:a|an|the|my|our|no|two|some|one|another)\b"
)
SMALL_TALK = (
    r"\W*(?:(?:and|but|so|ok|okay|well|just|please|hi|hello|tell me|(?:can|could) you (?:tell|show) me"
    r"|i(?:'d| would) like to know|out of (?:interest|curiosity))[\s,:]+)*"
)
"""What may stand before a question."""
HOW_TO = LazyPattern(rf"{SMALL_TALK}(?:how (?:do|can|could|should|would|may|might) (?:i|we|one)|how to)\s+")
"""A question how something is done."""
_NUMBERISH = LazyPattern(r"\S*(?:\d|@)\S*")


def is_request(folded: str) -> bool:
    """Return whether a clause is framed as a request ("I'd like", "could you")."""
    return _REQUEST.search(folded) is not None


def is_refusal(folded: str) -> bool:
    """Return whether a clause says what is *not* wanted."""
    return _REFUSED.search(folded) is not None


def is_owned(folded: str) -> bool:
    """Return whether a clause says what a person already has or did: "I have a loan of 5,000"."""
    return _OWNED.search(folded) is not None


ASKING: Mapping[str, Any] = json.loads(files(__package__).joinpath("asking.json").read_text(encoding="utf-8"))
"""What tells whether a sentence asks for anything: written by `python -m benchmarks.understanding.asking`."""


def forms_in(folded: str, words: Collection[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the forms of a sentence and of its last clause: runs of one to three words.

    Of others than `words` only the endings are left. The last clause may take back what the first one says.
    """
    end = max((at for at, char in enumerate(folded, start=1) if char.isalnum() or char == "_"), default=0)
    last = _LAST_CLAUSE.match(folded, 0, end)
    return _runs(folded, words, "^"), _runs(folded[last.end() if last else 0 :], words, ">")


def _runs(folded: str, words: Collection[str], beginning: str) -> frozenset[str]:
    found = [beginning]
    for word in words_in(folded):
        ending = next((end for end in _ENDINGS if word.text.endswith(end)), "")
        kept = word.text if word.text in words else f"*{ending}"
        if kept != "*" or found[-1] != "*":
            found.append(kept)
    found.append("$?" if folded.rstrip().endswith("?") else "$")
    threes = zip(found, found[1:], found[2:], strict=False)
    runs = (*found, *map(" ".join, pairwise(found)), *map(" ".join, threes))
    return frozenset(run if beginning == "^" else f"{beginning}{run}" for run in runs)


def odds_of_asking(folded: Sequence[str], meaning: Vectors, learned: Mapping[str, Any] = ASKING) -> Vectors:
    """Return the log odds that texts ask for anything, by their forms and `meaning` (their vectors), within bounds.

    Deferred, refused, past, and other people's matters ask for nothing, whatever goals they name.
    """
    words, weights = frozenset(learned["words"]), learned["forms"]
    odds = meaning @ np.array(learned["meaning"], dtype=np.float32) + learned["offset"]
    for row, text in enumerate(folded):
        for forms in forms_in(in_full(text), words):
            odds[row] += sum(weights.get(form, 0.0) for form in forms) / math.sqrt(len(forms))
    return np.asarray(np.clip(odds, -_SUREST, _SUREST), np.float32)


_LAST_CLAUSE = LazyPattern(r"(?s:.*)(?:[,;.:!?]\s|\s-\s|\b(?:but|so|and|then|because)\b)(?!\Z)")
"""What stands before the last clause of a text that ends with a word."""
_ENDINGS, _SUREST = ("ed", "ing", "s"), 5.0
"""Endings that tell of the time of a verb, or its subject; and beyond which log odds a text tells no more."""


def words_of_goals(catalog: Catalog) -> GoalStems:
    """Return for each goal the stems that stand in its label and examples and are its own, no frame words."""
    return {
        name: frozenset(_weighty((goal.label, name.replace("_", " "), *goal.examples))) - FRAME_STEMS
        for name, goal in catalog.goals.items()
    }


GoalStems = Mapping[str, frozenset[str]]
FRAME_STEMS = frozenset(stem(word) for word in FRAME_WORDS)


def _weighty(texts: Iterable[str]) -> Iterable[str]:
    """Yield the stems of the words that say something: no function words, no numbers, no addresses."""
    for text in texts:
        blank = _NUMBERISH.sub(lambda match: " " * len(match.group()), fold(text))
        yield from (stem(word.text) for word in content_words(blank))


DEEDS = tuple(
    "cancel {}|delete {}|block {}|close {}|I lost {}|{} was stolen|repay {}|pay back {}|return {}|raise the limit of {}"
    "|I already have {}|translate {}|sell {}|complain about {}".split("|")
)
"""What may be done with the things that goals are about, and is not what these goals do; braces stand for the thing."""
_LEAD = LazyPattern(
    r"\W*(?:(?:please|kindly|hi|hello|hey|ok|so|now|then|just|also|(?:can|could|would|will) (?:you|we|i)"
    r"|i (?:want|need|have|wish) to|i(?:'d| would) like to|i wanna|let me|help me(?: to)?)\b\W*)*(?P<deed>[a-z]+)\b"
)
DEED_WORDS = frozenset(
    """cancel delete remove erase block unblock close repay return translate sell undo revoke reverse freeze
    print scan forward archive hide rename split merge void refund destroy stop pause postpone lower reduce
    transfer withdraw deposit wire exchange donate buy order rent reserve hire fire dismiss promote post publish tweet
    design paint install repair wash play sing cook proofread summarize notarize""".split()
)
DEED_STEMS = frozenset(map(stem, DEED_WORDS))
"""Stems of what may be done with a thing: another request than those that do something else with it."""


def other_deed(folded: str) -> str | None:
    """Return the deed that a text asks for outright, if it is one that turns a thing into another request."""
    match = _LEAD.match(folded)
    return match["deed"] if match and match["deed"] in DEED_WORDS else None


def deeds_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the deeds of which folded texts speak, in any form: "a reservation" is of reserving."""
    words = {word.text for text in texts for word in words_in(text)}
    return frozenset(
        deed for deed in DEED_WORDS if any(word.startswith(deed[: max(4, len(deed) - 2)]) for word in words)
    )


@cache
def unserved() -> tuple[str, ...]:
    lines = files(__package__).joinpath("out_of_scope.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))
