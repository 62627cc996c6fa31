"""Whatever comes as an id or as the text of a spec, the answer is a spec or a clear error, and nothing else happens."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gymnasium.envs.registration import EnvSpec, WrapperSpec, get_env_id, make, parse_env_id, registry, spec
from gymnasium.error import Error

NAMES = st.from_regex(r"\A[\w.-]{1,12}\Z")
NAMESPACES = st.none() | st.from_regex(r"\A[\w-]{1,8}\Z")
IDS = st.text(max_size=20) | st.from_regex(r"\A([\w-]+/)?[\w.-]+(-v\d+)?\Z") | st.sampled_from(sorted(registry))
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
MARKS = ["__tuple__", "__dict__", "__array__", "__scalar__", "__dtype__", "__type__", "__enum__", "__path__"]
DTYPES = st.sampled_from(["<f4", "|u1", ">i8", "|b1", "<f2", "O", "<U3", "float", "turtle:Turtle", "M8[s]"])
JSON = st.recursive(
    PLAIN | DTYPES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        | st.dictionaries(st.sampled_from(MARKS), inner, min_size=1, max_size=1)
        | st.dictionaries(
            st.sampled_from(MARKS), st.tuples(DTYPES, inner) | st.tuples(DTYPES, inner, inner), max_size=1
        )
    ),
)
KWARGS = st.dictionaries(st.text(max_size=5), JSON, max_size=3)
ENTRY_POINTS = st.sampled_from(["os:system", "turtle:Turtle", "gymnasium.wrappers:TimeLimit", "gymnasium.core:Env", ""])
WRAPPERS = st.fixed_dictionaries({"name": PLAIN, "entry_point": ENTRY_POINTS | PLAIN, "kwargs": KWARGS | PLAIN})
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "id": IDS | PLAIN,
    "entry_point": ENTRY_POINTS | PLAIN,
    "vector_entry_point": ENTRY_POINTS | PLAIN,
    "reward_threshold": PLAIN,
    "max_episode_steps": PLAIN,
    "order_enforce": PLAIN,
    "kwargs": KWARGS | JSON,
    "additional_wrappers": st.lists(WRAPPERS | JSON, max_size=2) | JSON,
    "other": JSON,
}
TEXTUAL = [known for known in registry.values() if isinstance(known.entry_point, str)]


@given(NAMESPACES, NAMES, st.none() | st.integers(0, 10**6))
def test_parts_make_an_id_whose_parts_make_the_same_id(ns: str | None, name: str, version: int | None) -> None:
    """A name that ends like a version is read as one, and refused if no number is written so; the id is the same."""
    env_id = get_env_id(ns, name, version)
    try:
        parts = parse_env_id(env_id)
    except Error:
        digits = env_id.rpartition("-v")[2]
        assert digits != str(int(digits))
    else:
        assert get_env_id(*parts) == env_id


@given(IDS)
def test_any_text_is_an_id_or_an_error(env_id: str) -> None:
    before = dict(registry)
    if env_id in registry:
        assert spec(env_id) is registry[env_id]
    else:
        with pytest.raises(Error) as caught:
            spec(env_id)
        assert str(caught.value)
    assert registry == before


@given(IDS.filter(lambda env_id: env_id not in registry and ":" not in env_id))
@pytest.mark.filterwarnings("ignore:.*out of date:DeprecationWarning", "ignore:.*latest version:UserWarning")
def test_make_of_an_unknown_id_is_a_clear_error(env_id: str) -> None:
    if any(env_id == get_env_id(known.namespace, known.name, None) for known in registry.values()):
        return
    with pytest.raises(Error):
        make(env_id)


def read(text: str) -> None:
    """Read a spec from text that is not to be trusted: only the two kinds of error may come, and no new code."""
    modules = set(sys.modules)
    try:
        found = EnvSpec.from_json(text)
    except (ValueError, Error) as error:
        assert str(error)
    else:
        assert found.entry_point in (None, registry[found.id].entry_point if found.id in registry else None)
        assert found.vector_entry_point in (
            None,
            registry[found.id].vector_entry_point if found.id in registry else None,
        )
    assert "turtle" not in set(sys.modules) - modules


@given(st.text())
def test_any_text_is_a_spec_or_an_error(text: str) -> None:
    read(text)


@given(JSON)
def test_any_json_is_a_spec_or_an_error(value: Any) -> None:
    read(json.dumps(value))


@given(st.fixed_dictionaries({}, optional=FIELDS))
def test_any_fields_are_a_spec_or_an_error(values: dict[str, Any]) -> None:
    read(json.dumps(values))


@given(st.sampled_from(TEXTUAL), st.fixed_dictionaries({}, optional=FIELDS))
def test_a_registered_spec_with_any_fields_changed_is_a_spec_or_an_error(
    known: EnvSpec, changes: dict[str, Any]
) -> None:
    read(json.dumps({**json.loads(known.to_json()), **changes}))


@given(
    st.sampled_from(TEXTUAL),
    KWARGS,
    st.none() | st.integers(),
    st.lists(
        st.builds(WrapperSpec, st.text(), st.just("gymnasium.wrappers.common:TimeLimit"), st.none() | KWARGS),
        max_size=2,
    ),
)
def test_specs_of_data_survive_json(
    known: EnvSpec, kwargs: dict[str, Any], steps: int | None, wrappers: list[WrapperSpec]
) -> None:
    changed = EnvSpec(
        known.id,
        known.entry_point,
        kwargs=kwargs,
        max_episode_steps=steps,
        additional_wrappers=tuple(wrappers),
        vector_entry_point=known.vector_entry_point,
    )
    assert EnvSpec.from_json(changed.to_json(), trusted=True) == changed
