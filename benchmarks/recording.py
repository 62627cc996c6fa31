"""The rate at which episodes are recorded into a data set, beside Minari's `DataCollector`."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Candidate, Case, Table, limit, ours

_COLLECTORS = ("Minari's DataCollector", "minari", "recording.collectors")

TABLES = (
    Table(
        "recording",
        "Recording data sets",
        "Steps of 64 CartPoles under random actions, resets included, while every episode goes into a data set.",
        (
            Case(
                "RecordTrajectories, a compiled batch",
                (
                    ours("recording.batch", recorded=True),
                    Candidate(*_COLLECTORS, wanted=20),
                    limit("recording.batch", "not recorded", recorded=False),
                ),
            ),
            Case("RecordTrajectories, single", (ours("recording.single"), Candidate(*_COLLECTORS))),
        ),
        seconds=0.5,
    ),
)

if __name__ == "__main__":
    main(TABLES)
