"""Classes around a simulator, a network or a table: the refusal says so, and names the mode to use."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gymnasium as gym
from gymnasium import spaces
from palaestra.error import CannotCompile
from palaestra.runner.classes.vector_env import PlainVectorEnv

pd = pytest.importorskip("pandas")
Box2D = pytest.importorskip("Box2D")


class Base(gym.Env[Any, Any]):
    """Observes what `go` returns."""

    def __init__(self) -> None:
        self.observation_space, self.action_space = spaces.Box(-9, 9, (1,), np.float64), spaces.Discrete(2)
        self.made()

    def made(self) -> None:
        """Make what it is around."""

    def go(self) -> float:
        """Returns what is observed."""
        return 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin again."""
        super().reset(seed=seed)
        self.t = 0
        return np.zeros(1), {}

    def step(self, action: Any) -> Any:
        """Go on."""
        self.t += 1
        return np.array([self.go()], np.float64), 0.0, False, False, {}


class Falling(Base):
    """A body of Box2D."""

    def made(self) -> None:
        """Make a world with it."""
        self.world = Box2D.b2World(gravity=(0, -10))
        self.body = self.world.CreateDynamicBody(position=(0, 4))

    def go(self) -> float:
        """Let it fall."""
        self.world.Step(0.1, 6, 2)
        return float(self.body.position[1])


class Later(Base):
    """Makes its world in reset."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Make a world."""
        self.world = Box2D.b2World()
        return super().reset(seed=seed)


class Table(Base):
    """Reads a table at each step, or an array of it."""

    def made(self) -> None:
        """Make the table."""
        self.df = pd.DataFrame({"a": np.arange(9.0)})
        self.a = self.df["a"].to_numpy()

    def go(self) -> float:
        """Read an item."""
        return float(self.df.iloc[self.t % 9]["a"]) + self.a[self.t % 9]


class OfArray(Table):
    """Follows the remedy."""

    def go(self) -> float:
        """Read an item."""
        return float(self.a[self.t % 9])


WORKERS = 'use vectorization_mode="async", which steps copies in worker processes'
ARRAYS = 'take arrays from it in __init__, or use vectorization_mode="sync"'


@pytest.mark.parametrize(
    ("kind", "reason", "instead"),
    [
        (Falling, "self.world and self.body are of Box2D, whose code is not compiled", WORKERS),
        (Later, "Box2D.b2World is of Box2D, whose code is not compiled", WORKERS),
        (Table, "self.df is of pandas, whose code is not compiled", ARRAYS),
    ],
)
def test_what_a_library_does_is_refused_with_its_name(kind: Any, reason: str, instead: str) -> None:
    with pytest.raises(CannotCompile) as caught:
        PlainVectorEnv(kind, 2)
    (one,) = caught.value.reasons
    assert (one.reason, one.instead) == (reason, instead)
    assert one.file == __file__
    assert 'vectorization_mode="sync" runs it' not in str(caught.value)


def test_a_table_that_no_step_reads_compiles() -> None:
    envs = PlainVectorEnv(OfArray, 2)
    envs.reset(seed=1)
    assert envs.step(np.zeros(2, np.int64))[0].tolist() == [[1.0], [1.0]]
