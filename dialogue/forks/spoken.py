"""What-if questions that are asked in the conversation: what they suppose, as changes, and the answer in words."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.wording.grammar import capitalize
from dialogue.forks.changes import BadChange, Change, ConsentAnswer, Say, SupposedOutcome, Withhold
from dialogue.forks.difference import compare
from dialogue.forks.repairs import what_it_takes
from dialogue.forks.rerun import ForkStage
from dialogue.forks.words import tell_fork, tell_what_it_takes
from dialogue.log.events import Asked, Ran
from dialogue.state.conversation import Conversation
from dialogue.state.questions import GO_AHEAD
from language.interpretation import Entity, Supposition

_UNDECIDED = "Nothing is decided yet, so I cannot tell what would change it."
_SUPPOSED_ONLY = "This is only supposed: nothing has changed."


def answer_supposed(stage: ForkStage, now: Conversation, supposed: Supposition) -> str | None:
    """Answer by a fork of the request that is pursued, else of the last; None where there is nothing to fork."""
    goal = next(iter((*now.goals.stack, *reversed(now.goals.past))), None)
    if goal is None:
        return None
    catalog = stage.catalog
    try:
        changes = tuple(_list_changes(stage, now, supposed))
        if supposed.takes:
            found = what_it_takes(stage, goal, changes)
            told = [_UNDECIDED] if found is None else list(tell_what_it_takes(catalog, found))
        elif changes:
            run = stage.run(changes, goal)
            told = list(tell_fork(catalog, run, compare(stage, run, goal)))
        else:
            return None
    except (BadChange, LookupError) as error:
        told = [str(error)]
    return " ".join((*told, _SUPPOSED_ONLY))


def _list_changes(stage: ForkStage, now: Conversation, supposed: Supposition) -> Iterator[Change]:
    for value in supposed.values:
        yield _change_value(stage, now, value)
    for fact in supposed.withheld:
        if (ran := _call_that_gave(stage, now, fact)) is not None:
            label, source = capitalize(stage.catalog.facts[fact].label), stage.catalog.skills[ran.skill].label
            raise BadChange(f"{label} comes from the {source}, and not from you.")
        yield Withhold(fact)
    for skill, given in supposed.consents.items():
        subject = skill or _asked_last(stage)
        if subject:
            yield ConsentAnswer(subject, given)
    for skill, outcome in supposed.outcomes.items():
        yield SupposedOutcome(skill, outcome)


def _change_value(stage: ForkStage, now: Conversation, value: Entity) -> Change:
    """Return that a person says a value, or that the skill returns it which gave another one."""
    ran = _call_that_gave(stage, now, value.fact)
    if ran is None:
        return Say(value.fact, value.value)
    return SupposedOutcome(ran.skill, ran.outcome, {value.fact: value.value})


def _call_that_gave(stage: ForkStage, now: Conversation, fact: str) -> Ran | None:
    """Return the call that gave a fact; None where a person said it, or it is not known."""
    known = now.facts.known.get(fact)
    gave = stage.log[known.by - 1].event if known is not None and known.source == "skill" else None
    return gave if isinstance(gave, Ran) else None


def _asked_last(stage: ForkStage) -> str:
    """Return of what the last question for a consent, or a go-ahead, was; empty where there was none."""
    asked = (one.event for one in reversed(stage.log) if isinstance(one.event, Asked))
    return next((one.subject for one in asked if one.about in GO_AHEAD), "")
