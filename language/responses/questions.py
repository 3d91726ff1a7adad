"""Questions to the user, and what is said of answers that cannot be used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from catalog.model import Catalog, Effect, Fact
from catalog.values import Fault, Kind
from catalog.values.base import HIDDEN, listed
from catalog.wording.grammar import capitalize, clean, end, is_plural, listing, quote, your
from catalog.wording.values import expected, filled_in, say_fault, was_not
from language.content import Written
from language.interpretation import TalkTopic
from language.responses.facts_and_skills import (
    SORRY_UNCLEAR,
    consent_subject,
    fact_of_user,
    facts_of_user,
    list_companions,
    list_origins,
    list_values,
    say_value_of,
    sentence,
    shown_in,
    skill_name,
    uncapitalized,
)
from language.responses.reasons import ReasonPhrases

About = Literal["fact", "authorize", "confirm", "offer", "choice", "task", "plan"]
"""What a question is about: a fact, consent, the go-ahead for a call, an offer, or a choice of goals."""
_OPTIONS = 40
"""So many options are listed."""
UNCLEAR_ANSWERS = {
    "authorize": "I need a yes or a no for this.",
    "confirm": "I need a yes or a no before I go on.",
    "offer": "Was that a yes or a no?",
    "choice": "I did not understand which one you mean.",
}
"""Messages for a reply that does not answer a question, by the kind of question."""
NO_ANSWER_FOUND = "I could not find the answer in that."


def which_to_change(catalog: Catalog, facts: Sequence[str]) -> str:
    named = listing(tuple(your(catalog.facts[fact].label) for fact in facts), "or")
    return f"I am not sure what to change: {named}. Please say which."


def cannot_take(fact: Fact) -> str:
    why = f": {fact.why_not_fillable}" if fact.why_not_fillable else ""
    return f"I cannot take the {fact.label} from you{why}."


def other_period(fact: Fact, period: str) -> str:
    """Say that an amount was given for another period than the fact's: by the month rather than by the year."""
    return f"That is per {period}, and I need the {fact.label}."


def unclear_budget(currency: str) -> str:
    return f"I did not understand how much I may spend. I count in {currency}."


def not_checked(fault: object) -> str:
    return f"I could not check what you asked for. {fault}"


