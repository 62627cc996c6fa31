"""What `reset` and `step` return, as parts for the columns of a batch."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gymnasium.spaces.dict import Dict
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple as TupleSpace
from palaestra.language.frontend.building import keys_of
from palaestra.language.frontend.choosing import texts_in
from palaestra.language.frontend.growing import allocated, contents_of, copied, inlined, kind_of, storage_of
from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.keeping import Loaded, described, fields_of, kept
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.arrays import as_known
from palaestra.language.operations.dictionaries import is_absent, may_be_absent
from palaestra.language.types import (
    PYTHON,
    Array,
    Chosen,
    Constant,
    Contents,
    Either,
    Growing,
    Number,
    Placed,
    Reference,
    Term,
    Text,
    Tuple,
    Type,
    constant,
    plain,
    shelves_in,
    widened,
)
from palaestra.runner.kernels.columns import Column, Leaf
from palaestra.runner.kernels.forms import InfoForm
from palaestra.runner.kernels.infos import absent_name
from palaestra.runner.kernels.layout import final_info_name
from palaestra.runner.kernels.plan import ARRAYS

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

FINAL = "_final{}"
"""The name of an info that is not reported: a part of an observation, of the type that the environment returns."""
IN_PYTHON = "_final{}_in_python"
"""The name of an info that is not reported: whether a part of an observation is a number of Python, not of NumPy."""

Pairs = list[tuple[Leaf, Term]]


def dict_items(front: FrontEnd, term: Term) -> dict[Any, Term] | None:
    """Returns what a dict holds, by its keys; None if the object is not a dict."""
    if term.known and isinstance(term.value, dict):
        return {key: constant(value) for key, value in term.value.items()}
    if isinstance(term.type, Reference | Placed) and term.type.of is dict:
        contents = contents_of(front, term)
        return dict(zip(keys_of(contents) or (), contents[1:], strict=True))
    return None


def observed(front: FrontEnd, space: Space[Any], term: Term) -> Pairs:
    """Returns the parts of an observation, each with its column, in the order of the space.

    Raises:
        Refused: If it is not of the space's form.
    """
    several = isinstance(space, (Dict, TupleSpace))
    found = []
    for k, (part, one) in enumerate(_parts(front, space, term)):
        if not isinstance(part, ARRAYS):
            one, part = _code_of(front, part, one), _CODES
        assert part.shape is not None
        index = f"[{k}]" if several else ""
        column = Column(f"observation{index}", np.dtype(part.dtype), part.shape)
        found.append((Leaf(column, index, bool(part.shape)), one))
    return found


def _parts(front: FrontEnd, space: Space[Any], term: Term) -> Iterator[tuple[Space[Any], Term]]:
    if isinstance(space, Dict):
        held = dict_items(front, term)
        if held is None or {*held} != {*space.spaces} or any(map(may_be_absent, held.values())):
            raise Refused(f"an observation of {space} is {term.type}", "return a dict with its keys")
        for key, part in space.spaces.items():
            yield from _parts(front, part, held[key])
        return
    if isinstance(space, TupleSpace):
        items = items_of(front, term)
        if items is None or len(items) != len(space.spaces):
            raise Refused(f"an observation of {space} is {term.type}", "return a tuple of its parts")
        for part, item in zip(space.spaces, items, strict=True):
            yield from _parts(front, part, item)
        return
    if isinstance(space, ARRAYS):
        shape = space.shape
        term = front.split(term, lambda one: as_known(front, one, shape)) if shape else term
        _check_form(front, space, term)
    yield space, term


_CODES = Discrete(2**62)


def _code_of(front: FrontEnd, space: Space[Any], term: Term) -> Term:
    """The number of a text among those that a batch returns."""
    texts = texts_in(term.type)
    if texts is None:
        reason = f"observations of {space} are {term.type}"
        raise Refused(reason, "use Box, Discrete, MultiDiscrete, Dict and Tuple, or texts of a known set")
    codes = np.array([front.texts.setdefault(one, len(front.texts)) for one in texts.options], np.int64)
    chosen = front.converted(term, texts)
    found = front.operate(operator.getitem, constant(codes), Term(PYTHON[int], chosen.parts))
    return Term(PYTHON[int], front.materialized(found).parts)


def _check_form(front: FrontEnd, space: Space[Any], term: Term) -> None:
    """Refuse what a batch would not store as it is."""
    for kind in map(widened, _options(front.materialized(term).type)):
        if isinstance(kind, Array) and kind.shape != space.shape:
            raise Refused(f"an observation of shape {kind.shape} is returned for {space}", "return one of its space")
        if isinstance(kind, Array | Number) and kind.dtype.kind == "f" and np.dtype(space.dtype).kind in "biu":
            raise Refused(f"an observation of floats is returned for {space}", "round it, with astype(np.int64), say")
        fits = isinstance(kind, Array | Tuple | Reference) or (isinstance(kind, Number) and space.shape == ())
        if not fits:
            raise Refused(f"an observation of {space} is {kind}", "return one of its space")


def _options(kind: Type) -> tuple[Type, ...]:
    return kind.options if isinstance(kind, Either) else (kind,)


class Report(NamedTuple):
    """The values of infos, each with its column, the keys of NumPy's numbers, and the forms of other objects."""

    pairs: Pairs
    numpy: frozenset[str]
    forms: tuple[InfoForm, ...]


