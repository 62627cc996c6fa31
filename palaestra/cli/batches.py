"""Running episodes in many environments at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from gymnasium.rendering.tiling import grid_shape, tiled
from gymnasium.spaces.batching import concatenate, create_empty_array, iterate
from gymnasium.vector.vector_env import AutoresetMode, VectorEnv
from palaestra.cli.episodes import Policy, Tally, Viewer
from palaestra.cli.interrupt import StopRequest

_ASPECT = 1.6  # of a picture of many: width divided by height


def batch_policy(envs: VectorEnv, policy: Policy | None) -> Policy:
    """Returns the policy that chooses an action for each environment; None stands for a random policy."""
    if policy is None:
        return lambda _: envs.action_space.sample()
    space = envs.single_action_space

    def act(observations: object) -> Any:
        actions = [policy(observation) for observation in iterate(envs.observation_space, observations)]
        return concatenate(space, actions, create_empty_array(space, envs.num_envs))

    return act


def play_batch(
    envs: VectorEnv,
    act: Policy,
    episodes: int,
    seed: int | None,
    viewers: Sequence[Viewer],
    tally: Tally,
    stop: StopRequest,
) -> None:
    """Run episodes into `tally`, until there are enough or the user wants to stop.

    Each environment has its share of them: if the first to finish counted, short episodes would count too often.
    """
    n = envs.num_envs
    left = np.array([episodes // n + (i < episodes % n) for i in range(n)])
    returns, lengths, over = np.zeros(n), np.zeros(n, np.int64), np.zeros(n, np.bool_)
    reset_over = _resetting(envs)
    tally.started = perf_counter()
    try:
        observations, _ = envs.reset(seed=seed)
        _view(envs, viewers)
        while left.any() and not stop.made:
            observations, moved = reset_over(observations, over)
            observations, rewards, terminated, truncated, _ = envs.step(act(observations))
            _view(envs, viewers)
            returns[moved] += np.asarray(rewards)[moved]
            lengths[moved] += 1
            tally.steps += int(moved.sum())
            over = np.logical_or(terminated, truncated)
            for i in np.flatnonzero(over & (left > 0)):
                tally.returns.append(float(returns[i]))
                tally.lengths.append(int(lengths[i]))
            left[over] = np.maximum(left[over] - 1, 0)
            returns[over], lengths[over] = 0.0, 0
    finally:
        tally.seconds = perf_counter() - tally.started


def _resetting(envs: VectorEnv) -> Callable[[Any, Any], tuple[Any, Any]]:
    """Returns the handling of finished environments before a step, by the batch's mode.

    It takes the observations and a mask of the finished environments; it returns the observations to act on, and a mask
    of the environments in which the step is not a reset.
    """
    mode = envs.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP)
    if mode is AutoresetMode.NEXT_STEP:
        return lambda observations, over: (observations, ~over)
    everywhere = np.ones(envs.num_envs, np.bool_)
    if mode is AutoresetMode.SAME_STEP:
        return lambda observations, over: (observations, everywhere)

    def reset(observations: Any, over: Any) -> tuple[Any, Any]:
        if over.any():
            observations, _ = envs.reset(options={"reset_mask": over})
        return observations, everywhere

    return reset


def _view(envs: VectorEnv, viewers: Sequence[Viewer]) -> None:
    if viewers:
        frames: Any = envs.render()
        height, width = frames[0].shape[:2]
        picture = tiled(frames, *grid_shape(len(frames), height, width, _ASPECT))
        for viewer in viewers:
            viewer(picture, "")