class QuestionPhrases:
    """Questions to the user, and what is said of answers."""

    NOT_GIVEN = "(not given)"
    """Stands for an optional input that a call would be made without."""

    def question_for(self, fact: Fact) -> str:
        if fact.ask:
            return fact.ask
        label = your(clean(fact.label))
        return (
            f"{'What are' if is_plural(fact.label) else 'What is'} {label}? If you cannot say, tell me “I don't know”."
        )

    def ask_again(self, reason: str, question: str, *, skippable: bool = False) -> str:
        """Repeat a question, with the reason; where it is for the last time, say how to pass it over (`skippable`)."""
        skip = " If you cannot say, tell me “skip”." if skippable else ""
        return f"{sentence(reason or SORRY_UNCLEAR)} {question}{skip}"

    ANYTHING_TO_CHANGE = "Is something to be changed first? Please answer yes or no."

    def unread(self, said: str | None, reason: str = "") -> str:
        """Say that words were not read, with the `reason` if there is another than that they are no yes and no no."""
        plain = reason in ("", ReasonPhrases.TEMPLATES["neither_yes_nor_no"], *UNCLEAR_ANSWERS.values())
        return f"I could not read {quote(said) if said else 'that'}, and changed nothing" if plain else reason

    def what_to_change(self, catalog: Catalog, facts: Sequence[str]) -> str:
        named = listing(tuple(your(clean(catalog.facts[one].label)) for one in facts if one in catalog.facts), "or")
        return f"What shall it be? Name it with its new value{f': {named}' if named else ''}; or say “no”."

    def remind(self, question: str) -> str:
        return f"Back to my question: {question}"

    def still_needed(self, catalog: Catalog, fact: str, question: str) -> str:
        return f"I still need {fact_of_user(catalog, fact)} as well. {question}"

    def answered_unseen(self, still_open: bool) -> str:
        """Say why an answer was not taken: its speaker was shown another question, or one that is not open now."""
        if still_open:
            return "You wrote that before you could see my question, so I did not take it as an answer."
        return "The question that you answered is no longer open, so I did not take that as an answer."

    def consent_question(
        self,
        catalog: Catalog,
        subject: str,
        facts: Sequence[str],
        purpose: str,
        *,
        skill: str | None = None,
        mode: str | None = None,
        written: Sequence[Written] = (),
    ) -> str:
        """Ask consent, naming exactly which facts go to whom, and why.

        With a `mode`, it is the go-ahead for a call of a `skill` too; `written` are the values for it that are known.
        """
        given = [one for one in written if one.fact in facts and one.shown != HIDDEN]
        others = [one for one in written if one.fact not in facts]
        asked = ""
        if mode is not None and skill is not None:
            asked = self._in_own_words(catalog, skill, mode, written, facts)
        beside = "" if asked else list_companions(catalog, others)
        named = listing(tuple(say_value_of(catalog, fact, given) for fact in facts))
        consent = f"May I give {named} to {consent_subject(catalog, subject)}?"
        return _put_together(asked, consent, sentence(purpose), beside, "Please answer yes or no.")

    def consent_purpose(self, catalog: Catalog, subject: str, outputs: Sequence[str], goal: str) -> str:
        wanted = facts_of_user(catalog, outputs)
        goes_without_saying = any(clean(goal) == fact_of_user(catalog, fact) for fact in outputs)
        end = f", on the way to {clean(goal)}" if goal and not goes_without_saying else ""
        if subject in catalog.skills:
            return f"It is needed to find out {wanted}{end}" if wanted else f"It is needed{end}"
        return f"It is needed{end}"

    def confirm_question(self, catalog: Catalog, skill: str, mode: str, written: Sequence[Written]) -> str:
        """Ask for the go-ahead for a call: in its author's words if there are any, and with what would be written."""
        asked = self._in_own_words(catalog, skill, mode, written)
        final = " This cannot be undone." if catalog.skills[skill].effect is Effect.IRREVERSIBLE else ""
        if asked:
            return asked
        values = list_values(catalog, written)
        whom = skill_name(catalog, skill)
        if not values:
            return f"Shall I go to {whom}?{final}"
        if values.startswith("\n"):
            return f"Please check what {whom} will get.{values}\n{f'{final} Shall I go ahead?'.strip()}"
        return f"Please check what {whom} will get. {capitalize(values)}.{final} Shall I go ahead?"

    def _in_own_words(
        self, catalog: Catalog, skill: str, mode: str, written: Sequence[Written], consented: Sequence[str] = ()
    ) -> str:
        """Put the question of a skill's author, then what it leaves out and where the values came from.

        What is `consented` to is named with the question for consent.
        """
        declared = catalog.skills[skill]
        if declared.confirm is None:
            return ""
        shown = {one.fact: self.NOT_GIVEN if one.shown is None else shown_in(one) for one in written}
        for fact in declared.modes[mode].takes:
            shown.setdefault(fact, fact_of_user(catalog, fact))
        words = {**shown, **{item: shown[items] for item, items in declared.modes[mode].each.items()}}
        places = re.findall(r"\{([^{}]*)\}", declared.confirm)
        named = {*places, *(items for item, items in declared.modes[mode].each.items() if item in places)}
        question = filled_in(declared.confirm, words)
        beside = list_companions(catalog, [one for one in written if one.fact not in (*named, *consented)])
        came = list_origins(catalog, [one for one in written if one.fact in named])
        return _put_together(question, beside, came)

    def did_you_mean(self, labels: Sequence[str]) -> str:
        choices = tuple(quote(label) for label in labels)
        if len(choices) == 1:
            return f"I am not sure I understood. Did you mean {choices[0]}?"
        return f"I am not sure I understood. Did you mean {listing(choices, 'or')}? You can also say “none of these”."

    def objection(self, errors: Sequence[str], question: str = "") -> str:
        return f"{' '.join(map(sentence, errors))} {question}".strip()

    def was_not(self, kind: Kind) -> str:
        return was_not(kind)

    def not_read(self, fault: Fault, kind: Kind) -> str:
        return f"{say_fault(fault)} Write {expected(kind)}, or leave it empty: not said."

    def help_with(
        self, catalog: Catalog, about: About, subject: str, facts: Sequence[str], topic: TalkTopic = TalkTopic.QUESTION
    ) -> str:
        """Help with the question just put: what is meant, who gets it, what if not, and whether it can wait."""
        known = catalog.facts.get(subject) if about == "fact" else None
        if about == "authorize":
            said = _of_consent(catalog, subject, facts)
        elif about == "confirm":
            said = _of_go_ahead(catalog, subject, facts)
        elif about == "plan":
            doing = (
                "If you say yes, I do just that, and ask again before I do anything else. If you say no, I do nothing."
            )
            said = {TalkTopic.QUESTION: doing}
        elif known is not None:
            said = _of_fact(catalog, known)
        elif about in ("offer", "task"):
            said = {
                TalkTopic.QUESTION: "You can say yes or no. If you say no, I leave it; you can ask for it at any time."
            }
        else:
            said = {TalkTopic.QUESTION: "You can name one of these, or say “none of these”."}
        return said.get(topic, said[TalkTopic.QUESTION])

    def left_open(self) -> str:
        return "You have not agreed, so I leave it, and nothing is passed on. You can still say yes later."

    def taken_back(
        self, catalog: Catalog, subject: str, facts: Sequence[str], received: Sequence[tuple[str, str]]
    ) -> str:
        """Confirm that consent was taken back; `received` are the skills that got something by then, and when."""
        what, whom = facts_of_user(catalog, facts), consent_subject(catalog, subject)
        if not received:
            return f"All right: {what} will not go to {whom}. Nothing was given."
        got = listing(tuple(f"{skill_name(catalog, skill)} at {at}" for skill, at in received))
        return f"All right: nothing more goes to {whom}. I had given {what} to {got}, and cannot take that back."

    def approval_taken_back(self) -> str:
        return "All right: I do nothing more of that plan without asking you."

    def forbidden(self, catalog: Catalog, subject: str, facts: Sequence[str]) -> str:
        return f"All right: {facts_of_user(catalog, facts)} will not go to {consent_subject(catalog, subject)}."

    def nothing_given(self, catalog: Catalog, closed: Sequence[tuple[str, tuple[str, ...]]]) -> str:
        """Say that there is no consent to take back; `closed` are those that were declined or taken back before."""
        if not closed:
            return "All right. You have not agreed that anything sensitive is passed on, and nothing will be."
        told = (f"{facts_of_user(catalog, facts)} to {consent_subject(catalog, one)}" for one, facts in closed)
        return f"All right. I do not give {listing(tuple(told), 'or')}."

    def agreed_after_all(self, catalog: Catalog, subject: str, facts: Sequence[str]) -> str:
        return (
            f"Thank you. I may give {facts_of_user(catalog, facts)} to {consent_subject(catalog, subject)} after all."
        )

    def unsure(self, catalog: Catalog, about: About, subject: str, facts: Sequence[str], question: str) -> str:
        return f"Take your time. {self.help_with(catalog, about, subject, facts)} {question}"

    def unchanged(self, catalog: Catalog, values: Sequence[tuple[str, str, str | None]]) -> str:
        """Say that what was asked about or supposed has changed nothing: fact, words, and the value that holds."""
        told = []
        for fact, said, holds in values:
            name = fact_of_user(catalog, fact)
            still = f"{name} is still {clean(holds)}" if holds else f"{name} stays open"
            told.append(f"{still} (you can say “make it {clean(said)}”)" if said else still)
        return f"I took that as a question and changed nothing: {'; '.join(told)}."

    def is_it(self, fact: Fact, said: str | None) -> str:
        """Read back what may be the answer to a question; None: it is not repeated."""
        quoted = quote(said) if said else "that"
        return f"Is {quoted} {your(clean(fact.label))}? Please answer yes or no."

    def goes_on_without(self, catalog: Catalog, fact: str) -> str:
        return f"I still do not have {fact_of_user(catalog, fact)}, so I will look for a way without it."

    def left_undone(self, catalog: Catalog, skill: str) -> str:
        return f"All right, I will not go ahead with {skill_name(catalog, skill)}."

    def offer_declined(self) -> str:
        return "All right. Is there anything else I can do for you?"

    def upload_unplaced(self, name: str, labels: Sequence[str]) -> str:
        takes = (
            f"I can take {listing(tuple(your(clean(label)) for label in labels), 'or')}"
            if labels
            else "I take no files"
        )
        return f"I do not know what {quote(name)} is for. {takes}; please upload it when I ask for it."

    def upload_refused(self, name: str, fault: Fault) -> str:
        return f"I cannot take {quote(name)}: {say_fault(fault)}"


