"""Settings of a catalog: consent, confirmations, and the metric to minimise."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from catalog.model.entry import Cost, Entry


class AuthorizationPolicy(StrEnum):
    """How often consent is asked before sensitive facts go to a skill (Verdi paper, §3.5)."""

    PER_SKILL = "per_skill"
    """Once for each skill, the first time it gets anything sensitive."""
    PER_FACT = "per_fact"
    """Once for each data element, whichever skills get it."""


class ApprovalPolicy(StrEnum):
    """What is asked before something is done."""

    CALLS = "calls"
    """Consent and go-aheads, one call at a time, where a skill declares that it needs them."""
    PLAN = "plan"
    """The whole plan first: every step, who gets what, what it costs, and what cannot be undone."""


class Metric(StrEnum):
    """What a plan can be made cheap in (Verdi paper, §5: metric goals)."""

    COST = "cost"
    """The costs that the catalog declares for calls, questions and consents."""
    MONEY = "money"
    """What the calls of skills are charged at."""
    TIME = "time"
    """How long calls and answers take."""
    QUALITY = "quality"
    """How good the results are: the product of the qualities of all calls is made as large as can be."""


class LikelihoodPolicy(StrEnum):
    """Whether a planner counts how likely the outcome is that it hopes for."""

    DECLARED = "declared"
    """What a call costs is divided by the declared likelihood of its outcome."""
    IGNORED = "ignored"
    """A call costs the same whatever is hoped for."""


class Settings(Entry):
    """How the assistant of this catalog behaves."""

    ask_cost: Cost = Field(default=1.0, description="What a planner counts for one question.")
    authorize_cost: Cost = Field(default=1.0, description="What a planner counts for asking consent.")
    map_cost: Cost = Field(default=0.1, description="What a planner counts for letting a fact stand for another.")
    ask_time_s: Cost = Field(default=10.0, description="Seconds that a person takes to answer a question.")
    authorize_time_s: Cost = Field(default=5.0, description="Seconds that a person takes to give or decline consent.")
    minimize: Metric = Field(default=Metric.COST, description="What plans are made cheap in, unless the user chooses.")
    likelihoods: LikelihoodPolicy = Field(
        default=LikelihoodPolicy.DECLARED,
        description="Whether what a call costs is divided by the likelihood of the outcome that is hoped for.",
    )
    budget: Cost | None = Field(
        default=None, description="Money that pursuing one goal may cost at most, unless the user says otherwise."
    )
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = Field(
        default="EUR", description="Of the budget, and of what skills are charged at; three capital letters."
    )
    authorization: AuthorizationPolicy = Field(
        default=AuthorizationPolicy.PER_SKILL, description="How often consent is asked."
    )
    approval: ApprovalPolicy = Field(
        default=ApprovalPolicy.CALLS, description="Whether the whole plan is approved before it runs."
    )
    max_asks: Annotated[int, Field(ge=1, le=10)] = Field(default=3, description="How often one question is put.")
    max_goals: Annotated[int, Field(ge=1, le=100)] = Field(default=10, description="How deep the goal stack may get.")
