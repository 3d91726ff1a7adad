"""Tasks of the services: hand one over, supply what it lacks, see how it stands, read its results."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial

from pydantic import JsonValue

from catalog.load.overlay import Capability, overlay
from catalog.skills import SkillInput
from catalog.values import Unreadable
from catalog.wording.values import say_fault
from dialogue.log.stores import Store
from dialogue.log.stores.protocol import StoreFailed, StreamId, UnknownStream
from dialogue.log.streams import Clock, Event, StoredJournal
from dialogue.runtime import Streams, TurnPool
from dialogue.services.analyses import Jobs
from dialogue.services.tasks import views
from dialogue.tasks import acceptance
from dialogue.tasks.inputs import ReadFile, Supplied, open_task, read_inputs, supply
from dialogue.tasks.reporting.record import export_of, record_of
from dialogue.tasks.running.manager import TaskManager
from dialogue.tasks.state import events
from dialogue.tasks.state.requests import ConfirmCall, ConfirmDescription, NeedConsent, NeedFunction, SettleCall
from dialogue.tasks.state.task import TASK_FOLD, Task
from explain.claim import AnswerText
from explain.tasks.answers import answer_about_task
from explain.tasks.record import TaskQuestion, TaskRecord
from language.responses.tasks.report import NO_EFFECT, say_stopped
from planning.hierarchy.description import Description
from planning.hierarchy.files.load import LoadedTask
from planning.hierarchy.proposers.protocol import introduced_in, with_introduced
from planning.hierarchy.situation import catalog_for, find_information


class TaskServices:
    """Tasks, shared by all threads. There is one manager for each task that is open in this process."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        means: views.TaskMeans,
        *,
        workers: int = 2,
        at_rest: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Do nothing yet; so many tasks as `workers` are at work at the same time.

        `at_rest` is called with the id of a task when nothing more can be done for it now.
        """
        self._store, self._clock, self._means = store, clock, means
        self._pool = TurnPool(workers)
        self.streams = Streams(self._restore, self._pool, at_rest=at_rest)
        """Those that are open in this process."""
        self._checks = Jobs(threads=1, kept=20)

    # tasks

    def check(self, text: str, file: str, catalog: str = "") -> Future[views.CheckedTask]:
        """Read the text of a task file in the background; without a catalog, it has to name a demo."""

        loaded = self._means.named(catalog) if catalog else None
        return self._checks.compute((text, file, catalog), lambda: views.check_task(text, file, loaded))

    def give(
        self,
        given: LoadedTask,
        *,
        title: str = "",
        seed: int = 0,
        read: ReadFile | None = None,
        known: Sequence[Supplied] = (),
        task_id: str | None = None,
        conversation: tuple[str, int] = ("", 0),
    ) -> str:
        """Take a task over, and return its id; what its file says of its inputs is handed over with it.

        It goes on in the background. `read` reads the files that it names; without it, they are looked for beside its
        own. What is `known` otherwise goes along. With a `task_id` that there is already, that task just goes on;
        `conversation` says which one hands it over, and its number there. Raises CatalogError for inputs that are not
        what the catalog says.
        """
        with suppress(UnknownStream):
            if task_id is not None:
                self.start(task_id)
                return task_id
        inputs = (*read_inputs(given, self._means.today(), read), *known)
        task_id = task_id or uuid.uuid4().hex
        journal = StoredJournal(task_id, self._store, self._clock, events.TASK, TASK_FOLD)
        manager = self._make(journal)
        opening = open_task(given, title, seed, conversation)
        handed = [events.HandedOver(fact=one.fact, value=one.value, said=one.said, secret=one.secret) for one in inputs]
        files = [data for one in inputs for data in one.files]
        if files:
            manager.tell(opening)
            for data in files:
                self._store.put_file(journal.stream, data)
            manager.tell(*handed)
        else:
            manager.tell(opening, *handed)
        self.streams.add(task_id, manager)
        self.start(task_id)
        return task_id

    def rows(self) -> tuple[views.TaskRow, ...]:
        return tuple(map(views.row_of_task, self._store.streams(events.TASK.name)))

    def view(self, task_id: str) -> views.TaskView:
        """Return a task as it stands. Raises UnknownStream."""
        manager = self._manager(task_id)
        error = self.streams.error_of(task_id)
        fault = str(error) if isinstance(error, StoreFailed) else say_stopped(type(error).__name__) if error else ""
        log, task = manager.journal.shown
        catalog = with_introduced(self._means.loaded(task).catalog, introduced_in(task.tree))
        return views.TaskView(task_id, task, catalog, log, self.streams.is_busy(task_id), fault)

    def record(self, task_id: str) -> TaskRecord:
        """Return what explanations of a task are made from. Raises UnknownStream."""
        manager = self._manager(task_id)
        log, task = manager.journal.shown
        search = self._means.tools(manager.journal.stream).search(task)
        return record_of(log, task, search.catalog, search)

    def export_tree(self, task_id: str) -> str:
        """Write the tree of hypotheses as JSON, without what is sensitive (`dialogue.tasks.reporting.record` reads it).

        Raises UnknownStream.
        """
        view = self.view(task_id)
        return export_of(view.log, view.task, view.catalog)

    def explain(self, task_id: str, question: TaskQuestion) -> AnswerText[TaskQuestion]:
        """Answer a question about a task: why a stage was split or is stuck, how a result came about.

        The answer has sentences with the entries that prove them. Raises UnknownStream.
        """
        return answer_about_task(self.record(task_id), question)

    def results(self, task_id: str) -> dict[str, SkillInput]:
        """Return the results that are there: documents as files, all else as plain values."""
        manager = self._manager(task_id)
        task = manager.journal.state
        catalog = self._means.loaded(task).catalog
        found = {fact: task.find(catalog, fact) for fact in task.description.facts}
        return {fact: manager.load(value.value) for fact, value in found.items() if value is not None}

    def file(self, task_id: str, digest: str) -> bytes:
        """Return a file of a task by its digest. Raises LookupError where there is none."""
        return self._store.get_file(StreamId(events.TASK.name, task_id), digest)

    def delete(self, task_id: str) -> None:
        """Delete a task with its files, for good. Raises UnknownStream."""
        self.streams.delete(task_id, lambda: self._store.delete(StreamId(events.TASK.name, task_id)))

    # what is supplied

    def hand_over(
        self,
        task_id: str,
        fact: str,
        value: JsonValue,
        files: Mapping[str, bytes] | None = None,
        request: int = 0,
    ) -> int:
        """Hand a value over, with the files that it stands for, by their names; it goes on with it.

        With the entry of a `request`, it answers that. Raises LookupError for an unknown fact, ValueError for what is
        no value of it, and AnsweredBefore: then nothing is changed.
        """
        task = self._task(task_id)
        given = supply(self._means.loaded(task).catalog, fact, value, files or {}, self._means.today())
        label = self._means.loaded(task).catalog.facts[fact].label
        takes = partial(acceptance.check_takes, fact=fact, label=label, entry=request)
        handed = events.HandedOver(fact=given.fact, value=given.value, said=given.said, request=request)
        for data in given.files:
            self._store.put_file(self._manager(task_id).journal.stream, data)
        return self._tell(task_id, handed, takes, request=request)

    def hand_over_words(self, task_id: str, fact: str, text: str) -> int:
        """Hand over a value that was typed: in words, or as JSON where there are no words for it.

        Raises what `hand_over` does: then nothing is changed.
        """
        facts = self._means.loaded(self._task(task_id)).catalog.facts
        return self.hand_over(task_id, fact, self._checked(task_id, fact, text) if fact in facts else text)

    def supply_function(self, task_id: str, text: str, file: str = "<supplied>") -> int:
        """Supply skills, as YAML that declares them, and go on with them.

        Raises CatalogError for what is no declaration, for endpoints that are not allowed, and where something was
        requested that no supplied skill fits: then nothing is changed.
        """
        task = self._task(task_id)
        acceptance.check_takes_function(task)
        asked = [one.request for one in task.open_requests]
        base = catalog_for(self._means.loaded(task).catalog, task.description, task.activities)
        there = {*task.tree.known, *task.description.inputs, *find_information(base)}
        wanted = [Capability(one.inputs, one.outputs, there) for one in asked if isinstance(one, NeedFunction)]
        overlay(
            self._means.loaded(task),
            text,
            file,
            allowed=self._means.allowed(),
            requested=wanted[0] if len(wanted) == 1 else None,
        )
        return self._tell(task_id, events.FunctionSupplied(text=text), acceptance.check_takes_function)

    def consent(self, task_id: str, request: int, *, yes: bool) -> int:
        """Answer a request for consent, or for a go-ahead. Raises AnsweredBefore where it is not open."""
        is_open = partial(acceptance.check_open, entry=request, kinds=(NeedConsent, ConfirmCall))
        return self._tell(task_id, events.TaskConsented(request=request, yes=yes), is_open, request=request)

    def say_unavailable(self, task_id: str, request: int) -> int:
        """Say that what is asked for is not to be had; it stays open. Raises AnsweredBefore."""
        is_open = partial(acceptance.check_open, entry=request)
        return self._tell(task_id, events.SaidUnavailable(request=request), is_open, go_on=False, request=request)

    def judge(self, task_id: str, number: int, *, met: bool, found: str = "", request: int = 0) -> int:
        """Judge an acceptance criterion (by its number, from 1); with the entry of a `request`, it answers that.

        Raises LookupError for a criterion that is not for a person to judge, and AnsweredBefore.
        """
        standing = events.CriterionStanding.MET if met else events.CriterionStanding.UNMET
        judged = events.CriterionChecked(number=number, standing=standing, found=found, by="person")
        takes = partial(acceptance.check_judged, number=number, entry=request)
        return self._tell(task_id, judged, takes, request=request)

    def given_by(self, task_id: str, request: int) -> tuple[str, ...]:
        """List the facts that a call would have given of which it is not known whether it took effect."""
        task = self._task(task_id)
        return acceptance.find_doubt(task, self._means.loaded(task).catalog, request).facts

    def settle(self, task_id: str, request: int, gave: Mapping[str, str] | None) -> int:
        """Say that a call took effect, and what it gave (words, by facts), or with None that it did not.

        Raises what `hand_over` does, for what is no value: then nothing is changed. Where it did not take effect, it is
        called again if it is still wanted.
        """
        task = self._task(task_id)
        doubt = acceptance.find_doubt(task, self._means.loaded(task).catalog, request)
        came: Event = events.CallFailed(call_id=doubt.call_id, error="in_doubt", message=NO_EFFECT)
        if gave is not None:
            values = {fact: self._checked(task_id, fact, gave.get(fact, "")) for fact in doubt.facts}
            came = events.CallEnded(call_id=doubt.call_id, outcome=doubt.outcome, facts=values)
        return self._tell(task_id, came, partial(acceptance.check_open, entry=request, kinds=(SettleCall,)))

    def _checked(self, task_id: str, fact: str, text: str) -> JsonValue:
        """Read a value that was typed: in words, or as JSON where there are no words for it."""
        catalog = self._means.loaded(self._task(task_id)).catalog
        kind = catalog.facts[fact].value
        try:
            value = self._means.read(kind, text) if kind.sayable else json.loads(text)
        except Unreadable as problem:
            raise ValueError(say_fault(problem.fault)) from problem
        return supply(catalog, fact, value, {}, self._means.today()).value

    def confirm(self, task_id: str, request: int, description: Description | None = None) -> int:
        """Confirm a description that was partly made up: as it is, or as it was changed.

        Raises LookupError where that is not asked for, or not any more: then nothing is changed.
        """
        confirmed = events.Described(description=description or self._task(task_id).description, request=request)
        return self._tell(
            task_id, confirmed, partial(acceptance.check_open, entry=request, kinds=(ConfirmDescription,))
        )

    # its course

    def start(self, task_id: str) -> None:
        """Go on in the background; where another program is at work on it, follow that, and go on once it ends."""
        self.streams.open(task_id)
        self.streams.start(task_id)

    def pause(self, task_id: str) -> None:
        """Begin nothing more until it is resumed; what is under way is waited for. One that is over stays so."""
        with suppress(acceptance.TaskOver):
            self._tell(task_id, events.TaskPaused(), acceptance.check_not_over, go_on=False)

    def resume(self, task_id: str) -> None:
        """Go on with a task that was paused, or cut off."""
        if self._task(task_id).paused:
            self._tell(task_id, events.TaskResumed())
        else:
            self.start(task_id)

    def cancel(self, task_id: str) -> None:
        """End a task for good; what it has done so far is kept. One that is over stays as it is."""
        with suppress(acceptance.TaskOver):
            self._tell(
                task_id, events.TaskEnded(ending=events.TaskEnding.CANCELLED), acceptance.check_not_over, go_on=False
            )

    def wait(self, task_id: str, timeout_s: float) -> bool:
        """Wait until a task is over, or waits for a person; return whether it is."""
        return self.streams.wait(task_id, timeout_s)

    def stop(self) -> None:
        self.streams.stop()

    def close(self) -> None:
        """Begin nothing more, and wait for what is under way."""
        self.stop()
        self._checks.close()
        self.streams.close()

    # how it is done

    def _task(self, task_id: str) -> Task:
        return self._manager(task_id).journal.state

    def _tell(
        self, task_id: str, event: Event, takes: acceptance.Check | None = None, *, go_on: bool = True, request: int = 0
    ) -> int:
        """Pass on what was said, where the task takes it; the same answer to a request is taken once."""
        manager = self._manager(task_id)

        def check(task: Task) -> None:
            try:
                _ = takes and takes(task)
            except LookupError as why:
                if not request:
                    raise
                log, _ = manager.journal.shown
                same = next((entry.seq for entry in log if entry.event == event), None)
                raise views.AnsweredBefore(str(why.args[0]), same) from why

        try:
            entry = manager.tell(event, check=check)
        except views.AnsweredBefore as before:
            if before.entry is None:
                raise
            entry = before.entry
        if go_on:
            self.start(task_id)
        return entry

    def _manager(self, task_id: str) -> TaskManager:
        """Return the manager of a task as it stands, whichever program has written to it. Raises UnknownStream."""
        return self.streams.current(task_id)

    def _restore(self, task_id: str) -> TaskManager:
        return self._make(StoredJournal.open(task_id, self._store, self._clock, events.TASK, TASK_FOLD))

    def _make(self, journal: StoredJournal[Event, Task]) -> TaskManager:
        return TaskManager(journal, self._means.tools(journal.stream), self._pool)
