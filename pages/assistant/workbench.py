"""The chat with the inspector beside it: one fragment and one snapshot, so that no two panels can disagree.

Work never runs here: what is said is handed over and comes back through the next snapshots, which are taken again and
again only while the assistant is at work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

import streamlit as st

from catalog.values.documents import TYPES
from dialogue.agents.model import Reaction
from dialogue.exploration.forecast import tell_forecast
from dialogue.log.events import Heard
from dialogue.services import CommandReused, Snapshot, StoreFailed, TooLarge, UnknownSession, Upload
from dialogue.state.conversation import Conversation
from dialogue.state.messages import Message, MessageState, Setup
from dialogue.state.plans import PlanRecord
from language.responses.tasks.on_page import MORE_THAN_ONE
from pages.assistant import chat, panels
from pages.assistant.drill_down import draw_drill_down
from pages.assistant.what_if import draw_what_if, open_what_if
from pages.frame.frame import Mark, drawn, follow, keep_drawn
from pages.shell import address
from pages.shell.address import Selection, View, page_file
from pages.shell.commands import command_of, draw_not_taken, submit
from pages.shell.frame import announce, choose, escape_markdown, go_on, guarded, result_of
from pages.shell.root import services
from pages.shell.sheet import Node, button, draw, el, empty, hint, icon, problem, slider
from pages.shell.web import browser
from pages.views import long_lists, media
from pages.views.events import event_icon, say_event
from pages.views.plan_steps import draw_plan_graph, needs_list, step_buttons
from pages.views.plans import outcome_of_plan, view_steps
from pages.views.snapshot_view import SnapshotView
from pages.views.timeline import goals_title, timeline

POLL_S = 0.4
_TALL, _TALL_WITH_DETAILS = 560, 230
"""Pixels that the graph of the plan may take: all of it, the goal too, stays in sight when details stand below it."""
FOLLOW_S = 2.0
"""How often a page at rest looks whether the conversation went on elsewhere, in seconds."""
_FILES = [ending.removeprefix(".") for one in TYPES.values() for ending in one.endings]


@dataclass(frozen=True, slots=True)
class OpenConversation:
    """The conversation that a page shows; `session_id` is None until something is said.

    `tick` is called with each snapshot and may say something; `controls` draws what stands above the chat. `choices` is
    what a conversation that is begun here runs with, besides what the settings say.
    """

    catalog: str
    session_id: str | None
    enter: Callable[[str], None]
    controls: Callable[[OpenConversation, SnapshotView], None] | None = None
    tick: Callable[[OpenConversation, SnapshotView], bool] | None = None
    offers_replies: Callable[[SnapshotView], bool] = lambda _seen: True
    choices: Mapping[str, str] = field(default_factory=dict)
    above: Callable[[SnapshotView], list[Node]] = lambda _seen: []
    """What the inspector shows above the current plan."""


def draw_workbench(room: OpenConversation, *, ticking: bool = False) -> None:
    """Draw chat and inspector, and keep them up to date while the assistant is at work (or a script plays)."""
    go_on()
    snapshot = _snapshot(room)
    moving = _is_moving(snapshot)
    redrawn = ticking or snapshot.conversation.tasks.working  # a task tells more than its entries in the conversation
    st.fragment(_live, run_every=POLL_S if redrawn else None)(room, ticking or moving, ticking)
    if room.session_id is not None and not redrawn:
        follow("conversation", lambda: _mark(room, _snapshot(room)), POLL_S if moving else FOLLOW_S)


def _mark(room: OpenConversation, snapshot: Snapshot) -> Mark:
    return room.session_id, snapshot.conversation.seq, _is_moving(snapshot)


def _is_moving(snapshot: Snapshot) -> bool:
    """Return whether the assistant, or the task manager for it, is at work."""
    return snapshot.busy or snapshot.conversation.tasks.working


def _live(room: OpenConversation, polled: bool, ticking: bool) -> None:
    with guarded("the conversation"):
        now = _see(room)
        if room.tick and room.tick(room, now):
            now = _see(room)
        if st.session_state.pop("elsewhere", False) or (ticking or _is_moving(now.snapshot)) != polled:
            st.rerun()
        keep_drawn("conversation", _mark(room, now.snapshot))
        announce(_status(now))
        if room.controls:
            room.controls(room, now)
        inspected = st.session_state.get("inspector", True)
        seen = now.as_of(address.moment() if inspected else None)  # the way back to now is in the inspector
        if inspected:
            left, right = st.columns([5, 6], gap="medium")
        else:
            left, right = st.columns([1, 5, 1])[1], None
        with left, st.container(key="chat-card", border=True):
            _draw_chat(room, seen)
        if right is not None:
            with right, st.container(key="inspector-card", border=True):
                draw_inspector(seen, now, lambda act: _act(room, act), address.select, room.above(now))


def _draw_chat(room: OpenConversation, seen: SnapshotView) -> None:
    with st.container(key="chat-box"):
        chat.draw_chat(
            seen, lambda act: _act(room, act), shown=long_lists.shown("messages"), replies=room.offers_replies(seen)
        )
    key = _input_of(room.session_id)
    draw_not_taken(_place(room))
    st.chat_input(
        "Ask for something, or answer…",
        key=key,
        accept_file="multiple",
        file_type=_FILES,
        max_upload_size=5,
        max_chars=2_000,
        on_submit=_submitted,
        args=(room, key),
    )


def _input_of(session_id: str | None) -> str:
    """Return the key of the input of a conversation: the one in which its first message was typed keeps the focus."""
    kept: dict[str, str] = st.session_state.setdefault("inputs", {})
    return f"say-new-{len(kept)}" if session_id is None else kept.get(session_id, f"say-{session_id}")


def _see(room: OpenConversation) -> SnapshotView:
    return SnapshotView(_snapshot(room), address.selection(), address.view(), st.query_params.get("full") == "yes")


def _snapshot(room: OpenConversation) -> Snapshot:
    if room.session_id is not None:
        return services().snapshot(room.session_id)
    catalog = services().loaded(room.catalog).catalog
    greeting = Message(0, "assistant", catalog.greeting)
    return Snapshot("", catalog, (), Conversation(setup=Setup(room.catalog), messages=MessageState(all=(greeting,))))


def _submitted(room: OpenConversation, key: str) -> None:
    given = st.session_state[key]
    if given is None:
        return
    uploads = [Upload(file.name, file.type or "", file.getvalue()) for file in given.files]
    text = given.text or ""
    say(room, text, uploads, _command_of(room, text, uploads), _drawn(room))


def _command_of(room: OpenConversation, text: str, uploads: Sequence[Upload]) -> str:
    """Name a submission: the same words on the same page are one, however often the browser sends them."""
    files = (sha256(upload.data).hexdigest() for upload in uploads)
    return command_of(room.session_id or "", str(_drawn(room)), text, *files)


def _drawn(room: OpenConversation) -> int | None:
    """Return the entry up to which this tab shows the conversation."""
    shown = drawn("conversation")
    return shown[1] if shown is not None and shown[0] == room.session_id else None


def say(
    room: OpenConversation,
    text: str,
    uploads: list[Upload] | None = None,
    command_id: str | None = None,
    drawn: int | None = None,
) -> None:
    """Hand something over to the assistant; the first thing said begins the conversation.

    `drawn` is the entry up to which the page showed the conversation when it was said.
    """
    if not text.strip() and not uploads:
        return
    begun = room.session_id
    address.put("at", None)

    def send() -> None:
        nonlocal begun
        if begun is None:
            with address.beginning():  # two scripts of a page may run at the same moment
                begun = address.begun_by(command_id) if command_id else None
                if begun is None:
                    begun = services().start(room.catalog, room.choices, browser())
                    if command_id:
                        address.keep_begun(command_id, begun)
        services().say(begun, text, uploads or (), command_id, drawn)
        if room.session_id is None:
            st.session_state.setdefault("inputs", {}).setdefault(begun, _input_of(None))
            room.enter(begun)

    try:
        submit(_place(room), text, [upload.name for upload in uploads or ()], send)
    except TooLarge as trouble:
        if begun is not None:
            room.enter(begun)
        st.toast(escape_markdown(str(trouble)), icon=":material/warning:")
    except CommandReused:
        st.toast(
            "Something else was chosen here before, maybe in another tab. That counts; this was not taken.",
            icon=":material/warning:",
        )
    except UnknownSession:
        st.toast("This conversation has been deleted. Please begin a new one.", icon=":material/warning:")
    st.session_state["elsewhere"] = True


def _place(room: OpenConversation) -> str:
    return room.session_id or f"new {room.catalog}"


def _act(room: OpenConversation, act: Mapping[str, Any]) -> None:
    """Do what a click asks for; what cannot be written down just now is told."""
    try:
        _do(room, act)
    except StoreFailed as trouble:
        st.toast(escape_markdown(str(trouble)), icon=":material/warning:")


def _do(room: OpenConversation, act: Mapping[str, Any]) -> None:
    what = address.read_selection(str(act.get("what", "")))
    after = str(act.get("after", ""))
    drawn = int(after) if after.isdecimal() else None
    match act.get("do"):
        case "say":
            say(
                room,
                str(act.get("text", "")),
                command_id=f"click-{after}" if room.session_id else None,
                drawn=drawn if room.session_id else None,
            )
        case "sample":
            found = media.sample_upload(room.catalog, str(act.get("name")))
            say(room, "", [found], command_id=f"click-{after}", drawn=drawn if room.session_id else None)
        case "select" | "on":
            address.select(what, onward=act.get("do") == "on")
        case "ask" | "view":
            _ask(room, what, act)
        case "moment" | "fork":
            _look_back(room, str(act.get("value", "")), fork=act["do"] == "fork")
        case "full":
            address.write("full", "yes" if act.get("full") else None)
        case "reveal" if room.session_id:
            services().reveal(room.session_id, str(act.get("what")), bool(act.get("shown")))
        case "understood":
            _look_into(room, str(act.get("what")))
        case "react" | "who" if room.session_id:
            _act_on_agent(room.session_id, str(act["do"]), str(act.get("what")))
        case "message":
            st.session_state["message_shown"] = str(act.get("what"))
        case "go":
            _go(room, str(act.get("what")))
        case "earlier":
            long_lists.show_more(str(act.get("what")))


def _go(room: OpenConversation, way: str) -> None:
    """Have the page opened to which a way of the first screen leads."""
    pages = {"tour": ("demo", {"script": "tour"}), "own": ("catalog", {"catalog": room.catalog})}
    st.session_state.update(go_on=pages[way], demo_playing=way == "tour", elsewhere=True)


def _look_back(room: OpenConversation, at: str, *, fork: bool) -> None:
    """Have the whole page seen as of an entry (of the last: as of now), and maybe a fork from there beside it."""
    address.put("at", at if at and at != str(_snapshot(room).conversation.seq) else None)
    if fork:
        st.session_state.update(inspector=True, panel="what-if", elsewhere=True)


def _ask(room: OpenConversation, what: Selection | None, act: Mapping[str, Any]) -> None:
    view = str(act.get("view"))
    if act["do"] == "ask" and not st.session_state.get("inspector", True):
        st.session_state.update(inspector=True, elsewhere=True)
    if view == "what-if" and what is not None:
        open_what_if(_see(room), what, str(act.get("outcome", "")))
        st.session_state["panel"] = view
    elif what is not None and view in get_args(View):
        address.select(what, view)  # type: ignore[arg-type]


def _act_on_agent(session_id: str, do: str, what: str) -> None:
    """Hand over what the user thinks of what an agent said, or have the page opened that says why it was chosen."""
    choice, _, reaction = what.partition(":")
    if do == "who":
        st.session_state["go_on"] = ("orchestrators", {"source": f"session:{session_id}", "turn": what})
    elif choice.isdecimal() and reaction in set(Reaction):
        with suppress(UnknownSession, LookupError):
            services().react(session_id, int(choice), Reaction(reaction))
    st.session_state["elsewhere"] = True


def _look_into(room: OpenConversation, heard: str) -> None:
    """Have the page Understanding opened with something that was said, and the day on which it was."""
    said = _see(room).entry(int(heard)) if heard.isdecimal() else None
    if said is not None and isinstance(said.event, Heard):
        day = said.at.astimezone().date()
        query = {"catalog": room.catalog, "sentence": said.event.text, "day": day.isoformat()}
        st.session_state.update(go_on=("understanding", query), elsewhere=True)


def _status(seen: SnapshotView) -> str:
    if seen.snapshot.busy:
        return chat.under_way(seen)
    plan = seen.conversation.plan
    pending = seen.conversation.questions.pending
    steps = f"Plan {plan.plan_id}, step {plan.done + 1} of {len(plan.plan.steps)}. " if plan else ""
    last = seen.conversation.messages.all[-1] if seen.conversation.messages.all else None
    said = seen.text(last.text) if last else ""
    return f"{steps}{'A question for you: ' if pending else ''}{said}"


PANELS = {
    "plan": "Current plan",
    "plans": "All plans",
    "summary": "Summary",
    "facts": "Facts",
    "goals": "Goals",
    "what-if": "What if?",
}

OnAct = Callable[[Mapping[str, Any]], None]


def draw_inspector(
    seen: SnapshotView,
    now: SnapshotView,
    on_act: OnAct,
    on_select: Callable[[Selection], None],
    above: list[Node] | None = None,
) -> None:
    """Draw the panel that is chosen as of a moment, the time line that moves it, and the card of what is selected."""
    panel = choose("Panel", PANELS, "plan", key="panel")
    if now.snapshot.session_id:
        draw("moments", moments(seen, now), on_act)
    with st.container(key="panel-box", gap="small"):
        if panel == "plan":
            draw("above", above or [])
            _current_plan(seen, on_act, on_select)
        elif panel == "what-if":
            draw_what_if(now, seen.at)
        elif panel == "summary":
            items = result_of(services().analyses.summary(seen.snapshot), "summary", "Summing up")
            if items is not None:
                draw("panel-summary", panels.summary(seen, items), on_act)
                panels.offer_letter(seen)
        else:
            lists: dict[str, Callable[[SnapshotView, int], list[Node]]] = {
                "plans": timeline,
                "facts": lambda seen, _: panels.facts(seen),
                "goals": panels.goals,
            }
            draw(f"panel-{panel}", lists[panel or "plans"](seen, long_lists.shown(panel or "plans")), on_act)
    if seen.chosen is not None:
        with st.container(key="drill-box"):
            draw_drill_down(seen, on_act)


def moments(seen: SnapshotView, now: SnapshotView) -> list[Node]:
    """Draw the time line of a conversation: a slider over its entries, and the entry that is looked back to."""
    at, last = seen.conversation.seq, now.conversation.seq
    shown = f"entry {at} of {last}" if seen.at is not None else f"now, entry {last}"
    line = slider("Time line", shown, (1, last, 1), at, act={"do": "moment"}, cls="flat")
    entry = seen.entry(seen.at)
    if entry is None:
        return [line]
    back = button("inline", "Back to now", act={"do": "moment"})
    words = f"All as it was at {entry.at.astimezone():%H:%M:%S}: {say_event(seen, entry)}"
    return [line, hint(icon(event_icon(entry)), el("span", "what", words, title=words), " ", back)]


def _way(go: str, picture: str, title: str, words: str) -> Node:
    return button("way", icon(picture), el("strong", "", title), el("small", "", words), act={"do": "go", "what": go})


WELCOME: list[Node] = [
    el(
        "div",
        "welcome",
        el("h2", "", "See what an assistant does, and why"),
        el(
            "p",
            "",
            "Planglass plans each conversation as it goes, and shows every step, where each value comes from, and what "
            "it is needed for.",
        ),
        _way("tour", "eye", "Take the tour", "Three minutes that play by themselves. Nothing needs to be typed."),
        _way("talk", "ask", "Talk", "Say what you want, or press a suggestion. The plan for it is drawn here."),
        _way(
            "own",
            "map",
            "Build your own",
            "An assistant is one file: facts, skills and goals. See how this one is made.",
        ),
    )
]
"""What the first screen says, before anything is said: what this is, and three ways on."""

_OUT_OF_REACH = "No combination of skills and questions reaches the goal from here."
_TOO_DEAR = "There is a way to the goal, but it takes more money than may be spent."


def say_no_plan(record: PlanRecord) -> str:
    """Say why there is no plan, and where to read on."""
    if record.plan.missing.over_budget is not None:
        return f"{_TOO_DEAR} The chat says what would help."
    return f"{_OUT_OF_REACH} The chat says what is missing."


def _current_plan(seen: SnapshotView, on_act: OnAct, on_select: Callable[[Selection], None]) -> None:
    plans = seen.conversation.plans.all
    record = seen.conversation.plan or max(plans, key=lambda plan: plan.ended or plan.began, default=None)
    if record is None:
        begun = any(message.sender == "user" for message in seen.conversation.messages.all)
        words = "As soon as you ask for something, the plan for it is drawn here, step by step."
        told = [
            problem(f"{Path(file).name} cannot be served. Page Catalog says why.") for file in services().library.broken
        ]
        draw("plan-empty", [empty("next", "No plan yet", words)] if begun else [*WELCOME, *told], on_act)
        with st.container(horizontal=True, horizontal_alignment="center"):
            st.page_link(page_file("tasks"), label=MORE_THAN_ONE, icon=":material/task_alt:")
        return
    if not record.plan.steps:
        draw("plan-empty", [empty("problem", "There is no plan", say_no_plan(record))])
        return
    views = view_steps(seen.catalog, seen.conversation, record)
    heading = f"Plan {record.plan_id} for “{goals_title(seen, record)}”"
    how_far = outcome_of_plan(seen.catalog, seen.conversation, record)
    how_far = how_far or f"step {min(record.done + 1, len(views))} of {len(views)}"
    draw(
        "plan-head",
        [
            hint(el("strong", "", seen.text(heading)), f", {how_far}"),
            step_buttons(views, seen.chosen, "Steps of the plan"),
        ],
        on_act,
    )
    room = _TALL if seen.chosen is None else _TALL_WITH_DETAILS
    draw_plan_graph(seen, record, "plan-graph", on_select, tallest=room)
    draw("legend", [legend()])
    if record.status == "current":
        needs = result_of(services().analyses.needs(seen.snapshot), "needs", "Looking ahead")
        if needs is not None:
            draw("needs", needs_list(seen.catalog, needs), on_act)
        with st.expander("How many more questions?", key="how-many", on_change="rerun") as opened:
            if opened.open and (found := result_of(services().forecast(seen.snapshot), "forecast", "Looking ahead")):
                draw("forecast", [hint(tell_forecast(found))])


def legend() -> Node:
    kinds = (
        ("ask", "asks you"),
        ("authorize", "asks your consent"),
        ("confirm", "asks you to confirm"),
        ("skill", "runs a skill"),
        ("map", "uses one fact as another"),
    )
    return el(
        "p",
        "legend",
        [el("span", f"key {kind}", icon(kind), words) for kind, words in kinds],
        el("span", "key", el("span", "dash"), "later"),
    )
