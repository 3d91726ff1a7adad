"""Replies that change nothing: explanations, previews of plans, definitions, small talk and help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from catalog.model import Catalog
from dialogue.context import TurnContext
from dialogue.log.events import Asked
from dialogue.policy.together import list_references
from dialogue.state.conversation import Conversation
from dialogue.state.goals import StackedGoal
from dialogue.state.masking import show_value
from dialogue.state.records import goals_of, record_of
from dialogue.updates.goal_situation import scope_of
from dialogue.updates.goals import Request
from explain import explain
from explain.model import Question, QuestionKind
from language.interpretation import DialogueAct, ExplanationRequest, Interpretation, Topic
from language.languages import ENGLISH, Language
from language.responses.facts_and_skills import sentence
from language.responses.grammar import clean
from language.responses.sentences import ExplanationText
from planning.joint import JointPlan, JointRequest, compile_joint, solve_joint
from planning.model import Plan, Situation, Solved, Task
from planning.plans.solve import solve
from planning.task.compilation import ask_operator, compile_task, want

_OF_A_FACT = (QuestionKind.HOW, QuestionKind.WHY, QuestionKind.CHAIN)


def explain_past(turn: TurnContext, asked: ExplanationRequest) -> None:
    """Answer a question about the past, in the goal for which it makes sense."""
    question = Question(asked.kind, asked.fact, asked.full)
    turn.reply_explanation(explain_in(turn.catalog, turn.conversation, question, language=turn.language))


def explain_missing(turn: TurnContext) -> None:
    """Say why there is no plan for the goal on top, and what would help."""
    if not turn.imagined:
        explain_past(turn, ExplanationRequest(kind=QuestionKind.MISSING))


def explain_in(
    catalog: Catalog,
    conversation: Conversation,
    question: Question,
    goal: StackedGoal | None = None,
    language: Language = ENGLISH,
) -> ExplanationText:
    """Explain in a goal; where none is named, in the one being pursued, else the latest in which the fact mattered."""
    goals = goals_of(conversation)
    chosen = goal or next(iter(goals), None)
    fact = question.fact
    if goal is None and (question.kind in _OF_A_FACT or fact is not None) and len(goals) > 1:
        knowing = [g for g in goals if question.kind is not QuestionKind.HOW or _is_as_now(conversation, g, fact)]
        chosen = next((g for g in knowing if _matters(catalog, conversation, g, fact)), chosen)
    if fact is None and question.kind in _OF_A_FACT and chosen is not None and chosen.facts:
        question = Question(question.kind, chosen.facts[0], question.full)
    return language.explain_in_words(catalog, record_of(catalog, conversation, chosen), question)


def _is_as_now(conversation: Conversation, goal: StackedGoal, fact: str | None) -> bool:
    """Return whether a fact is known, or unknown, as of the moment that matters for a goal just as it is now."""
    then = goal.final or conversation
    return fact is None or then.facts.known.get(fact) == conversation.facts.known.get(fact)


def _matters(catalog: Catalog, conversation: Conversation, goal: StackedGoal, fact: str | None) -> bool:
    if fact is None:
        return goal.status == "achieved"
    if any(fact in facts for facts in (goal.facts, *goal.either)):
        return True
    record = record_of(catalog, conversation, goal)
    return bool(explain(catalog, record, Question(QuestionKind.WHY, fact)).links)


def preview_plan(turn: TurnContext, requests: Sequence[Request]) -> None:
    """Say how each goal that was spoken of would be reached, as things are and with the values that were given.

    It is planned as it would be if it was asked for: by the policy's engine, within its limits, and several goals
    together. Nothing is recorded as known, and nothing is put on the stack.
    """
    catalog, conversation = turn.catalog, turn.conversation
    left: list[tuple[Request, Task]] = []
    for request in requests:
        goal = catalog.goals[request.mention.goal]
        task = compile_task(catalog, _imagine(catalog, conversation, request), want(goal))
        if task.goal <= task.initial:
            turn.reply(turn.language.plans.nothing_to_do(goal.label))
        else:
            left.append((request, task))
    together = _preview_together(turn, requests, left) if len(requests) > 1 else None
    if together is not None:
        turn.reply(together)
        return
    for request, task in left:
        turn.reply(_preview(turn, request, task))


def _preview(turn: TurnContext, request: Request, task: Task) -> str:
    declared = turn.catalog.goals[request.mention.goal]
    planner = turn.policy.planner
    result = solve(task, planner.engine, planner.limits)
    if not isinstance(result, Solved):
        return turn.language.plans.no_way(declared.label)
    return turn.language.plans.preview(turn.catalog, [declared.label], result.plan)


def _preview_together(
    turn: TurnContext, requests: Sequence[Request], left: Sequence[tuple[Request, Task]]
) -> str | None:
    """Say how the goals that are left would be reached by one plan; None if there is none, or nothing to do.

    All requests are planned for: one that is left may refer to the result of one that is reached.
    """
    catalog, planner = turn.catalog, turn.policy.planner
    joint = compile_joint(
        catalog,
        [
            JointRequest(
                one.mention.goal,
                {value.fact: value.value for value in one.mention.values},
                list_references(
                    catalog, one.mention.references, [(o.mention.goal, o.position) for o in requests[:place]]
                ),
                _imagine(catalog, turn.conversation, one),
            )
            for place, one in enumerate(requests)
        ],
    )
    planned = solve_joint(joint, planner.engine, planner.limits)
    if not isinstance(planned, JointPlan) or not planned.plan.actions:
        return None
    steps = tuple(base for step in planned.plan.actions if (base := joint.base_of(step)))
    labels = [catalog.goals[one.mention.goal].label for one, _ in left]
    return turn.language.plans.preview(catalog, labels, Plan(steps))


def _imagine(catalog: Catalog, conversation: Conversation, request: Request) -> Situation:
    """Return the situation of a new request: without other requests' values, and unaskable questions removed."""
    now = conversation.situation
    said = {value.fact for value in request.mention.values}
    own = scope_of(catalog, catalog.goals[request.mention.goal])
    others = {
        f for f in own.scoped if f in conversation.facts.known and conversation.facts.known[f].goal_id is not None
    }
    vain = {ask_operator(catalog, fact.name).name for fact in catalog.facts.values() if not fact.fillable}
    declined = {name for name, action in conversation.plans.pruned.items() if action.because == "declined"}
    return replace(
        now,
        known=(now.known - others) | said,
        pruned=(now.pruned - declined) | vain,
        confirmed=frozenset(),
        requested=frozenset(),
        spent=0.0,
        done=now.done.difference(own.skills),
        cannot_establish=frozenset(way for way in now.cannot_establish if way[0] not in own.skills),
    )


