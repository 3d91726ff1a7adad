"""What cannot be supposed is said in clear words, with what was found and what to do, and the record stays as it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from dialogue.cli.main import main
from dialogue.forks.changes import BadChange, ConsentAnswer, Say
from dialogue.forks.words import tell_what_it_takes
from dialogue.services import UnknownSession
from dialogue.services.analyses import KEPT
from dialogue.services.forks import KEPT_STAGES, WhatIf
from explain.verify.chain import chain
from tests.dialogue.forks import scenes
from tests.dialogue.forks.scenes import FILES, RECORDED, Scene, options, played

PARCEL = "I want to send a parcel", f"{RECORDED} kg", "yes", "GB123456"
SHIPPING = FILES["shipping"].read_text(encoding="utf-8")
Run = Callable[..., tuple[int, str, str]]
Json = Any


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def of_words(*words: object, file: Path = FILES["shipping"]) -> tuple[int, str, str]:
        code = main([*map(str, words), *options(file)] if words[0] != "verify" else [*map(str, words)])
        return (code, *capsys.readouterr())

    return of_words


@pytest.fixture
def parcel(home: Path) -> Iterator[str]:
    """A parcel that was refused; its record is the same when the test is over."""
    with played("shipping", *PARCEL) as scene:
        before = record(scene)
    yield scene.session
    with played("shipping") as again:
        assert record(Scene(again.services, scene.session)) == before


def record(scene: Scene) -> list[str]:
    return [entry.model_dump_json() for entry in scene.services.snapshot(scene.session).log]


def with_simulation(folder: Path, name: str) -> Path:
    file = folder / "shipping.yaml"
    line = f"    simulate: python:tests.dialogue.forks.scenes:{name}\n    timeout_s: 0.2\n" if name else ""
    text = SHIPPING.replace("    simulate: python:tests.dialogue.forks.scenes:quote\n", line)
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.row("F6")
def test_a_conversation_that_was_deleted_cannot_be_forked(run: Run) -> None:
    with played("shipping", *PARCEL) as scene:
        forks = scene.services.forks
        forks.what_if(scene.session, [Say("weight", 33)])
        scene.services.delete(scene.session)
        assert not forks._stages, "what was deleted is kept"
        for ask in (forks.what_if, forks.what_it_takes):
            with pytest.raises(UnknownSession, match="There is no conversation"):
                ask(scene.session, [Say("weight", 33)])
        with pytest.raises(UnknownSession):
            forks.replay(scene.session)
    for command in ("fork", "what-it-takes", "replay", "letter"):
        code, out, err = run(command, scene.session)
        assert (code, out) == (2, "")
        assert "planglass sessions" in err


BAD = [
    (("--say", "weight=500"), "Weight: 500 is more than 200."),
    (("--say", "weight=very heavy"), "Weight: "),
    (("--say", "contents=a snake"), "Contents: "),
    (("--say", "wieght=5"), "Did you mean “weight”"),
    (("--without", "tax_number", "--suppose", "customs=rated"), "cannot be called without tax number"),
    (("--suppose", "customs=rated", "--consent", "customs=no"), "cannot be called without consent"),
    (("--say", "weight=5", "--without", "weight"), "Two things are supposed of fact weight. Leave one of them out."),
    (("--suppose", "carrier=lost"), "It has: accepted, refused."),
    (("--consent", "customs=maybe"), "'maybe' is neither yes nor no."),
]


@pytest.mark.row("F6")
@pytest.mark.parametrize(("words", "told"), BAD)
def test_the_commands_refuse_what_cannot_be_supposed(words: tuple[str, ...], told: str, run: Run, parcel: str) -> None:
    for command in ("fork", "what-it-takes"):
        code, out, err = run(command, parcel, *words)
        assert (code, out) == (2, "")
        assert told in err
        assert len(err.splitlines()) == 1


FAULTY = {
    "fail": "The simulation of carrier does not agree with the record: for entry {}, it fails.",
    "hang": "The simulation of carrier does not agree with the record: for entry {}, it takes too long.",
    "lose": "The simulation of carrier does not agree with the record: for entry {}, it returns what the catalog does "
    "not declare.",
    "take_all": "The simulation of carrier does not agree with the record: for entry {}, it gives “accepted” in place "
    "of “refused”.",
    "quote_and_fail": "The simulation of carrier is not used: it fails.",
    "quote_and_hang": "The simulation of carrier is not used: it takes too long.",
}


@pytest.mark.row("F3")
@pytest.mark.parametrize("name", FAULTY)
def test_nothing_of_a_simulation_that_is_at_fault_is_shown_and_it_is_said_why(name: str, tmp_path: Path) -> None:
    scenes.REGISTERED.clear()
    with played("shipping", *PARCEL, file=with_simulation(tmp_path, name)) as scene:
        before, forks = record(scene), scene.services.forks
        catalog = scene.services.snapshot(scene.session).catalog
        decided = next(at for at, line in enumerate(before, start=1) if '"skill":"carrier"' in line and '"ran"' in line)
        told = FAULTY[name].format(decided)
        began = monotonic()
        swept = forks.sweep(scene.session, forks.what_if(scene.session, []).run, "weight")
        assert swept is None, "a border is shown"
        found = forks.what_it_takes(scene.session, [Say("contents", "books")])
        assert (found.repairs, found.sweeps, found.nothing_helps) == ((), (), False)
        assert list(tell_what_it_takes(catalog, found))[-1] == told
        fork = forks.what_if(scene.session, [Say("weight", 33)])
        assert fork.run.distrusted == (told,)
        assert fork.difference.forked.decision is None
        assert fork.run.stopped is not None
        assert monotonic() - began < 5, "each value of the range waits for the simulation"
        assert record(scene) == before
    assert scenes.REGISTERED == [RECORDED]


@pytest.mark.row("F3", "F5")
def test_without_a_simulation_it_is_not_said_that_nothing_helps(tmp_path: Path) -> None:
    with played("shipping", *PARCEL, file=with_simulation(tmp_path, "")) as scene:
        found = scene.services.forks.what_it_takes(scene.session, [ConsentAnswer("customs", given=True)])
        assert not found.nothing_helps
        assert next(tell_what_it_takes(scene.services.snapshot(scene.session).catalog, found)) == (
            "It is not known whether another weight from 1 kg to 200 kg changes the outcome (refused)."
        )


@pytest.mark.row("F9")
def test_a_range_that_is_asked_for_a_hundred_times_is_computed_once_and_nothing_piles_up() -> None:
    with played("shipping", *PARCEL) as scene:
        forks, analyses = scene.services.forks, scene.services.analyses
        scenes.QUOTED.clear()

        def sweep() -> object:
            return forks.sweep(scene.session, forks.what_if(scene.session, []).run, "weight")

        jobs = [analyses.compute(("sweep", scene.session, "weight"), sweep) for _ in range(100)]
        assert len({id(job.result(30)) for job in jobs}) == 1
        assert len(scenes.QUOTED) < 256
        scenes.QUOTED.clear()
        weights = [1 + place * 0.5 for place in range(KEPT + 100)]

        def fork(weight: float) -> Callable[[], WhatIf]:
            return lambda: forks.what_if(scene.session, [Say("weight", weight)])

        moved = [analyses.compute(("what-if", weight), fork(weight)) for weight in weights]
        kept = [job.result(60).run for job in moved[-KEPT:]]
        assert [one.changes for one in kept] == [(Say("weight", weight),) for weight in weights[-KEPT:]]
        assert len(scenes.QUOTED) <= len(weights)
        assert all(job.done() for job in moved), "what nobody waits for any more is let go"
        assert len(forks._stages) <= KEPT_STAGES


@pytest.mark.row("V28")
def test_an_export_with_entries_swapped_or_left_out_is_refused_though_chained_anew(run: Run, tmp_path: Path) -> None:
    with played("shipping", *PARCEL, "how did you get my risk?") as scene:
        exported: Json = scene.services.export(scene.session)
    file, entries = tmp_path / "export.json", exported["entries"]

    def verify(some: list[Json]) -> tuple[int, str, str]:
        numbered = [{**entry, "seq": place} for place, entry in enumerate(some, start=1)]
        file.write_text(json.dumps(chain({**exported, "entries": numbered}), ensure_ascii=False), encoding="utf-8")
        return run("verify", file)

    assert verify(entries)[0] == 0
    at = next(place for place, entry in enumerate(entries) if entry["event"]["kind"] == "calling")
    code, out, _ = verify([*entries[:at], entries[at + 1], entries[at], *entries[at + 2 :]])
    assert code == 3
    assert f"entry {at + 1}" in out
    for place in (at, at + 1, at + 2):
        code, out, _ = verify([*entries[:place], *entries[place + 1 :]])
        assert code == 3
        assert "wrong" in out


CHANGED = {
    "the outcome refused of carrier (by_road)": ("  carrier:\n", "  haulier:\n"),
    "the outcome refused of carrier (by_road).": ("by_road:", "by_rail:"),
    "the outcome refused of carrier": ("refused: {", "rejected: {"),
    "the fact risk": ("risk", "hazard"),
    "the goal shipment": ("  shipment:\n    label: a shipment", "  parcel:\n    label: a shipment"),
}


@pytest.mark.row("F6")
@pytest.mark.parametrize("lacks", CHANGED)
def test_a_catalog_that_lacks_what_is_on_record_is_named_with_the_entry(
    lacks: str, run: Run, parcel: str, tmp_path: Path
) -> None:
    file = tmp_path / "shipping.yaml"
    file.write_text(SHIPPING.replace(*CHANGED[lacks]), encoding="utf-8")
    for command in (("fork", parcel, "--consent", "customs=yes"), ("what-it-takes", parcel), ("letter", parcel)):
        code, out, err = run(*command, file=file)
        assert (code, out) == (2, "")
        assert "The catalog shipping was changed, and declares no more what entry " in err
        assert lacks in err
        assert "Restore that" in err
    code, out, _ = run("replay", parcel, "--verify", file=file)
    assert code == 3
    assert "ntry " in out
    assert out.splitlines()[-1] == "1 conversation: 1 differ, 1 end elsewhere."


@pytest.mark.row("F2")
def test_a_catalog_that_takes_less_than_on_record_is_heeded_by_forks_from_now_on(
    run: Run, parcel: str, tmp_path: Path
) -> None:
    file = tmp_path / "shipping.yaml"
    file.write_text(SHIPPING.replace("minimum: 1, maximum: 200", "minimum: 20, maximum: 40"), encoding="utf-8")
    assert run("what-it-takes", parcel, file=file)[1].splitlines()[0] == "With a weight from 31 kg to 38 kg: accepted."
    assert "100 is more than 40." in run("fork", parcel, "--say", "weight=100", file=file)[2]
    file.write_text(SHIPPING.replace("[weight, risk]", "[weight, risk, contents]"), encoding="utf-8")
    code, out, _ = run("fork", parcel, "--say", "weight=33", file=file)
    assert code == 4
    assert "you would be asked “What is in it?”" in out


def test_a_change_of_a_consent_that_contradicts_what_is_given_is_not_tried() -> None:
    with played("shipping", *PARCEL) as scene:
        found = scene.services.forks.what_it_takes(scene.session, [ConsentAnswer("customs", given=True)])
        assert [one.kind for one in found.repairs] == [frozenset({"weight"})]
        with pytest.raises(BadChange, match="more than 200"):
            scene.services.forks.what_it_takes(scene.session, [Say("weight", 500)])
