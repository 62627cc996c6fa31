"""Translation of Numba's errors for authors of dynamics."""

from __future__ import annotations

import dis
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from traceback import walk_tb
from types import FunctionType

from palaestra.language.jit.exact.language import taken_error, taken_refusals
from palaestra.language.jit.exact.remedies import remedy

_PLACE = re.compile(r'File "([^"]+)", line (\d+)|(?:at|from) (\S[^\n]*?) \((\d+)\)')
_DRAW = re.compile(r"No implementation of function Function\(<function _generator_(\w+)")
_NUMBERS = "takes numbers, and as size an int or a tuple of ints: draw with size=..., then scale it"
_TAKEN = {
    "choice": "takes an int, or a tuple, list or array of one axis of one kind of number; with p, no replace=",
    "permutation": "takes an int, or a tuple, list or array of one axis of one kind of number",
    "shuffle": "takes an array of one axis, of the function's own: write a copy before, array.copy()",
    "integers": "takes ints, a size, and endpoint=; it has no dtype here: write np.int8(...) around the number",
}
_METHOD = re.compile(r"Unknown attribute '(\w+)' of type PCG64Stream")
_NOISE = re.compile(r"^(Failed in|During:|- Resolution|None$|File |Raised from)")

_OPCODE = re.compile(r"unsupported opcode \((\w+)\)")
_OPCODES = {
    "MATCH_SEQUENCE": "`match` takes one number here: write if and elif",
    "MATCH_CLASS": "`match` takes one number here: write if and elif",
    "MATCH_MAPPING": "`match` takes one number here: write if and elif",
    "UNPACK_EX": "`a, *b = ...` is not supported: write indices",
    "IMPORT_NAME": "a function imports nothing here: import at the top of the module",
    "STORE_GLOBAL": "a global cannot be set: keep the value in the state",
    "YIELD_VALUE": "`yield` is not supported: return a value",
}
_UNJOINED = re.compile(r"Can't unify return type|Cannot unify")
_AMONG = re.compile(r">>>\s*contains\((?:Uni)?Tuple\(")
_LIST_INDEX = re.compile(r">>>\s*getitem\((?:readonly )?array\(.*, (?:reflected )?list\(")
_ATTRIBUTE = re.compile(r"Unknown attribute '(\w+)' of type (.+)")
_TEXT = re.compile(r"No implementation of function[^\n]*\n?\s*(?:>>>)?\s*\w+\([^\n]*(?:unicode_type|Literal\[str\])")
_CLASS = re.compile(r"module '(\w+)' has no attribute '__call__'")
_UNSUPPORTED = re.compile(r"unsupported NumPy function 'numpy\.(\w+)'")
_MODULE = re.compile(r"Module\(<module '([\w.]+)'")
_UNTYPED = re.compile(r"Untyped global name '(\w+)': Unsupported array d?type: (\S+?)\.?$", re.MULTILINE)
_RECORD = re.compile(r"(\w+)\(")

_OPERANDS = (
    (
        re.compile(r"getitem\(Tuple\(|Invalid use of getiter with parameters \(Tuple\("),
        "a tuple of ints and floats takes literal indices, and no loop: write 1.0 rather than 1 in it, so that all are "
        "floats",
    ),
    (
        re.compile(r"<function \w+_along at|found for signature:\s*(?:>>>)?\s*\w+_along\("),
        "along an axis this takes an array of int64 or float64 with two axes, in one piece: write .copy(), or loops",
    ),
    (
        re.compile(r"found for signature:\s*(?:>>>)?\s*table\("),
        "an array of rows that are written out takes numbers of 64 bits: write np.stack for rows of arrays",
    ),
    (
        re.compile(r"found for signature:\s*(?:>>>)?\s*(?:dot|product)\("),
        "np.dot and @ take arrays of float64 here: use astype(np.float64), and make an array of a tuple, "
        "np.array(action)",
    ),
    (
        re.compile(r"signature:\s*(?:>>>)?\s*\w+\((?:\w+ )?(?:array\(.*Tuple\(|(?:Uni)?Tuple\(.*array\()"),
        "a tuple beside an array is no array here: make one of it, np.array(action)",
    ),
)
"""Operands that a function or an operator does not take, in the words of Numba, with the reason and the remedy."""

ALLOWED = (
    "Compiled dynamics may use numbers, NumPy arrays, tuples, NamedTuples, if, for and while, functions of math, NumPy "
    "and gymnasium.functional.ops, their own functions, and rng.random, uniform, integers, normal, exponential, "
    "choice, permutation and shuffle, where machine code gives Python's bits. SyncVectorEnv runs all else"
)


