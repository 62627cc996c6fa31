"""Truths and orders of several objects: `in`, any, all, min, max, sorted, sum, and comparisons of tuples and lists."""

from __future__ import annotations

import operator
import sys
from collections import Counter, deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium.spaces.space import Space
from palaestra.language.frontend.building import NOTHING, Target
from palaestra.language.frontend.calling import call
from palaestra.language.frontend.iteration import items_of, numbered
from palaestra.language.frontend.refusals import NeedsConstant, Refused
from palaestra.language.operations import growing, mappings
from palaestra.language.operations.arithmetic import is_of, is_python
from palaestra.language.operations.dictionaries import is_dict
from palaestra.language.operations.drawing import any_number, any_numbers, one_of, python_numbers
from palaestra.language.operations.table import Tries, built
from palaestra.language.program import BEYOND, INT64
from palaestra.language.types import (
    CONTAINERS,
    SETS,
    Array,
    Bounded,
    Constant,
    Iterated,
    Number,
    Placed,
    Range,
    Reference,
    Term,
    Tuple,
    constant,
    tuple_of,
)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

ZERO, NONE, FALSE, EMPTY = map(constant, (0, None, False, ()))
MOST_SORTED = 24


def listed(front: FrontEnd, x: Term, what: str) -> list[Term]:
    """Returns the items of an object, one by one.

    Raises:
        NeedsConstant: If their number is not known.
    """
    items = items_of(front, x)
    if items is None:
        raise NeedsConstant(f"{what} of {x.type} needs items that are known one by one")
    return items


def _is_found(front: FrontEnd, x: Term) -> bool:
    """Whether the number of items is found when the program runs, and no loop around can be unrolled to know it."""
    if growing.grows(front, x):
        return True
    return growing.may_grow(front) and items_of(front, x) is None and numbered(front, x) is not None


def _several(kinds: str, most: int = 5) -> Callable[[np.random.Generator], tuple[Any, ...]]:
    """Draws a tuple of a few numbers of one kind."""
    return lambda rng: (tuple(any_number(rng, kinds) for _ in range(int(rng.integers(1, most)))),)


# Searching.


def found(front: FrontEnd, items: list[Term], test: Callable[[Term], Term], answer: bool) -> Term:
    """Returns `answer` if the truth of one test is `answer`, and else the opposite; tests behind it are not made."""

    def write(target: Target) -> Term:
        for item in items:
            leave_if(front, test(item), answer, target)
            if not front.live:
                return NOTHING
        return constant(not answer)

    return front.block("found", write)


def leave_if(front: FrontEnd, term: Term, answer: bool, target: Target) -> None:
    """Leave a block with `answer` if the truth of an object is `answer`."""
    known = front.truth(term)

    def leave() -> Term:
        front.leave(target, constant(answer))
        return NOTHING

    if isinstance(known, bool):
        if known == answer:
            leave()
        return
    front.branch(known, *((leave, lambda: NOTHING) if answer else (lambda: NOTHING, leave)))


@built(any, tries=(_several("bif"),))
def _any(front: FrontEnd, x: Term) -> Term:
    if isinstance(x.type, Bounded):
        return front.operate(bool, front.operate(np.any, _row(x)))
    if _is_found(front, x):
        return growing.any_of(front, x, True)
    return found(front, listed(front, x, "any()"), lambda item: item, True)


@built(all, tries=(_several("bif"),))
def _all(front: FrontEnd, x: Term) -> Term:
    if isinstance(x.type, Bounded):
        return front.operate(bool, front.operate(np.all, _row(x)))
    if _is_found(front, x):
        return growing.any_of(front, x, False)
    return found(front, listed(front, x, "all()"), lambda item: item, False)


@built(
    operator.contains,
    tries=(
        lambda rng: ((1, 2.5, True, 7), any_number(rng, "if")),
        lambda rng: (range(-5, 9, 2), one_of(rng, int(rng.integers(-9, 12)), float(rng.integers(-9, 12)), 2.5)),
        lambda rng: (tuple(any_number(rng, "i") for _ in range(3)), any_number(rng, "i")),
    ),
)
def _contains(front: FrontEnd, container: Term, x: Term) -> Term:
    if isinstance(container.type, Array | Bounded):
        return front.operate((operator.contains, "array"), container, x)
    if isinstance(container.type, Range) or (container.known and isinstance(container.value, range)):
        return _in_range(front, container, x)
    if isinstance(container.type, Iterated) and container.type.by == "keys":
        container = next(container.items())
    if is_dict(container):
        return front.operate((operator.contains, "dict"), container, x)
    if container.known and isinstance(container.value, Space):
        return front.operate(type(container.value).contains, container, x)
    if is_of(container, *SETS):
        return front.operate((operator.contains, "set"), container, x)
    if _is_found(front, container):
        return growing.contains(front, container, x)
    items = listed(front, container, "`in`")
    return found(front, items, lambda item: equal(front, item, x), True)


