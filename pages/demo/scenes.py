"""The scenes of the tour in a room and with a task, which play by themselves.

In the room two people and four bots talk, and norms keep order: which line is next follows from its log alone. The task
is too big for one plan: it is split, supplied with what it lacks, checked and judged. How far it has got stands in the
address; each step hands something over, or looks at something.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Literal

import streamlit as st
import yaml

from catalog.load.demo_files import SAMPLES, TASK_DEMOS
from catalog.values.documents import file_value
from dialogue.log.stores.protocol import UnknownStream
from dialogue.log.streams import Log
from dialogue.rooms.events import RoomAsked, Sent
from dialogue.services import UnknownSession
from dialogue.tasks.inputs import read_handed_over
from dialogue.tasks.reporting.progress import attempt_of
from pages.rooms import page_state as rooms
from pages.rooms.chat import draw_room
from pages.shell import address
from pages.shell.address import page_file
from pages.shell.frame import guarded
from pages.shell.root import services
from pages.shell.sheet import draw, empty
from pages.tasks import page_state as tasks
from pages.tasks.page_state import TaskPage
from pages.tasks.progress import draw_task, folder_of
from planning.hierarchy.files.load import read_task
from planning.hierarchy.tree import Hypothesis

POLL_S = 0.5
_PAUSE_S, _READING_S, _LONGEST_S = 2.5, 0.045, 14.0


@dataclass(frozen=True, slots=True)
class SceneLine:
    """What is said next, what to watch for after it, and what the page shows then."""

    who: str
    say: str
    watch: str
    denied: bool = False
    about: str = ""

    @property
    def ahead(self) -> str:
        return f"{self.who}: “{self.say}”"


@dataclass(frozen=True, slots=True)
class SceneStep:
    """What is done next, said before (`ahead`) and after it (`watch`), and the stage that is looked at then."""

    act: Literal["give", "supply", "judge", "look"]
    ahead: str
    watch: str
    shows: Literal["", "stuck", "each"] = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """A conversation in a room under the norms of a demo."""

    title: str
    norms: str
    people: tuple[str, ...]
    turns: tuple[SceneLine, ...]


def _read_scenes() -> dict[str, Scene]:
    found = yaml.safe_load(Path(__file__).with_name("room_scene.yaml").read_text(encoding="utf-8"))
    return {
        name: Scene(one["title"], one["norms"], tuple(one["people"]), tuple(SceneLine(**turn) for turn in one["turns"]))
        for name, one in found.items()
    }


SCENES = _read_scenes()


@dataclass(frozen=True, slots=True)
class SceneStage:
    """How far a scene has got; `step` says the next line, and there is none where it is over."""

    at: int
    of: int
    watch: str
    coming: str
    busy: bool
    step: Callable[[], None] | None


def _stage(
    lines: Sequence[SceneLine | SceneStep], at: int, end: str, step: Callable[[], None], *, busy: bool
) -> SceneStage:
    over = at >= len(lines)
    coming = f"The end. {end}" if over else f"Next: {lines[at].ahead}"
    return SceneStage(at, len(lines), lines[at - 1].watch if at else "", coming, busy, None if over else step)


def _reading_s(caption: str, last: str = "") -> float:
    """Return the seconds that reading takes: the caption, and half as much what was posted last."""
    return min(_PAUSE_S + _READING_S * (len(caption) + len(last) / 2), _LONGEST_S)


def position(scene: Scene, log: Log) -> int:
    """Return the place of the next line; what is typed in between is none."""
    at = 0
    for entry in log:
        event = entry.event
        if at == len(scene.turns):
            break
        turn = scene.turns[at]
        said = (event.message.sender, event.message.content) if isinstance(event, Sent) else ("", "")
        said = (event.participant, event.text) if isinstance(event, RoomAsked) else said
        at += said == (turn.who, turn.say)
    return at


def draw_scene(scene: Scene, controls: Callable[[SceneStage], None], *, playing: bool, speed: float) -> None:
    """Draw the room of a scene, with what to watch for above it; `controls` draws that, and how it is played."""
    room_id, page = st.query_params.get("room"), None
    if room_id:
        with suppress(UnknownSession):
            page = rooms.read_page(room_id)
    at, busy = (position(scene, page.log), page.busy) if page else (0, False)
    stage = _stage(scene.turns, at, "Now say something yourself.", partial(_say_next, scene), busy=busy)
    controls(stage)
    if playing and stage.step:
        st.fragment(_tick, run_every=POLL_S)(scene, speed)
    if page is None:
        draw("scene-empty", [empty("ask", "The room is empty", "Play or Step opens a room with everybody in it.")])
        return
    draw_room(page.room_id)
    if not stage.step:
        words = {"room": page.room_id, "as": scene.people[0], "room_section": "Change the norms"}
        st.page_link(page_file("rooms"), label="Change the norms of this room", query_params=words)


def _tick(scene: Scene, speed: float) -> None:
    """Say the next line once what happened last could be read."""
    with guarded("the scene"):
        room_id = st.query_params.get("room")
        if not room_id:
            _say_next(scene)
            st.rerun()
            return
        page = rooms.read_page(room_id)
        at = position(scene, page.log)
        last = page.room.posted[-1].message.text if page.room.posted else ""
        waited = (datetime.now(UTC) - page.log[-1].at).total_seconds()
        if page.busy or at >= len(scene.turns) or (at and waited < _reading_s(scene.turns[at - 1].watch, last) / speed):
            return
        _say_next(scene)
        st.rerun()


def _say_next(scene: Scene) -> None:
    room_id = st.query_params.get("room")
    there = services().rooms
    if not room_id:
        room_id = there.open(scene.norms, title=scene.title)
        for name in scene.people:
            there.join(room_id, name)
        st.query_params.update({"room": room_id, "as": scene.people[0]})
    at = position(scene, there.view(room_id).log)
    if at >= len(scene.turns):
        return
    turn = scene.turns[at]
    address.write("denied", "yes" if turn.denied else None)
    address.write("about", turn.about or None)
    if there.ask(room_id, turn.who, turn.say) is None:
        there.say(room_id, turn.who, turn.say, command_id=f"line-{at}")


_DEMO = "board_pack"


@dataclass(frozen=True, slots=True)
class TaskScene:
    """A task that is handed over, and what becomes of it."""

    title: str
    steps: tuple[SceneStep, ...]


TASK_SCENES: dict[str, TaskScene] = {
    "task": TaskScene(
        "A task: too big for one plan",
        (
            SceneStep(
                "give",
                "hand over: “Prepare the board pack for the third quarter”",
                "Three ledgers and a budget are to become a board pack. No plan does that in one piece, so it is split "
                "into stages, each with a description and a plan of its own. Splits that led nowhere stay on record.",
            ),
            SceneStep(
                "look",
                "the stage that is stuck",
                "Six of seven stages have a plan. One lacks a document, however the task is split: the staff list. It "
                "stands at the top, with a place to hand it over.",
                shows="stuck",
            ),
            SceneStep(
                "supply",
                "a person hands over the staff list",
                "The same tree goes on: what was solved stays solved. Steps that do not need each other run at the "
                "same time.",
                shows="stuck",
            ),
            SceneStep(
                "look",
                "the plan of one stage",
                "Each stage has a plan, drawn as in a conversation. This one is carried out for each of three ledgers.",
                shows="each",
            ),
            SceneStep(
                "judge",
                "a person judges the last criterion",
                "A program checked nine criteria: sections, bounds, figures that have to be the same everywhere. The "
                "tenth is a matter of judgement, so a person is asked. The board pack can be downloaded.",
            ),
        ),
    ),
}


def place_in(scene: TaskScene) -> int:
    line = st.query_params.get("line", "")
    return min(int(line), len(scene.steps)) if line.isdecimal() and st.query_params.get("task") else 0


def draw_task_scene(scene: TaskScene, controls: Callable[[SceneStage], None], *, playing: bool, speed: float) -> None:
    """Draw the task of a scene, with what to watch for above it; `controls` draws that, and how it is played."""
    page = _look()
    at, busy = (place_in(scene), page.view.busy) if page else (0, False)
    stage = _stage(scene.steps, at, "Now hand over one of your own.", partial(_do_next, scene), busy=busy)
    controls(stage)
    if playing and stage.step:
        st.fragment(_tick_task, run_every=POLL_S)(scene, speed)
    if page is None:
        draw("scene-empty", [empty("goal", "Nothing is handed over yet", "Play or Step hands over a task.")])
        return
    if not stage.step:
        st.page_link(page_file("tasks"), label="Hand over a task of your own", icon=":material/task_alt:")
    draw_task(page.id)


def _look() -> TaskPage | None:
    with suppress(UnknownStream):
        return tasks.read_page(st.query_params.get("task", ""))
    return None


def _tick_task(scene: TaskScene, speed: float) -> None:
    """Take the next step once what happened last could be read."""
    with guarded("the scene"):
        page, at = _look(), place_in(scene)
        seen = (st.query_params.get("task"), at, page.task.seq if page else 0, page is not None and page.view.busy)
        shown, since = st.session_state.get("scene_seen", (None, 0.0))
        if shown != seen:
            since = monotonic()
            st.session_state["scene_seen"] = (seen, since)
        reading = _reading_s(scene.steps[at - 1].watch) if at else 0.0
        if at >= len(scene.steps) or seen[3] or monotonic() - since < reading / speed:
            return
        _do_next(scene)
        st.rerun()


def _do_next(scene: TaskScene) -> None:
    page, at = _look(), place_in(scene)
    if at >= len(scene.steps):
        return
    step = scene.steps[at] if page else scene.steps[0]
    with suppress(LookupError, ValueError):  # it was done in the page itself before
        match step.act:
            case "give":
                st.query_params["task"] = _give()
            case "supply" if page:
                _supply(page)
            case "judge" if page:
                for number in [one.number for one in page.report.criteria if one.standing == "waiting"]:
                    services().tasks.judge(page.id, number, met=True, found="It names the result and the hiring.")
    st.query_params["line"] = str(at + 1)
    address.write("node", _node(page, step.shows) or None if page else None)


def _give() -> str:
    path = TASK_DEMOS[_DEMO]
    given = read_task(path.read_text(encoding="utf-8"), str(path))
    return services().tasks.give(given, read=read_handed_over({}, folder_of(_DEMO)))


def _supply(page: TaskPage) -> None:
    """Hand over the samples of all documents that are missing."""
    found = SAMPLES[Path(page.task.file)]
    for fact in [name for one in page.report.missing if one.kind == "information" for name in one.names]:
        (path,) = found[fact]
        data = path.read_bytes()
        services().tasks.hand_over(page.id, fact, file_value(path.name, data), {path.name: data})


def _node(page: TaskPage, shows: str) -> str:
    """Return the first stage that is stuck, or was; or the first that is done for each item of a list."""
    if not shows:
        return ""
    if shows == "stuck" and page.node:
        return page.node
    root = page.task.tree.root
    names = root.stage_ids(attempt_of(page.task.tree, root) or 1)
    stages: list[Hypothesis] = [page.task.tree.hypotheses[name] for name in names]
    wanted = (one.id for one in stages if (one.description.each if shows == "each" else one.plan is None))
    return next(wanted, "")