@contextmanager
def explained(name: str, functions: Sequence[FunctionType]) -> Iterator[None]:
    """Turn Numba's errors into a `TypeError` that names the function of `functions`, the line and the reason."""
    taken_refusals(), taken_error()
    try:
        yield
    except OSError:  # of the disk
        raise
    except Exception as error:  # Numba's own have no common class, and for some code it fails with any
        refusals = taken_refusals()
        if refusals:
            raise TypeError(f"{name} cannot be compiled: {'; '.join(refusals)}. {ALLOWED}") from error
        cause = taken_error() or error
        text = f"{cause}{_worked_at(cause)}"
        where = _where(text, functions) or _where_called(text, functions)
        raise TypeError(f"{name} cannot be compiled: {where}{_reason(text)}. {ALLOWED}") from error


def _worked_at(error: Exception) -> str:
    """The places that Numba was at when it failed, innermost first: those that the text may lack."""
    frames = reversed([frame for frame, _ in walk_tb(error.__traceback__)])
    at = [error, *(frame.f_locals.get("constraint") for frame in frames)]
    places = [place for one in at if (place := getattr(one, "loc", None))]
    return "".join(f'\nFile "{place.filename}", line {place.line}' for place in places)


def _where(text: str, functions: Sequence[FunctionType]) -> str:
    """The innermost place of the error in the user's functions."""
    for match in _PLACE.finditer(text):
        file, line = match[1] or match[3], int(match[2] or match[4])
        for function in functions:
            lines = [number for _, _, number in function.__code__.co_lines() if number]
            if _same_file(file, function.__code__.co_filename) and min(lines) <= line <= max(lines):
                return f"{function.__qualname__}, line {line} of {function.__code__.co_filename}: "
    return ""


def _where_called(text: str, functions: Sequence[FunctionType]) -> str:
    """The first place where a class is named that Numba cannot call, which it tells without a place."""
    called = _CLASS.search(text)
    for function in functions if called else ():
        line = 0
        for instruction in dis.get_instructions(function.__code__):
            line = instruction.starts_line or line
            if called and instruction.argval == called[1]:
                return f"{function.__qualname__}, line {line} of {function.__code__.co_filename}: "
    return ""


def _same_file(shown: str, file: str) -> bool:
    """Compares paths; Numba shows them relative to the current folder."""
    return file.endswith(shown.replace("../", "")) or shown.endswith(file)


def _reason(text: str) -> str:
    if "setitem" in text and "readonly array" in text:
        return "arrays of states, params and actions are read-only: write into a copy, array.copy()"
    drawn = _DRAW.search(text)
    if drawn:
        return f"rng.{drawn[1]} {_TAKEN.get(drawn[1], _NUMBERS)}"
    unknown = _METHOD.search(text)
    if unknown:
        return f"rng has no `{unknown[1]}` here: make it of random, uniform, integers, normal, exponential or choice"
    opcode = _OPCODE.search(text)
    if opcode and opcode[1] in _OPCODES:
        return _OPCODES[opcode[1]]
    for pattern, reason in _OPERANDS:
        if pattern.search(text):
            return reason
    if _UNJOINED.search(text):
        return f"{_fault(text)}: write values of the same types on each path, 1.0 rather than 1 and arrays of one dtype"
    if _AMONG.search(text):
        return "a number is looked for among numbers of several kinds: write x == 0 or x == 1"
    if _LIST_INDEX.search(text):
        return "a list is no index here: write a[np.array([0, 2])]"
    if _TEXT.search(text):
        return "a text is no number here: keep numbers"
    if called := _CLASS.search(text):
        return f"`{called[1]}` is not supported: write it out, with numbers, tuples and NamedTuples"
    unsupported = _UNSUPPORTED.search(text)
    if unsupported:
        return f"numpy.{unsupported[1]} is not supported: {remedy(f'numpy.{unsupported[1]}')}"
    missing = _ATTRIBUTE.search(text)
    if missing:
        return _of_missing(missing[1], missing[2])
    array = _UNTYPED.search(text)
    if array:
        return f"the global {array[1]} is an array of {array[2]}: convert it, np.array({array[1]}, np.float64)"
    if "Illegal IR, del" in text:
        return "`del` is not supported: leave the variable"
    if "context manager" in text:
        return "`with` is not supported: leave it out"
    return _fault(text)


def _of_missing(name: str, owner: str) -> str:
    """The reason for an attribute or a function that Numba does not know."""
    module = _MODULE.match(owner)
    if module:
        return f"{module[1]}.{name} is not supported: {remedy(f'{module[1]}.{name}')}"
    record = _RECORD.match(owner)
    if record and record[1] not in ("array", "list", "reflected", "Function"):
        return f"`{name}` of {record[1]} is a property or a method of its own: write a function of the module for it"
    return f"`.{name}` of {owner} is not supported: write it out, as a loop or a function"


def _fault(text: str) -> str:
    """The lines of Numba's text that name the mistake."""
    lines = [line.strip() for line in text.splitlines()]
    notable = [line for line in lines if line and not _NOISE.match(line)]
    number = 2 if notable and notable[0].endswith(":") else 1
    return " ".join(notable[:number]).rstrip(".")
