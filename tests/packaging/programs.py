"""What a stranger tries first with each extra; each program fails if its part of the package is not there."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_EPISODE: Final = """
import gymnasium
env = gymnasium.make({id!r}, {arguments})
env.action_space.seed(1)
env.reset(seed=1)
for _ in range(50):
    _, _, terminated, truncated, _ = env.step(env.action_space.sample())
    if terminated or truncated:
        env.reset()
{then}
env.close()
"""


def _episode(id: str, arguments: str = "", then: str = "") -> str:
    return _EPISODE.format(id=id, arguments=arguments, then=then)


_DRAWN: Final = "assert env.render().std() > 0"

PROGRAMS: Final = {
    "": Path(__file__).with_name("bare.py").read_text(encoding="utf-8"),
    "classic-control": _episode("CartPole-v1", "render_mode='rgb_array'", _DRAWN),
    "toy-text": _episode("Taxi-v4", "render_mode='rgb_array'", _DRAWN),
    "box2d": _episode("LunarLander-v3", "render_mode='rgb_array'", _DRAWN),
    "mujoco": _episode("HalfCheetah-v5"),
    "atari": "import ale_py\n" + _episode("ALE/Pong-v5"),
    "jax": """
import gymnasium
envs = gymnasium.make_vec("CartPole-v1", 8, vectorization_mode="jax")
envs.reset(seed=1)
envs.step(envs.action_space.sample())
""",
    "array-api": "from gymnasium.wrappers import ArrayConversion",
    "torch": """
import gymnasium
from gymnasium.wrappers.numpy_to_torch import NumpyToTorch
import torch
env = NumpyToTorch(gymnasium.make("CartPole-v1"))
observation, _ = env.reset(seed=1)
assert isinstance(observation, torch.Tensor)
observation, *_ = env.step(torch.tensor(1))
assert observation.shape == (4,)
""",
    "sb3": """
import gymnasium
from palaestra.adapters.stable_baselines3 import VecEnv
from stable_baselines3 import PPO
PPO("MlpPolicy", VecEnv(gymnasium.make_vec("CartPole-v1", 4)), n_steps=8, batch_size=32, device="cpu").learn(32)
""",
    "ray": """
import gymnasium
if __name__ == "__main__":
    envs = gymnasium.make_vec("CartPole-v1", 2, vectorization_mode="ray", vector_kwargs={"num_workers": 1})
    envs.reset(seed=1)
    envs.step(envs.action_space.sample())
    envs.close()
""",
    "video": """
import gymnasium
from gymnasium.utils.save_video import save_video
import numpy as np
save_video([np.full((32, 32, 3), i, np.uint8) for i in range(20)], "videos", fps=10, name_prefix="a")
import pathlib
assert list(pathlib.Path("videos").glob("*.mp4"))
""",
    "plot": "import matplotlib, gymnasium",
    "record": "import h5py\nfrom palaestra import recording",
    "cli": """
import subprocess, sys
told = subprocess.run([sys.executable, "-m", "palaestra", "list"], capture_output=True, text=True, check=True).stdout
assert "CartPole-v1" in told
""",
    "studio": """
import subprocess, sys, urllib.request
command = [sys.executable, "-m", "palaestra", "studio", "CartPole-v1", "--port", "0", "--no-browser"]
server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
try:
    link = server.stdout.readline().strip()
    for name in ("", "page/main.js", "page/studio.css", "page/vendor/uPlot.esm.js"):
        assert urllib.request.urlopen(link + name).status == 200
finally:
    server.kill()
""",
    "other": "import av, cv2, matplotlib, moviepy, seaborn, gymnasium.wrappers",
}
"""By extra; "" is the bare package."""
