"""`import gymnasium` is light, and needs nothing but the core dependencies."""

from __future__ import annotations

import re

import pytest

from tests.architecture.source import HOMES, modules, run_python


def without(libraries: set[str]) -> str:
    """Code that makes these libraries as good as not installed."""
    return f"""
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {libraries!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocker())
"""


WITHOUT_OPTIONAL = without(set(HOMES))


def test_import_gymnasium_loads_no_optional_library() -> None:
    """They are imported by what needs them, when it needs them."""
    loaded = {name.split(".")[0] for name in run_python("import sys, gymnasium; print(*sys.modules)").split()}

    assert not loaded & set(HOMES)


def test_every_module_imports_without_the_optional_libraries() -> None:
    """Or it refuses with the error that holds the line to type, which never names this package."""
    code = f"""{WITHOUT_OPTIONAL}
import importlib
from gymnasium.error import DependencyNotInstalled

for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except DependencyNotInstalled as error:
        command = str(error).partition("pip install ")[2]
        assert command and "gymnasium" not in command, (name, error)
"""
    # The modules of the compiled runner are for those who have llvmlite, a core dependency: nothing else imports them.
    left_out = re.compile(r"__main__$|^palaestra\.(runner|language)\b")
    run_python(code, *(name for name in modules() if not left_out.search(name)))


def test_an_episode_runs_without_the_optional_libraries() -> None:
    """The core dependencies are enough to act in an environment."""
    code = f"""{WITHOUT_OPTIONAL}
import gymnasium

env = gymnasium.make("CartPole-v1")
env.reset(seed=1)
ended = False
while not ended:
    *_, terminated, truncated, _ = env.step(env.action_space.sample())
    ended = terminated or truncated
env.close()
print("ended")
"""
    assert run_python(code) == "ended\n"


# What an extra brings, and what it is for.
ALONE = {
    "jax": (
        {"jax"},
        """
envs = gymnasium.make_vec("CartPole-v1", 2, vectorization_mode="jax")
envs.reset(seed=1)
print(*envs.step(envs.action_space.sample())[1].tolist())
""",
    ),
    "torch": (
        {"torch"},
        """
envs = gymnasium.wrappers.vector.NumpyToTorch(gymnasium.make_vec("CartPole-v1", 2))
envs.reset(seed=1)
print(*envs.step(envs.action_space.sample())[1].tolist())
""",
    ),
    "sb3": (
        {"stable_baselines3", "torch", "matplotlib"},
        """
from palaestra.adapters.stable_baselines3 import VecEnv

envs = VecEnv(gymnasium.make_vec("CartPole-v1", 2))
envs.reset()
print(*envs.step(envs.envs.action_space.sample())[1].tolist())
""",
    ),
    "atari": (
        {"ale_py", "cv2"},
        """
import ale_py
gymnasium.register_envs(ale_py)
env = gymnasium.wrappers.AtariPreprocessing(gymnasium.make("ALE/Freeway-v5", frameskip=1))
env.reset(seed=1)
print(*(float(one[1]) + 1.0 for one in (env.step(0), env.step(0))))
""",
    ),
}


@pytest.mark.parametrize("extra", ALONE)
def test_an_extra_works_without_the_others(extra: str) -> None:
    """Each brings all that it needs."""
    libraries, program = ALONE[extra]
    code = f"{without(set(HOMES) - libraries)}\nimport gymnasium\n{program}"

    assert run_python(code) == "1.0 1.0\n"


@pytest.mark.parametrize("env_id", ["CartPole-v1", "Taxi-v4"])
def test_rendering_without_pygame_names_its_distribution(env_id: str) -> None:
    """The error holds the line to type."""
    code = f"""{WITHOUT_OPTIONAL}
import gymnasium
from gymnasium.error import DependencyNotInstalled

try:
    env = gymnasium.make({env_id!r}, render_mode="rgb_array")
    env.reset(seed=1)
    env.render()
except DependencyNotInstalled as error:
    print(error)
"""
    assert 'pip install "pygame-ce>=' in run_python(code)
