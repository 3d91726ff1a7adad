"""Extents: how far a value in free words goes.

What looks like any other words, such as an address or an employer, ends where something else begins: another request,
what is said of another person or thing, or a time that belongs to neither.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from catalog.model import Fact
from catalog.values import Date, ValueKind
from language.readers import ANY_DAY, find_mentions, reader_of
from language.readers.time_expressions import find_time_expressions
from language.readers.units import MEASURE
from language.text.lazy_pattern import LazyPattern
from language.text.request_frames import is_request
from language.text.utterance import UtteranceText
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, blank, content_words, fold, words_in

_CUT = LazyPattern(
    r"(?:\s*[,;]|\s+-)?\s+(?:and then|and also|and|but|then|plus|so|while|because|cause"
    r"|since(?=\s+(?:i|we|he|she|they)\b))\s+"
    r"|\s*[,;]\s+|\s+-\s+|(?<=[^\W\d_]{3})[.!?]\s+"
)
"""Where something else may begin."""
_STATEMENT = LazyPattern(
    r"(?:i|i'm|i've|i'd|i'll|we|we're|we've|we'd|we'll|you|he|he's|she|she's|they|they're|it|it's|that's|this|there)\s+\w"
)
_OWNED = LazyPattern(r"(?:my|our|his|her|their|your)\s+\w")
_DOING = LazyPattern(r"(?:[a-z]{2,}ing)\s+(?:in|on|at|to|out|up|for|from|there|here|with|by|soon|a|the|my)\b")
_SINCE = (
    r"(?:(?:in|on|at|for|since|from|until|till|by|as of|starting|over|about|around|almost|nearly|some|the|past|last)"
    r"\s+)*"
)
_TIMED = LazyPattern(rf"{_SINCE}(?:{MEASURE})(?:\s+(?:now|ago|already|so far|there|here|old|of age))?\W*\Z")
_ENDS_IN = LazyPattern(rf"[\s,]+(?:for|since)\s+{_SINCE}(?:{MEASURE}|(?:19|20)\d\d)(?:\s+(?:now|already|so far))?\W*\Z")
_BEFORE_TIME = LazyPattern(
    r"(?:[\s,]+(?:in|on|since|from|until|till|as of|starting|by|at|for|the|of|next|this|last|coming))*[\s,]*\Z"
)
_UNDER_CONDITION = LazyPattern(
    r"[\s,]+(?:if|unless|when|whenever|once|until|till|provided|in case|as (?:soon|long) as|only)\b"
)
_PROPER = LazyPattern(r"(?:(?:[^\W\d_a-z]\S*|of|and|the|de|van|von|&|[0-9]\S*)\s*)+")
"""A proper name, such as that of a company, as most people write it."""

GoalOf = Callable[[str], str | None]
"""Which goal a stretch surely asks for."""


def end_of_value(kind: ValueKind, text: str, start: int, end: int, goal_of: GoalOf) -> int:
    """Return where a value in free words that begins at `start`, and goes to `end` at most, ends."""
    inner, folded = kind.innermost, fold(text)
    idle: int | None = None
    for first, piece in _pieces(folded, start, end):
        if _is_other(inner, text[start:first], piece, goal_of):
            end = first if idle is None else idle
            break
        says = any(word.text not in _INTERJECTIONS for word in words_in(piece))
        idle = None if says else first if idle is None else idle
    else:
        end = end if idle is None else idle
    end = start + len(folded[start:end].rstrip(' ,;:"'))
    return _without_time(inner, text, folded, start, end)


_INTERJECTIONS = frozenset("oh ah um uh hm hmm well anyway okay ok thanks please sorry".split())
"""What may stand between a value and something else, and belongs to neither."""
_ASIDE = LazyPattern(
    r"[\s,]+(?:for|with|without|because|since|so|if|when|while|before|after|and then|that|which|who|using|including"
    r"|starting|beginning|leaving|departing|arriving|returning|going|coming)\b(?!')"
)
"""What goes on behind the name of a place."""
_NAMED_PLACE = LazyPattern(
    r"[^\W\d_a-z][^\W_]*(?:['.-][^\W_]+)*\.?"
    r"(?:[ ](?:(?:[a-z]{1,5}[ -]){1,2}(?=[^\W\d_a-z])(?<!for )(?<!with )(?<!and )(?<!to )(?<!from )(?<!my )(?<!by ))?"
    r"(?:[^\W\d_a-z][^\W_]*|\d[^\W_]*)(?:['.-][^\W_]+)*)*"
)
"""Words with capitals, and the little words between them: "Newcastle upon Tyne", "Gare du Nord", "Terminal 2"."""


def end_of_place(text: str, start: int, end: int, goal_of: GoalOf) -> int:
    """Return where what stands behind "to" or "from" ends: behind a name, or where something else goes on."""
    folded = fold(text)
    for first, piece in _pieces(folded, start, end):
        if _is_other_than_place(piece, goal_of):
            end = first
            break
    named = _NAMED_PLACE.match(text, start, end)
    if named is not None and re.match(r"\s+[a-z]|,\s+(?:and\s+)?[a-z]", text[named.end() : end]):
        return named.end()
    aside = _ASIDE.search(folded, start, end)
    end = aside.start() if aside and aside.start() > start else end
    return start + len(folded[start:end].rstrip(' ,;:."'))


_THING = LazyPattern(r"(?:my|our|his|her|their|your|the|this|that)(?:\s+[\w'-]+){0,3}\s*\Z")
"""Words that lead to the name of a thing: "my dog", "the"."""
_SUBJECT = LazyPattern(
    r"(?:\A|[.!?;,:]\s*|\b(?:and|but|because|since|as|so|if|when|while|that|think|believe|cause|hello|hi)\s+)"
    r"(?:(?:oh|well|hi|hello|please|sorry|my|our|the|his|her|their|your|this)\s+)*\Z"
)
"""Before what a clause is about."""
_SAYS = (
    r"(?:is|are|was|were|has|have|had|does|did|will|would|can|could|should|must|may|might"
    r"|needs?|keeps?|wants?|gets?|got)"
)
_GOES_ON = LazyPattern(rf"\s+(?:{_SAYS}(?:n['’]t)?|who|whom|which|whose|that|he|she|it|they)\b(?!['’]?[A-Z])")
_BEGINS_CLAUSE = LazyPattern(
    rf"(?:{_SAYS}(?:n['’]t)?|['’]s|and|or|who|which|in|on|at|for|with|to|from|by|i|he|she|it)\b"
)


def end_of_noun(said: UtteranceText, opened: re.Match[str], start: int, end: int, *, little: bool) -> int:
    """Return where a name ends in whose frame a thing is spoken of: "my dog Rex is limping"; `start` if it is none.

    Behind a proper name a verb goes on with the clause; behind others where the clause is about the thing.
    """
    leading = f"{said.folded[max(0, opened.start() - 20) : opened.start()]}{opened.group()}"
    last = opened.group().split()[-1:]
    thing = _THING.search(leading) is not None and (little or last[0] not in FUNCTION_WORDS | FRAME_WORDS)
    if not thing and not (little and last and last[0] != "that"):
        return end
    if thing and not little and _BEGINS_CLAUSE.match(said.folded, start, end):
        return start
    if thing and not said.text[start : start + 1].isupper() and _INVERTED.search(said.folded, 0, opened.start()):
        return start  # "can my dog come": a verb
    named = _NAMED_PLACE.match(said.text, start, end)
    if named is not None:
        return named.end() if _GOES_ON.match(said.text, named.end(), end) else end
    about = thing and _SUBJECT.search(said.folded, 0, opened.start())
    goes_on = _GOES_ON.search(said.text, start, end) if about else None
    return goes_on.start() if goes_on else end


_INVERTED = LazyPattern(
    r"\b(?:can|could|may|might|do|does|did|will|would|is|was|has|should|must)\s+(?:(?:my|our|the)\s+)?\Z"
)


def _is_other(kind: ValueKind, before: str, piece: str, goal_of: GoalOf) -> bool:
    if kind.is_place or kind.name_part or _PROPER.fullmatch(before):
        return _is_other_than_place(piece, goal_of)
    return is_request(piece) and goal_of(piece) is not None  # a topic, a message: whole sentences may be one


def _is_other_than_place(piece: str, goal_of: GoalOf) -> bool:
    other = (form.match(piece) for form in (_STATEMENT, _TIMED, _OWNED, _DOING))
    return any(other) or is_time(piece) or is_request(piece) or goal_of(piece) is not None


def _pieces(folded: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield where each cut begins, and what stands behind it, up to the next one."""
    cuts = [match.span() for match in _CUT.finditer(folded, start, end) if match.start() > start]
    for (first, last), (after, _) in pairwise([*cuts, (end, end)]):
        yield first, folded[last:after].strip()


