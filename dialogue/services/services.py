"""The composition root: clock, engine, understander, store and skills are put together here, and nowhere else.

Pages, command line and tests talk to `Services` alone. It is shared by all threads: what is said is written down by the
caller's thread, and worked on by a pool; a conversation is worked on by one thread at a time.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import partial

from pydantic import JsonValue

from catalog.load import Loaded
from catalog.model import Catalog
from catalog.problems import Problem
from catalog.skills import Result, SkillInput
from catalog.skills.protocol import load_files
from dialogue.agents.events import Forgotten, ReactionGiven
from dialogue.agents.learning.learner import Learner
from dialogue.agents.model import Reaction
from dialogue.agents.record import recorded
from dialogue.agents.sources.drop_ins import MakeAgent
from dialogue.caller import Caller, SkillCaller, Told
from dialogue.calling import LendingCaller
from dialogue.context import TurnContext
from dialogue.execution.doubts import ask_again
from dialogue.execution.improvement import BackgroundImprovement
from dialogue.exploration.forecast import Forecast, forecast
from dialogue.exploration.jobs import Explorations, Explorer
from dialogue.exploration.scripted_environment import ValueExamples
from dialogue.exploration.transition import Played, TransitionContext
from dialogue.forks.kept import KeptForks
from dialogue.forks.replay import ReplayResult, replay
from dialogue.forks.rerun import ForkStage
from dialogue.keys import key_of
from dialogue.log.events import CONVERSATION, Configured, Log, Renamed, Replied, SessionStarted, TaskNews
from dialogue.log.stores import DamagedStream, Store, UnknownStream
from dialogue.log.stores.protocol import StreamId
from dialogue.log.streams import Clock
from dialogue.policy import POLICIES, Policy, beginning_early, remembering
from dialogue.policy.joint import Planner
from dialogue.runtime import OtherProcesses, SharedClaim, TurnPool
from dialogue.services.agents.agents import AgentServices
from dialogue.services.agents.in_chat import AgentGuest
from dialogue.services.analyses import Analyses, position_of
from dialogue.services.call_counts import CallCounts
from dialogue.services.catalogs import Catalogs
from dialogue.services.forks import ForkServices, answer_supposed
from dialogue.services.inspection import Insight, look_into, try_words
from dialogue.services.rooms.bots import connect_bots, find_secrets, limits_of
from dialogue.services.rooms.rooms import RoomServices
from dialogue.services.skill_calls import SkillCalls
from dialogue.services.tasks.conversation_desk import TaskGuest, report_to, wake
from dialogue.services.tasks.services import TaskServices
from dialogue.services.tasks.tools import means_of
from dialogue.services.views import SessionRow, Snapshot, row_of
from dialogue.services.warm_up import Preparations
from dialogue.settings import Configuration, Settings, choices_in
from dialogue.settings.sources import read_again, save_settings, state_of_file
from dialogue.state.agents import AgentState
from dialogue.state.conversation import (
    Conversation,
    ConversationJournal,
    StoredConversation,
    new_conversation,
    open_conversation,
)
from dialogue.tasks.state.events import TASK
from dialogue.turn import Session, Sessions, Upload, check_event, keep_upload
from language.content import Reason
from language.interpretation import Supposition, Understander
from language.languages import LANGUAGES, Language
from language.llm.language_model import LanguageModel, Trial
from language.llm.settings import ModelSettings
from planning.engines import ENGINES, Engine
from planning.likelihoods import Likelihoods, LikelihoodSource
from planning.model import Limits
from planning.state_space.paths import WalkBounds

UnknownSession = UnknownStream
"""There is no conversation of that id (or it was deleted)."""


def _stream(session_id: str) -> StreamId:
    return StreamId(CONVERSATION.name, session_id)


def now() -> datetime:
    """Return the time by the clock of this machine."""
    return datetime.now(UTC)


class Services:
    """The facade of the product for pages, command line and tests. Close it when done."""

    def __init__(
        self,
        store: Store,
        catalogs: Mapping[str, Loaded] | Catalogs,
        *,
        configuration: Configuration | None = None,
        understander: Callable[[Catalog], Understander] | None = None,
        language_model: LanguageModel | None = None,
        allowed: Collection[str] | None = None,
        trusted: Collection[str] | None = None,
        caller: Caller | None = None,
        agents: Mapping[str, MakeAgent] | None = None,
        improving: Executor | None = None,
        clock: Clock = now,
        today: date | None = None,
    ) -> None:
        """Assemble the parts; arguments replace what the settings say."""
        self._store = store
        self.library = catalogs if isinstance(catalogs, Catalogs) else Catalogs(catalogs)
        """The catalogs, by name, and those that cannot be loaded."""
        self.configuration = configuration or Configuration(Settings())
        """The settings in use, and where each came from."""
        self.language_model = language_model or LanguageModel(self.settings.llm)
        """The optional language model; it is off by default."""
        self.allowed = self.settings.allowed if allowed is None else allowed
        self._skills = SkillCalls(lambda: self.settings, self.allowed, trusted, caller)
        self._clock = clock
        self._today = today
        self._changing = threading.Lock()
        self._written: tuple[int, ...] = ()
        self._pool = TurnPool(self.settings.limits.workers)
        self._sessions = Sessions(self._rebuild, self._pool)
        self.counts = CallCounts(store, self._pool.submit)
        """How calls have ended in the conversations that are kept."""
        self._preparations = Preparations(
            self.library,
            lambda: self.settings,
            self.language_model,
            given=understander,
            warm_skills=self._skills.warm,
            run=self._pool.submit,
        )
        self.explorations = Explorations(self.loaded, self._explorer(), lambda: self.today)
        """Background explorations of all possible outcomes."""
        self.analyses = Analyses(self._engine_of, lambda: self.language, self.allowed)
        """What takes longer than drawing, computed in the background."""
        self._improving = improving or ThreadPoolExecutor(2, thread_name_prefix="improve")
        self.forks = ForkServices(self.snapshot, self._stage_on, self._replay, KeptForks(store, clock))
        """What-if questions about conversations, and the forks of them that are kept."""
        self.agents = AgentServices(lambda: self.settings.home, store, clock, agents)
        """Agents and orchestrators, and what was learned from whom."""
        self.rooms = RoomServices(
            store, clock, partial(connect_bots, self), partial(limits_of, self), partial(find_secrets, self)
        )
        """Conversations of several people and bots under norms."""
        self.tasks = TaskServices(store, clock, means_of(self, store), at_rest=partial(report_to, self, store))
        """Tasks that are planned in stages."""
        if self.settings.likelihoods == LikelihoodSource.COUNTED:
            self.counts.count()
        store.follow(OtherProcesses({CONVERSATION.name: self._sessions, TASK.name: self.tasks.streams}))

    # what is chosen

    @property
    def settings(self) -> Settings:
        return self.configuration.settings

    def change_settings(self, changes: Mapping[str, JsonValue], *, keep_secrets: bool = True) -> None:
        """Use other values from now on, by dotted name, and save them; secrets only where that is wanted.

        Raises SettingsError, which changes nothing, and OSError where they are used but could not be saved.
        """
        self.agents.check({name: str(value) for name, value in changes.items()})
        with self._changing:
            changed = self.configuration.change(changes, keep_secrets=keep_secrets)
            self._use(changed)
            save_settings(changed.settings.home, changed.to_save(changes, keep_secrets=keep_secrets))

    def refresh(self) -> None:
        """Use what was written into `settings.json` since it was read, but for what takes effect at a start only."""
        written = state_of_file(self.settings.home)
        with self._changing:
            if written != self._written:
                self._written = written
                self._use(self.agents.usable(read_again(self.configuration)))

    def _use(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.language_model.change(configuration.settings.llm)
        self.explorations.use(self._explorer())

    @property
    def language(self) -> Language:
        return LANGUAGES[self.settings.language]

    def choices_of(self, conversation: Conversation) -> dict[str, str]:
        """Return what a conversation runs with: its own choices, and for the rest what the settings say."""
        own = conversation.setup.choices
        return {name: own.get(name, said) for name, said in choices_in(self.settings).items()}

    def choose(self, session_id: str, choices: Mapping[str, str | None]) -> None:
        """Let a conversation run with parts of its own (engine, policy, understander); None: as the settings say.

        Raises UnknownSession, and SettingsError for what cannot be chosen.
        """
        now = self.snapshot(session_id)
        seen = [name for one in recorded(now.log) for name in one.moment.answers.declared]
        event = Configured(**{**now.conversation.setup.choices, **self.agents.checked(choices, seen)})
        self._sessions.write(session_id, lambda session: session.note(event))

    def react(self, session_id: str, choice: int, reaction: Reaction) -> None:
        """Record what the user made of what agents did; `choice` is the entry of the choice. It is learned from.

        Raises UnknownSession, and LookupError where there is no such choice.
        """
        if choice not in [one.chosen for one in recorded(self.snapshot(session_id).log)]:
            raise LookupError(f"Entry {choice} of the conversation is no choice of an agent.")
        event = ReactionGiven(of=choice, reaction=reaction)
        self._sessions.write(session_id, lambda session: session.note(event))
        self.agents.react(self.snapshot(session_id).log, choice, self.learner(session_id), session_id)

    def learner(self, session_id: str) -> Learner:
        """Return what is learned from the user of a conversation, in all that share it. Raises UnknownSession."""
        return self.agents.learner(self.snapshot(session_id).conversation.setup.learner or session_id)

    def learned(self, session_id: str) -> dict[str, JsonValue]:
        """Return all of that, and what each orchestrator makes of it, as JSON. Raises UnknownSession."""
        choices = self.choices_of(self.snapshot(session_id).conversation)
        return self.agents.learned(self.learner(session_id), choices)

    def unlearn(self, session_id: str, lesson: int = 0) -> None:
        """Take back what was learned from the user of a conversation: one lesson by its number, or everything.

        Raises UnknownSession, and LookupError where there is no such lesson.
        """
        choices = self.agents.unlearn(self.learner(session_id), lesson, session_id)
        if choices:
            self._sessions.write(session_id, lambda session: session.note(Forgotten(of=choices)))

    def rename(self, session_id: str, name: str) -> None:
        """Give a conversation a name of its own; an empty one takes it away. Raises UnknownSession."""
        event = Renamed(name=" ".join(name.split())[:100])
        self._sessions.write(session_id, lambda session: session.note(event))

    # what there is

    def catalogs(self) -> tuple[str, ...]:
        """List the names of the catalogs, those of the operator first; files that have changed are loaded anew."""
        self.library.refresh()
        return self.library.names

    def loaded(self, name: str) -> Loaded:
        """Return a catalog as it was loaded. Raises UnknownCatalog."""
        return self.library.loaded(name)

    def sessions(self) -> tuple[SessionRow, ...]:
        return tuple(map(row_of, self._store.streams(CONVERSATION.name)))

    def sessions_with_agents(self) -> Future[tuple[SessionRow, ...]]:
        """Find in the background the conversations in which agents were asked, last used first."""

        def kinds_of(session_id: str) -> set[str]:
            with suppress(UnknownSession, DamagedStream):  # deleted in the meantime, or lost
                return {entry.kind for entry in self._store.read(_stream(session_id))}
            return set()

        return self.analyses.with_agents(self.sessions(), kinds_of)

    def warm(self, catalog: str) -> Future[None]:
        """Prepare in the background, once, what the first turns would otherwise wait for: understander and skills."""
        return self._preparations.warm(catalog)

    def warm_all(self, first: str) -> None:
        """Prepare a catalog in the background, and after it the others, one at a time."""
        self._preparations.warm_all(first)

    def look_into(self, catalog: str, text: str, today: date | None = None) -> Future[Insight]:
        """Inspect in the background how a sentence is understood, and what the plan for it would be.

        The first time, the understander is made ready. Raises UnknownCatalog.
        """
        self.loaded(catalog)
        return self._pool.submit(lambda: self.inspect(catalog, text, today))

    def inspect(self, catalog: str, text: str, today: date | None = None) -> Insight:
        planner = Planner(ENGINES[self.settings.engine], self.settings.search_limits)
        day = today or self.today
        return look_into(self.loaded(catalog).catalog, self.understander_of(catalog), planner, text, day)

    def try_catalog(self, name: str) -> Future[tuple[tuple[Problem, ...], str]]:
        """Import what a catalog names, in other processes, and say its words to the assistant, in the background.

        Returns what was found, and how far the words came where their time was up.
        """
        loaded = self.loaded(name)

        def work() -> tuple[tuple[Problem, ...], str]:
            trial = try_words(loaded, self._preparations.understander(loaded, "offline"), self.today)
            return (*self._skills.check_imports(loaded), *trial.problems), trial.note

        return self.analyses.compute(("tried", loaded.digest, loaded.file), work)

    def try_language_model(self, settings: ModelSettings, catalog: Catalog, text: str) -> Future[Trial]:
        """Ask a language model once in the background, with settings that need not be in use.

        The job raises Unfit or NotInstalled.
        """
        return self._pool.submit(lambda: self.language_model.try_it(settings, catalog, text, self.today))

    @property
    def today(self) -> date:
        return self._today or self._clock().astimezone().date()

    def likelihoods_of(self, catalog: str) -> Likelihoods:
        """Return which likelihoods of outcomes count in new plans for a catalog, as the settings say."""
        return self.counts.likelihoods(catalog, LikelihoodSource(self.settings.likelihoods), self.settings.prior_calls)

    # a conversation

    def start(self, catalog: str = "banking", choices: Mapping[str, str | None] | None = None, user: str = "") -> str:
        """Begin a conversation; return its id, which is the only way to it.

        `choices` are for this conversation alone (see `choose`). What is learned from a `user` (a browser, a name at a
        terminal) counts in all conversations with the catalog that name the same; without one, in this one alone.
        Raises UnknownCatalog or SettingsError.
        """
        self.refresh()
        self.library.refresh()
        catalog = self.library.find(catalog)
        loaded = self.loaded(catalog)
        chosen = self.agents.checked(choices or {})
        session_id = uuid.uuid4().hex
        journal = new_conversation(session_id, self._store, self._clock)
        learner = f"{catalog} {user}" if user else ""
        journal.add(SessionStarted(catalog=catalog, digest=loaded.digest, title=loaded.catalog.label, learner=learner))
        if any(chosen.values()):
            journal.add(Configured(**chosen))
        journal.add(Replied(text=loaded.catalog.greeting))
        journal.flush()
        self._sessions.add(session_id, self._session(journal, loaded, catalog))
        return session_id

    def say(
        self,
        session_id: str,
        text: str,
        uploads: Sequence[Upload] = (),
        command_id: str | None = None,
        seen: int | None = None,
    ) -> None:
        """Say something to the assistant. When this returns, it is written down; the work goes on elsewhere.

        The same `command_id` said twice counts once (a double click, two tabs). `seen` is the entry up to which the
        page was drawn on which it is said: a question that was put later is not answered by it. Raises UnknownSession,
        TooLarge, or CommandReused for an id that something else was said with.
        """
        attachments = [keep_upload(self._store, _stream(session_id), upload) for upload in uploads]
        self._sessions.write(session_id, lambda session: session.hear(text, attachments, command_id or "", seen))

    def alert(
        self, session_id: str, trigger: str, facts: Mapping[str, JsonValue] | None = None, command_id: str | None = None
    ) -> None:
        """Report an event that is not an utterance.

        Raises UnknownSession, CommandReused, LookupError for a trigger or a fact that is not declared, and ValueError
        for a value.
        """
        checked = check_event(self.snapshot(session_id).catalog, trigger, facts or {})
        self._sessions.write(session_id, lambda session: session.alert(trigger, checked, command_id or ""))

    def report_task(self, session_id: str, news: TaskNews) -> None:
        """Let a conversation know how a task of it stands. Raises UnknownSession."""
        self._sessions.write(session_id, lambda session: session.report(news))

    def reveal(self, session_id: str, fact: str, shown: bool = True) -> None:
        """Show a sensitive value to its owner, or hide it again."""
        self._sessions.write(session_id, lambda session: session.reveal(fact, shown))

    def settle(self, session_id: str, call_id: str, found: Result | None, reason: Reason) -> None:
        """Record what became of a call in doubt (`dialogue.services.doubts`).

        Raises UnknownSession, StillBusy or NotInDoubt.
        """
        self._sessions.write(session_id, lambda session: session.settle(call_id, found, reason))

    def look_up(self, session_id: str, call_id: str) -> Told | None:
        """Ask a skill's own lookup what became of a call, or of the item of a list at which that broke off.

        None where it has none, or cannot be asked. Nothing is written down of it. Raises UnknownSession, or LookupError
        for another call.
        """
        turn = self._sessions.open(session_id).tools()
        made = turn.conversation.calls.made
        calling = next((one.calling for one in made if one.calling.call_id == call_id), None)
        if calling is None:
            raise LookupError(f"There is no call {call_id!r:.40} in this conversation.")
        return ask_again(turn, calling)

    def snapshot(self, session_id: str) -> Snapshot:
        """View a conversation as it is now. Raises UnknownSession, DamagedStream or UnknownCatalog."""
        session = self._sessions.open(session_id)
        loaded, (log, now) = session.loaded, session.journal.shown
        phase = session.journal.state.phase if now.busy else None
        trouble = self._sessions.trouble_of(session_id) if now.busy else ""
        preparing = self._preparations.under_way(loaded) if now.busy else ""
        return Snapshot(session_id, loaded.catalog, log, now, phase, trouble, preparing, self.language, loaded.digest)

    def wait(self, session_id: str, timeout_s: float = 60.0) -> bool:
        """Wait until the assistant waits; return whether it does."""
        return self._sessions.wait(session_id, timeout_s)

    def finish(self, session_id: str) -> None:
        """Have the assistant work on this thread, where no other has begun to, until it waits."""
        self._sessions.finish(session_id)

    def file(self, session_id: str, sha256: str) -> bytes:
        """Return a file that was uploaded to this conversation, or made in it. Raises UnknownSession."""
        return self._store.get_file(_stream(session_id), sha256)

    def delete(self, session_id: str) -> None:
        """Delete a conversation with its uploads, for good. Raises UnknownSession."""
        self._sessions.delete(session_id, lambda: self._store.delete(_stream(session_id)))
        self.agents.forget(session_id)
        self.counts.forget(session_id)
        self.forks.forget(session_id)

    def export(self, session_id: str) -> dict[str, JsonValue]:
        """Export a conversation as JSON that `explain.verify` checks, secret values masked. Raises UnknownSession."""
        from dialogue.services.exporting import export  # proofs take what nothing else does

        return export(self.snapshot(session_id))[0]

    def forecast(self, seen: Snapshot) -> Future[Forecast | None]:
        """Forecast how a conversation goes on from its open question, in the background; nothing is called for it."""
        policy, digest = self._policy(self.choices_of(seen.conversation)), seen.conversation.setup.digest
        stage = TransitionContext(seen.catalog, policy, ValueExamples(seen.catalog, self.today), digest=digest)
        now = Played(seen.conversation, seen.log, (), None)
        return self.analyses.compute(("forecast", *position_of(seen)), lambda: forecast(stage, now))

    def close(self) -> None:
        """Finish the work under way, and release the store."""
        self.rooms.close()
        self.tasks.stop()
        self.language_model.close()  # its answer is not waited for any more
        self.tasks.close()
        self.explorations.close()
        self.analyses.close()
        self.agents.close()
        self._sessions.close()
        self._improving.shutdown(cancel_futures=True)
        self._skills.close()
        self._store.close()

    # how it is done

    def _rebuild(self, session_id: str) -> Session:
        journal = open_conversation(session_id, self._store, self._clock)
        name = self.library.find(journal.state.setup.catalog, journal.state.setup.digest)
        session = self._session(journal, self.loaded(name), name)
        wake(self, session_id, session)
        return session

    def _session(self, journal: StoredConversation, loaded: Loaded, name: str) -> Session:
        load_input = self._loader(journal.stream.id)
        improvement = BackgroundImprovement(self._improving)
        tasks = TaskGuest(self, self._store, journal.stream.id, loaded, name)

        def make_turn() -> TurnContext:
            chosen = self.choices_of(journal.state)
            learner = journal.state.setup.learner or journal.stream.id
            agents = self.agents.participants(journal.stream.id, name, chosen, learner)
            had_some = journal.state.agents != AgentState()
            return TurnContext(
                catalog=loaded.catalog,
                digest=loaded.digest,
                journal=journal,
                policy=beginning_early(self._policy(chosen)),
                improvement=improvement,
                understander=self._preparations.understander(loaded, chosen["understander"]),
                caller=LendingCaller(self.caller, self._pool),
                load_input=load_input,
                keep_file=partial(self._store.put_file, journal.stream),
                key_of=partial(key_of, journal.stream),
                today=self.today,
                language=self.language,
                likelihoods=self.likelihoods_of(name),
                guests=(AgentGuest(agents), tasks) if agents or had_some else (tasks,),
                in_stages=tasks.find_inputs,
                answer_supposed=partial(self._answer_supposed, journal.stream.id, loaded.catalog),
            )

        claim = SharedClaim(partial(self._store.claim, journal.stream), journal.catch_up, self._pool)
        return Session(journal, loaded, make_turn, claim)

    def _loader(self, session_id: str) -> Callable[[JsonValue], SkillInput]:
        """Return what loads the files that values of a conversation stand for."""
        return partial(load_files, read=partial(self._store.get_file, _stream(session_id)))

    def _stage_on(self, session_id: str, catalog: Catalog, log: Log, now: Conversation) -> ForkStage:
        policy = remembering(self._policy(self.choices_of(now)))
        return ForkStage(catalog, log, policy, self.caller, self._loader(session_id), self.language)

    def _answer_supposed(
        self, session_id: str, catalog: Catalog, log: Log, now: Conversation, supposed: Supposition
    ) -> str | None:
        return answer_supposed(self._stage_on(session_id, catalog, log, now), now, supposed)

    def _replay(self, seen: Snapshot, changed: Catalog | None) -> ReplayResult:
        setup = seen.conversation.setup
        loaded = self.loaded(self.library.find(setup.catalog, setup.digest))
        catalog, load = changed or loaded.catalog, self._loader(seen.session_id)

        def make_turn(journal: ConversationJournal, caller: Caller, improving: Executor) -> TurnContext:
            state, chosen = journal.state, self.choices_of(journal.state)
            heard = state.messages.active if state.messages.active is not None else state.messages.inbox[0]
            return TurnContext(
                catalog=catalog,
                digest=state.setup.digest,
                journal=journal,
                policy=beginning_early(self._policy(chosen)),
                understander=self._preparations.understander(loaded, chosen["understander"]),
                caller=caller,
                load_input=load,
                today=self._today or journal.entry(heard).at.astimezone().date(),
                language=seen.language,
                improvement=BackgroundImprovement(improving),
                answer_supposed=partial(self._answer_supposed, seen.session_id, catalog),
            )

        return replay(catalog, seen.log, make_turn, load)

    def _policy(self, chosen: Mapping[str, str]) -> Policy:
        return POLICIES[chosen["policy"]](ENGINES[chosen["engine"]], self.settings.search_limits)

    def _engine_of(self, conversation: Conversation | None) -> tuple[Engine, Limits]:
        name = self.choices_of(conversation)["engine"] if conversation else self.settings.engine
        return ENGINES[name], self.settings.search_limits

    def _explorer(self) -> Explorer:
        settings, limits = self.settings, self.settings.limits
        policy = self._policy({"policy": settings.policy, "engine": settings.engine})
        return Explorer(policy, settings.engine, WalkBounds(limits.explore_states, limits.explore_seconds))

    @property
    def caller(self) -> Caller:
        return self._skills.caller

    @property
    def functions(self) -> SkillCaller:
        return self._skills.own

    def understander_of(self, catalog: str) -> Understander:
        return self._preparations.understander(self.loaded(catalog), self.settings.understander)
