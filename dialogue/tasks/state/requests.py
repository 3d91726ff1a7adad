"""What the task manager asks for: typed requests, for any calling system (row H12)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from language.interpretation import Frozen
from planning.hierarchy.description import Description, DescriptionPart


class NeedInformation(Frozen):
    """Something has to be handed over: a document, or a value; `stages` get stuck for want of it."""

    request: Literal["information"] = "information"
    facts: tuple[str, ...]
    stages: tuple[str, ...] = ()
    always: bool = False
    """Whether it lacked in every attempted split of these stages."""
    call: str = ""
    """The call that showed that what was handed over before is wrong."""


class NeedFunction(Frozen):
    """There has to be a skill, from inputs that are there to outputs; `failed` names those that were tried in vain."""

    request: Literal["function"] = "function"
    outputs: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    always: bool = False
    failed: tuple[str, ...] = ()


class ConfirmDescription(Frozen):
    """Parts of the description were made up, and have to be confirmed; or are missing, and have to be said."""

    request: Literal["description"] = "description"
    description: Description
    generated: tuple[DescriptionPart, ...] = ()
    missing: tuple[DescriptionPart, ...] = ()


class NeedConsent(Frozen):
    """Sensitive values are to go to a skill."""

    request: Literal["consent"] = "consent"
    skill: str
    facts: tuple[str, ...]


class ConfirmCall(Frozen):
    """A call that has an effect is about to be made."""

    request: Literal["call"] = "call"
    skill: str
    mode: str


class SettleCall(Frozen):
    """It is not known whether a call took effect: a person has to find out."""

    request: Literal["in_doubt"] = "in_doubt"
    call_id: str
    skill: str


class JudgeCriterion(Frozen):
    """A person has to judge an acceptance criterion (by its number, from 1)."""

    request: Literal["judge"] = "judge"
    number: int


Request = Annotated[
    NeedInformation | NeedFunction | ConfirmDescription | NeedConsent | ConfirmCall | SettleCall | JudgeCriterion,
    Field(discriminator="request"),
]
"""What may be asked for."""
