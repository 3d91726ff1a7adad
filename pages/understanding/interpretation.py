"""How a sentence was understood: the result, its requests and values, the rules that fired, the task and the plan.

Pure functions of the catalog and of an insight; all that people and catalogs say is text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from catalog.model import Catalog
from catalog.wording.grammar import capitalize, count, listing, quote
from dialogue.services.inspection import Insight, RequestsRefused, name_request
from language.interpretation import (
    Candidate,
    Consultation,
    Coreference,
    DialogueAct,
    Entity,
    Intent,
    Interpretation,
    Segment,
)
from pages.shell.sheet import Node, el, folded, hint, icon, problem, shorten
from pages.understanding.sentence_marks import kind_of, look_of, request_of, sentence
from pages.views.plans import fact_label, goal_label

_STEPS = {
    "requests": "finding requests",
    "values": "reading values",
    "rules": "applying rules",
    "plan": "planning",
    "language model": "asking the language model",
}
_SLOW_S = 1.0
"""A step that takes longer has loaded something, which is done once."""


def said(catalog: Catalog, insight: Insight) -> list[Node]:
    """Draw the reading of the sentence in a few words, the sentence with its marks, and what the steps took."""
    tone, picture, title, words = judge(catalog, insight)
    return [
        el(
            "section",
            f"card insight {tone}",
            el("h2", "", icon(picture), el("span", "", title)),
            hint(words) if words else None,
            sentence(catalog, insight.analysis),
            _times(insight),
            key=f"said {insight.analysis.text}",
        )
    ]


def judge(catalog: Catalog, insight: Insight) -> tuple[str, str, str, str]:
    """Sum up the reading: tone, picture, title, and a sentence."""
    meaning = insight.analysis.meaning
    if meaning.errors:
        return "bad", "problem", "The rules of the catalog object", " ".join(meaning.errors)
    if meaning.goals and insight.refused is not None:
        return "warn", "problem", "Understood, but there is no way to it", insight.refused.reason
    if meaning.goals:
        missing = [fact for goal in meaning.goals for fact in goal.missing]
        labels = listing(tuple(dict.fromkeys(fact_label(catalog, fact) for fact in missing)))
        words = f"Not said, and to be asked for: {labels}." if missing else ""
        return "good", "done", f"Understood: {count(len(meaning.goals), 'request')}", words
    if meaning.candidates:
        labels = listing(tuple(goal_label(catalog, one.goal) for one in meaning.candidates), "or")
        return "warn", "ask", "Not sure enough to act on it", f"The assistant would ask whether it is {labels}."
    if taken := _taken_as(catalog, meaning):
        return "good", "done", "Understood, and it asks for nothing new", taken
    told = meaning.unclear or "The assistant says so, and tells what it can do."
    return "warn", "never", "Nothing in this catalog serves that", told


_ACTS: dict[DialogueAct, str] = {
    DialogueAct.STOP: "It asks to stop what is under way",
    DialogueAct.YES: "It says yes",
    DialogueAct.NO: "It says no",
    DialogueAct.SKIP: "It asks to pass over a question",
    DialogueAct.CHITCHAT: "It is small talk",
    DialogueAct.HELP: "It asks for help",
    DialogueAct.UNSURE: "It is neither a yes nor a no",
    DialogueAct.RESTART: "It asks to start over",
    DialogueAct.REOPEN: "It asks to go back to the last answer",
    DialogueAct.UNDO: "It asks to undo what was done",
}


def _taken_as(catalog: Catalog, meaning: Interpretation) -> str:
    if meaning.question is not None:
        about = f", concerning {quote(fact_label(catalog, meaning.question.fact))}" if meaning.question.fact else ""
        return f"It is a question about what the assistant did{about}."
    if meaning.control is not None:
        about = f" ({meaning.topic.value})" if meaning.topic is not None else ""
        return f"{_ACTS[meaning.control]}{about}."
    if meaning.term is not None:
        return f"It asks what “{meaning.term.replace('_', ' ')}” is."
    if meaning.preference is not None:
        return "It says how the assistant is to go about things."
    if meaning.values:
        labels = dict.fromkeys(quote(fact_label(catalog, value.fact)) for value in meaning.values)
        return f"It tells {listing(tuple(labels))}, and asks for nothing."
    return ""


def _times(insight: Insight) -> Node:
    tags = [el("li", "tag", f"{_STEPS.get(step, step)} {_ms(took)}") for step, took in insight.seconds.items()]
    slow = any(took > _SLOW_S for step, took in insight.seconds.items() if step != "language model")
    return el(
        "div",
        "times",
        el("ul", "", tags, el("li", "tag good", f"in all {_ms(sum(insight.seconds.values()))}")),
        hint("The first sentence takes longer: what it needs is loaded once.") if slow else None,
    )


def _ms(seconds: float) -> str:
    return f"{seconds * 1_000:,.0f} ms" if seconds >= 0.01 else f"{seconds * 1_000:.1f} ms"


def requests(catalog: Catalog, insight: Insight) -> list[Node]:
    """Draw each segment with its candidates and, where it became a request, what was said for it."""
    analysis = insight.analysis
    goals = analysis.meaning.goals
    drawn: set[int] = set()
    cards: list[Node] = []
    for segment in analysis.segments:
        place = request_of(segment, goals)
        if place is not None and place not in drawn:
            drawn.add(place)
            cards.append(_request(catalog, place, goals, _candidates(catalog, segment)))
        else:
            cards.append(_card(quote(segment.span.text), "", _candidates(catalog, segment)))
    for place in sorted(set(range(len(goals))) - drawn):
        cards.append(_request(catalog, place, goals, []))
    head = stage("Requests", "Which goals each stretch of it may ask for, the likeliest first.")
    nothing = hint("The whole of it is no request, so no goal was looked for.")
    return [head, *(cards or [nothing]), *_conversation(catalog, analysis.meaning)]


def _request(catalog: Catalog, place: int, goals: Sequence[Intent], candidates: Sequence[Node]) -> Node:
    mention = goals[place]
    rows = [_value(catalog, value) for value in mention.values]
    rows += [_reference(catalog, goals, one) for one in mention.references]
    rows += [_missing(catalog, fact) for fact in mention.missing]
    return _card(
        f"{name_request(place)} · {goal_label(catalog, mention.goal)}",
        quote(shorten(mention.span.text, 160)),
        candidates,
        el("ul", "arguments", rows) if rows else None,
    )


def _card(title: str, words: str, candidates: Sequence[Node], *more: Node | None) -> Node:
    return el(
        "section",
        "card request",
        el("h3", "", shorten(title, 160)),
        el("p", "muted", words) if words else None,
        el("ol", "candidates", candidates, aria_label="Likeliest goals") if candidates else None,
        *more,
    )


def _candidates(catalog: Catalog, segment: Segment) -> list[Node]:
    return [_candidate(catalog, segment, one) for one in segment.candidates]


def _candidate(catalog: Catalog, segment: Segment, one: Candidate) -> Node:
    taken = one.goal == segment.goal
    return el(
        "li",
        "candidate taken" if taken else "candidate",
        el("span", "named", icon("done") if taken else None, goal_label(catalog, one.goal)),
        el("span", "bar", el("span", ""), vars={"--score": f"{max(0.0, min(1.0, one.score)):.1%}"}, aria_hidden="true"),
        el("span", "score", f"{one.score:.1%}" if one.score >= 0.001 else "< 0.1%"),
        el("small", "why", why(segment, one)),
    )


def why(segment: Segment, one: Candidate) -> str:
    if one.goal == segment.goal:
        return f"taken: {segment.because or 'likeliest goal'}"
    if segment.goal is None and one == segment.candidates[0]:
        return f"not taken: {segment.because or 'not sure enough'}"
    return "less likely"


def _conversation(catalog: Catalog, meaning: Interpretation) -> list[Node]:
    """Draw the values that belong to no single request."""
    if not meaning.values:
        return []
    rows = [_value(catalog, value) for value in meaning.values]
    hint = "They are kept for the whole conversation, for whatever needs them."
    return [_card("Values for any request", hint, [], el("ul", "arguments", rows))]


def _value(catalog: Catalog, value: Entity) -> Node:
    declared = catalog.facts.get(value.fact)
    shown = declared.value.show(value.value) if declared else str(value.value)
    hidden = declared is not None and catalog.is_sensitive(value.fact)
    return el(
        "li",
        "argument",
        el("span", "named", fact_label(catalog, value.fact)),
        el("span", "value", shorten(shown, 200)),
        el("span", f"tag of {look_of(catalog, value.fact)}", kind_of(catalog, value.fact)),
        el("span", "tag warn", "sensitive") if hidden else None,
        el("span", "origin", f"from {quote(shorten(value.span.text, 120))}, read by: ", _rule(value.rule)),
    )


def _rule(rule: str) -> Node:
    return el("code", "", shorten(rule, 300)) if ":-" in rule else rule or "no rule"


def _reference(catalog: Catalog, goals: Sequence[Intent], one: Coreference) -> Node:
    named = [f"{name_request(i)} ({goal_label(catalog, goals[i].goal)})" for i in one.to if i < len(goals)]
    return el(
        "li",
        "argument",
        el("span", "named", fact_label(catalog, one.fact)),
        el("span", "value", f"the result of {listing(tuple(named)) or 'the last request'}"),
        el("span", "tag of is-reference", "reference"),
        el("span", "origin", f"from {quote(one.span.text)}"),
    )


def _missing(catalog: Catalog, fact: str) -> Node:
    declared = catalog.facts.get(fact)
    asked = declared.ask if declared is not None and declared.ask else ""
    return el(
        "li",
        "argument missing",
        el("span", "named", fact_label(catalog, fact)),
        el("span", "tag warn", "not said"),
        el("span", "origin", f"would be asked: {quote(asked)}" if asked else "would be asked for"),
    )


def rules(insight: Insight) -> list[Node]:
    """Draw the facts that a logic program starts from, what holds, and the rules that fired."""
    analysis = insight.analysis
    head = stage("Rules", "What was read as facts of a logic program, and what follows by the rules.")
    if not analysis.facts:
        nothing = "No rule applies: nothing that is asked for here has values of its own."
        return [head, hint(nothing)]
    errors = [problem(error) for error in analysis.meaning.errors]
    fired = [
        el("li", "fired", el("code", "atom", shorten(one.atom, 300)), el("code", "rule", shorten(one.rule, 600)))
        for one in analysis.fired
    ]
    return [
        head,
        *errors,
        el("h4", "", "Facts: what was said"),
        _code("facts of what was said", analysis.facts),
        el("h4", "", "Model: what holds"),
        _code("what holds by the rules", analysis.atoms),
        el("h4", "", f"{count(len(fired), 'rule')} that fired"),
        el("ul", "fireds", fired),
    ]


def plan(catalog: Catalog, insight: Insight) -> list[Node]:
    """Draw the plan as the paper prints it, and the task behind it; or why there is none."""
    head = stage("Plan", "Values that were said come first, then questions, then each call with its arguments.")
    if insight.refused is not None:
        return [head, _refused(catalog, insight.refused)]
    if not insight.plan:
        objected = bool(insight.analysis.meaning.errors)
        nothing = (
            "Nothing is planned: the rules object." if objected else "Nothing is asked for, so nothing is planned."
        )
        return [head, hint(nothing)]
    drawn: list[Node] = [head, _code("the plan", insight.plan.splitlines())]
    if insight.task is not None:
        for name, text in (("Domain", insight.task.domain), ("Problem", insight.task.problem)):
            lines = text.splitlines()
            drawn.append(folded(f"{name} of the task in PDDL, {len(lines)} lines", _code(f"{name} in PDDL", lines)))
    return drawn


def _refused(catalog: Catalog, refused: RequestsRefused) -> Node:
    rows = [
        f"{name_request(place)} lacks {listing(tuple(fact_label(catalog, fact) for fact in gaps))}"
        for place, one in refused.missing.items()
        if (gaps := (*one.information, *one.functionality))
    ]
    listed = el("ul", "", [el("li", "", row) for row in rows]) if rows else None
    return el("div", "", problem(refused.reason), listed)


def language_model(consultation: Consultation | None) -> list[Node]:
    """Draw the answer of a language model, where one is set up."""
    if consultation is None:
        return []
    rows = [
        el(
            "li",
            "fired",
            el("code", "atom", shorten(one.text, 600)),
            el("span", "muted", "; ".join(one.objections) if one.objections else "nothing against it"),
        )
        for one in consultation.replies
    ]
    return [
        stage("Language model", consultation.because),
        problem(consultation.note) if consultation.note else "",
        el("ul", "fireds", rows) if rows else "",
    ]


def stage(title: str, words: str) -> Node:
    return el("div", "stage", el("h3", "", title), hint(capitalize(words)))


def _code(name: str, lines: Iterable[str]) -> Node:
    return el("pre", "code", "\n".join(lines), tabindex="0", role="region", aria_label=capitalize(name))
