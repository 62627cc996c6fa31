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
    return (_quick if _ARRAYS_ARE_READABLE else slow_caller)(address, count, keeps_gil)


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
    method = _Method(b"machine_code", _entry(count, keeps_gil), _METH_FASTCALL, None)
    _KEPT.append(method)
    new: Any = ctypes.pythonapi.PyCFunction_NewEx
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    made: Caller = new(ctypes.addressof(method), address, None)
    return made


@cache
def _entry(count: int, keeps_gil: bool) -> int:
    """Returns the address of a function for `PyCFunction_NewEx`, whose `self` is the address of the called function."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name in _C_API:
        llvm.add_symbol(name, ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value)
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(_text(count, keeps_gil)), machine)
    engine.finalize_object()
    _KEPT.append(engine)
    return int(engine.get_function_address("entry"))


def _text(count: int, keeps_gil: bool) -> str:
    """Returns LLVM's text of that function: a switch on the type of each argument."""
    following = [*(f"read{k}" for k in range(1, count)), "call"]
    words = ["", *(_WORD.format(k=k) for k in range(count))]
    reads = ""
    for k in range(count):
        read = _READ.format(k=k, place=8 * k, data=_DATA, ints=id(int), arrays=id(np.ndarray), next=following[k])
        label, newline, rest = read.partition("\n")
        reads += label + newline + words[k] + rest
    message = _EXPECTED.format(count=count)
    return _ENTRY.format(
        size=len(message) + 1,
        message=message,
        count=count,
        first="read0" if count else "call",
        reads=reads,
        last=words[-1],
        given=", ".join(f"i64 %word{k}" for k in range(count)),
        release="" if keeps_gil else "\n  %thread = call ptr @PyEval_SaveThread()",
        acquire="" if keeps_gil else "\n  call void @PyEval_RestoreThread(ptr %thread)",
        error=id(TypeError),
    )


_EXPECTED = "machine code takes {count} ints or arrays"
_KEPT: list[Any] = []  # engines and methods
_METH_FASTCALL = 0x80
_DATA = object.__basicsize__  # the offset of the address of an array's first element, in bytes
_C_API = (
    "PyErr_SetString",
    "PyEval_RestoreThread",
    "PyEval_SaveThread",
    "PyLong_AsUnsignedLongLongMask",
    "PyLong_AsVoidPtr",
    "PyLong_FromLongLong",
)
_READ = """\
read{k}:
  %at{k} = getelementptr i8, ptr %arguments, i64 {place}
  %object{k} = load ptr, ptr %at{k}
  %type_at{k} = getelementptr i8, ptr %object{k}, i64 8
  %type{k} = load i64, ptr %type_at{k}
  switch i64 %type{k}, label %refuse [ i64 {ints}, label %int{k} i64 {arrays}, label %array{k} ]
int{k}:
  %int_word{k} = call i64 @PyLong_AsUnsignedLongLongMask(ptr %object{k})
  br label %{next}
array{k}:
  %data_at{k} = getelementptr i8, ptr %object{k}, i64 {data}
  %array_word{k} = load i64, ptr %data_at{k}
  br label %{next}
"""
_WORD = "  %word{k} = phi i64 [ %int_word{k}, %int{k} ], [ %array_word{k}, %array{k} ]\n"
_ENTRY = """\
@message = private constant [{size} x i8] c"{message}\\00"
declare void @PyErr_SetString(ptr, ptr)
declare void @PyEval_RestoreThread(ptr)
declare ptr @PyEval_SaveThread()
declare i64 @PyLong_AsUnsignedLongLongMask(ptr)
declare ptr @PyLong_AsVoidPtr(ptr)
declare ptr @PyLong_FromLongLong(i64)

define ptr @entry(ptr %self, ptr %arguments, i64 %count) {{
  %expected = icmp eq i64 %count, {count}
  br i1 %expected, label %{first}, label %refuse
{reads}call:
{last}  %function = call ptr @PyLong_AsVoidPtr(ptr %self){release}
  %result = call i64 %function({given}){acquire}
  %returned = call ptr @PyLong_FromLongLong(i64 %result)
  ret ptr %returned
refuse:
  call void @PyErr_SetString(ptr inttoptr (i64 {error} to ptr), ptr @message)
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
