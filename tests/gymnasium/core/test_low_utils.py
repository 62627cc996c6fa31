"""`colorize`, `EzPickle` and `RecordConstructorArgs`."""

from __future__ import annotations

import copy
import pickle

import pytest

from gymnasium.utils import EzPickle, RecordConstructorArgs, colorize

CODES = {
    "gray": 30,
    "red": 31,
    "green": 32,
    "yellow": 33,
    "blue": 34,
    "magenta": 35,
    "cyan": 36,
    "white": 37,
    "crimson": 38,
}


@pytest.mark.parametrize(("color", "code"), CODES.items())
def test_colors(color, code):
    assert colorize("text", color) == f"\x1b[{code}mtext\x1b[0m"
    assert colorize("text", color, bold=True) == f"\x1b[{code};1mtext\x1b[0m"
    assert colorize("text", color, highlight=True) == f"\x1b[{code + 10}mtext\x1b[0m"
    assert colorize("text", color, bold=True, highlight=True) == f"\x1b[{code + 10};1mtext\x1b[0m"


def test_an_unknown_color_is_an_error():
    with pytest.raises(KeyError):
        colorize("text", "octarine")


class Holder(EzPickle):
    """Holds what cannot be pickled."""

    def __init__(self, a, *, b=2):
        EzPickle.__init__(self, a, b=b)
        self.a, self.b = a, b
        self.open = lambda: None


@pytest.mark.parametrize("copied", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy])
def test_ezpickle_rebuilds_from_the_arguments(copied):
    holder = Holder(1, b=3)
    holder.a = "changed since"
    again = copied(holder)
    assert (again.a, again.b) == (1, 3)
    assert again.open is not holder.open


def test_ezpickle_stores_the_arguments_only():
    assert Holder(1, b=3).__getstate__() == {"_ezpickle_args": (1,), "_ezpickle_kwargs": {"b": 3}}


class Base(RecordConstructorArgs):
    def __init__(self, size):
        RecordConstructorArgs.__init__(self, size=size)


class Derived(Base):
    def __init__(self, name):
        RecordConstructorArgs.__init__(self, name=name)
        super().__init__(size=3)


def test_the_first_record_wins():
    assert Base(2)._saved_kwargs == {"size": 2}
    assert Derived("x")._saved_kwargs == {"name": "x"}


def test_records_are_copies_unless_told_otherwise():
    sizes = [1]
    recorded = Base(sizes)
    sizes.append(2)
    assert recorded._saved_kwargs == {"size": [1]}

    class Shallow(RecordConstructorArgs):
        def __init__(self, size):
            RecordConstructorArgs.__init__(self, size=size, _disable_deepcopy=True)

    assert Shallow(sizes)._saved_kwargs["size"] is sizes
