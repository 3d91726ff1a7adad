"""What the services promise: nothing acknowledged is lost, nothing is done twice, and a restart changes nothing."""

from __future__ import annotations

import json
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from catalog.skills import Result
from catalog.skills.failures import describe_trouble
from dialogue.log.events import Calling, Event, Failed, Heard, TurnStarted, Understood
from dialogue.log.stores import SqliteStore
from dialogue.moves.hearing import MAX_TEXT
from dialogue.services import CommandReused, TooLarge, UnknownCatalog, UnknownSession, Upload, make_services
from dialogue.state.conversation import open_conversation, project, state_after
from dialogue.turn import MAX_UPLOAD_BYTES
from explain.model import Question, QuestionKind
from language.interpretation import Interpretation
from tests.dialogue.toys import BEHAVIOUR, CATALOG, Toybox

CANARY = "canary-48151623"


def test_a_conversation_survives_a_restart_unchanged(box: Toybox) -> None:
    box.say("goal prize; a=first")
    before = box.now
    box.restart()
    assert box.now == before
    assert box.asks == "authorize giver"
    box.say("yes")
    box.say("secret=4711")
    assert box.now.goals.past[-1].status == "achieved"


def test_the_state_is_the_fold_of_the_log_at_every_moment(box: Toybox) -> None:
    box.say("goal prize; a=first")
    box.say("yes")
    box.say("secret=4711")
    box.say("what")
    log = box.log
    assert project(log) == box.now
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    for length in range(len(log)):
        early = project(log[:length])
        assert set(early.facts.known) <= {e.event.fact for e in log[:length] if e.event.kind == "established"}
        assert early.seq == length


@given(cuts=st.lists(st.floats(0, 1), max_size=40))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_moments_are_the_same_in_whatever_order_they_are_looked_at(box: Toybox, cuts: list[float]) -> None:
    if len(box.log) < 20:
        for said in ("goal prize; a=first", "yes", "secret=4711", "what", "goal prize; a=second"):
            box.say(said)
    log = box.log
    for cut in cuts:
        beginning = log[: round(cut * len(log))]
        assert state_after(beginning) == project(beginning)


def test_the_same_command_counts_once(box: Toybox) -> None:
    """Bad input 34."""
    for _ in range(3):
        box.services.say(box.session, "goal trophy", command_id="one click")
    assert box.services.wait(box.session, 30)
    assert len(box.events("heard")) == 1


@given(first=st.text(max_size=40), second=st.text(max_size=40))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_command_id_that_comes_again_with_other_words_is_refused_and_nothing_of_it_kept(
    box: Toybox, first: str, second: str
) -> None:
    command = f"command-{len(box.events('heard'))}"
    box.services.say(box.session, first, command_id=command)
    box.services.say(box.session, first, command_id=command)
    length = len(box.events("heard"))
    if first != second:
        with pytest.raises(CommandReused, match=command):
            box.services.say(box.session, second, command_id=command)
    assert len(box.events("heard")) == length
    assert box.events("heard")[-1].text == first
    assert box.services.wait(box.session, 30)


def test_a_command_id_cannot_be_used_for_an_utterance_an_event_and_a_file(box: Toybox) -> None:
    box.services.alert(box.session, "fire", None, "one")
    box.services.alert(box.session, "fire", None, "one")
    with pytest.raises(CommandReused):
        box.services.say(box.session, "goal toy", command_id="one")
    box.services.say(box.session, "goal toy", command_id="two")
    with pytest.raises(CommandReused):
        box.services.alert(box.session, "fire", None, "two")
    with pytest.raises(CommandReused):
        box.services.say(box.session, "goal toy", [Upload("a.txt", "text/plain", b"a")], "two")
    assert box.services.wait(box.session, 30)
    assert (len(box.events("heard")), len(box.events("alerted"))) == (1, 1)


def test_what_commands_were_taken_is_known_after_a_restart(box: Toybox) -> None:
    box.services.say(box.session, "goal trophy", command_id="one")
    box.services.alert(box.session, "fire", None, "two")
    assert box.services.wait(box.session, 30)
    box.restart()
    box.services.say(box.session, "goal trophy", command_id="one")
    with pytest.raises(CommandReused):
        box.services.say(box.session, "goal trophy", command_id="two")
    assert box.services.wait(box.session, 30)
    assert (len(box.events("heard")), len(box.events("alerted"))) == (1, 1)


