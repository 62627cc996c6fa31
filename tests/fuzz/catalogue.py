"""The calls that programs may make: those of the table, with the arguments that its entries draw.

A kind is what a program knows of a value: "bool", "int", "float" are Python's numbers, "bool_", "int8", "float32" ...
NumPy's, "float64[3, 3]" is an array.
"""

from __future__ import annotations

import builtins
import math
import operator
import random
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from gymnasium.functional import ops
from palaestra.language.operations.table import Entry, entries

DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
PYTHON = ("bool", "int", "float")
SHAPES = {1: (3,), 2: (3, 3)}  # of the arrays of programs, by their axes
LARGEST = 12  # items of an array that a call returns
DRAWS = 8  # of each entry's arguments
BINARY = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.truediv: "/",
    operator.floordiv: "//",
    operator.mod: "%",
    operator.pow: "**",
    operator.matmul: "@",
    operator.and_: "&",
    operator.or_: "|",
    operator.xor: "^",
    operator.lshift: "<<",
    operator.rshift: ">>",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
    operator.ne: "!=",
}
UNARY = {operator.neg: "-", operator.pos: "+", operator.invert: "~", operator.not_: "not ", operator.abs: "abs"}
MODULES = ((builtins, ""), (math, "math."), (np, "np."), (ops, "ops."))
PLACE = "\0"
SPECIAL = ("math.inf", "-math.inf", "math.nan", "1e300", "5e-324", "1e17")
LARGE = (2**62, -(2**63), 2**63 - 1, 2**53 + 1, 2**31, 255)


class Call(NamedTuple):
    """A call: its text with places for arguments, their kinds ("" if they are fixed), and texts of some arguments."""

    text: str
    kinds: tuple[str, ...]
    fixed: tuple[str, ...]


def kind_of(value: Any) -> str:
    """Returns the kind of an object; "" for others than those of programs."""
    if isinstance(value, np.ndarray):
        usual = value.dtype.name in DTYPES and 0 < value.size <= LARGEST and value.ndim in SHAPES
        return f"{value.dtype.name}{list(value.shape)}" if usual else ""
    if isinstance(value, np.generic):
        name = value.dtype.name
        return "" if name not in DTYPES else "bool_" if name == "bool" else name
    name = type(value).__name__
    return name if name in PYTHON and (name != "int" or -(2**63) <= value < 2**63) else ""


def dtype_and_shape(kind: str) -> tuple[str, tuple[int, ...]]:
    """Returns the dtype and the shape of an array's kind."""
    dtype, _, sizes = kind.rstrip("]").partition("[")
    return dtype, tuple(map(int, sizes.split(", ")))


def literal(value: Any) -> str:
    """Returns the text of an object, or of one like it."""
    if isinstance(value, np.ndarray):
        return f"np.array({literal(value.tolist())}, {literal(value.dtype)})"
    if isinstance(value, np.dtype):
        return "np.bool_" if value.name == "bool" else f"np.{value.name}"
    if isinstance(value, type):
        return f"np.{value.__name__.replace('bool', 'bool_')}" if issubclass(value, np.generic) else value.__name__
    if isinstance(value, np.generic):
        return f"{literal(value.dtype)}({literal(value.item())})"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(literal, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(value) == 1 else ''})"
    if isinstance(value, float) and not math.isfinite(value):
        return "math.nan" if math.isnan(value) else "math.inf" if value > 0 else "-math.inf"
    return repr(value)


def plain(kind: str, chance: random.Random) -> str:
    """Returns the text of an object of a kind: small numbers, at times special ones."""
    if "[" in kind:
        dtype, shape = dtype_and_shape(kind)
        one = {"b": "bool", "f": "float"}.get(dtype[0], "int")
        rows: Any = [plain(one if dtype[0] != "u" else "small", chance) for _ in range(math.prod(shape))]
        if len(shape) == 2:
            rows = [f"[{', '.join(rows[k : k + shape[1]])}]" for k in range(0, len(rows), shape[1])]
        return f"np.array([{', '.join(rows)}], np.{'bool_' if dtype == 'bool' else dtype})"
    match kind:
        case "bool":
            return chance.choice(("True", "False"))
        case "int":
            return str(chance.choice((0, 1, 2, 3, -1, -4, 7, chance.randint(-50, 50))))
        case "float":
            usual = (0.0, 1.0, -0.5, 2.5, 1e-3, -0.0, round(chance.uniform(-9.0, 9.0), 3))
            return repr(chance.choice(usual)) if chance.random() > 0.03 else chance.choice(SPECIAL)
        case "small":
            return str(chance.randint(0, 9))
    inner = "bool" if kind == "bool_" else "float" if kind[0] == "f" else "small" if kind[0] == "u" else "int"
    return f"np.{kind}({plain(inner, chance)})"


