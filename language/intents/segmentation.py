# ruff: noqa: E501 - the words of one form are kept together on a line
"""Segmentation: cutting an utterance into pieces, each with its clause type.

The text is cut wherever another request may begin: at the end of a sentence, at a comma, a dash, "and", "then". Which
pieces belong together is decided in `grouping.py`, where it is known what each is about. No text is lost: the pieces
and what is between them are the whole utterance.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from language.text.lazy_pattern import LazyPattern
from language.text.words import blank


class ClauseType(IntEnum):
    """Clause types, by form alone."""

    FRAGMENT = 0
    """A bare phrase: "expense report 2023"."""
    REQUEST = 1
    """An order, a wish, or a question."""
    TELLING = 2
    """A statement: "my sales are flat"."""
    POINTING = 3
    """Only a verb and a pronoun: "look it up", "find that"."""
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
_FILLER = LazyPattern(rf"\W*(?:(?:{_POLITE}|{_CLOSING})\W*)+\Z")
_CLOSES = LazyPattern(rf"\W*(?:{_POLITE}\W+)*{_CLOSING}(?:\W+(?:{_POLITE}|{_CLOSING}))*\W*\Z")
_SIGNED = LazyPattern(r"(?:[^\W\d_]+\.?\s?){1,3}")
FILLER_OR_NOTHING = LazyPattern(
    rf"\W*(?:(?:{_POLITE}|for|on|from|in|of|at|to|until|by|both|each|all|the same|starting|ending|dated|tel|email|e-mail|phone|dated|worth|over|is|it's)\W*)*\Z"
)
_POLITE_START = LazyPattern(rf"\W*(?:{_POLITE}\b\W*)+")
_POINTER = r"(?:it|this|that|them|these|those|both|both of (?:them|these|those)|all|one|the (?:two|three)(?: of them)?|each(?: of them)?|everything)"
_DEED = r"(?:look|find|show|get|give|pull|bring|fetch|send|tell|explain|check|open|run|do|make|create|search|see|view|print|display|have|put|need|want|like|prepare|generate|download|email|trace|track|identify|locate)"
_POINTING = LazyPattern(
    rf"\W*(?:(?:can|could|would|will|may|might|shall) (?:you|i|we|somebody|someone|anybody|anyone)\s+|(?:i|we) (?:want|need|would like|have|'d like) to\s+|let me\s+|i'd like to\s+|to\s+|(?:i|we) (?:really |just )?(?=need|want))?(?:please\s+|just\s+)?{_DEED}(?:\s+(?:up|out|for|me|us|to|at|into|down))*\s+{_POINTER}"
    rf"(?:\s*,?\s+(?:up|out|for|me|us|to|please|first|both|now|then|too|in|over|down|by|soon|immediately|straight away|{_POLITE}))*\W*\Z"
)
_WISH = LazyPattern(
    r"\W*(?:(?:i|we) (?:should|must|ought to|have to|had better)\s+\w|(?:i|we)(?:'d| would| should| might|'ll)?\s+(?:also |really |still |just |now |first |only |then |kindly )*"
    r"(?:want|wanna|need|like|love|wish|require|prefer|wonder|would like|must|hope|'d like|am looking|have to)"
    r"|(?:i'm|im|we're|i am|we are) (?:\w+ )?(?:looking|after|interested|hoping|wondering|trying|here to)"
    r"|id like|i'd (?:like|love|prefer|rather)|(?:can|could|may|might|would|will|shall|should) (?:i|we|you|u|somebody|someone|anyone|anybody|a|an|the)\b"
    r"|(?:is it|would it be) possible|let(?:'s| me| us)|any chance|(?:what|which|who|whom|whose|how|when|where|why)\b|(?:whats|what's|who's|how's|where's)\b"
    r"|(?:is|are|do|does|did|was|were|have|has|am)\s+(?:i|we|you|u|there|my|our|the|it|this|that|they|any|similar|other|a|an)\b"
    r"|time to|any\b|do you mind|would you mind)"
)
_ORDER = LazyPattern(
    r"\W*(?:show|give|get|send|make|create|add|look|find|tell|put|let|pull|run|generate|prepare|connect|set|book|start|draw|draft|write|issue|raise|update|change|edit|modify|register|enter|save|fix|correct|bill|invoice|list|display|check|explain|help|call|ring|phone|chat|talk|speak|discuss|schedule|arrange|transfer|compare|bring|fetch|print|export|report|open|order|cancel|delete|remove|teach|walk|guide|need|want|have|do|provide|calculate|compute|tally|pass|hook|patch|log|review|summarize|summarise|search|see|view|plot|lend|apply|sign|submit)\s+(?!(?:report|reports|statement|lookup|is|are|was|were|has|had)\b)[\w$€£'\"]"
)
"""Verbs of requests in the imperative."""
_TELLING = LazyPattern(
    r"\W*(?:"
    r"(?:(?:someone|somebody|people)(?!\s+(?:to|who|that|from|on|about|for|by|over|with|can|could|please)\b)|i|we|he|she|they|you|it|this|that|there)(?:'s|'ve|'re|'m|'d|'ll| have| will| has| had| am| are| is| was| were| just| already| recently| still| never| cannot| can't| cant| don't| didn't| do not| did not)*\s+\w+"
    r"|(?:my|our|the|a|an|one|some|these|those|this|that|mr|mrs|ms|dr)\b[^,.;:!?]{0,60}?\s(?:is|are|was|were|has|have|had|got|gets|keeps|keep|will|would|won't|can't|cannot|seems?|looks?|wants?|needs?|shows?|says?|went|came|did|does|doesn't|didn't|don't|isn't|aren't|wasn't|charged|took|appeared|changed|moved)\b"
    r"|(?:my|our|the|a|an|one|some|these|those|this|that)\s+(?:[a-z'-]+\s+){1,4}?(?:(?:lost|loses|broke|breaks|left|sold|sells|bought|paid|pays|owes|owed|forgot|told|tells|asked|asks|gave|gives|made|makes|found|thinks|thought)\b"
    r"|[a-z]{2,}(?:ed|s)\s+(?:me|us|you|him|her|it|them|its|too|value|money)\b)"
    r"|theres\b|there's\b"
    r")"
)


def clause_type_of(folded: str) -> ClauseType:
    if _FILLER.match(folded):
        return ClauseType.FILLER
    bare = _POLITE_START.sub("", folded, count=1) if _POLITE_START.match(folded) else folded
    asks = folded.rstrip().endswith("?")
    for pattern, type_ in _CLAUSE_TYPES:
        if pattern.match(bare):
            return ClauseType.REQUEST if asks and type_ is ClauseType.TELLING else type_
    return ClauseType.REQUEST if asks else ClauseType.FRAGMENT


_CLAUSE_TYPES = (
    (_POINTING, ClauseType.POINTING),
    (_WISH, ClauseType.REQUEST),
    (_TELLING, ClauseType.TELLING),
    (_ORDER, ClauseType.REQUEST),
)


MAX_PIECES = 14
"""Of an utterance with more of them, only sentences are told apart."""
_MAX_SENTENCES = 30
"""Of a text with more of them, the rest is taken as one."""


class Cut(IntEnum):
    """Kinds of cuts before a piece, from the weakest to the one that most likely begins another request."""

    START = 0
    WEAK = 1
    """A colon, "so", "because", "but": more often an explanation than a new request."""
    COMMA = 2
    AND = 3
    SENTENCE = 4
    THEN = 5
    """Words that announce another request: "then", "also", "while you're at it"."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the utterance, and what stands before it."""

    start: int
    end: int
    cut: Cut
    type: ClauseType

    def of(self, text: str) -> str:
        return text[self.start : self.end]


