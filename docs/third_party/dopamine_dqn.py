"""Dopamine: its DQN in JAX on CartPole, and its preprocessing of Atari's Pong."""

import hashlib

import gin
import numpy as np
from dopamine.discrete_domains import atari_lib, gym_lib
from dopamine.jax import networks
from dopamine.jax.agents.dqn import dqn_agent

gin.bind_parameter("ReplayBuffer.batch_size", 32)
gin.bind_parameter("ReplayBuffer.max_capacity", 10_000)
env = gym_lib.create_gym_environment("CartPole", "v1")
agent = dqn_agent.JaxDQNAgent(num_actions=env.action_space.n, observation_shape=(4,), observation_dtype=np.float64,
                              stack_size=1, network=networks.ClassicControlDQNNetwork, min_replay_history=200,
                              target_update_period=100, epsilon_decay_period=500, seed=0)  # fmt: skip


def episode():
    action, total, done = agent.begin_episode(env.reset()), 0.0, False
    while not done:
        observation, reward, done, _ = env.step(action)
        total += reward
        action = agent.step(reward, observation)
    agent.end_episode(reward, done)
    return total


env.environment.reset(seed=0)
returns = [episode() for _ in range(40)]
pong = atari_lib.create_atari_environment("Pong", sticky_actions=False)
pong.environment.reset(seed=0)
seen = hashlib.sha256(pong.reset().tobytes())
for step in range(100):
    seen.update(pong.step(step % 6)[0].tobytes())
print(
    f"JaxDQNAgent on CartPole-v1, 40 episodes: mean return {np.mean(returns):.1f}, of the last ten "
    f"{np.mean(returns[-10:]):.1f}; 100 steps of Pong, preprocessed ({seen.hexdigest()[:8]})"
)
