"""The rate of `make(ID).step`, all wrappers of `make` included."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Case, Table, ours, reference

ENV_IDS = ("CartPole-v1", "Pendulum-v1", "FrozenLake-v1", "MountainCar-v0", "Taxi-v4", "Blackjack-v1")


def _case(env_id: str, subject: str, how: str, wanted: float) -> Case:
    return Case(
        f"{env_id}, {how}",
        (
            ours(f"single.{subject}", env_id=env_id),
            reference(f"single.{subject}", wanted=wanted, env_id=env_id),
        ),
    )


TABLES = (
    Table(
        "single_step",
        "One environment",
        "Steps of `make(ID)`, wrappers included, with actions sampled beforehand: the step alone, or with the resets.",
        (
            *(_case(env_id, "step_only", "step alone", 2) for env_id in ENV_IDS[:-1]),
            _case("Blackjack-v1", "step_only", "step alone", 2),
            *(_case(env_id, "with_resets", "with resets", 2) for env_id in ENV_IDS[:-1]),
            _case("Blackjack-v1", "with_resets", "with resets", 5),
        ),
    ),
)

if __name__ == "__main__":
    main(TABLES)
