"""Request frames: how requests are worded, refused, and told apart from statements and from what no catalog serves."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from catalog.model import Catalog
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import stem
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
_TELLING = LazyPattern(r"\W*(?:(?:ok|okay|so|and|well|hi|hello)[\s,]+)*(?:my|our)\s.*(?:\bis\b|:|=)")
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


class FrameVocabulary:
    """The words of each goal of one catalog, and what facts are stated with."""

    def __init__(self, catalog: Catalog) -> None:
        self.of_goals = {
            name: frozenset(_weighty((goal.label, name.replace("_", " "), *goal.examples))) - FRAME_STEMS
            for name, goal in catalog.goals.items()
        }
        """For each goal the stems that stand in its label and examples and are its own, no frame words."""
        stated = (fold(example) for fact in catalog.facts.values() for example in fact.examples)
        self._told = {frozenset(_weighty((said,))) for said in stated if _TELLING.match(said)}

    def only_tells(self, folded: str) -> bool:
        """Return whether a clause says what an example of a fact says: "my account is HB-204518" asks for nothing."""
        return _TELLING.match(folded) is not None and frozenset(_weighty((folded,))) in self._told


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
