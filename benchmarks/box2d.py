"""Box2D environments beside the reference's and EnvPool's, and what of a step the engine takes.

All simulate with the same engine and the same solver settings; ours have their hinges solved by machine code of ours.
"""

from __future__ import annotations

from typing import NamedTuple

from benchmarks.alone import main
from benchmarks.cases import Case, Table, envpool, ours, reference


class Family(NamedTuple):
    """An environment, how many steps a round has, and the ratios that are wanted."""

    env_id: str
    steps: int
    wanted: float | None
    n: int | None = None  # of them in a batch beside EnvPool
    pool: float | None = None


BEFORE = 10_000  # steps of a process, after which it has loaded machine code
WORKERS = 2
FAMILIES = (
    Family("LunarLander-v3", 3000, 1.2, 64, 1.0),
    Family("BipedalWalker-v3", 1500, 2.5, 64, 1.4),
    Family("BipedalWalkerHardcore-v3", 1500, None),
    Family("CarRacing-v3", 150, 10, 16, 1.5),
)


def _single(family: Family) -> Case:
    env = {"env_id": family.env_id}
    return Case(
        f"{family.env_id}, resets left out",
        (
            ours("single.step_only", before=BEFORE, **env),
            reference("single.step_only", wanted=family.wanted, **env),
            ours("boxes.world_step", "world.Step as it is", **env),
        ),
        work=family.steps,
    )


def _batch(family: Family, n: int) -> Case:
    sizes = {"env": family.env_id, "n": n}
    return Case(
        f"{family.env_id} x {n}",
        (
            ours("vectors.stepped", kind="default", before=WORKERS * BEFORE // n, **sizes),
            envpool("vectors.stepped", family.pool, kind="envpool", **sizes),
        ),
        work=max(5, 4 * family.steps // n),
    )


TABLES = (
    Table(
        "box2d",
        "Box2D",
        "Steps of a single environment, and of one in a batch (worker processes, beside EnvPool's threads), and the "
        "share of the engine's own `world.Step`. Part of our environment is machine code, which is loaded after "
        "10,000 steps of a process, before these rounds.",
        (
            *(_single(family) for family in FAMILIES),
            *(_batch(family, family.n) for family in FAMILIES if family.n),
        ),
    ),
)

if __name__ == "__main__":
    main(TABLES)
