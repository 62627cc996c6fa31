"""The compiled runner beside EnvPool, the reference's own vector class, and our single environment."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Candidate, Case, Table, envpool, limit, ours, reference

# A step of CartPole reads 40 bytes at least (state, action) and writes 58 (state, observation, reward, flags).
BYTES = 49


def _beside_envpool(env_id: str, n: int, wanted: float) -> Case:
    return Case(
        f"{env_id} x {n:,}",
        (
            ours("vectors.stepped", kind="native", env=env_id, n=n),
            envpool("vectors.stepped", wanted, kind="envpool", env=env_id, n=n),
        ),
    )


def _cartpole(n: int, *more: Candidate) -> Case:
    return Case(f"CartPole-v1 x {n:,}", (ours("vectors.stepped", kind="native", env="CartPole-v1", n=n), *more))


def _numpy(n: int, wanted: float | None = None) -> Candidate:
    return reference("vectors.stepped", "reference, in NumPy", wanted, kind="native", env="CartPole-v1", n=n)


def _pool(n: int, wanted: float | None = None) -> Candidate:
    return envpool("vectors.stepped", wanted, kind="envpool", env="CartPole-v1", n=n)


def _copy(n: int) -> Candidate:
    return limit("limits.memory", f"a copy of {BYTES} bytes for each", size=BYTES, n=n)


WANTED = {
    "MountainCar-v0": 60,
    "FrozenLake-v1": 60,
    "Taxi-v4": 60,
    "Pendulum-v1": 40,
    "Blackjack-v1": 40,
    "Acrobot-v1": 15,
}
TABLES = (
    Table(
        "compiled",
        "Compiled",
        "Steps of one environment, of batches that are one compiled function, on all cores; resets included. "
        "EnvPool has as many threads. No batch can cost less than a copy of its memory.",
        (
            _cartpole(
                1, Candidate("our single Env", "ours", "single.with_resets", {"env_id": "CartPole-v1"}, 1), _pool(1)
            ),
            _cartpole(64, _pool(64, 15), _numpy(64)),
            _cartpole(4096, _pool(4096, 60), _numpy(4096, 3), _copy(4096)),
            _cartpole(65_536, _pool(65_536), _numpy(65_536), _copy(65_536)),
            _cartpole(1_048_576, _numpy(1_048_576), _copy(1_048_576)),
            *(_beside_envpool(env_id, 4096, wanted) for env_id, wanted in WANTED.items()),
        ),
    ),
)

if __name__ == "__main__":
    main(TABLES)
