"""The rate of `SyncVectorEnv.step`, autoresets included, beside Stable-Baselines3's too."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Case, Table, ours, reference


def _case(env: str, n: int, wanted: float | None = None) -> Case:
    sizes = {"env": env, "n": n}
    return Case(
        f"{env} x {n}",
        (
            ours("vectors.stepped", kind="sync", **sizes),
            reference("vectors.stepped", wanted=wanted, kind="sync", **sizes),
            reference("vectors.stepped", "SB3 DummyVecEnv", kind="dummy", **sizes),
        ),
    )


TABLES = (
    Table(
        "vector_sync",
        "A batch in one process",
        "Steps of one environment, of batches that `SyncVectorEnv` steps one after the other, resets included.",
        (_case("CartPole-v1", 64, 2), _case("CartPole-v1", 4), _case("Pendulum-v1", 64), _case("FrozenLake-v1", 64)),
        seconds=0.3,
    ),
)

if __name__ == "__main__":
    main(TABLES)
