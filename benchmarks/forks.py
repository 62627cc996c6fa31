"""The moment of one environment copied into the others of a batch, beside `copy.deepcopy` of as many single ones."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Case, Table, ours, reference

SIZES = {"CartPole-v1": 4096, "Taxi-v4": 4096, "HalfCheetah-v5": 128}
AT_MOST = 1e-3  # s, for 4,096 compiled environments


def _case(env_id: str, n: int) -> Case:
    candidates = (
        ours("kept.forks", env_id=env_id, n=n),
        ours("kept.deep_copies", "deepcopy", env_id=env_id, n=n),
        reference("kept.deep_copies", "reference, deepcopy", env_id=env_id, n=n),
    )
    return Case(f"{env_id}, 1 into {n}", candidates, unit="s", work=3, at_most=AT_MOST if n == 4096 else None)


TABLES = (
    Table(
        "forks",
        "Forks",
        "`fork(envs, 0)`: the moment of one environment copied into all others of a batch. `deepcopy` copies one "
        "environment after the other.",
        tuple(_case(env_id, n) for env_id, n in SIZES.items()),
    ),
)

if __name__ == "__main__":
    main(TABLES)
