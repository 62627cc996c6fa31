"""Every environment of the zoo is a correct one, and compiled, unchanged, gives the bits that it gives in sync."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

import gymnasium
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from palaestra.language.program import WIDTH
from palaestra.runner.kernels import pool, runner
from tests.plain_zoo.duel import assert_same_episodes
from tests.plain_zoo.zoo import CASES, Case

THOROUGH = bool(os.environ.get("THOROUGH"))
SHORTLY = ("RoomEnv", "RecallEnv", "FisheryEnv", "SlidingTilesEnv", "ShelfEnv", "WorkshopEnv", "CaveEnv")
"""Those that are compiled by `make test`, in one mode each: together they have most of the forms in the zoo."""


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Makes batches of a case; threads share even small ones."""
    monkeypatch.setattr(runner, "SHARED_FROM", 2)
    monkeypatch.setattr(pool, "ROWS_TOGETHER", WIDTH)

    def made(case: Case, mode: AutoresetMode, n: int, how: str, **options: Any) -> Any:
        name = f"{case.name}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=case.entry_point, max_episode_steps=case.max_episode_steps)
        return gymnasium.make_vec(name, n, how, vector_kwargs={"autoreset_mode": mode, **options})

    return made


def _same(batches: Callable[..., Any], case: Case, mode: AutoresetMode, threads: int, seeds: tuple[int, ...]) -> None:
    n, steps = (12, 250) if threads > 1 else (5, 300)
    ours = batches(case, mode, n, "compiled", num_threads=threads)
    sync = batches(case, mode, n, "sync")
    for seed in seeds:
        assert_same_episodes(ours, sync, seed, steps)
    ours.close()
    sync.close()


@pytest.mark.filterwarnings("ignore")  # advice about spaces
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_it_is_a_correct_environment(case: Case, batches: Callable[..., Any]) -> None:
    """Else its trajectories would prove nothing."""
    sync = batches(case, AutoresetMode.NEXT_STEP, 1, "sync")
    check_env(sync.envs[0].unwrapped, skip_render_check=True)


@pytest.mark.parametrize("case", [case for case in CASES if case.name.endswith(SHORTLY)], ids=lambda case: case.name)
def test_a_sample_of_the_zoo_is_the_same_compiled(case: Case, batches: Callable[..., Any]) -> None:
    """The three modes and both numbers of threads take turns."""
    k = CASES.index(case)
    _same(batches, case, list(AutoresetMode)[k % 3], 1 + k % 2, seeds=(k,))


def test_at_least_forty_compile() -> None:
    assert len(CASES) >= 40


@pytest.mark.skipif(not THOROUGH, reason="runs with `make test THOROUGH=1`")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_all_of_the_zoo_is_the_same_compiled(case: Case, batches: Callable[..., Any]) -> None:
    """In every mode, on one thread and on two, for several seeds."""
    for mode in AutoresetMode:
        for threads in (1, 2):
            _same(batches, case, mode, threads, seeds=(0, 2**40))
