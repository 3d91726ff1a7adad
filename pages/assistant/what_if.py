"""What if?: a fork of the conversation beside it, with a control for each thing that can be supposed otherwise.

The chat on the left stays what happened; everything here is marked as a fork. Outcomes along a range are computed
ahead, so that a dragged slider is answered from what is there already.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

import streamlit as st

from catalog.wording.grammar import capitalize
from dialogue.forks.answers import ValueSource
from dialogue.forks.changes import BadChange, Change, ConsentAnswer, Say, SupposedOutcome, outcomes_of, say_as_read
from dialogue.forks.difference import ComparedFact, Course, StepFate, TakenStep, course_of
from dialogue.forks.rerun import ForkRun
from dialogue.forks.sweep import Sweep
from dialogue.forks.words import name_step, show_amount, tell_fork, tell_what_it_takes
from dialogue.log.events import Replied
from dialogue.services.forks import WhatIf
from dialogue.state.goals import StackedGoal
from dialogue.state.masking import mask
from dialogue.state.provenance import hides
from pages.shell.root import services
from pages.shell.sheet import Node, draw, el, empty, hint, icon, problem, row, shorten, table
from pages.shell.waiting import result_of
from pages.views.snapshot_view import SnapshotView
from planning.model import StepKind

_AS_RECORDED = "as recorded"
_MARKS = {ValueSource.RECORDED: "", ValueSource.COMPUTED: "good", ValueSource.SUPPOSED: "warn"}
_FATES = {StepFate.KEPT: ("done", ""), StepFate.DROPPED: ("never", "dropped"), StepFate.ADDED: ("next", "added")}
_SHADES = ("ok", "authorize", "skill", "ask")
"""Colours of outcomes that are not adverse, in the order in which a mode declares them."""


def draw_what_if(seen: SnapshotView) -> None:
    """Draw the controls, and the fork that they describe."""
    goals = (*seen.conversation.goals.stack, *reversed(seen.conversation.goals.past))
    if not goals:
        words = "As soon as something was asked for, you can see here what would have been otherwise."
        draw("what-if-empty", [empty("next", "Nothing to suppose yet", words)])
        return
    goal = goals[0] if len(goals) == 1 else _choose_goal(goals)
    recorded = course_of(seen.catalog, seen.snapshot.log, seen.conversation, goal)
    draw("what-if-head", [hint("A fork: nothing here changes the conversation, and no skill is called in the world.")])
    place = f"{seen.snapshot.session_id}-{goal.goal_id}"
    try:
        changes = _controls(seen, recorded, goal, place)
        key = ("what-if", seen.snapshot.session_id, seen.conversation.seq, goal.goal_id, repr(changes))
        session = seen.snapshot.session_id
        job = services().analyses.compute(key, lambda: services().forks.what_if(session, changes, goal.goal_id))
        found = result_of(job, "what-if", "Playing the conversation again")
    except BadChange as trouble:
        draw("what-if-problem", [problem(seen.text(str(trouble)))])
        return
    if found is None:
        return
    _ask_for_more(seen, found.run, place)
    draw("what-if-fork", _fork(seen, found))
    with st.expander("What would it take?", key=f"take-{place}", on_change="rerun") as opened:
        if opened.open:
            _what_it_takes(seen, changes, goal)


def _choose_goal(goals: Sequence[StackedGoal]) -> StackedGoal:
    by_id = {goal.goal_id: goal for goal in goals}
    chosen = st.selectbox(
        "Request", list(by_id), format_func=lambda one: capitalize(by_id[one].label), key="what-if-goal"
    )
    return by_id[chosen]


def _controls(seen: SnapshotView, recorded: Course, goal: StackedGoal, place: str) -> tuple[Change, ...]:
    """Draw a control for each thing that can be supposed; return what is supposed by them."""
    then = goal.seen_in(seen.conversation)
    changes: list[Change] = []
    with st.container(border=True, key="what-if-controls"):
        for step in _consents(recorded):
            label = seen.skill(step.subject) if step.subject in seen.catalog.skills else seen.fact(step.subject)
            chosen = st.segmented_control(
                f"Consent: {label}",
                ["yes", "no"],
                default=step.outcome,
                required=True,
                key=f"consent-{place}-{step.subject}",
            )
            if chosen != step.outcome:
                changes.append(ConsentAnswer(step.subject, given=chosen == "yes"))
        changes += _typed(seen, place)
        for fact in seen.catalog.facts.values():
            known = then.facts.known.get(fact.name)
            if fact.actionable is not None and known is not None and known.source == "user":
                changes += _slider(seen, fact.name, Decimal(str(known.value)), (tuple(changes), goal), place)
        with st.expander("Suppose what a skill says"):
            changes += _outcomes(seen, recorded, place)
    return tuple(changes)


def _consents(recorded: Course) -> Iterable[TakenStep]:
    asked = (one for one in recorded.steps if one.kind in (StepKind.AUTHORIZE, StepKind.CONFIRM) and one.outcome)
    return {one.subject: one for one in asked}.values()


def _slider(
    seen: SnapshotView, fact: str, current: Decimal, base: tuple[tuple[Change, ...], StackedGoal], place: str
) -> list[Change]:
    """Draw a slider over the range of an amount, with the outcomes along it; return what is supposed by it."""
    declared = seen.catalog.facts[fact]
    low, high = declared.range
    assert low is not None
    assert high is not None
    step = (declared.actionable and declared.actionable.step) or Decimal(1)
    value = st.slider(
        capitalize(declared.label),
        float(low),
        float(high),
        float(min(max(current, low), high)),
        float(step),
        key=f"amount-{place}-{fact}",
        format="localized",
    )
    found = _sweep_of(seen, fact, base)
    if found is not None:
        draw(f"stretches-{fact}", [_stretches(seen, found, Decimal(str(value)))])
    if Decimal(str(value)) == current:
        return []
    kind = declared.value
    return [Say(fact, kind.check(f"{Decimal(str(value)):.2f}" if kind.quantity == "money" else value))]


def _sweep_of(seen: SnapshotView, fact: str, base: tuple[tuple[Change, ...], StackedGoal]) -> Sweep | None:
    """Return the outcomes along a range, once they are computed; drawing does not wait for them."""
    changes, goal = base
    session = seen.snapshot.session_id
    forks = services().forks
    key = ("sweep", session, seen.conversation.seq, goal.goal_id, fact, repr(changes))
    job = services().analyses.compute(
        key, lambda: forks.sweep(session, forks.what_if(session, changes, goal.goal_id).run, fact)
    )
    return result_of(job, f"sweep-{fact}", "Looking along the range")


def _stretches(seen: SnapshotView, found: Sweep, value: Decimal) -> Node:
    """Draw the outcomes along a range as a bar, and the one at a value in words."""
    low, high = found.stretches[0].low, found.stretches[-1].high
    width = (high - low) or Decimal(1)
    labels, outcomes = found.labels(seen.catalog), outcomes_of(seen.catalog, found.decided.subject)
    welcome = [name for name in labels if not outcomes[name].adverse]
    shade = {name: _SHADES[place % len(_SHADES)] for place, name in enumerate(welcome)}
    parts = [
        el(
            "span",
            shade.get(one.outcome, "bad"),
            vars={"--share": f"{100 * (one.high - one.low) / width:.2f}%"},
        )
        for one in found.stretches
    ]
    told = [
        el(
            "li",
            "",
            el(
                "span",
                f"tag {('good' if one.outcome in shade else 'bad') if one.low <= value <= one.high else ''}",
                labels.get(one.outcome, "not known"),
            ),
            f" {show_amount(seen.catalog, found.fact, one.low)} to {show_amount(seen.catalog, found.fact, one.high)}",
        )
        for one in found.stretches
    ]
    words = "This alone changes nothing." if len(found.stretches) == 1 else ""
    return el(
        "div", "stretches", el("div", "range", parts, role="img", aria_label="outcomes along the range"),
        el("ul", "", told), hint(words) if words else None,
    )  # fmt: skip


def _typed(seen: SnapshotView, place: str) -> list[Change]:
    """Draw a field for each answer that a fork has asked for; return what is typed."""
    changes: list[Change] = []
    for fact in st.session_state.get(f"what-if-asked-{place}", ()):
        declared = seen.catalog.facts[fact]
        typed = st.text_input(
            declared.ask or capitalize(declared.label),
            key=f"typed-{place}-{fact}",
            help="Supposed in this fork alone.",
            type="password" if seen.catalog.is_sensitive(fact) else "default",
        )
        if not typed.strip():
            continue
        try:
            read = services().language.read_answer
            changes.append(say_as_read(seen.catalog, fact, read, typed, services().today))
        except BadChange as trouble:
            draw(f"unread-{fact}", [problem(seen.text(str(trouble)))])
    return changes


def _outcomes(seen: SnapshotView, recorded: Course, place: str) -> list[Change]:
    called = dict.fromkeys(one.subject for one in recorded.steps if one.kind is StepKind.SKILL)
    changes: list[Change] = []
    for skill in called:
        labels = {_AS_RECORDED: _AS_RECORDED}
        labels |= {name: one.label for name, one in outcomes_of(seen.catalog, skill).items()}
        title, key = capitalize(seen.skill(skill)), f"outcome-{place}-{skill}"
        chosen = str(st.selectbox(title, list(labels), format_func=labels.__getitem__, key=key))
        if chosen != _AS_RECORDED:
            changes.append(SupposedOutcome(skill, chosen))
    return changes


def _ask_for_more(seen: SnapshotView, run: ForkRun, place: str) -> None:
    """Remember what a fork asks that nothing on record answers, and have a field drawn for it."""
    asked: tuple[str, ...] = st.session_state.get(f"what-if-asked-{place}", ())
    question = run.stopped.question if run.stopped is not None else None
    fact = question.subject if question is not None and question.about == "fact" else None
    if fact is not None and fact not in asked and not seen.catalog.facts[fact].value.uploaded:
        st.session_state[f"what-if-asked-{place}"] = (*asked, fact)
        st.rerun()


def _fork(seen: SnapshotView, found: WhatIf) -> list[Node | None]:
    view = _view_of(seen, found.run)
    headline = next(tell_fork(seen.catalog, found.run, found.difference))
    said = [
        entry.event
        for entry in found.run.log[found.run.at :]
        if isinstance(entry.event, Replied) and entry.event.tone in ("result", "problem")
    ]
    return [
        el("div", "headline fork-told", el("span", "tag warn", "fork"), el("strong", "", view.text(headline))),
        *(problem(view.text(one)) for one in found.run.distrusted),
        el("h3", "", "Steps"),
        el("ol", "fates", [_step(seen, one.fate, one.step, one.was, one.source) for one in found.difference.steps]),
        el("h3", "", "Values") if found.difference.facts else None,
        table(("", "happened", "in the fork", ""), _values(seen, view, found.difference.facts)),
        el("h3", "", "What the assistant would say") if said else None,
        *(el("p", "quote", view.text(one.text)) for one in said),
    ]


def _view_of(seen: SnapshotView, run: ForkRun) -> SnapshotView:
    return replace(seen, snapshot=replace(seen.snapshot, log=run.log, conversation=run.conversation), later=())


def _step(seen: SnapshotView, fate: StepFate, step: TakenStep, was: str, source: ValueSource | None) -> Node:
    picture, word = _FATES[fate]
    ends = step.outcome if step.kind is StepKind.SKILL else ""
    label = outcomes_of(seen.catalog, step.subject)[ends].label if ends else step.outcome
    other = was and was != step.outcome and fate is StepFate.KEPT
    return el(
        "li",
        f"fate {fate.value}",
        icon(picture),
        el("span", "capital", name_step(seen.catalog, step)),
        el("span", "state", f"{label}{f' (happened: {was})' if other else ''}") if label else None,
        el("span", "tag", word) if word else None,
        el("span", f"tag {_MARKS[source]}", source.value) if source is not None else None,
    )


def _values(seen: SnapshotView, view: SnapshotView, facts: Iterable[ComparedFact]) -> list[Node]:
    rows: list[Node] = []
    for one in facts:
        if one.fact not in seen.catalog.facts or (one.was == one.now and one.source is ValueSource.RECORDED):
            continue
        rows.append(
            row(
                capitalize(seen.fact(one.fact)),
                _shown(seen, one.fact, has=one.was is not None),
                _shown(view, one.fact, has=one.now is not None),
                el("span", f"tag {_MARKS[one.source]}", one.source.value) if one.source else "",
            )
        )
    return rows


def _shown(view: SnapshotView, fact: str, *, has: bool) -> str:
    """Show a value of either course, masked as everywhere."""
    if not has:
        return "not known"
    known = view.conversation.facts.known.get(fact)
    if known is None or hides(view.catalog, view.conversation, known):
        return view.value(fact) if known is not None else "set aside"
    return shorten(mask(view.catalog.facts[fact].value.show(known.value), view.secrets), 80)


def _what_it_takes(seen: SnapshotView, changes: tuple[Change, ...], goal: StackedGoal) -> None:
    """List the smallest changes that alter the outcome; what is typed or supposed of skills counts as given."""
    session = seen.snapshot.session_id
    typed = set(st.session_state.get(f"what-if-asked-{session}-{goal.goal_id}", ()))
    given = tuple(one for one in changes if isinstance(one, Say) and one.fact in typed)
    key = ("what it takes", session, seen.conversation.seq, goal.goal_id, repr(given))
    forks = services().forks
    job = services().analyses.compute(key, lambda: forks.what_it_takes(session, given, (), goal.goal_id))
    try:
        found = result_of(job, "what-it-takes", "Looking for what would change it")
    except ValueError as trouble:
        draw("what-it-takes", [hint(seen.text(str(trouble)))])
        return
    if found is not None:
        told = [el("li", "", seen.text(one)) for one in tell_what_it_takes(seen.catalog, found)]
        draw("what-it-takes", [el("ul", "deeds", told)])
