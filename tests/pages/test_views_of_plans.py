"""What is drawn of plans and graphs, as plain functions; and pages that meet trouble."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from catalog.demos.banking.personas import ANN, PERSONAS
from catalog.load import load
from catalog.model.settings import Metric
from dialogue.log.events import Missing, Planned, PlannedStep, PlanTotals, Preferred
from dialogue.services import Upload, make_services
from dialogue.state.plans import PlanRecord
from language.interpretation import Preference, Span
from language.languages import ENGLISH
from language.responses.plans import FIRST_IDEA, say_ruled_out
from pages.assistant.drill_down import draw_answer, drill_down, question_of
from pages.assistant.workbench import say_no_plan
from pages.demo.page import SCRIPTS, Script, end_card, passed_on_unasked, pause, side_by_side
from pages.plans.page import atom_chip, landmark_graph, say_atom
from pages.shell.address import Selection, read_selection
from pages.shell.sheet import FOLDER, Node, button, el, glued, shorten
from pages.views import media
from pages.views.graph import GraphEdge, GraphNode, place, route, write_file
from pages.views.plan_steps import needs_list
from pages.views.plans import StepState, compare, is_first_idea, say_taken, view_steps
from pages.views.snapshot_view import SnapshotView
from pages.views.timeline import plan_details, timeline
from planning.landmarks import Landmarks
from planning.model import StepKind, achieved, authorized, done, known

SHELL = Path(__file__).resolve().parents[2] / "pages" / "shell"
CONFIG = SHELL / "streamlit.toml"
EVIL = '</script><img src=x onerror="pwned()"> href=javascript:pwned() </title>'


def ask(fact: str) -> PlannedStep:
    return PlannedStep(kind=StepKind.ASK, subject=fact, outputs=(fact,))


def record(number: int, *facts: str, done: int = 0, status: str = "current") -> PlanRecord:
    plan = Planned(plan_id=number, goal_id=1, status="solved", steps=tuple(map(ask, facts)))
    return PlanRecord(plan, number, done=done, status=status)  # type: ignore[arg-type]


def test_a_plan_tells_what_is_done_where_it_failed_and_what_was_never_run(home: Path) -> None:
    """States come from how far the plan got and what became of it."""
    services = make_services(home)
    try:
        seen = services.snapshot(services.start("banking"))
        plan = record(1, "email", "name", "ssn", done=1, status="discarded")
        states = [view.state for view in view_steps(seen.catalog, seen.conversation, plan)]
        assert states == [StepState.DONE, StepState.FAILED, StepState.NEVER]
        current = record(2, "email", "name", done=1)
        states = [view.state for view in view_steps(seen.catalog, seen.conversation, current)]
        assert states == [StepState.DONE, StepState.NEXT]
    finally:
        services.close()


def test_an_atom_is_said_by_what_it_is_about(home: Path) -> None:
    services = make_services(home)
    try:
        seen = SnapshotView(services.snapshot(services.start("banking")), None, "how")
        atoms = (known("ssn"), authorized("credit_check"), done("credit_check"), achieved("loan"), achieved("gone"))
        assert [say_atom(seen, atom) for atom in atoms] == [
            seen.fact("ssn"), "consent: credit bureau", "carried out: credit bureau", "goal: a loan", "goal: gone",
        ]  # fmt: skip
        nodes, edges, selections = landmark_graph(
            seen, record(1), Landmarks(atoms=atoms, direct=frozenset({(atoms[0], atoms[1])}))
        )
        assert [node.title for node in nodes] == [say_atom(seen, atom) for atom in atoms]
        assert [(edge.source, edge.target) for edge in edges] == [("known:ssn", "authorized:credit_check")]
        assert selections["done:credit_check"] == Selection("skill", "credit_check")
        assert "achieved:loan" not in selections
        assert "button" not in str(atom_chip(seen, achieved("loan")))
    finally:
        services.close()


def test_what_a_subtype_stands_for_is_known_among_the_landmarks_of_a_goal_that_was_reached(home: Path) -> None:
    """A pie is a chart of spending: where it was drawn, no landmark of that goal is still to get."""
    services = make_services(home)
    try:
        session = services.start("banking")
        for text in ("show me my spending", ANN.customer.email):
            services.say(session, text)
            assert services.wait(session, 60)
        seen = SnapshotView(services.snapshot(session), None, "how")
        (goal,) = seen.conversation.goals.past
        assert goal.ending is not None
        plan = next(one for one in seen.conversation.plans.all if one.status == "finished")
        found = services.analyses.landmarks(seen.snapshot, plan).result()
        assert known("plot") in found.atoms
        assert "plot" not in seen.conversation.facts.known
        nodes, _, _ = landmark_graph(seen.as_of(goal.ending.seq), plan, found, frozenset({goal.goal}))
        assert {node.detail for node in nodes} == {"known"}
    finally:
        services.close()


def test_the_tour_leaves_time_to_read_and_takes_about_three_minutes(home: Path) -> None:
    """Each scene stays for its caption; the pauses of both halves, for what is said in them, make up the time."""
    services, waited = make_services(home, today=date(2026, 11, 21)), 0.0
    try:
        for script in (SCRIPTS["tour"], SCRIPTS["tour-books"]):
            session = services.start(script.catalog, script.choices)
            for place, line in enumerate(script.lines):
                pending = services.snapshot(session).conversation.questions.pending
                if line.to and (pending is None or pending.asked.about != line.to):
                    continue
                name = f"line-{place}"
                if line.alert:
                    services.alert(session, line.alert, command_id=name)
                else:
                    services.say(session, line.say, command_id=name)
                assert services.wait(session, 120)
                paused = pause(SnapshotView(services.snapshot(session), None, "how"), script.lines)
                assert paused >= len(line.watch) / 25
                waited += paused
    finally:
        services.close()
    assert 140 <= waited <= 190


def test_two_plans_are_compared_step_by_step() -> None:
    """What is still to come of the old plan is kept or dropped; the rest of the new one was added."""
    difference = compare(record(1, "email", "name", "ssn", done=1), record(2, "name", "address"))
    assert [step.subject for step in difference.kept] == ["name"]
    assert [step.subject for step in difference.dropped] == ["ssn"]
    assert [step.subject for step in difference.added] == ["address"]


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=60))
def test_every_edge_of_a_layered_graph_goes_forward_unless_it_closes_a_cycle(pairs: list[tuple[int, int]]) -> None:
    """No node is lost, no two share a place, and a graph without cycles has forward edges only."""
    nodes = [str(i) for i in range(13)]
    upward = [(str(min(pair)), str(max(pair))) for pair in pairs]
    places = place(nodes, upward)
    assert set(places) == set(nodes)
    assert len(set(places.values())) == len(nodes)
    assert all(places[a][0] < places[b][0] for a, b in upward if a != b)
    assert set(place(nodes, [(str(a), str(b)) for a, b in pairs])) == set(nodes)


@given(st.text(max_size=300))
def test_any_text_in_an_address_selects_something_or_nothing(text: str) -> None:
    """Reading an address never fails, and what it selects is written back the same."""
    found = read_selection(text)
    assert found is None or read_selection(str(found)) == found
    assert read_selection("fact:email") == Selection("fact", "email")


def test_a_long_text_is_cut_and_says_how_long_it_is() -> None:
    """What is short is left alone."""
    assert shorten("short") == "short"
    assert shorten("x" * 5_000_000).endswith("… (5,000,000 characters)")
    assert len(shorten("x" * 5_000_000)) < 700


def test_an_element_leaves_out_what_is_missing() -> None:
    """None and empty text among the children are no children."""
    assert el("p", "", None, "", ["a", None], aria_label=None)["children"] == ["a"]


def test_punctuation_after_a_button_stays_on_its_line() -> None:
    """A mark that follows plain text, and words that follow a button, are left where they are."""
    name, age = button("inline", "name", act={"do": "on"}), button("inline", "age", act={"do": "on"})
    assert glued(["your ", name, ", and ", age, "."]) == [
        "your ", el("span", "glued", name, ","), " and ", el("span", "glued", age, "."),
    ]  # fmt: skip
    assert glued([name, " and", ", so"]) == [name, " and", ", so"]


def test_what_was_done_is_told_of_the_goal_that_it_is_asked_under(home: Path) -> None:
    """A later goal changes neither that nor the value shown; and each plan tells which goal it is for."""
    services = make_services(home, today=date(2026, 11, 21))
    try:
        session = services.start("banking")
        for line in ("show me my spending", ANN.customer.email, "I want a loan"):
            services.say(session, line)
            assert services.wait(session, 120)
        seen = SnapshotView(services.snapshot(session), Selection("fact", "plot"), "what")
        question = question_of(seen)
        assert question is not None
        answer = services.analyses.explanation(seen.snapshot, question).result()
        card = words_of(drill_down(seen, [node for node in draw_answer(seen, question, answer) if node]))
        assert "To get your spending chart, I gathered your e-mail address" in card
        assert "Spending by category" in card
        assert "not known yet" not in card
        rows = words_of(timeline(seen))
        assert "after 0.0 s" not in rows
        assert "took 0.0 s" not in rows
        assert "for “an overview of your spending”" in rows
        assert "for “a loan”" in rows
    finally:
        services.close()


def words_of(tree: Iterable[Node]) -> str:
    return "".join(node if isinstance(node, str) else words_of(node.get("children", ())) for node in tree)


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=list(SCRIPTS))
def test_no_script_gives_away_beforehand_what_is_masked_afterwards(script: Script) -> None:
    """The line that comes next is shown; a secret in it is told in other words."""
    secrets = {person.ssn for person in PERSONAS.values()}
    assert not [line for line in script.lines if line.say in secrets and not line.ahead]


def test_the_exported_file_escapes_whatever_its_nodes_say() -> None:
    """No tag, no link and no closing of the script can come from a label, a tooltip or the title."""
    nodes = [GraphNode("a", "ask", EVIL, EVIL, tip=EVIL), GraphNode("b", "goal", "goal")]
    html = write_file(EVIL, nodes, [GraphEdge("a", "b", EVIL)])
    assert "<img" not in html
    assert "</script><img" not in html
    assert "Content-Security-Policy" in html
    assert html.count("<title>") == 1


@pytest.mark.parametrize("name", SCRIPTS)
def test_each_script_of_the_demo_comes_to_its_good_end(name: str, home: Path) -> None:
    """Played against the real skills, every line is understood and the last goal is reached."""
    script = SCRIPTS[name]
    services = make_services(home, today=date(2026, 11, 21))
    try:
        session = services.start(script.catalog, script.choices)
        for line in script.lines:
            pending = services.snapshot(session).conversation.questions.pending
            if line.to and (pending is None or pending.asked.about != line.to):
                continue
            uploads: list[Upload] = [media.sample_upload(script.catalog, line.upload)] if line.upload else []
            if line.alert:
                services.alert(session, line.alert)
            else:
                services.say(session, line.say, uploads)
            assert services.wait(session, 120), line.say
            snapshot = services.snapshot(session)
            said = snapshot.conversation.messages.all[-1]
            assert said.tone != "problem", f"{line.say!r} got {said.text!r}"
            chosen = read_selection(line.select)
            if chosen is not None:
                assert chosen.name in snapshot.catalog.facts
            if line.both:
                told = words_of(side_by_side(SnapshotView(snapshot, None, "how")))
                assert "− dropped" in told
                assert "+ added" in told
        if script.ends_tour or script.then:
            assert passed_on_unasked(snapshot) == 0
            told = words_of(end_card([snapshot], None))
            assert f"{len(snapshot.conversation.plans.all)} plan" in told
            assert "passed on without consent: 0" in told
        seen = services.snapshot(session).conversation
        assert seen.goals.past
        assert all(goal.status == "achieved" for goal in seen.goals.past)
        assert not seen.goals.stack
    finally:
        services.close()


def test_a_page_that_breaks_says_so_kindly_and_shows_no_traceback() -> None:
    """The trouble goes to the log under a number; people read what is the case and what to do."""

    def broken() -> None:
        from pages.shell.frame import guarded

        with guarded("a page"):
            raise RuntimeError("secret 900-12-3456")

    app = AppTest.from_function(broken).run(timeout=20)
    assert not app.exception
    assert "900-12-3456" not in str(app.main)


def test_a_page_shows_only_what_it_draws() -> None:
    """A text that stands by itself in a script, as a docstring below a constant does, is not put on the page."""
    assert tomllib.loads(CONFIG.read_text(encoding="utf-8"))["runner"]["magicEnabled"] is False


def test_nothing_in_the_style_sheet_looks_like_a_tag() -> None:
    """Streamlit leaves out a whole style sheet with something in it that could begin one."""
    assert "<" not in (FOLDER / "app.css").read_text(encoding="utf-8")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_colours_of_both_themes_can_be_read(theme: str) -> None:
    """Every text colour stands out from its backgrounds by at least 4.5 to 1, white from the primary colour too."""
    colours = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"][theme]
    page, second = colours["backgroundColor"], colours["secondaryBackgroundColor"]
    for name in ("violet", "orange", "blue", "red", "green", "gray"):
        for ground in (page, second, colours[f"{name}BackgroundColor"]):
            assert contrast(colours[f"{name}TextColor"], ground) >= 4.5, (name, ground)
    for name in ("textColor", "linkColor"):
        assert contrast(colours[name], page) >= 4.5
        assert contrast(colours[name], second) >= 4.5
    assert contrast("#ffffff", colours["primaryColor"]) >= 4.5


def contrast(one: str, other: str) -> float:
    """WCAG 2.2's contrast of two colours."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_plan_says_what_it_takes_as_far_as_the_catalog_tells(home: Path) -> None:
    """Plans of old logs do not know; catalogs without prices say nothing of money."""
    priced = load("tests/stories/catalogs/reports.yaml").catalog
    plan = record(1, "register_number")
    assert say_taken(priced, plan) == ""
    known = replace(plan, plan=plan.plan.model_copy(update={"amounts": PlanTotals(money=2.3, time_s=40, quality=0.9)}))
    assert say_taken(priced, known) == "1 question, 2.30 EUR, about 40 s, quality 0.9"
    assert say_taken(load("banking").catalog, known) == "1 question"


