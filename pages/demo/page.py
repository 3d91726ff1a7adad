"""Demo: conversations that play by themselves; whose turn it is, and when, follows from the log alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import streamlit as st
import yaml

from catalog.wording.grammar import count
from dialogue.exploration.jobs import Inquiry
from dialogue.exploration.report import ExplorationReport
from dialogue.log import events
from dialogue.log.events import Alerted, Heard, Log
from dialogue.services import Snapshot, UnknownCatalog, UnknownSession
from dialogue.state.goal_status import goal_standing
from dialogue.state.plans import PlanRecord
from pages.assistant.workbench import POLL_S, OpenConversation, draw_workbench, say
from pages.demo.scenes import SCENES, TASK_SCENES, Scene, SceneStage, TaskScene, draw_scene, draw_task_scene
from pages.shell import address
from pages.shell.address import View, page_file
from pages.shell.commands import attempt
from pages.shell.frame import bar, missing_session
from pages.shell.root import services
from pages.shell.sheet import Node, draw, el, icon
from pages.views import media
from pages.views.plans import compare, step_detail, step_title
from pages.views.snapshot_view import SnapshotView

LOAN = Inquiry("banking", "loan")  # what is explored for the end of the tour


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


@dataclass(frozen=True, slots=True)
class Line:
    """The next utterance, and what to watch for after it; `upload` names a sample picture, `alert` an event.

    `panel`, `select` and `ask` are what the inspector shows then; `both` puts the old and the new plan side by side.
    A line that answers a question (`to`: what that is about) is passed over where nothing of the kind is asked.
    """

    say: str
    watch: str
    upload: str = ""
    ahead: str = ""
    """Shown before the line is said, where the line itself would reveal what is masked afterwards."""
    alert: str = ""
    to: str = ""
    panel: str = "plan"
    select: str = ""
    ask: View = "how"
    both: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """A conversation to be played, with the catalog it is for; `then` names the one that goes on from there.

    `choices` is what the conversation runs with, besides what the settings say.
    """

    title: str
    catalog: str
    lines: tuple[Line, ...]
    then: str = ""
    ends_tour: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)


def _read_scripts() -> dict[str, Script]:
    """Read the scripts from the file beside this module."""
    found = yaml.safe_load(Path(__file__).with_name("scripts.yaml").read_text(encoding="utf-8"))
    return {
        name: Script(**{**script, "lines": tuple(Line(**line) for line in script["lines"])})
        for name, script in found.items()
    }


SCRIPTS = _read_scripts()  # the scripts by the names that stand in addresses


SPEEDS = {"Slow": 0.5, "Normal": 1.0, "Fast": 3.0, "At once": 1000.0}
NOT_BEGUN = "Press Play: the conversation runs by itself, and nothing needs to be typed."
_PAUSE_S = 2.0
_READING_S = 0.045
"""For each character of the caption; half as much for what the assistant said."""
_LONGEST_PAUSE_S = 14.0
_SETTLING_S = 2.0


def _enter(session_id: str) -> None:
    chosen = st.query_params.get("script")
    address.go_to(session_id)
    st.session_state["demo_id"] = session_id
    if chosen:
        st.query_params["script"] = chosen
    if before := st.session_state.get("demo_before"):
        st.query_params["before"] = before


def _choose() -> None:
    _leave()
    st.session_state["demo_playing"] = False
    st.query_params["script"] = st.session_state["demo_script"]


def _leave() -> None:
    address.go_to(None)
    for name in ("demo_id", "demo_before", "demo_focused"):
        st.session_state.pop(name, None)


def _session() -> str | None:
    given: str | None = st.query_params.get("session")
    if given is None and (kept := st.session_state.get("demo_id")):
        st.query_params["session"] = given = kept
    if given:
        st.session_state["demo_id"] = st.session_state["session_id"] = given
    return given


def main() -> None:
    chosen = st.query_params.get("script", "")
    scene = SCENES.get(chosen) or TASK_SCENES.get(chosen)
    session_id = _session() if scene is None else None
    if session_id is not None:
        try:
            services().snapshot(session_id)
        except (UnknownSession, UnknownCatalog) as trouble:
            missing_session(trouble)
            return
    _bar(scene)
    if isinstance(scene, TaskScene):
        draw_task_scene(scene, _draw_scene_controls, playing=is_playing(), speed=_speed())
        return
    if scene is not None:
        draw_scene(scene, _draw_scene_controls, playing=is_playing(), speed=_speed())
        return
    now = script()
    draw_workbench(
        OpenConversation(now.catalog, session_id, _enter, draw_controls, tick, is_over, now.choices, _both_plans),
        ticking=is_playing(),
    )


def _bar(scene: Scene | TaskScene | None) -> None:
    now = scene or script()
    followed = {one.then for one in SCRIPTS.values()}
    titles = {name: one.title for name, one in SCRIPTS.items() if name not in followed or one is now}
    titles |= {name: one.title for name, one in SCENES.items()} | {n: one.title for n, one in TASK_SCENES.items()}
    names = list(titles)
    here = [name for name in names if now in (SCRIPTS.get(name), SCENES.get(name), TASK_SCENES.get(name))]
    with st.container(horizontal=True, key="bar", vertical_alignment="center", gap="small"):
        bar("Tour", now.title, now.title)
        st.selectbox(
            "Script",
            names,
            index=names.index(here[0]) if here else 0,
            format_func=titles.__getitem__,
            key="demo_script",
            on_change=_choose,
            label_visibility="collapsed",
            width=260,
        )


def _speed() -> float:
    return SPEEDS[st.session_state.get("demo_speed") or "Normal"]


def script() -> Script:
    """Return the script that is chosen in the address, else the first."""
    return SCRIPTS.get(st.query_params.get("script", ""), next(iter(SCRIPTS.values())))


def position(seen: SnapshotView) -> int:
    """Return the place of the next line: after the last that was said, and after those that nothing asks for."""
    said = spoken(seen.snapshot.log)
    at = max(said, default=-1) + 1
    lines, pending = script().lines, seen.conversation.questions.pending
    asked = pending.asked.about if pending else ""
    while said and not seen.snapshot.busy and at < len(lines) and lines[at].to and lines[at].to != asked:
        at += 1
    return at


def spoken(log: Log) -> list[int]:
    """List the places of the lines that were said; what is typed in between is none."""
    ids = (entry.event.command_id for entry in log if isinstance(entry.event, Heard | Alerted))
    return [int(name) for one in ids if (name := one.removeprefix("line-")) != one and name.isdecimal()]


def is_over(seen: SnapshotView) -> bool:
    """Return whether every line has been said."""
    return position(seen) >= len(script().lines)


def is_playing() -> bool:
    return bool(st.session_state.get("demo_playing", False))


def tick(room: OpenConversation, seen: SnapshotView) -> bool:
    """Say the next line if it is time for it; tell whether it was said."""
    if seen.snapshot.busy:
        return False
    lines, at = script().lines, position(seen)
    _focus(seen)
    if not is_playing():
        return False
    if seen.snapshot.log and _waited(seen) < pause(seen, lines) / _speed():
        return False
    if at < len(lines):
        _say(room, lines[at], at, seen)
        return True
    if script().then:
        _go_on(room)
    else:
        st.session_state["demo_playing"] = False
        st.session_state["elsewhere"] = True
    return not script().then


def _focus(seen: SnapshotView) -> None:
    """Let the inspector show what the caption speaks of, once for each line: what is clicked afterwards stays.

    What the browser sent before it was told of a panel brings back the one before: for a moment that is put right.
    """
    last = max(spoken(seen.snapshot.log), default=None)
    if last is None or last >= len(script().lines):
        return
    line, place, now = script().lines[last], (seen.snapshot.session_id, last), datetime.now(UTC)
    focused, since = st.session_state.get("demo_focused", (None, now))
    if focused != place:
        st.session_state["demo_focused"] = (place, now)
        address.select(address.read_selection(line.select), line.ask)
    elif st.session_state.get("panel") == line.panel or (now - since).total_seconds() > _SETTLING_S:
        return
    st.session_state["panel"] = line.panel
    st.session_state["elsewhere"] = True


def _go_on(room: OpenConversation) -> None:
    """Go on with the next part of the tour, keeping in mind what was said in this one; look ahead meanwhile."""
    services().explorations.start(LOAN)
    following = script().then
    _leave()
    st.session_state["demo_before"] = st.query_params["before"] = room.session_id or ""
    st.query_params["script"] = following
    st.session_state["elsewhere"] = True


def _waited(seen: SnapshotView) -> float:
    """Return for how long people have had before them what happened last."""
    now, last = datetime.now(UTC), seen.conversation.seq
    if st.session_state.get("demo_shown", (None, now))[0] != (seen.snapshot.session_id, last):
        st.session_state["demo_shown"] = ((seen.snapshot.session_id, last), now)
    return float((now - st.session_state["demo_shown"][1]).total_seconds())


def pause(seen: SnapshotView, lines: Sequence[Line]) -> float:
    """Return the seconds that reading takes: the caption, and what was said last."""
    messages, said = seen.conversation.messages.all, spoken(seen.snapshot.log)
    caption = lines[said[-1]].watch if said and said[-1] < len(lines) else ""
    reading = _PAUSE_S + _READING_S * (len(messages[-1].text if messages else "") / 2 + len(caption))
    return min(reading, _LONGEST_PAUSE_S)


def _say(room: OpenConversation, line: Line, at: int, seen: SnapshotView) -> None:
    if line.alert:
        attempt(services().alert, room.session_id or "", line.alert, None, f"line-{at}")
        st.session_state["elsewhere"] = True
        return
    uploads = [media.sample_upload(room.catalog, line.upload)] if line.upload else []
    say(room, line.say, uploads, command_id=f"line-{at}", drawn=seen.conversation.seq)


def draw_controls(room: OpenConversation, seen: SnapshotView) -> None:
    """Draw play, step, restart and speed, how far the script has got, and what to watch for."""
    lines, at = script().lines, position(seen)
    over = at >= len(lines)
    said = spoken(seen.snapshot.log)
    last = lines[said[-1]] if said and said[-1] < len(lines) else None
    watch = last.watch if last else NOT_BEGUN
    coming = "The end. Now ask something yourself."
    if not over:
        coming = f"Next: {lines[at].ahead or f'“{lines[at].say}”'}"
    elif script().then:
        coming = f"Next: {SCRIPTS[script().then].title}"
    step = partial(_say, room, lines[at], at, seen) if not over else None
    _draw_buttons(step, busy=seen.snapshot.busy, begun=at > 0)
    _draw_progress(watch, coming, at, len(lines))
    with st.container(key="demo-more"):  # always there: what follows keeps its place in the page, and is not made anew
        if over and not is_playing() and script().ends_tour and not seen.snapshot.busy:
            _draw_end(seen)


def _both_plans(seen: SnapshotView) -> list[Node]:
    """Return the old and the new plan where the last line is about both: the inspector shows them above the graph."""
    lines, said = script().lines, spoken(seen.snapshot.log)
    told = said and said[-1] < len(lines) and lines[said[-1]].both and not seen.snapshot.busy
    return side_by_side(seen) if told else []


def _draw_buttons(step: Callable[[], None] | None, *, busy: bool, begun: bool) -> None:
    """Draw play, step, restart and speed; without a `step` it is over."""
    playing = is_playing()
    with st.container(horizontal=True, key="controls", vertical_alignment="center", gap="small"):
        st.button(
            "Pause" if playing else "Play",
            icon=":material/pause:" if playing else ":material/play_arrow:",
            type="primary",
            disabled=step is None,
            key="demo-play",
            on_click=_toggle,
        )
        st.button(
            "Step",
            icon=":material/skip_next:",
            disabled=step is None or playing or busy,
            key="demo-step",
            on_click=step,
        )
        st.button("Restart", icon=":material/replay:", key="demo-restart", disabled=not begun, on_click=_restart)
        st.segmented_control(
            "Speed",
            list(SPEEDS),
            default="Normal",
            required=True,
            key="demo_speed",
            label_visibility="collapsed",
            persist_state="session",
        )


def _draw_progress(watch: str, coming: str, at: int, of: int) -> None:
    draw(
        "demo-progress",
        [
            el(
                "div",
                "watch",
                icon("eye"),
                el(
                    "div",
                    "",
                    el("p", "", watch),
                    el("p", "muted", coming),
                ),
                el("span", "count", f"{min(at, of)} of {of}"),
            ),
            el("div", "meter", el("span", "", vars={"--done": f"{100 * at / of:.0f}%"}), aria_hidden="true"),
        ],
    )


def _draw_scene_controls(now: SceneStage) -> None:
    _draw_buttons(now.step, busy=now.busy, begun=now.at > 0)
    _draw_progress(now.watch or NOT_BEGUN, now.coming, now.at, now.of)


def _draw_end(seen: SnapshotView) -> None:
    """Draw what the tour showed, counted in the logs of its conversations, and what was explored of all others."""
    snapshots = [seen.snapshot]
    if before := st.query_params.get("before"):
        with suppress(UnknownSession, UnknownCatalog):
            snapshots.insert(0, services().snapshot(before))
    explorations = services().explorations
    if explorations.look(LOAN) is None:
        explorations.start(LOAN)
    look = explorations.look(LOAN)
    running = look is not None and look.status == "running"
    draw("demo-end", end_card(snapshots, look.report if look else None, exploring=running), show="demo-end")
    if running:
        st.fragment(_await_report, run_every=POLL_S)()
    with st.container(horizontal=True):
        st.page_link(page_file("explore"), label="See everything that can happen", icon=":material/route:")
        st.button(
            "On to the group chat", icon=":material/forum:", key="demo-onward", on_click=_go_to, args=tuple(SCENES)
        )
        st.button("On to a task", icon=":material/task_alt:", key="demo-task", on_click=_go_to, args=tuple(TASK_SCENES))


def _go_to(scene: str | None) -> None:
    _leave()
    address.write("script", scene)
    st.session_state["elsewhere"] = True


def _await_report() -> None:
    """Draw everything again once the exploration has ended: a conversation at rest is not looked at for that."""
    look = services().explorations.look(LOAN)
    if look is None or look.status != "running":
        st.rerun()


def _toggle() -> None:
    st.session_state["demo_playing"] = not is_playing()
    st.session_state["elsewhere"] = True


def _restart() -> None:
    chosen = next((name for name, one in SCRIPTS.items() if one.then and SCRIPTS[one.then] is script()), None)
    _go_to(chosen or st.query_params.get("script"))
    st.session_state["demo_playing"] = False


if __name__ == "__main__":
    main()
