"""An exception in a worker is of the caller's class, wherever it was raised and whatever its constructor takes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PROGRAM = '''
import enum
import sys
import warnings

import gymnasium as gym

warnings.simplefilter("ignore")


class Color(enum.Enum):
    RED = 1


class Plain(Exception):
    pass


class Two(Exception):
    """Its constructor takes other arguments than its `args`."""

    def __init__(self, part, code):
        super().__init__(f"{part} broke with {code}")
        self.code = code


class Doubled(Exception):
    """Its constructor, if called with its `args`, writes another text."""

    def __init__(self, part):
        super().__init__(f"{part} broke")


class Held(Plain):
    """One that plain pickle refuses."""

    def __init__(self):
        super().__init__("held")
        self.key = lambda: 0


ERRORS = {
    "Plain": lambda: Plain("17 km"), "Two": lambda: Two("wheel", 3), "Doubled": lambda: Doubled("wheel"), "Held": Held
}


class Car(gym.Env):
    observation_space = action_space = gym.spaces.Discrete(2)

    def __init__(self, place, kind):
        self.place, self.kind = place, kind
        self.fail("init")

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        if name == "speed":
            self.fail("set")

    def fail(self, place):
        if place == self.place:
            raise ERRORS[self.kind]()

    def reset(self, *, seed=None, options=None):
        self.fail("reset")
        return 0, {}

    def step(self, action):
        self.fail("step")
        return 0, 0.0, False, False, {}

    def drive(self):
        self.fail("call")
        return [Color.RED, lambda: 0]


def run(place, kind, **kwargs):
    envs = gym.vector.AsyncVectorEnv([lambda: Car(place, kind)] * 2, num_workers=1, **kwargs)
    try:
        envs.reset()
        envs.step(envs.action_space.sample())
        assert envs.call("drive")[0][0] is Color.RED
        envs.set_attr("speed", 1)
    finally:
        envs.close(terminate=True)


if __name__ == "__main__":
    for kind, make in ERRORS.items():
        expected = make()
        for place in ["init", "reset", "step", "call", "set"] if sys.argv[1] == "fork" else ["step"]:
            for shared in (True, False) if place == "step" else (True,):
                try:
                    run(place, kind, context=sys.argv[1], shared_memory=shared)
                except type(expected) as error:
                    assert type(error) is type(expected), (place, kind)
                    assert (str(error), error.args) == (str(expected), expected.args), (place, kind, error)
                    assert vars(error).keys() - {"__notes__"} == vars(expected).keys(), vars(error)
                else:
                    raise AssertionError(f"{kind} was not raised in {place}")
'''


@pytest.mark.timeout(120)
@pytest.mark.parametrize("context", ["fork", "forkserver", "spawn"])
def test_exceptions_of_the_main_module_keep_their_class(context: str, tmp_path: Path) -> None:
    """Also values that a call returns, beside one that only cloudpickle can pickle."""
    script = tmp_path / "program.py"
    script.write_text(PROGRAM, encoding="utf-8")
    program = subprocess.run(
        [sys.executable, str(script), context],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert program.returncode == 0, program.stderr
