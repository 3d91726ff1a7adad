"""finch's room: its bots under its norms. The bots know no norms; what is posted is coherent all the same."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.rooms.coherence import find_violations
from benchmarks.rooms.play import BOTS, Line, Played, Stage, people_of, play
from catalog.norms import Message, NormSpecification, Utterance
from catalog.norms.load import load_norms
from catalog.norms.vocabulary import SPEECH_ACTS
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.governance.status import holds
from dialogue.rooms.governance.verdict import Tag
from language.rooms.speech_acts import Listener
from tests.examples import examples

EXPERTS = ("SA", "CD", "TB")
FIGURES: dict[str, Any] = {"amount": "4000", "months": 36}


@cache
def finch() -> NormSpecification:
    return load_norms("catalog/demos/finch/norms.yaml").specification


def line(act: str, topic: str = "undefined", *, by: str = "Ana", to: str = "", text: str = "", **values: Any) -> Line:
    content = "simulation" if act == "simulate" else "text"
    said = Utterance(act=act, topic=topic, content=content, text=text, values=values)
    return Line(by, (said,), tuple(to.split()), text)


def turn(*lines: Line) -> Line:
    """Say several things in one turn."""
    mentions = dict.fromkeys(name for one in lines for name in one.mentions)
    return Line(lines[0].person, tuple(said for one in lines for said in one.utterances), tuple(mentions))


SIMULATE = line("simulate", **FIGURES)
ABOUT = {"savings": "is a savings account", "cd": "is a CD", "bonds": "is a treasury bond"}


class Room:
    """A room in which one thing happens after the other: bots answer when they are told to."""

    def __init__(self, *people: str) -> None:
        self.stage = Stage(finch(), people or ("Ana",))

    @property
    def played(self) -> Played:
        return self.stage.played

    def settle(self, *lines: Line) -> Room:
        self.stage.settle()
        for one in lines:
            self.stage.say(one)
            self.stage.settle()
        return self

    def say(self, one: Line) -> None:
        """Let a person speak, and nobody answer yet."""
        self.stage.say(one)
        self.stage.take("inbox")

    def until(self, sender: str) -> None:
        """Go on until somebody has spoken."""
        while self.senders()[-1] != sender:
            self.stage.take(self.stage.turns()[0])

    def tags(self, message: Message) -> str:
        """Judge a message that is not sent."""
        verdict, _ = self.stage.governance.judge(self.stage.status, message)
        return f"{verdict.tag} by {' and '.join(verdict.norms) or 'default'}"

    def try_out(self, sender: str, act: str = "inform", content: str = "text", to: str | None = None) -> str:
        """Judge what a participant could say, in answer to the last message of somebody."""
        answered = next((one for one in reversed(self.played.posted) if one.sender == to), None)
        number = answered.id if answered else ""
        said = Utterance(act=act, content=content)
        return self.tags(Message(sender=sender, utterances=(said,), in_reply_to=number, replies_to=to))

    def senders(self) -> list[str]:
        return [one.sender for one in self.played.posted]

    def owed(self) -> dict[str, tuple[str, ...]]:
        norms = self.stage.governance.specification.norms
        return {one.norm: one.bearers for one in self.stage.status.active if norms[one.norm].kind == "obligation"}


@pytest.mark.row("R1")
def test_at_the_start_the_mediator_must_speak_and_the_experts_must_not() -> None:
    room = Room()
    assert room.try_out("In", "greeting") == "required by oblig_to_mediator_to_open"
    for expert in EXPERTS:
        assert room.try_out(expert, "greeting") == "denied by proh_to_experts"
    room.settle()
    assert room.senders() == ["In"]
    assert room.owed() == {}


@pytest.mark.row("R2")
def test_a_wish_for_a_simulation_obliges_the_mediator_and_forbids_the_experts_while_people_may_speak() -> None:
    room = Room("Ana", "Ben").settle()
    room.say(line("simulate"))
    assert room.owed() == {"oblig_to_mediator": ("In",)}
    assert room.try_out("In", to="Ana") == "required by oblig_to_mediator"
    for expert in EXPERTS:
        assert room.try_out(expert, "inform", "calculation", to="Ana") == "denied by proh_to_experts"
    for person in ("Ana", "Ben"):
        assert room.try_out(person, "inform") == "allowed by perm_to_sender"


@pytest.mark.row("R3")
@pytest.mark.parametrize(
    ("given", "question"),
    [
        ({}, "How much would you like to invest, and for how long?"),
        ({"amount": "4000"}, "For how long would you like to invest it?"),
        ({"months": 36}, "How much would you like to invest?"),
    ],
)
def test_the_mediator_asks_for_what_is_missing_and_goes_on_with_the_answer(
    given: dict[str, Any], question: str
) -> None:
    room = Room().settle(line("simulate", **given))
    assert room.senders()[-1] == "In"
    assert room.played.posted[-1].text == question
    missing = {name: value for name, value in FIGURES.items() if name not in given}
    room.settle(line("inform", **missing))
    assert room.senders()[-5:] == ["In", *EXPERTS, "In"]
    assert "4,000.00 reais would become" in room.played.posted[-1].text


@pytest.mark.row("R4")
def test_who_is_asked_must_calculate_and_may_do_nothing_else_while_the_mediator_may_only_conclude() -> None:
    room = Room().settle()
    room.say(SIMULATE)
    room.until("In")
    assert room.owed() == {"oblig_to_receiver": EXPERTS}
    for expert in EXPERTS:
        assert room.try_out(expert, "inform", "calculation", to="In") == "required by oblig_to_receiver"
        assert room.try_out(expert, "greeting", to="Ana") == "denied by proh_to_experts_except_to_inform_calc"
    assert room.try_out("In", "inform", to="Ana") == "denied by proh_to_mediator_except_to_finish_calc"
    assert room.try_out("In", "inform", "best_option", to="SA").startswith("denied by")


@pytest.mark.row("R5")
def test_each_expert_answers_once_and_a_second_answer_is_denied() -> None:
    room = Room().settle()
    room.say(SIMULATE)
    room.until("SA")
    assert room.owed() == {"oblig_to_receiver": ("CD", "TB")}
    assert room.try_out("SA", "inform", "calculation", to="In").startswith("denied by proh_to_")
    assert room.try_out("CD", "inform", "calculation", to="In") == "required by oblig_to_receiver"


@pytest.mark.row("R6")
def test_after_the_last_expert_the_mediator_must_conclude_with_the_best_option_once() -> None:
    room = Room().settle(SIMULATE)
    best = room.played.posted[-1]
    assert room.senders()[-5:] == ["In", *EXPERTS, "In"]
    assert [one.content for one in best.utterances] == ["best_option"]
    calculated = {one.values["product"]: float(str(one.values["net"])) for one in _calculations(room)}
    assert best.utterances[0].values["best"] == max(calculated, key=lambda product: calculated[product])
    assert best.receivers == ("Ana",)
    verdict = next(verdict for message, verdict in room.played.sent if message is best)
    assert verdict is not None
    assert (verdict.tag, verdict.norms) == (Tag.REQUIRED, ("oblig_to_mediator_to_conclude",))
    assert room.owed() == {}
    assert room.try_out("In", "inform", "best_option", to="TB").startswith("denied")


@pytest.mark.row("R7")
@pytest.mark.parametrize(("topic", "expert"), [("savings", "SA"), ("cd", "CD"), ("bonds", "TB")])
def test_a_question_on_one_product_obliges_its_expert_and_forbids_the_others(topic: str, expert: str) -> None:
    room = Room().settle()
    room.say(line("query", topic, text="what about taxes?"))
    assert room.try_out(expert, to="Ana").startswith("required by oblig_to_")
    for other in {*BOTS} - {expert}:
        assert room.try_out(other, to="Ana").startswith("denied by proh_to_others_than_")
    room.stage.settle()
    assert [one for one in room.senders()[2:] if one != "In"] == [expert]


@pytest.mark.row("R8")
def test_a_question_without_a_clear_topic_goes_to_who_answered_last() -> None:
    room = Room().settle(line("query", "cd", text="what is a CD?"), line("query", text="and the risk?"))
    assert room.senders()[-1] == "CD"
    assert "The risk is that the bank fails" in room.played.posted[-1].text
    room.settle(line("query", "bonds", text="what is the custody fee?"), line("query", text="and the minimum?"))
    assert room.senders()[-1] == "TB"
    room.settle(line("thank"), line("query", text="what can I do?"))
    assert room.senders()[-1] == "In"


@pytest.mark.row("R9")
@pytest.mark.parametrize("named", BOTS)
@pytest.mark.parametrize("said", [line("greeting"), line("query", text="how?"), line("inform"), line("query", "cd")])
def test_who_is_named_must_answer(named: str, said: Line) -> None:
    room = Room().settle(Line("Ana", said.utterances, (named,)))
    assert [one.sender for one in room.played.posted if one.replies_to == "Ana"] == [named]


SA, CD, TB = (line("query", topic, text=f"what {text}?") for topic, text in ABOUT.items())


@pytest.mark.row("R14")
@pytest.mark.parametrize(
    ("said", "answerers"),
    [
        (turn(SA, CD), ["SA", "CD"]),
        (turn(TB, SA), ["SA", "TB"]),
        (turn(line("thank"), SA, CD, TB), ["SA", "CD", "TB"]),
        (turn(line("query", "investment", text="what is the Selic?"), CD), ["In", "CD"]),
        (turn(line("greeting", to="CD TB")), ["CD", "TB"]),
        (turn(line("query", "savings", to="TB In SA", text="how?")), ["In", "SA", "TB"]),
        (turn(line("inform", to="SA Ben")), ["SA"]),
    ],
)
def test_of_several_who_are_asked_in_one_turn_each_answers_once_by_one_transition(
    said: Line, answerers: list[str]
) -> None:
    room = Room("Ana", "Ben").settle(said)
    answers = [one for one in room.played.posted if one.replies_to == "Ana"]
    assert [one.sender for one in answers] == answerers
    assert room.owed() == {}
    assert find_violations(room.played.posted) == []
    verdict = next(verdict for message, verdict in room.played.sent if message.sender == "Ana")
    assert verdict is not None
    assert verdict.transition is not None
    room.settle(line("query", text="and the risk?"))
    assert [one.sender for one in room.played.posted if one.replies_to == "Ana"][len(answers) :] == [answerers[-1]]


def test_each_of_several_experts_answers_for_its_own_product() -> None:
    room = Room().settle(turn(SA, CD))
    savings, certificates = (one for one in room.played.posted if one.replies_to == "Ana")
    assert [one.topic for one in savings.utterances] == ["savings"]
    assert [one.topic for one in certificates.utterances] == ["cd"]


def test_who_wants_a_simulation_and_asks_something_in_one_turn_gets_both() -> None:
    room = Room().settle(turn(line("simulate", **FIGURES), CD))
    assert sorted(room.senders()[2:]) == sorted(["In", "CD", *EXPERTS, "In"])
    assert sum(one.content == "best_option" for message in room.played.posted for one in message.utterances) == 1
    assert len(_calculations(room)) == len(EXPERTS)
    assert find_violations(room.played.posted) == []


@pytest.mark.row("R10")
def test_nobody_answers_itself() -> None:
    room = Room().settle(line("greeting", to="SA"), line("greeting"))
    assert all(one.replies_to != one.sender for one in room.played.posted)
    own = [verdict for message, verdict in room.played.sent if message.replies_to == message.sender]
    assert len(own) > 2
    assert all(one is not None and "proh_to_answer_oneself" in one.norms for one in own)


@pytest.mark.row("R12")
@pytest.mark.parametrize(("topic", "expert"), [("savings", "SA"), ("cd", "CD"), ("bonds", "TB")])
def test_simulating_a_single_product_completes(topic: str, expert: str) -> None:
    room = Room().settle(line("simulate", topic), line("inform", **FIGURES))
    assert room.senders()[-4:] == ["Ana", "In", expert, "In"]
    assert room.played.posted[-1].utterances[0].values["best"] == topic
    assert room.owed() == {}
    assert find_violations(room.played.posted) == []


@pytest.mark.row("R12")
@pytest.mark.parametrize(
    ("said", "topic"), [("For SA only", "savings"), ("only TB, please", "bonds"), ("just for the CD then", "cd")]
)
def test_a_product_called_by_its_abbreviation_is_simulated_alone(said: str, topic: str) -> None:
    people = {"Ana": "Ana", "In": "Investment adviser", "SA": "Savings", "CD": "Certificates", "TB": "Treasury bonds"}
    (heard,) = Listener(finch()).hear(said, people).utterances[:1]
    assert heard.topic == topic
    room = Room().settle(SIMULATE, turn(line(heard.act, heard.topic), line("inform", amount="800")))
    assert room.senders()[-2:] == [{"savings": "SA", "bonds": "TB", "cd": "CD"}[topic], "In"]
    assert room.played.posted[-1].utterances[0].values["best"] == topic


@pytest.mark.parametrize("act", ["request", "simulate", "propose"])
@pytest.mark.parametrize("before", [*ABOUT, "all"])
@pytest.mark.parametrize(("topic", "expert"), [("savings", "SA"), ("cd", "CD"), ("bonds", "TB")])
def test_the_product_that_is_named_now_outweighs_that_of_the_last_request(
    before: str, topic: str, expert: str, act: str
) -> None:
    room = Room().settle(line("simulate", before, **FIGURES), turn(line(act, topic), line("inform", amount="800")))
    assert room.senders()[-3:] == ["In", expert, "In"]
    assert "800.00 reais" in room.played.posted[-1].text
    room.settle(line("inform", "all", amount="900"))
    assert room.senders()[-5:] == ["In", *EXPERTS, "In"]


def test_a_correction_is_calculated_anew_with_what_was_said_before() -> None:
    room = Room().settle(SIMULATE, line("inform", amount="5000"))
    assert "5,000.00 reais would become" in room.played.posted[-1].text
    assert "3 years" in room.played.posted[-1].text


@pytest.mark.parametrize(
    ("values", "asks"),
    [
        ({"amount": "1e30", "months": 12}, "How much"),
        ({"amount": "0", "months": 12}, "How much"),
        ({"amount": "100", "months": 99999}, "How long"),
        ({"amount": "NaN", "months": 12}, "Which amount"),
        ({"amount": "100", "months": "a while"}, "how long"),
        ({"amount": "100", "months": 0}, "How long"),
        ({"amount": "100", "months": "1e999999999"}, "how long"),
        ({"amount": "100", "times": "1/0"}, "how long"),
    ],
)
def test_figures_that_cannot_be_calculated_with_are_asked_for_again(values: dict[str, Any], asks: str) -> None:
    room = Room().settle(line("simulate", **values))
    assert room.senders()[-1] == "In"
    assert asks in room.played.posted[-1].text


def test_an_expert_that_is_late_is_left_out_and_the_rest_concluded() -> None:
    room = Room().settle()
    room.stage._bots = {**BOTS, "CD": lambda occasion: []}
    room.stage.say(SIMULATE)
    room.stage.settle()
    assert room.senders()[-2:] == ["SA", "TB"]
    room.stage.wait(15)
    room.stage.settle()
    assert room.senders()[-1] == "In"
    assert "CD did not answer in time." in room.played.posted[-1].text
    assert room.owed() == {}
    room.stage._bots = BOTS
    room.settle(SIMULATE)
    assert room.senders()[-5:] == ["In", *EXPERTS, "In"]


def test_when_nobody_answers_the_mediator_says_so() -> None:
    room = Room().settle()
    room.stage._bots = {"In": BOTS["In"], **{name: lambda occasion: [] for name in EXPERTS}}
    room.stage.say(SIMULATE)
    room.stage.settle()
    room.stage.wait(15)
    room.stage.settle()
    assert "no expert answered in time" in room.played.posted[-1].text


def test_people_among_themselves_are_left_alone() -> None:
    room = Room("Ana", "Ben").settle(line("query", to="Ben", text="what do you think?"))
    assert room.senders() == ["In", "Ana"]


@pytest.mark.parametrize("topic", ["savings", "cd", "bonds", "investment", "all", "undefined"])
@pytest.mark.parametrize("act", SPEECH_ACTS)
def test_what_somebody_says_to_another_person_is_left_to_them_whatever_it_is_about(act: str, topic: str) -> None:
    room = Room("Ana", "Ben").settle(SIMULATE)
    before = len(room.played.posted)
    room.settle(line(act, topic, to="Ben", text="I would go with savings", **FIGURES))
    assert room.senders()[before:] == ["Ana"]


def test_the_mediator_prompts_for_more_once() -> None:
    room = Room().settle(line("query", "cd", text="what is a CD?"), line("query", "savings", text="what are savings?"))
    assert room.senders() == ["In", "Ana", "CD", "In", "Ana", "SA"]


def test_a_goodbye_ends_all_norms_that_were_activated() -> None:
    room = Room().settle(SIMULATE, line("bye"))
    assert (room.stage.status.state, room.stage.status.active) == ("quiet", ())
    room.settle(SIMULATE)
    assert room.stage.status.state == "governed"
    assert find_violations(room.played.posted) == []


TOPICS = st.sampled_from(["savings", "cd", "bonds", "investment", "all", "undefined"])
QUESTIONS = st.sampled_from(["what is it?", "and the risk?", "taxes?", "what about the weather?", "", "@{x}"])
VALUES = st.fixed_dictionaries(
    {}, optional={"amount": st.sampled_from(["400", "4000", "250000", "-3"]), "months": st.sampled_from([1, 6, 36])}
)
ACTS = st.sampled_from(["query", "query", "simulate", "simulate", "inform", "greeting", "thank", "bye", "refuse"])
PEOPLE = st.sampled_from(["Ana", "Ben"])
NAMED: st.SearchStrategy[list[str]] = st.one_of(
    st.just([]), st.lists(st.sampled_from([*BOTS, "Ben"]), max_size=2, unique=True)
)


@st.composite
def turns(draw: st.DrawFn) -> Line:
    by, to = draw(PEOPLE), " ".join(draw(NAMED))
    said = [
        line(draw(ACTS), draw(TOPICS), by=by, to=to, text=draw(QUESTIONS), **draw(VALUES))
        for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3])))
    ]
    return turn(*said)


def scripts() -> st.SearchStrategy[list[Line]]:
    return st.lists(turns(), min_size=1, max_size=8)


@settings(max_examples=examples(12))
@given(scripts(), st.integers(0, 2**32))
def test_whatever_people_say_and_however_quick_bots_are_what_is_posted_is_coherent(
    script: list[Line], seed: int
) -> None:
    """Two people speak without waiting; bots answer in any order."""
    played = play(finch(), script, chance=Random(seed))
    assert [(one.violation.value, one.message.text) for one in find_violations(played.posted)] == []
    assert play(finch(), script, chance=Random(seed)).sent == played.sent


@settings(max_examples=10, deadline=None)
@given(scripts())
def test_nothing_is_posted_against_a_prohibition_and_nothing_owed_is_left(script: list[Line]) -> None:
    played = play(finch(), script)
    governance = Governance(finch())
    status = Stage(finch(), people_of(script)).status
    for message, verdict in played.sent:
        again, status = governance.judge(status, message)
        assert again == verdict
        assert not again.conflicts
    assert not any(
        finch().norms[one.norm].kind == "obligation" and holds(finch().norms[one.norm].if_, status)
        for one in status.active
    )


@pytest.mark.long
def test_without_governance_the_same_bots_are_not_coherent() -> None:
    played = play(finch(), [line("greeting"), SIMULATE, line("query", "cd", text="what is a CD?")], governed=False)
    assert len({one.violation for one in find_violations(played.posted)}) > 2


def _calculations(room: Room) -> list[Utterance]:
    return [said for one in room.played.posted for said in one.utterances if said.content == "calculation"]
