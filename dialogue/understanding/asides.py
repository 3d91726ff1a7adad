"""Asides: what is said around an answer and is none: questions back, changes of mind, corrections of what was given."""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalog.model import Catalog, Fact
from dialogue.meaning import ValueMention
from dialogue.understanding.names import FactNames
from dialogue.understanding.reading import Reading
from dialogue.understanding.values import WORDY, Claim
from dialogue.understanding.words import Clause, span_of

_ASKING = re.compile(
    r"\W*(?:(?:and|but|so|well|ok|okay|hm+|oh)[\s,]+)*(?:"
    r"(?:what|why|how|when|where|who|which|whose)(?:'s|\s+(?:is|are|am|was|were|do|does|did|will|would|can|could|should"
    r"|shall|may|might|must|has|have|had|if|about|happens?|kind|else|exactly|many|much|long|one)\b)"
    r"|(?:can|could|would|will|should|shall|do|does|did|is|are|am|may|must|have)\s+(?:i|you|we|it|that|this|they|there)\b)"
)
_TURNING = re.compile(
    r"\W*(?:(?:actually|wait|hold on|hang on|sorry|oh)[\s,]+(?:yes|no|wait|actually|you can|please|i)\b"
    r"|(?:yes|yeah|no|nope)\s*,|(?:you|we) (?:can|may|could) (?:use|have|take|ask|send|give|share|pass)\b)"
)
_MIND_CHANGED = re.compile(r"\bchanged my mind\b")
_CORRECTING = re.compile(
    r"\b(?:actually|make (?:it|that)|i (?:meant|mean)|rather|instead|change (?:it|that) to|sorry|correction|no,? wait"
    r"|wait|better)\b"
)
_TERM = re.compile(
    r"\W*(?:(?:and|but|so|ok|okay|sorry|please|(?:can|could) you (?:please )?(?:tell me|explain(?: to me)?))[\s,]+)*(?:"
    r"what(?:'s| is| are) (?:an?|this|the) (?P<is>[^?,.;]{2,60}?)"
    r"|what (?:does|do|is|are) (?:an? |the |your |my |this )?(?P<means>[^?,.;]{2,60}?)"
    r" (?:mean|do|stand for|good for|meant to be)"
    r"|what do you mean (?:by|with) (?:an? |the |my |this )?(?P<meant>[^?,.;]{2,60}?)"
    r"|who(?:'s| is| are) (?:an? |the |this )?(?P<who>[^?,.;]{2,60}?)"
    r"|i (?:don't|do not) know what (?:an? |the )?(?P<unknown>[^?,.;]{2,60}?) (?:is|are|means?)"
    r")(?: (?:exactly|actually|please|anyway|here|then))*\W*\Z"
)


def is_asked(reading: Reading, clause: Clause) -> bool:
    """Tell whether a clause is a question, by its mark or its opening."""
    marked = "?" in reading.text[clause.end : clause.end + 2].strip()[:1]
    return marked or _ASKING.match(reading.folded, clause.start, clause.end) is not None


def is_no_answer(reading: Reading, clause: Clause, fact: Fact) -> bool:
    """Tell whether a clause cannot be the answer in free words: it asks back, or takes something else back.

    A catalog whose answer may be a question says so by an example that is one.
    """
    if any("?" in example for example in fact.examples):
        return False
    turns = _TURNING.match(reading.folded, clause.start, clause.end) or _MIND_CHANGED.search(reading.folded)
    return is_asked(reading, clause) or turns is not None


def find_term(folded: str, catalog: Catalog, names: FactNames) -> str | None:
    """Find the fact or the skill of which it is asked what that is: "what is a credit bureau?"."""
    match = _TERM.match(folded) if len(folded) <= 200 else None
    said = next((words for words in match.groups() if words), None) if match else None
    if said is None:
        return None
    for skill in catalog.skills.values():
        if said in (skill.label.lower(), f"{skill.label.lower()}s"):
            return skill.name
    fact = names.resolve(said)
    wanted = match is not None and match["is"] is not None and not re.search(r"(?:'s|is|are) an? ", folded)
    # "What is the decision?" wants it, and does not wonder what a decision is.
    return None if wanted and any(fact in goal.facts for goal in catalog.goals.values()) else fact


def find_correction(reading: Reading, catalog: Catalog, claims: list[Claim]) -> ValueMention | None:
    """Read "make it 15,000" as a new value of what the user gave before, if one fact only can be meant."""
    if not _CORRECTING.search(reading.folded):
        return None
    found = list(_fitting(reading, catalog, claims))
    return found[0] if len(found) == 1 else None


def _fitting(reading: Reading, catalog: Catalog, claims: list[Claim]) -> Iterator[ValueMention]:
    today = reading.context.today
    for name in reading.context.given:
        kind = catalog.facts[name].value
        if kind.kind in WORDY or kind.kind == "yes_no" or not kind.sayable:
            continue
        free = [
            mention
            for mention in kind.find(reading.text, today)
            if not mention.unsure and not any(c.start < mention.end and mention.start < c.end for c in claims)
        ]
        readings = [(m, value) for m in free for value in m.readings if kind.accepts(value, today)]
        if len(readings) == 1:
            mention, value = readings[0]
            span = span_of(reading.text, mention.start, mention.end)
            rule = f"{kind.kind} as a correction"
            yield ValueMention(fact=name, value=kind.check(value, today), span=span, rule=rule)
