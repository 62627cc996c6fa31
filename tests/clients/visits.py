"""What is done with one environment of another package, and what came of it."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from bits import bits
from findings import Findings, described, failed, obey

import gymnasium
from gymnasium.utils.env_checker import check_env
from gymnasium.vector.utils import concatenate, create_empty_array, iterate

SEED = 7
SHORT = 6  # steps of each further copy of an environment
# What HighwayEnv reports of a reset: an action that it draws without a seed, and what that would earn.
UNSEEDED = ("action", "rewards")


def visit(env_id: str, steps: int, laws: Sequence[str]) -> Findings:
    """Make, reset and step an environment, then do with it whatever the laws say.

    Args:
        env_id: Its id.
        steps: How many it makes itself; its copies make some.
        laws: The names of the laws.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            env = gymnasium.make(env_id)
        except Exception as error:  # as in `obey`
            return {"make": [described(error)]}
        env.action_space.seed(SEED)
        actions = [env.action_space.sample() for _ in range(steps)]
        found = obey({"steps": lambda: run(env, actions)})
        if not failed(found["steps"]):
            found |= obey({law: partial(LAWS[law], env, actions, found["steps"]) for law in laws})
        env.close()
    return found


def run(env: Any, actions: list[Any]) -> list[str]:
    """Returns the digests of a reset and of the steps after it; an episode that ends is followed by another."""
    found = [_begun(*env.reset(seed=SEED))]
    for action in actions:
        observation, reward, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation), "an observation is outside of its space"
        found.append(f"{bits(observation)} {bits((reward, terminated, truncated))} {bits(info)}")
        if terminated or truncated:
            found.append(_begun(*env.reset()))
    return found


def _begun(observation: Any, info: dict[str, Any]) -> str:
    return f"{bits(observation)} {bits({key: value for key, value in info.items() if key not in UNSEEDED})}"


def _render(env: Any, actions: list[Any], _: list[str]) -> list[str]:
    """Returns the digest of a frame after some steps, where the environment's class says that it draws any."""
    if "rgb_array" not in type(env.unwrapped).metadata.get("render_modes", ()):
        return []
    drawn: Any = gymnasium.make(env.spec.id, render_mode="rgb_array")
    try:
        run(drawn, actions[:3])
        frame = drawn.render()
    finally:
        drawn.close()
    assert isinstance(frame, np.ndarray) and frame.dtype == np.uint8 and frame.ndim == 3, type(frame)
    return [bits(frame)]


def _pickle(env: Any, actions: list[Any], first: list[str]) -> list[str]:
    return _same(pickle.loads(pickle.dumps(env)), actions, first)


def _spec(env: Any, actions: list[Any], first: list[str]) -> list[str]:
    return _same(gymnasium.make(env.spec), actions, first)


def _json(env: Any, actions: list[Any], first: list[str]) -> list[str]:
    return _same(gymnasium.make(type(env.spec).from_json(env.spec.to_json())), actions, first)


def _check(env: Any, _: list[Any], __: list[str]) -> list[str]:
    check_env(env.unwrapped, skip_render_check=True)
    return ["passed"]


def _same(other: Any, actions: list[Any], first: list[str]) -> list[str]:
    """Run another environment, which has to do what the first one did."""
    try:
        came = run(other, actions[:SHORT])
    finally:
        other.close()
    return _compared(came, first)


def _compared(came: list[str], first: list[str]) -> list[str]:
    for t, (one, other) in enumerate(zip(came, first, strict=False)):
        assert one == other, f"step {t} differs from that of the first environment"
    return came


def _batched(mode: str, env: Any, actions: list[Any], first: list[str]) -> list[str]:
    """Step two of them; the first one has to do what it does alone, until its episode ends."""
    envs: Any = gymnasium.make_vec(env.spec.id, 2, vectorization_mode=mode)
    try:
        came = list(_rows(envs, actions[:SHORT]))
    finally:
        envs.close()
    # A batch writes its infos otherwise; they come last.
    return _compared(came, [digests.rpartition(" ")[0] for digests in first])


def _rows(envs: Any, actions: list[Any]) -> Iterator[str]:
    space, single = envs.observation_space, envs.single_action_space
    observations, _ = envs.reset(seed=SEED)
    yield bits(next(iter(iterate(space, observations))))
    for action in actions:
        joined = concatenate(single, [action, action], create_empty_array(single, 2))
        observations, rewards, terminations, truncations, _ = envs.step(joined)
        end = bool(terminations[0]), bool(truncations[0])
        yield f"{bits(next(iter(iterate(space, observations))))} {bits((rewards[0], *end))}"
        if any(end):
            return


# Each is given an environment, the actions that it took, and what came of them.
LAWS: dict[str, Callable[[Any, list[Any], list[str]], list[str]]] = {
    "render": _render,
    "pickle": _pickle,
    "spec": _spec,
    "json": _json,
    "sync": partial(_batched, "sync"),
    "async": partial(_batched, "async"),
    "check": _check,
}