@pytest.mark.parametrize("command_id", ["one click", None])
def test_a_click_that_comes_twice_at_once_counts_once(box: Toybox, command_id: str | None) -> None:
    """Bad input 34."""
    with ThreadPoolExecutor(8) as pool:
        alerts = [pool.submit(box.services.alert, box.session, "fire", None, command_id) for _ in range(8)]
        clicks = [pool.submit(box.services.say, box.session, "goal toy", (), "another") for _ in range(8)]
    assert [job.exception() for job in (*alerts, *clicks)] == [None] * 16
    assert box.services.wait(box.session, 30)
    assert len(box.events("alerted")) == (1 if command_id else 8)
    assert len(box.events("heard")) == 1


def test_two_processes_on_one_conversation_put_what_is_said_in_one_order(box: Toybox) -> None:
    other = box.open()
    other.say(box.session, "goal trophy")
    assert other.wait(box.session, 30)
    box.say("a=first")
    assert box.now.goals.past[-1].goal == "trophy", "what the other wrote was read before this was taken up"
    other.reveal(box.session, "secret")
    other.alert(box.session, "fire", {"wish": "red"})
    assert other.wait(box.session, 30)
    assert other.snapshot(box.session).conversation.facts.known["wish"].value == "red"
    assert "secret" in other.snapshot(box.session).conversation.facts.revealed
    other.close()


def test_a_conversation_deleted_while_a_skill_runs_stays_deleted(box: Toybox) -> None:
    BEHAVIOUR.gate.clear()
    box.services.say(box.session, "goal trophy; a=first")
    while not BEHAVIOUR.calls:
        threading.Event().wait(0.01)
    box.services.delete(box.session)
    BEHAVIOUR.gate.set()
    box.services.close()
    box.services = box.open()
    assert box.services.sessions() == ()
    with pytest.raises(UnknownSession):
        box.services.say(box.session, "hello", [Upload("cat.png", "image/png", b"not really")])


@pytest.mark.parametrize(
    ("facts", "error"),
    [
        ({"wish": "green"}, "The event fire has no proper value for wish"),
        ({"wish": float("nan")}, "The event fire has no proper value for wish"),
        ({"c": "sea"}, "It carries: wish"),
        ({"nonsense": 1}, "It carries: wish"),
    ],
)
def test_what_an_event_brings_is_checked_before_it_is_believed(
    box: Toybox, facts: dict[str, JsonValue], error: str
) -> None:
    with pytest.raises((LookupError, ValueError), match=error):
        box.services.alert(box.session, "fire", facts)
    assert not box.events("alerted")


def test_two_messages_at_once_are_put_in_one_order_and_none_is_lost(box: Toybox) -> None:
    texts = [f"a={number}" for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda text: box.services.say(box.session, text), texts))
    assert box.services.wait(box.session, 60)
    heard = box.events("heard")
    assert sorted(event.text for event in heard) == sorted(texts)
    assert [event.turn for event in heard] == list(range(1, 41))
    assert box.now.facts.known["a"].value == heard[-1].text.removeprefix("a=")
    assert not box.now.busy


def _write_unfinished(box: Toybox, *events: Event) -> None:
    """Write what a program that was killed had written, and start again."""
    box.services.close()
    store = SqliteStore(box.home / "sessions.db")
    journal = open_conversation(box.session, store, lambda: datetime(2026, 11, 21, 13, tzinfo=UTC))
    for event in events:
        journal.add(event)
    journal.flush()
    store.close()
    box.services = box.open()


def test_a_message_that_was_acknowledged_before_a_crash_is_answered_after_it(box: Toybox) -> None:
    _write_unfinished(box, Heard(turn=1, text="goal trophy"))
    assert box.now.busy or box.asks
    assert box.services.wait(box.session, 30)
    assert box.asks == "fact a"


def test_a_turn_that_was_cut_off_goes_on_where_it_was(box: Toybox) -> None:
    box.say("goal trophy")
    seq = len(box.log)
    _write_unfinished(
        box,
        Heard(turn=2, text="b=bee"),
        TurnStarted(turn=2, of=seq + 1),
        Understood(heard=seq + 1, meaning=Interpretation()),
    )
    box.services.snapshot(box.session)
    assert box.services.wait(box.session, 30)
    assert not box.now.busy
    assert "b" not in box.now.facts.known, "what was taken up before the crash is not taken up twice"


