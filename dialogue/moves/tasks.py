"""Tasks in a conversation: requests handed to the task manager, its questions, and answers on their way to it.

The conversation is a calling system of tasks (row H12): it passes on what was said and what is asked, and decides
nothing about a task. Whatever goes to the task manager is an event first, and delivered at the end of the turn.
"""

from __future__ import annotations

from collections.abc import Sequence

from dialogue.context import TurnContext
from dialogue.log.events import SKIPPED, Answered, Asked, Heard, TaskBegun, TaskNews, TaskQuestion, TaskSupplied
from dialogue.state.goals import StackedGoal
from dialogue.state.masking import mask, secrets_of
from dialogue.state.provenance import hides
from dialogue.state.questions import PendingQuestion
from dialogue.state.tasks import ConversationTask
from dialogue.updates.facts import GivenValue
from dialogue.updates.goals import drop, go_back
from explain.model import QuestionKind
from language.content import Reason
from language.interpretation import DialogueAct, ExplanationRequest, Interpretation, TaskAct

_COURSE = ("pause", "resume", "cancel")
_REFUSALS = (DialogueAct.NO, DialogueAct.SKIP)

# a request becomes a task


def hand_over(turn: TurnContext, goal: StackedGoal) -> bool:
    """Give the goal on top to the task manager, where it can be reached in stages and only so; return whether it was.

    What is known of what it starts from goes along.
    """
    if goal.skills or goal.either or (inputs := turn.in_stages(goal.facts)) is None:
        return False
    open_now = [one for one in turn.conversation.tasks.open if one.goal == goal.goal]
    if open_now and not (goal.request and goal.request.mention.values):
        reason = Reason(code="task_under_way", label=goal.label)
        turn.reply(turn.words_of(reason))
        drop(turn, goal, reason)
        return True
    known = turn.conversation.facts.known
    given = {fact: known[fact].value for fact in inputs if fact in known}
    turn.journal.add(
        TaskBegun(
            task=len(turn.conversation.tasks.all) + 1,
            label=goal.label,
            text=_said_for(turn, goal),
            goal_id=goal.goal_id,
            goal=goal.goal,
            results=goal.facts,
            inputs=given,
            derived=tuple(fact for fact in given if hides(turn.catalog, turn.conversation, known[fact])),
        )
    )
    labels = [[turn.catalog.facts[fact].label for fact in facts] for facts in (goal.facts, given)]
    turn.reply(turn.language.tasks.handed_over(goal.label, *labels))
    go_back(turn, goal)
    return True


def _said_for(turn: TurnContext, goal: StackedGoal) -> str:
    """Return the words of a request, without what is secret; where other things were asked for with it, its own."""
    heard = goal.heard
    said = turn.journal.entry(heard).event if heard is not None else None
    if heard is None or not isinstance(said, Heard) or goal.request is None or not said.text.strip():
        return goal.label
    alone = len(turn.conversation.messages.meanings[heard].goals) == 1
    text = said.text if alone else goal.request.mention.span.text
    waiting = turn.conversation.messages.inbox
    log = tuple(turn.journal.entry(seq) for seq in range(1, turn.conversation.seq + 1) if seq not in waiting)
    return " ".join(mask(text, secrets_of(turn.catalog, log)).split())[:1_000] or goal.label


# what comes from the task manager


def take_news(turn: TurnContext, news: TaskNews) -> None:
    """Tell how a task stands, where that is news."""
    words, task = turn.language.tasks, turn.conversation.tasks.of(news.task)
    told = _told_before(turn, news)
    match news.status:
        case "working":
            return
        case "missing":
            open_now = [one for one in news.questions if task.awaits(one.request, one.fact) is not None]
            before = {(one.request, one.fact) for one in (told.questions if told else ())}
            new = [one for one in open_now if (one.request, one.fact) not in before]
            if new:
                turn.reply(words.needs(task.label, new, also=bool(before)))
        case "done" | "unmet":
            if told is None or told.status != news.status or told.unmet != news.unmet:
                text = words.result(task.label, news.shown, news.met, news.unmet, news.failures)
                files = () if told is not None and told.files == news.files else news.files
                turn.reply(text, "problem" if news.unmet else "result", attachments=files)
        case "deleted":
            turn.reply(words.deleted(task.label))
        case "stopped":
            turn.reply(words.stopped(task.label, news.reason), "problem")
        case _:
            if (told is None or told.status != news.status) and not _did_so_here(turn, task.number, news):
                turn.reply(words.news(task.label, news.status, news.reason))


