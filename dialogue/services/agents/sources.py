"""The agents and orchestrators that there are besides the assistant: catalogs, wrapped skills and drop-ins."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from catalog.endpoints.confinement import is_possible
from catalog.endpoints.processes import Workers
from catalog.model import Catalog, Skill
from dialogue.agents.agent import MOST_ACTIONS, PRELOADED, Agent, DeclaredAgent, Proposal
from dialogue.agents.model import AgentEvent, AgentReply, ProposedAction
from dialogue.agents.sources.drop_ins import DropIns, MakeAgent, load_drop_ins
from dialogue.agents.sources.skills import SkillAgent, SkillHost, preview_by
from dialogue.log.events import Replied
from dialogue.services.agents.assistant_preview import SURE, answers, requests_of
from dialogue.services.catalogs import UnknownCatalog
from language.interpretation import Context, DialogueAct, Pending
from language.responses.agents import faults as drop_in_faults
from language.responses.agents.replies import AgentPhrases

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
    def make(name: str) -> MakeAgent:
        label = services.loaded(name).catalog.label
        return lambda _: DeclaredAgent(name, label, CatalogAgent(services, name), CATALOG_SECONDS)

    return {name: make(name) for name in services.catalogs()}


@dataclass(eq=False)
class CatalogAgent:
    """The assistant of a catalog as an agent in one conversation of another: it answers in a conversation of its own.

    That conversation can be opened and looked into like any other. Its id is empty while there is none yet.
    """

    services: Services
    catalog: str
    conversation: str = ""

    def preview(self, event: AgentEvent) -> Proposal | None:
        """Return what the assistant would do: answer its own question, or serve a request. Nothing is written down."""
        if self.conversation and (action := self._takes(event.text)):
            return Proposal(confidence=SURE, actions=(ProposedAction(text=action),))
        seen = self.services.inspect(self.catalog, event.text)
        requests = requests_of(seen.analysis.meaning)
        if not requests:
            return None
        declared = self.services.loaded(self.catalog).catalog
        steps = [line.partition(". ")[2].rstrip(";") for line in seen.plan.splitlines()]
        wanted = [declared.goals[one.goal].label for one in requests]
        actions = tuple(ProposedAction(text=text) for text in steps or wanted)
        confidence = max(one.confidence for one in requests)
        return Proposal(confidence=min(max(confidence, 0.0), 1.0), actions=actions[:MOST_ACTIONS])

    def execute(self, event: AgentEvent, actions: Sequence[ProposedAction]) -> AgentReply:
        """Say it in the conversation of this agent, which has no further ones, and pass on what is replied.

        The work is done on this thread: no other may be free.
        """
        self.conversation = self.conversation or self.services.start(self.catalog, ALONE)
        before = len(self.services.snapshot(self.conversation).log)
        self.services.say(self.conversation, event.text)
        self.services.finish(self.conversation)
        seen = self.services.snapshot(self.conversation)
        said = "\n\n".join(entry.event.text for entry in seen.log[before:] if isinstance(entry.event, Replied))
        return AgentReply(text=said, asks=seen.conversation.questions.pending is not None, actions=tuple(actions))

    def _takes(self, text: str) -> str:
        """Say what a text does about the question that is open in the conversation: answer it, or drop it; else ""."""
        seen = self.services.snapshot(self.conversation)
        pending = seen.conversation.questions.pending
        if pending is None:
            return ""
        asked = pending.asked
        context = Context(
            today=self.services.today,
            pending=Pending(kind=asked.about, subject=asked.subject, options=asked.options, facts=asked.facts),
        )
        meaning = self.services.understander_of(seen.conversation.setup.catalog).understand(text, context)
        is_answer = answers(asked, meaning)
        taken = is_answer or meaning.control is DialogueAct.STOP
        return AgentPhrases().own_action(meaning, is_answer) if taken else ""


class _Wrapping:
    """Wraps skills and catalogs of the services as agents."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def wrap_catalog(self, catalog: str) -> Callable[[str], Agent]:
        self._catalog(catalog)
        return lambda _: CatalogAgent(self._services, catalog)

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
