"""Who acts on an utterance: all agents are asked, an orchestrator chooses, and those chosen act in order (row V21).

What may be sensitive is taken out of everything that other agents are shown, and out of all that is written down of
them; only an agent that the user lets see it is given an utterance as it was said, when it acts. While the assistant
asks for something sensitive, nothing at all is shown that is not addressed to an agent by name.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from catalog.values.base import HIDDEN as MASK
from dialogue.agents import participants
from dialogue.agents.agent import DeclaredAgent
from dialogue.agents.broadcast import execute
from dialogue.agents.events import Acted, Broadcast, Chosen, ReactionGiven, SharingConsented
from dialogue.agents.model import (
    ASSISTANT,
    AgentEvent,
    AgentName,
    AgentReply,
    Answers,
    Forced,
    ProposedAction,
    Reaction,
    Silence,
    SilenceReason,
)
from dialogue.agents.record import last_recorded
from dialogue.context import TurnContext, TurnGuest
from dialogue.execution.loop import run_until_waiting
from dialogue.log.events import Entry, Event, Heard, Replied, Understood
from dialogue.moves.hearing import MAX_TEXT, take_in, understand
from dialogue.services.agents.assistant_preview import answers_own, own_preview
from dialogue.state.conversation import Conversation
from dialogue.state.masking import is_delicate, mask, secrets_of
from explain.model import ABOUT_AGENTS
from language.acts.agent_questions import read_agent_question
from language.acts.verdicts_on_answers import read_verdict
from language.interpretation import DialogueAct, Interpretation
from language.llm.consultation import BLANK, blank
from language.text.lazy_pattern import LazyPattern

_ADDRESS = LazyPattern(r'\s*(?:@|clai\s+(?="|“))(?:"([^"]+)"|“([^”]+)”|([\w.\-]+))[,:]?(?=\s|\Z)\s*', re.IGNORECASE)
_SEES = r"see (?:it|this|that|everything|all|(?:all )?(?:of )?my (?:data|details|values|numbers))"
_LET = LazyPattern(rf"(?:please )?(?:let|allow) (.+?) (?:to )?{_SEES}[.!]?", re.IGNORECASE)
_DO_NOT_LET = LazyPattern(
    rf"(?:please )?(?:(?:do not|don't|don’t|never) (?:let|allow)|no longer (?:let|allow)|stop letting) (.+?) "
    rf"(?:to )?(?:{_SEES})(?: any ?more)?[.!]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AddressedUtterance:
    """The agent that an utterance is for, and the rest of it; `known` says whether there is such an agent.

    The rest is as long as the utterance, with spaces for the address, so that places in it are places in the whole.
    """

    agent: str
    rest: str
    known: bool


def read_address(text: str, agents: Collection[str]) -> AddressedUtterance | None:
    """Find out which agent is addressed by name. None: no one is."""
    found = _ADDRESS.match(text)
    if found is None:
        return None
    said = next(name for name in found.groups() if name is not None)
    agent = _named(said, agents)
    return AddressedUtterance(agent or said, " " * found.end() + text[found.end() :], agent is not None)


def read_consent(text: str, agents: Collection[str]) -> tuple[str, bool] | None:
    """Find out which agent may see what is sensitive from now on, or no longer may."""
    said = " ".join(text.split())
    for form, given in ((_DO_NOT_LET, False), (_LET, True)):
        found = form.fullmatch(said)
        agent = _named(found.group(1).strip("@\"“”'"), agents) if found else None
        if agent is not None:
            return agent, given
    return None


def _named(said: str, agents: Collection[str]) -> str | None:
    """Return the agent of a name, however its letters are written; the same letters count first."""
    if said in agents:
        return said
    return next((agent for agent in agents if agent.casefold() == said.casefold()), None)


@dataclass(frozen=True, slots=True)
class Deliberation:
    """The agents' answers about an utterance, as events that are written when the turn begins.

    `before` comes first; `to` is the name that no agent has, and `consent` what the user said of an agent. `left_over`
    says that no agent has anything to offer: the assistant asks again, or says what it could not place. `dropped` is
    the agent whose question the user does not want to answer. The `whole` event and the proposed `actions` are as only
    those agents see them that the user lets see what is sensitive.
    """

    before: tuple[Event, ...] = ()
    broadcast: Broadcast | None = None
    chosen: Chosen | None = None
    meaning: Interpretation = field(default_factory=Interpretation)
    to: str | None = None
    consent: tuple[AgentName, bool] | None = None
    left_over: bool = False
    dropped: AgentName | None = None
    whole: AgentEvent = field(default_factory=lambda: AgentEvent(text=""))
    actions: Mapping[AgentName, Sequence[ProposedAction]] = field(default_factory=dict)


@dataclass(slots=True)
class AgentGuest(TurnGuest):
    """The agents of a conversation, in one turn; without `agents`, the assistant is alone, and acts.

    What was left open when there were some is still brought to its end.
    """

    agents: participants.Participants | None
    address: AddressedUtterance | None = None
    found: Deliberation | None = None

    def claim(self, turn: TurnContext, entry: Entry) -> Interpretation | None:
        """Read a question about who acts, and what an agent is told by its name."""
        if self.agents is None or not isinstance(entry.event, Heard):
            return None
        self.address = address = _address_of(turn, entry.event.text, self.agents)
        said = entry.event.text if address is None else address.rest
        if address is None or address.agent == ASSISTANT:
            question = read_agent_question(said, self.agents.names)
            if question is not None:
                return Interpretation(question=question)
        return None if address is None else understand(turn, entry, said)

    def deliberate(self, turn: TurnContext, entry: Entry, meaning: Interpretation) -> Callable[[], None] | None:
        if self.agents is None:
            return None
        self.found = _deliberate(turn, self.agents, entry, self.address, meaning)
        return partial(_write_down, turn, entry.seq, self.found)

    def finish(self, turn: TurnContext, heard: int) -> None:
        _act(turn, heard, self.agents, self.found)

    def remind(self, turn: TurnContext, since: int) -> bool:
        """Repeat the question of an agent that asked last, unless it was put in this turn."""
        asked = turn.conversation.agents.pending
        if asked is None or owner_of(turn.conversation) != asked.agent:
            return False
        if asked.of < since:
            words = turn.language.questions
            again = asked.text.startswith(words.remind("").strip())
            turn.reply(asked.text if again else words.remind(asked.text), "question", sender=asked.agent)
        return True


def _address_of(turn: TurnContext, text: str, agents: participants.Participants) -> AddressedUtterance | None:
    address = read_address(text, agents.names)
    if address is None or address.known or address.rest.strip():
        return address
    return None if turn.conversation.questions.pending is not None else address  # "@ann" may be an answer


def _deliberate(
    turn: TurnContext,
    agents: participants.Participants,
    entry: Entry,
    address: AddressedUtterance | None,
    meaning: Interpretation,
) -> Deliberation:
    """Ask all agents about an utterance, and choose who acts. What the last choice came to is learned first.

    Nothing is written into the conversation, and no lock is held: agents take their time.
    """
    assert isinstance(entry.event, Heard)
    consent = read_consent(entry.event.text, agents.names[1:])
    if consent is not None:
        return Deliberation(meaning=_values_only(meaning), consent=consent)
    if address is not None and not address.known:
        return Deliberation(meaning=_values_only(meaning), to=address.agent)
    if meaning.question is not None and meaning.question.kind in ABOUT_AGENTS:
        return Deliberation(meaning=meaning, left_over=True)  # no other record says who was chosen, and why
    said = (entry.event.text if address is None else address.rest).strip()[:MAX_TEXT]
    forced = None if address is None else Forced(agent=address.agent)
    known, goals = sorted(turn.conversation.facts.known), [goal.goal for goal in turn.conversation.goals.stack]
    clean = _mask(turn, meaning)
    shown = _shown(turn, entry, meaning, said, forced, clean=clean)
    event = AgentEvent(text=shown, context={"known": [*known], "goals": [*goals]})
    own = own_preview(turn, entry.seq, meaning)
    whole = event.model_copy(update={"text": said})
    came, took = agents.ask(event, own, turn.conversation.agents.consents, whole)
    is_value = any(value.span.text.strip(" .!") == said.strip(" .!") for value in meaning.values)
    verdict = None if is_value else read_verdict(said)
    before = _learn(turn, agents, event, forced, verdict=verdict, goes_on=_goes_on(turn, entry.seq, meaning, came))
    seed = zlib.crc32(f"{entry.seq} {entry.at.isoformat()}".encode())
    answers = participants.masked_answers(came, clean)
    owner = owner_of(turn.conversation)
    choice, orchestrator, learned = agents.choose(event, answers, forced, owner, seed)
    pending = turn.conversation.agents.pending
    stopped = meaning.control is DialogueAct.STOP and forced is None and owner not in {None, ASSISTANT, *choice.agents}
    if stopped and pending is not None:  # it has nothing to say to that: its question is dropped, and nothing else
        choice = participants.choose_nobody(answers, pending.agent)
        before = (*before, ReactionGiven(of=pending.of, reaction=Reaction.DISMISSED))
    dropped = pending.agent if stopped and pending is not None else None
    left_over = not choice.agents and forced is None and isinstance(own, Silence) and dropped is None
    return Deliberation(
        before,
        Broadcast(event=event, answers=answers, took_ms={name: round(ms, 1) for name, ms in took.items()}),
        Chosen(of=0, orchestrator=orchestrator, choice=choice, forced=forced, learned=learned),
        meaning if left_over or ASSISTANT in choice.agents else _values_only(meaning),
        left_over=left_over,
        dropped=dropped,
        whole=whole,
        actions={one.agent: one.actions for one in came.previews},
    )


def owner_of(conversation: Conversation) -> AgentName | None:
    """Return whose question is open: the latest one counts. None: no question is open."""
    own, others = conversation.questions.pending, conversation.agents.pending
    if others is not None and (own is None or own.seq < others.of):
        return others.agent
    return None if own is None else ASSISTANT


def _values_only(meaning: Interpretation) -> Interpretation:
    """Leave of a meaning what has to be masked wherever it occurs: the assistant does nothing else with it."""
    values = (value for goal in (*meaning.goals, *meaning.candidates) for value in goal.values)
    return Interpretation(values=(*meaning.values, *values))


def _secrets(turn: TurnContext, meaning: Interpretation) -> Collection[str]:
    """Collect what is sensitive of all that was said before, and in an utterance as it is understood."""
    waiting = turn.conversation.messages.inbox
    log = tuple(entry for entry in turn.journal.shown[0] if entry.seq not in waiting)
    now = [
        value.span.text
        for value in _values_only(meaning).values
        if value.fact not in turn.catalog.facts or turn.catalog.is_sensitive(value.fact)
    ]
    return {*secrets_of(turn.catalog, log), *now}


def _mask(turn: TurnContext, meaning: Interpretation) -> participants.Mask:
    secrets = _secrets(turn, meaning)
    return lambda text: mask(text, secrets)


def _shown(
    turn: TurnContext,
    entry: Entry,
    meaning: Interpretation,
    said: str,
    forced: Forced | None,
    *,
    clean: participants.Mask,
) -> str:
    pending = turn.conversation.questions.pending
    if pending is not None and forced is None and is_delicate(turn.catalog, pending.asked):
        return MASK
    assert isinstance(entry.event, Heard)
    start = entry.event.text.find(said)
    blanked = blank(turn.catalog, entry.event.text, meaning, turn.today)[start : start + len(said)]
    return re.sub(f"{BLANK}+", MASK, clean(blanked))


def _learn(
    turn: TurnContext,
    agents: participants.Participants,
    event: AgentEvent,
    forced: Forced | None,
    *,
    verdict: bool | None,
    goes_on: bool,
) -> tuple[Event, ...]:
    """Learn from the last choice, and return what the user made of it as an event, unless that is on record."""
    last = last_recorded(turn.journal.shown[0], turn.conversation.agents)
    if last is None:
        return ()
    said = [entry.event for entry in turn.journal.shown[0][last.chosen :] if isinstance(entry.event, Replied)]
    in_vain = bool(said) and said[-1].tone == "problem"
    reaction = participants.reaction_to(last, event, forced, verdict=verdict, goes_on=goes_on, in_vain=in_vain)
    if reaction is not None:
        last = replace(last, moment=last.moment.model_copy(update={"reaction": reaction}))
    agents.learn_from(last, event)
    return () if reaction is None else (ReactionGiven(of=last.chosen, reaction=reaction),)


def _goes_on(turn: TurnContext, heard: int, meaning: Interpretation, came: Answers) -> bool:
    """Return whether an utterance answers what an agent asked that acted on the one before."""
    owner = owner_of(turn.conversation)
    last = turn.conversation.agents.choices[-1] if turn.conversation.agents.choices else None
    if owner is None or last is None or owner not in last.order:
        return False
    if owner == ASSISTANT:
        return answers_own(turn, heard, meaning)
    return any(one.agent == owner for one in came.previews)


def _write_down(turn: TurnContext, heard: int, found: Deliberation) -> None:
    """Write down who was asked and chosen, and what was understood. Hold the lock of the journal."""
    for event in found.before:
        turn.journal.add(event)
    turn.journal.add(Understood(heard=heard, meaning=found.meaning))
    if found.broadcast is not None and found.chosen is not None:
        of = turn.journal.add(found.broadcast)
        turn.journal.add(found.chosen.model_copy(update={"of": of}))


def _act(turn: TurnContext, heard: int, agents: participants.Participants | None, found: Deliberation | None) -> None:
    """Let those that were chosen act, in order; where there is none, say so.

    None is a turn that was interrupted: what other agents had begun, or not, is not done again.
    """
    words = turn.language.agents
    others = () if agents is None else agents.names[1:]
    if found is not None and found.consent is not None:
        with turn.journal.lock:
            turn.journal.add(SharingConsented(agent=found.consent[0], given=found.consent[1]))
            turn.reply(words.consented(*found.consent))
    elif found is not None and found.to is not None:
        turn.reply(words.not_here(found.to, (*others, ASSISTANT)), "problem")
    elif found is not None and found.chosen is None:
        _take_over(turn, heard)
    elif found is not None and found.chosen is not None and not found.chosen.choice.agents:
        _say_that_nobody_acts(turn, heard, found, others)
    last = turn.conversation.agents.last
    if last is None or last < heard or (found is not None and found.chosen is None):
        return
    for name in turn.conversation.agents.left:
        if name == ASSISTANT:
            _act_oneself(turn, heard)
        elif found is None:
            _conclude(turn, name, None, words.interrupted())
        else:
            _let_act(turn, name, None if agents is None else agents.named(name), found)


def _say_that_nobody_acts(turn: TurnContext, heard: int, found: Deliberation, others: Sequence[AgentName]) -> None:
    """Say kindly what could not be placed, and whom one can ask by name."""
    words, pending, asked = turn.language.agents, turn.conversation.questions.pending, turn.conversation.agents.pending
    forced = found.chosen.forced if found.chosen is not None else None
    if forced is not None and forced.agent is not None:
        silent = found.broadcast.answers.silent if found.broadcast is not None else ()
        silence = next((one for one in silent if one.agent == forced.agent), None)
        reason = silence.reason if silence is not None else SilenceReason.NOTHING_TO_OFFER
        turn.reply(words.gave_no_answer(forced.agent, reason, silence.detail if silence is not None else ""), "problem")
    elif found.dropped is not None:
        turn.reply(words.question_dropped(found.dropped))
    elif not found.left_over:
        turn.reply(words.not_sure((*others, ASSISTANT)), "problem")
    elif asked is not None and owner_of(turn.conversation) == asked.agent:
        turn.reply(words.did_not_see(asked.agent) if _is_hidden(found) else words.not_placed(), "problem")
    else:
        kept = pending is not None and is_delicate(turn.catalog, pending.asked)
        _take_over(turn, heard)
        if others and (pending is None or kept):
            turn.reply(words.ask_by_name(others, hidden=kept))


def _is_hidden(found: Deliberation) -> bool:
    """Return whether other agents were not shown all that was said."""
    return found.broadcast is not None and found.broadcast.event.text != found.whole.text


def _act_oneself(turn: TurnContext, heard: int) -> None:
    with turn.journal.lock:
        last = turn.conversation.agents.last
        assert last is not None
        turn.journal.add(Acted(of=last, agent=ASSISTANT))
        _take_in(turn, heard)
    run_until_waiting(turn)


def _take_over(turn: TurnContext, heard: int) -> None:
    with turn.journal.lock:
        _take_in(turn, heard)
    run_until_waiting(turn)


def _take_in(turn: TurnContext, heard: int) -> None:
    take_in(turn, turn.journal.entry(heard), turn.conversation.messages.meanings[heard], noted=True)


def _let_act(turn: TurnContext, name: AgentName, agent: DeclaredAgent | None, found: Deliberation) -> None:
    """Let an agent carry out what it proposed. That it was chosen is on disk before: it is never done twice."""
    with turn.journal.lock:
        turn.journal.flush()
    if agent is None:
        _conclude(turn, name, None, turn.language.agents.gone())
        return
    trusted = name in turn.conversation.agents.consents
    event = found.whole if trusted or found.broadcast is None else found.broadcast.event
    came = execute(agent, event, found.actions.get(name, ()))
    _conclude(turn, name, came.reply, came.trouble, hidden=not trusted and _is_hidden(found))


def _conclude(
    turn: TurnContext, name: AgentName, reply: AgentReply | None, trouble: str, *, hidden: bool = False
) -> None:
    words = turn.language.agents
    clean = partial(mask, secrets=secrets_of(turn.catalog, turn.journal.shown[0]))
    with turn.journal.lock:
        last = turn.conversation.agents.last
        assert last is not None
        if reply is None:
            turn.journal.add(Acted(of=last, agent=name, trouble=clean(trouble)))
            turn.reply(words.failed(name, clean(trouble)), "problem")
            return
        reply = participants.masked_reply(reply, clean)
        turn.journal.add(Acted(of=last, agent=name, reply=reply))
        turn.reply(reply.text, "question" if reply.asks else "plain", sender=name)
        if hidden:
            turn.reply(words.did_not_see(name))