@pytest.mark.parametrize(
    ("skill", "mode", "inputs", "repeated"),
    [("engraver", "engrave", {"c": "c"}, True), ("giver", "give", {"c": "c", "secret": "secret"}, False)],
    ids=["one that only reads", "an irreversible one"],
)
def test_a_call_cut_off_by_a_crash_is_repeated_only_if_that_is_safe(
    box: Toybox, skill: str, mode: str, inputs: dict[str, str], repeated: bool
) -> None:
    """Bad input 29."""
    goal = {"engraver": "trophy", "giver": "prize"}[skill]
    BEHAVIOUR.gate.clear()
    box.services.say(box.session, f"goal {goal}; a=first; secret=4711")
    while not BEHAVIOUR.calls:
        threading.Event().wait(0.01)
    BEHAVIOUR.gate.set()
    assert box.services.wait(box.session, 30)
    if skill == "giver":
        assert box.asks == "authorize giver"
    calls = BEHAVIOUR.called(skill)
    expected = {"engraver": "engraved", "giver": "won"}[skill]
    seq = len(box.log)
    plan = box.now.plan.plan_id if box.now.plan else 1
    _write_unfinished(
        box,
        Heard(turn=2, text="yes"),
        TurnStarted(turn=2, of=seq + 1),
        Understood(heard=seq + 1, meaning=Interpretation()),
        Calling(call_id="cut", skill=skill, mode=mode, inputs=inputs, input_events={}, plan_id=plan, expected=expected),
    )
    box.services.snapshot(box.session)
    assert box.services.wait(box.session, 30)
    failed = box.events("failed")
    assert [event.error for event in failed] == (["raised"] if repeated else ["in_doubt"])
    assert BEHAVIOUR.called(skill) == calls
    if not repeated:
        assert any("cannot tell whether it took effect" in e.event.text for e in box.log if e.event.kind == "replied")
        assert any(event.because == "in_doubt" for event in box.events("pruned"))
        assert not box.events("restored"), "values that are not on record may be any"


