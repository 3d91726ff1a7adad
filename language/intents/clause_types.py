# ruff: noqa: E501 - the words of one form are kept together on a line
"""Moods: whether a piece of an utterance asks, tells, points back, or only is polite; by its form alone."""

from __future__ import annotations

import re
from enum import IntEnum


class Mood(IntEnum):
    """What kind of statement a piece makes, by its form alone."""

    FRAGMENT = 0
    """A bare phrase: "expense report 2023"."""
    REQUEST = 1
    """An order, a wish, or a question."""
    TELLING = 2
    """A statement: "my sales are flat"."""
    POINTING = 3
    """Nothing but a deed and a word that points back: "look it up", "find that"."""
    FILLER = 4
    """Politeness, a vocative, a comment."""


_POLITE = (
    r"(?:please|pls|plz|kindly|thanks|thank you|thx|cheers|hi|hello|hey|hi there|hello there|hey there|good (?:morning|afternoon|evening)"
    r"|ok|okay|well|so|now|just|actually|oh|um+|uh+|hm+|ah|yes|sorry|excuse me|quick(?:ly)?|asap|first|right|alright|again"
    r"|today|for me|for us|if (?:you can|possible|you could|that's ok)|as soon as possible|in a minute|one (?:moment|second)"
    r"|(?:would|could|will) you be so (?:kind|good|nice)(?: as to| to)?|be so (?:kind|good)(?: as to)?|i would be (?:so )?(?:grateful|glad|happy)"
    r"|(?:many |a thousand )?thanks (?:a lot|so much|in advance|again|very much)|thank you (?:so much|very much|in advance|again|kindly)|much appreciated"
    r"|dear|i hope (?:you are|you're|all is|this finds you) (?:well|fine)|hope (?:you are|you're|all is) (?:well|fine|good)"
    r"|and|too|as well|maybe|perhaps|at once|right away|at the same time|there|sir|madam|folks|guys|team|everyone|mate|when you (?:can|have a (?:moment|minute))|(?:generally|roughly|strictly|honestly) speaking|in general|overall|no rush|not urgent|urgent(?:ly)?)"
)
_CLOSING = r"(?:(?:with )?(?:best|kind|kindest|warm|many)? ?(?:regards|wishes|greetings)|yours(?: sincerely| truly| faithfully)?|sincerely(?: yours)?|respectfully|love|all the best|best|cheers|thanks|thank you|thx|bye|greetings)"
_FILLER = re.compile(rf"\W*(?:(?:{_POLITE}|{_CLOSING})\W*)+\Z")
_CLOSES = re.compile(rf"\W*(?:{_POLITE}\W+)*{_CLOSING}(?:\W+(?:{_POLITE}|{_CLOSING}))*\W*\Z")
_SIGNED = re.compile(r"(?:[^\W\d_]+\.?\s?){1,3}")
FILLER_OR_NOTHING = re.compile(
    rf"\W*(?:(?:{_POLITE}|for|on|from|in|of|at|to|until|by|both|each|all|the same|starting|ending|dated|tel|email|e-mail|phone|dated|worth|over|is|it's)\W*)*\Z"
)
_POLITE_START = re.compile(rf"\W*(?:{_POLITE}\b\W*)+")
_POINTER = r"(?:it|this|that|them|these|those|both|both of (?:them|these|those)|all|one|the (?:two|three)(?: of them)?|each(?: of them)?|everything)"
_DEED = r"(?:look|find|show|get|give|pull|bring|fetch|send|tell|explain|check|open|run|do|make|create|search|see|view|print|display|have|put|need|want|like|prepare|generate|download|email|trace|track|identify|locate)"
_POINTING = re.compile(
    rf"\W*(?:(?:can|could|would|will) you\s+|(?:i|we) (?:want|need|would like|have|'d like) to\s+|let me\s+|i'd like to\s+|to\s+)?(?:please\s+|just\s+)?{_DEED}(?:\s+(?:up|out|for|me|us|to|at|into|down))*\s+{_POINTER}"
    r"(?:\s+(?:up|out|for|me|us|to|please|first|both|now|then|too|in|over|down))*\W*\Z"
)
_WISH = re.compile(
    r"\W*(?:(?:i|we) (?:should|must|ought to|have to|had better)\s+\w|(?:i|we)(?:'d| would| should| might|'ll)?\s+(?:also |really |still |just |now |first |only |then |kindly )*"
    r"(?:want|wanna|need|like|love|wish|require|prefer|wonder|would like|must|hope|'d like|am looking|have to)"
    r"|(?:i'm|im|we're|i am|we are) (?:\w+ )?(?:looking|after|interested|hoping|wondering|trying|here to)"
    r"|id like|i'd (?:like|love|prefer|rather)|(?:can|could|may|might|would|will|shall|should) (?:i|we|you|u|somebody|someone|anyone|anybody|a|an|the)\b"
    r"|(?:is it|would it be) possible|let(?:'s| me| us)|any chance|(?:what|which|who|whom|whose|how|when|where|why)\b|(?:whats|what's|who's|how's|where's)\b"
    r"|(?:is|are|do|does|did|was|were|have|has|am)\s+(?:i|we|you|u|there|my|our|the|it|this|that|they|any|similar|other|a|an)\b"
    r"|time to|any\b|do you mind|would you mind)"
)
_ORDER = re.compile(
    r"\W*(?:show|give|get|send|make|create|add|look|find|tell|put|let|pull|run|generate|prepare|connect|set|book|start|draw|draft|write|issue|raise|update|change|edit|modify|register|enter|save|fix|correct|bill|invoice|list|display|check|explain|help|call|ring|phone|chat|talk|speak|discuss|schedule|arrange|transfer|compare|bring|fetch|print|export|report|open|order|cancel|delete|remove|teach|walk|guide|need|want|have|do|provide|calculate|compute|tally|pass|hook|patch|log|review|summarize|summarise|search|see|view|plot|lend|apply|sign|submit)\s+(?!(?:report|reports|statement|lookup|is|are|was|were|has|had)\b)[\w$€£'\"]"
)
"""Deeds that are asked for in the imperative."""
_TELLING = re.compile(
    r"\W*(?:"
    r"(?:(?:someone|somebody|people)(?!\s+(?:to|who|that|from|on|about|for|by|over|with|can|could|please)\b)|i|we|he|she|they|you|it|this|that|there)(?:'s|'ve|'re|'m|'d|'ll| have| will| has| had| am| are| is| was| were| just| already| recently| still| never| cannot| can't| cant| don't| didn't| do not| did not)*\s+\w+"
    r"|(?:my|our|the|a|an|one|some|these|those|this|that|mr|mrs|ms|dr)\b[^,.;:!?]{0,60}?\s(?:is|are|was|were|has|have|had|got|gets|keeps|keep|will|would|won't|can't|cannot|seems?|looks?|wants?|needs?|shows?|says?|went|came|did|does|doesn't|didn't|don't|isn't|aren't|wasn't|charged|took|appeared|changed|moved)\b"
    r"|(?:my|our|the|a|an|one|some|these|those|this|that)\s+(?:[a-z'-]+\s+){1,4}?(?:(?:lost|loses|broke|breaks|left|sold|sells|bought|paid|pays|owes|owed|forgot|told|tells|asked|asks|gave|gives|made|makes|found|thinks|thought)\b"
    r"|[a-z]{2,}(?:ed|s)\s+(?:me|us|you|him|her|it|them|its|too|value|money)\b)"
    r"|theres\b|there's\b"
    r")"
)


def is_signature(before: str, folded: str) -> bool:
    """Tell whether a piece can only be the name below a letter: it stands after nothing but "best regards"."""
    return _CLOSES.match(before) is not None and _SIGNED.fullmatch(folded) is not None


def mood_of(folded: str) -> Mood:
    """Tell what kind of statement a piece makes."""
    if _FILLER.match(folded):
        return Mood.FILLER
    bare = _POLITE_START.sub("", folded, count=1) if _POLITE_START.match(folded) else folded
    asks = folded.rstrip().endswith("?")
    for pattern, mood in _MOODS:
        if pattern.match(bare):
            return Mood.REQUEST if asks and mood is Mood.TELLING else mood
    return Mood.REQUEST if asks else Mood.FRAGMENT


_MOODS = ((_POINTING, Mood.POINTING), (_WISH, Mood.REQUEST), (_TELLING, Mood.TELLING), (_ORDER, Mood.REQUEST))
