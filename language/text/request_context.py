"""What stands around a request: letters' openings and closings, asides, and conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from language.text.lazy_pattern import LazyPattern
from language.text.request_frames import is_request

Place = tuple[int, int]
"""Where something stands in a text."""

_PART = LazyPattern(
    r"[.](?=\s|\Z)|[!?;:\n()]+|,(?!\d)|\s+-\s+"
    r"|(?<!\bthat)(?<!\bwhat)(?<!\bwhich)(?<!\bif)(?<!\ball)(?<!\bwhen)\s+"
    r"(?=(?:i|we) (?:want|need|would like)\b|(?:i'd|we'd) like\b)"
    r"|\b(?:and|but|so|because|since(?!\s+(?:this|the) (?:morning|afternoon|week|month|year|weekend|start)\b)"
    r"|then|or)\b(?=\s+(?:i|we|my|our|it|it's"
    r"|they|he|she|the|there|this|that|i'm|i'd|i've|we're|we've|don't|please|not)\b)|\b(?:because|but|while|so that)\b"
    r"|\band\b(?=\s+(?:need|want|would like)\b)"
)
"""Where something else is said."""
_TELLS = LazyPattern(
    r"\W*(?:(?:and|but|so|well|because|since|while|as|ok|okay|hi|hello|hey|also|then|now|just|actually|sorry)\b[\s,]*)*"
    r"(?:(?:i|we|i'm|we're|i've|we've|i'd|it|it's|there|there's|they|they're|he|she|he's|she's|that's|nobody|somebody"
    r"|everybody|someone|everyone)\b"
    r"|(?:my|our|its|this|that|the|these|those|his|her|their)\s+(?:[\w'-]+\s+){1,5}?(?:is|are|was|were|has|have|had|will"
    r"|would|should|can|could|can't|won't|isn't|aren't|wasn't|does|doesn't|did|didn't|needs?|wants?|says|said|starts|keeps|leaks"
    r"|moved|left|called|wrote|came|went|broke|[a-z]{3,}ed)\b"
    r"|you (?:keep|have|still|sent|always|never|people|guys)\b|(?:got|received|missed|been|saw|heard|finished|forgot)\b"
    r"|(?:before|after|while) (?:i|we|my|our|he|she|they|the)\b"
    r"|(?!(?:do|does|did|is|are|was|were|have|has|can|could|will|would|should|what|which|who|how|when|where|why)\b)"
    r"(?:[^\W\d_]+\s+){1,3}(?:is|are|was|were|has|have|had|isn't|aren't|wasn't|moved|left|called|wrote|came|wants"
    r"|needs|says|said)\b)"
)
"""How a part begins that only tells something."""
_ABOUT = LazyPattern(r"\W*(?:(?:so|well|because|since|while)\s+)?(?:my|our|the|this|that|these|those)\b")
_LEAST_OF_SENTENCE = 3
_SAYS = LazyPattern(r"(?<!\S)[^\W\d_]{2,}(?:['-][^\W\d_]+)*(?![^\s.,;!?)])")
"""A word, and no number or address."""
_OBJECTS = LazyPattern(r"\b(?:don't|do not|never|not)\s+(?:\w+\s+)?(?:want|like|wish)\b")
"""What is said when something is not to be done."""
_UNABLE = LazyPattern(r"\W*(?:i|we)\s+(?:really\s+)?(?:can't|cannot|don't|do not|won't|will not|couldn't)\b")
_CONDITION = LazyPattern(
    r"\b(?:if|unless|whenever|provided|in case|as (?:soon|long) as|once(?!(?: [\w']+){1,3} (?:was|were|had)\b)"
    r"|until|till|when|depending on|whether"
    r"|otherwise|assuming|given that|should (?:he|she|they|it))\b(?!\s+(?:possible|necessary|so\b"
    r"|you (?:can|could|would|may|please|have|don't|do not)\b|i (?:may|might)\b"
    r"|(?:that|it)(?:'s| is) (?:ok|okay|fine|possible|not too much|all right|alright)))"
)
_ASKED = LazyPattern(
    r"\b(?:know|tell me|forg[eo]t(?:ten)?|see|check|say|remember|wonder(?:ing)?|sure|idea|find out|show me)\s+\Z"
)
_INVERTED = LazyPattern(r"(?:'s|\s+(?:is|are|was|were|do|does|did|can|could|will|would|has|have|should|must))\b")
"""Around a question: "when is", "I forgot when"."""
_END_OF_CONDITION = LazyPattern(r",(?!\d)|[.](?=\s|\Z)|[!?;\n]|\bthen\b|\bplease\b|\band (?:then|also)\b")
_NAMES = r"(?:(?i:all|team|everyone|everybody|there|sirs?|madam|or|sir|folks)|[^\W\d_a-z][^\W\d_]*[.]?)"
_CLOSING = LazyPattern(
    r"(?:^|[.!?,\n])\W*(?i:(?:(?:many|best|kind|warm|with)\s+)*"
    r"(?:thanks|thank you|thx|cheers|regards|wishes|best|sincerely|yours|love|greetings)"
    r"(?:\s+(?:regards|wishes|truly|sincerely|faithfully|in advance|a lot|so much))?)"
    rf"(?:[\s,.!-]+{_NAMES}){{0,3}}\W*\Z"
)
"""How a letter ends, with the name under it."""
_OPENING = LazyPattern(
    rf"\W*(?i:dear|hi|hello|hey|good (?:morning|afternoon|evening|day))(?:\s+{_NAMES}){{0,4}}\s*[,!.\n]"
)
"""How a letter begins, with the name of who gets it."""
_SEQUENCE = LazyPattern(
    r"\A\W*(?:no|nope|nah)\s*,|\bbut first(?: of all)?\b|\bbeforehand\b"
    r"|\bfirst(?= (?:of all|off|please|i|we|pay|show|give|send|tell|let)\b)|\b(?:first|second(?:ly)?|last(?:ly)?),"
    r"|\b(?:after|before) (?:that|this)\b|\bfirst\s*\Z|\bfirst(?=\s*[,.;!?])"
    r"|\bno (?:thanks|problem|rush|hurry|worries|longer|doubt)\b|\bnot (?:a|any) (?:problem|trouble)\b"
    r"|\ball (?:right|set|good|fine|correct|the same|that|this|of (?:that|this|it))\b"
    r"|\bonce (?:again|more)\b|\bat (?:all|once)\b|\bgood (?:morning|afternoon|evening)\b|\bback to\b"
)
"""Words that only order what is said."""


def politeness(text: str, folded: str) -> list[Place]:
    """List what asks for nothing: how a letter begins and ends, and words that only order what is said."""
    letter = (_CLOSING.search(text), _OPENING.match(text))
    return [match.span() for match in (*letter, *_SEQUENCE.finditer(folded)) if match]


def _parts(folded: str) -> list[tuple[int, int]]:
    found, at = [], 0
    for end in _PART.finditer(folded):
        found.append((at, end.start()))
        at = end.start() if end.group()[0].isalpha() else end.end()
    return [*found, (at, len(folded))]


def told(folded: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text that only tell something, where another one asks."""
    parts = [part for part in _parts(folded) if _SAYS.search(folded[slice(*part)])]
    telling = [part for part in parts if _only_tells(folded[slice(*part)])]
    telling += [part for part in parts if part not in telling and _is_sentence(folded[slice(*part)])]
    yield from telling if len(telling) < len(parts) else ()