def test_where_there_is_no_plan_it_is_said_whether_money_is_what_is_missing(home: Path) -> None:
    """Nothing costs nothing: no cost is told of a plan that is none."""
    unsolved = record(1)
    dear = replace(unsolved, plan=unsolved.plan.model_copy(update={"missing": Missing(over_budget=2.3)}))
    assert "takes more money than may be spent" in say_no_plan(dear)
    assert "No combination of skills and questions" in say_no_plan(unsolved)
    services = make_services(home)
    try:
        seen = SnapshotView(services.snapshot(services.start("banking")), None, "how")
        assert "cost" not in repr(plan_details(seen, unsolved))
        assert "cost 0" in repr(plan_details(seen, record(2, "email")))
    finally:
        services.close()


def test_a_preference_is_told_as_an_event() -> None:
    catalog = load("tests/stories/catalogs/reports.yaml").catalog
    said = Preferred(heard=1, minimize=Metric.TIME, budget=2)
    assert (
        ENGLISH.reasons.say(catalog, said.as_reason) == "you said at most 2.00 EUR and you asked for the quickest way"
    )
    assert ENGLISH.reasons.say(catalog, Preferred(heard=1, unlimited=True).as_reason) == "you lifted the budget"
    confirm, nowhere = ENGLISH.plans.confirm_preference, Span(start=0, end=0, text="")
    assert confirm(catalog, Preference(span=nowhere, budget=0)) == "I will spend nothing."
    assert confirm(catalog, Preference(span=nowhere, unlimited=True)) == "I will spend what it takes."


