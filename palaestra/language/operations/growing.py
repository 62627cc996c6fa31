"""Operations on lists and deques whose length is found when the program runs, and on what runs over others."""

from __future__ import annotations

import operator
import sys
from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.growing import (
    allocated,
    as_other,
    check_room,
    copied,
    copy_items,
    each_number,
    grow,
    item_at,
    kind_of,
    length_of,
    most_of,
    moved,
    new,
    note_change,
    put_at,
    set_length,
    storage_of,
)
from palaestra.language.frontend.refusals import NeedsConstant, Refused
from palaestra.language.operations import arrays
from palaestra.language.operations.arithmetic import is_of
from palaestra.language.operations.slices import Cut, Slice, cut_axis, cut_of
from palaestra.language.operations.table import built
from palaestra.language.program import BEYOND, INT64, Value
from palaestra.language.types import (
    CONTAINERS,
    NONE,
    PYTHON,
    SETS,
    UNBOUND,
    Array,
    Constant,
    Either,
    Number,
    Placed,
    Reference,
    Term,
    Tuple,
    Type,
    constant,
    plain,
    widened,
)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NOTHING = constant(None)


def grows(front: FrontEnd, term: Term) -> bool:
    """Returns whether an object is a container that grows."""
    return storage_of(front, term) is not None


def is_list(term: Term) -> bool:
    """Returns whether an object is a list."""
    return is_of(term, list)


def class_of(term: Term) -> type | None:
    """Returns the class of a container, of the program or a constant; None for other objects."""
    return next((one for one in CONTAINERS if is_of(term, one)), None)


def may_grow(front: FrontEnd) -> bool:
    """Returns whether a list may grow where its length could be known, if a loop around were unrolled."""
    return not front.counted or front.unrolls_none


def storage(front: FrontEnd, x: Term) -> Term:
    """Returns the storage of a container that grows."""
    found = storage_of(front, x)
    assert found is not None
    return found


def changed(front: FrontEnd, x: Term, *items: Term) -> Term:
    """Returns the storage of a container that is changed, and may get some items."""
    front.writes(x)
    if not isinstance(x.type, Reference | Placed) or x.type.of not in CONTAINERS:
        copies = f"{type(x.value).__name__}(...)" if x.known and isinstance(x.value, CONTAINERS) else "list(...)"
        raise Refused(f"{x.type} is changed, which is not in the language", f"make a copy: {copies}")
    return grow(front, x, *(widened(front.shelves.storable(one).type) for one in items))


def size(front: FrontEnd, x: Term) -> Value:
    """Returns the length of a container that grows."""
    return length_of(front, storage(front, x))


def whole(front: FrontEnd, index: Term) -> Value:
    """Returns an index as an int64."""
    return front.materialized(front.operate(operator.index, index)).part


def place(front: FrontEnd, length: Value, index: Term) -> Value:
    """Returns an index counted from the begin; it raises if there is no such item."""
    at = whole(front, index)
    zero = front.number(0)
    at = front.compute("add", at, front.emit("select", INT64, front.compare("lt", at, zero), length, zero))
    outside = front.compute("or", front.compare("lt", at, zero), front.compare("ge", at, length))
    front.raise_if(outside, "IndexError")
    return at


def _item(front: FrontEnd, found: Term, k: Value) -> Term:
    if kind_of(found).item == UNBOUND:  # the list is empty
        front.raise_("IndexError")
    return item_at(front, found, k)


# Items.


def get(front: FrontEnd, x: Term, index: Term) -> Term:
    """Returns an item, or a new list for a slice."""
    if _is_slice(front, x, index):
        return _sliced(front, x, index)
    found = storage(front, x)
    return _item(front, found, place(front, length_of(front, found), index))


def put(front: FrontEnd, x: Term, index: Term, item: Term) -> Term:
    """Assign an item or a slice."""
    if _is_slice(front, x, index):
        return _put_slice(front, x, index, item)
    found = changed(front, x, item)
    put_at(front, found, place(front, length_of(front, found), index), item)
    return NOTHING


def delete(front: FrontEnd, x: Term, index: Term) -> None:
    """Delete an item or a slice."""
    if _is_slice(front, x, index):
        _put_slice(front, x, index, front.allocate([], list))
        return
    found = changed(front, x)
    moved(front, found, front.compute("add", place(front, length_of(front, found), index), front.number(1)), -1)


