"""LLVM's execution engine: machine code from an object file, as Python callables, without Numba."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from gymnasium.dependencies import not_installed
from palaestra.language.jit.c_library import C_LIBRARY
from palaestra.language.jit.errors import MachineCodeError

try:
    import llvmlite.binding as llvm

    if find_spec("numba") is None:
        raise ModuleNotFoundError("No module named 'numba'")
except ImportError as error:
    raise not_installed("Numba", "compiled environments", error, "numba") from error

Entry = Callable[..., int]
"""Calls machine code with arrays, without the GIL: it takes the addresses of their first elements.

The arrays must be contiguous; they are not checked. A call raises `MachineCodeError` if the code raises.
"""


class _Method(ctypes.Structure):
    """CPython's `PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def target() -> str:
    """Returns the kind of processor that machine code is made for."""
    return f"{llvm.get_default_triple()} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


def add_symbol(name: str, address: int | None) -> None:
    """Let machine code call the function at an address by a name."""
    llvm.add_symbol(name, address)


def has_symbol(name: str) -> bool:
    """Returns whether machine code can call a function by this name: one of `add_symbol`, or of the C library."""
    return llvm.address_of_symbol(name) is not None or hasattr(C_LIBRARY, name)


def loaded(code: bytes, function: str) -> int:
    """Returns the address of a function of an object file.

    LLVM ends the process if the file names an unknown symbol: ask `has_symbol` first.
    """
    engine = _engine("")
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return int(engine.get_function_address(function))


@cache
def entry(address: int, arrays: int) -> Entry:
    """Returns a callable of a function compiled by Numba, which takes addresses and returns an int64.

    Args:
        address: The function's address.
        arrays: The number of its arguments.
    """
    if not _ARRAYS_ARE_READABLE:
        return _slow_entry(address, arrays)
    method = _Method(b"machine_code", _caller(arrays), _METH_FASTCALL, None)
    _KEPT.append(method)
    new: Any = ctypes.pythonapi.PyCFunction_NewEx
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    made: Entry = new(ctypes.addressof(method), address, None)
    return made


def _slow_entry(address: int, arrays: int) -> Entry:
    """The same by `ctypes`, which takes a microsecond."""
    function = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * (2 + arrays))(address)

    def call(*given: Any) -> int:
        result, record = ctypes.c_int64(), ctypes.c_void_p()
        addresses = (array.ctypes.data for array in given)
        if function(ctypes.addressof(result), ctypes.addressof(record), *addresses):
            raise MachineCodeError(record.value)
        return result.value

    return call


def _engine(text: str) -> Any:
    """Returns an engine of a module; it lives as long as the process, since others hold addresses in it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)
    _KEPT.append(engine)
    return engine


@cache
def _caller(arrays: int) -> int:
    """Returns the address of a function for `PyCFunction_NewEx`; its `self` is the address of the called function."""
    for name in _C_API:
        add_symbol(name, ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value)
    opaque = llvm.llvm_version_info[0] >= 15
    word = "ptr" if opaque else "i64*"
    lines = []
    for k in range(arrays):
        lines += [
            f"%place{k} = add i64 %arrays, {8 * k}",
            f"%place_pointer{k} = inttoptr i64 %place{k} to {word}",
            f"%array{k} = load i64, {word} %place_pointer{k}",
            f"%data{k} = add i64 %array{k}, {_DATA}",
            f"%data_pointer{k} = inttoptr i64 %data{k} to {word}",
            f"%address{k} = load i64, {word} %data_pointer{k}",
        ]
    text = _CALLER.format(
        word=word,
        function="ptr" if opaque else f"i32 ({', '.join(['i64'] * (2 + arrays))})*",
        addresses="".join(f", i64 %address{k}" for k in range(arrays)),
        loads="\n  ".join(lines),
        error=id(MachineCodeError),
    )
    return int(_engine(text).get_function_address("call"))


_KEPT: list[Any] = []  # engines and methods
_METH_FASTCALL = 0x80
_DATA = object.__basicsize__  # the offset of the address of an array's first element, in bytes
_C_API = (
    "PyErr_SetObject",
    "PyEval_RestoreThread",
    "PyEval_SaveThread",
    "PyLong_AsVoidPtr",
    "PyLong_FromVoidPtr",
    "PyLong_FromLongLong",
    "Py_DecRef",
)
_CALLER = """\
declare void @PyErr_SetObject(i64, i64)
declare void @PyEval_RestoreThread(i64)
declare i64 @PyEval_SaveThread()
declare i64 @PyLong_AsVoidPtr(i64)
declare i64 @PyLong_FromVoidPtr(i64)
declare i64 @PyLong_FromLongLong(i64)
declare void @Py_DecRef(i64)

define i64 @call(i64 %self, i64 %arrays, i64 %count) {{
  %result = alloca i64
  %record = alloca i64
  store i64 0, {word} %result
  store i64 0, {word} %record
  %result_address = ptrtoint {word} %result to i64
  %record_address = ptrtoint {word} %record to i64
  %called = call i64 @PyLong_AsVoidPtr(i64 %self)
  %function = inttoptr i64 %called to {function}
  {loads}
  %thread = call i64 @PyEval_SaveThread()
  %status = call i32 %function(i64 %result_address, i64 %record_address{addresses})
  call void @PyEval_RestoreThread(i64 %thread)
  %has_raised = icmp ne i32 %status, 0
  br i1 %has_raised, label %raised, label %returned
returned:
  %number = load i64, {word} %result
  %returned_int = call i64 @PyLong_FromLongLong(i64 %number)
  ret i64 %returned_int
raised:
  %found = load i64, {word} %record
  %found_int = call i64 @PyLong_FromVoidPtr(i64 %found)
  call void @PyErr_SetObject(i64 {error}, i64 %found_int)
  call void @Py_DecRef(i64 %found_int)
  ret i64 0
}}
"""


def _arrays_are_readable() -> bool:
    """Whether arrays of this NumPy and Python hold their address where it is expected."""
    array = np.zeros(1)
    return _DATA == 16 and ctypes.c_size_t.from_address(id(array) + _DATA).value == array.ctypes.data


_ARRAYS_ARE_READABLE = _arrays_are_readable()
