"""How long `import gymnasium` takes in a fresh process."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Case, Table, ours, reference


def _case(title: str, since: str, wanted: float | None) -> Case:
    return Case(
        title,
        (ours("fresh.importing", since=since), reference("fresh.importing", wanted=wanted, since=since)),
        "s",
        work=1,
    )


TABLES = (
    Table(
        "import_time",
        "Import",
        "`import gymnasium` in a fresh process: all of it, or the part that remains once NumPy is imported.",
        (_case("all", "start", 1), _case("after NumPy", "numpy_done", None)),
    ),
)

if __name__ == "__main__":
    main(TABLES)
