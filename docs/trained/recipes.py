"""How the agent of each environment's film is trained: a script of examples/, and its arguments."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

# Of the robots that learn by PPO: short rollouts, five passes over them, and no bonus for trying things.
_ROBOT = ("--horizon=64", "--epochs=5", "--entropy=0", "--minibatches=8")

# A floor of squares that rushes by takes many bytes.
_FLOOR: dict[str, Any] = {"fps": 12, "seconds": 4.0}


class Recipe(NamedTuple):
    """The training of one agent, and the film of it."""

    id: str  # the environment of the film
    method: str  # as the caption calls it
    script: str  # of examples/
    arguments: tuple[str, ...]
    alt: str  # what is to be seen
    film_seed: int = 1  # of the episode that is filmed, or the first of several
    episodes: int = 20  # of the measurement
    start: float = 0.0  # s into the episode, where the film begins
    seconds: float = 5.0  # of the film, at most
    fps: int = 16  # of the film, about
    slower: int = 1  # how much slower than the environment's own speed
    trained_as: str = ""  # another id, whose agent is used

    @property
    def name(self) -> str:
        """Of the folder with the agent, and of the film's file: `cart_pole`, `phys2d_cart_pole`."""
        namespace, slash, name = self.id.rpartition("-v")[0].rpartition("/")
        return namespace + ("_" if slash else "") + re.sub(r"(?<=.)([A-Z])", r"_\1", name).lower()


def _ppo(id: str, alt: str, *arguments: str, **film: Any) -> Recipe:
    return Recipe(id, "PPO", "ppo.py", (id, *arguments), alt, **film)


def _table(id: str, alt: str, lessons: int, **film: Any) -> Recipe:
    arguments = (id, f"--episodes={lessons}")
    return Recipe(id, "Q-learning", "q_learning.py", arguments, alt, **film)


