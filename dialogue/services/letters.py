"""Letters: a page of HTML about one decision, for the person whom it concerns, to be printed or sent.

All that it says of the decision comes from the explanations and what-if answers of the conversation; nothing is called.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from catalog.model import Catalog
from catalog.model.contact import Appeal, find_contact
from catalog.wording.grammar import capitalize, clean, named_skill, your
from dialogue.forks.changes import check_record
from dialogue.forks.difference import TakenStep, course_of
from dialogue.forks.words import tell_what_it_takes
from dialogue.services.forks import NoDecision
from dialogue.services.services import Services
from dialogue.services.views import Snapshot
from dialogue.state.goals import StackedGoal
from dialogue.state.masking import mask, secrets_of, show_value
from explain.model import Question, QuestionKind

_STYLE = (
    "@page{size:A4;margin:20mm}body{font:11pt/1.45 Georgia,serif;max-width:170mm;margin:2rem auto;padding:0 1rem;"
    "overflow-wrap:break-word}h1{font-size:16pt}h2{font-size:12pt;margin:1.2em 0 .3em;break-after:avoid}"
    "p{margin:.3em 0;break-inside:avoid}p.note{font-size:9.5pt;font-style:italic}"
    "@media print{body{margin:0;padding:0;max-width:none}}"
)
_LONGEST_VALUE = 300
_SIMULATED = (
    "From a simulation, which was used only as far as it gives what is on record. Nothing was sent or called for it, "
    "and it is no promise."
)


def write_letter(services: Services, session_id: str, goal_id: int | None = None) -> str:
    """Write the letter about the decision that a goal ended in; where none is given, about the last decision.

    Raises UnknownSession, and NoDecision where nothing was decided.
    """
    seen = services.snapshot(session_id)
    check_record(seen.catalog, seen.log)
    found = find_decision(seen, goal_id)
    if found is None:
        raise NoDecision("No skill has decided anything for this request, so there is no decision to write about.")
    goal, decision = found
    secrets, then = secrets_of(seen.catalog, seen.log), goal.seen_in(seen.conversation)
    skill, made = seen.catalog.skills[decision.subject], f"{seen.log[decision.entry - 1].at:%d %B %Y}"
    wanted = {below for fact in goal.facts for below in seen.catalog.subtypes.get(fact, (fact,))}
    fact = next(one for one in skill.modes[decision.how].outcomes[decision.outcome].facts if one in wanted)
    shown = clean(show_value(seen.catalog, then, fact), _LONGEST_VALUE) if fact in then.facts.known else "set aside"
    label = your(clean(seen.catalog.facts[fact].label))

    def explain(kind: QuestionKind, about: str | None = fact) -> Iterator[str]:
        answer = services.analyses.explanation(seen, Question(kind, about), goal).result()
        weighs = kind is QuestionKind.WEIGHT  # where its inputs come from stands among the data
        return (one.text() for one in answer.sentences if not weighs or decision.entry in one.evidence)

    sections = {
        "What was decided": [
            f"{capitalize(label)}: {shown}. {capitalize(named_skill(clean(skill.label)))} decided it."
        ],
        "On which data": explain(QuestionKind.SOURCE),
        "What weighed most": explain(QuestionKind.WEIGHT),
        "What would change it": _changes(services, seen, goal, decision),
        "Other ways": explain(QuestionKind.OTHERWISE, None),
        "Whom to write to": _whom(seen.catalog),
    }
    title = mask(f"{capitalize(clean(goal.label))}: the decision of {made}", secrets)
    beside = f"{clean(seen.catalog.label)}, conversation {session_id}, entry {decision.entry}"
    body = [f"<h1>{escape(title)}</h1>\n<p class='note'>{escape(beside)}. Sensitive values are masked.</p>"]
    told = set[str]()
    for heading, lines in sections.items():
        fresh = [line for line in dict.fromkeys(mask(line, secrets) for line in lines) if line not in told]
        told.update(fresh)  # what one section says, later ones do not repeat
        body += [f"<h2>{heading}</h2>", *(f"<p>{escape(line)}</p>" for line in fresh)] if fresh else []
    return html_page(title, "\n".join(body), _STYLE)


def find_decision(seen: Snapshot, goal_id: int | None = None) -> tuple[StackedGoal, TakenStep] | None:
    """Return the last goal that ended in a decision, or the one that is given, with the call that decided it."""
    for goal in reversed(seen.conversation.goals.past):
        decision = course_of(seen.catalog, seen.log, goal).decision
        if decision is not None and goal_id in (None, goal.goal_id):
            return goal, decision
    return None


def html_page(title: str, body: str, style: str) -> str:
    """Return a page of HTML that asks for nothing else."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{style}</style></head>\n<body>{body}</body></html>\n"
    )


def _changes(services: Services, seen: Snapshot, goal: StackedGoal, decision: TakenStep) -> Iterator[str]:
    """Tell what would change the decision, or why this is left out."""
    skill = seen.catalog.skills[decision.subject]
    if not skill.modes[decision.how].outcomes[decision.outcome].adverse:
        yield "This is left out: the decision is no refusal."
    elif skill.simulation is None:
        yield f"This is left out: {named_skill(clean(skill.label))} cannot be simulated, so it is not known."
    else:
        yield from tell_what_it_takes(seen.catalog, services.forks.what_it_takes(seen.session_id, goal_id=goal.goal_id))
        yield _SIMULATED


def _whom(catalog: Catalog) -> Iterator[str]:
    """Say whom to write to, by what for; or that this is not declared."""
    named = {about: find_contact(catalog.contact, about) for about in Appeal}
    for contact in dict.fromkeys(filter(None, named.values())):
        reasons = ", ".join(_FOR[about] for about, one in named.items() if one == contact)
        yield f"{capitalize(reasons)}: {clean(contact.name)}, {clean(contact.address)}"
    if not any(named.values()):
        yield "The catalog of this assistant does not say whom to write to."


_FOR = {
    Appeal.PERSON: "to talk to a person",
    Appeal.DISAGREEMENT: "if you disagree",
    Appeal.DATA: "to have stored data deleted",
}
