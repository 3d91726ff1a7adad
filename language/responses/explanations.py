"""Explanations in words: one or two sentences for each claim, with the claim's evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from catalog.model import Catalog
from catalog.wording.grammar import a, as_clause, be, is_plural, it, quote, quoted_sentence, signed, the
from explain import claims, explain
from explain.claim import Claim, Part, Piece, Sentence, make_sentence, row
from explain.model import Cause, CauseKind, Explanation, Question, Record
from explain.trace import Act
from explain.words import ExplanationText, Wording
from language.responses.further_explanations import put_may_need, say_decided, say_further, say_to_be_asked
from planning.diagnosis.diagnose import Gap, GapKind
from planning.history import Actor, Execution
from planning.model import StepKind
from planning.needs import Certainty
from planning.task.spending import say_money

Pieces = tuple[Piece, ...]
"""A sentence that is not put together yet."""


def explain_in_words(catalog: Catalog, record: Record, question: Question) -> ExplanationText:
    return word(catalog, record, explain(catalog, record, question))


def word(catalog: Catalog, record: Record, explanation: Explanation) -> ExplanationText:
    """Put an explanation into words, and list the facts that it names. What would be said twice is said once."""
    words = Wording(catalog, record)
    proofs: dict[tuple[Part, ...], tuple[int, ...]] = {}
    for claim in explanation.claims:
        for pieces in _say(words, claim):
            parts = make_sentence(pieces).parts
            proofs[parts] = tuple(dict.fromkeys((*proofs.get(parts, ()), *claim.evidence)))
    said = tuple(Sentence(parts, evidence) for parts, evidence in proofs.items())
    facts = dict.fromkeys(part.fact for one in said for part in one.parts if part.fact is not None)
    return ExplanationText(explanation.question, said, explanation.links, tuple(facts), explanation.coming)


def _say(words: Wording, claim: Claim) -> Iterator[Pieces]:  # noqa: PLR0912, PLR0915 - one case for each kind of claim
    match claim:
        case claims.NothingAsked(ahead=ahead):
            then = "I have no plan." if ahead else "there is nothing to explain."
            yield (f"You have not asked me for anything yet, so {then}",)
        case claims.Undeclared(fact=fact):
            yield "I do not know of anything called ", quote(fact), "."
        case claims.Called(skill=skill, inputs=inputs):
            used = (", using ", words.facts(inputs)) if inputs else ()
            yield "I called ", words.skill(skill), *used, ", as you asked."
        case claims.ToBeCalled(skill=skill):
            yield words.skill(skill), " is still to be called, as you asked."
        case claims.Established():
            yield _put_established(words, claim)
        case claims.Described(skill=skill):
            yield "What it does: ", quoted_sentence(words.catalog.skills[skill].description)
        case claims.StandsIn(wanted=wanted, got=got):
            yield "What I have as ", words.fact(wanted), " is ", words.fact(got), "."
        case claims.WasWrong(fact=fact, outdated=outdated):
            how = "rested on something that was changed" if outdated else "turned out to be wrong"
            yield "What I had as ", words.fact(fact), f" {how}, so I dropped it."
        case claims.Unknown():
            yield _put_unknown(words, claim)
        case claims.IsWanted():
            yield _put_wanted(words, claim)
        case claims.Used():
            yield _put_used(words, claim)
        case claims.CameAlong(fact=fact, act=act, precedes=precedes):
            comes = "came from" if act.execution else "will come from"
            befores = _put_precedes(words, act, precedes, also=False)
            yield words.fact(fact), f" {comes} ", words.skill(act.skill), *befores, "."
        case claims.UsedBesides(so_far=so_far):
            yield "So far I have " if so_far else "I did ", *_put_used_besides(words, claim), "."
        case claims.Unneeded():
            yield _put_unneeded(words, claim)
        case claims.MayNeed():
            yield put_may_need(words, claim)
        case claims.Decided():
            yield from say_decided(words, claim)
        case claims.WeighedLess(rest=rest):
            listed = [(words.fact(one.fact), Part(f" ({signed(one.weight)})")) for one in rest]
            yield row(listed), " counted less."
        case claims.NotWeighed(skill=by, same=True):
            yield "According to ", words.skill(by), ", none of these made a difference."
        case claims.NotWeighed(skill=by):
            named = words.skill(by)
            yield named, f" {'do' if is_plural(named.text) else 'does'} not say how much each of them counted."
        case claims.SaidNo(facts=facts, by=by):
            yield words.skill(by.skill), words.refusal(by), " to ", words.facts(facts), "."
        case claims.NothingMissing(aim=aim, got=got_it):
            yield f"Nothing is missing: {'I have' if got_it else 'there is a way to'} ", words.aim(aim), "."
        case claims.OverBudget():
            yield from _say_over_budget(words, claim)
        case claims.ToBeAsked():
            yield from say_to_be_asked(words, claim)
        case claims.NoWayLeft(aim=aim, because=causes):
            reason = (", because ", *_put_causes(words, causes)) if causes else (".",)
            yield "I see no way left to ", words.aim(aim), *reason
        case claims.WayClosed(causes=causes):
            yield _put_causes(words, causes)
        case claims.NoSkill():
            yield from _say_no_skill(words, claim)
        case claims.ValuesToTell(facts=facts, gaps=gaps):
            remedies = _put_remedies(words, gaps, "and")
            besides: Pieces = ("; you would also have to ", row(remedies)) if remedies else ()
            if facts:
                yield "You can help by giving me another value for ", words.facts(facts, "or"), *besides, "."
            else:
                alone = " on its own" if remedies else ""
                yield f"Nothing you could tell me would change that{alone}", *besides, "."
        case claims.WayOut(gaps=gaps, any_one=any_one, further=further):
            joined = "or" if any_one else "and"
            opening = "Or you could " if further else "I can go on if you "
            yield opening, row(_put_remedies(words, gaps, joined), joined), "."
        case claims.OtherWays():
            yield ("There may be other ways, too.",)
        case _:
            yield from _say_summary(words, claim)


def _say_summary(words: Wording, claim: Claim) -> Iterator[Pieces]:
    match claim:
        case claims.Gathered():
            yield _put_gathered(words, claim)
        case claims.Spent(money=money, achieved=achieved):
            price = say_money(money, words.catalog.settings.currency)
            yield (f"That cost {price}." if achieved else f"So far, that cost {price}.",)
        case claims.StillNeeded(facts=facts, aim=aim):
            opening: Pieces = ("For ", words.aim(aim), ", ") if aim else ()
            yield *opening, "I still need ", words.facts(facts), "."
        case claims.ChoicesLeft(choices=choices, aim=aim, also=also):
            either = row([(Part("either "), *words.facts(facts, "or")) for facts in choices])
            opening = ("For ", words.aim(aim), ", I still need ") if aim else ("I still need ",)
            yield *(("I also need ",) if also else opening), either, "."
        case claims.LeftToGet(facts=facts):
            yield "What is left to get is ", words.facts(facts), "."
        case claims.LeftToCall(skills=skills):
            yield "What is left to call is ", row([(words.skill(skill),) for skill in skills]), "."
        case claims.Requested(aim=aim, undecided=undecided):
            yield "You asked for ", words.aim(aim), ", and it is open which." if undecided else "."
        case claims.NoWayNow():
            yield ("At present I see no way to get there.",)
        case _:
            yield from say_further(words, claim)


def _put_established(words: Wording, claim: claims.Established) -> Pieces:
    by, valued = claim.by, words.valued(claim.facts, claim.values)
    if by is None or by.actor is Actor.START:
        return "I knew ", valued, " from the start."
    if by.actor is Actor.EVENT:
        return "I learned of ", valued, " from an alert."
    if by.actor is Actor.USER:
        return _put_given(words, claim, by)
    if by.actor is Actor.MAPPING:
        return "I used ", words.facts(claim.inputs), " as ", valued, *_put_because(by.because), "."
    each = claim.each
    asked = () if each is None else (", which I asked for each of ", words.counted(each, by.items or 0))
    used = (", using ", words.facts(claim.inputs)) if claim.inputs else ()
    if no := words.refusal(by):
        named = words.facts(claim.facts)
        return "I asked ", words.skill(by.skill), " for ", named, *asked, *used, f", which{no}."
    return "I got ", valued, " from ", words.skill(by.skill), *asked, *used, "."


def _put_given(words: Wording, claim: claims.Established, by: Execution) -> Pieces:
    """Quote the user; where the words are not the value itself ("12 grand"), show the value too."""
    verb = "You told me " if all(map(words.is_sayable, claim.facts)) else "You uploaded "
    when = " when I asked" if by.asked is not None else ""
    valued = words.valued(claim.facts, claim.values)
    if not (by.said or "").strip():
        return verb, valued, when, "."
    said = words.words(by)
    values = [shown.text for value in claim.values if (shown := words.shown(value)) is not None]
    enough = said.secret or all(value.casefold() in said.text.casefold() for value in values)
    return verb, words.facts(claim.facts) if enough else valued, when, ": ", said, "."


def _put_because(because: str) -> tuple[str, ...]:
    reason = as_clause(because)
    return (f", because {reason}",) if reason else ()


def _put_unknown(words: Wording, claim: claims.Unknown) -> Pieces:
    named, pronoun, step = words.fact(claim.fact), it(words.label(claim.fact)), claim.coming
    if step is None:
        return "I do not know ", named, f", and nothing is planned to find {pronoun} out."
    inputs: Pieces = (", which goes by ", words.facts(step.inputs)) if step.inputs else ()
    if step.kind is StepKind.ASK:
        coming: Pieces = (f": I am going to ask you for {pronoun}",)
    elif step.kind is StepKind.SKILL:
        coming = (f": the plan is to get {pronoun} from ", words.skill(step.subject), *inputs)
    else:
        coming = (": the plan is to use ", words.facts(step.inputs), f" for {pronoun}")
    return "I do not yet know ", named, *coming, "."


def _put_wanted(words: Wording, claim: claims.IsWanted) -> Pieces:
    named, verb = words.fact(claim.fact), be(words.label(claim.fact))
    if claim.wanted is None:
        return named, f" {verb} what you asked for."
    asked_for = Part(a(words.label(claim.wanted)), fact=claim.wanted)
    return "You asked for ", asked_for, ", and ", named, f" {verb} just that."


def _put_used(words: Wording, claim: claims.Used) -> Pieces:
    """Put what an act used, and what came of it; where that is the goal, say so."""
    use, verb = _put_use(words, claim)
    items = [words.facts(claim.gave)] if claim.gave else []
    items += [(Part(the(words.label(fact)), fact=fact),) for fact in claim.wanted]
    gain: Pieces = (verb, row(items)) if items else ()
    asked_for = (" you asked for",) if claim.wanted else ()
    because = _put_because(claim.act.execution.because) if claim.act.execution else ()
    befores = _put_precedes(words, claim.act, claim.precedes, also=bool(items))
    return *use, *gain, *asked_for, *because, *befores, "."


def _put_use(words: Wording, claim: claims.Used) -> tuple[Pieces, str]:
    act, asked, named = claim.act, claim.asked, words.facts(claim.used)
    mapped = act.step.kind is StepKind.MAP if act.step else act.execution is not None and act.skill is None
    if act.execution is None:
        if mapped:
            return ("I can use " if asked else "I will then use ", named), " as "
        skill = words.skill(act.skill)
        need = "I need " if claim.certainty in (None, Certainty.CERTAIN) else "I will probably need "
        use: Pieces = (need, named, " for ", skill) if asked else (named, " will go into ", skill)
        return use, ", which should give me "
    if mapped:
        return ("I used " if asked else "I then used ", named), " as "
    skill = words.skill(act.skill)
    no = words.refusal(act.execution)
    gave = f"{no} to " if no else " gave me "
    if not asked:
        return (named, " then went into ", skill), f", which{gave}"
    if claim.optional:
        return (skill, " also took ", named, ", which it can do without"), f", and{gave}"
    return ("I needed ", named, " for ", skill), f", which{gave}"


def _put_precedes(words: Wording, act: Act, precedes: claims.Precedes | None, *, also: bool) -> Pieces:
    """Put what an act had to come before, and why; or that its being carried out is what was asked for."""
    if precedes is None:
        return ()
    opening = ", and which" if also else ", which"
    if precedes.requested:
        return (f"{opening} you asked for",)
    waiting = [(words.skill(skill),) for skill in precedes.skills]
    waiting += [(Part("anything sensitive"),)] * precedes.anything_sensitive
    reasons = dict.fromkeys(map(as_clause, precedes.reasons))
    has = "had" if act.execution else "has"
    return f"{opening} {has} to come before ", row(waiting), f": {'; '.join(reasons)}" if reasons else ""


def _put_used_besides(words: Wording, claim: claims.UsedBesides) -> Pieces:
    """Put what a fact was used for, after "have" (so far) or "did"."""
    by, used, perfect = claim.by, words.fact(claim.fact), claim.so_far
    if by.skill is None:
        return "used " if perfect else "use ", used, " as ", words.facts(by.outputs)
    use: Pieces = ("used " if perfect else "use ", used, " for ", words.skill(by.skill))
    if by.outputs:
        no = words.refusal(by)
        return *use, f", which{f'{no} to' if no else ' gave me'} ", words.facts(by.outputs)
    return (*use, ", but got nothing from it") if claim.in_vain else use


def _put_unneeded(words: Wording, claim: claims.Unneeded) -> Pieces:
    named, goal = words.fact(claim.fact), words.aim(claim.aim)
    match claim.need:
        case claims.Need.ACHIEVED:
            return "I did not need ", named, " for ", goal, "."
        case claims.Need.PLANNED:
            return "I do not need ", named, " for ", goal, "."
        case claims.Need.KNOWN:
            return "I have not used ", named, " for ", goal, " so far."
        case claims.Need.UNKNOWN:
            return "I do not have, and have not used, ", named, " for ", goal, " so far."


def _put_gathered(words: Wording, claim: claims.Gathered) -> Pieces:
    also = "also " if claim.also else ""
    gathered = f"I {'' if claim.achieved else 'have '}{also}gathered "
    verb = f"I {also or 'already '}had " if claim.early else gathered
    listed = row([(*words.facts(origin.facts), *_put_origin(words, origin)) for origin in claim.origins])
    to_get = claim.achieved and not words.declined
    opening: Pieces = ("To get " if to_get else "For ", words.aim(claim.aim), ", ") if claim.aim else ()
    return *opening, verb, listed, "."


def _put_origin(words: Wording, origin: claims.Origin) -> tuple[Part, ...]:
    if origin.actor is Actor.SKILL:
        return Part(" (from "), words.skill(origin.skill), Part(")")
    if origin.actor is Actor.MAPPING:
        return Part(" (copied from "), *words.facts(origin.taken_from), Part(")")
    told = "you told me" if words.is_sayable(origin.facts[0]) else "uploaded by you"
    from_elsewhere = {Actor.USER: told, Actor.EVENT: "from an alert", Actor.START: "known from the start"}
    return (Part(f" ({from_elsewhere[origin.actor or Actor.START]})"),)


def _say_over_budget(words: Wording, claim: claims.OverBudget) -> Iterator[Pieces]:
    """Say what the way that there is would cost, what may be spent, and what to say so that it may be."""
    currency = words.catalog.settings.currency
    allowed = f"{'you said' if claim.said else 'I may spend'} at most {say_money(claim.budget, currency)}"
    spent = f", and {say_money(claim.spent, currency)} of that is spent" if claim.spent else ""
    costs = f", but it costs {say_money(claim.money, currency)}; {allowed}{spent}."
    yield "I know a way to ", words.aim(claim.aim), costs
    whole = say_money(claim.money + claim.spent, currency)
    yield (f"I can go on if I may spend {whole}{' in all' if claim.spent else ''}.",)


def _say_no_skill(words: Wording, claim: claims.NoSkill) -> Iterator[Pieces]:
    gap, had = claim.gap, claim.had
    if not gap.facts:
        yield "I have no way left to use ", words.skill(gap.subject), "."
        return
    yield f"I have no skill{' left' if had else ''} that could give me ", words.facts(gap.facts), "."
    if gap.inputs:
        yield (
            f"{'Another' if had else 'A'} skill that could find that out from ",
            words.facts(gap.inputs),
            " would help.",
        )


def _put_causes(words: Wording, causes: Sequence[Cause]) -> Pieces:
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
        case CauseKind.NOT_AGREED:
            pieces = ("you neither agreed to ", *_put_consent(words, cause.subject, facts), " nor said no.")
        case CauseKind.WITHDRAWN:
            pieces = ("you took back your consent to ", *_put_consent(words, cause.subject, facts), ".")
        case CauseKind.DECLINED:
            pieces = ("you told me not to go ahead with ", skill, ".")
        case CauseKind.SKIPPED:
            pieces = ("I asked you for ", asked, ", and you did not give me an answer.")
        case CauseKind.UNCLEAR:
            pieces = ("I asked you for ", asked, ", and did not understand the answer.")
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
            pieces = ("I tried ", skill, ", and it failed.")
        case CauseKind.UNFIT:
            pieces = ("what I have as ", at_stake or "another fact", " cannot be used as ", fact, ".")
        case CauseKind.OUTDATED:
            pieces = ("what I had as ", fact, " rested on something that was changed.")
        case _:  # retracted
            pieces = ("what I had as ", fact, " turned out to be wrong.")
    return pieces


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
