"""Tasks in conversations: what is said about them there, what they are given, and how news of them get back."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from pydantic import JsonValue

from catalog.load.demo_files import DEMOS, TASK_DEMOS
from catalog.model.loaded import Loaded
from catalog.problems import CatalogError
from catalog.skills import File, SkillInput
from catalog.skills.protocol import load_files
from dialogue.context import TurnContext, TurnGuest
from dialogue.log import events
from dialogue.log.stores import Store, StoreFailed, UnknownStream
from dialogue.log.stores.protocol import StreamId
from dialogue.moves.tasks import ask_for_task, steer
from dialogue.services.tasks.services import TaskServices
from dialogue.services.tasks.views import AnsweredBefore, TaskView
from dialogue.state.tasks import ConversationTask
from dialogue.tasks.inputs import Supplied
from dialogue.tasks.reporting.progress import progress_of
from dialogue.tasks.reporting.report import write_report
from dialogue.turn import Session
from explain.tasks import TaskQuestion as Asked
from explain.tasks import TaskQuestionKind, figures_of
from language.acts.task_talk import find_named, read_task_talk
from language.interpretation import Interpretation, TaskAct, TaskTalk
from language.languages import Language
from language.responses.tasks.refusals import is_answered
from language.responses.tasks.report import MissingReport
from planning.engines import ENGINES
from planning.hierarchy.description import DescriptionPart, Input, ResultDocument, TaskFile
from planning.hierarchy.files.load import LoadedTask, load_task
from planning.hierarchy.search import Search, SearchBounds, find_inputs_in_stages

if TYPE_CHECKING:
    from dialogue.services.services import Services

_TASKS = UUID("6f1a6c0e-3d53-4b7e-9d36-0a54d6c8b0f1")
_SEARCH_S = 5.0
_log = logging.getLogger(__name__)


def task_id_of(session_id: str, number: int) -> str:
    """Return the id of a task of a conversation: the same whenever it is worked out."""
    return uuid5(_TASKS, f"{session_id}/{number}").hex


class TaskGuest(TurnGuest):
    """The tasks of one conversation: it gives them to the task manager, and asks about them."""

    def __init__(self, services: Services, store: Store, session_id: str, loaded: Loaded, name: str) -> None:
        self._services, self._store, self._loaded, self._name = services, store, loaded, name
        self._session_id = session_id
        self._inputs: dict[tuple[str, ...], tuple[str, ...] | None] = {}

    def claim(self, turn: TurnContext, entry: events.Entry) -> Interpretation | None:
        """Read what is said about a task that there is."""
        if not isinstance(entry.event, events.Heard) or entry.event.attachments:
            return None
        read = read_task_talk(entry.event.text)
        talk = None if read is None else self._about(turn, *read)
        return None if talk is None else Interpretation(task=talk)

    def answer(self, turn: TurnContext, heard: int, meaning: Interpretation) -> bool:
        """Answer what is said about a task, or write it down for the task manager."""
        talk, words = meaning.task, turn.language.tasks
        match talk:
            case None:
                return False
            case TaskTalk(act=TaskAct.RUN):
                title = self._ready_made().get(talk.file, talk.file)
                number = len(turn.conversation.tasks.all) + 1
                turn.journal.add(events.TaskBegun(task=number, label=words.named(title), text=title, file=talk.file))
                turn.reply(words.begun(title))
            case TaskTalk(act=TaskAct.LIST):
                open_now = [one.label for one in turn.conversation.tasks.open]
                others = [title for title in self._elsewhere().values() if title not in open_now][:5]
                ready = [name.replace("_", " ") for name in self._ready()]
                turn.reply(words.list_of([*open_now, *others], ready))
            case TaskTalk(act=TaskAct.PAUSE | TaskAct.CANCEL | TaskAct.GO_ON | TaskAct.WITHOUT) if talk.task:
                steer(turn, heard, talk.act, turn.conversation.tasks.of(talk.task))
            case _:
                told = self._tell(talk)
                turn.reply(words.deleted("That") if told is None else told)
        return True

    def finish(self, turn: TurnContext, heard: int) -> None:
        """Deliver what was written down for the task manager, once each also after a crash; ask what it asks."""
        for seq in turn.conversation.tasks.outgoing:
            outgoing = turn.journal.entry(seq).event
            assert isinstance(outgoing, events.TaskBegun | events.TaskSupplied)
            with turn.journal.lock:
                turn.journal.flush()
            refused, late = "", False
            try:
                late = not self._deliver(outgoing)
            except ValueError as error:
                refused = str(error)
            with turn.journal.lock:
                turn.journal.add(events.TaskDelivered(of=seq, refused=refused))
                if refused:
                    turn.reply(turn.language.tasks.not_taken(refused), "problem")
                elif late:
                    turn.reply(turn.language.tasks.late())
        with turn.journal.lock:
            ask_for_task(turn)

    # what is said about tasks

    def _about(self, turn: TurnContext, act: TaskAct, name: str) -> TaskTalk | None:
        now = turn.conversation
        mine = tuple(reversed(now.tasks.all))
        if act is TaskAct.RUN:
            ready = self._ready_made()
            place = find_named(name, (f"{file} {title}" for file, title in ready.items()))
            return None if place is None else TaskTalk(act=act, file=list(ready)[place])
        if act is TaskAct.LIST:
            return TaskTalk(act=act) if mine or self._ready() or self._elsewhere() else None
        if act is TaskAct.HOW:
            return self._result_of(turn, name, mine)
        if name:
            return self._named(act, name, mine)
        pending = now.questions.pending
        own = now.goal is not None or (pending is not None and pending.asked.task is None)
        if not mine or (own and act is not TaskAct.STATUS):
            return None
        fitting = {
            TaskAct.PAUSE: [one for one in mine if not one.over and one.status != "paused"],
            TaskAct.CANCEL: [one for one in mine if not one.over],
            TaskAct.GO_ON: [one for one in mine if one.status in ("paused", "stopped")],
            TaskAct.WITHOUT: [one for one in mine if one.questions and not one.over],
        }.get(act, [one for one in mine if not one.over] or [*mine])
        return TaskTalk(act=act, task=fitting[0].number) if fitting else None

    def _named(self, act: TaskAct, name: str, mine: Sequence[ConversationTask]) -> TaskTalk | None:
        """Find the task of a name: one of this conversation that is open, else one that is over, else another one."""
        for one in sorted(mine, key=lambda one: one.over):
            if find_named(name, [f"{one.label} {one.goal} {one.file}"]) is not None:
                return TaskTalk(act=act, task=one.number)
        others = self._elsewhere()
        found = next((one for one, title in others.items() if find_named(name, [title]) is not None), None)
        return None if found is None else TaskTalk(act=act, id=found)

    def _result_of(self, turn: TurnContext, name: str, mine: Sequence[ConversationTask]) -> TaskTalk | None:
        """Find the task that a result, or a figure in one, is of; what the conversation itself knows is not meant."""
        known = (turn.catalog.facts[fact].label for fact in turn.conversation.facts.known if fact in turn.catalog.facts)
        if not mine or any(find_named(name, [label]) is not None for label in known):
            return None
        found = ((one, self._find_result(one.number, name)) for one in mine if one.status != "deleted")
        of = next(((one, there) for one, there in found if there is not None), None)
        return None if of is None else TaskTalk(act=TaskAct.HOW, task=of[0].number, fact=of[1][0], figure=of[1][1])

    # the task manager

    @property
    def _tasks(self) -> TaskServices:
        return self._services.tasks

    def find_inputs(self, results: Sequence[str]) -> tuple[str, ...] | None:
        """List what people hand over for facts that can be had in stages, and only so; None for all others."""
        wanted = tuple(results)
        if wanted not in self._inputs:
            settings = self._services.settings
            bounds = SearchBounds(seconds=_SEARCH_S, plan=settings.search_limits)
            search = Search(self._loaded.catalog, bounds, engine=ENGINES[settings.engine])
            self._inputs[wanted] = find_inputs_in_stages(search, wanted)
        return self._inputs[wanted]

    def _ready_made(self) -> Mapping[str, str]:
        """Return the titles of the tasks that come with the catalog, by their names."""
        return {name: task.task.text for name, task in self._ready().items()}

    def _ready(self) -> Mapping[str, LoadedTask]:
        folder = DEMOS[self._name].parent if self._name in DEMOS else None
        there = [name for name, path in TASK_DEMOS.items() if path.parent.parent == folder]
        return {name: load_task(TASK_DEMOS[name], self._loaded) for name in there}

    def _elsewhere(self) -> Mapping[str, str]:
        """Return the titles of tasks of this catalog that were begun elsewhere, by their ids, last used first."""
        file = self._loaded.file
        rows = self._tasks.rows()
        return {row.id: row.title for row in rows if row.file == file and row.conversation != self._session_id}

    def _deliver(self, outgoing: events.TaskBegun | events.TaskSupplied) -> bool:
        """Give the task manager what was written down for it; a second time changes nothing.

        Return whether the request was still open. Raises ValueError where it is not taken, with the reason.
        """
        task_id = task_id_of(self._session_id, outgoing.task)
        try:
            if isinstance(outgoing, events.TaskBegun):
                self._begin(task_id, outgoing)
            else:
                self._supply(task_id, outgoing)
        except AnsweredBefore:
            return False
        except UnknownStream:
            self._services.report_task(self._session_id, deleted(outgoing.task))
        except CatalogError as error:
            raise ValueError(" ".join(problem.render() for problem in error.problems)) from error
        except LookupError as error:
            raise ValueError(str(error.args[0] if error.args else error)) from error
        return True

    def _begin(self, task_id: str, begun: events.TaskBegun) -> None:
        conversation = (self._session_id, begun.task)
        if begun.file:
            self._tasks.give(self._ready()[begun.file], task_id=task_id, conversation=conversation)
            return
        task = TaskFile(
            text=begun.text,
            inputs={fact: Input() for fact in begun.inputs},
            results={fact: ResultDocument() for fact in begun.results},
            generated=(DescriptionPart.RESULTS,),
            confirmed=True,
        )
        known = []
        for fact, value in begun.inputs.items():
            files = self._files_of(value)
            secret = fact in begun.derived
            known.append(Supplied(fact, value, ", ".join(files), tuple(files.values()), secret))
        given = LoadedTask(task, self._loaded, {}, self._loaded.file, self._loaded.digest)
        self._tasks.give(given, task_id=task_id, conversation=conversation, known=known)

    def _supply(self, task_id: str, supplied: events.TaskSupplied) -> None:
        match supplied.deed:
            case "value":
                files = self._files_of(supplied.value)
                self._tasks.hand_over(task_id, supplied.fact, supplied.value, files, request=supplied.request)
            case "yes" | "no":
                self._decide(task_id, supplied.request, yes=supplied.deed == "yes")
            case "unavailable":
                self._tasks.say_unavailable(task_id, supplied.request)
            case "pause":
                self._tasks.pause(task_id)
            case "resume":
                self._tasks.resume(task_id)
            case "cancel":
                self._tasks.cancel(task_id)

    def _decide(self, task_id: str, request: int, *, yes: bool) -> None:
        task = self._tasks.view(task_id).task
        asked = task.requests[request].request if request in task.requests else None
        match asked.request if asked else "":
            case "consent" | "call":
                self._tasks.consent(task_id, request, yes=yes)
            case "judge":
                self._tasks.judge(task_id, asked.number, met=yes, request=request)  # type: ignore[union-attr]
            case "in_doubt":
                self._tasks.settle(task_id, request, {} if yes else None)
            case "description" if yes:
                self._tasks.confirm(task_id, request)
            case "description":
                raise ValueError(self._language.tasks.CHANGE_IT)
            case _:
                raise AnsweredBefore(is_answered(request))

    def _find_result(self, task: int, words: str) -> tuple[str, str] | None:
        """Find the result of a task that words name, or the figure in it (else ""), of those that are there."""
        with suppress(UnknownStream):
            task_id = task_id_of(self._session_id, task)
            record = self._tasks.record(task_id)
            facts = list(self._tasks.results(task_id))
            figures = [(fact, figure) for fact in facts for figure in figures_of(record, fact)]
            for named in (
                [(fact, "") for fact in facts if find_named(words, [record.catalog.facts[fact].label]) is not None],
                [one for one in figures if one[1].lower() == words.lower()],
                [one for one in figures if find_named(words, [one[1]]) is not None],
            ):
                if named:
                    return named[0]
        return None

    def _tell(self, talk: TaskTalk) -> str | None:
        """Say what is asked about a task, by its number here or its id; None where there is none."""
        try:
            view = self._tasks.view(talk.id or task_id_of(self._session_id, talk.task))
        except UnknownStream:
            return None
        words, report = self._language.tasks, write_report(view.id, view.task, view.catalog)
        label = self._label_of(view)
        match talk.act:
            case TaskAct.WHY:
                kind = TaskQuestionKind.WHAT_HELPS if report.status == "missing" else TaskQuestionKind.WHY
                why = self._tasks.explain(view.id, Asked(kind))
                return f"{words.news(label, report.status, report.reason)} {why.text}"
            case TaskAct.SPLIT:
                return self._tasks.explain(view.id, Asked(TaskQuestionKind.WHY_SPLIT)).text()
            case TaskAct.HOW:
                asked = Asked(TaskQuestionKind.HOW, fact=talk.fact, figure=talk.figure or None)
                return self._tasks.explain(view.id, asked).text()
            case TaskAct.STATUS:
                return _say_how_far(self._language, label, view)
            case _:
                return words.needs(label, report.missing)

    def _label_of(self, view: TaskView) -> str:
        session, number = view.task.conversation
        if session == self._session_id:
            tasks = self._services.snapshot(session).conversation.tasks
            with suppress(LookupError):
                return tasks.of(number).label
        return self._language.tasks.named(view.task.title)

    @property
    def _language(self) -> Language:
        return self._services.language

    def _files_of(self, value: JsonValue) -> dict[str, bytes]:
        """Return the files of the conversation that a value stands for, by their names; each has its own."""
        read = partial(self._store.get_file, StreamId(events.CONVERSATION.name, self._session_id))
        came = load_files(value, read)
        files: dict[str, bytes] = {}
        for one in came if isinstance(came, list) else [came]:
            if isinstance(one, File):
                again = sum(name == one.name or name.endswith(f" {one.name}") for name in files)
                files[f"({again + 1}) {one.name}" if again else one.name] = one.data
        return files


def settle(services: Services, session_id: str, timeout_s: float) -> bool:
    """Wait until neither the assistant nor the tasks of its conversation are at work; return whether that is so."""
    end = monotonic() + timeout_s
    while True:
        seq = services.snapshot(session_id).conversation.seq
        if not services.wait(session_id, max(0.0, end - monotonic())):
            return False
        for task in services.snapshot(session_id).conversation.tasks.all:
            if not services.tasks.wait(task_id_of(session_id, task.number), max(0.0, end - monotonic())):
                return False
        now = services.snapshot(session_id).conversation
        if not now.busy and now.seq == seq:
            return True


def say_progress(services: Services, session_id: str) -> list[str]:
    """Say how far the tasks of a conversation are that are at work just now."""
    working = [one for one in services.snapshot(session_id).conversation.tasks.open if one.status == "working"]
    said = []
    for task in reversed(working):
        with suppress(UnknownStream):
            view = services.tasks.view(task_id_of(session_id, task.number))
            said.append(_say_how_far(services.language, task.label, view))
    return said


def _say_how_far(language: Language, label: str, view: TaskView) -> str:
    far = progress_of(view.task, view.catalog)
    report = write_report(view.id, view.task, view.catalog)
    return language.tasks.progress(label, report, (far.stages, far.solved, far.steps, far.done))


# what comes back


def report_to(services: Services, store: Store, task_id: str) -> None:
    """Let the conversation that began a task know how it stands, where it waits for a person or is over."""
    try:
        view = services.tasks.view(task_id)
        session_id, number = view.task.conversation
        if not session_id:
            return
        news = _news(services, store, session_id, number, view)
        if news.status != "working":
            services.report_task(session_id, news)
    except UnknownStream:
        return  # the conversation was deleted, or the task
    except StoreFailed as error:
        _log.error("news of a task could not be kept: %s", type(error).__name__)


def deleted(number: int) -> events.TaskNews:
    return events.TaskNews(turn=0, task=number, at=2**62, status="deleted")


def wake(services: Services, session_id: str, session: Session) -> None:
    """Go on in the background with the tasks of a conversation that is opened again; say which are gone."""
    tasks = session.journal.state.tasks
    for task in tasks.open:
        if any(number == task.number for number, _ in tasks.outgoing.values()):
            continue  # what was written down for it is delivered by the turn that is taken up
        try:
            services.tasks.start(task_id_of(session_id, task.number))
        except UnknownStream:
            session.report(deleted(task.number))


def _news(services: Services, store: Store, session_id: str, number: int, view: TaskView) -> events.TaskNews:
    report = write_report(view.id, view.task, view.catalog)
    over = view.task.ending is not None
    results = services.tasks.results(view.id) if over else {}
    hidden = {one.name for one in report.results if one.value is None}
    seen = {fact: came for fact, came in results.items() if fact not in hidden}
    files = tuple(_files_of(store, session_id, seen))
    named = {one.name for one in files}
    shown = [(one.label, one.shown) for one in report.results if over and one.shown and not _is_file(one.value, named)]
    unmet = [f"{one.text} {one.found}".strip() for one in report.criteria if one.standing == "unmet"]
    return events.TaskNews(
        turn=0,
        task=number,
        at=view.task.seq,
        status="stopped" if view.fault else report.status,
        reason=view.fault or report.reason,
        questions=tuple(question for one in report.missing for question in _questions(one)),
        files=files,
        shown=tuple(shown),
        unmet=tuple(unmet) if over else (),
        met=sum(one.standing == "met" for one in report.criteria) if over else 0,
        failures=tuple(f"{one.shown or f'{one.what} {one.item}'}: {one.reason}" for one in report.failures),
    )


def _questions(one: MissingReport) -> list[events.TaskQuestion]:
    """Turn a request into questions: one for each fact that is to be handed over."""
    facts = one.names if one.kind == "information" else [""]
    labels = [(label,) for label in one.labels] if one.kind == "information" else [tuple(one.labels)]
    return [
        events.TaskQuestion(
            request=one.request,
            kind=one.kind,
            fact=fact,
            labels=named,
            inputs=tuple(one.inputs),
            stages=tuple(one.stages),
            always=one.always,
            why=one.why,
        )
        for fact, named in zip(facts, labels, strict=True)
    ]


def _files_of(store: Store, session_id: str, results: Mapping[str, SkillInput]) -> list[events.Attachment]:
    found = []
    for came in results.values():
        for one in came if isinstance(came, list) else [came]:
            if isinstance(one, File):
                sha256 = store.put_file(StreamId(events.CONVERSATION.name, session_id), one.data)
                found.append(
                    events.Attachment(sha256=sha256, name=one.name, media_type=one.media_type, size=len(one.data))
                )
    return found


def _is_file(value: JsonValue, names: set[str]) -> bool:
    return isinstance(value, dict) and value.get("name") in names and "attachment" in value
