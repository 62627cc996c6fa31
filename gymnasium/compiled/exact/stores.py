"""Between dynamics and the columns of a batch, in compiled code: arrays to read only, values that fit a column."""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium.compiled.backend import cgutils, compiled, intrinsic, ir, meaning_of, types, unliteral
from gymnasium.compiled.columns import WIDTH
from gymnasium.compiled.exact import numbers
from gymnasium.compiled.exact.language import remember


def _retyped(name: str, aligned: bool) -> Any:
    """Returns a function that gives an array a type to read only."""

    def called(typing_context: Any, array: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            context.nrt.incref(builder, signature.return_type, arguments[0])
            return arguments[0]

        kind = types.Array(array.dtype, array.ndim, array.layout, readonly=True, aligned=aligned)
        return kind(array), generate

    called.__name__ = name
    return intrinsic(called)


frozen = _retyped("frozen", aligned=True)
as_long_tuple = _retyped("as_long_tuple", aligned=False)


def own(part: Any, before: Any) -> Any:
    """Returns an array that may be written to where `before` is: the very same one, or one that shares nothing."""


def fitted(value: Any, shape: Any, like: Any) -> Any:
    """Returns a value as a column of `like`'s type holds it, an array of the shape; what does not fit raises."""


def whole_array(value: Any, shape: Any) -> Any:
    """Returns an array of the shape."""


@meaning_of(own)
def _own(part: Any, before: Any) -> Any:
    if not isinstance(part, types.Array) or part.mutable:
        return lambda part, before: part
    if part.layout != "C":
        return lambda part, before: part.copy()

    def implementation(part: Any, before: Any) -> Any:
        return part if part.ctypes.data == before.ctypes.data else frozen(part.copy())

    return implementation


@meaning_of(whole_array)
def _whole_array(value: Any, shape: Any) -> Any:
    def implementation(value: Any, shape: Any) -> Any:
        if value.shape != shape:
            raise ValueError("an array of another shape than at first")
        return value

    return implementation


@meaning_of(fitted)
def _fitted(value: Any, shape: Any, like: Any) -> Any:
    if not isinstance(value, types.Array):
        return _fitted_number(value, like)
    convert = _conversion(value.dtype, like)
    if value.ndim == 0:
        return lambda value, shape, like: fitted(value[()], shape, like)
    if convert is None:

        def implementation(value: Any, shape: Any, like: Any) -> Any:
            if value.shape != shape:
                raise ValueError("an array of another shape than its space")
            return value

        return implementation

    def converted(value: Any, shape: Any, like: Any) -> Any:
        if value.shape != shape:
            raise ValueError("an array of another shape than its space")
        flat = value.copy().ravel()
        result = np.zeros(flat.size, convert_type)
        for k in range(flat.size):
            result[k] = convert(flat[k])
        return result.reshape(shape)

    convert_type = like
    return converted


def _fitted_number(value: Any, like: Any) -> Any:
    convert = _conversion(unliteral(value), like)
    if convert is None:
        return lambda value, shape, like: value
    return lambda value, shape, like: convert(value)


def _conversion(source: Any, target: Any) -> Any:
    """Returns the function that makes a number fit, None where storing it does."""
    if isinstance(source, types.Integer) and not isinstance(source, types.Boolean) and source != target:
        if target in numbers.NARROWED:
            return numbers.NARROWED[target]
        if isinstance(target, types.Float):
            return numbers.whole_float
    if isinstance(target, types.Boolean) and not isinstance(source, types.Boolean):
        return _truth
    return None


@compiled
def _truth(x: Any) -> Any:
    return x != 0


def _parts(typing_context: Any, function: Any, arguments: Any) -> Any:
    """The signature of a call of a dispatcher with the parts of a tuple."""
    try:
        return function.get_call_type(typing_context, tuple(unliteral(kind) for kind in arguments), {})
    except Exception as error:  # of which Numba would only say that there is no such function
        remember(error)
        raise


def _call(context: Any, builder: Any, function: Any, called: Any, tuple_type: Any, arguments: Any) -> tuple[Any, Any]:
    """Calls a dispatcher; returns the status and the result, and leaves it to the caller to look at the former."""
    made = function.dispatcher.get_compile_result(called)
    parts = cgutils.unpack_tuple(builder, arguments)
    taken = [
        context.cast(builder, part, kind, target)
        for part, kind, target in zip(parts, tuple_type.types, called.args, strict=True)
    ]
    status, result = context.call_internal_no_propagate(builder, made.fndesc, called, taken)
    context.add_linking_libs([made.library])
    return status, result


_KEPT = 0, 1, 4  # the words of a stream that a draw changes


def _words(builder: Any, address: Any, rows: int) -> list[Any]:
    """The addresses of the words that draws of some rows change, from the row at an address on."""
    word = ir.IntType(64)
    at = [builder.add(address, ir.Constant(word, 8 * (5 * row + k))) for row in range(rows) for k in _KEPT]
    return [builder.inttoptr(one, word.as_pointer()) for one in at]


def _attempt(draws: bool) -> Any:
    """Returns the function that calls another for one row.

    Where that raises, the row's stream is where it was, the row's number is at an address, and the exception goes on.
    """

    def called(typing_context: Any, function: Any, arguments: Any, stream: Any, place: Any, row: Any) -> Any:
        call = _parts(typing_context, function, arguments)

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            word = ir.IntType(64)
            places = _words(builder, values[2], 1) if draws else []
            before = [builder.load(one) for one in places]
            status, result = _call(context, builder, function, call, signature.args[1], values[1])
            with cgutils.if_unlikely(builder, status.is_error):
                for one, number in zip(places, before, strict=True):
                    builder.store(number, one)
                builder.store(values[4], builder.inttoptr(values[3], word.as_pointer()))
                context.call_conv.return_status_propagate(builder, status)
            return result

        return call.return_type(function, arguments, types.int64, types.int64, types.int64), generate

    called.__name__ = "attempt_drawing" if draws else "attempt"
    return intrinsic(called)


attempt, attempt_drawing = _attempt(draws=False), _attempt(draws=True)


def _tried(draws: bool, width: int) -> Any:
    """Returns the function that calls another for the rows of lanes, and returns whether it raised, and its result.

    Where it raised, the rows' streams are where they were.
    """

    def called(typing_context: Any, function: Any, arguments: Any, streams: Any) -> Any:
        call = _parts(typing_context, function, arguments)
        pair: Any = types.Tuple

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            places = _words(builder, values[2], width) if draws else []
            before = [builder.load(one) for one in places]
            status, result = _call(context, builder, function, call, signature.args[1], values[1])
            with cgutils.if_unlikely(builder, status.is_error):
                for one, number in zip(places, before, strict=True):
                    builder.store(number, one)
            return context.make_tuple(builder, signature.return_type, [status.is_error, result])

        return pair((types.boolean, call.return_type))(function, arguments, types.int64), generate

    called.__name__ = "tried_drawing" if draws else "tried"
    return intrinsic(called)


tried, tried_drawing = _tried(draws=False, width=WIDTH), _tried(draws=True, width=WIDTH)
