"""What if?: a fork of the conversation beside it, with a control for each thing that can be supposed otherwise.

The chat on the left stays what happened; everything here is marked as a fork. Outcomes along a range are computed
ahead, and a dragged slider shows them in the browser; where it rests, the fork is played anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any

import streamlit as st
from pydantic import JsonValue

from catalog.model.fact import Fact
from catalog.wording.grammar import capitalize
from dialogue.forks.answers import ValueSource
from dialogue.forks.changes import (
    BadChange,
    Change,
    ConsentAnswer,
    Say,
    SupposedOutcome,
    outcomes_of,
    say_as_read,
    say_changes,
    subject_of,
)
from dialogue.forks.difference import Course, ForkDifference, StepFate, TakenStep, course_of
from dialogue.forks.kept import MOST_LETTERS, KeptFork
from dialogue.forks.rerun import ForkRun, find_boundary
from dialogue.forks.sweep import Sweep
from dialogue.forks.words import name_step, show_amount, tell_fork, tell_what_it_takes
from dialogue.log.events import Answered, Replied
from dialogue.services.analyses import position_of
from dialogue.services.forks import WhatIf
from dialogue.state.conversation import facts_of
from dialogue.state.goal_status import goals_of
from dialogue.state.goals import StackedGoal
from dialogue.state.masking import mask
from dialogue.state.provenance import hides
from language.responses.events import UNREADABLE
from pages.shell import address
from pages.shell.address import Selection
from pages.shell.clicks import clicked
from pages.shell.frame import guarded, result_of
from pages.shell.root import services
from pages.shell.sheet import Node, draw, el, empty, hint, icon, problem, row, shorten, slider, table
from pages.views.snapshot_view import SnapshotView
from planning.model import StepKind

_AS_RECORDED = "as recorded"
_MARKS = {ValueSource.RECORDED: "", ValueSource.COMPUTED: "good", ValueSource.SUPPOSED: "warn"}
_FATES = {StepFate.KEPT: ("done", ""), StepFate.DROPPED: ("never", "dropped"), StepFate.ADDED: ("next", "added")}
_SHADES = ("ok", "authorize", "skill", "ask")
"""Colours of outcomes that are not adverse, in the order in which a mode declares them."""


def open_what_if(seen: SnapshotView, about: Selection, outcome: str = "") -> None:
    """Have the panel show a fork about a fact or a skill, for the goal that wants it, else the last at that moment."""
    st.session_state["what-if-about"] = about.name
    then = seen.as_of(about.at).conversation
    every = goals_of(then)
    wants = (one for one in every if about.name in (*facts_of(seen.catalog, then, one), *one.skills))
    goal = next(wants, next(iter(every), None))
    if goal is None:
        return
    st.session_state[f"what-if-{seen.snapshot.session_id}"] = goal.goal_id
    if about.name in seen.catalog.skills and outcome in outcomes_of(seen.catalog, about.name):
        st.session_state[f"outcome-{_place(seen, goal.goal_id, address.moment())}-{about.name}"] = outcome


@st.fragment
@guarded("What if?")
def draw_what_if(seen: SnapshotView, at: int | None) -> None:
    """Draw the controls, and the fork that they describe: it leaves the record, seen as it is now, after an entry."""
    goals = goals_of(seen.conversation)
    if not goals:
        words = "As soon as something was asked for, you can see here what would have been otherwise."
        draw("what-if-empty", [empty("next", "Nothing to suppose yet", words)])
        return
    goal, session = goals[0], seen.snapshot.session_id
    if len(goals) > 1:
        by_id = {one.goal_id: one for one in goals}
        if (wanted := st.session_state.pop("what-if-goal", None)) in by_id:
            st.session_state[f"what-if-{session}"] = wanted
        labels = {number: capitalize(one.label) for number, one in by_id.items()}
        goal = by_id[st.selectbox("Request", list(labels), format_func=labels.__getitem__, key=f"what-if-{session}")]
    recorded = course_of(seen.catalog, seen.snapshot.log, goal)
    place = _place(seen, goal.goal_id, at)
    at = at if at is None else find_boundary(seen.snapshot.log, at)
    begins = f" It leaves the record after entry {at}." if at is not None else ""
    words = f"A fork: nothing here changes the conversation, and no skill is called in the world.{begins}"
    draw("what-if-head", [hint(words)])
    try:
        changes = _controls(seen, recorded, goal, place, at)
        key = ("what-if", *position_of(seen.snapshot), goal.goal_id, at, repr(changes))
        job = services().analyses.compute(key, lambda: services().forks.what_if(session, changes, goal.goal_id, at))
        found = result_of(job, "what-if", "Playing the conversation again")
    except BadChange as trouble:
        draw("what-if-problem", [problem(seen.text(str(trouble)))])
        _draw_kept(seen)
        return
    if found is None:
        return
    _ask_for_more(seen, found.run, place)
    draw("what-if-fork", _fork(seen, found))
    if changes:
        _keep(seen, changes, goal, place, at)
        if clicked("Drop this fork", key=f"drop-{place}", icon=":material/undo:", type="tertiary"):
            _begin_anew()
            st.rerun()
    _draw_kept(seen)
    if at is None:
        with st.expander("What would it take?", key=f"take-{place}", on_change="rerun") as opened:
            if opened.open:
                _what_it_takes(seen, changes, goal, place)


def _begin_anew() -> None:
    st.session_state["what-if-dropped"] = st.session_state.get("what-if-dropped", 0) + 1  # new keys, new controls


def _place(seen: SnapshotView, goal_id: int, at: int | None) -> str:
    """Name the controls of a fork; those of another one begin with what is on record."""
    return f"{seen.snapshot.session_id}-{goal_id}-{at}-{st.session_state.get('what-if-dropped', 0)}"


def _controls(
    seen: SnapshotView, recorded: Course, goal: StackedGoal, place: str, at: int | None
) -> tuple[Change, ...]:
    """Draw a control for each thing after an entry that can be supposed; return what is supposed by them."""
    then = goal.seen_in(seen.conversation)
    answers = (entry.event for entry in seen.snapshot.log if isinstance(entry.event, Answered))
    taken = {one.asked: one.heard for one in answers}
    coming = [one for one in recorded.steps if taken.get(one.entry, one.entry) > (at or 0)]
    changes: list[Change] = []
    with st.container(border=True, key="what-if-controls"):
        for step in _consents(coming):
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
        by_choice = sorted(seen.catalog.facts.values(), key=lambda one: not one.options)
        for fact in by_choice:  # the outcomes along a range are those under what is chosen
            known = then.facts.known.get(fact.name)
            if fact.actionable is not None and known is not None and known.source == "user" and known.event > (at or 0):
                if fact.options:
                    changes += _choice(fact, known.value, place)
                    continue
                found = _sweep_of(seen, fact.name, _with_besides(changes, place), goal, at)
                changes += _slider(seen, fact.name, Decimal(str(known.value)), found, place)
        called = dict.fromkeys(one.subject for one in coming if one.kind is StepKind.SKILL)
        about = st.session_state.get("what-if-about")
        if called:
            with st.expander("Suppose what a skill says", expanded=about in called, key=f"suppose-{place}-{about}"):
                changes += _outcomes(seen, called, place)
        elif not changes:
            draw("what-if-late", [hint("Nothing that was said or called after this entry can be supposed otherwise.")])
    kept = st.session_state.pop(f"kept-{place}", ())  # the controls begin as it supposes
    if besides := [one for one in kept if one not in changes]:
        st.session_state[f"besides-{place}"] = besides
        st.rerun()
    return _with_besides(changes, place)


def _with_besides(changes: Collection[Change], place: str) -> tuple[Change, ...]:
    """Add what the kept fork that is shown supposes of things that have no control."""
    said = {*map(subject_of, changes)}
    besides = st.session_state.get(f"besides-{place}", ())
    return (*changes, *(one for one in besides if subject_of(one) not in said))


def _consents(steps: Iterable[TakenStep]) -> Iterable[TakenStep]:
    asked = (one for one in steps if one.kind in (StepKind.AUTHORIZE, StepKind.CONFIRM) and one.outcome)
    return {one.subject: one for one in asked}.values()


def _choice(fact: Fact, current: JsonValue, place: str) -> list[Change]:
    """Draw a control with the options of a choice; return what is supposed by it."""
    title, key, options = capitalize(fact.label), f"choice-{place}-{fact.name}", dict.fromkeys((*fact.options, current))
    chosen = st.segmented_control(
        title, list(options), format_func=fact.value.show, default=current, required=True, key=key
    )
    return [] if chosen == current else [Say(fact.name, chosen)]


def _slider(seen: SnapshotView, fact: str, current: Decimal, found: Sweep | None, place: str) -> list[Change]:
    """Draw a slider over the range of an amount, with the outcomes along it; return what is supposed by it."""
    declared = seen.catalog.facts[fact]
    low, high = declared.range
    assert low is not None and high is not None
    step = (declared.actionable and declared.actionable.step) or Decimal(1)
    key, label = f"amount-{place}-{fact}", capitalize(declared.label)
    value = min(max(st.session_state.get(key, current), low), high)

    def moved(act: Mapping[str, Any]) -> None:
        with suppress(InvalidOperation):
            st.session_state[key] = Decimal(str(act.get("value")))

    below = _stretches(seen, found) if found is not None else ()
    shown, act = show_amount(seen.catalog, fact, value), {"do": "suppose"}
    draw(f"slider-{fact}", [slider(label, shown, (low, high, step), value, *below, act=act)], moved)
    if value == current:
        return []
    kind = declared.value
    return [Say(fact, kind.check(f"{value:.2f}" if kind.quantity == "money" else float(value)))]


def _sweep_of(
    seen: SnapshotView, fact: str, changes: tuple[Change, ...], goal: StackedGoal, at: int | None
) -> Sweep | None:
    """Return the outcomes along a range, once they are computed; drawing does not wait for them."""
    session = seen.snapshot.session_id
    forks = services().forks
    key = ("sweep", *position_of(seen.snapshot), goal.goal_id, at, fact, repr(changes))
    job = services().analyses.compute(
        key, lambda: forks.sweep(session, forks.what_if(session, changes, goal.goal_id, at).run, fact)
    )
    return result_of(job, f"sweep-{fact}", "Looking along the range")


def _stretches(seen: SnapshotView, found: Sweep) -> list[Node]:
    """Draw the outcomes along a range as a bar, and in words, each with its ends."""
    low, high = found.stretches[0].low, found.stretches[-1].high
    width = (high - low) or Decimal(1)
    labels, outcomes = found.labels(seen.catalog), outcomes_of(seen.catalog, found.decided.subject)
    welcome = [name for name in labels if not outcomes[name].adverse]
    shade = {name: _SHADES[place % len(_SHADES)] for place, name in enumerate(welcome)}
    parts = [
        el("span", shade.get(one.outcome, "bad"), vars={"--share": f"{100 * (one.high - one.low) / width:.2f}%"})
        for one in found.stretches
    ]
    told = [
        el(
            "li",
            "",
            el("span", f"tag {'good' if one.outcome in shade else 'bad'}", labels.get(one.outcome, "not known")),
            f" {show_amount(seen.catalog, found.fact, one.low)} to {show_amount(seen.catalog, found.fact, one.high)}",
            data_low=str(one.low),
            data_high=str(one.high),
        )
        for one in found.stretches
    ]
    alone = [hint("This alone changes nothing.")] if len(found.stretches) == 1 else []
    bar = el("div", "range", parts, role="img", aria_label="outcomes along the range")
    return [bar, el("div", "stretches", el("ul", "", told), *alone)]


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


def _outcomes(seen: SnapshotView, called: Iterable[str], place: str) -> list[Change]:
    changes: list[Change] = []
    for skill in called:
        labels = {_AS_RECORDED: _AS_RECORDED}
        labels |= {name: one.label for name, one in outcomes_of(seen.catalog, skill).items()}
        title, key = capitalize(seen.skill(skill)), f"outcome-{place}-{skill}"
        chosen = str(st.selectbox(title, list(labels), format_func=labels.__getitem__, key=key))
        if chosen != _AS_RECORDED:
            changes.append(SupposedOutcome(skill, chosen, st.session_state.get(f"given-{key}-{chosen}", {})))
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
    forked = replace(seen.snapshot, log=found.run.log, conversation=found.run.conversation)
    view = replace(seen, snapshot=forked, later=())
    nothing = "Nothing is supposed otherwise yet: this is what happened."
    headline = next(tell_fork(seen.catalog, found.run, found.difference)) if found.run.changes else nothing
    values, happened = _values(seen, view, found.difference), el("span", "then", "What happened")
    said = [
        entry.event
        for entry in found.run.log[found.run.at :]
        if isinstance(entry.event, Replied) and entry.event.tone in ("result", "problem")
    ]
    return [
        el("div", "headline fork-told", el("span", "tag warn", "fork"), el("strong", "", view.text(headline))),
        *(problem(view.text(one)) for one in found.run.distrusted),
        el("div", "fate heads", happened, el("span", "now", "In the fork")),
        el("ol", "fates", [_step(seen, *one) for one in found.difference.steps]),
        *([el("h3", "", "Values"), table(("", "happened", "in the fork", ""), values)] if values else []),
        el("h3", "", "What the assistant would say") if said else None,
        *(el("p", "quote", view.text(one.text)) for one in said),
    ]


def _step(seen: SnapshotView, fate: StepFate, step: TakenStep, was: str, source: ValueSource | None) -> Node:
    """Draw a step as it was on the left, and as it is in the fork on the right."""
    picture, word = _FATES[fate]
    ends = outcomes_of(seen.catalog, step.subject) if step.kind is StepKind.SKILL else {}
    labels = {outcome: one.label for outcome, one in ends.items()}
    name, none = el("span", "capital", name_step(seen.catalog, step)), el("span", "muted", "–")
    differs = "state differs" if fate is StepFate.KEPT and was != step.outcome else "state"
    both = (("state", was), (differs, step.outcome))
    then, now = (el("span", cls, labels.get(end, end)) if end else None for cls, end in both)
    mark = el("span", f"tag {_MARKS[source]}", source.value) if source is not None else None
    tag = el("span", "tag", word) if word else None
    return el(
        "li",
        f"fate {fate.value}",
        el("span", "then", none if fate is StepFate.ADDED else [icon("done"), name, then]),
        el("span", "now", icon(picture), tag if fate is StepFate.DROPPED else [name, now, tag, mark]),
    )


def _values(seen: SnapshotView, view: SnapshotView, found: ForkDifference) -> list[Node]:
    rows: list[Node] = []
    money, currency = (found.recorded.money, found.forked.money), seen.catalog.settings.currency
    if len(set(money)) > 1:
        rows.append(row(f"Costs ({currency})", *(f"{one:g}" for one in money), ""))
    for one in found.facts:
        if one.fact not in seen.catalog.facts or (one.was == one.now and one.source is ValueSource.RECORDED):
            continue
        was, now = _shown(seen, one.fact, has=one.was is not None), _shown(view, one.fact, has=one.now is not None)
        mark = el("span", f"tag {_MARKS[one.source]}", one.source.value) if one.source else ""
        rows.append(row(capitalize(seen.fact(one.fact)), was, now, mark))
    return rows


def _shown(view: SnapshotView, fact: str, *, has: bool) -> str:
    """Show a value of either course, masked as everywhere."""
    if not has:
        return "not known"
    known = view.conversation.facts.known.get(fact)
    if known is None or hides(view.catalog, view.conversation, known):
        return view.value(fact) if known is not None else "set aside"
    return shorten(mask(view.catalog.facts[fact].value.show(known.value), view.secrets), 80)


def _what_it_takes(seen: SnapshotView, changes: tuple[Change, ...], goal: StackedGoal, place: str) -> None:
    """List the smallest changes that alter the outcome; what is typed or supposed of skills counts as given."""
    session = seen.snapshot.session_id
    typed = set(st.session_state.get(f"what-if-asked-{place}", ()))
    given = tuple(one for one in changes if isinstance(one, Say) and one.fact in typed)
    key = ("what it takes", *position_of(seen.snapshot), goal.goal_id, repr(given))
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


def _keep(seen: SnapshotView, changes: tuple[Change, ...], goal: StackedGoal, place: str, at: int | None) -> None:
    """Draw a field for the name of a fork, and a button that keeps it."""
    usual = seen.text(capitalize(say_changes(seen.catalog, changes)))[:MOST_LETTERS]
    name = st.text_input("Name of this fork", placeholder=usual, max_chars=MOST_LETTERS, key=f"fork-name-{place}")
    if clicked("Keep this fork", key=f"keep-{place}", icon=":material/bookmark_add:"):
        services().forks.keep(seen.snapshot.session_id, name.strip() or usual, changes, goal.goal_id, at)
        st.rerun()


def _draw_kept(seen: SnapshotView) -> None:
    """List the kept forks of a conversation with what each comes to; one that can be opened can be shown."""
    forks, here = services().forks, (seen.snapshot.session_id, "")
    every = {one.fork_id: one for one in forks.kept.of() if one.kept.conversation in here}
    if not every:
        return
    with st.expander(f"Kept forks ({len(every)})", key="kept"):
        key = ("kept forks", *position_of(seen.snapshot), tuple((one.fork_id, one.name) for one in every.values()))
        job = services().analyses.compute(key, lambda: {name: _tell_kept(seen, one) for name, one in every.items()})
        numbered = enumerate(every.items(), 1)
        labels = {fork: f"{place}. {seen.text(one.name) or UNREADABLE}" for place, (fork, one) in numbered}
        if (told := result_of(job, "kept-forks", "Playing the kept forks again")) is not None:
            rows = [row(el("strong", "", labels[fork]), *told[fork]) for fork in every]
            draw("kept-forks", [table(("name", "in the fork", "costs"), rows)])
        chosen = every[st.selectbox("Kept fork", list(labels), format_func=labels.__getitem__, key="kept-fork")]
        can_open = told is not None and told[chosen.fork_id][1] != ""
        with st.container(horizontal=True):
            if can_open and clicked("Show this fork", key="show-fork", icon=":material/fork_right:"):
                _put_controls(seen, chosen)
            if clicked("Delete this fork", key="delete-fork", icon=":material/delete:", type="tertiary"):
                forks.kept.delete(chosen.fork_id)
                st.rerun()


def _tell_kept(seen: SnapshotView, one: KeptFork) -> tuple[str, str]:
    """Tell what a fork comes to beside the record as it was, and what it costs; or why it cannot be played any more."""
    try:
        found = services().forks.open(one)
    except (LookupError, ValueError) as trouble:
        return seen.text(str(trouble.args[0])), ""
    told = next(tell_fork(seen.catalog, found.run, found.difference))
    return seen.text(told), f"{found.difference.forked.money:g}"


def _put_controls(seen: SnapshotView, one: KeptFork) -> None:
    """Have new controls begin as a kept fork supposes, and draw them."""
    _begin_anew()
    place, changes = _place(seen, one.kept.goal, one.kept.at), one.changes(seen.catalog)
    states: dict[str, Any] = {f"kept-{place}": changes, "what-if-goal": one.kept.goal}
    asked: list[str] = []
    for change in changes:
        match change:
            case ConsentAnswer(subject, given):
                states[f"consent-{place}-{subject}"] = "yes" if given else "no"
            case SupposedOutcome(skill, outcome, facts):
                states[f"outcome-{place}-{skill}"] = outcome
                states[f"given-outcome-{place}-{skill}-{outcome}"] = facts
            case Say(name, value):
                fact = seen.catalog.facts[name]
                if fact.actionable is None:
                    asked.append(name)
                    states[f"typed-{place}-{name}"] = fact.value.show(value)
                elif fact.options:
                    states[f"choice-{place}-{name}"] = value
                else:
                    states[f"amount-{place}-{name}"] = Decimal(str(value))
    st.session_state.update({**states, f"what-if-asked-{place}": tuple(asked)})
    address.put("at", None if one.kept.at is None else str(one.kept.at))
    st.rerun()
