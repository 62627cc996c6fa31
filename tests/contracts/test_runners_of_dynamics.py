"""Which runners take dynamics."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest

from palaestra.testing import check_func_env
from palaestra.testing.runners import Checked, Verdict, runners_of, table
from tests.contracts.mistaken import IMPURE, UNSOUND, DictState, Method, NotStatic, Params, Room

NAMES = ("single", "sync", "async", "compiled", "jax")


class Branches(Room):
    """JAX cannot trace it, and reads it."""

    @staticmethod
    def reward(state, action, next_state, rng, params):
        if next_state.room > 20.0:
            return 1.0
        return 0.0


class Unpicklable(Room):
    """Cannot go to a worker process."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers = (number for number in range(3))


def takers(kind: Any) -> list[str]:
    return [verdict.runner for verdict in runners_of(kind) if verdict.takes]


@pytest.fixture(autouse=True)
def _jax() -> None:
    pytest.importorskip("jax")


@pytest.mark.parametrize(
    ("kind", "taken"),
    [
        (Room, NAMES),
        (Branches, NAMES),
        (DictState, ("single", "sync", "async", "jax")),
        (Method, ("single", "sync", "async", "jax")),
        *((kind, NAMES[:3]) for kind in IMPURE),
        *((kind, ()) for kind in UNSOUND),
    ],
)
def test_who_takes_it(kind: Any, taken: tuple[str, ...]) -> None:
    assert takers(kind) == list(taken)


def test_what_does_not_pickle_stays_in_its_process() -> None:
    assert takers(Unpicklable) == ["single", "sync", "compiled", "jax"]


def test_reasons() -> None:
    verdicts = runners_of(DictState())
    assert [verdict.runner for verdict in verdicts] == list(NAMES)
    for verdict in verdicts:
        assert bool(verdict.reason) is not verdict.takes
    assert re.search("must be a NamedTuple, but DictState.initial, line", verdicts[3].reason)
    assert [verdict.reason for verdict in runners_of(NotStatic)][1:] == ["see single"] * 4


def test_the_params_that_are_given() -> None:
    verdicts = runners_of(Room, params={"power": 2.0})
    assert [verdict.takes for verdict in verdicts] == [False] * 5
    assert re.fullmatch(
        r"transition, line \d+ of .*mistaken.py \(`loss = .*`\): AttributeError: 'dict' object has no attribute 'loss'",
        verdicts[0].reason,
    )


def test_the_table() -> None:
    verdicts = Verdict("single", True, ""), Verdict("compiled", False, "refused"), Verdict("jax", None, "not installed")
    assert table(verdicts) == "single    yes\ncompiled  no   refused\njax       ?    not installed"
    assert str(Checked(["a note", "it was refused"], verdicts)) == f"{table(verdicts)}\na note"


def test_check_func_env_shows_it() -> None:
    checked = check_func_env(Room, steps=60)
    assert checked == [] or "No episode ended" in checked[0]
    assert str(checked).startswith("single    yes\nsync      yes\nasync     yes\ncompiled  yes\njax       yes")
    assert checked.runners == runners_of(Room(), params=Params())
    assert pickle.loads(pickle.dumps(list(checked))) == checked


def test_check_func_env_tells_mistakes_first() -> None:
    with pytest.raises(TypeError, match=NotStatic.__doc__):
        check_func_env(NotStatic)
