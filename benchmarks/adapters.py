"""The rate of our batches as a `VecEnv` of Stable-Baselines3, beside its own."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Case, Table, limit, ours, reference

CARTPOLE = "CartPole-v1"


def _case(n: int) -> Case:
    sizes = {"env": CARTPOLE, "n": n}
    candidates = [
        ours("vectors.stepped", "VecEnv, compiled, SAME_STEP", kind="adapted", mode="SameStep", **sizes),
        limit("vectors.stepped", "the batch alone", kind="in_mode", mode="SameStep", **sizes),
        ours("vectors.stepped", "VecEnv, compiled, NEXT_STEP", kind="adapted", mode="NextStep", **sizes),
        ours("vectors.stepped", "VecEnv, sync", kind="adapted", mode="SameStep", how="sync", **sizes),
        ours("vectors.stepped", "VecEnv, async", kind="adapted", mode="SameStep", how="async", **sizes),
        ours("vectors.stepped", "SB3 DummyVecEnv", kind="dummy", **sizes),
        reference("vectors.stepped", "reference, SB3 DummyVecEnv", kind="dummy", **sizes),
    ]
    if n <= 64:  # a process for each environment
        candidates.append(ours("vectors.stepped", "SB3 SubprocVecEnv", kind="subproc", **sizes))
    return Case(f"{CARTPOLE} x {n}", tuple(candidates))


TABLES = (
    Table(
        "adapters",
        "Under Stable-Baselines3",
        "Steps of one environment, of batches as a `VecEnv`: resets, infos and last observations included.",
        (_case(64), _case(1024)),
        seconds=0.3,
    ),
)

if __name__ == "__main__":
    main(TABLES)
