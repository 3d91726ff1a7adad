"""What is drawn while a job computes, and what where it comes to no result."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest


def page() -> None:
    from concurrent.futures import Future

    from pages.shell.frame import announce, result_of

    job: Future[str] = Future()
    announce("The exploration was stopped.")
    result_of(job, "one", "Playing the conversation")
    result_of(job, "two", "Looking for other ways")


def keeping_page() -> None:
    from concurrent.futures import Future

    import streamlit as st

    from pages.shell.frame import result_of

    job: Future[str] = st.session_state.setdefault("job", Future())
    job.cancel()
    result_of(job, "one", "Asking the model")


def asking_page() -> None:
    from concurrent.futures import Future
    from typing import Any

    import streamlit as st

    from pages.shell.frame import guarded, result_of

    class Failing(Future[str]):
        """A job that fails as soon as a placeholder is drawn for it."""

        asked = 0

        def done(self) -> bool:
            self.asked += 1
            if self.asked == 2:
                self.set_exception(ValueError("no way"))
            return super().done()

    jobs: list[Any] = st.session_state.setdefault("jobs", [])
    jobs.append(Failing())
    with guarded("the ways"):
        result_of(jobs[-1], "one", "Looking for other ways")


def test_pages_that_wait_for_several_things_announce_each(caplog: pytest.LogCaptureFixture) -> None:
    """Nothing that waits takes the place of what the page has announced, or of anything else that waits."""
    app = AppTest.from_function(page, default_timeout=30).run()
    assert not app.exception
    assert "trouble" not in caplog.text


def test_a_page_that_keeps_a_cancelled_job_does_not_wait_for_it(caplog: pytest.LogCaptureFixture) -> None:
    """It says that the work was stopped, and offers to try again."""
    app = AppTest.from_function(keeping_page, default_timeout=30).run()
    assert [button.label for button in app.button] == ["Try again"]
    assert not app.exception
    assert "trouble" not in caplog.text


def test_a_page_that_asks_anew_each_time_gets_the_failure_that_it_waited_for(caplog: pytest.LogCaptureFixture) -> None:
    """A failure is not kept, so the job has begun anew by then: the page does not wait for that one, too."""
    app = AppTest.from_function(asking_page, default_timeout=30).run()
    assert not app.exception
    assert "trouble" in caplog.text
    assert "ValueError" in caplog.text
    assert len(app.session_state["jobs"]) == 2
