"""The drill-down: all about the one thing that is selected, with links that lead on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import get_args

from catalog.skills.failures import describe_trouble
from dialogue.state.conversation import resolve
from dialogue.state.plans import PlanRecord
from explain.model import Question, QuestionKind
from language.responses.sentences import ExplanationText
from pages.assistant.panels import origin, reveal_button
from pages.shell import address
from pages.shell.address import Selection, View
from pages.shell.sheet import Node, button, el, glued, icon
from pages.views.events import event_icon, say_event
from pages.views.seen import Seen
from pages.views.timeline import plan_details, plan_of

_LOG = logging.getLogger(__name__)
_WORDS: dict[View, str] = {"how": "How?", "why": "Why?", "chain": "Why this result?", "what": "What was done?"}
_LONG: dict[View, str] = {
    "how": "How was it established?",
    "why": "What was it needed for?",
    "chain": "Why did the decision come out so?",
    "what": "What was gathered for the goal?",
}
_EVIDENCE = 12

Explain = Callable[[Question], ExplanationText]


def drill_down(seen: Seen, explain: Explain) -> list[Node]:
    """Draw the card of what is selected, or nothing."""
    chosen = seen.chosen
    if chosen is None:
        return []
    body = {"fact": _fact, "skill": _skill, "plan": _plan}[chosen.kind](seen, chosen.name, explain)
    return [
        el(
            "div",
            "drill",
            el(
                "nav",
                "trail",
                [
                    (button("crumb", _named(seen, item), act={"do": "on", "what": str(item)}), icon("forward"))
                    for item in address.trail()
                ],
                el("span", "here", _named(seen, chosen), aria_current="true"),
                button("close", icon("failed"), act={"do": "select", "what": ""}, label="Close the details"),
                aria_label="The way here",
            ),
            body,
        )
    ]


def _named(seen: Seen, item: Selection) -> str:
    if item.kind == "plan":
        return f"Plan {item.name}"
    return seen.fact(item.name) if item.kind == "fact" else seen.skill(item.name)


def _fact(seen: Seen, fact: str, explain: Explain) -> Iterable[Node | None]:
    declared = seen.catalog.facts.get(fact)
    if declared is None:
        return [_unknown(f"This catalog has no fact called “{fact}”.")]
    known = resolve(seen.catalog, seen.conversation, fact)
    picture, words = origin(seen, known) if known else ("later", "not known yet")
    views = [view for view in get_args(View) if view != "chain" or _decided(seen, fact)]
    view = seen.view if seen.view in views else "how"
    return [
        el(
            "div",
            "headline",
            el("h3", "", declared.label),
            el("span", "value", seen.value(known.fact)) if known else None,
            reveal_button(seen, known.fact) if known else None,
        ),
        el("p", "origin", icon(picture), words, f". {declared.description}" if declared.description else ""),
        el(
            "div",
            "views",
            [
                button(
                    "view",
                    _WORDS[item],
                    act={"do": "view", "what": f"fact:{fact}", "view": item},
                    label=_LONG[item],
                    pressed=item == view,
                )
                for item in views
            ],
            role="group",
            aria_label="Questions",
        ),
        *_answer(seen, view, fact, explain),
    ]


def _decided(seen: Seen, fact: str) -> bool:
    known = resolve(seen.catalog, seen.conversation, fact)
    return known is not None and known.by in seen.conversation.calls.attributions


def _try(explain: Explain, question: Question) -> ExplanationText | None:
    """Explain; an explanation that fails is logged, and must not take the page with it."""
    try:
        return explain(question)
    except Exception as trouble:
        _LOG.error("no explanation: %s", describe_trouble(trouble))
        return None


def _answer(seen: Seen, view: View, fact: str, explain: Explain) -> Iterable[Node | None]:
    answer = _try(explain, Question(QuestionKind(view), fact, seen.full))
    if answer is None:
        return [_unknown("This could not be explained. The conversation itself is not affected.")]
    return [
        explained(seen, answer),
        button(
            "small",
            "the short answer" if seen.full else "the whole chain",
            act={"do": "full", "full": "" if seen.full else "yes"},
        )
        if view in ("how", "why")
        else None,
        evidence(seen, answer.evidence),
    ]


def explained(seen: Seen, answer: ExplanationText) -> Node:
    """Draw an explanation as text; the facts it names lead on."""
    drawn: list[Node] = []
    for i, sentence in enumerate(answer.sentences):
        if i:
            drawn.append(" ")
        for part in sentence.parts:
            text = seen.text(part.text)
            if part.secret and not (part.fact and part.fact in seen.conversation.facts.revealed):
                drawn.append("••••")
            elif part.fact and not part.secret and part.fact in seen.catalog.facts:
                drawn.append(button("inline", text, act={"do": "on", "what": f"fact:{part.fact}"}))
            elif part.skill and part.skill in seen.catalog.skills:
                drawn.append(button("inline", text, act={"do": "on", "what": f"skill:{part.skill}"}))
            else:
                drawn.append(text)
    return el("p", "answer", glued(drawn))


def evidence(seen: Seen, events: Iterable[int]) -> Node | None:
    """List the events that an answer rests on, folded."""
    entries = [seen.entries[seq] for seq in events if seq in seen.entries]
    if not entries:
        return None
    more = len(entries) - _EVIDENCE
    return el(
        "details",
        "evidence",
        el("summary", "", f"Evidence: {len(entries)} {'event' if len(entries) == 1 else 'events'} of the log"),
        el(
            "ol",
            "",
            [
                el(
                    "li",
                    "",
                    el("code", "", f"{entry.seq}"),
                    icon(event_icon(entry)),
                    say_event(seen, entry),
                    el("small", "", f"{entry.at:%H:%M:%S}"),
                )
                for entry in entries[:_EVIDENCE]
            ],
        ),
        el("small", "", f"and {more} more") if more > 0 else None,
    )


def _skill(seen: Seen, name: str, explain: Explain) -> Iterable[Node | None]:
    skill = seen.catalog.skills.get(name)
    if skill is None:
        return _fact(seen, name, explain) if name in seen.catalog.facts else [_unknown(f"No skill is called “{name}”.")]
    calls = sum(count for (called, _), count in seen.conversation.calls.counts.items() if called == name)
    agreed = "agreed" if name in seen.conversation.questions.authorized else None
    refused = "declined" if name in seen.conversation.questions.refused else None
    consent = agreed or refused or "not asked yet"
    sensitive = dict.fromkeys(f for mode in skill.modes for f in seen.catalog.sensitive_inputs(name, mode))
    fact_buttons: Callable[[Iterable[str]], Node] = lambda facts: el(  # noqa: E731
        "span",
        "wanted",
        [button("chip", seen.fact(f), act={"do": "on", "what": f"fact:{f}"}) for f in facts] or "nothing",
    )
    rows: list[tuple[str, Node]] = [
        ("Called", f"{calls} of at most {skill.max_tries} {'time' if skill.max_tries == 1 else 'times'} a mode"),
    ]
    if sensitive:
        rows += [("Sensitive inputs", fact_buttons(sensitive)), ("Your consent", consent)]
    for mode in skill.modes.values():
        rows.append((f"By {mode.name.replace('_', ' ')}, from", fact_buttons(mode.inputs)))
        rows += [(f"  → {outcome.label}", fact_buttons(outcome.facts)) for outcome in mode.outcomes.values()]
    return [
        el("div", "headline", el("h3", "", skill.label)),
        el("p", "origin", icon("skill"), skill.description or "A skill of this catalog."),
        el("dl", "pairs", [(el("dt", "", name_), el("dd", "", said)) for name_, said in rows]),
    ]


def _plan(seen: Seen, name: str, explain: Explain) -> Iterable[Node | None]:
    record: PlanRecord | None = plan_of(seen, seen.conversation.plans.all, name)
    if record is None:
        return [_unknown(f"This conversation has no plan {name}.")]
    answer: Node | None = None
    if record.status == "none" and record is seen.conversation.plans.all[-1]:
        told = _try(explain, Question(QuestionKind.MISSING))
        answer = None if told is None else explained(seen, told)
    heading, *details = plan_details(seen, record)
    return [heading, answer, *details]


def _unknown(words: str) -> Node:
    return el("p", "problem", icon("problem"), words)
