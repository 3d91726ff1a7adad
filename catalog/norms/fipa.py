"""Messages as FIPA ACL writes them: its fields as JSON, and its notation for text; both are read and written.

After the FIPA ACL Message Structure Specification (SC00061G), the string representation (SC00070I) and the library of
communicative acts (SC00037J). What a room knows besides goes into parameters of its own, which begin with `X-` as the
standard asks (SC00061G, §2.1). Of what others send, `encoding`, `reply-by` and other such parameters are passed over,
and an agent goes by its name up to the @.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from pydantic import JsonValue, ValidationError
from pydantic_core import from_json

from catalog.norms.message import Message, Utterance
from catalog.values.base import UnfitDeclaration, shortened

PERFORMATIVE_OF = {
    **dict.fromkeys(("greeting", "thank", "bye", "inform", "apologise"), "inform"),
    **dict.fromkeys(("simulate", "request"), "request"),
    **{act: act for act in ("propose", "agree", "refuse", "confirm")},
    **{"query": "query-ref", "not_understood": "not-understood"},
}
"""The communicative act that each speech act is written as; one that is not here informs."""
ACT_OF = dict(
    sorted(
        (performative, act)
        for act, performatives in {
            "agree": "accept-proposal agree",
            "refuse": "cancel refuse reject-proposal",
            "request": "cfp propagate proxy request request-when request-whenever subscribe",
            "confirm": "confirm",
            "inform": "disconfirm failure inform inform-if inform-ref",
            "not_understood": "not-understood",
            "propose": "propose",
            "query": "query-if query-ref",
        }.items()
        for performative in performatives.split()
    )
)
"""The speech act that each communicative act of FIPA (SC00037J) is read as."""
_SECONDARY = ("greeting", "thank", "bye", "apologise")
"""Acts that do not name the performative of a message which does something else as well."""
_AGENTS = {"receiver": "receivers", "reply-to": "reply_to", "X-mentions": "mentions"}
_TEXTS = {
    "content": "content", "conversation-id": "conversation_id", "in-reply-to": "in_reply_to",
    "reply-with": "reply_with", "language": "language", "ontology": "ontology", "protocol": "protocol", "X-id": "id",
    "X-at": "at",
}  # fmt: skip
"""Parameters by the fields of a message that they are."""
LONGEST_NOTATION = 1_000_000
_DEEPEST = 20


def read_message(value: Any) -> Any:
    """Take a message in any of its forms: in FIPA's notation, with FIPA's fields, or with those of a room."""
    if isinstance(value, str):
        return from_fields(parse(value))
    if isinstance(value, Mapping) and "performative" in value:
        return from_fields(value)
    return value


def read_messages(text: str) -> tuple[Message, ...]:
    """Read several messages: in FIPA's notation or as JSON lines. Raises `UnfitDeclaration` with the number of one.

    What `write_messages` writes comes back as it was.
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    given: list[Any] = lines if text.lstrip().startswith("{") else list(_terms(text))
    return tuple(_read_one(number, one) for number, one in enumerate(given, start=1))


def _read_one(number: int, given: Any) -> Message:
    try:
        is_json = isinstance(given, str) and given.startswith("{")
        fields = from_json(given, allow_inf_nan=False) if is_json else _fields(given)
        return Message.model_validate(read_message(fields))
    except UnfitDeclaration as fault:
        raise UnfitDeclaration(f"Message {number}: {fault.found}", fault.write) from fault
    except ValidationError as fault:
        first = fault.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "it"
        raise UnfitDeclaration(
            f"Message {number}: {where}: {first['msg']}.", "See the fields of messages: docs/norms.md."
        ) from fault
    except ValueError as fault:
        raise UnfitDeclaration(f"Message {number} is not JSON: {fault}.", "Write an object on each line.") from fault


def write_messages(messages: Iterable[Message]) -> str:
    """Write several messages in FIPA's notation."""
    return "\n\n".join(map(notation, messages))


