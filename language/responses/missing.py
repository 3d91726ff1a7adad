"""What closed the ways to a goal, which skills are lacking, and what the user can do about it, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from explain.claims import NoSkill, NothingToTell, OtherValuesHelp, OverBudget, WayOut
from explain.model import Cause, CauseKind
from language.responses.sentences import Part, Piece, Wording, row
from planning.diagnosis.diagnose import Gap, GapKind
from planning.task.spending import say_money

Pieces = tuple[Piece, ...]
"""A sentence that is not put together yet."""


def say_over_budget(words: Wording, claim: OverBudget) -> Iterator[Pieces]:
    """Say what the way that there is would cost, what may be spent, and what to say so that it may be."""
    currency = words.catalog.settings.currency
    allowed = f"{'you said' if claim.said else 'I may spend'} at most {say_money(claim.budget, currency)}"
    spent = f", and {say_money(claim.spent, currency)} of that is spent" if claim.spent else ""
    costs = f", but it costs {say_money(claim.money, currency)}; {allowed}{spent}."
    yield "I know a way to ", words.aim(claim.aim), costs
    whole = say_money(claim.money + claim.spent, currency)
    yield (f"I can go on if I may spend {whole}{' in all' if claim.spent else ''}.",)


def say_no_skill(words: Wording, claim: NoSkill) -> Iterator[Pieces]:
    """Say which skill is lacking, and what such a skill could work from."""
    gap, had = claim.gap, claim.had
    if not gap.facts:
        yield "I have no way left to go through ", words.skill(gap.subject), "."
        return
    yield f"I have no skill{' left' if had else ''} that could give me ", words.facts(gap.facts), "."
    if gap.inputs:
        yield (
            f"{'Another' if had else 'A'} skill that could find that out from ",
            words.facts(gap.inputs),
            " would help.",
        )


def put_causes(words: Wording, causes: Sequence[Cause]) -> Pieces:
    """Put what happened; `causes` are of one kind and, but for questions, of one subject."""
    cause = causes[0]
    facts = tuple(dict.fromkeys(fact for one in causes for fact in one.facts))
    fact, skill = words.fact(cause.subject), words.skill(cause.subject)
    asked = words.facts(tuple(dict.fromkeys(one.subject for one in causes)))
    at_stake = words.facts(facts) if facts else ()
    pieces: Pieces
    match cause.kind:
        case CauseKind.REFUSED:
            pieces = ("you said no to ", *_put_consent(words, cause.subject, facts), ".")
        case CauseKind.DECLINED:
            pieces = ("you told me not to go ahead with ", skill, ".")
        case CauseKind.SKIPPED:
            pieces = ("I asked you for ", asked, ", and you did not give me an answer.")
        case CauseKind.UNCLEAR:
            pieces = ("I asked you for ", asked, ", and could not make out the answer.")
        case CauseKind.NOT_FILLABLE:
            declared = words.catalog.facts.get(cause.subject)
            reason = (declared.why_not_fillable or "").strip() if declared else ""
            because = f": {reason}" if reason else "."
            ending = because if because.endswith((".", "!", "?")) else f"{because}."
            pieces = ("I cannot ask you for ", fact, ending)
        case CauseKind.TRIES_USED_UP:
            outcome: Pieces = (", without getting ", at_stake) if at_stake else ()
            pieces = ("I tried ", skill, " as often as I may", *outcome, ".")
        case CauseKind.FAILED:
            pieces = ("I called ", skill, ", and it did not work.")
        case CauseKind.UNFIT:
            pieces = ("what I have as ", at_stake or "another fact", " cannot be taken for ", fact, ".")
        case _:  # retracted
            pieces = ("what I had as ", fact, " turned out to be wrong.")
    return pieces


def say_way_out(words: Wording, claim: WayOut) -> Iterator[Pieces]:
    """Say what the user can do."""
    word = "or" if claim.any_one else "and"
    opening = "Or you could " if claim.further else "I can go on if you "
    yield opening, row(_put_remedies(words, claim.gaps, word), word), "."


def say_other_values(words: Wording, claim: OtherValuesHelp) -> Iterator[Pieces]:
    """Say which values the user could give again, and what else it would take."""
    wanted = _put_remedies(words, claim.gaps, "and")
    besides: Pieces = ("; it would also take that you ", row(wanted)) if wanted else ()
    yield "You can help by giving me another value for ", words.facts(claim.facts, "or"), *besides, "."


def say_nothing_to_tell(words: Wording, claim: NothingToTell) -> Iterator[Pieces]:
    """Say that no answer would help, and what it would take besides a skill."""
    wanted = _put_remedies(words, claim.gaps, "and")
    besides: Pieces = (" alone; it would also take that you ", row(wanted)) if wanted else ()
    yield "There is nothing that you could tell me to change that", *besides, "."


def _put_consent(words: Wording, subject: str, facts: tuple[str, ...]) -> tuple[Part, ...]:
    if subject in words.catalog.skills:
        sensitive = words.facts(facts) if facts else (Part("sensitive information"),)
        return Part("giving "), *sensitive, Part(" to "), words.skill(subject)
    return Part("passing on "), words.fact(subject)


def _put_remedies(words: Wording, gaps: Sequence[Gap], word: str) -> list[tuple[Part, ...]]:
    """Put what would fill the gaps, the kind that comes first before the other; one verb serves for all answers."""
    answers = tuple(gap.subject for gap in gaps if gap.kind is GapKind.ANSWER)
    go_aheads = dict.fromkeys(gap.subject for gap in gaps if gap.kind is GapKind.GO_AHEAD)
    consents = [
        (Part("say yes to "), *_put_consent(words, gap.subject, gap.facts))
        for gap in gaps
        if gap.kind is GapKind.CONSENT
    ]
    consents += [(Part("tell me to go ahead with "), words.skill(one)) for one in go_aheads]
    given = [(Part("give me "), *words.facts(answers, word))] if answers else []
    return [*consents, *given] if gaps[0].kind is not GapKind.ANSWER else [*given, *consents]
