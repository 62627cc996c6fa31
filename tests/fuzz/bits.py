"""Where two results differ: bit for bit, the sign of zero and the types included. One NaN is as good as another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

LONGEST = 160  # characters of a value that is shown


class Gap(NamedTuple):
    """A place where the compiled environment has something else than the single one."""

    where: str
    ours: str
    theirs: str

    def __str__(self) -> str:
        return f"{self.where}: compiled {self.ours}, single {self.theirs}"


def gaps(ours: Any, theirs: Any, where: str) -> Iterator[Gap]:
    """Yields the places in which two results of a vector environment differ."""
    if isinstance(theirs, dict):
        if not isinstance(ours, dict) or ours.keys() != theirs.keys():
            yield _gap(f"{where} (keys)", sorted(ours), sorted(theirs))
            return
        for key in theirs:
            yield from gaps(ours[key], theirs[key], f"{where}[{key!r}]")
    elif isinstance(theirs, (tuple, list)) or (isinstance(theirs, np.ndarray) and theirs.dtype == object):
        if type(ours) is not type(theirs) or len(ours) != len(theirs):
            yield _gap(f"{where} (form)", ours, theirs)
            return
        for k, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from gaps(one, other, f"{where}[{k}]")
    elif isinstance(theirs, (np.ndarray, np.generic, int, float)):
        yield from number_gaps(ours, theirs, where)
    elif type(ours) is not type(theirs) or ours != theirs:
        yield _gap(where, ours, theirs)


def number_gaps(ours: Any, theirs: Any, where: str) -> Iterator[Gap]:
    """Yields the gap between two numbers or arrays, where there is one."""
    a, b = np.asarray(ours), np.asarray(theirs)
    if a.shape != b.shape:
        yield _gap(f"{where} (shape)", ours, theirs)
    elif not _same_values(a, b):
        yield _gap(where, *_first_pair(a, b)) if a.ndim else _gap(where, ours, theirs)
    elif a.dtype != b.dtype:
        yield _gap(f"{where} (type)", f"{a.dtype} {ours!r}", f"{b.dtype} {theirs!r}")


def _first_pair(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> tuple[str, str]:
    """The first numbers of two arrays that differ."""
    for index in np.ndindex(a.shape):
        if not _same_values(a[index], b[index]):
            return f"{a[index]!r} at {list(index)}", repr(b[index])
    return repr(a), repr(b)


def _same_values(a: Any, b: Any) -> bool:
    if a.dtype.kind in "fc" and b.dtype.kind in "fc":
        nan = np.isnan(a) & np.isnan(b)
        return bool((nan | ((a == b) & (np.signbit(a) == np.signbit(b)))).all())
    if a.dtype.kind in "biu" and b.dtype.kind in "biu":
        return a.tolist() == b.tolist()
    if "O" in (a.dtype.kind, b.dtype.kind):
        return repr(a.tolist()) == repr(b.tolist())
    return bool((a == b).all()) and not (np.signbit(a) != np.signbit(b)).any()


def _gap(where: str, ours: Any, theirs: Any) -> Gap:
    return Gap(where, _shown(ours), _shown(theirs))


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else " ".join(repr(value).split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
