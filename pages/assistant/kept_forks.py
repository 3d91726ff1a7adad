"""Forks that are kept, beside each other; one is shown again by putting the controls of What if? as it supposes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

import streamlit as st

from catalog.wording.grammar import capitalize
from dialogue.forks.changes import Change, ConsentAnswer, Say, SupposedOutcome, say_changes
from dialogue.forks.kept import MOST_LETTERS, KeptFork
from dialogue.forks.words import tell_fork
from dialogue.state.goals import StackedGoal
from pages.shell import address
from pages.shell.clicks import clicked
from pages.shell.root import services
from pages.shell.sheet import Node, draw, el, row, table
from pages.shell.waiting import result_of
from pages.views.snapshot_view import SnapshotView


def keep(seen: SnapshotView, changes: tuple[Change, ...], goal: StackedGoal, place: str, at: int | None) -> None:
    """Draw a field for the name of a fork, and a button that keeps it."""
    usual = seen.text(capitalize(say_changes(seen.catalog, changes)))[:MOST_LETTERS]
    name = st.text_input("Name of this fork", placeholder=usual, max_chars=MOST_LETTERS, key=f"fork-name-{place}")
    if clicked("Keep this fork", key=f"keep-{place}", icon=":material/bookmark_add:"):
        services().forks.keep(seen.snapshot.session_id, name.strip() or usual, changes, goal.goal_id, at)
        st.rerun()


def draw_kept(seen: SnapshotView) -> KeptFork | None:
    """List the kept forks of a conversation with what each comes to; return the one that is to be shown."""
    forks = services().forks
    every = {one.fork_id: one for one in forks.kept.of(seen.snapshot.session_id)}
    if not every:
        return None
    with st.expander(f"Kept forks ({len(every)})", key="kept-forks"):
        key = ("kept forks", seen.conversation.seq, tuple((one.fork_id, one.name) for one in every.values()))
        job = services().analyses.compute(key, lambda: [_row(seen, one) for one in every.values()])
        if (rows := result_of(job, "kept-forks", "Playing the kept forks again")) is not None:
            draw("kept-forks", [table(("name", "in the fork", "costs"), rows)])
        labels = {one.fork_id: one.name for one in every.values()}
        chosen = every[st.selectbox("Kept fork", list(labels), format_func=labels.__getitem__, key="kept-fork")]
        with st.container(horizontal=True):
            show = clicked("Show this fork", key="show-fork", icon=":material/fork_right:")
            if clicked("Delete this fork", key="delete-fork", icon=":material/delete:", type="tertiary"):
                forks.kept.delete(chosen.fork_id)
                st.rerun()
    return chosen if show else None


def _row(seen: SnapshotView, one: KeptFork) -> Node:
    """Draw what a fork comes to beside the record as it was; what cannot be played any more says why."""
    try:
        found = services().forks.open(one)
    except (LookupError, ValueError) as trouble:
        return row(seen.text(one.name), seen.text(str(trouble.args[0])), "")
    told = next(tell_fork(seen.catalog, found.run, found.difference))
    return row(el("strong", "", seen.text(one.name)), seen.text(told), f"{found.difference.forked.money:g}")


def put_controls(seen: SnapshotView, one: KeptFork, place: str) -> None:
    """Have the controls at a place begin as a kept fork supposes."""
    st.session_state.update(_states(seen, one.changes(seen.catalog), place))
    st.session_state[f"what-if-{seen.snapshot.session_id}"] = one.kept.goal
    address.put("at", None if one.kept.at is None else str(one.kept.at))


def _states(seen: SnapshotView, changes: Iterable[Change], place: str) -> Mapping[str, Any]:
    states: dict[str, Any] = {}
    asked: list[str] = []
    for change in changes:
        match change:
            case ConsentAnswer(subject, given):
                states[f"consent-{place}-{subject}"] = "yes" if given else "no"
            case SupposedOutcome(skill, outcome):
                states[f"outcome-{place}-{skill}"] = outcome
            case Say(name, value):
                fact = seen.catalog.facts[name]
                if fact.actionable is None:
                    asked.append(name)
                    states[f"typed-{place}-{name}"] = fact.value.show(value)
                elif fact.options:
                    states[f"choice-{place}-{name}"] = value
                else:
                    states[f"amount-{place}-{name}"] = Decimal(str(value))
    return {**states, f"what-if-asked-{place}": tuple(asked)}
