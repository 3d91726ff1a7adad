"""Several agents in one conversation: who is asked, who acts, whose question it is, and what each may see."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.wording.agents import say_verdict
from dialogue.agents.events import Acted
from dialogue.agents.feedback import feedback_from
from dialogue.agents.model import AgentReply, ProposedAction, Reaction, Why
from dialogue.agents.orchestrators import ORCHESTRATORS, register, unregister
from dialogue.agents.orchestrators.planner import MaxOrchestrator
from dialogue.agents.orchestrators.threshold import START
from dialogue.agents.record import moments
from dialogue.cli.chat import print_replies
from dialogue.log.events import Replied
from dialogue.services import make_services
from dialogue.services.agents.in_chat import read_address, read_consent
from dialogue.settings import SettingsError
from explain.model import Question, QuestionKind
from tests.dialogue.agents.company import Company, on

Begin = Callable[..., Company]


@pytest.fixture
def begin(home: Path) -> Iterator[Begin]:
    opened: list[Company] = []

    def start(orchestrator: str = "planner", *friends: str, **choices: str) -> Company:
        opened.append(Company(home, orchestrator, *friends, **choices))
        return opened[-1]

    yield start
    for company in opened:
        company.services.close()


def whys(company: Company) -> dict[str, Why]:
    return {verdict.agent: verdict.why for verdict in company.moments[-1].moment.choice.verdicts}


def asking(company: Company, name: str = "books") -> None:
    """Let an agent ask for a colour, and be content with one."""
    friend = company.friends[name]
    friend.sure = on("book", "blue")
    ask = AgentReply(text="Which colour?", asks=True)
    friend.says = lambda text: ask if "book" in text else AgentReply(text=f"Taken: {text}")


def test_an_assistant_that_is_alone_with_the_planner_asks_nobody(begin: Begin) -> None:
    alone = begin()
    alone.say("goal trophy")
    alone.say("@books hello")
    assert not {"broadcast", "chosen", "acted"} & {entry.event.kind for entry in alone.log}


@pytest.mark.row("V21")
def test_everybody_is_asked_and_says_what_it_would_do_before_anything_is_done(begin: Begin) -> None:
    company = begin("max", "books", "weather")
    company.friends["books"].sure = on("goal", sure=0.6)
    said = company.talk("goal trophy")
    assert said[-1] == ("assistant", "What is a?")
    moment = company.moments[-1].moment
    assert moment.answers.declared == ("assistant", "books", "weather")
    own, books = moment.answers.previews
    assert (own.confidence, own.actions[0].text, own.actions[0].outputs) == (1.0, "the trophy", ("trophy",))
    assert own.actions[0].inputs in (("a",), ("b",)) and [action.text for action in own.actions[1:]]
    assert books.actions == (ProposedAction(text="see to: goal trophy"),)
    assert whys(company) == {"assistant": Why.BEST, "books": Why.LOWER, "weather": Why.SILENT}
    assert company.friends["books"].did == []
    asked = company.events("broadcast")[-1]
    assert asked.took_ms.keys() == {"books", "weather"}


@pytest.mark.row("V21")
def test_all_that_were_selected_act_in_order_each_in_its_own_name(begin: Begin) -> None:
    company = begin("s3", "books", "weather")
    for friend, sure in zip(company.friends.values(), (0.7, 0.8), strict=True):
        friend.sure = on("goal", sure=sure)
    said = company.talk("goal trophy")
    order = company.chosen()
    assert len(order) > 1
    acts = [event.agent for event in company.events("acted")]
    assert acts == list(order)
    assert list(dict.fromkeys(sender for sender, _ in said)) == list(order)
    assert not company.now.agents.left


@pytest.mark.parametrize("orchestrator", ORCHESTRATORS)
def test_each_orchestrator_lets_an_agent_act_where_the_assistant_has_nothing_to_offer(
    begin: Begin, orchestrator: str
) -> None:
    company = begin(orchestrator, "books")
    company.friends["books"].sure = on("report")
    assert company.talk("a report please") == [("books", "Done: a report please")]
    assert company.now.agents.last is not None and company.events("acted")[-1].reply.text == "Done: a report please"


def test_an_answer_belongs_to_the_agent_that_asked(begin: Begin) -> None:
    company = begin("max", "books", "weather")
    asking(company)
    company.friends["weather"].sure = lambda text: 1.0 if "blue" in text else 0.0
    assert company.talk("book it") == [("books", "Which colour?")]
    assert company.talk("blue") == [("books", "Taken: blue")]
    assert whys(company) == {
        "assistant": Why.SILENT,
        "books": Why.ANSWERS_ITS_QUESTION,
        "weather": Why.ANOTHERS_QUESTION,
    }
    assert company.now.agents.pending is None
    company.say("goal trophy")
    company.friends["books"].sure = lambda text: 1.0
    assert company.asks == "fact a"
    company.say("a=1")
    assert whys(company)["assistant"] is Why.ANSWERS_ITS_QUESTION
    assert whys(company)["books"] is Why.ANOTHERS_QUESTION


def test_a_digression_is_answered_and_the_question_returns(begin: Begin) -> None:
    company = begin("max", "books", "weather")
    asking(company)
    company.friends["weather"].sure = on("rain")
    company.say("goal toy")
    assert company.talk("will it rain?") == [
        ("weather", "Done: will it rain?"),
        ("assistant", "Back to my question: Red or blue?"),
    ]
    assert company.talk("book it") == [("books", "Which colour?")]
    assert company.talk("rain?")[1:] == [("books", "Back to my question: Which colour?")]
    told = company.talk("wish=red")
    assert told[-1] == ("books", "Back to my question: Which colour?")
    assert company.now.goals.past[-1].status == "achieved"


def test_an_agent_that_is_called_by_name_takes_the_turn_whatever_is_open(begin: Begin) -> None:
    company = begin("max", "fix it", "books")
    company.friends["fix it"].sure = lambda text: 0.01
    company.say("goal toy")
    assert company.talk('@"Fix it" wish=red')[0] == ("fix it", "Done: wish=red")
    assert company.asks == "fact wish" and "wish" not in company.now.facts.known
    assert whys(company) == {"fix it": Why.FORCED, "assistant": Why.NOT_CALLED_FOR, "books": Why.SILENT}
    assert company.talk("@books hello")[0] == ("assistant", "Books has nothing to offer for that.")
    assert company.chosen() == ()
    assert company.talk('clai "fix it" hello')[0] == ("fix it", "Done: hello")
    company.say("@assistant wish=red")
    assert company.now.facts.known["wish"].value == "red"
    assert company.now.facts.known["wish"].said == "red"
    [(who, told)] = company.talk("@nobody here")
    assert who == "assistant" and '@"fix it"' in told and "@books" in told
    assert company.chosen() == ("assistant",)


ADDRESSES = st.sampled_from(["books", "fix it", "Ann-Lee", "a.b"])


@given(ADDRESSES, st.sampled_from(["", " ", "  "]), st.text('abc @"1.', max_size=12))
def test_an_address_is_read_at_the_beginning_alone_and_leaves_everything_in_its_place(
    name: str, before: str, rest: str
) -> None:
    names = ("books", "fix it", "Ann-Lee", "a.b")
    for text in (f'{before}@"{name.upper()}" {rest}', f'{before}clai "{name}" {rest}'):
        found = read_address(text, names)
        assert found is not None and (found.agent, found.known) == (name, True)
        assert len(found.rest) == len(text) and found.rest.strip() == rest.strip()
    assert read_address(f"x @{name} {rest}", names) is None
    assert read_address(f"{name}: {rest}", names) is None
    other = read_address(f"@zoo {rest}", names)
    assert other is not None and (other.agent, other.known) == ("zoo", False)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("let books see it", ("books", True)),
        ("Please allow BOOKS to see my details.", ("books", True)),
        ('let "fix it" see everything', ("fix it", True)),
        ("don't let @books see it any more", ("books", False)),
        ("stop letting books see that", ("books", False)),
        ("let me see it", None),
        ("let books see it and rain", None),
        ("books may see it", None),
    ],
)
def test_a_consent_is_said_in_one_plain_form(text: str, read: tuple[str, bool] | None) -> None:
    assert read_consent(text, ("books", "fix it")) == read


CANARY = "canary-58291"


def everything_of(company: Company, *kinds: str) -> str:
    return "\n".join(entry.model_dump_json() for entry in company.log if entry.event.kind in kinds)


def test_no_sensitive_value_is_shown_to_another_agent_or_kept_of_it_or_learned(begin: Begin) -> None:
    """A canary is given in an answer, in a request, beside other words, and again after it is known."""
    company = begin("max", "books")
    company.friends["books"].sure = lambda text: 0.9
    for text in (
        f"@assistant goal prize; a=1; secret={CANARY}",
        f"@books take {CANARY}",
        f"say {CANARY.upper()}, please",
        f"secret={CANARY}",
        f"@books goal prize; secret={CANARY}",
        "@books what do you know?",
    ):
        company.say(text)
    friend = company.friends["books"]
    assert len(friend.did) > 2
    assert CANARY not in "".join((*friend.shown, *friend.did)).lower()
    assert CANARY not in everything_of(company, "broadcast", "chosen", "acted", "reacted").lower()
    learner = company.services.agents.learner(company.session)
    assert learner.lessons.kept
    assert CANARY not in json.dumps(company.services.learned(company.session)).lower()
    assert CANARY not in "".join(entry.model_dump_json() for entry in learner.log).lower()
    assert CANARY not in "".join(path.read_text() for path in company.home.rglob("*.json")).lower()


@settings(max_examples=10)
@given(st.lists(st.sampled_from(["{}", "it is {}", "@books {}", "secret={}", "hm"]), min_size=1, max_size=5))
def test_while_something_sensitive_is_asked_for_no_agent_is_shown_what_is_said(forms: list[str]) -> None:
    with TemporaryDirectory() as folder:
        company = Company(Path(folder), "max", "books")
        company.friends["books"].sure = lambda text: 0.5
        for text in ("goal prize", "a=1", "yes"):
            company.say(f"@assistant {text}")
        assert company.asks == "fact secret"
        for form in forms:
            company.say(form.format("zebra-748291"))
        assert "zebra-748291" not in "".join(company.friends["books"].shown)
        assert "zebra-748291" not in everything_of(company, "broadcast", "acted")
        company.services.close()


def test_an_agent_sees_what_is_sensitive_once_the_user_lets_it_and_no_longer_than_that(begin: Begin) -> None:
    company = begin("max", "books", "weather")
    for friend in company.friends.values():
        friend.sure = lambda text: 0.3
    company.friends["books"].sure = lambda text: 0.9 if "48291" in text else 0.3
    company.say("goal prize; a=1; secret=48291")
    said = company.talk("@books pay 48291")
    assert said[0] == ("books", "Done: pay ••••")
    assert said[1][1] == "What may be sensitive was not shown to books. To allow it, say: let books see it."
    company.say("let books see it")
    said = company.talk("@books pay 48291")
    assert company.friends["books"].did[-1] == "pay 48291"
    assert said[0] == ("books", "Done: pay ••••")
    assert company.moments[-1].moment.answers.previews[0].confidence == 0.9
    assert "48291" not in "".join(company.friends["weather"].shown)
    assert "48291" not in everything_of(company, "broadcast", "acted")
    company.say("don't let books see it")
    company.say("@books pay 48291")
    assert company.friends["books"].did[-1] == "pay ••••"


def test_an_answer_that_its_agent_may_not_see_is_asked_for_again_with_what_to_say(begin: Begin) -> None:
    company = begin("max", "books")
    asking(company)
    company.friends["books"].sure = on("book", "58291")
    company.say("book it")
    told = company.talk("58291")
    assert [who for who, _ in told] == ["assistant", "books"]
    assert "let books see it" in told[0][1]
    company.say("let books see it")
    assert company.talk("58291")[0] == ("books", "Taken: 58291")


@pytest.mark.row("C10")
def test_an_agent_that_fails_costs_its_own_act_and_nothing_else(begin: Begin) -> None:
    company = begin("s3", "books", "weather")
    company.friends["weather"].sure = company.friends["books"].sure = on("report")

    def fail(text: str) -> AgentReply:
        raise RuntimeError("it broke")

    company.friends["books"].says = fail
    said = company.talk("a report")
    assert said[0][0] == "assistant" and said[0][1].startswith("Books could not do it: ")
    assert said[1] == ("weather", "Done: a report")
    assert company.moments[-1].failed == ("books",)
    company.say("a report")
    assert company.moments[0].moment.reaction is Reaction.IGNORED


def test_what_nobody_can_place_is_said_kindly_with_whom_to_ask_by_name(begin: Begin) -> None:
    company = begin("max", "books")
    *_, (who, told) = company.talk("hm")
    assert (who, "@books" in told) == ("assistant", True)
    assert company.chosen() == ()
    company.say("maybe trophy toy")
    assert company.asks == "choice goal"
    company.friends["books"].sure = lambda text: 0.2
    company.say("no")
    *_, (who, told) = company.talk("a=7")
    assert company.chosen() == ("assistant",)
    company.services.choose(company.session, {"orchestrator": "bandit", "profile": "quiet"})
    [(who, told)] = company.talk("goal toy")
    assert company.chosen() == () and "@assistant" in told and company.now.goal is None


def test_what_nobody_else_can_place_is_a_bad_answer_to_the_question_of_the_assistant(begin: Begin) -> None:
    company = begin("max", "books")
    company.say("goal toy")
    assert company.talk("hm") == [("assistant", "I expected something else. Red or blue?")]
    assert company.now.questions.pending is not None and company.now.questions.pending.asked.attempt == 2


def test_what_nobody_can_place_costs_no_question_of_the_assistant_while_that_of_an_agent_is_open(begin: Begin) -> None:
    company = begin("max", "books")
    company.say("goal toy")
    asking(company)
    company.friends["books"].says = lambda text: AgentReply(text="Gladly.\n\nWhich colour?", asks=True)
    company.say("book it")
    assert company.talk("hm") == [
        ("assistant", "I could not place that, and no other agent here could."),
        ("books", "Back to my question: Which colour?"),
    ]
    company.say("@zoo book it")
    assert company.now.questions.pending is not None and company.now.questions.pending.asked.attempt == 1


def test_a_name_alone_may_be_an_answer_and_with_words_after_it_is_an_agent_that_is_not_here(begin: Begin) -> None:
    company = begin("max", "books")
    company.say("goal toy")
    assert company.talk("@zoo")[-1][1] == "I expected something else. Red or blue?"
    assert "There is no agent “zoo” here." in company.talk("@zoo feed it")[0][1]
    assert "There is no agent “zoo” here." not in company.talk("stop")[0][1]
    assert "There is no agent “zoo” here." in company.talk("@zoo")[0][1]


def test_a_stop_ends_the_question_of_an_agent(begin: Begin) -> None:
    company = begin("max", "books")
    asking(company)
    company.say("goal toy")
    company.say("book it")
    company.say("hm")
    assert company.talk("stop") == [
        ("assistant", "All right: books does not wait for that any more."),
        ("assistant", "Back to my question: Red or blue?"),
    ]
    assert company.now.agents.pending is None and company.now.goal is not None
    assert company.moments[1].moment.reaction is Reaction.DISMISSED
    assert company.moments[-1].orchestrator == "max" and company.chosen() == ()
    company.friends["books"].sure = on("book", "stop")
    company.say("book it")
    assert company.talk("stop")[0] == ("books", "Taken: stop")


def test_a_reminder_is_put_once_however_often_its_agent_repeats_it(begin: Begin) -> None:
    company = begin("max", "books")
    company.friends["books"].sure = on("book")
    company.friends["books"].says = lambda text: AgentReply(text="Back to my question: Which colour?", asks=True)
    company.say("book it")
    assert company.talk("goal toy")[-1] == ("assistant", "Red or blue?")
    assert company.talk("wish=red")[-1] == ("books", "Back to my question: Which colour?")


def test_what_people_do_next_is_on_record_and_learned_as_it_can_be_replayed_from_the_log(begin: Begin) -> None:
    company = begin("threshold", "books", "weather")
    company.friends["books"].sure = company.friends["weather"].sure = on("report", "rain")
    for text in ("a report", "rain?", "rain?", "@weather rain?", "thanks", "goal toy", "wish=red", "stop", "hm"):
        company.say(text)
    found = moments(company.log)
    assert [moment.reaction for moment in found[:-1]] == [
        *(None, Reaction.IGNORED, Reaction.DISMISSED, Reaction.FOLLOWED, None),
        *(Reaction.FOLLOWED, Reaction.DISMISSED, None),
    ]
    told = [
        feedback
        for one, following in itertools.pairwise(found)
        for feedback in feedback_from(one, None, following.event)
    ]
    kept = company.services.agents.learner(company.session).lessons.kept
    assert [lesson.feedback for lesson in kept] == told
    taught = [one.chosen for one in company.moments if one.moment.reaction is not None]
    assert [lesson.entry for lesson in kept] == taught
    assert company.moments[-1].learned >= len(kept)


REJECTIONS = (
    *("no", "no, that's wrong", "not helpful", "useless", "This isn't what I asked for.", "you misunderstood me"),
    *("wrong answer", "that makes no sense", "No, I meant tomorrow", "not quite right", "that didn't help", "stop"),
)
UNRELATED = ("a table for two", "what is the time in Oslo?", "my cat is called Wrong", "hm", "is that far away?")
APPROVALS = ("thanks", "great, thank you", "yes", "that helps a lot", "just what I wanted: that was very useful")


@pytest.mark.row("C6")
@pytest.mark.parametrize(
    ("said", "moved"),
    [*((one, 0.05) for one in REJECTIONS), *((one, 0.0) for one in UNRELATED), *((one, -0.02) for one in APPROVALS)],
)
def test_a_rejection_raises_a_threshold_an_approval_lowers_it_and_all_else_leaves_it(
    begin: Begin, said: str, moved: float
) -> None:
    company = begin("threshold", "books", "weather")
    company.friends["books"].sure = on("report")
    company.friends["weather"].sure = on("table", "time", "cat", "far")
    company.say("a report")
    assert company.chosen() == ("books",)
    company.say(said)
    state: Any = company.learned("threshold")
    assert state["thresholds"]["before"].get("books", START) == pytest.approx(START + moved)


@pytest.mark.row("C6")
def test_to_answer_what_an_agent_asked_follows_it_and_a_no_to_its_question_does_not(begin: Begin) -> None:
    company = begin("max", "books")
    asking(company)
    company.friends["books"].sure = on("book", "blue", "no")
    for text in ("book it", "blue", "book it", "no"):
        company.say(text)
    assert [one.moment.reaction for one in company.moments[:3]] == [
        Reaction.FOLLOWED,
        None,
        Reaction.IGNORED,
    ]


@pytest.mark.row("C7")
def test_what_was_learned_from_a_user_counts_in_the_next_conversation_until_it_is_taken_back(begin: Begin) -> None:
    company = begin("threshold", "books")
    company.friends["books"].sure = on("report", sure=0.21)

    def acts(user: str) -> tuple[str, ...]:
        company.session = company.services.start("toys", {"orchestrator": "threshold", "agents": "books"}, user)
        company.say("a report")
        return company.chosen()

    assert acts("ann") == ("books",)
    company.say("useless")
    company.restart()
    assert acts("ann") == ()
    assert acts("bob") == ("books",)
    assert acts("") == ("books",)
    assert acts("ann") == ()
    company.services.unlearn(company.session)
    assert acts("ann") == ("books",)


def test_a_thumb_counts_instead_of_what_was_read_from_what_came_next(begin: Begin) -> None:
    company = begin("max", "books")
    company.friends["books"].sure = on("report")
    company.say("a report")
    choice = company.moments[-1].chosen
    company.services.react(company.session, choice, Reaction.THUMBS_DOWN)
    learner = company.services.agents.learner(company.session)
    assert [lesson.feedback.reaction for lesson in learner.lessons.kept] == [Reaction.THUMBS_DOWN]
    company.say("hm")
    assert [lesson.feedback.reaction for lesson in learner.lessons.kept][:1] == [Reaction.THUMBS_DOWN]
    company.services.react(company.session, choice, Reaction.THUMBS_UP)
    assert [lesson.feedback.reaction for lesson in learner.lessons.kept] == [Reaction.THUMBS_UP]
    assert company.moments[0].moment.reaction is Reaction.THUMBS_UP
    with pytest.raises(LookupError, match="is no choice of an agent"):
        company.services.react(company.session, 1, Reaction.FOLLOWED)


@pytest.mark.row("C16")
def test_a_failure_while_learning_loses_no_reply(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    company = begin("threshold", "books")
    company.friends["books"].sure = on("report")
    company.say("a report")

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(type(company.services.agents.learner(company.session)), "learn", fail)
    assert company.talk("a report") == [("books", "Done: a report")]
    assert company.services.agents.learner(company.session).lessons.kept == ()


def test_an_orchestrator_that_fails_or_chooses_whom_it_cannot_leaves_it_to_the_planner(
    begin: Begin, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    company = begin("max", "books")
    company.friends["books"].sure = on("report")
    wrong = MaxOrchestrator.choose

    def fail(*given: object) -> object:
        raise ZeroDivisionError

    def choose_silent(self: MaxOrchestrator, *given: object) -> object:
        choice = wrong(self, *given)  # type: ignore[arg-type]
        return choice.model_copy(update={"agents": ("nobody else",)})

    for replaced in (fail, choose_silent):
        monkeypatch.setattr(MaxOrchestrator, "choose", replaced)
        company.say("goal toy")
        assert company.moments[-1].orchestrator == "planner"
        assert "could not choose" in caplog.text
        caplog.clear()
        monkeypatch.undo()
        company.say("stop")


def test_an_agent_that_was_interrupted_does_nothing_twice_and_says_so(begin: Begin) -> None:
    company = begin("s3", "books", "weather")
    company.friends["books"].sure = on("report", sure=0.9)
    company.friends["weather"].sure = on("report", sure=0.8)

    class Killed(BaseException):
        """The process ends."""

    def die(text: str) -> AgentReply:
        setattr(company.services._store, "append", broken)  # noqa: B010
        return AgentReply(text="Done")

    def broken(*_: object) -> None:
        raise Killed

    did = company.friends["books"].says
    company.friends["books"].says = die
    company.services.say(company.session, "a report")
    with pytest.raises(Killed):
        company.services.wait(company.session, 60)
    assert company.friends["books"].did == ["a report"]
    company.friends["books"].says = did
    company.restart()
    company.services.snapshot(company.session)
    assert company.services.wait(company.session, 60)
    troubles = [event.trouble for event in company.events("acted")]
    assert len(troubles) == 2 and all("stopped meanwhile" in trouble for trouble in troubles)
    assert company.friends["books"].did == ["a report"]
    assert company.talk("a report")[-1][1] == "Done: a report"


def test_an_agent_that_is_gone_is_left_out_and_one_that_there_is_none_of_is_refused(begin: Begin) -> None:
    company = begin("max", "books")
    with pytest.raises(SettingsError, match=r"There is no agent 'maps'\. There are: books\."):
        company.services.choose(company.session, {"agents": "books, maps"})
    with pytest.raises(SettingsError, match="There is no agent 'maps'"):
        company.services.start("toys", {"agents": "maps"})
    with pytest.raises(SettingsError, match="There is no agent 'maps'"):
        company.services.change_settings({"agents": "maps"})
    company.friends.clear()
    company.restart()
    company.say("goal toy")
    assert company.moments[-1].moment.answers.declared == ("assistant",)


def test_for_an_orchestrator_that_is_gone_the_planner_chooses(begin: Begin) -> None:
    register("passing", lambda _: MaxOrchestrator(name="passing"))
    company = begin("passing", "books")
    company.say("goal toy")
    assert company.moments[-1].orchestrator == "passing"
    unregister("passing")
    company.say("stop")
    company.say("goal trophy")
    assert company.moments[-1].orchestrator == "planner"


def test_another_catalog_is_an_agent_that_is_stopped_and_answered_like_any_assistant(home: Path) -> None:
    services = make_services(home)
    session = services.start("banking", {"agents": "accounting", "orchestrator": "max"})
    for name in ("banking", "accounting"):
        services.warm(name).result()

    def say(text: str) -> list[tuple[str, str]]:
        before = len(services.snapshot(session).log)
        services.say(session, text)
        assert services.wait(session, 120)
        new = services.snapshot(session).log[before:]
        return [(entry.event.sender, entry.event.text) for entry in new if isinstance(entry.event, Replied)]

    assert say("I need a loan of 12,000 dollars")[-1][0] == "assistant"
    [(who, asked), *_] = say("@accounting draw up a profit and loss report")
    assert who == "accounting" and asked.endswith("?")
    [(who, stopped), (back, _)] = say("stop")
    assert (who, back) == ("accounting", "assistant") and "stopped" in stopped
    assert services.snapshot(session).conversation.goal is not None
    say("@accounting draw up a profit and loss report")
    assert say("from January 1 2023 to March 31 2023")[0][0] == "accounting"
    services.close()


def test_an_agent_keeps_what_it_has_in_mind_from_one_turn_to_the_next_and_is_dropped_with_its_conversation(
    begin: Begin,
) -> None:
    company = begin("max", "books")
    company.say("hm")
    first = company.services.agents.participants(company.session, "toys", company.choices)
    again = company.services.agents.participants(company.session, "toys", company.choices)
    assert first is not None and again is not None and first.agents[0] is again.agents[0]
    choices = company.choices
    company.services.delete(company.session)
    other = company.services.agents.participants(company.session, "toys", choices)
    assert other is not None and other.agents[0] is not first.agents[0]


def test_a_reply_names_its_agent_on_the_command_line(begin: Begin, capsys: pytest.CaptureFixture[str]) -> None:
    company = begin("max", "books")
    company.friends["books"].sure = on("report")
    company.say("a report")
    print_replies(company.services.snapshot(company.session), 0)
    assert capsys.readouterr().out.splitlines()[-1].strip() == "books: Done: a report"


def test_previews_have_no_effect_on_the_conversation(begin: Begin) -> None:
    company = begin("max", "books")
    company.friends["books"].sure = lambda text: 1.0
    company.say("@books goal prize; would toy; a=3; b=4")
    assert [event.agent for event in company.events("acted")] == ["books"]
    assert isinstance(company.events("acted")[-1], Acted)
    assert not company.now.facts.known and company.now.goal is None and not company.events("planned")


def test_who_acted_and_why_is_asked_in_the_chat_and_answered_from_the_log(begin: Begin) -> None:
    company = begin("max", "books", "weather")
    company.friends["books"].sure = on("report", sure=0.9)
    company.friends["weather"].sure = on("report", sure=0.62)
    assert company.talk("why this agent?") == [
        ("assistant", "So far I have answered everything: no other agent was asked.")
    ]
    company.say("a report")
    among = "The orchestrator max chose among me, books and weather."
    assert company.talk("who answered that?") == [("assistant", f"Books answered that. {among}")]
    assert company.talk("why books?") == [("assistant", f"Books acted: 0.90, the highest score. {among}")]
    assert company.talk("@assistant why didn't weather answer?") == [
        ("assistant", f"Weather did not act: 0.62 < 0.90. {among}")
    ]
    explained = company.events("explained")[-1]
    assert (explained.question, explained.agent) == ("why_not_agent", "weather")
    assert {company.log[seq - 1].event.kind for seq in explained.evidence} == {"broadcast", "chosen"}
    question = Question(QuestionKind.WHY_NOT_AGENT, agent="weather")
    assert company.explain(question).text() == f"Weather did not act: 0.62 < 0.90. {among}"
    assert len(company.moments) == 1
    company.say("thanks, that helped")
    [(_, told)] = company.talk("what did it learn from me?")
    assert told.startswith("What books did was of use to you once.")
    company.services.unlearn(company.session)
    assert company.talk("what did it learn from me?") == [("assistant", "What I had learned from you was taken back.")]
    with pytest.raises(LookupError, match="Nothing that was learned has the number 99"):
        company.services.unlearn(company.session, 99)
    company.services.unlearn(company.session)
    assert len(company.events("forgotten")) == 1


def test_an_assistant_that_is_alone_is_asked_nothing_about_agents(begin: Begin) -> None:
    alone = begin()
    alone.say("who answered that?")
    assert not alone.events("explained")


def steadily(confidence: float) -> Callable[[str], float]:
    return lambda _: confidence


@pytest.mark.parametrize("orchestrator", ORCHESTRATORS)
@settings(max_examples=5)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=3))
def test_an_explanation_gives_the_reasons_of_the_log_for_each_agent(
    orchestrator: str, sure: list[tuple[float, float]]
) -> None:
    with TemporaryDirectory() as folder:
        company = Company(Path(folder), orchestrator, "books", "weather")
        for books, weather in sure:
            company.friends["books"].sure = steadily(books)
            company.friends["weather"].sure = steadily(weather)
            company.say("hm")
            choice = company.moments[-1].moment.choice
            for verdict in choice.verdicts:
                kind = QuestionKind.WHY_AGENT if verdict.chosen else QuestionKind.WHY_NOT_AGENT
                told = company.explain(Question(kind, agent=verdict.agent)).text()
                if verdict.why is not Why.SILENT:
                    phrase = say_verdict(
                        verdict.agent,
                        verdict.why.value,
                        verdict.score,
                        verdict.against,
                        verdict.other,
                        drawn=choice.seed is not None,
                    )
                    assert phrase in told
                assert ("did not act" in told or "not chosen" in told) is not verdict.chosen
            who = company.explain(Question(QuestionKind.WHO_ACTED)).text()
            assert who.startswith("No agent acted") is (not choice.agents)
            assert all(agent in who.lower() for agent in choice.agents)
        company.services.close()


def test_an_agent_that_is_called_by_name_and_fails_is_not_said_to_have_nothing_to_offer(begin: Begin) -> None:
    company = begin("max", "books")

    def fail(text: str) -> float:
        raise ValueError(text)

    company.friends["books"].sure = fail
    speaker, told = company.talk("@books hello")[0]
    assert speaker == "assistant"
    assert told.startswith("Books could not do it: failed with an error (")
    assert "hello" not in told
