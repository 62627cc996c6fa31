"""The boundary between dynamics and columns, in compiled code: read-only arrays, and values that fit a column."""

from __future__ import annotations

from typing import Any

import numpy as np

from palaestra.language.jit.backend import (
    ArrayType,
    Builder,
    CPUContext,
    Meaning,
    Signature,
    Type,
    Typed,
    TypingContext,
    Value,
    Values,
    cgutils,
    compiled,
    intrinsic,
    ir,
    meaning_of,
    types,
    unliteral,
)
from palaestra.language.jit.exact import numbers
from palaestra.language.jit.exact.language import remember
from palaestra.language.jit.lanes import WIDTH


def _retyped(name: str, aligned: bool) -> Any:
    """Returns a function that gives an array a read-only type."""

    def called(typing_context: TypingContext, array: ArrayType) -> Typed:
        def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
            context.nrt.incref(builder, signature.return_type, arguments[0])
            return arguments[0]

        kind = types.Array(array.dtype, array.ndim, array.layout, readonly=True, aligned=aligned)
        return kind(array), generate

    called.__name__ = name
    return intrinsic(called)


frozen = _retyped("frozen", aligned=True)
as_long_tuple = _retyped("as_long_tuple", aligned=False)


def _same(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
    """Returns the first argument."""
    context.nrt.incref(builder, signature.return_type, arguments[0])
    return arguments[0]


def _checked(message: str) -> Any:
    """Returns what writes the first argument, an array, after a check that the second one is its shape."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        kind, expected = signature.return_type, cgutils.unpack_tuple(builder, arguments[1])
        sizes = cgutils.unpack_tuple(builder, context.make_array(kind)(context, builder, arguments[0]).shape)
        differs = ir.Constant(ir.IntType(1), len(sizes) != len(expected))
        for size, wanted in zip(sizes, expected, strict=False):
            differs = builder.or_(differs, builder.icmp_signed("!=", size, wanted))
        with cgutils.if_unlikely(builder, differs):
            context.call_conv.return_user_exc(builder, ValueError, (message,))
        return _same(context, builder, signature, arguments)

    return generate


def _by_meaning(typing_context: TypingContext, function: Any, arguments: tuple[object, ...]) -> Any:
    """The signature of a function of `meaning_of`, and what writes a call of it."""
    kind = typing_context.resolve_value_type(function)
    found = typing_context.resolve_function_type(kind, arguments, {})

    def generate(context: CPUContext, builder: Builder, signature: Signature, values: Values) -> Value:
        return context.get_function(kind, found)(builder, values)

    return found.return_type(*arguments), generate


@intrinsic
def whole_array(typing_context: TypingContext, value: Type, shape: Type) -> Typed:
    """Returns an array of the shape; raises if it has another one."""
    return value(value, shape), _checked("an array of another shape than at first")


@intrinsic
def own(typing_context: TypingContext, part: Type, before: Type) -> Any:
    """Returns an array that may be written to `before`: the same one, or one without shared memory."""
    if not isinstance(part, types.Array) or part.mutable:
        return part(part, before), _same
    return _by_meaning(typing_context, _copied, (part, before))


def _copied(part: object, before: object) -> Any:
    """Returns a read-only array, or a copy of it unless it is `before` itself."""


@meaning_of(_copied)
def _copied_alike(part: Any, before: Any) -> Meaning:
    if part.layout != "C":
        return lambda part, before: part.copy()

    def implementation(part: Any, before: Any) -> Any:
        return part if part.ctypes.data == before.ctypes.data else frozen(part.copy())

    return implementation


@intrinsic
def fitted(typing_context: TypingContext, value: Any, shape: Any, like: Any) -> Any:
    """Returns a value in the form of a column of `like`'s type, an array of the shape; raises if it does not fit."""
    is_array = isinstance(value, types.Array)
    if _conversion(value.dtype if is_array else unliteral(value), like) or (is_array and value.ndim == 0):
        return _by_meaning(typing_context, _converted, (value, shape, like))
    check = _checked("an array of another shape than its space") if is_array else _same
    return value(value, shape, like), check


def _converted(value: object, shape: object, like: object) -> Any:
    """Returns a value whose numbers are converted, and an array without dimensions as a number."""


@meaning_of(_converted)
def _converted_alike(value: Any, shape: Any, like: Any) -> Meaning:
    if not isinstance(value, types.Array):
        convert = _conversion(unliteral(value), like)
        return lambda value, shape, like: convert(value)
    if value.ndim == 0:
        return lambda value, shape, like: fitted(value[()], shape, like)
    convert = _conversion(value.dtype, like)

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


def _conversion(source: object, target: object) -> Any:
    """Returns the function that makes a number fit, or None if storing it is enough."""
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


def _parts(typing_context: TypingContext, function: Any, arguments: Any) -> Any:
    """The signature of a call of a dispatcher with the parts of a tuple."""
    try:
        return function.get_call_type(typing_context, tuple(unliteral(kind) for kind in arguments), {})
    except Exception as error:  # Numba itself would only report that there is no such function
        remember(error)
        raise


def _call(
    context: CPUContext, builder: Builder, function: Any, called: Any, tuple_type: Any, arguments: Values
) -> tuple[Value, Value]:
    """Calls a dispatcher; returns the status and the result, and lets the caller check the status."""
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


def _words(builder: Builder, address: Value, rows: int) -> list[Value]:
    """The addresses of the words that draws of some rows change, from the row at an address on."""
    word = ir.IntType(64)
    at = [builder.add(address, ir.Constant(word, 8 * (5 * row + k))) for row in range(rows) for k in _KEPT]
    return [builder.inttoptr(one, word.as_pointer()) for one in at]


@intrinsic
def attempt(
    typing_context: TypingContext, function: Any, arguments: Any, before: Type, stream: Type, place: Type, row: Type
) -> Typed:
    """Returns the result of a function for a tuple of arguments.

    If it raises, the words `before` are restored in the stream of the row, the row's number is written to an address,
    and the exception is passed on.
    """
    call = _parts(typing_context, function, arguments)

    def generate(context: CPUContext, builder: Builder, signature: Signature, values: Values) -> Value:
        status, result = _call(context, builder, function, call, signature.args[1], values[1])
        with cgutils.if_unlikely(builder, status.is_error):
            for place, word in zip(
                _words(builder, values[3], 1), cgutils.unpack_tuple(builder, values[2]), strict=False
            ):
                builder.store(word, place)
            builder.store(values[5], builder.inttoptr(values[4], ir.IntType(64).as_pointer()))
            context.call_conv.return_status_propagate(builder, status)
        return result

    return call.return_type(function, arguments, before, types.int64, types.int64, types.int64), generate


@intrinsic
def tried(typing_context: TypingContext, function: Any, arguments: Any) -> Typed:
    """Returns whether a function raised when it was called with a tuple of arguments, and its result if it did not."""
    call = _parts(typing_context, function, arguments)
    pair: Any = types.Tuple

    def generate(context: CPUContext, builder: Builder, signature: Signature, values: Values) -> Value:
        status, result = _call(context, builder, function, call, signature.args[1], values[1])
        return context.make_tuple(builder, signature.return_type, [status.is_error, result])

    return pair((types.boolean, call.return_type))(function, arguments), generate


def _words_of(name: str, rows: int) -> Any:
    """Returns a function that returns the words that draws of some rows change, from the row at an address on."""
    many: Any = types.UniTuple

    def called(typing_context: TypingContext, address: Type) -> Typed:
        def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
            words = [builder.load(one) for one in _words(builder, arguments[0], rows)]
            return context.make_tuple(builder, signature.return_type, words)

        return many(types.int64, rows * len(_KEPT))(types.int64), generate

    called.__name__ = name
    return intrinsic(called)


words_of_stream, words_of_streams = _words_of("words_of_stream", 1), _words_of("words_of_streams", WIDTH)


@intrinsic
def put_back(typing_context: TypingContext, address: Type, words: Type) -> Typed:
    """Write the words from the result of `words_of_streams`."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        places = _words(builder, arguments[0], WIDTH)
        for place, word in zip(places, cgutils.unpack_tuple(builder, arguments[1]), strict=True):
            builder.store(word, place)
        return context.get_dummy_value()

    return types.void(types.int64, words), generate
