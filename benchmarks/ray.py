"""Environments on a Ray of this machine, beside our worker processes, a loop over actors, and RLlib."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Candidate, Case, Table, ours

SIZES = {"CartPole-v1": 64, "LunarLander-v3": 16, "HalfCheetah-v5": 16, "busy:0.001": 16}
ACTORS = (1, 4, 16, 64)
ROUNDS = 5  # clusters take long to start and to measure


def _steps(env: str, n: int) -> Case:
    plain = Candidate("a loop over actors", "ours", "clusters.plain_actors", {"env": env, "n": n}, wanted=2.0)
    ray, local = (ours("clusters.stepped", label, kind=label, env=env, n=n) for label in ("ray", "async"))
    return Case(f"{env} x {n}", (ray, local, plain), rounds=ROUNDS)


def _rollouts(env: str, n: int) -> Case:
    ray = ours("clusters.collected", "ray", kind="ray", env=env, n=n)
    sizes = {"kind": "async", "env": env, "n": n}
    local = Candidate("async", "ours", "clusters.collected", sizes, wanted=0.9)
    rllib = Candidate("RLlib's EnvRunners", "rllib", "rllib_runners.sampled", {"env": env, "n": n}, wanted=2.0)
    return Case(f"{env} x {n}", (ray, local, rllib), rounds=ROUNDS)


def _calls(actors: int) -> Case:
    return Case(f"{actors} actors", (ours("clusters.called", "ray", actors=actors),), unit="s", rounds=ROUNDS)


TABLES = (
    Table(
        "ray steps",
        "Steps on a cluster",
        "Steps of one environment, of batches in two actors on this machine, in two worker processes, and with an "
        "actor for each environment, as people write it.",
        tuple(_steps(env, n) for env, n in SIZES.items()),
        seconds=0.5,
    ),
    Table(
        "ray rollouts",
        "Rollouts on a cluster",
        "Steps of one environment in which a network of two layers of 64 acts, 128 at a time, each time with new "
        "weights. The two actors collect by themselves, and so do RLlib's two EnvRunners, which leave the critic to "
        "the learner; the worker processes step for this process, which computes the network.",
        tuple(_rollouts(env, n) for env, n in SIZES.items()),
        seconds=0.5,
    ),
    Table(
        "ray actors",
        "Calls on a cluster",
        "A step of a whole batch, of one environment that does nothing on each of so many actors.",
        tuple(map(_calls, ACTORS)),
        seconds=0.5,
    ),
)

if __name__ == "__main__":
    main(TABLES)
