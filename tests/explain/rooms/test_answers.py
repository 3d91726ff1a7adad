"""What is said about a room: who may speak, what was denied, why somebody spoke or was silent, with the evidence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from catalog.norms.message import Message, Utterance
from catalog.norms.model import Filters
from catalog.norms.vocabulary import NormKind, Tag
from dialogue.rooms.events import BotReacted, ReactionFailed, RefusalReason, TurnedAway
from dialogue.rooms.record import record_of
from explain.claim import AnswerText
from explain.rooms import RoomQuestion, RoomQuestionKind, RoomRecord, answer_about_room
from explain.rooms.record import InForce, MessageOnRecord, Party, UtteranceRecord
from language.responses.rooms.notices import say_denied_by, say_heard
from tests.dialogue.rooms.by_hand import RoomByHand
from tests.dialogue.rooms.test_governance import DESK

Kind = RoomQuestionKind


def say(room: RoomByHand, sender: str, act: str, topic: str = "undefined", text: str = "", **more: Any) -> int:
    part = Utterance(act=act, topic=topic, text=text, content=more.pop("carries", "text"))
    return room.say(Message(sender=sender, utterances=(part,), **more))


def ask(
    room: RoomByHand, kind: Kind, about: str | None = None, entry: int | None = None, asker: str = "Ana"
) -> AnswerText[RoomQuestion]:
    return answer_about_room(record_of(room.log, asker), RoomQuestion(kind, about, entry, asker))


def a_talk() -> RoomByHand:
    """Ana asks about repairs; Bill's answer is denied, Pat's required, and Pat's second one denied."""
    room = RoomByHand("Ana", "Ben")
    say(room, "Ana", "query", "repairs", "my tap drips")  # entry 4
    say(room, "Bill", "inform", "bills", "it costs 40")  # 6
    say(room, "Pat", "inform", "repairs", "close the “main” tap")  # 8
    say(room, "Pat", "inform", "repairs", "and again")  # 10
    return room


WAIT = "(Pat and Bill must not speak, except to say hello) holds from the start."


def test_why_somebody_spoke_names_the_norm_and_the_message_that_put_it_in_force() -> None:
    answer = ask(a_talk(), Kind.WHY_ALLOWED, "Pat")
    assert answer.text() == (
        "Pat had to speak (8): by “plumber answers”. "
        "That norm (Pat must give information) held because you asked about repairs (4)."
    )
    assert answer.evidence == (4, 5, 8, 9)
    assert ask(a_talk(), Kind.WHY_ALLOWED, entry=4, asker="Ben").text() == (
        "Ana was allowed to speak (4): people may speak unless a norm forbids it."
    )
    assert ask(a_talk(), Kind.WHY_ALLOWED, "Ana").text().startswith("You were allowed to speak (4)")
    assert ask(a_talk(), Kind.WHY_ALLOWED, "Bill").text() == "Bill did not say anything so far."


def test_why_something_was_denied_names_the_norm_that_denied_it() -> None:
    assert ask(a_talk(), Kind.WHY_DENIED).text() == (
        f"Pat wanted to say “and again” (10), and that was denied by “experts wait”. That norm {WAIT}"
    )
    assert ask(a_talk(), Kind.WHY_DENIED, entry=6).text().startswith("Bill wanted to say “it costs 40” (6)")
    assert ask(a_talk(), Kind.WHY_DENIED, "Ben").text() == (
        "Nothing that Ben sent was denied. Ben may speak now. People may speak unless a norm forbids it."
    )
    assert ask(RoomByHand("Ana"), Kind.WHY_DENIED).text() == "Nothing was denied so far."


def test_an_exception_that_let_a_message_pass_is_told() -> None:
    room = RoomByHand("Ana", defaults={"bot": "permitted"})
    entry = say(room, "Bill", "greeting", text="Hello!")
    assert ask(room, Kind.WHY_ALLOWED, "Bill").text() == (
        f"Bill was allowed to speak ({entry}): bots may speak unless a norm forbids it. "
        "“experts wait” would have denied it, but has an exception: to say hello."
    )


def test_a_denial_by_default_says_what_the_default_is() -> None:
    room = RoomByHand("Ana", initial={})
    say(room, "Bill", "inform", text="I am here")
    assert ask(room, Kind.WHY_DENIED).text() == (
        "Bill wanted to say “I am here” (3), and that was denied: bots must not speak unless a norm lets them."
    )
    assert ask(room, Kind.WHO_MUST_NOT).text() == (
        "Pat and Bill must not speak now. Bots must not speak unless a norm lets them."
    )