def as_fields(message: Message) -> dict[str, JsonValue]:
    """Write a message with the fields of FIPA ACL; those that are empty are left out, but for the language."""
    written = message.model_dump(mode="json")
    performative = _performative(message)
    fields: dict[str, JsonValue] = {"performative": performative, "sender": message.sender}
    fields |= {key: written[field] for key, field in {**_AGENTS, **_TEXTS}.items() if written[field]}
    fields["language"] = message.language
    if message.replies_to is not None:
        fields["X-replies-to"] = message.replies_to
    if message.private:
        fields["X-private"] = True
    if message.utterances != (Utterance(act=ACT_OF[performative]),):
        fields["X-utterances"] = [one.model_dump(mode="json", exclude_defaults=True) for one in message.utterances]
    return fields


def from_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Read the fields of FIPA ACL into those of a message, which are not checked yet; raises `UnfitDeclaration`."""
    performative = str(fields["performative"]).casefold()
    if performative not in ACT_OF:
        found = f"{shortened(performative)!r} is no communicative act of FIPA."
        raise UnfitDeclaration(found, f"Write one of {', '.join(ACT_OF)}.")
    if "sender" not in fields:
        raise UnfitDeclaration("The message has no sender.", "Write who sends it.")
    read: dict[str, Any] = {"sender": _name(fields["sender"])}
    for key, field in _AGENTS.items():
        if key in fields:
            agents = fields[key]
            several = agents if isinstance(agents, Sequence) and not isinstance(agents, str) else [agents]
            read[field] = [_name(one) for one in several]
    read |= {field: fields[key] for key, field in _TEXTS.items() if key in fields}
    if "X-replies-to" in fields:
        read["replies_to"] = _name(fields["X-replies-to"])
    if "X-private" in fields:
        read["private"] = fields["X-private"]
    read["utterances"] = fields.get("X-utterances", [{"act": ACT_OF[performative]}])
    return read


def _performative(message: Message) -> str:
    acts = [one.act for one in message.utterances] or ["inform"]
    main = next((act for act in acts if act not in _SECONDARY), acts[0])
    return PERFORMATIVE_OF.get(main, "inform")


def _name(agent: Any) -> Any:
    """Return the name of an agent, of an identifier of one too, up to the @ of where it lives."""
    name = agent.get("name") if isinstance(agent, Mapping) else agent
    return name.split("@")[0] if isinstance(name, str) else name


# the notation


def notation(message: Message) -> str:
    """Write a message in FIPA's notation for text (SC00070I)."""
    fields = as_fields(message)
    parts = [f"({fields.pop('performative')}"]
    for key, value in fields.items():
        if key in ("sender", "X-replies-to"):
            shown = _agent(str(value))
        elif key in _AGENTS and isinstance(value, list):
            shown = f"(set {' '.join(_agent(str(name)) for name in value)})"
        elif isinstance(value, str):
            shown = _text(value)
        else:
            shown = _text(json.dumps(value, ensure_ascii=False))
        parts.append(f" :{key} {shown}")
    return "\n".join(parts) + ")"


_WORD = re.compile(r'[^\x00-\x20()#0-9\-@":][^\x00-\x20()"]*')


def _agent(name: str) -> str:
    return f"(agent-identifier :name {name if _WORD.fullmatch(name) else _text(name)})"


def _text(text: str) -> str:
    """Write a text in quotes; one with a backslash by its length, as the notation cannot tell its end otherwise."""
    if "\\" in text:
        return f'#{len(text.encode())}"{text}'
    return '"' + text.replace('"', '\\"') + '"'


class _Word(str):
    """A word of the notation, which is told from a text in quotes."""

    __slots__ = ()


Term: TypeAlias = "str | list[Term]"


def parse(text: str) -> dict[str, Any]:
    """Read FIPA's notation into its fields; raises `UnfitDeclaration`."""
    terms = _terms(text)
    if len(terms) != 1:
        raise _broken("The text is not one message in brackets", "Close each bracket, and write one message.")
    return _fields(terms[0])


