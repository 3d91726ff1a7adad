"""Write a diagnosis as JSON: the `missing` of `planglass plan --json`, and of the event of a plan that there is not."""

from __future__ import annotations

from pydantic import JsonValue

from planning.diagnosis.model import Diagnosis, Gap, GapKind, GapSet


def write_diagnosis(diagnosis: Diagnosis) -> dict[str, JsonValue]:
    """Write a diagnosis; `information` and `functionality` are those of the best of its `sets`, if anything helps."""
    written: dict[str, JsonValue] = {
        "information": list(diagnosis.information),
        "functionality": list(diagnosis.functionality),
    }
    if diagnosis.sets:
        written |= {"sets": [_write_set(one) for one in diagnosis.sets], "note": diagnosis.note}
    if diagnosis.over_budget is not None:
        written |= {"over_budget": diagnosis.over_budget}
    return written


def _write_set(one: GapSet) -> dict[str, JsonValue]:
    go_aheads: list[JsonValue] = [gap.subject for gap in one.gaps if gap.kind is GapKind.GO_AHEAD]
    return {
        "information": list(one.information),
        "functionality": [_write_skill(gap) for gap in one.skills],
        "answers": [gap.subject for gap in one.gaps if gap.kind is GapKind.ANSWER],
        "consents": [gap.subject for gap in one.gaps if gap.kind is GapKind.CONSENT],
        "cost": one.cost,
        "money": one.money,
        **({"go_aheads": go_aheads} if go_aheads else {}),
    }


def _write_skill(gap: Gap) -> dict[str, JsonValue]:
    """Write what a new skill would have to do; where it is to do what a skill does that does not work, name that."""
    written: dict[str, JsonValue] = {"inputs": list(gap.inputs), "outputs": list(gap.facts)}
    return written if gap.facts else {**written, "skill": gap.subject}
