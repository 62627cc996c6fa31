"""The Python types of an observation, which `final_obs` keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, Union

import numpy as np

from gymnasium.spaces.dict import Dict
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple as TupleSpace
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.kinds import Array, Kind, Mapping, Number, Tuple, kind_of_value
from palaestra.language.plain.translation.unit import Code

Form: TypeAlias = Union[type[Any], tuple["Form", ...], list["Form"], dict[str, "Form"], None]  # noqa: UP007
"""The type of a number, None for an array, and tuples, lists and dicts of forms."""

_PYTHON: dict[str, type[Any]] = {"i": int, "f": float, "b": bool}


def form_of(space: Space[Any], code: Code, seen: list[Any]) -> Form:
    """Returns the form of an observation.

    Args:
        space: Its space.
        code: It.
        seen: Examples, which decide where its kind leaves the type open; the trial compares types too.

    Raises:
        Refused: If its types are not known.
    """
    value: Any = getattr(code.kind, "value", None)
    return _form(space, code.kind if value is None else kind_of_value(value) or code.kind, seen)


def _form(space: Space[Any], kind: Kind, seen: list[Any]) -> Form:
    if isinstance(space, Dict) and isinstance(kind, Mapping):
        known = [key for key in kind.keys if key in space.spaces]  # an observation of other keys is refused later
        items = dict(zip(kind.keys, kind.items, strict=True))
        return {key: _form(space.spaces[key], items[key], [one[key] for one in seen]) for key in known}
    if isinstance(kind, Tuple):
        return _of_sequence(space, kind.items, seen)
    if isinstance(kind, Array) and kind.listed:
        if kind.shape is None or kind.ndim > 1:
            raise _unknown(space, "a list")
        return _of_sequence(space, [Number(kind.dtype, None, kind.mixed)] * kind.shape[0], seen)
    return _of_number(kind, seen) if isinstance(kind, Number) else None


def _of_sequence(space: Space[Any], kinds: Sequence[Kind], seen: list[Any]) -> Form:
    types = {type(one) for one in seen}
    if types == {np.ndarray}:
        return None
    if types not in ({tuple}, {list}) or any(len(one) != len(kinds) for one in seen):
        raise _unknown(space, "a tuple, a list or a record")
    spaces: Sequence[Any] = space.spaces if isinstance(space, TupleSpace) else [space] * len(kinds)
    if not isinstance(space, TupleSpace) and len({getattr(one, "dtype", None) for one in kinds}) > 1:
        raise _unknown(space, "a sequence of ints and floats")
    parts = zip(spaces, kinds, zip(*seen, strict=True), strict=False)
    forms = [_form(space, kind, list(examples)) for space, kind, examples in parts]
    return tuple(forms) if types == {tuple} else forms


def _of_number(kind: Number, seen: list[Any]) -> type[Any] | None:
    python = _PYTHON[kind.dtype.kind.replace("u", "i")]
    if kind.weak is not None and not kind.mixed:
        return python if kind.weak else kind.dtype.type
    types = {type(one) for one in seen}
    if types == {np.ndarray}:
        return None
    if kind.mixed or types not in ({python}, {kind.dtype.type}):
        what = f"step returns a {described(kind)} as an observation, which may be of Python or of NumPy in `final_obs`"
        raise Refused(what, f"write {python.__name__}(...)")
    return next(iter(types))


def _unknown(space: Space[Any], what: str) -> Refused:
    instead = "return a tuple" if isinstance(space, TupleSpace) else "return np.array(...)"
    return Refused(f"step returns {what} as an observation, which `final_obs` does not keep", instead)


def formed(form: Form, batch: Any, k: int) -> Any:
    """Returns observation k of a batch, with the types of a form."""
    if isinstance(form, dict):
        return {key: formed(one, batch[key], k) for key, one in form.items()}
    if isinstance(form, (tuple, list)):
        columns = [batch[:, j] for j in range(len(form))] if isinstance(batch, np.ndarray) else batch
        return type(form)([formed(one, part, k) for one, part in zip(form, columns, strict=True)])
    return np.asarray(batch[k]) if form is None else form(batch[k])
