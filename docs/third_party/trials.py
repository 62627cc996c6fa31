"""The trials: packages of environments by `environments.py`, libraries that train by a program each."""

from __future__ import annotations

from typing import NamedTuple


class Trial(NamedTuple):
    """One package, in a virtual environment of its own.

    Attributes:
        package: Its name on PyPI.
        program: A file of this folder.
        arguments: Of that program.
        also: Other packages that the program needs, or versions of them.
        alone: Others still, installed without those that they require.
        about: A short description of the package.
        wanted: The requirement to install instead of the name: with extras, or a version.
        note: A remark on the result.
    """

    package: str
    about: str
    program: str
    arguments: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    wanted: str = ""
    note: str = ""
    alone: tuple[str, ...] = ()


def environments(
    package: str, about: str, module: str, *ids: str, also: tuple[str, ...] = (), wanted: str = "", note: str = ""
) -> Trial:
    """Returns the trial of a package that registers environments."""
    return Trial(package, about, "environments.py", (module, *ids), also, wanted, note)


TORCH = ("torch==2.13.0",)

TRIALS = (
    Trial("stable-baselines3", "PPO, SAC, DQN and others in PyTorch", "stable_baselines3_ppo.py", also=TORCH),
    Trial("sb3-contrib", "more algorithms for Stable-Baselines3", "sb3_contrib_tqc.py", also=TORCH),
    Trial("tianshou", "algorithms in PyTorch", "tianshou_collect.py", also=TORCH),
    Trial(
        "torchrl",
        "PyTorch's own library",
        "torchrl_rollout.py",
        also=TORCH,
        note="Of the 62 cases of its `test/libs/test_gym.py` for this API, 49 pass, 8 are skipped and 5 fail, the same "
        "ones under Gymnasium: its workers do not import `ale_py`, and it converts no text space of Minigrid.",
    ),
    Trial("ray", "RLlib, distributed training", "rllib_ppo_sac.py", also=TORCH, wanted="ray[rllib]>=2.50"),
    Trial("d3rlpy", "learning from recorded data", "d3rlpy_dqn.py", also=TORCH),
    Trial(
        "rl-zoo3",
        "training by commands, for Stable-Baselines3",
        "rl_zoo3_video.py",
        also=(*TORCH, "moviepy", "requests"),
    ),
    Trial(
        "sheeprl",
        "algorithms in Lightning",
        "sheeprl_ppo_sac.py",
        also=TORCH,
    ),
    Trial("evotorch", "evolutionary search in PyTorch", "evotorch_pgpe.py", also=TORCH),
    Trial(
        "dopamine-rl",
        "Google's algorithms in JAX",
        "dopamine_dqn.py",
        also=("jax==0.6.2", "jaxlib==0.6.2", "flax<0.11", "optax<0.2.6", "ale-py", "opencv-python-headless"),
        note="With JAX 0.6: its requirement TensorFlow Probability does not import under newer ones.",
        alone=("baselines==0.1.5", "cloudpickle", "joblib"),
    ),
    Trial(
        "pufferlib",
        "fast training; its emulation of flat spaces",
        "pufferlib_emulation.py",
        wanted="pufferlib==2.0.2",
        also=("numpy>=2.0",),
        note="The newest version that has a wheel: to build a later one downloads from GitHub.",
    ),
    Trial("skrl", "algorithms in PyTorch and JAX", "skrl_wrap.py", also=TORCH),
    Trial(
        "imitation",
        "learning from demonstrations",
        "imitation_bc.py",
        also=TORCH,
        wanted="imitation>=1.0.1",
        note="It imports `gymnasium.wrappers.monitoring`, which the API has not had since version 1.0.",
    ),
    Trial("minari", "recorded data sets", "minari_record.py", wanted="minari[all]", also=("pillow",)),
    Trial("pettingzoo", "several agents at once", "pettingzoo_cooperative.py", also=("pygame-ce", "pymunk", "scipy")),
    Trial(
        "posggym",
        "several agents, each with a view of its own",
        "posggym_agents.py",
        wanted="posggym==0.3.2",
        note="The newest version that has a wheel.",
    ),
    Trial("supersuit", "wrappers", "supersuit_wrappers.py", also=("pettingzoo", "opencv-python-headless")),
    Trial(
        "shimmy",
        "dm-control and others as environments",
        "shimmy_dm_control.py",
        also=("mujoco<3.4",),
        wanted="shimmy[dm-control]",
        note="With MuJoCo 3.3: version 4 is newer than dm-control.",
    ),
    Trial("bsuite", "small tests of behaviour", "bsuite_catch.py", also=("shimmy",)),
    environments("ale-py", "Atari games", "ale_py", "ALE/Pong-v5", "ALE/Breakout-v5"),
    environments(
        "minigrid", "grid worlds", "minigrid", "MiniGrid-Empty-5x5-v0", "MiniGrid-DoorKey-8x8-v0", "BabyAI-GoToObj-v0"
    ),
    environments("miniworld", "rooms in 3D", "miniworld_headless", "MiniWorld-Hallway-v0", "MiniWorld-OneRoom-v0"),
    environments(
        "highway-env", "driving", "highway_env", "highway-v0", "merge-v0", "roundabout-v0", "parking-v0", "racetrack-v0"
    ),
    environments(
        "gymnasium-robotics",
        "robots that reach and grasp",
        "gymnasium_robotics",
        "FetchReach-v4",
        "PointMaze_UMaze-v3",
        "HandReach-v3",
        "AdroitHandDoor-v1",
        also=("mujoco<3.4",),
        note="With MuJoCo 3.3: version 4 is newer than the package.",
    ),
    environments("metaworld", "fifty tasks of one arm", "metaworld_reach", "Reach-v0", wanted="metaworld>=3.1"),
    Trial("mo-gymnasium", "several rewards at once", "mo_gymnasium_rewards.py"),
    environments("flappy-bird-gymnasium", "the game", "flappy_bird_gymnasium", "FlappyBird-v0"),
    environments("panda-gym", "a robot's arm in PyBullet", "panda_gym", "PandaReach-v3", "PandaPush-v3"),
    environments("pyflyt", "drones in PyBullet", "PyFlyt.gym_envs", "PyFlyt/QuadX-Hover-v4"),
    environments("vizdoom", "the shooter, from pixels", "vizdoom.gymnasium_wrapper", "VizdoomBasic-v1"),
    environments("crafter", "a world to survive in", "crafter_gymnasium", "Crafter-v0"),
    environments("nle", "NetHack", "nle", "NetHackScore-v0"),
    environments(
        "popgym",
        "partial observation",
        "popgym",
        "popgym-RepeatPreviousEasy-v0",
        "popgym-NoisyPositionOnlyCartPoleEasy-v0",
    ),
    environments("gym-pusht", "push a T", "gym_pusht", "gym_pusht/PushT-v0"),
    environments("gym-aloha", "two arms", "gym_aloha", "gym_aloha/AlohaInsertion-v0"),
    environments("tetris-gymnasium", "the game", "tetris_gymnasium.envs", "tetris_gymnasium/Tetris"),
    environments("gymnasium-2048", "the game", "gymnasium_2048", "gymnasium_2048/TwentyFortyEight-v0"),
    environments("gym-simplegrid", "grid worlds", "gym_simplegrid", "SimpleGrid-4x4-v0"),
    environments("gymnasium-search-race", "a race", "gymnasium_search_race", "gymnasium_search_race/SearchRace-v3"),
    environments("gym-anytrading", "trading", "gym_anytrading", "stocks-v0", "forex-v0"),
    environments("bluesky-gym", "air traffic", "bluesky_registered", "DescentEnv-v0"),
    environments("buffalo-gym", "bandits", "buffalo_gym", "Buffalo-v0"),
)
