"""What it costs that work can be resumed: steps with `on_failure="resume"` beside steps without."""

from __future__ import annotations

from typing import Any

from benchmarks.alone import main
from benchmarks.cases import Candidate, Case, Table, ours

SIZES = {"CartPole-v1": 64, "LunarLander-v3": 16}
WANTED = 0.95  # of the rate without


def _case(env_id: str, n: int) -> Case:
    sizes: dict[str, Any] = {"kind": "async", "env": env_id, "n": n}
    without = Candidate("on_failure='raise'", "ours", "vectors.stepped", sizes, WANTED)
    # A whole interval between two snapshots, and one of them.
    return Case(
        f"{env_id} x {n}",
        (ours("vectors.stepped", **sizes, on_failure="resume"), without),
        work=1000,
    )


TABLES = (
    Table(
        "resume",
        "Work that can be resumed",
        "Steps of one environment, of batches in worker processes. With `on_failure='resume'` the requests are kept, "
        "and there is a snapshot every 1,000 steps, so that another worker can resume the work of one that died.",
        tuple(_case(env_id, n) for env_id, n in SIZES.items()),
        seconds=0.5,
    ),
)

if __name__ == "__main__":
    main(TABLES)
