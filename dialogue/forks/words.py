"""What forks show, in sentences: a fork beside its record, what a change would take, and a replay."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from catalog.model import Catalog
from catalog.values.base import HIDDEN, listed
from catalog.values.numbers import Quantity
from catalog.wording.grammar import capitalize, clean, your
from dialogue.forks.changes import Change, ConsentAnswer, say_changes
from dialogue.forks.difference import Course, ForkDifference, StepFate, TakenStep
from dialogue.forks.repairs import Repair, WhatItTakes
from dialogue.forks.replay import ReplayResult
from dialogue.forks.rerun import ForkRun, ForkStop
from dialogue.forks.sweep import Sweep
from planning.model import StepKind

_STEPS = {
    StepKind.ASK: "the question for the {}",
    StepKind.AUTHORIZE: "the consent for the {}",
    StepKind.CONFIRM: "the go-ahead for the {}",
    StepKind.SKILL: "the {}",
    StepKind.MAP: "the {} from another fact",
}
_LONGEST_RESULT = 200
_FATES = {StepFate.ADDED: "It adds", StepFate.DROPPED: "It does without"}


def tell_fork(catalog: Catalog, run: ForkRun, found: ForkDifference) -> Iterator[str]:
    """Tell what a fork came to, beside the record: its outcome, then its steps."""
    idle = run.idle
    counted = [one for one in run.changes if one not in idle]
    supposed = capitalize(say_changes(catalog, counted)) or "With nothing changed"
    for one in idle:
        before = "" if run.stopped is None else f" before {tell_stop(catalog, run.stopped).partition(', and')[0]}"
        yield f"“{capitalize(say_changes(catalog, [one]))}” changes nothing: the request does not come to that{before}."
    if idle and not counted:
        return
    if run.stopped is not None:
        yield f"{supposed}, it is not known: {tell_stop(catalog, run.stopped)}"
    elif found.forked.decision is None or found.recorded.decision is None:
        yield f"{supposed}, the request ends as “{found.forked.status}” (in the record: “{found.recorded.status}”)."
    else:
        ends = _outcome(catalog, found.forked)
        source = run.source_of_call(found.forked.decision.entry)
        was = " too" if found.same_outcome else f", in place of {_outcome(catalog, found.recorded)}"
        yield f"{supposed}: {ends}{was} ({source.value})."
    results = () if run.goal is None or run.stopped is not None else run.goal.facts
    for result in found.facts:
        declared = catalog.facts[result.fact]
        if result.fact in results and result.now not in (None, result.was) and declared.value.sayable:
            shown = HIDDEN if catalog.is_sensitive(result.fact) else declared.value.show(result.now)
            yield f"{capitalize(your(declared.label))} would be {clean(shown, _LONGEST_RESULT)}."
    for fate, begin in _FATES.items():
        steps = [name_step(catalog, one.step) for one in found.steps if one.fate is fate]
        if steps:
            yield f"{begin} {listed(steps, limit=12)}."
    if found.same_steps:
        yield "The steps are the same."
    if found.forked.money != found.recorded.money:
        yield f"It takes {found.forked.money:g} in place of {found.recorded.money:g} {catalog.settings.currency}."
    yield from run.distrusted


def tell_stop(catalog: Catalog, stopped: ForkStop) -> str:
    """Say what a fork waits for, and how it can be supposed."""
    if stopped.call is not None:
        skill = catalog.skills[stopped.call.skill]
        ends = [one.label for one in skill.modes[stopped.call.mode].outcomes.values()]
        return f"the {skill.label} would be called, and nothing on record tells its outcome ({listed(ends, 'or')})."
    assert stopped.question is not None
    return f"you would be asked “{stopped.question.text}”, and nothing on record answers that."


def _outcome(catalog: Catalog, course: Course) -> str:
    assert course.decision is not None
    mode = catalog.skills[course.decision.subject].modes[course.decision.how]
    return mode.outcomes[course.decision.outcome].label


def name_step(catalog: Catalog, step: TakenStep) -> str:
    """Name a step: "the question for the employer", "the loan desk"."""
    declared = catalog.skills.get(step.subject) if step.kind is not StepKind.ASK else catalog.facts.get(step.subject)
    return _STEPS[step.kind].format((declared or catalog.facts[step.subject]).label)


def tell_what_it_takes(catalog: Catalog, found: WhatItTakes) -> Iterator[str]:
    """Tell the smallest changes, the inputs that change nothing alone, and what is not known."""
    outcomes = catalog.skills[found.decision.subject].modes[found.decision.how].outcomes
    labels = {name: one.label for name, one in outcomes.items()}
    for repair in found.repairs:
        yield f"{capitalize(_tell_repair(catalog, repair))}: {labels[repair.outcome]}."
        if repair.sweep is not None:
            yield f"Along that range: {say_stretches(catalog, repair.sweep, labels)}."
    for choice, swept in found.sweeps:
        told = not choice or (not found.repairs and any(isinstance(one, ConsentAnswer) for one in choice))
        ends = {one.outcome for one in swept.stretches}
        if told and not ends & found.wanted:
            low, high = (
                show_amount(catalog, swept.fact, at) for at in (swept.stretches[0].low, swept.stretches[-1].high)
            )
            no = "it is not known whether another" if "" in ends else "no"
            under = f"{say_changes(catalog, choice)}, {no}" if choice else no
            label, was = catalog.facts[swept.fact].label, labels[found.decision.outcome]
            yield f"{capitalize(under)} {label} from {low} to {high} changes the outcome ({was})."
    for choice, stopped in found.open:
        supposed = capitalize(say_changes(catalog, choice)) or "With nothing changed"
        yield f"{supposed}, it is not known: {tell_stop(catalog, stopped)}"
    if found.nothing_helps:
        yield "Nothing that you can change alters the outcome."
    yield from found.distrusted


def _tell_repair(catalog: Catalog, repair: Repair) -> str:
    swept = repair.sweep.fact if repair.sweep is not None else None
    said: list[Change] = [one for one in repair.changes if swept is None or getattr(one, "fact", None) != swept]
    told = [say_changes(catalog, said)] if said else []
    if repair.sweep is not None and repair.stretch is not None:
        declared, stretch = catalog.facts[repair.sweep.fact], repair.stretch
        low, high = (show_amount(catalog, declared.name, end) for end in (stretch.low, stretch.high))
        least, most = declared.value.bounds if isinstance(declared.value, Quantity) else (None, None)
        where = f"of at most {high}" if stretch.low == least else f"from {low} to {high}"
        told.append(f"with a {declared.label} {f'of at least {low}' if stretch.high == most else where}")
    return " and ".join(told)


def say_stretches(catalog: Catalog, swept: Sweep, labels: dict[str, str]) -> str:
    """List the outcomes along a range, with their borders."""
    told = [
        f"{labels.get(one.outcome, 'not known')} from {show_amount(catalog, swept.fact, one.low)} "
        f"to {show_amount(catalog, swept.fact, one.high)}"
        for one in swept.stretches
    ]
    return "; ".join(told)


def show_amount(catalog: Catalog, fact: str, amount: Decimal) -> str:
    kind = catalog.facts[fact].value
    return kind.show(str(amount.quantize(Decimal("0.01"))) if kind.quantity == "money" else float(amount))


def tell_replay(found: ReplayResult) -> str:
    """Say whether a conversation comes out as it did, and where it differs first."""
    if found.differs is None:
        return f"All {found.entries} entries come out as recorded."
    ends = "It ends elsewhere" if found.ends_elsewhere else "It ends as it did"
    recorded = found.recorded.kind if found.recorded is not None else "no entry"
    now = found.replayed.kind if found.replayed is not None else "no entry"
    if found.stopped is not None:
        now = f"a call of {found.stopped.skill}, which is not on record"
    what = f"another {now}" if recorded == now else f"{now} in place of {recorded}"
    return f"Entry {found.differs} of {found.entries} differs: {what}. {ends}."
