"""What the page Understanding shows, and the texts it makes, as values: marks, reasons, examples and test cases."""

from __future__ import annotations

import json
from datetime import date

import pytest
import yaml

from catalog.load import load
from dialogue.policy.joint import Planner
from dialogue.services.inspection import look_into
from language.interpretation import (
    Analysis,
    Candidate,
    Context,
    DialogueAct,
    Entity,
    ExplanationRequest,
    Intent,
    Interpretation,
    Segment,
    Span,
    TalkTopic,
)
from pages.shell.sheet import Node
from pages.understanding.corrections import (
    GoldRequest,
    UnfitCorrection,
    classify,
    expect_as_understood,
    find_example,
    read_field,
    write_case,
    write_example,
    write_field,
)
from pages.understanding.interpretation import judge, why
from pages.understanding.sentence_marks import SentenceMark, cut_at_marks, marks_of, sentence
from planning.engines import DEFAULT_ENGINE, ENGINES
from tests.pages.screen import ROOT

BOOKS = load("accounting").catalog
BANK = load("banking").catalog
TODAY = date(2024, 11, 6)
TEXT = "Compare costs from May to June 2024"


def text_of(node: Node) -> str:
    if isinstance(node, str):
        return node
    return "".join(text_of(child) for child in node.get("children", []))


def words_of(node: Node) -> str:
    """Return the words of a sentence, without what is written beside them."""
    if isinstance(node, str):
        return node
    return "" if node.get("tag") == "small" else "".join(words_of(child) for child in node["children"])


def span(text: str, words: str) -> Span:
    start = text.index(words)
    return Span(start=start, end=start + len(words), text=words)


def value(fact: str, said: str, meant: str) -> Entity:
    return Entity(fact=fact, value=meant, span=span(TEXT, said), rule="a rule")


