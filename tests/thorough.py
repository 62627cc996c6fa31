"""What `make test` leaves to `make test THOROUGH=1`: long tests, and most combinations of laws that have many.

Of a law over ids and modes, say, the quick run takes each id with one of the modes, the next id with the next mode.
Some programs under JAX are optimised only in a thorough run (`little_optimised` in tests/conftest.py).
"""

from __future__ import annotations

import os
from collections import defaultdict
from enum import Enum
from typing import Any

import pytest

THOROUGH = bool(os.environ.get("THOROUGH"))
"""Whether everything runs."""

_PAGE = "docs/test_code_blocks.py::test_the_code_of_a_page_runs_and_prints_what_stands_below_it"
_LONG = (
    f"{_PAGE}[palaestra/api/jax]",
    f"{_PAGE}[gymnasium/api/wrappers/vector]",
    f"{_PAGE}[palaestra/introductions/classes_on_a_gpu]",
    f"{_PAGE}[palaestra/introductions/params]",
    f"{_PAGE}[palaestra/introductions/policies]",
    f"{_PAGE}[palaestra/introductions/rollouts]",
    f"{_PAGE}[palaestra/introductions/training_with_stable_baselines3]",
    f"{_PAGE}[gymnasium/tutorials/actor_critic]",
    f"{_PAGE}[gymnasium/tutorials/blackjack]",
    f"{_PAGE}[palaestra/tutorials/compiled_training]",
    f"{_PAGE}[gymnasium/tutorials/custom_quadruped]",
    f"{_PAGE}[gymnasium/tutorials/reinforce]",
    f"{_PAGE}[palaestra/tutorials/trained_in_a_second]",
    "contracts/test_async_resume.py::test_every_start_method",
    "contracts/test_compiled_params.py::test_compiled_is_sync[2-Blackjack",
    "contracts/test_compiled_params.py::test_params_and_options_that_are_set_for_some[Pendulum",
    "contracts/test_played_snapshots.py::test_batches[AsyncVectorEnv-DISABLED",
    "contracts/test_played_snapshots.py::test_batches[AsyncVectorEnv-SAME_STEP",
    "contracts/test_wrapped_rollouts.py::test_machine_code_goes_through_wrappers_as_python_does[FrozenLake",
    "gymnasium/envs/box2d/test_car_racing.py::test_memory_is_flat_over_episodes",
    "docs/test_reference.py::test_no_page_shows_a_private_path_or_an_expanded_type",
    "examples/test_clients.py::test_an_example_runs[ppo--1]",
    "examples/test_evolution.py::test_a_goal_out_of_reach_is_told",
    "examples/test_first_episode.py::test_it_is_reproducible",
    "examples/test_first_episode.py::test_the_parts_of_the_example_run_alone[cross_entropy",
    "examples/test_first_episode.py::test_the_parts_of_the_example_run_alone[q_learning",
    "examples/test_ppo.py::test_the_loop_of_the_benchmark_learns_from_the_same",
    "examples/test_ppo_jax.py::test_a_goal_out_of_reach_is_told",
    "examples/test_q_learning_compiled.py::test_every_seed_learns_taxi",
    "examples/test_sweep.py::test_short_poles_fall_first",
    "examples/test_train_on_device.py::test_the_agent_learns",
    "palaestra/recording/data_sets/test_recording_survives.py::test_a_killed_process_leaves_every_finished_episode",
    "palaestra/rollouts/test_scanned.py::test_a_scan_gives_what_steps_give[tabular/Blackjack",
    "palaestra/rollouts/test_scanned.py::test_numbers_may_have_64_bits",
    "palaestra/studio/test_browser.py::test_everybody_can_use_it[phone-dark",
    "palaestra/studio/test_browser_training.py::test_everybody_can_use_it[desktop-light",
)
"""How the tests begin that run in a thorough run only, each beside shorter ones of the same."""

