"""What the assistant says of its own accord: templates over labels of the catalog, as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from catalog.model import Catalog, Extension, Fact, Goal
from dialogue.log.events import Asked
from dialogue.state.conversation import Conversation, StackedGoal
from dialogue.state.lookup import facts_of, resolve
from dialogue.state.masking import show_value
from explain.grammar import as_clause, capitalize, clean, end, is_plural, listing, the, your
from explain.grammar import quote as quoted
from language.interpretation import DialogueAct

SORRY_UNCLEAR = "Sorry, I did not understand that."
_LONGEST_RESULT = 4_000
"""Characters of a result that are told: help and advice take several lines."""


def fact_of_user(catalog: Catalog, fact: str) -> str:
    """Name a fact as the user's: "your loan amount"."""
    declared = catalog.facts.get(fact)
    return your(clean(declared.label if declared else fact))


def facts_of_user(catalog: Catalog, facts: Iterable[str]) -> str:
    """Name several facts as the user's: "your name and your address"."""
    return listing(tuple(fact_of_user(catalog, fact) for fact in facts))


def skill_name(catalog: Catalog, skill: str) -> str:
    """Name a skill in a sentence: "the credit bureau"."""
    declared = catalog.skills.get(skill)
    return the(clean(declared.label if declared else skill))


def consent_subject(catalog: Catalog, subject: str) -> str:
    """Name who would get sensitive facts: a skill, or (when consent is by fact) the skills that need it."""
    return skill_name(catalog, subject) if subject in catalog.skills else "the skills that need it"


def question_for(fact: Fact) -> str:
    """Put the question for a fact: its author's words, else one made of its label."""
    if fact.ask:
        return fact.ask
    label = your(clean(fact.label))
    return f"{'What are' if is_plural(fact.label) else 'What is'} {label}? If you cannot say, tell me “I don't know”."


def ask_again(reason: str, question: str) -> str:
    """Put a question again, with the reason."""
    return f"{sentence(reason or SORRY_UNCLEAR)} {question}"


def ways_out(catalog: Catalog, asked: Asked) -> str:
    """Say, where a question for a fact is put for the last time, how to get past it."""
    last = asked.about == "fact" and asked.attempt == catalog.settings.max_asks
    return " If you cannot say, tell me “skip”." if last else ""


def consent_question(catalog: Catalog, subject: str, facts: Sequence[str], purpose: str) -> str:
    """Ask consent, naming exactly which facts go to whom, and why."""
    return (
        f"May I give {facts_of_user(catalog, facts)} to {consent_subject(catalog, subject)}? "
        f"{sentence(purpose)} Please answer yes or no."
    )


def consent_purpose(catalog: Catalog, subject: str, outputs: Sequence[str], goal: str) -> str:
    """Say what consent is for."""
    wanted = facts_of_user(catalog, outputs)
    goes_without_saying = any(clean(goal) == fact_of_user(catalog, fact) for fact in outputs)
    end = f", on the way to {clean(goal)}" if goal and not goes_without_saying else ""
    if subject in catalog.skills:
        return f"It is needed to find out {wanted}{end}" if wanted else f"It is needed{end}"
    return f"It is needed{end}"


def goal_accepted(label: str) -> str:
    """Take up a goal that was asked for."""
    return f"Happy to help with {clean(label)}."


def goal_known(label: str) -> str:
    """Take up a goal whose result is there already."""
    return f"I have seen to {quoted(label)} already, and nothing that counts has changed since."


def goal_waits(label: str) -> str:
    """Say which goal waits while another is seen to."""
    return f"After that we go back to {quoted(label)}."


def goal_done(catalog: Catalog, conversation: Conversation, goal: StackedGoal) -> str:
    """Tell the result of a goal, in its author's words if there are any."""
    declared: Goal | None = catalog.goals.get(goal.goal)
    shown = {fact: _shown(catalog, conversation, fact) for fact in facts_of(catalog, conversation, goal)}
    text = "Done."
    if declared and declared.done:
        text = declared.done
        for fact in goal.facts:
            value = shown.pop(fact)
            text = text.replace("{" + fact + "}.", end(value)).replace("{" + fact + "}", value)
    results = tuple(f"{fact_of_user(catalog, fact)}: {value}" for fact, value in shown.items())
    return f"{text} {end(capitalize(listing(results)))}" if results else text


def _shown(catalog: Catalog, conversation: Conversation, fact: str) -> str:
    found = resolve(catalog, conversation, fact)
    if found is None:
        return "?"
    shown = show_value(catalog, conversation, found.fact)
    lines = shown[:_LONGEST_RESULT].splitlines()
    return "\n".join(clean(line, _LONGEST_RESULT) for line in lines) + ("…" if len(shown) > _LONGEST_RESULT else "")


def goal_stopped(label: str) -> str:
    """Confirm that a goal was dropped."""
    return f"All right, I have stopped working on {quoted(label)}. You can ask for it again at any time."


def gone_again(label: str) -> str:
    """Take up once more what could not be done before."""
    return f"Thank you. With that I can go on with {quoted(label)}."


def try_again(label: str) -> str:
    """Ask whether to take up what was dropped."""
    return f"Shall I take up {quoted(label)} again?"


def redo(label: str) -> str:
    """Ask whether to work out anew what a correction has set aside."""
    return f"Shall I see to {quoted(label)} again with that?"


def offer_declined() -> str:
    """Accept that an offer was declined."""
    return "All right. Is there anything else that I can do for you?"


