"""Every entry of the table, in a step of a class and of a `FuncEnv`: what the one takes, the other takes."""

from __future__ import annotations

import copy
import operator
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
import pytest

from gymnasium.functional.boundary import plain_state
from gymnasium.functional.env import FunctionalEnv
from gymnasium.vector import SyncVectorEnv
from palaestra.language.operations.table import Entry, entries
from palaestra.runner.classes.vector_env import PlainVectorEnv
from palaestra.runner.vector_env import CompiledVectorEnv
from tests.palaestra.language.operations.trying import name_of, same_object
from tests.palaestra.runner.everywhere import DRAWS, Case, case_of, class_of, dynamics_of

CHUNK = 20
ENTRIES = sorted((one for one in entries() if one.tries), key=lambda one: (name_of(one.called), repr(one.called)))

NOT_IN_CLASSES: dict[Any, str] = dict.fromkeys(
    (np.broadcast_arrays, np.broadcast_to, np.diag, np.diagonal, np.ndarray.diagonal),
    "a view that NumPy makes read-only",
)
"""Entries that a class cannot call with its attributes, and what refuses them."""
NOT_IN_FUNC_ENVS: dict[Any, str] = {
    **dict.fromkeys((np.float16, np.float16.is_integer), "a float has 32 or 64 bits, but the state's"),
    **dict.fromkeys((operator.getitem, sorted), "here, but was int at first"),  # one of several numbers
}
"""Those that a `FuncEnv` cannot call with its state."""


@cache
def case(entry: Entry) -> Case:
    found = case_of(entry)
    assert found is not None, f"{name_of(entry.called)} has no arguments that a state holds"
    return found


@contextmanager
def quiet() -> Iterator[None]:
    """NumPy's warnings are not compared."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def as_class(cases: Sequence[Case]) -> list[str]:
    """Returns what differs between machine code and Python, in a class."""
    made = class_of(cases)
    ours, sync = PlainVectorEnv(made, 2, trial="off"), SyncVectorEnv([made] * 2)
    return differences(ours, sync, lambda envs: envs.call("seen"))


def as_func_env(cases: Sequence[Case]) -> list[str]:
    """The same in a `FuncEnv`, whose states a batch shows with Python's numbers."""
    made = dynamics_of(cases)
    ours, sync = CompiledVectorEnv(made, 2), SyncVectorEnv([lambda: FunctionalEnv(made)] * 2)
    return differences(ours, sync, lambda envs: [plain_state(one)._asdict() for one in envs.get_attr("state")])


def differences(ours: Any, sync: Any, seen: Callable[[Any], Sequence[dict[str, Any]]]) -> list[str]:
    """Step two batches with each of the draws, and compare the environments by their attributes."""
    found = []
    for envs in (ours, sync):
        envs.reset(seed=3)
    for t in range(DRAWS + 1):
        for envs in (ours, sync):
            envs.step(np.array([t, t + 1]) % DRAWS)
        for one, other in zip(seen(ours), copy.deepcopy(seen(sync)), strict=True):
            assert one.keys() == other.keys()
            found += [
                f"{name}: {one[name]!r}, but in Python {other[name]!r}"
                for name in one
                if not same_object(one[name], other[name])
            ]
    assert [one.bit_generator.state for one in ours.np_random] == [one.bit_generator.state for one in sync.np_random]
    ours.close()
    return found


FORMS = {"class": (as_class, NOT_IN_CLASSES), "FuncEnv": (as_func_env, NOT_IN_FUNC_ENVS)}


@pytest.mark.parametrize("first", range(0, len(ENTRIES), CHUNK), ids=lambda k: name_of(ENTRIES[k].called))
@pytest.mark.parametrize("form", FORMS)
def test_entries_do_what_python_does(form: str, first: int) -> None:
    compare, refused = FORMS[form]
    chosen = [one for one in ENTRIES[first : first + CHUNK] if one.called not in refused]
    with quiet():
        different = compare([case(one) for one in chosen])
    assert not different, "\n".join([*(f"{k}: {name_of(one.called)}" for k, one in enumerate(chosen)), *different])


@pytest.mark.parametrize(("form", "called"), [(form, one) for form in FORMS for one in FORMS[form][1]])
def test_what_is_left_out_is_refused(form: str, called: Any) -> None:
    compare, refused = FORMS[form]
    (entry,) = (one for one in ENTRIES if one.called == called)
    with quiet(), pytest.raises(TypeError, match=refused[called]):
        compare([case(entry)])
