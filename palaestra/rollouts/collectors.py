"""The ways to collect a rollout, the fastest first. All of them give the same arrays, bit for bit.

Only the scan of JAX may round floats in another way, and policies draw other numbers there; see `scanned.py`.

A collector does a task, or says why it cannot. The plain loop takes every task; it defines the result of all.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

from gymnasium.spaces.batching import create_empty_array
from gymnasium.vector._batch.trees import leaves, mapped
from gymnasium.vector.async_vector_env import AsyncVectorEnv
from gymnasium.wrappers.vector._episodes import autoreset_mode
from palaestra.rollouts import compiled, remote, scanned
from palaestra.rollouts.part import Part, finished
from palaestra.rollouts.policies import act_function
from palaestra.rollouts.pure import PURE, InPython
from palaestra.rollouts.record import Rollout
from palaestra.rollouts.task import Task, begun


class Collector(NamedTuple):
    """A way to collect."""

    name: str
    refusal: Callable[[Task], str]
    """Returns why it cannot do a task, or ""."""
    collect: Callable[[Task], Rollout]
    in_one_turn: bool = False
    """Whether other threads have to wait until it is done, because it does all steps at once."""


def _plain(task: Task) -> Rollout:
    """The policy acts, then all environments step."""
    envs, mode = task.envs, autoreset_mode(task.envs)
    memory = begun(task)
    ask = act_function(task.policy, memory.running.streams, envs)
    part = Part(envs, mode, memory, slice(None))
    for t in range(task.steps):
        part.observe(t, envs.step(part.act(t, ask)))
    if isinstance(ask, InPython):
        ask.finish()
    return finished(memory, [part])


def _overlapped(task: Task) -> Rollout:
    """Every second environment steps while the policy looks at the others."""
    ask = act_function(task.policy)
    envs: Any = task.envs
    memory = begun(task)
    parts = [Part(envs, envs.autoreset_mode, memory, slice(k, None, 2)) for k in range(2)]
    # Both before anything moves; the policy may use the same memory for both.
    actions = [deepcopy(part.act(0, ask)) for part in parts]
    turns = 2 * task.steps
    for turn in range(turns):
        this, other = turn % 2, (turn + 1) % 2
        envs.send(actions[this], parts[this].ids)
        try:
            if 0 < turn < turns - 1:
                actions[other] = parts[other].act((turn + 1) // 2, ask)
        finally:  # whatever the policy does, nothing stays in flight
            result = _received(envs, len(parts[this].ids))
        parts[this].observe(turn // 2, result)
    return finished(memory, parts)


def _received(envs: AsyncVectorEnv[Any, Any], n: int) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
    """Returns the results of all n environments in flight, in their order."""
    observations, rewards, terminated, truncated, infos = envs.recv(n)
    order = np.argsort(infos["env_id"])
    if "final_obs" in infos:
        infos["final_obs"] = infos["final_obs"][order]
    observations = mapped(lambda array: array[order], observations)
    return observations, rewards[order], terminated[order], truncated[order], infos


def _no_overlap(task: Task) -> str:
    """Returns why the environments do not step in two halves, or ""."""
    envs = task.envs
    if not task.overlap:
        return "overlap=True was not given"
    if isinstance(task.policy, PURE):
        return "each environment has a random stream of the policy"
    if not isinstance(envs, AsyncVectorEnv) or envs.worker is not None:
        return f"{envs} is not an AsyncVectorEnv with workers of its own"
    if envs.num_envs < 2:
        return "there is one environment"
    space = envs.single_observation_space
    if not all(isinstance(leaf, np.ndarray) for _, leaf in leaves(create_empty_array(space, 1), "")):
        return f"observations of {space} are not arrays"
    return ""


COLLECTORS = (
    Collector("machine code", compiled.refusal, compiled.collected, in_one_turn=True),
    Collector("overlapped halves", _no_overlap, _overlapped),
    Collector("JAX scan", scanned.refusal, scanned.collected, in_one_turn=True),
    Collector("actors", remote.refusal, remote.collected),
    Collector("plain loop", lambda task: "", _plain),
)
