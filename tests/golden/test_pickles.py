"""Saved models hold spaces and specs: a pickle of either implementation loads in the other."""

from __future__ import annotations

import io
import json
import pickle
import typing
from collections.abc import Iterator
from typing import Any

import pytest

from gymnasium.envs.registration import EnvSpec, WrapperSpec
from gymnasium.spaces import Space
from tests.golden import pickles

RECORDED = {entry["expression"]: entry for entry in json.loads((pickles.HERE / "data" / "pickles.json").read_text())}


class Reader(pickle.Unpickler):
    """Notes the names that a pickle looks up."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data))
        self.names: set[str] = set()

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        self.names.add(f"{module_name}:{global_name}")
        return super().find_class(module_name, global_name)


def read(entry: dict[str, Any]) -> tuple[Any, set[str]]:
    """Returns what a pickle holds, and the names that it looks up."""
    reader = Reader(pickles.pickled(entry))
    return reader.load(), reader.names


def states(value: Any, path: str = "") -> Iterator[tuple[str, set[str]]]:
    """Yields the attributes of every space and spec in `value`, and where it is."""
    if isinstance(value, (Space, EnvSpec, WrapperSpec)):
        yield path, set(vars(value))
        value = vars(value)
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, tuple) else ()
    for key, part in parts:
        yield from states(part, f"{path}/{key}")


# What is otherwise here, on purpose: the spec of a batch has the limit that the batch has.
OTHERWISE = {
    "gymnasium.make_vec('CartPole-v1', 3, max_episode_steps=7).spec": ["max_episode_steps is 500, not 7"],
}


def test_every_case_is_recorded() -> None:
    assert list(RECORDED) == [*pickles.SPACES, *pickles.SPECS]


def _skip_without_libraries(expression: str) -> None:
    if "Torch" in expression:
        pytest.importorskip("torch")
    if "np.tanh" in expression:
        pytest.importorskip("numpy", minversion="2.1", reason="NumPy 2.0 pickles its functions by other names")


@pytest.mark.parametrize("expression", RECORDED)
def test_a_pickle_of_the_reference_loads_here(expression: str) -> None:
    """It is what is made here, prints as there, and goes on with the reference's samples."""
    _skip_without_libraries(expression)
    assert pickles.differences(RECORDED[expression]) == OTHERWISE.get(expression, [])


@pytest.mark.parametrize("expression", RECORDED)
def test_a_pickle_made_here_names_what_the_reference_has(expression: str) -> None:
    """It has each attribute that the reference's has, and looks up no other names."""
    _skip_without_libraries(expression)
    theirs, there = read(RECORDED[expression])
    ours, here = read(pickles.recorded(expression))

    missing = {path: keys - dict(states(ours)).get(path, set()) for path, keys in states(theirs)}

    assert here <= there
    assert {path: keys for path, keys in missing.items() if keys} == {}


@pytest.mark.parametrize("kind", [EnvSpec, WrapperSpec])
def test_the_annotations_of_a_spec_can_be_looked_up(kind: type) -> None:
    """Although the module that the class names is not the one that defines it."""
    assert set(typing.get_type_hints(kind)) == set(kind.__dataclass_fields__)  # type: ignore[attr-defined]
