"""Where the files of the demos are that come with Planglass. Their skills and bots are not imported for it."""

from __future__ import annotations

from pathlib import Path

_DEMOS = Path(__file__).parents[1] / "demos"

DEMOS: dict[str, Path] = {name: _DEMOS / name / "catalog.yaml" for name in ("banking", "accounting", "reports")}
"""Each demo's name, and the file of its catalog."""
NORM_DEMOS: dict[str, Path] = {name: _DEMOS / name / "norms.yaml" for name in ("finch",)}
"""Each room's name, and the file of its norms."""
TASK_DEMOS: dict[str, Path] = {
    path.stem: path for demo in DEMOS.values() for path in sorted((demo.parent / "tasks").glob("*.yaml"))
}
"""Each ready-made task's name, and its file."""
_REPORTS = DEMOS["reports"].parent / "data"
SAMPLES: dict[Path, dict[str, tuple[Path, ...]]] = {
    DEMOS["reports"]: {
        "staff_list": (_REPORTS / "staff_2025_q3.csv",),
        "data_file": (_REPORTS / "orders_2025.xlsx",),
        "budget": (_REPORTS / "budget_2025_q3.xlsx",),
        "ledgers": tuple(sorted(_REPORTS.glob("ledger_*.csv"))),
        "all_takings": tuple(sorted((_REPORTS / "branches").glob("*.csv"))),
    }
}
"""Sample files of the demos, to be handed over: by the file of the catalog, and the fact."""
