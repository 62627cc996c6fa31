"""Params of each environment and episode: compiled CartPoles, a loop of `set_attr`, and gymnax's under JAX."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Candidate, Case, Table, ours

MANY, SOME = 65_536, 256
WORKERS = 64
SCAN = {"num_envs": 4096, "length": 200}

TABLES = (
    Table(
        "params",
        "Params of each episode",
        "Steps of one environment, with gravity and length drawn for each episode, beside params shared by all. "
        "`set_attr` is called with a list for the batch after each step in which an episode ended.",
        (
            Case(
                f"CartPole-v1, {MANY:,} environments",
                (
                    ours("params.steps", "drawn in the kernels", how="drawn", num_envs=MANY),
                    ours("params.steps", "set for each, once", how="set", num_envs=MANY),
                    ours("params.steps", "shared", how="shared", num_envs=MANY),
                ),
            ),
            Case(
                f"CartPole-v1, {SOME} environments",
                (
                    ours("params.steps", "drawn in the kernels", how="drawn", num_envs=SOME),
                    ours("params.set_all", "set_attr", num_envs=SOME),
                    ours("params.steps", "a loop in Python", how="loop", num_envs=SOME),
                    ours("params.steps", "shared", how="shared", num_envs=SOME),
                ),
            ),
            Case(
                f"CartPole-v1, {SCAN['num_envs']:,} environments",
                (
                    ours("params.steps", "drawn in the kernels", how="drawn", num_envs=SCAN["num_envs"]),
                    ours("params.steps", "shared", how="shared", num_envs=SCAN["num_envs"]),
                    Candidate("gymnax, drawn", "gymnax", "params.gymnax", {"how": "drawn", **SCAN}),
                    Candidate("gymnax, shared", "gymnax", "params.gymnax", {"how": "shared", **SCAN}),
                ),
            ),
        ),
    ),
    Table(
        "teachers",
        "A teacher that says nothing",
        "Steps of one CartPole: `Curriculum` asks the teacher at each step in which episodes begin, and counts returns "
        "and lengths for it. Another teacher reads those of all environments that begin.",
        tuple(
            Case(
                f"{mode}, {n:,} environments",
                (
                    ours("params.taught", "with a teacher", how="silent", num_envs=n, mode=mode),
                    ours("params.taught", "with one that reads returns", how="reader", num_envs=n, mode=mode),
                    ours("params.taught", "without", how="none", num_envs=n, mode=mode),
                ),
            )
            for mode, n in (("compiled", MANY), ("compiled", SCAN["num_envs"]), ("async", WORKERS))
        ),
    ),
)

if __name__ == "__main__":
    main(TABLES)
