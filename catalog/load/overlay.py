"""A catalog with what was supplied to it while a task waits: skills and facts as text, checked as any catalog is.

Everything that the catalog had stays as it is: nothing can be declared anew. Skills that are supplied are called in
processes of their own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator

from catalog import endpoints
from catalog.analysis.dependencies import find_made_in_stages
from catalog.checks.check import check_endpoints
from catalog.checks.errors import find_errors
from catalog.expand.expansion import expand
from catalog.expand.instance_copies import change
from catalog.load.model_reader import read_model
from catalog.load.yaml_reader import FileForm
from catalog.model import Catalog, Fact, Skill
from catalog.model.aliases import Aliases, find_aliases, join_aliases
from catalog.model.entry import MAX_NAMES, Entry, name_by_key
from catalog.model.loaded import Loaded
from catalog.model.names import Name, folded
from catalog.problems import Findings, Place, Problem
from catalog.values import UnfitDeclaration
from catalog.values.base import listed

FORM = FileForm("supplement", "supplements", "Begin with `skills:`.", 12, {})


class Supplement(Entry):
    """What is supplied to a catalog: skills, and facts that it does not have."""

    facts: Annotated[Mapping[Name, Fact], BeforeValidator(name_by_key)] = Field(
        default_factory=dict, max_length=MAX_NAMES, description="Facts that the skills speak of."
    )
    skills: Annotated[Mapping[Name, Skill], BeforeValidator(name_by_key)] = Field(
        default_factory=dict, max_length=MAX_NAMES, description="What can be done besides."
    )

    @model_validator(mode="after")
    def _has_something(self) -> Supplement:
        if not (self.facts or self.skills):
            raise UnfitDeclaration("Nothing is supplied.", "Write `skills:` and at least one of them.")
        return self


@dataclass(frozen=True, slots=True)
class Capability:
    """What was requested: facts to be made, and the facts that are there to make them of.

    What is `there` besides may be used as well, and so may all that can be made of it, in stages too.
    """

    inputs: Collection[str]
    outputs: Collection[str]
    there: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Misfit:
    """How a skill fails what was requested: outputs that it does not give, or inputs of it that are not there.

    The inputs are those of the mode that lacks least.
    """

    skill: str
    missing: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()


def fits(catalog: Catalog, requested: Capability, skill: str) -> Misfit | None:
    """Return how a skill of a catalog fails what was requested; None where it fits.

    What goes into it may be made by other skills of what is there, and it may give what is requested in several calls,
    in several modes, or as something that stands for it.
    """
    declared = catalog.skills[skill]
    gives = {above for fact in declared.gives for above in catalog.supertypes(fact)}
    if missing := [fact for fact in requested.outputs if fact not in gives]:
        return Misfit(skill, missing=tuple(missing))
    made = find_made_in_stages(catalog, (*requested.inputs, *requested.there))
    if made.issuperset(requested.outputs):
        return None
    outputs = frozenset(requested.outputs)
    lacking = [
        tuple(fact for fact in mode.inputs if fact not in made)
        for mode in declared.modes.values()
        if not outputs.isdisjoint(above for fact in mode.gives for above in catalog.supertypes(fact))
    ]
    return Misfit(skill, lacking=min(lacking, key=len))


def overlay(
    base: Loaded,
    text: str | bytes,
    file: str = "<supplied>",
    *,
    allowed: Collection[str] | None = endpoints.ALLOWED,
    requested: Capability | None = None,
) -> Loaded:
    """Return a catalog with a supplement; raise `CatalogError` with everything that is wrong, lines being the text's.

    Endpoints have to be among those that the operator allows; None says that they were checked before. Where something
    was `requested`, some supplied skill has to fit it.
    """
    found: list[Catalog] = []

    def find_all(supplement: Supplement, lines: Mapping[Place, int], name: str) -> tuple[Problem, ...]:
        findings = Findings(name, lines)
        _check_clashes(base.catalog, supplement, findings)
        if findings.problems:
            return findings.in_order()
        apart = {name: change(skill, apart=True) for name, skill in supplement.skills.items()}
        merged = change(
            base.catalog,
            facts={**base.catalog.facts, **supplement.facts},
            skills={**base.catalog.skills, **apart},
        )
        if errors := find_errors(merged, lines, name, base.limits):
            return errors
        expanded, spread = expand(merged, dict(lines))
        if errors := find_errors(expanded, spread, name, base.limits):
            return errors
        if allowed is not None:
            check_endpoints(change(expanded, skills=dict(supplement.skills)), allowed, findings)
        if requested is not None:
            _check_fit(expanded, requested, supplement, findings)
        found.append(expanded)
        return findings.in_order()

    def find_all_aliases(root: Mapping[str, object]) -> Aliases:
        return join_aliases(base.catalog.aliases, find_aliases(root))

    _, _, digest = read_model(text, file, FORM, Supplement, find_all, aliases_of=find_all_aliases)
    both = hashlib.sha256(f"{base.digest}{digest}".encode()).hexdigest()
    return Loaded(found[0], base.lines, base.file, both, base.limits)


def _check_clashes(catalog: Catalog, supplement: Supplement, findings: Findings) -> None:
    for key, known, names in (
        ("facts", catalog.facts, supplement.facts), ("skills", catalog.skills, supplement.skills),
    ):  # fmt: skip
        taken = {folded(name): name for name in known}
        for name in names:
            if (first := taken.get(folded(name))) is not None:
                called = repr(name) if first == name else f"{name!r}, as {first!r},"
                found = f"The catalog has {called} already, and keeps what it has."
                findings.error("names-collide", (key, name), found, "Give it another name, or take it out here.")


def _check_fit(catalog: Catalog, requested: Capability, supplement: Supplement, findings: Findings) -> None:
    outputs = listed(map(repr, requested.outputs))
    if not supplement.skills:
        found = f"A skill was requested that gives {outputs}, and none is supplied."
        findings.error("unfit", (), found, "Write `skills:` and one that gives it.")
        return
    misfits = [fits(catalog, requested, name) for name in supplement.skills]
    if None in misfits:
        return
    for misfit in filter(None, misfits):
        place: Place = ("skills", misfit.skill)
        if misfit.missing:
            found = f"It was requested for {outputs}, and does not give {listed(map(repr, misfit.missing))}."
            findings.error("unfit", place, found, "Name that among the facts of one of its outcomes.")
        else:
            found = f"It needs {listed(map(repr, misfit.lacking))}, which is not there."
            write = f"It can work from what is there: {listed(map(repr, requested.inputs)) or 'nothing'}."
            findings.error("unfit", place, found, write)