def test_an_unexpected_fault_ends_the_turn_kindly_and_the_conversation_goes_on(
    box: Toybox, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def explode(*_: object) -> None:
        raise ZeroDivisionError(CANARY)

    monkeypatch.setattr("dialogue.moves.hearing.integrate", explode)
    with caplog.at_level(logging.DEBUG):
        [reply] = box.say("goal trophy")
    assert reply.startswith("Something went wrong on my side")
    assert "ZeroDivisionError" in caplog.text
    assert CANARY not in caplog.text
    monkeypatch.undo()
    box.say("goal trophy")
    assert box.now.goals.stack


def test_a_sensitive_value_is_nowhere_but_in_the_log(box: Toybox, caplog: pytest.LogCaptureFixture) -> None:
    """Bad input 31: a canary number is absent from logs, exports, explanations and error messages."""

    def leak(values: object) -> Result:
        raise RuntimeError(f"cannot work with {values}")

    BEHAVIOUR.giver = leak
    with caplog.at_level(logging.DEBUG):
        box.say(f"goal prize; a=first; secret={CANARY}")
        box.say("yes")
        box.say("how secret full")
        box.say("what")
    assert BEHAVIOUR.calls[-1] == ("giver", {"c": "sea", "secret": CANARY}), "the skill did get it"
    assert box.events("failed")[-1].message == "RuntimeError", "its words are made of what it was handed"
    assert CANARY not in caplog.text
    assert CANARY not in json.dumps(box.services.export(box.session))
    replies = [e.event.text for e in box.log if e.event.kind == "replied"]
    assert CANARY not in " ".join(replies)
    assert CANARY not in " ".join(event.message for event in box.events("failed"))
    for kind in (QuestionKind.HOW, QuestionKind.WHY):
        assert CANARY not in box.explain(Question(kind, "secret", full=True)).text()


def test_a_rejected_answer_to_a_sensitive_question_is_masked_too(box: Toybox) -> None:
    box.say("goal prize; a=first")
    box.say("yes")
    assert box.asks == "fact secret"
    [again] = box.say(f"is it {CANARY}?")
    assert again == "That was not some text of at most 2,000 characters. What is the secret?"
    assert CANARY not in json.dumps(box.services.export(box.session))


def test_an_optional_sensitive_input_goes_along_only_with_consent(home: Path) -> None:
    catalog = CATALOG.replace("engrave: {inputs: [c],", "engrave: {inputs: [c], optional: [secret],")
    box = Toybox(home, catalog)
    box.say("goal trophy; a=first; secret=4711")
    assert BEHAVIOUR.calls[-1] == ("engraver", {"c": "sea"})
    box.services.close()


def test_a_consent_names_everything_that_may_go_to_the_skill_by_it(home: Path) -> None:
    optional = CATALOG.replace("give: {inputs: [c, secret],", "give: {inputs: [c, secret], optional: [diary],")
    diary = "  diary: {description: a diary, label: your diary, sensitive: true}\n  prize:"
    box = Toybox(home, optional.replace("  prize:", diary, 1))
    box.say("goal prize; a=first; diary=dear me")
    assert box.asks == "authorize giver"
    assert box.events("asked")[-1].facts == ("secret", "diary")
    box.say("yes")
    box.say("secret=4711")
    assert BEHAVIOUR.calls[-1] == ("giver", {"c": "sea", "secret": "4711", "diary": "dear me"})
    box.services.close()


def test_owner_reveals_and_hides_a_sensitive_value(box: Toybox) -> None:
    box.say("secret=4711")
    box.services.reveal(box.session, "secret")
    assert "secret" in box.now.facts.revealed
    box.services.reveal(box.session, "secret", shown=False)
    assert "secret" not in box.now.facts.revealed


def test_what_is_too_long_is_cut_off_and_that_is_said(box: Toybox) -> None:
    [told, *_] = box.say("x" * 2 * MAX_TEXT)
    assert told == "That was very long, so I have only read the first 4,000 characters."
    assert len(box.events("heard")[-1].text) == MAX_TEXT + 1
    assert not any("very long" in reply for reply in box.say("x" * MAX_TEXT))


def test_text_that_cannot_be_written_down_is_written_down_as_far_as_it_can(box: Toybox) -> None:
    box.say("goal trophy; a=first \ud800 and \x00")
    box.restart()
    assert box.events("heard")[-1].text == "goal trophy; a=first ? and \x00"


def test_a_guessed_session_is_refused(box: Toybox) -> None:
    """Bad input 33."""
    for call in (box.services.snapshot, box.services.export, box.services.delete):
        with pytest.raises(UnknownSession):
            call("0" * 32)
    with pytest.raises(UnknownSession):
        box.services.say("0" * 32, "hello")
    with pytest.raises(UnknownSession):
        box.services.file(box.session, "0" * 64)


def test_deleting_a_conversation_deletes_all_of_it(box: Toybox) -> None:
    box.say("goal trophy; secret=4711")
    box.services.delete(box.session)
    assert box.services.sessions() == ()
    with pytest.raises(UnknownSession):
        box.services.snapshot(box.session)
    box.services.close()
    kept = b"".join(path.read_bytes() for path in box.home.rglob("*") if path.is_file())
    assert b"4711" not in kept
    box.services = box.open()


def test_sessions_are_listed_last_used_first(box: Toybox) -> None:
    other = box.services.start("toys")
    box.say("goal trophy")
    listed = box.services.sessions()
    assert {row.session_id for row in listed} == {box.session, other}
    assert all(row.catalog == "toys" for row in listed)
    assert max(listed, key=lambda row: row.entries).session_id == box.session


def test_what_does_not_exist_or_is_too_large_is_refused_with_a_clear_message(box: Toybox) -> None:
    with pytest.raises(UnknownCatalog, match="There are: toys"):
        box.services.start("bank")
    with pytest.raises(LookupError, match="There are: fire"):
        box.services.alert(box.session, "flood")
    with pytest.raises(TooLarge, match="5,242,880 are allowed"):
        box.services.say(box.session, "", [Upload("big.png", "image/png", b"x" * (MAX_UPLOAD_BYTES + 1))])
    assert not box.events("heard")


def test_a_file_that_nothing_takes_is_answered_and_not_guessed(box: Toybox) -> None:
    box.services.say(box.session, "", [Upload("cat.png", "image/png", b"not really")])
    assert box.services.wait(box.session, 30)
    assert any("I take no files" in e.event.text for e in box.log if e.event.kind == "replied")


def test_a_click_explains_with_the_same_text_as_the_chat(box: Toybox) -> None:
    box.say("goal trophy; a=first")
    box.say("no")
    for kind, fact in ((QuestionKind.WHAT, None), (QuestionKind.HOW, "c"), (QuestionKind.WHY, "a")):
        [reply] = box.say(f"{kind.value} {fact or ''}".strip())
        assert box.explain(Question(kind, fact)).lines() == reply


def test_every_explanation_cites_events_that_are_in_the_log(box: Toybox) -> None:
    box.say("goal trophy; a=first")
    box.say("no")
    for kind, fact in ((QuestionKind.WHAT, None), (QuestionKind.HOW, "trophy"), (QuestionKind.WHY, "a")):
        told = box.explain(Question(kind, fact, full=True))
        assert told.evidence
        assert {box.log[seq - 1].event.kind for seq in told.evidence} <= {
            "established", "calling", "ran", "goal_pushed", "goal_achieved", "heard", "planned",
        }  # fmt: skip


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), "much", None, [1]])
def test_weights_that_are_no_numbers_cost_the_explanation_and_not_the_result(box: Toybox, weight: object) -> None:
    BEHAVIOUR.weights = {"c": weight, "secret": 0.5}
    box.say("goal prize; a=first; secret=4711")
    box.say("yes")
    assert box.now.goals.past[-1].status == "achieved"
    assert box.events("ran")[-1].attributions == ()
    box.restart()
    assert box.now.goals.past[-1].status == "achieved", "the log can be read again"


