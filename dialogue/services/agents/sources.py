"""The agents and orchestrators that there are: catalogs, wrapped skills, drop-ins; what the assistant would do."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from catalog.endpoints.confinement import is_possible
from catalog.endpoints.processes import Workers
from catalog.model import Catalog, Skill
from dialogue.agents.agent import MOST_ACTIONS, Agent, DeclaredAgent, Proposal
from dialogue.agents.model import ASSISTANT, AgentEvent, AgentReply, Preview, ProposedAction, Silence, SilenceReason
from dialogue.agents.processes import PRELOADED
from dialogue.agents.sources.catalogs import CatalogAgent
from dialogue.agents.sources.drop_ins import DropIns, MakeAgent, load_drop_ins
from dialogue.agents.sources.skills import SkillAgent, SkillHost, preview_by
from dialogue.context import TurnContext
from dialogue.log.events import Asked, Heard, Replied
from dialogue.moves.addressed import question_of
from dialogue.moves.integrate import sort_out
from dialogue.moves.replies import foresee
from dialogue.services.catalogs import UnknownCatalog
from language.interpretation import Context, DialogueAct, Intent, Interpretation, Pending
from language.responses.agents import drop_in_faults
from language.responses.agents.replies import AgentPhrases
from planning.model import Solved, StepKind
from planning.plans.solve import solve

if TYPE_CHECKING:
    from dialogue.services.services import Services


CATALOG_SECONDS = 5.0
"""The time limit of previews by a catalog: it interprets and plans."""
ALONE = {"agents": "", "orchestrator": "planner"}
"""Conversations of agents have no further agents: each could ask the other without end."""
_log = logging.getLogger(__name__)


def offer_agents(services: Services) -> DropIns:
    """Offer all catalogs as agents, and what lies in the operator's drop-in folders; log what cannot be used."""
    settings = services.settings
    limits = replace(settings.confinement, readable=tuple(str(one.resolve()) for one in settings.drop_ins))
    workers = Workers(PRELOADED, confinement=limits, kept=True)
    taken = dict.fromkeys(services.catalogs(), "a catalog")
    possible = settings.unconfined or is_possible()
    found = load_drop_ins(
        settings.drop_ins, workers, _Wrapping(services), taken, settings.trusted, can_confine=possible
    )
    for problem in found.problems:
        _log.warning("%s", problem)
    services.agents.offer({**_catalogs_of(services), **found.agents}, found, workers.close)
    return found


def _catalogs_of(services: Services) -> dict[str, MakeAgent]:
    talk = ServicesTalk(services)

    def make(name: str) -> MakeAgent:
        label = services.loaded(name).catalog.label
        return lambda _: DeclaredAgent(name, label, CatalogAgent(talk, name), CATALOG_SECONDS)

    return {name: make(name) for name in services.catalogs()}


class ServicesTalk:
    """Conversations of agents, held by the services like any other."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def would_do(self, catalog: str, conversation: str, text: str) -> Proposal | None:
        """Return what the assistant of a catalog would do: answer its own question, or serve a request."""
        if conversation and (action := self._takes(conversation, text)):
            return Proposal(confidence=SURE, actions=(ProposedAction(text=action),))
        seen = self._services.inspect(catalog, text)
        requests = requests_of(seen.analysis.meaning)
        if not requests:
            return None
        declared = self._services.loaded(catalog).catalog
        steps = [line.partition(". ")[2].rstrip(";") for line in seen.plan.splitlines()]
        wanted = [declared.goals[one.goal].label for one in requests]
        actions = tuple(ProposedAction(text=text) for text in steps or wanted)
        confidence = max(one.confidence for one in requests)
        return Proposal(confidence=min(max(confidence, 0.0), 1.0), actions=actions[:MOST_ACTIONS])

    def begin(self, catalog: str) -> str:
        """Begin a conversation without further agents."""
        return self._services.start(catalog, ALONE)

    def reply_to(self, conversation: str, text: str) -> AgentReply:
        """Say something, and return the new replies. The work is done on this thread: no other may be free."""
        before = len(self._services.snapshot(conversation).log)
        self._services.say(conversation, text)
        self._services.finish(conversation)
        seen = self._services.snapshot(conversation)
        said = [entry.event.text for entry in seen.log[before:] if isinstance(entry.event, Replied)]
        return AgentReply(text="\n\n".join(said), asks=seen.conversation.questions.pending is not None)

    def _takes(self, conversation: str, text: str) -> str:
        """Say what a text does about the question that is open in a conversation: answer it, or drop it; else ""."""
        seen = self._services.snapshot(conversation)
        pending = seen.conversation.questions.pending
        if pending is None:
            return ""
        asked = pending.asked
        context = Context(
            today=self._services.today,
            pending=Pending(kind=asked.about, subject=asked.subject, options=asked.options, facts=asked.facts),
        )
        meaning = self._services.understander_of(seen.conversation.setup.catalog).understand(text, context)
        is_answer = answers(asked, meaning)
        taken = is_answer or meaning.control is DialogueAct.STOP
        return AgentPhrases().own_action(meaning, is_answer) if taken else ""


class _Wrapping:
    """Wraps skills and catalogs of the services as agents."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def wrap_catalog(self, catalog: str) -> Callable[[str], Agent]:
        self._catalog(catalog)
        talk = ServicesTalk(self._services)
        return lambda _: CatalogAgent(talk, catalog)

    def wrap_skill(self, catalog: str, skill: str) -> Callable[[str], Agent]:
        declared = self._skill(catalog, skill)
        host = self._host(catalog)
        return lambda _: SkillAgent(host, declared)

    def preview_by_skill(self, catalog: str, skill: str) -> Callable[[AgentEvent], Proposal | None]:
        return preview_by(self._host(catalog), self._skill(catalog, skill))

    def _catalog(self, name: str) -> Catalog:
        try:
            return self._services.loaded(name).catalog
        except UnknownCatalog as error:
            raise LookupError(drop_in_faults.no_catalog(name, self._services.catalogs())) from error

    def _skill(self, catalog: str, name: str) -> Skill:
        skills = self._catalog(catalog).skills
        if name not in skills:
            raise LookupError(drop_in_faults.no_skill(catalog, name, skills))
        return skills[name]

    def _host(self, catalog: str) -> SkillHost:
        services = self._services
        return SkillHost(
            self._catalog(catalog), lambda: services.understander_of(catalog), services.caller, lambda: services.today
        )


