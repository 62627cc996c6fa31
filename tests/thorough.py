"""What `make test` leaves to `make test THOROUGH=1`: long tests, and most combinations of laws that have many.

Of a law over ids and modes, say, the quick run takes each id with one of the modes, the next id with the next mode.
"""

from __future__ import annotations

import os
from collections import defaultdict
from enum import Enum
from typing import Any

import pytest

THOROUGH = bool(os.environ.get("THOROUGH"))
"""Whether everything runs."""

_PAGE = "unit/docs/test_code_blocks.py::test_the_code_of_a_page_runs_and_prints_what_stands_below_it"
_LONG = (
    f"{_PAGE}[tutorials/reinforce]",
    f"{_PAGE}[tutorials/actor_critic]",
    f"{_PAGE}[tutorials/compiled_training]",
    f"{_PAGE}[tutorials/custom_quadruped]",
    "unit/examples/test_evolution.py::test_a_goal_out_of_reach_is_told",
    "unit/examples/test_first_episode.py::test_it_is_reproducible",
    "unit/examples/test_ppo.py::test_the_loop_of_the_benchmark_learns_from_the_same",
    "unit/examples/test_ppo_jax.py::test_a_goal_out_of_reach_is_told",
    "unit/examples/test_q_learning_compiled.py::test_every_seed_learns_taxi",
    "unit/recording/test_recording_survives.py::test_a_killed_process_leaves_every_finished_episode",
    "unit/rollouts/test_scanned.py::test_numbers_may_have_64_bits",
)
"""How the tests begin that run in a thorough run only, each beside shorter ones of the same."""

_SAMPLED = {
    "contracts/test_async_equality.py::test_every_space_is_observed_and_taken": 2,
    "contracts/test_async_equality.py::test_number_of_workers_and_memory_change_nothing": 3,
    "contracts/test_async_equality.py::test_workers_are_sync": 3,
    "contracts/test_async_faults.py::test_failure_is_reported_and_closes": 3,
    "contracts/test_async_faults.py::test_hanging_worker_times_out": 3,
    "contracts/test_async_leftovers.py::test_cycles_leave_nothing": 3,
    "contracts/test_async_restart.py::test_episodes_of_a_failed_worker_end_as_truncated": 3,
    "contracts/test_async_resume.py::test_attributes_calls_and_moments": 3,
    "contracts/test_async_resume.py::test_results_are_those_of_an_undisturbed_run": 3,
    "contracts/test_snapshots.py::test_batches": 3,
    "contracts/test_snapshots.py::test_one_runner_goes_on_where_another_was": 3,
    "contracts/test_snapshots.py::test_vector_wrappers": 3,
    "contracts/test_wrapped_rollouts.py::test_machine_code_goes_through_wrappers_as_python_does": 2,
    "contracts/test_wrapper_laws.py::test_a_pickled_vector_environment_goes_on_by_itself": 3,
    "contracts/test_wrapper_laws.py::test_worker_processes_change_nothing": 2,
    "contracts/test_wrapper_laws.py::test_wrapping_the_batch_is_wrapping_each": 3,
    "contracts/test_wrapper_memory.py::test_nor_does_a_vector_wrapper": 3,
    "fuzz/test_programs.py::test_a_random_program_is_the_same_compiled": 2,
    "unit/adapters/test_training.py::test_agents_learn_the_same_on_every_batch": 3,
    "unit/atari/test_frames.py::test_the_vector_environment_is_a_batch_of_games_in_wrappers": 2,
    "unit/cli/test_video_disk.py::test_a_full_disk": 4,
    "unit/compiled/test_vector_env.py::test_a_users_dynamics_give_what_sync_gives": 3,
    "unit/jit/exact/test_kept_code.py::test_what_is_on_disk_may_be_cut_off_or_garbage": 4,
    "unit/jit/test_cache.py::test_damaged_machine_code_is_compiled_anew": 3,
    "unit/recording/test_record_trajectories.py::test_the_file_holds_what_happened": 3,
    "unit/recording/test_vector_record_trajectories.py::test_the_file_holds_what_each_environment_saw": 3,
    "unit/rollouts/test_pure.py::test_machine_code_gives_the_rollout_of_python": 3,
    "unit/rollouts/test_scanned.py::test_a_scan_gives_what_steps_give": 3,
    "unit/wrappers/test_record_video_disk.py::test_a_rate_is_any_real_number": 3,
}
"""Functions of which one case in so many runs in a quick run: those whose places in the lists of cases add up to a
multiple. A list of at least so many modes lets no id out."""


def skip_what_is_thorough(items: list[pytest.Item]) -> None:
    """Skip what only a thorough run runs."""
    if THOROUGH:
        return
    axes: defaultdict[tuple[str, str], dict[Any, int]] = defaultdict(dict)
    for item in items:
        name = item.nodeid.removeprefix("tests/")
        function = name.partition("[")[0]
        stride = _SAMPLED.get(function, 1)
        place = 0
        if stride > 1 and isinstance(item, pytest.Function):
            for axis, value in item.callspec.params.items():
                places = axes[function, axis]
                place += places.setdefault(_key(value), len(places))
        if name.startswith(_LONG) or place % stride:
            item.add_marker(pytest.mark.skip(reason="runs with `make test THOROUGH=1`"))


def _key(value: Any) -> Any:
    return value if isinstance(value, str | int | float | Enum) else id(value)
