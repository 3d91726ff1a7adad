"""What is said in a conversation about tasks: that one is begun, what it needs, how it goes, and its results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from catalog.values.base import listed
from catalog.wording.grammar import capitalize, clean, count, end, the
from language.responses.tasks.on_page import STATUS_WORDS
from language.responses.tasks.report import Status, TaskReport

_LONGEST = 300


class OpenRequest(Protocol):
    """Something that the task manager asks for."""

    @property
    def kind(self) -> str: ...

    @property
    def labels(self) -> Sequence[str]: ...

    @property
    def inputs(self) -> Sequence[str]: ...

    @property
    def stages(self) -> Sequence[str]: ...

    @property
    def always(self) -> bool: ...

    @property
    def why(self) -> str: ...


class TaskPhrases:
    CHANGE_IT = "Change the description on the page Tasks, or hand over a task file that says all of it."

    def handed_over(self, label: str, results: Sequence[str], inputs: Sequence[str]) -> str:
        known = f" It starts from what you gave me: {listed(inputs)}." if inputs else ""
        return (
            f"{capitalize(label)} is more than one plan can do, so I give it to the task manager, in stages. "
            f"As I understand you, it is to end with {listed(results)}.{known} "
            "You can talk about it here, or follow it on the page Tasks."
        )

    def named(self, title: str) -> str:
        return f"“{clean(title, 120).rstrip('.')}”"

    def begun(self, title: str) -> str:
        return f"I give {self.named(title)} to the task manager. You can follow it on the page Tasks."

    def in_stages(self, label: str) -> str:
        return f"For {label}, I would have a task planned in stages; one plan cannot do it."

    def needs(self, label: str, needed: Sequence[OpenRequest], *, also: bool = False) -> str:
        """Say what a task waits for; `also` where something else was said to be needed before."""
        if not needed:
            return f"Nothing is missing for {label}."
        lines = "\n".join(f"- {self.need(one)}" for one in needed)
        return f"{capitalize(label)} {'also ' if also else ''}needs:\n{lines}"

    def need(self, one: OpenRequest) -> str:
        what = listed([*one.labels])
        where = f", for {listed([f'“{stage.rstrip(chr(46))}”' for stage in one.stages])}" if one.stages else ""
        always = "; every attempt needs it" if one.always else ""
        said = {
            "information": f"{what}{where}{always}",
            "function": f"a skill that gives {what}{f' from {listed([*one.inputs])}' if one.inputs else ''}{where}"
            f"{always}. Supply it on the page Tasks",
            "consent": f"your consent to give {what} to {one.why or 'the skills that need it'}",
            "call": f"your go-ahead for {one.why}",
            "in_doubt": f"whether {one.why} took effect: no proper answer came back",
            "judge": f"your judgement: {one.why}",
            "description": f"your word on what I made up: {what}",
        }
        return end(capitalize(said[one.kind]))

    def question(self, one: OpenRequest, ask: str) -> str:
        """Put a request as a question; `ask` is how the catalog asks for the fact."""
        what = listed([*one.labels])
        return {
            "information": ask,
            "consent": f"May I give {what} to {one.why or 'the skills that need it'}?",
            "call": f"Shall I call {one.why} now?",
            "in_doubt": f"Did {one.why} take effect?",
            "judge": f"Is this so? {end(one.why)}",
            "description": f"Parts of the task were made up: {what}. Shall I take them as they are?",
        }.get(one.kind, ask)

    def taken(self, label: str, what: Sequence[str]) -> str:
        return f"Thank you for {listed([the(one) for one in what])}: {label} goes on with that."

    def noted(self, label: str) -> str:
        return f"Noted for {label}."

    def late(self) -> str:
        return "That was answered already; the first answer counts."

    def not_taken(self, why: str) -> str:
        return f"The task manager could not take that. {end(why)}"

    def without(self, label: str, one: OpenRequest) -> str:
        what = listed([the(label) for label in one.labels]) or one.why
        why = "Every attempt needs it" if one.always else "No attempt so far does without it"
        if one.kind != "information":
            return f"{capitalize(label)} goes no further without that. Say “go on” when you have decided, or “cancel”."
        return (
            f"{capitalize(label)} cannot be finished without {what}. {why}. It waits, and keeps what is done: "
            "give it to me whenever you have it, or say “cancel”."
        )

    def paused(self, label: str) -> str:
        return f"{capitalize(label)} is paused. Say “go on” to resume it, or “cancel” to end it for good."

    def resumed(self, label: str) -> str:
        return f"{capitalize(label)} goes on."

    def cancelled(self, label: str) -> str:
        return f"{capitalize(label)} is cancelled. What was done so far is kept on the page Tasks."

    def news(self, label: str, status: Status, reason: str) -> str:
        return f"{capitalize(label)}: {STATUS_WORDS[status]}{f' {end(reason)}' if reason else ''}"

    def stopped(self, label: str, why: str) -> str:
        return f"{capitalize(label)} has stopped. {end(why)} What it has done is kept; say “go on” to try again."

    def deleted(self, label: str) -> str:
        return f"{capitalize(label)} was deleted as a task."

    def result(
        self,
        label: str,
        shown: Sequence[tuple[str, str]],
        met: int,
        unmet: Sequence[str],
        failures: Sequence[str],
    ) -> str:
        lines = [f"{capitalize(label)} is done."]
        if unmet:
            lines.append(f"Not met: {count(len(unmet), 'criterion', 'criteria')}.")
            lines += [f"- {one}" for one in unmet]
        elif met:
            lines.append(f"{capitalize(count(met, 'criterion', 'criteria'))} met.")
        lines += [f"No result for {one}" for one in failures]
        lines += [f"{capitalize(name)}: {clean(text, _LONGEST)}" for name, text in shown]
        return "\n".join(lines)

    def progress(self, label: str, report: TaskReport, counted: tuple[int, int, int, int]) -> str:
        """Say how far a task is: (stages, those with a plan, steps, those done)."""
        stages, solved, steps, done = counted
        plans = f"{solved} of {count(stages, 'stage')} {'has' if solved == 1 else 'have'} a plan" if stages > 1 else ""
        carried = f"{done} of {count(steps, 'step')} {'is' if done == 1 else 'are'} done" if steps else ""
        far = " and ".join(filter(None, (plans, carried)))
        said = (f"{capitalize(label)}: {STATUS_WORDS[report.status]}", f"{capitalize(far)}." if far else "")
        return " ".join(filter(None, said))

    def list_of(self, open_now: Sequence[str], ready: Sequence[str]) -> str:
        lines = [f"Under way: {listed([*open_now])}." if open_now else "No task is under way."]
        if ready:
            lines.append(f"Ready-made ones: {listed([*ready])}. Say “run the {ready[0]} task”.")
        return " ".join(lines)
