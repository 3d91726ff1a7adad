"""The dashboard, with a page Tasks that has news ten times a second, which move its buttons."""

from __future__ import annotations

import runpy
import sys
import time
from unittest.mock import patch

from pages.frame.frame import Mark
from pages.shell.sheet import draw, el
from pages.tasks import progress
from pages.tasks.page_state import TaskPage
from tests.pages.screen import ROOT

NEWS_S = 0.1
_draw_head, _mark = progress._draw_head, progress._mark


def moment() -> int:
    return int(time.monotonic() / NEWS_S)


def mark(page: TaskPage) -> Mark:
    return page.id, page.task.seq, (_mark(page), moment())


def draw_head(page: TaskPage) -> None:
    draw("news", [el("p", "", "News.")] * (moment() % 3))
    _draw_head(page)


if __name__ == "__main__":
    sys.argv = [str(ROOT / "app.py"), *sys.argv[1:]]
    with patch.multiple(progress, _mark=mark, _draw_head=draw_head, FOLLOW_S=NEWS_S):
        runpy.run_path(sys.argv[0], run_name="__main__")
