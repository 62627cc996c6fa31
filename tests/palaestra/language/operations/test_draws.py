"""The methods of random generators: NumPy's numbers, and NumPy's streams behind them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend.entry import program_of
from palaestra.language.frontend.front import FrontEnd
from palaestra.language.frontend.refusals import CannotCompile
from palaestra.language.llvm.engine import caller, compiled
from palaestra.language.operations import distributions, ziggurat
from palaestra.language.program import ADDRESS, BEYOND, FLOAT64, INT64, Kind, Value
from palaestra.language.types import Stream, Term
from tests.palaestra.language.machines import Failed, machine_of, put_words, same, words_of

Function = Callable[..., Any]
INTS, SHARES = np.array([4, 5, 6], np.int8), np.array([0.2, 0.3, 0.5])


def _by_found_shares(rng: Any, a: Any, n: int) -> Any:
    shares = a[:n]
    return rng.choice(len(shares), p=shares), rng.choice(n, p=list(shares)), rng.random()


WORDS = ("wide", "slow", "life")
DRAWS: list[tuple[Function, tuple[Any, ...]]] = [
    *((_by_found_shares, (np.array([0.25, 0.75, 0.0, kind]), n)) for n in (2, 3, 4) for kind in (0.0, np.nan, 0.5)),
    (
        lambda rng: (
            rng.choice(WORDS, p=SHARES) == "slow",
            str(rng.choice(["a", "b"])) == "a",
            rng.choice(("c",)) == "c",
        ),
        (),
    ),
    (lambda rng: rng.random(), ()),
    (lambda rng: rng.random((2, 3)), ()),
    (lambda rng: rng.random(()), ()),
    (lambda rng: rng.random(size=50), ()),
    (lambda rng: rng.random(-1), ()),
    (lambda rng: (rng.random(3, np.float32), rng.integers(7), rng.random(dtype=np.float32), rng.random(dtype="f")), ()),
    (lambda rng: rng.random(2.0), ()),
    (lambda rng, a, b: rng.uniform(a, b), (-1.5, 2)),
    (lambda rng, a, b: rng.uniform(high=a, low=b), (-1.5, 2.5)),
    (lambda rng, a, b: rng.uniform(a, b), (0.0, np.inf)),
    (lambda rng, a, b: rng.uniform(a, b, size=(2, 2)), (1, np.float32(2.5))),
    (lambda rng, a, b: rng.uniform(low=a, high=b), (np.array([-1.0, 0.5]), np.array([1.0, 2.5]))),
    (lambda rng, a, b: rng.uniform(low=a, high=b), (np.array([-1.0, 0.5]), 0.0)),
    (lambda rng, a: rng.uniform((0.0, 1), [2.0, a]), (1.5,)),
    (lambda rng, a: rng.uniform(a, 3, size=3), (np.array([-1.0, 0.5]),)),
    (lambda rng, a, b: rng.normal(a, b), (1, 2.5)),
    (lambda rng, a, b: rng.normal(a, b), (1, -0.0)),
    (lambda rng, a, b: rng.normal(a, b), (1, np.nan)),
    (lambda rng, a, b: rng.normal(a, b), (np.zeros((3, 1)), np.array([1.0, 1.0, 2.0]))),
    (lambda rng, a, b: rng.normal(a, b), (np.zeros(3), np.array([1.0, -1.0, 2.0]))),
    (lambda rng: rng.normal(0, -1, 0), ()),
    (lambda rng: rng.standard_normal(4000)[-9:].copy(), ()),
    (lambda rng: rng.standard_exponential(4000)[-9:].copy(), ()),
    (lambda rng, a: rng.exponential(a), (2.5,)),
    (lambda rng, a: rng.exponential(scale=a), (-2.5,)),
    (lambda rng, a: (rng.standard_gamma(a, 400), rng.gamma(shape=3.0, scale=a, size=100)), (0.3,)),
    (lambda rng, a, b: (rng.beta(a, b, 400), rng.beta(4.0 * a, b), rng.f(a, b), rng.chisquare(a)), (0.5, 0.9)),
    (lambda rng, a: rng.beta(a, a, 100), (1e-3,)),
    (lambda rng, a: rng.beta(a, a, 100), (1e-110,)),
    (lambda rng, a: (rng.poisson(a, 100), rng.poisson(10.0 * a, 400), rng.poisson(1e12)), (1.5,)),
    (lambda rng, a: rng.poisson(lam=a, size=(2, 3)), (np.array([0.0, 5.0, 80.0]),)),
    (lambda rng, a: rng.geometric(a, 100), (0.6,)),
    (lambda rng, a: (rng.geometric(a, 100), rng.geometric(a / 1e19)), (0.1,)),
    (lambda rng, n, p: (rng.binomial(n, p, 400), rng.binomial(9, p), rng.binomial(n=n, p=1 - p)), (2000, 0.3)),
    (lambda rng, n, p: rng.binomial(n, p, 100), (10**12, 0.4)),
    (lambda rng, a: (rng.triangular(-1.0, a, 2.0, 50), rng.weibull(a), rng.pareto(a), rng.power(a)), (0.7,)),
    (lambda rng, a: (rng.laplace(a, 2.0, 50), rng.gumbel(a), rng.logistic(a), rng.lognormal(a)), (0.7,)),
    (lambda rng, a: (rng.standard_t(a, 50), rng.standard_cauchy(), rng.rayleigh(a)), (2.5,)),
    (lambda rng: (rng.integers(5), rng.integers(7), rng.random(), rng.integers(3), rng.integers(1)), ()),
    (lambda rng, a: rng.integers(a), (5,)),
    (lambda rng, a: rng.integers(a), (0,)),
    (lambda rng, a, b: rng.integers(a, b, endpoint=True), (-5, -5)),
    (lambda rng, a, b: rng.integers(a, b, 20), (-5, 7)),
    (lambda rng, a: rng.integers(0, a), (3 * 2**30,)),
    (lambda rng: rng.integers(0, 3 * 2**62, 30, dtype=np.uint64), ()),
    (lambda rng: rng.integers(-(2**63), 2**63 - 1, endpoint=True), ()),
    (lambda rng: rng.integers(0, 2**64), ()),
    (lambda rng: rng.integers(5, dtype=int), ()),
    (lambda rng: (rng.integers(2, dtype=bool), rng.integers(2, size=40, dtype=bool)), ()),
    (lambda rng: rng.integers(0, 200, 30, dtype=np.uint8), ()),
    (lambda rng: rng.integers(0, 256, 3, dtype=np.uint8), ()),
    (lambda rng, a: rng.integers(-100, a, 30, dtype=np.int8), (100,)),
    (lambda rng, a: rng.integers(-100, a, 30, dtype=np.int8), (200,)),
    (lambda rng: rng.integers(-1000, 20000, 30, dtype=np.int16), ()),
    (lambda rng: rng.integers(0, 3 * 2**30, 30, dtype="uint32"), ()),
    (lambda rng, a: rng.integers(a, 0, 0), (5,)),
    (lambda rng, a: rng.choice(a), (5,)),
    (lambda rng, a: rng.choice(a), (0,)),
    (lambda rng: rng.choice((1, 2.5)), ()),
    (lambda rng: rng.choice([]), ()),
    (lambda rng, a: rng.choice(a, (2, 2)), (INTS,)),
    (lambda rng, a: rng.choice(a, axis=1), (np.arange(6).reshape(2, 3),)),
    (lambda rng, a: rng.choice(a, 5, replace=False), (400,)),
    (lambda rng, a: rng.choice(a, 5, replace=False), (4,)),
    (lambda rng: rng.choice(20000, 5, replace=False, shuffle=False), ()),
    (lambda rng, a: rng.choice(a, 3, False), (INTS,)),
    (lambda rng: rng.choice(3, 5, p=[0.2, 0.3, 0.5]), ()),
    (lambda rng: rng.choice(2, p=[0.5, 0.6]), ()),
    (lambda rng, p: rng.choice([5, 6, 7], p=p), (SHARES,)),
    (lambda rng, p: rng.choice(3, p=p), (SHARES.astype(np.float32),)),
    (lambda rng, p: rng.choice(3, p=p), (SHARES + 1e-6,)),
    (lambda rng, p: rng.choice(3, p=p), (np.array([0.2, np.nan, 0.6]),)),
    (lambda rng, p: rng.choice(20, 9, p=p), (np.full(20, 0.05),)),
    (lambda rng, p: rng.choice(20, 9, False, p), (np.full(20, 0.05),)),
    (lambda rng, p: rng.choice(3, 3, False, p), (np.array([0.5, 0.5, 0.0]),)),
    (lambda rng: rng.permutation(5), ()),
    (lambda rng: rng.permutation([1, 2, 3.5]), ()),
    (lambda rng, a: rng.permutation(a), (np.eye(4),)),
    (lambda rng, a: rng.permuted(a), (np.arange(10.0).reshape(2, 5),)),
    (lambda rng, a: (rng.shuffle(a), a), (np.arange(10),)),
    (lambda rng, a: (rng.shuffle(a), a.copy()), (np.arange(12).reshape(4, 3),)),
]


def _text(function: Function) -> str:
    return inspect.getsource(function).strip().removeprefix("(lambda ").removesuffix("),")


def _outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Failed as error:
        return error.args[0]
    except Exception as error:
        return type(error).__name__


def _copied(arguments: tuple[Any, ...]) -> list[Any]:
    return [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]


@pytest.mark.parametrize(("function", "arguments"), DRAWS, ids=[_text(function) for function, _ in DRAWS])
def test_draws_are_those_of_numpy(function: Function, arguments: tuple[Any, ...]) -> None:
    machine = machine_of(function, np.random.default_rng(0), *arguments)
    for seed in range(30):
        one, other = np.random.default_rng(seed), np.random.default_rng(seed)
        for _ in range(3):  # with and without a spare half of a word
            expected = _outcome(lambda: function(one, *_copied(arguments)))  # noqa: B023
            assert same(_outcome(lambda: machine(other, *_copied(arguments))), expected)  # noqa: B023
            if isinstance(expected, str):
                break
            assert one.bit_generator.state == other.bit_generator.state
            one.integers(5), other.integers(5)


def _shuffled_list(rng: np.random.Generator, x: float) -> tuple[float, ...]:
    values = [1.5, x, 3.0, 4.0]
    rng.shuffle(values)
    return tuple(values)


def test_a_list_is_shuffled() -> None:
    machine = machine_of(_shuffled_list, np.random.default_rng(0), 2.5)
    for seed in range(20):
        expected = _shuffled_list(np.random.default_rng(seed), 2.5)
        assert machine(np.random.default_rng(seed), 2.5) == expected


def test_a_range_that_is_found_to_be_wide_is_left_to_python() -> None:
    machine = machine_of(lambda rng, n: rng.integers(n), np.random.default_rng(0), 5)
    with pytest.raises(Failed, match=BEYOND):
        machine(np.random.default_rng(0), 2**40)


REFUSED: list[Function] = [
    lambda rng: rng.bytes(3),
    lambda rng: rng.random(bogus=1),
    lambda rng: rng.standard_normal(3, np.float32),
    lambda rng: rng.integers(np.array([5])),
    lambda rng: rng.choice(np.eye(2), 2),
    lambda rng: rng.choice(20000, 1000, replace=False),
    lambda rng: rng.random((rng.integers(3), rng.integers(2))),
]


@pytest.mark.parametrize("function", REFUSED, ids=_text)
def test_other_draws_are_refused(function: Function) -> None:
    with pytest.raises(CannotCompile):
        machine_of(function, np.random.default_rng(0))


@pytest.mark.parametrize("method", ["standard_normal", "standard_exponential"])
def test_the_functions_of_the_language_are_the_same_in_python(method: str) -> None:
    one, other = np.random.default_rng(3), np.random.default_rng(3)
    for _ in range(20000):
        assert getattr(distributions, method)(one) == getattr(other, method)()
    assert one.bit_generator.state == other.bit_generator.state


def test_ziggurats_have_layers_of_one_area() -> None:
    for table, bits in ((ziggurat.of_normal(), 52), (ziggurat.of_exponential(), 53)):
        ends = table.width * 2.0**bits
        areas = ends[2:] * (table.density[1:-1] - table.density[2:])
        np.testing.assert_allclose(areas, areas[0], rtol=1e-12)
        np.testing.assert_allclose(table.share[2:] / 2.0**bits, ends[1:-1] / ends[2:], rtol=1e-13)
        assert table.share[1] == 0


def _in_lanes(function: Function) -> Callable[[Any, Any], int]:
    """Returns what lets a function draw a float from each of the streams in rows."""

    def write(front: FrontEnd, values: dict[str, Value]) -> Value:
        def row(name: str, size: int) -> Value:
            at = front.compute("mul", values["row"], front.number(size))
            return front.emit("offset", ADDRESS, values[name], at)

        drawn = front.operate(float, front.call_function(function, (Term(Stream(), (row("streams", 40),)),), {}))
        front.emit("store", None, row("results", 8), drawn.part)
        return front.number(0)

    kinds: dict[str, Kind] = {"streams": ADDRESS, "results": ADDRESS, "row": INT64}
    machine = compiled(program_of("draws", kinds, write, "row"), lanes=True)
    assert machine.rows is not None
    call = caller(machine.rows, 4)
    return lambda streams, results: call(streams, results, 0, len(results))


LANES: list[Function] = [
    lambda rng: rng.random(),
    lambda rng: rng.normal(1.0, 2.0),
    lambda rng: rng.exponential(),
    lambda rng: rng.integers(5) + 10 * rng.integers(3) + rng.random(),
    lambda rng: rng.integers(rng.integers(1, 3 * 2**30)),
    lambda rng: rng.choice(5),
    lambda rng: rng.choice(3, p=[0.2, 0.3, 0.5]),
    lambda rng: rng.normal() if rng.random() < 0.5 else rng.integers(6),
]


@pytest.mark.parametrize("function", LANES, ids=_text)
def test_lanes_draw_what_rows_draw(function: Function) -> None:
    run = _in_lanes(function)
    generators = [np.random.default_rng(seed) for seed in range(64)]
    words = np.array([words_of(one) for one in generators])
    results = np.zeros(64, FLOAT64)
    for _ in range(60):
        run(words, results)
        assert results.tolist() == [float(function(one)) for one in generators]
    for one, row in zip(generators, words, strict=True):
        other = np.random.default_rng(0)
        put_words(other, row)
        assert other.bit_generator.state == one.bit_generator.state
