"""The gate: what an utterance may change, decided once from what its stretches do, before any of its words counts.

`permit` is a pure function of an interpretation, by any understander, and the state of a conversation. Only what
requests, tells or puts right writes values and begins goals; what asks or supposes changes nothing; what refuses ends
goals; what takes back, or allows, changes consents alone (docs/utterances.md has the table).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from catalog.model import Catalog
from dialogue.policy.unheeded import has_effects
from dialogue.state.conversation import Conversation
from dialogue.state.questions import GO_AHEAD, PendingQuestion
from language.interpretation import (
    APPEALS,
    PERMITTED,
    ActSpan,
    DialogueAct,
    Entity,
    Intent,
    Interpretation,
    Span,
    SpeechAct,
    Update,
)


@dataclass(frozen=True, slots=True)
class Permitted:
    """What is left of an interpretation that may change something, and what is to be said of the rest.

    `withheld` are values that were asked about or supposed. `refused` are goals that are not wanted; `left_out`
    may be such, beside one that begins. `forbidding` and `allowing` speak of what is passed on, `appeals` turn to a
    person.
    """

    meaning: Interpretation
    withheld: tuple[Entity, ...] = ()
    refused: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    forbidding: tuple[ActSpan, ...] = ()
    allowing: tuple[ActSpan, ...] = ()
    appeals: tuple[ActSpan, ...] = ()


def permit(
    meaning: Interpretation, catalog: Catalog, conversation: Conversation, pending: PendingQuestion | None
) -> Permitted:
    """Return what an utterance may change; `pending` is the question that its author saw."""
    if not meaning.acts:
        return Permitted(meaning)
    forbidding = _of(meaning, SpeechAct.TAKE_BACK)
    allowing = () if forbidding else _of(meaning, SpeechAct.AGREE)
    open_ = {goal.goal for goal in conversation.goals.stack}
    sure = [act.goals for act in _of(meaning, SpeechAct.REFUSE) if act.goals and not act.tentative]
    refused = dict.fromkeys(next((one for one in goals if one in open_), goals[0]) for goals in sure)
    doubted = {goal for act in _of(meaning, SpeechAct.REFUSE) if act.tentative for goal in act.goals}
    unsure = tuple(one for one in meaning.goals if one.goal in doubted)
    begun: list[Intent] = []
    asked_for: list[Span] = []
    withheld: list[Entity] = []
    previewed: list[Intent] = []
    for mention in (one for one in meaning.goals if one not in unsure):
        act, at_hand = _stretch_of(meaning, mention.span).act, _is_at_hand(catalog, conversation, mention)
        if act is SpeechAct.ASK and conversation.goals.stack and not at_hand and has_effects(catalog, mention.goal):
            unsure = (*unsure, mention)  # "do you do those for others too?" may only ask
        elif Update.BEGIN in PERMITTED[act] and not (act is SpeechAct.ASK and at_hand):
            within = [] if at_hand else [mention.span]
            kept, left = _sift(meaning, mention.values, within)
            begun.append(mention.model_copy(update={"values": kept}))
            asked_for += within
            withheld += left
        elif act is SpeechAct.SUPPOSE and not at_hand:
            previewed.append(mention)
        elif act is SpeechAct.REFUSE:
            unsure = (*unsure, mention)
        else:
            withheld += mention.values

    def is_asked(mention: Intent) -> bool:
        act = _stretch_of(meaning, mention.span).act
        return act in (SpeechAct.ASK, SpeechAct.SUPPOSE) and _is_at_hand(catalog, conversation, mention)

    if meaning.follows and not any(has_effects(catalog, goal.goal) for goal in conversation.goals.past[-1:]):
        asked_for += [act.span for act in _of(meaning, SpeechAct.ASK)]  # "and 2024?" asks for what only reads
    values, left = _sift(meaning, meaning.values, asked_for)
    withheld += left
    follows = meaning.follows and not left and (bool(asked_for) or not _of(meaning, SpeechAct.ASK))
    # What is supposed and new is told, as "how would you …?" is, unless something begins.
    if begun:
        withheld += [value for one in previewed for value in one.values]
    hypothetical = meaning.hypothetical or bool(previewed and not begun)
    asked = pending.asked.subject if pending is not None and pending.asked.about == "fact" else None
    tentative = next((v for v in withheld if v.fact == asked and _stretch_of(meaning, v.span).tentative), None)
    top = conversation.goals.stack[0].goal if conversation.goals.stack else None
    if top in refused and pending is not None:  # it needs no answer any more
        values = tuple(value for value in values if value.fact != pending.asked.subject)
    only_asks = bool(_of(meaning, SpeechAct.ASK)) and not _says_anything(meaning)
    update = {
        "goals": tuple(begun or previewed) if not meaning.hypothetical else meaning.goals,
        "values": values if not hypothetical else meaning.values,
        "hypothetical": hypothetical,
        "follows": follows,
        "control": _control(meaning, pending, refused, withheld),
        "doubtful": meaning.doubtful or tentative,
        "wonders": meaning.wonders or bool(withheld) or only_asks,
        "unclear": None if forbidding or allowing or refused or withheld or only_asks else meaning.unclear,
        "candidates": (*(() if begun else unsure), *(one for one in meaning.candidates if not is_asked(one))),
        "too_late": tuple(fact for fact in meaning.too_late if any(one.fact == fact for one in values)),
    }
    if forbidding or allowing:
        update |= {"question": None, "term": None, "wonders": False, "candidates": (), "topic": None}
    left_over = tuple(value for value in withheld if value is not tentative) if not hypothetical else ()
    left_out = tuple(one.goal for one in unsure) if begun else ()
    rest = meaning.model_copy(update=update)
    return Permitted(rest, left_over, tuple(refused), left_out, forbidding, allowing, _of(meaning, *APPEALS))


def _says_anything(meaning: Interpretation) -> bool:
    said = (meaning.goals, meaning.values, meaning.question, meaning.control, meaning.term, meaning.candidates)
    return any(map(bool, (*said, meaning.doubtful, meaning.preference, meaning.task)))


def _control(
    meaning: Interpretation, pending: PendingQuestion | None, refused: Collection[str], withheld: Sequence[Entity]
) -> DialogueAct | None:
    """Return what an utterance says to the open question: a yes beside a question or a doubt is none."""
    control, asked = meaning.control, pending.asked if pending else None
    about = asked.about if asked else None
    forbidding, allowing = _of(meaning, SpeechAct.TAKE_BACK), _of(meaning, SpeechAct.AGREE)
    mine = {asked.subject, asked.skill, *asked.facts} if asked else set()
    asks = bool(meaning.question or meaning.term or meaning.wonders or withheld)
    asks = asks or bool(_of(meaning, SpeechAct.ASK, SpeechAct.SUPPOSE, *APPEALS))
    # What is requested and not understood is a question.
    said = [*(one.span for one in meaning.values), *(one.span for one in meaning.goals)]
    asks = asks or any(not any(_holds(act.span, one) for one in said) for act in _of(meaning, SpeechAct.REQUEST))
    if about in GO_AHEAD and any(not act.named or mine.intersection(act.named) for act in forbidding):
        control = DialogueAct.NO
    elif forbidding:
        control = control if about in ("confirm", "offer") and control is DialogueAct.NO else None
    elif about == "authorize" and allowing and control in (None, DialogueAct.CHITCHAT) and not asks:
        control = DialogueAct.YES
    elif control is DialogueAct.YES and about in (*GO_AHEAD, "offer") and (asks or (allowing and about != "authorize")):
        control = None
    elif control is DialogueAct.SKIP and _of(meaning, SpeechAct.ASK):
        control = None  # "I forgot, is it on the invoice?" asks
    elif refused and asked is not None and about == "offer" and asked.subject in refused:
        control = DialogueAct.NO
    elif refused and about not in GO_AHEAD and control in (DialogueAct.NO, DialogueAct.SKIP, DialogueAct.CHITCHAT):
        control = None
    return control


def _of(meaning: Interpretation, *acts: SpeechAct) -> tuple[ActSpan, ...]:
    return tuple(one for one in meaning.acts if one.act in acts)


def _stretch_of(meaning: Interpretation, span: Span) -> ActSpan:
    """Return the stretch in which a span begins; what does nothing else tells."""
    return next((one for one in meaning.acts if _holds(one.span, span)), ActSpan(act=SpeechAct.TELL, span=span))


def _holds(whole: Span, part: Span) -> bool:
    return whole.start <= part.start < whole.end


def _sift(
    meaning: Interpretation, values: Sequence[Entity], within: Sequence[Span]
) -> tuple[tuple[Entity, ...], list[Entity]]:
    """Part values into those that may be written and those that may not.

    What is asked `within` a request that begins, "a room, can I have it on Friday?", are its arguments.
    """
    kept: list[Entity] = []
    left: list[Entity] = []
    for value in values:
        said = _stretch_of(meaning, value.span)
        inside = any(one.start < said.span.end and said.span.start < one.end for one in within)
        argument = said.act is SpeechAct.ASK and inside
        if said.act is not SpeechAct.REFUSE:  # what may be refused is offered, and its values with it
            (kept if Update.WRITE in PERMITTED[said.act] or argument else left).append(value)
    return tuple(kept), left


def _is_at_hand(catalog: Catalog, conversation: Conversation, mention: Intent) -> bool:
    """Return whether a goal is open, or was reached and acts on the world: to ask about it does not ask for it anew."""
    if any(goal.goal == mention.goal for goal in conversation.goals.stack):
        return True
    reached = any(goal.goal == mention.goal and goal.status == "achieved" for goal in conversation.goals.past)
    return reached and has_effects(catalog, mention.goal)
