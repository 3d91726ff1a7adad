"""Questions about the past: what was done, how a fact was found, why it was needed, why a decision came out so."""

from __future__ import annotations

import re
from collections.abc import Iterable

from catalog.model import Catalog
from dialogue.meaning import AskedAbout, Context
from dialogue.understanding.asking import FORMS, Form, compile_form
from dialogue.understanding.names import FactNames
from explain.model import QuestionKind

_FULL = re.compile(
    r"\b(?:in full|full(?: and)? (?:chain|explanation|story|answer|reason|picture|detail)"
    r"|(?:whole|entire|complete) (?:chain|story|explanation|thing|way|answer)"
    r"|in (?:full )?detail|step by step|completely"
    r"|all the way(?: (?:back|down|through|to the end))?|from (?:start|beginning) to (?:end|finish))\b"
)
_ONLY_FULL = compile_form(
    r"(?:(?:show|give|tell)<me> |and |what(?:'s| is) |i (?:want|need) )*(?:the |in )?(?:(?:full|whole|entire|complete) "
    r"(?:causal )?(?:chain|story|explanation|reason)|all the way|in full|full)"
    r"(?: (?:for|of|behind|from|about|to|with) <x>)?"
)
_EMPHASIS = re.compile(r"\b(?:on earth|in the world|the hell|the heck|exactly|actually|really)\b")
_POINTING = re.compile(r"\A(?:it|that|this|them|these|those|so|all (?:this|that)|to know|know|such a thing|either)?\Z")


class QuestionReader:
    """Reads questions about the past, for one catalog."""

    def __init__(self, catalog: Catalog, names: FactNames) -> None:
        self._catalog, self._names = catalog, names
        skills = catalog.skills.values()
        decided = {
            fact
            for s in skills
            if s.explain
            for mode in s.modes.values()
            for o in mode.outcomes.values()
            for fact in o.facts
        }
        wanted = {fact for goal in catalog.goals.values() for fact in goal.facts}
        self._decisions = frozenset(decided or wanted)

    def read(self, folded: str, context: Context, before: str = "", whole: str = "") -> AskedAbout | None:
        """Read a clause as a question.

        `before` is what was said before it, where "it" may have been named; `whole` the utterance it stands in.
        """
        clause = " ".join(_EMPHASIS.sub(" ", folded).split())
        if len(clause) > 300:
            return None
        full = _FULL.search(whole or clause) is not None
        for tried in dict.fromkeys((clause, " ".join(_FULL.sub(" ", clause).split()))):
            for form in FORMS:
                match = form.pattern.match(tried)
                if match and (asked := self._asked(form, _group(match), context, before, full=full)):
                    return asked
        only = _ONLY_FULL.match(clause)
        if only and _group(only):
            fact = self._fact(_group(only), context)
            return AskedAbout(kind=QuestionKind.WHY, fact=fact, full=True) if fact else None
        return None

    def _asked(self, form: Form, said: str, context: Context, around: str, *, full: bool) -> AskedAbout | None:
        if form.kind in {QuestionKind.WHAT, QuestionKind.MISSING}:
            return AskedAbout(kind=form.kind, full=full)
        if form.kind is QuestionKind.CHAIN:
            fact = self._decision(said, context)
            # What was decided must be something that the assistant decides: "why was Rome sacked?" asks another.
            named = bool(said) and not _POINTING.match(said) and fact is None
            if named and not form.sure and (other := self._fact(said, context)) in context.known:
                return AskedAbout(kind=QuestionKind.HOW, fact=other, full=full)  # "why is my score so low?"
            return None if named else AskedAbout(kind=form.kind, fact=fact, full=full)
        if _POINTING.match(said):
            return self._unnamed(form.kind, context, around, full=full)
        fact = self._fact(said, context)
        if fact is None and not form.sure:
            return None
        return AskedAbout(kind=form.kind, fact=fact, full=full, named="" if fact else said)

    def _unnamed(self, kind: QuestionKind, context: Context, around: str, *, full: bool) -> AskedAbout:
        """Work out what "that" is: what the rest of the utterance names, else what was just asked for or decided."""
        named = self._named_in(around, context)
        if named is not None:
            return AskedAbout(kind=kind, fact=named, full=full)
        pending = self._pending(context)
        if pending is not None and kind is QuestionKind.WHY:
            return AskedAbout(kind=kind, fact=pending, full=full)
        decision = self._decision("", context)
        if decision is not None and kind is QuestionKind.WHY:
            return AskedAbout(kind=QuestionKind.CHAIN, fact=decision, full=full)
        last = self._catalog.goals.get(context.ended[0]) if context.ended and not context.goals else None
        if kind is QuestionKind.WHY and last is not None and not set(last.facts) <= set(context.known):
            return AskedAbout(kind=QuestionKind.MISSING, full=full)  # it came to nothing: "why?"
        return AskedAbout(kind=kind, full=full)

    def _named_in(self, around: str, context: Context) -> str | None:
        """Find the one fact that stands under its name ("my …") elsewhere in the utterance."""
        found = {
            self._fact(m["x"], context)
            for m in re.finditer(r"\b(?:my|the)\s+(?P<x>[\w' -]{2,60}?)(?=[,.;:?!]|$)", around)
        }
        facts = {fact for fact in found if fact}
        return facts.pop() if len(facts) == 1 else None

    def _pending(self, context: Context) -> str | None:
        """Find the fact that the pending question is about; of a consent, its first sensitive fact."""
        pending = context.pending
        if pending is None or pending.kind not in {"fact", "authorize"}:
            return None
        if pending.subject in self._catalog.facts:
            return pending.subject
        skill = self._catalog.skills.get(pending.subject)
        if pending.kind == "fact" or skill is None:
            return None
        return next((f for mode in skill.modes for f in self._catalog.sensitive_inputs(skill.name, mode)), None)

    def _fact(self, said: str, context: Context) -> str | None:
        return self._names.resolve(said, prefer=self._preferences(context))

    def _decision(self, said: str, context: Context) -> str | None:
        """Find the decided fact that is meant: named by itself or by its goal, else the only one that is known."""
        if said and not _POINTING.match(said):
            by_name = self._names.resolve(said, among=self._decisions, prefer=self._preferences(context))
            return by_name or (None if self._fact(said, context) else self._by_goal(said))
        known = [fact for fact in context.known if fact in self._decisions]
        return known[0] if len(known) == 1 else None

    def _by_goal(self, said: str) -> str | None:
        words = set(re.findall(r"\w{4,}", said))
        fits = {
            fact
            for goal in self._catalog.goals.values()
            if words & set(re.findall(r"\w{4,}", goal.label.lower()))
            for fact in goal.facts
            if fact in self._decisions
        }
        return fits.pop() if len(fits) == 1 else None

    def _preferences(self, context: Context) -> Iterable[frozenset[str]]:
        pending = self._pending(context)
        if pending:
            yield frozenset({pending})
        yield frozenset(context.known)
        goal = self._catalog.goals.get(context.goals[0]) if context.goals else None
        if goal:
            yield frozenset(goal.facts)


def _group(match: re.Match[str]) -> str:
    return (match.groupdict().get("about") or "").strip()
