"""Exports and what checks them: through the command line and the services, as the owner and a reader have them."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import explain.verify
from catalog.demos.banking.personas import BEN
from dialogue.cli.main import main
from dialogue.services import make_services
from dialogue.services.exporting import export
from explain.verify.chain import chain
from tests.coverage_floors import measures_all
from tests.explain.verify.histories import (
    OF_CLAIMS,
    OF_LOG,
    check,
    corrupt,
    corrupt_log,
    histories,
    no_longer_follow,
    wrong,
)
from tests.seeds import draw_seed

SAID = ("I need a loan of 25000 for a car", BEN.customer.email, "yes", BEN.ssn, "no thanks", "how did you get my loan?")
Json = Any


@pytest.fixture(scope="module")
def conversation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """Ben asks for a loan and is declined; the export of that, and what opens its commitments."""
    folder = tmp_path_factory.mktemp("exports")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLANGLASS_HOME", str(folder / "home"))
        with closing(make_services()) as services:
            session = services.start("banking")
            for said in SAID:
                services.say(session, said)
                assert services.wait(session, 200)
            exported, openings = export(services.snapshot(session))
    (folder / "export.json").write_text(json.dumps(exported, ensure_ascii=False), encoding="utf-8")
    (folder / "openings.json").write_text(json.dumps(openings, ensure_ascii=False), encoding="utf-8")
    yield folder / "export.json", folder / "openings.json"


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main(["verify", *map(str, arguments)])
    return (code, *capsys.readouterr())


def verify_changed(capsys: pytest.CaptureFixture[str], path: Path, text: str) -> tuple[int, str, str]:
    path.write_text(text, encoding="utf-8")
    return run(capsys, path)


@pytest.mark.row("V28")
def test_all_that_a_conversation_claims_is_proved_by_its_entries(
    conversation: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, conversation[0])
    assert code == 0 and not err
    assert "0 doubtful, 0 wrong" in out
    assert "EstablishedBy: I got your credit score (452) from the credit bureau, using your social security" in out
    assert "cost 4; nothing cheaper, by " in out
    found = json.loads((run(capsys, conversation[0], "--json"))[1])
    assert {one["verdict"] for one in found} == {"proved", "recorded"}


@pytest.mark.row("V28")
def test_a_byte_that_was_changed_is_found_and_its_entry_named(
    conversation: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = conversation[0].read_text(encoding="utf-8")
    entries = json.loads(text)["entries"]
    dice = random.Random(draw_seed())
    for seq in [1, len(entries), *dice.sample(range(2, len(entries)), 6)]:
        kept = json.dumps(entries[seq - 1], ensure_ascii=False)
        at = dice.choice([place for place, sign in enumerate(kept) if sign.isdigit()])
        changed = f"{kept[:at]}{(int(kept[at]) + 1) % 10}{kept[at + 1 :]}"
        if kept[at - 2 : at] == ": " and changed[at] == "0":
            continue  # no number of JSON begins with a zero
        code, out, _ = verify_changed(capsys, tmp_path / "changed.json", text.replace(kept, changed))
        assert code == 3 and (f"entry {seq}: " in out or f"entry {seq - 1}: " in out), (seq, changed)


@pytest.mark.row("V28")
def test_the_end_of_an_export_and_what_stands_beside_its_entries_is_chained_too(
    conversation: tuple[Path, Path],
) -> None:
    exported = json.loads(conversation[0].read_text(encoding="utf-8"))
    for changed, said in (
        ({"entries": exported["entries"][:-1]}, "entries after it were left out"),
        ({"claims": []}, "the head (of what is claimed beside the entries)"),
        ({"claims": None}, "it is not as exports are"),
    ):
        assert any(said in one.text for one in wrong(check({**exported, **changed})))


def test_a_planning_that_gave_up_claims_nothing_and_a_claim_without_its_parts_is_wrong(
    conversation: tuple[Path, Path],
) -> None:
    exported = json.loads(conversation[0].read_text(encoding="utf-8"))
    for entry in exported["entries"]:
        if entry["event"]["kind"] == "planned":
            entry["event"]["status"] = "gave_up"
    found = check(chain({**exported, "claims": exported["claims"][:1], "plans": []}))
    assert not any(one.about == "plan" for one in found)
    hollow: Json = {"kind": "Called", "at": None, "as_of": 1, "about": {}, "evidence": [], "sentences": []}
    assert any("it is not as in exports" in one.text for one in check(chain({**exported, "claims": [hollow]})))


@pytest.mark.row("V28")
def test_nothing_sensitive_is_in_an_export_and_its_owner_can_open_what_is_masked(
    conversation: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported, openings = (path.read_text(encoding="utf-8") for path in conversation)
    assert BEN.ssn not in exported and BEN.ssn in openings
    assert run(capsys, conversation[0], "--openings", conversation[1])[0] == 0
    other = tmp_path / "openings.json"
    other.write_text(openings.replace(BEN.ssn, "900-12-3456"), encoding="utf-8")
    code, out, _ = run(capsys, conversation[0], "--openings", other)
    assert code == 3 and "is another than was committed to" in out


def test_equal_masked_values_are_committed_to_alike_within_an_export_and_not_across_exports(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(make_services()) as services:
        session = services.start("banking")
        for said in ("I need a loan", f"my ssn is {BEN.ssn}", "my ssn is 900-12-3456", f"my ssn is {BEN.ssn}"):
            services.say(session, said)
            assert services.wait(session, 200)
        one = services.export(session)
        monkeypatch.delattr("planning.bounds.linprog")  # what was proved is not proved anew
        other = services.export(session)
    assert one["plans"] == other["plans"] and one["plans"]
    found = [_commitments(exported, "ssn") for exported in (one, other)]
    assert len(found[0]) == 3 and found[0][0] == found[0][2] != found[0][1]
    assert set(found[0]).isdisjoint(found[1])


def _commitments(exported: Json, fact: str) -> list[str]:
    established = (entry for entry in exported["entries"] if entry["event"]["kind"] == "established")
    return [entry["commitments"]["value"] for entry in established if entry["event"]["fact"] == fact]


def test_what_is_no_export_is_named_for_what_it_is(
    conversation: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported = json.loads(conversation[0].read_text(encoding="utf-8"))
    old = {name: exported[name] for name in ("catalog", "digest", "goals", "entries")}
    path = tmp_path / "file.json"
    for text, said in (
        ("", "no JSON"),
        ("\x00\x01", "no JSON"),
        ('{"a": 1, "a": 2}', "a name stands twice"),
        ('{"entries": NaN}', "nan is not"),
        ("[" * 100_000, "recursion"),
        ('{"openapi": "3.1.0"}', "no export of a conversation"),
        ("[1, 2]", "no export of a conversation"),
        (json.dumps(old), "of the format 'before 1'"),
        (json.dumps({**exported, "format": "planglass-export-9"}), "this checker reads"),
        (json.dumps({**exported, "entries": [1]}), "holds no event"),
    ):
        code, out, err = verify_changed(capsys, path, text)
        assert (code, out) == (2, "") and said in err and len(err.splitlines()) == 1, err
    path.write_bytes(b"\xff\xfe{}")
    assert run(capsys, path)[0] == 2
    assert run(capsys, tmp_path / "nowhere.json")[0] == 2
    hollow = {**exported, "entries": [{**entry, "event": {}} for entry in exported["entries"]], "claims": [{}]}
    assert verify_changed(capsys, path, json.dumps(chain(hollow)))[0] == 3


@pytest.mark.row("V28")
def test_entries_that_were_swapped_or_left_out_are_named_though_the_chain_is_computed_anew(
    conversation: tuple[Path, Path],
) -> None:
    exported = json.loads(conversation[0].read_text(encoding="utf-8"))
    entries = exported["entries"]
    asked = next(place for place, entry in enumerate(entries) if entry["event"]["kind"] == "calling")
    swapped = [*entries[:asked], entries[asked + 1], entries[asked], *entries[asked + 2 :]]
    found = wrong(check(chain({**exported, "entries": swapped})))
    assert any(f"entry {asked + 2} stands here: one was left out" in one.text for one in found)
    numbered = [{**entry, "seq": place} for place, entry in enumerate(swapped, start=1)]
    found = wrong(check(chain({**exported, "entries": numbered})))
    assert any(one.seq == asked + 1 and "which was not begun before it" in one.text for one in found), found
    explained = next(place for place, entry in enumerate(entries) if entry["event"]["kind"] == "explained")
    for place in range(explained):  # nothing is claimed of what comes after: only the head shows that it was cut off
        less = [{**entry, "seq": at} for at, entry in enumerate(entries[:place] + entries[place + 1 :], start=1)]
        assert wrong(check(chain({**exported, "entries": less}))), entries[place]


def test_the_checker_runs_without_the_rest_of_the_product(conversation: tuple[Path, Path], tmp_path: Path) -> None:
    package = Path(explain.verify.__file__).parent
    shutil.copytree(package, tmp_path / "verify", ignore=shutil.ignore_patterns("__pycache__"))
    program = (
        "import sys, verify; found = verify.verify(open(sys.argv[1], encoding='utf-8').read());"
        "print(sorted({one.verdict for one in found}), {'explain', 'catalog', 'pydantic'} & set(sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(conversation[0])], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.stdout.strip() == "['proved', 'recorded'] set()", ran.stderr


def verify_histories(home: Path, chunk: int, count: int, *, fresh: bool = False) -> None:
    """Check that no claim of any history is rejected, and count those that are proved."""
    seed = draw_seed(fresh=fresh)
    print(f"PLANGLASS_SEED={seed}")
    start = random.Random(f"{seed} {chunk}").randrange(2**32)
    proved = recorded = 0
    for number, seen in histories(home, range(start, start + count)):
        found = check(export(seen)[0])
        assert not wrong(found), (number, wrong(found))
        proved += sum(one.verdict == "proved" for one in found)
        recorded += sum(one.verdict == "recorded" for one in found)
    assert proved > recorded


@pytest.mark.unmeasured
def test_histories_at_random_are_not_traced(request: pytest.FixtureRequest) -> None:
    assert measures_all(request.config) or sys.gettrace() is None


@pytest.mark.unmeasured
@pytest.mark.row("V28")
@pytest.mark.parametrize("chunk", range(2))
def test_no_claim_of_a_history_is_rejected(chunk: int, home: Path) -> None:
    verify_histories(home, chunk, 20)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(20))
def test_no_claim_of_many_histories_is_rejected(chunk: int, home: Path) -> None:
    verify_histories(home, chunk, 500, fresh=True)


def corrupt_histories(home: Path, chunk: int, count: int, each: int, *, fresh: bool = False) -> None:
    """Corrupt histories in every way, and check that what follows no more is found.

    That something which a claim states was changed needs no oracle. Where the log was, explanations of the corrupted
    log are: what they do not claim any more does not follow.
    """
    seed = draw_seed(fresh=fresh)
    print(f"PLANGLASS_SEED={seed}")
    start = random.Random(f"{seed} {chunk}").randrange(2**32)
    tried = gone = 0
    for number, seen in histories(home, range(start, start + count)):
        exported: Json = export(seen)[0]
        for make in (*OF_CLAIMS, *OF_LOG):
            for turn in range(each):
                drawn = f"{seed} {number} {make.__name__} {turn}"
                changed = corrupt(exported, make, drawn)
                if changed is None:
                    continue
                tried += 1
                found = check(changed)
                if make in OF_CLAIMS:
                    assert wrong(found), (number, drawn)
                    continue
                other = corrupt_log(seen, make, drawn)
                lost = [] if other is None else no_longer_follow(exported, changed, other)
                gone += len(lost)
                proved = {(one.about.partition(": ")[2], one.entries) for one in found if one.verdict == "proved"}
                for claim in lost:
                    said = " ".join("".join(part["text"] for part in one) for one in claim["sentences"])
                    assert (said, tuple(claim["evidence"])) not in proved, (number, drawn, claim)
    print(f"{tried} corruptions, {gone} claims that followed no more")
    assert tried > 4 * count * each and gone


@pytest.mark.unmeasured
@pytest.mark.row("V28")
@pytest.mark.parametrize("chunk", range(2))
def test_what_no_longer_follows_is_found(chunk: int, home: Path) -> None:
    corrupt_histories(home, chunk, 8, 1)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(25))
def test_what_no_longer_follows_is_found_in_many(chunk: int, home: Path) -> None:
    corrupt_histories(home, chunk, 24, 2, fresh=True)
