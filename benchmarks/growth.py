"""How cost grows with the number of environments, workers, the size of observations, and the length of episodes."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Candidate, Case, Table, envpool, limit, ours, reference
from benchmarks.compiled import BYTES
from benchmarks.peers import cores

NUMBERS = (1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576)
MOST = {"sync": 1024, "async": 1024, "reference, async": 64, "envpool": 65_536}  # beyond, each only takes long
COPIED = 4096  # from here on a copy of the same memory is shown, the threads for which cost less than it
WORKERS = (1, 2, 3, 4, 6, 8)
OBSERVATIONS = {"4f": 16, "64f": 256, "32x32": 1024, "84x84": 7056, "84x84x4": 28_224}  # bytes
LENGTHS = (1, 3, 10, 30, 100, 300, 1000)
ROUNDS = 5


def _vector(label: str, interpreter: str, kind: str, env: str, n: int) -> Candidate:
    return Candidate(label, interpreter, "vectors.stepped", {"kind": kind, "env": env, "n": n})


def _number(n: int) -> Case:
    env = "CartPole-v1"
    runners = [ours("vectors.stepped", "compiled", kind="native", env=env, n=n)]
    if n <= MOST["sync"]:
        runners += [_vector("sync", "ours", "sync", env, n), _vector("async", "ours", "async", env, n)]
        runners.append(_vector("reference, sync", "reference", "sync", env, n))
    if n <= MOST["reference, async"]:
        runners.append(_vector("reference, async", "reference", "async", env, n))
    runners.append(_vector("reference, in NumPy", "reference", "native", env, n))
    if n <= MOST["envpool"]:
        runners.append(envpool("vectors.stepped", kind="envpool", env=env, n=n))
    if n >= COPIED:
        runners.append(limit("limits.memory", f"copying {BYTES} bytes", size=BYTES, n=n))
    return Case(f"{n:,}", tuple(runners), rounds=ROUNDS, x=n)


def _workers(m: int) -> Case:
    def some(label: str, env: str) -> Candidate:
        return ours("vectors.stepped", label, kind="async", env=env, n=48, num_workers=m)

    return Case(
        f"{m}",
        (some("1 ms a step", "busy:1e-3"), some("50 us a step", "busy:5e-5"), some("CartPole-v1", "CartPole-v1")),
        rounds=ROUNDS,
        x=m,
    )


def _observation(shape: str, size: int) -> Case:
    env, n = f"observing:{shape}", 32
    return Case(
        f"{size:,}",
        (
            _vector("sync", "ours", "sync", env, n),
            _vector("async", "ours", "async", env, n),
            _vector("reference, sync", "reference", "sync", env, n),
            _vector("reference, async", "reference", "async", env, n),
            _vector("SB3 DummyVecEnv", "reference", "dummy", env, n),
            _vector("SB3 SubprocVecEnv", "reference", "subproc", env, n),
        ),
        rounds=ROUNDS,
        x=size,
    )


def _length(steps: int) -> Case:
    env = f"episode:{steps}"
    return Case(
        f"{steps:,}",
        (
            ours("single.with_resets", "one", env_id=env),
            _vector("sync x 16", "ours", "sync", env, 16),
            _vector("async x 16", "ours", "async", env, 16),
            ours("vectors.stepped", "compiled x 4,096", kind="limited", env="Pendulum-v1", n=4096, steps=steps),
            reference("single.with_resets", "reference, one", env_id=env),
            _vector("reference, sync x 16", "reference", "sync", env, 16),
        ),
        rounds=ROUNDS,
        x=steps,
    )


TABLES = (
    Table(
        "growth_number",
        "How cost grows with the number of environments",
        "Steps of one CartPole-v1 in batches of growing size. Each call has a fixed cost, which bends the curves on "
        "the left. On the right, memory adds to it: compare the copy of the bytes that a step has to touch.",
        tuple(_number(n) for n in NUMBERS),
        "environments",
    ),
    Table(
        "growth_workers",
        "How cost grows with the number of workers",
        f"Steps of one environment, of 48 in a growing number of worker processes on {cores()} cores.",
        tuple(_workers(m) for m in WORKERS),
        "worker processes",
    ),
    Table(
        "growth_observation",
        "How cost grows with the size of observations",
        "Steps of one environment that costs nothing itself, of 32, with observations from 4 floats to 84 x 84 x 4 "
        "bytes.",
        tuple(_observation(shape, size) for shape, size in OBSERVATIONS.items()),
        "bytes of an observation",
    ),
    Table(
        "growth_episode",
        "How cost grows with the length of episodes",
        "Steps of Pendulum-v1, cut off after a number of steps. In a batch, a reset takes the place of a step and "
        "counts as one (autoreset mode NEXT_STEP). For a single environment, it is added to the steps.",
        tuple(_length(steps) for steps in LENGTHS),
        "steps of an episode",
    ),
)

if __name__ == "__main__":
    main(TABLES)