def test_who_may_must_and_must_not_speak() -> None:
    room = RoomByHand("Ana", "Ben")
    assert ask(room, Kind.WHO_MUST).text() == "No one has to speak now."
    say(room, "Ana", "query", "repairs")
    assert ask(room, Kind.WHO_MUST).text() == (
        "Pat must speak now, by “plumber answers”. "
        "That norm (Pat must give information) holds because you asked about repairs (4)."
    )
    may = ask(room, Kind.WHO_MAY).text()
    assert "Pat must speak now" in may and "You and Ben may speak now." in may
    assert (
        "Bill must not speak now, by “experts wait”. What is allowed all the same is"
        in ask(room, Kind.WHO_MUST_NOT).text()
    )
    assert ask(room, Kind.WHO_MAY, "Ben", asker="Ben").text().startswith("You may speak now.")
    assert ask(room, Kind.WHO_MAY, "Zoe").text() == "No participant is called Zoe."
    room.leave("Ben")
    assert ask(room, Kind.WHO_MAY, "Ben").text() == "Ben left the room."
    quiet = {**DESK["norms"], "hush": {"kind": "prohibition", "bearer": "everybody"}}
    silent = RoomByHand("Ana", norms=quiet, initial={"activate": "hush"})
    assert ask(silent, Kind.WHO_MAY).text() == "No one may speak now."
    assert "(no one may speak) holds from the start" in ask(silent, Kind.WHO_MUST_NOT).text()
    free = RoomByHand("Ana", initial={}, defaults={"bot": "permitted"})
    assert ask(free, Kind.WHO_MUST_NOT).text() == "No one is forbidden to speak now."


def test_silence_is_explained_by_what_was_denied_or_is_owed_or_went_wrong() -> None:
    room = a_talk()
    assert ask(room, Kind.WHY_SILENT, "Bill").text() == (
        f"Bill wanted to say “it costs 40” (6), and that was denied by “experts wait”. That norm {WAIT}"
    )
    assert ask(room, Kind.WHY_SILENT, "Pat").text() == "Pat did answer (8)."
    whole = ask(room, Kind.WHY_SILENT).text()
    assert whole.startswith("Pat did answer (8). Bill wanted to say") and whole.count("holds from the start") == 1
    asked = say(room, "Ben", "query", "repairs")
    assert ask(room, Kind.WHY_SILENT, "Pat").text() == (
        "Pat must speak by “plumber answers”, and did not yet. "
        f"That norm (Pat must give information) holds because Ben asked about repairs ({asked})."
    )
    assert ask(room, Kind.WHY_SILENT, "Bill").text().startswith("Bill must not speak now, by “experts wait”.")
    room.add(BotReacted(participant="Bill", of=asked))
    assert ask(room, Kind.WHY_SILENT, "Bill").text().startswith("Bill had nothing to say to that. Bill must not speak")
    room.add(ReactionFailed(participant="Bill", of=asked, trouble="It took more than 2 s"))
    assert "Bill gave no usable answer: It took more than 2 s." in ask(room, Kind.WHY_SILENT, "Bill").text()
    assert ask(room, Kind.WHY_SILENT, "Pat", entry=4).text() == "Pat did answer (8)."
    assert ask(room, Kind.WHY_SILENT, "Ana").text() == "You may speak, and sent nothing."
    lapsed = room.lapse("plumber_answers")
    late = ask(room, Kind.WHY_SILENT, "Pat")
    assert late.text().startswith("Pat had to answer (“plumber answers”), and did not in time.")
    assert lapsed in late.evidence
    room.leave("Ben")
    assert ask(room, Kind.WHY_SILENT, "Ben").text() == "Ben left the room."
    nobody = RoomByHand("Ana", participants={}, norms={}, initial={}, transitions={})
    assert ask(nobody, Kind.WHY_SILENT).text() == "Nothing was said so far."


def test_a_norm_that_silenced_several_is_explained_once() -> None:
    room = RoomByHand("Ana")
    say(room, "Ana", "greeting", text="hi")
    say(room, "Pat", "inform", text="yes?")
    say(room, "Bill", "inform", text="hm?")
    answer = ask(room, Kind.WHY_SILENT).text()
    assert answer.count("denied by “experts wait”") == 2 and answer.count("holds from the start") == 1