def append(front: FrontEnd, x: Term, item: Term) -> Term:
    """Add an item at the end."""
    found = changed(front, x, item)
    length = length_of(front, found)
    after = front.compute("add", length, front.number(1))
    check_room(front, found, after)
    put_at(front, found, length, item)
    set_length(front, found, after)
    note_change(front, found)
    return NOTHING


def insert(front: FrontEnd, x: Term, at: Term, item: Term) -> Term:
    """Add an item before another."""
    k = whole(front, at)
    found = changed(front, x, item)
    length, zero = length_of(front, found), front.number(0)
    k = front.compute("add", k, front.emit("select", INT64, front.compare("lt", k, zero), length, zero))
    k = front.emit("select", INT64, front.compare("lt", k, zero), zero, k)
    k = front.emit("select", INT64, front.compare("gt", k, length), length, k)
    moved(front, found, k, 1)
    put_at(front, found, k, item)
    return NOTHING


def pop(front: FrontEnd, x: Term, at: Term) -> Term:
    """Take an item out."""
    found = changed(front, x)
    length = length_of(front, found)
    k = place(front, length, at)
    item = _item(front, found, k)
    if at.known and at.value == -1:
        set_length(front, found, k)
        note_change(front, found)
    else:
        moved(front, found, front.compute("add", k, front.number(1)), -1)
    return item


def clear(front: FrontEnd, x: Term) -> Term:
    """Take all items out."""
    found = changed(front, x)
    set_length(front, found, front.number(0))
    note_change(front, found)
    return NOTHING


def copy(front: FrontEnd, x: Term) -> Term:
    """Returns a new container with the same items."""
    return allocated(front, copied(front, storage(front, x)))


def remove(front: FrontEnd, x: Term, item: Term) -> Term:
    """Take the first item out that is equal to another."""
    return front.call_function(_remove, (x, item), {})


def _remove(x: Any, item: Any) -> None:
    for k in range(len(x)):
        if same(x[k], item):
            del x[k]
            return
    raise ValueError


def extend(front: FrontEnd, x: Term, more: Term) -> Term:
    """Add the items of another object."""
    return front.call_function(_extend_by_list if is_list(more) else _extend, (x, more), {})


def _extend_by_list(x: Any, more: Any) -> None:
    for k in range(len(more)):  # so many: it may be the list itself
        x.append(more[k])


def _extend(x: Any, more: Any) -> None:
    for item in more:
        x.append(item)


def repeat(front: FrontEnd, x: Term, times: Term) -> None:
    """Let a list hold its items several times."""
    if not grows(front, x):
        changed(front, x)
    front.call_function(_repeat, (x, front.operate(operator.index, times)), {})


def _repeat(x: Any, times: Any) -> None:
    length = len(x)
    if times < 1:
        x.clear()
    for _ in range(times - 1):
        for k in range(length):
            x.append(x[k])


def reverse(front: FrontEnd, x: Term) -> Term:
    """Reverse a list in place."""
    return front.call_function(_reverse, (x,), {})


