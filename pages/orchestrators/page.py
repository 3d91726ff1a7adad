"""Orchestrators: who was asked, who acts and why, what was learned, and what another orchestrator would have done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

import streamlit as st

from catalog.wording.agents import agent_name
from catalog.wording.grammar import capitalize, clean, count
from dialogue.agents.feedback import Feedback
from dialogue.agents.learning.replay import feedback_of, reliability
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from dialogue.agents.terminal.calls import TERMINAL_LEARNER
from dialogue.agents.terminal.sessions import ShellStarted, recorded_sessions
from dialogue.log.streams import Log
from dialogue.services import SessionRow, UnknownCatalog, UnknownSession
from dialogue.settings.agent_choices import options_of, read_preferences
from pages.orchestrators import learning, turns
from pages.orchestrators.learning import shown_name
from pages.orchestrators.set_up import agents_of, choose_scope, draw_set_up, draw_trouble
from pages.orchestrators.turns import Recording
from pages.settings.form import SettingsScope
from pages.shell.address import session_id
from pages.shell.clicks import submitted
from pages.shell.frame import announce, bar, choose, result_of
from pages.shell.root import catalog_labels, services
from pages.shell.sheet import Node, button, draw, el, empty, hint, problem
from pages.views.graph import GraphEdge, GraphNode, draw_graph
from pages.views.media import draw_figure
from pages.views.snapshot_view import SnapshotView

Pair = tuple[str, str]


def draw_preferences(recording: Recording | None) -> None:
    words = "The orchestrator “preference” lets an agent act only where none that you prefer to it could act, too."
    draw("preferences-head", [el("h2", "", "Preferences"), hint(words)])
    scope = choose_scope(recording)
    pairs = read_preferences(scope.values["preferences"])
    fixed = scope.fixed("preferences")
    if fixed:
        draw("preferences-fixed", [hint(fixed)])
    else:
        _add(scope, agents_of(recording, scope), pairs)
    draw_trouble()
    left, right = st.columns([5, 6], gap="medium")
    with left:
        draw(
            "preference-list", [pair_list(pairs, changeable=not fixed)], lambda act: _preferences_act(scope, pairs, act)
        )
    with right:
        if pairs:
            draw_graph("preference-graph", *preference_graph(pairs), tallest=360)


def _add(scope: SettingsScope, agents: Sequence[str], pairs: Sequence[Pair]) -> None:
    form = st.form("preference-form", border=True, enter_to_submit=False)
    with form, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        better = st.selectbox("Prefer", agents, format_func=shown_name, accept_new_options=True, key="preferred")
        last = min(1, len(agents) - 1)
        worse = st.selectbox("to", agents, last, format_func=agent_name, accept_new_options=True, key="other-agent")
        added = submitted("Add", key="preference-add", type="primary")
    if added and better and worse and scope.save("preferences", write_pairs([*pairs, (better, worse)])):
        st.rerun()


def _preferences_act(scope: SettingsScope, pairs: Sequence[Pair], act: Mapping[str, Any]) -> None:
    place = str(act.get("what", ""))
    if act.get("do") == "remove" and place.isdecimal():
        scope.save("preferences", write_pairs(pair for at, pair in enumerate(pairs) if at != int(place)))


def write_pairs(pairs: Iterable[Pair]) -> str:
    return ", ".join(f"{better}>{worse}" for better, worse in pairs)


def pair_list(pairs: Sequence[Pair], *, changeable: bool) -> Node:
    if not pairs:
        return empty("forward", "No preferences yet", "Add one above: whom you prefer, and to whom.")
    rows = [
        el(
            "li",
            "goal",
            el("span", "told", el("strong", "", agent_name(better)), " before ", el("strong", "", agent_name(worse))),
            button(
                "small",
                "Take out",
                act={"do": "remove", "what": str(place)},
                label=f"Take out: {agent_name(better)} before {agent_name(worse)}",
            )
            if changeable
            else None,
            key=f"pair-{better}-{worse}",
        )
        for place, (better, worse) in enumerate(pairs)
    ]
    head = hint(
        f"{count(len(pairs), 'preference')}. They go on from one to the next: of a before b before c, a before c."
    )
    return el("div", "", head, el("ul", "goals", rows, aria_label="Preferences"))


def preference_graph(pairs: Sequence[Pair]) -> tuple[list[GraphNode], list[GraphEdge]]:
    """Make the graph: arrows go from who is preferred."""
    names = dict.fromkeys(name for pair in pairs for name in pair)
    nodes = [GraphNode(name, "skill", agent_name(name), icon="person") for name in names]
    edges = [GraphEdge(better, worse, f"{agent_name(better)} before {agent_name(worse)}") for better, worse in pairs]
    return nodes, edges


_SESSION, _TERMINAL, _SHIPPED = "session", "terminal", "recorded"
_MOST = 50  # terminal sessions that are listed, the last used first


def sources(rows: Iterable[SessionRow], opened: str | None) -> dict[str, str]:
    """Return what each session is called, by its name in the address; the conversation that is open comes first."""
    labels = catalog_labels()
    found = {row.session_id: f"{labels.get(row.catalog, row.catalog)}, {row.session_id[:4]}" for row in rows}
    if opened is not None and (recording := recording_of(f"{_SESSION}:{opened}")) is not None:
        found = {opened: f"{recording.title}, {opened[:4]}", **found}
    named = {f"{_SESSION}:{session}": label for session, label in found.items()}
    for row in services().agents.terminal_sessions()[:_MOST]:
        named[f"{_TERMINAL}:{row.id}"] = f"Terminal ({clean(row.shell)}), {row.started.astimezone():%d %b %H:%M}"
    return named | {f"{_SHIPPED}:{name}": f"Recorded: {_title(name, log)}" for name, log in _shipped().items()}


def recording_of(source: str) -> Recording | None:
    """Return a session by its name in the address; None where there is none."""
    kind, _, name = source.partition(":")
    if kind == _SHIPPED and (log := _shipped().get(name)) is not None:
        return Recording(source, _title(name, log), log)
    try:
        if kind == _TERMINAL:
            return Recording(source, "Terminal", services().agents.terminal_session(name), learner=TERMINAL_LEARNER)
        if kind == _SESSION:
            seen = SnapshotView(services().snapshot(name), None, "how")
            setup = seen.conversation.setup
            log, learner = seen.snapshot.log, setup.learner or name
            return Recording(source, setup.title, log, seen.text, seen.fact, session=name, learner=learner)
    except (UnknownSession, UnknownCatalog):
        pass
    return None


@lru_cache(maxsize=1)
def _shipped() -> dict[str, Log]:
    """Return the sessions that come with the product; they are read once."""
    return dict(recorded_sessions())


def _title(name: str, log: Log) -> str:
    begun = log[0].event if log else None
    given = begun.title if isinstance(begun, ShellStarted) else ""
    return clean(given) or capitalize(name.replace("-", " "))


SECTIONS = {
    "turns": "Turns",
    "learning": "Learning",
    "replay": "Side by side",
    "preferences": "Preferences",
    "set-up": "Set up",
}
_COMPARED = ("max", "threshold", "bandit")


def _choose_source() -> str | None:
    """Let a session be chosen; the address names it."""
    rows = result_of(services().sessions_with_agents(), "sources", "Looking for sessions with agents")
    if rows is None:
        return None
    found = sources(rows, session_id())
    given = st.query_params.get("source", "")
    names = list(found)
    if given and given not in found:
        draw("unknown-source", [hint("The session in the address is not here, or no agent was asked in it.")])
    if not names:
        return ""
    name: str = st.selectbox(
        "Session",
        names,
        index=names.index(given) if given in names else 0,
        format_func=found.__getitem__,
        key="orchestrators-source",
        label_visibility="collapsed",
        width=320,
    )
    if name != given:
        for param in ("turn", "cell"):
            st.query_params.pop(param, None)
        st.query_params["source"] = name
    return name


def _place(recording: Recording) -> int:
    """Return the place of the turn in the address; else the last one, or of a recording the first in which one acts."""
    asked = st.query_params.get("turn", "")
    last = len(recording.moments) - 1
    if asked.isdecimal() and len(asked) < 9:
        return min(int(asked), last)
    acts = [place for place, one in enumerate(recording.moments) if one.moment.choice.agents]
    return acts[0] if acts and recording.learner is None else last


def _act(act: Mapping[str, Any]) -> None:
    what = str(act.get("what", ""))
    match act.get("do"):
        case "turn":
            st.query_params["turn"] = what
            st.session_state["turn_shown"] = f"turn-{what}"
        case "cell":
            st.query_params["cell"] = what


def _draw_turns(recording: Recording) -> None:
    recording = replace(recording, thresholds=_thresholds(recording))
    place = _place(recording)
    left, right = st.columns([4, 7], gap="medium")
    with left:
        draw("turn-list", [turns.turn_list(recording, place)], _act)
    with right, st.container(border=True, key="turn-box"):
        shown = st.session_state.pop("turn_shown", None)
        draw("turn-card", turns.turn_card(recording, place), _act, show=shown)
    announce(f"Turn {place + 1}: {turns.who_acts(recording.moments[place].moment.choice)} acts.")


def _thresholds(recording: Recording) -> Mapping[int, Mapping[str, float]]:
    """Return the thresholds at each turn, once they are there; the turns are drawn without them until then."""
    lessons = services().agents.learner(recording.learner).log if recording.learner is not None else ()
    key = (recording.source, len(recording.log), len(lessons))
    options = _options(recording)
    job = services().analyses.thresholds(key, recording.moments, lessons, options)
    return result_of(job, "thresholds", "Looking up thresholds") or {}


def _options(recording: Recording) -> OrchestratorOptions:
    return options_of(SettingsScope(recording.session).values)


def _draw_learning(recording: Recording) -> None:
    lessons = _lessons(recording)
    feedback = [one for _, one in lessons]
    if not feedback:
        draw("no-lessons", [learning.nothing_learned()])
        return
    key = (recording.source, tuple(seq for seq, _ in lessons))
    job = services().analyses.progress(key, feedback, _options(recording))
    progress = result_of(job, "progress", "Adding it up")
    if progress is None:
        return
    left, right = st.columns(2, gap="medium")
    with left:
        draw("reward-head", [el("h2", "", "Reward so far"), hint("What people made of each choice, added up.")])
        draw_figure(learning.reward_curve(progress), "reward")
    with right:
        _draw_reliability(feedback)
    stages = learning.stages_in(progress)
    for stage in stages:
        when = f", {turns.STAGES[stage]}" if len(stages) > 1 else ""
        with left:
            words = "A threshold falls when what an agent suggests is followed, and rises when it is not."
            draw(f"thresholds-{stage.value}-head", [el("h2", "", f"Thresholds{when}"), hint(words)])
            draw_figure(learning.threshold_curves(progress, stage), f"thresholds-{stage.value}")
        with right:
            words = "What the bandit expected of each agent at each turn: the mean, and one standard deviation."
            draw(f"beliefs-{stage.value}-head", [el("h2", "", f"What the bandit expects{when}"), hint(words)])
            draw_figure(learning.belief_curves(progress, stage), f"beliefs-{stage.value}")
    own = recording.learner is not None
    draw(
        "lessons",
        [
            el("h2", "", "What was learned"),
            learning.undo_all() if own else hint("This is what it would teach, from the beginning."),
            *learning.lesson_list(lessons, undo=own),
        ],
        lambda act: _undo(recording, act),
    )


def _lessons(recording: Recording) -> list[tuple[int, Feedback]]:
    """Return what was learned from the person, by entry; of what comes with the product, what it would teach."""
    if recording.learner is None:
        return list(enumerate(feedback_of([one.moment for one in recording.moments]), 1))
    return [(one.seq, one.feedback) for one in services().agents.learner(recording.learner).lessons.kept]


def _undo(recording: Recording, act: Mapping[str, Any]) -> None:
    seq = str(act.get("what", ""))
    if act.get("do") == "undo" and recording.learner is not None and seq.isdecimal():
        with suppress(LookupError):  # taken back already, in another tab
            services().agents.learner(recording.learner).unlearn(int(seq))


def _draw_reliability(feedback: Sequence[Feedback]) -> None:
    found = reliability(feedback)
    words = "How often an agent was of use, by how sure it was. Below the dashed line it is surer than it is right."
    draw("reliability-head", [el("h2", "", "Reliability"), hint(words)])
    if not found:
        draw("no-reliability", [empty("waiting", "No case yet", "No agent has acted that people could judge.")])
        return
    draw_figure(learning.reliability_plot(found), "reliability")
    draw("reliability-table", [learning.reliability_table(found)])


def _draw_replay(recording: Recording) -> None:
    names: list[str] = st.multiselect(
        "Orchestrators to compare",
        list(ORCHESTRATORS),
        default=[name for name in _COMPARED if name in ORCHESTRATORS],
        key="orchestrators-compared",
    )
    job = services().analyses.replays(
        (recording.source, len(recording.log)),
        recording.moments,
        tuple(names),
        _options(recording),
    )
    played = result_of(job, "replays", "Playing the session")
    if played is None:
        return
    replays = played.found
    if played.failed:
        lines = [problem(f"{name} could not be tried: {trouble}.") for name, trouble in played.failed.items()]
        draw("replays-failed", lines)
    draw("agreement", turns.summary(recording, replays))
    chosen = _cell(recording, replays)
    if chosen is not None:
        place, name = chosen
        draw("cell", [turns.cell_card(recording, place, name, replays[name][place])])
    draw("side-by-side", [turns.side_by_side(recording, replays, chosen)], _act)


def _cell(recording: Recording, replays: Mapping[str, object]) -> tuple[int, str] | None:
    place, _, name = st.query_params.get("cell", "").partition(":")
    if name in replays and place.isdecimal() and len(place) < 9 and int(place) < len(recording.moments):
        return int(place), name
    return None


def main() -> None:
    with st.container(horizontal=True, key="bar", vertical_alignment="center"):
        bar("Orchestrators", "who acts, and why")
        source = _choose_source()
    if source is None:
        return
    section = choose("Section", SECTIONS, "turns", key="orchestrators_section")
    recording = recording_of(source) if source else None
    if section == "preferences":
        draw_preferences(recording)
    elif section == "set-up":
        draw_set_up(recording)
    elif recording is None or not recording.moments:
        draw("no-turns", [turns.no_turns()])
    elif section == "turns":
        _draw_turns(recording)
    elif section == "learning":
        _draw_learning(recording)
    else:
        _draw_replay(recording)


if __name__ == "__main__":
    main()
