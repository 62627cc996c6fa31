"""The versions of an environment and their differences: those that classes tell, and those written down here."""

from __future__ import annotations

import inspect
from typing import Any

import gymnasium
from docs._tools.tables import table
from gymnasium.envs.registration import EnvSpec, load_env_creator

_PAYS_LAST = "`healthy_reward` is also paid for the step that ends the episode"
_DIFFERENCES = {
    "LunarLander-v2": "the wind goes on from episode to episode, until a reset with a seed",
    "Taxi-v3": (
        "the same class here. In Gymnasium, v4 came with 1.3.0, added `rainy_probability` and `fickle_probability`, "
        "and repaired `is_rainy` and `fickle_passenger`; with both off, the two do not differ"
    ),
    "CliffWalking-v0": "the same class here. In Gymnasium, v1 introduced the slippery variant",
    "Ant-v4": (
        "contact forces are neither observed nor charged for, unless `use_contact_forces` is on; the velocity is "
        f"always that of the torso; {_PAYS_LAST}"
    ),
    "HalfCheetah-v4": "the info has `reward_run` in place of `reward_forward`, and that of a reset is empty",
    "Hopper-v4": f"{_PAYS_LAST}; the info has `x_position` and `x_velocity` only",
    "Walker2d-v4": f"the model is `walker2d.xml`; {_PAYS_LAST}; the info has `x_position` and `x_velocity` only",
    "Swimmer-v4": "the info has `reward_fwd` and `forward_reward` in place of `reward_forward`",
    "Humanoid-v4": (
        "contact forces cost nothing; the observation also has the readings of the world, which never change, and of "
        f"the free joint; {_PAYS_LAST}"
    ),
    "HumanoidStandup-v4": (
        "the observation also has the readings of the world, which never change, and of the free joint"
    ),
    "InvertedPendulum-v4": "the step that ends the episode is rewarded with 1, too; the info is empty",
    "InvertedDoublePendulum-v4": (
        "all three constraint forces are observed; the step that ends the episode is rewarded like any other; the info "
        "is empty"
    ),
    "Reacher-v4": (
        "the reward is that of the positions before the step; the height of the tip above the target is observed, too"
    ),
    "Pusher-v4": "needs a MuJoCo below 3, and raises `ImportError` with a later one",
}


def version_table(id: str) -> str:
    """Returns a table of the versions of an environment, newest first; "" if there is one only."""
    newest = gymnasium.spec(id)
    older = [spec for spec in gymnasium.registry.values() if (spec.namespace, spec.name) == _name(newest)]
    older = sorted((spec for spec in older if spec.id != id), key=lambda spec: -(spec.version or 0))
    if not older:
        return ""
    rows = [(f"`{id}`", "this page")]
    rows += [(f"`{spec.id}`", _sentence(differences(spec, newest))) for spec in older]
    return table(("version", "differences"), rows)


def differences(older: EnvSpec, newest: EnvSpec) -> list[str]:
    """Returns how an older version differs, each difference as a clause."""
    if not isinstance(older.entry_point, str):
        return ["ran on mujoco-py; `make` raises `ImportError`, which names the package that has it now"]
    found = [_DIFFERENCES[older.id]] if older.id in _DIFFERENCES else []
    if older.max_episode_steps != newest.max_episode_steps:
        found.append(f"an episode has at most {older.max_episode_steps} steps")
    if older.reward_threshold != newest.reward_threshold:
        found.append(f"it counts as solved from {older.reward_threshold:g}")
    return found + _in_class(load_env_creator(older.entry_point), load_env_creator(str(newest.entry_point)))


def _in_class(older: Any, newer: Any) -> list[str]:
    """The differences between the arguments, and between the observations, of two classes."""
    if older is newer:
        return []
    found, arguments = [], [list(inspect.signature(cls).parameters) for cls in (older, newer)]
    missing = [f"`{name}`" for name in arguments[1] if name not in arguments[0]]
    if missing:
        found.append(f"it does not take {', '.join(missing)}")
    try:
        shapes = [cls().observation_space.shape for cls in (older, newer)]
    except ImportError:  # the engine here is too new for it
        return found
    if shapes[0] != shapes[1]:
        found.append(f"observations have {shapes[0][0]} numbers in place of {shapes[1][0]}")
    return found


def _name(spec: EnvSpec) -> tuple[str | None, str]:
    return spec.namespace, spec.name


def _sentence(clauses: list[str]) -> str:
    text = "; ".join(clauses)
    return f"{text[0].upper()}{text[1:]}."
