"""The five walks on the demos: everything that gets into a log on the way, and every answer that it then gives.

They are those of `benchmarks/structure/walks.py`, longer, and on more demos. Each goes through the doors that pages and
commands use, with a clock that stands still, and without the time limits that cut something off on a slow machine.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, chdir, closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from benchmarks.structure.walks import _LIMITS as LIMITS
from benchmarks.structure.walks import FAR_S, LINE, PRINTED, PROGRAMS, ROOM_SAID, SAID
from catalog.demos.banking.personas import ANN
from catalog.load.demo_files import DEMOS, TASK_DEMOS
from catalog.values.documents import file_value
from dialogue.agents.learning.learner import Learner
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from dialogue.agents.terminal.advisers import make_advisers
from dialogue.agents.terminal.calls import TERMINAL_LEARNER
from dialogue.agents.terminal.session import ShellParticipants, TerminalSession
from dialogue.agents.terminal.sessions import KeptSession, read_session
from dialogue.agents.terminal.wrapper import look_around
from dialogue.cli.shell import ShellLearning
from dialogue.log.stores import embedded_url, open_store
from dialogue.services import Services, Snapshot, Upload, make_services
from dialogue.services.tasks import tools
from dialogue.services.tasks.conversation_desk import settle
from dialogue.tasks.running.manager import Tools
from explain.model import Question, QuestionKind
from explain.rooms import answer_about_room
from explain.rooms.record import RoomQuestion, RoomQuestionKind
from explain.tasks import TaskQuestion, TaskQuestionKind, figures_of
from pages.demo.page import SCRIPTS
from planning.hierarchy.files.load import load_task
from tests.kept import LEARNED
from tests.net import normal
from tests.net.normal import Entry
from tests.net.recordings import Line, line

TODAY = date(2026, 11, 21)
AT = datetime(2026, 11, 21, 12, tzinfo=UTC)
_SAMPLES = DEMOS["banking"].parent / "samples"


@dataclass(frozen=True)
class Said:
    """What is said to an assistant, or happens (`alert`); `upload` names a sample picture."""

    say: str = ""
    upload: str = ""
    alert: str = ""


@dataclass(frozen=True)
class Talk:
    """A conversation with an assistant. `moments`: after how many steps everything is asked about, besides the end."""

    catalog: str
    steps: Sequence[Said]
    choices: Mapping[str, str] = field(default_factory=dict)
    moments: Sequence[int] = ()


@contextmanager
def at_home() -> Iterator[Path]:
    """Yield a data directory of its own, in which what is learned of catalogs is there already.

    Nothing is cut off by a limit of time; of a task one call is made at a time, since several end in any order.
    """
    with ExitStack() as stack:
        home = Path(stack.enter_context(TemporaryDirectory()))
        stack.callback(time.tzset)
        stack.enter_context(patch.dict(os.environ, PLANGLASS_HOME=str(home), PLANGLASS_CACHE=str(LEARNED), TZ="UTC"))
        time.tzset()  # some moments are shown by the clock on the wall
        for module, name in LIMITS:
            stack.enter_context(patch.object(import_module(module), name, FAR_S))
        stack.enter_context(patch.object(tools, "Tools", partial(Tools, parallel=1)))
        yield home


def open_services(home: Path) -> Services:
    return make_services(home, today=TODAY, clock=lambda: AT)


# conversations


def talk(name: str, told: Talk, home: Path) -> Iterator[Line]:
    """Have a conversation; record its stream, and all explanations at the moments that are wanted."""
    with closing(open_services(home)) as services:
        session = services.start(told.catalog, dict(told.choices))
        for number, step in enumerate(told.steps, start=1):
            hear(services, session, step)
            if number in told.moments and number < len(told.steps):
                yield line(f"{name} / asked after step {number}", explained(services, services.snapshot(session)))
        seen = services.snapshot(session)
        yield line(name, normal.stream(seen.log, home, seen.words_of))
        yield line(f"{name} / asked at the end", explained(services, seen))
        for row in services.tasks.rows():
            log = services.tasks.view(row.id).log
            yield line(f"{name} / task {row.title}", normal.stream(log, home))


def hear(services: Services, session: str, step: Said) -> None:
    if step.alert:
        services.alert(session, step.alert)
    else:
        files = [Upload(step.upload, "image/png", (_SAMPLES / step.upload).read_bytes())] if step.upload else []
        services.say(session, step.say, files)
    assert settle(services, session, FAR_S), f"{step} did not end"


def explained(services: Services, seen: Snapshot) -> Iterator[Entry]:
    """Put every kind of question about every fact, skill and agent there is, and about the goal."""
    catalog = seen.catalog
    for kind in QuestionKind:
        subjects: list[dict[str, Any]] = [{}, *({"fact": fact} for fact in catalog.facts)]
        subjects += [{"skill": skill} for skill in catalog.skills]
        subjects += [{"fact": fact, "full": True} for fact in catalog.facts if kind in _IN_FULL]
        for subject in subjects:
            told = services.analyses.explanation(seen, Question(kind, **subject)).result()
            shown = [[one.text(), list(one.evidence)] for one in told.sentences]
            hidden = [one.text(reveal=True) for one in told.sentences]
            asked = " ".join((kind.value, *map(str, subject.values())))
            entry: Entry = {"asks": asked, "says": shown}
            if hidden != [text for text, _ in shown]:
                entry["revealed"] = hidden
            for name, more in (("links", told.links), ("coming", told.coming), ("facts", told.facts)):
                if more:
                    entry[name] = [list(one) if isinstance(one, tuple) else one for one in more]
            yield normal.alike(entry)


_IN_FULL = (QuestionKind.HOW, QuestionKind.WHY)


# rooms


@dataclass(frozen=True)
class InRoom:
    """What somebody says in a room: to everybody or to some, in private, or as a question about the room itself."""

    who: str
    say: str
    to: Sequence[str] = ()
    private: bool | None = None
    ask: bool = False


def room(name: str, told: Sequence[InRoom], home: Path) -> Iterator[Line]:
    """Talk in a room; record its stream, what each may see of it, and all answers about it."""
    with closing(open_services(home)) as services:
        room_id = talk_in_room(services, told)
        people = dict.fromkeys(one.who for one in told)
        yield line(name, normal.stream(services.rooms.view(room_id).log, home))
        for viewer in (None, *people):
            yield line(f"{name} / asked by {viewer or 'nobody'}", answered(services, room_id, viewer))
        entries: list[Entry] = [{"text": one} for one in services.rooms.export_fipa(room_id).splitlines()]
        yield line(f"{name} / told in FIPA ACL", normal.alike(entries))


def talk_in_room(services: Services, told: Sequence[InRoom]) -> str:
    """Have people join a room under the norms of finch, and talk there; the last of them leaves. Return its id."""
    rooms = services.rooms
    room_id = rooms.open("finch")
    assert rooms.wait(room_id, FAR_S)  # the mediator greets, before or after who joins meanwhile
    people = list(dict.fromkeys(one.who for one in told))
    for who in people:
        rooms.join(room_id, who)
        assert rooms.wait(room_id, FAR_S)
    for one in told:
        if not (one.ask and rooms.ask(room_id, one.who, one.say)):
            rooms.say(room_id, one.who, one.say, receivers=one.to, private=one.private)
        assert rooms.wait(room_id, FAR_S), f"{one} did not end"
    rooms.leave(room_id, people[-1])
    assert rooms.wait(room_id, FAR_S)
    return room_id


def answered(services: Services, room_id: str, viewer: str | None) -> Iterator[Entry]:
    """Put every kind of question about every participant and every message of a room."""
    record = services.rooms.record(room_id, viewer)
    subjects: list[dict[str, Any]] = [{}, *({"participant": party.name} for party in record.parties)]
    subjects += [{"entry": entry.event} for entry in record.entries]
    for kind in RoomQuestionKind:
        for subject in subjects:
            told = answer_about_room(record, RoomQuestion(kind, asker=viewer, **subject))
            asked = " ".join((kind.value, *map(str, subject.values())))
            yield normal.alike({"asks": asked, "says": [[one.text(), list(one.evidence)] for one in told.sentences]})


# tasks


Act = Callable[[Services, str], None]


def task(name: str, acts: Sequence[Act], home: Path) -> Iterator[Line]:
    """Hand a task over, and do to it what is given; record its stream, and all answers at its stops and its end."""
    with closing(open_services(home)) as services:
        task_id = give(services, name)
        for number, act in enumerate(acts, start=1):
            yield line(f"task {name} / asked at stop {number}", told_of(services, task_id))
            act(services, task_id)
            assert services.tasks.wait(task_id, FAR_S)
        yield line(f"task {name}", normal.stream(services.tasks.view(task_id).log, home))
        yield line(f"task {name} / asked at the end", told_of(services, task_id))


def give(services: Services, name: str) -> str:
    """Hand a task of the demo of reports over; return its id once it waits, or is over."""
    task_id = services.tasks.give(load_task(str(TASK_DEMOS[name]), services.loaded("reports")))
    assert services.tasks.wait(task_id, FAR_S)
    return task_id


def told_of(services: Services, task_id: str) -> Iterator[Entry]:
    """Put every kind of question about every stage, result, figure and criterion of a task."""
    record = services.tasks.record(task_id)
    root = record.tree.root.description
    for kind in TaskQuestionKind:
        subjects: list[dict[str, Any]] = [{}]
        if kind is TaskQuestionKind.HOW:
            subjects += [{"fact": fact} for fact in root.facts]
            subjects += [{"fact": fact, "figure": one} for fact in root.facts for one in figures_of(record, fact)]
        elif kind in (TaskQuestionKind.WHY_UNMET, TaskQuestionKind.WHO_JUDGED):
            subjects += [{"criterion": number} for number in range(1, len(root.criteria) + 1)]
        else:
            subjects += [{"stage": stage} for stage in record.tree.hypotheses]
        for subject in subjects:
            told = services.tasks.explain(task_id, TaskQuestion(kind, **subject))
            asked = " ".join((kind.value, *map(str, subject.values())))
            yield normal.alike({"asks": asked, "says": [[one.text(), list(one.evidence)] for one in told.sentences]})


def supply_staff(services: Services, task_id: str) -> None:
    """Hand over the staff list, for want of which the board pack stops."""
    data = (TASK_DEMOS["board_pack"].parent.parent / "data" / _STAFF).read_bytes()
    services.tasks.hand_over(task_id, "staff_list", file_value(_STAFF, data), {_STAFF: data})


def judge(services: Services, task_id: str) -> None:
    """Say of each criterion that people judge that it is met."""
    task = services.tasks.view(task_id).task
    for number, criterion in enumerate(task.description.criteria, start=1):
        if criterion.judge is not None:
            services.tasks.judge(task_id, number, met=True, found="It does.")


_STAFF = "staff_2025_q3.csv"


# the shell


def shell(name: str, orchestrator: str, lines: Sequence[tuple[str, str, int]], home: Path) -> Iterator[Line]:
    """Type lines in the shell, as the relay tells of them: before they run, and after they have ended."""
    programs, folder = home / "programs", home / "folder"
    for path in (programs, folder):
        path.mkdir()
    for program in PROGRAMS:
        (programs / program).touch(mode=0o755)
    (folder / "notes.txt").write_text("b\na\n", encoding="utf-8")
    clock = lambda: AT  # noqa: E731
    advisers = make_advisers({"PATH": str(programs)}, folder=home)
    advisers.warm()
    agents = tuple(replace(agent, limit_s=FAR_S, execute_s=FAR_S) for agent in advisers.declared)
    chooses = ORCHESTRATORS[orchestrator](OrchestratorOptions())
    replied: dict[int, threading.Event] = {number: threading.Event() for number in range(1, 2 * len(lines) + 1)}
    with chdir(folder), closing(open_store(embedded_url(home))) as store:
        session = TerminalSession(
            ShellParticipants(agents, chooses),
            ShellLearning(chooses, "", Learner(TERMINAL_LEARNER, store, clock, home), "walked"),
            KeptSession("walked", store, clock),
            reply=lambda number, _: replied[number].set(),
            surroundings=partial(look_around, os.getpid(), "bash"),
            shell="bash",
            edits=True,
        )
        number = 0
        for typed, printed, code in lines:
            session.before(number + 1, typed, None, known=True)
            assert replied[number + 1].wait(60)
            session.after(number + 2, typed, printed, code)
            assert replied[number + 2].wait(60)
            session.shown(number + 2)
            number += 2
        session.close(0)
        log = read_session(store, "walked")
    yield line(name, normal.stream(log, home))


# the list of all


def _of_a_script(name: str) -> Talk:
    script = SCRIPTS[name]
    steps = [Said(one.say, one.upload, one.alert) for one in script.lines]
    return Talk(script.catalog, steps, script.choices, moments=(2, len(steps) // 2))


_LOAN = (SAID, ANN.customer.email, "why do you need that?", "yes", ANN.ssn, "no thanks", "why was it approved?")
TALKS: Mapping[str, Talk] = {
    "banking, the first utterance": Talk("banking", [Said(SAID)]),
    "banking, a loan": Talk("banking", [*map(Said, _LOAN)], moments=(3,)),
    "banking, with agents": Talk("banking", [*map(Said, _LOAN[:2])], {"orchestrator": "max"}),
    "accounting, questions of rules": Talk(
        "accounting", [Said("sales from May to March 2024"), Said("from March to May"), Said("why in this order?")]
    ),
    "reports, a task in a conversation": Talk("reports", [Said("prepare the board pack"), Said("how far is it?")]),
    **{f"demo {name}": _of_a_script(name) for name in SCRIPTS},
}
ROOMS: Mapping[str, Sequence[InRoom]] = {
    "finch, a simulation": [
        InRoom("Ana", "Hello!"),
        InRoom("Ana", ROOM_SAID),
        InRoom("Ana", "why didn't CD answer?", ask=True),
    ],
    "finch, two people": [
        InRoom("Ana", "Hello!"),
        InRoom("Ana", "What is a CD?"),
        InRoom("Ben", "How much would 5000 reais become in two years?"),
        InRoom("Ana", "@TB is that safe?"),
        InRoom("Ben", "I keep this between us", to=("Ana",), private=True),
        InRoom("Ben", "who may speak now?", ask=True),
        InRoom("Ana", "what was denied?", ask=True),
        InRoom("Ana", "I would like to invest in 3 years"),
        InRoom("Ana", "4000"),
        InRoom("Ben", "Thanks!"),
    ],
}
TASKS: Mapping[str, Sequence[Act]] = {
    "board_pack": (supply_staff, judge),
    "branches": (),
    "orders_report": (judge,),
}
SHELL = (
    (LINE, PRINTED, 1),
    ("sort notes.txt", "a\nb\n", 0),
    ("cat note.txt", "cat: note.txt: No such file or directory", 1),
    ("grep", "Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.", 2),
)
IN_EVERY_RUN = (
    "banking, the first utterance",
    "banking, with agents",
    "room finch, a simulation",
    "task orders_report",
    "shell, max",
)
WALKS: Mapping[str, Callable[[Path], Iterable[Line]]] = {
    **{name: partial(talk, name, told) for name, told in TALKS.items()},
    **{f"room {name}": partial(room, f"room {name}", told) for name, told in ROOMS.items()},
    **{f"task {name}": partial(task, name, acts) for name, acts in TASKS.items()},
    **{f"shell, {name}": partial(shell, f"shell, {name}", name, SHELL) for name in ("max", "s3")},
}


def record(name: str) -> list[Line]:
    """Walk one walk in a data directory of its own."""
    with at_home() as home:
        return list(WALKS[name](home))
