"""Machine code on disk is that of these very dynamics, whole; what is not is made anew."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from gymnasium.functional import FuncEnv
from gymnasium.spaces import Box, Discrete
from palaestra.language.jit.reach import Reach
from palaestra.runner import CompiledVectorEnv
from palaestra.runner.kernels import loading, runner
from tests.architecture.source import ROOT


class State(NamedTuple):
    x: float


class Pair(NamedTuple):
    table: Any
    parts: tuple[Any, ...]


def pair(first: float, second: float) -> Pair:
    return Pair(np.array([first, 0.0]), (1, np.array([second])))


PAIR = pair(1.0, 2.0)
ARRAYS = (np.array([1.0]), (np.array([2.0]),))


class Line(FuncEnv):
    observation_space = Box(-np.inf, np.inf, (1,), np.float64)
    action_space = Discrete(2)

    @staticmethod
    def initial(rng, params):
        return State(0.0)

    @staticmethod
    def transition(state, action, rng, params):
        return State(
            state.x + PAIR.table[0] + PAIR.parts[1][0] * 10.0 + ARRAYS[0][0] * 100.0 + ARRAYS[1][0][0] * 1000.0
        )

    @staticmethod
    def observation(state, rng, params):
        return (state.x,)

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return next_state.x

    @staticmethod
    def terminal(state, rng, params):
        return False


def rewards() -> float:
    envs = CompiledVectorEnv(Line(), 1)
    envs.reset(seed=0)
    return float(envs.step([0])[1][0])


def digest() -> str:
    """What machine code of these dynamics is found by."""
    reach = Reach()
    reach.function(Line.transition)
    return reach.digest()


def test_an_array_deep_in_a_global_that_changes_gives_another_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    first = digest()
    found = {first}
    for name, value in (
        ("PAIR", pair(3.0, 2.0)),
        ("PAIR", pair(1.0, 4.0)),
        ("ARRAYS", (np.array([5.0]), (np.array([2.0]),))),
        ("ARRAYS", (np.array([1.0]), (np.array([6.0]),))),
        ("ARRAYS", (np.array([1.0, 9.0])[::2], (np.array([2.0]),))),  # the same numbers in another order of memory
    ):
        with monkeypatch.context() as changed:
            changed.setitem(globals(), name, value)
            found.add(digest())
    assert len(found) == 6
    assert digest() == first


def later_rewards(monkeypatch: pytest.MonkeyPatch) -> float:
    """Those that a process finds that has loaded nothing yet."""
    monkeypatch.setattr(loading, "_ADDRESSES", {})
    monkeypatch.setattr(runner, "kernels_of", lambda func_env, plan, lanes: loading.NumbaKernels(plan, lanes))
    return rewards()


def test_an_array_that_is_written_to_in_place_gives_another_environment() -> None:
    table = PAIR.parts[1]
    table[0] = 7.0
    try:
        assert rewards() == 2171.0
    finally:
        table[0] = 2.0
    assert rewards() == 2121.0


PROGRAM = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from tests.palaestra.language.jit.exact import test_kept_code as kept
if len(sys.argv) > 1:
    kept.PAIR.parts[1][0] = float(sys.argv[1])
print(kept.rewards())
"""


def output(cache: Path, variable: str, *arguments: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment |= {variable: str(cache), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], env=environment, capture_output=True, text=True, timeout=110
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()


def test_another_process_sees_arrays_that_changed(tmp_path: Path) -> None:
    assert output(tmp_path, "NUMBA_CACHE_DIR") == "2121.0"
    assert output(tmp_path, "NUMBA_CACHE_DIR", "7.0") == "2171.0"


@pytest.mark.parametrize("shift", range(3))
@pytest.mark.parametrize("variable", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME"])
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has a folder of its own for this")
def test_what_is_on_disk_may_be_cut_off_or_garbage(
    tmp_path: Path, variable: str, shift: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here nothing else is kept; `test_another_process_sees_arrays_that_changed` starts processes."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    assert later_rewards(monkeypatch) == 2121.0
    files = {file: file.read_bytes() for file in sorted(tmp_path.rglob("*.code"))}
    assert files
    forms = [lambda whole: b"", lambda whole: whole[: len(whole) // 2], lambda whole: b"no machine code" * 99]
    for k, (file, whole) in enumerate(files.items()):
        file.write_bytes(forms[(k + shift) % 3](whole))

    assert later_rewards(monkeypatch) == 2121.0
    assert all(file.read_bytes().endswith(whole.partition(b"\n")[2]) for file, whole in files.items())
    monkeypatch.setattr(loading.NumbaKernels, "_compiled", None)
    assert later_rewards(monkeypatch) == 2121.0
