"""Reasons in words: one template for each code, with the parameters of the reason in braces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from catalog.model import Catalog
from catalog.model.settings import Metric
from catalog.wording.grammar import capitalize, listing, quote
from catalog.wording.values import expected
from language.content import Reason, ReasonCode
from language.responses.facts_and_skills import SORRY_UNCLEAR, consent_subject, fact_of_user, facts_of_user, skill_name
from planning.task.spending import say_money

_FAILURES: Mapping[str, str] = {
    "raised": "failed",
    "timed_out": "did not answer in time",
    "bad_output": "returned something it does not declare",
    "unavailable": "cannot be reached",
}
WAYS: Mapping[Metric | None, str] = {
    None: "the usual way",
    Metric.COST: "the usual way",
    Metric.MONEY: "the cheapest way",
    Metric.TIME: "the quickest way",
    Metric.QUALITY: "the most reliable way",
}
"""By what is made small; None: what the catalog makes small."""
_JOINED: Mapping[ReasonCode, Callable[[Sequence[str]], str]] = {
    "news": lambda said: ", and ".join(said) or "it ended without reaching the goal",
    "preferred": lambda said: listing(tuple(said)),
    "notes": lambda said: " ".join(filter(None, said)),
}
"""How reasons are put together that are one."""


class ReasonPhrases:
    """Why something is so."""

    TEMPLATES: Mapping[ReasonCode, str] = {
        "said": "{text}",
        "no_plan": "no plan leads to it",
        "planner_gave_up": "the planner gave up: {text}",
        "stopped": "you asked me to stop",
        "started_over": "you asked me to start over",
        "gone_back": "you asked me to go back to your last answer",
        "not_approved": "you did not approve the plan",
        "not_wanted": "you said that you do not want it",
        "too_many_steps": "it took more steps than one turn may have",
        "wrong_values": "what was said for it cannot be so",
        "catalog_changed": "the catalog was changed in the meantime",
        "task_under_way": "{named} is a task already, and under way. Say “cancel” to end it.",
        "of_another_request": "it was said or found for another request",
        "rested_on": "it was worked out from the old value of {facts}",
        "doubted": "{skills} came back with {label} for it",
        "not_fillable": "I cannot ask you for {facts}{why_not}",
        "not_given": "you could not or would not give {facts}",
        "offered_instead": "you offered {facts} instead",
        "no_clear_answer": "after {number:.0f} tries there was no clear answer about {facts}",
        "told_not_to": "you told me not to go ahead with {skills}",
        "not_agreed_to_call": "you did not agree to {skills}",
        "consent_refused": "you declined to give {facts} to {subject}",
        "consent_unclear": "you did not agree to give {facts} to {subject}",
        "consent_withdrawn": "you took back your consent to give {facts} to {subject}",
        "does_not_fit": "{first} cannot be used as {last}, which has to be {expected}",
        "item_does_not_fit": "{first} cannot be used as {last}, which has to be {expected_item}",
        "called_enough": "{skills} was called {times}, which is as often as it may be",
        "tried_enough": "{skills} has been tried for {facts} as often as it may be",
        "in_doubt": "a call did not come back properly, and whether it took effect is not known",
        "more_is_allowed": "you allowed something that you had not agreed to before",
        "not_needed": "the goal was reached without its other steps",
        "planned_together": "what it is for is planned together with what comes first now",
        "leads_nowhere": "it no longer leads to {label} from where things stand",
        "found_cheaper": "a cheaper plan was found while this one was under way "
        "(cost of what is left: {number:.4g} → {other:.4g})",
        "agreed_already": "you have agreed already to give {facts} to {subject}",
        "agree_again": "you have to agree to {skills} again",
        "cut_off": "a call was cut off, and its outcome was looked up",
        "call_failed": "{skills} {error}",
        "surprise": "{skills} came back with {label}{at_item}, not {hoped}",
        "news": "{of}",
        "told_unasked": "you gave {facts} before being asked",
        "became_known": "{facts} became known in the meantime",
        "no_longer_known": "what I knew of {facts} no longer holds",
        "called_meanwhile": "{skills} was called in the meantime",
        "called_with_old_value": "{skills} was called with a value that no longer holds",
        "preferred": "{of}",
        "budget_lifted": "you lifted the budget",
        "budget_said": "you said at most {money}",
        "way_asked": "you asked for {way}",
        "notes": "{of}",
        "begun_early": "Its first step is in every plan, so it does not wait for the search for a cheaper one.",
        "nothing_cheaper": "No cheaper plan was found.",
        "bound_counts_all": "(The bound is for the whole plan, with the step that was already carried out.)",
        "looked_up": "the skill's own lookup says so",
        "skipped": "skipped",
        "declined": "declined",
        "not_understood": SORRY_UNCLEAR,
        "neither_yes_nor_no": "I need a yes or a no",
        "not_heeded": "I cannot take {words} into account.",
    }
    """By code. What is true of a plan that was begun with early stays true of it."""

    def say(self, catalog: Catalog, reason: Reason) -> str:
        return self.TEMPLATES[reason.code].format_map(self._words(catalog, reason))

    def _words(self, catalog: Catalog, reason: Reason) -> Mapping[str, object]:
        facts = [fact_of_user(catalog, fact) for fact in reason.facts] or [""]
        declared = [catalog.facts[fact] for fact in reason.facts if fact in catalog.facts]
        kind = declared[-1].value if declared else None
        why_not = declared[0].why_not_fillable if declared else None
        number = reason.number or 0.0
        return {
            "text": reason.text,
            "words": listing(tuple(map(quote, reason.words))),
            "facts": facts_of_user(catalog, reason.facts),
            "first": facts[0],
            "last": facts[-1],
            "skills": listing(tuple(map(partial(skill_name, catalog), reason.skills))),
            "subject": consent_subject(catalog, reason.subject),
            "label": quote(reason.label),
            "named": capitalize(reason.label),
            "hoped": quote(reason.hoped) if reason.hoped else "something else",
            "at_item": f" for {reason.item}" if reason.item else "",
            "error": _FAILURES.get(reason.error, reason.error),
            "number": number,
            "times": "once" if number == 1 else f"{number:.0f} times",
            "other": reason.other or 0.0,
            "money": say_money(number, catalog.settings.currency),
            "way": WAYS[reason.metric],
            "why_not": f": {why_not}" if why_not else "",
            "expected": expected(kind) if kind else "",
            "expected_item": expected(kind.innermost) if kind else "",
            "of": _JOINED[reason.code]([self.say(catalog, one) for one in reason.of]) if reason.code in _JOINED else "",
        }
