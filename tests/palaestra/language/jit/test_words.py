"""The small language of functions that only count, copy and call."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from palaestra.language.jit.engine import entry
from palaestra.language.jit.errors import MachineCodeError
from palaestra.language.jit.words import library_of

KEPT: list[Any] = []
NUMBERS = (np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.float32, np.float64)


def made(text: str, arrays: int, name: str = "f") -> Any:
    library, function = library_of(dedent(text), name)
    KEPT.append(library)
    return entry(library.get_pointer_to_function(function), arrays)


def ints(*values: int) -> np.ndarray[Any, Any]:
    return np.array(values, np.int64)


def test_loops_and_branches() -> None:
    f = made(
        """
        START, STEP = 1, 3

        def f(at):
            numbers = rows_at(at, (2,), np.int64)
            total, k = 0, 0
            for i in range(START, numbers[0], STEP):
                if i == 7:
                    continue
                total += i
            while k < numbers[1]:
                k += 1
                if k > 4:
                    total -= 100
                else:
                    total = total + 1 if k != 2 else 0 - total
            return min(total, 1000)
        """,
        1,
    )

    def expected(a: int, b: int) -> int:
        total = sum(i for i in range(1, a, 3) if i != 7)
        for k in range(1, b + 1):
            total = total - 100 if k > 4 else total + 1 if k != 2 else -total
        return min(total, 1000)

    for a, b in ((0, 0), (8, 1), (20, 3), (20, 6), (200, 2), (200, 0)):
        assert f(ints(a, b)) == expected(a, b)


def test_integers_wrap() -> None:
    f = made("def f(at):\n    return rows_at(at, (1,), np.int64)[0] * 2 + 1", 1)
    assert f(ints(2**62)) == -(2**63) + 1
    g = made("def f(at):\n    rows_at(at, (2,), np.uint8)[1] += 3\n    return 0", 1)
    small = np.array([7, 254], np.uint8)
    g(small)
    assert small.tolist() == [7, 1]


@pytest.mark.parametrize("kind", NUMBERS, ids=lambda kind: kind.__name__)
def test_numbers_are_widened_when_read_and_written_as_they_were(kind: type[Any]) -> None:
    text = f"""
    def f(at, to):
        rows, copies = rows_at(at, (2, 3), np.{kind.__name__}), rows_at(to, (2, 3), np.{kind.__name__})
        above = 0
        for i in range(2):
            for k in range(3):
                copies[i, k] = rows[i, k]
                above += rows[i][k] > rows[0, 0]
        return above
    """
    array = np.array([[1, 0, 1], [0, 1, 1]]).astype(kind)
    if kind is not np.bool_:
        info = np.finfo(kind) if np.dtype(kind).kind == "f" else np.iinfo(kind)
        array[0], array[1] = [1, 2, info.max], [info.min, 0, 1]
    copy = np.zeros_like(array)
    if np.dtype(kind).itemsize < 8 and np.dtype(kind).kind == "f":
        with pytest.raises(TypeError, match="cannot hold"):
            made(text, 2)
        text = text.replace("copies[i, k] = rows[i, k]", "above += 0")
    assert made(text, 2)(array, copy) == (array > array[0, 0]).sum()
    if np.dtype(kind).itemsize == 8 or np.dtype(kind).kind != "f":
        np.testing.assert_array_equal(copy, array)


def test_nan_differs_from_itself_only() -> None:
    f = made(
        """
        def f(at):
            found = 0
            for x in rows_at(at, (5,), np.float64):
                found = 2 * found + (x != x)
                if (x < x) | (x > 0.5):
                    found += 100
            return found
        """,
        1,
    )
    assert f(np.array([0.0, np.nan, -np.inf, np.nan, 0.5])) == 0b01010
    assert f(np.array([0.0, 0.0, 0.0, 0.0, 0.75])) == 100


def test_functions_call_each_other_and_functions_at_addresses() -> None:
    library, name = library_of("def g(a, b, c):\n    return a + 2 * b + 3 * c", "g")
    f = made(
        """
        def doubled(at):
            number = rows_at(at, (1,), np.int64)
            number[0] += number[0]
            return number[0]

        def f(at, address):
            before = doubled(at)
            return called_at(rows_at(address, (1,), np.int64)[0], before, doubled(at), len(rows_at(at, (5,), np.int8)))
        """,
        2,
    )
    assert f(ints(3), ints(library.get_pointer_to_function(name))) == 6 + 2 * 12 + 3 * 5


def test_what_a_function_raises_is_passed_on() -> None:
    from palaestra.language.jit.backend import kernel
    from palaestra.runner.kernels.compilation import machine_code

    @kernel
    def raising(a: int, b: int, c: int) -> int:
        if b:
            raise ValueError("as told")
        return a

    compiled = machine_code(raising, 3)
    f = made(
        """
        def inner(address, b):
            return called_at(address, 5, b, 0)

        def f(address, told):
            inner(rows_at(address, (1,), np.int64)[0], rows_at(told, (1,), np.int64)[0])
            return 7
        """,
        2,
    )
    assert f(ints(compiled.address), ints(0)) == 7
    with pytest.raises(MachineCodeError):
        f(ints(compiled.address), ints(1))


def test_words_that_threads_share() -> None:
    f = made(
        """
        def f(at):
            before = add(at, 5)
            store(at + 8, load(at))
            pause()
            copied_at(at + 16, at, 16)
            return before
        """,
        1,
    )
    words = ints(3, 0, 0, 0)
    assert f(words) == 3
    assert words.tolist() == [8, 8, 8, 8]


@pytest.mark.parametrize(
    "body",
    ("return at / 2", "return other(at)", "return unknown", "return at < 0 < 1", "with at:\n        pass", "x, y = at"),
)
def test_other_python_is_refused(body: str) -> None:
    with pytest.raises(TypeError):
        library_of(f"def f(at):\n    {body}", "f")
