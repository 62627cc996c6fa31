"""Machine code of programs: optimized, emitted, loaded, and kept on disk if that took long.

A process compiles one text once. What is kept is found by the digest of all that it depends on: the text, the
processor, the version of LLVM. LLVM would end the process at an unknown symbol: those that a text names are known
before.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock, Thread
from typing import Any, Final, Literal, NamedTuple

import llvmlite.binding as llvm

from palaestra.language.llvm import store
from palaestra.language.llvm.calls import caller
from palaestra.language.llvm.lanes import write_lanes
from palaestra.language.llvm.reading import row_of
from palaestra.language.llvm.rows import write_rows
from palaestra.language.llvm.symbols import C_LIBRARY
from palaestra.language.llvm.text import Module
from palaestra.language.program import Program, has_loops

__all__ = ["Machine", "address_of", "addresses_of", "caller", "compiled", "digest_of", "supports"]

KEPT_ABOVE = 0.01  # s
_LONG, _SHORT = "; long loops\n", "; short loops\n"  # which a text begins with
_SLICE = 1e-4  # s
_RECIPE = "palaestra 2"  # changes with the passes below

# Functions that LLVM calls where the processor has no instruction.
_HELPERS = ("floor", "ceil", "trunc", "rint", "fma", "memcpy", "memset", "memmove")
_HELPERS_OF_FLOATS = ("floorf", "ceilf", "truncf", "rintf", "fmaf")


class Machine(NamedTuple):
    """The machine code of a program, which lasts as long as the process.

    Attributes:
        address: The address of its function. In lanes, the row that it takes must be a multiple of eight.
        rows: The address of `NAME_rows(all parameters but the row, low, high)`, which runs the rows from `low` to
            `high - 1` and returns the sum of their results; None if the program has no row.
        text: LLVM's text before it was optimized.
    """

    address: int
    rows: int | None
    text: str


def compiled(program: Program, *, lanes: bool = False, loops: Literal["short", "usual", "long"] = "usual") -> Machine:
    """Returns machine code of a program.

    Args:
        program: The program.
        lanes: Whether it runs eight rows at a time.
        loops: How long the program's own loops are: for "long" ones LLVM runs turns at once, if it can, and for "short"
            ones it takes as little time as without any. What runs over rows is no loop of the program.

    Raises:
        NotInLanes: If it cannot.
        NotSupported: If an operation has no machine code on this processor, or a function outside is not there.
    """
    return Build(program, lanes=lanes, loops=loops).machine()


class Build:
    """Programs on their way to machine code, in one module; for the arguments, and what it raises, see `compiled`.

    Attributes:
        text: LLVM's text before it is optimized.
    """

    def __init__(
        self, *programs: Program, lanes: bool = False, loops: Literal["short", "usual", "long"] = "usual"
    ) -> None:
        module = Module()
        for program in programs:
            (write_lanes if lanes else write_rows)(program, module)
        is_short = loops == "short" or not any(has_loops(one) for one in programs)
        self.text = f"{_SHORT if is_short else _LONG if loops == 'long' else ''}{module}"
        self._outside = module.outside
        self._names = [(one.name, None if row_of(one) is None else f"{one.name}_rows") for one in programs]
        self._addresses = _known.setdefault(self.text, {})

    def begin(self) -> Build:
        """Let another thread compile them, while Python goes on; returns itself."""
        if not self._addresses:
            Thread(target=self._compile).start()
        return self

    def machine(self, k: int = 0) -> Machine:
        """Returns the machine code of a program, by its number, once it is there."""
        self._compile()
        one, rows = self._names[k]
        return Machine(self._addresses[one], self._addresses[rows] if rows else None, self.text)

    def _compile(self) -> None:
        if self._addresses:
            return
        with _turn:
            if self._addresses:  # another thread was faster
                return
            for outside in self._outside.values():
                llvm.add_symbol(outside.name, outside.address)
            names = [name for pair in self._names for name in pair if name]
            with _short_slices():
                self._addresses.update(dict(zip(names, _loaded(self.text, names), strict=True)))


def address_of(text: str, name: str) -> int:
    """Returns the address of a function of LLVM's text."""
    return addresses_of(text, [name])[0]


def addresses_of(text: str, names: list[str]) -> list[int]:
    """Returns the addresses of functions of LLVM's text."""
    with _turn:
        return _loaded(_SHORT + text, names)


def digest_of(*texts: str) -> str:
    """Returns the digest of texts, and of all else that machine code depends on."""
    return hashlib.sha256("\0".join((*texts, *_surroundings())).encode()).hexdigest()


_known: dict[str, dict[str, int]] = {}  # the addresses of the functions of a text, once they are compiled
_turn = Lock()  # llvmlite calls LLVM from one thread at a time
if hasattr(os, "register_at_fork"):  # a process that is forked while another thread compiles would wait forever
    os.register_at_fork(before=_turn.acquire, after_in_parent=_turn.release, after_in_child=_turn.release)


@contextmanager
def _short_slices() -> Iterator[None]:
    """Let threads of Python take turns more often: each call of LLVM would wait for 5 ms if another one computes."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(min(usual, _SLICE))
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def _loaded(text: str, names: list[str]) -> list[int]:
    """Returns the addresses of functions of a text."""
    digest = digest_of(text)
    code = store.read(digest)
    if code is None:
        start = time.perf_counter()
        code = _emitted(text)
        if time.perf_counter() - start > KEPT_ABOVE:
            store.write(digest, code)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    return [int(engine.get_function_address(name)) for name in names]


_engines: Final[list[Any]] = []  # they own the machine code


def _emitted(text: str) -> bytes:
    """Returns the object file of a text."""
    machine = _machine()
    module = llvm.parse_assembly(text)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = text.startswith(_LONG)
    options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    (_few_passes() if text.startswith(_SHORT) else builder.getModulePassManager()).run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


def _few_passes() -> Any:
    """Returns what programs without loops need: code as fast as by all passes, in a fifth of the time."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    passes.add_new_gvn_pass()
    passes.add_dead_store_elimination_pass()
    passes.add_aggressive_dce_pass()
    passes.add_simplify_cfg_pass()
    return passes


def _surroundings() -> tuple[str, ...]:
    """What machine code depends on besides its text."""
    version = ".".join(map(str, llvm.llvm_version_info))
    return (*_target(), version, _RECIPE)


def supports(feature: str) -> bool:
    """Returns whether the processor has a feature, by LLVM's name for it, such as "avx512f"."""
    return f"+{feature}" in _target()[2].split(",")


@cache
def _target() -> tuple[str, str, str]:
    """The triple, the processor and its features."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name in (*_HELPERS, *_HELPERS_OF_FLOATS):
        found = getattr(C_LIBRARY, name, None)
        if found is not None and llvm.address_of_symbol(name) is None:
            llvm.add_symbol(name, ctypes.cast(found, ctypes.c_void_p).value)
    return llvm.get_default_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def _machine() -> Any:
    triple, processor, features = _target()
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(cpu=processor, features=features, opt=2, jit=True)