def tells(folded: str) -> bool:
    """Return whether a stretch begins as a statement: "we are late", "the lift is broken"."""
    return _TELLS.match(folded) is not None


def _is_sentence(said: str) -> bool:
    """Return whether a part is about a thing, and long enough to say something of it; "and my wife" is not."""
    long = len(said.split()) > _LEAST_OF_SENTENCE
    return long and _ABOUT.match(said) is not None and _OBJECTS.search(said) is None and not is_request(said)


def _only_tells(said: str) -> bool:
    """Return whether a part of an utterance tells something, and neither asks for anything nor refuses it."""
    if _TELLS.match(said) is None or _OBJECTS.search(said):
        return False
    return _UNABLE.match(said) is not None or not is_request(said)


def conditions(folded: str, heeded: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the conditions that are made, and times at which something is to happen: "if …", "once …"."""
    at = 0
    for match in _CONDITION.finditer(folded):
        if match.start() < at or any(a <= match.start() < b for a, b in heeded):
            continue
        asked = match.group() in ("when", "if", "whether") and _ASKED.search(folded, 0, match.start())
        if asked or (match.group() == "when" and _INVERTED.match(folded, match.end())):
            continue
        end = _END_OF_CONDITION.search(folded, match.end())
        at = end.start() if end else len(folded)
        yield match.start(), at