_ADDING = (
    r"(?:and\s+|but\s+|oh\s+|&\s*|n\s+|\+\s*)*"
    r"(?:then|also|additionally|in addition|besides|furthermore|moreover|after (?:that|this|which)|afterwards?"
    r"|next|finally|lastly|secondly|thirdly|plus|as well as|along with|together with|on top of (?:that|it)"
    r"|(?:while|when|once|since) (?:you(?:'re| are)|u r|ur|you) (?:at it|there|done|finished|about it)"
    r"|(?:once|when|as soon as) (?:that(?:'s| is)|it(?:'s| is)|this is) (?:done|ready|finished|there|here)"
    r"|separately|unrelated(?:ly)?|on another note|another thing|one more thing|apart from that|by the way|btw"
    r"|at the same time|oh and|and oh|(?<=but )first(?: of all)?|beforehand"
    r"|(?:before|prior to) (?:that|this)(?!\s+(?:is|was|were|has|had|happen\w*|will|would|came|comes|[a-z]+ed)\b)"
    r")\b,?"
)
_OWNED = LazyPattern(r"\b(?:my|your|his|its|our|their|the|a|an|every|very)\s*\Z")
"""A word that begins the name of a thing: "my next appointment" adds nothing."""
_NAMES_THE_NEXT = LazyPattern(r"next\s(?!\s*,)")
"""The word that adds, at the beginning of all: there it belongs to what follows, as in "next song please"."""
_EARLIER = LazyPattern(r"\W*(?:(?:and|but|oh)\W+)*(?:(?<=but )first|beforehand|(?:before|prior to) (?:that|this))\b")
"""Among the words that add a request: it is to come before what was asked for so far."""
_ABBREVIATIONS = "".join(
    rf"(?<!\b{word})" for word in (*"mr ms dr mrs st tel no vs co inc etc approx".split(), r"e\.g", r"i\.e", "[a-z]")
)
_CUTS: tuple[tuple[Cut, LazyPattern], ...] = (
    (Cut.SENTENCE, LazyPattern(rf"\s*(?:[!?;\n]+|{_ABBREVIATIONS}\.+(?=\s|\Z)|\.\.+|…)(?:\s*[!?.;\n)]+)*\s*")),
    (Cut.SENTENCE, LazyPattern(r"\s+[-–—]+\s+|\s*—\s*|\s+[|/>]+\s+|\s*->\s*|\s*=>\s*")),
    (Cut.SENTENCE, LazyPattern(r"(?:(?<=\s)|\A)\(?[1-9a-d][.)]\s+(?=\D)")),
    (Cut.THEN, LazyPattern(rf"(?:\s*,)?\s+(?<!\bbut\s)(?={_ADDING}\s)")),
    (Cut.AND, LazyPattern(r"(?:\s*,)?\s+(?:(?:and|n)\s+|&\s*|\+\s*)(?=[\w$€£])")),
    (Cut.COMMA, LazyPattern(r"\s*,\s*(?=\D)|\s*,\s+")),
    (
        Cut.WEAK,
        LazyPattern(
            r"\s*:\s+|(?:\s*,)?\s+(?:so|but|because|cause|cuz|since|as|or)\s+(?=(?:i|i'm|i'd|we|my|our|it|he|she|they|the|there|have|please|can|could|get|make|give|show)\b)"
        ),
    ),
)
_LEAD = LazyPattern(rf"\s*(?:{_ADDING}|(?:and|n|&|\+|but|so)\s)\s*")

