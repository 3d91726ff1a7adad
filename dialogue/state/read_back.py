"""What a call would write: its values as they are shown, each with where it came from."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from catalog.model import Catalog
from catalog.model.settings import AuthorizationPolicy
from dialogue.state.conversation import Conversation, resolve
from dialogue.state.facts import KnownValue
from dialogue.state.masking import show_value
from language.content import ValueOrigin, Written


def read_back(
    catalog: Catalog,
    conversation: Conversation,
    skill: str,
    mode: str,
    *,
    known: bool = False,
    consented: Collection[str] = (),
) -> tuple[Written, ...]:
    """List what goes into a call, in the order of the catalog; with `known`, without what is not known.

    What would only go in with consent is left out, as it will be of the call, unless it is (being) `consented` to.
    """
    found = []
    declared = catalog.skills[skill].modes[mode]
    for fact in declared.takes:
        value = resolve(catalog, conversation, fact)
        agreed = fact in (*declared.inputs, *consented) or may_pass(catalog, conversation, skill, mode, fact)
        if value is not None and agreed:
            shown = show_value(catalog, conversation, value.fact)
            found.append(Written(fact, shown, _origin_of(conversation, value)))
        elif not known:
            found.append(Written(fact))
    return tuple(found)


def may_pass(catalog: Catalog, conversation: Conversation, skill: str, mode: str, fact: str) -> bool:
    """Return whether an input may go to a skill: it is not sensitive, or there is consent to it."""
    if fact not in catalog.sensitive_inputs(skill, mode):
        return True
    per_fact = catalog.settings.authorization is AuthorizationPolicy.PER_FACT
    return (fact if per_fact else skill) in conversation.authorized


def _origin_of(conversation: Conversation, value: KnownValue) -> ValueOrigin:
    """Find where a value came from: who said it when, or what it was read from, found by, or taken from."""
    if value.source == "user":
        return ValueOrigin("now" if value.by == conversation.messages.active else "earlier")
    if value.source in ("skill", "mapping"):
        made = next((one for one in conversation.calls.history if one.event == value.by), None)
        if made is not None and made.skill is not None:
            return ValueOrigin("skill", made.skill)
        if made is not None and made.inputs:
            return ValueOrigin("mapping", made.inputs[0])
    return ValueOrigin("picture" if value.source == "upload" else "alert" if value.source == "event" else "before")


def have_changed(catalog: Catalog, conversation: Conversation, facts: Iterable[str], since: int) -> bool:
    """Return whether one of some facts got another value, or lost the one it had, after an entry."""
    lost = (conversation.facts.retracted, conversation.facts.set_aside)
    for fact in facts:
        for below in catalog.subtypes.get(fact, (fact,)):
            known = conversation.facts.known.get(below)
            if known is not None and known.event > since:
                return True
            if any(by.get(below, 0) > since for by in lost):
                return True
    return False
