from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.norms.fipa import (
    ACT_OF,
    PERFORMATIVE_OF,
    as_fields,
    notation,
    parse,
    read_message,
    read_messages,
    write_messages,
)
from catalog.norms.message import Message, Utterance
from catalog.norms.vocabulary import SPEECH_ACTS
from catalog.values import UnfitDeclaration

NAMES = st.sampled_from(["Ana", "SA", "Дина", "a.b-c", "9th", "-x", "x y", 'say "hi"', ":key", "#1", "(x)"])
CLEAN = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.text(CLEAN, max_size=20) | st.sampled_from(['\\"', "\\", 'a"b\\', "(:x)", "é\\é", "\n :sender", '#3"abc'])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
UTTERANCES = st.builds(
    Utterance,
    act=st.sampled_from([*SPEECH_ACTS, "sing"]),
    topic=st.sampled_from(["undefined", "savings"]),
    content=st.sampled_from(["text", "calculation"]),
    text=TEXTS,
    values=st.dictionaries(TEXTS, JSON, max_size=2),
)
MESSAGES = st.builds(
    Message,
    sender=NAMES,
    utterances=st.lists(UTTERANCES, max_size=3).map(tuple),
    receivers=st.lists(NAMES, max_size=3).map(tuple),
    mentions=st.lists(NAMES, max_size=2).map(tuple),
    reply_to=st.lists(NAMES, max_size=2).map(tuple),
    content=TEXTS,
    id=TEXTS,
    conversation_id=TEXTS,
    in_reply_to=TEXTS,
    reply_with=TEXTS,
    replies_to=st.none() | NAMES,
    language=TEXTS,
    ontology=TEXTS,
    protocol=TEXTS,
    private=st.booleans(),
    at=st.none() | st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),
)


@given(MESSAGES)
def test_a_message_comes_back_from_the_fields_and_from_the_notation_of_fipa_as_it_was(message: Message) -> None:
    assert Message.model_validate(read_message(as_fields(message))) == message
    assert Message.model_validate(read_message(notation(message))) == message


@given(st.lists(MESSAGES, max_size=4))
def test_several_messages_come_back_in_their_order_from_the_notation_and_from_lines_of_json(
    messages: list[Message],
) -> None:
    assert read_messages(write_messages(messages)) == tuple(messages)
    assert read_messages("\n".join(json.dumps(as_fields(one)) for one in messages)) == tuple(messages)
    assert read_messages("\n".join(one.model_dump_json() for one in messages)) == tuple(messages)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(inform :sender A) (sing :sender A)", "Message 2: 'sing' is no communicative act of FIPA."),
        ("(inform :sender A) (inform :content x)", "Message 2: The message has no sender."),
        ("(inform :sender A) hello", "Message 2: The notation of FIPA is broken: there is no message."),
        ('{"performative": "inform", "sender": "A"}\n{"performative": "inform"', "Message 2 is not JSON"),
        ('{"sender": "A"}\n{"sender": "A", "mood": "good"}', "Message 2: mood: "),
        ("(inform :sender", "The notation of FIPA is broken"),
    ],
)
def test_of_several_messages_the_wrong_one_is_named(text: str, found: str) -> None:
    with pytest.raises(UnfitDeclaration) as trouble:
        read_messages(text)
    assert trouble.value.found.startswith(found)


@given(
    st.text(st.sampled_from('()":#\\ \n1ab-@é') | CLEAN, max_size=60)
    | MESSAGES.map(notation).map(lambda text: text[:-3])
)
def test_no_text_breaks_the_reader_of_the_notation(text: str) -> None:
    try:
        assert parse(text)["performative"]
    except UnfitDeclaration as fault:
        assert fault.found.endswith(".")
        assert fault.write.endswith(".")


def test_a_plain_message_is_written_as_the_standard_has_it() -> None:
    message = Message(
        sender="SA",
        receivers=("In", "Ana"),
        utterances=(Utterance(act="query"),),
        content='What is a "CD"?',
        conversation_id="r1",
        reply_with="m7",
    )
    assert notation(message) == (
        "(query-ref\n"
        " :sender (agent-identifier :name SA)\n"
        " :receiver (set (agent-identifier :name In) (agent-identifier :name Ana))\n"
        ' :content "What is a \\"CD\\"?"\n'
        ' :conversation-id "r1"\n'
        ' :reply-with "m7"\n'
        ' :language "en")'
    )


def test_messages_of_other_platforms_are_read() -> None:
    text = """(REQUEST
        :sender (agent-identifier :name In@host:1099/JADE :addresses (sequence http://host:7778/acc))
        :receiver (set (agent-identifier :name SA@host) (agent-identifier :resolvers (sequence x) :name TB@host))
        :content #14"(simulate €)
        :language fipa-sl0 :encoding utf-8 :ontology finance :protocol fipa-request
        :reply-by 20260301T120000000Z :reply-with (m 1) :X-JADE-trace "on")"""
    message = Message.model_validate(read_message(text))
    assert message == Message(
        sender="In",
        receivers=("SA", "TB"),
        utterances=(Utterance(act="request"),),
        content="(simulate €)",
        language="fipa-sl0",
        ontology="finance",
        protocol="fipa-request",
        reply_with="(m 1)",
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "the text is not one message"),
        ("inform", "there is no message"),
        ("(inform :sender)", "':sender' is no parameter with a value"),
        ("(inform sender Ana)", "'sender' is no parameter"),
        ("(inform :sender Ana :SENDER Ben)", "the parameter :sender is here a second time"),
        ("(inform :sender (agent-identifier :addresses x))", "names no agent"),
        ('(inform :content "x', "cannot be read"),
        ('(inform :content #9"abc")', "there are no 9 bytes"),
        ('(inform :content #1"é")', "1 bytes end within a character"),
        ("(inform :sender Ana", "the text is not one message"),
        ("(inform) (inform)", "the text is not one message"),
        ("inform)", "a bracket closes that none opens"),
        ("(" * 30, "go deeper than 20 levels"),
        ("(inform :sender Ana :X-private maybe)", ":X-private is not JSON"),
        ("(sing :sender Ana)", "'sing' is no communicative act"),
        ("(inform :content x)", "has no sender"),
        (f"({'x' * 1_000_001})", "1,000,003 characters"),
    ],
)
def test_what_is_wrong_with_the_notation_is_told(text: str, found: str) -> None:
    with pytest.raises(UnfitDeclaration) as caught:
        read_message(text)
    assert found in caught.value.found


def test_every_speech_act_and_every_communicative_act_of_the_standard_has_a_counterpart() -> None:
    assert set(PERFORMATIVE_OF) == set(SPEECH_ACTS)
    assert len(ACT_OF) == 22
    assert set(ACT_OF.values()) <= set(SPEECH_ACTS)
    assert set(PERFORMATIVE_OF.values()) <= set(ACT_OF)
