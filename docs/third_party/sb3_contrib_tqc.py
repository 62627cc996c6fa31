"""sb3-contrib: TQC on Pendulum for 2,000 steps, and MaskablePPO on Taxi's action mask."""

import numpy as np
from sb3_contrib import TQC, MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.evaluation import evaluate_policy

import gymnasium

model = TQC("MlpPolicy", "Pendulum-v1", seed=1, device="cpu")
before, _ = evaluate_policy(model, model.get_env(), 5)
model.learn(2_000)
after, _ = evaluate_policy(model, model.get_env(), 5)


def mask(env):
    s = env.unwrapped
    return np.asarray(s.action_mask(s.s), bool)


MaskablePPO("MlpPolicy", ActionMasker(gymnasium.make("Taxi-v4"), mask), n_steps=512, device="cpu").learn(2_000)
print(f"TQC on Pendulum-v1, 2,000 steps: mean return {before:.0f} before, {after:.0f} after; MaskablePPO on Taxi-v4")
