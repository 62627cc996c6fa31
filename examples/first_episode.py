"""The first episodes: two small agents learn, are measured before and after, and are filmed.

    make run                                  or: python examples/first_episode.py
    python examples/first_episode.py --help   the settings

Read this file first, then `q_learning.py` and `cross_entropy.py`: each is one algorithm in one page.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cross_entropy
import q_learning
from report import draw_learning_curves, print_summary, record

parser = argparse.ArgumentParser(description="Train, measure and film an agent on FrozenLake and one on CartPole.")
parser.add_argument("--episodes", type=int, default=20_000, help="episodes of Q-learning on FrozenLake (20000)")
parser.add_argument("--generations", type=int, default=15, help="generations of the cross-entropy method (15)")
parser.add_argument("--evaluation", type=int, default=1000, help="episodes of each measurement on FrozenLake (1000)")
parser.add_argument("--seed", type=int, default=1, help="seed of everything; the same seed gives the same agents (1)")
parser.add_argument("--out", type=Path, default=Path("out"), help="the folder for the picture and the videos (out)")


def main() -> None:
    options = parser.parse_args()
    if min(options.episodes, options.generations, options.evaluation) < 1:
        parser.error("--episodes, --generations and --evaluation have to be at least 1")
    options.out.mkdir(parents=True, exist_ok=True)

    # FrozenLake: 16 tiles, 4 moves, and slippery ice. A table of 16 x 4 numbers is enough to learn it.
    lake_before = q_learning.mean_return(q_learning.random_policy(options.seed), options.evaluation, options.seed)
    lake = q_learning.train(options.episodes, options.seed)
    lake_after = q_learning.mean_return(lake.policy, options.evaluation, options.seed)

    # CartPole: four real numbers are observed, so no table; but four weights are enough to decide left or right.
    # A tenth of the episodes will do: after training they are 500 steps long.
    balances = max(1, options.evaluation // 10)
    pole_before = cross_entropy.evaluate(cross_entropy.random_policy(options.seed), balances, options.seed)
    pole = cross_entropy.train(options.generations, options.seed)
    pole_after = cross_entropy.evaluate(pole.policy, balances, options.seed)

    files = [
        draw_learning_curves(options.out / "learning_curves.png", lake.returns, pole.returns),
        record("FrozenLake-v1", lake.policy, options.out / "frozen_lake.gif", episodes=3, seed=options.seed),
        record("CartPole-v1", pole.policy, options.out / "cartpole.mp4", episodes=1, seed=options.seed),
    ]
    print_summary(
        [
            ("FrozenLake-v1", "goal reached", f"{lake_before:.1%}", f"{lake_after:.1%}", lake.speed),
            (
                "CartPole-v1",
                "mean return",
                f"{pole_before.mean_return:.1f}",
                f"{pole_after.mean_return:.1f}",
                pole.speed,
            ),
            ("CartPole-v1", "full 500 steps", f"{pole_before.full:.1%}", f"{pole_after.full:.1%}", pole.speed),
        ],
        files,
    )


if __name__ == "__main__":
    main()
