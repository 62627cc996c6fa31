"""Settings that every test runs under."""

from __future__ import annotations

import gc
import importlib.util
import multiprocessing
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

from gymnasium.envs.registration import registry
from tests.thorough import THOROUGH, leave_out_what_is_thorough

# No test opens a window on the screen of whoever runs it.
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("MPLBACKEND", "Agg")

# What JAX takes long to compile, processes and later runs share.
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", os.path.join(tempfile.gettempdir(), "palaestra-jax"))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.1")
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")

# Processes of the start method "forkserver", the default once JAX is loaded, find what they need in memory.
_PRELOADED = [
    *("__main__", "pytest", "cloudpickle", "gymnasium.vector._workers.worker", "gymnasium.wrappers.common"),
    *("gymnasium.envs.classic_control.cartpole", "gymnasium.envs.toy_text.taxi"),
    *("tests.spaces_zoo", "tests.palaestra.cli.process", "tests.gymnasium.vector.faulty"),
]
for _library, _module in (("mujoco", "gymnasium.envs.mujoco.ant_v5"), ("Box2D", "gymnasium.envs.box2d.lunar_lander")):
    if importlib.util.find_spec(_library):
        _PRELOADED.append(_module)
multiprocessing.set_forkserver_preload(_PRELOADED)

# A slow moment of a busy machine is no failure, and what CI finds must be found again by the next run.
settings.register_profile("palaestra", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("palaestra")


def pytest_sessionstart() -> None:
    """Each worker process first imports a share of the tests, whose asserts it rewrites for all.

    In a fresh clone each would rewrite all, which takes as long as the rest of the collection. All are imported again
    when they are collected, in the same order by all workers: some tests depend on the registry at that time.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if not worker:
        return
    gc.disable()  # until all is collected: what is imported stays
    root = Path(__file__).parent
    count = int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    modules, registered = set(sys.modules), dict(registry)
    for file in sorted(root.rglob("test_*.py"))[int(worker.removeprefix("gw")) :: count]:
        with suppress(Exception, pytest.skip.Exception), warnings.catch_warnings():
            warnings.simplefilter("error")
            importlib.import_module(".".join(file.relative_to(root.parent).with_suffix("").parts))
    for name in sys.modules.keys() - modules:
        if name.startswith("tests."):
            del sys.modules[name]
    registry.clear()
    registry.update(registered)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    leave_out_what_is_thorough(config, items)


def pytest_collection_finish() -> None:
    """Let the collector look at what tests leave, not at the modules again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A worker process reports a test once, and what else did not pass: five messages take as long as a short test."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.fixture(autouse=True)
def _restored_registry() -> Iterator[None]:
    """What a test registers is gone for the next one."""
    before = dict(registry)
    yield
    if registry != before:
        registry.clear()
        registry.update(before)


@cache
def _hasty() -> dict[str, Any]:
    """Returns the options with which this XLA compiles a program for a CPU in a third of the time."""
    import jax

    found: dict[str, Any] = {}
    if jax.default_backend() == "cpu":
        for name, value in (("xla_cpu_use_fusion_emitters", False), ("xla_cpu_parallel_codegen_split_count", 1)):
            with suppress(RuntimeError):  # XLA knows no such option
                jax.jit(lambda x: x, compiler_options={name: value})(0)
                found[name] = value
    return found


@contextmanager
def _optimising_little() -> Iterator[None]:
    if THOROUGH or importlib.util.find_spec("jax") is None:
        yield
        return
    import jax

    from gymnasium.envs._jax import program

    name = "jax_disable_most_optimizations"
    before = jax.config.read(name)
    with pytest.MonkeyPatch.context() as patched:
        jax.config.update(name, True)
        patched.setattr(program, "jax", _Jitting(program.jax, partial(jax.jit, compiler_options=_hasty())))
        yield
    jax.config.update(name, before)


@pytest.fixture(scope="module")
def little_optimised() -> Iterator[None]:
    """In a quick run, JAX optimises little: for programs that are compared with each other, and run for a moment."""
    with _optimising_little():
        yield


@pytest.fixture
def here_little_optimised() -> Iterator[None]:
    """The same in one test of a module: for the programs that it makes."""
    with _optimising_little():
        yield


@pytest.fixture
def hasty_environment() -> dict[str, str]:
    """Environment variables of another process, whose XLA compiles hastily in a quick run."""
    if THOROUGH or importlib.util.find_spec("jax") is None:
        return dict(os.environ)
    flags = (f"--{name}={str(value).lower()}" for name, value in _hasty().items())
    return {**os.environ, "XLA_FLAGS": " ".join([os.environ.get("XLA_FLAGS", ""), *flags])}


class _Jitting:
    """A library with a `jit` of its own."""

    def __init__(self, library: Any, jit: Callable[..., Any]) -> None:
        self._library, self.jit = library, jit

    def __getattr__(self, name: str) -> Any:
        return getattr(self._library, name)
