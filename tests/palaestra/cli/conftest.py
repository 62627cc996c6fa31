"""The command line as the tests call it, and an environment whose every number is known."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.palaestra.cli import process

ROOT = Path(__file__).parents[3]

# A module as a user has it in the current folder: an environment that counts to `goal`, and policies.
COUNTING = '''
import os
import sys
import time

import numpy as np

import gymnasium as gym
from gymnasium.spaces import Discrete


class Counting(gym.Env):
    """Count to a goal,
    one at a time.

    This paragraph is not the summary.
    """

    metadata = {"render_modes": ["rgb_array", "ansi"], "render_fps": 10}
    reward_range = (0.0, 1.0)
    observation_space = Discrete(100)
    action_space = Discrete(2)

    def __init__(self, goal: int = 4, speed: float = 2.5, render_mode=None):
        self.goal, self.render_mode = goal, render_mode

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.t = 0
        return self.t, {}

    def step(self, action):
        self.t += 1
        return self.t, float(action), self.t >= self.goal, False, {}

    def render(self):
        if self.render_mode == "ansi":
            return f"count \\x1b[41m{self.t}\\x1b[0m"
        return np.full((32, 48, 3), 20 * self.t, np.uint8)


gym.register("Counting-v0", Counting, kwargs={"goal": 3})
gym.register("Counting-v2", Counting, kwargs={"goal": 5}, max_episode_steps=50, reward_threshold=4.0)


def one(observation):
    return 1


def odd(observation):
    return observation % 2


def slow(observation):
    print("step", flush=True)
    time.sleep(0.02)
    return 1


def broken_later(observation, calls=[]):
    calls.append(observation)
    if len(calls) > 12:
        raise RuntimeError("no idea")
    return 1


number = 3
'''

BLOCKED = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

blocked = sys.argv.pop(1).split(",")
sys.meta_path.insert(0, Blocker())

from palaestra.cli import main

sys.exit(main())
"""

Cli = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the module `counting`."""
    (tmp_path / "counting.py").write_text(COUNTING)
    return tmp_path


def environment() -> dict[str, str]:
    """Environment variables under which a child finds the package."""
    inherited = {name: value for name, value in os.environ.items() if name not in {"FORCE_COLOR", "COLUMNS"}}
    return {**inherited, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def cli(folder: Path) -> Cli:
    """Runs `gymnasium ARGUMENTS` in `folder`, as good as without the libraries `without`, with commas between."""

    def call(*arguments: str, without: str | None = None) -> subprocess.CompletedProcess[str]:
        if without is None:
            return process.run(arguments, folder, environment())
        return subprocess.run(
            [sys.executable, "-c", BLOCKED, without, *arguments],
            cwd=folder,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=100,
        )

    return call


@pytest.fixture
def refused(cli: Cli, folder: Path) -> Callable[..., str]:
    """Runs the command, which has to fail with this exit code, with one line and without a new file; the line."""

    def call(*arguments: str, code: int, without: str | None = None) -> str:
        before = set(folder.iterdir())
        done = cli(*arguments, without=without)
        new = {path for path in folder.iterdir() if path.name != "__pycache__"} - before
        assert (done.returncode, done.stdout, new) == (code, "", set()), done.stderr
        (only,) = done.stderr.splitlines()
        return only

    return call
