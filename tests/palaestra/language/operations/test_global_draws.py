"""Functions of `random` and `np.random` on a generator of one's own, beside the real ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend.hidden import RANDOM, RANDOM_STATE
from palaestra.language.frontend.refusals import CannotCompile
from palaestra.language.operations import random_module
from palaestra.language.operations.random_module import OwnRandom
from palaestra.language.operations.random_state import OwnRandomState
from palaestra.language.operations.table import TABLE, Entry
from palaestra.language.operations.twister import SIZE, block_of, draw, made_of, make, words_of
from palaestra.language.types import constant
from palaestra.runner.classes.own_generators import process_kept, seeded_words
from tests.palaestra.language.machines import Failed, machine_of, same

SEEDS = 60
Function = Callable[..., Any]


def adopt(name: str, generator: Any) -> None:
    """Let what follows draw from a generator."""


def _adopt(front: Any, name: Any, generator: Any) -> Any:
    front.hidden = {name.value: generator}
    return constant(None)


def _machine(name: str, function: Function, *examples: Any) -> Function:
    """A function in machine code that draws from the words that are its first argument."""
    TABLE[adopt] = Entry(adopt, _adopt, folds=False)
    try:
        whole = (_of_random if name == RANDOM else _of_numpy)(function)
        return machine_of(whole, seeded_words(name, 0), *examples)
    finally:
        del TABLE[adopt]


def _of_random(function: Function) -> Function:
    def called(words: Any, *arguments: Any) -> Any:
        generator = OwnRandom()
        generator.words = words.copy()
        adopt(RANDOM, generator)
        return function(*arguments), generator.random()

    return called


def _of_numpy(function: Function) -> Function:
    def called(words: Any, *arguments: Any) -> Any:
        generator = OwnRandomState()
        generator.words = words.copy()
        adopt(RANDOM_STATE, generator)
        return function(*arguments), generator.normal()

    return called


def _called(function: Function, arguments: tuple[Any, ...], following: Function) -> Any:
    return _tuples((function(*arguments), following()))


def _outcome(function: Function, *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except Failed as failed:
        return failed.args[0]
    except Exception as error:
        return type(error).__name__


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, (list, tuple)) else value


def _assert_alike(name: str, function: Function, *several: tuple[Any, ...]) -> None:
    """All arguments are of the types of the first ones."""
    module: Any = random if name == RANDOM else np.random
    following: Function = random.random if name == RANDOM else np.random.standard_normal
    machine = _machine(name, function, *several[0])
    with process_kept(), np.errstate(all="ignore"):
        for seed in range(SEEDS):
            arguments = several[seed % len(several)]
            module.seed(seed)
            theirs = _outcome(_called, function, arguments, following)
            ours = _outcome(machine, seeded_words(name, seed), *arguments)
            assert same(ours, theirs), (seed, arguments, ours, theirs)


def _sum_of_many(n: int) -> float:
    total = 0.0
    for _ in range(n):
        total += random.random()
    return total


RANDOM_CALLS: dict[str, tuple[Function, list[tuple[Any, ...]]]] = {
    "random": (lambda: random.random(), [()]),
    "many": (_sum_of_many, [(900,), (0,)]),
    "uniform": (random.uniform, [(-1.0, 2.5), (3.0, 3.0), (5.0, -1e300), (float("nan"), 1.0)]),
    "uniform of ints": (random.uniform, [(0, 7), (5, -5)]),
    "uniform of NumPy's": (random.uniform, [(np.float64(0.5), 3.0)]),
    "uniform by name": (lambda: random.uniform(b=2.0, a=1.0), [()]),
    "randint": (random.randint, [(0, 5), (3, 3), (-7, 100), (5, 4), (0, 2**31), (0, 2**32 - 2)]),
    "randint, known": (lambda: (random.randint(0, 1), random.randint(0, 0), random.randint(a=1, b=6)), [()]),
    "randint of NumPy's": (random.randint, [(np.int64(2), np.int64(9))]),
    "randrange": (random.randrange, [(1,), (10,), (0,), (-3,), (64,), (65,)]),
    "randrange, two": (random.randrange, [(1, 5), (5, 5), (-5, 40)]),
    "randrange, three": (random.randrange, [(0, 10, 3), (10, 0, -3), (0, 10, 0), (0, 10, -1), (-4, 90, 7)]),
    "randrange, step": (lambda: random.randrange(0, 100, 25), [()]),
    "randrange, no stop": (lambda: random.randrange(5, step=2), [()]),
    "choice of a tuple": (lambda: random.choice((1, 4, 9)), [()]),
    "choice of a list": (lambda x: random.choice([x, x + 1, x * 3]), [(1,), (4,)]),
    "choice of an array": (random.choice, [(np.array([4, 5, 6], np.int32),)]),
    "choice of a range": (lambda n: random.choice(range(2, 12, 3)) + n, [(1,)]),
    "choice of pairs": (lambda: random.choice([(0, 1), (1, 0), (0, -1), (-1, 0)]), [()]),
    "choice of texts": (lambda: random.choice(["left", "right"]) == "left", [()]),
    "choice of one": (lambda: random.choice([True]), [()]),
    "choice of none": (lambda: random.choice([]), [()]),
    "choices": (lambda: random.choices([1, 2, 3], k=5), [()]),
    "choices, weights": (lambda a: random.choices([1, 2, 3], weights=[a, 2, 0.5], k=4), [(1.0,), (0.0,), (3.5,)]),
    "choices, weights of ints": (lambda a: random.choices((1, 2, 3, 4), [a, 2, 0, 3]), [(1,), (-5,), (100,)]),
    "choices, sums": (lambda a: random.choices([1, 2], cum_weights=[a, 3.0], k=2), [(1.0,), (2.0,)]),
    "choices, no weight": (lambda: random.choices([1, 2], weights=[0, 0]), [()]),
    "choices, too few": (lambda: random.choices([1, 2], weights=[1]), [()]),
    "sample": (lambda: random.sample([5, 6, 7, 8], 3), [()]),
    "sample of all": (lambda: random.sample(range(12), 12), [()]),
    "sample of many": (lambda: random.sample(range(1000), 6), [()]),
    "sample of too many": (lambda: random.sample([1, 2], 3), [()]),
    "sample of none": (lambda: len(random.sample([1, 2], 0)), [()]),
    "gauss": (lambda mu: (random.gauss(mu, 2.0), random.gauss(1, 3), random.gauss(0.0, 1.0)), [(0.5,), (-3.0,)]),
    "normalvariate": (random.normalvariate, [(0.0, 1.0), (3.0, -2.0)]),
    "lognormvariate": (random.lognormvariate, [(0.0, 1.0)]),
    "expovariate": (random.expovariate, [(1.5,), (-0.1,), (0.0,)]),
    "triangular": (random.triangular, [(0.0, 2.0, 0.5), (1.0, 1.0, 1.0), (2.0, -1.0, 0.0)]),
    "triangular, no mode": (lambda a: (random.triangular(), random.triangular(a, 4), random.triangular(1, 1)), [(1,)]),
    "vonmisesvariate": (random.vonmisesvariate, [(0.5, 2.0), (1.0, 0.0), (3.0, 50.0)]),
    "gammavariate": (random.gammavariate, [(0.5, 1.0), (1.0, 2.0), (3.5, 0.5), (0.0, 1.0), (2.0, -1.0)]),
    "betavariate": (random.betavariate, [(0.5, 0.7), (1.0, 1.0), (3.5, 2.0), (0.0, 1.0)]),
    "paretovariate": (random.paretovariate, [(1.0,), (3.5,)]),
    "weibullvariate": (random.weibullvariate, [(1.0, 1.5), (2.0, 0.5)]),
    "getrandbits": (random.getrandbits, [(1,), (0,), (5,), (31,), (32,), (33,), (63,), (-1,)]),
    "seed": (lambda s: (random.gauss(0, 1), random.seed(s), random.random()), [(5,), (-5,), (0,), (2**40,)]),
    "seed with a constant": (lambda: (random.gauss(0, 1), random.seed(12345), random.gauss(0, 1)), [()]),
}


@pytest.mark.parametrize("name", RANDOM_CALLS)
def test_random(name: str) -> None:
    function, several = RANDOM_CALLS[name]
    _assert_alike(RANDOM, function, *several)


def _shuffled(values: list[int]) -> list[int]:
    random.shuffle(values)
    return values


def _shuffled_array(values: Any) -> Any:
    random.shuffle(values)
    return values * 1


def test_random_shuffle() -> None:
    _assert_alike(RANDOM, lambda a: _shuffled([a, 2, 3, 4, 5, 6]), (1,))
    _assert_alike(RANDOM, lambda a: _shuffled_array(np.arange(a, a + 9)), (0,), (7,))


P = [0.2, 0.5, 0.3]
NUMPY_CALLS: dict[str, tuple[Function, list[tuple[Any, ...]]]] = {
    "rand": (lambda: (np.random.rand(), np.random.rand(3), np.random.rand(2, 2)), [()]),
    "randn": (lambda: (np.random.randn(), np.random.randn(3), np.random.randn(2, 2)), [()]),
    "random": (lambda: (np.random.random(), np.random.random(3), np.random.random((2, 1))), [()]),
    "random_sample": (lambda: (np.random.random_sample(), np.random.sample(2), np.random.ranf()), [()]),
    "many": (lambda n: np.random.rand(2000) + n, [(1,)]),
    "uniform": (np.random.uniform, [(-1.0, 2.0), (3.0, -2.0), (0.0, float("inf")), (float("nan"), 1.0)]),
    "uniform, size": (lambda a: np.random.uniform(a, 2, size=(2, 2)), [(0.5,)]),
    "uniform, low": (lambda: (np.random.uniform(), np.random.uniform(-1), np.random.uniform(high=3, size=2)), [()]),
    "uniform of arrays": (np.random.uniform, [(np.array([0.0, -1.0]), np.array([1.0, 5.0]))]),
    "normal": (np.random.normal, [(0.0, 1.0), (3.0, 2.5), (0.0, -1.0), (0.0, 0.0)]),
    "normal, size": (lambda a: (np.random.normal(a, 2, 3), np.random.normal(), np.random.normal(size=2)), [(1,)]),
    "normal of arrays": (np.random.normal, [(np.array([0.0, -1.0, 5.0]), 0.5)]),
    "standard_normal": (lambda: (np.random.standard_normal(), np.random.standard_normal((3,))), [()]),
    "lognormal": (np.random.lognormal, [(0.0, 1.0), (0.5, -1.0)]),
    "exponential": (np.random.exponential, [(1.0,), (2.5,), (-1.0,), (0.0,)]),
    "exponential, size": (lambda: (np.random.exponential(size=4), np.random.standard_exponential()), [()]),
    "poisson": (np.random.poisson, [(0.5,), (3.0,), (40.0,), (-1.0,), (0.0,)]),
    "poisson, size": (lambda: np.random.poisson(2.0, 5), [()]),
    "binomial": (np.random.binomial, [(10, 0.3), (1000, 0.4), (5, 1.5), (-1, 0.5), (7, 0.9)]),
    "gamma": (np.random.gamma, [(0.5, 1.0), (1.0, 2.0), (3.5, 0.5), (0.0, 1.0), (-1.0, 1.0)]),
    "standard_gamma": (np.random.standard_gamma, [(0.7,), (2.0,)]),
    "beta": (np.random.beta, [(0.5, 0.7), (1.0, 1.0), (3.5, 2.0), (0.0, 1.0)]),
    "chisquare": (np.random.chisquare, [(0.7,), (5.0,), (-1.0,)]),
    "f": (np.random.f, [(0.7, 3.0), (5.0, 9.0)]),
    "standard_t": (np.random.standard_t, [(0.7,), (5.0,)]),
    "standard_cauchy": (lambda: np.random.standard_cauchy(2), [()]),
    "weibull": (np.random.weibull, [(0.7,), (5.0,), (0.0,)]),
    "laplace": (np.random.laplace, [(0.0, 1.0), (1.0, -1.0)]),
    "gumbel": (np.random.gumbel, [(0.0, 1.0)]),
    "logistic": (np.random.logistic, [(0.0, 1.0)]),
    "triangular": (np.random.triangular, [(0.0, 0.5, 2.0), (1.0, 0.0, 2.0)]),
    "vonmises": (np.random.vonmises, [(0.3, 2.0), (3.0, 1e-6), (0.0, 1e-9), (0.0, 1e7), (0.0, -1.0)]),
    "wald": (np.random.wald, [(1.0, 2.0), (3.0, 0.1), (0.0, 1.0)]),
    "noncentral": (lambda: (np.random.noncentral_chisquare(3.0, 1.5), np.random.noncentral_f(2.0, 3.0, 0.5)), [()]),
    "power and kin": (lambda a: (np.random.power(a), np.random.pareto(a), np.random.rayleigh(a)), [(2.0,), (0.3,)]),
    "geometric": (np.random.geometric, [(0.1,), (0.7,), (1.0,), (0.0,)]),
    "logseries": (np.random.logseries, [(0.3,), (0.95,)]),
    "negative_binomial": (np.random.negative_binomial, [(3, 0.4), (0, 0.5), (1, 1.5)]),
    "hypergeometric": (np.random.hypergeometric, [(3, 4, 5), (20, 30, 15), (7, 0, 3), (2, 2, 5), (200, 300, 150)]),
    "random_integers": (lambda n: np.random.random_integers(n), [(6,), (1,)]),
    "dirichlet": (lambda a: np.random.dirichlet((a, 2.0, 0.5)), [(1.0,), (0.0,)]),
    "multinomial": (lambda n: np.random.multinomial(n, [0.2, 0.3, 0.5], size=2), [(20,), (-1,)]),
    "multivariate_normal": (lambda: np.random.multivariate_normal([1.0, 2.0], [[2.0, 0.5], [0.5, 1.0]]), [()]),
    "randint": (np.random.randint, [(5,), (1,), (0,), (-3,), (2**31 + 7,), (2**32,)]),
    "randint, two": (np.random.randint, [(0, 5), (-7, 100), (3, 4), (5, 5), (9, 2)]),
    "randint, size": (lambda n: (np.random.randint(n, size=7), np.random.randint(2, n, (2, 3))), [(9,), (3,), (200,)]),
    "randint, known": (lambda: (np.random.randint(0, 2), np.random.randint(low=1, high=7, size=3)), [()]),
    "randint of NumPy's": (np.random.randint, [(np.int64(3), np.int64(90))]),
    "randint, dtype": (lambda n: np.random.randint(0, n, dtype=np.int64), [(9,)]),
    "choice": (np.random.choice, [(5,), (1,), (100,), (0,), (-2,)]),
    "choice, size": (lambda n: (np.random.choice(n, 4), np.random.choice(n, size=(2, 2))), [(5,), (90,)]),
    "choice of a list": (lambda: np.random.choice([3, 1, 4]), [()]),
    "choice of an array": (np.random.choice, [(np.array([0.5, 1.5, 2.5]),)]),
    "choice of a square": (np.random.choice, [(np.ones((2, 2)),)]),
    "choice, p": (lambda: np.random.choice(3, p=P), [()]),
    "choice, p, size": (lambda a: np.random.choice([a, 7, 9], 6, True, P), [(5,)]),
    "choice, p of an array": (lambda p: np.random.choice(4, p=p), [(np.array([0.1, 0.2, 0.3, 0.4]),), (np.ones(4),)]),
    "choice, p of many": (lambda: np.random.choice(20, p=np.full(20, 0.05)), [()]),
    "choice, no repeats": (lambda: np.random.choice(6, 4, replace=False), [()]),
    "choice, no repeats, one": (lambda: np.random.choice(6, replace=False), [()]),
    "choice, no repeats, list": (lambda: np.random.choice([5.0, 6.0, 7.0], size=(3, 1), replace=False), [()]),
    "choice, no repeats, p": (lambda: np.random.choice(3, 2, False, P), [()]),
    "choice of too many": (lambda: np.random.choice(3, 4, False), [()]),
    "permutation": (lambda: np.random.permutation(9), [()]),
    "permutation of an array": (np.random.permutation, [(np.array([4.0, 1.0, 7.0, 3.0]),)]),
    "permutation of rows": (np.random.permutation, [(np.arange(8).reshape(4, 2),)]),
    "seed": (lambda s: (np.random.randn(), np.random.seed(s), np.random.randn()), [(5,), (0,), (-1,), (2**32,)]),
    "seed with a constant": (lambda: (np.random.randn(), np.random.seed(99), np.random.randint(9)), [()]),
}


@pytest.mark.filterwarnings("ignore:This function is deprecated:DeprecationWarning")
@pytest.mark.parametrize("name", NUMPY_CALLS)
def test_numpy(name: str) -> None:
    function, several = NUMPY_CALLS[name]
    _assert_alike(RANDOM_STATE, function, *several)


def _numpy_shuffled(values: Any) -> Any:
    np.random.shuffle(values)
    return values


def test_numpy_shuffle() -> None:
    _assert_alike(RANDOM_STATE, lambda a: _numpy_shuffled([a, 2, 3, 4, 5, 6]), (1,))
    _assert_alike(RANDOM_STATE, lambda a: _numpy_shuffled(np.arange(a, a + 9)), (0,), (7,))
    _assert_alike(RANDOM_STATE, lambda a: _numpy_shuffled(np.arange(a, a + 8).reshape(4, 2)), (0,))


@pytest.mark.parametrize(
    ("name", "function", "reason"),
    [
        (RANDOM, lambda: _shuffled_array(np.ones((2, 2))), "shuffle"),
        (RANDOM, lambda: random.seed("text"), "Seed with an int"),
        (RANDOM, lambda x: random.triangular(x, 2.0, 1.0), "NumPy"),
        (RANDOM_STATE, lambda: np.random.randint(0, 5, dtype=np.int8), "dtype"),
        (RANDOM_STATE, lambda: np.random.randint(np.array([2, 3])), "bound"),
        (RANDOM_STATE, lambda: np.random.zipf(2.5), "not in the language"),
        (RANDOM_STATE, lambda: np.random.get_state(), "not in the language"),
    ],
)
def test_refused(name: str, function: Function, reason: str) -> None:
    given = [np.float64(1.0)][: function.__code__.co_argcount]
    with pytest.raises(CannotCompile, match=reason):
        _machine(name, function, *given)


def test_dynamics_without_an_environment_have_no_global_generator() -> None:
    with pytest.raises(CannotCompile, match="shared by all copies"):
        machine_of(lambda x: random.random() + x, 1.0)


def test_this_python_draws_as_ours_does() -> None:
    assert random_module.is_ours()


def test_words_are_those_of_python_wherever_their_block_ends() -> None:
    theirs = random.Random(3)
    words, place, count = seeded_words(RANDOM, 3), 0, SIZE
    for k in range(2 * SIZE + 5):
        if k % 311 == 1:
            for ahead in (0, 1, 300, SIZE - 1, 5 * SIZE):
                further = words.copy()
                make(further, max(count + ahead, made_of(words)))
                block, drawn = block_of(further, count)
                assert (3, (*block.tolist(), drawn), None) == theirs.getstate()
                assert draw(words_of(block), drawn % SIZE, drawn)[0] == draw(words.copy(), place, count)[0]
        bits, place, count = draw(words, place, count)
        assert bits == theirs.getrandbits(32)
