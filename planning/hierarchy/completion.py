"""Parts of a description that were left out: which they are, and those of them that can be made up, marked as such.

"This extended description can be either the result of interaction with the user/system or generated from project
description and documentation" (sequential-planner-v2, "Extending Task Description").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from catalog.model import Catalog
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.hierarchy.description import Comparison, Criterion, Description, DescriptionPart, Input, ResultDocument
from planning.hierarchy.situation import catalog_for, find_information, relevant_inputs
from planning.model import PlanGoal, Situation, Solved, StepKind
from planning.plans.solve import DEFAULT_LIMITS, solve
from planning.task.compilation import compile_task


def find_left_out(description: Description) -> tuple[DescriptionPart, ...]:
    """List the parts that are left out: each has to be asked for, or done without."""
    return tuple(part for part in DescriptionPart if not getattr(description, part.value))


def complete(catalog: Catalog, description: Description, results: Iterable[str] = ()) -> Description:
    """Make up what is left out, as far as it follows from the rest, and mark it as generated.

    `results` are facts that the text of the task asks for, as its reader found. The inputs are what people hand over in
    a plan for the results; where there is no plan, all that could lead to these. Criteria are that results have the
    structure that they are described with. The context is what the catalog says of itself.
    """
    made: dict[DescriptionPart, object] = {}
    named = [fact for fact in results if fact in catalog.facts and fact not in description.inputs]
    if not description.results and (found := {fact: ResultDocument() for fact in named}):
        made[DescriptionPart.RESULTS] = found
        description = description.model_copy(update={"results": found})
    if not description.inputs and (handed := {fact: Input() for fact in _find_inputs(catalog, description)}):
        made[DescriptionPart.INPUTS] = handed
    if not description.criteria and (criteria := tuple(_find_criteria(description))):
        made[DescriptionPart.CRITERIA] = criteria
    if not description.context and catalog.description:
        made[DescriptionPart.CONTEXT] = catalog.description
    marks = (part for part in DescriptionPart if part in made or part in description.generated)
    changes = {part.value: content for part, content in made.items()}
    return description.model_copy(update={**changes, "generated": tuple(marks)})


def _find_inputs(catalog: Catalog, description: Description) -> tuple[str, ...]:
    if not description.results:
        return ()
    goal = PlanGoal(facts=tuple(fact for fact in description.facts if fact in catalog.facts))
    catalog = catalog_for(catalog, description)
    found = solve(compile_task(catalog, Situation(), goal), ENGINES[DEFAULT_ENGINE], DEFAULT_LIMITS)
    if isinstance(found, Solved):
        return tuple(step.subject for step in found.plan.steps if step.kind is StepKind.ASK)
    return relevant_inputs(catalog, goal.facts, find_information(catalog))


def _find_criteria(description: Description) -> Iterator[Criterion]:
    for name, result in description.results.items():
        if result.sections:
            yield Criterion(of=name, check=Comparison.SECTIONS)
        if result.json_schema:
            yield Criterion(of=name, check=Comparison.SCHEMA)