class Fixed:
    """An understander that always understands the same."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis

    def understand(self, text: str, context: Context) -> Interpretation:
        return self.analysis.meaning

    def analyse(self, text: str, context: Context) -> Analysis:
        return self.analysis

    def warm(self) -> None:
        """Load nothing."""


def test_marks_that_overlap_are_all_shown_and_no_word_is_lost_or_doubled() -> None:
    """Cut wherever one begins or ends; each has its label where it ends."""
    marks = (SentenceMark(0, 6, "a", "is-when"), SentenceMark(4, 10, "b", "is-who"), SentenceMark(4, 6, "c", "is-pick"))
    cut = cut_at_marks(0, 12, marks)
    assert [(one.start, one.end) for one in cut] == [(0, 4), (4, 6), (6, 10), (10, 12)]
    assert [[mark.label for mark in one.marks] for one in cut] == [["a"], ["a", "b", "c"], ["b"], []]
    assert [[mark.label for mark in one.ending] for one in cut] == [[], ["a", "c"], ["b"], []]


def test_a_sentence_reads_as_it_was_said_however_its_values_and_segments_lie() -> None:
    """Values across the border of a segment, overlapping, and outside all segments."""
    meaning = Interpretation(
        goals=(Intent(goal="expense_report", span=span(TEXT, "costs from May"), confidence=0.9),),
        values=(
            value("start_date", "May to June 2024", "2024-05-01"),
            value("charge_date", "from May", "2024-05-01"),
            value("charge_amount", "Compare", "1.00"),
        ),
    )
    segments = (
        Segment(span(TEXT, "costs from May"), goal="expense_report"),
        Segment(span(TEXT, "from May to June"), because="an aside"),
    )
    drawn = sentence(BOOKS, Analysis(TEXT, meaning, segments))
    assert words_of(drawn) == TEXT
    for label in ("first day · date", "day of the charge · date", "amount of the charge · money"):
        assert text_of(drawn).count(label) == 1


def test_values_read_from_the_very_same_words_are_one_mark() -> None:
    """Both days of a period stand beside it."""
    said = "May to June 2024"
    meaning = Interpretation(values=(value("start_date", said, "2024-05-01"), value("end_date", said, "2024-06-30")))
    (mark,) = marks_of(BOOKS, meaning)
    assert mark.label == "first day, last day · date"


@pytest.mark.parametrize(
    ("goal", "because", "place", "words"),
    [
        ("a", "likeliest goal", 0, "taken: likeliest goal"),
        ("a", "likeliest goal", 1, "less likely"),
        (None, "too unsure", 0, "not taken: too unsure"),
        (None, "too unsure", 1, "less likely"),
    ],
)
def test_of_each_candidate_it_is_told_why_it_was_taken_or_not(
    goal: str | None, because: str, place: int, words: str
) -> None:
    candidates = (Candidate("a", 0.6), Candidate("b", 0.3))
    assert why(Segment(span(TEXT, TEXT), candidates, goal, because), candidates[place]) == words


def test_what_the_catalog_cannot_serve_is_told_before_anything_is_done() -> None:
    """A value that the rules object to leads to no plan."""
    asked = Intent(goal="expense_report", span=span(TEXT, "costs"), confidence=1.0)
    objected = Analysis(TEXT, Interpretation(goals=(asked,), errors=("The end date is before the start date.",)))
    insight = look_into(BOOKS, Fixed(objected), Planner(ENGINES[DEFAULT_ENGINE]), TEXT, TODAY)
    assert not insight.plan
    assert judge(BOOKS, insight)[2:] == ("The rules of the catalog object", "The end date is before the start date.")
    nothing = look_into(BOOKS, Fixed(Analysis(TEXT, Interpretation())), Planner(ENGINES[DEFAULT_ENGINE]), TEXT, TODAY)
    assert judge(BOOKS, nothing)[2] == "Nothing in this catalog serves that"


@pytest.mark.parametrize("act", DialogueAct)
def test_what_is_no_request_is_told_in_plain_words(act: DialogueAct) -> None:
    """Whichever act it is; a question about what happened and values alone name their facts."""
    asked = ExplanationRequest(kind="why", fact="start_date")
    label = BOOKS.facts["start_date"].label
    meanings = {
        f"It is a question about what the assistant did, concerning “{label}”.": Interpretation(question=asked),
        "It ": Interpretation(control=act, topic=TalkTopic.THANKS),
    }
    for words, meaning in meanings.items():
        insight = look_into(BOOKS, Fixed(Analysis(TEXT, meaning)), Planner(ENGINES[DEFAULT_ENGINE]), TEXT, TODAY)
        assert judge(BOOKS, insight)[2] == "Understood, and it asks for nothing new"
        assert judge(BOOKS, insight)[3].startswith(words)
        assert "chitchat" not in judge(BOOKS, insight)[3]


@pytest.mark.parametrize("text", ["what did we spend: a lot?", "- [x]\n  y: |", "<b>'\"\\ \u2028 é</b>", "yes", "12"])
def test_an_example_can_be_pasted_into_a_catalog_whatever_is_in_it(text: str) -> None:
    """YAML reads it back as the very same text."""
    assert yaml.safe_load(write_example("expense_report", text)) == {"goals": {"expense_report": {"examples": [text]}}}


def test_what_is_an_example_already_is_known() -> None:
    example = BOOKS.goals["expense_report"].examples[0]
    assert find_example(BOOKS, f"  {example.upper()} ") == "expense_report"
    assert find_example(BOOKS, "nobody would say this") is None


def test_a_test_case_has_the_form_of_those_of_the_benchmark() -> None:
    """One line, with the very keys that the development set has, and its classes."""
    path = ROOT / "benchmarks" / "understanding" / "data" / "development.jsonl"
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for case in cases:
        expected = [GoldRequest(goal["goal"], goal["args"], tuple(goal["missing"])) for goal in case["goals"]]
        line = write_case(case["text"], date.fromisoformat(case["today"]), expected, error=case["error"])
        written = json.loads(line)
        assert list(written) == list(case)
        assert "\n" not in line
        assert {**written, "id": "", "class": ""} == {**case, "id": "", "class": ""}
        if case["class"] != "constraint":
            assert written["class"] == case["class"]


def test_a_reference_is_edited_as_the_names_of_the_requests_it_is_to() -> None:
    """A result that cannot be taken for the argument is no reference."""
    earlier = ["profit_loss_report", "expense_report", "financial_advice"]
    assert read_field(BOOKS, "contact_topic", "x", TODAY, earlier) == {"ref": 0}
    assert read_field(BOOKS, "contact_topic", "x, y", TODAY, earlier) == {"ref": [0, 1]}
    assert write_field({"ref": [0, 1]}) == "x, y"
    with pytest.raises(UnfitCorrection):
        read_field(BOOKS, "start_date", "x", TODAY, earlier)


def test_an_edited_value_becomes_the_one_form_of_its_kind() -> None:
    """As people write it, or as a case has it; what is neither is refused with a hint."""
    assert read_field(BOOKS, "charge_amount", "$75", TODAY, []) == "75.00"
    assert read_field(BOOKS, "start_date", "2024-01-31", TODAY, []) == "2024-01-31"
    assert read_field(BOOKS, "start_date", "1 March 2024", TODAY, []) == "2024-03-01"
    with pytest.raises(UnfitCorrection, match="leave it empty"):
        read_field(BOOKS, "charge_amount", "a lot", TODAY, [])


def test_a_case_begins_with_what_was_understood() -> None:
    """Values of the whole conversation go to the requests that need them."""
    text = "a loan of $12,000"
    said = Entity(fact="loan_amount", value="12000.00", span=span(text, "$12,000"), rule="a rule")
    loan = Intent(goal="loan", span=span(text, "a loan"), confidence=1.0)
    (expected,) = expect_as_understood(BANK, Interpretation(goals=(loan,), values=(said,)))
    assert expected.goal == "loan"
    assert expected.args == {"loan_amount": "12000.00"}
    assert "loan_amount" not in expected.missing
    assert classify([expected], False) == "single-incomplete"
    assert classify([], False) == "out-of-domain"
