"""Warnings: their category, colour, level and formatting."""

from __future__ import annotations

import inspect
import io
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import gymnasium
from gymnasium import logger


@pytest.fixture
def level():
    """Puts the level back."""
    before = logger.min_level
    yield
    logger.min_level = before


def said(call, *args, **kwargs):
    """Returns what a call warned of: [(category, text)]."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(*args, **kwargs)
    return [(w.category, str(w.message)) for w in caught]


def test_levels():
    assert (logger.WARN, logger.ERROR, logger.min_level) == (30, 40, 30)


def test_forms():
    assert said(logger.warn, "a %s", "b") == [(UserWarning, "WARN: a b")]
    assert said(logger.error, "a %d", 3) == [(UserWarning, "ERROR: a 3")]
    assert said(logger.deprecation, "old") == [(DeprecationWarning, "WARN: old")]
    assert said(logger.warn, "x", category=FutureWarning) == [(FutureWarning, "WARN: x")]


def test_colours_are_for_terminals(monkeypatch):
    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert said(logger.warn, "a %s", "b") == [(UserWarning, "\x1b[33mWARN: a b\x1b[0m")]
    assert said(logger.error, "a %d", 3) == [(UserWarning, "\x1b[31mERROR: a 3\x1b[0m")]
    monkeypatch.setenv("NO_COLOR", "1")
    assert said(logger.warn, "a") == [(UserWarning, "WARN: a")]
    monkeypatch.setattr("sys.stderr", None)  # as under pythonw
    assert said(logger.warn, "a") == [(UserWarning, "WARN: a")]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def made_outdated():
    """Returns what `make` of an outdated id warns of, and this line of the program."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gymnasium.make("CartPole-v0")
        line = inspect.currentframe().f_lineno - 1
    return caught, line


def test_a_warning_of_the_package_names_the_line_of_the_program():
    (warning,), line = made_outdated()
    assert str(warning.message).endswith(f"({Path(__file__).relative_to(Path.cwd())}:{line})")
    assert (warning.filename, warning.category) == ("gymnasium.envs.registration", DeprecationWarning)
    assert (
        logger.undressed(str(warning.message))
        == "'CartPole-v0' is out of date: use the newer version v1, 'CartPole-v1'"
    )


def test_a_warning_of_the_package_takes_one_line():
    code = "import gymnasium, numpy as np\n\ngymnasium.spaces.Box(np.zeros(2), np.ones(2), dtype=np.float32)\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    low, high = done.stderr.splitlines()
    assert low.startswith("gymnasium.spaces.box:1: UserWarning: WARN: ")
    assert low.endswith("(<string>:3)")
    assert high.endswith("(<string>:3)")


WORKERS = """
import sys
import gymnasium

class Beyond(gymnasium.Env):
    observation_space, action_space = gymnasium.spaces.Discrete(1), gymnasium.spaces.Discrete(1)

    def reset(self, *, seed=None, options=None):
        return 5, {}

if __name__ == "__main__":
    made = lambda: gymnasium.wrappers.PassiveEnvChecker(Beyond())
    envs = gymnasium.vector.AsyncVectorEnv([made], context=sys.argv[1])
    envs.reset()
    envs.close()
"""


@pytest.mark.parametrize("context", ["spawn", "forkserver"])
def test_a_warning_of_a_worker_process_names_no_line_of_pythons(context, tmp_path):
    """The outermost frame there is `<string>:1`, of `multiprocessing`."""
    program = tmp_path / "program.py"
    program.write_text(WORKERS, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    command = [sys.executable, str(program), context]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "WARN: G" in done.stderr
    assert "<string>" not in done.stderr


@pytest.mark.parametrize("text", ["\x1b[33mWARN: a (b) c (d.py:3)\x1b[0m", "ERROR: a (b) c (/e f/d.py:30)", "a (b) c"])
def test_an_undressed_text_is_what_was_said(text):
    assert logger.undressed(text) == "a (b) c"


class Faulty(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(0, 1, (2,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.full(2, 3.0), {}

    def step(self, action):
        return np.zeros(2, np.float32), np.nan, False, False, {}


def faulty():
    env = gymnasium.wrappers.PassiveEnvChecker(Faulty())
    env.reset()
    env.step(0)


def registered_twice():
    gymnasium.register("test/Twice-v0", entry_point=Faulty)
    gymnasium.register("test/Twice-v0", entry_point=Faulty)
    del gymnasium.registry["test/Twice-v0"]


def of_lower_precision():
    gymnasium.spaces.Box(np.zeros(2), np.ones(2), dtype=np.float32)


def filmed(folder="."):
    gymnasium.wrappers.RecordVideo(gymnasium.make("CartPole-v1", render_mode="rgb_array"), folder).close()


@pytest.mark.parametrize(
    ("call", "filters"),
    [
        (made_outdated_alone := (lambda: gymnasium.make("CartPole-v0")), [{"message": ".*out of date.*"}]),
        (made_outdated_alone, [{"category": DeprecationWarning, "module": r"gymnasium\.envs\.registration\Z"}]),
        (made_outdated_alone, [{"module": "gymnasium"}]),
        (faulty, [{"module": r".*passive_env_checker"}]),
        (faulty, [{"category": UserWarning, "module": "gym"}]),
        (faulty, [{"message": ".*The obs returned by the .* method.*"}, {"message": ".*The reward returned by.*"}]),
        (
            faulty,
            [
                {"message": ".*expecting numpy array dtype to be float32.*"},
                {"message": r".*reward returned by `step\(\)`.*"},
                {"message": ".*is not within the observation space.*"},
            ],
        ),
        (registered_twice, [{"message": ".*Overriding environment.*already in registry.*"}]),
        (of_lower_precision, [{"category": UserWarning, "module": "gymnasium.spaces.box"}]),
        (of_lower_precision, [{"message": ".*Box .*precision lowered by casting to float32.*"}]),
        (lambda: Faulty.observation_space.contains([0, 1]), [{"message": ".*Casting input x to numpy array.*"}]),
        (filmed, [{"message": ".*Overwriting existing videos at .*", "module": "gymnasium.wrappers.rendering"}]),
    ],
)
def test_the_filters_of_public_programs_find_the_warnings(call, filters):
    """As many programs and Stable-Baselines3's configuration write them."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert caught
    with warnings.catch_warnings(record=True) as left:
        warnings.simplefilter("always")
        for each in filters:
            warnings.filterwarnings("ignore", **each)
        call()
    assert left == []


def test_a_percent_sign_without_arguments_is_text():
    assert said(logger.warn, "100% of %s") == [(UserWarning, "WARN: 100% of %s")]


@pytest.mark.usefixtures("level")
def test_min_level_silences_what_is_below():
    logger.min_level = logger.ERROR
    assert said(logger.warn, "x") == []
    assert len(said(logger.error, "x")) == 1
    logger.min_level = logger.ERROR + 1
    assert said(logger.error, "x") == []


def test_the_caller_is_blamed():
    with pytest.warns(UserWarning) as caught:
        logger.warn("x")
    assert caught[0].filename == __file__


def test_deprecations_in_the_package_are_shown_once(monkeypatch):
    import importlib

    with warnings.catch_warnings():
        warnings.resetwarnings()
        importlib.reload(logger)
        action, _, category, module, _ = warnings.filters[0]
    assert (action, category) == ("once", DeprecationWarning)
    assert module.match("gymnasium.anything")
    assert not module.match("other.gymnasium.anything")
