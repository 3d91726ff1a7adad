"""What `benchmarks.scale` counts as lost, twice and unanswered, against a log that is known."""

from __future__ import annotations

from pathlib import Path

from benchmarks.scale.judging import Talked, Turn, judge
from dialogue.log.stores import embedded_url, open_store
from tests.dialogue.toys import open_toys


def test_a_message_that_is_not_in_the_store_is_lost_and_one_too_many_is_there_twice(home: Path) -> None:
    url = embedded_url(home)
    services = open_toys(open_store(url))
    session = services.start("toys")
    for text in ("what", "what", "goal toy"):
        services.say(session, text)
        assert services.wait(session, 60)
    services.close()
    turns = [Turn(0.0, 1.0), Turn(1.0, 4.0), Turn(4.0, 12.0)]
    said = ["what", "what", "goal toy"]
    right = judge(url, [Talked([session], said, said, turns)], began=0.0, seconds=10.0)
    assert (right.acknowledged, right.went_wrong, right.turns_a_second, right.p50_ms) == (3, False, 0.2, 3000.0)
    lost = judge(url, [Talked([session], [*said, "stop"], [*said, "stop"], turns)], began=0.0, seconds=10.0)
    assert (lost.lost, lost.twice, lost.unanswered) == (1, 0, 1)
    twice = judge(url, [Talked([session], said[1:], said[1:], turns[1:])], began=0.0, seconds=10.0)
    assert (twice.lost, twice.twice, twice.unanswered) == (0, 1, 0)
    nothing = judge(url, [Talked([], said, said, turns)], began=0.0, seconds=10.0)
    assert nothing.lost == 3
