"""MuJoCo batches beside EnvPool's and bare calls of the engine, and a single step."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Candidate, Case, Table, limit, ours, reference

BATCHES = ("HalfCheetah-v5", "Ant-v5", "Humanoid-v5", "Walker2d-v5")
N, STEPS = 256, 20
SINGLE, SINGLE_STEPS = "HalfCheetah-v5", 500


def _batch(env_id: str) -> Case:
    sizes = {"env_id": env_id, "n": N}
    return Case(
        f"{env_id} x {N}",
        (
            ours("robots.batch", **sizes),
            Candidate("EnvPool", "envpool", "robots.envpool", sizes, 1.2),
            limit("robots.engine", "mj_step by mujoco.rollout", 0.9, **sizes),
        ),
        work=STEPS,
    )


TABLES = (
    Table(
        "mujoco_batches",
        "MuJoCo",
        "Steps of one robot, in batches on all cores, and of a single one. The limit is the engine by itself "
        "(`mujoco.rollout`, which also sets and reads each state), on the very steps that our batch takes.",
        (
            *(_batch(env_id) for env_id in BATCHES),
            Case(
                f"{SINGLE}, a single one",
                (
                    ours("robots.single", env_id=SINGLE),
                    reference("robots.single", wanted=1 / 0.9, env_id=SINGLE),
                    limit("robots.engine", "mj_step by mujoco.rollout", env_id=SINGLE, n=1),
                ),
                work=SINGLE_STEPS,
            ),
        ),
    ),
)

if __name__ == "__main__":
    main(TABLES)
