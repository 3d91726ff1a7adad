"""Masking: values are replaced by common ones before a text is classified; which values it held is kept as features.

"Sales for May 2024" and "sales for the last quarter" ask for the same; so do invoices over $5 and over $5,000. But who
names a violin lesson, in a catalog where invoices are for such things, more likely wants an invoice than a report.
What a classifier learns a catalog from is masked likewise: its examples, and requests that no catalog serves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import cycle

from catalog.analysis.dependencies import arguments_of
from catalog.model import Catalog, Goal
from catalog.values import Date, Email, Phone
from catalog.values.units import UNITS, unit_named
from language.entities.declared_frames import Frames
from language.readers import ANY_DAY, find_mentions
from language.readers.amounts import find_amounts
from language.readers.time_expressions import find_time_expressions
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import in_full, stem
from language.text.request_frames import DEEDS, unserved
from language.text.words import FUNCTION_WORDS, fold, words_in

_NUMBER = LazyPattern(r"(?<!\w)#?\d[\d,]{0,15}(?:\.\d+)?k?(?!\w)")
_SCALED = LazyPattern(r"\d\s?k\Z|\b(?:hundred|thousand|grand|million)\Z")
"""How large amounts end, whatever is counted: "5 grand"."""
_MEASURED = LazyPattern(rf"(?<!\w)\d[\d.,]*[\s-]?(?P<unit>{'|'.join(sorted(UNITS, key=len, reverse=True))})\b")
SAME_TIME = LazyPattern(
    r"\b(?:(?:the|that|this|these|those)\s+)?(?:very\s+)?same\s+(?:\w+\s+)?(?P<unit>periods?|times?|timeframe|time\s+frame|range"
    r"|dates?|days?|weeks?|months?|quarters?|half|years?|one)\b"
    r"|\b(?:that|those)\s+(?:same\s+)?(?P<that>periods?|timeframe|range|dates|days?|weeks?|months?|quarters?|half|years?)\b"
    r"|\b(?:for|over|in)\s+the\s+(?P<the>period|timeframe|time\s+span)\b(?!\s+(?:of|from|between|\d))"
    r"|\b(?:for|over)\s+the\s+same\b"
)
"""A time that is said by pointing at another: "the same month"."""
_HEDGE = LazyPattern(r"\b(?:about|around|roughly|approximately|approx\.?|some|nearly|almost)\s+\Z")
_THE = LazyPattern(r"\bthe\s+$")


@lru_cache(maxsize=4_096)
def find_forms(folded: str) -> tuple[tuple[int, int, str], ...]:
    """Find what has the form of a value in a folded text: start, end, and the form, in order."""
    found: list[tuple[int, int, str]] = []
    for start, end, form in _forms(folded):
        if not any(start < b and a < end for a, b, _ in found):
            found.append((start, end, form))
    return tuple(sorted(found))


def _forms(folded: str) -> Iterator[tuple[int, int, str]]:
    """Yield values, the most specific forms first."""
    for mention in find_mentions(Email(), folded, ANY_DAY):
        yield mention.start, mention.end, "email"
    for mention in find_mentions(Phone(digits=True), folded, ANY_DAY):
        yield mention.start, mention.end, "phone"
    for amount in find_amounts(folded):
        if amount.marks or _SCALED.search(amount.text):
            hedge = _HEDGE.search(folded, 0, amount.start)
            yield hedge.start() if hedge else amount.start, amount.end, "amount"
    for spell in find_time_expressions(folded, ANY_DAY):
        the = _THE.search(folded, 0, spell.start)
        owning = 2 if folded.startswith("'s", spell.end) else 0
        yield the.start() if the else spell.start, spell.end + owning, "period"
    for match in _MEASURED.finditer(folded):
        unit = unit_named(match["unit"])
        if unit is not None and unit.dimension != "time":
            yield match.start(), match.end(), "number"
    for day in find_mentions(Date(), folded, ANY_DAY):
        yield day.start, day.end, "period"
    for match in _NUMBER.finditer(folded):
        yield match.start(), match.end(), "number"


_SHOWN = {"email": "ann@example.org", "period": "", "phone": "555-0100", "amount": "$100", "number": "100"}
_LEFTOVER = LazyPattern(r"\b(?:for|in|on|of|from|between|during|over|since|until|as of|at)\s*(?=[,.;!?]|\Z)")


_LONGEST_WORD = 40
"""What is longer is no word of any language that is read here: it tells nothing, and would drown the rest."""


def mask(folded: str) -> str:
    """Replace each value by a common one of its form; periods are removed, also such as "the same month"."""
    text = _without(folded, find_forms(folded), _SHOWN)
    words = _LEFTOVER.sub(" ", SAME_TIME.sub(" ", text)).split()
    return " ".join(word for word in words if len(word) <= _LONGEST_WORD).strip(" ,;:.!?-")


def is_only_values(folded: str) -> bool:
    """Return whether a text gives values, and says nothing of what they are for: "for 500", "$75 please"."""
    forms = find_forms(folded)
    return bool(forms) and all(
        word.text in FUNCTION_WORDS or word.text in _BESIDE_A_VALUE for word in words_in(_without(folded, forms, {}))
    )


def _without(folded: str, forms: Sequence[tuple[int, int, str]], shown: Mapping[str, str]) -> str:
    """Return a text with what is shown for each form in its place: nothing for others."""
    said, at = [], 0
    for start, end, form in forms:
        said.append(f"{folded[at:start]} {shown.get(form, '')} ")
        at = end
    return "".join((*said, folded[at:]))


_BESIDE_A_VALUE = frozenset(
    "a an the my our your some for of on about re please it's its is with and in to over by".split()
)
"""Words that may stand beside a value where nothing else is said."""


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A text without its values, and their features: forms such as an amount, and facts whose options it names."""

    text: str
    features: frozenset[str]


