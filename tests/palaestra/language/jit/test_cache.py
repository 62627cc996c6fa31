"""Machine code on disk: found again by other processes, and never that of other dynamics."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from palaestra.runner import CompiledVectorEnv
from palaestra.runner.kernels import loading, runner
from tests.architecture.source import ROOT
from tests.palaestra.runner.dynamics import Bits, Walk

PROGRAM = """
import sys, time
sys.path.insert(0, {folder!r})
from dynamics import Line
from palaestra.runner import CompiledVectorEnv
from palaestra.runner.kernels import runner
from palaestra.runner.kernels.loading import NumbaKernels

runner.kernels_of = lambda func_env, plan, lanes: NumbaKernels(plan, lanes)  # the new language keeps none of these
envs = CompiledVectorEnv(Line(), 3)
envs.reset(seed=0)
envs.step([0, 1, 1])
compiled = [name for name in sys.modules if name.startswith("palaestra_kernels")]
print(len(compiled), "numba" in sys.modules, envs.step([1, 1, 1])[1].tolist())
"""

DYNAMICS = """
from typing import NamedTuple
import numpy as np
from gymnasium.functional import FuncEnv
from gymnasium.spaces import Box, Discrete

FACTOR = {factor}

class State(NamedTuple):
    x: float

def scaled(x):
    {body}

class Line(FuncEnv):
    observation_space = Box(-1.0, 1.0, (1,))
    action_space = Discrete(2)

    @staticmethod
    def initial(rng, params):
        return State(0.0)

    @staticmethod
    def transition(state, action, rng, params):
        return State(state.x + action)

    @staticmethod
    def observation(state, rng, params):
        return (state.x,)

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return scaled(next_state.x)

    @staticmethod
    def terminal(state, rng, params):
        return False
"""


PLAIN = "return FACTOR * x"
WITH_ARRAYS = """
    numbers = np.zeros(4)
    numbers[1:] = x
    return FACTOR * numbers.reshape(2, 2)[1, 1]
"""


def compile_here(folder: Path, cache: Path, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do what a first process does, as if this one had compiled nothing before."""
    (folder / "dynamics.py").write_text(DYNAMICS.format(factor=1.0, body=body))
    with monkeypatch.context() as changed:
        changed.setenv("NUMBA_CACHE_DIR", str(cache))
        changed.setattr(loading, "_ADDRESSES", {})
        changed.setattr(runner, "kernels_of", lambda func_env, plan, lanes: loading.NumbaKernels(plan, lanes))
        changed.syspath_prepend(folder)
        changed.delitem(sys.modules, "dynamics", raising=False)
        envs = CompiledVectorEnv(importlib.import_module("dynamics").Line(), 3)
        envs.reset(seed=0)
        assert envs.step(np.array([0, 1, 1]))[1].tolist() == [0.0, 1.0, 1.0]
        del sys.modules["dynamics"]


def start(
    folder: Path, cache: Path, factor: float = 1.0, body: str = PLAIN, root: Path = ROOT
) -> subprocess.Popen[str]:
    (folder / "dynamics.py").write_text(DYNAMICS.format(factor=factor, body=body))
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(root)}
    arguments = [sys.executable, "-B", "-c", PROGRAM.format(folder=str(folder))]
    return subprocess.Popen(
        arguments, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def output(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=110)
    assert process.returncode == 0, err
    assert err == ""
    return out.strip()


def test_a_second_process_compiles_nothing_and_a_change_of_a_global_compiles_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"

    compile_here(tmp_path, cache, PLAIN, monkeypatch)
    assert output(start(tmp_path, cache)) == "0 False [1.0, 2.0, 2.0]"
    assert output(start(tmp_path, cache, factor=3.0)) == "1 True [3.0, 6.0, 6.0]"
    assert output(start(tmp_path, cache)) == "0 False [1.0, 2.0, 2.0]"
    # The callers of the dynamics are the same for all of them.
    assert len(list(cache.rglob("step_rows.code"))) == 2


def test_a_second_process_compiles_no_dynamics_that_allocate_and_reshape_arrays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"

    compile_here(tmp_path, cache, WITH_ARRAYS, monkeypatch)
    assert output(start(tmp_path, cache, body=WITH_ARRAYS)) == "0 True [1.0, 2.0, 2.0]"


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_another_installation_compiles_anew_because_machine_code_names_the_files_that_raise(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    (tmp_path / "elsewhere").mkdir()
    for package in ("gymnasium", "palaestra"):
        (tmp_path / "elsewhere" / package).symlink_to(ROOT / package, target_is_directory=True)

    output(start(tmp_path, cache))
    assert output(start(tmp_path, cache, root=tmp_path / "elsewhere")) == "1 True [1.0, 2.0, 2.0]"
    assert output(start(tmp_path, cache)) == "0 False [1.0, 2.0, 2.0]"


def test_processes_may_compile_the_same_at_a_time(tmp_path: Path) -> None:
    cache = tmp_path / "cache"

    processes = [start(tmp_path, cache) for _ in range(3)]

    assert {output(process).split(" ", 2)[2] for process in processes} == {"[1.0, 2.0, 2.0]"}
    assert output(start(tmp_path, cache)) == "0 False [1.0, 2.0, 2.0]"
    assert not list(cache.rglob("tmp*"))


def test_environments_of_a_process_share_their_machine_code() -> None:
    first, second = (CompiledVectorEnv(Walk(), 3) for _ in range(2))
    other = CompiledVectorEnv(Bits(), 3)  # whose actions are of another type
    for envs in (first, second, other):
        envs.reset(seed=0)
    assert first._runner._step is second._runner._step is not other._runner._step


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.write_text("a file, in which no folder can be made")

    assert output(start(tmp_path, cache)) == "1 True [1.0, 2.0, 2.0]"


@pytest.mark.parametrize("damage", [lambda code: b"", lambda code: code[: len(code) // 2], lambda code: b"x" + code])
def test_damaged_machine_code_is_compiled_anew(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    cache = tmp_path / "cache"
    output(start(tmp_path, cache))
    for file in cache.rglob("*.code"):
        file.write_bytes(damage(file.read_bytes()))

    assert output(start(tmp_path, cache)) == "1 True [1.0, 2.0, 2.0]"
    assert output(start(tmp_path, cache)) == "0 False [1.0, 2.0, 2.0]"


@pytest.mark.parametrize(
    ("variable", "inside"), [("NUMBA_CACHE_DIR", "palaestra"), ("XDG_CACHE_HOME", "palaestra/kernels")]
)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has a folder of its own for this")
def test_the_folder_is_the_users(tmp_path: Path, variable: str, inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from palaestra.language.jit.cache import folder

    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    assert folder() == tmp_path / inside