def test_a_secret_at_the_cut_of_a_long_message_is_masked_whole(box: Toybox) -> None:
    def leak(values: object) -> Result:
        raise RuntimeError("x" * 476 + CANARY)

    BEHAVIOUR.giver = leak
    box.say(f"goal prize; a=first; secret={CANARY}")
    box.say("yes")
    assert "canary" not in box.events("failed")[-1].message


def test_values_that_were_understood_and_not_taken_up_are_masked_too(box: Toybox) -> None:
    """A value is said with "stop", or corrected in the same breath: it never becomes known."""
    box.say("goal prize")
    box.say(f"stop; secret={CANARY}")
    box.say("secret=4711-first; secret=4711-second")
    exported = json.dumps(box.services.export(box.session))
    for said in (CANARY, "4711-first", "4711-second"):
        assert said not in exported


def test_what_waits_to_be_understood_is_masked_whole(box: Toybox) -> None:
    BEHAVIOUR.gate.clear()
    box.services.say(box.session, "goal trophy; a=first")
    while not BEHAVIOUR.calls:
        threading.Event().wait(0.01)
    box.services.say(box.session, f"secret={CANARY}")
    assert CANARY not in json.dumps(box.services.export(box.session))
    BEHAVIOUR.gate.set()
    assert box.services.wait(box.session, 30)
    assert CANARY not in json.dumps(box.services.export(box.session))


@pytest.mark.parametrize("word", ["no", "skip"])
def test_the_word_that_skips_a_sensitive_question_is_no_secret(box: Toybox, word: str) -> None:
    box.say("goal prize; a=first")
    box.say("yes")
    assert box.asks == "fact secret"
    box.say(word)
    exported = json.loads(json.dumps(box.services.export(box.session)))
    heard = [e["event"]["text"] for e in exported["entries"] if e["event"]["kind"] == "heard"]
    assert heard[-1] == word


def test_an_unclear_answer_to_the_question_for_consent_is_masked(box: Toybox) -> None:
    box.say("goal prize; a=first")
    assert box.asks == "authorize giver"
    box.say(f"it is {CANARY}")
    assert CANARY not in json.dumps(box.services.export(box.session))


def test_catalogs_may_name_only_packages_that_the_operator_allows(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bad input 8."""
    path = tmp_path / "toys.yaml"
    path.write_text(CATALOG, encoding="utf-8")
    for named, becomes_known in (("", False), ("tests.dialogue.toys", True)):
        monkeypatch.setenv("PLANGLASS_SKILLS", named)
        services = make_services(home / named, files=[path])
        session = services.start(str(path))
        for said in ("give me a toy", "red"):
            services.say(session, said)
            assert services.wait(session, 60)
        seen = services.snapshot(session)
        assert ("car" in seen.conversation.facts.known) is becomes_known
        assert {e.event.error for e in seen.log if isinstance(e.event, Failed)} == (set() if named else {"unavailable"})
        services.close()


def test_trouble_is_described_by_kind_and_place_and_never_by_its_message() -> None:
    """Bad input 31."""
    with pytest.raises(KeyError) as raised:
        _ = dict[str, str]()[CANARY]
    told = describe_trouble(raised.value)
    assert told.startswith("KeyError")
    assert "test_trouble_is_described" in told
    assert CANARY not in told


def test_what_the_first_turns_need_is_prepared_once(box: Toybox) -> None:
    ready = box.services.warm("toys")
    ready.result(60)
    assert box.services.warm("toys") is ready
    with pytest.raises(UnknownCatalog):
        box.services.warm("atlantis")
