"""Replies that change nothing: explanations, previews of plans, definitions, small talk and help."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from catalog.model import Catalog
from catalog.wording.grammar import clean
from dialogue.context import TurnContext
from dialogue.log.events import Asked, Explained, Replied, Shown
from dialogue.moves.contrasts import CONTRASTIVE, compare_plans
from dialogue.moves.records import record_of
from dialogue.policy.joint import Planner, list_requests
from dialogue.state.conversation import Conversation
from dialogue.state.goal_status import goals_of
from dialogue.state.goals import GoalOrigin, GoalRequest, StackedGoal
from dialogue.state.masking import show_value
from dialogue.state.read_back import read_back
from dialogue.updates.goals import offer_goal
from explain import explain
from explain.model import Question, QuestionKind, Record
from explain.words import ExplanationText
from language.interpretation import DialogueAct, Entity, ExplanationRequest, Interpretation, TalkTopic
from language.languages import ENGLISH, Language
from language.responses.facts_and_skills import sentence
from planning.joint import JointPlan, JointRequest, compile_joint, solve_joint
from planning.model import Plan, Situation, Solved, Task
from planning.plans.solve import solve
from planning.task.compilation import ask_operator, compile_task

_OF_A_FACT = (QuestionKind.HOW, QuestionKind.WHY, QuestionKind.CHAIN)
_OF_NOW = {
    *(QuestionKind.VALUE, QuestionKind.WHO_SAW, QuestionKind.HOW_MANY, QuestionKind.WHEN_SAID, QuestionKind.UNDO)
}


def explain_past(turn: TurnContext, asked: ExplanationRequest) -> None:
    """Answer a question about the past, in the goal for which it makes sense."""
    question = Question(asked.kind, asked.fact, asked.full, asked.skill, asked.agent)
    named = next((goal for goal in goals_of(turn.conversation) if goal.goal == asked.goal), None)
    told = explain_in(turn.catalog, turn.conversation, question, named, turn.language, planner=turn.policy.planner)
    sentences = tuple(
        tuple(Shown(text=p.text, fact=p.fact, skill=p.skill, secret=p.secret) for p in sentence.parts)
        for sentence in told.sentences
    )
    explained = turn.journal.add(
        Explained(
            question=told.question.kind.value,
            fact=told.question.fact,
            skill=told.question.skill,
            agent=told.question.agent,
            full=told.question.full,
            sentences=sentences,
            evidence=told.evidence,
        )
    )
    turn.journal.add(Replied(text=told.lines(), explained=explained))


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
    *,
    planner: Planner | None = None,
) -> ExplanationText:
    """Explain in a goal; where none is named, in the one being pursued, else the latest in which the fact mattered.

    Without a planner nothing is planned for the answer.
    """
    record, question = find_record(catalog, conversation, question, goal)
    if planner is not None and question.kind in CONTRASTIVE:
        record = compare_plans(record, question, planner)
    return language.explain_in_words(record, question)


def find_record(
    catalog: Catalog, conversation: Conversation, question: Question, goal: StackedGoal | None = None
) -> tuple[Record, Question]:
    """Find the record that a question is answered from; and put the question in full."""
    goals = goals_of(conversation)
    chosen = goal or next(iter(goals), None)
    fact, record_for = question.fact, partial(record_of, catalog, conversation)
    if goal is None and (question.kind in _OF_A_FACT or fact is not None) and len(goals) > 1:
        knowing = (g for g in goals if question.kind is not QuestionKind.HOW or _is_as_now(conversation, g, fact))
        chosen = next((g for g in knowing if _matters(g, fact, record_for)), chosen)
    if fact is None and question.skill is None and question.kind in _OF_A_FACT and chosen is not None and chosen.facts:
        question = Question(question.kind, chosen.facts[0], question.full)
    if chosen is None or question.kind in _OF_NOW:
        return record_of(catalog, conversation, chosen, as_of_now=True), question
    return record_for(chosen), question


def _is_as_now(conversation: Conversation, goal: StackedGoal, fact: str | None) -> bool:
    """Return whether a fact is known, or unknown, as of the moment that matters for a goal just as it is now."""
    then = goal.seen_in(conversation).facts.known
    return fact is None or then.get(fact) == conversation.facts.known.get(fact)


def _matters(goal: StackedGoal, fact: str | None, record_for: Callable[[StackedGoal], Record]) -> bool:
    if fact is None:
        return goal.status == "achieved"
    if any(fact in facts for facts in (goal.facts, *goal.either)):
        return True
    return bool(explain(record_for(goal), Question(QuestionKind.WHY, fact)).links)


def preview_plan(turn: TurnContext, requests: Sequence[GoalRequest], values: Sequence[Entity] = ()) -> None:
    """Say how each goal that was spoken of would be reached, as things are and with the values that were given.

    It is planned as it would be if it was asked for: by the policy's engine, within its limits, and several goals
    together. Nothing is recorded as known, and nothing is put on the stack.
    """
    catalog, planner, words = turn.catalog, turn.policy.planner, turn.language.plans
    goals = [_imagine(turn, request) for request in requests]
    said = {value.fact: value.value for value in (*values, *(v for r in requests for v in r.mention.values))}
    imagined = [_as_if_new(turn, request) for request in list_requests(catalog, turn.conversation, goals)]
    tasks = _compile(catalog, goals, imagined)
    left = [(goal, task) for goal, task in tasks if not task.goal <= task.initial]
    for goal, task in tasks:
        if task.goal <= task.initial:
            turn.reply(words.nothing_to_do(goal.label))
    if len(goals) > 1:  # all are planned for: one that is left may refer to the result of one that is reached
        joint = compile_joint(catalog, imagined)
        planned = solve_joint(joint, planner.engine, planner.limits)
        if isinstance(planned, JointPlan) and planned.plan.actions:
            steps = tuple(base for step in planned.plan.actions if (base := joint.base_of(step)))
            turn.reply(words.preview(catalog, [goal.label for goal, _ in left], Plan(steps), said))
            return
    for goal, task in left:
        result = solve(task, planner.engine, planner.limits)
        found = result.plan if isinstance(result, Solved) else None
        in_stages = found is None and turn.in_stages(goal.facts) is not None
        no_way = turn.language.tasks.in_stages(goal.label) if in_stages else words.no_way(goal.label)
        turn.reply(words.preview(catalog, [goal.label], found, said) if found else no_way)


def foresee(turn: TurnContext, requests: Sequence[GoalRequest]) -> list[tuple[StackedGoal, Task]]:
    """Return each request as if it had been pushed on the stack of goals, with the planning task that it would be."""
    goals = [_imagine(turn, request) for request in requests]
    imagined = [_as_if_new(turn, request) for request in list_requests(turn.catalog, turn.conversation, goals)]
    return _compile(turn.catalog, goals, imagined)


def _compile(
    catalog: Catalog, goals: Sequence[StackedGoal], imagined: Sequence[JointRequest]
) -> list[tuple[StackedGoal, Task]]:
    pairs = zip(goals, imagined, strict=True)
    return [(goal, compile_task(catalog, one.situation or Situation(), goal.wanted)) for goal, one in pairs]


def _imagine(turn: TurnContext, request: GoalRequest) -> StackedGoal:
    """Return a request as if it had been pushed on the stack of goals."""
    declared, goals = turn.catalog.goals[request.mention.goal], turn.conversation.goals
    return StackedGoal(
        len(goals.stack) + len(goals.past) + 1,
        declared.name,
        declared.label,
        declared.facts,
        declared.skills,
        declared.either,
        GoalOrigin("request", turn.conversation.seq, request.heard),
        turn.conversation.situation,
        request,
    )


def _as_if_new(turn: TurnContext, request: JointRequest) -> JointRequest:
    """Return a request as a preview shows it: without questions that cannot be asked, with all that was declined."""
    now = request.situation or Situation()
    vain = {ask_operator(turn.catalog, fact.name).name for fact in turn.catalog.facts.values() if not fact.fillable}
    pruned = turn.conversation.plans.pruned.items()
    declined = {name for name, action in pruned if action.because == "declined"}
    return replace(
        request, situation=replace(now, pruned=(now.pruned - declined) | vain, confirmed=frozenset(), spent=0.0)
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
    elif meaning.control is DialogueAct.HELP and meaning.topic in _OF_THE_QUESTION and pending is not None:
        answer_about_question(turn, pending.asked, meaning.topic or TalkTopic.QUESTION)
    elif meaning.control in (DialogueAct.CHITCHAT, DialogueAct.HELP):
        turn.reply(talk.small_talk(catalog, meaning.control, meaning.topic, busy=pending is not None))
    elif meaning.control is DialogueAct.YES:
        _answer_yes(turn, resuming=meaning.topic is TalkTopic.RESUMING)
    elif meaning.control is not None:
        turn.reply(talk.nothing_asked(catalog, meaning.control))
    elif meaning.unclear:
        turn.reply(sentence(meaning.unclear), "problem")
    elif meaning.wonders:
        turn.reply(talk.cannot_answer(catalog, busy=pending is not None), "problem")
    else:
        turn.reply(talk.cannot_help(catalog), "problem")


_OF_THE_QUESTION = frozenset({TalkTopic.QUESTION, TalkTopic.RECEIVERS, TalkTopic.REFUSING, TalkTopic.LATER})


def answer_about_question(turn: TurnContext, asked: Asked, topic: TalkTopic) -> None:
    """Answer what is asked of the open question: who gets it, what if not, whether there is time, or what it means."""
    if topic is TalkTopic.RECEIVERS and asked.about == "fact":
        explain_past(turn, ExplanationRequest(kind=QuestionKind.WHO_SAW, fact=asked.subject))
        return
    facts = asked.facts
    if asked.mode is not None and topic is TalkTopic.RECEIVERS:
        skill = asked.skill or asked.subject
        written = read_back(turn.catalog, turn.conversation, skill, asked.mode, known=True)
        facts = tuple(dict.fromkeys((*facts, *(one.fact for one in written))))
    turn.reply(turn.language.questions.help_with(turn.catalog, asked.about, asked.subject, facts, topic))


def offer_choice(turn: TurnContext, meaning: Interpretation) -> None:
    """Offer a choice of the likeliest goals of an unsure request, and name what limits it and none of them heeds."""
    names = tuple(dict.fromkeys(mention.goal for mention in meaning.candidates))[:3]
    left = [[one.span.text for one in mention.unheeded if one.alters] for mention in meaning.candidates]
    common = [said for said in left[0] if all(said in others for others in left)]
    question = turn.language.questions.did_you_mean([turn.catalog.goals[name].label for name in names])
    question = turn.without_heeding(common, question)
    turn.journal.add(Asked(about="choice", subject="goal", text=question, options=names))
    turn.reply(question, "question")


def _answer_yes(turn: TurnContext, *, resuming: bool) -> None:
    """Answer a yes to no question: it resumes a goal that failed; after a "stop", only "go on" does."""
    conversation, words = turn.conversation, turn.language.goals
    ended = conversation.goals.past[-1] if conversation.goals.past and not conversation.goals.stack else None
    declared = turn.catalog.goals.get(ended.goal) if ended else None
    dropped = ended is not None and ended.status == "dropped" and (resuming or ended.reason.code == "no_plan")
    if dropped and ended is not None and declared is not None and conversation.questions.pending is None:
        offer_goal(turn, ended, words.try_again)
    else:
        turn.reply(turn.language.smalltalk.nothing_asked(turn.catalog, DialogueAct.YES))
