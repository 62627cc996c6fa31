"""Whatever the reference's environments have after a reset and a step, ours have too, to be read and to be set.

`environment_attributes.txt` is what instances of the reference have, with its type, and what their classes define.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.core import Env
from tests.architecture.deviations import ATTRIBUTES_OF_OTHER_TYPES, METHODS_OF_CLASSES


def recorded() -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]:
    """Returns by id: what instances have, and what classes define."""
    of_instances: dict[str, dict[str, str]] = defaultdict(dict)
    of_classes: dict[str, dict[str, str]] = defaultdict(dict)
    for line in (Path(__file__).parent / "environment_attributes.txt").read_text(encoding="utf-8").splitlines():
        head, _, tail = line.partition(": ")
        *ids, word = head.split()
        found = dict(part.split(" = ") for part in tail.split("; "))
        for env_id in ids:
            (of_instances if word == "has" else of_classes)[env_id].update(found)
    return of_instances, of_classes


INSTANCES, CLASSES = recorded()
every_id = pytest.mark.parametrize("env_id", sorted(INSTANCES))


def made(env_id: str) -> Env[Any, Any]:
    """Returns an environment after a reset and a step, or anew after a step that ended the episode."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of ids with a newer version
        env = gymnasium.make(env_id)
    env.reset(seed=1)
    env.action_space.seed(1)
    if env.step(env.action_space.sample())[2]:
        env.reset()
    return env


def type_of(value: Any) -> str:
    """Returns a type as the facts show it."""
    return f"array {value.dtype} {value.shape}" if isinstance(value, np.ndarray) else type(value).__name__


def test_the_facts_are_those_of_38_environments() -> None:
    assert len(INSTANCES) == len(CLASSES) == 38


@every_id
def test_an_instance_has_the_attributes_of_the_references(env_id: str) -> None:
    base = made(env_id).unwrapped
    other = {
        name: (kind, type_of(getattr(base, name)))
        for name, kind in INSTANCES[env_id].items()
        if kind != type_of(getattr(base, name))
    }
    assert {name: types for name, types in other.items() if types != ATTRIBUTES_OF_OTHER_TYPES.get(name)} == {}


@every_id
def test_setting_each_attribute_to_its_own_value_changes_nothing(env_id: str) -> None:
    env, twin = made(env_id), made(env_id)
    for name in INSTANCES[env_id]:
        setattr(env.unwrapped, name, getattr(env.unwrapped, name))
    for _ in range(5):
        action = env.action_space.sample()
        (seen, reward, *ends, _), (expected, due, *others, _) = env.step(action), twin.step(action)
        np.testing.assert_equal((seen, reward, ends), (expected, due, others))
        if ends[0]:
            np.testing.assert_equal(env.reset()[0], twin.reset()[0])


@every_id
def test_a_class_defines_what_the_references_does(env_id: str) -> None:
    kind = type(made(env_id).unwrapped)
    missing = {f"{kind.__name__}.{name}" for name in CLASSES[env_id] if not hasattr(kind, name)}
    assert missing <= METHODS_OF_CLASSES.keys()


def test_no_deviation_is_stale() -> None:
    environments = {env_id: made(env_id).unwrapped for env_id in INSTANCES}
    types = {name: set() for name in ATTRIBUTES_OF_OTHER_TYPES}
    for env_id, base in environments.items():
        for name in types.keys() & INSTANCES[env_id].keys():
            types[name].add((INSTANCES[env_id][name], type_of(getattr(base, name))))
    assert [name for name, found in types.items() if ATTRIBUTES_OF_OTHER_TYPES[name] not in found] == []
    kinds = {type(base).__name__: type(base) for base in environments.values()}
    for path in METHODS_OF_CLASSES:
        owner, _, name = path.partition(".")
        assert not hasattr(kinds[owner], name), path
