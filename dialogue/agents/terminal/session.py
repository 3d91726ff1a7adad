"""A session at a terminal: agents are asked in a thread of their own, and what was asked, chosen and done is written.

Everything here happens beside the shell: what is late, fails or cannot be written costs a suggestion, and no command.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from queue import SimpleQueue
from threading import Thread
from typing import Protocol

from pydantic import JsonValue
from rapidfuzz.fuzz import ratio

from dialogue.agents.agent import DeclaredAgent
from dialogue.agents.broadcast import broadcast, execute
from dialogue.agents.events import Acted, Broadcast, Chosen, ReactionGiven
from dialogue.agents.feedback import Feedback, feedback_from
from dialogue.agents.model import (
    AgentEvent,
    AgentName,
    AgentReply,
    Answers,
    Choice,
    Forced,
    Moment,
    Preview,
    Reaction,
    Silence,
    SilenceReason,
    Stage,
)
from dialogue.agents.orchestrators import Orchestrator
from dialogue.agents.orchestrators.planner import choose_or_plan
from dialogue.agents.orchestrators.protocol import State
from dialogue.agents.terminal.advisers.vocabulary import ASKED, COMMAND, UNKNOWN
from dialogue.agents.terminal.danger import danger_in
from dialogue.agents.terminal.plain_text import plain, without_credentials
from dialogue.agents.terminal.sessions import SessionEnded, ShellStarted
from dialogue.agents.terminal.wrapped.relay import AFTER_SECONDS, FORCED_SECONDS, patience
from dialogue.agents.terminal.wrapped.surface import ShownSuggestion
from dialogue.log.streams import Event
from language.responses.agents import terminal as words

ORCHESTRATE = "orchestrate"
"""`clai orchestrate [NAME] [FIGURE=VALUE …]` lists the orchestrators and switches to another, as in CLAI."""
_log = logging.getLogger(__name__)
_SHARE = 0.7
"""The share of its budget that agents have; the rest is for choosing and showing."""
_EDITED = 60.0
"""How alike, of 100, a line must be to what was taken to count as an edited form of it."""
_LONGEST_OUTPUT = 4_000

Reply = Callable[[int, ShownSuggestion | None], None]
Surroundings = Callable[[str, Stage, int | None], Mapping[str, JsonValue]]
"""What agents are told besides, about a command that is about to run or has ended with an exit code."""


class Learning(Protocol):
    """Keeps what is learned from the person at the terminal."""

    def state(self) -> tuple[State, int]:
        """Return what the orchestrator has learned, and from how many entries."""
        ...

    def learn(self, feedback: Feedback, entry: int) -> None: ...


Switch = Callable[[Sequence[str]], tuple[Sequence[str], Orchestrator]]
"""Lists the orchestrators, after a switch to another where one is named; it returns the lines, and the one in use.

