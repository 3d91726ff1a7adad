"""What is said in finch's room without being given: nothing is calculated with it, through the services."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialogue.services import make_services

NOT_GIVEN = (
    "would 4000 for 3 years do?",
    "my brother invested 4000 for 3 years",
    "please don't simulate 4000 for 3 years",
    'Ben said "4000 for 3 years"',
)


@pytest.mark.row("P15")
def test_the_experts_calculate_with_what_is_given_and_with_nothing_else(home: Path) -> None:
    services = make_services(home)
    try:
        rooms = services.rooms
        room = rooms.open("finch")
        rooms.join(room, "Ana")

        def calculated(text: str) -> int:
            assert rooms.wait(room, 120)
            before = len(rooms.view(room).room.posted)
            rooms.say(room, "Ana", text)
            assert rooms.wait(room, 120)
            said = [one for message in rooms.view(room).room.posted[before:] for one in message.message.utterances]
            return sum(one.content == "calculation" for one in said)

        assert [calculated(text) for text in NOT_GIVEN] == [0] * len(NOT_GIVEN)
        assert calculated("4000 for 3 years") == 3
    finally:
        services.close()
