"""Reads the calls in a function of the dynamics, and enforces the rules about functions and methods."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from palaestra.language.jit.backend import Assign, Expr, types
from palaestra.language.jit.exact import arrays, containers, functions, naming, numbers
from palaestra.language.jit.exact.casts import check_astype, check_created, number_made
from palaestra.language.jit.exact.elementwise import check_laid_out
from palaestra.language.jit.exact.kinds import in_words, is_array, kind_of, parts_of
from palaestra.language.jit.exact.mixing import Mixing
from palaestra.language.jit.exact.operators import Unsupported
from palaestra.language.jit.exact.remedies import function_name, remedy
from palaestra.language.jit.exact.rewriting import Rewriter
from palaestra.language.jit.random.lane_draws import LaneStreamsType
from palaestra.language.jit.random.pcg64 import StreamType


class CallReader:
    """What is known about a function, and the rules of its calls."""

    def __init__(self, state: Any) -> None:
        self._typing, self._ir = state.typingctx, state.func_ir
        self._types, self._calls = state.typemap, state.calltypes
        self._returned, self._metadata = state.return_type, state.metadata
        self._has_branches = len(self._ir.blocks) > 1
        self._name = state.func_id.func_qualname
        self.refusals: list[str] = []
        self._dropped = False  # whether other statements take the place of the one that is read
        self._definitions = self._ir._definitions
        self._mixing = Mixing(self._ir, self._types, self._calls)
        self._rewriter = Rewriter(self._typing, self._types, self._calls)

    def _call(self, statement: Assign, value: Expr, before: list[Any]) -> None:
        function = self._types[value.func.name]
        if isinstance(function, types.BoundFunction):
            self._call_method(statement, value, function, before)
            return
        if isinstance(function, types.NamedTupleClass):
            self._mixing.check_arguments(value, "a field")
            return
        if isinstance(function, types.Dispatcher):
            self._mixing.check_arguments(value, "an argument")
            return
        if isinstance(function, (types.ExceptionClass, types.ExternalFunction)):
            return
        if isinstance(function, types.NumberClass):
            kinds = [self._types[one.name] for one in value.args]
            exact = number_made(function.instance_type, kinds)
            if exact:
                self._rewriter.replace(statement, exact, list(value.args), before)
            return
        key = getattr(function, "typing_key", None)
        rule = functions.CALLS.get(key) if isinstance(key, Hashable) else None
        if rule is None:
            if key in naming.replacing:
                self._mixing.check_arguments(value, "a field")
            elif not str(getattr(key, "__module__", "")).startswith(("palaestra.runner", "palaestra.language.jit")):
                name = function_name(key, function)
                raise Unsupported(f"{name} is not supported: {remedy(name)}")
            return
        kinds = [self._types[one.name] for one in value.args]
        self._check_keywords(key, value)
        self._mixing.check_selection(key, value)
        self._mixing.check_function(key, value)
        made = self._made_array(key, value, kinds, self._types[statement.target.name])
        if made is not None:
            self._rewriter.replace(statement, *made, before)
            return
        check_created(key, kinds, self._types[statement.target.name])
        if key not in functions.IN_ANY_ORDER:
            for kind in kinds:
                check_laid_out(kind)
        exact = rule(kinds, [self._mixing.constant(one) for one in value.args])
        if exact:
            if value.kws:
                raise Unsupported("name no argument here")
            self._rewriter.replace(statement, exact, list(value.args), before)

    def _made_array(self, key: Any, value: Expr, kinds: list[Any], result: Any) -> tuple[Any, list[Any]] | None:
        """Returns what makes an array of numbers that change, or of a list that may be empty: function, arguments."""
        if key not in (np.array, np.full) or not kinds or not is_array(result):
            return None
        arguments = [*value.args, *(one for name, one in value.kws if name == "dtype")]
        narrow = result.dtype in numbers.NARROWED
        if key is np.full:
            fits = narrow and len(arguments) == 3 and kind_of(kinds[1]) == "i"
            return (containers.NARROW_FULL[result.dtype], arguments) if fits else None
        if narrow and len(arguments) == 2 and not is_array(kinds[0]) and containers.elements_of(kinds[0]) == "i":
            return containers.NARROW_LISTS[result.dtype], arguments
        is_list = isinstance(kinds[0], types.List) and kind_of(kinds[0].dtype) in ("i", "b")
        if is_list and len(arguments) == 1 and not self._mixing.is_literal_list(value.args[0]):
            return containers.of_list, arguments
        return None

    def _check_keywords(self, key: Any, value: Expr) -> None:
        if value.vararg is not None:
            raise Unsupported("`*arguments` are not supported")
        for name, one in value.kws:
            if name != "dtype":
                raise Unsupported(f"the argument `{name}` is not supported here")
            if not isinstance(self._types[one.name], (types.NumberClass, types.DType, types.Function)):
                raise Unsupported("name a dtype by its class, np.int64")

    def _check_draw(self, value: Expr) -> None:
        (definition,) = self._definitions.get(value.func.name, [None])[:1]
        takes_rows = getattr(definition, "attr", None) in ("choice", "permutation", "shuffle")
        for one in (*value.args, *(one for _, one in value.kws)):
            kind = self._types[one.name]
            if takes_rows and (is_array(kind) or containers.elements_of(kind)):
                if one.name in self._mixing.mixed:
                    raise Unsupported("this list holds ints and floats: write 1.0 rather than 1")
                continue
            if isinstance(kind, types.BaseTuple) and {*map(kind_of, parts_of(kind))} == {"i"}:
                continue  # a size
            if kind_of(kind) not in ("i", "f", "b", "l") and not isinstance(kind, (types.NoneType, types.Omitted)):
                raise Unsupported("a draw takes numbers here")

    def _call_method(self, statement: Assign, value: Expr, function: Any, before: list[Any]) -> None:
        owner = function.this
        if isinstance(owner, (StreamType, LaneStreamsType)):
            self._check_draw(value)
            return
        if isinstance(owner, types.List):
            self._check_appended(owner, value)
            return
        (definition,) = self._definitions.get(value.func.name, [None])[:1]
        name = getattr(definition, "attr", None)
        if name not in functions.ARRAY_METHODS or not is_array(owner):
            raise Unsupported(f"`.{name}` of {in_words(owner)} is not supported")
        self._check_keywords(None, value)
        if name not in functions.ANY_ORDER_METHODS:
            check_laid_out(owner)
        if name == "astype":
            check_astype(owner.dtype, self._types[statement.target.name].dtype)
            return
        if name == "fill":
            given = kind_of(self._types[value.args[0].name])
            if given != kind_of(owner.dtype) or given not in ("b", "i", "f"):
                raise Unsupported("fill takes a number of the array's kind here")
            return
        if name == "reshape":
            if owner.layout != "C":
                raise Unsupported("only an array in one piece can be reshaped: write .copy() first")
            self._check_shape(statement, value, definition.value, before)
            return
        kinds = [owner, *(self._types[one.name] for one in value.args)]
        exact = functions.CALLS[functions.ARRAY_METHODS[name]](kinds, [])
        if exact:
            self._rewriter.replace(statement, exact, [definition.value, *value.args], before)

    def _check_shape(self, statement: Assign, value: Expr, owner: Any, before: list[Any]) -> None:
        """Let `reshape` raise what it raises in NumPy, where two of the lengths may be others than 1, 2, ..."""
        lengths = list(map(self._mixing.constant, value.args))
        is_tuple = len(lengths) == 1 and isinstance(self._types[value.args[0].name], types.BaseTuple)
        if is_tuple or sum(length is None or length <= 0 for length in lengths) > 1:
            function = arrays.reshaped if is_tuple else arrays.reshaped_to_lengths
            self._rewriter.replace(statement, function, [owner, *value.args], before)

    def _check_appended(self, owner: Any, value: Expr) -> None:
        if len(value.args) != 1:
            raise Unsupported("a list has `append` and nothing else here")
        (one,) = value.args
        if kind_of(self._types[one.name]) != kind_of(owner.dtype) or one.name in self._mixing.mixed:
            raise Unsupported("a list holds values of one type here: write 1.0 rather than 1")
