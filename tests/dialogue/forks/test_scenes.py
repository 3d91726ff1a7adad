"""The scene of the declined loan on two functions that were not written for it, against brute force over all values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from itertools import product
from pathlib import Path

import pytest

from dialogue.cli.main import main
from dialogue.forks.answers import ValueSource
from dialogue.forks.changes import Change, ConsentAnswer, Say
from dialogue.forks.repairs import Repair, WhatItTakes
from dialogue.forks.sweep import Sweep
from dialogue.forks.words import tell_fork, tell_what_it_takes
from dialogue.services.forks import WhatIf
from tests.dialogue.forks import scenes
from tests.dialogue.forks.scenes import RISKS, Scene, is_taken, options, permit_of, played

Inputs = Mapping[str, object]
Decide = Callable[[Inputs], str]
Size = tuple[int, float]
NO_REGISTER = ConsentAnswer("customs", given=False)
BY_REGISTER = {"GB123456": 4, "XX123456": 9}


def span(low: int, high: int, step: str) -> list[float]:
    return [float(low + Decimal(step) * place) for place in range(int((high - low) / Decimal(step)) + 1)]


def ship(weight: float, number: str) -> tuple[str, ...]:
    return "I want to send a parcel", f"{weight} kg", "yes", number


def park(years: int, zone: str, electric: str, fines: int) -> tuple[str, ...]:
    return "I want a parking permit", f"{years} years", f"the {zone} zone", electric, str(fines)


def find_all(
    now: Inputs, ranges: Mapping[str, list[object]], amount: str, decide: Decide
) -> dict[frozenset[str], Size]:
    """Try all combinations of values; return for each set of inputs that can be changed to effect how far it is."""
    found: dict[frozenset[str], Size] = {}
    width = float(str(ranges[amount][-1])) - float(str(ranges[amount][0]))
    for values in product(*ranges.values()):
        tried = dict(zip(ranges, values, strict=True))
        changed = frozenset(name for name, value in tried.items() if value != now[name])
        if changed and decide({**now, **tried}) in ("accepted", "granted"):
            by = abs(float(str(tried[amount])) - float(str(now[amount]))) / width
            found[changed] = min(found.get(changed, (9, 0.0)), (len(changed), by))
    return found


def judge(
    found: WhatItTakes, best: dict[frozenset[str], Size], inputs_of: Callable[[Repair], Inputs], decide: Decide
) -> None:
    """Compare what it takes with all that there is."""
    assert found.nothing_helps == (not best)
    assert bool(found.repairs) == bool(best)
    for repair in found.repairs:
        assert decide(inputs_of(repair)) == repair.outcome
        assert not any(kind < repair.kind for kind in best), "less would do"
        assert repair.size == pytest.approx(best[repair.kind]), "a smaller change of these would do"
    if best:
        assert found.repairs[0].size == pytest.approx(min(best.values()))


def judge_sweep(found: Sweep, every: list[float], outcome_of: Callable[[float], str]) -> None:
    """Compare the outcome of each value of a range with the stretch that it lies in."""
    assert (float(found.stretches[0].low), float(found.stretches[-1].high)) == (every[0], every[-1])
    for value in every:
        (stretch,) = [one for one in found.stretches if one.low <= Decimal(str(value)) <= one.high]
        assert stretch.outcome == outcome_of(value), value
    for before, after in zip(found.stretches, found.stretches[1:], strict=False):
        assert before.outcome != after.outcome


def sources(found: WhatIf) -> dict[str, ValueSource | None]:
    return {one.fact: one.source for one in found.difference.facts}


@pytest.fixture(autouse=True)
def _nothing_in_the_world(home: Path) -> Iterator[None]:
    """Check that a conversation registers one parcel at most, and no fork of it any."""
    scenes.REGISTERED.clear()
    scenes.LOOKED_UP.clear()
    yield
    assert len(scenes.REGISTERED) <= 1
    assert len(scenes.LOOKED_UP) <= 1


def told(scene: Scene, found: WhatItTakes) -> list[str]:
    return list(tell_what_it_takes(scene.services.snapshot(scene.session).catalog, found))


@pytest.mark.row("F5")
@pytest.mark.parametrize("contents", RISKS)
@pytest.mark.parametrize(
    ("weight", "number"), [(25, "GB123456"), (50, "XX123456"), (110.5, "GB123456"), (200, "XX123456")]
)
def test_bands_of_weight_and_another_way_are_found_as_by_brute_force(weight: float, number: str, contents: str) -> None:
    every = span(1, 200, "0.5")

    def decide(given: Inputs) -> str:
        risk = RISKS[contents] if given["customs"] == "no" else BY_REGISTER[number]
        return "accepted" if is_taken(float(str(given["weight"])), risk) else "refused"

    def inputs_of(repair: Repair) -> Inputs:
        said = {one.fact: one.value for one in repair.changes if isinstance(one, Say)}
        return {"weight": said.get("weight", weight), "customs": "no" if NO_REGISTER in repair.changes else "yes"}

    with played("shipping", *ship(weight, number)) as scene:
        forks, given = scene.services.forks, [Say("contents", contents)]
        now: Inputs = {"weight": float(weight), "customs": "yes"}
        ranges: dict[str, list[object]] = {"weight": [*every], "customs": ["yes", "no"]}
        judge(forks.what_it_takes(scene.session, given), find_all(now, ranges, "weight", decide), inputs_of, decide)
        ways: dict[str, list[Change]] = {"yes": [], "no": [NO_REGISTER, *given]}
        for word, changes in ways.items():
            run = forks.what_if(scene.session, changes).run
            swept = forks.sweep(scene.session, run, "weight")
            assert swept is not None
            judge_sweep(swept, every, lambda value, word=word: decide({"weight": value, "customs": word}))  # type: ignore[misc]


@pytest.mark.row("F4", "F5")
def test_a_band_is_told_with_both_its_ends_and_each_value_with_where_it_is_from() -> None:
    with played("shipping", *ship(25, "XX123456")) as scene:
        forks, books = scene.services.forks, Say("contents", "books")
        before = [entry.model_dump_json() for entry in scene.services.snapshot(scene.session).log]
        lighter = forks.what_if(scene.session, [Say("weight", 33)])
        assert lighter.difference.same_outcome
        assert sources(lighter) == {
            "weight": ValueSource.SUPPOSED,
            "tax_number": ValueSource.RECORDED,
            "risk": ValueSource.RECORDED,
            "shipment": ValueSource.COMPUTED,
        }
        other = forks.what_if(scene.session, [NO_REGISTER, books, Say("weight", 33)])
        assert sources(other)["contents"] is ValueSource.SUPPOSED
        assert sources(other)["risk"] is ValueSource.COMPUTED
        catalog = scene.services.snapshot(scene.session).catalog
        assert list(tell_fork(catalog, other.run, other.difference)) == [
            "Without consent for the customs register, with the contents books and with the weight 33 kg: accepted, "
            "in place of refused (computed anew).",
            "Your shipment would be by road.",
            "It adds the question for the contents and the inspection.",
            "It does without the question for the tax number and the customs register.",
        ]
        assert told(scene, forks.what_it_takes(scene.session, [books])) == [
            "Without consent for the customs register and with a weight of at most 20 kg: accepted.",
            "Along that range: accepted from 1 kg to 20 kg; refused from 20.5 kg to 29.5 kg; accepted from 30 kg to "
            "69.5 kg; refused from 70 kg to 119.5 kg; accepted from 120 kg to 150 kg; refused from 150.5 kg to 200 kg.",
            "No weight from 1 kg to 200 kg changes the outcome (refused).",
        ]
        assert told(scene, forks.what_it_takes(scene.session, [Say("contents", "glass")]))[0] == (
            "Without consent for the customs register and with a weight from 31 kg to 38 kg: accepted."
        )
        assert told(scene, forks.what_it_takes(scene.session, [Say("contents", "batteries")]))[-1] == (
            "Nothing that you can change alters the outcome."
        )
        assert [entry.model_dump_json() for entry in scene.services.snapshot(scene.session).log] == before


@pytest.mark.row("F5")
@pytest.mark.parametrize(
    ("years", "zone", "electric", "fines"),
    [
        (4, "inner", "no", 0),
        (1, "inner", "yes", 2),
        (1, "station", "no", 0),
        (40, "station", "no", 1),
        (9, "inner", "yes", 5),
        (2, "outer", "no", 3),
    ],
)
def test_years_and_choices_are_found_as_by_brute_force(years: int, zone: str, electric: str, fines: int) -> None:
    every = span(years, 60, "1")

    def decide(given: Inputs) -> str:
        return permit_of(float(str(given["years"])), str(given["zone"]), bool(given["electric"]), fines)

    now: Inputs = {"years": float(years), "zone": zone, "electric": electric == "yes"}
    ranges: dict[str, list[object]] = {
        "years": [*every],
        "zone": ["inner", "outer", "station"],
        "electric": [True, False],
    }
    with played("parking", *park(years, zone, electric, fines)) as scene:
        found = scene.services.forks.what_it_takes(scene.session)
        best = find_all(now, ranges, "years", decide)
        judge(found, best, lambda one: {**now, **_said(one.changes)}, decide)
        run = scene.services.forks.what_if(scene.session, []).run
        swept = scene.services.forks.sweep(scene.session, run, "years")
        assert swept is not None
        judge_sweep(swept, every, lambda value: decide({**now, "years": value}))
        assert scene.services.forks.sweep(scene.session, run, "zone") is None


def _said(changes: tuple[Change, ...]) -> Inputs:
    return {one.fact: one.value for one in changes if isinstance(one, Say)}


@pytest.mark.row("F5")
def test_repairs_of_different_kinds_are_told_and_what_is_given_may_be_changed_too() -> None:
    with played("parking", *park(4, "inner", "no", 0)) as scene:
        forks = scene.services.forks
        assert told(scene, forks.what_it_takes(scene.session))[:2] == [
            "With the zone outer: granted.",
            "With a residence of at least 25 years: granted.",
        ]
        given = [Say("years", 12), Say("fines", 1)]
        assert [one.kind for one in forks.what_it_takes(scene.session, given).repairs] == [
            frozenset({"zone"}),
            frozenset({"electric"}),
            frozenset({"years"}),
        ]
        never = forks.what_it_takes(scene.session, [Say("fines", 9)])
        assert never.nothing_helps


@pytest.mark.row("F4", "F5")
def test_the_commands_tell_the_same_of_catalogs_in_files(capsys: pytest.CaptureFixture[str]) -> None:
    with played("shipping", *ship(25, "XX123456")) as scene:
        parcel = scene.session
    with played("parking", *park(4, "inner", "no", 5)) as scene:
        permit = scene.session

    def run(*words: str) -> tuple[int, list[str]]:
        code = main([*words, *options()])
        return code, capsys.readouterr().out.splitlines()

    assert run("fork", parcel, "--say", "weight=33") == (
        0,
        ["With the weight 33 kg: refused too (computed anew).", "The steps are the same."],
    )
    other = "--consent=customs=no", "--say=contents=books", "--say=weight=33", "--json"
    code, out = run("fork", parcel, *other)
    found = json.loads(out[0])
    assert (code, found["outcome"], found["recorded_outcome"]) == (0, "accepted", "refused")
    assert {one["fact"]: one["source"] for one in found["facts"] if one["now"] is not None} == {
        "weight": "supposed",
        "contents": "supposed",
        "risk": "computed anew",
        "shipment": "computed anew",
    }
    code, out = run("what-it-takes", parcel, "--say", "contents=glass")
    assert (code, out[0]) == (
        0,
        "Without consent for the customs register and with a weight from 31 kg to 38 kg: accepted.",
    )
    assert run("what-it-takes", parcel)[0] == 4
    assert run("what-it-takes", parcel, "--say", "contents=batteries")[0] == 3
    code, out = run("what-it-takes", permit)
    assert (code, out[-1]) == (3, "Nothing that you can change alters the outcome.")
    code, out = run("what-it-takes", permit, "--say", "fines=0", "--json")
    assert code == 0
    assert next(one["changes"] for one in json.loads(out[0])["repairs"]) == ["with the zone outer"]
    assert run("fork", permit, "--say", "zone=outer", "--say", "fines=0")[1][0] == (
        "With the zone outer and with the open fines 0: granted, in place of refused (computed anew)."
    )
