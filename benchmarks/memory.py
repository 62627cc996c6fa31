"""How much memory an environment takes."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Case, Table, ours, reference

ROUNDS = 3


def _case(title: str, made: str, n: int, few: int = 1) -> Case:
    asked = {"made": made, "n": n, "few": few}
    return Case(f"{title} x {n:,}", (ours("fresh.memory", **asked), reference("fresh.memory", **asked)), "B", 1, ROUNDS)


TABLES = (
    Table(
        "memory",
        "Memory",
        "The memory that one environment of a batch adds to a process and to those that it starts (the proportional "
        "set size), after a few steps. Code and libraries, which are there once, are left out, except in worker "
        "processes, where each process counts.",
        (
            _case("CartPole-v1, in one process", "SyncVectorEnv([lambda: gymnasium.make('CartPole-v1')] * n)", 1000),
            _case(
                "CartPole-v1, in worker processes", "AsyncVectorEnv([lambda: gymnasium.make('CartPole-v1')] * n)", 64
            ),
            _case(
                "CartPole-v1, compiled (reference: in NumPy)",
                "gymnasium.make_vec('CartPole-v1', n, 'vector_entry_point')",
                200_000,
            ),
            _case("HalfCheetah-v5, make_vec", "gymnasium.make_vec('HalfCheetah-v5', n)", 256),
        ),
    ),
)

if __name__ == "__main__":
    main(TABLES)