def _told_before(turn: TurnContext, news: TaskNews) -> TaskNews | None:
    waiting, active = turn.conversation.messages.inbox, turn.conversation.messages.active
    before = (
        entry.event
        for entry in reversed(turn.journal.shown[0])
        if isinstance(entry.event, TaskNews) and entry.seq not in waiting and entry.seq != active
    )
    return next((one for one in before if one.task == news.task), None)


def _did_so_here(turn: TurnContext, number: int, news: TaskNews) -> bool:
    """Return whether a task is paused or cancelled since that was said here, and confirmed."""
    deeds = {"paused": "pause", "cancelled": "cancel"}
    said = (e.event for e in reversed(turn.journal.shown[0]) if isinstance(e.event, TaskSupplied))
    last = next((one.deed for one in said if one.task == number and one.deed in _COURSE), None)
    return last is not None and deeds.get(news.status) == last


def ask_for_task(turn: TurnContext) -> None:
    """Put the next question of the task manager, where nothing else is open."""
    now = turn.conversation
    if now.goal is not None or now.questions.pending is not None or now.agents.pending is not None:
        return
    for task in reversed(now.tasks.all):
        for one in task.questions:
            if task.status != "paused" and one.kind != "function" and (one.request, one.fact) not in task.unavailable:
                _ask(turn, task, one)
                return


def _ask(turn: TurnContext, task: ConversationTask, one: TaskQuestion) -> None:
    fact = turn.catalog.facts.get(one.fact)
    asks = turn.language.questions.question_for(fact) if fact is not None else turn.language.tasks.need(one)
    text = turn.language.tasks.question(one, asks)
    about = ("fact", one.fact) if fact is not None else ("task", task.label)
    turn.journal.add(Asked(about=about[0], subject=about[1], text=text, task=task.number, request=one.request))
    turn.reply(text, "question")


# what goes to the task manager


def answer_task(
    turn: TurnContext, pending: PendingQuestion, heard: int, meaning: Interpretation, given: Sequence[GivenValue]
) -> bool:
    """Take an utterance as the answer to a question of the task manager, if it is one; return whether it was."""
    asked = pending.asked
    task = turn.conversation.tasks.of(asked.task or 0)
    fact = asked.subject if asked.about == "fact" else ""
    one = task.awaits(asked.request, fact)
    if one is None:  # it was answered elsewhere meanwhile
        turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear=SKIPPED))
        return False
    mine = [value for value in given if fact and value.fact == fact]
    if mine:
        turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=True))
        _supply(turn, task, one, heard, mine[-1])
        turn.reply(turn.language.tasks.taken(task.label, one.labels))
        return True
    busy = bool(meaning.goals or meaning.question or meaning.term or meaning.candidates)
    if not fact and meaning.control in (DialogueAct.YES, DialogueAct.NO) and not meaning.goals:
        turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=True))
        deed = "yes" if meaning.control is DialogueAct.YES else "no"
        turn.journal.add(TaskSupplied(task=task.number, deed=deed, heard=heard, request=one.request))
        turn.reply(turn.language.tasks.noted(task.label))
        return True
    if meaning.control in _REFUSALS and not meaning.goals:
        _do_without(turn, task, one, heard, pending)
        return True
    if busy or given or meaning.wonders or meaning.control is not None or meaning.preference:
        return False
    questions = turn.language.questions
    otherwise = Reason(code="not_understood" if fact else "neither_yes_nor_no")
    reason = Reason(text=meaning.unclear) if meaning.unclear else otherwise
    turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear=reason))
    if asked.attempt < turn.catalog.settings.max_asks:
        turn.journal.add(asked.again(asked.attempt + 1))
        turn.reply(questions.ask_again(turn.words_of(reason), asked.text), "question")
    else:
        _do_without(turn, task, one, heard, None)
    return True