RECIPES = (
    Recipe(
        "CartPole-v1",
        "the cross-entropy method",
        "cross_entropy.py",
        (),
        "A cart moves a little to and fro; the pole on it stays upright.",
        episodes=100,
    ),
    _table(
        "MountainCar-v0",
        "A car swings to and fro in a valley, higher each time, until it reaches the flag.",
        10_000,
        episodes=100,
        seconds=8,
    ),
    Recipe(
        "MountainCarContinuous-v0",
        "augmented random search",
        "random_search.py",
        ("MountainCarContinuous-v0", "--directions=16", "--noise=1", "--rate=0.5", "--iterations=40"),
        "A car swings to and fro in a valley until it reaches the flag.",
        episodes=100,
        seconds=8,
    ),
    _ppo(
        "Pendulum-v1",
        "A hanging rod is swung up, and then stands.",
        "--gamma=0.9",
        "--steps=600000",
        "--threshold=-160",
        "--epochs=8",
        "--minibatches=8",
        "--entropy=0",
        film_seed=2,
        episodes=100,
    ),
    _ppo(
        "Acrobot-v1",
        "Two links swing higher and higher until the free end passes the line.",
        "--steps=1000000",
        "--threshold=-75",
        episodes=100,
        seconds=7,
    ),
    _table(
        "FrozenLake-v1",
        "A figure slips across a frozen lake from field to field, to the goal.",
        20_000,
        episodes=1000,
        film_seed=6,
        seconds=7,
    ),
    _table("CliffWalking-v1", "A figure walks along the edge of a cliff to the flag.", 2000, episodes=10),
    _table(
        "Taxi-v4",
        "A taxi fetches a passenger at one stand and sets them down at another.",
        15_000,
        episodes=1000,
        seconds=7,
    ),
    _table(
        "Blackjack-v1",
        "Several hands of Blackjack: the player takes cards or sticks, and the dealer answers.",
        200_000,
        episodes=100_000,
        film_seed=2,
        seconds=12,
        slower=3,
    ),
    _ppo(
        "LunarLander-v3",
        "A lander brakes, turns upright and comes to rest between two flags.",
        "--num-envs=16",
        "--horizon=256",
        "--steps=1500000",
        "--gamma=0.999",
        "--trace=0.98",
        "--minibatches=16",
        "--scale=0.03",
        "--threshold=240",
        episodes=100,
        film_seed=5,
        seconds=8,
    ),
    _ppo(
        "BipedalWalker-v3",
        "A hull on two legs walks over rough ground.",
        "--steps=500000",
        "--rate=1e-3",
        "--threshold=270",
        *_ROBOT,
        start=2,
        film_seed=2,
    ),
    Recipe(
        "CarRacing-v3",
        "the cross-entropy method",
        "car_racing.py",
        (),
        "A car seen from above follows the bends of a road.",
        start=2,
    ),
    _ppo(
        "Ant-v5",
        "A robot with four legs crawls forward.",
        "--steps=400000",
        "--rate=1e-3",
        "--scale=0.1",
        "--deviation=0.3",
        "--threshold=3000",
        *_ROBOT,
        start=1,
        **_FLOOR,
    ),
    Recipe(
        "HalfCheetah-v5",
        "augmented random search",
        "random_search.py",
        ("HalfCheetah-v5", "--iterations=180"),
        "A two-legged robot, seen from the side, runs forward.",
        start=1,
        **_FLOOR,
    ),
    _ppo(
        "Hopper-v5",
        "A robot with one leg hops forward.",
        "--steps=400000",
        "--rate=1e-3",
        "--scale=0.02",
        "--threshold=2500",
        *_ROBOT,
        **_FLOOR,
    ),
    _ppo(
        "Walker2d-v5",
        "A robot with two legs walks forward, seen from the side.",
        "--steps=1000000",
        "--horizon=64",
        "--epochs=8",
        "--minibatches=16",
        "--rate=5e-4",
        "--entropy=0",
        "--scale=0.02",
        "--threshold=5000",
        start=1,
        **_FLOOR,
    ),
    Recipe(
        "Swimmer-v5",
        "augmented random search",
        "random_search.py",
        ("Swimmer-v5", "--directions=4", "--noise=0.02", "--iterations=80"),
        "Three links wind through a fluid.",
        start=1,
        **_FLOOR,
    ),
    _ppo(
        "Humanoid-v5",
        "A body with arms and legs takes a step or two, bends over and falls; twice.",
        "--steps=150000",
        "--rate=1e-3",
        "--scale=0.02",
        "--deviation=0.3",
        "--threshold=5000",
        *_ROBOT,
        **_FLOOR,
    ),
    _ppo(
        "HumanoidStandup-v5",
        "A body lying on the ground raises its upper part.",
        "--steps=100000",
        "--rate=1e-3",
        "--scale=0.0005",
        "--threshold=200000",
        *_ROBOT,
        **_FLOOR,
    ),
    _ppo(
        "InvertedPendulum-v5",
        "A cart on a rail keeps a pole upright.",
        "--steps=300000",
        "--horizon=64",
        "--epochs=8",
        "--minibatches=8",
        "--rate=1e-3",
        "--entropy=0",
        "--threshold=990",
    ),
    _ppo(
        "InvertedDoublePendulum-v5",
        "A cart on a rail keeps two poles upright, one on top of the other.",
        "--steps=400000",
        "--rate=1.5e-3",
        "--scale=0.005",
        "--threshold=9000",
        *_ROBOT,
    ),
    _ppo(
        "Reacher-v5",
        "An arm with two joints brings its tip to the target, again and again.",
        "--steps=300000",
        "--rate=1.5e-3",
        "--scale=0.2",
        "--gamma=0.9",
        "--threshold=-4.5",
        *_ROBOT,
        episodes=100,
    ),
    _ppo(
        "Pusher-v5",
        "An arm on a table pushes a cylinder towards the goal.",
        "--steps=300000",
        "--rate=1e-3",
        "--scale=0.1",
        "--gamma=0.95",
        "--threshold=-30",
        *_ROBOT,
        episodes=100,
        film_seed=6,
    ),
    Recipe(
        "phys2d/CartPole-v1",
        "the cross-entropy method",
        "cross_entropy.py",
        (),
        "A cart moves a little to and fro; the pole on it stays upright.",
        trained_as="CartPole-v1",
    ),
    Recipe(
        "phys2d/Pendulum-v0",
        "PPO",
        "ppo.py",
        (),
        "A hanging rod is swung up, and then stands.",
        trained_as="Pendulum-v1",
    ),
    Recipe(
        "tabular/Blackjack-v0",
        "Q-learning",
        "q_learning.py",
        (),
        "Several hands of Blackjack.",
        trained_as="Blackjack-v1",
        episodes=1000,
        film_seed=2,
        seconds=12,
        slower=3,
    ),
    Recipe(
        "tabular/CliffWalking-v0",
        "Q-learning",
        "q_learning.py",
        (),
        "A figure walks along the edge of a cliff.",
        trained_as="CliffWalking-v1",
        episodes=3,
    ),
)