def test_norms_of_now_are_told_with_since_when_and_why_they_hold() -> None:
    room = a_talk()
    assert ask(room, Kind.NORMS_NOW).text() == (
        "“no talk with oneself” (no one may send a message in answer to themselves) holds always. "
        f"“experts wait” {WAIT}"
    )
    assert ask(room, Kind.NORMS_NOW, "Ana").text().count("holds") == 1
    assert ask(RoomByHand(norms={}, initial={}, transitions={}), Kind.NORMS_NOW).text() == "No norm is in force."
    many = {f"rule_{i}": {"kind": "permission", "bearer": "user"} for i in range(23)}
    crowded = RoomByHand("Ana", norms=many, initial={"activate": list(many)}, transitions={})
    assert ask(crowded, Kind.NORMS_NOW).text().endswith("And 3 more.")


def test_a_norm_that_follows_from_a_missed_deadline_says_so() -> None:
    changed = {**DESK["transitions"], "give_up": {"on": {"unmet": "plumber_answers"}, "activate": ["bill_helps"]}}
    helps = {**DESK["norms"], "bill_helps": {"kind": "obligation", "bearer": "Bill", "label": "Bill helps out"}}
    room = RoomByHand("Ana", norms=helps, transitions=changed)
    say(room, "Ana", "query", "repairs")
    lapsed = room.lapse("plumber_answers")
    assert ask(room, Kind.WHO_MUST).text() == (
        "Bill must speak now, by “Bill helps out”. That norm holds because Pat did not do in "
        f"time what “plumber answers” asks for ({lapsed})."
    )


def test_why_a_norm_holds_is_followed_back_to_what_nobody_was_obliged_to_say() -> None:
    norms = {
        **DESK["norms"],
        "bill_is_asked": {
            "kind": "obligation",
            "bearer": "$receivers",
            "act": {"act": "inform"},
            "label": "who is asked answers",
        },
    }
    descriptors = {**DESK["descriptors"], "passed_on": {"sender": "plumber", "act": "inform", "receivers": "expert"}}
    transitions = {**DESK["transitions"], "pass_on": {"on": "passed_on", "activate": "bill_is_asked"}}
    room = RoomByHand("Ana", norms=norms, descriptors=descriptors, transitions=transitions)
    say(room, "Ana", "query", "repairs")  # 3
    say(room, "Pat", "inform", "repairs", "Bill knows", receivers=("Bill",))  # 5
    say(room, "Bill", "inform", "bills", "40", carries="text")  # 7
    assert ask(room, Kind.WHY_ALLOWED, "Bill").text() == (
        "Bill had to speak (7): by “who is asked answers”. "
        "That norm (Bill must give information) held because Pat gave information about repairs (5). "
        "“plumber answers” (Pat must give information) held because you asked about repairs (3)."
    )


def test_what_was_denied_is_listed_the_last_first() -> None:
    room = a_talk()
    assert ask(room, Kind.WHAT_DENIED).text().startswith("Pat wanted to say “and again” (10)")
    assert ask(room, Kind.WHAT_DENIED, "Bill").text().count("denied") == 1
    assert ask(room, Kind.WHAT_DENIED, "Ana").text() == "Nothing that you sent was denied."
    for _ in range(5):
        say(room, "Bill", "inform")
    assert ask(room, Kind.WHAT_DENIED).text().endswith("And 2 more.")


@pytest.mark.parametrize("reason", list(RefusalReason))
def test_what_was_turned_away_unjudged_says_why(reason: RefusalReason) -> None:
    room = a_talk()
    room.add(TurnedAway(participant="Bill", reason=reason))
    said = ask(room, Kind.WHY_DENIED, "Bill").text()
    assert said.startswith("What Bill sent (12) was turned away unjudged: ") and "could not be taken" not in said


def test_a_conflict_names_both_norms() -> None:
    norms = {**DESK["norms"], "experts_speak": {"kind": "obligation", "bearer": "expert", "label": "experts speak"}}
    room = RoomByHand("Ana", norms=norms, initial={"activate": ["experts_wait", "experts_speak"]})
    say(room, "Bill", "inform", text="now?")
    assert (
        ask(room, Kind.WHY_DENIED)
        .text()
        .startswith(
            "Bill wanted to say “now?” (3), but “experts wait” forbids what “experts speak” asks for, "
            "and the prohibition counts."
        )
    )


