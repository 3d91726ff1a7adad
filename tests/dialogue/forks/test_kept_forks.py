"""Forks that are kept: under a name, beside a conversation that goes on and knows nothing of them."""

from __future__ import annotations

import json
from contextlib import closing

import pytest

from dialogue.cli.main import main
from dialogue.forks.changes import BadChange, SupposedOutcome, Withhold
from dialogue.forks.words import tell_fork
from dialogue.log.stores import UnknownStream
from dialogue.services import make_services
from dialogue.services.forks import WhatIf
from planning.task.errors import UnknownName
from tests.conversations.stage import TODAY
from tests.dialogue.forks.bank import NO_CONSENT, OTHER_WAY, Declined, declined

pytestmark = pytest.mark.row("F11")
OTHERWISE = (*OTHER_WAY, Withhold("email"), NO_CONSENT, SupposedOutcome("loan_decision", "approved"))


def told(ben: Declined, found: WhatIf) -> list[str]:
    return list(tell_fork(ben.services.snapshot(ben.session).catalog, found.run, found.difference))


def test_a_kept_fork_is_opened_as_it_was_whatever_was_said_since() -> None:
    with declined() as ben:
        forks = ben.services.forks
        was = told(ben, forks.what_if(ben.session, OTHERWISE))
        before = ben.services.snapshot(ben.session).log
        kept = forks.kept.find(forks.keep(ben.session, "  The   other way ", OTHERWISE))
        assert ben.services.snapshot(ben.session).log == before
        assert (kept.name, kept.kept.conversation) == ("The other way", ben.session)
        assert set(kept.changes(ben.services.snapshot(ben.session).catalog)) == set(OTHERWISE)
        for said in ("no", "show me my spending"):
            ben.services.say(ben.session, said)
            assert ben.services.wait(ben.session, 200)
        assert told(ben, forks.open(kept)) == was
        assert forks.open(kept).run.log[: forks.open(kept).run.at] == before[: forks.open(kept).run.at]


def test_forks_are_listed_renamed_and_deleted_and_go_with_their_conversation(ben: Declined) -> None:
    forks = ben.services.forks
    first, second = (forks.keep(ben.session, name, [NO_CONSENT]) for name in ("first", "second"))
    forks.kept.rename(first, "renamed")
    assert {(one.fork_id, one.name) for one in forks.kept.of(ben.session)} == {(first, "renamed"), (second, "second")}
    forks.kept.delete(first)
    assert [one.fork_id for one in forks.kept.of()] == [second]
    with pytest.raises(UnknownStream):
        forks.kept.find(first)
    other = ben.services.start("banking")
    ben.services.say(other, "I'd like a loan of $5,000")
    assert ben.services.wait(other, 200)
    third = forks.keep(other, "of another", [NO_CONSENT])
    ben.services.delete(other)
    assert [one.fork_id for one in forks.kept.of()] == [second]
    with pytest.raises(UnknownStream):
        forks.kept.find(third)
    forks.kept.delete(second)


def test_what_cannot_be_supposed_or_has_no_name_is_not_kept(ben: Declined) -> None:
    forks = ben.services.forks
    with pytest.raises(UnknownName):
        forks.keep(ben.session, "unknown", [Withhold("shoe_size")])
    with pytest.raises(BadChange):
        forks.keep(ben.session, "both", [*OTHER_WAY, OTHER_WAY[0]])
    with pytest.raises(ValueError, match="under a name"):
        forks.keep(ben.session, " ", [NO_CONSENT])
    assert not forks.kept.of()


def test_the_commands_keep_list_open_rename_and_delete(capsys: pytest.CaptureFixture[str]) -> None:
    with declined() as ben:
        session = ben.session
    assert main(["fork", session, "--say", "loan_amount=5000", "--keep", "less", "--today", str(TODAY)]) == 0
    once = capsys.readouterr()
    assert "Kept as" in once.err
    assert main(["forks", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["name"], row["session"], row["supposed"]) == ("less", session, "With the loan amount $5,000")
    fork = row["fork"][:6]
    assert main(["forks", "--rename", fork, "much less"]) == 0
    assert main(["forks", "--open", fork]) == 0
    assert capsys.readouterr().out == f"much less:\n{once.out}"
    assert main(["forks", "--delete", fork]) == 0
    assert main(["forks"]) == 0
    assert "No fork is kept." in capsys.readouterr().out
    assert main(["forks", "--open", fork]) == 2
    assert "No fork begins with" in capsys.readouterr().err
    with closing(make_services(files=(), today=TODAY)) as services:
        assert services.sessions()[0].session_id == session
