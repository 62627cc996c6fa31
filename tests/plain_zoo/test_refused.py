"""What machine code cannot hold is refused, at its file and line, with the reason and the remedy."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest

from gymnasium.core import Env
from palaestra.error import CannotCompile
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.plain_zoo.refused import state, world

MARK = "# refused"


def _refused() -> Iterator[type[Env[Any, Any]]]:
    for module in (state, world):
        for name, value in vars(module).items():
            if name.endswith("Env") and inspect.isclass(value) and value.__module__ == module.__name__:
                yield value


def _marked(kind: type[Any]) -> set[int]:
    lines, first = inspect.getsourcelines(kind)
    return {first + k for k, line in enumerate(lines) if MARK in line}


def _cases() -> list[Any]:
    return [pytest.param(kind, id=kind.__name__) for kind in _refused()]


@pytest.mark.parametrize("kind", _cases())
def test_it_is_refused_at_its_line(kind: type[Env[Any, Any]]) -> None:
    with pytest.raises(CannotCompile) as caught:
        envs = PlainVectorEnv(kind, 3)
        envs.reset(seed=1)

    reasons = caught.value.reasons
    assert _marked(kind) <= {reason.line for reason in reasons if reason.file == inspect.getsourcefile(kind)}
    for reason in reasons:
        assert reason.reason and reason.instead
        assert f"{reason.file}" in str(caught.value) and str(reason.line) in str(caught.value)
        assert reason.reason in str(caught.value) and reason.instead in str(caught.value)
