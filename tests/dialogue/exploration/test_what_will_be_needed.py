"""What is said of the future is never contradicted by it, on whatever path a conversation takes from there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.load import load
from catalog.model import Catalog
from dialogue.exploration.scripted_environment import EnvironmentMove, EnvironmentMoveKind
from dialogue.exploration.transition import Played
from dialogue.log.events import Asked, Calling, Entry
from dialogue.moves.records import record_of
from dialogue.state.conversation import Conversation, resolve
from explain import Question, QuestionKind, explain
from explain.missing import ToBeAsked
from explain.why import MayNeed, Need, Unneeded, Used
from planning.model import Certainty
from tests.dialogue.exploration.test_keys import cases, moves_in
from tests.dialogue.exploration.toys import library, shop, stage


class Forecast:
    """What was said of the way ahead, while one goal was pursued."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.denied: dict[str, int] = {}
        self.sure: dict[str, int] = {}
        self.asked_for_sure: dict[str, int] = {}

    def ask(self, conversation: Conversation) -> None:
        """Ask why each fact is needed, and what is still needed from the user."""
        record = record_of(self.catalog, conversation)
        for fact in self.catalog.facts:
            for claim in explain(record, Question(QuestionKind.WHY, fact)).claims:
                match claim:
                    case Unneeded(need=Need.PLANNED | Need.ACHIEVED):
                        self.denied.setdefault(fact, conversation.seq)
                    case MayNeed(certainty=Certainty.CERTAIN):
                        self.sure.setdefault(fact, conversation.seq)
                    case Used(certainty=Certainty.CERTAIN, used=(one,)):
                        self.sure.setdefault(one, conversation.seq)
        for claim in explain(record, Question(QuestionKind.MISSING)).claims:
            if isinstance(claim, ToBeAsked):
                for fact, certainty in claim.facts.items():
                    assert self.catalog.facts[fact].fillable, "nobody is told of a question that cannot be asked"
                    if certainty is Certainty.CERTAIN:
                        self.asked_for_sure.setdefault(fact, conversation.seq)

    def compare(self, entry: Entry) -> None:
        """Hold what happened against what was said before."""
        used: tuple[str, ...] = ()
        match entry.event:
            case Asked(about="fact") as asked:
                used = (asked.subject,)
            case Asked(about="authorize") as asked:
                used = asked.facts
            case Calling() as call:
                used = (*call.inputs, *call.inputs.values())
        for fact in used:
            assert fact not in self.denied, f"{fact} was said not to be needed at {self.denied[fact]}"

    def reached(self, conversation: Conversation) -> None:
        """Hold the end against what was certain."""
        given = {fact for done in conversation.calls.history for output in done.outputs for fact in
                 self.catalog.supertypes(output)}  # fmt: skip
        for fact in (*self.sure, *self.asked_for_sure):
            assert fact in given or resolve(self.catalog, conversation, fact) is not None, fact


def follow(catalog: Catalog, goal: str, data: st.DataObject, most: int) -> int:
    """Follow one path from the request to its end; return the number of moments at which everything was asked."""
    on, said, moments = stage(catalog), Forecast(catalog), 0
    played: Played = on.play(on.begin(()), EnvironmentMove(EnvironmentMoveKind.REQUEST, goal))
    for _ in range(most):
        conversation = played.conversation
        if not conversation.goals.stack:
            break
        said.ask(conversation)
        moments += 1
        moves = moves_in(on, played)
        if not moves:
            break
        played = on.play(played, data.draw(st.sampled_from(moves)))
        for entry in played.entries:
            said.compare(entry)
    past = played.conversation.goals.past
    if past and past[-1].status == "achieved" and past[-1].ending is not None:
        said.reached(past[-1].ending.state)
    return moments


@pytest.mark.parametrize("goal", ["loan", "card", "change_address", "spending"])
@settings(max_examples=6)
@given(data=st.data())
def test_at_the_bank_nothing_is_denied_that_is_needed_later(goal: str, data: st.DataObject) -> None:
    """Nor is anything certain that some path to the goal goes without."""
    assert follow(load("banking").catalog, goal, data, 25)


@settings(max_examples=20)
@given(data=st.data())
def test_in_small_catalogs_forecasts_come_true(data: st.DataObject) -> None:
    """With consents, failures, several tries, and calls for each item of a list."""
    catalog, goal = data.draw(st.sampled_from([(shop(), "receipt"), (shop(), "both"), (library("none"), "shelves")]))
    assert follow(catalog, goal, data, 15)


@settings(max_examples=40)
@given(catalog=cases(), data=st.data())
def test_in_any_catalog_forecasts_come_true(catalog: Catalog, data: st.DataObject) -> None:
    """Whatever is declared: subtypes, doubts, tries, consents, optional inputs, mappings, orderings."""
    follow(catalog, "goal", data, 15)