def taken_as_no() -> str:
    """Say that a consent that stayed unclear is taken for none."""
    return "That was neither a yes nor a no, so I take it as a no, and nothing is passed on."


def fallen_back(label: str) -> str:
    """Say which goal the assistant falls back to (Verdi paper, §3.3)."""
    return f"Back to {quoted(label)}."


def offer(extension: Extension) -> str:
    """Offer a goal extension."""
    return extension.say


def did_you_mean(labels: Sequence[str]) -> str:
    """Offer readings of an unsure utterance."""
    choices = tuple(quoted(label) for label in labels)
    if len(choices) == 1:
        return f"I am not sure I understood. Did you mean {choices[0]}?"
    return f"I am not sure I understood. Did you mean {listing(choices, 'or')}? You can also say “none of these”."


def cannot_help(catalog: Catalog) -> str:
    """Say that nothing in the catalog serves what was asked, and what does."""
    return f"I am afraid I cannot help with that. {what_i_can_do(catalog)}"


def what_i_can_do(catalog: Catalog) -> str:
    """List what can be asked for."""
    labels = tuple(quoted(goal.label) for goal in catalog.goals.values())
    return f"You can ask me for {listing(labels[:12], 'or')}." if labels else "This catalog declares no goals yet."


def known_already(catalog: Catalog, facts: Sequence[str]) -> str:
    """Say that what was given is what is known."""
    return f"That is what I have for {facts_of_user(catalog, facts)}."


def noted(catalog: Catalog, facts: Sequence[str]) -> str:
    """Confirm values that were taken up."""
    return f"I have noted {facts_of_user(catalog, facts)}."


def set_aside(catalog: Catalog, facts: Sequence[str], because: str, *, corrected: bool = True) -> str:
    """Confirm a value, and say which results no longer hold: they rested on it as it was, or were found without it."""
    results = facts_of_user(catalog, facts)
    if corrected:
        return f"I have changed {because}, and set aside what rested on it as it was: {results}."
    return f"I have noted {because}, and set aside what was worked out without it: {results}."


def not_fillable(catalog: Catalog, fact: str) -> str:
    """Say why slot filling cannot ask for a fact."""
    reason = catalog.facts[fact].why_not_fillable
    return f"I cannot ask you for {fact_of_user(catalog, fact)}{f': {reason}' if reason else ''}"


def taken_for(catalog: Catalog, facts: Sequence[str], stands_for: str, because: str) -> str:
    """Say that the value of one fact (or several) is taken for that of another, and why."""
    reason = f", because {as_clause(because)}" if because.strip() else ""
    return sentence(f"I take {facts_of_user(catalog, facts)} for {fact_of_user(catalog, stands_for)}{reason}")


def does_not_fit(catalog: Catalog, fact: str, stands_for: str, hint: str) -> str:
    """Say why a value cannot be taken for that of another fact, without quoting it."""
    named = fact_of_user(catalog, stands_for)
    return f"{fact_of_user(catalog, fact)} cannot be taken for {named}, which has to be {hint}"


def skill_failed(catalog: Catalog, skill: str) -> str:
    """Say that a skill did not work, in words for the user."""
    return f"Something went wrong with {skill_name(catalog, skill)}; I will look for another way."


def gave_up(reason: str) -> str:
    """Say that the planner came to a limit."""
    return f"I could not find a way in the time I have: {clean(reason, 300)}. Nothing is lost; you can ask again."


def sentence(text: str, *, capital: bool = True) -> str:
    """Make a sentence of a reason: a capital letter in front, one full stop at the end."""
    trimmed = text.strip()
    if not trimmed:
        return ""
    ended = trimmed if trimmed[-1] in ".!?…" else f"{trimmed}."
    return capitalize(ended) if capital else ended


def uncapitalized(text: str) -> str:
    """Begin with a small letter after a colon, unless the first word is an abbreviation or a name in capitals."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def in_doubt(catalog: Catalog, skill: str) -> str:
    """Say that a call did not come back, and may or may not have taken effect."""
    return (
        f"I got no proper answer from {skill_name(catalog, skill)}. I cannot tell whether it took effect, "
        "and I will not call it a second time; somebody has to look."
    )


def already_open(label: str, *, on_top: bool = False) -> str:
    """Say that a goal is on the stack already."""
    if on_top:
        return f"We are working on {quoted(label)} already."
    return f"{quoted(label)} is already on my list."


def too_many_goals(count: int) -> str:
    """Say that the goal stack is full."""
    return f"I already have {count} things to see to. Let us finish one first, or tell me to stop."


def nothing_to_stop() -> str:
    """Say that there is nothing to drop."""
    return "There is nothing under way that I could stop."


def goes_on_without(name: str) -> str:
    """Say that a question is given up."""
    return f"I still cannot make out {name}, so I will look for a way without it."


def upload_unplaced(name: str, labels: Sequence[str]) -> str:
    """Say that it is not clear what an uploaded file is for."""
    takes = (
        f"I can take {listing(tuple(your(clean(label)) for label in labels), 'or')}" if labels else "I take no files"
    )
    return f"I do not know what {quoted(name)} is for. {takes}; please upload it when I ask for it."


def upload_refused(name: str, reason: str) -> str:
    """Say why an uploaded file cannot be taken."""
    return f"I cannot take {quoted(name)}: {reason}"


def nothing_asked(catalog: Catalog, control: DialogueAct) -> str:
    """Answer a yes or a no to nothing."""
    if control is DialogueAct.NO:
        return "All right. I am here if you need anything."
    return f"I am not waiting for an answer just now. {what_i_can_do(catalog)}"
