"""Environments on a Ray of this machine, beside our worker processes and a loop over actors."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Candidate, Case, Table, ours

SIZES = {"CartPole-v1": 64, "LunarLander-v3": 16, "HalfCheetah-v5": 16, "busy:0.001": 16}
ACTORS = (1, 4, 16, 64)


def _steps(env: str, n: int) -> Case:
    plain = Candidate("a loop over actors", "ours", "clusters.plain_actors", {"env": env, "n": n}, wanted=2.0)
    ray, local = (ours("clusters.stepped", label, kind=label, env=env, n=n) for label in ("ray", "async"))
    return Case(f"{env} x {n}", (ray, local, plain))


def _rollouts(env: str, n: int) -> Case:
    ray = ours("clusters.collected", "ray", kind="ray", env=env, n=n)
    sizes = {"kind": "async", "env": env, "n": n}
    return Case(f"{env} x {n}", (ray, Candidate("async", "ours", "clusters.collected", sizes, wanted=0.9)))


TABLES = (
    Table(
        "ray steps",
        "Steps on a cluster",
        "Steps of one environment, of batches in two actors on this machine, in two worker processes, and with an "
        "actor for each environment, as people write it.",
        tuple(_steps(env, n) for env, n in SIZES.items()),
        seconds=1.0,
    ),
    Table(
        "ray rollouts",
        "Rollouts on a cluster",
        "Steps of one environment in which a network of two layers of 64 acts, 128 at a time. The two actors collect "
        "by themselves; the worker processes step for this process, which computes the network.",
        tuple(_rollouts(env, n) for env, n in SIZES.items()),
        seconds=1.0,
    ),
    Table(
        "ray actors",
        "Calls on a cluster",
        "A step of a whole batch, of one environment that does nothing on each of so many actors.",
        tuple(Case(f"{n} actors", (ours("clusters.called", "ray", actors=n),), unit="s", x=n) for n in ACTORS),
        seconds=1.0,
    ),
)

if __name__ == "__main__":
    main(TABLES)
