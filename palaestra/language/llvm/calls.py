"""Python callables of machine code, which run without the GIL.

They are made by machine code of its own, which reads the arguments and calls the function: `ctypes` takes a microsecond
for the same. Where arrays are not laid out as expected, `ctypes` does it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import llvmlite.binding as llvm
import numpy as np

Caller: TypeAlias = Callable[..., int]


def caller(address: int, count: int, keeps_gil: bool = False) -> Caller:
    """Returns a callable of a function that takes `count` words and returns an int64.

    It takes an int for a word, or an array for the address of its first element: arrays are neither checked nor kept.
    It lets other threads of Python run, unless it keeps the GIL.

    Args:
        address: The function's address.
        count: The number of its parameters.
        keeps_gil: Whether it keeps the GIL.

    The callable raises TypeError for another number of arguments, and for those that are neither ints nor arrays.
    """
    is_quick = _ARRAYS_ARE_READABLE and count < 2 ** (64 - _COUNT_AT)
    return (_quick if is_quick else slow_caller)(address, count, keeps_gil)


def slow_caller(address: int, count: int, keeps_gil: bool = False) -> Caller:
    """Returns the same by `ctypes`."""
    kind = ctypes.PYFUNCTYPE if keeps_gil else ctypes.CFUNCTYPE
    function = kind(ctypes.c_int64, *[ctypes.c_int64] * count)(address)

    def call(*given: Any) -> int:
        if len(given) != count:
            raise TypeError(_EXPECTED.format(count=count))
        return int(function(*(_signed(one, count) for one in given)))

    return call


def _signed(given: Any, count: int) -> int:
    if type(given) is int:
        return (given + 2**63) % 2**64 - 2**63
    if type(given) is np.ndarray:
        return int(given.ctypes.data)
    raise TypeError(_EXPECTED.format(count=count))


class _Method(ctypes.Structure):
    """CPython's `PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


@cache
def _quick(address: int, count: int, keeps_gil: bool) -> Caller:
    method = _Method(b"machine_code", _entry(max(count, _USUAL), keeps_gil), _METH_FASTCALL, None)
    _KEPT.append(method)
    new: Any = ctypes.pythonapi.PyCFunction_NewEx
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    made: Caller = new(ctypes.addressof(method), address | count << _COUNT_AT, None)
    return made


@cache
def _entry(most: int, keeps_gil: bool) -> int:
    """Returns the address of a function for `PyCFunction_NewEx`.

    Its `self` is the address of the function that it calls, with the number of words above `_COUNT_AT`. It passes
    `most` of them: by the conventions of C, those that a function does not take change nothing.
    """
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name in _C_API:
        llvm.add_symbol(name, ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value)
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(_text(most, keeps_gil)), machine)
    engine.finalize_object()
    _KEPT.append(engine)
    return int(engine.get_function_address("entry"))


def _text(most: int, keeps_gil: bool) -> str:
    """Returns LLVM's text of that function: a switch on the type of each argument."""
    message = _EXPECTED.format(count="%d")
    words = [
        f"  %at{k} = getelementptr i64, ptr %words, i64 {k}\n  %word{k} = load i64, ptr %at{k}\n" for k in range(most)
    ]
    return _ENTRY.format(
        size=len(message) + 1,
        message=message,
        most=most,
        count_at=_COUNT_AT,
        address=2**_COUNT_AT - 1,
        data=_DATA,
        ints=id(int),
        arrays=id(np.ndarray),
        words="".join(words),
        given=", ".join(f"i64 %word{k}" for k in range(most)),
        release="" if keeps_gil else "\n  %thread = call ptr @PyEval_SaveThread()",
        acquire="" if keeps_gil else "\n  call void @PyEval_RestoreThread(ptr %thread)",
        error=id(TypeError),
    )


_EXPECTED = "machine code takes {count} ints or arrays"
_KEPT: list[Any] = []  # engines and methods
_METH_FASTCALL = 0x80
_DATA = object.__basicsize__  # the offset of the address of an array's first element, in bytes
_USUAL = 4  # most functions take no more words: they share an entry
_COUNT_AT = 57  # addresses have fewer bits
_C_API = (
    "PyErr_Format",
    "PyEval_RestoreThread",
    "PyEval_SaveThread",
    "PyLong_AsUnsignedLongLongMask",
    "PyLong_FromLongLong",
)
_ENTRY = """\
@message = private constant [{size} x i8] c"{message}\\00"
declare ptr @PyErr_Format(ptr, ptr, ...)
declare void @PyEval_RestoreThread(ptr)
declare ptr @PyEval_SaveThread()
declare i64 @PyLong_AsUnsignedLongLongMask(ptr)
declare ptr @PyLong_FromLongLong(i64)

define ptr @entry(ptr %self, ptr %arguments, i64 %count) {{
  %words = alloca [{most} x i64]
  store [{most} x i64] zeroinitializer, ptr %words
  %called = call i64 @PyLong_AsUnsignedLongLongMask(ptr %self)
  %expected = lshr i64 %called, {count_at}
  %address = and i64 %called, {address}
  %matches = icmp eq i64 %count, %expected
  br i1 %matches, label %next, label %refuse
next:
  %k = phi i64 [ 0, %0 ], [ %after, %keep ]
  %after = add i64 %k, 1
  %all = icmp eq i64 %k, %count
  br i1 %all, label %call, label %read
read:
  %at = getelementptr ptr, ptr %arguments, i64 %k
  %object = load ptr, ptr %at
  %type_at = getelementptr i8, ptr %object, i64 8
  %type = load i64, ptr %type_at
  switch i64 %type, label %refuse [ i64 {ints}, label %int i64 {arrays}, label %array ]
int:
  %number = call i64 @PyLong_AsUnsignedLongLongMask(ptr %object)
  br label %keep
array:
  %data_at = getelementptr i8, ptr %object, i64 {data}
  %data = load i64, ptr %data_at
  br label %keep
keep:
  %word = phi i64 [ %number, %int ], [ %data, %array ]
  %word_at = getelementptr i64, ptr %words, i64 %k
  store i64 %word, ptr %word_at
  br label %next
call:
{words}  %function = inttoptr i64 %address to ptr{release}
  %result = call i64 %function({given}){acquire}
  %returned = call ptr @PyLong_FromLongLong(i64 %result)
  ret ptr %returned
refuse:
  call ptr (ptr, ptr, ...) @PyErr_Format(ptr inttoptr (i64 {error} to ptr), ptr @message, i64 %expected)
  ret ptr null
}}
"""


def _arrays_are_readable() -> bool:
    """Whether arrays and ints of this NumPy and Python hold what is read where it is expected."""
    array = np.zeros(1)
    if _DATA != 16 or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    types = (ctypes.c_size_t.from_address(id(one) + 8).value for one in (1, array))
    return list(types) == [id(int), id(np.ndarray)] and (
        ctypes.c_size_t.from_address(id(array) + _DATA).value == array.ctypes.data
    )


_ARRAYS_ARE_READABLE = _arrays_are_readable()
