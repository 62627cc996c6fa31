"""The rate of `AsyncVectorEnv.step` beside the reference's, Stable-Baselines3's, and our own `SyncVectorEnv`."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Candidate, Case, Table, limit, ours, reference

MILLISECOND = 1e-3  # s


def _case(title: str, env: str, n: int, wanted: float | None, sync: float | None, *more: Candidate) -> Case:
    sizes = {"env": env, "n": n}
    in_turn = Candidate("our SyncVectorEnv", "ours", "vectors.stepped", {"kind": "sync", **sizes}, sync)
    return Case(
        title,
        (
            ours("vectors.stepped", kind="async", **sizes),
            reference("vectors.stepped", wanted=wanted, kind="async", **sizes),
            reference("vectors.stepped", "SB3 SubprocVecEnv", kind="subproc", **sizes),
            in_turn,
            *more,
        ),
    )


def _uneven(n: int, batch: int) -> Case:
    env = f"uneven:{MILLISECOND}"
    return Case(
        f"uneven, 1 ms on average, x {n}: the first {batch} finished",
        (
            ours("vectors.first_finished", env=env, n=n, batch=batch),
            Candidate("our step of all", "ours", "vectors.stepped", {"kind": "async", "env": env, "n": n}, 1),
            reference("vectors.stepped", "reference, step of all", kind="async", env=env, n=n),
            limit("limits.arithmetic", "all cores busy (computed)", seconds=MILLISECOND),
        ),
    )


TABLES = (
    Table(
        "vector_async",
        "A batch in worker processes",
        "Steps of one environment, of batches that `AsyncVectorEnv` steps in processes. An environment of a given "
        "time keeps a core busy for that time at each step; an uneven one draws the time anew at each step. There, "
        "`recv(k)` takes the first k that finish, and `send` lets them act again.",
        (
            _case("CartPole-v1 x 64", "CartPole-v1", 64, 12, None),
            _case("5 us x 32", "busy:5e-6", 32, None, 1),
            _case("5 us x 64", "busy:5e-6", 64, None, 1),
            _case(
                "1 ms x 16",
                f"busy:{MILLISECOND}",
                16,
                None,
                None,
                limit("limits.arithmetic", "all cores busy (computed)", 0.95, seconds=MILLISECOND),
                limit("limits.processes", "loops in bare processes", seconds=MILLISECOND, n=16),
            ),
            _uneven(16, 4),
        ),
        seconds=0.5,
    ),
)

if __name__ == "__main__":
    main(TABLES)
