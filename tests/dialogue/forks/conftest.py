"""What the tests of forks share: Ben, who was declined, played once for each module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.dialogue.forks.bank import Declined, declined


@pytest.fixture(scope="module")
def ben(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Declined]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLANGLASS_HOME", str(tmp_path_factory.mktemp("ben")))
        with declined() as found:
            yield found
