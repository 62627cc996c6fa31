"""`heapq` and `bisect`, of lists that grow: with the comparisons of Python, so that NaNs are where it leaves them."""

from __future__ import annotations

import bisect
import heapq
import operator
from typing import TYPE_CHECKING, Any

from palaestra.language.operations import growing
from palaestra.language.operations.table import built
from palaestra.language.types import Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NONE, ZERO = constant(None), constant(0)


def _heap(front: FrontEnd, x: Term, *items: Term) -> Term:
    """A list that is about to be changed, and may get some items."""
    if not growing.is_list(x):
        front.raise_("TypeError")
    growing.changed(front, x, *items)
    return x


@built(heapq.heappush, folds=False)
def _push(front: FrontEnd, heap: Term, item: Term) -> Term:
    return front.call_function(_pushed, (_heap(front, heap, item), item), {})


def _pushed(heap: Any, item: Any) -> None:
    heap.append(item)
    _to_begin(heap, 0, len(heap) - 1)


def _to_begin(heap: Any, start: Any, at: Any) -> None:
    """Move an item towards the begin, up to `start`, until the one above it is not larger."""
    item = heap[at]
    while at > start:
        above = (at - 1) >> 1
        if not item < heap[above]:
            break
        heap[at] = heap[above]
        at = above
    heap[at] = item


def _to_end(heap: Any, at: Any) -> None:
    """Move an item to a leaf, by the smaller ones below it, and back towards where it was."""
    start = at
    item = heap[at]
    below = 2 * at + 1
    while below < len(heap):
        if below + 1 < len(heap) and not heap[below] < heap[below + 1]:
            below += 1
        heap[at] = heap[below]
        at = below
        below = 2 * at + 1
    heap[at] = item
    _to_begin(heap, start, at)


@built(heapq.heappop, folds=False)
def _pop(front: FrontEnd, heap: Term) -> Term:
    return front.call_function(_popped, (_heap(front, heap),), {})


def _popped(heap: Any) -> Any:
    last = heap.pop()
    return _replaced(heap, last) if heap else last


def _replaced(heap: Any, item: Any) -> Any:
    smallest = heap[0]
    heap[0] = item
    _to_end(heap, 0)
    return smallest


@built(heapq.heapreplace, folds=False)
def _replace(front: FrontEnd, heap: Term, item: Term) -> Term:
    return front.call_function(_replaced, (_heap(front, heap, item), item), {})


@built(heapq.heappushpop, folds=False)
def _push_pop(front: FrontEnd, heap: Term, item: Term) -> Term:
    return front.call_function(_pushed_popped, (_heap(front, heap, item), item), {})


def _pushed_popped(heap: Any, item: Any) -> Any:
    return _replaced(heap, item) if heap and heap[0] < item else item


@built(heapq.heapify, folds=False)
def _heapify(front: FrontEnd, heap: Term) -> Term:
    return front.call_function(_in_order, (_heap(front, heap),), {})


def _in_order(heap: Any) -> None:
    for k in reversed(range(len(heap) // 2)):
        _to_end(heap, k)


@built(heapq.nsmallest, folds=False)
def _smallest(front: FrontEnd, n: Term, items: Term, key: Term = NONE) -> Term:
    ordered = front.operate(sorted, items, key=key)
    return front.call_function(_first, (ordered, front.operate(operator.index, n)), {})


@built(heapq.nlargest, folds=False)
def _largest(front: FrontEnd, n: Term, items: Term, key: Term = NONE) -> Term:
    ordered = front.operate(sorted, items, key=key, reverse=constant(True))
    return front.call_function(_first, (ordered, front.operate(operator.index, n)), {})


def _first(items: Any, n: Any) -> Any:
    return items[: max(n, 0)]


# Places in sorted lists.


@built(bisect.bisect_right, folds=False)
def _right(front: FrontEnd, items: Term, x: Term, lo: Term = ZERO, hi: Term = NONE, *, key: Term = NONE) -> Term:
    return front.call_function(_place_behind, (items, x, lo, hi, key), {})


def _place_behind(items: Any, x: Any, lo: Any, hi: Any, key: Any) -> Any:
    if lo < 0:
        raise ValueError
    end = len(items) if hi is None or hi == -1 else hi
    while lo < end:
        k = (lo + end) // 2
        if x < (items[k] if key is None else key(items[k])):
            end = k
        else:
            lo = k + 1
    return lo


@built(bisect.bisect_left, folds=False)
def _left(front: FrontEnd, items: Term, x: Term, lo: Term = ZERO, hi: Term = NONE, *, key: Term = NONE) -> Term:
    return front.call_function(_place_before, (items, x, lo, hi, key), {})


def _place_before(items: Any, x: Any, lo: Any, hi: Any, key: Any) -> Any:
    if lo < 0:
        raise ValueError
    end = len(items) if hi is None or hi == -1 else hi
    while lo < end:
        k = (lo + end) // 2
        if (items[k] if key is None else key(items[k])) < x:
            lo = k + 1
        else:
            end = k
    return lo


@built(bisect.insort_right, folds=False)
def _insert_right(front: FrontEnd, items: Term, x: Term, lo: Term = ZERO, hi: Term = NONE, *, key: Term = NONE) -> Term:
    return front.call_function(_inserted_behind, (_heap(front, items, x), x, lo, hi, key), {})


def _inserted_behind(items: Any, x: Any, lo: Any, hi: Any, key: Any) -> None:
    items.insert(_place_behind(items, x if key is None else key(x), lo, hi, key), x)


@built(bisect.insort_left, folds=False)
def _insert_left(front: FrontEnd, items: Term, x: Term, lo: Term = ZERO, hi: Term = NONE, *, key: Term = NONE) -> Term:
    return front.call_function(_inserted_before, (_heap(front, items, x), x, lo, hi, key), {})


def _inserted_before(items: Any, x: Any, lo: Any, hi: Any, key: Any) -> None:
    items.insert(_place_before(items, x if key is None else key(x), lo, hi, key), x)