def equal(front: FrontEnd, a: Term, b: Term) -> Term:
    """Returns whether two items are one object, or equal, as containers compare them."""
    answer = front.operate(operator.eq, a, b)
    if a.known and b.known:
        return constant(a.value is b.value or bool(answer.value))
    values = [one.part for one in (a, b) if not one.known and isinstance(one.type, Number)]
    may_be_nan = all(not one.known or one.value != one.value for one in (a, b))
    if may_be_nan and len(values) == 2 and all(value.dtype.kind == "f" for value in values):
        nans = [front.compare("ne", value, value) for value in values]
        front.raise_if(front.compute("and", *nans), BEYOND)  # they may be one object, or not
    return answer


@built(growing.same, folds=False)
def _same(front: FrontEnd, a: Term, b: Term) -> Term:
    return front.operate(bool, equal(front, a, b))


def _in_range(front: FrontEnd, container: Term, x: Term) -> Term:
    number = front.materialized(x)
    if not isinstance(number.type, Number):
        return constant(False)
    if number.type.dtype.kind == "f":
        if number.type.dtype.itemsize < 8:  # beside which NumPy rounds the items, too
            exact = front.number(2 ** np.finfo(number.type.dtype).nmant, number.type.dtype)
            front.raise_if(front.compare("ge", front.compute("fabs", number.part), exact), BEYOND)
        return front.call_function(_float_in_range, (*_bounds(front, container), front.operate(float, number)), {})
    value = front.operate(int, number)
    return front.call_function(_int_in_range, (*_bounds(front, container), value), {})


def _bounds(front: FrontEnd, container: Term) -> list[Term]:
    if container.known:
        return [constant(one) for one in (container.value.start, container.value.stop, container.value.step)]
    assert isinstance(container.type, Range)
    return [*(Term(Number(INT64, python=True), (part,)) for part in container.parts), constant(container.type.step)]


def _int_in_range(start: int, stop: int, step: int, x: int) -> bool:
    if step > 0:
        return start <= x < stop and (step == 1 or (x - start) % step == 0)
    return stop < x <= start and (step == -1 or (start - x) % -step == 0)


def _float_in_range(start: int, stop: int, step: int, x: Any) -> bool:
    if not (x >= -9007199254740992.0 and x <= 9007199254740992.0):
        return x - x == 0.0 and _int_in_range(start, stop, step, int(x))
    return x == int(x) and _int_in_range(start, stop, step, int(x))


# Orders.


def _extreme(front: FrontEnd, terms: tuple[Term, ...], is_better: object, key: Term, default: Term | None) -> Term:
    if len(terms) == 1 and isinstance(terms[0].type, Bounded) and key == NONE and default is None:
        return front.call_function(_best_item, (_row(terms[0]), constant(is_better)), {})
    if len(terms) == 1 and _is_found(front, terms[0]):
        is_ready = is_of(terms[0], list, deque, *SETS)
        x = terms[0] if is_ready else growing.listed(front, terms[0])
        return growing.extreme(front, x, is_better, key, default)
    items = list(terms) if len(terms) > 1 else listed(front, terms[0], "the extreme")
    if not items:
        if default is None:
            front.raise_("ValueError")
        return default
    best = (items[0], _key_of(front, key, items[0]))
    for item in items[1:]:
        best = _better(front, best, (item, _key_of(front, key, item)), is_better)
    return best[0]


def _row(array: Term) -> Term:
    """An array whose length is found, and which has one axis."""
    assert isinstance(array.type, Bounded)
    if len(array.type.most) != 1:
        raise Refused(f"this of {array.type}, which has several axes, is not in the language", "write a loop")
    return array


def _best_item(row: Any, is_better: Any) -> Any:
    if len(row) == 0:
        raise ValueError
    best = row[0]
    for k in range(1, len(row)):
        if is_better(row[k], best):
            best = row[k]
    return best


def _key_of(front: FrontEnd, key: Term, item: Term) -> Term:
    return item if key == NONE else call(front, key, [item], {})


def _better(front: FrontEnd, best: tuple[Term, Term], other: tuple[Term, Term], is_better: object) -> tuple[Term, Term]:
    chosen = front.truth(front.operate(is_better, other[1], best[1]))
    if isinstance(chosen, bool):
        return other if chosen else best
    item = front.branch(chosen, lambda: other[0], lambda: best[0])
    if best[0] is best[1] and other[0] is other[1]:
        return item, item
    return item, front.branch(chosen, lambda: other[1], lambda: best[1])


