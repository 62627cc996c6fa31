"""The collector for environments on other machines: each part of them collects by itself, where it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium.spaces.batching import create_empty_array
from gymnasium.vector._batch.trees import leaves, mapped
from palaestra.rollouts.part import Memory, rollout_of
from palaestra.rollouts.pure import PURE
from palaestra.rollouts.record import FinalObservations, FinishedEpisodes, Rollout
from palaestra.rollouts.task import Task, begun


def refusal(task: Task) -> str:
    """Returns why the environments do not collect by themselves, or ""."""
    envs = task.envs
    if not hasattr(envs, "collect_parts"):
        return f"{envs} is on this machine"
    if not isinstance(task.policy, PURE) and not task.overlap:
        return "the policy is no FuncPolicy and no MLP, and overlap=True does not say that its rows are independent"
    for space in (envs.single_observation_space, envs.single_action_space):
        if not all(isinstance(leaf, np.ndarray) for _, leaf in leaves(create_empty_array(space, 1), "")):
            return f"values of {space} are not arrays"
    return ""


def collected(task: Task) -> Rollout:
    """Returns the rollout of a task that was not refused."""
    envs: Any = task.envs
    memory = begun(task)
    first = mapped(lambda array: array[0], memory.observations.arrays)
    parts = envs.collect_parts(task.policy, task.steps, first, memory.running)
    rollouts = [part for _, part in parts]
    _keep(memory, rollouts)
    for ids, part in parts:
        for whole, piece in zip(memory.running, part.running, strict=True):
            if whole is not None:
                whole[ids.start : ids.stop] = piece
    firsts = [ids.start for ids, _ in parts]
    return rollout_of(memory, _finals(rollouts, firsts), _episodes(rollouts, firsts))


def _keep(memory: Memory, parts: list[Rollout]) -> None:
    """Copy the arrays of all steps."""

    def join(out: np.ndarray, *arrays: np.ndarray) -> None:
        np.concatenate(arrays, axis=1, out=out)

    chosen = mapped(lambda *arrays: np.concatenate([array[0] for array in arrays]), *[part.actions for part in parts])
    extras = {name: np.concatenate([part.extras[name][0] for part in parts]) for name in parts[0].extras}
    memory.decisions.reserve(chosen, extras)
    mapped(join, memory.observations.arrays, *[part.observations for part in parts])
    mapped(join, memory.decisions.actions, *[part.actions for part in parts])
    for name, array in memory.decisions.extras.items():
        join(array, *[part.extras[name] for part in parts])
    for name in ("rewards", "terminated", "truncated", "valid"):
        join(getattr(memory, name), *[getattr(part, name) for part in parts])


def _order(steps: list[np.ndarray], envs: list[np.ndarray], firsts: list[int]) -> tuple[np.ndarray, ...]:
    """Returns the order of time and of environments, and the steps and environments in it."""
    when = np.concatenate(steps)
    where = np.concatenate([ids + first for ids, first in zip(envs, firsts, strict=True)])
    order = np.lexsort((where, when))
    return order, when[order], where[order]


def _finals(parts: list[Rollout], firsts: list[int]) -> FinalObservations:
    finals = [part.final_observations for part in parts]
    order, steps, envs = _order([one.steps for one in finals], [one.envs for one in finals], firsts)
    last = mapped(lambda *arrays: np.concatenate(arrays)[order], *[one.observations for one in finals])
    return FinalObservations(steps, envs, last)


def _episodes(parts: list[Rollout], firsts: list[int]) -> FinishedEpisodes:
    ended = [part.episodes for part in parts]
    order, steps, envs = _order([one.steps for one in ended], [one.envs for one in ended], firsts)
    returns, lengths = (np.concatenate([one[k] for one in ended])[order] for k in range(2))
    return FinishedEpisodes(returns, lengths, envs, steps)