class ValueMasker:
    """Masks the values in texts, for one catalog; options of the arguments of goals count as features."""

    def __init__(self, catalog: Catalog) -> None:
        taken = dict.fromkeys(fact for goal in catalog.goals for fact in arguments_of(catalog, goal))
        kinds = {fact: catalog.facts[fact].value for fact in taken}
        self._kinds = {fact: kind for fact, kind in kinds.items() if kind.declared_options}
        self.frames = Frames(catalog)

    @property
    def options(self) -> Iterator[tuple[str, Mapping[str, Sequence[str]]]]:
        for fact, kind in self._kinds.items():
            yield fact, kind.declared_options

    def mask(self, folded: str) -> MaskedText:
        features = {form for _, _, form in find_forms(folded)}
        features.update(fact for fact, kind in self._kinds.items() if find_mentions(kind, folded, ANY_DAY))
        return MaskedText(mask(in_full(folded)), frozenset(features))


UNSERVED, OTHER_DEED = -1, -2
"""Labels of what no catalog serves, and of other actions on the object of a goal."""
EXAMPLE, _LABEL, _DESCRIPTION, _PHRASE, _OTHER_DEED = 1.0, 0.7, 0.5, 0.4, 0.1
"""Training weights by sort of text."""
_DOING = LazyPattern(
    r"^(?:\w+ing(?: up| out)? )?(?P<det>the |an? |my |our )(?:new )?(?P<thing>[^\W\d]+(?: (?:and )?[^\W\d]+){0,3})$"
)
_LISTED = LazyPattern(r"[,.;:()]|\b(?:and|or|of|on|for|in|with|over|to|from|by|that|which|how|at|as)\b")
_LONGEST_PHRASE = 3
_FEW = 10
_FUNCTION_STEMS = frozenset(map(stem, FUNCTION_WORDS))
_FRAMES = ("I want {}", "I would like to have {}", "can I get {}, please", "I want to make {}")
"""Templates of requests around a goal's label; a goal with few examples learns from these."""


@dataclass(frozen=True)
class MaskedExamples:
    """Texts, each with the position of its goal among `goals` (or a negative label), and with what it counts."""

    goals: tuple[str, ...]
    texts: tuple[MaskedText, ...]
    labels: tuple[int, ...]
    weights: tuple[float, ...]


def _own_phrases(catalog: Catalog) -> dict[str, list[str]]:
    """Take from each goal's description what only it speaks of: "income, earnings or net result" are three names."""
    said = {
        name: list(dict.fromkeys(phrase for part in _LISTED.split(fold(goal.description)) if (phrase := _bare(part))))
        for name, goal in catalog.goals.items()
    }
    count = Counter(phrase for phrases in said.values() for phrase in phrases)
    return {
        name: [text for phrase in phrases if count[phrase] == 1 for text in (phrase, f"my {phrase} please")]
        for name, phrases in said.items()
    }


def _bare(part: str) -> str:
    """Take the articles off a phrase; nothing is left of one that is long, or says nothing."""
    words = [word.text for word in words_in(part)]
    while words and words[0] in FUNCTION_WORDS:
        words.pop(0)
    return " ".join(words) if 0 < len(words) <= _LONGEST_PHRASE else ""


def _other_deeds(goal: Goal) -> Iterator[str]:
    """Return what else may be done with the thing that a goal is about: "block my card", where a card can be had.

    Deeds that the goal itself speaks of are left out.
    """
    match = _DOING.match(fold(goal.label))
    if match is None:
        return
    spoken = {
        stem(word.text) for text in (*goal.examples, goal.description, goal.label) for word in words_in(fold(text))
    }
    determiners = cycle(("my", "the", "this", "a", "our"))
    for deed in DEEDS:
        words = {stem(word.text) for word in words_in(fold(deed))} - _FUNCTION_STEMS
        if not words & spoken:
            yield deed.format(f"{next(determiners)} {match['thing']}")


def gather_examples(catalog: Catalog, masker: ValueMasker) -> MaskedExamples:
    """Collect the training texts of a catalog's goals, and those of requests that no catalog serves."""
    rows: dict[tuple[MaskedText, int], float] = {}
    phrases = _own_phrases(catalog)
    for index, goal in enumerate(catalog.goals.values()):
        said = [
            (text, EXAMPLE)
            for example in goal.examples
            for text in dict.fromkeys((example, masker.frames.without(example)))
        ]
        said += [(goal.label, _LABEL), (goal.name.replace("_", " "), _LABEL), (goal.description, _DESCRIPTION)]
        said += [(phrase, _PHRASE) for phrase in phrases[goal.name]]
        if len(goal.examples) < _FEW:
            said += [(frame.format(goal.label), _LABEL) for frame in _FRAMES]
        for text, weight in said:
            masked = masker.mask(fold(text))
            if masked.text:
                rows[masked, index] = max(weight, rows.get((masked, index), 0.0))
    for text in unserved():
        rows[masker.mask(fold(text)), UNSERVED] = 0.0
    for goal in catalog.goals.values():
        for text in _other_deeds(goal):
            rows[masker.mask(text), OTHER_DEED] = _OTHER_DEED
    return MaskedExamples(
        tuple(catalog.goals),
        tuple(text for text, _ in rows),
        tuple(index for _, index in rows),
        tuple(rows.values()),
    )
