"""The trajectories of the specification's table, to the bit."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np
import pytest

from gymnasium.envs.classic_control.acrobot import AcrobotEnv
from gymnasium.envs.classic_control.cartpole import CartPoleEnv
from gymnasium.envs.classic_control.continuous_mountain_car import Continuous_MountainCarEnv
from gymnasium.envs.classic_control.mountain_car import MountainCarEnv
from gymnasium.envs.classic_control.pendulum import PendulumEnv

# Observations of the reset, of steps 1 and 2, of the last step; rewards of steps 1 and 2; their sum; number of steps.
TRACES = {
    CartPoleEnv: (
        [0.018235186114907265, -0.044617898762226105, -0.027964012697339058, -0.031562820076942444],
        [0.01734282821416855, -0.23932790756225586, -0.028595268726348877, 0.25216764211654663],
        [0.012556270696222782, -0.043809544295072556, -0.02355191670358181, -0.049395851790905],
        [-0.18129682540893555, -0.635585606098175, 0.21786552667617798, 0.9913747310638428],
        (1.0, 1.0, 19.0, 19),
    ),
    MountainCarEnv: (
        [-0.4635296165943146, 0.0],
        [-0.4649777114391327, -0.0014480841346085072],
        [-0.4658631980419159, -0.0008854793850332499],
        [-0.5353718400001526, -0.0011888666776940227],
        (-1.0, -1.0, -60.0, 60),
    ),
    Continuous_MountainCarEnv: (
        [-0.4635296165943146, 0.0],
        [-0.46343064308166504, 9.897141717374325e-05],
        [-0.46511903405189514, -0.0016883800271898508],
        [-0.5480128526687622, -0.0019611131865531206],
        (-0.01330087996236138, -0.0796302702793824, -2.0383546801250967, 60),
    ),
    PendulumEnv: (
        [0.4123624861240387, 0.9110198616981506, -0.8923579454421997],
        [0.4168979525566101, 0.9089533090591431, -0.09968195110559464],
        [0.4025616943836212, 0.9153928756713867, 0.31432563066482544],
        [-0.9933459162712097, -0.11516879498958588, 6.665020942687988],
        (-1.3929066265046341, -1.3055269542483878, -299.86329156000613, 60),
    ),
    AcrobotEnv: (
        [
            0.9993350505828857,
            0.03646228834986687,
            0.9960211515426636,
            -0.08911741524934769,
            -0.055928025394678116,
            -0.06312564015388489,
        ],
        [
            0.9994611144065857,
            0.032824885100126266,
            0.9923883676528931,
            -0.1231476217508316,
            0.019028760492801666,
            -0.27346763014793396,
        ],
        [
            0.9998608827590942,
            0.016681551933288574,
            0.9920384883880615,
            -0.1259349286556244,
            -0.17697322368621826,
            0.2427651435136795,
        ],
        [
            0.9991228580474854,
            -0.04187474027276039,
            0.9977521300315857,
            -0.06701234728097916,
            -1.0308161973953247,
            1.2166482210159302,
        ],
        (-1.0, -1.0, -60.0, 60),
    ),
}


@pytest.mark.parametrize("make", TRACES, ids=lambda make: make.__name__)
def test_trajectory_is_the_recorded_one(make):
    """Seed 123 for the environment and the actions, up to 60 steps or the end."""
    at_reset, at_1, at_2, at_end, (reward_1, reward_2, total, length) = TRACES[make]
    env = make()
    observation, info = env.reset(seed=123)
    assert info == {}
    env.action_space.seed(123)
    observations, rewards, terminated = [observation], [], False
    while not terminated and len(rewards) < 60:
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        observations.append(observation)
        rewards.append(reward)
        assert (truncated, info) == (False, {})
    assert [o.tolist() for o in (*observations[:3], observations[-1])] == [at_reset, at_1, at_2, at_end]
    assert all(o.dtype == np.float32 for o in observations)
    added = reduce(add, rewards)  # from Python 3.12 on, sum() loses less
    assert (rewards[0], rewards[1], added, len(rewards)) == (reward_1, reward_2, total, length)