_PAIRS = (lambda rng: (any_number(rng, "i"), any_number(rng, "f")), any_numbers("bif", 3), _several("bif"))


@built(min, tries=_PAIRS)
def _min(front: FrontEnd, *terms: Term, key: Term = NONE, default: Term | None = None) -> Term:
    return _extreme(front, terms, operator.lt, key, default)


@built(max, tries=_PAIRS)
def _max(front: FrontEnd, *terms: Term, key: Term = NONE, default: Term | None = None) -> Term:
    return _extreme(front, terms, operator.gt, key, default)


@built(sorted, tries=(_several("i", 7), _several("f", 7), _several("if", 4)), note="up to 24 items, no NaN")
def _sorted(front: FrontEnd, x: Term, key: Term = NONE, reverse: Term = FALSE) -> Term:
    """Items change places with the one before until none has to: the order of equal ones stays."""
    if _is_found(front, x):
        unordered = growing.is_set(front, x)
        made = growing.listed(front, x, unordered)
        growing.sort(front, made, key, reverse, unordered)
        return made
    items = listed(front, x, "sorted()")
    if len(items) > MOST_SORTED or not reverse.known:
        raise Refused(f"sorted() takes up to {MOST_SORTED} items, and a known `reverse`")
    pairs = [(item, _key_of(front, key, item)) for item in items]
    for _, one in pairs if len(pairs) > 1 else ():
        refuse_nan(front, one)
    for end in range(len(pairs) - 1, 0, -1):
        for k in range(end):
            pairs[k], pairs[k + 1] = _ordered(front, pairs[k], pairs[k + 1], bool(reverse.value))
    return front.allocate([item for item, _ in pairs], list)


def refuse_nan(front: FrontEnd, term: Term) -> None:
    """Raise for a NaN: the order then depends on how Python sorts."""

    def check(one: Term) -> Term:
        number = front.materialized(one)
        if isinstance(number.type, Number) and number.type.dtype.kind == "f":
            front.raise_if(front.compare("ne", number.part, number.part), BEYOND)
        elif isinstance(number.type, Tuple):
            for item in number.items():
                refuse_nan(front, item)
        return NOTHING

    front.split(term, check)


@built(growing.no_nan, folds=False)
def _no_nan(front: FrontEnd, value: Term) -> Term:
    refuse_nan(front, value)
    return NOTHING


def _ordered(
    front: FrontEnd, a: tuple[Term, Term], b: tuple[Term, Term], reverse: bool
) -> tuple[tuple[Term, Term], tuple[Term, Term]]:
    below = front.operate(operator.lt, a[1], b[1]) if reverse else front.operate(operator.lt, b[1], a[1])
    swapped = front.truth(below)
    if isinstance(swapped, bool):
        return (b, a) if swapped else (a, b)

    def chosen(one: Term, other: Term) -> Term:
        return front.branch(swapped, lambda: one, lambda: other)

    first, last = chosen(b[0], a[0]), chosen(a[0], b[0])
    if a[0] is a[1] and b[0] is b[1]:
        return (first, first), (last, last)
    return (first, chosen(b[1], a[1])), (last, chosen(a[1], b[1]))


@built(sum, tries=(_several("i"), _several("f"), _several("bif")))
def _sum(front: FrontEnd, x: Term, start: Term = ZERO) -> Term:
    if _is_found(front, x):
        return growing.sum_of(front, x, start)
    items = listed(front, x, "sum()")
    if sys.version_info >= (3, 12) and any(map(_is_float, (*items, start))):
        return _sum_of_floats(front, items, start)
    total = start
    for item in items:
        total = front.operate(operator.add, total, item)
    return total


def _sum_of_floats(front: FrontEnd, items: list[Term], start: Term) -> Term:
    """Since 3.12, Python adds floats with their rests."""
    if not all(map(_is_float, items)) or not (start == ZERO or _is_float(start)):
        raise Refused("sum() of floats and other numbers depends on the version of Python", "write float(...) around")
    return front.call_function(sum_with_rests, [start, tuple_of(items)], {})


def sum_with_rests(total: float, items: tuple[float, ...]) -> float:
    """Returns the sum of floats, with the sum of what each addition has lost."""
    rests = 0.0
    for x in items:
        more = total + x
        rests += (total - more) + x if abs(total) >= abs(x) else (x - more) + total
        total = more
    return total + rests if rests != 0.0 and rests - rests == 0.0 else total