def test_who_is_here_is_told_with_labels_and_roles_and_the_entries_by_which_they_came() -> None:
    room = RoomByHand("Ana", "Ben")
    everybody = ask(room, Kind.WHO_IS_HERE)
    assert everybody.text() == (
        "Pat is a bot (plumber). Bill is a bot (expert). You are a person (user). Ben is a person (user)."
    )
    assert everybody.evidence == (1, 2, 3)
    assert ask(room, Kind.WHO_IS_HERE, "Ben").text() == "Ben is a person (user)."
    assert ask(room, Kind.WHO_IS_HERE, "Ben").evidence == (3,)
    room.leave("Ben")
    assert "Ben" not in ask(room, Kind.WHO_IS_HERE).text()
    assert ask(room, Kind.WHO_IS_HERE, "Ben").text() == "Ben left the room."
    assert ask(room, Kind.WHO_IS_HERE, "Zoe").text() == "No participant is called Zoe."
    assert (
        ask(RoomByHand("Ana", governed=False), Kind.WHO_IS_HERE).text()
        == everybody.text()[: -len(" Ben is a person (user).")]
    )
    nobody = RoomByHand(participants={}, norms={}, initial={}, transitions={})
    assert ask(nobody, Kind.WHO_IS_HERE).text() == "This room is empty."
    named = {"Cal": {"kind": "bot", "label": "The host", "roles": "user"}}
    labelled = RoomByHand(participants=named, norms={}, initial={}, transitions={})
    assert ask(labelled, Kind.WHO_IS_HERE, "Cal").text() == "Cal is a bot, “The host” (user)."
    crowd = RoomByHand(*(f"Guest{number}" for number in range(30)))
    assert ask(crowd, Kind.WHO_IS_HERE).text().endswith("And 12 more.")


def test_where_nothing_is_governed_that_is_said() -> None:
    assert ask(RoomByHand("Ana", governed=False), Kind.WHY_DENIED).text() == (
        "No norms are applied in this room: everybody may speak."
    )


def test_the_words_of_private_messages_are_for_sender_and_receivers_alone() -> None:
    room = RoomByHand("Ana", "Ben")
    say(room, "Bill", "inform", text="your PIN is 1234", private=True, receivers=("Ana",))
    assert "1234" not in ask(room, Kind.WHAT_DENIED, asker="Ana").text()
    assert "1234" in ask(room, Kind.WHAT_DENIED, asker="Bill").text()
    assert "Bill wanted to speak (4)" in ask(room, Kind.WHAT_DENIED, asker="Ben").text()
    sent = room.say(Message(sender="Ben", content="only for Ana", private=True, receivers=("Ana",)))
    record = {asker: record_of(room.log, asker).entries[-1] for asker in ("Ana", "Pat", "Ben")}
    texts = [[said.text for said in one.utterances] for one in record.values()]
    assert texts == [["only for Ana"], [""], ["only for Ana"]] and record["Ana"].event == sent


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ((UtteranceRecord("query"),), "asked a question"),
        (
            (UtteranceRecord("greeting"), UtteranceRecord("query", topic="cd", about="certificates")),
            "asked about certificates",
        ),
        ((UtteranceRecord("greeting"), UtteranceRecord("thank")), "said hello"),
        ((UtteranceRecord("simulate", topic="all"),), "asked for a simulation of everything"),
        ((UtteranceRecord("request"),), "asked for something"),
        ((UtteranceRecord("inform", content="calculation"),), "sent a calculation"),
        ((UtteranceRecord("inform", content="best_option"),), "sent the best option"),
        ((UtteranceRecord("sing"),), "sent a message (sing)"),
        ((), "sent a message"),
    ],
)
def test_what_put_a_norm_in_force_is_told_by_what_the_message_did(said: tuple[UtteranceRecord, ...], told: str) -> None:
    by = MessageOnRecord(3, "In", Tag.ALLOWED, said, mentions=("TB",) if told == "asked a question" else ())
    norm = InForce("n", "experts wait", NormKind.PROHIBITION, ("TB",), since=3, transition="t")
    entry = MessageOnRecord(5, "TB", Tag.DENIED, (UtteranceRecord("inform", "so"),), deciding=(norm,))
    record = RoomRecord((Party("In"), Party("TB")), (by, entry), (norm,))
    text = answer_about_room(record, RoomQuestion(Kind.WHY_DENIED)).text()
    assert f"holds because In {told}{', naming TB' if by.mentions else ''} (3)." in text