_SAMPLED = {
    "contracts/test_async_equality.py::test_every_space_is_observed_and_taken": 2,
    "contracts/test_async_equality.py::test_number_of_workers_and_memory_change_nothing": 3,
    "contracts/test_async_equality.py::test_workers_are_sync": 3,
    "contracts/test_async_faults.py::test_failure_is_reported_and_closes": 3,
    "contracts/test_async_faults.py::test_hanging_worker_times_out": 3,
    "contracts/test_async_faults.py::test_late_result_is_dropped": 2,
    "contracts/test_async_faults.py::test_wrong_batch_moves_nothing": 2,
    "contracts/test_async_leftovers.py::test_cycles_leave_nothing": 3,
    "contracts/test_async_restart.py::test_episodes_of_a_failed_worker_end_as_truncated": 3,
    "contracts/test_async_resume.py::test_attributes_calls_and_moments": 3,
    "contracts/test_async_resume.py::test_results_are_those_of_an_undisturbed_run": 3,
    "contracts/test_compiled_equals_sync.py::test_attributes_set_on_the_environments": 2,
    "contracts/test_compiled_equals_sync.py::test_compiled_is_sync": 3,
    "contracts/test_compiled_equals_sync.py::test_options_of_a_reset": 4,
    "contracts/test_compiled_params.py::test_compiled_is_sync": 8,
    "contracts/test_curricula.py::test_a_teacher_that_says_nothing_changes_no_bit": 3,
    "contracts/test_curricula.py::test_it_is_asked_once_for_all_that_begin": 3,
    "contracts/test_curricula.py::test_params_and_options_count_for_the_episodes_that_begin": 3,
    "contracts/test_func_env_laws.py::test_ours_keep_the_laws": 3,
    "contracts/test_jax_states.py::test_a_moment_is_returned_to_exactly": 3,
    "contracts/test_mujoco_batch.py::test_a_batch_is_sync": 3,
    "contracts/test_randomized_params.py::test_each_environment_is_one_made_with_what_was_drawn": 3,
    "contracts/test_randomized_robots.py::test_a_batch_is_sync_is_a_single_one": 2,
    "contracts/test_replayed_params.py::test_of_a_batch": 2,
    "contracts/test_replays.py::test_batches": 3,
    "contracts/test_rollouts.py::test_a_rollout_is_the_loop_written_by_hand": 3,
    "contracts/test_snapshots.py::test_batches": 3,
    "contracts/test_snapshots.py::test_one_runner_goes_on_where_another_was": 3,
    "contracts/test_snapshots.py::test_vector_wrappers": 3,
    "contracts/test_vector_sync.py::test_a_seed_makes_one_trajectory_of_what_single_environments_give": 3,
    "contracts/test_vector_sync.py::test_every_space_can_be_observed_and_acted_in": 3,
    "contracts/test_wrapped_rollouts.py::test_machine_code_goes_through_wrappers_as_python_does": 2,
    "contracts/test_wrapper_laws.py::test_a_pickled_vector_environment_goes_on_by_itself": 3,
    "contracts/test_wrapper_laws.py::test_the_three_modes_show_one_history": 2,
    "contracts/test_wrapper_laws.py::test_worker_processes_change_nothing": 2,
    "contracts/test_wrapper_laws.py::test_wrapping_the_batch_is_wrapping_each": 3,
    "contracts/test_wrapper_memory.py::test_nor_does_a_vector_wrapper": 3,
    "palaestra/adapters/test_training.py::test_agents_learn_the_same_on_every_batch": 3,
    "gymnasium/envs/atari/test_frames.py::test_the_vector_environment_is_a_batch_of_games_in_wrappers": 2,
    "palaestra/cli/test_check.py::test_dynamics_by_their_name_and_by_their_id": 2,
    "palaestra/cli/test_video_disk.py::test_a_full_disk": 4,
    "palaestra/runner/test_errors.py::test_a_part_of_an_action_out_of_range_is_refused": 12,
    "palaestra/runner/test_vector_env.py::test_a_users_dynamics_give_what_sync_gives": 3,
    "examples/test_first_episode.py::test_there_has_to_be_something_to_do": 3,
    "examples/test_ppo_jax.py::test_bad_options_are_refused": 3,
    "palaestra/jax/test_draws.py::test_an_array_is_the_numbers_one_after_the_other": 3,
    "palaestra/recording/data_sets/test_record_trajectories.py::test_the_file_holds_what_happened": 3,
    "palaestra/recording/data_sets/test_vector_record_trajectories.py::test_the_file_holds_what_each_environment_saw": (
        3
    ),
    "gymnasium/rendering/test_video_disk.py::test_a_full_disk_is_an_error_and_the_next_video_is_whole": 3,
    "palaestra/rollouts/test_parts.py::test_a_policy_observes_the_parts_as_in_python": 3,
    "palaestra/rollouts/test_parts.py::test_an_observation_outside_its_space_cannot_be_flattened": 3,
    "palaestra/rollouts/test_pure.py::test_machine_code_gives_the_rollout_of_python": 4,
    "palaestra/rollouts/test_scanned.py::test_a_scan_gives_what_steps_give": 3,
    "palaestra/rollouts/test_scanned.py::test_the_episodes_are_those_of_the_plain_loop": 3,
    "palaestra/rollouts/test_scanned.py::test_two_rollouts_are_one": 3,
    "gymnasium/wrappers/test_record_video_disk.py::test_a_full_disk_is_one_error_and_costs_one_video": 3,
    "gymnasium/wrappers/test_record_video_disk.py::test_a_rate_is_any_real_number": 3,
}
"""Functions of which one case in so many runs in a quick run: those whose places in the lists of cases add up to a
multiple. A list of at least so many modes lets no id out."""


def leave_out_what_is_thorough(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what only a thorough run runs: to skip a test takes as long as a short one."""
    if THOROUGH:
        return
    left_out = []
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
            left_out.append(item)
    chosen = set(items).difference(left_out)
    items[:] = [item for item in items if item in chosen]
    config.hook.pytest_deselected(items=left_out)


def _key(value: Any) -> Any:
    return value if isinstance(value, str | int | float | Enum) else id(value)