_RESTATES = LazyPattern(
    r"\W*(?:(?:that is(?: to say)?|that means)\s*[,:]|(?:i mean|in other words|namely|i\.e\.|or rather)\b)\W*(?=\w)"
)
"""Phrases that announce a rewording of what was just said."""


def cut_up(
    folded: str,
    protected: Sequence[tuple[int, int]] = (),
    fixed: Sequence[tuple[int, int]] = (),
    *,
    apart: bool = False,
) -> list[Piece]:
    """Cut a folded text wherever another request may begin, but never within a protected stretch (a value).

    Nor within `fixed` ones, which are words like any others: "profit and loss". With `apart`, values and politeness are
    pieces of their own.
    """
    pieces: list[Piece] = []
    at, before = 0, Cut.START
    for start, (end, cut) in [*_find_cuts(folded, (*protected, *fixed)), (len(folded), (len(folded), Cut.START))]:
        inner_start, inner_end = _trim(folded, at, start)
        if inner_end > inner_start:
            led, before = _without_lead(folded, inner_start, inner_end, before if pieces else None)
            inner_start = inner_start if any(a < led < b for a, b in protected) else led
            pieces.append(Piece(inner_start, inner_end, before, clause_type_of(folded[inner_start:inner_end])))
            before = cut
        else:
            before = max(before, cut)
        at = end
    pieces = _unsigned(folded, pieces)
    if not apart:
        pieces = _with_values(folded, pieces, protected)
    if len(pieces) > MAX_PIECES:
        return _sentences_only(folded, pieces)
    return pieces


