"""Who must, may and must not speak now."""

from __future__ import annotations

from typing import Any

from catalog.norms.model import Filters
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.governance.speaking_rights import Modality, ParticipantStanding, standing_of
from dialogue.rooms.governance.status import RoomStatus
from tests.dialogue.rooms.test_governance import after, governance, say


def by_name(desk: Governance, status: RoomStatus) -> dict[str, ParticipantStanding]:
    return {one.member.name: one for one in standing_of(desk, status)}


def test_before_anybody_speaks_experts_must_not_and_people_may() -> None:
    desk = governance()
    found = by_name(desk, after(desk))
    assert {name: one.position for name, one in found.items()} == {
        "Pat": Modality.MUST_NOT, "Bill": Modality.MUST_NOT, "Ana": Modality.MAY, "Ben": Modality.MAY,
    }  # fmt: skip
    assert found["Pat"].decision.norms == ("experts_wait",)
    assert found["Ana"].decision.norms == ()


def test_who_owes_something_must_speak_and_is_told_what_else_is_open_to_them() -> None:
    desk = governance()
    found = by_name(desk, after(desk, say("Ana", "query repairs")))
    assert found["Pat"].position is Modality.MUST
    assert [(one.norm, one.filters.act, one.allowed) for one in found["Pat"].owed] == [
        ("plumber_answers", ("inform",), True)
    ]
    assert found["Bill"].position is Modality.MUST_NOT
    assert found["Bill"].except_for == (
        ("thanks_to_the_asker", Filters(act=("thank",), replies_to=("$sender",))),
    )  # fmt: skip


def test_an_obligation_that_another_norm_forbids_is_owed_and_not_allowed() -> None:
    norms: dict[str, Any] = {
        "speak": {"kind": "obligation", "bearer": "plumber", "act": {"act": "inform", "receivers": "nobody"}},
        "hush": {"kind": "prohibition", "bearer": "Pat", "act": {"act": "inform", "receivers": "nobody"}},
        "may": {"kind": "permission", "bearer": "expert", "act": {"mentions": "everybody", "replies_to": "user"}},
    }
    desk = governance(norms=norms, initial={"activate": list(norms)}, transitions={}, descriptors={})
    found = by_name(desk, after(desk))
    assert (found["Pat"].position, found["Pat"].owed[0].allowed) == (Modality.MUST_NOT, False)
    assert [name for name, _ in found["Pat"].except_for] == ["may"]
