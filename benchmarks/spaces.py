"""What is done with spaces at every step or batch."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Case, Table, ours, reference

SPACES = ("Discrete(6)", "Box (17,) float32", "Box (84, 84, 4) uint8", "MultiDiscrete of 8", "Dict of 3")
OPERATIONS = {
    "sample": "sample",
    "contains": "contains a sample",
    "flatten": "flatten a sample",
    "concatenate": "batch 64 samples",
}


def _case(space: str, name: str, title: str) -> Case:
    asked = {"name": name, "space": space}
    return Case(f"{space}: {title}", (ours("spacing.operation", **asked), reference("spacing.operation", **asked)), "s")


TABLES = (
    Table(
        "spaces",
        "Spaces",
        "One call of each operation.",
        tuple(_case(space, name, title) for space in SPACES for name, title in OPERATIONS.items()),
    ),
)

if __name__ == "__main__":
    main(TABLES)