@cache
def catalogue() -> dict[str, list[list[Call]]]:
    """Returns the calls that the entries of the table try, by the kind of what they return and by their texts."""
    found: dict[str, dict[str, list[Call]]] = {}
    rng = np.random.default_rng(0)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for entry in entries():
            called = entry.called[0] if isinstance(entry.called, tuple) else entry.called
            for kind, call in _calls(entry, called, rng) if not _is_in_place(entry) else ():
                found.setdefault(kind, {}).setdefault(call.text, []).append(call)
    return {kind: list(calls.values()) for kind, calls in found.items()}


def _is_in_place(entry: Entry) -> bool:
    return isinstance(entry.called, tuple) and "in place" in entry.called


def _calls(entry: Entry, called: Any, rng: np.random.Generator) -> Iterator[tuple[str, Call]]:
    for draw in entry.tries:
        for _ in range(DRAWS):
            arguments = draw(rng)
            for way in (_usual, lambda one: one):  # with arrays of the shapes of programs, or as they are
                call = _call(called, tuple(map(way, arguments)))
                if call is not None:
                    yield call
                    break


def _usual(argument: Any) -> Any:
    """An array of a shape of programs, with the items of another one."""
    if _is_series(argument):
        return type(argument)(map(_usual, argument))
    if not isinstance(argument, np.ndarray) or argument.ndim not in SHAPES or not argument.size:
        return argument
    return np.resize(argument, SHAPES[argument.ndim])


def _is_series(argument: Any) -> bool:
    return isinstance(argument, (list, tuple)) and bool(argument) and isinstance(argument[0], np.ndarray)


def _call(called: Any, arguments: tuple[Any, ...]) -> tuple[str, Call] | None:
    """The call of some arguments, and its kind; None if it raises, or returns what programs do not hold."""
    if any(callable(one) and not isinstance(one, type) for one in arguments):
        return None
    try:
        copies = [np.copy(one) if isinstance(one, np.ndarray) else one for one in arguments]
        kind = kind_of(called(*copies) if callable(called) else called.__get__(arguments[0]))
    except Exception:  # it is drawn to raise
        return None
    is_draw = bool(arguments) and isinstance(arguments[0], np.random.Generator)
    texts, kinds, fixed = list[str](), list[str](), list[str]()
    for k, one in enumerate(arguments[is_draw:]):
        parts = one if _is_series(one) else [one]
        texts.append(f"[{', '.join([PLACE] * len(parts))}]" if parts is one else PLACE)
        kinds += ["" if _is_fixed(called, k, part) else kind_of(part) for part in parts]
        fixed += map(literal, parts)
    text = _text_of(called, texts)
    has_places = text.count(PLACE) == len(kinds)
    return (kind, Call(text, tuple(kinds), tuple(fixed))) if kind and text and has_places else None


def _text_of(called: Any, texts: list[str]) -> str:
    """The text of a call; "" if there is none."""
    if called in BINARY:
        return f"({texts[0]} {BINARY[called]} {texts[1]})"
    if called in UNARY:
        return f"({UNARY[called]}({texts[0]}))"
    if called is operator.getitem:
        return f"{texts[0]}[{texts[1]}]"
    name, inner = getattr(called, "__name__", ""), ", ".join(texts)
    for module, prefix in MODULES:
        if name and getattr(module, name, None) is called:
            return f"{prefix}{name}({inner})"
    owner = getattr(called, "__objclass__", None)
    if owner is np.random.Generator:
        return f"rng.{name}({inner})"
    if owner is not None and owner.__module__ in ("builtins", "numpy"):
        behind = f"({', '.join(texts[1:])})" if callable(called) else ""
        return f"({texts[0]}).{name}{behind}"
    if isinstance(of := getattr(called, "__self__", None), np.ufunc):
        return f"np.{of.__name__}.{name}({inner})"
    return ""


def _is_fixed(called: Any, k: int, argument: Any) -> bool:
    """Whether an argument, such as an axis, must be known."""
    if type(argument) not in (int, bool) or k == 0:
        return False
    name = getattr(called, "__name__", "")
    of_arrays = not isinstance(called, np.ufunc) and any(getattr(one, name, None) is called for one in (np, np.ndarray))
    return of_arrays or called is round or name in vars(np.random.Generator)
