"""Explanations of tasks: why a stage was split or is stuck, what would help, how a figure came about, who judged."""

from explain.tasks.answers import answer_about_task, explain_task, figures_of
from explain.tasks.record import TaskQuestion, TaskQuestionKind, TaskRecord