SURE = 1.0
"""The confidence where there is nothing to be unsure of: an answer to its question, a “stop”, a file."""
TOLD = 0.5
"""The confidence where something was told that belongs to nothing that is being done."""
_ANSWERS = (DialogueAct.YES, DialogueAct.NO, DialogueAct.SKIP)


def own_preview(turn: TurnContext, heard: int, meaning: Interpretation) -> Preview | Silence:
    """Return what the assistant has to offer. What it is too unsure of to act on is nothing.

    The confidence is that of the surest request. For each request there is an action with what it would ask for and
    what it comes to, and one for each skill that would be called.
    """
    is_answer = answers_own(turn, heard, meaning)
    requests = [max((goal.confidence for goal in meaning.goals), default=0.0)]
    confidence = SURE if is_answer or _is_sure(turn, heard, meaning) else requests[0]
    if not confidence and (meaning.values or meaning.preference or meaning.errors):
        confidence = TOLD
    if not confidence:
        return Silence(agent=ASSISTANT, reason=SilenceReason.NOTHING_TO_OFFER)
    actions = _requested(turn, heard, meaning)
    if not actions:
        actions = (ProposedAction(text=turn.language.agents.own_action(meaning, is_answer)),)
    return Preview(agent=ASSISTANT, confidence=min(max(confidence, 0.0), 1.0), actions=actions)


def requests_of(meaning: Interpretation) -> tuple[Intent, ...]:
    """Return what is asked for: who says stop asks for nothing, whatever is named with it."""
    return () if meaning.control is DialogueAct.STOP else meaning.goals


def answers(asked: Asked, meaning: Interpretation, about: Iterable[str] = ()) -> bool:
    """Return whether an utterance answers a question; `about` are further facts that this would take."""
    facts = {asked.subject, *asked.facts, *about}
    chosen = asked.about == "choice" and any(goal.goal in asked.options for goal in meaning.goals)
    return chosen or meaning.control in _ANSWERS or any(value.fact in facts for value in meaning.values)


def answers_own(turn: TurnContext, heard: int, meaning: Interpretation) -> bool:
    """Return whether an utterance answers the question that its author saw."""
    asked = question_of(turn, heard)
    pending = asked.pending or asked.shown
    return pending is not None and answers(pending.asked, meaning, asked.about)


def _is_sure(turn: TurnContext, heard: int, meaning: Interpretation) -> bool:
    said = turn.journal.entry(heard).event
    sent = isinstance(said, Heard) and bool(said.attachments)
    told = meaning.control is not None and meaning.control not in _ANSWERS
    return sent or told or meaning.question is not None or meaning.term is not None


def _requested(turn: TurnContext, heard: int, meaning: Interpretation) -> tuple[ProposedAction, ...]:
    if not requests_of(meaning):
        return ()
    requests = sort_out(turn.catalog, turn.conversation, heard, meaning).requests
    planner, actions = turn.policy.planner, []
    for goal, task in foresee(turn, requests):
        result = solve(task, planner.engine, planner.limits)
        steps = result.plan.steps if isinstance(result, Solved) else ()
        asked = tuple(step.subject for step in steps if step.kind is StepKind.ASK)
        actions.append(ProposedAction(text=goal.label, inputs=asked, outputs=goal.facts))
        for step in steps:
            if step.kind is StepKind.SKILL:
                label = turn.catalog.skills[step.subject].label
                actions.append(ProposedAction(text=label, inputs=step.inputs, outputs=step.outputs))
    return tuple(actions)
