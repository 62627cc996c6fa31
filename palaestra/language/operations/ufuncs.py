"""NumPy's ufuncs: of which dtypes they are, and one item of each.

`resolved` takes the dtypes from NumPy, and `item` computes one item where LLVM's instructions give NumPy's bits; all
others are NumPy's own inner loops (`by_loop`). Items are those of numbers and of arrays alike. A ufunc of numbers is in
the table under itself (`scalars`); of arrays it is there as `(ufunc, "array")`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.llvm import symbols
from palaestra.language.operations.items import COMPARED, ITEMS, Dtype, Ufunc
from palaestra.language.program import ADDRESS, BOOL, FLOAT64, INT64, UINT64, Value
from palaestra.language.types import Array, Bounded, Number, Term

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

# Dtypes.


def resolved(ufunc: Ufunc, *terms: Term) -> tuple[Dtype, ...]:
    """Returns the dtypes of the operands and results of a ufunc for numbers and arrays, Python's numbers being weak.

    Integers are compared exactly: a comparison with an int of Python has that int as an int64 or uint64.

    Raises:
        Refused: If NumPy has no such loop, or an operand is neither a number nor an array.
    """
    given = [_given(term) for term in terms]
    try:
        if ufunc is np.clip:
            dtypes = [np.result_type(*({int: 0, float: 0.0}.get(one, one) for one in given))] * 4
        else:
            dtypes = _resolve(ufunc, given)
    except TypeError as error:
        raise Refused(f"np.{_name(ufunc)} of {', '.join(str(term.type) for term in terms)}: {error}") from None
    if ufunc in COMPARED and int in given:
        _compare_exactly(dtypes, terms, given)
    return tuple(dtypes)


def _resolve(ufunc: Any, given: Sequence[Any]) -> list[Dtype]:
    """What NumPy answers; it makes objects of an int beside a bool before it makes them an int64."""
    outputs = [None] * ufunc.nout
    dtypes = ufunc.resolve_dtypes((*given, *outputs))
    if any(dtype.kind == "O" for dtype in dtypes):
        dtypes = ufunc.resolve_dtypes((*(INT64 if one is int else one for one in given), *outputs))
    return [*dtypes]


def _given(term: Term) -> Any:
    if term.known and isinstance(term.value, int) and type(term.value) in (int, np.bool_):
        return int if type(term.value) is int else BOOL
    kind = term.type
    if term.known:
        if type(term.value) is float:
            return float
        if isinstance(term.value, (bool, np.generic, np.ndarray)):
            return np.asarray(term.value).dtype
    if isinstance(kind, Array | Bounded):
        return kind.dtype
    if not isinstance(kind, Number):
        raise Refused(f"{kind} is not a number")
    return {"i": int, "f": float, "b": BOOL}[kind.dtype.kind] if kind.python else kind.dtype


_ON_ONE_SIDE = np.dtype(np.float64, metadata={"int": "beyond 64 bits"})
"""The float64 in which such an int is infinite, so that all integers of NumPy are on one side of it."""


def _compare_exactly(dtypes: list[Dtype], terms: Sequence[Term], given: Sequence[Any]) -> None:
    """Let ints of Python be compared with integers of any dtype: NumPy compares them without rounding."""
    if dtypes[0].kind not in "iu":
        return
    for k, term in enumerate(terms):
        if given[k] is not int:
            continue
        dtypes[k] = INT64
        if term.known and not -(2**63) <= term.value < 2**63:
            dtypes[k] = UINT64
            if not 0 <= term.value < 2**64:
                dtypes[0] = dtypes[1] = _ON_ONE_SIDE


def operand(front: FrontEnd, ufunc: Ufunc, term: Term, dtype: Dtype) -> Value:
    """Returns a number as the operand that NumPy makes of it.

    Raises:
        Refused: If it is a constant beyond the numbers of a dtype, which NumPy refuses, too.
    """
    if term.known and type(term.value) is int:
        return _known_int(front, ufunc, term.value, dtype)
    number = front.materialized(term)
    assert isinstance(number.type, Number), term.type
    value = number.part
    if number.type == Number(INT64, python=True):
        return _int(front, value, dtype)
    return front.convert(value, dtype)


def _known_int(front: FrontEnd, ufunc: Ufunc, value: int, dtype: Dtype) -> Value:
    if dtype.metadata:
        return front.number(np.inf if value > 0 else -np.inf, FLOAT64)
    if dtype.kind == "f":
        try:
            return front.number(float(value), dtype)
        except OverflowError:
            if ufunc in COMPARED:
                return front.number(np.inf if value > 0 else -np.inf, dtype)
            front.raise_("OverflowError")
    if dtype.kind in "iu" and not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
        front.raise_("OverflowError")
    return front.number(value, dtype)


def _int(front: FrontEnd, value: Value, dtype: Dtype) -> Value:
    """An int of Python as a number of a dtype; NumPy makes a float of it first where a float is wanted."""
    if dtype.kind == "f":
        return front.convert(front.convert(value, FLOAT64), dtype)
    if dtype.kind in "iu" and dtype != INT64:
        limits = np.iinfo(dtype)
        front.raise_if(front.compare("lt", value, front.number(limits.min)), "OverflowError")
        if limits.max < 2**63:
            front.raise_if(front.compare("gt", value, front.number(limits.max)), "OverflowError")
    return front.convert(value, dtype)


# Items.


def item(front: FrontEnd, ufunc: Ufunc, dtypes: Sequence[Dtype], values: Sequence[Value]) -> Value | None:
    """Returns one item of a ufunc, computed by instructions; None if only NumPy's own loop has its bits.

    Args:
        front: The front end.
        ufunc: The ufunc.
        dtypes: What `resolved` returned: the dtypes of the operands, then those of the results.
        values: The operands, of these dtypes.
    """
    build = ITEMS.get(ufunc)
    return None if build is None else build(front, tuple(dtypes), values)


def by_loop(
    front: FrontEnd,
    ufunc: Ufunc,
    dtypes: Sequence[Dtype],
    addresses: Sequence[Value],
    strides: Sequence[Value],
    count: Value,
) -> None:
    """Write a call of NumPy's inner loop.

    Args:
        front: The front end.
        ufunc: The ufunc.
        dtypes: What `resolved` returned.
        addresses: The addresses of the first operands, then of the first results.
        strides: The bytes from one operand or result to the next, in the same order.
        count: The number of items.

    Raises:
        Refused: If this NumPy has no such loop, or its loops cannot be found.
    """
    front.emit("loop", None, *addresses, *strides, count, attribute=symbol_of(ufunc, dtypes))


def symbol_of(ufunc: Ufunc, dtypes: Sequence[Dtype]) -> str:
    """Returns the name of NumPy's inner loop for some dtypes.

    Raises:
        Refused: If there is none.
    """
    count = 3 if ufunc is np.clip else ufunc.nin  # type: ignore[union-attr]
    letters = [dtype.char for dtype in dtypes]
    symbol = f"{_name(ufunc)}:{''.join(letters[:count])}->{''.join(letters[count:])}"
    if not symbols.is_available("loop", symbol):
        raise Refused(f"NumPy's loop {symbol} is not available")
    return symbol


def _name(ufunc: Ufunc) -> str:
    return str(ufunc.__name__)


def single_item(front: FrontEnd, ufunc: Ufunc, dtypes: Sequence[Dtype], values: Sequence[Value]) -> tuple[Value, ...]:
    """Returns the results of a ufunc for one item, by instructions or by NumPy's own loop.

    Raises:
        Refused: If this NumPy has no such loop.
    """
    computed = item(front, ufunc, dtypes, values)
    if computed is not None:
        return (computed,)
    symbol_of(ufunc, dtypes)
    rooms = [front.emit("room", ADDRESS, attribute=8) for _ in dtypes]
    for room, value in zip(rooms, values, strict=False):
        front.emit("store", None, room, value)
    zero = front.number(0)
    by_loop(front, ufunc, dtypes, rooms, [zero] * len(rooms), front.number(1))
    results = list(zip(rooms, dtypes, strict=True))[len(values) :]
    return tuple(front.emit("load", dtype, room) for room, dtype in results)
