"""What is drawn while a job computes."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest


def page() -> None:
    from concurrent.futures import Future

    from pages.shell.frame import announce
    from pages.shell.waiting import result_of

    job: Future[str] = Future()
    announce("The exploration was stopped.")
    result_of(job, "one", "Playing the conversation")
    result_of(job, "two", "Looking for other ways")


def test_pages_that_wait_for_several_things_announce_each(caplog: pytest.LogCaptureFixture) -> None:
    """Nothing that waits takes the place of what the page has announced, or of anything else that waits."""
    app = AppTest.from_function(page, default_timeout=30).run()
    assert not app.exception
    assert "trouble" not in caplog.text