def reported(front: FrontEnd, term: Term) -> Report:
    """Returns the values of an info.

    Raises:
        Refused: If it is not a dict with texts as keys, or a value is one of the user's objects, say.
    """
    held = dict_items(front, term)
    if held is None:
        raise Refused(f"the info is {term.type}", "return a dict")
    pairs: Pairs = []
    numpy = set()
    forms = []
    for key, value in ((key, front.without_seed(one)) for key, one in held.items()):
        _check_key(key)
        if may_be_absent(value):
            pairs.append((_info_leaf(absent_name(key), np.dtype(np.bool_), (), len(pairs)), is_absent(front, value)))
        found = _info(front, key, value, len(pairs))
        if found is None:
            form, parts = _formed(front, key, value, len(pairs))
            forms.append(form)
            pairs += parts
            continue
        pairs.append(found)
        kind = found[1].type
        if isinstance(kind, Number) and not kind.python:
            numpy.add(key)
    return Report(pairs, frozenset(numpy), tuple(forms))


def _check_key(key: Any) -> None:
    if not isinstance(key, str):
        raise Refused(f"the info has the key {key!r}", "use texts as keys")
    if key.startswith("_") or key in ("final_obs", "final_info"):
        raise Refused(f"the info {key!r} has a name with a meaning of its own", "give it another")


def _info(front: FrontEnd, key: str, value: Term, k: int) -> tuple[Leaf, Term] | None:
    """The value of an info that is a number or an array of one type, with its column; None for others."""
    kinds = [front.materialized(one).type for one in _present(value)]
    kind = kinds[0] if len(kinds) == 1 else None
    if not isinstance(kind, Number | Array):
        return None
    shape = kind.shape if isinstance(kind, Array) else ()
    leaf = _info_leaf(key, kind.dtype, shape, k, isinstance(kind, Array))
    zero = _zero(front, kind)
    return leaf, front.materialized(front.bound(value, lambda: zero))


def _formed(front: FrontEnd, key: str, value: Term, start: int) -> tuple[InfoForm, Pairs]:
    """The form of the value of an info, and its parts, each with its column."""
    try:
        value = front.split(value, lambda one: _inlined(front, one))
        kind = _roomy(described(front, value), front.capacity)
        fields = list(fields_of(kind, key))
    except Refused:
        raise Refused(f"the info {key!r} is {value.type}", _PLAIN) from None
    leaves = [
        _info_leaf(f"_{k}_of_{key}", one.dtype, one.shape, start + k, bool(one.shape)) for k, one in enumerate(fields)
    ]
    kinds = [plain(one.dtype, one.shape) if one.shape else Number(one.dtype, not one.is_numpy) for one in fields]
    zeros = [_zero(front, one) for one in kinds]
    parts = kept(front, kind, value, Loaded(value, {}, zeros, {}, {}), set())
    terms = [zero if part is None else part for part, zero in zip(parts, zeros, strict=True)]
    names = tuple(leaf.column.name for leaf in leaves)
    return InfoForm(key, kind, names), list(zip(leaves, terms, strict=True))


def _inlined(front: FrontEnd, value: Term) -> Term:
    """A list in which lists are items themselves, rather than on a shelf; other objects as they are."""
    storage = storage_of(front, value)
    if storage is None or kind_of(storage).of not in (list, dict) or not shelves_in(kind_of(storage)):
        if front.shelves.place_of(value) is not None and storage is not None:
            return allocated(front, copied(front, storage))
        return value
    return allocated(front, inlined(front, storage))


_PLAIN = "report numbers, texts, arrays of fixed shape, or tuples, lists and dicts of them"


def _roomy(kind: Type, capacity: int) -> Type:
    """A type whose lists that grow have as much room as they have while a method runs.

    Raises:
        Refused: If there is something else in it than infos are made of.
    """
    match kind:
        case Growing(item=item) if not shelves_in(item):
            return Growing(item, capacity)
        case Tuple(items=items):
            return Tuple(tuple(_roomy(one, capacity) for one in items), kind.of)
        case Either(options=options):
            return Either(tuple(_roomy(one, capacity) for one in options))
        case Contents(of=of, items=items) if of in (list, dict):
            return Contents(kind.of, kind.keys, tuple(_roomy(one, capacity) for one in items))
        case Number() | Array() | Text() | Chosen() | Constant():
            return kind
    raise Refused("an object has no form")


def _as_number(front: FrontEnd, kind: Number, term: Term) -> Term:
    """A number of Python or NumPy as one of a type, with the same dtype; what is missing stays so."""
    return term if may_be_absent(term) else Term(kind, front.materialized(term).parts)


def _present(value: Term) -> list[Term]:
    """The options of an object that are there."""
    options = list(value.items()) if isinstance(value.type, Either) else [value]
    return [one for one in options if not may_be_absent(one)]


