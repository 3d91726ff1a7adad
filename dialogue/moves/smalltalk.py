"""Replies to small talk, calls for help, questions back, and what was not understood."""

from __future__ import annotations

from dialogue.context import TurnContext
from dialogue.log.events import Asked
from dialogue.state.goals import StackedGoal
from dialogue.state.masking import show_value
from language.interpretation import DialogueAct, Interpretation, Topic
from language.responses import goals, questions, smalltalk
from language.responses.facts_and_skills import described, sentence
from language.responses.grammar import clean


def answer_term(turn: TurnContext, term: str) -> None:
    """Say what a fact or a skill is, in its author's words, and the fact's value if it is known."""
    shown = None
    if term in turn.conversation.facts.known and term in turn.catalog.facts:
        shown = clean(show_value(turn.catalog, turn.conversation, term), 300)
    turn.reply(described(turn.catalog, term, shown))


def answer_rest(turn: TurnContext, meaning: Interpretation) -> None:
    """Answer an utterance that held no answer, value, request or question about the past."""
    catalog, pending = turn.catalog, turn.conversation.questions.pending
    if meaning.candidates:
        offer_choice(turn, meaning)
    elif meaning.control is DialogueAct.HELP and meaning.topic is Topic.QUESTION and pending is not None:
        asked = pending.asked
        turn.reply(questions.help_with(catalog, asked.about, asked.subject, asked.facts))
    elif meaning.control in (DialogueAct.CHITCHAT, DialogueAct.HELP):
        turn.reply(smalltalk.small_talk(catalog, meaning.control, meaning.topic, busy=pending is not None))
    elif meaning.control is DialogueAct.YES:
        _answer_yes(turn, resuming=meaning.topic is Topic.RESUMING)
    elif meaning.control is not None:
        turn.reply(smalltalk.nothing_asked(catalog, meaning.control))
    elif meaning.unclear:
        turn.reply(sentence(meaning.unclear), "problem")
    elif meaning.wonders:
        turn.reply(smalltalk.cannot_answer(catalog, busy=pending is not None), "problem")
    else:
        turn.reply(smalltalk.cannot_help(catalog), "problem")


def offer_choice(turn: TurnContext, meaning: Interpretation) -> None:
    """Offer a choice of the likeliest goals of an unsure request."""
    names = tuple(dict.fromkeys(mention.goal for mention in meaning.candidates))[:3]
    question = questions.did_you_mean([turn.catalog.goals[name].label for name in names])
    turn.journal.add(Asked(about="choice", subject="goal", text=question, options=names))
    turn.reply(question, "question")


def offer_goal(turn: TurnContext, goal: StackedGoal, question: str) -> None:
    """Ask whether a goal that has ended is to be taken up again."""
    turn.journal.add(Asked(about="offer", subject=goal.goal, text=question, redo=goal.goal_id))
    turn.reply(question, "question")


def _answer_yes(turn: TurnContext, *, resuming: bool) -> None:
    """Answer a yes to no question: it resumes a goal that failed; after a "stop", only "go on" does."""
    conversation = turn.conversation
    ended = conversation.goals.past[-1] if conversation.goals.past and not conversation.goals.stack else None
    declared = turn.catalog.goals.get(ended.goal) if ended else None
    dropped = ended is not None and ended.status == "dropped" and (resuming or ended.reason == goals.NO_PLAN)
    if dropped and ended is not None and declared is not None and conversation.questions.pending is None:
        offer_goal(turn, ended, goals.try_again(declared.label))
    else:
        turn.reply(smalltalk.nothing_asked(turn.catalog, DialogueAct.YES))
