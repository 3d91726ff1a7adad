"""The task manager: the only one that talks to the owner of the task; one coordinator writes the log.

What is to be done next is decided by `next_actions`, from the state alone, so a task that was cut off goes on where it
was. Calls run on threads of their own, as many at a time as allowed; of those that have an effect on the world there is
one at a time. All else is done one after the other.

Several programs may have the same task open: one of them is at work on it, and the others watch; what a person says to
any of them goes into the same log.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from pydantic import JsonValue

from catalog.model import Catalog, Effect
from catalog.skills import SkillInput
from dialogue.caller import Caller, NotReturned, Told
from dialogue.calling import CallAttempt, CallEnd, is_irreversible, make
from dialogue.log.streams import Event
from dialogue.runtime import SharedClaim, TurnPool
from dialogue.tasks.running import plan_actions
from dialogue.tasks.running.decide import Action, AskModel, Check, End, FillIn, Withdraw, next_actions
from dialogue.tasks.state import events
from dialogue.tasks.state.task import About, Task, TaskJournal
from language.responses import calls as words
from planning.hierarchy.completion import complete
from planning.hierarchy.search import PlanDirectly, ProposeSplit, Search
from planning.hierarchy.tree import PlanDropped

_log = logging.getLogger(__name__)
SHOWN_S = 0.5
"""Seconds after which what a task has planned so far is appended, and so shown, though it is not done with planning."""
NEWS_S = 0.5
"""How long calls are waited for before it is looked whether a message came in another program, in seconds."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What a task manager works with.

    `search` makes the search for a state (with the catalog and what was supplied to it), `load_input` gives a value as
    a skill gets it, `keep_file` keeps a file that a skill returned, and `check` checks the acceptance criterion of a
    number (from 1). `read_results` finds in the text of a task which facts it asks for. So many calls as `parallel` run
    at the same time. `ask` asks a language model. `claim` takes the task for this program alone; it gives None where
    another one is at it.
    """

    search: Callable[[Task], Search]
    caller: Caller
    load_input: Callable[[JsonValue], SkillInput]
    keep_file: Callable[[bytes], object]
    check: Callable[[Task, Catalog, int], events.CriterionChecked]
    read_results: Callable[[Catalog, str], Sequence[str]]
    parallel: int = 4
    key_of: Callable[[str], str] = str
    """Give the idempotency key of a call, by its id."""
    ask: Callable[[Task, Search, About], events.ModelAsked] | None = None
    claim: Callable[[], AbstractContextManager[object] | None] = nullcontext


@dataclass(slots=True)
class _Calls:
    """Calls that are under way, and those that can be begun as soon as there is room; so what a model is asked.

    They are `listed` once for many: a call about an item of a list changes nothing for the others of the list.
    """

    flying: dict[Future[CallEnd], events.CallBegun] = field(default_factory=dict)
    listed: bool = False
    harmless: deque[plan_actions.MakeCall] = field(default_factory=deque)
    with_effect: deque[plan_actions.MakeCall] = field(default_factory=deque)
    asking: dict[Future[events.ModelAsked], About] = field(default_factory=dict)
    to_ask: deque[About] = field(default_factory=deque)
    acting: str = ""
    """The call under way that has an effect, if there is one."""

    def forget(self) -> None:
        self.listed = False
        self.harmless.clear()
        self.with_effect.clear()
        self.to_ask.clear()

    @property
    def under_way(self) -> tuple[Future[Any], ...]:
        return (*self.flying, *self.asking)

    def next(self) -> plan_actions.MakeCall | None:
        if self.with_effect and not self.acting:
            return self.with_effect.popleft()
        return self.harmless.popleft() if self.harmless else None

    def end(self, future: Future[CallEnd]) -> str:
        begun = self.flying.pop(future)
        if self.acting == begun.call_id:
            self.acting = ""
        if not begun.items or not (self.harmless or self.with_effect):
            self.forget()
        return begun.call_id


class TaskManager:
    """Plans, carries out and checks one task. Its methods may be called on any thread."""

    def __init__(self, journal: TaskJournal, tools: Tools, pool: TurnPool) -> None:
        self.journal = journal
        self._tools = tools
        self._lock = journal.lock
        journal.taken_up = self._look_again
        self._claim = SharedClaim(tools.claim, journal.catch_up, pool)
        self._again = False
        self._closed = False

    def tell(self, first: Event, *others: Event, check: Callable[[Task], object] | None = None) -> int:
        """Append what a person supplied, said or wants; return the entry of the last.

        `check` sees the state that it is said to, and raises where it is not taken: then nothing is written.
        """

        def decide() -> int:
            if check is not None:
                check(self.journal.state)
            return self.journal.append(first, *others)

        with self._lock:
            self.journal.catch_up()
            entry = self.journal.commit(decide)
            self._again = True
        return entry

    def work(self) -> None:
        """Go on until the task is over, waits for a person, or is paused.

        Return at once where a thread is at it already, which then looks again; where another program is at it, wait
        until it has done so, or has died.
        """
        self._look_again()
        self._claim.work(self._is_due, self._coordinate)

    def _is_due(self) -> bool:
        with self._lock:
            self.journal.catch_up()  # what was said while the claim was given back is not to be missed
            return self._again and not self._closed

    @property
    def rests(self) -> bool:
        return self._claim.is_idle

    def catch_up(self) -> None:
        """Take up what another program has written, unless a thread is deciding here what comes next: it does so."""
        if self._lock.acquire(blocking=False):
            try:
                self.journal.catch_up()
            finally:
                self._lock.release()

    def load(self, value: JsonValue) -> SkillInput:
        """Return a value as a skill gets it: for one that stands for a file, the file."""
        return self._tools.load_input(value)

    def close(self) -> None:
        with self._lock:
            self._closed = True

    # how it is done

    def _look_again(self, _before: Task | None = None) -> None:
        self._again = True

    def _coordinate(self) -> None:
        with ThreadPoolExecutor(self._tools.parallel, thread_name_prefix="task") as pool:
            self._work_with(pool)

    def _work_with(self, pool: ThreadPoolExecutor) -> None:
        calls = _Calls()
        try:
            task, catalog = self.journal.state, self._catalog
            cut_off = plan_actions.list_cut_off(task)
            told = {one.begun.call_id: plan_actions.ask_about(self._tools, catalog, task, one) for one in cut_off}
            with self._lock:
                self.journal.commit(self._settle_interrupted, told)
            while self._go_on(pool, calls):
                for future in wait(calls.under_way, NEWS_S, FIRST_COMPLETED).done:
                    if future in calls.asking:
                        self._hear(calls, future)
                    else:
                        self._end(calls.end(future), future.result())
        finally:
            for future, begun in calls.flying.items():  # what was begun is waited for, whatever went wrong
                with suppress(Exception):
                    self._end(begun.call_id, future.result())

    def _go_on(self, pool: ThreadPoolExecutor, calls: _Calls) -> bool:
        """Do what can be done at once, and begin calls; return whether there are any to wait for."""

        def decide() -> None:
            while True:
                self.journal.catch_up()
                if self._again:
                    calls.forget()
                self._again = False
                if self._closed or calls.listed or not self._do_at_once(calls):
                    break
            if not self._closed:
                self._begin(pool, calls)

        with self._lock:
            self.journal.commit(decide)
        return bool(calls.under_way)

    def _do_at_once(self, calls: _Calls) -> bool:
        """Do all that is no call until nothing is left of that, and list the calls; return whether to look again.

        What is done is appended together: all of it, or as much as `SHOWN_S` has brought.
        """
        until = monotonic() + SHOWN_S
        while self._do_all(calls):
            if monotonic() > until:
                self.journal.flush()
                return True
        self.journal.flush()
        calls.listed = True
        return False

    def _do_all(self, calls: _Calls) -> bool:
        """Do each action that is no call; return whether there was any. The calls are listed where there was none."""
        task = self.journal.state
        search = self._tools.search(task)
        calls.forget()
        went_on = False
        for action in next_actions(task, search):
            if isinstance(action, plan_actions.MakeCall):
                harmless = search.catalog.skills[action.skill].effect is Effect.NONE
                (calls.harmless if harmless else calls.with_effect).append(action)
                continue
            if isinstance(action, AskModel):
                calls.to_ask.extend([action.about] if action.about not in calls.asking.values() else [])
                continue
            self.journal.add(self._carry_out(task, search, action))
            went_on = True
            if isinstance(action, plan_actions.GiveUpPlan):
                break  # what was planned after it may not be wanted any more
        return went_on

    def _begin(self, pool: ThreadPoolExecutor, calls: _Calls) -> None:
        task = self.journal.state
        search = self._tools.search(task)
        catalog = search.catalog
        while self._tools.ask and calls.to_ask and len(calls.asking) < self._tools.parallel:
            about = calls.to_ask.popleft()
            calls.asking[pool.submit(self._tools.ask, task, search, about)] = about
        while len(calls.flying) < self._tools.parallel and (action := calls.next()) is not None:
            begun = events.CallBegun(
                call_id=f"call-{self.journal.state.seq + 1}",
                leaf=action.leaf,
                step=action.step,
                skill=action.skill,
                mode=action.mode,
                inputs={name: value.fact for name, value in action.inputs.items()},
                input_entries={name: value.entry for name, value in action.inputs.items()},
                items=action.items,
                again=self._find_first_attempt(action),
            )
            self.journal.add(begun)
            self.journal.flush()  # the intent is on record before anything happens
            if catalog.skills[action.skill].effect is not Effect.NONE:
                calls.acting = begun.call_id
            values = {name: value.value for name, value in action.inputs.items()}
            calls.flying[pool.submit(self._call, catalog, begun, values)] = begun

    def _find_first_attempt(self, action: plan_actions.MakeCall) -> str:
        """Return the id of the first attempt at a call that has given no outcome so far; empty for none."""
        made = self.journal.state.called.get((action.skill, action.mode), ())
        entries = {name: value.entry for name, value in action.inputs.items()}
        same = [one for one in made if (one.begun.items, one.begun.input_entries) == (action.items, entries)]
        return same[-1].begun.first if same and isinstance(same[-1].ended, events.CallFailed) else ""

    def _carry_out(self, task: Task, search: Search, action: Action) -> Event:
        event: Event
        match action:
            case FillIn():
                wanted = (
                    () if task.description.results else self._tools.read_results(search.catalog, task.description.text)
                )
                event = events.Described(description=complete(search.catalog, task.description, wanted))
            case PlanDirectly() | ProposeSplit():
                event = events.Moved(move=search.take(task.tree, action))
            case plan_actions.GiveUpPlan():
                event = events.Moved(move=PlanDropped(hypothesis=action.leaf, ruled_out=action.operator))
            case plan_actions.Collect():
                event = action.collected
            case plan_actions.TakeBack():
                event = events.Doubted(fact=action.fact, call_id=action.call_id)
            case Check():
                event = self._tools.check(task, search.catalog, action.number)
            case End():
                event = events.TaskEnded(ending=action.ending, reason=action.reason)
            case plan_actions.Ask():
                event = events.Requested(request=action.request)
            case Withdraw():
                event = events.Withdrawn(requests=action.requests)
            case _:
                raise TypeError(f"{action!r:.100} is not to be carried out at once")
        return event

    def _call(self, catalog: Catalog, begun: events.CallBegun, values: Mapping[str, JsonValue]) -> CallEnd:
        try:
            return make(self._tools, catalog, CallAttempt(begun.skill, begun.mode, values, begun.first))
        except Exception as error:
            _log.exception("call %s of the skill %s", begun.call_id, begun.skill)
            if is_irreversible(catalog, begun.skill):  # it may have come as far as the skill
                return NotReturned("in_doubt", words.broke_off(type(error).__name__), 0.0)
            return NotReturned("unavailable", words.not_called(type(error).__name__), 0.0)

    def _end(self, call_id: str, came: CallEnd) -> None:
        """Write down the result of a call, whatever else was written meanwhile."""
        task = self.journal.state
        self._write(plan_actions.event_of(self._catalog, task, task.calls[call_id], came))

    @property
    def _catalog(self) -> Catalog:
        return self._tools.search(self.journal.state).catalog

    def _write(self, event: Event) -> None:
        """Write down what happened elsewhere."""
        with self._lock:
            self.journal.catch_up()
            self.journal.commit(self.journal.append, event)

    def _hear(self, calls: _Calls, future: Future[events.ModelAsked]) -> None:
        """Write down what a language model said; nothing where that is because the program ends."""
        del calls.asking[future]
        calls.forget()
        with self._lock:
            if not self._closed:
                self._write(future.result())

    def _settle_interrupted(self, told: Mapping[str, Told | None]) -> None:
        """See to calls that were cut off, by what their lookups say."""
        catalog, task = self._catalog, self.journal.state
        for call in plan_actions.list_cut_off(task):
            self.journal.add(plan_actions.event_of(catalog, task, call, told.get(call.begun.call_id)))
        self.journal.flush()
