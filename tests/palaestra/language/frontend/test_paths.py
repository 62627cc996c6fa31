"""Names and lists where paths meet, and items that a loop changes: what random programs have found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend.entry import function_program
from palaestra.language.frontend.refusals import CannotCompile
from palaestra.language.printing import printed
from palaestra.language.types import type_of
from tests.palaestra.language.machines import Failed, machine_of, same

q: int = 100  # which functions below have as a name of their own


def own_list_on_each_path(a: int, c: bool) -> Any:
    """Each path makes a list; behind them it is one."""
    if c:  # noqa: SIM108
        z = [a, 2]
    else:
        z = [3, a]
    z[0] += 1
    return z[0] * 10 + z[1]


def shared_list_on_one_path(a: int, c: bool) -> Any:
    """On one path only two names are one list."""
    if c:
        z = [a, 2]
        w = z
    else:
        z = [3, a]
        w = [5, 6]
    z[0] = 9
    return w[0]


def list_on_one_path(a: int, c: bool) -> Any:
    """The other path has none."""
    z = None
    if c:
        z = [a, 2]
    if z is not None:
        z[1] = 5
        return z[0] + z[1]
    return 7


def returned_lists(a: int, c: bool) -> Any:
    """Lists, None and numbers are returned."""
    if c:
        return [38, a]
    if a > 2:
        return [a]
    return None


def list_before_the_paths(a: int, c: bool) -> Any:
    """A list that a tuple holds, too, is not made anew."""
    z = [1, a]
    held = (z, 3)
    if c:
        z = [2, a]
    held[0][0] = 9
    return z[0]


def made_in_turns(a: int, c: bool) -> Any:
    """Each turn makes a list and leaves it to nobody."""
    i, total = 0, 0
    while i < a:
        i += 1
        item = [i] if c else [a]
        item[0] += 1
        total += item[0]
    return total


def function_in_turns(a: int, c: bool) -> Any:
    """A function that is defined in a loop reads the names of its turn."""
    i, total = 0, 0
    while i < a:
        i += 1

        def add(x: int) -> int:
            return x + i  # noqa: B023

        total += add(1)
    return total


def own_name(a: int, c: bool) -> Any:
    """A name that is assigned somewhere is never the global one."""
    if c:
        q = 3
    return q


def name_from_outside(a: int, c: bool) -> Any:
    """A function inside reads a name that may be unbound."""

    def read() -> int:
        return q

    if c:
        q = 3
    return read()


def read_in_a_condition(a: int, c: bool) -> Any:
    """A turn reads in the condition what the one before has set."""
    i = 0
    z: int
    while i == 0 or z > 3:  # noqa: F821
        z = a + 5 - i
        i += 1
    return i


def walrus_in_a_comprehension(a: int, c: bool) -> Any:
    """The name stays, that of the comprehension does not."""
    i = 5
    z = [(w := i + a) for i in range(3)]
    return w, i, tuple(z)


def changed_list(a: int, c: bool) -> Any:
    """A loop changes the items that it has not reached."""
    z = [1, 2, a]
    total = 0
    for one in z:
        z[2] = 9
        total += one
    return total


def changed_array(a: int, c: bool) -> Any:
    """Likewise, whether its turns are counted or written one behind the other."""
    v, total = np.array([1.0, 2.0, 3.0]), 0.0
    for k, one in zip([0, 1, 2], v, strict=True):
        v[-1] = a
        total += k * float(one)
    return total


def several_kinds_of_items(a: int, c: bool) -> Any:
    """A loop runs over one of two."""
    total = 0
    for one in (1, 2, 3) if c else [a, a]:
        total += one
    return total


def arrays_of_other_axes(a: int, c: bool) -> Any:
    """One has a length that is found at run time, and other axes than the other."""
    z = np.argwhere(np.array([0, a, 2])) if c else np.array([a, 5])
    return z.ndim * 10 + z.sum()


def pair_or_none(a: int, c: bool) -> Any:
    """What has no items is unpacked."""
    pair = (a, 2) if c else None
    x, y = pair  # type: ignore[misc]
    return x * y


def added_behind_a_loop(a: int, c: bool) -> Any:
    """What a loop leaves is read by `+=` only."""
    for k in range(a):  # noqa: B007
        c = not c
    k += 1
    return c


def words_and_pairs(a: int, c: bool) -> Any:
    """A dict has texts among its keys, and tuples of texts."""
    return {"none": 5, ("r", 0): 7, ("g", 1): 8}["r" if c else "g", int(a > 0)]


FUNCTIONS: list[Callable[[int, bool], Any]] = [
    own_list_on_each_path,
    shared_list_on_one_path,
    list_on_one_path,
    returned_lists,
    list_before_the_paths,
    made_in_turns,
    function_in_turns,
    own_name,
    name_from_outside,
    read_in_a_condition,
    walrus_in_a_comprehension,
    changed_list,
    changed_array,
    several_kinds_of_items,
    arrays_of_other_axes,
    pair_or_none,
    added_behind_a_loop,
    words_and_pairs,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_paths_do_what_they_do_in_python(function: Callable[[int, bool], Any]) -> None:
    machine = machine_of(function, 3, True)
    for a in (-2, 0, 1, 3, 6):
        for c in (False, True):
            try:
                expected = function(a, c)
            except (LookupError, NameError, TypeError) as error:
                with pytest.raises(Failed, match=f"^{type(error).__name__}$"):
                    machine(a, c)
                continue
            assert same(machine(a, c), tuple(expected) if isinstance(expected, list) else expected)


def arrays_that_turns_pass_on(a: int, c: bool) -> Any:
    """Two names hold one of several arrays that turns make."""
    row = np.ones(3)
    for _ in range(a):
        other = row + 1 if c else np.cumsum(row)
        for k in range(a):
            row, other = (other * 2 if c else row), (np.cumsum(row) if k > 1 else other)
    return row[0]


def test_a_program_is_the_same_each_time() -> None:
    """What was compiled is found again by its text, and two programs are compared by theirs."""
    types = [type_of(3), type_of(True)]
    texts = {printed(function_program(arrays_that_turns_pass_on, types)[0]) for _ in range(20)}
    assert len(texts) == 1


def unknown_size(a: int, c: bool) -> Any:
    """A shape that is not known, in no loop."""
    return np.zeros(a)


def test_what_cannot_be_known_is_refused() -> None:
    with pytest.raises(CannotCompile):
        machine_of(unknown_size, 3, True)
