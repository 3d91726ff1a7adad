"""What a tour has shown: two plans side by side, and at the end what its logs prove. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from catalog.wording.grammar import count
from dialogue.exploration.jobs import Inquiry
from dialogue.exploration.report import ExplorationReport
from dialogue.log import events
from dialogue.services import Snapshot
from dialogue.state.goal_status import goal_standing
from dialogue.state.plans import PlanRecord
from pages.shell.sheet import Node, el, icon
from pages.views.plans import compare, step_detail, step_title
from pages.views.snapshot_view import SnapshotView

LOAN = Inquiry("banking", "loan")
"""What is explored for the end of the tour."""


def side_by_side(seen: SnapshotView) -> list[Node]:
    """Draw the plan that is followed beside that of before the last utterance, each step that differs with a sign."""
    new = seen.conversation.plan
    heard = max((entry.seq for entry in seen.snapshot.log if isinstance(entry.event, events.Heard)), default=0)
    replaced = (plan for plan in seen.conversation.plans.all if plan.began < heard < (plan.ended or 0))
    old = max(replaced, key=lambda plan: plan.began, default=None)
    if new is None or old is None:
        return []
    difference = compare(old, new)
    dropped, added = ({step.operator for step in steps} for steps in (difference.dropped, difference.added))
    return [
        el(
            "div",
            "two-plans",
            _plan(seen, old, "dropped", dropped),
            _plan(seen, new, "added", added),
        )
    ]


def _plan(seen: SnapshotView, record: PlanRecord, word: str, marked: set[str]) -> Node:
    sign, fate = ("−", "dropped") if word == "dropped" else ("+", "followed now")

    def line(place: int, step: events.PlannedStep) -> Node:
        told = f"{step_title(seen.catalog, step)}, {step_detail(seen.catalog, step)}"
        done = "done" if place < record.done else ""
        differs = not done and step.operator in marked
        mark = f"{sign} {word}" if differs else done
        return el(
            "li",
            word if differs else "kept",
            icon(step.kind.value),
            el("span", "", told),
            el("span", "sign", mark) if mark else None,
        )

    steps = [line(place, step) for place, step in enumerate(record.plan.steps)]
    return el("section", "card", el("h3", "", f"Plan {record.plan_id}, {fate}"), el("ol", "difference", steps))


def end_card(snapshots: Sequence[Snapshot], report: ExplorationReport | None, *, exploring: bool = True) -> list[Node]:
    """Say what was proved: counted in the logs, and of all other conversations by exploring them."""
    return [
        el(
            "section",
            "card end-card",
            el("h3", "", icon("done"), "What you have seen"),
            el("ul", "", [el("li", "", words) for words in (*_counted(snapshots), *_explored(report, exploring))]),
            el("p", "muted", "Counted in the logs of this tour, which are kept under Sessions."),
        )
    ]


def _counted(snapshots: Sequence[Snapshot]) -> Iterator[str]:
    entries = [entry for seen in snapshots for entry in seen.log]
    plans, dropped = _of(entries, events.Planned), _of(entries, events.Discarded)
    ended = [
        goal_standing(one.catalog, one.conversation, goal) for one in snapshots for goal in one.conversation.goals.past
    ]
    done, declined = ended.count("achieved"), ended.count("declined")
    yield (
        f"{count(done, 'request')} carried out{f' and {declined} declined' if declined else ''} with "
        f"{count(len(plans), 'plan')}, "
        f"made on the spot and checked before use; {len(dropped)} dropped when things turned out otherwise."
    )
    questions = len([entry for entry in _of(entries, events.Asked) if entry.event.about == "fact"])  # type: ignore[attr-defined]
    yield f"{count(questions, 'question')} asked, {count(len(_of(entries, events.Calling)), 'skill')} called."
    refused, agreed = len(_of(entries, events.Refused)), len(_of(entries, events.Authorized))
    yield (
        f"Consent: {refused} refused, {agreed} given. Sensitive values passed on without consent: "
        f"{sum(map(passed_on_unasked, snapshots))}."
    )
    explained = [entry.event.evidence for entry in entries if isinstance(entry.event, events.Explained)]
    yield (
        f"{count(len(explained), 'question')} about what happened answered, from {len(set().union(*explained))} "
        "entries of the log."
    )


def _of(entries: Sequence[events.Entry], kind: type) -> list[events.Entry]:
    return [entry for entry in entries if isinstance(entry.event, kind)]


def passed_on_unasked(seen: Snapshot) -> int:
    """Count the calls that were given a sensitive fact for which there was no consent at that moment."""
    agreed: set[tuple[str, str]] = set()
    unasked = 0
    for entry in seen.log:
        event = entry.event
        if isinstance(event, events.Authorized):
            agreed.update((event.subject, fact) for fact in event.facts)
        elif isinstance(event, events.Refused):
            agreed.difference_update((event.subject, fact) for fact in event.facts)
        elif isinstance(event, events.Calling):
            given = [fact for fact in event.inputs.values() if seen.catalog.is_sensitive(fact)]
            unasked += any((event.skill, fact) not in agreed and (fact, fact) not in agreed for fact in given)
    return unasked


def _explored(report: ExplorationReport | None, exploring: bool) -> Iterator[str]:
    if report is None and exploring:
        yield "Everything else that can happen on the way to a loan is being explored…"
    if report is None:
        return
    held = sum(judged.holds is True for judged in report.properties)
    yield (
        f"What can happen: {'all' if report.complete else 'so far'} {report.coverage.states:,} situations on the way "
        f"to a loan explored in {report.coverage.seconds:.1f} s; {held} of {len(report.properties)} promises of the "
        "bank hold in every one, such as: no social security number leaves without consent."
    )