def is_time(piece: str) -> bool:
    """Return whether a piece is a time and nothing else: "last week", "in March"; a bare number may be a zip code."""
    times = times_in(piece)
    return bool(times) and _BEFORE_TIME.fullmatch(f" {blank(piece, times)}") is not None


def _without_time(kind: ValueKind, text: str, folded: str, start: int, end: int) -> int:
    """Leave out the time at the end of a name or an address: "4 Park Lane, Bath last week"."""
    if kind.is_place or kind.name_part:
        condition = _UNDER_CONDITION.search(folded, start, end)
        end = end_before_time(folded, start, condition.start() if condition else end)
    elif text[start : start + 1].isupper() and (since := _ENDS_IN.search(folded, start, end)):
        end = since.start()
    return end


def end_before_time(folded: str, start: int, end: int) -> int:
    """Return where what stands before a time at the end of a stretch ends: "Rome next Friday"."""
    times = [(first, last) for first, last in times_in(folded[start:end]) if first > 0]
    if times and not folded[start + times[-1][1] : end].strip(" ,.!"):
        before = folded[start : start + times[-1][0]]
        return start + _BEFORE_TIME.search(before).start()  # type: ignore[union-attr]
    return end


def times_in(folded: str) -> list[tuple[int, int]]:
    """List where times and days are said in a stretch, in order; a bare number may be anything."""
    found = [(spell.start, spell.end) for spell in find_time_expressions(folded, ANY_DAY)]
    found += [
        (day.start, day.end)
        for day in find_mentions(Date(), folded, ANY_DAY)
        if not any(start < day.end and day.start < end for start, end in found)
    ]
    return sorted((start, end) for start, end in found if re.search(r"[a-z]", folded[start:end].casefold()))


