"""Batches under JAX: one jitted scan, with random actions, ours and gymnax's."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Candidate, Case, Table, ours

SIZE = {"num_envs": 4096, "steps": 1000}

TABLES = (
    Table(
        "jax_scan",
        "JAX",
        "Steps of one environment, in one jitted scan of 1,000 steps over 4,096 CartPoles with random actions, on the "
        "processor; compilation left out.",
        (
            Case(
                "CartPole-v1, scan",
                (
                    ours("scans.scan", who="ours", **SIZE),
                    Candidate("gymnax", "gymnax", "scans.scan", {"who": "gymnax", **SIZE}, 1),
                ),
                work=1,
            ),
            Case(
                "CartPole as an ordinary class, scan",
                (
                    ours("scans.scan", who="classes:PlainCartPole", **SIZE),
                    Candidate("gymnax", "gymnax", "scans.scan", {"who": "gymnax", **SIZE}, 1),
                ),
                work=1,
            ),
            Case(
                "The docs' grid world, an ordinary class, scan",
                (ours("scans.scan", who="classes:PlainGridWorld", **SIZE),),
                work=1,
            ),
        ),
    ),
)

if __name__ == "__main__":
    main(TABLES)
