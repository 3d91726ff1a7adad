"""A conversation goes on after its catalog was changed: what no longer fits is put down, and that is said."""

from __future__ import annotations

import pytest

from dialogue.services import UnknownCatalog
from dialogue.services.catalogs import Catalogs
from explain.model import Question, QuestionKind
from tests.dialogue.test_crashes import cut_off
from tests.dialogue.toys import BEHAVIOUR, CATALOG, Toybox, load_toys

WITHOUT_B = (
    CATALOG.replace("  b: {description: the letter b, ask: What is b?}\n", "")
    .replace("      from_b: {inputs: [b], outcomes: {made: {facts: [c]}, spoilt: {label: spoilt}}}\n", "")
    .replace("options: [red, blue]", "options: [green]")
)
ASKED = (
    (QuestionKind.WHAT, None),
    (QuestionKind.HOW, "trophy"),
    (QuestionKind.WHY, "c"),
    (QuestionKind.HOW, "b"),
    (QuestionKind.WHY, "b"),
)


def change(box: Toybox, catalog: str) -> None:
    box.catalog = catalog
    box.restart()


def test_what_was_under_way_is_put_down_and_what_no_longer_fits_is_forgotten(box: Toybox) -> None:
    box.say("a=first; b=bee; wish=red; secret=4711")
    change(box, WITHOUT_B)
    replies = box.say("goal trophy")
    assert replies[0].startswith("What I can do has changed since we last spoke.")
    assert {"b", "wish"}.isdisjoint(box.now.facts.known)
    assert {"a", "secret"} <= set(box.now.facts.known)
    assert box.now.goals.past[-1].status == "achieved"
    assert box.now.setup.digest == load_toys(WITHOUT_B).digest
    assert not any("was changed" in reply for reply in box.say("goal prize")), "it is said once"


def test_open_goals_plans_questions_and_consents_do_not_outlive_their_catalog(box: Toybox) -> None:
    box.say("goal prize; a=first")
    box.say("yes")
    assert box.asks == "fact secret"
    change(box, WITHOUT_B)
    assert box.asks == "fact secret", "to look at it changes nothing"
    replies = box.say("yes")
    assert "I have stopped working on “the prize”." in replies[0]
    assert box.now.goals.stack == ()
    assert box.asks != "fact secret"
    assert box.now.plans.all[-1].status == "discarded"
    box.say("goal prize; secret=4711")
    assert box.asks == "authorize giver", "consent is asked anew"


def test_an_irreversible_skill_is_not_called_again_because_the_catalog_was_changed(box: Toybox) -> None:
    box.say("goal prize; a=first; secret=4711")
    box.say("yes")
    assert BEHAVIOUR.called("giver") == 1
    change(box, CATALOG.replace("label: the prize, facts: [prize]", "label: both, facts: [prize, trophy]"))
    box.say("secret=4712")
    box.say("goal prize")
    assert BEHAVIOUR.called("giver") == 1


def test_a_call_that_was_cut_off_in_a_skill_that_is_gone_is_left_in_doubt(box: Toybox) -> None:
    box.say("goal prize; a=first; secret=4711")
    box.say("yes")
    whole = box.log
    calling = next(e for e in whole if e.event.kind == "calling" and e.event.skill == "giver")
    box.catalog = CATALOG.replace("  giver:\n", "  bringer:\n")
    cut_off(box, whole[: calling.seq], box.home / "killed")
    assert not box.now.busy
    assert box.events("failed")[-1].error == "in_doubt"
    assert box.now.calls.open is None


def test_what_was_done_under_the_old_catalog_can_still_be_asked_about(box: Toybox) -> None:
    box.say("b=bee")
    box.say("goal trophy")
    box.say("no")
    change(box, WITHOUT_B)
    for kind, fact in (
        (QuestionKind.WHAT, None),
        (QuestionKind.HOW, "trophy"),
        (QuestionKind.WHY, "c"),
        (QuestionKind.HOW, "b"),
    ):
        assert box.explain(Question(kind, fact, full=True)).text()
    box.say("goal trophy")
    for kind, fact in (
        (QuestionKind.WHAT, None),
        (QuestionKind.HOW, "trophy"),
        (QuestionKind.WHY, "c"),
        (QuestionKind.HOW, "b"),
    ):
        assert box.explain(Question(kind, fact, full=True)).text()


def test_a_conversation_whose_catalog_is_gone_is_refused_by_name_and_can_be_deleted(box: Toybox) -> None:
    box.services.close()
    services = box.open()
    services.library = Catalogs({})
    with pytest.raises(UnknownCatalog, match="no catalog 'toys'"):
        services.snapshot(box.session)
    services.delete(box.session)
    assert services.sessions() == ()
    box.services = services