Raises ValueError, which changes nothing.
"""


class ShellRecord(Protocol):
    """Where events are written; it returns the number of each."""

    def add(self, event: Event) -> int: ...

    def flush(self) -> None: ...


@dataclass(frozen=True)
class ShellParticipants:
    """Who takes part: agents in the order of declaration, and the orchestrator that chooses among them."""

    agents: tuple[DeclaredAgent, ...]
    orchestrator: Orchestrator


@dataclass
class _Asked:
    """A choice and what became of it."""

    number: int
    moment: Moment
    entry: int
    suggestion: ShownSuggestion | None
    replies: tuple[tuple[AgentName, AgentReply | None, str], ...]
    shown: bool = False
    taken: bool = False


class TerminalSession:
    """Guides a shell: see `Guide` of the relay. `close` ends it, and waits until everything is written."""

    def __init__(
        self,
        participants: ShellParticipants,
        learning: Learning,
        record: ShellRecord,
        *,
        reply: Reply,
        surroundings: Surroundings,
        shell: str,
        edits: bool,
        switch: Switch | None = None,
    ) -> None:
        self._participants, self._learning, self._record = participants, learning, record
        self._switch = switch
        self._reply, self._surroundings, self._edits = reply, surroundings, edits
        self._turn: list[_Asked] = []
        self._last_run: AgentEvent | None = None
        self._jobs: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        names = tuple(agent.name for agent in participants.agents)
        self._jobs.put(
            lambda: self._write(ShellStarted(shell=shell, orchestrator=participants.orchestrator.name, agents=names))
        )
        self._thread = Thread(target=self._work, name="terminal-session", daemon=True)
        self._thread.start()

    # --- what the relay calls, from its own thread

    def before(self, number: int, text: str, forced: Forced | None, *, known: bool) -> None:
        """Ask about a line that is about to be run, or that the user asked about."""
        self._jobs.put(lambda: self._before(number, text, forced, known=known))

    def after(self, number: int, text: str, output: str, exit_code: int) -> None:
        self._jobs.put(lambda: self._after(number, text, output, exit_code))

    def shown(self, number: int) -> None:
        self._jobs.put(lambda: self._shown(number))

    def taken(self, number: int) -> None:
        self._jobs.put(lambda: self._taken(number))

    def dropped(self, number: int) -> None:
        self._jobs.put(lambda: self._react(number, Reaction.DISMISSED))

    def close(self, exit_code: int) -> None:
        self._jobs.put(lambda: self._write(SessionEnded(exit_code=exit_code)))
        self._jobs.put(None)
        self._thread.join()

    # --- what the session's own thread does

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except Exception:  # the shell goes on, whatever agents and files do
                _log.warning("a step of the session at the terminal failed", exc_info=True)

    def _before(self, number: int, text: str, forced: Forced | None, *, known: bool) -> None:
        line = without_credentials(text)
        try:
            if forced is not None and not line:
                self._ask_again(number, forced)
                return
            if forced is not None and forced.agent is None and line.split()[0] == ORCHESTRATE:
                self._orchestrate(number, line.split()[1:])
                return
            context = dict(self._surroundings(line, Stage.BEFORE, None))
            context |= {ASKED: True} if forced is not None else {} if known else {UNKNOWN: True}
            event = AgentEvent(text=line, stage=Stage.BEFORE, context=context)
            verdict = _verdict_on(line) if forced is not None or not known else None
            if forced is None or verdict is not None:
                self._followed_by(event, verdict)
            self._ask(number, event, forced, patience(text, known=known) if forced is None else FORCED_SECONDS)
        except BaseException:
            self._reply(number, None)
            raise

    def _ask_again(self, number: int, forced: Forced) -> None:
        if self._last_run is None:
            self._reply(number, ShownSuggestion((words.NOTHING_RUN,)))
        else:
            asked = self._last_run.model_copy(update={"context": {**self._last_run.context, ASKED: True}})
            self._ask(number, asked, forced, FORCED_SECONDS)

    def _orchestrate(self, number: int, words_after: Sequence[str]) -> None:
        """List the orchestrators, and use another one from now on where one is named."""
        try:
            lines, orchestrator = ((), None) if self._switch is None else self._switch(words_after)
        except (ValueError, OSError) as error:
            lines, orchestrator = (str(error),), None
        if orchestrator is not None:
            self._participants = replace(self._participants, orchestrator=orchestrator)
        self._reply(number, ShownSuggestion(tuple(lines)))

    def _after(self, number: int, text: str, output: str, exit_code: int) -> None:
        line = without_credentials(text)
        try:
            event = AgentEvent(
                text=line,
                stage=Stage.AFTER,
                output=without_credentials(output.strip("\n"))[-_LONGEST_OUTPUT:],
                exit_code=exit_code,
                context=dict(self._surroundings(line, Stage.AFTER, exit_code)),
            )
            before = self._turn[-1].moment.event if self._turn else None
            if before is None or before.stage is not Stage.BEFORE or before.text != line:
                self._followed_by(event)
            else:
                self._judge(event.text)
            self._last_run = event
            self._ask(number, event, None, AFTER_SECONDS)
        except BaseException:
            self._reply(number, None)
            raise

    def _ask(self, number: int, event: AgentEvent, forced: Forced | None, seconds: float) -> None:
        limit = seconds * _SHARE
        agents = [replace(agent, limit_s=min(agent.limit_s, limit)) for agent in self._participants.agents]
        answers, took = broadcast(agents, event)
        answers = harmless(answers)
        state, learned = self._learning.state()
        choice, who = choose_or_plan(self._participants.orchestrator, state, event, answers, forced=forced, seed=number)
        replies = self._let_act(event, answers, choice)
        suggestion = suggest(replies, keys=self._edits)
        if suggestion is None and forced is not None:
            suggestion = ShownSuggestion((words.nobody_answers(forced.agent, answers.declared),))
        self._reply(number, suggestion)
        of = self._write(
            Broadcast(event=event, answers=answers, took_ms={name: round(ms, 2) for name, ms in took.items()})
        )
        chosen = Chosen(of=of, orchestrator=who, choice=choice, forced=forced, learned=learned)
        entry = self._write(chosen)
        moment = Moment(event=event, answers=answers, choice=choice)
        self._turn.append(_Asked(number, moment, entry, suggestion if replies else None, replies))

    def _let_act(
        self, event: AgentEvent, answers: Answers, choice: Choice
    ) -> tuple[tuple[AgentName, AgentReply | None, str], ...]:
        agents = {agent.name: agent for agent in self._participants.agents}
        previews = {preview.agent: preview for preview in answers.previews}
        replies = []
        for name in choice.agents:
            done = execute(agents[name], event, previews[name].actions)
            reply, trouble = done.reply, done.trouble
            if reply is not None and any(danger_in(action.text) for action in reply.actions):
                reply, trouble = None, words.NEVER_SUGGESTED
            replies.append((name, reply, trouble))
        return tuple(replies)

    def _shown(self, number: int) -> None:
        asked = self._find(number)
        if asked is not None:
            asked.shown = True
            for name, reply, trouble in asked.replies:
                self._write(Acted(of=asked.entry, agent=name, reply=reply, trouble=trouble))

    def _taken(self, number: int) -> None:
        asked = self._find(number)
        if asked is not None:
            asked.taken = True

    def _find(self, number: int) -> _Asked | None:
        return next((asked for asked in self._turn if asked.number == number), None)

    def _react(self, number: int, reaction: Reaction) -> None:
        asked = self._find(number)
        if asked is not None and asked.shown and asked.moment.reaction is None:
            asked.moment = asked.moment.model_copy(update={"reaction": reaction})
            self._write(ReactionGiven(of=asked.entry, reaction=reaction))

    def _judge(self, line: str, verdict: bool | None = None) -> None:
        """Judge what was suggested by the line that came next, and by the verdict on it if that line is one."""
        for asked in self._turn:
            if not asked.shown or asked.suggestion is None:
                continue
            if asked.suggestion.command:
                made = judge(asked.suggestion, line, taken=asked.taken)
                self._react(asked.number, made if verdict is not False else Reaction.DISMISSED)
            elif verdict is not None:
                self._react(asked.number, Reaction.FOLLOWED if verdict else Reaction.DISMISSED)

    def _followed_by(self, event: AgentEvent, verdict: bool | None = None) -> None:
        """A turn is over: what it teaches is known. An explanation is followed or not only by a verdict on it."""
        self._judge(event.text, verdict)
        turn, self._turn = self._turn, []
        for asked in turn:
            for feedback in feedback_from(asked.moment, None, event):
                self._learning.learn(feedback, asked.entry)

    def _write(self, event: Event) -> int:
        number = self._record.add(event)
        self._record.flush()
        return number


def harmless(answers: Answers) -> Answers:
    """Leave out what is never suggested, from any agent."""
    came: list[Preview | Silence] = list(answers.silent)
    for preview in answers.previews:
        if any(danger_in(action.text) for action in preview.actions):
            reason = SilenceReason.NOTHING_TO_OFFER
            came.append(Silence(agent=preview.agent, reason=reason, detail=words.NEVER_SUGGESTED))
        else:
            came.append(preview)
    return Answers.of(answers.declared, came)


def _verdict_on(line: str) -> bool | None:
    from language.acts.verdicts_on_answers import read_verdict  # its readers take longer to load than a shell to start

    return read_verdict(line)


def judge(suggestion: ShownSuggestion | None, line: str, *, taken: bool) -> Reaction:
    """Return what a person made of a suggestion, judging by the line that came next."""
    command = " ".join(suggestion.command.split()) if suggestion is not None else ""
    said = " ".join(line.split())
    if command and said == command:
        return Reaction.FOLLOWED
    return Reaction.EDITED if taken and ratio(command, said) >= _EDITED else Reaction.IGNORED


def suggest(replies: Sequence[tuple[AgentName, AgentReply | None, str]], *, keys: bool) -> ShownSuggestion | None:
    """Put what agents say into lines; the first command among it is the one that can be taken."""
    lines: list[str] = []
    command = ""
    for name, reply, _ in replies:
        if reply is None:
            continue
        offered = next((" ".join(plain(a.text).split()) for a in reply.actions if COMMAND in a.outputs), "")
        lines += words.answer(name, plain(reply.text), offered)
        command = command or offered
    if not lines:
        return None
    return ShownSuggestion((*lines, *([words.KEYS] if command and keys else [])), command)