def test_first_ideas_that_the_catalog_rules_out_are_folded_and_told_as_such(home: Path) -> None:
    """They stay in the record, and no plan is shown to ask for what only the bank decides."""
    services = make_services(home, today=date(2026, 11, 21))
    try:
        session = services.start("banking")
        services.say(session, "I want a loan")
        assert services.wait(session, 120)
        seen = SnapshotView(services.snapshot(session), None, "how")
        first, second = seen.conversation.plans.all
        assert [step.subject for step in first.plan.steps] == ["loan_result"]
        assert is_first_idea(seen.catalog, first)
        assert not is_first_idea(seen.catalog, second)
        (_, listed) = timeline(seen)
        folded = [node for node in nodes_of(listed) if node.get("tag") == "details"]
        assert len(folded) == 1
        words = words_of(folded)
        assert words.startswith(say_ruled_out(seen.catalog, ("loan_result",)))
        assert "First idea: just ask for " in words
        assert "Ruled out: the bank decides on loans." in words
        assert "I cannot ask you" not in words_of(timeline(seen))
        views = {view.step.subject: view for view in view_steps(seen.catalog, seen.conversation, second)}
        assert views["credit_score"].state is StepState.RULED_OUT
        assert views["credit_score"].detail == FIRST_IDEA
        assert views["loan_amount"].detail == "ask you"
        needs = words_of(needs_list(seen.catalog, services.analyses.needs(seen.snapshot).result()))
        assert "In any case" in needs.partition("loan amount")[0]
        assert "social security number" in needs.partition("Probably")[2].partition("Possibly")[0]
        chosen = SnapshotView(services.snapshot(session), Selection("plan", "1"), "how")
        (opened,) = (node for node in nodes_of(timeline(chosen)[1]) if node.get("tag") == "details")
        assert "open" in opened["attrs"]
    finally:
        services.close()


