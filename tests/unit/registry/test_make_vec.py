"""`make_vec`, of which this version has the checks."""

from __future__ import annotations

from typing import Any

import pytest

from gymnasium.envs.registration import VectorizeMode, WrapperSpec, make_vec, register, registry
from gymnasium.error import Error, NameNotFound
from tests.unit.registry.conftest import TOY


def test_modes() -> None:
    assert [mode.value for mode in VectorizeMode] == ["async", "sync", "vector_entry_point"]


def test_vector_environments_are_said_to_be_missing(toy: str) -> None:
    for env in (toy, registry[toy]):
        with pytest.raises(Error, match="Vector environments are not in this version"):
            make_vec(env, 3)


def test_unknown_id_is_named() -> None:
    with pytest.raises(NameNotFound, match="CartPole-v1"):
        make_vec("CartPol-v1")


def test_only_ids_and_specs_are_taken() -> None:
    with pytest.raises(Error, match="'int'"):
        make_vec(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("num_envs", [0, -1, 2.0, True, "2"])
def test_number_of_environments_has_to_be_positive(toy: str, num_envs: Any) -> None:
    with pytest.raises(ValueError, match="num_envs"):
        make_vec(toy, num_envs)


def test_unknown_mode_is_named_with_those_there_are(toy: str) -> None:
    with pytest.raises(ValueError, match=r"\['async', 'sync', 'vector_entry_point'\], but 'threads'"):
        make_vec(toy, vectorization_mode="threads")


def test_mode_without_its_entry_point(toy: str) -> None:
    register("Vector-v0", vector_entry_point="a:b")
    with pytest.raises(Error, match="'Vector-v0' has no entry_point"):
        make_vec("Vector-v0", vectorization_mode="sync")
    with pytest.raises(Error, match=f"{toy}' has no vector_entry_point"):
        make_vec(toy, vectorization_mode=VectorizeMode.VECTOR_ENTRY_POINT)


@pytest.mark.parametrize("given", [{"vector_kwargs": {"x": 1}}, {"wrappers": [str]}])
def test_vector_entry_point_allows_neither_wrappers_nor_vector_kwargs(given: dict[str, Any]) -> None:
    register("Vector-v0", TOY, vector_entry_point="a:b")
    with pytest.raises(Error, match=f"allows no {next(iter(given))}"):
        make_vec("Vector-v0", **given)


def test_vector_entry_point_allows_no_wrappers_in_the_spec() -> None:
    register("Vector-v0", TOY, vector_entry_point="a:b", additional_wrappers=(WrapperSpec("W", "a:b", {}),))
    with pytest.raises(Error, match="additional_wrappers"):
        make_vec("Vector-v0")
