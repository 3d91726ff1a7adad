"""Ties to a goal: what makes a value that of a goal at hand, where neither the fact's name nor an example does.

An amount is the goal's own where it stands beside the goal's words ("12k loan", "5000 for a loan"), alone between
stops, or is that of a thing like those of the fact's examples; an option where it is all that is said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from catalog.analysis.dependencies import can_be_asked, what_leads_to
from catalog.model import Catalog, Fact
from language.entities.fact_cues import Cues, Neighbours, find_core, find_own_amount
from language.entities.value_context import is_wordy, stands_alone, thing_beside
from language.readers import Mention
from language.text.encoder import encode, is_word
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import is_among, stem
from language.text.utterance import UtteranceText
from language.text.words import FRAME_WORDS, Clause, content_words, words_in

_FOR_THING = LazyPattern(r"\s+(?:for|as|of|in)\s+(?:(?:a|an|the|my|our|some)\s+)?(?P<thing>[^\W\d_]+(?:\s+[^\W\d_]+)?)")
"""What an amount at the beginning is for: "5000 for a loan"."""
_FOR_ENTITLED = LazyPattern(r"(?:\b(?:for|of|over|at)|:)\s+(?:(?:about|around|roughly)\s+)?\Z")
_HEDGES = frozenset("around roughly approximately approx nearly almost maybe say usd eur gbp".split())
_ASKED_THING = LazyPattern(
    r"\b(?:need|want|like|get|have|take(?: out)?|give me|request|about)\s+(?:(?:to|me|us)\s+)?(?:a|an|another|one|some)"
    r"\s+(?:[^\W\d_]+\s+)?(?P<noun>[^\W\d_]{3,})\s+(?:of|for|over|worth)\s+(?:about\s+|around\s+|roughly\s+)?\Z"
)
"""Something that is asked for with an amount: "I need a lone of"."""
_MONEYISH = LazyPattern(r"[$€£]|[0-9]\s?k\b|[0-9]{4}|[0-9][.,][0-9]|[a-zA-Z]{3}")
_ALIKE_THING, _LEAD_OF_THING = 0.5, 0.05
"""How alike things have to be whose amounts fill one fact, and by how much more than those of another."""
_FOR_A = LazyPattern(r"\b(?:for|on|towards|against|buy|buying)\s+(?:an?|the|my|our|this|that)\s+(?:about\s+|new\s+)?\Z")
"""Before the amount of what something is for: its noun need not be a known one, "for a $380,000 bungalow"."""
_TAKEN_BACK = LazyPattern(r"\W*(?:no|nope|nah|sorry|wait|hold on|oops)\b")
_CHOOSING = frozenset("prefer rather better choose pick change switch version".split())


class GoalTies:
    """What ties values to the goals of one catalog; `facts` are those that can be said, with their cues."""

    def __init__(
        self, catalog: Catalog, facts: Sequence[Fact], cues: Mapping[str, Cues], words: Mapping[str, frozenset[str]]
    ) -> None:
        self._catalog, self._facts, self._cues, self._vocabularies = catalog, facts, cues, words
        takeable = list(filter(can_be_asked, facts))
        self.needs = {name: what_leads_to(catalog, goal).facts for name, goal in catalog.goals.items()}
        self._cores = {name: find_core(goal) & words[name] for name, goal in catalog.goals.items()}
        self._counts = {
            name: any(f.name in needed and f.value.quantity == "number" and f.value.measure is None for f in takeable)
            for name, needed in self.needs.items()
        }
        """Whether a goal takes plain numbers, too."""
        given = {fact for skill in catalog.skills.values() for fact in skill.gives}
        self._where = {}
        for goal, needed in self.needs.items():
            places = [fact.name for fact in takeable if fact.value.is_place and fact.name in needed]
            told = [name for name in places if name not in given] or places  # what no skill finds, people say
            self._where[goal] = told[0] if len(told) == 1 else None
        self._amounts = {goal: find_own_amount(catalog, goal, takeable) for goal in catalog.goals}

    def is_needed(self, fact: Fact, said: UtteranceText) -> bool:
        """Return whether a goal at hand may need a fact: "it costs 20,000" gives no house price to who wants a loan."""
        return fact.name == said.asked or any(fact.name in self.needs[goal] for goal in (*said.mentioned, *said.stack))

    def is_where(self, fact: Fact, said: UtteranceText) -> bool:
        """Return whether a place that is said without more is a value of a fact, for the goal at hand."""
        asked = self._catalog.facts.get(said.asked or "")
        if not fact.value.is_place or (asked is not None and is_wordy(asked.value)):
            return fact.value.is_place and asked == fact and _TAKEN_BACK.match(said.folded) is not None
        return any(self._where[goal] == fact.name for goal in (*said.mentioned, *said.stack[:1])[:1])

    def fits_goal(
        self, fact: Fact, said: UtteranceText, clause: Clause, mention: Mention, neighbours: Neighbours
    ) -> bool:
        """Return whether a value stands right beside a goal's words, and is what that goal needs."""
        for goal in dict.fromkeys((*said.mentioned, *said.stack[:1])):
            touching = neighbours.left in self._vocabularies[goal] or neighbours.right in self._vocabularies[goal]
            counted = self._counts[goal] and not _MONEYISH.search(mention.text)  # "an event for 30" may be people
            if fact.value.quantity == "money" and self._amounts[goal] == fact.name and not counted:
                core = self._cores[goal]
                touching = is_among(neighbours.left, core) or is_among(neighbours.right, core)
                alone = len(said.mentioned) == 1 and stands_alone(
                    said.folded, mention.start, mention.end, self._vocabularies[goal]
                )
                if touching or neighbours.asks or alone or self._is_for_thing(said, clause, mention, goal):
                    return True
            if fact.value.declared_options and fact.name in self.needs[goal] and goal in said.mentioned:
                wanted_for = re.search(r"\bfor (?:\w+ ){0,2}\Z", said.folded[clause.start : mention.start])
                if touching or wanted_for or neighbours.asks:
                    return True
        asked = self._catalog.facts.get(said.asked or "")
        if asked is not None and asked.name != fact.name and is_wordy(asked.value) and not said.mentioned:
            return False  # "the university" names an employer, where that was asked
        ended = () if said.mentioned else said.ended[:1]  # the words of a new request are not for an old one
        at_hand = (*said.mentioned, *said.stack[:1], *ended)
        return (
            bool(fact.value.declared_options)
            and any(fact.name in self.needs[goal] for goal in at_hand)
            and self._says_only(said, clause, mention, at_hand)
        )

    def _is_for_thing(self, said: UtteranceText, clause: Clause, mention: Mention, goal: str) -> bool:
        """Return whether an amount is that of what a goal is about, or of what is asked for in its request, misspelt:
        "5000 for a loan", "a lone of $5,000".
        """
        before, core = said.folded[clause.start : mention.start], self._cores[goal]
        leading = {word.text for word in content_words(before)} - FRAME_WORDS - _HEDGES
        if not leading and (thing := _FOR_THING.match(said.folded, mention.end, clause.end)):
            return any(is_among(stem(word.text), core) for word in words_in(thing["thing"]))
        words = [word.text for word in content_words(before) if word.text not in FRAME_WORDS]
        if words and _FOR_ENTITLED.search(before):
            if is_among(stem(words[-1]), core):
                return True
            if len(words) > 1 and stem(words[-2]) in core and not self._leads_elsewhere(words[-1]):
                return _MONEYISH.search(mention.text) is not None  # "finance a flat for $250k"
        asked = _ASKED_THING.search(before)
        if asked is None or len(said.mentioned) != 1 or said.goal_of(clause.of(said.folded)) != goal:
            return False
        return not self._leads_elsewhere(asked["noun"])

    def _leads_elsewhere(self, noun: str) -> bool:
        return any(stem(noun) in cues.before | cues.after for cues in self._cues.values())

    def is_of_its_like(self, fact: Fact, said: UtteranceText, mention: Mention) -> bool:
        """Return whether an amount is that of a thing like one of the fact's examples, and of no other: "a $450k condo"
        where they have a house.
        """
        noun = thing_beside(said.folded, mention.start, mention.end) if fact.value.quantity == "money" else None
        at_hand = dict.fromkeys((*said.mentioned, *said.stack[:1]))
        unknown = noun is not None and not is_word(noun)
        if (
            noun is None
            or (unknown and not _FOR_A.search(said.folded, 0, mention.start))
            or any(stem(noun) in self._cores[goal] for goal in at_hand)
        ):
            return False
        near, best = {}, encode([noun])[0]
        for other in self._facts:
            if other.value.quantity == "money":
                things = self._cues[other.name].things
                needed = things and self.is_needed(other, said)
                near[other.name] = float((encode(things) @ best).max()) if needed else float(noun in things)
        mine = near.pop(fact.name)
        return mine >= _ALIKE_THING and mine - max(near.values(), default=0.0) >= _LEAD_OF_THING

    def _says_only(self, said: UtteranceText, clause: Clause, mention: Mention, goals: Sequence[str]) -> bool:
        """Return whether a clause says one option and nothing else of weight: "rather as a bar chart, please"."""
        before = re.split(r"[,;:]\s", said.folded[clause.start : mention.start])[-1]
        behind = re.split(r"[,;:]\s", said.folded[mention.end : clause.end])[0]
        around = f"{before} . {behind}"
        own = frozenset().union(*(self._vocabularies[goal] for goal in goals))
        weighty = (stem(word.text) for word in content_words(around) if word.text not in FRAME_WORDS | _CHOOSING)
        return all(word in own for word in weighty)
