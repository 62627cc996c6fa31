"""Every entry of the table, beside what Python itself does."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import operator
import os
import subprocess
import sys
from collections import deque
from typing import Any

import numpy as np
import pytest

from palaestra.language.operations import heaps
from palaestra.language.operations.table import REFUSED, TABLE, Entry, entries, is_elsewhere
from palaestra.language.types import CONTAINERS
from tests.palaestra.language.operations.trying import name_of, tried
from tests.thorough import THOROUGH

SEED, DRAWS, GROUPS = (
    int(os.environ.get(f"TABLE_{name}", default)) for name, default in (("SEED", 0), ("DRAWS", 24), ("GROUPS", 2))
)

NOT_TRIED: dict[Any, str] = {
    **dict.fromkeys((range, enumerate, zip, reversed, slice), "no result of a program: loops and indices try them"),
    **dict.fromkeys(
        (
            *(itertools.chain, itertools.chain.from_iterable, itertools.islice, itertools.pairwise, itertools.repeat),
            *(itertools.zip_longest, itertools.accumulate, itertools.product, itertools.permutations),
            *(itertools.combinations, itertools.combinations_with_replacement, iter, next, np.ndindex, np.ndenumerate),
            vars(np.ndarray)["flat"],
        ),
        "no result of a program: test_iterators tries them",
    ),
    (operator.getitem, "joined"): "of np.r_, which is no argument: test_iterators tries it",
    **dict.fromkeys((operator.matmul, operator.imatmul), "of arrays, by np.matmul"),
    **dict.fromkeys((np.empty, np.empty_like), "its items are not set"),
    **dict.fromkeys(((one, "in place") for one in (operator.add, operator.mul)), "of lists, which are no arguments"),
    **{(one, "set", "in place"): "gives nothing" for one in (operator.or_, operator.and_, operator.sub, operator.xor)},
    **dict.fromkeys(((operator.or_, "in place"), (operator.or_, "sequences")), "of dicts, which are no arguments"),
    (hash, "key"): "what keys are compared by",
    operator.delitem: "gives nothing",
    dataclasses.replace: "of objects, which are no arguments",
    operator.setitem: "of lists, which are no arguments",
    **dict.fromkeys((repr, format, (operator.add, "texts")), "of texts, which are no results: test_infos tries them"),
    (operator.mod, "texts"): "of texts, which are no results: test_objects tries it",
    **dict.fromkeys(
        (functools.partial, operator.itemgetter, operator.attrgetter, setattr),
        "no results of a program: test_functions tries them",
    ),
    object: "its result is another each time: test_objects tries it",
    **dict.fromkeys((deque, dict, dict.fromkeys, set, frozenset), "of containers, which are no results"),
    **{
        one.called: "of lists that grow, which are no arguments"
        for one in entries()
        if one.build in vars(heaps).values()
    },
    **dict.fromkeys(((np.round, "array"), (np.around, "array"), np.ndarray.round), "by np.round"),
    **dict.fromkeys((np.trim_zeros, np.extract), "refused: the length of the result is not known"),
}
"""What is in the table without arguments that try it, and why."""


def _is_ours(called: Any) -> bool:
    """Whether a function is a primitive of ours, or of what is no argument of a program."""
    first, kind = (called[0], called[-1]) if isinstance(called, tuple) else (called, None)
    ours = getattr(first, "__module__", None) or ""
    return (
        ours == "collections"
        or ours.startswith(("palaestra.", "gymnasium."))
        or kind in ("dict", "set", "column", "masked", "operator", "operation", "held", "method", "counter")
        or isinstance(first, property)
        or getattr(first, "__objclass__", first) in (tuple, str, *CONTAINERS)
    )


ELSEWHERE = {
    **dict.fromkeys(("random_module", "random_state"), "of the whole process: test_global_draws tries them"),
    "generators": "of classes: test_kept_generators tries them",
}
NOT_TRIED |= {
    one.called: ELSEWHERE[name]
    for one in entries()
    if (name := (one.build or one.function).__module__.rpartition(".")[2]) in ELSEWHERE and not _is_ours(one.called)
}


def _place(entry: Entry) -> tuple[str, str]:
    """Where an entry is in the order of tests, which the order of imports does not change."""
    return name_of(entry.called), repr(entry.called)


TRIED = sorted((one for one in entries() if one.tries), key=_place)


@pytest.mark.parametrize("entry", TRIED, ids=lambda one: name_of(one.called))
def test_entry_does_what_python_does(entry: Entry) -> None:
    result = tried(entry, SEED, DRAWS, GROUPS if THOROUGH or len(entry.tries) == 1 else 1)
    assert not result.differences, "\n".join(result.differences)
    assert result.runs, f"all are refused: {result.refused}"


OF_PARTS = {
    *(len, np.size, np.shape, np.ndim, *(vars(np.ndarray)[name] for name in ("size", "shape", "ndim", "dtype"))),
    *(
        (bool, "array"),
        (operator.contains, "array"),
        (operator.pow, "array"),
        (np.isclose, "array"),
        (np.clip, "array"),
    ),
    *(key for key in TABLE if isinstance(key, tuple) and isinstance(key[0], np.ufunc)),
    *(np.ndarray.clip, np.where, np.array, np.copy, np.ndarray.copy, np.ndarray.flatten, np.asarray, np.ravel),
    *(np.ndarray.ravel, np.ndarray.astype, np.sum, np.prod, np.max, np.min, np.any, np.all, np.ndarray.sum),
    *(np.mean, np.var, np.std, np.count_nonzero, np.argmax, np.argmin, np.cumsum, np.cumprod, np.diff, np.median),
    *(np.sort, np.ndarray.sort, np.argsort, np.nonzero, np.unique, np.ndarray.fill, np.ptp, np.array_equal),
    *(np.percentile, np.quantile),
}
"""What takes arrays whose lengths are found."""


@pytest.mark.parametrize("entry", [one for one in TRIED if one.called in OF_PARTS], ids=lambda one: name_of(one.called))
def test_entry_does_it_for_parts_of_arrays(entry: Entry) -> None:
    result = tried(entry, SEED, DRAWS, 1, of_parts=True)
    assert not result.differences, "\n".join(result.differences)
    assert result.runs, f"all are refused: {result.refused}"


def test_every_entry_is_tried() -> None:
    left = [one for one in entries() if not one.tries and one.note != REFUSED and not _is_ours(one.called)]
    assert [name_of(one.called) for one in left if one.called not in NOT_TRIED] == []


def test_entries_are_found_where_they_are_looked_for() -> None:
    """Nothing that a module of entries adds is taken for a function of those who use the language."""
    own = [one for one in entries() if ".operations." in (one.build or one.function).__module__]
    assert [name_of(one.called) for one in own if is_elsewhere(one.called)] == []


def test_a_program_imports_no_more_entries_than_it_needs() -> None:
    code = "import sys; from palaestra.language.operations.table import entry_of; import operator; "
    code += "assert entry_of(operator.add) and entry_of(lambda x: x) is None; print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    loaded = {one.rpartition(".")[2] for one in out if one.startswith("palaestra.language.operations.")}
    assert "arithmetic" in loaded
    assert not loaded & {"reductions", "choices", "environments"}


def test_what_is_not_tried_is_in_the_table() -> None:
    untried = {one.called for one in entries() if not one.tries}
    assert set(NOT_TRIED) <= untried
