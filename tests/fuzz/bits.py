"""Where two results differ: bit for bit, the sign of zero and the types included. One NaN is as good as another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

LONGEST = 160  # characters of a value that is shown


class Gap(NamedTuple):
    """A place where machine code has something else than Python."""

    where: str
    ours: str
    theirs: str

    def __str__(self) -> str:
        return f"{self.where}: machine code {self.ours}, Python {self.theirs}"


def gaps(ours: Any, theirs: Any, where: str) -> Iterator[Gap]:
    """Yields the places in which two results differ."""
    if type(ours) is not type(theirs):
        yield _gap(f"{where} (type)", ours, theirs)
    elif isinstance(theirs, dict):
        if ours.keys() != theirs.keys():
            yield _gap(f"{where} (keys)", sorted(ours), sorted(theirs))
            return
        for key in theirs:
            yield from gaps(ours[key], theirs[key], f"{where}[{key!r}]")
    elif isinstance(theirs, (tuple, list)) or (isinstance(theirs, np.ndarray) and theirs.dtype == object):
        if len(ours) != len(theirs):
            yield _gap(f"{where} (length)", ours, theirs)
            return
        for k, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from gaps(one, other, f"{where}[{k}]")
    elif isinstance(theirs, (np.ndarray, np.generic, float)):
        yield from _number_gaps(ours, theirs, where)
    elif ours != theirs:
        yield _gap(where, ours, theirs)


def _number_gaps(ours: Any, theirs: Any, where: str) -> Iterator[Gap]:
    a, b = np.asarray(ours), np.asarray(theirs)
    if (a.dtype, a.shape) != (b.dtype, b.shape):
        yield _gap(f"{where} (dtype, shape)", f"{a.dtype} {a.shape} {ours!r}", f"{b.dtype} {b.shape} {theirs!r}")
    elif not (same := _same_items(a, b)).all():
        at = tuple(int(one) for one in np.argwhere(~same)[0])
        yield _gap(f"{where}{list(at) if at else ''}", repr(a[at]), repr(b[at]))


def _same_items(a: Any, b: Any) -> Any:
    if a.dtype.kind not in "fc":
        return np.asarray(a == b)
    with np.errstate(all="ignore"):
        return np.asarray((np.isnan(a) & np.isnan(b)) | ((a == b) & (np.signbit(a) == np.signbit(b))))


def _gap(where: str, ours: Any, theirs: Any) -> Gap:
    return Gap(where, _shown(ours), _shown(theirs))


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else " ".join(repr(value).split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
