"""Answering what gives nothing to work on: talk, calls for help, questions back, and what was not understood."""

from __future__ import annotations

from dialogue import phrases
from dialogue.events import Asked
from dialogue.meaning import Control, Meaning, Topic
from dialogue.privacy import show_value
from dialogue.turn import Turn
from explain.grammar import clean


def answer_term(turn: Turn, term: str) -> None:
    """Say what a fact or a skill is, in its author's words, and the fact's value if it is known."""
    shown = None
    if term in turn.conversation.known and term in turn.catalog.facts:
        shown = clean(show_value(turn.catalog, turn.conversation, term), 300)
    turn.reply(phrases.described(turn.catalog, term, shown))


def answer_rest(turn: Turn, meaning: Meaning) -> None:
    """Answer an utterance that held no answer, value, request or question about the past."""
    catalog, pending = turn.catalog, turn.conversation.pending
    if meaning.candidates:
        offer_choice(turn, meaning)
    elif meaning.control is Control.HELP and meaning.topic is Topic.QUESTION and pending is not None:
        turn.reply(phrases.help_with(catalog, pending.asked))
    elif meaning.control in (Control.CHITCHAT, Control.HELP):
        turn.reply(phrases.small_talk(catalog, meaning.control, meaning.topic, busy=pending is not None))
    elif meaning.control is Control.YES and (ended := turn.conversation.past_goals[-1:]):
        _offer_again(turn, ended[0].goal, dropped=ended[0].status == "dropped")
    elif meaning.control is not None:
        turn.reply(phrases.nothing_asked(catalog, meaning.control))
    elif meaning.unclear:
        turn.reply(phrases.sentence(meaning.unclear), "problem")
    elif meaning.wonders:
        turn.reply(phrases.cannot_answer(catalog, busy=pending is not None), "problem")
    else:
        turn.reply(phrases.cannot_help(catalog), "problem")


def offer_choice(turn: Turn, meaning: Meaning) -> None:
    """Put the likeliest readings of an unsure request to choice."""
    names = tuple(dict.fromkeys(mention.goal for mention in meaning.candidates))[:3]
    question = phrases.did_you_mean([turn.catalog.goals[name].label for name in names])
    turn.journal.add(Asked(about="choice", subject="goal", text=question, options=names))
    turn.reply(question, "question")


def offer_goal(turn: Turn, goal: str, question: str) -> None:
    """Ask whether a goal is to be taken up."""
    turn.journal.add(Asked(about="offer", subject=goal, text=question))
    turn.reply(question, "question")


def _offer_again(turn: Turn, goal: str, *, dropped: bool) -> None:
    """Answer a yes to nothing: it may be meant to go on with what was dropped last."""
    declared = turn.catalog.goals.get(goal)
    if dropped and declared is not None and turn.conversation.pending is None and turn.conversation.goal is None:
        offer_goal(turn, goal, phrases.try_again(declared.label))
    else:
        turn.reply(phrases.nothing_asked(turn.catalog, Control.YES))
