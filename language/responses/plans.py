"""Plans and preferences: how a goal would be reached and what that takes, and why a plan is discarded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Protocol

from pydantic import JsonValue

from catalog.analysis.metrics import find_metrics
from catalog.model import Catalog
from catalog.model.settings import Metric
from catalog.values.base import HIDDEN as MASK
from catalog.wording.grammar import clean, listing, quote, say_time
from language.responses.facts_and_skills import consent_subject, fact_of_user, facts_of_user, skill_name
from planning.model import Amounts, Plan, StepKind
from planning.needs import Certainty, Taken
from planning.task.spending import say_money

_COUNTED = {
    StepKind.ASK: "question",
    StepKind.AUTHORIZE: "consent",
    StepKind.CONFIRM: "confirmation",
    StepKind.SKILL: "call",
}
"""Up to how many seconds a unit is used, its length in seconds, and its name; days beyond."""
_USUAL = "the usual way"
_WAYS = {
    Metric.COST: _USUAL,
    Metric.MONEY: "the cheapest way",
    Metric.TIME: "the quickest way",
    Metric.QUALITY: "the most reliable way",
}


FIRST_IDEA = "first idea: just ask for it"
"""What a plan hopes that asks for what nobody can be asked for."""

HOW_SURE = {Certainty.CERTAIN: "In any case", Certainty.LIKELY: "Probably", Certainty.POSSIBLE: "Possibly"}
"""Headings of lists of what will be needed."""


def say_ruled_out(catalog: Catalog, facts: Sequence[str]) -> str:
    """Say what first ideas were and why they were ruled out: "First idea: just ask for it. Ruled out: …"."""
    reasons = dict.fromkeys(catalog.facts[fact].why_not_fillable or "nobody can be asked for that" for fact in facts)
    ideas = "First idea" if len(facts) == 1 else f"{len(facts)} first ideas"
    return f"{ideas}: just ask for {facts_of_user(catalog, facts)}. Ruled out: {'; '.join(reasons)}."


def say_amounts(catalog: Catalog, steps: Iterable[StepKind], amounts: Amounts) -> str:
    counts = Counter(steps)
    said = [
        f"{counts[kind]} {word}{'s' if counts[kind] > 1 else ''}" for kind, word in _COUNTED.items() if counts[kind]
    ]
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


class Preferring(Protocol):
    """What was said of preferences, as understood or as recorded."""

    @property
    def minimize(self) -> Metric | None:
        """The quantity to minimise, if one was named."""

    @property
    def usual(self) -> bool:
        """Whether to minimise again what the catalog does."""

    @property
    def approve(self) -> bool:
        """Whether whole plans are to be approved."""

    @property
    def budget(self) -> float | None:
        """What may be spent, if that was said."""

    @property
    def unlimited(self) -> bool:
        """Whether there is no budget any more."""


class PlanPhrases:
    """What is said of plans and preferences, and why a plan is discarded."""

    MORE_IS_ALLOWED = "you allowed something that you had not agreed to before"
    NOT_NEEDED = "the goal was reached without its other steps"
    """Why what is left of a plan is discarded."""
    PLANNED_TOGETHER = "what it is for is planned together with what comes first now"
    """Why the plan of a goal that waits is discarded."""
    BEGUN_EARLY = "Its first step is in every plan, so it does not wait for the search for a cheaper one."
    """What a plan says that is begun with before planning ends; true of it later, too."""
    NOTHING_CHEAPER = "No cheaper plan was found."
    BOUND_COUNTS_ALL = "(The bound is for the whole plan, with the step that was already carried out.)"

    def nothing_to_do(self, label: str) -> str:
        return f"For {quote(label)} there is nothing left to do."

    def leads_nowhere(self, label: str) -> str:
        return f"it no longer leads to {quote(label)} from where things stand"

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
        steps: Sequence[Taken],
        money: float,
        irreversible: Sequence[str],
        *,
        again: bool,
    ) -> str:
        """Ask whether a plan may be carried out: its steps, who gets what, what it costs, what cannot be undone."""
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
        final = f"What {listing(tuple(irreversible))} does cannot be undone." if irreversible else ""
        ending = " ".join(filter(None, (passed, cost, final, "Shall I go ahead?")))
        return f"{opening} This is my plan for {quote(label)}:\n{told}\n{ending}".strip()

    def found_cheaper(self, cost: float, cheaper: float) -> str:
        return (
            f"a cheaper plan was found while this one was under way (cost of what is left: {cost:.4g} → {cheaper:.4g})"
        )

    def agreed_already(self, catalog: Catalog, subject: str, facts: Sequence[str]) -> str:
        return f"you have agreed already to give {facts_of_user(catalog, facts)} to {consent_subject(catalog, subject)}"

    def say_news(
        self,
        catalog: Catalog,
        *,
        told: Sequence[str] = (),
        found: Sequence[str] = (),
        lost: Sequence[str] = (),
        carried_out: Sequence[str] = (),
        undone: Sequence[str] = (),
    ) -> str:
        """Return the reason why a plan is discarded: facts and calls are not what it expected.

        `told` are facts that the user gave unasked, `found` are others that became known, and `lost` no longer hold;
        skills were `carried_out` meanwhile, or are `undone`: called with a value that no longer holds.
        """
        named = partial(skill_name, catalog)
        said = []
        if told:
            said.append(f"you gave {facts_of_user(catalog, told)} before being asked")
        if found:
            said.append(f"{facts_of_user(catalog, found)} became known in the meantime")
        if lost:
            said.append(f"what I knew of {facts_of_user(catalog, lost)} no longer holds")
        if carried_out:
            said.append(f"{listing(tuple(map(named, carried_out)))} was called in the meantime")
        if undone:
            said.append(f"{listing(tuple(map(named, undone)))} was called with a value that no longer holds")
        return ", and ".join(said) or "it ended without reaching the goal"

    def say_preference(self, catalog: Catalog, preference: Preferring) -> str:
        said = []
        if preference.unlimited:
            said.append("you lifted the budget")
        if preference.budget is not None:
            said.append(f"you said at most {say_money(preference.budget, catalog.settings.currency)}")
        if way := _way(preference):
            said.append(f"you asked for {way}")
        return listing(tuple(said))

    def confirm_preference(self, catalog: Catalog, preference: Preferring) -> str:
        said = []
        if preference.unlimited:
            said.append("spend what it takes")
        if preference.budget is not None:
            most = say_money(preference.budget, catalog.settings.currency)
            said.append(f"spend at most {most}" if preference.budget else "spend nothing")
        if way := _way(preference):
            said.append(f"take {way}")
        if preference.approve:
            said.append("show you each plan before I carry it out")
        return f"I will {listing(tuple(said))}."

    def ask_for_more(self, catalog: Catalog, budget: float, label: str) -> str:
        return f"May I spend {say_money(budget, catalog.settings.currency)} in all on {label}?"


def _say_steps(catalog: Catalog, steps: Sequence[Taken]) -> Iterator[str]:
    """Put steps into words; questions that come one after the other are one of them."""
    for kind, together in groupby(steps, key=lambda step: step.kind):
        some = tuple(together)
        if kind is StepKind.ASK:
            yield f"I ask you for {facts_of_user(catalog, [step.subject for step in some])}."
            continue
        yield from (_say_step(catalog, step) for step in some)


def _say_step(catalog: Catalog, step: Taken) -> str:
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


def _way(preference: Preferring) -> str:
    if preference.usual:
        return _USUAL
    return "" if preference.minimize is None else _WAYS[preference.minimize]


def _shown(catalog: Catalog, fact: str, value: JsonValue) -> str:
    declared = catalog.facts[fact]
    return MASK if catalog.is_sensitive(fact) else clean(declared.value.show(value), _LONGEST_VALUE)


_LONGEST_VALUE = 100
