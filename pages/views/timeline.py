"""All plans, one row each: how far each got, and why it ended. Never told by colour alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby

from catalog.wording.grammar import count
from dialogue.log.events import Entry, Planned, PlannedStep
from dialogue.state.plans import PlanRecord
from language.responses.facts_and_skills import sentence
from language.responses.plans import say_ruled_out
from pages.shell.address import Selection
from pages.shell.sheet import Node, button, copy_button, el, empty, hint, icon, pairs
from pages.views import plans as plan_views
from pages.views.events import event_icon, say_event
from pages.views.long_lists import DRAWN, earlier
from pages.views.snapshot_view import SnapshotView


def timeline(seen: SnapshotView, shown: int = DRAWN) -> list[Node]:
    """Draw a row for each of the latest plans, and for the chosen one, each a button, on one scale of seconds."""
    plans = seen.conversation.plans.all
    if not plans:
        return [empty("next", "No plans yet", "As soon as you ask for something, each plan made for it appears here.")]
    chosen = (at for at, plan in enumerate(plans) if Selection("plan", str(plan.plan_id)).is_same(seen.chosen))
    hidden = min(max(0, len(plans) - shown), next(chosen, len(plans)))
    first, last = _at(seen, plans[0].began), max(_at(seen, p.ended or seen.conversation.seq) for p in plans)
    whole = max((last - first).total_seconds(), 0.001)
    scale = _at(seen, plans[hidden].began), max((last - _at(seen, plans[hidden].began)).total_seconds(), 0.001)
    return [
        hint(
            f"{count(len(plans), 'plan')} in {_seconds(whole)}. ",
            "Choose one to see what ended it and what changed.",
        ),
        *earlier("plans", hidden),
        el("ol", "timeline", _rows(seen, plans[hidden:], first, scale), aria_label="All plans"),
    ]


Scale = tuple[datetime, float]
"""When what is drawn begins, and the seconds until its end."""


def _rows(seen: SnapshotView, plans: Sequence[PlanRecord], first: datetime, scale: Scale) -> Iterator[Node]:
    """Draw a row for each plan; those that could only fail by what the catalog says are folded together."""
    for vain, some in groupby(plans, key=lambda record: plan_views.is_first_idea(seen.catalog, record)):
        rows = [(record, _row(seen, record, first, scale)) for record in some]
        if not vain:
            yield from (row for _, row in rows)
            continue
        facts = dict.fromkeys(fact for record, _ in rows for fact in plan_views.list_vain(seen.catalog, record)[:1])
        chosen = any(Selection("plan", str(record.plan_id)).is_same(seen.chosen) for record, _ in rows)
        yield el(
            "li",
            "",
            el(
                "details",
                "first-ideas",
                el("summary", "", icon("never"), seen.text(say_ruled_out(seen.catalog, tuple(facts)))),
                el("ol", "timeline", [row for _, row in rows]),
                open="" if chosen else None,
            ),
            key=f"ideas{rows[0][0].plan_id}",
        )


def _row(seen: SnapshotView, record: PlanRecord, first: datetime, scale: Scale) -> Node:
    began, start = _at(seen, record.began), scale[0]
    lasted = (_at(seen, record.ended or seen.conversation.seq) - began).total_seconds()
    place = _place((began - start).total_seconds() / scale[1], lasted / scale[1])
    views = plan_views.view_steps(seen.catalog, seen.conversation, record)
    chosen = Selection("plan", str(record.plan_id)).is_same(seen.chosen)
    cells = [
        el(
            "span",
            f"cell {view.step.kind.value} {view.state.value}",
            icon(
                {"done": "done", "failed": "failed", "running": "running", "waiting": "waiting"}.get(
                    view.state.value, view.step.kind.value
                )
            ),
            title=f"{view.title}: {plan_views.STATE_WORDS[view.state]}",
        )
        for view in views
    ]
    reason = seen.reason(record.reason) if record.reason else _outcome(seen, record)
    if record.status == "discarded" and (vain := _stopped_at(seen, record)):
        reason = seen.text(say_ruled_out(seen.catalog, (vain,)))
    return el(
        "li",
        "",
        button(
            f"plan {record.status}",
            el(
                "span",
                "line",
                el("span", "name", f"Plan {record.plan_id}"),
                el("span", "cells", cells or el("span", "none", icon("problem"), "no plan found")),
                el("span", "reason", sentence(reason)),
                el("span", "aim", f"for “{_goal(seen, record)}”") if seen.has_several_goals else None,
            ),
            el(
                "span",
                "line",
                el("span", "track", el("span", "span", vars=place)),
                el("span", "when", _when((began - first).total_seconds(), lasted)),
            ),
            el("span", "unseen", f", {_spoken(seen, record)}"),
            act={"do": "select", "what": f"plan:{record.plan_id}"},
            pressed=chosen,
        ),
        key=f"plan{record.plan_id}",
    )


def _stopped_at(seen: SnapshotView, record: PlanRecord) -> str | None:
    """Return the fact at which a plan came to its end since it cannot be asked for."""
    step = record.left[0].subject if record.left else ""
    return step if step in plan_views.list_vain(seen.catalog, record) else None


def _place(start: float, length: float) -> dict[str, str]:
    return {"--from": f"{100 * start:.2f}%", "--for": f"{max(100 * length, 1.2):.2f}%"}


def _spoken(seen: SnapshotView, record: PlanRecord) -> str:
    titles = ", ".join(plan_views.step_title(seen.catalog, step) for step in record.plan.steps)
    done = f"{record.done} of {len(record.plan.steps)} steps done"
    return f"{_status(seen, record)}. {done}: {titles}"


def _goal(seen: SnapshotView, record: PlanRecord) -> str:
    return seen.text(goals_title(seen, record))


def _status(seen: SnapshotView, record: PlanRecord) -> str:
    return plan_views.outcome_of_plan(seen.catalog, seen.conversation, record) or "being followed"


def _outcome(seen: SnapshotView, record: PlanRecord) -> str:
    if record.status == "none":
        gave_up = record.plan.status == "gave_up"
        return "The search came to its limit." if gave_up else "No plan reaches the goal."
    if record.status == "discarded":
        return ""
    return "Being followed now." if record.status == "current" else sentence(_status(seen, record))


def plan_details(seen: SnapshotView, record: PlanRecord) -> list[Node]:
    """Show what ended a plan, the event that caused it, and how it differs from the plan before it."""
    replaced = plan_views.before(seen.conversation, record)
    cause, made = _event(seen, record.cause), _event(seen, record.plan.cause)
    seconds = sum(record.plan.seconds.values())
    cost = f", cost {record.plan.cost:g}" if record.plan.steps else ""
    facts = [
        ("Made because", el("span", "", icon(event_icon(made)), say_event(seen, made)) if made else None),
        ("Ended because", el("span", "", icon(event_icon(cause)), say_event(seen, cause)) if cause else None),
        ("Reason", _reason(seen, record, cause)),
        ("Made by", f"{record.plan.engine} in {1000 * seconds:.1f} ms{cost}"),
        ("Takes", plan_views.say_taken(seen.catalog, record)),
        ("Note", seen.reason(record.note) if record.note else None),
    ]
    drawn = [
        el(
            "h3",
            "",
            f"Plan {record.plan_id}",
            el("small", "", f" for “{_goal(seen, record)}”, {_status(seen, record)}"),
        ),
        pairs(facts),
        difference_list(seen, plan_views.compare(replaced, record), replaced.plan_id) if replaced else None,
        plan_list(seen, record),
    ]
    return [node for node in drawn if node is not None]


def _event(seen: SnapshotView, at: int | None) -> Entry | None:
    """Return the event that a plan was made or ended for; that a plan was made before explains nothing."""
    entry = seen.entry(at)
    return None if entry is None or isinstance(entry.event, Planned) else entry


def _reason(seen: SnapshotView, record: PlanRecord, cause: Entry | None) -> str | None:
    """Return the reason in words, unless the cause has said the same already."""
    words = seen.reason(record.reason)
    return sentence(words) if words and (cause is None or say_event(seen, cause) != sentence(words)) else None


def difference_list(seen: SnapshotView, difference: plan_views.PlanDifference, earlier: int) -> Node:
    """List the steps kept, dropped and added, each with a sign and a word."""
    kinds = (("kept", "=", difference.kept), ("dropped", "−", difference.dropped), ("added", "+", difference.added))
    return el(
        "section",
        "difference",
        el("h4", "", f"Compared with plan {earlier}"),
        el(
            "ul",
            "",
            [
                el("li", word, el("span", "sign", f"{sign} {word}"), icon(step.kind.value), _named(seen, step))
                for word, sign, steps in kinds
                for step in steps
            ],
        ),
    )


def _named(seen: SnapshotView, step: PlannedStep) -> str:
    return f"{plan_views.step_title(seen.catalog, step)} ({plan_views.step_detail(seen.catalog, step)})"


def plan_list(seen: SnapshotView, record: PlanRecord) -> Node | None:
    """Say a plan as a list of words: the same as its row, for those who cannot see it."""
    views = plan_views.view_steps(seen.catalog, seen.conversation, record)
    if not views:
        return None
    return el(
        "section",
        "aslist",
        el("h4", "", "Its steps", copy_button("\n".join(f"{v.title} ({v.detail})" for v in views), "Copy these steps")),
        el(
            "ol",
            "",
            [el("li", "", f"{v.title} ({v.detail}): ", el("em", "", plan_views.STATE_WORDS[v.state])) for v in views],
        ),
    )


def goals_title(seen: SnapshotView, record: PlanRecord) -> str:
    return " and ".join(seen.goal_labels.get(goal_id, f"goal {goal_id}") for goal_id in record.goals)


def plan_of(plans: Sequence[PlanRecord], name: str) -> PlanRecord | None:
    return next((record for record in plans if str(record.plan_id) == name), None)


def _at(seen: SnapshotView, seq: int) -> datetime:
    return seen.snapshot.log[seq - 1].at


def _when(began: float, lasted: float) -> str:
    """Say when a plan was made, and for how long it was followed; a time that rounds to nothing is not told as that."""
    start = f"after {_seconds(began)}" if began >= _SHORTEST_S else "at the start"
    return f"{start}, took {_seconds(lasted) if lasted >= _SHORTEST_S else 'less than 0.1 s'}"


_SHORTEST_S = 0.05


def _seconds(seconds: float) -> str:
    if seconds < 10:
        return f"{seconds:.1f} s"
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