def _is_float(term: Term) -> bool:
    return type(term.value) is float if term.known else is_python(term) and term.part.dtype.kind == "f"


# Comparisons of tuples and lists.


def _are_alike(front: FrontEnd, a: Term, b: Term) -> bool:
    """Whether both are tuples, or both lists, or deques, which alone can be equal."""
    kinds = [_class(one) for one in (a, b)]
    return kinds[0] is kinds[1] and kinds[0] in (tuple, list, deque)


def _class(term: Term) -> type:
    if isinstance(term.type, Tuple):
        return tuple
    if isinstance(term.type, Reference | Placed):
        return term.type.of
    value = term.value if isinstance(term.type, Constant) else None
    return next((kind for kind in (tuple, list, deque) if isinstance(value, kind)), type(value))


def _check_plain(*terms: Term) -> None:
    for term in terms:
        of = (
            term.type.of
            if isinstance(term.type, (Tuple, Reference, Placed))
            else type(term.value)
            if term.known
            else tuple
        )
        own = [name for name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__") if name in vars(of)]
        if own and of.__module__ != "builtins" and of not in CONTAINERS:
            raise Refused(f"{of.__name__} defines {own[0]}, which is not in the language")


def _equal_items(front: FrontEnd, a: Term, b: Term) -> Term:
    if is_dict(a) and is_dict(b):
        return mappings.equal(front, a, b)
    if any(is_dict(one) and isinstance(front.materialized(other).type, Number) for one, other in ((a, b), (b, a))):
        return constant(False)
    _check_plain(a, b)
    if not _are_alike(front, a, b):
        return constant(False)
    if growing.grows(front, a) or growing.grows(front, b):
        return growing.equal_lists(front, a, b)
    one, other = listed(front, a, "a comparison"), listed(front, b, "a comparison")
    if len(one) != len(other):
        return constant(False)
    pairs = dict(zip(map(id, one), other, strict=True))
    return found(front, one, lambda item: equal(front, item, pairs[id(item)]), False)


_TUPLES: tuple[Tries, ...] = (
    lambda rng: (tuple(rng.integers(0, 2, 2).tolist()), tuple(rng.integers(0, 2, 2).tolist())),
    lambda rng: ((*python_numbers("f", 2)(rng), 1), (*python_numbers("i", 2)(rng), 1)),
    lambda rng: (python_numbers("if", 2)(rng), python_numbers("i", 3)(rng)),
    lambda rng: ((1, (2, *python_numbers("b")(rng))), (1, (2, *python_numbers("i")(rng)))),
)


@built((operator.eq, "sequences"), tries=_TUPLES, note="no NaN")
def _are_equal(front: FrontEnd, a: Term, b: Term) -> Term:
    return _equal_items(front, a, b)


@built((operator.ne, "sequences"), tries=_TUPLES, note="no NaN")
def _differ(front: FrontEnd, a: Term, b: Term) -> Term:
    return front.operate(operator.not_, _equal_items(front, a, b))


def _order_of_items(called: Any) -> None:
    @built((called, "sequences"), tries=_TUPLES, note="no NaN")
    def build(front: FrontEnd, a: Term, b: Term) -> Term:
        _check_plain(a, b)
        if not _are_alike(front, a, b):
            if is_of(a, Counter):
                raise Refused("an order of Counters is not in the language", "compare their values")
            front.raise_("TypeError")
        if growing.grows(front, a) or growing.grows(front, b):
            return growing.ordered(front, called, a, b)
        return _first_difference(front, called, listed(front, a, "a comparison"), listed(front, b, "a comparison"))


def _first_difference(front: FrontEnd, called: Any, one: list[Term], other: list[Term]) -> Term:
    """The order of the first two items that differ, or of the lengths."""
    if not one or not other:
        return constant(called(len(one), len(other)))
    is_equal = front.truth(equal(front, one[0], other[0]))

    def rest() -> Term:
        return _first_difference(front, called, one[1:], other[1:])

    def here() -> Term:
        return front.operate(called, one[0], other[0])

    if isinstance(is_equal, bool):
        return rest() if is_equal else here()
    return front.branch(is_equal, rest, here)


for _called in (operator.lt, operator.le, operator.gt, operator.ge):
    _order_of_items(_called)


@built(tuple, tries=(_several("if"),))
def _tuple(front: FrontEnd, x: Term = EMPTY) -> Term:
    return tuple_of(listed(front, x, "tuple()"))


@built(list, folds=False, tries=(_several("if"),))
def _list(front: FrontEnd, x: Term = EMPTY) -> Term:
    if _is_found(front, x):
        return growing.listed(front, x)
    return front.allocate(listed(front, x, "list()"), list)
