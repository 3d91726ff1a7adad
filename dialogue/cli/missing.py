"""What is missing for a plan, as lines for people who read catalogs."""

from __future__ import annotations

from collections.abc import Iterator

from planning.diagnose import Diagnosis, GapKind, GapSet
from planning.spending import say_money


def list_missing(diagnosis: Diagnosis, currency: str) -> list[str]:
    """Say what would help: one line for each way, the best first."""
    lines = ["what would help:"] if diagnosis.sets else []
    for number, one in enumerate(diagnosis.sets, start=1):
        lines.append(f"{number:3}. {'; '.join(_tell(one))} (a plan then costs {one.cost:g})")
    if diagnosis.note:
        lines.append(f"     {diagnosis.note}")
    if diagnosis.over_budget is not None:
        money = say_money(diagnosis.over_budget, currency)
        lines.append(f"the budget is too small: the plan that was found takes {money}")
    return lines


def _tell(one: GapSet) -> Iterator[str]:
    answers = [gap.subject for gap in one.gaps if gap.kind is GapKind.ANSWER]
    if answers:
        yield f"somebody gives {', '.join(answers)}"
    for gap in one.gaps:
        if gap.kind is GapKind.CONSENT:
            whom = "" if gap.subject in gap.facts else f" to {gap.subject}"
            yield f"somebody agrees to give {', '.join(gap.facts)}{whom}"
        elif gap.kind is GapKind.GO_AHEAD:
            yield f"somebody agrees to a call of {gap.subject}"
    for gap in one.skills:
        given = ", ".join(gap.facts) or f"what {gap.subject} does"
        yield f"a skill that gives {given}{' from ' if gap.inputs else ''}{', '.join(gap.inputs)}"
