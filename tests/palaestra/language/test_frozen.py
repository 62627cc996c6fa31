"""Classes of plain values, compared with the dataclasses that they stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from palaestra.language.frozen import frozen


class Base:
    """A base without fields."""


@frozen
class Point(Base):
    """Two fields, one with a default."""

    x: float
    y: float = 2.0


@dataclass(frozen=True)
class Twin(Base):
    """The same as a dataclass."""

    x: float
    y: float = 2.0


@frozen
class Single:
    """One field."""

    x: Any


@frozen
class Empty:
    """None."""


@frozen
class Doubled:
    """A field that the class changes once it is there."""

    x: int

    def __post_init__(self) -> None:
        self.x *= 2  # type: ignore[misc]


def test_equality_and_hash_are_those_of_the_values() -> None:
    assert Point(1.0) == Point(1, y=2)
    assert hash(Point(1.0)) == hash(Point(1, 2)) == hash(Twin(1.0))
    assert Point(1.0) != Point(1.0, 3.0)
    others: list[object] = [Twin(1.0), Single(1.0), Empty(), None]
    assert Point(1.0) not in others
    nan = float("nan")
    assert Single(nan) == Single(nan)
    assert {Empty(), Empty()} == {Empty()}


def test_constructors_and_texts() -> None:
    assert repr(Point(1.0)) == repr(Twin(1.0)).replace("Twin", "Point") == "Point(x=1.0, y=2.0)"
    assert repr(Empty()) == "Empty()"
    assert Doubled(4).x == 8
    assert Point.__match_args__ == Twin.__match_args__ == ("x", "y")
    for given in ((), (1, 2, 3)):
        with pytest.raises(TypeError, match=r"Point.__init__\(\)"):
            Point(*given)
