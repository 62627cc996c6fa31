"""Systems that lack what Linux has: each mode runs there, with the same numbers, or says what it needs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import gymnasium
from gymnasium.envs.mujoco import simulator
from palaestra.language.llvm import store
from tests.architecture.source import ROOT

POOR = Path(__file__).with_name("poor.py")


def run(*arguments: str | Path, **environment: str) -> list[str]:
    """The lines that Python prints; it says nothing else."""
    command = [sys.executable, "-W", "error", *map(str, arguments)]
    there = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run(command, env=there, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    "missing",
    [
        ["memfd_create"],
        ["fork"],
        ["SCHED_BATCH", "sched_setscheduler", "sched_getaffinity", "sched_yield", "nice"],
    ],
    ids=lambda missing: missing[0],
)
def test_every_mode_runs_without(missing: list[str]) -> None:
    assert run(POOR, *missing)[:3] == ["sync", "async", "compiled"]


def test_without_unix_sockets_async_names_what_runs_instead() -> None:
    """And Box2D, which would be in worker processes, is in one."""
    assert run(POOR, "AF_UNIX") == [
        "sync",
        "async: AsyncVectorEnv passes memory to its workers through a Unix socket (`socket.AF_UNIX`), which this "
        "system lacks: choose vectorization_mode='sync'",
        "compiled",
        "SyncVectorEnv",
    ]


def test_a_start_method_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValueError, match=r"`context` is one of \[.*'spawn'\] on this system, or None, but 'thread'"):
        gymnasium.make_vec("CartPole-v1", 2, vectorization_mode="async", vector_kwargs={"context": "thread"})


def test_a_home_that_cannot_be_written_keeps_no_machine_code() -> None:
    """It is compiled in each process then."""
    program = """
import gymnasium
envs = gymnasium.make_vec("CartPole-v1", 2, vectorization_mode="compiled")
envs.reset(seed=1)
envs.step(envs.action_space.sample())
print("ran")
"""
    nowhere = "/proc/nowhere" if sys.platform == "linux" else os.devnull + "/nowhere"
    assert run("-c", program, PALAESTRA_CACHE_DIR="", XDG_CACHE_HOME="", HOME=nowhere) == ["ran"]


def test_the_folder_of_machine_code_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PALAESTRA_CACHE_DIR", raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", r"C:\Users\me\AppData\Local")
    assert store.folder() == (Path(r"C:\Users\me\AppData\Local"), ("palaestra", "code"))


def test_an_engine_without_symbols_is_not_known_and_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its environments run without machine code, with the same numbers."""
    Box2D = pytest.importorskip("Box2D")
    from gymnasium.envs.box2d._engine import library

    def steps() -> list[bytes]:
        env = gymnasium.make("LunarLander-v3")
        env.action_space.seed(1)
        observed = [env.reset(seed=1)[0].tobytes()]
        observed.extend(env.step(env.action_space.sample())[0].tobytes() for _ in range(20))
        env.close()
        return observed

    known = steps()

    def no_symbol(_: object, symbol: str) -> int:
        raise ValueError(symbol)

    monkeypatch.setattr(library, "address_of", no_symbol)
    bindings: ModuleType = Box2D._Box2D
    library.is_known.cache_clear()
    try:
        assert not library.is_known(bindings)
        assert steps() == known
    finally:
        library.is_known.cache_clear()


@pytest.mark.parametrize("name", [r".\robot.xml", r"C:\models\robot.xml"])
def test_a_path_with_backslashes_is_a_file_of_ones_own(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import ntpath

    monkeypatch.setattr(simulator, "path", ntpath)
    with pytest.raises(OSError, match="no model file") as error:
        simulator.expand_model_path(name)
    assert f"There is no model file {name}." in str(error.value)
