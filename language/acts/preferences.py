"""Preferences: what to minimize, and budgets: "at most 2 euros", "as fast as possible", "forget the budget".

Such words are about how the assistant goes about it only where its skills are charged for (or take time, or differ in
quality); otherwise nothing is read here at all. An amount that may be the value of a fact is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite

from catalog.analysis.dependencies import can_be_asked, find_metrics
from catalog.model import Catalog
from catalog.model.settings import Metric
from catalog.values import Kind
from language.interpretation import Context, Preference
from language.readers.amounts import Amount, find_amounts
from language.responses.questions import unclear_budget
from language.text.lazy_pattern import LazyPattern
from language.text.utterance import UtteranceReading
from language.text.words import Clause, fold, span_of

_MOST = (
    r"(?:at (?:the )?most|(?:no|not) more than|not over|up to|a maximum of|max(?:imum)?\.?(?: of)?|less than|under"
    r"|below|within)"
)
_NOT = r"(?:don't|do not|never|you (?:may|must|should|can) ?not|you can't|mustn't|shouldn't|won't|will not)"
_IT = r"(?:it|this|that|the whole thing|everything|all of it)"
_LEAD = r"(?:[,;]?\s*\b(?:and|but|please|just|only)\s+)*"
_TOLD = LazyPattern(
    rf"{_LEAD}(?:(?<!\bto )(?<!i'll )(?<!i can )(?:you (?:may|can|should|must|could) )?"
    rf"\b(?:spend|pay|use)(?: only)? {_MOST}"
    rf"|(?<!\bi )\b{_NOT} (?:spend|pay|use)(?: any)? more than"
    rf"|{_IT} (?:must|should|may|can|shall)(?: not|n't) cost (?:me )?(?:any )?more than"
    rf"|{_IT} (?:must|should|may|can|shall) cost (?:me )?(?:only )?{_MOST}"
    rf"|(?:my|the|your) budget(?: for (?:this|that|it))? is(?: {_MOST})?"
    rf"|(?:(?:with|on|have|within|there is) )?(?:a|my) (?:maximum )?budget of(?: {_MOST})?"
    rf"|keep (?:it|the costs?|the price|costs|spending) {_MOST}|limit (?:it|the costs?|costs|spending) to)\s+"
)
"""Words before an amount that is a budget for the assistant."""
_OF_IT = LazyPattern(rf"{_LEAD}(?:{_IT} |(?:keep|limit) it\b)")
"""Words before an amount that may be a value as well: "a loan, and keep it under 5,000"."""
_SPENDING = ("budget", "limit", "price", "cost", "spending", "maximum")
"""Words for a budget that may name facts as well."""
_OWN = LazyPattern(
    rf"{_LEAD}\bi(?:'d| would|'ll| will| can| want| am|'m)?(?: like| want| willing| only)*(?: to)?"
    rf" (?:spend|pay)(?: only)? {_MOST}\s+"
    rf"|{_LEAD}\bi (?:don't|do not|won't|will not|can't|cannot) (?:want to )?(?:spend|pay) more than\s+"
)
"""Words before an amount that the user wants to spend, on anything."""
_BARE = LazyPattern(rf"(?:\A|(?<=[,;:]))\W*(?:(?:and|but|for|it's|please)\s+)*{_MOST}\s+|\b(?:but|for) {_MOST}\s+")
"""Words before an amount with a currency at the end of a clause."""
_REST = LazyPattern(
    r"\s*(?:please|in total|in all|altogether|for (?:this|that|it|me|everything)|on (?:this|that|it))*\W*\Z"
)
_ELSEWHERE = LazyPattern(
    r"\s*(?:(?:on|for) (?!this\b|that\b|it\b|me\b|everything\b)|per\b|an? (?!total)|each\b|or\b|to\b|-\s*\d)"
)
"""Words after an amount that is for something else, or that is one of two."""
_FREE = LazyPattern(
    rf"{_LEAD}\b(?:for free|free of charge|at no (?:cost|charge)|without (?:paying|spending)(?: (?:anything|money))?"
    rf"|{_NOT} (?:spend|pay)(?: for)? (?:anything|any money|a cent|money)|(?:spend|pay) nothing"
    rf"|{_IT} (?:must|should|may|shall)(?: not|n't) cost (?:me )?anything)\b"
)
_UNLIMITED = LazyPattern(
    rf"{_LEAD}\b(?:(?:forget|drop|lift|ignore|remove|never mind)(?: about)? (?:the |my |any )?(?:spending |price )?"
    r"(?:budget|limit)|(?:there is )?no (?:more )?(?:spending |price )?(?:budget|limit)(?: any ?more)?"
    r"|(?:money|price|cost) is no object|whatever it (?:costs|takes)"
    r"|i (?:don't|do not|no longer) (?:care|mind) (?:about )?"
    r"(?:what it costs|how much it costs|the (?:price|costs?|money))"
    r"|spend (?:what|whatever|as much as) (?:it takes|you need|you like|is needed)"
    r"|(?:the )?(?:cost|price|money) (?:doesn't|does not) matter)\b"
)
_WAY = r"(?:way|option|route|possible(?: way)?)"
_MINIMIZE: Mapping[Metric | None, str] = {
    Metric.MONEY: rf"as (?:cheap|cheaply) as (?:possible|you can|it gets)|cheapest {_WAY}|least expensive {_WAY}"
    r"|keep it cheap|save (?:me )?money|minimi[sz]e (?:the )?(?:costs?|price|spending)",
    Metric.TIME: rf"as (?:fast|quick|quickly|soon) as (?:possible|you can)|asap|(?:quickest|fastest) {_WAY}"
    r"|i(?:'m| am) in a (?:hurry|rush)|save (?:me )?time|minimi[sz]e (?:the )?time",
    Metric.QUALITY: rf"(?:best|most (?:reliable|accurate|thorough)) {_WAY}|(?:best|highest|top) (?:possible )?quality"
    r"|as (?:reliabl[ey]|accurate|accurately|thorough|thoroughly|good|well) as (?:possible|you can)"
    r"|quality (?:comes )?first",
    None: rf"(?:usual|normal|default) {_WAY}",
}
"""Phrases for each metric; None is for the catalog's own metric."""
_WANTED = {
    metric: LazyPattern(
        rf"{_LEAD}(?:\b(?:take|go|do (?:it|this|that)|make it|get it|in|by|for)\s+)*(?:\bthe )?\b(?:{words})\b"
    )
    for metric, words in _MINIMIZE.items()
}
_DENIED = LazyPattern(r"(?:\bnot|n't|\bnever|\bno need to)\s+(?:\w+\s+){0,3}\Z")
_ASKED = LazyPattern(
    r"\W*(?:(?:and|but|so|ok)\W+)*(?:what|how|which|why|who|where|when|is|are|was|were|does|did|do (?:you|i|we|they))\b"
)