def _zero(front: FrontEnd, kind: Number | Array) -> Term:
    if isinstance(kind, Number):
        return Term(kind, (front.number(0, kind.dtype),))
    return front.materialized(constant(np.zeros(kind.shape, kind.dtype)))


def _info_leaf(key: str, dtype: np.dtype[Any], shape: tuple[int, ...], k: int, is_array: bool = False) -> Leaf:
    return Leaf(Column(key, dtype, shape), f"[{k}]", is_array)


def finals(pairs: Pairs, front: FrontEnd, start: int) -> Pairs:
    """Returns the parts of an observation whose dtype is not that of their space: final observations keep it."""
    found: Pairs = []

    def add(name: str, dtype: np.dtype[Any], leaf: Leaf, term: Term) -> None:
        found.append((_info_leaf(name, dtype, leaf.column.shape, start + len(found), leaf.is_array), term))

    for k, (leaf, term) in enumerate(pairs):
        kind = front.materialized(term).type
        dtype = _dtype_of(kind)
        if isinstance(kind, Either) and dtype is not None:
            in_python = front.split(term, lambda one: front.materialized(constant(_is_python(front, one))))
            add(IN_PYTHON.format(k), np.dtype(np.bool_), leaf, in_python)
            kind = Number(dtype)
            term = front.split(term, partial(_as_number, front, kind))
        if isinstance(kind, Number | Array) and kind.dtype != leaf.column.dtype:
            add(FINAL.format(k), kind.dtype, leaf, term)
    return found


def _dtype_of(kind: Type) -> np.dtype[Any] | None:
    """The dtype of an object that is always a number of it, of Python or of NumPy; None for others."""
    numbers = [one for one in map(widened, _options(kind)) if isinstance(one, Number)]
    dtypes = {one.dtype for one in numbers}
    return numbers[0].dtype if len(numbers) == len(_options(kind)) and len(dtypes) == 1 else None


def _is_python(front: FrontEnd, term: Term) -> bool:
    kind = front.materialized(term).type
    return isinstance(kind, Number) and kind.python


class Types(NamedTuple):
    """The types of a number: of NumPy, and of Python where the column of that name says so."""

    numpy: type
    python: type
    column: str


Form = Any
"""The type or the types of a number, None for an array, and tuples, lists and dicts of forms."""


def form_of(space: Space[Any], kind: Type, numbers: Iterator[int], text: Callable[[int], str]) -> Form:
    """Returns the Python types of an observation, which `final_obs` keeps.

    Args:
        space: Its space.
        kind: Its type.
        numbers: The number of the next part, and of those after it.
        text: Returns the text of a number, where the space is one of texts.

    Raises:
        Refused: If they are not known.
    """
    kind = widened(kind)
    if isinstance(space, Dict) and isinstance(kind, Contents):
        items = dict(zip(kind.keys, kind.items, strict=True))
        forms = {key: form_of(part, items[key], numbers, text) for key, part in space.spaces.items()}
        return {key: forms[key] for key in kind.keys}
    if isinstance(space, TupleSpace) and isinstance(kind, Tuple | Contents):
        parts = [form_of(part, item, numbers, text) for part, item in zip(space.spaces, kind.items, strict=True)]
        return parts if isinstance(kind, Contents) else tuple(parts)
    number = next(numbers)
    if not isinstance(space, ARRAYS):
        return text
    if not isinstance(kind, Tuple | Contents):
        return _types(kind, number)
    parts = [_types(widened(item), None) for item in kind.items]
    if len({*map(str, parts)}) > 1:
        raise Refused("step returns ints and floats as an observation, which `final_obs` does not keep", _ARRAY)
    return parts if isinstance(kind, Contents) else tuple(parts)


def _types(kind: Type, number: int | None) -> Form:
    """The types of a part of an observation; it has no number within a list."""
    dtype = _dtype_of(kind)
    if dtype is not None:
        python: type = {"b": bool, "f": float}.get(dtype.kind, int)
        if isinstance(kind, Number):
            return python if kind.python else dtype.type
        if number is not None:
            return Types(dtype.type, python, final_info_name(IN_PYTHON.format(number)))
    if isinstance(kind, Either):
        raise Refused(f"step returns {kind} as an observation, of which `final_obs` keeps no type", _ARRAY)
    return None


_ARRAY = "return np.array(...)"


def formed(form: Form, batch: Any, k: int, in_python: Callable[[str], bool]) -> Any:
    """Returns observation k of a batch, with the types of a form; `in_python` reads a column."""
    if isinstance(form, dict):
        return {key: formed(one, batch[key], k, in_python) for key, one in form.items()}
    if isinstance(form, Types):
        return (form.python if in_python(form.column) else form.numpy)(batch[k])
    if isinstance(form, (tuple, list)):
        columns = [batch[:, j] for j in range(len(form))] if isinstance(batch, np.ndarray) else batch
        return type(form)([formed(one, part, k, in_python) for one, part in zip(form, columns, strict=True)])
    return np.asarray(batch[k]) if form is None else form(batch[k])