def supply_tasks(turn: TurnContext, heard: int, given: Sequence[GivenValue]) -> list[GivenValue]:
    """Let tasks have values that they wait for, where no request of the conversation is open; return the others."""
    if turn.conversation.goal is not None:
        return [*given]
    left = []
    taken: dict[int, list[str]] = {}
    for value in given:
        waiting = ((task, one) for task in turn.conversation.tasks.open for one in task.questions)
        found = next(((task, one) for task, one in waiting if one.fact == value.fact), None)
        if found is None:
            left.append(value)
        else:
            _supply(turn, *found, heard, value)
            taken.setdefault(found[0].number, []).extend(found[1].labels)
    for number, labels in taken.items():
        turn.reply(turn.language.tasks.taken(turn.conversation.tasks.of(number).label, labels))
    return left


def _supply(turn: TurnContext, task: ConversationTask, one: TaskQuestion, heard: int, value: GivenValue) -> None:
    pending = turn.conversation.questions.pending
    if pending is not None and (pending.asked.task, pending.asked.request) == (task.number, one.request):
        turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=True))
    turn.journal.add(
        TaskSupplied(
            task=task.number,
            deed="value",
            heard=heard,
            request=one.request,
            fact=value.fact,
            value=value.value,
            said=value.said,
        )
    )


def _do_without(
    turn: TurnContext, task: ConversationTask, one: TaskQuestion, heard: int, pending: PendingQuestion | None
) -> None:
    """Let the task manager know that what it asks for is not to be had: the request stays open, and is not repeated."""
    if pending is not None:
        turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear=SKIPPED))
    turn.journal.add(
        TaskSupplied(task=task.number, deed="unavailable", heard=heard, request=one.request, fact=one.fact)
    )
    turn.reply(turn.language.tasks.without(task.label, one))


def tell_why_asked(turn: TurnContext, asked: ExplanationRequest) -> bool:
    """Say what a task needs that for which it asks just now; return whether it was asked about that."""
    pending = turn.conversation.questions.pending
    if pending is None or pending.asked.task is None or asked.kind is not QuestionKind.WHY:
        return False
    task = turn.conversation.tasks.of(pending.asked.task)
    one = (
        task.awaits(pending.asked.request, pending.asked.subject)
        if asked.fact in (None, pending.asked.subject)
        else None
    )
    if one is not None:
        turn.reply(turn.language.tasks.needs(task.label, [one]))
    return one is not None


def steer(turn: TurnContext, heard: int, act: TaskAct, task: ConversationTask) -> None:
    """Have a task paused, cancelled, taken up again, or done without what it asks for."""
    words, pending = turn.language.tasks, turn.conversation.questions.pending
    if task.status == "deleted":
        turn.reply(words.deleted(task.label))
        return
    if task.over and task.status != "stopped":
        turn.reply(words.news(task.label, task.status, ""))
        return
    if act is TaskAct.WITHOUT:
        asked = pending.asked if pending is not None and pending.asked.task == task.number else None
        one = task.awaits(asked.request, asked.subject if asked.about == "fact" else "") if asked else None
        left = one or next(iter(task.questions), None)
        if left is None:
            turn.reply(words.needs(task.label, ()))
        else:
            _do_without(turn, task, left, heard, pending if one is not None else None)
        return
    if pending is not None and pending.asked.task == task.number and act is not TaskAct.GO_ON:
        turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear=SKIPPED))
    deed, said = {
        TaskAct.PAUSE: ("pause", words.paused),
        TaskAct.CANCEL: ("cancel", words.cancelled),
        TaskAct.GO_ON: ("resume", words.resumed),
    }[act]
    turn.journal.add(TaskSupplied(task=task.number, deed=deed, heard=heard))
    turn.reply(said(task.label))
