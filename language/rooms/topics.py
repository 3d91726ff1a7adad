"""Topics of a room: which one an utterance is about, by the words of a topic and by what people say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from catalog.norms.model import Topic
from catalog.norms.vocabulary import ALL, UNDEFINED
from language.entities.masking import MaskedText
from language.intents.labels import LabelKind, Labels
from language.text.encoder import is_word
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import respell, stem, words_of
from language.text.words import FUNCTION_WORDS, fold, words_in

NEUTRAL = "product"
"""What stands for a topic where speech acts are learned and recognised."""
_SORT = LabelKind("topics", 1.0)
_SURE, _NEAR = 0.6, 0.55
"""How likely a topic must be that is recognised without a word of it, and how near to an example the text."""
_ALL_OF = LazyPattern(
    r"\b(?:all|each|both|every) (?:of )?(?:the |these |those |your )?(?:two |three |four |five )?"
    r"(?:products?|options?|investments?|possibilities|choices|them|three|four|two)\b"
    r"|\bof (?:the |these |those |all )?(?:two|three|four|five)\b|\bthe (?:three|four) (?:of them|products|options)\b"
    r"|\b(?:and|or|than|vs|versus|with|to|against) (?:all )?the (?:others?|rest|other (?:ones?|products?|options?))\b"
    r"|\beverything you (?:have|offer)\b"
    r"|\b(?:any|none|neither|one) of (?:them|em|these|those)\b"
)
"""Words for all topics together."""
_OF_SEVERAL = LazyPattern(
    r"\b(?:which (?:ones?|of (?:them|these|those|you)|products?|options?|investments?|is|are|has|have|pays?|costs?"
    r"|lets?|gives?|takes?|would|do|does)|(?:what|where is|where do) (?:products?|options?|investments?|i|one|the))\b.*"
    r"\b(?:won|winner|on top|most|least|best|worst|no|nothing|free|more|less|better"
    r"|(?!(?:interest|invest|rest|test|request|west|east|honest)\b)[a-z]{3,}est)\b"
)
"""Words that compare topics of which none is named: "which one has the lowest taxes?"."""


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a text in which a topic is named; a `general` one has others within it."""

    start: int
    end: int
    topic: str
    general: bool = False


class TopicReader:
    """Recognises the topics of one specification."""

    def __init__(self, topics: Mapping[str, Topic]) -> None:
        self._topics = {name: topic for name, topic in topics.items() if name != UNDEFINED}
        self._general = {topic.within for topic in self._topics.values()}
        phrases: dict[tuple[str, ...], str] = {}
        for name, topic in self._topics.items():
            names = () if name == ALL else (topic.label, name.replace("_", " "))
            for said in (*topic.words, *names):
                if stems := tuple(stem(word.text) for word in words_in(fold(said))):
                    phrases.setdefault(stems, name)
        self._phrases = phrases
        self._single = {fold(said) for topic in self._topics.values() for said in (*topic.words, topic.label)}
        self._longest = max(map(len, phrases), default=0)
        self._known = words_of(fold(said) for topic in self._topics.values() for said in (*topic.words, topic.label))
        said_of = {name: tuple(map(_plain, topic.examples)) for name, topic in self._topics.items()}
        self._examples = (
            Labels({n: said for n, said in said_of.items() if said}, _SORT) if any(said_of.values()) else None
        )

    def find(self, folded: str) -> tuple[Place, ...]:
        """Find where topics are named, the longest names first, never overlapping."""
        words = words_in(respell(folded, self._known, is_word) if self._known else folded)
        # respelling keeps the number of words, so that places are those of the text as it was written
        places = words_in(folded)
        if len(places) != len(words):
            words = places
        stems = [stem(word.text) for word in words]
        found: list[Place] = []
        at = 0
        while at < len(stems):
            for size in range(min(self._longest, len(stems) - at), 0, -1):
                topic = self._phrases.get(tuple(stems[at : at + size]))
                verb = size == 1 and places[at].text.endswith("ing") and places[at].text not in self._single
                if topic is not None and not verb:  # "saving up for a car" is not about savings
                    start, end = places[at].start, places[at + size - 1].end
                    found.append(Place(start, end, topic, topic in self._general))
                    at += size
                    break
            else:
                at += 1
        return tuple(found)

    def topic_of(self, folded: str, named: Sequence[str]) -> str:
        """Return the topic of a text in which topics are named; of several that are apart, `all`."""
        several = tuple(dict.fromkeys(named))
        special = [one for one in several if not any(self._is_within(other, one) for other in several)]
        if len(special) > 1 or _ALL_OF.search(folded):
            return ALL
        if special:
            return special[0]
        if len(self._topics) > 1 and not several and _OF_SEVERAL.search(folded):
            return ALL
        if self._examples is None or all(word.text in FUNCTION_WORDS for word in words_in(folded)):
            return UNDEFINED
        judged = self._examples.judge([_plain(folded)])[0]
        likely = judged.confidence * (1 - judged.none)
        return judged.best if likely >= _SURE and judged.near >= _NEAR else UNDEFINED

    def _is_within(self, topic: str, other: str) -> bool:
        seen: set[str] = set()
        at = self._topics[topic].within
        while at is not None and at not in seen and at in self._topics:
            if at == other:
                return True
            seen.add(at)
            at = self._topics[at].within
        return False


def _plain(text: str) -> MaskedText:
    return MaskedText(fold(text).strip(" ?!."), frozenset())
