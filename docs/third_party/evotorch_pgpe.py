"""EvoTorch: PGPE over its GymNE and, for batches of environments, VecGymNE."""

import torch
from evotorch.algorithms import PGPE
from evotorch.neuroevolution import GymNE, VecGymNE

import gymnasium


def evolved(kind, env, generations=4):
    problem = kind(env, "Linear(obs_length, act_length)", observation_normalization=True)
    search = PGPE(problem, popsize=20, center_learning_rate=0.2, stdev_learning_rate=0.1, radius_init=1.0)
    means = []
    for _ in range(generations):
        search.step()
        means.append(float(search.status["mean_eval"]))
    return means


def seeded():
    env = gymnasium.make("CartPole-v1")
    env.reset(seed=0)
    return env


torch.manual_seed(0)
single, batches = evolved(GymNE, seeded), evolved(VecGymNE, "CartPole-v1")
assert single[-1] > single[0] and batches[-1] > batches[0]
print(
    f"PGPE on CartPole-v1, 4 generations of 20: mean return {single[0]:.2f}, then {single[-1]:.2f} by GymNE; "
    "by VecGymNE, which takes no seed, it rises as well"
)
