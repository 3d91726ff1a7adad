"""Demo: conversations that play by themselves; whose turn it is, and when, follows from the log alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import streamlit as st

from catalog.demos.banking.personas import ANN, EVA
from dialogue.log.events import Heard
from dialogue.services import UnknownCatalog, UnknownSession
from pages.assistant.workbench import Room, draw_workbench, say
from pages.shell import address
from pages.shell.frame import bar, missing_session
from pages.shell.root import services
from pages.shell.sheet import draw, el, icon
from pages.views import media
from pages.views.seen import Seen


@dataclass(frozen=True, slots=True)
class Line:
    """The next utterance, and what to watch for after it; `upload` names a sample picture."""

    say: str
    watch: str
    upload: str = ""
    ahead: str = ""
    """Shown before the line is said, where the line itself would reveal what is masked afterwards."""


@dataclass(frozen=True, slots=True)
class Script:
    """A conversation to be played, with the catalog it is for."""

    title: str
    catalog: str
    lines: tuple[Line, ...]


_SSN = "the social security number"

SCRIPTS: dict[str, Script] = {
    "loan": Script(
        "A loan, as in the paper",
        "banking",
        (
            Line(
                "Hi, I'd like a loan",
                "Plan 1 has one step: ask for the decision. The planner only learns on trying that you cannot be asked "
                "for that; the step is taken out, and plan 2 gathers what the bank needs.",
            ),
            Line(
                f"It's {ANN.customer.email}, and I want to borrow $12,000",
                "One answer, two facts: the amount was not asked for yet, is kept, and will not be asked for again.",
            ),
            Line(
                "yes, go ahead",
                "The social security number is sensitive: consent is a step of the plan, and names what goes where.",
            ),
            Line(
                "why do you need that?",
                "Asking why in the middle of it: the answer follows the plan forward to the goal.",
            ),
            Line(
                ANN.ssn,
                "Three skills run, one after the other. The number itself stays masked everywhere.",
                ahead=_SSN,
            ),
            Line("no thanks", "The catalog declares a credit card as an extension of a loan; it was offered, once."),
            Line("what did you do?", "A summary from the landmarks: what every way to the goal had to pass through."),
            Line("how did you get my credit score?", "How walks back: which skill, from which facts, and those again."),
            Line("why did you need my address?", "Why walks forward: who used the address, on the way to what."),
            Line(
                "why was my loan approved?",
                "The skill's own attribution names the heaviest input; where that came from is told in turn.",
            ),
        ),
    ),
    "digression": Script(
        "A digression, and back",
        "banking",
        (
            Line("I want a loan", "The loan is put on the goal stack, and a plan is made for it."),
            Line(
                "Actually, I'd like a credit card first",
                "A second goal goes on top of the stack (see Goals). The loan waits below.",
            ),
            Line(ANN.customer.email, "The same fact serves both goals; it is asked for once."),
            Line("yes", "Consent, once for each skill."),
            Line(ANN.ssn, "The card is decided. The assistant falls back to the loan, and says so.", ahead=_SSN),
            Line("show me my spending", "Another digression; the chart is drawn into the chat, and the loan resumed."),
            Line("12k", "What was found out for the card is not asked for again: the loan is nearly done."),
            Line("what did you do?", "The summary is for the goal that ended last."),
        ),
    ),
    "picture": Script(
        "No record, so a picture",
        "banking",
        (
            Line("I want a loan of $14,000", "The shortest plan looks the customer up by e-mail."),
            Line(
                EVA.customer.email,
                "The bank has no record under that address: the outcome was not the planned one, the plan is dropped "
                "with its reason, and the address may be given again.",
            ),
            Line("eva.lindqvist@example.com", "A second miss uses up the tries: that way is never planned again."),
            Line("I don't know", "No account number either: the question is taken out, and another way is found."),
            Line(
                "",
                "A real OCR engine reads name, address and birth date off the card.",
                EVA.picture or "",
                "a picture of an ID card",
            ),
            Line("purple", "An answer that makes no sense is asked for again, with the reason."),
            Line("71k", "Amounts are understood as people write them."),
            Line("yes", "Consent for the credit check."),
            Line(EVA.ssn, "The decision is made from what the picture, the bureau and the user gave.", ahead=_SSN),
        ),
    ),
}
"""The scripts by the names that stand in addresses."""


SPEEDS = {"Slow": 0.5, "Normal": 1.0, "Fast": 3.0, "At once": 1000.0}
_PAUSE_S = 1.6
_READING_S = 0.028
_LONGEST_PAUSE_S = 7.0


def _enter(session_id: str) -> None:
    chosen = st.query_params.get("script")
    address.go_to(session_id)
    st.session_state["demo_id"] = session_id
    if chosen:
        st.query_params["script"] = chosen


def _choose() -> None:
    address.go_to(None)
    st.session_state.pop("demo_id", None)
    st.session_state["demo_playing"] = False
    st.query_params["script"] = st.session_state["demo_script"]


def _session() -> str | None:
    given: str | None = st.query_params.get("session")
    if given is None and (kept := st.session_state.get("demo_id")):
        st.query_params["session"] = given = kept
    if given:
        st.session_state["demo_id"] = st.session_state["session_id"] = given
    return given


def main() -> None:
    """Draw the page."""
    session_id = _session()
    if session_id is not None:
        try:
            services().snapshot(session_id)
        except (UnknownSession, UnknownCatalog) as trouble:
            missing_session(trouble)
            return
    names = list(SCRIPTS)
    now = script()
    with st.container(horizontal=True, key="bar", vertical_alignment="center", gap="small"):
        bar("Demo", now.title)
        st.selectbox(
            "Script",
            names,
            index=next((i for i, name in enumerate(names) if SCRIPTS[name] is now), 0),
            format_func=lambda name: SCRIPTS[name].title,
            key="demo_script",
            on_change=_choose,
            label_visibility="collapsed",
            width=260,
        )
    draw_workbench(
        Room(now.catalog, session_id, _enter, draw_controls, tick, is_over),
        ticking=is_playing(),
    )


def script() -> Script:
    """Return the script that is chosen in the address, else the first."""
    return SCRIPTS.get(st.query_params.get("script", ""), next(iter(SCRIPTS.values())))


def position(seen: Seen) -> int:
    """Count the lines that have been said."""
    return sum(isinstance(entry.event, Heard) for entry in seen.snapshot.log)


def is_over(seen: Seen) -> bool:
    """Return whether every line has been said."""
    return position(seen) >= len(script().lines)


def is_playing() -> bool:
    """Return whether the script plays by itself."""
    return bool(st.session_state.get("demo_playing", False))


def tick(room: Room, seen: Seen) -> bool:
    """Say the next line if it is time for it; tell whether it was said."""
    lines, at = script().lines, position(seen)
    if not is_playing() or seen.snapshot.busy:
        return False
    if at >= len(lines):
        st.session_state["demo_playing"] = False
        st.session_state["elsewhere"] = True
        return True
    if seen.snapshot.log and _waited(seen) < _pause(seen):
        return False
    _say(room, lines[at], at, seen)
    return True


def _waited(seen: Seen) -> float:
    return (datetime.now(UTC) - seen.snapshot.log[-1].at).total_seconds()


def _pause(seen: Seen) -> float:
    messages = seen.conversation.messages.all
    reading = _PAUSE_S + _READING_S * len(messages[-1].text if messages else "")
    return min(reading, _LONGEST_PAUSE_S) / SPEEDS[st.session_state.get("demo_speed") or "Normal"]


def _say(room: Room, line: Line, at: int, seen: Seen) -> None:
    uploads = [media.sample_upload(room.catalog, line.upload)] if line.upload else []
    say(room, line.say, uploads, command_id=f"line-{at}", drawn=seen.conversation.seq)


def draw_controls(room: Room, seen: Seen) -> None:
    """Draw play, step, restart and speed, how far the script has got, and what to watch for."""
    lines, at = script().lines, position(seen)
    over, playing = at >= len(lines), is_playing()
    with st.container(horizontal=True, key="controls", vertical_alignment="center", gap="small"):
        st.button(
            "Pause" if playing else "Play",
            icon=":material/pause:" if playing else ":material/play_arrow:",
            type="primary",
            disabled=over,
            key="demo-play",
            on_click=_toggle,
        )
        st.button(
            "Step",
            icon=":material/skip_next:",
            disabled=over or playing or seen.snapshot.busy,
            key="demo-step",
            on_click=_say if not over else None,
            args=(room, lines[at], at, seen) if not over else None,
        )
        st.button("Restart", icon=":material/replay:", key="demo-restart", disabled=at == 0, on_click=_restart)
        st.segmented_control(
            "Speed",
            list(SPEEDS),
            default="Normal",
            required=True,
            key="demo_speed",
            label_visibility="collapsed",
            persist_state="session",
        )
    watch = lines[at - 1].watch if at else "Press Play: the conversation runs by itself, and nothing needs to be typed."
    coming = "" if over else f"Next: {lines[at].ahead or f'“{lines[at].say}”'}"
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
                    el("p", "muted", "The end. Now ask something yourself." if over else coming),
                ),
                el("span", "count", f"{min(at, len(lines))} of {len(lines)}"),
            ),
            el("div", "meter", el("span", "", vars={"--done": f"{100 * at / len(lines):.0f}%"}), aria_hidden="true"),
        ],
    )


def _toggle() -> None:
    st.session_state["demo_playing"] = not is_playing()
    st.session_state["elsewhere"] = True


def _restart() -> None:
    chosen = st.query_params.get("script")
    address.go_to(None)
    st.session_state.pop("demo_id", None)
    st.session_state["demo_playing"] = False
    st.session_state["elsewhere"] = True
    if chosen:
        st.query_params["script"] = chosen


if __name__ == "__main__":
    main()
