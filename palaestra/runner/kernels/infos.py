"""The reports of the dynamics in infos, as columns that the kernels write.

An info function that ends in a single `return {"key": expression, ...}` is compiled. Any other is called in Python, a
row at a time.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from gymnasium.functional.boundary import plain_state
from gymnasium.functional.func_env import FuncEnv
from palaestra.language.frozen import frozen
from palaestra.runner.kernels.columns import Column, Leaf
from palaestra.runner.kernels.forms import InfoForm


def absent_name(key: str) -> str:
    """Returns the name of an info that is not reported: whether the info `key`, which comes at times, is missing."""
    return f"_absent_{key}"


@frozen
class Report:
    """A compiled info function: it returns the tuple of the values; the keys name the columns."""

    function: FunctionType | None  # None for `Joint` dynamics, whose outcome holds the values
    leaves: tuple[Leaf, ...]
    numpy: frozenset[str] = frozenset()  # the keys of NumPy's numbers
    forms: tuple[InfoForm, ...] = ()  # the infos that are other objects

    @property
    def objects(self) -> frozenset[str]:
        """The keys of NumPy's bools, of which `add_info` makes objects."""
        return frozenset(leaf.column.name for leaf in self.leaves if leaf.column.dtype.kind == "b") & self.numpy


@frozen
class InfoPlan:
    """The sources of infos.

    Attributes:
        begin: The report of a reset, None if there is none.
        step: The report of a step.
        in_python: Whether they are called in Python instead.
    """

    begin: Report | None = None
    step: Report | None = None
    in_python: bool = False


def info_plan(func_env: FuncEnv, transition: tuple[Any, Any, Any, Any]) -> InfoPlan:
    """Returns the plan of these dynamics, from an example `(state, action, next_state, params)`."""
    state, action, next_state, params = transition
    state, next_state = plain_state(state), plain_state(next_state)
    try:
        begin = _report(func_env, "state_info", (state, params))
        step = _report(func_env, "transition_info", (state, action, next_state, params))
    except _NotCompiled:
        return InfoPlan(in_python=True)
    if begin and step and not _compatible(begin.leaves, step.leaves):
        return InfoPlan(in_python=True)
    return InfoPlan(begin, step)


class _NotCompiled(Exception):
    """An info function that must be called in Python."""


def _report(func_env: Any, name: str, arguments: tuple[Any, ...]) -> Report | None:
    function: Callable[..., Any] = getattr(func_env, name)
    if getattr(function, "__func__", None) is getattr(FuncEnv, name):
        return None
    tupled = tuple_of_values(function)
    if tupled is None:
        raise _NotCompiled
    info = function(*arguments)
    leaves = tuple(_leaf(key, value, k) for k, (key, value) in enumerate(info.items()))
    return Report(tupled, leaves, frozenset(key for key, value in info.items() if isinstance(value, np.generic)))


def _leaf(key: str, value: Any, k: int) -> Leaf:
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        dtype = value.dtype
    elif type(value) in (bool, int, float) or isinstance(value, (np.integer, np.floating)):
        dtype = np.dtype(type(value))
    else:
        raise _NotCompiled
    if key.startswith("_") or key in ("final_obs", "final_info"):  # names with a meaning in the batch's infos
        raise _NotCompiled
    return Leaf(Column(key, dtype, np.shape(value)), f"[{k}]", isinstance(value, np.ndarray))


def _compatible(begin: tuple[Leaf, ...], step: tuple[Leaf, ...]) -> bool:
    """Whether each key has one shape, and types that mix."""
    columns = {leaf.column.name: leaf.column for leaf in step}
    pairs = [(leaf.column, columns[leaf.column.name]) for leaf in begin if leaf.column.name in columns]
    return all(a.shape == b.shape and (a.dtype.kind == "b") == (b.dtype.kind == "b") for a, b in pairs)


def tuple_of_values(function: Callable[..., Any], counts: tuple[int, ...] = (2, 4)) -> FunctionType | None:
    """Returns a function that returns the values of `function`'s dict; None if the function does more.

    A value's `.copy()` is left out, because the column that receives it is a copy; a dict inside is a tuple, too.

    Args:
        function: The function.
        counts: How many arguments it may take.
    """
    if not isinstance(function, FunctionType) or function.__closure__ or hasattr(function, "__wrapped__"):
        return None
    code = function.__code__
    mangled = any(name.startswith("_") and "__" in name[1:] for name in code.co_names)
    # A new function has no defaults: those of `params`, which is given, are not missed.
    if mangled or function.__kwdefaults__ or code.co_argcount not in counts:
        return None
    try:
        lines, first = inspect.getsourcelines(function)
        (definition,) = ast.parse(textwrap.dedent("".join(lines))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    last = definition.body[-1] if isinstance(definition, ast.FunctionDef) else None
    if not (isinstance(last, ast.Return) and isinstance(last.value, ast.Dict)):
        return None
    returns = [node for node in ast.walk(definition) if isinstance(node, ast.Return)]
    values = _values(last.value)
    if len(returns) > 1 or values is None:
        return None
    assert isinstance(definition, ast.FunctionDef)
    last.value = values
    return _compiled(definition, function, first)


def _values(node: ast.Dict) -> ast.Tuple | None:
    """The tuple of the values of a dict, whose keys are written out and differ."""
    keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
    if not all(isinstance(key, str) for key in keys) or len(set(keys)) < len(keys):
        return None
    values = [_values(value) if isinstance(value, ast.Dict) else _uncopied(value) for value in node.values]
    return None if None in values else ast.Tuple([value for value in values if value], ast.Load())


def _uncopied(value: ast.expr) -> ast.expr:
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "copy":
        return value if value.args or value.keywords else value.func.value
    return value


def _compiled(definition: ast.FunctionDef, function: FunctionType, first: int) -> FunctionType:
    """Returns a changed definition of `function` as a function, with its line numbers and globals."""
    definition.decorator_list, definition.returns, definition.args.defaults = [], None, []
    for argument in definition.args.args:
        argument.annotation = None
    module = ast.fix_missing_locations(ast.Module([definition], []))
    ast.increment_lineno(module, first - 1)
    code = compile(module, function.__code__.co_filename, "exec")
    (inner,) = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    made = FunctionType(inner, function.__globals__, function.__name__)
    made.__qualname__, made.__module__ = function.__qualname__, function.__module__
    return made