def test_a_request_to_some_names_them_and_records_may_have_gaps() -> None:
    by = MessageOnRecord(3, "In", Tag.REQUIRED, (UtteranceRecord("request"),), receivers=("SA", "TB"))
    norm = InForce("n", "those asked answer", NormKind.OBLIGATION, ("TB",), since=3, transition="t")
    entry = MessageOnRecord(5, "TB", Tag.REQUIRED, (UtteranceRecord("inform", "so"),), deciding=(norm,))
    record = RoomRecord((Party("In"), Party("TB")), (by, entry), (norm,))
    text = answer_about_room(record, RoomQuestion(Kind.WHY_ALLOWED, "TB")).text()
    assert "because In asked SA and TB for something (3)" in text
    gap = answer_about_room(replace(record, entries=(entry,)), RoomQuestion(Kind.WHY_ALLOWED, "TB")).text()
    assert "holds since entry 3." in gap
    silent = answer_about_room(RoomRecord((Party("In"), Party("TB"))), RoomQuestion(Kind.WHY_SILENT))
    assert silent.text() == "In may speak, and sent nothing. TB may speak, and sent nothing."


def test_roles_and_topics_are_called_what_people_call_them() -> None:
    about = Filters(topic=("cd",), replies_to=("money_adviser",))
    norm = InForce(
        "hush",
        "hush",
        NormKind.PROHIBITION,
        ("TB",),
        ("TB",),
        about=about,
        unless=(Filters(replies_to=("everybody",)),),
    )
    record = RoomRecord(
        (Party("TB"),),
        norms=(norm,),
        roles={"money_adviser": "investment adviser"},
        topics={"cd": "certificates of deposit"},
    )
    says = "must not send a message about certificates of deposit in answer to an investment adviser"
    unless = "except to send a message in answer to anyone"
    answer = answer_about_room(record, RoomQuestion(Kind.NORMS_NOW))
    assert answer.text() == f"“hush” (TB {says}, {unless}) holds from the start."


def test_how_somebody_came_to_what_they_said_is_told_back_to_a_person_with_what_it_rests_on() -> None:
    room = RoomByHand("Ana", "Ben")
    asked = say(room, "Ana", "query", "repairs", "what does it cost?")
    answered = room.say(
        Message(
            sender="Pat",
            in_reply_to=str(asked),
            utterances=(
                Utterance(act="inform", topic="repairs", text="It costs 40.", values={"basis": ["a price list", 7]}),
            ),
        )
    )
    how = ask(room, Kind.HOW)
    assert how.text() == (
        f"Pat gave information about repairs ({answered}), in answer to you ({asked}). "
        "Pat says that it rests on this: A price list."
    )
    assert {asked, answered} <= set(how.evidence)
    assert ask(room, Kind.HOW, entry=answered, asker="Ben").text().startswith("Pat gave information about repairs")
    assert ask(room, Kind.HOW, "Ana").text().endswith("in answer to no one.")
    assert ask(room, Kind.HOW, "Bill").text() == "Bill did not say anything so far."
    summed_up = room.say(
        Message(sender="Pat", in_reply_to=str(answered), utterances=(Utterance(act="greeting", text="So, 40. Hello!"),))
    )
    assert "Pat says that it rests on this: A price list." in ask(room, Kind.HOW, entry=summed_up).text()
    assert ask(a_talk(), Kind.HOW).text().endswith("Pat does not say what that rests on.")
    assert ask(RoomByHand("Ana", governed=False), Kind.HOW).text() == "Nothing was said so far."


def test_what_no_norm_lets_is_denied_in_plain_words() -> None:
    assert say_denied_by(["a", "b"]) == "Denied by “a” and “b”."
    assert say_denied_by([]) == "Denied: no norm lets it."


def test_as_what_a_message_was_understood_is_said_in_words() -> None:
    assert say_heard("inform", "treasury bonds", "calculation") == "information about treasury bonds with a calculation"
    assert say_heard("query", "", "text") == "a question"