_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)
BARE_PLACE = LazyPattern(
    rf"\b\d{{1,5}}[a-zA-Z]?(?! {_MONTH}\b)(?: [A-Z][\w'.-]+){{1,4}}"
    r"(?:, (?:[A-Z][\w'-]+|\d{4,6})(?: (?:[A-Z][\w'-]+|\d{4,6}))*)*"
)
"""A number, a street, and what may follow: with capitals, an address even where nothing leads to it."""
_LEADS_TO_PLACE = frozenset(
    """change make set update correct move moved moving live meant mean wait now place home house flat apartment address
    street new pls register put use save note enter record add take file""".split()
)


_DENIED = LazyPattern(r"\b(?:not|never)\b|n't\b")


def bare_places(said: UtteranceText) -> Iterator[tuple[int, int]]:
    """Yield the addresses that are all that a clause says: "actually it's 14 Elm Grove"."""
    for match in BARE_PLACE.finditer(said.text):
        clause = said.clause_at(match.start())
        before = re.split(r"\b(?:and|but)\b|[,;]\s", said.folded[clause.start : match.start()])[-1]
        around = f"{before} . {said.folded[match.end() : clause.end]}"
        contrast = said.folded.rfind(" but ", clause.start, match.start())
        denied = _DENIED.search(said.folded, max(clause.start, contrast), match.start())
        if not denied and all(word.text in _LEADS_TO_PLACE | FRAME_WORDS for word in content_words(around)):
            yield match.span()


_LEAST_VERB = 4
"""Letters of a verb that leads to the value of a fact."""


def listing(facts: Sequence[Fact]) -> re.Pattern[str]:
    """Match where a fact is named in a list of values: ", colour red", "; my badge code is", "with badge code QX-1"."""
    values: dict[str, str] = {}
    kinds = [fact.value.kind for fact in facts]
    for fact in facts:
        options = "|".join(re.escape(fold(option)) for option in fact.value.declared_options)
        stated = rf"(?:{options})\b" if options else r"\S*[\d@]"
        of_kind = reader_of(fact.value).names if kinds.count(fact.value.kind) == 1 else ()
        values |= dict.fromkeys(map(fold, (fact.label, fact.name.replace("_", " "), *of_kind)), stated)
    names = sorted(values, key=len, reverse=True)
    named = "|".join(map(re.escape, names)) or "(?!)"
    stated = "|".join(rf"{re.escape(name)}\s+(?:(?:is|of|:|=)\s*)?{values[name]}" for name in names) or "(?!)"
    whose = r"(?:(?:my|our|the|its|a|an)\s+)?"
    verbs = "|".join(sorted({verb for fact in facts for verb in _verbs(fact)})) or "(?!)"
    return re.compile(
        rf"\s*[,;]\s+(?:(?:and|with|in)\s+)?{whose}(?:{named})\b|\s+(?:and|with|in)\s+{whose}(?:{stated})"
        rf"|(?:\s*[,;])?\s+(?:(?:it|i|we|he|she|they|which|that)\s+)?(?:{verbs})\s+(?=\S*\d)"
    )


def _verbs(fact: Fact) -> Iterator[str]:
    """Yield the words right before values in the examples of a fact with a form, in any form of theirs: "weighing"."""
    for example in fact.examples if not fact.value.free_text and not fact.value.declared_options else ():
        folded = fold(example)
        for mention in find_mentions(fact.value, example, ANY_DAY)[:1]:
            last = [word.text for word in words_in(folded[: mention.start])][-1:]
            base = re.sub(r"(?:ing|ed|s)\Z", "", last[0]) if last else ""
            if len(base) >= _LEAST_VERB and last[0] not in FUNCTION_WORDS | FRAME_WORDS:
                yield rf"{re.escape(base)}(?:s|ing|ed)?"
