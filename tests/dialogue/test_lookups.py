"""A skill's own lookup tells what became of a call, so that less is left in doubt."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from catalog.checks.check import check
from catalog.skills import NO_EFFECT, UNKNOWN, Result, SkillInput, idempotency_key
from dialogue.caller import Returned, Untold
from dialogue.cli.main import main
from dialogue.services.doubts import ask_again, list_doubts, settle
from tests.dialogue.test_crashes import cut_off
from tests.dialogue.toys import BEHAVIOUR, CATALOG, Toybox, load_toys

ACTS = "    effect: irreversible\n"
WITH_LOOKUP = CATALOG.replace(ACTS, f"{ACTS}    lookup: LOOKUP\n    timeout_s: 2\n")
HERE = WITH_LOOKUP.replace("LOOKUP", "python:tests.dialogue.toys:giver_looked_up")
WON = Result("won", {"prize": "a bear"})
ITEMS = """
name: toys
facts:
  a: {label: letter}
  letters: {list_of: a, value: {kind: list, most: 4}}
  prize: {fillable: false}
  prizes: {list_of: prize}
skills:
  giver:
    endpoint: python:tests.dialogue.toys:giver
    lookup: python:tests.dialogue.toys:giver_looked_up
    effect: irreversible
    modes: {give: {inputs: [a], outcomes: {won: [prize], lost: {}}}}