def answer_term(turn: TurnContext, term: str) -> None:
    """Say what a fact or a skill is, in its author's words, and the fact's value if it is known."""
    shown = None
    if term in turn.conversation.facts.known and term in turn.catalog.facts:
        shown = clean(show_value(turn.catalog, turn.conversation, term), 300)
    turn.reply(turn.language.facts.described(turn.catalog, term, shown))


def answer_rest(turn: TurnContext, meaning: Interpretation) -> None:
    """Answer an utterance that held no answer, value, request or question about the past."""
    catalog, pending = turn.catalog, turn.conversation.questions.pending
    talk = turn.language.smalltalk
    if meaning.candidates:
        offer_choice(turn, meaning)
    elif meaning.control is DialogueAct.HELP and meaning.topic is Topic.QUESTION and pending is not None:
        asked = pending.asked
        turn.reply(turn.language.questions.help_with(catalog, asked.about, asked.subject, asked.facts))
    elif meaning.control in (DialogueAct.CHITCHAT, DialogueAct.HELP):
        turn.reply(talk.small_talk(catalog, meaning.control, meaning.topic, busy=pending is not None))
    elif meaning.control is DialogueAct.YES:
        _answer_yes(turn, resuming=meaning.topic is Topic.RESUMING)
    elif meaning.control is not None:
        turn.reply(talk.nothing_asked(catalog, meaning.control))
    elif meaning.unclear:
        turn.reply(sentence(meaning.unclear), "problem")
    elif meaning.wonders:
        turn.reply(talk.cannot_answer(catalog, busy=pending is not None), "problem")
    else:
        turn.reply(talk.cannot_help(catalog), "problem")


def offer_choice(turn: TurnContext, meaning: Interpretation) -> None:
    """Offer a choice of the likeliest goals of an unsure request."""
    names = tuple(dict.fromkeys(mention.goal for mention in meaning.candidates))[:3]
    question = turn.language.questions.did_you_mean([turn.catalog.goals[name].label for name in names])
    turn.journal.add(Asked(about="choice", subject="goal", text=question, options=names))
    turn.reply(question, "question")


def offer_goal(turn: TurnContext, goal: StackedGoal, question: str) -> None:
    """Ask whether a goal that has ended is to be taken up again."""
    turn.journal.add(Asked(about="offer", subject=goal.goal, text=question, redo=goal.goal_id))
    turn.reply(question, "question")


def _answer_yes(turn: TurnContext, *, resuming: bool) -> None:
    """Answer a yes to no question: it resumes a goal that failed; after a "stop", only "go on" does."""
    conversation, words = turn.conversation, turn.language.goals
    ended = conversation.goals.past[-1] if conversation.goals.past and not conversation.goals.stack else None
    declared = turn.catalog.goals.get(ended.goal) if ended else None
    dropped = ended is not None and ended.status == "dropped" and (resuming or ended.reason == words.NO_PLAN)
    if dropped and ended is not None and declared is not None and conversation.questions.pending is None:
        offer_goal(turn, ended, words.try_again(declared.label))
    else:
        turn.reply(turn.language.smalltalk.nothing_asked(turn.catalog, DialogueAct.YES))
