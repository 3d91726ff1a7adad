"""Elaborations: values said for the request in work, or for the last one, without asking for it again.

"Bar chart please", said when a date was asked for, is for the report in work; "and 2024?", said when the report is
there, asks for the same with another year. What such a stretch holds is read as if it stood in the words of that
request (`SlotFiller.fill_requests`). It has to be nothing but values, names of facts and plain filler: a word that says
something of its own makes it something else.
"""

from __future__ import annotations

from collections.abc import Sequence

from catalog.model import Catalog
from language.entities.fact_cues import FactNames
from language.interpretation import Entity
from language.slots.filler import SlotFiller
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import stem
from language.text.utterance import UtteranceReading
from language.text.words import FRAME_WORDS, content_words, fold, span_of

_FOLLOWING = LazyPattern(
    r"\W*(?:(?:ok|okay|so|hm+|well|great|thanks|good|right)\W+)*"
    r"(?:and|then|now|or|what about|how about|what of|(?:the )?same|again|once more|as|in|with|for|by)\b"
)
"""How an utterance goes on from what is there."""
_ASKING = LazyPattern(
    r"\b(?:who|whose|whom|why|where|when|which|(?:what|how)(?! about| of\b)|not|don't"
    r"|(?:did|do|does|was|were|is|are|has|had|have|can|could)"
    r" (?:i|you|we|they|it|he|she|this|that|there|the|my|your))\b"
)
"""Words of a question about what is there, or of a refusal."""
_FILLER = frozenset(
    map(
        stem,
        """please rather better instead same again also too just only put set use change switch turn draw do display
        this that it them one version way prefer choose pick maybe perhaps fine ok okay yes so far whole full entire
        about regarding concerning time though then else case wrong incorrect mistake mistaken typo oops correction
        meant mean said say read""".split(),
    )
)


def read_elaboration(
    reading: UtteranceReading, goal: str, catalog: Catalog, filler: SlotFiller, names: FactNames
) -> tuple[Entity, ...]:
    """Return the values of a text that says nothing but values for a request; none where it says anything else."""
    if goal not in catalog.goals or not reading.open or _ASKING.search(reading.folded):
        return ()
    whole = span_of(reading.text, 0, len(reading.text))
    (told,) = filler.fill_requests([(goal, whole)], reading.text, reading.context.today)
    values = told.values
    return values if values and not _says_more(reading, values, names) else ()


def follows_up(reading: UtteranceReading) -> bool:
    """Return whether a text goes on from what is there: "and 2024?", "now as a pie"."""
    return _FOLLOWING.match(reading.folded) is not None


def _says_more(reading: UtteranceReading, values: Sequence[Entity], names: FactNames) -> bool:
    """Return whether a text has words beside the values, the names of their facts and filler."""
    named = {stem(word.text) for value in values for word in content_words(fold(" ".join(names.of(value.fact))))}
    return any(
        stem(word.text) not in named and stem(word.text) not in _FILLER and word.text not in FRAME_WORDS
        for word in content_words(reading.folded)
        if not any(value.span.start < word.end and word.start < value.span.end for value in values)
    )