def nodes_of(node: Node) -> list[dict[str, Any]]:
    if isinstance(node, str):
        return []
    return [node, *(one for child in node.get("children", ()) for one in nodes_of(child))]


def test_a_click_on_a_step_of_a_skill_opens_the_skill(home: Path) -> None:
    """And one on a question the fact that it asks for."""
    step = PlannedStep(kind=StepKind.SKILL, subject="credit_check", mode="by_ssn", outputs=("credit_score",))
    plan = Planned(plan_id=1, goal_id=1, status="solved", steps=(ask("email"), step))
    services = make_services(home)
    try:
        seen = services.snapshot(services.start("banking"))
        views = view_steps(seen.catalog, seen.conversation, PlanRecord(plan, 1))
        assert [view.selection for view in views] == [Selection("fact", "email"), Selection("skill", "credit_check")]
        assert views[1].matches(Selection("fact", "credit_score"))
    finally:
        services.close()


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=25))
def test_an_arrow_that_passes_a_layer_has_a_place_of_its_own_there(pairs: list[tuple[int, int]]) -> None:
    """So it goes through no node, and keeps clear of other arrows."""
    nodes = [str(number) for number in range(9)]
    edges = [(str(a), str(b)) for a, b in pairs if a != b]
    places, bends = route(nodes, edges)
    taken = [*places.values(), *(at for by in bends.values() for at in by)]
    assert len(taken) == len(set(taken))
    for (a, b), by in bends.items():
        depths = [places[a][0], *(depth for depth, _ in by), places[b][0]]
        assert all(abs(one - other) <= 1 for one, other in pairwise(depths))


def test_a_chart_has_the_colours_of_the_theme_and_its_legend_clear_of_its_labels() -> None:
    """A pie too; and a chart of one series has no legend to make room for."""
    pie = {
        "data": [{"type": "pie", "labels": ["a", "b"], "values": [1, 2]}],
        "layout": {"legend": {"orientation": "h"}},
    }
    bars = {"data": [{"type": "bar", "x": ["a"], "y": [1]}], "layout": {}}
    drawn, plain = (media.figure_as_drawn(json.dumps(figure), ("#123456",)) for figure in (pie, bars))
    assert drawn.layout.piecolorway == ("#123456",)
    assert plain.layout.colorway == ("#123456",)
    assert drawn.layout.legend.y > 1
    assert drawn.layout.legend.yanchor == "bottom"
    assert drawn.layout.margin.t > plain.layout.margin.t


def test_the_menu_has_pictures_from_the_font_that_ships() -> None:
    """None of them is an emoji, for which a machine may have no font."""
    pictures = re.findall(r'icon="([^"]*)"', (SHELL / "shell.py").read_text("utf-8"))
    assert len(pictures) == 11
    assert all(picture.startswith(":material/") for picture in pictures)
