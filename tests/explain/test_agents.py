"""Why an agent acted, why others did not, and what was learned: as it stands on record, with the events that say so."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import load
from explain import explain, explain_in_words
from explain.agents import Acting, ChosenBy, GoesBy, NoOtherAgent, NoSuchAgent, NothingTaught, Taught, Verdicts
from explain.model import ABOUT_AGENTS, Question, QuestionKind, Record
from planning.history import Deliberated, History, Judged
from planning.model import Situation
from tests.examples import measured

BANK = load("banking").catalog
NAMES = ("assistant", "books", "weather", "nobody")
EMPTY = Record(BANK, (), History(), Situation(), Situation(), {})
WHO, WHY, WHY_NOT = QuestionKind.WHO_ACTED, QuestionKind.WHY_AGENT, QuestionKind.WHY_NOT_AGENT


@st.composite
def choices(draw: st.DrawFn, event: int = 10) -> Deliberated:
    agents = draw(st.permutations(NAMES))[: draw(st.integers(1, 4))]
    chosen = [agent for agent in agents if draw(st.booleans())]
    score = st.none() | st.floats(0, 1)
    whys = st.sampled_from(["best", "lower", "drew_most", "silent", "below_threshold", "another_preferred"])
    verdicts = tuple(
        Judged(agent, agent in chosen, draw(whys), draw(score), draw(score), draw(st.sampled_from(NAMES)))
        for agent in agents
    )
    order = tuple(agent for agent in chosen if agent != "nobody")
    useful = draw(st.none() | st.booleans()) if order else None
    return Deliberated(
        event,
        event - 1,
        "max",
        verdicts,
        order,
        by_name=draw(st.none() | st.just("books")),
        drawn=draw(st.booleans()),
        acts=tuple(range(event + 1, event + 1 + len(order))),
        failed=order[:1] if draw(st.booleans()) else (),
        reacted=None if useful is None else event + 9,
        useful=useful,
        undone=draw(st.booleans()),
    )


def record(made: list[Deliberated]) -> Record:
    return replace(
        EMPTY, choices=tuple(replace(one, event=10 * at, asked=10 * at - 1) for at, one in enumerate(made, 1))
    )


@measured()
@given(st.lists(choices(), min_size=1, max_size=4), st.none() | st.sampled_from([*NAMES, "maps"]))
def test_an_explanation_names_the_agents_and_the_reasons_that_are_on_record(
    made: list[Deliberated], agent: str | None
) -> None:
    kept = record(made)
    last = kept.choices[-1]
    for kind in (WHY, WHY_NOT):
        claims = explain(kept, Question(kind, agent=agent)).claims
        told = [one for claim in claims if isinstance(claim, Verdicts) for one in claim.verdicts]
        on_record = {one.agent: one for one in last.verdicts}
        assert all(one == on_record[one.agent] for one in told)
        if agent is not None:
            assert [one.agent for one in told] == [agent] * (agent in on_record)
            assert any(isinstance(claim, NoSuchAgent) for claim in claims) is (agent not in on_record)
        elif any(one.chosen for one in last.verdicts):
            assert {one.agent for one in told} == {one.agent for one in last.verdicts if one.chosen is (kind is WHY)}
        else:
            assert len(told) == len(last.verdicts)
    (acting, *_) = explain(kept, Question(WHO)).claims
    assert isinstance(acting, Acting) and acting.agents == last.order and acting.failed == last.failed
    assert set(acting.evidence) == {last.event, *last.acts}


@given(st.lists(choices(), min_size=1, max_size=4))
def test_what_is_told_of_what_was_learned_is_what_was_reacted_to_and_not_taken_back(made: list[Deliberated]) -> None:
    kept = record(made)
    claims = explain(kept, Question(QuestionKind.LEARNED)).claims
    told = {claim.agent: (claim.useful, claim.useless) for claim in claims if isinstance(claim, Taught)}
    counted: dict[str, tuple[int, int]] = {}
    for one in kept.choices:
        for agent in one.order if one.useful is not None and not one.undone else ():
            yes, no = counted.get(agent, (0, 0))
            counted[agent] = (yes + bool(one.useful), no + (not one.useful))
    assert told == counted
    assert isinstance(claims[-1], GoesBy if counted else NothingTaught)
    for agent in counted:
        own = explain(kept, Question(QuestionKind.LEARNED, agent=agent)).claims
        assert [claim.agent for claim in own if isinstance(claim, Taught)] == [agent]


@given(st.lists(choices(), max_size=3), st.sampled_from(sorted(ABOUT_AGENTS)), st.sampled_from([None, *NAMES, "maps"]))
def test_every_claim_about_agents_has_a_sentence_and_cites_what_proves_it(
    made: list[Deliberated], kind: QuestionKind, agent: str | None
) -> None:
    kept = record(made)
    explanation = explain(kept, Question(kind, agent=agent))
    told = explain_in_words(kept, Question(kind, agent=agent))
    assert told.sentences and told.text()
    known = {event for one in kept.choices for event in (one.event, one.asked, one.reacted, *one.acts)}
    for claim in explanation.claims:
        assert set(claim.evidence) <= known
        assert claim.evidence or isinstance(claim, NoOtherAgent | NothingTaught)
        if isinstance(claim, ChosenBy):
            assert claim.evidence == (kept.choices[-1].asked, kept.choices[-1].event)


BOOKS = Judged("books", True, "best", 0.9)
ME = Judged("assistant", False, "lower", 0.62, 0.9, "books")
MAPS = Judged("maps", False, "silent", silence="timed_out")
MADE = Deliberated(10, 9, "max", (ME, BOOKS, MAPS), ("books",), acts=(11,), useful=True, reacted=20)


@pytest.mark.parametrize(
    ("made", "question", "said"),
    [
        ([], Question(WHO), "So far I have answered everything: no other agent was asked."),
        ([MADE], Question(WHO), "Books answered that. The orchestrator max chose among me, books and maps."),
        (
            [MADE],
            Question(WHY),
            "Books acted: 0.90, the highest score. The orchestrator max chose among me, books and maps.",
        ),
        (
            [MADE],
            Question(WHY_NOT),
            "The assistant did not act: 0.62 < 0.90. Maps did not act: cut off: no answer in time. "
            "The orchestrator max chose among me, books and maps.",
        ),
        ([replace(MADE, by_name="books")], Question(WHY, agent="books"), "Books acted: 0.90, the highest score."),
        ([replace(MADE, by_name="books")], Question(WHO), "Books answered that. You had asked for books by name."),
        (
            [replace(MADE, order=("assistant", "books"), failed=("books",))],
            Question(WHO),
            "I and books answered that, in this order. Books could not do it. "
            "The orchestrator max chose among me, books and maps.",
        ),
        (
            [MADE],
            Question(WHY, agent="zoo"),
            "Zoo was not asked: it does not take part here. The orchestrator max chose among me, books and maps.",
        ),
        (
            [MADE, replace(MADE, event=30, useful=False)],
            Question(QuestionKind.LEARNED),
            "What books did was of use to you once, and of no use once. "
            "The orchestrator max does not go by that; threshold and bandit do.",
        ),
        (
            [replace(MADE, orchestrator="bandit")],
            Question(QuestionKind.LEARNED),
            "What books did was of use to you once. The orchestrator bandit goes by that.",
        ),
        (
            [replace(MADE, useful=False)] * 3,
            Question(QuestionKind.LEARNED, agent="books"),
            "of no use to you (3 times)",
        ),
        ([replace(MADE, undone=True)], Question(QuestionKind.LEARNED), "What I had learned from you was taken back."),
        ([replace(MADE, useful=None)], Question(QuestionKind.LEARNED), "I have learned nothing from you yet."),
        (
            [
                replace(
                    MADE,
                    verdicts=(ME, replace(BOOKS, chosen=False), Judged("nobody", True, "drew_most", 0.48)),
                    order=(),
                    drawn=True,
                )
            ],
            Question(WHY),
            "Doing nothing was chosen: drew 0.48, the most. The orchestrator max chose among me, books.",
        ),
    ],
)
def test_who_acts_is_explained_in_plain_words(made: list[Deliberated], question: Question, said: str) -> None:
    told = explain_in_words(replace(EMPTY, choices=tuple(made)), question).text()
    assert said.removesuffix(" among me, books.") in told
