"""The drill-down: all about the one thing that is selected, with links that lead on.

What is explained there is computed in the background; the rest of the card is drawn at once.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, get_args

import streamlit as st

from catalog.skills.failures import describe_trouble
from catalog.wording.grammar import count, signed
from dialogue.state.conversation import facts_of, resolve
from dialogue.state.goal_status import goal_standing, goals_of
from explain.claim import Part
from explain.model import Question, QuestionKind
from explain.words import ExplanationText
from pages.assistant.panels import origin, reveal_button
from pages.shell import address
from pages.shell.address import Selection, View
from pages.shell.frame import result_of
from pages.shell.root import services
from pages.shell.sheet import Node, button, draw, el, folded, glued, icon, in_sentences, pairs, problem
from pages.views.events import event_icon, say_event
from pages.views.plans import list_vain, step_detail
from pages.views.snapshot_view import SnapshotView
from pages.views.timeline import plan_details, plan_of
from planning.contrasts import Restriction
from planning.model import StepKind

_LOG = logging.getLogger(__name__)
_WORDS: dict[View, str] = {"how": "How?", "why": "Why?", "chain": "Why this result?", "what": "What was done?"}
_LONG: dict[View, str] = {
    "how": "How was it established?",
    "why": "Why was it needed, and for what?",
    "chain": "Why this result, and not another?",
    "what": "What was done for the goal?",
}
_EVIDENCE = 12


def draw_drill_down(seen: SnapshotView, on_act: Callable[[Mapping[str, Any]], None]) -> None:
    """Draw the card of what is selected, if anything is, and a placeholder below it until its question is answered."""
    if seen.chosen is None:
        return
    then = seen.as_of(seen.chosen.at)
    question, card = question_of(then), st.container()
    answer = _explain(then, question) if question else _why_not(then)
    with card:
        draw("drill", drill_down(then, answer, now=seen), on_act, show=f"{seen.chosen} {seen.view}")


def _explain(seen: SnapshotView, question: Question) -> Sequence[Node | None]:
    """Draw the answer to a question once it is there; one that fails is logged, and does not take the page with it."""
    try:
        answer = result_of(services().analyses.explanation(seen.snapshot, question), "answer", "Looking for the answer")
    except Exception as trouble:
        _LOG.error("no explanation: %s", describe_trouble(trouble))
        return [problem("This could not be explained. The conversation itself is not affected.")]
    return [] if answer is None else draw_answer(seen, question, answer)


def _why_not(seen: SnapshotView) -> Sequence[Node | None]:
    """Say of a discarded plan why its next step could not be taken at that moment, with the proof of the planner.

    Where a skill came out otherwise, the fork in which it did not is offered.
    """
    plans, chosen = seen.conversation.plans.all, seen.chosen
    record = plan_of(plans, chosen.name) if chosen is not None and chosen.kind == "plan" else None
    if record is None or record.status != "discarded" or list_vain(seen.catalog, record):
        return []
    then, head = seen.as_of(record.ended), el("h4", "", "Why not this plan?")
    next_one = next((one for one in plans if one.plan_id > record.plan_id and {*one.goals} & {*record.goals}), None)
    kept = {step.operator for step in next_one.plan.steps} if next_one is not None else set()
    step = next((step for step in record.left if step.operator not in kept), None)
    if step is None or not {goal.goal_id for goal in goals_of(then.conversation)[:1]} & {*record.goals}:
        return []
    if record.reason.code == "surprise" and step is record.left[0]:
        what = Selection("skill", step.subject, record.ended)
        hoped = step_detail(seen.catalog, step).removeprefix("→ ")
        return [head, _what_if(seen, what, f"what if the {seen.skill(step.subject)} had said “{hoped}”?", step.outcome)]
    if step.kind is not StepKind.ASK and step.subject not in seen.catalog.skills:
        return []
    used = {"fact" if step.kind is StepKind.ASK else "skill": step.subject}
    job = services().analyses.contrast(then.snapshot, Restriction(used=True, **used))
    answer = result_of(job, "answer", "Looking for the answer")
    return [] if answer is None else [head, explained(then, answer), evidence(then, answer.evidence)]


def _what_if(seen: SnapshotView, what: Selection, words: str = "what if?", outcome: str | None = None) -> Node:
    act = {"do": "ask", "view": "what-if", "what": str(what), "outcome": outcome or ""}
    return button("chip", words, act=act, label=f"What if: {_named(seen, what)}")


def question_of(seen: SnapshotView) -> Question | None:
    """Return the question that the card of what is selected answers, if it answers one."""
    chosen = seen.chosen
    if chosen is None:
        return None
    if chosen.kind == "plan":
        record = plan_of(seen.conversation.plans.all, chosen.name)
        unsolved = record is not None and record.status == "none" and record is seen.conversation.plans.all[-1]
        return Question(QuestionKind.MISSING) if unsolved else None
    if chosen.name not in seen.catalog.facts or (chosen.kind == "skill" and chosen.name in seen.catalog.skills):
        return None
    return Question(QuestionKind(_view(seen, chosen.name)), chosen.name, seen.full)


def drill_down(seen: SnapshotView, answer: Sequence[Node | None], now: SnapshotView | None = None) -> list[Node]:
    """Draw the card of what is selected, with the answer to its question; nothing where nothing is selected.

    What is seen may be of the past: then a value that is another one by `now` says so, and leads there.
    """
    chosen = seen.chosen
    if chosen is None:
        return []
    body = {"fact": _fact, "skill": _skill, "plan": _plan}[chosen.kind](seen, chosen.name, answer)
    changed = _changed(seen, now, chosen) if now is not None and seen.at is not None else None
    return [
        el("h2", "unseen", "Details"),
        el(
            "div",
            "drill",
            el(
                "nav",
                "trail",
                [
                    (button("crumb", _named(seen, item), act={"do": "on", "what": str(item)}), icon("forward"))
                    for item in address.trail()
                ],
                el("span", "here", _named(seen, chosen), aria_current="true"),
                button("close", icon("failed"), act={"do": "select", "what": ""}, label="Close the details"),
                aria_label="The way here",
            ),
            _goal_line(seen, chosen) if chosen.kind != "plan" else None,
            changed,
            body,
        ),
    ]


def _goal_line(seen: SnapshotView, chosen: Selection) -> Node | None:
    every = goals_of(seen.conversation)
    asked = (goal for goal in every if chosen.name in (*facts_of(seen.catalog, seen.conversation, goal), *goal.skills))
    goal = next(asked, next(iter(every), None))
    if goal is None:
        return None
    standing = goal_standing(seen.catalog, seen.conversation, goal)
    words = {"open": "under way", "achieved": "reached", "handed_over": "a task"}.get(standing, standing)
    return el("p", "of-goal", icon("goal"), " Goal: ", el("strong", "", seen.text(goal.label)), f", {words}")


def _changed(seen: SnapshotView, now: SnapshotView, chosen: Selection) -> Node | None:
    """Say that what is shown is of the past, where the value is another one now, and lead there."""
    if chosen.name not in seen.catalog.facts:
        return None
    then = resolve(seen.catalog, seen.conversation, chosen.name)
    current = resolve(now.catalog, now.conversation, chosen.name)
    if (then and then.event) == (current and current.event):
        return None
    moment = now.snapshot.log[seen.conversation.seq - 1].at.astimezone()
    words = now.value(current.fact) if current else "not known any more"
    lead = button("inline", words, act={"do": "select", "what": f"fact:{chosen.name}"}, label=f"Now: {words}")
    return el("p", "of-then", icon("waiting"), f"As it was at {moment:%H:%M:%S}. Now: ", glued([lead, "."]))


def _named(seen: SnapshotView, item: Selection) -> str:
    if item.kind == "plan":
        return f"Plan {item.name}"
    return seen.fact(item.name) if item.kind == "fact" else seen.skill(item.name)


def _fact(seen: SnapshotView, fact: str, answer: Sequence[Node | None]) -> Iterable[Node | None]:
    declared = seen.catalog.facts.get(fact)
    if declared is None:
        return [problem(f"This catalog has no fact called “{fact}”.")]
    known = resolve(seen.catalog, seen.conversation, fact)
    picture, words = origin(seen, known) if known else ("later", "not known yet")
    is_open = known is not None and (declared.actionable is not None or _is_wanted(seen, fact))
    return [
        el(
            "div",
            "headline",
            el("h3", "", declared.label),
            el("span", "value", seen.value(known.fact)) if known else None,
            reveal_button(seen, known) if known else None,
            _what_if(seen, Selection("fact", fact, seen.at)) if is_open else None,
        ),
        el("p", "origin", icon(picture), words, f". {declared.description}" if declared.description else ""),
        el(
            "div",
            "views",
            [
                button(
                    "view",
                    _WORDS[_as_asked(seen, fact, item)],
                    act={"do": "view", "what": seen.of("fact", fact), "view": item},
                    label=_LONG[_as_asked(seen, fact, item)],
                    pressed=item == _view(seen, fact),
                )
                for item in _views(seen, fact)
            ],
            role="group",
            aria_label="Questions",
        ),
        *answer,
    ]


def _as_asked(seen: SnapshotView, fact: str, view: View) -> View:
    """Put *why* of a decision that was asked for as what it tells: why it came out so."""
    return "chain" if view == "why" and _weights_of(seen, fact) and _is_wanted(seen, fact) else view


def _views(seen: SnapshotView, fact: str) -> list[View]:
    """List the questions that can be asked about a fact; why a decision came out so, only about a decision.

    Of one that was asked for, *why* tells that.
    """
    decided = bool(_weights_of(seen, fact)) and not _is_wanted(seen, fact)
    return [view for view in get_args(View) if view != "chain" or decided]


def _view(seen: SnapshotView, fact: str) -> View:
    views = _views(seen, fact)
    return seen.view if seen.view in views else "why" if seen.view == "chain" and _weights_of(seen, fact) else "how"


def _is_wanted(seen: SnapshotView, fact: str) -> bool:
    conversation = seen.conversation
    return any(fact in facts_of(seen.catalog, conversation, goal) for goal in goals_of(conversation))


def _weights_of(seen: SnapshotView, fact: str) -> Sequence[tuple[str, float]]:
    """Return how much each input counted in the decision on a fact, heaviest first; nothing where that is not told."""
    known = resolve(seen.catalog, seen.conversation, fact)
    told = seen.conversation.calls.attributions.get(known.by, ()) if known is not None else ()
    return sorted(((name, one) for name, one in told if math.isfinite(one)), key=lambda pair: -abs(pair[1]))


def _bars(seen: SnapshotView, fact: str) -> Node | None:
    """Draw what spoke for a decision and against it as bars on one scale."""
    weights = _weights_of(seen, fact)
    most = max((abs(weight) for _, weight in weights), default=0.0)
    if not most:
        return None
    rows = [
        el(
            "tr",
            "",
            el("th", "", seen.fact(name), scope="row"),
            el(
                "td",
                "bar",
                el("span", "for" if weight > 0 else "against", vars=_bar(weight / most)) if weight else None,
            ),
            el("td", "value", signed(weight)),
        )
        for name, weight in weights
    ]
    said = sum(weight for _, weight in weights if weight > 0), sum(weight for _, weight in weights if weight < 0)
    both = [f"{signed(one)} {way}" for one, way in zip(said, ("for it", "against it"), strict=True) if one]
    scale = f"Left of the line: against this result; right of it: for it. A full half is {most:.2f}. "
    return el(
        "figure",
        "weights",
        el("table", "", el("tbody", "", rows)),
        el("figcaption", "hint", f"{scale}In all {' and '.join(both)}."),
    )


def _bar(share: float) -> dict[str, str]:
    return {"--from": f"{50 + min(0.0, 50 * share):.1f}%", "--for": f"{abs(50 * share):.1f}%"}


def draw_answer(seen: SnapshotView, question: Question, answer: ExplanationText) -> Sequence[Node | None]:
    """Draw the answer to the question of a card, and for a fact what it rests on."""
    if question.fact is None:
        return [explained(seen, answer)]
    words, full = ("the short answer", "") if seen.full else ("the whole chain", "yes")
    chained = question.kind in (QuestionKind.HOW, QuestionKind.WHY)
    tells_why = question.kind in (QuestionKind.WHY, QuestionKind.CHAIN)
    return [
        _bars(seen, question.fact) if tells_why else None,
        explained(seen, answer),
        button("small", words, act={"do": "full", "full": full}) if chained else None,
        evidence(seen, answer.evidence),
    ]


def explained(seen: SnapshotView, answer: ExplanationText) -> Node:
    """Draw an explanation as text; the facts it names lead on."""
    drawn = [[_part(seen, part) for part in sentence.parts] for sentence in answer.sentences]
    as_list = answer.question.kind is QuestionKind.WHAT
    return el("div", "answer", in_sentences(drawn, as_list=as_list))


def _part(seen: SnapshotView, part: Part) -> Node:
    text = seen.text(part.text)
    if part.secret and not (part.fact and part.fact in seen.conversation.facts.revealed):
        return "••••"
    if part.fact and not part.secret and part.fact in seen.catalog.facts:
        return button("inline", text, act={"do": "on", "what": seen.of("fact", part.fact)})
    if part.skill and part.skill in seen.catalog.skills:
        return button("inline", text, act={"do": "on", "what": seen.of("skill", part.skill)})
    return text


def evidence(seen: SnapshotView, events: Iterable[int]) -> Node | None:
    """List the events that an answer rests on, folded."""
    entries = [entry for seq in events if (entry := seen.entry(seq)) is not None]
    if not entries:
        return None
    more = len(entries) - _EVIDENCE
    return folded(
        f"Evidence: {count(len(entries), 'event')} of the log",
        el(
            "ol",
            "",
            [
                el(
                    "li",
                    "",
                    el("code", "", f"{entry.seq}"),
                    icon(event_icon(entry)),
                    say_event(seen, entry),
                    el("small", "", f"{entry.at:%H:%M:%S}"),
                )
                for entry in entries[:_EVIDENCE]
            ],
        ),
        el("small", "", f"and {more} more") if more > 0 else None,
    )


_CONSENT = {"given": "agreed", "refused": "declined", "unclear": "not agreed", "withdrawn": "taken back"}


def _skill(seen: SnapshotView, name: str, answer: Sequence[Node | None]) -> Iterable[Node | None]:
    skill = seen.catalog.skills.get(name)
    if skill is None:
        return _fact(seen, name, answer) if name in seen.catalog.facts else [problem(f"No skill is called “{name}”.")]
    calls = sum(count for (called, _), count in seen.conversation.calls.counts.items() if called == name)
    given = [one for (_, subject), one in seen.conversation.questions.consents.items() if subject == name]
    door = _what_if(seen, Selection("skill", name, seen.at)) if calls or given else None
    consent = _CONSENT[max(given, key=lambda one: one.seq).status] if given else "not asked yet"
    sensitive = dict.fromkeys(f for mode in skill.modes for f in seen.catalog.sensitive_inputs(name, mode))
    fact_buttons: Callable[[Iterable[str]], Node] = lambda facts: el(  # noqa: E731
        "span",
        "wanted",
        [button("chip", seen.fact(f), act={"do": "on", "what": seen.of("fact", f)}) for f in facts] or "nothing",
    )
    rows: list[tuple[str, Node]] = [
        ("Called", count(calls, "time") + (f", of at most {skill.most_calls} in one mode" if skill.most_calls else "")),
        ("Given up", f"for a fact that a mode missed {count(skill.max_tries, 'time')}"),
    ]
    if sensitive:
        rows += [("Sensitive inputs", fact_buttons(sensitive)), ("Your consent", consent)]
    for mode in skill.modes.values():
        rows.append((f"By {mode.name.replace('_', ' ')}, from", fact_buttons(mode.inputs)))
        rows += [(f"  → {outcome.label}", fact_buttons(outcome.facts)) for outcome in mode.outcomes.values()]
    return [
        el("div", "headline", el("h3", "", skill.label), door),
        el("p", "origin", icon("skill"), skill.description or "A skill of this catalog."),
        pairs(rows),
    ]


def _plan(seen: SnapshotView, name: str, answer: Sequence[Node | None]) -> Iterable[Node | None]:
    record = plan_of(seen.conversation.plans.all, name)
    if record is None:
        return [problem(f"This conversation has no plan {name}.")]
    heading, *details = plan_details(seen, record)
    return [heading, *answer, *details]
