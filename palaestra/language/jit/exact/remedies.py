"""Remedies for functions outside the language."""

from __future__ import annotations

REMEDIES: dict[str, str] = {
    "builtins.pow": "write a ** b",
    "builtins.sorted": "write np.sort of an array of ints, or a loop",
    "builtins.list": "begin with [] and append, or use an array",
    "builtins.map": "write a loop",
    "builtins.str": "a number instead: text has no place in dynamics",
    "builtins.complex": "compute with two floats",
    "math.hypot": "write math.sqrt(x * x + y * y)",
    "math.gcd": "write a loop",
    "math.isclose": "write abs(a - b) <= tolerance",
    "math.dist": "write math.sqrt of the sum of squares",
    "math.exp2": "write 2.0 ** x",
    "numpy.copysign": "write math.copysign, for arrays in a loop",
    "numpy.degrees": "write np.rad2deg or math.degrees",
    "numpy.radians": "write np.deg2rad or math.radians",
    "numpy.logical_and": "write `and`, or a & b for arrays",
    "numpy.logical_or": "write `or`, or a | b for arrays",
    "numpy.logical_not": "write `not`, or ~a for arrays",
    "numpy.bitwise_and": "write a & b",
    "numpy.bitwise_or": "write a | b",
    "numpy.bitwise_xor": "write a ^ b",
    "numpy.empty": "write np.zeros, for its elements are whatever the memory held",
    "numpy.empty_like": "write np.zeros_like, for its elements are whatever the memory held",
    "numpy.repeat": "write a loop into np.zeros(...)",
    "numpy.tile": "write np.concatenate((a, a))",
    "numpy.nonzero": "write np.flatnonzero(a)",
    "numpy.argwhere": "write np.flatnonzero(a)",
    "numpy.argsort": "write a loop that looks for the next smallest",
    "numpy.std": "write it with np.mean and np.sqrt",
    "numpy.var": "write it with np.mean",
    "numpy.vstack": "write np.stack",
    "numpy.flip": "write a[::-1].copy()",
    "numpy.vdot": "write np.dot",
    "numpy.isclose": "write abs(a - b) <= tolerance",
    "numpy.allclose": "write np.max(np.abs(a - b)) <= tolerance",
    "numpy.cross": "write out its three elements",
}
"""Maps functions outside the language to what to write instead."""


def remedy(name: str) -> str:
    """Returns the remedy for a function outside the language."""
    drawn = name.startswith("numpy.random")
    return "draw from rng" if drawn else REMEDIES.get(name, "write it out, as a loop or a function")


def function_name(key: object, function: object) -> str:
    """Returns the name of a function with its module, from its key in Numba."""
    module, name = getattr(key, "__module__", ""), getattr(key, "__name__", None)
    return f"{module}.{name}" if name else str(function)
