"""Refusals: each has a place, a reason and a remedy, all are found at once, and none follows from another."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import pytest

from palaestra.language.frontend import size
from palaestra.language.frontend.entry import function_program
from palaestra.language.frontend.forms import FORMS
from palaestra.language.frontend.refusals import CannotCompile, Refusal
from palaestra.language.types import type_of
from tests.palaestra.language.machines import Failed, machine_of
from tests.palaestra.language.operations.asking import check

DEBUG = False
MODE = "fast"


def refusals_of(function: Callable[..., Any], *examples: Any) -> list[Refusal]:
    """What is refused of a function of arguments like these."""
    try:
        function_program(function, [type_of(one) for one in examples])
    except CannotCompile as error:
        return error.refusals
    return []


def refused(function: Callable[..., Any], *examples: Any) -> list[str]:
    """The refused expressions of a function of arguments like these."""
    return [one.expression for one in refusals_of(function, *(examples or (1.5,)))]


# What a refusal says.


def _spectrum(x: float) -> Any:
    return np.fft.fft(x)


def test_a_refusal_names_function_file_line_expression_reason_and_remedy() -> None:
    def f(x: float) -> float:
        y = x + 1.0
        print(y)
        return y

    (refusal,) = refusals_of(f, 1.5)
    first = inspect.getsourcelines(f)[1]
    assert refusal.place.file == __file__
    assert refusal.place.line == first + 2
    assert refusal.place.function.endswith("<locals>.f")
    assert refusal.expression == "print(y)"
    assert refusal.reason == "machine code prints nothing"
    assert refusal.remedy == "remove it, or let `render` print"
    assert str(refusal) == (
        f"{refusal.place.function}, line {first + 2} of {__file__}: `print(y)`: machine code prints nothing. "
        "Remove it, or let `render` print"
    )


def test_the_error_lists_all_refusals() -> None:
    def f(x: float) -> float:
        print(x)
        input()
        return x

    with pytest.raises(CannotCompile, match=r"`print\(x\)`.*; .*`input\(\)`"):
        function_program(f, [type_of(1.5)])


def test_the_line_is_that_of_the_innermost_expression() -> None:
    def f(x: float) -> Any:
        return (
            x
            + 1.0
            + np.fft.fft(x)
        )  # fmt: skip

    (refusal,) = refusals_of(f, 1.5)
    assert refusal.expression == "np.fft.fft(x)"
    assert refusal.place.line == inspect.getsourcelines(f)[1] + 4


def test_a_refusal_in_a_called_function_is_at_its_line() -> None:
    def f(x: float) -> Any:
        return _spectrum(x)

    (refusal,) = refusals_of(f, 1.5)
    assert (refusal.place.function, refusal.expression) == ("_spectrum", "np.fft.fft(x)")
    assert refusal.place.line == inspect.getsourcelines(_spectrum)[1] + 1


def test_a_refusal_in_a_function_of_the_table_is_at_the_call() -> None:
    def f(x: float) -> Any:
        return np.ptp(np.array([x, x]), axis=int(x))

    (refusal,) = refusals_of(f, 1.5)
    assert refusal.place.file == __file__
    assert refusal.expression == "np.ptp(np.array([x, x]), axis=int(x))"


def test_a_refusal_in_a_key_that_sorts_is_at_the_key() -> None:
    assert refused(lambda x: sorted([x, 1.0], key=lambda y: np.fft.fft(y))) == ["np.fft.fft(y)"]


def test_a_form_of_syntax_is_refused_in_words_with_a_remedy() -> None:
    def f(x: float) -> float:
        with suppress(ZeroDivisionError):
            x = 1.0 / x
        return x

    (refusal,) = refusals_of(f, 1.5)
    assert refusal.expression == "with suppress(ZeroDivisionError):"
    assert (refusal.reason, refusal.remedy) == ("`with` is not in the language", FORMS["With"].remedy)


def test_a_function_that_is_not_in_the_table_is_named() -> None:
    (refusal,) = refusals_of(_spectrum, 1.5)
    assert refusal.reason == "numpy.fft.fft is not in the language"
    assert "What compiles" in refusal.remedy


def test_a_function_without_source_is_refused_at_its_definition() -> None:
    names: dict[str, Any] = {}
    exec(compile("\ndef f(x):\n    return x\n", "<made>", "exec"), names)
    (refusal,) = refusals_of(names["f"], 1.5)
    assert (refusal.place.file, refusal.place.line, refusal.place.function) == ("<made>", 2, "f")
    assert refusal.remedy


class _Node:
    def __init__(self, value: float, following: _Node | None) -> None:
        self.value, self.following = value, following


def test_a_recursion_with_a_known_end_is_written_out() -> None:
    def best(depth: int, x: float) -> float:
        return x if depth == 0 else max(best(depth - 1, x + 1.0), best(depth - 1, -x))

    def total(xs: list[float]) -> float:
        return xs[0] + total(xs[1:]) if xs else 0.0

    def along(node: _Node | None) -> float:
        return 0.0 if node is None else node.value + along(node.following)

    def f(x: float) -> Any:
        return best(3, x), total([x, 2.0, x]), along(_Node(x, _Node(1.0, _Node(x, None))))

    check(f, 1.5)
    check(f, -4.5)


def _doubled(x: float, depth: int) -> float:
    return x


for _ in range(20):

    def _doubled(x: float, depth: int, inner: Any = _doubled) -> float:  # type: ignore[misc]
        return float(inner(x + 1.0, depth) * inner(x, depth))


def test_a_program_that_becomes_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(size, "MOST_WRITTEN", 20_000)
    (refusal,) = refusals_of(lambda x: _doubled(x, 1), 1.5)
    what = r"this line is written [0-9,]{3,} times and is [0-9]+% of it, and the function `_doubled` "
    assert re.match(f"the program becomes too large: {what}", refusal.reason)
    assert (refusal.expression, refusal.remedy[:32]) == (
        "return float(inner(x + 1.0, depth) * inner(x, depth))",
        "call functions at one place, in ",
    )


# All at once.


def test_bad_lines_in_two_functions_are_two_refusals() -> None:
    def f(x: float) -> Any:
        y = _spectrum(x)
        z = np.fft.ifft(x)
        return y, z

    assert refused(f) == ["np.fft.fft(x)", "np.fft.ifft(x)"]


def test_bad_lines_of_one_function_are_all_refused() -> None:
    def f(x: float) -> Any:
        y = np.fft.fft(x)
        print(x)
        if x > 0.0:
            return np.fft.rfft(x)
        for _ in range(3):
            input()
        while x < 9.0:
            x += 1.0
            hash(x)
        return np.fft.ifft(x), y

    assert refused(f) == ["np.fft.fft(x)", "print(x)", "np.fft.rfft(x)", "input()", "hash(x)", "np.fft.ifft(x)"]


def test_both_sides_of_a_branch_are_read() -> None:
    def f(x: float) -> Any:
        if x > 0.0:
            print(x)
        else:
            input()
        return x

    assert refused(f) == ["print(x)", "input()"]


def _shifted(x: Any, by: Any) -> Any:
    print(by)
    return x + by


def test_a_function_is_read_whose_argument_was_refused() -> None:
    def f(x: float) -> Any:
        y = np.fft.fft(x)
        z = _shifted(y, by=x)
        hash(z)
        return np.fft.ifft(y + z)

    assert refused(f) == ["np.fft.fft(x)", "print(by)", "hash(z)", "np.fft.ifft(y + z)"]


def test_what_follows_a_refused_condition_is_read() -> None:
    def f(x: float) -> Any:
        if np.fft.fft(x):
            return 1.0
        return np.fft.ifft(x)

    assert refused(f) == ["np.fft.fft(x)", "np.fft.ifft(x)"]


def test_a_bad_line_is_refused_once_however_often_it_is_reached() -> None:
    def f(x: float) -> Any:
        for k in range(3):
            _spectrum(x + k)
        return _spectrum(x), _spectrum(2.0 * x)

    assert refused(f) == ["np.fft.fft(x)"]


# Only what is reached.


def test_a_branch_that_is_never_taken_is_not_read() -> None:
    def f(x: float, extra: Any = None) -> Any:
        if DEBUG:
            print(x)
        if MODE == "slow":
            return np.fft.fft(x)
        if extra is not None:
            x = np.fft.fft(extra)
        if isinstance(x, np.ndarray):
            return np.fft.fft(x)
        while DEBUG:
            input()
        return (x if not DEBUG else np.fft.fft(x)), DEBUG and np.fft.fft(x)

    assert refused(f) == []
    assert machine_of(f, 1.5)(2.5) == (2.5, False)


def test_what_follows_a_return_that_is_always_taken_is_not_read() -> None:
    def f(x: float) -> float:
        if not DEBUG:
            return x
        print(x)
        return x

    assert refused(f) == []


def test_a_branch_that_is_refused_with_its_condition_is_not_read() -> None:
    """The condition may be known to be false."""

    def f(x: float) -> float:
        if np.fft.fft(1.0) is None:
            print(x)
        return x

    assert refused(f) == ["np.fft.fft(1.0)"]


# None follows from another.


class Point(NamedTuple):
    x: float
    y: float


def _filled(items: list[Any], x: float) -> None:
    items[0] = np.fft.fft(x)


def _of_name(x: float) -> Any:
    y = np.fft.fft(x)
    z = y.real + None
    z += None
    return [*z, *y]


def _of_path(x: float) -> Any:
    y = None
    if x > 0.0:
        y = np.fft.fft(x)
    return y + 1.0


def _of_loop(x: float) -> Any:
    y = None
    for k in range(100):
        if x < k:
            y = y + 1.0
        elif x > 2.0 * k:
            y = np.fft.fft(x)
    return y + 1.0


def _of_item(x: float) -> Any:
    items = [None]
    alias = items
    items[0] = np.fft.fft(x)
    return alias[0] + 1.0


def _of_item_that_a_call_sets(x: float) -> Any:
    items = [None]
    _filled(items, x)
    return items[0] + 1.0


def _of_item_that_a_path_sets(x: float) -> Any:
    info = {"a": None}
    if x > 0.0:
        info["a"] = np.fft.fft(x)
    return info["a"] + 1.0


def _of_items_that_a_loop_sets(x: float) -> Any:
    items = [None, None]
    for k in range(2):
        items[k] = np.fft.fft(x)
    total = 0.0
    for item in items:
        total = total + item
    return total


def _of_result(x: float) -> Any:
    def g(x: float) -> Any:
        if np.fft.fft(x):
            return 1.0

    return g(x) + 1.0


def _of_targets(x: float) -> Any:
    a, (b, *c) = np.fft.fft(x), 1
    return a + b + len(c)


def _of_closure(x: float) -> Any:
    y = np.fft.fft(x)

    def g(z: float) -> Any:
        return z + y

    return g(1.0) + None


def _of_generator(x: float) -> Any:
    def g(x: float) -> Any:
        yield x

    return list(g(x))


def _of_with(x: float) -> Any:
    with x as file:  # type: ignore[attr-defined]
        text = file.read()
    return int(text) + file


def _of_class(x: float) -> Any:
    class A:
        y = 1

    return np.zeros(A().y + x)


def _of_known_type(x: float) -> Any:
    def g(y: Any, *rest: Any, limit: Any = None) -> Any:
        if y is None:
            return y + 1.0
        if isinstance(y, str):
            return y.upper()
        if limit:
            return len(rest) + np.array(rest)
        return [1.0, y][0] + None

    y = np.fft.fft(x)
    return g(y, x, y, limit=max(x, y)) + g(str(y))


def _of_fields(x: float) -> Any:
    point = Point(x, np.fft.fft(x).real)
    other = Point(*point)
    return np.array(other) + point.x + None


def _of_argument(x: float) -> Any:
    return np.clip(np.fft.fft(x), None, "a")


@pytest.mark.parametrize(
    "function",
    [
        *(_of_name, _of_path, _of_loop, _of_item, _of_item_that_a_call_sets, _of_item_that_a_path_sets, _of_result),
        *(_of_items_that_a_loop_sets, _of_targets, _of_closure, _of_generator, _of_with, _of_class, _of_argument),
        *(_of_known_type, _of_fields),
    ],
    ids=lambda one: one.__name__,
)
def test_no_refusal_follows_from_another(function: Callable[..., Any]) -> None:
    assert len(refused(function)) == 1


def test_a_loop_that_is_unrolled_is_not_refused_for_what_was_unknown_before() -> None:
    def f(x: float) -> Any:
        total = 0.0
        for k in range(3):
            if x > 0.0:
                name = f"{k}"
                total += len(name)
            total = total + np.zeros(k).sum() + sum([j for j in range(4) if j != k])
        return float(total)

    assert refused(f) == []
    assert machine_of(f, 1.5)(2.0) == f(2.0)


# Defects that were found here.


def test_a_local_function_may_take_names_that_it_does_not_list() -> None:
    def f(x: float) -> float:
        def g(y: float, **options: float) -> float:
            return y + len(options)

        return g(x) + g(x, z=1.0)

    assert machine_of(f, 1.5)(2.0) == f(2.0)


def test_a_local_function_without_more_names_has_none() -> None:
    def f(x: float) -> float:
        def g(y: float, **options: float) -> float:
            return y if options else -y

        return g(x)

    assert machine_of(f, 1.5)(2.0) == f(2.0)


def test_an_import_that_fails_fails_in_its_step() -> None:
    def f(x: float) -> float:
        if x > 0.0:
            import no_such_module  # type: ignore[import-not-found]

            return float(no_such_module.y)
        return x

    run = machine_of(f, 1.5)
    assert run(-1.0) == -1.0
    with pytest.raises(Failed, match="ModuleNotFoundError"):
        run(1.0)


def test_an_import_from_the_own_package_is_of_the_function() -> None:
    def f(x: float) -> float:
        from math import floor

        from ..machines import MASK

        return floor(x) + (MASK & 7)

    assert machine_of(f, 1.5)(2.5) == math.floor(2.5) + 7
