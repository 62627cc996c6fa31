"""The rate of `palaestra.rollout`, beside the loops of CleanRL's and SB3's PPO, gymnax's scan, and a loop in NumPy."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Candidate, Case, Table, ours, reference

CARTPOLE = "CartPole-v1"
SIZES = (16, 64, 1024)
SLOW = {"LunarLander-v3": 16, "busy:0.001": 16}


def _networks(n: int) -> Case:
    candidates = (
        ours("rollouts.by_rollout", "rollout, MLP", env=CARTPOLE, n=n, policy="mlp"),
        ours("rollouts.by_rollout", "rollout, PyTorch", env=CARTPOLE, n=n, policy="torch"),
        ours("rollouts.by_loop_over_tensors", "CleanRL's loop, compiled", env=CARTPOLE, n=n),
        ours("rollouts.by_loop_over_tensors", "CleanRL's loop, sync", env=CARTPOLE, n=n, kind="sync"),
        reference("rollouts.by_loop_over_tensors", "reference, CleanRL's loop", env=CARTPOLE, n=n, kind="sync"),
        ours("rollouts.by_collect_rollouts", "SB3's collect_rollouts", env=CARTPOLE, n=n),
        Candidate("gymnax's lax.scan", "gymnax", "scans.acting", {"num_envs": n, "steps": 128}),
    )
    return Case(f"a network, {n}", candidates)


def _wrapped(n: int) -> Case:
    candidates = (
        ours("rollouts.by_rollout", "rollout, MLP", env=CARTPOLE, n=n, policy="mlp", wrapped=True),
        ours("rollouts.by_rollout", "its plain loop, MLP", env=CARTPOLE, n=n, policy="mlp", wrapped=True, plain=True),
        ours("rollouts.by_rollout", "rollout, PyTorch", env=CARTPOLE, n=n, policy="torch", wrapped=True),
    )
    return Case(f"a network, three wrappers, {n}", candidates)


def _arrays(n: int) -> Case:
    candidates = (
        ours("rollouts.by_rollout", "rollout", env=CARTPOLE, n=n, policy="numpy"),
        ours("rollouts.by_loop_over_arrays", "a loop in NumPy", env=CARTPOLE, n=n),
    )
    return Case(f"a comparison in NumPy, {n}", candidates)


def _halves(env: str, n: int) -> Case:
    both = [
        ours("rollouts.by_rollout", label, env=env, n=n, policy="torch", kind="async", overlap=overlap)
        for label, overlap in (("overlapped halves", True), ("plain loop", False))
    ]
    return Case(f"{env} x {n}", tuple(both), work=1)


TABLES = (
    Table(
        "rollouts",
        "Rollouts",
        "Steps of CartPoles in which a policy acts, kept as arrays with log-probabilities and values, 128 at a time. "
        "The network has two layers of 64 for the actor, and two for the critic; the first candidate computes it in "
        "machine code. SB3 steps its DummyVecEnv. The wrappers are RecordEpisodeStatistics, NormalizeObservation and "
        "ClipReward.",
        (*map(_networks, SIZES), *map(_wrapped, SIZES), *map(_arrays, SIZES)),
        seconds=0.5,
    ),
    Table(
        "overlap",
        "Rollouts with overlap",
        "Steps of environments in worker processes: every second one steps while the network looks at the others, or "
        "all step together.",
        tuple(_halves(env, n) for env, n in SLOW.items()),
    ),
)

if __name__ == "__main__":
    main(TABLES)