def _fields(term: Term) -> dict[str, Any]:
    if not isinstance(term, list) or not term or not isinstance(term[0], _Word):
        raise _broken("There is no message", 'Write (inform :sender (agent-identifier :name A) :content "…").')
    fields: dict[str, Any] = {"performative": str(term[0])}
    rest = iter(term[1:])
    for key in rest:
        value = next(rest, None)
        if not isinstance(key, _Word) or not key.startswith(":") or value is None:
            raise _broken(f"{_shown(key)!r} is no parameter with a value", "Write :name and its value.")
        name = _KNOWN.get(key[1:].casefold(), key[1:])
        if name in fields:
            raise _broken(f"The parameter :{shortened(name)} is here a second time", "Keep one.")
        fields[name] = _value(name, value)
    return fields


_KNOWN = {key.casefold(): key for key in ("performative", "sender", *_AGENTS, *_TEXTS)} | {
    f"x-{key}": f"X-{key}" for key in ("replies-to", "private", "utterances")
}


def _value(name: str, term: Term) -> Any:
    if name in ("sender", "X-replies-to"):
        return _agent_name(term)
    if name in _AGENTS:
        agents = term[1:] if isinstance(term, list) and term and term[0] in ("set", "sequence") else [term]
        return [_agent_name(one) for one in agents]
    text = _shown(term)
    if name not in ("X-private", "X-utterances"):
        return text
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError as fault:
        raise _broken(f"The value of :{name} is not JSON", "Write JSON, or leave it out.") from fault


def _agent_name(term: Term) -> str:
    if isinstance(term, str):
        return str(term)
    for key, value in zip(term[1::2], term[2::2], strict=False):
        if isinstance(key, _Word) and key.casefold() == ":name" and isinstance(value, str):
            return str(value)
    raise _broken(f"{shortened(_shown(term))!r} names no agent", "Write (agent-identifier :name A).")


def _shown(term: Term) -> str:
    """Return a term as text; of a list what stands in it."""
    if isinstance(term, str):
        return str(term)
    return f"({' '.join(_shown(inner) for inner in term)})"


_TOKEN = re.compile(r'[\x00-\x20]*+(?:([()])|"((?:\\"|[^"])*+)"|#(\d{1,9})"|([^\x00-\x20()"]++)|\Z)')


def _terms(text: str) -> list[Term]:
    """Read terms: words, texts, and lists in brackets."""
    if len(text) > LONGEST_NOTATION:
        found = f"There are {len(text):,} characters; {LONGEST_NOTATION:,} are read at most."
        raise UnfitDeclaration(found, "Write less.")
    around: list[list[Term]] = [[]]
    for one in _tokens(text):
        if one == "(" and isinstance(one, _Word):
            if len(around) > _DEEPEST:
                raise _broken(
                    f"The brackets go deeper than {_DEEPEST} levels", "Write the content as a text in quotes."
                )
            around.append([])
        elif one == ")" and isinstance(one, _Word):
            if len(around) == 1:
                raise _broken("A bracket closes that none opens", "Take it out.")
            closed = around.pop()
            around[-1].append(closed)
        else:
            around[-1].append(one)
    if len(around) > 1:
        raise _broken("The text is not one message in brackets", "Close each bracket, and write one message.")
    return around[0]


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _broken(f"{shortened(text[at : at + 40])!r} cannot be read", "Close each text with a quote.")
        at = match.end()
        bracket, quoted, size, word = match.groups()
        if bracket or word:
            yield _Word(bracket or word)
        elif quoted is not None:
            yield quoted.replace('\\"', '"')
        elif size is not None:
            counted = text[at : at + int(size)].encode()[: int(size)]
            try:
                yield (counted_text := counted.decode())
            except UnicodeDecodeError as fault:
                raise _broken(f"{size} bytes end within a character", "Count the bytes of UTF-8.") from fault
            if len(counted) < int(size):
                raise _broken(f"There are no {size} bytes", "Count the bytes of UTF-8.")
            at += len(counted_text)


def _broken(found: str, write: str) -> UnfitDeclaration:
    return UnfitDeclaration(f"The notation of FIPA is broken: {found[0].lower()}{found[1:]}.", write)