def without_lead(folded: str) -> str:
    """Return a text without words that only join it to what was said before: "and by the way"."""
    lead = _LEAD.match(folded)
    return folded[lead.end() :] if lead and lead.end() < len(folded) else folded


def is_to_come_first(folded: str, end: int) -> bool:
    """Return whether what is asked for behind a place is to come before what is asked for up to there."""
    return _EARLIER.match(folded, end) is not None


def _find_cuts(folded: str, protected: Sequence[tuple[int, int]]) -> list[tuple[int, tuple[int, Cut]]]:
    """Find where each cut begins, where it ends, and of which kind it is; of those that overlap, the strongest."""
    found: dict[int, tuple[int, Cut]] = {}
    for cut, pattern in _CUTS:
        for match in pattern.finditer(folded):
            start, end = match.span()
            if any(a <= start and end < b for a, b in protected):
                continue
            if cut is Cut.THEN and any(a == end for a, _ in protected):
                continue  # "next" adds something, "next month" is a value
            if cut is Cut.THEN and _OWNED.search(folded, 0, start):
                continue
            if cut in (Cut.AND, Cut.COMMA) and _is_embedded(folded, start, end):
                continue
            overlap = next(
                (s for s, (e, _) in found.items() if s < max(end, start + 1) and start < max(e, s + 1)), None
            )
            if overlap is None:
                found[start] = (end, cut)
            elif cut is Cut.THEN or found[overlap][1] < cut:
                old_end, old = found.pop(overlap)
                found[min(overlap, start)] = (max(old_end, end), max(old, cut))
    return sorted(found.items())


def _without_lead(folded: str, start: int, end: int, cut: Cut | None) -> tuple[int, Cut]:
    """Leave out the words that only join a piece to what is before it, and say what they make of the cut between."""
    restates = _RESTATES.match(folded, start, end) if cut is not None else None
    if restates and restates.end() < end:
        return restates.end(), Cut.WEAK
    lead = None if cut is None and _NAMES_THE_NEXT.match(folded, start) else _LEAD.match(folded, start, end)
    if not (lead and lead.end() < end):
        return start, cut or Cut.START
    adds = re.search(r"\w\w\w", lead.group().replace("and", "").replace("but", "")) is not None
    return lead.end(), Cut.START if cut is None else max(cut, Cut.THEN) if adds else cut


def _unsigned(folded: str, pieces: list[Piece]) -> list[Piece]:
    """Put the name below a letter to its "best regards"."""
    if len(pieces) > 2 and _CLOSES.match(pieces[-2].of(folded)) and _SIGNED.fullmatch(pieces[-1].of(folded)):
        *rest, closing, name = pieces
        return [*rest, Piece(closing.start, name.end, closing.cut, ClauseType.FILLER)]
    return pieces


