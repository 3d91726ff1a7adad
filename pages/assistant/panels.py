"""The panels of the inspector that are lists: summary, facts and goals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from catalog.wording.grammar import count
from dialogue.services.letters import find_decision, write_letter
from dialogue.state.conversation import facts_of
from dialogue.state.facts import KnownValue
from dialogue.state.goal_status import goal_standing, goals_of, refusal_in
from dialogue.state.goals import StackedGoal
from dialogue.state.provenance import hides
from explain.model import SummaryItem
from pages.shell.address import Selection
from pages.shell.frame import download
from pages.shell.root import services
from pages.shell.sheet import Node, button, el, empty, hint, icon
from pages.views.long_lists import DRAWN, earlier
from pages.views.plans import fact_label
from pages.views.snapshot_view import SnapshotView

_SOURCES = {
    "start": ("later", "known from the start"),
    "user": ("person", "you said"),
    "upload": ("picture", "you uploaded"),
    "event": ("event", "came with an event"),
    "skill": ("skill", "from"),
    "mapping": ("map", "copied from"),
}
_BECAUSE = {"request": "you asked for it", "extension": "you took up an offer", "event": "an alert began it"}


def summary(seen: SnapshotView, items: Sequence[SummaryItem]) -> list[Node]:
    """Draw what the goal needs, in landmark order: known, or still to get."""
    goals = goals_of(seen.conversation)
    if not goals:
        return [empty("goal", "Nothing to sum up yet", "Ask for something: what it takes is then listed here.")]
    goal = goals[0]
    got = sum(item.got for item in items)
    no = goal_standing(seen.catalog, seen.conversation, goal) == "declined"
    words = (
        f"For “{goal.label}”: {got} of {count(len(items), 'thing')} in place{', and it was declined' if no else ''}."
    )
    missing = "not reached" if goal.status == "dropped" else "still to get"
    then = seen.as_of(goal.ending.seq) if goal.ending else seen
    return [
        hint(seen.text(words)),
        el(
            "div",
            "meter",
            el("span", "", vars={"--done": f"{100 * got / max(1, len(items)):.0f}%"}),
            role="img",
            aria_label=f"{got} of {len(items)} in place",
        ),
        el("ol", "landmarks", [_landmark(then, item, missing) for item in items]),
    ]


def offer_letter(seen: SnapshotView) -> None:
    """Offer the letter about the last decision; it is written when it is wanted."""
    if (found := find_decision(seen.snapshot)) is not None:
        session, goal = seen.snapshot.session_id, found[0].goal_id
        letter = partial(write_letter, services(), session, goal)
        download("Letter about the decision", letter, f"letter-{session[:8]}-{goal}.html", "text/html")


def _landmark(seen: SnapshotView, item: SummaryItem, missing: str) -> Node:
    no = item.wanted and item.got and refusal_in(seen.catalog, seen.conversation, (item.fact,))
    state = ("done", "" if item.wanted else "known") if item.got else ("later", missing)
    state = ("declined", "declined") if no else state
    known = seen.value(item.fact) if item.got and item.fact in seen.conversation.facts.known else ""
    return el(
        "li",
        f"landmark {'no' if no else 'got' if item.got else 'open'}",
        el("span", "badge", icon(state[0])),
        button("link", fact_label(seen.catalog, item.fact), act={"do": "select", "what": seen.of("fact", item.fact)}),
        el("span", "value", known) if known else None,
        el("span", "state", ": ".join(filter(None, ("what you asked for" if item.wanted else "", state[1])))),
    )


def facts(seen: SnapshotView) -> list[Node]:
    """Draw everything in memory, with where it came from; sensitive values are masked until revealed."""
    known = [item for item in seen.conversation.facts.known.values() if item.fact in seen.catalog.facts]
    agreed = _consents(seen)
    if not known:
        return [*agreed, empty("fact", "Nothing known yet", "What you say, and what skills find out, is listed here.")]
    return [
        hint(f"{count(len(known), 'fact')} in memory, the latest first."),
        el("ul", "facts", [_fact(seen, item) for item in sorted(known, key=lambda k: -k.event)]),
        *agreed,
    ]


def _consents(seen: SnapshotView) -> list[Node]:
    given = [one for one in seen.conversation.questions.consents.values() if one.status == "given"]
    rows = [
        el(
            "li",
            "fact",
            el("span", "value", seen.text(", ".join(map(seen.fact, one.facts)))),
            el("span", "origin", icon("authorize"), f"may go to {_named(seen, one.subject)}"),
            take_back_button(seen, one.subject),
            key=f"consent-{one.seq}",
        )
        for one in {one.seq: one for one in given}.values()
    ]
    return [hint("What you have agreed to, for the request in which you did."), el("ul", "facts", rows)] if rows else []


def take_back_button(seen: SnapshotView, subject: str) -> Node:
    """Offer to take a consent back: a click says so."""
    name = _named(seen, subject)
    return button(
        "small",
        icon("never"),
        "take back",
        act={"do": "say", "text": f"I take back my consent: {name}", "after": str(seen.conversation.seq)},
        label=f"Take back that {name} may get it",
    )


def _named(seen: SnapshotView, subject: str) -> str:
    return seen.skill(subject) if subject in seen.catalog.skills else seen.fact(subject)


def _fact(seen: SnapshotView, item: KnownValue) -> Node:
    picture, words = origin(seen, item)
    chosen = Selection("fact", item.fact).is_same(seen.chosen)
    return el(
        "li",
        "fact",
        button(
            "link",
            seen.fact(item.fact),
            act={"do": "select", "what": f"fact:{item.fact}"},
            pressed=chosen,
        ),
        el("span", "value", seen.value(item.fact)),
        el("span", "origin", icon(picture), words),
        reveal_button(seen, item),
        key=item.fact,
    )


def origin(seen: SnapshotView, item: KnownValue) -> tuple[str, str]:
    """Say where a value came from: a picture's name and words."""
    picture, words = _SOURCES[item.source]
    if item.source == "skill":
        made_by = seen.entry(item.by)
        name = getattr(made_by.event, "skill", "") if made_by else ""
        return picture, f"{words} {seen.skill(name)}" if name else "from a skill"
    if item.source == "mapping":
        taken = seen.entry(item.by)
        used = getattr(taken.event, "used", "") if taken else ""
        return picture, f"{words} {seen.fact(used)}" if used else "copied from another fact"
    if item.source == "user" and item.said:
        return picture, seen.text(f"{words} “{item.said}”")
    return picture, seen.text(f"{words} {item.said}") if item.said else words


