"""Small talk: greetings, thanks, calls for help, what was not understood, and what can be asked for."""

from __future__ import annotations

from collections.abc import Mapping

from catalog.model import Catalog
from language.interpretation import DialogueAct, Topic
from language.responses.grammar import listing, quote

_TALK: Mapping[Topic, str] = {
    Topic.GREETING: "Hello.",
    Topic.THANKS: "You are welcome.",
    Topic.FAREWELL: "Thank you, and goodbye.",
    Topic.PRAISE: "Thank you.",
    Topic.ACKNOWLEDGEMENT: "All right.",
    Topic.COMPLAINT: "I am sorry that I am not of more help. You can say “stop” or “help” at any time.",
    Topic.ASSISTANT: "I am a computer program, ready to help.",
}


class SmallTalk:
    """What is said beside the matter, and where nothing else can be said."""

    APOLOGY = (
        "Something went wrong on my side, and I have stopped this step. Nothing you told me is lost; please try again."
    )

    def small_talk(
        self, catalog: Catalog, control: DialogueAct, topic: Topic | None = None, *, busy: bool = False
    ) -> str:
        """Answer a greeting, thanks, a complaint, or a call for help; say what can be asked for where that may help."""
        said = "" if control is DialogueAct.HELP else _TALK[topic or Topic.ACKNOWLEDGEMENT]
        lists = control is DialogueAct.HELP or (topic in (Topic.GREETING, Topic.ASSISTANT) and not busy)
        ways = (
            " You can also say “skip” to pass over a question, or “stop”."
            if control is DialogueAct.HELP and busy
            else ""
        )
        return f"{said} {self.what_i_can_do(catalog)}{ways}".strip() if lists else said

    def what_i_can_do(self, catalog: Catalog) -> str:
        """List what can be asked for."""
        labels = tuple(quote(goal.label) for goal in catalog.goals.values())
        return f"You can ask me for {listing(labels[:12], 'or')}." if labels else "This catalog declares no goals yet."

    def cannot_help(self, catalog: Catalog) -> str:
        """Say that nothing in the catalog serves what was asked, and what does."""
        return f"I am afraid I cannot help with that. {self.what_i_can_do(catalog)}"

    def cannot_answer(self, catalog: Catalog, *, busy: bool) -> str:
        """Say that a question cannot be answered; where nothing else is at hand, say what can be asked for."""
        sorry = "I am afraid I have no answer to that."
        return sorry if busy else f"{sorry} {self.what_i_can_do(catalog)}"

    def nothing_asked(self, catalog: Catalog, control: DialogueAct) -> str:
        """Answer a yes or a no to nothing."""
        if control is DialogueAct.NO:
            return "All right. I am here if you need anything."
        return f"I am not waiting for an answer just now. {self.what_i_can_do(catalog)}"

    def too_long(self, characters: int) -> str:
        """Say that only the beginning of an utterance was read."""
        return f"That was very long: I have read the first {characters:,} characters."
