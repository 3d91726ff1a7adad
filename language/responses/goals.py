"""Goals: what can be asked for, and that goals are accepted, wait, are reached and end; what is said beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from catalog.model import Catalog
from catalog.model.contact import Appeal, find_contact
from catalog.wording.grammar import capitalize, clean, end, listing, quote
from catalog.wording.values import filled_in
from language.interpretation import DialogueAct, TalkTopic
from language.responses.facts_and_skills import fact_of_user, sentence
from language.text.lazy_pattern import LazyPattern

_LONGEST_RESULT = 4_000
"""Characters of a result that are told: help and advice take several lines."""
_TALK: Mapping[TalkTopic, str] = {
    TalkTopic.GREETING: "Hello.",
    TalkTopic.THANKS: "You are welcome.",
    TalkTopic.FAREWELL: "Thank you, and goodbye.",
    TalkTopic.PRAISE: "Thank you.",
    TalkTopic.ACKNOWLEDGEMENT: "All right.",
    TalkTopic.COMPLAINT: "I am sorry that I am not more helpful. You can say “stop” or “help” at any time.",
    TalkTopic.ASSISTANT: "I am a computer program, ready to help.",
}


_ARTICLE = LazyPattern(r"\A(?:an?|the) ")


def _stays(done: Sequence[str]) -> str:
    return f" What {listing(tuple(done))} did stays done." if done else ""


class GoalPhrases:
    def goal_accepted(self, label: str) -> str:
        return f"Happy to help with {clean(label)}."

    def goal_known(self, label: str, *, declined: bool = False) -> str:
        if declined:
            return f"{quote(label)} was declined before, and nothing that it depends on has changed since."
        return f"{quote(label)} is done already, and nothing that it depends on has changed since."

    def alert_settled(self, done: str) -> str:
        return f"That is settled already. {done}"

    def goal_waits(self, label: str) -> str:
        return f"After that, we go back to {quote(label)}."

    def goals_follow(self, labels: Sequence[str]) -> str:
        return f"After that: {listing(tuple(map(quote, labels)))}."

    def now_to(self, label: str) -> str:
        return f"Next: {quote(label)}."

    def fallen_back(self, label: str) -> str:
        """Say to which goal below on the stack the assistant returns (Verdi paper, §3.3)."""
        return f"Back to {quote(label)}."

    def goal_done(
        self, catalog: Catalog, goal: str, facts: Sequence[str], shown: Mapping[str, str], *, declined: str = ""
    ) -> str:
        """Say the result of a goal, in its author's words if there are any.

        `facts` are what the goal wants; `shown` are all values that it came to, as the user may see them. Where it was
        `declined`, words that do not say so are left out.
        """
        declared = catalog.goals.get(goal)
        left = {fact: _shorten(value) for fact, value in shown.items()}
        text = (
            f"The answer to {quote(declared.label)} is a no: {clean(declined)}." if declared and declined else "Done."
        )
        if declared and declared.done:
            told = filled_in(declared.done, {fact: left[fact] for fact in facts})
            if declined.casefold() in told.casefold():
                text, left = told, {fact: value for fact, value in left.items() if fact not in facts}
        results = tuple(f"{fact_of_user(catalog, fact)}: {value}" for fact, value in left.items())
        return f"{text} {end(capitalize(listing(results)))}" if results else text

    def goal_stopped(self, label: str) -> str:
        return f"All right, I have stopped working on {quote(label)}. You can ask for it again at any time."

    def refused(self, label: str) -> str:
        named = _ARTICLE.sub("", clean(label))
        return f"All right, no {named}." if named != clean(label) else f"All right, I leave out {quote(label)}."

    def not_begun(self, label: str) -> str:
        return f"I have not begun {quote(label)}: I am not sure that you want it. Ask for it if you do."

    def begun_anew(self, label: str, done: Sequence[str]) -> str:
        """Say that a request begins anew; `done` are skills that took effect for it, which stays."""
        return f"All right, let us start over with {quote(label)}.{_stays(done)}"

    def gone_back(self, lost: Sequence[str], done: Sequence[str]) -> str:
        """Say that the last answer is asked for again; `lost` are results that rested on it."""
        aside = f" I set aside {listing(tuple(lost))}, which rested on it." if lost else ""
        return f"All right, back to your last answer.{aside}{_stays(done)}"

    def cannot_undo(self, done: Sequence[str]) -> str:
        return f"I cannot undo that:{_stays(done)}" if done else "There is nothing that I could undo."

    NOTHING_TO_GO_BACK_TO = "There is no answer to go back to."
    NOTHING_TO_START_OVER = "Nothing is under way that could start over."

    def gone_again(self, label: str) -> str:
        return f"Thank you. Now I can go on with {quote(label)}."

    def try_again(self, label: str) -> str:
        return f"Shall I try {quote(label)} again?"

    def redo(self, label: str) -> str:
        return f"Shall I redo {quote(label)} with that?"

    def redo_now(self, label: str) -> str:
        return f"Shall I redo {quote(label)} now, with what you changed?"

    def already_open(self, label: str, *, on_top: bool = False) -> str:
        if on_top:
            return f"We are working on {quote(label)} already."
        return f"{quote(label)} is already on my list."

    def too_many_goals(self, count: int) -> str:
        return f"I am already working on {count} requests. Let us finish one first, or say “stop”."

    def nothing_to_stop(self) -> str:
        return "There is nothing to stop just now."

    def gave_up(self, reason: str) -> str:
        return f"I did not find a way in time: {clean(reason, 300)}. Nothing is lost; you can ask again."

    def catalog_changed(self, labels: Sequence[str]) -> str:
        dropped = f" I have stopped working on {listing(tuple(map(quote, labels)))}." if labels else ""
        return (
            f"What I can do has changed since we last spoke.{dropped} I still know what you told me, as far as it "
            "still fits. Please ask again for what you want."
        )


_APPEALS = {
    Appeal.PERSON: "I have put on record that you want to talk to a person. I cannot put you through myself.",
    Appeal.DISAGREEMENT: "I have put on record that you disagree, in your words. What was decided stays as it is.",
    Appeal.DATA: "I have put on record that you want your data deleted. Nothing has been deleted by that. "
    "You can delete this conversation, with your uploads, on page Sessions; what skills were given or wrote down stays "
    "where it is.",
}
_NO_CONTACT = "This catalog does not say whom to write to"


class SmallTalk:
    """What is said beside the matter, and where nothing else can be said."""

    APOLOGY = (
        "Something went wrong on my side, and I have stopped this step. Nothing you told me is lost; please try again."
    )

    def small_talk(
        self, catalog: Catalog, control: DialogueAct, topic: TalkTopic | None = None, *, busy: bool = False
    ) -> str:
        """Answer a greeting, thanks, a complaint, or a call for help; say what can be asked for where that may help."""
        said = "" if control is DialogueAct.HELP else _TALK[topic or TalkTopic.ACKNOWLEDGEMENT]
        lists = control is DialogueAct.HELP or (topic in (TalkTopic.GREETING, TalkTopic.ASSISTANT) and not busy)
        ways = (
            " You can also say “skip” to pass over a question, or “stop”."
            if control is DialogueAct.HELP and busy
            else ""
        )
        return f"{said} {self.what_i_can_do(catalog)}{ways}".strip() if lists else said

    def what_i_can_do(self, catalog: Catalog) -> str:
        labels = tuple(quote(goal.label) for goal in catalog.goals.values())
        return f"You can ask me for {listing(labels[:12], 'or')}." if labels else "This catalog declares no goals yet."

    def cannot_help(self, catalog: Catalog) -> str:
        return f"Sorry, I cannot help with that. {self.what_i_can_do(catalog)}"

    def cannot_answer(self, catalog: Catalog, *, busy: bool) -> str:
        """Say that a question cannot be answered; where nothing else is at hand, say what can be asked for."""
        sorry = "Sorry, I have no answer to that, and changed nothing." if busy else "Sorry, I have no answer to that."
        return sorry if busy else f"{sorry} {self.what_i_can_do(catalog)}"

    def nothing_asked(self, catalog: Catalog, control: DialogueAct) -> str:
        if control is DialogueAct.NO:
            return "All right. I am here if you need anything."
        return f"I have not asked you anything just now. {self.what_i_can_do(catalog)}"

    def appeal(self, catalog: Catalog, about: Appeal) -> str:
        """Acknowledge that a user turns to a person, and say whom to write to."""
        contact = find_contact(catalog.contact, about)
        told = f"Please write to {clean(contact.name)}: {clean(contact.address)}" if contact else _NO_CONTACT
        return f"{_APPEALS[about]} {sentence(told)}"

    def too_long(self, characters: int) -> str:
        return f"That was very long, so I have only read the first {characters:,} characters."


def _shorten(shown: str) -> str:
    lines = shown[:_LONGEST_RESULT].splitlines()
    return "\n".join(clean(line, _LONGEST_RESULT) for line in lines) + ("…" if len(shown) > _LONGEST_RESULT else "")
