"""Arguments in the JSON of a spec: what comes back, what is refused, and what others write."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections import OrderedDict, namedtuple
from enum import Enum, Flag
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gymnasium.envs.registration import EnvSpec, VectorizeMode, WrapperSpec, make, registry
from gymnasium.error import Error
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import StickyAction
from tests.spaces_zoo import agree


class Colour(Enum):
    RED = "r"
    CRIMSON = "r"


class Sides(Flag):
    LEFT = 1
    RIGHT = 2


VALUES: dict[str, Any] = {
    "tuple": (1, 2),
    "nested": [(1, [2, (3,)]), {"a": (None, ())}],
    "numbers as keys": {0: "a", 1.5: (), None: 2, (1, 2): 3, "x": 4},
    "a key that looks like a mark": {"__tuple__": [1]},
    "marks beside each other": {"__tuple__": 1, "__dict__": 2},
    "array": np.array([[1, 2, 3]], np.int16),
    "floats": np.array([1 / 3, -0.0, math.inf], np.float32),
    "halves": np.array(0.1, np.float16),
    "big-endian": np.arange(3, dtype=">f8"),
    "bools": np.zeros((0, 3), np.bool_),
    "large": np.array([2**64 - 1], np.uint64),
    "strided": np.arange(6).reshape(2, 3).T,
    "scalars": [np.float32(0.1), np.float64(1 / 3), np.int64(-5), np.bool_(True), np.uint8(200)],
    "dtypes": [np.dtype("float32"), np.dtype("<i2")],
    "types": [np.float16, np.bool_, np.uint64, float, int, bool],
    "enumerations": [Colour.RED, Colour.CRIMSON, Sides.LEFT, AutoresetMode.SAME_STEP, VectorizeMode.SYNC],
    "path": Path("videos/of mine"),
    "plain": [None, True, 1, 0.1, "text", [], {}, math.inf, 10**30],
}


def through_json(value: Any) -> Any:
    spec = EnvSpec("Env-v0", kwargs={"value": value}, additional_wrappers=(WrapperSpec("W", "a:b", {"value": value}),))
    again = EnvSpec.from_json(spec.to_json(), trusted=True)
    assert again == spec
    assert agree(again.additional_wrappers[0].kwargs, again.kwargs)
    return again.kwargs["value"]


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_data_comes_back_as_it_was(value: Any) -> None:
    assert agree(through_json(value), value)


@pytest.mark.parametrize("value", [[1, 2], {"a": [1, {"b": None}]}, "text", 3.5])
def test_plain_data_is_written_plainly(value: Any) -> None:
    assert json.loads(EnvSpec("Env-v0", kwargs={"value": value}).to_json())["kwargs"] == {"value": value}


def test_kinds_of_tuples_and_dicts_come_back_as_tuples_and_dicts() -> None:
    point = namedtuple("point", "x y")
    text = EnvSpec("Env-v0", kwargs={"value": [point(1, 2), OrderedDict(a=1)]}).to_json()
    assert agree(EnvSpec.from_json(text).kwargs["value"], [(1, 2), {"a": 1}])


@pytest.mark.parametrize(
    "value",
    [
        *(lambda: 0, print, Colour, object, np.floating, {1, 2}, b"bytes", 1j, range(3), slice(2), object()),
        *(np.complex64(1), np.array([None]), np.array(["text"]), np.zeros(2, "i4,f4"), np.dtype("U3")),
        *(np.longdouble(1), np.datetime64("2020-01-01"), Sides.LEFT | Sides.RIGHT, Enum("Local", "A").A),  # type: ignore[attr-defined]
    ],
    ids=lambda value: type(value).__name__,  # the same in each process
)
@pytest.mark.parametrize("inside", [lambda value: value, lambda value: {"a": [(value,)]}, lambda value: {(1,): value}])
def test_what_is_no_data_is_refused(value: Any, inside: Any) -> None:
    for changes in (
        {"kwargs": {"v": inside(value)}},
        {"additional_wrappers": (WrapperSpec("W", "a:b", inside(value)),)},
    ):
        with pytest.raises(
            ValueError, match=r"'Env-v0' has no JSON: (kwargs|additional_wrappers).* cannot be serialised"
        ):
            EnvSpec("Env-v0", **changes).to_json()


def test_a_key_is_no_code_either() -> None:
    with pytest.raises(ValueError, match=r"a key of kwargs\['v'\] is <built-in function len>, a callable"):
        EnvSpec("Env-v0", kwargs={"v": {len: 1}}).to_json()


def test_limits_and_thresholds_are_numbers() -> None:
    spec = EnvSpec("Env-v0", reward_threshold=np.float32(0.5), max_episode_steps=np.int64(7))  # type: ignore[arg-type]
    again = EnvSpec.from_json(spec.to_json())
    assert again == spec
    assert (type(again.reward_threshold), type(again.max_episode_steps)) == (float, int)


@pytest.mark.parametrize(
    "marked",
    [
        *({"__tuple__": 3}, {"__tuple__": {}}, {"__dict__": [1]}, {"__dict__": [[[], 1]]}, {"__path__": 3}),
        *({"__array__": []}, {"__array__": ["<f4", [3], [1]]}, {"__array__": ["O", [1], [None]]}, {"__array__": "f"}),
        *({"__array__": ["|u1", [1], ["x"]]}, {"__array__": ["U9", [1], ["x"]]}, {"__array__": ["f4", ["a"], [1]]}),
        *({"__scalar__": ["<f4", "x"]}, {"__scalar__": ["<f4", []]}, {"__scalar__": ["M8[s]", 3]}, {"__scalar__": 1}),
        *({"__dtype__": "nothing"}, {"__dtype__": 3}, {"__dtype__": "O"}, {"__type__": "object"}, {"__type__": []}),
        *({"__enum__": 3}, {"__enum__": [1, 2]}, {"__enum__": ["a:b"]}, {"__enum__": [f"{__name__}:Colour", "BLUE"]}),
    ],
    ids=repr,
)
def test_marks_of_something_else_are_refused(toy: str, marked: Any) -> None:
    text = json.dumps({"id": toy, "kwargs": {"value": [marked]}})
    with pytest.raises(ValueError, match="EnvSpec"):
        EnvSpec.from_json(text)


def test_depth_is_limited() -> None:
    with pytest.raises(ValueError, match="recursion"):
        EnvSpec.from_json('{"id": "Env-v0", "kwargs": {"v": ' + "[" * 100_000 + "]" * 100_000 + "}}")


@pytest.mark.parametrize(
    "entry_point", ["turtle:Vec2D", "os:system", f"{__name__}:VALUES", f"{__name__}:Path", "no colon", "", "enum:Enum2"]
)
def test_no_other_code_than_enumerations_that_are_imported(toy: str, entry_point: str) -> None:
    text = json.dumps({"id": toy, "kwargs": {"value": {"__enum__": [entry_point, "RED"]}}})
    with pytest.raises(Error, match="trusted=True"):
        EnvSpec.from_json(text)


def test_an_enumeration_of_ours_is_found_where_it_is_not_imported_yet() -> None:
    spec = EnvSpec("Env-v0", kwargs={"vector_kwargs": {"autoreset_mode": AutoresetMode.DISABLED}})
    code = f"""