_APPROVING = LazyPattern(
    rf"{_LEAD}\b(?:(?:show|tell|give|run|walk|take)(?: me)?(?: through)? (?:the |your )?(?:whole |full )?plan "
    r"(?:first|before(?: you)?(?: \w+){0,4})"
    r"|(?:let me|i(?:'d like to| want to| would like to| need to| must)) (?:approve|see|check|review|confirm) "
    r"(?:the |your |every |each )?(?:whole |full )?(?:plan|step|steps)(?: first| before(?: you)?(?: \w+){0,4})?"
    r"|ask me (?:first )?before you (?:do|start|begin|run|call)(?: anything| it| that)?"
    r"|(?:do not|don't) (?:do|start|begin|run|call) anything (?:before|until|unless) i(?:'ve| have)? "
    r"(?:approved?|agreed?|say|said|saw|seen|ok|okay)(?: (?:yes|so|it|the plan|to it))?)\b"
)
"""What asks for a plan to be approved before it runs."""


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    minimize: Metric | None = None
    usual: bool = False
    budget: float | None = None
    unlimited: bool = False
    approve: bool = False
    unclear: bool = False
    """Whether the amount cannot be taken for a budget."""


class PreferenceReader:
    """Reads preferences for cost, time and quality, for a catalog whose skills have them."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._metrics = find_metrics(catalog)
        facts = list(filter(can_be_asked, catalog.facts.values()))
        self._takes_money = any(fact.value.innermost.quantity == "money" for fact in facts)
        amounts = [fact for fact in facts if fact.value.innermost.quantity]
        called = {word for fact in amounts for name in (fact.name, fact.label) for word in fold(name).split()}
        self._of_facts = [word for word in _SPENDING if not called.isdisjoint((word, f"{word}s"))]
        goals = catalog.goals.values()
        said = (text for goal in goals for text in (goal.label, *goal.examples))
        self._own_words = " / ".join(map(fold, said))

    def read(self, reading: UtteranceReading) -> UtteranceReading:
        """Read the preferences, and remove their words: the rest is read as if they had not been said."""
        seen = [_Found(*match.span(), approve=True) for match in _APPROVING.finditer(reading.folded)]
        seen += [] if self._metrics == {Metric.COST} else self._find(reading)
        if any(one.unclear for one in seen):
            reading = replace(reading, unclear=unclear_budget(self._catalog.settings.currency))
        found = [
            one
            for one in seen
            if not one.unclear and reading.folded[one.start : one.end].strip() not in self._own_words
        ]
        found = self._whole(reading, found) if self._asks_for_free_text(reading.context) else found
        if not found:
            return reading
        budgets = [one for one in found if one.budget is not None or one.unlimited][-1:]
        wanted = [one for one in found if one.minimize is not None or one.usual][-1:]
        first, last = min(one.start for one in found), max(one.end for one in found)
        preference = Preference(
            span=span_of(reading.text, first, last),
            minimize=wanted[0].minimize if wanted else None,
            usual=bool(wanted and wanted[0].usual),
            budget=budgets[0].budget if budgets else None,
            unlimited=bool(budgets and budgets[0].unlimited),
            approve=any(one.approve for one in found),
        )
        return replace(reading.without([(one.start, one.end) for one in found]), preference=preference)

    def _find(self, reading: UtteranceReading) -> Iterator[_Found]:
        for clause in reading.clauses:
            words = clause.of(reading.folded)
            if _ASKED.match(words):
                continue
            if Metric.MONEY in self._metrics and not self._asks_for_amount(reading.context):
                yield from self._find_budget(reading, clause)
            for metric, pattern in _WANTED.items():
                match = pattern.search(words) if metric is None or metric in self._metrics else None
                if match and not _DENIED.search(words[: match.start()]) and self._is_free(reading, match.group()):
                    yield _Found(clause.start + match.start(), clause.start + match.end(), metric, usual=metric is None)

    def _is_free(self, reading: UtteranceReading, words: str) -> bool:
        """Return whether the words cannot choose one of several goals that were put to choice."""
        pending = reading.context.pending
        return pending is None or pending.kind != "choice" or "option" not in words

    def _find_budget(self, reading: UtteranceReading, clause: Clause) -> Iterator[_Found]:
        words = clause.of(reading.folded)
        for pattern, unlimited in ((_FREE, False), (_UNLIMITED, True)):
            match = pattern.search(words)
            if match and not self._may_be_of_a_fact(match.group()):
                start, end = clause.start + match.start(), clause.start + match.end()
                yield _Found(start, end, budget=None if unlimited else 0.0, unlimited=unlimited)
        for match in self._openings(words, reading.context):
            start = clause.start + match.start()
            amount = next((a for a in find_amounts(reading.text) if a.start == clause.start + match.end()), None)
            if amount is None or _ELSEWHERE.match(reading.folded, amount.end, clause.end):
                continue
            if match.re is _BARE.compiled and not (
                amount.marks and _REST.fullmatch(reading.folded, amount.end, clause.end)
            ):
                continue
            budget = self._value(amount)
            yield _Found(start, amount.end, budget=budget, unclear=budget is None)
            return

    def _openings(self, words: str, context: Context) -> Iterator[re.Match[str]]:
        """Match the words before a budget; ambiguous words count only where no fact may be meant."""
        patterns = (_TOLD,) if self._takes_money or self._asks_for_free_text(context) else (_TOLD, _OWN, _BARE)
        for pattern in patterns:
            yield from (match for match in pattern.finditer(words) if not self._may_be_of_a_fact(match.group()))

    def _may_be_of_a_fact(self, words: str) -> bool:
        """Return whether budget words may be about an amount that a skill needs: a fact may be called "budget"."""
        return any(word in words for word in self._of_facts) or (self._takes_money and bool(_OF_IT.match(words)))

    def _value(self, amount: Amount) -> float | None:
        if amount.marks and self._catalog.settings.currency not in amount.marks:
            return None
        value = float(amount.readings[0]) if len(amount.readings) == 1 else -1.0
        return value if value >= 0 and isfinite(value) else None

    def _asked_kind(self, context: Context) -> Kind | None:
        pending = context.pending
        asked = self._catalog.facts.get(pending.subject) if pending and pending.kind == "fact" else None
        return asked.value.innermost if asked else None

    def _asks_for_free_text(self, context: Context) -> bool:
        kind = self._asked_kind(context)
        return kind is not None and kind.free_text

    def _asks_for_amount(self, context: Context) -> bool:
        kind = self._asked_kind(context)
        return kind is not None and kind.quantity != ""

    def _whole(self, reading: UtteranceReading, found: list[_Found]) -> list[_Found]:
        """Accept a preference only as the whole answer: parts of a free-text answer may mean something else."""
        left = list(reading.folded)
        for one in found:
            left[one.start : one.end] = " " * (one.end - one.start)
        return found if _REST.fullmatch("".join(left)) else []