def _is_embedded(folded: str, start: int, end: int) -> bool:
    """Return whether what follows a comma or "and" goes on with what is to be told: "... and what it costs".

    That is so where the sentence speaks of a person "who can tell me", or "about how" something is, and no question of
    its own follows.
    """
    indirect = _INDIRECT.match(folded, end)
    if indirect is None:
        return False
    sentence = _SENTENCE_END.split(folded[:start])[-1]
    return (_EMBEDDING if indirect["of_it"] is None else _ASKED_BEFORE).search(sentence) is not None


_SENTENCE_END = LazyPattern(r"[.!?;\n]\s")
_TELLS = r"(?:tell|explain|know|understand|say|show|help|clarif(?:y|ie)|find out)(?:e?s)?\b"
_PERSON = r"(?:someone|somebody|anyone|anybody|person|people|human|agent|expert|specialist|representative|advis[eo]r|consultant)s?"
_EMBEDDING = LazyPattern(
    rf"\b(?:who|that|which)\s+(?:(?:can|could|will|would|may|might|is able to|are able to)\s+)?(?:please\s+)?{_TELLS}"
    rf"|\b{_PERSON}\b.*\bto\s+(?:please\s+)?{_TELLS}"
    r"|\b(?:about|on|over|regarding)\s+(?:what|how|when|where|why|which|whether|who)\b"
)
_ASKED_BEFORE = LazyPattern(r"\b(?:what|how|when|where|why|which|whether|if)\b")
_INDIRECT = LazyPattern(
    r"\W*(?:and\s+)?(?:what|how(?:\s+(?:much|many|long|often|far|soon|big|high))?|when|where|why|whether|if|who|which(?:\s+\w+)?)\s+"
    r"(?!(?:do|does|did|is|are|was|were|can|could|should|would|will|have|has)\b)(?:(?P<of_it>it|they|he|she)\b|[a-z])"
)
"""A question as it stands in another sentence: "what the postage costs", not "what does the postage cost"."""


def _with_values(folded: str, pieces: list[Piece], protected: Sequence[tuple[int, int]]) -> list[Piece]:
    """Put pieces that hold nothing but a value, or politeness, to what is before them; the first to what follows."""
    found: list[Piece] = []
    waiting: Piece | None = None
    for piece in pieces:
        if _is_value(folded, piece, protected) or (piece.type is ClauseType.FILLER and piece.cut < Cut.SENTENCE):
            if found:
                found[-1] = _joined(found[-1], piece)
            else:
                waiting = piece if waiting is None else _joined(waiting, piece)
            continue
        found.append(
            piece if waiting is None else Piece(waiting.start, piece.end, Cut.START, clause_type_of(piece.of(folded)))
        )
        waiting = None
    return found if waiting is None else [waiting]


def _is_value(folded: str, piece: Piece, protected: Sequence[tuple[int, int]]) -> bool:
    inside = [(start, end) for start, end in protected if piece.start <= start and end <= piece.end]
    left = piece.of(blank(folded, inside))
    return len(left.split()) < len(piece.of(folded).split()) and FILLER_OR_NOTHING.match(left) is not None


def _joined(one: Piece, other: Piece) -> Piece:
    return Piece(one.start, other.end, one.cut, one.type if one.type is not ClauseType.FILLER else other.type)


def _sentences_only(folded: str, pieces: list[Piece]) -> list[Piece]:
    merged: list[Piece] = []
    for piece in pieces:
        if merged and (piece.cut < Cut.SENTENCE or len(merged) == _MAX_SENTENCES):
            last = merged[-1]
            merged[-1] = Piece(last.start, piece.end, last.cut, clause_type_of(folded[last.start : piece.end]))
        else:
            merged.append(piece)
    return merged


def _trim(folded: str, start: int, end: int) -> tuple[int, int]:
    while start < end and (folded[start].isspace() or folded[start] in ",.;:!?"):
        start += 1
    while end > start and (folded[end - 1].isspace() or folded[end - 1] in ",.;:"):
        end -= 1
    return start, end
