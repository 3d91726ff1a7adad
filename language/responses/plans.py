"""Plans and preferences: how a goal would be reached, and what that takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from pydantic import JsonValue

from catalog.analysis.dependencies import find_metrics
from catalog.model import Catalog
from catalog.model.settings import Metric
from catalog.values.base import HIDDEN as MASK
from catalog.wording.grammar import clean, count, listing, quote, say_time
from language.interpretation import Preference
from language.responses.facts_and_skills import consent_subject, fact_of_user, facts_of_user, skill_name
from language.responses.reasons import WAYS
from planning.model import Amounts, AnyStep, Certainty, Plan, StepKind
from planning.task.spending import say_money

_COUNTED = {
    StepKind.ASK: "question",
    StepKind.AUTHORIZE: "consent",
    StepKind.CONFIRM: "confirmation",
    StepKind.SKILL: "call",
}
"""How steps of each kind are counted in words."""

FIRST_IDEA = "first idea: just ask for it"
"""What a plan hopes that asks for what cannot be asked for."""

HOW_SURE = {Certainty.CERTAIN: "In any case", Certainty.LIKELY: "Probably", Certainty.POSSIBLE: "Possibly"}
"""Headings of lists of what will be needed."""


def say_ruled_out(catalog: Catalog, facts: Sequence[str]) -> str:
    """Say what first ideas were and why they were ruled out: "First idea: just ask for it. Ruled out: …"."""
    reasons = dict.fromkeys(catalog.facts[fact].why_not_fillable or "it cannot be asked for" for fact in facts)
    ideas = "First idea" if len(facts) == 1 else f"{len(facts)} first ideas"
    return f"{ideas}: just ask for {facts_of_user(catalog, facts)}. Ruled out: {'; '.join(reasons)}."


def say_amounts(catalog: Catalog, steps: Iterable[StepKind], amounts: Amounts) -> str:
    counts = Counter(steps)
    said = [count(counts[kind], word) for kind, word in _COUNTED.items() if counts[kind]]
    declared = find_metrics(catalog)
    if Metric.MONEY in declared:
        said.append(say_money(amounts.money, catalog.settings.currency))
    if Metric.TIME in declared:
        said.append(f"about {say_time(amounts.time_s)}")
    if Metric.QUALITY in declared:
        said.append(f"quality {amounts.quality:.2g}")
    return ", ".join(said)


def say_likelihood(share: float | None, calls: int | None) -> str:
    """Say how likely an outcome counts as, and from how many calls; nothing where it does not count."""
    if share is None:
        return ""
    counted = "" if calls is None else f", from {calls:,} {'call' if calls == 1 else 'calls'} and a prior"
    return f"likelihood {share:.2g}{counted}"


class PlanPhrases:
    def nothing_to_do(self, label: str) -> str:
        return f"For {quote(label)} there is nothing left to do."

    def no_way(self, label: str) -> str:
        return f"As things stand, I see no way to {quote(label)}."

    def preview(self, catalog: Catalog, labels: Sequence[str], plan: Plan, said: Mapping[str, JsonValue]) -> str:
        told = "\n".join(f"{number}. {text}" for number, text in enumerate(_say_steps(catalog, plan.actions), start=1))
        taken, named = say_amounts(catalog, (step.kind for step in plan.actions), plan.amounts), " and ".join(labels)
        values = [f"{catalog.facts[fact].label}: {_shown(catalog, fact, value)}" for fact, value in said.items()]
        given = f"\nI would use what you said: {'; '.join(values)}." if values else ""
        return f"This is how I would do {quote(named)} ({taken}):\n{told}{given}\nNone of this is done yet."

    def approval_question(
        self,
        catalog: Catalog,
        label: str,
        steps: Sequence[AnyStep],
        money: float,
        irreversible: Sequence[str],
        *,
        again: bool,
    ) -> str:
        """Ask whether a plan may be carried out: its steps, who gets what, what it costs, what cannot be undone."""
        acting = (skill_name(catalog, name) for name in irreversible)
        asking = (step for step in steps if step.kind is not StepKind.AUTHORIZE)
        told = "\n".join(f"{number}. {text}" for number, text in enumerate(_say_steps(catalog, [*asking]), start=1))
        given = [
            f"{facts_of_user(catalog, step.inputs)} to {consent_subject(catalog, step.subject)}"
            for step in steps
            if step.kind is StepKind.AUTHORIZE
        ]
        passed = f"With a yes you agree that I give {listing(tuple(given))}." if given else ""
        opening = "What comes next is not in the plan that you approved." if again else ""
        cost = f"It costs {say_money(money, catalog.settings.currency)} at most." if money else "It costs no money."
        final = f"What {listing(tuple(acting))} does cannot be undone." if irreversible else ""
        ending = " ".join(filter(None, (passed, cost, final, "Shall I go ahead?")))
        return f"{opening} This is my plan for {quote(label)}:\n{told}\n{ending}".strip()

    def confirm_preference(self, catalog: Catalog, preference: Preference) -> str:
        said = []
        if preference.unlimited:
            said.append("spend what it takes")
        if preference.budget is not None:
            most = say_money(preference.budget, catalog.settings.currency)
            said.append(f"spend at most {most}" if preference.budget else "spend nothing")
        if preference.usual or preference.minimize is not None:
            said.append(f"take {WAYS[None if preference.usual else preference.minimize]}")
        if preference.approve:
            said.append("show you each plan before I carry it out")
        return f"I will {listing(tuple(said))}."

    def ask_for_more(self, catalog: Catalog, budget: float, label: str) -> str:
        return f"May I spend {say_money(budget, catalog.settings.currency)} in all on {label}?"


def _say_steps(catalog: Catalog, steps: Sequence[AnyStep]) -> Iterator[str]:
    """Put steps into words; questions that come one after the other are one of them."""
    for kind, together in groupby(steps, key=lambda step: step.kind):
        some = tuple(together)
        if kind is StepKind.ASK:
            yield f"I ask you for {facts_of_user(catalog, [step.subject for step in some])}."
            continue
        yield from (_say_step(catalog, step) for step in some)


def _say_step(catalog: Catalog, step: AnyStep) -> str:
    match step.kind:
        case StepKind.AUTHORIZE:
            what = facts_of_user(catalog, getattr(step, "sensitive", ()))
            return f"I ask whether I may give {what} to {consent_subject(catalog, step.subject)}."
        case StepKind.CONFIRM:
            return f"I ask you for the go-ahead before I call {skill_name(catalog, step.subject)}."
        case StepKind.MAP:
            return f"I use {fact_of_user(catalog, step.inputs[0])} as {fact_of_user(catalog, step.subject)}."
    given = f" with {facts_of_user(catalog, step.inputs)}" if step.inputs else ""
    gives = f", which gives {facts_of_user(catalog, step.outputs)}" if step.outputs else ""
    return f"I call {skill_name(catalog, step.subject)}{given}{gives}."


def _shown(catalog: Catalog, fact: str, value: JsonValue) -> str:
    declared = catalog.facts[fact]
    return MASK if catalog.is_sensitive(fact) else clean(declared.value.show(value), _LONGEST_VALUE)


_LONGEST_VALUE = 100