import sys
from gymnasium.specs import EnvSpec
assert "gymnasium.vector.vector_env" not in sys.modules
print(EnvSpec.from_json({spec.to_json()!r}).kwargs)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{spec.kwargs}\n"


def test_the_lists_that_others_write_for_tuples_make_the_wrappers() -> None:
    """Their JSON has no marks."""
    wrappers = [
        ("Resize", "transform_observation:ResizeObservation", {"shape": [4, 5]}),
        ("Reshape", "transform_observation:ReshapeObservation", {"shape": [2, -1]}),
        (
            "Sticky",
            "stateful_action:StickyAction",
            {"repeat_action_probability": 0.5, "repeat_action_duration": [1, 3]},
        ),
    ]
    listed = [
        {"name": name, "entry_point": f"gymnasium.wrappers.{place}", "kwargs": kwargs}
        for name, place, kwargs in wrappers
    ]
    text = json.dumps({**json.loads(registry["CarRacing-v3"].to_json()), "additional_wrappers": listed})
    spec = EnvSpec.from_json(text)
    assert [wrapper.kwargs for wrapper in spec.additional_wrappers] == [kwargs for _, _, kwargs in wrappers]
    env: Any = make(spec)
    assert env.repeat_action_duration_range == (1, 3)
    assert env.observation_space.shape == (2, 30)
    env.close()


def test_specs_with_arrays_are_compared() -> None:
    def spec(*entries: float) -> EnvSpec:
        return EnvSpec("Env-v0", kwargs={"v": [np.array(entries)], "t": (1, np.array(entries))})

    assert spec(1, 2) == spec(1, 2)
    assert spec(1, 2) != spec(1, 3)
    assert spec(1, 2) != spec(1)
    assert EnvSpec("Env-v0", kwargs={"v": np.zeros(2)}) != EnvSpec("Env-v0", kwargs={"v": np.zeros(2, np.float32)})
    assert StickyAction.wrapper_spec(v=np.zeros(2)) == StickyAction.wrapper_spec(v=np.zeros(2))
    assert StickyAction.wrapper_spec(v=np.zeros(2)) != "StickyAction"
