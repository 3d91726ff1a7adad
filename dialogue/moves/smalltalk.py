"""Answering what gives nothing to work on: talk, calls for help, questions back, and what was not understood."""

from __future__ import annotations

from collections.abc import Mapping

from catalog.model import Catalog, Fact
from catalog.values import Choice
from catalog.values.base import listed
from dialogue.context import TurnContext
from dialogue.log.events import Asked
from dialogue.responses import phrases
from dialogue.state.conversation import StackedGoal
from dialogue.state.masking import show_value
from dialogue.updates.goals import NO_PLAN
from explain.grammar import capitalize, clean
from explain.grammar import quote as quoted
from language.interpretation import DialogueAct, Interpretation, Topic

_OPTIONS = 40
"""So many options are listed."""


def cannot_answer(catalog: Catalog, *, busy: bool) -> str:
    """Say that a question cannot be answered; where nothing else is at hand, say what can be asked for."""
    sorry = "I am afraid I have no answer to that."
    return sorry if busy else f"{sorry} {phrases.what_i_can_do(catalog)}"


def described(catalog: Catalog, name: str, shown: str | None) -> str:
    """Say what a fact or a skill is, in its author's words."""
    declared = catalog.facts.get(name) or catalog.skills.get(name)
    if declared is None:
        return phrases.SORRY_UNCLEAR
    label = capitalize(clean(declared.label))
    text = phrases.sentence(phrases.uncapitalized(clean(declared.description, 300)), capital=False)
    told = f"{label}: {text}" if text else f"I have no description of {quoted(clean(declared.label))}."
    return f"{told} {capitalize(phrases.fact_of_user(catalog, name))} is {shown}." if shown else told


def help_with(catalog: Catalog, asked: Asked) -> str:
    """Help with the question that was just put: what is meant, and that nobody has to answer."""
    if asked.about == "authorize":
        what, whom = phrases.facts_of_user(catalog, asked.facts), phrases.consent_subject(catalog, asked.subject)
        return (
            f"That is up to you. If you say yes, {what} goes to {whom} and to nobody else. "
            "If you say no, it stays with you, and I look for another way."
        )
    if asked.about == "confirm":
        whom = phrases.skill_name(catalog, asked.subject)
        return f"If you say yes, I go to {whom} with just that. If you say no, I do not. You can change a value first."
    if asked.about == "fact" and asked.subject in catalog.facts:
        fact = catalog.facts[asked.subject]
        described = phrases.uncapitalized(clean(fact.description, 300).rstrip("."))
        meant = (
            f"{phrases.fact_of_user(catalog, fact.name)}: {described}"
            if described
            else phrases.fact_of_user(catalog, fact.name)
        )
        skip = "If you do not have it or would rather not say, say “skip”, and I look for another way."
        return " ".join(part for part in (f"I mean {meant}.", _possible(fact), skip) if part)
    return "You can say yes or no." if asked.about == "offer" else "You can name one of these, or say “none of these”."


def _possible(fact: Fact) -> str:
    """Say what can be answered: what there is to choose from, else an example."""
    if isinstance(fact.value, Choice):
        return f"You can say {listed(map(clean, fact.value.options), 'or', limit=_OPTIONS)}."
    return f"For example: {quoted(clean(fact.examples[0], 100))}." if fact.examples else ""


_TALK: Mapping[Topic, str] = {
    Topic.GREETING: "Hello.",
    Topic.THANKS: "You are welcome.",
    Topic.FAREWELL: "Thank you, and goodbye.",
    Topic.PRAISE: "Thank you.",
    Topic.ACKNOWLEDGEMENT: "All right.",
    Topic.COMPLAINT: "I am sorry that I am not of more help. You can say “stop” or “help” at any time.",
    Topic.ASSISTANT: "I am a computer program, ready to help.",
}


def small_talk(catalog: Catalog, control: DialogueAct, topic: Topic | None = None, *, busy: bool = False) -> str:
    """Answer a greeting, thanks, a complaint, or a call for help; what can be asked for is told where it may help."""
    said = "" if control is DialogueAct.HELP else _TALK[topic or Topic.ACKNOWLEDGEMENT]
    lists = control is DialogueAct.HELP or (topic in (Topic.GREETING, Topic.ASSISTANT) and not busy)
    ways = (
        " You can also say “skip” to pass over a question, or “stop”." if control is DialogueAct.HELP and busy else ""
    )
    return f"{said} {phrases.what_i_can_do(catalog)}{ways}".strip() if lists else said


def answer_term(turn: TurnContext, term: str) -> None:
    """Say what a fact or a skill is, in its author's words, and the fact's value if it is known."""
    shown = None
    if term in turn.conversation.known and term in turn.catalog.facts:
        shown = clean(show_value(turn.catalog, turn.conversation, term), 300)
    turn.reply(described(turn.catalog, term, shown))


def answer_rest(turn: TurnContext, meaning: Interpretation) -> None:
    """Answer an utterance that held no answer, value, request or question about the past."""
    catalog, pending = turn.catalog, turn.conversation.pending
    if meaning.candidates:
        offer_choice(turn, meaning)
    elif meaning.control is DialogueAct.HELP and meaning.topic is Topic.QUESTION and pending is not None:
        turn.reply(help_with(catalog, pending.asked))
    elif meaning.control in (DialogueAct.CHITCHAT, DialogueAct.HELP):
        turn.reply(small_talk(catalog, meaning.control, meaning.topic, busy=pending is not None))
    elif meaning.control is DialogueAct.YES:
        _answer_yes(turn, resuming=meaning.topic is Topic.RESUMING)
    elif meaning.control is not None:
        turn.reply(phrases.nothing_asked(catalog, meaning.control))
    elif meaning.unclear:
        turn.reply(phrases.sentence(meaning.unclear), "problem")
    elif meaning.wonders:
        turn.reply(cannot_answer(catalog, busy=pending is not None), "problem")
    else:
        turn.reply(phrases.cannot_help(catalog), "problem")


def offer_choice(turn: TurnContext, meaning: Interpretation) -> None:
    """Put the likeliest readings of an unsure request to choice."""
    names = tuple(dict.fromkeys(mention.goal for mention in meaning.candidates))[:3]
    question = phrases.did_you_mean([turn.catalog.goals[name].label for name in names])
    turn.journal.add(Asked(about="choice", subject="goal", text=question, options=names))
    turn.reply(question, "question")


def offer_goal(turn: TurnContext, goal: StackedGoal, question: str) -> None:
    """Ask whether a goal that has ended is to be taken up again."""
    turn.journal.add(Asked(about="offer", subject=goal.goal, text=question, redo=goal.goal_id))
    turn.reply(question, "question")


def _answer_yes(turn: TurnContext, *, resuming: bool) -> None:
    """Answer a yes to nothing: it is taken up after a goal came to nothing; after a "stop", only "go on" is."""
    conversation = turn.conversation
    ended = conversation.past_goals[-1] if conversation.past_goals and not conversation.goals else None
    declared = turn.catalog.goals.get(ended.goal) if ended else None
    dropped = ended is not None and ended.status == "dropped" and (resuming or ended.reason == NO_PLAN)
    if dropped and ended is not None and declared is not None and conversation.pending is None:
        offer_goal(turn, ended, phrases.try_again(declared.label))
    else:
        turn.reply(phrases.nothing_asked(turn.catalog, DialogueAct.YES))
