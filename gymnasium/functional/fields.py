"""Words for fields of a state that change, which every runner but Python refuses."""

from __future__ import annotations

KINDS = {"b": "bool", "i": "int", "u": "unsigned int", "f": "float"}
"""Maps NumPy's letters for kinds of numbers to words."""


def described(dtype: object, shape: tuple[int, ...]) -> str:
    """Returns a field's type in words."""
    return f"{dtype} of shape {shape}" if shape else str(dtype)


def advice(began: tuple[str, tuple[int, ...]], came: tuple[str, tuple[int, ...]]) -> str:
    """Returns what to write where a field changes from one kind and shape, those at first, to others."""
    if began[1] != came[1]:
        return "keep one shape, an array of the largest size beside a counter, say"
    if came[0] == "f":
        return "begin with a float (0.0 rather than 0)"
    if began[0] == "f":
        return "keep it a float (1.0 rather than 1, float(...), astype(np.float64))"
    return "keep it a bool or an int, with bool(...) or int(...)"


def beyond(field: str, value: object) -> OverflowError:
    """Returns the error for an integer of a state that has more than 64 bits."""
    return OverflowError(
        f"An integer of a state must fit into 64 bits, as it has to in a batch, but {field} became {value}"
    )