def _reverse(x: Any) -> None:
    last = len(x) - 1
    for k in range(len(x) // 2):
        item = x[k]
        x[k] = x[last - k]
        x[last - k] = item


# Slices.


def _is_slice(front: FrontEnd, x: Term, index: Term) -> bool:
    """Whether an index is a slice, which deques do not take."""
    is_slice = _is_a_slice(index)
    if is_slice and is_of(x, deque):
        front.raise_("TypeError")
    return is_slice


def _is_a_slice(index: Term) -> bool:
    if index.known:
        return isinstance(index.value, slice)
    return isinstance(index.type, Tuple) and index.type.of is Slice


def _cut(front: FrontEnd, x: Term, index: Term) -> tuple[Value, Value, int]:
    """The number of the first item of a slice, how many there are, and the step."""
    if index.known:
        bounds = index.value
        if not all(one is None or hasattr(one, "__index__") for one in (bounds.start, bounds.stop, bounds.step)):
            front.raise_("TypeError")
        cut: Cut | slice = bounds
    else:
        cut = cut_of(front, index)
    if isinstance(cut, slice):
        step = 1 if cut.step is None else operator.index(cut.step)
        if step == 0:
            front.raise_("ValueError")
        cut = Cut(cut.start, cut.stop, step)
    found = storage(front, x)
    length = length_of(front, found)
    first, axis = cut_axis(front, arrays.Axis(length, kind_of(found).capacity, None, 1), cut)
    return first, arrays.value_of(front, axis.length), cut.step


def _sliced(front: FrontEnd, x: Term, index: Term) -> Term:
    first, count, step = _cut(front, x, index)
    found = storage(front, x)
    made = new(front, kind_of(found), count)
    if step == 1:
        copy_items(front, made, found, first, count)
        return allocated(front, made)

    def write(k: Value) -> None:
        source = front.compute("add", first, front.compute("mul", k, front.number(step)))
        put_at(front, made, k, item_at(front, found, source))

    each_number(front, count, write)
    return allocated(front, made)


def _put_slice(front: FrontEnd, x: Term, index: Term, items: Term) -> Term:
    front.writes(x)
    more = front.operate(list, items)
    grow(front, x)
    first, count, step = _cut(front, x, index)
    if step != 1:
        raise NeedsConstant("a slice with a step is assigned or deleted", "write a loop")
    numbers = [Term(PYTHON[int], (one,)) for one in (first, count)]
    return front.call_function(_replace, (x, *numbers, more), {})


def _replace(x: Any, first: Any, count: Any, items: Any) -> None:
    end = x[first + count :]
    while len(x) > first:
        x.pop()
    x.extend(items)
    x.extend(end)


# Searching.


def same(a: Any, b: Any) -> bool:
    """Returns whether two items are one object, or equal."""
    return a is b or bool(a == b)


def index_of(front: FrontEnd, x: Term, item: Term, start: Term, stop: Term) -> Term:
    """Returns the number of the first item that is equal to another."""
    if stop == Term(NONE):
        return front.call_function(_index, (x, item, start), {})
    return front.call_function(_index_before, (x, item, start, stop), {})


def _index(x: Any, item: Any, start: Any) -> Any:
    return _index_before(x, item, start, len(x))


def _index_before(x: Any, item: Any, start: Any, stop: Any) -> Any:
    first = start + len(x) if start < 0 else start
    end = stop + len(x) if stop < 0 else stop
    for k in range(max(first, 0), min(end, len(x))):
        if same(x[k], item):
            return k
    raise ValueError


def count_of(front: FrontEnd, x: Term, item: Term) -> Term:
    """Returns how many items are equal to another."""
    return front.call_function(_count, (x, item), {})


def _count(x: Any, item: Any) -> Any:
    total = 0
    for one in x:
        if same(one, item):
            total += 1
    return total


def contains(front: FrontEnd, x: Term, item: Term) -> Term:
    """Returns whether an item is equal to another."""
    return front.call_function(_contains, (x, item), {})


def _contains(x: Any, item: Any) -> Any:
    return any(same(one, item) for one in x)


def equal_lists(front: FrontEnd, a: Term, b: Term) -> Term:
    """Returns whether two lists hold equal items."""
    return front.call_function(_equal_lists, (a, b), {})


def _equal_lists(a: Any, b: Any) -> Any:
    if len(a) != len(b):
        return False
    return all(same(a[k], b[k]) for k in range(len(a)))


def ordered(front: FrontEnd, called: Any, a: Term, b: Term) -> Term:
    """Returns the order of the first two items that differ, or of the lengths."""
    return front.call_function(_ordered, (constant(called), a, b), {})


def _ordered(called: Any, a: Any, b: Any) -> Any:
    for k in range(min(len(a), len(b))):
        if not same(a[k], b[k]):
            return bool(called(a[k], b[k]))
    return called(len(a), len(b))


# Items of any objects whose number is found: lists, ranges, arrays, and what runs over them.


def listed(front: FrontEnd, items: Term, unordered: bool = False) -> Term:
    """Returns a new list of items whose number is found when the program runs; in any order those of a set."""
    if is_of(items, list, deque) and grows(front, items):
        return allocated(front, as_other(front, storage(front, items), list))
    return front.call_function(_listed, (items,), {}, unordered)


def _listed(items: Any) -> Any:
    made: list[Any] = []
    for item in items:
        made.append(item)
    return made


def is_set(front: FrontEnd, x: Term) -> bool:
    """Returns whether an object is a set that grows."""
    return is_of(x, *SETS) and grows(front, x)


def beyond() -> None:
    """Leave what follows to Python."""


@built(beyond, folds=False)
def _beyond(front: FrontEnd) -> Term:
    front.raise_(BEYOND)


def any_of(front: FrontEnd, x: Term, answer: bool) -> Term:
    """Returns `any` or `all` of items: `answer` if the truth of one is `answer`."""
    return front.call_function(_any_of, (x, constant(answer)), {}, unordered=True)


def _any_of(x: Any, answer: Any) -> Any:
    for item in x:
        if bool(item) == answer:
            return answer
    return not answer


def sum_of(front: FrontEnd, x: Term, start: Term) -> Term:
    """Returns the sum of items."""
    total = front.call_function(_sum_of, (x, start), {}, unordered=is_set(front, x))
    kinds = getattr(total.type, "options", (total.type,))
    if is_set(front, x) and not are_ints(total.type):
        raise Refused("the sum of floats in a set depends on their order", "write sum(sorted(...))")
    if sys.version_info >= (3, 12) and PYTHON[float] in kinds:
        raise Refused("sum() of floats depends on the version of Python", "write a loop")
    return total


def _sum_of(x: Any, start: Any) -> Any:
    total = start
    for item in x:
        total = total + item
    return total


def are_ints(kind: Type) -> bool:
    """Returns whether a sum is the same in whatever order: of ints."""
    return kind in (PYTHON[int], PYTHON[bool]) or (isinstance(kind, Constant) and type(kind.value) is int)


def extreme(front: FrontEnd, x: Term, is_better: Any, key: Term, default: Term | None) -> Term:
    """Returns the best item; of equal ones the first, or if there is no order, what is left to Python."""
    if is_set(front, x):
        made = listed(front, x, unordered=True)
        if default is not None:
            return front.call_function(_best_or, (made, constant(is_better), key, default, constant(_only_best)), {})
        return front.call_function(_only_best, (made, constant(is_better), key), {})
    if default is None:
        return front.call_function(_best, (x, constant(is_better), key), {})
    return front.call_function(_best_or, (x, constant(is_better), key, default, constant(_best)), {})


def _best_or(x: Any, is_better: Any, key: Any, default: Any, best: Any) -> Any:
    return best(x, is_better, key) if len(x) else default


def _only_best(x: Any, is_better: Any, key: Any) -> Any:
    best = _best(x, is_better, key)
    value = best if key is None else key(best)
    count = 0
    for item in x:
        other = item if key is None else key(item)
        no_nan(other)
        if not is_better(value, other):
            count += 1
    if count > 1:
        beyond()
    return best


def _best(x: Any, is_better: Any, key: Any) -> Any:
    if len(x) == 0:
        raise ValueError
    best = x[0]
    value = best if key is None else key(best)
    for k in range(1, len(x)):
        item = x[k]
        other = item if key is None else key(item)
        if is_better(other, value):
            best = item
            value = other
    return best


def sort(front: FrontEnd, x: Term, key: Term, reverse: Term, unordered: bool = False) -> Term:
    """Sort a list in place; the order of equal items stays, or is left to Python if they had none."""
    if not reverse.known:
        raise Refused("the order of a sorted list must be known when the program is compiled", "write `if`")
    is_before = operator.gt if reverse.value else operator.lt
    if key.known and key.value is None:
        return front.call_function(_sort, (x, constant(is_before)), {})
    return front.call_function(_sort_by, (x, constant(is_before), key, constant(unordered)), {})


def _sort(x: Any, is_before: Any) -> None:
    for k in range(len(x)):
        item = x[k]
        no_nan(item)
        at = k
        while at > 0 and is_before(item, x[at - 1]):
            x[at] = x[at - 1]
            at -= 1
        x[at] = item


def _sort_by(x: Any, is_before: Any, key: Any, unordered: Any) -> None:
    values: list[Any] = []  # before the order changes, since a key may draw
    for item in x:
        values.append(key(item))
    for k in range(len(x)):
        item = x[k]
        value = values[k]
        no_nan(value)
        at = k
        while at > 0 and is_before(value, values[at - 1]):
            x[at] = x[at - 1]
            values[at] = values[at - 1]
            at -= 1
        if unordered and at > 0 and not is_before(values[at - 1], value):
            beyond()
        x[at] = item
        values[at] = value


def no_nan(value: Any) -> None:
    """Leave a NaN to Python: the order then depends on how it sorts."""


# Arrays.


@built(arrays.array_of_list, folds=False)
def _array_of(front: FrontEnd, x: Term, given: Term) -> Term:
    """An array of the numbers in a list, or of the tuples of numbers, one row for each."""
    found, dtype = storage(front, x), given.value
    item, capacity, length = kind_of(found).item, kind_of(found).capacity, length_of(front, found)
    if item == UNBOUND:
        return front.operate(np.array, constant([]), **({} if dtype is None else {"dtype": constant(dtype)}))
    if isinstance(item, Placed) and item.of in (list, deque):
        return _array_of_rows(front, found, dtype)
    shape: tuple[int, ...] = ()
    is_row = isinstance(item, Tuple | Array)
    row = arrays.array_of(front, item_at(front, found, front.number(0)), dtype) if is_row else None
    if row is None:
        target_dtype = _dtype_of(item, dtype)
    else:
        target_dtype, shape = arrays.array_type(row).dtype, arrays.array_type(row).shape
    if shape or (dtype is None and target_dtype != np.float64):  # an empty array has other axes, or another dtype
        front.raise_if(front.compare("eq", length, front.number(0)), BEYOND)
    target = arrays.new(front, plain(target_dtype, (capacity, *shape)))

    def write(k: Value) -> None:
        one = arrays.place_of(front, target, (k, *[0] * len(shape)))
        view = Term(plain(target_dtype, shape), (one,))
        arrays.assign(front, view, _row(front, item_at(front, found, k), target_dtype, bool(shape)))

    each_number(front, length, write)
    axes = [arrays.Axis(length, capacity, most_of(kind_of(found)), plain(target_dtype, (capacity, *shape)).strides[0])]
    steps = plain(target_dtype, shape).strides
    axes += [arrays.known_axis(size, step) for size, step in zip(shape, steps, strict=True)]
    return arrays.array_at(target.part, target_dtype, axes)


def _array_of_rows(front: FrontEnd, found: Term, dtype: Any) -> Term:
    """An array of the numbers in the lists in a list, which must be of one length."""
    rows = length_of(front, found)
    front.raise_if(front.compare("eq", rows, front.number(0)), BEYOND)  # an empty array has other axes
    first = storage(front, item_at(front, found, front.number(0)))
    item, count = kind_of(first).item, length_of(front, first)
    front.raise_if(front.compare("eq", count, front.number(0)), BEYOND)
    if item == UNBOUND:
        front.raise_(BEYOND)
    target_dtype = _dtype_of(item, dtype)
    kind = plain(target_dtype, (kind_of(found).capacity, kind_of(first).capacity))
    target = arrays.new(front, kind)

    def write_row(k: Value) -> None:
        row = storage(front, item_at(front, found, k))
        front.raise_if(front.compare("ne", length_of(front, row), count), "ValueError")

        def write(j: Value) -> None:
            view = Term(plain(target_dtype, ()), (arrays.place_of(front, target, (k, j)),))
            arrays.assign(front, view, _row(front, item_at(front, row, j), target_dtype, False))

        each_number(front, count, write)

    each_number(front, rows, write_row)
    lengths, usual = (rows, count), (most_of(kind_of(found)), most_of(kind_of(first)))
    axes = [arrays.Axis(*one) for one in zip(lengths, kind.shape, usual, kind.strides, strict=True)]
    return arrays.array_at(target.part, target_dtype, axes)


def _dtype_of(item: Any, dtype: Any) -> Any:
    kinds = item.options if isinstance(item, Either) else (item,)
    dtypes = {one.dtype for one in kinds if isinstance(one, Number)}
    is_cast = dtype is not None and dtype.kind == "f"
    if not all(isinstance(one, Number) for one in kinds) or not (len(dtypes) == 1 or is_cast):
        raise Refused(f"an array of a list of {item} is not in the language", "let all its items be of one type")
    return dtype if dtype is not None else np.array([dtypes.pop().type(0)]).dtype


def _row(front: FrontEnd, item: Term, dtype: Any, is_row: bool) -> Term:
    if is_row:
        return arrays.array_of(front, item, dtype)
    if not isinstance(item.type, Either):
        return item
    return front.split(item, lambda one: Term(Number(dtype), (front.convert(one.part, dtype),)))