goals: {prizes: {facts: [prizes], examples: [x]}}
"""


class Ledger:
    """What took effect, by idempotency key: one entry for each effect in the world."""

    def __init__(self) -> None:
        self.effects: list[str] = []
        self.asked: list[tuple[str, Mapping[str, SkillInput]]] = []
        BEHAVIOUR.lookup = self.look_up

    def give(self, values: Mapping[str, SkillInput]) -> Result:
        self.effects.append(idempotency_key())
        return Result("won", {"prize": f"a bear for {values.get('a', '')}".rstrip("for ")})

    def look_up(self, values: Mapping[str, SkillInput]) -> object:
        self.asked.append((idempotency_key(), dict(values)))
        return Result("won", {"prize": "a bear"}) if idempotency_key() in self.effects else NO_EFFECT


@pytest.fixture
def box(home: Path) -> Iterator[Toybox]:
    box = Toybox(home, HERE)
    yield box
    box.services.close()


def want_prize(box: Toybox) -> list[str]:
    box.say("goal prize with c=sea, secret=jade")
    return box.say("yes")


def test_what_took_effect_before_the_answer_was_lost_goes_on_as_if_it_had_come(box: Toybox) -> None:
    ledger = Ledger()

    def answer_is_lost(values: Mapping[str, SkillInput]) -> Result:
        ledger.give(values)
        raise ConnectionError

    BEHAVIOUR.giver = answer_is_lost
    said = " ".join(want_prize(box))
    assert "It did, and ended in “won”" in said
    assert "You have won a bear." in said
    assert len(ledger.effects) == 1
    assert ledger.asked == [(ledger.effects[0], {"c": "sea", "secret": "jade"})]
    (settled,) = box.events("settled")
    assert (settled.outcome, settled.facts) == ("won", {"prize": "a bear"})
    assert settled.reason.code == "looked_up"
    assert list_doubts(box.services) == ()
    assert "the giver" in " ".join(box.say("how prize"))


def test_what_took_no_effect_is_no_call_in_doubt_but_one_that_failed(box: Toybox) -> None:
    ledger = Ledger()
    BEHAVIOUR.giver = lambda _: (_ for _ in ()).throw(ConnectionError)
    assert "It did not." in " ".join(want_prize(box))
    assert list_doubts(box.services) == ()
    assert BEHAVIOUR.called("giver") == 1, "as often as it may miss what was hoped for"
    assert not ledger.effects and not box.now.goals.stack


def hang(_values: Mapping[str, SkillInput]) -> object:
    threading.Event().wait(30)
    return UNKNOWN


def fail(_values: Mapping[str, SkillInput]) -> object:
    raise RuntimeError("jade")


UNSURE: Sequence[tuple[Callable[[Mapping[str, SkillInput]], object], str]] = [
    (lambda _: UNKNOWN, "it does not know"),
    (fail, "that failed, too"),
    (hang, "it did not answer in time"),
    *[
        (lambda _, answer=answer: answer, "it answered what it does not declare")
        for answer in (
            None,
            True,
            "done",
            {"outcome": "won"},
            Result("stolen", {}),
            Result("won", {}),
            Result("won", {"prize": float("nan")}),
            Result(NO_EFFECT, {}),
        )
    ],
]


@pytest.mark.parametrize(("answers", "says"), UNSURE)
def test_where_a_lookup_does_not_tell_the_call_stays_in_doubt_and_that_is_said(
    box: Toybox, answers: Callable[[Mapping[str, SkillInput]], object], says: str
) -> None:
    BEHAVIOUR.lookup = answers
    BEHAVIOUR.giver = lambda _: (_ for _ in ()).throw(ConnectionError)
    said = " ".join(want_prize(box))
    assert "I cannot tell whether it took effect" in said
    assert f"I asked it whether the call took effect: {says}." in said
    assert "jade" not in said
    (doubt,) = list_doubts(box.services)
    assert doubt.skill == "giver"


def test_a_lookup_can_be_asked_again_and_what_it_says_then_is_recorded(
    box: Toybox, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keys: list[str] = []

    def answer_is_lost(_values: Mapping[str, SkillInput]) -> object:
        keys.append(idempotency_key())
        raise ConnectionError

    BEHAVIOUR.giver = answer_is_lost
    want_prize(box)
    (doubt,) = list_doubts(box.services)
    assert doubt.has_lookup
    before = box.log
    told = ask_again(box.services, box.session, doubt.call_id)
    assert told == Untold("unknown") and box.log == before
    box.services.close()
    monkeypatch.setattr("dialogue.cli.doubts.make_services", lambda **_: box.open())
    assert main(["doubts", doubt.call_id, "--ask-again"]) != 0
    assert "it does not know. It stays in doubt." in capsys.readouterr().err

    def remembers(values: Mapping[str, SkillInput]) -> object:
        assert [idempotency_key()] == keys and dict(values) == {"c": "sea", "secret": "jade"}
        return Result("won", {"prize": "a cat"})

    BEHAVIOUR.lookup = remembers
    assert main(["doubts", doubt.call_id, "--ask-again"]) == 0
    assert "Settled: won." in capsys.readouterr().out
    assert main(["doubts", doubt.call_id, "--ask-again"]) != 0
    box.services = box.open()
    assert box.now.facts.known["prize"].value == "a cat"
    assert list_doubts(box.services) == ()


def break_off_at(box: Toybox, ledger: Ledger, letter: str, *, happened: bool) -> None:
    """Call for each of three letters, and lose the answer for one of them, before or after it took effect."""
    BEHAVIOUR.lookup = lambda _values: UNKNOWN

    def give(values: Mapping[str, SkillInput]) -> Result:
        if values["a"] == letter and not happened:
            raise ConnectionError
        given = ledger.give(values)
        if values["a"] == letter:
            raise ConnectionError
        return given

    BEHAVIOUR.giver = give
    box.say("goal prizes; letters=x+y+z")
    box.say("yes")
    BEHAVIOUR.giver = ledger.give


@pytest.mark.parametrize("happened", [True, False])
@pytest.mark.parametrize("letter", ["x", "y", "z"])
def test_of_a_call_for_each_item_the_one_in_doubt_is_asked_about_and_the_rest_is_done_once(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], letter: str, happened: bool
) -> None:
    box = Toybox(home, ITEMS)
    ledger = Ledger()
    break_off_at(box, ledger, letter, happened=happened)
    number = "xyz".index(letter) + 1
    (doubt,) = list_doubts(box.services)
    assert (doubt.has_lookup, doubt.item, doubt.items) == (True, number, 3)
    assert doubt.outcomes == {"won": ("prize",), "lost": ()}, "what becomes of one item is asked for"
    before = box.log
    assert ask_again(box.services, box.session, doubt.call_id) == Untold("unknown") and box.log == before
    box.services.close()
    monkeypatch.setattr("dialogue.cli.doubts.make_services", lambda **_: box.open())
    assert main(["doubts"]) == 0
    assert f"giver, for item {number} of 3; may have ended as: won (prize); lost" in capsys.readouterr().out
    BEHAVIOUR.lookup = ledger.look_up
    assert main(["doubts", doubt.call_id, "--ask-again"]) == 0
    assert ("Settled: won" in capsys.readouterr().out) is happened
    assert ledger.asked[-1][1] == {"a": letter}
    box.services = box.open()
    assert list_doubts(box.services) == ()
    (settled,) = box.events("settled")
    assert (settled.item, settled.item_is_done) == (number, happened)
    box.say("goal prizes")
    for _ in range(2):
        if box.asks:
            box.say("yes")
    assert len(ledger.effects) == len(set(ledger.effects)) == 3, "each item once, and under one key"
    value = box.now.facts.known["prizes"].value
    assert isinstance(value, list) and len(value) == 3
    assert list_doubts(box.services) == ()
    box.restart()
    assert box.now.facts.known["prizes"].value == value
    box.services.close()


def test_an_item_in_doubt_that_gives_less_than_was_hoped_for_ends_the_call(home: Path) -> None:
    box = Toybox(home, ITEMS)
    break_off_at(box, Ledger(), "y", happened=True)
    (doubt,) = list_doubts(box.services)
    BEHAVIOUR.lookup = lambda _values: Result("lost", {})
    assert isinstance(ask_again(box.services, box.session, doubt.call_id), Returned)
    (settled,) = box.events("settled")
    assert (settled.outcome, settled.item, settled.facts) == ("lost", 2, {})
    assert list_doubts(box.services) == () and "prizes" not in box.now.facts.known
    box.services.close()


def test_a_person_says_what_became_of_an_item_in_doubt(home: Path) -> None:
    box = Toybox(home, ITEMS)
    ledger = Ledger()
    break_off_at(box, ledger, "z", happened=True)
    (doubt,) = list_doubts(box.services)
    settle(
        box.services, box.session, doubt.call_id, outcome="won", reason="on the shelf", values={"prize": "a cat for z"}
    )
    assert box.now.facts.known["prizes"].value == ["a bear for x", "a bear for y", "a cat for z"]
    (item,) = [event for event in box.events("item_done") if event.item == 3]
    assert (item.outcome, item.facts) == ("won", {"prize": "a cat for z"})
    box.say("goal prizes")
    assert "which I asked for each of your 3 letters" in " ".join(box.say("how prizes"))
    box.services.counts.count().result()
    assert [calls for *_, calls in box.services.counts.calls_of("toys")] == [3], "each item counts once"
    assert len(ledger.effects) == 3
    box.services.close()


def test_a_lookup_that_is_not_allowed_is_not_asked(home: Path) -> None:
    box = Toybox(home, WITH_LOOKUP.replace("LOOKUP", "python:os.path:join"))
    BEHAVIOUR.giver = lambda _: (_ for _ in ()).throw(ConnectionError)
    assert "it cannot be reached" in " ".join(want_prize(box))
    assert [problem.code for problem in check(load_toys(box.catalog), ("tests",))].count("endpoint") == 1
    box.services.close()


@pytest.mark.parametrize("happened", [True, False])
@pytest.mark.parametrize("catalog", [HERE, ITEMS])
def test_wherever_it_is_killed_it_takes_effect_exactly_once_and_the_conversation_goes_on(
    home: Path, commits: list[int], catalog: str, happened: bool
) -> None:
    """Killed after each commit: of the call that was cut off then, the effect had `happened` or not."""
    box = Toybox(home, catalog)
    ledger = Ledger()
    BEHAVIOUR.giver = ledger.give
    wanted = "goal prizes; letters=x+y+z" if catalog is ITEMS else "goal prize; a=first; secret=4711"
    box.say(wanted)
    box.say("yes")
    whole, effects = box.log, len(ledger.effects)
    assert effects == (3 if catalog is ITEMS else 1)
    all_keys = list(ledger.effects)
    for number, length in enumerate(tuple(commits)):
        begun = any(e.event.kind == "calling" and e.event.skill == "giver" for e in whole[:length])
        done = [e for e in whole[:length] if e.event.kind == ("item_done" if catalog is ITEMS else "ran")]
        finished = len(done) if catalog is ITEMS else sum(e.event.skill == "giver" for e in done)
        open_call = begun and finished < effects
        ledger.effects = all_keys[: finished + (open_call and happened)]
        cut_off(box, whole[:length], box.home.parent / f"killed-{number}")
        for _ in range(3):
            if box.asks:
                box.say("yes")
        if length < 3:
            continue  # nothing was asked for yet
        assert len(ledger.effects) == len(set(ledger.effects)) == effects
        assert not box.now.busy and not box.now.goals.stack
        assert [goal.status for goal in box.now.goals.past] == ["achieved"]
        assert list_doubts(box.services) == ()
    box.services.close()


def test_while_it_is_looked_up_the_program_may_be_killed_again(box: Toybox) -> None:
    ledger = Ledger()
    BEHAVIOUR.giver = ledger.give
    want_prize(box)
    calling = next(e for e in box.log if e.event.kind == "calling")
    cut_off(box, box.log[: calling.seq], box.home.parent / "killed")
    asked = len(ledger.asked)
    before = next(e.seq for e in box.log if e.event.kind == "failed") - 1
    cut_off(box, box.log[:before], box.home.parent / "killed-again")
    assert len(ledger.asked) == asked + 1
    assert box.now.facts.known["prize"].value == "a bear" and len(ledger.effects) == 1


def test_a_lookup_runs_where_its_skill_runs_and_dies_alone(home: Path) -> None:
    exits = "bad_skills:exits_without_a_word"
    apart = HERE.replace("timeout_s: 2", "apart: true").replace("toys:giver_looked_up", exits)
    box = Toybox(home, apart.replace("toys:giver\n", f"{exits}\n"))
    said = " ".join(want_prize(box))
    box.services.close()
    assert "that failed, too" in said


def test_the_checker_says_where_a_lookup_is_never_asked() -> None:
    idle = HERE.replace("effect: irreversible", "effect: idempotent")
    found = {problem.code: problem.found for problem in check(load_toys(idle), ("tests",))}
    assert found["lookup-idle"].startswith("`lookup` is never asked: with effect `idempotent`")
    assert "lookup-idle" not in [problem.code for problem in check(load_toys(HERE), ("tests",))]