def reveal_button(seen: SnapshotView, item: KnownValue) -> Node | None:
    """Offer to show a secret value, or to hide it again."""
    fact = item.fact
    if not hides(seen.catalog, seen.conversation, item):
        return None
    shown = fact in seen.conversation.facts.revealed
    return button(
        "small",
        icon("authorize" if shown else "eye"),
        "hide" if shown else "reveal",
        act={"do": "reveal", "what": fact, "shown": "" if shown else "yes"},
        label=f"{'Hide' if shown else 'Reveal'} {seen.fact(fact)}",
    )


def goals(seen: SnapshotView, shown: int = DRAWN) -> list[Node]:
    """Draw the goal stack, top first, and the goals that have left it, the latest first."""
    stack, past = seen.conversation.goals.stack, tuple(reversed(seen.conversation.goals.past))
    if not stack and not past:
        return [empty("goal", "No goals yet", "What you ask for is listed here; the first is worked on.")]
    nodes: list[Node] = []
    if stack:
        nodes.append(el("h3", "", "Under way"))
        nodes.append(el("ol", "goals", [_goal(seen, goal, top=i == 0) for i, goal in enumerate(stack)]))
    if past:
        nodes.append(el("h3", "", "Done with"))
        nodes.append(el("ol", "goals past", [_goal(seen, goal, top=False) for goal in past[:shown]]))
        nodes += earlier("goals", max(0, len(past) - shown))
    return nodes


def _goal(seen: SnapshotView, goal: StackedGoal, *, top: bool) -> Node:
    standing = goal_standing(seen.catalog, seen.conversation, goal)
    state = {
        "open": "being worked on" if top else "waiting",
        "achieved": "reached",
        "declined": "declined",
        "dropped": "dropped",
        "handed_over": "a task",
    }
    picture = {
        "open": "running" if top else "waiting",
        "achieved": "done",
        "declined": "declined",
        "dropped": "failed",
        "handed_over": "running",
    }
    reason = f": {seen.reason(goal.reason)}" if goal.reason else ""
    at = goal.ending.seq if goal.ending else None
    wanted = [Selection("fact", fact, at) for fact in facts_of(seen.catalog, goal.seen_in(seen.conversation), goal)]
    wanted += [Selection("skill", skill, at) for skill in goal.skills]
    return el(
        "li",
        f"goal {standing}{' top' if top else ''}",
        el("span", "badge", icon(picture[standing])),
        el(
            "div",
            "told",
            el("strong", "", seen.text(goal.label)),
            el("span", "state", f"{state[standing]}{reason}; {_BECAUSE[goal.origin.because]}"),
            el(
                "span",
                "wanted",
                [
                    button(
                        "chip",
                        seen.fact(one.name) if one.kind == "fact" else seen.skill(one.name),
                        act={"do": "select", "what": str(one)},
                    )
                    for one in wanted
                ],
            ),
        ),
    )
