"""Settings that every test runs under."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import settings

from gymnasium.envs.registration import registry

# No test opens a window on the screen of whoever runs it.
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("MPLBACKEND", "Agg")

# What JAX takes long to compile, processes and later runs share.
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", os.path.join(tempfile.gettempdir(), "palaestra-jax"))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.1")
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")

# A slow moment of a busy machine is no failure, and what CI finds must be found again by the next run.
settings.register_profile("palaestra", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("palaestra")

_PAGE = "tests/unit/docs/test_code_blocks.py::test_the_code_of_a_page_runs_and_prints_what_stands_below_it"
_LONG = (
    f"{_PAGE}[tutorials/reinforce]",
    f"{_PAGE}[tutorials/actor_critic]",
    f"{_PAGE}[tutorials/compiled_training]",
    f"{_PAGE}[tutorials/custom_quadruped]",
    "tests/unit/examples/test_evolution.py::test_a_goal_out_of_reach_is_told",
    "tests/unit/jit/exact/test_kept_code.py::test_what_is_on_disk_may_be_cut_off_or_garbage[XDG_CACHE_HOME",
    "tests/fuzz/test_programs.py::test_a_random_program_is_the_same_compiled[3]",
)
"""Tests that take long, beside shorter ones of the same: `make test THOROUGH=1` runs them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the long tests, unless all are asked for."""
    for item in items:
        if item.nodeid.startswith(_LONG) and not os.environ.get("THOROUGH"):
            item.add_marker(pytest.mark.skip(reason="runs with `make test THOROUGH=1`"))


@pytest.fixture(autouse=True)
def _restored_registry() -> Iterator[None]:
    """What a test registers is gone for the next one."""
    before = dict(registry)
    yield
    if registry != before:
        registry.clear()
        registry.update(before)
