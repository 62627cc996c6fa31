"""A toy environment and a toy wrapper, added to a copy of the package by the lists in CONTRIBUTING.md."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import ROOT
from tests.thorough import THOROUGH

# The files of each list, in its order: new ones, and places in others with the text that goes before them.
DYNAMICS = '''
"""Toy: walk to the right end of a line."""

from typing import Any, NamedTuple

import numpy as np

from gymnasium.functional.env import FunctionalEnv
from gymnasium.functional.func_env import FuncEnv
from gymnasium.functional.ops import clip
from gymnasium.spaces import Box, Discrete


class State(NamedTuple):
    """The place on the line."""

    position: float


class Params(NamedTuple):
    """The length of the line."""

    length: float = 3.0


class Toy(FuncEnv):
    """The dynamics."""

    observation_space = Box(-1.0, 100.0, (1,), np.float32)
    action_space = Discrete(2)
    metadata = {"render_modes": ["rgb_array"], "render_fps": 10}
    drawing = "gymnasium.envs.classic_control.drawing.toy"

    @staticmethod
    def initial(rng: Any, params: Any = None) -> State:
        """Near the left end."""
        return State(rng.uniform(0.0, 1.0))

    @staticmethod
    def transition(state: Any, action: Any, rng: Any, params: Any = None) -> State:
        """A step to the left or to the right."""
        return State(clip(state.position + (2.0 * action - 1.0) * 0.5, 0.0, params.length))

    @staticmethod
    def observation(state: Any, rng: Any, params: Any = None) -> tuple[float]:
        """The place."""
        return (state.position,)

    @staticmethod
    def reward(state: Any, action: Any, next_state: Any, rng: Any, params: Any = None) -> float:
        """-1 a step."""
        return -1.0

    @staticmethod
    def terminal(state: Any, rng: Any, params: Any = None) -> bool:
        """At the right end."""
        return state.position >= params.length

    def get_default_params(self, **kwargs: Any) -> Params:
        """The usual length."""
        return Params(**kwargs)


class ToyEnv(FunctionalEnv):
    """Toy: walk to the right end of a line."""

    dynamics = Toy

    def __init__(self, render_mode: str | None = None) -> None:
        super().__init__(None, render_mode)

    def get_keys_to_action(self) -> dict[str, int]:
        """The letters a and d."""
        return {"a": 0, "d": 1}
'''
DRAWING = '''
"""The line and the walker."""

from typing import Any


def size(params: Any) -> tuple[int, int]:
    """The size of the picture."""
    return 60, 20


def draw(canvas: Any, state: Any, params: Any) -> None:
    """Draw the walker."""
    canvas.rectangle(int(50 * state.position / params.length), 5, 10, 10, (200, 30, 30))
'''
BATCH = '''

from gymnasium.envs.classic_control.toy import ToyEnv


class ToyVectorEnv(CompiledVectorEnv):
    """Copies of Toy."""

    def __init__(self, num_envs: int = 1, **arguments: Any) -> None:
        super().__init__(ToyEnv, num_envs, **arguments)
'''
TRANSFORM = '''
"""Rewards as their signs."""

from typing import Any

import numpy as np


def signs(rewards: Any) -> Any:
    """The sign of a reward, or of each reward of a batch."""
    return np.sign(rewards)
'''
WRAPPER = '''

from gymnasium.transforms.toy import signs


class SignOfReward(TransformReward[ObsType, ActType], Generic[ObsType, ActType]):
    """Replaces rewards by their signs."""

    def __init__(self, env: Env[ObsType, ActType]) -> None:
        RecordConstructorArgs.__init__(self)
        super().__init__(env, signs)
'''
TWIN = '''

from gymnasium.transforms.toy import signs


class SignOfReward(TransformReward[ObsType, ActType]):
    """Replaces rewards by their signs."""

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        super().__init__(env, signs)
'''
CONTROL = "gymnasium/envs/classic_control"

ENVIRONMENT_LAWS = """
import numpy as np
import gymnasium as gym
from palaestra.testing import check_func_env
from gymnasium.envs.classic_control.toy import Toy
from gymnasium.utils.env_checker import check_env

env = gym.make("Toy-v0", render_mode="rgb_array")
check_env(env.unwrapped)
check_func_env(Toy())
env.reset(seed=3)
assert env.render().shape == (20, 60, 3)
batch = gym.make_vec("Toy-v0", 5)
assert type(batch.unwrapped).__name__ == "ToyVectorEnv"
one = gym.make_vec("Toy-v0", 5, vectorization_mode="sync")
for envs in (batch, one):
    envs.action_space.seed(1)
first, second = batch.reset(seed=7)[0], one.reset(seed=7)[0]
for _ in range(50):
    assert np.array_equal(first, second)
    first, second = batch.step(batch.action_space.sample())[0], one.step(one.action_space.sample())[0]
print("kept")
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for folder in ("gymnasium", "palaestra", "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def put(file: Path, before: str, added: str) -> None:
    """Add a text behind the first place of another one."""
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, before + added, 1), encoding="utf-8")


def extend(file: Path, added: str) -> None:
    file.write_text(file.read_text(encoding="utf-8") + added, encoding="utf-8")


def run(copy: Path, *command: str) -> str:
    """Runs Python in the copy."""
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); exec(sys.argv.pop(1))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(copy), *command], cwd=copy, capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_an_environment_joins_by_the_list(copy: Path) -> None:
    """It is made, drawn, checked, and runs compiled as in one process."""
    (copy / CONTROL / "toy.py").write_text(DYNAMICS, encoding="utf-8")
    (copy / CONTROL / "drawing" / "toy.py").write_text(DRAWING, encoding="utf-8")
    extend(copy / "palaestra/runner/classic_control.py", BATCH)
    batch = "palaestra.runner.classic_control:ToyVectorEnv"
    row = f'    Row("Toy-v0", "classic_control.toy:ToyEnv", 20, vector_class="{batch}"),\n'
    put(copy / "gymnasium/envs/_registry/builtin.py", "CLASSIC_CONTROL = (\n", row)
    extend(copy / CONTROL / "__init__.py", "from gymnasium.envs.classic_control.toy import ToyEnv\n")

    assert run(copy, ENVIRONMENT_LAWS) == "kept\n"


def test_a_wrapper_joins_by_the_list(copy: Path) -> None:
    """The laws over all wrappers find it, and it keeps them."""
    package = copy / "gymnasium" / "wrappers"
    (copy / "gymnasium/transforms/toy.py").write_text(TRANSFORM, encoding="utf-8")
    extend(package / "transform_reward.py", WRAPPER)
    extend(package / "vector" / "vectorize_reward.py", TWIN)
    put(package / "__init__.py", '"transform_reward": (', '"SignOfReward", ')
    put(package / "__init__.py", '__all__ = [\n    "', 'SignOfReward",\n    "')
    put(package / "vector" / "__init__.py", '"vectorize_reward": (', '"SignOfReward", ')
    put(package / "vector" / "__init__.py", '__all__ = [\n    "', 'SignOfReward",\n    "')
    put(copy / "tests/wrapper_zoo.py", "\nCASES = [\n", '    Case("CartPole-v1", "SignOfReward"),\n')
    laws = "tests/contracts/test_wrapper_laws.py"
    # To compile the copy's CartPole takes longer than all other laws.
    named = "SignOfReward" if THOROUGH else "SignOfReward and not compiled"

    told = run(copy, f"import pytest; sys.exit(pytest.main(['-q', '-k', {named!r}, '-p', 'no:xdist', {laws!r}]))")

    assert int(told.rpartition(" passed")[0].split()[-1]) > 10
