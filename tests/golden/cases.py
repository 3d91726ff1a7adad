"""The generated catalogs, situations and goals that plans are made for.

Those of the generators are the same for the same seed. Those that Hypothesis drew once, with subtypes, mappings,
orderings, alternatives and budgets, are kept as `data/cases.jsonl.gz`: another version would draw others.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import HypothesisWarning
from pydantic import TypeAdapter

from benchmarks.planning.generate import Shape, generate
from catalog.model import Catalog
from planning.model import Situation
from tests.golden.lines import DATA, Line, read_lines, write_lines
from tests.strategies import Case, layered_case, priced_cases

DRAWN = 140
SEEDS = 20
GENERATED = (6, 12, 25, 50, 100)
LAYERED = (5, 15, 40)
SITUATION = TypeAdapter(Situation)


def list_cases() -> Iterator[tuple[str, Case]]:
    """List 300 cases, each with its name."""
    for skills in GENERATED:
        for number in range(SEEDS):
            question = generate(Shape(skills), number)
            yield f"generated {skills} {number}", Case(question.catalog, question.situation, question.goal)
    for skills in LAYERED:
        for number in range(SEEDS):
            yield f"layered {skills} {number}", layered_case(number, skills)
    for line in read_lines("cases"):
        yield str(line["id"]), _read(line)


def draw_cases() -> None:
    """Draw cases and keep them, unless there are some."""
    if (DATA / "cases.jsonl.gz").exists():
        return
    drawn: list[Case] = []

    @seed(20261121)
    @settings(
        max_examples=5 * DRAWN,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(priced_cases(9, 7))
    def draw(case: Case) -> None:
        if len(case.catalog.skills) > 1 and case.task.goal - case.task.initial:
            drawn.append(case)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HypothesisWarning)
        draw()
    write_lines("cases", [_write(f"drawn {number}", case) for number, case in enumerate(drawn[-DRAWN:])])


def _write(name: str, case: Case) -> Line:
    return {
        "id": name,
        "catalog": case.catalog.model_dump(mode="json", exclude_unset=True),
        "situation": SITUATION.dump_python(case.situation, mode="json"),
        "goal": list(case.goal),
        "named": case.named,
    }


def _read(line: Line) -> Case:
    read: dict[str, Any] = line
    situation = SITUATION.validate_python(read["situation"])
    return Case(Catalog.model_validate(read["catalog"]), situation, tuple(read["goal"]), read["named"])
