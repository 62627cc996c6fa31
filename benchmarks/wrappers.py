"""What wrappers cost around environments of no cost."""

from __future__ import annotations

from typing import Any

from benchmarks.alone import main
from benchmarks.cases import Candidate, Case, Table, ours, reference


def _case(title: str, subject: str, wanted: float | None = None, **arguments: Any) -> Case:
    subject = f"wrapping.{subject}"
    return Case(title, (ours(subject, **arguments), reference(subject, wanted=wanted, **arguments)), "s")


def _statistics() -> Case:
    def compiled(label: str, statistics: bool, wanted: float | None = None) -> Candidate:
        return Candidate(label, "ours", "wrapping.compiled", {"statistics": statistics}, wanted)

    return Case(
        "RecordEpisodeStatistics, 4,096 compiled CartPoles",
        (
            compiled("palaestra", True),
            compiled("without the wrapper", False, 0.5),
            reference("wrapping.compiled", "reference, in NumPy", statistics=True),
        ),
        "s",
    )


TABLES = (
    Table(
        "wrappers",
        "Wrappers",
        "A step of wrappers around an environment, or a batch, that costs nothing itself.",
        (
            _case("no wrapper", "bare"),
            _case("those of make", "stack_of_make"),
            _case("NormalizeObservation, 4,096 x (17,) float32", "normalized", 5, dtype="float32"),
            _case("NormalizeObservation, 4,096 x (17,) float64", "normalized", 5, dtype="float64"),
            _case("FrameStackObservation, 256 x (84, 84) uint8, 4", "frames", 3),
            _statistics(),
        ),
    ),
)

if __name__ == "__main__":
    main(TABLES)