def _of_consent(catalog: Catalog, subject: str, facts: Sequence[str]) -> dict[TalkTopic, str]:
    what, whom, go = (
        facts_of_user(catalog, facts),
        consent_subject(catalog, subject),
        "go" if len(facts) > 1 else "goes",
    )
    refusing = "If you say no, it stays with you, and I look for another way"
    does = clean(catalog.skills[subject].description, 300) if subject in catalog.skills else ""
    told = f" About {whom}: {uncapitalized(does)}" if does else ""
    return {
        TalkTopic.QUESTION: f"That is up to you. If you say yes, {what} {go} to {whom} alone. {refusing}.",
        TalkTopic.RECEIVERS: end(f"If you say yes, {what} {go} to {whom} alone.{told}"),
        TalkTopic.REFUSING: f"That is up to you. {refusing}. If there is none, I say so.",
        TalkTopic.LATER: "Nothing is passed on before you say yes. If you say no now, you can still say yes later.",
    }


def _of_go_ahead(catalog: Catalog, subject: str, facts: Sequence[str]) -> dict[TalkTopic, str]:
    whom, what = skill_name(catalog, subject), facts_of_user(catalog, facts)
    final = catalog.skills[subject].effect is Effect.IRREVERSIBLE if subject in catalog.skills else False
    undone = "Once it is done, it cannot be undone." if final else "You can change a value first, or ask for it later."
    refusing = f"If you say no, {whom} gets nothing, and nothing is done."
    return {
        TalkTopic.QUESTION: f"If you say yes, {whom} gets just that. If you say no, it gets nothing. You can change a "
        "value first.",
        TalkTopic.RECEIVERS: f"If you say yes, {whom} gets {what}, and no other skill does.",
        TalkTopic.REFUSING: f"That is up to you. {refusing} You can ask for it again at any time.",
        TalkTopic.LATER: f"Nothing is done before you say yes. {undone}",
    }


def _of_fact(catalog: Catalog, fact: Fact) -> dict[TalkTopic, str]:
    described = uncapitalized(clean(fact.description, 300).rstrip("."))
    named = fact_of_user(catalog, fact.name)
    meant = f"I mean {named}: {described}." if described else f"I mean {named}."
    skip = "If you do not have it or would rather not say, say “skip”, and I look for another way."
    return {
        TalkTopic.QUESTION: " ".join(part for part in (meant, _possible(fact), skip) if part),
        TalkTopic.REFUSING: f"You do not have to tell me {named}. Say “skip”, and I look for another way; if there is "
        "none, I say so.",
        TalkTopic.LATER: f"Yes. Say “skip” for now, and I look for a way without {named}. You can tell me at any time.",
    }


def _possible(fact: Fact) -> str:
    if fact.value.declared_options:
        return f"You can say {listed(map(clean, fact.value.declared_options), 'or', limit=_OPTIONS)}."
    return f"For example: {quote(clean(fact.examples[0], 100))}." if fact.examples else ""


def _put_together(*parts: str) -> str:
    """Put sentences in a row; after lines of values, the next one begins a line."""
    return " ".join(filter(None, parts)).replace("\n ", "\n").strip()
