"""The systems scored: an understander, and a simple baseline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.understanding.score import Answer, Query
from catalog.model import Catalog
from dialogue.cli.understand import understood_json
from dialogue.policy.joint import Planner
from language.interpretation import Context, Interpretation, Span
from language.slots.filler import SlotFiller
from language.understanding import DEFAULT, UNDERSTANDERS
from planning.engines import DEFAULT_ENGINE, ENGINES

System = Callable[[Query], Answer]


def understander(catalog: Catalog, name: str = DEFAULT) -> System:
    """Answer with what an understander makes of a query, as `planglass understand --json` prints it."""
    reader = UNDERSTANDERS[name](catalog)

    def answer(query: Query) -> Answer:
        meaning = reader.understand(query.text, Context(today=query.today))
        goals = understood_json(catalog, meaning, Planner(ENGINES[DEFAULT_ENGINE]))["goals"]
        assert isinstance(goals, list)
        return Answer(tuple(goals), bool(meaning.errors), _unsupported(query.text, meaning))  # type: ignore[arg-type]

    return answer


def _unsupported(text: str, meaning: Interpretation) -> tuple[str, ...]:
    """List the arguments whose value comes with no stretch of the text that it was read from."""
    mentions = [*meaning.values, *(value for goal in meaning.goals for value in goal.values)]
    spans = [(mention.fact, mention.span) for mention in mentions]
    spans += [(reference.fact, reference.span) for goal in meaning.goals for reference in goal.references]
    return tuple(fact for fact, span in spans if not _is_in(text, span))


def _is_in(text: str, span: Span) -> bool:
    return bool(span.text.strip()) and text[span.start : span.end] == span.text


def baseline(catalog: Catalog) -> System:
    """Answer with the goal that TF-IDF and logistic regression give the whole text, and the values that are in it."""
    ranked = goals_by_words(catalog, _SURE)
    filler = SlotFiller(catalog)

    def answer(query: Query) -> Answer:
        goals = ranked(query.text)
        if not goals:
            return Answer((), error=False)
        (goal,) = goals
        span = Span(start=0, end=len(query.text), text=query.text)
        found = filler.fill_requests([(goal, span)], query.text, query.today)[0]
        args: Mapping[str, Any] = {value.fact: value.value for value in found.values}
        return Answer(({"goal": goal, "args": args, "missing": list(found.missing)},), error=False)

    return answer


_SURE = 0.3
"""Of ten or so classes: below, the baseline refuses."""


def goals_by_words(catalog: Catalog, sure: float) -> Callable[[str], list[str]]:
    """Return what gives a text the goal by TF-IDF and logistic regression, or none below a probability."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline, make_union

    examples = [(text, goal.name) for goal in catalog.goals.values() for text in (*goal.examples, goal.label)]
    model = make_pipeline(
        make_union(
            TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True),
            TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True),
        ),
        LogisticRegression(C=10, max_iter=1_000),
    )
    model.fit([text for text, _ in examples], [goal for _, goal in examples])

    def goals(text: str) -> list[str]:
        chances = model.predict_proba([text])[0]
        return [str(model.classes_[chances.argmax()])] if chances.max() >= sure else []

    return goals
