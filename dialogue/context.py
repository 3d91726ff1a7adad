"""The context of a turn: the journal of the conversation, the policy, and the tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.skills import SkillInput
from dialogue.caller import Caller
from dialogue.log.events import ASSISTANT, Asked, Attachment, Entry, Heard, Log, Replied
from dialogue.state.conversation import Conversation, ConversationJournal
from language.content import Reason, not_heeded
from language.interpretation import Interpretation, Supposition, Understander
from language.languages.protocol import Language
from planning.likelihoods import Likelihoods

if TYPE_CHECKING:
    from dialogue.execution.improvement import BackgroundImprovement
    from dialogue.policy import Policy

Tone = Literal["plain", "question", "result", "problem"]


class TurnGuest:
    """An app that takes part in the turns of the assistant, which knows no more of it than this.

    The methods are called in their order; each may be left out.
    """

    def claim(self, turn: TurnContext, entry: Entry) -> Interpretation | None:
        """Return the meaning of an utterance that is for the guest. None: it is for another guest, or the assistant."""

    def deliberate(self, turn: TurnContext, entry: Entry, meaning: Interpretation) -> Callable[[], None] | None:
        """Decide who acts on an utterance, without a lock; return what writes that down as the turn begins.

        None: the assistant takes the utterance in, and acts.
        """

    def answer(self, turn: TurnContext, heard: int, meaning: Interpretation) -> bool:
        """Answer what the guest has claimed, as the assistant takes it in; return whether it was that."""
        return False

    def finish(self, turn: TurnContext, heard: int) -> None:
        """Do what the guest has to do in a turn, once the assistant has worked; also in one that was interrupted."""

    def remind(self, turn: TurnContext, since: int) -> bool:
        """Repeat the question of the guest that is open; return whether it is rather that than the assistant's."""
        return False


@dataclass(frozen=True, slots=True)
class TurnContext:
    """The tools of a turn. `load_input` gives a value as a skill gets it: for a file, its bytes.

    `keep_file` keeps a file that a skill returned, under its digest.

    If `imagined` is set, replies are discarded, so expensive explanations are skipped.
    """

    catalog: Catalog
    digest: str
    journal: ConversationJournal
    policy: Policy
    understander: Understander
    caller: Caller
    load_input: Callable[[JsonValue], SkillInput]
    today: date
    language: Language
    imagined: bool = False
    keep_file: Callable[[bytes], object] = len
    key_of: Callable[[str], str] = str
    """Give the idempotency key of what is called in this conversation, by its id."""
    guests: tuple[TurnGuest, ...] = ()
    """The apps that take part; those before come first."""
    in_stages: Callable[[Sequence[str]], tuple[str, ...] | None] = lambda _: None
    """List what people hand over for facts that a task can reach in stages, and only so; None for all others."""
    answer_supposed: Callable[[Log, Conversation, Supposition], str | None] = lambda *_: None
    """Answer a what-if question by a fork; None: it is answered as any other."""
    likelihoods: Likelihoods | None = None
    """Which likelihoods of outcomes count in new plans; None: as before."""
    improvement: BackgroundImprovement | None = None
    """Where plans are improved while they are begun with; None: nowhere."""

    @property
    def conversation(self) -> Conversation:
        return self.journal.state

    def seen_by(self, heard: int) -> int:
        """Return the entry up to which the author of an utterance saw the conversation."""
        said = self.journal.entry(heard).event
        return said.seen if isinstance(said, Heard) and said.seen is not None else heard

    def words_of(self, reason: Reason) -> str:
        return self.language.reasons.say(self.catalog, reason)

    def without_heeding(self, said: Sequence[str], question: str) -> str:
        """Put a question, and say before it which words are not heeded."""
        return " ".join(filter(None, (self.words_of(not_heeded(said)), question)))

    def reply(
        self,
        text: str,
        tone: Tone = "plain",
        facts: tuple[str, ...] = (),
        sender: str = ASSISTANT,
        attachments: tuple[Attachment, ...] = (),
    ) -> None:
        """Say something, or pass on what an agent says."""
        self.journal.add(Replied(text=text, tone=tone, facts=facts, sender=sender, attachments=attachments))

    def remind(self, since: int) -> None:
        """Repeat the open question, if something else was handled since that entry."""
        pending, words = self.conversation.questions.pending, self.language.questions
        if pending is not None and pending.seq < since:
            asked = pending.asked
            instead = asked.about == "fact" and self.was_offered_instead(asked.subject)
            again = words.still_needed(self.catalog, asked.subject, asked.text) if instead else words.remind(asked.text)
            self.reply(again, "question")

    def was_offered_instead(self, fact: str) -> bool:
        """Return whether a picture was sent just now to the question for a fact, which is put again."""
        now, at = self.conversation, self.conversation.messages.active
        if at is None or all(one.source != "upload" or one.by != at for one in now.facts.known.values()):
            return False
        before = (self.journal.entry(seq).event for seq in range(at - 1, 0, -1))
        asked = next((event for event in before if isinstance(event, Asked)), None)
        return asked is not None and asked.about == "fact" and asked.subject == fact
